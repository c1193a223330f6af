"""The list of the tokenizers that are compared, the first of which is that of the main window."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.session.session import Session

from .compared import MOST_SHOWN, Compared, CurrentStep, Origin, RunStep, TrainedRecipe


class ComparedTokenizers(QObject):
    """The tokenizers that are compared. Up to four of them are shown, with the text.

    - `list_changed`: there are others, or one has another name.
    - `shown_changed`: others are shown.
    - `tokenizer_changed`: one is another, as when the first one follows the main window to another step.
    """

    list_changed = Signal()
    shown_changed = Signal()
    tokenizer_changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._items = [Compared(CurrentStep(), None)]
        self._were_shown = [self.current]
        self._is_active = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._follow)
        session.cursor.tokenizer_changed.connect(self._soon.start)
        session.opened.list_changed.connect(self._soon.start)
        session.run.replaced.connect(self._age_steps)
        session.corpus.inputs_changed.connect(self._age_recipes)

    @property
    def is_settled(self) -> bool:
        """Whether the first one is as the main window shows it."""
        return not self._soon.isActive()

    @property
    def is_active(self) -> bool:
        """Whether anybody looks at the comparison; else no texts are kept, and nothing is followed."""
        return self._is_active

    def set_active(self, active: bool) -> None:
        """Show the texts again that were shown, and follow the main window; or let go of them."""
        if active == self._is_active:
            return
        self._is_active = active
        if not active:
            self._were_shown = [item for item in self._items if item.is_shown]
        content = self._session.text.content if active else ""
        for item in self._were_shown:
            if active:
                item.show(content)
            else:
                item.hide()
        self._follow()
        self.shown_changed.emit()

    @property
    def items(self) -> tuple[Compared, ...]:
        """All of them, the first one first."""
        return tuple(self._items)

    @property
    def shown(self) -> tuple[Compared, ...]:
        """Those that are shown and can encode."""
        return tuple(item for item in self._items if item.is_shown and item.tokenizer is not None)

    @property
    def current(self) -> Compared:
        """The one that follows the main window."""
        return self._items[0]

    def find(self, origin: Origin) -> Compared | None:
        """Return the one from an origin; None if it is not compared."""
        return next((item for item in self._items if item.origin == origin), None)

    def add(self, origin: Origin, tokenizer: Tokenizer) -> Compared:
        """Add a tokenizer, or replace that of the same origin by it; show it if there is a place for it."""
        item = self.find(origin)
        if item is None:
            item = Compared(origin, tokenizer)
            self._items.append(item)
            self.list_changed.emit()
        elif item.tokenizer is not tokenizer:
            item.use(tokenizer)
            self.tokenizer_changed.emit()
        if self._is_active:
            self.set_shown(item, True)
        return item

    def remove(self, item: Compared) -> None:
        """Compare a tokenizer no longer; the first one stays."""
        if item is not self.current and item in self._items:
            was_shown = item.is_shown
            self._items.remove(item)
            self.list_changed.emit()
            if was_shown:
                self.shown_changed.emit()

    def set_shown(self, item: Compared, shown: bool) -> bool:
        """Show or hide the text by a tokenizer. Return False, and do nothing, if too many are shown."""
        if shown == item.is_shown:
            return True
        if shown and sum(each.is_shown for each in self._items) >= MOST_SHOWN:
            return False
        if shown:
            item.show(self._session.text.content)
        else:
            item.hide()
        self.shown_changed.emit()
        return True

    def _age_steps(self) -> None:
        """Name the steps of the run as those of an earlier one."""
        has_changed = False
        for item in self._items:
            if isinstance(item.origin, RunStep) and not item.origin.is_past:
                item.origin = replace(item.origin, is_past=True)
                has_changed = True
        if has_changed:
            self.list_changed.emit()

    def _age_recipes(self) -> None:
        """Name recipes by whether they were trained on the corpus as it is now."""
        inputs = self._session.corpus.inputs
        has_changed = False
        for item in self._items:
            origin = item.origin
            if isinstance(origin, TrainedRecipe):
                is_past = origin.inputs != replace(inputs, recipe=origin.inputs.recipe)
                has_changed = has_changed or is_past != origin.is_past
                item.origin = replace(origin, is_past=is_past)
        if has_changed:
            self.list_changed.emit()

    def _follow(self) -> None:
        """Follow the main window to its step."""
        if not self._is_active:
            return
        session, current = self._session, self.current
        opened, cursor = session.opened.tokenizer, session.cursor
        tokenizer = cursor.tokenizer
        position = tokenizer.position if tokenizer else 0
        before = current.origin
        is_last = opened is not None and position == opened.run_length
        current.origin = CurrentStep(position, opened.name if opened else "", is_last)
        if tokenizer is not current.tokenizer:
            could_encode = current.tokenizer is not None
            current.use(tokenizer)
            if could_encode == (tokenizer is not None):
                self.tokenizer_changed.emit()
            else:
                self.shown_changed.emit()
        if current.origin != before:
            self.list_changed.emit()
