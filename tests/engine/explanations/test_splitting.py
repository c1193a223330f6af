"""The change by another splitter equals a comparison of the words one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Recipe, TrainingError, words_by_part
from bpe_gui.engine.explanations import ChangedWords, split_comparison, splitter_change
from bpe_gui.engine.kernels.text import automaton

SPLITTERS = st.sampled_from(["gpt2", "cl100k", "whitespace", "zh-en", r"\w+|\s", r"\d+"])
TEXTS = st.lists(st.text(st.sampled_from("ab'st 12\n,你<e>😀"), max_size=40), max_size=3)


def spans(text: str, splitter: str) -> list[tuple[int, int]]:
    words = words_by_part(Recipe(splitter=splitter), text.encode(), ["<e>"]).in_characters(text.encode())
    return list(zip(words.starts.tolist(), words.stops.tolist(), strict=True))


@given(texts=TEXTS, before=SPLITTERS, after=SPLITTERS)
def test_the_numbers_are_those_of_the_words_one_by_one(texts: list[str], before: str, after: str) -> None:
    change = splitter_change(texts, Recipe(splitter=before), Recipe(splitter=after), ["<e>"])
    old, new = ([spans(text, splitter) for text in texts] for splitter in (before, after))
    assert change.words == sum(map(len, old))
    assert change.changed == sum(len(set(one) - set(other)) for one, other in zip(old, new, strict=True))
    for number, words in ((change.unique_before, old), (change.unique_after, new)):
        assert number == len({text[a:b] for text, each in zip(texts, words, strict=True) for a, b in each})
    assert change.characters == sum(len(text.replace("<e>", "")) for text in texts)
    assert change.left_out == change.characters - sum(b - a for each in new for a, b in each)
    assert bool(change.left_out_text) == (change.left_out_spaces < change.left_out)


@given(texts=TEXTS, splitter=SPLITTERS)
def test_the_same_splitter_changes_nothing(texts: list[str], splitter: str) -> None:
    change = splitter_change(texts, Recipe(splitter=splitter), Recipe(splitter=splitter), ["<e>"])
    assert (change.changed, change.examples) == (0, ())
    assert change.unique_before == change.unique_after


def test_the_most_frequent_changes_come_first() -> None:
    change = splitter_change(["don't 5 don't"], Recipe(splitter="whitespace"), Recipe(splitter=r"[a-z]+|'[a-z]"))
    assert change.examples == (ChangedWords(("don't",), ("don", "'t"), 2), ChangedWords(("5",), (), 1))
    assert (change.left_out, change.left_out_spaces, change.left_out_text) == (3, 2, "5")


def test_an_expression_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "_MAX_READ_AHEAD", 1 << 16)  # in plain Python, where it takes a minute otherwise
    with pytest.raises(TrainingError, match=r"takes too long at 'aaa"):
        splitter_change(["a" * 40_000], Recipe(), Recipe(splitter="a+b|c|."))


def test_blocks_do_not_change_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["don't <e> stop 12,  \n<e><e>你好 word's" * 60, "", "a" * 300 + " b"]
    recipes = Recipe(), Recipe(splitter=r"\w+|'\w+|\s+(?!\S)")
    whole = splitter_change(texts, *recipes, ["<e>"])
    monkeypatch.setattr(split_comparison, "_BLOCK", 64)
    assert splitter_change([[text[:7], text[7:]] for text in texts], *recipes, ["<e>"]) == whole
    assert whole.words > 500


def test_blocks_keep_the_words_of_each_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split_comparison, "_BLOCK", 16)
    change = splitter_change(["one word"] * 50, Recipe(), Recipe(splitter="none"))
    assert change.examples == (ChangedWords(("one", " word"), ("one word",), 50),)
    assert (change.words, change.changed, change.unique_before, change.unique_after) == (100, 100, 2, 1)
