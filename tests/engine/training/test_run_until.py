"""“Run until” stops where a plain loop over the steps would, with every switch of a recipe."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import (
    Corpus,
    CountBelow,
    EngineError,
    NthTie,
    Plan,
    Recipe,
    RunStop,
    RunUntil,
    SavesBelow,
    TokenAppears,
    Trainer,
    TrainingError,
    WordIsOneToken,
    train_until,
)
from tests.engine.support.modes import small_training_arrays
from tests.engine.support.recorded_runs import counted
from tests.engine.support.strategies import corpora, recipes

TEXT = "low low low lower lower lowest newest newest wider wider widest " * 3


def trained(text: str = TEXT, recipe: Recipe | str = "cs336") -> Trainer:
    return Trainer(Corpus.from_text(text).count(recipe), recipe)


def run(trainer: Trainer, condition: RunUntil, **sizes: int) -> tuple[int, bool]:
    """Return where the run stops, and whether the condition holds there."""
    *_rest, _last = [(0, 0), *train_until(trainer, [condition], **sizes)]
    return trainer.position, condition.holds(trainer)


# -- against a plain loop ------------------------------------------------------------------------------------------


def token_exists(trainer: Trainer, token: bytes) -> bool:
    return token in trainer.tokens[: trainer.alphabet_size + trainer.position]


def is_one_token(trainer: Trainer, word: str) -> bool:
    forms = [word] if word.startswith(" ") else [word, f" {word}"]
    alone = [form for form in forms if Corpus.from_text(form).count(trainer.recipe).total == 1]
    traces = [trainer.tokenizer().trace(form)[0] for form in alone]
    return any(len(trace.symbols) - len(trace.steps) == 1 for trace in traces)


def token_count(trainer: Trainer) -> int:
    return sum(len(word.symbols) * word.count for word in trainer.words())


def saves_below(trainer: Trainer, percent: float) -> bool:
    before = token_count(trainer)
    trainer.step()
    saved = before - token_count(trainer)
    trainer.step_back()
    return 100 * saved < percent * before


def count_below(trainer: Trainer, count: int) -> bool:
    merge = trainer.peek()
    return merge is not None and merge.count < count


def ties_so_far(trainer: Trainer, number: int) -> bool:
    merges = [*trainer.merges, *filter(None, [trainer.peek()])]
    return sum(merge.ties > 0 for merge in merges) >= number


def first_step(trainer: Trainer, holds: Callable[[], bool], limit: int, *, looks_ahead: bool) -> tuple[int, bool]:
    """Return the first step at which `holds`, and True, or else the last step, and False."""
    while True:
        if not looks_ahead and holds():
            return trainer.position, True
        if trainer.position == limit or trainer.peek() is None:
            return trainer.position, False
        if looks_ahead and holds():
            return trainer.position, True
        trainer.step()


@pytest.fixture(params=[False, True], ids=["whole", "in small pieces"])
def small(request: pytest.FixtureRequest) -> Iterator[None]:
    if not request.param:
        yield
        return
    with small_training_arrays():
        yield


@pytest.mark.usefixtures("small")
@settings(max_examples=40)
@given(text=corpora, recipe=recipes(), start=st.integers(0, 5), limit=st.integers(0, 25), data=st.data())
def test_it_stops_where_a_plain_loop_does(
    text: str, recipe: Recipe, start: int, limit: int, data: st.DataObject
) -> None:
    counts = counted(text, recipe)
    plain, trainer = Trainer(counts, recipe), Trainer(counts, recipe)
    plain.seek(limit)
    token = data.draw(st.sampled_from(plain.tokens[-12:] or [b"a"]))
    plain.seek(start)
    trainer.seek(start)
    word = data.draw(st.sampled_from([*counts, "ab", " ab", "b"]))
    number = data.draw(st.integers(1, 6))
    percent = data.draw(st.floats(1, 30))
    condition, holds = data.draw(
        st.sampled_from(
            [
                (TokenAppears(token), lambda: token_exists(plain, token)),
                (WordIsOneToken(word), lambda: is_one_token(plain, word)),
                (CountBelow(number), lambda: count_below(plain, number)),
                (SavesBelow(percent), lambda: saves_below(plain, percent)),
                (NthTie(number), lambda: ties_so_far(plain, number)),
            ]
        )
    )
    try:
        condition.check(trainer)
    except TrainingError:
        return
    looks_ahead = not isinstance(condition, TokenAppears | WordIsOneToken)
    expected = first_step(plain, holds, max(start, limit), looks_ahead=looks_ahead)
    assert run(trainer, condition, num_merges=limit)[0] == expected[0]
    if expected[1]:
        assert condition.holds(trainer)


@settings(max_examples=25)
@given(text=corpora, recipe=recipes())
def test_tokens_saved_are_the_tokens_that_become_fewer(text: str, recipe: Recipe) -> None:
    trainer = trained_on_counts(text, recipe)
    totals = [token_count(trainer)]
    while len(totals) < 20 and trainer.step():
        totals.append(token_count(trainer))
    assert trainer.tokens_saved.tolist() == [before - after for before, after in pairwise(totals)]
    assert trainer.tokens_before.tolist() == totals[:-1]


def test_tokens_are_counted_in_each_stage() -> None:
    text = "a b a b a b c"
    plan = Plan(stages={2: "none"})
    words = Corpus.from_text(text).count("cs336")
    trainer = Trainer(words, plan=plan, stage_counts={"none": Corpus.from_text(text).count(Recipe(splitter="none"))})
    totals = [token_count(trainer)]
    while trainer.step():
        totals.append(token_count(trainer))
    assert trainer.tokens_before.tolist() == totals[:-1]
    assert trainer.tokens_saved[2:].tolist() == [before - after for before, after in pairwise(totals[2:])]


def test_a_run_that_is_stopped_between_any_two_pieces_goes_on_without_missing_a_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    approach = Trainer.approach

    def approach_by_one(trainer: Trainer, position: int) -> bool:
        return approach(trainer, min(position, trainer.position + 1)) and trainer.position == position

    at_once, in_pieces = trained(), trained()
    step, holds = run(at_once, CountBelow(6))
    assert holds
    assert step > 1
    monkeypatch.setattr(Trainer, "approach", approach_by_one)
    for _piece in range(2 * step):
        next(train_until(in_pieces, [CountBelow(6)], num_merges=3 * step))
    assert in_pieces.position == step


def test_given_merges_are_no_ties_and_are_told_of() -> None:
    chosen = trained()
    chosen.seek(12)
    plan = Plan(replay=chosen.tokenizer(8).merges)
    trainer = Trainer(chosen.word_counts, plan=plan)
    trainer.seek(3)
    condition = NthTie(1).from_here(trainer)
    tied = next(rank for rank, ties in enumerate(chosen.ties.tolist()) if ties and rank >= 8)
    assert run(trainer, condition, num_merges=12) == (tied, True)
    assert RunStop.of(condition, trainer, 3).given == 8 - 3


def trained_on_counts(text: str, recipe: Recipe) -> Trainer:
    return Trainer(counted(text, recipe), recipe)


# -- examples ------------------------------------------------------------------------------------------------------


def test_a_token_that_exists_already_moves_nothing() -> None:
    trainer = trained()
    trainer.seek(5)
    assert run(trainer, TokenAppears(b"l")) == (5, True)
    assert run(trainer, TokenAppears(trainer.merge_at(2).token)) == (5, True)


@pytest.mark.parametrize("condition", [CountBelow(8), SavesBelow(8.0), NthTie(1)])
def test_merges_that_a_plan_gives_do_not_stop_a_run(condition: RunUntil) -> None:
    counts = Corpus.from_text(TEXT).count("cs336")
    plan = Plan(replay=[(b"x", b"y"), (b"n", b"e")], forced={3: (b"z", b"y")})
    trainer, plain = Trainer(counts, plan=plan), Trainer(counts, plan=plan)
    position, holds = run(trainer, condition)
    assert holds and position not in (0, 1, 3)
    plain.seek(position + 1)
    are_low = [
        {
            "count-below": merge.count < 8,
            "saves-below": 100 * plain.tokens_saved[merge.rank] < 8 * plain.tokens_before[merge.rank],
            "ties": merge.ties > 0,
        }[condition.name]
        for merge in plain.run
        if not plain.is_given(merge.rank)
    ]
    assert are_low == [False] * (len(are_low) - 1) + [True]


def test_words_of_a_later_stage_become_one_token() -> None:
    text, plan = "of the\n" * 3 + "of a the", Plan(stages={5: r"[^\n]+"})
    corpus, condition = Corpus.from_text(text), WordIsOneToken("of the")
    trainer = Trainer(corpus.count("cs336"), plan=plan, stage_counts=plan.count_stages(corpus, Recipe(), ()))
    position, holds = run(trainer, condition)
    assert holds and position > 5
    assert trainer.tokenizer().tokenize("of the") == [b"of the"]
    assert trainer.tokenizer(position - 1).tokenize("of the") != [b"of the"]
    with pytest.raises(TrainingError, match="never becomes one token"):
        condition.check(trained(text))


def test_the_first_of_several_conditions_stops_the_run() -> None:
    trainer, other = trained(), trained()
    later, sooner = TokenAppears(b" lowest"), TokenAppears(b" low")
    list(train_until(trainer, [later, sooner]))
    assert run(other, sooner) == (trainer.position, True)
    assert not later.holds(trainer)


def test_a_condition_that_never_holds_ends_at_the_size_or_at_the_end() -> None:
    assert run(trained(), TokenAppears(b"xyz"), vocab_size=260) == (4, False)
    assert run(trained(), TokenAppears(b"xyz"), num_merges=3) == (3, False)
    trainer = trained()
    assert run(trainer, TokenAppears(b"xyz")) == (trainer.run_length, False)
    assert trainer.peek() is None


def test_known_merges_beyond_the_size_are_not_looked_at() -> None:
    trainer = trained()
    trainer.seek(100)
    last = trainer.merge_at(trainer.run_length - 1).token
    trainer.seek(0)
    assert run(trainer, TokenAppears(last), num_merges=3) == (3, False)
    assert run(trainer, TokenAppears(last)) == (trainer.run_length, True)


def test_a_word_is_found_after_a_space() -> None:
    trainer = trained()
    position, holds = run(trainer, WordIsOneToken("lower"))
    assert holds and trainer.merge_at(position - 1).token == b" lower"


@pytest.mark.parametrize(
    "text", ["token=ing", "token= ing", "word=learning", "count-below=50", "saves-below=0.01%", "ties=3", "token=a=b"]
)
def test_a_condition_is_its_text(text: str) -> None:
    assert str(RunUntil.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Unknown condition ''. The conditions are token=TEXT, word=TEXT, count-below=N, saves-below=N% and"),
        ("tokens=ing", "Unknown condition 'tokens=ing'."),
        ("token", "Unknown condition 'token'."),
        ("token=", "Enter the token at which to stop, such as ing."),
        ("word=", "Enter the word at which to stop, such as learning."),
        ("count-below=0", "The count must be an integer of 1 or more, not '0'."),
        ("count-below=" + "9" * 40, "The count must be an integer of 1 or more"),
        ("saves-below=0.01", "The share must be above 0% and at most 100%, such as 0.01%, not '0.01'."),
        ("saves-below=nan%", "The share must be above 0%"),
        ("saves-below=101%", "The share must be above 0% and at most 100%, such as 0.01%, not '101%'."),
        ("ties=two", "The number of ties must be an integer of 1 or more, not 'two'."),
    ],
)
def test_a_mistake_in_a_condition_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(TrainingError) as error:
        RunUntil.parse(text)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    ("word", "recipe", "sentence"),
    [
        ("two words", "cs336", "The splitter divides 'two words' into 2 words, so it never becomes one token."),
        ("  ", "char-eow", "The splitter drops all of '  ', so it never becomes a token."),
        ("żaba", "char-eow", "The word 'żaba' has characters that are not in the corpus, so it never becomes one"),
    ],
)
def test_a_word_that_can_never_be_one_token_is_refused_at_once(word: str, recipe: str, sentence: str) -> None:
    with pytest.raises(EngineError, match=sentence):
        train_until(trained(recipe=recipe), [WordIsOneToken(word)])
