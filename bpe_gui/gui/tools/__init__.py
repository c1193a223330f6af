"""The windows next to the main window that answer a question about tokenizers."""
