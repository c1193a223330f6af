"""Compare our encoder with others: run `python -m tests.benchmarks.encode CORPORA_FOLDER`.

Each program encodes a file with GPT-2's pattern, and with 32,000 tokens trained here or, with `--ranks FILE`, with
GPT-2's ranks; `<|endoftext|>` is ordinary text. Every measurement is a separate process, and the programs take turns,
so that a busy minute of the machine affects all of them. One process encodes the text in one thread, cold and then
warm, and decodes texts of 10 MB; another encodes in two threads, cold. Cold means that the tokenizer was just built and
has not encoded anything; imports, and encoding a little with another tokenizer, come before that. The clock runs from
having the text in memory to having the ids. The table has medians; memory is the peak of the process so far.

Each program is called in the fastest documented way that gives the ids asked for. Before the clock starts, it gets the
text in the form that it handles fastest:
- ours and gigatoken get UTF-8, which saves encoding a str, and return arrays.
- tiktoken gets a str and returns a list, which is faster than its array; for two threads it needs chunks.
- tokenizers gets chunks, because a long str takes very long, and returns lists.

On Linux every program is limited to one or two processors, on other systems only those that read an environment
variable.
Missing corpora are built first, which needs Debian 12: see tests.benchmarks.corpora.
"""

import argparse
import contextlib
import importlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from .corpora import KINDS, SIZES
from .train import THREAD_SETTINGS, one_of, peak_mb, read_through, use_processors

VOCABULARY = 32_000
CHUNK = 1 << 16  # characters, at least
PEERS = ("tiktoken", "gigatoken")  # the programs to compute ratios for
WARM_UP = 100_000  # bytes from the start of the text
MEASURES = ("1 thread, cold", "1 thread, warm", "2 threads, cold", "decoding a list", "decoding an array")
COLD, WARM, TWO, LIST, ARRAY = MEASURES
MAX_DECODED = SIZES[10]  # bytes of text
MANY_IDS = 10_000  # for this many, ours builds the decoding table
RUN = "import sys; from tests.benchmarks.encode import run; run(*sys.argv[1:])"
PREPARE = "import sys; from tests.benchmarks.encode import prepare; prepare(*sys.argv[1:])"


# -- programs ----------------------------------------------------------------------------------------------------------


class Method(NamedTuple):
    """A way to encode: `prepare` converts the text to a form that `encode` takes after the tokenizer."""

    prepare: Callable[[bytes], Any]
    encode: Callable[[Any, Any], Any]


class Program(NamedTuple):
    module: str
    build: Callable[[Path], Any]
    one_thread: Method
    two_threads: Method
    decode: Callable[[Any, Any], bytes] | None
    decodes_arrays: bool


def build_ours(vocabulary: Path) -> Any:
    from bpe_gui.engine.formats import tiktoken

    tokenizer = tiktoken.load(vocabulary, pattern="gpt2", special_tokens={})
    tokenizer.encode_array("")  # builds the tables, which the others do in their constructors
    tokenizer.decode_bytes([0] * MANY_IDS)
    return tokenizer


def build_gigatoken(vocabulary: Path) -> Any:
    gigatoken = importlib.import_module("gigatoken")
    return gigatoken.Tokenizer.from_tiktoken(vocabulary / "tokenizer.tiktoken", "gpt2", {})


def encode_by_gigatoken(tokenizer: Any, text: bytes) -> Any:
    gigatoken = importlib.import_module("gigatoken")
    (ids,) = tokenizer.encode_batch(gigatoken.BytesSource(text), parallel=True)
    return ids


def build_tiktoken(vocabulary: Path) -> Any:
    tiktoken = importlib.import_module("tiktoken")
    os.environ["TIKTOKEN_CACHE_DIR"] = ""  # so that it does not cache the file
    ranks = importlib.import_module("tiktoken.load").load_tiktoken_bpe(str(vocabulary / "tokenizer.tiktoken"))
    pattern = importlib.import_module("tiktoken_ext.openai_public").r50k_pat_str
    return tiktoken.Encoding("measured", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def build_tokenizers(vocabulary: Path) -> Any:
    tokenizers = importlib.import_module("tokenizers")
    files = [str(vocabulary / name) for name in ("vocab.json", "merges.txt")]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE.from_file(*files))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


