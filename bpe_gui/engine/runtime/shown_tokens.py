"""Tokens in a notebook or a terminal: the text in which each token has a colour, and facts as a table."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from .printable import visible

_HUES: Final = ((107, 140, 255), (64, 192, 140), (240, 150, 60), (220, 110, 190), (90, 190, 220), (200, 180, 40))
"""Colours in red, green and blue. Neighbours have different ones, which are translucent, for light and dark pages."""

_TERMINAL_COLORS: Final = (153, 158, 222, 218, 159, 186)
"""The numbers of such colours among the 256 of a terminal, on which black is easy to read."""

_MOST_SHOWN: Final = 10_000
"""How many tokens a notebook shows."""

_BOUNDARY: Final = "|"

_CONTROLS: Final = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200f\u202a-\u202e]")
"""The characters that a page would not show, or that would reorder what it shows."""

_ISOLATES: Final = re.compile("[\u200e\u2066-\u2069]")
"""Those that reorder as well, and that the engine's own sentences put around tokens."""

Spans = Sequence[tuple[int, int]]
"""The bytes that tokens cover in a text."""


def _pieces(text: bytes, spans: Spans) -> Iterator[tuple[str, int | None]]:
    """Yield the text of each token with its number, and text between them; a part of a character in hexadecimal."""
    at = 0
    for number, (start, stop) in enumerate(spans):
        if start > at:
            yield text[at:start].decode(errors="replace"), None
        try:
            yield text[start:stop].decode(), number
        except UnicodeDecodeError:
            yield visible(text[start:stop]), number
        at = max(at, stop)
    if at < len(text):
        yield text[at:].decode(errors="replace"), None


def _in_html(text: str) -> str:
    """Return a text as HTML, with an escape for each control character."""
    from html import escape  # its table of entities takes a while

    return escape(_CONTROLS.sub(lambda control: visible(control[0].encode()), text))


def tokens_in_html(text: str, spans: Spans, ids: Sequence[int], marked: Spans = ()) -> str:
    """Return a text with a colour behind each token, whose id is shown under the mouse.

    What is in a `marked` span, of bytes in order like `spans`, is underlined.

    >>> tokens_in_html("a<", [(0, 1)], [7]).count("title='7'")
    1
    """
    data, shown = text.encode(errors="replace"), spans[:_MOST_SHOWN]
    firsts = [start for start, _stop in marked]
    parts = []
    for piece, number in _pieces(data[: shown[-1][1]] if len(spans) > _MOST_SHOWN else data, shown):
        words = _in_html(_ISOLATES.sub(lambda isolate: visible(isolate[0].encode()), piece)).replace("\n", "↵\n")
        if number is None:
            parts.append(words)
        else:
            red, green, blue = _HUES[number % len(_HUES)]
            style = f"background:rgba({red},{green},{blue},.4);border-radius:3px"
            mark = bisect_right(firsts, spans[number][0]) - 1
            if mark >= 0 and spans[number][0] < marked[mark][1]:
                style += ";border-bottom:2px solid"
            parts.append(f"<span style='{style}' title='{ids[number]}'>{words}</span>")
    more = f"\n… {len(spans) - _MOST_SHOWN:,} more tokens" if len(spans) > _MOST_SHOWN else ""
    return (
        f"<pre style='white-space:pre-wrap;line-height:1.7'>{''.join(parts)}{more}</pre><div>{len(ids):,} tokens</div>"
    )


def tokens_in_terminal(text: str, spans: Spans, *, has_color: bool) -> str:
    """Return a text with a colour behind each token or, without colours, a sign between two.

    >>> tokens_in_terminal("low er", [(0, 3), (3, 6)], has_color=False)
    'low| er'
    """
    parts: list[str] = []
    is_token = False  # whether a token is right before
    for piece, number in _pieces(text.encode(errors="replace"), spans):
        if number is None:
            parts.append(piece)
        elif has_color:
            begin = f"\x1b[30;48;5;{_TERMINAL_COLORS[number % len(_TERMINAL_COLORS)]}m"
            parts.append(begin + piece.replace("\n", f"↵\x1b[0m\n{begin}") + "\x1b[0m")
        else:
            parts.append(_BOUNDARY * is_token + piece)
        is_token = number is not None
    return "".join(parts)


def table_in_html(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as a table; the first cell of each is its heading.

    >>> table_in_html([("merges", 3)])
    "<table><tr><th style='text-align:left'>merges</th><td>3</td></tr></table>"
    """
    lines = (
        f"<tr><th style='text-align:left'>{_in_html(str(first))}</th>"
        + "".join(f"<td>{_in_html(str(cell))}</td>" for cell in cells)
        + "</tr>"
        for first, *cells in rows
    )
    return f"<table>{''.join(lines)}</table>"
