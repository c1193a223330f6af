"""The command line: train, encode, decode and inspect without a window. It imports no Qt.

Results go to standard output as bytes, UTF-8 whatever the system's encoding; what is said to a person goes to standard
error. The exit status is 0, 2 for a user's mistake (with one line that says what would be right), or 130 on Ctrl-C.
"""

import argparse
import codecs
import errno
import os
import sys
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from encodings import utf_8_sig
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, Self

from . import __version__
from .engine import (
    PRESETS,
    Corpus,
    CorpusError,
    EngineError,
    FileDocument,
    FormatError,
    Recipe,
    RecipeError,
    Tokenizer,
    Trainer,
    TrainingError,
    UndecodableFileError,
    load,
    save,
    train_to,
    visible,
)

_MISTAKE: Final = 2
_INTERRUPTED: Final = 130
_BLOCK: Final = 1 << 16  # bytes of standard input read at a time
_BATCH: Final = 1 << 13  # ids written or decoded at a time
_LONGEST_ID: Final = 20  # characters; no id is as long
_WIDEST_COLUMN: Final = 24  # longer tokens push the rest of their row to the right
_NUMBERS: Final = ("rank", "id", "count")  # the columns that are right-aligned
_ALWAYS_TOLD: Final = ("units", "splitter", "tie_break")  # the switches that say most about a recipe


def main(argv: Sequence[str]) -> int:
    """Run one command; `argv` are the arguments without the program's name. Returns the exit status."""
    try:
        status = _run(argv)
        if sys.stdout:
            sys.stdout.flush()
    except KeyboardInterrupt:
        _abandon_output()
        return _INTERRUPTED
    except OSError as error:
        return _output_failed(error)
    return status


def _run(argv: Sequence[str]) -> int:
    try:
        arguments = _parse(argv)
    except SystemExit as done:  # --help and --version
        return int(done.code or 0)
    except _UsageError as error:
        return _mistake(str(error))
    try:
        arguments.run(arguments)
    except UndecodableFileError as error:
        return _mistake(f"{error} ({arguments.remedy})")
    except EngineError as error:
        return _mistake(str(error))
    return 0


# -- the commands ------------------------------------------------------------------------------------------------------


def _train(arguments: argparse.Namespace) -> None:
    vocab_size, num_merges = arguments.vocab_size, arguments.num_merges
    if vocab_size is None and num_merges is None:
        raise TrainingError("Say where training ends: --vocab-size N, --num-merges N, or both.")
    recipe = _recipe(arguments.recipe)
    _check_output(arguments.output)
    documents = _documents(arguments)
    start = time.monotonic()
    with _Progress("Counting words: {:.0%} of {:,} bytes") as progress:
        words = Corpus(tuple(documents)).count(recipe, arguments.special_token, progress.show)
    trainer = Trainer(words, recipe)
    with _Progress("Training: {:.0%} of {:,} merges") as progress:
        for done, goal in train_to(trainer, vocab_size=vocab_size, num_merges=num_merges):
            progress.show(done, goal)
    short = (num_merges is None or trainer.position < num_merges) and (
        vocab_size is None or trainer.vocab_size < vocab_size
    )
    if short and not trainer.position:
        raise TrainingError(
            "There is nothing to merge in this corpus: no two symbols stand side by side in a word{often}.",
            often=f" {recipe.min_count} times or more" if recipe.min_count > 1 else "",
        )
    tokenizer = trainer.tokenizer()
    written = save(tokenizer, arguments.output)
    seconds = time.monotonic() - start
    if short:
        _say(f"Training ended early: no pair {_often(recipe.min_count)} after {trainer.position:,} merges.")
    _say(
        f"Wrote {', '.join(map(str, written))}: {_amount(len(tokenizer.vocab), 'entry', 'entries')} and "
        f"{_amount(trainer.position, 'merge', 'merges')} from {_amount(words.total, 'word', 'words')} "
        f"({len(words):,} different) in {seconds:.1f} seconds."
    )


def _often(min_count: int) -> str:
    return "is left" if min_count == 1 else f"occurs {min_count} times or more"


