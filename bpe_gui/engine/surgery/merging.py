"""Add the tokens of one tokenizer, or of texts, to another whose ids must not change."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bpe_gui.engine.audits import not_in_texts
from bpe_gui.engine.corpora.documents import Document
from bpe_gui.engine.reports.counting import TokenCounter
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.types import Progress, no_progress
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair
from bpe_gui.engine.vocabulary.tracing import merged_symbols

from .embeddings import EmbeddingMap, embedding_map
from .spelling import Speller


@dataclass(frozen=True, eq=False)
class Merging:
    """A tokenizer with the tokens of another, or of texts, added."""

    tokenizer: Tokenizer
    added: tuple[int, ...]
    """The ids of the added tokens, in ascending order."""
    left_out: dict[bytes, tuple[bytes, ...]]
    """The tokens that no single merge can make, or that no text has, each with what spells it, if anything does."""
    ids: dict[str, int] = field(default_factory=dict)
    """The id of each text that was given, whether its token was added or there before; without those left out."""


def combine(tokenizer: Tokenizer, other: Tokenizer) -> tuple[Tokenizer, EmbeddingMap]:
    """Return `tokenizer` with the tokens of `other` that it lacks, and from which old tokens each id can be made.

    Raise TokenizerError as `merge_tokenizers` does, which also says which tokens were left out.

    >>> from bpe_gui.engine import train
    >>> combined, mapped = combine(train("low low", num_merges=2), train("lowest lowest newest", num_merges=6))
    >>> len(combined), mapped.copied(), mapped.sources_of(259)
    (262, 258, [119, 101, 115])
    """
    combined = merge_tokenizers(tokenizer, other).tokenizer
    return combined, embedding_map(tokenizer, combined)


def merge_tokenizers(tokenizer: Tokenizer, other: Tokenizer, most: int | None = None) -> Merging:
    """Return `tokenizer` with the tokens of `other` that it lacks, in the order of their ids, `most` at most.

    Its merges come first, so text without added tokens keeps its ids. A token is added by the merge of the two tokens
    that then spell it. One spelled by more than two is tried again once others have been added, and left out if that
    does not help. Characters come first if `tokenizer` has them only as the names of their bytes, which never merge.
    Added tokens have the ids after the largest. Raise TokenizerError if the two tokenizers split words into different
    symbols, or mark the ends of words differently.

    >>> from bpe_gui.engine import train
    >>> one, other = train("low low low", num_merges=2), train("lowest lowest newest", num_merges=6)
    >>> merging = merge_tokenizers(one, other)
    >>> [merging.tokenizer.token(token_id) for token_id in merging.added]
    [b'we', b'wes', b'west', b'ne']
    """
    speller = Speller(tokenizer)
    if speller.symbols_described != Speller(other).symbols_described:
        raise TokenizerError(
            "These tokenizers cannot be merged, because they make tokens of different symbols: of bytes or of "
            "characters, or with other marks for spaces and for the ends of words."
        )
    known, special = set(tokenizer.vocab.values()), set(other.special_tokens.values())
    wanted = [token for token_id, token in sorted(other.vocab.items()) if token_id not in special]
    wanted = [token for token in wanted if token not in known]
    never, checked = set[bytes](), set[bytes]()
    while True:
        kept = [token for token in wanted if token not in never]
        merging = _with_tokens(tokenizer, kept, None)
        tokens = {token_id: merging.tokenizer.token(token_id) for token_id in merging.added}
        found = not_in_texts(merging.tokenizer, [each for each in tokens if tokens[each] not in checked])
        if not found:
            break
        checked.update(tokens.values())
        never.update(map(tokens.__getitem__, found))
    if most is not None:
        impossible = merging.left_out
        merging = _with_tokens(tokenizer, kept, most)
        left_out = {token: parts for token, parts in merging.left_out.items() if token in impossible}
        merging = replace(merging, left_out=left_out)
    unseen = [token for token in wanted if token in never]  # in the order of their ids, not of a set
    merging.left_out.update(zip(unseen, speller.spell(unseen), strict=True))
    return merging


def with_ordinary_tokens(tokenizer: Tokenizer, texts: Iterable[str]) -> Merging:
    """Return `tokenizer` with tokens for texts, by merges after its own, which every format keeps.

    A text that more than two tokens spell also gets those in between, and characters that `tokenizer` has only as the
    names of their bytes. The end of a word is part of the token if `tokenizer` marks it; the space before it must be
    in the text. Texts are left out if the tokenizer never has them in one word, or lacks a character of them. Empty
    ones are passed over. Raise TokenizerError for a lone surrogate.

    >>> from bpe_gui.engine import train
    >>> merging = with_ordinary_tokens(train("low low lower", num_merges=2), ["lowest", "low low"])
    >>> [merging.tokenizer.token(token_id) for token_id in merging.added]
    [b'lowe', b'lowes', b'lowest']
    >>> merging.ids, merging.left_out
    ({'lowest': 260}, {b'low low': (b'low', b' ', b'low')})
    """
    speller = Speller(tokenizer)
    tokens = {text: speller.token(text) for text in texts if text}
    known = set(tokenizer.vocab.values())
    wanted = [token for token in dict.fromkeys(tokens.values()) if token not in known]
    never, checked = set[bytes](), set[bytes]()
    while True:
        merging = _with_words(tokenizer, [token for token in wanted if token not in never])
        ids = {merging.tokenizer.token(token_id): token_id for token_id in merging.added}
        unchecked = [ids[token] for token in wanted if token in ids and token not in checked]
        found = not_in_texts(merging.tokenizer, unchecked, unless_shown=True)
        if not found:
            break
        checked.update(map(merging.tokenizer.token, unchecked))
        never.update(map(merging.tokenizer.token, found))
    left_out = [token for token in wanted if token in never or token in merging.left_out]
    ids = {token: token_id for token_id, token in reversed(merging.tokenizer.vocab.items())}
    return replace(
        merging,
        left_out=dict(zip(left_out, speller.spell(left_out), strict=True)),
        ids={text: ids[token] for text, token in tokens.items() if token in ids and token not in left_out},
    )


def tokens_saved(
    old: Tokenizer, new: Tokenizer, documents: Sequence[Document], progress: Progress = no_progress
) -> dict[int, int]:
    """Return how many tokens fewer documents need by each ordinary token that was merged into `new`, by its id.

    `new` is `old` with further merges; together, the numbers are the difference of the two counts of tokens. Raise as
    `TokenCounter.count_documents` does.

    >>> from bpe_gui.engine import TextDocument, train
    >>> old = train("low low lower", num_merges=2)
    >>> tokens_saved(old, with_ordinary_tokens(old, ["lowest"]).tokenizer, [TextDocument("lowest lower")])
    {258: 1, 259: 0, 260: 3}
    """
    counter, mapped = TokenCounter(new), embedding_map(old, new)
    occurrences = counter.count_documents(documents, progress).occurrences
    counted = zip(counter.parts.ids[: counter.parts.entries].tolist(), occurrences.tolist(), strict=False)
    return {each: times * (len(mapped.sources_of(each)) - 1) for each, times in counted if each not in old.vocab}


def _with_tokens(tokenizer: Tokenizer, wanted: Sequence[bytes], most: int | None) -> Merging:
    speller, prefix_size = Speller(tokenizer), tokenizer.store.prefix_size
    characters = [token for token in wanted if speller.names_bytes and len(token.decode(errors="replace")) == 1][:most]
    merged, added = _extended(tokenizer, characters, []), set(characters)
    most = None if most is None else most - len(characters)
    others = [token for token in wanted if token not in added]
    pending = dict(zip(others, Speller(merged).spell(others), strict=True))
    pairs: dict[TokenPair, int] = {}
    is_growing = True
    while is_growing:
        before = len(pairs)
        pending = _add_pairs(pairs, pending, most, prefix_size)
        is_growing = len(pairs) > before
    merged = _extended(merged, [left + right[prefix_size:] for left, right in pairs], pairs)
    return Merging(merged, tuple(sorted(merged.vocab.keys() - tokenizer.vocab.keys())), pending)


def _with_words(tokenizer: Tokenizer, words: Sequence[bytes]) -> Merging:
    """Return a tokenizer whose further merges make each word from its left end, or leave it out."""
    speller, prefix_size = Speller(tokenizer), tokenizer.store.prefix_size
    known, characters = set(tokenizer.vocab.values()), dict[bytes, None]()
    if speller.names_bytes:
        units = (character.encode() for word in words for character in word.decode())
        characters = dict.fromkeys(unit for unit in units if unit not in known)
    merged = _extended(tokenizer, [*characters], [])
    known.update(characters)
    pairs: dict[TokenPair, int] = {}
    left_out: dict[bytes, tuple[bytes, ...]] = {}
    for word, symbols in zip(words, Speller(merged).spell(words), strict=True):
        symbols, own = tuple(merged_symbols(symbols, pairs, len(pairs), prefix_size)), dict[TokenPair, bytes]()
        while len(symbols) > 1:
            pair = symbols[0], symbols[1]
            token = pair[0] + pair[1][prefix_size:]
            if token in known:
                break  # a token that the merges of the tokenizer do not make of these two
            pairs[pair], own[pair] = len(pairs), token
            known.add(token)
            symbols = tuple(merged_symbols(symbols, pairs, len(pairs), prefix_size))
        if symbols != (word,):
            left_out[word] = symbols
            for pair, token in own.items():
                del pairs[pair]
                known.remove(token)
    merged = _extended(merged, [left + right[prefix_size:] for left, right in pairs], pairs)
    return Merging(merged, tuple(sorted(merged.vocab.keys() - tokenizer.vocab.keys())), left_out)


def _add_pairs(
    pairs: dict[TokenPair, int], pending: dict[bytes, tuple[bytes, ...]], most: int | None, prefix_size: int
) -> dict[bytes, tuple[bytes, ...]]:
    """Add the merge of each token that two others spell. Return the remaining tokens with what spells them."""
    left = {}
    for token, symbols in pending.items():
        symbols = tuple(merged_symbols(symbols, pairs, len(pairs), prefix_size))
        joined = symbols[0] + symbols[1][prefix_size:] if len(symbols) == 2 else b""
        if joined == token and (most is None or len(pairs) < most):
            pairs[symbols[0], symbols[1]] = len(pairs)
        else:
            left[token] = symbols
    return left


def _extended(tokenizer: Tokenizer, tokens: Sequence[bytes], pairs: Iterable[TokenPair]) -> Tokenizer:
    """Return a tokenizer with further tokens, whose ids come after the largest, and merges after its own."""
    return tokenizer.changed(
        vocab=tokenizer.vocab | dict(enumerate(tokens, max(tokenizer.vocab, default=-1) + 1)),
        merges=[*tokenizer.merges, *pairs],
    )
