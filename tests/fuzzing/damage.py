"""Damage files at random: their bytes, their lines, or the values in their JSON."""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

_DIGITS: Final = re.compile(rb"[0-9]+")
_REPEATS: Final = (2, 3, 100, 10_000, 1_000_000)
_MAX_BYTES: Final = 40_000_000  # of a damaged file

_TOKENS: Final = (b"\0", b"\xff", b"\n", b"\r\n", b" ", b"\t", b'"', b"\\", b"{", b"[", b"}", b"]", b",", b"</w>", b"#")
_NUMBERS: Final = (-1, 0, 1, 255, 256, 2**31 - 1, 2**31, 2**32, 2**63, 2**64, 10**30, -(2**63), 1e308, 0.5)
_PATTERNS: Final = (
    *(r"(a+)+b", r"(?:a|a)*b", "(?R)", "(?:a){e}", "(?:a{1000}){1000}", "(", "[", "a**", r"\p{Nope}", "", "a|", "$|^"),
    *("(?V1)[[a-z]--[aeiou]]", r"(?<=a+)b", "(" * 3000, "(?:" * 40 + "a" + ")+" * 40, r".*+[^a]", r"\X{3,}[^a]"),
)
_TEXTS: Final = (
    *("", " ", "a", "\0", "\ud800", "😀", "Ġ", "▁", "<0x00>", "<0xGG>", "##", "</w>", "<unk>", "a b", "a" * 70_000),
    *("BPE", "Unigram", "ByteLevel", "Split", "Sequence", "NFC", "Replace", "v99", "0.2", "YWI=", "===="),
    "GPT2Tokenizer",
)


def damage(rng: random.Random, files: Mapping[str, bytes], others: Sequence[Mapping[str, bytes]]) -> dict[str, bytes]:
    """Return copies of `files`, by name, with one or more kinds of damage. Parts of `others` may be spliced in.

    These are files of the same format, also by name.
    """
    result = dict(files)
    for _time in range(rng.choice((1, 1, 1, 2, 4))):
        name = rng.choice(list(result))
        content = result[name]
        if rng.random() < 0.02:
            result[name] = b""
        elif rng.random() < 0.02 and len(result) > 1:
            del result[name]
        elif (value := _as_json(name, content)) is not None and rng.random() < 0.8:
            result[name] = _damage_json(rng, value)[:_MAX_BYTES]
        else:
            other = rng.choice(others).get(name, content)
            result[name] = rng.choice(_BYTE_DAMAGES)(rng, content, other)[:_MAX_BYTES]
    return result


# -- bytes and lines ---------------------------------------------------------------------------------------------------


def _span(rng: random.Random, content: bytes) -> tuple[int, int]:
    """Return the start and stop of a random range of bytes, more often a short one."""
    start = rng.randint(0, len(content))
    return start, min(len(content), start + int(rng.paretovariate(0.6)))


def _truncate(rng: random.Random, content: bytes, _other: bytes) -> bytes:
    return content[: rng.randint(0, len(content))]


def _flip_bits(rng: random.Random, content: bytes, _other: bytes) -> bytes:
    result = bytearray(content)
    for _time in range(rng.choice((1, 1, 2, 8, 64)) if content else 0):
        result[rng.randrange(len(result))] ^= 1 << rng.randrange(8)
    return bytes(result)


def _insert(rng: random.Random, content: bytes, _other: bytes) -> bytes:
    at = rng.randint(0, len(content))
    new = rng.choice((rng.choice(_TOKENS), rng.randbytes(rng.randint(1, 9)), str(rng.choice(_NUMBERS)).encode()))
    return content[:at] + new * rng.choice((1, 1, 1, 3, 1000)) + content[at:]


def _delete(rng: random.Random, content: bytes, _other: bytes) -> bytes:
    start, stop = _span(rng, content)
    return content[:start] + content[stop:]


