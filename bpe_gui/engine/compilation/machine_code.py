"""Link machine code into this process, by LLVM's linker."""

import platform
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from llvmlite import binding as llvm

_kept: Final[list[Any]] = []
"""LLVM's objects, without which machine code would be unloaded while kernels still have its addresses."""


def processor() -> str:
    """Return the name and the features of this machine's processor, on which machine code depends."""
    return f"{platform.machine()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


@cache
def target_machine() -> Any:
    """Return LLVM's description of this machine, with all features of its processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )


def link(objects: dict[str, bytes]) -> Callable[[str, str], int]:
    """Link object files into this process, for as long as it runs.

    `objects` has their contents by name. Return a function that takes the name of an object file and the name of a
    function in it, and returns that function's address. Raise RuntimeError if an object file cannot be linked.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    linker = llvm.create_lljit_compiler()
    _kept.append(linker)
    for name, code in objects.items():
        _kept.append(llvm.JITLibraryBuilder().add_object_img(code).add_current_process().link(linker, name))

    def find(name: str, function: str) -> int:
        _kept.append(linker.lookup(name, function))
        address: int = _kept[-1][function]
        return address

    return find
