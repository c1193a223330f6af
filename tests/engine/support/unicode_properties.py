"""Ask the engines which characters their properties have, and which they match if case is ignored.

`python -m tests.engine.support.unicode_properties` writes the answers to the resource of `character_sets`.
"""

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

import regex
import tiktoken
from regex import _regex_core
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split

from bpe_gui.engine.text.character_sets import PROPERTY_FILE
from tests.engine.support.general_categories import all_characters
from tests.engine.support.library_classes import library_lines, ranges
from tests.engine.support.stand_ins import with_stand_ins

SURROGATES = "".join(map(chr, range(0xD800, 0xE000)))
EVERYTHING = all_characters()
_SAMPLE = 1 << 13  # characters: Oniguruma searches long texts slowly
POSIX = ["alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper"]
_BYTES = {bytes([byte]): byte for byte in range(256)}


def found_by_regex(pattern: str, text: str = EVERYTHING) -> set[str]:
    """Return the characters of a text that `regex` finds with our version of Unicode."""
    spans = (match.span() for match in regex.finditer(pattern, with_stand_ins(text)))
    return {character for start, stop in spans for character in text[start:stop]}


def found_by_tiktoken(pattern: str, text: str = EVERYTHING) -> set[str]:
    """Return the characters of a text that tiktoken finds."""
    encoding = tiktoken.Encoding("bytes", pat_str=pattern, mergeable_ranks=_BYTES, special_tokens={})
    return set(bytes(encoding.encode_ordinary(text)).decode())


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


def _candidates() -> Iterator[tuple[list[str], str, str]]:
    """Yield for each set: its name in the resource, the dialects that may have it, and how they write it."""
    properties = vars(_regex_core)["PROPERTIES"]  # missing in the library's type stubs
    for key, kind in (("GC", "gc"), ("SCRIPT", "sc"), ("SCRIPTEXTENSIONS", "scx")):
        for names in _by_value(properties[key][1]):
            yield [f"{kind}={name}" for name in names], "rp", rf"\p{{{kind}=%s}}"
            if kind != "scx":
                yield names, "o", r"\p{%s}"
    binary = {name: number for name, (number, values) in properties.items() if "YES" in values}
    for names in _by_value(binary | {name.upper(): name for name in (*POSIX, "xdigit", "word", "assigned", "any")}):
        yield names, "rop", r"\p{%s}"
    for name in (*POSIX, "xdigit", "word"):
        yield [f"[:{name}:]"], "rop", "[%s]"
    for escape in (r"\w", r"\s", r"\d"):
        yield [escape], "rop", "%s"
        yield [f"[{escape}]"], "rop", "%s"
    yield [r"\h"], "ro", "%s"
    yield [r"[\h]"], "ro", "%s"


def _by_value(numbers: Mapping[str, object]) -> Iterable[list[str]]:
    """Return lists of names with the same meaning."""
    groups: dict[object, list[str]] = defaultdict(list)
    for name, number in numbers.items():
        groups[number].append(name.lower())
    return groups.values()


def _sample() -> list[tuple[str, str]]:
    """Return the first and last characters of the runs of unassigned characters that no property tells apart."""
    names = ("Cn", "Co", "DI", "NChar", "Pat_Syn", "Extended_Pictographic")
    sets = [found_by_tiktoken(rf"\p{{{name}}}") for name in names]
    runs: list[tuple[tuple[bool, ...], str, str]] = []
    for character in EVERYTHING:
        key = tuple(character in each for each in sets)
        if runs and runs[-1][0] == key and any(key[:2]) and ord(runs[-1][2]) == ord(character) - 1:
            runs[-1] = key, runs[-1][1], character
        else:
            runs.append((key, character, character))
    return [(first, last) for _key, first, last in runs]


def _names() -> dict[frozenset[str], set[tuple[str, str]]]:
    """Return the names and dialects of each set of characters."""
    named: dict[frozenset[str], set[tuple[str, str]]] = defaultdict(set)
    runs = _sample()
    text = "".join(map("".join, runs))
    several = [run for run in runs if run[0] != run[1]]
    for names, dialects, written in _candidates():
        known: frozenset[str] | None = None
        for dialect in dialects:
            for name in names:
                pattern = written % name.partition("=")[2] if "=" in written else written % name
                try:
                    found = frozenset(FINDERS[dialect](f"{pattern}+", text))
                except BaseException as error:  # the libraries raise errors that are not Exceptions
                    if isinstance(error, KeyboardInterrupt):
                        raise
                    continue
                found |= {chr(code) for a, z in several if a in found for code in range(ord(a), ord(z) + 1)}
                if {"\ud7ff", "\ue000"} <= found or name.endswith(("=cs", "=surrogate")):
                    found |= frozenset(SURROGATES)
                if dialect == "p" and known is not None and found != known:
                    differing = sorted(map(ord, found ^ known))
                    print(name, "differs in", len(differing), "characters:", *map(hex, differing[:5]))
                    if "[" not in name and len(differing) < 1000:  # a newer version of Unicode
                        found = known
                known = found if dialect == "r" else known
                named[found].add((name, dialect))
                same = [other for other in names if other != name and _is_known(dialect, written, other)]
                named[found].update((other, dialect) for other in same)
                break
    return named


def _is_known(dialect: str, written: str, name: str) -> bool:
    pattern = written % name.partition("=")[2] if "=" in written else written % name
    try:
        FINDERS[dialect](pattern, "a")
    except BaseException as error:  # the libraries raise errors that are not Exceptions
        if isinstance(error, KeyboardInterrupt):
            raise
        return False
    return True


def _cases(dialect: str, cased: str) -> Iterator[str]:
    """Yield characters, each with all characters that match it if case is ignored."""
    lines = "\n".join(cased)
    groups = {character: FINDERS[dialect](f"(?i:{character})", lines) & set(cased) for character in cased}
    for character, group in groups.items():
        both = sorted(other for other in group if character in groups[other])  # without mere stand-ins
        if len(both) > 1:
            yield character + "".join(both)


def main() -> None:
    """Write the resource."""
    cased = "".join(sorted(found_by_tiktoken(r"[\p{CWCM}\p{CWCF}\p{Cased}]+")))
    lines = []
    for found, names in _names().items():
        dialects: dict[str, str] = defaultdict(str)
        for name, dialect in sorted(names):
            dialects[name] += dialect
        keys = " ".join(f"{name}:{each}" for name, each in dialects.items())
        lines.append(f"{keys}\t{ranges(map(ord, found))}")
    lines += [f"case:{dialect}\t{' '.join(_cases(dialect, cased))}" for dialect in FINDERS]
    lines.append("several:pro\t" + "".join(c for c in cased if len(c.casefold()) > 1))
    lines += library_lines()
    PROPERTY_FILE.write_bytes(zlib.compress("\n".join(sorted(lines)).encode(), 9))


if __name__ == "__main__":
    main()
