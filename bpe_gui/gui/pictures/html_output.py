"""Write text in the colours of its tokens as HTML, for pasting into documents and messages."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import regex
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QColor

from bpe_gui.engine import Int32Array
from bpe_gui.gui.system.exact_text import mime_of
from bpe_gui.gui.views.editor.line_index import LineIndex
from bpe_gui.gui.views.editor.segment_text import SegmentText
from bpe_gui.gui.views.tokens import LiveTokens, Tokens
from bpe_gui.gui.wording.phrases import listed, translate

from .text_picture import Passage, PictureLook, Span

MAX_HTML_BYTES: Final = 200_000
"""The most bytes of text to convert: each token takes a hundred bytes of HTML, which other programs have to handle."""

_CLUSTER: Final = regex.compile(r"\X")
_BATCH_SIZE: Final = 1 << 14  # bytes whose tokens are requested at a time
_TINT: Final = 0.2  # opacity of the background of special tokens
_LINE_END_PADDING: Final = "padding-right:.6em"
_EMPTY_PADDING: Final = "padding-right:.25em"


@dataclass(slots=True)
class _Group:
    """The bytes [start, stop) of a segment, made of whole grapheme clusters, and the tokens that overlap them."""

    start: int
    stop: int
    tokens: list[int]


def html_of(source: LiveTokens, start: int, stop: int, look: PictureLook) -> str:
    """Return the bytes [start, stop) of the text, in its tokens' colours, as an HTML fragment with inline styles.

    The fragment contains the same text, but with `\\n` for every line break and escapes for invisible characters.
    """
    passage = Passage(source, (start, stop))
    style = (
        f"margin:0;padding:8px;background-color:{look.paper.name()};color:{look.palette.text.name()};"
        f"font-family:'{escape(look.family)}',monospace;font-size:{look.font.pointSizeF():g}pt;line-height:1.6;"
        "white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4;unicode-bidi:plaintext"
    )
    parts = [f'<pre style="{style}">']
    writer = _Writer(look)
    for segment, tokens, colors in _segments(passage, look):
        parts += writer.spans(SegmentText(segment), tokens, colors)
    parts.append("</pre>")
    return "".join(parts)


def html_mime(source: LiveTokens, span: Span, look: PictureLook) -> QMimeData:
    """Return part of the text for the clipboard, as HTML and as plain text."""
    data = mime_of(source.text.read(*span))
    data.setHtml('<meta charset="utf-8">' + html_of(source, *span, look))
    return data


def _segments(passage: Passage, look: PictureLook) -> Iterator[tuple[bytes, Tokens, Int32Array]]:
    """Yield the text's segments, each with its tokens, whose offsets are relative to the segment, and their colours."""
    index = LineIndex(passage.text.read, len(passage.text))
    segment = 0
    while segment < len(index):
        begin = index.span(segment)[0]
        last = max(segment, index.segment_of(begin + _BATCH_SIZE) - 1)
        tokens, colors = passage.colored(begin, index.span(last)[1], look.palette.hues, look.color_mode)
        for number in range(segment, last + 1):
            start, stop = index.span(number)
            own = tokens.overlapping(start, stop)
            own_tokens = tokens.slice(own.start, own.stop, shift=-start)
            yield passage.text.read(start, stop), own_tokens, colors[own.start : own.stop]
        segment = last + 1


