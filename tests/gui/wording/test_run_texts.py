"""The sentence about a step says which pair is merged next, and why."""

import pytest

from bpe_gui.engine import Corpus, Parity, Recipe, Trainer
from bpe_gui.engine.training.train_to_size import fair_trainer
from bpe_gui.gui.wording.run_texts import next_merge, step_reason

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
TIE_RULE = "ties go to the pair that sorts last)."


def trainer(text: str, recipe: Recipe | str = "cs336-toy", steps: int = 0) -> Trainer:
    """Return a trainer on `text` after at most this many steps."""
    made = Trainer(Corpus.from_text(text).count(recipe), recipe)
    made.seek(steps)
    return made


@pytest.mark.parametrize(
    ("text", "steps", "reason"),
    [
        (TOY, 0, "`s` + `t` is next: it occurs 9 times. Tied with `e` + `s` (" + TIE_RULE),
        (TOY, 2, "`o` + `w` is next: it occurs 7 times. Tied with `l` + `o` (" + TIE_RULE),
        ("abcd", 0, "`c` + `d` is next: it occurs once. Tied with `b` + `c` and 1 other pair (" + TIE_RULE),
        ("abcde", 0, "`d` + `e` is next: it occurs once. Tied with `c` + `d` and 2 other pairs (" + TIE_RULE),
        (TOY, 3, "`l` + `ow` is next: it occurs 7 times. It is the most frequent pair; `w` + `est` follows with 6."),
        ("ab", 0, "`a` + `b` is next: it occurs once. It is the only pair that can be merged."),
        (TOY, 99, "There is nothing left to merge: no pairs remain."),
    ],
)
def test_the_reason_for_a_step_compares_its_pair_with_the_next(text: str, steps: int, reason: str) -> None:
    assert step_reason(trainer(text, steps=steps)) == reason


def test_a_recipe_may_stop_while_there_are_pairs() -> None:
    recipe = Recipe.of("cs336-toy").with_changes(min_count=3)
    assert step_reason(trainer("ab ab cd", recipe)) == (
        "There is nothing left to merge: the best pair, `a` + `b`, occurs 2 times, and the minimum count is 3."
    )


def test_a_step_has_the_same_reason_after_stepping_back() -> None:
    run = trainer(TOY)
    forward = [step_reason(run)]
    while run.step():
        forward.append(step_reason(run))
    backward = [step_reason(run)]
    while run.step_back():
        backward.append(step_reason(run))
    assert backward == forward[::-1]


def test_the_reason_gives_the_tie_rule_of_the_recipe() -> None:
    recipe = Recipe.of("cs336-toy").with_changes(tie_break="first-seen")
    assert step_reason(trainer("abcd", recipe)).endswith("(ties go to the pair seen first in the corpus).")


@pytest.mark.parametrize(("text", "times"), [("aaa aaa", "in 2 words"), ("aaa", "in 1 word")])
def test_the_reason_counts_words_if_the_recipe_does(text: str, times: str) -> None:
    recipe = Recipe.of("cs336-toy").with_changes(pair_counting="once-per-word")
    reason = step_reason(trainer(text, recipe))
    assert reason == f"`a` + `a` is next: it occurs {times}. It is the only pair that can be merged."


def test_white_space_and_partial_characters_are_printable() -> None:
    assert step_reason(trainer("x 你 y 你", "cs336")).startswith("`\\xe4` + `\\xbd` is next: it occurs 2 times")
    assert "`·` + `y`" in step_reason(trainer("x y", "cs336"))


def test_a_backquote_does_not_end_its_code_span() -> None:
    assert step_reason(trainer("`a", "cs336-toy")).startswith("`` ` `` + `a` is next")


def test_a_long_token_is_shortened() -> None:
    run = trainer("abcdefghijklmnopqrstuvwxyz0123456789", steps=33)
    token = step_reason(run).split("`")[3]
    assert len(token) == 24
    assert token.endswith("…")


def test_the_parts_of_a_reason_are_those_of_its_sentence() -> None:
    parts = next_merge(trainer(TOY))
    assert parts is not None
    assert parts.tokens[0] + parts.tokens[1] == parts.tokens[2]
    assert parts.frequency == "9 times"
    assert (parts.before, parts.other, parts.after) == ("Tied with ", (b"e", b"s"), " (" + TIE_RULE)


@pytest.mark.parametrize(("text", "end"), [("abc", "."), ("abcd", " and 1 more."), ("abcde", " and 2 more.")])
def test_a_shorter_reason_keeps_how_many_pairs_tie(text: str, end: str) -> None:
    parts = next_merge(trainer(text))
    assert parts is not None
    assert parts.shorter == (("Tied with ", end),)


def test_a_full_vocabulary_says_what_would_come_next() -> None:
    run = trainer(TOY)
    parts = next_merge(run, is_full=True)
    assert parts is not None
    assert [*parts.titles] == ["Size reached; next would be", "Next would be"]
    reached = "The vocabulary has reached its target size. "
    assert step_reason(run, is_full=True) == reached + step_reason(run)
    ended = trainer("ab", steps=1)
    assert step_reason(ended, is_full=True) == step_reason(ended)


def test_a_merge_without_another_pair_says_so() -> None:
    parts = next_merge(trainer("ab"))
    assert parts is not None
    assert (parts.before, parts.other, parts.after) == ("It is the only pair that can be merged.", None, "")


@pytest.mark.parametrize(
    ("parity", "steps", "phrases"),
    [
        (Parity(), 0, ["Turn of en: its text is the longest (en 13, de 11). There, the pair has 3."]),
        (Parity(), 1, ["Turn of de: its text is the longest (de 11, en 10). There, the pair has 2."]),
        (Parity(is_even=True), 1, ["Turn of de: most of its symbols are left (de 100.0%, en 76.9%)."]),
        (Parity(global_merges=1), 0, ["It is the most frequent pair of all languages together."]),
        (Parity(variant="window", window=1, alpha=0.5), 1, ["Turn of de: ", "its text is the longest (de 11, en 10)."]),
        (Parity(variant="window", window=2, alpha=0.5), 2, ["Turn of ", ": those before it had their share"]),
    ],
)
def test_languages_take_turns_for_a_reason(parity: Parity, steps: int, phrases: list[str]) -> None:
    run = fair_trainer({"en": "low low lower", "de": "tief tiefer"}, {}, parity, "parity")
    run.seek(steps)
    reason = step_reason(run)
    assert all(phrase in reason for phrase in phrases), reason
    merge = next_merge(run)
    assert merge is not None and merge.other is None and merge.before in reason
