"""How often the files that were named on the command line count."""

import argparse
from collections.abc import Sequence
from fnmatch import fnmatch
from fractions import Fraction
from pathlib import Path

from bpe_gui.engine import EngineError
from bpe_gui.engine.corpora import ONCE, weight_of


def weights_of(arguments: argparse.Namespace) -> list[Fraction]:
    """Return a weight for each file. Where several `--weight` fit a file, the last one is its weight.

    Raise EngineError for a weight that is not one, or that fits none of the files.
    """
    names: Sequence[str] = arguments.files
    weights = [ONCE] * len(names)
    for path, value in arguments.weight:
        weight = _weight(path, value)
        fitting = [index for index, name in enumerate(names) if _fits(path, name)]
        if not fitting:
            raise EngineError(
                "--weight {path}={value} matches none of the files. The path must be one of the files, a folder with "
                "some of them, or a pattern such as 'en/*.txt'.",
                path=path,
                value=value,
            )
        for index in fitting:
            weights[index] = weight
    return weights


def _weight(path: str, value: str) -> Fraction:
    try:
        return weight_of(value)
    except EngineError as error:
        raise EngineError("--weight {path}={value}: {reason}", path=path, value=value, reason=error) from error


def _fits(path: str, name: str) -> bool:
    """Return whether `path` is the file `name`, a folder that it is in, or a pattern of its name."""
    if "-" in (path, name):  # standard input
        return path == name
    return Path(name).absolute().is_relative_to(Path(path).absolute()) or fnmatch(name, path)