def encode_by_tokenizers(tokenizer: Any, chunks: list[str]) -> list[list[int]]:
    # A few at a time, since its encodings take much more memory than ids.
    return [
        encoding.ids
        for begin in range(0, len(chunks), 16)
        for encoding in tokenizer.encode_batch_fast(chunks[begin : begin + 16])
    ]


def chunks_of(text: bytes) -> list[str]:
    """Split a text into chunks with the same words: they end with a single line break, which never joins two words."""
    whole = text.decode()
    boundaries = [0]
    while boundaries[-1] < len(whole):
        match = re.compile(r"\S\n(?=\S)").search(whole, boundaries[-1] + CHUNK)
        boundaries.append(match.end() if match else len(whole))
    return [whole[begin:end] for begin, end in pairwise(boundaries)]


PROGRAMS = {
    "ours": Program(
        "bpe_gui.engine",
        build_ours,
        Method(bytes, lambda tokenizer, text: tokenizer.encode_array(text, threads=1)),
        Method(bytes, lambda tokenizer, text: tokenizer.encode_array(text, threads=2)),
        lambda tokenizer, ids: bytes(tokenizer.decode_bytes(ids)),
        True,
    ),
    "gigatoken": Program(
        "gigatoken",
        build_gigatoken,
        Method(bytes, lambda tokenizer, text: tokenizer.encode(text)),
        Method(bytes, encode_by_gigatoken),
        lambda tokenizer, ids: bytes(tokenizer.decode(ids)),
        True,
    ),
    "tiktoken": Program(
        "tiktoken",
        build_tiktoken,
        Method(bytes.decode, lambda tokenizer, text: tokenizer.encode_ordinary(text)),
        Method(chunks_of, lambda tokenizer, chunks: tokenizer.encode_ordinary_batch(chunks, num_threads=2)),
        lambda tokenizer, ids: bytes(tokenizer.decode_bytes(ids)),
        False,
    ),
    "tokenizers": Program(
        "tokenizers",
        build_tokenizers,
        Method(chunks_of, encode_by_tokenizers),
        Method(chunks_of, encode_by_tokenizers),
        None,
        False,
    ),
}


# -- one measurement, in a process of its own --------------------------------------------------------------------------


class Measurement(NamedTuple):
    """The results of one process: seconds and peak memory in MB, by measure, and a digest of the ids."""

    values: dict[str, tuple[float, float]]
    digest: str


def run(name: str, threads: str, corpus: str, vocabulary: str) -> None:
    """Measure in this process, and print the result as the last line."""
    use_processors(int(threads))
    program = PROGRAMS[name]
    method = program.one_thread if threads == "1" else program.two_threads
    text = Path(corpus).read_bytes()
    head = text[:WARM_UP].decode(errors="ignore").encode()
    method.encode(program.build(Path(vocabulary)), method.prepare(head))
    tokenizer = program.build(Path(vocabulary))
    prepared = method.prepare(text)
    is_short = len(text) <= MAX_DECODED
    del text

    values: dict[str, tuple[float, float]] = {}
    ids = timed(values, COLD if threads == "1" else TWO, lambda: method.encode(tokenizer, prepared))
    if threads == "1":
        del ids
        ids = timed(values, WARM, lambda: method.encode(tokenizer, prepared))
    if threads == "1" and is_short and program.decode:
        measure_decoding(values, program, tokenizer, ids, Path(corpus).read_bytes())
    print("\n" + json.dumps(Measurement(values, digest_of(ids))), flush=True)


def timed(values: dict[str, tuple[float, float]], measure: str, work: Callable[[], Any]) -> Any:
    began = perf_counter()
    result = work()
    values[measure] = (perf_counter() - began, peak_mb())
    return result


