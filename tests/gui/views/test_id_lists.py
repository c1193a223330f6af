"""Lists of ids: every format can be parsed again, and a mistake is named with its position."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import EngineError
from bpe_gui.gui.views.id_lists import IdStyle, format_ids, parse_ids

IDS = st.lists(st.integers(0, 200_000), max_size=60)


@pytest.mark.parametrize("style", [IdStyle.LIST, IdStyle.JSON, IdStyle.PYTHON, IdStyle.NUMPY])
@given(ids=IDS)
def test_formatted_ids_can_be_parsed(style: IdStyle, ids: list[int]) -> None:
    assert parse_ids(format_ids(ids, style)) == ids
    assert format_ids(np.array(ids, np.int32), style) == format_ids(ids, style)


@given(IDS)
def test_json_and_code_are_valid(ids: list[int]) -> None:
    assert json.loads(format_ids(ids, IdStyle.JSON)) == ids
    names: dict[str, object] = {"np": np}
    exec(format_ids(ids, IdStyle.PYTHON), names)
    assert names["ids"] == ids
    array = eval(format_ids(ids, IdStyle.NUMPY), names)
    assert array.dtype == np.int32
    assert array.tolist() == ids


def test_short_lists_take_one_line_and_long_code_is_wrapped() -> None:
    assert format_ids([1, 2, 3], IdStyle.LIST) == "[1, 2, 3]"
    assert format_ids([1, 2, 3], IdStyle.JSON) == "[1,2,3]"
    assert format_ids([1, 2, 3], IdStyle.PYTHON) == "ids = [1, 2, 3]"
    assert format_ids([1, 2, 3], IdStyle.NUMPY) == "np.array([1, 2, 3], dtype=np.int32)"
    lines = format_ids(range(50_000, 50_100), IdStyle.NUMPY).splitlines()
    assert (lines[0], lines[-1]) == ("np.array([", "], dtype=np.int32)")
    assert len(lines) > 3
    assert 80 < max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3",
        "1,2,3",
        "1\n2\r\n3\n",
        "(1, 2, 3)",
        "[1, 2, 3,]",
        "x = [\n  1, 2,\n  3,\n]",
        "array([1, 2, 3])",
        "array([1, 2, 3], dtype='<i4')",
        "tensor([1, 2, 3], device='cuda:0', dtype=torch.int32)",
        "input_ids = torch.tensor([[1, 2, 3]])",
    ],
)
def test_common_forms_of_lists_are_parsed(text: str) -> None:
    assert parse_ids(text) == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "wrong", "position"),
    [
        ("1, 2, 12a", "12a", 3),
        ("[1, -2]", "-2", 2),
        ("[1, 2.5]", "2.5", 2),
        ("0x10", "0x10", 1),
        ("1_000", "1_000", 1),
        ("[1, 2] and 3", "and", 3),
        ("x 1", "x", 1),
        ("٣", "٣", 1),
        ("[1, ..., 3]", "...", 2),
    ],
)
def test_an_invalid_id_is_named_with_its_position(text: str, wrong: str, position: int) -> None:
    with pytest.raises(EngineError) as caught:
        parse_ids(text)
    assert str(caught.value) == f"“{wrong}” at position {position} is not an id."


def test_only_the_beginning_of_a_very_long_number_is_quoted() -> None:
    with pytest.raises(EngineError) as caught:
        parse_ids("1 " + "9" * 100_000)
    assert len(str(caught.value)) < 100
