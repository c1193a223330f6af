"""What a tokenizer does to text around its merges, where that is more than a recipe can say.

The steps are those of Hugging Face's `tokenizers`: added tokens are cut out, the text is normalized, cut into words
(pre-tokenized), each word is merged, and ids may be put before and after. SentencePiece and others are expressed in the
same steps.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, Protocol

import numpy as np

from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.kernels.training.records import Longs
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.runtime.printable import END_OF_WORD, from_printable, to_printable
from bpe_gui.engine.pipeline.added_tokens import AddedToken, AddedTokens
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.split_text import CutText
from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder, bytes_of

__all__ = ["AddedToken", "Group", "Model", "Normalizer", "Piece", "Pipeline", "PreTokenizer", "TokenDecoder"]

_BYTE: Final = re.compile(rb"<0x([0-9A-F]{2})>")
_MOST_GROWTH: Final = 100
"""How many times as long a text may become; more takes all memory that there is."""

_GROUP: Final = 1 << 16  # characters that are cut into words together, at least; more if they are together in the text


class Normalizer(Protocol):
    """Changes a text before it is cut into words."""

    def normalize(self, text: AlignedText) -> AlignedText:
        """The changed text."""


class PreTokenizer(Protocol):
    """Cuts a text into words, and may change it."""

    def split(self, text: CutText) -> CutText:
        """The text with each of its words cut further."""


class TokenDecoder(Protocol):
    """One step from tokens back to text."""

    def decode(self, tokens: list[str]) -> list[str]:
        """The changed tokens; joined at last, they are the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """How words are merged. `suffix` is put on the last character of a word, `prefix` before each but the first.

    `is_byte_level`: tokens are bytes, spelled through GPT-2's printable table. `ignores_merges`: a word that is a token
    is that token, whatever the merges would give. `falls_back_to_bytes`: a character without an id is written as its
    bytes, by the tokens `<0x00>` to `<0xFF>`. `fuses_unknown`: several unknown characters in a row are one token.
    """

    is_byte_level: bool = False
    ignores_merges: bool = False
    falls_back_to_bytes: bool = False
    fuses_unknown: bool = False
    suffix: str = ""
    prefix: str = ""

    def stands_for(self, token: bytes) -> bytes:
        """The byte that a token is written for, if it is such a one; else the token's own bytes.

        >>> Model(falls_back_to_bytes=True).stands_for(b"<0xE4>"), Model().stands_for(b"<0xE4>")
        (b'\\xe4', b'<0xE4>')
        """
        byte = _BYTE.fullmatch(token) if self.falls_back_to_bytes else None
        return bytes.fromhex(byte[1].decode()) if byte else token


class Piece(NamedTuple):
    """A word as the model gets it; or an added token, of which this is the id."""

    text: AlignedText
    token_id: int | None = None


