"""All actions of the window as one table of texts, icons and keys."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from bpe_gui.engine.runtime import translatable as _

_CONTEXT = "Actions"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """The properties of an action; `text` and `tip` are English, and translated when the action is made."""

    text: str
    tip: str = ""
    icon: str = ""
    keys: tuple[str, ...] = ()
    checkable: bool = False


ACTIONS: Mapping[str, ActionSpec] = MappingProxyType(
    {
        "open_files": ActionSpec(
            _("Actions", "&Open corpus…"),
            _("Actions", "Open text files in place of the corpus"),
            "open",
            ("Ctrl+O",),
        ),
        "add_files": ActionSpec(
            _("Actions", "A&dd files…"),
            _("Actions", "Add text files to the corpus"),
            "",
            ("Ctrl+Shift+A",),
        ),
        "open_pattern": ActionSpec(
            _("Actions", "Open &folder or pattern…"),
            _("Actions", "Open all files of a folder that match a pattern in place of the corpus"),
            "",
            ("Ctrl+Alt+O",),
        ),
        "add_text": ActionSpec(
            _("Actions", "&New text"),
            _("Actions", "Add an empty document to the corpus"),
            "add",
            ("Ctrl+N",),
        ),
        "new_project": ActionSpec(
            _("Actions", "New &project"),
            _("Actions", "Begin with an empty corpus and the usual recipe"),
            "",
            ("Ctrl+Shift+N",),
        ),
        "open_project": ActionSpec(
            _("Actions", "Open pro&ject…"),
            _("Actions", "Open corpus, recipe, merges and text as they were saved"),
            "",
            ("Ctrl+Shift+P",),
        ),
        "recovered_work": ActionSpec(
            _("Actions", "Recovered &work…"),
            _("Actions", "Restore or discard work that was not saved when the program ended"),
        ),
        "save_project": ActionSpec(
            _("Actions", "&Save project"),
            _("Actions", "Save corpus, recipe, merges and text in one file"),
            "",
            ("Ctrl+S",),
        ),
        "save_project_as": ActionSpec(
            _("Actions", "Save project &as…"),
            _("Actions", "Save the project to another file"),
            "",
            ("Ctrl+Shift+S",),
        ),
        "open_tokenizer": ActionSpec(
            _("Actions", "Open &tokenizer…"),
            _("Actions", "Look at a tokenizer: its vocabulary and merges, and what it makes of a text"),
            "tokens",
            ("Ctrl+Shift+O",),
        ),
        "close_tokenizer": ActionSpec(
            _("Actions", "&Close tokenizer"),
            _("Actions", "Close the opened tokenizer, and go on with what was shown before it"),
            "",
            ("Ctrl+W",),
        ),
        "next_tokenizer": ActionSpec(
            _("Actions", "&Next tokenizer"),
            _("Actions", "Show the next one of the run and the opened tokenizers"),
            "",
            ("Ctrl+PgDown",),
        ),
        "previous_tokenizer": ActionSpec(
            _("Actions", "Previous to&kenizer"),
            _("Actions", "Show the previous one of the run and the opened tokenizers"),
            "",
            ("Ctrl+PgUp",),
        ),
        "export": ActionSpec(
            _("Actions", "&Export tokenizer…"),
            _("Actions", "Save vocabulary and merges as of the current step"),
            "export",
            ("Ctrl+E",),
        ),
        "quit": ActionSpec(_("Actions", "&Quit"), keys=("Ctrl+Q",)),
        "undo": ActionSpec(
            _("Actions", "&Undo"),
            _("Actions", "Undo typing, or the last change of corpus, recipe or text"),
            "",
            ("Ctrl+Z",),
        ),
        "redo": ActionSpec(
            _("Actions", "&Redo"),
            _("Actions", "Make the change again that was undone last"),
            "",
            ("Ctrl+Shift+Z", "Ctrl+Y"),
        ),
        "cut": ActionSpec(_("Actions", "Cu&t"), keys=("Ctrl+X",)),
        "copy": ActionSpec(_("Actions", "&Copy"), _("Actions", "Copy the selected text, ids or row"), "", ("Ctrl+C",)),
        "paste": ActionSpec(_("Actions", "&Paste"), keys=("Ctrl+V",)),
        "select_all": ActionSpec(_("Actions", "Select &all"), keys=("Ctrl+A",)),
        "find": ActionSpec(
            _("Actions", "&Find…"),
            _("Actions", "Find in the text or filter the table that has the focus"),
            "search",
            ("Ctrl+F",),
        ),
        "find_next": ActionSpec(
            _("Actions", "Find &next"),
            _("Actions", "Go to the next match, or to the next occurrence of the selected token"),
            "",
            ("F3",),
        ),
        "find_previous": ActionSpec(
            _("Actions", "Find pre&vious"),
            _("Actions", "Go to the previous match, or to the previous occurrence of the selected token"),
            "",
            ("Shift+F3",),
        ),
        "recipe": ActionSpec(
            _("Actions", "&Recipe…"),
            _("Actions", "Set every switch in which BPE trainers differ"),
            "recipe",
            ("Ctrl+Shift+R",),
        ),
        "train": ActionSpec(
            _("Actions", "&Train"),
            _("Actions", "Train in the background until the vocabulary has its size"),
            "train",
            ("Ctrl+T",),
        ),
        "cancel": ActionSpec(
            _("Actions", "&Cancel"),
            _("Actions", "Stop; the steps done so far are kept"),
            "cancel",
            ("Esc",),
        ),
        "first": ActionSpec(
            _("Actions", "To t&he start"),
            _("Actions", "Go to step 0, the bare alphabet"),
            "first",
            ("Home",),
        ),
        "step_back": ActionSpec(
            _("Actions", "Step &back"),
            _("Actions", "Undo the last merge"),
            "step-back",
            ("Left", "Alt+Left"),
        ),
        "play": ActionSpec(
            _("Actions", "&Play"),
            _("Actions", "Step forward by itself, or pause"),
            "play",
            ("Space",),
        ),
        "step": ActionSpec(
            _("Actions", "&Step"),
            _("Actions", "Merge the next pair"),
            "step",
            ("Right", "Alt+Right"),
        ),
        "last": ActionSpec(
            _("Actions", "To the &end"),
            _("Actions", "Go to the last step, or on to the vocabulary size"),
            "last",
            ("End",),
        ),
        "go_to": ActionSpec(
            _("Actions", "&Go to step"),
            _("Actions", "Type the number of a step"),
            "",
            ("Ctrl+G",),
        ),
        "restart": ActionSpec(
            _("Actions", "Start &over"),
            _("Actions", "Drop the run and begin again from the present corpus and recipe"),
            "",
            ("Ctrl+R",),
        ),
        "larger": ActionSpec(_("Actions", "Lar&ger tokens"), "", "", ("Ctrl++", "Ctrl+=")),
        "smaller": ActionSpec(_("Actions", "&Smaller tokens"), "", "", ("Ctrl+-",)),
        "usual_size": ActionSpec(_("Actions", "&Usual size"), "", "", ("Ctrl+0",)),
        "usual_layout": ActionSpec(_("Actions", "&Reset the layout")),
        "full_screen": ActionSpec(_("Actions", "&Full screen"), "", "", ("F11",), checkable=True),
        "show_keys": ActionSpec(_("Actions", "&Keyboard"), "", "", ("F1",)),
        "copy_diagnostics": ActionSpec(
            _("Actions", "Copy &diagnostics"),
            _("Actions", "Copy versions, the system and the end of the log, to report a problem"),
        ),
        "about": ActionSpec(_("Actions", "&About bpe-gui")),
    }
)


def make_actions(parent: QWidget) -> dict[str, QAction]:
    """Return all actions in the current language, owned by `parent` and triggered by their keys anywhere in it."""
    return {name: _make(name, spec, parent) for name, spec in ACTIONS.items()}


def usual_text(action: QAction) -> str:
    """Return the text of an action in the current language, whatever it says at the moment."""
    return QCoreApplication.translate(_CONTEXT, ACTIONS[action.objectName()].text)


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
