"""The engine and the command line start without Qt and numba, which only some of their work needs."""

import importlib.util
import subprocess
import sys

import pytest

_PROBE = "import sys, {module}; print(*(m for m in ('PySide6', 'shiboken6', 'numba', 'llvmlite') if m in sys.modules))"


@pytest.mark.slow
@pytest.mark.parametrize("module", ["bpe_gui.engine", "bpe_gui.cli.main"])
def test_neither_qt_nor_numba_is_imported(module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    probe = [sys.executable, "-c", _PROBE.format(module=module)]
    assert subprocess.run(probe, capture_output=True, text=True, check=True).stdout.strip() == ""
