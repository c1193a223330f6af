"""Measure what a person waits for first: run `python -m tests.benchmarks.start CORPORA_FOLDER`.

Everything is a separate process, measured from outside, from the command to its end, or for the window, to the first
paint. The programs take turns, so that a busy minute of the machine affects all of them; the table has medians.

- nothing: Python alone, and Python with numpy, which is included in all other figures
- import: the engine, tiktoken, tokenizers, gigatoken
- train: 130 kB to 500 tokens, as a test of Stanford's course CS336 does; 1 MB to 5,000
- encode: a 200 kB text with the ranks in a file: opening it, and encoding; and the same from the command line
- window: up to the first paint, and the memory at that point

Each `--ranks FILE` is a file of OpenAI's ranks: split like r50k or cl100k if it has that name, otherwise like o200k.
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
    """Something to wait for: Python code or a command; `module` has to be installed."""

    name: str
    program: str
    command: list[str]
    module: str = "numpy"


def code(name: str, program: str, source: str, module: str = "numpy") -> Case:
    return Case(name, program, [sys.executable, "-c", source], module)


TRAIN_OURS = """
from pathlib import Path
from bpe_gui.engine import train
train(Path({text!r}), recipe="cs336", vocab_size={size}, special_tokens=["<|endoftext|>"])
"""
TRAIN_TOKENIZERS = """
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
alphabet = pre_tokenizers.ByteLevel.alphabet()
trainer = trainers.BpeTrainer(vocab_size={size}, show_progress=False, initial_alphabet=alphabet)
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
from bpe_gui.gui import app, main_window

class Probe(main_window.MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.time(), flush=True)
        QTimer.singleShot(0, self.leave)

    def leave(self):
        print(psutil.Process().memory_info().rss / 1e6, flush=True)
        self.close()

app.MainWindow = Probe
app.main([])
"""
SPLITTERS = {"r50k_base": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}  # by tiktoken's name


def every_start(folder: Path, ranks_files: list[Path]) -> Iterator[Case]:
    """Yield the cases to measure."""
    medium = str(folder / "200000.txt")
    yield code("nothing", "Python", "pass")
    yield code("nothing", "numpy", "import numpy")
    yield code("import", "ours", "import bpe_gui.engine")
    for module in ("tiktoken", "tokenizers", "gigatoken"):
        yield code("import", module, f"import {module}", module)
    for name, text_size, size in (("train 130 kB", 130_000, 500), ("train 1 MB", 1 << 20, 5_000)):
        training = {"text": str(folder / f"{text_size}.txt"), "size": size}
        yield code(name, "ours", TRAIN_OURS.format(**training))
        yield code(name, "tokenizers", TRAIN_TOKENIZERS.format(**training), "tokenizers")
    for ranks in ranks_files:
        name = ranks.stem if ranks.stem in SPLITTERS else "o200k_base"
        values = {"ranks": str(ranks), "text": medium, "name": name, "splitter": SPLITTERS[name]}
        yield code(f"encode by {name}", "ours", ENCODE_OURS.format(**values))
        command = ["-m", "bpe_gui", "encode", "--tokenizer", str(ranks), "--pattern", SPLITTERS[name], medium]
        yield Case(f"encode by {name}", "our command", [sys.executable, *command])
        yield code(f"encode by {name}", "tiktoken", ENCODE_TIKTOKEN.format(**values), "tiktoken")
        yield code(f"encode by {name}", "gigatoken", ENCODE_GIGATOKEN.format(**values), "gigatoken")
    yield code("window", "first paint", WINDOW)


# -- measuring ---------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path, metavar="CORPORA_FOLDER", help="its en_10.txt gives the texts")
    parser.add_argument("--ranks", type=Path, action="append", default=[], help="a file of ranks to encode by")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        for size in (130_000, 200_000, 1 << 20):
            write_head(arguments.corpora / "en_10.txt", size, folder)
        cases = [case for case in every_start(folder, arguments.ranks) if importlib.util.find_spec(case.module)]
        measure_all(cases, folder, arguments.rounds)
        show_memory(folder)


def write_head(corpus: Path, size: int, folder: Path) -> None:
    """Write the first characters of a corpus, about `size` bytes, to a file named after the size."""
    with corpus.open("rb") as file:
        (folder / f"{size}.txt").write_bytes(file.read(size).decode(errors="ignore").encode())


def measure_all(cases: list[Case], folder: Path, rounds: int) -> None:
    """Run all cases in turn, several times, and print the medians."""
    seconds: list[list[float]] = [[] for _case in cases]
    for _round in range(rounds + 1):
        for case, measured in zip(cases, seconds, strict=True):
            measured.append(run(case, folder))
    for case, (_first, *kept) in zip(cases, seconds, strict=True):  # the first round fills the system's caches
        median, worst = statistics.median(kept), max(kept)
        print(f"{case.name:24} {case.program:24} median {median:6.3f} s   worst {worst:6.3f} s")


def run(case: Case, folder: Path) -> float:
    """Return the seconds from this call to the end of a case, or to the time it prints."""
    began = time.time()
    done = subprocess.run(case.command, env=environment(folder), check=True, capture_output=True, text=True)
    ended = time.time()
    return (float(done.stdout.split()[0]) if case.name == "window" else ended) - began


def show_memory(folder: Path) -> None:
    """Print the memory of the window after its first paint."""
    case = code("window", "memory", WINDOW)
    done = subprocess.run(case.command, env=environment(folder), check=True, capture_output=True, text=True)
    print(f"{case.name:24} {case.program:24} {float(done.stdout.split()[-1]):.0f} MB")


def environment(folder: Path) -> dict[str, str]:
    """Return environment variables with a folder for caches and settings."""
    folders = dict.fromkeys(("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"), str(folder))
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"QT_QPA_PLATFORM": "offscreen"} | inherited | folders


if __name__ == "__main__":
    main()
