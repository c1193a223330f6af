"""Compare the recipe sentencepiece with its package: run `python -m tests.benchmarks.sentencepiece_trainer FOLDER`.

Both train on 10 MB of each corpus, from the file to the pieces, in turns, each measurement in a process of its own, on
two processors; imports and a small training run come before. The pieces have to be equal. The table has medians.
"""

import hashlib
import io
import json
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .corpora import KINDS, build
from .measuring import (
    THREADS,
    WARM_UP,
    called,
    command,
    head_of,
    in_turns,
    parser_of,
    peak_mb,
    read_through,
    report_failures,
    say,
    seconds,
    use_processors,
)

ROUNDS = 3
SIZES = (8_000, 32_000)
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "bytes, digits, 0.98": {"byte_fallback": True, "split_digits": True, "character_coverage": 0.98},
    "across words and scripts": {"split_by_whitespace": False, "split_by_unicode_script": False},
    "identity": {"normalization": "identity", "split_digits": True},
    "short pieces": {"max_sentencepiece_length": 5},
}


def train_ours(corpus: Path, size: int, switches: dict[str, Any]) -> list[str]:
    from bpe_gui.engine import Recipe, SentencePieceOptions, train

    options = SentencePieceOptions(**switches)
    recipe = Recipe.of("sentencepiece").with_changes(sentencepiece=options, splitter=options.splitter)
    vocab = train(corpus, recipe=recipe, vocab_size=size).vocab
    return [vocab[token_id].decode() for token_id in range(len(vocab))]


def train_package(corpus: Path, size: int, switches: dict[str, Any]) -> list[str]:
    import sentencepiece

    written, given = io.BytesIO(), dict(switches)
    given["normalization_rule_name"] = given.pop("normalization", "nmt_nfkc")
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus),
        model_writer=written,
        model_type="bpe",
        vocab_size=size,
        max_sentence_length=1 << 30,
        num_threads=THREADS,
        minloglevel=2,
        hard_vocab_limit=False,
        **given,
    )
    processor = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    return [processor.id_to_piece(number) for number in range(len(processor))]


PROGRAMS: dict[str, Callable[[Path, int, dict[str, Any]], list[str]]] = {"ours": train_ours, "package": train_package}


def run(name: str, corpus: str, size: str, switches: str) -> None:
    """Measure in this process, and print the result."""
    use_processors(THREADS)
    train, given = PROGRAMS[name], json.loads(switches)
    with TemporaryDirectory() as folder:
        head = Path(folder) / "head.txt"
        head.write_bytes(head_of(Path(corpus), WARM_UP))
        train(head, 1_000, given)
    pieces: list[str] = []
    taken = seconds(lambda: pieces.extend(train(Path(corpus), int(size), given)))
    say(taken, peak_mb(), hashlib.sha256("\n".join(pieces).encode()).hexdigest())


def measure(name: str, corpus: Path, size: int, switches: dict[str, Any]) -> tuple[float, float, str]:
    taken, memory, digest = called(
        command("sentencepiece_trainer", "run", name, corpus, size, json.dumps(switches)), timeout=600
    )
    return taken, memory, digest


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"default: {ROUNDS}")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="vocabulary sizes; default: 8000 32000")
    arguments = parser.parse_args()
    corpora = [arguments.folder / f"{kind}_10.txt" for kind in KINDS]
    if not all(path.exists() for path in corpora):
        build(arguments.folder)
    print(f"{'corpus':10}{'setting':28}{'vocabulary':>10}{'ours':>18}{'package':>18}{'ratio':>8}  pieces")
    for corpus in corpora:
        read_through(corpus)
        for setting, switches in SETTINGS.items():
            for size in arguments.sizes:
                works = {name: [partial(measure, name, corpus, size, switches)] for name in PROGRAMS}
                results = in_turns(works, arguments.rounds, f"{corpus.stem} {setting}")
                report_failures(results)
                ours, package = (list(zip(*each.measurements, strict=True)) for each in results.values())
                times = [statistics.median(each[0]) for each in (ours, package)]
                memory = [max(each[1]) for each in (ours, package)]
                cells = [f"{time:.2f} s {peak:6,.0f} MB" for time, peak in zip(times, memory, strict=True)]
                equal = "equal" if len({*ours[2], *package[2]}) == 1 else "DIFFERENT"
                head = f"{corpus.stem:10}{setting:28}{size:>10,}"
                print(f"{head}{cells[0]:>18}{cells[1]:>18}{times[1] / times[0]:>8.1f}  {equal}", flush=True)


if __name__ == "__main__":
    main()
