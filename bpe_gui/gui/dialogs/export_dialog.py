"""The dialog that exports a tokenizer: format and target, then the files written and the proof by other readers."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QFont, QGuiApplication, QPainter, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from bpe_gui.engine import FORMATS, EngineError, Progress, Tokenizer, TokenizerSource
from bpe_gui.engine.proof import Proof, left_out, save_caution
from bpe_gui.engine.surgery import embedding_map
from bpe_gui.gui.dialogs.boxes import ProofTextsDialog, ask_where_to_save, open_once
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import (
    GRID,
    MARGIN,
    SMALL_GAP,
    Scrolled,
    column_of,
    dialog_buttons,
    dialog_column,
    dialog_form,
    row_of,
)
from bpe_gui.gui.look.qt_constants import (
    ACCESSIBLE_TEXT_ROLE,
    ALIGN_LEFT,
    DISPLAY_ROLE,
    ELIDE_RIGHT,
    TOOL_TIP_ROLE,
    TOP_LEFT,
    USER_ROLE,
    WRAPPED,
)
from bpe_gui.gui.look.theme import line_height, text_width
from bpe_gui.gui.look.widgets import ListWidget, SentenceLabel, label_of, name_widget, push_button
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.tokenizer_exporter import ProofTexts, TokenizerExporter
from bpe_gui.gui.system.paths import exists, is_folder, unused_path
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.file_texts import format_texts, tiktoken_code
from bpe_gui.gui.wording.phrases import joined_sentences, labelled, listed, number, size_text
from bpe_gui.gui.wording.sentences import error_message, said

_NAME_ROLE: Final = USER_ROLE
_DETAIL_ROLE: Final = USER_ROLE + 1
_IS_IMPOSSIBLE_ROLE: Final = USER_ROLE + 2
_TALL: Final = 10_000  # pixels, more than any reason takes
_REASON_LINES: Final = 2  # how many extra lines of reasons the list has space for
_MIN_ROWS: Final = 3  # visible in the smallest dialog

Index = QModelIndex | QPersistentModelIndex


class FormatList(ListWidget):
    """Formats with title and purpose. An impossible one is greyed out, with the reason in place of the purpose.

    A purpose takes one line; a reason is shown whole.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(_FormatDelegate(self))
        self.setResizeMode(ListWidget.ResizeMode.Adjust)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def add(self, name: str, title: str, purpose: str) -> None:
        """Add a format at the end: `name` identifies it, `title` and `purpose` are shown."""
        item = QListWidgetItem(title, self)
        item.setData(_NAME_ROLE, name)
        self._describe(item, purpose, is_impossible=False)

    def mark_impossible(self, name: str, reason: str) -> None:
        """Grey out a format, and show why it cannot represent the tokenizer."""
        self._describe(self._item(name), reason, is_impossible=True)

    def choose(self, name: str) -> None:
        self.setCurrentItem(self._item(name))

    def chosen(self) -> str:
        """Return the name of the selected format."""
        return str(self.currentItem().data(_NAME_ROLE))

    def reason(self) -> str:
        """Return why the selected format is impossible; empty if it is possible or has not been checked yet."""
        item = self.currentItem()
        return str(item.data(_DETAIL_ROLE)) if item.data(_IS_IMPOSSIBLE_ROLE) else ""

    def names(self) -> Sequence[str]:
        """Return the names of the formats, in order."""
        return [str(self.item(row).data(_NAME_ROLE)) for row in range(self.count())]

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _MIN_ROWS * _row_height(self.font()) + 2 * self.frameWidth())

    def sizeHint(self) -> QSize:
        """Return the size in pixels that shows all rows without scrolling, with a few long reasons.

        It does not depend on the reasons, so nothing else moves when they become known.
        """
        rows = self.count() * _row_height(self.font()) + _REASON_LINES * line_height(self.font())
        return QSize(super().sizeHint().width(), rows + 2 * self.frameWidth())

    def _item(self, name: str) -> QListWidgetItem:
        return self.item(self.names().index(name))

    def _describe(self, item: QListWidgetItem, detail: str, *, is_impossible: bool) -> None:
        item.setData(_DETAIL_ROLE, detail)
        item.setData(_IS_IMPOSSIBLE_ROLE, is_impossible)
        item.setData(TOOL_TIP_ROLE, detail)
        item.setData(ACCESSIBLE_TEXT_ROLE, labelled(item.text(), detail))
        self.scheduleDelayedItemsLayout()


