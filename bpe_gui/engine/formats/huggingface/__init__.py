"""Hugging Face: `tokenizer.json` and the folders of `transformers`."""
