"""The parts of a plan as JSON. Tokens are written in GPT-2's printable characters, as in other files."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from bpe_gui.engine.runtime.bounded_json import JsonValue
from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.printable import from_printable, to_printable

from .banned_tokens import check_expression

Pair = tuple[bytes, bytes]

Key = TypeVar("Key", int, bytes, str)
Value = TypeVar("Value")

FORMAT: Final = "bpe-gui plan"
VERSION: Final = 1
_MAX_ID: Final = 2**31 - 1


def written(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a plan by their names, as JSON can hold them; those that are empty are left out."""
    values = {
        "replay": list(map(_line, parts["replay"])),
        "banned": sorted(map(_line, parts["banned"])),
        "banned_tokens": list(parts["banned_tokens"]),
        "forced": [[step, _line(pair)] for step, pair in parts["forced"].items()],
        "rules": list(map(str, parts["rules"])),
        "stages": [[step, splitter] for step, splitter in parts["stages"].items()],
        "ids": [[token_id, to_printable(token)] for token, token_id in parts["ids"].items()],
        "special_ids": [[token_id, token] for token, token_id in parts["special_ids"].items()],
    }
    return {"format": FORMAT, "version": VERSION} | {name: value for name, value in values.items() if value}


def _line(pair: Pair) -> str:
    return f"{to_printable(pair[0])} {to_printable(pair[1])}"


def read(value: JsonValue) -> dict[str, Any]:
    """Return the parts of a plan by their names. Raise FormatError for a value that `written` would not write."""
    members = value.members()
    format_name, version = members.pop("format", None), members.pop("version", None)
    if format_name is None or format_name.value != FORMAT:
        raise value.error(
            _("EngineError", "{path} is not a plan. A plan has the format {format!r} and a version."),
            format=FORMAT,
        )
    if version is None or version.value != VERSION:
        raise value.error(
            _("EngineError", "{path}: this version of bpe-gui reads only plans of version {version}."),
            version=VERSION,
        )
    for name, member in members.items():
        if name not in _READERS:
            raise member.error(
                _("EngineError", "{path}: {place} is not a part of a plan. The parts are {parts}."),
                parts=tuple(_READERS),
            )
    return {name: _READERS[name](member) for name, member in members.items()}


def _pairs(value: JsonValue) -> list[Pair]:
    return [_pair(value, index, line) for index, line in enumerate(value.plain_list())]


def _pair(value: JsonValue, index: int, line: object) -> Pair:
    """Return the pair in a line of a list, whose location is only needed for errors."""
    match line.split(" ") if isinstance(line, str) else ():
        case [left, right] if left and right:
            return _token(value, index, left), _token(value, index, right)
        case _:
            raise value.item(index).error(
                _("EngineError", "{path}: {place} must be two tokens separated by a space, not {value!r}.")
            )


def _token(value: JsonValue, index: int, text: str) -> bytes:
    try:
        return from_printable(text)
    except KeyError as error:
        raise value.item(index).error(
            _("EngineError", "{path}: {place} contains {character!r}, which does not represent a byte."),
            character=error.args[0],
        ) from error


def _steps(items: list[JsonValue]) -> list[tuple[int, JsonValue]]:
    """Return the steps and what is planned for them in the items of a list."""
    steps: list[tuple[int, JsonValue]] = []
    for item in items:
        if len(item.plain_list()) != 2:
            raise item.error(_("EngineError", "{path}: {place} must be a list of a step and a value, not {value!r}."))
        steps.append((item.item(0).integer(0, _MAX_ID), item.item(1)))
    return steps


def _forced(value: JsonValue) -> dict[int, Pair]:
    return {step: _pair(_list_of(item), 0, item.value) for step, item in _once(value, _steps(value.items())).items()}


def _stages(value: JsonValue) -> dict[int, str]:
    return {step: splitter.string() for step, splitter in _once(value, _steps(value.items())).items()}


def _ids(value: JsonValue) -> dict[bytes, int]:
    return _once(value, [_id(value, index, item) for index, item in enumerate(value.plain_list())])


def _id(value: JsonValue, index: int, item: object) -> tuple[bytes, int]:
    """Return the token and the id in an item of a list, whose location is only needed for errors."""
    match item:
        case [int(token_id), str(text)] if type(token_id) is int and 0 <= token_id <= _MAX_ID:
            return _token(value, index, text), token_id
        case _:
            ((token_id, token),) = _steps([value.item(index)])
            return _token(value, index, token.string()), token_id


def _list_of(item: JsonValue) -> JsonValue:
    """Return a list of one value, for functions that take a list and an index."""
    return JsonValue(item.path, item.location, [item.value])


def _special_ids(value: JsonValue) -> dict[str, int]:
    return _once(value, [(item.string(), token_id) for token_id, item in _steps(value.items())])


def _once(value: JsonValue, items: list[tuple[Key, Value]]) -> dict[Key, Value]:
    """Return a list's items by their keys. Raise FormatError if a key stands there twice."""
    members: dict[Key, Value] = {}
    for index, (key, member) in enumerate(items):
        if key in members:
            raise value.item(index).error(
                _("EngineError", "{path}: {place} repeats {key!r}. It may occur only once."), key=key
            )
        members[key] = member
    return members


def _expressions(value: JsonValue) -> list[str]:
    for item in value.items():
        try:
            check_expression(item.string())
        except TrainingError as error:
            raise item.error_from(error) from error
    return _texts(value)


def _texts(value: JsonValue) -> list[str]:
    return [item.string() for item in value.items()]


_READERS: Final = {
    "replay": _pairs,
    "banned": _pairs,
    "banned_tokens": _expressions,
    "forced": _forced,
    "rules": _texts,
    "stages": _stages,
    "ids": _ids,
    "special_ids": _special_ids,
}
