"""`vocab.json` and `merges.txt`: lossless, read by other packages, damage reported by line, written atomically."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import ByteLevelBPETokenizer

from bpe_gui.engine import FORMATS, PRESETS, FormatError, Recipe, Tokenizer, load, save, train
from bpe_gui.engine.formats import gpt2
from bpe_gui.engine.projects.project import Project
from bpe_gui.engine.projects.project_file import save_project
from bpe_gui.engine.proof.proof import HARD_STRINGS
from tests.engine.support.strategies import any_text
from tests.examples import examples

TEXT = "low lower lowest 你好 你好世界 naïve 😀😀 don't\n\tthe  the widest newest 123 \x00\x7f\x85 <|e|>"
SPECIALS = ["<|e|>", "<|pad|>"]


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def same(one: Tokenizer, other: Tokenizer) -> bool:
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("vocab", "merges", "special_tokens", "recipe", "unknown_id", "merge_counts")
    )


def train_and_save(folder: Path, recipe: Recipe | str = "cs336", **options: Any) -> Tokenizer:
    tokenizer = train(TEXT, recipe=recipe, special_tokens=SPECIALS, **{"num_merges": 20, **options})
    save(tokenizer, folder)
    return tokenizer


# -- round trips --------------------------------------------------------------------------------------------------


def test_every_byte_is_saved_without_loss(tmp_path: Path) -> None:
    merges = [(bytes([byte]), bytes([255 - byte])) for byte in range(256)]
    vocab = {i: bytes([i]) for i in range(256)} | {256 + i: left + right for i, (left, right) in enumerate(merges)}
    save(Tokenizer(vocab, merges), tmp_path)
    assert same(load(tmp_path), Tokenizer(vocab, merges))


@pytest.mark.slow
@given(any_text, st.sampled_from(["raw", "gpt2-printable"]))
@settings(max_examples=examples(60))
def test_any_characters_are_saved_without_loss_in_either_spelling(text: str, spelling: str) -> None:
    switches = {"units": "characters", "splitter": "whitespace", "token_spelling": spelling, "merges_header": False}
    with TemporaryDirectory() as folder:
        tokenizer = train(text + "low low", recipe=Recipe.from_dict(switches))
        save(tokenizer, Path(folder))
        assert same(load(folder), tokenizer)


def test_characters_with_spaces_need_the_printable_spelling(tmp_path: Path) -> None:
    recipe = Recipe(units="characters")
    with pytest.raises(FormatError, match=r"merges\.txt cannot represent the token ' '.* choose the spelling gpt2-pri"):
        save(train("a low low", recipe=recipe), tmp_path)
    tokenizer = train("a low low", recipe=recipe.with_changes(token_spelling="gpt2-printable"))
    save(tokenizer, tmp_path)
    assert "Ġ l" in (tmp_path / "merges.txt").read_text("utf-8")
    assert same(load(tmp_path), tokenizer)


@pytest.mark.parametrize("first", ["#version", "\ufeff"])
def test_a_first_merge_that_looks_like_a_header_or_a_mark_is_kept(first: str, tmp_path: Path) -> None:
    recipe = Recipe(units="characters", splitter="space", merges_header=False)
    tokenizer = Tokenizer(
        {0: first.encode(), 1: b"a", 2: first.encode() + b"a"}, [(first.encode(), b"a")], recipe=recipe
    )
    save(tokenizer, tmp_path)
    assert load(tmp_path).merges == tokenizer.merges


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "sentencepiece"])
def test_the_spelling_of_tokens_in_the_files(name: str, tmp_path: Path) -> None:
    train_and_save(tmp_path, name)
    lines = (tmp_path / "merges.txt").read_text("utf-8").splitlines()
    assert (lines[0] == "#version: 0.2") == PRESETS[name].merges_header
    vocab = (tmp_path / "vocab.json").read_text("utf-8")
    assert "你" in vocab or "ä½" in vocab, "it should not be escaped"
    marked = any("</w>" in line for line in lines) or '"</w>"' in vocab
    assert marked == (PRESETS[name].boundary != "none")


# -- without training.json ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cs336", "bbpe", "char-eow", "subword-nmt", "huggingface", "cs336-toy", "tiktoken"])
def test_vocabulary_and_merges_are_enough_to_encode(name: str, tmp_path: Path) -> None:
    tokenizer = train_and_save(tmp_path, name)
    (tmp_path / "training.json").unlink()
    loaded = load(tmp_path)
    assert loaded.vocab == tokenizer.vocab
    assert loaded.merges == tokenizer.merges
    assert loaded.special_tokens == tokenizer.special_tokens
    assert loaded.encode("low lower") == tokenizer.encode("low lower")


# -- other packages -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tokenizer, ByteLevelBPETokenizer]:
    """Return a tokenizer of ours, and the one that `tokenizers` makes from its files."""
    folder = tmp_path_factory.mktemp("exported")
    ours = train_and_save(folder, num_merges=60)
    theirs = ByteLevelBPETokenizer.from_file(str(folder / "vocab.json"), str(folder / "merges.txt"))
    theirs.add_special_tokens(SPECIALS)
    return ours, theirs


@given(st.lists(any_text | st.sampled_from([*SPECIALS, *HARD_STRINGS, "low", " the"])).map("".join))
def test_tokenizers_gives_our_ids_and_texts(both: tuple[Tokenizer, ByteLevelBPETokenizer], text: str) -> None:
    ours, theirs = both
    ids = ours.encode(text)
    assert theirs.encode(text).ids == ids
    assert theirs.decode(ids, skip_special_tokens=False) == text


# -- damage -------------------------------------------------------------------------------------------------------

VOCAB = '{\n"l": 0,\n"o": 1,\n"lo": 2\n}\n'
MERGES = "#version: 0.2\nl o\n"


@pytest.mark.parametrize(
    ("vocab", "merges", "message"),
    [
        ("", MERGES, r"vocab\.json, line 1, column 1: this is not valid JSON"),
        (VOCAB[:14], MERGES, r"vocab\.json, line \d, column \d+: this is not valid JSON"),
        ("[]", MERGES, r"vocab\.json is not a vocabulary"),
        ("{}", MERGES, r"vocab\.json is not a vocabulary"),
        (
            VOCAB.replace("1", '"1"'),
            MERGES,
            r"vocab\.json, line 3: the id of 'o' must be a non-negative integer, not '1'",
        ),
        (
            VOCAB.replace("1", "-1"),
            MERGES,
            r"vocab\.json, line 3: the id of 'o' must be a non-negative integer, not -1",
        ),
        (
            VOCAB.replace("1", "true"),
            MERGES,
            r"vocab\.json, line 3: the id of 'o' must be a non-negative integer, not True",
        ),
        (VOCAB.replace("1", "1e3"), MERGES, r"vocab\.json, line 3: the id of 'o'"),
        (VOCAB.replace("1", "9" * 5000), MERGES, r"vocab\.json is not valid JSON"),
        ("[" * 100_000, MERGES, r"vocab\.json is not valid JSON"),
        (VOCAB.replace("1", "0"), MERGES, r"vocab\.json, line 3: 'o' has the id 0, which already belongs to 'l'"),
        (VOCAB.replace('"lo"', '"l"'), MERGES, r"vocab\.json, line 4: the key 'l' occurs twice"),
        (VOCAB.replace('"lo":', '"l" :'), MERGES, r"vocab\.json, line 4: the key 'l' occurs twice"),
        (VOCAB.replace('"o"', '"\\ud800"'), "", r"vocab\.json, line 3: '\\ud800' contains '\\ud800'"),
        (VOCAB, "#version: 0.2\nl o\nlo\n", r"merges\.txt, line 3: 'lo' is not a merge. A merge is two tokens"),
        (VOCAB, "l o l\n", r"merges\.txt, line 1: 'l o l' is not a merge"),
        (VOCAB, " l\n", r"merges\.txt, line 1: ' l' is not a merge"),
        (VOCAB, "l o\nl x\n", r"merges\.txt, line 2: the token 'x' of this merge is not in vocab\.json"),
        (VOCAB, "l o\no l\n", r"merges\.txt, line 2: the token 'ol' of this merge is not in vocab\.json"),
        (VOCAB, "x" * 99, r"merges\.txt, line 1: 'x{60}…' is not a merge"),
    ],
)
def test_damage_is_reported_by_file_and_line(vocab: str, merges: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "vocab.json").write_text(vocab, "utf-8")
    (tmp_path / "merges.txt").write_text(merges, "utf-8")
    with pytest.raises(FormatError, match=message):
        load(tmp_path)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["no mark", "mark"])
def test_invalid_utf8_is_reported_by_line_and_offset(mark: bytes, tmp_path: Path) -> None:
    (tmp_path / "vocab.json").write_bytes(mark + b'{\n"a\xff": 1}')
    (tmp_path / "merges.txt").write_bytes(b"")
    with pytest.raises(
        FormatError, match=rf"vocab\.json, line 2 is not valid UTF-8: the byte at offset {len(mark) + 4}"
    ):
        load(tmp_path)


def test_a_character_that_stands_for_no_byte_is_reported_by_line(tmp_path: Path) -> None:
    train_and_save(tmp_path)
    vocab = tmp_path / "vocab.json"
    vocab.write_text(vocab.read_text("utf-8").replace('"a"', '"你"'), "utf-8")
    with pytest.raises(FormatError, match=r"vocab\.json, line 99: '你' contains '你', which does not represent a byte"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"recipe": {"units": "bits"}}, r"training\.json: The recipe's units cannot be 'bits'"),
        ({"recipe": {"splitter": []}}, r"training\.json: The recipe's splitter must be .* not \[\]"),
        ({"special_tokens": ["<|e|>"]}, r"training\.json: its special tokens do not match the vocabulary"),
        ({"special_tokens": {"<|e|>": 1}}, r"training\.json: its special tokens do not match"),
        ({"unknown_id": 9999}, r"training\.json: the id for unknown symbols, 9999, is not in the vocabulary"),
        ({"unknown_id": []}, r"training\.json: the id for unknown symbols, \[\]"),
        ({"merge_counts": [1, 2]}, r"training\.json must contain one count for each of the 20 merges"),
        ({"merge_counts": "many"}, r"training\.json must contain one count"),
        ([], r"training\.json is damaged: it must contain a JSON object"),
    ],
)
def test_damage_in_training_json_is_reported(changes: Any, message: str, tmp_path: Path) -> None:
    train_and_save(tmp_path)
    path = tmp_path / "training.json"
    path.write_text(json.dumps(changes and json.loads(path.read_text("utf-8")) | changes), "utf-8")
    with pytest.raises(FormatError, match=message):
        load(tmp_path)


def test_a_path_that_is_not_a_tokenizer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none does not exist\."):
        load(tmp_path / "none")
    expected = r"must contain one of tokenizer\.json, vocab\.json \+ merges\.txt, tekken\.json, ranks\.json, "
    with pytest.raises(FormatError, match=expected):
        load(tmp_path)
    (tmp_path / "notes.txt").touch()
    with pytest.raises(FormatError, match=r"is not a tokenizer file. Supported files are .*\*\.json, \*\.tiktoken, "):
        load(tmp_path / "notes.txt")
    (tmp_path / "vocab.json").write_text(VOCAB, "utf-8")
    with pytest.raises(FormatError, match=r"merges\.txt cannot be read: No such file"):
        load(tmp_path)


def test_other_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for content, reason in (
        ('{"a": "b"}', r"a\.json is not a tokenizer\.json file: it has no model\."),
        ("[1]", r"a\.json is not a tokenizer\.json file: it has no model\."),
        ("{\n'a'", r"a\.json, line 2, column 1: this is not valid JSON"),
    ):
        path.write_text(content, "utf-8")
        with pytest.raises(FormatError, match=reason):
            load(path)
    save_project(Project((), Recipe.of("minbpe"), (), 300, "low"), tmp_path / "my.bpe.json")
    with pytest.raises(FormatError, match=r"my\.bpe\.json is a bpe-gui project"):
        load(tmp_path / "my.bpe.json")


def test_a_tokenizer_json_is_recognised_by_its_beginning(tmp_path: Path) -> None:
    recognises = FORMATS["huggingface"].recognises
    assert recognises is not None
    tokenizer, other = tmp_path / "mine.json", tmp_path / "other.json"
    save(train("low low"), tokenizer, "huggingface")
    other.write_text(json.dumps({"model": {"name": "gpt"}, "text": "low " * 100_000, "vocab": {}}), "utf-8")
    assert recognises(tokenizer)
    assert not recognises(other)
    tokenizer.write_text(json.dumps({"model": json.loads(tokenizer.read_text("utf-8"))["model"]}), "utf-8")
    assert recognises(tokenizer)


def test_a_folder_cannot_replace_a_file(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("precious", "utf-8")
    for path in (tmp_path / "text.txt", tmp_path / "text.txt" / "deeper"):
        with pytest.raises(FormatError, match=r"cannot be written: .*text\.txt is a file, not a folder\."):
            save(train("low low"), path)
    assert (tmp_path / "text.txt").read_text("utf-8") == "precious"


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"Unknown tokenizer format 'tar'\. The formats are transformers, gpt2"):
        save(train("low low"), tmp_path, format="tar")
    with pytest.raises(FormatError, match="Unknown tokenizer format 'tar'"):
        load(tmp_path, format="tar")


def test_tokens_with_the_same_spelling_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"Two tokens \(ids 97 and 256\) would both be written as 'a'"):
        save(Tokenizer({97: b"a"}, [], {"a": 256}), tmp_path)
    with pytest.raises(FormatError, match=r"token '\\xff' is not valid UTF-8"):
        save(Tokenizer({0: b"\xff"}, [], recipe="cs336-toy"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_file_too_large_to_be_read_again_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpt2, "_MAX_BYTES", 1_000)
    with pytest.raises(FormatError, match=r"vocab\.json would be larger than 1,000 bytes"):
        save(train("a" * 2_000, recipe="cs336", num_merges=8), tmp_path)
    assert not list(tmp_path.iterdir())


# -- failures of writing ------------------------------------------------------------------------------------------


def refuse(code: int) -> Callable[..., None]:
    def fail(*_args: object, **_options: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize(
    ("where", "call", "code"), [(os, "fsync", errno.ENOSPC), (Path, "open", errno.EACCES)], ids=["disk", "permission"]
)
def test_what_cannot_be_written_leaves_the_old_files_unchanged(
    where: Any, call: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train_and_save(tmp_path)
    before = files_in(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(where, call, refuse(code))
        other = train("quite another text text text", num_merges=5)
        with pytest.raises(FormatError, match=rf"vocab\.json cannot be written: {os.strerror(code)}\. Nothing was"):
            save(other, tmp_path)
    assert files_in(tmp_path) == before


@pytest.mark.parametrize("failing", [1, 2, 3])
@pytest.mark.parametrize("old", [True, False], ids=["over old files", "into an empty folder"])
def test_a_failure_at_any_file_leaves_all_files_unchanged(
    failing: int, old: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if old:
        train_and_save(tmp_path)
    before = files_in(tmp_path)
    replace_file = Path.replace
    calls = iter(range(1, 99))

    def replace_some(self: Path, target: Path) -> Path:
        if next(calls) == failing:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        return replace_file(self, target)

    monkeypatch.setattr(Path, "replace", replace_some)
    name, reason = FORMATS["gpt2"].files[failing - 1], os.strerror(errno.ENOSPC)
    with pytest.raises(FormatError, match=rf"{name} cannot be written: {reason}\. Nothing was changed"):
        save(train("quite another text text text", num_merges=5), tmp_path)
    assert files_in(tmp_path) == before


def test_a_file_cannot_replace_a_folder(tmp_path: Path) -> None:
    (tmp_path / "merges.txt").mkdir()
    with pytest.raises(FormatError, match=r"merges\.txt cannot be written"):
        save(train("low low"), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["merges.txt"]


def test_a_failure_leaves_no_folder_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse(errno.ENOSPC))
        with pytest.raises(FormatError, match="No space left"):
            save(train("low low"), tmp_path / "mine" / "new" / "newer")
    assert list(tmp_path.iterdir()) == [tmp_path / "mine"]
    assert not list((tmp_path / "mine").iterdir())
    save(train("low low"), tmp_path / "mine" / "new")
    assert len(files_in(tmp_path / "mine" / "new")) == 3


@pytest.mark.parametrize("keys", [[f"k{number}" for number in range(50_000)], ["x" * 3_000_000]], ids=["many", "long"])
def test_a_repeated_key_is_found_quickly(keys: list[str], tmp_path: Path) -> None:
    entries = [f'"{key}": {number}' for number, key in enumerate([*keys, keys[-1]])]
    (tmp_path / "vocab.json").write_text("{\n" + ",\n".join(entries) + "\n}", "utf-8")
    (tmp_path / "merges.txt").write_text("", "utf-8")
    begin = process_time()
    with pytest.raises(FormatError, match=rf"line {len(keys) + 2}: the key '.*' occurs twice") as caught:
        load(tmp_path)
    assert process_time() - begin < 20, "quadratic time would be longer"
    assert len(str(caught.value)) < 500 + len(str(tmp_path))


@pytest.mark.parametrize("call", ["is_dir", "exists", "open"])
def test_a_missing_permission_to_read_is_reported(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train_and_save(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os if call == "open" else Path, call, refuse(errno.EACCES))
        with pytest.raises(FormatError, match="cannot be read: Permission denied"):
            load(tmp_path)
