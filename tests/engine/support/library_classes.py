"""Ask `tokenizers` for the class and the script of each character.

A release of `tokenizers` that knows another version of Unicode changes ids.
"""

import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache

from tokenizers import normalizers, pre_tokenizers

from bpe_gui.engine.text.parser import parse
from bpe_gui.engine.text.syntax import Characters

from .general_categories import SURROGATES

_BERT_OFF = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
_STRIP_ACCENTS = normalizers.StripAccents()
_BERT_ACCENTS = normalizers.BertNormalizer(**{**_BERT_OFF, "strip_accents": True})
_BERT_CLEANING = normalizers.BertNormalizer(**{**_BERT_OFF, "clean_text": True})
_PUNCTUATION = pre_tokenizers.Punctuation()
_DIGITS = pre_tokenizers.Digits()
_WORDS = pre_tokenizers.Whitespace()
_SPACES = pre_tokenizers.WhitespaceSplit()
_SCRIPTS = pre_tokenizers.UnicodeScripts()
_FOLLOWERS = r"[\p{M}\u1160-\u11ff\u3131-\u318e\uff9e-\uffdc\U00016d63-\U00016d6a]"
"""Marks, and what becomes a mark or a later part of a Hangul syllable."""


def library_lines() -> Iterator[str]:
    """Yield the lines of the resource: the name of a class or a script, and its characters."""
    members: dict[str, list[int]] = defaultdict(list)
    for code in range(sys.maxunicode + 1):
        for name in ["script=0"] if code in SURROGATES else _classes_of(chr(code)):
            members[name].append(code)
    members |= _classes_for_normalizing({chr(code) for code in members["unassigned"]})
    return (f"{name}:t\t{ranges(codes)}" for name, codes in members.items())


def _classes_for_normalizing(unassigned: set[str]) -> dict[str, list[int]]:
    """Return the characters that normalization and lower case change, and those that react with one before them."""
    every = [chr(code) for code in range(sys.maxunicode + 1) if code not in SURROGATES]
    lower = normalizers.Lowercase().normalize_str
    root = parse(_FOLLOWERS).root
    assert isinstance(root, Characters)
    followers = {chr(code) for first, last in root.members.ranges for code in range(first, last + 1)}
    react = {character for character in followers - unassigned if unicodedata.combining(character)}
    for character in every:
        react.update(normalizers.NFD().normalize_str(character)[1:])
    classes = {"follower": followers, "capital": {character for character in every if lower(character) != character}}
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        normalize = getattr(normalizers, form)().normalize_str
        classes[form] = {character for character in every if normalize(character) != character} | react
    return {name: list(map(ord, found)) for name, found in classes.items()}


def _classes_of(character: str) -> list[str]:
    between = f"a{character}b"
    script = _script_of(character)
    classes = {
        "unassigned": script == 0 and character != " ",
        "mark": _STRIP_ACCENTS.normalize_str(character) == "",
        "nonspacing": _BERT_ACCENTS.normalize_str(between) == "ab",
        "control": _BERT_CLEANING.normalize_str(between) == "ab",
        "punctuation": len(_PUNCTUATION.pre_tokenize_str(between)) == 3,
        "number": len(_DIGITS.pre_tokenize_str(between)) == 3,
        "word": len(_WORDS.pre_tokenize_str(between)) == 1,
        "space": len(_SPACES.pre_tokenize_str(between)) == 2,
    }
    return [f"script={script}", *(name for name, is_set in classes.items() if is_set)]


def _script_of(character: str) -> int:
    if _joins("a", character) and _joins("1", character):
        return 0
    known = _representatives()
    for number, representative in enumerate(known, 1):
        if _joins(representative, character):
            return number
    known.append(character)
    return len(known)


def _joins(left: str, right: str) -> bool:
    return len(_SCRIPTS.pre_tokenize_str(left + right)) == 1


@cache
def _representatives() -> list[str]:
    """Return the list of the first characters of the scripts found so far."""
    return []


def ranges(codes: Iterable[int]) -> str:
    """Return the first and last code points of runs, each as the hexadecimal distance from the one before."""
    edges: list[int] = []
    for code in sorted(codes):
        if edges and edges[-1] == code - 1:
            edges[-1] = code
        else:
            edges += [code, code]
    return " ".join(f"{edge - before:x}" for before, edge in zip([0, *edges], edges, strict=False))
