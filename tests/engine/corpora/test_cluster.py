"""A cluster counts what one machine counts, whatever dies in it, and says what is wrong with it before it begins."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from bpe_gui.engine import Corpus, EngineError, FileDocument, Recipe, WordCounts, encode_files, train
from bpe_gui.engine.corpora import counting
from bpe_gui.engine.corpora.cluster_counting import count_on_cluster
from bpe_gui.engine.corpora.remote_files import RemoteFile, find_remote
from bpe_gui.engine.datasets import cluster_encoding
from tests.wine import not_under_wine

if not all(map(find_spec, ("dask", "distributed", "fsspec", "pyarrow"))):
    pytest.skip("needs the packages of a cluster", allow_module_level=True)

ANY = FileDocument(Path())
PATIENCE = 300
"""Seconds after which a process that has not started never will, even on a busy machine."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with text, JSON Lines and Parquet."""
    import pyarrow
    from pyarrow import parquet

    folder = tmp_path / "in"
    folder.mkdir()
    words = [f"the cat {number % 97} sat on mat {number % 13}. 你好" for number in range(500)]
    (folder / "a.txt").write_text(" ".join(words), encoding="utf-8")
    lines = "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in words)
    (folder / "b.jsonl").write_text(lines, encoding="utf-8")
    parquet.write_table(pyarrow.table({"text": words}), folder / "c.parquet", row_group_size=100)
    (folder / "d.txt").write_text("low", encoding="utf-8")
    return folder


def same(one: WordCounts, other: WordCounts) -> bool:
    sizes = [(counts.characters, counts.bytes, counts.skipped) for counts in (one, other)]
    return list(one.items()) == list(other.items()) and sizes[0] == sizes[1]


@pytest.mark.parametrize("size", [300, 10**6])
def test_the_parts_of_files_are_the_files(folder: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(counting, "_WINDOW", 200)
    monkeypatch.setattr(counting, "_threads", lambda _size: 3)
    files = find_remote([str(folder)], ANY)
    parts = [part for file in files for part in file.split(size, Recipe(), ())]
    assert len(parts) == sum(max(1, (file.state.size or 0) // size) for file in files)
    assert same(Corpus(tuple(parts)).count("cs336"), Corpus.from_files([folder]).count("cs336"))


def test_files_at_any_address() -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    for name in ("a.txt", "b.txt", "c.md"):
        memory.pipe(f"/bucket/{name}", f"low {name} \xff".encode("latin-1"))
    files = find_remote(["memory://bucket/*.txt"], FileDocument(Path(), "latin-1"))
    assert [file.name for file in files] == ["memory:///bucket/a.txt", "memory:///bucket/b.txt"]
    assert Corpus(tuple(files)).count("cs336-toy")["ÿ"] == 2
    with pytest.raises(EngineError, match=r"memory:///bucket/a\.txt is not valid UTF-8: the byte at offset 10"):
        Corpus(tuple(find_remote(["memory://bucket/*.txt"], ANY))).count("cs336")
    memory.pipe("/bucket/b.txt", b"changed")
    with pytest.raises(EngineError, match="changed while it was being read"):
        Corpus(tuple(files)).count("cs336")
    for address in ("memory://bucket/*.zip", "nothing://bucket/a.txt"):
        with pytest.raises(EngineError, match=r"No file matches|cannot be read"):
            find_remote([address], ANY)


@pytest.mark.parametrize("address", ["memory://corpus/missing.txt", "/corpus/missing.txt"])
def test_a_missing_file_is_said_to_be_missing(address: str) -> None:
    with pytest.raises(EngineError) as caught:
        find_remote([address], ANY)
    assert str(caught.value).endswith("missing.txt cannot be read: No such file or directory.")


@not_under_wine("Dask waits until the clock stands still for a moment, as it does on Windows")
@pytest.mark.parametrize(
    ("answer", "seconds", "reason"),
    [(b"HTTP/1.1", 60, "another program answers there"), (b"", 0.1, r"no answer|Timed")],
)
def test_an_address_at_which_no_scheduler_answers(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, answer: bytes, seconds: float, reason: str
) -> None:
    import dask  # here, because it takes half a second, and each process of a run imports every test
    import distributed

    monkeypatch.setattr(distributed.utils, "_CollectErrorThread", None)  # which a busy machine starts too late
    with socket.create_server(("127.0.0.1", 0)) as server, ExitStack() as connections:

        def answer_all() -> None:
            with suppress(OSError):  # the server is closed
                while True:
                    connections.enter_context(server.accept()[0]).sendall(answer)

        thread = Thread(target=answer_all)
        thread.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with (
            dask.config.set({"distributed.comm.timeouts.connect": seconds}),
            pytest.raises(EngineError, match=f"No Dask scheduler answers at {address}: ({reason})"),
        ):
            count_on_cluster(address, [RemoteFile(Path("a"))], "cs336")
        with suppress(OSError):  # on Windows, closing it wakes the thread
            server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()
    assert {client.status for client in distributed.Client._instances} <= {"closed"} and not caplog.records


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("nonsense", "missing port number in address 'nonsense'"),
        ("http://localhost:1", "unknown address scheme 'http'"),
        ("tcp://127.0.0.1:{port}", "{refused}"),
    ],
)
def test_a_wrong_address_is_found_out_at_once(address: str, reason: str) -> None:
    with socket.socket() as silent:  # which does not listen
        silent.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionRefusedError) as refused:
            socket.create_connection(silent.getsockname())
        address = address.format(port=silent.getsockname()[1])
        with pytest.raises(EngineError) as caught:
            count_on_cluster(address, [RemoteFile(Path("a"))], "cs336")
    reason = reason.format(refused=str(refused.value.strerror).rstrip("."))
    assert str(caught.value).startswith(f"No Dask scheduler answers at {address}: {reason}")


