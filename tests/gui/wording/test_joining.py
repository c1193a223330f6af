"""Sentences and lists are joined as the language writes them."""

import pytest

from bpe_gui.gui.wording import joining
from bpe_gui.gui.wording.joining import joined_sentences, listed


def test_in_english_there_is_a_space() -> None:
    assert joined_sentences(["One.", "Two."]) == "One. Two."
    assert listed(["a.txt", "b.txt"]) == "a.txt, b.txt"
    assert (joined_sentences([]), listed(["a.txt"])) == ("", "a.txt")


def test_in_another_language_there_may_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    translations = {"{sentence} {sentence}": "{sentence}{sentence}", "{item}, {item}": "{item}、{item}"}
    monkeypatch.setattr(joining, "translate", lambda _context, text: translations[text])
    assert joined_sentences(["一。", "二。"]) == "一。二。"
    assert listed(["a.txt", "b.txt"]) == "a.txt、b.txt"
