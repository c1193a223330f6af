"""The site's pages, which come with the program as they are written: in Markdown, with a few directives of Sphinx."""

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, QUrl
from PySide6.QtGui import QColor, QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidgetItem, QTextBrowser, QWidget

from bpe_gui.gui.look.layouts import DIALOG_MARGIN, GAP, dialog_column, row_of
from bpe_gui.gui.look.widgets import ListWidget, name_widget, offer_clearing, push_button
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.resources import documentation

translate = QCoreApplication.translate  # lupdate knows the function by this name

_SIZE: Final = 920, 640  # pixels
_LIST_WIDTH: Final = 232
_GROUND_OF_CODE: Final = QColor(128, 128, 128, 32)  # on light and on dark pages
_AROUND_CODE: Final = 6  # pixels
_DIRECTIVE: Final = re.compile(r"^( *)```\{([a-z-]+)\}(.*)\n((?:.*\n)*?) *```$", re.MULTILINE)
_CARD: Final = re.compile(r"^:+\{grid-item-card\} (.*)\n:link: (.*)\n:link-type: doc\n((?:.*\n)*?):+$", re.MULTILINE)
_HEADED: Final = re.compile(r"^:+\{(?:grid-item-card|tab-item|dropdown)\} (.*)$", re.MULTILINE)
_OPTION: Final = re.compile(r"^:.*\n", re.MULTILINE)
_ROLE: Final = re.compile(r"\{[a-z]+\}`([^`<]*?)(?: <[^`]*>)?`")
_FRONT_MATTER: Final = re.compile(r"\A---\n.*?^---\n", re.MULTILINE | re.DOTALL)


class DocumentationBox(QDialog):
    """Shows a page beside the list of all, which words in the field leave those that have them all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("documentationBox")
        self.setWindowTitle(self.tr("Documentation"))
        self._root = documentation(language_in_force()).resolve()
        self._browser = name_widget(_Browser(openExternalLinks=True), "documentationPage", self.tr("Page"))
        self._browser.document().setDocumentMargin(DIALOG_MARGIN)
        self._field = name_widget(QLineEdit(), "documentationField", self.tr("Find in all pages"))
        self._field.setPlaceholderText(self.tr("Find in all pages"))
        offer_clearing(self._field, self.tr("Clear the filter"))
        self._list = name_widget(ListWidget(), "documentationList", self.tr("Pages"))
        self._list.setFixedWidth(_LIST_WIDTH)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # long titles are elided
        self._pages = _pages_from(self._root / "index.md")
        for page in self._pages:
            is_below = page.parent != self._root and page.stem != "index"
            QListWidgetItem("    " * is_below + _title_of(page), self._list).setToolTip(_title_of(page))
        back = push_button("documentationBackButton", self.tr("Back"), self._browser.backward)
        back.setEnabled(False)
        self._browser.backwardAvailable.connect(back.setEnabled)
        dialog_column(self, row_of((self._field, 1), back), (row_of(self._list, (self._browser, 1), spacing=GAP), 1))
        self.resize(*_SIZE)
        self._field.textChanged.connect(self._filter)
        self._field.returnPressed.connect(self._enter)
        self._list.currentRowChanged.connect(self._choose)
        self._browser.sourceChanged.connect(self._show_place)

    def show_page(self, page: str) -> None:
        """Show a page by its path in the folder of a language, without suffix."""
        self._browser.setSource(QUrl.fromLocalFile(self._root / f"{page}.md"))

    def _filter(self) -> None:
        words = self._field.text().casefold().split()
        for row, page in enumerate(self._pages):
            self._list.item(row).setHidden(not all(word in _text_of(page).casefold() for word in words))

    def _enter(self) -> None:
        """Open the first page found if the one on screen is not among them, or go to its next place."""
        found = [row for row in range(self._list.count()) if not self._list.isRowHidden(row)]
        if found and self._list.currentRow() not in found:
            self._list.setCurrentRow(found[0])
        else:
            self._find()

    def _find(self) -> None:
        """Select the next place with the typed text in this page, after the last one the first."""
        if self._field.text() and not self._browser.find(self._field.text()):
            self._browser.moveCursor(QTextCursor.MoveOperation.Start)
            self._browser.find(self._field.text())

    def _choose(self, row: int) -> None:
        self._browser.setSource(QUrl.fromLocalFile(self._pages[row]))
        self._find()

    def _show_place(self, source: QUrl) -> None:
        """Mark the page in the list, which a link may have led to."""
        with QSignalBlocker(self._list):
            self._list.setCurrentRow(self._pages.index(Path(source.toLocalFile()).resolve()))
        self._browser.format()


class _Browser(QTextBrowser):
    """Reads pages."""

    def loadResource(self, type: int, name: QUrl | str) -> Any:  # noqa: N802 (Qt's name)
        """Return a page as Qt's Markdown."""
        path = Path(QUrl(name).toLocalFile())
        return _readable(path) if path.suffix == ".md" else super().loadResource(type, name)

    def format(self) -> None:
        """Underline links, and wrap code on a ground of its own: Qt would make the page as wide as its longest line."""
        link = QTextCharFormat()
        link.setFontUnderline(True)
        cursor, block = QTextCursor(self.document()), self.document().begin()
        while block.isValid():
            look = QTextBlockFormat()
            look.setNonBreakableLines(False)
            if (code := _code_of(block)) is not None:
                look.setBackground(_GROUND_OF_CODE)
                look.setTopMargin(0 if _code_of(block.previous()) == code else _AROUND_CODE)
                look.setBottomMargin(0 if _code_of(block.next()) == code else _AROUND_CODE)
            cursor.setPosition(block.position())
            cursor.mergeBlockFormat(look)
            for span in block.textFormats():
                if span.format.isAnchor():
                    cursor.setPosition(block.position() + span.start)
                    cursor.setPosition(block.position() + span.start + span.length, QTextCursor.MoveMode.KeepAnchor)
                    cursor.mergeCharFormat(link)
            block = block.next()


