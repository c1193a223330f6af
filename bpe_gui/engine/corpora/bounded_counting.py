"""Count words into a file, or merge files of counts, with as much memory as is allowed."""

import logging
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.runtime import memory
from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.compiled_splitters import splitter_of
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens

from .corpus import Corpus, check_not_all_skipped
from .counting import count_parts
from .counts_files.facts import CountsFacts, in_their_places, merged_facts
from .counts_files.parquet_file import Written, check_can_write, open_counts, write_counts
from .counts_files.repeated_words import WordHashes
from .counts_files.spilling import SpilledWords, SpillFolder, SpillingTally
from .documents import FileDocument
from .word_arrays import WordArrays
from .word_tally import WordTally

LEAST_MEMORY: Final = 270_000_000
"""The fewest bytes of memory that a program can be limited to, since it needs some itself."""

_WORK: Final = 1 << 26
"""Bytes of memory that tallies need at least."""

_WRITING: Final = 1 << 26
"""Bytes of memory that writing a file takes."""

_logger: Final = logging.getLogger(__name__)


@checks_arguments(CorpusError)
def count_to_file(
    corpus: Corpus,
    path: Path,
    recipe: Recipe,
    special_tokens: Iterable[str],
    *,
    memory_limit: int,
    start: int = 0,
    progress: Progress | None = None,
    sorting: Progress | None = None,
) -> Written:
    """Count the words of a corpus into a file, and return how many there are. The result is as counted in memory.

    The program takes at most `memory_limit` bytes of memory: words that do not fit go to a temporary folder beside the
    file. `start` is where in a larger corpus this part begins. `progress` is called with the bytes read and in total,
    and `sorting` while words on disk are put in order. Raise EngineError; then nothing is changed.
    """
    specials = SpecialTokens(special_tokens)
    check_can_write(path, (each.path for each in corpus.documents if isinstance(each, FileDocument)))
    if corpus.weights:
        raise CorpusError(
            _(
                "EngineError",
                "A counts file contains unweighted counts. Leave the weights out, and give the file a weight when "
                "you train on it.",
            )
        )
    with _folder_beside(path, memory_limit, corpus.size()) as folder:
        tallies, sizes = _count(corpus, splitter_of(recipe), specials.cut_from_corpus(recipe), folder, progress)
        if not sizes.bytes:
            check_not_all_skipped(sizes.skipped)
            raise CorpusError(_("EngineError", "The corpus is empty, so there are no words to count. Add some text."))
        facts = corpus.facts(corpus.part_sizes(), recipe, specials, *sizes).moved(start)
        pieces = _pieces(folder, tallies, sorting)
        return write_counts(path, facts, (piece.moved(start) for piece in pieces))


def merge_files(
    paths: Sequence[Path],
    path: Path,
    *,
    memory_limit: int,
    progress: Progress | None = None,
    sorting: Progress | None = None,
) -> Written:
    """Merge files of counts into another, as `WordCounts.merge` does, and return how many words there are.

    `progress` is called with the words read and in total; the rest is as for `count_to_file`. Raise CorpusError with
    the row if a file has a word twice.
    """
    check_can_write(path, paths)
    facts: list[CountsFacts] = []
    total = 0
    for each in paths:
        with open_counts(each) as file:
            facts.append(file.facts)
            total += file.words
    distances = in_their_places(facts)
    merged = merged_facts([each.moved(distance) for each, distance in zip(facts, distances, strict=True)])
    with _folder_beside(path, memory_limit, merged.bytes) as folder:
        tally = SpillingTally(folder, folder.memory)
        done = 0
        for each, distance in zip(paths, distances, strict=True):
            with open_counts(each) as file, WordHashes(folder) as hashes:
                for words in file.batches():
                    tally.add(words.moved(distance))
                    hashes.add(words)
                    done += len(words)
                    if progress:
                        progress(done, total)
                file.check_different(hashes.repeated())
        return write_counts(path, merged, _pieces(folder, [tally], sorting))


@contextmanager
def _folder_beside(path: Path, memory_limit: int, size: int) -> Iterator[SpillFolder]:
    """Make a folder for words that do not fit in memory, and remove it. Raise EngineError."""
    if memory_limit < LEAST_MEMORY:
        raise CorpusError(
            _(
                "EngineError",
                "Counting takes at least {least:,} MB of memory. It cannot be limited to {limit:,} MB.",
            ),
            least=LEAST_MEMORY // 1_000_000,
            limit=memory_limit // 1_000_000,
        )
    with tempfile.TemporaryDirectory(prefix=".bpe-gui-", dir=path.absolute().parent) as folder:
        words_memory = _memory_for_words(memory_limit)
        _logger.info("%d MB of memory for words", words_memory // 1_000_000)
        yield SpillFolder.for_text(Path(folder), words_memory, size)


def _memory_for_words(memory_limit: int) -> int:
    """Return the bytes of memory that tallies may take, of those that the whole program may."""
    return max(_WORK, memory_limit - memory.in_use() - _WRITING)


def _count(
    corpus: Corpus, splitter: Splitter, specials: SpecialTokens, folder: SpillFolder, progress: Progress | None
) -> tuple[list[SpillingTally], "_Sizes"]:
    """Return the tallies of consecutive parts of the corpus, and its sizes."""
    tallies: list[SpillingTally] = []

    def new_tally(parts: int) -> WordTally:
        tallies.append(SpillingTally(folder, folder.memory // parts))
        return tallies[-1]

    count_parts(corpus.parts(), corpus.part_sizes(), splitter, specials, progress, (), new_tally)
    sizes = [(tally.characters, tally.bytes, tally.read, tally.skipped) for tally in tallies]
    return tallies, _Sizes(*map(sum, zip(*sizes, strict=True)))


class _Sizes(NamedTuple):
    """The amounts counted: characters, bytes of UTF-8, the bytes read for that, and the records that were left out."""

    characters: int
    bytes: int
    read: int
    skipped: int


def _pieces(folder: SpillFolder, tallies: list[SpillingTally], sorting: Progress | None) -> Iterable[WordArrays]:
    """Return all words in the order in which they were first seen. Raise CorpusError."""
    if not any(tally.spills for tally in tallies):
        while len(tallies) > 1:
            tallies[0].add_following(tallies.pop(1))  # which may spill
    if any(tally.spills for tally in tallies):
        return SpilledWords(folder, tallies).pieces(sorting)
    return [tallies[0].words().as_first_seen()]
