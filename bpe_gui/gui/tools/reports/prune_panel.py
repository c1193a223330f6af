"""A preview of pruning: the tokens it leaves out, its cost on the texts, and a button to export the rest."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.reports import Contents, PrunePreview
from bpe_gui.gui.look.layouts import GAP, MARGIN, PanelHeader, gapless_column, row_of
from bpe_gui.gui.look.widgets import SentenceLabel, push_button
from bpe_gui.gui.wording.phrases import joined_sentences, number, share, signed

from .report_maker import MadeReport, wording


class PrunePanel(QWidget):
    """Shows sentences and a button. `export_wanted(tokenizer)`: export the pruned tokenizer."""

    export_wanted = Signal(Tokenizer)

    def __init__(self) -> None:
        super().__init__()
        self._preview: PrunePreview | None = None
        self._words = SentenceLabel(name="prunePreview", selectable=True)
        self._export = push_button("pruneExport", self.tr("Export pruned…"), self._ask_for_export)
        self._export.setAccessibleName(self.tr("Export pruned tokenizer"))
        row = row_of((self._words, 1), self._export, margins=(MARGIN, GAP, MARGIN, GAP))
        gapless_column(self, PanelHeader(self.tr("Pruning")), row, None)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.show_result(None)

    def show_result(self, made: MadeReport | None) -> None:
        """Show what pruning based on a report would do."""
        self._preview = None if made is None else made.pruning
        self._words.setText("" if made is None else self._text(made))
        self._export.setEnabled(self._preview is not None and self._preview.is_exact)

    def _text(self, made: MadeReport) -> str:
        preview = made.pruning
        if not made.report.has_text:
            return self.tr("Without text, it is not known which tokens are needed.")
        if not len(made.report.counter.parts.merges):
            return self.tr("There are no merges to leave out.")
        if preview is None:
            nothing = self.tr("These texts need every merge, so there is nothing to leave out.")
            return joined_sentences([nothing, Contents(made.report, wording()).unused_sentence()])
        one = self.tr(
            "{removed} of {entries} entries and 1 merge are neither used in these texts "
            "nor needed to build the tokens that are."
        )
        many = self.tr(
            "{removed} of {entries} entries and {merges} merges are neither used in these texts "
            "nor needed to build the tokens that are."
        )
        template = one if preview.pruning.removed_merges == 1 else many
        first = template.format(
            removed=number(len(preview.pruning.removed)),
            entries=number(len(made.report.vocabulary)),
            merges=number(preview.pruning.removed_merges),
        )
        return joined_sentences([first, self._exactness(preview), *self._cost(preview)])

    def _exactness(self, preview: PrunePreview) -> str:
        if preview.is_exact:
            return self.tr("Without them, these texts keep exactly the same tokens, as encoding them again has shown.")
        return self.tr(
            "Without them, these texts would have different tokens, so the pruned tokenizer cannot be exported."
        )

    def _cost(self, preview: PrunePreview) -> list[str]:
        if preview.cost is None:
            return []
        one = self.tr("The held-out text would change by {tokens} token ({share}).")
        many = self.tr("The held-out text would change by {tokens} tokens ({share}).")
        template = one if abs(preview.cost.more_tokens) == 1 else many
        sign = "+" if preview.cost.more_tokens > 0 else ""
        more = sign + share(preview.cost.share, 2)
        return [template.format(tokens=signed(preview.cost.more_tokens), share=more)]

    def _ask_for_export(self) -> None:
        if self._preview is not None:
            self.export_wanted.emit(self._preview.pruning.tokenizer)
