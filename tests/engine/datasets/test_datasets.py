"""A dataset has the ids that `encode` gives for each document, whatever its format, shards and interruptions."""

import json
import os
import pickle
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from bpe_gui.engine import (
    AddedToken,
    ByteLevel,
    Corpus,
    CorpusError,
    EngineError,
    FormatError,
    Lowercase,
    Metaspace,
    Pipeline,
    Tokenizer,
    count_tokens,
    encode_files,
    open_encoded,
    train,
)
from bpe_gui.engine.corpora import record_files
from bpe_gui.engine.datasets import blocks
from bpe_gui.engine.datasets.blocks import CorpusBlock, Place, groups_of, read_blocks
from bpe_gui.engine.datasets.manifest import read_manifest
from bpe_gui.engine.datasets.rows import encoded_blocks
from bpe_gui.engine.encoding.results import TextIds
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.text.compiled_splitters import Chunker, compiled
from bpe_gui.engine.text.special_tokens import TEXT_END

END = "<|endoftext|>"
TEXT = "low lower lowest 你好 widest newest\n " * 3
SPECIAL = [END, "<s>"]


def with_ids_around() -> Tokenizer:
    """Return a tokenizer whose pipeline puts ids around each text."""
    vocab = {**dict(enumerate(map(bytes, zip(range(256))))), 256: b"<s>", 257: END.encode()}
    added = (AddedToken(id=256, content="<s>"), AddedToken(id=257, content=END))
    steps = Pipeline(
        added_tokens=added,
        pre_tokenizers=(ByteLevel(use_regex=True),),
        model=ModelOptions(is_byte_level=True),
        ids_before=(256,),
        ids_after=(5,),
    )
    return Tokenizer(vocab, [], {"<s>": 256, END: 257}, pipeline=steps)


def uncut() -> Tokenizer:
    """Return a tokenizer whose steps treat the beginning of a text differently, so that no text may be cut."""
    characters = sorted({*TEXT, "▁", "a", "b", "x"})
    vocab = {i: character.encode() for i, character in enumerate(characters)}
    vocab |= {900: b"<s>", 901: END.encode()}
    added = (AddedToken(id=900, content="<s>"), AddedToken(id=901, content=END))
    steps = Pipeline(
        added_tokens=added, normalizers=(Lowercase(),), pre_tokenizers=(Metaspace(prepend_scheme="first"),)
    )
    return Tokenizer(vocab, [], {"<s>": 900, END: 901}, pipeline=steps)


