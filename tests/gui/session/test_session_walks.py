"""Whatever a user does, in whatever order: the session stays a function of its inputs, and undo and projects are exact.

A `Walk` is a random series of actions. It does not know how the session works. After every action it asks:

- Are the merges, the counts, the words and the ids those of a new `Trainer` for the same documents, recipe and plan?
  A run that was made from other inputs has to say so.
- Was everything that changed announced, so that panels show it?
- With nothing left to undo, is all as it was at first? Only what was typed stays; editors undo that.

Undoing and redoing, and saving and opening, must give the same `State`: the session as one value.
"""

import random
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Plan, Recipe, TextDocument, TokenizerSource, save, train
from bpe_gui.gui.session import history, overlay
from bpe_gui.gui.session.branches import banning, forcing, plan_from
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.samples import samples
from tests.examples import examples, is_thorough
from tests.gui.support.whole_sessions import Desk

NEVER: Final = 10**9  # milliseconds
MANY: Final = 100
HERE: Final = -1
WORDS: Final = ("low", "lower", "lowest", "wide", "widest", "<a>", "é")
KEYS: Final = ("low", " é", "e", "<", "<<<", ">>")
numbers = st.integers(0, 11)
texts = st.integers(0, 10_000).map(lambda seed: " ".join(random.Random(seed).choices(WORDS, k=seed % 9)))
weights = st.sampled_from([Fraction(1), Fraction(2), Fraction(3, 2)])
documents = st.builds(CorpusDocument, st.sampled_from("abc"), st.builds(TextDocument, texts), weight=weights)
recipes = st.sampled_from(["cs336", "minbpe", "huggingface", "char-eow"]).map(Recipe.of)
plans = st.sampled_from(
    [Plan(), Plan(banned=[(b"l", b"o")]), Plan(banned_tokens=["we"]), Plan(forced={1: (b"w", b"e")})]
)


