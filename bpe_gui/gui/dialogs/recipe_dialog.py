"""The dialog for recipes: the presets and every switch."""

import html
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QWidget,
)

from bpe_gui.engine import CHOICES, PRESETS, SPLITTERS, EngineError, Recipe, SentencePieceOptions, part_spans
from bpe_gui.gui.look.layouts import DIALOG_MARGIN, GAP, SMALL_GAP, WIDE_GAP, Scrolled, dialog_column, grid_of, row_of
from bpe_gui.gui.look.qt_constants import PLAIN_TEXT, TOOL_TIP_ROLE
from bpe_gui.gui.look.theme import Theme, line_height, set_role
from bpe_gui.gui.look.widgets import (
    ComboBox,
    DecimalBox,
    SpinBox,
    describe_items,
    hairline,
    label_of,
    name_widget,
    push_button,
)
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.views.splitter_views import ExpressionField
from bpe_gui.gui.wording.phrases import number
from bpe_gui.gui.wording.recipe_texts import (
    choice_explanation,
    choice_label,
    field_explanation,
    field_label,
    preset_description,
    preset_title,
    section_title,
)
from bpe_gui.gui.wording.sentences import error_message

from .splitter_trial import SplitterCorpus, SplitterTrial

_OPTIONS: Final = tuple(field.name for field in fields(SentencePieceOptions))
"""The names of SentencePiece's options, in the order of the controls."""

_SECTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "words": ("units", "splitter", "boundary", "special_text"),
        "merges": ("tie_break", "pair_counting", "min_count", "vocabulary"),
        "ids": ("alphabet", "special_ids", "id_order", "token_spelling", "merges_header"),
        "sentencepiece": _OPTIONS,
    }
)
_FIELDS: Final = tuple(field for fields in _SECTIONS.values() for field in fields if field not in _OPTIONS)
_HEADER_LINE: Final = "#version: 0.2"
_MAX_OCCURRENCES: Final = 2**31 - 1
_CONTROL_WIDTH: Final = 220  # pixels
_WIDTH: Final = 800  # pixels
_SCREEN_MARGIN: Final = 80  # pixels, for the system's bars and the window frame
_STANDARD: Final = QDialogButtonBox.StandardButton


