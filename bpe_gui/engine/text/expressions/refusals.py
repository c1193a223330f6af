"""What is wrong with an expression: phrases for the sentences that refuse it."""

from typing import Final

from bpe_gui.engine.runtime.errors import translatable as _

EARLY_END: Final = _("EngineError", "it ends inside a group, a set or an escape")
NO_GROUP: Final = _("EngineError", "the bracket closes no group")
NOTHING_TO_REPEAT: Final = _("EngineError", "there is nothing to repeat")
UNKNOWN: Final = _("EngineError", "this means nothing there")
BACKWARDS: Final = _("EngineError", "the end is before the beginning")

EMPTY_REPEAT: Final = _("EngineError", "a repetition of what may be empty")
POSSESSIVE_GROUP: Final = _("EngineError", "a possessive repetition of a group")
LONG_LOOK_BEHIND: Final = _("EngineError", "a condition on more than one character before")
LOOKS_BEHIND_AHEAD: Final = _("EngineError", "too many conditions on what is before inside one on what follows")
ATOMIC_GROUP: Final = _("EngineError", "an atomic group")


def on_one_line(part: str) -> str:
    r"""Return a part of an expression as it is written, but with escapes for what cannot be seen.

    >>> print(on_one_line("\\1\n"))
    \1\n
    """
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in part)
