"""ARCHITECTURE.md and the docstrings of packages describe the source as it is: what they name exists."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bpe_gui"
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
PICTURE = TEXT.partition("```\n")[2].partition("```")[0]
MODULE = re.compile(r"`([\w./]+\.py)`")
BARE_NAME = re.compile(r"`([a-z]\w*)`")
PACKAGES = sorted(path.parent for path in PACKAGE.rglob("__init__.py"))
KNOWN = {"build_kernels", "tokenizers", "transformers"} | {path.name for path in PACKAGES}


def missing_modules(text: str) -> list[str]:
    """Return the Python files that a text names, but the project does not have."""
    return [name for name in MODULE.findall(text) if not any(path.endswith(f"/{name}") for path in modules())]


@cache
def modules() -> list[str]:
    folders = (PACKAGE, ROOT / "build_kernels", ROOT / "tests", ROOT / ".ci")
    return ["/" + path.relative_to(ROOT).as_posix() for folder in folders for path in folder.rglob("*.py")]


def names_in(package: Path) -> set[str]:
    """Return the modules of a package, and what they define, use or call by a string, such as the names of commands."""
    return set().union(*map(names_of_module, package.rglob("*.py")))


@cache
def names_of_module(path: Path) -> set[str]:
    names = {path.stem}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name):
                names.add(name)
            case ast.Constant(value=str(name)):
                names.add(name)
    return names


def test_every_module_it_names_exists() -> None:
    assert len(MODULE.findall(TEXT)) > 10
    assert missing_modules(TEXT) == []


def test_the_picture_has_the_rooms() -> None:
    rooms = {f"{path.name}/" for path in PACKAGES if len(path.relative_to(PACKAGE).parts) in (1, 2)}
    named = set(re.findall(r"[a-z_]+/", PICTURE))
    assert rooms <= named
    others = {"bpe_gui/", "editor/", "resources/", "tests/", "benchmarks/", "fuzzing/", "build_kernels/", "packaging/"}
    assert named - rooms <= others


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_packages_say_what_they_are(package: Path) -> None:
    docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8")))
    assert docstring
    assert missing_modules(docstring) == []
    assert set(BARE_NAME.findall(docstring)) - KNOWN - names_in(package) == set()


def test_folders_are_at_most_three_deep() -> None:
    assert [path for path in PACKAGES if len(path.relative_to(PACKAGE).parts) > 3] == []
