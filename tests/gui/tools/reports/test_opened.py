"""A report on an opened tokenizer whose pipeline changes text before it splits it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models, normalizers, pre_tokenizers

from bpe_gui.engine import TextDocument, TokenizerSource, save, train
from bpe_gui.engine.reports import ReportText, make_report
from bpe_gui.gui.session.session import Session
from tests.gui.support.widgets import child
from tests.gui.tools.comparison.support import CORPUS

from .support import Stage, make_session


def test_it_is_measured_and_pruned(open_report: Callable[[Session], Stage], qtbot: QtBot, tmp_path: Path) -> None:
    vocabulary = {token: index for index, token in enumerate(["l", "o", "w", "lo", "low", "ow"])}
    theirs = TheirTokenizer(models.BPE(vocabulary, [("l", "o"), ("lo", "w"), ("o", "w")]))
    theirs.normalizer = normalizers.Lowercase()
    theirs.pre_tokenizer = pre_tokenizers.Whitespace()
    theirs.save(str(tmp_path / "lower.json"))
    session = make_session("LOW lo low")
    session.opened.open(TokenizerSource(tmp_path / "lower.json"))
    qtbot.waitUntil(lambda: session.opened.tokenizer is not None)
    stage = open_report(session)
    session.cursor.last()
    stage.press("reportButton")
    tokenizer = session.cursor.tokenizer
    assert tokenizer is not None
    expected = make_report(tokenizer, [ReportText("a", [TextDocument("LOW lo low")])])
    assert stage.report.total.measures == expected.total.measures
    assert stage.made.pruning is not None and stage.made.pruning.is_exact
    assert stage.label("reportFacts").startswith("lower")


def test_a_suggested_size_is_a_step_of_it(
    open_report: Callable[[Session], Stage], qtbot: QtBot, tmp_path: Path
) -> None:
    save(train(CORPUS, num_merges=30), tmp_path / "mine.json", "huggingface")
    session = make_session("low low lower " * 9)
    size = session.corpus.vocab_size
    session.opened.open(TokenizerSource(tmp_path / "mine.json"))
    qtbot.waitUntil(lambda: session.opened.tokenizer is not None)
    stage = open_report(session)
    session.cursor.last()
    stage.press("reportButton")
    curve = stage.report.sizing_curve
    assert curve is not None and curve.knee is not None
    child(stage.window, QPushButton, "reportUseKnee").click()
    assert session.corpus.vocab_size == size  # of the run, which is not shown
    tokenizer = session.cursor.tokenizer
    assert tokenizer is not None and tokenizer.vocab_size == curve.knee.entries
    expected = f"At this step, mine.json has {curve.knee.entries} entries. Export it here to get that size."
    assert stage.label("reportMessage") == expected
