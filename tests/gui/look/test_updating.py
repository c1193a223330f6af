"""The flag `Updating`: set inside its `with` blocks, and only there."""

import pytest

from bpe_gui.gui.look.lifetime import Updating


def test_the_flag_is_set_inside_nested_blocks() -> None:
    updating = Updating()
    assert not updating
    with updating:
        with updating:
            assert updating
        assert updating
    assert not updating


def test_an_error_clears_the_flag() -> None:
    updating = Updating()
    with pytest.raises(ValueError, match="stop"), updating:
        raise ValueError("stop")
    assert not updating
