"""What a pipeline does to text, in words."""

import pytest

from bpe_gui.engine.formats.ranks import Words
from bpe_gui.engine.pipeline import Model, Normalizer, Pipeline, PreTokenizer
from bpe_gui.engine.pipeline import normalizers as n
from bpe_gui.engine.pipeline import pre_tokenizers as p
from bpe_gui.engine.pipeline.precompiled_charsmap import Precompiled
from bpe_gui.engine.pipeline.sentencepiece import Charsmap, WhiteSpace, word_cuts
from bpe_gui.engine.pipeline.splitter_equivalents import split_of
from bpe_gui.gui.wording.pipeline_texts import pipeline_summary

BYTES, CHARACTERS = Model(is_byte_level=True), Model()


@pytest.mark.parametrize(
    ("model", "normalizers", "pre_tokenizers", "words"),
    [
        (BYTES, (), (p.ByteLevel(use_regex=True),), "bytes · gpt2 words"),
        (BYTES, (n.UnicodeForm("NFC"),), (*split_of("cl100k"), p.ByteLevel()), "bytes · NFC · cl100k words"),
        (BYTES, (), (Words("o200k"), p.ByteLevel()), "bytes · o200k words"),
        (BYTES, (), (p.Split("a|b", "isolated"), p.ByteLevel()), "bytes · words by a regular expression"),
        (
            CHARACTERS,
            (WhiteSpace(charsmap=Charsmap({"ﬁ": "fi"}), removes_extra=False),),
            word_cuts(["▁low"]),
            "characters · characters replaced by a table · white space as ▁ · words by ▁",
        ),
        (
            CHARACTERS,
            (Precompiled(Charsmap({"ﬁ": "fi"}), b""),),
            (),
            "characters · characters replaced by a table · no splitting",
        ),
        (
            CHARACTERS,
            (n.Prepend("▁"), n.Replace(" ", "▁")),
            (),
            "characters · ▁ put in front · white space as ▁ · no splitting",
        ),
        (
            CHARACTERS,
            (n.Lowercase(),),
            (p.WhitespaceSplit(),),
            "characters · small letters · words between white space",
        ),
    ],
)
def test_a_pipeline_in_words(
    model: Model, normalizers: tuple[Normalizer, ...], pre_tokenizers: tuple[PreTokenizer, ...], words: str
) -> None:
    pipeline = Pipeline(model=model, normalizers=normalizers, pre_tokenizers=pre_tokenizers)
    assert pipeline_summary(pipeline) == words


def test_no_step_is_called_by_the_name_of_a_class() -> None:
    steps = {each for module in (n, p) for each in vars(module).values() if isinstance(each, type)}
    known = {each for each in steps if each.__module__ in (n.__name__, p.__name__)}
    made = [each() for each in known if each not in (n.UnicodeForm, n.Replace, n.Prepend, n.Strip, p.Split)]
    made += [n.UnicodeForm("NFKC"), n.Replace("a", "b"), n.Prepend("x"), n.Strip(True, True), p.Split("-", "isolated")]
    for step in made:
        normalizers, pre_tokenizers = ((step,), ()) if hasattr(step, "normalize") else ((), (step,))
        said = pipeline_summary(Pipeline(normalizers=normalizers, pre_tokenizers=pre_tokenizers))
        assert type(step).__name__ not in said
