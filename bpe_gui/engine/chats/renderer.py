"""Render chat templates in a process that is ended if one takes too much time or memory."""

import atexit
import json
import logging
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO, Any, Final, NoReturn

from bpe_gui.engine.runtime.errors import EngineError, TokenizerError, how_to_install
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.forking import ForkLock

_SECONDS: Final = (
    1.0  # of processor time that rendering may take; on a busy computer, waiting for a processor takes longer
)
_MEMORY: Final = 256 << 20  # bytes that rendering may take, besides some for each character of its input
_PER_CHARACTER: Final = 16  # bytes
_HARD_MEMORY: Final = 3 * _MEMORY  # bytes more, at which the process is ended even before the template's line is known
_LONGEST: Final = 1 << 20  # characters of a template
_PATIENCE: Final = 60.0  # seconds without an answer, after which something is wrong with the process
_POLL: Final = 0.02  # seconds between checks of the time and memory it has taken
_KEPT_LINES: Final = 2_000  # of what it writes about where the template is
_FRAME: Final = re.compile(r'File "<template>", line (\d+)')
_ANYWHERE: Final = _("", "the chat template")
_IN_LINE: Final = _("", "line {line} of the chat template")
_SENTENCES: Final = {
    "wrong": _("", "The chat cannot be rendered ({where}): {reason}"),
    "slow": _("", "The chat was not rendered ({where}): it takes more than {seconds:g} s of processor time."),
    "large": _("", "The chat was not rendered ({where}): it takes more than {size} MB of memory."),
    "ended": _("", "The chat was not rendered ({where}): the process that renders it has ended."),
}
_logger: Final = logging.getLogger(__name__)


@dataclass
class Allowance:
    """The processor time, in seconds, that is left for one or several renderings."""

    seconds: float = _SECONDS


def rendered(template: str, variables: Mapping[str, Any], allowance: Allowance | None = None) -> str:
    """Return the text that a template makes of its variables, which are JSON values.

    Raise TokenizerError with the line of a template that fails, or takes more time or memory than any should need.

    >>> rendered("{{ messages[0].content | upper }}", {"messages": [{"content": "low"}]})
    'LOW'
    """
    if len(template) > _LONGEST:
        raise TokenizerError("The chat template has more than {most:,} characters.", most=_LONGEST)
    try:
        request = json.dumps([template, variables])
    except (TypeError, ValueError, RecursionError) as error:
        raise TokenizerError("A chat can only contain values that JSON has: {reason}", reason=error) from error
    allowance = allowance or Allowance()
    if allowance.seconds <= 0:
        _fail("slow", None)
    answer = _renderer.answer(request, allowance)
    return str(answer["text"]) if "text" in answer else _fail(**answer)


def _fail(kind: str, line: int | None, reason: str = "") -> NoReturn:
    where = EngineError(_ANYWHERE) if line is None else EngineError(_IN_LINE, line=line)
    raise TokenizerError(_SENTENCES[kind], where=where, reason=reason, seconds=_SECONDS, size=_MEMORY >> 20)


