"""Parse the arguments of the command line; the text of `--help` is here, too."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from bpe_gui import __version__
from bpe_gui.engine import FORMATS, PRESETS
from bpe_gui.engine.corpora import USUAL_FIELD

COMMANDS: Final = ("train", "count", "encode", "decode", "convert", "inspect", "compare", "report")
"""The names of the commands."""

_UNITS: Final = {"MB": 10**6, "GB": 10**9, "TB": 10**12}
_MOST_BYTES: Final = 2**60

_WRITABLE: Final = tuple(name for name, known in FORMATS.items() if known.contents)


class UsageError(Exception):
    """The arguments are not a command."""


class _Parser(argparse.ArgumentParser):
    """A parser that raises UsageError for wrong arguments. Its texts are ASCII, so any encoding can print them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


_TOKENIZER_HELP: Final = (
    "the tokenizer: a folder, a file, hf:owner/name[@revision] on the Hugging Face Hub, or tiktoken:name"
)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the command's arguments, with its name as `command`.

    Raise UsageError, or SystemExit after printing the help or the version.
    """
    top = _Parser(prog="bpe-gui", usage=_USAGE, description=_DESCRIPTION, epilog=_EPILOG)
    top.add_argument("--version", action="version", version=f"bpe-gui {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", prog="bpe-gui")
    for add in (
        _add_train,
        _add_count,
        _add_encode,
        _add_decode,
        _add_convert,
        _add_inspect,
        _add_compare,
        _add_report,
    ):
        add(commands)
    if not argv or argv[0] not in COMMANDS:
        top.parse_args(argv or ["--help"])  # ends here with --help and --version
        top.error(f"unknown command {argv[0]!r}")
    # Intermixed: files may come anywhere among the options.
    return commands.choices[argv[0]].parse_intermixed_args(argv[1:], argparse.Namespace(command=argv[0]))


def _add_train(commands: "argparse._SubParsersAction[_Parser]") -> None:
    train = commands.add_parser(
        "train", help="train a tokenizer on text and save it", description=_TRAIN, epilog=_TRAIN_EPILOG
    )
    add = train.add_argument
    add("files", nargs="+", metavar="FILE", help="a file as below, a folder, a pattern, or '-' for standard input")
    add(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="PATH",
        help="the folder or file to write; created if needed",
    )
    add("--format", default="gpt2", choices=_WRITABLE, metavar="NAME", help="a format listed below (default: gpt2)")
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
    add("--plan", type=Path, metavar="FILE", help="a plan of merges, bans, rules and stages, as JSON")
    add(
        "--extend",
        type=Path,
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
    _add_weight(train)
    _add_encoding(train)


def _add_count(commands: "argparse._SubParsersAction[_Parser]") -> None:
    count = commands.add_parser(
        "count", help="count words into a counts file to train on", description=_COUNT, epilog=_COUNT_EPILOG
    )
    add = count.add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="a file as below, a folder, a pattern, or '-' for standard input; with --merge, a counts file",
    )
    add(
        "-o",
        "--output",
        type=Path,
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
    add("--memory", type=_size, default="2GB", metavar="SIZE", help="use at most this much memory (default: 2GB)")
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
    _add_encoding(count)


def _add_encode(commands: "argparse._SubParsersAction[_Parser]") -> None:
    encode = commands.add_parser("encode", help="turn text into ids", description=_ENCODE, epilog=_ENCODE_EPILOG)
    _add_tokenizer(encode)
    _add_ranks(encode)
    encode.add_argument("--lines", action="store_true", help="encode each line separately, without its line ending")
    _add_encoding(encode)


def _add_decode(commands: "argparse._SubParsersAction[_Parser]") -> None:
    decode = commands.add_parser("decode", help="turn ids into text", description=_DECODE, epilog=_DECODE_EPILOG)
    decode.set_defaults(remedy="Use --encoding NAME.")
    decode.set_defaults(pattern=None)  # ids are no longer split
    _add_tokenizer(decode)
    _add_special_tokens(decode)
    add = decode.add_argument
    add("--lines", action="store_true", help="decode each line separately: reverses 'encode --lines'")
    add("--encoding", metavar="NAME", help="encoding of the ids, if not UTF-8 (PowerShell's '>' may write utf-16)")


def _add_convert(commands: "argparse._SubParsersAction[_Parser]") -> None:
    convert = commands.add_parser(
        "convert", help="write a tokenizer in another format", description=_CONVERT, epilog=_CONVERT_EPILOG
    )
    add = convert.add_argument
    add("tokenizer", type=Path, metavar="IN", help=_TOKENIZER_HELP)
    add("output", type=Path, metavar="OUT", help="the folder or file to write; created if needed")
    add("--format", required=True, choices=_WRITABLE, metavar="NAME", help="a format listed below")
    add("--check", action="store_true", help="read the result back, also with the package it is for, and compare ids")
    add(
        "--text",
        action="append",
        dest="files",
        default=[],
        metavar="FILE",
        help="with --check, also compare the first 100 kB of FILE",
    )
    _add_ranks(convert)
    _add_encoding(convert)


def _add_inspect(commands: "argparse._SubParsersAction[_Parser]") -> None:
    inspect = commands.add_parser(
        "inspect", help="summarize a tokenizer and list its merges", description=_INSPECT, epilog=_INSPECT_EPILOG
    )
    inspect.add_argument("tokenizer", type=Path, metavar="PATH", help=_TOKENIZER_HELP)
    _add_ranks(inspect)


def _add_compare(commands: "argparse._SubParsersAction[_Parser]") -> None:
    compare = commands.add_parser(
        "compare", help="show how tokenizers differ", description=_COMPARE, epilog=_COMPARE_EPILOG
    )
    add = compare.add_argument
    add(
        "tokenizers",
        nargs="+",
        type=Path,
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
    _add_ranks(compare)
    _add_encoding(compare)


def _add_report(commands: "argparse._SubParsersAction[_Parser]") -> None:
    report = commands.add_parser(
        "report", help="measure a tokenizer on texts", description=_REPORT, epilog=_REPORT_EPILOG
    )
    add = report.add_argument
    add("tokenizer", nargs="?", type=Path, metavar="PATH", help=_TOKENIZER_HELP)
    add("--project", type=Path, metavar="FILE", help="report on the run of a project instead, and on its corpus")
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
    add("--html", type=Path, metavar="FILE", help="write everything as one HTML page with charts")
    add("--csv", type=Path, metavar="FOLDER", help="write everything as tables: texts, curve, gains and entries")
    add("--json", action="store_true", help="write everything as JSON instead of text")
    add(
        "--prune-to",
        type=Path,
        metavar="PATH",
        help="write the tokenizer without entries that the texts never need, and check that it gives the same tokens",
    )
    add(
        "--format",
        default="gpt2",
        choices=_WRITABLE,
        metavar="NAME",
        help="with --prune-to, a format that 'convert' lists (default: gpt2)",
    )
    _add_ranks(report)
    _add_encoding(report)


def _add_tokenizer(parser: _Parser) -> None:
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="a file; '-' or no file means standard input")
    add("-t", "--tokenizer", type=Path, required=True, metavar="PATH", help=_TOKENIZER_HELP)


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


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None


def _path_with_weight(text: str) -> tuple[str, str]:
    path, _equals, weight = text.rpartition("=")
    if not path:
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form PATH=WEIGHT")
    return path, weight


def _size(text: str) -> int:
    """Return a number of bytes, written as `2GB` or `500 MB`."""
    number, unit = text[:-2].strip(), text[-2:].upper()
    if unit not in _UNITS or not (number.isascii() and number.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 2GB or 500MB")
    return int(number) * _UNITS[unit]


def _place(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) >= _MOST_BYTES:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of bytes")
    return int(text)


def _token_with_id(text: str) -> tuple[str, int]:
    token, _equals, token_id = text.rpartition("=")
    if not token or not (token_id.isascii() and token_id.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form TOKEN=ID")
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
Train byte-pair encoding on your own text, watch it step by step, and export
the tokenizer. Without a command, the window opens with the given files. The
commands work without a window."""
_EPILOG: Final = """\
examples:
  bpe-gui corpus.txt
  bpe-gui train corpus.txt --vocab-size 10000 --output my-tokenizer
  bpe-gui count corpus.txt --output counts.parquet
  bpe-gui encode --tokenizer my-tokenizer corpus.txt > ids.txt
  bpe-gui decode --tokenizer my-tokenizer ids.txt
  bpe-gui convert my-tokenizer my.tiktoken --format tiktoken --check
  bpe-gui inspect my-tokenizer | head -30
  bpe-gui compare my-tokenizer other-tokenizer --text corpus.txt
  bpe-gui report my-tokenizer --text corpus.txt --html report.html

Run 'bpe-gui COMMAND --help' for the options of a command. '-' means standard
input. Results go to standard output. The exit status is 0 for success, 1 if
'convert --check' or 'report --prune-to' finds different ids, 2 for invalid
input, 130 after Ctrl-C."""
_TRAIN: Final = """\
Train a tokenizer on the files, in the given order. By default, this writes
vocab.json and merges.txt, as GPT-2 and the Hugging Face libraries use them,
and training.json with the recipe, the special tokens and the count of each
merged pair. Merges never cross from one file to the next. An existing
tokenizer in the folder is replaced.

With --weight, a file counts more or less often than once, as if it had been
repeated, so you can try mixtures without copying files. The count of a word is
the sum of weight times count over the files, rounded to a whole number.

A plan controls what training chooses: it can replay given merges, force a pair
at a step, ban pairs and tokens, set rules such as "max-bytes=16", and begin
stages in which another splitter splits the text. The window can save plans."""
_FILES: Final = """\
files:
  A file whose name ends in .gz, .bz2 or .zst is decompressed. In *.parquet and
  *.jsonl (also *.json.gz and the like), each row or line is a separate text, in
  the column or field that --field names. A folder stands for all files in it,
  and 'data/*.parquet' for those that match. A counts file from 'bpe-gui count'
  stands for the text that was counted. Parquet, JSON Lines and .zst need
  pip install "bpe-gui[counts]".
"""
_TRAIN_EPILOG: Final = f"""\
{_FILES}
{_recipe_table()}
{_format_table()}
conditions of --until:
  token=TEXT        after the merge that makes this token
  word=TEXT         after the merge that makes the word one token, at the
                    beginning of a text or after a space
  count-below=N     before a merge whose pair occurs fewer than N times
  saves-below=N%    before a merge that saves less than N% of all tokens
  ties=N            before the N-th merge that the tie rule decides

examples:
  bpe-gui train corpus.txt --vocab-size 10000 --output my-tokenizer
  bpe-gui train a.txt b.txt --vocab-size 10000 --special-token "<|endoftext|>" -o ab
  bpe-gui train en/* zh/* --weight en=0.1 --weight zh=3 --vocab-size 32000 -o mix
  bpe-gui train zh.txt --recipe zh-en --encoding gb18030 --num-merges 500 -o zh
  bpe-gui train 'shards/*.jsonl.zst' --field content --vocab-size 32000 -o web
  cat *.txt | bpe-gui train - --recipe my-recipe.json --vocab-size 32000 -o all
  bpe-gui train medicine.txt --extend my-tokenizer --vocab-size 12000 -o medical
  bpe-gui train corpus.txt --plan superwords.json --vocab-size 32000 -o superwords
  bpe-gui train corpus.txt --until saves-below=0.01% --vocab-size 50000 -o enough"""
