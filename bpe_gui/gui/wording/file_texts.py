"""Describe files in words: what a tokenizer's files say, the formats to export to, and a counts file."""

from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine import CountsFacts, EngineError, Tokenizer, token_in_sentence
from bpe_gui.engine.proof import pattern_in_rust
from bpe_gui.gui.wording.phrases import labelled, listed, number, size_text, translate
from bpe_gui.gui.wording.sentences import error_message, said


def opened_lines(tokenizer: Tokenizer) -> list[str]:
    """Return what a tokenizer's files say: how it splits, what is kept though no id depends on it, and what is open."""
    config = tokenizer.config
    splits = [said(each, MAX_CHARACTERS) for step in tokenizer.as_pipeline.pre_tokenizers for each in step.expressions]
    roles = (f"{role} {token_in_sentence(token.encode(), MAX_CHARACTERS)}" for role, token in config.roles.items())
    kept = [key for key in (*config.values, *config.files) if key not in config.roles]
    texts = (
        (translate("Pipeline", "Splitter"), splits),
        (translate("Pipeline", "Roles"), roles),
        (translate("Pipeline", "Chat templates"), config.chat_templates),
        (translate("Pipeline", "Also kept"), kept),
    )
    lines = [labelled(title, text) for title, items in texts if (text := listed(items))]
    return lines + [error_message(note) for note in tokenizer.notes]


MAX_CHARACTERS: Final = 120  # shown of a text or a token


class FormatText(NamedTuple):
    """A format to export to, in words."""

    title: str
    purpose: str
    """A line on what the format is for."""


def format_texts() -> dict[str, FormatText]:
    """Return the formats to export to, most popular first."""
    return {
        "huggingface": FormatText(
            translate("Export", "Hugging Face tokenizer.json"),
            translate("Export", "One self-contained file for the tokenizers package"),
        ),
        "transformers": FormatText(
            translate("Export", "Transformers folder"),
            translate("Export", "For AutoTokenizer.from_pretrained in the transformers package"),
        ),
        "gpt2": FormatText(
            translate("Export", "GPT-2 vocab.json + merges.txt"),
            translate("Export", "For older code and for reopening here: training.json keeps the recipe and counts"),
        ),
        "tiktoken": FormatText(
            translate("Export", "tiktoken ranks"),
            translate("Export", "For tiktoken.Encoding, with the pattern and special tokens set in code"),
        ),
        "minbpe": FormatText(
            translate("Export", "minbpe model"),
            translate("Export", "For RegexTokenizer.load in karpathy/minbpe"),
        ),
        "subword-nmt": FormatText(
            translate("Export", "subword-nmt codes"),
            translate("Export", "For apply_bpe in rsennrich/subword-nmt, without ids"),
        ),
        "sentencepiece": FormatText(
            translate("Export", "SentencePiece model"),
            translate("Export", "For SentencePieceProcessor in the sentencepiece package"),
        ),
        "gguf": FormatText(
            translate("Export", "GGUF vocabulary"),
            translate("Export", "For llama.cpp, without weights"),
        ),
        "csv": FormatText(
            translate("Export", "CSV tables"),
            translate("Export", "Merges and vocabulary for a spreadsheet (not loadable as a tokenizer)"),
        ),
        "tsv": FormatText(
            translate("Export", "TSV tables"),
            translate("Export", "Merges and vocabulary for a spreadsheet or a script"),
        ),
    }


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


def shortened(text: str, most: int = MAX_CHARACTERS) -> str:
    """Return at most so many characters of a text."""
    return text if len(text) <= most else text[:most] + "…"


_MAX_SOURCES: Final = 200


def counts_page(facts: CountsFacts) -> str:
    """Return what the file contains and how its words were counted, as lines of plain text."""
    tokens = "   ".join(facts.special_tokens) or translate("CountsPage", "none")
    lines = [
        translate("CountsPage", "Splitter: {splitter}").format(splitter=facts.splitter),
        translate("CountsPage", "Special tokens: {tokens}").format(tokens=tokens),
        translate("CountsPage", "Text: {size}, {count} characters").format(
            size=size_text(facts.bytes), count=number(facts.characters)
        ),
    ]
    if facts.special_tokens and facts.specials_kept:
        lines.append(translate("CountsPage", "Special tokens were counted as text."))
    if facts.spaces_kept:
        lines.append(translate("CountsPage", "Words keep the space before them."))
    if facts.start or len(facts.spans) > 1:
        lines.append(_part(facts))
    about = translate(
        "CountsPage", "This file contains the unique words of a corpus and their counts, but not the text itself."
    )
    return "\n".join([*lines, *_sources(facts), "", about])


def _part(facts: CountsFacts) -> str:
    stretches = listed(f"{number(start)} – {number(stop)}" for start, stop in facts.spans[:_MAX_SOURCES])
    return translate("CountsPage", "Part of a corpus, in bytes: {stretches}").format(stretches=stretches)


def _sources(facts: CountsFacts) -> list[str]:
    sources = facts.sources
    lines = [translate("CountsPage", "Counted from:")] if sources else []
    for source in sources[:_MAX_SOURCES]:
        name = source.name or translate("CountsPage", "a text")
        lines.append(f"    {name} · {size_text(source.size)}")
    if len(sources) > _MAX_SOURCES:
        more = number(len(sources) - _MAX_SOURCES)
        lines.append("    " + translate("CountsPage", "and {count} more").format(count=more))
    return lines
