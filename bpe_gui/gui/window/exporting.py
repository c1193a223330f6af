"""Export tokenizers from any window of the program, one at a time."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.dialogs.boxes import open_once
from bpe_gui.gui.look.lifetime import Borrowed
from bpe_gui.gui.session.object_names import shown_name
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.session.tokenizer_exporter import ProofTexts, TokenizerExporter
from bpe_gui.gui.system.settings import Settings


class Exporting(QObject):
    """Opens the dialog, and owns the export thread, which may outlive it."""

    _window = Borrowed[QWidget]()

    def __init__(self, session: Session, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._window = window
        self._exporter = TokenizerExporter(self)

    def open(self) -> None:
        """Ask where to export the tokenizer at the cursor."""
        tokenizer = self._session.cursor.tokenizer
        if tokenizer is not None:
            self._ask(tokenizer, shown_name(self._session), self._window)

    def export_pruned(self, tokenizer: Tokenizer, name: str, window: QWidget) -> None:
        """Ask, in a dialog on top of `window`, where to export the pruned tokenizer of the object called `name`."""
        self._ask(tokenizer, self.tr("{name}, pruned").format(name=name), window, is_pruned=True)

    def _ask(self, tokenizer: Tokenizer, name: str, window: QWidget, *, is_pruned: bool = False) -> None:
        """Open the dialog unless one is already open."""
        from bpe_gui.gui.dialogs.export_dialog import ExportDialog  # not yet needed when the main window opens

        if any(dialog.isVisible() for dialog in self._window.findChildren(ExportDialog)):
            return  # two would both listen to the exporter
        texts = ProofTexts.of(self._session.text.live, self._session.corpus.documents)
        opened = self._session.opened.tokenizer if is_pruned else None
        dialog = ExportDialog(
            tokenizer, texts, self._exporter, self._settings, window, name=name, is_pruned=is_pruned, pruned_from=opened
        )
        open_once(dialog)
