"""Pictures of a text and its tokens: which part, how they look, and where they go."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Final, TypeVar

from PySide6.QtCore import QMimeData, QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QLabel,
    QProgressDialog,
    QPushButton,
    QSpinBox,
    QWidget,
)

from bpe_gui.engine import EngineError
from bpe_gui.engine.runtime.files import write_files
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.background.jobs import Cancelled
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.wording.numbers import size_text
from bpe_gui.gui.pictures.html_output import LONGEST_HTML, html_mime
from bpe_gui.gui.pictures.painted_output import LONGEST_PDF, MARGIN, image_of, most_rows, page_picture, pdf_of, png_of
from bpe_gui.gui.pictures.preview import PicturePreview
from bpe_gui.gui.pictures.text_picture import Look, Span, TextPicture, beginning
from bpe_gui.gui.pictures.svg_output import LONGEST_SVG, svg_of
from bpe_gui.gui.look.theme import SchemeName, Theme, paper_and_tokens, set_role
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens
from bpe_gui.gui.look.widgets import named

T = TypeVar("T")

_GRID: Final = 8
_SIZE: Final = (640, 480)
_WIDTHS: Final = range(240, 1601)  # pixels
_USUAL_WIDTH: Final = 800
_WIDTH_STEP: Final = 40
_PATIENCE: Final = 500  # milliseconds of work before one sees how far it is
_SUGGESTED: Final = "tokens"
_PICTURES: Final = QStandardPaths.StandardLocation.PicturesLocation


class Kind(Enum):
    """What a picture is written as; the value is the ending of the file's name."""

    PNG = "png"
    SVG = "svg"
    PDF = "pdf"


_LONGEST: Final = {Kind.PNG: LONGEST_PDF, Kind.SVG: LONGEST_SVG, Kind.PDF: LONGEST_PDF}


