"""The corpus: its documents, special tokens, word counts and recipe."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from bpe_gui.engine import EngineError, FileDocument, TextDocument
from bpe_gui.gui.dialogs.boxes import open_once
from bpe_gui.gui.jobs import pause_before
from bpe_gui.gui.look.layouts import (
    MARGIN,
    SMALL_GAP,
    HeaderCount,
    PanelHeader,
    SectionTitle,
    column_of,
    gapless_column,
    row_of,
)
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.overlays import DropTarget
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, add_action, hairline, icon_button, name_widget, offer_clearing
from bpe_gui.gui.search.document_search import PAGE_BYTES, Part, pages
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.object_names import object_name
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit, is_editable, with_line_breaks_of, with_line_feeds
from bpe_gui.gui.wording.file_texts import counts_page
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.phrases import number, size_text
from bpe_gui.gui.wording.recipe_texts import preset_title, recipe_summary
from bpe_gui.gui.wording.sentences import error_message
from bpe_gui.samples import sample_with

from .corpus_finding import CorpusFind
from .corpus_parts import CorpusStatistics, SpecialTokensField, StartCard, add_samples
from .document_list import DocumentList, WeightDialog

_IMMEDIATE_CHARACTERS: Final = 20_000  # a longer text is committed after a pause in typing, not on every key
_COMMIT_DELAY: Final = 300  # milliseconds
_TAB_COLUMNS: Final = 4
_MIN_HEIGHT: Final = 48  # pixels of text, in a window only 720 pixels high
_PREVIEW_LINES: Final = 3  # at least


@dataclass(frozen=True, slots=True)
class _Preview:
    """The beginning of a document that cannot be edited here, with a notice in the style of `role`."""

    text: str
    notice: str
    role: str = "quiet"


class CorpusPanel(DropTarget):
    """The documents of the corpus, an editor for the selected one, its special tokens and its recipe.

    The session owns the texts. The editor shows one of them and commits the user's changes to the session.
    """

    open_requested = Signal()
    """The user wants to choose files to open."""

    sample_requested = Signal(object)
    """The user chose a Sample."""

    add_requested = Signal()
    """The user wants to choose files to add."""

    list_lengthened = Signal(int)
    """The list of documents became so long that the panel wants to be this high, in pixels."""

    document_removed = Signal(str)
    """The title of a document that the user removed, or the number of documents."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("corpusPanel")
        self._session = session
        self._theme = theme
        self._document: CorpusDocument | None = None  # the selected one
        self._shown_documents: tuple[CorpusDocument, ...] = ()
        self._commit_timer = pause_before(self._commit, _COMMIT_DELAY, self)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.accept_files()
        self._apply_theme()
        self._show_documents()
        self._show_recipe()
        self._show_ownership()

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_widgets(self) -> None:
        self._title = SectionTitle("")
        theme, remove = self._theme, self.tr("Remove the selected document")
        self._remove_button = icon_button(theme, "remove", "removeDocumentButton", remove)
        add = self.tr("Add an empty document to the corpus; the others stay")
        self._add_button = icon_button(theme, "add", "addDocumentButton", add)
        self._open_button = icon_button(theme, "open", "openCorpusButton", self.tr("Open corpus…"))
        self._open_button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        menu = QMenu(self._open_button)
        menu.addAction(self.tr("&Open corpus…")).triggered.connect(self.open_requested)
        menu.addAction(self.tr("A&dd files…")).triggered.connect(self.add_requested)
        menu.addSeparator()
        text = self.tr("&Weight of selected documents…")
        self._weight_action = add_action(menu, "weightOfSelected", text, weakly(self._ask_for_weight_of_selected))
        self._open_button.setMenu(menu)
        self._sample_button = icon_button(theme, "sample", "sampleButton", self.tr("Samples"))
        self._sample_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._sample_button.setMenu(QMenu(self._sample_button))
        add_samples(self._sample_button.menu(), self.sample_requested.emit)
        self._list = DocumentList(self._theme)
        self._list.setAccessibleName(self.tr("Corpus documents"))
        self._count = name_widget(HeaderCount(), "documentCount")
        self._filter = name_widget(QLineEdit(self), "documentFilter", self.tr("Find a document by its name"))
        self._filter.setPlaceholderText(self.tr("Find a document by its name"))
        offer_clearing(self._filter, self.tr("Clear the filter"))
        self._filter_row = QWidget(self)
        row_of((self._filter, 1), of=self._filter_row, margins=(SMALL_GAP,) * 4)
        self._notice = SentenceLabel(parent=self, name="corpusNotice")
        self._notice.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        self._editor = PlainTextEdit(self, object_name="corpusEditor")
        self._editor.setAccessibleName(self.tr("Corpus text"))
        self._editor.document().setDocumentMargin(MARGIN)
        self.finder = CorpusFind(self._session, self._theme, self._editor, self)
        self._card = StartCard(self._sample_button.menu(), self._editor.viewport())
        self._statistics = CorpusStatistics(self._session, self._theme, self)
        self._special_tokens = SpecialTokensField(self._session, self._theme, self)
        self._recipe_summary = SentenceLabel(parent=self, name="recipeSummary", role="quiet")
        button = QPushButton(self.tr("Recipe…"), self)
        self._recipe_button = name_widget(button, "recipeButton", self.tr("Change the recipe"))

    def _lay_out(self) -> None:
        buttons = self._remove_button, self._add_button, self._open_button, self._sample_button
        self._list_line = hairline(self)
        recipe = row_of((self._recipe_summary, 1), self._recipe_button)
        gapless_column(
            self,
            PanelHeader(self._title, *buttons, count=self._count),
            self._filter_row,
            self._list,
            self._list_line,
            self._notice,
            (self._editor, 1),
            self.finder.bar,
            hairline(self),
            column_of(self._statistics, self._special_tokens, recipe, margins=(MARGIN,) * 4),
        )

    def _connect(self) -> None:
        self._open_button.clicked.connect(self.open_requested)
        self._add_button.clicked.connect(self.add_empty_document)
        self._remove_button.clicked.connect(self.remove_selected_document)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self._list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self.remove_selected_document)
        self._card.placed.connect(self._set_least_height)
        self._card.open_requested.connect(self.open_requested)
        self._card.paste_requested.connect(self._paste)
        self.finder.part_wanted.connect(self._show_part)
        self._filter.textChanged.connect(self._list.filter)
        self._list.row_chosen.connect(self._select)
        self._list.menu_opened.connect(self._extend_list_menu)
        self._editor.textChanged.connect(self._show_card)
        self._editor.textChanged.connect(self._schedule_commit)
        self._editor.files_dropped.connect(self.files_dropped)
        self._editor.menu_opened.connect(self._extend_menu)
        self._special_tokens.files_dropped.connect(self.files_dropped)
        self._recipe_button.clicked.connect(self.edit_recipe)
        self._session.corpus.documents_changed.connect(self._show_documents)
        self._session.corpus.documents_changed.connect(self._show_recipe)
        self._session.corpus.recipe_changed.connect(self._show_recipe)
        self._session.opened.changed.connect(self._show_ownership)
        self._session.history.reverting.connect(self.flush)
        self._theme.changed.connect(self._apply_theme)

    def _extend_menu(self, menu: QMenu) -> None:
        """Add the question about the selected text."""
        text = self._editor.selected_text()
        if text:
            menu.addSeparator()
            ask = partial(self._session.selection.ask_why_not, text)
            add_action(menu, "whyNotCorpus", self.tr("&Why is this not one token?"), ask)

    def _apply_theme(self) -> None:
        font = self._theme.token_font()
        self._editor.setFont(font)
        self._set_least_height()
        self._editor.setTabStopDistance(_TAB_COLUMNS * QFontMetricsF(font).horizontalAdvance(" "))

    def _show_ownership(self) -> None:
        """While an opened tokenizer is shown, say that the corpus belongs to the run, and mute the panel."""
        is_aside = self._session.opened.tokenizer is not None
        corpus = self.tr("Corpus")
        self._title.setText(*(self.tr("Run’s corpus"), corpus) if is_aside else (corpus,))
        set_role(self, "aside" if is_aside else "")
        self._show_recipe()
        for part in (*self.findChildren(QLabel), *self.findChildren(PlainTextEdit)):
            part.style().polish(part)  # the style sheet colours them by the panel's role

    # -- documents --------------------------------------------------------------------------------------------------

    def add_empty_document(self) -> None:
        """Add an empty document and move the focus to the editor."""
        self.flush()
        self._session.corpus.add_documents([CorpusDocument(self._new_title(), TextDocument(""))])
        self._editor.setFocus()

    def _new_title(self) -> str:
        taken = {document.title for document in self._session.corpus.documents}
        titles = (self.tr("Text {number}").format(number=count) for count in range(1, len(taken) + 2))
        return next(title for title in titles if title not in taken)

    def remove_selected_document(self) -> None:
        """Remove the selected document, or all selected ones, from the corpus."""
        self.flush()
        document = self._document
        if document is None:
            return
        rows = self._list.selected_rows
        if len(rows) > 1:
            self._session.corpus.remove_document(*rows)
            self.document_removed.emit(self._phrase(rows))
        else:
            self._session.corpus.remove_document(self._index_of(document))
            self.document_removed.emit(document.shown_title)

    def _phrase(self, rows: Sequence[int]) -> str:
        """Return the title of a document, or the number of documents."""
        if len(rows) == 1:
            return self._session.corpus.documents[rows[0]].shown_title
        return self.tr("{count} documents").format(count=number(len(rows)))

    def _index_of(self, document: CorpusDocument) -> int:
        """Return the index of `document` by identity, since documents may be equal; -1 if it was removed."""
        identities = (other.identity for other in self._session.corpus.documents)
        return next((index for index, identity in enumerate(identities) if identity is document.identity), -1)

    def _show_documents(self) -> None:
        self.flush()
        documents = self._session.corpus.documents
        known = {id(document.identity) for document in self._shown_documents}
        added = [document for document in documents if id(document.identity) not in known]
        is_same_list = not added and len(documents) == len(self._shown_documents)
        index = self._list.row
        if added:
            index = self._index_of(added[0])
        elif self._document is not None and self._index_of(self._document) >= 0:
            index = self._index_of(self._document)
        self._shown_documents = documents
        self._fill_list()
        index = min(index, len(documents) - 1)
        if not is_same_list:  # otherwise the selection stays
            with QSignalBlocker(self._list):
                self._list.choose(index)
        self._select(index)

    def _fill_list(self) -> None:
        documents, was_long = self._session.corpus.documents, self._list.is_long
        with QSignalBlocker(self._list):
            self._list.show_documents(documents)
        listed = len(documents) > 1 or any(
            isinstance(each.content, FileDocument) or each.weight != 1 for each in documents
        )
        self._list.setVisible(listed)
        self._filter_row.setVisible(self._list.is_long)
        if not self._list.is_long:
            self._filter.clear()
        several = self.tr("{count} documents").format(count=number(len(documents)))
        self._count.setText(several if self._list.is_long else "")
        self._weight_action.setEnabled(listed)
        self._list_line.setVisible(listed)
        self._remove_button.setVisible(listed)
        if self._list.is_long and not was_long:
            self.list_lengthened.emit(self.minimumSizeHint().height() + self._list.height_of_more)

    def _select(self, index: int) -> None:
        """Show the document at `index`, or an empty editor for -1."""
        documents = self._session.corpus.documents
        document = documents[index] if 0 <= index < len(documents) else None
        if document is None or self._document is None or not document.is_same_text_as(self._document):
            self.flush()
            self.finder.place = index, 0
            self._document = document
            self._load(document)
        else:
            self.finder.place = index, self.finder.place[1]
            self._document = document

    def _show_part(self, part: Part) -> None:
        """Show what was found, even if the filter leaves its document out."""
        self.flush()
        with QSignalBlocker(self._list):
            self._list.choose(part.document)
        if self._list.row != part.document:
            self._filter.clear()
            with QSignalBlocker(self._list):
                self._list.choose(part.document)
        self.finder.place = part.document, part.start
        self._document = self._session.corpus.documents[part.document]
        self._load(self._document, part)

    # -- weights ----------------------------------------------------------------------------------------------------

    def _extend_list_menu(self, menu: QMenu, index: QModelIndex) -> None:
        """Add the weight of the menu's document, of all selected ones if it is among them, or of its folder."""
        if not index.isValid():
            return
        selected = self._list.selected_rows
        row = self._list.document_at(index)
        rows = selected if row in selected else [row]
        self._add_weight_action(menu, "setWeight", self.tr("&Weight of {documents}…"), rows, self._phrase(rows))
        folder, in_folder = self._folder_of(row)
        if len(in_folder) > 1 and in_folder != rows:
            name = self.tr("folder {name}").format(name=folder)
            self._add_weight_action(menu, "setFolderWeight", self.tr("W&eight of {documents}…"), in_folder, name)

    def _add_weight_action(self, menu: QMenu, name: str, text: str, rows: Sequence[int], phrase: str) -> None:
        text = text.format(documents=phrase.replace("&", "&&"))
        add_action(menu, name, text, partial(self._ask_for_weight, rows, phrase))

    def _folder_of(self, row: int) -> tuple[str, list[int]]:
        """Return the name of the folder of a document's file, and the rows of all documents in it."""
        documents = self._session.corpus.documents
        path = documents[row].path
        if path is None:
            return "", []
        rows = [i for i, each in enumerate(documents) if each.path is not None and each.path.parent == path.parent]
        return path.parent.name, rows

    def _ask_for_weight_of_selected(self) -> None:
        if rows := self._list.selected_rows:
            self._ask_for_weight(rows, self._phrase(rows))

    def _ask_for_weight(self, rows: Sequence[int], phrase: str) -> None:
        self.flush()
        documents = [self._session.corpus.documents[row] for row in rows]
        dialog = WeightDialog(phrase, {document.weight for document in documents}, self)
        dialog.accepted.connect(lambda: self._set_weight(documents, dialog.weight))
        open_once(dialog)

    def _set_weight(self, documents: Sequence[CorpusDocument], weight: Fraction) -> None:
        identities = {id(document.identity) for document in documents}
        present = enumerate(self._session.corpus.documents)
        rows = [row for row, document in present if id(document.identity) in identities]
        self._session.corpus.set_weights(rows, weight)

    # -- the editor -------------------------------------------------------------------------------------------------

    def _load(self, document: CorpusDocument | None, part: Part | None = None) -> None:
        preview = self._preview(document, part) if document else None
        self._editor.setReadOnly(preview is not None)
        with QSignalBlocker(self._editor):
            self._editor.setPlainText(preview.text if preview else _text_of(document))
        self._special_tokens.show_text(preview.text if preview else _text_of(document))
        self._set_least_height()
        if preview is not None:  # start where there is something to see
            self._editor.verticalScrollBar().setValue(len(preview.text) - len(preview.text.lstrip("\n")))
        self._show_card()
        self._notice.setVisible(preview is not None)
        if preview is not None:
            self._notice.setText(preview.notice)
            set_role(self._notice, preview.role)

    def _set_least_height(self) -> None:
        """Make space for a few lines of a large document's preview, and for the card of an empty corpus."""
        least = _MIN_HEIGHT
        if self._editor.isReadOnly():
            least = math.ceil(_PREVIEW_LINES * QFontMetricsF(self._editor.font()).lineSpacing() + 2 * MARGIN)
        elif self._card.isVisible():  # before that, its height is unknown
            least = self._card.least_height
        self._editor.setMinimumHeight(least)

    def _show_card(self) -> None:
        """Show how to start while there is no corpus."""
        is_alone, focused = len(self._session.corpus.documents) < 2, QApplication.focusWidget()
        is_shown = is_alone and not self._editor.isReadOnly() and self._editor.document().isEmpty()
        if not is_shown and focused is not None and self._card.isAncestorOf(focused):
            self._editor.setFocus()  # otherwise Qt moves the focus to whatever comes next
        self._card.setVisible(is_shown)
        self._set_least_height()

    def _paste(self) -> None:
        self._editor.setFocus()
        self._editor.paste()

    def _preview(self, document: CorpusDocument, part: Part | None) -> _Preview | None:
        """Return what to show instead of the whole document; None if it can be edited."""
        content = document.content
        if isinstance(content, TextDocument) and is_editable(content.text):
            return None
        if part is not None and part.start:
            notice = self.tr("Shown from {offset} on, where the text was found")
            return _Preview(part.text, notice.format(offset=size_text(part.start)))
        if document.counts is not None:
            notice = self.tr("{name} · {size} · word counts")
            size = document.state[0] if document.state else 0
            return _Preview(counts_page(document.counts), notice.format(name=document.title, size=size_text(size)))
        try:
            found = pages(content)
            beginning, is_whole = next(found, b"").decode(), next(found, None) is None
            size = document.state[0] if document.state else content.size()
        except EngineError as error:
            return _Preview("", error_message(error), "warning")
        if document.has_changed_on_disk:
            notice = self.tr("{name} · shown as it is on disk now, changed since it was opened")
            return _Preview(beginning, notice.format(name=document.title), "warning")
        if isinstance(content, TextDocument):
            notice = self.tr("{name} · {size} · first {part} shown · lines too long to edit here")
        elif content.has_records:  # for files, the list above has names and sizes
            notice = self.tr("One text per record, in “{field}” · first ones shown")
        elif not is_whole:
            notice = self.tr("First {part} shown · read from disk during counting")
        else:
            notice = self.tr("Read from disk during counting")
        shown, field = size_text(PAGE_BYTES, 0), "" if isinstance(content, TextDocument) else content.field
        return _Preview(beginning, notice.format(name=document.title, size=size_text(size), part=shown, field=field))

    def _schedule_commit(self) -> None:
        if self._editor.document().characterCount() < _IMMEDIATE_CHARACTERS:
            self._commit()
        else:
            self._commit_timer.start()

    def flush(self) -> None:
        """Commit any pending typing."""
        if self._commit_timer.isActive():
            self._commit()

    def _commit(self) -> None:
        self._commit_timer.stop()
        edited, before = self._editor.text(), _text_of(self._document)
        if self._editor.isReadOnly() or edited == with_line_feeds(before):
            return
        text = with_line_breaks_of(before, edited)
        self._special_tokens.show_text(text)
        if self._document is None:
            self._document = CorpusDocument(self._new_title(), TextDocument(text))
            self._shown_documents = (self._document,)
            self._session.corpus.add_documents([self._document])
            return
        index = self._index_of(self._document)
        if index >= 0:
            self._session.corpus.edit_document(index, text, self._title_with(self._document, text))
            old, self._document = self._document, self._session.corpus.documents[index]
            self._shown_documents = tuple(self._document if each is old else each for each in self._shown_documents)
            if index < self._list.count:  # otherwise the list is refilled soon
                self._list.replace(index, self._document)

    def _title_with(self, document: CorpusDocument, text: str) -> str:
        """Return the title of an edited document: a sample's title goes, and comes back, with its text."""
        if document.path is not None:
            return document.title
        if (sample := sample_with(text)) is not None:
            return sample.title(language_in_force())
        before = sample_with(_text_of(document))
        is_of_sample = before is not None and document.title in before.titles.values()
        return self._new_title() if is_of_sample else document.title

    # -- the recipe ---------------------------------------------------------------------------------------------------

    def _show_recipe(self) -> None:
        recipe = self._session.corpus.recipe
        fixing = self._session.corpus.counts
        if fixing is None:
            template, name = self.tr("{preset}: {summary}"), ""
        else:
            template, name = self.tr("{preset}: {summary} · splitter fixed by {name}"), fixing.title
        preset, summary = preset_title(recipe.preset), recipe_summary(recipe)
        if recipe.special_text == "kept" and self._session.corpus.special_tokens:
            summary += " · " + self.tr("special tokens as text")
        if self._session.opened.tokenizer is not None:
            preset = f"{object_name(self._session.branches.current)} · {preset}"
        self._recipe_summary.setText(template.format(preset=preset, summary=summary, name=name))

    def edit_recipe(self) -> None:
        """Open the dialog with the switches of the recipe."""
        from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog  # slow to import, and not needed yet
        from bpe_gui.gui.dialogs.splitter_trial import SplitterCorpus

        corpus = self._session.corpus
        trial = SplitterCorpus.of(corpus)
        dialog = RecipeDialog(corpus.recipe, self, corpus=trial, theme=self._theme, counts=corpus.counts)
        dialog.accepted.connect(lambda: self._session.corpus.set_recipe(dialog.recipe))
        open_once(dialog)


def _text_of(document: CorpusDocument | None) -> str:
    return document.content.text if document and isinstance(document.content, TextDocument) else ""
