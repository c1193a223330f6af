"""Numbers about distributions: entropy and efficiency of the tokens of a text, and inequality between texts."""

from math import log2, nan
from typing import Final

import numpy as np
import numpy.typing as npt

RENYI_ORDER: Final = 2.5
"""The order α at which Zouhar et al. found the Rényi efficiency to agree best with the quality of translation."""


def renyi_entropy(counts: npt.ArrayLike, order: float = RENYI_ORDER) -> float:
    """Return the Rényi entropy of a distribution, given as counts, in bits; of order 1, Shannon's. NaN for no counts.

    >>> renyi_entropy([1, 1, 1, 1])
    2.0
    """
    present = np.asarray(counts, np.float64)
    present = present[present > 0]
    if not len(present):
        return nan
    shares = present / present.sum()
    if order == 1:
        return abs(float(shares @ np.log2(shares)))
    return abs(float(np.log2(np.sum(shares**order)) / (1 - order)))


def renyi_efficiency(counts: npt.ArrayLike, order: float = RENYI_ORDER) -> float:
    """Return the Rényi efficiency of tokens that occur this often: 1 if all that occur are equally frequent.

    It is the Rényi entropy divided by the largest that as many different tokens can have. Tokens that never occur are
    left out, as in the authors' `tokenization-scorer`. NaN for fewer than two different tokens.

    Source: Zouhar, Meister, Gastaldi, Du, Sachan and Cotterell, “Tokenization and the Noiseless Channel” (ACL 2023).

    >>> round(renyi_efficiency([3, 2, 1, 1]), 4)  # pick @@ed pick @@l @@ed pick @@les
    0.8265
    """
    different = int(np.count_nonzero(np.asarray(counts)))
    return renyi_entropy(counts, order) / log2(different) if different > 1 else nan


def gini_coefficient(values: npt.ArrayLike) -> float:
    """Return the Gini coefficient of values that are not negative: 0 if all are equal, near 1 if one has nearly all.

    NaN for no values, or if all are 0.

    >>> gini_coefficient([3, 3, 3]), gini_coefficient([0, 0, 0, 8])
    (0.0, 0.75)
    """
    ordered = np.sort(np.asarray(values, np.float64))
    total = float(ordered.sum())
    if not total:
        return nan
    size = len(ordered)
    places = np.arange(1, size + 1)
    return float((2 * places - size - 1) @ ordered) / (size * total)
