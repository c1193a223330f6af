"""The actions on branches: create one at a step, switch, rename, compare and drop."""

from collections.abc import Callable
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QCoreApplication, QModelIndex, Qt
from PySide6.QtWidgets import QInputDialog, QLineEdit, QMenu, QWidget

from bpe_gui.engine import Plan, Recipe, Replay, TokenPair, Trainer
from bpe_gui.gui.dialogs.boxes import open_once, show_table
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.widgets import add_action
from bpe_gui.gui.panels.notice_bar import Notice
from bpe_gui.gui.session.branches import Branch, banning, forcing, memory_of, plan_from
from bpe_gui.gui.session.object_names import distinct_name, made_name, object_name
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.tables.merge_model import MergeModel
from bpe_gui.gui.tables.pair_model import PairModel
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.wording.phrases import joined_sentences, number, size_text
from bpe_gui.gui.wording.recipe_texts import preset_title
from bpe_gui.gui.wording.run_texts import extension_text, pair_text, replay_text
from bpe_gui.gui.wording.sentences import said

from .edit_actions import UndoOffers
from .part import Handlers, Surroundings, WindowPart

if TYPE_CHECKING:
    from bpe_gui.gui.dialogs.plan_dialog import ReplaySource

translate = QCoreApplication.translate  # lupdate knows the function by this name

_ANNOUNCED_MEMORY: Final = 100_000_000  # bytes; if a branch takes more, a notice says so
_AHEAD: Final = 1_000  # merges that a new branch makes at once, to show what it changes
_MAX_LETTERS: Final = 80  # of the name of a branch


