"""Tell what the program that a file is meant for does not take from it, so that nobody finds out by wrong ids."""

from typing import Final

from bpe_gui.engine.runtime.arguments import checks_arguments
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

_GPT2_SPECIAL: Final = "<|endoftext|>"
"""The one special token that programs know without being told."""


@checks_arguments(FormatError)
def save_caution(tokenizer: Tokenizer, format: str) -> FormatError | None:
    """Return what a reader of this format must be told for the same ids, as a sentence; None if files say it all.

    >>> save_caution(Tokenizer({0: b"l"}, [], recipe="cs336"), "huggingface")
    >>> print(save_caution(Tokenizer({0: b"l"}, [], ["<e>"], recipe="cs336"), "gpt2"))
    Other programs take these special tokens for text unless they are told of them: '<e>'.
    """
    specials = tokenizer.special_tokens.keys()
    match format:
        case "minbpe" if tokenizer.recipe.splitter != "none" or specials:
            return FormatError(
                _(
                    "EngineError",
                    "RegexTokenizer.load in minbpe goes on splitting by the pattern that RegexTokenizer was made with, "
                    "not by the one in the file, its second line. Make it with that pattern, or ids may differ.",
                )
            )
        case "tiktoken":
            return FormatError(
                _(
                    "EngineError",
                    "The file contains only ranks. tiktoken.Encoding needs the pattern and the special tokens, too.",
                )
            )
        case "gpt2" if not _splits_as_gpt2(tokenizer):
            return FormatError(
                _(
                    "EngineError",
                    "The files do not say how text is split. Other programs split it as GPT-2 does, and give other "
                    "ids.",
                )
            )
        case "gpt2" if unknown := [token for token in specials if token != _GPT2_SPECIAL]:
            return FormatError(
                _(
                    "EngineError",
                    "Other programs take these special tokens for text unless they are told of them: {tokens}.",
                ),
                tokens=", ".join(map(repr, unknown)),
            )
        case "subword-nmt" if specials:
            return FormatError(
                _("EngineError", "subword-nmt has no special tokens. It takes these for text: {tokens}."),
                tokens=", ".join(map(repr, specials)),
            )
    return None


def _splits_as_gpt2(tokenizer: Tokenizer) -> bool:
    recipe = tokenizer.recipe
    return (recipe.units, recipe.splitter, recipe.boundary) == ("bytes", "gpt2", "none")
