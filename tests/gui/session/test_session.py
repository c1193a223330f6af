"""The parts of the session stay consistent while threads count, train and encode."""

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.engine import (
    PRESETS,
    Corpus,
    FileDocument,
    LiveText,
    Parity,
    Plan,
    TextDocument,
    TokenizerSource,
    Trainer,
    WordCounts,
    save,
    train,
    train_fair,
)
from bpe_gui.gui import jobs
from bpe_gui.gui.jobs import Activity, Cancelled
from bpe_gui.gui.session import cursor, run
from bpe_gui.gui.session.corpus import LARGE_FILE, CorpusDocument, RunInputs, read_file
from bpe_gui.gui.session.session import Session
from bpe_gui.samples import default_sample, samples
from tests.gui.support.panels import wait_to_be_cancelled
from tests.gui.support.still import run_out

LONG_TEXT = "low lower lowest " * 12_000
MANY_WORDS = " ".join(f"word{i * 7919 % 10007}x{i}" for i in range(30_000))


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    session = Session()
    session.load_sample(default_sample(), "sample")
    return session


def idle(session: Session) -> bool:
    return session.work.activity is Activity.IDLE


def counted(session: Session) -> bool:
    return session.counts.words is not None and idle(session)


def load_long_corpus(qtbot: QtBot, session: Session) -> None:
    session.corpus.set_recipe(PRESETS["cs336"])
    session.corpus.edit_document(0, MANY_WORDS)
    qtbot.waitUntil(lambda: counted(session) and session.cursor.trainer is not None)


