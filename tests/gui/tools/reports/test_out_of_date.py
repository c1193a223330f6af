"""A report is set back, and says why, as soon as it is not about what the window shows."""

import threading
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from bpe_gui.engine import FileDocument, LiveText, Plan, TextDocument, TokenizerSource, save, train
from bpe_gui.engine.reports import ReportText
from bpe_gui.gui.look.overlays import Dimmer, RenewCard
from bpe_gui.gui.session.corpus import CorpusDocument, file_stamp
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tools.reports.report_maker import ChosenTexts, FindTexts, TextChoice
from bpe_gui.gui.wording.language import install_language
from bpe_gui.samples import samples
from tests.gui.support.widgets import child

from .support import Stage, choose_files, make_session

OpenReport = Callable[[Session], Stage]
CHANGED = "These texts have changed since they were measured."


def reasons(stage: Stage) -> str:
    """Return why the report is set back; empty if it is not."""
    audited = child(stage.window, Table, "auditTable")
    dimmers = [each for each in stage.window.findChildren(Dimmer) if each.parent() is not audited]
    cards = stage.window.findChildren(RenewCard, "reportOutdated")
    text = stage.why_outdated
    stage.bot.waitUntil(lambda: {each.isHidden() for each in (*dimmers, *cards)} == {not text})
    name = stage.label("reportFacts").partition(": ")[0]
    assert not text or text.startswith(f"These numbers are of {name}. ")
    return text.removeprefix(f"These numbers are of {name}. ")


def open_tokenizer(stage: Stage, path: Path) -> None:
    save(train("low lower", recipe="cs336", num_merges=5), path, "gpt2")
    stage.session.opened.open(TokenizerSource(path))
    stage.bot.waitUntil(lambda: stage.session.opened.tokenizer is not None)


def test_another_tokenizer_is_named(open_report: OpenReport, tmp_path: Path) -> None:
    stage = open_report(make_session())
    assert reasons(stage) == ""
    open_tokenizer(stage, tmp_path / "other")
    assert reasons(stage) == "The window now shows another tokenizer: other."
    stage.press("reportButton")
    assert reasons(stage) == "" and stage.label("reportFacts").startswith("other: ")
    stage.session.opened.close()
    assert reasons(stage) == "The window now shows another tokenizer: Main run, step 8."


def test_a_tokenizer_without_a_name_is_not_called_the_run(open_report: OpenReport, tmp_path: Path) -> None:
    session = make_session()
    save(train("low lower", recipe="cs336", num_merges=5), tmp_path, "gpt2")
    session.opened.open(TokenizerSource(tmp_path, is_internal=True))
    stage_ready = open_report(session)
    stage_ready.bot.waitUntil(lambda: session.opened.tokenizer is not None)
    stage_ready.press("reportButton")
    assert stage_ready.label("reportFacts").startswith("Untitled: ")


def test_another_run_of_the_same_name_and_step_is_another_tokenizer(open_report: OpenReport) -> None:
    stage = open_report(make_session())
    session = stage.session
    session.restart()
    stage.bot.waitUntil(lambda: session.run.exists)
    session.cursor.seek(8)
    assert reasons(stage) == "It has changed since then."
    session.undo()
    assert reasons(stage) == "", "the run is back"
    session.cursor.seek(9)
    assert reasons(stage) == "The window now shows another step."
    session.cursor.last()
    session.cursor.seek(8)
    assert reasons(stage) == "", "training on changes no step"


def test_an_outdated_report_offers_to_measure_again_and_its_page_says_what_it_is_of(
    open_report: OpenReport, tmp_path: Path
) -> None:
    stage = open_report(make_session())
    stage.window.save_page(tmp_path / "new.html")
    stage.settle()
    assert "Out of date" not in (tmp_path / "new.html").read_text("utf-8")
    stage.session.cursor.seek(9)
    assert reasons(stage) == "The window now shows another step."
    stage.window.save_page(tmp_path / "old.html")
    stage.settle()
    said = "Out of date when saved. These numbers are of Main run, step 8. The window now shows another step."
    assert said in (tmp_path / "old.html").read_text("utf-8")
    (card,) = [each for each in stage.window.findChildren(RenewCard) if each.isVisible()]
    assert card.button.text() == "Measure again"
    QTest.mouseClick(card.button, Qt.MouseButton.LeftButton)
    stage.settle()
    assert reasons(stage) == "" and stage.label("reportFacts").startswith("Main run, step 9: ")


def test_what_is_set_back_cannot_be_used_until_it_is_up_to_date(open_report: OpenReport) -> None:
    stage = open_report(make_session())
    parts = [
        child(stage.window, QWidget, name) for name in ("reportNumbers", "reportTokens", "reportChart", "reportCosts")
    ]
    assert all(part.isEnabled() for part in parts)
    stage.session.cursor.seek(9)
    assert reasons(stage) != ""
    assert not any(part.isEnabled() for part in parts)
    assert all(card.button.isEnabled() for card in stage.window.findChildren(RenewCard))
    stage.session.cursor.seek(8)
    assert reasons(stage) == ""
    assert all(part.isEnabled() for part in parts)


