"""Measuring a text in parts gives the same metrics as measuring it as a whole."""

from dataclasses import fields

import numpy as np
import pytest

from bpe_gui.engine import LineMetrics, LiveText, Tokenizer, measure, measure_in_parts, measure_lines, metrics, train

TEXT = "Don't stop; 12345 words\n\n  here, 词元化\r\nand there\u2029 in one rather long line of words, no break   \rx\n"


@pytest.fixture(params=["cs336", "subword-nmt"])
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return train(TEXT, recipe=request.param, num_merges=20).with_unknown_id(-1)


@pytest.mark.parametrize("batch", [1, 3, 64])
@pytest.mark.parametrize("block", [1, 20, 400])
def test_parts_add_up(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch, batch: int, block: int) -> None:
    monkeypatch.setattr(metrics, "BATCH", batch)
    monkeypatch.setattr("bpe_gui.engine.live_text.BLOCK", block)
    text = LiveText(TEXT * 9 + "end")
    text.encode_with(tokenizer)
    for missing in text.unencoded_blocks():
        text.encode(missing)
    whole, (_ids, starts, stops) = text.read(0, len(text)), text.tokens(0, text.known_tokens)
    reports: list[tuple[int, int]] = []
    measures = measure_in_parts(text.snapshot(), tokenizer.at(3), lambda done, total: reports.append((done, total)))
    assert measures.now == measure(whole, starts, stops)
    _ids, later_starts, later_stops = tokenizer.at(3).token_arrays(whole)
    assert measures.final == measure(whole, later_starts, later_stops)
    lines = measure_lines(whole, starts, stops)
    for field in fields(LineMetrics):
        np.testing.assert_array_equal(getattr(measures.lines, field.name), getattr(lines, field.name))
    assert reports[0] == (0, len(whole))
    assert len(reports) == -(-len(text.snapshot()) // batch)


def test_without_a_final_tokenizer_both_metrics_are_equal() -> None:
    measures = measure_in_parts(
        [(b"low", train("low", num_merges=2).token_arrays(b"low"))], None, lambda done, total: None
    )
    assert measures.now == measures.final
    assert measures.lines.bytes.tolist() == [3]


def test_an_empty_text_has_no_lines() -> None:
    measures = measure_in_parts([], None, lambda done, total: None)
    assert (measures.now.tokens, len(measures.lines)) == (0, 0)
