"""Everything that documents and workflows name exists: commands, options, modules, paths, names, menus and keys."""

import argparse
import ast
import contextlib
import importlib.util
import io
import pkgutil
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bpe_gui.cli import arguments as command_line
from bpe_gui.engine import PRESETS
from bpe_gui.gui.window.actions import ACTIONS

ROOT = Path(__file__).parents[1]
PAGES = tuple(sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*/**/*.md")))
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "tests/benchmarks/README.md", *PAGES)
SCRIPTS = (".ci/run", ".ci/bare", ".ci/everything", ".ci/libraries", ".ci/checks.py", ".github/workflows/checks.yml")
ROOMS = ("", "bpe_gui", "bpe_gui/engine", "bpe_gui/gui", "bpe_gui/gui/window", "tests")
"""The folders that documents name paths from."""

SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
SHELL = ("bash", "shell")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
RUN = re.compile(r"python3? -m ([^`\n]+)")
EXTRA = re.compile(r"(?:\.|bpe-gui)\[([\w,]+)\]")
MARKER = re.compile(r'pytest .*-m "(?:not )?(\w+)"')
NAMES_IN_MODULE = re.compile(r"((?:`[\w.]+`(?:, | and |, and )?)+),? (?:in|of) `([\w/]+\.py)`")
DOTTED = re.compile(r"\b((?:bpe_gui|tests)(?:\.\w+)+)")
KEYS = re.compile(r"((Ctrl|Alt|Shift)\+)+\S+|F\d+|[→←]")
OWN_TOP = ("bpe_gui", "build_kernels", "tests", "resources", "docs", ".ci", ".github")


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def spans(name: str) -> list[str]:
    """Return what stands in backticks in the running text of a document."""
    return SPAN.findall(BLOCK.sub("", read(name)))


def shell_lines(name: str) -> Iterator[str]:
    """Yield the commands in the shell blocks of a document, and those in backticks."""
    for language, block in BLOCK.findall(read(name)):
        if language in SHELL:
            for line in block.splitlines():
                yield from re.split(r"\s&&\s", line.partition(" #")[0])
    yield from spans(name)


@cache
def sources() -> str:
    """Return all Python sources of the project, apart from these tests."""
    paths = [path for folder in ("bpe_gui", "docs", "tests") for path in (ROOT / folder).rglob("*.py")]
    return "\n".join(path.read_text("utf-8") for path in paths if path != Path(__file__))


@cache
def words_of_sources() -> frozenset[str]:
    return frozenset(re.findall(r"\w+", sources()))


# -- commands ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*DOCUMENTS, *SCRIPTS])
def test_modules_that_are_run_exist_and_know_their_options(name: str) -> None:
    for line in RUN.findall(read(name)):
        module, *rest = line.split()
        if module in ("pip", "venv"):  # not of this project; the first need not be in an environment
            continue
        found = importlib.util.find_spec(module)
        assert found is not None, module
        if found.submodule_search_locations is not None:
            found = importlib.util.find_spec(f"{module}.__main__")
        assert found is not None and found.origin is not None, f"{module} cannot be run"
        source = Path(found.origin).read_text("utf-8")
        for option in OPTION.findall(" ".join(rest)):
            assert f'"{option}"' in source, f"{module} has no {option}"


@cache
def options_of_sources() -> frozenset[str]:
    return frozenset(OPTION.findall(sources()))


@cache
def known_options() -> dict[str, set[str]]:
    """Return the options of each command of `bpe-gui`."""
    options = {}
    for command in command_line.COMMANDS:
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown), pytest.raises(SystemExit):
            command_line.parse([command, "--help"])
        options[command] = {*OPTION.findall(shown.getvalue())}
    return options


