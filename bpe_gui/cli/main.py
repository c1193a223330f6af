"""The command line: train, encode, decode, convert and inspect without a window. It imports no Qt.

Results go to standard output as bytes, UTF-8 whatever the system's encoding; what is said to a person goes to standard
error. The exit status is 0, 1 where `convert --check` finds other ids, 2 for a user's mistake (with one line that says
what would be right), or 130 on Ctrl-C.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Final, NamedTuple

from bpe_gui.cli.arguments import COMMANDS, UsageError, parse
from bpe_gui.cli.inspect import amount, facts, merge_table
from bpe_gui.cli.streams import (
    LONGEST_ID,
    ProgressLine,
    abandon_output,
    about,
    documents_of,
    lines_of,
    mistake,
    output_failed,
    output_stream,
    say,
    watched,
    words_of,
)
from bpe_gui.engine import (
    FORMATS,
    PRESETS,
    Corpus,
    EngineError,
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
from bpe_gui.engine.runtime.compiled import compiles_for, load_for
from bpe_gui.engine.formats import check_ending, check_place, obstacle, recognised, tiktoken
from bpe_gui.engine.proof import OURSELVES, Difference, Proof, Token, beginning, prove, readers, strings

__all__ = ["COMMANDS", "main"]

_DIFFERENT: Final = 1
_INTERRUPTED: Final = 130
_BATCH: Final = 1 << 13  # ids written or decoded at a time
_MOST_SHOWN: Final = 16  # ids of a difference
_LONGEST_TEXT: Final = 120  # characters of its text
_GUESS: Final = (
    "{path} does not say how text is split, nor which special tokens there are: the pattern of GPT-2 is used, and no "
    "special tokens. Say it with --pattern and --special-token."
)
_GUESS_OF_IDS: Final = (
    "{path} does not say which special tokens there are: none are known. Say it with --special-token."
)


def main(argv: Sequence[str]) -> int:
    """Run one command; `argv` are the arguments without the program's name. Returns the exit status."""
    try:
        status = _run(argv)
        if sys.stdout:
            sys.stdout.flush()
    except KeyboardInterrupt:
        abandon_output()
        return _INTERRUPTED
    except OSError as error:
        return output_failed(error)
    return status


def _run(argv: Sequence[str]) -> int:
    try:
        arguments = parse(argv)
    except SystemExit as done:  # --help and --version
        return int(done.code or 0)
    except UsageError as error:
        return mistake(str(error))
    try:
        return _DOINGS[arguments.command](arguments) or 0
    except UndecodableFileError as error:
        return mistake(f"{error} ({arguments.remedy})")
    except EngineError as error:
        return mistake(str(error))


# -- the commands ------------------------------------------------------------------------------------------------------


def _train(arguments: argparse.Namespace) -> None:
    vocab_size, num_merges = arguments.vocab_size, arguments.num_merges
    if vocab_size is None and num_merges is None:
        raise TrainingError("Say where training ends: --vocab-size N, --num-merges N, or both.")
    recipe = _recipe(arguments.recipe)
    _check_output(arguments.output, arguments.format)
    documents = documents_of(arguments)
    start = time.monotonic()
    corpus = Corpus(tuple(documents))
    if compiles_for(corpus.size()):
        say("Compiling the engine, which happens once on this machine and takes about half a minute…")
    with ProgressLine("Counting words: {:.0%} of {:,} bytes") as progress:
        words = corpus.count(recipe, arguments.special_token, progress.show)
    trainer = Trainer(words, recipe)
    with ProgressLine("Training: {:.0%} of {:,} merges") as progress:
        goals = train_to(trainer, vocab_size=vocab_size, num_merges=num_merges)
        for done, goal in _checking(trainer, arguments.format, goals):
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
    written = save(tokenizer, arguments.output, arguments.format)
    seconds = time.monotonic() - start
    if short:
        say(f"Training ended early: no pair {_often(recipe.min_count)} after {trainer.position:,} merges.")
    say(
        f"Wrote {', '.join(map(str, written))}: {amount(len(tokenizer.vocab), 'entry', 'entries')} and "
        f"{amount(trainer.position, 'merge', 'merges')} from {amount(words.total, 'word', 'words')} "
        f"({len(words):,} different) in {seconds:.1f} seconds."
    )


