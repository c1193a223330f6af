"""The sections of texts between added tokens, joined so that kernels encode all of them at once.

A mark stands for each added token between two sections, and for the end of each of several texts. So there is one way
from texts to ids: added tokens become marks, sections are normalized, kernels encode what was joined, and ids take the
places of the marks.
"""

import re
from collections.abc import Callable, Sequence
from math import prod
from typing import Final, NamedTuple, Self

import numpy as np

from bpe_gui.engine.kernels.text.special_search import has_any
from bpe_gui.engine.pipeline.added_tokens import AddedTokenFinder
from bpe_gui.engine.pipeline.aligned_text import AlignedText, byte_sizes
from bpe_gui.engine.pipeline.normalizers import Normalizer
from bpe_gui.engine.pipeline.pipeline import MAX_GROWTH, Pipeline, growth_error
from bpe_gui.engine.pipeline.sentencepiece import SentencePieceNormalizer
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.types import Int32Array, Int64Array
from bpe_gui.engine.text.compiled_splitters import padded
from bpe_gui.engine.text.special_tokens import MARK_ID, TEXT_END, bounds_between_marks
from bpe_gui.engine.text.utf8 import check_surrogates, decode_utf8

from .results import TokenArrays

_NO_IDS: Final = np.empty(0, np.int32)
_SHORT: Final = 1 << 11
"""Up to this many characters, Python's own searches are faster than calling a kernel."""


class Units(NamedTuple):
    """What stretches of joined sections stand for: their sizes, and the bytes [`starts[i]`, `stops[i]`) before a step.

    A stretch that a step did not change has as many bytes as before; any other is a character or a mark.
    """

    sizes: Int64Array
    starts: Int64Array
    stops: Int64Array

    def before(self, tokens: TokenArrays) -> TokenArrays:
        """Return tokens with their offsets before the step.

        If a character has several bytes but stands for another character, its first byte stands for all of it.
        """
        if not len(tokens.ids):
            return tokens
        ends = np.cumsum(self.sizes)
        firsts = np.minimum(np.searchsorted(ends, tokens.starts, "right"), len(ends) - 1)
        lasts = np.searchsorted(ends, tokens.stops)
        before, after = tokens.starts - (ends - self.sizes)[firsts], ends[lasts] - tokens.stops
        are_kept = self.stops - self.starts == self.sizes
        first_starts = np.where(before > 0, self.stops[firsts], self.starts[firsts])
        starts = np.where(are_kept[firsts], self.starts[firsts] + before, first_starts)
        stops = np.where(are_kept[lasts], self.stops[lasts] - after, self.stops[lasts])
        return TokenArrays(tokens.ids, starts, np.where(tokens.stops > tokens.starts, stops, starts))