def large_file(folder: Path) -> Path:
    path = folder / "large.txt"
    path.write_text("low lower lowest\n" * (LARGE_FILE // 17 + 1))
    return path


# -- languages ---------------------------------------------------------------------------------------------------------


def test_languages_take_turns_as_the_plan_says(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    texts = {"en/a.txt": "low low lower", "de/a.txt": "tief tiefer", "en/b.txt": "lowest"}
    documents = []
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        documents.append(read_file(FileDocument(tmp_path / name)))
    session.replace_documents(documents)
    session.apply_plan(Plan(parity=Parity()))
    qtbot.waitUntil(lambda: session.cursor.trainer is not None and session.cursor.trainer.turns is not None)
    trainer = session.cursor.trainer
    assert trainer is not None and trainer.turns is not None and trainer.turns.languages == ("en", "de")
    assert dict(trainer.word_counts) == dict(Corpus.from_source(list(texts.values())).count(session.corpus.recipe))
    expected = train_fair(
        {"en": [texts["en/a.txt"], texts["en/b.txt"]], "de": texts["de/a.txt"]}, recipe=trainer.recipe, num_merges=8
    )
    for _step in range(8):
        session.cursor.step()
    assert [(merge.left, merge.right) for merge in trainer.merges] == expected.merges
    session.undo()
    qtbot.waitUntil(lambda: session.cursor.trainer is not None and session.cursor.trainer.turns is None)


# -- the text ----------------------------------------------------------------------------------------------------------


def test_a_long_text_set_twice_is_encoded(qtbot: QtBot, session: Session) -> None:
    session.text.set_content(LONG_TEXT)
    session.text.set_content(LONG_TEXT)
    qtbot.waitUntil(lambda: session.text.live.encoding is not None)


def test_a_long_text_is_encoded_when_the_run_restarts_meanwhile(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    save(train("low lower", num_merges=2), tmp_path)
    session.opened.open(TokenizerSource(tmp_path))
    qtbot.waitUntil(lambda: session.opened.tokenizer is not None)
    session.text.set_content(LONG_TEXT)
    session.restart()
    qtbot.waitUntil(lambda: session.text.live.encoding is not None)


def test_the_last_of_many_long_texts_is_encoded(qtbot: QtBot, session: Session) -> None:
    for number in range(5):
        session.text.set_content(f"{LONG_TEXT}{number}")
    qtbot.waitUntil(lambda: session.text.live.encoding is not None)
    tokenizer = session.cursor.tokenizer
    assert tokenizer is not None
    assert session.text.live.encoding is not None
    assert session.text.live.encoding.ids == tokenizer.with_unknown_id(-1).encode(f"{LONG_TEXT}4")


def test_a_long_text_follows_the_cursor(qtbot: QtBot, session: Session) -> None:
    session.text.set_content(LONG_TEXT)
    session.cursor.step()
    session.cursor.step()
    qtbot.waitUntil(lambda: session.text.live.encoding is not None)
    tokenizer = session.cursor.tokenizer
    assert tokenizer is not None
    assert session.text.live.encoding is not None
    assert session.text.live.encoding.ids == tokenizer.encode(LONG_TEXT)


def test_the_cursor_has_moved_before_the_text_is_encoded(session: Session) -> None:
    events: list[str] = []
    session.cursor.moved.connect(lambda: events.append("moved"))
    session.cursor.steps_changed.connect(lambda: events.append("steps changed"))
    session.text.tokens_changed.connect(lambda: events.append("tokens changed"))
    session.cursor.step()
    assert events == ["moved", "tokens changed"]
    events.clear()
    session.restart()
    assert events[:2] == ["steps changed", "tokens changed"]


# -- the counts and the run --------------------------------------------------------------------------------------------


def test_a_large_file_that_changed_makes_the_run_stale(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    path = large_file(tmp_path)
    session.corpus.add_documents([read_file(FileDocument(path))], instead=True)
    qtbot.waitUntil(lambda: counted(session))
    session.cursor.step()
    session.corpus.remove_document(0)
    assert session.run.is_stale
    path.write_text("wide wider widest\n" * (LARGE_FILE // 18 + 1))
    os.utime(path, ns=(1, 1))
    session.corpus.add_documents([read_file(FileDocument(path))], instead=True)
    assert session.run.is_stale


def test_cancelled_counting_explains_how_to_go_on(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(RunInputs, "count", wait_to_be_cancelled)
        session.corpus.add_documents([read_file(FileDocument(large_file(tmp_path)))], instead=True)
        qtbot.waitUntil(lambda: session.work.activity is Activity.COUNTING)
        session.work.cancel()
        qtbot.waitUntil(lambda: idle(session))
    assert "Counting was cancelled" in str(session.counts.error)
    assert session.cursor.trainer is not None, "the previous run stays"
    assert session.run.is_stale
    session.restart()
    qtbot.waitUntil(lambda: counted(session))
    assert session.cursor.trainer is not None


def test_counting_that_does_not_react_to_cancelling_blocks_nothing(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, release = threading.Event(), threading.Event()
    count = RunInputs.count

    def deaf(*arguments: Any) -> WordCounts:
        begun.set()
        release.wait()
        return count(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(RunInputs, "count", deaf)
        session.corpus.edit_document(0, MANY_WORDS)
        qtbot.waitUntil(begun.is_set)
    session.corpus.edit_document(0, "aaa bbb")  # would never return if it waited for the thread
    assert session.counts.words is not None
    assert len(session.counts.words) == 2
    release.set()
    run_out(session)
    assert len(session.counts.words) == 2
    assert session.counts.error is None, "the thread was cancelled, but not by the user"


def test_setting_up_a_trainer_can_be_cancelled() -> None:
    def cancel(_done: int, _total: int) -> None:
        raise Cancelled

    counts = Corpus.from_text(MANY_WORDS).count("cs336")
    with pytest.raises(Cancelled):
        Trainer(counts, progress=cancel)


@pytest.mark.parametrize("step", [0, 5])
def test_a_run_that_takes_the_place_of_another_is_announced_once(session: Session, step: int) -> None:
    session.cursor.seek(step)
    facts: list[str] = []
    session.cursor.steps_changed.connect(lambda: facts.append("steps"))
    session.run.stale_changed.connect(lambda is_stale: facts.append(f"stale: {is_stale}"))
    trainer = session.run.trainer
    session.apply_plan(Plan(banned=frozenset({(b"e", b"s")})))
    assert facts == ["steps"]
    assert session.run.trainer is not trainer
    assert session.cursor.run_length == 0


# -- training ----------------------------------------------------------------------------------------------------------


def test_a_change_during_training_that_is_undone_keeps_the_counts(qtbot: QtBot, session: Session) -> None:
    load_long_corpus(qtbot, session)
    session.corpus.set_vocab_size(3_000)
    session.train()
    session.corpus.set_special_tokens(["<x>"])
    session.corpus.set_special_tokens(default_sample().special_tokens)
    qtbot.waitUntil(lambda: counted(session))
    assert not session.run.is_stale


def test_a_change_during_training_is_counted_afterwards(qtbot: QtBot, session: Session) -> None:
    load_long_corpus(qtbot, session)
    session.corpus.set_vocab_size(1_000)
    session.train()
    session.corpus.edit_document(0, "aaa")
    qtbot.waitUntil(lambda: counted(session))
    assert session.counts.words is not None
    assert dict(session.counts.words) == {"aaa": 1}
    assert session.run.is_stale


def test_a_sample_that_is_opened_during_training_is_not_affected_by_it(qtbot: QtBot, session: Session) -> None:
    load_long_corpus(qtbot, session)
    session.corpus.set_vocab_size(50_000)
    session.train()
    qtbot.waitUntil(lambda: session.cursor.position > 0)
    sample = samples()[0]
    session.load_sample(sample, "sample")
    assert idle(session)
    size = session.corpus.vocab_size
    run_out(session)
    assert not session.run.is_stale
    assert session.cursor.position == 0
    assert session.corpus.vocab_size == size < 1_000
    session.cursor.last()
    assert session.cursor.position == sample.num_merges


def test_training_again_after_a_sample_interrupted_it(qtbot: QtBot, session: Session) -> None:
    load_long_corpus(qtbot, session)
    session.corpus.set_vocab_size(50_000)
    session.train()
    session.load_sample(default_sample(), "sample")
    session.train()
    qtbot.waitUntil(lambda: idle(session))
    assert session.cursor.position == 12


@pytest.mark.usefixtures("step_by_step")  # or a busy window looks once, when all is done
def test_training_can_be_watched(qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_LOOK_EVERY", 0)
    monkeypatch.setattr(jobs, "_REPORT_EVERY", 0)
    load_long_corpus(qtbot, session)
    session.corpus.set_vocab_size(500)
    seen: list[tuple[int, int]] = []

    def look() -> None:
        if session.work.activity is Activity.TRAINING:
            assert session.cursor.trainer is not None, "the trainer can be read in the signal's slots"
            seen.append((session.cursor.position, len(session.cursor.trainer.pairs(10))))

    session.cursor.moved.connect(look)
    session.train()
    assert session.cursor.trainer is None
    qtbot.waitUntil(lambda: idle(session))
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert session.cursor.position == session.cursor.run_length > 100


def test_a_run_that_an_abandoned_thread_still_trains_is_not_visible(qtbot: QtBot, session: Session) -> None:
    load_long_corpus(qtbot, session)
    trainer = session.run.trainer
    assert trainer is not None
    session.corpus.set_vocab_size(5_000)
    session.train()
    seen: list[Trainer | None] = []
    for signal in (
        session.work.changed,
        session.cursor.steps_changed,
        session.cursor.moved,
        session.corpus.documents_changed,
    ):
        signal.connect(lambda: seen.append(session.run.trainer))
    documents = [CorpusDocument("other", TextDocument("wide wider"))]
    session.load(documents, PRESETS["cs336"], (), 300, LiveText("wide"))
    assert trainer not in seen
    assert seen


# -- the cursor --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("step_by_step")
def test_a_long_move_can_be_cancelled(qtbot: QtBot, session: Session) -> None:
    load_long_corpus(qtbot, session)
    session.cursor.seek(10_000_000)
    assert session.work.activity is Activity.MOVING
    qtbot.waitUntil(lambda: session.cursor.position > 100)
    session.work.cancel()
    assert idle(session)
    reached = session.cursor.position
    run_out(session)  # another slice of the move would come first
    assert session.cursor.position == reached < 10_000


@pytest.mark.usefixtures("step_by_step")
def test_where_a_cancelled_move_ends_is_announced(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursor, "_ANNOUNCE_EVERY", 1_000)
    load_long_corpus(qtbot, session)
    announced: list[int] = []
    session.cursor.moved.connect(lambda: announced.append(session.cursor.position))
    session.cursor.seek(10_000_000)
    qtbot.waitUntil(lambda: session.cursor.position > 100)
    assert announced == []
    session.work.cancel()
    assert announced == [session.cursor.position]


@pytest.mark.usefixtures("step_by_step")
def test_a_step_of_playing_is_not_a_long_move(qtbot: QtBot, session: Session) -> None:
    load_long_corpus(qtbot, session)
    seen: list[Activity] = []
    session.work.changed.connect(lambda: seen.append(session.work.activity))
    session.cursor.play(1000)  # many steps at a time
    qtbot.waitUntil(lambda: session.cursor.position > 100)
    session.cursor.pause()
    assert seen == []
    session.cursor.seek(200)
    qtbot.waitUntil(lambda: session.cursor.position == 200)
    assert seen == [Activity.MOVING, Activity.IDLE]


def test_going_to_a_step_ends_playing(session: Session) -> None:
    session.cursor.play(1)
    session.cursor.go_to(3)
    assert session.cursor.position == 3
    assert not session.cursor.playing
