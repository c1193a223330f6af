"""Parse the arguments of the command line: each command is described once, with its options and its help.

Help texts are ASCII, so any encoding can print them.
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from bpe_gui import __version__
from bpe_gui.engine.corpora.documents import USUAL_FIELD

_UNITS: Final = {"MB": 10**6, "GB": 10**9, "TB": 10**12}
_MAX_BYTES: Final = 2**60
_MAX_DIGITS: Final = 19


class UsageError(Exception):
    """The arguments are not a command."""


class _Parser(argparse.ArgumentParser):
    """A parser that raises UsageError for wrong arguments."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


ONLY_TO_DISK: Final = (
    *("format", "dtype", "separator", "prepend", "append", "shard_tokens", "index", "resume", "cluster", "force"),
)
"""The options that need `--output`."""

IDS_SUFFIXES: Final = (".bin", ".npy", ".idx", ".parquet")
"""The suffixes of files that hold ids as numbers."""


class _Option(NamedTuple):
    """An argument of a command: its names, and its settings for `add_argument`."""

    names: tuple[str, ...]
    settings: dict[str, Any]


class _Command(NamedTuple):
    """A command, with the texts of its help.

    The epilog may be a function, since importing the names of all formats takes milliseconds. `remedy` says which
    options help with a file that cannot be decoded.
    """

    summary: str
    description: str
    epilog: str | Callable[[], str]
    options: Sequence[_Option]
    remedy: str = "Use --encoding NAME or --replace-invalid."


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the command's arguments, with its name as `command`.

    Raise UsageError, or SystemExit after printing the help or the version.
    """
    if not argv or argv[0] not in COMMANDS:
        top = _Parser(prog="bpe-gui", usage=_USAGE, description=_DESCRIPTION, epilog=_EPILOG)
        top.add_argument("--version", action="version", version=f"bpe-gui {__version__}")
        commands = top.add_subparsers(title="commands", metavar="COMMAND", prog="bpe-gui")
        for name, command in _COMMANDS.items():
            commands.add_parser(name, help=command.summary)
        top.parse_args(argv or ["--help"])  # ends here with --help and --version
        top.error(f"unknown command {argv[0]!r}")
    # Only this command gets a parser, since making those of all takes milliseconds.
    command = _COMMANDS[argv[0]]
    epilog = command.epilog if isinstance(command.epilog, str) else command.epilog()
    parser = _Parser(prog=f"bpe-gui {argv[0]}", description=command.description, epilog=epilog)
    for names, settings in command.options:
        argument = parser.add_argument(*names, **settings)
        if "--format" in names and argument.choices is None:
            argument.choices = _writable()
    # `decode` has no --pattern. `inputs` gets each file that `streams.document_of` opens.
    given = argparse.Namespace(command=argv[0], remedy=command.remedy, pattern=None, inputs=[])
    # Intermixed, so that files may come anywhere among the options.
    return parser.parse_intermixed_args(argv[1:], given)


# -- values ------------------------------------------------------------------------------------------------------------


def _path(text: str) -> Path:
    """Return a path. Refuse an empty one, perhaps of an unset variable, which `Path` takes for the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("a path is empty")
    return Path(text)


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None


def _price(text: str) -> float:
    with suppress(ValueError):
        if 0 <= float(text) < inf:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a price")


def _token_count(text: str) -> int:
    if not _is_number(text) or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of tokens")
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS


def _named_path(text: str) -> tuple[str, str]:
    name, _, path = text.partition("=")
    if not (name and path):
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form NAME=PATH")
    return name, path


