"""Recover merges from ranks: tiktoken and tekken files list tokens by rank, but no merges.

tiktoken looks up a word that is a token. In any other word it merges, again and again, the two neighbours whose joined
bytes have the lowest rank. `merge_recovery` finds the merge behind each token. A token that no merge makes only ever
stands for a whole word.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from bpe_gui.engine.runtime.arguments import checks_arguments
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.printable import END_OF_WORD, PRINTABLE_ORDER
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.merge_recovery import recover_parts
from bpe_gui.engine.tokenization.numbered_tokens import NumberedMerges, NumberedTokens, TokenList, TokenPair
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_gui.engine.pipeline.pipeline import Pipeline

SINGLE_BYTES: Final = tuple(bytes((byte,)) for byte in range(256))
MAX_TOKEN_BYTES: Final = 1024
MAX_TOTAL_TOKEN_BYTES: Final = 1 << 26
"""Recovering the merges then takes seconds; a million tokens have at most a third as many bytes."""


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
    """Raise FormatError if recovering the merges of so many bytes would take too long."""
    if tokens.starts[-1] > MAX_TOTAL_TOKEN_BYTES:
        raise FormatError(
            _("EngineError", "{path}: the tokens have more than {most:,} bytes in total."),
            path=path,
            most=MAX_TOTAL_TOKEN_BYTES,
        )


def tokenizer_from_ranks(
    tokens: Mapping[int, bytes], splitter: str, special_tokens: Mapping[str, int], *, first_id: int = 0
) -> Tokenizer:
    """Return a tokenizer that encodes as tiktoken does with these tokens.

    `tokens` are in the order of their ranks; a token's id is its rank plus `first_id`. If merges make all tokens, the
    tokenizer has a recipe. If not, it has a pipeline that looks up words before it merges them.
    """
    numbered = NumberedTokens.of(tokens)
    ranked = numbered.tokens
    parts = recover_parts(ranked, np.arange(len(ranked)))
    merged = np.flatnonzero(parts.lefts >= 0)
    merges = NumberedMerges(ranked, parts.lefts[merged], parts.rights[merged], merged)
    units = ranked.text[ranked.starts[:-1][ranked.sizes == 1]].tobytes()
    is_empty = bool(np.any(ranked.sizes == 0))  # which nothing makes, and nothing needs
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


def has_lookup_pipeline(tokenizer: Tokenizer) -> bool:
    """Return whether `tokenizer_from_ranks` gave a tokenizer its pipeline, because merges do not make all tokens."""
    if tokenizer.pipeline is None:
        return False
    from bpe_gui.engine.pipeline.pre_tokenizers import RecipeSplit

    match tokenizer.pipeline.pre_tokenizers:
        case (RecipeSplit(splitter), _bytes):
            return tokenizer.pipeline == _lookup_pipeline(splitter, tokenizer.special_tokens)
    return False


@checks_arguments(FormatError)
def unmerged_tokens(tokenizer: Tokenizer) -> dict[int, bytes]:
    """Return the tokens of several bytes that no merge makes, by id: they can only stand for whole words.

    >>> unmerged_tokens(tokenizer_from_ranks({**dict(enumerate(SINGLE_BYTES)), 256: b"ow", 300: b"slow"}, "gpt2", {}))
    {300: b'slow'}
    """
    entries = tokenizer.entries()
    prefix, suffix = _affixes(tokenizer)
    return {
        token_id: token
        for token_id, step, token in zip(entries.ids.tolist(), entries.steps.tolist(), entries.tokens, strict=True)
        if step == 0 and len(token.removeprefix(prefix).removesuffix(suffix)) > 1
    }


def _affixes(tokenizer: Tokenizer) -> tuple[bytes, bytes]:
    """Return the bytes that are attached before and after the initial symbols of a word."""
    if tokenizer.pipeline is not None:
        return tokenizer.pipeline.model.prefix.encode(), tokenizer.pipeline.model.suffix.encode()
    return b"", b"" if tokenizer.recipe.boundary == "none" else END_OF_WORD