class BranchActions(WindowPart):
    """Makes branches of the run on screen, at its current step or another, and handles the run switcher's commands.

    A branch repeats the merges up to its step, and is trained as far as the run it comes from, or else a little ahead.
    """

    def __init__(self, around: Surroundings, offers: UndoOffers, compare: Callable[[Branch], object]) -> None:
        """`compare` shows how the current branch differs from another one."""
        super().__init__(around)
        self._offers = offers
        self._compare = compare
        self._known = self._session.branches.all
        self._asked: tuple[Branch, Plan, Plan] | None = None
        """The run and its plan where a plan was asked for last, and that plan; None once a branch has it."""
        # Queued, so that the branch is already the last change when the notice offers to undo it.
        self._session.branches.list_changed.connect(self._report_new, Qt.ConnectionType.QueuedConnection)
        self._begins_at_end = False
        """Whether the branch made last begins at the last step, which has not been said yet."""

    def handlers(self) -> Handlers:
        """Return what the actions of the window do that make, show or change branches."""
        return {
            "next_tokenizer": weakly(self.show_neighbour, 1),
            "previous_tokenizer": weakly(self.show_neighbour, -1),
            "plan": self.edit_plan,
            "ban_pair": self.ban_chosen,
            "merge_instead": self.merge_chosen,
            "try_recipe": self.try_recipe,
            "next_run": self.show_next_run,
            "compare_branch": self.compare,
            "rename_branch": self.rename,
        }

    def _report_new(self) -> None:
        """Say if a new branch needs a lot of memory, or has no merges of its own yet."""
        if self._begins_at_end:
            self._begins_at_end = False
            text = self.tr(
                "This is the last step, so the branch “{name}” has the same merges so far. One more step or a larger "
                "vocabulary shows a difference."
            )
            self._offers.show_message(partial(text.format, name=self._session.branches.current.name))
        branches = self._session.branches
        new = [branch for branch in branches.all if branch not in self._known]
        self._known = branches.all
        for branch in new:
            run = branches.run_of(branch)
            if run is not None and (size := memory_of(run.trainer)) >= _ANNOUNCED_MEMORY:
                text = self.tr(
                    "The branch “{name}” uses {size} of memory. You can delete it in the Training menu when you "
                    "no longer need it."
                )
                self._offers.show_message(partial(text.format, name=branch.name, size=size_text(size)))

    # -- making branches --------------------------------------------------------------------------------------------

    def ban(self, pair: TokenPair, step: int) -> None:
        """Make a branch where a pair is never merged after a step."""
        self._branch_off(partial(_without, pair), step, lambda plan: banning(plan, pair))

    def merge_instead(self, pair: TokenPair, step: int) -> None:
        """Make a branch where a pair is merged after a step, instead of the next one."""
        self._branch_off(partial(_instead, pair, step), step, lambda plan: forcing(plan, step, pair))

    def ban_chosen(self) -> None:
        """Ban the selected pair, or else the next one, starting at the current step."""
        trainer = self._session.cursor.trainer
        if trainer is not None and (pair := self._selected_pair(trainer) or _next_pair(trainer)) is not None:
            self.ban(pair, trainer.position)

    def merge_chosen(self) -> None:
        """Merge the selected pair instead of the next one."""
        trainer = self._session.cursor.trainer
        if trainer is not None and (pair := self._selected_pair(trainer)) is not None:
            self.merge_instead(pair, trainer.position)

    def try_recipe(self) -> None:
        """Ask for another recipe, and make a branch that continues with it from the current step."""
        if self._session.cursor.trainer is not None:
            self.try_recipe_from(self._session.cursor.position)

    def try_recipe_from(self, step: int) -> None:
        """Ask for another recipe, and make a branch that continues with it from a step."""
        from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog  # slow to import, and not needed yet
        from bpe_gui.gui.dialogs.splitter_trial import SplitterCorpus

        corpus = self._session.corpus
        dialog = RecipeDialog(corpus.recipe, self._window, corpus=SplitterCorpus.of(corpus), theme=self._theme)
        dialog.setWindowTitle(self.tr("Another recipe from step {step}").format(step=number(step)))
        dialog.accepted.connect(lambda: self._branch_by(dialog.recipe, step))
        open_once(dialog)

    def _branch_by(self, recipe: Recipe, step: int) -> None:
        self._branch_off(partial(_by_recipe, recipe, step), step, lambda plan: plan, recipe)

    def _branch_off(
        self, make: Callable[[], str], step: int, change: Callable[[Plan], Plan], recipe: Recipe | None = None
    ) -> None:
        trainer = self._session.cursor.trainer
        if trainer is not None:
            plan = change(plan_from(trainer, step))
            target = self._session.cursor.target_position
            then = self._note_end if step == trainer.run_length >= target else lambda: None
            merges = max(trainer.run_length, min(target, step + _AHEAD))
            name = made_name(make)
            self._session.branch_off(name, recipe or trainer.recipe, plan, step, merges, then=then)

    def _note_end(self) -> None:
        self._begins_at_end = True

    def edit_plan(self) -> None:
        """Open the dialog with the plan of the run on screen."""
        from bpe_gui.gui.dialogs.plan_dialog import PlanDialog

        asked, plan = self._asked, self._session.corpus.plan
        if asked is not None and asked[:2] == (self._session.branches.current, plan):
            plan = asked[2]  # no run could be made with it
        dialog = PlanDialog(plan, self._replay_sources(), self._window)
        dialog.branch_wanted.connect(self._branch_by_plan)
        dialog.plan_wanted.connect(self._session.apply_plan)
        open_once(dialog)

    def _replay_sources(self) -> "list[ReplaySource]":
        """Return the runs and the opened tokenizers, starting with the run on screen."""
        from bpe_gui.gui.dialogs.plan_dialog import ReplaySource

        session, branches = self._session, self._session.branches
        runs = [branches.current, *(branch for branch in branches.all if branch is not branches.current)]
        sources = []
        for branch in runs:
            merges = branches.merges_of(branch)
            if merges is not None:
                name = self.tr("this run") if branch is branches.current else object_name(branch)
                sources.append(ReplaySource(name, merges.tokenizer.merges))
        opened = session.opened.tokenizers
        sources.extend(
            ReplaySource(distinct_name(session, each), each.tokenizer(each.run_length).merges) for each in opened
        )
        return sources

    def _branch_by_plan(self, plan: Plan) -> None:
        session, trainer = self._session, self._session.cursor.trainer
        recipe, merges = session.corpus.recipe, 0
        if trainer is not None:
            recipe, merges = trainer.recipe, trainer.run_length
        self._asked = session.branches.current, session.corpus.plan, plan
        step = min(len(plan.replay), merges)
        session.branch_off(made_name(partial(_plan_name, plan)), recipe, plan, step, merges, then=self._forget_asked)

    def _forget_asked(self) -> None:
        self._asked = None

    def _selected_pair(self, trainer: Trainer) -> TokenPair | None:
        """Return the selected pair if it currently occurs."""
        pair = self._session.selection.pair
        return pair if pair is not None and trainer.pair_number(*pair) >= 0 else None

    # -- switching runs ---------------------------------------------------------------------------------------------

    def show_neighbour(self, distance: int) -> None:
        """Show the run or opened tokenizer at a distance in the circular list of all."""
        session = self._session
        runs, opened = session.branches.all, session.opened.tokenizers
        circle: tuple[Branch | OpenedTokenizer, ...] = (*runs, *opened)
        present = session.opened.tokenizer or session.branches.current
        wanted = circle[(circle.index(present) + distance) % len(circle)]
        if isinstance(wanted, Branch):
            session.show_branch(wanted)
        else:
            session.opened.show(wanted)

    def show_next_run(self) -> None:
        """Show the next run of several; from an opened tokenizer, go back to the run shown before it."""
        branches = self._session.branches
        wanted = branches.current
        if self._session.opened.tokenizer is None:
            wanted = branches.all[(branches.all.index(wanted) + 1) % len(branches.all)]
        self._session.show_branch(wanted)

    def rename(self) -> None:
        """Ask for a new name for the branch on screen."""
        branch = self._session.branches.current
        dialog = QInputDialog(self._window)
        dialog.setObjectName("renameBranchDialog")
        dialog.setWindowTitle(self.tr("Rename branch"))
        dialog.setLabelText(self.tr("Name of the branch:"))
        dialog.setTextValue(branch.name)
        if (field := dialog.findChild(QLineEdit)) is not None:
            field.setMaxLength(_MAX_LETTERS)
        dialog.textValueSelected.connect(partial(self._take_name, branch))
        open_once(dialog)

    def _take_name(self, branch: Branch, name: str) -> None:
        branches = self._session.branches
        if name.strip() and name.strip() != branch.name and branch in branches.all:
            branches.rename(branch, branches.free_name(name.strip()))

    def drop(self) -> None:
        """Drop the branch on screen, and offer to undo that."""
        branch = self._session.branches.current
        self._session.drop_branch(branch)
        self._offers.show_message(lambda: self.tr("Deleted the branch “{name}”.").format(name=branch.name))

    def compare(self) -> None:
        """Compare the branch on screen with the main run, or the main run with the last branch."""
        branches = self._session.branches
        self._compare(branches.main if branches.current is not branches.main else branches.all[-1])

    # -- the menus of tables ----------------------------------------------------------------------------------------

    def add_to_tables(self, panel: QWidget) -> None:
        """Add the actions that make a branch from a row to the context menus of a panel's pair and merge tables."""
        for table in panel.findChildren(Table):
            table.menu_opened.connect(self._extend_menu)

    def _extend_menu(self, menu: QMenu, index: QModelIndex) -> None:
        model, trainer = index.model(), self._session.cursor.trainer
        if trainer is not None and isinstance(model, PairModel):
            pair, step = model.pair_at(index.row()), trainer.position
            if pair != _next_pair(trainer):
                instead = partial(self.merge_instead, pair, step)
                add_action(menu, "mergeInstead", self.tr("Merge this pair &instead"), instead)
            if pair not in trainer.plan.banned:
                add_action(menu, "banPair", self.tr("&Ban this pair from here on"), partial(self.ban, pair, step))
        elif trainer is not None and isinstance(model, MergeModel):
            step = model.rank_of(index.row()) + 1
            if step <= trainer.run_length:
                merge = trainer.merge_at(step - 1)
                ban = partial(self.ban, (merge.left, merge.right), step - 1)
                add_action(menu, "banPair", self.tr("&Ban this pair from this step on"), ban)
                add_action(
                    menu, "tryRecipe", self.tr("Tr&y another recipe from here…"), partial(self.try_recipe_from, step)
                )