_COUNT: Final = """\
Count the words of the files, in the given order, and write each unique word
with its count to a Parquet file, the counts file. It is smaller than the text,
and 'train' and the window accept it in place of the text. It fixes the
splitter and the special tokens; the rest of the recipe can still be chosen.

Text of any size can be counted: unique words that do not fit into --memory go
to a temporary folder beside the counts file. With --merge, the counts of the
parts of a corpus are added up. Parts that were counted with --start can be
given in any order; other parts must be given in the order of their text.

With --cluster, Dask counts on its workers, which read the files themselves:
name the files by addresses such as s3://bucket/*.txt, or by paths that all
machines share. This needs pip install "bpe-gui[cluster]" on every machine, in
the same versions."""
_COUNT_EPILOG: Final = f"""\
{_FILES}
examples:
  bpe-gui count *.txt --recipe tiktoken -o counts.parquet
  bpe-gui count huge.txt --memory 8GB -o counts.parquet
  bpe-gui count 'shards/*.jsonl.zst' --field content -o counts.parquet
  bpe-gui count --merge a.parquet b.parquet -o all.parquet
  bpe-gui count --cluster tcp://10.0.0.1:8786 's3://bucket/*.txt' -o counts.parquet
  bpe-gui train counts.parquet --recipe tiktoken --vocab-size 32000 -o all"""
