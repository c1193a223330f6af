"""What changed when a run was made again: the first merge that differs, the tokens of the text, and the words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from bpe_gui.engine import (
    EngineError,
    Int64Array,
    Progress,
    TokenArrays,
    Tokenizer,
    TokenPair,
    WordCounts,
    token_in_sentence,
)
from bpe_gui.engine.comparison import MergeDifference, PairComparison
from bpe_gui.gui.look.layouts import GRID, WIDE_GAP, dialog_column
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, push_button
from bpe_gui.gui.session.earlier_run import RunMerges
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID
from bpe_gui.gui.session.overlay import TextDifference
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, MarkedSymbols, NumberColumn, TableModel
from bpe_gui.gui.wording.comparison_texts import reason_text
from bpe_gui.gui.wording.phrases import closed_up, counted, joined_sentences, number
from bpe_gui.gui.wording.run_texts import pair_text

translate = QCoreApplication.translate  # lupdate knows the function by this name

_WIDTH: Final = 640  # pixels
_ROWS, _MAX_ROWS = 3, 8  # in view
_MAX_WORDS: Final = 20_000  # the most frequent ones; each is encoded twice
_MAX_PARTS, _LONGEST_PART = 8, 24  # tokens, and characters of each, of a place in the text
_MANY_WORDS: Final = 1_000  # after which the thread looks whether it is to go on


class WordChange(NamedTuple):
    """A word of the corpus, how often it occurs, and its tokens in the earlier run and now."""

    frequency: int
    tokens: tuple[tuple[bytes, ...], tuple[bytes, ...]]


@dataclass(frozen=True, slots=True)
class Changes:
    """How a run differs from the one it replaced, each at its step in `steps`.

    This is the last step that both have; but if nothing is left to merge in one of them, the other may go on. `text`:
    how the earlier run splits the text to encode, compared with this one; None if a run cannot encode it. `place`: its
    first part that is split differently, as the tokens in both. `words`: the unique words of the corpus that are split
    differently, of the `compared` most frequent ones; `total` is the number of all.
    """

    runs: tuple[RunMerges, RunMerges]
    steps: tuple[int, int]
    difference: MergeDifference | None
    text: TextDifference | None
    place: tuple[Sequence[bytes], Sequence[bytes]] | None
    words: Sequence[WordChange]
    compared: int
    total: int

    @classmethod
    def of(
        cls,
        before: RunMerges,
        now: RunMerges,
        text: tuple[bytes, bool],
        words: WordCounts,
        order: Int64Array,
        progress: Progress,
    ) -> "Changes":
        """Compare two runs on a text, given with whether it is whole, and on the words with the numbers in `order`."""
        known = before.tokenizer.position, now.tokenizer.position
        steps = known[0] if now.is_complete else min(known), known[1] if before.is_complete else min(known)
        first, second = before.tokenizer.at(steps[0]), now.tokenizer.at(steps[1])
        on_text, place = None, None
        try:
            on_text = TextDifference.of(second, first, text[0], is_whole=text[1])
            place = _first_place((first, second), text[0]) if on_text.is_elsewhere else None
        except EngineError:
            pass
        encoders, order = [_Encoder(each) for each in (first, second)], order[:_MAX_WORDS]
        changed = list[WordChange]()
        for index, word in enumerate(order.tolist()):
            if index % _MANY_WORDS == 0:
                progress(0, 0)
            letters = words.text[words.starts[word] : words.starts[word + 1]].tobytes().decode()
            before_it, now_it = (encoder.tokens_of(letters) for encoder in encoders)
            if before_it != now_it:
                changed.append(WordChange(int(words.frequencies[word]), (before_it, now_it)))
        difference = PairComparison(first, second).first_merge
        return cls((before, now), steps, difference, on_text, place, changed, len(order), len(words))


def _first_place(tokenizers: tuple[Tokenizer, Tokenizer], text: bytes) -> tuple[Sequence[bytes], Sequence[bytes]]:
    """Return the parts of a text that are the tokens of each tokenizer, between boundaries that both have, where they
    first differ.
    """
    first, second = (each.with_unknown_id(UNKNOWN_ID).token_arrays(text) for each in tokenizers)
    offset = np.setxor1d(first.starts, second.starts)[0]
    common = np.intersect1d(first.starts, second.starts)
    start, stop = common[common < offset].max(initial=0), common[common > offset].min(initial=len(text))

    def parts(tokens: TokenArrays) -> Sequence[bytes]:
        spans = zip(tokens.starts.tolist(), tokens.stops.tolist(), strict=True)
        return [text[begin:end] for begin, end in spans if start <= begin < stop]

    return parts(first), parts(second)


class _Encoder:
    """Encodes words as fast as possible, also those with symbols that the tokenizer does not know."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._encode = tokenizer.with_unknown_id(UNKNOWN_ID).encode
        self._vocab: Final = {UNKNOWN_ID: "\N{REPLACEMENT CHARACTER}".encode(), **tokenizer.vocab}

    def tokens_of(self, word: str) -> tuple[bytes, ...]:
        return tuple([self._vocab[token_id] for token_id in self._encode(word)])


