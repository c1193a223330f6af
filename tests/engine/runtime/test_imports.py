"""The engine and the command line start without Qt and numba, which only some of their work needs."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import bpe_gui.engine
from bpe_gui.engine import Recipe, is_compiled, save, train

_PROBE = "import sys, {module}; print(*(m for m in ('PySide6', 'shiboken6', 'numba', 'llvmlite') if m in sys.modules))"


@pytest.mark.slow
@pytest.mark.parametrize("module", ["bpe_gui.engine", "bpe_gui.cli.main"])
def test_neither_qt_nor_numba_is_imported(module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    probe = [sys.executable, "-c", _PROBE.format(module=module)]
    assert subprocess.run(probe, capture_output=True, text=True, check=True).stdout.strip() == ""


_LOADED = """
import sys
from bpe_gui.cli.main import main
status = main(sys.argv[2:])
assert not status, status
print(*(module for module in sys.modules if module.startswith(tuple(sys.argv[1].split(",")))), file=sys.stderr)
"""
_OTHERS = "bpe_gui.cli.compare,bpe_gui.cli.convert,bpe_gui.cli.report,bpe_gui.engine.reports,bpe_gui.engine.comparison"
_PSUTIL = "psutil," if sys.platform == "linux" else ""


@pytest.mark.parametrize(
    ("unneeded", "arguments"),
    [
        (f"{_OTHERS},bpe_gui.cli.,bpe_gui.engine.formats", ["--version"]),
        (f"{_OTHERS},regex,bpe_gui.engine.training,bpe_gui.engine.pipeline.p", ["encode", "-t", "tokenizer", "text"]),
        (f"{_OTHERS},regex,{_PSUTIL}bpe_gui.engine.pipeline.p", ["train", "text", "--num-merges", "2", "-o", "again"]),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_imports_only_what_it_needs(unneeded: str, arguments: list[str], tmp_path: Path) -> None:
    if not is_compiled():
        pytest.skip("plain Python splits text by regular expressions")
    (tmp_path / "text").write_text("low lower lowest", "utf-8")
    save(train("low lower lowest", num_merges=2), tmp_path / "tokenizer")
    command = [sys.executable, "-c", _LOADED, unneeded, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    needed = {"bpe_gui.cli.main", "bpe_gui.cli.arguments", "bpe_gui.cli.streams"}
    needed |= {"bpe_gui.engine.pipeline.particulars"}  # a few values; it imports nothing else
    assert set(done.stderr.splitlines()[-1].split()) <= needed


_ENCODED = """
import sys
from bpe_gui.engine import load
assert load(sys.argv[1], pattern="gpt2").encode("low")
print({"regex", "json", "csv", "concurrent.futures"} & set(sys.modules))
"""


def test_encoding_by_a_file_of_ranks_imports_only_what_it_needs(tmp_path: Path) -> None:
    if not is_compiled():
        pytest.skip("plain Python splits text by regular expressions")
    recipe = Recipe.of("tiktoken")
    (file,) = save(train("low lower lowest", num_merges=2, recipe=recipe), tmp_path / "a.tiktoken", "tiktoken")
    command = [sys.executable, "-c", _ENCODED, str(file)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "set()"


def test_every_name_of_the_stub_is_imported_when_used() -> None:
    stub = ast.parse(Path(bpe_gui.engine.__file__).with_suffix(".pyi").read_text("utf-8"))
    listed = {alias.asname for each in stub.body if isinstance(each, ast.ImportFrom) for alias in each.names}
    assert listed == set(dir(bpe_gui.engine))
    for name in listed:
        assert getattr(bpe_gui.engine, str(name)) is not None
