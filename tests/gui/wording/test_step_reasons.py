"""The sentence says what happens and why, for every way in which a step can be chosen."""

import pytest

from bpe_gui.engine import Corpus, Recipe, Trainer
from bpe_gui.gui.wording.step_reasons import reason

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
GREATEST = "ties go to the greatest pair."


def trainer(text: str, recipe: Recipe | str = "cs336-toy", steps: int = 0) -> Trainer:
    made = Trainer(Corpus.from_text(text).count(recipe), recipe)
    made.seek(steps)
    return made


@pytest.mark.parametrize(
    ("text", "steps", "sentence"),
    [
        (TOY, 0, "`s` + `t` is next: it occurs 9 times, as does `e` + `s`; " + GREATEST),
        (TOY, 2, "`o` + `w` is next: it occurs 7 times, as does `l` + `o`; " + GREATEST),
        (
            "abcd",
            0,
            "`c` + `d` is next: it occurs once, as do `b` + `c` and 1 other pair; ties go to the greatest pair.",
        ),
        (
            "abcde",
            0,
            "`d` + `e` is next: it occurs once, as do `c` + `d` and 2 other pairs; ties go to the greatest pair.",
        ),
        (TOY, 3, "`l` + `ow` is next: it occurs 7 times, more often than any other pair. `w` + `est` follows with 6."),
        ("ab", 0, "`a` + `b` is next: it occurs once, and there is no other pair."),
        (TOY, 99, "Nothing is left to merge: no two symbols stand side by side."),
    ],
)
def test_the_reason_of_a_step(text: str, steps: int, sentence: str) -> None:
    assert reason(trainer(text, steps=steps)) == sentence


def test_a_recipe_may_stop_before_the_end() -> None:
    recipe = Recipe.of("cs336-toy").with_changes(min_count=3)
    assert reason(trainer("ab ab cd", recipe)) == (
        "Nothing is left to merge: the best pair, `a` + `b`, occurs 2 times, and the recipe stops below 3."
    )


def test_the_reason_stays_the_same_when_the_step_is_known_already() -> None:
    run = trainer(TOY)
    before = [reason(run)]
    while run.step():
        before.append(reason(run))
    after = [reason(run)]
    while run.step_back():
        after.append(reason(run))
    assert after == before[::-1]


def test_the_tie_rule_is_the_one_of_the_run() -> None:
    recipe = Recipe.of("cs336-toy").with_changes(tie_break="first-seen")
    assert reason(trainer("abcd", recipe)).endswith("; ties go to the pair seen first in the corpus.")


def test_words_are_counted_where_the_recipe_counts_words() -> None:
    recipe = Recipe.of("cs336-toy").with_changes(pair_counting="once-per-word")
    assert reason(trainer("aaa aaa", recipe)) == "`a` + `a` is next: it occurs in 2 words, and there is no other pair."
    assert reason(trainer("aaa", recipe)) == "`a` + `a` is next: it occurs in 1 word, and there is no other pair."


def test_white_space_and_bytes_can_be_read() -> None:
    assert reason(trainer("x 你 y 你", "cs336")).startswith("`\\xe4` + `\\xbd` is next: it occurs 2 times")
    assert "`·` + `y`" in reason(trainer("x y", "cs336"))


def test_a_backquote_does_not_end_its_code_span() -> None:
    assert reason(trainer("`a", "cs336-toy")).startswith("`` ` `` + `a` is next")


def test_a_long_token_is_shortened() -> None:
    run = trainer("abcdefghijklmnopqrstuvwxyz0123456789", steps=33)
    token = reason(run).split("`")[3]
    assert len(token) == 24
    assert token.endswith("…")
