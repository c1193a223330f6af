"""Proofs: all readers of a written file give the same ids; a difference is found and narrowed down."""

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
from tokenizers import ByteLevelBPETokenizer

from bpe_gui.engine import (
    FORMATS,
    PRESETS,
    EngineError,
    FormatError,
    Plan,
    Recipe,
    TextDocument,
    Tokenizer,
    save,
    save_obstacle,
    train,
)
from bpe_gui.engine.formats import ranks
from bpe_gui.engine.proof import (
    HARD_STRINGS,
    Difference,
    Proof,
    Reader,
    leading_text,
    misreading,
    proof_strings,
    readers_for,
    save_caution,
)
from bpe_gui.engine.proof import package_readers as reader_module
from bpe_gui.engine.tokenization.config import TokenizerConfig
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
"""By format: a preset that it can represent."""


def trained(recipe: str | Recipe) -> Tokenizer:
    return train(TEXT, recipe=recipe, special_tokens=SPECIALS, num_merges=300)


def proofs(tokenizer: Tokenizer, format: str, paths: list[Path], *texts: str) -> list[Proof]:
    compared = proof_strings(texts, tokenizer.special_tokens)
    return [reader.prove(compared) for reader in readers_for(tokenizer, format, paths)]


@pytest.fixture(scope="module", params=MEANT_FOR)
def format_and_tokenizer(request: pytest.FixtureRequest) -> tuple[str, Tokenizer]:
    return request.param, trained(MEANT_FOR[request.param])


# -- the same ids -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("recipe", PRESETS)
def test_every_file_that_can_be_written_gives_the_same_ids(recipe: str, tmp_path: Path) -> None:
    tokenizer = trained(recipe)
    supported = [name for name, known in FORMATS.items() if known.contents and not save_obstacle(tokenizer, name)]
    assert {"sentencepiece" if recipe == "sentencepiece" else "gpt2", "csv", "tsv"} <= set(supported)
    for name in supported:
        found = proofs(tokenizer, name, save(tokenizer, tmp_path / name, name), TEXT)
        assert [proof.fails for proof in found[:1]] == [False] * (FORMATS[name].load is not None)
        assert [proof.fails for proof in found[1:]] == [misreading(tokenizer.recipe, name) is not None] * len(found[1:])
        assert [proof.reader for proof in found[:1]] == ["bpe-gui"] * (FORMATS[name].load is not None)
        assert all(
            proof.compared + proof.skipped > 500 and proof.compared > 400
            for proof in found
            if not proof.obstacle and not proof.fails
        )


@pytest.mark.slow
def test_the_package_reads_the_file_too(format_and_tokenizer: tuple[str, Tokenizer], tmp_path: Path) -> None:
    name, tokenizer = format_and_tokenizer
    found = proofs(tokenizer, name, save(tokenizer, tmp_path, name))
    package = PACKAGES.get(name)
    assert [proof.reader for proof in found[1:]] == ([f"{package} {version(package)}"] if package else [])
    assert [(proof.obstacle, proof.skipped) for proof in found] == [(None, 0)] * len(found)
    assert all(proof.compared == len(proof_strings([], tokenizer.special_tokens)) for proof in found)


@pytest.mark.slow
@pytest.mark.parametrize("plan", [None, Plan(stages={200: "join"}), Plan(seeds=["ing"])], ids=str)
def test_a_package_that_assumes_another_splitter_fails(plan: Plan | None, tmp_path: Path) -> None:
    recipe = "huggingface" if plan else "minbpe"
    tokenizer = train(TEXT, recipe=recipe, special_tokens=SPECIALS, num_merges=300, plan=plan)
    assert misreading(tokenizer.recipe, "gpt2")
    again, package = proofs(tokenizer, "gpt2", save(tokenizer, tmp_path, "gpt2"), TEXT)
    assert (again.difference, again.obstacle) == (None, None)
    assert package.fails
    assert package.difference is not None
    assert list(package.difference.ours) == tokenizer.encode(package.difference.text)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", ["cl100k", r"\p{L}+|\s+\Z|.\Z|\s+|[^\p{L}\s$]+|[$]"])
