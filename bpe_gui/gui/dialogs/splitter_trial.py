"""Try a splitter in the recipe dialog: colour a text by it, and show how it would change the corpus."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import (
    Document,
    EngineError,
    Progress,
    Recipe,
    SplitWords,
    parts_of,
    token_in_sentence,
    words_by_part,
)
from bpe_gui.engine.explanations import SplitterChange, splitter_change
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import GAP, SMALL_GAP, column_of, keep_space, row_of
from bpe_gui.gui.look.overlays import Dimmer
from bpe_gui.gui.look.theme import Theme, line_height
from bpe_gui.gui.look.widgets import ListWidget, SentenceLabel, name_widget, push_button
from bpe_gui.gui.session.corpus import SessionCorpus
from bpe_gui.gui.views.plain_text_edit import with_line_feeds
from bpe_gui.gui.views.splitter_views import SplitterLegend, SplitterPreview
from bpe_gui.gui.wording.phrases import number
from bpe_gui.gui.wording.recipe_texts import similar_splitter
from bpe_gui.gui.wording.sentences import error_message

_DEFAULT_SAMPLE: Final = "Don't split 12,345 words\n    in 2026.  你好，世界！"
_SAMPLE: Final = 2_000  # characters of the corpus shown at first
_MAX_SAMPLE: Final = 10_000  # the most characters of text to colour
_FIRST_COMPARED: Final = 400_000  # characters of the corpus, which take less than a second with any splitter
_MAX_COMPARED: Final = 100_000_000  # characters of the corpus, which take about a second with most splitters
_PAUSE: Final = 200  # milliseconds without a change before the splitter is tried
_PREVIEW_LINES: Final = 6
_GAP_SHOWN: Final = 20  # characters shown of text that is left out


@dataclass(frozen=True, slots=True)
class SplitterCorpus:
    """The corpus to try a splitter on, and how it is currently split."""

    recipe: Recipe
    documents: tuple[Document, ...] = ()
    special_tokens: tuple[str, ...] = ()

    @classmethod
    def of(cls, corpus: SessionCorpus) -> "SplitterCorpus":
        return cls(corpus.recipe, tuple(document.content for document in corpus.documents), corpus.special_tokens)


class _Beginning:
    """The first `most` characters of documents. Once read, `is_whole` tells whether that was everything."""

    def __init__(self, documents: Sequence[Document], most: int) -> None:
        self.is_whole = True
        self._documents = documents
        self._left = most

    def texts(self) -> Iterator[Iterator[str]]:
        """Yield the texts, each in chunks. Raise EngineError."""
        for document in self._documents:
            if self.is_whole:
                yield self._chunks(document)

    def _chunks(self, document: Document) -> Iterator[str]:
        for chunk in document.chunks():
            yield chunk[: self._left]
            self.is_whole = len(chunk) <= self._left
            if not self.is_whole:
                return
            self._left -= len(chunk)


@dataclass(frozen=True, slots=True)
class _Change:
    """The changes in the first `most` characters of the corpus, or in the whole corpus."""

    change: SplitterChange
    most: int
    is_whole: bool


@dataclass(frozen=True, slots=True)
class _Trial:
    """The result of trying a splitter: its parts, the words of the text in the editor, the changes to the corpus."""

    sample: str
    parts: list[str]
    words: SplitWords
    change: _Change


class SplitterTrial(QWidget):
    """A text to try a splitter on, the parts of its expression, and the words of the corpus that would change.

    Everything is computed in a thread while the widget is visible. `tried`: `finds_words` is known.
    """

    tried = Signal()
    name_chosen = Signal(str)
    """The user means the named splitter whose name resembles what was typed."""

    def __init__(self, corpus: SplitterCorpus, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._corpus = corpus
        self._recipe = corpus.recipe
        self.error: EngineError | None = None
        """Why the splitter cannot be tried; None if it can."""
        self.finds_words: bool | None = None
        """Whether the splitter finds a word in the corpus; None until that is known."""
        self._shows_own_text = False
        self._runner = JobRunner(self, self._try, _PAUSE)
        self._preview = SplitterPreview()
        self._legend = SplitterLegend()
        self._message = SentenceLabel(name="splitterMessage", lines=2)
        self._name_button = push_button("splitterNameButton", "", self._choose_name)
        self._change = SentenceLabel(name="splitterChange", lines=2)
        self._examples = name_widget(ListWidget(), "splitterExamples", self.tr("Words that change"))
        self._examples.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._examples.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for view in (self._preview, self._legend):
            view.set_looks(theme.token_palette(), theme.token_font())
        self._examples.setFont(theme.token_font())
        self._lay_out()
        self._preview.textChanged.connect(self._take_text)
        self._legend.part_chosen.connect(self._preview.select_next)

    def _lay_out(self) -> None:
        self._preview.setFixedHeight(_PREVIEW_LINES * line_height(self._preview.font()) + GAP)
        self._change.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._examples.setMinimumHeight(_PREVIEW_LINES * line_height(self._examples.font()))
        keep_space(self._examples)
        changes = QWidget()
        column_of(self._change, (self._examples, 1), of=changes, spacing=SMALL_GAP)
        self._dimmer = Dimmer(changes)
        left = column_of(self._preview, self._legend, None, spacing=SMALL_GAP)
        message = row_of((self._message, 1), self._name_button)
        column_of(message, row_of((left, 1), (changes, 1)), of=self, spacing=SMALL_GAP)

    # -- input ------------------------------------------------------------------------------------------------------

    def set_splitter(self, splitter: str, boundary: str) -> None:
        """Try another splitter, or say why it is not valid."""
        if self.error is not None:
            self._message.say("", "quiet")
        try:
            self._recipe, self.error = Recipe().with_changes(splitter=splitter, boundary=boundary), None
        except EngineError as error:
            self.error = error
        name = similar_splitter(splitter)
        self._name_button.setText(self.tr("Did you mean {name}?").format(name=name))
        self._name_button.setVisible(bool(name))
        self._schedule()

    def _choose_name(self) -> None:
        self.name_chosen.emit(similar_splitter(self._recipe.splitter))

    def _take_text(self) -> None:
        self._shows_own_text = True
        self._schedule()

    def _schedule(self) -> None:
        self._runner.abandon()
        self.finds_words = None
        if self.error is not None:
            self._show_error(self.error)
        elif self.isVisible():
            self._runner.start_soon()
            self._dimmer.set_dimmed(True)

    def showEvent(self, event: QShowEvent) -> None:
        """Try the splitter chosen while the widget was hidden."""
        super().showEvent(event)
        self._schedule()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._runner.abandon()

    def _try(self) -> None:
        corpus, recipe = self._corpus, self._recipe
        own_text = self._preview.text()[:_MAX_SAMPLE] if self._shows_own_text else None

        def work(progress: Progress) -> _Trial:
            return _trial(corpus, recipe, own_text, progress)

        self._runner.start(name="try splitter", work=work, on_success=self._show, on_error=self._show_error)

    # -- results ----------------------------------------------------------------------------------------------------

    def _show(self, trial: _Trial) -> None:
        self._dimmer.set_dimmed(False)
        if not self._shows_own_text:
            with QSignalBlocker(self._preview):
                self._preview.setPlainText(trial.sample)
        self._preview.show_words(trial.words)
        self._legend.set_parts(trial.parts)
        self._legend.set_counts([int((trial.words.parts == part).sum()) for part in range(len(trial.parts))])
        self._show_change(trial.change)
        if not trial.change.is_whole:
            corpus, recipe = self._corpus, self._recipe
            self._runner.start(
                name="compare splitters",
                work=lambda progress: _change(corpus, recipe, "", _MAX_COMPARED, progress),
                on_success=self._show_change,
                on_error=self._show_error,
            )

    def _show_change(self, compared: _Change) -> None:
        change = compared.change
        finds_words = change.left_out < change.characters or not self._corpus.documents
        is_usual = self._recipe.drops_spaces and change.left_out == change.left_out_spaces
        left_out = self._left_out_text(change)
        if not finds_words:
            left_out = self.tr(
                "No word found: no text in the corpus matches this expression, so nothing can be trained."
            )
            left_out += "" if compared.is_whole else f" {self._part_text(compared)}"
        self._message.say(left_out, "quiet" if is_usual else "warning")
        self._change.setText(self._change_text(compared))
        self._examples.clear()
        self._examples.addItems([_example_text(each.before, each.after, each.count) for each in change.examples])
        self._examples.setVisible(bool(change.examples))
        if finds_words or compared.is_whole or compared.most == _MAX_COMPARED:
            self._end(finds_words=finds_words)

    def _end(self, *, finds_words: bool) -> None:
        self.finds_words = finds_words
        self.tried.emit()

    def _show_error(self, error: EngineError) -> None:
        self._dimmer.set_dimmed(False)
        self._preview.show_words(None)
        self._legend.set_counts(None)
        self._change.setText("")
        self._examples.clear()
        self._message.say(error_message(error), "warning")
        self._end(finds_words=False)

    def _left_out_text(self, change: SplitterChange) -> str:
        if not change.left_out:
            return ""
        if change.left_out == change.left_out_spaces:
            text = self.tr(
                "Characters in no word: {count} of {total}, whitespace only. Such characters are dropped without an "
                "error: nothing is trained on them, and no id encodes them."
            )
        else:
            text = self.tr(
                "Characters in no word: {count} of {total}, for example {example}; of these, whitespace: {spaces}. "
                "Such characters are dropped without an error: nothing is trained on them, and no id encodes them."
            )
        return text.format(
            count=number(change.left_out),
            total=number(change.characters),
            spaces=number(change.left_out_spaces),
            example=token_in_sentence(change.left_out_text[:_GAP_SHOWN].encode()),
        )

    def _change_text(self, compared: _Change) -> str:
        change = compared.change
        text = self.tr("Words that change: {changed} of {words}; unique words: {before} → {after}.").format(
            changed=number(change.changed),
            words=number(change.words),
            before=number(change.unique_before),
            after=number(change.unique_after),
        )
        if compared.is_whole:
            return text
        return f"{text} {self._part_text(compared)}"

    def _part_text(self, compared: _Change) -> str:
        return self.tr("In the first {count} characters of the corpus.").format(count=number(compared.most))


def _trial(corpus: SplitterCorpus, recipe: Recipe, own_text: str | None, progress: Progress) -> _Trial:
    """Try a splitter and return the result. Raise EngineError if it takes too long."""
    beginnings = (next(text, "")[:_SAMPLE] for text in _Beginning(corpus.documents, _FIRST_COMPARED).texts())
    beginning = next(filter(None, beginnings), _DEFAULT_SAMPLE)
    sample = with_line_feeds(beginning) if own_text is None else own_text
    data = sample.encode()
    words = words_by_part(recipe, data, corpus.special_tokens).in_characters(data)
    progress(0, 0)
    change = _change(corpus, recipe, sample, _FIRST_COMPARED, progress)
    return _Trial(sample, parts_of(recipe.splitter), words, change)


def _change(corpus: SplitterCorpus, recipe: Recipe, sample: str, most: int, progress: Progress) -> _Change:
    """Return what changes in the first `most` characters of the corpus, or if it is empty, in the sample."""
    beginning = _Beginning(corpus.documents, most)
    change = splitter_change(
        beginning.texts() if corpus.documents else [sample],
        corpus.recipe,
        recipe,
        corpus.special_tokens,
        report=lambda: progress(0, 0),
    )
    return _Change(change, most, beginning.is_whole)


def _example_text(before: Sequence[str], after: Sequence[str], count: int) -> str:
    sides = (" + ".join(token_in_sentence(word.encode()) for word in words) or "—" for words in (before, after))
    return f"{'  →  '.join(sides)}   ×{number(count)}"
