"""`bpe-gui encode` and `bpe-gui decode`: turn text into ids, and ids into text."""

import argparse
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, count
from typing import BinaryIO

import numpy as np

from bpe_gui.engine import AllowedSpecial, FormatError, Tokenizer
from bpe_gui.engine.corpora.text_files import ReadingState
from bpe_gui.engine.runtime.files import parse_json
from bpe_gui.engine.runtime.shown_tokens import tokens_in_terminal
from bpe_gui.engine.runtime.types import Int32Array
from bpe_gui.engine.text.utf8 import lines_of

from .arguments import IDS_SUFFIXES, ONLY_TO_DISK
from .streams import (
    MAX_ID_LENGTH,
    NamedFile,
    chunks_with_progress,
    document_of,
    documents_of,
    errors_naming,
    output_stream,
    say,
    say_left_out_records,
    words_in,
)
from .tokenizer_files import open_tokenizer


def encode(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError and OSError."""
    tokenizer = open_tokenizer(arguments).tokenizer.obeying(_allowed_special(arguments.allowed_special))
    if arguments.unknown_id is not None:
        tokenizer = tokenizer.with_unknown_id(arguments.unknown_id)
    if arguments.output is not None or arguments.count:
        from . import dataset  # imports what reads corpora

        return (dataset.count if arguments.count else dataset.write)(arguments, tokenizer)
    if useless := next(filter(partial(getattr, arguments), ONLY_TO_DISK), None):
        raise FormatError("--{name} needs --output.", name=useless.replace("_", "-"))
    output, write = output_stream(), partial(_write_tokens, tokenizer) if arguments.tokens else _write_ids
    if arguments.chat is not None:
        write(output, [np.array(_chat_ids(tokenizer, arguments), np.int32)])
        return 0
    for document in documents_of(arguments, exact=arguments.encoding is None):
        with errors_naming(document):
            for text in _texts(document, by_line=arguments.lines):
                if text is None:
                    output.write(b"\n")
                    continue
                if arguments.show:
                    output.write(_shown(tokenizer, "".join(text)).encode(errors="replace") + b"\n")
                    continue
                write(output, tokenizer.encode_stream(text))
    say_left_out_records(arguments.inputs)
    return 0


def _allowed_special(given: list[str]) -> AllowedSpecial:
    """Return what `--allowed-special` means, which can be repeated for several special tokens."""
    match given:
        case []:
            return "all"
        case ["all" | "none" | "none_raise" as choice]:
            return choice
    return given


def _texts(document: NamedFile, *, by_line: bool) -> Iterable[Iterable[str] | None]:
    """Return the texts to encode separately: a file's records, its lines, or the whole file, each in chunks.

    By line, there is None for each line of a file of records that has no text.
    """
    if document.has_records:
        return _aligned_records(document) if by_line else document.texts(ReadingState())
    chunks = chunks_with_progress(document)
    return ([line] for line in lines_of(chunks)) if by_line else [chunks]


def _aligned_records(document: NamedFile) -> Iterator[Iterable[str] | None]:
    without_text = document.left_out.lines_without_text = deque()
    number = 0
    for text in document.texts(ReadingState()):
        number += 1
        while without_text and without_text[0] == number:
            without_text.popleft()
            yield None
            number += 1
        yield text
    yield from (None for _line in without_text)


def _shown(tokenizer: Tokenizer, text: str) -> str:
    """Return a text whose tokens are told apart by colours on a terminal, unless `NO_COLOR` is set."""
    spans = tokenizer.encoding(text).byte_spans
    return tokens_in_terminal(text, spans, has_color=sys.stdout.isatty() and not os.environ.get("NO_COLOR"))


def _write_ids(output: BinaryIO, blocks: Iterable[Int32Array]) -> None:
    separator = ""
    for ids in filter(len, blocks):
        output.write((separator + " ".join(map(str, ids.tolist()))).encode())
        separator = " "
    output.write(b"\n")


def _write_tokens(tokenizer: Tokenizer, output: BinaryIO, blocks: Iterable[Int32Array]) -> None:
    separator = "["
    for token_id in chain.from_iterable(ids.tolist() for ids in blocks):
        output.write(f"{separator}{tokenizer.spelled(token_id)!r}".encode())
        separator = ", "
    output.write(b"]\n" if separator != "[" else b"[]\n")


def _chat_ids(tokenizer: Tokenizer, arguments: argparse.Namespace) -> list[int]:
    """Return the ids of the chat in a file. Say which of its messages have special tokens in them."""
    if arguments.files or arguments.lines:
        raise FormatError("--chat names the only text to encode: leave out other files and --lines.")
    document = document_of(arguments, arguments.chat, exact=True)
    given = parse_json(document.path, "".join(document.chunks()))
    given = {"messages": given} if isinstance(given, list) else given
    if not isinstance(given, dict) or not isinstance(given.get("messages"), list):
        raise FormatError(
            "{path} must be a list of messages, such as [{example}], or an object with such a list as its 'messages'.",
            path=document.path,
            example='{"role": "user", "content": "Hello"}',
        )
    options = {"template": arguments.chat_template}
    if arguments.add_generation_prompt:
        options["add_generation_prompt"] = True
    with errors_naming(document):
        chat = tokenizer.chat_text(**given | options)
        for index, token in chat.special:
            say(f"Message {index + 1} has {token!r} in its text, which becomes the special token, as in transformers.")
        return tokenizer.without_ids_around().encode(chat.text)


def decode(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError and OSError."""
    tokenizer = open_tokenizer(arguments).tokenizer
    output = output_stream()
    skips = arguments.skip_special_tokens
    for document in documents_of(arguments):
        if document.path.suffix.lower() in IDS_SUFFIXES:
            from . import dataset

            output.writelines(dataset.decoded(arguments, tokenizer, document.path))
            continue
        if arguments.documents or arguments.token_range or arguments.dtype:
            raise FormatError(
                "{path} has ids as text. --documents, --tokens and --dtype are for files such as train.bin.",
                path=document.path,
            )
        with errors_naming(document):
            if arguments.lines:
                for line in lines_of(document.chunks()):
                    output.write(tokenizer.decode_bytes(_ids(line.split(), count(1)), skips) + b"\n")
            else:
                output.writelines(_decoded(tokenizer, words_in(document.chunks()), skips))
    if sys.stdout.isatty() and not (arguments.lines or arguments.documents):
        output.write(b"\n")  # so that the prompt is on a line of its own; files and pipes get the exact bytes
    return 0


def _decoded(tokenizer: Tokenizer, words: Iterator[list[str]], skips: bool) -> Iterator[bytes]:
    """Return the bytes of ids in pieces: of all that arrived if each token has bytes of its own, which is faster."""
    numbers = count(1)
    batches = (_ids(batch, numbers) for batch in words)
    if not tokenizer.joins_bytes:
        return tokenizer.decode_bytes_iterable(chain.from_iterable(batches), skips)
    return (tokenizer.decode_bytes(list(batch), skips) for batch in batches)


def _ids(words: Iterable[str], numbers: Iterator[int]) -> Iterator[int]:
    """Yield words as ids, the first of which has the next of `numbers`. Raise FormatError for one that is no number."""
    for word, number in zip(words, numbers, strict=False):
        if not (word.isascii() and word.isdigit()) or len(word) > MAX_ID_LENGTH:
            raise FormatError(
                "{word!r} is not a valid id (number {number:,} in the input). Ids are integers separated by "
                "whitespace.",
                word=word if len(word) <= MAX_ID_LENGTH else word[:MAX_ID_LENGTH] + "...",
                number=number,
            )
        yield int(word)
