"""Encode and decode short texts, where preparing a call takes longer than the call: it is prepared once."""

from collections.abc import Callable
from typing import Final

import numpy as np

from bpe_gui.engine.compilation import is_compiled
from bpe_gui.engine.compilation.kernel import address_of
from bpe_gui.engine.kernels.encoding.decoding import decode_list
from bpe_gui.engine.kernels.encoding.text_encoding import EncoderArrays, EncoderOutput, encode_short_text
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.lowlevel.python_lists import AS_NUMBER, GET_ITEM
from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array, UInt8Array
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _

from .text_encoder import EncodingOptions, ScannerSettings

LONGEST_TEXT: Final = 1 << 14
"""The most characters of a short text."""

MOST_IDS: Final = 1 << 12
"""The most ids of a short text."""

_DECODED_SIZE: Final = 1 << 16
"""The most bytes of a short text that is decoded."""

_PADDING: Final = bytes(PADDING)


def can_be_prepared() -> bool:
    """Return whether calls can be prepared: those of machine code."""
    return is_compiled()


class ShortTextEncoder:
    """Encodes short texts with the scanner, the arrays and the options given. It serves one thread at a time.

    `splitter` is the scanner's, with a state of its own that suffices for the longest of short texts.
    `merges` is the number of merges in the arrays.
    """

    def __init__(
        self,
        scanner: ScannerSettings,
        splitter: Splitter,
        arrays: EncoderArrays,
        options: EncodingOptions,
        merges: int,
        output: EncoderOutput,
    ) -> None:
        self.made_for: Final = scanner, options, merges
        self._kept_alive = splitter, arrays, output
        self._ids = output.ids
        self._encode = encode_short_text.prepared(
            splitter,
            scanner.specials,
            scanner.special_ids,
            arrays,
            options.position,
            options.unknown_id is not None,
            output,
        )

    def ids(self, text: bytes) -> Int32Array | None:
        """Return the ids of a text in UTF-8, in an array that the next call overwrites.

        Return None if an array is too small for it, or a symbol has no id.
        """
        padded = text + _PADDING
        count = self._encode(address_of(padded), len(padded))
        return None if count < 0 else self._ids[:count]


def shortened_list_error() -> TokenizerError:
    """Return the error for a list that became shorter while it was read."""
    return TokenizerError(_("EngineError", "The list of ids became shorter while it was decoded. Decode a copy of it."))


class ShortTextDecoder:
    """Decodes short lists of ids to bytes, by tables that `Decoder` has. It serves one thread at a time."""

    def __init__(self, tokens: Int64Array, text: UInt8Array) -> None:
        out = np.empty(_DECODED_SIZE + PADDING, np.uint8)
        self._kept_alive = tokens, text
        self._out = out.data
        self._decode: Callable[[int, int], int] = decode_list.prepared(GET_ITEM, AS_NUMBER, tokens, text, out)

    def bytes_of(self, ids: list[int]) -> bytes | None:
        """Return the bytes of ids. Return None if one has no token or is no integer, or if the text is too long.

        Raise TokenizerError for a list that becomes shorter meanwhile.
        """
        try:
            size = self._decode(id(ids), len(ids))
        except (TypeError, OverflowError):
            return None
        except (IndexError, SystemError) as error:
            raise shortened_list_error() from error
        return None if size < 0 else self._out[:size].tobytes()
