"""The recipe dialog shows every switch, accepts valid recipes only, and explains what is wrong with others."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import CHOICES, PRESETS, SPLITTERS, Recipe, SentencePieceOptions
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.look.theme import Theme, text_width
from bpe_gui.gui.look.widgets import _DescribedItems
from bpe_gui.gui.wording.recipe_texts import (
    choice_explanation,
    choice_label,
    preset_description,
    preset_title,
    recipe_summary,
    tie_rule_clause,
)
from tests.gui.support.widgets import button, child


@pytest.fixture
def dialog(qtbot: QtBot) -> RecipeDialog:
    dialog = RecipeDialog(Recipe.of("cs336"))
    qtbot.addWidget(dialog)
    return dialog


def combo(dialog: RecipeDialog, field: str) -> QComboBox:
    return child(dialog, QComboBox, f"recipe_{field}")


def choose(dialog: RecipeDialog, field: str, choice: str) -> None:
    box = combo(dialog, field)
    box.setCurrentIndex(box.findData(choice))


def choose_preset(dialog: RecipeDialog, title: str) -> None:
    box = combo(dialog, "preset")
    box.setCurrentText(title)
    box.activated.emit(box.currentIndex())


def ok_button(dialog: RecipeDialog) -> QPushButton:
    box = dialog.findChild(QDialogButtonBox)
    assert box is not None
    return box.button(QDialogButtonBox.StandardButton.Ok)


def text(dialog: RecipeDialog, name: str) -> str:
    found = child(dialog, QLabel, name)
    return found.text()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_sets_every_switch(qtbot: QtBot, dialog: RecipeDialog, preset: str) -> None:
    choose_preset(dialog, preset)
    assert dialog.recipe == PRESETS[preset]
    assert text(dialog, "recipeDescription") == preset_description(preset)
    opened = RecipeDialog(PRESETS[preset])
    qtbot.addWidget(opened)
    assert opened.recipe == PRESETS[preset]
    assert combo(opened, "preset").currentText() == preset


@pytest.mark.parametrize("field", [field for field in CHOICES if field != "alphabet"])
def test_a_switch_changes_the_recipe(dialog: RecipeDialog, field: str) -> None:
    for choice in CHOICES[field]:
        choose(dialog, field, choice)
        assert getattr(dialog.recipe, field) == choice


def test_the_number_and_the_check_box_change_the_recipe(dialog: RecipeDialog) -> None:
    count, header = dialog.findChild(QSpinBox, "recipe_min_count"), dialog.findChild(QCheckBox)
    assert count is not None and header is not None
    count.setValue(7)
    header.click()
    assert dialog.recipe == Recipe(min_count=7, merges_header=False)
    assert combo(dialog, "preset").currentText() == "Custom"
    assert text(dialog, "recipeDescription") == "Based on cs336 (settings changed: 2)."


def test_a_changed_switch_can_be_reset(dialog: RecipeDialog) -> None:
    choose_preset(dialog, "char-eow")
    assert not button(dialog, "resetRecipeButton").isEnabled()
    choose(dialog, "boundary", "none")
    reset = button(dialog, "resetRecipeButton")
    assert (reset.text(), reset.isEnabled()) == ("Reset to char-eow", True)
    reset.click()
    assert dialog.recipe == PRESETS["char-eow"]
    assert combo(dialog, "preset").currentText() == "char-eow"


def test_choosing_custom_changes_nothing(dialog: RecipeDialog) -> None:
    choose(dialog, "tie_break", "first-seen")
    choose_preset(dialog, "Custom")
    assert dialog.recipe == Recipe(tie_break="first-seen")


def test_the_splitter_may_be_a_regular_expression(dialog: RecipeDialog) -> None:
    line = combo(dialog, "splitter").lineEdit()
    assert line is not None
    line.setText(r"\w+|(\s")
    assert text(dialog, "recipeMessage") == ""
    assert text(dialog, "splitterMessage").startswith("The regular expression is not valid at position")
    assert not ok_button(dialog).isEnabled()
    assert not button(dialog, "saveRecipeButton").isEnabled()
    assert dialog.recipe == Recipe()
    line.setText(r"\w+|\s")
    assert text(dialog, "recipeMessage") == ""
    assert ok_button(dialog).isEnabled()
    assert dialog.recipe.splitter == r"\w+|\s"


def test_a_named_splitter_is_not_completed_while_typing(dialog: RecipeDialog) -> None:
    assert combo(dialog, "splitter").completer() is None
    for name in SPLITTERS:
        choose(dialog, "splitter", name)
        assert dialog.recipe.splitter == name


def test_switches_that_contradict_each_other_are_explained(dialog: RecipeDialog) -> None:
    choose(dialog, "alphabet", "latin-1")
    assert (
        text(dialog, "recipeMessage")
        == "The alphabet latin-1 (“First 256 characters”) requires units to be characters, not bytes."
    )
    assert not ok_button(dialog).isEnabled()
    choose(dialog, "units", "characters")
    assert ok_button(dialog).isEnabled()
    assert dialog.recipe == Recipe(units="characters", alphabet="latin-1")


def answer_files(monkeypatch: pytest.MonkeyPatch, path: Path | str) -> None:
    for method in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, method, lambda *_: (str(path), ""))


def test_a_recipe_is_saved_and_loaded(dialog: RecipeDialog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    answer_files(monkeypatch, path)
    choose(dialog, "tie_break", "smallest-id")
    button(dialog, "saveRecipeButton").click()
    assert text(dialog, "recipeMessage") == f"Saved as {path}"
    choose_preset(dialog, "zh-en")
    button(dialog, "loadRecipeButton").click()
    assert dialog.recipe == Recipe(tie_break="smallest-id")
    assert button(dialog, "resetRecipeButton").text() == "Reset to cs336"


def test_a_damaged_recipe_file_is_reported_and_changes_nothing(
    dialog: RecipeDialog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "bad.json"
    path.write_text('{\n  "units": ')
    answer_files(monkeypatch, path)
    button(dialog, "loadRecipeButton").click()
    assert f"{path}, line 2" in text(dialog, "recipeMessage")
    assert dialog.recipe == Recipe()
    assert ok_button(dialog).isEnabled()


def test_a_failure_to_save_is_reported(dialog: RecipeDialog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    answer_files(monkeypatch, tmp_path / "file" / "recipe.json")
    button(dialog, "saveRecipeButton").click()
    assert "cannot be written" in text(dialog, "recipeMessage")


def test_cancelled_file_dialogs_change_nothing(dialog: RecipeDialog, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_files(monkeypatch, "")
    button(dialog, "loadRecipeButton").click()
    button(dialog, "saveRecipeButton").click()
    assert dialog.recipe == Recipe()
    assert text(dialog, "recipeMessage") == ""


def test_the_dialog_fits_a_small_screen_without_scrolling(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    Theme("light").style(parent)
    dialog = RecipeDialog(Recipe.of("cs336"), parent)
    with qtbot.waitExposed(dialog):
        dialog.show()
    assert dialog.width() <= 1000
    assert dialog.height() <= 720
    scroll = dialog.findChild(QScrollArea)
    assert scroll is not None
    assert scroll.verticalScrollBar().maximum() == 0
    assert scroll.horizontalScrollBar().maximum() == 0


def test_every_choice_is_named_and_explained(dialog: RecipeDialog) -> None:
    for field, choices in {**CHOICES, "splitter": tuple(SPLITTERS)}.items():
        for choice in choices:
            assert choice_label(field, choice)
            assert choice_explanation(field, choice).endswith(".")
            box = combo(dialog, field)
            assert box.itemData(box.findData(choice), Qt.ItemDataRole.ToolTipRole)


def test_a_recipe_is_summarised_in_a_line() -> None:
    assert recipe_summary(Recipe()) == "bytes · gpt2 splitting · ties go to the pair that sorts last"
    assert recipe_summary(PRESETS["char-eow"]) == (
        "characters · split at spaces · </w> after a word · ties go to the pair seen first in the corpus"
        " · stops below 2 occurrences · unused parts are dropped"
    )
    unusual = Recipe(splitter=r"\w+", tie_break="smallest-id", pair_counting="once-per-word", id_order="sorted")
    assert recipe_summary(unusual) == (
        "bytes · split by a custom regular expression · ties go to the pair with the smallest ids"
        " · pairs count once per word · ids sorted after training"
    )
    assert tie_rule_clause(PRESETS["minbpe"]) == "ties go to the pair seen first in the corpus"
    assert [preset_title(preset) for preset in PRESETS] == list(PRESETS)
    assert len({recipe_summary(recipe) for recipe in PRESETS.values()}) >= len(PRESETS) - 1


def test_the_options_of_sentencepiece_are_shown_only_with_its_recipe(qtbot: QtBot, dialog: RecipeDialog) -> None:
    box = child(dialog, QCheckBox, "recipe_split_by_whitespace")
    assert box.isHidden() and combo(dialog, "splitter").isEnabled()
    choose_preset(dialog, "sentencepiece")
    assert not box.isHidden() and not combo(dialog, "splitter").isEnabled()
    box.click()
    options = SentencePieceOptions(split_by_whitespace=False)
    assert (dialog.recipe.sentencepiece, dialog.recipe.splitter) == (options, options.splitter)
    assert text(dialog, "recipeDescription") == "Based on sentencepiece (settings changed: 2)."
    choose_preset(dialog, "cs336")
    assert box.isHidden() and dialog.recipe == Recipe()


def test_the_list_of_splitters_says_what_each_does_and_leaves_typing(dialog: RecipeDialog, qtbot: QtBot) -> None:
    box = combo(dialog, "splitter")
    with qtbot.waitExposed(dialog):
        dialog.show()
    box.showPopup()
    assert isinstance(box.itemDelegate(), _DescribedItems)
    wide = max(text_width(box.view().fontMetrics(), choice_explanation("splitter", choice)) for choice in SPLITTERS)
    assert box.view().width() > wide
    box.hidePopup()
    line = box.lineEdit()
    assert line is not None
    line.selectAll()
    QTest.keyClicks(line, "[a-z]+")
    assert dialog.recipe.splitter == "[a-z]+"
