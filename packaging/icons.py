"""Draw the icon in the usual sizes and formats: `python packaging/icons.py FOLDER`, where PySide6 is installed."""

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SOURCE = Path(__file__).parents[1] / "resources" / "icons" / "bpe-gui.svg"

app = QGuiApplication([*sys.argv[:1], "-platform", "minimal"])
folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name in [*(f"{size}.png" for size in (16, 22, 24, 32, 48, 64, 128, 256, 512)), "256.ico", "512.icns"]:
    size = int(name.split(".")[0])
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(SOURCE)).render(painter)
    painter.end()
    if not image.save(str(folder / name)):
        sys.exit(f"{name} cannot be written.")