class ChangesDialog(QDialog):
    """Says what changed, and lists the words. `compare_wanted`: the user wants to see both runs side by side."""

    compare_wanted = Signal()

    def __init__(self, changes: Changes, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("changesDialog")
        self.setWindowTitle(self.tr("What changed?"))
        merges = SentenceLabel(_merges_text(changes), name="changedMerges", selectable=True)
        text = SentenceLabel(_text_text(changes), name="changedText", selectable=True)
        words = SentenceLabel(_words_text(changes), name="changedWords", selectable=True)
        before, now = (run.tokenizer.recipe.boundary != "none" for run in changes.runs)
        title = translate("Changes", "Count")
        count = NumberColumn[WordChange](title=title, width=64, text=lambda row: number(row.frequency))
        sides = _column(translate("Changes", "Before"), 0, before), _column(translate("Changes", "Now"), 1, now)
        model: TableModel[WordChange] = TableModel(theme, [count, *sides], self)
        model.show(changes.words)
        table = Table(model, "changedWordsTable", self.tr("Words that are split differently"))
        rows = min(max(len(changes.words), _ROWS), _MAX_ROWS) + 1
        table.setMinimumHeight(rows * table.verticalHeader().defaultSectionSize() + GRID)
        table.widen(0, number(max((each.frequency for each in changes.words), default=0)))
        table.setVisible(bool(changes.words))
        text.setVisible(bool(text.text()))
        compare = push_button("compareChangesButton", self.tr("Com&pare side by side"))
        close = push_button("closeChangesButton", self.tr("&Close"))
        compare.clicked.connect(self.compare_wanted)
        compare.clicked.connect(self.accept)
        buttons = QDialogButtonBox()
        buttons.addButton(compare, QDialogButtonBox.ButtonRole.ActionRole)  # Return is to press neither
        buttons.addButton(close, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        set_role(words, "title")
        dialog_column(self, merges, text, words, (table, 1), buttons, spacing=WIDE_GAP, width=_WIDTH)


def _column(title: str, side: int, has_marker: bool) -> Column[WordChange]:
    def text(row: WordChange) -> str:
        return " | ".join(map(token_in_sentence, row.tokens[side]))

    def symbols(row: WordChange) -> MarkedSymbols:
        return MarkedSymbols(row.tokens[side], None, has_marker)

    return Column(title=title, font="tokens", text=text, tool_tip=text, symbols=symbols)


def _merges_text(changes: Changes) -> str:
    """Return the first merge that differs, what became of both, and why, as far as that is known."""
    difference = changes.difference
    if difference is None or difference.first is None or difference.second is None:
        one = translate("Changes", "The first merge is the same as before.")
        many = translate("Changes", "All {count} merges that both runs have are the same.")
        return counted(min(changes.steps), one, many)
    (before, now), rank = changes.runs, difference.rank
    counts = before.count_of(rank), now.count_of(rank)
    here = translate("Changes", "Step {step} merged {first} before, and now merges {second}.").format(
        step=number(rank + 1),
        first=_pair_text(difference.first, counts[0]),
        second=_pair_text(difference.second, counts[1]),
    )
    fates = (
        (now, difference.first, translate("Changes", "Now {pair} comes at step {step}.")),
        (before, difference.second, translate("Changes", "Before, {pair} came at step {step}.")),
    )
    return joined_sentences([here, *_fates(fates)]) + "\n" + _why(changes, difference, counts)


def _fates(fates: Iterable[tuple[RunMerges, TokenPair, str]]) -> Iterator[str]:
    """Yield at which step each of the runs merges the pair that the other one merges where the two part."""
    for run, pair, template in fates:
        merges = run.tokenizer.merges
        if pair in merges:
            rank = merges.index(pair)
            yield template.format(pair=_pair_text(pair, run.count_of(rank)), step=number(rank + 1))


def _why(changes: Changes, difference: MergeDifference, counts: tuple[int | None, int | None]) -> str:
    before, now = (run.inputs for run in changes.runs)
    if before is None or now is None:
        return ""
    is_other_corpus = now.have_other_corpus(before)
    if before.plan == now.plan and not difference.reasons:
        corpus = translate("Changes", "The reason: the corpus has changed.")
        return corpus if is_other_corpus else translate("Changes", "The reason: the recipe has changed.")
    names = translate("Changes", "the earlier run"), translate("Changes", "this run")
    shown = (None, None) if is_other_corpus else counts
    return closed_up(reason_text(names, difference, shown, (before.plan, now.plan)))


def _pair_text(pair: TokenPair, count: int | None) -> str:
    return pair_text(pair) if count is None else f"{pair_text(pair)} (×{number(count)})"


def _text_text(changes: Changes) -> str:
    """Return how many tokens the text had before and has now; empty if there is none or it cannot be encoded."""
    text = changes.text
    if text is None or not text.tokens:
        return ""
    whole, beginning = translate("Changes", "Your text"), translate("Changes", "The beginning of your text")
    template = translate("Changes", "{text}: {before} tokens before (step {step_before}), {now} now (step {step}).")
    if not text.is_elsewhere:
        template = translate("Changes", "{text} is split as before: {now} tokens (step {step}).")
    elif not text.more_tokens:
        template = translate(
            "Changes",
            "{text}: {now} tokens both before (step {step_before}) and now (step {step}), but split differently.",
        )
    sentence = template.format(
        text=whole if text.is_whole else beginning,
        before=number(text.tokens),
        now=number(text.tokens - text.more_tokens),
        step_before=number(changes.steps[0]),
        step=number(changes.steps[1]),
    )
    if changes.place is None:
        return sentence
    before, now = map(_parts_text, changes.place)
    place = translate("Changes", "The first place: {before} → {now}.").format(before=before, now=now)
    return joined_sentences([sentence, place])


def _parts_text(parts: Sequence[bytes]) -> str:
    """Return the tokens of a part of the text, or the first of them if it is long."""
    shown = [token_in_sentence(part, _LONGEST_PART) for part in parts[:_MAX_PARTS]]
    return " | ".join([*shown, *["…"] * (len(parts) > _MAX_PARTS)])


def _words_text(changes: Changes) -> str:
    """Return how many words of the corpus are split differently; and if none is, but the text is, why not."""
    template = translate("Changes", "Unique words of the corpus that are split differently: {count} of {total}")
    if changes.compared < changes.total:
        template = translate(
            "Changes", "Unique words of the corpus that are split differently: {count} of the {total} most frequent"
        )
    text = template.format(count=number(len(changes.words)), total=number(changes.compared))
    if changes.place is None or changes.words:
        return text
    only = translate("Changes", "{text}. Words that only your text has are not counted.")
    return only.format(text=text)
