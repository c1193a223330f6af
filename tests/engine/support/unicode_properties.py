"""Ask the engines which characters their properties have and which they match where case is ignored.

`python -m tests.engine.support.unicode_properties` writes what they answer as the resource of `unicode_data`.
"""

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

import regex
from regex import _regex_core
from tiktoken._tiktoken import CoreBPE
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split

from bpe_gui.engine.text.expressions.unicode_data import PROPERTY_FILE
from bpe_gui.engine.text.regex_stand_ins import with_stand_ins

SURROGATES = "".join(map(chr, range(0xD800, 0xE000)))
EVERYTHING = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
_SAMPLE = 1 << 13  # characters: Oniguruma searches long texts slowly
_BYTES = {bytes([byte]): byte for byte in range(256)}


def found_by_regex(pattern: str, text: str = EVERYTHING) -> set[str]:
    """Return the characters of a text that `regex` finds with our version of Unicode."""
    spans = (match.span() for match in regex.finditer(pattern, with_stand_ins(text)))
    return {character for start, stop in spans for character in text[start:stop]}


def found_by_tiktoken(pattern: str, text: str = EVERYTHING) -> set[str]:
    """Return the characters of a text that tiktoken finds."""
    return set(bytes(CoreBPE(_BYTES, {}, pattern).encode_ordinary(text)).decode())


def found_by_tokenizers(pattern: str, text: str = EVERYTHING) -> set[str]:
    """Return the characters of a text that `tokenizers` finds."""
    split = Split(Regex(pattern), "removed", invert=True)
    samples = (text[start : start + _SAMPLE] for start in range(0, len(text), _SAMPLE))
    return {character for sample in samples for word, _span in split.pre_tokenize_str(sample) for character in word}


FINDERS: dict[str, Callable[[str, str], set[str]]] = {
    "p": found_by_regex,
    "r": found_by_tiktoken,
    "o": found_by_tokenizers,
}
"""By the letter of each dialect in the resource."""


def _candidates() -> Iterator[tuple[str, str, str]]:
    """Yield for each set: how it is called in the resource, the dialects that may have it, and how they write it."""
    properties = _regex_core.PROPERTIES
    for key, kind in (("GC", "gc"), ("SCRIPT", "sc"), ("SCRIPTEXTENSIONS", "scx")):
        for name in properties[key][1]:
            yield f"{kind}={name.lower()}", "rp", rf"\p{{{kind}={name}}}"
            if kind != "scx":
                yield name.lower(), "o", rf"\p{{{name}}}"
    for name in properties["BLOCK"][1]:
        yield f"in{name.lower()}", "o", rf"\p{{In{name}}}"
    posix = ("alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper")
    binary = {name.lower() for name, (_id, values) in properties.items() if "YES" in values}
    for name in sorted(binary | {*posix, "word", "xdigit", "assigned", "any"}):
        yield name, "rop", rf"\p{{{name}}}"
        yield f"[:{name}:]", "rop", f"[[:{name}:]]"
    for escape in (r"\w", r"\s", r"\d", r"\h"):
        yield escape, "rop", escape
        yield f"[{escape}]", "rop", f"[{escape}]"


def _names() -> dict[frozenset[str], set[tuple[str, str]]]:
    """Return the names and dialects of each set of characters."""
    named: dict[frozenset[str], set[tuple[str, str]]] = defaultdict(set)
    known: dict[tuple[str, str], frozenset[str]] = {}
    for name, dialects, written in _candidates():
        for dialect in dialects:
            try:
                found = frozenset(FINDERS[dialect](f"{written}+", EVERYTHING))
            except BaseException as error:  # the libraries raise what is no Exception
                if isinstance(error, KeyboardInterrupt):
                    raise
                continue
            if {"\ud7ff", "\ue000"} <= found:
                found |= frozenset(SURROGATES)
            if dialect == "p" and found != known.get((name, "r"), found):
                differing = found ^ known[name, "r"]
                print(name, "differs in", len(differing), "characters:", *map(hex, sorted(map(ord, differing))[:5]))
                if len(differing) < 100:  # a newer version of Unicode
                    found = known[name, "r"]
            known[name, dialect] = found
            named[found].add((name, dialect))
    return named


def _folds(dialect: str, cased: str) -> Iterator[str]:
    """Yield the groups of characters that a dialect takes for the same where case is ignored."""
    lines = "\n".join(cased)
    groups = {c: frozenset(FINDERS[dialect](f"(?i:{c})", lines)) for c in cased}
    for character, group in groups.items():
        if any(groups[other] != group for other in group):
            print(dialect, "has no group of", hex(ord(character)), sorted(map(hex, map(ord, group))))
        if len(group) > 1 and character == min(group):
            yield "".join(sorted(group))


def _ranges(codes: Iterable[int]) -> str:
    """Return the first and last code points of runs, each as the hexadecimal distance from the one before."""
    edges: list[int] = []
    for code in sorted(codes):
        if edges and edges[-1] == code - 1:
            edges[-1] = code
        else:
            edges += [code, code]
    return " ".join(f"{edge - before:x}" for before, edge in zip([0, *edges], edges, strict=False))


def main() -> None:
    """Write the resource."""
    cased = "".join(
        sorted(found_by_tiktoken(r"[\p{CWCM}\p{CWCF}\p{Cased}]") | set(regex.findall(r"[\p{CWCM}\p{CWCF}]", EVERYTHING)))
    )
    lines = []
    for found, names in _names().items():
        dialects: dict[str, str] = defaultdict(str)
        for name, dialect in sorted(names):
            dialects[name] += dialect
        keys = " ".join(f"{name}:{each}" for name, each in dialects.items())
        lines.append(f"{keys}\t{_ranges(map(ord, found))}")
    lines += [f"case:{dialect}\t{' '.join(_folds(dialect, cased))}" for dialect in FINDERS]
    lines.append("several:pro\t" + "".join(c for c in cased if len(c.casefold()) > 1))
    PROPERTY_FILE.write_bytes(zlib.compress("\n".join(sorted(lines)).encode(), 9))


if __name__ == "__main__":
    main()
