"""The dialogs that save or copy pictures: of tokenized text, and of a token's lineage."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Final, TypeVar

from PySide6.QtCore import QMimeData, QRectF, QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QProgressDialog, QScrollArea, QWidget

from bpe_gui.engine import EngineError, Lineage, Progress, Tokenizer, write_files
from bpe_gui.gui.dialogs.boxes import ask_where_to_save
from bpe_gui.gui.jobs import Cancelled
from bpe_gui.gui.look.layouts import GAP, WIDE_GAP, dialog_buttons, dialog_column, grid_of, row_of
from bpe_gui.gui.look.theme import SchemeName, Theme, background_and_tokens
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, SpinBox, label_of, name_widget, push_button
from bpe_gui.gui.pictures.html_output import MAX_HTML_BYTES, html_mime
from bpe_gui.gui.pictures.lineage_picture import (
    MAX_PRODUCTS,
    LineageLook,
    LineagePicture,
    Product,
    lineage_image,
    lineage_pdf,
    lineage_svg,
)
from bpe_gui.gui.pictures.svg_output import MAX_SVG_BYTES, svg_of
from bpe_gui.gui.pictures.text_picture import (
    MARGIN,
    MAX_PDF_BYTES,
    PictureLook,
    PicturePreview,
    Span,
    TextPicture,
    beginning,
    image_of,
    max_rows,
    page_picture,
    pdf_of,
    png_of,
)
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens
from bpe_gui.gui.wording.phrases import joined_sentences, number, size_text
from bpe_gui.gui.wording.sentences import error_message

T = TypeVar("T")

_PROGRESS_DELAY: Final = 500  # milliseconds of painting before progress is shown


class PictureFormat(Enum):
    """The formats of pictures; the value is the suffix of the file name."""

    PNG = "png"
    SVG = "svg"
    PDF = "pdf"


class PictureSaving(QDialog):
    """Saves or copies a picture, and stays open to show the result.

    A subclass paints the picture in `_data` and `_image`, and lays out the widgets made here.
    """

    def __init__(self, theme: Theme, suggested_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._suggested_name = suggested_name
        self._scheme = name_widget(ComboBox(), "pictureLook", self.tr("Theme"))
        self._scheme.addItem(self.tr("Light"), "light")
        self._scheme.addItem(self.tr("Dark"), "dark")
        self._scheme.setCurrentIndex(self._scheme.findData(theme.name))
        self._kind = name_widget(ComboBox(), "pictureKind", self.tr("File format"))
        self._kind.addItem(self.tr("PNG image"), PictureFormat.PNG)
        self._kind.addItem(self.tr("SVG drawing"), PictureFormat.SVG)
        self._kind.addItem(self.tr("PDF document"), PictureFormat.PDF)
        self._copy = push_button("pictureCopyButton", self.tr("&Copy picture"), self._copy_picture)
        self._save = push_button("pictureSaveButton", self.tr("&Save…"), self._save_as)
        self._close = push_button("pictureCloseButton", self.tr("Close"), self.reject)
        self._save.setDefault(True)
        self._result = SentenceLabel(name="pictureResult", selectable=True, lines=2)

    @abstractmethod
    def _data(self, kind: PictureFormat, progress: Progress) -> bytes:
        """Return the picture as an SVG or a PDF file."""

    @abstractmethod
    def _image(self, progress: Progress) -> QImage:
        """Return the picture as an image."""

    def _file(self, progress: Progress) -> bytes:
        kind = self._chosen_format()
        return png_of(self._image(progress)) if kind is PictureFormat.PNG else self._data(kind, progress)

    def save(self, path: Path) -> None:
        """Write the chosen picture to `path`, and show the result or the error."""
        try:
            data = self._with_progress(self._file)
            write_files({path: data})
        except Cancelled:
            return
        except EngineError as error:
            self._show_result(error_message(error), role="warning")
        else:
            template = self.tr("Saved: {path} ({size})")
            self._show_result(template.format(path=path, size=size_text(len(data))))

    # -- for subclasses ---------------------------------------------------------------------------------------------

    def _chosen_format(self) -> PictureFormat:
        return PictureFormat(self._kind.currentData())

    def _chosen_scheme(self) -> SchemeName:
        scheme: SchemeName = self._scheme.currentData()
        return scheme

    def _show_result(self, text: str, *, role: str = "quiet") -> None:
        self._result.say(text, role, hides=True)

    # -- copying and saving --------------------------------------------------------------------------------

    def _copy_picture(self) -> None:
        try:
            image = self._with_progress(self._image)
        except Cancelled:
            return
        data = QMimeData()
        data.setImageData(image)
        QGuiApplication.clipboard().setMimeData(data)
        size = self.tr("{width} × {height} pixels").format(width=image.width(), height=image.height())
        self._show_result(self.tr("Copied as an image: {size}.").format(size=size))

    def _save_as(self) -> None:
        kind = self._chosen_format()
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation) or Path.home())
        suggestion = folder / f"{self._suggested_name}.{kind.value}"
        filter = f"{kind.name} (*.{kind.value})"
        if path := ask_where_to_save(self, self.tr("Save picture"), suggestion, filter, kind.value):
            self.save(path)

    def _with_progress(self, paint: Callable[[Progress], T]) -> T:
        """Return the result of `paint`; if it takes long, show its progress. Raise Cancelled if the user cancels."""
        box = QProgressDialog(self.tr("Creating picture…"), self.tr("Cancel"), 0, 0, self)
        box.setWindowModality(Qt.WindowModality.WindowModal)
        box.setMinimumDuration(_PROGRESS_DELAY)

        def progress(done: int, whole: int) -> None:
            box.setMaximum(whole)
            box.setValue(done)
            if box.wasCanceled():
                raise Cancelled

        try:
            return paint(progress)
        finally:
            box.close()
            box.deleteLater()


_SIZE: Final = (640, 480)  # of the dialog, in pixels
_WIDTHS: Final = range(240, 1601)  # of a picture, in pixels
_DEFAULT_WIDTH: Final = 800
_WIDTH_STEP: Final = 40
_SUGGESTED_NAME: Final = "tokens"


class PictureDialog(PictureSaving):
    """Saves or copies pictures of tokenized text, and stays open to show the result.

    `visible` and `selection` are spans of the text in bytes, on character boundaries. Colours and white space look as
    in the text view.
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
        super().__init__(theme, _SUGGESTED_NAME, parent)
        self.setObjectName("pictureDialog")
        self.setWindowTitle(self.tr("Picture of the tokens"))
        self._source = source
        self._font = theme.token_font()
        self._color_mode = color_mode
        self._white_space = white_space
        self._make_choices(visible, selection)
        self._copy_html = push_button("pictureCopyHtmlButton", self.tr("Copy as &HTML"), self._copy_as_html)
        self._preview = name_widget(PicturePreview(), "picturePreview", self.tr("Picture preview"))
        self._notice = SentenceLabel(name="pictureNotice", lines=1)
        self._lay_out()
        for combo in (self._part, self._scheme, self._kind):
            combo.currentIndexChanged.connect(self._refresh)
        self._width.valueChanged.connect(self._refresh)
        self._refresh()

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_choices(self, visible: Span, selection: Span | None) -> None:
        self._part = name_widget(ComboBox(), "picturePart", self.tr("Range"))
        if selection is not None:
            self._part.addItem(self.tr("Selection"), selection)
        self._part.addItem(self.tr("Visible text"), visible)
        self._part.addItem(self.tr("Whole text"), (0, len(self._source.text)))
        self._width = name_widget(SpinBox(), "pictureWidth", self.tr("Width in pixels"))
        self._width.setRange(_WIDTHS[0], _WIDTHS[-1])
        self._width.setSingleStep(_WIDTH_STEP)
        self._width.setSuffix(self.tr(" px"))
        self._width.setValue(_DEFAULT_WIDTH)
        self._width.setKeyboardTracking(False)

    def _lay_out(self) -> None:
        choices = grid_of(column_gap=GAP)
        fields = (
            (self.tr("&Range"), self._part),
            (self.tr("&Format"), self._kind),
            (self.tr("&Theme"), self._scheme),
            (self.tr("&Width"), self._width),
        )
        for index, (title, field) in enumerate(fields):
            row, column = divmod(index, 2)
            choices.addWidget(label_of(field, title), row, 2 * column)
            choices.addWidget(field, row, 2 * column + 1)
        choices.setColumnStretch(1, 1)
        choices.setColumnStretch(3, 1)
        buttons = dialog_buttons(self._copy_html, self._copy, accept=self._save, reject=self._close)
        dialog_column(self, (self._preview, 1), choices, self._notice, self._result, buttons, spacing=WIDE_GAP)
        self.resize(*_SIZE)

    # -- the choices -----------------------------------------------------------------------------------------------

    def _chosen_part(self) -> Span:
        start, stop = self._part.currentData()
        return start, stop

    def _look(self) -> PictureLook:
        colors = background_and_tokens(self._chosen_scheme())
        return PictureLook(*colors, self._font, self._color_mode, self._white_space)

    def _picture(self, kind: PictureFormat) -> TextPicture:
        # A PNG is further limited by the height of an image.
        most = MAX_SVG_BYTES if kind is PictureFormat.SVG else MAX_PDF_BYTES
        span = beginning(self._source.text, self._chosen_part(), most)
        if kind is PictureFormat.PDF:
            return page_picture(self._source, span, self._look())
        return TextPicture(self._source, span, self._look(), self._width.value(), MARGIN)

    def _refresh(self) -> None:
        """Preview the picture, and if the text does not fit, show how much of it does."""
        kind = self._chosen_format()
        self._width.setEnabled(kind is not PictureFormat.PDF)
        picture = self._picture(kind)
        self._preview.show_picture(picture)
        shown = picture.fit(max_rows(picture))[1] if kind is PictureFormat.PNG else picture.size
        start, stop = self._chosen_part()
        notice = self.tr("Only the beginning fits: {shown} of {whole}.")
        if kind is not PictureFormat.PDF:
            notice = joined_sentences([notice, self.tr("A PDF can show more.")])
        self._notice.setText(notice.format(shown=size_text(shown), whole=size_text(stop - start)))
        self._notice.setVisible(shown < stop - start)
        self._show_result("")

    # -- the picture -------------------------------------------------------------------------------------------------

    def _copy_as_html(self) -> None:
        start, stop = self._chosen_part()
        span = beginning(self._source.text, (start, stop), MAX_HTML_BYTES)
        QGuiApplication.clipboard().setMimeData(html_mime(self._source, span, self._look()))
        if span == (start, stop):
            self._show_result(self.tr("Copied as HTML and plain text."))
        else:
            template = self.tr("Copied the beginning as HTML and plain text: {shown} of {whole}.")
            shown, whole = size_text(span[1] - start), size_text(stop - start)
            self._show_result(template.format(shown=shown, whole=whole))

    def _data(self, kind: PictureFormat, progress: Progress) -> bytes:
        return (svg_of if kind is PictureFormat.SVG else pdf_of)(self._picture(kind), progress)

    def _image(self, progress: Progress) -> QImage:
        return image_of(self._picture(PictureFormat.PNG), progress)


