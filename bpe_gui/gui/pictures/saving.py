"""Writing a file that is there whole, or not at all."""

from pathlib import Path

from PySide6.QtCore import QIODevice, QSaveFile

from bpe_gui.engine.errors import FormatError
from bpe_gui.engine.errors import translatable as _


def save_whole(path: Path, data: bytes) -> None:
    """Write a file, or leave what is there as it was. Raises FormatError."""
    file = QSaveFile(str(path))
    if file.open(QIODevice.OpenModeFlag.WriteOnly):
        file.write(data)
        if file.commit():
            return
    raise FormatError(
        _("EngineError", "{path} cannot be written: {reason}. Nothing was changed."),
        path=path,
        reason=file.errorString(),
    )
