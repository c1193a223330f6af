"""The texts that the user chose to report on, and reading them."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import EngineError, FileDocument, TextDocument
from bpe_gui.engine.corpora import FileSearch
from bpe_gui.engine.reports import ReportText, texts_by_folder
from bpe_gui.engine.runtime import translatable as _
from bpe_gui.gui.jobs import Report as Announce
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.samples import title_in

translate = QCoreApplication.translate  # lupdate knows the function by this name

FindTexts = Callable[[Announce], list[ReportText]]
"""Finds the texts in a thread; calls its argument, which may raise to end the search."""


class TextChoice(Enum):
    """The kinds of texts to choose from."""

    NOTHING = "nothing"
    CORPUS = "corpus"
    TEXT = "text"
    FILES = "files"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class ChosenTexts:
    """A choice: `paths` are the files, or the one folder."""

    choice: TextChoice
    paths: tuple[Path, ...] = ()

    def finder(self, session: Session) -> FindTexts:
        """Return what finds the texts; the corpus and the text to encode are those of now.

        In a folder, each folder right below it is a text, such as a language, and so is each file. Documents that
        cannot be read are left out of the report, and named.
        """
        if self.choice is TextChoice.FOLDER:
            return lambda announce: _texts_in(self.paths[0], announce)
        texts = self._texts_of(session)
        return lambda _announce: texts

    def name_in_language(self, name: str) -> str:
        """Return the name of one of the texts in the language of the window, which may have changed."""
        match self.choice:
            case TextChoice.CORPUS:
                return title_in(language_in_force(), name)
            case TextChoice.TEXT:
                return translate("Reporting", "Text to encode")
        return name

    def _texts_of(self, session: Session) -> list[ReportText]:
        match self.choice:
            case TextChoice.CORPUS:
                documents = session.corpus.documents
                return [ReportText(each.shown_title, [each.content], skips_unreadable=True) for each in documents]
            case TextChoice.TEXT:
                return [ReportText(self.name_in_language(""), [TextDocument(session.text.content)])]
        return [ReportText(path.name, [FileDocument(path)], skips_unreadable=True) for path in self.paths]


def _texts_in(folder: Path, announce: Announce) -> list[ReportText]:
    search = FileSearch(folder, "**/*")
    search.run(lambda _found, _limit: announce(0, 0))
    if not search.files:
        raise EngineError(
            _("EngineError", "{path} has no files. Choose a folder with text, or a file."), path=str(folder)
        )
    # As the search does it: `absolute` would leave `..` in the path.
    return texts_by_folder(Path(os.path.abspath(folder)), [FileDocument(found.path) for found in search.files])  # noqa: PTH100


def together(texts: Sequence[ReportText]) -> ReportText:
    """Return texts as one, under the names of the first of them."""
    documents = [document for text in texts for document in text.documents]
    name = texts[0].name + (" …" if len(texts) > 1 else "")
    return ReportText(name, documents, skips_unreadable=True)
