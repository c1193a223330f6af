"""The picture dialog: its choices, what it copies and writes, and its messages."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QProgressDialog,
    QPushButton,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.gui.dialogs import picture_dialogs as picture_dialog
from bpe_gui.gui.dialogs.picture_dialogs import PictureDialog
from bpe_gui.gui.look.theme import Theme, ThemeChoice
from bpe_gui.gui.pictures.text_picture import PicturePreview
from bpe_gui.gui.system.exact_text import on_clipboard, text_in
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens
from tests.gui.support.token_sources import source_of
from tests.gui.support.widgets import child

PIECES = ["low", "er", " and", " 😀\n", "second", " line\n"]
TEXT = "".join(PIECES)


def opened(
    qtbot: QtBot,
    source: LiveTokens | None = None,
    *,
    visible: tuple[int, int] = (0, 8),
    selection: tuple[int, int] | None = None,
    choice: ThemeChoice = "light",
) -> PictureDialog:
    shown = source_of(PIECES) if source is None else source
    dialog = PictureDialog(Theme(choice), shown, visible, selection, ColorMode.BY_POSITION, False)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def combo(dialog: PictureDialog, name: str) -> QComboBox:
    return child(dialog, QComboBox, name)


def choose(dialog: PictureDialog, name: str, text: str) -> None:
    box = combo(dialog, name)
    index = box.findText(text, Qt.MatchFlag.MatchStartsWith)
    assert index >= 0, text
    box.setCurrentIndex(index)


def press(dialog: PictureDialog, name: str) -> None:
    found = child(dialog, QPushButton, name)
    found.click()


def visible_text(dialog: PictureDialog, name: str) -> str:
    found = child(dialog, QLabel, name)
    return found.text() if found.isVisible() else ""


def width(dialog: PictureDialog) -> QSpinBox:
    return child(dialog, QSpinBox, "pictureWidth")


def test_a_selection_is_the_first_choice(qtbot: QtBot) -> None:
    def parts(dialog: PictureDialog) -> list[str]:
        box = combo(dialog, "picturePart")
        return [box.itemText(index) for index in range(box.count())]

    assert parts(opened(qtbot)) == ["Visible text", "Whole text"]
    assert parts(opened(qtbot, selection=(3, 5))) == ["Selection", "Visible text", "Whole text"]


def test_the_first_look_is_that_of_the_window(qtbot: QtBot) -> None:
    assert combo(opened(qtbot, choice="light"), "pictureLook").currentText() == "Light"
    assert combo(opened(qtbot, choice="dark"), "pictureLook").currentText() == "Dark"


@pytest.mark.parametrize(
    ("part", "expected"), [("Selection", "er"), ("Visible text", "lower an"), ("Whole text", TEXT)]
)
def test_the_chosen_part_is_copied_as_html(qtbot: QtBot, part: str, expected: str) -> None:
    dialog = opened(qtbot, selection=(3, 5))
    choose(dialog, "picturePart", part)
    press(dialog, "pictureCopyHtmlButton")
    assert text_in(on_clipboard()).decode() == expected
    assert "background-color" in on_clipboard().html()
    assert visible_text(dialog, "pictureResult") == "Copied as HTML and plain text."


def test_the_picture_is_copied_in_the_chosen_width_and_look(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    choose(dialog, "pictureLook", "Dark")
    width(dialog).setValue(320)
    press(dialog, "pictureCopyButton")
    image = QGuiApplication.clipboard().image()
    assert image.width() == 640
    assert image.pixelColor(2, 2).lightness() < 64
    assert visible_text(dialog, "pictureResult") == f"Copied as an image: 640 × {image.height()} pixels."


@pytest.mark.parametrize(("kind", "magic"), [("PNG", b"\x89PNG"), ("SVG", b"<svg "), ("PDF", b"%PDF-")])
def test_a_picture_is_saved_in_the_chosen_format(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, magic: bytes
) -> None:
    path = tmp_path / f"my.{kind.lower()}"
    monkeypatch.setattr(QFileDialog, "exec", lambda self: 1)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda self: [str(path)])
    dialog = opened(qtbot)
    choose(dialog, "pictureKind", kind)
    press(dialog, "pictureSaveButton")
    assert path.read_bytes().startswith(magic)
    assert visible_text(dialog, "pictureResult").startswith(f"Saved: {path} (")
    assert dialog.isVisible()


def test_a_cancelled_file_dialog_changes_nothing(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "exec", lambda self: 0)
    dialog = opened(qtbot)
    press(dialog, "pictureSaveButton")
    assert visible_text(dialog, "pictureResult") == ""


def test_an_error_is_shown_until_the_next_choice(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "a.png"
    dialog = opened(qtbot)
    dialog.save(path)
    assert f"{path} cannot be written" in visible_text(dialog, "pictureResult")
    choose(dialog, "picturePart", "Whole")
    assert visible_text(dialog, "pictureResult") == ""


def test_a_pdf_has_a_fixed_width(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    assert width(dialog).isEnabled()
    choose(dialog, "pictureKind", "PDF")
    assert not width(dialog).isEnabled()


def test_a_text_that_is_too_long_is_reported(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_dialog, "MAX_HTML_BYTES", 1_000)
    dialog = opened(qtbot, source_of(["line\n"] * 1_000))
    assert visible_text(dialog, "pictureNotice") == ""
    choose(dialog, "picturePart", "Whole")
    assert visible_text(dialog, "pictureNotice").startswith("Only the beginning fits: ")
    assert visible_text(dialog, "pictureNotice").endswith(" of 5.0 kB. A PDF can show more.")
    choose(dialog, "pictureKind", "PDF")
    assert visible_text(dialog, "pictureNotice") == ""
    press(dialog, "pictureCopyHtmlButton")
    assert visible_text(dialog, "pictureResult") == "Copied the beginning as HTML and plain text: 1.0 kB of 5.0 kB."
    assert len(text_in(on_clipboard())) == 1_000


def test_cancelling_writes_no_file(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QProgressDialog, "wasCanceled", lambda self: True)
    dialog = opened(qtbot)
    dialog.save(tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []
    assert visible_text(dialog, "pictureResult") == ""


def test_the_preview_has_the_chosen_look(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    preview = child(dialog, PicturePreview, "picturePreview")

    def grabbed() -> QImage:
        return preview.grab().toImage()

    light = grabbed()
    choose(dialog, "pictureLook", "Dark")
    assert grabbed().pixelColor(8, 4).lightness() < 64 < light.pixelColor(8, 4).lightness()


def test_every_control_has_an_accessible_name_and_is_reached_by_tab(qtbot: QtBot) -> None:
    dialog = opened(qtbot, selection=(3, 5))
    kinds = (QComboBox, QAbstractSpinBox, QPushButton)
    controls = [widget for kind in kinds for widget in dialog.findChildren(kind) if widget.isVisible()]
    assert len(controls) == 8
    reached: set[QWidget] = set()
    widget: QWidget | None = controls[0]
    while widget is not None and widget not in reached:
        reached.add(widget)
        widget = widget.nextInFocusChain()
    for control in controls:
        assert control.accessibleName()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert control in reached
