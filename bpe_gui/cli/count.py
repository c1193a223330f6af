"""`bpe-gui count`: count the words of files into a counts file, or merge such files."""

import argparse
import logging
import time
from pathlib import Path
from typing import Final

from bpe_gui.engine import DEFAULT_RECIPE, Corpus, CorpusError, FileDocument
from bpe_gui.engine.corpora.bounded_counting import count_to_file, merge_files
from bpe_gui.engine.corpora.cluster_counting import count_on_cluster
from bpe_gui.engine.corpora.counts_file import Written, check_can_write, input_error, is_counts_file, write_counts
from bpe_gui.engine.corpora.remote_files import RemoteFile, address_of, find_remote

from .streams import ProgressLine, documents_of, field_of, files_named, quantity, say, say_left_out_records
from .tokenizer_files import recipe_named

_MEMORY: Final = 2_000_000_000  # bytes, by default
_NEVER_WITH_MERGE: Final = (
    *("--recipe", "--special-token", "--start", "--cluster", "--encoding", "--replace-invalid", "--field"),
    "--skip-bad-lines",
)

_logger: Final = logging.getLogger(__name__)


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError."""
    start = time.monotonic()
    is_other = arguments.output.exists() and not is_counts_file(arguments.output)
    inputs = filter(Path.exists, map(Path, files_named(arguments.files)))
    if is_other and not arguments.force and not any(map(arguments.output.samefile, inputs)):
        raise CorpusError(
            "{path} exists, and has no word counts. Choose another name, or use --force.", path=arguments.output
        )
    count = _count if arguments.cluster is None else _count_on_dask
    written = (_merge if arguments.merge else count)(arguments)
    _logger.info("wrote %d words", written.unique)
    say_left_out_records(arguments.inputs, written.skipped)
    say(
        f"Wrote {arguments.output}: {quantity(written.total, 'word', 'words')} ({written.unique:,} unique) "
        f"in {time.monotonic() - start:.1f} seconds."
    )
    return 0


def _count(arguments: argparse.Namespace) -> Written:
    recipe = recipe_named(arguments.recipe or DEFAULT_RECIPE)
    arguments.files = list(files_named(arguments.files))
    documents = tuple(documents_of(arguments))
    for document in documents:
        if document.holds_counts:
            raise CorpusError("{path} contains word counts. To add up counts files, use --merge.", path=document.name)
    corpus = Corpus(documents)
    with (
        ProgressLine("Counting words: {:.0%} of {:,} bytes") as progress,
        ProgressLine("Sorting words: {:.0%}") as sorting,
    ):
        return count_to_file(
            corpus,
            arguments.output,
            recipe,
            arguments.special_token,
            memory_limit=_MEMORY if arguments.memory is None else arguments.memory,
            start=arguments.start or 0,
            progress=progress.show,
            sorting=sorting.show,
        )


def _count_on_dask(arguments: argparse.Namespace) -> Written:
    if "-" in arguments.files:
        raise CorpusError("Standard input cannot be counted on a cluster. Name files that its workers can read.")
    if arguments.memory is not None:
        raise CorpusError(
            "--memory cannot be used with --cluster. Limit the memory of the workers with 'dask worker --memory-limit'."
        )
    recipe = recipe_named(arguments.recipe or DEFAULT_RECIPE)
    files = files_of_cluster(arguments)  # raises if no cluster can be used here
    check_can_write(arguments.output)
    if address_of(arguments.output) in {file.address for file in files}:
        raise input_error(arguments.output)
    with ProgressLine("Counting words: {:.0%} of {:,} bytes") as progress:
        counted = count_on_cluster(arguments.cluster, files, recipe, arguments.special_token, progress.show)
    counted = counted.placed_at(arguments.start or 0)
    return write_counts(arguments.output, counted.facts, [counted.words()])


def files_of_cluster(arguments: argparse.Namespace) -> list[RemoteFile]:
    """Return the files that the user named by paths or addresses, where workers find them. Raise EngineError."""
    how = arguments.encoding, arguments.replace_invalid
    files: list[RemoteFile] = []
    for name in arguments.files:
        like = FileDocument(Path(), *how, field_of(arguments, name), arguments.skip_bad_lines)
        files += find_remote([name], like)
    return files


def _merge(arguments: argparse.Namespace) -> Written:
    for option in _NEVER_WITH_MERGE:
        if getattr(arguments, option.removeprefix("--").replace("-", "_")):
            raise CorpusError(
                "{option} cannot be used with --merge, because the text is already counted.", option=option
            )
    paths = [Path(name) for name in arguments.files]
    with (
        ProgressLine("Merging words: {:.0%} of {:,}") as progress,
        ProgressLine("Sorting words: {:.0%}") as sorting,
    ):
        return merge_files(
            paths,
            arguments.output,
            memory_limit=_MEMORY if arguments.memory is None else arguments.memory,
            progress=progress.show,
            sorting=sorting.show,
        )