def test_commands_in_shell_blocks_are_accepted() -> None:
    parsed = 0
    for name in DOCUMENTS:
        for language, block in BLOCK.findall(read(name)):
            for line in block.splitlines() if language in SHELL else ():
                for command in re.split(r"\s&&\s", line):
                    words = shlex.split(re.split(r" [>|]", command)[0], comments=True)
                    if words[:1] == ["bpe-gui"] and words[1:]:
                        assert isinstance(command_line.parse(words[1:]), argparse.Namespace)
                        parsed += 1
    assert parsed >= 14


@pytest.mark.parametrize("name", DOCUMENTS)
def test_options_that_are_mentioned_exist(name: str) -> None:
    known = known_options()
    every = options_of_sources() | {"--help", "--version"}
    for span in shell_lines(name):
        words = span.replace("bpe-gui ", "").split()
        own = known.get(words[0]) if words else None
        if own is not None:
            assert {*OPTION.findall(span)} <= own, span
        elif words and words[0].startswith("--"):
            assert {*OPTION.findall(span)} <= every, span


def test_the_test_command_of_the_readme_is_the_one_that_is_run() -> None:
    lines = [line for line in read("README.md").splitlines() if ".venv/bin/pytest" in line]
    assert len(lines) == 1
    assert "grep -m 1 '\\.venv/bin/pytest' README.md" in read(".ci/everything")
    assert "s/^sudo apt install //p" in read(".ci/libraries")
    assert sum(line.startswith("sudo apt install ") for line in read("README.md").splitlines()) == 1


@pytest.mark.parametrize("name", [*DOCUMENTS, *SCRIPTS])
def test_extras_and_markers_exist(name: str) -> None:
    settings = tomllib.loads(read("pyproject.toml"))
    extras = EXTRA.findall(read(name))
    assert {each for names in extras for each in names.split(",")} <= settings["project"][
        "optional-dependencies"
    ].keys()
    markers = {each.partition(":")[0] for each in settings["tool"]["pytest"]["ini_options"]["markers"]}
    assert {*MARKER.findall(read(name))} <= markers


def test_the_documents_have_what_is_looked_for() -> None:
    text = "\n".join(map(read, (*DOCUMENTS, *SCRIPTS)))
    for pattern, least in ((RUN, 20), (EXTRA, 10), (MARKER, 2), (NAMES_IN_MODULE, 5), (DOTTED, 40)):
        assert len(pattern.findall(text)) >= least, pattern


# -- paths and names --------------------------------------------------------------------------------------------------


def is_path(span: str) -> bool:
    """Return whether what stands in backticks is a path into this project; files of formats are not."""
    if not re.fullmatch(r"[\w./-]+", span) or span.startswith(("..", "/", ".venv", "~")):
        return False
    return (span.partition("/")[0] in OWN_TOP and "/" in span) or bool(re.search(r"\w\.(py|toml|ts|qm|md)$", span))


@cache
def own_paths() -> frozenset[str]:
    return frozenset(f"/{path.relative_to(ROOT).as_posix()}" for top in OWN_TOP for path in (ROOT / top).rglob("*"))


@pytest.mark.parametrize("name", [*DOCUMENTS, *SCRIPTS])
def test_paths_exist(name: str) -> None:
    named = list(filter(is_path, spans(name) if name in DOCUMENTS else re.findall(r"[\w./-]+", read(name))))
    named += re.findall(r"\]\(([\w./-]+)\)", read(name))
    for path in named:
        known = [ROOT / room / path for room in ROOMS] + [(ROOT / name).parent / path]
        assert any(each.exists() for each in known) or any(each.endswith(f"/{path}") for each in own_paths()), path


