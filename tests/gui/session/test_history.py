"""Undoing changes that are not typing: nothing is lost, neither what was typed since nor a run with its step."""

import gc
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final
from weakref import ref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, LiveText, Plan, Recipe, TextDocument
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.session import history as history_module
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.history import ChangeKind
from bpe_gui.gui.session.session import Session
from bpe_gui.samples import samples
from tests.examples import examples


def document(text: str) -> CorpusDocument:
    return CorpusDocument(text, TextDocument(text))


@pytest.fixture
def session() -> Session:
    session = Session()
    with session.history.start_over():
        session.corpus.add_documents([document("low lower lowest")])
    return session


def texts(session: Session) -> list[str]:
    return ["".join(each.content.chunks()) for each in session.corpus.documents]


def last(session: Session) -> ChangeKind | None:
    change = session.history.last
    return None if change is None else change.kind


def last_undone(session: Session) -> ChangeKind | None:
    change = session.history.last_undone
    return None if change is None else change.kind


def test_a_new_session_has_nothing_to_undo(session: Session) -> None:
    assert (session.history.last, session.history.last_undone) == (None, None)
    session.undo()
    session.redo()
    assert texts(session) == ["low lower lowest"]


def test_the_recipe_the_special_tokens_and_the_size_are_undone(session: Session) -> None:
    corpus, history = session.corpus, session.history
    before = corpus.recipe
    corpus.set_recipe(PRESETS["minbpe"])
    corpus.set_special_tokens(["<a>"])
    corpus.set_vocab_size(300)
    assert last(session) is ChangeKind.VOCAB_SIZE
    session.undo()
    assert (corpus.recipe, corpus.special_tokens, corpus.vocab_size) == (PRESETS["minbpe"], ("<a>",), 1_000)
    session.undo()
    assert last(session) is ChangeKind.RECIPE
    session.undo()
    assert (corpus.recipe, corpus.special_tokens, history.last) == (before, (), None)
    for _ in range(3):
        session.redo()
    assert (corpus.recipe, corpus.special_tokens, corpus.vocab_size) == (PRESETS["minbpe"], ("<a>",), 300)
    assert history.last_undone is None


def test_sizes_and_special_tokens_that_are_typed_are_one_change(session: Session) -> None:
    for size in (3, 30, 300):
        session.corpus.set_vocab_size(size)
    for token in ("<", "<a", "<a>"):
        session.corpus.set_special_tokens([token])
    session.undo()
    assert session.corpus.special_tokens == ()
    session.undo()
    assert session.corpus.vocab_size == 1_000
    assert session.history.last is None


def test_a_size_that_is_typed_back_is_no_change(session: Session) -> None:
    session.corpus.set_vocab_size(300)
    session.corpus.set_vocab_size(1_000)
    assert session.history.last is None


def test_a_new_change_forgets_what_was_undone(session: Session) -> None:
    session.corpus.set_recipe(PRESETS["minbpe"])
    session.undo()
    session.corpus.set_vocab_size(300)
    assert session.history.last_undone is None


def test_typing_is_no_change_and_is_kept(session: Session) -> None:
    session.corpus.set_recipe(PRESETS["minbpe"])
    session.corpus.edit_document(0, "typed")
    assert last(session) is ChangeKind.RECIPE
    session.undo()
    assert (texts(session), session.corpus.recipe) == (["typed"], Recipe.of("cs336"))


def test_removing_and_adding_documents(session: Session) -> None:
    session.corpus.add_documents([document("b"), document("c")])
    assert last(session) is ChangeKind.ADDING
    session.corpus.remove_document(1)
    assert last(session) is ChangeKind.REMOVAL
    session.corpus.edit_document(0, "a")
    session.undo()
    assert texts(session) == ["a", "b", "c"]
    session.redo()
    assert texts(session) == ["a", "c"]
    session.undo()
    session.undo()
    assert texts(session) == ["a"]


def test_an_added_document_that_was_edited_since_stays_and_is_not_offered(session: Session) -> None:
    session.corpus.set_vocab_size(300)
    session.corpus.add_documents([document("b")])
    session.corpus.edit_document(1, "my words")
    assert last(session) is ChangeKind.VOCAB_SIZE
    session.undo()
    assert texts(session) == ["low lower lowest", "my words"]


def test_an_undone_opening_has_its_run_and_step_again(session: Session) -> None:
    session.cursor.seek(4)
    session.cursor.seek(3)
    trainer = session.run.trainer
    session.replace_documents([document("wide wider widest")])
    session.cursor.seek(2)
    opened = session.run.trainer
    assert last(session) is ChangeKind.OPENING
    session.undo()
    assert texts(session) == ["low lower lowest"]
    assert session.run.trainer is trainer
    assert (session.cursor.position, session.cursor.run_length, session.run.is_stale) == (3, 4, False)
    session.redo()
    assert texts(session) == ["wide wider widest"]
    assert session.run.trainer is opened
    assert (session.cursor.position, session.run.is_stale) == (2, False)


