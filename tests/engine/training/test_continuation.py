"""A tokenizer is trained further through its own steps, whatever these are: old text keeps its ids."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import (
    END_OF_WORD,
    AddedToken,
    ByteLevel,
    Corpus,
    CorpusError,
    Digits,
    FileDocument,
    Lowercase,
    Metaspace,
    Parity,
    Pipeline,
    Plan,
    Prepend,
    Punctuation,
    Replace,
    Split,
    StripAccents,
    Tokenizer,
    Trainer,
    TrainingError,
    UnicodeForm,
    Veto,
    WhitespaceSplit,
    WordCounts,
    load,
    save,
    train,
)
from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.training.continuation import separators

SPACE = "\N{LOWER ONE EIGHTH BLOCK}"
TEXT = "Low lower LOWEST newest café naïve ﬁne 2023 20 12,5 <tool>low<mask> <tool> new\n\nwidest  wide 你好 你好"
OTHER = "slow slower, widest wider 你好你好 Ａｂ Ａｂ été été 2024 😀😀 <|end|> <tool>é"

SPLITS = (
    (),
    (Split(pattern=r"\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+", behavior="isolated"),),
    (WhitespaceSplit(),),
    (Digits(individual=True), Punctuation()),
    (Split(pattern=" ", is_regex=False, behavior="merged_with_next"),),
)
NORMALIZERS = (
    (),
    (UnicodeForm("NFC"),),
    (Lowercase(),),
    (UnicodeForm("NFKD"), StripAccents()),
    (Replace(pattern=" ", content=SPACE), Lowercase()),
)
OF_SENTENCEPIECE = ((), (Prepend(prefix=SPACE), Replace(pattern=" ", content=SPACE)))


def bare(pipeline: Pipeline) -> Tokenizer:
    """Return a tokenizer without merges: bytes or characters, names of bytes if it needs them, and two added tokens."""
    model = pipeline.model
    symbols = list(map(str.encode, sorted({*TEXT, SPACE})))
    if model.is_byte_level:
        symbols = [bytes([byte]) for byte in range(256)]
    symbols += [symbol + model.suffix.encode() for symbol in symbols] if model.suffix else []
    symbols += [b"<0x%02X>" % byte for byte in range(256)] if model.falls_back_to_bytes else []
    flags: list[dict[str, Any]] = [{"content": "<mask>", "lstrip": True}, {"content": "<tool>", "special": False}]
    added = tuple(AddedToken(id=i, in_vocabulary=False, **each) for i, each in enumerate(flags, len(symbols)))
    ids = {token.content: token.id for token in added}
    return Tokenizer(dict(enumerate(symbols)), [], ids, pipeline=replace(pipeline, added_tokens=added))


@st.composite
def pipelines(draw: st.DrawFn) -> Pipeline:
    splits, ignores = draw(st.sampled_from(SPLITS)), draw(st.booleans())
    if draw(st.booleans()):
        steps = (*splits, ByteLevel(add_prefix_space=draw(st.booleans()), use_regex=draw(st.booleans())))
        suffix = draw(st.sampled_from(["", END_OF_WORD.decode()]))
        model = ModelOptions(is_byte_level=True, suffix=suffix, ignores_merges=ignores)
        normalizers = draw(st.sampled_from(NORMALIZERS))
        return Pipeline(normalizers=normalizers, pre_tokenizers=steps, model=model, decoders=(ByteLevelDecoder(),))
    model = ModelOptions(falls_back_to_bytes=draw(st.booleans()), ignores_merges=ignores)
    normalizers = draw(st.sampled_from((*OF_SENTENCEPIECE, *NORMALIZERS)))
    return Pipeline(
        normalizers=normalizers, pre_tokenizers=draw(st.sampled_from((*SPLITS, (Metaspace(),)))), model=model
    )


def extended(tokenizer: Tokenizer, text: str, merges: int) -> Tokenizer:
    plan = Plan.extending(tokenizer)
    return train(text, recipe="tiktoken", plan=plan, num_merges=plan.merges_before + merges)


@given(pipelines(), st.lists(st.text("loweLÉé2,  ﬁＡ你好<\n", max_size=30), max_size=4))
def test_any_tokenizer_is_continued_through_its_steps(pipeline: Pipeline, texts: list[str]) -> None:
    old = extended(bare(pipeline), TEXT * 2, 12)
    new = extended(old, OTHER * 3 + TEXT, 10)
    added = new.vocab.keys() - old.vocab.keys()
    assert old.vocab.items() <= new.vocab.items() and new.merges[: len(old.merges)] == old.merges
    assert (new.pipeline, new.special_tokens) == (old.pipeline, old.special_tokens)
    assert not added or min(added) > max(old.vocab)
    assert len({left + right for left, right in new.merges}) == len(new.merges)
    tokenizers = pytest.importorskip("tokenizers")
    with TemporaryDirectory() as folder:
        (path,) = save(new, Path(folder, "tokenizer.json"), "huggingface")
        package, again = tokenizers.Tokenizer.from_file(str(path)), load(path)
    for text in (TEXT, OTHER, *texts):
        ids = new.with_unknown_id(None if old.unknown_id is None else old.unknown_id).encode(text)
        assert package.encode(text, add_special_tokens=False).ids == ids == again.encode(text)
        if added.isdisjoint(ids):
            assert ids == old.encode(text)


@given(pipelines())
def test_words_of_the_run_are_what_its_tokenizer_makes_of_them(pipeline: Pipeline) -> None:
    old = extended(bare(replace(pipeline, model=replace(pipeline.model, ignores_merges=False))), TEXT * 2, 12)
    plan = Plan.extending(old)
    counts = plan.count(Corpus.from_text(OTHER * 3 + TEXT), old.recipe, ())
    trainer = Trainer(counts, plan=plan)
    for step in (len(old.merges), len(old.merges) + 9, len(old.merges) + 4):
        tokenizer = trainer.tokenizer(trainer.seek(step))
        ids, firsts = tokenizer.word_ids(counts.text.tobytes(), counts.starts)
        made = [[tokenizer.vocab[i] for i in part] for part in np.split(ids, firsts[1:-1])]
        assert [list(each.symbols) for each in trainer.split_words(np.arange(len(counts)))] == made
        assert trainer.vocab_size == len(tokenizer.vocab)
    assert trainer.seek(0) == len(old.merges) == trainer.position and trainer.step_back() is None
    assert [(merge.left, merge.right) for merge in trainer.run][: len(old.merges)] == old.merges
    assert len(trainer.counts) == len(trainer.tokens_before) == trainer.run_length
    assert not trainer.counts[: len(old.merges)].any()


def test_the_words_are_those_of_the_steps() -> None:
    pipeline = Pipeline(normalizers=(Lowercase(),), pre_tokenizers=(WhitespaceSplit(),))
    tokenizer = bare(pipeline)
    plan, corpus = Plan.extending(tokenizer), Corpus.from_source(["Low low<tool>LOW x", "low"], weights=[1, 2.5])
    counts = plan.count(corpus, tokenizer.recipe, ())
    assert counts == {"low": 6, "x": 1}  # 5.5, rounded
    assert counts.first_seen.tolist() == [0, 17]
    assert counts.special_tokens == ("<mask>", "<tool>")


def test_a_text_that_no_step_splits_is_split_at_spaces() -> None:
    pipeline = Pipeline(normalizers=(Prepend(prefix=SPACE), Replace(pattern=" ", content=SPACE)))
    new = extended(bare(pipeline), "of the low of the low of the", 30)
    assert {left + right for left, right in new.merges} >= {f"{SPACE}the".encode(), f"{SPACE}of".encode()}
    assert all(SPACE not in token.decode()[1:] for token in new.vocab.values())


def test_bytes_by_name_never_merge_and_frequent_characters_are_added() -> None:
    pipeline = Pipeline(
        pre_tokenizers=(WhitespaceSplit(),), model=ModelOptions(falls_back_to_bytes=True, fuses_unknown=True)
    )
    old = Tokenizer({i: b"<0x%02X>" % i for i in range(256)} | {256: b"a"}, [], pipeline=pipeline)
    text = "a" * 3_000 + "你你 é"
    new = extended(old, text, 99)
    assert set(new.vocab.values()) - set(old.vocab.values()) >= {"你".encode()}
    assert "é".encode() not in new.vocab.values()  # the others are 99.95 % of the text
    assert not any(b"<" in left + right for left, right in new.merges)
    assert Plan.extending(old).veto_of(b"<0x0A>", b"a") == Veto("byte")


def test_no_merge_makes_a_special_token_of_plain_text() -> None:
    old = bare(Pipeline(pre_tokenizers=(WhitespaceSplit(),)))
    assert Plan.extending(old).veto_of(b"<to", b"ol>") == Veto("made")


def test_what_the_corpus_separates_texts_with() -> None:
    corpus = Corpus.from_text("one<|endoftext|>two<tool></s><|endoftext|>[INST] <not one>")
    found = separators(corpus.documents, bare(Pipeline()))
    assert found == {"<|endoftext|>": 2, "</s>": 1, "[INST]": 1}


def test_a_tokenizer_of_an_earlier_step_is_continued() -> None:
    old = train("low low lower newest newest", num_merges=6)
    new = extended(old.at(2), "newest newest", 2)
    assert new.merges[:2] == old.merges[:2] and len(new.merges) == 4
    assert new.vocab.keys() - old.at(2).vocab.keys() == {258, 259}


@pytest.mark.parametrize("changes", [{"stages": {99: "none"}}, {"seeds": ["ing"]}, {"parity": Parity()}])
def test_what_needs_a_recipe_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(TrainingError, match=r"continues a tokenizer through its own steps cannot have"):
        Plan.extending(train("low", num_merges=1)).with_changes(**changes)


def test_a_prefix_is_refused_by_name() -> None:
    with pytest.raises(TrainingError, match=r"marks the parts of words with '##'"):
        Plan.extending(bare(Pipeline(model=ModelOptions(prefix="##"))))


def test_new_special_tokens_are_for_the_tokenizer() -> None:
    with pytest.raises(TrainingError, match=r"must be added to that first, with surgery.with_special_tokens: <new>"):
        train("low", plan=Plan.extending(train("low", num_merges=1)), special_tokens=["<new>"])
    with pytest.raises(TrainingError, match=r"must replay its merges first"):
        Plan(base=train("low", num_merges=1))


def test_counts_cannot_be_split_by_steps(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    WordCounts({"low": 2}, "gpt2").save(tmp_path / "counts.parquet")
    corpus = Corpus((FileDocument(tmp_path / "counts.parquet"),))
    with pytest.raises(CorpusError, match=r"the tokenizer has to split text by its own steps"):
        train(corpus, plan=Plan.extending(bare(Pipeline())))
    with pytest.raises(CorpusError, match=r"there are no words to train on"):
        train("<tool>", plan=Plan.extending(bare(Pipeline())))
