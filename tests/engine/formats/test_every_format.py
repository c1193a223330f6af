"""Tokenizers of every preset in every format: saved, loaded, and loaded by the package that the format is for."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import gguf
import pytest
import sentencepiece
import tiktoken as tiktoken_package
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt import apply_bpe
from tokenizers import Regex, models, pre_tokenizers

from bpe_gui.engine import (
    END_OF_WORD,
    FORMATS,
    PRESETS,
    SPLITTERS,
    EngineError,
    FormatError,
    Recipe,
    Tokenizer,
    load,
    save,
    train,
)
from bpe_gui.engine.proof.proof import HARD_STRINGS
from tests.engine.support.minbpe_rules import read_model
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.published import ranks_in
from tests.engine.support.strategies import any_text, corpora, recipes, special_tokens
from tests.engine.support.transformers_folders import opened_by_transformers
from tests.examples import examples

SPECIALS = ["<|endoftext|>", "<unk>", "<|user|>"]
MAX_LINES = 500

CHARACTERS = "starts from characters"
IDS = "The ids are not those of a minbpe model"

REFUSED = {
    ("char-eow", "huggingface"): "because the token .* is not in the vocabulary",
    ("char-eow", "transformers"): "because the token .* is not in the vocabulary",
    ("bbpe", "tiktoken"): "the ids give the order of the merges",
    **{(name, "tiktoken"): CHARACTERS for name, recipe in PRESETS.items() if recipe.units == "characters"},
    **{(name, "minbpe"): CHARACTERS for name, recipe in PRESETS.items() if recipe.units == "characters"},
    **{(name, "minbpe"): IDS for name in ("cs336", "bbpe", "huggingface", "parity")},
    **{(name, "subword-nmt"): "starts from bytes" for name, recipe in PRESETS.items() if recipe.units == "bytes"},
    **{(name, "sentencepiece"): "Train with the recipe sentencepiece" for name in PRESETS if name != "sentencepiece"},
    **{("sentencepiece", name): "the user-defined symbol" for name in ("huggingface", "transformers")},
    **{("sentencepiece", name): "cannot represent how" for name in ("gpt2", "minbpe", "subword-nmt")},
    ("sentencepiece", "tiktoken"): "starts from characters",
    ("minbpe", "gguf"): "A GGUF file names how llama.cpp splits text",
    **{
        (name, "gguf"): "llama.cpp has no tokenizer that"
        for name, recipe in PRESETS.items()
        if recipe.units == "characters" and name != "char-eow"
    },
    ("char-eow", "gguf"): "because the token .* is not in the vocabulary",
    **{
        (name, "subword-nmt"): "attaches the end-of-word marker"
        for name in ("cs336-toy", "worked-example", "char-eow", "zh-en")
    },
}
"""Tokenizers that a format cannot represent, and the reason."""

Reader = Callable[[str], Sequence[object]]
"""Encodes a text to ids, or for subword-nmt to pieces."""


# -- saved tokenizers ---------------------------------------------------------------------------------------------


@cache
def trained(preset: str) -> Tokenizer:
    return train(mixed_text(60_000), recipe=preset, special_tokens=SPECIALS, num_merges=250)


class Saved(NamedTuple):
    tokenizer: Tokenizer
    format: str
    files: list[Path]

    def load(self) -> Tokenizer:
        """Load the tokenizer; a file of ranks has neither the pattern nor the special tokens."""
        if self.format != "tiktoken":
            return load(self.files[0], self.format)
        ours = self.tokenizer
        return load(self.files[0], pattern=ours.recipe.splitter, special_tokens=ours.special_tokens)


WRITTEN = [name for name, format in FORMATS.items() if format.contents and format.load]
SUPPORTED = [(preset, format) for preset in PRESETS for format in WRITTEN if (preset, format) not in REFUSED]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Saved]:
    """Return a function that saves the tokenizer of a preset in a format, once."""

    @cache
    def write(preset: str, format: str) -> Saved:
        tokenizer = trained(preset)
        return Saved(tokenizer, format, save(tokenizer, tmp_path_factory.mktemp(preset) / "saved", format))

    return write


# -- readers -----------------------------------------------------------------------------------------------------


def _tokenizers(saved: Saved) -> Reader:
    theirs = tokenizers.Tokenizer.from_file(str(saved.files[0]))
    return lambda text: theirs.encode(text).ids


def _transformers(saved: Saved) -> Reader:
    theirs = opened_by_transformers(saved.files[0].parent)
    return lambda text: theirs.encode(text)


def _gpt2(saved: Saved) -> Reader | None:
    """Read `vocab.json` and `merges.txt` with `tokenizers`, and our splitter; it does not support our characters."""
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


def _sentencepiece(saved: Saved) -> Reader:
    return sentencepiece.SentencePieceProcessor(model_file=str(saved.files[0])).encode


def _gguf(saved: Saved) -> Reader:
    """Read the tokens and merges with the package `gguf`, and let `tokenizers` apply them as llama.cpp says it does."""
    fields = gguf.GGUFReader(saved.files[0]).fields
    tokens, merges = (fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "merges"))
    pairs = [tuple(merge.split(" ")) for merge in merges]
    theirs = tokenizers.Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, pairs))
    assert fields["tokenizer.ggml.pre"].contents() == "gpt-2"
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    types = fields["tokenizer.ggml.token_type"].contents()
    theirs.add_special_tokens(
        [token for token, kind in zip(tokens, types, strict=True) if kind == gguf.TokenType.CONTROL]
    )
    return lambda text: theirs.encode(text).ids


READERS: Mapping[str, Callable[[Saved], Reader | None]] = {
    "huggingface": _tokenizers,
    "transformers": _transformers,
    "gpt2": _gpt2,
    "tiktoken": _tiktoken,
    "minbpe": _minbpe,
    "subword-nmt": _subword_nmt,
    "sentencepiece": _sentencepiece,
    "gguf": _gguf,
}


def ours_as(format: str, tokenizer: Tokenizer) -> Reader:
    """Return how our tokenizer encodes, in the terms of the format's readers: subword-nmt has pieces, not ids."""
    if format != "subword-nmt":
        return tokenizer.encode
    return lambda text: [_piece(token) for token in tokenizer.tokenize(text)]


