"""Bars that come and go: the work in progress, and the opened tokenizers."""

from collections.abc import Mapping
from html import escape
from time import monotonic
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from bpe_gui.engine import ASSUMED_SPLITTER, Merge, Trainer, gets_encodings, token_in_sentence
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, row_of
from bpe_gui.gui.look.qt_constants import SHORTCUT_OVERRIDE, TOOL_TIP_ROLE
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import (
    ActionFollower,
    ComboBox,
    LinkLabel,
    MenuButton,
    SentenceLabel,
    name_widget,
    progress_line,
    push_button,
    quiet_label,
)
from bpe_gui.gui.session.branches import Branch, memory_of
from bpe_gui.gui.session.object_names import ShownObject, distinct_name, mark_of, object_name
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.phrases import counted, duration_text, number, share, size_text, tokens_text, with_keys
from bpe_gui.gui.wording.recipe_texts import encoding_summary, preset_title
from bpe_gui.gui.wording.run_texts import plan_summary
from bpe_gui.gui.wording.sentences import said

_MORE_ENTRIES: Final = 50  # than the alphabet, in the size offered where it is full
_ESTIMATE_AFTER: Final = 1.0  # seconds of work before its rate is measured well enough


class StatusLine(QFrame):
    """One line that says at step 0 what to do, and then how much shorter the merges have made the corpus.

    Until the first step, it offers a tour and a comparison as well.
    """

    tour_wanted = Signal()
    comparison_wanted = Signal()

    def __init__(self, session: Session, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)  # without a parent, showing it would open a window
        self._session = session
        self._settings = settings
        self._label = LinkLabel("statusLine")
        self._label.linkActivated.connect(self._follow)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # the progress goes first
        row_of((self._label, 1), of=self, margins=(MARGIN, 0, MARGIN, 0))
        cursor = session.cursor
        for changed in (cursor.moved, cursor.steps_changed, session.selection.asked, session.corpus.recipe_changed):
            changed.connect(self._show)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        self._show()

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None:
            self._show()

    def _show(self) -> None:
        is_full = False
        trainer, text, tip = self._session.cursor.trainer, "", ""
        if trainer is not None and trainer.position:
            self._settings.has_stepped = True
            text = self._size_text(trainer)
            tip = self.tr("The tokens of all words of the corpus, each word as often as it occurs")
        elif (
            trainer is not None and not self._session.selection.asks_for_next and (merge := trainer.peek()) is not None
        ):
            is_full = self._session.cursor.target_position <= 0
            text = self._size_offer(trainer) if is_full else self._first_text(merge)
        role = "warning" if is_full else "quiet"
        if role != self._label.property("role"):
            set_role(self._label, role)
        self._label.setText(text)
        self._label.setToolTip(tip)
        self._label.setFocusPolicy(Qt.FocusPolicy.StrongFocus if "<a " in text else Qt.FocusPolicy.NoFocus)

    def _size_text(self, trainer: Trainer) -> str:
        """Say how many tokens the corpus has, compared with those before the first merge."""
        rank, before = trainer.position - 1, trainer.tokens_before
        tokens = int(before[rank] - trainer.tokens_saved[rank])
        fewer = share(1 - tokens / int(before[0])) if before[0] else share(0)
        return self.tr("Words of the corpus at this step: {tokens}, {share} fewer than at step 0").format(
            tokens=tokens_text(tokens), share=fewer
        )

    def _size_offer(self, trainer: Trainer) -> str:
        """Say that the alphabet leaves no room for merges, and offer a size that does."""
        entries, size = trainer.initial_size, self._session.corpus.vocab_size
        text = self.tr(
            "The alphabet already has {entries} entries, but the vocabulary size is {size}. "
            "{link}Raise it to {more}{end}."
        )
        values = {"entries": number(entries), "size": number(size), "more": number(entries + _MORE_ENTRIES)}
        return text.format(**values, link='<a href="size">', end="</a>")

    def _first_text(self, merge: Merge) -> str:
        left, right = (f"“<b>{escape(token_in_sentence(token))}</b>”" for token in (merge.left, merge.right))
        keys = "Alt+→" if _moves_caret(QApplication.focusWidget()) else "→"
        if self._settings.has_stepped:
            return self.tr("Press {keys} to merge {left} + {right}.").format(keys=keys, left=left, right=right)
        text = self.tr(
            "Press {keys} to merge {left} + {right}. Or take the {tour}two-minute tour{end}, or {compare}compare "
            "your sentence with GPT-4’s tokens{end}."
        )
        if not gets_encodings():
            text = self.tr(
                "Press {keys} to merge {left} + {right}. Or take the {tour}two-minute tour{end}, or {compare}compare "
                "your sentence with another tokenizer’s tokens{end}."
            )
        links = {"tour": '<a href="tour">', "compare": '<a href="compare">', "end": "</a>"}
        return text.format(keys=keys, left=left, right=right, **links)

    def _follow(self, link: str) -> None:
        trainer = self._session.cursor.trainer
        if link != "size":
            (self.tour_wanted if link == "tour" else self.comparison_wanted).emit()
        elif trainer is not None:
            self._session.corpus.set_vocab_size(trainer.initial_size + _MORE_ENTRIES)


