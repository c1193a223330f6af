"""Tokenizers trained by every preset, in every format: read again, and read by the package that the format is for."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import tiktoken as tiktoken_package
import tokenizers
from subword_nmt import apply_bpe
from tokenizers import Regex, models, pre_tokenizers
from transformers import AutoTokenizer

from bpe_gui.engine import FORMATS, PRESETS, SPLITTERS, EngineError, FormatError, Tokenizer, load, save, train
from bpe_gui.engine.formats import tiktoken
from bpe_gui.engine.runtime.printable import END_OF_WORD

from tests.engine.support.minbpe_rules import read_model
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.published import ranks_in

SPECIALS = ["<|endoftext|>", "<unk>", "<|user|>"]
MOST_LINES = 500

CHARACTERS = "begins with characters"
IDS = "The ids are not those of a model of minbpe"

REFUSED = {
    ("char-eow", "huggingface"): "needs the token .* which the vocabulary does not have",
    ("char-eow", "transformers"): "needs the token .* which the vocabulary does not have",
    ("bbpe", "tiktoken"): "in a file of ranks, ids are the order of the merges",
    **{(name, "tiktoken"): CHARACTERS for name, recipe in PRESETS.items() if recipe.units == "characters"},
    **{(name, "minbpe"): CHARACTERS for name, recipe in PRESETS.items() if recipe.units == "characters"},
    **{(name, "minbpe"): IDS for name in ("cs336", "bbpe", "huggingface")},
    **{(name, "subword-nmt"): "begins with bytes" for name, recipe in PRESETS.items() if recipe.units == "bytes"},
    **{
        (name, "subword-nmt"): "end-of-word markers glued"
        for name in ("cs336-toy", "worked-example", "char-eow", "zh-en")
    },
}
"""What a format cannot hold, and why."""

Reader = Callable[[str], Sequence[object]]
"""What a package makes of a text: ids, or in subword-nmt's case, pieces."""


# -- what is written ----------------------------------------------------------------------------------------------


@cache
def trained(preset: str) -> Tokenizer:
    return train(mixed_text(60_000), recipe=preset, special_tokens=SPECIALS, num_merges=250)


class Saved(NamedTuple):
    tokenizer: Tokenizer
    format: str
    files: list[Path]

    def again(self) -> Tokenizer:
        """The tokenizer, read; of ranks it has to be said how text is split, and the special tokens."""
        if self.format != "tiktoken":
            return load(self.files[0], self.format)
        ours = self.tokenizer
        return tiktoken.load(self.files[0], pattern=ours.recipe.splitter, special_tokens=ours.special_tokens)


WRITTEN = [name for name, format in FORMATS.items() if format.contents and format.load]
HELD = [(preset, format) for preset in PRESETS for format in WRITTEN if (preset, format) not in REFUSED]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Saved]:
    """Writes the tokenizer of a preset in a format, once."""

    @cache
    def write(preset: str, format: str) -> Saved:
        tokenizer = trained(preset)
        return Saved(tokenizer, format, save(tokenizer, tmp_path_factory.mktemp(preset) / "saved", format))

    return write


# -- who reads it -------------------------------------------------------------------------------------------------


def _tokenizers(saved: Saved) -> Reader:
    theirs = tokenizers.Tokenizer.from_file(str(saved.files[0]))
    return lambda text: theirs.encode(text).ids


def _transformers(saved: Saved) -> Reader:
    theirs = AutoTokenizer.from_pretrained(saved.files[0].parent, local_files_only=True)
    return lambda text: theirs.encode(text)


def _gpt2(saved: Saved) -> Reader | None:
    """`vocab.json` and `merges.txt` by `tokenizers`, told how text is split; which reads no words of characters."""
    if saved.tokenizer.recipe.units == "characters":
        return None
    vocab, merges = map(str, saved.files[:2])
    theirs = tokenizers.Tokenizer(models.BPE.from_file(vocab, merges))
    pattern = SPLITTERS[saved.tokenizer.recipe.splitter].replace("{1,3}+", "{1,3}").replace(r"\Z", r"\z")
    steps = [pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)]
    theirs.pre_tokenizer = pre_tokenizers.Sequence(steps)
    theirs.add_special_tokens(SPECIALS)
    return lambda text: theirs.encode(text).ids


