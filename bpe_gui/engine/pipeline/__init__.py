"""What a tokenizer does to text around its merges, where that is more than a recipe can say.

The steps are those of Hugging Face's `tokenizers`: added tokens are cut out, the text is normalized, cut into words
(pre-tokenized), each word is merged, and ids may be put before and after. SentencePiece and others are expressed in the
same steps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ..recipe import Recipe
from ..spelling import END_OF_WORD, from_printable, to_printable
from .aligned import AlignedText
from .decoders import ByteLevelDecoder


class Normalizer(Protocol):
    """Changes a text before it is cut into words."""

    def normalize(self, text: AlignedText) -> AlignedText:
        """The changed text."""


class PreTokenizer(Protocol):
    """Cuts a text into words, and may change it."""

    def split(self, text: AlignedText) -> list[AlignedText]:
        """The parts of a text, or of a part that another made, in order; empty ones are left out."""


class TokenDecoder(Protocol):
    """One step from tokens back to text."""

    def decode(self, tokens: list[str]) -> list[str]:
        """The changed tokens; joined at last, they are the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedToken:
    """A token that is cut out of the text whole. What the flags mean is as in `tokenizers`."""

    id: int
    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False
    special: bool = True


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


class Piece(NamedTuple):
    """A word as the model gets it; or an added token, of which this is the id."""

    text: AlignedText
    token_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """The steps around the merges. `before` and `after` are the ids that are put around every text."""

    added_tokens: tuple[AddedToken, ...] = ()
    normalizers: tuple[Normalizer, ...] = ()
    pre_tokenizers: tuple[PreTokenizer, ...] = ()
    model: Model = Model()
    decoders: tuple[TokenDecoder, ...] = ()
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    def pieces(self, text: str) -> Iterator[Piece]:
        """The words and added tokens of a text in order. Places are bytes of its UTF-8. Raises TokenizerError."""
        raise NotImplementedError

    def decode(self, tokens: list[str]) -> str:
        """The text of tokens as they are spelled in the vocabulary."""
        raise NotImplementedError

    def read(self, word: str) -> str:
        """A word as the model gets it, spelled for people: text, where its characters stand for bytes."""
        return from_printable(word).decode("utf-8", "replace") if self.model.is_byte_level else word

    def decode_bytes(self, tokens: Sequence[bytes]) -> bytes:
        """The text of tokens as bytes, which need be no UTF-8 where tokens are bytes."""
        if self.joins_bytes:
            return b"".join(tokens)
        spell = to_printable if self.model.is_byte_level else bytes.decode
        return self.decode([spell(token) for token in tokens]).encode()

    @property
    def joins_bytes(self) -> bool:
        """Whether decoding is putting the bytes of tokens one after another."""
        return self.model.is_byte_level and len(self.decoders) == 1 and isinstance(self.decoders[0], ByteLevelDecoder)

    @property
    def nearest_recipe(self) -> Recipe:
        """What of the pipeline a recipe can say, for who shows tokens."""
        return Recipe(
            units="bytes" if self.model.is_byte_level else "characters",
            splitter="none",
            boundary="suffix-attached" if self.model.suffix == END_OF_WORD.decode() else "none",
            tie_break="first-seen",
        )
