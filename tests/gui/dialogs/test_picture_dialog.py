"""The dialog for pictures: what it offers, what it copies and writes, and what it says."""

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

from bpe_gui.gui.dialogs import picture_dialog
from bpe_gui.gui.dialogs.picture_dialog import PictureDialog
from bpe_gui.gui.pictures.preview import PicturePreview
from bpe_gui.gui.look.theme import Theme, ThemeChoice
from bpe_gui.gui.system.exact_text import on_clipboard, text_in
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens
from tests.gui.support.token_sources import source_of

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
    found = dialog.findChild(QComboBox, name)
    assert isinstance(found, QComboBox), name
    return found


def choose(dialog: PictureDialog, name: str, words: str) -> None:
    box = combo(dialog, name)
    number = box.findText(words, Qt.MatchFlag.MatchStartsWith)
    assert number >= 0, words
    box.setCurrentIndex(number)


def press(dialog: PictureDialog, name: str) -> None:
    found = dialog.findChild(QPushButton, name)
    assert isinstance(found, QPushButton), name
    found.click()


def said(dialog: PictureDialog, name: str) -> str:
    found = dialog.findChild(QLabel, name)
    assert isinstance(found, QLabel), name
    return found.text() if found.isVisible() else ""


def width(dialog: PictureDialog) -> QSpinBox:
    found = dialog.findChild(QSpinBox, "pictureWidth")
    assert isinstance(found, QSpinBox)
    return found


def test_it_offers_the_selection_first_if_there_is_one(qtbot: QtBot) -> None:
    def parts(dialog: PictureDialog) -> list[str]:
        box = combo(dialog, "picturePart")
        return [box.itemText(number) for number in range(box.count())]

    assert parts(opened(qtbot)) == ["Visible part", "Whole text"]
    assert parts(opened(qtbot, selection=(3, 5))) == ["Selection", "Visible part", "Whole text"]


def test_it_begins_with_the_look_of_the_window(qtbot: QtBot) -> None:
    assert combo(opened(qtbot, choice="light"), "pictureLook").currentText() == "Light"
    assert combo(opened(qtbot, choice="dark"), "pictureLook").currentText() == "Dark"


@pytest.mark.parametrize(
    ("part", "expected"), [("Selection", "er"), ("Visible part", "lower an"), ("Whole text", TEXT)]
)
def test_html_is_copied_of_the_part_that_is_chosen(qtbot: QtBot, part: str, expected: str) -> None:
    dialog = opened(qtbot, selection=(3, 5))
    choose(dialog, "picturePart", part)
    press(dialog, "pictureCopyHtmlButton")
    assert text_in(on_clipboard()).decode() == expected
    assert "background-color" in on_clipboard().html()
    assert said(dialog, "pictureResult") == "Copied as HTML, and as text."


def test_the_picture_is_copied_as_wide_and_as_dark_as_chosen(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    choose(dialog, "pictureLook", "Dark")
    width(dialog).setValue(320)
    press(dialog, "pictureCopyButton")
    image = QGuiApplication.clipboard().image()
    assert image.width() == 640
    assert image.pixelColor(2, 2).lightness() < 64
    assert said(dialog, "pictureResult") == f"Copied as an image: 640 × {image.height()} points."


@pytest.mark.parametrize(("kind", "begins"), [("PNG", b"\x89PNG"), ("SVG", b"<svg "), ("PDF", b"%PDF-")])
def test_a_picture_is_saved_as_chosen(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, begins: bytes
) -> None:
    path = tmp_path / f"my.{kind.lower()}"
    monkeypatch.setattr(QFileDialog, "exec", lambda self: 1)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda self: [str(path)])
    dialog = opened(qtbot)
    choose(dialog, "pictureKind", kind)
    press(dialog, "pictureSaveButton")
    assert path.read_bytes().startswith(begins)
    assert said(dialog, "pictureResult").startswith(f"Written: {path} (")
    assert dialog.isVisible()


def test_nothing_happens_when_no_file_is_chosen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "exec", lambda self: 0)
    dialog = opened(qtbot)
    press(dialog, "pictureSaveButton")
    assert said(dialog, "pictureResult") == ""


def test_it_says_what_went_wrong_and_forgets_it_with_another_choice(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "a.png"
    dialog = opened(qtbot)
    dialog.save(path)
    assert f"{path} cannot be written" in said(dialog, "pictureResult")
    choose(dialog, "picturePart", "Whole")
    assert said(dialog, "pictureResult") == ""


def test_pages_have_a_width_of_their_own(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    assert width(dialog).isEnabled()
    choose(dialog, "pictureKind", "PDF")
    assert not width(dialog).isEnabled()


def test_it_says_when_there_is_room_for_the_beginning_only(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_dialog, "LONGEST_HTML", 1_000)
    dialog = opened(qtbot, source_of(["line\n"] * 1_000))
    assert said(dialog, "pictureNotice") == ""
    choose(dialog, "picturePart", "Whole")
    assert said(dialog, "pictureNotice").startswith("There is room for the beginning only: ")
    assert said(dialog, "pictureNotice").endswith(" of 5.0 kB. A PDF has room for more.")
    choose(dialog, "pictureKind", "PDF")
    assert said(dialog, "pictureNotice") == ""
    press(dialog, "pictureCopyHtmlButton")
    assert said(dialog, "pictureResult") == "Copied as HTML, and as text: the beginning, 1.0 kB of 5.0 kB."
    assert len(text_in(on_clipboard())) == 1_000


def test_who_cancels_gets_no_file(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QProgressDialog, "wasCanceled", lambda self: True)
    dialog = opened(qtbot)
    dialog.save(tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []
    assert said(dialog, "pictureResult") == ""


def test_the_preview_shows_the_part_in_the_look(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    preview = dialog.findChild(PicturePreview, "picturePreview")
    assert isinstance(preview, PicturePreview)

    def grabbed() -> QImage:
        return preview.grab().toImage()

    light = grabbed()
    choose(dialog, "pictureLook", "Dark")
    assert grabbed().pixelColor(8, 4).lightness() < 64 < light.pixelColor(8, 4).lightness()


def test_every_control_has_a_name_and_is_reached_by_tab(qtbot: QtBot) -> None:
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
