"""Who reads a file that was written: we ourselves, and the package that it is meant for.

The packages are imported only here and only when they are asked. What they raise, and how they end, is said in a
sentence: some panic, some exit.
"""

import os
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.formats import FORMATS, load, subword_nmt, tiktoken
from bpe_gui.engine.formats.ranks import Words
from bpe_gui.engine.pipeline import Pipeline
from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

Encode = Callable[[str], Sequence[int | str]]
"""A text to ids, or to tokens. Raises EngineError for a text that cannot be encoded."""


OURSELVES: Final = "bpe-gui"
"""The name of the reader that we are."""


class UntriedError(EngineError):
    """A reader was not asked: it is not installed, or not meant for such a tokenizer."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One who reads the file: `load` reads it and gives how it encodes, which must be how `ours` does.

    Both give tokens instead of ids where files hold no ids.
    """

    name: str
    ours: Encode
    load: Callable[[], Encode]
    knows_ids: bool = True


def readers(tokenizer: Tokenizer, format: str, paths: Sequence[Path]) -> tuple[Reader, ...]:
    """Who can read the files that `save` wrote at `paths`, ourselves first. Nothing is read yet."""
    known = FORMATS[format]
    if known.load is None:
        return ()
    knows_ids = format != "subword-nmt"
    # Codes hold no special tokens either.
    ours = tokenizer.encode if knows_ids else partial(_segmented, _without_special_tokens(tokenizer))
    again = Reader(OURSELVES, ours, lambda: _read_again(tokenizer, format, paths), knows_ids)
    if format not in _PACKAGES:
        return (again,)
    package, read = _PACKAGES[format]
    return again, Reader(_with_version(package), ours, lambda: read(tokenizer, paths), knows_ids)


def _read_again(tokenizer: Tokenizer, format: str, paths: Sequence[Path]) -> Encode:
    if format == "subword-nmt":
        return partial(_segmented, subword_nmt.load(paths[0]))
    if format == "tiktoken":  # ranks say neither how text is split nor which tokens are special
        return tiktoken.load(paths[0], pattern=_splitter(tokenizer), special_tokens=tokenizer.special_tokens).encode
    return load(paths[0] if FORMATS[format].suffix else paths[0].parent, format).encode


def _with_version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package


# -- the packages -------------------------------------------------------------------------------------------------


def _imported(module: str, package: str) -> Any:
    """A module of a package that need not be there. Raises UntriedError."""
    try:
        return import_module(module)
    except ImportError as error:
        raise UntriedError(
            _("EngineError", "It is not installed here; `pip install {package}` would let it be asked."),
            package=package,
        ) from error
    except Exception as error:  # broken, or too old for this Python
        raise UntriedError(_("EngineError", "It cannot be used here: {reason}."), reason=error) from error


@contextmanager
def _said_by(package: str) -> Iterator[None]:
    """What a package raises, as an EngineError. Panics of Rust and `sys.exit` are no Exceptions."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise FormatError(_("EngineError", "It refuses this: {reason}"), reason=str(error) or repr(error)) from error


def _careful(package: str, encode: Encode) -> Encode:
    def encoded(text: str) -> Sequence[int | str]:
        with _said_by(package):
            return encode(text)

    return encoded


def _byte_level(tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    """`vocab.json` and `merges.txt` say nothing of splitters: whoever reads them takes them for GPT-2's."""
    recipe = tokenizer.recipe
    if (recipe.units, recipe.splitter, recipe.boundary) != ("bytes", "gpt2", "none"):
        raise UntriedError(
            _(
                "EngineError",
                "The package takes such files for bytes split as GPT-2 splits; this tokenizer is of another kind.",
            )
        )
    tokenizers = _imported("tokenizers", "tokenizers")
    vocab, merges = paths[:2]
    with _said_by("tokenizers"):
        read = tokenizers.ByteLevelBPETokenizer.from_file(str(vocab), str(merges))
        read.add_special_tokens([tokenizers.AddedToken(token, normalized=False) for token in tokenizer.special_tokens])
    return _careful("tokenizers", lambda text: read.encode(text).ids)


