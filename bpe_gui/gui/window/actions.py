"""All actions of the window in one table: text, icon, keys, menu, and when each is possible.

Each part of the window says which of them it carries out: see `handlers` in it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QStatusTipEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import translatable as _
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.look.lifetime import WeakAttribute
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.phrases import with_keys

_CONTEXT: Final = "Actions"


# -- why actions are not possible -------------------------------------------------------------------------------------

# Each function returns a sentence in English, which is translated where it is shown; empty if the action is possible.


def _why_no_steps(session: Session) -> str:
    """Return why the cursor cannot move at all."""
    if session.cursor.steps is not None:
        return ""
    if session.work.activity is not Activity.IDLE:
        return _("Actions", "Wait until the work in progress is done, or cancel it.")
    return _why_no_corpus(session) or _("Actions", "The corpus has nothing to train on.")


def _why_no_corpus(session: Session) -> str:
    empty = _("Actions", "The corpus is empty. Enter or open some text to train on.")
    return empty if session.corpus.is_empty else ""


def _why_no_earlier_step(session: Session) -> str:
    return _why_no_steps(session) or ("" if session.cursor.position else _("Actions", "This is the first step."))


def _why_no_next_step(session: Session) -> str:
    is_possible = session.cursor.steps is None or session.cursor.next_merge is not None or session.run.is_stale
    return _why_no_steps(session) or ("" if is_possible else _("Actions", "Nothing is left to merge."))


def _why_not_until(session: Session) -> str:
    return why_no_branch(session) or _why_no_next_step(session)


def _why_no_training(session: Session) -> str:
    is_training = session.run.is_training
    return _why_no_corpus(session) or (_("Actions", "Training is in progress.") if is_training else "")


def _why_no_tokenizer(session: Session) -> str:
    return _why_no_steps(session) if session.cursor.tokenizer is None else ""


def _why_idle(session: Session) -> str:
    return _("Actions", "No work is in progress.") if session.work.activity is Activity.IDLE else ""


def why_no_branch(session: Session) -> str:
    """Return why no branch can be made: no run is on screen, or a thread is training it."""
    if session.cursor.trainer is not None:
        return ""
    is_opened = session.opened.tokenizer is not None
    return _("Actions", "A tokenizer file is shown. Show a run first.") if is_opened else _why_no_steps(session)


def why_no_plan(session: Session) -> str:
    """Return why the plan of the run on screen cannot be edited; it can even if it does not allow making a run."""
    has_no_run = session.opened.tokenizer is None and not session.run.exists and bool(session.corpus.plan)
    return "" if has_no_run else why_no_branch(session)


def _why_not_merge_instead(session: Session) -> str:
    no_pair = _("Actions", "Select a pair in the table first.") if session.selection.pair is None else ""
    return why_no_branch(session) or no_pair


def _why_no_file(session: Session) -> str:
    return _("Actions", "No tokenizer file is shown.") if session.opened.tokenizer is None else ""


def _why_no_replay(session: Session) -> str:
    return _why_no_file(session) or _why_no_corpus(session)


def _why_no_other(session: Session) -> str:
    has_several = len(session.opened.tokenizers) + len(session.branches.all) > 1
    return "" if has_several else _("Actions", "There is no other run, and no tokenizer file is open.")


def _why_no_other_run(session: Session) -> str:
    return "" if len(session.branches.all) > 1 else _("Actions", "There is no branch yet.")


def _why_no_shown_branch(session: Session) -> str:
    is_shown = session.opened.tokenizer is None and session.branches.current is not session.branches.main
    return "" if is_shown else _("Actions", "No branch is shown.")


def _why_no_earlier_run(session: Session) -> str:
    has_changed = session.earlier_runs.earlier is not None and not session.run.is_replaceable
    same = "" if has_changed else _("Actions", "Change the corpus or the recipe and train again first.")
    return why_no_branch(session) or same


# -- the table ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """The properties of an action; `text` and `tip` are in English and translated when the action is created.

    `obstacle` returns why the session's state does not allow the action, or nothing; None if it always does.
    """

    text: str
    tip: str = ""
    keys: tuple[str, ...] = ()
    icon: str = ""
    checkable: bool = False
    obstacle: Callable[[Session], str] | None = None
    role: QAction.MenuRole = QAction.MenuRole.TextHeuristicRole
    """Where macOS shows the action; Qt guesses it from words in some languages only."""


ACTIONS: Mapping[str, ActionSpec] = MappingProxyType(
    {
        "open_files": ActionSpec(
            _("Actions", "&Open corpus…"), _("Actions", "Replace the corpus with text files"), ("Ctrl+O",), icon="open"
        ),
        "add_files": ActionSpec(
            _("Actions", "A&dd files…"), _("Actions", "Add text files to the corpus"), ("Ctrl+Shift+A",)
        ),
        "open_pattern": ActionSpec(
            _("Actions", "Open &folder or pattern…"),
            _("Actions", "Replace the corpus with all files in a folder that match a pattern"),
            ("Ctrl+Alt+O",),
        ),
        "add_text": ActionSpec(
            _("Actions", "&New document"), _("Actions", "Add an empty document to the corpus"), ("Ctrl+N",), icon="add"
        ),
        "new_project": ActionSpec(
            _("Actions", "New &project"),
            _("Actions", "Start with an empty corpus and the default recipe"),
            ("Ctrl+Shift+N",),
        ),
        "open_project": ActionSpec(
            _("Actions", "Open pro&ject…"),
            _("Actions", "Open a saved corpus, recipe, merges and text"),
            ("Ctrl+Shift+P",),
        ),
        "recovered_work": ActionSpec(
            _("Actions", "Recovered &work…"),
            _("Actions", "Restore or discard work that was unsaved when bpe-gui closed"),
        ),
        "save_project": ActionSpec(
            _("Actions", "&Save project"),
            _("Actions", "Save the corpus, recipe, merges and text in one file"),
            ("Ctrl+S",),
        ),
        "save_project_as": ActionSpec(
            _("Actions", "Save project &as…"), _("Actions", "Save the project to another file"), ("Ctrl+Shift+S",)
        ),
        "open_published": ActionSpec(
            _("Actions", "Download tokenizer &by name…"),
            _("Actions", "Download the tokenizer of a published model and open it"),
        ),
        "open_tokenizer": ActionSpec(
            _("Actions", "Open &tokenizer…"),
            _("Actions", "Inspect the vocabulary and merges of a tokenizer, and encode text with it"),
            ("Ctrl+Shift+O",),
            icon="tokens",
        ),
        "close_tokenizer": ActionSpec(
            _("Actions", "&Close tokenizer"),
            _("Actions", "Close this tokenizer and return to what was shown before"),
            ("Ctrl+W",),
            obstacle=_why_no_file,
        ),
        "next_tokenizer": ActionSpec(
            _("Actions", "&Next tokenizer"),
            _("Actions", "Switch to the next open tokenizer or run"),
            ("Ctrl+PgDown",),
            obstacle=_why_no_other,
        ),
        "previous_tokenizer": ActionSpec(
            _("Actions", "Previous to&kenizer"),
            _("Actions", "Switch to the previous open tokenizer or run"),
            ("Ctrl+PgUp",),
            obstacle=_why_no_other,
        ),
        "merge_tokenizer": ActionSpec(
            _("Actions", "Add to&kens to this tokenizer…"),
            _("Actions", "Add the tokens of another tokenizer, words and special tokens, without changing ids"),
            obstacle=_why_no_tokenizer,
        ),
        "export": ActionSpec(
            _("Actions", "&Export tokenizer…"),
            _("Actions", "Save the vocabulary and merges at the current step"),
            ("Ctrl+E",),
            icon="export",
            obstacle=_why_no_tokenizer,
        ),
        "encode_files": ActionSpec(
            _("Actions", "Encode f&iles…"),
            _("Actions", "Write the ids of files to disk, as arrays to train a model on"),
            obstacle=_why_no_tokenizer,
        ),
        "compare": ActionSpec(
            _("Actions", "Com&pare"),
            _("Actions", "Compare this step with other tokenizers on the text to encode"),
            ("Ctrl+3", "Ctrl+Shift+C"),
            checkable=True,
        ),
        "report": ActionSpec(
            _("Actions", "Rep&ort"),
            _("Actions", "Measure how well this tokenizer suits your texts and languages, and how large it should be"),
            ("Ctrl+4", "Ctrl+Shift+M"),
            checkable=True,
            obstacle=_why_no_tokenizer,
        ),
        "quit": ActionSpec(_("Actions", "&Quit"), keys=("Ctrl+Q",), role=QAction.MenuRole.QuitRole),
        "undo": ActionSpec(
            _("Actions", "&Undo"),
            _("Actions", "Undo typing or the last change to the corpus, recipe or text"),
            ("Ctrl+Z",),
        ),
        "redo": ActionSpec(
            _("Actions", "&Redo"), _("Actions", "Redo the last undone change"), ("Ctrl+Shift+Z", "Ctrl+Y")
        ),
        "cut": ActionSpec(_("Actions", "Cu&t"), keys=("Ctrl+X",)),
        "copy": ActionSpec(_("Actions", "&Copy"), _("Actions", "Copy the selected text, ids or row"), ("Ctrl+C",)),
        "paste": ActionSpec(_("Actions", "&Paste"), keys=("Ctrl+V",)),
        "select_all": ActionSpec(_("Actions", "Select &all"), keys=("Ctrl+A",)),
        "find": ActionSpec(
            _("Actions", "&Find…"),
            _("Actions", "Find in the text or filter the focused table"),
            ("Ctrl+F",),
            icon="search",
        ),
        "find_next": ActionSpec(
            _("Actions", "Find &next"),
            _("Actions", "Go to the next match, or to the next occurrence of the selected token"),
            ("F3",),
        ),
        "find_previous": ActionSpec(
            _("Actions", "Find pre&vious"),
            _("Actions", "Go to the previous match, or to the previous occurrence of the selected token"),
            ("Shift+F3",),
        ),
        "recipe": ActionSpec(
            _("Actions", "&Recipe…"),
            _("Actions", "Change the settings in which BPE trainers differ"),
            ("Ctrl+Shift+R",),
            icon="recipe",
        ),
        "train": ActionSpec(
            _("Actions", "&Train"),
            _("Actions", "Train in the background up to the vocabulary size"),
            ("Ctrl+T",),
            icon="train",
            obstacle=_why_no_training,
        ),
        "cancel": ActionSpec(
            _("Actions", "&Cancel"),
            _("Actions", "Stop and keep the merges made so far"),
            ("Esc",),
            icon="cancel",
            obstacle=_why_idle,
        ),
        "first": ActionSpec(
            _("Actions", "Go to t&he start"),
            _("Actions", "Go to step 0 (alphabet only)"),
            ("Alt+Home", "Home"),
            icon="first",
            obstacle=_why_no_earlier_step,
        ),
        "step_back": ActionSpec(
            _("Actions", "Step &back"),
            _("Actions", "Undo the last merge"),
            ("Left", "Alt+Left"),
            icon="step-back",
            obstacle=_why_no_earlier_step,
        ),
        "play": ActionSpec(
            _("Actions", "&Play"),
            _("Actions", "Step forward automatically, or pause"),
            ("Space",),
            icon="play",
            obstacle=_why_no_next_step,
        ),
        "step": ActionSpec(
            _("Actions", "&Step"),
            _("Actions", "Merge the next pair"),
            ("Right", "Alt+Right"),
            icon="step",
            obstacle=_why_no_next_step,
        ),
        "last": ActionSpec(
            _("Actions", "Go to the &end"),
            _("Actions", "Go to the last step or train up to the vocabulary size"),
            ("Alt+End", "End"),
            icon="last",
            obstacle=_why_no_next_step,
        ),
        "run_until": ActionSpec(
            _("Actions", "Run &until…"),
            _("Actions", "Train until a token appears, merges save too little, or there is a tie"),
            ("Ctrl+Shift+G",),
            icon="until",
            obstacle=_why_not_until,
        ),
        "go_to": ActionSpec(
            _("Actions", "&Go to step"),
            _("Actions", "Enter a step, or a vocabulary size"),
            ("Ctrl+G",),
            obstacle=_why_no_steps,
        ),
        "restart": ActionSpec(
            _("Actions", "Start &over"),
            _("Actions", "Discard the run and start over with the current corpus and recipe"),
            ("Ctrl+R",),
            obstacle=_why_no_corpus,
        ),
        "what_changed": ActionSpec(
            _("Actions", "&What changed?"),
            _("Actions", "Compare this run with the one that it replaced: merges, your text, and words"),
            obstacle=_why_no_earlier_run,
        ),
        "plan": ActionSpec(
            _("Actions", "P&lan…"),
            _("Actions", "Ban pairs and tokens, choose merges, set rules, or let languages take turns"),
            ("Ctrl+Shift+L",),
            obstacle=why_no_plan,
        ),
        "ban_pair": ActionSpec(
            _("Actions", "Ba&n this pair"),
            _("Actions", "Start a branch that never merges the selected pair (or the next one) from here on"),
            ("Ctrl+B",),
            obstacle=why_no_branch,
        ),
        "merge_instead": ActionSpec(
            _("Actions", "&Merge this pair instead"),
            _("Actions", "Start a branch that merges the selected pair at this step"),
            ("Ctrl+M",),
            obstacle=_why_not_merge_instead,
        ),
        "try_recipe": ActionSpec(
            _("Actions", "Tr&y another recipe from here…"),
            _("Actions", "Start a branch that keeps the merges so far and continues with another recipe"),
            ("Ctrl+Shift+B",),
            obstacle=why_no_branch,
        ),
        "replay": ActionSpec(
            _("Actions", "Replay to&kenizer on the corpus"),
            _("Actions", "Start a branch that replays the merges of this tokenizer on the corpus"),
            obstacle=_why_no_replay,
        ),
        "extend": ActionSpec(
            _("Actions", "Continue training &from this tokenizer"),
            _(
                "Actions",
                "Start a branch that keeps the merges and ids of this tokenizer and adds more from the corpus",
            ),
            obstacle=_why_no_replay,
        ),
        "next_run": ActionSpec(
            _("Actions", "Ne&xt run"),
            _("Actions", "Switch between the main run and its branches"),
            ("F6",),
            obstacle=_why_no_other_run,
        ),
        "overlay": ActionSpec(
            _("Actions", "O&verlay the other run"),
            _("Actions", "Overlay what the other run would do, in the timeline, the pairs and the text"),
            ("Shift+F6",),
            checkable=True,
            obstacle=_why_no_other_run,
        ),
        "compare_branch": ActionSpec(
            _("Actions", "Comp&are runs"),
            _("Actions", "Show where two runs diverge, and what that changes"),
            obstacle=_why_no_other_run,
        ),
        "rename_branch": ActionSpec(
            _("Actions", "Rename th&is branch…"),
            _("Actions", "Give this branch another name"),
            obstacle=_why_no_shown_branch,
        ),
        "drop_branch": ActionSpec(
            _("Actions", "&Delete this branch"),
            _("Actions", "Delete this branch and free its memory. You can undo this."),
            obstacle=_why_no_shown_branch,
        ),
        "learn": ActionSpec(
            _("Actions", "Le&arn"),
            _("Actions", "Show only the next merge, the words and a large text to encode"),
            ("Ctrl+1",),
            checkable=True,
        ),
        "explore": ActionSpec(_("Actions", "E&xplore"), _("Actions", "Show all panels"), ("Ctrl+2",), checkable=True),
        "larger": ActionSpec(_("Actions", "Lar&ger tokens"), "", ("Ctrl++", "Ctrl+=")),
        "smaller": ActionSpec(_("Actions", "&Smaller tokens"), "", ("Ctrl+-",)),
        "usual_size": ActionSpec(_("Actions", "Reset si&ze"), "", ("Ctrl+0",)),
        "usual_layout": ActionSpec(_("Actions", "&Reset layout")),
        "full_screen": ActionSpec(_("Actions", "&Full screen"), "", ("F11",), checkable=True),
        "search": ActionSpec(
            _("Actions", "&Find a command, sample, recipe or tour…"),
            _("Actions", "Search all commands, samples, recipes and tours by any words about them"),
            ("Ctrl+K",),
        ),
        "documentation": ActionSpec(
            _("Actions", "Do&cumentation"), _("Actions", "Read the site’s pages, which come with the program")
        ),
        "show_keys": ActionSpec(_("Actions", "&Keyboard shortcuts"), "", ("F1",)),
        "copy_diagnostics": ActionSpec(
            _("Actions", "Copy &diagnostics"),
            _("Actions", "Copy versions, system details and the end of the log for a problem report"),
        ),
        "about": ActionSpec(_("Actions", "&About bpe-gui"), role=QAction.MenuRole.AboutRole),
    }
)


MENUS: Final[Mapping[str, tuple[str | None, ...]]] = MappingProxyType(
    {
        "file": (
            *("open_files", "add_files", "open_pattern", "add_text", "samples", None),
            *("new_project", "open_project", "recent", "recovered_work", "save_project", "save_project_as", None),
            *("open_tokenizer", "open_published", "close_tokenizer", "merge_tokenizer", "export", "encode_files", None),
            "quit",
        ),
        "edit": (
            *("undo", "redo", None),
            *("cut", "copy", "paste", "select_all", None),
            *("find", "find_next", "find_previous"),
        ),
        "training": (
            *("recipe", "plan", None),
            *("train", "cancel", None),
            *("first", "step_back", "play", "step", "last", "run_until", "go_to", None),
            *("restart", "what_changed", None),
            *("ban_pair", "merge_instead", "try_recipe", None),
            *("replay", "extend", None),
            *("next_run", "overlay", "compare_branch", "rename_branch", "drop_branch"),
        ),
        "view": (
            *("learn", "explore", "compare", "report", None),
            *("panels", None),
            *("next_tokenizer", "previous_tokenizer", None),
            *("larger", "smaller", "usual_size", None),
            *("themes", "languages", None),
            *("usual_layout", "full_screen"),
        ),
        "help": (*("documentation", "search", "tours", None), *("show_keys", "copy_diagnostics", "about")),
    }
)
"""The menus from top to bottom: actions, separators, and choices that `Menus` makes, such as the samples."""


def make_actions(parent: QWidget) -> dict[str, QAction]:
    """Return all actions in the current language, owned by `parent`; their shortcuts work anywhere in it."""
    return {name: _make(name, spec, parent) for name, spec in ACTIONS.items()}


def usual_text(name: str) -> str:
    """Return an action's regular text in the current language, whatever it shows at the moment."""
    return QCoreApplication.translate(_CONTEXT, ACTIONS[name].text)


