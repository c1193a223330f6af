"""The dialogs that ask for a published name, what a file of ranks lacks, or which tokens to add to a tokenizer."""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QStringListModel, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QCompleter, QDialog, QLineEdit, QWidget

from bpe_gui.engine import (
    SPLITTERS,
    Document,
    EngineError,
    FormatError,
    Progress,
    Tokenizer,
    TokenizerSource,
    check_special_tokens,
    special_ids,
    splitter_of_ranks,
    to_published_name,
    token_in_sentence,
)
from bpe_gui.engine.surgery import (
    Merging,
    merge_tokenizers,
    tokens_saved,
    with_ordinary_tokens,
    with_special_tokens,
)
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import GRID, dialog_buttons, dialog_column, dialog_form, keep_space, row_of
from bpe_gui.gui.look.qt_constants import TOP_LEFT
from bpe_gui.gui.look.widgets import (
    ComboBox,
    SentenceLabel,
    SpinBox,
    label_of,
    name_widget,
    progress_line,
    push_button,
    quiet_label,
)
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.wording.phrases import example_text, joined_sentences, listed, number
from bpe_gui.gui.wording.sentences import error_message

_WIDTH: Final = 560  # pixels
_LINES: Final = 6  # lines of special tokens visible without scrolling
_MAX_DIGITS: Final = 10  # of an id
_OPENAI_PATTERNS: Final = ("gpt2", "cl100k", "o200k")  # the patterns that most files of ranks use


class RanksDialog(QDialog):
    """Asks for a pattern and special tokens. The caller opens the file, then calls `accept` or `show_error`."""

    asked = Signal()
    """The user wants to open the file with `pattern` and `special_tokens`."""

    def __init__(
        self,
        name: str,
        pattern: str,
        special_tokens: Mapping[str, int],
        ranks: Mapping[int, bytes],
        parent: QWidget | None = None,
    ) -> None:
        """Ask about the file `name` with the tokens `ranks`, currently open with `pattern` and `special_tokens`."""
        super().__init__(parent)
        self.setObjectName("ranksDialog")
        self.setWindowTitle(self.tr("Pattern and special tokens"))
        self.pattern = pattern
        self.special_tokens: dict[str, int] = {}
        self._ranks = ranks
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self._pattern = name_widget(ComboBox(editable=True), "ranksPattern", self.tr("Splitting pattern"))
        self._pattern.addItems([splitter for splitter in _OPENAI_PATTERNS if splitter in SPLITTERS])
        self._pattern.setEditText(pattern)
        self._pattern.setFont(font)
        first_free = next(token_id for token_id in count() if token_id not in ranks)
        spoken = self.tr("Special tokens with their ids, one per line")
        self._tokens = _lines_field("ranksSpecialTokens", spoken, f"<|endoftext|> {first_free}")
        self._tokens.setPlainText("\n".join(f"{token} {token_id}" for token, token_id in special_tokens.items()))
        self._error = SentenceLabel(name="ranksComplaint", role="warning", lines=2)
        self._error.setAlignment(TOP_LEFT)
        self._lay_out(name)
        self._pattern.editTextChanged.connect(self._check)
        self._tokens.textChanged.connect(self._check)
        self._check()

    def _lay_out(self, name: str) -> None:
        explanation = SentenceLabel(
            self.tr(
                "{name} contains only ranks. Enter the splitting pattern and the special tokens that "
                "its publisher specifies."
            ).format(name=name)
        )
        hint = self.tr("One per line, followed by a space and its id. A token without an id gets the next free one.")
        form = dialog_form(
            (self.tr("Pattern"), self._pattern),
            ("", quiet_label(text=self.tr("The name of an OpenAI pattern or a regular expression."))),
            (self.tr("Special tokens"), self._tokens),
            ("", quiet_label(text=hint)),
        )
        self._open = push_button("ranksOpenButton", self.tr("Reopen"), self._ask, default=True)
        cancel = push_button("ranksCancelButton", self.tr("Cancel"), self.reject)
        buttons = dialog_buttons(accept=self._open, reject=cancel)
        dialog_column(self, explanation, form, self._error, None, buttons, width=_WIDTH)

    def show_error(self, error: EngineError) -> None:
        """Show why the file could not be opened."""
        self._error.setText(error_message(error))
        self._open.setEnabled(True)

    def _ask(self) -> None:
        self._open.setEnabled(False)  # until the user changes something, or `show_error`
        self.asked.emit()

    def _check(self) -> None:
        """Accept the input, or show what is wrong with it."""
        try:
            pattern = self._pattern.currentText()
            if pattern:
                splitter_of_ranks(pattern)
            self.special_tokens = special_ids(parsed_special_tokens(self._tokens.text(), self._ranks), self._ranks)
            check_special_tokens(self.special_tokens)
            self.pattern = pattern
        except EngineError as error:
            self._error.setText(error_message(error))
            self._open.setEnabled(False)
        else:
            self._error.setText("")
            self._open.setEnabled(bool(pattern))


