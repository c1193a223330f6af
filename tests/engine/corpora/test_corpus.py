"""Texts and files are counted correctly, by streaming, and errors say clearly what cannot be read."""

import codecs
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bpe_gui.engine import (
    PRESETS,
    Corpus,
    CorpusError,
    EngineError,
    FileDocument,
    Recipe,
    TextDocument,
    Trainer,
    TrainingError,
    UndecodableFileError,
    WordCounts,
    train,
)
from tests.engine.support.stand_ins import words_of
from tests.engine.support.strategies import corpora, special_tokens

CHUNK_BYTES = 1 << 16  # bytes read at a time


def file(folder: Path, data: bytes | str, name: str = "corpus.txt") -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def counts_of(path: Path, **options: object) -> dict[str, int]:
    document = FileDocument(path, **options)  # type: ignore[arg-type]
    return dict(Corpus((document,)).count("cs336"))


# -- counting -----------------------------------------------------------------------------------------------------


@given(corpora, special_tokens)
def test_counts_equal_a_simple_count(text: str, specials: list[str]) -> None:
    words: Counter[str] = Counter()
    rest = text
    for special in sorted(specials, key=len, reverse=True):
        assume(special != "ab")  # replacing one after the other is only right if they cannot overlap
        rest = rest.replace(special, "\0")
    for part in rest.split("\0"):
        words.update(words_of("gpt2", part))
    assume(words)
    counts = Corpus.from_text(text).count("cs336", specials)
    assert list(counts.items()) == list(words.items())
    assert counts.total == sum(words.values())
    assert (counts.characters, counts.bytes) == (len(text), len(text.encode()))
    assert counts.special_tokens == tuple(specials)


def test_documents_are_counted_in_order_and_separately(tmp_path: Path) -> None:
    paths = [file(tmp_path, "zeta a", "1"), file(tmp_path, "b alpha", "2")]
    assert list(Corpus.from_files(paths).count("cs336")) == ["zeta", " a", "b", " alpha"]
    tokenizer = train([*paths, "cc", "cc"], num_merges=50)
    assert not {b"ab", b"bc", b"cccc"} & set(tokenizer.vocab.values())
    assert list(Corpus.from_source(["x", paths[0], "y"]).count("cs336-toy")) == ["x", "zeta", "a", "y"]


@pytest.mark.parametrize("splitter", ["gpt2", "bytes|[a-z]+"])
def test_a_generator_of_texts_is_counted_like_its_documents(splitter: str) -> None:
    texts = ["low", "", "er<e>low", "é" * 40_000, " lowest " * 9000, "<e", ">low", "low"] * 3
    documents = tuple(map(TextDocument, texts))
    expected = Corpus(documents).count(Recipe(splitter=splitter), ["<e>"])
    corpus = Corpus.from_source(text for text in texts)
    assert corpus.documents == documents and len(corpus.parts()) < len(texts)
    seen: list[tuple[int, int]] = []
    counts = corpus.count(Recipe(splitter=splitter), ["<e>"], lambda done, of: seen.append((done, of)))
    assert seen[-1] == (corpus.size(), corpus.size())
    assert list(counts.items()) == list(expected.items())
    assert counts.first_seen.tolist() == expected.first_seen.tolist()
    assert counts.facts == expected.facts


def test_a_text_of_another_class_counts_as_its_characters() -> None:
    class Odd(str):
        def __len__(self) -> int:
            return 0

        def encode(self, *_arguments: object) -> bytes:
            return b"odd"

    assert dict(Corpus.from_source([Odd("low"), Odd("low")]).count("cs336")) == {"low": 2}


@pytest.mark.slow
def test_a_file_counts_as_its_text(tmp_path: Path) -> None:
    text = "low lower 你好 世界 😀!\r\n" * 30_000
    from_file = Corpus.from_files([file(tmp_path, text)]).count("cs336")
    from_text = Corpus.from_text(text).count("cs336")
    assert list(from_file.items()) == list(from_text.items())
    assert (from_file.characters, from_file.bytes) == (from_text.characters, from_text.bytes)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_progress_is_in_bytes_and_ends_at_the_end(tmp_path: Path, encoding: str) -> None:
    seen: list[tuple[int, int]] = []
    path = tmp_path / "text.txt"
    path.write_text("你好 low\n" * 200_000, encoding)
    Corpus.from_files([path], encoding=encoding).count("cs336", progress=lambda done, of: seen.append((done, of)))
    assert len({done for done, _size in seen}) > 3
    assert seen == sorted(seen)
    assert seen[-1] == (path.stat().st_size, path.stat().st_size)


