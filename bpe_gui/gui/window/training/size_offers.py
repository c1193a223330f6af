"""Offers for a target size that is too small for the corpus."""

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import EngineError, VocabularySizeError
from bpe_gui.gui.panels.bars.notice_bar import Offer
from bpe_gui.gui.session.corpus import DEFAULT_VOCAB_SIZE
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.numbers import number

translate = QCoreApplication.translate  # lupdate knows the function by this name


def size_offers(error: EngineError, session: Session) -> list[Offer]:
    """Return the offer to train to a size that leaves room for merges; nothing for another error."""
    if not isinstance(error, VocabularySizeError):
        return []
    size = max(DEFAULT_VOCAB_SIZE, 2 * error.least)

    def train() -> None:
        session.corpus.set_vocab_size(size)
        session.train()

    return [(lambda: translate("SizeOffers", "Train to {size} entries").format(size=number(size)), train)]