@pytest.mark.parametrize("token", [b" the", b" thewhole"], ids=["merges", "no merge"])
def test_ranks_are_split_as_the_tokenizer_splits(pattern: str, token: bytes, tmp_path: Path) -> None:
    tokens = [*(bytes([byte]) for byte in range(256)), b"th", b"the", token, b"er", b"er$", b"\n\n"]
    tokenizer = ranks.tokenizer_from_ranks(dict(enumerate(tokens)), pattern, {"<s>": 300})
    assert bool(tokenizer.pipeline) == (token == b" thewhole")
    paths = save(tokenizer, tmp_path / "my.tiktoken", "tiktoken")
    found = proofs(tokenizer, "tiktoken", paths, "the thewhole theer$ 12345\n\n", "$the \n")
    assert len(found) == 2
    for proof in found:
        assert (proof.difference, proof.obstacle) == (None, None)
        assert proof.compared > 90


def test_a_long_text_without_spaces_is_compared_in_short_pieces(tmp_path: Path) -> None:
    tokenizer = trained("subword-nmt")
    found = proofs(tokenizer, "subword-nmt", save(tokenizer, tmp_path, "subword-nmt"), "你好世界" * 8_000)
    assert len(found) == 2
    for proof in found:
        assert (proof.difference, proof.obstacle) == (None, None)


def test_tables_have_no_reader(tmp_path: Path) -> None:
    tokenizer = train("low low", num_merges=1)
    assert readers_for(tokenizer, "csv", save(tokenizer, tmp_path, "csv")) == ()


def test_strings_with_symbols_without_an_id_are_skipped(tmp_path: Path) -> None:
    tokenizer = train("low lower", recipe="char-eow", num_merges=5)
    again, _package = proofs(tokenizer, "gpt2", save(tokenizer, tmp_path, "gpt2"), "low lower", "你")
    assert (again.difference, again.obstacle) == (None, None)
    assert again.compared > 2
    assert again.compared + again.skipped == len(proof_strings(["low lower", "你"], []))
    own_reader, _other_reader = readers_for(tokenizer, "gpt2", [tmp_path / "vocab.json"])
    nothing = own_reader.prove(["你"])
    assert str(nothing.obstacle) == "None of the strings could be encoded on both sides."
    assert not nothing.fails
    assert (nothing.reader, nothing.compares_ids) == (own_reader.name, own_reader.gives_ids)


# -- differences --------------------------------------------------------------------------------------------------


def swap_lines(path: Path, first: int, second: int) -> None:
    lines = path.read_text("utf-8").split("\n")
    lines[first], lines[second] = lines[second], lines[first]
    path.write_text("\n".join(lines), "utf-8")


def drop_last_line(path: Path) -> None:
    path.write_text("\n".join(path.read_text("utf-8").split("\n")[:-2]) + "\n", "utf-8")


def swap_ranks(path: Path, first: int, second: int) -> None:
    lines = [line.split() for line in path.read_text("utf-8").splitlines()]
    lines[first][1], lines[second][1] = lines[second][1], lines[first][1]
    path.write_text("".join(f"{token} {rank}\n" for token, rank in lines), encoding="utf-8")


def swap_json_merges(path: Path, first: int, second: int) -> None:
    tokenizer = json.loads(path.read_text("utf-8"))
    merges = tokenizer["model"]["merges"]
    merges[first], merges[second] = merges[second], merges[first]
    path.write_text(json.dumps(tokenizer), "utf-8")


def swap_ids(path: Path, first: str, second: str) -> None:
    """Swap the ids of two tokens in a `vocab.json`."""
    ids = {token: f'"{token}": {number}' for token, number in ((first, 0), (second, 0))}
    lines = path.read_text("utf-8").split("\n")
    indices = [next(i for i, line in enumerate(lines) if line.startswith(ids[token][:-1])) for token in ids]
    numbers = [lines[index].rstrip(",").rpartition(" ")[2] for index in indices]
    for index, old, new in zip(indices, numbers, reversed(numbers), strict=True):
        lines[index] = lines[index].replace(f": {old}", f": {new}")
    path.write_text("\n".join(lines), "utf-8")


PLANTED: dict[str, Callable[[Path], None]] = {
    "gpt2": lambda folder: swap_lines(folder / "merges.txt", 1, 120),
    "huggingface": lambda folder: swap_json_merges(folder / "tokenizer.json", 0, 120),
    "transformers": lambda folder: swap_json_merges(folder / "tokenizer.json", 0, 120),
    "tiktoken": lambda folder: swap_ranks(folder / "tokenizer.tiktoken", 300, 301),
    "minbpe": lambda folder: swap_lines(folder / "minbpe.model", -2, -3),
    "subword-nmt": lambda folder: drop_last_line(folder / "tokenizer.codes"),
}


