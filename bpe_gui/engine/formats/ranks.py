"""Ranks in files of tiktoken and tekken: their patterns, and how merges are recovered from them.

Patterns are regular expressions of Rust's crate `fancy-regex`. The files list tokens by rank, but no merges. tiktoken
looks up a word that is a token. In any other word, it repeatedly merges the two neighbours whose joined bytes have the
lowest rank. `merge_recovery` finds the merge behind each token. A token that no merge makes can only be a whole word.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.printable import END_OF_WORD, PRINTABLE_ORDER
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.splitters import SPLITTERS, automaton_of
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.merge_recovery import recover_parts
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedMerges, NumberedTokens, TokenList, TokenPair

if TYPE_CHECKING:
    from bpe_gui.engine.pipeline.pipeline import Pipeline

SINGLE_BYTES: Final = tuple(bytes((byte,)) for byte in range(256))
MAX_TOKEN_BYTES: Final = 1024
MAX_TOTAL_TOKEN_BYTES: Final = 1 << 26
"""Recovering the merges of this many bytes takes seconds; a million tokens have at most a third as many."""


# -- patterns -------------------------------------------------------------------------------------------------------

# openai/tiktoken tiktoken_ext/openai_public.py: splits as `gpt2`, but faster in Rust
_R50K: Final = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++\Z|\s+(?!\S)|\s"
_NAMES: Final = {pattern: name for name, pattern in SPLITTERS.items()} | {_R50K: "gpt2"}


def splitter_from_pattern(pattern: str) -> str:
    r"""Return the name of the splitter with this pattern, here or in tiktoken, or any other pattern unchanged.

    >>> splitter_from_pattern(r"\S+"), splitter_from_pattern(SPLITTERS["cl100k"].replace(r"\Z", "$"))
    ('\\S+', 'cl100k')
    """
    return _NAMES.get(pattern) or _NAMES.get(pattern.replace("$", r"\Z")) or pattern


def splitter_from_rust_pattern(pattern: str) -> str:
    r"""Return the splitter for a Rust regular expression. Raise RecipeError if it cannot be translated.

    >>> splitter_from_rust_pattern(r"\S+$"), splitter_from_rust_pattern(SPLITTERS["gpt2"])
    ('\\S+\\Z', 'gpt2')
    """
    known = splitter_from_pattern(pattern)
    if known != pattern:
        return known
    from bpe_gui.engine.text.dialects import PYTHON, RUST
    from bpe_gui.engine.text.writer import translate

    splitter = splitter_from_pattern(translate(pattern, RUST, PYTHON))
    automaton_of(splitter)
    looks_like_a_name = splitter == pattern and pattern in SPLITTERS
    return f"(?:{splitter})" if looks_like_a_name else splitter


def rust_pattern(splitter: str) -> str:
    r"""Return the regular expression for Rust that splits like a splitter, given by name or pattern.

    Raise RecipeError for one that Rust may read differently.

    >>> rust_pattern(r"[$]+|\w+$|\s+\Z")
    '[$]+|\\w+(?=\\n?$)|\\s+$'
    """
    from bpe_gui.engine.text.dialects import PYTHON, RUST
    from bpe_gui.engine.text.writer import translate

    return translate(SPLITTERS.get(splitter, splitter), PYTHON, RUST)


# -- merges from ranks --------------------------------------------------------------------------------------------


def recover_merges(ranked_tokens: Sequence[bytes]) -> list[TokenPair | None]:
    """Return the merge that makes each token of several bytes, or None if no merge does.

    >>> recover_merges([b"l", b"o", b"w", b"ow", b"low", b"wow"])
    [(b'o', b'w'), (b'l', b'ow'), (b'w', b'ow')]
    >>> recover_merges([b"l", b"o", b"w", b"low"])
    [None]
    """
    lefts = recover_parts(ranked_tokens, np.arange(len(ranked_tokens))).lefts.tolist()
    sizes = [*map(len, ranked_tokens), *[1] * len(SINGLE_BYTES)]  # also of bytes that are not tokens
    return [
        (token[: sizes[left]], token[sizes[left] :]) if left >= 0 else None
        for left, token in zip(lefts, ranked_tokens, strict=True)
        if len(token) > 1
    ]


# -- tokenizers ---------------------------------------------------------------------------------------------------


def check_total_size(path: Path, tokens: TokenList) -> None:
    """Raise FormatError if tokens have too many bytes to recover merges in a reasonable time."""
    if tokens.starts[-1] > MAX_TOTAL_TOKEN_BYTES:
        raise FormatError(
            "{path}: the tokens have more than {most:,} bytes in total.", path=path, most=MAX_TOTAL_TOKEN_BYTES
        )


def tokenizer_from_ranks(
    tokens: Mapping[int, bytes], splitter: str, special_tokens: Mapping[str, int], *, first_id: int = 0
) -> Tokenizer:
    """Return a tokenizer that encodes like tiktoken with these tokens.

    `tokens` are in the order of their ranks; a token's id is its rank plus `first_id`. If merges make all tokens, the
    tokenizer has a recipe. If not, it has a pipeline that looks up words before it merges them.
    """
    numbered = NumberedTokens.of(tokens)
    ranked = numbered.tokens
    parts = recover_parts(ranked, np.arange(len(ranked)))
    merged = np.flatnonzero(parts.lefts >= 0)
    merges = NumberedMerges(ranked, parts.lefts[merged], parts.rights[merged], merged)
    units = ranked.text[ranked.starts[:-1][ranked.sizes == 1]].tobytes()
    is_empty = bool(np.any(ranked.sizes == 0))  # nothing makes or needs an empty token
    vocab = NumberedTokens(numbered.ids + first_id, ranked)
    if len(merges) + len(units) + is_empty < len(ranked):
        return Tokenizer(vocab, merges, special_tokens, pipeline=_lookup_pipeline(splitter, special_tokens))
    recipe = Recipe.of("tiktoken").with_changes(
        splitter=splitter,
        special_ids="first" if first_id else "last",
        alphabet="gpt2-printable" if units == bytes(PRINTABLE_ORDER) else "sorted",
    )
    return Tokenizer(vocab, merges, special_tokens, recipe=recipe)


def _lookup_pipeline(splitter: str, special_tokens: Mapping[str, int]) -> "Pipeline":
    from bpe_gui.engine.pipeline.added_tokens import AddedToken
    from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder
    from bpe_gui.engine.pipeline.model_options import ModelOptions
    from bpe_gui.engine.pipeline.pipeline import Pipeline
    from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, RecipeSplit

    return Pipeline(
        added_tokens=tuple(AddedToken(id=token_id, content=token) for token, token_id in special_tokens.items()),
        pre_tokenizers=(RecipeSplit(splitter), ByteLevel()),
        model=ModelOptions(is_byte_level=True, ignores_merges=True),
        decoders=(ByteLevelDecoder(),),
    )


def unmerged_tokens(tokenizer: Tokenizer) -> dict[int, bytes]:
    """Return the tokens of several bytes that no merge makes, by id: they can only stand for whole words.

    >>> unmerged_tokens(tokenizer_from_ranks({**dict(enumerate(SINGLE_BYTES)), 256: b"ow", 300: b"slow"}, "gpt2", {}))
    {300: b'slow'}
    """
    entries, model = tokenizer.entries(), tokenizer.store.model
    # Model and recipe attach these to the first and the last initial symbol of a word.
    prefix = model.prefix.encode()
    suffix = model.suffix.encode() or (b"" if tokenizer.recipe.boundary == "none" else END_OF_WORD)
    return {
        token_id: token
        for token_id, step, token in zip(entries.ids.tolist(), entries.steps.tolist(), entries.tokens, strict=True)
        if step == 0 and len(token.removeprefix(prefix).removesuffix(suffix)) > 1
    }
