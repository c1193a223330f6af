"""The label that says why a pair is merged next."""

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.views.reason_label import ReasonLabel
from bpe_gui.gui.wording.run_texts import NextMerge

LONG = "今天天气很好".encode()


@pytest.fixture
def label(qtbot: QtBot) -> ReasonLabel:
    theme = Theme("light")
    made = ReasonLabel("reason", theme.token_palette())
    qtbot.addWidget(made)
    made.set_look(theme.token_font(), theme.token_palette())
    return made


def test_the_title_leaves_space_for_the_tokens(label: ReasonLabel) -> None:
    merge = NextMerge((b"a", b"b", b"ab"), False, ["Size reached; next would be", "Next would be"], "4×", "", None, "")
    assert label._fitting_title(merge, 2_000.0) == "Size reached; next would be  "
    assert label._fitting_title(merge, 200.0) == "Next would be  "


def test_the_other_pair_takes_the_width_that_the_words_leave(label: ReasonLabel) -> None:
    merge = NextMerge((b"a", b"b", b"ab"), False, ["Next"], "4×", "tie: ", (LONG, LONG), " waits")
    label.show_merge("", merge)
    label.resize(2_000, 60)
    _before, whole, _after = label._fitting_phrase(merge, 2_000.0)
    label.resize(round(1.6 * whole), 60)
    assert label._fitting_phrase(merge, 1.6 * whole)[1] == whole > label.width() / 2
    assert label._fitting_phrase(merge, whole)[1] < whole
