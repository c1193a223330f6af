"""The encode panel: typing, stepping, hovering, marking, and its messages about unusual texts."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QSplitter,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import FileDocument, Plan, ReadTokenizer, Recipe, TokenizerSource, train
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.encode_panel import EncodePanel
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.token_id_view import TokenIdView
from tests.gui.support.panels import sample_session, shown_encode_panel
from tests.gui.support.token_edits import cells_of
from tests.gui.support.widgets import button, child, label, label_text

LEFT_BUTTON = Qt.MouseButton.LeftButton
SLOW_PATTERN = "a+b|."


@pytest.fixture
def session() -> Session:
    session = sample_session()
    session.cursor.seek(12)
    return session


@pytest.fixture
def panel(session: Session, qtbot: QtBot) -> EncodePanel:
    return shown_encode_panel(session, qtbot, 400, 640)


def editor(panel: EncodePanel) -> TokenEdit:
    return child(panel, TokenEdit, "encodeInput")


def id_view(panel: EncodePanel) -> TokenIdView:
    return child(panel, TokenIdView, "tokenIdView")


def copied_ids(panel: EncodePanel) -> str:
    button(panel, "copyIdsButton").click()
    return QGuiApplication.clipboard().text()


def center_of(panel: EncodePanel, index: int) -> QPoint:
    """Return the centre of a token in the text, in coordinates of the editor's viewport."""
    cells = {cell.index: cell.rects for cell in cells_of(editor(panel))}
    return cells[index][0].center().toPoint()


# -- text, ids, summary ---------------------------------------------------------------------------------------------


def test_typed_text_is_encoded(panel: EncodePanel, session: Session) -> None:
    session.text.set_content("")
    QTest.keyClicks(editor(panel), "lowest")
    assert session.text.content == "lowest"
    assert session.cursor.tokenizer is not None
    assert copied_ids(panel) == str(session.cursor.tokenizer.encode("lowest"))
    assert label_text(panel, "encodeSummary").startswith("2 tokens · 6 characters · 6 bytes · 3.00 bytes per token")


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("", "0 tokens · 0 characters · 0 bytes"),
        ("e", "1 token · 1 character · 1 byte · 1.00 bytes per token"),
        ("e e", "2 tokens · 3 characters · 3 bytes (1 of white space, in no token) · 1.50 bytes per token"),
        ("lowest 你好", "4 tokens · 9 characters · 13 bytes (1 of white space, in no token) · 3.25 bytes per token"),
    ],
)
def test_a_text_set_elsewhere_is_shown_and_counted(
    panel: EncodePanel, session: Session, text: str, summary: str
) -> None:
    session.text.set_content(text)
    assert (editor(panel).toPlainText(), label_text(panel, "encodeSummary")) == (text, summary)
    assert button(panel, "copyIdsButton").isEnabled() is bool(text)
    assert label(panel, "inspectorHint").isVisible() is not bool(text)


def test_a_step_changes_the_tokens(panel: EncodePanel, session: Session) -> None:
    session.text.set_content("lowest")
    session.cursor.seek(0)
    assert copied_ids(panel) == str([*b"lowest"])
    session.cursor.seek(12)
    assert label_text(panel, "encodeSummary").startswith("2 tokens")


def test_typing_keeps_the_line_ends_of_a_text(panel: EncodePanel, session: Session) -> None:
    session.text.set_content("low\r\nlow\r\n")
    QTest.keyClick(editor(panel), Qt.Key.Key_X)
    assert session.text.content == "xlow\r\nlow\r\n"
    editor(panel).document.undo()
    assert session.text.content == "low\r\nlow\r\n"


def test_tokens_after_a_crlf_are_in_the_next_line(panel: EncodePanel, session: Session) -> None:
    session.corpus.set_recipe(Recipe.of("cs336"))
    session.restart()
    session.text.set_content("a\r\nb")
    rects = [cell.rects[0] for cell in cells_of(editor(panel))]
    assert len(rects) == 4  # \r and \n share the line break
    assert rects[1].top() == rects[2].top() > rects[0].top()
    assert rects[0].right() < rects[1].left() < rects[2].left()
    assert rects[3].left() == rects[0].left()
    QTest.keyClick(editor(panel), Qt.Key.Key_Down)
    assert label_text(panel, "inspectorBytes") == "62"


