"""The search for texts that have an entry among their tokens, and for proofs that none has.

Every text that is found has been encoded by the tokenizer itself. Texts are tried in this order, all entries at a time:
what an entry decodes to; characters that complete its incomplete ones; contexts in which the splitter can yield a word
with it; and contexts made of entries that no merge joins to it, which are all there can be.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import chain, islice, pairwise, product, repeat
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.pipeline.normalizers import Lowercase, Prepend, Replace, StripAccents, UnicodeForm
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL
from bpe_gui.engine.pipeline.sentencepiece import SentencePieceNormalizer
from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.types import BoolArray, Int64Array, Progress, UInt8Array
from bpe_gui.engine.text.splitter_tables import Level
from bpe_gui.engine.text.splitters import automaton_of
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .contexts import LONGEST_CONTEXT, WordShapes
from .merging import EntryMerges

_BATCH: Final = 1 << 15  # texts
_ROUNDS: Final = 0, 8, 60, 600
"""How many contexts are tried for each entry, in one round after the other."""

_COMPLETIONS: Final = 0, 64, 3_000
_NEIGHBOURS: Final = 24
"""How many neighbours that no merge joins to an entry are tried on either side."""

_UNKNOWN: Final = -1
_CONTINUATIONS: Final = range(0x80, 0xC0)
_LEADS: Final = {2: range(0xC2, 0xE0), 3: range(0xE0, 0xF0), 4: range(0xF0, 0xF5)}
_NEVER_IN_UTF8: Final = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})


NEVER_IN_TEXTS: Final = frozenset({"split", "normalized", "shadowed", "invalid"})
"""Obstacles that an entry shares with every entry of which it is a part."""


class Obstacle(NamedTuple):
    """Why no text has an entry among its tokens: the kind of the reason, and the values of its sentence."""

    kind: str
    values: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class Fragment:
    """The bytes of an entry: the end of a character, whole characters, and the beginning of one."""

    head: bytes
    text: str
    tail: bytes

    @classmethod
    def of(cls, token: bytes) -> "Fragment | None":
        """Return the parts of bytes; None if no valid UTF-8 contains them."""
        try:
            return cls(b"", token.decode(), b"")
        except UnicodeDecodeError:
            pass
        start = next((i for i, byte in enumerate(token) if byte not in _CONTINUATIONS), len(token))
        last = max(start, len(token) - 3)
        stop = next((i for i in range(last, len(token)) if i + _size_of(token[i]) > len(token)), len(token))
        try:
            fragment = cls(token[:start], token[start:stop].decode(), token[stop:])
        except UnicodeDecodeError:
            return None
        return fragment if start <= 3 and next(fragment.completions(), None) is not None else None

    @property
    def is_whole(self) -> bool:
        """Whether the bytes are whole characters."""
        return not self.head and not self.tail

    def completions(self) -> Iterator[str]:
        """Yield texts that consist of the bytes and of what completes their characters."""
        begins_inside = self.head and not self.text and not self.tail
        for before in _beginnings(len(self.head)) if self.head else [b""]:
            known = before + self.head if begins_inside else self.tail
            for after in _endings(_size_of(known[0]) - len(known)) if known else [b""]:
                try:
                    yield b"".join((before, self.head, self.text.encode(), self.tail, after)).decode()
                except UnicodeDecodeError:
                    continue


def _points_with(part: bytes) -> Int64Array:
    """Return the code points of the characters that begin with these bytes, or that end with them."""
    if part[0] in _CONTINUATIONS:
        first, step = (0x80, 0x800, 0x10000)[len(part) - 1], 1 << 6 * len(part)
        return np.arange(first + (_point_of(part) - first) % step, 0x110000, step)
    size = _size_of(part[0])
    missing = 6 * (size - len(part))
    point = _point_of(part) & ((1 << (5 * size + 1 - missing)) - 1)
    first = (0x80, 0x800, 0x10000)[size - 2]
    return np.arange(max(point << missing, first), min((point + 1) << missing, 0x110000))


def _point_of(data: bytes) -> int:
    """Return the number that bytes of UTF-8 have in their lower six bits."""
    return reduce(lambda point, byte: point << 6 | byte & 0x3F, data, 0)


def _size_of(byte: int) -> int:
    """Return how many bytes a character has that begins with a byte; 0 for a byte that begins none."""
    return next((size for size, leads in _LEADS.items() if byte in leads), 0)


def _beginnings(rest: int) -> Iterator[bytes]:
    """Yield beginnings of characters that `rest` continuation bytes may complete or continue."""
    for size, leads in _LEADS.items():
        for missing in range(1, size - rest + 1):
            middles = product(_CONTINUATIONS[:: 2 * missing], repeat=missing - 1)
            yield from (bytes([lead, *middle]) for middle, lead in product(middles, leads))


def _endings(count: int) -> Iterator[bytes]:
    """Yield endings of characters that lack `count` bytes."""
    yield from map(bytes, product(*(_CONTINUATIONS[:: max(1, 4 * step)] for step in reversed(range(count)))))


def _awkwardness(text: str) -> tuple[int, bool]:
    """Return how little a text is suited as a witness: short, printable ones are best."""
    return len(text), not text.isprintable()


def not_in_texts(tokenizer: Tokenizer, token_ids: Sequence[int]) -> set[int]:
    """Return which of some entries can never be part of a token of a text, because of what is done around the merges.

    >>> vocab = {0: b"l", 1: b"o", 2: b" ", 3: b"lo", 4: b"o "}
    >>> not_in_texts(Tokenizer(vocab, [(b"l", b"o"), (b"o", b" ")], recipe="cs336-toy"), [3, 4])
    {4}
    """
    search = WitnessSearch(tokenizer, list(map(tokenizer.token, token_ids)), token_ids, None)
    search.run()
    found = zip(token_ids, search.obstacles, strict=True)
    return {token_id for token_id, obstacle in found if obstacle is not None and obstacle.kind in NEVER_IN_TEXTS}


class WitnessSearch:
    """Finds a text for every entry, or the reason why there is none.

    `tokens` are the bytes of the ordinary entries, and `ids` their ids. `witnesses` and `obstacles` are parallel to
    them, and exactly one of each is not None at the end.
    """

    def __init__(
        self, tokenizer: Tokenizer, tokens: Sequence[bytes], ids: Sequence[int], progress: Progress | None
    ) -> None:
        self._tokenizer = tokenizer
        self._pipeline = tokenizer.pipeline
        is_strict = tokenizer.pipeline is None and tokenizer.unknown_id is None
        self._view = tokenizer.with_unknown_id(_UNKNOWN) if is_strict else tokenizer
        self._tokens, self._ids = tokens, ids
        self._progress = progress
        self.merges: Final = EntryMerges(tokenizer, tokens)
        self._ignores_merges = bool(self._pipeline and self._pipeline.model.ignores_merges)
        self._fragments = [Fragment.of(self.merges.text_of(token)) for token in tokens]
        self._classes_by_part: dict[bytes, list[tuple[int, ...]]] = {}
        self._unknown_by_byte: dict[int, list[int]] = {}
        self.witnesses: Final[list[str | None]] = [None] * len(tokens)
        self.obstacles: Final[list[Obstacle | None]] = [None] * len(tokens)

    def run(self) -> None:
        """Search. Whatever `progress` raises ends the search."""
        self._report(0)
        self._try((index, form) for index in range(len(self._tokens)) for form in self._forms(index))
        self._try((index, text) for index in self._pending() for text in self._fallbacks(index))
        self._disprove(self._simple_obstacle)
        for begin, end in pairwise(_COMPLETIONS):
            self._try(
                (index, text)
                for index in self._pending()
                if (fragment := self._fragments[index]) is not None and not fragment.is_whole
                for text in islice(fragment.completions(), begin, end)
            )
        for begin, end in pairwise(_ROUNDS):
            self._try(
                (index, text) for index in self._pending() for text in islice(self._in_contexts(index), begin, end)
            )
        self._disprove(self._final_obstacle)

    def _pending(self) -> list[int]:
        return [
            index
            for index, (witness, obstacle) in enumerate(zip(self.witnesses, self.obstacles, strict=True))
            if witness is None and obstacle is None
        ]

    def _report(self, tried: int) -> None:
        if self._progress is not None:
            self._progress(min(tried, len(self._tokens)), len(self._tokens))

    def _disprove(self, obstacle: Callable[[int], Obstacle | None]) -> None:
        pending = self._pending()
        for number, index in enumerate(pending):
            if number % 16 == 0:
                self._report(len(self._tokens) - len(pending) + number)
            self.obstacles[index] = obstacle(index) if self.witnesses[index] is None else None

    # -- trying -----------------------------------------------------------------------------------------------------

    def _try(self, candidates: Iterable[tuple[int, str]]) -> bool:
        """Encode texts, and keep those that have their entry among their tokens. Return whether there are any."""
        iterator, found = iter(candidates), False
        while batch := list(islice(iterator, _BATCH)):
            self._report(len(self._tokens) - len(self._pending()))
            encoded = self._view.encode_batch([text for _index, text in batch])
            for (index, text), ids in zip(batch, encoded, strict=True):
                if self._ids[index] in ids and _UNKNOWN not in ids:
                    known, found = self.witnesses[index], True
                    if known is None or _awkwardness(text) < _awkwardness(known):
                        self.witnesses[index] = text
        return found

    def _forms(self, index: int) -> Iterable[str]:
        """Return the texts that may become the characters of an entry."""
        fragment = self._fragments[index]
        if fragment is None or not fragment.is_whole:
            return ()
        text = fragment.text
        if not self._is_byte_level and SPACE_SYMBOL in text:
            spaced = text.replace(SPACE_SYMBOL, " ")
            return dict.fromkeys([spaced.removeprefix(" "), spaced, text])
        return (text, f" {text}") if self.merges.has_affixes else (text,)

    @property
    def _is_byte_level(self) -> bool:
        return self._tokenizer.recipe.units == "bytes"

    def _fallbacks(self, index: int) -> Iterator[str]:
        """Yield characters without an entry: for the tokens of their bytes, and for the unknown token."""
        token = self._tokens[index]
        byte = self._tokenizer.stands_for(token)
        if byte != token:
            yield from map(chr, self._unknown_with(byte[0]))
        elif self._ids[index] == self._tokenizer.unknown_id:
            yield from map(chr, self._unknown_characters[:4].tolist())

    @cached_property
    def _unknown_characters(self) -> Int64Array:
        """The code points of the characters that are not entries."""
        if self._is_byte_level:
            return np.empty(0, np.int64)
        are_unknown = self._tokenizer.store.tables().are_unknown().copy()
        are_unknown[0xD800:0xE000] = False
        return np.flatnonzero(are_unknown)

    @cached_property
    def _unknown_bytes(self) -> UInt8Array:
        """The bytes of these characters, a column for each. A byte that is never in UTF-8 fills up the column."""
        points = self._unknown_characters
        rows = np.stack([points >> shift & 0x3F | 0x80 for shift in (0, 6, 12, 18)])
        for size, lead in ((1, 0), (2, 0xC0), (3, 0xE0), (4, 0xF0)):
            first = 0x80 if size == 1 else 1 << 5 * size + 1
            is_of_size = (points >= (0, 0x80, 0x800, 0x10000)[size - 1]) & (points < first)
            rows[size - 1, is_of_size] = points[is_of_size] >> 6 * (size - 1) | lead
            rows[size:, is_of_size] = 0xFF
        return rows.astype(np.uint8)

    def _unknown_with(self, byte: int) -> list[int]:
        """Return a few unknown characters with this byte in UTF-8, from all over Unicode; none if there are none."""
        if byte not in self._unknown_by_byte:
            found = self._unknown_characters[np.any(self._unknown_bytes == byte, axis=0)]
            self._unknown_by_byte[byte] = found[:: max(1, len(found) // 16)].tolist()
        return self._unknown_by_byte[byte]

    def _in_contexts(self, index: int) -> Iterator[str]:
        """Yield texts in which a splitter may yield a word with the entry, and other text around it."""
        for form in self._forms(index):
            for shapes in self._shapes:
                for before, after in shapes.contexts(self._text(index)):
                    yield before + form + after
        fragment = self._fragments[index]
        if fragment is not None and not fragment.is_whole:
            yield from (f"{b}{text}" for text in islice(fragment.completions(), 40) for b in (" ", "a", "1", "\n", "!"))

    def _text(self, index: int) -> str:
        fragment = self._fragments[index]
        assert fragment is not None
        return fragment.text

    # -- the splitter -----------------------------------------------------------------------------------------------

    @cached_property
    def _shapes(self) -> list[WordShapes]:
        """What each level of the splitter can put into a word."""
        return [WordShapes(level, self._usable, self._inert) for level in self._levels]

    @cached_property
    def _levels(self) -> tuple[Level, ...]:
        recipe = self._tokenizer.recipe
        if self._pipeline is None:
            return (Level(automaton_of(recipe.splitter), takes_space=recipe.boundary == "prefix"),)
        try:
            levels = tuple(level for step in self._pipeline.pre_tokenizers for level in step.levels)
        except RecipeError:  # words of a large fixed length
            levels = ()
        return levels or (Level(automaton_of("none"), "isolated", False),)

    @cached_property
    def _usable(self) -> BoolArray:
        """Whether a character may stand in a text, by code point."""
        points, tables = np.arange(0x110000), self._tokenizer.store.tables()
        if self._view is self._tokenizer:
            return np.ones(len(points), np.bool_)
        known: BoolArray = ~tables.are_unknown()
        if not self._is_byte_level:
            return known
        usable: BoolArray = np.where(points < 0x80, known[points & 0x7F], known[0x80 | points & 0x3F])
        usable &= (points < 0x800) | known[0x80 | points >> 6 & 0x3F]
        usable &= (points < 0x10000) | known[0x80 | points >> 12 & 0x3F]
        leads = np.where(points < 0x800, 0xC0 | points >> 6 & 0x1F, 0xE0 | points >> 12 & 0xF)
        usable &= (points < 0x80) | known[np.where(points < 0x10000, leads, 0xF0 | points >> 18)]
        return usable

    @cached_property
    def _inert(self) -> BoolArray:
        """Whether a character is in no entry of several characters, by code point, if symbols are characters."""
        inert = np.full(0x110000, not self._is_byte_level)
        if not self._is_byte_level:
            several = "".join(each.text for each in self._fragments if each is not None and len(each.text) > 1)
            inert[list(map(ord, set(several)))] = False
        return inert

    # -- proofs -----------------------------------------------------------------------------------------------------

    def _simple_obstacle(self, index: int) -> Obstacle | None:
        """Return a reason that does not depend on what stands around the entry."""
        token, fragment = self._tokens[index], self._fragments[index]
        emitted = self._tokenizer.store.ids.get(token)
        if not token:
            return Obstacle("empty")
        if emitted != self._ids[index]:
            return Obstacle("repeated", {"number": emitted})
        represented = self._tokenizer.stands_for(token)
        if represented != token:
            return self._fallback_obstacle(represented[0])
        if fragment is None:
            return Obstacle("invalid")
        if fragment.is_whole and (added := self._shadow(index)) is not None:
            return Obstacle("shadowed", {"tokens": added.encode()})
        if not self.merges.are_made[index]:
            if not self._ignores_merges:
                return self._merge_obstacle(index)
            if not fragment.is_whole or not all(shapes.can_be(fragment.text) for shapes in self._shapes):
                return Obstacle("not-a-word", {"tokens": tuple(self.merges.tokens_of(index))})
        if not self._can_be_in_a_word(fragment):
            return Obstacle("split")
        if fragment.is_whole and self._is_normalized_away(fragment.text):
            return Obstacle("normalized", {"tokens": self._normal_form(fragment.text).encode()})
        if fragment.tail and not fragment.head and len(points := _points_with(fragment.tail)) <= len(_CONTINUATIONS):
            texts = [fragment.text + chr(point) for point in points.tolist()]
            if all(map(self._is_normalized_away, texts)):
                return Obstacle("normalized", {"tokens": self._normal_form(texts[0]).encode()})
        return None

    def _can_be_in_a_word(self, fragment: Fragment) -> bool:
        """Return whether a word may have these bytes, as far as the splitter is concerned."""
        if not fragment.text and not fragment.tail:
            return True
        before, after = self._classes_with(fragment.head), self._classes_with(fragment.tail)
        return all(map(WordShapes.can_contain, self._shapes, repeat(fragment.text), before, after))

    def _classes_with(self, part: bytes) -> Iterable[tuple[int, ...]]:
        """Return for each level the classes of the characters that have a part; empty ones if there is no part."""
        if not part:
            return repeat(())
        if part not in self._classes_by_part:
            points = _points_with(part)
            self._classes_by_part[part] = [shapes.classes_of(points) for shapes in self._shapes]
        return self._classes_by_part[part]

    def _fallback_obstacle(self, byte: int) -> Obstacle | None:
        if byte in _NEVER_IN_UTF8:
            return Obstacle("invalid")
        if not self._unknown_with(byte):
            return Obstacle("known-character")
        if byte < 0x80 and self._is_normalized_away(chr(byte)):
            return Obstacle("normalized", {"tokens": self._normal_form(chr(byte)).encode()})
        return None

    def _merge_obstacle(self, index: int) -> Obstacle:
        token, store = self._tokens[index], self._tokenizer.store
        tokens = tuple(self.merges.tokens_of(index))
        if not tokens:
            return Obstacle("no-symbols")
        rank = store.token_ranks.get(token)
        if rank is None:
            return Obstacle("no-merge", {"tokens": tokens})
        taken = self.merges.first_across(index, store.merges[rank][0])
        if taken is None:
            return Obstacle("other-merge", {"tokens": tokens})
        return Obstacle("taken", {"left": taken[0], "right": taken[1], "tokens": tokens})

    def _shadow(self, index: int) -> str | None:
        """Return an added token that is taken out of every text with this entry, if there is one."""
        forms = list(self._forms(index))
        return next((added for added in self._taken_out if all(added in form for form in forms)), None)

    @cached_property
    def _taken_out(self) -> list[str]:
        if self._pipeline is None:
            return list(self._tokenizer.obeyed_special_tokens)
        obeyed = self._tokenizer.obeyed_special_tokens
        tokens = self._pipeline.added_tokens
        return [each.content for each in tokens if each.content in obeyed and not each.single_word]

    def _normal_form(self, text: str) -> str:
        return self._pipeline.normalize(text) if self._pipeline else text

    def _is_normalized_away(self, text: str) -> bool:
        """Return whether a step changes a text wherever it is, and the steps after it cannot bring it back."""
        steps = self._pipeline.normalizers if self._pipeline else ()
        for step in reversed(steps):
            match step:
                case UnicodeForm() | Lowercase() | StripAccents():
                    from bpe_gui.engine.pipeline.aligned_text import AlignedText

                    if step.normalize(AlignedText.of(text)).text != text:
                        return True
                    if not isinstance(step, StripAccents):
                        return False
                case SentencePieceNormalizer():
                    return not self._never_normal.isdisjoint(text)
                case Replace(pattern, content, is_regex=False) if len(pattern) == 1:
                    if pattern in text and pattern not in content:
                        return True
                    if set(content) & set(text):
                        return False
                case Prepend(prefix) if not set(prefix) & set(text):
                    pass
                case _:
                    return False
        return False

    @cached_property
    def _never_normal(self) -> set[str]:
        """The characters that SentencePiece's normalizer replaces everywhere, and never puts in."""
        steps = self._pipeline.normalizers if self._pipeline else ()
        found: set[str] = set()
        for step in steps:
            if isinstance(step, SentencePieceNormalizer):
                replacements = step.character_map.replacements
                found = {key for key in replacements if len(key) == 1}.difference(*replacements.values())
                if step.escapes_whitespaces:
                    found = found - {SPACE_SYMBOL} | {" "}
                found.difference_update(*step.user_defined_symbols)
        return found

    # -- neighbours -------------------------------------------------------------------------------------------------

    def _final_obstacle(self, index: int) -> Obstacle | None:
        """Try entries as neighbours. Return the reason if all of them merge with this one, or if none is found."""
        fragment = self._fragments[index]
        none_found = Obstacle("not-found", {"number": LONGEST_CONTEXT})
        if fragment is None or not self.merges.are_made[index] or self.merges.has_affixes:
            return none_found
        needs_left, needs_right = bool(fragment.head), bool(fragment.tail)
        lefts = self._neighbours(index, is_left=True)
        rights = self._neighbours(index, is_left=False)
        if fragment.is_whole and len(self._shapes) == 1:
            needs_left, needs_right = self._shapes[0].needs(fragment.text)
        if (needs_left and not lefts) or (needs_right and not rights):
            return Obstacle("crossed" if fragment.is_whole else "incomplete")
        befores, afters = ([self._tokens[each] for each in side] for side in (lefts, rights))
        texts = (
            (index, text)
            for before in (befores if needs_left else [b"", *befores])
            for after in (afters if needs_right else [b"", *afters])
            if (whole := Fragment.of(before + self._tokens[index] + after)) is not None
            for text in islice(whole.completions() if not whole.is_whole else iter([whole.text]), 8)
        )
        return None if self._try(texts) else none_found

    def _neighbours(self, index: int, *, is_left: bool) -> list[int]:
        """Return the shortest made entries that may stand directly before or after an entry, unmerged."""
        fragment = self._fragments[index]
        assert fragment is not None
        groups = self._by_tail if is_left else self._by_head
        own = fragment.head if is_left else fragment.tail
        if not fragment.text and not (fragment.tail if is_left else fragment.head):
            own = self._tokens[index]  # all of it is in one character
        fitting = [
            members
            for part, members in groups.items()
            if (Fragment.of(part + own if is_left else own + part) is not None if own and part else not own)
            and (own or not part or (is_left and part[0] in _CONTINUATIONS))
        ]
        others = np.array(sorted(chain.from_iterable(fitting), key=lambda each: len(self._tokens[each])), np.int64)
        own_index = np.full(len(others), index, np.int64)
        apart = self.merges.stay_apart(others, own_index) if is_left else self.merges.stay_apart(own_index, others)
        return [*islice((e for e in others[apart].tolist() if self._can_touch(index, e, is_left)), _NEIGHBOURS)]

    def _can_touch(self, index: int, other: int, is_left: bool) -> bool:
        """Return whether a word may have both entries, one directly after the other."""
        first, second = (other, index) if is_left else (index, other)
        fragment = Fragment.of(self._tokens[first] + self._tokens[second])
        return fragment is not None and self._can_be_in_a_word(fragment)

    @cached_property
    def _by_tail(self) -> Mapping[bytes, list[int]]:
        """The made entries by the incomplete character at their end."""
        # A part of a character without its beginning may be followed by its end.
        return self._grouped(lambda each: each.tail or (b"" if each.text else each.head))

    @cached_property
    def _by_head(self) -> Mapping[bytes, list[int]]:
        """The made entries by the incomplete character at their beginning."""
        return self._grouped(lambda each: each.head)

    def _grouped(self, part: Callable[[Fragment], bytes]) -> Mapping[bytes, list[int]]:
        groups: dict[bytes, list[int]] = {}
        for index in self.merges.made.tolist():
            if (fragment := self._fragments[index]) is not None:
                groups.setdefault(part(fragment), []).append(index)
        return groups