TOKENIZERS = {
    "bytes": train(TEXT, num_merges=20, special_tokens=SPECIAL),
    "characters": train(TEXT, recipe="char-eow", num_merges=20, special_tokens=SPECIAL).with_unknown_id(3),
    "around": with_ids_around(),
    "uncut": uncut(),
}
TEXTS = st.lists(st.sampled_from([*"ab x", "low", "lowest ", " 你好", "\n", END, "<s>", "  "]), max_size=30).map(
    "".join
)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let blocks be so small that a text has many."""
    monkeypatch.setattr(blocks, "SIZE", 64)


def documents_in(text: str, *, is_cut: bool) -> list[str]:
    """Return the documents of a text: it is one, or is cut after each separator."""
    if not is_cut:
        return [text]
    *whole, last = text.split(END)
    return [each + END for each in whole] + ([last] if last else [])


def written(folder: Path, texts: list[str]) -> list[Path]:
    """Write texts to files."""
    for number, text in enumerate(texts):
        (folder / f"{number:03}.txt").write_text(text, encoding="utf-8", newline="")
    return sorted(folder.glob("*.txt"))


@pytest.mark.parametrize("name", TOKENIZERS)
@given(
    texts=st.lists(TEXTS, min_size=1, max_size=6),
    is_cut=st.booleans(),
    prepend=st.sampled_from([None, "<s>"]),
    append=st.sampled_from([None, "<s>", END]),
)
def test_documents_have_the_ids_that_encode_gives(
    name: str, texts: list[str], is_cut: bool, prepend: str | None, append: str | None, tmp_path_factory: Any
) -> None:
    tokenizer, folder = TOKENIZERS[name], tmp_path_factory.mktemp("dataset")
    separator = END if is_cut else None
    made = encode_files(
        tokenizer,
        written(folder, texts),
        folder / "ids.bin",
        separator=separator,
        prepend=prepend,
        append=append,
        offsets=True,
    )
    found = open_encoded(folder / "ids.bin")
    expected: list[list[int]] = []
    for document in (each for text in texts for each in documents_in(text, is_cut=is_cut)):
        has_end = is_cut and append == END and document.endswith(END)
        before = [tokenizer.special_tokens[prepend]] if prepend else []
        after = [tokenizer.special_tokens[append]] if append and not has_end else []
        ids = tokenizer.encode(document)
        if name == "uncut" and is_cut:  # only a file begins a text
            ids = ids_of_parts(tokenizer, texts)[len(expected)]
        if is_cut and not tokenizer.without_ids_around().encode(document):
            continue
        expected.append([*before, *ids, *after])
    assert found.offsets is not None
    assert [found.ids[a:b].tolist() for a, b in pairwise(found.offsets.tolist())] == expected
    assert (made.documents, made.tokens) == (len(expected), len(found.ids))


def ids_of_parts(tokenizer: Tokenizer, texts: list[str]) -> list[list[int]]:
    """Return the ids of whole texts, cut after each separator."""
    rows: list[list[int]] = []
    for text in texts:
        row: list[int] = []
        for token_id in tokenizer.encode(text):
            row.append(token_id)
            if token_id == tokenizer.special_tokens[END]:
                rows.append(row)
                row = []
        rows += [row] if row else []
    return rows


@given(texts=st.lists(TEXTS, min_size=1, max_size=5), has_lists=st.booleans())
def test_blocks_do_not_depend_on_where_one_begins(texts: list[str], has_lists: bool) -> None:
    corpus = Corpus.from_source(texts) if has_lists else Corpus.from_text("".join(texts))
    groups, chunker = groups_of(corpus), Chunker(compiled("gpt2"), SPECIAL)
    whole = list(read_blocks(groups, chunker))
    expected = TEXT_END.join([*map(str.encode, texts if has_lists else ["".join(texts)]), b""])
    assert b"".join(block.text for block in whole) == expected
    for number, block in enumerate(whole):
        assert [each[:2] for each in read_blocks(groups, chunker, block.place)] == [each[:2] for each in whole[number:]]


def test_text_without_boundaries_is_a_block() -> None:
    groups = groups_of(Corpus.from_text("a" * 1000 + " b"))
    assert [len(block.text) for block in read_blocks(groups, Chunker(compiled("gpt2"), []))] == [1002 + len(TEXT_END)]
    assert [block.place for block in read_blocks(groups, Chunker(None, ()))] == [Place(0, 0)]


# -- formats -----------------------------------------------------------------------------------------------------------


def read_megatron(prefix: Path) -> list[list[int]]:
    """Read a dataset as Megatron's documentation describes it."""
    index = prefix.with_suffix(".idx").read_bytes()
    magic, version, code, sequences, documents = struct.unpack_from("<9sQBQQ", index)
    assert (magic, version, documents) == (b"MMIDIDX\0\0", 1, sequences + 1)
    dtype: np.dtype[Any] = np.dtype({8: "<u2", 4: "<i4"}[code])
    at = struct.calcsize("<9sQBQQ")
    lengths = np.frombuffer(index, "<i4", sequences, at)
    starts = np.frombuffer(index, "<i8", sequences, at + 4 * sequences)
    numbers = np.frombuffer(index, "<i8", documents, at + 12 * sequences)
    assert len(index) == at + 12 * sequences + 8 * documents
    assert numbers.tolist() == list(range(documents))
    data = prefix.with_suffix(".bin").read_bytes()
    return [np.frombuffer(data, dtype, n, start).tolist() for n, start in zip(lengths, starts.tolist(), strict=True)]