_ENCODE: Final = """\
Write the ids of each file as one line of numbers separated by spaces. The
text is streamed, so a file can be larger than memory. If the recipe's units
are bytes, 'decode' restores exactly the bytes that were encoded. In a file of
records, such as *.jsonl or *.parquet, each record becomes one line."""
_ENCODE_EPILOG: Final = """\
examples:
  bpe-gui encode --tokenizer my-tokenizer corpus.txt > ids.txt
  bpe-gui encode --tokenizer my-tokenizer --lines sentences.txt
  echo hello | bpe-gui encode --tokenizer my-tokenizer"""
_DECODE: Final = """\
Write the text of ids, which are numbers separated by any whitespace. The
bytes are written exactly, even if they are not valid UTF-8, and nothing is
added."""
_DECODE_EPILOG: Final = """\
examples:
  bpe-gui decode --tokenizer my-tokenizer ids.txt > corpus.txt
  bpe-gui decode --tokenizer my-tokenizer --lines ids.txt
  echo 104 105 | bpe-gui decode --tokenizer my-tokenizer"""
_CONVERT: Final = """\
Write a tokenizer in another format. The extension of OUT decides whether it
is a file or a folder. An existing file is replaced. If the format cannot
represent the tokenizer, nothing is written and the reason is shown.

With --check, bpe-gui reads the file back, and so does the package it is meant
for, if installed. Each is compared with the original on a fixed set of
difficult strings. The result is 'tiktoken 0.14.0 gives the same ids for 95
test strings', or the first text that differs."""
_CONVERT_EPILOG: Final = f"""\
{_format_table()}
examples:
  bpe-gui convert my-tokenizer my.tiktoken --format tiktoken
  bpe-gui convert my-tokenizer my.model --format minbpe --check --text corpus.txt
  bpe-gui convert my.tiktoken my-tokenizer --format gpt2 --pattern cl100k
  bpe-gui convert my.tiktoken other.tiktoken --format tiktoken --check \\
      --special-token "<|endoftext|>=100257" --pattern cl100k"""
