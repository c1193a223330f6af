"""The program as a process: pipes, interrupts, its help, its log, and that it does not start Qt."""

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from bpe_gui import __version__
from bpe_gui.cli.main import COMMANDS, main
from bpe_gui.engine import Tokenizer, save

PROGRAM = [sys.executable, "-m", "bpe_gui"]
posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals and pipes")


@pytest.mark.slow
def test_encoding_and_decoding_through_pipes(byte_tokenizer: Path) -> None:
    text = "low 你好\r\n\0".encode()
    arguments = ["--tokenizer", str(byte_tokenizer)]
    encoded = subprocess.run([*PROGRAM, "encode", *arguments], input=text, capture_output=True)
    decoded = subprocess.run([*PROGRAM, "decode", *arguments], input=encoded.stdout, capture_output=True)
    assert (encoded.returncode, encoded.stdout, encoded.stderr) == (0, b"258 32 228 189 160 229 165 189 13 10 0\n", b"")
    assert (decoded.returncode, decoded.stdout, decoded.stderr) == (0, text, b"")


@pytest.mark.slow
def test_output_is_utf8_whatever_the_terminal_has(byte_tokenizer: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*PROGRAM, "inspect", str(byte_tokenizer)], capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "·low" in done.stdout.decode("utf-8")


@pytest.mark.slow
def test_no_qt_is_imported(byte_tokenizer: Path, corpus: Path, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from bpe_gui.__main__ import main\n"
        f"assert main(['train', {str(corpus)!r}, '--num-merges', '1', '--output', {str(tmp_path)!r}]) == 0\n"
        f"assert main(['encode', '--tokenizer', {str(byte_tokenizer)!r}, {str(corpus)!r}]) == 0\n"
        f"assert main(['inspect', {str(byte_tokenizer)!r}]) == 0\n"
        "assert main(['--help']) == 0\n"
        "print([name for name in sys.modules if name.startswith(('PySide6', 'shiboken6'))], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stderr.splitlines()[-1] == b"[]"


@pytest.mark.slow
@posix
@pytest.mark.parametrize(("options", "first"), [([], b"108 111 119"), (["--tokens"], b"['l', 'o', 'w'")])
def test_ids_of_a_pipe_are_written_before_its_end(tmp_path: Path, options: list[str], first: bytes) -> None:
    save(Tokenizer({byte: bytes([byte]) for byte in range(256)}, [], recipe="cs336"), tmp_path)
    command = [*PROGRAM, "encode", "--tokenizer", str(tmp_path), *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b"low low")
        process.stdin.flush()
        assert select.select([process.stdout], [], [], 60)[0]  # although standard input is still open
        assert process.stdout.read(len(first)) == first
        rest, _messages = process.communicate(b"er")
    assert process.returncode == 0
    assert (first + rest).count(b",") == 8 or (first + rest).split() == [b"%d" % byte for byte in b"low lower"]


@posix
@pytest.mark.parametrize("command", [["inspect"], ["encode", "--tokenizer"]])
def test_a_reader_that_goes_away_is_not_a_mistake(byte_tokenizer: Path, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "text").write_text("low " * 100_000, encoding="utf-8")
    files = [str(tmp_path / "text")] if command[0] == "encode" else []
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run([*PROGRAM, *command, str(byte_tokenizer), *files], stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_to_a_full_disk_is_reported_like_a_mistake(byte_tokenizer: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*PROGRAM, "inspect", str(byte_tokenizer)], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == b"bpe-gui: standard output cannot be written: No space left on device.\n"


def _restore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _start_encoding(byte_tokenizer: Path) -> tuple["subprocess.Popen[bytes]", IO[bytes], IO[bytes]]:
    process = subprocess.Popen(
        [*PROGRAM, "encode", "--lines", "--tokenizer", str(byte_tokenizer)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # If a shell runs the tests in the background, they ignore interrupts, and so would their child processes.
        preexec_fn=_restore_interrupts if os.name == "posix" else None,
    )
    assert process.stdin
    assert process.stdout
    return process, process.stdin, process.stdout


@pytest.mark.slow
def test_lines_are_answered_before_the_input_ends(byte_tokenizer: Path) -> None:
    process, stdin, stdout = _start_encoding(byte_tokenizer)
    with process:
        for _ in range(2):
            stdin.write(b"low\n")
            stdin.flush()
            assert stdout.readline() == b"258\n"
        stdin.close()
        assert process.wait() == 0


@pytest.mark.slow
def test_the_environment_variable_turns_on_the_log(byte_tokenizer: Path) -> None:
    command = [*PROGRAM, "encode", "--tokenizer", str(byte_tokenizer)]
    environment = {**os.environ, "BPE_GUI_LOG": "debug", "PYTHONUTF8": "1"}
    done = subprocess.run(command, input=b"low", capture_output=True, env=environment)
    assert (done.returncode, done.stdout) == (0, b"258\n")
    assert f"INFO bpe_gui.cli.tokenizer_files [MainThread] opened {byte_tokenizer} as gpt2" in done.stderr.decode()


@pytest.mark.slow
@posix
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_the_program_quietly(byte_tokenizer: Path, number: signal.Signals, status: int) -> None:
    process, stdin, stdout = _start_encoding(byte_tokenizer)
    with process:
        stdin.write(b"low\n")
        stdin.flush()
        stdout.readline()
        while process.poll() is None:  # one that comes just before Python begins to read is noticed after reading
            process.send_signal(number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=20)
        assert process.returncode == status
        assert process.stderr
        assert process.stderr.read() == b""


@pytest.mark.slow
def test_a_mistake_has_no_traceback(tmp_path: Path) -> None:
    done = subprocess.run([*PROGRAM, "inspect", str(tmp_path)], capture_output=True)
    assert done.returncode == 2
    assert done.stderr.startswith(b"bpe-gui: ")
    assert done.stderr.count(b"\n") == 1


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"bpe-gui {__version__}\n"


def test_the_help_names_the_window_and_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert "the window opens" in text
    for command in COMMANDS:
        assert f"\n    {command} " in text
    assert main([]) == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_fits_a_terminal_and_any_encoding(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: bpe-gui {command} ")
    assert "examples:\n  bpe-gui " in text or "examples:\n  echo" in text
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 84  # argparse does not wrap the examples
