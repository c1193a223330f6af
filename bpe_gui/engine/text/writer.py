"""Write a regular expression so that it means the same in another engine."""

from functools import cache
from typing import Final

from bpe_gui.engine.runtime.errors import RecipeError

from .character_sets import CharacterSet
from .dialects import ONIGURUMA, PYTHON, Dialect
from .parser import empty_error, parse
from .syntax import (
    Atomic,
    Characters,
    Choice,
    Edge,
    Expression,
    Look,
    Node,
    Repeat,
    Sequence,
    can_be_empty,
    on_one_line,
)

_QUOTED: Final = 40  # characters of an expression in a sentence
_FEW: Final = 8  # ranges
_MAX_BASES: Final = 6
_PROPERTIES: Final = (
    "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Cn Co "
    "Alphabetic Uppercase Lowercase White_Space Han Latin Greek Cyrillic Hiragana Katakana Hangul Arabic Hebrew Thai"
)
_SETS: Final = (r"\s", r"\d", r"\w", r"\h", *(rf"\p{{{name}}}" for name in _PROPERTIES.split()))
_WHOLE: Final = (".", "(?s:.)", "(?m:.)", r"\S", r"\D", r"\W", r"\H", *_SETS)
_LOOKS: Final = {(False, False): "(?=", (False, True): "(?!", (True, False): "(?<=", (True, True): "(?<!"}
_ESCAPED: Final = frozenset(r"\.+*?()[]{}|^$")
_CONTROLS: Final = {character: "\\" + letter for letter, character in PYTHON.controls.items() if letter in "tnrf"}
_ESCAPED_IN_SET: Final = frozenset(r"\[]^-&~|")


def translate(pattern: str, source: Dialect, target: Dialect, *, may_be_empty: bool = False) -> str:
    r"""Return the regular expression that means in dialect `target` what `pattern` means in `source`.

    Raise RecipeError for an expression that cannot be written there, or can match the empty text, after which engines
    continue in different ways, unless it `may_be_empty`.

    >>> from .dialects import RUST
    >>> translate(r"\p{N}{1,3}+|\s+$", ONIGURUMA, PYTHON), translate("[a-z&&[^b]]$", RUST, PYTHON)
    ('(?:\\p{N}{1,3})+|\\s+(?=\\Z|\\n)', '[ac-z]\\Z')
    """
    return pattern if source is target else write(parse(pattern, source), target, may_be_empty=may_be_empty)


def write(expression: Expression, target: Dialect, *, may_be_empty: bool = False) -> str:
    """Return an expression for the target dialect, unchanged if it means the same there."""
    if can_be_empty(expression.root) and not (may_be_empty or target.can_be_empty):
        raise empty_error()
    prefixes = ("", "(?V1)") if target is PYTHON and "[" in expression.pattern else ("",)
    pattern = expression.pattern
    for prefix in prefixes:
        if _means(prefix + pattern, expression.root, target):
            return prefix + pattern
    written = (prefix + _Writing(pattern, target, prefix).expression(expression) for prefix in prefixes)
    return min(written, key=len)


def _means(pattern: str, root: Node, target: Dialect) -> bool:
    try:
        return parse(pattern, target, may_be_empty=True).root == root
    except RecipeError:
        return False


