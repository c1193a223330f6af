"""The pages of the site are true: their commands and programs run, in order, and print what stands below them.

A page is followed in a folder of its own, which has the samples, as a copy of this project does, and with no other
packages than those that the page tells the reader to install. A block with a caption is a file that the reader saves.
`shell` instead of `bash` means that a command needs a network, a window or a cluster.
"""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest

from bpe_gui.samples import samples

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = sorted((ROOT / "docs").glob("*/**/*.md"))
FENCE: Final = re.compile(
    r"^(?P<fence>`{3,})(?:\{code-block\} )?(?P<language>\w+)\n(?::caption: (?P<file>\S+)\n\n)?(?P<text>.*?)^(?P=fence)$"
    r"(?:\n+```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
NEEDS_MORE: Final = re.compile(
    r"\bpipx? |\buv |\bgit |s3://|tcp://|hf:|^bpe-gui( \S+\.(txt|json))?$|\.bpe\.json|\.venv|\bapt |docs\.build", re.M
)
"""Words that excuse a `shell` block from being run."""

OPTIONAL: Final = {
    "tokenizers": ("tokenizers",),
    "transformers": ("transformers", "tokenizers", "huggingface_hub", "jinja2"),
    "tiktoken": ("tiktoken",),
    "subword-nmt": ("subword_nmt",),
    "sentencepiece": ("sentencepiece",),
    "counts": ("pyarrow",),
    "cluster": ("pyarrow", "dask", "distributed"),
    "hub": ("huggingface_hub",),
    "chat": ("jinja2",),
}
"""The modules that a reader has after `pip install` with this package, or this extra of ours."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted({page.relative_to(ROOT / "docs").parts[1:] for page in PAGES}), ids="/".join)
def test_what_a_page_says_happens(name: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Follow the page in every language; where two languages run the same, once."""
    printed: dict[tuple[object, ...], list[str]] = {}
    for page in (page for page in PAGES if page.relative_to(ROOT / "docs").parts[1:] == name):
        blocks = [block for block in FENCE.finditer(page.read_text("utf-8")) if is_run(block)]
        absent = absent_modules(page.read_text("utf-8"))
        sources = (absent, *(block.group("language", "file", "text") for block in blocks))
        if sources not in printed:
            folder = tmp_path / str(len(printed))
            prepare_folder(folder, absent)
            monkeypatch.chdir(folder)
            values: dict[str, object] = {"__name__": "__main__"}
            with monkeypatch.context() as hiding:
                for module in absent:
                    hiding.setitem(sys.modules, module, None)
                printed[sources] = [what_is_printed(block, values) for block in blocks]
        for block, output in zip(blocks, printed[sources], strict=True):
            check(block["text"], output, block["output"])


def is_run(block: re.Match[str]) -> bool:
    """Return whether a block is a file or a program that can be run here."""
    if block["language"] == "shell":
        assert NEEDS_MORE.search(block["text"]), f"could be run:\n{block['text']}"
    is_command = block["language"] == "bash" and os.name == "posix"
    is_program = block["language"] == "python" and not re.search("pyspark|torch", block["text"])
    return bool(block["file"]) or is_command or is_program


def absent_modules(page: str) -> frozenset[str]:
    """Return the optional modules that a reader of a page need not have."""
    named = re.findall(r"[\w-]+", " ".join(re.findall(r"pip install ([^`\n]+)", page)))
    present = {module for name in named for module in OPTIONAL.get(name, ())}
    return frozenset(module for modules in OPTIONAL.values() for module in modules) - present


def what_is_printed(block: re.Match[str], values: dict[str, object]) -> str:
    """Save or run what is in a block, in the current folder; a program has the variables of those before it."""
    if block["file"]:
        Path(block["file"]).write_text(block["text"], encoding="utf-8")
        return ""
    if block["language"] == "bash":
        return printed_by_commands(block["text"], Path.cwd())
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block["text"], "a page", "exec"), values)
    return printed.getvalue()