def _named_number(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        ratio = float(number)
    except ValueError:
        name = ""
    if not name:
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form NAME=NUMBER")
    return name, ratio


def _path_with_weight(text: str) -> tuple[str, str]:
    path, _equals, weight = text.rpartition("=")
    if not path:
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form PATH=WEIGHT")
    return path, weight


def _field(text: str) -> tuple[str, str]:
    """Return the path before the last colon, and the field after it; no path if nothing says that it is one."""
    path, _colon, field = text.rpartition(":")
    is_path = bool(path and field) and (any(sign in path for sign in "/*?[") or Path(path).exists())
    return (path, field) if is_path else ("", text)


def _size(text: str) -> int:
    """Return a number of bytes, written as `2GB` or `500 MB`."""
    number, unit = text[:-2].strip(), text[-2:].upper()
    if unit not in _UNITS or not _is_number(number):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 2GB or 500MB")
    return int(number) * _UNITS[unit]


class _Range(NamedTuple):
    """Numbers from `start` up to `stop`, or to the end if that is None."""

    start: int
    stop: int | None

    def of(self, size: int) -> range:
        """Return the numbers below `size` that are in the range."""
        return range(size)[self.start : self.stop]


def _range(text: str) -> _Range:
    """Return a range, written as `10:12`, `10:` or `:12`."""
    start, colon, stop = text.partition(":")
    if not colon or not all(_is_number(part) for part in (start, stop) if part):
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form A:B")
    return _Range(int(start or 0), int(stop) if stop else None)


def _offset(text: str) -> int:
    if not _is_number(text) or int(text) >= _MAX_BYTES:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of bytes")
    return int(text)


def _token_with_id(text: str) -> tuple[str, int]:
    token, token_id = _token_and_maybe_id(text)
    if token_id is None:
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form TOKEN=ID")
    return token, token_id


def _key_with_value(text: str) -> tuple[str, object]:
    """Return a key with its value: JSON if it is valid, else the text."""
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"{text!r} does not have the form KEY=VALUE")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def _token_and_maybe_id(text: str) -> tuple[str, int | None]:
    """Return a token with the id after the last `=`, or without an id if no number follows one."""
    token, _equals, token_id = text.rpartition("=")
    return (token, int(token_id)) if token and _is_number(token_id) else (text, None)


# -- options of several commands ---------------------------------------------------------------------------------------


def _option(form: str, help: str, convert: Callable[[str], object] = str, **settings: Any) -> _Option:
    """Return an argument of this form: its names, then what stands for its values.

    >>> _option("-o --output PATH", "where to write").settings["metavar"]
    'PATH'
    """
    first, *others = form.split()
    names = [first, *(each for each in others if each.startswith("-"))]
    values = [each for each in others if not each.startswith("-")]
    metavar = values[0] if len(values) == 1 else tuple(values)
    return _Option(tuple(names), {"metavar": metavar, "help": help, "type": convert, **settings})


def _flag(name: str, help: str) -> _Option:
    return _Option((name,), {"action": "store_true", "help": help})


def _list(form: str, help: str, convert: Callable[[str], object] = str, **settings: Any) -> _Option:
    """Return an option that can be repeated."""
    return _option(form, help, convert, action="append", default=[], **settings)


_TOKENIZER_TEXT: Final = (
    "the tokenizer: a folder, a file, hf:owner/name[@revision] on the Hugging Face Hub, or tiktoken:name"
)
_TOKENIZER: Final = _option("tokenizer PATH", _TOKENIZER_TEXT, _path)
_CODEC: Final = (
    _option("files FILE", "a file; '-' or no file means standard input", nargs="*"),
    _option("-t --tokenizer PATH", _TOKENIZER_TEXT, _path, required=True),
)
"""The files to encode or decode, and the tokenizer."""

_REPLACE: Final = "replace a file even if it is of another kind, but never one of the inputs"
_FORCE: Final = _flag("--force", _REPLACE)
_FORCE_FORMAT: Final = _flag("--force", f"{_REPLACE}; and write a format that other programs would read with other ids")
_TEXT_FILES: Final = "a file as below, a folder, a pattern, or '-' for standard input"
_SPECIAL_TOKEN: Final = _list("--special-token TOKEN", "a token that is never split; can be repeated")
_UNKNOWN_TOKEN: Final = _option("--unk-token TOKEN", "the token for symbols that are not in the vocabulary")
_SPECIAL_TOKEN_OF_RANKS: Final = _list(
    "--special-token TOKEN=ID", "a special token of tiktoken ranks; can be repeated", _token_with_id
)
_RANKS: Final = (
    _option(
        "--pattern PATTERN",
        "how text is split, for files that do not say it (tiktoken ranks; vocab.json with merges.txt alone): "
        "a splitter, llama3, qwen2, or a regular expression",
    ),
    _SPECIAL_TOKEN_OF_RANKS,
)
"""The options for what a file of ranks does not say."""

