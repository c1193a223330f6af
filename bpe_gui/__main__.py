"""The way in: `bpe-gui` opens the window, `bpe-gui train …` and its like work without one."""

import os
import sys
from collections.abc import Sequence

from bpe_gui.gui.system import preflight


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with these arguments (those of the process unless given); returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments:
        return _open_window(arguments)
    from bpe_gui.cli import main as cli

    # Options such as `--version` are the command line's, unknown ones too; Qt's begin with one dash.
    if arguments[0] in cli.COMMANDS or arguments[0] == "-h" or arguments[0].startswith("--"):
        return cli.main(arguments)
    return _open_window(arguments)


def _open_window(arguments: list[str]) -> int:
    obstacle = preflight.obstacle(sys.platform, os.environ)
    if obstacle is None:
        try:
            from bpe_gui.gui import app
        except ImportError as error:
            obstacle = preflight.obstacle_behind(error)
            if obstacle is None:
                raise
        else:
            return app.main(arguments)
    print(f"bpe-gui: {obstacle}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
