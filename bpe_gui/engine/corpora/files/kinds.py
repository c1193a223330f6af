"""Tell by the name of a file what is in it: one text or many records, and how they are compressed."""

from pathlib import PurePath
from typing import Final, NamedTuple

from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import CorpusError

TEXT: Final = "text"
JSON_LINES: Final = "JSON lines"
PARQUET: Final = "Parquet"

_COMPRESSIONS: Final = {".gz": "gzip", ".bz2": "bzip2", ".zst": "Zstandard", ".zstd": "Zstandard"}
_CONTENTS: Final = {".jsonl": JSON_LINES, ".ndjson": JSON_LINES, ".parquet": PARQUET}


class FileKind(NamedTuple):
    """The content of a file, one of `TEXT`, `JSON_LINES` and `PARQUET`, and the name of its compression, if any."""

    content: str
    compression: str | None

    @property
    def has_records(self) -> bool:
        """Whether it contains records, each of which is a text of its own."""
        return self.content != TEXT

    @property
    def form(self) -> str | None:
        """The form of its bytes that can be damaged; None if any bytes can be right."""
        return PARQUET if self.content == PARQUET else self.compression


@checks_arguments(CorpusError)
def kind_of(path: PurePath) -> FileKind:
    """Return the kind of a file.

    Compressed `.json` is read as JSON Lines: data sets are published like that, and nothing else is so large.

    >>> kind_of(PurePath("a.jsonl.zst")), kind_of(PurePath("a.txt.gz")).compression, kind_of(PurePath("a.json")).content
    (FileKind(content='JSON lines', compression='Zstandard'), 'gzip', 'text')
    """
    compression = _COMPRESSIONS.get(path.suffix.lower())
    if compression:
        inner = PurePath(path.stem).suffix.lower()
        return FileKind(JSON_LINES if inner == ".json" else _CONTENTS.get(inner, TEXT), compression)
    return FileKind(_CONTENTS.get(path.suffix.lower(), TEXT), None)
