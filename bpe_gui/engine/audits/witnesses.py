"""The search for texts that have an entry among their tokens, and for proofs that none has.

Every text that is found has been encoded by the tokenizer itself. Texts are tried for all entries at a time, in this
order: what an entry decodes to; characters that complete its incomplete ones; contexts in which the splitter can yield
a word with it; and as neighbours, entries that no merge joins to it, since a token can have no others in its word.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import islice, pairwise, product, repeat
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.normalizers import Lowercase, Prepend, Replace, StripAccents, UnicodeForm
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL
from bpe_gui.engine.pipeline.sentencepiece import SentencePieceNormalizer
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.types import BoolArray, Int64Array, Progress, UInt8Array
from bpe_gui.engine.text.splitter_tables import Level
from bpe_gui.engine.text.splitters import automaton_of
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .contexts import LONGEST_CONTEXT, WordShapes
from .merging import EntryMerges

_BATCH: Final = 1 << 15  # texts
_ROUNDS: Final = 0, 8, 64, 600, 3_200
"""How many texts have been tried for an entry at the end of each round; the first is the start."""

_COMPLETIONS: Final = 3_000
"""How many characters are tried that contain the given part of one."""

_NEIGHBOURS: Final = 24
"""How many neighbours that no merge joins to an entry are tried on either side."""

UNKNOWN: Final = -1
_CONTINUATIONS: Final = 64
"""How many values a byte that continues a character can have."""

_PARTS: Final = re.compile(
    rb"([\x80-\xbf]{0,3})"
    rb"((?:[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]"
    rb"|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf])[\x80-\xbf])*)"
    rb"([\xc2-\xf4]|\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]"
    rb"|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]?|)"
)
"""The end of a character, whole characters, and the beginning of one, in UTF-8."""


NEVER_IN_TEXTS: Final = frozenset({"split", "normalized", "shadowed", "invalid"})
"""The kinds of obstacles that an entry shares with every entry of which it is a part."""


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
        match = _PARTS.fullmatch(token)
        return cls(match[1], match[2].decode(), match[3]) if match else None

    @property
    def is_whole(self) -> bool:
        """Whether the bytes are whole characters."""
        return not self.head and not self.tail

    def completions(self) -> Iterator[str]:
        """Yield texts that consist of the bytes and of what completes their characters."""
        may_be_inside = bool(self.head) and not self.text and not self.tail
        for head, tail in product(_some_with(self.head, may_be_inside), _some_with(self.tail, False)):
            yield head + self.text + tail


def _points_with(part: bytes) -> Int64Array:
    """Return the code points of the characters whose UTF-8 begins or ends with these bytes; none for no bytes."""
    point = reduce(lambda point, byte: point << 6 | byte & 0x3F, part, 0)
    first = (0x80, 0x800, 0x10000, 0x110000)
    if not part or part[0] < 0xC0:
        step = 1 << 6 * len(part)
        return np.arange(first[len(part) - 1] + (point - first[len(part) - 1]) % step, 0x110000, step)
    size = 2 + (part[0] >= 0xE0) + (part[0] >= 0xF0)
    missing = 6 * (size - len(part))
    point &= (1 << (5 * size + 1 - missing)) - 1
    return np.arange(max(point << missing, first[size - 2]), min((point + 1) << missing, 0x110000))


def _in_utf8(points: Int64Array) -> tuple[UInt8Array, BoolArray]:
    """Return the bytes of characters, and which of them begin one."""
    data = np.frombuffer(points.astype("<u4").tobytes().decode("utf-32-le").encode(), np.uint8)
    return data, data & 0xC0 != 0x80


@lru_cache(maxsize=128)
def _some_with(part: bytes, may_be_inside: bool) -> Sequence[str]:
    """Return some of the characters that begin or end with these bytes, or have them inside; an empty text for none.

    These are the first ones and others, up to the last.
    """
    parts = [part, *(part + bytes([byte]) for byte in range(0x80, 0xC0, 8) if may_be_inside)]
    points = np.concatenate(list(map(_points_with, parts)))
    points = points[(points < 0xD800) | (points >= 0xE000)]
    return [*map(chr, points[:64].tolist()), *map(chr, points[64 :: len(points) // _COMPLETIONS + 1].tolist())] or [""]


def _awkwardness(text: str) -> tuple[int, bool]:
    """Return how unsuitable a text is as a witness: short, printable ones are best."""
    return len(text), not text.isprintable()


def not_in_texts(tokenizer: Tokenizer, token_ids: Sequence[int], *, unless_shown: bool = False) -> set[int]:
    """Return which of these entries are never in a token of any text, because of the steps around the merges.

    With `unless_shown`, return all that no text was found for, whatever the reason.

    >>> vocab = {0: b"l", 1: b"o", 2: b" ", 3: b"lo", 4: b"o "}
    >>> not_in_texts(Tokenizer(vocab, [(b"l", b"o"), (b"o", b" ")], recipe="cs336-toy"), [3, 4])
    {4}
    """
    search = WitnessSearch(tokenizer, list(map(tokenizer.token, token_ids)), token_ids, None)
    search.run()
    found = zip(token_ids, search.obstacles, strict=True)
    return {
        token_id
        for token_id, obstacle in found
        if obstacle is not None and (unless_shown or obstacle.kind in NEVER_IN_TEXTS)
    }


class WitnessSearch:
    """Finds a text for every entry, or the reason why there is none.

    `tokens` are the bytes of the ordinary entries, and `ids` their ids. `witnesses` and `obstacles` are parallel to
    them; at the end, exactly one of the two is not None for each entry.
    """

    def __init__(
        self, tokenizer: Tokenizer, tokens: Sequence[bytes], ids: Sequence[int], progress: Progress | None
    ) -> None:
        self._tokenizer = tokenizer
        self._pipeline = tokenizer.as_pipeline
        self.view: Final = tokenizer.with_unknown_id(UNKNOWN) if tokenizer.refuses_unknown else tokenizer
        """The tokenizer; if it refuses symbols without an id, one that gives them the id `UNKNOWN`."""
        self._tokens, self._ids = tokens, ids
        self._progress = progress
        self.merges: Final = EntryMerges(tokenizer, tokens)
        self._ignores_merges = tokenizer.store.model.ignores_merges
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
            encoded = self.view.encode_batch([text for _index, text in batch])
            for (index, text), ids in zip(batch, encoded, strict=True):
                if self._ids[index] in ids and UNKNOWN not in ids:
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
    def _unknown_bytes(self) -> tuple[UInt8Array, Int64Array]:
        """The bytes of the unknown characters in UTF-8, and for each byte the index of its character."""
        data, begins = _in_utf8(self._unknown_characters)
        return data, np.cumsum(begins) - 1

    def _unknown_with(self, byte: int) -> list[int]:
        """Return a few unknown characters with this byte in UTF-8, from all over Unicode; none if there are none."""
        if byte not in self._unknown_by_byte:
            data, indices = self._unknown_bytes
            found = indices[data == byte]
            self._unknown_by_byte[byte] = self._unknown_characters[found[:: max(1, len(found) // 16)]].tolist()
        return self._unknown_by_byte[byte]

    def _in_contexts(self, index: int) -> Iterator[str]:
        """Yield texts in which a splitter may yield a word with the entry, and other text around it."""
        fragment = self._fragments[index]
        if fragment is None:
            return
        if not fragment.is_whole:
            yield from islice(fragment.completions(), _COMPLETIONS)
            yield from (f"{b}{text}" for text in islice(fragment.completions(), 40) for b in (" ", "a", "1", "\n", "!"))
        for form, shapes in product(self._forms(index), self._shapes):
            yield from (before + form + after for before, after in shapes.contexts(fragment.text))

    # -- the splitter -----------------------------------------------------------------------------------------------

    @cached_property
    def _shapes(self) -> list[WordShapes]:
        """What each level of the splitter can put into a word."""
        return [WordShapes(level, self._usable, self._inert) for level in self._levels]

    @cached_property
    def _levels(self) -> tuple[Level, ...]:
        try:
            levels = tuple(level for step in self._pipeline.pre_tokenizers for level in step.levels)
        except RecipeError:  # words of a large fixed length
            levels = ()
        return levels or (Level(automaton_of("none"), "isolated", False),)

    @cached_property
    def _usable(self) -> BoolArray:
        """Whether a character may stand in a text, by code point."""
        points, tables = np.arange(0x110000), self._tokenizer.store.tables()
        if self.view is self._tokenizer:
            return np.ones(len(points), np.bool_)
        known: BoolArray = ~tables.are_unknown()
        if not self._is_byte_level:
            return known
        usable = np.zeros(len(points), np.bool_)
        points = points[(points < 0xD800) | (points >= 0xE000)]
        data, begins = _in_utf8(points)
        usable[points] = np.logical_and.reduceat(known[data], np.flatnonzero(begins))
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
        if emitted is None:  # an entry among bytes that is written in other characters
            return self._merge_obstacle(index)
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
        if fragment.tail and not fragment.head and len(points := _points_with(fragment.tail)) <= _CONTINUATIONS:
            return self._normalized([fragment.text + chr(point) for point in points.tolist()])
        return self._normalized([fragment.text] if fragment.is_whole else [])

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
        if Fragment.of(bytes([byte])) is None:
            return Obstacle("invalid")
        if not self._unknown_with(byte):
            return Obstacle("known-character")
        return self._normalized([chr(byte)] if byte < 0x80 else [])

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
        obeyed = self._tokenizer.obeyed_special_tokens
        return [each.content for each in self._pipeline.added_tokens if each.content in obeyed and not each.single_word]

    def _normalized(self, texts: Sequence[str]) -> Obstacle | None:
        """Return the obstacle if there are texts and normalization changes each of them."""
        if not texts or not all(map(self._is_normalized_away, texts)):
            return None
        return Obstacle("normalized", {"tokens": self._pipeline.normalize(texts[0]).encode()})

    def _is_normalized_away(self, text: str) -> bool:
        """Return whether a step changes a text wherever it stands, and no later step can restore it."""
        steps = self._pipeline.normalizers
        for step in reversed(steps):
            match step:
                case UnicodeForm() | Lowercase() | StripAccents():
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
        steps = self._pipeline.normalizers
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
        """Try entries as neighbours. Return why that fails: all of them merge with this one, or no text was found."""
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
        """Return the shortest made entries that may stand directly before or after an entry in a word, unmerged."""

        def with_entry(other: int) -> Fragment | None:
            first, second = (other, index) if is_left else (index, other)
            return Fragment.of(self._tokens[first] + self._tokens[second])

        found: list[int] = []
        for begin in range(0, len(self._made), _BATCH // 8):
            batch = self._made[begin : begin + _BATCH // 8]
            others = np.array([each for each in batch if with_entry(each)], np.int64)
            own = np.full(len(others), index, np.int64)
            apart = self.merges.stay_apart(others, own) if is_left else self.merges.stay_apart(own, others)
            wholes = ((each, with_entry(each)) for each in others[apart].tolist())
            found += (each for each, whole in wholes if whole and self._can_be_in_a_word(whole))
            if len(found) >= _NEIGHBOURS:
                break
        return found[:_NEIGHBOURS]

    @cached_property
    def _made(self) -> list[int]:
        """The entries whose own bytes merge into them, the shortest first."""
        return sorted(np.flatnonzero(self.merges.are_made).tolist(), key=lambda each: len(self._tokens[each]))
