"""Every action of the window as one table: its words, icon, keys, and the window's method that does it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

_CONTEXT = "Actions"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """What an action is called and does; `text` and `tip` are English, and translated when the action is made."""

    text: str
    tip: str = ""
    icon: str = ""
    keys: tuple[str, ...] = ()
    checkable: bool = False


ACTIONS: Mapping[str, ActionSpec] = MappingProxyType(
    {
        "open_files": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "&Open…"),
            QT_TRANSLATE_NOOP("Actions", "Open text files as the corpus"),
            "open",
            ("Ctrl+O",),
        ),
        "add_text": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "&New text"),
            QT_TRANSLATE_NOOP("Actions", "Add an empty document to the corpus"),
            "add",
            ("Ctrl+N",),
        ),
        "open_tokenizer": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "Open &tokenizer…"),
            QT_TRANSLATE_NOOP("Actions", "Encode with a tokenizer that was saved"),
            "tokens",
            ("Ctrl+Shift+O",),
        ),
        "export": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "&Export tokenizer…"),
            QT_TRANSLATE_NOOP("Actions", "Save vocabulary and merges as of the current step"),
            "export",
            ("Ctrl+E", "Ctrl+S"),
        ),
        "quit": ActionSpec(QT_TRANSLATE_NOOP("Actions", "&Quit"), keys=("Ctrl+Q",)),
        "train": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "&Train"),
            QT_TRANSLATE_NOOP("Actions", "Train in the background until the vocabulary has its size"),
            "train",
            ("Ctrl+T",),
        ),
        "cancel": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "&Cancel"),
            QT_TRANSLATE_NOOP("Actions", "Stop; the steps done so far are kept"),
            "cancel",
            ("Esc",),
        ),
        "first": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "To the &start"),
            QT_TRANSLATE_NOOP("Actions", "Go to step 0, the bare alphabet"),
            "first",
            ("Home",),
        ),
        "step_back": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "Step &back"),
            QT_TRANSLATE_NOOP("Actions", "Undo the last merge"),
            "step-back",
            ("Left",),
        ),
        "play": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "&Play"),
            QT_TRANSLATE_NOOP("Actions", "Step forward by itself, or pause"),
            "play",
            ("Space",),
        ),
        "step": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "&Step"),
            QT_TRANSLATE_NOOP("Actions", "Merge the next pair"),
            "step",
            ("Right",),
        ),
        "last": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "To the &end"),
            QT_TRANSLATE_NOOP("Actions", "Go to the last step, or on to the vocabulary size"),
            "last",
            ("End",),
        ),
        "go_to": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "&Go to step"),
            QT_TRANSLATE_NOOP("Actions", "Type the number of a step"),
            "",
            ("Ctrl+G",),
        ),
        "restart": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "Start &over"),
            QT_TRANSLATE_NOOP("Actions", "Drop the run and begin again from the present corpus and recipe"),
            "",
            ("Ctrl+R",),
        ),
        "larger": ActionSpec(
            QT_TRANSLATE_NOOP("Actions", "&Larger tokens"), "", "", ("Ctrl++", "Ctrl+=")
        ),
        "smaller": ActionSpec(QT_TRANSLATE_NOOP("Actions", "&Smaller tokens"), "", "", ("Ctrl+-",)),
        "usual_size": ActionSpec(QT_TRANSLATE_NOOP("Actions", "&Usual size"), "", "", ("Ctrl+0",)),
        "usual_layout": ActionSpec(QT_TRANSLATE_NOOP("Actions", "&Reset the layout")),
        "full_screen": ActionSpec(QT_TRANSLATE_NOOP("Actions", "&Full screen"), "", "", ("F11",), checkable=True),
        "show_keys": ActionSpec(QT_TRANSLATE_NOOP("Actions", "&Keyboard"), "", "", ("F1",)),
        "about": ActionSpec(QT_TRANSLATE_NOOP("Actions", "&About bpe-gui")),
    }
)


def make_actions(parent: QWidget) -> dict[str, QAction]:
    """All actions in the language of the window, owned by `parent` and working wherever the focus is in it."""
    return {name: _make(name, spec, parent) for name, spec in ACTIONS.items()}


def _make(name: str, spec: ActionSpec, parent: QWidget) -> QAction:
    action = QAction(QCoreApplication.translate(_CONTEXT, spec.text), parent)
    action.setObjectName(name)
    action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
    action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
    action.setCheckable(spec.checkable)
    if spec.tip:
        tip = QCoreApplication.translate(_CONTEXT, spec.tip)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tip} ({keys})" if keys else tip)
        action.setStatusTip(tip)
    return action


def plain_text(action: QAction) -> str:
    """The action's words without the mark of its menu key."""
    return action.text().replace("&", "").removesuffix("…")
