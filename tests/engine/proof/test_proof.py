"""Proofs: what was written is read by everybody with the same ids; what is not is found, and shown in short."""

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bpe_gui.engine import FORMATS, PRESETS, FormatError, Recipe, TextDocument, Tokenizer, save, train
from bpe_gui.engine.formats import obstacle, ranks
from bpe_gui.engine.proof import HARD_STRINGS, Difference, Proof, Reader, beginning, prove, readers, strings
from bpe_gui.engine.proof import package_readers as reader_module

from tests.engine.support.mixed_text import mixed_text

TEXT = mixed_text(30_000)
SPECIALS = ["<|endoftext|>", "<pad>"]
PACKAGES = {
    "gpt2": "tokenizers",
    "huggingface": "tokenizers",
    "transformers": "transformers",
    "tiktoken": "tiktoken",
    "subword-nmt": "subword-nmt",
}
MEANT_FOR = {
    "gpt2": "huggingface",
    "huggingface": "huggingface",
    "transformers": "cs336",
    "tiktoken": "tiktoken",
    "minbpe": "minbpe",
    "subword-nmt": "subword-nmt",
}
"""A preset that each format is made for."""


def trained(recipe: str | Recipe) -> Tokenizer:
    return train(TEXT, recipe=recipe, special_tokens=SPECIALS, num_merges=300)


def proofs(tokenizer: Tokenizer, format: str, paths: list[Path], *texts: str) -> list[Proof]:
    compared = strings(texts, tokenizer.special_tokens)
    return [prove(reader, compared) for reader in readers(tokenizer, format, paths)]


@pytest.fixture(scope="module", params=MEANT_FOR)
def format_and_tokenizer(request: pytest.FixtureRequest) -> tuple[str, Tokenizer]:
    return request.param, trained(MEANT_FOR[request.param])


# -- the same ids -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", PRESETS)
def test_whatever_can_be_written_gives_the_same_ids(recipe: str, tmp_path: Path) -> None:
    tokenizer = trained(recipe)
    held = [name for name, known in FORMATS.items() if known.contents and not obstacle(tokenizer, name)]
    assert {"gpt2", "csv", "tsv"} <= set(held)
    for name in held:
        found = proofs(tokenizer, name, save(tokenizer, tmp_path / name, name), TEXT)
        assert not any(proof.fails for proof in found), found
        assert [proof.reader for proof in found[:1]] == ["bpe-gui"] * (FORMATS[name].load is not None)
        assert all(
            proof.strings + proof.left_out > 500 and proof.strings > 400 for proof in found if not proof.obstacle
        )


def test_the_package_itself_is_asked(format_and_tokenizer: tuple[str, Tokenizer], tmp_path: Path) -> None:
    name, tokenizer = format_and_tokenizer
    found = proofs(tokenizer, name, save(tokenizer, tmp_path, name))
    package = PACKAGES.get(name)
    assert [proof.reader for proof in found[1:]] == ([f"{package} {version(package)}"] if package else [])
    assert [(proof.obstacle, proof.left_out) for proof in found] == [(None, 0)] * len(found)
    assert all(proof.strings == len(strings([], tokenizer.special_tokens)) for proof in found)


def test_what_the_package_takes_for_something_else_is_not_asked_of_it(tmp_path: Path) -> None:
    tokenizer = trained("minbpe")
    again, package = proofs(tokenizer, "gpt2", save(tokenizer, tmp_path, "gpt2"))
    assert (again.difference, again.obstacle) == (None, None)
    assert "split as GPT-2 splits; this tokenizer is of another kind" in str(package.obstacle)
    assert not package.fails


@pytest.mark.parametrize("pattern", ["cl100k", r"\p{L}+|\s+\Z|.\Z|\s+|[^\p{L}\s$]+|[$]"])
@pytest.mark.parametrize("token", [b" the", b" thewhole"], ids=["explained", "unexplained"])
def test_ranks_are_split_as_the_tokenizer_splits(pattern: str, token: bytes, tmp_path: Path) -> None:
    tokens = [*(bytes([byte]) for byte in range(256)), b"th", b"the", token, b"er", b"er$", b"\n\n"]
    tokenizer = ranks.tokenizer_of(dict(enumerate(tokens)), pattern, {"<s>": 300})
    assert bool(tokenizer.pipeline) == (token == b" thewhole")
    paths = save(tokenizer, tmp_path / "my.tiktoken", "tiktoken")
    for proof in proofs(tokenizer, "tiktoken", paths, "the thewhole theer$ 12345\n\n", "$the \n"):
        assert (proof.difference, proof.obstacle) == (None, None)
        assert proof.strings > 90


