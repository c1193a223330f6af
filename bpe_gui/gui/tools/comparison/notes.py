"""Sentences about what cannot be compared, and why."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QCoreApplication

from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.joining import joined_sentences
from bpe_gui.gui.wording.numbers import counted

from .compared import Compared, TokenizerFile
from .compared_tokenizers import ComparedTokenizers
from .live_comparison import LiveComparison
from .names import letter

translate = QCoreApplication.translate  # lupdate knows the function by this name


def notes_on(tokenizers: ComparedTokenizers, live: LiveComparison) -> str:
    """Return what the user should know about the comparison; empty if there is nothing."""
    if tokenizers.current.tokenizer is None:
        return translate("Comparison", "There is no run yet. Type or open a corpus in the main window.")
    if live.size == 0:
        return translate("Comparison", "There is no text to compare yet. Type or paste some in the main window.")
    if len(tokenizers.items) == 1:
        return translate("Comparison", "Add a tokenizer to compare with: a step of the run, a file or a recipe.")
    return joined_sentences(_notes(tokenizers, tokenizers.shown))


def _notes(tokenizers: ComparedTokenizers, shown: Sequence[Compared]) -> Iterator[str]:
    letters = {item: letter(index) for index, item in enumerate(tokenizers.items)}
    for item in shown:
        if item.error is not None:
            template = translate("Comparison", "{name} cannot encode this text: {reason}")
            yield template.format(name=letters[item], reason=error_message(item.error))
        elif not item.keeps_text:
            template = translate(
                "Comparison", "{name} changes this text before splitting it, so its boundaries are not compared."
            )
            yield template.format(name=letters[item])
        if isinstance(item.origin, TokenizerFile) and item.origin.is_guessed:
            template = translate(
                "Comparison", "{name} has no splitting pattern or special tokens; the GPT-2 pattern is used."
            )
            yield template.format(name=letters[item])
        if item.numbers is not None and item.numbers.unknown:
            one = translate("Comparison", "{name} has no id for 1 symbol of this text.")
            many = translate("Comparison", "{name} has no id for {count} symbols of this text.")
            unknown = item.numbers.unknown
            yield counted(unknown, one, many.replace("{name}", letters[item])).replace("{name}", letters[item])
