"""From which old tokens the embedding of each new token can be made."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.files import write_files
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .spelling import Speller

FORMAT: Final = "bpe-gui embedding map"
VERSION: Final = 1


@dataclass(frozen=True, eq=False)
class EmbeddingMap:
    """For each id of a new tokenizer, the old ids whose bytes spell its token, each with a weight.

    A token that exists in the old tokenizer has its old id with weight 1. Any other has the ids that spell it, with
    equal weights that add up to 1: the mean. New id i has `sources[starts[i]:starts[i + 1]]`, which is empty for an id
    without a token, and for a token that the old vocabulary cannot spell.
    """

    old_size: int
    """The largest old id + 1: the rows of the old matrix."""
    starts: Int64Array
    sources: Int64Array
    weights: npt.NDArray[np.float32]
    unmapped: tuple[int, ...]
    """The new ids whose tokens the old vocabulary cannot spell."""

    @property
    def new_size(self) -> int:
        """The largest new id + 1: the rows of the new matrix."""
        return len(self.starts) - 1

    def sources_of(self, new_id: int) -> list[int]:
        """Return the old ids for a new id, in the order of the text."""
        ids: list[int] = self.sources[self.starts[new_id] : self.starts[new_id + 1]].tolist()
        return ids

    def kept(self) -> int:
        """Return how many tokens keep their id."""
        single = np.flatnonzero(np.diff(self.starts) == 1)
        return int(np.count_nonzero(self.sources[self.starts[single]] == single))

    def copied(self) -> int:
        """Return how many tokens have the embedding of one old token."""
        return int(np.count_nonzero(np.diff(self.starts) == 1))

    def apply(self, embeddings: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the new matrix for an old one, of one row per id. Ids without sources get the mean of all old rows.

        Raise TokenizerError if the old matrix has too few rows; further rows, as models add for speed, are left out.

        >>> from bpe_gui.engine import Tokenizer
        >>> old = Tokenizer({0: b"l", 1: b"o"}, [], recipe="cs336-toy")
        >>> new = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> embedding_map(old, new).apply([[0.0, 2.0], [4.0, 0.0]])[2].tolist()
        [2.0, 1.0]
        """
        old = np.asarray(embeddings)
        if old.ndim != 2 or len(old) < self.old_size:
            raise TokenizerError(
                "The matrix of embeddings must have a row for each of the {size:,} old ids; its shape is {shape}.",
                size=self.old_size,
                shape=str(old.shape),
            )
        counts = np.diff(self.starts)
        new = np.empty((self.new_size, old.shape[1]), old.dtype)
        new[counts == 0] = old[: self.old_size].mean(axis=0)
        new[counts == 1] = old[self.sources[self.starts[:-1][counts == 1]]]
        for new_id in np.flatnonzero(counts > 1).tolist():
            part = slice(self.starts[new_id], self.starts[new_id + 1])
            new[new_id] = self.weights[part] @ old[self.sources[part]]
        return new

    def save(self, path: str | Path) -> None:
        """Write the map as JSON, NumPy (`.npz`) or `.safetensors`, by the extension of `path`.

        The arrays are `starts`, `sources` and `weights`; JSON has a line with `[old id, weight]` pairs for each new id.
        Raise TokenizerError for another extension, EngineError if the file cannot be written.
        """
        path = Path(path)
        writers: dict[str, Callable[[], str | bytes]] = {
            ".json": self._as_json,
            ".npz": self._as_npz,
            ".safetensors": self._as_safetensors,
        }
        if path.suffix not in writers:
            raise TokenizerError(
                "{path}: the name of an embedding map must end in {extensions}.", path=path, extensions=tuple(writers)
            )
        write_files({path: writers[path.suffix]()})

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"starts": self.starts, "sources": self.sources, "weights": self.weights}

    def _as_json(self) -> str:
        weights = self.weights.astype(str).astype(float)  # the shortest numbers that are the same in 32 bits
        pairs = list(zip(self.sources.tolist(), weights.tolist(), strict=True))
        rows = (pairs[start:stop] for start, stop in pairwise(self.starts.tolist()))
        head = {"format": FORMAT, "version": VERSION, "old_size": self.old_size, "new_size": self.new_size}
        lines = ",\n".join(map(json.dumps, rows))
        return f'{json.dumps(head)[:-1]}, "unmapped": {list(self.unmapped)}, "rows": [\n{lines}\n]}}\n'

    def _as_npz(self) -> bytes:
        file = BytesIO()
        np.savez(file, starts=self.starts, sources=self.sources, weights=self.weights)
        return file.getvalue()

    def _as_safetensors(self) -> bytes:
        """Return the arrays as `safetensors` stores them: the size of a header in JSON, the header, and the data."""
        names = {"i": "I64", "f": "F32"}
        header: dict[str, Any] = {"__metadata__": {"format": FORMAT, "old_size": str(self.old_size)}}
        data = b""
        for name, array in self._arrays().items():
            stored = array.astype(array.dtype.newbyteorder("<")).tobytes()
            offsets = [len(data), len(data) + len(stored)]
            header[name] = {"dtype": names[array.dtype.kind], "shape": list(array.shape), "data_offsets": offsets}
            data += stored
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        return len(text).to_bytes(8, "little") + text + data