def test_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EngineError, match=r"needs the package distributed, .*pip install \"bpe-gui\[cluster\]\""):
        count_on_cluster("tcp://127.0.0.1:1", [RemoteFile(Path("a"))], "cs336")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(EngineError, match=r"^Working on a cluster needs the package fsspec, which is not installed"):
        find_remote(["a.txt"], ANY)


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        self.address = ""

    def begin(self, file: Path) -> None:
        import distributed

        common = ["--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(file)]
        self._start("dask_scheduler", "--port", "0", *common)
        single = ["--nthreads", "1", "--no-nanny", *common]
        for _ in range(2):
            self._start("dask_worker", "--death-timeout", str(PATIENCE), *single)
        # The scheduler makes the file before it writes into it: what is read too early is read again.
        self.address = distributed.utils.json_load_robust(file, timeout=PATIENCE)["address"]
        self._wait_for_workers()

    def _wait_for_workers(self) -> None:
        """Wait for both workers. A client gives its own thread only ten seconds to start, so it has several tries."""
        from distributed import Client

        for attempts_left in (2, 1, 0):
            try:
                with Client(self.address, timeout=PATIENCE, set_as_default=False) as client:
                    client.wait_for_workers(2, timeout=PATIENCE)
                return
            except AssertionError:
                if not attempts_left:
                    raise

    def _start(self, module: str, *arguments: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
        self.processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def kill_scheduler(self) -> None:
        self.processes[0].kill()

    def kill_worker(self) -> None:
        self.processes[1].kill()

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster()
    try:
        cluster.begin(tmp_path / "scheduler.json")
        yield cluster
    finally:
        cluster.stop()


@pytest.mark.slow
def test_a_cluster_counts_what_one_machine_counts_while_parts_of_it_die(
    cluster: Cluster, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = find_remote([str(folder)], ANY)
    here = Corpus.from_files([folder]).count("cs336")
    shown: list[tuple[int, int]] = []
    counted = count_on_cluster(cluster.address, files, "cs336", progress=lambda *done: shown.append(done), piece=4_000)
    assert same(counted, here)
    assert shown[-1][0] == shown[-1][1] > shown[0][0]

    with monkeypatch.context() as patch, pytest.raises(EngineError, match=r"worker tcp.* has bpe-gui .*, but this"):
        patch.setattr("bpe_gui.engine.corpora.cluster.__version__", "0.0")
        count_on_cluster(cluster.address, files, "cs336")

    (folder / "e.txt").write_bytes(b"low \xff")
    with pytest.raises(EngineError, match=r"e\.txt is not valid UTF-8: the byte at offset 4"):
        count_on_cluster(cluster.address, find_remote([str(folder)], ANY), "cs336")

    counted = count_on_cluster(cluster.address, files, "cs336", progress=lambda *_: cluster.kill_worker(), piece=4_000)
    assert same(counted, here)

    with pytest.raises(EngineError, match=r"Dask scheduler at tcp.* was lost before the work was finished"):
        count_on_cluster(cluster.address, files, "cs336", progress=lambda *_: cluster.kill_scheduler(), piece=4_000)


@pytest.mark.slow
def test_a_cluster_writes_what_one_machine_writes_while_parts_of_it_die(
    cluster: Cluster, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_encoding, "PIECE", 4_000)
    monkeypatch.chdir(folder.parent)  # workers have another current folder
    for number in range(40):
        (folder / f"e{number}.txt").write_text(f"low {number}<|e|>" * number)
    tokenizer = train("low lower the cat sat", recipe="huggingface", num_merges=10, special_tokens=["<|e|>"])
    wanted: dict[str, Any] = {"separator": "<|e|>", "append": "<|e|>", "shard_tokens": 5_000}

    def written(name: str, **more: Any) -> dict[str, bytes]:
        source = [Path("in") / path.name for path in sorted(folder.iterdir())]
        encode_files(tokenizer, source, tmp_path / name / "train.npy", **wanted, **more)
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    class Interruption(Exception):
        """Ends the work."""

    def interrupt(done: int, _size: int, tokens: int) -> None:
        shown.append(done)
        if tokens > 25_000:
            raise Interruption

    (tmp_path / "here").mkdir()
    here = written("here")
    assert len(here) > 5
    (tmp_path / "there").mkdir()
    shown: list[int] = []
    with pytest.raises(Interruption):
        written("there", cluster=cluster.address, progress=interrupt)
    assert shown == sorted(shown)
    assert "train-00001.npy" in {path.name for path in (tmp_path / "there").iterdir()}
    assert written("there", cluster=cluster.address, resume=True, progress=lambda *_: cluster.kill_worker()) == here

    (folder / "f.txt").write_bytes(b"low \xff")
    with pytest.raises(EngineError, match=r"f\.txt is not valid UTF-8: the byte at offset 4"):
        written("there", cluster=cluster.address)
