"""The pipeline of a published tokenizer: the steps around its merges, if a recipe cannot express them.

The steps are those of Hugging Face's `tokenizers`: added tokens are taken out of the text, the rest is normalized and
split into words (pre-tokens), each word is merged, and ids may be put before and after. SentencePiece and other formats
are expressed in the same steps.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain, compress
from typing import ClassVar, Final, NamedTuple, Self

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.pickling import PickledByFields
from bpe_gui.engine.runtime.printable import END_OF_WORD, from_printable, to_printable
from bpe_gui.engine.runtime.statements import Statement
from bpe_gui.engine.runtime.statements import statement as _
from bpe_gui.engine.runtime.types import BoolArray
from bpe_gui.engine.text.recipe import Recipe

from .added_tokens import AddedToken, AddedTokenFinder
from .aligned_text import AlignedText, code_points
from .decoders import ByteLevelDecoder, TokenDecoder, bytes_of, pieces_of
from .model_options import ModelOptions
from .normalizers import Normalizer
from .pre_tokenizers import SPACE_SYMBOL, PreTokenizer, RecipeSplit, Split

_CODE_POINTS: Final = 0x110000
MAX_GROWTH: Final = 100
"""The factor by which normalizers may lengthen a text; more could take all memory."""


class Segment(NamedTuple):
    """A word as the model gets it, or an added token with its id."""

    text: AlignedText
    token_id: int | None = None


@dataclass(frozen=True, kw_only=True)
class Pipeline(PickledByFields):
    """The steps around the merges. `ids_before` and `ids_after` are put around the ids of every text.

    Without decoders, decoding joins the tokens with spaces. `raw_ids` are entries that no text has, because they are
    written in other characters than those of bytes, to which the steps turn every text.
    """

    added_tokens: tuple[AddedToken, ...] = ()
    normalizers: tuple[Normalizer, ...] = ()
    pre_tokenizers: tuple[PreTokenizer, ...] = ()
    model: ModelOptions = field(default_factory=ModelOptions)
    decoders: tuple[TokenDecoder, ...] = ()
    ids_before: tuple[int, ...] = ()
    ids_after: tuple[int, ...] = ()
    raw_ids: frozenset[int] = frozenset()
    is_sentencepiece: ClassVar = False
    """Whether the steps are those of a SentencePiece model."""

    def with_ids(self, new_ids: Mapping[int, int]) -> Self:
        """Return the pipeline for tokens that have got other ids."""
        return replace(
            self,
            added_tokens=tuple(replace(token, id=new_ids[token.id]) for token in self.added_tokens),
            ids_before=tuple(map(new_ids.__getitem__, self.ids_before)),
            ids_after=tuple(map(new_ids.__getitem__, self.ids_after)),
            raw_ids=frozenset(new_ids[token_id] for token_id in self.raw_ids if token_id in new_ids),
        )

    # -- encoding ------------------------------------------------------------------------------------------------------

    def segments(self, text: str) -> Iterator[Segment]:
        """Yield the words and added tokens of `text` in order. Raise TokenizerError."""
        for segment in self.sections(text):
            yield from [segment] if segment.token_id is not None else map(Segment, self._words(segment.text))

    def _words(self, text: AlignedText) -> Iterable[AlignedText]:
        """Return the words of a normalized text without added tokens."""
        words: Iterable[AlignedText] = [text]
        for step in self.pre_tokenizers:
            words = chain.from_iterable(map(step.split, words))
        return words

    def sections(self, text: str) -> Iterator[Segment]:
        """Yield the added tokens of `text` and the text between them, normalized but not yet split."""
        for given, token in self.tokens_in_given_text.split(AlignedText.of(text)):
            if token is not None:
                yield Segment(given, token.id)
                continue
            for normalized, token_found in self.tokens_in_normalized_text.split(self.normalized(given)):
                yield Segment(normalized, None if token_found is None else token_found.id)

    @cached_property
    def tokens_in_given_text(self) -> AddedTokenFinder:
        """The search for the added tokens that are taken out of the text before it is normalized."""
        return AddedTokenFinder((token.content, token) for token in self.added_tokens if not token.normalized)

    @cached_property
    def tokens_in_normalized_text(self) -> AddedTokenFinder:
        """The search for the added tokens that are taken out of the normalized text."""
        return AddedTokenFinder((self.search_form(token), token) for token in self.added_tokens if token.normalized)

    def search_form(self, token: AddedToken) -> str:
        """Return the text by which an added token is found, and to which it decodes. Raise TokenizerError."""
        return self.normalize(token.content) if token.normalized else token.content

    def normalize(self, text: str) -> str:
        """Return `text` normalized, as it is before it is split into words. Raise TokenizerError."""
        return self.normalized(AlignedText.of(text)).text

    def normalized(self, text: AlignedText) -> AlignedText:
        """Return a text changed by all normalizers, in order. Raise TokenizerError if it grows too much."""
        max_size = MAX_GROWTH * (len(text.text) + MAX_GROWTH)
        for normalizer in self.normalizers:
            text = normalizer.normalize(text)
            if len(text.text) > max_size:
                raise growth_error()
        return text

    def keeps_text(self, text: str) -> bool:
        """Return whether normalizing only inserts characters and turns spaces into `▁`.

        >>> Pipeline().keeps_text("é")
        True
        """
        if self.touched is not None and not np.any(self.touched[code_points(text)]):
            return True
        kept: list[str] = []
        size = 0
        for segment in self.sections(text):
            sizes = segment.text.stops - segment.text.starts
            kept += compress(segment.text.text, (sizes > 0).tolist())
            size += int(sizes.sum())
        return size == len(text.encode()) and _with_spaces("".join(kept)) == _with_spaces(text)

    @cached_property
    def has_plain_tokens(self) -> bool:
        """Whether added tokens are found like a recipe's special tokens: anywhere, longest first."""
        tokens = {self.search_form(token): token for token in self.added_tokens}
        if len({token.is_obeyed for token in tokens.values()}) > 1 or not all(tokens):
            return False
        if any(token.single_word or token.lstrip or token.rstrip for token in tokens.values()):
            return False
        # Tokens that are not normalized are found first, so they must not overlap with the others.
        first_ones = {content for content, token in tokens.items() if not token.normalized}
        beginnings = {content[0] for content in tokens}
        return len(first_ones) in {0, len(tokens)} or not any(
            beginnings.intersection(content[1:])
            or (token.normalized and any(content[:size] in first_ones for size in range(len(content))))
            for content, token in tokens.items()
        )

    @cached_property
    def splitter(self) -> str | None:
        """The splitter that alone splits a text as it is given; None if there is more to it.

        >>> Pipeline(pre_tokenizers=(RecipeSplit("gpt2"),)).splitter
        'gpt2'
        """
        if self.normalizers or any(step.levels for step in self.pre_tokenizers[1:]):
            return None
        match self.pre_tokenizers:
            case (RecipeSplit(splitter), *_bytes):
                return splitter
            case (Split() as split, *_bytes):
                return split.equivalent_splitter
        return None

    @cached_property
    def ids_of_spelled_added_tokens(self) -> dict[bytes, int]:
        """The ids of added tokens in the vocabulary by the bytes that a model of bytes takes their characters for.

        >>> token = AddedToken(id=7, content="é")
        >>> Pipeline(added_tokens=(token,), model=ModelOptions(is_byte_level=True)).ids_of_spelled_added_tokens
        {b'\\xe9': 7}
        """
        tokens = [t for t in self.added_tokens if self.model.is_byte_level and t.in_vocabulary]
        spelled = ((bytes_of(token.content), token) for token in tokens)
        return {data: token.id for data, token in spelled if data != token.content.encode()}

    @cached_property
    def touched(self) -> BoolArray | None:
        """Whether normalizing may change a text with a character, by code point. None if every text may change."""
        found = [step.touched for step in self.normalizers]
        known = [each for each in found if each is not None]
        return reduce(np.logical_or, known, np.zeros(_CODE_POINTS, bool)) if len(known) == len(found) else None

    # -- decoding ------------------------------------------------------------------------------------------------------

    def decode(self, tokens: Iterable[str]) -> Iterator[str]:
        """Yield pieces of the text as soon as they are certain. `tokens` are written as in the vocabulary."""
        if not self.decoders:
            tokens = (f" {token}" if index else token for index, token in enumerate(tokens))
        for decoder in self.decoders:
            tokens = decoder.decode(tokens)
        yield from pieces_of(tokens)

    def decode_pieces(self, entries: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
        """Yield pieces of the text of tokens, given with their ids.

        If decoding just joins the tokens' bytes, pieces need not be valid UTF-8; otherwise they are whole characters.
        """
        if self.joins_bytes:
            return (token for _id, token in entries)
        written = to_printable if self.model.is_byte_level else bytes.decode
        return map(str.encode, self.decode(self._added_contents.get(i) or written(token) for i, token in entries))

    @cached_property
    def _added_contents(self) -> dict[int, str]:
        """The texts that added tokens are decoded to, by id."""
        return {token.id: self.search_form(token) for token in self.added_tokens}

    @cached_property
    def joins_bytes(self) -> bool:
        """Whether decoding does nothing but concatenate the bytes of the tokens."""
        is_byte_level = self.model.is_byte_level and self.decoders == (ByteLevelDecoder(),)
        # The decoder takes even the characters of an added token for bytes.
        return is_byte_level and all(bytes_of(self.search_form(t)) == t.content.encode() for t in self.added_tokens)

    # -- showing -------------------------------------------------------------------------------------------------------

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Describe how text is prepared for merges: its units, how it is changed and split into words."""
        units = _("Pipeline", "bytes") if self.model.is_byte_level else _("Pipeline", "characters")
        changes = [statement for step in self.normalizers for statement in step.statements]
        splits = [statement for step in self.pre_tokenizers for statement in step.statements]
        dropout = [_("Pipeline", "dropout not applied")] if self.model.dropout else []
        return (units, *changes, *(splits or [_("Pipeline", "no splitting")]), *dropout)

    def word_text(self, word: str) -> str:
        """Return a word of `segments` as text to show, since its characters may stand for bytes."""
        return from_printable(word).decode("utf-8", "replace") if self.model.is_byte_level else word

    @property
    def nearest_recipe(self) -> Recipe:
        """The closest recipe, for code that shows tokens."""
        return Recipe(
            units="bytes" if self.model.is_byte_level else "characters",
            splitter="none",
            boundary="suffix-attached" if self.model.suffix == END_OF_WORD.decode() else "none",
            tie_break="first-seen",
        )


def _with_spaces(text: str) -> str:
    return text.replace(SPACE_SYMBOL, " ")


def growth_error() -> TokenizerError:
    """Return the error for a text that normalizers make too long."""
    return TokenizerError(
        "Normalization makes the text more than {most} times as long, which is not supported.", most=MAX_GROWTH
    )
