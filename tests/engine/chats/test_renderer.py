"""A template that fails, loops, fills the memory or reaches for Python is stopped, and its line is named."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest

from bpe_gui.engine import TokenizerError
from bpe_gui.engine.chats import renderer
from bpe_gui.engine.chats.renderer import Allowance, rendered


@pytest.mark.parametrize(
    ("template", "line", "reason"),
    [
        ("a\n{% for %}", 2, "Expected an expression"),
        ("a\n\n{{ x.y.z }}", 3, "'x' is undefined"),
        ("\n{{ raise_exception('no ' ~ 'images') }}", 2, "no images"),
        ("\n\n{{ ''.__class__ }}", 3, "'__class__' of 'str' object is unsafe"),
        ("\n{% set c = ''['__class__'] %}", 2, "'__class__' of 'str' object is unsafe"),
        ("\n{{ raise_exception.__globals__ }}", 2, "unsafe"),
        ("\n{{ messages.append(1) }}", 2, "unsafe"),
        ("{% set n = namespace() %}\n{% set n.__init__ = 1 %}", 2, "unsafe"),
        ("{% set a = 1 %}\n\n{% set n = namespace(__class__=a) %}", 3, "unsafe"),
        ("{% macro f(n) %}\n{{ f(n + 1) }}{% endmacro %}\n{{ f(0) }}", 2, "RecursionError"),
        ("\n{{ " + "(" * 9999 + "1" + ")" * 9999 + " }}", 2, "RecursionError"),
        ("\n{% for i in range(10 ** 9) %}{% endfor %}", 2, "Range too big"),
        ("\n{% include 'other' %}", 2, "loader"),
    ],
)
def test_a_template_that_fails(template: str, line: int, reason: str) -> None:
    with pytest.raises(TokenizerError, match=reason) as raised:
        rendered(template, {"messages": [1]})
    assert f"(line {line} of the chat template)" in str(raised.value)


@pytest.mark.parametrize(
    ("template", "line"),
    [
        ("\n{% for i in range(99999) %}\n{% for j in range(99999) %}{% endfor %}{% endfor %}", 3),
        ("{% macro f() %}\n{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
         "{% endmacro %}\n\n{{ f() }}", 2),
        ("\n\n\n{{ 9 ** (9 ** 9) }}", 4),  # in one operation, which keeps Python's lock
        ("\n\n{{ lipsum(n=99999) }}", 3),
    ],
)  # fmt: skip
def test_a_template_that_does_not_end(template: str, line: int) -> None:
    with pytest.raises(TokenizerError, match=rf"\(line {line} of the chat template\): it takes more than 1 s of"):
        rendered(template, {}, Allowance(0.1))


@pytest.mark.parametrize(
    "template",
    [
        "\n{{ 'a' * 10 ** 9 }}",
        "\n{{ 'a' | center(10 ** 12) }}",
        "\n{% set x = [0] * 10 ** 10 %}",
        "\n{{ '%1000000000d' | format(1) }}",
    ],
)
def test_a_template_that_fills_the_memory(template: str) -> None:
    with pytest.raises(TokenizerError, match=r"\(line 2 of the chat template\): it takes more than 256 MB of memory"):
        rendered(template, {}, Allowance(60))


def test_a_text_of_twenty_million_characters() -> None:
    with pytest.raises(TokenizerError, match="it takes more than 256 MB of memory"):
        rendered("{{ 'a' * 20000000 }}", {}, Allowance(60))


def test_a_template_of_a_million_characters() -> None:
    with pytest.raises(TokenizerError, match="more than 1,048,576 characters"):
        rendered(" " * 2_000_000, {})


def test_after_a_hostile_template_others_are_rendered() -> None:
    assert rendered("{{ x }}", {"x": "low"}) == "low"
    with pytest.raises(TokenizerError, match="of processor time"):
        rendered("{{ 9 ** (9 ** 9) }}", {}, Allowance(0.2))
    assert rendered("{{ x }}", {"x": "lower\n\u2028é\ud800"}) == "lower\n\u2028é\ud800"


@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be stopped")
def test_a_busy_computer_does_not_end_a_template() -> None:
    rendered("", {})
    process = renderer._renderer._process
    assert process is not None
    process.send_signal(signal.SIGSTOP)  # as if others had all processors
    Timer(1.5, process.send_signal, [signal.SIGCONT]).start()
    assert rendered("{{ x }}", {"x": "low"}) == "low"
    assert renderer._renderer._process is process


def test_several_renderings_share_an_allowance() -> None:
    allowance = Allowance()
    for _number in range(2):
        left = allowance.seconds
        rendered("{% for i in range(9999) %}{{ i }}{% endfor %}", {}, allowance)
        assert 0 < allowance.seconds < left
    allowance.seconds = 0.02
    with pytest.raises(TokenizerError, match="of processor time"):
        rendered("{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}", {}, allowance)
    assert allowance.seconds == 0
    before = renderer._renderer._process
    with pytest.raises(TokenizerError, match="of processor time"):
        rendered("", {}, allowance)
    assert renderer._renderer._process is before


def test_the_process_is_kept() -> None:
    rendered("", {})
    before = renderer._renderer._process
    rendered("{{ 1 }}", {})
    assert renderer._renderer._process is before


def test_a_process_that_has_ended_is_replaced() -> None:
    rendered("", {})
    process = renderer._renderer._process
    assert process is not None
    process.kill()
    process.wait()
    assert rendered("{{ 2 }}", {}) == "2"


def test_without_jinja_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer._renderer.close()
    monkeypatch.setattr(renderer, "find_spec", lambda _name: None)
    with pytest.raises(TokenizerError, match=r'pip install "bpe-gui\[chat\]"'):
        rendered("", {})


def test_a_process_that_cannot_start(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    renderer._renderer.close()
    monkeypatch.setattr(Path, "with_name", lambda _path, name: f"no-such-{name}")
    with pytest.raises(TokenizerError, match="the process that renders it has ended"):
        rendered("", {})
    assert "did not start" in caplog.text


def test_the_bundled_program_renders_by_itself() -> None:
    request = json.dumps(["{{ x }}", {"x": "low"}]) + "\n"
    program = [sys.executable, "-m", "bpe_gui", "--render-chats"]
    done = subprocess.run(program, input=request, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["text"] == "low"