@pytest.mark.slow
def test_a_planted_difference_is_found(format_and_tokenizer: tuple[str, Tokenizer], tmp_path: Path) -> None:
    name, tokenizer = format_and_tokenizer
    paths = save(tokenizer, tmp_path, name)
    PLANTED[name](tmp_path)
    found = proofs(tokenizer, name, paths, TEXT)
    assert len(found) == 1 + (name in PACKAGES)
    for proof in found:
        difference = proof.difference
        assert proof.fails
        assert difference is not None
        assert difference.ours != difference.theirs
        assert difference.ours[: difference.index] == difference.theirs[: difference.index]
        assert len(difference.text) < 20, "it should be narrowed down"
        assert proof.compares_ids == (name != "subword-nmt")
        if proof.compares_ids:
            assert list(difference.ours) == tokenizer.encode(difference.text)


def test_a_special_token_with_another_id_is_found(tmp_path: Path) -> None:
    tokenizer = trained("huggingface")
    paths = save(tokenizer, tmp_path, "gpt2")
    swap_ids(tmp_path / "vocab.json", "<pad>", "e")
    again, package = proofs(tokenizer, "gpt2", paths)
    assert again.fails
    assert "its special tokens do not match the vocabulary in the same folder" in str(again.obstacle)
    assert package.difference is not None
    assert set(package.difference.ours) ^ set(package.difference.theirs) == {
        tokenizer.special_tokens["<pad>"], tokenizer.encode("e")[0],
    }  # fmt: skip


def test_a_file_that_a_reader_refuses_is_a_failure(format_and_tokenizer: tuple[str, Tokenizer], tmp_path: Path) -> None:
    name, tokenizer = format_and_tokenizer
    paths = save(tokenizer, tmp_path, name)
    for path in paths:
        path.write_text("no such thing, and not one that anybody reads")
    found = proofs(tokenizer, name, paths)
    assert len(found) == 1 + (name in PACKAGES)
    for proof in found:
        assert proof.fails
        assert isinstance(proof.obstacle, FormatError)


def test_a_difference_is_narrowed_down() -> None:
    def theirs(text: str) -> list[int]:
        return [ord(c) + (text[i : i + 2] == "xy") for i, c in enumerate(text)]

    reader = Reader("other", lambda text: list(map(ord, text)), lambda: theirs)
    proof = reader.prove(["abc", "a" * 1000 + "xy" + "b" * 700])
    assert (proof.compared, proof.difference) == (2, Difference("xy", (120, 121), (121, 121)))
    assert Difference("", (1,), (1, 2)).index == 1


# -- packages -----------------------------------------------------------------------------------------------------


def test_a_package_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    tokenizer = trained("tiktoken")
    again, package = proofs(tokenizer, "tiktoken", save(tokenizer, tmp_path, "tiktoken"))
    assert again.compared
    assert package.reader == "tiktoken"
    assert (
        str(package.obstacle)
        == "Not installed, so this was not checked with it. To install it, run `pip install tiktoken`."
    )
    assert not package.fails


def test_a_package_that_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_name: str) -> Any:
        raise AttributeError("no such thing")

    monkeypatch.setattr(reader_module, "import_module", broken)
    tokenizer = trained("tiktoken")
    _again, package = proofs(tokenizer, "tiktoken", save(tokenizer, tmp_path, "tiktoken"))
    assert str(package.obstacle) == "The package cannot be imported: no such thing."
    assert not package.fails


class Panic(BaseException):
    """An exception like the one that a panic in Rust raises: not an Exception."""


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
    assert str(package.obstacle).startswith("The package reports an error: ")
    assert package.fails


