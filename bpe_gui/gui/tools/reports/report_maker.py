"""The texts that a report measures, making it in a thread, and writing it to files."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import (
    Document,
    EngineError,
    FileDocument,
    FileSearch,
    Progress,
    TextDocument,
    Tokenizer,
    write_files,
)
from bpe_gui.engine.reports import (
    Contents,
    PrunePreview,
    Report,
    ReportText,
    TextReport,
    Wording,
    make_report,
    preview_pruning,
    texts_by_folder,
)
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.session.corpus import CorpusDocument, FileStamp
from bpe_gui.gui.session.object_names import ShownObject, name_at, shown_object
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.phrases import decimal, listed, number, share, translate
from bpe_gui.samples import title_in


def in_language(text: str) -> str:
    """Return a report text in the language of the window."""
    return translate("Report", text)


def wording() -> Wording:
    """Return how reports are worded in the language of the window."""
    return Wording(in_language, number, decimal, share, listed)


# -- what to measure ---------------------------------------------------------------------------------------------------

_TENTH = 10

FindTexts = Callable[[Progress], list[ReportText]]
"""Finds the texts in a thread; calls its argument, which may raise to cancel the search."""


class TextChoice(Enum):
    NOTHING = "nothing"
    CORPUS = "corpus"
    TEXT = "text"
    FILES = "files"
    FOLDER = "folder"
    TENTH = "tenth"
    """A tenth of the corpus, which is taken out of it."""


@dataclass(frozen=True, slots=True)
class ChosenTexts:
    """A choice: `paths` are the files, or the one folder.

    `documents` are the tenth that was held out, and `kept` the rest of the corpus at that time.
    """

    choice: TextChoice
    paths: tuple[Path, ...] = ()
    documents: tuple[CorpusDocument, ...] = ()
    kept: tuple[CorpusDocument, ...] = ()

    def finder(self, session: Session) -> FindTexts:
        """Return a function that finds the texts; it uses the corpus and the text to encode as of now.

        In a folder, each direct subfolder is a text, such as a language, and so is each file. Documents that cannot be
        read are left out of the report, and named there.
        """
        if self.choice is TextChoice.FOLDER:
            return lambda progress: _texts_in(self.paths[0], progress)
        texts = self._texts_of(session)
        return lambda _announce: texts

    def name_in_language(self, name: str) -> str:
        """Return the name of one of the texts in the language of the window, which may have changed."""
        match self.choice:
            case TextChoice.CORPUS | TextChoice.TENTH:
                return title_in(language_in_force(), name)
            case TextChoice.TEXT:
                return translate("Reporting", "Text to encode")
        return name

    def _texts_of(self, session: Session) -> list[ReportText]:
        match self.choice:
            case TextChoice.CORPUS | TextChoice.TENTH:
                documents = self.documents or session.corpus.documents
                return [ReportText(each.shown_title, [each.content], skips_unreadable=True) for each in documents]
            case TextChoice.TEXT:
                return [ReportText(self.name_in_language(""), [TextDocument(session.text.content)])]
        return [ReportText(path.name, [FileDocument(path)], skips_unreadable=True) for path in self.paths]


def _texts_in(folder: Path, progress: Progress) -> list[ReportText]:
    search = FileSearch(folder, "**/*")
    search.run(lambda _found, _limit: progress(0, 0))
    if not search.files:
        raise EngineError("{path} has no files. Choose a folder with text, or a file.", path=str(folder))
    # As in the search: `absolute` would leave `..` in the path.
    return texts_by_folder(Path(os.path.abspath(folder)), [FileDocument(found.path) for found in search.files])  # noqa: PTH100


def without_tenth(
    documents: Sequence[CorpusDocument],
) -> tuple[tuple[CorpusDocument, ...], tuple[CorpusDocument, ...]]:
    """Return documents without a tenth of them, and that tenth: every tenth document, or the end of each text.

    The tenth is empty if the documents are few and none is a text in memory that can be divided.
    """
    if any(document.counts is not None for document in documents):
        return tuple(documents), ()
    if len(documents) >= _TENTH:
        held = tuple(documents[_TENTH - 1 :: _TENTH])
        return tuple(each for index, each in enumerate(documents) if index % _TENTH != _TENTH - 1), held
    kept, held_out = [], []
    for document in documents:
        text = document.content.text if isinstance(document.content, TextDocument) else ""
        end, least = len(text) * (_TENTH - 1) // _TENTH, len(text) * (_TENTH - 2) // _TENTH
        cut = max(text.rfind("\n", least, end), text.rfind(" ", least, end) if "\n" not in text[least:end] else -1) + 1
        cut = cut or end
        if cut < len(text) and cut:
            kept.append(replace(document, content=TextDocument(text[:cut]), is_edited=True))
            held_out.append(replace(document, content=TextDocument(text[cut:]), is_edited=True))
        else:
            kept.append(document)
    return tuple(kept), tuple(held_out)


def together(texts: Sequence[ReportText]) -> ReportText:
    """Return texts as a single one, with the names of the first of them."""
    documents = [document for text in texts for document in text.documents]
    name = texts[0].name + (" …" if len(texts) > 1 else "")
    return ReportText(name, documents, skips_unreadable=True)


# -- the report -------------------------------------------------------------------------------------------------------

FileContents = Mapping[Path, str | bytes]


class Subject(NamedTuple):
    """An opened tokenizer or a run, at the step that is measured."""

    shown: ShownObject
    step: int

    @classmethod
    def of(cls, session: Session) -> "Subject":
        """Return what the main window shows."""
        return cls(shown_object(session), session.cursor.position)

    @property
    def name(self) -> str:
        """The current name, in the language of the window."""
        return name_at(self.shown, self.step)


@dataclass(frozen=True, slots=True, eq=False)
class ReportSource:
    """The tokenizer and the texts of a report, as they were when measuring began.

    - `texts`, `held_out`: what the user chose.
    - `documents`: the contents of the corpus, and the states of their files.
    - `text`: the text to encode, in UTF-8; empty if it was not chosen.
    """

    subject: Subject
    texts: ChosenTexts
    held_out: ChosenTexts
    documents: tuple[tuple[Document, FileStamp], ...]
    text: bytes

    @classmethod
    def of(cls, session: Session, texts: ChosenTexts, held_out: ChosenTexts) -> "ReportSource":
        """Return the source of a report that starts now."""
        live = session.text.live
        text = live.read(0, len(live)) if TextChoice.TEXT in (texts.choice, held_out.choice) else b""
        return cls(Subject.of(session), texts, held_out, session.corpus.inputs.contents, text)

    def has_changed_in(self, session: Session) -> bool:
        """Return whether the corpus or the text to encode, if measured, has changed since."""
        chosen, text = (self.texts.choice, self.held_out.choice), session.text.live
        if TextChoice.TEXT in chosen and (len(text) != len(self.text) or text.read(0, len(text)) != self.text):
            return True
        return TextChoice.CORPUS in chosen and self.documents != session.corpus.inputs.contents


@dataclass(frozen=True, slots=True, eq=False)
class MadeReport:
    """A report; `pruning` is None if there is nothing to leave out."""

    report: Report
    pruning: PrunePreview | None
    source: ReportSource

    def named_report(self) -> Report:
        """Return the report with the names of the tokenizer and the texts in the language of the window."""
        source, held_out = self.source, self.report.held_out
        return replace(
            self.report,
            name=source.subject.name,
            texts=tuple(_named(text, source.texts) for text in self.report.texts),
            held_out=None if held_out is None else _named(held_out, source.held_out),
        )


def _named(text: TextReport, chosen: ChosenTexts) -> TextReport:
    return replace(text, name=chosen.name_in_language(text.name))


class ReportMaker(JobRunner):
    """Does one thing at a time in a thread: reports on the tokenizer on screen, or writes the report.

    - `made`: there is a new `result`.
    - `written(paths)`: the files were written.
    - `failed(error)`: an EngineError; the previous report stays.
    - `cancelled`: the user has cancelled, and the previous report stays.
    - `texts_changed`: the texts may no longer be the ones that were measured.
    """

    made = Signal()
    written = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    texts_changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.result: MadeReport | None = None
        """The last report; None before the first one."""
        for text_changed in (session.text.replaced, session.text.edited, session.corpus.inputs_changed):
            text_changed.connect(self.texts_changed)

    def make(self, tokenizer: Tokenizer, chosen: ChosenTexts, held_out: ChosenTexts, reference: str = "") -> None:
        """Report on the tokenizer on screen, line by line if one of several texts has the name `reference`.

        Raise RuntimeError while busy.
        """
        source = ReportSource.of(self._session, chosen, held_out)
        name = source.subject.name
        find, find_held_out = chosen.finder(self._session), held_out.finder(self._session)
        has_held_out = held_out.choice is not TextChoice.NOTHING

        def work(progress: Progress) -> MadeReport:
            progress(0, 0)
            import pyqtgraph  # noqa: F401  # which the window needs as soon as there is a report

            texts = find(progress)
            kept = together(found) if has_held_out and (found := find_held_out(progress)) else None

            report = make_report(
                tokenizer,
                texts,
                kept,
                name=name,
                to_last=True,
                by_line=len(texts) > 1 and any(text.name == reference for text in texts),
                progress=lambda done, total: progress(done, 2 * total),
            )
            if texts and not report.texts:
                raise report.skipped[0].reason
            Contents(report).lists()  # computed once, as this may take a second, and the window lists it
            pruning = preview_pruning(report, texts, kept, lambda done, total: progress(total + done, 2 * total))
            return MadeReport(report, pruning, source)

        self._start("make a report", work, self._take)

    def write(self, contents: Callable[[], FileContents]) -> None:
        """Write all files or none; their contents are made in the thread. Raise RuntimeError while busy."""

        def work(progress: Progress) -> list[Path]:
            progress(0, 0)
            files = contents()
            progress(0, 0)
            write_files(files)
            return list(files)

        self._start("write a report", work, self.written.emit)

    def _start(self, name: str, work: Callable[[Progress], object], take: Callable[..., object]) -> None:
        self.start(name, work, take, self.failed.emit, self.cancelled.emit)

    def _take(self, result: MadeReport) -> None:
        self.result = result
        self.made.emit()
