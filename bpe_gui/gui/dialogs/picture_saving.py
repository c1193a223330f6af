"""The part that dialogs of pictures share: the choice of colours and format, copying, saving, and how that went."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Final, TypeVar

from PySide6.QtCore import QMimeData, QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QDialog, QFileDialog, QProgressDialog, QPushButton, QWidget

from bpe_gui.engine import EngineError, Progress
from bpe_gui.engine.runtime import write_files
from bpe_gui.gui.jobs import Cancelled
from bpe_gui.gui.look.calm_widgets import ComboBox
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.theme import SchemeName, Theme, set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.numbers import size_text

T = TypeVar("T")

_PROGRESS_DELAY: Final = 500  # milliseconds of painting before its progress is shown


class PictureFormat(Enum):
    """The formats of pictures; the value is the suffix of the file's name."""

    PNG = "png"
    SVG = "svg"
    PDF = "pdf"


class PictureSaving(QDialog):
    """A dialog that saves or copies a picture, and stays open to show the result.

    A subclass paints the picture, in `_data` and `_image`, and lays out the choices and the buttons made here.
    """

    def __init__(self, theme: Theme, suggested_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._suggested_name = suggested_name
        self._make_choices_of_look(theme.name == "dark")
        self._copy = self._button("pictureCopyButton", self.tr("&Copy picture"), self._copy_picture)
        self._save = self._button("pictureSaveButton", self.tr("&Save…"), self._save_as)
        self._close = self._button("pictureCloseButton", self.tr("Close"), self.reject)
        self._save.setDefault(True)
        self._result = SentenceLabel(name="pictureResult", selectable=True)
        self._result.reserve_lines(1)

    @abstractmethod
    def _data(self, kind: PictureFormat, progress: Progress) -> bytes:
        """Return the picture as the bytes of a file."""

    @abstractmethod
    def _image(self, progress: Progress) -> QImage:
        """Return the picture as an image."""

    def save(self, path: Path) -> None:
        """Write the chosen picture to `path`, and show the result or the error."""
        try:
            data = self._with_progress(lambda progress: self._data(self._chosen_format(), progress))
            write_files({path: data})
        except Cancelled:
            return
        except EngineError as error:
            self._show_result(error_message(error), role="warning")
        else:
            template = self.tr("Saved: {path} ({size})")
            self._show_result(template.format(path=path, size=size_text(len(data))), role="quiet")

    # -- for subclasses ---------------------------------------------------------------------------------------------

    def _button(self, name: str, text: str, action: Callable[[], None]) -> QPushButton:
        button = name_widget(QPushButton(text, autoDefault=False), name, text.replace("&", ""))
        button.clicked.connect(action)
        return button

    def _chosen_format(self) -> PictureFormat:
        return PictureFormat(self._kind.currentData())

    def _chosen_scheme(self) -> SchemeName:
        scheme: SchemeName = self._scheme.currentData()
        return scheme

    def _show_result(self, text: str, *, role: str) -> None:
        set_role(self._result, role)
        self._result.setText(text)
        self._result.setVisible(bool(text))

    # -- choices, copying and saving --------------------------------------------------------------------------------

    def _make_choices_of_look(self, is_dark: bool) -> None:
        self._scheme = name_widget(ComboBox(), "pictureLook", self.tr("Theme"))
        self._scheme.addItem(self.tr("Light"), "light")
        self._scheme.addItem(self.tr("Dark"), "dark")
        self._scheme.setCurrentIndex(int(is_dark))
        self._kind = name_widget(ComboBox(), "pictureKind", self.tr("File format"))
        self._kind.addItem(self.tr("PNG image"), PictureFormat.PNG)
        self._kind.addItem(self.tr("SVG drawing"), PictureFormat.SVG)
        self._kind.addItem(self.tr("PDF document"), PictureFormat.PDF)

    def _copy_picture(self) -> None:
        try:
            image = self._with_progress(self._image)
        except Cancelled:
            return
        data = QMimeData()
        data.setImageData(image)
        QGuiApplication.clipboard().setMimeData(data)
        size = self.tr("{width} × {height} pixels").format(width=image.width(), height=image.height())
        self._show_result(self.tr("Copied as an image: {size}.").format(size=size), role="quiet")

    def _save_as(self) -> None:
        kind = self._chosen_format()
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation) or Path.home())
        dialog = QFileDialog(self, self.tr("Save picture"), str(folder))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(f"{kind.name} (*.{kind.value})")
        dialog.setDefaultSuffix(kind.value)
        dialog.selectFile(f"{self._suggested_name}.{kind.value}")
        if dialog.exec():
            self.save(Path(dialog.selectedFiles()[0]))

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
