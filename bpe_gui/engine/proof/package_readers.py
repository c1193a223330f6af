"""Read a written file back: here, and with the package that it is meant for.

Packages are imported only here, and only when their readers are used. Whatever a package raises becomes an EngineError:
some panic, some exit. `save_caution` says what a package does not read from its files, so that wrong ids surprise
nobody.
"""

import logging
import os
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.formats import subword_nmt, tiktoken
from bpe_gui.engine.formats.ranks import rust_pattern
from bpe_gui.engine.formats.registry import FORMATS, format_named
from bpe_gui.engine.opening import load_files
from bpe_gui.engine.runtime.errors import EngineError, FormatError, how_to_install
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.config import DEFAULT_TEMPLATE
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .proof import OWN_READER, Encode, NotComparedError, Reader

_OF_FOLDERS: Final = frozenset(("tokenizer_class", "added_tokens_decoder", "added_tokens.json"))
"""What only says how the files of a folder belong together."""
_OF_GGUF: Final = frozenset(
    (
        *("add_bos_token", "add_eos_token", "chat_template", "chat_template.jinja", "model_max_length"),
        *("model_specific_special_tokens", "tokenizer.ggml.pre"),
    )
)
"""The settings that a GGUF file keeps besides the roles of special tokens."""
_MAX_NAMES: Final = 12

_Read = Callable[[Tokenizer, Sequence[Path]], Encode]
"""Has a package read the files of a tokenizer."""

_logger: Final = logging.getLogger(__name__)


def readers_for(tokenizer: Tokenizer, format: str, paths: Sequence[Path]) -> tuple[Reader, ...]:
    """Return the readers of the files that `save` wrote at `paths`, our own first. Nothing is read yet."""
    if format_named(format).load is None:
        return ()
    gives_ids = format != "subword-nmt"
    ours: Encode = tokenizer.encode
    if not gives_ids:  # codes of subword-nmt have no special tokens either
        special_ids = set(tokenizer.special_tokens.values())
        vocab = {token_id: token for token_id, token in tokenizer.vocab.items() if token_id not in special_ids}
        ours = partial(_segment, Tokenizer(vocab, tokenizer.merges, recipe=tokenizer.recipe))
    own_reader = Reader(OWN_READER, ours, lambda: _read_again(tokenizer, format, paths), gives_ids)
    if format not in _PACKAGES:
        return (own_reader,)
    package, read = _PACKAGES[format]
    return own_reader, Reader(_name_with_version(package), ours, lambda: _guarded(read, tokenizer, paths), gives_ids)


def _read_again(tokenizer: Tokenizer, format: str, paths: Sequence[Path]) -> Encode:
    if format == "subword-nmt":
        return partial(_segment, subword_nmt.load(paths[0]))
    if format == "tiktoken":  # the file has neither the pattern nor the special tokens
        splitter = tokenizer.as_pipeline.splitter or "none"
        return tiktoken.load(paths[0], pattern=splitter, special_tokens=tokenizer.special_tokens).encode
    return load_files(paths[0] if FORMATS[format].suffix else paths[0].parent, format).encode


def _name_with_version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # a slow import

    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package


# -- packages -----------------------------------------------------------------------------------------------------


def _import(module: str, package: str) -> Any:
    """Import a module of an optional package. Raise NotComparedError if that fails."""
    try:
        return import_module(module)
    except ImportError as error:
        raise NotComparedError(
            "Not installed, so this was not checked with it. {remedy}", remedy=how_to_install(package)
        ) from error
    except Exception as error:  # broken, or too old for this Python
        _logger.warning("Importing %s failed", module, exc_info=True)
        raise NotComparedError("The package cannot be imported: {reason}.", reason=error) from error


@contextmanager
def _errors_of_package() -> Iterator[None]:
    """Turn everything that a package raises into FormatError: panics of Rust and SystemExit are not Exceptions."""
    try:
        yield
    except (KeyboardInterrupt, EngineError):
        raise
    except BaseException as error:
        raise FormatError("The package reports an error: {reason}", reason=str(error) or repr(error)) from error


