"""What a pattern matches, and what a search meets on its way: links in a circle, folders that are closed, too much."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bpe_gui.engine.corpora.file_search import FileSearch

TREE = """
    a.txt b.md .hidden.txt notes/one.txt notes/two.md notes/deep/three.txt notes/.git/four.txt .cache/five.txt
    odd[1]/six.txt odd1/seven.txt
"""

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a right there")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in TREE.split():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


def found(folder: Path, patterns: str, base: Path | None = None) -> list[str]:
    search = FileSearch(folder, patterns)
    search.run()
    assert search.size == sum(file.size for file in search.files)
    return [file.path.relative_to(base or folder).as_posix() for file in search.files]


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ("*.txt", "a.txt"),
        ("**/*.txt", "a.txt notes/deep/three.txt notes/one.txt odd1/seven.txt odd[1]/six.txt"),
        ("**/**/three.*", "notes/deep/three.txt"),
        ("notes/*.txt;*.md", "b.md notes/one.txt"),
        ("*.md ; **/*.md; ;", "b.md notes/two.md"),
        ("notes/**", "notes/deep/three.txt notes/one.txt notes/two.md"),
        ("notes/**/*.txt", "notes/deep/three.txt notes/one.txt"),
        ("**/deep/*", "notes/deep/three.txt"),
        ("*/t?o.md", "notes/two.md"),
        ("[ab].*", "a.txt b.md"),
        ("[!a].*", "b.md"),
        ("odd[[]1]/*", "odd[1]/six.txt"),
        ("odd[1]/*", "odd1/seven.txt"),
        ("a.txt", "a.txt"),
        ("./notes/../a.txt", "a.txt"),
        ("notes", ""),
        ("**/*.html", ""),
        (".hidden.txt", ".hidden.txt"),
        (".*", ".hidden.txt"),
        (".cache/*", ".cache/five.txt"),
        ("**/.git/*", "notes/.git/four.txt"),
        ("a**t", "a.txt"),
        ("[", ""),
        ("", ""),
        (";", ""),
    ],
)
def test_a_pattern_matches(tree: Path, patterns: str, expected: str) -> None:
    assert found(tree, patterns) == expected.split()


def test_a_pattern_may_begin_elsewhere(tree: Path) -> None:
    assert found(Path("/nowhere"), f"{tree}/notes/**/*.md", tree) == ["notes/two.md"]
    assert found(tree / "notes", "../*.txt", tree) == ["a.txt"]


def test_a_pattern_may_begin_at_home(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tree))
    monkeypatch.setenv("USERPROFILE", str(tree))
    assert found(Path("/nowhere"), "~/notes/*.md", tree) == ["notes/two.md"]


def test_the_folder_itself_is_no_pattern(tree: Path) -> None:
    assert found(tree / "odd[1]", "**/*.txt") == ["six.txt"]


def test_overlapping_patterns_find_a_file_once_and_all_is_sorted(tree: Path) -> None:
    assert found(tree, "notes/*.txt;**/*.txt;notes/one.txt") == found(tree, "**/*.txt")


def test_what_tells_whether_a_file_is_still_the_same_one(tree: Path) -> None:
    search = FileSearch(tree, "a.txt")
    search.run()
    status = (tree / "a.txt").stat()
    assert search.files[0].state == (status.st_size, status.st_mtime_ns, status.st_ino)


@needs_links
def test_links_in_a_circle_end(tree: Path) -> None:
    (tree / "notes" / "up").symlink_to(tree, target_is_directory=True)
    (tree / "notes" / "self").symlink_to(tree / "notes" / "self")
    assert found(tree, "**/*.md") == ["b.md", "notes/two.md"]


@needs_links
def test_a_link_to_a_folder_is_followed_and_one_to_nowhere_is_not(
    tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "far.md").write_text("far")
    (tree / "linked").symlink_to(elsewhere, target_is_directory=True)
    (tree / "gone.md").symlink_to(elsewhere / "gone.md")
    assert found(tree, "**/*.md") == ["b.md", "linked/far.md", "notes/two.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_no_file(tree: Path) -> None:
    os.mkfifo(tree / "pipe.txt")
    assert found(tree, "*.txt") == ["a.txt"]


def test_a_folder_that_is_closed_is_told_and_passed_by(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan = os.scandir

    @contextmanager
    def guarded(folder: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
        if folder == tree / "notes":
            raise PermissionError(13, "Permission denied", str(folder))
        with scan(folder) as entries:
            yield entries

    monkeypatch.setattr(os, "scandir", guarded)
    search = FileSearch(tree, "**/*.md")
    search.run()
    assert [file.path for file in search.files] == [tree / "b.md"]
    assert search.unreadable == [tree / "notes"]


@pytest.mark.parametrize("name", ["gone", "a.txt", "zero\0", "l" * 300])
def test_a_folder_that_is_none(tree: Path, name: str) -> None:
    search = FileSearch(tree / name, "*")
    search.run()
    assert (search.files, search.folders, search.unreadable) == ([], 0, [tree / name])


def test_it_stops_where_there_is_too_much(tree: Path) -> None:
    search = FileSearch(tree, "**/*.txt", most=3)
    search.run()
    assert (len(search.files), search.limited) == (3, True)
    exactly = FileSearch(tree, "**/*.txt", most=5)
    exactly.run()
    assert (len(exactly.files), exactly.limited) == (5, False)


def test_it_can_be_stopped(tree: Path) -> None:
    def stop(done: int, _total: int) -> None:
        if done == 2:
            raise InterruptedError

    search = FileSearch(tree, "**/*")
    with pytest.raises(InterruptedError):
        search.run(stop)
    assert len(search.files) == 2


def test_a_name_that_is_no_unicode(tree: Path) -> None:
    try:
        (tree / os.fsdecode(b"b\xff.txt")).write_text("low")
    except (OSError, UnicodeError):
        pytest.skip("this file system takes no such names")
    assert found(tree, "b*.txt") == [os.fsdecode(b"b\xff.txt")]