def _tiktoken(saved: Saved) -> Reader:
    ours = saved.tokenizer
    pattern = SPLITTERS[ours.recipe.splitter].replace(r"\Z", r"\z")
    theirs = tiktoken_package.Encoding(
        "ours", pat_str=pattern, mergeable_ranks=ranks_in(saved.files[0]), special_tokens=ours.special_tokens
    )
    return lambda text: theirs.encode(text, allowed_special="all")


def _minbpe(saved: Saved) -> Reader:
    return read_model(saved.files[0]).encode


def _subword_nmt(saved: Saved) -> Reader:
    with saved.files[0].open(encoding="utf-8") as codes:
        theirs = apply_bpe.BPE(codes)
    return lambda text: theirs.segment_tokens(text.split(" "))


READERS: Mapping[str, Callable[[Saved], Reader | None]] = {
    "huggingface": _tokenizers,
    "transformers": _transformers,
    "gpt2": _gpt2,
    "tiktoken": _tiktoken,
    "minbpe": _minbpe,
    "subword-nmt": _subword_nmt,
}


def ours_as(format: str, tokenizer: Tokenizer) -> Reader:
    """What this tokenizer makes of a text, as readers of the format say it: codes of subword-nmt know no ids."""
    if format != "subword-nmt":
        return tokenizer.encode
    return lambda text: [_piece(token) for token in tokenizer.tokenize(text)]


def _piece(token: bytes) -> str:
    return token.removesuffix(END_OF_WORD).decode() + ("" if token.endswith(END_OF_WORD) else "@@")


# -- the texts ----------------------------------------------------------------------------------------------------


def mixed(format: str) -> list[str]:
    """A text and its lines; with special tokens in them, where the format knows these."""
    text = mixed_text(20_000, seed=5)
    lines = text.split("\n")[:MOST_LINES]
    if format == "subword-nmt":  # which is for lines
        return lines
    return [text, *lines, *(special.join(lines[:3]) for special in SPECIALS), *SPECIALS, "\n \n  ", "a\n  "]


def knows(tokenizer: Tokenizer, text: str) -> bool:
    """Whether all symbols of a text have ids."""
    try:
        tokenizer.encode(text)
    except EngineError:
        return False
    return True


def assert_same(saved: Saved, theirs: Reader, texts: Sequence[str]) -> None:
    """The same as our tokenizer makes of every text of which all symbols have ids; these are some."""
    ours = ours_as(saved.format, saved.tokenizer)
    compared = 0
    for text in (text for text in texts if knows(saved.tokenizer, text)):
        assert theirs(text) == ours(text), text
        compared += len(ours(text))
    assert compared > 100


def assert_same_again(saved: Saved, again: Tokenizer, texts: Sequence[str]) -> None:
    if saved.format == "subword-nmt":  # which tells nothing of symbols that do not merge
        texts = [text for text in texts if knows(again, text)]
    assert_same(saved, ours_as(saved.format, again), texts)


# -- the tests ----------------------------------------------------------------------------------------------------

held = pytest.mark.parametrize(("preset", "format"), HELD)
SavedBy = Callable[[str, str], Saved]


def test_every_format_has_a_reader() -> None:
    assert set(WRITTEN) == set(READERS)


@pytest.mark.parametrize(("preset", "format"), REFUSED)
def test_what_a_format_cannot_hold_is_refused(preset: str, format: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=REFUSED[preset, format]):
        save(trained(preset), tmp_path, format)


@held
def test_it_is_read_again(preset: str, format: str, saved: SavedBy, tmp_path: Path) -> None:
    first = saved(preset, format)
    again = first.again()
    assert_same_again(first, again, mixed(format))
    for path, second in zip(first.files, save(again, tmp_path / "saved", format), strict=True):
        assert second.name == path.name
        assert second.read_bytes() == path.read_bytes()


@held
def test_the_package_gives_our_ids(preset: str, format: str, saved: SavedBy) -> None:
    first = saved(preset, format)
    if theirs := READERS[format](first):
        assert_same(first, theirs, mixed(format))


@held
def test_hard_strings_give_our_ids(
    preset: str, format: str, saved: SavedBy, shared_data: Callable[[str], Path]
) -> None:
    lines = shared_data("naughty-strings.txt").read_text(encoding="utf-8").split("\n")
    first = saved(preset, format)
    assert_same_again(first, first.again(), lines)
    if theirs := READERS[format](first):
        assert_same(first, theirs, lines)
