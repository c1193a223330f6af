"""The page that says why a piece of text is not one token: the selected text, or a text typed there."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from bpe_gui.engine import SPLITTERS, EngineError, Tokenizer, Trainer
from bpe_gui.engine.explanations import Explanation, WordBoundary, explain
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, Scrolled, column_of, gapless_column, row_of
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.overlays import Dimmer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import CopyButton, SentenceLabel, copy_shown, name_widget, offer_clearing, push_button
from bpe_gui.gui.search.token_filter import exact_tokens
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.exact_text import utf16_size
from bpe_gui.gui.views.chip_text import ChipText
from bpe_gui.gui.wording.phrases import number
from bpe_gui.gui.wording.run_texts import reason_while_counting
from bpe_gui.gui.wording.sentences import Sentence, ShownToken, error_message
from bpe_gui.gui.wording.why_not_texts import (
    Goal,
    GoToBorder,
    GoToLineage,
    GoToPair,
    GoToStep,
    StepsNow,
    why_not_answer,
    why_not_question,
)

T = TypeVar("T")

_DELAY: Final = 60  # milliseconds after the last change
_MAX_BYTES: Final = 1_000  # of the text in question
_MAX_AROUND: Final = 100_000  # bytes of text to search for a word


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The bytes [start, stop) of a text that splits into words exactly as it does in its context.

    `offset` is where the text begins in the text to encode; None for a typed text.
    """

    text: bytes
    start: int
    stop: int
    offset: int | None = None

    @property
    def content(self) -> bytes:
        return self.text[self.start : self.stop]

    def beginning(self) -> "_Stretch":
        """Return the part that is short enough to ask about."""
        stop = min(self.stop, self.start + _MAX_BYTES)
        while stop < self.stop and self.text[stop] & 0xC0 == 0x80:
            stop -= 1
        return replace(self, stop=stop)

    def explain(
        self, source: Trainer | Tokenizer, vocab_size: int | None, allowed_special: Literal["all", "none"]
    ) -> tuple[Explanation, Explanation | None]:
        """Return why it is not one token, and what takes its letters elsewhere. Raise EngineError."""
        return explain(
            *(source, self.text, self.start, self.stop),
            is_alone=self.offset is None,
            vocab_size=vocab_size,
            allowed_special=allowed_special,
        )


