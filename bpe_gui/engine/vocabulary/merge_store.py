"""The store of merges: the vocabulary, merges and tables that the tokenizers of all steps of a run share."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.runtime.forking import ForkLock
from bpe_gui.engine.runtime.pickling import PackedNumbers, pack_numbers, pack_strings, unpack_numbers, unpack_strings
from bpe_gui.engine.text.recipe import Recipe

from .decoder import Decoder
from .encoding_tables import EncodingTables
from .entries import Entries, check_merges, check_vocab, last_items, pairs_of, special_ids
from .numbered_tokens import NumberedMerges, NumberedTokens, TokenPair

if TYPE_CHECKING:
    from bpe_gui.engine.pipeline.pipeline import Pipeline


class MergeStore:
    """A vocabulary and its merges, to which a training run may append more.

    A `Tokenizer` is a frozen view of a store as of one of its merges. So that a view never changes, a store only grows:
    `append` adds merges after the last one, with the tokens that they make, and changes nothing before.

    Threads append merges and build lazy tables under a lock, but read without it: merges are appended before the tokens
    they make, so a reader that finds a new token also finds its merge.

    Raises TokenizerError for inconsistent ids or tokens.

    >>> store = MergeStore({0: b"l", 1: b"o"}, [], recipe=Recipe.of("cs336-toy"))
    >>> store.append([(b"l", b"o")], {2: b"lo"})
    >>> store.merges, store.exists(b"lo", position=0), store.exists(b"lo", position=1)
    ([(b'l', b'o')], False, True)
    """

    def __init__(
        self,
        vocab: Mapping[int, bytes],
        merges: Iterable[TokenPair],
        special_tokens: Iterable[str] | Mapping[str, int] = (),
        *,
        recipe: Recipe,
        pipeline: "Pipeline | None" = None,
        merge_counts: Iterable[int] | None = None,
        other_merges: Mapping[TokenPair, int] | None = None,
    ) -> None:
        self.recipe: Final = recipe
        self.pipeline: Final = pipeline
        self.model: Final = pipeline.model if pipeline else ModelOptions()
        """How words are merged; the usual options where a recipe says it."""
        self.prefix_size: Final = len(self.model.prefix.encode())
        """The bytes at the start of a right token that are removed when it is merged."""
        check_vocab(vocab)
        self._merges: NumberedMerges | list[TokenPair] = _checked(merges)
        self.special_ids: Final = special_ids(special_tokens, vocab)
        self._specials: Final = {token_id: token.encode() for token, token_id in self.special_ids.items()}
        self._raw_ids: Final = pipeline.raw_ids if pipeline else frozenset[int]()
        self._ids_of_spelled: Final = pipeline.ids_of_spelled_added_tokens if pipeline else {}
        is_unusual = self.prefix_size or self._raw_ids or self._ids_of_spelled
        self._given: Final = None if is_unusual else _in_arrays(vocab, self._merges)
        """The vocabulary, if given as arrays; the dicts of tokens are then built on first use."""
        self._vocab: dict[int, bytes] | None = None
        self._ids: dict[bytes, int] | None = None
        self._has_repeats = False
        """Whether several ids have the same bytes."""
        if self._given is None:
            self._vocab = dict(vocab)
            self._ids = self._ids_in(self._vocab)
            self._has_repeats = bool(self._raw_ids) or len(set(self._vocab.values())) < len(self._vocab)
        taken = set(vocab)
        own_ids = {token: token_id for token_id, token in self._specials.items() if token_id in taken}
        if self._ids is None:  # the tokens are unique, so no other id has the same bytes
            self._ids_of_both = {} if pipeline else own_ids
        else:
            self._ids_of_both = {token: i for token, i in own_ids.items() if token not in self._ids}
        """The ids of special tokens that merging produces if they are plain text."""
        if self._vocab is not None:
            self._vocab.update(self._specials)
        self.largest_id = max(_largest_id(vocab), *self._specials, 0)
        """The largest id; 0 if there is none."""
        self._listed: list[TokenPair] | None = None
        """Numbered merges as pairs, built on first use."""
        self.merge_counts: Final = None if merge_counts is None else list(merge_counts)
        """How often each pair occurred in training when it was chosen, by rank; None if unknown."""
        self.other_merges: Final = dict(other_merges or {})
        """Further pairs that merge, each with the rank of the merge that makes the same token."""
        self.appended: Final = np.zeros(1, np.int64)
        """How often merges were appended."""
        self._lock = ForkLock()
        self._ranks: dict[TokenPair, int] | None = None
        self._token_ranks: dict[bytes, int] | None = None
        self._merged_again: set[bytes] = set()
        """Tokens that were already in the vocabulary when a merge that makes them was appended."""
        self._special_id_set: Final = frozenset(self.special_ids.values())
        self._entries = Entries()
        self._tables: EncodingTables | None = None
        self._decoder: Decoder | None = None

    @property
    def vocab(self) -> dict[int, bytes]:
        """The bytes of each token by id, special tokens included."""
        if self._vocab is None:
            with self._lock:
                if self._vocab is None:
                    assert self._given is not None
                    self._vocab = self._given.to_dict() | self._specials
        return self._vocab

    @property
    def ids(self) -> dict[bytes, int]:
        """The ids of the tokens that merging can produce."""
        if self._ids is None:
            with self._lock:
                if self._ids is None:
                    assert self._given is not None
                    self._ids = self._ids_in(self._given.to_dict())
        return self._ids

    def _ids_in(self, vocab: Mapping[int, bytes]) -> dict[bytes, int]:
        plain = self._plain_in(vocab)
        return self._ids_of_spelled | dict(zip(plain.values(), plain, strict=True))

    def _plain_in(self, vocab: Mapping[int, bytes]) -> Mapping[int, bytes]:
        """Return the entries of a vocabulary that merging can produce.

        These exclude special tokens, which are split off the text first. Only in a pipeline can a token be both.
        """
        if self.pipeline is None:
            return _without(vocab, self._specials)
        return {i: token for i, token in vocab.items() if i not in self._raw_ids} if self._raw_ids else vocab

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process rebuilds the store, with all its merges but without lazily built tables.

        Equal stores give equal results, however they were used before.
        """
        with self._lock:
            vocab, merges = dict(self.vocab), self._merges[:]
            counts = None if self.merge_counts is None else list(self.merge_counts)
            merged_again = sorted(self._merged_again)
        if self.pipeline:  # special tokens belong to its vocabulary only if merging can produce them
            vocab = {i: token for i, token in vocab.items() if not self.is_special(i) or self.ids.get(token) == i}
        numbered = NumberedMerges.of(merges, list(vocab.values()), self.prefix_size)
        others = numbered.select(slice(0))
        if self.other_merges:
            others = NumberedMerges.of(list(self.other_merges), numbered.tokens, self.prefix_size)
        state = {
            "recipe": self.recipe,
            "pipeline": self.pipeline,
            "ids": pack_numbers(np.fromiter(vocab, np.int64, len(vocab))),
            "tokens": pack_strings(others.tokens),
            "merges": _packed_columns(numbered),
            "merge_counts": None if counts is None else pack_numbers(np.array(counts, np.int64)),
            "special_tokens": self.special_ids,
            "other_merges": _packed_columns(others),
            "other_ranks": pack_numbers(np.array(list(self.other_merges.values()), np.int64)),
            "merged_again": merged_again,
            "ids_of_both": self._ids_of_both,
        }
        return _unpacked, (state,)

    def append(
        self, merges: Sequence[TokenPair], tokens: Mapping[int, bytes], merge_counts: Sequence[int] = ()
    ) -> None:
        """Append merges after the last one, with the new tokens, by id, that they make.

        Nothing is checked. All initial symbols of words must be in the store from the start, and `merge_counts` is
        needed if the store knows the counts of earlier merges.
        """
        with self._lock:
            known, ranks, token_ranks = self.merges, self.ranks, self.token_ranks
            for rank, (left, right) in enumerate(merges, len(known)):
                ranks.setdefault((left, right), rank)
                token = left + right[self.prefix_size :]
                if token not in token_ranks and token != left:
                    if token in self.ids:
                        self._merged_again.add(token)
                    token_ranks[token] = rank
            if self.merge_counts is not None:
                self.merge_counts.extend(merge_counts)
            self._merges = known
            known.extend(merges)
            self.ids.update((token, token_id) for token_id, token in tokens.items())
            self.vocab.update(tokens)
            self.largest_id = max(self.largest_id, max(tokens, default=0))
            self.appended[0] += 1

    # -- tokens and the merges that make them -----------------------------------------------------------------------

    @property
    def merge_count(self) -> int:
        """The number of merges."""
        return len(self._merges)

    @property
    def merges(self) -> list[TokenPair]:
        """The pairs that merge, in the order of their ranks."""
        if isinstance(self._merges, list):
            return self._merges
        if self._listed is None:
            with self._lock:
                self._listed = list(self._merges)
        return self._listed

    def merges_below(self, rank: int) -> Sequence[TokenPair]:
        """Return the merges below a rank, as `NumberedMerges` if they were given like that."""
        return self._merges[:rank]

    @property
    def ranks(self) -> dict[TokenPair, int]:
        """The rank of each pair that merges, `other_merges` included."""
        if self._ranks is None:
            with self._lock:
                if self._ranks is None:
                    # If a merge occurs twice, the first rank counts; the second can never apply.
                    pairs = reversed(self.merges)
                    ranks = dict(zip(pairs, reversed(range(self.merge_count)), strict=True))
                    self._ranks = ranks | self.other_merges
        return self._ranks

    @property
    def token_ranks(self) -> dict[bytes, int]:
        """The rank of the first merge that makes each token.

        If the right token is only the prefix, merging gives the left token again, and so makes none.
        """
        if self._token_ranks is None:
            with self._lock:
                if self._token_ranks is None:
                    prefix = self.prefix_size
                    pairs = reversed(list(enumerate(self.merges)))
                    self._token_ranks = {
                        left + right[prefix:]: rank for rank, (left, right) in pairs if len(right) > prefix
                    }
        return self._token_ranks

    def exists(self, token: bytes, position: int) -> bool:
        """Return whether a token of the vocabulary that is not a special token exists after `position` merges."""
        return position == len(self._merges) or self.first_rank(token) < position

    def first_rank(self, token: bytes) -> int:
        """Return the rank of the first merge that makes a token, or -1 if it exists without any."""
        return -1 if token in self._merged_again else self.token_ranks.get(token, -1)

    def vocab_at(self, position: int) -> dict[int, bytes]:
        """Return the vocabulary as of `position` merges."""
        entries = self.vocab.copy()  # atomic, and before reading the merges, which are appended first
        if position == self.merge_count:
            return entries
        ranks, merged_again, special = self.token_ranks, self._merged_again, self._special_id_set
        return {
            token_id: token
            for token_id, token in entries.items()
            if ranks.get(token, -1) < position or token in merged_again or token_id in special
        }

    def is_special(self, token_id: int) -> bool:
        """Return whether an id belongs to a special token."""
        return token_id in self._special_id_set

    def entries(self) -> Entries:
        """Return the whole vocabulary in the order of ids. It is the same object until tokens are appended."""
        with self._lock:
            known = len(self._entries.tokens)
            if not known and self._given is not None and isinstance(self._merges, NumberedMerges):
                self._entries = self._entries_in_arrays(self._given, self._merges)
            elif self._vocab is not None and known < len(self._vocab):
                new = last_items(self._vocab, len(self._vocab) - known)
                self._entries = self._entries.with_more(new, self._first_steps(new))
            return self._entries

    def _entries_in_arrays(self, given: NumberedTokens, merges: NumberedMerges) -> Entries:
        """Return the entries of a vocabulary given as arrays, if nothing has been appended."""
        steps = np.zeros(len(given), np.int64)
        steps[merges.products[::-1]] = np.arange(len(merges), 0, -1)  # if several merges make a token, the first counts
        others = {token_id: token for token_id, token in self._specials.items() if token_id not in given}
        ids = np.append(given.ids, np.array(list(others), np.int64))
        steps = np.append(steps, np.zeros(len(others), np.int64))
        steps[np.isin(ids, list(self._specials))] = Entries.SPECIAL
        return Entries.in_order(ids, steps, [*given.tokens, *others.values()])

    def entry(self, token: bytes, *, special: bool = False) -> tuple[int, int] | None:
        """Return the id and the step of the first ordinary or special entry with these bytes; None if there is none.

        The step is as in `Entries`.
        """
        if special:
            token_id = self.special_ids.get(token.decode(errors="surrogateescape"))
        elif self._has_repeats:
            entries = self.entries()
            index = entries.find(token)
            return None if index is None else (int(entries.ids[index]), int(entries.steps[index]))
        else:
            token_id = self.ids.get(token)
        if token_id is None or self.is_special(token_id) != special:
            return None
        return token_id, self._first_steps([(token_id, token)])[0]

    def first_step(self, token: bytes) -> int | None:
        """Return the step that makes a token: 0 for the alphabet, `Entries.SPECIAL` for a special token.

        Return None for a token that is not in the vocabulary.
        """
        token_id = self.ids.get(token, self.special_ids.get(token.decode(errors="replace")))
        return None if token_id is None else self._first_steps([(token_id, token)])[0]

    def _first_steps(self, entries: Iterable[tuple[int, bytes]]) -> list[int]:
        special, merged_again, ranks = self._special_id_set, self._merged_again, self.token_ranks
        return [
            Entries.SPECIAL if token_id in special else 0 if token in merged_again else ranks.get(token, -1) + 1
            for token_id, token in entries
        ]

    # -- tables for kernels -----------------------------------------------------------------------------------------

    def tables(self) -> EncodingTables:
        """Return the up-to-date tables with which kernels encode."""
        with self._lock:
            if self._tables is None:
                self._tables = EncodingTables(self.recipe, self.model)
                if self._given is None:
                    self._tables.add_ids(self._ids_of_both)
                else:
                    self._tables.add_vocabulary(self._given, len(self._given) - len(self._ids_of_both))
                self._tables.add_other_merges(self.other_merges)
            self._tables.update(self._ids, self._merges)
            return self._tables

    def decoder(self) -> Decoder:
        """Return a decoder for the whole vocabulary."""
        entries, decoder = self.entries(), self._decoder
        if decoder is None or decoder.entries is not entries:
            decoder = self._decoder = Decoder(entries)
        return decoder


