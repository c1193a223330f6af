"""The corpus panel commits the user's edits to the session and nothing else; opened text stays as it was."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFrame, QLineEdit, QPushButton, QTableView, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import EngineError, FileDocument, Recipe, TextDocument
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.look.overlays import DropHighlight
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.panels.corpus_panel import CorpusPanel
from bpe_gui.gui.panels.document_list import DocumentList
from bpe_gui.gui.search.document_search import PAGE_BYTES
from bpe_gui.gui.session.corpus import LARGE_FILE, CorpusDocument, read_file
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.plain_text_edit import (
    MAX_LINE_LENGTH,
    PlainTextEdit,
    SpecialTokensEdit,
    with_line_breaks_of,
    with_line_feeds,
)
from bpe_gui.gui.wording.phrases import number, size_text
from bpe_gui.gui.wording.sentences import error_message
from bpe_gui.samples import default_sample, samples
from tests.gui.support.widgets import child, label

_LEFT_BUTTON = Qt.MouseButton.LeftButton


def editor(panel: CorpusPanel) -> PlainTextEdit:
    return child(panel, PlainTextEdit, "corpusEditor")


def tokens_edit(panel: CorpusPanel) -> SpecialTokensEdit:
    return child(panel, SpecialTokensEdit, "specialTokensEdit")


def document_list(panel: CorpusPanel) -> QTableView:
    return child(panel, QTableView, "documentList")


def numbers(panel: CorpusPanel) -> list[str]:
    names = ("corpusCharacters", "corpusBytes", "corpusWords", "corpusUniqueWords")
    return [label(panel, name).text() for name in names]


def text_document(text: str, title: str = "a.txt") -> CorpusDocument:
    return CorpusDocument(title, TextDocument(text))


def texts(session: Session) -> list[str]:
    contents = (document.content for document in session.corpus.documents)
    return [content.text for content in contents if isinstance(content, TextDocument)]


def titles(panel: CorpusPanel) -> list[str]:
    rows = document_list(panel).model()
    return [rows.index(row, 0).data() for row in range(rows.rowCount())]


def files_of(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


# -- editing ----------------------------------------------------------------------------------------------------------


def test_a_sample_is_shown_and_counted(panel: CorpusPanel, session: Session) -> None:
    session.load_sample(default_sample(), "low")
    assert editor(panel).text() == default_sample().read()
    assert numbers(panel) == ["94", "94", "16", "4"]
    assert tokens_edit(panel).tokens() == ("<|endoftext|>",)
    assert not document_list(panel).isVisibleTo(panel)


def test_typed_text_is_counted_at_once(panel: CorpusPanel, session: Session) -> None:
    session.corpus.add_documents([text_document("low")])
    QTest.keyClicks(editor(panel), "s ")
    assert texts(session) == ["s low"]
    editor(panel).setPlainText("a b")
    assert texts(session) == ["a b"]
    assert session.counts.words is not None
    assert numbers(panel)[0] == "3"


def test_a_sample_has_its_title_as_long_as_it_has_its_text(panel: CorpusPanel, session: Session) -> None:
    sample = default_sample()
    session.load_sample(sample, sample.title("en"))
    shown = []
    for text in (sample.read() + "!", "my own", sample.read()):
        editor(panel).setPlainText(text)
        shown.append(session.corpus.documents[0].title)
    assert shown == ["Text 1", "Text 1", sample.title("en")]
    session.corpus.set_documents([text_document("my own", "mine")])
    editor(panel).setPlainText("my other")
    assert titles(panel) == ["mine"]


def test_showing_a_text_does_not_edit_it(panel: CorpusPanel, session: Session) -> None:
    text = "\ufeffno\u00a0break\u2028soft\u2029hard\r\nline\rold\ufdd0odd \U0001f600 你好"
    documents = (text_document(text), text_document("other", "b.txt"))
    session.corpus.add_documents(documents)
    document_list(panel).selectRow(1)
    document_list(panel).selectRow(0)
    panel.flush()
    assert session.corpus.documents == documents
    assert session.corpus.documents[0] is documents[0]


def test_an_edit_changes_only_what_was_typed(panel: CorpusPanel, session: Session) -> None:
    session.corpus.add_documents([text_document("no\u00a0break\ufeff\r\nline\rold\u2028soft \U0001f600\nend")])
    QTest.keyClicks(editor(panel), "x")
    assert texts(session) == ["xno\u00a0break\ufeff\r\nline\rold\u2028soft \U0001f600\nend"]
    editor(panel).undo()
    assert texts(session) == ["no\u00a0break\ufeff\r\nline\rold\u2028soft \U0001f600\nend"]


@pytest.mark.parametrize(
    ("original", "edited", "expected"),
    [
        ("a\nb", "a\nx", "a\nx"),
        ("a\r\nb", "a\nb\nc", "a\r\nb\r\nc"),
        ("a\rb\r", "a\nx\nb\n", "a\rx\rb\r"),
        ("a\r\nb\nc\r\nd", "a\nB\nc\nd", "a\r\nB\nc\r\nd"),
        ("a\r\nb\nc\r\nd", "a\nd", "a\r\nd"),
        ("a\r\nb\nc\r\nd", "a\nb\nx\ny\nc\nd", "a\r\nb\nx\r\ny\r\nc\r\nd"),
        ("a\r\nb\n", "", ""),
        ("a\r\n\nb", "a\nb", "a\r\nb"),
        ("", "a\nb", "a\nb"),
    ],
)
def test_an_edit_keeps_line_breaks(original: str, edited: str, expected: str) -> None:
    assert with_line_breaks_of(original, edited) == expected


@given(st.text("ab\r\n\u2029"), st.text("ab\n"))
def test_an_edited_text_looks_the_same_with_its_line_breaks_restored(original: str, edited: str) -> None:
    assert with_line_feeds(with_line_breaks_of(original, edited)) == edited


@pytest.mark.parametrize("text", ["", "a", "\r\n", "a\r\n\r\nb\nc\rd", "a\u2029b\ufdd0\nc", "a\n\r\nb"])
def test_an_unedited_text_stays_as_it_was(text: str) -> None:
    assert with_line_breaks_of(text, with_line_feeds(text)) == text


def test_a_long_text_is_committed_after_a_pause(panel: CorpusPanel, session: Session, qtbot: QtBot) -> None:
    session.corpus.add_documents([text_document("a b\n" * 10_000)])
    QTest.keyClicks(editor(panel), "x")
    assert texts(session)[0].startswith("a")
    qtbot.waitUntil(lambda: texts(session)[0].startswith("xa"))


def test_a_new_document_commits_what_was_typed(panel: CorpusPanel, session: Session) -> None:
    session.corpus.add_documents([text_document("a b\n" * 10_000)])
    QTest.keyClicks(editor(panel), "x")
    session.corpus.add_documents([text_document("new", "b.txt")])
    assert [text[:3] for text in texts(session)] == ["xa ", "new"]
    assert editor(panel).text() == "new"


def test_writing_without_a_document_makes_one(panel: CorpusPanel, session: Session) -> None:
    QTest.keyClicks(editor(panel), "low low")
    assert texts(session) == ["low low"]
    assert editor(panel).textCursor().position() == 7


def test_what_hides_the_start_card_leaves_the_focus_in_the_editor(
    panel: CorpusPanel, session: Session, qtbot: QtBot
) -> None:
    with qtbot.waitActive(panel):
        panel.show()
        panel.activateWindow()
    assert label(panel, "corpusMessage").text() == "", "the middle of the window says that the corpus is empty"
    button = child(panel, QPushButton, "startSampleButton")
    button.setFocus()
    session.corpus.set_documents([CorpusDocument("pasted", TextDocument("low"))])
    assert editor(panel).hasFocus()


def test_an_empty_corpus_shows_a_message(panel: CorpusPanel, session: Session) -> None:
    session.load_sample(default_sample(), "low")
    session.cursor.step()
    editor(panel).setPlainText("")
    assert label(panel, "corpusMessage").text().startswith("The corpus is empty")
    editor(panel).undo()
    QTest.keyClicks(editor(panel), "low")
    assert numbers(panel)[0] == "3"


def test_the_statistics_keep_their_height_after_an_error(
    qtbot: QtBot, panel: CorpusPanel, session: Session, tmp_path: Path
) -> None:
    panel.resize(320, 600)
    panel.show()
    statistics = child(panel, QWidget, "corpusStatistics")
    session.corpus.add_documents([CorpusDocument("a", TextDocument("low lower"))])
    QApplication.processEvents()
    before = statistics.height()
    session.corpus.add_documents([CorpusDocument("b", FileDocument(tmp_path / "missing" / "b.txt"))])
    qtbot.waitUntil(lambda: "cannot be read" in label(panel, "corpusMessage").text())
    session.corpus.remove_document(1)
    QApplication.processEvents()
    assert numbers(panel)[0] == "9"
    assert statistics.height() == before


def test_a_million_letters_without_a_space_can_be_edited(panel: CorpusPanel, session: Session) -> None:
    panel.show()
    editor(panel).setPlainText("a" * 1_000_000)
    panel.flush()
    panel.grab()
    assert len(texts(session)[0]) == 1_000_000


def test_copying_keeps_no_break_spaces(panel: CorpusPanel) -> None:
    editor(panel).setPlainText("a\u00a0b\nc")
    editor(panel).selectAll()
    editor(panel).copy()
    assert QGuiApplication.clipboard().text() == "a\u00a0b\nc"


# -- documents --------------------------------------------------------------------------------------------------------


def test_new_documents_are_selected_and_removals_keep_the_selection(panel: CorpusPanel, session: Session) -> None:
    session.corpus.add_documents([text_document("one"), text_document("one")])
    assert document_list(panel).isVisibleTo(panel)
    session.corpus.add_documents([text_document("three", "c.txt")])
    assert document_list(panel).currentIndex().row() == 2
    assert editor(panel).text() == "three"
    document_list(panel).selectRow(1)
    session.corpus.remove_document(0)
    assert document_list(panel).currentIndex().row() == 0
    QTest.keyClicks(editor(panel), "x")
    assert texts(session) == ["xone", "three"]


def test_a_document_is_removed_and_put_back(panel: CorpusPanel, session: Session, qtbot: QtBot) -> None:
    session.corpus.add_documents([text_document(text, f"{text}.txt") for text in ("a", "b", "c")])
    document_list(panel).selectRow(1)
    with qtbot.waitActive(panel):
        panel.show()
    document_list(panel).setFocus()
    with qtbot.waitSignal(panel.document_removed) as emitted:
        QTest.keyClick(document_list(panel), Qt.Key.Key_Delete)
    assert emitted.args == ["b.txt"]
    assert titles(panel) == ["a.txt", "c.txt"]
    assert editor(panel).text() == "c"
    session.undo()
    assert titles(panel) == ["a.txt", "b.txt", "c.txt"]
    assert editor(panel).text() == "b"


def test_empty_documents_get_different_titles(panel: CorpusPanel, session: Session) -> None:
    add = child(panel, QToolButton, "addDocumentButton")
    for _ in range(3):
        add.click()
    assert titles(panel) == ["Text 1", "Text 2", "Text 3"]
    QTest.keyClicks(editor(panel), "x")
    assert texts(session) == ["", "", "x"]


def test_a_large_file_is_previewed(panel: CorpusPanel, session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    line = "low lower 你好\n".encode()
    path.write_bytes(line * (LARGE_FILE // len(line) + 1))
    session.corpus.add_documents([read_file(FileDocument(path))])
    assert document_list(panel).isVisibleTo(panel)
    assert label(panel, "corpusMessage").text() == "Counting…"
    notice = label(panel, "corpusNotice").text()
    assert "First 64 kB shown" in notice
    assert editor(panel).isReadOnly()
    assert PAGE_BYTES - len(line) < len(editor(panel).text().encode()) <= PAGE_BYTES
    scroll_bar = editor(panel).verticalScrollBar()
    QTest.keyClick(editor(panel), Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert scroll_bar.value() == scroll_bar.maximum() > 0
    QTest.keyClick(editor(panel), Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert scroll_bar.value() == 0
    QTest.keyClicks(editor(panel), "x")
    editor(panel).setPlainText("x")
    assert isinstance(session.corpus.documents[0].content, FileDocument)
    qtbot.waitUntil(lambda: session.counts.words is not None)
    assert numbers(panel)[3] == "4"
    path.write_text("wide")
    session.corpus.add_documents([text_document("b")])
    document_list(panel).selectRow(0)
    assert editor(panel).text() == "wide"
    assert "shown as it is on disk now" in label(panel, "corpusNotice").text().lower()
    assert document_list(panel).model().index(0, 1).data() == size_text(LARGE_FILE)


def test_records_are_previewed_one_after_another(panel: CorpusPanel, session: Session, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "a.jsonl"
    path.write_text('{"body": "low"}\n{"body": "lower"}\n', encoding="utf-8")
    session.corpus.add_documents([read_file(FileDocument(path, field="body"))])
    assert editor(panel).isReadOnly() and editor(panel).text() == "low\nlower\n"
    assert "One text per record, in “body”" in label(panel, "corpusNotice").text()


def test_a_missing_file_shows_its_error(panel: CorpusPanel, session: Session, tmp_path: Path) -> None:
    path = tmp_path / "gone.txt"
    session.corpus.add_documents([CorpusDocument("gone.txt", FileDocument(path), path), text_document("low")])
    document_list(panel).selectRow(0)
    assert label(panel, "corpusNotice").text().startswith(f"{path} cannot be read")
    assert editor(panel).text() == ""


def test_a_document_with_very_long_lines_is_read_only(panel: CorpusPanel, session: Session) -> None:
    session.corpus.add_documents([text_document("a" * (MAX_LINE_LENGTH + 1))])
    assert editor(panel).isReadOnly()
    assert "too long" in label(panel, "corpusNotice").text()
    session.corpus.add_documents([text_document("low", "b.txt")])
    assert not editor(panel).isReadOnly()
    assert not label(panel, "corpusNotice").isVisibleTo(panel)


def test_a_card_says_how_to_begin(panel: CorpusPanel, session: Session, qtbot: QtBot) -> None:
    panel.show()
    card = child(panel, QFrame, "startCard")
    assert card.isVisible()
    buttons = {button.objectName(): button for button in card.findChildren(QPushButton)}
    with qtbot.waitSignal(panel.open_requested):
        buttons["startOpenButton"].click()
    sample = samples()[0]
    with qtbot.waitSignal(panel.sample_requested) as emitted:
        buttons["startSampleButton"].menu().actions()[0].trigger()
    assert emitted.args == [sample]
    QGuiApplication.clipboard().setText("low lower")
    buttons["startPasteButton"].click()
    assert texts(session) == ["low lower"]
    assert not card.isVisible()
    editor(panel).clear()
    assert card.isVisible()
    session.corpus.add_documents([text_document("low", "b.txt")])
    assert not card.isVisible()


@pytest.mark.parametrize("size", [(960, 720), (1280, 800)])
def test_a_click_in_the_middle_of_the_empty_editor_is_for_the_text(window: MainWindow, size: tuple[int, int]) -> None:
    window.session.replace_documents([])
    window.resize(*size)
    QApplication.processEvents()
    edit = child(window, PlainTextEdit, "corpusEditor")
    assert child(window, QFrame, "startCard").isVisible()
    middle = edit.mapTo(window, edit.rect().center())
    clicked = window.childAt(middle)
    assert clicked is not None
    assert not isinstance(clicked, QPushButton)
    QTest.mouseClick(clicked, Qt.MouseButton.LeftButton, pos=clicked.mapFrom(window, middle))
    assert QApplication.focusWidget() is edit


@pytest.mark.parametrize("on_editor", [False, True])
def test_the_panel_lights_up_while_files_are_over_it(panel: CorpusPanel, tmp_path: Path, on_editor: bool) -> None:
    panel.show()
    light = panel.findChild(DropHighlight)
    assert light is not None and not light.isVisible()
    target = editor(panel).viewport() if on_editor else panel
    data, point, copy = files_of(tmp_path / "a.txt"), QPointF(5, 5), Qt.DropAction.CopyAction
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(target, QDragEnterEvent(point.toPoint(), copy, data, _LEFT_BUTTON, none))
    assert light.isVisible() and light.geometry() == panel.rect()
    QApplication.sendEvent(target, QDragLeaveEvent())
    assert not light.isVisible()
    text = QMimeData()
    text.setText("low")
    QApplication.sendEvent(target, QDragEnterEvent(point.toPoint(), copy, text, _LEFT_BUTTON, none))
    assert not light.isVisible()


def test_buttons_ask_for_files_and_samples(panel: CorpusPanel, qtbot: QtBot) -> None:
    open_button = panel.findChild(QToolButton, "openCorpusButton")
    sample_button = panel.findChild(QToolButton, "sampleButton")
    assert open_button is not None and sample_button is not None
    with qtbot.waitSignal(panel.open_requested):
        open_button.click()
    actions = sample_button.menu().actions()
    assert [action.text() for action in actions] == [sample.title("en") for sample in samples()]
    with qtbot.waitSignal(panel.sample_requested) as emitted:
        actions[2].trigger()
    assert emitted.args == [samples()[2]]


# -- special tokens and recipe ----------------------------------------------------------------------------------------


def test_special_tokens_are_one_a_line(panel: CorpusPanel, session: Session) -> None:
    tokens_edit(panel).setPlainText("<|end of text|>\n<s>\n")
    assert session.corpus.special_tokens == ("<|end of text|>", "<s>")
    session.corpus.set_special_tokens(["<x>"])
    assert tokens_edit(panel).tokens() == ("<x>",)


def test_what_looks_like_a_special_token_is_offered_while_there_are_none(panel: CorpusPanel, session: Session) -> None:
    offer = label(panel, "offeredSpecialTokens")
    editor(panel).setPlainText("once <|endoftext|> upon <|pad|> a <|endoftext|> time <|x y|>")
    assert offer.isVisibleTo(panel) and "&lt;|endoftext|&gt;, &lt;|pad|&gt; special" in offer.text()
    offer.linkActivated.emit("special")
    assert session.corpus.special_tokens == ("<|endoftext|>", "<|pad|>")
    assert not offer.isVisibleTo(panel)
    tokens_edit(panel).setPlainText("")
    assert offer.isVisibleTo(panel)
    editor(panel).setPlainText("low <lower>")
    assert not offer.isVisibleTo(panel)


@pytest.mark.parametrize(("typed", "message"), [("<s>\n<s>", "occurs twice"), ("<s>\n\n<t>", "number 2 is empty")])
def test_invalid_special_tokens_stay_with_their_error(
    panel: CorpusPanel, session: Session, typed: str, message: str
) -> None:
    session.load_sample(default_sample(), "low")
    tokens_edit(panel).setPlainText(typed)
    assert message in label(panel, "specialTokensError").text()
    session.corpus.set_vocab_size(session.corpus.vocab_size + 1)
    assert tokens_edit(panel).text() == typed
    assert label(panel, "specialTokensError").isVisibleTo(panel)
    assert session.corpus.special_tokens == ("<|endoftext|>",)
    tokens_edit(panel).setPlainText("<s>")
    assert not label(panel, "specialTokensError").isVisibleTo(panel)
    assert session.corpus.special_tokens == ("<s>",)


def test_the_field_for_special_tokens_grows_with_them(panel: CorpusPanel) -> None:
    field = tokens_edit(panel)
    heights = []
    for lines in (1, 3, 4, 9):
        field.set_tokens(f"<{index}>" for index in range(lines))
        heights.append(field.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_the_recipe_is_summarised_and_changed_in_a_dialog(panel: CorpusPanel, session: Session) -> None:
    assert label(panel, "recipeSummary").text() == "cs336: bytes · gpt2 splitting · ties go to the pair that sorts last"
    button = child(panel, QPushButton, "recipeButton")
    button.click()
    dialog = panel.findChild(RecipeDialog)
    assert dialog is not None
    preset = child(dialog, QComboBox, "recipe_preset")
    preset.setCurrentIndex(preset.findData("bbpe"))
    preset.activated.emit(preset.currentIndex())
    dialog.accept()
    assert session.corpus.recipe == Recipe.of("bbpe")
    assert label(panel, "recipeSummary").text().startswith("bbpe: bytes")


def test_special_tokens_that_training_merges_are_told(panel: CorpusPanel, session: Session) -> None:
    told = " · special tokens as text"
    session.corpus.set_recipe(Recipe.of("minbpe"))
    summary = label(panel, "recipeSummary").text()
    assert told not in summary
    tokens_edit(panel).setPlainText("<|endoftext|>")
    assert label(panel, "recipeSummary").text() == summary + told
    assert "like on any other text" in tokens_edit(panel).toolTip()
    session.corpus.set_recipe(Recipe.of("cs336"))
    assert told not in label(panel, "recipeSummary").text()
    assert "Merges never cross them" in tokens_edit(panel).toolTip()


# -- the rest ---------------------------------------------------------------------------------------------------------


def test_an_error_inside_an_error_is_told() -> None:
    inner = EngineError("step {step} does not exist", step=9)
    assert error_message(EngineError("It failed: {reason}.", reason=inner)) == "It failed: step 9 does not exist."


def test_numbers_have_separators(qapp: QApplication) -> None:
    assert number(9743) == "9,743"
    assert number(2**70) == str(2**70)
    assert size_text(104_857_600) == "104.9 MB"
    assert size_text(64_000, 0) == "64 kB"


# -- many documents ----------------------------------------------------------------------------------------------------


@pytest.fixture
def many(panel: CorpusPanel, session: Session) -> DocumentList:
    """The list of 300 documents, the later the longer."""
    session.corpus.add_documents([text_document("x" * (400 + number), f"{number:03}.txt") for number in range(300)])
    panel.resize(330, 800)
    panel.show()
    return child(panel, DocumentList, "documentList")


def names(many: DocumentList) -> list[str]:
    return [many.table_model.index(row, 0).data() for row in range(many.table_model.rowCount())]


def test_many_documents_are_counted_and_their_sizes_whole(panel: CorpusPanel, many: DocumentList) -> None:
    assert label(panel, "documentCount").text() == "300 documents"
    assert many.height() > 10 * many.rowHeight(0)
    widest = max((many.table_model.index(row, 1).data() for row in range(300)), key=many.width_of)
    assert widest == "400 bytes" and many.columnWidth(1) >= many.width_of(widest)


def test_many_documents_are_filtered_and_sorted(panel: CorpusPanel, session: Session, many: DocumentList) -> None:
    many.choose(17)
    field = child(panel, QLineEdit, "documentFilter")
    field.setText("17.TXT")
    assert names(many) == ["017.txt", "117.txt", "217.txt"]
    assert many.row == 17, "the document stays"
    many.choose(217)
    assert child(panel, PlainTextEdit, "corpusEditor").text() == "x" * 617
    panel.remove_selected_document()
    assert names(many) == ["017.txt", "117.txt"]
    assert "217.txt" not in [document.title for document in session.corpus.documents]
    field.clear()
    many.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert names(many)[:2] == ["299.txt", "298.txt"]
    many.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert names(many)[:2] == ["000.txt", "001.txt"]
