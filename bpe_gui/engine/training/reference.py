"""Byte-pair encoding on one page: slow, but simple enough to trust. Tests compare the fast code with it.

After every merge, all pairs are counted again. As in karpathy/minbpe, symbols are integers: the alphabet comes first,
and each merge adds one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, pairwise, product

import numpy as np
import regex

from bpe_gui.engine.kernels.text.sentences import ALONE, NEUTRAL, TRANSPARENT
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.sentencepiece import trained_normalizer
from bpe_gui.engine.runtime.printable import to_printable
from bpe_gui.engine.text.alphabet import order_alphabet, symbols_of
from bpe_gui.engine.text.phrases import JOINING
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.sentencepiece import SentencePieceOptions, character_classes

from .plan import Plan
from .results import Merge
from .stages import base_symbols
from .turns import Parity

SymbolPair = tuple[int, int]


class ReferenceTrainer:
    """A trainer whose `step` is the whole algorithm.

    >>> trainer = ReferenceTrainer({"low": 2, "lower": 1}, Recipe.of("cs336-toy"))
    >>> trainer.step().token, trainer.step().token
    (b'ow', b'low')
    """

    def __init__(
        self,
        word_counts: Mapping[str, int],
        recipe: Recipe,
        plan: Plan | None = None,
        stage_counts: Mapping[str, Mapping[str, int]] | None = None,
        neighbours: Iterable[list[str]] = (),
    ) -> None:
        """Take the counts of words, and where whole words join, the stretches of words without a gap."""
        self.neighbours = list(neighbours)
        self.plan = plan or Plan()
        self.recipe = recipe = self.plan.stage_recipes(recipe)[0]  # with the seeds of the plan
        self.merges: list[Merge] = []
        self.merged: list[SymbolPair] = []
        if recipe.sentencepiece is not None:
            word_counts = sentencepiece_words(word_counts, recipe.sentencepiece)
        split = {recipe.splitter: word_counts, **(stage_counts or {})}
        # step -> the words of the stage that begins there, in first-seen order, each with its initial symbols and count
        words = {
            step: [(symbols_of(word, stage), n) for word, n in split[stage.splitter].items()]
            for step, stage in self.plan.stage_recipes(recipe).items()
            if not stage.superwords_from
        }
        symbols = {symbol for stage in words.values() for word, _n in stage for symbol in word}
        self.tokens, _fixed = order_alphabet(symbols | base_symbols(self.plan, recipe), recipe)  # symbol -> bytes
        self.lengths = [1] * len(self.tokens)  # of symbols, in initial symbols
        symbol_of = {token: symbol for symbol, token in enumerate(self.tokens)}
        self.stages = {
            step: [([symbol_of[token] for token in word], n) for word, n in stage] for step, stage in words.items()
        }
        self.words = self.stages[0]  # as split now
        self.superwords_from = [*self.plan.stage_recipes(recipe).values()][-1].superwords_from

    def step(self) -> Merge | None:
        """Merge the pair that the plan gives, or else the most frequent one. Return None if none is frequent enough."""
        counts = self.count_pairs()
        allowed = {pair: count for pair, count in counts.items() if not self.is_vetoed(pair)}
        pair = self.given_pair(counts)
        if pair is None:
            highest = max(allowed.values(), default=0)
            if highest < max(1, self.recipe.min_count):
                return None
            pair = self.break_tie([pair for pair, count in allowed.items() if count == highest])
        count = counts.get(pair, 0)
        ties = sum(other != pair and allowed[other] == count for other in allowed)
        left, right = self.tokens[pair[0]], self.tokens[pair[1]]
        self.merges.append(Merge(len(self.merges), left, right, left + right, len(self.tokens), count, ties))
        self.merged.append(pair)
        self.apply(pair, len(self.tokens))
        self.tokens.append(left + right)
        self.lengths.append(self.lengths[pair[0]] + self.lengths[pair[1]])
        if len(self.merges) == self.superwords_from:
            self.words = self.count_phrases()
        if len(self.merges) in self.stages:
            self.words = self.stages[len(self.merges)]
            for new, earlier in enumerate(self.merged, len(self.tokens) - len(self.merged)):
                self.apply(earlier, new)
        return self.merges[-1]

    @property
    def joins_words(self) -> bool:
        """Whether whole words join now."""
        return 0 < self.superwords_from <= len(self.merges)

    def count_phrases(self) -> list[tuple[list[int], int]]:
        """Return the phrases, at least two neighbouring words that are one token each and may join."""
        merges = [(merge.left, merge.right) for merge in self.merges]
        words = dict.fromkeys(word for stretch in self.neighbours for word in stretch)
        tokens = {word: encode_word(symbols_of(word, self.recipe), merges) for word in words}
        counts: Counter[tuple[int, ...]] = Counter()
        for stretch in self.neighbours:
            for joins, members in groupby(
                stretch, lambda word: len(tokens[word]) == 1 and bool(regex.fullmatch(JOINING, word))
            ):
                phrase = tuple(self.tokens.index(word.encode()) for word in members if joins)
                counts[phrase] += len(phrase) > 1
        return [(list(phrase), count) for phrase, count in counts.items() if count]

    def apply(self, pair: SymbolPair, new: int) -> None:
        """Merge a pair in all words."""
        self.words = [(merge(symbols, pair, new), count) for symbols, count in self.words]

    def given_pair(self, counts: dict[SymbolPair, int]) -> SymbolPair | None:
        """Return the pair that the plan gives for this step, or None. Raise ValueError if it has no such symbols.

        If several merges made the same token, return the pair that training would prefer.
        """
        step, replay = len(self.merges), self.plan.replay
        given = replay[step] if step < len(replay) else self.plan.forced.get(step)
        if given is None:
            return None
        lefts, rights = ([symbol for symbol, token in enumerate(self.tokens) if token == part] for part in given)
        if not lefts or not rights:
            raise ValueError(f"a part of {given} is not a token at step {step}")
        pairs = sorted(product(lefts, rights), key=lambda pair: -counts.get(pair, 0))
        highest = counts.get(pairs[0], 0)
        return self.break_tie([pair for pair in counts if pair in pairs and counts[pair] == highest] or [min(pairs)])

    def is_vetoed(self, pair: SymbolPair) -> bool:
        """Return whether the plan or SentencePiece's options forbid training to choose a pair."""
        left, right, options = self.tokens[pair[0]], self.tokens[pair[1]], self.recipe.sentencepiece
        is_forbidden = options is not None and not may_be_piece((left + right).decode(), options)
        is_made = self.joins_words and left + right in self.tokens
        return is_made or is_forbidden or self.plan.veto_of(left, right) is not None

    def count_pairs(self) -> dict[SymbolPair, int]:
        """Return how often each pair occurs, in the order in which the pairs are first seen."""
        counts: dict[SymbolPair, int] = {}
        for symbols, count in self.words:
            pairs: Iterable[SymbolPair] = pairwise(symbols)
            if self.joins_words:
                pairs = without_overlaps(symbols)
            elif self.recipe.pair_counting == "once-per-word":
                pairs = dict.fromkeys(pairs)
            for pair in pairs:
                counts[pair] = counts.get(pair, 0) + count
        return counts

    def break_tie(self, tied: list[SymbolPair]) -> SymbolPair:
        """Return the pair that the tie rule prefers; `tied` is in first-seen order."""
        if self.joins_words:
            return min(tied, key=lambda pair: (self.tokens[pair[0]], self.tokens[pair[1]], pair))
        match self.recipe.tie_break:
            case "greatest":
                # Pairs with the same bytes exist if two merges made the same token. The older one wins.
                return max(tied, key=lambda pair: (self.tokens[pair[0]], self.tokens[pair[1]], -pair[0], -pair[1]))
            case "first-seen":
                return tied[0]
            case "smallest-id":
                return min(tied)
            case "shortest":
                return min(tied, key=self.tokens_made)

    def tokens_made(self, pair: SymbolPair) -> tuple[int, bytes, SymbolPair]:
        """Return what the tie rule `shortest` compares: the length of the new token, its bytes, and the pair itself."""
        left, right = pair
        return self.lengths[left] + self.lengths[right], self.tokens[left] + self.tokens[right], pair

    def split_words(self) -> Iterator[tuple[tuple[bytes, ...], int]]:
        """Yield the words as split now, each as its tokens and its count."""
        for symbols, count in self.words:
            yield tuple(self.tokens[symbol] for symbol in symbols), count


