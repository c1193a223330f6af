"""The questions that people ask about a run are each answered within three actions, with the truth of the reference."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMenu, QTableView, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, Merge, Recipe, TextDocument, save, train
from bpe_gui.engine.training.reference import ReferenceTrainer
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.tables.pair_model import PairColumn
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import TIE_MARK
from bpe_gui.gui.tables.vocabulary_model import VocabularyColumn
from bpe_gui.gui.tools.comparison.compare_page import ComparePage
from bpe_gui.gui.views.chip_text import ChipText
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.wording.sentences import ShownStep, ShownToken
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import ids, point_on_token

WORDS = {"kid": 3, "king": 4, "sky": 2, "is": 1, "ink": 1}
CORPUS = " ".join(word for word, count in WORDS.items() for _time in range(count))
RECIPE = Recipe.of("cs336-toy")
TEXT = "king kid sky"
Splits = dict[str, tuple[bytes, ...]]
MAX_ACTIONS = 3
CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@dataclass
class User:
    """Somebody at the window, whose actions are counted: clicks, keys, and texts typed or selected."""

    window: MainWindow
    actions: int = 0

    def click(self, widget: QWidget, point: QPoint | None = None) -> None:
        self.actions += 1
        while not widget.width():  # until the page that it is on has been laid out
            QApplication.processEvents()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=point or widget.rect().center())

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.actions += 1
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifiers)

    def type(self, text: str) -> None:
        self.actions += 1
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClicks(focused, text)

    def click_page(self, name: str) -> None:
        """Click on the tab of a page about the token."""
        tabs = child(self.window, QTabWidget, "tokenFacts")
        self.click(tabs.tabBar(), tabs.tabBar().tabRect(tabs.indexOf(child(tabs, QWidget, name))).center())

    def choose_file(self, path: Path) -> tuple[str, str]:
        """Choose a file in a dialog that is open, and return what the dialog returns."""
        self.actions += 1
        return str(path), ""

    def click_row(self, name: str, is_wanted: Callable[[int], bool], column: int) -> None:
        table = child(self.window, QTableView, name)
        row = next(filter(is_wanted, range(table.model().rowCount())))
        index = table.model().index(row, column)
        table.scrollTo(index)
        self.click(table.viewport(), table.visualRect(index).center())

    def click_token(self, index: int) -> None:
        self.click(self.viewport, point_on_token(self.window, index))

    def select_text(self, start: int, stop: int) -> None:
        """Drag the mouse over text; in the test, where a drag leads is set."""
        self.actions += 1
        child(self.window, TokenEdit, "encodeInput").set_selection(start, stop)

    def open_menu(self) -> None:
        self.actions += 1
        middle = self.viewport.rect().center()
        where = self.viewport.mapToGlobal(middle)
        QApplication.sendEvent(self.viewport, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, middle, where))

    def choose(self, name: str) -> None:
        self.actions += 1
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        next(action for action in menu.actions() if action.objectName() == name).trigger()
        menu.close()

    @property
    def viewport(self) -> QWidget:
        return child(child(self.window, QWidget, "encodeInput"), QWidget, "qt_scrollarea_viewport")


@pytest.fixture(params=["en", "zh_CN"])
def window(window: MainWindow, qtbot: QtBot, request: pytest.FixtureRequest) -> MainWindow:
    window.session.corpus.add_documents([CorpusDocument("words", TextDocument(CORPUS))], instead=True)
    window.session.corpus.set_recipe(RECIPE)
    window.session.restart()
    qtbot.waitUntil(lambda: window.session.cursor.trainer is not None)
    window.session.text.set_content(TEXT)
    if request.param != "en":
        window.choose_language(request.param)
        with qtbot.waitActive(window):
            window.activateWindow()
    return window


@pytest.fixture
def user(window: MainWindow) -> Iterator[User]:
    user = User(window)
    yield user
    assert user.actions <= MAX_ACTIONS


def reference_at(position: int) -> ReferenceTrainer:
    reference = ReferenceTrainer(WORDS, RECIPE)
    for _step in range(position):
        reference.step()
    return reference


def splits_at(position: int) -> Splits:
    return dict(zip(WORDS, (symbols for symbols, _count in reference_at(position).split_words()), strict=True))


def edges(symbols: tuple[bytes, ...]) -> set[int]:
    """Return the offsets at which the symbols of a word begin and end."""
    return {sum(map(len, symbols[:count])) for count in range(len(symbols) + 1)}


def merge_that_takes(word: str, start: int, stop: int) -> Merge:
    """Return the first merge after which the bytes [start, stop) of a word begin or end inside a token."""
    position = 1
    while {start, stop} <= edges(splits_at(position)[word]):
        position += 1
    return reference_at(position).merges[-1]


def answer_about(qtbot: QtBot, window: MainWindow, merge: Merge) -> None:
    """Wait for an answer whose first sentence names a merge: its two parts and its step."""
    answer = child(window, ChipText, "whyNotAnswer")
    wanted = {ShownToken(merge.left), ShownToken(merge.right), ShownStep(merge.rank + 1)}
    qtbot.waitUntil(lambda: set(answer.targets[:3]) == wanted)


def numbers_in(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", text)]


def shown_ids(window: MainWindow) -> list[int]:
    """Return the ids of the text as the view of the ids copies them."""
    ids(window).copy()
    return numbers_in(QApplication.clipboard().text())


def test_why_is_ing_not_a_token(qtbot: QtBot, window: MainWindow, user: User) -> None:
    window.session.cursor.seek(4)
    user.click_page("whyNotPage")
    user.click(child(window, QWidget, "whyNotInput"))
    user.type("ing")
    answer_about(qtbot, window, merge_that_takes("king", 1, 4))


def test_why_did_these_two_letters_never_merge(qtbot: QtBot, window: MainWindow, user: User) -> None:
    window.session.cursor.seek(4)
    assert b"in" not in {merge.token for merge in reference_at(4).merges}
    user.select_text(1, 3)
    user.open_menu()
    user.choose("whyNotSelection")
    answer_about(qtbot, window, merge_that_takes("king", 1, 3))


def test_why_this_pair(window: MainWindow, user: User) -> None:
    user.press(Qt.Key.Key_Right)
    chosen = reference_at(2).merges[-1]
    reason = label_text(window, "reasonLabel")
    assert f"`{chosen.left.decode()}` + `{chosen.right.decode()}`" in reason
    assert chosen.count in numbers_in(reason)
    assert child(window, QLabel, "reasonLabel").isVisible()


def test_who_tied(window: MainWindow, user: User) -> None:
    """The marks of the table of pairs are those of the step to which a click on a merge leads."""
    window.session.cursor.seek(3)
    user.click_row("mergeTable", lambda row: row == 0, 1)
    reference = reference_at(1)
    counts = reference.count_pairs()
    most = max(counts.values())
    tied = {tuple(reference.tokens[part] for part in pair) for pair, count in counts.items() if count == most}
    assert len(tied) > 1
    model = child(window, QTableView, "pairTable").model()
    marked = {
        (model.index(row, PairColumn.LEFT).data().encode(), model.index(row, PairColumn.RIGHT).data().encode())
        for row in range(model.rowCount())
        if row == 0 or model.index(row, PairColumn.TIE).data() == TIE_MARK  # the first is the one that is chosen
    }
    assert window.session.cursor.position == 1
    assert marked == tied


def test_which_words_changed(window: MainWindow, user: User) -> None:
    user.press(Qt.Key.Key_Right)
    before, after = splits_at(0), splits_at(1)
    changed = {before[word]: after[word] for word in WORDS if before[word] != after[word]}
    model = child(window, Table, "wordTable").table_model
    rows = [model.rows[row].symbols for row in range(model.rowCount())]
    assert {row.before: row.symbols for row in rows if row.before} == changed
    assert all(row.before for row in rows[: len(changed)])  # they come first
    assert len(changed) in numbers_in(label_text(window, "stepChangeLabel"))


def test_when_did_this_token_appear_and_from_what(window: MainWindow, user: User) -> None:
    window.session.cursor.seek(3)
    user.click_token(0)
    merge = next(merge for merge in reference_at(3).merges if merge.token == b"king")
    origin = label_text(window, "inspectorOrigin")
    assert numbers_in(origin)[0] == merge.rank + 1
    assert f"{merge.left.decode()} + {merge.right.decode()}" in origin
    assert child(window, QLabel, "inspectorOrigin").isVisible()


def test_is_it_ever_used(qtbot: QtBot, window: MainWindow, user: User) -> None:
    """One that only became part of others is not in the corpus any more."""
    window.session.cursor.seek(4)
    vocabulary = child(window, QTableView, "vocabularyTable").model()
    column = VocabularyColumn.TOKEN
    for token in ("ki", "ng", "king"):
        user.click_row("vocabularyTable", lambda row: vocabulary.index(row, column).data() == token, column)  # noqa: B023
        splits = splits_at(4)
        count = sum(symbols.count(token.encode()) * WORDS[word] for word, symbols in splits.items())
        words = sum(token.encode() in symbols for symbols in splits.values())
        occurs = child(window, QLabel, "inspectorOccurs")
        qtbot.waitUntil(lambda: occurs.text() != "…")  # noqa: B023
        in_corpus = occurs.text().split(" · ")[-1]
        assert numbers_in(in_corpus) == ([count, words] if count else []), token


def test_what_would_another_tokenizer_do_with_this_text(
    qtbot: QtBot, window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer = train("the king is inking the sky " * 3, recipe="minbpe", num_merges=12)
    save(tokenizer, tmp_path, "huggingface")
    path = tmp_path / "tokenizer.json"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_asked: user.choose_file(path))
    user.press(Qt.Key.Key_O, CONTROL_SHIFT)
    wanted = tokenizer.encode(TEXT)
    assert len(wanted) < len(TEXT)
    qtbot.waitUntil(lambda: shown_ids(window) == wanted)
    assert numbers_in(label_text(window, "encodeSummary"))[0] == len(wanted)


def test_why_do_two_libraries_disagree(qtbot: QtBot, window: MainWindow, user: User) -> None:
    """The first merges that differ are those of the two recipes, and the sentence has the count on which they tie."""
    mine, other = (train(CORPUS, recipe=name, vocab_size=264).merges for name in ("minbpe", "huggingface"))
    window.session.corpus.set_recipe(Recipe.of("minbpe"))
    window.session.restart()
    qtbot.waitUntil(lambda: window.session.cursor.trainer is not None)
    window.session.cursor.seek(len(mine))
    user.press(Qt.Key.Key_C, CONTROL_SHIFT)
    compared = child(window, ComparePage, "compareWindow")
    compared.findChildren(QAction, "addAllRecipesAction")[0].trigger()
    rows = child(compared, QTableView, "comparisonTable").model()
    qtbot.waitUntil(lambda: rows.rowCount() == 1 + len(PRESETS))
    user.click_row("comparisonTable", lambda row: "huggingface" in rows.index(row, 0).data(), 0)
    rank = next(rank for rank, pair in enumerate(zip(mine, other, strict=False)) if pair[0] != pair[1])
    found = child(compared, Table, "candidateTable").table_model
    qtbot.waitUntil(lambda: [found.rows[row].pair for row in range(found.rowCount())] == [mine[rank], other[rank]])
    counts = {int(found.index(row, 2).data()) for row in range(found.rowCount())}
    assert len(counts) == 1
    assert numbers_in(label_text(compared, "pairReason")) == [rank + 1, *counts]
