"""Text to ids where whole words join: first word by word, then over the phrases, whose characters are their words.

So superwords are made by an ordinary encoder, of words that are phrases (`text.phrases`), with the later merges alone.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.text.special_search import SpecialTokenTable
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.threads import threads_worth
from bpe_gui.engine.runtime.types import Int32Array, Int64Array
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.text.compiled_splitters import Chunker, padded
from bpe_gui.engine.text.phrases import (
    FIRST_UNIT,
    UNIT_BYTES,
    PhraseFinder,
    Phrases,
    phrase_characters,
    words_that_join,
)
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.utf8 import decode_utf8
from bpe_gui.engine.vocabulary.merge_store import MergeStore
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair
from bpe_gui.engine.vocabulary.tracing import WordTrace, trace_word

from .kernel_encoder import KernelEncoder
from .recipe_encoder import RecipeEncoder
from .results import TextIds, TokenArrays
from .text_encoder import (
    NO_SHORT_TEXTS,
    EncodingOptions,
    ShortTextFunctions,
    in_threads,
    one_by_one,
    pieces_of_stream,
    text_ids_one_by_one,
)

_CHUNK: Final = 1 << 20
"""How many bytes are encoded at a time."""


def phrase_finder(store: MergeStore) -> PhraseFinder:
    """Return the finder of phrases for the store of a tokenizer whose merges for words are all known."""
    start, special = store.recipe.superwords_from, store.special_ids.values()
    words = words_that_join([token for i, token in store.vocab_at(start).items() if i not in special])
    starts = np.cumsum([0, *map(len, words)], dtype=np.int64)
    _ids, firsts = RecipeEncoder(store).word_ids(b"".join(words), starts, EncodingOptions(start, unknown_id=-1))
    return PhraseFinder(store.recipe, [words[index] for index in np.flatnonzero(np.diff(firsts) == 1).tolist()])


class PhraseEncoder:
    """Encodes phrases by the merges of a store that join words, below rank `position`. Threads may share it."""

    def __init__(self, store: MergeStore, finder: PhraseFinder, position: int) -> None:
        self.position: Final = position
        characters = {word: chr(FIRST_UNIT + i).encode() for i, word in enumerate(finder.words)}
        tokens = {form: word for word, form in characters.items()}  # by the characters that stand for their words
        merges: list[TokenPair] = []
        self._ranks: list[int] = []  # of these merges, in the store
        for rank in range(store.recipe.superwords_from, position):
            left, right = store.merges[rank]
            is_given_again = store.ranks[left, right] < rank
            if is_given_again or left not in characters or right not in characters:
                continue  # only a plan has such merges: if one occurs twice, the first counts
            merges.append((characters[left], characters[right]))
            self._ranks.append(rank)
            form = characters[left] + characters[right]
            tokens.setdefault(form, left + right)
            characters.setdefault(left + right, form)
        recipe = Recipe(units="characters", splitter="none")
        self._encoder = RecipeEncoder(MergeStore(dict(enumerate(tokens)), merges, recipe=recipe))
        self._ids = np.array([store.ids[token] for token in tokens.values()], np.int32)
        self._sizes = np.array([len(form) // UNIT_BYTES for form in tokens], np.int64)

    def encode(self, phrases: Phrases, position: int) -> tuple[Int32Array, Int64Array]:
        """Return the ids of phrases after `position` merges, and how many words each of them has."""
        options = EncodingOptions(bisect_left(self._ranks, position), unknown_id=None)
        numbers, _firsts = self._encoder.word_ids(phrases.text, phrases.firsts * UNIT_BYTES, options)
        return self._ids[numbers], self._sizes[numbers]


class SuperwordEncoder(RecipeEncoder):
    """The `TextEncoder` of tokenizers in which whole words join, from the merge `superwords_from` of the recipe on."""

    def __init__(self, store: MergeStore, kernels: KernelEncoder | None = None) -> None:
        super().__init__(store, kernels)
        self._start = store.recipe.superwords_from
        self._latest: PhraseEncoder | None = None

    @cached_property
    def _finder(self) -> PhraseFinder:
        return phrase_finder(self._store)  # only now are all merges for words known

    @cached_property
    def chunker(self) -> Chunker:
        """Finds chunks of a text that can be encoded one by one."""
        return self._kernels.chunker(joined=phrase_characters())

    def _joins(self, options: EncodingOptions) -> bool:
        """Return whether any words join by the merges of the options."""
        return options.position > self._start

    def _for_words(self, options: EncodingOptions) -> EncodingOptions:
        """Return the options of encoding word by word."""
        return options._replace(position=min(options.position, self._start))

    @cached_property
    def _special_table(self) -> SpecialTokenTable:
        return self._specials.for_kernels()

    def _phrases(self, text: bytes) -> Phrases:
        return self._finder.find(padded(text), len(text), self._special_table)

    # -- ids --------------------------------------------------------------------------------------------------------

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """See `TextEncoder`."""
        tokens = super().token_arrays(text, self._for_words(options))
        if not self._joins(options):
            return tokens
        phrases = self._phrases(text)
        if self._latest is None or self._latest.position < options.position:
            self._latest = PhraseEncoder(self._store, self._finder, options.position)
        ids, sizes = self._latest.encode(phrases, options.position)
        # The token of each word in a phrase, and of these, the first of each superword or word that remains.
        first_tokens = np.searchsorted(tokens.starts, phrases.starts)
        words = np.repeat(first_tokens - phrases.firsts[:-1], np.diff(phrases.firsts)) + np.arange(phrases.firsts[-1])
        firsts = np.cumsum(sizes) - sizes
        tokens.ids[words[firsts]], tokens.stops[words[firsts]] = ids, tokens.stops[words[firsts + sizes - 1]]
        is_kept = np.ones(len(tokens.ids), np.bool_)
        is_kept[words] = False
        is_kept[words[firsts]] = True
        return TokenArrays(tokens.ids[is_kept], tokens.starts[is_kept], tokens.stops[is_kept])

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """See `TextEncoder`."""
        if not self._joins(options):
            return super().ids(text, options)
        try:
            data = (text if isinstance(text, str) else decode_utf8(text)).encode()
            chunks = self.chunker.chunks(data, _CHUNK)
            threads = options.threads or min(threads_worth(len(data), _CHUNK), len(chunks))
            with in_threads(threads, lambda chunk: self.token_arrays(chunk, options).ids, chunks) as parts:
                return np.concatenate([np.empty(0, np.int32), *parts])
        except (TokenizerError, UnicodeEncodeError):
            super().ids(text, self._for_words(options))  # raises the error with the place in the whole text
            raise

    def short_texts(self, options: EncodingOptions) -> ShortTextFunctions:
        """See `TextEncoder`."""
        return NO_SHORT_TEXTS if self._joins(options) else super().short_texts(options)

    def listed_batch(self, texts: Iterable[str], options: EncodingOptions) -> list[list[int]]:
        """See `TextEncoder`."""
        return list(one_by_one(self, texts, options))

    def text_ids(self, texts: bytes, options: EncodingOptions) -> TextIds:
        """See `TextEncoder`."""
        return text_ids_one_by_one(self, texts, options)

    def stream(self, chunks: Iterable[str], options: EncodingOptions) -> Iterator[Int32Array]:
        """See `TextEncoder`."""
        if options.refuses_special:
            chunks = self._specials.refused_in(chunks)
        for piece in pieces_of_stream(chunks, self.chunker):
            yield self.token_arrays(piece, options).ids

    # -- words: phrases are words, too ------------------------------------------------------------------------------

    def traces(self, text: str, options: EncodingOptions) -> Iterator[WordTrace]:
        """See `TextEncoder`. The initial symbols of a phrase are the tokens of its words."""
        inner_starts = set(self._phrases(text.encode()).inner_starts.tolist()) if self._joins(options) else ()
        phrase: list[str] = []
        before = at = 0  # characters and bytes before the word
        for word in self._words(text):
            before, at = word.start, at + len(text[before : word.start].encode())
            if at not in inner_starts and phrase:
                yield self._trace(phrase, options.position)
                phrase = []
            phrase.append(word.text)
        if phrase:
            yield self._trace(phrase, options.position)

    def _trace(self, words: list[str], position: int) -> WordTrace:
        if len(words) == 1:
            return trace_word(words[0], symbols_of(words[0], self._recipe), self._store, min(position, self._start))
        return trace_word("".join(words), list(map(str.encode, words)), self._store, position, first=self._start)

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """See `TextEncoder`."""
        tokens = self.token_arrays(text, options._replace(refuses_special=False))
        starts, special = self.word_starts(text), list(self._kernels.special_ids.values())
        is_word = ~np.isin(tokens.ids[np.searchsorted(tokens.starts, starts)], special)
        is_kept = ~np.isin(tokens.ids, special)
        return tokens.ids[is_kept], np.append(
            np.searchsorted(tokens.starts[is_kept], starts[is_word]), np.count_nonzero(is_kept)
        )

    def word_starts(self, text: bytes) -> Int64Array:
        """See `TextEncoder`."""
        starts = super().word_starts(text)
        if self._store.merge_count <= self._start:
            return starts
        return np.setdiff1d(starts, self._phrases(text).inner_starts, assume_unique=True)
