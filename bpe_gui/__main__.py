"""The entry point: `bpe-gui` opens the window, `bpe-gui train …` and the other commands run without one.

Only fast imports are at the top: until `main` begins, Python answers Ctrl+C with a traceback.
"""

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence

_INTERRUPTED = 130
_Run = Callable[[Sequence[str]], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with `argv`, by default the arguments of the process, and return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # Nothing here multiplies matrices, but numpy would start threads for that, which keep all processors busy at first.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    is_main = threading.current_thread() is threading.main_thread()
    ends_at_once = is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        if ends_at_once:  # an exception that is raised during an import may get lost
            signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
        run = _without_collecting_garbage(_chosen, arguments)
    finally:
        if ends_at_once:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return run(arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _without_collecting_garbage(choose: Callable[[Sequence[str]], _Run], arguments: Sequence[str]) -> _Run:
    """Call `choose` without collecting garbage: it would take a tenth of the time to start, and imports stay."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return choose(arguments)
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def _chosen(arguments: Sequence[str]) -> _Run:
    """Import what `arguments` ask for, and return the function that runs it with them."""
    if arguments == ["--render-chats"]:  # a bundled program started by itself, see `engine.chats.renderer`
        from .engine.chats.sandbox import main as render

        return lambda _arguments: render()
    from .logs import configure_from_environment

    configure_from_environment()
    if not arguments or arguments[0] == "--new-window":
        return _window(arguments)
    from .cli import main as cli

    # Options with two dashes belong to the command line, unknown ones too; Qt's own have one.
    if arguments[0] in cli.COMMANDS or arguments[0] == "-h" or arguments[0].startswith("--"):
        return cli.main
    return _window(arguments)


def _window(arguments: Sequence[str]) -> _Run:
    """Import the window, unless one that is open takes the files in `arguments`."""
    from .gui.system import preflight

    obstacle = preflight.obstacle(sys.platform, os.environ)
    if obstacle is None:
        try:
            from .gui.system.handover import hand_over

            if hand_over(arguments):
                return lambda _arguments: 0
            from .gui import app
        except ImportError as error:
            obstacle = preflight.obstacle_behind(error)
            if obstacle is None:
                raise
        else:
            return app.main
    print(f"bpe-gui: {obstacle}", file=sys.stderr)
    return lambda _arguments: 1


if __name__ == "__main__":
    sys.exit(main())
