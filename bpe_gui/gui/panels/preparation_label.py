"""A word about the compiled code, while it is not there yet."""

from PySide6.QtWidgets import QLabel, QWidget

from bpe_gui.gui.background.engine_preparation import Preparation
from bpe_gui.gui.look.theme import set_role


class PreparationLabel(QLabel):
    """Says that the engine is being compiled, or why it could not be; else it is not seen."""

    def __init__(self, preparation: Preparation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preparationLabel")
        set_role(self, "quiet")
        self._preparation = preparation
        preparation.changed.connect(self._show_state)
        self._show_state()

    def _show_state(self) -> None:
        preparation = self._preparation
        if preparation.compiling:
            self.setText(self.tr("Preparing the fast engine…"))
            self.setToolTip(self.tr("This happens once on this machine. Small corpora train meanwhile."))
        else:
            self.setText(self.tr("The fast engine is not available."))
            self.setToolTip(
                self.tr("Everything works, but large corpora take long. {reason}").format(reason=preparation.problem)
            )
        self.setVisible(preparation.compiling or bool(preparation.problem))
