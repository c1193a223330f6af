"""GGUF: read the tokenizer in a `*.gguf` model of llama.cpp, but not the weights.

Three kinds of tokenizers in these files are byte-pair encodings: `gpt2`, which merges bytes or, with a few named
splitters, characters; `gemma4`, which merges characters; and `llama`, SentencePiece's pieces with scores. The file
only names the patterns that split text: see `llama_cpp_splitters`.

Ids are those that llama.cpp gives with `add_special` and `parse_special`: special tokens are recognised in text, and
BOS and EOS tokens are added if the file says so. If it does not say, llama.cpp's default for this kind of tokenizer
applies, provided that the file names the token. Source: ggml-org/llama.cpp src/llama-vocab.cpp.

A file begins with its metadata: keys and values. We do not read them with the package `gguf`: it creates an
array for each part of each value, which takes 25 seconds and 690 MB for a vocabulary of 150,000 tokens, and it maps the
file into memory, which kills the process if the file gets shorter. Source: ggml-org/ggml docs/gguf.md.
"""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, NoReturn

import numpy as np

from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.decoders import ByteFallback, ByteLevelDecoder, Fuse, ReplaceDecoder
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.normalizers import Replace
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL, ByteLevel, Split
from bpe_gui.engine.pipeline.sentencepiece import SentencePieceDecoder, SentencePieceNormalizer, safe_splits
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import open_file
from bpe_gui.engine.runtime.printable import from_printable
from bpe_gui.engine.runtime.types import AnyArray
from bpe_gui.engine.tokenization.numbered_tokens import NumberedMerges, NumberedTokens, TokenList
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .llama_cpp_splitters import LLAMA_CPP_SPLITTERS, LlamaCppSplitter
from .recipe_pipelines import merges_make_all_tokens, recipe_of
from .sentencepiece import merges_from_scores
from .spelled_tokens import from_printable_each, spelled_merges, split_pairs, which_are_printable

# -- metadata -------------------------------------------------------------------------------------------------------

MAGIC: Final = b"GGUF"
VERSIONS: Final = (2, 3)

# The types of values
NUMBERS: Final = {
    0: "<u1",
    1: "<i1",
    2: "<u2",
    3: "<i2",
    4: "<u4",
    5: "<i4",
    6: "<f4",
    7: "?",
    10: "<u8",
    11: "<i8",
    12: "<f8",
}
STRING: Final = 8
ARRAY: Final = 9

_MAX_VALUES: Final = 1 << 16
_MAX_ITEMS: Final = 1 << 21  # of an array
_MAX_KEY_BYTES: Final = (1 << 16) - 1  # the limit of the format
_MAX_TOTAL_BYTES: Final = 1 << 26
"""The most bytes of all keys and values together; those of published models are up to 20 MB."""

_LENGTH_WIDTH: Final = 8  # bytes of the length of a string
_BLOCK: Final = 1 << 20  # bytes


class Metadata:
    """The values in a GGUF file whose keys begin with `prefix`, by the rest of the key.

    The constructor and all accessors raise FormatError; accessors do so for a missing value, or one of a wrong type.
    """

    def __init__(self, path: Path, prefix: str) -> None:
        self._path = path
        self._prefix = prefix
        with open_file(path) as file:
            self._values = _MetadataReader(path, file).read(prefix.encode())

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def string(self, key: str) -> str:
        """Return a string."""
        value = self._values.get(key)
        if not isinstance(value, bytes):
            raise FormatError("{path}: {key} must be a string.", **self.where(key))
        return self._decode(key, value)

    def boolean(self, key: str, default: bool) -> bool:
        """Return true or false, or `default` if the key is missing."""
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            raise FormatError("{path}: {key} must be true or false.", **self.where(key))
        return value

    def index(self, key: str, length: int) -> int:
        """Return a whole number from 0 to `length` - 1."""
        value = self._values.get(key)
        if type(value) is not int or not 0 <= value < length:
            raise FormatError(
                "{path}: {key} must be a non-negative integer less than {limit}.", **self.where(key), limit=length
            )
        return value

    def strings(self, key: str) -> list[str]:
        """Return a list of strings."""
        values = self._values.get(key)
        if not isinstance(values, list):
            raise FormatError("{path}: {key} must be a list of strings.", **self.where(key))
        try:
            return list(map(bytes.decode, values))
        except UnicodeDecodeError:
            return [self._decode(key, value) for value in values]  # raises

    def numbers(self, key: str, count: int) -> list[Any]:
        """Return a list of exactly `count` numbers."""
        values = self._values.get(key)
        if not isinstance(values, np.ndarray) or len(values) != count:
            raise FormatError("{path}: {key} must be a list of {count:,} numbers.", **self.where(key), count=count)
        numbers: list[Any] = values.tolist()
        return numbers

    def _decode(self, key: str, value: bytes) -> str:
        try:
            return value.decode()
        except UnicodeDecodeError as error:
            raise FormatError(
                "{path}: {key} contains {value!r}, which is not valid UTF-8.", **self.where(key), value=value
            ) from error

    def where(self, key: str) -> dict[str, object]:
        """Return the `path` and the whole `key`, for the sentence of an error about its value."""
        return {"path": self._path, "key": self._prefix + key}


