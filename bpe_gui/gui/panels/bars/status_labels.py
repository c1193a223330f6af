"""The label in the status bar that says whether the fast engine is ready."""

from PySide6.QtWidgets import QLabel, QWidget

from bpe_gui.gui.background.engine_preparation import EnginePreparation
from bpe_gui.gui.look.spacing import WIDE_GAP
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import name_widget


class PreparationLabel(QLabel):
    """A label that says that the engine is being compiled, or why it could not be; hidden otherwise."""

    def __init__(self, preparation: EnginePreparation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "preparationLabel")
        set_role(self, "quiet")
        self.setContentsMargins(0, 0, WIDE_GAP, 0)  # to the progress of other work
        self._preparation = preparation
        preparation.changed.connect(self._show_state)
        self._show_state()

    def _show_state(self) -> None:
        preparation = self._preparation
        if preparation.compiling:
            self.setText(self.tr("Preparing the fast engine: {percent}%").format(percent=preparation.percent))
            self.setToolTip(
                self.tr(
                    "The engine is being compiled for this processor. This happens only once. You "
                    "can keep working, but large corpora and long texts have to wait."
                )
            )
        else:
            self.setText(self.tr("The fast engine is unavailable."))
            self.setToolTip(
                self.tr("Everything works, but large corpora take longer. {reason}").format(reason=preparation.problem)
            )
        self.setVisible(preparation.compiling or bool(preparation.problem))