def test_a_text_without_spaces_does_not_take_hours(tmp_path: Path) -> None:
    tokenizer = trained("subword-nmt")
    for proof in proofs(tokenizer, "subword-nmt", save(tokenizer, tmp_path, "subword-nmt"), "你好世界" * 8_000):
        assert (proof.difference, proof.obstacle) == (None, None)


def test_tables_have_no_reader(tmp_path: Path) -> None:
    tokenizer = train("low low", num_merges=1)
    assert readers(tokenizer, "csv", save(tokenizer, tmp_path, "csv")) == ()


def test_strings_with_symbols_that_have_no_id_are_left_out(tmp_path: Path) -> None:
    tokenizer = train("low lower", recipe="char-eow", num_merges=5)
    again, _package = proofs(tokenizer, "gpt2", save(tokenizer, tmp_path, "gpt2"), "low lower", "你")
    assert (again.difference, again.obstacle) == (None, None)
    assert again.strings > 2
    assert again.strings + again.left_out == len(strings(["low lower", "你"], []))
    (nothing, _package) = (prove(reader, ["你"]) for reader in readers(tokenizer, "gpt2", [tmp_path / "vocab.json"]))
    assert str(nothing.obstacle) == "None of the strings can be encoded on both sides."
    assert not nothing.fails


# -- differences --------------------------------------------------------------------------------------------------


def swap_lines(path: Path, first: int, second: int) -> None:
    lines = path.read_text("utf-8").split("\n")
    lines[first], lines[second] = lines[second], lines[first]
    path.write_text("\n".join(lines), "utf-8")


def drop_last_line(path: Path) -> None:
    path.write_text("\n".join(path.read_text("utf-8").split("\n")[:-2]) + "\n", "utf-8")


def swap_ranks(path: Path, first: int, second: int) -> None:
    lines = [line.split() for line in path.read_text().splitlines()]
    lines[first][1], lines[second][1] = lines[second][1], lines[first][1]
    path.write_text("".join(f"{token} {rank}\n" for token, rank in lines))


def swap_json_merges(path: Path, first: int, second: int) -> None:
    tokenizer = json.loads(path.read_text("utf-8"))
    merges = tokenizer["model"]["merges"]
    merges[first], merges[second] = merges[second], merges[first]
    path.write_text(json.dumps(tokenizer), "utf-8")


def swap_ids(path: Path, first: str, second: str) -> None:
    """Gives two tokens of a `vocab.json` each other's ids."""
    ids = {token: f'"{token}": {number}' for token, number in ((first, 0), (second, 0))}
    lines = path.read_text("utf-8").split("\n")
    places = [next(i for i, line in enumerate(lines) if line.startswith(ids[token][:-1])) for token in ids]
    numbers = [lines[place].rstrip(",").rpartition(" ")[2] for place in places]
    for place, old, new in zip(places, numbers, reversed(numbers), strict=True):
        lines[place] = lines[place].replace(f": {old}", f": {new}")
    path.write_text("\n".join(lines), "utf-8")


PLANTED: dict[str, Callable[[Path], None]] = {
    "gpt2": lambda folder: swap_lines(folder / "merges.txt", 1, 120),
    "huggingface": lambda folder: swap_json_merges(folder / "tokenizer.json", 0, 120),
    "transformers": lambda folder: swap_json_merges(folder / "tokenizer.json", 0, 120),
    "tiktoken": lambda folder: swap_ranks(folder / "tokenizer.tiktoken", 300, 301),
    "minbpe": lambda folder: swap_lines(folder / "minbpe.model", -2, -3),
    "subword-nmt": lambda folder: drop_last_line(folder / "tokenizer.codes"),
}


def test_a_planted_difference_is_found(format_and_tokenizer: tuple[str, Tokenizer], tmp_path: Path) -> None:
    name, tokenizer = format_and_tokenizer
    paths = save(tokenizer, tmp_path, name)
    PLANTED[name](tmp_path)
    for proof in proofs(tokenizer, name, paths, TEXT):
        difference = proof.difference
        assert proof.fails
        assert difference is not None
        assert difference.ours != difference.theirs
        assert difference.ours[: difference.place] == difference.theirs[: difference.place]
        assert len(difference.text) < 20, "what does not matter is cut away"
        assert proof.knows_ids == (name != "subword-nmt")
        if proof.knows_ids:
            assert list(difference.ours) == tokenizer.encode(difference.text)


