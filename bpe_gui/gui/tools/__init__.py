"""The windows beside the main window that answer a question about tokenizers."""