_INSPECT: Final = """\
Summarize a tokenizer and list its merges in order: rank, the two parts, the
token they form, its id ('-' if it left the vocabulary), and the count of the
pair when training chose it ('-' if unknown). A space is shown as a middle
dot, and bytes that are not a whole character as \\xe4."""
_INSPECT_EPILOG: Final = """\
examples:
  bpe-gui inspect my-tokenizer
  bpe-gui inspect my-tokenizer | head -30"""
_COMPARE: Final = """\
Show how two or more tokenizers differ: how many tokens they share, whether
those have the same ids, and the first merge that differs, with possible
reasons if the files contain them.

With --text, also show how many tokens each one needs for FILE, its bytes and
characters per token, and the spans that they split differently. A span runs
from one token boundary that all of them share to the next. A tokenizer that
changes the text first, for example to lowercase, is left out of the spans."""
_COMPARE_EPILOG: Final = """\
examples:
  bpe-gui compare my-tokenizer other-tokenizer
  bpe-gui compare r50k_base.tiktoken cl100k_base.tiktoken --text corpus.txt
  bpe-gui compare a.json b.json c.json --text - --json < corpus.txt"""
_REPORT: Final = """\
Measure a tokenizer on texts: bytes per token, tokens per word (fertility), the
share of words that stay whole, single-byte tokens, Renyi efficiency (Zouhar et
al. 2023) and the Gini coefficient over the texts. Most of these are also
measured over the training, with the knee and the marginal gain per 1,000
entries. For the vocabulary, the report lists entries that these texts never
use, that are only parts of others, that are nearly dead, the longest ones,
duplicates up to case or a leading space, and those with partial characters.

A word is a pre-token: one of the pieces into which the splitter divides a
text. In a folder, each subfolder is measured as one text (so languages can be
compared), and so is each file directly in it."""
_REPORT_EPILOG: Final = """\
examples:
  bpe-gui report my-tokenizer --text corpus.txt --held-out other.txt
  bpe-gui report my-tokenizer --text languages/ --html report.html --csv tables
  bpe-gui report --project my.bpe.json --html report.html
  bpe-gui report my-tokenizer --text corpus.txt --prune-to smaller
  bpe-gui report cl100k_base.tiktoken --text - --json < corpus.txt"""
