"""`bpe-gui encode --output` and `--count`: the ids of files as arrays on disk, or only how many there are."""

import argparse
import time
from pathlib import Path
from typing import Final

from bpe_gui.engine import Corpus, FileDocument, FormatError, Tokenizer
from bpe_gui.engine.datasets import count_tokens, encode_files

from .coding import ONLY_TO_DISK
from .streams import ProgressLine, document_of, files_named, output_stream, quantity, say
from .tokenizer_files import open_tokenizer

_NEVER_WITH_OUTPUT: Final = ["lines", "tokens", "chat", "beside"]


def write(arguments: argparse.Namespace, tokenizer: Tokenizer) -> int:
    """Write the ids to disk, and return the exit status. Raise EngineError."""
    _refuse(arguments, _NEVER_WITH_OUTPUT, "--output")
    start = time.monotonic()
    with ProgressLine("Encoding: {:.0%} of {:,} bytes") as line:

        def report(done: int, size: int, tokens: int) -> None:
            seconds = max(time.monotonic() - start, 1e-3)
            left = seconds * (size - done) / max(done, 1)
            line.show(done, size, f", {tokens:,} tokens, {done / seconds / 1e6:.0f} MB/s, {left:.0f} s left")

        made = encode_files(
            tokenizer,
            _corpus(arguments),
            arguments.output,
            format=arguments.format,
            dtype=arguments.dtype,
            separator=arguments.separator,
            prepend=arguments.prepend,
            append=arguments.append,
            shard_tokens=arguments.shard_tokens,
            index=arguments.index,
            resume=arguments.resume,
            overwrite=arguments.force,
            progress=report,
        )
    names = made.shards[0].file if len(made.shards) == 1 else f"{made.shards[0].file} to {made.shards[-1].file}"
    say(
        f"Wrote {arguments.output.with_name(names)}: {quantity(made.tokens, 'token', 'tokens')} as {made.dtype}, "
        f"{quantity(made.documents, 'document', 'documents')}, in {time.monotonic() - start:.1f} seconds."
    )
    return 0


def count(arguments: argparse.Namespace, tokenizer: Tokenizer) -> int:
    """Write how many tokens each file has, as `wc` does, and return the exit status. Raise EngineError."""
    _refuse(arguments, [*ONLY_TO_DISK, "output", "lines", "tokens", "chat"], "--count")
    corpus, output = _corpus(arguments), output_stream()
    tokenizers, names = [tokenizer], [str(arguments.tokenizer)]
    for path in arguments.beside:
        other = argparse.Namespace(**vars(arguments) | {"tokenizer": path})
        tokenizers.append(open_tokenizer(other).tokenizer)
        names.append(str(path))
    with ProgressLine("Counting tokens: {:.0%} of {:,} bytes", beside_output=True) as line:
        columns = [list(count_tokens(each, corpus, line.show)) for each in tokenizers]
    rows = [([row.tokens for row in counts], counts[0].name) for counts in zip(*columns, strict=True)]
    if len(rows) != 1:
        rows.append(([sum(row.tokens for row in column) for column in columns], "total"))
    if len(tokenizers) > 1:
        widths = [max(len(name), *(len(f"{counts[i]}") for counts, _name in rows)) for i, name in enumerate(names)]
        output.write(("  ".join(map(str.rjust, names, widths)) + "\n").encode())
    else:
        widths = [max(len(f"{counts[0]}") for counts, _name in rows)]
    for counts, name in rows:
        numbers = "  ".join(f"{count:{width}}" for count, width in zip(counts, widths, strict=True))
        output.write(f"{numbers}  {name}\n".encode(errors="surrogateescape"))
    return 0


def _refuse(arguments: argparse.Namespace, names: list[str], option: str) -> None:
    for name in names:
        if getattr(arguments, name):
            raise FormatError("--{name} cannot be used with {option}.", name=name.replace("_", "-"), option=option)


def _corpus(arguments: argparse.Namespace) -> Corpus:
    """Return the files to encode; short ones are read in groups, which only those without a type of their own are."""
    how = arguments.encoding, arguments.replace_invalid, arguments.field, arguments.skip_bad_lines
    names = files_named(arguments.files or ["-"])
    return Corpus(
        tuple(document_of(arguments, name) if name == "-" else FileDocument(Path(name), *how) for name in names)
    )
