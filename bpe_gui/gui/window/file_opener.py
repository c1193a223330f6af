"""Opening what people bring: text files in any encoding, whole folders of them, and saved tokenizers."""

import glob
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from bpe_gui.engine import EngineError, FileDocument, TextDocument, UndecodableFileError
from bpe_gui.engine.live_text import LiveText
from bpe_gui.samples import samples

from bpe_gui.gui.session.corpus_document import LARGE_FILE, LARGEST_TEXT, CorpusDocument, file_state, read_file
from bpe_gui.gui.dialogs.open_pattern_dialog import USUAL_PATTERN, OpenPatternDialog
from bpe_gui.gui.background.file_finder import Finder
from bpe_gui.gui.background.jobs import Job, OneJob, Report
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.wording.numbers import number, size_text
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar, Offer
from bpe_gui.gui.system.paths import is_endless, is_folder
from bpe_gui.gui.projects.project_controller import is_project
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.window.tokenizer_detection import is_tokenizer
from bpe_gui.gui.window.tokenizer_opener import TokenizerOpener
from bpe_gui.gui.views.editor.layout.line_index import prepare_index
from bpe_gui.gui.look.widgets import named

_ENCODINGS: Final = ("utf-8", "gb18030", "big5", "shift_jis", "euc-kr", "cp1252", "cp1251", "utf-16", "utf-32")
_MOST_READ: Final = 300  # files that are read into memory at once
_MOST_BYTES: Final = 20_000_000  # of these together
_Use = Callable[[Sequence[CorpusDocument]], None]
_Undecodable = dict[Path, UndecodableFileError]
_State = tuple[int, ...]
"""Of a file: what tells whether it is still the same one, the first of it its size in bytes; empty if not known."""


