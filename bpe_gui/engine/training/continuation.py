"""What training starts from when it continues a tokenizer: a corpus as the words and tokens that the tokenizer makes.

Text becomes words by all steps of the tokenizer, whatever these are, and words become tokens by its merges. Training
goes on from there, so no merge has to be made again, and nothing about the steps has to be known here.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

import numpy as np

from bpe_gui.engine.corpora.corpus import Amounts, Corpus, check_memory, with_memory_checks, with_whole_counts
from bpe_gui.engine.corpora.counts_facts import too_large_error
from bpe_gui.engine.corpora.documents import Document, FileDocument
from bpe_gui.engine.corpora.text_files import ReadingState
from bpe_gui.engine.corpora.weights import Scale
from bpe_gui.engine.corpora.word_arrays import WordArrays, WordTally, padded
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.runtime import memory
from bpe_gui.engine.runtime.errors import CorpusError, TrainingError
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.sentencepiece import SentencePieceOptions, required_characters
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .run_arrays import SymbolUnits, code_points, initial_symbols

_CODE_POINTS: Final = 0x110000
_COVERAGE: Final = SentencePieceOptions().character_coverage

_LIKE_SPECIAL: Final = re.compile(
    r"<\|[^\s<>|]{1,40}\|>|</?(?:s|pad|unk|bos|eos|mask)>|\[(?:CLS|SEP|PAD|UNK|MASK|/?INST)\]"
)
"""Texts that separate documents or turns, in the forms in which published models write them."""


def check_can_continue(tokenizer: Tokenizer) -> None:
    """Raise TrainingError for a tokenizer whose training cannot be continued."""
    model = tokenizer.store.model
    if model.prefix or model.suffix not in ("", END_OF_WORD.decode()):
        raise TrainingError(
            "This tokenizer marks the parts of words with {mark!r}, and training can only mark ends of words, with "
            "</w>. So its training cannot be continued.",
            mark=model.prefix or model.suffix,
        )


def count_as(tokenizer: Tokenizer, corpus: Corpus, progress: Progress | None = None) -> WordCounts:
    """Return the words of a corpus as the merges of a tokenizer get them. Raise EngineError.

    Its added tokens are left out. The rest is as for `Corpus.count`.

    >>> from bpe_gui.engine import Lowercase, Pipeline, WhitespaceSplit
    >>> steps = Pipeline(normalizers=(Lowercase(),), pre_tokenizers=(WhitespaceSplit(),))
    >>> count_as(Tokenizer({0: b"l"}, [], pipeline=steps), Corpus.from_text("low Low lower"))
    WordCounts({'low': 2, 'lower': 1})
    """
    recipe, specials = tokenizer.recipe.with_changes(special_text="apart"), SpecialTokens(tokenizer.special_tokens)
    if tokenizer.pipeline is None:
        return corpus.count(recipe, specials.tokens, progress)
    sizes = corpus.part_sizes()
    check_memory(sum(sizes), Recipe())
    scale = Scale.of(corpus.weights) if corpus.weights else Scale((1,) * len(corpus.documents))
    if not scale.fits_64_bits(sum(sizes)):
        raise too_large_error()
    report, tally, skipped = with_memory_checks(progress), WordTally(), 0
    for document, factor in zip(corpus.documents, scale.factors, strict=True):
        if isinstance(document, FileDocument) and document.holds_counts:
            raise CorpusError(
                "{path} contains word counts, but the tokenizer has to split text by its own steps. Use the text that "
                "was counted.",
                path=document.path,
            )
        state = ReadingState()
        for chunks in document.texts(state):
            text = "".join(chunks)
            _add_words(tally, tokenizer, text.encode(), factor)
            tally.characters += factor * len(text)
            report(tally.read, sum(sizes))
        skipped += state.skipped
    words = tally.words().copy()
    amounts = Amounts(scale.rounded(tally.characters), scale.rounded(tally.bytes), tally.read, skipped)
    if corpus.weights:
        words = with_whole_counts(words, scale)
    memory.release_freed()
    if not len(words):
        raise CorpusError("The corpus is empty, so there are no words to train on. Add some text.")
    return WordCounts.of_words(words, corpus.facts(sizes, recipe, specials, amounts))


def _add_words(tally: WordTally, tokenizer: Tokenizer, text: bytes, factor: int) -> None:
    for words in tokenizer.model_words(text):
        frequencies = np.full(len(words.starts), factor, np.int64)
        tally.add(WordArrays(padded(words.text), words.begins, frequencies, words.starts + tally.read))
    tally.read += len(text)
    tally.bytes += factor * len(text)


def continued_units(words: WordCounts, tokenizer: Tokenizer, recipe: Recipe) -> tuple[SymbolUnits, list[bytes]]:
    """Return the words of a corpus as tokens of a tokenizer, and the initial symbols of a run that continues it.

    Symbols are numbered as in a run that made the merges: first those that no merge makes, then one for each merge. The
    last of the initial symbols are characters of the corpus that the tokenizer lacks.
    """
    ids, ranks, merges = tokenizer.store.ids, tokenizer.store.token_ranks, tokenizer.merges
    special = set(tokenizer.special_tokens.values())
    new = _lacking_units(words, tokenizer, recipe)
    alphabet = [token for i, token in sorted((i, token) for token, i in ids.items()) if token not in ranks]
    alphabet = [*(token for token in alphabet if ids[token] not in special), *new]
    symbols = {token: len(alphabet) + rank for token, rank in ranks.items()}
    symbols |= {token: symbol for symbol, token in enumerate(alphabet)}
    complete = tokenizer.changed(vocab=tokenizer.vocab | dict(enumerate(new, tokenizer.store.largest_id + 1)))
    symbol_of_id = np.full(complete.store.largest_id + 2, -1, np.int32)  # the last for symbols without an id
    for token, token_id in complete.store.ids.items():
        symbol_of_id[token_id] = symbols.get(token, -1)
    found, firsts = complete.with_unknown_id(-1).word_ids(words.text.tobytes(), words.starts)
    units = symbol_of_id[found]
    kept = np.append(0, np.cumsum(units >= 0))
    tokens = [*alphabet, *(left + right for left, right in merges)]
    return SymbolUnits(words.frequencies, units[units >= 0], kept[firsts].astype(np.int64), tokens, recipe), alphabet


def _lacking_units(words: WordCounts, tokenizer: Tokenizer, recipe: Recipe) -> list[bytes]:
    """Return the bytes or characters of words that a tokenizer lacks.

    Of characters that it spells by names of bytes, only those that SentencePiece would have in a vocabulary, and that
    take several bytes: one is a token already.
    """
    units = initial_symbols(words, recipe) - tokenizer.store.ids.keys()
    if recipe.units == "bytes":
        return sorted(unit for unit in units if unit[0] in words.text)
    if len(tokenizer.store.tables().symbols_of_bytes()):
        codes, starts = code_points(words.text, words.starts)
        times = np.bincount(codes, np.repeat(words.frequencies, np.diff(starts)), _CODE_POINTS)
        frequent = required_characters(times.astype(np.int64), _COVERAGE).tolist()
        units &= {chr(code).encode() for code in frequent if code >= 0x80}
    return sorted(units)


def separators(documents: Iterable[Document], tokenizer: Tokenizer) -> Counter[str]:
    """Return how often documents contain something that looks like a special token, but is not one of the tokenizer's.

    >>> separators(Corpus.from_text("one<|end|>two<|end|>").documents, Tokenizer({0: b"l"}, []))
    Counter({'<|end|>': 2})
    """
    found = Counter[str]()
    for document in documents:
        for chunks in document.texts(ReadingState()):
            found.update(_LIKE_SPECIAL.findall("".join(chunks)))
    for token in tokenizer.special_tokens:
        del found[token]
    return found