DOCUMENTS = ["low lower", "", "lowest 你好 " * 20, "newest"]


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Return a file of records."""
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in DOCUMENTS), encoding="utf-8")
    return path


@pytest.mark.parametrize("dtype", [None, "int32"])
def test_other_programs_read_what_was_written(records: Path, tmp_path: Path, dtype: str | None) -> None:
    tokenizer = TOKENIZERS["bytes"]
    expected = [[*tokenizer.encode(text), tokenizer.special_tokens[END]] for text in DOCUMENTS]
    flat = [token_id for row in expected for token_id in row]
    for output, format in (("a.bin", None), ("a.npy", None), ("m/a", "megatron"), ("a.parquet", None)):
        made = encode_files(tokenizer, [records], tmp_path / output, format=format, dtype=dtype, append=END)
        assert (made.tokens, made.documents, made.dtype) == (len(flat), 4, dtype or "uint16")
        path = tmp_path / (f"{output}.bin" if format == "megatron" else output)
        assert open_encoded(path).ids.tolist() == flat
        assert (manifest := read_manifest(path)) == made.manifest
        assert manifest is not None
        assert manifest.tokenizer == tokenizer.digest
    stored = np.dtype(dtype or "uint16")
    assert np.fromfile(tmp_path / "a.bin", stored).tolist() == flat
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    assert (mapped.dtype, mapped.tolist()) == (stored, flat)
    assert read_megatron(tmp_path / "m/a") == expected
    assert parquet.read_table(tmp_path / "a.parquet")["ids"].to_pylist() == expected
    assert open_encoded(tmp_path / "m/a.bin").document(2).tolist() == expected[2]
    assert open_encoded(tmp_path / "a.parquet").document(3).tolist() == expected[3]
    with pytest.raises(FormatError, match="written without an index"):
        open_encoded(tmp_path / "a.bin").document(0)
    with pytest.raises(FormatError, match="no document 4: the file has 4"):
        open_encoded(tmp_path / "m/a.bin").document(4)


def test_an_empty_corpus_gives_an_empty_dataset(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_bytes(b"")
    for name in ("a.bin", "a.npy", "a.parquet"):
        made = encode_files(TOKENIZERS["bytes"], [tmp_path / "none.txt"], tmp_path / name, separator=END)
        assert (made.tokens, made.documents) == (0, 0)
        assert open_encoded(tmp_path / name).ids.tolist() == []


def test_ids_have_the_smallest_type_that_fits_them_all(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("ab")
    for largest, dtype, megatron in (
        (65_498, "uint16", "uint16"),
        (65_535, "uint16", "int32"),
        (65_536, "uint32", "int32"),
    ):
        tokenizer = Tokenizer({0: b"a", 1: b"b", largest: b"c"}, [])
        for format, expected in (("bin", dtype), ("megatron", megatron)):
            made = encode_files(tokenizer, [tmp_path / "a.txt"], tmp_path / "out.bin", format=format)
            assert made.dtype == expected
            assert open_encoded(tmp_path / "out.bin").ids.tolist() == [0, 1]
    with pytest.raises(FormatError, match="largest id is 65536, which does not fit uint16"):
        encode_files(tokenizer, [tmp_path / "a.txt"], tmp_path / "out.bin", dtype="uint16")
    with pytest.raises(FormatError, match="megatron has no uint32"):
        encode_files(tokenizer, [tmp_path / "a.txt"], tmp_path / "out", format="megatron", dtype="uint32")


# -- shards ------------------------------------------------------------------------------------------------------------


def shards_in(folder: Path) -> dict[str, bytes]:
    """Return the shards of a dataset by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("ids-*"))}


class _InterruptedError(Exception):
    pass