def test_another_branch_is_another_tokenizer_and_a_new_name_is_followed(open_report: OpenReport) -> None:
    stage = open_report(make_session())
    session = stage.session
    session.branch_off("mine", session.corpus.recipe, Plan(), 8)
    stage.bot.waitUntil(lambda: session.branches.current.name == "mine")
    assert reasons(stage) == "The window now shows another tokenizer: mine, step 8."
    stage.press("reportButton")
    session.branches.rename(session.branches.current, "yours")
    assert stage.label("reportFacts").startswith("yours, step 8: ") and reasons(stage) == ""
    session.show_branch(session.branches.main)
    assert reasons(stage) == "The window now shows another tokenizer: Main run, step 8."


def test_without_a_run_there_is_no_tokenizer(open_report: OpenReport) -> None:
    stage = open_report(make_session())
    stage.session.replace_documents([])
    assert reasons(stage) == f"The window now shows no tokenizer. {CHANGED}"
    stage.session.undo()
    stage.bot.waitUntil(lambda: stage.session.run.exists)
    assert reasons(stage) == ""


def test_every_change_of_the_corpus_counts_at_once_and_undoing_it_takes_that_back(open_report: OpenReport) -> None:
    stage = open_report(make_session("low lower", "newest"))
    corpus = stage.session.corpus
    before = corpus.documents
    corpus.edit_document(0, "low lowest")  # as typing does
    assert reasons(stage) == CHANGED
    corpus.edit_document(0, "low lower")
    assert reasons(stage) == ""
    corpus.remove_document(1)
    assert reasons(stage) == CHANGED
    corpus.set_documents(before)
    corpus.add_documents([CorpusDocument("more", TextDocument("wide"))])
    assert reasons(stage) == CHANGED
    stage.session.undo()
    assert reasons(stage) == ""
    corpus.set_weights([0], Fraction(3))
    assert reasons(stage) == "", "weights count in training alone"
    stage.session.text.set_content("another text")
    assert reasons(stage) == "", "it was not measured"


def test_a_file_that_was_read_again_is_another_text(open_report: OpenReport, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("low lower")
    stage = open_report(make_session())
    document = CorpusDocument("a.txt", FileDocument(path), path, file_stamp(path))
    stage.session.corpus.set_documents([document])
    stage.press("reportButton")
    assert reasons(stage) == ""
    path.write_text("low lower newest")
    stage.session.corpus.set_documents([replace(document, state=file_stamp(path))])
    assert reasons(stage) == CHANGED


def test_every_change_of_the_text_counts_and_taking_it_back_does_too(open_report: OpenReport) -> None:
    stage = open_report(make_session(text="low lower"))
    stage.choose("reportTextChoice", "Text to encode")
    text = stage.session.text
    text.live.replace(0, 3, b"new")
    text.encode_edit(0, 3, 3)
    assert reasons(stage) == CHANGED
    text.live.replace(0, 3, b"low")
    text.encode_edit(0, 3, 3)
    assert reasons(stage) == ""
    text.set_live(LiveText("low lower newest"))
    assert reasons(stage) == CHANGED
    stage.choose("reportTextChoice", "Corpus")
    assert reasons(stage) == ""


def test_texts_that_could_not_be_measured_are_not_those_of_the_report(
    open_report: OpenReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_report(make_session())
    choose_files(monkeypatch, [tmp_path / "missing.txt"])
    stage.choose("reportTextChoice", "Files")
    assert "missing.txt" in stage.label("reportMessage")
    assert reasons(stage) == "Other texts are chosen now."
    stage.choose("reportTextChoice", "Corpus")
    assert reasons(stage) == ""


def test_texts_that_are_chosen_meanwhile_are_measured_next(
    open_report: OpenReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_report(make_session(text="low"))
    settle = Stage.settle
    monkeypatch.setattr(Stage, "settle", lambda _stage: None)
    stage.window.make()
    stage.choose("reportTextChoice", "Text to encode")
    monkeypatch.setattr(Stage, "settle", settle)
    stage.bot.waitUntil(lambda: stage.made.source.texts == ChosenTexts(TextChoice.TEXT))
    stage.settle()
    assert stage.report.total.bytes == 3 and reasons(stage) == ""


def test_cancelling_forgets_what_was_chosen_meanwhile(open_report: OpenReport, monkeypatch: pytest.MonkeyPatch) -> None:
    stage, begun = open_report(make_session()), threading.Event()
    before = stage.made

    def find(texts: ChosenTexts, _session: Session) -> FindTexts:
        def work(announce: Callable[[int, int], None]) -> list[ReportText]:
            begun.set()
            while True:
                announce(0, 0)

        return work

    with monkeypatch.context() as patch:
        patch.setattr(ChosenTexts, "finder", find)
        stage.window.make()
        assert begun.wait(60)
        box = child(stage.window, QComboBox, "reportTextChoice")
        box.setCurrentIndex(1)
        box.activated.emit(1)
    stage.reporting.maker.cancel()
    stage.settle()
    assert stage.made is before and reasons(stage) == "Other texts are chosen now."


def test_names_follow_the_language_of_the_window(open_report: OpenReport, qapp: QApplication) -> None:
    session, sample = make_session(), samples()[0]
    session.load_sample(sample, sample.title("en"))
    session.cursor.seek(2)
    stage = open_report(session)
    stage.choose("reportHeldOut", "Text to encode")
    install_language(qapp, "zh_CN")
    stage.reporting.close()
    stage.reporting.open()
    names = [row[0] for row in stage.rows("reportNumbers")]
    assert names[-1] == sample.title("zh_CN") and names[0].isascii() is False
    assert "Text to encode" not in names[-1]
    assert "Run" not in stage.label("reportFacts")
    assert child(stage.window, Dimmer, "dimmer").isHidden()