class _FormatDelegate(QStyledItemDelegate):
    """Paints a title, with a line of quiet details below it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        rows = self.parent()
        assert isinstance(rows, QListWidget)
        line, detail = line_height(option.font), index.data(_DETAIL_ROLE)
        if not index.data(_IS_IMPOSSIBLE_ROLE):
            return QSize(0, _row_height(option.font))
        width = rows.viewport().width() - 2 * MARGIN
        needed = option.fontMetrics.boundingRect(0, 0, width, _TALL, WRAPPED, detail).height()
        return QSize(0, _row_height(option.font) + max(0, needed - line))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette = option.palette
        quiet = palette.placeholderText().color()
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        title = palette.color(QPalette.ColorRole.Text)
        if index.data(_IS_IMPOSSIBLE_ROLE):  # the disabled colour is hard to read on the selection
            title = quiet if is_selected else palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        if is_selected:
            painter.fillRect(option.rect, palette.highlight())
        area = option.rect.adjusted(MARGIN, SMALL_GAP, -MARGIN, -SMALL_GAP)
        line = line_height(option.font)
        detail, is_whole = index.data(_DETAIL_ROLE), index.data(_IS_IMPOSSIBLE_ROLE)
        if not is_whole:
            detail = option.fontMetrics.elidedText(detail, ELIDE_RIGHT, area.width())
        painter.setFont(option.font)
        painter.setPen(title)
        painter.drawText(QRect(area.x(), area.y(), area.width(), line), ALIGN_LEFT, index.data(DISPLAY_ROLE))
        painter.setPen(quiet)
        below = area.adjusted(0, line, 0, 0)
        painter.drawText(below, WRAPPED if is_whole else ALIGN_LEFT, detail)


def _row_height(font: QFont) -> int:
    return 2 * line_height(font) + GRID


_SUGGESTED_NAME: Final = "tokenizer"
_DEFAULT_FORMAT: Final = "gpt2"
_RANKS_FORMAT: Final = "tiktoken"
_SIZE: Final = (600, 720)  # pixels, including space for the results
_FRAME: Final = 40  # pixels, of the frame that the desktop puts around a dialog
_OUTCOME_LINES: Final = 10  # of names, cautions, results and their buttons before they scroll
_SUFFIXES: Final = frozenset(known.suffix for known in FORMATS.values() if known.suffix)


class ExportDialog(QDialog):
    """Writes a tokenizer in the chosen format, and stays open to show the result. `exported(source)`: it is written."""

    exported = Signal(object)

    def __init__(
        self,
        tokenizer: Tokenizer,
        texts: ProofTexts,
        exporter: TokenizerExporter,
        settings: Settings,
        parent: QWidget | None = None,
        *,
        name: str,
        change: str = "",
        changed_from: OpenedTokenizer | None = None,
        old: Tokenizer | None = None,
        old_name: str = "",
        is_stale: bool = False,
    ) -> None:
        """`name` says what is exported, as the window does.

        `change`: “pruned” or “extended”, if it was made of `old`; pruning gives new ids.
        `old`: the tokenizer that the map is from, which is called `old_name`.
        `changed_from`: the opened tokenizer that was changed, whose name and format are suggested.
        `is_stale`: the corpus or recipe has changed since the run that is exported.
        """
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle(self.tr("Export tokenizer"))
        self._tokenizer = tokenizer
        self._is_pruned = change == "pruned"
        self._is_stale = is_stale
        self._file_name = _SUGGESTED_NAME
        pipeline = tokenizer.pipeline
        format = "sentencepiece" if pipeline is not None and pipeline.is_sentencepiece else _DEFAULT_FORMAT
        if changed_from is not None:
            published = changed_from.name.rpartition(":")[2]  # without the place, as in `hf:owner/name`
            self._file_name = _with_suffix(Path(published or _SUGGESTED_NAME), "").name
            format = changed_from.format if changed_from.format in FORMATS else format
        self._usual_format = format
        # A file of ranks has no place for special tokens that were added, so another format is suggested.
        if (changed_from is None or change == "extended") and save_caution(tokenizer, format) is not None:
            format = next((name for name in format_texts() if save_caution(tokenizer, name) is None), format)
        self._file_name += f"-{change}" if change else ""
        self._old, self._old_name = old, old_name
        self._mapper = JobRunner(self)
        self.finished.connect(self._mapper.abandon)
        self._name = name
        self._texts = texts
        self._exporter = exporter
        self._settings = settings
        self._is_exporting = False
        self._proofs: list[Proof] = []
        self._make_fields()
        self._result = SentenceLabel(name="exportResult", selectable=True)
        self._proof = SentenceLabel(name="exportProof", selectable=True)
        self._difference = SentenceLabel(name="exportDifference", role="warning", selectable=True)
        tip = self.tr("Code that loads this file with its pattern and special tokens")
        self._show_texts = push_button("exportTextsButton", self.tr("Show the test strings…"), self._open_texts)
        self._code = push_button("exportCodeButton", self.tr("Copy Python code"), self._copy_code, tool_tip=tip)
        self._export = push_button("exportButton", self.tr("Export"), self._write, default=True)
        self._open = push_button("exportOpenButton", self.tr("Open folder"), self._open_folder)
        self._others = [self._open]
        if self._old is not None:  # the box of buttons would show a hidden one
            tip = self.tr("From which old tokens the embedding of each token can be made: JSON, NumPy or safetensors")
            text = self.tr("Save embedding map…")
            self._others.insert(0, push_button("exportMapButton", text, self._ask_where_to_map, tool_tip=tip))
        self._close = push_button("exportCloseButton", self.tr("Close"), self.reject)
        self._lay_out()
        self._formats.currentItemChanged.connect(self._show_format)
        self._target.textChanged.connect(self._show_plan)
        self.finished.connect(self._exporter.stop)
        self._exporter.checked.connect(self._show_check)
        self._exporter.written.connect(self._show_written)
        self._exporter.refused.connect(self._show_refusal)
        self._exporter.asked.connect(self._show_question)
        self._exporter.proved.connect(self._show_proof)
        self._exporter.ended.connect(self._end)
        self._suggested_format = format
        self._formats.choose(format)
        self._unchecked = sorted(self._formats.names(), key=lambda name: name != format)
        exporter.check(tokenizer, self._unchecked)

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_fields(self) -> None:
        self._formats = name_widget(FormatList(), "exportFormats", self.tr("Format"))
        for name, text in format_texts().items():
            self._formats.add(name, text.title, text.purpose)
        self._reason = SentenceLabel(name="exportReason", role="warning")
        self._target = name_widget(
            QLineEdit(str(unused_path(self._settings.output_folder, self._file_name, _SUFFIXES))), "exportFolderEdit"
        )
        self._target_label = label_of(self._target, "")
        self._writes = QLabel(self.tr("Writes"))
        titles = self._target_title(is_file=True), self._target_title(is_file=False), self._writes.text()
        for label in (self._target_label, self._writes):
            label.setMinimumWidth(max(text_width(self.fontMetrics(), title) for title in titles))
        self._browse = push_button("exportBrowseButton", self.tr("Browse…"), self._browse_for_target)
        self._files = SentenceLabel(name="exportFiles")
        self._replaced = SentenceLabel(name="exportReplaced", role="warning")

    def _lay_out(self) -> None:
        target = row_of((self._target, 1), self._browse)
        form, files = dialog_form((self._target_label, target)), dialog_form((self._writes, self._files))
        files.setLabelAlignment(TOP_LEFT)
        step = SentenceLabel(
            self._step_text(),
            name="exportStep",
            role="warning" if not self._tokenizer.merges or self._is_pruned or self._is_stale else "",
        )
        outcome = QWidget()
        more = row_of(self._show_texts, self._code, None)
        lines = self._reason, self._replaced, self._result, self._proof, self._difference
        column_of(files, *lines, None, more, of=outcome)
        scrolled = Scrolled(outcome)
        scrolled.setFixedHeight(_OUTCOME_LINES * line_height(self.font()))  # whatever it shows: nothing else moves
        column = dialog_column(self, step, (self._formats, 1), form, scrolled)
        column.addStretch()
        column.addWidget(dialog_buttons(*self._others, accept=self._export, reject=self._close))
        self.resize(QSize(*_SIZE).boundedTo(self.screen().availableSize() - QSize(0, _FRAME)))

    def _step_text(self) -> str:
        merges = len(self._tokenizer.merges)
        one, many = self.tr("{name}: {entries} entries, 1 merge"), self.tr("{name}: {entries} entries, {merges} merges")
        entries = number(len(self._tokenizer.vocab))
        text = (one if merges == 1 else many).format(name=self._name, entries=entries, merges=number(merges))
        ids = self.tr("The ids are new, without gaps: texts have to be encoded again, and old models do not fit.")
        if self._is_stale:
            text += "\n" + self.tr(
                "The corpus or recipe has changed since this run. To export with the changes, train again first."
            )
        if self._old is not None:
            text += "\n" + self.tr("The embedding map leads from {name} to this tokenizer.").format(name=self._old_name)
        if not merges:
            untrained = self.tr(
                "Without merges, every token is a single symbol. Train or step forward before you export."
            )
            return f"{text}\n{untrained}"
        return f"{text}\n{ids}" if self._is_pruned else text

    # -- the format -------------------------------------------------------------------------------------------------

    @property
    def _suffix(self) -> str | None:
        """The suffix of the chosen format's file; None if the format is a folder."""
        return FORMATS[self._formats.chosen()].suffix

    def _target_title(self, *, is_file: bool) -> str:
        return self.tr("&File") if is_file else self.tr("&Folder")

    def _show_format(self) -> None:
        """Ask for a file or a folder, whichever the format needs, of the same name."""
        suffix = self._suffix
        self._target_label.setText(self._target_title(is_file=suffix is not None))
        self._target.setAccessibleName(self.tr("Output file") if suffix else self.tr("Output folder"))
        typed = Path(self._target.text().strip())
        if typed.name:
            self._target.setText(str(_with_suffix(typed, suffix or "")))
        self._show_plan()

    def _show_check(self, name: str, obstacle: EngineError | None) -> None:
        self._unchecked.remove(name)
        if obstacle is not None:
            self._formats.mark_impossible(name, error_message(obstacle))
            if name == self._formats.chosen() == self._suggested_format:
                self._formats.choose(self._usual_format)
            if name == self._formats.chosen():
                self._show_plan()

    # -- the target -------------------------------------------------------------------------------------------------

    @property
    def target(self) -> Path:
        """The folder or file to write.

        A file gets the suffix that identifies it when it is opened, unless the path is an existing folder or ends in a
        separator: then the file is put into that folder.
        """
        typed, suffix = self._typed, self._suffix
        is_in_folder = self._target.text().strip().endswith(("/", os.sep)) or is_folder(typed)
        if suffix is None or is_in_folder or not typed.name or typed.suffix.lower() == suffix:
            return typed
        return _with_suffix(typed, suffix)

    @property
    def _typed(self) -> Path:
        """The path as typed, with `~` expanded; `~name` stays as it is if there is no such home."""
        typed = Path(self._target.text().strip())
        try:
            home = Path(*typed.parts[:1]).expanduser()  # Windows invents one for any name
            return typed.expanduser() if is_folder(home) else typed
        except (RuntimeError, ValueError):  # ValueError: a NUL character
            return typed

    def _browse_for_target(self) -> None:
        if suffix := self._suffix:
            kind = f"{format_texts()[self._formats.chosen()].title} (*{suffix})"
            title = self.tr("Output file")
            no_warning = QFileDialog.Option.DontConfirmOverwrite  # this dialog shows a warning itself
            chosen, _kind = QFileDialog.getSaveFileName(self, title, str(self.target), kind, options=no_warning)
        else:
            chosen = QFileDialog.getExistingDirectory(self, self.tr("Output folder"), str(self.target))
        if chosen:
            self._target.setText(chosen)
            self._target.setText(str(self.target))

    def _show_plan(self) -> None:
        """Show what Export would write and replace, and what to beware of; cancel and hide an earlier export."""
        if self._is_exporting:
            self._exporter.stop()
            self._end()
        self._hide_results()
        reason = self._formats.reason()
        cautions = [caution(self._tokenizer, self._formats.chosen()) for caution in (save_caution, left_out)]
        warnings = " ".join(error_message(caution) for caution in cautions if caution)
        self._reason.say(reason or warnings, "warning", hides=True)
        paths = FORMATS[self._formats.chosen()].paths(self.target)
        self._files.setText(listed(path.name for path in paths))
        existing = [] if reason else [path.name for path in paths if exists(path)]
        self._replaced.setText(self._warning_text(existing))
        self._replaced.setVisible(bool(existing))
        self._export.setDefault(True)
        self._export.setEnabled(not reason and bool(self._target.text().strip()))

    def _hide_results(self) -> None:
        for line in (self._result, self._proof, self._difference, self._show_texts, self._code):
            line.hide()
        self._open.setEnabled(False)  # disabled, not hidden, so that no other button moves under the mouse

    def _warning_text(self, names: list[str]) -> str:
        if len(names) == 1:
            return self.tr("{file} already exists and will be replaced.").format(file=names[0])
        return self.tr("{files} already exist and will be replaced.").format(files=listed(names))

    # -- writing ----------------------------------------------------------------------------------------------------

    def _write(self) -> None:
        home = next(iter(self.target.parts), "")
        if home.startswith("~"):
            template = self.tr("{name} is not a home folder on this computer. Enter the full path.")
            self._result.say(template.format(name=home), "warning", hides=True)
            return
        self._is_exporting = True
        self._proofs.clear()
        self._hide_results()
        self._export.setEnabled(False)
        self._replaced.hide()
        self._result.say(self.tr("Exporting…"), "quiet", hides=True)
        self._exporter.export(self._tokenizer, self.target.absolute(), self._formats.chosen(), self._texts)

    def _show_refusal(self, error: EngineError) -> None:
        self._result.say(error_message(error), "warning", hides=True)
        self._end()

    def _show_written(self, paths: Sequence[Path]) -> None:
        self._settings.output_folder = self.target.absolute().parent
        file = self.tr("{path} ({size})")  # without its folder, which is above and may take several lines
        files = (file.format(path=path.name, size=size_text(path.stat().st_size)) for path in paths)
        self._result.say("\n".join([self.tr("Exported:"), *files]), hides=True)
        self._code.setVisible(self._formats.chosen() == _RANKS_FORMAT)
        self._open.setEnabled(True)
        self._close.setDefault(True)
        if FORMATS[self._formats.chosen()].load:
            self.exported.emit(TokenizerSource(paths[0]))

    def _show_question(self, reader: str) -> None:
        self._show_proofs(self.tr("Checking with {reader}…").format(reader=reader))

    def _show_proof(self, proof: Proof) -> None:
        self._proofs.append(proof)
        self._show_proofs()
        if proof.difference is not None and self._difference.isHidden():
            self._difference.say("\n".join(map(said, proof.difference.statements)), "warning", hides=True)

    def _show_proofs(self, *more: str) -> None:
        proven = self.tr("Proven: {outcome}")
        proofs = (
            (proven if proof.proves else "{outcome}").format(outcome=joined_sentences(map(said, proof.statements)))
            for proof in self._proofs
        )
        is_proven = not more and all(proof.proves for proof in self._proofs)
        role = "proven" if is_proven else "warning" if any(proof.fails for proof in self._proofs) else ""
        self._proof.say("\n".join([*proofs, *more]), role, hides=True)
        self._show_texts.setVisible(bool(self._proofs))

    def _end(self) -> None:
        """Finish or drop an export, and continue checking the formats, which it interrupted."""
        self._is_exporting = False
        self._export.setEnabled(True)
        self._exporter.check(self._tokenizer, self._unchecked)

    def _open_texts(self) -> None:
        open_once(ProofTextsDialog(self._exporter.compared, self))

    def _copy_code(self) -> None:
        file = FORMATS[_RANKS_FORMAT].paths(self.target.absolute())[0]
        QGuiApplication.clipboard().setText(tiktoken_code(self._tokenizer, file))

    def _ask_where_to_map(self) -> None:
        kind = self.tr("Embedding map") + " (*.npz *.json *.safetensors)"
        suggested = self.target.absolute().with_name(f"{self._file_name}-map.npz")
        path = ask_where_to_save(self, self.tr("Save embedding map"), suggested, kind, "npz")
        old, new = self._old, self._tokenizer
        if path is None or old is None or self._mapper.busy:
            return
        text = self.tr(
            "Saved {path}: {kept} of {tokens} tokens have the same id in {name}, {lost} cannot be made of its tokens."
        )

        def work(_report: Progress) -> str:
            mapped = embedding_map(old, new)
            mapped.save(path)
            counts = {"kept": mapped.kept(), "tokens": len(new.vocab), "lost": len(mapped.unmapped)}
            return text.format(
                path=path, name=self._old_name, **{name: number(count) for name, count in counts.items()}
            )

        self._mapper.start("map", work, self._say_more, lambda error: self._say_more(error_message(error)))

    def _say_more(self, words: str) -> None:
        self._result.say("\n".join(filter(None, [self._result.text(), words])), hides=True)

    def _open_folder(self) -> None:
        folder = self.target.parent if self._suffix and self.target.suffix.lower() == self._suffix else self.target
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder.absolute())))


def _with_suffix(path: Path, suffix: str) -> Path:
    """Return `path` with `suffix` in place of a format's suffix, ignoring case; other suffixes belong to the name."""
    plain = path.with_suffix("") if path.suffix.lower() in _SUFFIXES else path
    return plain.with_name(plain.name + suffix)
