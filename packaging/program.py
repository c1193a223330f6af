"""What the bundled program runs: the same as the command `bpe-gui`."""

import sys

from bpe_gui.__main__ import main

sys.exit(main())
