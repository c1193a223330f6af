"""Sentences and lists are joined as the language writes them."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from bpe_gui.engine import EngineError, Recipe
from bpe_gui.gui.wording import numbers
from bpe_gui.gui.wording.language import install_language
from bpe_gui.gui.wording.numbers import joined_sentences, labelled, listed, with_keys
from bpe_gui.gui.wording.sentences import error_message


def test_in_english_there_is_a_space() -> None:
    assert joined_sentences(["One.", "Two."]) == "One. Two."
    assert listed(["a.txt", "b.txt"]) == "a.txt, b.txt"
    assert (joined_sentences([]), listed(["a.txt"])) == ("", "a.txt")


def test_in_another_language_there_may_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    translations = {"{sentence} {sentence}": "{sentence}{sentence}", "{item}, {item}": "{item}、{item}"}
    monkeypatch.setattr(numbers, "translate", lambda _context, text: translations[text])
    assert joined_sentences(["一。", "二。"]) == "一。二。"
    assert listed(["a.txt", "b.txt"]) == "a.txt、b.txt"


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    assert install_language(qapp, "zh_CN") == "zh_CN"
    yield
    install_language(qapp, "en")


def test_labels_and_keys_in_english() -> None:
    assert labelled("tiktoken", "not installed") == "tiktoken: not installed"
    assert with_keys("Undo", "Ctrl+Z") == "Undo (Ctrl+Z)"


def test_chinese_has_marks_of_its_own_without_spaces(chinese: None) -> None:
    assert joined_sentences(["一。", "{二}。", "三。"]) == "一。{二}。三。"
    assert listed(["a.txt", "b.txt"]) == "a.txt、b.txt"
    assert labelled("tiktoken", "未安装") == "tiktoken：未安装"
    assert with_keys("撤销", "Ctrl+Z") == "撤销（Ctrl+Z）"


def test_an_error_lists_names_in_the_language_of_the_window(chinese: None) -> None:
    with pytest.raises(EngineError) as raised:
        Recipe.from_dict({"units": "words"})
    assert "bytes, characters" in str(raised.value)
    assert "bytes、characters" in error_message(raised.value)