@settings(deadline=None)
@given(
    texts=st.lists(TEXTS, min_size=1, max_size=8),
    most=st.integers(1, 60),
    stops=st.lists(st.integers(0, 12), max_size=4),
    name=st.sampled_from(["bytes", "around", "uncut"]),
    format=st.sampled_from(["bin", "megatron"]),
)
def test_shards_end_with_documents_and_are_resumed(
    texts: list[str], most: int, stops: list[int], name: str, format: str, tmp_path_factory: Any
) -> None:
    tokenizer, folder = TOKENIZERS[name], tmp_path_factory.mktemp("dataset")
    files = written(folder, texts)
    whole, parts = folder / "whole", folder / "parts"
    how: Any = {"format": format, "separator": END, "shard_tokens": most, "offsets": True}
    made = encode_files(tokenizer, files, whole / "ids.bin", **how)
    assert made.manifest is not None
    ids = [i for path in made.paths for i in open_encoded(path).ids.tolist()]
    assert encode_files(tokenizer, files, folder / "one.bin", separator=END).tokens == len(ids)
    assert open_encoded(folder / "one.bin").ids.tolist() == ids
    for path in made.paths[:-1]:
        shard = open_encoded(path)
        assert shard.offsets is not None
        assert shard.offsets[-2] < most <= shard.offsets[-1] == shard.tokens
    everything = open_encoded(whole / "ids.bin")  # in however many files
    assert [i for number in range(made.manifest.documents) for i in everything.document(number)] == ids
    for stop in stops:
        left = iter(range(stop))

        def interrupt(_done: int, _size: int, _tokens: int, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise _InterruptedError

        try:
            assert (
                encode_files(tokenizer, files, parts / "ids.bin", **how, resume=True, progress=interrupt).manifest
                == made.manifest
            )
        except _InterruptedError:
            found = shards_in(parts)
            assert found.items() <= shards_in(whole).items()
    assert encode_files(tokenizer, files, parts / "ids.bin", **how, resume=True).manifest == made.manifest
    assert shards_in(parts) == shards_in(whole)


def test_only_the_same_dataset_is_resumed(tmp_path: Path) -> None:
    files = written(tmp_path, DOCUMENTS)
    made = encode_files(TOKENIZERS["bytes"], files, tmp_path / "ids.bin", shard_tokens=5)
    assert encode_files(TOKENIZERS["bytes"], files, tmp_path / "ids.bin", shard_tokens=5, resume=True) == made
    changes: list[tuple[str, Any]] = [
        ("tokenizer", (TOKENIZERS["bytes"].at(3), files, 5)),
        ("options", (TOKENIZERS["bytes"], files, 6)),
        ("inputs", (TOKENIZERS["bytes"], files[:1], 5)),
    ]
    for name, (tokenizer, given_files, most) in changes:
        with pytest.raises(FormatError, match=f"because the {name} changed"):
            encode_files(tokenizer, given_files, tmp_path / "ids.bin", shard_tokens=most, resume=True)
    assert len(made.paths) > 1
    encode_files(TOKENIZERS["bytes"], files, tmp_path / "ids.bin")  # the shards of the old dataset go
    assert shards_in(tmp_path) == {}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be killed in the same way")
def test_a_killed_process_leaves_whole_shards_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "SIZE", 1 << 14)
    tokenizer = TOKENIZERS["bytes"]
    text = tmp_path / "text.txt"
    text.write_text((TEXT * 5 + END) * 2000, encoding="utf-8")
    how: Any = {"separator": END, "shard_tokens": 20_000, "offsets": True}
    made = encode_files(tokenizer, [text], tmp_path / "whole/ids.bin", **how)
    script = (
        "import pickle, sys\n"
        "from pathlib import Path\n"
        "from bpe_gui.engine import encode_files\n"
        "from bpe_gui.engine.datasets import blocks\n"
        f"blocks.SIZE = {blocks.SIZE}\n"
        "tokenizer, how = pickle.load(sys.stdin.buffer)\n"
        f"encode_files(tokenizer, Path({str(text)!r}), {str(tmp_path / 'parts/ids.bin')!r}, **how, resume=True)\n"
    )
    for number in range(6):
        process = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(pickle.dumps((tokenizer, how)))
        process.stdin.close()
        shards = len(shards_in(tmp_path / "parts"))
        while process.poll() is None and len(shards_in(tmp_path / "parts")) <= shards + number:
            pass
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert shards_in(tmp_path / "parts").items() <= shards_in(tmp_path / "whole").items()
    assert encode_files(tokenizer, [text], tmp_path / "parts/ids.bin", **how, resume=True).manifest == made.manifest
    assert shards_in(tmp_path / "parts") == shards_in(tmp_path / "whole")


