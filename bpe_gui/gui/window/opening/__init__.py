"""Opening the files of the user: texts, folders of them, and tokenizers."""
