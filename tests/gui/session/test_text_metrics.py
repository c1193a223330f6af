"""A text that is measured in parts has the numbers that it has as a whole."""

from dataclasses import fields

import numpy as np
import pytest

from bpe_gui.engine import Tokenizer, train
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.metrics import LineMetrics, measure, measure_lines
from bpe_gui.gui.session import text_metrics as text_measures
from bpe_gui.gui.session.text_metrics import measure_in_parts

TEXT = "Don't stop; 12345 words\n\n  here, 词元化\r\nand there\u2029 in one rather long line of words, no break   \rx\n"


@pytest.fixture(params=["cs336", "subword-nmt"])
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return train(TEXT, recipe=request.param, num_merges=20).with_unknown_id(-1)


@pytest.mark.parametrize("together", [1, 3, 64])
@pytest.mark.parametrize("size", [1, 20, 400])
def test_parts_add_up(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch, together: int, size: int) -> None:
    monkeypatch.setattr(text_measures, "_TOGETHER", together)
    monkeypatch.setattr("bpe_gui.engine.live_text.BLOCK", size)
    text = LiveText(TEXT * 9 + "end")
    text.encode_with(tokenizer)
    for block in text.missing():
        text.encode(block)
    whole, (_ids, starts, stops) = text.read(0, len(text)), text.tokens(0, text.known())
    told: list[tuple[int, int]] = []
    found = measure_in_parts(text.parts(), tokenizer.at(3), lambda done, total: told.append((done, total)))
    assert found.now == measure(whole, starts, stops)
    _ids, later_starts, later_stops = tokenizer.at(3).token_arrays(whole)
    assert found.final == measure(whole, later_starts, later_stops)
    lines = measure_lines(whole, starts, stops)
    for field in fields(LineMetrics):
        np.testing.assert_array_equal(getattr(found.lines, field.name), getattr(lines, field.name))
    assert told[0] == (0, len(whole))
    assert len(told) == -(-len(text.parts()) // together)


def test_the_other_tokenizer_may_be_the_same() -> None:
    found = measure_in_parts(
        [(b"low", train("low", num_merges=2).token_arrays(b"low"))], None, lambda done, total: None
    )
    assert found.now == found.final
    assert found.lines.bytes.tolist() == [3]


def test_nothing_has_no_lines() -> None:
    found = measure_in_parts([], None, lambda done, total: None)
    assert (found.now.tokens, len(found.lines)) == (0, 0)
