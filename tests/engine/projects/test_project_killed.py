"""Kill a process hundreds of times while it saves a project: the file is always whole, the last or the next version."""

import subprocess
import sys
from pathlib import Path

import pytest

_KILLS = 100

# A process of its own forks the children: forking pytest would be unsafe, and spawning a child takes a second.
_KILLER = """
import os, random, select, signal, sys, time
from dataclasses import replace
from pathlib import Path

from bpe_gui.engine import Recipe, TextDocument, train
from bpe_gui.engine.projects import Project, ProjectDocument, load_project, save_project

TEXT = "low lower lowest wide wider widest " * 20
RUN = train(TEXT, num_merges=12)


def state(number):
    documents = (ProjectDocument("a", TextDocument(f"{number} " * (1 + number * 7919 % 6_000))),)
    return Project(documents, Recipe.of("cs336"), (), number, f"text {number}", RUN, number % 13)


def save_forever(path, number, pipe):
    while True:
        number += 1
        save_project(state(number), path)
        os.write(pipe, number.to_bytes(8, "little"))


def last_reported(pipe):
    data = b""
    while block := os.read(pipe, 1 << 16):
        data += block
    return int.from_bytes(data[-8:], "little")


def check(path, reported):
    project = load_project(path)
    number = project.vocab_size
    assert number >= reported, f"{number} is older than {reported}, which was saved"
    assert replace(project, run=RUN) == state(number), f"{number} is not what was saved"
    assert project.run.merges == RUN.merges and project.run.vocab == RUN.vocab
    return number


def seconds_to_save(path, number):
    begin = time.monotonic()
    for _ in range(20):
        save_project(state(number), path)
    return (time.monotonic() - begin) / 20


def main(path, kills):
    rng, number, interrupted = random.Random(7), 1, 0
    longest = 2 * seconds_to_save(path, number)
    for _ in range(kills):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            save_forever(path, number, writing)
        os.close(writing)
        select.select([reading], [], [], 60)  # until it has saved once
        time.sleep(rng.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
        reported = last_reported(reading)
        os.close(reading)
        assert reported, "it never saved"
        number = check(path, reported)
        interrupted += any(".part" in name for name in os.listdir(path.parent))
        for name in os.listdir(path.parent):
            if name != path.name:
                os.unlink(path.parent / name)
    print(number, interrupted)


main(Path(sys.argv[1]), int(sys.argv[2]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
def test_no_saved_version_is_lost_or_truncated(tmp_path: Path) -> None:
    path = tmp_path / "a.bpe.json"
    done = subprocess.run([sys.executable, "-c", _KILLER, str(path), str(_KILLS)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    number, interrupted = map(int, done.stdout.split())
    assert number > _KILLS
    assert interrupted > 0, "some kills should interrupt a save; how many depends on the disk"
