"""Compare runs with and without a plan: run `python -m tests.benchmarks.plans CORPORA_FOLDER`.

Everything is measured in one process, in turns, from the file to the last merge; the table has medians and ratios.

- rules: three rules and two bans on 100 MB of English, 32,000 entries, compared with none
- replay: 200,000 merges on 100 MB of mixed text, compared with training 32,000 entries on it
- seek: from one random step to another in the run with rules
- stages: superwords from step 8,000, on 10 MB of English, lines as words, compared with none
- join: 10,000 superwords of whole words after 40,000 entries, by a process of its own, on half of 100 MB of English and
  on all of it, with its peak memory
"""

import random
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bpe_gui.engine import Corpus, Plan, Recipe, Trainer, save

from .corpora import build
from .measuring import called, command, head_of, in_turns, parser_of, peak_mb, say, seconds

ROUNDS = 3
SIZE = 32_000
GIVEN = 200_000
JOIN = Plan(stages={40_000 - 256: "join"})
RULES = Plan(rules=["max-bytes=16", "no-letters-with-digits", "no-mixed-scripts"], banned=[(b"t", b"h"), (b" ", b"t")])


def trained(path: Path, steps: int, plan: Plan | None = None) -> Trainer:
    """Count a file and train on it."""
    recipe, plan = Recipe(), plan or Plan()
    corpus = Corpus.from_files([path])
    trainer = Trainer(corpus.count(recipe), recipe, plan=plan, stage_counts=plan.count_stages(corpus, recipe, ()))
    trainer.seek(steps)
    return trainer


def compare(name: str, plain: Callable[[], object], planned: Callable[[], object], rounds: int) -> None:
    """Time two functions in turns, and print their medians and the ratio."""
    results = in_turns({"without": [partial(seconds, plain)], "with": [partial(seconds, planned)]}, rounds, name)
    without, with_plan = (statistics.median(each.measurements) for each in results.values())
    print(f"{name:8} without {without:6.2f} s   with {with_plan:6.2f} s   ratio {with_plan / without:5.2f}", flush=True)


def join_words(path: str) -> None:
    """Train superwords of whole words, and save the tokenizer. Print the peak memory of this process in MB."""
    with TemporaryDirectory() as folder:
        save(trained(Path(path), 50_000 - 256, JOIN).tokenizer(), Path(folder, "joined"), "gpt2")
    say(peak_mb())


def seek(trainer: Trainer) -> None:
    """Print how long it takes to move from one random step to another."""
    rng = random.Random(1)
    times = [1000 * seconds(partial(trainer.seek, rng.randrange(trainer.run_length))) for _move in range(40)]
    print(f"seek     median {statistics.median(times):6.1f} ms   worst {max(times):6.1f} ms", flush=True)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"default: {ROUNDS}")
    arguments = parser.parse_args()
    folder, rounds = arguments.folder, arguments.rounds
    english, mixed, small, other = (folder / f"{name}.txt" for name in ("en_100", "multi_100", "en_10", "multi_10"))
    if not all(path.exists() for path in (english, mixed, small, other)):
        build(folder)
    compare("rules", lambda: trained(english, SIZE - 256), lambda: trained(english, SIZE - 256, RULES), rounds)
    seek(trained(english, SIZE - 256, RULES))
    given = Plan(replay=trained(other, GIVEN).run)
    compare("replay", lambda: trained(mixed, SIZE - 256), lambda: trained(mixed, len(given.replay), given), rounds)
    print(f"         {len(given.replay):,} merges were replayed")
    stages = Plan(stages={8_000: r"[^\n]+|\n+"})
    with TemporaryDirectory() as half:
        path = Path(half, "half.txt")
        path.write_bytes(head_of(english, english.stat().st_size // 2))
        for each in (path, english):
            began = perf_counter()
            (peak,) = called(command("plans", "join_words", each))
            print(
                f"join     {perf_counter() - began:6.2f} s   {peak:6,.0f} MB for {each.stat().st_size / 1e6:.0f} MB",
                flush=True,
            )
    compare("stages", lambda: trained(small, 12_000), lambda: trained(small, 12_000, stages), rounds)


if __name__ == "__main__":
    main()