class _MetadataReader:
    """A reader of keys and values in order that checks every stated size before reading that much."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._key = ""  # of the current value, for errors
        self._remaining_bytes = _MAX_TOTAL_BYTES

    def read(self, prefix: bytes) -> dict[str, Any]:
        """Return the values whose keys begin with `prefix`, by the rest of the key.

        A number or boolean is a Python value, a string is bytes; an array is a NumPy array or a list of bytes.
        """
        if self._file.read(len(MAGIC)) != MAGIC:
            raise FormatError("{path} is not a GGUF file: it does not start with GGUF.", path=self._path)
        version = self._read_integer(4)
        if version not in VERSIONS:
            raise FormatError(
                "{path} uses GGUF version {version}. Only versions 2 and 3 in little-endian byte order are supported.",
                path=self._path,
                version=version,
            )
        self._read_integer(8)  # the number of tensors
        values: dict[bytes, Any] = {}
        for _number in range(self._read_size(8, _MAX_VALUES)):
            key = self._read_bytes(self._read_size(8, _MAX_KEY_BYTES))
            self._key = _decode_key(key)
            value = self._read_value(self._read_integer(4))
            if key in values:
                raise FormatError("{path}: the key {key!r} occurs twice.", **self._where)
            values[key] = value if key.startswith(prefix) else None
        return {_decode_key(key.removeprefix(prefix)): value for key, value in values.items() if value is not None}

    def _read_value(self, kind: int) -> Any:
        if kind == STRING:
            return self._read_string()
        if kind == ARRAY:
            return self._read_array(self._read_integer(4), self._read_size(8, _MAX_ITEMS))
        return self._read_numbers(kind, 1)[0].item()

    def _read_array(self, kind: int, count: int) -> Any:
        return self._read_strings(count) if kind == STRING else self._read_numbers(kind, count)

    def _read_strings(self, count: int) -> list[bytes]:
        """Read strings a block at a time; those that do not end in their block are read one by one."""
        strings: list[bytes] = []
        while len(strings) < count:
            start = self._file.tell()
            block = self._file.read(min(_BLOCK, self._remaining_bytes))
            found, used = _strings_in(block, count - len(strings))
            self._file.seek(start + used)
            self._remaining_bytes -= used
            strings += found or [self._read_string()]
        return strings

    def _read_numbers(self, kind: int, count: int) -> AnyArray:
        if kind not in NUMBERS:
            raise FormatError("{path}: {key!r} has the unknown type {type}.", **self._where, type=kind)
        dtype = np.dtype(NUMBERS[kind])
        return np.frombuffer(self._read_bytes(count * dtype.itemsize), dtype)

    def _read_string(self) -> bytes:
        return self._read_bytes(self._read_integer(_LENGTH_WIDTH))

    def _read_size(self, width: int, limit: int) -> int:
        size = self._read_integer(width)
        if size > limit:
            raise FormatError(
                "{path}: the size {size:,} at {key!r} is over the limit of {most:,}.",
                **self._where,
                size=size,
                most=limit,
            )
        return size

    def _read_integer(self, width: int) -> int:
        """Read an unsigned little-endian number of `width` bytes."""
        return int.from_bytes(self._read_bytes(width), "little")

    def _read_bytes(self, size: int) -> bytes:
        self._remaining_bytes -= size
        if self._remaining_bytes < 0:
            raise FormatError(
                "{path}: at {key!r}, the keys and values exceed {most:,} bytes in total.",
                **self._where,
                most=_MAX_TOTAL_BYTES,
            )
        data = self._file.read(size)
        if len(data) < size:
            raise FormatError("{path} is truncated: it ends inside the value of {key!r}.", **self._where)
        return data

    @property
    def _where(self) -> dict[str, object]:
        return {"path": self._path, "key": self._key}


def _strings_in(block: bytes, most: int) -> tuple[list[bytes], int]:
    """Return up to `most` strings that are complete in a block of the file, and their size in bytes."""
    strings: list[bytes] = []
    at, size = 0, len(block)
    while len(strings) < most and at + _LENGTH_WIDTH <= size:
        start = at + _LENGTH_WIDTH
        end = start + int.from_bytes(block[at:start], "little")
        if end > size:
            break
        strings.append(block[start:end])
        at = end
    return strings, at


def _decode_key(key: bytes) -> str:
    return key.decode("utf-8", "backslashreplace")


# -- the tokenizer ---------------------------------------------------------------------------------------------------

_PREFIX: Final = "tokenizer.ggml."

# llama_token_type in llama.h
_NORMAL: Final = 1
_UNKNOWN: Final = 2
_CONTROL: Final = 3
_USER_DEFINED: Final = 4
_UNUSED: Final = 5
_SPECIAL_TYPES: Final = (_UNKNOWN, _CONTROL, _USER_DEFINED)
"""The types of tokens that are searched for in text before it is split."""

_BYTE_TOKENS: Final = frozenset(f"<0x{byte:02X}>" for byte in range(256))


def load(path: Path) -> Tokenizer:
    """Return the tokenizer of a model file. Raise FormatError."""
    metadata = Metadata(path, _PREFIX)
    kind = metadata.string("model")
    if kind not in ("gpt2", "gemma4", "llama"):
        raise FormatError(
            "{path}: {key} is {kind!r}. Only gpt2, gemma4 and llama are byte-pair encodings.",
            **metadata.where("model"),
            kind=kind,
        )
    vocabulary = _Vocabulary(metadata)
    if kind == "llama":
        return _llama_tokenizer(path, metadata, vocabulary)
    splitter = _splitter(metadata, kind)
    return (_byte_tokenizer if splitter.is_byte_level else _character_tokenizer)(metadata, vocabulary, splitter)


class _Vocabulary:
    """The tokens of a file by id, with their types."""

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata
        # llama.cpp's name for empty tokens.
        self.tokens = [text or f"[EMPTY_{token_id}]" for token_id, text in enumerate(metadata.strings("tokens"))]
        count = len(self.tokens)
        self.types: list[int] = metadata.numbers("token_type", count) if "token_type" in metadata else [_NORMAL] * count
        self.ids = dict(zip(self.tokens, range(count), strict=True))
        if len(self.ids) < count:
            self._refuse_repeated()

    def _refuse_repeated(self) -> NoReturn:
        """Raise FormatError for the first repeated token."""
        first_of: dict[str, int] = {}
        second = next(i for i, text in enumerate(self.tokens) if first_of.setdefault(text, i) != i)
        raise FormatError(
            "{path}: {key} contains {token!r} twice, with the ids {first} and {second}.",
            **self._metadata.where("tokens"),
            token=self.tokens[second],
            first=first_of[self.tokens[second]],
            second=second,
        )

    def of_types(self, *types: int) -> dict[str, int]:
        """Return the ids of the tokens that have one of these types."""
        return {self.tokens[token_id]: token_id for token_id in np.flatnonzero(np.isin(self.types, types)).tolist()}

    def added_tokens(self) -> tuple[AddedToken, ...]:
        """Return the tokens that are searched for in text before it is split."""
        return tuple(
            AddedToken(id=token_id, content=text, special=self.types[token_id] != _USER_DEFINED)
            for text, token_id in self.of_types(*_SPECIAL_TYPES).items()
        )

    def boundary_ids(self, kind: Literal["bos", "eos"], default: bool, always: bool = False) -> tuple[int, ...]:
        """Return a tuple of the id that is added at the beginning (`bos`) or end (`eos`) of a text, or an empty one.

        `default` says whether to add one if the file does not say, `always` whether to add it regardless of the file.
        """
        key = f"{kind}_token_id"
        is_added = always or self._metadata.boolean(f"add_{kind}_token", default and key in self._metadata)
        return (self._metadata.index(key, len(self.tokens)),) if is_added else ()


def _splitter(metadata: Metadata, kind: str) -> LlamaCppSplitter:
    """Return the splitter that the file names. `gemma4`, a kind of tokenizer, is also the name of its splitter."""
    name = kind if kind in LLAMA_CPP_SPLITTERS else metadata.string("pre") if "pre" in metadata else "default"
    splitter = LLAMA_CPP_SPLITTERS.get(name)
    if splitter is None:
        raise FormatError(
            "{path}: {key} is {name!r}, which is not a supported pre-tokenizer.", **metadata.where("pre"), name=name
        )
    return splitter


# -- gpt2: merges of bytes ----------------------------------------------------------------------------------------


def _byte_tokenizer(metadata: Metadata, vocabulary: _Vocabulary, splitter: LlamaCppSplitter) -> Tokenizer:
    # If a normal token has the same bytes as another one, merges must make the normal one: the later entry wins. Normal
    # tokens with characters that stand for no byte are entries that no text has.
    is_normal = np.array(vocabulary.types, np.int64) == _NORMAL
    is_spelled = is_normal & which_are_printable(vocabulary.tokens)
    spelled_last = np.argsort(is_spelled, kind="stable")
    ordered = [vocabulary.tokens[token_id] for token_id in spelled_last.tolist()]
    first = len(ordered) - int(np.count_nonzero(is_spelled))
    spelled = ordered[first:]
    tokens = TokenList.of([*map(str.encode, ordered[:first]), *from_printable_each(spelled)])
    vocab = NumberedTokens(spelled_last, tokens)
    merges = _read_merges(metadata, spelled, tokens)
    special_tokens = vocabulary.of_types(*_SPECIAL_TYPES)
    pipeline = Pipeline(
        added_tokens=vocabulary.added_tokens(),
        pre_tokenizers=(*(Split(pattern, "isolated") for pattern in splitter.patterns), ByteLevel()),
        model=ModelOptions(is_byte_level=True, ignores_merges=splitter.ignores_merges),
        decoders=(ByteLevelDecoder(),),
        ids_before=vocabulary.boundary_ids("bos", splitter.adds_bos),
        ids_after=vocabulary.boundary_ids("eos", False),
        raw_ids=frozenset(np.flatnonzero(is_normal & ~is_spelled).tolist()),
    )
    recipe = None if pipeline.raw_ids else recipe_of(pipeline)
    if recipe:
        tokenizer = Tokenizer(vocab, merges, special_tokens, recipe=recipe)
        if not splitter.ignores_merges or merges_make_all_tokens(tokenizer):
            return tokenizer
    return Tokenizer(vocab, merges, special_tokens, pipeline=pipeline)


def _read_merges(metadata: Metadata, spelled: Sequence[str], tokens: TokenList) -> Sequence[tuple[bytes, bytes]]:
    """Return the merges. In nearly all files, these are merges of spelled tokens, which come last in `tokens`."""
    texts = metadata.strings("merges")
    pairs = split_pairs(texts)
    merges = spelled_merges(*pairs, spelled) if pairs else None
    if merges is not None:
        return NumberedMerges(tokens, *(column + (len(tokens) - len(spelled)) for column in merges))
    parsed = (_parse_merge(metadata, rank, text) for rank, text in enumerate(texts))
    return [merge for merge in parsed if merge is not None]


def _parse_merge(metadata: Metadata, rank: int, text: str) -> tuple[bytes, bytes] | None:
    """Return a merge; None for one of characters that stand for no byte, which no text needs."""
    left, _space, right = text.partition(" ")
    if not left or not right or " " in right:
        raise FormatError(
            "{path}: merge {rank} of {key}, {text!r}, is not two tokens separated by a space.",
            **metadata.where("merges"),
            rank=rank,
            text=text,
        )
    try:
        return from_printable(left), from_printable(right)
    except KeyError:
        return None


# -- gpt2 and gemma4: merges of characters ------------------------------------------------------------------------


def _character_tokenizer(metadata: Metadata, vocabulary: _Vocabulary, splitter: LlamaCppSplitter) -> Tokenizer:
    tokens = {text: text.encode() for text in vocabulary.tokens}
    texts = metadata.strings("merges")
    pairs = split_pairs(texts)
    merges = spelled_merges(*pairs, tokens) if pairs else None
    if merges is None:
        raise FormatError("{path}: {key} must be pairs of tokens that make a token.", **metadata.where("merges"))
    before = vocabulary.boundary_ids("bos", splitter.adds_bos, splitter.always_adds_bos)
    after = vocabulary.boundary_ids("eos", False)
    vocab = NumberedTokens.of(dict(enumerate(tokens.values())))
    tokenizer = Tokenizer(
        vocab,
        merges.of_bytes(tokens, tokens, vocab.tokens),
        vocabulary.of_types(*_SPECIAL_TYPES),
        pipeline=Pipeline(
            added_tokens=vocabulary.added_tokens(),
            normalizers=(Replace(" ", SPACE_SYMBOL),),
            pre_tokenizers=tuple(Split(pattern, "isolated") for pattern in splitter.patterns),
            model=ModelOptions(falls_back_to_bytes=True),
            decoders=(ReplaceDecoder(SPACE_SYMBOL, " "), ByteFallback(), Fuse()),
            ids_before=before,
            ids_after=after,
        ),
    )
    # llama.cpp looks up runs of line breaks, but no other words, before merging; real files have merges that agree.
    for text, token_id in vocabulary.of_types(_NORMAL).items():
        if not text.strip("\n") and tokenizer.encode(text) != [*before, token_id, *after]:
            raise FormatError(
                "{path}: {key} has no merges that make the token {token!r}.", **metadata.where("merges"), token=text
            )
    return tokenizer


# -- llama: pieces with scores ------------------------------------------------------------------------------------


def _llama_tokenizer(path: Path, metadata: Metadata, vocabulary: _Vocabulary) -> Tokenizer:
    count = len(vocabulary.tokens)
    scores = metadata.numbers("scores", count) if "scores" in metadata else [0.0] * count
    if not all(map(isfinite, scores)):
        raise FormatError("{path}: {key} must contain only finite numbers.", **metadata.where("scores"))
    pieces = vocabulary.of_types(_NORMAL, _UNUSED)
    scored = merges_from_scores(path, {piece: scores[token_id] for piece, token_id in pieces.items()})
    normalizer = SentencePieceNormalizer(
        adds_dummy_prefix=metadata.boolean("add_space_prefix", True), removes_extra_whitespaces=False
    )
    has_bytes = vocabulary.ids.keys() >= _BYTE_TOKENS
    pipeline = Pipeline(
        added_tokens=vocabulary.added_tokens(),
        normalizers=(normalizer,),
        pre_tokenizers=safe_splits(scored.pieces) if SPACE_SYMBOL in pieces else (),
        model=ModelOptions(falls_back_to_bytes=has_bytes, fuses_unknown=True),
        decoders=(SentencePieceDecoder(normalizer=normalizer, has_byte_pieces=has_bytes),),
        ids_before=vocabulary.boundary_ids("bos", True),
        ids_after=vocabulary.boundary_ids("eos", False),
    )
    return Tokenizer(
        {token_id: text.encode() for token_id, text in enumerate(vocabulary.tokens)},
        scored.merges,
        vocabulary.of_types(*_SPECIAL_TYPES),
        unknown_id=_unknown_id(metadata, vocabulary),
        pipeline=pipeline,
        other_merges=scored.shared_ranks,
    )


def _unknown_id(metadata: Metadata, vocabulary: _Vocabulary) -> int | None:
    if "unknown_token_id" in metadata:
        return metadata.index("unknown_token_id", len(vocabulary.tokens))
    return next(iter(vocabulary.of_types(_UNKNOWN).values()), None)
