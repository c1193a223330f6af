"""Describe formats and proofs, in the language of the window."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import EngineError, Tokenizer, visible
from bpe_gui.engine.proof import OWN_READER, Difference, IdOrToken, Proof, pattern_in_rust
from bpe_gui.engine.runtime import isolated, token_in_sentence

from .error_messages import error_message
from .joining import joined_sentences, labelled
from .numbers import number

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MAX_CHARACTERS: Final = 120  # shown of a text or a token
_MAX_TOKENS: Final = 16
_TOKENS_BEFORE: Final = 3  # shown before the first one that differs


def format_title(name: str) -> str:
    """Return the name of a format."""
    return {
        "huggingface": translate("Export", "Hugging Face tokenizer.json"),
        "transformers": translate("Export", "Transformers folder"),
        "gpt2": translate("Export", "GPT-2 vocab.json + merges.txt"),
        "tiktoken": translate("Export", "tiktoken ranks"),
        "minbpe": translate("Export", "minbpe model"),
        "subword-nmt": translate("Export", "subword-nmt codes"),
        "csv": translate("Export", "CSV tables"),
        "tsv": translate("Export", "TSV tables"),
    }[name]


def format_purpose(name: str) -> str:
    """Return a line on what a format is for."""
    return {
        "huggingface": translate("Export", "One self-contained file for the tokenizers package"),
        "transformers": translate("Export", "For AutoTokenizer.from_pretrained in the transformers package"),
        "gpt2": translate("Export", "For older code and for reopening here: training.json keeps the recipe and counts"),
        "tiktoken": translate("Export", "For tiktoken.Encoding, with the pattern and special tokens set in code"),
        "minbpe": translate("Export", "For RegexTokenizer.load in karpathy/minbpe"),
        "subword-nmt": translate("Export", "For apply_bpe in rsennrich/subword-nmt, without ids"),
        "csv": translate("Export", "Merges and vocabulary for a spreadsheet (not loadable as a tokenizer)"),
        "tsv": translate("Export", "Merges and vocabulary for a spreadsheet or a script"),
    }[name]


FORMAT_ORDER: Final = ("huggingface", "transformers", "gpt2", "tiktoken", "minbpe", "subword-nmt", "csv", "tsv")
"""The formats, most popular first."""


def proof_text(proof: Proof) -> str:
    """Return the result of comparing a reader's ids, as a sentence."""
    reader = translate("Export", "bpe-gui itself") if proof.reader == OWN_READER else proof.reader
    if proof.obstacle is not None:
        return labelled(reader, error_message(proof.obstacle))
    if proof.difference is not None:
        template = (
            translate("Export", "{reader} gives different ids.")
            if proof.compares_ids
            else translate("Export", "{reader} gives different tokens.")
        )
        return template.format(reader=reader)
    template = (
        translate("Export", "{reader} gives the same ids for {strings} test strings.")
        if proof.compares_ids
        else translate("Export", "{reader} gives the same tokens for {strings} test strings.")
    )
    if proof.skipped:
        skipped = translate("Export", "Skipped because of symbols without an id: {left_out}.")
        template = joined_sentences([template, skipped])
    return template.format(strings=number(proof.compared), reader=reader, left_out=number(proof.skipped))


def difference_text(difference: Difference) -> str:
    """Return the text and both sides' tokens on three lines, shortened to the vicinity of the difference."""
    first = max(0, difference.index - _TOKENS_BEFORE)
    return "\n".join(
        [
            translate("Export", "Text: {text}").format(text=isolated(_shortened(visible(difference.text.encode())))),
            translate("Export", "Expected: {tokens}").format(tokens=_listed(difference.ours, first)),
            translate("Export", "Got: {tokens}").format(tokens=_listed(difference.theirs, first)),
        ]
    )


def tiktoken_code(tokenizer: Tokenizer, file: Path) -> str:
    """Return Python code that reads a file of ranks, with the pattern and special tokens that the file lacks.

    A pattern that tiktoken would interpret differently is left out, and a comment says why.
    """
    try:
        pattern = f"pat_str={pattern_in_rust(tokenizer)!r},"
    except EngineError as error:
        pattern = f"pat_str=...,  # {error_message(error)}"
    return f"""\
import tiktoken
from tiktoken.load import load_tiktoken_bpe

encoding = tiktoken.Encoding(
    {file.stem!r},
    {pattern}
    mergeable_ranks=load_tiktoken_bpe({str(file)!r}),
    special_tokens={tokenizer.special_tokens!r},
)
"""


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else text[:_MAX_CHARACTERS] + "…"


def _listed(tokens: Sequence[IdOrToken], first: int) -> str:
    shown = [
        token_in_sentence(token.encode(), _MAX_CHARACTERS) if isinstance(token, str) else str(token)
        for token in islice(tokens, first, first + _MAX_TOKENS)
    ]
    return " ".join(["…"] * (first > 0) + shown + ["…"] * (len(tokens) > first + _MAX_TOKENS)) or translate(
        "Export", "nothing"
    )