def without_overlaps(symbols: list[int]) -> Iterator[SymbolPair]:
    """Yield the pairs of a word. Of n equal symbols in a row, only n // 2 pairs count."""
    before: SymbolPair | None = None
    for pair in pairwise(symbols):
        before = None if before == pair and pair[0] == pair[1] else pair
        if before:
            yield pair


# -- SentencePiece --------------------------------------------------------------------------------------------------

UNKNOWN_CHARACTER = "\N{LOWER FIVE EIGHTHS BLOCK}"


def sentencepiece_words(word_counts: Mapping[str, int], options: SentencePieceOptions) -> dict[str, int]:
    """Return the words that SentencePiece trains on, each text being normalized on its own.

    Characters outside the alphabet become `UNKNOWN_CHARACTER`, which is in no piece.
    """
    normalizer = trained_normalizer(options)
    special = "|".join(map(re.escape, options.fixed_pieces(())))
    normalized = {text: normalizer.normalize(AlignedText.of(text)).text for text in word_counts}
    texts = [(re.sub(special, "\x1f", normalized[text]), count) for text, count in word_counts.items()]
    counts: Counter[str] = Counter()
    for text, count in texts:
        counts.update(dict.fromkeys(text, 0))
        for character in text.replace("\0", ""):
            counts[character] += count
    alphabet, covered, total = set(), 0, sum(counts.values())
    for character, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if not count or np.float32(covered / total) >= np.float32(options.character_coverage):
            break
        covered += count
        alphabet.add(character)
    alphabet.discard("\x1f")
    words: Counter[str] = Counter()
    for text, count in texts:
        text = "".join(character if character in alphabet else UNKNOWN_CHARACTER for character in text)
        if options.split_by_whitespace:
            text = re.sub("▁", "▁\n" if options.treat_whitespace_as_suffix else "\n▁", text)
        for word in filter(None, text.split("\n")):
            words[word] += count
    return words


