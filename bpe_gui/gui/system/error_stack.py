"""Describe errors for the log."""

import traceback


def error_stack(error: BaseException) -> str:
    """Return the types of an error and its causes, and where they were raised.

    Their messages are left out, for they may quote the user's text.
    """
    parts: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        frames = "".join(traceback.format_tb(current.__traceback__))
        parts.append(f"{frames}{type(current).__name__}")
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "\nafter:\n".join(parts)
