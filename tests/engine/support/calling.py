"""Compile kernels that only return their arguments, and call them: `python -m tests.engine.support.calling SEED`.

Prints each call whose results differ from plain Python's, and then the number of calls. It runs in a separate process,
because numba reads `NUMBA_OPT`, which switches optimisation off, when it is imported.
"""

import ctypes
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bpe_gui.engine import Int32Array
from bpe_gui.engine.compilation import library
from bpe_gui.engine.compilation.kernel import Kernel, Record
from bpe_gui.engine.runtime.types import UInt8Array
from build_kernels.library import link
from build_kernels.targets import this_machine

KERNELS = 16
CALLS = 50  # of each kernel
MOST = 8  # parameters, and results


class Pair(Record):
    """Two arrays of one item or more."""

    numbers: Int32Array
    text: UInt8Array


# By annotation of a parameter: the values that kernels return from it. Writing to the block of arguments must not
# change any.
PARTS = {
    "int": ("int({0})",),
    "bool": ("bool({0})", "int({0})"),
    "Int32Array": ("int({0}[0])", "len({0})", "int({0}[len({0}) - 1])"),
    "Pair": ("int({0}.numbers[0])", "len({0}.text)", "int({0}.text[0])"),
}


def reversed_kernel(size: int) -> Kernel[..., Any]:
    """Return a kernel that returns its integers in reverse."""
    names = [f"p{number}" for number in range(size)]
    return make(f"reverse_{size}", dict.fromkeys(names, "int"), names[::-1], ["int"] * size)


def random_kernel(rng: random.Random, number: int) -> Kernel[..., Any]:
    """Return a kernel with parameters of any kind, which returns parts of them in any order."""
    parameters = {f"p{index}": rng.choice(list(PARTS)) for index in range(rng.randint(1, MOST))}
    chosen = [rng.choice(list(parameters)) for _result in range(rng.randint(1, MOST))]
    results = [rng.choice(PARTS[parameters[name]]).format(name) for name in chosen]
    hints = ["bool" if result.startswith("bool") else "int" for result in results]
    return make(f"kernel_{number}", parameters, results, hints)


def make(name: str, parameters: dict[str, str], results: list[str], hints: list[str]) -> Kernel[..., Any]:
    returned = hints[0] if len(hints) == 1 else f"tuple[{', '.join(hints)}]"
    head = ", ".join(f"{parameter}: {hint}" for parameter, hint in parameters.items())
    namespace = {"Int32Array": Int32Array, "Pair": Pair, "__name__": "tests.calling.kernels"}
    exec(f"def {name}({head}) -> {returned}:\n    return {', '.join(results)}\n", namespace)
    return Kernel(namespace[name])  # type: ignore[arg-type]


def arguments(rng: random.Random, called: Kernel[..., Any]) -> Iterator[object]:
    for hint in called.parameters:
        if hint is int:
            yield rng.choice((0, -1, 2**63 - 1, -(2**63), rng.randint(-9, 9)))
        elif hint is bool:
            yield rng.random() < 0.5
        elif hint is Pair:
            yield Pair(some_numbers(rng), np.array([rng.randrange(256)] * rng.randint(1, 9), np.uint8))
        else:
            yield some_numbers(rng)


def some_numbers(rng: random.Random) -> Int32Array:
    return np.array([rng.randint(-(2**31), 2**31 - 1) for _index in range(rng.randint(1, 9))], np.int32)


def compiled(made: list[Kernel[..., Any]]) -> ctypes.CDLL:
    """Return a library with the machine code of kernels."""
    from build_kernels.compiler import compile_kernels

    target = this_machine()
    assert target is not None
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        code = Path(folder, "kernels.o")
        code.write_bytes(next(compile_kernels(made, [target])))
        return ctypes.CDLL(str(link([str(code)], target, Path(folder, target.library))))


def main() -> None:
    rng = random.Random(sys.argv[1])
    made = [*(random_kernel(rng, number) for number in range(KERNELS)), *map(reversed_kernel, range(2, MOST + 1))]
    machine_code = compiled(made)
    vars(library)["load"] = lambda: machine_code
    for called in made:
        for _call in range(CALLS):
            given = list(arguments(rng, called))
            actual, expected = called(*given), called.plain(*given)
            if actual != expected:
                print(called.plain.__name__, given, actual, expected)
    print(len(made) * CALLS)


if __name__ == "__main__":
    main()
