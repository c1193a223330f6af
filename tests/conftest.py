"""Settings for all tests: parallel, nothing on the screen, no deadlines, and kernels compiled only once."""

import gc
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests.examples import is_thorough

# A busy machine must not fail a test, and failures must be reproducible.
settings.register_profile("thorough", deadline=None, derandomize=True, print_blob=True, max_examples=100)
settings.register_profile("usual", settings.get_profile("thorough"), max_examples=10)
settings.load_profile("usual")
# Hypothesis also draws constants of the modules that happen to be imported, so that examples would depend on what a
# process has run before. Without them, they are the same in every run; where Hypothesis changes, this has no effect.
_no_constants = vars(providers).get("_local_constants")
vars(providers)["_get_local_constants"] = lambda: _no_constants

# These variables determine the system's language for Qt; tests expect English.
os.environ |= {"LANG": os.environ.pop("LC_ALL", os.environ.get("LANG", "C")), "LC_MESSAGES": "C"}
os.environ.pop("LANGUAGE", None)

# Must be set before Qt is imported, which pytest-qt does as soon as a test asks for it.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Texts are as wide, and as high, on every computer: tests see no fonts but their own, at their own scale.
if os.environ.get("BPE_GUI_TEST_FONTS") != "system":
    _fonts = Path(__file__).with_name("fonts")
    os.environ |= {"FONTCONFIG_FILE": str(_fonts / "fonts.conf"), "QT_QPA_FONTDIR": str(_fonts)}
    for _name in ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "QT_QPA_PLATFORMTHEME"):
        os.environ.pop(_name, None)

COMPILER = ("numba", "ziglang", "hatchling", "lief")
"""The packages of the extra `checks` that tests marked `compiles` need."""

gc.disable()  # until all tests are collected: it would traverse them again and again, a third of that time

collect_ignore = ["gui/support/screen_reader.py", "fonts/make.py"]  # programs that need what tests lack


def pytest_configure(config: pytest.Config) -> None:
    """Ignore warnings about the offscreen platform and old locales, and compile the kernels before the first test."""
    config.addinivalue_line("qt_log_ignore", "^This plugin does not support ")
    config.addinivalue_line("qt_log_ignore", "^Detected locale .* which is not UTF-8")
    is_worker = hasattr(config, "workerinput")  # all workers of a parallel run would compile at the same time
    if not is_worker and subprocess.run([sys.executable, "-m", "build_kernels"], check=False).returncode:
        raise pytest.UsageError("The tests need compiled kernels.")


def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes `-n auto` starts: one per usable processor.

    One more would use the time that some tests wait, and a fourth more of the processors' time: it is no faster.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    processors = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(processors, 8)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that take long and were not asked for, and tests that compile where nothing can."""
    left_out = [] if is_thorough() else ["thorough"]
    if not all(map(find_spec, COMPILER)):
        left_out.append("compiles")
    if "exhaustive" not in config.getoption("markexpr"):
        left_out.append("exhaustive")
    is_left_out = [any(map(item.get_closest_marker, left_out)) for item in items]
    config.hook.pytest_deselected(items=[item for item, out in zip(items, is_left_out, strict=True) if out])
    items[:] = [item for item, out in zip(items, is_left_out, strict=True) if not out]


def pytest_collection_finish() -> None:
    """Keep the garbage collector from traversing, in every collection, objects that live as long as the tests."""
    gc.collect()
    gc.freeze()
    gc.enable()
