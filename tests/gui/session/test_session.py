"""The session and its work in the background: what is shown is always of what is there."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, Corpus, TextDocument, Trainer, WordCounts, save, train
from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.background import jobs
from bpe_gui.gui.session import watched_training
from bpe_gui.gui.session.run_inputs import Basis
from bpe_gui.gui.session.corpus_document import LARGE_FILE, CorpusDocument, read_file
from bpe_gui.gui.background.jobs import Cancelled, Job, OneJob, Report, Turns
from bpe_gui.gui.background.activity import Activity, LongWork, mistake
from bpe_gui.gui.session.opened_tokenizer import TokenizerSource
from bpe_gui.gui.session.session import Session
from bpe_gui.samples import default_sample, samples

LONG_TEXT = "low lower lowest " * 2_000
MANY_WORDS = " ".join(f"word{i * 7919 % 10007}x{i}" for i in range(30_000))


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    session = Session()
    session.load_sample(default_sample(), "sample")
    yield session
    session.shut_down()


def idle(session: Session) -> bool:
    return session.activity is Activity.IDLE


def counted(session: Session) -> bool:
    return session.word_counts is not None and idle(session)


def waiting_for(event: threading.Event) -> Callable[[Report], None]:
    """Waits, and can be cancelled meanwhile."""

    def wait(report: Report) -> None:
        while not event.wait(0.01):
            report(0, 0)

    return wait


def long_corpus(qtbot: QtBot, session: Session) -> None:
    session.set_recipe(PRESETS["cs336"])
    session.edit_document(0, MANY_WORDS)
    qtbot.waitUntil(lambda: counted(session) and session.trainer is not None)


def test_a_long_text_set_twice_is_encoded(qtbot: QtBot, session: Session) -> None:
    session.set_text(LONG_TEXT)
    session.set_text(LONG_TEXT)
    qtbot.waitUntil(lambda: session.encoding is not None)


def test_a_long_text_outlives_a_restart_of_the_run(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    save(train("low lower", num_merges=2), tmp_path)
    session.open_tokenizer(TokenizerSource(tmp_path))
    qtbot.waitUntil(lambda: session.opened is not None)
    session.set_text(LONG_TEXT)
    session.restart()
    qtbot.waitUntil(lambda: session.encoding is not None)


def test_the_newest_of_many_long_texts_is_encoded(qtbot: QtBot, session: Session) -> None:
    for number in range(5):
        session.set_text(f"{LONG_TEXT}{number}")
    qtbot.waitUntil(lambda: session.encoding is not None)
    tokenizer = session.tokenizer
    assert tokenizer is not None
    assert session.encoding is not None
    assert session.encoding.ids == tokenizer.with_unknown_id(-1).encode(f"{LONG_TEXT}4")


def test_a_long_text_follows_the_cursor(qtbot: QtBot, session: Session) -> None:
    session.set_text(LONG_TEXT)
    session.step()
    session.step()
    qtbot.waitUntil(lambda: session.encoding is not None)
    tokenizer = session.tokenizer
    assert tokenizer is not None
    assert session.encoding is not None
    assert session.encoding.ids == tokenizer.encode(LONG_TEXT)


def test_a_large_file_that_changed_makes_the_run_stale(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text("low lower lowest\n" * (LARGE_FILE // 17 + 1))
    session.add_documents([read_file(path)], instead=True)
    qtbot.waitUntil(lambda: counted(session))
    session.step()
    session.remove_document(0)
    assert session.stale
    path.write_text("wide wider widest\n" * (LARGE_FILE // 18 + 1))
    os.utime(path, ns=(1, 1))
    session.add_documents([read_file(path)], instead=True)
    assert session.stale


def test_counting_that_is_cancelled_says_how_to_go_on(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_begin = threading.Event()
    monkeypatch.setattr(session, "_before_much_work", waiting_for(may_begin))
    path = tmp_path / "large.txt"
    path.write_text("low lower lowest\n" * (LARGE_FILE // 17 + 1))
    session.add_documents([read_file(path)], instead=True)
    qtbot.waitUntil(lambda: session.activity is Activity.COUNTING)
    session.cancel()
    qtbot.waitUntil(lambda: idle(session))
    assert "Counting was cancelled" in str(session.count_error)
    assert session.trainer is not None, "the run before is still there"
    assert session.stale
    may_begin.set()
    session.restart()
    qtbot.waitUntil(lambda: counted(session))
    assert session.trainer is not None


def test_a_change_during_training_that_is_taken_back_leaves_the_counts(qtbot: QtBot, session: Session) -> None:
    long_corpus(qtbot, session)
    session.set_vocab_size(3_000)
    session.train()
    session.set_special_tokens(["<x>"])
    session.set_special_tokens(default_sample().special_tokens)
    qtbot.waitUntil(lambda: counted(session))
    assert not session.stale


def test_a_change_during_training_is_counted_after_it(qtbot: QtBot, session: Session) -> None:
    long_corpus(qtbot, session)
    session.set_vocab_size(1_000)
    session.train()
    session.edit_document(0, "aaa")
    qtbot.waitUntil(lambda: counted(session))
    assert session.word_counts is not None
    assert dict(session.word_counts) == {"aaa": 1}
    assert session.stale


def test_a_sample_opened_during_training_is_not_overrun_by_it(qtbot: QtBot, session: Session) -> None:
    long_corpus(qtbot, session)
    session.set_vocab_size(50_000)
    session.train()
    qtbot.waitUntil(lambda: session.position > 0)
    sample = samples()[0]
    session.load_sample(sample, "sample")
    assert idle(session)
    size = session.vocab_size
    qtbot.wait(300)
    assert not session.stale
    assert session.position == 0
    assert session.vocab_size == size < 1_000
    session.last()
    assert session.position == sample.num_merges


def test_training_again_after_a_sample_interrupted_it(qtbot: QtBot, session: Session) -> None:
    long_corpus(qtbot, session)
    session.set_vocab_size(50_000)
    session.train()
    session.load_sample(default_sample(), "sample")
    session.train()
    qtbot.waitUntil(lambda: idle(session))
    assert session.position == 12


def test_nothing_waits_for_a_count_that_hears_of_no_cancelling(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, release = threading.Event(), threading.Event()
    count = Basis.count

    def deaf(*arguments: Any) -> WordCounts:
        begun.set()
        release.wait()
        return count(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Basis, "count", deaf)
        session.edit_document(0, MANY_WORDS)
        qtbot.waitUntil(begun.is_set)
    session.edit_document(0, "aaa bbb")  # would wait forever if it waited
    assert session.word_counts is not None
    assert len(session.word_counts) == 2
    release.set()
    qtbot.wait(50)
    assert len(session.word_counts) == 2


@pytest.mark.usefixtures("step_by_step")
def test_a_long_way_can_be_cancelled(qtbot: QtBot, session: Session) -> None:
    long_corpus(qtbot, session)
    session.seek(10_000_000)
    assert session.activity is Activity.MOVING
    qtbot.waitUntil(lambda: session.position > 100)
    session.cancel()
    assert idle(session)
    reached = session.position
    qtbot.wait(100)
    assert session.position == reached < 10_000


def test_setting_up_a_trainer_can_be_stopped() -> None:
    def stop(_done: int, _total: int) -> None:
        raise Cancelled

    counts = Corpus.from_text(MANY_WORDS).count("cs336")
    with pytest.raises(Cancelled):
        Trainer(counts, progress=stop)


def test_an_abandoned_job_is_never_heard_of_and_delays_nobody(qtbot: QtBot, session: Session) -> None:
    jobs = OneJob(session)
    release = threading.Event()
    heard: list[object] = []

    def slow(report: Report) -> str:
        release.wait(5)
        return "slow"

    jobs.start(slow, lambda job: heard.append(job.result))
    jobs.abandon()
    assert not jobs.busy
    jobs.start(lambda report: "quick", lambda job: heard.append(job.result))
    release.set()
    qtbot.waitUntil(lambda: heard == ["quick"])


def test_a_fault_of_ours_in_a_job_leaves_nothing_going_on(qtbot: QtBot, session: Session) -> None:
    long_work = LongWork(session)

    def broken(report: Report) -> None:
        raise MemoryError

    def done(job: Job) -> None:
        mistake(job)

    with qtbot.captureExceptions() as exceptions:
        long_work.start(Activity.COUNTING, broken, done)
        qtbot.waitUntil(lambda: long_work.activity is Activity.IDLE)
    assert [kind for kind, _value, _traceback in exceptions] == [MemoryError]


def test_a_file_in_place_of_a_sample_is_not_trained_the_samples_way(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "own.txt"
    path.write_text("a text of my own")
    session.add_documents([read_file(path)], instead=True)
    assert session.recipe == PRESETS["cs336"]
    assert session.vocab_size == 1_000


def test_a_recipe_that_was_chosen_stays_when_a_file_is_opened(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text("a text of my own")
    session.set_recipe(PRESETS["minbpe"])
    session.add_documents([read_file(path)], instead=True)
    assert session.recipe == PRESETS["minbpe"]


def test_training_can_be_watched(qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_training, "_LOOK_EVERY", 0)
    monkeypatch.setattr(jobs, "_REPORT_EVERY", 0)
    long_corpus(qtbot, session)
    session.set_vocab_size(3_000)
    seen: list[tuple[int, int]] = []

    def look() -> None:
        if session.activity is Activity.TRAINING:
            assert session.trainer is not None, "it can be looked at in the signal's slots"
            seen.append((session.position, len(session.trainer.pairs(10))))

    session.cursor_moved.connect(look)
    session.train()
    assert session.trainer is None
    qtbot.waitUntil(lambda: idle(session))
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert session.position == session.run_length > 100


def test_much_work_waits_until_it_may_begin(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_begin = threading.Event()
    session = Session(before_much_work=waiting_for(may_begin))
    path = tmp_path / "large.txt"
    path.write_text("low lower lowest\n" * (LARGE_FILE // 17 + 1))
    session.add_documents([read_file(path)])
    with qtbot.waitSignal(session.progressed, check_params_cb=lambda done, total: (done, total) == (0, 0)):
        pass
    assert session.word_counts is None
    may_begin.set()
    qtbot.waitUntil(lambda: counted(session))
    session.shut_down()


@pytest.mark.parametrize(("splitter", "text"), [(r"\S+|\s+", "low lower"), ("gpt2", "low lower " * 5_000)])
def test_a_text_need_not_wait_for_the_compiler(qtbot: QtBot, splitter: str, text: str) -> None:
    closing = threading.Event()
    session = Session(before_much_work=waiting_for(closing))
    session.set_recipe(PRESETS["cs336"].with_changes(splitter=splitter))
    session.add_documents([CorpusDocument("corpus", TextDocument("low lower lowest"))])
    qtbot.waitUntil(lambda: session.trainer is not None)
    session.set_text(text)
    try:
        qtbot.waitUntil(lambda: session.encoding is not None)
    finally:
        closing.set()
        session.shut_down()


def test_who_looks_waits_for_one_turn_only() -> None:
    turns = Turns()
    worked, stop = [0], threading.Event()

    def work() -> None:
        while not stop.is_set():
            with turns.work():
                worked[0] += 1

    worker = threading.Thread(target=work)
    worker.start()
    for _ in range(100):
        with turns.look():
            before = worked[0]
            stop.wait(0.0005)
            assert worked[0] == before, "nobody works while somebody looks"
    stop.set()
    worker.join(10)
    assert not worker.is_alive()
    assert worked[0] > 0


@pytest.mark.usefixtures("step_by_step")
def test_a_step_of_playing_is_no_long_way(qtbot: QtBot, session: Session) -> None:
    long_corpus(qtbot, session)
    seen: list[Activity] = []
    session.activity_changed.connect(lambda: seen.append(session.activity))
    session.play(1000)  # many steps at a time
    qtbot.waitUntil(lambda: session.position > 100)
    session.pause()
    assert seen == []
    session.seek(200)
    qtbot.waitUntil(lambda: session.position == 200)
    assert seen == [Activity.MOVING, Activity.IDLE]


def test_nobody_sees_the_run_that_a_thread_goes_on_training_for_a_moment(qtbot: QtBot, session: Session) -> None:
    long_corpus(qtbot, session)
    run = session.run
    assert run is not None
    session.set_vocab_size(5_000)
    session.train()
    seen: list[Trainer | None] = []
    for changed in (session.activity_changed, session.run_changed, session.cursor_moved, session.documents_changed):
        changed.connect(lambda: seen.append(session.run))
    documents = [CorpusDocument("other", TextDocument("wide wider"))]
    session.load(documents, PRESETS["cs336"], (), 300, LiveText("wide"))
    assert run not in seen
    assert seen
