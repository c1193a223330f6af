"""`bpe-gui encode` writes ids, from which `decode` restores the same bytes."""

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bpe_gui.cli import coding, streams
from bpe_gui.cli.streams import ProgressLine
from bpe_gui.engine import load, save, train
from bpe_gui.engine.proof.proof import HARD_STRINGS
from bpe_gui.engine.tokenization.config import TokenizerConfig
from tests.engine.support.huggingface_samples import read, sample_json
from tests.engine.support.mixed_text import mixed_text

from .conftest import Run
from .test_train import Terminal

TEXTS = [
    "",
    "\n",
    "low lower",
    "low\nlower\n\n",
    "low\r\nlower\r",
    "\N{BYTE ORDER MARK}low",
    "a\0b",
    "你好 ✔ 👩‍👩‍👧",
    "x<|endoftext|><|endoftext|>y",
    "one\u2028two\x85three\x0bfour",
    "low " * 20_000,
    "\U0001f600" * 40_000,
]
each_text = pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:12]))


@each_text
def test_decoding_gives_the_encoded_bytes_back(run: Run, byte_tokenizer: Path, text: str) -> None:
    status, ids, messages = run("encode", "--tokenizer", byte_tokenizer, stdin=text.encode())
    assert (status, messages) == (0, "")
    assert list(map(int, ids.split())) == load(byte_tokenizer).encode(text)
    assert ids.count(b"\n") == 1
    assert run("decode", "--tokenizer", byte_tokenizer, stdin=ids).output == text.encode()


@each_text
def test_files_are_encoded_as_standard_input_is(run: Run, byte_tokenizer: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "text").write_bytes(text.encode())
    ids = run("encode", "--tokenizer", byte_tokenizer, tmp_path / "text").output
    assert ids == run("encode", "--tokenizer", byte_tokenizer, "-", stdin=text.encode()).output
    (tmp_path / "ids").write_bytes(ids)
    assert run("decode", "--tokenizer", byte_tokenizer, tmp_path / "ids").output == text.encode()


def test_a_line_of_ids_for_each_file(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    for name, text in (("one", "low\nlow"), ("none", ""), ("two", "x")):
        (tmp_path / name).write_text(text, newline="", encoding="utf-8")
    files = [tmp_path / name for name in ("one", "none", "two")]
    ids = run("encode", "--tokenizer", byte_tokenizer, *files).output
    assert ids == b"258 10 258\n\n120\n"
    assert run("decode", "--tokenizer", byte_tokenizer, stdin=ids).output == b"low\nlowx"


@pytest.mark.parametrize("text", ["low\nx\n", "low\r\nx\r\n", "low\nx"])
def test_a_line_of_ids_for_each_line(run: Run, byte_tokenizer: Path, text: str) -> None:
    ids = run("encode", "--lines", "--tokenizer", byte_tokenizer, stdin=text.encode()).output
    assert ids == b"258\n120\n"
    assert run("decode", "--lines", "--tokenizer", byte_tokenizer, stdin=ids).output == b"low\nx\n"


def test_lines_end_at_line_feeds_alone(run: Run, byte_tokenizer: Path) -> None:
    ids = run("encode", "--lines", "--tokenizer", byte_tokenizer, stdin="\n\na\u2028b\x0c\rc\n\n".encode()).output
    assert ids.count(b"\n") == 4
    assert run("decode", "--lines", "--tokenizer", byte_tokenizer, stdin=ids).output == (
        "\n\na\u2028b\x0c\rc\n\n".encode()
    )


def test_blocks_of_input_may_end_anywhere(run: Run, byte_tokenizer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "low 你好\r\n👍 low\r\n\r\nlow"
    whole = [run("encode", "--tokenizer", byte_tokenizer, *lines, stdin=text.encode()) for lines in ([], ["--lines"])]
    monkeypatch.setattr(streams, "_CHUNK_BYTES", 1)
    parts = [run("encode", "--tokenizer", byte_tokenizer, *lines, stdin=text.encode()) for lines in ([], ["--lines"])]
    assert parts == whole
    assert run("decode", "--tokenizer", byte_tokenizer, stdin=parts[0].output).output == text.encode()


@pytest.mark.parametrize("batch", [1, 2, 3, 1000])
def test_spaces_that_a_recipe_drops_come_back_between_batches(
    run: Run, word_tokenizer: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(streams, "_CHUNK_BYTES", batch)
    ids = run("encode", "--tokenizer", word_tokenizer, stdin=b"low newest  wider low\nlow").output
    assert run("decode", "--tokenizer", word_tokenizer, stdin=ids).output == b"low newest wider low low"


@pytest.mark.parametrize("batch", [1, 2, 3, 1000])
@pytest.mark.parametrize("name", ["llama2", "decoded by list", "decoded by Metaspace", "suffix"])
def test_a_text_is_decoded_in_batches_as_at_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int, name: str
) -> None:
    """A character may be several tokens for bytes, which must be decoded together."""
    monkeypatch.setattr(streams, "_CHUNK_BYTES", batch)
    tokenizer = read(tmp_path, sample_json(name))
    ids = tokenizer.encode("low ᚠᚢ lower the")
    given = " ".join(map(str, ids)).encode()
    assert run("decode", "--tokenizer", tmp_path, stdin=given).output == tokenizer.decode_bytes(ids)


SPECIAL = b"low<|endoftext|>"


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ([], [258, 256]),
        (["all"], [258, 256]),
        (["<|endoftext|>"], [258, 256]),
        (["none"], [258, *b"<|endoft", *b"ext|>"]),
    ],
)
@pytest.mark.parametrize("lines", [[], ["--lines"]])
def test_special_tokens_are_obeyed_as_asked(
    run: Run, byte_tokenizer: Path, options: list[str], ids: list[int], lines: list[str]
) -> None:
    allowed = [argument for option in options for argument in ("--allowed-special", option)]
    status, output, messages = run("encode", "--tokenizer", byte_tokenizer, *lines, *allowed, stdin=SPECIAL)
    assert (status, messages) == (0, "")
    assert list(map(int, output.split())) == ids
    assert run("decode", "--tokenizer", byte_tokenizer, stdin=output).output == SPECIAL


