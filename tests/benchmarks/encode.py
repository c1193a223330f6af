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

import importlib
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from .corpora import SIZES
from .measuring import (
    WARM_UP,
    Results,
    add_choices,
    called,
    chosen,
    command,
    head_of,
    in_turns,
    parser_of,
    peak_mb,
    print_conditions,
    read_through,
    report_failures,
    say,
    seconds,
    use_processors,
)

VOCABULARY = 32_000
CHUNK = 1 << 16  # characters, at least
PEERS = ("tiktoken", "gigatoken")  # the programs to compute ratios for
MEASURES = ("1 thread, cold", "1 thread, warm", "2 threads, cold", "decoding a list", "decoding an array")
COLD, WARM, TWO, LIST, ARRAY = MEASURES
MAX_DECODED = SIZES[10]  # bytes of text
MANY_IDS = 10_000  # for this many, ours builds the decoding table


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

    tokenizer = tiktoken.load(vocabulary / "tokenizer.tiktoken", pattern="gpt2", special_tokens={})
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

    def __str__(self) -> str:
        return ", ".join(f"{measure} {taken:.3f} s" for measure, (taken, _mb) in self.values.items())


def run(name: str, threads: str, corpus: str, vocabulary: str) -> None:
    """Measure in this process, and print the result."""
    use_processors(int(threads))
    program = PROGRAMS[name]
    method = program.one_thread if threads == "1" else program.two_threads
    text = Path(corpus).read_bytes()
    method.encode(program.build(Path(vocabulary)), method.prepare(head_of(Path(corpus), WARM_UP)))
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
    say(values, digest_of(ids))


def timed(values: dict[str, tuple[float, float]], measure: str, work: Callable[[], Any]) -> Any:
    results: list[Any] = []
    taken = seconds(lambda: results.append(work()))
    values[measure] = (taken, peak_mb())
    return results.pop()


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
    return Measurement(*called(command("encode", "run", name, threads, corpus, vocabulary), threads, timeout))


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


EncodingResults = Mapping[str, Results[Measurement]]


def median(results: Results[Measurement], measure: str, field: int = 0) -> float | None:
    """Return the median of seconds (field 0) or memory (1); None if a measurement failed or there is none."""
    return results.median(lambda each: each.values[measure][field] if measure in each.values else None)


def report(corpus: Path, results: EncodingResults) -> None:
    for measure in MEASURES:
        if any(median(each, measure) for each in results.values()):
            cells = [cell(each, measure) for each in results.values()]
            print(row(corpus.stem, measure, cells, [ratio(results, measure, peer) for peer in PEERS]))
    digests = {name: {each.digest[:8] for each in result.measurements} for name, result in results.items()}
    if len({digest for each in digests.values() for digest in each}) > 1:
        print("  the ids differ:", ", ".join(f"{name} {' '.join(sorted(each))}" for name, each in digests.items()))
    report_failures(results)


def row(corpus: str, measure: str, cells: Iterable[str], ratios: Iterable[str]) -> str:
    return (
        f"{corpus:10}{measure:18}"
        + "".join(f"{each:>22}" for each in cells)
        + "".join(f"{each:>11}" for each in ratios)
    )


def cell(results: Results[Measurement], measure: str) -> str:
    taken, memory = median(results, measure), median(results, measure, 1)
    if taken is None or memory is None:
        return "failed" if results.failures else "–"
    return f"{taken:.3f} s {memory:8,.0f} MB"


def ratio(results: EncodingResults, measure: str, peer: str) -> str:
    """Return the time of `peer` ÷ ours; above 1, ours is better."""
    ours, theirs = (median(results[name], measure) if name in results else None for name in ("ours", peer))
    return f"{theirs / ours:.2f}" if ours and theirs else "–"


def main() -> None:
    parser = parser_of(__doc__)
    modules = {name: program.module for name, program in PROGRAMS.items()}
    add_choices(parser, PROGRAMS)
    parser.add_argument("--ranks", type=Path, metavar="FILE", help="r50k_base.tiktoken, as OpenAI publishes it")
    options, corpora = chosen(parser, modules)
    with TemporaryDirectory() as folder:
        ranks = [str(options.ranks)] if options.ranks else []
        subprocess.run(command("encode", "prepare", folder, corpora[0], *ranks), check=True)
        described = f"the ranks of {options.ranks.name}" if options.ranks else f"{VOCABULARY:,} tokens trained here"
        print_conditions(described, options, modules)
        print("The last columns: the other's time ÷ ours. Above 1, ours is better.\n")
        print(row("corpus", "", options.programs, PEERS), flush=True)
        for corpus in corpora:
            read_through(corpus)
            works = {
                name: [partial(measure, name, threads, corpus, Path(folder), options.timeout) for threads in (1, 2)]
                for name in options.programs
            }
            report(corpus, in_turns(works, options.rounds, corpus.stem))


if __name__ == "__main__":
    main()