# -- what goes wrong ---------------------------------------------------------------------------------------------------


def test_mistakes_are_named_and_nothing_is_written(tmp_path: Path) -> None:
    tokenizer, files = TOKENIZERS["bytes"], written(tmp_path, ["low"])
    (tmp_path / "other.bin").write_bytes(b"mine")
    cases: list[tuple[str, Any, Any]] = [
        ("The append '<x>' is not a special token", "a.bin", {"append": "<x>"}),
        ("which has: '<|endoftext|>', '<s>'", "a.bin", {"separator": "low"}),
        ("does not say which format", "a.txt", {}),
        ("exists, and no dataset wrote it", "other.bin", {}),
        ("is one of the files to encode", "000.txt", {"format": "bin", "overwrite": True}),
    ]
    for message, name, options in cases:
        with pytest.raises(EngineError, match=message.replace("|", r"\|")):
            encode_files(tokenizer, files, tmp_path / name, **options)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000.txt", "other.bin"]
    assert (tmp_path / "other.bin").read_bytes() == b"mine"
    encode_files(tokenizer, files, tmp_path / "other.bin", overwrite=True)
    encode_files(tokenizer, files, tmp_path / "other.bin")  # which a dataset wrote
    with pytest.raises(FormatError, match="each document once"):
        encode_files(tokenizer, Corpus.from_files(files, weights=[2]), tmp_path / "a.bin")


def test_a_bad_record_leaves_what_was_there(tmp_path: Path) -> None:
    tokenizer, records = TOKENIZERS["bytes"], tmp_path / "a.jsonl"
    lines = [json.dumps({"text": text}) for text in DOCUMENTS * 5]
    records.write_text("\n".join(lines), encoding="utf-8")
    encode_files(tokenizer, [records], tmp_path / "ids.bin")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".jsonl"}
    records.write_text("\n".join([*lines[:-1], "{"]), encoding="utf-8")
    with pytest.raises(EngineError, match=r"a\.jsonl, line 20"):
        encode_files(tokenizer, [records], tmp_path / "ids.bin")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".jsonl"} == before


def test_an_unknown_symbol_is_an_error_that_names_it(tmp_path: Path) -> None:
    tokenizer = Tokenizer({0: b"l", 1: b"o"}, [], recipe="cs336-toy")
    with pytest.raises(EngineError, match="你"):
        encode_files(tokenizer, written(tmp_path, ["lo", "lo 你"]), tmp_path / "ids.bin")
    assert not (tmp_path / "ids.bin").exists()


def test_a_file_without_a_manifest_needs_a_type(tmp_path: Path) -> None:
    np.arange(5, dtype="<u4").tofile(tmp_path / "ids.bin")
    with pytest.raises(FormatError, match="does not say how long its numbers are"):
        open_encoded(tmp_path / "ids.bin")
    assert open_encoded(tmp_path / "ids.bin", "uint32").ids.tolist() == [0, 1, 2, 3, 4]
    (tmp_path / "ids.bin").write_bytes(b"abc")
    with pytest.raises(FormatError, match="3 bytes, which is not a multiple of uint16"):
        open_encoded(tmp_path / "ids.bin", "uint16")
    (tmp_path / "ids.bin.manifest.json").write_text("[]")
    with pytest.raises(FormatError, match="not the manifest of a dataset"):
        read_manifest(tmp_path / "ids.bin")