def test_an_opening_that_gave_no_run_is_made_again_without_one(session: Session) -> None:
    session.corpus.set_recipe(PRESETS["minbpe"])
    session.cursor.seek(3)
    session.corpus.set_weights([0], Fraction(2))  # so that the run is out of date
    light = CorpusDocument("light", TextDocument("low"), weight=Fraction(1, 3))  # rounds to no word
    session.replace_documents([light])
    assert session.counts.error is not None
    for _ in range(2):
        session.undo()
        assert (session.run.is_stale, session.cursor.position) == (True, 3)
        session.redo()
        assert (session.run.exists, session.run.is_stale) == (False, False)


def test_an_opening_over_a_run_without_steps_has_a_new_run(session: Session) -> None:
    session.replace_documents([document("wide wider widest")])
    session.undo()
    assert texts(session) == ["low lower lowest"]
    assert (session.run.exists, session.run.is_stale, session.cursor.position) == (True, False, 0)


def test_opening_the_same_again_is_a_change_of_its_own(session: Session) -> None:
    session.replace_documents([document("low")])
    first = session.history.last
    session.replace_documents([document("low")])
    assert session.history.last is not first
    session.undo()
    session.undo()
    assert texts(session) == ["low lower lowest"]


def test_starting_over_is_undone(session: Session) -> None:
    session.cursor.seek(3)
    trainer = session.run.trainer
    session.restart()
    assert session.cursor.position == 0
    assert last(session) is ChangeKind.RESTART
    session.undo()
    assert session.run.trainer is trainer
    assert session.cursor.position == 3
    session.redo()
    assert session.cursor.position == 0


def test_starting_over_without_steps_is_no_change(session: Session) -> None:
    session.restart()
    assert session.history.last is None


def test_a_stale_run_that_training_replaced_comes_back(qtbot: QtBot, session: Session) -> None:
    session.cursor.seek(3)
    trainer = session.run.trainer
    session.corpus.set_recipe(PRESETS["minbpe"])
    session.corpus.set_vocab_size(260)
    session.train()
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE and session.run.trainer is not trainer)
    assert last(session) is ChangeKind.RESTART
    session.undo()
    assert session.run.trainer is trainer
    assert session.run.is_stale
    session.undo()
    session.undo()
    assert not session.run.is_stale


def test_a_run_that_a_thread_was_training_comes_back(qtbot: QtBot, session: Session) -> None:
    session.corpus.edit_document(0, " ".join(f"w{number:x}" for number in range(3_000)))
    qtbot.waitUntil(lambda: session.run.exists)
    session.corpus.set_vocab_size(5_000)
    session.train()
    session.replace_documents([document("wide wider widest")])
    session.undo()
    assert session.run.trainer is not None
    assert not session.run.is_stale
    assert len(texts(session)[0]) > 3_000
    session.cursor.seek(session.cursor.position + 1)


def test_a_sample_is_undone_with_its_recipe_and_text(session: Session) -> None:
    corpus, text = session.corpus, LiveText("my text")
    session.text.set_live(text)
    session.cursor.seek(3)
    before = corpus.documents, corpus.recipe, corpus.special_tokens, corpus.vocab_size
    sample = next(sample for sample in samples() if sample.recipe != corpus.recipe.preset)
    session.load_sample(sample, "sample")
    assert last(session) is ChangeKind.SAMPLE
    session.undo()
    assert (corpus.documents, corpus.recipe, corpus.special_tokens, corpus.vocab_size) == before
    assert session.text.live is text
    assert session.cursor.position == 3
    session.redo()
    assert corpus.recipe.preset == sample.recipe


def test_a_file_gives_the_same_merges_after_a_sample_was_undone(session: Session) -> None:
    settings, (sample, other) = [], samples()[:2]
    session.load_sample(sample, "sample")
    for opens_other in (False, True):
        if opens_other:
            session.load_sample(other, "other")
            session.undo()
        session.replace_documents([document("low lower lowest")])
        settings.append((session.corpus.recipe, session.corpus.special_tokens, session.corpus.vocab_size))
        session.undo()
    assert settings[0] == settings[1]


def test_a_replaced_text_comes_back(session: Session) -> None:
    text = LiveText("mine")
    session.text.set_live(text)
    session.replace_text(LiveText("file"))
    assert last(session) is ChangeKind.TEXT
    session.undo()
    assert session.text.live is text
    session.redo()
    assert session.text.content == "file"


def test_a_project_begins_a_new_history(session: Session) -> None:
    session.corpus.set_vocab_size(300)
    session.load([document("other")], Recipe.of("cs336"), (), 400, LiveText())
    assert session.history.last is None


