"""Each widget of the window is freed by its last reference, with all that it is made of, and no collector is needed.

The classes are found automatically. One that takes more than a session has needs a scene here.
"""

import ctypes
import gc
import inspect
import pkgutil
import sys
import threading
import weakref
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from types import CellType, MethodType
from typing import Any, Final

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

import bpe_gui.gui
from bpe_gui.engine import LiveText, Plan, Recipe
from bpe_gui.gui.dialogs.export_dialog import ExportDialog
from bpe_gui.gui.dialogs.open_pattern_dialog import OpenPatternDialog
from bpe_gui.gui.dialogs.picture_dialogs import LineagePictureDialog, PictureDialog
from bpe_gui.gui.dialogs.plan_dialog import PlanDialog, ReplaySource
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.dialogs.tokenizer_dialogs import MergeDialog, RanksDialog, TokenizerNameDialog
from bpe_gui.gui.jobs import Activity, end_jobs
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.lifetime import WeakAttribute, weakly
from bpe_gui.gui.look.overlays import Dimmer, DropHighlight
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.panels.document_list import WeightDialog
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.projects.recovery_offers import RecoveryDialog
from bpe_gui.gui.session.tokenizer_exporter import ProofTexts, TokenizerExporter
from bpe_gui.gui.system.settings import WORKSPACES, Settings
from bpe_gui.gui.tools.comparison.comparing import Comparing
from bpe_gui.gui.tools.reports.reporting import Reporting
from bpe_gui.gui.views.splitter_views import SplitterLegend
from bpe_gui.gui.views.tokens import ColorMode
from bpe_gui.samples import default_sample
from tests.gui.support.dialogs import changes_dialog
from tests.gui.support.panels import sample_session
from tests.gui.support.token_sources import PALETTE, source_of
from tests.gui.support.widgets import child
from tests.gui.support.windows import open_window

_MAX_NAMED: Final = 8  # to find what holds a thing takes long


class World:
    """Values that widgets show, and objects that outlive them."""

    def __init__(self) -> None:
        self.keeper = QObject()
        self.session = sample_session()
        self.session.cursor.seek(12)
        self.theme = Theme("light")
        self.settings = Settings()
        tokenizer = self.session.cursor.tokenizer
        assert tokenizer is not None
        self.tokenizer = tokenizer
        self.actions: defaultdict[str, QAction] = defaultdict(partial(QAction, self.keeper))

    def make(self, kind: type[QWidget], parent: QWidget) -> QWidget:
        """Make a widget from what a session has, with `parent` if it needs one; raise KeyError if it takes more."""
        values: dict[str, Any] = {
            "Session": self.session,
            "int": 0,
            "Chat": self.session.chat,
            "Theme": self.theme,
            "Settings": self.settings,
            "Tokenizer": self.tokenizer,
            "TokenPalette": PALETTE,
            "QAction": QAction(self.keeper),
            "Mapping[str, QAction]": self.actions,
            "QWidget": parent,
            "str": "name",
            "Sequence[str]": ["a text"],
            "FileDocument]": (),  # a sequence of documents
        }
        if not any("__init__" in vars(base) for base in kind.__mro__ if base.__module__.startswith("bpe_gui")):
            return kind()
        parameters = inspect.signature(kind, eval_str=False).parameters.values()
        wanted = [each for each in parameters if each.default is each.empty and each.kind is not each.VAR_KEYWORD]
        return kind(**{each.name: values[_name(each.annotation)] for each in wanted})


