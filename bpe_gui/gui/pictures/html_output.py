"""Text with the colours of its tokens as HTML, which keeps them in documents and messages."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import regex
from PySide6.QtCore import QCoreApplication, QMimeData
from PySide6.QtGui import QColor

from bpe_gui.gui.system.exact_text import mime_of
from bpe_gui.gui.views.editor.layout.line_index import LineIndex
from bpe_gui.gui.views.editor.layout.segment_text import SegmentText
from bpe_gui.gui.views.tokens import IntArray, LiveTokens, Tokens

from bpe_gui.gui.pictures.text_picture import Excerpt, Look, Span

translate = QCoreApplication.translate  # lupdate knows the function by this name

LONGEST_HTML: Final = 200_000
"""Bytes of text of which HTML is made: each token takes a hundred bytes, and other programs must cope with it."""

_CLUSTER: Final = regex.compile(r"\X")
_STRIP: Final = 1 << 14  # bytes whose tokens are asked for together
_TINT: Final = 0.2  # of the colour of special tokens in their background
_LINE_END_ROOM: Final = "padding-right:.6em"
_EMPTY_ROOM: Final = "padding-right:.25em"


@dataclass(slots=True)
class _Group:
    """Whole characters [start, stop) of a segment, and the tokens that have a part of them: several share them."""

    start: int
    stop: int
    tokens: list[int]


def html_of(source: LiveTokens, start: int, stop: int, look: Look) -> str:
    """The bytes [start, stop) of a text, with the tokens' colours, as a fragment of HTML that needs no style sheet.

    Its text is that text, with `\\n` for every line break; what could not be seen is spelled out, as on screen.
    """
    excerpt = Excerpt(source, (start, stop))
    parts = [f'<pre style="{_paper(look)}">']
    writer = _Writer(look)
    for segment, tokens, colors in _segments(excerpt, look):
        parts += writer.spans(SegmentText(segment), tokens, colors)
    parts.append("</pre>")
    return "".join(parts)


def html_mime(source: LiveTokens, span: Span, look: Look) -> QMimeData:
    """A part of a text for the clipboard, as HTML and as plain text."""
    data = mime_of(source.text.read(*span))
    data.setHtml('<meta charset="utf-8">' + html_of(source, *span, look))
    return data


def _paper(look: Look) -> str:
    return (
        f"margin:0;padding:8px;background-color:{look.paper.name()};color:{look.palette.text.name()};"
        f"font-family:'{escape(look.family)}',monospace;font-size:{look.font.pointSizeF():g}pt;line-height:1.6;"
        "white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4;unicode-bidi:plaintext"
    )


def _segments(excerpt: Excerpt, look: Look) -> Iterator[tuple[bytes, Tokens, IntArray]]:
    """The lines, or parts of long ones, with their tokens and the colours of these. Places count from the line."""
    index = LineIndex(excerpt.text.read, len(excerpt.text))
    segment = 0
    while segment < len(index):
        begin = index.span(segment)[0]
        last = max(segment, index.segment_of(begin + _STRIP) - 1)
        tokens, colors = excerpt.colored(begin, index.span(last)[1], len(look.palette.backgrounds), look.color_mode)
        for number in range(segment, last + 1):
            start, stop = index.span(number)
            ours = tokens.overlapping(start, stop)
            yield (
                excerpt.text.read(start, stop),
                tokens.part(ours.start, ours.stop, -start),
                colors[ours.start : ours.stop],
            )
        segment = last + 1


class _Writer:
    """Writes segments as spans in one look."""

    def __init__(self, look: Look) -> None:
        palette = look.palette
        self._paper = f"background-color:{look.paper.name()}"  # again: not every program keeps that of the paragraph
        self._colors = [color.name() for color in palette.backgrounds]
        self._special = palette.special.name()
        self._special_style = (
            f"background-color:{_mixed(palette.special, look.paper).name()};border:1px solid {self._special}"
        )
        self._warning = palette.warning.name()
        self._quiet = palette.quiet.name()

    def spans(self, text: SegmentText, tokens: Tokens, colors: IntArray) -> Iterator[str]:
        """A span for each token, one for those that share a character, and one for what no token has."""
        escapes = [text.byte(start) for start, _stop in text.escapes]
        for group in _groups(text, tokens):
            body = min(group.stop, text.body_size)
            has_line_end = group.stop > text.body_size
            style = self._style(group, tokens, colors)
            if has_line_end and group.tokens:
                style.append(_LINE_END_ROOM)
            elif group.start == group.stop:
                style.append(_EMPTY_ROOM)
            words = self._words(text.utf8[group.start : body], group.start, escapes)
            yield f"<span{_attributes(style, _title(group, tokens))}>{words}</span>"
            if has_line_end:
                yield "\n"

    def _style(self, group: _Group, tokens: Tokens, colors: IntArray) -> list[str]:
        if not group.tokens:
            return [self._paper]
        if len(group.tokens) > 1:
            stops = self._stops(group, tokens, colors)
            return [
                f"background-color:{stops[0].split()[0]}",
                f"background-image:linear-gradient(90deg,{','.join(stops)})",
            ]
        index = group.tokens[0]
        if tokens.special[index]:
            return [self._special_style]
        if tokens.unknown[index]:
            return [self._paper, f"border:1px dotted {self._warning}"]
        return [f"background-color:{self._colors[colors[index]]}", "border-radius:3px"]

    def _stops(self, group: _Group, tokens: Tokens, colors: IntArray) -> list[str]:
        """Bands, each as broad as the share that a token has of the bytes, at least a little."""
        sizes = [
            max(0, min(group.stop, int(tokens.stops[index])) - max(group.start, int(tokens.starts[index])))
            for index in group.tokens
        ]
        shares = [max(size, 0.25) for size in sizes]
        found, done = [], 0.0
        for index, share in zip(group.tokens, shares, strict=True):
            color, begin = self._plain_color(index, tokens, colors), done
            done += share / sum(shares) * 100
            found += [f"{color} {begin:.4g}%", f"{color} {done:.4g}%"]
        return found

    def _plain_color(self, index: int, tokens: Tokens, colors: IntArray) -> str:
        if tokens.special[index]:
            return self._special
        return self._warning if tokens.unknown[index] else self._colors[colors[index]]

    def _words(self, utf8: bytes, start: int, escapes: list[int]) -> str:
        """The text, with what could not be seen spelled out; `escapes` says where in the segment that is."""
        first, last = bisect_left(escapes, start), bisect_left(escapes, start + len(utf8))
        if first == last:
            return escape(utf8.decode(), quote=False)
        hidden = {escapes[at] - start for at in range(first, last)}
        found, at = [], 0
        for character in utf8.decode():
            if at in hidden:
                spelled = character.encode("unicode_escape").decode()
                found.append(f'<span style="color:{self._quiet}">{spelled}</span>')
            else:
                found.append(escape(character, quote=False))
            at += len(character.encode())
        return "".join(found)


def _groups(text: SegmentText, tokens: Tokens) -> list[_Group]:
    """All of the segment in order: tokens share a group where they share a character."""
    edges = _boundaries(text.utf8)
    size = len(text.utf8)
    found: list[_Group] = []
    done = 0
    for index, (start, stop) in enumerate(zip(tokens.starts.tolist(), tokens.stops.tolist(), strict=True)):
        start, stop = max(start, 0), min(stop, size)
        if start < done:  # in a character of which the tokens before have a part
            found[-1].tokens.append(index)
            start = done
            if stop <= done:
                continue
        floor = edges[bisect_right(edges, start) - 1]
        if done < floor:
            found.append(_Group(done, floor, []))
        whole = edges[bisect_right(edges, stop) - 1]
        if floor < whole or start == stop:
            found.append(_Group(floor, whole, [index]))
        done = whole
        if whole < stop:
            done = edges[bisect_right(edges, whole)]
            found.append(_Group(whole, done, [index]))
    if done < size:
        found.append(_Group(done, size, []))
    return found


def _boundaries(utf8: bytes) -> Sequence[int]:
    """Where grapheme clusters begin, and the end."""
    if utf8.isascii() and not utf8.endswith(b"\r\n"):
        return range(len(utf8) + 1)
    found, at = [0], 0
    for match in _CLUSTER.finditer(utf8.decode()):
        at += len(match.group().encode())
        found.append(at)
    return found


def _title(group: _Group, tokens: Tokens) -> str:
    ids = [int(tokens.ids[index]) for index in group.tokens]
    if not ids:
        return ""
    if len(ids) == 1:
        return translate("Pictures", "id {id}").format(id=ids[0])
    return translate("Pictures", "ids {ids}").format(ids=", ".join(map(str, ids)))


def _attributes(style: list[str], title: str) -> str:
    return (f' style="{";".join(style)}"' if style else "") + (f' title="{escape(title)}"' if title else "")


def _mixed(color: QColor, paper: QColor) -> QColor:
    """The colour as it looks when it is laid thinly on paper."""
    parts = zip(color.getRgb()[:3], paper.getRgb()[:3], strict=True)  # type: ignore[index]
    return QColor(*(round(over * _TINT + under * (1 - _TINT)) for over, under in parts))