def _repeat(rng: random.Random, content: bytes, _other: bytes) -> bytes:
    start, stop = _span(rng, content)
    times = min(rng.choice(_REPEATS), _MAX_BYTES // max(1, stop - start))
    return content[:start] + content[start:stop] * times + content[stop:]


def _splice(rng: random.Random, content: bytes, other: bytes) -> bytes:
    start, stop = _span(rng, other)
    at = rng.randint(0, len(content))
    return content[:at] + other[start : rng.choice((stop, len(other)))] + content[rng.choice((at, len(content))) :]


def _change_number(rng: random.Random, content: bytes, _other: bytes) -> bytes:
    """Change a number of 1, 4 or 8 bytes, or one written in digits."""
    width = rng.choice((1, 4, 8))
    at = rng.randint(0, max(0, len(content) - width))
    if rng.random() < 0.5 and (digits := _DIGITS.search(content, at)):
        return content[: digits.start()] + str(rng.choice(_NUMBERS)).encode() + content[digits.end() :]
    number = rng.choice((0, 1, 0x7F, 0xFF, 1 << 20, 1 << 31, (1 << 32) - 1, 1 << 40, (1 << 63) - 1, (1 << 64) - 1))
    return content[:at] + (number % (1 << 8 * width)).to_bytes(width, "little") + content[at + width :]


def _change_lines(rng: random.Random, content: bytes, other: bytes) -> bytes:
    """Delete, duplicate, swap or replace a line."""
    lines = content.split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            del lines[one]
        case 1:
            lines.insert(two, lines[one])
        case 2:
            lines[one], lines[two] = lines[two], lines[one]
        case 3:
            lines[one] = rng.choice(other.split(b"\n"))
        case _:
            lines[one] = rng.choice((*_PATTERNS, *_TEXTS[:4], *map(str, _NUMBERS))).encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


_BYTE_DAMAGES: Final[Sequence[Callable[[random.Random, bytes, bytes], bytes]]] = (
    *(_truncate, _flip_bits, _flip_bits, _insert, _delete, _repeat, _splice, _change_number, _change_number),
    *(_change_lines, _change_lines),
)


# -- JSON --------------------------------------------------------------------------------------------------------------


def _as_json(name: str, content: bytes) -> Any:
    if not name.endswith(".json"):
        return None
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _damage_json(rng: random.Random, value: Any) -> bytes:
    for _time in range(rng.choice((1, 1, 2, 5))):
        container, key = _random_item(rng, value)
        if container is None:
            value = _other_value(rng, value)
        elif rng.random() < 0.15:
            del container[key]
        elif isinstance(container, list) and rng.random() < 0.4:
            _damage_list(rng, container, key)
        elif isinstance(container, dict) and rng.random() < 0.2:
            container[rng.choice((*_TEXTS, *container))] = container.pop(key)
        else:
            container[key] = _other_value(rng, container[key])
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.05:  # a duplicate key
        text = text.replace("{", '{"version": 1, "version": 2, ', 1)
    return text.encode("utf-8", "surrogatepass")


def _random_item(rng: random.Random, value: Any) -> tuple[Any, Any]:
    """Return a random list or object inside `value`, and a key in it; None and None if there is none.

    The last key is more likely, because long lists end with the tokens that merges make.
    """
    container, key = None, None
    while isinstance(value, dict | list) and value and (container is None or rng.random() < 0.8):
        container = value
        if isinstance(value, dict):
            key = rng.choice(list(value)) if rng.random() < 0.8 else list(value)[-1]
        else:
            key = rng.randrange(len(value)) if rng.random() < 0.7 else len(value) - 1
        value = container[key]
    return container, key


def _damage_list(rng: random.Random, values: list[Any], at: int) -> None:
    match rng.randrange(5):
        case 0:
            values.insert(at, values[rng.randrange(len(values))])
        case 1:
            values.reverse()
        case 2:
            values[at:] = []
        case 3:
            values[at:] = values[at:] * rng.choice(_REPEATS[:3])
        case _:
            values += [values[at]] * min(rng.choice(_REPEATS), 300_000 // (1 + len(json.dumps(values[at]))))


def _other_value(rng: random.Random, old: Any) -> Any:
    """Return another value, mostly of the same type, so that it is not rejected right away."""
    kinds: dict[type, Callable[[], Any]] = {
        bool: lambda: not old,
        int: lambda: rng.choice((*_NUMBERS, old + 1, old - 1, old)),
        float: lambda: rng.choice((*_NUMBERS, float("nan"), float("inf"))),
        str: lambda: rng.choice((*_TEXTS, *_PATTERNS, old[::-1], old + old, old[:-1], old + " " + old)),
    }
    if type(old) in kinds and rng.random() < 0.75:
        return kinds[type(old)]()
    nested: Any = []
    for _level in range(rng.choice((2, 200))):
        nested = [nested]
    return rng.choice(
        (
            None,
            True,
            [],
            {},
            nested,
            [old],
            {"type": old},
            {"a": old, "b": [old] * 3},
            *_NUMBERS,
            *_TEXTS,
            [1, 2],
            ["a", "b"],
        )
    )