def _moves_caret(widget: QWidget | None) -> bool:
    """Return whether a widget keeps the key → for itself, as texts do."""
    event = QKeyEvent(SHORTCUT_OVERRIDE, Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    return widget is not None and QApplication.sendEvent(widget, event) and event.isAccepted()


class ActivityBar(QWidget):
    """The progress of the session's long work; hidden while there is none."""

    def __init__(self, session: Session, cancel: QAction) -> None:
        super().__init__()
        self._session = session
        self._started = 0.0  # on the monotonic clock, in seconds
        self._done_at_start: int | None = None  # of the current stage, when its clock started
        self._total = 0
        self._label = quiet_label("activityLabel")
        self._bar = progress_line("activityProgress", self.tr("Progress"))
        self._bar.setFixedWidth(160)
        button = name_widget(QToolButton(), "cancelButton", self.tr("Cancel"))
        button.setDefaultAction(cancel)
        button.setAutoRaise(True)
        row_of(self._label, self._bar, button, of=self, spacing=None)
        session.work.changed.connect(self._show_activity)
        session.work.progressed.connect(self._show_progress)
        self._show_activity()

    def _show_activity(self) -> None:
        activity = self._session.work.activity
        self._restart_clock(0)
        self._bar.setRange(0, 0)
        texts = {
            Activity.COUNTING: self.tr("Counting…"),
            Activity.TRAINING: " · ".join((self.tr("Training…"), *self._until_texts())),
            Activity.MOVING: self.tr("Going to step…"),
            Activity.BRANCHING: self._branching_text(),
            Activity.OPENING: self._opening_text(),
        }
        self._label.setText(texts.get(activity, ""))
        self.setVisible(activity is not Activity.IDLE)

    def _opening_text(self) -> str:
        name = self._session.work.name
        return self.tr("Opening {name}…").format(name=name) if name else self.tr("Opening tokenizer…")

    def _branching_text(self) -> str:
        work = self._session.work
        then = self.tr("Creating the branch “{name}”, then training it…")
        return (then if work.trains_branch else self.tr("Creating the branch “{name}”…")).format(name=work.name)

    def _restart_clock(self, total: int) -> None:
        self._started = monotonic()
        self._done_at_start = None
        self._total = total

    def _show_progress(self, done: int, total: int) -> None:
        activity = self._session.work.activity
        if activity is Activity.OPENING:
            self._show_percent(self._opening_text(), done, total)
            return
        if activity is Activity.BRANCHING and total:  # bytes while counting, then merges
            if total != self._total:
                self._restart_clock(total)
            time_left = self._rate_texts(done, total)[-1:]
            self._show_percent(self._branching_text(), done, total, *time_left)
            return
        if not total:  # a run is being set up
            self._bar.setRange(0, 0)
            self._label.setText(self.tr("Preparing…"))
            return
        if total != self._total:  # the next stage of the work
            self._restart_clock(total)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        texts = self._done_text(done, total), *self._until_texts(), *self._rate_texts(done, total)
        self._label.setText(" · ".join(texts))

    def _show_percent(self, text: str, done: int, total: int, *facts: str) -> None:
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        percent = self.tr("{opening} {percent}%").format(opening=text, percent=100 * done // total)
        self._label.setText(" · ".join((percent, *facts)))

    def _until_texts(self) -> tuple[str, ...]:
        """Return the condition that training waits for, unless that is just the target size."""
        goal = self._session.run.unreached
        is_training = self._session.work.activity is Activity.TRAINING
        return (said(goal.until.statements[0]),) if is_training and goal is not None and goal.until is not None else ()

    def _rate_texts(self, done: int, total: int) -> tuple[str, ...]:
        """Return the rate, if it is shown, and the time left; nothing until they can be estimated.

        Only what was done since the clock started counts.
        """
        if self._done_at_start is None:
            self._done_at_start = done
        elapsed = monotonic() - self._started
        is_moving = self._session.work.activity is Activity.MOVING  # the first steps of a move take the longest
        if elapsed < _ESTIMATE_AFTER or done <= self._done_at_start or is_moving:
            return ()
        rate = (done - self._done_at_start) / elapsed
        time_left = self.tr("{time} left").format(time=duration_text((total - done) / rate))
        if self._session.work.activity is Activity.COUNTING:
            return self.tr("{size}/s").format(size=size_text(round(rate))), time_left
        return self.tr("{steps} steps/s").format(steps=number(round(rate))), time_left

    def _done_text(self, done: int, total: int) -> str:
        if self._session.work.activity is Activity.COUNTING:
            return self.tr("Counted {done} of {total}").format(done=size_text(done), total=size_text(total))
        return self.tr("Step {done} of {total}").format(done=number(done), total=number(total))


_SHOWN_MEMORY: Final = 20_000_000  # bytes; the bar shows how much a branch takes if it is at least this much
_SWITCHER_WIDTHS: Final = (120, 280)  # pixels, minimum and maximum


class OpenedBar(QFrame):
    """A bar across the window, visible while there are branches or opened tokenizers."""

    splitter_chosen = Signal(str)
    """The user chose the splitter of the tokenizer on screen, whose file does not have it."""

    def __init__(self, session: Session, theme: Theme, actions: Mapping[str, QAction]) -> None:
        """`actions` has the window's actions by name."""
        super().__init__()
        self._theme = theme
        self.setObjectName("openedTokenizerBar")
        set_role(self, "panelHeader")
        self._session = session
        self._switcher = name_widget(ComboBox(), "tokenizerSwitcher", self.tr("Runs and open tokenizers"))
        self._switcher.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self._switcher.setMinimumWidth(_SWITCHER_WIDTHS[0])
        self._switcher.setMaximumWidth(_SWITCHER_WIDTHS[1])
        self._switcher.activated.connect(self._switch)
        self._facts = SentenceLabel(name="openedTokenizerLabel", role="quiet")
        self._close_button = _button("closeTokenizerButton", self.tr("Close"), actions["close_tokenizer"])
        self._close_button.setAccessibleName(self.tr("Close this tokenizer"))
        self.pattern_button = push_button("openedPatternButton", self.tr("Pattern and special tokens…"))
        self._splitter_button = name_widget(QToolButton(), "openedSplitterButton", self.tr("Choose the splitter"))
        self._splitter_button.setToolTip(
            self.tr("This file does not say how text is split. Choose the splitter of its model.")
        )
        self._splitter_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._splitter_button.setMenu(QMenu(self._splitter_button))
        self._splitter_button.menu().aboutToShow.connect(self._fill_splitters)
        self._splitter_button.menu().triggered.connect(self._choose_splitter)
        menu = QMenu(self)
        menu.addActions([actions["replay"], actions["extend"]])
        self._replay_button = name_widget(MenuButton(self.tr("Replay on the corpus"), menu), "replayButton")
        self._replay_button.setAccessibleName(self.tr("Replay this tokenizer on the corpus"))
        ActionFollower(self._replay_button, actions["replay"])
        self._overlay_button = _button("overlayButton", self.tr("Overlay"), actions["overlay"])
        self._overlay_button.setCheckable(True)
        self._overlay_button.setChecked(session.overlay.is_on)
        session.overlay.changed.connect(self._check_overlay)
        self._branch_buttons = (
            _button("compareBranchButton", self.tr("Compare runs"), actions["compare_branch"]),
            _button("renameBranchButton", self.tr("Rename…"), actions["rename_branch"]),
            _button("dropBranchButton", self.tr("Delete"), actions["drop_branch"]),
        )
        self._switch_tip = actions["next_run"].toolTip()
        self._drop_tip = actions["drop_branch"].toolTip()
        row = row_of(self._switcher, (self._facts, 1), of=self, margins=(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP))
        for button in (self._overlay_button, *self._branch_buttons, self._splitter_button, self._replay_button):
            row.addWidget(button)
        row.addWidget(self.pattern_button)
        row.addWidget(self._close_button)
        for changed in (session.opened.list_changed, session.branches.list_changed):
            changed.connect(self._fill)
        for changed in (session.opened.changed, session.branches.changed):
            changed.connect(self._show)
        for changed in (session.cursor.steps_changed, session.run.trained, session.corpus.recipe_changed):
            changed.connect(self._show_facts)
        theme.changed.connect(self._show)
        self._fill()

    def _check_overlay(self) -> None:
        self._overlay_button.setChecked(self._session.overlay.is_on)

    def _fill(self) -> None:
        """List the runs and all opened tokenizers; hide the bar if there is only the main run."""
        runs, tokenizers = self._session.branches.all, self._session.opened.tokenizers
        if tokenizers:
            from bpe_gui.gui.wording.file_texts import opened_lines  # imports what reads files
        self.setVisible(len(runs) + len(tokenizers) > 1)
        with QSignalBlocker(self._switcher):
            self._switcher.clear()
            for branch in runs:
                self._switcher.addItem(branch.name)
                self._switcher.setItemData(self._switcher.count() - 1, branch.name, TOOL_TIP_ROLE)
            for tokenizer in tokenizers:
                self._switcher.addItem(distinct_name(self._session, tokenizer))
                path = [] if tokenizer.source.is_internal else [str(tokenizer.source.path)]
                tip = "\n".join(path + opened_lines(tokenizer.tokenizer(tokenizer.run_length)))
                self._switcher.setItemData(self._switcher.count() - 1, tip, TOOL_TIP_ROLE)
        self._show()

    def _switch(self, index: int) -> None:
        runs, opened = self._session.branches.all, self._session.opened
        if index < len(runs):
            self._session.show_branch(runs[index])
        else:
            opened.show(opened.tokenizers[index - len(runs)])
        self._show()  # a run that has to be made first is not shown yet

    def _show(self) -> None:
        opened, branches = self._session.opened, self._session.branches
        tokenizer = opened.tokenizer
        with QSignalBlocker(self._switcher):
            for index, branch in enumerate(branches.all):
                is_waiting = branch.paused is not None and branch is not branches.current
                name = self.tr("{name} · paused") if is_waiting else "{name}"
                self._switcher.setItemText(index, name.format(name=object_name(branch)))
            entries: tuple[ShownObject, ...] = (*branches.all, *opened.tokenizers)
            for index, entry in enumerate(entries):
                self._switcher.setItemIcon(index, QIcon(self._theme.mark_pixmap(mark_of(self._session, entry))))
            self._switcher.setCurrentIndex(entries.index(tokenizer or branches.current))
        tip = self._switcher.currentData(TOOL_TIP_ROLE) if tokenizer is not None else ""
        self._switcher.setToolTip(tip or self._switch_tip)
        self._splitter_button.setVisible(tokenizer is not None and tokenizer.takes_splitter)
        if tokenizer is not None and tokenizer.takes_splitter:
            chosen, assumed = self.tr("Splitter: {name}"), self.tr("Splitter assumed: {name}")
            name = tokenizer.source.splitter
            self._splitter_button.setText((chosen if name else assumed).format(name=name or ASSUMED_SPLITTER))
        self.pattern_button.setVisible(tokenizer is not None and tokenizer.lacks == "pattern")
        self._close_button.setVisible(tokenizer is not None)
        self._replay_button.setVisible(tokenizer is not None)
        self._overlay_button.setVisible(tokenizer is None and len(branches.all) > 1)
        for button in self._branch_buttons:
            button.setVisible(tokenizer is None and branches.current is not branches.main)
        self._show_facts()

    def _fill_splitters(self) -> None:
        from bpe_gui.engine import KNOWN_SPLITTERS

        menu, tokenizer = self._splitter_button.menu(), self._session.opened.tokenizer
        menu.clear()
        for name in KNOWN_SPLITTERS:
            action = menu.addAction(name)
            action.setObjectName(name)
            action.setCheckable(True)
            action.setChecked(tokenizer is not None and tokenizer.source.splitter == name)

    def _choose_splitter(self, action: QAction) -> None:
        self.splitter_chosen.emit(action.objectName())

    def _show_facts(self) -> None:
        tokenizer, branches = self._session.opened.tokenizer, self._session.branches
        if tokenizer is not None:
            self._facts.setText(self._facts_text(tokenizer))
        elif branches.current is branches.main:
            self._facts.setText(self._run_text())
        else:
            self._facts.setText(self._branch_text(branches.current))

    def _run_text(self) -> str:
        branches, tokenizers = len(self._session.branches.all) - 1, len(self._session.opened.tokenizers)
        texts = (
            (branches, counted(branches, self.tr("1 branch"), self.tr("{count} branches"))),
            (tokenizers, counted(tokenizers, self.tr("1 open tokenizer"), self.tr("{count} open tokenizers"))),
        )
        return " · ".join(text for count, text in texts if count)

    def _branch_text(self, branch: Branch) -> str:
        """Return how a branch is trained, and how much memory it takes if that matters."""
        trainer, made_from = self._session.run.trainer, self._session.run.inputs or branch
        size = 0 if trainer is None else memory_of(trainer)
        memory = self.tr("{size} of memory").format(size=size_text(size)) if size >= _SHOWN_MEMORY else ""
        drop = self._branch_buttons[-1]
        drop.setToolTip(with_keys(self._drop_tip, memory) if memory else self._drop_tip)
        recipe, plan = preset_title(made_from.recipe.preset), plan_summary(made_from.plan, branch.name)
        return " · ".join(filter(None, (self.tr("branch"), recipe, plan, memory)))

    def _facts_text(self, opened: OpenedTokenizer) -> str:
        tokenizer = opened.tokenizer(opened.run_length)
        facts = [
            self.tr("tokenizer file ({format})").format(format=opened.format),
            counted(opened.entry_count, self.tr("1 entry"), self.tr("{count} entries")),
            counted(opened.run_length, self.tr("1 merge"), self.tr("{count} merges")),
        ]
        if (last := tokenizer.largest_id) >= opened.entry_count:  # a model has rows of embeddings for the gaps, too
            facts.insert(2, self.tr("ids up to {last}").format(last=number(last)))
        if special := len(tokenizer.special_tokens):
            facts.append(counted(special, self.tr("1 special token"), self.tr("{count} special tokens")))
        if unmerged := opened.unmerged_count:  # these tokens only match whole words
            facts.append(
                counted(unmerged, self.tr("1 token without a merge"), self.tr("{count} tokens without a merge"))
            )
        return " · ".join((*facts, encoding_summary(tokenizer)))


def _button(name: str, text: str, action: QAction) -> QPushButton:
    return push_button(name, text, action.trigger, tool_tip=action.toolTip())
