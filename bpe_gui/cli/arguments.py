"""Parse the arguments of the command line; the text of `--help` is here, too."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from bpe_gui import __version__
from bpe_gui.engine import FORMATS, PRESETS

COMMANDS: Final = ("train", "encode", "decode", "convert", "inspect")
"""The names of the commands."""

_WRITABLE: Final = tuple(name for name, known in FORMATS.items() if known.contents)


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
    top = _Parser(prog="bpe-gui", usage=_USAGE, description=_DESCRIPTION, epilog=_EPILOG)
    top.add_argument("--version", action="version", version=f"bpe-gui {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", prog="bpe-gui")
    for add in (_add_train, _add_encode, _add_decode, _add_convert, _add_inspect):
        add(commands)
    if not argv or argv[0] not in COMMANDS:
        top.parse_args(argv or ["--help"])  # ends here with --help and --version
        top.error(f"there is no command {argv[0]!r}")
    # Intermixed: files may come anywhere among the options.
    return commands.choices[argv[0]].parse_intermixed_args(argv[1:], argparse.Namespace(command=argv[0]))


def _add_train(commands: "argparse._SubParsersAction[_Parser]") -> None:
    train = commands.add_parser(
        "train", help="train a tokenizer on text and save it", description=_TRAIN, epilog=_TRAIN_EPILOG
    )
    add = train.add_argument
    add("files", nargs="+", metavar="FILE", help="a text file; '-' is standard input")
    add("-o", "--output", type=Path, required=True, metavar="PATH", help="the folder or file to write, made if needed")
    add("--format", default="gpt2", choices=_WRITABLE, metavar="NAME", help="a format below (default: gpt2)")
    add("--vocab-size", type=_whole_number, metavar="N", help="end at N entries, special tokens included")
    add("--num-merges", type=_whole_number, metavar="N", help="end after N merges; with both, whichever comes first")
    add("--recipe", default="cs336", metavar="NAME|FILE", help="a recipe below, or a JSON file (default: cs336)")
    add("--special-token", action="append", default=[], metavar="TOKEN", help="never split; may be repeated")
    _add_encoding(train)


def _add_encode(commands: "argparse._SubParsersAction[_Parser]") -> None:
    encode = commands.add_parser("encode", help="turn text into ids", description=_ENCODE, epilog=_ENCODE_EPILOG)
    _add_tokenizer(encode)
    _add_ranks(encode)
    encode.add_argument("--lines", action="store_true", help="a line of ids for each line of text, without its end")
    _add_encoding(encode)


def _add_decode(commands: "argparse._SubParsersAction[_Parser]") -> None:
    decode = commands.add_parser("decode", help="turn ids into text", description=_DECODE, epilog=_DECODE_EPILOG)
    decode.set_defaults(remedy="use --encoding NAME")
    decode.set_defaults(pattern=None)  # ids are no longer split
    _add_tokenizer(decode)
    _add_special_tokens(decode)
    add = decode.add_argument
    add("--lines", action="store_true", help="a line of text for each line of ids: undoes 'encode --lines'")
    add("--encoding", metavar="NAME", help="of the ids, if not UTF-8; PowerShell's '>' may write utf-16")


def _add_convert(commands: "argparse._SubParsersAction[_Parser]") -> None:
    convert = commands.add_parser(
        "convert", help="write a tokenizer in another format", description=_CONVERT, epilog=_CONVERT_EPILOG
    )
    add = convert.add_argument
    add("tokenizer", type=Path, metavar="IN", help="a tokenizer: a folder or a file")
    add("output", type=Path, metavar="OUT", help="the folder or file to write, made if needed")
    add("--format", required=True, choices=_WRITABLE, metavar="NAME", help="a format below")
    add("--check", action="store_true", help="read it again, also by the package it is for, and compare ids")
    add("--text", action="append", dest="files", default=[], metavar="FILE", help="compare on its first 100 kB, too")
    _add_ranks(convert)
    _add_encoding(convert)


def _add_inspect(commands: "argparse._SubParsersAction[_Parser]") -> None:
    inspect = commands.add_parser(
        "inspect", help="list the merges of a tokenizer with their counts", description=_INSPECT, epilog=_INSPECT_EPILOG
    )
    inspect.add_argument("tokenizer", type=Path, metavar="PATH", help="a tokenizer: a folder or a file")
    _add_ranks(inspect)


def _add_tokenizer(parser: _Parser) -> None:
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="a file; '-', or no file at all, is standard input")
    add("-t", "--tokenizer", type=Path, required=True, metavar="PATH", help="a tokenizer: a folder or a file")


def _add_ranks(parser: _Parser) -> None:
    """Add the options for what a file of ranks does not say."""
    parser.add_argument(
        "--pattern", metavar="PATTERN", help="of ranks that do not say it: a splitter or a regular expression"
    )
    _add_special_tokens(parser)


def _add_special_tokens(parser: _Parser) -> None:
    parser.add_argument(
        "--special-token",
        action="append",
        type=_token_with_id,
        default=[],
        metavar="TOKEN=ID",
        help="of ranks that do not say it; may be repeated",
    )


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


def _token_with_id(text: str) -> tuple[str, int]:
    token, _equals, token_id = text.rpartition("=")
    if not token or not (token_id.isascii() and token_id.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a special token and its id; write TOKEN=ID")
    return token, int(token_id)


def _recipe_table() -> str:
    rows = [("recipes:", "units", "splitter", "ties", "end of word")]
    rows += [("  " + name, r.units, r.splitter, r.tie_break, r.boundary) for name, r in PRESETS.items()]
    return "".join("{:<18}{:<12}{:<12}{:<13}{}\n".format(*row) for row in rows)


def _format_table() -> str:
    rows = [("formats:", "as a file", "in a folder")]
    rows += [("  " + name, _ending(FORMATS[name].suffix), _names(FORMATS[name].files)) for name in _WRITABLE]
    return "".join("{:<18}{:<12}{}\n".format(*row) for row in rows)


def _names(files: Sequence[str]) -> str:
    return ", ".join(files[:2]) + ", ..." * (len(files) > 2)


def _ending(suffix: str | None) -> str:
    return f"*{suffix}" if suffix else ""


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
  bpe-gui convert my-tokenizer my.tiktoken --format tiktoken --check
  bpe-gui inspect my-tokenizer | head -30

'bpe-gui COMMAND --help' says more. '-' is standard input; results go to
standard output. The exit status is 0, or 1 where 'convert --check' finds other
ids, or 2 for a mistake in what was given, or 130 after Ctrl-C."""
_TRAIN: Final = """\
Train a tokenizer on the files, in the order named, and write vocab.json and
merges.txt, as GPT-2 and the Hugging Face libraries have them, and training.json:
the recipe, the special tokens and how often each pair occurred; or another
format. Nothing merges across two files. An existing tokenizer in the folder is
replaced."""
_TRAIN_EPILOG: Final = f"""\
{_recipe_table()}
{_format_table()}
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
_CONVERT: Final = """\
Write a tokenizer in another format. What OUT ends in says whether it is a file
or a folder; a file that is there is replaced. A format that cannot hold the
tokenizer is refused, with the reason.

With --check the file is read again, here and by the package that it is meant
for, if that is installed, and both sides encode a fixed set of hard strings:
'same ids on 95 strings with tiktoken 0.14.0', or the first text that differs."""
_CONVERT_EPILOG: Final = f"""\
{_format_table()}
examples:
  bpe-gui convert my-tokenizer my.tiktoken --format tiktoken
  bpe-gui convert my-tokenizer my.model --format minbpe --check --text corpus.txt
  bpe-gui convert my.tiktoken my-tokenizer --format gpt2 --pattern cl100k
  bpe-gui convert my.tiktoken other.tiktoken --format tiktoken --check \\
      --special-token "<|endoftext|>=100257" --pattern cl100k"""
_INSPECT: Final = """\
List the merges of a saved tokenizer in order: rank, the two parts, the token
they make, its id ('-' if it left the vocabulary), and how often the pair
occurred when training chose it ('-' if training.json is missing). A space is
shown as a middle dot, bytes that are not a whole character as \\xe4."""
_INSPECT_EPILOG: Final = """\
examples:
  bpe-gui inspect my-tokenizer
  bpe-gui inspect my-tokenizer | head -30"""
