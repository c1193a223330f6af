"""Decoding pasted ids: while they are typed, one sees the text that they make, and what is wrong with them."""

import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget

from bpe_gui.engine import EngineError, Tokenizer
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.dialogs.decoded_ids import Broken, Decoded, Difference, decode_ids, first_difference, parse_ids
from bpe_gui.gui.background.jobs import Job, OneJob, Report
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.widgets import named

_PAUSE: Final = 150  # milliseconds without a key before decoding begins
_SHOWN: Final = 20_000  # characters of the text: more of them in one line would take Qt long
_NAMED: Final = 3  # mistakes of a kind
_LISTED: Final = 8  # ids, or bytes, of one mistake
_GRID: Final = 8
_WIDTH: Final = 640
_HEIGHT: Final = 520
_REPORT_LINES: Final = 5
_LONG: Final = 20_000  # characters of a list from which on an editor should not have it in any lines
_LINE: Final = re.compile(r".{1000,2000}?[,\s]|.{2000}")


class DecodeDialog(QDialog):
    """Takes ids, shows their text, and says which are wrong, and whether encoding the text gives the same ones."""

    text_chosen = Signal(str)
    """The text that the ids make is to be the text to encode."""

    def __init__(self, tokenizer: Tokenizer, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("decodeDialog")
        self.setWindowTitle(self.tr("Decode ids"))
        self._tokenizer = tokenizer
        self._decoded: Decoded | None = None
        self._work = OneJob(self)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._make_widgets(theme.token_font())
        self._lay_out()
        self._input.textChanged.connect(self._edited)
        self._pause.timeout.connect(self._decode)
        self._use.clicked.connect(self._use_text)
        self._copy.clicked.connect(self._copy_text)
        self._close.clicked.connect(self.reject)
        self.finished.connect(self._shut_down)
        self._say([], "quiet")
        self._edited()

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_widgets(self, font: QFont) -> None:
        self._input = named(_IdsEdit(), "decodeInput", self.tr("Ids to decode"))
        self._input.setPlaceholderText(
            self.tr("Paste ids: 1 2 3, or [1, 2, 3], or a list from Python, NumPy or PyTorch")
        )
        self._result = named(PlainTextEdit(), "decodeResult", self.tr("Text of the ids"))
        self._result.setReadOnly(True)
        self._summary = SentenceLabel(name="decodeSummary")
        set_role(self._summary, "quiet")
        self._summary.keep_room(1)
        self._report = SentenceLabel(name="decodeReport")
        self._report.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._report.keep_room(_REPORT_LINES)
        self._use = self._make_button("decodeUseButton", self.tr("Use as text"))
        self._copy = self._make_button("decodeCopyButton", self.tr("Copy text"))
        self._close = self._make_button("decodeCloseButton", self.tr("Close"))
        for editor in (self._input, self._result):
            editor.setFont(font)

    def _make_button(self, name: str, words: str) -> QPushButton:
        return named(QPushButton(words, autoDefault=False), name, words)

    def _lay_out(self) -> None:
        column = dialog_column(self)
        column.addWidget(self._title(self.tr("&Ids"), self._input))
        column.addWidget(self._input, 2)
        column.addWidget(self._title(self.tr("&Text"), self._result))
        column.addWidget(self._result, 3)
        column.addWidget(self._summary)
        column.addWidget(self._report)
        column.addWidget(dialog_buttons(self._copy, accept=self._use, reject=self._close))
        self.resize(_WIDTH, _HEIGHT)

    def _title(self, words: str, buddy: QWidget) -> QLabel:
        label = QLabel(words)
        label.setBuddy(buddy)
        set_role(label, "title")
        return label

    # -- decoding ---------------------------------------------------------------------------------------------------

    def _edited(self) -> None:
        """What is shown is no longer what is wanted; it stays until there is something else to show."""
        self._work.abandon()
        self._take(None)
        self._pause.start()

    def _take(self, decoded: Decoded | None) -> None:
        self._decoded = decoded
        usable = decoded is not None and decoded.is_valid and bool(decoded.ids)
        self._use.setEnabled(usable)
        self._copy.setEnabled(usable)

    def _decode(self) -> None:
        text, tokenizer = self._input.text(), self._tokenizer

        def work(report: Report) -> Decoded:
            ids = parse_ids(text)
            report(1, 2)
            return decode_ids(ids, tokenizer)

        self._work.start(work, self._show_decoded)

    def _show_decoded(self, job: Job) -> None:
        if isinstance(job.result, Decoded):
            decoded = job.result
            self._take(decoded)
            self._result.setPlainText(decoded.text[:_SHOWN])
            self._summary.setText(self._summary_text(decoded))
            self._say(self._mistakes(decoded), "warning")
            if self._use.isEnabled():
                self._compare(decoded)
        else:
            self._result.clear()
            self._summary.clear()
            self._refuse(job.error)

    def _compare(self, decoded: Decoded) -> None:
        tokenizer = self._tokenizer
        self._work.start(lambda report: first_difference(decoded, tokenizer, report), self._show_comparison)

    def _show_comparison(self, job: Job) -> None:
        if isinstance(job.result, Difference):
            self._say([self._difference_text(job.result)], "warning")
        elif job.error is None:
            self._say([self.tr("Encoding this text gives the same ids.")], "quiet")
        else:
            self._refuse(job.error)

    def _refuse(self, error: Exception | None) -> None:
        if not isinstance(error, EngineError):
            raise error or RuntimeError("a job ended with nothing")
        self._say([sentence(error)], "warning")

    def _shut_down(self) -> None:
        self._pause.stop()
        self._work.abandon()
        self._work.wait()

    # -- what is done with it ---------------------------------------------------------------------------------------

    def _use_text(self) -> None:
        if self._decoded is not None:
            self.text_chosen.emit(self._decoded.text)
            self.accept()

    def _copy_text(self) -> None:
        if self._decoded is not None:
            QGuiApplication.clipboard().setText(self._decoded.text)

    # -- words ------------------------------------------------------------------------------------------------------

    def _say(self, lines: Sequence[str], role: str) -> None:
        set_role(self._report, role)
        self._report.setText("\n".join(lines))

    def _summary_text(self, decoded: Decoded) -> str:
        if not decoded.ids:
            return ""
        facts = [
            self._counted(len(decoded.ids), self.tr("1 id"), self.tr("{count} ids")),
            self._counted(len(decoded.text), self.tr("1 character"), self.tr("{count} characters")),
            self._counted(decoded.size, self.tr("1 byte"), self.tr("{count} bytes")),
        ]
        if not decoded.is_valid:
            del facts[1:]  # what is wrong is spelt out in the text
        if len(decoded.text) > _SHOWN:
            facts.append(self.tr("the first {count} characters are shown").format(count=number(_SHOWN)))
        return " · ".join(facts)

    def _counted(self, count: int, one: str, many: str) -> str:
        return one if count == 1 else many.format(count=number(count))

    def _mistakes(self, decoded: Decoded) -> list[str]:
        found = [self._missing_text(decoded)] if decoded.missing else []
        found += [self._broken_text(broken) for broken in decoded.broken[:_NAMED]]
        if more := len(decoded.broken[_NAMED:]):
            one, many = (
                self.tr("1 more place has no whole character."),
                self.tr("{count} more places have no whole character."),
            )
            found.append(self._counted(more, one, many))
        return found

    def _missing_text(self, decoded: Decoded) -> str:
        vocab = self._tokenizer.vocab
        place = self.tr("{id} at place {place}")
        listed = ", ".join(
            place.format(id=decoded.ids[index], place=number(index + 1)) for index in decoded.missing[:_NAMED]
        )
        if more := len(decoded.missing[_NAMED:]):
            listed = self.tr("{some} and {count} more").format(some=listed, count=number(more))
        if len(decoded.missing) == 1:
            words = self.tr("This id does not exist: {ids}. Ids go from {low} to {high}.")
        else:
            words = self.tr("These ids do not exist: {ids}. Ids go from {low} to {high}.")
        return words.format(ids=listed, low=min(vocab, default=0), high=max(vocab, default=0))

    def _broken_text(self, broken: Broken) -> str:
        octets = broken.data[:_LISTED].hex(" ") + (" …" if len(broken.data) > _LISTED else "")
        if broken.first == broken.last:
            words = self.tr("The id at place {first} makes no whole character: bytes {bytes}")
        else:
            words = self.tr("The ids at places {first} to {last} make no whole character: bytes {bytes}")
        return words.format(first=number(broken.first + 1), last=number(broken.last + 1), bytes=octets)

    def _difference_text(self, difference: Difference) -> str:
        words = self.tr(
            "Encoding this text gives other ids: at place {place} you have {given}, encoding gives {encoded}."
        )
        return words.format(
            place=number(difference.place + 1), given=_listed(difference.given), encoded=_listed(difference.encoded)
        )


class _IdsEdit(PlainTextEdit):
    """An editor in which a long list is put into lines that are neither long nor many."""

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 (Qt's name)
        """Inserts text; a long one in other lines, broken between numbers."""
        text = source.text()
        if len(text) <= _LONG:
            super().insertFromMimeData(source)
            return
        in_lines = QMimeData()
        in_lines.setText(_LINE.sub("\\g<0>\n", text.replace("\n", " ")))
        super().insertFromMimeData(in_lines)


def _listed(ids: list[int]) -> str:
    """The first ids as a list."""
    shown = ", ".join(map(str, ids[:_LISTED]))
    return f"[{shown}, …]" if len(ids) > _LISTED else f"[{shown}]"
