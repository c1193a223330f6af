"""Words in the colour of the part of the expression that took them, and the legend that counts and finds them."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QSplitter
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Recipe
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels import encode_parts
from bpe_gui.gui.panels.encode_panel import EncodePanel
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.splitter_views import SplitterLegend
from bpe_gui.gui.views.token_id_view import TokenIdView
from tests.gui.support.panels import sample_session, shown_encode_panel
from tests.gui.support.widgets import button, child

TEXT = "The cat's 12 hats, don't run!  \n\n3"
LETTERS, DIGITS = 1, 2


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    session = sample_session()
    use(session, qtbot, "gpt2")
    session.text.set_content(TEXT)
    return session


@pytest.fixture
def panel(session: Session, qtbot: QtBot) -> EncodePanel:
    panel = shown_encode_panel(session, qtbot, 420, 700)
    button(panel, "splitterColorsButton").click()
    return panel


def rows(panel: EncodePanel) -> list[str]:
    """Return what screen readers announce of each part."""
    legend = child(panel, SplitterLegend, "splitterLegend")
    return [row.accessibleName() for row in legend.findChildren(QAbstractButton)]


def use(session: Session, qtbot: QtBot, splitter: str) -> None:
    session.corpus.set_recipe(Recipe(splitter=splitter))
    session.restart()
    qtbot.waitUntil(lambda: session.cursor.trainer is not None and session.text.live.splitter_parts is not None)


def test_the_legend_lists_the_parts_with_words_and_counts(panel: EncodePanel, qtbot: QtBot) -> None:
    expected = [
        "'s|'t|'re|'ve|'m|'ll|'d contractions: don't, we're 2",
        r" ?\p{L}+ letters, with the space before them 5",
        r" ?\p{N}+ digits, with the space before them 2",
        r" ?[^\s\p{L}\p{N}]+ others, with the space before them 2",
        r"\s+(?!\S) whitespace except the last 1",
        r"\s+ whitespace 1",
    ]
    qtbot.waitUntil(lambda: rows(panel) == expected)


def test_the_counts_follow_an_edit(panel: EncodePanel, session: Session, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: rows(panel)[DIGITS].endswith(" 2"))
    child(panel, TokenEdit, "encodeInput").insertPlainText("7 8 9 ")
    qtbot.waitUntil(lambda: rows(panel)[DIGITS].endswith(" 5"))


def test_a_click_goes_from_word_to_word(panel: EncodePanel, qtbot: QtBot) -> None:
    editor = child(panel, TokenEdit, "encodeInput")
    found: list[str] = []
    for _click in range(6):
        with qtbot.waitSignal(editor.selection_changed):
            button(panel, f"splitterPart{LETTERS}").click()
        start, stop = editor.selection.span
        found.append(TEXT[start:stop])
    assert found == ["The", " cat", " hats", " don", " run", "The"]


def test_all_tokens_of_a_word_have_its_colour(panel: EncodePanel, session: Session) -> None:
    ids = child(panel, TokenIdView, "tokenIdView")
    palette = Theme("light").token_palette()
    word = [index for index in range(len(session.text.live)) if index < 3]
    assert {ids.color_of(index).name() for index in word} == {palette.backgrounds[LETTERS].name()}
    button(panel, "splitterColorsButton").click()
    assert len({ids.color_of(index).name() for index in word}) > 1


def test_another_splitter_has_other_parts(panel: EncodePanel, session: Session, qtbot: QtBot) -> None:
    use(session, qtbot, r"\w+|\s+|é")
    qtbot.waitUntil(lambda: rows(panel) == [r"\w+ letters, digits and _ 9", r"\s+ whitespace 6", "é 0"])


def test_a_text_too_long_without_a_boundary_says_so(panel: EncodePanel, session: Session, qtbot: QtBot) -> None:
    use(session, qtbot, "(?s)low.+")
    session.text.set_content("low er " * 20_000)
    note = child(panel, QLabel, "splitterNote")
    qtbot.waitUntil(lambda: "on a text of this size" in note.text())
    assert rows(panel)[0].startswith("(?s)low.+")


def test_of_a_large_text_the_words_in_view_are_counted(
    panel: EncodePanel, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encode_parts, "_MAX_COUNTED", 1_000)
    session.text.set_content("word\n" * 2_000 + "12\n" * 2_000)
    qtbot.waitUntil(lambda: "only the words in view" in child(panel, QLabel, "splitterNote").text())
    assert rows(panel)[DIGITS].endswith(" 0")
    child(panel, TokenEdit, "encodeInput").set_caret(15_000)
    qtbot.waitUntil(lambda: rows(panel)[LETTERS].endswith(" 0") and not rows(panel)[DIGITS].endswith(" 0"))


def test_the_look_is_remembered_and_hides_its_legend(panel: EncodePanel, session: Session, qtbot: QtBot) -> None:
    legend = child(panel, SplitterLegend, "splitterLegend")
    assert legend.isVisible() and not button(panel, "colorModeButton").isEnabled()
    assert Settings().splitter_colors_visible
    second = EncodePanel(session, Theme("light"), Settings())
    qtbot.addWidget(second)
    assert button(second, "splitterColorsButton").isChecked()
    button(panel, "splitterColorsButton").click()
    assert not legend.isVisible() and button(panel, "colorModeButton").isEnabled()
    assert not Settings().splitter_colors_visible


@pytest.mark.parametrize("moved", [None, [150, 100, 200]])
def test_the_legend_shown_and_hidden_again_leaves_all_heights(
    panel: EncodePanel, qtbot: QtBot, moved: list[int] | None
) -> None:
    edit, parts = child(panel, TokenEdit, "encodeInput"), child(panel, QSplitter, "encodeSplitter")
    button(panel, "splitterColorsButton").click()
    panel.resize(420, 500)  # where the facts are as low as they can be
    if moved:
        parts.setSizes(moved)
    before, height = parts.sizes(), edit.height()
    for _time in range(2):
        button(panel, "splitterColorsButton").click()
        qtbot.waitUntil(lambda: edit.height() < height)
        button(panel, "splitterColorsButton").click()
        qtbot.waitUntil(lambda: edit.height() >= height)
    assert parts.sizes() == before