def _code_of(block: QTextBlock) -> str | None:
    """Return the language of the code that a line is part of; None for text."""
    look, language = block.blockFormat(), QTextFormat.Property.BlockCodeLanguage
    return look.stringProperty(language) if look.hasProperty(QTextFormat.Property.BlockCodeFence) else None


@cache
def _text_of(page: Path) -> str:
    text = _FRONT_MATTER.sub("", page.read_text("utf-8"))
    included = _DIRECTIVE.fullmatch(text.rstrip())
    return _text_of(page.parent / included[3].strip()) if included and included[2] == "include" else text


def _title_of(page: Path) -> str:
    return _text_of(page).partition("\n")[0].removeprefix("# ").replace("`", "")


def _listed_in(content: str, page: Path) -> list[Path]:
    lines = filter(None, map(str.strip, _OPTION.sub("", content).splitlines()))
    names = (line.rpartition("<")[2].removesuffix(">") for line in lines)  # some have a title before them
    return [(page.parent / f"{name}.md").resolve() for name in names]


def _pages_from(page: Path) -> list[Path]:
    """Return a page and all below it, in the order of their tables of contents."""
    contents = [match[4] for match in _DIRECTIVE.finditer(_text_of(page)) if match[2] == "toctree"]
    below = [each for content in contents for each in _listed_in(content, page)]
    return [page, *(each for top in below for each in _pages_from(top))]


def _readable(page: Path) -> str:
    """Return a page in plain Markdown, with captions for pictures, since these are of the window on the screen."""

    def replaced(directive: re.Match[str]) -> str:
        indent, name, argument, content = directive.groups()
        match name:
            case "picture":
                template = translate("Documentation", "Picture: {caption}")
                return f"{indent}*{template.format(caption=' '.join(map(str.strip, content.splitlines())))}*"
            case "toctree" if ":hidden:" not in content:
                return "\n".join(f"- [{_title_of(each)}](<{each.as_uri()}>)" for each in _listed_in(content, page))
            case "glossary":
                return re.sub(r"^(\S.*)\n +", r"- **\1**: ", _OPTION.sub("", content), flags=re.MULTILINE)
            case "program-output" | "code-block":
                return f"```\n{_OPTION.sub('', content).strip() or argument.strip()}\n```"
            case "eval-rst":
                return ", ".join(f"`{each}`" for each in re.findall(r"auto\w+:: (\S+)", content))
            case "switches" | "presets" | "expressions":
                return translate("Documentation", "*The dialog of recipes lists them: Training > Recipe….*")
            case "formats":
                return translate("Documentation", "*The dialog of exports says it of your tokenizer.*")
        return ""

    text = _CARD.sub(
        lambda card: f"- [{card[1]}]({card[2]}.md): {card[3].strip()}", _DIRECTIVE.sub(replaced, _text_of(page))
    )
    return _ROLE.sub(r"\1", _OPTION.sub("", _HEADED.sub(r"**\1**\n", text)))
