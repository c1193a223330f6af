"""The window knows little of the engine, so that either can change without the other."""

import ast
from pathlib import Path

import bpe_gui

MAX_NAMES = 160
MAX_MODULES = 10


def test_the_window_imports_few_names_from_few_modules() -> None:
    folder = Path(bpe_gui.__file__).parent
    imported = {
        (statement.module, alias.name)
        for path in folder.rglob("*.py")
        if path.relative_to(folder).parts[0] not in ("engine", "cli")
        for statement in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("bpe_gui.engine")
        for alias in statement.names
    }
    assert len({module for module, _name in imported}) <= MAX_MODULES
    assert len(imported) <= MAX_NAMES, f"{len(imported)} names"