def _name(annotation: object) -> str:
    """Return a type as the code says it, without modules."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return text.replace("collections.abc.", "").replace("PySide6.QtGui.", "").rpartition(".")[2]


def _main_window(world: World, parent: QWidget) -> QWidget:
    window = MainWindow()
    window.show()
    window.close()
    return window


def _compare_window(world: World, parent: QWidget) -> QWidget:
    comparing = Comparing(world.session, world.theme, world.settings, lambda window: None, parent)
    comparing.page_made.connect(gapless_column(parent).addWidget)
    comparing.open()
    QApplication.processEvents()
    end_jobs(parent)
    return parent


def _report_window(world: World, parent: QWidget) -> QWidget:
    reporting = Reporting(world.session, world.theme, world.settings, parent)
    reporting.page_made.connect(gapless_column(parent).addWidget)
    reporting.open()
    end_jobs(parent)
    return parent


def _notices(world: World, parent: QWidget) -> QWidget:
    bar = NoticeBar(world.theme)
    bar.show_message(lambda: "A notice.")
    return bar


def _legend(world: World, parent: QWidget) -> QWidget:
    legend = SplitterLegend()
    legend.set_parts(["a", "b"])
    return legend


def _layers(world: World, parent: QWidget) -> QWidget:
    DropHighlight(parent)
    Dimmer(parent)
    return parent


SCENES: Final[dict[Callable[[World, QWidget], QWidget], str]] = {
    _main_window: "MainWindow PanelLayout NoticeStack OpenedBar TransportBar StartCard EncodeSplitter SplitterParts "
    "SumLine _SpinOfUnits FutureLine PanelHeader OverlayLine MenuButton Table FilterField _TreeTable",
    _compare_window: "ComparePage ListPanel PairPanel TextColumn TextsPanel ChatsPanel _ChatColumn WorkLine Table",
    _report_window: "ReportPage AuditPanel CostPanel JobProgress ReportBar TextChoiceBox",
    _notices: "_Row",
    _legend: "_LegendRow",
    _layers: "DropHighlight Dimmer",
    lambda world, parent: changes_dialog(parent, Path()): "ChangesDialog",
    lambda world, parent: ExportDialog(
        world.tokenizer, ProofTexts(), TokenizerExporter(world.keeper), world.settings, None, name="Main run"
    ): "ExportDialog",
    lambda world, parent: LineagePictureDialog(world.theme, world.tokenizer, 260): "LineagePictureDialog",
    lambda world, parent: MergeDialog(world.tokenizer, "file", lambda _window: None): "MergeDialog",
    lambda world, parent: OpenPatternDialog(Path()): "OpenPatternDialog",
    lambda world, parent: PictureDialog(
        world.theme, source_of(["low", "er"]), (0, 5), None, ColorMode.BY_TOKEN, False
    ): "PictureDialog",
    lambda world, parent: PlanDialog(Plan(), [ReplaySource("this run", [(b"e", b"s")])]): "PlanDialog",
    lambda world, parent: RanksDialog("a.tiktoken", "gpt2", {}, world.tokenizer.vocab): "RanksDialog",
    lambda world, parent: RecipeDialog(Recipe.of("cs336")): "RecipeDialog SplitterTrial",
    lambda world, parent: TokenizerNameDialog(): "TokenizerNameDialog",
    lambda world, parent: WeightDialog("a document", {Fraction(1)}): "WeightDialog",
    lambda world, parent: RecoveryDialog([], parent): "RecoveryDialog",
}


def _classes() -> Iterator[type[QWidget]]:
    """Yield all classes of widgets in the window."""
    for module in pkgutil.walk_packages(bpe_gui.gui.__path__, "bpe_gui.gui."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, QWidget) and value.__module__ == module.name:
                yield value


_IN_SCENES: Final = {name for names in SCENES.values() for name in names.split()}
_OTHERS: Final = [kind for kind in _classes() if kind.__name__ not in _IN_SCENES]


@pytest.fixture
def world(qapp: QApplication) -> World:
    return World()


def _is_ours(thing: QObject) -> bool:
    return type(thing).__module__.startswith("bpe_gui.")


def _assert_freed(make: Callable[[World, QWidget], QWidget], world: World, names: set[str]) -> None:
    """Make, show and drop a widget; fail unless it has parts of all these names and all of them are freed."""
    parent = QWidget()
    parent.show()
    widget = make(world, parent)
    widget.show()
    QApplication.processEvents()
    widget.hide()
    root = parent if widget.window() is parent or widget.parent() is not None else widget
    parts = {id(part): part for each in (root, widget) for part in [each, *each.findChildren(QObject)]}
    kept = [(type(part).__name__, weakref.ref(part)) for part in parts.values() if _is_ours(part)]
    assert names <= {name for name, _part in kept}
    del parent, widget, root, parts
    left = [(name, reference) for name, reference in kept if reference() is not None]
    assert not left, "\n".join(f"{name} is held by {_holders(reference())}" for name, reference in left[:_MAX_NAMED])


def _holders(thing: object) -> list[str]:
    """Return what refers to a thing: attributes as `Class.name`, and functions that have it in a closure."""
    found = []
    for holder in gc.get_referrers(thing) if thing is not None else ():
        if isinstance(holder, dict):
            names = [name for name, value in holder.items() if value is thing]
            found += [
                f"{type(each).__name__}.{names}" for each in gc.get_referrers(holder) if hasattr(each, "__dict__")
            ]
        elif isinstance(holder, CellType):
            closures = [each for each in gc.get_referrers(holder) if isinstance(each, tuple)]
            found += [each.__qualname__ for one in closures for each in gc.get_referrers(one) if callable(each)]
        elif isinstance(holder, MethodType):
            found.append(f"method {holder.__qualname__} of {_holders(holder)}")
        elif not inspect.isframe(holder):
            found.append(type(holder).__name__)
    return found


@pytest.mark.parametrize(("make", "names"), SCENES.items(), ids=[names.split()[0] for names in SCENES.values()])
def test_a_scene_is_freed(world: World, make: Callable[[World, QWidget], QWidget], names: str) -> None:
    _assert_freed(make, world, set(names.split()))


@pytest.mark.parametrize("kind", _OTHERS, ids=lambda kind: kind.__name__)
def test_a_widget_is_freed(world: World, kind: type[QWidget]) -> None:
    _assert_freed(lambda world, parent: world.make(kind, parent), world, {kind.__name__})


_DIALOGS: Final = (
    "recipe",
    "plan",
    "try_recipe",
    "export",
    "merge_tokenizer",
    "open_published",
    "about",
    "show_keys",
    "documentation",
)
"""The actions that open a dialog for which nothing is asked before."""


class Part(QObject):
    """A part that knows its owner and calls it."""

    owner = WeakAttribute[QObject]()
    call = WeakAttribute[Callable[[], int]]()
    chosen = Signal(int)


class Owner(QObject):
    """An object with a method."""

    def answer(self, number: int = 1) -> int:
        self.setObjectName(str(number))
        return number


def test_what_is_borrowed_is_not_kept(qapp: QApplication) -> None:
    owner, part = Owner(), Part()
    part.owner, part.call = owner, owner.answer
    part.chosen.connect(weakly(owner.answer, 2))
    assert (part.owner, part.call()) == (owner, 1)
    part.chosen.emit(3)
    assert owner.objectName() == "2", "with these arguments, and none of the signal's"
    del owner
    part.chosen.emit(3)
    with pytest.raises(ReferenceError, match="owner is gone"):
        _ = part.owner
    with pytest.raises(ReferenceError, match="call is gone"):
        _ = part.call


def test_a_method_of_qt_cannot_be_called_weakly(qapp: QApplication) -> None:
    part, numbers = Part(), list[int]()
    part.chosen.connect(numbers.append)
    weakly(part.chosen.emit, 3)(False)
    assert numbers == [3]
    with pytest.raises(TypeError, match="a method of Qt keeps its object"):
        weakly(part.setObjectName, "a name")


class Listener:
    """Notes which threads destroy the Qt objects of a window."""

    def __init__(self) -> None:
        self.threads: list[int] = []
        self._known: set[int] = set()

    def listen(self, window: QWidget) -> None:
        """Listen to a window and to all that is in it now."""
        for part in (window, *window.findChildren(QObject)):
            if id(part) not in self._known:
                self._known.add(id(part))
                part.destroyed.connect(self._note, Qt.ConnectionType.DirectConnection)

    def _note(self) -> None:
        self.threads.append(threading.get_ident())


def _use_dialogs(window: MainWindow, listener: Listener) -> None:
    """Open and close dialogs; fail unless each is freed."""
    for name in _DIALOGS:
        window.actions_by_name[name].trigger()
        dialog = next(each for each in window.findChildren(QDialog) if each.isVisible())
        listener.listen(dialog)
        reference = weakref.ref(dialog)
        dialog.reject()
        del dialog
        _delete_what_is_due()
        assert reference() is None, f"{name} is held by {_holders(reference())}"


def _use_jobs(window: MainWindow, listener: Listener, qtbot: QtBot) -> None:
    """Train, encode, compare, report and say something."""
    window.session.replace_text(LiveText("low lower lowest " * 20_000))
    window.train()
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)
    window.actions_by_name["compare"].trigger()
    qtbot.waitUntil(lambda: window._comparing.is_settled)
    window.actions_by_name["report"].trigger()
    listener.listen(window)
    qtbot.waitUntil(lambda: window._reporting.maker.result is not None)
    window.copy_diagnostics()


def test_a_used_window_is_freed_and_nothing_of_it_is_destroyed_by_a_job(qtbot: QtBot) -> None:
    listener = Listener()
    window = open_window(qtbot)
    _use_dialogs(window, listener)
    _use_jobs(window, listener, qtbot)
    window.choose_language("zh_CN")
    listener.listen(window)
    window.close()
    _delete_what_is_due()
    reference = weakref.ref(window)
    del window
    assert reference() is None, _holders(reference())
    assert len(listener.threads) > 1_000
    assert set(listener.threads) == {threading.main_thread().ident}


def test_panels_are_freed_that_are_replaced_before_they_are_laid_out(window: MainWindow) -> None:
    references = []
    for language in ("zh_CN", "en"):
        references.append(weakref.ref(child(window, QWidget, "pairTable")))
        window.choose_theme("dark" if language == "zh_CN" else "light")
        window.choose_language(language)
    _delete_what_is_due()
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def _language(window: MainWindow) -> None:
    for language in ("zh_CN", "en"):
        window.choose_language(language)


def _theme(window: MainWindow) -> None:
    for choice in ("dark", "light"):
        window.choose_theme(choice)


def _workspaces(window: MainWindow) -> None:
    for workspace in WORKSPACES:
        window.choose_workspace(workspace)
        QApplication.processEvents()
    window.choose_workspace("explore")


def _project(window: MainWindow) -> None:
    window.projects.begin()  # nothing is worth saving, so that this asks nothing:
    window.projects.new()
    window.session.load_sample(default_sample(), "a sample")
    for position in (9, 3):
        window.session.cursor.seek(position)
        QApplication.processEvents()


def _triggering(*names: str) -> Callable[[MainWindow], None]:
    def trigger(window: MainWindow) -> None:
        for name in names:
            window.actions_by_name[name].trigger()
            QApplication.processEvents()
            for dialog in window.findChildren(QDialog):
                dialog.reject()

    return trigger


_ACTS: Final[dict[str, Callable[[MainWindow], None]]] = {
    "language": _language,
    "theme": _theme,
    "workspaces": _workspaces,
    "project": _project,
    "size": _triggering("larger", "usual_size"),
    "dialogs": _triggering(*_DIALOGS),
}
"""Actions that people repeat."""

_TIMES: Final = 2


def _counts(act: Callable[[MainWindow], None], window: MainWindow) -> Counter[str]:
    """Count the objects of each type after some times more of `act`.

    Left out are what the tests note, and weak references, of which PySide leaves one for each method disconnected.
    """
    for _time in range(_TIMES):
        act(window)
        _delete_what_is_due()
    gc.collect()
    kinds = (f"{type(each).__module__}.{type(each).__name__}" for each in gc.get_objects())
    return Counter(kind for kind in kinds if not kind.startswith(("pytestqt.", "weakref.")))


@pytest.mark.parametrize("act", _ACTS.values(), ids=_ACTS)
def test_what_is_done_again_leaves_no_object(
    qtbot: QtBot, window: MainWindow, act: Callable[[MainWindow], None]
) -> None:
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)
    first, second, third = (_counts(act, window) for _turn in range(3))
    left = {kind: count for kind, count in (second - first).items() if min(count, (third - second)[kind]) >= _TIMES}
    assert not left


class _Heap(ctypes.Structure):
    """The result of glibc's `mallinfo2`."""

    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", *map(str, range(6)), "used", "free", "top")]


_LEFT: Final = 25_000  # bytes


@pytest.mark.skipif(sys.platform != "linux", reason="asks glibc")
def test_what_qt_keeps_of_deleted_widgets_goes_with_the_language(window: MainWindow) -> None:
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        pytest.skip("another C library, or one before 2021")
    library.mallinfo2.restype = _Heap
    used = []
    for _turn in range(6):
        _triggering("recipe", "plan")(window)
        _theme(window)
        _language(window)
        _delete_what_is_due()
        gc.collect()
        used.append(library.mallinfo2().used)
    assert (used[-1] - used[1]) / (len(used) - 2) < _LEFT, used


def _delete_what_is_due() -> None:
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
