"""Parse the arguments of the command line."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from bpe_gui import __version__
from bpe_gui.engine.corpora import USUAL_FIELD

from . import help_texts

_UNITS: Final = {"MB": 10**6, "GB": 10**9, "TB": 10**12}
_MOST_BYTES: Final = 2**60
_MOST_DIGITS: Final = 19


class UsageError(Exception):
    """The arguments are not a command."""


class _Parser(argparse.ArgumentParser):
    """A parser that raises UsageError for wrong arguments. Its texts are ASCII, so any encoding can print them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the command's arguments, with its name as `command`.

    Raise UsageError, or SystemExit after printing the help or the version.
    """
    top = _Parser(prog="bpe-gui", usage=help_texts.USAGE, description=help_texts.DESCRIPTION, epilog=help_texts.EPILOG)
    top.add_argument("--version", action="version", version=f"bpe-gui {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", prog="bpe-gui")
    for name, (summary, _add) in _COMMANDS.items():
        commands.add_parser(name, help=summary)
    if not argv or argv[0] not in COMMANDS:
        top.parse_args(argv or ["--help"])  # ends here with --help and --version
        top.error(f"unknown command {argv[0]!r}")
    command = commands.choices[argv[0]]
    _summary, add_arguments = _COMMANDS[argv[0]]
    add_arguments(command)  # only to this one: all of them take milliseconds, and the names of all formats
    # Intermixed: files may come anywhere among the options.
    return command.parse_intermixed_args(argv[1:], argparse.Namespace(command=argv[0]))


def _add_train(parser: _Parser) -> None:
    parser.description, parser.epilog = help_texts.TRAIN, help_texts.train_epilog()
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="a file as below, a folder, a pattern, or '-' for standard input")
    add(
        "-o",
        "--output",
        type=_path,
        required=True,
        metavar="PATH",
        help="the folder or file to write; created if needed",
    )
    add(
        "--format",
        default="gpt2",
        choices=help_texts.writable(),
        metavar="NAME",
        help="a format listed below (default: gpt2)",
    )
    add("--vocab-size", type=_whole_number, metavar="N", help="stop at N entries, including special tokens")
    add(
        "--num-merges", type=_whole_number, metavar="N", help="stop after N merges; with both, at whichever comes first"
    )
    add(
        "--until",
        action="append",
        default=[],
        metavar="CONDITION",
        help="stop when a condition below is met; can be repeated, to stop at whichever is met first",
    )
    add("--recipe", metavar="NAME|FILE", help="a recipe listed below, or a JSON file (default: cs336)")
    add("--plan", type=_path, metavar="FILE", help="a plan of merges, bans, rules and stages, as JSON")
    add(
        "--extend",
        type=_path,
        metavar="TOKENIZER",
        help="continue from this tokenizer: keep its merges, its ids and, unless --recipe is given, its recipe; "
        "--vocab-size and --num-merges include what it has, --until applies to the merges after its own",
    )
    add(
        "--special-token",
        action="append",
        default=[],
        metavar="TOKEN",
        help="a token that is never split; can be repeated",
    )
    _add_weight(parser)
    _add_encoding(parser)


def _add_count(parser: _Parser) -> None:
    parser.description, parser.epilog = help_texts.COUNT, help_texts.COUNT_EPILOG
    add = parser.add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="a file as below, a folder, a pattern, or '-' for standard input; with --merge, a counts file",
    )
    add(
        "-o",
        "--output",
        type=_path,
        required=True,
        metavar="FILE",
        help="the counts file to write; its name must end in .parquet",
    )
    add("--merge", action="store_true", help="merge counts files of the parts of one corpus")
    add("--recipe", metavar="NAME|FILE", help="a recipe of 'bpe-gui train', which splits the text (default: cs336)")
    add(
        "--special-token",
        action="append",
        default=[],
        metavar="TOKEN",
        help="a token that is never split; can be repeated",
    )
    add("--memory", type=_size, metavar="SIZE", help="use at most this much memory (default: 2GB); not with --cluster")
    add(
        "--cluster",
        metavar="ADDRESS",
        help="count on the Dask cluster whose scheduler is at ADDRESS, such as tcp://HOST:PORT",
    )
    add(
        "--start",
        type=_place,
        metavar="BYTES",
        help="if these files are part of a larger corpus: the byte at which they begin there",
    )
    _add_encoding(parser)


def _add_encode(parser: _Parser) -> None:
    parser.description, parser.epilog = help_texts.ENCODE, help_texts.ENCODE_EPILOG
    _add_tokenizer(parser)
    _add_ranks(parser)
    add = parser.add_argument
    add("--lines", action="store_true", help="encode each line separately, without its line ending")
    add(
        "--allowed-special",
        action="append",
        default=[],
        metavar="all|none|none_raise|TOKEN",
        help="the special tokens that are obeyed: all (default); none: they are plain text; none_raise: one in the "
        "text is an error; or one by its name, which can be repeated for several",
    )
    _add_encoding(parser)


def _add_decode(parser: _Parser) -> None:
    parser.description, parser.epilog = help_texts.DECODE, help_texts.DECODE_EPILOG
    parser.set_defaults(remedy="Use --encoding NAME.")
    parser.set_defaults(pattern=None)  # ids are no longer split
    _add_tokenizer(parser)
    _add_special_tokens(parser)
    add = parser.add_argument
    add("--lines", action="store_true", help="decode each line separately: reverses 'encode --lines'")
    add("--skip-special-tokens", action="store_true", help="leave special tokens out of the text")
    add("--encoding", metavar="NAME", help="encoding of the ids, if not UTF-8 (PowerShell's '>' may write utf-16)")


def _add_convert(parser: _Parser) -> None:
    parser.description, parser.epilog = help_texts.CONVERT, help_texts.convert_epilog()
    add = parser.add_argument
    add("tokenizer", type=_path, metavar="IN", help=help_texts.TOKENIZER)
    add("output", type=_path, metavar="OUT", help="the folder or file to write; created if needed")
    add("--format", required=True, choices=help_texts.writable(), metavar="NAME", help="a format listed below")
    add("--check", action="store_true", help="read the result back, also with the package it is for, and compare ids")
    add(
        "--text",
        action="append",
        dest="files",
        default=[],
        metavar="FILE",
        help="with --check, also compare the first 100 kB of FILE",
    )
    _add_ranks(parser)
    _add_encoding(parser)


def _add_inspect(parser: _Parser) -> None:
    parser.description, parser.epilog = help_texts.INSPECT, help_texts.INSPECT_EPILOG
    parser.add_argument("tokenizer", type=_path, metavar="PATH", help=help_texts.TOKENIZER)
    _add_ranks(parser)


def _add_compare(parser: _Parser) -> None:
    parser.description, parser.epilog = help_texts.COMPARE, help_texts.COMPARE_EPILOG
    add = parser.add_argument
    add(
        "tokenizers",
        nargs="+",
        type=_path,
        metavar="PATH",
        help="two or more tokenizers, each a folder, a file, hf:owner/name or tiktoken:name",
    )
    add("--text", metavar="FILE", help="also compare how they split FILE; '-' is standard input")
    add(
        "--differences",
        type=_whole_number,
        default=10,
        metavar="N",
        help="show the first N differing spans (default: 10)",
    )
    add("--json", action="store_true", help="write JSON, with all differing spans and tokens")
    _add_ranks(parser)
    _add_encoding(parser)


def _add_report(parser: _Parser) -> None:
    parser.description, parser.epilog = help_texts.REPORT, help_texts.REPORT_EPILOG
    add = parser.add_argument
    add("tokenizer", nargs="?", type=_path, metavar="PATH", help=help_texts.TOKENIZER)
    add("--project", type=_path, metavar="FILE", help="report on the run of a project instead, and on its corpus")
    add(
        "--text",
        nargs="+",
        action="extend",
        default=[],
        metavar="FILE|FOLDER",
        help="texts to measure; in a folder, each file and each subfolder is one text",
    )
    add(
        "--held-out", metavar="FILE", help="a text that was not trained on; it shows how large the vocabulary should be"
    )
    add("--html", type=_path, metavar="FILE", help="write everything as one HTML page with charts")
    add("--csv", type=_path, metavar="FOLDER", help="write everything as tables: texts, curve, gains and entries")
    add("--json", action="store_true", help="write everything as JSON instead of text")
    add(
        "--prune-to",
        type=_path,
        metavar="PATH",
        help="write the tokenizer without entries that the texts never need, and check that it gives the same tokens",
    )
    add(
        "--format",
        default="gpt2",
        choices=help_texts.writable(),
        metavar="NAME",
        help="with --prune-to, a format that 'convert' lists (default: gpt2)",
    )
    _add_ranks(parser)
    _add_encoding(parser)


def _add_tokenizer(parser: _Parser) -> None:
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="a file; '-' or no file means standard input")
    add("-t", "--tokenizer", type=_path, required=True, metavar="PATH", help=help_texts.TOKENIZER)


def _add_ranks(parser: _Parser) -> None:
    """Add the options for what a file of ranks does not say."""
    parser.add_argument(
        "--pattern", metavar="PATTERN", help="how tiktoken ranks split text: a splitter or a regular expression"
    )
    _add_special_tokens(parser)


def _add_special_tokens(parser: _Parser) -> None:
    parser.add_argument(
        "--special-token",
        action="append",
        type=_token_with_id,
        default=[],
        metavar="TOKEN=ID",
        help="a special token of tiktoken ranks; can be repeated",
    )


def _add_weight(parser: _Parser) -> None:
    parser.add_argument(
        "--weight",
        action="append",
        type=_path_with_weight,
        default=[],
        metavar="PATH=WEIGHT",
        help="how often a file counts, 0.001 to 1000 times; PATH may be a folder or a pattern; can be repeated",
    )


def _add_encoding(parser: _Parser) -> None:
    add = parser.add_argument
    add("--encoding", metavar="NAME", help="encoding of the files, if not UTF-8: utf-16, gb18030, cp1252, ...")
    add("--replace-invalid", action="store_true", help="replace invalid bytes with U+FFFD instead of stopping")
    add(
        "--field",
        default=USUAL_FIELD,
        metavar="NAME",
        help="the JSON field or Parquet column with the text (default: text)",
    )
    add("--skip-bad-lines", action="store_true", help="leave out lines and rows without a text instead of stopping")
    parser.set_defaults(remedy="Use --encoding NAME or --replace-invalid.")


def _path(text: str) -> Path:
    """Return a path. An empty one, as of a variable that is not set, is refused: `Path` takes it for this folder."""
    if not text:
        raise argparse.ArgumentTypeError("a path is empty")
    return Path(text)


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def _path_with_weight(text: str) -> tuple[str, str]:
    path, _equals, weight = text.rpartition("=")
    if not path:
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form PATH=WEIGHT")
    return path, weight


def _size(text: str) -> int:
    """Return a number of bytes, written as `2GB` or `500 MB`."""
    number, unit = text[:-2].strip(), text[-2:].upper()
    if unit not in _UNITS or not _is_number(number):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 2GB or 500MB")
    return int(number) * _UNITS[unit]


def _place(text: str) -> int:
    if not _is_number(text) or int(text) >= _MOST_BYTES:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of bytes")
    return int(text)


def _token_with_id(text: str) -> tuple[str, int]:
    token, _equals, token_id = text.rpartition("=")
    if not token or not _is_number(token_id):
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form TOKEN=ID")
    return token, int(token_id)


_COMMANDS: Final[Mapping[str, tuple[str, Callable[[_Parser], None]]]] = {
    "train": ("train a tokenizer on text and save it", _add_train),
    "count": ("count words into a counts file to train on", _add_count),
    "encode": ("turn text into ids", _add_encode),
    "decode": ("turn ids into text", _add_decode),
    "convert": ("write a tokenizer in another format", _add_convert),
    "inspect": ("summarize a tokenizer and list its merges", _add_inspect),
    "compare": ("show how tokenizers differ", _add_compare),
    "report": ("measure a tokenizer on texts", _add_report),
}
"""By the name of a command: what it does, and what adds its arguments."""

COMMANDS: Final = tuple(_COMMANDS)
"""The names of the commands."""
