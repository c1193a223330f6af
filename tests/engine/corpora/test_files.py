"""Compressed files, JSON Lines and Parquet count as the same texts do, and say clearly what is wrong with them."""

import bz2
import gzip
import json
import os
import sys
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import (
    BadRecordError,
    Corpus,
    CorpusError,
    EngineError,
    FileDocument,
    Recipe,
    UndecodableFileError,
    WordCounts,
)
from bpe_gui.engine.corpora import counting, record_files
from bpe_gui.engine.runtime import memory

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

TEXTS = ["low lower", "est 你好 😀", "", " \n", "it's\r\n", "x" * 40, "<e>low", "<", "e>", "\ud7ff"]


def zstd(data: bytes) -> bytes:
    return bytes(pyarrow.compress(data, codec="zstd", asbytes=True))


COMPRESS: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".zst": zstd}


def lines_of(texts: Iterable[str], field: str = "text") -> bytes:
    records = [{"id": index, field: text, "more": {"text": ["no"]}} for index, text in enumerate(texts)]
    # Every second line has escapes instead of non-ASCII characters.
    return "".join(json.dumps(each, ensure_ascii=bool(i % 2)) + "\n" for i, each in enumerate(records)).encode()


def write_parquet(path: Path, texts: list[str], field: str = "text", **options: object) -> None:
    table = pyarrow.table({"id": range(len(texts)), field: pyarrow.array(texts, pyarrow.string())})
    parquet.write_table(table, path, **options)


def file_of(folder: Path, name: str, texts: list[str], field: str = "text") -> Path:
    """Write texts as records, or joined as one text, as the name says."""
    path = folder / name
    suffix = path.suffix if path.suffix in COMPRESS else ""
    if name.endswith(".parquet"):
        write_parquet(path, texts, field, row_group_size=3)
    elif "json" in name:
        path.write_bytes(COMPRESS[suffix](lines_of(texts, field)))
    else:
        path.write_bytes(COMPRESS[suffix]("".join(texts).encode()))
    return path


def counted(documents: Corpus, *, threads: int = 1, size: int = 1 << 18, splitter: str = "gpt2") -> WordCounts:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_threads", lambda _size: threads)
        patch.setattr(counting, "BUFFER_SIZE", size)
        patch.setattr(counting, "_WINDOW", 64)
        return documents.count(Recipe(splitter=splitter), ["<e>"])


def facts(counts: WordCounts) -> tuple[list[tuple[str, int]], int, int]:
    return list(counts.items()), counts.characters, counts.bytes


RECORDS = ["a.jsonl", "a.ndjson.gz", "a.jsonl.zst", "a.json.bz2", "a.parquet"]


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.TXT.bz2", "a.zst", *RECORDS])
def test_a_file_counts_as_its_texts(tmp_path: Path, name: str) -> None:
    texts = TEXTS if name in RECORDS else ["".join(TEXTS)]
    path = file_of(tmp_path, name.replace("TXT", "txt"), TEXTS)
    counts = counted(Corpus.from_files([path]))
    assert facts(counts) == facts(counted(Corpus.from_source(texts)))
    end = "\n" if name in RECORDS else ""
    assert "".join(FileDocument(path).chunks()) == "".join(text + end for text in texts)


@pytest.mark.parametrize("name", RECORDS)
def test_another_field_holds_the_text(tmp_path: Path, name: str) -> None:
    path = file_of(tmp_path, name, TEXTS, "content")
    assert facts(counted(Corpus.from_files([path], field="content"))) == facts(counted(Corpus.from_source(TEXTS)))
    with pytest.raises(BadRecordError, match="'text'") as caught:
        counted(Corpus.from_files([path]))
    assert "content" in caught.value.text_fields


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    texts=st.lists(st.text("a' 1é中\n\\\"\x01<e>", max_size=12), min_size=1, max_size=12),
    size=st.integers(1, 80),
    threads=st.integers(1, 3),
    splitter=st.sampled_from(["gpt2", "cl100k", "o200k", "whitespace"]),
)
def test_records_in_any_buffer_and_number_of_threads(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], size: int, threads: int, splitter: str
) -> None:
    folder = tmp_path_factory.mktemp("records", numbered=True)
    texts = [*texts, "low\0"]
    expected = facts(counted(Corpus.from_source(texts), splitter=splitter))
    for name in ("a.jsonl", "b.parquet"):
        documents = Corpus.from_files([file_of(folder, name, texts)])
        assert facts(counted(documents, threads=threads, size=size, splitter=splitter)) == expected


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl.zst"])
def test_a_folder_of_shards_counts_as_its_texts(tmp_path: Path, suffix: str) -> None:
    shards = [[f"low {shard} {record}" for record in range(5)] for shard in range(12)]
    for number, texts in enumerate(shards):
        file_of(tmp_path, f"{number:03}{suffix}", texts)
    expected = facts(counted(Corpus.from_source([text for texts in shards for text in texts])))
    for source in (tmp_path, tmp_path / f"*{suffix}"):
        assert facts(counted(Corpus.from_files([source]), threads=3)) == expected
    with pytest.raises(CorpusError, match=r"No file matches .*\*\.md"):
        Corpus.from_files([tmp_path / "*.md"])


