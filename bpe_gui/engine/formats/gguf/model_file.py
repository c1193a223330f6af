"""GGUF, the files of llama.cpp: the tokenizer inside a model, whose weights are not read.

Two of its kinds are byte-pair encodings: `gpt2`, merges of bytes, and `llama`, SentencePiece's pieces with scores. What
text is cut by is a name only, see `llama_splitters`. Ids are those of llama.cpp where it adds and looks for special
tokens: all of them are cut out of the text, and those for its beginning and end are put around it if the file says so,
or, of kinds for which llama.cpp does that anyway, if it says which these are.
Source: ggml-org/llama.cpp src/llama-vocab.cpp.
"""

from math import isfinite
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.pipeline import AddedToken, Model, Pipeline
from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder
from bpe_gui.engine.pipeline.fast_splits import SPACE
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, Split
from bpe_gui.engine.formats.recipe_to_pipeline import merges_make_all_tokens, recipe_of
from bpe_gui.engine.pipeline.sentencepiece import PieceDecoder, WhiteSpace, word_cuts
from bpe_gui.engine.runtime.printable import from_printable
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.formats.gguf.metadata import Values
from bpe_gui.engine.formats.gguf.llama_cpp_splitters import SPLITTERS_BY_NAME
from bpe_gui.engine.formats.ranks import Merge
from bpe_gui.engine.formats.sentencepiece.merges_from_scores import merges_by_score

SUFFIX: Final = ".gguf"
FILE: Final = "model.gguf"
"""The name where only a folder is given."""

_PREFIX: Final = "tokenizer.ggml."

# Types of tokens
_NORMAL: Final = 1
_UNKNOWN: Final = 2
_CONTROL: Final = 3
_USER_DEFINED: Final = 4
_UNUSED: Final = 5
_CUT_OUT: Final = (_UNKNOWN, _CONTROL, _USER_DEFINED)

_BYTES: Final = frozenset(f"<0x{byte:02X}>" for byte in range(256))


def load(path: Path) -> Tokenizer:
    """Read the tokenizer of a model, or of the one in a folder. Raises FormatError."""
    file = path / FILE if path.is_dir() else path
    values = Values(file, _PREFIX)
    kind = values.text("model")
    if kind not in ("gpt2", "llama"):
        raise values.wrong(
            "model",
            _("EngineError", "{path}: {key} is {kind!r}; only gpt2 and llama are byte-pair encodings."),
            kind=kind,
        )
    tokens = _Tokens(values)
    return _of_bytes(values, tokens) if kind == "gpt2" else _of_pieces(file, values, tokens)


class _Tokens:
    """The tokens of a file by id, with their types."""

    def __init__(self, values: Values) -> None:
        self._values = values
        # As llama.cpp names those that are empty.
        self.texts = [text or f"[EMPTY_{token_id}]" for token_id, text in enumerate(values.texts("tokens"))]
        count = len(self.texts)
        self.types: list[int] = values.numbers("token_type", count) if "token_type" in values else [_NORMAL] * count
        self.ids: dict[str, int] = {}
        for token_id, text in enumerate(self.texts):
            if self.ids.setdefault(text, token_id) != token_id:
                raise values.wrong(
                    "tokens",
                    _("EngineError", "{path}: {key} has {token!r} twice, as {first} and as {second}."),
                    token=text,
                    first=self.ids[text],
                    second=token_id,
                )

    def of_types(self, *types: int) -> dict[str, int]:
        """The tokens of these types with their ids."""
        return {text: token_id for text, token_id in self.ids.items() if self.types[token_id] in types}

    def added(self) -> tuple[AddedToken, ...]:
        """Those that are cut out of the text."""
        return tuple(
            AddedToken(id=token_id, content=text, special=self.types[token_id] != _USER_DEFINED)
            for text, token_id in self.of_types(*_CUT_OUT).items()
        )

    def around(self, which: str, default: bool) -> tuple[int, ...]:
        """The id that is put around texts: `bos` in front of them, `eos` behind."""
        key = f"{which}_token_id"
        is_added = self._values.flag(f"add_{which}_token", default and key in self._values)
        return (self._values.whole(key, len(self.texts)),) if is_added else ()


# -- merges of bytes ----------------------------------------------------------------------------------------------


