"""Replace SentencePiece's own steps with steps of `tokenizer.json`, if they give the same ids for every text.

A few replacements are equivalent to its rules for white space. Its character map becomes the step `Precompiled`, as in
all published files, although a few texts get other ids: `tokenizers` looks up graphemes and single characters instead
of the longest match, so it leaves U+1100 U+1161 unchanged, drops the accent of an accented ﬁ, and more. Other steps
cannot express a character map: it has more entries than a file may have steps.
"""

import re
from collections.abc import Iterable, Iterator
from string import ascii_uppercase
from typing import Final

from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.decoders import ByteFallback, Fuse, ReplaceDecoder, StripDecoder, TokenDecoder
from bpe_gui.engine.pipeline.normalizers import Normalizer, Prepend, Replace
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL
from bpe_gui.engine.pipeline.precompiled_charsmap import Precompiled
from bpe_gui.engine.pipeline.sentencepiece import SentencePieceDecoder, SentencePieceNormalizer
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair

_MAX_ALTERNATIVES: Final = 100
"""How many tokens a regular expression may have; in some models, decoding skips a thousand."""


def without_sentencepiece_steps(pipeline: Pipeline, tokenizer: Tokenizer) -> Pipeline:
    """Return an equivalent of a tokenizer's pipeline without SentencePiece's own steps.

    Raise FormatError that names whatever has no equivalent.
    """
    white_space = next((step for step in pipeline.normalizers if isinstance(step, SentencePieceNormalizer)), None)
    if white_space is None:
        return pipeline
    _check_white_space(white_space)
    _check_control_symbols(tokenizer.special_tokens.keys() - {token.content for token in pipeline.added_tokens})
    normalizers = tuple(_normalizers(white_space))
    return Pipeline(
        added_tokens=_added_tokens(pipeline, white_space, normalizers),
        normalizers=normalizers,
        pre_tokenizers=pipeline.pre_tokenizers,
        model=pipeline.model,
        decoders=tuple(each for step in pipeline.decoders for each in _decoders(step)),
        ids_before=pipeline.ids_before,
        ids_after=pipeline.ids_after,
    )


def _check_white_space(step: SentencePieceNormalizer) -> None:
    if not step.character_map.replacements.keys().isdisjoint(ascii_uppercase):
        raise FormatError(
            "tokenizer.json cannot represent the character map ({name}) of this SentencePiece model, which writes "
            "letters in lower case: `tokenizers` would remove the accents that follow them.",
            name=step.character_map.name,
        )
    if step.treats_whitespace_as_suffix:
        raise FormatError(
            "tokenizer.json cannot represent a SentencePiece model that puts whitespace after words "
            "(treat_whitespace_as_suffix)."
        )


def _check_control_symbols(tokens: Iterable[str]) -> None:
    """Raise FormatError for a control symbol of one character.

    Text must never be encoded as control symbols, but `tokenizers` looks up all characters in the same vocabulary.
    """
    token = next((token for token in sorted(tokens) if len(token) == 1), None)
    if token is not None:
        raise FormatError(
            "tokenizer.json cannot represent the control symbol {token!r} of this SentencePiece model. It is a single "
            "character, so it would be found in ordinary text.",
            token=token,
        )


def _normalizers(step: SentencePieceNormalizer) -> Iterator[Normalizer]:
    r"""Yield normalizers that change characters and white space in the same way.

    >>> from bpe_gui.engine.pipeline.aligned_text import AlignedText
    >>> text = AlignedText.of("  low   lower ")
    >>> for normalizer in _normalizers(SentencePieceNormalizer()):
    ...     text = normalizer.normalize(text)
    >>> text.text == SentencePieceNormalizer().normalize(AlignedText.of("  low   lower ")).text == "▁low▁lower"
    True
    """
    if step.character_map.replacements:
        yield Precompiled(step.character_map, step.character_map.packed)
    space = SPACE_SYMBOL if step.escapes_whitespaces else " "
    if step.removes_extra_whitespaces:
        yield Replace(r"\A +", "", is_regex=True)
        yield Replace(" {2,}", " ", is_regex=True)
    if step.adds_dummy_prefix:
        yield Prepend(space)
    if step.escapes_whitespaces:
        yield Replace(" ", SPACE_SYMBOL)
    if step.removes_extra_whitespaces:  # this also removes a `▁` in the text itself
        yield Replace(rf"(?<!{space}){space}+\z", "", is_regex=True)


def _added_tokens(
    pipeline: Pipeline, white_space: SentencePieceNormalizer, normalizers: tuple[Normalizer, ...]
) -> tuple[AddedToken, ...]:
    """Return the tokens that can be found in a text. Raise FormatError if `tokenizers` would find others.

    `tokenizers` normalizes a token before searching for it in normalized text; SentencePiece does not normalize its
    user-defined symbols.
    """
    tokens = tuple(
        t for t in pipeline.added_tokens if not (t.normalized and white_space.escapes_whitespaces and " " in t.content)
    )
    symbols = [token.content for token in tokens if token.normalized]
    if symbols and white_space.adds_dummy_prefix:
        raise FormatError(
            "tokenizer.json cannot represent the user-defined symbol {symbol!r} of this SentencePiece model, which "
            "puts a space before every text (add_dummy_prefix), even if the text is a symbol itself.",
            symbol=symbols[0],
        )
    normalized = Pipeline(normalizers=normalizers).normalize
    changed = {symbol for symbol in symbols if normalized(symbol) != symbol}
    if white_space.removes_extra_whitespaces:
        changed |= {symbol for symbol in white_space.user_defined_symbols if "  " in symbol}
    if changed:
        raise FormatError(
            "tokenizer.json cannot represent the user-defined symbol {symbol!r} of this SentencePiece model, because "
            "`tokenizers` would change it like any other text.",
            symbol=min(changed),
        )
    return tokens


