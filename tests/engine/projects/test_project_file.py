"""Project files: they restore what was saved, find files that moved, and report damage by its location."""

import json
import os
import random
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bpe_gui.engine import EngineError, FileDocument, FormatError, Plan, Recipe, TextDocument, Tokenizer, train
from bpe_gui.engine.projects import project_file as project_file_module
from bpe_gui.engine.projects.project import Digest, OpenedFile, Project, ProjectBranch, ProjectDocument
from bpe_gui.engine.projects.project_file import load_project, save_project
from bpe_gui.engine.runtime import bounded_json

TEXT = "low low lower widest <|end|> newest 你好 newest " * 3
SPECIAL = ("<|end|>",)
RECORDS = FileDocument(Path("a.jsonl.zst").absolute(), field="content", skip_bad_lines=True)
EMPTY = Project((), Recipe.of("cs336"), (), 1000, "")


def trained_project(recipe: str) -> Project:
    run = train(TEXT, recipe=recipe, num_merges=9, special_tokens=SPECIAL)
    return Project((ProjectDocument("a", TextDocument(TEXT)),), Recipe.of(recipe), SPECIAL, 300, "lowest", run, 4)


def save_and_load(project: Project, path: Path) -> Project:
    save_project(project, path)
    return load_project(path)


def same_run(run: Tokenizer | None, other: Tokenizer | None) -> bool:
    if run is None or other is None:
        return run is other
    attributes = ("vocab", "merges", "merge_counts", "special_tokens", "recipe")
    return all(getattr(run, name) == getattr(other, name) for name in attributes)


def same(project: Project, other: Project) -> bool:
    return same_run(project.run, other.run) and replace(project, run=None) == replace(other, run=None)


@pytest.mark.parametrize("recipe", ["cs336", "minbpe", "bbpe", "char-eow", "zh-en", "subword-nmt", "cs336-toy"])
def test_runs_of_several_presets_are_restored(tmp_path: Path, recipe: str) -> None:
    project = trained_project(recipe)
    restored = save_and_load(project, tmp_path / "a.bpe.json")
    assert same(project, restored)
    assert project.run is not None and restored.run is not None
    assert restored.run.encode("newest lower") == project.run.encode("newest lower")


@pytest.mark.parametrize(
    "project",
    [
        EMPTY,
        replace(EMPTY, text='quote " back\\slash \t\r\n\0 \x7f \u2028 \ufeff 你好 👩‍👩‍👧'),
        replace(EMPTY, text='"[{,' * 100_000),
        replace(EMPTY, documents=(ProjectDocument("lone surrogate", TextDocument("a\ud83db")),)),
        replace(EMPTY, recipe=Recipe(splitter=r"\w+|\s", min_count=3), special_tokens=("<a>", "<a><b>", "\n")),
        replace(EMPTY, stale=True, saved_as=Path("elsewhere.bpe.json").absolute()),
        replace(EMPTY, opened=OpenedFile(Path("ranks.tiktoken").absolute(), 7, r"\w+", {"<|x|>": 9})),
        replace(EMPTY, opened=OpenedFile(Path("folder").absolute(), 0)),
        replace(EMPTY, opened=OpenedFile(Path("cached").absolute(), 2, published_name="hf:me/mine")),
        replace(EMPTY, documents=(ProjectDocument("", TextDocument(""), Path("edited.txt").absolute()),)),
        replace(
            EMPTY,
            documents=(
                ProjectDocument("a", TextDocument("a"), weight=Fraction(1, 10)),
                ProjectDocument("b", TextDocument("b"), weight=Fraction(1, 3)),
            ),
        ),
        replace(EMPTY, documents=(ProjectDocument("", RECORDS, RECORDS.path),)),
    ],
    ids=[
        "empty",
        "characters",
        "long",
        "surrogate",
        "recipe",
        "recovery",
        "ranks",
        "opened",
        "published",
        "edited",
        "weights",
        "records",
    ],
)
def test_everything_is_restored(tmp_path: Path, project: Project) -> None:
    assert same(project, save_and_load(project, tmp_path / "a.bpe.json"))


