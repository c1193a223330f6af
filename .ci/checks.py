"""Check style, types and layers, on any system: `python .ci/checks.py`."""

import subprocess
import sys
import sysconfig
from pathlib import Path

CHECKS = (
    "ruff check .",
    "ruff check --preview --select PLW1514 .",  # files are opened with an encoding
    "ruff format --check .",
    "mypy",
    "lint-imports",
)

scripts, root = Path(sysconfig.get_path("scripts")), Path(__file__).parents[1]
failed = []
for check in CHECKS:
    print(f"+ {check}", flush=True)
    name, *arguments = check.split()
    if subprocess.run([scripts / name, *arguments], cwd=root).returncode:
        failed.append(name)
sys.exit(f"failed: {', '.join(failed)}" if failed else 0)
