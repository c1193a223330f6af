"""Kernels count what patterns count: in small buffers and several threads, in the same order, with the same errors."""

import codecs
import os
import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import (
    SPLITTERS,
    Corpus,
    CorpusError,
    Document,
    EngineError,
    FileDocument,
    Recipe,
    SpecialTokens,
    TextDocument,
    WordCounts,
)
from bpe_gui.engine.corpora import counting, word_arrays
from bpe_gui.engine.corpora import documents as corpus_documents
from bpe_gui.engine.corpora.counting import count_words
from bpe_gui.engine.corpora.documents import TextList
from bpe_gui.engine.corpora.text_files import BinaryFile, FileState
from bpe_gui.engine.text.compiled_splitters import Chunker, splitter_of
from bpe_gui.engine.text.splitters import DROPPING_SPLITTERS
from tests.engine.support.definition import parts_of
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.stand_ins import words_of
from tests.examples import examples
from tests.pipes import make_pipe


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    with running(request.param):
        yield request.param


@contextmanager
def small_buffers(size: int = 24, threads: int = 1, window: int = 64, short: int = 0) -> Iterator[None]:
    """Use small buffers and tables, so that small texts fill many of them. Documents below `short` are put together."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "BUFFER_SIZE", size)
        patch.setattr(word_arrays, "_INITIAL_CAPACITY", 1)
        patch.setattr(counting, "_threads", lambda _size: threads)
        patch.setattr(counting, "_WINDOW", window)
        patch.setattr(corpus_documents, "SHORT", short)
        patch.setattr(corpus_documents, "_LARGE", short)
        patch.setattr(corpus_documents, "_BATCH", size)
        yield


def counts_of(
    documents: list[Document], splitter: str, specials: list[str]
) -> tuple[list[tuple[str, int]], int, int] | str:
    """Return the words with their counts, the characters and the bytes; or the error."""
    recipe = Recipe(splitter=splitter)
    try:
        counts = Corpus(tuple(documents)).count(recipe, specials)
    except EngineError as error:
        return f"{type(error).__name__}: {error}"
    return list(counts.items()), counts.characters, counts.bytes


def counted_simply(texts: list[str], splitter: str, specials: list[str]) -> list[tuple[str, int]]:
    words: Counter[str] = Counter()
    for text in texts:
        for part, is_special in SpecialTokens(specials).split(text):
            if not is_special:
                words.update(words_of(splitter, part))
    return list(words.items())


# -- words ----------------------------------------------------------------------------------------------

SPLITTERS_COUNTED = [*sorted(SPLITTERS), r"\w+|\s+(?=\S)|[^\w\s]"]
ALPHABET = "aAb's  \n.,<|>é中。\u3000😀1"
GPT2 = splitter_of(Recipe())
SPECIALS = ["<|endoftext|>", "<|", "ab", "a b", " ", "é", "中。", "<|endoftext|><|endoftext|>", "b\n", "s a<"]
_pieces = st.one_of(
    st.text(ALPHABET, max_size=12),
    st.sampled_from([*SPECIALS, "internationalization ", "a" * 40, "中" * 30, " " * 30, "!" * 30, "it's low. "]),
)
texts = st.lists(_pieces, max_size=12).map("".join)
specials_ = st.lists(st.sampled_from(SPECIALS), unique=True, max_size=3)


@pytest.mark.slow
@settings(max_examples=examples(400))
@given(
    parts=st.lists(texts, min_size=1, max_size=5),
    specials=specials_,
    splitter=st.sampled_from(SPLITTERS_COUNTED),
    size=st.integers(1, 60),
    threads=st.integers(1, 3),
    window=st.sampled_from([1, 4, 16, 100]),
    short=st.sampled_from([0, 20, 1000]),
)
def test_texts(
    parts: list[str], specials: list[str], splitter: str, size: int, threads: int, window: int, short: int
) -> None:
    expected = counted_simply(parts, splitter, specials)
    with small_buffers(size, threads, window, short):
        counted = counts_of([TextDocument(text) for text in parts], splitter, specials)
    if not expected:
        assert isinstance(counted, str) and "empty" in counted
    else:
        assert counted == (expected, sum(map(len, parts)), sum(len(text.encode()) for text in parts))


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(
    text=st.lists(st.one_of(_pieces, st.sampled_from([*"\t\r\x0b\x1c\x1f\x85", "  ", "\r\n", "中a"])), max_size=16).map(
        "".join
    ),
    specials=specials_,
    splitter=st.sampled_from(sorted(DROPPING_SPLITTERS)),
    boundary=st.sampled_from(["none", "prefix"]),
    size=st.integers(1, 60),
    threads=st.integers(1, 3),
)
def test_splitters_that_drop_white_space(
    text: str, specials: list[str], splitter: str, boundary: str, size: int, threads: int
) -> None:
    recipe = Recipe(splitter=splitter).with_changes(boundary=boundary)
    with small_buffers(size, threads):
        counted = Corpus.from_text(text).count(recipe, specials, may_be_empty=True)
    words = [(word, start) for word, start, is_special in parts_of(text, recipe, specials) if not is_special]
    assert list(counted.items()) == list(Counter(word for word, _start in words).items())
    assert dict(zip(counted, counted.first_seen.tolist(), strict=True)) == dict(reversed(words))


_bytes = st.one_of(
    texts.map(str.encode),
    st.sampled_from([b"\xff", b"\xe4\xbd", b"\xed\xa0\x80", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, b"\0", b"a" * 30]),
)


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(
    parts=st.lists(st.lists(_bytes, max_size=5).map(b"".join), min_size=1, max_size=4),
    encoding=st.sampled_from([None, None, None, "utf-8", "utf-8-sig", "cp1252", "utf-16", "gb18030", "utf-7", "none"]),
    replace=st.booleans(),
    size=st.integers(1, 60),
    threads=st.integers(1, 3),
    short=st.sampled_from([0, 20, 1000]),
)
def test_files_count_or_fail_alike_however_much_is_read_at_a_time(
    tmp_path_factory: pytest.TempPathFactory,
    parts: list[bytes],
    encoding: str | None,
    replace: bool,
    size: int,
    threads: int,
    short: int,
) -> None:
    folder = tmp_path_factory.mktemp("files", numbered=True)
    documents: list[Document] = []
    for number, data in enumerate(parts):
        path = folder / str(number)
        path.write_bytes(data)
        documents.append(FileDocument(path, encoding, replace))
    with small_buffers(size, threads, short=short):
        counted = counts_of(documents, "cl100k", ["<|endoftext|>"])
    assert counted == counts_of(documents, "cl100k", ["<|endoftext|>"])


@pytest.mark.slow
@pytest.mark.parametrize("splitter", SPLITTERS_COUNTED)
def test_a_large_file(mode: str, splitter: str, tmp_path: Path) -> None:
    text = mixed_text(300_000)[: None if mode == "compiled" else 20_000].replace("\n\n", "\n<|endoftext|>\n")
    path = tmp_path / "large.txt"
    path.write_text(text, "utf-8", newline="")
    with small_buffers(1 << 13, 3, 1 << 13):
        counted = counts_of([FileDocument(path)], splitter, ["<|endoftext|>"])
    assert counted == (counted_simply([text], splitter, ["<|endoftext|>"]), len(text), len(text.encode()))


def test_the_buffer_grows_for_a_longer_word(tmp_path: Path) -> None:
    text = "low " + "x" * 5000 + " low " + "\n" * 5000 + "low"
    path = tmp_path / "long.txt"
    path.write_text(text, newline="")
    for document in (TextDocument(text), FileDocument(path)):
        with small_buffers(size=16, threads=2):
            counted = counts_of([document], "gpt2", [])
        assert counted == (counted_simply([text], "gpt2", []), len(text), len(text))


def test_counts_remember_spaces_and_special_tokens(mode: str) -> None:
    with small_buffers():
        counts = Corpus.from_text("low<e> low").count(Recipe(splitter="gpt2", boundary="prefix"), ["<e>"])
    assert (counts.splitter, counts.spaces_kept, counts.special_tokens) == ("gpt2", True, ("<e>",))
    assert dict(counts) == {"low": 1, " low": 1}
    assert not any(array.flags.writeable for array in (counts.text, counts.starts, counts.frequencies))
    assert isinstance(counts, WordCounts) and counts.total == 2


# -- dividing the work -----------------------------------------------------------------------------------------


@given(
    lengths=st.lists(st.integers(0, 400), min_size=1, max_size=8),
    threads=st.integers(2, 4),
    short=st.sampled_from([0, 30, 1000]),
)
def test_shares_are_contiguous_and_about_equal(lengths: list[int], threads: int, short: int) -> None:
    if short:
        lengths = [length % 60 for length in lengths for _ in range(9)]
    documents = [TextDocument(("word " * length)[:length]) for length in lengths]
    with small_buffers(threads=threads, short=short):
        shares = divided(documents)
    texts = [[text_of(part) for part in share] for share in shares]
    assert "".join(map("".join, texts)) == "".join(document.text for document in documents)
    assert all(texts)
    if sum(lengths) > 300:
        assert max(sum(map(len, share)) for share in texts) < sum(lengths) / threads + 60


def divided(documents: list[TextDocument], special: str = "<|endoftext|>") -> list[list[counting.DocumentSlice]]:
    sizes = [document.size() for document in documents]
    parts = list(corpus_documents.group_documents(documents, sizes, [1] * len(sizes)))
    return counting._divide(parts, sum(sizes), Chunker(GPT2, [special]))


def text_of(part: counting.DocumentSlice) -> str:
    if isinstance(part.document, TextList):
        return "".join(part.document.strings[part.start : part.stop])
    assert isinstance(part.document, TextDocument)
    return part.document.text[part.start : part.stop]


def test_documents_are_not_sliced_inside_special_tokens() -> None:
    documents = [TextDocument("a b a b" * 60)]
    with small_buffers(threads=2):
        assert len(divided(documents)) == 2
        assert len(divided(documents, "a b a b")) == 1


def test_small_work_uses_one_thread_and_large_work_up_to_eight(monkeypatch: pytest.MonkeyPatch) -> None:
    assert counting._threads(100_000) == 1
    assert counting._threads(10**9) >= 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(64)), raising=False)
    assert counting._threads(10**9) == 8


# -- errors and stopping -------------------------------------------------------------------------------------


def file_of(folder: Path, data: bytes, name: str = "text") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("short", [0, 50_000])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_first_error_in_the_order_of_the_documents_is_raised(tmp_path: Path, threads: int, short: int) -> None:
    good = file_of(tmp_path, b"low " * 3000, "good")
    late = file_of(tmp_path, b"low " * 3000 + b"\xff", "late")
    bad = file_of(tmp_path, b"\xfe", "bad")
    for _ in range(5):
        with small_buffers(1 << 10, threads, short=short):
            error = counts_of([FileDocument(path) for path in (good, late, bad, bad)], "gpt2", [])
        assert "late is not valid UTF-8: the byte at offset 12,000 (0xFF)" in str(error)


def test_threads_after_an_error_stop_soon(tmp_path: Path) -> None:
    bad, good = file_of(tmp_path, b"\xff" + b"a " * 50_000, "bad"), file_of(tmp_path, b"low " * 25_000, "good")
    progress: list[int] = []
    stopped = threading.Event()
    with small_buffers(1 << 8, 2), pytest.MonkeyPatch.context() as patch:
        raise_if_stopped, stop = counting._Worker._raise_if_stopped, counting._stop

        def wait_until_stopped(worker: counting._Worker) -> None:
            progress.append(worker.bytes_done)
            stopped.wait(60)  # until the other thread has failed
            raise_if_stopped(worker)

        def stop_and_tell(workers: list[counting._Worker]) -> None:
            stop(workers)
            if workers:
                stopped.set()

        patch.setattr(counting._Worker, "_raise_if_stopped", wait_until_stopped)
        patch.setattr(counting, "_stop", stop_and_tell)
        assert "bad is not valid" in str(counts_of([FileDocument(bad), FileDocument(good)], "gpt2", []))
    assert len(progress) == 1


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_cancelling_at_any_moment_ends_all_threads(threads: int) -> None:
    text = "the cat sat on the mat " * 400
    rng = random.Random(threads)
    before = threading.active_count()

    class Cancelled(Exception):
        pass

    for _ in range(examples(300)):
        left = rng.randint(0, 20)

        def report(_done: int, _of: int) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Cancelled

        with small_buffers(256, threads), pytest.MonkeyPatch.context() as patch:
            patch.setattr(counting, "_REPORT_INTERVAL", rng.choice([0.0, 0.0001, 0.001]))
            try:
                count_words([TextDocument(text)], [len(text)], GPT2, SpecialTokens([]), report)
            except Cancelled:
                pass
            else:
                assert left >= 0
        assert threading.active_count() == before


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_is_in_bytes_from_the_calling_thread_and_ends_at_the_end(tmp_path: Path, threads: int) -> None:
    path = file_of(tmp_path, "你好 low\n".encode() * 2000)
    seen: list[tuple[int, int]] = []
    callers = set()

    def report(done: int, of: int) -> None:
        seen.append((done, of))
        callers.add(threading.current_thread())

    with small_buffers(1 << 10, threads):
        Corpus.from_files([path]).count("cs336", progress=report)
    size = path.stat().st_size
    assert callers == {threading.current_thread()}
    assert all(one <= other for one, other in pairwise(seen)) and seen[-1] == (size, size)


@pytest.mark.parametrize("change", ["grows", "shrinks", "is written again"])
def test_a_small_file_that_changes_is_noticed(tmp_path: Path, change: str) -> None:
    paths = [file_of(tmp_path, b"low " * 10, name) for name in ("one", "other")]
    check = FileDocument.state_of

    def changed(file: FileDocument, opened: BinaryFile) -> FileState:
        state = check(file, opened)
        if change == "grows":
            with file.path.open("ab") as grown:
                grown.write(b"more")
        elif change == "shrinks":
            os.truncate(file.path, 10)
        else:
            os.utime(file.path, ns=(1, 1))
        return state

    with small_buffers(short=1000), pytest.MonkeyPatch.context() as patch:
        patch.setattr(FileDocument, "state_of", changed)
        error = counts_of([FileDocument(path) for path in paths], "gpt2", [])
    assert "one changed while it was being read: it had 40 bytes" in str(error)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("change", ["grows", "shrinks", "is written again"])
def test_a_file_that_changes_is_noticed(tmp_path: Path, threads: int, change: str) -> None:
    path = file_of(tmp_path, b"low " * 3000)
    fill = counting._Worker._count_buffer

    def changed(worker: counting._Worker, filled: int, is_last: bool) -> int:
        if change == "grows":
            with path.open("ab") as file:
                file.write(b"more")
        elif change == "shrinks":
            os.truncate(path, 100)
        else:
            os.utime(path, ns=(1, 1))
        return fill(worker, filled, is_last)

    with small_buffers(1 << 10, threads), pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting._Worker, "_count_buffer", changed)
        error = counts_of([FileDocument(path)], "gpt2", [])
    assert "changed while it was being read: it had 12,000 bytes" in str(error)


def test_a_file_that_is_replaced_between_two_slices_is_noticed(tmp_path: Path) -> None:
    path = file_of(tmp_path, b"low " * 3000)
    with small_buffers(threads=2):
        _one, other = counting.slice_document(FileDocument(path), [0.5], Chunker(GPT2, []))
        file_of(tmp_path, b"low " * 3001)
        with pytest.raises(CorpusError, match="changed while it was being read"), other.open() as reader:
            reader.finish()


def test_a_pipe_is_read_to_its_end_in_one_thread(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    make_pipe(path)

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            pipe.write(codecs.BOM_UTF8[:1])
            threading.Event().wait(0.01)
            pipe.write(codecs.BOM_UTF8[1:] + b"low \xe4")
            threading.Event().wait(0.01)
            pipe.write(b"\xbd\xa0 low" * 1)

    writer = threading.Thread(target=write)
    writer.start()
    with small_buffers(threads=2):
        counted = counts_of([FileDocument(path), TextDocument("low " * 50)], "gpt2", [])
    writer.join()
    assert counted == ([("low", 2), (" 你", 1), (" low", 50), (" ", 1)], 209, 211)


@pytest.mark.parametrize("short", [0, 1000])
def test_the_error_for_a_lone_surrogate_gives_its_index(short: int) -> None:
    documents: list[Document] = [TextDocument("low " * 50 + "\ud800" * number + "low " * 50) for number in (0, 0, 1, 2)]
    for threads in (1, 2):
        with small_buffers(threads=threads, short=short):
            assert "(U+D800) at index 200," in str(counts_of(documents, "gpt2", []))
