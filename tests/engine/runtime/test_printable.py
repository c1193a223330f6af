"""Tokens in GPT-2's printable characters."""

import pytest

from bpe_gui.engine import from_printable, to_printable
from bpe_gui.engine.runtime.printable import PRINTABLE


def test_every_byte_has_a_character_of_its_own() -> None:
    every = bytes(range(256))
    assert to_printable(every) == "".join(PRINTABLE)
    assert from_printable(to_printable(every * 2)) == every * 2
    assert (to_printable(b""), from_printable("")) == ("", b"")


@pytest.mark.parametrize("character", [" ", "\n", "\x7f", "\xad", "\u0144", "词", "\U0001f600", "\ud800"])
def test_a_character_that_is_not_in_the_table_is_named(character: str) -> None:
    with pytest.raises(KeyError) as raised:
        from_printable(f"low{character}er")
    assert raised.value.args == (character,)
