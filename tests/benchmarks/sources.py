"""Compare counting files of every kind with gigatoken: run `python -m tests.benchmarks.sources FOLDER`.

FOLDER has the corpora of `tests.benchmarks.corpora`. The documents of `en_100.txt`, which end with <|endoftext|>, are
written as 16 shards of each kind: plain text, .txt.gz, .txt.zst, .jsonl, .jsonl.gz, .jsonl.zst and Parquet (Zstandard,
row groups of 1,000 rows). gigatoken 0.10 reads plain text, .jsonl and Parquet. It cannot only count, so it trains to
the 256 bytes and the special token, without a single merge.

Every measurement is a separate process limited to two processors, and the programs take turns; the table has medians of
seconds, and the peak memory of the process. Packages are imported before the clock starts.
"""

import gzip
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from .measuring import (
    THREADS,
    called,
    command,
    in_turns,
    parser_of,
    peak_mb,
    report_failures,
    say,
    seconds,
    use_processors,
)
from .train import SPECIAL, documents

SHARDS = 16
ROW_GROUP = 1_000
KINDS = ("txt", "txt.gz", "txt.zst", "jsonl", "jsonl.gz", "jsonl.zst", "parquet")
READ_BY_GIGATOKEN = ("txt", "jsonl", "parquet")


# -- the files ---------------------------------------------------------------------------------------------------------


def make_shards(corpus: Path, folder: Path) -> None:
    """Write the documents of a corpus as shards of every kind, each kind in its own folder."""
    texts = list(documents(corpus))
    size = -(-len(texts) // SHARDS)
    for kind in KINDS:
        (folder / kind).mkdir(parents=True, exist_ok=True)
    for number in range(SHARDS):
        write_shard(folder, number, texts[number * size : (number + 1) * size])


def write_shard(folder: Path, number: int, texts: list[str]) -> None:
    import pyarrow
    from pyarrow import parquet

    def compress(data: bytes) -> bytes:
        return bytes(pyarrow.compress(data, codec="zstd", asbytes=True))

    lines = "".join(json.dumps({"id": i, "text": text}, ensure_ascii=False) + "\n" for i, text in enumerate(texts))
    for name, data in (("txt", SPECIAL.join(texts).encode()), ("jsonl", lines.encode())):
        path = folder / name / f"{number:02}.{name}"
        path.write_bytes(data)
        (folder / f"{name}.gz" / f"{number:02}.{name}.gz").write_bytes(gzip.compress(data, 6))
        (folder / f"{name}.zst" / f"{number:02}.{name}.zst").write_bytes(compress(data))
    table = pyarrow.table({"id": range(len(texts)), "text": texts})
    path = folder / "parquet" / f"{number:02}.parquet"
    parquet.write_table(table, path, compression="zstd", row_group_size=ROW_GROUP)


# -- programs ----------------------------------------------------------------------------------------------------------


def count_ours(paths: list[Path]) -> None:
    from bpe_gui.engine import Corpus

    Corpus.from_files(paths).count("cs336", [SPECIAL])


def count_gigatoken(paths: list[Path]) -> None:
    gigatoken = importlib.import_module("gigatoken")
    sources: dict[str, Callable[[list[Path]], object]] = {
        ".txt": lambda each: gigatoken.TextFileSource(each, separator=SPECIAL),
        ".jsonl": gigatoken.JsonlFileSource,
        ".parquet": gigatoken.ParquetFileSource,
    }
    gigatoken.train_bpe(sources[paths[0].suffix](paths), 257, [SPECIAL])


PROGRAMS = {"ours": count_ours, "gigatoken": count_gigatoken}


def run(name: str, folder: str) -> None:
    """Measure in this process, and print the seconds and the peak memory."""
    use_processors(THREADS)
    paths = sorted(Path(folder).iterdir())
    if name == "ours":
        from bpe_gui.engine import FileDocument

        next(FileDocument(paths[0]).chunks())  # imports pyarrow
    else:
        importlib.import_module("gigatoken")
    say(seconds(lambda: PROGRAMS[name](paths)), peak_mb())


def measured(kind: str, folder: Path, rounds: int, pythons: dict[str, str]) -> Iterator[str]:
    """Yield the cells of a row: each program's median seconds and memory, and how many times faster ours is."""
    commands = {
        name: command("sources", "run", name, folder / kind, python=pythons[name])
        for name in PROGRAMS
        if name == "ours" or kind in READ_BY_GIGATOKEN
    }
    results: Any = in_turns({name: [partial(called, each)] for name, each in commands.items()}, rounds, kind)
    taken, peaks = (
        {name: each.median(lambda pair, field=field: pair[field]) for name, each in results.items()} for field in (0, 1)
    )
    for name in PROGRAMS:
        yield f"{taken[name]:6.2f} s {peaks[name]:6,.0f} MB" if taken.get(name) else "–"
    yield f"{taken['gigatoken'] / taken['ours']:.2f}" if taken.get("gigatoken") and taken["ours"] else "–"
    report_failures(results)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--shards", type=Path, help="where to write the shards; by default in the folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--gigatoken-python", default=sys.executable, help="a Python that has gigatoken")
    arguments = parser.parse_args()
    shards = arguments.shards or arguments.folder / "shards"
    if not shards.exists():
        make_shards(arguments.folder / "en_100.txt", shards)
    pythons = {"ours": sys.executable, "gigatoken": arguments.gigatoken_python}
    print(f"{'kind':12}" + "".join(f"{name:>22}" for name in PROGRAMS) + f"{'ratio':>9}")
    for kind in KINDS:
        *cells, ratio = measured(kind, shards, arguments.rounds, pythons)
        print(f"{kind:12}" + "".join(f"{cell:>22}" for cell in cells) + f"{ratio:>9}", flush=True)


if __name__ == "__main__":
    main()