def test_progress_may_stop_the_work() -> None:
    def stop(_done: int, _of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Corpus.from_text("low " * 100_000).count("cs336", progress=stop)


def test_reading_never_holds_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes("the cat sat on the mat 你好\n".encode() * 400_000)
    assert path.stat().st_size > 10_000_000
    tracemalloc.start()
    # Only reading and decoding: counting under tracemalloc would take half a minute.
    characters = sum(len(chunk) for chunk in FileDocument(path).chunks())
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert characters == 26 * 400_000
    assert peak < 4_000_000


@pytest.mark.slow
def test_counting_holds_a_small_part_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text("the cat sat on the mat 你好\n" * 30_000, "utf-8")
    tracemalloc.start()
    counts = Corpus.from_files([path]).count("cs336")
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counts[" cat"] == 30_000
    assert peak < 12_000_000


def test_an_empty_file_name_is_refused() -> None:
    """An empty path would stand for the current folder."""
    with pytest.raises(CorpusError, match=r"The name of a file is empty\."):
        Corpus.from_files([""])


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_an_empty_corpus_is_refused(text: str) -> None:
    with pytest.raises(CorpusError, match="corpus is empty"):
        Corpus.from_text(text).count("cs336-toy")


def test_an_expression_that_finds_no_words_is_named() -> None:
    with pytest.raises(CorpusError, match="The splitter finds no words: 'foo' matches nothing in the corpus"):
        Corpus.from_text("low lower").count(Recipe(splitter="foo"))


def test_a_corpus_with_nothing_to_merge_trains_no_merges() -> None:
    assert train("a b c", recipe="cs336-toy").merges == []


def test_a_lone_surrogate_is_refused_with_its_index() -> None:
    text = "x" * 70_000 + "\ud800"
    with pytest.raises(CorpusError, match=r"U\+D800\) at index 70,000"):
        Corpus.from_text(text)
    with pytest.raises(EngineError, match=r"at index 70,000"):
        Corpus((TextDocument(text),)).count("cs336")
    with pytest.raises(CorpusError, match="at index 2"):
        train(["fine", "ab\udfff"])


# -- word counts --------------------------------------------------------------------------------------------------


def test_word_counts_can_be_trained_on() -> None:
    given_counts = WordCounts({"low": 5, "lower": 2, "widest": 3, "newest": 6}, "whitespace")
    merges = train(given_counts, recipe="cs336-toy", num_merges=3).merges
    assert merges == [(b"s", b"t"), (b"e", b"st"), (b"o", b"w")]
    assert repr(given_counts) == "WordCounts({'low': 5, 'lower': 2, 'widest': 3, 'newest': 6})"


@pytest.mark.parametrize("counts", [{"": 1}, {"a": 0}, {"a": -1}])
def test_word_counts_that_are_not_valid(counts: dict[str, int]) -> None:
    with pytest.raises(CorpusError, match="has the count"):
        WordCounts(counts, "gpt2")


def test_word_counts_remember_their_special_tokens() -> None:
    counts = Corpus.from_text("low<e>low").count("cs336", ["<e>"])
    assert train(counts, num_merges=1).special_tokens == {"<e>": 256}
    assert train(counts, num_merges=1, special_tokens=["<e>"]).special_tokens == {"<e>": 256}
    with pytest.raises(TrainingError, match=r"counted with the special tokens \['<e>'\], not \['<f>'\]"):
        train(counts, num_merges=1, special_tokens=["<f>"])


@pytest.mark.parametrize(("one", "other"), [("cs336", "minbpe"), ("worked-example", "char-eow")])
def test_word_counts_fit_only_recipes_that_split_alike(one: str, other: str) -> None:
    counts = Corpus.from_text("low lower").count(one)
    assert counts.fits(PRESETS[one]) and not counts.fits(PRESETS[other])
    with pytest.raises(TrainingError):
        Trainer(counts, other)


# -- encodings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", [None, "utf-8", "UTF8", "utf-8-sig"])
def test_a_byte_order_mark_is_not_text(tmp_path: Path, encoding: str | None) -> None:
    path = file(tmp_path, codecs.BOM_UTF8 + b"low \xef\xbb\xbflow")
    assert counts_of(path, encoding=encoding) == {"low": 2, " \ufeff": 1}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "gb18030", "big5", "shift_jis", "cp1252"])
def test_another_encoding_is_used_when_named(tmp_path: Path, encoding: str) -> None:
    text = ("low naïve " if encoding == "cp1252" else "low 日本 ") * 15_000
    path = file(tmp_path, text.encode(encoding))
    assert path.stat().st_size > 2 * CHUNK_BYTES  # so characters are cut between two reads
    expected = dict(Corpus.from_text(text).count("cs336"))
    assert dict(Corpus.from_files([path], encoding=encoding).count("cs336")) == expected


