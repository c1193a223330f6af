"""What the formats ask of a tokenizer before they write it."""

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.tokenization.tokenizer import Tokenizer


def check_plain(tokenizer: Tokenizer) -> None:
    """Raise FormatError for a tokenizer that does more to text than a recipe can say."""
    if tokenizer.pipeline is not None or tokenizer.other_merges:
        raise FormatError(_("EngineError", "This format cannot say how this tokenizer changes, splits or merges text."))
