"""The dialog that saves or copies pictures of the text and its tokens."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from bpe_gui.engine import Progress
from bpe_gui.gui.look.calm_widgets import ComboBox, SpinBox
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import GAP, WIDE_GAP
from bpe_gui.gui.look.theme import Theme, background_and_tokens
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.pictures.html_output import MAX_HTML_BYTES, html_mime
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
from bpe_gui.gui.wording.joining import joined_sentences
from bpe_gui.gui.wording.numbers import size_text

from .picture_saving import PictureFormat, PictureSaving

_SIZE: Final = (640, 480)  # of the dialog, in pixels
_WIDTHS: Final = range(240, 1601)  # of a picture, in pixels
_DEFAULT_WIDTH: Final = 800
_WIDTH_STEP: Final = 40
_SUGGESTED_NAME: Final = "tokens"


# Bytes of text in a picture; a PNG is limited further, by the height of an image.
_MAX_BYTES: Final = {
    PictureFormat.PNG: MAX_PDF_BYTES,
    PictureFormat.SVG: MAX_SVG_BYTES,
    PictureFormat.PDF: MAX_PDF_BYTES,
}


class PictureDialog(PictureSaving):
    """A dialog that saves or copies pictures of tokens, and stays open to show the result.

    `visible` and `selection` are spans of the text in bytes, on character boundaries. Colours and white space are as in
    the view of the text.
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
        self._copy_html = self._button("pictureCopyHtmlButton", self.tr("Copy as &HTML"), self._copy_as_html)
        self._preview = name_widget(PicturePreview(), "picturePreview", self.tr("Picture preview"))
        self._notice = SentenceLabel(name="pictureNotice")
        self._notice.reserve_lines(1)
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
        choices = QGridLayout()
        choices.setHorizontalSpacing(GAP)
        choices.setVerticalSpacing(GAP)
        fields = (
            (self.tr("&Range"), self._part),
            (self.tr("&Format"), self._kind),
            (self.tr("&Theme"), self._scheme),
            (self.tr("&Width"), self._width),
        )
        for index, (title, field) in enumerate(fields):
            label = QLabel(title)
            label.setBuddy(field)
            row, column = divmod(index, 2)
            choices.addWidget(label, row, 2 * column)
            choices.addWidget(field, row, 2 * column + 1)
        choices.setColumnStretch(1, 1)
        choices.setColumnStretch(3, 1)
        dialog_layout = dialog_column(self)
        dialog_layout.setSpacing(WIDE_GAP)
        dialog_layout.addWidget(self._preview, 1)
        dialog_layout.addLayout(choices)
        dialog_layout.addWidget(self._notice)
        dialog_layout.addWidget(self._result)
        buttons = dialog_buttons(self._copy_html, self._copy, accept=self._save, reject=self._close)
        dialog_layout.addWidget(buttons)
        self.resize(*_SIZE)

    # -- the choices -----------------------------------------------------------------------------------------------

    def _chosen_part(self) -> Span:
        start, stop = self._part.currentData()
        return start, stop

    def _look(self) -> PictureLook:
        colors = background_and_tokens(self._chosen_scheme())
        return PictureLook(*colors, self._font, self._color_mode, self._white_space)

    def _picture(self, kind: PictureFormat) -> TextPicture:
        span = beginning(self._source.text, self._chosen_part(), _MAX_BYTES[kind])
        if kind is PictureFormat.PDF:
            return page_picture(self._source, span, self._look())
        return TextPicture(self._source, span, self._look(), self._width.value(), MARGIN)

    def _refresh(self) -> None:
        """Preview the picture, and show how much of the text fits if not all of it does."""
        kind = self._chosen_format()
        self._width.setEnabled(kind is not PictureFormat.PDF)
        picture = self._picture(kind)
        self._preview.show_picture(picture)
        shown = picture.fit(max_rows(picture))[1] if kind is PictureFormat.PNG else picture.size
        start, stop = self._chosen_part()
        self._notice.setText(self._notice_text(kind, shown, stop - start))
        self._notice.setVisible(shown < stop - start)
        self._show_result("", role="quiet")

    def _notice_text(self, kind: PictureFormat, shown: int, whole: int) -> str:
        template = self.tr("Only the beginning fits: {shown} of {whole}.")
        if kind is not PictureFormat.PDF:
            template = joined_sentences([template, self.tr("A PDF can show more.")])
        return template.format(shown=size_text(shown), whole=size_text(whole))

    # -- the picture -------------------------------------------------------------------------------------------------

    def _copy_as_html(self) -> None:
        start, stop = self._chosen_part()
        span = beginning(self._source.text, (start, stop), MAX_HTML_BYTES)
        QGuiApplication.clipboard().setMimeData(html_mime(self._source, span, self._look()))
        if span == (start, stop):
            self._show_result(self.tr("Copied as HTML and plain text."), role="quiet")
        else:
            template = self.tr("Copied the beginning as HTML and plain text: {shown} of {whole}.")
            shown, whole = size_text(span[1] - start), size_text(stop - start)
            self._show_result(template.format(shown=shown, whole=whole), role="quiet")

    def _data(self, kind: PictureFormat, progress: Progress) -> bytes:
        picture = self._picture(kind)
        match kind:
            case PictureFormat.PNG:
                return png_of(image_of(picture, progress))
            case PictureFormat.SVG:
                return svg_of(picture, progress)
            case PictureFormat.PDF:
                return pdf_of(picture, progress)

    def _image(self, progress: Progress) -> QImage:
        return image_of(self._picture(PictureFormat.PNG), progress)
