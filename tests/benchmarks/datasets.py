"""From files to training data, as whole processes: run `python -m tests.benchmarks.datasets TEXT --ranks FILE`.

TEXT has documents that end with `<|endoftext|>`, and FILE has GPT-2's ranks. Each program writes the ids of the text as
uint16; beside ours, a script around tiktoken's batches and one around those of `tokenizers`, as people write them. The
same documents as JSON Lines become Megatron's pair of files. The table has medians of whole processes, imports
included, and the peak of their memory.
"""

import argparse
import json
import os
import statistics
import struct
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

END = "<|endoftext|>"
BATCH = 1000  # documents
TIKTOKEN = "tiktoken"
TOKENIZERS = "tokenizers"


def documents(text: Path) -> list[str]:
    """Return the documents of a text, or of JSON Lines."""
    if text.suffix == ".jsonl":
        with text.open(encoding="utf-8") as lines:
            return [json.loads(line)["text"] for line in lines]
    return text.read_bytes().decode().removesuffix(END).split(END)  # `read_text` would replace "\r\n"


def by_tiktoken(text: Path, ranks: Path, output: Path) -> None:
    """Write ids by tiktoken's batches."""
    from tiktoken import Encoding
    from tiktoken.load import load_tiktoken_bpe

    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    encoding = Encoding(
        "r50k", pat_str=pattern, mergeable_ranks=load_tiktoken_bpe(str(ranks)), special_tokens={END: 50256}
    )
    texts = documents(text)
    with output.open("wb") as file:
        for first in range(0, len(texts), BATCH):
            for ids in encoding.encode_ordinary_batch(texts[first : first + BATCH], num_threads=os.cpu_count() or 1):
                np.array([*ids, 50256], np.uint16).tofile(file)
        if not text.read_bytes().endswith(END.encode()):
            file.truncate(file.tell() - np.uint16().nbytes)


def by_tokenizers(text: Path, saved: Path, output: Path) -> None:
    """Write Megatron's pair by the batches of `tokenizers`."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(saved))
    texts, lengths = documents(text), []
    with output.with_suffix(".bin").open("wb") as file:
        for first in range(0, len(texts), BATCH):
            for encoding in tokenizer.encode_batch_fast(texts[first : first + BATCH]):
                np.array([*encoding.ids, 50256], np.uint16).tofile(file)
                lengths.append(len(encoding.ids) + 1)
    sizes = np.array(lengths)
    with output.with_suffix(".idx").open("wb") as file:
        file.write(b"MMIDIDX\0\0" + struct.pack("<QBQQ", 1, 8, len(sizes), len(sizes) + 1))
        for numbers in (sizes.astype("<i4"), (2 * (np.cumsum(sizes) - sizes)).astype("<i8"), np.arange(len(sizes) + 1)):
            file.write(numbers.tobytes())


def prepare(text: Path, ranks: Path, saved: Path) -> None:
    """Save the tokenizer as `tokenizers` reads it, and the documents as JSON Lines beside it."""
    from bpe_gui.engine import load, save

    save(load(ranks, pattern="gpt2", special_tokens={END: 50256}), saved, "huggingface")
    lines = (json.dumps({"text": document}) + "\n" for document in documents(text))
    saved.with_name("documents.jsonl").write_text("".join(lines), encoding="utf-8")


def measured(command: list[str]) -> tuple[float, float]:
    """Return the seconds that a command takes, and its memory in megabytes."""
    began = perf_counter()
    child = os.posix_spawn(command[0], command, os.environ)
    _child, status, usage = os.wait4(child, 0)
    assert status == 0, command
    return perf_counter() - began, usage.ru_maxrss / 1000


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", type=Path)
    parser.add_argument("--ranks", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--script", nargs=2, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.script:
        {"bin": by_tiktoken, "idx": by_tokenizers, "json": prepare}[options.script[1].suffix[1:]](
            options.text, *options.script
        )
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        ours = [sys.executable, "-m", "bpe_gui", "encode", "--tokenizer", str(options.ranks), "--pattern", "gpt2"]
        ours += ["--special-token", f"{END}=50256"]
        script = [sys.executable, "-m", "tests.benchmarks.datasets", "--ranks", str(options.ranks)]
        # In a process of its own: Linux counts the parent's memory in the peak of a new process.
        measured([*script, str(options.text), "--script", str(options.ranks), str(folder / "gpt2.json")])
        rows = {
            "text to train.bin": {
                "bpe-gui": [*ours, str(options.text), "--separator", END, "--output", str(folder / "a.bin"), "--force"],
                TIKTOKEN: [*script, str(options.text), "--script", str(options.ranks), str(folder / "b.bin")],
            },
            "JSON Lines to Megatron": {
                "bpe-gui": [
                    *ours,
                    str(folder / "documents.jsonl"),
                    *("--append", END, "--format", "megatron", "--output", str(folder / "c")),
                ],
                TOKENIZERS: [
                    *script,
                    str(folder / "documents.jsonl"),
                    *("--script", str(folder / "gpt2.json"), str(folder / "d.idx")),
                ],
            },
        }
        for title, programs in rows.items():
            found: dict[str, list[tuple[float, float]]] = {program: [] for program in programs}
            for _round in range(options.rounds):
                for program, command in programs.items():
                    found[program].append(measured(command))
            print(title)
            for program, results in found.items():
                times, memory = zip(*results, strict=True)
                print(f"  {program:12} {statistics.median(times):7.2f} s {statistics.median(memory):7.0f} MB")
        same = (folder / "a.bin").read_bytes() == (folder / "b.bin").read_bytes()
        pairs = all((folder / f"c{end}").read_bytes() == (folder / f"d{end}").read_bytes() for end in (".bin", ".idx"))
        print(f"the files are the same: {same}, {pairs}")


if __name__ == "__main__":
    main()