class Joined(NamedTuple):
    """Sections in UTF-8 with marks between them, the id that stands at each mark, and what the steps did so far."""

    data: bytes
    ids: Int32Array
    find_units: Callable[[], list[Units]] = list
    """Returns the units of each step, the last one first."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """Return texts with a mark after each."""
        return cls(TEXT_END.join([*map(str.encode, texts), b""]), np.full(len(texts), MARK_ID, np.int32))

    def without(self, finder: AddedTokenFinder) -> "Joined":
        """Return the sections between the added tokens in these sections."""
        if not finder.tokens:
            return self
        found = finder.find(self.data, has_marks=len(self.ids) > 0)
        if len(found.tokens) == len(self.ids):
            return self
        are_marks = found.tokens == len(finder.tokens)
        ids = finder.ids[found.tokens]
        ids[are_marks] = self.ids
        begins, ends = np.append(np.int64(0), found.stops), np.append(found.starts, np.int64(len(self.data)))
        sections = [self.data[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]

        def find_units() -> list[Units]:
            sizes, starts, stops = np.empty((3, 2 * len(begins) - 1), np.int64)
            sizes[::2], sizes[1::2] = np.maximum(ends - begins, 0), len(TEXT_END)
            starts[::2], starts[1::2] = begins, found.starts
            stops[::2], stops[1::2] = begins + sizes[::2], found.stops
            return [Units(sizes, starts, stops), *self.find_units()]

        return Joined(TEXT_END.join(sections), ids, find_units)

    def changed(self, change: Callable[[AlignedText], AlignedText], *, keeps_ascii: bool) -> "Joined":
        """Return the sections, each changed by a step, which may not change ASCII. Raise TokenizerError."""
        sections = self.data.split(TEXT_END)
        changed: dict[int, AlignedText] = {}
        for index, section in enumerate(sections):
            if section and not (keeps_ascii and section.isascii()):
                is_first = index == 0 or self.ids[index - 1] == MARK_ID
                changed[index] = text = change(AlignedText.of(section.decode(), is_first=is_first))
                sections[index] = text.text.encode()

        def find_units() -> list[Units]:
            bounds, mark = self.bounds(), len(TEXT_END)
            units: list[Int64Array] = []
            for index, (begin, end) in enumerate(bounds.reshape(-1, 2).tolist()):
                if (text := changed.get(index)) is None:
                    units.append(np.array([[end - begin], [begin], [end]]))
                else:
                    starts, stops = text.offsets
                    units.append(np.array([byte_sizes(text.text), starts + begin, stops + begin]))
                units.append(np.array([[mark], [end], [end + mark]]))
            return [Units(*np.concatenate(units, axis=1)), *self.find_units()]

        return Joined(TEXT_END.join(sections), self.ids, find_units)

    def after(self, steps: Sequence[Normalizer]) -> "Joined":
        """Return the sections after steps that can change all of them at once, without units."""
        data = self.data
        for step in steps:
            data = step.normalize_marked(data)
        return Joined(data, self.ids)

    def normalized(self, normalizer: SentencePieceNormalizer) -> "Joined":
        """Return the sections normalized, all at once and without units. Raise TokenizerError if they grow too much."""
        sections = self.data.split(TEXT_END)
        ends = np.cumsum(np.fromiter(map(len, sections), np.int64, len(sections)))
        normalized = normalizer.normalize_joined(b"".join(sections), ends, len(TEXT_END))
        if normalized is None:
            raise growth_error()
        return Joined(normalized[: -len(TEXT_END)], self.ids)

    def bounds(self) -> Int64Array:
        """Return where the sections begin and end, alternately."""
        return bounds_between_marks(self.data)

    def put_ids(self, ids: Int32Array) -> Int32Array:
        """Put the ids that stand at the marks into the ids of the sections, which have `MARK_ID` there."""
        if len(self.ids):
            ids[ids == MARK_ID] = self.ids
        return ids

    def as_given(self, tokens: TokenArrays) -> TokenArrays:
        """Return tokens of the joined sections with their offsets in the text."""
        for units in self.find_units():
            tokens = units.before(tokens)
        return tokens


class Sections:
    """Finds the sections of texts, as the steps of a pipeline change them before they are split."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        steps = pipeline.pre_tokenizers
        self._change = steps[0].change if steps and steps[0].changes_text else None

    @cached_property
    def _touched_ascii(self) -> re.Pattern[str] | None:
        """An expression for the ASCII characters that a step may change; None if there are none."""
        touched = self._pipeline.touched
        assert touched is not None
        characters = "".join(map(chr, np.flatnonzero(touched[:0x80]).tolist()))
        return re.compile(f"[{re.escape(characters)}]") if characters else None

    @property
    def may_keep_text(self) -> bool:
        """Whether there are texts that certainly no step changes."""
        return self._change is None and self._pipeline.touched is not None

    def keep(self, text: str | bytes) -> bool:
        """Return whether certainly no step changes a text."""
        touched = self._pipeline.touched
        if self._change is not None or touched is None:
            return False
        if text.isascii():
            if self._touched_ascii is None:
                return True
            if len(text) <= _SHORT:
                return not self._touched_ascii.search(text if isinstance(text, str) else text.decode())
        data = text if isinstance(text, bytes) else text.encode(errors="replace")
        return not has_any(padded(data), len(data), touched.view(np.uint8))

    def of(self, text: str | bytes, *, has_offsets: bool = False, is_kept: bool | None = None) -> Joined:
        """Return the sections of a text, with units if offsets are needed. Raise TokenizerError.

        `is_kept` is what `keep` says of the text, if known.
        """
        if isinstance(text, bytes):
            decode_utf8(text)
            data = text
        else:
            check_surrogates(text, error=TokenizerError)
            data = text.encode()
        whole = Joined(data, _NO_IDS)
        return self._between_tokens(whole, self.keep(data) if is_kept is None else is_kept, has_offsets=has_offsets)

    def of_all(self, texts: Sequence[str]) -> Joined:
        """Return the sections of texts, with a mark at the end of each. Raise TokenizerError, and as `str.encode`."""
        whole = Joined.of(texts)
        return self._between_tokens(whole, self.keep(whole.data), has_offsets=False)

    def of_marked(self, texts: bytes) -> Joined:
        """Return the sections of texts in UTF-8 that have a mark after each. Raise TokenizerError."""
        whole = Joined(texts, np.full(texts.count(TEXT_END), MARK_ID, np.int32))
        return self._between_tokens(whole, self.keep(texts), has_offsets=False)

    def _between_tokens(self, whole: Joined, is_kept: bool, *, has_offsets: bool) -> Joined:
        pipeline = self._pipeline
        joined = whole.without(pipeline.tokens_in_given_text)
        if is_kept:
            return joined.without(pipeline.tokens_in_normalized_text)
        keeps_ascii = pipeline.touched is not None and not np.any(pipeline.touched[:0x80])
        match pipeline.normalizers:
            case ():
                pass
            case (SentencePieceNormalizer() as normalizer,) if not has_offsets and self._change is None:
                joined = joined.normalized(normalizer)
            case steps if not has_offsets and self._change is None and prod(s.growth for s in steps) <= MAX_GROWTH:
                joined = joined.after(steps)
            case _ if self._change is not None and not pipeline.tokens_in_normalized_text.tokens:
                change = self._change
                return joined.changed(lambda text: change(pipeline.normalized(text)), keeps_ascii=False)
            case _:
                joined = joined.changed(pipeline.normalized, keeps_ascii=keeps_ascii)
        joined = joined.without(pipeline.tokens_in_normalized_text)
        return joined if self._change is None else joined.changed(self._change, keeps_ascii=False)
