"""A process that is killed while it writes a tokenizer leaves every file whole: the old one or the new one."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bpe_gui.engine import save, train

_ROUNDS = 6
_TEXTS = ("low lower lowest " * 3, "wide wider widest " * 3)
_WRITER = """
import sys
from itertools import cycle
from pathlib import Path
from bpe_gui.engine import save, train
tokenizers = [train(text, vocab_size=265) for text in sys.argv[2:]]
print("ready", flush=True)
for tokenizer in cycle(tokenizers):
    save(tokenizer, Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_a_killed_process_leaves_whole_files(tmp_path: Path) -> None:
    versions: dict[str, set[bytes]] = {}
    for text in _TEXTS:
        for path in save(train(text, vocab_size=265), tmp_path / "expected"):
            versions.setdefault(path.name, set()).add(path.read_bytes())
    folder, rng = tmp_path / "written", random.Random(1)
    save(train(_TEXTS[0], vocab_size=265), folder)
    for _ in range(_ROUNDS):
        with subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(folder), *_TEXTS], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            time.sleep(rng.uniform(0, 0.05))
            writer.kill()
        assert writer.returncode != 0
        for name, whole in versions.items():
            assert (folder / name).read_bytes() in whole
