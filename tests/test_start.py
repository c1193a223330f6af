"""Starting the program: commands open no window, and a machine that cannot open one gets a reason."""

import ast
import ctypes
import importlib
import os
import re
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

import bpe_gui
from bpe_gui import __main__
from bpe_gui.gui.system import preflight

DISPLAY = {"DISPLAY": ":0"}


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that makes the loader fail for some libraries and succeed for all others. X answers."""

    def remove(*names: str) -> None:
        def load(name: str) -> object:
            if name in names:
                raise OSError(f"{name}: cannot open shared object file: No such file or directory")
            return object()

        monkeypatch.setattr(ctypes, "CDLL", load)

    monkeypatch.setattr(preflight, "_x_server_answers", lambda _display: True)
    monkeypatch.setattr(preflight, "_has_fonts", lambda: True)
    return remove


@pytest.fixture
def command_line(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Replace the command line with one that records its arguments and exits with 7; return the record."""
    calls: list[list[str]] = []

    def run(arguments: list[str]) -> int:
        calls.append(arguments)
        return 7

    replace_module(monkeypatch, "bpe_gui.cli.main", COMMANDS=("train", "encode", "decode", "inspect"), main=run)
    return calls


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Replace the window with one that records its arguments, on a machine that can open one; return the record."""
    calls: list[list[str]] = []

    def run(arguments: list[str]) -> int:
        calls.append(arguments)
        return 0

    replace_module(monkeypatch, "bpe_gui.gui.app", main=run)
    monkeypatch.setattr(preflight, "obstacle", lambda *_: None)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)  # where a window that is open would take the files
    return calls


def replace_module(monkeypatch: pytest.MonkeyPatch, name: str, **contents: object) -> None:
    """Replace the module of this name with one that has these contents."""
    module = types.ModuleType(name)
    vars(module).update(contents)
    package, _, attribute = name.rpartition(".")
    monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(importlib.import_module(package), attribute, module, raising=False)


# -- dispatching -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [["train", "corpus.txt"], ["encode"], ["--help"], ["-h"], ["--version"], ["--no-such-option"]],
)
def test_commands_and_options_go_to_the_command_line(
    command_line: list[list[str]], window: list[list[str]], arguments: list[str]
) -> None:
    assert __main__.main(arguments) == 7
    assert command_line == [arguments]
    assert window == []


@pytest.mark.parametrize(
    "arguments", [[], ["corpus.txt"], ["-style", "fusion"], ["./train"], ["a.txt", "train"], ["--new-window", "train"]]
)
def test_everything_else_opens_the_window(
    command_line: list[list[str]], window: list[list[str]], arguments: list[str]
) -> None:
    assert __main__.main(arguments) == 0
    assert window == [arguments]
    assert command_line == []


def test_the_arguments_of_the_process_are_taken_by_default(
    monkeypatch: pytest.MonkeyPatch, command_line: list[list[str]]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bpe-gui", "train", "corpus.txt"])
    assert __main__.main() == 7
    assert command_line == [["train", "corpus.txt"]]


# -- obstacles ---------------------------------------------------------------------------------------------------------


def test_no_obstacle(without: Callable[..., None]) -> None:
    without()
    assert preflight.obstacle("linux", DISPLAY) is None


def test_no_display() -> None:
    line = preflight.obstacle("linux", {})
    assert line == (
        "no display: neither DISPLAY nor WAYLAND_DISPLAY is set; the commands work without one (see bpe-gui --help)"
    )


def test_a_display_that_does_not_answer(without: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    without()
    monkeypatch.setattr(preflight, "_x_server_answers", lambda _display: False)
    assert "nothing answers at DISPLAY=:0" in str(preflight.obstacle("linux", DISPLAY))


@pytest.mark.skipif(sys.platform != "linux", reason="X11 is for Linux")
def test_an_x_server_that_does_not_exist_does_not_answer() -> None:
    if preflight._missing(["libxcb.so.1"]):
        pytest.skip("no libxcb on this machine")
    assert not preflight._x_server_answers(":987")


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_need_no_display(platform: str) -> None:
    assert preflight.obstacle(platform, {}) is None


def test_a_platform_that_the_user_chose_is_not_checked() -> None:
    assert preflight.obstacle("linux", {"QT_QPA_PLATFORM": "offscreen"}) is None


def test_missing_libraries_of_x11_are_named(without: Callable[..., None]) -> None:
    without("libxcb-cursor.so.0", "libxkbcommon-x11.so.0")
    assert preflight.obstacle("linux", DISPLAY) == (
        "the window needs system libraries that are missing (libxcb-cursor.so.0, libxkbcommon-x11.so.0); "
        "on Debian or Ubuntu: sudo apt install libxcb-cursor0 libxkbcommon-x11-0"
    )


def test_wayland_does_not_need_the_libraries_of_x11(without: Callable[..., None]) -> None:
    without("libxcb-cursor.so.0")
    assert preflight.obstacle("linux", {"WAYLAND_DISPLAY": "wayland-0", **DISPLAY}) is None
    without("libwayland-client.so.0")
    assert preflight.obstacle("linux", {"WAYLAND_DISPLAY": "wayland-0", **DISPLAY}) is None
    assert "libwayland-client0" in str(preflight.obstacle("linux", {"WAYLAND_DISPLAY": "wayland-0"}))


@pytest.mark.parametrize("display", [DISPLAY, {"WAYLAND_DISPLAY": "wayland-0"}])
def test_a_computer_without_fonts_is_told_the_package(
    without: Callable[..., None], monkeypatch: pytest.MonkeyPatch, display: dict[str, str]
) -> None:
    without()
    monkeypatch.setattr(preflight, "_has_fonts", lambda: False)
    assert preflight.obstacle("linux", display) == (
        "the window needs a font, and none is installed; on Debian or Ubuntu: sudo apt install fonts-dejavu-core"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, fonts belong to the system")
@pytest.mark.parametrize(("fonts", "found"), [("", False), (f"<dir>{Path(__file__).parent}/fonts</dir>", True)])
def test_fonts_are_found_where_fontconfig_looks(tmp_path: Path, fonts: str, found: bool) -> None:
    if preflight._missing(["libfontconfig.so.1"]):
        pytest.skip("no fontconfig on this machine")
    config = tmp_path / "fonts.conf"
    config.write_text(f"<fontconfig>{fonts}<cachedir>{tmp_path}</cachedir></fontconfig>", encoding="utf-8")
    code = "from bpe_gui.gui.system import preflight; print(preflight._has_fonts())"
    environment = {**os.environ, "FONTCONFIG_FILE": str(config)}
    done = subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True, text=True)
    assert done.stdout == f"{found}\n"


def test_an_import_error_for_a_library_names_the_packages_of_all_missing_ones(without: Callable[..., None]) -> None:
    without("libEGL.so.1", "libGL.so.1", "libgthread-2.0.so.0", "libglib-2.0.so.0", "libxcb-cursor.so.0")
    line = preflight.obstacle_behind(ImportError("libEGL.so.1: cannot open shared object file: No such file"))
    assert line is not None
    assert line.endswith("sudo apt install libegl1 libgl1 libglib2.0-0 libxcb-cursor0")
    assert line.startswith("the window needs system libraries that are missing (libEGL.so.1, libGL.so.1, ")


def test_an_unknown_library_is_named_too(without: Callable[..., None]) -> None:
    without()
    line = preflight.obstacle_behind(ImportError("libodd.so.3: cannot open shared object file: No such file"))
    assert line == (
        "the window needs system libraries that are missing (libodd.so.3); "
        "install the system packages that provide them"
    )


def test_another_import_error_is_not_explained_away() -> None:
    assert preflight.obstacle_behind(ModuleNotFoundError("No module named 'PySide6'")) is None


def test_no_property_of_qt_that_begins_with_an_i_is_given_by_name() -> None:
    """PySide finds the setter by the locale's uppercase letters: in Turkish and Azerbaijani, that of `i` differs."""
    given = [
        f"{path.name}:{call.lineno} {keyword.arg}"
        for path in Path(bpe_gui.__file__).parent.glob("gui/**/*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and re.match(r"Q[A-Z]|ComboBox|SpinBox", ast.unparse(call.func))
        for keyword in call.keywords
        if keyword.arg and keyword.arg.startswith("i")
    ]
    assert given == []


# -- messages ----------------------------------------------------------------------------------------------------------


def test_one_line_and_status_1_without_a_display(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert __main__.main([]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("bpe-gui: no display")
    assert shown.err.count("\n") == 1


class BrokenQt:
    """An import hook that makes the window's module fail as it does on a bare server."""

    def __init__(self, error: ImportError) -> None:
        self.error = error

    def find_spec(self, name: str, *_: object) -> None:
        if name == "bpe_gui.gui.app":
            raise self.error


@pytest.fixture
def break_qt(monkeypatch: pytest.MonkeyPatch) -> Callable[[ImportError], None]:
    def install(error: ImportError) -> None:
        monkeypatch.setattr(preflight, "obstacle", lambda *_: None)
        monkeypatch.delitem(sys.modules, "bpe_gui.gui.app", raising=False)
        monkeypatch.delattr(bpe_gui.gui, "app", raising=False)
        monkeypatch.setattr(sys, "meta_path", [BrokenQt(error), *sys.meta_path])

    return install


def test_one_line_and_status_1_without_a_library(
    break_qt: Callable[[ImportError], None],
    without: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    without("libEGL.so.1")
    break_qt(ImportError("libEGL.so.1: cannot open shared object file: No such file or directory"))
    assert __main__.main([]) == 1
    assert capsys.readouterr().err == (
        "bpe-gui: the window needs system libraries that are missing (libEGL.so.1); "
        "on Debian or Ubuntu: sudo apt install libegl1\n"
    )


def test_another_import_error_is_raised(break_qt: Callable[[ImportError], None]) -> None:
    break_qt(ImportError("cannot import name 'x'"))
    with pytest.raises(ImportError, match="cannot import name"):
        __main__.main([])


def test_the_checks_import_no_qt() -> None:
    code = "import sys, bpe_gui.__main__; assert not [m for m in sys.modules if m.startswith(('PySide6', 'shiboken'))]"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)


IMPORTING = """
import gc, os, sys

class Watching:
    def find_spec(self, name, *_):
        if name == "numpy":
            assert not gc.isenabled() and os.environ["OPENBLAS_NUM_THREADS"] == "1"

sys.meta_path.insert(0, Watching())
from bpe_gui.__main__ import main
try:
    main(["train", "--help"])
except SystemExit:
    assert "numpy" in sys.modules and gc.isenabled()
"""


def test_importing_looks_for_no_garbage_and_starts_no_threads() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    subprocess.run([sys.executable, "-c", IMPORTING], check=True, env=environment, stdout=subprocess.DEVNULL)


# -- interrupts --------------------------------------------------------------------------------------------------------

INTERRUPTED_AT = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the tests in the background
sys.meta_path.insert(0, Interrupting())
from bpe_gui.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there, os.kill ends a process")
@pytest.mark.parametrize(
    ("module", "arguments"),
    [("bpe_gui.cli.main", ["--version"]), ("numpy", ["--version"]), ("bpe_gui.gui.app", []), ("PySide6.QtCore", [])],
)
def test_an_interrupt_while_modules_are_imported_ends_the_program_quietly(module: str, arguments: list[str]) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", INTERRUPTED_AT, module, *arguments]
    done = subprocess.run(command, capture_output=True, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
