"""A flag for code that reacts to signals, to tell its own changes from the user's."""

from types import TracebackType


class Updating:
    """A flag that is true inside its `with` blocks, which may be nested, and false outside.

    A widget sets it while it fills itself, and its slots do nothing then:

        with self._updating:
            self._table.setCurrentIndex(index)
    """

    def __init__(self) -> None:
        self._depth = 0

    def __bool__(self) -> bool:
        return self._depth > 0

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._depth -= 1
