"""Compare tokenizers using any splitter: run `python -m tests.benchmarks.splitters CORPORA_FOLDER`.

The folder has the corpora of tests.benchmarks.corpora. Measures the following, each in separate processes that take
turns, as medians of several rounds, and prints the ratio to the peer in the same run:

- encode: 2 MB of English in one thread, with tokenizer.json files that split like those of known models, compared with
  `tokenizers`; and with ranks and the same expressions, compared with tiktoken. The first time after opening, and
  again.
- train: 10 MB with a custom expression, compared with the splitter `gpt2`.
- key: typing a letter into 10 MB, until all tokens are known again.
- sentencepiece: 10 MB as one document, and as lines, with a model of 32,000 pieces, compared with `sentencepiece`.
- open: a tokenizer.json with 200,000 tokens and all ways to merge them, compared with `tokenizers`.
- report: the commands `report` and `compare` on 10 MB: seconds and peak memory.

Every tokenizer has the ranks of `--ranks FILE`, by default 50,000 that are trained first. Files are kept in `--files
FOLDER`, if given, for other runs. `--only encode,key` measures only a part, `--programs ours` leaves out the others.
"""

import json
import os
import statistics
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple

from .encode import chunks_of
from .measuring import command, environment, head_of, parser_of, say, seconds, use_processors

MB: Final = 1_000_000
KEYS: Final = 15
KEY_SECONDS: Final = 30.0  # after this, stop typing
CONTRACTIONS: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
SPACES: Final = r"\s*[\r\n]+|\s+(?!\S)|\s+"
WORDS: Final = r"[^\r\n\p{L}\p{N}]?\p{L}+"
SIGNS: Final = r" ?[^\s\p{L}\p{N}]+[\r\n]*"
UPPER, LOWER = (rf"[\p{{{case}}}\p{{Lm}}\p{{Lo}}\p{{M}}]" for case in (r"Lu}\p{Lt", "Ll"))


class Model(NamedTuple):
    """A tokenizer.json: its expressions, and whether it has all ways to merge, like files made from ranks."""

    expressions: tuple[str, ...]
    is_from_ranks: bool = False
    normalizer: str | None = None


MODELS: Final = {
    "gpt2": Model(()),
    "llama3": Model((rf"{CONTRACTIONS}|{WORDS}|\p{{N}}{{1,3}}|{SIGNS}|{SPACES}",), is_from_ranks=True),
    "qwen2": Model((rf"{CONTRACTIONS}|{WORDS}|\p{{N}}|{SIGNS}|{SPACES}",), normalizer="NFC"),
    "mistral": Model(
        (
            rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*|\p{{N}}"
            rf"| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{SPACES}",
        ),
        is_from_ranks=True,
    ),
    "deepseek3": Model(
        (
            r"\p{N}{1,3}",
            "[一-龥぀-ゟ゠-ヿ]+",
            r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
            rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{SPACES}",
        )
    ),
    "own": Model((r" ?\p{Lu}?\p{Ll}+| ?\p{L}+|\p{N}{1,4}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",)),
}
ON_RANKS: Final = ("llama3", "qwen2", "mistral", "own")


# -- files ------------------------------------------------------------------------------------------------------------


def make_files(corpora: str, files: str, ranks: str) -> None:
    """Write the tokenizers to a folder, unless they exist."""
    folder = Path(files)
    if not (folder / "ranks.tiktoken").exists():
        if ranks:
            (folder / "ranks.tiktoken").write_bytes(Path(ranks).read_bytes())
        else:
            train_ranks(Path(corpora) / "en_10.txt", folder / "ranks.tiktoken", 50_000)
    if not (folder / "many.tiktoken").exists():
        train_ranks(Path(corpora) / "multi_100.txt", folder / "many.tiktoken", 199_998)
        write_json(folder / "many.json", ranks_in(folder / "many.tiktoken"), MODELS["llama3"])
    for name, model in MODELS.items():
        if not (folder / f"{name}.json").exists():
            write_json(folder / f"{name}.json", ranks_in(folder / "ranks.tiktoken"), model)
    if not (folder / "pieces.model").exists():
        import sentencepiece

        sentencepiece.SentencePieceTrainer.train(
            input=str(Path(corpora) / "en_10.txt"),
            model_prefix=str(folder / "pieces"),
            model_type="bpe",
            vocab_size=32_000,
            max_sentence_length=MB,
            minloglevel=2,
        )


def train_ranks(corpus: Path, file: Path, size: int) -> None:
    from bpe_gui.engine import save, train

    with TemporaryDirectory() as folder:
        (written,) = save(train(corpus, recipe="tiktoken", vocab_size=size), folder, "tiktoken")
        file.write_bytes(written.read_bytes())


def ranks_in(file: Path) -> dict[bytes, int]:
    pairs = (line.split() for line in file.read_bytes().splitlines())
    return {b64decode(token): int(rank) for token, rank in pairs}


