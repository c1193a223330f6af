"""Trying a splitter in the recipe dialog: its colours, the words that change, and what is wrong with it."""

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QListWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import FileDocument, Recipe, TextDocument
from bpe_gui.engine.explanations import SplitterChange, splitter_change
from bpe_gui.gui.dialogs import splitter_trial
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.dialogs.splitter_trial import SplitterCorpus
from bpe_gui.gui.look.overlays import Dimmer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.views.splitter_views import ExpressionField, SplitterLegend, SplitterPreview
from tests.gui.support.widgets import child, label_text

TEXT = "don't stop 12, don't"


def dialog_of(qtbot: QtBot, *texts: str, special_tokens: tuple[str, ...] = ()) -> RecipeDialog:
    recipe = Recipe.of("cs336")
    corpus = SplitterCorpus(recipe, tuple(map(TextDocument, texts)), special_tokens)
    dialog = RecipeDialog(recipe, corpus=corpus, theme=Theme("light"))
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


def write(dialog: RecipeDialog, splitter: str) -> None:
    line = child(dialog, QComboBox, "recipe_splitter").lineEdit()
    assert line is not None
    line.setText(splitter)


def words(dialog: RecipeDialog) -> list[str]:
    return [each.cursor.selectedText() for each in child(dialog, SplitterPreview, "splitterPreview").extraSelections()]


def colors(dialog: RecipeDialog) -> list[str]:
    selections = child(dialog, SplitterPreview, "splitterPreview").extraSelections()
    return [each.format.background().color().name() for each in selections]


def examples(dialog: RecipeDialog) -> list[str]:
    found = child(dialog, QListWidget, "splitterExamples")
    return [found.item(row).text() for row in range(found.count())]


def rows(dialog: RecipeDialog) -> list[str]:
    legend = child(dialog, SplitterLegend, "splitterLegend")
    return [row.accessibleName() for row in legend.findChildren(QAbstractButton)]


