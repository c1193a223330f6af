"""Replaying an opened tokenizer on the corpus, as a branch whose plan has its merges, and going on from it."""

from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject

from bpe_gui.engine import EngineError, Plan, Recipe
from bpe_gui.gui.jobs import JobRunner, Operation
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.session.tokenizers.opened_tokenizer import OpenedTokenizer
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.joining import joined_sentences
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.wording.plan_texts import ReplayFacts, replay_text

_MORE_ENTRIES = 1_000
"""By how many entries the vocabulary is to grow if the size to train to is not above that of the tokenizer."""


class _Replay(NamedTuple):
    """The recipe and the plan of a run that replays a tokenizer."""

    recipe: Recipe
    plan: Plan
    doubled: int
    """The number of merges that make a token that an earlier one makes."""


class ReplayActions(QObject):
    """Makes runs of the corpus that begin with the merges of the tokenizer that is shown.

    Such a run is a branch: the other runs stay, and Ctrl+Z undoes it.
    """

    def __init__(self, session: Session, notices: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._notices = notices
        self._runner = JobRunner(self)

    @property
    def is_possible(self) -> bool:
        """Whether a tokenizer is shown, and there is a corpus."""
        return self._session.opened.tokenizer is not None and not self._session.corpus.is_empty

    def replay(self) -> None:
        """Replay the merges of the tokenizer that is shown, and show the run at the same step."""
        self._begin(goes_on=False)

    def extend(self) -> None:
        """Replay the merges of the tokenizer that is shown, and show the run where training goes on from them."""
        self._begin(goes_on=True)

    def _begin(self, *, goes_on: bool) -> None:
        opened = self._session.opened.tokenizer
        if opened is None:
            return
        self._runner.abandon()
        self._notices.clear_words()
        self._runner.start(
            Operation(
                name="plan replay",
                work=lambda _report: _replay_of(opened),
                on_success=partial(self._make_run, opened, goes_on=goes_on),
                on_error=self._show_error,
            )
        )

    def _make_run(self, opened: OpenedTokenizer, replay: _Replay, *, goes_on: bool) -> None:
        session, merges = self._session, len(replay.plan.replay)
        name = opened.name or self.tr("replay")
        size = session.corpus.vocab_size
        if goes_on and size <= opened.entry_count:
            size = opened.entry_count + _MORE_ENTRIES
        session.branch_off(
            self.tr("{name}, continued").format(name=name) if goes_on else name,
            replay.recipe,
            replay.plan,
            merges if goes_on else opened.position,
            merges,
            vocab_size=size,
            then=lambda: self._tell(opened, replay, goes_on=goes_on),
        )

    def _tell(self, opened: OpenedTokenizer, replay: _Replay, *, goes_on: bool) -> None:
        """Say how many merges never occur, and what else is special about the run."""
        trainer = self._session.run.trainer
        if trainer is None:
            return
        merges = len(replay.plan.replay)
        absent = int(np.count_nonzero(trainer.counts[:merges] == 0))
        facts = ReplayFacts(opened.name, merges, absent, replay.doubled, opened.unmerged_count)
        size, entries = self._session.corpus.vocab_size, opened.entry_count

        def words() -> str:
            sentences = [*replay_text(facts, size if goes_on else None)]
            if size <= entries:
                template = self.tr("The tokenizer has {entries} entries, so training to {size} adds none.")
                sentences.append(template.format(entries=number(entries), size=number(size)))
            return joined_sentences(sentences)

        self._notices.show_message(words)

    def _show_error(self, error: EngineError) -> None:
        self._notices.show_message(lambda: error_message(error))


def _replay_of(opened: OpenedTokenizer) -> _Replay:
    """Return the recipe and the plan that replay a tokenizer. Raise EngineError if no recipe can."""
    tokenizer = opened.tokenizer(opened.run_length)
    from bpe_gui.engine.formats import recipe_to_replay  # it imports all steps of pipelines

    recipe = recipe_to_replay(tokenizer)
    plan = Plan.extending(tokenizer, recipe)
    return _Replay(recipe, plan, len(plan.replay) - len({left + right for left, right in plan.replay}))
