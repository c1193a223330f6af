"""Ranks that tests train themselves, as our tokenizer and as an encoding of tiktoken."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import tiktoken

from bpe_gui.engine import Recipe, Tokenizer, load, save, train

from .mixed_text import mixed_text
from .modes import running
from .published import pattern_of

SPECIAL_TOKENS = ("<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>")
_MERGES = 2_000


@cache
def trained_ranks(splitter: str) -> bytes:
    """Return a file of ranks, trained on mixed text that a splitter of tiktoken's has split."""
    recipe = Recipe.of("tiktoken").with_changes(splitter=splitter)
    with running("compiled"), TemporaryDirectory() as folder:
        (file,) = save(train(mixed_text(300_000), recipe=recipe, num_merges=_MERGES), Path(folder), "tiktoken")
        return file.read_bytes()


def trained_tokenizer(splitter: str, folder: Path) -> Tokenizer:
    """Return our tokenizer for `trained_ranks`, a new one that has cached no words; write its file into a folder."""
    file = folder / f"{splitter}.tiktoken"
    file.write_bytes(trained_ranks(splitter))
    return load(file, pattern=splitter, special_tokens=_special_ids())


def trained_encoding(splitter: str, folder: Path) -> tiktoken.Encoding:
    """Return tiktoken's encoding for `trained_ranks`."""
    vocab = trained_tokenizer(splitter, folder).vocab
    special = _special_ids()
    ranks = {token: rank for rank, token in vocab.items() if rank not in special.values()}
    return tiktoken.Encoding(splitter, pat_str=pattern_of(splitter), mergeable_ranks=ranks, special_tokens=special)


def _special_ids() -> dict[str, int]:
    return {token: 256 + _MERGES + number for number, token in enumerate(SPECIAL_TOKENS)}