def write_json(file: Path, ranks: dict[bytes, int], model: Model) -> None:
    """Write a tokenizer.json; one made from ranks is like the output of Hugging Face's converter."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = dict(zip([*printable, *others], map(chr, chain(printable, range(256, 512))), strict=False))
    spell = lambda token: "".join(letters[byte] for byte in token)  # noqa: E731
    merges = [pair for token in ranks for pair in merges_of(token, ranks, every=model.is_from_ranks)]
    steps: list[dict[str, Any]] = [
        {"type": "Split", "pattern": {"Regex": expression}, "behavior": "Isolated", "invert": False}
        for expression in model.expressions
    ]
    steps.append({"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": not steps})
    content: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": model.normalizer and {"type": model.normalizer},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": model.is_from_ranks,
            "vocab": {spell(token): rank for token, rank in ranks.items()},
            "merges": [[spell(left), spell(right)] for left, right in merges],
        },
    }
    file.write_text(json.dumps(content, ensure_ascii=False, indent=2), encoding="utf-8")


def merges_of(token: bytes, ranks: dict[bytes, int], *, every: bool) -> list[tuple[bytes, bytes]]:
    """Return all pairs that make a token, or only the one that merging by ranks ends with."""
    if len(token) == 1:
        return []
    if every:
        pairs = [(token[:at], token[at:]) for at in range(1, len(token))]
        return sorted(
            (pair for pair in pairs if pair[0] in ranks and pair[1] in ranks), key=lambda pair: [ranks[p] for p in pair]
        )
    parts = [token[at : at + 1] for at in range(len(token))]
    while len(parts) > 2:
        found = [ranks.get(left + right, len(ranks)) for left, right in pairwise(parts)]
        best = min(range(len(found)), key=found.__getitem__)
        parts[best : best + 2] = [parts[best] + parts[best + 1]]
    return [(parts[0], parts[1])]


# -- measured in a process of its own ---------------------------------------------------------------------------------


def opened(file: str, *pattern: str) -> Any:
    from bpe_gui.engine import load

    return load(Path(file), pattern=pattern[0]) if pattern else load(Path(file))


def encode_ours(file: str, corpus: str, *pattern: str) -> None:
    use_processors(1)
    text = head_of(Path(corpus), 2 * MB)
    tokenizer = opened(file, *pattern)
    tokenizer.encode_array("It's 1 text.\n", threads=1)
    say(*(seconds(lambda: tokenizer.encode_array(text, threads=1)) for _ in range(2)))


def encode_tokenizers(file: str, corpus: str) -> None:
    use_processors(1)
    from tokenizers import Tokenizer

    chunks = chunks_of(head_of(Path(corpus), 2 * MB))
    tokenizer = Tokenizer.from_file(file)
    say(*(seconds(lambda: [tokenizer.encode(chunk).ids for chunk in chunks]) for _ in range(2)))


def encode_tiktoken(file: str, corpus: str, pattern: str) -> None:
    use_processors(1)
    import tiktoken

    text = head_of(Path(corpus), 2 * MB).decode()
    encoding = tiktoken.Encoding("own", pat_str=pattern, mergeable_ranks=ranks_in(Path(file)), special_tokens={})
    say(*(seconds(lambda: encoding.encode_ordinary(text)) for _ in range(2)))


def train_ours(corpus: str, splitter: str) -> None:
    from bpe_gui.engine import Recipe, train

    recipe = Recipe.of("tiktoken").with_changes(splitter=splitter)
    say(seconds(lambda: train(Path(corpus), recipe=recipe, vocab_size=32_000)))


def type_keys(file: str, corpus: str) -> None:
    from bpe_gui.engine import LiveText

    live = LiveText(Path(corpus).read_bytes().decode())
    live.encode_with(opened(file))

    def encode_all() -> None:
        for block in live.unencoded_blocks():
            live.encode(block)
        assert live.is_encoded

    def type_at(offset: int) -> None:
        live.replace(offset, offset, b"a")
        live.encode_near(offset, offset + 1)
        encode_all()

    encode_all()
    data, times = Path(corpus).read_bytes(), list[float]()
    while len(times) < KEYS and sum(times) < KEY_SECONDS:
        at = data.index(b" ", (len(times) + 1) * len(data) // (KEYS + 1))
        times.append(seconds(partial(type_at, at)))
    say(statistics.median(times), max(times))


def pieces_ours(file: str, corpus: str) -> None:
    use_processors(1)
    text = Path(corpus).read_text(encoding="utf-8")
    lines = text.splitlines()
    tokenizer = opened(file)
    tokenizer.encode("It's 1 text.\n")
    say(seconds(lambda: tokenizer.encode_array(text, threads=1)), seconds(lambda: tokenizer.encode_batch(lines)))


def pieces_sentencepiece(file: str, corpus: str) -> None:
    use_processors(1)
    import sentencepiece

    text = Path(corpus).read_text(encoding="utf-8")
    lines = text.splitlines()
    processor = sentencepiece.SentencePieceProcessor(model_file=file)
    say(seconds(lambda: processor.encode(text)), seconds(lambda: processor.encode(lines)))


def open_ours(file: str) -> None:
    from bpe_gui.engine import load

    say(seconds(lambda: load(Path(file))), seconds(lambda: load(Path(file)).encode_array("It's 1 text.\n")))


def open_tokenizers(file: str) -> None:
    from tokenizers import Tokenizer

    say(*(seconds(lambda: Tokenizer.from_file(file)) for _ in range(2)))


# -- all measurements -------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A case to measure: its part and row, the program, and the call of a function in this module or a command."""

    part: str
    row: str
    program: str
    call: tuple[str, ...]
    measures: tuple[str, ...] = ("first", "again")


