"""Decode ids that are handed over one by one, by the same steps as a whole list of them.

Those steps are generators, which ask for tokens. If each gives one piece per token, they are asked once per token.
Others look ahead, such as `ByteFallback`, which waits for the end of a run of bytes: they wait in a thread of their
own, so that there is one description of each step, and not another one that can be interrupted.
"""

from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Final
from weakref import finalize

from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.text.utf8 import decode_utf8_pieces

_Entry = tuple[int, bytes]
_Steps = Callable[[Iterable[_Entry]], Iterator[bytes]]


class StreamDecoder:
    """Decodes ids that are pushed one by one; `Tokenizer.stream_decoder` makes one.

    All that it returns, joined, is the text of `Tokenizer.decode`. A stream that is not finished may just be dropped.
    Only one thread may use it at a time.
    """

    def __init__(self, entries: Callable[[int, int], _Entry | None], steps: _Steps, *, looks_ahead: bool) -> None:
        self._entry_of: Final = entries
        self._driven: Final[_WaitingSteps | _PromptSteps] = _WaitingSteps(steps) if looks_ahead else _PromptSteps(steps)
        self._pushed = 0
        self._is_finished = False

    def push(self, token_id: int) -> str:
        """Return the whole characters, often none, that are certain now that this id follows the ones before.

        Raise TokenizerError for an id that does not exist, after which the stream goes on as if it had not been pushed,
        and for one that comes after `finish`.

        >>> from bpe_gui.engine import Tokenizer
        >>> stream = Tokenizer({byte: bytes([byte]) for byte in range(256)}, []).stream_decoder()
        >>> stream.push(104), stream.push(195), stream.push(169), stream.push(226), stream.finish()
        ('h', '', 'é', '', '�')
        """
        if self._is_finished:
            raise TokenizerError("The stream is finished, so no id can follow. Begin another one.")
        entry = self._entry_of(token_id, self._pushed + 1)
        self._pushed += 1
        return "" if entry is None else self._driven.push(entry)

    def finish(self) -> str:
        """Return the rest of the text: what was held back because a later id could have changed it.

        A second time, there is nothing left.
        """
        if self._is_finished:
            return ""
        self._is_finished = True
        return self._driven.finish()


async def decode_arriving(stream: StreamDecoder, ids: AsyncIterable[int]) -> AsyncIterator[str]:
    """Yield the text of ids that arrive, in pieces. Raise TokenizerError as `StreamDecoder.push` does."""
    async for token_id in ids:
        if text := stream.push(token_id):
            yield text
    if text := stream.finish():
        yield text


class _PromptSteps:
    """Steps each of which gives one piece for each token, before it asks for the next."""

    def __init__(self, steps: _Steps) -> None:
        self._given: Final = deque[_Entry]()
        self._pieces: Final = decode_utf8_pieces(steps(self._arriving()))

    def _arriving(self) -> Iterator[_Entry]:
        while self._given:
            yield self._given.popleft()

    def push(self, entry: _Entry) -> str:
        self._given.append(entry)
        return next(self._pieces)

    def finish(self) -> str:
        return "".join(self._pieces)


class _WaitingSteps:
    """Steps that may ask for the next token before they give a piece: a thread takes them as far as tokens reach."""

    def __init__(self, steps: _Steps) -> None:
        self._steps: Final = steps
        self._given: Final = SimpleQueue[_Entry | None]()
        self._taken: Final = SimpleQueue[str | BaseException | None]()
        self._thread: Thread | None = None

    def push(self, entry: _Entry) -> str:
        if self._thread is None:
            self._thread = Thread(target=_decode, args=(self._steps, self._given, self._taken), daemon=True)
            self._thread.start()
            finalize(self, self._given.put, None).atexit = False
        return self._text_after(entry)

    def finish(self) -> str:
        if self._thread is None:
            return "".join(decode_utf8_pieces(self._steps([])))
        return self._text_after(None)

    def _text_after(self, entry: _Entry | None) -> str:
        """Return the text that is certain after a token or, for None, after the last. Raise the error of a step."""
        if self._thread is None or not self._thread.is_alive():
            raise TokenizerError("The stream cannot go on: a step failed, or another process began it.")
        self._given.put(entry)
        text = self._taken.get()
        if isinstance(text, BaseException):
            raise text
        return text or ""


def _decode(
    steps: _Steps, given: "SimpleQueue[_Entry | None]", taken: "SimpleQueue[str | BaseException | None]"
) -> None:
    """Hand over the text that is certain whenever the steps ask for the next token, and the rest at the end."""
    pieces: list[str] = []

    def arriving() -> Iterator[_Entry]:
        while (entry := given.get()) is not None:
            yield entry
            taken.put("".join(pieces))
            pieces.clear()

    try:
        pieces.extend(decode_utf8_pieces(steps(arriving())))
        taken.put("".join(pieces))
    except BaseException as error:
        taken.put(error)
