"""Why a stretch of text is not one token, on the corpora of tutorials, for trainers and for opened tokenizers."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import (
    AddedToken,
    Corpus,
    CorpusCount,
    Pipeline,
    Recipe,
    Replace,
    Tokenizer,
    TokenizerError,
    Trainer,
    Whitespace,
    train,
)
from bpe_gui.engine.explanations import (
    Alternative,
    Apart,
    CutsUnit,
    Dropped,
    Explanation,
    NeededMerge,
    NoSymbol,
    NotInCorpus,
    OneToken,
    Span,
    Taken,
    TakenWhole,
    WordBoundary,
    where_taken,
    why_not_a_token,
    why_not_one_token,
)
from tests.engine.support.huggingface_samples import TEXTS, read, sample_json, samples
from tests.examples import examples

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6


def trainer_of(text: str, recipe: str | Recipe, position: int) -> Trainer:
    trainer = Trainer(Corpus.from_text(text).count(recipe), recipe)
    trainer.seek(position)
    return trainer


@pytest.fixture
def toy() -> Trainer:
    """Return a run of st, est, ow, low, west, newest at step 2, of which six steps are known."""
    trainer = trainer_of(TOY, "cs336-toy", 6)
    trainer.seek(2)
    return trainer


def test_one_token(toy: Trainer) -> None:
    found = why_not_one_token(toy, "newest", 3, 6)
    assert found.reason == OneToken(b"est", toy.tokenizer().encode("est")[0], 2)
    assert found.word == Span("newest", 0, 6, alternative=Alternative(0, r"[^\s\x1c-\x1f]+"))
    assert found.corpus_count == CorpusCount(9, 2)
    assert why_not_one_token(toy, "e").reason == OneToken(b"e", ord("e"), 0)


def test_an_earlier_merge_took_the_end(toy: Trainer) -> None:
    found = why_not_one_token(toy, "newest", 2, 4)
    assert found.reason == Taken(2, b"e", b"st", "end", (b"w", b"e"), CorpusCount(6, 1))
    assert found.corpus_count == CorpusCount(8, 2)  # of lower, too


def test_an_earlier_merge_took_the_beginning(toy: Trainer) -> None:
    found = why_not_one_token(toy, "widest", 4, 6)
    assert found.reason == Taken(2, b"e", b"st", "start", (b"st",), CorpusCount(9, 2))


def test_the_pair_is_merged_later(toy: Trainer) -> None:
    reason = why_not_one_token(toy, "low", 1, 3).reason
    assert reason == Apart((b"o", b"w"), (NeededMerge(b"o", b"w", 3),), CorpusCount(7, 2), 1, None, None)


def test_a_pair_that_the_run_lacks(toy: Trainer) -> None:
    toy.seek(6)
    reason = why_not_one_token(toy, "lower", 3, 5, vocab_size=300).reason
    assert reason == Apart((b"e", b"r"), (NeededMerge(b"e", b"r", None),), CorpusCount(2, 1), 6, None, "open")
    assert reason.obstacle == NeededMerge(b"e", b"r", None)
    full = why_not_one_token(toy, "lower", 3, 5, vocab_size=toy.vocab_size).reason
    assert isinstance(full, Apart)
    assert full.ending == "full"
    rare = Recipe.of("cs336-toy").with_changes(min_count=3)
    apart = why_not_one_token(trainer_of(TOY, rare, 100), "lower", 3, 5).reason
    assert isinstance(apart, Apart)
    assert apart.ending == "too-rare"


def test_nothing_is_left_to_merge() -> None:
    """`a` and `b` meet in no word any more."""
    trainer = trainer_of("ab abc", Recipe.of("cs336-toy").with_changes(min_count=2), 100)
    assert [merge.token for merge in trainer.merges] == [b"ab"]
    reason = why_not_one_token(trainer, "abcc", 0, 4).reason
    assert reason == NotInCorpus()
    assert why_not_one_token(trainer, "abc").reason == Apart(
        (b"ab", b"c"), (NeededMerge(b"ab", b"c", None),), CorpusCount(1, 1), 1, None, "too-rare"
    )


def test_three_symbols_need_two_merges(toy: Trainer) -> None:
    reason = why_not_one_token(toy, "low").reason
    assert isinstance(reason, Apart)
    assert reason.needed == (NeededMerge(b"o", b"w", 3), NeededMerge(b"l", b"ow", 4))
    assert (reason.obstacle, reason.ending) == (None, None)


def test_a_later_merge_of_the_run_is_the_obstacle(toy: Trainer) -> None:
    toy.seek(0)
    reason = why_not_one_token(toy, "newest", 2, 4).reason
    assert isinstance(reason, Apart)
    assert reason.obstacle == Taken(2, b"e", b"st", "end", (b"w", b"e"), None)


def test_letters_that_the_corpus_lacks(toy: Trainer) -> None:
    assert why_not_one_token(toy, "lox", 1, 3).reason == NotInCorpus()
    assert why_not_one_token(toy, "é").reason == OneToken("é".encode(), toy.tokenizer().encode("é")[0], 0)
    assert why_not_one_token(toy, "好").reason == NotInCorpus()


@pytest.mark.parametrize(
    ("splitter", "left", "right"),
    [
        ("gpt2", Alternative(7, r" ?\p{L}+"), Alternative(1, "'t")),
        (r"\w+|[^\w\s]", Alternative(0, r"\w+"), Alternative(1, r"[^\w\s]")),
    ],
)
def test_a_word_boundary(splitter: str, left: Alternative, right: Alternative) -> None:
    trainer = trainer_of("don't", Recipe(splitter=splitter), 0)
    reason = why_not_one_token(trainer, "I don't", 2).reason
    assert isinstance(reason, WordBoundary)
    assert (reason.offset, reason.before, reason.after) == (5, "n", "'")
    assert reason.boundaries == (1 if splitter == "gpt2" else 2)
    assert reason.left is not None and reason.right is not None
    assert (reason.left.alternative, reason.right.alternative) == (left, right)


def test_the_boundary_at_a_special_token_comes_first() -> None:
    tokenizer = train("low low lower", recipe="cs336", num_merges=2, special_tokens=["<s>"])
    for text, offset in (("low lower<s>low", 9), ("<s>low lower", 3), ("low <s>", 4)):
        reason = why_not_one_token(tokenizer, text).reason
        assert isinstance(reason, WordBoundary)
        assert reason.offset == offset


def test_text_that_the_splitter_drops(toy: Trainer) -> None:
    assert why_not_one_token(toy, "low  lower", 3, 5).reason == Dropped()
    reason = why_not_one_token(toy, "low  lower", 4, 6).reason
    assert isinstance(reason, WordBoundary)
    assert (reason.offset, reason.before, reason.after, reason.left) == (5, " ", "l", None)


@pytest.mark.parametrize("normalizers", [(), (Replace("z", ""),)], ids=["unknown", "removed"])
@pytest.mark.parametrize(("start", "stop"), [(1, 4), (2, 3), (0, 5)])
def test_text_without_a_symbol(normalizers: tuple[Replace, ...], start: int, stop: int) -> None:
    pipeline = Pipeline(normalizers=normalizers)
    tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], pipeline=pipeline)
    assert why_not_one_token(tokenizer, "lozlo", start, stop).reason == NoSymbol()
    assert why_not_one_token(tokenizer, "lozlo", 0, 2).reason == OneToken(b"lo", 2, 1)


def test_special_tokens_are_taken_whole() -> None:
    trainer = Trainer(Corpus.from_text("low<s>low").count("cs336", ["<s>"]), "cs336")
    whole = why_not_one_token(trainer, "low<s>low", 3, 6).reason
    assert whole == OneToken(b"<s>", 256, None)
    assert why_not_one_token(trainer, "low<s>low", 4, 6).reason == TakenWhole(b"<s>", 256)
    reason = why_not_one_token(trainer, "low<s>low", 2, 6).reason
    assert isinstance(reason, WordBoundary)
    assert reason.right is not None and reason.right.is_special


def test_a_character_is_not_cut() -> None:
    trainer = trainer_of("你好", "cs336-toy", 0)
    assert why_not_one_token(trainer, "你好", 0, 4).reason == CutsUnit("好".encode(), 4)
    assert isinstance(why_not_one_token(trainer_of("你好", "cs336", 0), "你好", 0, 4).reason, Apart)


def test_an_end_of_word_marker_belongs_to_the_end_of_a_word() -> None:
    trainer = trainer_of("low low low lower", "char-eow", 0)
    reason = why_not_one_token(trainer, "low").reason
    assert isinstance(reason, Apart)
    assert reason.parts == (b"l", b"o", b"w", b"</w>")
    trainer.seek(3)
    assert why_not_one_token(trainer, "low").reason == OneToken(b"low</w>", trainer.tokenizer().encode("low")[0], 3)
    assert why_not_one_token(trainer, "lower", 0, 3).reason == OneToken(b"low", 3, 2)  # no hole where letters left


def test_a_stretch_that_is_not_in_the_text_is_refused(toy: Trainer) -> None:
    for start, stop in ((1, 1), (-1, 2), (0, 4), (2, 1)):
        with pytest.raises(TokenizerError, match="this text, which has 3 bytes"):
            why_not_one_token(toy, "low", start, stop)
    with pytest.raises(TokenizerError, match="surrogate"):
        why_not_one_token(toy, "\ud800")


@pytest.mark.parametrize("recipe", ["cs336", "cs336-toy", "subword-nmt", "zh-en"])
def test_only_the_text_around_matters(recipe: str) -> None:
    """In a long text words are looked for near the stretch only, and are those of the whole text."""
    trainer = trainer_of(TOY, recipe, 4)
    around = "low lower 你好 newest. " * 3000
    text = around + "widest " + around
    start = len(around.encode())
    found = why_not_one_token(trainer, text, start + 2, start + 5)
    alone = why_not_one_token(trainer, "widest", 2, 5)
    assert (found.reason, found.corpus_count) == (alone.reason, alone.corpus_count)
    assert found.word is not None and found.word.text.strip() == "widest"
    boundary = why_not_one_token(trainer, text.encode(), start - 3, start + 2).reason
    assert isinstance(boundary, WordBoundary)


# -- opened tokenizers -------------------------------------------------------------------------------------------------


def test_an_opened_tokenizer_answers_from_its_merges(toy: Trainer) -> None:
    toy.seek(6)
    tokenizer = toy.tokenizer()
    opened = Tokenizer(tokenizer.vocab, tokenizer.merges, recipe="cs336-toy").at(2)
    assert why_not_one_token(opened, "newest", 2, 4).reason == Taken(2, b"e", b"st", "end", (b"w", b"e"), None)
    assert why_not_one_token(opened, "low", 1, 3).reason == Apart(
        (b"o", b"w"), (NeededMerge(b"o", b"w", 3),), None, None, None, None
    )
    missing = why_not_one_token(opened, "xyz").reason
    assert missing == Apart(
        (b"x", b"y", b"z"),
        (NeededMerge(b"x", b"y", None), NeededMerge(b"xy", b"z", None)),
        None,
        None,
        None,
        "finished",
    )
    assert why_not_one_token(opened, "low").corpus_count is None


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(samples()))
def test_answers_of_published_tokenizers_hold_in_their_tokens(name: str, tmp_path: Path) -> None:
    """Tokens at the steps before and after tell whether a merge took an end, and whether a stretch is one."""
    tokenizer = read(tmp_path, sample_json(name))

    @settings(max_examples=examples(30))
    @given(st.sampled_from(TEXTS), st.data())
    def check(text: str, data: st.DataObject) -> None:
        size = len(text.encode())
        if not size:
            return
        start = data.draw(st.integers(0, size - 1))
        stop = data.draw(st.integers(start + 1, min(size, start + 8)))
        position = data.draw(st.integers(0, tokenizer.store.merge_count))
        found = why_not_one_token(tokenizer.at(position), text, start, stop)

        def edges(step: int) -> set[int]:
            return {edge for span in tokenizer.at(step).encoding(text).byte_spans for edge in span}

        match found.reason:
            case OneToken():
                spans = tokenizer.at(position).encoding(text).byte_spans
                is_space = not text.encode()[start:stop].strip()  # of which trimmed offsets leave nothing
                assert (start, stop) in spans or (is_space and (start, start) in spans)
            case Taken() as taken:
                edge = stop if taken.side == "end" else start
                assert {start, stop} <= edges(taken.step - 1)
                assert edge not in edges(taken.step)
                assert taken.step <= position
            case Apart():
                assert {start, stop} <= edges(position)
            case WordBoundary() as boundary:
                assert start < boundary.offset < stop

    check()


# -- a text without anything around ------------------------------------------------------------------------------------


def test_letters_that_never_meet_are_answered_in_a_word_of_the_corpus(toy: Trainer) -> None:
    found = why_not_a_token(toy, "es")
    assert found.word == Span("newest", 0, 6, alternative=Alternative(0, r"[^\s\x1c-\x1f]+"))
    assert found.reason == why_not_one_token(toy, "newest", 3, 5).reason
    assert why_not_a_token(toy, "ow") == why_not_one_token(toy, "ow")  # a step merges it
    assert why_not_a_token(toy, "ew") == why_not_one_token(toy, "ew")  # the letters meet


def test_a_token_is_one_whatever_ends_its_words() -> None:
    trainer = trainer_of("ow ow ow ow low lows lows lows", "char-eow", 3)
    assert [merge.token for merge in trainer.merges] == [b"ow", b"ow</w>", b"low"]
    apart = why_not_one_token(trainer, "low").reason
    assert isinstance(apart, Apart) and apart.parts == (b"l", b"ow</w>")
    one = OneToken(b"low", trainer.tokenizer().token_id(b"low"), 3)
    assert why_not_a_token(trainer, "low").reason == why_not_a_token(trainer.tokenizer(), "low").reason == one


def test_a_text_without_a_corpus_is_answered_from_the_merges(toy: Trainer) -> None:
    tokenizer = toy.tokenizer()
    assert why_not_a_token(tokenizer, "we") == why_not_one_token(tokenizer, "we")
    assert why_not_a_token(toy, "zz").reason == NotInCorpus()


def test_the_word_where_a_merge_took_the_letters(toy: Trainer) -> None:
    """Between `xes` and `newest`, only the latter is in the corpus."""
    apart = why_not_one_token(toy, "xes", 1, 3)
    found = where_taken(toy, apart, b"es")
    assert found == why_not_one_token(toy, "newest", 3, 5)
    assert found is not None and found.taken == found.reason
    assert where_taken(toy, why_not_one_token(toy, "low"), b"low") is None  # a step makes it
    assert where_taken(toy, why_not_one_token(toy, "newest", 3, 5), b"es") is None  # it is the reason already
    assert Explanation(0, 1, None, None, NotInCorpus()).taken is None


@pytest.mark.parametrize("kind", ["trainer", "recipe", "pipeline"])
def test_a_special_token_that_is_plain_text_is_split_as_any_other(kind: str) -> None:
    corpus = Corpus.from_text("low <e> low")
    trainer = Trainer(corpus.count("cs336-toy", ["<e>"]), "cs336-toy")
    trainer.seek(1)
    tokenizer = trainer.tokenizer()
    added = tuple(AddedToken(id=token_id, content=token) for token, token_id in tokenizer.special_tokens.items())
    pipeline = Pipeline(added_tokens=added, pre_tokenizers=(Whitespace(),))
    with_pipeline = Tokenizer(tokenizer.vocab, tokenizer.merges, tokenizer.special_tokens, pipeline=pipeline)
    sources: dict[str, Trainer | Tokenizer] = {"trainer": trainer, "recipe": tokenizer, "pipeline": with_pipeline}
    source = sources[kind]
    special = why_not_one_token(source, "low <e>", 4, 7).reason
    assert isinstance(special, OneToken)
    assert special.token == b"<e>"
    plain = why_not_one_token(source, "low <e>", 4, 7, allowed_special="none").reason
    assert not isinstance(plain, OneToken)
