"""Import or create on first use: the package `regex`, the items of a tuple."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from .cached import cached_property

if TYPE_CHECKING:
    import regex


@cache
def expression(source: str) -> "regex.Pattern[str]":
    """Return the compiled form of one of the engine's own regular expressions. Importing `regex` takes 10 ms.

    >>> expression(r"\\p{L}+").findall("low lower")
    ['low', 'lower']
    """
    import regex

    return regex.compile(source)


Item = TypeVar("Item")


class LazyTuple(Sequence[Item]):
    """A tuple of `size` items, all of which `make` creates on the first access.

    >>> numbers = LazyTuple(3, lambda: range(3))
    >>> len(numbers), numbers[1], numbers == (0, 1, 2)
    (3, 1, True)
    """

    def __init__(self, size: int, make: Callable[[], Iterable[Item]]) -> None:
        self._size: Final = size
        self._make: Final = make

    @cached_property
    def _items(self) -> tuple[Item, ...]:
        return tuple(self._make())

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        return self._items[index]

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __eq__(self, other: object) -> bool:
        return self._items == (other._items if isinstance(other, LazyTuple) else other)

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return repr(self._items)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._items,)