def _hugging_face(_tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    tokenizers = _imported("tokenizers", "tokenizers")
    with _said_by("tokenizers"):
        read = tokenizers.Tokenizer.from_file(str(paths[0]))
    return _careful("tokenizers", lambda text: read.encode(text).ids)


def _transformers(_tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    # Nothing is ever fetched, and that there is no PyTorch is none of our business.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    transformers = _imported("transformers", "transformers")
    with _said_by("transformers"):
        read = transformers.AutoTokenizer.from_pretrained(paths[0].parent, local_files_only=True)
    return _careful("transformers", lambda text: read(text)["input_ids"])


def _tiktoken(tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    package = _imported("tiktoken", "tiktoken")
    with _said_by("tiktoken"):
        encoding = package.Encoding(
            "tokenizer",
            pat_str=pattern_in_rust(tokenizer),
            mergeable_ranks=_ranks(paths[0]),
            special_tokens=tokenizer.special_tokens,
        )
    return _careful("tiktoken", lambda text: encoding.encode(text, allowed_special="all"))


def pattern_in_rust(tokenizer: Tokenizer) -> str:
    """The regular expression by which tiktoken splits as a tokenizer does that ranks can hold."""
    return _in_rust(_splitter(tokenizer))


def _splitter(tokenizer: Tokenizer) -> str:
    """The splitter of a tokenizer that ranks can hold."""
    match tokenizer.pipeline:
        case Pipeline(pre_tokenizers=(Words(splitter), *_bytes)):
            return splitter
    return tokenizer.recipe.splitter


_PART: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]])*+\]|\$", re.DOTALL)
_ENDS: Final = {r"\Z": r"\z", "$": r"(?=\n?\z)"}


def _in_rust(splitter: str) -> str:
    r"""The regular expression of a splitter for Rust, which spells the end of a text in another way.

    >>> _in_rust(r"[$]+|\w+$|\s+\Z")
    '[$]+|\\w+(?=\\n?\\z)|\\s+\\z'
    """
    return _PART.sub(lambda part: _ENDS.get(part[0], part[0]), SPLITTERS.get(splitter, splitter))


def _ranks(path: Path) -> dict[bytes, int]:
    """The ranks by the rules of tiktoken's own loader, which would keep a copy of the file."""
    lines = (line.split() for line in path.read_bytes().splitlines() if line)
    return {b64decode(token): int(rank) for token, rank in lines}


def _subword_nmt(_tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    package = _imported("subword_nmt.apply_bpe", "subword-nmt")
    with _said_by("subword-nmt"), paths[0].open(encoding="utf-8") as codes:
        read = package.BPE(codes)

    def segmented(text: str) -> list[str]:
        return [token for line in _lines(text) for token in read.segment(line).split(" ") if token]

    return _careful("subword-nmt", segmented)


_PACKAGES: Final[dict[str, tuple[str, Callable[[Tokenizer, Sequence[Path]], Encode]]]] = {
    "gpt2": ("tokenizers", _byte_level),
    "huggingface": ("tokenizers", _hugging_face),
    "transformers": ("transformers", _transformers),
    "tiktoken": ("tiktoken", _tiktoken),
    "subword-nmt": ("subword-nmt", _subword_nmt),
}
"""By the names of formats: the package that reads such files, and how."""


# -- tokens as subword-nmt prints them ----------------------------------------------------------------------------

_LINE: Final = re.compile(r"[^\r\n]{1,1000}")
_MARKER: Final = b"</w>"


def _without_special_tokens(tokenizer: Tokenizer) -> Tokenizer:
    special = set(tokenizer.special_tokens.values())
    vocab = {token_id: token for token_id, token in tokenizer.vocab.items() if token_id not in special}
    return Tokenizer(vocab, tokenizer.merges, recipe=tokenizer.recipe)


def _lines(text: str) -> list[str]:
    """The lines of a text. Long ones are cut: a text without spaces is one word, over which subword-nmt sits for hours.

    >>> _lines("low\\r\\nlower")
    ['low', 'lower']
    """
    return _LINE.findall(text)


def _segmented(tokenizer: Tokenizer, text: str) -> list[str]:
    """The tokens of a text as subword-nmt prints them: `low@@`, `er`. No symbol needs an id for that."""
    words = (word for line in _lines(text) for word in tokenizer.trace(line))
    return [piece for word in words for piece in _pieces(word.steps[-1].symbols if word.steps else word.symbols)]


def _pieces(symbols: Iterable[bytes]) -> list[str]:
    """
    >>> _pieces([b"low", b"er</w>"])
    ['low@@', 'er']
    """
    *parts, last = (symbol.decode() for symbol in symbols)
    return [*(part + "@@" for part in parts), last.removesuffix(_MARKER.decode())]