def measure_decoding(
    values: dict[str, tuple[float, float]], program: Program, tokenizer: Any, ids: Any, text: bytes
) -> None:
    decode = program.decode
    assert decode
    for measure, given in ((LIST, list(map(int, ids))), (ARRAY, ids)):
        if measure == LIST or program.decodes_arrays:
            decoded = timed(values, measure, lambda given=given: decode(tokenizer, given))  # type: ignore[misc]
            if decoded != text:
                raise SystemExit("the decoded text differs")


def digest_of(ids: Any) -> str:
    """Return a digest of the ids, which may be a list of lists."""
    import numpy as np  # late, so that it does not add to the memory of programs that do not use it

    chunks = ids if len(ids) and hasattr(ids[0], "__len__") else [ids]
    digest = sha256()
    for chunk in chunks:
        digest.update(np.asarray(chunk, np.int32).tobytes())
    return digest.hexdigest()


def measure(name: str, threads: int, corpus: Path, vocabulary: Path, timeout: float) -> Measurement:
    # Linux counts the parent's memory in the peak of a new process, so import nothing large here.
    done = subprocess.run(
        [sys.executable, "-c", RUN, name, str(threads), str(corpus), str(vocabulary)],
        env=os.environ | dict.fromkeys(THREAD_SETTINGS, str(threads)) | {"TOKENIZERS_PARALLELISM": "true"},
        capture_output=True,
        text=True,
        check=True,
        timeout=timeout,
    )
    return Measurement(*json.loads(done.stdout.splitlines()[-1]))


def prepare(vocabulary: str, corpus: str, ranks: str = "") -> None:
    """Write the files that the programs build their tokenizers from."""
    from bpe_gui.engine import save, train
    from bpe_gui.engine.formats import tiktoken

    if ranks:
        tokenizer = tiktoken.load(Path(ranks), pattern="gpt2", special_tokens={})
    else:
        tokenizer = train(Path(corpus), recipe="tiktoken", vocab_size=VOCABULARY)
    for kind in ("tiktoken", "gpt2"):
        save(tokenizer, vocabulary, kind)


# -- all measurements --------------------------------------------------------------------------------------------------


class Results(NamedTuple):
    """The measurements of one program with one corpus."""

    measurements: list[Measurement]
    failures: list[str]

    def median(self, measure: str, field: int) -> float | None:
        """Return the median of seconds (field 0) or memory (1); None if a measurement failed or there is none."""
        values = [each.values[measure][field] for each in self.measurements if measure in each.values]
        return float(statistics.median(values)) if values and not self.failures else None


def measure_all(
    corpus: Path, vocabulary: Path, names: Iterable[str], rounds: int, timeout: float
) -> dict[str, Results]:
    results = {name: Results([], []) for name in names}
    for _ in range(rounds):
        for name, result in results.items():
            for threads in (1, 2):
                if not result.failures:  # one failure is enough, and timeouts take long
                    measure_into(result, name, threads, corpus, vocabulary, timeout)
    return results


def measure_into(result: Results, name: str, threads: int, corpus: Path, vocabulary: Path, timeout: float) -> None:
    try:
        done = measure(name, threads, corpus, vocabulary, timeout)
        result.measurements.append(done)
        # For anyone waiting, and to see how busy the machine is.
        times = ", ".join(f"{measure} {seconds:.3f} s" for measure, (seconds, _mb) in done.values.items())
        print(f"{corpus.stem} {name}: {times}", file=sys.stderr)
    except subprocess.TimeoutExpired:
        result.failures.append(f"took more than {timeout:g} s")
    except subprocess.CalledProcessError as error:
        result.failures.append((error.stderr.strip() or f"ended with {error.returncode}").splitlines()[-1])