_CONFIG: Final = (
    *(
        _option(f"--{role}-token TOKEN", f"the special token that transformers calls {role}_token")
        for role in ("bos", "eos", "sep", "pad", "cls", "mask")
    ),
    _option("--chat-template FILE", "the Jinja template that turns messages into a text"),
    _list(
        "--set KEY=VALUE",
        "any other key of tokenizer_config.json; VALUE is JSON or a text, and null removes it; can be repeated",
        _key_with_value,
    ),
)
"""Options that change the configuration of a tokenizer, which only the format transformers keeps."""

_ENCODING: Final = (
    _option("--encoding NAME", "encoding of the files, if not UTF-8: utf-16, gb18030, cp1252, ..."),
    _flag("--replace-invalid", "replace invalid bytes with U+FFFD instead of stopping"),
    _list(
        "--field [PATH:]NAME",
        f"the JSON field or Parquet column with the text (default: {USUAL_FIELD}) of all files, or of those at "
        "PATH, which may be a folder or a pattern; can be repeated",
        _field,
    ),
    _flag("--skip-bad-lines", "leave out lines and rows without a text, and say which, instead of stopping"),
)
"""How to read text files."""


# -- texts of several commands -----------------------------------------------------------------------------------------


def _writable() -> tuple[str, ...]:
    """Return the names of the formats that can be written."""
    from bpe_gui.engine import FORMATS

    return tuple(name for name, known in FORMATS.items() if known.contents)


def _recipe_table() -> str:
    from bpe_gui.engine import PRESETS

    rows = [("recipes:", "units", "splitter", "ties", "end of word")]
    rows += [("  " + name, r.units, r.splitter, r.tie_break, r.boundary) for name, r in PRESETS.items()]
    return "".join("{:<18}{:<12}{:<12}{:<13}{}\n".format(*row) for row in rows)


def _format_table() -> str:
    from bpe_gui.engine import FORMATS

    rows = [("formats:", "as a file", "in a folder")]
    for name in _writable():
        suffix, files = FORMATS[name].suffix, FORMATS[name].files
        names = ", ".join(files[:2]) + ", ..." * (len(files) > 2)
        rows.append(("  " + name, f"*{suffix}" if suffix else "", names))
    return "".join("{:<18}{:<12}{}\n".format(*row) for row in rows)


_FILES: Final = """\
files:
  A file whose name ends in .gz, .bz2 or .zst is decompressed. In *.parquet and
  *.jsonl (also *.json.gz and the like), each row or line is a separate text, in
  the column or field that --field names. A folder stands for all files in it,
  and 'data/*.parquet' for those that match. Parquet, JSON Lines and .zst need
  pip install "bpe-gui[counts]".
"""

# -- the commands ------------------------------------------------------------------------------------------------------

_USAGE: Final = "bpe-gui [--new-window] [FILE ...]\n       bpe-gui COMMAND ..."
_DESCRIPTION: Final = """\
Train byte-pair encoding on your own text, watch it step by step, and export
the tokenizer. Without a command, the window opens with the given files. If
one is open already, it opens them, unless you add --new-window. The commands
work without a window."""
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
  bpe-gui audit my-tokenizer --fail-on unreachable

Run 'bpe-gui COMMAND --help' for the options of a command. '-' means standard
input. Results go to standard output. The exit status is 0 for success, 1 if
'convert --check' or 'report --prune-to' finds different ids or 'audit' finds
what --fail-on names, 2 for invalid input, 130 after Ctrl-C."""

_TRAIN: Final = _Command(
    "train a tokenizer on text and save it",
    """\
Train a tokenizer on the files, in the given order. By default, this writes
vocab.json and merges.txt, as GPT-2 and the Hugging Face libraries use them,
and training.json with the recipe, the special tokens and the count of each
merged pair. Merges never cross from one file to the next. An existing
tokenizer in the folder is replaced.

With --language, several languages take turns (parity-aware BPE): at each step,
the language whose text is still longest chooses its most frequent pair. So no
language needs many more tokens than another for the same text.

