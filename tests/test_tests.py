"""The tests themselves: none waits for a time, and none leaves out the `with` of what only works within one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
NOT_TESTS = ("benchmarks/", "fuzzing/")
WAITS = {"qWait", "sleep", "msleep", "usleep"}
WITHIN = {"waitActive", "waitExposed", "waitSignal", "waitSignals", "assertNotEmitted", "captureExceptions", "raises"}
ALLOWED = {
    "engine/formats/test_fuzzed_readers.py": "a reader that takes too long has to be one that takes long",
    "engine/formats/test_killed_while_writing.py": "a process is killed at random moments",
    "engine/support/workers.py": "the process does nothing until it is killed",
    "gui/conftest.py": "threads are asked again and again whether they have ended",
    "gui/dialogs/test_open_pattern_dialog.py": "a thread goes on until it is cancelled",
    "gui/support/panels.py": "a thread goes on until it is cancelled",
    "gui/support/screen_reader.py": "another program is asked again and again until it answers",
    "gui/system/test_process.py": "the window stands still until that was noticed",
}
"""The files in which something sleeps, and why no test of theirs depends on for how long."""


def calls(pattern: str) -> Iterator[tuple[str, ast.Call, bool]]:
    """Yield the calls in all tests in which a pattern occurs: the file, the call, and whether it is a whole statement.

    The tests are too many for all of them to be parsed.
    """
    for path in sorted(TESTS.rglob("*.py")):
        name, source = path.relative_to(TESTS).as_posix(), path.read_text("utf-8")
        if not name.startswith(NOT_TESTS) and re.search(pattern, source, re.MULTILINE):
            tree = ast.parse(source)
            alone = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            yield from ((name, node, node in alone) for node in ast.walk(tree) if isinstance(node, ast.Call))


def called(call: ast.Call) -> str:
    """Return the last part of the name of what is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def is_wait(call: ast.Call) -> bool:
    """Return whether a call lets a time pass, whatever happens meanwhile."""
    of_bot = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value).endswith("bot")
    return called(call) in WAITS or (called(call) == "wait" and of_bot)


def test_states_are_waited_for_and_never_times() -> None:
    found = {name: call.lineno for name, call, _alone in calls(rf"({'|'.join(WAITS)}|bot\.wait)\(") if is_wait(call)}
    assert found.keys() - ALLOWED == set(), found
    assert ALLOWED.keys() - found == set(), "these sleep no more"


def test_what_works_within_a_block_has_one() -> None:
    """`qtbot.waitExposed(widget)` alone waits for nothing, and `pytest.raises(Error)` alone expects nothing."""
    found = calls(rf"^ *[\w.]*\b({'|'.join(WITHIN)})\(")
    assert [f"{name}:{call.lineno}" for name, call, alone in found if alone and called(call) in WITHIN] == []


def test_no_test_catches_an_error_that_the_bot_does_not_raise() -> None:
    """A wait of `qtbot` that ends without success raises `qtbot.TimeoutError`, not Python's."""
    paths = TESTS.joinpath("gui").rglob("*.py")
    found = [path.name for path in paths if re.search(r"except \(?TimeoutError", path.read_text("utf-8"))]
    assert found == []