def report(corpus: Path, results: dict[str, Results]) -> None:
    for measure in MEASURES:
        if any(each.median(measure, 0) for each in results.values()):
            cells = [cell(each, measure) for each in results.values()]
            print(row(corpus.stem, measure, cells, [ratio(results, measure, peer) for peer in PEERS]))
    digests = {name: {each.digest[:8] for each in result.measurements} for name, result in results.items()}
    if len({digest for each in digests.values() for digest in each}) > 1:
        print("  the ids differ:", ", ".join(f"{name} {' '.join(sorted(each))}" for name, each in digests.items()))
    for name, result in results.items():
        for failure in result.failures:
            print(f"  {name} failed: {failure}")
    sys.stdout.flush()


def row(corpus: str, measure: str, cells: Iterable[str], ratios: Iterable[str]) -> str:
    return (
        f"{corpus:10}{measure:18}"
        + "".join(f"{each:>22}" for each in cells)
        + "".join(f"{each:>11}" for each in ratios)
    )


def cell(results: Results, measure: str) -> str:
    seconds, memory = results.median(measure, 0), results.median(measure, 1)
    if seconds is None or memory is None:
        return "failed" if results.failures else "–"
    return f"{seconds:.3f} s {memory:8,.0f} MB"


def ratio(results: dict[str, Results], measure: str, peer: str) -> str:
    """Return the time of `peer` ÷ ours; above 1, ours is better."""
    ours, theirs = (results[name].median(measure, 0) if name in results else None for name in ("ours", peer))
    return f"{theirs / ours:.2f}" if ours and theirs else "–"


# -- command -----------------------------------------------------------------------------------------------------------


def main() -> None:
    options = parse()
    names = [name for name in options.programs if installed(name)]
    corpora = [options.folder / f"{each}.txt" for each in options.only]
    if not all(path.exists() for path in corpora):
        # In a separate process, because it needs a lot of memory: see `measure`.
        subprocess.run([sys.executable, "-m", "tests.benchmarks.corpora", str(options.folder)], check=True)

    with TemporaryDirectory() as folder:
        ranks = [str(options.ranks)] if options.ranks else []
        subprocess.run([sys.executable, "-c", PREPARE, folder, str(corpora[0]), *ranks], check=True)
        print_conditions(names, options)
        print("The last columns: the other's time ÷ ours. Above 1, ours is better.\n")
        print(row("corpus", "", names, PEERS), flush=True)
        for corpus in corpora:
            read_through(corpus)
            report(corpus, measure_all(corpus, Path(folder), names, options.rounds, options.timeout))


def installed(name: str) -> bool:
    found = importlib.util.find_spec(PROGRAMS[name].module) is not None
    if not found:
        print(f"{name} is not installed and left out; to measure it: pip install {name}")
    return found


def print_conditions(names: Iterable[str], options: argparse.Namespace) -> None:
    ranks = f"the ranks of {options.ranks.name}" if options.ranks else f"{VOCABULARY:,} tokens trained here"
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors, {ranks}, rounds: {options.rounds}")
    for name in names:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            print(f"  {name} {importlib.metadata.version(PROGRAMS[name].module)}")


def parse() -> argparse.Namespace:
    everything = [f"{kind}_{size}" for size in SIZES for kind in KINDS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the corpora are, or are built")
    parser.add_argument("--quick", action="store_true", help="10 MB, one round")
    parser.add_argument("--ranks", type=Path, metavar="FILE", help="r50k_base.tiktoken, as OpenAI publishes it")
    parser.add_argument("--rounds", type=int, help="default: 5")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one process; default: 600")
    parser.add_argument("--only", type=one_of(everything), help=f"some of {','.join(everything)}")
    parser.add_argument(
        "--programs", type=one_of(list(PROGRAMS)), default=list(PROGRAMS), help=f"of {','.join(PROGRAMS)}"
    )
    options = parser.parse_args()
    options.only = options.only or [each for each in everything if not options.quick or each.endswith("_10")]
    options.rounds = options.rounds or (1 if options.quick else 5)
    return options


if __name__ == "__main__":
    main()
