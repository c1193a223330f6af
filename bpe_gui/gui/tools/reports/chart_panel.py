"""The charts of a report: choosing one, reading values with the mouse, and saving it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QToolButton, QWidget

from bpe_gui.engine.reports import Chart, Contents, Report
from bpe_gui.gui.look.layouts import GAP, MARGIN, SMALL_GAP, PanelHeader, column_of, gapless_column, row_of
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, name_widget, push_button
from bpe_gui.gui.pictures.text_picture import painted_image, painted_svg, png_of
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.phrases import joined_sentences, number, share

from .report_maker import in_language, wording

if TYPE_CHECKING:
    from bpe_gui.gui.views.zoom_chart import ZoomChart

_FORMATS = {".png": "PNG (*.png)", ".svg": "SVG (*.svg)", ".csv": "CSV (*.csv)"}


class ChartPanel(QWidget):
    """A combo box chooses the chart.

    - `save_wanted(path, data)`: write the chart to a file.
    - `size_chosen(entries)`: the user wants this vocabulary size, which the curve suggests.
    """

    save_wanted = Signal(object, object)
    size_chosen = Signal(int)

    def __init__(self, theme: Theme, settings: Settings) -> None:
        super().__init__()
        self._theme = theme
        self._settings = settings
        self._report: Report | None = None
        self._charts: Sequence[Chart] = ()
        self._view: ZoomChart | None = None
        self._kinds = name_widget(ComboBox(), "reportChartKind", self.tr("Chart"))
        self._kinds.addItems(list(map(in_language, Contents.chart_titles.values())))
        self._whole = self._button("reportChartWhole", self.tr("Show all"), self.tr("Show the whole chart again (0)"))
        self._save = self._button("reportChartSave", self.tr("Save…"), self.tr("Save this chart as PNG, SVG or CSV"))
        self._answer = SentenceLabel(name="reportAnswer", selectable=True)
        self._words = SentenceLabel(name="reportChartWords", role="quiet", selectable=True, lines=2)
        tip = self.tr("Go to the step that has this size, which also becomes the target size of a run")
        self._sizes = {"reportUseKnee": 0, "reportUseGain": 0}
        self._use = {name: push_button(name, "", weakly(self._use_size, name), tool_tip=tip) for name in self._sizes}
        place = QWidget()
        self._place = gapless_column(place)
        margins = (MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        buttons = row_of(*self._use.values(), None, spacing=GAP)
        foot = column_of(self._words, self._answer, buttons, margins=margins, spacing=SMALL_GAP)
        gapless_column(self, PanelHeader(self.tr("Chart"), self._kinds, self._whole, self._save), (place, 1), foot)
        self._kinds.currentIndexChanged.connect(self._show_chart)
        self._whole.clicked.connect(self._show_whole)
        self._save.clicked.connect(self._ask_where_to_save)

    def _button(self, name: str, text: str, tip: str) -> QToolButton:
        button = name_widget(QToolButton(autoRaise=True), name, tip)
        button.setText(text)
        button.setToolTip(tip)
        return button

    def show_report(self, report: Report | None) -> None:
        """Show the chosen chart of a report."""
        self._report = report
        self._charts = [] if report is None else Contents(report, wording()).charts()
        for index, chart in enumerate(self._charts):  # some titles depend on the report
            self._kinds.setItemText(index, chart.title)
        self._answer.say("" if report is None else self._sizing_answer(report), hides=True)
        self._offer_sizes(report)
        self._show_chart()

    def _offer_sizes(self, report: Report | None) -> None:
        """Offer the vocabulary sizes that the sizing answer names."""
        curve = None if report is None else report.sizing_curve
        is_telling = curve is not None and curve.is_telling
        knee, worth = (curve.knee, curve.entries_worth()) if curve is not None and is_telling else (None, None)
        self._sizes = {"reportUseKnee": 0 if knee is None else knee.entries, "reportUseGain": worth or 0}
        texts = (
            self.tr("Use this size: {entries} (knee so far)"),
            self.tr("Use this size: {entries} (gain under {share})"),
        )
        for (name, button), text in zip(self._use.items(), texts, strict=True):
            button.setText(text.format(entries=number(self._sizes[name]), share=share(Contents.least_gain, 0)))
            button.setVisible(self._sizes[name] > 0)

    def _use_size(self, name: str) -> None:
        self.size_chosen.emit(self._sizes[name])

    def _sizing_answer(self, report: Report) -> str:
        """Return how large a vocabulary should be according to the report; empty without text."""
        curve = report.sizing_curve
        if curve is None:
            return ""
        sentences = list(Contents(report, wording()).sizing_sentences(curve))
        if curve.is_telling and curve.knee is None:
            sentences.insert(1, self.tr("The curve has no knee."))
        return joined_sentences(sentences)

    def save(self, path: Path) -> None:
        """Ask for the chart to be written in the format of the path's suffix."""
        view = self._view
        if view is None or view.chart is None:
            return
        match path.suffix.lower():
            case ".csv":
                self.save_wanted.emit(path, view.chart.as_csv())
            case ".svg":
                self.save_wanted.emit(path, painted_svg(view.paint, view.size(), view.chart.title))
            case _:
                self.save_wanted.emit(path, png_of(painted_image(view.paint, view.size())))

    def _ask_where_to_save(self) -> None:
        dialog = QFileDialog(self, self.tr("Save chart"), str(self._settings.output_folder))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(list(_FORMATS.values()))
        dialog.setDefaultSuffix("png")
        dialog.selectFile(f"{self._charts[self._kinds.currentIndex()].key}.png")
        suffixes = list(_FORMATS)
        dialog.filterSelected.connect(
            lambda name: dialog.setDefaultSuffix(suffixes[list(_FORMATS.values()).index(name)].removeprefix("."))
        )
        if dialog.exec():
            path = Path(dialog.selectedFiles()[0])
            self._settings.output_folder = path.parent
            self.save(path)
        dialog.deleteLater()

    def _show_chart(self) -> None:
        chosen = self._charts[self._kinds.currentIndex()] if self._charts else None
        chart = chosen if chosen is not None and len(chosen.points) else None
        for button in (self._whole, self._save):
            button.setEnabled(chart is not None)
        if chart is None:
            self._words.setText("" if chosen is None else self._reason())
        elif self._view is None and self.isVisible():
            self._make_view()
        if self._view is not None:
            self._view.show_chart(chart)
            self._view.setVisible(chart is not None)

    def _reason(self) -> str:
        """Return why there is nothing to draw."""
        if self._report is not None and not len(self._report.counter.parts.merges):
            return self.tr("Without merges, there is no curve to draw.")
        return self.tr("Without text, there is nothing to draw.")

    def _make_view(self) -> None:
        from bpe_gui.gui.views.zoom_chart import ZoomChart

        self._view = name_widget(ZoomChart(), "reportChart")
        self._view.pointed.connect(self._show_words)
        theme = self._theme
        theme.keep(
            lambda view: view.set_colors(theme.chart_palette(), theme.color("text"), theme.number_font()), self._view
        )
        self._place.addWidget(self._view)

    def _show_words(self, words: str) -> None:
        if words or (self._view is not None and self._view.chart is not None):
            hint = self.tr("Point at the chart, or move along it with ← and →. The wheel, + and − zoom; 0 shows all.")
            self._words.setText(words or hint)

    def _show_whole(self) -> None:
        if self._view is not None:
            self._view.show_all()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._view is None:
            self._show_chart()