def test_a_special_token_with_another_id_is_found(tmp_path: Path) -> None:
    tokenizer = trained("huggingface")
    paths = save(tokenizer, tmp_path, "gpt2")
    swap_ids(tmp_path / "vocab.json", "<pad>", "e")
    again, package = proofs(tokenizer, "gpt2", paths)
    assert again.fails
    assert "its special tokens are not those of the vocabulary beside it" in str(again.obstacle)
    assert package.difference is not None
    assert set(package.difference.ours) ^ set(package.difference.theirs) == {
        tokenizer.special_tokens["<pad>"], tokenizer.encode("e")[0],
    }  # fmt: skip


def test_a_file_that_is_refused_is_a_failure(format_and_tokenizer: tuple[str, Tokenizer], tmp_path: Path) -> None:
    name, tokenizer = format_and_tokenizer
    paths = save(tokenizer, tmp_path, name)
    for path in paths:
        path.write_text("no such thing, and not one that anybody reads")
    for proof in proofs(tokenizer, name, paths):
        assert proof.fails
        assert isinstance(proof.obstacle, FormatError)


def test_a_difference_is_cut_to_what_it_is_about() -> None:
    def theirs(text: str) -> list[int]:
        return [ord(c) + (text[i : i + 2] == "xy") for i, c in enumerate(text)]

    reader = Reader("other", lambda text: list(map(ord, text)), lambda: theirs)
    proof = prove(reader, ["abc", "a" * 1000 + "xy" + "b" * 700])
    assert (proof.strings, proof.difference) == (2, Difference("xy", (120, 121), (121, 121)))
    assert Difference("", (1,), (1, 2)).place == 1


# -- packages -----------------------------------------------------------------------------------------------------


def test_a_package_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(reader_module, "version", missing)
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    tokenizer = trained("tiktoken")
    again, package = proofs(tokenizer, "tiktoken", save(tokenizer, tmp_path, "tiktoken"))
    assert again.strings
    assert package.reader == "tiktoken"
    assert str(package.obstacle) == "It is not installed here; `pip install tiktoken` would let it be asked."
    assert not package.fails


def test_a_package_that_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_name: str) -> Any:
        raise AttributeError("no such thing")

    monkeypatch.setattr(reader_module, "import_module", broken)
    tokenizer = trained("tiktoken")
    _again, package = proofs(tokenizer, "tiktoken", save(tokenizer, tmp_path, "tiktoken"))
    assert str(package.obstacle) == "It cannot be used here: no such thing."
    assert not package.fails


class Panic(BaseException):
    """What Rust's panics are."""


@pytest.mark.parametrize("error", [Panic("index out of bounds"), SystemExit(1), MemoryError()])
def test_a_package_that_panics(error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def panic(*_arguments: object, **_names: object) -> None:
        raise error

    real = import_module
    monkeypatch.setattr(
        reader_module,
        "import_module",
        lambda name: SimpleNamespace(Encoding=panic) if name == "tiktoken" else real(name),
    )
    tokenizer = trained("tiktoken")
    _again, package = proofs(tokenizer, "tiktoken", save(tokenizer, tmp_path, "tiktoken"))
    assert str(package.obstacle).startswith("It refuses this: ")
    assert package.fails


def test_packages_are_imported_only_when_they_are_asked() -> None:
    code = (
        "import sys, bpe_gui.engine.proof; "
        "print({'tokenizers', 'transformers', 'tiktoken', 'subword_nmt'}.intersection(sys.modules))"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout == "set()\n"


# -- what is compared ---------------------------------------------------------------------------------------------


def test_the_strings() -> None:
    compared = strings(["one line\r\nand more", "", "one line\r\n"], ["<s>"])
    assert compared[: len(HARD_STRINGS)] == HARD_STRINGS
    assert len(set(compared)) == len(compared)
    assert compared[-3:] == ("one line\r\n", "and more", "one line\r\nand more")
    assert "low<s>er" in compared
    assert len(set(HARD_STRINGS)) == len(HARD_STRINGS)


def test_the_beginning_of_a_corpus() -> None:
    assert beginning([]) == ""
    assert beginning(TextDocument("你好" * 100_000).chunks()) == "你好" * 16_666 + "你"
    assert beginning(["ab", "cd", "ef"], 5) == "abcde"
    assert beginning(["\ud800a"], 5) == "?a"


def test_progress_may_stop_it() -> None:
    class StoppedError(Exception):
        pass

    seen = []

    def progress(done: int, whole: int) -> None:
        seen.append((done, whole))
        if done == 2:
            raise StoppedError

    reader = Reader("self", str.split, lambda: str.split)
    with pytest.raises(StoppedError):
        prove(reader, ["a", "b", "c", "d"], progress)
    assert seen == [(0, 4), (1, 4), (2, 4)]