def _packed_columns(merges: NumberedMerges) -> tuple[PackedNumbers, ...]:
    return tuple(map(pack_numbers, (merges.lefts, merges.rights, merges.products)))


def _unpacked(state: Mapping[str, Any]) -> MergeStore:
    """Return a store from the values that `__reduce__` packed."""
    tokens, ids = unpack_strings(state["tokens"]), unpack_numbers(state["ids"]).tolist()
    merges, others = (NumberedMerges(tokens, *map(unpack_numbers, state[name])) for name in ("merges", "other_merges"))
    store = MergeStore(
        dict(zip(ids, tokens, strict=False)),  # later tokens have no ids
        merges,
        state["special_tokens"],
        recipe=state["recipe"],
        pipeline=state["pipeline"],
        merge_counts=None if state["merge_counts"] is None else unpack_numbers(state["merge_counts"]).tolist(),
        other_merges=dict(zip(others, unpack_numbers(state["other_ranks"]).tolist(), strict=True)),
    )
    store._merged_again.update(state["merged_again"])
    store._ids_of_both = state["ids_of_both"]
    return store


def _largest_id(vocab: Mapping[int, bytes]) -> int:
    """Return the largest id of a vocabulary, or 0 if there is none."""
    return int(vocab.ids.max(initial=0)) if isinstance(vocab, NumberedTokens) else max(vocab, default=0)


def _in_arrays(vocab: Mapping[int, bytes], merges: Sequence[TokenPair]) -> NumberedTokens | None:
    """Return the vocabulary if it is given as arrays of unique tokens that the merges refer to, else None."""
    if isinstance(vocab, NumberedTokens) and isinstance(merges, NumberedMerges) and merges.tokens is vocab.tokens:
        return vocab if vocab.tokens.are_different else None
    return None


def _checked(merges: Iterable[TokenPair]) -> NumberedMerges | list[TokenPair]:
    """Return the merges as a sequence. Raise TokenizerError if the left or right token of one is empty."""
    if isinstance(merges, NumberedMerges):
        if not merges.have_bytes:
            check_merges(merges)
        return merges
    checked = pairs_of(merges)
    check_merges(checked)
    return checked


def _without(vocab: Mapping[int, bytes], specials: Mapping[int, bytes]) -> dict[int, bytes]:
    """Return a vocabulary without the special tokens that have the same id in it."""
    others = dict(vocab)
    for token_id, token in specials.items():
        if others.get(token_id) == token:
            del others[token_id]
    return others
