"""Find the tokens that stand for symbols without an id: other tokens may have their id, too."""

from typing import TYPE_CHECKING

import numpy as np

from bpe_gui.engine.encoding.results import TokenArrays
from bpe_gui.engine.runtime.types import Int64Array

if TYPE_CHECKING:
    from .tokenizer import Tokenizer


def unknown_tokens(tokenizer: "Tokenizer", tokens: TokenArrays, text: bytes) -> Int64Array:
    """Return the indices of the tokens of a text that stand for symbols without an id.

    The id for such symbols may be that of a special token, in the text or put around it, or that of a symbol.

    >>> from .tokenizer import Tokenizer
    >>> tokenizer = Tokenizer({0: b"l"}, [], ["<e>"], recipe="cs336-toy", unknown_id=1)
    >>> unknown_tokens(tokenizer, tokenizer.token_arrays(b"l<e>o"), b"l<e>o").tolist()
    [2]
    """
    unknown_id, pipeline = tokenizer.unknown_id, tokenizer.as_pipeline
    found = np.flatnonzero(tokens.ids == np.int32(-1 if unknown_id is None else unknown_id)).tolist()
    if found and unknown_id in tokenizer.vocab:
        own = tokenizer.token(unknown_id)
        found = [i for i in found if text[int(tokens.starts[i]) : int(tokens.stops[i])] != own]
    if found:
        last = len(tokens.ids) - len(pipeline.ids_after)
        found = [i for i in found if len(pipeline.ids_before) <= i < last]
        if found and any(token.id == unknown_id for token in pipeline.added_tokens):
            sections = pipeline.sections(text.decode())
            taken = {int(each.text.starts[0]) for each in sections if each.token_id == unknown_id}
            found = [i for i in found if int(tokens.starts[i]) not in taken]
    return np.array(found, np.int64)
