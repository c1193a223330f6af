"""SentencePiece's steps as `tokenizer.json` has them, where those give the ids of SentencePiece for every text.

What it does to white space is what a few replacements do. Its table of characters is refused: the step `Precompiled` of
`tokenizers` looks graphemes and single characters up in it, and so leaves U+1100 U+1161 as it is, loses the accent of
an accented ﬁ, and more. No other steps do what such a table says: it has more keys than there may be steps.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.pipeline import AddedToken, Normalizer, Pipeline, TokenDecoder
from bpe_gui.engine.pipeline.decoders import ByteFallback, Fuse, ReplaceDecoder, StripDecoder
from bpe_gui.engine.pipeline.fast_splits import SPACE
from bpe_gui.engine.pipeline.normalizers import Prepend, Replace
from bpe_gui.engine.pipeline.sentencepiece import PieceDecoder, WhiteSpace
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.formats.ranks import Merge

_MOST_TOGETHER: Final = 100
"""Tokens that one regular expression names: some models have a thousand that decoding leaves out."""


def in_known_steps(pipeline: Pipeline, tokenizer: Tokenizer) -> Pipeline:
    """A tokenizer's pipeline without SentencePiece's own steps. Raises FormatError, naming what no other steps do."""
    white_space = next((step for step in pipeline.normalizers if isinstance(step, WhiteSpace)), None)
    if white_space is None:
        return pipeline
    _check_white_space(white_space)
    _check_ranks(tokenizer.other_merges)
    _check_aside(tokenizer.special_tokens.keys() - {token.content for token in pipeline.added_tokens})
    normalizers = tuple(_normalizers(white_space))
    return Pipeline(
        added_tokens=_added_tokens(pipeline, white_space, normalizers),
        normalizers=normalizers,
        pre_tokenizers=pipeline.pre_tokenizers,
        model=pipeline.model,
        decoders=tuple(each for step in pipeline.decoders for each in _decoders(step)),
        before=pipeline.before,
        after=pipeline.after,
    )


def _check_white_space(step: WhiteSpace) -> None:
    if step.charsmap.replacements:
        raise FormatError(
            _(
                "EngineError",
                "tokenizer.json cannot hold the table of characters ({name}) that this SentencePiece model changes "
                "text by: `tokenizers` would look other characters up in it. It can hold models that were trained with "
                "the rule identity.",
            ),
            name=step.charsmap.name,
        )
    if step.is_suffix:
        raise FormatError(
            _(
                "EngineError",
                "tokenizer.json cannot hold a SentencePiece model that puts white space after words "
                "(treat_whitespace_as_suffix).",
            )
        )


def _check_ranks(shared: Mapping[Merge, int]) -> None:
    """Raise FormatError for merges of one rank: of such, SentencePiece does what is first in the text."""
    pieces: dict[int, str] = {}
    for (left, right), rank in shared.items():
        piece = (left + right).decode()
        if (other := pieces.setdefault(rank, piece)) != piece:
            raise FormatError(
                _(
                    "EngineError",
                    "tokenizer.json cannot hold pieces that share a score, as {piece!r} and {other!r} do in this "
                    "SentencePiece model: which of them is merged first depends on the text.",
                ),
                piece=other,
                other=piece,
            )


def _check_aside(tokens: Iterable[str]) -> None:
    """Raise FormatError for a token that no text may lead to, but would: `tokenizers` has one vocabulary for all."""
    if found := next((token for token in sorted(tokens) if len(token) == 1), None):
        raise FormatError(
            _(
                "EngineError",
                "tokenizer.json cannot hold the control symbol {token!r} of this SentencePiece model: being one "
                "character, it would be found in texts.",
            ),
            token=found,
        )


def _normalizers(step: WhiteSpace) -> Iterator[Normalizer]:
    r"""What changes white space in the same way.

    >>> from ..pipeline.aligned import AlignedText
    >>> text = AlignedText.of("  low   lower ")
    >>> for normalizer in _normalizers(WhiteSpace()):
    ...     text = normalizer.normalize(text)
    >>> text.text == WhiteSpace().normalize(AlignedText.of("  low   lower ")).text == "▁low▁lower"
    True
    """
    space = SPACE if step.escapes else " "
    if step.removes_extra:
        yield Replace(r"\A +", "", is_regex=True)
        yield Replace(" {2,}", " ", is_regex=True)
    if step.adds_prefix:
        yield Prepend(space)
    if step.escapes:
        yield Replace(" ", SPACE)
    if step.removes_extra:  # those that stood for spaces in the text as it was given, too
        yield Replace(rf"(?<!{space}){space}+\z", "", is_regex=True)


def _added_tokens(
    pipeline: Pipeline, white_space: WhiteSpace, normalizers: tuple[Normalizer, ...]
) -> tuple[AddedToken, ...]:
    """Those that can be found in a text. Raises FormatError where `tokenizers` would find them otherwise.

    It normalizes what it looks for in normalized text: SentencePiece takes its user-defined symbols as they are.
    """
    tokens = tuple(t for t in pipeline.added_tokens if not (t.normalized and white_space.escapes and " " in t.content))
    symbols = [token.content for token in tokens if token.normalized]
    if symbols and white_space.adds_prefix:
        raise FormatError(
            _(
                "EngineError",
                "tokenizer.json cannot hold the user-defined symbol {symbol!r} of this SentencePiece model, which puts "
                "a space in front of texts (add_dummy_prefix), also of one that is a symbol.",
            ),
            symbol=symbols[0],
        )
    as_looked_for = Pipeline(normalizers=normalizers).normalized
    changed = {symbol for symbol in symbols if as_looked_for(symbol) != symbol}
    if white_space.removes_extra:
        changed |= {symbol for symbol in white_space.symbols if "  " in symbol}
    if changed:
        raise FormatError(
            _(
                "EngineError",
                "tokenizer.json cannot hold the user-defined symbol {symbol!r} of this SentencePiece model: its spaces "
                "would be removed as extra ones are (remove_extra_whitespaces).",
            ),
            symbol=min(changed),
        )
    return tokens


def _decoders(step: TokenDecoder) -> Iterator[TokenDecoder]:
    """What gives the same text for the ids of any text, but where a text with extra spaces removed begins with `▁`."""
    if not isinstance(step, PieceDecoder):
        yield step
        return
    if step.after is not None:
        raise FormatError(
            _(
                "EngineError",
                "tokenizer.json cannot hold the table of characters ({name}) that this SentencePiece model changes "
                "decoded text by.",
            ),
            name=step.after.charsmap.name,
        )
    silent = sorted(step.silent)
    for first in range(0, len(silent), _MOST_TOGETHER):
        yield ReplaceDecoder(_one_of(silent[first : first + _MOST_TOGETHER]), "", is_regex=True)
    if step.unknown:
        yield ReplaceDecoder(_one_of([step.unknown]), step.unknown_text, is_regex=True)
    if step.has_bytes:
        yield ByteFallback()
    yield Fuse()
    if step.white_space.adds_prefix or step.white_space.removes_extra:
        yield StripDecoder(SPACE, 1, 0)
    yield ReplaceDecoder(SPACE, " ")


def _one_of(tokens: Iterable[str]) -> str:
    """A regular expression for a token that is one of these."""
    return rf"\A(?:{'|'.join(map(re.escape, tokens))})\z"
