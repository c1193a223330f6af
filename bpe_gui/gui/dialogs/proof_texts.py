"""The list of the texts with which an export was proven."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QDialog, QWidget

from bpe_gui.engine import visible
from bpe_gui.gui.look.layouts import dialog_column, row_of
from bpe_gui.gui.look.widgets import ListWidget, SentenceLabel, name_widget, push_button

_MAX_SHOWN: Final = 300  # characters of a text
_SIZE: Final = (520, 480)  # pixels


class ProofTextsDialog(QDialog):
    """Lists texts, with glyphs for white space; a long one is cut."""

    def __init__(self, texts: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("proofTextsDialog")
        title = self.tr("Texts of the proof")
        self.setWindowTitle(title)
        explanation = self.tr(
            "First the cases on which tokenizers often differ, then your text and the beginning of the corpus, line by "
            "line and whole."
        )
        rows = name_widget(ListWidget(), "proofTexts", title)
        rows.setUniformItemSizes(True)
        for text in texts:
            shown = visible(text[:_MAX_SHOWN].encode(errors="backslashreplace"))
            rows.addItem(shown + "…" * (len(text) > _MAX_SHOWN) or self.tr("(empty)"))
        close = push_button("proofTextsCloseButton", self.tr("Close"), self.reject, default=True)
        dialog_column(self, SentenceLabel(explanation, role="quiet"), (rows, 1), row_of(None, close))
        self.resize(*_SIZE)