class _Renderer:
    """The process, started when it is first needed and then kept. One thread at a time can use it."""

    def __init__(self) -> None:
        self._lock: Final = ForkLock(guards_state=False)  # `_owner` tells a child what is not its own
        self._process: subprocess.Popen[str] | None = None
        self._owner = 0  # the id of the process that started it; a fork of that needs a renderer of its own
        self._answers = SimpleQueue[str]()
        self._places = deque[str](maxlen=_KEPT_LINES)

    def answer(self, request: str, allowance: Allowance) -> dict[str, Any]:
        """Return what the process answers, or why it was ended."""
        with self._lock:
            process = self._started()
            self._places.clear()
            try:
                with suppress(OSError):  # it has ended, which is noticed below
                    print(request, file=process.stdin, flush=True)
                return self._awaited(process, allowance, _MEMORY + _PER_CHARACTER * len(request))
            except BaseException:
                self.close()
                raise

    def _started(self) -> "subprocess.Popen[str]":
        if self._process is not None and self._owner == os.getpid() and self._process.poll() is None:
            return self._process
        self.close()
        if find_spec("jinja2") is None:
            raise TokenizerError("To render chats, jinja2 is needed. {remedy}", remedy=how_to_install("bpe-gui[chat]"))
        self._owner = os.getpid()
        self._process = process = subprocess.Popen(
            _command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="ascii",
            errors="replace",
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},  # to find the same packages
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._answers, self._places = SimpleQueue(), deque(maxlen=_KEPT_LINES)
        for stream, take in ((process.stdout, self._answers.put), (process.stderr, self._places.append)):
            Thread(target=_forward, args=(stream, take), name="chats", daemon=True).start()
        with suppress(Empty):
            if self._answers.get(timeout=_PATIENCE):
                return process
        _logger.error("the process that renders chats did not start: %s", "".join(self._places))
        self.close()
        _fail("ended", None)

    def _awaited(self, process: "subprocess.Popen[str]", allowance: Allowance, most: int) -> dict[str, Any]:
        """Return the answer of the process, or end it if it exceeds the allowance or takes `most` bytes more memory."""
        end, before = monotonic() + _PATIENCE, None
        while True:
            kind = ""
            with suppress(Empty):
                if answer := self._answers.get(timeout=_POLL):
                    found = dict(json.loads(answer))
                    allowance.seconds -= found.pop("seconds")
                    return found
                kind = "ended"
            (seconds, memory), line = _usage_of(process.pid), _line("".join(self._places))
            before = before or (seconds, memory)
            if memory - before[1] > (most if line else most + _HARD_MEMORY):
                kind = "large"
            elif not kind and seconds - before[0] >= allowance.seconds:
                kind = "slow"
            elif monotonic() >= end:
                kind = "ended"
            if kind:
                self.close()
                allowance.seconds = 0
                return {"kind": kind, "line": line}

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()
            with suppress(OSError):
                process.stdin.close()  # type: ignore[union-attr]


def _command() -> list[str]:
    if getattr(sys, "frozen", False):  # a frozen program cannot run a Python file
        return [sys.executable, "--render-chats"]
    # In a virtual environment on Windows, `sys.executable` starts another process, whose memory would not be watched.
    python = getattr(sys, "_base_executable", "") if sys.platform == "win32" else ""
    return [python or sys.executable, "-P", str(Path(__file__).with_name("sandbox.py"))]


def _forward(stream: IO[str], take: Callable[[str], object]) -> None:
    """Call `take` with the lines of a process's stream as they come, and with an empty text at its end."""
    with stream:
        for line in stream:
            take(line)
    take("")


def _usage_of(pid: int) -> tuple[float, int]:
    """Return a process's processor time in seconds and its memory in bytes; zeros if it has ended."""
    import psutil  # takes 20 ms, in which most templates are rendered

    try:
        process = psutil.Process(pid)
        times = process.cpu_times()
        return times.user + times.system, int(process.memory_info().rss)
    except psutil.Error:
        return 0.0, 0


def _line(written: str) -> int | None:
    """Return the line of the template that the process last reported to be at; None if it reported none.

    >>> _line('lines 1=12&2=15 Timeout! File "runtime.py", line 9 in f File "<template>", line 16 in root')
    2
    """
    lines, *stacks = written.rpartition("lines ")[2].split("Timeout")
    frames = [frame for frame in map(_FRAME.search, stacks) if frame]
    if not frames:
        return None
    pairs = [tuple(map(int, pair.split("="))) for pair in lines.strip().split("&")]
    return max(((code, line) for line, code in pairs if code <= int(frames[-1][1])), default=(0, 1))[1]


_renderer: Final = _Renderer()
atexit.register(_renderer.close)
