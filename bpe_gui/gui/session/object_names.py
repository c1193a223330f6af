"""The names of the objects that a window can show, and the numbers of their colours.

Whatever names a run, a branch or an opened tokenizer asks here.
"""

import re
from collections.abc import Callable
from itertools import count
from typing import Final
from weakref import WeakKeyDictionary

from PySide6.QtCore import QCoreApplication

from bpe_gui.gui.wording.phrases import number

from .branches import Branch, Branches
from .opened_tokenizers import OpenedTokenizer
from .session import Session

translate = QCoreApplication.translate  # lupdate knows the function by this name

ShownObject = Branch | OpenedTokenizer
"""An object that the window can show at one of its steps; the main run is a branch without a name."""


def shown_object(session: Session) -> ShownObject:
    return session.opened.tokenizer or session.branches.current


_marks: Final[WeakKeyDictionary[ShownObject, int]] = WeakKeyDictionary()


def mark_of(session: Session, shown: ShownObject) -> int:
    """Return the number of an object's colour, which the object keeps; 0 is the main run's."""
    if shown is session.branches.main:
        return 0
    if shown not in _marks:
        others: tuple[ShownObject, ...] = (*session.branches.all, *session.opened.tokenizers)
        taken = {_marks.get(each, 0) for each in others}
        _marks[shown] = next(mark for mark in count(1) if mark not in taken)
    return _marks[shown]


_makers: Final[dict[str, Callable[[], str]]] = {}
_COPY: Final = re.compile(r" \(\d+\)$")  # see `Branches.free_name`


def made_name(make: Callable[[], str]) -> str:
    """Return the name that `make` makes for a branch. It follows the language until the user changes it."""
    _makers[name := make()] = make
    return name


def name_anew(branches: Branches) -> None:
    """Give the branches that the user has not named their names in the language of the window."""
    for branch in branches.all:
        if make := _makers.get(_COPY.sub("", branch.name)):
            branch.name = ""
            branch.name = branches.free_name(made_name(make))
    branches.changed.emit()


def run_name(name: str) -> str:
    """Return the name of a run, given that of its branch."""
    return name or translate("ObjectNames", "Main run")


def object_name(shown: ShownObject) -> str:
    """Return the name of an object in the language of the window."""
    if isinstance(shown, Branch):
        return run_name(shown.name)
    return shown.name or translate("ObjectNames", "Untitled")


def distinct_name(session: Session, shown: ShownObject) -> str:
    """Return the name of an object, with its folder if several opened tokenizers have that name."""
    name = object_name(shown)
    if isinstance(shown, Branch) or [object_name(each) for each in session.opened.tokenizers].count(name) < 2:
        return name
    return f"{shown.source.path.absolute().parent.name}/{name}"


def name_at_step(name: str, step: int) -> str:
    return translate("ObjectNames", "{name}, step {step}").format(name=name, step=number(step))


def name_at(shown: ShownObject, step: int) -> str:
    """Return the name of an object at a step; an opened tokenizer at its last one is called by its name alone."""
    if isinstance(shown, OpenedTokenizer) and step == shown.run_length:
        return object_name(shown)
    return name_at_step(object_name(shown), step)


def shown_name(session: Session) -> str:
    """Return what is on the screen: the object, and its step."""
    return name_at(shown_object(session), session.cursor.position)
