"""What the scripts in packaging/ do that can be tried without a package."""

import subprocess
import sys
from pathlib import Path

START = Path(__file__).parents[1] / "packaging" / "start.py"


def test_a_program_is_started_by_a_relative_path(tmp_path: Path) -> None:
    (tmp_path / "fails.py").write_text("import sys; sys.exit(7)\n", "utf-8")
    done = subprocess.run(
        [sys.executable, START, sys.executable, "fails.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.endswith("ends with 7.\n")
