"""Opening what people bring: text files in any encoding, and saved tokenizers."""

import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from bpe_gui.engine import FORMATS, EngineError, FileDocument, TextDocument, UndecodableFileError
from bpe_gui.samples import samples

from .messages import sentence
from .numbers import size_text
from .panels.notice_bar import NoticeBar
from .session import LARGE_FILE, CorpusDocument, Session
from .settings import Settings
from .widgets import named

_ENCODINGS: Final = ("utf-8", "gb18030", "big5", "shift_jis", "euc-kr", "cp1252", "cp1251", "utf-16", "utf-32")
_TOKENIZER_FILES: Final = frozenset(name for known in FORMATS.values() for name in known.files)
_Use = Callable[[CorpusDocument], None]


class Opener(QObject):
    """Brings files into the session. What cannot be read is said in the notice bar, with what can be done about it."""

    def __init__(self, session: Session, settings: Settings, notice: NoticeBar, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._notice = notice
        self._window = window
        session.counts_changed.connect(self._offer_for_corpus)

    def ask_for_files(self) -> None:
        """Ask for text files and open them."""
        names, _filter = QFileDialog.getOpenFileNames(
            self._window, self.tr("Open text files"), str(self._settings.recent_folder)
        )
        self.open_paths([Path(name) for name in names])

    def ask_for_tokenizer(self) -> None:
        """Ask for the folder of a saved tokenizer and open it."""
        name = QFileDialog.getExistingDirectory(
            self._window, self.tr("Open the folder of a tokenizer"), str(self._settings.recent_folder)
        )
        if name:
            self.open_paths([Path(name)])

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open text files as documents of the corpus, and folders and files of a saved tokenizer to encode with."""
        self._notice.hide()
        documents: list[CorpusDocument] = []
        for path in paths:
            if _is_tokenizer(path):
                self._open_tokenizer(path)
            elif (document := self._read(path, self._take)) is not None:
                documents.append(document)
                self._settings.recent_folder = path.resolve().parent
        self._add(documents)

    def open_to_encode(self, paths: Sequence[Path]) -> None:
        """Take the text of the first file as the text to encode, or encode with the tokenizer it is of."""
        self._notice.hide()
        path = paths[0]
        if _is_tokenizer(path):
            self._open_tokenizer(path)
        elif (document := self._read(path, self._encode)) is not None:
            self._encode(document)

    def _encode(self, document: CorpusDocument) -> None:
        if isinstance(document.content, TextDocument):
            self._session.set_text(document.content.text)
        else:
            self._notice.say(
                self.tr("{name} is too large to be shown with its tokens; up to {limit} can be.").format(
                    name=document.title, limit=size_text(LARGE_FILE)
                )
            )

    def _open_tokenizer(self, path: Path) -> None:
        folder = path.parent if path.name in _TOKENIZER_FILES else path
        if any(self._refuses(folder / name) for name in sorted(_TOKENIZER_FILES)):
            return
        try:
            self._session.open_tokenizer(path)
        except EngineError as error:
            self._notice.say(sentence(error))

    def _add(self, documents: list[CorpusDocument]) -> None:
        if documents:
            nothing_to_keep = all(map(is_untouched, self._session.documents))
            self._session.add_documents(documents, instead=nothing_to_keep)

    def _take(self, document: CorpusDocument) -> None:
        """Put a large file in the place of itself as it was read before; what else comes is one more document."""
        listed = self._session.documents
        before = [
            index
            for index, present in enumerate(listed)
            if present.path == document.path and isinstance(present.content, FileDocument)
        ]
        for index in before:
            self._session.replace_document(index, document)
        if not before:
            self._add([document])

    def _read(
        self, path: Path, use: _Use, encoding: str | None = None, replace_invalid: bool = False
    ) -> CorpusDocument | None:
        """The file, or None where that is impossible; `use` is for the document that an offer makes of it later."""
        if self._refuses(path):
            return None
        try:
            return self._session.read_file(path, encoding, replace_invalid)
        except UndecodableFileError as error:
            self._offer(error, path, use)
        except EngineError as error:
            self._notice.say(sentence(error))
        return None

    def _refuses(self, path: Path) -> bool:
        """Whether reading could take forever; it is said then."""
        if _is_endless(path):
            self._notice.say(self.tr("{path} is no file: it may never end. Open a text file.").format(path=path))
            return True
        return False

    def _offer_for_corpus(self) -> None:
        """A large file is read only when it is counted: then it may turn out to be in another encoding."""
        error = self._session.count_error
        if isinstance(error, UndecodableFileError):
            self._offer(error, Path(str(error.values["path"])), self._take)

    def _offer(self, error: UndecodableFileError, path: Path, use: _Use) -> None:
        self._notice.say(
            sentence(error),
            [
                (self.tr("Replace invalid bytes"), lambda: self._read_again(path, use, replace_invalid=True)),
                (self.tr("Choose encoding…"), lambda: self._ask_for_encoding(path, use)),
            ],
        )

    def _read_again(self, path: Path, use: _Use, encoding: str | None = None, *, replace_invalid: bool = False) -> None:
        document = self._read(path, use, encoding, replace_invalid)
        if document is not None:
            use(document)

    def _ask_for_encoding(self, path: Path, use: _Use) -> None:
        dialog = named(QInputDialog(self._window), "encodingDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Encoding"))
        dialog.setLabelText(self.tr("{name} is text in").format(name=path.name))
        dialog.setComboBoxItems(_ENCODINGS)
        dialog.setComboBoxEditable(True)
        dialog.textValueSelected.connect(lambda encoding: self._read_again(path, use, encoding.strip()))
        dialog.open()


def _is_tokenizer(path: Path) -> bool:
    return _mode(path, stat.S_ISDIR) or path.name in _TOKENIZER_FILES


def _is_endless(path: Path) -> bool:
    """Whether it is a pipe, a device or a socket: reading one could take forever."""
    return _mode(path, lambda mode: not stat.S_ISREG(mode) and not stat.S_ISDIR(mode))


def _mode(path: Path, test: Callable[[int], bool]) -> bool:
    """What `test` says of the file's mode; False where there is no such file, or the system does not tell."""
    try:
        return test(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def is_untouched(document: CorpusDocument) -> bool:
    """Whether a document is a sample as it was shipped, or empty, and so makes room for what is opened."""
    if document.path is not None:
        return False
    text = "".join(document.content.chunks())
    return not text or text in {sample.read() for sample in samples()}
