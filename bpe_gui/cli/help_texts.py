"""The texts of `--help`. They are ASCII, so any encoding can print them."""

from collections.abc import Sequence
from typing import Final

TOKENIZER: Final = "the tokenizer: a folder, a file, hf:owner/name[@revision] on the Hugging Face Hub, or tiktoken:name"


def writable() -> tuple[str, ...]:
    """Return the names of the formats that are written."""
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
    rows += [("  " + name, _ending(FORMATS[name].suffix), _names(FORMATS[name].files)) for name in writable()]
    return "".join("{:<18}{:<12}{}\n".format(*row) for row in rows)


def _names(files: Sequence[str]) -> str:
    return ", ".join(files[:2]) + ", ..." * (len(files) > 2)


def _ending(suffix: str | None) -> str:
    return f"*{suffix}" if suffix else ""


USAGE: Final = "bpe-gui [FILE ...]\n       bpe-gui COMMAND ..."
DESCRIPTION: Final = """\
Train byte-pair encoding on your own text, watch it step by step, and export
the tokenizer. Without a command, the window opens with the given files. The
commands work without a window."""
EPILOG: Final = """\
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
TRAIN: Final = """\
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
FILES: Final = """\
files:
  A file whose name ends in .gz, .bz2 or .zst is decompressed. In *.parquet and
  *.jsonl (also *.json.gz and the like), each row or line is a separate text, in
  the column or field that --field names. A folder stands for all files in it,
  and 'data/*.parquet' for those that match. Parquet, JSON Lines and .zst need
  pip install "bpe-gui[counts]".
"""


def train_epilog() -> str:
    return f"""\
{FILES}  A counts file from 'bpe-gui count' stands for the text that was counted.

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


COUNT: Final = """\
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
COUNT_EPILOG: Final = f"""\
{FILES}
examples:
  bpe-gui count *.txt --recipe tiktoken -o counts.parquet
  bpe-gui count huge.txt --memory 8GB -o counts.parquet
  bpe-gui count 'shards/*.jsonl.zst' --field content -o counts.parquet
  bpe-gui count --merge a.parquet b.parquet -o all.parquet
  bpe-gui count --cluster tcp://10.0.0.1:8786 's3://bucket/*.txt' -o counts.parquet
  bpe-gui train counts.parquet --recipe tiktoken --vocab-size 32000 -o all"""
ENCODE: Final = """\
Write the ids of each file as one line of numbers separated by spaces. The
text is streamed, so a file can be larger than memory. If the recipe's units
are bytes, 'decode' restores exactly the bytes that were encoded. In a file of
records, such as *.jsonl or *.parquet, each record becomes one line.

A special token in the text, such as <|endoftext|>, becomes its single id. Use
--allowed-special for text that others wrote, who may have put some there."""
ENCODE_EPILOG: Final = """\
examples:
  bpe-gui encode --tokenizer my-tokenizer corpus.txt > ids.txt
  bpe-gui encode --tokenizer my-tokenizer --lines sentences.txt
  bpe-gui encode --tokenizer my-tokenizer --allowed-special none from-others.txt
  echo hello | bpe-gui encode --tokenizer my-tokenizer"""
DECODE: Final = """\
Write the text of ids, which are numbers separated by any whitespace. The
bytes are written exactly, even if they are not valid UTF-8, and nothing is
added."""
DECODE_EPILOG: Final = """\
examples:
  bpe-gui decode --tokenizer my-tokenizer ids.txt > corpus.txt
  bpe-gui decode --tokenizer my-tokenizer --lines ids.txt
  echo 104 105 | bpe-gui decode --tokenizer my-tokenizer"""
CONVERT: Final = """\
Write a tokenizer in another format. The extension of OUT decides whether it
is a file or a folder. An existing file is replaced. If the format cannot
represent the tokenizer, nothing is written and the reason is shown.

With --check, bpe-gui reads the file back, and so does the package it is meant
for, if installed. Each is compared with the original on a fixed set of
difficult strings. The result is 'tiktoken 0.14.0 gives the same ids for 95
test strings', or the first text that differs."""


def convert_epilog() -> str:
    return f"""\
{_format_table()}
examples:
  bpe-gui convert my-tokenizer my.tiktoken --format tiktoken
  bpe-gui convert my-tokenizer my.model --format minbpe --check --text corpus.txt
  bpe-gui convert my.tiktoken my-tokenizer --format gpt2 --pattern cl100k
  bpe-gui convert my.tiktoken other.tiktoken --format tiktoken --check \\
      --special-token "<|endoftext|>=100257" --pattern cl100k"""


INSPECT: Final = """\
Summarize a tokenizer and list its merges in order: rank, the two parts, the
token they form, its id ('-' if it left the vocabulary), and the count of the
pair when training chose it ('-' if unknown). A space is shown as a middle
dot, and bytes that are not a whole character as \\xe4."""
INSPECT_EPILOG: Final = """\
examples:
  bpe-gui inspect my-tokenizer
  bpe-gui inspect my-tokenizer | head -30"""
COMPARE: Final = """\
Show how two or more tokenizers differ: how many tokens they share, whether
those have the same ids, and the first merge that differs, with possible
reasons if the files contain them.

With --text, also show how many tokens each one needs for FILE, its bytes and
characters per token, and the spans that they split differently. A span runs
from one token boundary that all of them share to the next. A tokenizer that
changes the text first, for example to lowercase, is left out of the spans."""
COMPARE_EPILOG: Final = """\
examples:
  bpe-gui compare my-tokenizer other-tokenizer
  bpe-gui compare r50k_base.tiktoken cl100k_base.tiktoken --text corpus.txt
  bpe-gui compare a.json b.json c.json --text - --json < corpus.txt"""
REPORT: Final = """\
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
REPORT_EPILOG: Final = """\
examples:
  bpe-gui report my-tokenizer --text corpus.txt --held-out other.txt
  bpe-gui report my-tokenizer --text languages/ --html report.html --csv tables
  bpe-gui report --project my.bpe.json --html report.html
  bpe-gui report my-tokenizer --text corpus.txt --prune-to smaller
  bpe-gui report cl100k_base.tiktoken --text - --json < corpus.txt"""
