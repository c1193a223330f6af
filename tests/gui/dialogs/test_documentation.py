"""The site's pages are readable in the window, in its language, and F1 in a dialog opens the page about it."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QBrush, QTextBlock, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QListWidget, QTextBrowser
from pytestqt.qtbot import QtBot

from bpe_gui.gui.dialogs import boxes
from bpe_gui.gui.dialogs.documentation import DocumentationBox, _code_of
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.wording.language import LANGUAGES, install_language
from bpe_gui.resources import documentation
from tests.gui.support.widgets import button, child

ROOT = Path(__file__).parents[3]


@pytest.fixture
def box(qtbot: QtBot) -> DocumentationBox:
    box = DocumentationBox()
    qtbot.addWidget(box)
    box.show_page("index")
    return box


def browser(box: QDialog) -> QTextBrowser:
    return child(box, QTextBrowser, "documentationPage")


def pages(box: QDialog) -> QListWidget:
    return child(box, QListWidget, "documentationList")


def blocks(shown: QTextBrowser) -> Iterator[QTextBlock]:
    block = shown.document().begin()
    while block.isValid():
        yield block
        block = block.next()


def hrefs(shown: QTextBrowser) -> set[str]:
    """Return where the links of a page lead."""
    return {span.format.anchorHref() for block in blocks(shown) for span in block.textFormats()} - {""}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_shown_without_directives_and_with_links_that_lead_on(
    qtbot: QtBot, qapp: QApplication, language: str
) -> None:
    install_language(qapp, language)
    box = DocumentationBox()
    qtbot.addWidget(box)
    paths = set(documentation(language).rglob("*.md"))
    assert pages(box).count() == len(paths)
    shown = browser(box)
    for path in paths:
        box.show_page(path.relative_to(documentation(language)).with_suffix("").as_posix())
        text = shown.toPlainText()
        assert not re.search(r"\{[a-z-]+\}( |$)|^:::|^:[a-z-]+:", text, re.MULTILINE), path
        codes = set(filter(None, map(_code_of, blocks(shown))))
        assert not any(language.startswith("{") for language in codes), path
        for href in hrefs(shown):
            target = shown.source().resolved(QUrl(href))
            assert not target.isLocalFile() or Path(target.toLocalFile()).resolve() in paths, (path, href)
        source = ROOT / "CHANGELOG.md" if path.stem == "changes" else path
        title = source.read_text("utf-8").partition("\n")[0].removeprefix("# ").replace("`", "")
        assert pages(box).currentItem().text().strip() == title


NOT_SHOWN = (
    r"\A---\n[\s\S]*?^---\n",  # front matter
    r"^```\{(?:index|toctree|include)\}[\s\S]*?^```",
    r"^ *:[a-z-]+:.*",  # options
    r"\.\. (?:auto[a-z]+|currentmodule)::|(?<=currentmodule:: ).*",
    r"^ *```(?:\{(?:picture|image)\} .*|[a-z]+)$|^ *(?:```|:+)\{[a-z-]+\}(?: still| 1 3 3 3)?",
    r"(?<=\])\([^)]*\)|\{[a-z]+\}(?=`)| <[^`>]*>(?=`)",  # where links lead
    r"^ *\d+\. ",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_a_page_is_shown(qtbot: QtBot, qapp: QApplication, language: str) -> None:
    """Check that no directive swallows what it contains: captions of pictures, tabs, notes, code."""
    install_language(qapp, language)
    box = DocumentationBox()
    qtbot.addWidget(box)
    for path in documentation(language).rglob("*.md"):
        box.show_page(path.relative_to(documentation(language)).with_suffix("").as_posix())
        shown = re.sub(r"\W", "", browser(box).toPlainText())
        source = re.sub("|".join(NOT_SHOWN), "", path.read_text("utf-8"), flags=re.MULTILINE)
        missing = [line for line in source.splitlines() if re.sub(r"\W", "", line) not in shown]
        assert not missing, path


def test_pages_are_found_by_words(box: DocumentationBox) -> None:
    field = child(box, QLineEdit, "documentationField")
    field.setText("seed tokens")
    found = [
        pages(box).item(row).text().strip() for row in range(pages(box).count()) if not pages(box).isRowHidden(row)
    ]
    assert "Steer training with a plan" in found
    assert "The lecture on minbpe" not in found
    pages(box).setCurrentRow(next(row for row in range(pages(box).count()) if "Steer" in pages(box).item(row).text()))
    assert browser(box).textCursor().selectedText().lower() == "seed tokens"
    first = browser(box).textCursor().position()
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert browser(box).textCursor().position() > first
    browser(box).moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert browser(box).textCursor().position() == first


def test_enter_opens_the_first_page_found(box: DocumentationBox) -> None:
    box.show_page("explanation/proof")
    field, shown = child(box, QLineEdit, "documentationField"), pages(box)
    field.setText("seed tokens")
    found = [row for row in range(shown.count()) if not shown.isRowHidden(row)]
    assert len(found) > 1 and shown.currentRow() not in found
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert shown.currentRow() == found[0]
    assert browser(box).textCursor().selectedText().lower() == "seed tokens"
    field.setText("qzxqzx")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert shown.currentRow() == found[0]


def test_back_goes_to_the_page_before(box: DocumentationBox) -> None:
    back = button(box, "documentationBackButton")
    assert not back.isEnabled()
    box.show_page("how-to/plans")
    assert pages(box).currentItem().text().strip() == "Steer training with a plan"
    back.click()
    assert pages(box).currentItem().text() == "bpe-gui"
    assert not back.isEnabled()


def test_help_shows_the_pages(window: MainWindow) -> None:
    window.actions_by_name["documentation"].trigger()
    box = child(window, DocumentationBox, "documentationBox")
    assert box.isVisible()
    assert not box.isModal()
    assert browser(box).source().fileName() == "index.md"
    window.actions_by_name["documentation"].trigger()
    assert len(window.findChildren(DocumentationBox)) == 1


def test_f1_in_a_dialog_shows_its_page(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_name["recipe"].trigger()
    dialog = child(window, QDialog, "recipeDialog")
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    QTest.keyClick(dialog, Qt.Key.Key_F1)
    box = child(dialog, DocumentationBox, "documentationBox")
    assert box.isVisible()
    assert browser(box).source().path().endswith("/reference/recipes.md")


def test_the_pages_about_dialogs_exist() -> None:
    for page in (*boxes._PAGES.values(), boxes._WINDOW_PAGE):
        for language in LANGUAGES:
            assert (documentation(language) / f"{page}.md").is_file(), page


def test_the_wheel_has_the_pages_of_every_language() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    for language in LANGUAGES:
        assert wheel["force-include"][f"docs/{language}"] == f"bpe_gui/resources/docs/{language}"


def test_code_has_a_ground_and_a_gap_before_what_it_prints(box: DocumentationBox) -> None:
    box.show_page("how-to/exporting")
    document = browser(box).document()
    code, printed = (document.find(text).block() for text in ("from tokenizers import Tokenizer", "['the',"))
    text = document.find("wants a folder").block().blockFormat()
    assert code.blockFormat().background() != text.background() == QBrush()
    assert code.blockFormat().topMargin() > 0 < printed.blockFormat().topMargin()
    assert code.next().blockFormat().topMargin() == 0, "it is one block"
