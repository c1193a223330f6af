"""Built-in functions made of kernels count references exactly, and run only where the GIL protects what they use."""

import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.compilation import kernel
from bpe_gui.engine.encoding import kernel_encoder
from bpe_gui.engine.encoding.text_encoder import NO_SHORT_TEXTS
from bpe_gui.engine.tokenization import tokenizer as tokenizer_module
from bpe_gui.engine.vocabulary import decoder
from tests.engine.support.modes import running
from tests.engine.support.references import VOCAB, calls
from tests.wine import not_under_wine

ROOT = Path(__file__).resolve().parents[3]


def made(*specials: str) -> Tokenizer:
    """Return a tokenizer whose functions for short texts are made."""
    tokenizer = Tokenizer(VOCAB, [(b"a", b"b")], specials)
    assert tokenizer.encode("") == tokenizer.encode("") == []
    assert tokenizer._short.is_made()
    return tokenizer


@pytest.mark.parametrize(("flags", "count"), [([], 100_000), (["-X", "dev"], 10_000)], ids=["usual", "dev"])
def test_calls_leave_no_references_and_no_memory_behind(flags: list[str], count: int) -> None:
    command = [sys.executable, *flags, "-m", "tests.engine.support.references", str(count)]
    environment = os.environ | {"BPE_GUI_PLAIN": ""}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_what_calls_return() -> None:
    with running("compiled"):
        returned: dict[str, Any] = {}
        for name, (function, argument) in calls().items():
            try:
                returned[name] = function(argument)
            except Exception as error:
                returned[name] = type(error)
    text = "abba<e>é你😀\0"
    ids = [300, 98, 97, 301, *text[7:].encode()]
    for name, kind in (("array", np.ndarray), ("bytes", np.ndarray), ("empty array", np.ndarray)):
        array = returned.pop(name)
        assert type(array) is kind and array.dtype == np.int32 and array.flags.owndata and array.flags.writeable
        assert array.tolist() == ([] if name == "empty array" else ids)
    assert returned == {
        "list": ids,
        "empty": [],
        "surrogate": None,
        "too long": None,
        "no string": None,
        "no bytes": None,
        "unknown symbol": None,
        "to bytes": b"aab<e>\0\xff",
        "to string": "aab<e>\0�",
        "no ids": "",
        "unknown id": None,
        "negative id": None,
        "large id": OverflowError,
        "no integer": TypeError,
        "failing": KeyError,
        "too many ids": None,
        "no list": SystemError,
    }


def test_a_function_keeps_alive_what_it_uses() -> None:
    with running("compiled"):
        encode = made("<e>")._short.listed
        gc.collect()
        assert [encode("ab<e>"), encode("ba")] == [[300, 301], [98, 97]]


def test_a_string_is_read_as_it_is_whatever_its_class_says() -> None:
    class Text(str):
        def encode(self, *_arguments: Any) -> bytes:
            return b"b"

    with running("compiled"):
        assert made().encode(Text("ab")) == [300]


def test_a_call_inside_a_call_gives_its_own_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Decoding:
        def __index__(self) -> int:
            inner.append(tokenizer.decode([98] * 50))
            return 300

    monkeypatch.setattr(tokenizer_module, "_WORTH_DECODER", 0)
    inner: list[str] = []
    ids: list[Any] = [97, Decoding(), 97]
    with running("compiled"):
        tokenizer = made()
        assert tokenizer.decode(ids) == "aaba"
    assert inner == ["b" * 50]


def test_functions_are_made_again_for_a_cache_that_was_full() -> None:
    with running("compiled"):
        tokenizer = made()
        words = [f"{number:05}" for number in range(30_000)]
        assert all(bytes(tokenizer.encode(word)).decode() == word for word in words)
        assert tokenizer._short.is_made()
        assert tokenizer._short.listed(words[0]) == list(words[0].encode())


def test_functions_are_made_again_for_merges_that_were_appended() -> None:
    with running("compiled"):
        tokenizer = made()
        tokenizer.store.append([(b"b", b"b")], {302: b"bb"})
        assert not tokenizer._short.is_made()
        assert tokenizer.encode("abb") == [300, 98]
        assert tokenizer._short.is_made()


def test_texts_go_the_general_way_without_the_gil(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    assert not kernel.has_builtins.__wrapped__()
    for module in (kernel_encoder, decoder):
        monkeypatch.setattr(module, "has_builtins", lambda: False)
    monkeypatch.setattr(tokenizer_module, "_WORTH_DECODER", 0)
    with running("compiled"):
        tokenizer = Tokenizer(VOCAB, [(b"a", b"b")])
        for _time in range(3):
            assert tokenizer.encode("abab") == tokenizer.encode_array("abab").tolist() == [300, 300]
            assert tokenizer.decode([300, 97]) == "aba"
        assert tokenizer._short is NO_SHORT_TEXTS


SUBINTERPRETER = """
import _xxsubinterpreters as interpreters
interpreters.run_string(interpreters.create(), '''
import warnings
warnings.simplefilter("ignore")
from bpe_gui.engine.compilation.kernel import has_builtins
assert not has_builtins()
''')
"""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="numpy cannot be imported in a subinterpreter")
@not_under_wine("the import of numpy waits for ever in a subinterpreter")
def test_a_subinterpreter_has_none() -> None:
    done = subprocess.run([sys.executable, "-c", SUBINTERPRETER], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