def embedding_map(old: Tokenizer, new: Tokenizer) -> EmbeddingMap:
    """Return from which old tokens the embedding of each new token can be made.

    Tokens are compared by the text they stand for, so the two may spell spaces or bytes differently. Special tokens are
    matched by name; one that is new, or renamed, is spelled like other text.

    >>> from bpe_gui.engine import Plan, train
    >>> old = train("low low lower", num_merges=2)
    >>> new = train("lowest lowest", num_merges=4, plan=Plan.extending(old))
    >>> [new.token(257), new.token(259)], embedding_map(old, new).sources_of(259)
    ([b'low', b'lowe'], [257, 101])
    """
    rows = _rows(old, new)
    sources_of = [rows.get(new_id, ()) for new_id in range(max(new.vocab, default=-1) + 1)]
    counts = np.array(list(map(len, sources_of)), np.int64)
    sources = np.array(list(chain.from_iterable(sources_of)), np.int64)
    weights = np.repeat((1 / np.maximum(counts, 1)).astype(np.float32), counts)
    unmapped = tuple(new_id for new_id in sorted(rows) if not rows[new_id])
    return EmbeddingMap(max(old.vocab, default=-1) + 1, np.append(0, np.cumsum(counts)), sources, weights, unmapped)


def _rows(old: Tokenizer, new: Tokenizer) -> dict[int, Sequence[int]]:
    """Return the old ids for each new id."""
    speller, new_speller = Speller(old), Speller(new)
    are_alike = speller.symbols_described == new_speller.symbols_described
    names = {token_id: name for name, token_id in new.special_tokens.items()}
    special = set(old.special_tokens.values())
    old_ids: dict[bytes, int] = {}
    for old_id, token in old.vocab.items():
        if old_id not in special:
            old_ids.setdefault(token if are_alike else speller.text(token), old_id)
    rows: dict[int, Sequence[int]] = {}
    spelled: dict[int, bytes] = {}
    for new_id, token in new.vocab.items():
        name = names.get(new_id)
        word = token if are_alike or name is not None else new_speller.text(token)
        same = old_ids.get(word) if name is None else old.special_tokens.get(name)
        if old.vocab.get(new_id) == token and (name is None) == (new_id not in special):
            same = new_id  # one of several tokens with the same bytes
        if same is None:
            spelled[new_id] = word
        else:
            rows[new_id] = [same]
    for new_id, tokens in zip(spelled, speller.spell(list(spelled.values())), strict=True):
        rows[new_id] = [old.store.ids[token] for token in tokens]
    return rows


def first_difference(
    old: Tokenizer, new: Tokenizer, texts: Iterable[str], mapped: EmbeddingMap | None = None
) -> str | None:
    """Return the first text that the new tokenizer does not split at the old tokens, or None.

    After extending and merging, each new token replaces the old ones that spell it, and text without new tokens has its
    old ids. So the new ids of a text, each replaced by the old ids in the map, are its old ids. Special tokens that the
    old tokenizer lacks are plain text here.

    >>> from bpe_gui.engine import Plan, train
    >>> old = train("low low lower", num_merges=2)
    >>> new = train("lowest lowest", num_merges=4, plan=Plan.extending(old))
    >>> first_difference(old, new, ["the lowest of all"]), first_difference(new, old, ["the lowest of all"])
    (None, 'the lowest of all')
    """
    mapped = embedding_map(old, new) if mapped is None else mapped
    plain = new.obeying(set(old.special_tokens) & set(new.special_tokens))
    for text in texts:
        if [source for new_id in plain.encode(text) for source in mapped.sources_of(new_id)] != old.encode(text):
            return text
    return None
