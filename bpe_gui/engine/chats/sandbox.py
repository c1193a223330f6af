"""The program that renders chat templates, in a process of its own, so that ending it stops a hostile template.

It answers each line of JSON with another. Many times a second, it writes to standard error where the template is, so
that the line is known if it has to be stopped. A thread does that, or while one long operation keeps Python's lock,
`faulthandler`, which needs no lock, but may crash if other code runs meanwhile. It imports nothing but Python's library
and Jinja, so that it starts quickly.
"""

import faulthandler
import json
import signal
import sys
import threading
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from time import process_time
from typing import Any, Final, NoReturn

from jinja2 import TemplateError, TemplateSyntaxError, Undefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

_LOOK_EVERY: Final = 0.04  # seconds
_STUCK: Final = 0.1  # seconds without a look, after which something must be keeping Python's lock
_LONGEST: Final = 1 << 24  # characters of a rendered text


class _Generation(Extension):
    """The block `generation`, which marks what a model says; it renders as its contents."""

    tags = {"generation"}  # noqa: RUF012 (Jinja's name)

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_contents"), [], [], body).set_lineno(line)

    @staticmethod
    def _contents(caller: Callable[[], str]) -> str:
        return caller()


class _Generator(CodeGenerator):
    """Evaluates no constants while a template is compiled, because their lines would not be known then."""

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        if not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)


class _Environment(ImmutableSandboxedEnvironment):
    code_generator_class = _Generator
    parser: Parser | None = None

    def unsafe_undefined(self, obj: object, attribute: str) -> Undefined:
        """Refuse what leads to Python's internals at once, not only when it is used."""
        if attribute.startswith("__"):
            raise SecurityError(f"access to attribute {attribute!r} of {type(obj).__name__!r} object is unsafe.")
        return super().unsafe_undefined(obj, attribute)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        self.parser = Parser(self, source, name, filename)
        return self.parser.parse()


class _Namespace(Namespace):
    """A namespace that refuses names with an underscore at the start, which lead to Python's internals, too."""

    def __init__(*args: Any, **values: Any) -> None:
        Namespace.__init__(args[0])
        for name, value in dict(*args[1:], **values).items():
            args[0][name] = value

    def __setitem__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            raise SecurityError(f"the name {name!r} in a namespace is unsafe.")
        super().__setitem__(name, value)


def _to_json(
    x: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise_exception(message: str) -> NoReturn:
    raise TemplateError(message)


def _strftime_now(format: str) -> str:
    return datetime.now().strftime(format)


_environment: Final = _Environment(
    trim_blocks=True, lstrip_blocks=True, optimized=False, extensions=[_Generation, loopcontrols]
)
_environment.filters["tojson"] = _to_json
_environment.globals |= {
    "raise_exception": _raise_exception, "strftime_now": _strftime_now, "namespace": _Namespace
}  # fmt: skip
_compiled: Final = lru_cache(8)(_environment.from_string)


def _answer(template: str, variables: dict[str, Any]) -> dict[str, Any]:
    """Return the rendered text, or what is wrong with the template and in which line."""
    _environment.parser = None
    try:
        compiled = _compiled(template)
        print("lines", compiled._debug_info, file=sys.stderr, flush=True)  # template line=code line
        text = compiled.render(variables)
    except TemplateSyntaxError as error:
        return {"kind": "wrong", "reason": str(error.message), "line": error.lineno}
    except Exception as error:
        name = "" if isinstance(error, TemplateError) else f"{type(error).__name__}: "
        kind = "large" if isinstance(error, MemoryError) else "wrong"
        return {"kind": kind, "reason": f"{name}{error}", "line": _line(error)}
    return {"text": text} if len(text) <= _LONGEST else {"kind": "large", "line": None}


def _line(error: Exception) -> int | None:
    """Return the line of the template where it failed, or up to which it was parsed."""
    lines, trace = list[int](), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            lines.append(trace.tb_lineno)  # Jinja has replaced its code's line with the template's
        trace = trace.tb_next
    if lines or _environment.parser is None:
        return lines[-1] if lines else None
    return _environment.parser.stream.current.lineno


def _watch(done: threading.Event, main: int) -> None:
    """Write where the template in the thread `main` is, until it is done."""
    while True:
        faulthandler.dump_traceback_later(_STUCK, file=sys.stderr)
        if done.wait(_LOOK_EVERY):
            faulthandler.cancel_dump_traceback_later()
            return
        frame = sys._current_frames().get(main)
        while frame is not None and frame.f_code.co_filename != "<template>":
            frame = frame.f_back
        if frame is not None:  # written as `faulthandler` does
            print(f'Timeout! File "<template>", line {frame.f_lineno}', file=sys.stderr, flush=True)


def main() -> int:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that this process ends when its parent is gone
    print(flush=True)  # it is ready
    for request in sys.stdin:
        done = threading.Event()
        watch = threading.Thread(target=_watch, args=(done, threading.get_ident()))
        watch.start()
        before = process_time()
        answer = _answer(*json.loads(request))
        answer["seconds"] = process_time() - before
        done.set()
        watch.join()
        print(json.dumps(answer), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
