"""The dialog of a lineage's picture: steps, counts and products as the tokenizer has them, and its files."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Tokenizer, train
from bpe_gui.gui.dialogs.picture_dialogs import LineagePictureDialog
from bpe_gui.gui.look.theme import Theme
from tests.gui.support.widgets import child

TOKENIZER = train("low lower lowest slow " * 3 + "lows", recipe="cs336", num_merges=8)


def opened(qtbot: QtBot, tokenizer: Tokenizer, token: bytes) -> LineagePictureDialog:
    token_id = next(token_id for token_id, found in tokenizer.vocab.items() if found == token)
    dialog = LineagePictureDialog(Theme("light"), tokenizer, token_id)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def save(dialog: LineagePictureDialog, kind: str, folder: Path) -> bytes:
    box = child(dialog, QComboBox, "pictureKind")
    box.setCurrentIndex(["PNG", "SVG", "PDF"].index(kind))
    dialog.save(folder / "tree")
    return (folder / "tree").read_bytes()


@pytest.mark.parametrize(("kind", "magic"), [("PNG", b"\x89PNG"), ("SVG", b"<?xml"), ("PDF", b"%PDF-")])
def test_each_format_is_written(qtbot: QtBot, tmp_path: Path, kind: str, magic: bytes) -> None:
    assert save(opened(qtbot, TOKENIZER, b"low"), kind, tmp_path).startswith(magic)


def test_the_labels_are_those_of_the_merges(qtbot: QtBot, tmp_path: Path) -> None:
    svg = save(opened(qtbot, TOKENIZER, b"low"), "SVG", tmp_path).decode()
    counts = TOKENIZER.merge_counts
    assert counts is not None
    for rank, (left, right) in enumerate(TOKENIZER.merges):
        is_part, is_product = left + right in (b"lo", b"ow", b"low"), b"low" in (left, right)
        label = f"step {rank + 1} · ×{counts[rank]}<"
        assert (label in svg) == ((is_part and left + right in _tree()) or is_product)


def _tree() -> set[bytes]:
    """Return the tokens in the tree of `low`, by the merges."""
    made = {left + right: (left, right) for left, right in TOKENIZER.merges}
    found, stack = set(), [b"low"]
    while stack:
        token = stack.pop()
        found.add(token)
        stack += made.get(token, ())
    return found


def test_an_opened_tokenizer_without_counts(qtbot: QtBot, tmp_path: Path) -> None:
    tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
    assert b"step 1<" in save(opened(qtbot, tokenizer, b"lo"), "SVG", tmp_path)


def test_products_beyond_those_drawn_are_counted(qtbot: QtBot, tmp_path: Path) -> None:
    letters = [bytes([code]) for code in range(ord("a"), ord("a") + 11)]
    merges = [(b"a", letter) for letter in letters[1:]]
    vocab = dict(enumerate([*letters, *(left + right for left, right in merges)]))
    svg = save(opened(qtbot, Tokenizer(vocab, merges, recipe="cs336-toy"), b"a"), "SVG", tmp_path)
    assert b"and 4 more<" in svg
