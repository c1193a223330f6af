"""The tokenizers that are compared: where each comes from, and their list, which follows the main window."""

from dataclasses import dataclass, replace
from math import nan
from typing import Final
from weakref import ReferenceType, ref

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import AllowedSpecial, EngineError, LanguageTurns, LiveText, Plan, Tokenizer, Trainer
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.corpus import RunInputs
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID, EncodedText
from bpe_gui.gui.session.object_names import ShownObject, mark_of, name_at, object_name, shown_object
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session


@dataclass(frozen=True, slots=True)
class CurrentStep:
    """The step on screen, which the comparison follows."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class RunStep:
    """A step of a run, made from `inputs`; `is_past`: the run has since been replaced."""

    step: int
    is_past: bool = False
    branch: str = ""
    """The name of the branch; empty for the main run."""
    inputs: RunInputs | None = None


@dataclass(frozen=True, slots=True)
class OtherRun:
    """A run that the window does not show, at the same step as the one it shows, or at its last step.

    While an opened tokenizer is shown, the current run is as it was left.
    """

    branch: Branch
    step: int = 0


@dataclass(frozen=True, slots=True)
class TrainedRecipe:
    """A tokenizer trained on the corpus with another recipe; `is_past`: the corpus has changed since."""

    inputs: RunInputs
    vocab_size: int
    is_past: bool = False


Origin = CurrentStep | RunStep | OtherRun | OpenedTokenizer | TrainedRecipe
"""Where a tokenizer comes from; an opened one is compared at its last step."""


@dataclass(frozen=True, slots=True)
class TextNumbers:
    """The statistics of a text with this many bytes; `unknown` counts tokens for symbols without an id."""

    bytes: int
    tokens: int
    unknown: int

    @property
    def bytes_per_token(self) -> float:
        """The compression; NaN if the text has no tokens."""
        return self.bytes / self.tokens if self.tokens else nan


class Compared:
    """One of the compared tokenizers. `text` is the text to encode with its tokens, None while it is not shown."""

    def __init__(self, origin: Origin, tokenizer: Tokenizer | None) -> None:
        self.origin = origin
        self.tokenizer: Tokenizer | None = None
        """The tokenizer; None while there is nothing to train on."""
        self.text: LiveText | None = None
        self.numbers: TextNumbers | None = None
        """The statistics of the text; None until known. While they are recomputed, the previous ones."""
        self.vocab_size: int | None = None
        """The number of entries; None until known."""
        self.only_here: int | None = None
        """The number of tokens that no other compared tokenizer has; None until known."""
        self.error: EngineError | None = None
        """Why the text cannot be encoded, or None."""
        self.keeps_text = True
        """Whether its tokens cover bytes of the text unchanged, so that boundaries can be compared."""
        self.kept_parts: set[bytes] = set()
        """Parts of the text that the tokenizer is known to leave unchanged."""
        self._allowed_special: AllowedSpecial = "all"
        self.use(tokenizer)

    def use(self, tokenizer: Tokenizer | None) -> None:
        """Switch to another tokenizer."""
        self.tokenizer = tokenizer
        self.error = None
        self.kept_parts = set()
        if self.text is not None:
            self.text.encode_with(encoder_of(tokenizer, self._allowed_special))

    @property
    def has_marker(self) -> bool:
        """Whether a `</w>` in a token is the end-of-word marker, not text."""
        return self.tokenizer is not None and self.tokenizer.recipe.boundary != "none"

    @property
    def is_shown(self) -> bool:
        return self.text is not None

    def show(self, source: EncodedText | None) -> None:
        """Show a text in its current state, or none. Its edits must be repeated in `self.text`."""
        self.text = None if source is None else source.live.layer()
        if source is not None and self.text is not None:
            self.error = None
            self._allowed_special = source.allowed_special
            self.text.encode_with(encoder_of(self.tokenizer, self._allowed_special))


def encoder_of(tokenizer: Tokenizer | None, allowed_special: AllowedSpecial) -> Tokenizer | None:
    """Return a tokenizer that obeys these special tokens alone, and gives `UNKNOWN_ID` to symbols without an id."""
    obeying = tokenizer.obeying(allowed_special) if tokenizer is not None else None
    is_strict = obeying is not None and obeying.unknown_id is None
    return obeying.with_unknown_id(UNKNOWN_ID) if obeying is not None and is_strict else obeying


MAX_SHOWN: Final = 4
"""The number of texts that fit side by side. The sentence about too many of them in `compare_page` names it, too."""


class ComparedTokenizers(QObject):
    """The tokenizers that are compared. The texts of up to `MAX_SHOWN` of them are shown.

    - `list_changed`: a tokenizer was added, removed or renamed.
    - `shown_changed`: different ones are shown.
    - `tokenizer_changed`: one has been replaced, for example because the current one follows the main window to
      another step.
    """

    list_changed = Signal()
    shown_changed = Signal()
    tokenizer_changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.current = Compared(CurrentStep(), None)
        """The one that follows the main window."""
        self._items = [self.current]
        self._base: Compared | None = None
        self._were_shown = [self.current]
        self.is_active = False
        """Whether the window is open; otherwise no texts are kept, and nothing is followed."""
        self._trainers: dict[Compared, ReferenceType[Trainer]] = {}  # of steps, and of runs that are not shown
        self._shown_object = shown_object(session)
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._follow)
        session.cursor.tokenizer_changed.connect(self._soon.start)
        session.opened.list_changed.connect(self._soon.start)
        session.opened.list_changed.connect(self._follow_opened)
        session.overlay.changed.connect(self._soon.start)
        session.run.replaced.connect(self._age_steps)
        session.run.replaced.connect(self._soon.start)
        session.branches.changed.connect(self._follow_object)
        session.opened.changed.connect(self._follow_object)
        session.branches.list_changed.connect(self._forget_dropped)
        session.corpus.inputs_changed.connect(self._age_recipes)

    @property
    def is_settled(self) -> bool:
        """Whether the current one is the one on screen."""
        return not self._soon.isActive()

    def set_active(self, active: bool) -> None:
        """Show the texts again and follow the main window, or let go of them."""
        if active == self.is_active:
            return
        self.is_active = active
        if not active:
            self._were_shown = [item for item in self._items if item.is_shown]
        for item in self._were_shown:
            item.show(self._session.text if active else None)
        self._follow()
        self.shown_changed.emit()

    @property
    def items(self) -> tuple[Compared, ...]:
        """All of them, in the order in which they were added."""
        return tuple(self._items)

    @property
    def shown(self) -> tuple[Compared, ...]:
        """Those that are shown and can encode the text."""
        return tuple(item for item in self._items if item.is_shown and item.tokenizer is not None)

    @property
    def base(self) -> Compared:
        """The one that the others are compared with: the chosen one, or the one that follows the main window."""
        return self._base if self._base is not None and self._base in self._items else self.current

    def set_base(self, item: Compared) -> None:
        if item is not self.base:
            self._base = item
            self.list_changed.emit()

    def find(self, origin: Origin) -> Compared | None:
        """Return the one with this origin; None if it is not compared."""
        if isinstance(origin, OtherRun):
            return self.find_run(origin.branch)
        return next((item for item in self._items if item.origin == origin), None)

    def find_run(self, branch: Branch) -> Compared | None:
        """Return the one that follows a run that is not shown; None if it is not compared."""
        runs = ((item, item.origin) for item in self._items)
        return next((item for item, origin in runs if isinstance(origin, OtherRun) and origin.branch is branch), None)

    def plan_of(self, item: Compared) -> Plan | None:
        """Return the plan of a tokenizer trained here on the corpus; None for any other."""
        if isinstance(item.origin, OtherRun):
            return item.origin.branch.plan
        if isinstance(item.origin, TrainedRecipe) and not item.origin.is_past:
            return item.origin.inputs.plan
        is_run = isinstance(item.origin, CurrentStep) and self._session.opened.tokenizer is None
        return self._session.corpus.plan if is_run else None

    def have_other_corpora(self, items: tuple[Compared, Compared]) -> bool:
        """Return whether two tokenizers are known to have been trained on different corpora."""
        first, second = map(self._inputs_of, items)
        return first is not None and second is not None and first.have_other_corpus(second)

    def _inputs_of(self, item: Compared) -> RunInputs | None:
        if isinstance(item.origin, RunStep | TrainedRecipe):
            return item.origin.inputs
        branch = self._branch_of(item)
        run = None if branch is None else self._session.branches.run_of(branch)
        return None if run is None else run.inputs

    def runs_of(self, items: tuple[Compared, Compared]) -> tuple[Tokenizer, Tokenizer] | None:
        """Return two of the window's runs with all their known merges; None if the items are not two of its runs."""
        first, second = (self._run_of(item) for item in items)
        return (first, second) if first is not None and second is not None else None

    def turns_of(self, items: tuple[Compared, Compared]) -> LanguageTurns | None:
        """Return how languages take turns in the first of two items that is a run in which they do."""
        branches = filter(None, map(self._branch_of, items))
        runs = filter(None, map(self._session.branches.run_of, branches))
        return next((run.trainer.turns for run in runs if run.trainer.turns), None)

    def _branch_of(self, item: Compared) -> Branch | None:
        if isinstance(item.origin, OtherRun):
            return item.origin.branch
        is_run = isinstance(item.origin, CurrentStep) and self._session.opened.tokenizer is None
        return self._session.branches.current if is_run else None

    def _run_of(self, item: Compared) -> Tokenizer | None:
        branch = self._branch_of(item)
        merges = None if branch is None else self._session.branches.merges_of(branch)
        return merges and merges.tokenizer

    def add_run(self, branch: Branch) -> Compared | None:
        """Add a run that is not shown, and show its text; return None if it has to be made first."""
        tokenizer, step = self._tokenizer_of(branch)
        return self.add(OtherRun(branch, step), tokenizer) if tokenizer is not None else None

    def add_opened(self, opened: OpenedTokenizer) -> Compared:
        """Add an opened tokenizer, and show its text."""
        return self.add(opened, opened.tokenizer(opened.run_length))

    def add(self, origin: Origin, tokenizer: Tokenizer) -> Compared:
        """Add a tokenizer, or replace the one with the same origin; show it if fewer than four are shown."""
        item = self.find(origin)
        if item is None:
            item = Compared(origin, tokenizer)
            self._items.append(item)
            if isinstance(origin, RunStep) and self._session.run.trainer is not None:
                self._trainers[item] = ref(self._session.run.trainer)
            self.list_changed.emit()
        elif item.tokenizer is not tokenizer:
            item.use(tokenizer)
            self.tokenizer_changed.emit()
        if self.is_active:
            self.set_shown(item, True)
        return item

    def remove(self, item: Compared) -> None:
        """Stop comparing a tokenizer; the current one stays."""
        if item is not self.current and item in self._items:
            was_shown = item.is_shown
            self._items.remove(item)
            self._trainers.pop(item, None)
            self.list_changed.emit()
            if was_shown:
                self.shown_changed.emit()

    def set_shown(self, item: Compared, shown: bool) -> bool:
        """Show or hide a tokenizer's text. If too many are shown, do nothing and return False."""
        if shown == item.is_shown:
            return True
        if shown and sum(each.is_shown for each in self._items) >= MAX_SHOWN:
            return False
        item.show(self._session.text if shown else None)
        self.shown_changed.emit()
        return True

    def _age_steps(self) -> None:
        """Mark the steps of runs that no longer exist as past."""
        trainers = [run.trainer for run in self._session.branches.runs().values()]
        has_changed = False
        for item in self._items:
            trainer = self._trainers[item]() if item in self._trainers else None
            if isinstance(item.origin, RunStep) and not item.origin.is_past and trainer not in trainers:
                item.origin = replace(item.origin, is_past=True)
                has_changed = True
        if has_changed:
            self.list_changed.emit()

    def _follow_object(self) -> None:
        """Make the row of the object that the window now shows the current one; that of the one before stays."""
        before, now = self._shown_object, shown_object(self._session)
        self._shown_object = now
        if now is before:
            return
        former, item = self.current, self._row_of(now)
        exists = before in (*self._session.branches.all, *self._session.opened.tokenizers)
        stays = exists and former.tokenizer is not None and self._row_of(before) is None
        if item is None and not (stays and self.is_active):
            self._soon.start()  # the current row is for what is shown now
            return
        if item is None:
            item = Compared(CurrentStep(), None)
            self._items.append(item)
            self.set_shown(item, True)
        self.current = item
        item.origin = CurrentStep(object_name(now))
        if not stays:
            self.remove(former)
        elif isinstance(before, OpenedTokenizer):
            former.origin = before
            former.use(before.tokenizer(before.run_length))
            self.tokenizer_changed.emit()
        else:
            former.origin = OtherRun(before, former.tokenizer.position if former.tokenizer else 0)
        self.list_changed.emit()
        self._soon.start()

    def _row_of(self, shown: ShownObject) -> Compared | None:
        """Return the row of an object that is not the current one; None if it has none."""
        return self.find(shown) if isinstance(shown, OpenedTokenizer) else self.find_run(shown)

    def _forget_dropped(self) -> None:
        """Remove branches that were dropped; others may have been renamed."""
        for item in self.items:
            if isinstance(item.origin, OtherRun) and item.origin.branch not in self._session.branches.all:
                self.remove(item)
        self.list_changed.emit()

    def _tokenizer_of(self, branch: Branch) -> tuple[Tokenizer | None, int]:
        """Return the tokenizer of a run at the step that `OtherRun` has, and that step."""
        branches, step = self._session.branches, self._session.cursor.position
        step = min(step, branches.length_of(branch))
        run = branches.run_of(branch)
        if run is None:
            return (branch.saved.tokenizer.at(step), step) if branch.saved else (None, 0)
        if branch is branches.current:
            step = run.trainer.position or run.trainer.run_length
        is_trained = branch is branches.current and self._session.run.is_training
        return (None, 0) if is_trained else (run.trainer.tokenizer(step), step)

    def _follow_runs(self) -> None:
        """Follow the main window's step in the runs that it does not show."""
        for item in self._items:
            if not isinstance(item.origin, OtherRun):
                continue
            branch = item.origin.branch
            run = self._session.branches.run_of(branch)
            tokenizer, step = self._tokenizer_of(branch)
            known = self._trainers.get(item)
            is_same = run is not None and known is not None and known() is run.trainer
            if tokenizer is None or (is_same and step == item.origin.step):
                continue
            if run is not None:
                self._trainers[item] = ref(run.trainer)
            item.origin = OtherRun(branch, step)
            item.use(tokenizer)
            self.tokenizer_changed.emit()
            self.list_changed.emit()

    def _follow_opened(self) -> None:
        """Take opened tokenizers as they were read again, and remove those that were closed."""
        opened = self._session.opened.tokenizers
        for item in self.items:
            origin = item.origin
            if not isinstance(origin, OpenedTokenizer) or origin in opened:
                continue
            again = next((each for each in opened if each.source.path == origin.source.path), None)
            if again is None:
                self.remove(item)
            else:
                item.origin = again
                item.use(again.tokenizer(again.run_length))
                self.tokenizer_changed.emit()
                self.list_changed.emit()

    def _age_recipes(self) -> None:
        """Mark recipes that were not trained on the current corpus as past."""
        inputs = self._session.corpus.inputs
        has_changed = False
        for item in self._items:
            origin = item.origin
            if isinstance(origin, TrainedRecipe):
                is_past = origin.inputs != replace(inputs, recipe=origin.inputs.recipe, plan=origin.inputs.plan)
                has_changed = has_changed or is_past != origin.is_past
                item.origin = replace(origin, is_past=is_past)
        if has_changed:
            self.list_changed.emit()

    def mark_of(self, item: Compared) -> int | None:
        """Return the number of the colour of a run or an opened tokenizer; None for anything else."""
        origin, session = item.origin, self._session
        if isinstance(origin, CurrentStep):
            return mark_of(session, shown_object(session))
        if isinstance(origin, OtherRun):
            return mark_of(session, origin.branch)
        return mark_of(session, origin) if isinstance(origin, OpenedTokenizer) else None

    def _follow(self) -> None:
        """Follow the main window's step."""
        if not self.is_active:
            return
        current, tokenizer = self.current, self._session.cursor.tokenizer
        before = current.origin
        current.origin = CurrentStep(name_at(shown_object(self._session), tokenizer.position if tokenizer else 0))
        if tokenizer is not current.tokenizer:
            could_encode = current.tokenizer is not None
            current.use(tokenizer)
            if could_encode == (tokenizer is not None):
                self.tokenizer_changed.emit()
            else:
                self.shown_changed.emit()
        if current.origin != before:
            self.list_changed.emit()
        self._follow_runs()
