"""Compare parity-aware training with `tokenizers`: run `python -m tests.benchmarks.parity FOLDER`.

The first megabyte of each corpus is a language, and the next 100 kB its development text. Both programs take turns, in
processes of their own, on two processors; imports come before. The merges have to be equal. The table has medians.
"""

import hashlib
import json
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from .corpora import KINDS, build
from .measuring import (
    THREADS,
    called,
    command,
    head_of,
    in_turns,
    parser_of,
    peak_mb,
    report_failures,
    say,
    seconds,
    use_processors,
)

ROUNDS, MERGES = 3, 8_000
MIN_COUNT = 1  # as in the recipe parity
SIZE, DEVELOPMENT = 1_000_000, 100_000  # bytes
SETTINGS: dict[str, dict[str, Any]] = {
    "base": {},
    "window": {"variant": "window"},
    "ratios": {"ratios": dict(zip(KINDS, (1, 1.5, 2), strict=True))},
    "development text": {"development": True},
    "window, development": {"variant": "window", "development": True},
    "global phase": {"global_merges": MERGES // 4},
}
Texts = dict[str, str]
Merges = list[tuple[str, str]]


def train_ours(languages: Texts, development: Texts, switches: dict[str, Any]) -> Merges:
    from bpe_gui.engine import to_printable, train_fair

    merges = train_fair(languages, development=development, num_merges=MERGES, **switches).merges
    # The package keeps the last of equal merges.
    return [*dict.fromkeys((to_printable(left), to_printable(right)) for left, right in reversed(merges))][::-1]


def train_theirs(languages: Texts, development: Texts, switches: dict[str, Any]) -> Merges:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.ParityBpeTrainer(
        num_merges=MERGES,
        min_frequency=MIN_COUNT,
        ratio=[*switches.pop("ratios", {}).values()] or None,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
        **switches,
    )
    texts, measured = ([[text] for text in each.values()] for each in (languages, development))
    trainer.train_from_iterator(tokenizer, train_iterators=texts, dev_iterators=measured or None)
    return [(left, right) for left, right in json.loads(tokenizer.to_str())["model"]["merges"]]


PROGRAMS: dict[str, Callable[[Texts, Texts, dict[str, Any]], Merges]] = {"ours": train_ours, "tokenizers": train_theirs}


def run(name: str, folder: str, switches: str) -> None:
    """Measure in this process, and print the result."""
    use_processors(THREADS)
    train, given = PROGRAMS[name], json.loads(switches)
    heads = {kind: head_of(Path(folder) / f"{kind}_10.txt", SIZE + DEVELOPMENT) for kind in KINDS}
    languages = {kind: head[:SIZE].decode(errors="ignore") for kind, head in heads.items()}
    development = {kind: head[SIZE:].decode(errors="ignore") for kind, head in heads.items()}
    train({kind: text[:1_000] for kind, text in languages.items()}, {}, {})
    merges: Merges = []
    has_development = given.pop("development", False)
    taken = seconds(lambda: merges.extend(train(languages, development if has_development else {}, given)))
    say(taken, peak_mb(), len(merges), hashlib.sha256(json.dumps(merges).encode()).hexdigest())


def measure(name: str, folder: Path, switches: dict[str, Any]) -> tuple[float, float, int, str]:
    taken, memory, count, digest = called(command("parity", "run", name, folder, json.dumps(switches)), timeout=600)
    return taken, memory, count, digest


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"default: {ROUNDS}")
    arguments = parser.parse_args()
    if not all((arguments.folder / f"{kind}_10.txt").exists() for kind in KINDS):
        build(arguments.folder)
    print(f"{'setting':22}{'ours':>18}{'tokenizers':>18}{'ratio':>8}  merges")
    for setting, switches in SETTINGS.items():
        works = {name: [partial(measure, name, arguments.folder, switches)] for name in PROGRAMS}
        results = in_turns(works, arguments.rounds, setting)
        report_failures(results)
        ours, theirs = (list(zip(*each.measurements, strict=True)) for each in results.values())
        times = [statistics.median(each[0]) for each in (ours, theirs)]
        cells = [f"{time:.2f} s {max(each[1]):6,.0f} MB" for time, each in zip(times, (ours, theirs), strict=True)]
        equal = "equal" if len({*ours[3], *theirs[3]}) == 1 else "DIFFERENT"
        print(
            f"{setting:22}{cells[0]:>18}{cells[1]:>18}{times[1] / times[0]:>8.1f}  {ours[2][0]:,} {equal}", flush=True
        )


if __name__ == "__main__":
    main()