class Opener(QObject):
    """Brings files into the session. What cannot be read is said in the notice bar, with what can be done about it."""

    project_found = Signal(object)
    """The path of a project, which is for somebody else to open; other files that come with it are left."""

    def __init__(self, session: Session, settings: Settings, notice: NoticeBar, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._notice = notice
        self._window = window
        self._tokenizers = TokenizerOpener(session, settings, notice, window, self._refuses)
        self._finder = Finder(self)
        self._check = OneJob(self)
        self._reading = OneJob(self)
        session.counts_changed.connect(self._offer_for_corpus)
        session.text_changed.connect(self._stop_reading)
        session.text_edited.connect(self._stop_reading)

    def ask_for_files(self) -> None:
        """Ask for text files and open them."""
        names, _filter = QFileDialog.getOpenFileNames(
            self._window, self.tr("Open text files"), str(self._settings.recent_folder)
        )
        self.open_paths([Path(name) for name in names])

    def ask_for_tokenizer(self) -> None:
        """Ask for a file of a saved tokenizer and open it."""
        self._tokenizers.ask()

    def ask_about_ranks(self) -> None:
        """Ask what an opened file of ranks does not say."""
        self._tokenizers.ask_about_ranks()

    def ask_for_pattern(self) -> None:
        """Ask for a folder and a pattern, and open the files that match."""
        self._ask_for_pattern(self._settings.recent_folder, USUAL_PATTERN)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open text files as documents of the corpus, and of files and folders of saved tokenizers the first.

        Of other folders it is asked which of their files to open.
        """
        self._notice.hide()
        if project := next(filter(is_project, paths), None):
            self.project_found.emit(project)
            return
        folders: list[Path] = []
        files: dict[Path, _State] = {}
        tokenizers = list(filter(is_tokenizer, paths))
        if tokenizers:  # several files may make one
            self._tokenizers.open(tokenizers[0])
        for path in paths:
            if path in tokenizers:
                continue
            if is_folder(path):
                folders.append(path)
            elif not self._refuses(path):
                files[path] = file_state(path)
        documents = self._documents(files)
        if documents:
            self._settings.recent_folder = next(reversed(files)).resolve().parent
        self._add(documents)
        if folders:
            self._ask_which_of(folders)

    def open_to_encode(self, paths: Sequence[Path]) -> None:
        """Take the text of the first file as the text to encode, or open the tokenizer it is of."""
        self._notice.hide()
        path = paths[0]
        if is_project(path):
            self.project_found.emit(path)
            return
        if is_tokenizer(path) or is_folder(path):
            self._tokenizers.open(path)
            return
        if documents := self._read([path], self._encode):
            self._encode(documents)

    def shut_down(self) -> None:
        """Stop what is going on, and wait for it, because the window closes."""
        self._finder.shut_down()
        for job in (self._check, self._reading):
            job.abandon()
            job.wait()

    # -- folders ----------------------------------------------------------------------------------------------------

    def _ask_which_of(self, folders: Sequence[Path]) -> None:
        if len(folders) == 1:
            self._ask_for_pattern(folders[0], USUAL_PATTERN)
        else:
            patterns = (f"{glob.escape(str(folder.absolute()))}/{USUAL_PATTERN}" for folder in folders)
            self._ask_for_pattern(folders[0].absolute().parent, "; ".join(patterns))

    def _ask_for_pattern(self, folder: Path, pattern: str) -> None:
        dialog = OpenPatternDialog(self._finder, folder.absolute(), pattern, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._open_found(dialog))
        dialog.open()

    def _open_found(self, dialog: OpenPatternDialog) -> None:
        self._notice.hide()
        self._settings.recent_folder = dialog.folder
        documents = self._documents({file.path: file.state for file in dialog.files})
        put_back = self._add_to_be_put_back(documents)
        if self._notice.isHidden() and len(documents) > 1:
            words = self.tr("{count} files were opened.").format(count=number(len(documents)))
            self._notice.say(words, [(self.tr("Undo"), put_back)])

    def _add_to_be_put_back(self, added: list[CorpusDocument]) -> Callable[[], None]:
        """Add documents; calling the answer takes them out, and what was edited or added since stays."""
        session = self._session
        before, recipe, size = session.documents, session.recipe, session.vocab_size
        self._add(added)
        made_room = len(session.documents) == len(added)

        def put_back() -> None:
            unwanted = set(map(id, added))
            left = [document for document in session.documents if id(document) not in unwanted]
            self._set_documents([*before, *left] if made_room else left)
            if made_room:
                session.set_recipe(recipe)
                session.set_vocab_size(size)

        return put_back

    # -- documents --------------------------------------------------------------------------------------------------

    def _documents(self, files: Mapping[Path, _State]) -> list[CorpusDocument]:
        """The files as documents of the corpus; where they are many, or large together, they are not read now."""
        to_be_read = [state[0] for state in files.values() if state and state[0] <= LARGE_FILE]
        if len(files) <= _MOST_READ and sum(to_be_read) <= _MOST_BYTES:
            return self._read(files, self._take)
        return [CorpusDocument(path.name, FileDocument(path), path, state) for path, state in files.items()]

    def _encode(self, documents: Sequence[CorpusDocument]) -> None:
        document = documents[0]
        self._stop_reading()
        if isinstance(document.content, TextDocument):
            self._take_text(LiveText(document.content.text), document.title)
        elif document.content.size() <= LARGEST_TEXT:
            self._encode_file(document.content)
        else:
            self._notice.say(
                self.tr("{name} is too large to be shown with its tokens; up to {limit} can be.").format(
                    name=document.title, limit=size_text(LARGEST_TEXT)
                )
            )

    def _encode_file(self, file: FileDocument) -> None:
        """Read a large file in a thread, and take it as the text to encode."""
        tokenizer = self._session.tokenizer

        def work(report: Report) -> LiveText:
            text = LiveText.of(_reported(file.chunks(), report))
            text.encode_with(tokenizer)  # which cuts it
            prepare_index(text)
            return text

        def done(job: Job) -> None:
            self._notice.hide()
            if isinstance(job.result, LiveText):
                self._take_text(job.result, file.path.name)
            elif isinstance(job.error, UndecodableFileError):
                self._offer({file.path: job.error}, self._encode)
            elif isinstance(job.error, EngineError):
                self._notice.say(sentence(job.error))
            elif job.error is not None:
                raise job.error

        self._notice.say(self.tr("Reading {name}…").format(name=file.path.name))
        self._reading.start(work, done)

    def _take_text(self, text: LiveText, name: str) -> None:
        session, before = self._session, self._session.live_text
        session.set_live_text(text)
        if len(before):
            words = self.tr("The text to encode was replaced by {name}.").format(name=name)
            self._notice.say(words, [(self.tr("Undo"), lambda: session.set_live_text(before))])

    def _stop_reading(self) -> None:
        """What is typed or set while a file is read must not give way to it."""
        if self._reading.busy:
            self._reading.abandon()
            self._notice.hide()

    def _add(self, documents: list[CorpusDocument]) -> None:
        if documents:
            nothing_to_keep = all(map(is_untouched, self._session.documents))
            self._session.add_documents(documents, instead=nothing_to_keep)

    def _set_documents(self, documents: Sequence[CorpusDocument]) -> None:
        """Have these as the corpus, whatever was there; the recipe and the size stay."""
        session = self._session
        recipe, size = session.recipe, session.vocab_size
        session.add_documents(documents, instead=True)  # which may choose others
        session.set_recipe(recipe)
        session.set_vocab_size(size)

    def _take(self, documents: Sequence[CorpusDocument]) -> None:
        """Put files in the place of themselves as they were listed before; what else comes is added."""
        by_path = {document.path: document for document in documents}
        listed = self._session.documents
        places = {i: by_path[each.path] for i, each in enumerate(listed) if _is_file(each) and each.path in by_path}
        if places:
            self._set_documents([places.get(i, each) for i, each in enumerate(listed)])
        known = {document.path for document in places.values()}
        self._add([document for document in documents if document.path not in known])

    def _leave_out(self, paths: Iterable[Path]) -> None:
        unwanted = set(paths)
        self._set_documents(
            [each for each in self._session.documents if not (_is_file(each) and each.path in unwanted)]
        )

    def _read(
        self, paths: Iterable[Path], use: _Use, encoding: str | None = None, replace_invalid: bool = False
    ) -> list[CorpusDocument]:
        """Those files that can be read; `use` is for the documents that an offer makes of the others later."""
        documents: list[CorpusDocument] = []
        undecodable: _Undecodable = {}
        for path in paths:
            if self._refuses(path):
                continue
            try:
                documents.append(read_file(path, encoding, replace_invalid))
            except UndecodableFileError as error:
                undecodable[path] = error
            except EngineError as error:
                self._notice.say(sentence(error))
        if undecodable:
            self._offer(undecodable, use)
        return documents

    def _refuses(self, path: Path) -> bool:
        """Whether reading could take forever; it is said then."""
        if is_endless(path):
            self._notice.say(self.tr("{path} is no file: it may never end. Open a text file.").format(path=path))
            return True
        return False

    def _offer_for_corpus(self) -> None:
        """A large file is read only when it is counted: then it may turn out to be in another encoding.

        Counting stops at the first such file. Whether there are more is found out while the user reads of that one.
        """
        self._check.abandon()
        error = self._session.count_error
        if isinstance(error, UndecodableFileError):
            self._offer_to_mend({Path(str(error.values["path"])): error})
            contents = [document.content for document in self._session.documents]
            files = [content for content in contents if isinstance(content, FileDocument)]
            self._check.start(lambda report: _undecodable(files, report), self._offer_for_all)

    def _offer_for_all(self, job: Job) -> None:
        if isinstance(job.result, dict) and len(job.result) > 1 and not self._notice.isHidden():
            self._offer_to_mend(job.result)

    def _offer_to_mend(self, undecodable: _Undecodable) -> None:
        words = self.tr("Leave it out") if len(undecodable) == 1 else self.tr("Leave them out")
        leave_out = (words, lambda: self._leave_out(undecodable))
        self._offer(undecodable, self._take, [leave_out] if len(self._session.documents) > len(undecodable) else [])

    def _offer(self, undecodable: _Undecodable, use: _Use, more: Sequence[Offer] = ()) -> None:
        paths = list(undecodable)
        self._notice.say(
            self._complaint(list(undecodable.values())),
            [
                (self.tr("Replace invalid bytes"), lambda: self._read_again(paths, use, replace_invalid=True)),
                (self.tr("Choose encoding…"), lambda: self._ask_for_encoding(paths, use)),
                *more,
            ],
        )

    def _complaint(self, errors: Sequence[UndecodableFileError]) -> str:
        first = sentence(errors[0])
        if len(errors) == 1:
            return first
        if len(errors) == 2:
            return self.tr("{complaint} Another file cannot be read either.").format(complaint=first)
        more = number(len(errors) - 1)
        return self.tr("{complaint} {count} more files cannot be read either.").format(complaint=first, count=more)

    def _read_again(
        self, paths: Sequence[Path], use: _Use, encoding: str | None = None, *, replace_invalid: bool = False
    ) -> None:
        if documents := self._read(paths, use, encoding, replace_invalid):
            use(documents)

    def _ask_for_encoding(self, paths: Sequence[Path], use: _Use) -> None:
        dialog = named(QInputDialog(self._window), "encodingDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Encoding"))
        dialog.setLabelText(self.tr("{name} is text in").format(name=", ".join(path.name for path in paths)))
        dialog.setComboBoxItems(_ENCODINGS)
        dialog.setComboBoxEditable(True)
        dialog.textValueSelected.connect(lambda encoding: self._read_again(paths, use, encoding.strip()))
        dialog.open()


def _reported(chunks: Iterable[str], report: Report) -> Iterator[str]:
    """The chunks, of which each is a chance to stop."""
    for chunk in chunks:
        report(0, 0)
        yield chunk


def _undecodable(files: Sequence[FileDocument], report: Report) -> _Undecodable:
    """The files that are no text in the encoding they are read in. Those that cannot be read at all are no matter
    of encodings."""
    found: _Undecodable = {}
    for index, file in enumerate(files):
        try:
            for _chunk in file.chunks():
                report(index, len(files))
        except UndecodableFileError as error:
            found[file.path] = error
        except EngineError:
            continue
    return found


def _is_file(document: CorpusDocument) -> bool:
    return isinstance(document.content, FileDocument)


def is_untouched(document: CorpusDocument) -> bool:
    """Whether a document is a sample as it was shipped, or empty, and so makes room for what is opened."""
    if document.path is not None:
        return False
    text = "".join(document.content.chunks())
    return not text or text in {sample.read() for sample in samples()}