def test_unknown_symbols_are_counted(panel: EncodePanel, session: Session) -> None:
    session.corpus.set_recipe(Recipe.of("char-eow"))
    session.restart()
    session.text.set_content("low 你好")
    assert label_text(panel, "encodeWarning") == "2 symbols are not in the vocabulary and have no id."
    assert label(panel, "encodeWarning").isVisible()
    assert "-1, -1" in copied_ids(panel)
    session.text.set_content("low")
    assert label(panel, "encodeWarning").isHidden()


def test_a_recipe_of_bytes_is_offered_where_the_recipe_is_the_reason(panel: EncodePanel, session: Session) -> None:
    toy, offer = Recipe.of("cs336-toy"), label(panel, "encodeBytesOffer")
    session.corpus.set_recipe(toy)
    session.restart()
    session.text.set_content("low 你好")
    assert offer.isVisible()
    offer.linkActivated.emit("bytes")
    assert session.corpus.recipe == Recipe.of("cs336")
    assert offer.isHidden() and label(panel, "encodeWarning").isHidden()
    session.undo()
    assert session.corpus.recipe == toy
    assert offer.isVisible()
    session.text.set_content("low")
    assert offer.isHidden()
    read = ReadTokenizer(train("low", recipe="cs336-toy", num_merges=1), TokenizerSource(Path("it")), "gpt2")
    session.opened.show(OpenedTokenizer(read))
    session.text.set_content("你好")
    assert label(panel, "encodeWarning").isVisible()
    assert offer.isHidden(), "another recipe would not change this tokenizer"


def test_wrapped_numbers_are_whole_above_the_count_of_unknown_symbols(
    panel: EncodePanel, session: Session, qtbot: QtBot
) -> None:
    session.corpus.set_recipe(Recipe.of("char-eow"))
    session.restart()
    session.text.set_content("low 你好 " * 2_000)
    panel.resize(240, 500)
    splitter = child(panel, QSplitter, "encodeSplitter")
    splitter.setSizes([0, 100, 400])
    summary, warning = label(panel, "encodeSummary"), label(panel, "encodeWarning")
    font = summary.font()
    font.setPointSize(14)  # so that the numbers need two lines on any system
    summary.setFont(font)
    two_lines = 2 * summary.fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: summary.heightForWidth(summary.width()) >= two_lines)
    qtbot.waitUntil(lambda: summary.height() >= summary.heightForWidth(summary.width()))
    qtbot.waitUntil(lambda: warning.height() >= warning.heightForWidth(warning.width()))


@pytest.mark.parametrize("width", [270, 400, 560])
def test_what_is_said_about_the_text_moves_nothing(
    panel: EncodePanel, session: Session, qtbot: QtBot, width: int
) -> None:
    panel.resize(width, 640)
    summary, heights = label(panel, "encodeSummary"), set()
    qtbot.waitUntil(lambda: summary.height() == summary.heightForWidth(summary.width()), timeout=5_000)
    for text, selected, marked in (
        ("low", (0, 0), None),
        ("lowest newest lowest " * 50, (0, 0), None),
        ("lowest newest lowest " * 50, (0, 50), None),
        ("lowest newest lowest " * 50, (0, 50), b"newest"),
        ("lowest", (0, 0), b"newest"),
    ):
        session.text.set_content(text)
        editor(panel).set_selection(*selected)
        session.selection.clear()
        if marked:
            session.selection.select_token(marked)
        qtbot.waitUntil(lambda: summary.heightForWidth(summary.width()) <= summary.height(), timeout=5_000)
        heights.add(summary.height())
    assert len(heights) == 1


def test_a_symbol_without_an_id_has_no_count(panel: EncodePanel, session: Session) -> None:
    session.corpus.set_recipe(Recipe.of("char-eow"))
    session.restart()
    session.text.set_content("low 你好")
    editor(panel).set_caret(0)
    assert label(panel, "inspectorOccurs").isVisible()
    editor(panel).set_caret(len("low 你".encode()))
    assert label_text(panel, "inspectorId") == "no id"
    assert label(panel, "inspectorOccurs").isHidden()


def test_a_failure_to_encode_is_explained(panel: EncodePanel, session: Session, qtbot: QtBot) -> None:
    session.corpus.set_recipe(Recipe(splitter=SLOW_PATTERN))
    session.restart()
    qtbot.waitUntil(lambda: session.cursor.trainer is not None)
    summary = label(panel, "encodeSummary")
    session.text.set_content("a" * 40_000)
    qtbot.waitUntil(lambda: "takes too long" in summary.text())
    assert summary.property("role") == "warning"
    session.text.set_content("a")
    qtbot.waitUntil(lambda: summary.text().startswith("1 token "))
    assert summary.property("role") == ""


