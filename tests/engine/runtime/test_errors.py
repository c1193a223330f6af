"""Every sentence of the engine gets the values it names, so that no error message is itself an error."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import bpe_gui.engine
from bpe_gui.engine import EngineError, FormatError
from bpe_gui.engine.runtime.errors import how_to_install
from tests.engine.support.error_classes import engine_errors

_FOLDER = Path(bpe_gui.engine.__file__).parent


_AFTER_A_PLACE = ("LineError", "_RowError")
"""Errors whose sentences follow the place of a mistake and a colon."""


def raised_sentences() -> Iterator[tuple[str, str, set[str], bool]]:
    """Yield where an error is made, its template, the names of its values, and whether a mapping of values follows."""
    kinds = set(engine_errors())
    for path in sorted(_FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            first = node.args[0]
            if isinstance(first, ast.Call) and ast.unparse(first).startswith("_(''"):
                template = first.args[1]
            elif isinstance(node.func, ast.Name) and node.func.id in kinds:
                template = first
            else:
                continue
            if (
                isinstance(template, ast.Constant) and isinstance(template.value, str) and path.name != "syntax.py"
            ):  # which has phrases
                names = {keyword.arg for keyword in node.keywords if keyword.arg} - {"error", "text_fields"}
                has_mapping = any(keyword.arg is None for keyword in node.keywords)
                follows_a_place = isinstance(node.func, ast.Name) and node.func.id in _AFTER_A_PLACE
                names |= {"path"} if follows_a_place else set()
                yield f"{path.name}:{node.lineno}", "{path}: " * follows_a_place + template.value, names, has_mapping


def _fields(template: str) -> set[str]:
    return {name for _text, name, _format, _conversion in Formatter().parse(template) if name is not None}


_FIRST_WORDS = (
    "{path}",
    "{reason}",  # a sentence itself
    "{name}",
    "{endpoint}",
    "vocab.json",
    "merges.txt",
    "tokenizer.json",
    "tiktoken",
    "subword-nmt",
    "llama.cpp",
)
"""Names that may begin a sentence without a capital letter."""


def test_a_sentence_names_the_values_it_is_given() -> None:
    number = 0
    for number, (where, template, given, has_mapping) in enumerate(raised_sentences(), 1):  # noqa: B007
        wanted = _fields(template)
        assert "" not in wanted, f"{where}: a field without a name cannot be reordered by a translator"
        assert given <= wanted if has_mapping else given == wanted, where
        assert template[0].isupper() or template.startswith(_FIRST_WORDS), where
        assert template.endswith((".", "{reason}", "({reason})", "{remedy}")), where
    assert number > 400


def test_an_error_is_formatted_in_english_and_keeps_its_values() -> None:
    error = FormatError("{path}, line {line}: {token!r}.", path=Path("a.json"), line=3, token="x")
    assert str(error) == "a.json, line 3: 'x'."
    assert error.template.format(**error.values) == str(error)
    assert isinstance(error, EngineError) and isinstance(error, ValueError)


@pytest.mark.parametrize(
    "value",
    ["x" * 10**6, b"x" * 10**6, ["x"] * 10**5, 10**4000, ValueError("x" * 10**6)],
    ids=lambda v: type(v).__name__,
)
@pytest.mark.parametrize("template", ["The token {token!r}.", "The token {token}."])
def test_a_sentence_quotes_no_more_than_can_be_read(template: str, value: object) -> None:
    assert len(str(EngineError(template, token=value))) < 300


def test_a_long_number_with_a_format_is_truncated() -> None:
    assert str(EngineError("There are {count:,}.", count=10**300)).endswith("000….")


def test_a_path_is_never_truncated() -> None:
    path = Path("/".join(["folder"] * 100))
    assert EngineError("{path} is gone.", path=path).values == {"path": path}


def test_a_program_with_an_environment_of_its_own_is_given_packages_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    (tmp_path / "uv-receipt.toml").touch()
    assert f'`uv pip install --python "{tmp_path}" gguf`' in str(how_to_install("gguf"))
    (tmp_path / "pipx_metadata.json").touch()
    assert '`pipx inject bpe-gui "bpe-gui[counts]"`' in str(how_to_install("bpe-gui[counts]"))


def test_a_program_that_cannot_be_given_packages_does_not_ask_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert str(how_to_install("gguf")) == "To install it, run `pip install gguf`."
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert "install bpe-gui with Python instead: `pip install bpe-gui gguf`." in str(how_to_install("gguf"))
    assert str(how_to_install("bpe-gui[cluster]")).endswith('`pip install "bpe-gui[cluster]"`.')
