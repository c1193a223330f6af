"""Plain recounts, token by token, that reports must equal; and tokenizers to count with."""

from collections import Counter
from collections.abc import Sequence

from hypothesis import strategies as st

from bpe_gui.engine import Document, SpecialTokens, Tokenizer, WordCounts, train
from bpe_gui.engine.reports import POINTS, Curve, TokenCounter
from bpe_gui.engine.reports.curve import counting_documents, counting_words, curve_by_encoding, curve_of_counts
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.text.compiled_splitters import split_text
from bpe_gui.engine.vocabulary.tracing import merged_symbols
from tests.engine.support.recorded_runs import counted
from tests.engine.support.strategies import corpora, recipes, special_tokens


@st.composite
def tokenizers(draw: st.DrawFn) -> Tokenizer:
    """Draw a tokenizer of any recipe, as of any step."""
    recipe = draw(recipes())
    tokenizer = train(
        counted(draw(corpora), recipe, tuple(draw(special_tokens))), recipe=recipe, num_merges=draw(st.integers(0, 12))
    )
    return tokenizer.at(draw(st.integers(0, len(tokenizer.merges))))


class PlainCounts:
    """The counts of texts, one token after another."""

    def __init__(self, tokenizer: Tokenizer, texts: Sequence[str]) -> None:
        marked = tokenizer.with_unknown_id(-1)
        ids = [token_id for text in texts for token_id in marked.encode(text)]
        specials = set(tokenizer.special_tokens.values())
        words = [word for text in texts for word in self.words_of(tokenizer, text)]
        self.bytes = sum(len(text.encode()) for text in texts)
        self.characters = sum(map(len, texts))
        self.words = sum(len(text.split()) for text in texts)
        self.pieces = len(words)
        self.tokens = len(ids)
        self.by_id = Counter(ids)
        self.unknown = self.by_id.pop(-1, 0)
        self.special = sum(token_id in specials for token_id in ids)
        self.whole_pieces = sum(self._is_whole(marked, word) for word in words)
        self.single_byte = sum(self._size(tokenizer, token_id) == 1 for token_id in ids if token_id >= 0)

    @staticmethod
    def words_of(tokenizer: Tokenizer, text: str) -> list[str]:
        sections = split_text(text, tokenizer.recipe, SpecialTokens(tokenizer.special_tokens))
        spans = [(each.text, *span) for each in sections for span in zip(each.starts, each.stops, strict=True)]
        return [text[start:stop].decode() for text, start, stop in spans]

    @staticmethod
    def _is_whole(tokenizer: Tokenizer, word: str) -> bool:
        initial = symbols_of(word, tokenizer.recipe)
        symbols = merged_symbols(initial, tokenizer.store.ranks, tokenizer.position)
        return len(symbols) == 1 and symbols[0] in ids_of(tokenizer)

    @staticmethod
    def _size(tokenizer: Tokenizer, token_id: int) -> int:
        token = tokenizer.token(token_id)
        if tokenizer.recipe.boundary == "prefix" and token.startswith(b"</w>"):
            return len(token) - 3
        return len(token if tokenizer.recipe.boundary == "none" else token.removesuffix(b"</w>"))


def ids_of(tokenizer: Tokenizer) -> dict[bytes, int]:
    """Return the ids by their tokens, special tokens left out."""
    special = set(tokenizer.special_tokens.values())
    return {token: token_id for token_id, token in tokenizer.vocab.items() if token_id not in special}


def curve_of(counter: TokenCounter, text: Sequence[Document] | WordCounts, points: int = POINTS) -> Curve:
    """Return the curve of documents or counted words, from their counts if those are enough, as a report does."""
    if isinstance(text, WordCounts):
        counts, measure = counter.count_words(text), counting_words(counter, text)
    else:
        counts, measure = counter.count_documents(text), counting_documents(counter, text)
    curve = curve_of_counts(counter, counts, points=points)
    return curve_by_encoding(counter, [measure], points=points) if curve is None else curve