class _Writer:
    """Writes segments as coloured spans."""

    def __init__(self, look: PictureLook) -> None:
        palette = look.palette
        self._paper = f"background-color:{look.paper.name()}"  # again, because some programs drop that of <pre>
        self._colors = [color.name() for color in palette.shades]
        self._special = palette.special.name()
        self._special_style = (
            f"background-color:{_mixed(palette.special, look.paper).name()};border:1px solid {self._special}"
        )
        self._warning = palette.warning.name()
        self._quiet = palette.quiet.name()

    def spans(self, text: SegmentText, tokens: Tokens, colors: Int32Array) -> Iterator[str]:
        """Yield a span for each token, each group of tokens that share a character, and text without a token."""
        escapes = [text.offset(start) for start, _stop in text.escapes]
        for group in _groups(text, tokens):
            body_stop = min(group.stop, text.body_size)
            has_line_end = group.stop > text.body_size
            style = self._style(group, tokens, colors)
            if has_line_end and group.tokens:
                style.append(_LINE_END_PADDING)
            elif group.start == group.stop:
                style.append(_EMPTY_PADDING)
            content = self._content(text.utf8[group.start : body_stop], group.start, escapes)
            title = _title(group, tokens)
            attributes = f' style="{";".join(style)}"' if style else ""
            attributes += f' title="{escape(title)}"' if title else ""
            yield f"<span{attributes}>{content}</span>"
            if has_line_end:
                yield "\n"

    def _style(self, group: _Group, tokens: Tokens, colors: Int32Array) -> list[str]:
        if not group.tokens:
            return [self._paper]
        if len(group.tokens) > 1:
            stops = self._gradient_stops(group, tokens, colors)
            return [
                f"background-color:{stops[0].split()[0]}",
                f"background-image:linear-gradient(90deg,{','.join(stops)})",
            ]
        token = group.tokens[0]
        if tokens.special[token]:
            return [self._special_style]
        if tokens.unknown[token]:
            return [self._paper, f"border:1px dotted {self._warning}"]
        return [f"background-color:{self._colors[colors[token]]}", "border-radius:3px"]

    def _gradient_stops(self, group: _Group, tokens: Tokens, colors: Int32Array) -> list[str]:
        """Return colour stops for bands as wide as each token's share of the bytes, with a minimum width."""
        sizes = [
            max(0, min(group.stop, int(tokens.stops[token])) - max(group.start, int(tokens.starts[token])))
            for token in group.tokens
        ]
        shares = [max(size, 0.25) for size in sizes]
        stops, done = [], 0.0
        for token, share in zip(group.tokens, shares, strict=True):
            color, begin = self._plain_color(token, tokens, colors), done
            done += share / sum(shares) * 100
            stops += [f"{color} {begin:.4g}%", f"{color} {done:.4g}%"]
        return stops

    def _plain_color(self, token: int, tokens: Tokens, colors: Int32Array) -> str:
        if tokens.special[token]:
            return self._special
        return self._warning if tokens.unknown[token] else self._colors[colors[token]]

    def _content(self, utf8: bytes, start: int, escapes: list[int]) -> str:
        """Return text from the offset `start` as HTML, with escapes for the characters at the offsets `escapes`."""
        first, last = bisect_left(escapes, start), bisect_left(escapes, start + len(utf8))
        if first == last:
            return escape(utf8.decode(), quote=False)
        hidden = {escapes[index] - start for index in range(first, last)}
        parts, offset = [], 0
        for character in utf8.decode():
            if offset in hidden:
                escaped = character.encode("unicode_escape").decode()
                parts.append(f'<span style="color:{self._quiet}">{escaped}</span>')
            else:
                parts.append(escape(character, quote=False))
            offset += len(character.encode())
        return "".join(parts)


def _groups(text: SegmentText, tokens: Tokens) -> list[_Group]:
    """Return the groups of a whole segment in order; tokens that share a grapheme cluster share a group."""
    boundaries = _cluster_boundaries(text.utf8)
    size = len(text.utf8)
    groups: list[_Group] = []
    done = 0
    for token, (start, stop) in enumerate(zip(tokens.starts.tolist(), tokens.stops.tolist(), strict=True)):
        start, stop = max(start, 0), min(stop, size)
        if start < done:  # inside a cluster that belongs to the last group
            groups[-1].tokens.append(token)
            start = done
            if stop <= done:
                continue
        floor = boundaries[bisect_right(boundaries, start) - 1]
        if done < floor:
            groups.append(_Group(done, floor, []))
        whole = boundaries[bisect_right(boundaries, stop) - 1]
        if floor < whole or start == stop:
            groups.append(_Group(floor, whole, [token]))
        done = whole
        if whole < stop:
            done = boundaries[bisect_right(boundaries, whole)]
            groups.append(_Group(whole, done, [token]))
    if done < size:
        groups.append(_Group(done, size, []))
    return groups


def _cluster_boundaries(utf8: bytes) -> Sequence[int]:
    """Return the offsets where grapheme clusters begin, and the size."""
    if utf8.isascii() and not utf8.endswith(b"\r\n"):
        return range(len(utf8) + 1)
    boundaries, offset = [0], 0
    for match in _CLUSTER.finditer(utf8.decode()):
        offset += len(match.group().encode())
        boundaries.append(offset)
    return boundaries


def _title(group: _Group, tokens: Tokens) -> str:
    ids = [int(tokens.ids[token]) for token in group.tokens]
    if not ids:
        return ""
    if len(ids) == 1:
        return translate("Pictures", "id {id}").format(id=ids[0])
    return translate("Pictures", "ids {ids}").format(ids=listed(map(str, ids)))


def _mixed(color: QColor, paper: QColor) -> QColor:
    channels = zip(color.getRgb()[:3], paper.getRgb()[:3], strict=True)  # type: ignore[index]
    return QColor(*(round(over * _TINT + under * (1 - _TINT)) for over, under in channels))
