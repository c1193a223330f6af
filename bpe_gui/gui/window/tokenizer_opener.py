"""Opening saved tokenizers: asking for the file, and for what it does not say."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from bpe_gui.gui.dialogs.ranks_dialog import RanksDialog
from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.session.opened_tokenizer import TokenizerSource
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.window.tokenizer_detection import files_with, wildcards

_USUAL_PATTERN: Final = "gpt2"  # with which such a file is opened


class TokenizerOpener(QObject):
    """Has the session read tokenizers. `refuses` says of a file that cannot be read, and why in the notice bar."""

    def __init__(
        self,
        session: Session,
        settings: Settings,
        notice: NoticeBar,
        window: QWidget,
        refuses: Callable[[Path], bool],
    ) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._notice = notice
        self._window = window
        self._refuses = refuses
        session.tokenizer_opened.connect(self._offer_pattern)

    def ask(self) -> None:
        """Ask for a file of a tokenizer and open it; where several files in a folder make one, any of them will do."""
        name, _filter = QFileDialog.getOpenFileName(
            self._window, self.tr("Open a tokenizer"), str(self._settings.recent_folder), self._filters()
        )
        if name:
            self._settings.recent_folder = Path(name).absolute().parent
            self._notice.hide()
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Open the tokenizer that a file or folder is of, in the background."""
        if not any(map(self._refuses, files_with(path))):
            self._session.open_tokenizer(TokenizerSource(path))

    def ask_about_ranks(self) -> None:
        """Ask what the file of ranks that is opened does not say, and open it again with that."""
        opened = self._session.opened
        if opened is None or not opened.takes_pattern:
            return
        session, path, tokenizer = self._session, opened.source.path, opened.tokenizer(opened.run_length)
        special = tokenizer.special_tokens
        ranks = {token_id: token for token_id, token in tokenizer.vocab.items() if token_id not in special.values()}
        dialog = RanksDialog(opened.name, opened.source.pattern or _USUAL_PATTERN, special, ranks, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.asked.connect(
            lambda: session.open_tokenizer(TokenizerSource(path, dialog.pattern, dialog.special_tokens))
        )
        dialog.rejected.connect(self._stop_opening)
        dialog.finished.connect(self._notice.hide)  # what it says is said or done in the dialog
        session.tokenizer_opened.connect(dialog.accept)
        session.failed.connect(dialog.complain)
        dialog.open()

    def _stop_opening(self) -> None:
        if self._session.activity is Activity.OPENING:
            self._session.cancel()

    def _filters(self) -> str:
        by_format = wildcards()
        every = " ".join(sorted({wildcard for each in by_format.values() for wildcard in each}))
        all_tokenizers, all_files = self.tr("Tokenizers"), self.tr("All files")
        formats = (f"{name} ({' '.join(each)})" for name, each in by_format.items())
        return ";;".join([f"{all_tokenizers} ({every})", *formats, f"{all_files} (*)"])

    def _offer_pattern(self) -> None:
        """A file of ranks says neither, and of an unknown one nobody else does."""
        opened = self._session.opened
        if opened is None or not opened.lacks_pattern:
            return
        words = self.tr(
            "{name} does not say how text is split, nor which special tokens there are: "
            "the pattern of GPT-2 is used, and no special tokens."
        )
        offer = self.tr("Pattern and special tokens…"), self.ask_about_ranks
        self._notice.say(words.format(name=opened.name), [offer])
