"""Kernels split text exactly as expressions do, compiled or not."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_gui.engine import SPLITTERS
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.lowlevel.utf8 import count_characters, first_invalid, whole_characters
from bpe_gui.engine.kernels.text.automaton import find_all_words, find_boundary
from bpe_gui.engine.kernels.text.gpt2_word_starts import STRETCH
from bpe_gui.engine.text.compiled_splitters import compiled, padded, with_own_state
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.stand_ins import compile_pattern, with_stand_ins
from tests.examples import examples

DIFFICULT = (
    "aBsStTdDmMlLvVrReEzZ'’ſ"
    "  \t\n\r\x0b\x0c\x85\xa0\u1680\u2003\u2028\u3000\x1c\x1f\0\x7f"
    "019٣Ⅷ²½"
    "éÉßǅǄǆªʰ中文あアКк\u0301\u0300\u20dd\u0903"
    "/!._-<|>@«“😀👩\u200d\u200b\ufeff\U000e0100"
)
REPRESENTATIVES = "aA's \n\t1é\u0301ǅª中!/\u3000"
"""A character of each class, and those that the patterns name."""


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    with running(request.param):
        yield request.param


EXPRESSIONS = (
    *SPLITTERS,
    r"\s+|\w+|[^\w\s]+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))|\p{L}+|\s+|.",
    r"a+?b|\b\w+\b|(?<=\s)\S|\s$|(?>a+)[bc]",
    r"\p{Lu}?\p{Ll}+|[A-Z]+(?![a-z])|\d++",
    "a|a*é",
)


def spans_of(splitter: str, data: bytes, before: bytes = b"", after: bytes = b"") -> list[tuple[int, int]]:
    """Return the starts and ends of the words of a text that is surrounded by others in a block."""
    tables = compiled(splitter)
    block, size = padded(before + data + after), len(data) + 1
    batch, found = np.zeros((2, 2 * STRETCH), np.int64), np.zeros((2, size), np.int64)
    at = len(before)
    words = find_all_words(with_own_state(tables, size), block, np.array([at, at + len(data)]), *batch, *found)
    return [(start - at, end - at) for start, end in found[:, :words].T.tolist()]


def pattern_spans(splitter: str, text: str) -> list[tuple[int, int]]:
    offsets = list(accumulate((len(character.encode()) for character in text), initial=0))
    matches = compile_pattern(splitter).finditer(with_stand_ins(text))
    return [(offsets[match.start()], offsets[match.end()]) for match in matches if match.end() > match.start()]


def check(text: str, before: str = "", after: str = "", splitters: Sequence[str] = EXPRESSIONS) -> None:
    for splitter in splitters:
        ours = spans_of(splitter, text.encode(), before.encode(), after.encode())
        assert ours == pattern_spans(splitter, text), (splitter, text)


# -- words --------------------------------------------------------------------------------------------------------

_runs = st.tuples(st.sampled_from(DIFFICULT), st.sampled_from([1, 1, 1, 2, 3, 4, 9, 40]))
_texts = st.lists(_runs, max_size=14).map(lambda runs: "".join(character * count for character, count in runs))


@pytest.mark.slow
@settings(max_examples=examples(1500))
@given(text=_texts, before=st.text(DIFFICULT, max_size=3), after=st.text(DIFFICULT, max_size=20))
@example("HELLOworld'LL", "", "")
@example("\u0301ABC 'S 'ſx", "", "x")
@example(" \n \n  x  ", "", "'s")
def test_difficult_texts(text: str, before: str, after: str) -> None:
    check(text, before, after)


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text(text: str) -> None:
    check(text)


@pytest.mark.thorough
def test_every_short_text_of_all_classes(mode: str) -> None:
    for length in range(1, 4):
        for characters in product(REPRESENTATIVES, repeat=length):
            check("".join(characters))


@pytest.mark.thorough
def test_every_code_point_before_and_after_a_letter(mode: str) -> None:
    # Planes 4 to 13 have no assigned character: all of their code points have one class.
    codes = [*range(0xD800), *range(0xE000, 0x40000), *range(0x40000, 0xE0000, 97), *range(0xE0000, 0x110000)]
    points = list(map(chr, codes[:: 1 if mode == "compiled" else 97]))
    check("".join(f"{point}a{point} " for point in points))


@given(text=_texts, seed=st.integers(0, 99))
def test_words_across_the_edges_of_a_stretch(text: str, seed: int) -> None:
    filling = "low 中文, it's\n" * 200
    check(filling[: STRETCH - 20 + seed % 40] + text + filling[: STRETCH - 20] + text)


@pytest.mark.parametrize("run", ["a", " ", "\n", "'", "中", "\u3000", "1", "A", "\u0301", " \n"])
def test_words_longer_than_a_stretch(run: str, mode: str) -> None:
    splitters = EXPRESSIONS if mode == "compiled" else ("gpt2",)
    check("x" + run * 3 * STRETCH + "y " + run * (STRETCH - 2), splitters=splitters)


@pytest.mark.slow
def test_a_long_text(mode: str) -> None:
    check(mixed_text(300_000)[: None if mode == "compiled" else 20_000])


# -- boundaries ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=examples(500))
@given(text=_texts, splitter=st.sampled_from(EXPRESSIONS))
def test_cutting_a_text_changes_no_word(text: str, splitter: str) -> None:
    data = text.encode()
    tables = compiled(splitter)
    end = len(data)
    while end > 1 and (cut := find_boundary(tables, padded(data), 0, end)):
        left, right = data[:cut].decode(), data[cut:].decode()
        right_spans = [(cut + start, cut + stop) for start, stop in pattern_spans(splitter, right)]
        assert pattern_spans(splitter, left) + right_spans == pattern_spans(splitter, text)
        end = cut


# -- UTF-8 --------------------------------------------------------------------------------------------------------

_PIECES = [
    *(b"a", b"abcdefgh", "é".encode(), "中".encode(), "😀".encode(), "\ud7ff\ue000\U0010ffff".encode()),
    *(b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc2", b"\xe0\x9f\xbf", b"\xe0\xa0", b"\xed\xa0\x80", b"\xef\xbf"),
    *(b"\xf0\x8f\xbf\xbf", b"\xf0\x90\x80", b"\xf4\x90\x80\x80", b"\xf4\x8f", b"\xf5\x80\x80\x80", b"\xff"),
]
_bytes = st.one_of(st.binary(max_size=40), st.lists(st.sampled_from(_PIECES), max_size=12).map(b"".join))


def first_invalid_of_python(data: bytes) -> int:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return -1


@pytest.mark.slow
@settings(max_examples=examples(1500))
@given(data=_bytes, before=st.binary(max_size=3), after=_bytes)
def test_validity_equals_pythons_decoder(data: bytes, before: bytes, after: bytes) -> None:
    block = np.frombuffer(bytearray(before + data + after + bytes(PADDING)), np.uint8)
    begin, end = len(before), len(before) + len(data)
    found = first_invalid(block, begin, end)
    assert (found if found < 0 else found - begin) == first_invalid_of_python(data)


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong", [b"\xff", b"\x80", "中".encode()[:2], b"\xed\xa0\x80", b"\xe0\x80\x80", b"\xf4\x90\x80\x80"]
)
def test_validity_of_long_texts(wrong: bytes, mode: str) -> None:
    text = ("low 中é" * 80 + "中文" * 60 + "é" * 90 + "😀" * 150 + "a" * 700).encode()
    for offset in range(0, len(text), 3 if mode == "compiled" else 307):
        if text[offset] & 0xC0 == 0x80:
            continue
        data = text[:offset] + wrong + text[offset:]
        block = np.frombuffer(bytearray(data + bytes(PADDING)), np.uint8)
        assert first_invalid(block, 0, len(data)) == offset
        assert first_invalid(block, 0, offset) == -1


@pytest.mark.slow
def test_validity_of_every_beginning_of_a_character() -> None:
    edges = [*range(0x7E, 0x82), *range(0x8E, 0x92), *range(0x9E, 0xA2), *range(0xBE, 0x100)]
    for lead, second, third in product(range(0xC0, 0x100), edges, [0x41, 0x80, 0xBF, 0xC0]):
        data = bytes([0x61, lead, second, third, 0x80, 0x61])
        block = np.frombuffer(bytearray(data + bytes(PADDING)), np.uint8)
        assert first_invalid(block, 0, len(data)) == first_invalid_of_python(data)


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=30), data=st.data())
def test_an_incomplete_character_is_left_out(text: str, data: st.DataObject) -> None:
    encoded = text.encode()
    end = data.draw(st.integers(0, len(encoded)))
    block = np.frombuffer(bytearray(encoded + bytes(PADDING)), np.uint8)
    whole = encoded[:end].decode(errors="ignore")
    assert whole_characters(block, 0, end) == len(whole.encode())
    assert count_characters(block, 0, len(encoded)) == len(text)
