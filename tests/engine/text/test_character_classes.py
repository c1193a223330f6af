"""Every code point has the class that the patterns of the splitters see in it."""

import regex

from bpe_gui.engine.kernels.text import scanning
from bpe_gui.engine.text.character_classes import unicode_classes

QUESTIONS = {
    scanning.LETTER: r"\p{L}",
    scanning.NUMBER: r"\p{N}",
    scanning.SPACE: r"\s",
    scanning.OTHER: r"[^\s\p{L}\p{N}]",
    scanning.NEWLINE: r"[\r\n]",
    scanning.CAPITAL: r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]",
    scanning.SMALL: r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]",
    scanning.BLANK: " ",
}


def test_every_code_point() -> None:
    everything = "".join(map(chr, range(0x110000)))
    classes = unicode_classes()
    for kind, pattern in QUESTIONS.items():
        expected = [match.start() for match in regex.finditer(pattern, everything)]
        assert (classes & kind).nonzero()[0].tolist() == expected, pattern


def test_the_long_s_is_the_only_letter_above_ascii_that_a_contraction_may_have() -> None:
    everything = "".join(map(chr, range(0x80, 0x110000)))
    assert regex.findall("(?i:[sdmtlvre])", everything) == ["ſ"]
