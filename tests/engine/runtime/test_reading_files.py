"""Files of every kind that a user may name are read within limits, and none is waited for forever."""

import errno
import os
import socket
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from bpe_gui.engine import Corpus, EngineError, FileDocument, FormatError, Plan, Recipe, WordCounts, load, save, train
from bpe_gui.engine.projects.project import Digest
from bpe_gui.engine.runtime import files
from bpe_gui.engine.runtime.files import open_file, read_bytes, read_text, reason_of
from tests.pipes import make_pipe

pytestmark = pytest.mark.timeout(60)  # a failure here would wait forever


def make_device(path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no endless device in the file system")
    path.symlink_to("/dev/zero")


def make_socket(path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no sockets in the file system")
    folder = os.open(path.parent, os.O_RDONLY)
    try:  # the name of a socket may have a hundred bytes
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(f"/proc/self/fd/{folder}/{path.name}" if Path("/proc/self/fd").exists() else str(path))
    finally:
        os.close(folder)


def make_loop(path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("links need a privilege on Windows")
    path.symlink_to(path)


NOT_FILES: dict[str, Callable[[Path], object]] = {
    "pipe": make_pipe,
    "device": make_device,
    "socket": make_socket,
    "folder": Path.mkdir,
    "loop": make_loop,
}
READERS: dict[str, Callable[[Path], object]] = {
    "a.txt": read_text,
    "recipe.json": Recipe.load,
    "plan.json": Plan.load,
    "counts.parquet": WordCounts.load,
    "rows.parquet": lambda path: Corpus((FileDocument(path),)).count("cs336"),
    **dict.fromkeys(("a.gguf", "a.model", "a.tiktoken", "a.codes", "tokenizer.json", "tekken.json"), load),
}


@pytest.mark.parametrize("kind", NOT_FILES)
@pytest.mark.parametrize("name", READERS)
def test_what_is_not_a_file_is_refused_at_once(name: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / name
    NOT_FILES[kind](path)
    with pytest.raises(EngineError):
        READERS[name](path)


FORMATS_OF_FOLDERS = {
    "gpt2": ("vocab.json", "merges.txt", "training.json"),
    "transformers": ("tokenizer.json", "tokenizer_config.json"),
    "tiktoken": ("tokenizer.tiktoken",),
    "minbpe": ("minbpe.model",),
}
FILES_OF_FOLDERS = [(name, file) for name, files in FORMATS_OF_FOLDERS.items() for file in files]


@pytest.mark.parametrize(("format", "file"), FILES_OF_FOLDERS)
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_folder_with_a_pipe_in_it_is_refused_at_once(format: str, file: str, kind: str, tmp_path: Path) -> None:
    recipe = format if format in ("tiktoken", "minbpe") else "huggingface"
    save(train("low low lower", recipe=recipe, num_merges=2), tmp_path, format)
    (tmp_path / file).unlink()
    NOT_FILES[kind](tmp_path / file)
    with pytest.raises(EngineError):
        load(tmp_path, pattern="gpt2" if format == "tiktoken" else None)


def test_a_sentencepiece_model_in_a_folder_may_be_a_pipe_too(tmp_path: Path) -> None:
    make_pipe(tmp_path / "tokenizer.model")
    with pytest.raises(FormatError, match="is a device or a pipe"):
        load(tmp_path)


def test_a_pipe_has_no_digest_and_no_counts(tmp_path: Path) -> None:
    make_pipe(tmp_path / "a.parquet")
    assert Digest.of(tmp_path / "a.parquet") is None
    assert not FileDocument(tmp_path / "a.parquet").holds_counts


def test_no_more_than_the_limit_is_read_of_a_file_that_grows(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"a" * 10)
    assert read_bytes(path, 10) == b"a" * 10
    with pytest.raises(FormatError, match="larger than 9 bytes"):
        read_bytes(path, 9)
    with open_file(path) as file:
        path.write_bytes(b"a" * 100)
        assert len(file.read(11)) == 11


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="This system has no files without a size")
def test_a_file_whose_size_is_said_to_be_0_is_read() -> None:
    path = Path("/proc/version")
    text = path.read_text(encoding="utf-8")
    assert read_text(path) == text
    assert "".join(FileDocument(path).chunks()) == text
    assert Corpus.from_files([path]).count("cs336") == Corpus.from_text(text).count("cs336")
    with pytest.raises(FormatError, match="larger than 5 bytes"):
        read_bytes(path, 5)


def test_a_small_file_takes_little_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"low")
    tracemalloc.start()
    try:
        assert read_bytes(tmp_path / "file") == b"low"
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


# Windows has no word for it.
TOO_LONG = "|".join(map(os.strerror, [errno.ENAMETOOLONG] if os.name == "posix" else [errno.ENOENT, errno.EINVAL]))


@pytest.mark.parametrize(
    ("path", "reason"),
    [("missing", os.strerror(errno.ENOENT)), ("a\0b", "null (byte|character)"), ("a" * 300, TOO_LONG)],
)
def test_a_path_that_nothing_can_have_is_named(path: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=f"cannot be read: .*({reason})"):
        read_text(tmp_path / path)


def test_an_error_has_the_same_words_on_every_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FormatError, match=f"cannot be read: {os.strerror(errno.EISDIR)}"):
        read_text(tmp_path)
    missing, in_use = FileNotFoundError(errno.ENOENT, "Datei fehlt"), PermissionError(errno.EACCES, "In Gebrauch")
    missing.winerror, in_use.winerror = 2, 32  # type: ignore[attr-defined, unused-ignore]  # unless this is Windows
    assert [reason_of(missing), reason_of(in_use)] == [os.strerror(errno.ENOENT), "In Gebrauch"]
    monkeypatch.setattr(files, "_REFUSES_FOLDERS", True)
    refused = PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(tmp_path))
    assert reason_of(refused) == os.strerror(errno.EISDIR)