def test_only_the_last_runs_are_kept(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "_MAX_RUNS", 2)
    for number in range(4):
        session.cursor.seek(2)
        session.replace_documents([document(f"wide wider {number}")])
    positions = []
    for _ in range(4):
        session.undo()
        positions.append(session.cursor.position)
    assert positions == [2, 2, 0, 0]
    assert texts(session) == ["low lower lowest"]


def test_the_run_that_was_undone_last_is_kept(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "_MAX_RUNS", 2)
    for _ in range(2):
        session.cursor.seek(2)
        session.restart()
    session.corpus.set_special_tokens(["<a>"])
    session.cursor.seek(3)
    session.undo()
    session.redo()
    assert session.cursor.position == 3


def test_starting_over_whose_run_was_forgotten_is_not_offered(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_module, "_MAX_RUNS", 2)
    for _ in range(4):
        session.cursor.seek(2)
        session.restart()
    undone = 0
    while session.history.last is not None:
        session.undo()
        assert session.cursor.position == 2, "something came back"
        undone += 1
    assert undone == 2


def test_starting_over_is_not_made_again_with_another_text(session: Session) -> None:
    session.corpus.edit_document(0, "low lower lowest widest")
    session.cursor.seek(2)
    session.restart()
    session.undo()
    assert last_undone(session) is ChangeKind.RESTART
    session.corpus.edit_document(0, "low lower lowest")  # as undoing what was typed does
    assert last_undone(session) is None
    session.redo()
    assert session.cursor.position == 2


def test_a_change_that_was_edited_away_is_not_the_last_one(qtbot: QtBot, session: Session) -> None:
    session.corpus.add_documents([document("wide")])
    assert last(session) is ChangeKind.ADDING
    with qtbot.waitSignal(session.history.changed):
        session.corpus.edit_document(1, "wider")
    assert last(session) is None


def test_the_oldest_changes_are_forgotten(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "_MAX_CHANGES", 3)
    for name in ("minbpe", "cs336", "minbpe", "gpt2", "cs336"):
        if name in PRESETS:
            session.corpus.set_recipe(PRESETS[name])
    count = 0
    while session.history.last is not None:
        session.undo()
        count += 1
    assert count == 3


def test_large_texts_are_not_kept_for_ever(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "_MAX_CHARACTERS", 100)
    for number in range(4):
        session.replace_documents([document(f"{number}" * 60)])
    count = 0
    while session.history.last is not None:
        session.undo()
        count += 1
    assert count == 1


def test_undoing_leaves_no_run_of_what_was_undone(session: Session) -> None:
    session.replace_documents([document("wide wider widest")])
    session.cursor.seek(2)
    opened = session.run.trainer
    session.corpus.set_weights([0], Fraction(2))
    session.restart()
    session.cursor.seek(3)
    weighted = session.run.trainer
    session.undo()
    assert (session.run.trainer, session.run.is_stale) == (opened, True)
    session.undo()
    assert (session.run.trainer, session.run.is_stale) == (opened, False)
    session.undo()
    assert texts(session) == ["low lower lowest"]
    assert (session.run.exists, session.run.is_stale, session.cursor.position) == (True, False, 0)
    session.redo()
    assert (session.run.trainer, session.run.is_stale, session.cursor.position) == (opened, False, 2)
    session.redo()
    session.redo()
    assert (session.run.trainer, session.run.is_stale, session.cursor.position) == (weighted, False, 3)


def test_undoing_a_setting_puts_away_the_run_that_was_made_by_it(session: Session) -> None:
    session.corpus.set_special_tokens(["<a>"])
    session.cursor.seek(2)
    trainer = session.run.trainer
    session.undo()
    assert (session.run.exists, session.run.is_stale, session.cursor.position) == (True, False, 0)
    session.cursor.seek(1)
    session.redo()
    assert (session.run.trainer, session.run.is_stale, session.cursor.position) == (trainer, False, 2)
    session.undo()
    assert (session.run.is_stale, session.cursor.position) == (False, 1)


def test_a_change_that_is_made_again_leaves_the_same_runs_out_of_date(session: Session) -> None:
    session.cursor.seek(3)
    before = session.run.trainer
    session.corpus.set_documents([document("wide wider widest")])
    session.undo()
    assert (session.run.trainer, session.run.is_stale) == (before, False)
    session.redo()
    assert (session.run.trainer, session.run.is_stale, session.cursor.position) == (before, True, 3)
    session.restart()
    session.cursor.seek(2)
    after = session.run.trainer
    for _ in range(2):
        session.undo()
    assert (session.run.trainer, session.run.is_stale) == (before, False)
    for _ in range(2):
        session.redo()
    assert (session.run.trainer, session.run.is_stale, session.cursor.position) == (after, False, 2)