def test_a_long_text_is_encoded_in_the_background(panel: EncodePanel, session: Session, qtbot: QtBot) -> None:
    session.text.set_content("lowest " * 40_000)
    assert label_text(panel, "encodeSummary") == "encoding…"
    assert cells_of(editor(panel)), "the visible text has its tokens at once"
    qtbot.waitUntil(lambda: "280,000 characters" in label_text(panel, "encodeSummary"))
    QTest.keyClick(editor(panel), Qt.Key.Key_X)
    assert session.text.content.startswith("xlowest")
    assert "280,001 characters" in label_text(panel, "encodeSummary"), "an edit is encoded at once"


def test_without_a_corpus_a_hint_is_shown(panel: EncodePanel, session: Session, qtbot: QtBot) -> None:
    session.corpus.remove_document(0)
    session.restart()
    QTest.keyClicks(editor(panel), "x")
    assert label_text(panel, "encodeSummary").startswith("No tokenizer yet")
    vanished = CorpusDocument("gone.txt", FileDocument(Path("gone.txt")))
    session.corpus.add_documents([vanished])
    assert label_text(panel, "encodeSummary").startswith("Counting")
    qtbot.waitUntil(lambda: session.counts.error is not None)
    assert label_text(panel, "encodeSummary") == "No words: the corpus was not counted."
    for name in ("copyIdsButton", "decodeIdsButton"):
        assert not button(panel, name).isEnabled(), name


# -- links ----------------------------------------------------------------------------------------------------------


def test_hovering_in_the_text_inspects_a_token(panel: EncodePanel, session: Session) -> None:
    session.text.set_content("lowest")
    assert label_text(panel, "inspectorBytes").startswith("6c 6f 77")
    QTest.mouseMove(editor(panel).viewport(), center_of(panel, 1))
    assert label_text(panel, "inspectorBytes") == "65 73 74 (3 bytes)"
    QTest.mouseMove(editor(panel).viewport(), QPoint(380, 150))
    assert label_text(panel, "inspectorBytes").startswith("6c 6f 77")


def test_a_step_ends_hovering(panel: EncodePanel, session: Session) -> None:
    session.text.set_content("lowest")
    QTest.mouseMove(id_view(panel).viewport(), id_view(panel).cell_rect(1).center())
    session.cursor.seek(0)
    assert label_text(panel, "inspectorBytes") == "6c"


def test_clicking_marks_and_counts_equal_tokens(panel: EncodePanel, session: Session) -> None:
    session.text.set_content("lowest newest lowest")
    for is_marked in (True, False, True):
        QTest.mouseClick(editor(panel).viewport(), LEFT_BUTTON, pos=center_of(panel, 1))
        assert label_text(panel, "encodeSummary").splitlines()[1:] == ["“est”: 2 times in this text"] * is_marked
    editor(panel).set_selection(6, 20)
    editor(panel).insertPlainText("")
    assert label_text(panel, "encodeSummary").splitlines()[1] == "“est”: once in this text"


def test_a_mark_survives_a_step_before_its_merge(panel: EncodePanel, session: Session) -> None:
    session.text.set_content("lowest")
    QTest.mouseClick(id_view(panel).viewport(), LEFT_BUTTON, pos=id_view(panel).cell_rect(1).center())
    session.cursor.seek(0)
    assert len(label_text(panel, "encodeSummary").splitlines()) == 1
    session.cursor.seek(12)
    assert label_text(panel, "encodeSummary").splitlines()[1] == "“est”: once in this text"


def test_a_new_run_removes_marks(panel: EncodePanel, session: Session) -> None:
    session.text.set_content("lowest")
    QTest.mouseClick(id_view(panel).viewport(), LEFT_BUTTON, pos=id_view(panel).cell_rect(1).center())
    session.restart()
    assert len(label_text(panel, "encodeSummary").splitlines()) == 1


# -- special tokens in the text -------------------------------------------------------------------------------------


