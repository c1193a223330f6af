"""The ids of files as arrays on disk: `encode --output`, `decode` and `inspect`; and `encode --count`."""

import argparse
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from bpe_gui.engine import Corpus, FileDocument, FormatError, Tokenizer, count_tokens, encode_files, open_encoded
from bpe_gui.engine.corpora.text_files import kind_of
from bpe_gui.engine.datasets.manifest import read_manifest

from .arguments import ONLY_TO_DISK
from .streams import (
    ProgressLine,
    document_of,
    field_of,
    files_named,
    output_stream,
    quantity,
    say,
    say_left_out_records,
)
from .tokenizer_files import open_tokenizer

_PIECE: Final = 1 << 20  # ids decoded at a time
_DIGEST: Final = 16
"""How many digits of a digest are shown."""
_MOST_INPUTS: Final = 20
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
            offsets=arguments.index,
            resume=arguments.resume,
            overwrite=arguments.force,
            cluster=arguments.cluster,
            progress=report,
        )
    say_left_out_records(arguments.inputs)
    names = made.paths[0].name if len(made.paths) == 1 else f"{made.paths[0].name} to {made.paths[-1].name}"
    manifest = made.manifest
    assert manifest is not None
    say(
        f"Wrote {made.paths[0].with_name(names)}: {quantity(made.tokens, 'token', 'tokens')} as {manifest.dtype}, "
        f"{quantity(manifest.documents, 'document', 'documents')}, in {time.monotonic() - start:.1f} seconds."
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
    say_left_out_records(arguments.inputs)
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


def decoded(arguments: argparse.Namespace, tokenizer: Tokenizer, path: Path) -> Iterator[bytes]:
    """Yield the text of a file of ids, of some of its tokens, or of some documents with a line feed after each."""
    file, skips = open_encoded(path, arguments.dtype), arguments.skip_special_tokens
    if arguments.documents:
        count = file.documents
        if count is None:
            raise FormatError(
                "{path} does not say where its documents begin: it was written without an index.", path=path
            )
        for number in arguments.documents.of(count):
            yield tokenizer.decode_bytes(file.document(number), skips) + b"\n"
        return
    ids = file.ids
    if arguments.token_range:
        chosen = arguments.token_range.of(len(ids))
        ids = ids[chosen.start : chosen.stop]
    if tokenizer.joins_bytes:
        yield from (tokenizer.decode_bytes(ids[first : first + _PIECE], skips) for first in range(0, len(ids), _PIECE))
    else:
        pieces = (ids[first : first + _PIECE].tolist() for first in range(0, len(ids), _PIECE))
        yield from tokenizer.decode_bytes_iterable(chain.from_iterable(pieces), skips)


def facts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield what is known about a file of ids, each with a heading. Raise EngineError."""
    manifest = read_manifest(path)
    if manifest is None:
        raise FormatError("{path} has no manifest beside it, so nothing says what it was made from.", path=path)
    yield "format", f"{manifest.format}, {manifest.dtype}" + ("" if manifest.is_complete else " (incomplete)")
    yield "tokens", f"{manifest.tokens:,}"
    yield "documents", f"{manifest.documents:,}"
    if len(manifest.shards) > 1:
        yield from (("shard", f"{each.file}: {quantity(each.tokens, 'token', 'tokens')}") for each in manifest.shards)
    yield "tokenizer", f"{quantity(manifest.vocab_size, 'id', 'ids')}, digest {manifest.tokenizer[:_DIGEST]}"
    yield from ((name.replace("_", " "), str(value)) for name, value in manifest.options.items() if value)
    for name, size, _changed in manifest.inputs[:_MOST_INPUTS]:
        yield "input", f"{name or 'text in memory'} ({quantity(size, 'byte', 'bytes')})"
    if len(manifest.inputs) > _MOST_INPUTS:
        yield "input", f"and {len(manifest.inputs) - _MOST_INPUTS:,} more"
    yield "made by", manifest.made_by


def _refuse(arguments: argparse.Namespace, names: list[str], option: str) -> None:
    for name in names:
        if getattr(arguments, name):
            raise FormatError("--{name} cannot be used with {option}.", name=name.replace("_", "-"), option=option)


def _corpus(arguments: argparse.Namespace) -> Corpus:
    """Return the files to encode, as plain documents where possible, since only these are read in groups if short."""
    if arguments.cluster and (arguments.skip_bad_lines or "-" in (arguments.files or ["-"])):
        raise FormatError(
            "Standard input and --skip-bad-lines cannot be used with --cluster, where workers read files."
        )
    if arguments.cluster and any("://" in name for name in arguments.files):
        from .count import files_of_cluster  # imports what reads at any address

        return Corpus(tuple(files_of_cluster(arguments)))
    documents: list[FileDocument] = []
    how, noted = (arguments.encoding, arguments.replace_invalid), arguments.skip_bad_lines
    for name in files_named(arguments.files or ["-"]):
        path = name if isinstance(name, Path) else Path(name)  # not made twice: there may be 100,000
        if name == "-" or (noted and kind_of(path).has_records):
            documents.append(document_of(arguments, name))
        else:
            documents.append(FileDocument(path, *how, field_of(arguments, name), noted))
    return Corpus(tuple(documents))
