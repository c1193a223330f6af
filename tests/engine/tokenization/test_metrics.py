"""Metrics: equal to those of a loop over characters and tokens, as a whole, in chunks and line by line."""

import math
import re
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_gui.engine import EngineError, Int64Array, LineMetrics, Metrics, measure, measure_lines, metrics, train
from tests.engine.support.general_categories import all_characters

Spans = list[tuple[int, int]]

WHITE_SPACE = list(filter(str.isspace, all_characters()))
LINE = re.compile("[^\n\r\u2029]*(?:\r\n|[\n\r\u2029])|[^\n\r\u2029]+")

texts = st.text(st.one_of(st.sampled_from("ab \n\r\u2029\u3000é你😀"), st.sampled_from(WHITE_SPACE), st.characters()))


@st.composite
def texts_with_tokens(draw: st.DrawFn) -> tuple[bytes, Spans]:
    """Draw a text with tokens that may begin anywhere, even inside characters; some are empty, others left out."""
    text = draw(texts).encode("utf-8", "surrogatepass")
    boundaries = draw(st.lists(st.integers(0, len(text)), max_size=12))
    spans = list(pairwise(sorted([0, len(text), *boundaries])))
    return text, [span for span in spans if draw(st.booleans())]


def arrays(spans: Spans) -> tuple[Int64Array, Int64Array]:
    """Return the starts and the stops of spans."""
    both = np.array(spans, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def expected_counts(text: bytes, spans: Spans) -> tuple[int, ...]:
    """Return the right numbers of tokens, bytes, characters, words and single-byte tokens."""
    string = text.decode("utf-8", "surrogatepass")
    return len(spans), len(text), len(string), len(string.split()), sum(stop - start == 1 for start, stop in spans)


def counts(found: Metrics) -> tuple[int, ...]:
    return found.tokens, found.bytes, found.characters, found.words, found.single_byte_tokens


@given(texts_with_tokens())
@example(("".join(f"a{space}" for space in WHITE_SPACE).encode(), []))
def test_metrics_equal_those_of_a_loop(given: tuple[bytes, Spans]) -> None:
    text, spans = given
    found = measure(text, *arrays(spans))
    assert counts(found) == expected_counts(text, spans)
    string = text.decode("utf-8", "surrogatepass")
    assert found.begins_in_word == (not string[:1].isspace() and bool(string))
    assert found.ends_in_word == (not string[-1:].isspace() and bool(string))


@given(st.lists(texts_with_tokens(), max_size=6))
@example([(b"wo", []), (b"", [(0, 0)]), (b"rd", [])])
def test_metrics_of_chunks_add_up_to_those_of_the_whole(chunks: list[tuple[bytes, Spans]]) -> None:
    whole, spans = b"", list[tuple[int, int]]()
    for text, of_chunk in chunks:
        spans += [(len(whole) + start, len(whole) + stop) for start, stop in of_chunk]
        whole += text
    measured = [measure(text, *arrays(of_chunk)) for text, of_chunk in chunks]
    assert sum(measured, Metrics()) == measure(whole, *arrays(spans))
    half = len(measured) // 2  # addition is associative
    assert sum(measured[:half], Metrics()) + sum(measured[half:], Metrics()) == measure(whole, *arrays(spans))


@given(texts_with_tokens())
def test_metrics_of_lines_equal_those_of_a_loop(given: tuple[bytes, Spans]) -> None:
    text, spans = given
    found = measure_lines(text, *arrays(spans))
    stop = 0
    for line, string in enumerate(LINE.findall(text.decode("utf-8", "surrogatepass"))):
        octets = string.encode("utf-8", "surrogatepass")
        start, stop = stop, stop + len(octets)
        inside = [span for span in spans if start <= counted_at(span) < stop]
        assert int(found.starts[line]) == start
        assert counts_of_line(found, line) == expected_counts(octets, inside)
    assert len(found) == len(LINE.findall(text.decode("utf-8", "surrogatepass")))
    assert stop == len(text)


def counted_at(span: tuple[int, int]) -> int:
    """Return the offset of the byte with which a token counts."""
    start, stop = span
    return start if start < stop else max(0, start - 1)


def counts_of_line(lines: LineMetrics, line: int) -> tuple[int, ...]:
    columns = (lines.tokens, lines.bytes, lines.characters, lines.words, lines.single_byte_tokens)
    return tuple(int(column[line]) for column in columns)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@given(given=texts_with_tokens())
def test_metrics_do_not_depend_on_the_size_of_slices(size: int, given: tuple[bytes, Spans]) -> None:
    text, spans = given
    whole, lines = measure(text, *arrays(spans)), measure_lines(text, *arrays(spans))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metrics, "_SLICE", size)
        assert measure(text, *arrays(spans)) == whole
        sliced = measure_lines(text, *arrays(spans))
    for line in range(len(lines)):
        assert counts_of_line(sliced, line) == counts_of_line(lines, line)


def test_metrics_of_lines_add_up_to_those_of_the_text() -> None:
    text = "low low lower\n\n  newest é\r\nlow"
    encoding = train(text, num_merges=4).encoding(text)
    utf8, spans = text.encode(), arrays(encoding.byte_spans)
    lines, whole = measure_lines(utf8, *spans), measure(utf8, *spans)
    assert [sum(column) for column in zip(*(counts_of_line(lines, line) for line in range(4)), strict=True)] == [
        *counts(whole)
    ]
    assert lines.bytes.tolist() == [14, 1, 13, 3]
    assert lines.bytes_per_token[3] == 3 / lines.tokens[3]


def test_the_ratio_of_a_line_without_a_token_is_nan() -> None:
    lines = measure_lines(b"a\n\n\nb", *arrays([(0, 4), (4, 5)]))
    assert lines.tokens.tolist() == [1, 0, 0, 1]
    assert [math.isnan(ratio) for ratio in lines.bytes_per_token] == [False, True, True, False]


def test_a_marker_at_the_end_of_a_line_counts_in_that_line() -> None:
    lines = measure_lines(b"low\nest", *arrays([(0, 3), (3, 4), (4, 4), (4, 7), (7, 7)]))
    assert lines.tokens.tolist() == [3, 2]


def test_ratios_of_an_empty_text_are_nan() -> None:
    nothing = measure(b"", *arrays([]))
    assert nothing == Metrics()
    ratios = (nothing.bytes_per_token, nothing.characters_per_token, nothing.tokens_per_word, nothing.single_byte_share)
    assert all(map(math.isnan, ratios))
    assert len(measure_lines(b"", *arrays([(0, 0)]))) == 0


def test_an_array_has_the_metrics_of_its_bytes() -> None:
    text, spans = "low é low".encode(), arrays([(0, 3), (3, 10)])
    assert measure(np.frombuffer(text, np.uint8), *spans) == measure(text, *spans)


@pytest.mark.parametrize("measured", [measure, measure_lines])
def test_tokens_need_as_many_starts_as_stops(measured: Callable[..., object]) -> None:
    with pytest.raises(EngineError, match="There are 2 starts of tokens, but 1 stops"):
        measured(b"low", np.array([0, 1]), np.array([3]))
