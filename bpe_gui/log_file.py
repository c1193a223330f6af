"""The file that the window logs to."""

from contextlib import suppress
from logging import LogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path


class QuietFileHandler(RotatingFileHandler):
    """A rotating file that drops what it cannot write: a log must never disturb the program."""

    def emit(self, record: LogRecord) -> None:
        if self.stream is None:
            with suppress(OSError):
                Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        super().emit(record)

    def rotate(self, source: str, dest: str) -> None:
        """Rename the file; continue it where that is forbidden, as on Windows while another window has it open."""
        with suppress(PermissionError):
            super().rotate(source, dest)

    def handleError(self, record: LogRecord) -> None:  # noqa: N802 - the name that logging calls
        """Drop the record."""