def _guarded(read: _Read, tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    """Have a package read files. Neither that nor encoding raises its errors."""
    with _errors_of_package():
        encode = read(tokenizer, paths)

    def guarded(text: str) -> Sequence[int | str]:
        with _errors_of_package():
            return encode(text)

    return guarded


def _read_by_byte_level_bpe(tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    """Read `vocab.json` and `merges.txt`, which do not name a splitter: the package assumes GPT-2's."""
    tokenizers = _import("tokenizers", "tokenizers")
    theirs = tokenizers.ByteLevelBPETokenizer.from_file(*map(str, paths[:2]))
    theirs.add_special_tokens([tokenizers.AddedToken(token, normalized=False) for token in tokenizer.special_tokens])
    return lambda text: theirs.encode(text).ids


def _read_by_tokenizers(_tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    theirs = _import("tokenizers", "tokenizers").Tokenizer.from_file(str(paths[0]))
    theirs.model.dropout = None  # it, too, encodes without chance then
    theirs.no_truncation()
    theirs.no_padding()
    return lambda text: theirs.encode(text).ids


def _read_by_transformers(tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    """Read a folder, which must also say the same about the tokenizer: roles, templates and other keys."""
    # Never download anything, and do not warn that PyTorch is missing.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    transformers = _import("transformers", "transformers")
    theirs = transformers.AutoTokenizer.from_pretrained(paths[0].parent, local_files_only=True)
    theirs.backend_tokenizer.model.dropout = None
    found = {role: str(token) for role, token in theirs.special_tokens_map.items()}
    template = theirs.chat_template
    templates = template if isinstance(template, dict) else {DEFAULT_TEMPLATE: template} if template else {}
    expected = {**tokenizer.config.roles} | {f"chat template {name}": t for name, t in tokenizer.chat_templates.items()}
    found |= {f"chat template {name}": text for name, text in templates.items()}
    for name, value in expected.items():
        if found.get(name) != value:
            raise FormatError(
                "The package reads {value!r} as {name}, which should be {expected!r}.",
                name=name,
                value=found.get(name),
                expected=value,
            )
    return lambda text: theirs(text)["input_ids"]


def _read_by_tiktoken(tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    encoding = _import("tiktoken", "tiktoken").Encoding(
        "tokenizer",
        pat_str=pattern_in_rust(tokenizer),
        mergeable_ranks=_ranks(paths[0]),
        special_tokens=tokenizer.special_tokens,
    )
    return lambda text: encoding.encode(text, allowed_special="all")


def pattern_in_rust(tokenizer: Tokenizer) -> str:
    """Return the regular expression with which tiktoken splits like `tokenizer`, which ranks can represent."""
    return rust_pattern(tokenizer.as_pipeline.splitter or "none")


def _ranks(path: Path) -> dict[bytes, int]:
    """Return the ranks in a file as tiktoken's own loader reads them, but without keeping a copy of the file."""
    lines = (line.split() for line in path.read_bytes().splitlines() if line)
    return {b64decode(token): int(rank) for token, rank in lines}


def _read_by_subword_nmt(_tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    package = _import("subword_nmt.apply_bpe", "subword-nmt")
    with paths[0].open(encoding="utf-8") as codes:
        theirs = package.BPE(codes)

    def segment(text: str) -> list[str]:
        return [token for line in _short_lines(text) for token in theirs.segment(line).split(" ") if token]

    return segment


def _read_by_sentencepiece(_tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    encode: Encode = _import("sentencepiece", "sentencepiece").SentencePieceProcessor(model_file=str(paths[0])).encode
    return encode


def _read_by_llama_cpp(_tokenizer: Tokenizer, paths: Sequence[Path]) -> Encode:
    theirs = _import("llama_cpp", "llama-cpp-python").Llama(model_path=str(paths[0]), vocab_only=True, verbose=False)
    return lambda text: theirs.tokenize(text.encode(), add_bos=True, special=True)


_PACKAGES: Final[dict[str, tuple[str, _Read]]] = {
    "gpt2": ("tokenizers", _read_by_byte_level_bpe),
    "huggingface": ("tokenizers", _read_by_tokenizers),
    "transformers": ("transformers", _read_by_transformers),
    "tiktoken": ("tiktoken", _read_by_tiktoken),
    "subword-nmt": ("subword-nmt", _read_by_subword_nmt),
    "sentencepiece": ("sentencepiece", _read_by_sentencepiece),
    "gguf": ("llama-cpp-python", _read_by_llama_cpp),
}
"""The package that reads each format, and the function that makes it do so, by the format's name."""


# -- tokens as subword-nmt prints them ----------------------------------------------------------------------------

_LINE: Final = re.compile(r"[^\r\n]{1,1000}")
_MARKER: Final = b"</w>"


def _short_lines(text: str) -> list[str]:
    """Return the lines of a text, split into pieces of at most 1,000 characters.

    A text without spaces is a single word, which takes subword-nmt quadratic time.

    >>> _short_lines("low\\r\\nlower")
    ['low', 'lower']
    """
    return _LINE.findall(text)


def _segment(tokenizer: Tokenizer, text: str) -> list[str]:
    """Return the tokens of a text as subword-nmt prints them: `low@@`, `er`. Symbols need no ids for this."""
    traces = (trace for line in _short_lines(text) for trace in tokenizer.trace(line))
    return [
        piece
        for trace in traces
        for piece in _with_continuation_marks(trace.steps[-1].symbols if trace.steps else trace.symbols)
    ]


def _with_continuation_marks(symbols: Iterable[bytes]) -> list[str]:
    """Return the symbols of a word as text, with `@@` after all but the last.

    >>> _with_continuation_marks([b"low", b"er</w>"])
    ['low@@', 'er']
    """
    *first, last = (symbol.decode() for symbol in symbols)
    return [*(symbol + "@@" for symbol in first), last.removesuffix(_MARKER.decode())]


# -- what to tell readers --------------------------------------------------------------------------------------------

_GPT2_SPECIAL: Final = "<|endoftext|>"
"""The only special token that programs know without being told."""


def save_caution(tokenizer: Tokenizer, format: str) -> FormatError | None:
    """Return what a reader of this format must be told to give the same ids, in a sentence; None if nothing.

    >>> save_caution(Tokenizer({0: b"l"}, [], recipe="cs336"), "huggingface")
    >>> print(save_caution(Tokenizer({0: b"l"}, [], ["<e>"], recipe="cs336"), "gpt2"))
    Other programs treat these special tokens as text unless told otherwise: '<e>'.
    """
    specials = tokenizer.special_tokens.keys()
    match format:
        case "minbpe" if tokenizer.recipe.splitter != "none" or specials:
            return FormatError(
                "After RegexTokenizer.load, minbpe still splits with the pattern that the RegexTokenizer was made "
                "with, not with the one on the file's second line. Make it with the file's pattern, or ids may differ."
            )
        case "tiktoken" if specials:
            return FormatError(
                "The file contains only ranks. tiktoken.Encoding needs the pattern, too, and these special tokens, "
                "which the file leaves out: {tokens}.",
                tokens=", ".join([*map(repr, islice(specials, _MAX_NAMES)), *["…"] * (len(specials) > _MAX_NAMES)]),
            )
        case "tiktoken":
            return FormatError(
                "The file contains only ranks. tiktoken.Encoding needs the pattern and the special tokens, too."
            )
        case "huggingface" | "transformers" if stripping := _strip_as_llama_cpp(tokenizer):
            return FormatError(
                "Next to these special tokens, llama.cpp removes spaces, tabs and new lines; other programs also "
                "remove white space beyond ASCII, such as U+00A0 and U+3000: {tokens}.",
                tokens=", ".join(map(repr, stripping)),
            )
        case "gpt2" if misread := misreading(tokenizer.recipe, format):
            return misread
        case "gpt2" if unknown := [token for token in specials if token != _GPT2_SPECIAL]:
            return FormatError(
                "Other programs treat these special tokens as text unless told otherwise: {tokens}.",
                tokens=", ".join(map(repr, unknown)),
            )
        case "gguf" if not _splits_as_llama_cpp(tokenizer):
            return FormatError(
                "llama.cpp does not take 'ſ for a contraction, as this tokenizer does. It splits all else alike."
            )
        case "subword-nmt" if specials:
            return FormatError(
                "subword-nmt has no special tokens. It treats these as text: {tokens}.",
                tokens=", ".join(map(repr, specials)),
            )
    return None


def _splits_as_llama_cpp(tokenizer: Tokenizer) -> bool:
    from bpe_gui.engine.formats import gguf  # not needed otherwise

    with suppress(FormatError):  # it cannot be saved at all
        return gguf.pre_of(tokenizer)[1]
    return True


def _strip_as_llama_cpp(tokenizer: Tokenizer) -> list[str]:
    """Return the special tokens next to which white space is removed as llama.cpp does."""
    added = tokenizer.as_pipeline.added_tokens
    stripping = [token.content for token in added if token.lstrip or token.rstrip]
    if stripping:
        from bpe_gui.engine.pipeline.longest_first import LongestFirstPipeline  # not needed otherwise

        return stripping if isinstance(tokenizer.pipeline, LongestFirstPipeline) else []
    return []


def left_out(tokenizer: Tokenizer, format: str) -> FormatError | None:
    """Return what a format does not keep of what a model's files say about its tokenizer, in a sentence.

    >>> tokenizer = Tokenizer({0: b"l"}, [], ["<e>"], recipe="cs336")
    >>> tokenizer = tokenizer.with_config(tokenizer.config.with_changes(eos_token="<e>"))
    >>> left_out(tokenizer, "transformers")
    >>> print(left_out(tokenizer, "gpt2"))
    The format gpt2 does not keep these settings of the model: eos_token. Save as transformers to keep them.
    """
    names = [name for name in (*tokenizer.config.values, *tokenizer.config.files) if name not in _OF_FOLDERS]
    if format == "gguf":
        names = [name for name in names if name not in (*tokenizer.config.roles, *_OF_GGUF)]
    if format == "transformers" or not names:
        return None
    return FormatError(
        "The format {format} does not keep these settings of the model: {names}. Save as transformers to keep them.",
        format=format,
        names=tuple(names[:_MAX_NAMES]) + ("…",) * (len(names) > _MAX_NAMES),
    )


def misreading(recipe: Recipe, format: str) -> FormatError | None:
    """Return why other programs give other ids with a tokenizer of this recipe, whatever they are told; None if not.

    >>> print(misreading(Recipe.of("minbpe"), "gpt2"))
    The files do not say how text is split. Other programs split it as GPT-2 does, and give other ids.
    """
    steps = (recipe.units, recipe.splitter, recipe.boundary, recipe.seeds, recipe.superwords_from)
    if format != "gpt2" or steps == ("bytes", "gpt2", "none", (), 0):
        return None
    return FormatError(
        "The files do not say how text is split. Other programs split it as GPT-2 does, and give other ids."
    )
