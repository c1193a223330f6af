"""The tokenizer: text to ids and back, by the merges of a run or of a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import chain
from threading import Lock
from typing import Final, Literal

import numpy as np

from bpe_gui.engine.runtime.compiled import WORTH_LOADING, is_compiled, load_for
from bpe_gui.engine.tokenization.decoder import Decoder, as_ids, joined_tokens
from bpe_gui.engine.tokenization.recipe_encoder import Encoder, Step, UnknownSymbol
from bpe_gui.engine.tokenization.results import Encoding, Lineage, TokenArrays, WordTrace
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.tokenization.tracing import made_of, traced, without_id
from bpe_gui.engine.kernels.training.records import Ints, Longs
from bpe_gui.engine.pipeline import Pipeline
from bpe_gui.engine.tokenization.pipeline_encoder import PipelineEncoder
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import check_special_tokens
from bpe_gui.engine.text.utf8 import check_surrogates
from bpe_gui.engine.tokenization.vocabulary import Entries, check_merges, check_unknown_id, check_vocab, special_ids

_MANY: Final = 1_000
"""Ids from which on kernels decode."""

DecodeErrors = Literal["strict", "replace", "ignore", "backslashreplace"]


class Tokenizer:
    """Encodes and decodes. Immutable.

    `vocab` maps ids to token bytes, `merges` are (left, right) in the order of their ranks. Special tokens given as a
    list keep the id that they have in `vocab`, or get new ones after the last; given as a dict they have those ids. A
    symbol without an id is an error, or `unknown_id` where that is set. `merge_counts` says how often each pair
    occurred in training, if that is known. A `pipeline` says what is done to text around the merges where that is more
    than a recipe can say, and the recipe follows from it. `other_merges` are further pairs that merge, each with the
    rank of the merge that makes the same token.

    Raises TokenizerError for ids or tokens that do not fit together.

    >>> tokenizer = Tokenizer({**{i: bytes([i]) for i in range(256)}, 256: b"lo"}, [(b"l", b"o")])
    >>> tokenizer.encode("lol"), tokenizer.decode([256, 108])
    ([256, 108], 'lol')
    """

    def __init__(
        self,
        vocab: Mapping[int, bytes],
        merges: Iterable[tuple[bytes, bytes]],
        special_tokens: Iterable[str] | Mapping[str, int] | None = None,
        *,
        recipe: Recipe | str = "cs336",
        unknown_id: int | None = None,
        merge_counts: Iterable[int] | None = None,
        pipeline: Pipeline | None = None,
        other_merges: Mapping[tuple[bytes, bytes], int] | None = None,
    ) -> None:
        self.pipeline: Final = pipeline
        self.recipe: Final = pipeline.nearest_recipe if pipeline else Recipe.of(recipe)
        self.unknown_id: Final = unknown_id
        self._full_vocab = dict(vocab)
        check_vocab(self._full_vocab)
        self._all_merges = check_merges(merges)
        self._all_counts = None if merge_counts is None else list(merge_counts)
        self._special_ids = special_ids(special_tokens or (), self._full_vocab)
        check_special_tokens(self._special_ids)
        specials = {token_id: token.encode() for token, token_id in self._special_ids.items()}
        # What is cut out of a text is no token that merges lead to; only in a pipeline it may be both.
        self._ids = {
            token: token_id
            for token_id, token in self._full_vocab.items()
            if pipeline is not None or specials.get(token_id) != token
        }
        self._full_vocab.update(specials)
        check_unknown_id(unknown_id, self._full_vocab)
        # The first of two equal merges counts; the second can never apply.
        self._ranks = dict(zip(reversed(self._all_merges), reversed(range(len(self._all_merges))), strict=True))
        self.other_merges: Final = dict(other_merges or {})
        self._ranks |= self.other_merges
        self._position = len(self._all_merges)
        self._entries = Entries()
        self._decoders: list[Decoder] = []  # the last that was made, if any
        # Tokenizers of a run share their tables, which grow while other threads use them.
        self._growing = Lock()

    # -- what it holds ----------------------------------------------------------------------------------------------

    @cached_property
    def vocab(self) -> dict[int, bytes]:
        """Token bytes by id, special tokens included, as of this tokenizer's merge."""
        entries = list(self._full_vocab.items())
        if self._position == len(self._all_merges):
            return dict(entries)
        making, position = self._making, self._position
        special = set(self._special_ids.values())
        return {i: token for i, token in entries if making.get(token, -1) < position or i in special}

    @property
    def position(self) -> int:
        """How many merges it applies."""
        return self._position

    def entries(self) -> Entries:
        """The whole vocabulary, also what only merges after `position` make: for who shows one step after another.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> tokenizer.at(0).entries().steps.tolist()
        [0, 0, 1]
        """
        if self._entries.is_outdated(self._full_vocab):
            with self._growing:
                self._entries.update(self._full_vocab, self._making, frozenset(self._special_ids.values()))
        return self._entries

    @property
    def largest_id(self) -> int:
        """The largest id there is, also of what only merges after `position` make."""
        ids = self.entries().ids
        return int(ids[-1]) if len(ids) else 0

    def token(self, token_id: int) -> bytes:
        """The bytes of a token. Raises TokenizerError for an id that does not exist as of this tokenizer's merge."""
        token = self._full_vocab.get(token_id)
        if token is None or not (self._exists(token) or token_id in self._special_ids.values()):
            raise TokenizerError(
                _("EngineError", "There is no token with the id {id!r}; the vocabulary's ids go from {low} to {high}."),
                id=token_id,
                low=min(self.vocab, default=0),
                high=max(self.vocab, default=0),
            )
        return token

    def stands_for(self, token: bytes) -> bytes:
        """The bytes that a token of this vocabulary stands for: its own, but for `<0x00>` and the like its one."""
        return self.pipeline.model.stands_for(token) if self.pipeline else token

    def _exists(self, token: bytes) -> bool:
        return self._position == len(self._all_merges) or self._making.get(token, -1) < self._position

    @property
    def merges(self) -> list[tuple[bytes, bytes]]:
        """The (left, right) of every merge, in the order of their ranks."""
        return self._all_merges[: self._position]

    @property
    def merge_counts(self) -> list[int] | None:
        """How often each merge's pair occurred when it was chosen, if that is known."""
        return None if self._all_counts is None else self._all_counts[: self._position]

    @property
    def special_tokens(self) -> dict[str, int]:
        """The special tokens with their ids."""
        return dict(self._special_ids)

    def at(self, position: int) -> "Tokenizer":
        """The tokenizer as of merge `position`, 0 being the bare alphabet. Raises TokenizerError beyond the last.

        Ids stay as they are here. So for a recipe that sorts ids or prunes, this is not what `Trainer.tokenizer` gives
        for that step: there, ids are those of the smaller vocabulary, and what is pruned later still has its id.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> tokenizer.encode("lol"), tokenizer.at(0).encode("lol")
        ([2, 0], [0, 1, 0])
        """
        if not 0 <= position <= len(self._all_merges):
            raise TokenizerError(
                _("EngineError", "Merge {position} does not exist; this tokenizer has {merges}."),
                position=position,
                merges=len(self._all_merges),
            )
        self._share()
        earlier = copy(self)
        earlier._position = position
        earlier.__dict__.pop("vocab", None)
        return earlier

    def with_merges(
        self, merges: Sequence[tuple[bytes, bytes]], vocab: Mapping[int, bytes], merge_counts: Sequence[int]
    ) -> "Tokenizer":
        """A tokenizer with more merges after the last and more entries, checked by whoever made them; this one stays.

        Both share their tables, so that a run can give one for each step. So only the longest of them can be extended.
        """
        self._share()
        with self._growing:
            for rank, (left, right) in enumerate(merges, len(self._all_merges)):
                self._ranks.setdefault((left, right), rank)
                self._making.setdefault(left + right, rank)
            self._full_vocab.update(vocab)
            self._ids.update((token, token_id) for token_id, token in vocab.items())
            if self._all_counts is not None:
                self._all_counts += merge_counts
            self._all_merges += merges
        return self.at(len(self._all_merges))

    def _share(self) -> None:
        """Make what tokenizers of all steps share."""
        self._making  # noqa: B018  # it is made when it is first asked for
        self._shared_encoder  # noqa: B018

    def with_unknown_id(self, unknown_id: int | None) -> "Tokenizer":
        """The same tokenizer, giving `unknown_id` for a symbol that has no id; None makes that an error again.

        An id outside the vocabulary, such as -1, marks the places for whoever shows them; it cannot be decoded.
        """
        self._share()
        other = copy(self)
        other.unknown_id = unknown_id  # type: ignore[misc]  # the copy is not out of our hands yet
        return other

    def rank(self, token_id: int) -> int | None:
        """The rank of the merge that made a token; None for the alphabet, special tokens and unknown ids."""
        if token_id in self._special_ids.values():
            return None
        rank = self._making.get(self._full_vocab.get(token_id, b""), self._position)
        return rank if rank < self._position else None

    @cached_property
    def _making(self) -> dict[bytes, int]:
        """The rank of the first merge that makes a token, of all the merges."""
        pairs = reversed(list(enumerate(self._all_merges)))
        return {left + right[self._prefix :]: rank for rank, (left, right) in pairs}

    @property
    def _prefix(self) -> int:
        """How many bytes of a right part are not in what it merges into."""
        return len(self.pipeline.model.prefix.encode()) if self.pipeline else 0

    # -- text to ids ------------------------------------------------------------------------------------------------

    def encode(self, text: str) -> list[int]:
        """The ids of `text`. Raises TokenizerError for a lone surrogate, or a symbol without an id."""
        ids: list[int] = self.encode_array(text).tolist()
        return ids

    def encode_array(self, text: str | bytes, threads: int | None = None) -> Ints:
        """The ids of `text` as an int32 array, in so many threads, or as many as are worth it.

        It may be given in UTF-8, as files have it, which saves decoding it. Raises as `encode`, and TokenizerError for
        bytes that are no UTF-8.
        """
        load_for(len(text))
        with self._explaining():
            return self._encoder.ids(text, self._step, threads)

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """The ids of each text."""
        return [self.encode(text) for text in texts]

    def encode_iterable(self, iterable: Iterable[str]) -> Iterator[int]:
        """The ids of the text that the parts make up together, in memory bounded by the longest part and word.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> list(tokenizer.encode_iterable(["l", "o", "l"]))
        [2, 0]
        """
        with self._explaining():
            chunks = _worth_loading_for(iterable)
            for ids in self._encoder.stream(chunks, self._step):
                yield from ids.tolist()

    def encoding(self, text: str) -> Encoding:
        """The ids of `text` and the bytes that each token covers. Raises as `encode`.

        >>> Tokenizer({0: b"a", 1: "你".encode()}, [], recipe="cs336-toy").encoding("a你 a")
        Encoding(ids=[0, 1, 0], byte_spans=[(0, 1), (1, 4), (5, 6)])
        """
        check_surrogates(text, error=TokenizerError)
        ids, starts, stops = self.token_arrays(text.encode())
        return Encoding(ids.tolist(), list(zip(starts.tolist(), stops.tolist(), strict=True)))

    def token_arrays(self, text: bytes) -> TokenArrays:
        """The ids of a text in UTF-8 and the bytes that each token covers, as arrays. Raises as `encode`."""
        load_for(len(text))
        with self._explaining():
            return self._encoder.arrays(text, self._step)

    def word_starts(self, text: bytes) -> Longs:
        """Where the words (pre-tokens) of a text in UTF-8 begin, and its special tokens, in bytes."""
        return self._encoder.word_starts(text)

    def tokenize(self, text: str) -> list[bytes]:
        """The tokens of `text` as bytes. Raises TokenizerError where `encode` does."""
        return [self.token(token_id) for token_id in self.encode(text)]

    @cached_property
    def _shared_encoder(self) -> Encoder | PipelineEncoder:
        if self.pipeline is None:
            encoder: Encoder | PipelineEncoder = Encoder(self.recipe, self._special_ids)
        else:
            encoder = PipelineEncoder(self.pipeline, self._making)
        encoder.tables.add_other_merges(self.other_merges)
        return encoder

    @property
    def _encoder(self) -> Encoder | PipelineEncoder:
        encoder = self._shared_encoder
        if encoder.tables.is_outdated(self._ids, self._all_merges):
            with self._growing:
                encoder.tables.update(self._ids, self._all_merges)
        return encoder

    @property
    def _step(self) -> Step:
        return Step(self._position, self.unknown_id)

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Say which symbol has no id."""
        try:
            yield
        except UnknownSymbol as unknown:
            if error := without_id(unknown.words, self.recipe, self._ranks, self._position, self._ids):
                raise error from None
            raise

    def trace(self, text: str) -> list[WordTrace]:
        """The merges that encoding applies, in order, word by word; special tokens are left out.

        A word that is taken whole, because merges are ignored for it, has none.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> [step.symbols for word in tokenizer.trace("lol") for step in word.steps]
        [(b'lo', b'l')]
        """
        check_surrogates(text, error=TokenizerError)
        words = self._encoder.words(text, self._step)
        traces = (traced(word, start, self._ranks, self._position, self._prefix) for word, start in words)
        return [replace(trace, is_whole=self._is_whole(trace)) for trace in traces]

    def _is_whole(self, trace: WordTrace) -> bool:
        ignores_merges = self.pipeline is not None and self.pipeline.model.ignores_merges
        return ignores_merges and trace.symbols == (trace.word.encode(),) and len(trace.symbols[0]) > 1

    # -- ids to text ------------------------------------------------------------------------------------------------

    def decode(self, ids: Iterable[int], errors: DecodeErrors = "replace") -> str:
        """The text of `ids`; by default, bytes that are no UTF-8 become U+FFFD. Raises TokenizerError for an id that
        does not exist, or with `errors="strict"` for bytes that are no UTF-8."""
        data = self.decode_bytes(ids)
        try:
            return data.decode("utf-8", errors)
        except UnicodeDecodeError as error:
            raise TokenizerError(
                _("EngineError", "The ids make bytes that are not UTF-8 text, at byte {offset:,}."), offset=error.start
            ) from error

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of `ids`; end-of-word markers become the spaces they stand for."""
        given = ids if isinstance(ids, np.ndarray | list) else list(ids)
        joins_bytes = self.recipe.boundary == "none" if self.pipeline is None else self.pipeline.joins_bytes
        is_worth_it = len(given) >= _MANY and joins_bytes and is_compiled()
        if is_worth_it and (data := self._decoded(given)) is not None:
            return data
        listed: list[int] = given.tolist() if isinstance(given, np.ndarray) else given
        tokens = [self.token(token_id) for token_id in listed]
        if self.pipeline is not None:
            return self.pipeline.decode_bytes(listed, tokens)
        return joined_tokens(tokens, self.recipe)

    def _decoded(self, given: Ints | list[int]) -> bytes | None:
        """The same by kernels, which cannot say what is wrong: None then."""
        ids, entries = as_ids(given), self.entries()
        decoder = next(iter(self._decoders), None)
        if decoder is None or decoder.is_outdated(entries):
            decoder = Decoder(entries)
            self._decoders[:] = [decoder]
        return decoder.decode(ids, self._position) if ids is not None and decoder.is_usable else None

    def lineage(self, token_id: int) -> Lineage:
        """The tree of merges that made a token. Raises TokenizerError for an id that does not exist.

        >>> tree = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").lineage(2)
        >>> tree.rank, [part.bytes for part in tree.parts]
        (0, [b'l', b'o'])
        """
        token = self.token(token_id)
        if self.rank(token_id) is None:
            return Lineage(token_id, token, None, ())
        return made_of(token, self._making, self._all_merges, self._ids)


def _worth_loading_for(chunks: Iterable[str]) -> Iterator[str]:
    """The same chunks; compiled code is loaded if they go on for long, which is found out now."""
    rest = iter(chunks)
    if is_compiled():
        return rest
    head: list[str] = []
    size = 0
    for chunk in rest:
        head.append(chunk)
        size += len(chunk)
        if size >= WORTH_LOADING:
            load_for(size)
            break
    return chain(head, rest)
