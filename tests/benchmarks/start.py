"""Measure what a person waits for first: run `python -m tests.benchmarks.start CORPORA_FOLDER [--fresh]`.

Everything is a process of its own, measured from outside, from the command to its end, or in the window's case to the
first paint. Programs take turns, so that a busy minute of the machine affects all of them; the table has medians.

- nothing: Python alone, and Python with numpy, which all other figures include
- import: the engine, tiktoken, tokenizers, gigatoken
- train: 130 kB to 500 tokens, as a test of Stanford's course CS336 does
- encode: a text of 200 kB, by the ranks in a file: opening it, and encoding; again with the command line
- window: to the first paint, and the memory once the engine is loaded

`--fresh` measures the first use instead, with an empty cache: training on 1 MB and encoding it, and the window. Each
`--ranks FILE` is a file of OpenAI's ranks: split as r50k or cl100k if that is its name, otherwise as o200k is.
"""

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROUNDS = 7


class Case(NamedTuple):
    """Something to wait for: Python code, or a command; `module` has to be installed for it."""

    name: str
    program: str
    command: list[str]
    module: str = "numpy"


def code(name: str, program: str, source: str, module: str = "numpy") -> Case:
    return Case(name, program, [sys.executable, "-c", source], module)


TRAIN_OURS = """
from pathlib import Path
from bpe_gui.engine import train
train(Path({text!r}), recipe="cs336", vocab_size=500, special_tokens=["<|endoftext|>"])
"""
TRAIN_TOKENIZERS = """
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
alphabet = pre_tokenizers.ByteLevel.alphabet()
trainer = trainers.BpeTrainer(vocab_size=500, show_progress=False, initial_alphabet=alphabet)
tokenizer.train([{text!r}], trainer)
"""
ENCODE_OURS = """
from pathlib import Path
from bpe_gui.engine import load
tokenizer = load({ranks!r}, "tiktoken", pattern={splitter!r})
tokenizer.encode_array(Path({text!r}).read_bytes())
"""
ENCODE_TIKTOKEN = """
from pathlib import Path
import os
os.environ["TIKTOKEN_CACHE_DIR"] = ""  # so that it does not cache the file
import tiktoken, tiktoken_ext.openai_public as public
load = public.load_tiktoken_bpe
public.load_tiktoken_bpe = lambda *_address, **_hash: load({ranks!r})
encoding = tiktoken.Encoding(**public.{name}())
encoding.encode_ordinary(Path({text!r}).read_text())
"""
ENCODE_GIGATOKEN = """
from pathlib import Path
import gigatoken
tokenizer = gigatoken.Tokenizer.from_tiktoken({ranks!r}, {splitter!r}, {{}})
tokenizer.encode_batch(gigatoken.BytesSource(Path({text!r}).read_bytes()), parallel=False)
"""
WINDOW = """
import sys, time
import psutil
from PySide6.QtCore import QTimer
from bpe_gui.engine.compilation import compiled
from bpe_gui.gui import app, main_window

class Probe(main_window.MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.time(), flush=True)
        QTimer.singleShot({wait}, self.leave)

    def leave(self):
        if {wait} and not compiled.is_compiled():
            QTimer.singleShot({wait}, self.leave)
        else:
            print(psutil.Process().memory_info().rss / 1e6, flush=True)
            self.close()

app.MainWindow = Probe
app.main([])
"""
FIRST_USE = """
from pathlib import Path
from bpe_gui.engine import train
from bpe_gui.engine.compilation import compiled
tokenizer = train(Path({text!r}), recipe="cs336", vocab_size=5_000, special_tokens=["<|endoftext|>"])
tokenizer.encode_array(Path({text!r}).read_bytes())
for process in compiled._background:
    {end}
"""
SPLITTERS = {"r50k_base": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}  # by tiktoken's name