def test_a_special_token_is_refused_where_it_stands(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes("é ".encode() + SPECIAL)
    result = run("encode", "--tokenizer", byte_tokenizer, "--allowed-special", "none_raise", tmp_path / "text")
    assert result.status == 2
    assert (
        "text: The text has the special token '<|endoftext|>' at character 5, where none is allowed" in result.messages
    )
    arguments = ("encode", "--tokenizer", byte_tokenizer, "--allowed-special", "none_raise")
    assert run(*arguments, stdin=b"low").output == b"258\n"


@pytest.mark.parametrize("given", [["<|e|>"], ["none", "<|endoftext|>"], [""]])
def test_a_name_that_is_not_a_special_token_is_named(run: Run, byte_tokenizer: Path, given: list[str]) -> None:
    allowed = [argument for option in given for argument in ("--allowed-special", option)]
    status, output, messages = run("encode", "--tokenizer", byte_tokenizer, *allowed, stdin=b"low")
    assert (status, output) == (2, b"")
    assert f"The name {given[0]!r} in allowed_special is not a special token of this tokenizer" in messages


@pytest.mark.parametrize("batch", [1, 1000])
@pytest.mark.parametrize("lines", [[], ["--lines"]])
def test_special_tokens_are_skipped(
    run: Run, byte_tokenizer: Path, monkeypatch: pytest.MonkeyPatch, batch: int, lines: list[str]
) -> None:
    monkeypatch.setattr(streams, "_CHUNK_BYTES", batch)
    arguments = ("decode", "--tokenizer", byte_tokenizer, "--skip-special-tokens", *lines)
    assert run(*arguments, stdin=b"258 256 258").output.strip() == b"lowlow"


def test_ids_may_be_separated_by_any_white_space(run: Run, byte_tokenizer: Path) -> None:
    given = b"  108\t111\r\n\n119 \n"
    assert run("decode", "--tokenizer", byte_tokenizer, stdin=given).output == b"low"


def test_bytes_that_are_not_text_are_decoded_exactly(run: Run, byte_tokenizer: Path) -> None:
    assert run("decode", "--tokenizer", byte_tokenizer, stdin=b"255 13 10 0 228").output == b"\xff\r\n\0\xe4"


def test_text_in_another_encoding(run: Run, byte_tokenizer: Path) -> None:
    arguments = ["encode", "--tokenizer", byte_tokenizer, "--encoding"]
    assert run(*arguments, "gb18030", stdin="你".encode("gb18030")).output == b"228 189 160\n"
    assert run(*arguments, "utf-16", stdin="low".encode("utf-16")).output == b"258\n"


def test_ids_that_powershell_wrote(run: Run, byte_tokenizer: Path) -> None:
    ids = "258\r\n".encode("utf-16")
    assert run("decode", "--tokenizer", byte_tokenizer, "--encoding", "utf-16", stdin=ids).output == b"low"


def test_invalid_bytes_are_replaced_when_asked(run: Run, byte_tokenizer: Path) -> None:
    arguments = ["encode", "--tokenizer", byte_tokenizer, "--replace-invalid"]
    assert run(*arguments, stdin=b"\xff").output == b"239 191 189\n"


def test_progress_is_shown_while_the_output_goes_elsewhere(
    run: Run, byte_tokenizer: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(ProgressLine, "_SECONDS", 0)
    run("encode", "--tokenizer", byte_tokenizer, corpus)
    assert terminal.getvalue().startswith("\rEncoding: 100% of 44 bytes")
    terminal.truncate(0)

    class Screen(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Screen(io.BytesIO()))
    run("encode", "--tokenizer", byte_tokenizer, corpus)
    assert terminal.getvalue() == ""


@pytest.mark.slow
def test_a_file_comes_back_exactly(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    text = "".join((*HARD_STRINGS, mixed_text(200_000))).encode()
    (tmp_path / "text").write_bytes(text)
    ids = run("encode", "--tokenizer", byte_tokenizer, tmp_path / "text").output
    assert run("decode", "--tokenizer", byte_tokenizer, stdin=ids).output == text


CHAT = [{"role": "user", "content": "low"}, {"role": "bot", "content": "lower"}]
CHAT_TEMPLATES = {
    "default": "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    "{{ '>' if add_generation_prompt }}{{ x }}",
    "tool_use": "{{ tools | tojson }}",
    "wrong": "\n{{ raise_exception('no chats') }}",
}


@pytest.fixture(scope="module")
def chat_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a model with chat templates."""
    folder = tmp_path_factory.mktemp("model")
    config = TokenizerConfig({"chat_template": CHAT_TEMPLATES})
    tokenizer = train("low low lower", num_merges=3, special_tokens=["<|endoftext|>"]).with_config(config)
    save(tokenizer, folder, "transformers")
    return folder


@pytest.mark.parametrize(
    ("given", "options", "text"),
    [
        (CHAT, [], "<user>low<bot>lower"),
        ({"messages": CHAT, "x": 7}, [], "<user>low<bot>lower7"),
        (CHAT, ["--add-generation-prompt"], "<user>low<bot>lower>"),
        ({"messages": CHAT, "add_generation_prompt": True}, [], "<user>low<bot>lower>"),
        ({"messages": CHAT, "tools": [{"a": 1}]}, [], '[{"a": 1}]'),
        ({"messages": CHAT, "tools": [{"a": 1}]}, ["--chat-template", "default"], "<user>low<bot>lower"),
    ],
)
def test_a_chat_becomes_the_ids_of_its_text(
    run: Run, chat_model: Path, tmp_path: Path, given: object, options: list[str], text: str
) -> None:
    (tmp_path / "chat.json").write_text(json.dumps(given), encoding="utf-8")
    status, ids, messages = run("encode", "-t", chat_model, "--chat", tmp_path / "chat.json", *options)
    assert (status, messages) == (0, "")
    assert list(map(int, ids.split())) == load(chat_model).encode(text)
    assert run("encode", "-t", chat_model, "--chat", "-", *options, stdin=json.dumps(given).encode()).output == ids


def test_a_special_token_in_a_message_is_said(run: Run, chat_model: Path) -> None:
    chat = json.dumps([*CHAT, {"role": "user", "content": "x<|endoftext|>"}])
    status, _ids, messages = run("encode", "-t", chat_model, "--chat", "-", stdin=chat.encode())
    assert status == 0
    assert messages == (
        "Message 3 has '<|endoftext|>' in its text, which becomes the special token, as in transformers.\n"
    )


@pytest.mark.parametrize(
    ("given", "options", "sentence"),
    [
        ("{", [], "standard input, line 1, column 2: this is not valid JSON"),
        ("5", [], "standard input must be a list of messages, such as"),
        ('{"messages": {}}', [], "standard input must be a list of messages, such as"),
        ("[]", [], "standard input: A chat needs at least one message."),
        ("[1]", [], "standard input: Message 1 must be an object"),
        ('{"messages": [{}], "tools": 5}', [], "standard input: The tools must be"),
        ("[{}]", ["--chat-template", "rag"], "There is no chat template 'rag'. This tokenizer has default, tool_use"),
        ("[{}]", ["--chat-template", "wrong"], "standard input: The chat cannot be rendered (line 2 of"),
        ("[{}]", ["--lines"], "leave out other files and --lines"),
        ("[{}]", ["a.txt"], "leave out other files and --lines"),
    ],
)  # fmt: skip
def test_a_chat_that_is_refused(run: Run, chat_model: Path, given: str, options: list[str], sentence: str) -> None:
    status, ids, messages = run("encode", "-t", chat_model, "--chat", "-", *options, stdin=given.encode())
    assert (status, ids) == (2, b"")
    assert sentence in messages


def test_a_chat_for_a_tokenizer_without_a_template(run: Run, byte_tokenizer: Path) -> None:
    status, _ids, messages = run("encode", "-t", byte_tokenizer, "--chat", "-", stdin=b"[{}]")
    assert status == 2
    assert "This tokenizer has no chat template" in messages


def test_the_text_is_shown_with_its_tokens(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "lines").write_text("low lower\nwidest", encoding="utf-8")
    command = "encode", "-t", byte_tokenizer, "--show", "--lines", tmp_path / "lines"
    tokens = [load(byte_tokenizer).tokenize(line) for line in ("low lower", "widest")]
    assert run(*command).output.decode() == "".join("|".join(map(bytes.decode, row)) + "\n" for row in tokens)


def test_a_decoded_text_on_a_terminal_ends_its_line(
    run: Run, byte_tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run("decode", "-t", byte_tokenizer, stdin=b"108 111").output == b"lo\n"


def test_text_is_written_as_its_ids_arrive(byte_tokenizer: Path) -> None:
    tokenizer = load(byte_tokenizer)
    taken: list[str] = []

    def arriving() -> Iterator[list[str]]:
        for text in ("l", "ow"):
            taken.append(text)
            yield [str(i) for i in tokenizer.encode(text)]

    pieces = coding._decoded(tokenizer, arriving(), skips=False)
    assert (next(pieces), taken) == (b"l", ["l"])
    assert b"".join(pieces) == b"ow"