def test_several_compressed_parts_are_one_file(tmp_path: Path) -> None:
    for suffix, compress in COMPRESS.items():
        path = tmp_path / f"a.txt{suffix}"
        path.write_bytes(compress(b"low ") + compress(b"lower"))
        assert dict(counted(Corpus.from_files([path]))) == {"low": 1, " lower": 1}, suffix


def test_encodings_are_decoded_after_decompressing(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress("low é".encode("utf-16")))
    (tmp_path / "a.jsonl.zst").write_bytes(zstd('{"text": "low é"}\n'.encode("utf-16")))
    (tmp_path / "b.jsonl").write_bytes(b'\xef\xbb\xbf{"text": "low \xff"}')
    for name in ("a.txt.gz", "a.jsonl.zst"):
        assert list(counted(Corpus.from_files([tmp_path / name], encoding="utf-16"))) == ["low", " é"]
    assert list(counted(Corpus.from_files([tmp_path / "b.jsonl"], replace_invalid=True))) == ["low", " \ufffd"]
    with pytest.raises(UndecodableFileError, match=r"the byte at offset 17 \(0xFF\)"):
        counted(Corpus.from_files([tmp_path / "b.jsonl"]))


# -- lines and rows without a text --------------------------------------------------------------------------------

GOOD = b'{"text": "low", "n": 1}\n'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", r"a\.jsonl, line 4 is not JSON: Expecting property name"),
        (b'{"text": "low"} {"text": "low"}', "line 4 is not JSON: Extra data"),
        (b"[1]", r"line 4 is not a JSON object: \[1\]"),
        (b"[" * 200_000, "line 4 is not JSON: maximum recursion depth"),
        (b'{"text": ' + b"[" * 200_000, "line 4 is not JSON: maximum recursion depth"),
        (b'{"more": ' + b'{"a":' * 200_000, "line 4 is not JSON: maximum recursion depth"),
        (b'{"title": "low", "n": 1}', "line 4 has no field 'text', only title, n"),
        (b'{"text": null}', "line 4: the field 'text' is not text. Its type is null"),
        (b'{"text": 1}', "the field 'text' is not text. Its type is number"),
        (b'{"text": {"a": 1}}', "the field 'text' is not text. Its type is object"),
        (rb'{"text": "\ud800"}', "line 4: The text contains a lone surrogate"),
    ],
)
def test_a_line_without_a_text(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD + b" \n" + GOOD + line + b"\n" + GOOD)
    with pytest.raises(BadRecordError, match=message):
        counted(Corpus.from_files([path]))
    counts = counted(Corpus.from_files([path], skip_bad_lines=True))
    assert (dict(counts), counts.skipped) == ({"low": 3}, 1)


def test_lines_are_numbered_in_every_slice_and_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD * 50 + b"{\n" + GOOD * 9)
    monkeypatch.setattr(record_files, "_BLOCK", 60)
    for threads in (1, 2, 3):
        with pytest.raises(BadRecordError, match="line 51 is not JSON"):
            counted(Corpus.from_files([path]), threads=threads)


def test_a_line_may_be_longer_than_a_block_but_not_endless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD + lines_of(["low " * 100]))
    monkeypatch.setattr(record_files, "_BLOCK", 16)
    assert counted(Corpus.from_files([path])).total == 102
    monkeypatch.setattr(record_files, "_LONGEST_LINE", 256)
    with pytest.raises(CorpusError, match=r"line 2 is longer than 256 bytes"):
        counted(Corpus.from_files([path]))