@pytest.mark.parametrize("name", DOCUMENTS)
def test_names_are_in_the_modules_that_are_said_to_have_them(name: str) -> None:
    modules = [path for top in ("bpe_gui", "tests") for path in (ROOT / top).rglob("*.py")]
    for names, module in NAMES_IN_MODULE.findall(read(name)):
        found = [path.read_text("utf-8") for path in modules if f"/{path.as_posix()}".endswith(f"/{module}")]
        for each in SPAN.findall(names):
            if not each.endswith(".py"):
                word = each.rpartition(".")[2]
                assert any(re.search(rf"\b{word}\b", source) for source in found), f"{each} in {module}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_names_in_code_exist(name: str) -> None:
    words = words_of_sources()
    for span in spans(name):
        if re.fullmatch(r"@?[A-Za-z_][\w.]*(\(.*\))?", span) and not is_path(span):
            last = span.partition("(")[0].lstrip("@").rpartition(".")[2]
            is_a_name = "_" in last.strip("_") or re.fullmatch(r"[A-Z][a-z]+[A-Z]\w*|[A-Z]{3,}", last)
            if (is_a_name and f".{last}" not in span.replace(f"`{span}`", "")) or span.startswith("bpe_gui."):
                assert last in words, span


def test_modules_named_with_dots_can_be_imported() -> None:
    for name in (*DOCUMENTS, *SCRIPTS):
        for dotted in DOTTED.findall(read(name)):
            if not re.search(r"\.(py|ts|qm|toml)$", dotted) and f'"{dotted}"' not in sources():  # a key, say
                assert pkgutil.resolve_name(dotted) is not None


# -- the window -------------------------------------------------------------------------------------------------------


def test_menus_that_are_mentioned_exist() -> None:
    texts = {
        constant.value.replace("&", "").rstrip("….")
        for path in (ROOT / "bpe_gui" / "gui").rglob("*.py")
        for constant in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    }
    paths = [span.split(" > ") for name in DOCUMENTS for span in spans(name) if re.match(r"[A-Z]\w+ > [A-Z]", span)]
    assert len(paths) >= 10
    for path in paths:
        assert [part for part in path if part.rstrip("….") not in texts] == [], path


def test_menus_that_are_mentioned_in_chinese_exist() -> None:
    catalogue = ElementTree.parse(ROOT / "resources" / "i18n" / "bpe_gui_zh_CN.ts")
    texts = {re.sub(r"\(&\w\)", "", each.text or "").rstrip("…") for each in catalogue.iter("translation")}
    pages = [name for name in PAGES if "/zh_CN/" in name]
    paths = [span.split(" > ") for name in pages for span in spans(name) if re.match(r"[一-龥]+ > ", span)]
    assert len(paths) >= 10
    for path in paths:
        assert [part for part in path if part.rstrip("….") not in texts] == [], path


def test_keys_that_are_mentioned_exist() -> None:
    arrows = {"→": "Right", "←": "Left", "Space": "Space", "Home": "Home", "End": "End"}
    known = {key for spec in ACTIONS.values() for key in spec.keys} | {"Esc", "Tab", "Ctrl+Tab"}
    mentioned = [span for name in ("README.md", *PAGES) for span in spans(name) if KEYS.fullmatch(span)]
    assert len(mentioned) > 40
    for span in mentioned:
        assert "".join(arrows.get(each, each) for each in re.split(r"(\+)", span)) in known, span


def test_presets_that_are_mentioned_exist() -> None:
    text = read("docs/en/reference/window.md")
    listed = re.search(r"Choose a preset \(([^)]*)\)", text)
    assert listed is not None
    assert set() < {*SPAN.findall(listed[1])} <= PRESETS.keys()
    assert "all presets" in text


def test_the_citation_is_of_the_last_version() -> None:
    version, date = re.findall(r"^## (\S+) — (\S+)$", read("CHANGELOG.md"), re.M)[0]
    assert re.findall(r"^(?:version|date-released): (.*)$", read("CITATION.cff"), re.M) == [f'"{version}"', date]


def test_variables_of_the_environment_are_read() -> None:
    named = {variable for name in DOCUMENTS for variable in re.findall(r"BPE_GUI_\w+", read(name))}
    assert named and all(f'"{variable}"' in sources() for variable in named)


def test_the_python_of_the_documents_is_python() -> None:
    for name in DOCUMENTS:
        for language, block in BLOCK.findall(read(name)):
            if language == "python":
                compile(block, name, "exec")