def _decoders(step: TokenDecoder) -> Iterator[TokenDecoder]:
    """Yield decoders that give the same text.

    The only exception: ids of a text that begins with `▁`, if the model removes extra spaces.
    """
    if not isinstance(step, SentencePieceDecoder):
        yield step
        return
    if step.denormalizer is not None:
        raise FormatError(
            "tokenizer.json cannot represent the character map ({name}) that this SentencePiece model applies to "
            "decoded text.",
            name=step.denormalizer.character_map.name,
        )
    silent = sorted(step.hidden_pieces)
    for first in range(0, len(silent), _MAX_ALTERNATIVES):
        yield ReplaceDecoder(_any_of(silent[first : first + _MAX_ALTERNATIVES]), "", is_regex=True)
    if step.unknown_piece:
        yield ReplaceDecoder(_any_of([step.unknown_piece]), step.unknown_text, is_regex=True)
    if step.has_byte_pieces:
        yield ByteFallback()
    yield Fuse()
    if step.normalizer.adds_dummy_prefix or step.normalizer.removes_extra_whitespaces:
        yield StripDecoder(SPACE_SYMBOL, 1, 0)
    yield ReplaceDecoder(SPACE_SYMBOL, " ")


def untied_merges(tokenizer: Tokenizer) -> list[TokenPair]:
    """Return all merges in an order that gives the same ids, although pieces with the same score share a rank.

    SentencePiece merges the leftmost of these; `tokenizers` knows only the order. In Mistral's and Llama's models, the
    worst score is that of runs of `▁`. Such a run is merged from its left end, so the longest piece is always on the
    left, and the merge with the longer left part has to be first. Raise FormatError if this could give other ids.
    """
    merges = tokenizer.merges
    shared = {pair: rank for pair, rank in tokenizer.other_merges.items() if rank < len(merges)}
    if not shared:
        return merges
    pieces = [(left + right).decode() for left, right in shared]
    products = [(left + right).decode() for left, right in merges]
    # The last `▁` of a run may begin another piece. Otherwise, a run must be merged as if it stood alone.
    are_apart = all(_is_run(piece) or SPACE_SYMBOL not in piece[1:] for piece in products)
    runs = [rank for rank, piece in enumerate(products) if _is_run(piece)]
    in_order = sorted(runs, key=lambda rank: (shared.get(merges[rank], rank), -len(merges[rank][0])))
    ordered = [*merges]
    for rank, merge_rank in zip(runs, in_order, strict=True):
        ordered[rank] = merges[merge_rank]
    is_worst = set(runs[-1:]) == set(shared.values())
    if not (are_apart and is_worst and all(map(_is_run, pieces)) and _merge_alike(runs, in_order, tokenizer)):
        piece, other, *_others = sorted(pieces, key=_is_run)
        raise FormatError(
            "tokenizer.json cannot represent pieces that share a score, such as {piece!r} and {other!r} in this "
            "SentencePiece model, because the text determines which of them is merged first.",
            piece=piece,
            other=other,
        )
    return ordered


def _is_run(piece: str) -> bool:
    return set(piece) == {SPACE_SYMBOL}


def _merge_alike(runs: list[int], in_order: list[int], tokenizer: Tokenizer) -> bool:
    """Return whether runs of `▁` become the same tokens by merges in order as by merges that share ranks.

    The merges are given by their ranks. The longest piece begins every longer run, so longer runs tell no more.
    """
    pairs = [tokenizer.merges[rank] for rank in runs]
    ordered = [tokenizer.merges[rank] for rank in in_order]
    new_ranks = {rank: index for index, rank in enumerate(runs)}
    tied = {pair: new_ranks[rank] for pair, rank in tokenizer.other_merges.items()}
    tokens = {part for left, right in pairs for part in (left, right, left + right)}
    vocab = dict(enumerate(sorted(tokens, key=len)))
    given, written = (
        Tokenizer(vocab, pairs, pipeline=Pipeline(), other_merges=tied),
        Tokenizer(vocab, ordered, pipeline=Pipeline()),
    )
    longest = len(vocab[len(vocab) - 1].decode())
    return all(given.encode(SPACE_SYMBOL * n) == written.encode(SPACE_SYMBOL * n) for n in range(4 * longest))


def _any_of(tokens: Iterable[str]) -> str:
    """Return a regular expression that matches exactly these tokens."""
    return rf"\A(?:{'|'.join(map(re.escape, tokens))})\z"
