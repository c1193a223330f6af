"""ARCHITECTURE.md describes the source as it is: what it names exists, and every package and module is named."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bpe_gui"
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")

ROOM_ROW = re.compile(r"^\| `([\w/]+/)` \| (.*) \|$", re.MULTILINE)
MODULE = re.compile(r"`([\w./]+\.py)`")


def sources() -> list[str]:
    """Return the paths of all Python files in the project, relative to its root."""
    folders = (PACKAGE, ROOT / "build_kernels", ROOT / "tests", ROOT / ".ci")
    return [path.relative_to(ROOT).as_posix() for folder in folders for path in folder.rglob("*.py")]


def packages() -> list[Path]:
    """Return the package and the packages inside it."""
    return sorted(path.parent for path in PACKAGE.rglob("__init__.py"))


def test_every_module_it_names_exists() -> None:
    known = ["/" + path for path in sources()]
    named = set(MODULE.findall(TEXT))
    assert len(named) > 50
    assert [name for name in sorted(named) if not any(path.endswith("/" + name) for path in known)] == []


def test_modules_are_in_the_room_that_it_puts_them_in() -> None:
    rows = ROOM_ROW.findall(TEXT)
    assert rows
    missing = [
        room + name for room, row in rows for name in MODULE.findall(row) if not (PACKAGE / room / name).exists()
    ]
    assert missing == []


def test_every_module_is_named_in_its_room() -> None:
    unnamed = [
        room + path.name
        for room, row in ROOM_ROW.findall(TEXT)
        for path in sorted((PACKAGE / room).glob("*.py"))
        if not path.name.startswith("__") and path.name not in MODULE.findall(row)
    ]
    assert unnamed == []


def test_every_package_is_named() -> None:
    rooms = {room for room, _row in ROOM_ROW.findall(TEXT)}
    assert {f"{path.relative_to(PACKAGE).as_posix()}/" for path in packages()} - {"./"} <= rooms
