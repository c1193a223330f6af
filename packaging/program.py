"""The entry point of the bundled program, the same as the command `bpe-gui`."""

import os
import sys

from bpe_gui.__main__ import main

# PyInstaller's launcher sets it to the bundle, whose libraries a browser that opens a link must not load.
os.environ.pop("LD_LIBRARY_PATH", None)
if (path := os.environ.pop("LD_LIBRARY_PATH_ORIG", None)) is not None:
    os.environ["LD_LIBRARY_PATH"] = path

sys.exit(main())
