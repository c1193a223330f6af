"""Counts as of each step for tokenizers that keep words whole, compared with encoding the texts again."""

from pathlib import Path

import numpy as np
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models, pre_tokenizers

from bpe_gui.engine import TextDocument, load
from bpe_gui.engine.reports.counting import TokenCounter
from bpe_gui.engine.reports.curve import WholeWords, can_count_whole_words
from bpe_gui.engine.runtime.types import no_progress

TEXTS = ["low lower lowest, the lowest 😀 <s> low", "", "wow <s>lol\n  low"]


def test_counts_as_of_each_step_are_those_of_encoding(tmp_path: Path) -> None:
    pairs = [("l", "o"), ("Ġ", "lo"), ("lo", "w"), ("Ġlo", "w"), ("o", "w"), ("l", "ow"), ("Ġ", "low"), ("e", "r")]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = dict.fromkeys([*letters, *(left + right for left, right in pairs), "est", "wow", "Ġthe"])
    vocab = {token: index for index, token in enumerate(tokens)}
    theirs = TheirTokenizer(models.BPE(vocab, pairs, ignore_merges=True))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.add_special_tokens(["<s>"])
    theirs.save(str(tmp_path / "whole.json"))
    counter = TokenCounter(load(tmp_path / "whole.json"))
    assert can_count_whole_words(counter)
    documents = [TextDocument(text) for text in TEXTS]
    words = WholeWords(counter, documents, no_progress)
    for position in range(len(pairs) + 1):
        counts, expected = words.count(position), counter.count_documents(documents, position=position)
        assert np.array_equal(counts.occurrences, expected.occurrences)
        assert np.array_equal(counts.whole, expected.whole)
        assert (counts.measures, counts.special) == (expected.measures, 2)