def _lines_field(name: str, accessible_name: str, example: str, lines: int = _LINES) -> PlainTextEdit:
    field = name_widget(PlainTextEdit(), name, accessible_name)
    field.setPlaceholderText(example_text(example))
    field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    field.setFixedHeight(lines * field.fontMetrics().lineSpacing() + 2 * GRID)
    return field


def parsed_special_tokens(text: str, taken: Container[int]) -> dict[str, int]:
    """Parse special tokens, one per line, each perhaps followed by a space and its id.

    A token without an id gets the lowest that is free and not in `taken`. Raise FormatError if a token or an id occurs
    twice.

    >>> parsed_special_tokens("<a> 1\\n<b>\\n<c>\\n", {0, 2})
    {'<a>': 1, '<b>': 3, '<c>': 4}
    """
    lines = [(row, *_parsed(line)) for row, line in enumerate(text.split("\n"), start=1) if line.strip()]
    given = {token_id for _row, _token, token_id in lines if token_id is not None}
    free = (token_id for token_id in count() if token_id not in taken and token_id not in given)
    tokens: dict[str, int] = {}
    for row, token, wanted in lines:
        token_id = next(free) if wanted is None else wanted
        if token in tokens or token_id in tokens.values():
            raise FormatError(
                "Line {line} repeats the token {token!r} or the id {id}.", line=row, token=token, id=token_id
            )
        tokens[token] = token_id
    return tokens


def _parsed(line: str) -> tuple[str, int | None]:
    """Return the token on a line, and its id or None."""
    token, _space, digits = line.strip().rpartition(" ")
    if token and digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS:
        return token, int(digits)
    return line.strip(), None


_NAME_WIDTH: Final = 560  # pixels
_EXAMPLE: Final = "hf:openai-community/gpt2"
_SUGGESTIONS: Final = (
    _EXAMPLE,
    "hf:Qwen/Qwen2.5-0.5B",
    "hf:deepseek-ai/DeepSeek-V3",
    "hf:mistralai/Mistral-7B-v0.1",
    "tiktoken:cl100k_base",
    "tiktoken:o200k_base",
)


