"""`bpe-gui encode --output` writes arrays that `decode` and `inspect` read; `--count` only counts."""

import json
from pathlib import Path

import numpy as np
import pytest

from bpe_gui.engine import load

from .conftest import CORPUS, Run
from .test_train import Terminal

END = "<|endoftext|>"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Return a file of text with two documents, and one of records."""
    (tmp_path / "a.txt").write_text(f"{CORPUS}{END}lowest", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text(json.dumps({"body": "你好"}) + "\n", encoding="utf-8")
    return [tmp_path / "a.txt", tmp_path / "b.jsonl"]


def test_files_become_an_array(run: Run, byte_tokenizer: Path, files: list[Path], tmp_path: Path) -> None:
    output, tokenizer = tmp_path / "out/train.bin", load(byte_tokenizer)
    options = "--separator", END, "--append", END, "--field", "body", "--index"
    result = run("encode", "-t", byte_tokenizer, *files, "-o", output, *options)
    assert (result.status, result.output) == (0, b"")
    assert result.messages.startswith(f"Wrote {output}: ")
    assert "tokens as uint16, 3 documents, in " in result.messages
    text = f"{CORPUS}{END}lowest{END}你好{END}"
    assert np.fromfile(output, "<u2").tolist() == tokenizer.encode(text)
    assert run("decode", "-t", byte_tokenizer, output).output == text.encode()
    documents = run("decode", "-t", byte_tokenizer, output, "--documents", "1:").output
    assert documents == f"lowest{END}\n你好{END}\n".encode()
    first = run("decode", "-t", byte_tokenizer, output, "--tokens", ":3").output
    assert first == tokenizer.decode_bytes(tokenizer.encode(text)[:3])
    facts = run("inspect", output).output.decode()
    for fact in (
        "bin, uint16",
        "documents:      3",
        f"separator:      {END}",
        str(files[0]),
        "made by:        bpe-gui",
    ):
        assert fact in facts
    (tmp_path / "out/train.bin.manifest.json").unlink()
    assert "has no manifest beside it" in run("inspect", output).messages
    assert "Give the type" in run("decode", "-t", byte_tokenizer, output).messages
    assert run("decode", "-t", byte_tokenizer, output, "--dtype", "uint16").output == text.encode()


def test_shards_are_numbered_and_resumed(run: Run, byte_tokenizer: Path, files: list[Path], tmp_path: Path) -> None:
    command = "encode", "-t", byte_tokenizer, files[0], "-o", tmp_path / "web.npy", "--separator", END
    result = run(*command, "--shard-tokens", 10)
    assert f"Wrote {tmp_path / 'web-00000.npy to web-00001.npy'}: " in result.messages
    assert "web-00001.npy: " in run("inspect", tmp_path / "web-00001.npy").output.decode()
    assert run(*command, "--shard-tokens", 10, "--resume").messages[:-12] == result.messages[:-12]
    assert "because the options changed. Leave out --resume" in run(*command, "--resume").messages
    assert run("decode", "-t", byte_tokenizer, tmp_path / "web-00001.npy").output == b"lowest"


def test_what_is_in_the_way_stays(run: Run, byte_tokenizer: Path, files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "mine.bin").write_bytes(b"mine")
    command = "encode", "-t", byte_tokenizer, files[0], "-o", tmp_path / "mine.bin"
    result = run(*command)
    assert (result.status, (tmp_path / "mine.bin").read_bytes()) == (2, b"mine")
    assert "exists, and no dataset wrote it. Choose another name, or use --force" in result.messages
    assert run(*command, "--force").status == 0


def test_tokens_are_counted_as_words_are_by_wc(
    run: Run, byte_tokenizer: Path, word_tokenizer: Path, files: list[Path]
) -> None:
    tokenizer, text = load(byte_tokenizer), f"{CORPUS}{END}lowest"
    count = len(tokenizer.encode(text))
    assert run("encode", "-t", byte_tokenizer, "--count", files[0]).output.decode() == f"{count}  {files[0]}\n"
    assert run("encode", "-t", byte_tokenizer, "--count", stdin=b"low").output.split()[0] == b"1"
    command = "encode", "-t", byte_tokenizer, "--count", "--field", "body", *files
    rows = run(*command, "--beside", byte_tokenizer).output.decode().splitlines()
    assert [row.split() for row in rows] == [
        [str(byte_tokenizer)] * 2,
        [str(count)] * 2 + [str(files[0])],
        ["6", "6", str(files[1])],
        [str(count + 6)] * 2 + ["total"],
    ]
    assert run("encode", "-t", word_tokenizer, "--count", files[1], "--field", "body").status == 2  # an unknown symbol


def test_the_field_may_differ_by_file(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    for name, field in (("a.jsonl", "text"), ("b.jsonl", "body"), ("in/c.jsonl", "own"), ("in/d.jsonl", "content")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps({field: "low " + name}) + "\n")
    files = [tmp_path / name for name in ("a.jsonl", "b.jsonl", "in")]
    fields = [f"{tmp_path / 'b.*'}:body", f"{tmp_path / 'in'}:content", "text", f"{tmp_path / 'in/c.jsonl'}:own"]
    options = [part for field in fields for part in ("--field", field)]
    assert run("encode", "-t", byte_tokenizer, *files, *options, "-o", tmp_path / "x.bin", "--index").status == 0
    texts = run("decode", "-t", byte_tokenizer, tmp_path / "x.bin", "--documents", ":").output.decode().splitlines()
    assert texts == ["low a.jsonl", "low b.jsonl", "low in/c.jsonl", "low in/d.jsonl"]
    for command in (["count"], ["train", "--num-merges", "3"]):
        written = tmp_path / f"{command[0]}.parquet" if command == ["count"] else tmp_path / "out"
        status, _output, messages = run(*command, *files, *options, "--output", written)
        assert (status, "Wrote" in messages) == (0, True), messages
        assert run(*command, *files, *options[:2], "--output", tmp_path / f"no-{command[0]}.parquet").status == 2
    (tmp_path / "colon.jsonl").write_text('{"a:b": "low"}\n')
    with_colon = "--field", "a:b", tmp_path / "colon.jsonl"
    assert run("encode", "-t", byte_tokenizer, "--count", *with_colon).output.split()[0] == b"1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--append", END], "--append needs --output"),
        (["--count", "--lines"], "--lines cannot be used with --count"),
        (["--output", "x.bin", "--tokens"], "--tokens cannot be used with --output"),
        (["--output", "x.bin", "--separator", "low"], "The separator 'low' is not a special token"),
        (["--output", "x.txt"], "does not say which format to write"),
        (["--output", "x.bin", "--dtype", "float16"], "The format bin has no float16. Choose uint16, uint32, int32"),
    ],
)
def test_mistakes(run: Run, byte_tokenizer: Path, files: list[Path], options: list[str], message: str) -> None:
    result = run("encode", "-t", byte_tokenizer, files[0], *options)
    assert result.status == 2
    assert message in result.messages
    assert not Path("x.bin").exists()


def test_ids_as_text_have_no_documents(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("1 2 3")
    result = run("decode", "-t", byte_tokenizer, tmp_path / "ids.txt", "--tokens", "0:1")
    assert "has ids as text" in result.messages


def test_progress_says_how_fast_it_goes(
    run: Run, byte_tokenizer: Path, files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("bpe_gui.cli.streams.ProgressLine._SECONDS", 0)
    assert run("encode", "-t", byte_tokenizer, files[0], "-o", tmp_path / "a.bin").status == 0
    assert "100% of 63 bytes, " in terminal.getvalue()
    assert " MB/s, 0 s left" in terminal.getvalue()