def _checking(trainer: Trainer, format: str, goals: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The same goals. Raises FormatError at the first, and not after an hour, if files cannot hold such a tokenizer."""
    for first, goal in enumerate(goals):
        if not first and trainer.position and (error := obstacle(trainer.tokenizer(), format)):
            raise error
        yield goal


def _often(min_count: int) -> str:
    return "is left" if min_count == 1 else f"occurs {min_count} times or more"


def _encode(arguments: argparse.Namespace) -> None:
    tokenizer = _opened(arguments).tokenizer
    output = output_stream()
    for document in documents_of(arguments, exact=arguments.encoding is None):
        with about(document):
            load_for(document.size())
            chunks = watched(document)
            for text in lines_of(chunks) if arguments.lines else [chunks]:
                _write_ids(output, tokenizer.encode_iterable(text))


def _write_ids(output: BinaryIO, ids: Iterator[int]) -> None:
    gap = ""
    while batch := list(islice(ids, _BATCH)):
        output.write((gap + " ".join(map(str, batch))).encode())
        gap = " "
    output.write(b"\n")


def _decode(arguments: argparse.Namespace) -> None:
    tokenizer = _opened(arguments).tokenizer
    output = output_stream()
    for document in documents_of(arguments):
        with about(document):
            if arguments.lines:
                for line in lines_of(document.chunks()):
                    output.write(tokenizer.decode_bytes(_ids("".join(line).split())) + b"\n")
            else:
                output.writelines(_decoded(tokenizer, _ids(words_of(document.chunks()))))


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
        if not (word.isascii() and word.isdigit()) or len(word) > LONGEST_ID:
            raise FormatError(
                "{word!r} is no id (number {number:,} in the input); ids are whole numbers separated by white space.",
                word=word if len(word) <= LONGEST_ID else word[:LONGEST_ID] + "...",
                number=number,
            )
        yield int(word)


def _convert(arguments: argparse.Namespace) -> int:
    if arguments.files and not arguments.check:
        raise EngineError("--text is what --check compares beside its own strings; give both.")
    tokenizer = _opened(arguments).tokenizer
    _check_output(arguments.output, arguments.format)
    documents = documents_of(arguments) if arguments.files else []
    texts = [beginning(document.chunks()) for document in documents]
    written = save(tokenizer, arguments.output, arguments.format)
    say(
        f"Wrote {', '.join(map(str, written))}: {amount(len(tokenizer.vocab), 'entry', 'entries')} and "
        f"{amount(len(tokenizer.merges), 'merge', 'merges')}."
    )
    if not arguments.check:
        return 0
    compared = strings(texts, tokenizer.special_tokens)
    fails = False
    for reader in readers(tokenizer, arguments.format, written):
        with ProgressLine(f"Comparing with {reader.name}: {{:.0%}} of {{:,}} strings") as progress:
            proof = prove(reader, compared, progress.show)
        say(_verdict(proof))
        fails |= proof.fails
    return _DIFFERENT if fails else 0


def _verdict(proof: Proof) -> str:
    """What came of asking a reader, in a line; a difference has three more."""
    reader = "bpe-gui itself" if proof.reader == OURSELVES else proof.reader
    kind = "ids" if proof.knows_ids else "tokens"
    if proof.obstacle is not None:
        return f"{reader}: {proof.obstacle}"
    if proof.difference is not None:
        return f"{reader} gives other {kind}:\n{_sides(proof.difference)}"
    more = f"; {proof.left_out:,} more hold symbols without an id" if proof.left_out else ""
    return f"same {kind} on {amount(proof.strings, 'string', 'strings')} with {reader}{more}"


def _sides(difference: Difference) -> str:
    """A text and what both sides make of it, from a little before the first difference."""
    first = max(0, difference.place - _MOST_SHOWN // 2)
    shown = slice(first, first + _MOST_SHOWN)
    text = visible(difference.text.encode())
    return "\n".join(
        [
            f"  text:   {text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + '…'}",
            f"  ours:   {_tokens(difference.ours[shown])}",
            f"  theirs: {_tokens(difference.theirs[shown])}",
        ]
    )


def _tokens(tokens: Iterable[Token]) -> str:
    return " ".join(visible(token.encode()) if isinstance(token, str) else str(token) for token in tokens) or "nothing"


def _inspect(arguments: argparse.Namespace) -> None:
    opened = _opened(arguments)
    output = output_stream()
    for heading, fact in facts(opened.tokenizer, opened.format, is_guessed=opened.is_guessed).items():
        output.write(f"{heading + ':':<16}{fact}\n".encode())
    if opened.tokenizer.merges:
        output.write(b"\n")
        for line in merge_table(opened.tokenizer):
            output.write(line.encode() + b"\n")


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


class _Opened(NamedTuple):
    """A tokenizer with the name of its format; `is_guessed` where nobody knows how it splits text."""

    tokenizer: Tokenizer
    format: str
    is_guessed: bool = False


def _opened(arguments: argparse.Namespace) -> _Opened:
    """The tokenizer; how text is split is said by the user where a file of ranks does not say it."""
    path, pattern, special_tokens = arguments.tokenizer, arguments.pattern, dict(arguments.special_token) or None
    format = recognised(path)
    if pattern is None and special_tokens is None:
        tokenizer = load(path, format)
        is_guessed = format == "tiktoken" and not tokenizer.special_tokens  # all that are published have some
        if is_guessed:
            say((_GUESS_OF_IDS if arguments.command == "decode" else _GUESS).format(path=path))
        return _Opened(tokenizer, format, is_guessed)
    if format != "tiktoken":
        raise FormatError(
            "{options} for ranks of tiktoken; {path} is of the format {format} and says itself what they say.",
            options="--special-token is" if arguments.command == "decode" else "--pattern and --special-token are",
            path=path,
            format=format,
        )
    return _Opened(tiktoken.load(path, pattern=pattern, special_tokens=special_tokens), format)


def _check_output(path: Path, format: str) -> None:
    """Raise FormatError for a place that cannot be written to, before an hour is spent on training."""
    if str(path) == "-":
        raise FormatError(
            "'-' is no place to write a tokenizer to; name a folder, or the file of a format that has one."
        )
    file = FORMATS[format].paths(path)[0]
    check_place(file)
    check_ending(path, format)
    nearest = next(place for place in file.absolute().parents if place.exists())
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise FormatError("{path} cannot be written: Permission denied.", path=file.parent)


_DOINGS: Final[Mapping[str, Callable[[argparse.Namespace], int | None]]] = MappingProxyType(
    {"train": _train, "encode": _encode, "decode": _decode, "convert": _convert, "inspect": _inspect}
)
