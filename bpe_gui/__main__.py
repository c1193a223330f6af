"""The entry point: `bpe-gui` opens the window, `bpe-gui train …` and the other commands run without one."""

import os
import sys
from collections.abc import Sequence

from .gui.system import preflight
from .logs import configure_from_environment


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with `argv`, by default the arguments of the process, and return the exit status."""
    configure_from_environment()
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments:
        return _open_window(arguments)
    from .cli import main as cli

    # Options with two dashes belong to the command line, unknown ones too; Qt's own have one.
    if arguments[0] in cli.COMMANDS or arguments[0] == "-h" or arguments[0].startswith("--"):
        return cli.main(arguments)
    return _open_window(arguments)


def _open_window(arguments: list[str]) -> int:
    obstacle = preflight.obstacle(sys.platform, os.environ)
    if obstacle is None:
        try:
            from .gui import app
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
