"""Folders opened by `transformers`, which is imported only by a test that opens one: that takes a second."""

from pathlib import Path
from typing import Any


def opened_by_transformers(folder: Path) -> Any:
    """Return the tokenizer that `AutoTokenizer` finds in a folder, without looking anywhere else."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder, local_files_only=True)
