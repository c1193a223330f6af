"""The dialog that decodes ids as they are typed or pasted, and shows their text and any mistakes."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, islice
from typing import Final

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from bpe_gui.engine import EngineError, Progress, Tokenizer, isolated, visible
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.look.overlays import Dimmer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import SentenceLabel, label_of, name_widget, push_button
from bpe_gui.gui.views.id_lists import NotIdsError, parse_ids
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.wording.phrases import counted, listed, number
from bpe_gui.gui.wording.sentences import error_message

_CHARACTERS_PER_REPORT: Final = 1 << 14  # characters encoded between progress reports
_UNDECODED: Final = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True, slots=True)
class BrokenBytes:
    """Bytes that are not valid UTF-8, with the indices of the first and last id they come from."""

    first: int
    last: int
    data: bytes


@dataclass(frozen=True, slots=True)
class DecodedIds:
    """Ids, the text they decode to, and the mistakes in them.

    In `text`, an id that does not exist appears as `⟨9999⟩`, and bytes that are not valid UTF-8 as `�`. `size` is the
    size of the text in bytes; `missing` has the indices of the ids that do not exist.
    """

    ids: list[int]
    text: str
    size: int
    missing: list[int]
    broken: list[BrokenBytes]

    @property
    def is_valid(self) -> bool:
        """Whether all ids exist and their bytes are valid UTF-8."""
        return not self.missing and not self.broken


def decode_ids(ids: list[int], tokenizer: Tokenizer) -> DecodedIds:
    """Decode `ids`, and find those that do not exist and the bytes that are not valid UTF-8."""
    vocab = tokenizer.vocab
    has_own_bytes = tokenizer.pipeline is None or tokenizer.joins_bytes
    parts = (_parts_by_id if has_own_bytes else _parts_by_run)(ids, tokenizer)
    data = b"".join(parts)
    return DecodedIds(
        ids,
        data.decode("utf-8", "replace"),
        len(data),
        [index for index, token_id in enumerate(ids) if token_id not in vocab],
        _broken_bytes(data, parts),
    )


def _parts_by_id(ids: list[int], tokenizer: Tokenizer) -> list[bytes]:
    """Return the bytes that each id decodes to."""
    data_of_id = {token_id: _bytes_inside(token_id, tokenizer) for token_id in set(ids)}
    parts = [data_of_id[token_id] for token_id in ids]
    if ids and ids[-1] in tokenizer.vocab:
        parts[-1] = tokenizer.decode_bytes(ids[-1:])  # without the space that would follow it within text
    return parts


def _parts_by_run(ids: list[int], tokenizer: Tokenizer) -> list[bytes]:
    """Return the text of each run of existing ids, for a tokenizer that decodes several together: always UTF-8."""
    runs = groupby(ids, tokenizer.vocab.__contains__)
    return [tokenizer.decode_bytes(list(run)) if exist else b"".join(map(_missing, run)) for exist, run in runs]


def _missing(token_id: int) -> bytes:
    return f"⟨{token_id}⟩".encode()


def _bytes_inside(token_id: int, tokenizer: Tokenizer) -> bytes:
    """Return the bytes that an id decodes to when another id follows; `⟨9999⟩` if the id does not exist."""
    if token_id not in tokenizer.vocab:
        return _missing(token_id)
    # Decode the id twice: the first one is followed by another id, the second one is the last.
    return tokenizer.decode_bytes([token_id, token_id]).removesuffix(tokenizer.decode_bytes([token_id]))


def _broken_bytes(data: bytes, parts: list[bytes]) -> list[BrokenBytes]:
    found: list[BrokenBytes] = []
    stops = list(accumulate(map(len, parts)))
    text = data.decode("utf-8", "surrogateescape")
    character = byte = 0
    for match in _UNDECODED.finditer(text):
        start = byte + len(text[character : match.start()].encode())
        character, byte = match.end(), start + len(match[0])
        found.append(BrokenBytes(bisect_right(stops, start), bisect_right(stops, byte - 1), data[start:byte]))
    return found


@dataclass(frozen=True, slots=True)
class IdDifference:
    """The first index where the given ids differ from those that encoding their text gives.

    `given` and `encoded` are the ids from that index up to the next offset where a token ends in both.
    """

    index: int
    given: list[int]
    encoded: list[int]


def first_difference(decoded: DecodedIds, tokenizer: Tokenizer, progress: Progress) -> IdDifference | None:
    """Encode the text of valid ids, and return the first difference from these ids; None if there is none.

    Raise EngineError if the text cannot be encoded.
    """
    given = decoded.ids
    encoded = list(tokenizer.encode_iterable(_pieces(decoded.text, progress)))
    if given == encoded:
        return None
    common = min(len(given), len(encoded))
    index = next((i for i in range(common) if given[i] != encoded[i]), common)
    ends = [index, index]  # of the differing ids, given and encoded
    sizes = [0, 0]  # the bytes covered by each
    while ends == [index, index] or sizes[0] != sizes[1]:
        side = int(sizes[1] < sizes[0])  # the side that covers fewer bytes takes another token
        ids = (given, encoded)[side]
        if ends[side] == len(ids):
            ends = [len(given), len(encoded)]
            break
        sizes[side] += len(tokenizer.token(ids[ends[side]]))
        ends[side] += 1
    return IdDifference(index, given[index : ends[0]], encoded[index : ends[1]])


def _pieces(text: str, progress: Progress) -> Iterator[str]:
    """Yield `text` in pieces, and before each, report how many characters were yielded, and the total."""
    for start in range(0, len(text), _CHARACTERS_PER_REPORT):
        progress(start, len(text))
        yield text[start : start + _CHARACTERS_PER_REPORT]


_DECODE_DELAY: Final = 150  # milliseconds after the last key
_MAX_CHARACTERS: Final = 20_000  # of the text to show; Qt is slow with more on one line
_LISTED_MISTAKES: Final = 3  # the most mistakes to list of each kind
_LISTED_ITEMS: Final = 8  # the most ids, or bytes, to list of each mistake
_SIZE: Final = (640, 520)  # pixels
_REPORT_LINES: Final = 5  # lines of text that fit in the report
_LONG_PASTE: Final = 20_000  # the most characters to paste without breaking them into lines
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LINE: Final = re.compile(r".{1000,2000}?[,\s]|.{2000}")  # up to a separator, or split anywhere if there is none


class DecodeDialog(QDialog):
    """Shows the text of ids, any mistakes in them, and whether encoding the text gives the same ids again."""

    text_chosen = Signal(str)
    """The user wants to encode this text, decoded from the ids."""

    def __init__(self, tokenizer: Tokenizer, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("decodeDialog")
        self.setWindowTitle(self.tr("Decode ids"))
        self._tokenizer = tokenizer
        self._decoded: DecodedIds | None = None
        self._runner = JobRunner(self, self._decode, _DECODE_DELAY)
        self._make_widgets(theme.token_font())
        self._lay_out()
        self._input.textChanged.connect(self._schedule)
        self.finished.connect(self._runner.abandon)
        self._show_report([], "quiet")
        self._schedule()

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_widgets(self, font: QFont) -> None:
        self._input = name_widget(_IdsEdit(), "decodeInput", self.tr("Ids to decode"))
        self._input.setPlaceholderText(self.tr("Paste ids: 1 2 3, [1, 2, 3], or a list from Python, NumPy or PyTorch"))
        self._result = name_widget(PlainTextEdit(), "decodeResult", self.tr("Decoded text"))
        self._result.setReadOnly(True)
        self._summary = SentenceLabel(name="decodeSummary", role="quiet", lines=1)
        self._report = SentenceLabel(name="decodeReport", lines=_REPORT_LINES)
        self._report.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._use_button = push_button("decodeUseButton", self.tr("Use as text"), self._use_text)
        self._copy_button = push_button("decodeCopyButton", self.tr("Copy text"), self._copy_text)
        self._close_button = push_button("decodeCloseButton", self.tr("Close"), self.reject)
        for editor in (self._input, self._result):
            editor.setFont(font)

    def _lay_out(self) -> None:
        dialog_column(
            self,
            label_of(self._input, self.tr("&Ids"), "title"),
            (self._input, 2),
            label_of(self._result, self.tr("&Text"), "title"),
            (self._result, 3),
            self._summary,
            self._report,
            dialog_buttons(self._copy_button, accept=self._use_button, reject=self._close_button),
        )
        self._dimmers = [Dimmer(part) for part in (self._result, self._summary, self._report)]
        self.resize(*_SIZE)

    # -- decoding ---------------------------------------------------------------------------------------------------

    def _schedule(self) -> None:
        """Decode after a short delay. The old text stays until the new one is ready, but cannot be used or copied."""
        self._runner.start_soon()
        self._set_decoded(None)
        self._dim(True)

    def _dim(self, is_outdated: bool) -> None:
        for dimmer in self._dimmers:
            dimmer.set_dimmed(is_outdated)

    def _set_decoded(self, decoded: DecodedIds | None) -> None:
        self._decoded = decoded
        is_usable = decoded is not None and decoded.is_valid and bool(decoded.ids)
        self._use_button.setEnabled(is_usable)
        self._copy_button.setEnabled(is_usable)

    def _decode(self) -> None:
        text, tokenizer = self._input.text(), self._tokenizer

        def work(progress: Progress) -> DecodedIds:
            ids = parse_ids(text)
            progress(1, 2)
            return decode_ids(ids, tokenizer)

        self._runner.start(name="decode ids", work=work, on_success=self._show_decoded, on_error=self._show_parse_error)

    def _show_decoded(self, decoded: DecodedIds) -> None:
        self._set_decoded(decoded)
        # Fonts cannot show control characters; line breaks and tabs stay.
        shown = _CONTROL.sub(lambda match: visible(match[0].encode()), decoded.text[:_MAX_CHARACTERS])
        self._result.setPlainText(shown)
        self._summary.setText(self._summary_text(decoded))
        self._show_report(self._mistake_texts(decoded), "warning")
        if self._use_button.isEnabled():
            tokenizer = self._tokenizer
            self._runner.start(
                name="compare ids",
                work=lambda progress: first_difference(decoded, tokenizer, progress),
                on_success=self._show_comparison,
                on_error=self._show_error,
            )

    def _show_parse_error(self, error: EngineError) -> None:
        self._result.clear()
        self._summary.clear()
        if isinstance(error, NotIdsError) and len(error.wrong) > 1:
            place = self.tr("“{part}” at position {place}")
            places = (place.format(part=isolated(part), place=number(index)) for index, part in error.wrong.items())
            text = self.tr("These are not ids: {places}.").format(places=self._beginning(places, len(error.wrong)))
            self._show_report([text], "warning")
        else:
            self._show_error(error)

    def _show_comparison(self, difference: IdDifference | None) -> None:
        if difference is not None:
            self._show_report([self._difference_text(difference)], "warning")
        else:
            self._show_report([self.tr("Encoding this text gives the same ids.")], "quiet")

    def _show_error(self, error: EngineError) -> None:
        self._show_report([error_message(error)], "warning")

    # -- using the text ---------------------------------------------------------------------------------------------

    def _use_text(self) -> None:
        if self._decoded is not None:
            self.text_chosen.emit(self._decoded.text)
            self.accept()

    def _copy_text(self) -> None:
        if self._decoded is not None:
            QGuiApplication.clipboard().setText(self._decoded.text)

    # -- messages ---------------------------------------------------------------------------------------------------

    def _show_report(self, lines: Sequence[str], role: str) -> None:
        """Show lines below the text, in the colour of the role `quiet` or `warning`."""
        self._dim(False)
        self._report.say("\n".join(lines), role)

    def _summary_text(self, decoded: DecodedIds) -> str:
        """Return a line with the numbers of ids, characters and bytes; empty without ids."""
        if not decoded.ids:
            return ""
        facts = [
            counted(len(decoded.ids), self.tr("1 id"), self.tr("{count} ids")),
            counted(len(decoded.text), self.tr("1 character"), self.tr("{count} characters")),
            counted(decoded.size, self.tr("1 byte"), self.tr("{count} bytes")),
        ]
        if not decoded.is_valid:
            del facts[1:]  # with mistakes, the text has stand-ins for bad ids and bytes, and its size means nothing
        if len(decoded.text) > _MAX_CHARACTERS:
            facts.append(self.tr("first {count} characters shown").format(count=number(_MAX_CHARACTERS)))
        return " · ".join(facts)

    def _mistake_texts(self, decoded: DecodedIds) -> list[str]:
        """Return sentences about ids that do not exist, and about the first incomplete characters."""
        sentences = [self._missing_text(decoded)] if decoded.missing else []
        sentences += [self._broken_text(broken) for broken in decoded.broken[:_LISTED_MISTAKES]]
        if more := len(decoded.broken[_LISTED_MISTAKES:]):
            one = self.tr("There is 1 more incomplete character.")
            sentences.append(counted(more, one, self.tr("There are {count} more incomplete characters.")))
        return sentences

    def _missing_text(self, decoded: DecodedIds) -> str:
        vocab = self._tokenizer.vocab
        place = self.tr("{id} at position {place}")
        places = (place.format(id=decoded.ids[index], place=number(index + 1)) for index in decoded.missing)
        ids = self._beginning(places, len(decoded.missing))
        if len(decoded.missing) == 1:
            template = self.tr("This id does not exist: {ids}. Ids range from {low} to {high}.")
        else:
            template = self.tr("These ids do not exist: {ids}. Ids range from {low} to {high}.")
        return template.format(ids=ids, low=min(vocab, default=0), high=max(vocab, default=0))

    def _beginning(self, places: Iterable[str], count: int) -> str:
        """Return the first few of `count` positions as a list in words."""
        some, more = listed(islice(places, _LISTED_MISTAKES)), count - _LISTED_MISTAKES
        return self.tr("{some} and {count} more").format(some=some, count=number(more)) if more > 0 else some

    def _broken_text(self, broken: BrokenBytes) -> str:
        hex_bytes = broken.data[:_LISTED_ITEMS].hex(" ") + (" …" if len(broken.data) > _LISTED_ITEMS else "")
        if broken.first == broken.last:
            template = self.tr("The id at position {first} does not form a whole character: bytes {bytes}")
        else:
            template = self.tr("The ids at positions {first} to {last} do not form a whole character: bytes {bytes}")
        return template.format(first=number(broken.first + 1), last=number(broken.last + 1), bytes=hex_bytes)

    def _difference_text(self, difference: IdDifference) -> str:
        template = self.tr(
            "Encoding this text gives different ids: position {place} has {given}, but encoding gives {encoded}."
        )
        return template.format(
            place=number(difference.index + 1), given=_listed(difference.given), encoded=_listed(difference.encoded)
        )


class _IdsEdit(PlainTextEdit):
    """An editor that breaks a long pasted list into lines of 1,000 to 2,000 characters, which Qt lays out fast."""

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 (Qt's name)
        """Insert the text of `source`; break long text into lines, between numbers if possible."""
        text = source.text()
        if len(text) <= _LONG_PASTE:
            super().insertFromMimeData(source)
            return
        in_lines = QMimeData()
        in_lines.setText(_LINE.sub("\\g<0>\n", text.replace("\n", " ")))
        super().insertFromMimeData(in_lines)


def _listed(ids: list[int]) -> str:
    """Return the first few ids as a list in brackets, with an ellipsis if there are more."""
    shown = listed(map(str, ids[:_LISTED_ITEMS]))
    return f"[{shown}, …]" if len(ids) > _LISTED_ITEMS else f"[{shown}]"