def every_start(folder: Path, ranks_files: list[Path]) -> Iterator[Case]:
    """Yield what is measured with a full cache."""
    small, medium = str(folder / "130000.txt"), str(folder / "200000.txt")
    yield code("nothing", "Python", "pass")
    yield code("nothing", "numpy", "import numpy")
    yield code("import", "ours", "import bpe_gui.engine")
    for module in ("tiktoken", "tokenizers", "gigatoken"):
        yield code("import", module, f"import {module}", module)
    yield code("train 130 kB", "ours", TRAIN_OURS.format(text=small))
    yield code("train 130 kB", "tokenizers", TRAIN_TOKENIZERS.format(text=small), "tokenizers")
    for ranks in ranks_files:
        name = ranks.stem if ranks.stem in SPLITTERS else "o200k_base"
        values = {"ranks": str(ranks), "text": medium, "name": name, "splitter": SPLITTERS[name]}
        yield code(f"encode by {name}", "ours", ENCODE_OURS.format(**values))
        command = ["-m", "bpe_gui", "encode", "--tokenizer", str(ranks), "--pattern", SPLITTERS[name], medium]
        yield Case(f"encode by {name}", "our command", [sys.executable, *command])
        yield code(f"encode by {name}", "tiktoken", ENCODE_TIKTOKEN.format(**values), "tiktoken")
        yield code(f"encode by {name}", "gigatoken", ENCODE_GIGATOKEN.format(**values), "gigatoken")
    yield code("window", "first paint", WINDOW.format(wait=0))


def first_use(folder: Path) -> Iterator[Case]:
    """Yield what is measured with an empty cache."""
    text = str(folder / "1048576.txt")
    yield code("first use", "train and encode 1 MB", FIRST_USE.format(text=text, end="process.kill()"))
    yield code("first use", "until all is compiled", FIRST_USE.format(text=text, end="process.wait()"))
    yield code("first use", "only compile", "from bpe_gui.engine.compilation import compiled; compiled.load()")
    yield code("first use", "window, first paint", WINDOW.format(wait=0))


# -- measuring ---------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path, metavar="CORPORA_FOLDER", help="its en_10.txt gives the texts")
    parser.add_argument("--fresh", action="store_true", help="measure the first use, with an empty cache")
    parser.add_argument("--ranks", type=Path, action="append", default=[], help="a file of ranks to encode by")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        for size in (130_000, 200_000, 1 << 20):
            write_head(arguments.corpora / "en_10.txt", size, folder)
        cases = list(first_use(folder) if arguments.fresh else every_start(folder, arguments.ranks))
        cases = [case for case in cases if importlib.util.find_spec(case.module)]
        measure_all(cases, folder, arguments.rounds, is_fresh=arguments.fresh)
        show_memory(folder)


def write_head(corpus: Path, size: int, folder: Path) -> None:
    """Write the first characters of a corpus, about `size` bytes, to a file named after the size."""
    with corpus.open("rb") as file:
        (folder / f"{size}.txt").write_bytes(file.read(size).decode(errors="ignore").encode())


def measure_all(cases: list[Case], folder: Path, rounds: int, *, is_fresh: bool) -> None:
    """Run all cases in turn, a number of times, and print the medians."""
    seconds: list[list[float]] = [[] for _case in cases]
    warm = folder / "cache"
    if not is_fresh:
        subprocess.run([sys.executable, "-m", "bpe_gui.engine.compilation"], env=environment(warm), check=True)
    for _round in range(rounds + (not is_fresh)):
        for case, measured in zip(cases, seconds, strict=True):
            with TemporaryDirectory() as empty:
                measured.append(run(case, Path(empty) if is_fresh else warm))
    for case, measured in zip(cases, seconds, strict=True):
        kept = measured if is_fresh else measured[1:]  # the first round fills the caches
        median, worst = statistics.median(kept), max(kept)
        print(f"{case.name:24} {case.program:24} median {median:6.3f} s   worst {worst:6.3f} s")


def run(case: Case, cache: Path) -> float:
    """Return the seconds from this call to the end of a case, or to the time that it prints."""
    began = time.time()
    done = subprocess.run(case.command, env=environment(cache), check=True, capture_output=True, text=True)
    ended = time.time()
    return (float(done.stdout.split()[0]) if case.name == "window" or "window" in case.program else ended) - began


def show_memory(folder: Path) -> None:
    """Print the memory of the window once the engine is loaded."""
    case = code("window", "memory", WINDOW.format(wait=200))
    done = subprocess.run(case.command, env=environment(folder / "cache"), check=True, capture_output=True, text=True)
    print(f"{case.name:24} {case.program:24} {float(done.stdout.split()[-1]):.0f} MB with the engine loaded")


def environment(cache: Path) -> dict[str, str]:
    """Return environment variables with a folder for the caches and settings."""
    folders = {"XDG_CACHE_HOME": str(cache), "XDG_CONFIG_HOME": str(cache), "XDG_DATA_HOME": str(cache)}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"QT_QPA_PLATFORM": "offscreen"} | inherited | folders | {"LOCALAPPDATA": str(cache)}


if __name__ == "__main__":
    main()