With --weight, a file counts more or less often than once, as if it had been
repeated, so you can try mixtures without copying files. The count of a word is
the sum of weight times count over the files, rounded to a whole number.

A plan controls what training chooses: it can replay given merges, force a pair
at a step, ban pairs and tokens, set rules such as "max-bytes=16", give tokens
that exist before training (seeds), and begin stages in which another splitter
splits the text, or in which whole words join. The window can save plans.""",
    lambda: (
        f"""\
{_FILES}  A counts file from 'bpe-gui count' stands for the text that was counted.

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
  bpe-gui train en.txt hi.txt --language en=en.txt --language hi=hi.txt \\
      --vocab-size 32000 -o fair
  bpe-gui train corpus.txt --plan superwords.json --vocab-size 32000 -o superwords
  bpe-gui train corpus.txt --until saves-below=0.01% --vocab-size 50000 -o enough"""
    ),
    (
        _option("files FILE", _TEXT_FILES, nargs="+"),
        _option("-o --output PATH", "the folder or file to write; created if needed", _path, required=True),
        _FORCE_FORMAT,
        _option(
            "--format NAME",
            "a format listed below (default: gpt2, or sentencepiece for the recipe of that name; with --extend "
            "and no --recipe, that of the tokenizer)",
        ),
        _option("--vocab-size N", "stop at N entries, including special tokens", _whole_number),
        _option("--num-merges N", "stop after N merges; with both, at whichever comes first", _whole_number),
        _list(
            "--until CONDITION",
            "stop when a condition below is met; can be repeated, to stop at whichever is met first",
        ),
        _option("--recipe NAME|FILE", "a recipe listed below, or a JSON file (default: cs336)"),
        _option("--plan FILE", "a plan of merges, bans, rules and stages, as JSON", _path),
        _option(
            "--extend TOKENIZER",
            "continue from this tokenizer: keep its merges, its ids and, unless --recipe is given, its way of "
            "splitting text; --vocab-size and --num-merges count what it already has, --until only looks at new merges",
            _path,
        ),
        _SPECIAL_TOKEN,
        _UNKNOWN_TOKEN,
        _list(
            "--weight PATH=WEIGHT",
            "how often a file counts, 0.001 to 1000 times; PATH may be a folder or a pattern; can be repeated",
            _path_with_weight,
        ),
        _list(
            "--language NAME=PATH",
            "the language of a file; PATH may be a folder or a pattern; can be repeated. Languages then take "
            "turns, so that none needs many more tokens than another (default recipe: parity)",
            _named_path,
        ),
        _list(
            "--development NAME=FILE",
            "text by whose length languages take turns, ideally the same sentences in each (default: the files)",
            _named_path,
        ),
        _list(
            "--ratio NAME=NUMBER",
            "how much shorter a language's text should become than others', instead of --development",
            _named_number,
        ),
        _flag("--window", "pass over a language that had more than twice its share of the last 100 turns"),
        _option("--global-merges N", "begin with N merges that count all languages together", _whole_number, default=0),
        *_CONFIG,
        *_ENCODING,
    ),
)
_COUNT: Final = _Command(
    "count words into a counts file to train on",
    """\
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
the same versions.""",
    f"""\
{_FILES}
examples:
  bpe-gui count *.txt --recipe tiktoken -o counts.parquet
  bpe-gui count huge.txt --memory 8GB -o counts.parquet
  bpe-gui count 'shards/*.jsonl.zst' --field content -o counts.parquet
  bpe-gui count a.parquet b.jsonl --field a.parquet:code --field b.jsonl:body \\
      -o counts.parquet
  bpe-gui count --merge a.parquet b.parquet -o all.parquet
  bpe-gui count --cluster tcp://10.0.0.1:8786 's3://bucket/*.txt' -o counts.parquet
  bpe-gui train counts.parquet --recipe tiktoken --vocab-size 32000 -o all""",
    (
        _option("files FILE", f"{_TEXT_FILES}; with --merge, a counts file", nargs="+"),
        _option("-o --output FILE", "the counts file to write; its name must end in .parquet", _path, required=True),
        _FORCE,
        _flag("--merge", "merge counts files of the parts of one corpus"),
        _option("--recipe NAME|FILE", "a recipe of 'bpe-gui train', which splits the text (default: cs336)"),
        _SPECIAL_TOKEN,
        _option("--memory SIZE", "use at most this much memory (default: 2GB); not with --cluster", _size),
        _option(
            "--cluster ADDRESS", "count on the Dask cluster whose scheduler is at ADDRESS, such as tcp://HOST:PORT"
        ),
        _option(
            "--start BYTES", "if these files are part of a larger corpus: the byte at which they begin there", _offset
        ),
        *_ENCODING,
    ),
)
_ENCODE: Final = _Command(
    "turn text into ids",
    """\