def test_a_run_that_a_change_brought_up_to_date_is_out_of_date_again_when_it_is_undone(session: Session) -> None:
    session.cursor.seek(3)
    trained, before = session.run.trainer, session.corpus.recipe
    session.corpus.set_recipe(PRESETS["minbpe"])
    session.corpus.set_recipe(before)
    assert not session.run.is_stale
    session.undo()
    assert (session.run.trainer, session.run.is_stale, session.cursor.position) == (trained, True, 3)


def test_an_opening_is_undone_with_the_run_that_was_trained_of_a_large_corpus(qtbot: QtBot, session: Session) -> None:
    session.replace_documents([document(" ".join(f"w{number:x}" for number in range(5_000)))])
    qtbot.waitUntil(lambda: session.run.exists)
    session.cursor.seek(2)
    session.undo()
    qtbot.waitUntil(lambda: session.run.exists)
    assert (session.run.is_stale, session.cursor.position) == (False, 0)
    session.redo()
    qtbot.waitUntil(lambda: session.counts.words is not None)
    assert (session.run.is_stale, session.cursor.position) == (False, 2)


def test_only_the_last_few_runs_are_kept_even_by_the_tokens_of_texts(session: Session, qtbot: QtBot) -> None:
    tokenizers, runs = [], []
    for number in range(8):
        sample = samples()[number % 2]
        session.load_sample(sample, "a sample")
        session.cursor.last()
        qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE and session.text.live.is_encoded)
        tokenizer, trainer = session.text.live.tokenizer, session.run.trainer
        assert tokenizer is not None and trainer is not None
        tokenizers.append(ref(tokenizer))
        runs.append(ref(trainer))
        del tokenizer, trainer
    gc.collect()
    most = history_module._MAX_RUNS + 1  # with the current one
    assert sum(run() is not None for run in runs) <= most
    assert sum(tokenizer() is not None for tokenizer in tokenizers) <= most
    session.undo()
    qtbot.waitUntil(lambda: session.text.live.is_encoded)
    assert session.text.live.tokenizer is not None, "a text that comes back is encoded again"


def test_typing_in_an_opened_corpus_is_undone_before_the_opening(session: Session) -> None:
    session.replace_documents([document("opened")])
    session.corpus.edit_document(0, "typed")
    session.cursor.seek(1)
    visited = [texts(session)]
    while session.history.last is not None:
        session.undo()
        visited.append(texts(session))
    assert visited == [["typed"], ["opened"], ["low lower lowest"]]
    while session.history.last_undone is not None:
        session.redo()
        assert texts(session) == visited.pop(-2)
    assert session.cursor.position == 1


def test_what_is_typed_before_a_corpus_is_opened_again_comes_back(session: Session) -> None:
    session.replace_documents([document("opened")])
    session.undo()
    session.corpus.edit_document(0, "typed")
    session.redo()
    assert texts(session) == ["opened"]
    session.undo()
    assert texts(session) == ["typed"]


_MOVES: Final[Mapping[str, Callable[[Session, str], object]]] = {
    "sample": lambda session, name: session.load_sample(samples()[0], name),
    "open": lambda session, name: session.replace_documents([document(f"open {name}")]),
    "open two": lambda session, name: session.replace_documents([document(f"one {name}"), document(f"two {name}")]),
    "type": lambda session, name: session.corpus.edit_document(0, f"type {name}"),
    "recipe": lambda session, _name: session.corpus.set_recipe(
        PRESETS["cs336" if session.corpus.recipe == PRESETS["minbpe"] else "minbpe"]
    ),
    "plan": lambda session, _name: session.corpus.set_training(
        session.corpus.recipe, Plan() if session.corpus.plan else Plan(banned_tokens=frozenset(["lo"]))
    ),
    "train": lambda session, _name: session.cursor.seek(2),
    "undo": lambda session, _name: session.undo(),
    "redo": lambda session, _name: session.redo(),
}


@given(st.lists(st.sampled_from(list(_MOVES)), max_size=14))
@settings(max_examples=examples(100), deadline=None)
def test_undoing_and_redoing_reach_only_corpora_that_existed(moves: list[str]) -> None:
    session = Session()
    with session.history.start_over():
        session.corpus.add_documents([document("low lower lowest")])
    seen = [texts(session)]
    for number, move in enumerate(moves):
        _MOVES[move](session, str(number))
        if move in ("undo", "redo"):
            assert texts(session) in seen
        seen.append(texts(session))
    way = [texts(session)]
    while session.history.last is not None:
        session.undo()
        assert texts(session) in seen
        way.append(texts(session))
    for expected in way[-2::-1]:
        session.redo()
        assert texts(session) == expected