_LINEAGE_SIZE: Final = (840, 560)  # of the dialog, in pixels
_LINEAGE_NAME: Final = "lineage"


class LineagePictureDialog(PictureSaving):
    """Saves or copies the tree of a token's parts, and the tokens it became part of, as a picture."""

    def __init__(self, theme: Theme, tokenizer: Tokenizer, token_id: int, parent: QWidget | None = None) -> None:
        super().__init__(theme, _LINEAGE_NAME, parent)
        self.setObjectName("lineagePictureDialog")
        self.setWindowTitle(self.tr("Picture of the lineage"))
        self._font = theme.token_font()
        self._lineage = tokenizer.lineage(token_id)
        self._counts = tokenizer.merge_counts
        self._ranks = tokenizer.ranks_with(token_id)
        self._merges = [tokenizer.store.merges[rank] for rank in self._ranks[:MAX_PRODUCTS]]
        self._prefix = tokenizer.store.prefix_size
        self._sheet = _Sheet()
        self._lay_out()
        self._scheme.currentIndexChanged.connect(self._refresh)
        self._kind.currentIndexChanged.connect(self._refresh)
        self._refresh()

    def _lay_out(self) -> None:
        area = name_widget(QScrollArea(), "lineagePicturePreview", self.tr("Picture preview"))
        area.setWidget(self._sheet)
        area.setAlignment(Qt.AlignmentFlag.AlignCenter)
        kind, scheme = label_of(self._kind, self.tr("&Format")), label_of(self._scheme, self.tr("&Theme"))
        choices = row_of(kind, self._kind, scheme, self._scheme, None)
        buttons = dialog_buttons(self._copy, accept=self._save, reject=self._close)
        dialog_column(self, (area, 1), choices, self._result, buttons, spacing=WIDE_GAP)
        self.resize(*_LINEAGE_SIZE)

    def _refresh(self) -> None:
        self._sheet.show_picture(self._picture())
        self._show_result("")

    # -- the picture -------------------------------------------------------------------------------------------------

    def _picture(self) -> LineagePicture:
        paper, palette = background_and_tokens(self._chosen_scheme())
        products = [
            Product(left + right[self._prefix :], self._label(rank))
            for rank, (left, right) in zip(self._ranks, self._merges, strict=False)
        ]
        hidden = len(self._ranks) - len(products)
        more = self.tr("and {count} more").format(count=number(hidden)) if hidden else ""
        look = LineageLook(paper, palette, self._font)
        return LineagePicture(self._lineage, self._labels(), products, more, look)

    def _labels(self) -> dict[bytes, str]:
        """Return the label of each token in the tree that a merge made."""
        labels: dict[bytes, str] = {}
        stack: list[Lineage] = [self._lineage]
        while stack:
            token = stack.pop()
            if token.rank is not None and token.bytes not in labels:
                labels[token.bytes] = self._label(token.rank)
                stack += token.parts
        return labels

    def _label(self, rank: int) -> str:
        if self._counts is None:
            return self.tr("step {step}").format(step=number(rank + 1))
        return self.tr("step {step} · ×{count}").format(step=number(rank + 1), count=number(self._counts[rank]))

    def _data(self, kind: PictureFormat, progress: Progress) -> bytes:
        return (lineage_svg if kind is PictureFormat.SVG else lineage_pdf)(self._picture())

    def _image(self, progress: Progress) -> QImage:
        return lineage_image(self._picture())


class _Sheet(QWidget):
    """The paper with the picture at its original size."""

    def __init__(self) -> None:
        super().__init__()
        self._picture: LineagePicture | None = None

    def show_picture(self, picture: LineagePicture) -> None:
        self._picture = picture
        self.resize(picture.size.toSize())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is not None:
            with QPainter(self) as painter:
                painter.setClipRect(QRectF(event.rect()))
                self._picture.paint(painter)
