"""Check style, types, layers and workflows, on any system, with the extra `checks`: `python .ci/checks.py`."""

import os
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

CHECKS = (
    "ruff check .",
    "ruff check --preview --select PLW1514 .",  # files are opened with an encoding
    "ruff format --check .",
    "lint-imports",
    "mypy",
    "jactionlint --profile correctness --strict-exit",
    "python -m docs.build --without-pictures",
    # mypy follows only the branches of one system, and a cache holds only one.
    *(f"mypy --platform {system} --cache-dir .mypy_cache/{system} bpe_gui" for system in ("win32", "darwin")),
)

if find_spec("importlinter") is None:
    sys.exit("These checks need: pip install -e '.[test,checks]'.")

scripts, root = Path(sysconfig.get_path("scripts")), Path(__file__).parents[1]


def started(check: str) -> "subprocess.Popen[bytes]":
    """Start a check, whose output is kept until it is asked for."""
    name, *arguments = check.split()
    command = [scripts / name, *arguments]
    settings = os.environ | {"PYTHONUTF8": "1"}  # on Windows a pipe cannot take what lint-imports draws
    return subprocess.Popen(command, cwd=root, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


failed = []
for check, running in [(check, started(check)) for check in CHECKS]:  # all at once, since each uses one processor
    print(f"+ {check}", flush=True)
    sys.stdout.buffer.write(running.communicate()[0])
    if running.returncode:
        failed.append(check)
sys.stdout.flush()
sys.exit(f"failed: {', '.join(failed)}" if failed else 0)
