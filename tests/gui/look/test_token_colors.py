"""The hues of tokens are told apart by every eye: with normal vision, protanopia, deuteranopia or tritanopia."""

from cmath import phase
from itertools import combinations
from math import tau
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from bpe_gui.engine import train
from bpe_gui.gui.look.theme import _BYTE_COLORS, SchemeName, TokenPalette, background_and_tokens, hue_of
from bpe_gui.samples import Sample, samples

Floats = npt.NDArray[np.float64]

NOTICEABLE = 0.02  # the least distance in OKLab that eyes see
DISTANCE = 0.045  # between any two hues for any eye
NORMAL_DISTANCE = 0.065  # between any two hues for normal vision
SHADE_DISTANCE = 0.055  # between the two shades of a hue

# Machado, Oliveira and Fernandes 2009, severity 1, for linear RGB


EYES: dict[str, Floats] = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
# Ottosson 2020, https://bottosson.github.io/posts/oklab/
TO_CONES: Floats = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_OKLAB: Floats = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def linear(color: QColor) -> Floats:
    parts = np.array([color.redF(), color.greenF(), color.blueF()])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def seen(color: QColor, eye: str) -> Floats:
    """Return a colour in OKLab, as an eye sees it."""
    light = np.clip(EYES[eye] @ linear(color), 0, 1)
    result: Floats = TO_OKLAB @ np.cbrt(TO_CONES @ light)
    return result


def distance(one: QColor, other: QColor, eye: str) -> float:
    return float(np.linalg.norm(seen(one, eye) - seen(other, eye)))


@pytest.fixture(params=["light", "dark"])
def colors(request: pytest.FixtureRequest, qapp: QApplication) -> tuple[QColor, TokenPalette]:
    """The background and the colours of tokens of a theme."""
    name: SchemeName = request.param
    return background_and_tokens(name)


def test_white_and_black_are_one_apart() -> None:
    assert distance(QColor("white"), QColor("black"), "normal") == pytest.approx(1, abs=1e-3)
    assert distance(QColor("#d00000"), QColor("#746000"), "protanopia") < distance(
        QColor("#d00000"), QColor("#746000"), "normal"
    )


@pytest.mark.parametrize("eye", EYES)
def test_hues_are_told_apart(colors: tuple[QColor, TokenPalette], eye: str) -> None:
    paper, palette = colors
    assert palette.hues >= 12
    least = NORMAL_DISTANCE if eye == "normal" else DISTANCE
    for one, other in combinations(palette.backgrounds, 2):
        assert distance(one, other, eye) >= least, (one.name(), other.name())
    for shade in palette.shades:
        assert distance(paper, shade, eye) >= NOTICEABLE * 2, shade.name()


@pytest.mark.parametrize("eye", EYES)
def test_the_second_shade_is_told_apart_from_every_first_one(colors: tuple[QColor, TokenPalette], eye: str) -> None:
    _paper, palette = colors
    for hue, second in enumerate(palette.second_shades):
        for number, first in enumerate(palette.backgrounds):
            least = SHADE_DISTANCE if number == hue else NOTICEABLE
            assert distance(first, second, eye) >= least, (first.name(), second.name())


def test_at_most_two_hues_are_between_yellow_and_green(colors: tuple[QColor, TokenPalette]) -> None:
    """Olive, khaki and lime are three colours that few eyes tell apart at a glance."""
    _paper, palette = colors
    vivid = [color for color in palette.backgrounds if chroma(color) > 0.05]
    assert sum(95 <= hue_angle(color) <= 138 for color in vivid) <= 2


def hue_angle(color: QColor) -> float:
    _lightness, a, b = seen(color, "normal")
    return float(np.degrees(np.arctan2(b, a)) % 360)


def chroma(color: QColor) -> float:
    result: Any = np.hypot(*seen(color, "normal")[1:])
    return float(result)


def test_a_symbol_has_the_same_hue_whenever_the_program_runs() -> None:
    assert [hue_of(symbol, 12) for symbol in (b"e", b"low", "语".encode(), b"\xff")] == [1, 7, 11, 6]


def around(symbol: bytes) -> int:
    """Return the place of a symbol's hue on the colour wheel, from 0 to 11."""
    return hue_of(symbol, 12) * 5 % 12


def test_the_numbers_of_the_hues_lead_around_the_colour_wheel(colors: tuple[QColor, TokenPalette]) -> None:
    _paper, palette = colors
    angles = [hue_angle(palette.backgrounds[place * 5 % 12]) for place in range(12)]
    assert angles == sorted(angles)


@given(st.binary(min_size=2, max_size=6))
def test_a_merge_never_has_the_hue_of_either_part(symbol: bytes) -> None:
    for cut in range(1, len(symbol)):
        assert hue_of(symbol, 12) not in (hue_of(symbol[:cut], 12), hue_of(symbol[cut:], 12))


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.path.stem)
def test_merges_of_long_tokens_seldom_have_the_hue_of_a_part(sample: Sample) -> None:
    merges = [merge for merge in train(sample.text, num_merges=1_000).merges if len(b"".join(merge)) <= 16]
    alike = [merge for merge in merges if hue_of(b"".join(merge), 12) in [hue_of(part, 12) for part in merge]]
    assert all(len(b"".join(merge)) > 6 for merge in alike)
    assert len(alike) <= len(merges) / 20


def test_tokens_of_the_same_letters_are_of_like_hues() -> None:
    """Among all hues, two would be three places apart."""
    words = [
        word.encode()
        for word in [
            "the",
            "then",
            "there",
            "other",
            "others",
            "mother",
            "low",
            "lower",
            "lowest",
            "new",
            "newest",
            "newer",
        ]
    ]
    mixtures = [int(phase(sum(map(_BYTE_COLORS.__getitem__, word))) / tau % 1 * 12) for word in words]
    apart = [min((around(a) - b) % 12, (b - around(a)) % 12) for a, b in zip(words, mixtures, strict=True)]
    assert sum(apart) / len(apart) < 2


def test_capital_letters_have_the_hues_of_small_ones() -> None:
    assert hue_of(b"The", 12) == hue_of(b"the", 12)
