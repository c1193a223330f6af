"""Generate the table of general categories that the engine ships, by asking tiktoken.

    python -m tests.engine.support.general_categories

Run it only to move to another version of Unicode, which changes the ids that saved tokenizers give: tiktoken and
`tokenizers` must both have moved already. Then state the new version in `bpe_gui.engine.text.character_classes`.
"""

from functools import cache
from itertools import groupby

import tiktoken

from bpe_gui.engine.text.character_classes import CATEGORIES, CATEGORY_FILE

SURROGATES = range(0xD800, 0xE000)
_SINGLE_BYTES = {bytes([byte]): byte for byte in range(256)}


@cache
def all_characters() -> str:
    """Return a text of all characters of Unicode in order, assigned or not; surrogates are not characters."""
    return "".join(chr(code) for code in range(0x110000) if code not in SURROGATES)


def matched_by_tiktoken(pattern: str) -> str:
    """Return the characters that a pattern matches in tiktoken, which drops the others."""
    encoding = tiktoken.Encoding("bytes", pat_str=pattern, mergeable_ranks=_SINGLE_BYTES, special_tokens={})
    return bytes(encoding.encode_ordinary(all_characters())).decode()


def categories_of_tiktoken() -> list[str]:
    """Return the general category of each code point, as tiktoken's regular expressions know it."""
    categories = ["Cs"] * 0x110000
    for category in CATEGORIES:
        if category != "Cs":
            for character in matched_by_tiktoken(rf"\p{{{category}}}"):
                categories[ord(character)] = category
    return categories


def category_table() -> str:
    """Return the contents of the file: a line for each run of code points with the same category."""
    lines: list[str] = []
    start = 0
    for category, run in groupby(categories_of_tiktoken()):
        lines.append(f"{start:04X} {category}\n")
        start += len(list(run))
    return "".join(lines)


if __name__ == "__main__":
    CATEGORY_FILE.write_text(category_table(), "ascii", newline="\n")