class TokenizerNameDialog(QDialog):
    """Asks for the name of a published tokenizer, and stays open until that is downloaded.

    There is no network access before the user asks for it. `found(source)`: the tokenizer is now on this computer.
    """

    found = Signal(TokenizerSource)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tokenizerNameDialog")
        self.setWindowTitle(self.tr("Download tokenizer by name"))
        self._runner = JobRunner(self)
        self._name = name_widget(QLineEdit(), "tokenizerName", self.tr("Name"))
        self._name.setPlaceholderText(example_text(_EXAMPLE))
        self._suggestions = QStringListModel(_SUGGESTIONS, self)
        self._name.setCompleter(QCompleter(self._suggestions, self))
        self._message = SentenceLabel(name="tokenizerNameMessage", selectable=True, lines=2)
        self._open = push_button("tokenizerNameButton", self.tr("&Download and open"), self._begin, default=True)
        self._lay_out()
        self._name.textChanged.connect(self._refresh)
        self.finished.connect(self._runner.abandon)
        self._refresh()

    def _lay_out(self) -> None:
        label = label_of(self._name, self.tr("&Name of a published tokenizer"))
        explanation = SentenceLabel(name="tokenizerNameExplanation", role="quiet")
        explanation.setText(
            self.tr(
                "hf:owner/name is a model on the Hugging Face Hub; add @revision for a specific version.\n"
                "tiktoken:name is an OpenAI encoding. Only the tokenizer files are downloaded."
            )
        )
        cancel = push_button("tokenizerNameCancelButton", self.tr("Cancel"), self.reject)
        buttons = dialog_buttons(accept=self._open, reject=cancel)
        dialog_column(self, label, self._name, explanation, self._message, None, buttons, width=_NAME_WIDTH)
        self._name.setFocus()

    def _refresh(self) -> None:
        """Enable the button if the name is understood; if not, say which names are.

        Do not suggest the name as it is: Return would only close the suggestion.
        """
        self._suggestions.setStringList([name for name in _SUGGESTIONS if name != self._typed])
        is_understood = to_published_name(self._typed) is not None
        self._open.setEnabled(is_understood)
        hint = self.tr("Write hf:owner/name, tiktoken:name, or an OpenAI model such as gpt-4.")
        self._message.say("" if is_understood or not self._typed else hint, "quiet")

    @property
    def _typed(self) -> str:
        return self._name.text().strip()

    def _begin(self) -> None:
        name = to_published_name(self._typed) or self._typed
        self._message.say(self.tr("Downloading {name}…").format(name=name), "quiet")
        self._open.setEnabled(False)
        self._runner.abandon()
        self._runner.start(
            name="download a tokenizer",
            work=TokenizerSource.named(name).located,
            on_success=self._take,
            on_error=self._show_error,
        )

    def _take(self, source: TokenizerSource) -> None:
        self.accept()
        self.found.emit(source)

    def _show_error(self, error: EngineError) -> None:
        self._message.say(error_message(error), "warning")
        self._open.setEnabled(True)


_CHANGES: Final = "<|user|>\n<|tool|> 50300\n<|reserved|> → <|call|>"  # an example
_NAMED: Final = 12  # left-out tokens, and those that save most, that the message names
_WORDS: Final = " tokenizer\n tokenization"  # an example, with the spaces before the words
_FEW_LINES: Final = 3
_ARROW: Final = re.compile(" +(?:->|→) +")


class _Extended(NamedTuple):
    """A tokenizer with the tokens of another and those of words added, and what these tokens save.

    `saved` is how many tokens fewer the corpus needs by each added id, or why that could not be counted.
    """

    tokenizer: Tokenizer
    of_other: Merging | None
    of_words: Merging | None
    saved: dict[int, int] | EngineError