def _of_bytes(values: Values, tokens: _Tokens) -> Tokenizer:
    name = values.text("pre") if "pre" in values else "default"
    splitter = SPLITTERS_BY_NAME.get(name)
    if splitter is None:
        raise values.wrong(
            "pre", _("EngineError", "{path}: {key} is {name!r}; how that splits text is not known here."), name=name
        )
    # Of two tokens that are the same bytes, merges lead to the one that is none to cut out: it comes last.
    order = sorted(range(len(tokens.texts)), key=lambda token_id: tokens.types[token_id] == _NORMAL)
    vocab = {token_id: _bytes_of(values, tokens, token_id) for token_id in order}
    merges = [_merge(values, rank, text) for rank, text in enumerate(values.texts("merges"))]
    special = tokens.of_types(*_CUT_OUT)
    pipeline = Pipeline(
        added_tokens=tokens.added(),
        pre_tokenizers=(*(Split(pattern, "isolated") for pattern in splitter.patterns), ByteLevel()),
        model=Model(is_byte_level=True, ignores_merges=splitter.ignores_merges),
        decoders=(ByteLevelDecoder(),),
        before=tokens.around("bos", splitter.adds_first),
        after=tokens.around("eos", False),
    )
    if recipe := recipe_of(pipeline):
        tokenizer = Tokenizer(vocab, merges, special, recipe=recipe)
        if not splitter.ignores_merges or merges_make_all_tokens(tokenizer):
            return tokenizer
    return Tokenizer(vocab, merges, special, pipeline=pipeline)


def _bytes_of(values: Values, tokens: _Tokens, token_id: int) -> bytes:
    text = tokens.texts[token_id]
    if tokens.types[token_id] != _NORMAL:
        return text.encode()
    try:
        return from_printable(text)
    except KeyError as error:
        raise values.wrong(
            "tokens",
            _("EngineError", "{path}: token {id} of {key}, {token!r}, has {character}, which stands for no byte."),
            id=token_id,
            token=text,
            character=error,
        ) from error


def _merge(values: Values, rank: int, text: str) -> Merge:
    left, _space, right = text.partition(" ")
    try:
        merge = from_printable(left), from_printable(right)
    except KeyError:
        merge = b"", b""
    if not all(merge):
        raise values.wrong(
            "merges",
            _("EngineError", "{path}: merge {rank} of {key}, {text!r}, is not two tokens with a space between."),
            rank=rank,
            text=text,
        )
    return merge


# -- pieces with scores -------------------------------------------------------------------------------------------


def _of_pieces(path: Path, values: Values, tokens: _Tokens) -> Tokenizer:
    count = len(tokens.texts)
    scores = values.numbers("scores", count) if "scores" in values else [0.0] * count
    if not all(map(isfinite, scores)):
        raise values.wrong("scores", _("EngineError", "{path}: {key} must be numbers."))
    pieces = tokens.of_types(_NORMAL, _UNUSED)
    merges = merges_by_score(path, {piece: scores[token_id] for piece, token_id in pieces.items()})
    unknown = _unknown_id(values, tokens)
    white_space = WhiteSpace(adds_prefix=values.flag("add_space_prefix", True), removes_extra=False)
    has_bytes = tokens.ids.keys() >= _BYTES
    pipeline = Pipeline(
        added_tokens=tokens.added(),
        normalizers=(white_space,),
        pre_tokenizers=word_cuts((left + right).decode() for left, right in merges.merges) if SPACE in pieces else (),
        model=Model(falls_back_to_bytes=has_bytes, fuses_unknown=True),
        decoders=(PieceDecoder(white_space=white_space, has_bytes=has_bytes),),
        before=tokens.around("bos", True),
        after=tokens.around("eos", False),
    )
    return Tokenizer(
        {token_id: text.encode() for token_id, text in enumerate(tokens.texts)},
        merges.merges,
        tokens.of_types(*_CUT_OUT),
        unknown_id=unknown,
        pipeline=pipeline,
        other_merges=merges.shared,
    )


def _unknown_id(values: Values, tokens: _Tokens) -> int | None:
    """The token for what has none, if there is one."""
    if "unknown_token_id" in values:
        return values.whole("unknown_token_id", len(tokens.texts))
    return next(iter(tokens.of_types(_UNKNOWN).values()), None)