@pytest.mark.slow
def test_packages_are_imported_only_when_they_are_used() -> None:
    code = (
        "import sys, bpe_gui.engine.proof; "
        "print({'tokenizers', 'transformers', 'tiktoken', 'subword_nmt'}.intersection(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


# -- texts -------------------------------------------------------------------------------------------------------


def test_the_strings_to_compare() -> None:
    compared = proof_strings(["one line\r\nand more", "", "one line\r\n"], ["<s>"])
    assert compared[: len(HARD_STRINGS)] == HARD_STRINGS
    assert len(set(compared)) == len(compared)
    assert compared[-3:] == ("one line\r\n", "and more", "one line\r\nand more")
    assert "low<s>er" in compared
    assert len(set(HARD_STRINGS)) == len(HARD_STRINGS)


def test_the_leading_text_of_a_corpus() -> None:
    assert leading_text([]) == ""
    assert leading_text(TextDocument("你好" * 100_000).chunks()) == "你好" * 16_666 + "你"
    assert leading_text(["ab", "cd", "ef"], 5) == "abcde"
    assert leading_text(["\ud800a"], 5) == "?a"


def test_the_progress_callback_may_stop_a_proof() -> None:
    class StoppedError(Exception):
        pass

    seen = []

    def progress(done: int, whole: int) -> None:
        seen.append((done, whole))
        if done == 2:
            raise StoppedError

    reader = Reader("self", str.split, lambda: str.split)
    with pytest.raises(StoppedError):
        reader.prove(["a", "b", "c", "d"], progress)
    assert seen == [(0, 4), (1, 4), (2, 4)]


END = "<|endoftext|>"
CORPUS = "low lower lowest 12345 newest widest\n"


@pytest.mark.parametrize(
    ("format", "recipe", "specials", "sentence"),
    [
        ("huggingface", "huggingface", ["<e>"], None),
        ("transformers", "huggingface", ["<e>"], None),
        ("csv", "huggingface", ["<e>"], None),
        ("gpt2", "huggingface", [END], None),
        ("gpt2", "huggingface", [END, "<e>"], "unless told otherwise: '<e>'."),
        ("gpt2", "minbpe", [], "Other programs split it as GPT-2 does"),
        ("gpt2", "char-eow", [], "Other programs split it as GPT-2 does"),
        ("tiktoken", "tiktoken", [], "tiktoken.Encoding needs the pattern"),
        ("minbpe", "minbpe", [], "Make it with the file's pattern"),
        ("subword-nmt", "subword-nmt", [], None),
        ("subword-nmt", "subword-nmt", ["<e>"], "treats these as text: '<e>'."),
    ],
)
def test_what_a_reader_must_be_told(format: str, recipe: str, specials: list[str], sentence: str | None) -> None:
    tokenizer = train(CORPUS, recipe=recipe, num_merges=5, special_tokens=specials)
    caution = save_caution(tokenizer, format)
    assert (caution is None) if sentence is None else sentence in str(caution)


def test_minbpe_heeds_a_file_without_a_pattern() -> None:
    tokenizer = train(CORPUS, recipe=PRESETS["minbpe"].with_changes(splitter="none"), num_merges=5)
    assert save_caution(tokenizer, "minbpe") is None


@pytest.mark.parametrize(("splitter", "specials"), [("gpt2", [END]), ("gpt2", ["<e>"]), ("none", [])])
def test_tokenizers_gives_the_ids_of_these_files_unless_there_is_a_caution(
    splitter: str, specials: list[str], tmp_path: Path
) -> None:
    recipe = PRESETS["huggingface"].with_changes(splitter=splitter)
    ours = train(CORPUS * 3, recipe=recipe, vocab_size=285, special_tokens=specials)
    vocab, merges, *_rest = save(ours, tmp_path, "gpt2")
    theirs = ByteLevelBPETokenizer.from_file(str(vocab), str(merges))
    theirs.add_special_tokens([token for token in specials if token == END])
    text = CORPUS + "".join(specials) + "12345678"
    assert (theirs.encode(text).ids == ours.encode(text)) == (save_caution(ours, "gpt2") is None)


def test_every_format_that_is_written_was_thought_of() -> None:
    tokenizer = train(CORPUS, num_merges=5, special_tokens=["<e>"])
    for name, each in FORMATS.items():
        caution = save_caution(tokenizer, name)
        assert isinstance(caution, EngineError | None)
        assert caution is None or each.contents is not None


def test_transformers_must_find_the_same_roles_and_templates(tmp_path: Path) -> None:
    config = TokenizerConfig({"eos_token": "<b>", "chat_template": "{{ messages }}"}, {"generation_config.json": "{}"})
    tokenizer = train("low lower", special_tokens=["<a>", "<b>"], num_merges=2).with_config(config)
    paths = save(tokenizer, tmp_path, "transformers")
    _own, theirs = readers_for(tokenizer, "transformers", paths)
    assert list(theirs.load()("low<b>")) == tokenizer.encode("low<b>")
    for key, value, name in (("eos_token", "<a>", "eos_token"), ("chat_template", "x", "chat template default")):
        _own, theirs = readers_for(tokenizer.with_config(config.with_changes(**{key: value})), "transformers", paths)
        with pytest.raises(FormatError, match=f"as {name}, which should be"):
            theirs.load()