def test_special_tokens_are_plain_text_on_request(panel: EncodePanel, session: Session) -> None:
    toggle = button(panel, "plainSpecialTokensButton")
    for tokens in ([], ["<|end|>"]):
        session.corpus.set_special_tokens(tokens)
        session.restart()
        session.cursor.seek(12)
        assert toggle.isEnabled() is bool(tokens)
    session.text.set_content("low<|end|>low")
    editor(panel).set_selection(3, 5)
    assert session.cursor.tokenizer is not None
    obeyed = session.cursor.tokenizer.encode("low<|end|>low")
    plain = session.cursor.tokenizer.encode("low<|end|>low", allowed_special="none")
    for ids in (plain, obeyed):
        toggle.click()
        assert shown_ids(session) == ids
        assert label_text(panel, "encodeSummary").startswith(f"{len(ids)} tokens")
        assert (editor(panel).selection.anchor, editor(panel).selection.caret) == (3, 5)
        assert Settings().special_tokens_plain is toggle.isChecked()
    toggle.click()
    session.cursor.step_back()
    assert session.cursor.tokenizer is not None
    assert shown_ids(session) == session.cursor.tokenizer.encode("low<|end|>low", allowed_special="none")
    QTest.keyClicks(editor(panel), "<|end|>")
    assert session.cursor.tokenizer.special_tokens["<|end|>"] not in shown_ids(session)


def shown_ids(session: Session) -> list[int]:
    assert session.text.live.encoding is not None
    return session.text.live.encoding.ids


def test_plain_special_tokens_are_remembered(session: Session, qtbot: QtBot) -> None:
    session.corpus.set_special_tokens(["<|end|>"])
    session.restart()
    Settings().special_tokens_plain = True
    panel = shown_encode_panel(session, qtbot, 400, 640)
    assert button(panel, "plainSpecialTokensButton").isChecked()
    session.text.set_content("<|end|>")
    assert session.text.live.encoding is not None
    assert len(shown_ids(session)) > 1
    assert session.text.live.encoding.char_spans[-1] == (6, 7)


# -- appearance, and an opened tokenizer ----------------------------------------------------------------------------


def test_the_toggles_are_remembered(panel: EncodePanel, session: Session, qtbot: QtBot) -> None:
    button(panel, "whitespaceButton").click()
    button(panel, "colorModeButton").click()
    assert Settings().white_space_visible
    assert Settings().color_mode == "position"
    second = EncodePanel(session, Theme("light"), Settings())
    qtbot.addWidget(second)
    assert button(second, "whitespaceButton").isChecked()
    assert not button(second, "colorModeButton").isChecked()


def test_tokens_have_the_size_of_the_theme(session: Session, qtbot: QtBot) -> None:
    theme = Theme("light")
    panel = EncodePanel(session, theme, Settings())
    qtbot.addWidget(panel)
    theme.set_token_size(20)
    assert editor(panel).font().pointSize() == id_view(panel).font().pointSize() == 20


def test_a_style_sheet_keeps_the_fonts(session: Session, qtbot: QtBot) -> None:
    theme = Theme("light", token_size=20)
    window = QSplitter()
    qtbot.addWidget(window)
    theme.style(window)
    panel = EncodePanel(session, theme, Settings())
    window.addWidget(panel)
    with qtbot.waitExposed(window):
        window.show()
    sizes = {widget.font().pointSize() for widget in (editor(panel), id_view(panel), label(panel, "inspectorBytes"))}
    assert sizes == {20}


def test_a_change_of_theme_reaches_everything(session: Session, qtbot: QtBot) -> None:
    theme = Theme("light")
    panel = EncodePanel(session, theme, Settings())
    qtbot.addWidget(panel)
    session.text.set_content("lowest")
    light = id_view(panel).color_of(0)
    theme.set_choice("dark")
    assert id_view(panel).color_of(0) != light
    theme.set_choice("system")


def test_another_document_does_not_change_the_ids(panel: EncodePanel, session: Session) -> None:
    session.text.set_content("lowest")
    before = copied_ids(panel)
    session.corpus.add_documents([CorpusDocument("more", session.corpus.documents[0].content)])
    assert copied_ids(panel) == before


def test_the_lineage_says_which_step_makes_a_token(session: Session, panel: EncodePanel, qtbot: QtBot) -> None:
    def words() -> Table:
        return child(panel, Table, "lineageWordTable")

    session.selection.show_lineage(Selected(b"est"))
    qtbot.waitUntil(lambda: words().model().rowCount() == 2)
    session.cursor.seek(1)
    qtbot.waitUntil(lambda: words().hint == "Not made yet: step 2 makes it.")


def test_the_origin_of_a_banned_token_is_its_ban(session: Session, panel: EncodePanel) -> None:
    session.apply_plan(Plan(banned=[(b"e", b"st")]))
    session.cursor.last()
    session.selection.select_token(b"est")
    assert label_text(panel, "inspectorOrigin") == "no step: e + st may not be merged (banned by you)"
    session.selection.select_token(b"xyz")
    assert label_text(panel, "inspectorOrigin") == "no known step yet"
