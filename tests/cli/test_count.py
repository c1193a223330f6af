"""`bpe-gui count` writes counts that `train` takes in place of the text, and merges those of parts."""

from pathlib import Path

import pytest

from bpe_gui.engine import Corpus, WordCounts, load

from .conftest import CORPUS, Run

SPECIAL = "<|endoftext|>"


def test_training_on_counts_is_training_on_the_text(run: Run, corpus: Path, tmp_path: Path) -> None:
    counts = tmp_path / "counts.parquet"
    status, output, messages = run("count", corpus, "--special-token", SPECIAL, "-o", counts, "--memory", "1 gb")
    assert (status, output) == (0, b"")
    assert f"Wrote {counts}: 8 words (5 unique) in " in messages and messages.count("\n") == 1
    assert dict(WordCounts.load(counts)) == dict(Corpus.from_text(CORPUS).count("cs336"))
    for source in (corpus, counts):
        options = ("--num-merges", 5, "--special-token", SPECIAL, "-o", tmp_path / source.stem)
        assert run("train", source, *options).status == 0
    assert load(tmp_path / "counts").merges == load(tmp_path / "corpus").merges


def test_parts_are_merged(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("low lower")
    (tmp_path / "b.txt").write_text("newest low")
    assert run("count", tmp_path / "a.txt", "-o", tmp_path / "a.parquet", "--recipe", "tiktoken").status == 0
    for start in ([], ["--start", 9]):
        parts = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
        run("count", tmp_path / "b.txt", "-o", parts[1], "--recipe", "tiktoken", *start)
        status = run("count", "--merge", *(reversed(parts) if start else parts), "-o", tmp_path / "all.parquet").status
        assert status == 0
        merged = WordCounts.load(tmp_path / "all.parquet")
        assert list(merged.items()) == [("low", 1), (" lower", 1), ("newest", 1), (" low", 1)]
        assert [source.name for source in merged.sources] == ["a.txt", "b.txt"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a.txt", "-o", "counts"), "Use a name that ends in .parquet."),
        (("a.txt", "-o", "missing/counts.parquet"), "cannot be written: No such file or directory"),
        (("empty.txt", "-o", "counts.parquet"), "there are no words to count"),
        (("a.txt", "-o", "counts.parquet", "--memory", "much"), "'much' is not a size such as 2GB or 500MB"),
        (
            ("a.txt", "-o", "counts.parquet", "--memory", "269MB"),
            "at least 270 MB of memory. It cannot",
        ),
        (
            ("a.jsonl", "-o", "counts.parquet", "--field", "x", "--skip-bad-lines"),
            "no record has a text (left out: 2)",
        ),
        (("a.txt", "-o", "counts.parquet", "--start", "-1"), "'-1' is not a number of bytes"),
        (("a.txt", "-o", "counts.parquet", "--merge"), "a.txt is damaged, incomplete or not Parquet"),
        (("a.txt", "-o", "counts.parquet", "--merge", "--recipe", "cs336"), "--recipe cannot be used with --merge"),
        (("a.txt", "-o", "counts.parquet", "--merge", "--field", "x"), "--field cannot be used with --merge"),
        (("a.txt", "-o", "counts.parquet", "--cluster", "x:1", "--memory", "1GB"), "--memory cannot be used with --cl"),
    ],
)
def test_mistakes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("low", encoding="utf-8")
    Path("a.jsonl").write_text('{"text": "low"}\n' * 2, encoding="utf-8")
    Path("empty.txt").touch()
    status, _output, messages = run("count", *arguments)
    assert (status, messages.count("\n")) == (2, 1) and message in messages
    assert not Path("counts.parquet").exists()


@pytest.mark.parametrize(
    "arguments",
    [("in.parquet",), (".",), ("--merge", "in.parquet"), ("--cluster", "tcp://127.0.0.1:1", "in.parquet")],
)
def test_an_input_is_not_written_over(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.parquet").write_bytes(b"rows")
    status, _output, messages = run("count", *arguments, "-o", tmp_path / "in.parquet")
    assert status == 2 and "in.parquet is one of the inputs. Write the counts to another file." in messages
    assert Path("in.parquet").read_bytes() == b"rows" and len(list(tmp_path.iterdir())) == 1


def test_a_cluster_is_not_used_if_its_result_cannot_be_written(run: Run, corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "missing" / "counts.parquet"
    status, _output, messages = run("count", "--cluster", "tcp://127.0.0.1:1", corpus, "-o", output)
    assert status == 2 and f"{output} cannot be written: No such file or directory" in messages
    assert not output.parent.exists()


def test_a_cluster_does_not_read_standard_input(run: Run, tmp_path: Path) -> None:
    status, _output, messages = run("count", "--cluster", "tcp://127.0.0.1:1", "-", "-o", tmp_path / "a.parquet")
    assert status == 2 and "Standard input cannot be counted on a cluster." in messages


def test_a_counts_file_is_counted_only_by_merging(run: Run, corpus: Path, tmp_path: Path) -> None:
    counts = tmp_path / "counts.parquet"
    assert run("count", str(corpus), "-o", str(counts))[0] == 0
    status, _output, messages = run("count", str(counts), "-o", str(tmp_path / "again.parquet"))
    assert status == 2 and "counts.parquet contains word counts. To add up counts files, use --merge." in messages