def _piece(token: bytes) -> str:
    return token.removesuffix(END_OF_WORD).decode() + ("" if token.endswith(END_OF_WORD) else "@@")


# -- texts --------------------------------------------------------------------------------------------------------


def mixed(format: str) -> list[str]:
    """Return a text, its lines, those of hard strings, and special tokens among them if the format has these."""
    text = mixed_text(20_000, seed=5)
    lines = [*text.split("\n")[:MAX_LINES], *(line for hard in HARD_STRINGS for line in hard.splitlines())]
    if format == "subword-nmt":  # it encodes single lines
        return lines
    return [text, *lines, *(special.join(lines[:3]) for special in SPECIALS), *SPECIALS, "\n \n  ", "a\n  "]


def can_encode(tokenizer: Tokenizer, text: str) -> bool:
    """Return whether all symbols of a text have ids."""
    try:
        tokenizer.encode(text)
    except EngineError:
        return False
    return True


def assert_same(saved: Saved, theirs: Reader, texts: Sequence[str]) -> None:
    """Assert that a reader gives our ids for all texts that our tokenizer can encode, and that there are some."""
    ours = ours_as(saved.format, saved.tokenizer)
    compared = 0
    for text in (text for text in texts if can_encode(saved.tokenizer, text)):
        assert theirs(text) == ours(text), text
        compared += len(ours(text))
    assert compared > 100


def assert_loaded_is_same(saved: Saved, loaded: Tokenizer, texts: Sequence[str]) -> None:
    if saved.format == "subword-nmt":  # symbols that never merge are not in the file, and have no ids
        texts = [text for text in texts if can_encode(loaded, text)]
    assert_same(saved, ours_as(saved.format, loaded), texts)


# -- tests --------------------------------------------------------------------------------------------------------

supported = pytest.mark.parametrize(("preset", "format"), SUPPORTED)
SavedBy = Callable[[str, str], Saved]