def test_rows_without_a_text(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_parquet(path, ["low"] * 5 + [None, "low"], row_group_size=2)  # type: ignore[list-item]
    with pytest.raises(BadRecordError, match=r"a\.parquet, row 6: the column 'text' is null, not text"):
        counted(Corpus.from_files([path]))
    counts = counted(Corpus.from_files([path], skip_bad_lines=True))
    assert (dict(counts), counts.skipped) == ({"low": 6}, 1)
    write_parquet(tmp_path / "b.parquet", [None, None])  # type: ignore[list-item]
    with pytest.raises(CorpusError, match=r"empty, because no record has a text .left out: 2"):
        counted(Corpus.from_files([tmp_path / "b.parquet"], skip_bad_lines=True))
    with pytest.raises(BadRecordError, match=r"the column 'id' is int64, not text\. Columns with text: text"):
        counted(Corpus.from_files([path], field="id"))
    with pytest.raises(BadRecordError, match=r"has no column 'body'\. Columns with text: text"):
        counted(Corpus.from_files([path], field="body"))


def test_rows_without_any_column_of_text(tmp_path: Path) -> None:
    parquet.write_table(pyarrow.table({"text": [1, 2], "size": [3, 4]}), tmp_path / "a.parquet")
    with pytest.raises(CorpusError, match=r"a\.parquet has no column with text\. Its columns are text, size\."):
        counted(Corpus.from_files([tmp_path / "a.parquet"]))


def test_text_in_parquet_that_is_not_valid(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    texts = pyarrow.array([b"low", b"low \xff"], pyarrow.binary()).cast(pyarrow.string(), safe=False)
    parquet.write_table(pyarrow.table({"text": texts}), path)
    with pytest.raises(UndecodableFileError, match="row 2: the text is not valid UTF-8"):
        counted(Corpus.from_files([path]))
    assert list(counted(Corpus.from_files([path], replace_invalid=True))) == ["low", " \ufffd"]


# -- damaged files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        *product(["cut off", "foreign", "empty"], ["a.txt.gz", "a.txt.bz2", "a.txt.zst", "a.jsonl.zst", "a.parquet"]),
        *product(["changed"], ["a.txt.gz", "a.txt.bz2"]),  # only these have checksums
    ],
)
def test_damaged_files(tmp_path: Path, name: str, damage: str) -> None:
    path = file_of(tmp_path, name, [os.urandom(40).hex() for _ in range(200)])
    data = bytearray(path.read_bytes())
    if damage == "cut off":
        del data[len(data) // 2 :]
    elif damage == "changed":
        for at in range(len(data) // 2, len(data) // 2 + 40):
            data[at] ^= 0xFF
    else:
        data = bytearray(b"low lower lowest" if damage == "foreign" else b"")
    path.write_bytes(data)
    with pytest.raises(CorpusError) as caught:
        counted(Corpus.from_files([path]))
    if damage != "empty":
        assert "is damaged, incomplete or not" in str(caught.value), str(caught.value)


def test_a_text_in_a_dictionary_is_not_read_for_many_rows_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.parquet"
    write_parquet(path, ["low " * 2_000] * 3_000)  # 24 MB of text in a file of a few kB
    assert path.stat().st_size < 50_000
    monkeypatch.setattr(record_files, "_LARGEST_BATCH", 100_000)
    with FileDocument(path).open_records() as opened:
        batch = next(iter(opened.batches()))
    assert len(batch) == 100_000 // 8_004
    monkeypatch.setattr(memory, "available", lambda: 5_000)
    with pytest.raises(CorpusError, match="smaller row groups"), FileDocument(path).open_records() as opened:
        next(iter(opened.batches()))


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [file_of(tmp_path, name, TEXTS) for name in ("a.parquet", "a.jsonl", "a.txt.zst", "a.txt.gz", "a.txt.bz2")]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for path in paths[:3]:
        with pytest.raises(EngineError, match=r"needs the package pyarrow, .*pip install \"bpe-gui\[counts\]\""):
            counted(Corpus.from_files([path]))
    for path in paths[3:]:
        assert counted(Corpus.from_files([path])).total


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet", "a.txt.gz"])
def test_positions_are_the_same_however_words_are_counted(tmp_path: Path, name: str) -> None:
    path = file_of(tmp_path, name, ["low lower", "new", "low est new er"])
    in_one, in_threads = (counted(Corpus.from_files([path] * 2), threads=threads, size=8) for threads in (1, 2))
    assert (in_threads.first_seen.tolist(), in_threads.facts) == (in_one.first_seen.tolist(), in_one.facts)


def test_what_was_left_out_stays_known(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(GOOD + b"{\n")
    counts = counted(Corpus.from_files([tmp_path / "a.jsonl"], skip_bad_lines=True))
    counts.save(tmp_path / "counts.parquet")
    both = WordCounts.merge(counts, WordCounts.load(tmp_path / "counts.parquet"))
    assert (dict(both), both.skipped) == ({"low": 2}, 2)