def test_a_file_that_does_not_say_whether_a_tokenizer_is_published_can_be_opened(tmp_path: Path) -> None:
    project, path = replace(EMPTY, opened=OpenedFile(Path("folder").absolute(), 3)), tmp_path / "a.bpe.json"
    save_project(project, path)
    content = json.loads(path.read_text("utf-8"))
    del content["opened"]["published_name"]
    path.write_text(json.dumps(content), "utf-8")
    assert load_project(path) == project


def with_file(path: Path) -> Project:
    file = FileDocument(path, "gb18030", True)
    return replace(EMPTY, documents=(ProjectDocument("a", file, path, Digest.of(path)),))


def path_of(project: Project) -> Path | None:
    return project.documents[0].path


def test_files_are_found_at_the_same_path(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("low", "utf-8")
    project = with_file(text)
    assert save_and_load(project, tmp_path / "deep" / "er" / "a.bpe.json") == project


def test_files_that_moved_with_the_project_are_found(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "texts").mkdir(parents=True)
    (old / "texts" / "a.txt").write_text("low", "utf-8")
    save_project(with_file(old / "texts" / "a.txt"), old / "a.bpe.json")
    shutil.copytree(old, new)
    assert path_of(load_project(new / "a.bpe.json")) == new / "texts" / "a.txt"
    (new / "texts" / "a.txt").write_text("something else", "utf-8")
    assert path_of(load_project(new / "a.bpe.json")) == old / "texts" / "a.txt", (
        "it should prefer the file with the size that was saved"
    )
    shutil.rmtree(old)
    assert path_of(load_project(new / "a.bpe.json")) == new / "texts" / "a.txt"


def test_a_project_that_moved_alone_finds_its_files(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("low", "utf-8")
    save_project(with_file(text), tmp_path / "a.bpe.json")
    (tmp_path / "elsewhere").mkdir()
    moved = (tmp_path / "a.bpe.json").rename(tmp_path / "elsewhere" / "a.bpe.json")
    assert path_of(load_project(moved)) == text


def test_digests_of_different_files_differ(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "b").write_bytes(b"abd")
    seen: list[tuple[int, int]] = []
    assert Digest.of(tmp_path / "a", lambda done, total: seen.append((done, total))) == Digest(
        3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    assert seen == [(3, 3)]
    assert Digest.of(tmp_path / "a") != Digest.of(tmp_path / "b")
    assert Digest.of(tmp_path / "missing") is Digest.of(tmp_path) is Digest.of(Path("a\0b")) is None


def test_a_project_is_saved_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.bpe.json"
    save_project(EMPTY, path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda _file: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(FormatError, match=r"cannot be written: No space left on device\. Nothing was changed"):
        save_project(replace(EMPTY, text="more"), path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["a.bpe.json"]


def test_a_project_too_large_to_be_loaded_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_file_module, "MAX_BYTES", 1000)
    with pytest.raises(FormatError, match="up to 1,000 bytes can be opened again"):
        save_project(replace(EMPTY, text="x" * 1000), tmp_path / "a.bpe.json")
    assert not list(tmp_path.iterdir())


def test_a_project_with_too_many_merges_to_be_loaded_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_json, "MAX_VALUES", 1_400)
    path = tmp_path / "a.bpe.json"
    run = train("low lower lowest", num_merges=3)
    save_project(replace(EMPTY, run=run, text="," * 3_000), path)
    assert same_run(load_project(path).run, run)
    path.unlink()
    branch = ProjectBranch("other", run.recipe, Plan(), run, 0)
    with pytest.raises(FormatError, match="too many merges to be opened again"):
        save_project(replace(EMPTY, run=run, branches=(branch,)), path)
    assert not list(tmp_path.iterdir())


# -- damaged and hostile files -----------------------------------------------------------------------------------------


def damage(tmp_path: Path, changes: dict[str, Any]) -> Path:
    """Save a project with changed values, located as in the errors, and return its path."""
    path = tmp_path / "a.bpe.json"
    save_project(trained_project("cs336"), path)
    root = json.loads(path.read_text("utf-8"))
    for name, value in changes.items():
        *parents, last = name.split(".")
        container = root
        for parent in parents:
            container = container[int(parent) if parent.isdigit() else parent]
        container[int(last) if last.isdigit() else last] = value
    path.write_text(json.dumps(root), "utf-8")
    return path


DAMAGES: dict[str, tuple[dict[str, Any], str]] = {
    "another kind of file": ({"format": "recipe"}, "is not a bpe-gui project"),
    "a newer version": ({"version": 2}, "saved by a newer version of bpe-gui"),
    "a version that is not a number": ({"version": "1"}, "version must be an integer"),
    "documents": ({"documents": {}}, r"documents must be a list, not \{"),
    "a document": ({"documents.0": 3}, r"documents\[0\] must be a JSON object, not 3"),
    "a title": ({"documents.0.title": None}, r"documents\[0\]\.title must be a string"),
    "a text": ({"documents.0.text": 1.5}, r"documents\[0\]\.text must be a string, not 1\.5"),
    "neither text nor file": ({"documents.0": {"title": "a"}}, r"documents\[0\]\.replace_invalid|documents\[0\]\.file"),
    "a path": ({"documents.0.file": {"relative": 1, "absolute": "/a"}}, r"file\.relative must be a string"),
    "no absolute path": ({"documents.0.file": {"relative": "a"}}, r"file\.absolute must be a string"),
    "a hash": ({"documents.0": {"title": "a", "size": 1, "sha256": "Z" * 64}}, "must be 64 hexadecimal digits"),
    "a size": ({"documents.0": {"title": "a", "size": -1, "sha256": "0" * 64}}, r"size must be an integer"),
    "a weight": ({"documents.0.weight": "0"}, r"documents\[0\]\.weight: The weight '0' is not a number from"),
    "a weight that is not text": ({"documents.0.weight": 3}, r"documents\[0\]\.weight must be a string, not 3"),
    "a recipe": ({"recipe.units": []}, "recipe: The recipe's units cannot be"),
    "a switch": ({"recipe.speed": 1}, "recipe: Unknown recipe setting 'speed'"),
    "a pattern": ({"recipe.splitter": "(" * 99}, "recipe: "),
    "no recipe": ({"recipe": None}, "recipe: A recipe must be a JSON object"),
    "special tokens": ({"special_tokens": ["a", "a"]}, "special_tokens: The special token 'a' occurs twice"),
    "a special token": ({"special_tokens": [7]}, r"special_tokens\[0\] must be a string, not 7"),
    "many special tokens": ({"special_tokens": ["a"] * 10_001}, "special_tokens must have at most 10,000 values"),
    "an enormous size": ({"vocab_size": 10**400}, "vocab_size must be an integer"),
    "a size that is a boolean": ({"vocab_size": True}, "vocab_size must be an integer"),
    "a step beyond the run": ({"step": 10}, "step must be an integer from 0 to 9, not 10"),
    "a negative step": ({"step": -1}, "step must be an integer"),
    "a step without a run": ({"run": None}, "step must be an integer from 0 to 0, not 4"),
    "a text to encode": ({"text": ["a"]}, r"text must be a string, not \[…\]"),
    "stale": ({"stale": 1}, "stale must be true or false, not 1"),
    "a run": ({"run": []}, "run must be a JSON object"),
    "an id": ({"run.vocabulary.0.0": "x"}, r"run\.vocabulary\[0\] must be a unique id"),
    "an id that is a boolean": ({"run.vocabulary.1.0": True}, r"run\.vocabulary\[1\] must be a unique id"),
    "an id given twice": ({"run.vocabulary.1.0": 0}, r"run\.vocabulary\[1\] must be a unique id"),
    "an id out of range": ({"run.vocabulary.0.0": 2**31}, "run: The vocabulary contains the id"),
    "a token": ({"run.vocabulary.0.1": "€"}, r"run\.vocabulary\[0\] contains '€', which does not represent a byte"),
    "a merge": ({"run.merges.3": ["a", "b"]}, r"run\.merges\[3\] must be two tokens separated by a space"),
    "a part of a merge": ({"run.merges.3": " a"}, r"run\.merges\[3\] must be two tokens separated by a space"),
    "a merge of unknown tokens": (
        {"run.merges.3": "qq q"},
        r"run\.merges\[3\]: the token 'qq' is not in the vocabulary",
    ),
    "counts": ({"run.counts": [1]}, r"run\.counts must have one count for each of the 9 merges"),
    "a count": ({"run.counts.2": 2**70}, r"run\.counts\[2\] must be an integer"),
    "an id of a special token": ({"run.special_tokens": {"<a>": 10**20}}, "must be an integer"),
    "ids of special tokens": ({"run.special_tokens": {"<a>": 1}}, "run: The special token '<a>' has the id 1"),
    "an opened tokenizer": ({"opened": "x"}, "opened must be a JSON object"),
    "the project's own file": ({"saved_as": 5}, "saved_as must be a string"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_reported_by_its_location(tmp_path: Path, name: str) -> None:
    changes, message = DAMAGES[name]
    with pytest.raises(FormatError, match=message):
        load_project(damage(tmp_path, changes))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1, column 1: this is not valid JSON"),
        (b"[]", "is not a bpe-gui project"),
        (b"\xff\xfe", "is not valid UTF-8"),
        (b"[" * 100_000, "is not valid JSON"),
        (b'{"a": ' * 100_000, "is not valid JSON"),
        (b'{"version": ' + b"9" * 5000 + b"}", "is not valid JSON"),
        (b'{"text": "", "text": ""}', "the key 'text' occurs twice"),
        (b'{"format": "bpe-gui project", "version": 1, "documents": [' + b"[]," * (1 << 18), "contains more"),
        (b'["' + rb"\"" * (1 << 23), "is not valid JSON"),
    ],
    ids=["empty", "list", "bytes", "deep list", "deep object", "digits", "twice", "many values", "open string"],
)
def test_a_file_that_is_not_a_project_is_refused(
    tmp_path: Path, content: bytes, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_json, "MAX_VALUES", 1 << 18)
    path = tmp_path / "a.bpe.json"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message):
        load_project(path)


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.bpe.json"
    save_project(trained_project("cs336-toy"), path)
    whole = path.read_bytes().rstrip()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError, match=r"a\.bpe\.json"):
            load_project(path)


@pytest.mark.slow
def test_random_damage_is_refused_or_gives_a_project_that_can_be_saved(tmp_path: Path) -> None:
    path, rng = tmp_path / "a.bpe.json", random.Random(1)
    save_project(trained_project("zh-en"), path)
    whole, refused = path.read_bytes(), 0
    for _ in range(400):
        damaged = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.choice(b'"[]{},:0189-aZ\\ \xc4\xff')
        path.write_bytes(damaged)
        try:
            project = load_project(path)
        except EngineError:
            refused += 1
        else:
            assert same(project, save_and_load(project, path))
    assert 0 < refused < 400


def test_a_path_that_is_not_a_file_is_refused(tmp_path: Path) -> None:
    paths = [tmp_path, tmp_path / "missing", Path("a\0b"), Path("a" * 300)]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        paths.append(tmp_path / "pipe")
    for path in paths:
        with pytest.raises(FormatError, match="is not a readable file"):
            load_project(path)


def test_a_document_with_an_impossible_name_counts_as_missing(tmp_path: Path) -> None:
    for name in ("a\0b", "a" * 5000):
        file = {"title": "a", "file": {"relative": name, "absolute": f"/{name}"}, "replace_invalid": False}
        project = load_project(damage(tmp_path, {"documents.0": file}))
        assert project.documents[0].path == Path(f"/{name}").absolute()