def test_the_button_shows_the_present_splitter(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    assert not child(dialog, SplitterPreview, "splitterPreview").isVisible()
    child(dialog, QAbstractButton, "splitterTrialButton").click()
    qtbot.waitUntil(lambda: words(dialog) == ["don", "'t", " stop", " 12", ",", " don", "'t"])
    palette = Theme("light").token_palette()
    hues = [palette.backgrounds[hue].name() for hue in (1, 0, 1, 2, 3, 1, 0)]
    assert colors(dialog) == hues
    assert rows(dialog)[0] == "'s|'t|'re|'ve|'m|'ll|'d contractions: don't, we're 2"
    assert label_text(dialog, "splitterChange") == "Words that change: 0 of 7; unique words: 6 → 6."
    assert examples(dialog) == []
    assert label_text(dialog, "splitterMessage") == ""


def test_a_typed_expression_shows_what_changes(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    write(dialog, r"[\w']+|\s+|,")
    qtbot.waitUntil(lambda: words(dialog) == ["don't", " ", "stop", " ", "12", ",", " ", "don't"])
    assert label_text(dialog, "splitterChange") == "Words that change: 6 of 7; unique words: 6 → 5."
    assert len(examples(dialog)) == 4
    assert rows(dialog) == [r"[\w']+ 4", r"\s+ whitespace 3", ", 1"]
    assert label_text(dialog, "splitterMessage") == ""


def test_what_another_splitter_changes_is_dimmed(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = dialog_of(qtbot, TEXT)
    write(dialog, r"\S+|\s+")
    qtbot.waitUntil(lambda: bool(label_text(dialog, "splitterChange")))
    dimmer, may_go_on, change = child(dialog, Dimmer, "dimmer"), threading.Event(), splitter_change
    assert dimmer.isHidden()

    def wait(*arguments: Any, **options: Any) -> SplitterChange:
        assert may_go_on.wait(60)
        return change(*arguments, **options)

    monkeypatch.setattr(splitter_trial, "splitter_change", wait)
    write(dialog, r"\w+|\W+")
    qtbot.waitUntil(lambda: not dimmer.isHidden())
    may_go_on.set()
    qtbot.waitUntil(dimmer.isHidden)
    write(dialog, "(")
    assert dimmer.isHidden()


def test_text_that_no_word_covers_is_reported_at_the_field(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    write(dialog, r"\p{L}+")
    qtbot.waitUntil(lambda: words(dialog) == ["don", "t", "stop", "don", "t"])
    message = child(dialog, QLabel, "splitterMessage")
    assert message.text().startswith("Characters in no word: 8 of 20, for example ")
    assert "; of these, whitespace: 3. Such characters are dropped without an error" in message.text()
    assert message.property("role") == "warning"
    write(dialog, "whitespace")
    qtbot.waitUntil(lambda: "Characters in no word: 3 of 20, whitespace only." in message.text())
    assert message.property("role") == "quiet", "that splitter is meant to do so"


def test_an_expression_that_finds_no_word_is_accepted_only_once_that_is_said(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    write(dialog, "whitespaceg")
    dialog.accept()
    assert dialog.isVisible(), "it has not been tried yet"
    message = child(dialog, QLabel, "splitterMessage")
    qtbot.waitUntil(lambda: message.text().startswith("No word found"))
    assert message.property("role") == "warning"
    assert dialog.isVisible()
    dialog.accept()
    assert not dialog.isVisible()
    assert dialog.recipe.splitter == "whitespaceg"


def test_an_expression_that_finds_words_is_accepted_as_soon_as_it_is_tried(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    write(dialog, r"\w+|\W")
    dialog.accept()
    qtbot.waitUntil(dialog.isHidden)
    assert dialog.result() == RecipeDialog.DialogCode.Accepted


def test_a_misspelt_name_of_a_splitter_is_asked_about(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    write(dialog, "whitespaceg")
    asked = child(dialog, QAbstractButton, "splitterNameButton")
    assert asked.isVisible()
    assert asked.text() == "Did you mean whitespace?"
    asked.click()
    assert dialog.recipe.splitter == "whitespace"
    assert not asked.isVisible()
    write(dialog, r"\w+")
    assert not asked.isVisible()


def test_an_expression_that_takes_too_long_is_stopped_and_reported(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, "word " * 10_000)
    write(dialog, r"(?s)w.*!|.")
    qtbot.waitUntil(lambda: "takes too long at" in label_text(dialog, "splitterMessage"))
    assert (words(dialog), label_text(dialog, "splitterChange")) == ([], "")
    write(dialog, r"\w+|\s")
    qtbot.waitUntil(lambda: label_text(dialog, "splitterMessage") == "" and len(words(dialog)) > 100)


def test_an_expression_that_does_not_compile_is_reported_at_the_field(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    write(dialog, r"\w+|(\s")
    assert label_text(dialog, "splitterMessage").startswith("The regular expression is not valid")
    assert label_text(dialog, "recipeMessage") == ""
    assert words(dialog) == []


def test_typed_text_is_coloured_too(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    child(dialog, QAbstractButton, "splitterTrialButton").click()
    qtbot.waitUntil(lambda: words(dialog) != [])
    preview = child(dialog, SplitterPreview, "splitterPreview")
    preview.setPlainText("😀😀 it's\n\n7")
    qtbot.waitUntil(lambda: words(dialog) == ["😀😀", " it", "'s", "\u2029", "\u2029", "7"])
    child(dialog, QAbstractButton, "splitterPart1").click()
    assert preview.textCursor().selectedText() == " it"
    write(dialog, "whitespace")
    qtbot.waitUntil(lambda: words(dialog) == ["😀😀", "it's", "7"])
    assert label_text(dialog, "splitterChange").startswith("Words that change: 7 of 7"), (
        "the corpus is still the corpus"
    )


def test_special_tokens_stay_whole(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, "a<e>b", special_tokens=("<e>",))
    write(dialog, r"\w+")
    qtbot.waitUntil(lambda: words(dialog) == ["a", "b"])
    assert label_text(dialog, "splitterMessage") == ""


def test_of_a_large_corpus_the_first_part_is_compared(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(splitter_trial, "_FIRST_COMPARED", 8)
    monkeypatch.setattr(splitter_trial, "_MAX_COMPARED", 12)
    dialog = dialog_of(qtbot, "one two ", "three four five")
    child(dialog, QAbstractButton, "splitterTrialButton").click()
    qtbot.waitUntil(lambda: "In the first 12 characters" in label_text(dialog, "splitterChange"))
    assert label_text(dialog, "splitterChange").startswith("Words that change: 0 of 4;")


def test_the_first_part_is_compared_first(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitter_trial, "_FIRST_COMPARED", 8)
    may_go_on, compared, change = threading.Event(), [], splitter_change

    def wait(*arguments: Any, **options: Any) -> SplitterChange:
        compared.append(arguments)
        assert len(compared) == 1 or may_go_on.wait(60)
        return change(*arguments, **options)

    monkeypatch.setattr(splitter_trial, "splitter_change", wait)
    dialog = dialog_of(qtbot, "one two ", "three four five")
    write(dialog, "whitespace")
    qtbot.waitUntil(lambda: label_text(dialog, "splitterChange").endswith("In the first 8 characters of the corpus."))
    may_go_on.set()
    qtbot.waitUntil(lambda: label_text(dialog, "splitterChange") == "Words that change: 4 of 6; unique words: 6 → 5.")


def field_colors(dialog: RecipeDialog) -> set[str]:
    line = child(dialog, QComboBox, "recipe_splitter").lineEdit()
    assert line is not None
    image = line.grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_the_expression_has_the_colours_of_its_parts(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    palette = Theme("light").token_palette()
    hues = [color.name() for color in palette.backgrounds]
    assert field_colors(dialog).isdisjoint(hues), "a name has no parts"
    write(dialog, r"'s|'t|\w+|😀 +")
    assert field_colors(dialog).intersection(hues) == set(hues[:3])
    write(dialog, r"\w+")
    assert field_colors(dialog).intersection(hues) == set(hues[:1])


def test_the_expression_follows_the_theme(qtbot: QtBot) -> None:
    recipe, theme = Recipe(splitter=r"\w+|\s"), Theme("light")
    dialog = RecipeDialog(recipe, theme=theme)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    light, dark = (
        [color.name() for color in Theme(name).token_palette().backgrounds[:2]] for name in ("light", "dark")
    )
    theme.set_choice("light")
    assert field_colors(dialog).issuperset(light)
    theme.set_choice("dark")
    assert field_colors(dialog).issuperset(dark)
    theme.set_choice("light")


def test_the_character_of_an_error_is_marked(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    write(dialog, "a")
    plain = field_colors(dialog)
    for expression in ("a|[z-a]", "(a", "a|("):
        write(dialog, expression)
        message = label_text(dialog, "splitterMessage")
        assert message.startswith("The regular expression is not valid at position")
        assert field_colors(dialog) - plain
        assert field_colors(dialog).isdisjoint(color.name() for color in Theme("light").token_palette().backgrounds)
    write(dialog, "a")
    assert (field_colors(dialog), label_text(dialog, "splitterMessage")) == (plain, "")


def test_marks_leave_caret_selection_and_undo_alone(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, TEXT)
    line = child(dialog, QComboBox, "recipe_splitter").lineEdit()
    assert isinstance(line, ExpressionField)
    write(dialog, r"a|b\w+")
    line.setSelection(2, 3)
    line.show_parts([(0, 1, 0)])
    assert (line.selectedText(), line.cursorPosition()) == (r"b\w"[:3], 5)
    line.setCursorPosition(1)
    qtbot.keyClicks(line, "x(")
    assert (line.text(), line.cursorPosition()) == (r"ax(|b\w+", 3)
    line.undo()
    assert line.text() == r"a|b\w+"


def test_a_file_that_cannot_be_read_is_reported(qtbot: QtBot, tmp_path: Path) -> None:
    recipe = Recipe.of("cs336")
    dialog = RecipeDialog(recipe, corpus=SplitterCorpus(recipe, (FileDocument(tmp_path / "missing.txt"),)))
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    child(dialog, QAbstractButton, "splitterTrialButton").click()
    qtbot.waitUntil(lambda: "missing.txt" in label_text(dialog, "splitterMessage"))
