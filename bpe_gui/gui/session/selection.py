"""The selection: the token or pair that the user is looking at. Chosen in any panel, highlighted in all."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Entries, Tokenizer, TokenPair

from .cursor import Cursor


@dataclass(frozen=True, slots=True)
class Selected:
    """A token, identified by its bytes so that it can be found at every step and in every tokenizer.

    `special`: it is a special token, not an ordinary one with the same bytes. `pair`: the user chose this pair, which
    merges (or would merge) into the token.
    """

    token: bytes
    special: bool = False
    pair: TokenPair | None = None


@dataclass(frozen=True, slots=True)
class TokenEntry:
    """The id of a token and the step that makes it: 0 for the alphabet and special tokens."""

    id: int
    step: int


class Selection(QObject):
    """The selected token or pair, if any.

    - `changed`: the selection has changed or been cleared.
    - `asked`: `asks_for_next` has changed.
    - `lineage_wanted`, `occurrence_wanted`: the user wants to see how the selected token was made, or its next
      occurrence in the text.
    - `why_not_wanted(text)`: the user wants to know why this text is not one token.
    """

    changed = Signal()
    asked = Signal()
    lineage_wanted = Signal()
    occurrence_wanted = Signal()
    why_not_wanted = Signal(str)

    def __init__(self, cursor: Cursor, parent: QObject) -> None:
        super().__init__(parent)
        self._cursor = cursor
        self.selected: Selected | None = None
        """The selected token or pair, or None."""
        self.asks_for_next = False
        """Whether a lesson asks which pair is merged next, so that nothing may show it."""

    def ask_for_next(self, asks: bool) -> None:
        """Begin or end asking which pair is merged next."""
        if asks != self.asks_for_next:
            self.asks_for_next = asks
            self.asked.emit()

    @property
    def token(self) -> bytes | None:
        """The bytes of the selected token, or of the token that the selected pair makes; None without a selection."""
        return self.selected.token if self.selected else None

    @property
    def pair(self) -> TokenPair | None:
        """The selected pair, or None."""
        return self.selected.pair if self.selected else None

    def select_token(self, token: bytes, *, special: bool = False) -> None:
        self.select(Selected(token, special))

    def select_pair(self, left: bytes, right: bytes) -> None:
        """Select a pair, and with it the token it makes."""
        self.select(Selected(left + right, pair=(left, right)))

    def clear(self) -> None:
        self.select(None)

    def select(self, selected: Selected | None) -> None:
        """Select a token or a pair, or nothing."""
        if selected != self.selected:
            self.selected = selected
            self.changed.emit()

    def show_lineage(self, selected: Selected) -> None:
        """Select a token, and ask for its lineage."""
        self.select(selected)
        self.lineage_wanted.emit()

    def find(self, selected: Selected) -> None:
        """Select a token, and ask for its next occurrence in the text."""
        self.select(selected)
        self.occurrence_wanted.emit()

    def ask_why_not(self, text: str) -> None:
        self.why_not_wanted.emit(text)

    def ids_in(self, tokenizer: Tokenizer | None) -> tuple[int, ...]:
        """Return the ids of the selection at the step of `tokenizer`; see `ids_of`."""
        return ids_of(self.selected, tokenizer) if self.selected and tokenizer else ()

    def known_entry(self) -> TokenEntry | None:
        """Return the selected token's id and step among all known steps; None if no known step makes it."""
        return self._entry_of(self.selected) if self.selected else None

    def later_step_of(self, token: bytes) -> int | None:
        """Return the step that makes a token, if it is known and after the current one; otherwise None."""
        entry = self._entry_of(Selected(token))
        return entry.step if entry and entry.step > self._cursor.position else None

    def _entry_of(self, selected: Selected) -> TokenEntry | None:
        steps = self._cursor.steps
        return find_token(steps.tokenizer(steps.run_length), selected) if steps else None


def find_token(tokenizer: Tokenizer, selected: Selected) -> TokenEntry | None:
    """Find a token among the entries of all steps of a tokenizer; return None if it is not there."""
    entry = tokenizer.store.entry(selected.token, special=selected.special)
    if entry is None:
        return None
    token_id, step = entry
    return TokenEntry(token_id, 0 if step == Entries.SPECIAL else step)


def ids_of(selected: Selected, tokenizer: Tokenizer) -> tuple[int, ...]:
    """Return the id of a token at the tokenizer's step, or both ids of a pair that is not merged yet; else nothing."""
    token_id = id_at_step(selected, tokenizer)
    if token_id is not None:
        return (token_id,)
    parts = [id_at_step(Selected(part), tokenizer) for part in selected.pair or ()]
    return tuple(part for part in parts if part is not None) if None not in parts else ()


def id_at_step(selected: Selected, tokenizer: Tokenizer) -> int | None:
    """Return the id of a token at the tokenizer's step; None if it does not exist there."""
    entry = find_token(tokenizer, selected)
    return entry.id if entry and entry.step <= tokenizer.position else None
