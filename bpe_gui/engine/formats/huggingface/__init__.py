"""Hugging Face: `tokenizer.json` and the folders of `transformers`."""

from typing import Final

FILE: Final = "tokenizer.json"
SUFFIX: Final = ".json"

CONFIG: Final = "tokenizer_config.json"
SPECIAL_TOKENS: Final = "special_tokens_map.json"
FOLDER_FILES: Final = (FILE, CONFIG, SPECIAL_TOKENS)