class PictureDialog(QDialog):
    """Saves or copies pictures of tokens; it stays open and says what became of them.

    `visible` and `selection` are parts of the text, in bytes, that begin and end between characters. The picture shows
    colours and white space as the view does.
    """

    def __init__(
        self,
        theme: Theme,
        source: LiveTokens,
        visible: Span,
        selection: Span | None,
        color_mode: ColorMode,
        white_space: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pictureDialog")
        self.setWindowTitle(self.tr("Picture of the tokens"))
        self._source = source
        self._font = theme.token_font()
        self._color_mode = color_mode
        self._white_space = white_space
        self._make_choices(visible, selection, theme.name == "dark")
        self._make_buttons()
        self._preview = named(PicturePreview(), "picturePreview", self.tr("How the picture begins"))
        self._notice = SentenceLabel(name="pictureNotice")
        self._result = SentenceLabel(name="pictureResult", selectable=True)
        for line in (self._notice, self._result):
            line.keep_room(1)
        self._lay_out()
        for combo in (self._part, self._scheme, self._kind):
            combo.currentIndexChanged.connect(self._refresh)
        self._width.valueChanged.connect(self._refresh)
        self._refresh()

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_choices(self, visible: Span, selection: Span | None, is_dark: bool) -> None:
        self._part = named(QComboBox(), "picturePart", self.tr("Part of the text"))
        if selection is not None:
            self._part.addItem(self.tr("Selection"), selection)
        self._part.addItem(self.tr("Visible part"), visible)
        self._part.addItem(self.tr("Whole text"), (0, len(self._source.text)))
        self._scheme = named(QComboBox(), "pictureLook", self.tr("Look of the picture"))
        self._scheme.addItem(self.tr("Light"), "light")
        self._scheme.addItem(self.tr("Dark"), "dark")
        self._scheme.setCurrentIndex(int(is_dark))
        self._kind = named(QComboBox(), "pictureKind", self.tr("Kind of file"))
        self._kind.addItem(self.tr("PNG: an image"), Kind.PNG)
        self._kind.addItem(self.tr("SVG: a drawing"), Kind.SVG)
        self._kind.addItem(self.tr("PDF: pages to print"), Kind.PDF)
        self._width = named(QSpinBox(), "pictureWidth", self.tr("Width in pixels"))
        self._width.setRange(_WIDTHS[0], _WIDTHS[-1])
        self._width.setSingleStep(_WIDTH_STEP)
        self._width.setSuffix(self.tr(" px"))
        self._width.setValue(_USUAL_WIDTH)
        self._width.setKeyboardTracking(False)

    def _make_buttons(self) -> None:
        self._copy_html = self._button("pictureCopyHtmlButton", self.tr("Copy as &HTML"), self._copy_as_html)
        self._copy = self._button("pictureCopyButton", self.tr("&Copy picture"), self._copy_picture)
        self._save = self._button("pictureSaveButton", self.tr("&Save…"), self._ask_and_save)
        self._close = self._button("pictureCloseButton", self.tr("Close"), self.reject)
        self._save.setDefault(True)

    def _button(self, name: str, words: str, action: Callable[[], None]) -> QPushButton:
        button = named(QPushButton(words, autoDefault=False), name, words.replace("&", ""))
        button.clicked.connect(action)
        return button

    def _lay_out(self) -> None:
        choices = QGridLayout()
        choices.setHorizontalSpacing(_GRID)
        choices.setVerticalSpacing(_GRID)
        fields = (
            (self.tr("&Part"), self._part),
            (self.tr("&Kind"), self._kind),
            (self.tr("&Look"), self._scheme),
            (self.tr("&Width"), self._width),
        )
        for number, (words, field) in enumerate(fields):
            label = QLabel(words)
            label.setBuddy(field)
            row, column = divmod(number, 2)
            choices.addWidget(label, row, 2 * column)
            choices.addWidget(field, row, 2 * column + 1)
        choices.setColumnStretch(1, 1)
        choices.setColumnStretch(3, 1)
        column_of_all = dialog_column(self)
        column_of_all.setSpacing(2 * _GRID)
        column_of_all.addWidget(self._preview, 1)
        column_of_all.addLayout(choices)
        column_of_all.addWidget(self._notice)
        column_of_all.addWidget(self._result)
        buttons = dialog_buttons(self._copy_html, self._copy, accept=self._save, reject=self._close)
        column_of_all.addWidget(buttons)
        self.resize(*_SIZE)

    # -- what is chosen ---------------------------------------------------------------------------------------------

    def _chosen_kind(self) -> Kind:
        return Kind(self._kind.currentData())

    def _chosen_part(self) -> Span:
        start, stop = self._part.currentData()
        return start, stop

    def _look(self) -> Look:
        scheme: SchemeName = self._scheme.currentData()
        return Look(*paper_and_tokens(scheme), self._font, self._color_mode, self._white_space)

    def _picture(self, kind: Kind) -> TextPicture:
        span = beginning(self._source.text, self._chosen_part(), _LONGEST[kind])
        if kind is Kind.PDF:
            return page_picture(self._source, span, self._look())
        return TextPicture(self._source, span, self._look(), self._width.value(), MARGIN)

    def _refresh(self) -> None:
        """Show what would be made now, and say how much of the text is on it, unless that is all."""
        kind = self._chosen_kind()
        self._width.setEnabled(kind is not Kind.PDF)
        picture = self._picture(kind)
        self._preview.show_picture(picture)
        shown = picture.fit(most_rows(picture))[1] if kind is Kind.PNG else picture.size
        start, stop = self._chosen_part()
        self._notice.setText(self._notice_text(kind, shown, stop - start))
        self._notice.setVisible(shown < stop - start)
        self._tell("", role="quiet")

    def _notice_text(self, kind: Kind, shown: int, whole: int) -> str:
        words = self.tr("There is room for the beginning only: {shown} of {whole}.")
        if kind is not Kind.PDF:
            words += " " + self.tr("A PDF has room for more.")
        return words.format(shown=size_text(shown), whole=size_text(whole))

    # -- what is done with it ---------------------------------------------------------------------------------------

    def _copy_as_html(self) -> None:
        start, stop = self._chosen_part()
        span = beginning(self._source.text, (start, stop), LONGEST_HTML)
        QGuiApplication.clipboard().setMimeData(html_mime(self._source, span, self._look()))
        if span == (start, stop):
            self._tell(self.tr("Copied as HTML, and as text."), role="quiet")
        else:
            words = self.tr("Copied as HTML, and as text: the beginning, {shown} of {whole}.")
            shown, whole = size_text(span[1] - start), size_text(stop - start)
            self._tell(words.format(shown=shown, whole=whole), role="quiet")

    def _copy_picture(self) -> None:
        picture = self._picture(Kind.PNG)
        try:
            image = self._made(lambda progress: image_of(picture, progress))
        except Cancelled:
            return
        data = QMimeData()
        data.setImageData(image)
        QGuiApplication.clipboard().setMimeData(data)
        size = self.tr("{width} × {height} points").format(width=image.width(), height=image.height())
        self._tell(self.tr("Copied as an image: {size}.").format(size=size), role="quiet")

    def _ask_and_save(self) -> None:
        kind = self._chosen_kind()
        folder = Path(QStandardPaths.writableLocation(_PICTURES) or Path.home())
        asking = QFileDialog(self, self.tr("Save picture"), str(folder))
        asking.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        asking.setNameFilter(f"{kind.name} (*.{kind.value})")
        asking.setDefaultSuffix(kind.value)
        asking.selectFile(f"{_SUGGESTED}.{kind.value}")
        if asking.exec():
            self.save(Path(asking.selectedFiles()[0]))

    def save(self, path: Path) -> None:
        """Write the picture as it is chosen, and say so, or what went wrong."""
        kind = self._chosen_kind()
        picture = self._picture(kind)
        makers: dict[Kind, Callable[[Progress], bytes]] = {
            Kind.PNG: lambda progress: png_of(image_of(picture, progress)),
            Kind.SVG: lambda progress: svg_of(picture, progress),
            Kind.PDF: lambda progress: pdf_of(picture, progress),
        }
        try:
            data = self._made(makers[kind])
            write_files({path: data})
        except Cancelled:
            return
        except EngineError as error:
            self._tell(sentence(error), role="warning")
        else:
            words = self.tr("Written: {path} ({size})")
            self._tell(words.format(path=path, size=size_text(len(data))), role="quiet")

    def _made(self, make: Callable[[Progress], T]) -> T:
        """What `make` makes; who waits for long sees how far it is, and may cancel. Raises Cancelled."""
        box = QProgressDialog(self.tr("Painting…"), self.tr("Cancel"), 0, 0, self)
        box.setWindowModality(Qt.WindowModality.WindowModal)
        box.setMinimumDuration(_PATIENCE)

        def progress(done: int, whole: int) -> None:
            box.setMaximum(whole)
            box.setValue(done)
            if box.wasCanceled():
                raise Cancelled

        try:
            return make(progress)
        finally:
            box.close()
            box.deleteLater()

    def _tell(self, words: str, *, role: str) -> None:
        set_role(self._result, role)
        self._result.setText(words)
        self._result.setVisible(bool(words))