class Walk(RuleBasedStateMachine):
    """A session, and the state to which undoing everything leads."""

    def __init__(self, folder: Path, exceptions: list[Any]) -> None:
        """`exceptions` gets those in slots, which Qt does not pass on; two tokenizers are in `folder`."""
        super().__init__()
        exceptions.clear()
        self.folder, self.exceptions, self.desk = folder, exceptions, Desk()

    def teardown(self) -> None:
        self.desk.close()

    @initialize(documents=st.lists(documents, min_size=1, max_size=3), recipe=recipes, text=texts, step=numbers)
    def begin(self, documents: list[CorpusDocument], recipe: Recipe, text: str, step: int) -> None:
        self.desk.session.load(documents, recipe, ("<a>",), 266, LiveText(text))
        for each in (9, step):
            self.desk.session.cursor.seek(each)
        self.take_desk(self.desk)

    def take_desk(self, desk: Desk) -> None:
        self.desk, self.session = desk, desk.session
        self.corpus, self.branches = self.session.corpus, self.session.branches
        desk.begin()

    # -- the corpus and the settings ----------------------------------------------------------------------------------

    @rule(documents=st.lists(documents, min_size=1, max_size=2), replaces=st.booleans())
    def open(self, documents: list[CorpusDocument], replaces: bool) -> None:
        with self.desk.changing():
            (self.session.replace_documents if replaces else self.corpus.add_documents)(documents)

    @rule(number=numbers, text=st.none() | texts, weight=st.none() | weights)
    def edit_weigh_or_remove(self, number: int, text: str | None, weight: Fraction | None) -> None:
        if not self.corpus.documents:
            return
        number %= len(self.corpus.documents)
        if weight is not None:
            with self.desk.changing():
                self.corpus.set_weights([number], weight)
        elif text is not None:
            self.desk.type_in_document(number, text)
        else:
            with self.desk.changing():
                self.corpus.remove_document(number)

    @rule(change=st.sampled_from(["recipe", "size", "tokens", "plan"]), number=numbers, recipe=recipes, plan=plans)
    def set(self, change: str, number: int, recipe: Recipe, plan: Plan) -> None:
        with self.desk.changing():
            if change == "recipe":
                self.corpus.set_recipe(recipe)
            elif change == "size":
                self.corpus.set_vocab_size(256 + number)
            elif change == "tokens":
                self.corpus.set_special_tokens(("<a>", "<b>")[: number % 3])
            else:
                self.session.apply_plan(plan)

    # -- the run ------------------------------------------------------------------------------------------------------

    @rule(step=numbers)
    def seek(self, step: int) -> None:
        self.desk.move(partial(self.session.cursor.go_to, step), step)

    @rule(distance=st.sampled_from([1, 1, -1]))
    def step(self, distance: int) -> None:
        self.session.begin_step()
        cursor = self.session.cursor
        self.desk.move(cursor.step if distance > 0 else cursor.step_back, cursor.position + distance)

    @rule(begins_anew=st.booleans())
    def train(self, begins_anew: bool) -> None:
        failures = len(self.desk.failures)
        if begins_anew:
            self.session.restart()
        self.session.train()
        self.desk.settle()
        inputs, run = self.desk.inputs_of(self.branches.current), self.session.run
        if len(self.desk.failures) > failures:
            return  # the plan cannot be kept, or the size is below that of the alphabet
        assert not run.is_stale
        if run.exists and inputs.recipe.vocabulary == "grow":
            assert self.session.cursor.position == inputs.step_trained(self.corpus.vocab_size)

    # -- branches and opened tokenizers -------------------------------------------------------------------------------

    @rule(kind=st.sampled_from(["ban", "force", "recipe"]), number=numbers, more=st.integers(0, 3), recipe=recipes)
    def branch_off(self, kind: str, number: int, more: int, recipe: Recipe) -> None:
        trainer = self.session.cursor.trainer
        if trainer is None or len(self.branches.all) > 3 or not (pairs := trainer.pairs()):
            return
        chosen, step = pairs[number % len(pairs)], trainer.position
        pair, plan, merges = (chosen.left, chosen.right), plan_from(trainer, step), trainer.tokenizer(step).merges
        if kind == "ban":
            plan = banning(plan, pair)
        elif kind == "force":
            plan = forcing(plan, step, pair)
        recipe = recipe if kind == "recipe" else trainer.recipe
        with self.desk.changing():
            self.session.branch_off(kind, recipe, plan, step, trainer.run_length + more)
        made = self.desk.state.runs[-1]
        if made.plan is plan and self.branches.current.plan is plan:
            assert (made.position, list(made.merges[:step])) == (step, merges)
            assert kind != "ban" or pair not in made.merges[step:]
            assert kind != "force" or made.merges[step : step + 1] in ((), (pair,))

    @rule(number=numbers, new_name=st.sampled_from([None, "ban", "x"]), shows=st.booleans())
    def show_drop_or_rename(self, number: int, new_name: str | None, shows: bool) -> None:
        branch = self.branches.all[number := number % len(self.branches.all)]
        if shows or branch is self.branches.main:
            self.desk.show(number)
        else:
            with self.desk.changing():
                if new_name is None:
                    self.session.drop_branch(branch)
                else:
                    self.branches.rename(branch, self.branches.free_name(new_name))

    @rule(number=numbers, step=st.none() | numbers, closes=st.booleans())
    def open_or_close_tokenizer(self, number: int, step: int | None, closes: bool) -> None:
        if closes:
            self.session.opened.close()
        else:
            self.session.opened.open(TokenizerSource(self.folder / "ab"[number % 2] / "tok"), step)
            self.desk.settle()

    # -- the text to encode -------------------------------------------------------------------------------------------

    @rule(start=st.none() | st.just(HERE) | numbers, keys=st.lists(st.sampled_from(KEYS)), undone=st.integers(0, 2))
    def type(self, start: int | None, keys: list[str], undone: int) -> None:
        """Press keys where the caret is, or elsewhere, and then undo some."""
        editor, before = self.desk.editor, self.session.text.content
        if start is not None:
            editor.set_caret(editor.caret if start == HERE else start)
        for key in "".join(keys):
            self.desk.press(key)
        assert self.session.text.content == before or not editor.history.can_redo
        self.desk.undo_and_redo_typing(None if start is None else before)
        for _ in range(undone):
            editor.undo()

    @rule(new=texts)
    def replace_text(self, new: str) -> None:
        with self.desk.changing():
            self.session.replace_text(LiveText(new))

    # -- undo and projects --------------------------------------------------------------------------------------------

    @rule(most=st.integers(1, 4) | st.just(MANY))
    def undo(self, most: int) -> None:
        """Undo changes, redo them, and undo them again."""
        past, states = self.session.history, [self.desk.state]
        while len(states) <= most and past.last is not None:
            states.append(self.desk.go(self.session.undo))
        for expected in states[-2::-1]:
            self.desk.go(self.session.redo, expected)
        for expected in states[1:]:
            self.desk.go(self.session.undo, expected)
        assert most < MANY or past.last is None

    @rule()
    def redo(self) -> None:
        self.desk.go(self.session.redo)

    @rule(step=numbers, types=st.booleans())
    def take_tour(self, step: int, types: bool) -> None:
        """Open a sample, do something, and return: nothing of it stays."""
        before, brought, moment = self.desk.state, self.corpus.sample, self.session.moment(with_text=False)
        self.session.load_sample(samples()[0], "sample")
        self.session.cursor.seek(step)
        if types:
            self.corpus.edit_document(0, "low")
            self.session.replace_text(LiveText("low"))
        self.desk.settle()
        self.session.return_to(moment)
        self.desk.settle()
        assert (self.desk.state, self.corpus.sample) == (before, brought)

    @rule()
    def save_and_open(self) -> None:
        """Save a project, and go on in another session that opens it, where every branch is made as it was."""
        if self.corpus.is_empty:
            return  # no branch can be made of it
        before, desk = self.desk, Desk()
        before.save(self.folder / "p.bpe.json")
        desk.open(self.folder / "p.bpe.json")
        stale = [number for number, run in enumerate(before.state.runs) if number and run.is_stale]
        assert desk.saved_state(stale) == before.saved_state(stale)
        assert desk.opened == before.opened
        assert stale or before.saved_state().runs[0].is_stale or not desk.notice.isVisibleTo(desk.widget)
        before.close()
        self.take_desk(desk)
        for number in range(len(self.branches.all)):
            self.desk.show(number, is_as_saved=number not in stale)

    # -- what always holds --------------------------------------------------------------------------------------------

    @invariant()
    def all_is_well(self) -> None:
        self.desk.check()
        assert not self.exceptions


@pytest.mark.timeout(600)  # in the profile `thorough`
def test_a_session_is_a_function_of_its_inputs_wherever_one_walks(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_COMPARE_AFTER", "_TRAIN_AFTER", "_SLICE_EVERY"):
        monkeypatch.setattr(overlay, name, NEVER)  # which would work whenever the machine finds time
    monkeypatch.setattr(history, "_MAX_RUNS", MANY)
    for name, text in {"a": "low lower lowest", "b": "wide wider"}.items():
        save(train(text, num_merges=5), tmp_path / name / "tok")
    steps = 30 if is_thorough() else 22
    with qtbot.captureExceptions() as exceptions:
        walk = cast(type[Walk], partial(Walk, tmp_path, exceptions))  # hypothesis takes anything that makes one
        run_state_machine_as_test(walk, settings=settings(max_examples=examples(200), stateful_step_count=steps))