def may_be_piece(piece: str, options: SentencePieceOptions) -> bool:
    """Return whether SentencePiece's trainer may make a piece of several characters, judging all of it."""
    if len(piece) > options.max_sentencepiece_length or UNKNOWN_CHARACTER in piece:
        return False
    inside = piece[:-1] if options.treat_whitespace_as_suffix else piece[1:]
    ends_wrongly = piece.startswith("▁") if options.treat_whitespace_as_suffix else piece.endswith("▁")
    if ends_wrongly or (options.split_by_whitespace and "▁" in inside):
        return False
    classes = character_classes(options)
    before = NEUTRAL
    for character in piece.replace("▁", ""):
        kind = int(classes[ord(character)])
        if kind == ALONE or (before != NEUTRAL and kind not in (NEUTRAL, TRANSPARENT, before)):
            return False
        before = before if kind == TRANSPARENT else kind
    return True


def parity_merges(
    languages: Mapping[str, Mapping[str, int]],
    development: Mapping[str, Mapping[str, int]],
    recipe: Recipe,
    parity: Parity,
    most: int,
) -> list[tuple[bytes, bytes]]:
    """Return at most `most` merges of parity-aware training, as pairs of tokens: merges of equal tokens are one symbol.

    `languages` and `development` have the counts of the words of each language.

    >>> parity_merges({"en": {"low": 2}, "de": {"tief": 1}}, {}, Recipe.of("parity"), Parity(), 3)
    [(b'o', b'w'), (b'l', b'ow'), (b't', b'i')]
    """
    names, exhausted = list(languages), set[str]()
    merges: list[tuple[bytes, bytes]] = []
    window: list[str] = []

    def split(texts: Mapping[str, Mapping[str, int]]) -> dict[str, list[tuple[list[bytes], int]]]:
        return {name: [(symbols_of(word, recipe), n) for word, n in texts[name].items()] for name in texts}

    def lengths() -> dict[str, int]:
        return {name: sum(len(word) * n for word, n in measured[name]) for name in names}

    def as_written(pair: tuple[bytes, bytes]) -> tuple[str | bytes, ...]:
        is_printable = recipe.units == "bytes" and recipe.token_spelling == "gpt2-printable"
        return tuple(to_printable(token) if is_printable else token for token in pair)

    def share(name: str) -> float:
        return window[-parity.window :].count(name) / parity.window

    words = split(languages)
    measured = split(development) if development else words
    first = lengths()
    while len(merges) < most and len(exhausted) < len(names):
        now, turn = lengths(), None
        if len(merges) >= parity.global_merges:
            by_need = sorted(
                (name for name in names if name not in exhausted),
                key=lambda name: (first[name] / now[name]) / parity.ratios[name] if parity.ratios else -now[name],
            )
            turn = by_need[0]
            if parity.variant == "window":
                most_turns = parity.alpha / len(names)
                turn = next((name for name in by_need if share(name) <= most_turns), by_need[-1])
                if share(turn) > most_turns and names[0] in exhausted and share(names[0]) <= most_turns:
                    turn = names[0]
                window.append(turn)
        counts: dict[tuple[bytes, bytes], int] = {}
        for name in names if turn is None else [turn]:
            for word, n in words[name]:
                for pair in pairwise(word):
                    counts[pair] = counts.get(pair, 0) + n
        best = max(counts, key=lambda pair: (counts[pair], as_written(pair)), default=None)
        if best is None or counts[best] < recipe.min_count:
            if turn is None:
                break
            exhausted.add(turn)
            continue
        merges.append(best)
        for texts in (words, measured) if development else (words,):
            for name in names:
                texts[name] = [(encode_word(word, [best]), n) for word, n in texts[name]]
    return merges


def merge(symbols: list[int], pair: SymbolPair, new: int) -> list[int]:
    """Replace every occurrence of `pair` with `new`, from left to right.

    >>> merge([1, 1, 1], (1, 1), 9)
    [9, 1]
    """
    merged: list[int] = []
    i = 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            merged.append(new)
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def encode_word(symbols: list[bytes], merges: list[tuple[bytes, bytes]]) -> list[bytes]:
    """Apply the merges to one word, in the order of their ranks.

    >>> encode_word([b"l", b"o", b"w"], [(b"o", b"w"), (b"l", b"ow")])
    [b'low']
    """
    for left, right in merges:
        i = 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == (left, right):
                symbols = [*symbols[:i], left + right, *symbols[i + 2 :]]
            i += 1
    return symbols