class _Writing:
    """The writing of an expression for a dialect, after a prefix with its options."""

    def __init__(self, pattern: str, target: Dialect, prefix: str) -> None:
        self._pattern = pattern
        self._target = target
        self._prefix = prefix

    def expression(self, expression: Expression) -> str:
        """Write the alternatives, unchanged where they mean the same."""
        root, parts = expression.root, expression.alternatives
        nodes = root.alternatives if isinstance(root, Choice) and len(parts) > 1 else (root,)
        texts = []
        for node, (start, stop) in zip(nodes, parts, strict=True):
            part = self._pattern[start:stop]
            text = part if self._means(part, node) else self._node(node)
            if not self._means(text, node):
                raise self._error(part)
            texts.append(text)
        written = "|".join(texts)
        if not self._means(written, root):
            raise self._error(self._pattern)
        return written

    def _error(self, part: str) -> RecipeError:
        return RecipeError(
            "The regular expression contains “{part}”, which cannot be written for {engine}.",
            part=on_one_line(part[:_QUOTED]),
            engine=self._target.engine,
        )

    def _means(self, text: str, node: Node) -> bool:
        return _means(self._prefix + text, node, self._target)

    def _node(self, node: Node) -> str:
        for name, meaning in self._target.nodes.items():
            if node == meaning and not isinstance(node, Characters):
                return name if name in "^$" else "\\" + name
        if isinstance(node, Choice):
            before_a = Sequence((node, Characters(CharacterSet.of_characters("a"))))
            for text in (r"\b", r"\B"):
                if self._means(text + "a", before_a):
                    return text
        match node:
            case Characters():
                return self._characters(node)
            case Sequence(items):
                return "".join(self._grouped(item) if isinstance(item, Choice) else self._node(item) for item in items)
            case Choice(alternatives):
                texts = [self._node(each) for each in alternatives]
                return "|".join(texts)
            case Repeat():
                return self._repeat(node)
            case Look(item, is_behind, is_negated):
                return f"{_LOOKS[is_behind, is_negated]}{self._node(item)})"
            case Atomic(item):
                return f"(?>{self._node(item)})"
            case Edge():
                return r"\z" if node.is_end else r"\A"

    def _grouped(self, node: Node) -> str:
        text = self._node(node)
        is_single = isinstance(node, Characters | Look | Atomic | Edge) or text in (r"\b", r"\B", "^", "$", r"\R")
        return text if is_single else f"(?:{text})"

    def _repeat(self, node: Repeat) -> str:
        item, low, high = self._grouped(node.item), node.low, node.high
        signs = {(0, None): "*", (1, None): "+", (0, 1): "?"}
        sign = signs.get((low, high), f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}")
        if node.mode == "possessive" and self._target.repeats_counts and sign.startswith("{"):
            return f"(?>{item}{sign})"
        return item + sign + {"greedy": "", "lazy": "?", "possessive": "+"}[node.mode]

    # -- characters ----------------------------------------------------------------------------------------------------

    def _characters(self, node: Characters) -> str:
        """Write a set unchanged if it means the same, else in the shortest equivalent way."""
        members, part = node.members, self._pattern[node.start : node.stop]
        if part and part not in _ESCAPED and self._means_set(part, members):
            return part
        others = (part.replace("--[", "&&[^"), f"(?i:{part})") if part else ()
        kept: list[str] = [each for each in (*others, *_WHOLE) if self._means_set(each, members)]
        if not kept or len(members.ranges) <= _FEW:
            kept += [_set_of(members, self._target)]
        return min(kept, key=len)

    def _means_set(self, text: str, members: CharacterSet) -> bool:
        return _set_meant(self._prefix + text, self._target) == members


@cache
def _set_meant(text: str, target: Dialect) -> CharacterSet | None:
    """Return the characters of an expression that matches a single one, else None."""
    try:
        root = parse(text, target).root
    except RecipeError:
        return None
    return root.members if isinstance(root, Characters) else None


@cache
def _set_of(members: CharacterSet, target: Dialect) -> str:
    """Return a set in brackets that lists its members or, negated, what it lacks."""
    if len(members.ranges) == 1 and members.ranges[0][0] == members.ranges[0][1]:
        return _escaped(members.ranges[0][0], target, _ESCAPED)
    texts = [f"[{_members(members, target)}]", f"[^{_members(~members, target)}]"]
    return min((text for text in texts if text not in ("[]", "[^]")), key=len)


def _members(members: CharacterSet, target: Dialect) -> str:
    """Return the members of a set: properties that are parts of it, and ranges for the rest."""
    written, rest, known = "", members, list[tuple[str, CharacterSet]]()
    if len(members.ranges) > _FEW:
        known = [(name, base) for name in _SETS if (base := _set_meant(name, target)) and not base - members]
    for _base in range(_MAX_BASES):
        best = min(known, key=lambda each: len((rest - each[1]).ranges), default=None)
        if best is None or len((rest - best[1]).ranges) >= len(rest.ranges):
            break
        written, rest = written + best[0], rest - best[1]
    for first, last in rest.ranges:
        low, high = (_escaped(code, target, _ESCAPED_IN_SET) for code in (first, last))
        written += low if first == last else low + high if first + 1 == last else f"{low}-{high}"
    return written


def _escaped(code: int, target: Dialect, special: frozenset[str]) -> str:
    character = chr(code)
    if character in special:
        return "\\" + character
    if character in _CONTROLS:
        return _CONTROLS[character]
    if character.isprintable():
        return character
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    return f"\\x{{{code:x}}}" if target is ONIGURUMA else f"\\U{code:08x}"