# -- counts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOKENIZERS)
def test_tokens_are_counted_file_by_file(name: str, tmp_path: Path) -> None:
    tokenizer, texts = TOKENIZERS[name], ["low lower", "", "lowest 你好 " * 20, "x" * 300]
    records = tmp_path / "r.jsonl"
    records.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    files = [*written(tmp_path, texts), records]
    found = list(count_tokens(tokenizer, Corpus.from_files(files)))
    expected = [len(tokenizer.encode(text)) for text in texts]
    assert [each.tokens for each in found] == [*expected, sum(expected)]
    assert [each.documents for each in found] == [1, 1, 1, 1, 4]
    assert [each.name for each in found] == list(map(str, files))


def test_texts_and_files_are_documents_as_in_training(tmp_path: Path) -> None:
    tokenizer = TOKENIZERS["bytes"]
    (tmp_path / "a.txt").write_text("low", "utf-8")
    made = encode_files(tokenizer, ["lo", tmp_path / "a.txt", f"a{END}"], tmp_path / "a.bin", offsets=True)
    assert [made.document(number).tolist() for number in range(3)] == [
        tokenizer.encode(text) for text in ("lo", "low", f"a{END}")
    ]
    plain = encode_files(tokenizer, f"a{END}", tmp_path / "b.bin", allowed_special="none")
    assert plain.ids.tolist() == tokenizer.encode(f"a{END}", allowed_special="none")
    assert plain.manifest is not None and plain.manifest.options["allowed_special"] == "none"
    assert (plain.paths, plain.tokens, plain.documents) == ((tmp_path / "b.bin",), len(plain.ids), 1)


def test_a_broken_line_keeps_what_was_read_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "SIZE", 1000)
    monkeypatch.setattr(record_files, "_BLOCK", 400)
    lines = [json.dumps({"text": f"low lower {number}"}) for number in range(200)]
    (tmp_path / "in.jsonl").write_text("\n".join([*lines[:180], '{"text": "lo', *lines[180:]]) + "\n")
    tokenizer = train(TEXT, num_merges=5)
    corpus = Corpus.from_files([tmp_path / "in.jsonl"])
    skipping = Corpus.from_files([tmp_path / "in.jsonl"], skip_bad_lines=True)
    for name in ("whole", "broken"):
        (tmp_path / name).mkdir()
    encode_files(tokenizer, skipping, tmp_path / "whole/a.npy", shard_tokens=100)
    with pytest.raises(EngineError, match=r"in\.jsonl, line 181 is not JSON"):
        encode_files(tokenizer, corpus, tmp_path / "broken/a.npy", shard_tokens=100)
    whole, broken = ({p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("whole", "broken"))
    shards = [name for name in broken if "manifest" not in name]
    assert json.loads(broken["a.npy.manifest.json"])["documents"] > 100
    assert [broken[name] for name in shards] == [whole[name] for name in shards]
    encode_files(tokenizer, skipping, tmp_path / "broken/a.npy", shard_tokens=100, resume=True)
    assert {p.name: p.read_bytes() for p in (tmp_path / "broken").iterdir()} == whole


def test_what_threads_work_on_when_a_file_cannot_be_read_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer, has_failed = train(TEXT, num_merges=5), Event()
    encode = tokenizer.text_ids

    def read() -> Iterator[CorpusBlock]:
        yield CorpusBlock(b"low" + TEXT_END, Place(0, 0), 3)
        has_failed.set()
        raise CorpusError("broken")

    def encode_late(text: bytes) -> TextIds:
        has_failed.wait()
        return encode(text)

    monkeypatch.setattr(tokenizer, "text_ids", encode_late)
    encoded = encoded_blocks(tokenizer, read(), 2)
    assert next(encoded)[1].ids.tolist() == tokenizer.encode("low")
    with pytest.raises(CorpusError, match="broken"):
        next(encoded)