class WhyNotPage(QWidget):
    """A field for a text, and the answer about that text, or about one selected later.

    While the page is visible, the answer follows the step.
    """

    border_chosen = Signal(int, int)
    """The user wants to see the characters at these bytes of the text to encode."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("whyNotPage")
        self._session = session
        self._theme = theme
        self._selection = 0, 0
        self._asked: _Stretch | None = None  # the one whose answer is shown
        self._goals: dict[type[Goal], Goal] = {}
        self._runner = JobRunner(self, self._ask, _DELAY)
        self._make_widgets()
        field = row_of((self._input, 1), self._copy_button, margins=(MARGIN, MARGIN, MARGIN, SMALL_GAP))
        # Below each other, since side by side they are wider than the panel in a small window.
        buttons = column_of(*(row_of(button, None) for button in self._buttons.values()), spacing=SMALL_GAP)
        content, self._said = QWidget(), QWidget()
        column_of(self._question, self._answer, of=self._said)
        column_of(self._said, buttons, None, of=content, margins=(MARGIN, SMALL_GAP, MARGIN, MARGIN))
        self._dimmer = Dimmer(content)
        gapless_column(self, field, (Scrolled(content), 1))
        self._connect()
        theme.keep(lambda answer: answer.set_look(theme.token_font(), theme.token_palette()), self._answer)

    # -- construction ------------------------------------------------------------------------------------------------

    def _make_widgets(self) -> None:
        name = self.tr("Why is this not one token?")
        self._input = name_widget(QLineEdit(), "whyNotInput", name)
        self._input.setPlaceholderText(self.tr("Type text, or select some above"))
        self._input.setToolTip(self.tr("The text to explain. If empty, the selected text is explained."))
        offer_clearing(self._input, self.tr("Clear the text in question"))
        self._question = SentenceLabel(name="whyNotQuestion", role="quiet")
        self._answer = ChipText("whyNotAnswer", self._theme.token_palette())
        self._copy_button = CopyButton("whyNotCopy")
        self._copy_button.wanted.connect(self._copy)
        self._buttons: dict[type[Goal], QPushButton] = {
            GoToStep: push_button("whyNotGoStep", self._step_text(0)),
            GoToBorder: push_button("whyNotGoBorder", self.tr("Show the boundary")),
            GoToPair: push_button("whyNotGoPair", self.tr("Show the pair")),
            GoToLineage: push_button("whyNotGoLineage", self.tr("Show its lineage")),
        }

    def _step_text(self, step: int) -> str:
        return self.tr("Go to step {step}").format(step=number(step))

    def _connect(self) -> None:
        session = self._session
        for changed in (
            session.cursor.tokenizer_changed,
            session.text.tokens_changed,
            session.work.changed,
            session.counts.changed,
            session.corpus.recipe_changed,
            self._input.textChanged,
        ):
            changed.connect(self._schedule)
        self._answer.token_chosen.connect(self._select_token)
        self._answer.step_chosen.connect(session.cursor.go_to)
        for kind, button in self._buttons.items():
            button.clicked.connect(weakly(self._reach, kind))

    # -- the question ----------------------------------------------------------------------------------------------

    def set_selection(self, start: int, stop: int) -> None:
        """Set the selected bytes of the text to encode, which replace what was typed before."""
        if (start, stop) != self._selection:
            self._selection = start, stop
            if start < stop:
                self._input.clear()
            self._schedule()

    def ask_about(self, text: str) -> None:
        """Ask about a text, or if it is empty, about the selection."""
        self._input.setText(text)
        self._schedule()

    @property
    def is_asking(self) -> bool:
        """Whether another answer is being computed."""
        return self._runner.is_due

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._schedule()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._runner.abandon()

    def _schedule(self) -> None:
        if self.isVisible():
            self._runner.start_soon()
            self._dimmer.set_dimmed(True)

    def _stretch(self) -> _Stretch | None:
        """Return the typed text, or else the selection; None if there is neither."""
        if typed := self._input.text():
            text = _typed_bytes(typed)
            return _Stretch(text, 0, len(text))
        start, stop = self._selection
        stop = min(stop, len(self._session.text.live))
        if start >= stop:
            return None
        offset, text = self._session.text.live.around(start, min(stop, start + _MAX_BYTES + 1))
        return _Stretch(text, start - offset, stop - offset, offset)

    # -- answering ---------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        cursor, tokenizer = self._session.cursor, self._session.cursor.tokenizer
        stretch = self._stretch()
        if cursor.is_following_training:
            self._say(self.tr("The answer will appear when training is done."))
        elif self._session.counts.error is not None and tokenizer is None:
            self._say(error_message(self._session.counts.error))
        elif cursor.steps is None or tokenizer is None:
            self._say(reason_while_counting())
        elif stretch is None:
            self._say(self.tr("Select part of the text to encode, or type text here, to see why it is not one token."))
        elif len(stretch.text) > _MAX_AROUND:
            self._say(self.tr("The words around it are too long to search. Try a shorter text."))
        else:
            self._explain(stretch, tokenizer)

    def _explain(self, stretch: _Stretch, tokenizer: Tokenizer) -> None:
        """Explain at once for a run, which no thread may read, and in a thread for an opened tokenizer.

        A user's own expression is first tried on the text in a thread, because it may take any time.
        """
        trainer, asked = self._session.cursor.trainer, stretch.beginning()
        if trainer is None:
            allowed = self._session.text.allowed_special
            self._start(
                lambda: asked.explain(tokenizer, None, allowed), lambda found: self._show(stretch, asked, *found)
            )
        elif tokenizer.recipe.splitter in SPLITTERS:
            self._explain_run(stretch, asked, trainer)
        else:
            self._start(
                lambda: tokenizer.word_starts(asked.text), lambda _found: self._explain_run(stretch, asked, trainer)
            )

    def _start(self, work: Callable[[], T], then: Callable[[T], object]) -> None:
        self._runner.start(
            name="explain",
            work=lambda _report: work(),
            on_success=then,
            on_error=lambda error: self._say(error_message(error)),
        )

    def _explain_run(self, stretch: _Stretch, asked: _Stretch, trainer: Trainer) -> None:
        size = self._session.corpus.vocab_size
        try:
            found, elsewhere = asked.explain(trainer, size, self._session.text.allowed_special)
        except EngineError as error:
            self._say(error_message(error))
        else:
            self._show(stretch, asked, found, elsewhere)

    def _say(self, text: str) -> None:
        """Show a sentence instead of an answer."""
        self._show_answer("", [Sentence("{text}", {"text": text})], ())

    def _show(
        self, stretch: _Stretch, asked: _Stretch, found: Explanation, elsewhere: Explanation | None = None
    ) -> None:
        """Show the answer for a text, or for its beginning if it is long."""
        is_truncated = asked != stretch
        if is_truncated and not isinstance(found.reason, WordBoundary):
            self._say(self.tr("This is too long to be one token. Select less."))
            return
        if is_truncated and isinstance(found.reason, WordBoundary):  # there may be more of them
            found = replace(found, reason=replace(found.reason, boundaries=1))
        steps = self._steps_now()
        if steps is None:
            return
        self._asked = asked
        content = asked.content
        answer = why_not_answer(found, content, steps, elsewhere)
        question = why_not_question(stretch.content, found.word).plain
        self._show_answer(question, [answer.answer, *answer.details], answer.goals)

    def _steps_now(self) -> StepsNow | None:
        cursor, steps, tokenizer = self._session.cursor, self._session.cursor.steps, self._session.cursor.tokenizer
        if steps is None or tokenizer is None:
            return None
        last = cursor.target_position if cursor.trainer else None
        now = StepsNow(tokenizer.recipe, cursor.position, cursor.run_length, last, steps.merge_at)
        return now if cursor.trainer is None else replace(now, veto_of=cursor.trainer.veto_of)

    def _show_answer(self, question: str, sentences: list[Sentence], goals: tuple[Goal, ...]) -> None:
        self._dimmer.set_dimmed(False)
        self._question.setText(question)
        self._question.setVisible(bool(question))
        self._copy_button.setVisible(bool(question))
        self._answer.show_sentences(sentences)
        self._goals = {type(goal): goal for goal in goals}
        for kind, button in self._buttons.items():
            goal = self._goals.get(kind)
            if goal is None and button.hasFocus():
                self._input.setFocus()  # otherwise Qt moves the focus to an arbitrary widget
            button.setVisible(goal is not None)
            if isinstance(goal, GoToStep):
                button.setText(self._step_text(goal.step))
                button.setAccessibleName(button.text())

    def _copy(self, as_picture: bool) -> None:
        text = f"{self._question.text()}\n{self._answer.text()}"
        copy_shown(self._said, text, as_picture=as_picture)

    # -- going to the answer -----------------------------------------------------------------------------------------

    def _reach(self, kind: type[Goal]) -> None:
        selection = self._session.selection
        match self._goals[kind]:
            case GoToStep(step):
                self._session.cursor.go_to(step)
            case GoToPair(left, right):
                selection.select_pair(left, right)
            case GoToLineage(token, is_special):
                selection.show_lineage(Selected(token, is_special))
            case GoToBorder(offset):
                self._show_border(offset)

    def _select_token(self, token: ShownToken) -> None:
        self._session.selection.select_token(token.token, special=token.is_special)

    def _show_border(self, offset: int) -> None:
        """Select the two characters next to a boundary, in the text to encode or in the field."""
        asked = self._asked
        if asked is None or self.is_asking:  # about a text that may have changed
            return
        before, after = (part.decode(errors="ignore") for part in (asked.text[:offset], asked.text[offset:]))
        if asked.offset is None:
            start, size = utf16_size(before[:-1]), utf16_size(before[-1:] + after[:1])
            self._input.setFocus()
            self._input.setSelection(start, size)
            return
        begin, end = len(before[-1:].encode()), len(after[:1].encode())
        self.border_chosen.emit(asked.offset + offset - begin, asked.offset + offset + end)


def _typed_bytes(typed: str) -> bytes:
    """Return the typed text, either literally or as tokens are shown, with `·` for a space."""
    for token in exact_tokens(typed):
        try:
            token.decode()
        except UnicodeDecodeError:
            continue
        return token
    return typed.encode(errors="replace")