def every_case(corpora: Path, files: Path) -> Iterator[Case]:
    english = str(corpora / "en_10.txt")
    for name in MODELS:
        file = str(files / f"{name}.json")
        yield Case("encode", f"{name}.json", "ours", ("encode_ours", file, english))
        yield Case("encode", f"{name}.json", "tokenizers", ("encode_tokenizers", file, english))
    for name in ON_RANKS:
        ranks, pattern = str(files / "ranks.tiktoken"), MODELS[name].expressions[0]
        yield Case("encode", f"{name} on ranks", "ours", ("encode_ours", ranks, english, pattern))
        yield Case("encode", f"{name} on ranks", "tiktoken", ("encode_tiktoken", ranks, english, pattern))
    for name, splitter in (("gpt2", "gpt2"), ("own", MODELS["own"].expressions[0])):
        yield Case("train", "10 MB to 32,000", f"ours, {name}", ("train_ours", english, splitter), ("seconds",))
    for name in (*(f"{name}.json" for name in MODELS), "pieces.model"):
        yield Case("key", f"10 MB, {name}", "ours", ("type_keys", str(files / name), english), ("median", "worst"))
    pieces = str(files / "pieces.model")
    for program in ("ours", "sentencepiece"):
        yield Case("sentencepiece", "10 MB", program, (f"pieces_{program}", pieces, english), ("one document", "lines"))
    for program in ("ours", "tokenizers"):
        yield Case("open", "200,000 tokens", program, (f"open_{program}", str(files / "many.json")))
    for name in ("gpt2", "qwen2", "mistral"):
        report = ("report", str(files / f"{name}.json"), "--text", english)
        yield Case("report", f"report, {name}.json", "ours", report, ("seconds", "MB"))
    compared = [str(files / f"{name}.json") for name in ("qwen2", "mistral")]
    yield Case("report", "compare", "ours", ("compare", *compared, "--text", english), ("seconds", "MB"))


def run(case: Case) -> tuple[float, ...]:
    """Return the measurements from one run of a case; nothing if it fails."""
    is_report = case.part == "report"
    program = [sys.executable, "-m", "bpe_gui", *case.call] if is_report else command("splitters", *case.call)
    began = perf_counter()
    process = subprocess.Popen(program, env=environment(2, parallel=False), stdout=subprocess.PIPE, text=True)
    assert process.stdout
    output = process.stdout.read()
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        return ()
    if is_report:
        return perf_counter() - began, usage.ru_maxrss * 1024 / MB
    return tuple(json.loads(output.splitlines()[-1]))


def show(cases: Iterable[Case], results: dict[Case, list[tuple[float, ...]]]) -> None:
    """Print the medians of a row, and how many times faster ours is than each other program."""
    shown = {case: [statistics.median(values) for values in zip(*results[case], strict=True)] for case in cases}
    (first, ours), *_others = shown.items()
    for case, medians in shown.items():
        figures = "   ".join(
            f"{measure} {value:.0f} MB" if measure == "MB" else f"{measure} {value:.4f} s"
            for measure, value in zip(case.measures, medians, strict=False)
        )
        ratios = ""
        if case is not first and ours:
            ratios = "   × " + ", ".join(f"{value / own:.2f}" for value, own in zip(medians, ours, strict=False))
        print(f"{case.part:14}{case.row:22}{case.program:14}{figures or 'failed'}{ratios}", flush=True)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--ranks", default="", metavar="FILE")
    parser.add_argument("--files", type=Path, metavar="FOLDER")
    parser.add_argument("--only", type=lambda text: text.split(","), metavar="PARTS")
    parser.add_argument("--programs", type=lambda text: text.split(","))
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with TemporaryDirectory() as made:
        files = arguments.files or Path(made)
        files.mkdir(exist_ok=True)
        subprocess.run(command("splitters", "make_files", arguments.folder, files, arguments.ranks), check=True)
        rows: dict[tuple[str, str], list[Case]] = {}
        for case in every_case(arguments.folder, files):
            is_wanted = arguments.only is None or case.part in arguments.only
            if is_wanted and (arguments.programs is None or case.program.split(",")[0] in arguments.programs):
                rows.setdefault((case.part, case.row), []).append(case)
        for cases in rows.values():
            results: dict[Case, list[tuple[float, ...]]] = {case: [] for case in cases}
            for _round in range(arguments.rounds):
                for case in cases:
                    results[case].append(run(case))
            show(cases, results)


if __name__ == "__main__":
    main()
