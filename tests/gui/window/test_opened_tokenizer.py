"""Opening a tokenizer: the cursor moves over its merges, and back to the run when it is closed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QColor, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QTableView,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import (
    FORMATS,
    Pipeline,
    Progress,
    ReadTokenizer,
    Strip,
    Tokenizer,
    TokenizerSource,
    is_tokenizer,
    load,
    save,
    save_obstacle,
    train,
    wildcards,
)
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.gui.dialogs.tokenizer_dialogs import RanksDialog, parsed_special_tokens
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.merge_model import MergeColumn
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.views.timeline_view import TimelineView
from bpe_gui.samples import default_sample
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import notice_text, notices

TEXT = "low lower lowest newer newest wider widest"
RUN_STEP = 3
_LEFT = Qt.MouseButton.LeftButton
_NO_KEYS = Qt.KeyboardModifier.NoModifier
_COPY = Qt.DropAction.CopyAction


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.cursor.seek(RUN_STEP)
    return window


def tokenizers() -> Iterator[Tokenizer]:
    """Yield tokenizers of several kinds, so that each format can hold one of them."""
    for recipe in ("tiktoken", "subword-nmt", "char-eow", "sentencepiece"):
        yield train(TEXT * 3, recipe=recipe, num_merges=8)


def saved(path: Path, name: str = "gpt2") -> Path:
    """Save a small tokenizer in a format and return its file or folder."""
    save(next(each for each in tokenizers() if save_obstacle(each, name) is None), path, name)
    return path


def open_in(qtbot: QtBot, session: Session, path: Path) -> OpenedTokenizer:
    before = session.opened.tokenizer
    session.opened.open(TokenizerSource(path))
    return wait_for_other(qtbot, session, before)


def wait_for_other(qtbot: QtBot, session: Session, before: OpenedTokenizer | None = None) -> OpenedTokenizer:
    qtbot.waitUntil(lambda: session.opened.tokenizer is not before)
    assert session.opened.tokenizer is not None
    return session.opened.tokenizer


def merge_rows(window: QWidget) -> list[str]:
    model = child(window, QTableView, "mergeTable").model()
    return [model.index(row, MergeColumn.MERGE).data() for row in range(model.rowCount())]


def click_merge(window: QWidget, row: int) -> None:
    table = child(window, QTableView, "mergeTable")
    table.scrollTo(table.model().index(row, MergeColumn.MERGE))
    area = table.visualRect(table.model().index(row, MergeColumn.MERGE))
    QTest.mouseClick(table.viewport(), _LEFT, pos=area.center())


def is_idle(session: Session) -> bool:
    return session.work.activity is Activity.IDLE


def ids(session: Session) -> list[int]:
    assert session.text.live.encoding is not None
    return session.text.live.encoding.ids


def test_the_cursor_moves_over_the_merges_of_every_format(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    session.text.set_content("newest wider")
    for name in (name for name, known in FORMATS.items() if known.load and known.contents):
        path = saved(tmp_path / f"{name}{FORMATS[name].suffix or ''}", name)
        assert is_tokenizer(path), name
        expected = load(path, pattern="gpt2" if name == "tiktoken" else None)
        opened = open_in(qtbot, session, path)
        assert opened.format == name
        assert session.cursor.position == session.cursor.run_length == len(expected.merges), name
        assert len(merge_rows(window)) == len(expected.merges), name
        assert f"{len(expected.merges)} merges" in label_text(window, "openedTokenizerLabel"), name
        for step in (0, 1, len(expected.merges) // 2, len(expected.merges)):
            session.cursor.seek(step)
            qtbot.waitUntil(lambda: session.text.live.encoding is not None)
            assert ids(session) == expected.at(step).with_unknown_id(-1).encode("newest wider"), (name, step)


def test_a_json_file_that_is_not_a_tokenizer_is_opened_as_text(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text('{"text": "low lower"}')
    window.open_paths([tmp_path / "data.json"])
    assert [document.title for document in window.session.corpus.documents] == ["data.json"]


def test_everything_follows_the_cursor_and_the_run_is_unchanged_afterwards(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    session = window.session
    session.text.set_content("lowest")
    before, run_ids = merge_rows(window), ids(session)
    opened = open_in(qtbot, session, saved(tmp_path / "it"))
    assert label_text(window, "stepLabel") == "step 8 of 8"
    session.cursor.seek(1000)
    assert session.cursor.position == 8
    child(window, QSpinBox, "goToSpin").setValue(2)
    assert session.cursor.position == 2
    assert label_text(window, "mergeCountLabel") == "2 of 8"
    assert child(window, TimelineView, "timeline").value() == 2
    assert label_text(window, "vocabularySummary") == f"{opened.entry_count - 6} entries"
    click_merge(window, 4)
    assert session.cursor.position == 5
    assert child(window, QTableView, "mergeTable").currentIndex().row() == 4
    window.actions_by_name["step"].trigger()
    assert session.cursor.position == 6
    window.actions_by_name["first"].trigger()
    assert ids(session) == list(b"lowest")
    window.actions_by_name["last"].trigger()
    assert session.cursor.position == 8
    child(window, QPushButton, "closeTokenizerButton").click()
    assert session.opened.tokenizer is None
    assert session.cursor.position == RUN_STEP
    assert merge_rows(window) == before
    assert ids(session) == run_ids
    assert child(window, TimelineView, "timeline").value() == RUN_STEP
    assert child(window, QSpinBox, "goToSpin").value() == RUN_STEP


def test_playing_ends_at_the_last_merge(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    open_in(qtbot, session, saved(tmp_path / "it"))
    session.cursor.first()
    session.cursor.play(1000)
    qtbot.waitUntil(lambda: session.cursor.position == 8 and not session.cursor.playing)
    assert not window.actions_by_name["step"].isEnabled()


def test_pairs_and_words_that_a_tokenizer_lacks_are_not_shown(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    pairs, words = child(window, QWidget, "pairTable"), child(window, QWidget, "wordTable")
    open_in(qtbot, window.session, saved(tmp_path / "it"))
    assert not pairs.isVisible()
    assert not words.isVisible()
    assert "without its corpus" in label_text(window, "reasonLabel")
    window.session.opened.close()
    assert pairs.isVisible()
    assert words.isVisible()
    assert "is next" in label_text(window, "reasonLabel")


def test_controls_of_the_run_are_hidden(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    panel, controls = child(window, QWidget, "corpusPanel"), child(window, QWidget, "runControls")
    play = child(window, QWidget, "playButton")
    before = play.geometry()

    def color() -> QColor:
        return child(window, PlainTextEdit, "corpusEditor").palette().text().color()

    normal = color()
    open_in(qtbot, window.session, saved(tmp_path / "it"))
    assert "Run’s corpus" in [label.text() for label in panel.findChildren(QLabel)]
    assert color() != normal, "quiet, since nothing trains on it"
    assert not controls.isVisible()
    QApplication.processEvents()
    assert play.geometry() == before
    window.session.opened.close()
    assert "Corpus" in [label.text() for label in panel.findChildren(QLabel)]
    assert color() == normal
    assert controls.isVisible()


def test_gaps_in_the_ids_are_told(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    tokenizer = Tokenizer({0: b"a", 7: b"b"}, [], recipe="cs336-toy")
    window.session.opened.show(OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(tmp_path / "it"), "gpt2")))
    assert "2 entries · ids up to 7" in label_text(window, "openedTokenizerLabel")


def test_filtering_the_merges(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session, field = window.session, child(window, QLineEdit, "mergeFilter")
    open_in(qtbot, session, saved(tmp_path / "it"))
    rows = merge_rows(window)
    child(window, QTableView, "mergeTable").setFocus()
    QTest.keyClick(child(window, QTableView, "mergeTable"), Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert field.hasFocus()
    QTest.keyClicks(field, "we")
    found = [row for row in rows if "we" in row.partition("→")[2]]
    assert merge_rows(window) == found
    assert label_text(window, "mergeCountLabel") == "3 of 8"
    click_merge(window, 0)
    assert session.cursor.position == rows.index(found[0]) + 1
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert session.cursor.position == rows.index(found[1]) + 1
    session.cursor.step()  # to a merge that the filter hides
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert session.cursor.position == rows.index(found[2]) + 1
    session.opened.close()
    assert len(merge_rows(window)) == RUN_STEP


def test_counts_are_shown_if_the_file_has_them(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folder = saved(tmp_path / "it")
    table = child(window, QTableView, "mergeTable")
    open_in(qtbot, window.session, folder)
    assert table.model().index(0, MergeColumn.COUNT).data().startswith("×")
    (folder / "training.json").unlink()
    open_in(qtbot, window.session, folder)
    assert table.isColumnHidden(MergeColumn.COUNT)
    window.session.opened.close()
    assert not table.isColumnHidden(MergeColumn.COUNT)


def test_the_current_merge_stays_in_view_when_the_tables_are_rearranged(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    text = "".join(map(chr, range(0x4E00, 0x4E60)))
    save(train(text * 2, num_merges=150), tmp_path)
    table = child(window, QTableView, "mergeTable")

    def is_in_view() -> bool:
        index: QModelIndex = table.currentIndex()
        return index.isValid() and table.viewport().rect().contains(table.visualRect(index))

    open_in(qtbot, window.session, tmp_path)
    qtbot.waitUntil(is_in_view)
    window.session.cursor.seek(60)
    assert is_in_view()
    window.session.opened.close()
    qtbot.waitUntil(is_in_view)
    assert table.currentIndex().row() == RUN_STEP - 1


def test_only_a_single_step_flashes(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flashes: list[bool] = []
    shown = TokenEdit.set_source

    def remember(view: TokenEdit, *source: Any, flash: bool = False, seam: int | None = None) -> None:
        flashes.append(flash)
        shown(view, *source, flash=flash, seam=seam)

    monkeypatch.setattr(TokenEdit, "set_source", remember)
    window.session.cursor.seek(7)  # next to the last step of the opened tokenizer
    window.session.text.set_content("lowest")
    flashes.clear()
    open_in(qtbot, window.session, saved(tmp_path / "it"))
    assert flashes == [False]
    window.session.cursor.step_back()
    assert flashes == [False, True]
    window.session.opened.close()
    assert flashes == [False, True, False]


def test_restarting_and_opening_a_sample_go_back_to_the_run(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folder = saved(tmp_path / "it")
    open_in(qtbot, window.session, folder)
    window.restart()
    assert window.session.opened.tokenizer is None
    assert window.session.cursor.position == 0
    open_in(qtbot, window.session, folder)
    window.open_sample(default_sample())
    assert window.session.opened.tokenizer is None


def test_opening_a_tokenizer_during_training(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    session.corpus.set_vocab_size(280)
    session.train()
    opened = open_in(qtbot, session, saved(tmp_path / "it"))
    session.cursor.seek(2)
    qtbot.waitUntil(lambda: is_idle(session))
    assert session.opened.tokenizer is opened
    assert session.cursor.position == 2
    session.opened.close()
    assert session.cursor.position == session.cursor.run_length > RUN_STEP


def test_editing_the_corpus_while_a_tokenizer_is_open(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    session.cursor.first()
    session.restart()
    opened = open_in(qtbot, session, saved(tmp_path / "it"))
    session.corpus.edit_document(0, "ab ab ab")
    assert session.opened.tokenizer is opened
    assert session.cursor.run_length == 8
    session.opened.close()
    assert (session.cursor.position, session.cursor.run_length) == (0, 0)
    session.cursor.step()
    assert merge_rows(window) == ["a + b → ab"]


def test_opening_a_tokenizer_without_a_run(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    session.corpus.edit_document(0, "")
    session.restart()
    session.text.set_content("newest")
    assert session.cursor.steps is None
    open_in(qtbot, session, saved(tmp_path / "it"))
    assert len(merge_rows(window)) == 8
    assert ids(session)
    assert child(window, QPushButton, "closeTokenizerButton").isVisible()


# -- opening ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SlowSource(TokenizerSource):
    """A source that blocks until it is released."""

    may_go: Event = field(default_factory=Event)

    def read(self, progress: Progress = lambda _done, _total: None) -> ReadTokenizer:
        self.may_go.wait(20)
        return TokenizerSource(self.path).read(progress)


@pytest.fixture
def slow_source(tmp_path: Path) -> Iterator[SlowSource]:
    source = SlowSource(saved(tmp_path / "slow"))
    yield source
    source.may_go.set()


def test_opening_is_shown_and_can_be_cancelled(qtbot: QtBot, window: MainWindow, slow_source: SlowSource) -> None:
    session = window.session
    session.opened.open(slow_source)
    assert session.work.activity is Activity.OPENING
    assert label_text(window, "activityLabel") == "Opening slow…"
    assert child(window, QWidget, "activityProgress").isVisible()
    window.actions_by_name["cancel"].trigger()
    assert is_idle(session)
    slow_source.may_go.set()
    opened = open_in(qtbot, session, saved(slow_source.path.parent / "other"))
    assert opened.source.path.name == "other"  # and not the cancelled one


def test_the_last_of_two_is_opened(qtbot: QtBot, window: MainWindow, slow_source: SlowSource, tmp_path: Path) -> None:
    window.session.opened.open(slow_source)
    window.session.opened.open(TokenizerSource(saved(tmp_path / "second")))
    slow_source.may_go.set()
    assert wait_for_other(qtbot, window.session).name == "second"


def test_closing_the_window_while_a_tokenizer_is_read(window: MainWindow, slow_source: SlowSource) -> None:
    window.session.opened.open(slow_source)
    slow_source.may_go.set()
    window.close()
    assert window.session.opened.tokenizer is None


def test_a_file_that_cannot_be_read_changes_nothing(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    opened = open_in(qtbot, session, saved(tmp_path / "it"))
    session.cursor.seek(5)
    (tmp_path / "bad.tiktoken").write_text("no ranks\n")
    window.open_paths([tmp_path / "bad.tiktoken"])
    qtbot.waitUntil(lambda: child(window, QWidget, "noticeBar").isVisible())
    assert "bad.tiktoken" in notice_text(window)
    assert session.opened.tokenizer is opened
    assert session.cursor.position == 5
    assert is_idle(session)


def test_the_file_dialog_filters_by_the_names_of_all_formats(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, filters = saved(tmp_path / "it"), ""

    def choose(_parent: QWidget, _title: str, _folder: str, offered: str) -> tuple[str, str]:
        nonlocal filters
        filters = offered
        return str(folder / "vocab.json"), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    action: QAction = window.actions_by_name["open_tokenizer"]
    action.trigger()
    assert wait_for_other(qtbot, window.session).name == "it/vocab.json"
    for name, patterns in wildcards().items():
        assert f"{name} ({' '.join(patterns)})" in filters
    assert {"*.tiktoken", "*.model.v*"} <= {*filters.split(";;")[0].strip("()").split()}


def mime(path: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    return data


def test_dropping_a_tokenizer_on_the_window_opens_it(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    titles = [document.title for document in window.session.corpus.documents]
    for name in ("corpusPanel", "encodeInput", "window"):
        path = saved(tmp_path / f"{name}.tiktoken", "tiktoken")
        target: Any = window if name == "window" else child(window, QWidget, name)
        data, before = mime(path), window.session.opened.tokenizer
        enter = QDragEnterEvent(QPoint(5, 5), _COPY, data, _LEFT, _NO_KEYS)
        target.dragEnterEvent(enter)
        assert enter.isAccepted(), name
        target.dropEvent(QDropEvent(QPointF(5, 5), _COPY, data, _LEFT, _NO_KEYS))
        assert wait_for_other(qtbot, window.session, before).source.path == path
        assert [document.title for document in window.session.corpus.documents] == titles, name


@pytest.mark.parametrize("name", ["corpusEditor", "specialTokensEdit"])
def test_dropping_a_tokenizer_on_the_text_opens_it(qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str) -> None:
    path = saved(tmp_path / "it.tiktoken", "tiktoken")
    target = child(window, PlainTextEdit, name)
    before = target.text()
    target.insertFromMimeData(mime(path))
    wait_for_other(qtbot, window.session)
    assert target.text() == before


def test_a_tokenizer_of_several_files_is_opened_once(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folder = saved(tmp_path / "it")
    titles = [document.title for document in window.session.corpus.documents]
    window.open_paths([folder / "vocab.json", folder / "merges.txt", folder / "training.json"])
    assert len(merge_rows(window)) != 8
    wait_for_other(qtbot, window.session)
    assert [document.title for document in window.session.corpus.documents] == titles


def test_the_notice_offers_to_ask_about_ranks_of_unknown_origin(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    session = window.session
    path = saved(tmp_path / "it.tiktoken", "tiktoken")
    session.text.set_content("12345 <end>")
    first = open_in(qtbot, session, path)
    assert "has no splitting pattern" in notice_text(window)
    notice = child(window, QWidget, "noticeBar")
    next(each for each in notice.findChildren(QPushButton) if each.text().startswith("Pattern")).click()
    dialog = child(window, RanksDialog, "ranksDialog")
    assert child(dialog, PlainTextEdit, "ranksSpecialTokens").placeholderText().endswith(" 264")
    pattern, tokens = child(dialog, QComboBox, "ranksPattern"), child(dialog, PlainTextEdit, "ranksSpecialTokens")
    ok = child(dialog, QPushButton, "ranksOpenButton")
    pattern.setEditText("(")
    assert not ok.isEnabled()
    assert "regular expression is not valid" in label_text(dialog, "ranksComplaint")
    pattern.setEditText(r"a\K")
    assert not ok.isEnabled()
    assert "which is not supported" in label_text(dialog, "ranksComplaint")
    pattern.setEditText("cl100k")
    tokens.setPlainText("<end>\n<pad> 500")
    ok.click()
    second = wait_for_other(qtbot, session, first)
    assert second.source.special_tokens == {"<end>": 264, "<pad>": 500}
    assert session.cursor.tokenizer is not None
    assert session.cursor.tokenizer.recipe.splitter == "cl100k"
    assert ids(session)[-1] == 264
    qtbot.waitUntil(notice.isHidden)


def ask_about_ranks(window: MainWindow) -> RanksDialog:
    """Click the button in the bar and return the dialog that it opens."""
    child(window, QPushButton, "openedPatternButton").click()
    return window.findChildren(RanksDialog)[-1]


def test_the_dialog_stays_open_until_the_ranks_can_be_read(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session, path = window.session, saved(tmp_path / "it.tiktoken", "tiktoken")
    first = open_in(qtbot, session, path)
    dialog = ask_about_ranks(window)
    tokens, ok = child(dialog, PlainTextEdit, "ranksSpecialTokens"), child(dialog, QPushButton, "ranksOpenButton")
    tokens.setPlainText("<end> 260")
    assert "has the id 260, which" in label_text(dialog, "ranksComplaint")
    assert not ok.isEnabled()
    tokens.setPlainText("<end> 400")
    hidden = path.rename(tmp_path / "hidden")
    ok.click()
    qtbot.waitUntil(lambda: "does not exist" in label_text(dialog, "ranksComplaint"))
    assert dialog.isVisible()
    assert tokens.text() == "<end> 400"
    assert session.opened.tokenizer is first
    hidden.rename(path)
    ok.click()
    wait_for_other(qtbot, session, first)
    qtbot.waitUntil(lambda: not window.findChildren(RanksDialog))
    qtbot.waitUntil(child(window, QWidget, "noticeBar").isHidden)


def test_the_dialog_remembers_the_pattern_and_the_special_tokens(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    session, path = window.session, saved(tmp_path / "it.tiktoken", "tiktoken")
    session.opened.open(TokenizerSource(path, "cl100k", {"<end>": 400}))
    wait_for_other(qtbot, session)
    dialog = ask_about_ranks(window)
    assert child(dialog, QComboBox, "ranksPattern").currentText() == "cl100k"
    assert child(dialog, PlainTextEdit, "ranksSpecialTokens").text() == "<end> 400"
    dialog.reject()
    open_in(qtbot, session, saved(tmp_path / "gpt2"))
    assert child(window, QPushButton, "openedPatternButton").isHidden()  # this format has a pattern


def test_special_tokens_without_ids_get_the_first_free_ones() -> None:
    given = parsed_special_tokens("<a>\n\n<b> 1\n<c>", {0, 2})
    assert given == {"<a>": 3, "<b>": 1, "<c>": 4}


def test_the_keys_of_the_cursor_work_after_closing_the_tokenizer(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    child(window, QTableView, "pairTable").setFocus()
    open_in(qtbot, window.session, saved(tmp_path / "it"))
    assert child(window, QTableView, "mergeTable").hasFocus()
    button = child(window, QPushButton, "closeTokenizerButton")
    button.setFocus()
    button.click()
    assert child(window, QTableView, "pairTable").hasFocus()


def test_the_title_names_the_tokenizer(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    before = window.windowTitle()
    open_in(qtbot, window.session, saved(tmp_path / "it.tiktoken", "tiktoken"))
    assert window.windowTitle() == f"it.tiktoken · {before}"
    window.session.opened.close()
    assert window.windowTitle() == before


def test_the_bytes_behind_a_token_are_shown(qtbot: QtBot, window: MainWindow) -> None:
    pipeline = Pipeline(model=ModelOptions(falls_back_to_bytes=True))
    vocab = {0: b"a", 1: b"<0xC3>", 2: b"<0xA9>"}
    source = TokenizerSource(Path("it.json"))
    window.session.opened.show(
        OpenedTokenizer(ReadTokenizer(Tokenizer(vocab, [], pipeline=pipeline), source, "huggingface"))
    )
    window.session.text.set_content("é")
    qtbot.waitUntil(lambda: label_text(window, "inspectorBytes") == "c3")
    table = child(window, QTableView, "vocabularyTable").model()
    row = [table.index(1, column).data() for column in range(table.columnCount())]
    assert row == ["1", "<0xC3>", "c3", "1", "alphabet"]
    child(window, QLineEdit, "vocabularyFilter").setText("a9")
    assert [table.index(row, 0).data() for row in range(table.rowCount())] == ["2"]


def test_replay_explains_that_a_special_token_has_no_merges(qtbot: QtBot, window: MainWindow) -> None:
    tokenizer = Tokenizer({i: bytes([i]) for i in range(256)}, [], {"<end>": 256})
    window.session.opened.show(OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(Path("it")), "tiktoken")))
    child(window, QTabWidget, "tokenFacts").setCurrentIndex(1)
    window.session.text.set_content("<end>")
    table = child(window, Table, "replayTable")
    qtbot.waitUntil(lambda: "cut out before any merge" in table.hint)
    window.session.text.set_content("end")
    qtbot.waitUntil(lambda: table.model().rowCount() > 0)


def test_replay_explains_why_it_cannot_show_a_word(qtbot: QtBot, window: MainWindow) -> None:
    vocab = {**{i: bytes([i]) for i in range(256)}, 256: b"aa"}
    tokenizer = Tokenizer(vocab, [(b"a", b"a")], pipeline=Pipeline(normalizers=(Strip(True, True),)))
    window.session.opened.show(OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(Path("it")), "huggingface")))
    child(window, QTabWidget, "tokenFacts").setCurrentIndex(1)
    table = child(window, Table, "replayTable")
    window.session.text.set_content("a" * 100_000)
    qtbot.waitUntil(lambda: table.hint.startswith("The text is too long"))
    window.session.text.set_content("a" * 5_000)
    qtbot.waitUntil(lambda: table.hint == "This word is too long for its merges to be shown.")
    window.session.text.set_content("words")
    qtbot.waitUntil(lambda: table.model().rowCount() > 0)


@pytest.mark.parametrize("text", ["<a> 7\n<b> 7", "<a> 7\n<a> 8"])
def test_conflicting_special_tokens_are_refused(qtbot: QtBot, text: str) -> None:
    dialog = RanksDialog("x.tiktoken", "gpt2", {}, {})
    qtbot.addWidget(dialog)
    child(dialog, PlainTextEdit, "ranksSpecialTokens").setPlainText(text)
    assert "Line 2" in label_text(dialog, "ranksComplaint")
    assert not child(dialog, QPushButton, "ranksOpenButton").isEnabled()


def test_every_control_of_the_dialog_and_the_bar_has_an_accessible_name(qtbot: QtBot, window: MainWindow) -> None:
    dialog = RanksDialog("x.tiktoken", "gpt2", {}, {})
    qtbot.addWidget(dialog)
    for name in ("ranksPattern", "ranksSpecialTokens"):
        assert child(dialog, QWidget, name).accessibleName()
    assert child(window, QWidget, "openedTokenizerBar").isHidden()
    assert child(window, QPushButton, "closeTokenizerButton").accessibleName()
    assert not child(window, QLabel, "openedTokenizerLabel").accessibleName()  # it would hide the text


def test_what_a_file_leaves_open_is_said(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    (saved(tmp_path / "it") / "training.json").unlink()
    opened = open_in(qtbot, window.session, tmp_path / "it")
    note = opened.tokenizer().notes[0]
    qtbot.waitUntil(lambda: notices(window) == [f"it: {note}"])
    switcher = child(window, QComboBox, "tokenizerSwitcher")
    assert switcher.toolTip().splitlines() == [str(tmp_path / "it"), "Splitter: gpt2", str(note)]