def prepare_folder(folder: Path, absent: frozenset[str]) -> None:
    """Put the samples into the folder, and beside them the command `bpe-gui`, which finds no absent module."""
    target = folder / "resources" / "samples"
    target.mkdir(parents=True)
    for sample in samples():
        shutil.copy(sample.path, target)
    command = folder / ".bin" / "bpe-gui"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bpe_gui "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    for module in absent:
        (command.parent / f"{module}.py").write_text("raise ModuleNotFoundError(__name__)\n", encoding="utf-8")


def printed_by_commands(commands: str, folder: Path) -> str:
    path = os.pathsep.join([str(folder / ".bin"), os.environ["PATH"]])
    modules = os.pathsep.join([str(folder / ".bin"), str(ROOT)])
    environment = os.environ | {"PATH": path, "PYTHONPATH": modules, "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-e", "-c", commands], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    output = done.stdout.decode()
    assert done.returncode == 0, f"{commands}\n{output}"
    return output


def check(source: str, printed: str, expected: str | None) -> None:
    """Compare what was printed with what the page shows, where `…` stands for anything, and a version for any other."""
    if expected is None:
        return
    pattern = re.escape(trimmed(expected)).replace("…", ".*?")
    pattern = re.sub(r"\d+\\\.\d+\\\.\d+", r"\\d+(\\.\\d+)+", pattern)
    assert re.fullmatch(pattern, trimmed(printed), re.DOTALL), f"{source}\nprints\n{printed}\nnot\n{expected}"


def trimmed(text: str) -> str:
    """Return a text without white space at the ends of its lines."""
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def test_pictures_that_are_shown_are_taken() -> None:
    taken = {*re.findall(r"^@picture\ndef (\w+)", (ROOT / "docs" / "pictures.py").read_text("utf-8"), re.M)}
    shown = {name for page in PAGES for name in re.findall(r"\{picture\} ([\w-]+)", page.read_text("utf-8"))}
    assert shown == {name.replace("_", "-") for name in taken}


BROWSER: Final = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.compiles  # builds the site
@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_search_finds_pages_in_every_language(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "docs.build", str(tmp_path / "site"), "--without-pictures"]
    subprocess.run(command, cwd=ROOT, check=True)
    queries = {
        "en": {
            "train.bin": "faq",
            "chat template": "faq",
            "vocabulary size": "faq",
            "GGUF different": "faq",
            "embedding resize": "faq",
            "glitch tokens": "faq",
            "training data": "training-data",
            "special tokens": "faq",
        },
        "zh_CN": {
            "train.bin": "faq",
            "聊天模板": "faq",
            "词表大小": "faq",
            "GGUF": "faq",
            "嵌入矩阵": "faq",
            "故障词元": "faq",
            "训练数据": "training-data",
            "合并规则": "cs336",
        },
    }
    asked = [(language, query) for language, pages in queries.items() for query in pages]
    expected = [page for pages in queries.values() for page in pages.values()]
    assert dict(zip(asked, first_pages(tmp_path, asked), strict=True)) == dict(zip(asked, expected, strict=True))


ASKING: Final = """<body><script>
const answers = ADDRESSES.map(address => new Promise(resolve => {
  const frame = document.body.appendChild(document.createElement("iframe"));
  frame.src = address;
  const polling = setInterval(() => {
    const first = frame.contentDocument?.querySelector("#search-results li a");
    if (!first) return;
    clearInterval(polling);
    resolve(first.href.match(/([^/]+)[.]html[^/]*$/)[1]);
  }, 50);
}));
Promise.all(answers).then(pages => { document.title = JSON.stringify(pages); });
</script>"""
"""A page that asks the site's own search, and puts the names of the pages that come first into its title."""


def first_pages(folder: Path, asked: list[tuple[str, str]]) -> list[str]:
    """Return the page that each query finds first in its language, with one start of the browser for all."""
    addresses = [f"site/{language}/search.html?q={quote(query)}" for language, query in asked]
    page = folder / "asking.html"
    page.write_text(ASKING.replace("ADDRESSES", json.dumps(addresses)), "utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
    command = [str(BROWSER), *options, "--virtual-time-budget=60000", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    title = re.search("<title>(.*)</title>", shown)
    assert title, "a query found nothing"
    pages: list[str] = json.loads(title[1])
    return pages