class MergeDialog(QDialog):
    """Asks for the tokens to add to a tokenizer, says which could not be added, and stays open.

    `made(tokenizer, old, name, dialog)`: the user wants to export `tokenizer`, made from `old`, which is called `name`.
    """

    made = Signal(Tokenizer, Tokenizer, str, QWidget)

    def __init__(
        self,
        tokenizer: Tokenizer,
        name: str,
        choose: Callable[[QWidget], Path | None],
        parent: QWidget | None = None,
        *,
        documents: Sequence[Document] = (),
        corpus: str = "",
    ) -> None:
        """Ask about `tokenizer`, called `name`. `choose` asks for a tokenizer file, in a dialog over a window.

        Say how many tokens the ordinary ones that are added save in `documents`, those of a run's corpus, which is
        called `corpus`.
        """
        super().__init__(parent)
        self.setObjectName("mergeDialog")
        self.setWindowTitle(self.tr("Add tokens to {name}").format(name=name))
        self._tokenizer, self._name, self._choose = tokenizer, name, choose
        self._documents, self._corpus = documents, corpus
        self._runner = JobRunner(self)
        self._other = name_widget(QLineEdit(), "mergeOther", self.tr("Tokenizer with the tokens to add"))
        self._most = name_widget(SpinBox(maximum=10_000_000), "mergeMost", self.tr("Maximum number of tokens to add"))
        self._most.setSpecialValueText(self.tr("all"))
        spoken = self.tr("Ordinary tokens to add")
        self._ordinary = _lines_field("mergeOrdinary", spoken, _WORDS, _FEW_LINES)
        spoken = self.tr("Special tokens to add or rename")
        self._special = _lines_field("mergeSpecial", spoken, _CHANGES, _FEW_LINES)
        self._message = SentenceLabel(name="mergeMessage", selectable=True, lines=4)
        self._bar = progress_line("mergeProgress", self.tr("Progress"))
        self._bar.setRange(0, 0)
        keep_space(self._bar)
        self._make = push_button("mergeButton", self.tr("Export and open…"), self._begin, default=True)
        self._lay_out()
        self._other.textChanged.connect(self._refresh)
        self._ordinary.textChanged.connect(self._refresh)
        self._special.textChanged.connect(self._refresh)
        self.finished.connect(self._runner.abandon)
        self._runner.changed.connect(self._show_work)
        self._show_work()
        self._refresh()

    def _lay_out(self) -> None:
        browse = push_button("mergeBrowseButton", self.tr("Browse…"), self._browse)
        hint = self.tr("One per line: a new token, optionally with its id, or old → new to rename a reserved one.")
        words = self.tr("One per line, usually with the space before the word. They are made by further merges.")
        form = dialog_form(
            (label_of(self._other, self.tr("&Tokens of")), row_of((self._other, 1), browse)),
            (label_of(self._most, self.tr("At &most")), row_of(self._most, None)),
            (label_of(self._ordinary, self.tr("&Ordinary tokens")), self._ordinary),
            ("", quiet_label(text=words)),
            (label_of(self._special, self.tr("&Special tokens")), self._special),
            ("", quiet_label(text=hint)),
        )
        close = push_button("mergeCloseButton", self.tr("Close"), self.reject)
        buttons = dialog_buttons(accept=self._make, reject=close)
        dialog_column(self, form, self._message, self._bar, None, buttons, width=_WIDTH)

    def _browse(self) -> None:
        if path := self._choose(self):
            self._other.setText(str(path))

    def _refresh(self) -> None:
        text = self.tr(
            "Old ids do not change. New tokens come after them, except special ones with an id of their own. The "
            "embedding map will start from {name}."
        )
        self._message.say(text.format(name=self._name), "quiet")
        ordinary = self._ordinary.text().strip("\n")  # spaces may be a token
        self._make.setEnabled(bool(self._other.text().strip() or ordinary or self._special.text().strip()))

    def _begin(self) -> None:
        old, path, most = self._tokenizer, self._other.text().strip(), self._most.value() or None
        added, renamed = parsed_changes(self._special.text())
        words = list(filter(None, self._ordinary.text().split("\n")))

        def work(progress: Progress) -> _Extended:
            made, of_other, of_words = old, None, None
            saved: dict[int, int] | EngineError = {}
            if path:
                of_other = merge_tokenizers(old, TokenizerSource.named(path).read(progress).tokenizer, most)
                made = of_other.tokenizer
            if words:
                of_words = with_ordinary_tokens(made, words)
                made = of_words.tokenizer
            extended = with_special_tokens(made, added, renamed) if added or renamed else made
            if self._documents and made is not old:
                try:
                    saved = tokens_saved(old, made, self._documents, progress)
                except EngineError as error:  # the corpus cannot be read; the tokens are added anyway
                    saved = error
            return _Extended(extended, of_other, of_words, saved)

        self._make.setEnabled(False)
        self._message.say(self.tr("Adding the tokens, and looking for texts that produce them…"), "quiet")
        self._runner.start("merge", work, self._take, lambda error: self._say(error_message(error), "warning"))

    def _show_work(self) -> None:
        self._bar.setVisible(self._runner.busy)

    def _take(self, made: _Extended) -> None:
        self._refresh()
        if sentences := self._sentences(made):
            self._say(joined_sentences(sentences))
        self.made.emit(made.tokenizer, self._tokenizer, self._name, self)

    def _sentences(self, made: _Extended) -> list[str]:
        """Return what was added with which ids, what was left out and why, and what is saved."""
        merging, words = made.of_other, made.of_words
        sentences, typed = [], list[int]()
        if words is not None:
            typed = sorted(set(words.added).intersection(words.ids.values()))
        if merging is not None or words is not None:
            others = (each for part in (merging, words) if part is not None for each in part.added)
            added = dict.fromkeys([*typed, *others])
            text = self.tr("Added: {count} ({tokens}).") if added else self.tr("Added: 0.")
            sentences.append(self._with_ids(text, made.tokenizer, [*added]))
        if merging is not None and merging.left_out:
            text = self.tr(
                "Left out: {left} ({tokens}), because no merge of two tokens makes them or no text has them."
            )
            sentences.append(_with_names(text, [*merging.left_out]))
        if words is not None:
            known = [text.encode() for text, token_id in words.ids.items() if token_id not in typed]
            unknown = [token for token, parts in words.left_out.items() if not parts]
            divided = [token for token, parts in words.left_out.items() if parts]
            for text, tokens in (
                (self.tr("Already tokens: {left} ({tokens})."), known),
                (self.tr("Left out: {left} ({tokens}), because this tokenizer always divides them."), divided),
                (self.tr("Left out: {left} ({tokens}), because this tokenizer lacks their characters."), unknown),
            ):
                if tokens:
                    sentences.append(_with_names(text, tokens))
        old = self._tokenizer.special_tokens
        special = [token_id for name, token_id in made.tokenizer.special_tokens.items() if name not in old]
        if special:
            text = self.tr("Special tokens added or renamed: {count} ({tokens}).")
            sentences.append(self._with_ids(text, made.tokenizer, special))
        if (last := made.tokenizer.largest_id) > self._tokenizer.largest_id:
            text = self.tr("A model needs {rows} rows of embeddings for it: its ids go from 0 to {last}.")
            sentences.append(text.format(rows=number(last + 1), last=number(last)))
        return [*sentences, *self._saved(made, typed)]

    def _with_ids(self, text: str, tokenizer: Tokenizer, ids: Sequence[int]) -> str:
        """Complete a sentence with the number of tokens, and with the first of them with their ids."""
        named = (f"{token_in_sentence(tokenizer.token(each))} → {each}" for each in ids[:_NAMED])
        return text.format(count=number(len(ids)), tokens=listed(named))

    def _saved(self, made: _Extended, typed: Sequence[int]) -> list[str]:
        """Return what the ordinary tokens that were added save in the corpus, if there are any."""
        if isinstance(made.saved, EngineError):
            return [error_message(made.saved)]
        if not made.saved:
            return []
        fewer = sum(made.saved.values())
        if not fewer:
            text = self.tr("The run’s corpus “{corpus}” has none of these ordinary tokens, so they save nothing in it.")
            return [text.format(corpus=self._corpus)]
        ids = {*typed, *filter(made.saved.get, made.saved)}
        named = sorted(ids, key=made.saved.__getitem__, reverse=True)
        most = (f"{token_in_sentence(made.tokenizer.token(each))} {number(made.saved[each])}" for each in named)
        text = self.tr("Tokens that the ordinary ones save in the run’s corpus “{corpus}”: {fewer} ({most}).")
        return [text.format(corpus=self._corpus, fewer=number(fewer), most=listed(islice(most, _NAMED)))]

    def _say(self, words: str, role: str = "") -> None:
        self._message.say(words, role)
        self._make.setEnabled(True)


def _with_names(text: str, tokens: Sequence[bytes]) -> str:
    """Complete a sentence with the number of tokens, as `left`, and with the first of them, as `tokens`."""
    named = listed(map(token_in_sentence, tokens[:_NAMED]))
    return text.format(left=number(len(tokens)), tokens=named)


def parsed_changes(text: str) -> tuple[dict[str, int | None], dict[str, str]]:
    """Parse lines that each add a special token, perhaps with its id, or rename one.

    Return the tokens to add, with their ids or None, and the new names by the old ones.

    >>> parsed_changes("<a>\\n<b> 7\\n<old> → <new>")
    ({'<a>': None, '<b>': 7}, {'<old>': '<new>'})
    """
    lines = [_ARROW.split(line.strip(), maxsplit=1) for line in text.split("\n") if line.strip()]
    added = dict(_parsed(name) for name, *new in lines if not new)
    return added, {name: new[0] for name, *new in lines if new}
