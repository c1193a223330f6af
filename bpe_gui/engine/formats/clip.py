"""The file of merges of OpenAI's CLIP and of OpenCLIP: `bpe_simple_vocab_16e6.txt.gz`.

The vocabulary follows from the merges, of which only the first are used; the steps are those of `CLIPTokenizer` in
`transformers`. Before these, CLIP's own program also repairs broken text (ftfy) and replaces entities of HTML.
"""

import gzip
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.bounded_json import JsonValue
from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.files import open_file
from bpe_gui.engine.runtime.printable import PRINTABLE
from bpe_gui.engine.tokenization.config import TokenizerConfig
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from . import tokenizer_json
from .files import MAX_BYTES, merge_in_line
from .transformers_classes import class_named

_MERGES: Final = 49_152 - 256 - 2
_END: Final = "</w>"
_SPECIAL_TOKENS: Final = ("<|startoftext|>", "<|endoftext|>")
_HEADER: Final = "#version"


def recognises(path: Path) -> bool:
    """Return whether a compressed file begins like one of this format. Raise FormatError."""
    with open_file(path) as file, suppress(zlib.error):
        return _HEADER in zlib.decompressobj(wbits=31).decompress(file.read(1 << 10), 1 << 10).decode(errors="replace")
    return False


def load(path: Path) -> Tokenizer:
    """Read a tokenizer from a file. Raise FormatError."""
    pairs = [merge_in_line(path, number, line) for number, line in enumerate(_lines(path)[1 : _MERGES + 1], start=2)]
    alphabet = sorted(PRINTABLE, key=ord)  # the bytes that are printable themselves come first
    tokens = [*alphabet, *(letter + _END for letter in alphabet), *map("".join, pairs), *_SPECIAL_TOKENS]
    values = {"tokenizer_class": "CLIPTokenizer"}
    _name, known = class_named(values, {})
    assert known is not None
    values |= known.roles
    root = known.steps(values)
    ids = {token: number for number, token in enumerate(tokens)}
    root["model"] |= {"vocab": ids, "merges": list(map(list, pairs))}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    root["added_tokens"] = [{"id": ids[token], "content": token, **flags, "special": True} for token in _SPECIAL_TOKENS]
    root["post_processor"] = known.post_processor(values, ids)
    note = EngineError(
        "CLIP's own program also repairs broken text and replaces entities of HTML, such as &amp;, before "
        "it splits a text. These steps are left out."
    )
    tokenizer = tokenizer_json.read(JsonValue(path, "", root), None)
    return tokenizer.with_config(TokenizerConfig(values)).with_notes([note])


def _lines(path: Path) -> list[str]:
    try:
        with open_file(path) as file, gzip.GzipFile(fileobj=file) as unpacked:
            data = unpacked.read(MAX_BYTES)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError("{path} is damaged: it cannot be decompressed.", path=path) from error
    try:
        return data.decode().rstrip("\n").split("\n")
    except UnicodeDecodeError as error:
        raise FormatError("{path} is not valid UTF-8.", path=path) from error
