"""The grapheme cluster boundaries of a text."""

from collections.abc import Iterator

from bpe_gui.gui.views.editor.text_rows import TextRows


def boundaries(rows: TextRows) -> Iterator[int]:
    """Yield the offset of every grapheme cluster boundary, from the start to the end of the text."""
    offset = 0
    yield offset
    while offset < rows.text_end():
        offset = rows.next_character(offset)
        yield offset
