"""The lists of tokens that a report finds remarkable."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

from bpe_gui.engine.reports import VocabularyReport

_MOST_LONGEST: Final = 100
"""The longest tokens that are listed."""


class TokenList(Enum):
    """The lists to choose from."""

    NEVER_USED = "never used"
    SCAFFOLDS = "scaffolds"
    NEARLY_DEAD = "nearly dead"
    LONGEST = "longest"
    DUPLICATES = "duplicates"
    PARTIAL = "partial characters"


TokenLists = Mapping[TokenList, Sequence[int]]
"""By list: the entries of the vocabulary, given as `VocabularyReport` numbers them."""


def token_lists(vocabulary: VocabularyReport) -> TokenLists:
    """Return all lists, which may take a second; of duplicates, those of one group after those of another."""
    return {
        TokenList.NEVER_USED: vocabulary.never_used.tolist(),
        TokenList.SCAFFOLDS: vocabulary.scaffolds.tolist(),
        TokenList.NEARLY_DEAD: vocabulary.nearly_dead().tolist(),
        TokenList.LONGEST: vocabulary.longest(_MOST_LONGEST).tolist(),
        TokenList.DUPLICATES: [entry for group in vocabulary.duplicates for entry in group],
        TokenList.PARTIAL: vocabulary.partial_characters.tolist(),
    }
