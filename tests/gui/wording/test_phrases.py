"""Numbers, lists, and facts about files as the window says them."""

from collections.abc import Iterator
from inspect import isabstract

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import EngineError, Normalizer, Pipeline, Precompiled, PreTokenizer, Recipe, SentencePieceNormalizer
from bpe_gui.engine.pipeline import normalizers as n
from bpe_gui.engine.pipeline import pre_tokenizers as p
from bpe_gui.engine.pipeline.charsmaps import CharacterMap
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.pre_tokenizers import equivalent_steps
from bpe_gui.engine.pipeline.sentencepiece import safe_splits
from bpe_gui.gui.panels.corpus_parts import FittedNumber
from bpe_gui.gui.wording import phrases
from bpe_gui.gui.wording.language import install_language
from bpe_gui.gui.wording.phrases import joined_sentences, labelled, listed, short_number, with_keys
from bpe_gui.gui.wording.sentences import error_message, said


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (999_999, "999,999"),
        (1_000_000, "1.00M"),
        (16_453_210, "16.5M"),
        (164_532_100, "165M"),
        (1_645_321_000, "1,645M"),
    ],
)
def test_a_short_number_has_three_digits(value: int, text: str) -> None:
    assert short_number(value) == text


def test_a_number_that_does_not_fit_is_whole_in_its_tooltip(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    shown = FittedNumber(parent)
    shown.explanation = "Bytes"
    shown.resize(200, 20)
    shown.show_number(16_453_210)
    parent.show()
    assert (shown.text(), shown.toolTip()) == ("16,453,210", "Bytes")
    shown.resize(shown.minimumWidth(), 20)
    assert (shown.text(), shown.toolTip()) == ("16.5M", "16,453,210: Bytes")


def test_in_english_there_is_a_space() -> None:
    assert joined_sentences(["One.", "Two."]) == "One. Two."
    assert listed(["a.txt", "b.txt"]) == "a.txt, b.txt"
    assert (joined_sentences([]), listed(["a.txt"])) == ("", "a.txt")


def test_in_another_language_there_may_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    translations = {"{sentence} {sentence}": "{sentence}{sentence}", "{item}, {item}": "{item}、{item}"}
    monkeypatch.setattr(phrases, "translate", lambda _context, text: translations[text])
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
    assert " · ".join(dict.fromkeys(map(said, pipeline.statements))) == words


def test_every_step_has_words_of_its_own() -> None:
    steps = {each for module in (n, p) for each in vars(module).values() if isinstance(each, type)}
    known = {each for each in steps if each.__module__ in (n.__name__, p.__name__) and not isabstract(each)}
    with_arguments = [
        *(n.UnicodeForm("NFKC"), n.Replace("a", "b"), n.Prepend("x"), n.Strip(True, True)),
        *(p.Split("-", "isolated"), p.RecipeSplit("gpt2")),
    ]
    for step in [*with_arguments, *(each() for each in known - set(map(type, with_arguments)))]:
        normalizers, pre_tokenizers = ((step,), ()) if hasattr(step, "normalize") else ((), (step,))
        pipeline = Pipeline(normalizers=normalizers, pre_tokenizers=pre_tokenizers)
        assert type(step).__name__ not in map(said, pipeline.statements)
