"""Build the site in every language: `python -m docs.build [FOLDER]`, by default into `build/site`.

Takes the pictures of the window first, and fails on every warning of Sphinx, such as a dead link between pages.
"""

import subprocess
import sys
from pathlib import Path
from typing import Final

LANGUAGES: Final = ("en", "zh_CN")
HERE: Final = Path(__file__).parent
FIRST_PAGE: Final = '<!doctype html><meta http-equiv="refresh" content="0; url=en/index.html">'


def main() -> None:
    target = Path(sys.argv[1]) if sys.argv[1:] else HERE.parent / "build" / "site"
    for language in LANGUAGES:
        subprocess.run([sys.executable, "-m", "docs.pictures", language], check=True, cwd=HERE.parent)
        sphinx = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q"]
        subprocess.run(
            [*sphinx, "-c", HERE, "-D", f"language={language}", HERE / language, target / language], check=True
        )
    (target / "index.html").write_text(FIRST_PAGE, encoding="utf-8")


if __name__ == "__main__":
    main()
