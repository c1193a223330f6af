"""Properties that are computed once, without a lock that a forked child could miss."""

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 (as in the standard library)
        """A cached property without a lock: if two threads compute the value, both get the one that was stored first.

        The lock of Python 3.11 may be held by a thread that a forked child lacks. That of Python 3.12 would replace the
        first value, and kernels may already have been given an address in it.
        """

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            values = instance.__dict__
            if self.attrname not in values:
                return values.setdefault(self.attrname, self.func(instance))
            return values[self.attrname]


__all__ = ["cached_property"]