def _without(pair: TokenPair) -> str:
    return translate("BranchActions", "without {pair}").format(pair=pair_text(pair))


def _instead(pair: TokenPair, step: int) -> str:
    return translate("BranchActions", "{pair} at step {step}").format(pair=pair_text(pair), step=number(step + 1))


def _by_recipe(recipe: Recipe, step: int) -> str:
    name, place = preset_title(recipe.preset), number(step)
    return translate("BranchActions", "{recipe} from step {step}").format(recipe=name, step=place)


def _plan_name(plan: Plan) -> str:
    """Return a name for a branch with a plan: what is special about it, if it can be said in two words."""
    if plan.stages:
        return translate("BranchActions", "superwords from {step}").format(step=number(min(plan.stages)))
    if plan.parity:
        return translate("BranchActions", "languages in turn")
    return translate("BranchActions", "with a plan")


def _next_pair(trainer: Trainer) -> TokenPair | None:
    merge = trainer.peek()
    return None if merge is None else (merge.left, merge.right)


_MAX_SHOWN: Final = 16  # characters of a token
_MAX_LISTED: Final = 200  # merges that a replay leaves out
_MORE_ENTRIES = 1_000
"""How many entries to add to the vocabulary if the target size is not above that of the tokenizer."""


class ReplayActions(WindowPart):
    """Makes runs of the corpus that start with the merges of the tokenizer on screen.

    Such a run is a branch: the other runs stay, and Ctrl+Z undoes it.
    """

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._runner = JobRunner(self)
        self._told: dict[Branch, Notice] = {}
        self._session.branches.list_changed.connect(self._withdraw)

    def handlers(self) -> Handlers:
        """Return what the actions of the window do that replay the tokenizer on screen."""
        return {"replay": weakly(self._begin, goes_on=False), "extend": weakly(self._begin, goes_on=True)}

    def _begin(self, *, goes_on: bool) -> None:
        """Replay the merges, and show the run at the same step, or at the one where training `goes_on`."""
        opened = self._session.opened.tokenizer
        if opened is None:
            return
        tokenizer = opened.tokenizer(opened.run_length)
        self._runner.abandon()
        self._notices.clear_words()
        self._runner.start(
            name="plan replay",
            work=lambda _report: Replay.extending(tokenizer) if goes_on else Replay.of(tokenizer, opened.position),
            on_success=partial(self._make_run, opened, goes_on=goes_on),
            on_error=self._notices.show_error,
        )

    def _make_run(self, opened: OpenedTokenizer, replay: Replay, *, goes_on: bool) -> None:
        session, merges = self._session, len(replay.plan.replay)
        name = distinct_name(session, opened)
        size = session.corpus.vocab_size
        if goes_on and size <= opened.entry_count:
            size = opened.entry_count + _MORE_ENTRIES
        session.branch_off(
            made_name(
                lambda: (
                    translate("ReplayActions", "{name}, continued").format(name=name)
                    if goes_on
                    else translate("ReplayActions", "{name}, replayed").format(name=name)
                )
            ),
            replay.recipe,
            replay.plan,
            merges if goes_on else replay.position,
            merges,
            vocab_size=size,
            then=lambda: self._tell(opened, replay, goes_on=goes_on),
        )

    def _tell(self, opened: OpenedTokenizer, replay: Replay, *, goes_on: bool) -> None:
        """Say how many merges never occur, and what else is special about the run."""
        trainer = self._session.run.trainer
        if trainer is None:
            return
        merges = len(replay.plan.replay)
        absent = 0 if replay.plan.base else int(np.count_nonzero(trainer.counts[:merges] == 0))
        size, entries = self._session.corpus.vocab_size, opened.entry_count

        def words() -> str:
            about_replay = replay_text(
                opened.name,
                merges,
                absent=absent,
                doubled=replay.doubled,
                unmerged=opened.unmerged_count,
                left_out=len(replay.left_out),
                adds_ids=replay.adds_ids,
                size=size if goes_on else None,
            )
            if replay.plan.base:
                about_replay = extension_text(opened.name, size)
            sentences = [*about_replay]
            if size <= entries:
                template = self.tr("The tokenizer has {entries} entries, so training to {size} adds none.")
                sentences.append(template.format(entries=number(entries), size=number(size)))
            return joined_sentences(sentences)

        show = lambda: self.tr("Which ones?"), partial(self._show_left_out, opened.name, replay)
        notice = self._notices.show_message(words, [show] if replay.left_out else [])
        self._told[self._session.branches.current] = notice

    def _withdraw(self) -> None:
        """Withdraw what was said about runs that are gone."""
        for branch in self._told.keys() - set(self._session.branches.all):
            self._notices.dismiss(self._told.pop(branch))

    def _show_left_out(self, name: str, replay: Replay) -> None:
        """List the merges that a replay leaves out, each with the reason."""
        rows = []
        for each in replay.left_out[:_MAX_LISTED]:
            step = self.tr("step {step}").format(step=number(each.rank + 1))
            rows.append((step, escape(f"{pair_text(each.pair)}: {said(each.statement, _MAX_SHOWN)}")))
        if more := len(replay.left_out) - len(rows):
            rows.append(("", self.tr("and {count} more").format(count=number(more))))
        show_table(self.tr("{name}: merges left out").format(name=name), rows, self._window)
