"""Pipelines in words."""

from inspect import isabstract

import pytest

from bpe_gui.engine.formats.recipe_pipelines import equivalent_steps
from bpe_gui.engine.pipeline import Normalizer, Pipeline, PreTokenizer
from bpe_gui.engine.pipeline import normalizers as n
from bpe_gui.engine.pipeline import pre_tokenizers as p
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.precompiled_charsmap import Precompiled
from bpe_gui.engine.pipeline.sentencepiece import CharacterMap, SentencePieceNormalizer, safe_splits
from bpe_gui.gui.wording.file_texts import pipeline_summary

BYTES, CHARACTERS = ModelOptions(is_byte_level=True), ModelOptions()


@pytest.mark.parametrize(
    ("model", "normalizers", "pre_tokenizers", "words"),
    [
        (BYTES, (), (p.ByteLevel(use_regex=True),), "bytes · gpt2 splitting"),
        (
            BYTES,
            (n.UnicodeForm("NFC"),),
            (*equivalent_steps("cl100k"), p.ByteLevel()),
            "bytes · NFC · cl100k splitting",
        ),
        (BYTES, (), (p.RecipeSplit("o200k"), p.ByteLevel()), "bytes · o200k splitting"),
        (BYTES, (), (p.Split("a|b", "isolated"), p.ByteLevel()), "bytes · split by a regular expression"),
        (
            CHARACTERS,
            (SentencePieceNormalizer(character_map=CharacterMap({"ﬁ": "fi"}), removes_extra_whitespaces=False),),
            safe_splits(["▁low"]),
            "characters · character replacements · whitespace as ▁ · split at ▁",
        ),
        (
            CHARACTERS,
            (Precompiled(CharacterMap({"ﬁ": "fi"}), b""),),
            (),
            "characters · character replacements · no splitting",
        ),
        (
            CHARACTERS,
            (n.Prepend("▁"), n.Replace(" ", "▁")),
            (),
            "characters · ▁ prepended · whitespace as ▁ · no splitting",
        ),
        (
            CHARACTERS,
            (n.Lowercase(),),
            (p.WhitespaceSplit(),),
            "characters · lowercase · split at whitespace",
        ),
        (
            ModelOptions(dropout=0.1),
            (n.BertNormalizer(strips_accents=False),),
            (p.BertPreTokenizer(), p.FixedLength(3)),
            "characters · control characters removed · spaces around ideographs · lowercase · split at whitespace · "
            "punctuation split · words of 3 characters · dropout not applied",
        ),
    ],
)
def test_a_pipeline_in_words(
    model: ModelOptions, normalizers: tuple[Normalizer, ...], pre_tokenizers: tuple[PreTokenizer, ...], words: str
) -> None:
    pipeline = Pipeline(model=model, normalizers=normalizers, pre_tokenizers=pre_tokenizers)
    assert pipeline_summary(pipeline) == words


def test_every_step_has_words_of_its_own() -> None:
    steps = {each for module in (n, p) for each in vars(module).values() if isinstance(each, type)}
    known = {each for each in steps if each.__module__ in (n.__name__, p.__name__) and not isabstract(each)}
    with_arguments = [
        *(n.UnicodeForm("NFKC"), n.Replace("a", "b"), n.Prepend("x"), n.Strip(True, True)),
        *(p.Split("-", "isolated"), p.RecipeSplit("gpt2")),
    ]
    for step in [*with_arguments, *(each() for each in known - set(map(type, with_arguments)))]:
        normalizers, pre_tokenizers = ((step,), ()) if hasattr(step, "normalize") else ((), (step,))
        summary = pipeline_summary(Pipeline(normalizers=normalizers, pre_tokenizers=pre_tokenizers))
        assert type(step).__name__ not in summary