def test_every_format_has_a_reader() -> None:
    assert set(WRITTEN) == set(READERS)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "format"), REFUSED)
def test_a_tokenizer_that_a_format_cannot_represent_is_refused(preset: str, format: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=REFUSED[preset, format]):
        save(trained(preset), tmp_path, format)


@pytest.mark.slow
@supported
def test_a_saved_tokenizer_is_loaded_and_saved_alike(preset: str, format: str, saved: SavedBy, tmp_path: Path) -> None:
    first = saved(preset, format)
    loaded = first.load()
    assert_loaded_is_same(first, loaded, mixed(format))
    for path, second in zip(first.files, save(loaded, tmp_path / "saved", format), strict=True):
        assert second.name == path.name
        assert second.read_bytes() == path.read_bytes()


@pytest.mark.slow
@supported
def test_the_package_gives_our_ids(preset: str, format: str, saved: SavedBy) -> None:
    first = saved(preset, format)
    if theirs := READERS[format](first):
        assert_same(first, theirs, mixed(format))


KEPT = {
    "gpt2": ("vocab", "merges", "special_tokens", "recipe", "unknown_id", "merge_counts"),
    "minbpe": ("vocab", "merges"),
    "subword-nmt": ("merges",),
    "tiktoken": ("merges",),
}
"""What a file says of any recipe that its format can represent; `test_recipe_pipelines.py` does this for the others."""

some_recipes = recipes() | st.sampled_from([PRESETS[name] for name in ("minbpe", "tiktoken", "subword-nmt")])


@pytest.mark.parametrize("format", KEPT)
@given(corpora, some_recipes, special_tokens, any_text)
@settings(max_examples=examples(100))
def test_every_recipe_is_saved_without_loss_or_refused(
    format: str, corpus: str, recipe: Recipe, specials: list[str], text: str
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        try:
            tokenizer = train(corpus, recipe=recipe, special_tokens=specials, num_merges=20)
            saved = Saved(tokenizer, format, save(tokenizer, folder, format))
        except EngineError:
            assert not list(folder.iterdir())
            return
        loaded = saved.load()
        assert [getattr(loaded, kept) == getattr(tokenizer, kept) for kept in KEPT[format]] == [True] * len(
            KEPT[format]
        )
        assert format == "subword-nmt" or loaded.vocab == tokenizer.vocab
        if format == "minbpe":
            theirs = _minbpe(saved)
            for sample in (corpus, text + corpus):
                assert theirs(sample) == loaded.encode(sample) == tokenizer.encode(sample)


@pytest.mark.parametrize("format", WRITTEN)
def test_a_tokenizer_is_loaded_from_its_folder_or_any_of_its_files(format: str, tmp_path: Path) -> None:
    recipe = format if format in ("subword-nmt", "sentencepiece") else "cs336" if format == "gguf" else "minbpe"
    tokenizer = train("low lower lowest", recipe=recipe, num_merges=5)
    files = save(tokenizer, tmp_path, format)
    assert files == [tmp_path / name for name in FORMATS[format].files]
    pattern = "gpt2" if format == "tiktoken" else None
    for path in (tmp_path, *files):
        for given_path, given_format in ((path, format), (str(path), None)):
            assert load(given_path, given_format, pattern=pattern).merges == tokenizer.merges


@pytest.mark.parametrize("format", [name for name, format in FORMATS.items() if format.load and format.files])
def test_a_missing_file_is_reported(format: str, tmp_path: Path) -> None:
    name = FORMATS[format].files[0]
    for path in (tmp_path / name, tmp_path, tmp_path / "none" / name):
        with pytest.raises(FormatError, match=r"\.\w+ cannot be read: No such file"):
            load(path, format)
    for bad in ("a\0b", "x" * 5000):
        with pytest.raises(FormatError, match="cannot be read"):
            load(tmp_path / bad / name, format)
        with pytest.raises(FormatError, match="cannot be written"):
            save(trained("minbpe"), tmp_path / bad)
    assert not list(tmp_path.iterdir())