def _amount(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _encode(arguments: argparse.Namespace) -> None:
    tokenizer = load(arguments.tokenizer)
    output = _output()
    for document in _documents(arguments, exact=arguments.encoding is None):
        with _named(document):
            chunks = _watched(document)
            for text in _lines(chunks) if arguments.lines else [chunks]:
                _write_ids(output, tokenizer.encode_iterable(text))


def _write_ids(output: BinaryIO, ids: Iterator[int]) -> None:
    gap = ""
    while batch := list(islice(ids, _BATCH)):
        output.write((gap + " ".join(map(str, batch))).encode())
        gap = " "
    output.write(b"\n")


def _decode(arguments: argparse.Namespace) -> None:
    tokenizer = load(arguments.tokenizer)
    output = _output()
    for document in _documents(arguments):
        with _named(document):
            if arguments.lines:
                for line in _lines(document.chunks()):
                    output.write(tokenizer.decode_bytes(_ids("".join(line).split())) + b"\n")
            else:
                output.writelines(_decoded(tokenizer, _ids(_words(document.chunks()))))


def _decoded(tokenizer: Tokenizer, ids: Iterator[int]) -> Iterator[bytes]:
    """The bytes of `ids` in pieces, together what decoding all at once gives.

    A recipe that drops spaces puts one after every word but the last; so each piece is decoded with the id after it.
    """
    batch = list(islice(ids, _BATCH))
    while batch:
        after = list(islice(ids, 1))
        with_after, rest = tokenizer.decode_bytes(batch + after), tokenizer.decode_bytes(after)
        yield with_after[: len(with_after) - len(rest)]
        batch = after + list(islice(ids, _BATCH)) if after else []


def _ids(words: Iterable[str]) -> Iterator[int]:
    for number, word in enumerate(words, start=1):
        if not (word.isascii() and word.isdigit()) or len(word) > _LONGEST_ID:
            raise FormatError(
                "{word!r} is no id (number {number:,} in the input); ids are whole numbers separated by white space.",
                word=word if len(word) <= _LONGEST_ID else word[:_LONGEST_ID] + "...",
                number=number,
            )
        yield int(word)


def _inspect(arguments: argparse.Namespace) -> None:
    tokenizer = load(arguments.tokenizer)
    special = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    counts = tokenizer.merge_counts
    facts = {
        "recipe": f"{tokenizer.recipe.preset or 'custom'} ({_switches(tokenizer.recipe)})",
        "vocabulary": _amount(len(tokenizer.vocab), "entry", "entries"),
        "merges": f"{len(tokenizer.merges):,}" + ("" if counts is not None else " (counts are not known)"),
        "special tokens": ", ".join(f"{visible(token.encode())} = {token_id}" for token, token_id in special) or "none",
    }
    output = _output()
    for name, fact in facts.items():
        output.write(f"{name + ':':<16}{fact}\n".encode())
    if tokenizer.merges:
        output.write(b"\n")
        for line in _merge_table(tokenizer):
            output.write(line.encode() + b"\n")


def _merge_table(tokenizer: Tokenizer) -> Iterator[str]:
    """The merges, a line each, under a line of headings. A token that left the vocabulary has no id."""
    special = set(tokenizer.special_tokens.values())
    ids = {token: token_id for token_id, token in tokenizer.vocab.items() if token_id not in special}
    counts = tokenizer.merge_counts
    rows = [
        (
            str(rank),
            visible(left),
            visible(right),
            visible(left + right),
            str(ids.get(left + right, "-")),
            str(counts[rank]) if counts else "-",
        )
        for rank, (left, right) in enumerate(tokenizer.merges)
    ]
    headings = ("rank", "left", "right", "token", "id", "count")
    columns = zip(headings, *rows, strict=True)
    widths = [min(max(map(_width, column)), _WIDEST_COLUMN) for column in columns]
    for row in chain([headings], rows):
        cells = zip(headings, row, widths, strict=True)
        yield "  ".join(_padded(cell, width, right=heading in _NUMBERS) for heading, cell, width in cells)


def _padded(cell: str, width: int, *, right: bool) -> str:
    padding = " " * (width - _width(cell))
    return padding + cell if right else cell + padding


def _width(text: str) -> int:
    """How many columns `text` takes in a terminal: two for a Chinese character, none for a combining accent."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _switches(recipe: Recipe) -> str:
    """A recipe in a few words: its main switches and those that differ from the default."""
    default = Recipe().to_dict()
    return ", ".join(
        f"{name} {value if isinstance(value, int) or value.isprintable() else repr(value)}"
        for name, value in recipe.to_dict().items()
        if name in _ALWAYS_TOLD or value != default[name]
    )


# -- what the user named -----------------------------------------------------------------------------------------------


def _recipe(name: str) -> Recipe:
    """The preset of that name, or the recipe in that file."""
    path = Path(name)
    if name in PRESETS or not (path.suffix == ".json" or len(path.parts) > 1 or path.is_file()):
        return Recipe.of(name)
    try:
        return Recipe.load(path)
    except RecipeError as error:
        raise RecipeError("{path}: {reason}", path=path, reason=error) from error


def _check_output(folder: Path) -> None:
    """Raise FormatError for a folder that cannot be written to, before an hour is spent on training."""
    if str(folder) == "-":
        raise FormatError("--output takes a folder, because several files are written; '-' cannot hold them.")
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise FormatError("{path} cannot be written: {nearest} is no folder.", path=folder, nearest=nearest)
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise FormatError("{path} cannot be written: Permission denied.", path=folder)


@dataclass(frozen=True)
class _File(FileDocument):
    """A file named on the command line. With `keep_mark`, a byte-order mark of UTF-8 is text like any other."""

    keep_mark: bool = False

    def _decoder(self) -> codecs.IncrementalDecoder:
        decoder = super()._decoder()
        if self.keep_mark and isinstance(decoder, utf_8_sig.IncrementalDecoder):
            return codecs.getincrementaldecoder("utf-8")(decoder.errors)
        return decoder


class _StandardInput(_File):
    """What arrives on standard input, read once, in pieces as they come."""

    def size(self) -> int:
        """Not known before the end."""
        return 0

    def chunks(self) -> Iterator[str]:
        """The text in pieces. Raises CorpusError, or UndecodableFileError with the byte offset."""
        if not sys.stdin:
            raise CorpusError("standard input is closed; name a file instead of '-'.")
        if sys.stdin.isatty() and sys.stderr:
            _say("Reading what you type; end with " + ("Ctrl-Z and Enter." if os.name == "nt" else "Ctrl-D."))
        yield from self._decoded(iter(self._read, b""))

    @staticmethod
    def _read() -> bytes:
        if sys.stdout:
            sys.stdout.flush()  # the user of a pipe or a terminal sees what there is before we wait for more
        try:
            block: bytes = sys.stdin.buffer.read1(_BLOCK)  # type: ignore[union-attr]
        except OSError as error:
            raise CorpusError("standard input cannot be read: {reason}.", reason=error.strerror) from error
        return block


def _documents(arguments: argparse.Namespace, *, exact: bool = False) -> list[_File]:
    """The files named, `-` being standard input. Raises CorpusError for one that is not there.

    `exact` takes whatever is valid UTF-8, so that its very bytes can be had back: byte-order marks and zero bytes too.
    """
    encoding = "UTF-8" if exact else arguments.encoding
    replace = getattr(arguments, "replace_invalid", False)
    documents = [
        _StandardInput(Path("standard input"), encoding, replace, exact)
        if name == "-"
        else _File(Path(name), encoding, replace, exact)
        for name in arguments.files or ["-"]
    ]
    for document in documents:
        document.size()
    return documents


@contextmanager
def _named(document: FileDocument) -> Iterator[None]:
    """Errors in here say which file they are about; a CorpusError does so already."""
    try:
        yield
    except CorpusError:
        raise
    except EngineError as error:
        raise EngineError("{path}: {reason}", path=document.path, reason=error) from error


def _lines(chunks: Iterable[str]) -> Iterator[list[str]]:
    r"""The lines of a text, each in pieces, without the `\n` or `\r\n` at the end."""
    held: list[str] = []
    for chunk in chunks:
        *ended, rest = chunk.split("\n")
        for piece in ended:
            held.append(piece)
            yield ["".join(held).removesuffix("\r")]
            held = []
        if rest:
            held.append(rest)
    if held:
        yield ["".join(held)]


def _words(chunks: Iterable[str]) -> Iterator[str]:
    """What stands between white space."""
    held = ""
    for chunk in chunks:
        held += chunk
        words = held.split()
        unfinished = bool(words) and not held[-1].isspace() and len(words[-1]) <= _LONGEST_ID
        held = words.pop() if unfinished else ""
        yield from words
    if held:
        yield held


# -- what is said ------------------------------------------------------------------------------------------------------


def _output() -> BinaryIO:
    if not sys.stdout:
        raise FormatError("standard output is closed; there is nowhere to write to.")
    return sys.stdout.buffer


def _output_failed(error: OSError) -> int:
    """Standard output cannot be written, or (where the error names a file) something unforeseen."""
    if error.filename:
        return _mistake(f"{error.filename}: {error.strerror}.")
    _abandon_output()
    # Windows says EINVAL where the reader has gone. That is no mistake: `bpe-gui inspect DIR | head`.
    if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
        return 0
    return _mistake(f"standard output cannot be written: {error.strerror}.")


def _abandon_output() -> None:
    """What is still in the buffer has to go somewhere when Python ends."""
    if sys.stdout:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _mistake(sentence: str) -> int:
    _say("bpe-gui: " + " ".join(sentence.split("\n")))
    return _MISTAKE


def _say(sentence: str) -> None:
    if sys.stderr:
        with suppress(OSError):
            print(sentence, file=sys.stderr, flush=True)


def _watched(document: FileDocument) -> Iterator[str]:
    """The text of a document; how far it is read is shown while it is."""
    size, done = document.size(), 0
    with _Progress("Encoding: {:.0%} of {:,} bytes", beside_output=True) as progress:
        for chunk in document.chunks():
            yield chunk
            done += len(chunk) if chunk.isascii() else len(chunk.encode(errors="replace"))
            progress.show(min(done, size), size)


class _Progress:
    """A line on standard error that is written anew ten times a second, and only on a terminal.

    `beside_output` says that results are written meanwhile: then nothing is shown where both would be on the screen.
    """

    _SECONDS: Final = 0.1

    def __init__(self, template: str, *, beside_output: bool = False) -> None:
        self._template = template
        self._shown = 0  # characters on the screen
        self._next = time.monotonic() + self._SECONDS
        self._on = bool(sys.stderr) and sys.stderr.isatty() and not (beside_output and sys.stdout.isatty())

    def show(self, done: int, goal: int) -> None:
        """Say how far the work is; `goal` 0 means that the end is not known."""
        if self._on and goal and time.monotonic() >= self._next:
            self._write(self._template.format(done / goal, goal))
            self._next = time.monotonic() + self._SECONDS

    def _write(self, line: str) -> None:
        with suppress(OSError):
            sys.stderr.write(f"\r{line:<{self._shown}}")
            sys.stderr.flush()
        self._shown = len(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._write("")  # blanks the line
            self._write("")  # puts the cursor where it begins


# -- the arguments -----------------------------------------------------------------------------------------------------


class _UsageError(Exception):
    """The arguments make no command."""


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments. Its texts are ASCII: they are printed in any encoding."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{message} (see {self.prog} --help)")


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    top = _Parser(prog="bpe-gui", usage=_USAGE, description=_DESCRIPTION, epilog=_EPILOG)
    top.add_argument("--version", action="version", version=f"bpe-gui {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", prog="bpe-gui")
    for add in (_add_train, _add_encode, _add_decode, _add_inspect):
        add(commands)
    if not argv or argv[0] not in COMMANDS:
        top.parse_args(argv or ["--help"])  # ends here with --help and --version
        top.error(f"there is no command {argv[0]!r}")
    # Intermixed: files may stand anywhere among the options.
    return commands.choices[argv[0]].parse_intermixed_args(argv[1:])


def _add_train(commands: "argparse._SubParsersAction[_Parser]") -> None:
    train = commands.add_parser(
        "train", help="train a tokenizer on text and save it", description=_TRAIN, epilog=_TRAIN_EPILOG
    )
    train.set_defaults(run=_train)
    add = train.add_argument
    add("files", nargs="+", metavar="FILE", help="a text file; '-' is standard input")
    add("-o", "--output", type=Path, required=True, metavar="DIR", help="the folder to write to, made if needed")
    add("--vocab-size", type=_whole_number, metavar="N", help="end at N entries, special tokens included")
    add("--num-merges", type=_whole_number, metavar="N", help="end after N merges; with both, whichever comes first")
    add("--recipe", default="cs336", metavar="NAME|FILE", help="a recipe below, or a JSON file (default: cs336)")
    add("--special-token", action="append", default=[], metavar="TOKEN", help="never split; may be repeated")
    _add_encoding(train)


def _add_encode(commands: "argparse._SubParsersAction[_Parser]") -> None:
    encode = commands.add_parser("encode", help="turn text into ids", description=_ENCODE, epilog=_ENCODE_EPILOG)
    encode.set_defaults(run=_encode)
    _add_tokenizer(encode)
    encode.add_argument("--lines", action="store_true", help="a line of ids for each line of text, without its end")
    _add_encoding(encode)


def _add_decode(commands: "argparse._SubParsersAction[_Parser]") -> None:
    decode = commands.add_parser("decode", help="turn ids into text", description=_DECODE, epilog=_DECODE_EPILOG)
    decode.set_defaults(run=_decode, remedy="use --encoding NAME")
    _add_tokenizer(decode)
    add = decode.add_argument
    add("--lines", action="store_true", help="a line of text for each line of ids: undoes 'encode --lines'")
    add("--encoding", metavar="NAME", help="of the ids, if not UTF-8; PowerShell's '>' may write utf-16")


def _add_inspect(commands: "argparse._SubParsersAction[_Parser]") -> None:
    inspect = commands.add_parser(
        "inspect", help="list the merges of a tokenizer with their counts", description=_INSPECT, epilog=_INSPECT_EPILOG
    )
    inspect.set_defaults(run=_inspect)
    inspect.add_argument("tokenizer", type=Path, metavar="DIR", help="the folder with vocab.json and merges.txt")


def _add_tokenizer(parser: _Parser) -> None:
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="a file; '-', or no file at all, is standard input")
    add("-t", "--tokenizer", type=Path, required=True, metavar="DIR", help="the folder with vocab.json and merges.txt")


def _add_encoding(parser: _Parser) -> None:
    add = parser.add_argument
    add("--encoding", metavar="NAME", help="of the files, if not UTF-8: utf-16, gb18030, cp1252, ...")
    add("--replace-invalid", action="store_true", help="read invalid bytes as U+FFFD instead of stopping")
    parser.set_defaults(remedy="use --encoding NAME or --replace-invalid")


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def _recipe_table() -> str:
    rows = [("recipes:", "units", "splitter", "ties", "end of word")]
    rows += [("  " + name, r.units, r.splitter, r.tie_break, r.boundary) for name, r in PRESETS.items()]
    return "".join("{:<18}{:<12}{:<12}{:<13}{}\n".format(*row) for row in rows)


_USAGE: Final = "bpe-gui [FILE ...]\n       bpe-gui COMMAND ..."
_DESCRIPTION: Final = """\
Watch byte-pair encoding being trained on your own text, step by step, and
export the tokenizer. Without a command the window opens, with the files named;
the commands work without a window."""
_EPILOG: Final = """\
examples:
  bpe-gui corpus.txt
  bpe-gui train corpus.txt --vocab-size 10000 --output my-tokenizer
  bpe-gui encode --tokenizer my-tokenizer corpus.txt > ids.txt
  bpe-gui decode --tokenizer my-tokenizer ids.txt
  bpe-gui inspect my-tokenizer | head -30

'bpe-gui COMMAND --help' says more. '-' is standard input; results go to
standard output. The exit status is 0, or 2 for a mistake in what was given, or
130 after Ctrl-C."""
_TRAIN: Final = """\
Train a tokenizer on the files, in the order named, and write vocab.json and
merges.txt, as GPT-2 and the Hugging Face libraries have them, and training.json:
the recipe, the special tokens and how often each pair occurred. Nothing merges
across two files. An existing tokenizer in the folder is replaced."""
_TRAIN_EPILOG: Final = f"""\
{_recipe_table()}
examples:
  bpe-gui train corpus.txt --vocab-size 10000 --output my-tokenizer
  bpe-gui train a.txt b.txt --vocab-size 10000 --special-token "<|endoftext|>" -o ab
  bpe-gui train zh.txt --recipe zh-en --encoding gb18030 --num-merges 500 -o zh
  cat *.txt | bpe-gui train - --recipe my-recipe.json --vocab-size 32000 -o all"""
_ENCODE: Final = """\
Write the ids of each file as one line of numbers separated by spaces. The text
is streamed, so a file may be larger than memory. With a recipe whose units are
bytes, 'decode' gives back exactly the bytes that were encoded."""
_ENCODE_EPILOG: Final = """\
examples:
  bpe-gui encode --tokenizer my-tokenizer corpus.txt > ids.txt
  bpe-gui encode --tokenizer my-tokenizer --lines sentences.txt
  echo hello | bpe-gui encode --tokenizer my-tokenizer"""
_DECODE: Final = """\
Write the text of ids, which are numbers separated by white space of any kind.
The bytes are written exactly, even where they are not valid UTF-8, and nothing
is added to them."""
_DECODE_EPILOG: Final = """\
examples:
  bpe-gui decode --tokenizer my-tokenizer ids.txt > corpus.txt
  bpe-gui decode --tokenizer my-tokenizer --lines ids.txt
  echo 104 105 | bpe-gui decode --tokenizer my-tokenizer"""
_INSPECT: Final = """\
List the merges of a saved tokenizer in order: rank, the two parts, the token
they make, its id ('-' if it left the vocabulary), and how often the pair
occurred when training chose it ('-' if training.json is missing). A space is
shown as a middle dot, bytes that are no whole character as \\xe4."""
_INSPECT_EPILOG: Final = """\
examples:
  bpe-gui inspect my-tokenizer
  bpe-gui inspect my-tokenizer | head -30"""

COMMANDS: Final = ("train", "encode", "decode", "inspect")
"""The names of the commands."""
