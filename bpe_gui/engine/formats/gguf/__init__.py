"""GGUF, the model files of llama.cpp: the tokenizer in one is read, the weights are not."""

from typing import Final

SUFFIX: Final = ".gguf"
FILE: Final = "model.gguf"
"""The name of the file that `load` looks for in a folder."""
