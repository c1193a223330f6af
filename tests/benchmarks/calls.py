"""Measure single calls with short texts: run `python -m tests.benchmarks.calls RANKS TEXT`, with GPT-2's ranks.

The programs take turns in one process, many times, so that a busy moment of the machine affects all of them. The table
has the medians in microseconds a call, and how many times faster ours is than the best of the others: gigatoken and
tiktoken, if they are installed.
"""

import argparse
import importlib
import statistics
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from bpe_gui.engine import load

SIZES = (10, 100, 1000)  # characters
CALLS = 200_000  # in one turn, divided by the number of characters plus 100
TURNS = 60
OURS = "ours"


def tokenizers(ranks: Path) -> dict[str, Any]:
    """Return a tokenizer of each program."""
    made: dict[str, Any] = {OURS: load(ranks, pattern="gpt2", special_tokens={})}
    if find_spec("gigatoken"):
        made["gigatoken"] = importlib.import_module("gigatoken").Tokenizer.from_tiktoken(ranks, "gpt2", {})
    if find_spec("tiktoken"):
        import tiktoken
        from tiktoken.load import load_tiktoken_bpe

        pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
        made["tiktoken"] = tiktoken.Encoding(
            "r50k", pat_str=pattern, mergeable_ranks=load_tiktoken_bpe(str(ranks)), special_tokens={}
        )
    return made


def works(made: dict[str, Any], text: str) -> dict[str, dict[str, Callable[[], Any]]]:
    """Return what each program does with a text, by kind of work; the results are the same."""
    listed: dict[str, Callable[[], Any]] = {}
    arrays: dict[str, Callable[[], Any]] = {}
    decoded: dict[str, Callable[[], Any]] = {}
    ids = made[OURS].encode(text)
    for name, tokenizer in made.items():
        decoded[name] = partial(tokenizer.decode, ids)
        match name:
            case "gigatoken":
                listed[name] = partial(listed_by_gigatoken, tokenizer.encode, text)
                arrays[name] = partial(tokenizer.encode, text)
                decoded[name] = partial(decoded_by_gigatoken, tokenizer.decode, ids)
            case "tiktoken":
                listed[name] = partial(tokenizer.encode_ordinary, text)
                arrays[name] = partial(tokenizer.encode_to_numpy, text, disallowed_special=())
            case _:
                listed[name], arrays[name] = partial(tokenizer.encode, text), partial(tokenizer.encode_array, text)
        assert listed[name]() == arrays[name]().tolist() == ids
        assert decoded[name]() == text
    return {f"encode {len(text):,}, list": listed, "array": arrays, f"decode {len(ids):,} ids": decoded}


def listed_by_gigatoken(encode: Callable[[str], Any], text: str) -> Any:
    """Return the ids of a text as a list."""
    return encode(text).tolist()


def decoded_by_gigatoken(decode: Callable[[list[int]], bytes], ids: list[int]) -> str:
    """Return the text of ids as a string."""
    return decode(ids).decode()


def seconds_a_call(work: Callable[[], Any], calls: int) -> float:
    """Return how long a call takes."""
    began = perf_counter()
    for _call in range(calls):
        work()
    return (perf_counter() - began) / calls


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ranks", type=Path, help="r50k_base.tiktoken")
    parser.add_argument("text", type=Path)
    parser.add_argument("--turns", type=int, default=TURNS)
    options = parser.parse_args()
    made, text = tokenizers(options.ranks), options.text.read_text("utf-8")
    print(f"{'':<20}" + "".join(f"{name:>12}" for name in made) + f"{'ratio':>8}")
    for size in SIZES:
        for title, programs in works(made, text[:size]).items():
            times: dict[str, list[float]] = {name: [] for name in programs}
            for _turn in range(options.turns):
                for name, work in programs.items():
                    times[name].append(seconds_a_call(work, CALLS // (size + 100)))
            medians = {name: statistics.median(each) * 1e6 for name, each in times.items()}
            others = [median for name, median in medians.items() if name != OURS]
            ratio = f"{min(others) / medians[OURS]:8.2f}" if others else ""
            print(f"{title:<20}" + "".join(f"{median:12.2f}" for median in medians.values()) + ratio)


if __name__ == "__main__":
    main()