def usual_tip(name: str) -> str:
    """Return what an action does, also while it is not possible."""
    return QCoreApplication.translate(_CONTEXT, ACTIONS[name].tip)


def _make(name: str, spec: ActionSpec, parent: QWidget) -> QAction:
    action = QAction(QCoreApplication.translate(_CONTEXT, spec.text), parent)
    action.setObjectName(name)
    action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
    action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
    action.setCheckable(spec.checkable)
    action.setMenuRole(spec.role)
    if spec.tip:
        tip = QCoreApplication.translate(_CONTEXT, spec.tip)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(with_keys(tip, keys) if keys else tip)
        action.setStatusTip(tip)
    return action


class PossibleActions(QObject):
    """Enables the actions that the session's state allows; the tooltips of the others say why they are not possible.

    Undo, redo and the editing actions depend on the focus instead; see `UndoActions` and `EditActions`.
    """

    _window = WeakAttribute[QObject]()

    def __init__(self, actions: Mapping[str, QAction], session: Session, parent: QObject) -> None:
        """`actions` has all actions of the window by name."""
        super().__init__(parent)
        self._session, self._window = session, parent
        self._actions: dict[Callable[[Session], str], list[QAction]] = {}
        for name, spec in ACTIONS.items():
            if spec.obstacle is not None:
                self._actions.setdefault(spec.obstacle, []).append(actions[name])
        self._tips = {action: (action.toolTip(), action.statusTip()) for action in actions.values()}
        opened, branches, cursor = session.opened, session.branches, session.cursor
        for fact in (
            *(session.work.changed, session.corpus.inputs_changed, session.selection.changed),
            *(opened.changed, opened.list_changed, branches.changed, branches.list_changed),
            *(cursor.steps_changed, cursor.moved),
        ):
            fact.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        is_outdated = False
        for obstacle, actions in self._actions.items():
            reason = QCoreApplication.translate(_CONTEXT, obstacle(self._session))
            for action in actions:
                tool_tip, status_tip = (reason, reason) if reason else self._tips[action]
                is_outdated |= status_tip != action.statusTip()
                action.setToolTip(tool_tip)
                action.setStatusTip(status_tip)
                action.setEnabled(not reason)
        if is_outdated:  # and may be in the status bar until the mouse moves
            QCoreApplication.sendEvent(self._window, QStatusTipEvent(""))
