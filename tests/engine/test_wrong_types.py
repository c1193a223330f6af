"""Arguments of a wrong type, to every public function: an error that says what was given and what would be right."""

from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bpe_gui.engine import Corpus, EngineError, Tokenizer, compare, load, save, train

BYTES = Tokenizer({byte: bytes([byte]) for byte in range(256)}, [])
NOT_TEXTS = (bytearray(b"low"), memoryview(b"low"), None, 5, ["low"], Path("low"))
TEXT = "The text must be a string"
UTF8 = "The text must be UTF-8 in bytes, as text.encode"
SOURCE = r"The source must be text \(str\), a file \(Path\) or a list of these"
PATH = "path must be str or PathLike"
SEVERAL = "must be a list or another iterable"

CALLS: list[tuple[Callable[[Any], object], str, tuple[object, ...]]] = [
    *((getattr(BYTES, name), TEXT, NOT_TEXTS) for name in ("encode", "encode_array", "tokenize")),
    *((getattr(BYTES, name), TEXT, (*NOT_TEXTS, b"low")) for name in ("encoding", "trace")),
    *((getattr(BYTES, name), UTF8, (*NOT_TEXTS, "low")) for name in ("token_arrays", "word_starts", "ids_by_word")),
    (BYTES.encode_batch, f"texts {SEVERAL}", ("low", b"low", None, 5)),
    (BYTES.encode_batch, TEXT, ([None], ["low", 5], {1: "low"})),
    (lambda given: list(BYTES.encode_iterable(given)), f"iterable {SEVERAL}", (b"low", None, 5)),
    (lambda given: list(BYTES.encode_iterable(given)), TEXT, ([b"low"], ["low", None])),
    *(
        (decode, f"ids {SEVERAL}", (None, 5, "low", b"low", memoryview(b"low")))
        for decode in (BYTES.decode, BYTES.decode_bytes)
    ),
    (
        BYTES.decode,
        r"Id number 2 is .*\. An id must be an integer",
        ([1, None], [1, "a"], [1, 2.0], [1, [2]], (1, b"a")),
    ),
    (BYTES.decode, "The ids must be a single sequence, but the array has 2 dimensions", (np.zeros((2, 2), np.int32),)),
    (train, SOURCE, (None, 5, b"low", bytearray(b"low"))),
    (train, PATH, ([None], ["low", 5], [b"low"])),
    (lambda given: train("low", num_merges=given), "num_merges must be int or None", ("5", 1.5)),
    (lambda given: train("low", vocab_size=given), "vocab_size must be int or None", ("300",)),
    (lambda given: train("low", recipe=given), "recipe must be Recipe or str", (None, ["cs336"])),
    (lambda given: train("low", plan=given), "plan must be Plan or None", ("cs336", {})),
    (lambda given: train("low", special_tokens=given), f"special_tokens {SEVERAL}", ("<e>", None, 5)),
    (lambda given: train("low", special_tokens=given), "A special token must be str", ([None], [b"<e>"])),
    (lambda given: Tokenizer({}, [], given), "A special token must be str", ([5], {b"<e>": 5})),
    (Corpus.from_text, TEXT, (*NOT_TEXTS, b"low")),
    (Corpus.from_files, f"paths {SEVERAL}", ("low.txt", None, 5)),
    (Corpus.from_files, PATH, ([None], [b"low.txt"])),
    (lambda given: Corpus.from_files([], encoding=given), "encoding must be str or None", (5,)),
    (load, PATH, (None, 5, b"low", ["low"])),
    (lambda given: load("low", given), "format must be str", (5, ["gpt2"])),
    (lambda given: load("low", pattern=given), "pattern must be str or None", (5,)),
    (lambda given: load("low", special_tokens=given), "special_tokens must be Mapping or None", (["<e>"],)),
    (lambda given: save(given, "low"), "tokenizer must be Tokenizer", (None, "low", {"a": 1})),
    (lambda given: save(BYTES, given), PATH, (None, 5, b"low")),
    (lambda given: save(BYTES, "low", given), "format must be str", (None, 5)),
    (compare, f"tokenizers {SEVERAL}", (None, "low")),
    (compare, "tokenizer must be Tokenizer", ([BYTES, None], ["a", "b"])),
    (lambda given: compare([BYTES, BYTES], given), TEXT, NOT_TEXTS),
]


@pytest.mark.parametrize(("call", "sentence", "wrong"), CALLS)
def test_a_wrong_type_is_named(call: Callable[[Any], object], sentence: str, wrong: tuple[object, ...]) -> None:
    for given in wrong:
        with pytest.raises(EngineError, match=f"^{sentence}"):
            call(given)


def test_what_stands_for_integers_and_text_is_taken() -> None:
    same: list[Iterable[Any]] = [[108, np.int64(111)], (108, 111), iter([108, 111]), array("i", [108, 111])]
    for ids in same:
        assert BYTES.decode(ids) == "lo"
    assert BYTES.decode(np.array([])) == ""
    assert BYTES.encode(np.str_("lo")) == [108, 111]