Write the ids of each file as one line of numbers separated by spaces. The
text is streamed, so a file can be larger than memory. If the recipe's units
are bytes, 'decode' restores exactly the bytes that were encoded. In a file of
records, such as *.jsonl or *.parquet, each record becomes one line.

A special token in the text, such as <|endoftext|>, becomes its single id. If
others wrote the text, they may have put some there: see --allowed-special.

With --chat, the text is what the model's chat template makes of the messages
in a file: a list such as [{"role": "user", "content": "Hello"}], or an object
with such a list as 'messages', and perhaps with 'tools' and other variables
of the template.

With --output, ids are written to disk as arrays to train a model on, and a
manifest beside them says what they were made from. Each file or record is a
document; with --separator, a special token in the text ends one, too. An
interrupted run leaves no incomplete file; if it wrote shards, --resume
continues after the last complete one. A folder or a pattern stands for the
files in it. With --cluster, Dask encodes on its workers, which read the files
themselves, as for 'bpe-gui count', and the ids are written here.

With --count, only the number of tokens of each file is written.""",
    """\
formats of --output:
  bin       plain numbers, as nanoGPT and CS336 read them (*.bin)
  npy       an array for numpy.load, which can be mapped into memory (*.npy)
  megatron  OUT.bin and OUT.idx, as Megatron and NeMo read them
  parquet   a column 'ids' with one list for each document (*.parquet)

