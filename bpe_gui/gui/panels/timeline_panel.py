"""The timeline's panel: the count of each step's pair, or its token's length, and the playhead at the cursor."""

from dataclasses import replace
from typing import Final

from PySide6.QtWidgets import QWidget

from bpe_gui.engine import EngineError, token_in_sentence
from bpe_gui.gui.jobs import pause_before
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, column_of
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID
from bpe_gui.gui.session.object_names import mark_of, object_name, shown_object
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.timeline_view import TimelineView
from bpe_gui.gui.wording.phrases import labelled, number, tokens_text
from bpe_gui.gui.wording.run_texts import pruned_texts

_HEIGHT: Final = 104  # pixels
_MAX_COUNTED: Final = 4_000  # bytes; the tokens of a longer text at a dozen steps take more than a few milliseconds
_COUNT_AFTER: Final = 120  # milliseconds after an edit; later ones do not delay it


class TimelinePanel(QWidget):
    """The timeline view, connected to the session: moving the playhead moves the cursor.

    Below its steps are the tokens that the text to encode has as of each, with this run and with the overlay.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._view = TimelineView(self)
        self._view.set_describer(self._describe)
        self._view.set_counter(self._count)
        self._view.position_requested.connect(session.cursor.go_to)
        column_of(self._view, of=self, margins=(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP), spacing=None)
        self.setFixedHeight(_HEIGHT)
        self._shown_length = 0  # the number of merges that the view shows
        self._count_soon = pause_before(self._view.forget_tokens, _COUNT_AFTER, self)
        for changed in (session.text.replaced, session.text.edited, session.text.special_changed):
            changed.connect(self._count_again)
        session.run.trained.connect(self._view.forget_tokens)  # a thread has given back the run
        session.cursor.steps_changed.connect(self._show_run)
        session.cursor.moved.connect(self._show_cursor)
        session.selection.changed.connect(self._show_mark)
        session.overlay.changed.connect(self._show_overlay)
        for changed in (session.overlay.changed, session.branches.changed, session.opened.changed):
            changed.connect(self._apply_theme)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self._show_run()
        self._show_overlay()

    def _show_run(self) -> None:
        """Show the steps of another run, or none."""
        self._shown_length = 0
        self._view.set_counts(())
        self._show_cursor()

    def _show_cursor(self) -> None:
        """Move the playhead to the cursor, and add merges that have become known."""
        steps = self._session.cursor.steps
        if steps is None:
            return
        if steps.run_length != self._shown_length:
            self._shown_length = steps.run_length
            if steps.counts is not None:
                self._view.set_counts(steps.counts)
            else:  # the lengths of their tokens in bytes
                merges = steps.tokenizer(steps.run_length).merges
                self._view.set_lengths([len(left) + len(right) for left, right in merges])
            self._show_mark()
        self._view.set_end(self._session.cursor.last_step)
        self._view.set_position(steps.position)

    def _show_mark(self) -> None:
        """Mark the step that makes the selected token."""
        entry = self._session.selection.known_entry()
        self._view.set_mark(entry.step if entry and entry.step else None)

    def _show_overlay(self) -> None:
        """Draw the other run from the step where it parts from this one."""
        overlay = self._session.overlay
        if overlay.branch is None or overlay.run is None:
            self._view.set_overlay("", (), 0, ())
            return
        self._view.set_overlay(object_name(overlay.branch), overlay.run.trainer.counts, overlay.fork, overlay.stages)

    def _count_again(self) -> None:
        if not self._count_soon.isActive():
            self._count_soon.start()

    def _count(self, step: int) -> list[int] | None:
        """Return how many tokens the text has as of a step: in this run, and in the overlay, if that has the step.

        Return None while that is unknown: a thread has the run, or the run has no such step yet.
        """
        text, shown, overlay = self._session.text, self._session.cursor.steps, self._session.overlay.run
        if shown is None or step > shown.run_length:
            return None
        if not 0 < len(text.live) <= _MAX_COUNTED:
            return []
        runs = [shown, *([overlay.trainer] if overlay is not None and step <= overlay.trainer.run_length else [])]
        content = text.live.read(0, _MAX_COUNTED)
        try:
            known = [run.tokenizer(step).obeying(text.allowed_special).with_unknown_id(UNKNOWN_ID) for run in runs]
            return [len(each.token_arrays(content).starts) for each in known]
        except EngineError:
            return []

    def _describe(self, step: int) -> str:
        """Return a line about the merge of a step, counted from 1, and one about the text's tokens as of that step."""
        lines, tokens, other = [self._describe_merge(step)], self._count(step) or (), self._session.overlay.branch
        names = [object_name(each) for each in (shown_object(self._session), other) if each is not None]
        if len(tokens) > 1:
            lines += [labelled(name, tokens_text(count)) for name, count in zip(names, tokens, strict=True)]
        elif tokens:
            lines.append(self.tr("The text: {tokens}").format(tokens=tokens_text(tokens[0])))
        return "\n".join(lines)

    def _describe_merge(self, step: int) -> str:
        """Return a line about the merge of a step; for step 0, about the alphabet."""
        steps = self._session.cursor.steps
        if steps is None or not 0 < step <= steps.run_length:
            return self.tr("Step 0: alphabet only")
        merge = steps.merge_at(step - 1)
        if steps.counts is not None:
            template = self.tr("Step {step}: {left} + {right} → {token} ×{count}")
        else:
            template = self.tr("Step {step}: {left} + {right} → {token}")
        line = template.format(
            step=number(step),
            left=token_in_sentence(merge.left),
            right=token_in_sentence(merge.right),
            token=token_in_sentence(merge.token),
            count=number(merge.count),
        )
        return "\n".join([line, *pruned_texts(steps.pruned(step), step)])

    def _apply_theme(self) -> None:
        """Draw the object on the screen and the other run in the colours of their marks."""
        session, theme = self._session, self._theme
        line = theme.mark_color(mark_of(session, shown_object(session)))
        other = session.overlay.branch
        overlay = theme.mark_color(mark_of(session, other)) if other is not None else theme.color("warning")
        self._view.set_palette_colors(replace(theme.chart_palette(), line=line, overlay=overlay))
