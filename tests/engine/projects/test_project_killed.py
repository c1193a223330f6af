"""A process that is killed while it saves a project, a thousand times: what it saved last, or saves, is there whole."""

import subprocess
import sys
from pathlib import Path

import pytest

_KILLS = 1000

# Children are forked by a process of their own: from here, that would be unsafe, and each would take a second to begin.
_KILLER = """
import os, random, select, signal, sys, time
from dataclasses import replace
from pathlib import Path

from bpe_gui.engine import Recipe, TextDocument, train
from bpe_gui.engine.projects.project import Project, ProjectDocument
from bpe_gui.engine.projects.project_file import load_project, save_project

TEXT = "low lower lowest wide wider widest " * 20
RUN = train(TEXT, num_merges=12)


def state(number):
    documents = (ProjectDocument("a", TextDocument(f"{number} " * (1 + number * 7919 % 6_000))),)
    return Project(documents, Recipe.of("cs336"), (), number, f"text {number}", RUN, number % 13)


def save_on_and_on(path, number, pipe):
    while True:
        number += 1
        save_project(state(number), path)
        os.write(pipe, number.to_bytes(8, "little"))


def last_reported(pipe):
    data = b""
    while block := os.read(pipe, 1 << 16):
        data += block
    return int.from_bytes(data[-8:], "little")


def check(path, least):
    project = load_project(path)
    number = project.vocab_size
    assert number >= least, f"{number} is older than {least}, which was saved"
    assert replace(project, run=RUN) == state(number), f"{number} is not what was saved"
    assert project.run.merges == RUN.merges and project.run.vocab == RUN.vocab
    return number


def seconds_to_save(path, number):
    begin = time.monotonic()
    for _ in range(20):
        save_project(state(number), path)
    return (time.monotonic() - begin) / 20


def main(path, kills):
    rng, number, amid = random.Random(7), 1, 0
    longest = 2 * seconds_to_save(path, number)
    for _ in range(kills):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            save_on_and_on(path, number, writing)
        os.close(writing)
        select.select([reading], [], [], 60)  # it has saved once, and so is at it
        time.sleep(rng.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
        least = last_reported(reading)
        os.close(reading)
        assert least, "it never saved"
        number = check(path, least)
        amid += any(".part" in name for name in os.listdir(path.parent))
        for name in os.listdir(path.parent):
            if name != path.name:
                os.unlink(path.parent / name)
    print(number, amid)


main(Path(sys.argv[1]), int(sys.argv[2]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_no_state_is_lost_or_half_written(tmp_path: Path) -> None:
    path = tmp_path / "a.bpe.json"
    done = subprocess.run([sys.executable, "-c", _KILLER, str(path), str(_KILLS)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    number, amid = map(int, done.stdout.split())
    assert number > _KILLS
    assert amid > 0, "some kills should come amid a save: how many do depends on the disk"