examples:
  bpe-gui encode --tokenizer my-tokenizer corpus.txt > ids.txt
  bpe-gui encode -t my-tokenizer corpus.txt --separator "<|endoftext|>" -o train.bin
  bpe-gui encode -t hf:gpt2 'data/*.jsonl.zst' --append "<|endoftext|>" \\
      --format megatron --output data/train
  bpe-gui encode -t my-tokenizer web/ --shard-tokens 100000000 -o web.bin --resume
  bpe-gui encode -t my-tokenizer --cluster tcp://10.0.0.1:8786 web/ -o web.bin
  bpe-gui encode -t my-tokenizer --beside tiktoken:o200k_base --count src/*.py
  bpe-gui encode --tokenizer my-tokenizer --lines --tokens sentences.txt
  bpe-gui encode --tokenizer my-tokenizer --allowed-special none from-others.txt
  bpe-gui encode --tokenizer my-model --chat messages.json
  echo hello | bpe-gui encode --tokenizer my-tokenizer""",
    (
        *_CODEC,
        *_RANKS,
        _flag("--lines", "encode each line separately, without its line ending"),
        _flag("--tokens", "write the tokens as a Python list, spelled as in vocab.json, instead of the ids"),
        _flag("--show", "write the text, with its tokens in colours, or with | between them where there are none"),
        _option(
            "--unknown-id ID",
            "the id of symbols that are not in the vocabulary, instead of stopping at the first",
            _whole_number,
        ),
        _option("--chat FILE", "a JSON file of messages to encode; '-' means standard input"),
        _option("--chat-template NAME", "the chat template to use, if the model has several"),
        _flag("--add-generation-prompt", "end the chat with what the template puts before an answer"),
        _list(
            "--allowed-special all|none|none_raise|TOKEN",
            "the special tokens that are obeyed: all (default); none: they are plain text; none_raise: one in the "
            "text is an error; or one by its name, which can be repeated for several",
        ),
        _option("-o --output OUT", "write the ids to this file, or under this name", _path),
        _option(
            "--format NAME",
            "a format listed below, if the name of OUT does not say it",
            choices=("bin", "npy", "megatron", "parquet"),
        ),
        _option("--dtype TYPE", "uint16, uint32 or int32, instead of the smallest that fits all ids"),
        _option("--separator TOKEN", "a special token in the text that ends a document"),
        _option("--prepend TOKEN", "a special token to put before each document"),
        _option("--append TOKEN", "a special token to put after each document"),
        _option(
            "--shard-tokens N",
            "write numbered files; each ends with the document that fills it up to N tokens",
            _token_count,
        ),
        _flag("--index", "also write where documents begin: OUT.offsets.npy"),
        _flag("--resume", "continue after the last complete shard of an interrupted run"),
        _option(
            "--cluster ADDRESS", "encode on the Dask cluster whose scheduler is at ADDRESS, such as tcp://HOST:PORT"
        ),
        _FORCE,
        _flag("--count", "write only how many tokens each file has"),
        _list("--beside PATH", "with --count, also count the tokens of this tokenizer; can be repeated", _path),
        *_ENCODING,
    ),
)
_DECODE: Final = _Command(
    "turn ids into text",
    """\
Write the text of ids, which are numbers separated by any whitespace, or of a
file that 'encode --output' wrote. The bytes are written exactly, even if they
are not valid UTF-8, and nothing is added.""",
    """\
examples:
  bpe-gui decode --tokenizer my-tokenizer ids.txt > corpus.txt
  bpe-gui decode --tokenizer my-tokenizer --lines ids.txt
  bpe-gui decode --tokenizer my-tokenizer train.bin --documents 10:12
  echo 104 105 | bpe-gui decode --tokenizer my-tokenizer""",
    (
        *_CODEC,
        _SPECIAL_TOKEN_OF_RANKS,
        _flag("--lines", "decode each line separately: reverses 'encode --lines'"),
        _flag("--skip-special-tokens", "leave special tokens out of the text"),
        _option(
            "--tokens A:B",
            "decode only ids A up to B of a file such as train.bin, without B itself",
            _range,
            dest="token_range",
        ),
        _option(
            "--documents A:B", "decode only documents A up to B of such a file, each followed by a line feed", _range
        ),
        _option("--dtype TYPE", "the type of the numbers in such a file, if no manifest is beside it: uint16, ..."),
        _option("--encoding NAME", "encoding of the ids, if not UTF-8 (PowerShell's '>' may write utf-16)"),
    ),
    remedy="Use --encoding NAME.",
)
_MAP_TEXT: Final = "for each {new} id, write the {old} ids whose tokens spell it, as .json, .npz or .safetensors"
_CONVERT: Final = _Command(
    "write a tokenizer in another format, with other tokens added",
    """\
Write a tokenizer in another format. The extension of OUT decides whether it
is a file or a folder. An existing file is replaced. If the format cannot
represent the tokenizer, or other programs would give other ids, nothing is
written and the reason is shown.

On the way, tokens can be added: --merge-with adds those of another tokenizer
that this one lacks, in their order; the new merges come after its own. Old ids
do not change, nor do the ids of text without new tokens. Tokens that no merge
of two others makes are left out and counted. --map says how the embeddings of
new ids can be made from old ones.

With --check, bpe-gui reads the file back, and so does the package it is meant
for, if installed. Each is compared with the original on a fixed set of
difficult strings. The result is 'tiktoken 0.14.0 gives the same ids for 95
test strings', or the first text that differs.""",
    lambda: (
        f"""\
{_format_table()}
examples:
  bpe-gui convert my-tokenizer my.tiktoken --format tiktoken
  bpe-gui convert my-tokenizer my.model --format minbpe --check --text corpus.txt
  bpe-gui convert my.tiktoken my.json --format huggingface --pattern cl100k
  bpe-gui convert base out --format huggingface --merge-with domain --map map.npz
  bpe-gui convert base out --format huggingface --rename-special "<r0>" "<tool>"
  bpe-gui convert base out --format transformers --eos-token "<|eot|>"
  bpe-gui convert my.tiktoken other.tiktoken --format tiktoken --check \\
      --special-token "<|endoftext|>=100257" --pattern cl100k"""
    ),
    (
        _option("tokenizer IN", _TOKENIZER_TEXT, _path),
        _option("output OUT", "the folder or file to write; created if needed", _path),
        _FORCE_FORMAT,
        _option("--format NAME", "a format listed below", required=True),
        _flag("--check", "read the result back, also with the package it is for, and compare ids"),
        _list("--text FILE", "with --check, also compare the first 100 kB of FILE", dest="files"),
        _option("--merge-with PATH", "add the tokens of this tokenizer", _path),
        _option("--at-most N", "with --merge-with, add the first N of them", _whole_number),
        _list(
            "--add-special TOKEN[=ID]",
            "add a special token with this id, or with the next free one; can be repeated",
            _token_and_maybe_id,
        ),
        _list(
            "--rename-special OLD NEW",
            "give a special token, such as a reserved one, another name; can be repeated",
            nargs=2,
        ),
        _UNKNOWN_TOKEN,
        _option("--map FILE", _MAP_TEXT.format(new="new", old="old"), _path),
        *_CONFIG,
        *_RANKS,
        *_ENCODING,
    ),
)
_INSPECT: Final = _Command(
    "summarize a tokenizer and list its merges",
    """\
Summarize a tokenizer: its steps with their expressions, its special tokens
and their roles, what else its files hold, and what they leave open. Then list
its merges in order: rank, the two parts, the token they form, its id ('-' if
it left the vocabulary), and the count of the pair when training chose it ('-'
if unknown). A space is shown as a middle dot, and bytes that are not a whole
character as \\xe4.

For a file that 'encode --output' wrote, say what it was made from.""",
    """\
examples:
  bpe-gui inspect my-tokenizer
  bpe-gui inspect my-tokenizer | head -30
  bpe-gui inspect train.bin""",
    (_TOKENIZER, *_RANKS),
)
_COMPARE: Final = _Command(
    "show how tokenizers differ",
    """\
Show how two or more tokenizers differ: first in which steps (the normalizer,
the splitter with a text that shows it, added tokens, roles, ids around a
text), then how many tokens they share, whether those have the same ids, and
the first merge that differs, with possible reasons if the files contain them.

With --text, also show how many tokens each one needs for FILE, its bytes and
characters per token, and the spans that they split differently. A span runs
from one token boundary that all of them share to the next. A tokenizer that
changes the text first, for example to lowercase, is left out of the spans.
Of several files, or a folder, a table shows the bytes per token and the tokens
per word of each text for each tokenizer, as 'report' does.

--map serves to give a model another tokenizer: it says how the embeddings of
the second one can be made from those of the first. A token that both have
takes its old row, any other the mean of the rows that spell it.""",
    """\
examples:
  bpe-gui compare my-tokenizer other-tokenizer
  bpe-gui compare base extended --map map.safetensors
  bpe-gui compare r50k_base.tiktoken cl100k_base.tiktoken --text corpus.txt
  bpe-gui compare a.json b.json c.json --text - --json < corpus.txt""",
    (
        _option(
            "tokenizers PATH",
            "two or more tokenizers, each a folder, a file, hf:owner/name or tiktoken:name",
            _path,
            nargs="+",
        ),
        _option(
            "--text FILE|FOLDER",
            "also compare how they split FILE, or how many tokens they need for several texts; '-' is standard input",
            nargs="+",
            action="extend",
            default=[],
        ),
        _option("--differences N", "show the first N differing spans (default: 10)", _whole_number, default=10),
        _flag("--json", "write JSON, with all differing spans and tokens"),
        _option("--map FILE", _MAP_TEXT.format(new="second", old="first"), _path),
        *_RANKS,
        *_ENCODING,
    ),
)
_REPORT: Final = _Command(
    "measure a tokenizer on texts",
    """\
Measure a tokenizer on texts: bytes per token, tokens per word (fertility), the
share of pieces that stay whole, single-byte tokens, Renyi efficiency (Zouhar
et al. 2023) and the Gini coefficient over the texts. Most of these are also
measured step by step, with the knee and the marginal gain of more entries.
For the vocabulary, the report lists entries that these texts never use, that
are only parts of others, that are nearly dead, the longest ones, duplicates up
to case or a leading space, and those with partial characters.

Bytes per token are the bytes of the text, with those in no token, such as
dropped spaces, divided by its tokens.

A word is what stands between white space, the same for every tokenizer; tokens
per word say nothing about Chinese, Japanese or Thai. A piece is a pre-token:
what the splitter makes of a text. In a folder, each subfolder is measured as
one text (so languages can be compared), and so is each file directly in it.

With several tokenizers, one table shows the bytes per token and the tokens per
word of each text for each of them.

For texts that say the same in several languages, --reference compares their
tokens per line (the premium; Petrov et al. 2023), with a bootstrap interval.""",
    """\
examples:
  bpe-gui report my-tokenizer --text corpus.txt --held-out other.txt
  bpe-gui report my-tokenizer --text languages/ --html report.html --csv tables
  bpe-gui report my-tokenizer --text languages/ --reference en --price 2.50
  bpe-gui report my-tokenizer tiktoken:o200k_base --text languages/
  bpe-gui report --project my.bpe.json --html report.html
  bpe-gui report my-tokenizer --text corpus.txt --prune-to smaller
  bpe-gui report cl100k_base.tiktoken --text - --json < corpus.txt""",
    (
        _option("tokenizers PATH", f"{_TOKENIZER_TEXT}; several are compared", _path, nargs="*"),
        _option("--project FILE", "report on the run of a project instead, and on its corpus", _path),
        _option(
            "--text FILE|FOLDER",
            "texts to measure; in a folder, each file and each subfolder is one text",
            nargs="+",
            action="extend",
            default=[],
        ),
        _option("--held-out FILE", "a text that was not trained on; it shows how large the vocabulary should be"),
        _option(
            "--reference NAME",
            "one of the texts, by its name in the report, to which the tokens per line of the others are compared",
        ),
        _option("--price PRICE", "the price of a million tokens; the report says what the texts cost", _price),
        _option(
            "--context TOKENS",
            "the size of a context window; the report says how much of it the texts take (default: 128000)",
            _token_count,
        ),
        _option("--html FILE", "write everything as one HTML page with charts", _path),
        _option("--csv FOLDER", "write everything as tables: texts, costs, curve, gains and entries", _path),
        _flag("--json", "write everything as JSON instead of text"),
        _option(
            "--prune-to PATH",
            "write the tokenizer without entries that the texts never need, and check that it gives the same tokens",
            _path,
        ),
        _FORCE_FORMAT,
        _option("--format NAME", "with --prune-to, a format that 'convert' lists (default: gpt2)", default="gpt2"),
        *_RANKS,
        *_ENCODING,
    ),
)
_AUDIT: Final = _Command(
    "find out which entries no text produces",
    """\
Find, for every entry of a tokenizer, a text that has it among its tokens, or
the reason why no text does: no merge makes it, a merge always takes a part
first, the splitter never yields a word that contains it, normalization changes
it, and others. Each text is encoded by the tokenizer itself, and each reason
is proven; if there is neither, the entry is listed as not-found.

Also listed: entries that are part of a character, entries with the same text,
ids without entries, merges that never apply, special tokens that plain text
produces or whose ids differ between the files of a folder, and texts that
decoding does not give back.

With --fail-on, the exit status is 1 if there is any of the named findings, for
scripts and continuous integration. 'unreachable' stands for all entries that
no text produces, except 'invalid' ones: every tokenizer of bytes has 13.""",
    """\
examples:
  bpe-gui audit my-tokenizer
  bpe-gui audit my-tokenizer --fail-on unreachable,special-conflict
  bpe-gui audit cl100k_base.tiktoken --json > audit.json""",
    (
        _TOKENIZER,
        _option("--findings N", "list the first N findings of each kind (default: 10)", _whole_number, default=10),
        _list("--fail-on KIND,...", "exit with status 1 if there are such findings; can be repeated"),
        _flag("--json", "write JSON, with the text or the reason for every entry"),
        *_RANKS,
    ),
)

_COMMANDS: Final[Mapping[str, _Command]] = {
    "train": _TRAIN,
    "count": _COUNT,
    "encode": _ENCODE,
    "decode": _DECODE,
    "convert": _CONVERT,
    "inspect": _INSPECT,
    "compare": _COMPARE,
    "report": _REPORT,
    "audit": _AUDIT,
}

COMMANDS: Final = tuple(_COMMANDS)
"""The names of the commands."""