@pytest.mark.parametrize("encoding", ["nonsense", "zlib", "rot13", "hex", "undefined", "a\0b"])
def test_an_unknown_encoding(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(CorpusError, match="Unknown encoding"):
        counts_of(file(tmp_path, "low"), encoding=encoding)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_utf16_and_utf32_without_a_byte_order_mark(tmp_path: Path, encoding: str) -> None:
    """Without a byte-order mark Python assumes the byte order of the machine, or raises an error."""
    path = file(tmp_path, "low lower".encode(f"{encoding}-be"))
    with pytest.raises(UndecodableFileError, match=r"corpus\.txt"):
        counts_of(path, encoding=encoding)


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8], ids=["no mark", "mark"])
@pytest.mark.parametrize("offset", [3, 1000, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES + 7])
def test_invalid_utf8_is_found_at_its_byte(tmp_path: Path, mark: bytes, offset: int) -> None:
    start = mark + b"a" * (offset - len(mark))
    with pytest.raises(UndecodableFileError, match=rf"at offset {offset:,} \(0xFF\) cannot be decoded"):
        counts_of(file(tmp_path, start + b"\xff" + b"b" * CHUNK_BYTES))


@pytest.mark.parametrize("offset", [CHUNK_BYTES - 3, CHUNK_BYTES - 2, CHUNK_BYTES - 1, CHUNK_BYTES])
@pytest.mark.parametrize("tail", [b"", b"a"], ids=["at the end", "followed"])
def test_an_incomplete_character_is_found_at_its_first_byte(tmp_path: Path, offset: int, tail: bytes) -> None:
    with pytest.raises(UndecodableFileError, match=rf"at offset {offset:,} \(0xF0\)"):
        counts_of(file(tmp_path, b"a" * offset + "😀".encode()[:3] + tail))


@pytest.mark.parametrize("offset", [10, CHUNK_BYTES - 1, CHUNK_BYTES + 5])
def test_an_invalid_byte_of_another_encoding_is_found(tmp_path: Path, offset: int) -> None:
    data = b"a" * (offset - 2) + "你".encode("gb18030") + b"\xff" + b"a" * CHUNK_BYTES
    with pytest.raises(UndecodableFileError, match=rf"not valid gb18030: the byte at offset {offset:,}"):
        counts_of(file(tmp_path, data), encoding="gb18030")


def test_invalid_bytes_are_replaced_when_asked(tmp_path: Path) -> None:
    path = file(tmp_path, b"low \xff\xfelow \xe4\xbd")
    assert list(counts_of(path, replace_invalid=True)) == ["low", " \ufffd\ufffd", " \ufffd"]


@pytest.mark.parametrize(("encoding", "named"), [("utf-16", "UTF-16"), ("utf-32", "UTF-32")], ids=["utf-16", "utf-32"])
def test_utf16_and_utf32_are_recognised(tmp_path: Path, encoding: str, named: str) -> None:
    with pytest.raises(UndecodableFileError, match=f"looks like {named} text. Choose that encoding"):
        counts_of(file(tmp_path, "low".encode(encoding)))


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UndecodableFileError, match="looks like a binary file: there is a null byte at offset 4"):
        counts_of(file(tmp_path, b"\x7fELF\0\0\0\1"))


# -- files that misbehave -----------------------------------------------------------------------------------------


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"none\.txt cannot be read: No such file or directory"):
        Corpus.from_files([tmp_path / "none.txt"])


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="cannot be read: Is a directory"):
        Corpus((FileDocument(tmp_path),)).count("cs336")
    with pytest.raises(CorpusError, match="has no files"):
        Corpus.from_files([tmp_path])


def test_a_file_that_vanishes(tmp_path: Path) -> None:
    path = file(tmp_path, "low")
    known = Corpus.from_files([path])
    path.unlink()
    with pytest.raises(CorpusError, match="cannot be read: No such file"):
        known.count("cs336")


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file(tmp_path, "low")

    def refuse(*_args: object, **_options: object) -> Iterator[bytes]:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CorpusError, match=r"corpus\.txt cannot be read: Permission denied"):
        Corpus.from_files([path]).count("cs336")


@given(st.binary(max_size=40), st.sampled_from([None, "utf-16", "gb18030", "utf-7", "cp1252"]))
def test_arbitrary_bytes_raise_only_engine_errors(data: bytes, encoding: str | None) -> None:
    class Bytes(FileDocument):
        def text(self) -> str:
            return "".join(self._decode_all([data[:3], data[3:]]))

    try:
        text = Bytes(Path("any"), encoding).text()
        Corpus.from_text(text).count(Recipe())
    except EngineError as error:
        assert str(error)


def test_counts_beyond_64_bits_are_refused() -> None:
    assert WordCounts({"low": 2**59}, "whitespace").total == 2**59
    with pytest.raises(CorpusError, match="The counts are too large"):
        WordCounts({"low": 2**61, "lower": 1}, "whitespace")
