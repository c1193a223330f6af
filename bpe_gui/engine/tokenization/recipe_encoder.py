"""Text to ids by kernels: a block of UTF-8 at a time, each word once, and in several threads."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.compiled import is_compiled
from bpe_gui.engine.corpora.counting import SCANNERS
from bpe_gui.engine.text.chunk_boundaries import Cutter
from bpe_gui.engine.tokenization.results import TokenArrays
from bpe_gui.engine.tokenization.encoding_worker import ScannerSettings, Worker, made, new_output
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.kernels.encoding.text_encoding import MADE, SLACK, Output
from bpe_gui.engine.kernels.training.records import Ints, Longs
from bpe_gui.engine.kernels.lowlevel.utf8 import first_invalid
from bpe_gui.engine.tokenization.encoding_tables import MergeTables
from bpe_gui.engine.parts import Part, part_of
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.text.splitters import Word
from bpe_gui.engine.text.utf8 import chunks_of, decoded, is_utf8, not_utf8, with_bytes, words_and_specials
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.runtime.threads import joined_in_order, threads_worth

THREAD_WORK: Final = 1 << 21
"""Characters that are worth a thread of their own."""

_BLOCK: Final = 1 << 17  # bytes that are encoded at a time where a text arrives in pieces
_WINDOWS: Final = 1 << 10, 1 << 16  # characters among which a place is looked for where a text can be cut
_PART: Final = 1 << 20  # characters, or bytes, that are encoded at a time, or by one thread


class Step(NamedTuple):
    """As of which merge to encode, and what to write for what has no id."""

    merges: int
    unknown_id: int | None


class UnknownSymbol(Exception):
    """One of these words has a symbol without an id, and there is none for unknown symbols."""

    def __init__(self, words: Iterable[Word]) -> None:
        self.words = words


class Encoder:
    """Encodes as of any merge: tokenizers of all steps share one, also in several threads at once."""

    def __init__(self, recipe: Recipe, special_ids: Mapping[str, int]) -> None:
        self.tables: Final = MergeTables(recipe)
        self._recipe = recipe
        self._special_ids = special_ids
        self._specials = SpecialTokens(special_ids)
        # In the order in which kernels have them.
        ids = [special_ids[token] for token in self._specials.in_order()]
        splitter = SCANNERS.get(recipe.splitter, -1)
        self._scanner = ScannerSettings(splitter, self._specials.as_bytes(), np.array(ids, np.int32))
        # A marker may be a token that covers no text.
        self._tokens_per_byte = 2 if recipe.boundary == "suffix" else 1
        self._cutter = Cutter(recipe.splitter, list(special_ids))
        self._idle: list[Worker] = []

    # -- whole texts ------------------------------------------------------------------------------------------------

    def ids(self, text: str | bytes, step: Step, threads: int | None = None) -> Ints:
        """The ids of a text, given as it is or in UTF-8.

        Raises TokenizerError for a lone surrogate and for bytes that are no UTF-8, and UnknownSymbol.
        """
        try:
            if isinstance(text, str) or self._is_scanned:
                return self._ids(text, step, threads or threads_worth(len(text), THREAD_WORK))
        except UnknownSymbol:
            if isinstance(text, str):
                raise
        return self.ids(decoded(text), step, threads)  # of which an error can tell where it is in the string

    def _ids(self, text: str | bytes, step: Step, threads: int) -> Ints:
        parts = list(pairwise(self._cuts(text, max(threads, len(text) // _PART))))
        if threads > 1 and len(parts) > 1:
            return self._ids_of_parts(text, parts, step, threads)
        with self._worker(step, new_output(self._room_for(text, len(text)))) as worker:
            for begin, end in parts:
                self._encode_part(worker, text, begin, end)
            return made(worker.output).ids

    def _ids_of_parts(self, text: str | bytes, parts: list[tuple[int, int]], step: Step, threads: int) -> Ints:
        def encode(parts: Iterator[tuple[tuple[int, int], Ints]]) -> Iterator[int]:
            with self._worker(step, new_output(0)) as worker:
                for (begin, end), ids in parts:
                    worker.output = worker.output._replace(ids=ids)
                    worker.output.state[:] = 0
                    self._encode_part(worker, text, begin, end)
                    yield int(worker.output.state[MADE])

        most = self._room_for(text, max(end - begin for begin, end in parts)) + SLACK
        return joined_in_order(encode, parts, threads, most, self._room_for(text, len(text)))

    def _encode_part(self, worker: Worker, text: str | bytes, begin: int, end: int) -> None:
        """Encode a part of a text that has its own words; bytes are scanned."""
        if isinstance(text, str) and not self._is_scanned:
            for _batch in self._encode_split(worker, chunks_of(text, begin, end)):
                pass
            return
        part = part_of(text, begin, end)
        if isinstance(text, bytes) and (invalid := first_invalid(*part)) >= 0:
            raise not_utf8(text, begin + invalid - part.at)
        self._scan_part(worker, part, begin)

    def _scan_part(self, worker: Worker, part: Part, characters: int) -> None:
        """Encode a part that begins after so many characters of the text."""
        self._make_room(worker, part.end - part.at)
        worker.scan(self._scanner, *part, is_last=True)
        if worker.is_strict and worker.unknowns:
            raise UnknownSymbol(self._words(part.decoded(), characters))

    def _room_for(self, text: str | bytes, size: int) -> int:
        """The tokens that so much of a text may have."""
        return self._most_tokens(size if isinstance(text, bytes) or text.isascii() else 4 * size)

    def arrays(self, text: bytes, step: Step) -> TokenArrays:
        """The ids of a text in UTF-8 and where their tokens stand. Raises UnknownSymbol."""
        with self._worker(step, new_output(self._most_tokens(len(text)), with_places=True)) as worker:
            if self._is_scanned:
                self._scan_part(worker, part_of(text, 0, len(text)), 0)
            else:
                whole = text.decode()
                for _batch in self._encode_split(worker, [whole], BytePlace(whole)):
                    pass
            return made(worker.output)

    # -- text that arrives in pieces --------------------------------------------------------------------------------

    def stream(self, chunks: Iterable[str], step: Step) -> Iterator[Ints]:
        """The ids of the text that the chunks make up, in parts, in memory bounded by the longest chunk and word."""
        with self._worker(step, new_output(0)) as worker:
            for _block in self._encode(worker, chunks):
                yield made(worker.output).ids
                worker.output = new_output(0)

    def _encode(self, worker: Worker, chunks: Iterable[str]) -> Iterator[None]:
        """Encode a text, and stop now and then."""
        return self._encode_scanned(worker, chunks) if self._is_scanned else self._encode_split(worker, chunks)

    @property
    def _is_scanned(self) -> bool:
        """Whether kernels cut the text into words; before they are compiled, `regex` does it quicker."""
        return self._scanner.splitter >= 0 and is_compiled()

    def _encode_scanned(self, worker: Worker, chunks: Iterable[str]) -> Iterator[None]:
        wanted, characters = _BLOCK, 0
        for chunk, data in with_bytes(chunks, error=TokenizerError):
            worker.add(data)
            characters += len(chunk)
            if worker.filled >= wanted:
                done = self._scan_block(worker, is_last=False, characters=characters)
                wanted = max(_BLOCK, 0 if done else 2 * worker.filled)  # so that a long word is looked at few times
                yield
        self._scan_block(worker, is_last=True, characters=characters)
        yield

    def _scan_block(self, worker: Worker, *, is_last: bool, characters: int) -> int:
        """Encode what is decided of the worker's block, which ends after so many characters of the text."""
        self._make_room(worker, worker.filled)
        done = worker.scan_block(self._scanner, is_last=is_last)
        if worker.is_strict and worker.unknowns:
            text = worker.text()
            raise UnknownSymbol(self._words(text, characters - len(text)))
        worker.drop(done)
        return done

    def _words(self, text: str, before: int) -> Iterator[Word]:
        """The words of a text that begins after so many characters of the whole."""
        for part in words_and_specials(chunks_of(text), self._recipe, self._specials):
            for word in part if isinstance(part, list) else ():
                yield Word(word.text, before + word.start, before + word.stop)

    def _encode_split(self, worker: Worker, chunks: Iterable[str], place: "BytePlace | None" = None) -> Iterator[None]:
        for part in words_and_specials(chunks, self._recipe, self._specials, TokenizerError):
            if isinstance(part, str):
                self._make_room(worker, 1)
                worker.write_special(self._special_ids[part], *(place.find(part) if place else (0, 0)))
            elif part:
                self._encode_words(worker, part, place)
            yield

    def _encode_words(self, worker: Worker, words: Sequence[Word], place: "BytePlace | None") -> None:
        texts = [word.text.encode() for word in words]
        text = b"".join(texts)
        begins = np.fromiter(accumulate(map(len, texts), initial=0), np.int64, len(texts) + 1)
        places = begins[:0]
        if place:
            starts = (place.of_character(word.stop - len(word.text)) for word in words)
            places = np.fromiter(starts, np.int64, len(texts))
        self._make_room(worker, len(text))
        worker.encode_words(text, begins, places)
        if worker.is_strict and worker.unknowns:
            raise UnknownSymbol(words)

    def words(self, text: str, step: Step) -> Iterator[tuple[str, list[bytes]]]:
        """The words of a text, and the symbols that they start as, at any step; no special tokens."""
        del step
        for word in self._words(text, 0):
            yield word.text, symbols_of(word.text, self._recipe)

    def word_starts(self, text: bytes) -> Longs:
        """Where the words of a text in UTF-8 begin, and its special tokens."""
        place = BytePlace(whole := text.decode())
        starts: list[int] = []
        for part in words_and_specials([whole], self._recipe, self._specials):
            if isinstance(part, str):
                starts.append(place.find(part)[0])
            else:
                starts += [place.of_character(word.stop - len(word.text)) for word in part]
        return np.array(starts, np.int64)

    # -- workers and room -------------------------------------------------------------------------------------------

    @contextmanager
    def _worker(self, step: Step, output: Output) -> Iterator[Worker]:
        """A worker of one's own, for a while."""
        worker = self._idle.pop() if self._idle else Worker()
        no_id = -1 if step.unknown_id is None else step.unknown_id
        worker.begin(self.tables.merges(no_id), step.merges, self.tables.known, output)
        worker.is_strict = step.unknown_id is None
        yield worker
        worker.output = new_output(0)
        self._idle.append(worker)

    def _most_tokens(self, size: int) -> int:
        """How many tokens so many bytes may have."""
        return self._tokens_per_byte * size

    def _make_room(self, worker: Worker, size: int) -> None:
        """Make sure that the tokens of so many bytes more have room."""
        output = worker.output
        count = int(output.state[MADE])
        if len(output.ids) < count + self._most_tokens(size) + SLACK:
            has_places = len(output.starts) > 0
            larger = new_output(2 * (count + self._most_tokens(size)), with_places=has_places)
            larger.ids[:count], larger.state[:] = output.ids[:count], output.state
            if has_places:
                larger.starts[:count], larger.stops[:count] = output.starts[:count], output.stops[:count]
            worker.output = larger

    # -- threads ----------------------------------------------------------------------------------------------------

    def _cuts(self, text: str | bytes, parts: int) -> list[int]:
        """Where parts of a text begin and end that are about as large."""
        cuts = [0]
        for part in range(1, parts if self._is_scanned else 1):
            cut = self._cut_after(text, len(text) * part // parts)
            if cut > cuts[-1]:
                cuts.append(cut)
        return [*cuts, len(text)]

    def _cut_after(self, text: str | bytes, place: int) -> int:
        """A place soon after `place` at which the text can be cut, or 0."""
        begin = max(0, place - self._cutter.reach)  # a special token may begin before
        return next((cut for window in _WINDOWS if (cut := self._last_cut(text, begin, place + window)) >= place), 0)

    def _last_cut(self, text: str | bytes, begin: int, end: int) -> int:
        """The last place at which a text can be cut of a part of it, or its beginning."""
        if isinstance(text, str):
            data = text[begin:end].encode(errors="replace")
            cut = begin + len(data[: self._cutter.last_cut(data)].decode())
        else:
            begin = _next_character(text, begin)
            data = text[begin : _next_character(text, end)]
            cut = begin + self._cutter.last_cut(data) if is_utf8(data) else begin
        return cut


def _next_character(text: bytes, place: int) -> int:
    """Where the first character from a place on begins, or the text ends. In what is no UTF-8, some place soon."""
    last = min(place + 3, len(text))
    return next((at for at in range(place, last) if text[at] & 0xC0 != 0x80), last)


class BytePlace:
    """Turns positions in a text from characters to bytes, going forward only."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        self._characters = 0
        self._bytes = 0

    def of_character(self, position: int) -> int:
        """The byte at which a character begins."""
        if self._ascii:
            self._characters = position
            return position
        self._bytes += len(self._text[self._characters : position].encode())
        self._characters = position
        return self._bytes

    def find(self, part: str) -> tuple[int, int]:
        """The bytes of the next place where `part` stands."""
        start = self._text.index(part, self._characters)
        return self.of_character(start), self.of_character(start + len(part))


def warm_up() -> None:
    """Have every kernel compiled that encoding uses."""
    recipe, step = Recipe.of("cs336"), Step(1, 0)
    encoder = Encoder(recipe, {"<e>": 1})
    encoder.tables.update({b"l": 0}, [(b"l", b"o")] * (1 << 11))  # more than there is room for at first
    text = "low" * 100 + "".join(f" {number}" for number in range(1 << 12))
    with encoder._worker(step, new_output(len(text))) as worker:
        worker.scan(encoder._scanner, *part_of(text, 0, len(text)), is_last=True)
    with encoder._worker(step, new_output(len(text))) as worker:
        for _batch in encoder._encode_split(worker, ["low"]):
            pass