class Group(NamedTuple):
    """Words of a text, and the added tokens among them: what they are in the text, their ids, and how many words are
    before each."""

    words: CutText
    added: list[AlignedText]
    ids: list[int]
    before: Longs


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """The steps around the merges. `before` and `after` are the ids that are put around every text.

    Without decoders, a decoded text is the tokens with spaces between.
    """

    added_tokens: tuple[AddedToken, ...] = ()
    normalizers: tuple[Normalizer, ...] = ()
    pre_tokenizers: tuple[PreTokenizer, ...] = ()
    model: Model = Model()
    decoders: tuple[TokenDecoder, ...] = ()
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    def pieces(self, text: str) -> Iterator[Piece]:
        """The words and added tokens of a text in order. Places are bytes of its UTF-8. Raises TokenizerError."""
        for group in self.groups(text):
            words, done = list(map(Piece, group.words.aligned())), 0
            for token, token_id, before in zip(group.added, group.ids, group.before.tolist(), strict=True):
                yield from (*words[done:before], Piece(token, token_id))
                done = before
            yield from words[done:]

    def groups(self, text: str) -> Iterator[Group]:
        """The same in groups, in each of which the words are cut together."""
        pieces: list[Piece] = []
        size = 0
        for piece in self._sections(AlignedText.of(text)):
            pieces.append(piece)
            size += len(piece.text.text)
            if size >= _GROUP:
                yield self._group(pieces)
                pieces, size = [], 0
        yield self._group(pieces)

    def _group(self, pieces: Sequence[Piece]) -> Group:
        # To be cut together, parts of the text are put one after another; added tokens are without text among them.
        nothing = AlignedText.of("")
        words = CutText.of(*(piece.text if piece.token_id is None else nothing for piece in pieces))
        for pre_tokenizer in self.pre_tokenizers:
            words = pre_tokenizer.split(words)
        parts = [part for part, piece in enumerate(pieces) if piece.token_id is not None]
        return Group(
            words,
            added=[pieces[part].text for part in parts],
            ids=[piece.token_id for piece in pieces if piece.token_id is not None],
            before=np.searchsorted(words.parts, parts),
        )

    def _sections(self, text: AlignedText) -> Iterator[Piece]:
        """The text normalized, added tokens cut out of it."""
        for part, token in self._in_given.cut(text):
            if token is not None:
                yield Piece(part, token.id)
                continue
            for piece, found in self._in_normalized.cut(self._normalize(part)):
                yield Piece(piece, None if found is None else found.id)

    @cached_property
    def _in_given(self) -> AddedTokens:
        return AddedTokens((token.content, token) for token in self.added_tokens if not token.normalized)

    @cached_property
    def _in_normalized(self) -> AddedTokens:
        return AddedTokens((self.found_as(token), token) for token in self.added_tokens if token.normalized)

    def found_as(self, token: AddedToken) -> str:
        """What an added token is looked for as, and what it is in a decoded text. Raises TokenizerError."""
        return self.normalized(token.content) if token.normalized else token.content

    def normalized(self, text: str) -> str:
        """What a text is before it is cut into words. Raises TokenizerError."""
        return self._normalize(AlignedText.of(text)).text

    def _normalize(self, text: AlignedText) -> AlignedText:
        most = _MOST_GROWTH * (len(text.text) + _MOST_GROWTH)
        for normalizer in self.normalizers:
            text = normalizer.normalize(text)
            if len(text.text) > most:
                raise TokenizerError(
                    _("EngineError", "Normalizing makes the text more than {most} times as long."), most=_MOST_GROWTH
                )
        return text

    def decode(self, tokens: list[str]) -> str:
        """The text of tokens as they are spelled in the vocabulary."""
        if not self.decoders:
            return " ".join(tokens)
        for decoder in self.decoders:
            tokens = decoder.decode(tokens)
        return "".join(tokens)

    def read(self, word: str) -> str:
        """A word as the model gets it, spelled for people: text, where its characters stand for bytes."""
        return from_printable(word).decode("utf-8", "replace") if self.model.is_byte_level else word

    def decode_bytes(self, ids: Sequence[int], tokens: Sequence[bytes]) -> bytes:
        """The text of tokens as bytes, which need be no UTF-8 where tokens are bytes."""
        if self.joins_bytes:
            return b"".join(tokens)
        spell = to_printable if self.model.is_byte_level else bytes.decode
        spelled = [self._contents.get(i) or spell(token) for i, token in zip(ids, tokens, strict=True)]
        return self.decode(spelled).encode()

    @cached_property
    def _contents(self) -> dict[int, str]:
        """What added tokens are in a decoded text: what they are found as."""
        return {token.id: self.found_as(token) for token in self.added_tokens}

    @cached_property
    def joins_bytes(self) -> bool:
        """Whether decoding is putting the bytes of tokens one after another."""
        is_byte_level = self.model.is_byte_level and self.decoders == (ByteLevelDecoder(),)
        # The decoder takes what an added token is spelled with for bytes as well.
        return is_byte_level and all(bytes_of(self.found_as(t)) == t.content.encode() for t in self.added_tokens)

    @property
    def nearest_recipe(self) -> Recipe:
        """What of the pipeline a recipe can say, for who shows tokens."""
        return Recipe(
            units="bytes" if self.model.is_byte_level else "characters",
            splitter="none",
            boundary="suffix-attached" if self.model.suffix == END_OF_WORD.decode() else "none",
            tie_break="first-seen",
        )
