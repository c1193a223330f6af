"""The interface of encoders, of which there is one for recipes and one for pipelines."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.kernels.text.special_search import SpecialTokenTable
from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.text.compiled_splitters import Chunker

from .results import TokenArrays, WordTrace

if TYPE_CHECKING:
    from bpe_gui.engine.pipeline.pipeline import Pipeline


class EncodingOptions(NamedTuple):
    """The options of one call to an encoder."""

    position: int
    """The number of merges that apply, in the order of their ranks."""
    unknown_id: int | None
    """The id to write for symbols that have none; None makes such a symbol an error."""
    threads: int | None = None
    """The most threads to use; by default as many as the size of the text is worth."""
    refuses_special: bool = False
    """Whether a special token in the text is an error."""


class ScannerSettings(NamedTuple):
    """The settings for splitting text: a splitter, and special tokens with their ids in that order."""

    splitter: Splitter
    specials: SpecialTokenTable
    special_ids: Int32Array


class UnknownSymbolError(TokenizerError):
    """The text has a symbol that has no id, and there is no id for unknown symbols."""


class TextEncoder(Protocol):
    """Turns text into ids by the merges of a `MergeStore`.

    One encoder serves the tokenizers of all steps, which say in the options which of the merges apply. Several threads
    may use it at once, also while merges are appended to the store.

    Every method raises TokenizerError for text that has no UTF-8 or bytes that are not UTF-8, and those that take
    options raise UnknownSymbolError. All but
    `traces`, `ids_by_word` and `word_starts` refuse special tokens if the options say so.
    """

    @property
    def pipeline(self) -> "Pipeline | None":
        """The steps by which text is encoded, if there are others than those of a recipe."""

    @property
    def chunker(self) -> Chunker:
        """What finds chunks of a text that can be encoded one by one."""

    def obeying(self, tokens: frozenset[str]) -> "TextEncoder":
        """Return an encoder for which only these special tokens are special in a text. It shares the caches."""

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """Return the ids of a text, given as a string or in UTF-8."""

    def listed_ids(self, text: str, options: EncodingOptions) -> list[int]:
        """Return the ids of a text as a list."""

    def listed_batch(self, texts: Iterable[str], options: EncodingOptions) -> list[list[int]]:
        """Return the ids of each text as a list. An error has a note with the number of the text."""

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """Return the ids of a text in UTF-8 with the byte offsets between which each token stands."""

    def stream(self, chunks: Iterable[str], options: EncodingOptions) -> Iterator[Int32Array]:
        """Yield the ids of the text that the chunks make up together, as soon as they are certain."""

    def traces(self, text: str, options: EncodingOptions) -> Iterator[WordTrace]:
        """Yield the merges that apply to each word (pre-token) of a text; special tokens are left out.

        A symbol without an id is not an error here.
        """

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """Return the ids of the words (pre-tokens) of a text in UTF-8, and the index of each word's first id.

        The number of all ids comes last. Special tokens are left out.
        """

    def word_starts(self, text: bytes) -> Int64Array:
        """Return the byte offsets at which the words (pre-tokens) and special tokens of a text in UTF-8 begin."""
