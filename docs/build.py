"""Build the site in every language: `python -m docs.build [FOLDER] [--without-pictures]`, by default `build/site`.

Takes the pictures of the window first, unless told not to, and fails on every warning of Sphinx, such as a dead link.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Final

LANGUAGES: Final = ("en", "zh_CN")
HERE: Final = Path(__file__).parent
FIRST_PAGE: Final = '<!doctype html><meta http-equiv="refresh" content="0; url=en/index.html">'


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m docs.build")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE.parent / "build" / "site")
    parser.add_argument("--without-pictures", action="store_true")
    options = parser.parse_args()
    if not options.without_pictures:
        for language in LANGUAGES:
            subprocess.run([sys.executable, "-m", "docs.pictures", language], check=True, cwd=HERE.parent)
    pictures = ["-D", "suppress_warnings=image.not_readable"] if options.without_pictures else []
    builds = [
        subprocess.Popen(
            [
                # All pages anew (-E): some have what the program says.
                *(sys.executable, "-m", "sphinx", "-b", "html", "-E", "-W", "--keep-going", "-q", *pictures),
                *("-c", HERE, "-D", f"language={language}", HERE / language, options.folder / language),
            ],
            cwd=HERE.parent,
        )
        for language in LANGUAGES
    ]
    if {build.wait() for build in builds} != {0}:
        sys.exit("The site has warnings.")
    (options.folder / "index.html").write_text(FIRST_PAGE, encoding="utf-8")


if __name__ == "__main__":
    main()
