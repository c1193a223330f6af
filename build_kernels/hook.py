"""The build hook that adds the library of kernels to the package; Hatchling runs it, for `pip install` too."""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

READY = "BPE_GUI_LIBRARY"
"""The environment variable with the path of a library that is already built, in a folder named after its target."""


class KernelsHook(BuildHookInterface[Any]):
    """Builds the library for this machine, unless one for any target is ready."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the library to a wheel. Without one, the wheel is for every system, and the engine plain Python."""
        sys.path.insert(0, self.root)
        from build_kernels.library import build_here
        from build_kernels.targets import TARGETS, this_machine

        ready = os.environ.get(READY)
        target = TARGETS[Path(ready).parent.name] if ready else this_machine()
        if target is None:
            self.app.display_warning("The engine cannot be compiled for this system, and will be slow.")
            return
        try:
            library = Path(ready) if ready else build_here(target)
        except Exception as error:  # numba may be missing for this Python, or fail here
            self.app.display_warning(f"The engine cannot be compiled here, and will be slow. {error}")
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{target.wheel}"
        if version != "editable":
            build_data["force_include"][str(library)] = f"bpe_gui/engine/compilation/{target.library}"