class RecipeDialog(QDialog):
    """The presets, the switches of a recipe, and recipe files. A choice is checked immediately."""

    def __init__(
        self,
        recipe: Recipe,
        parent: QWidget | None = None,
        *,
        corpus: SplitterCorpus | None = None,
        theme: Theme | None = None,
        counts: CorpusDocument | None = None,
    ) -> None:
        """`corpus` is used to try splitters, in the colours of `theme`; `counts` has words already split."""
        super().__init__(parent)
        self.setObjectName("recipeDialog")
        self.setWindowTitle(self.tr("Recipe"))
        self._counts = counts
        self.recipe = recipe
        """The last valid recipe, which is the chosen one once the dialog is accepted."""
        self._first_splitter = recipe.splitter
        self._base = _nearest_preset(recipe)
        self._preset = name_widget(ComboBox(self), "recipe_preset")
        self._preset.setAccessibleName(self.tr("Preset"))
        self._preset.setMinimumWidth(_CONTROL_WIDTH)
        for preset in PRESETS:
            self._preset.addItem(preset_title(preset), preset)
            self._preset.setItemData(self._preset.count() - 1, _tool_tip(preset_description(preset)), TOOL_TIP_ROLE)
        self._preset.addItem(preset_title(None), None)
        describe_items(self._preset)
        self._description = name_widget(QLabel(self, textFormat=PLAIN_TEXT, wordWrap=True), "recipeDescription")
        self._choices = {field: ComboBox(self) for field in CHOICES}
        for field, combo in self._choices.items():
            for choice in CHOICES[field]:
                _add_choice(combo, field, choice)
            describe_items(combo)
        theme = theme or Theme()
        self._splitter = self._make_splitter(theme)
        self._trial = SplitterTrial(corpus or SplitterCorpus(recipe), theme, self)
        self._trial.setVisible(False)
        self._is_accepting = False
        tip = self.tr("Show how this splitter splits a text, and what changes in the corpus")
        self._trial_button = push_button("splitterTrialButton", self.tr("Try it"), tool_tip=tip)
        self._trial_button.setCheckable(True)
        self._trial_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._min_count = SpinBox(self, minimum=1, maximum=_MAX_OCCURRENCES)
        self._min_count.setGroupSeparatorShown(True)
        self._merges_header = QCheckBox(_HEADER_LINE, self)
        self._others = {
            "splitter": self._splitter,
            "min_count": self._min_count,
            "merges_header": self._merges_header,
        }
        self._options = _OptionControls(self, self._apply_choice)
        self._option_rows: list[QWidget] = []
        """The widgets that are shown only for a recipe with SentencePiece's options."""
        self._has_options = False
        self._message = name_widget(QLabel(self, textFormat=PLAIN_TEXT, wordWrap=True), "recipeMessage")
        self._buttons = QDialogButtonBox(_STANDARD.Ok | _STANDARD.Cancel, self)
        self._save_button = push_button("saveRecipeButton", self.tr("Save recipe…"), self._save)
        self._reset_button = push_button("resetRecipeButton", "", self._reset)
        self._lay_out()
        self._connect()
        self._show(recipe)
        # Tall enough to show all switches, as far as the screen allows.
        layout = self.layout()
        assert layout is not None  # made in `_lay_out`
        width = max(_WIDTH, layout.totalMinimumSize().width())
        switches_height = self._scroll.contents.heightForWidth(width - 2 * DIALOG_MARGIN)
        around = layout.totalHeightForWidth(width) - self._scroll.sizeHint().height()
        self.resize(width, min(around + switches_height, self.screen().availableGeometry().height() - _SCREEN_MARGIN))

    def accept(self) -> None:
        """Accept the recipe. A new expression is tried first; if it finds no words, the user has to accept it again."""
        splitter = self.recipe.splitter
        if splitter in SPLITTERS or splitter == self._first_splitter or self._trial.finds_words is not None:
            super().accept()
        else:
            self._is_accepting = True
            self._open_trial()

    def _go_on_accepting(self) -> None:
        if self._is_accepting and self._trial.finds_words:
            super().accept()
        self._is_accepting = False

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_splitter(self, theme: Theme) -> ComboBox:
        combo = ComboBox(self)
        combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        line = ExpressionField(theme, combo)
        combo.setLineEdit(line)
        line.setCompleter(None)  # type: ignore[arg-type]  # would complete regular expressions
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setStyleHint(QFont.StyleHint.Monospace)
        theme.keep_font(lambda: font, line)  # a new style sheet gives it that of the box
        self._expression = line
        for choice in SPLITTERS:
            _add_choice(combo, "splitter", choice)
        describe_items(combo)
        return combo

    def _lay_out(self) -> None:
        self._scroll = Scrolled(self._lay_out_switches())
        self._message.setMinimumHeight(2 * line_height(self.font()))
        load = push_button("loadRecipeButton", self.tr("Load recipe…"), self._load)
        dialog_column(
            self,
            row_of(self._preset, (self._description, 1), self._reset_button, spacing=WIDE_GAP),
            hairline(self),
            (self._scroll, 1),
            hairline(self),
            self._message,
            row_of(load, self._save_button, (self._buttons, 1), spacing=None),
        )

    def _lay_out_switches(self) -> QWidget:
        switches = QWidget(self)
        grid = grid_of(switches, row_gap=SMALL_GAP)
        grid.setColumnStretch(2, 1)
        for section, names in _SECTIONS.items():
            title = QLabel(section_title(section), switches)
            title.setContentsMargins(0, GAP, 0, 0)
            set_role(title, "title")
            grid.addWidget(title, grid.rowCount(), 0, 1, 3)
            for field in names:
                self._lay_out_switch(grid, field)
            if section == "sentencepiece":
                self._option_rows.append(title)
        grid.setRowStretch(grid.rowCount(), 1)
        return switches

    def _lay_out_switch(self, grid: QGridLayout, field: str) -> None:
        control = self._others.get(field) or self._options.widgets.get(field) or self._choices[field]
        control.setObjectName(f"recipe_{field}")
        control.setAccessibleName(field_label(field))
        control.setAccessibleDescription(field_explanation(field))
        control.setFixedWidth(_CONTROL_WIDTH)
        label = label_of(control, field_label(field))
        label.setTextFormat(PLAIN_TEXT)
        explanation = QLabel(self._explanation(field), textFormat=PLAIN_TEXT, wordWrap=True)
        explanation.setObjectName(f"recipe_{field}_explanation")
        set_role(explanation, "quiet")
        row = grid.rowCount()
        grid.addWidget(label, row, 0)
        grid.addWidget(control, row, 1)
        if field in _OPTIONS:
            self._option_rows += [label, control, explanation]
        if field != "splitter":
            grid.addWidget(explanation, row, 2)
            return
        grid.addLayout(row_of((explanation, 1), self._trial_button, spacing=None), row, 2)
        grid.addWidget(self._trial, row + 1, 0, 1, 3)

    def _explanation(self, field: str) -> str:
        if field != "splitter" or self._counts is None:
            return field_explanation(field)
        return self.tr(
            "Fixed: {name} contains word counts made with this splitter. To use another one, count the text again."
        ).format(name=self._counts.title)

    def _connect(self) -> None:
        for combo in self._choices.values():
            combo.currentIndexChanged.connect(self._apply_choice)
        self._splitter.editTextChanged.connect(self._open_trial)
        self._splitter.editTextChanged.connect(self._apply_choice)
        self._trial_button.toggled.connect(self._show_trial)
        self._trial.tried.connect(self._go_on_accepting)
        self._trial.name_chosen.connect(self._splitter.setEditText)
        self._min_count.valueChanged.connect(self._apply_choice)
        self._merges_header.toggled.connect(self._apply_choice)
        self._preset.activated.connect(self._choose_preset)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)

    def _open_trial(self) -> None:
        self._trial_button.setChecked(True)

    # -- the choice ------------------------------------------------------------------------------------------------

    def _show(self, recipe: Recipe) -> None:
        """Set every control to `recipe`, except what the counts determine."""
        if self._counts is not None and self._counts.counts is not None:
            recipe = self._counts.counts.fitted(recipe)
        for field, combo in self._choices.items():
            with QSignalBlocker(combo):
                combo.setCurrentIndex(combo.findData(getattr(recipe, field)))
        self._has_options = recipe.sentencepiece is not None
        if recipe.sentencepiece is not None:
            self._options.show(recipe.sentencepiece)
        for widget in self._option_rows:
            widget.setVisible(self._has_options)
        for widget in (self._splitter, self._trial_button):
            widget.setEnabled(self._counts is None and not self._has_options)
        for field, control in self._others.items():
            _set_value(control, getattr(recipe, field))
        self._apply_choice()

    def _apply_choice(self) -> None:
        self._is_accepting = False
        if self._has_options:
            _set_value(self._splitter, self._options.options().splitter)
        for combo in self._choices.values():
            combo.setToolTip(combo.currentData(TOOL_TIP_ROLE))
        self._trial.set_splitter(self._splitter.currentText(), self._choices["boundary"].currentData())
        self._mark_expression()
        try:
            recipe, document = Recipe(**self._switches(), seeds=self.recipe.seeds), self._counts
            if document is not None and document.path is not None and document.counts is not None:
                document.counts.check_fits(document.path, recipe, document.counts.special_tokens)
            self.recipe = recipe
        except EngineError as error:
            is_said_at_field = self._trial.error is not None and self._trial_button.isChecked()
            self._show_message("" if is_said_at_field else error_message(error), "warning")
            self._show_preset(None)
            self._set_valid(False)
        else:
            self._base = self.recipe.preset or self._base
            self._show_message("")
            self._show_preset(self.recipe.preset)
        self._reset_button.setText(self.tr("Reset to {preset}").format(preset=self._base))

    def _mark_expression(self) -> None:
        """Colour the parts of the splitter's expression, or mark where it is invalid."""
        splitter, error = self._splitter.currentText(), self._trial.error
        try:
            spans = [] if splitter in SPLITTERS or error else part_spans(splitter)
        except EngineError as reason:
            spans, error = [], reason
        position = error.values.get("position") if error else None
        if isinstance(position, int):
            self._expression.show_error(position)
        else:
            self._expression.show_parts(spans)

    def _switches(self) -> dict[str, Any]:
        return {
            **{field: combo.currentData() for field, combo in self._choices.items()},
            **{field: _value_of(control) for field, control in self._others.items()},
            "sentencepiece": self._options.options() if self._has_options else None,
        }

    def _show_message(self, message: str, role: str = "quiet") -> None:
        self._message.setText(message)
        set_role(self._message, role)
        self._set_valid(True)

    def _set_valid(self, valid: bool) -> None:
        self._buttons.button(_STANDARD.Ok).setEnabled(valid)
        self._save_button.setEnabled(valid)

    def _show_preset(self, preset: str | None) -> None:
        self._preset.setCurrentText(preset_title(preset))
        changes = number(_differences(self._switches(), PRESETS[self._base]))
        based = self.tr("Based on {preset} (settings changed: {count}).").format(preset=self._base, count=changes)
        self._description.setText(preset_description(preset) if preset else based)
        self._reset_button.setEnabled(preset is None)

    def _choose_preset(self) -> None:
        preset = self._preset.currentData()
        self._show(PRESETS[preset] if preset else self.recipe)

    def _reset(self) -> None:
        self._show(PRESETS[self._base])

    def _show_trial(self, shown: bool) -> None:
        self._trial.setVisible(shown)
        if shown:
            most = self.screen().availableGeometry().height() - _SCREEN_MARGIN
            self.resize(self.width(), min(self.height() + self._trial.sizeHint().height(), most))

    # -- files ------------------------------------------------------------------------------------------------------

    def _load(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Load recipe"), "", self._file_kinds())
        if not name:
            return
        try:
            recipe = Recipe.load(Path(name))
        except EngineError as error:
            self._show_message(error_message(error), "warning")
            return
        self._base = _nearest_preset(recipe)
        self._show(recipe)

    def _save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save recipe"), "recipe.json", self._file_kinds())
        if not name:
            return
        try:
            self.recipe.save(Path(name))
        except EngineError as error:
            self._show_message(error_message(error), "warning")
            return
        self._show_message(self.tr("Saved as {path}").format(path=name))

    def _file_kinds(self) -> str:
        return self.tr("Recipes (*.json)")


def _nearest_preset(recipe: Recipe) -> str:
    switches = {field: getattr(recipe, field) for field in (*_FIELDS, "sentencepiece")}
    return min(PRESETS, key=lambda preset: _differences(switches, PRESETS[preset]))


def _differences(switches: Mapping[str, Any], preset: Recipe) -> int:
    """Return how many settings differ. Each of SentencePiece's options is one."""
    count: int = sum(switches[field] != getattr(preset, field) for field in _FIELDS)
    options, others = switches["sentencepiece"], preset.sentencepiece
    if options is None or others is None:
        return count + (0 if options is others else len(_OPTIONS))
    differing: int = sum(getattr(options, option) != getattr(others, option) for option in _OPTIONS)
    return count + differing


def _add_choice(combo: QComboBox, field: str, choice: str) -> None:
    combo.addItem(choice_label(field, choice), choice)
    combo.setItemData(combo.count() - 1, _tool_tip(choice_explanation(field, choice)), TOOL_TIP_ROLE)


def _tool_tip(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"  # escaped because of `</w>`, which looks like markup; a paragraph wraps


class _OptionControls:
    """A control for each of SentencePiece's options, by name. `changed` is called after a change by the user."""

    def __init__(self, parent: QWidget, changed: Callable[[], None]) -> None:
        self.widgets: Final[dict[str, QCheckBox | ComboBox | SpinBox | DecimalBox]] = {}
        for name in _OPTIONS:
            if name == "normalization":
                combo = ComboBox(parent)
                combo.addItems(SentencePieceOptions.normalizations)
                combo.currentIndexChanged.connect(changed)
                self.widgets[name] = combo
            elif name == "character_coverage":
                least, greatest = SentencePieceOptions.coverages
                coverage = DecimalBox(parent, minimum=least, maximum=greatest, step=0.0005)
                coverage.valueChanged.connect(changed)
                self.widgets[name] = coverage
            elif name == "max_sentencepiece_length":
                shortest, longest = SentencePieceOptions.piece_lengths
                length = SpinBox(parent, minimum=shortest, maximum=longest)
                length.valueChanged.connect(changed)
                self.widgets[name] = length
            else:
                box = QCheckBox(name, parent)
                box.toggled.connect(changed)
                self.widgets[name] = box

    def options(self) -> SentencePieceOptions:
        """Return the options as the controls show them."""
        values = {name: _value_of(widget) for name, widget in self.widgets.items()}
        return SentencePieceOptions.from_dict(values)

    def show(self, options: SentencePieceOptions) -> None:
        """Set every control."""
        for name, widget in self.widgets.items():
            _set_value(widget, getattr(options, name))


def _value_of(control: QWidget) -> Any:
    """Return what the user chose: whether a box is checked, a number or a text."""
    value = control.metaObject().userProperty().read(control)
    return round(value, 4) if isinstance(value, float) else value


def _set_value(control: QWidget, value: object) -> None:
    """Show a value, as if the user had not chosen it."""
    with QSignalBlocker(control):
        control.metaObject().userProperty().write(control, value)
