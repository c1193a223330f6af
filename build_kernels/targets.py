"""The systems and processors that kernels can be compiled for."""

import platform
import sys
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Target:
    """A system with a kind of processor."""

    name: str
    """Its name for zig, with the oldest version of macOS that a library works on."""
    triple: str
    """Its name for LLVM."""
    processor: str
    """The oldest processor that machine code runs on. Code for newer ones is hardly faster."""
    wheel: str
    """The end of the names of wheels for it."""
    library: str
    """The name of the library."""


_OLDEST_X86: Final = "x86-64-v2"

TARGETS: Final = {
    target.name: target
    for target in (
        Target("x86_64-linux-gnu", "x86_64-unknown-linux-gnu", _OLDEST_X86, "manylinux_2_17_x86_64", "kernels.so"),
        Target("aarch64-linux-gnu", "aarch64-unknown-linux-gnu", "generic", "manylinux_2_17_aarch64", "kernels.so"),
        Target("x86_64-windows-gnu", "x86_64-pc-windows-gnu", _OLDEST_X86, "win_amd64", "kernels.dll"),
        Target("aarch64-macos.11.0", "arm64-apple-macosx11.0.0", "apple-m1", "macosx_11_0_arm64", "kernels.dylib"),
        Target("x86_64-macos.11.0", "x86_64-apple-macosx11.0.0", _OLDEST_X86, "macosx_11_0_x86_64", "kernels.dylib"),
    )
}


def this_machine() -> Target | None:
    """Return the target that this machine is, or None if it is none of them."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine())
    system = {"win32": "windows-gnu", "darwin": "macos.11.0", "linux": "linux-gnu"}.get(sys.platform, sys.platform)
    return TARGETS.get(f"{machine}-{system}")
