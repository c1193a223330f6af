"""Kernels split text exactly as the patterns of the splitters do, compiled or not."""

from collections.abc import Iterator
from itertools import accumulate, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.lowlevel.utf8 import count_characters, first_invalid, whole_characters
from bpe_gui.engine.kernels.text.gpt2_word_starts import STRETCH
from bpe_gui.engine.kernels.text.scanning import OTHER, SPACE
from bpe_gui.engine.kernels.text.splitting import find_boundary, find_words
from bpe_gui.engine.text.character_classes import unicode_classes
from bpe_gui.engine.text.regex_stand_ins import with_stand_ins
from bpe_gui.engine.text.scanners import SCANNERS, new_stretch
from bpe_gui.engine.text.splitters import compile_pattern
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.modes import MODES, running
from tests.examples import examples, is_thorough

DIFFICULT = (
    "aBsStTdDmMlLvVrReEzZ'’ſ"
    "  \t\n\r\x0b\x0c\x85\xa0\u1680\u2003\u2028\u3000\x1c\x1f\0\x7f"
    "019٣Ⅷ²½"
    "éÉßǅǄǆªʰ中文あアКк\u0301\u0300\u20dd\u0903"
    "/!._-<|>@«“😀👩\u200d\u200b\ufeff\U000e0100"
)
REPRESENTATIVES = "aA's \n\t1é\u0301ǅª中!/\u3000"
"""A character of each class, and those that the patterns name."""


@pytest.fixture(autouse=True, scope="module", params=MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    with running(request.param):
        yield request.param


def ends_of(splitter: str, data: bytes, before: bytes = b"", after: bytes = b"") -> list[int]:
    """Return the ends of the words of a text that is surrounded by others in a block."""
    block = np.frombuffer(bytearray(before + data + after + bytes(PADDING)), np.uint8)
    ends, begins = np.zeros(len(data) + 1, np.int64), np.zeros(STRETCH + 2, np.int64)
    at, stop = len(before), len(before) + len(data)
    words = find_words(SCANNERS[splitter], block, at, stop, unicode_classes(), new_stretch(), begins, ends)
    return [end - at for end in ends[:words].tolist()]


def pattern_ends(splitter: str, text: str) -> list[int]:
    matches = compile_pattern(splitter).finditer(with_stand_ins(text))
    words = [text[match.start() : match.end()] for match in matches]
    assert "".join(words) == text
    return list(accumulate(len(word.encode()) for word in words))


def check(text: str, before: str = "", after: str = "") -> None:
    for splitter in SCANNERS:
        ours = ends_of(splitter, text.encode(), before.encode(), after.encode())
        assert ours == pattern_ends(splitter, text), (splitter, text)


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


@pytest.mark.slow
def test_every_short_text_of_all_classes(mode: str) -> None:
    for length in range(1, 5 if mode == "compiled" and is_thorough() else 4):
        for characters in product(REPRESENTATIVES, repeat=length):
            check("".join(characters))


@pytest.mark.slow
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
def test_words_longer_than_a_stretch(run: str) -> None:
    check("x" + run * 3 * STRETCH + "y " + run * (STRETCH - 2))


@pytest.mark.slow
def test_a_long_text(mode: str) -> None:
    check(mixed_text()[: None if mode == "compiled" else 20_000])


# -- boundaries ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=examples(500))
@given(text=_texts, before=st.sampled_from([SPACE, SPACE | OTHER]))
def test_splitting_at_a_boundary_changes_no_word(text: str, before: int) -> None:
    data = text.encode()
    block = np.frombuffer(bytearray(data + bytes(PADDING)), np.uint8)
    end = len(data)
    while end > 1 and (boundary := find_boundary(block, 0, end, unicode_classes(), before)):
        left, right = data[:boundary].decode(), data[boundary:].decode()
        for splitter in SCANNERS:
            right_ends = [boundary + stop for stop in pattern_ends(splitter, right)]
            assert pattern_ends(splitter, left) + right_ends == pattern_ends(splitter, text)
        end = boundary


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
