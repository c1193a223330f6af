"""What is said about formats and about proofs: in words for people, in the language of the window."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import Tokenizer, visible
from bpe_gui.engine.proof import OURSELVES, Difference, Proof, Token
from bpe_gui.engine.proof.package_readers import pattern_in_rust

from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.wording.numbers import number

translate = QCoreApplication.translate  # lupdate knows the function by this name

_LONGEST_TEXT: Final = 120  # characters
_MOST_TOKENS: Final = 16
_BEFORE: Final = 3  # tokens before the first that differs


def format_title(name: str) -> str:
    """What a format is called."""
    return {
        "huggingface": translate("Export", "Hugging Face tokenizer.json"),
        "transformers": translate("Export", "Transformers folder"),
        "gpt2": translate("Export", "GPT-2 vocab.json + merges.txt"),
        "tiktoken": translate("Export", "tiktoken ranks"),
        "minbpe": translate("Export", "minbpe model"),
        "subword-nmt": translate("Export", "subword-nmt codes"),
        "csv": translate("Export", "Tables, separated by commas"),
        "tsv": translate("Export", "Tables, separated by tabs"),
    }[name]


def format_purpose(name: str) -> str:
    """What a format is for."""
    return {
        "huggingface": translate("Export", "One file for the tokenizers package, which says all that encoding needs"),
        "transformers": translate("Export", "For AutoTokenizer.from_pretrained of the transformers package"),
        "gpt2": translate(
            "Export", "For older code, and to be opened here again: training.json keeps recipe and counts"
        ),
        "tiktoken": translate("Export", "For tiktoken.Encoding; the pattern and the special tokens are given in code"),
        "minbpe": translate("Export", "For RegexTokenizer.load of karpathy/minbpe"),
        "subword-nmt": translate("Export", "For apply_bpe of rsennrich/subword-nmt; ids are left out"),
        "csv": translate("Export", "Merges and vocabulary for a spreadsheet; no tokenizer is read from them"),
        "tsv": translate("Export", "Merges and vocabulary for a spreadsheet or a script"),
    }[name]


FORMAT_ORDER: Final = ("huggingface", "transformers", "gpt2", "tiktoken", "minbpe", "subword-nmt", "csv", "tsv")
"""Formats as people look for them."""


def proof_text(proof: Proof) -> str:
    """What came of asking a reader, in a sentence."""
    reader = translate("Export", "bpe-gui itself") if proof.reader == OURSELVES else proof.reader
    if proof.obstacle is not None:
        return f"{reader}: {sentence(proof.obstacle)}"
    if proof.difference is not None:
        words = (
            translate("Export", "{reader} gives other ids.")
            if proof.knows_ids
            else translate("Export", "{reader} gives other tokens.")
        )
        return words.format(reader=reader)
    words = (
        translate("Export", "Same ids on {strings} strings with {reader}.")
        if proof.knows_ids
        else translate("Export", "Same tokens on {strings} strings with {reader}.")
    )
    if proof.left_out:
        words += " " + translate("Export", "{left_out} more hold symbols without an id.")
    return words.format(strings=number(proof.strings), reader=reader, left_out=number(proof.left_out))


def difference_text(difference: Difference) -> str:
    """A text and what both sides make of it, a line each; long ones are cut to what is about the difference."""
    first = max(0, difference.place - _BEFORE)
    return "\n".join(
        [
            translate("Export", "Text: {text}").format(text=_shortened(visible(difference.text.encode()))),
            translate("Export", "Ours: {tokens}").format(tokens=_listed(difference.ours, first)),
            translate("Export", "Theirs: {tokens}").format(tokens=_listed(difference.theirs, first)),
        ]
    )


def tiktoken_code(tokenizer: Tokenizer, file: Path) -> str:
    """Python that reads a file of ranks with what is not in it: the pattern and the special tokens."""
    return f"""\
import tiktoken
from tiktoken.load import load_tiktoken_bpe

encoding = tiktoken.Encoding(
    {file.stem!r},
    pat_str={pattern_in_rust(tokenizer)!r},
    mergeable_ranks=load_tiktoken_bpe({str(file)!r}),
    special_tokens={tokenizer.special_tokens!r},
)
"""


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"


def _listed(tokens: Sequence[Token], first: int) -> str:
    shown = [
        _shortened(visible(token.encode()) if isinstance(token, str) else str(token))
        for token in islice(tokens, first, first + _MOST_TOKENS)
    ]
    return " ".join(["…"] * (first > 0) + shown + ["…"] * (len(tokens) > first + _MOST_TOKENS)) or translate(
        "Export", "nothing"
    )
