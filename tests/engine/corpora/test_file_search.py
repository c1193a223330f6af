"""Patterns match the right files; a search copes with circular links, unreadable folders and too many files."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bpe_gui.engine import FileSearch
from tests.pipes import make_pipe

TREE = """
    a.txt b.md .hidden.txt notes/one.txt notes/two.md notes/deep/three.txt notes/.git/four.txt .cache/five.txt
    odd[1]/six.txt odd1/seven.txt
"""

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in TREE.split():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


def matches(folder: Path, patterns: str, base: Path | None = None) -> list[str]:
    """Return the paths of the files found, relative to `base` or the folder."""
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
def test_files_that_a_pattern_matches(tree: Path, patterns: str, expected: str) -> None:
    assert matches(tree, patterns) == expected.split()


def test_a_pattern_may_begin_elsewhere(tree: Path) -> None:
    assert matches(Path("/nowhere"), f"{tree}/notes/**/*.md", tree) == ["notes/two.md"]
    assert matches(tree / "notes", "../*.txt", tree) == ["a.txt"]


def test_a_pattern_may_begin_at_home(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tree))
    monkeypatch.setenv("USERPROFILE", str(tree))
    assert matches(Path("/nowhere"), "~/notes/*.md", tree) == ["notes/two.md"]


def test_the_name_of_the_folder_is_not_a_pattern(tree: Path) -> None:
    assert matches(tree / "odd[1]", "**/*.txt") == ["six.txt"]


def test_overlapping_patterns_find_each_file_once_in_order(tree: Path) -> None:
    assert matches(tree, "notes/*.txt;**/*.txt;notes/one.txt") == matches(tree, "**/*.txt")


def test_the_state_of_a_file_shows_changes(tree: Path) -> None:
    search = FileSearch(tree, "a.txt")
    search.run()
    status = (tree / "a.txt").stat()
    assert search.files[0].state == (status.st_size, status.st_mtime_ns, status.st_ino)


@needs_links
def test_circular_links_end(tree: Path) -> None:
    (tree / "notes" / "up").symlink_to(tree, target_is_directory=True)
    (tree / "notes" / "self").symlink_to(tree / "notes" / "self")
    assert matches(tree, "**/*.md") == ["b.md", "notes/two.md"]


@needs_links
def test_a_link_to_a_folder_is_followed_and_a_broken_one_is_not(
    tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "far.md").write_text("far")
    (tree / "linked").symlink_to(elsewhere, target_is_directory=True)
    (tree / "gone.md").symlink_to(elsewhere / "gone.md")
    assert matches(tree, "**/*.md") == ["b.md", "linked/far.md", "notes/two.md"]


def test_a_pipe_is_not_found(tree: Path) -> None:
    make_pipe(tree / "pipe.txt")
    assert matches(tree, "*.txt") == ["a.txt"]


def test_an_unreadable_folder_is_reported_and_skipped(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_start_that_is_not_a_folder_is_unreadable(tree: Path, name: str) -> None:
    search = FileSearch(tree / name, "*")
    search.run()
    assert (search.files, search.folders, search.unreadable) == ([], 0, [tree / name])


def test_it_stops_at_too_many_files(tree: Path) -> None:
    search = FileSearch(tree, "**/*.txt", max_files=3)
    search.run()
    assert (len(search.files), search.limited) == (3, True)
    exactly = FileSearch(tree, "**/*.txt", max_files=5)
    exactly.run()
    assert (len(exactly.files), exactly.limited) == (5, False)


def test_progress_may_stop_it(tree: Path) -> None:
    def stop(done: int, _total: int) -> None:
        if done == 2:
            raise InterruptedError

    search = FileSearch(tree, "**/*")
    with pytest.raises(InterruptedError):
        search.run(stop)
    assert len(search.files) == 2


def test_a_name_that_is_not_unicode(tree: Path) -> None:
    try:
        (tree / os.fsdecode(b"b\xff.txt")).write_text("low")
    except (OSError, UnicodeError):
        pytest.skip("this file system refuses such names")
    assert matches(tree, "b*.txt") == [os.fsdecode(b"b\xff.txt")]
