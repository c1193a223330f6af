"""Make the animation, in which a run is stepped and dragged: `python -m docs.animation` makes that of the README,
`python -m docs.animation zh_CN` that of the Chinese site.

It needs ImageMagick's `convert`, and the fonts that the README names.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PySide6.QtTest import QTest

from bpe_gui.gui.main_window import MainWindow

from .screenshot import FACTS_DELAY, TEXT, pictured_window

SHOWN_STEPS: Final = 5  # taken one by one
LAST_STEP: Final = 400
DRAG_FRAMES: Final = 14
WIDTH: Final = 800  # pixels; the window is 1280 wide


def main(language: str = "en") -> None:
    suffix = ".gif" if language == "en" else f".{language}.gif"
    picture = Path(__file__).with_name("animation").with_suffix(suffix)
    with pictured_window(language) as window, TemporaryDirectory() as folder:
        arguments = ["convert", "-loop", "0"]
        for number, delay in enumerate(frames(window)):
            frame = str(Path(folder) / f"{number:03}.png")
            window.grab().save(frame)
            arguments += ["-delay", str(delay), frame]
        colours = ["-resize", str(WIDTH), "-dither", "None", "-colors", "64", "-layers", "optimize"]
        subprocess.run([*arguments, *colours, str(picture)], check=True)


def frames(window: MainWindow) -> Iterator[int]:
    """Bring the window into the state of one frame after another; yield how long each is shown, in 1/100 s."""
    window.session.text.set_content(TEXT)
    QTest.qWait(300)
    yield 120
    for _step in range(SHOWN_STEPS):
        window.step()
        QTest.qWait(60)  # the parts of the merge draw together
        yield 12
        QTest.qWait(700)
        yield 60
    go_to(window, LAST_STEP)
    for frame in [*range(DRAG_FRAMES, -1, -1), *range(DRAG_FRAMES + 1)]:
        go_to(window, LAST_STEP * frame // DRAG_FRAMES)
        yield 8
    QTest.qWait(FACTS_DELAY)
    yield 200


def go_to(window: MainWindow, step: int) -> None:
    window.session.cursor.seek(step)
    while window.session.cursor.position != step:
        QTest.qWait(1)
    QTest.qWait(20)


if __name__ == "__main__":
    main(*sys.argv[1:])
