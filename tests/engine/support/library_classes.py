"""Generate the table of the classes of characters that `tokenizers` knows, by asking it about each.

    python -m tests.engine.support.library_classes

Run it only to follow a release of `tokenizers` that knows another version of Unicode, which changes ids.
"""

from functools import cache
from itertools import groupby

from tokenizers import normalizers, pre_tokenizers

from bpe_gui.engine.pipeline.library_classes import CLASS_FILE

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


def library_classes() -> list[tuple[str, int]]:
    """Return the letters of the classes, and the number of the script, of each code point."""
    return [("-", 0) if code in SURROGATES else _classes_of(chr(code)) for code in range(0x110000)]


def _classes_of(character: str) -> tuple[str, int]:
    between = f"a{character}b"
    script = _script_of(character)
    has = {
        "u": script == 0 and character != " ",
        "m": _STRIP_ACCENTS.normalize_str(character) == "",
        "n": _BERT_ACCENTS.normalize_str(between) == "ab",
        "c": _BERT_CLEANING.normalize_str(between) == "ab",
        "p": len(_PUNCTUATION.pre_tokenize_str(between)) == 3,
        "d": len(_DIGITS.pre_tokenize_str(between)) == 3,
        "w": len(_WORDS.pre_tokenize_str(between)) == 1,
        "s": len(_SPACES.pre_tokenize_str(between)) == 2,
    }
    return "".join(letter for letter, is_set in has.items() if is_set) or "-", script


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
    """Return the list of the first characters of the scripts that were found so far."""
    return []


def class_table() -> str:
    """Return the contents of the file."""
    lines: list[str] = []
    start = 0
    for (letters, script), run in groupby(library_classes()):
        lines.append(f"{start:04X} {letters} {script}\n")
        start += len(list(run))
    return "".join(lines)


if __name__ == "__main__":
    CLASS_FILE.write_text(class_table(), "ascii", newline="\n")
