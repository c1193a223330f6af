"""Describe the parts of a splitter's expression, in the language of the window."""

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine.text import parts_of

translate = QCoreApplication.translate  # lupdate knows the function by this name


def part_description(source: str) -> str:
    """Return what a part matches, in a few words; empty for one that no known splitter has."""
    small, capitals = parts_of("o200k")[:2]
    texts = {
        small: translate("Splitter", "words that end in lowercase letters"),
        capitals: translate("Splitter", "other words, such as those in capitals"),
        "'s|'t|'re|'ve|'m|'ll|'d": translate("Splitter", "contractions: don't, we're"),
        r"'(?i:[sdmt]|ll|ve|re)": translate("Splitter", "contractions: don't, WE'RE"),
        r" ?\p{L}+": translate("Splitter", "letters, with the space before them"),
        r" ?\p{N}+": translate("Splitter", "digits, with the space before them"),
        r" ?[^\s\p{L}\p{N}]+": translate("Splitter", "others, with the space before them"),
        r" ?[^\s\p{L}\p{N}]++[\r\n]*+": translate("Splitter", "others, with line breaks after them"),
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*": translate("Splitter", "others, with line breaks after them"),
        r"\s+(?!\S)": translate("Splitter", "whitespace except the last"),
        r"\s++\Z": translate("Splitter", "whitespace at the very end"),
        r"\s*[\r\n]": translate("Splitter", "a line break and whitespace before it"),
        r"\s*[\r\n]+": translate("Splitter", "line breaks and space before them"),
        r"\s+": translate("Splitter", "whitespace"),
        r"\s": translate("Splitter", "one whitespace character"),
        r"[^\r\n\p{L}\p{N}]?+\p{L}++": translate("Splitter", "letters, with one character before them"),
        r"[^\r\n\p{L}\p{N}]?\p{L}+": translate("Splitter", "letters, with one character before them"),
        r"\p{N}{1,3}+": translate("Splitter", "up to three digits"),
        r"\p{N}{1,3}": translate("Splitter", "up to three digits"),
        r"\p{N}": translate("Splitter", "one digit"),
        r"\p{N}+": translate("Splitter", "digits"),
        r"\d+": translate("Splitter", "digits"),
        r"\d": translate("Splitter", "one digit"),
        r"\p{L}+": translate("Splitter", "letters"),
        r"\w+": translate("Splitter", "letters, digits and _"),
        r"[^\w\s]": translate("Splitter", "one other character"),
        r"[^\w\s]+": translate("Splitter", "other characters"),
        r"[^\s\p{L}\p{N}]+": translate("Splitter", "other characters"),
        r"\S+": translate("Splitter", "everything but whitespace"),
        r"[^\s\x1c-\x1f]+": translate("Splitter", "everything but whitespace"),
        r"[^ \r\n]+": translate("Splitter", "everything but spaces and line breaks"),
        r"(?V1)[\u4e00-\u9fff]+": translate("Splitter", "Chinese characters"),
        r"[[\p{L}\p{N}]--[\u4e00-\u9fff]]+": translate("Splitter", "other letters and digits"),
        r"[^\s\x1c-\x1f]": translate("Splitter", "one other character"),
        r".": translate("Splitter", "any one character"),
        r"(?s:.+)": translate("Splitter", "the whole text"),
    }
    return texts.get(source, "")
