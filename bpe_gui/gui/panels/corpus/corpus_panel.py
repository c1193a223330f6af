"""The corpus: the text that is trained on, what is cut out of it, and the recipe it is trained by."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFontMetricsF, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.engine import EngineError, FileDocument, TextDocument
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.wording.language import LANGUAGES
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.wording.numbers import size_text
from bpe_gui.gui.panels.corpus.corpus_statistics import CorpusStatistics
from bpe_gui.gui.panels.corpus.document_list import DocumentList
from bpe_gui.gui.panels.corpus.special_tokens_field import SpecialTokensField
from bpe_gui.gui.wording.recipe_texts import preset_title, summary
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.views.plain_text_edit import (
    LONGEST_LINE,
    PlainTextEdit,
    editor_spelling,
    local_files,
    with_line_breaks_of,
)
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.widgets import hairline, named
from bpe_gui.samples import samples

PREVIEW: Final = 64_000
"""Bytes that are shown of a document which is not poured into the editor."""

_AT_ONCE: Final = 20_000  # characters from which on typing is handed on after a pause
_PAUSE: Final = 300  # milliseconds
_TAB_COLUMNS: Final = 4
_GRID: Final = 8


@dataclass(frozen=True, slots=True)
class _Preview:
    """The beginning of a document that is not edited here, and what is to be said about it."""

    text: str
    notice: str
    role: str = "quiet"


class CorpusPanel(QWidget):
    """The documents of the corpus, an editor for the selected one, and what else makes the word counts.

    The text of a document lives in the session; the editor shows it, and hands on what the user changes.
    """

    open_requested = Signal()
    """The user wants to choose files to open."""

    sample_requested = Signal(object)
    """The user chose a Sample."""

    files_dropped = Signal(list)
    """Paths of files that were dropped here, or copied elsewhere and pasted here."""

    document_removed = Signal(str, object)
    """The title of a document that the user took out, and a function that puts it back."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("corpusPanel")
        self._session = session
        self._theme = theme
        self._document: CorpusDocument | None = None  # the selected one
        self._known: tuple[CorpusDocument, ...] = ()
        self._typing = QTimer(self, singleShot=True, interval=_PAUSE)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.setAcceptDrops(True)
        self._take_theme()
        self._set_texts()
        self._documents_changed()
        self._show_recipe()
        self._show_whose()

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_widgets(self) -> None:
        self._title = QLabel(self)
        set_role(self._title, "title")
        self._remove_button = named(QToolButton(self), "removeDocumentButton")
        self._add_button = named(QToolButton(self), "addDocumentButton")
        self._open_button = named(QToolButton(self), "openCorpusButton")
        self._sample_button = named(QToolButton(self), "sampleButton")
        self._sample_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._sample_button.setMenu(QMenu(self._sample_button, toolTipsVisible=True))
        self._list = DocumentList(self._theme, self)
        self._notice = SentenceLabel(parent=self, name="corpusNotice")
        self._notice.setContentsMargins(_GRID, _GRID // 2, _GRID, _GRID // 2)
        self._editor = PlainTextEdit(self, object_name="corpusEditor")
        self._editor.document().setDocumentMargin(_GRID)
        self._statistics = CorpusStatistics(self._session, self._theme, self)
        self._special_tokens = SpecialTokensField(self._session, self._theme, self)
        self._recipe_summary = SentenceLabel(parent=self, name="recipeSummary")
        set_role(self._recipe_summary, "quiet")
        self._recipe_button = named(QPushButton(self), "recipeButton")

    def _lay_out(self) -> None:
        header = QFrame(self)
        set_role(header, "panelHeader")
        row = QHBoxLayout(header)
        row.setContentsMargins(_GRID, 0, _GRID // 2, 0)
        row.setSpacing(2)
        row.addWidget(self._title, 1)
        for button in (self._remove_button, self._add_button, self._open_button, self._sample_button):
            button.setAutoRaise(True)
            row.addWidget(button)
        self._list_line = hairline(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(header)
        layout.addWidget(self._list)
        layout.addWidget(self._list_line)
        layout.addWidget(self._notice)
        layout.addWidget(self._editor, 1)
        layout.addWidget(hairline(self))
        layout.addLayout(self._lay_out_footer())

    def _lay_out_footer(self) -> QVBoxLayout:
        footer = QVBoxLayout()
        footer.setContentsMargins(_GRID, _GRID, _GRID, _GRID)
        footer.setSpacing(_GRID)
        footer.addWidget(self._statistics)
        footer.addWidget(self._special_tokens)
        row = QHBoxLayout()
        row.setSpacing(_GRID)
        row.addWidget(self._recipe_summary, 1)
        row.addWidget(self._recipe_button)
        footer.addLayout(row)
        return footer

    def _connect(self) -> None:
        self._open_button.clicked.connect(self.open_requested)
        self._add_button.clicked.connect(self.add_empty_document)
        self._remove_button.clicked.connect(self.remove_selected_document)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self._list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self.remove_selected_document)
        self._list.row_chosen.connect(self._select)
        self._editor.textChanged.connect(self._edited)
        self._editor.files_dropped.connect(self.files_dropped)
        self._typing.timeout.connect(self._commit)
        self._special_tokens.files_dropped.connect(self.files_dropped)
        self._recipe_button.clicked.connect(self.edit_recipe)
        self._session.documents_changed.connect(self._documents_changed)
        self._session.recipe_changed.connect(self._show_recipe)
        self._session.tokenizer_opened.connect(self._show_whose)
        self._theme.changed.connect(self._take_theme)

    def _take_theme(self) -> None:
        self._remove_button.setIcon(self._theme.icon("remove"))
        self._add_button.setIcon(self._theme.icon("add"))
        self._open_button.setIcon(self._theme.icon("open"))
        self._sample_button.setIcon(self._theme.icon("sample"))
        font = self._theme.token_font()
        self._editor.setFont(font)
        self._editor.setTabStopDistance(_TAB_COLUMNS * QFontMetricsF(font).horizontalAdvance(" "))

    # -- texts ------------------------------------------------------------------------------------------------------

    def _set_texts(self) -> None:
        _name(self._open_button, self.tr("Open files…"))
        _name(self._sample_button, self.tr("Samples"))
        _name(self._add_button, self.tr("Add an empty document"))
        _name(self._remove_button, self.tr("Remove the selected document"))
        self._list.setAccessibleName(self.tr("Documents of the corpus"))
        self._editor.setAccessibleName(self.tr("Text of the corpus"))
        self._editor.setPlaceholderText(self.tr("Write or paste the text to train on, or drop files here."))
        self._recipe_button.setText(self.tr("Recipe…"))
        self._recipe_button.setAccessibleName(self.tr("Change the recipe"))
        self._fill_samples()

    def _fill_samples(self) -> None:
        menu = self._sample_button.menu()
        menu.clear()
        language = _shown_language()
        for sample in samples():
            action = menu.addAction(sample.title(language))
            action.setToolTip(sample.note(language))
            action.triggered.connect(lambda _checked=False, sample=sample: self.sample_requested.emit(sample))

    def _show_whose(self) -> None:
        """Beside an opened tokenizer, step back: the corpus, its special tokens and the recipe are of the run."""
        is_aside = self._session.opened is not None
        self._title.setText(self.tr("Corpus of the run") if is_aside else self.tr("Corpus"))
        set_role(self, "aside" if is_aside else "")
        for part in (*self.findChildren(QLabel), *self.findChildren(PlainTextEdit)):
            part.style().polish(part)  # which follows from the role of the panel

    # -- documents --------------------------------------------------------------------------------------------------

    def add_empty_document(self) -> None:
        """Add a document to write in."""
        self.flush()
        self._session.add_documents([CorpusDocument(self._new_title(), TextDocument(""))])
        self._editor.setFocus()

    def _new_title(self) -> str:
        taken = {document.title for document in self._session.documents}
        titles = (self.tr("Text {number}").format(number=count) for count in range(1, len(taken) + 2))
        return next(title for title in titles if title not in taken)

    def remove_selected_document(self) -> None:
        """Take the selected document out of the corpus; `document_removed` offers to put it back."""
        self.flush()
        document = self._document
        if document is None:
            return
        index = self._index_of(document)
        self._session.remove_document(index)
        session = self._session

        def put_back() -> None:  # also when this panel is gone, because the language has changed
            documents, recipe, size = session.documents, session.recipe, session.vocab_size
            session.add_documents((*documents[:index], document, *documents[index:]), instead=True)
            session.set_recipe(recipe)
            session.set_vocab_size(size)

        self.document_removed.emit(document.title, put_back)

    def _index_of(self, document: CorpusDocument) -> int:
        """Where this very document stands; two may be equal. -1 if it is gone."""
        return next((i for i, other in enumerate(self._session.documents) if other is document), -1)

    def _documents_changed(self) -> None:
        self.flush()
        documents = self._session.documents
        known = set(map(id, self._known))
        added = [document for document in documents if id(document) not in known]
        index = self._list.row
        if added:
            index = self._index_of(added[0])
        elif self._document is not None and self._index_of(self._document) >= 0:
            index = self._index_of(self._document)
        self._known = documents
        self._fill_list()
        self._select(min(index, len(documents) - 1))

    def _fill_list(self) -> None:
        documents = self._session.documents
        with QSignalBlocker(self._list):
            self._list.show_documents(documents)
            if self._document is not None:
                self._list.choose(self._index_of(self._document))
        listed = len(documents) > 1 or any(isinstance(each.content, FileDocument) for each in documents)
        self._list.setVisible(listed)
        self._list_line.setVisible(listed)
        self._remove_button.setVisible(listed)

    def _select(self, index: int) -> None:
        """Show a document; an index of -1 shows an empty editor to write in."""
        documents = self._session.documents
        document = documents[index] if 0 <= index < len(documents) else None
        with QSignalBlocker(self._list):
            self._list.choose(index)
        if document is None or document is not self._document:
            self.flush()
            self._document = document
            self._load(document)

    # -- the editor -------------------------------------------------------------------------------------------------

    def _load(self, document: CorpusDocument | None) -> None:
        preview = self._preview(document) if document else None
        with QSignalBlocker(self._editor):
            self._editor.setPlainText(preview.text if preview else _text_of(document))
        self._editor.setReadOnly(preview is not None)
        self._notice.setVisible(preview is not None)
        if preview is not None:
            self._notice.setText(preview.notice)
            set_role(self._notice, preview.role)

    def _preview(self, document: CorpusDocument) -> _Preview | None:
        """What to show in place of the whole document; None if it can be edited."""
        content = document.content
        if isinstance(content, TextDocument) and not _has_long_lines(content.text):
            return None
        try:
            beginning = next(content.chunks(), "").encode()[:PREVIEW].decode(errors="ignore")
            size = content.size()
        except EngineError as error:
            return _Preview("", sentence(error), "warning")
        if isinstance(content, TextDocument):
            notice = self.tr("{name} · {size} · preview of the first {part}; it has lines too long to be edited here")
        elif size > PREVIEW:
            notice = self.tr("{name} · {size} · preview of the first {part}; the file is read when it is counted")
        else:
            notice = self.tr("{name} · {size} · the file is read when it is counted")
        part = size_text(PREVIEW, 0)
        return _Preview(beginning, notice.format(name=document.title, size=size_text(size), part=part))

    def _edited(self) -> None:
        if self._editor.document().characterCount() < _AT_ONCE:
            self._commit()
        else:
            self._typing.start()

    def flush(self) -> None:
        """Hand on what was typed a moment ago, if anything."""
        if self._typing.isActive():
            self._commit()

    def _commit(self) -> None:
        self._typing.stop()
        edited, before = self._editor.text(), _text_of(self._document)
        if self._editor.isReadOnly() or edited == editor_spelling(before):
            return
        text = with_line_breaks_of(before, edited)
        if self._document is None:
            self._begin_document(text)
            return
        index = self._index_of(self._document)
        if index >= 0:
            self._session.edit_document(index, text)
            self._take_edited(self._document, index)

    def _take_edited(self, before: CorpusDocument, index: int) -> None:
        self._document = self._session.documents[index]
        self._known = tuple(self._document if known is before else known for known in self._known)
        if index < self._list.count:  # it may be about to be filled anew
            self._list.replace(index, self._document)

    def _begin_document(self, text: str) -> None:
        """The user writes though there is no document: what is written becomes one."""
        self._document = CorpusDocument(self._new_title(), TextDocument(text))
        self._known = (self._document,)
        self._session.add_documents([self._document])

    # -- the recipe ---------------------------------------------------------------------------------------------------

    def _show_recipe(self) -> None:
        recipe = self._session.recipe
        words = self.tr("{preset}: {summary}")
        self._recipe_summary.setText(words.format(preset=preset_title(recipe.preset), summary=summary(recipe)))

    def edit_recipe(self) -> None:
        """Open the dialog in which every switch of the recipe can be changed."""
        dialog = RecipeDialog(self._session.recipe, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._session.set_recipe(dialog.recipe()))
        dialog.open()

    # -- drag and drop ----------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes files."""
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Offers the files; the main window opens them."""
        event.acceptProposedAction()
        self.files_dropped.emit(local_files(event.mimeData()))


def _text_of(document: CorpusDocument | None) -> str:
    return document.content.text if document and isinstance(document.content, TextDocument) else ""


def _has_long_lines(text: str) -> bool:
    return max(map(len, editor_spelling(text).split("\n"))) > LONGEST_LINE


def _shown_language() -> str:
    shown = QLocale().language()
    return next((name for name in LANGUAGES if QLocale(name).language() == shown), LANGUAGES[0])


def _name(button: QToolButton, words: str) -> None:
    button.setToolTip(words)
    button.setAccessibleName(words.rstrip("…"))
