"""The bar at the top: the recipe, the target vocabulary size, and the player, which moves the cursor."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent, QValidator
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QToolButton,
    QWidget,
)

from bpe_gui.engine import (
    PRESETS,
    EngineError,
    RunUntil,
)
from bpe_gui.gui.look.layouts import (
    BAR_PADDING,
    BUTTON_GAP,
    DIALOG_MARGIN,
    GAP,
    MARGIN,
    SMALL_GAP,
    column_of,
    keep_space,
    row_of,
)
from bpe_gui.gui.look.theme import Theme, set_role, text_width
from bpe_gui.gui.look.widgets import (
    ActionFollower,
    ComboBox,
    SentenceLabel,
    SpinBox,
    describe_items,
    label_of,
    name_widget,
    plain_tool_tip,
    without_mnemonic,
)
from bpe_gui.gui.search.token_filter import exact_tokens
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import PLAY_SPEEDS, Settings
from bpe_gui.gui.wording import recipe_texts
from bpe_gui.gui.wording.phrases import counted, example_text, number
from bpe_gui.gui.wording.sentences import error_message

_SPEEDS: Final = (1, 2, 4, 8, 16, 30, 100, 1000)
_MAX_NUMBER: Final = 10_000_000
_LONG_NUMBER: Final = "9,999,999"
_SPIN_PADDING: Final = 32  # pixels next to a number, for the arrows
_MIN_COMBO_WIDTH: Final = 104  # pixels, in a narrow window
_NUMBER_WITH_UNIT: Final = re.compile(r"(\d{1,7})\s*(\D+)$")
_MERGES: Final = re.compile(r"m|s|(次|步|条)?合并|次|步", re.IGNORECASE)
_ENTRIES: Final = re.compile(r"e|t|条|个", re.IGNORECASE)
_ACCEPTABLE, _INTERMEDIATE = QValidator.State.Acceptable, QValidator.State.Intermediate
_USUAL_MERGES: Final = 10_000
_MOST_RECIPES: Final = 20  # shown without scrolling
_GAP: Final = 6  # pixels between the controls, closer than elsewhere: there are many
_PLAYER: Final = (
    ("first", "firstButton"),
    ("step_back", "stepBackButton"),
    ("play", "playButton"),
    ("step", "stepButton"),
    ("last", "lastButton"),
    ("run_until", "untilButton"),
)


class TransportBar(QWidget):
    """Recipe, vocabulary size and player. The buttons trigger the window's actions.

    In a narrow window, or with a wide font, captions are hidden: first that of the recipe, whose names explain it.
    """

    step_entered = Signal()
    """The user typed a step and pressed Enter; the cursor has moved to it."""
    until_chosen = Signal(object)
    """The run should continue until this RunUntil holds."""

    def __init__(self, session: Session, theme: Theme, settings: Settings, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self.setObjectName("transportBar")
        self._session = session
        self._theme = theme
        self._settings = settings
        self._actions = actions
        self._captions: list[QLabel] = []
        self._recipes = self._make_recipes()
        size = _SpinOfUnits(_ENTRIES, session.run.size_after, session.corpus.vocab_size)
        self._size = self._name_spin(size, "vocabSizeSpin", self.tr("Target vocabulary size"))
        self._size.setToolTip(self.tr("Target vocabulary size, or a number of merges such as “50 merges”"))
        self._merges = self._caption("", self._size)
        self._merges.setObjectName("mergesOfSize")
        # Without words it keeps its width, so that what is beside it stays under the mouse.
        usual = self.tr("= {count} merges").format(count=number(_USUAL_MERGES))
        self._merges.setMinimumWidth(text_width(self._merges.fontMetrics(), usual))
        self._size.valueChanged.connect(self._show_merges)
        session.run.stale_changed.connect(self._show_merges)
        self._size.valueChanged.connect(session.corpus.set_vocab_size)
        self._size.lineEdit().returnPressed.connect(actions["train"].trigger)
        train, export = without_mnemonic(actions["train"].text()), self.tr("Export…")
        self._train = name_widget(QPushButton(train), "trainButton", self.tr("Train up to the vocabulary size"))
        self._export = name_widget(QPushButton(export), "exportTokenizerButton", self.tr("Export tokenizer"))
        for button, action in ((self._train, "train"), (self._export, "export")):
            ActionFollower(button, actions[action])
        self._run_controls = self._make_run_controls()
        self._speed = self._make_speed()
        steps = _SpinOfUnits(_MERGES, session.cursor.step_of_size)
        self._go_to = self._name_spin(steps, "goToSpin", self.tr("Go to step"))
        self._go_to.setToolTip(self.tr("Step to go to, or a vocabulary size such as “500 entries”"))
        self._go_to.setKeyboardTracking(False)  # while 128 is being typed, do not go to 1 and 12
        self._go_to.valueChanged.connect(self._go)
        self._go_to.lineEdit().returnPressed.connect(self.step_entered)
        self._step = name_widget(QLabel(), "stepLabel")
        self._step.setMinimumWidth(text_width(self._step.fontMetrics(), "step 100,000 of 100,000"))
        self._lay_out()
        actions["go_to"].enabledChanged.connect(self._go_to.setEnabled)
        self._until = UntilPopup(session, settings, self)
        self._until.chosen.connect(self.until_chosen)
        session.corpus.recipe_changed.connect(self._show_recipe)
        session.cursor.moved.connect(self._show_position)
        session.cursor.steps_changed.connect(self._show_position)
        session.opened.changed.connect(self._show_run_controls)
        session.work.changed.connect(self._show_position)
        session.cursor.playing_changed.connect(self._show_playing)
        theme.changed.connect(self._show_playing)
        self._show_recipe()
        self._show_run_controls()

    def minimumSizeHint(self) -> QSize:
        size = super().minimumSizeHint()
        return QSize(size.width() - self._width_of_shown_captions(), size.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_captions()

    def _show_captions(self) -> None:
        spare = self.width() - self.sizeHint().width() + self._width_of_shown_captions()
        for caption in reversed(self._captions):
            spare -= self._width_of(caption)
            caption.setVisible(spare >= 0)
        self._run_controls.updateGeometry()  # hidden, they would keep the size that they had

    def _width_of_shown_captions(self) -> int:
        return sum(self._width_of(each) for each in self._captions if not each.isHidden())

    @staticmethod
    def _width_of(caption: QLabel) -> int:
        return max(caption.sizeHint().width(), caption.minimumWidth()) + _GAP

    def focus_go_to(self) -> None:
        """Move the focus to the step field and select its text."""
        self._go_to.setFocus()
        self._go_to.selectAll()

    def choose_until(self) -> None:
        """Ask for the condition to run until."""
        button = self.findChild(QToolButton, "untilButton")
        self._until.open_below(button or self)

    @property
    def steps_per_second(self) -> int:
        return int(self._speed.currentData())

    def _make_recipes(self) -> ComboBox:
        combo = name_widget(ComboBox(), "recipeCombo", self.tr("Recipe"))
        for name in PRESETS:
            combo.addItem(name, name)
            tip = plain_tool_tip(recipe_texts.preset_description(name))
            combo.setItemData(combo.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        combo.setToolTip(self.tr("The published trainer to reproduce. Choose “Recipe…” to change its settings."))
        describe_items(combo)
        combo.setMinimumWidth(_MIN_COMBO_WIDTH)
        combo.setMaxVisibleItems(_MOST_RECIPES)  # what is scrolled away, with nothing to show that, seems not to exist
        combo.currentIndexChanged.connect(self._choose_recipe)
        return combo

    @staticmethod
    def _name_spin(spin: SpinBox, name: str, accessible_name: str) -> SpinBox:
        name_widget(spin, name, accessible_name).setToolTip(accessible_name)
        spin.setGroupSeparatorShown(True)
        spin.setFixedWidth(text_width(spin.fontMetrics(), _LONG_NUMBER) + _SPIN_PADDING)
        return spin

    def _make_speed(self) -> ComboBox:
        combo = name_widget(ComboBox(), "speedCombo", self.tr("Playback speed in steps per second"))
        combo.setToolTip(combo.accessibleName())
        for speed in _SPEEDS:
            combo.addItem(self.tr("{speed} steps/s").format(speed=number(speed)), speed)
        combo.setCurrentIndex(max(0, combo.findData(self._settings.play_speed)))
        combo.setMinimumWidth(_MIN_COMBO_WIDTH)
        combo.currentIndexChanged.connect(self._choose_speed)
        return combo

    def _make_player(self) -> QHBoxLayout:
        player = row_of(spacing=BUTTON_GAP)
        for action_name, name in _PLAYER:
            action = self._actions[action_name]
            button = name_widget(QToolButton(autoRaise=True), name, without_mnemonic(action.text()))
            button.setDefaultAction(action)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            player.addWidget(button)
        return player

    def _lay_out(self) -> None:
        row_of(
            self._run_controls,
            self._export,
            None,
            self._make_player(),
            self._speed,
            None,
            self._caption(self.tr("Go to"), self._go_to),
            self._go_to,
            self._step,
            of=self,
            margins=(MARGIN, BAR_PADDING, MARGIN, BAR_PADDING),
            spacing=_GAP,
        )

    def _make_run_controls(self) -> QWidget:
        """Return the training controls.

        They are hidden while a tokenizer is open, because they would seem to belong to it. They keep their space, so
        that the player stays under the mouse.
        """
        controls = name_widget(QWidget(), "runControls")
        keep_space(controls)
        row_of(
            self._caption(self.tr("Recipe"), self._recipes),
            self._recipes,
            SMALL_GAP,
            self._caption(self.tr("Vocabulary"), self._size),
            self._size,
            self._merges,
            self._train,
            of=controls,
            spacing=_GAP,
        )
        return controls

    def _caption(self, text: str, buddy: QWidget) -> QLabel:
        label = label_of(buddy, text, "quiet")
        self._captions.append(label)
        return label

    def _choose_recipe(self, index: int) -> None:
        name = self._recipes.itemData(index)
        if name is not None:
            self._session.corpus.set_recipe(PRESETS[name])
            self._show_recipe()  # not the chosen one if the corpus determines the splitter

    def _choose_speed(self) -> None:
        self._settings.play_speed = min(self.steps_per_second, PLAY_SPEEDS[-1])
        if self._session.cursor.playing:
            self._session.cursor.play(self.steps_per_second)

    def _go(self, step: int) -> None:
        if step > self._session.cursor.run_length:
            self._session.begin_step()
        if step != self._session.cursor.position:
            self._session.cursor.go_to(step)
            self._show_position()  # show the old step again if the new one does not exist

    def _show_recipe(self) -> None:
        preset = self._session.corpus.recipe.preset
        with QSignalBlocker(self._recipes):
            custom = self._recipes.findData(None)
            if preset is None and custom < 0:
                self._recipes.addItem(self.tr("custom"), None)
            elif preset is not None and custom >= 0:
                self._recipes.removeItem(custom)
            self._recipes.setCurrentIndex(self._recipes.findData(preset))
        with QSignalBlocker(self._size):
            self._size.setValue(self._session.corpus.vocab_size)
        self._show_position()

    def _show_merges(self) -> None:
        """Show how many merges make the target size, how many there can be at most, or the size that a run ended at."""
        run, words = self._session.run, ""
        if run.trainer is not None and not run.is_stale:
            merges = run.target_position
            words = counted(merges, self.tr("= 1 merge"), self.tr("= {count} merges"))
            if self._is_bounded:
                words = counted(self._session.cursor.last_step, self.tr("≤ 1 merge"), self.tr("≤ {count} merges"))
            reached = run.trainer.vocabulary().size(run.trainer.run_length)
            if run.trainer.is_complete and reached < self._session.corpus.vocab_size:
                words = self.tr("ends at {size}").format(size=number(reached))
        if words != self._merges.text():
            self._merges.setText(words)
            self._show_captions()

    @property
    def _is_bounded(self) -> bool:
        """Whether the run will end before the target size, since the text is too small."""
        cursor = self._session.cursor
        return cursor.next_merge is not None and cursor.last_step < cursor.target_position

    def _show_run_controls(self) -> None:
        self._run_controls.setVisible(self._session.opened.tokenizer is None)

    def _show_position(self) -> None:
        cursor = self._session.cursor
        if cursor.is_following_training and cursor.steps is None:
            return
        position, steps = number(cursor.position), number(cursor.last_step)
        with QSignalBlocker(self._go_to):
            self._go_to.setValue(cursor.position)
        of_at_most = self.tr("step {step} of at most {steps}")
        template = of_at_most if self._is_bounded else self.tr("step {step} of {steps}")
        self._step.setText(template.format(step=position, steps=steps))
        self._show_merges()

    def _show_playing(self) -> None:
        self._actions["play"].setIcon(self._theme.icon("pause" if self._session.cursor.playing else "play"))


class _SpinOfUnits(SpinBox):
    """A number of entries or of merges, which may be typed in the other unit, too."""

    def __init__(self, unit: re.Pattern[str], converted: Callable[[int], int | None], value: int = 0) -> None:
        """`converted` returns a number of the other unit in this one; None if that is not known."""
        self._unit = unit
        self._converted = converted
        super().__init__(maximum=_MAX_NUMBER, value=value)

    def _typed(self, text: str) -> tuple[int | None, bool]:
        """Return the number that a text with a unit stands for, if it is known, and whether it has a unit."""
        typed = _NUMBER_WITH_UNIT.match(text.strip().replace(self.locale().groupSeparator(), ""))
        unit = next((each for each in (_MERGES, _ENTRIES) if typed is not None and each.match(typed[2])), None)
        if typed is None or unit is None:
            return None, typed is not None
        return int(typed[1]) if unit is self._unit else self._converted(int(typed[1])), True

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        number, has_unit = self._typed(text)
        if not has_unit:
            return super().validate(text, position)
        return (_INTERMEDIATE if number is None else _ACCEPTABLE), text, position

    def valueFromText(self, text: str) -> int:  # noqa: N802 (Qt's name)
        number = self._typed(text)[0]
        return super().valueFromText(text) if number is None else number


_WIDTH: Final = 300  # pixels
_HINT_LINES: Final = 3
_KINDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "token": ("untilTokenAppears", "ing", ""),
    "word": ("untilWordIsOneToken", "learning", ""),
    "count-below": ("untilCountBelow", "50", "50"),
    "saves-below": ("untilSavesBelow", "0.01%", "0.01%"),
    "ties": ("untilNthTie", "1", "1"),
}
"""The conditions by the names that `RunUntil` reads: the name of the button, an example and the value at first."""
_NAMES: Final = tuple(_KINDS)


class UntilPopup(QFrame):
    """A small window below a button, which closes on a click anywhere else.

    - `chosen(condition)`: the run should continue until this RunUntil holds, which is possible.
    """

    chosen = Signal(object)

    def __init__(self, session: Session, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        name_widget(self, "untilPopup", self.tr("Run until"))
        set_role(self, "popup")
        self._session = session
        self._settings = settings
        self._values = {name: first for name, (_button, _example, first) in _KINDS.items() if first}
        for text in reversed(settings.run_until):
            name, _equals, value = text.partition("=")
            self._values[name] = value
        self._kinds = QButtonGroup(self)
        labels = (
            self.tr("A token appears"),
            self.tr("A word is one token"),
            self.tr("A pair occurs less often than"),
            self.tr("A merge saves less than"),
            self.tr("A tie for the most frequent pair"),
        )
        for index, (label, (name, *_more)) in enumerate(zip(labels, _KINDS.values(), strict=True)):
            self._kinds.addButton(name_widget(QRadioButton(label), name), index)
        self._hints = (
            self.tr("Stops after the merge that makes the token. A space may be typed as ·."),
            self.tr("Stops after the merge that makes it one token, at the beginning of a text or after a space."),
            self.tr("Stops before the first merge whose pair occurs less often."),
            self.tr("Stops before the first merge that saves a smaller share of the tokens of the corpus."),
            self.tr("Stops before the merge, with the tied pairs in view. 1 is the next tie, 2 the one after it."),
        )
        self._field = name_widget(QLineEdit(), "untilField")
        self._run = name_widget(
            QPushButton(self.tr("Run")), "untilRunButton", self.tr("Run until the condition is met")
        )
        self._hint = SentenceLabel(name="untilHint", lines=_HINT_LINES)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._kind = 0
        self._lay_out()
        last = next(iter(settings.run_until), "").partition("=")[0]
        self._show_kind(_NAMES.index(last) if last in _NAMES else 0)
        self._kinds.idClicked.connect(self._choose_kind)
        self._field.textEdited.connect(self._show_hint)
        self._field.returnPressed.connect(self._begin)
        self._run.clicked.connect(self._begin)

    def open_below(self, button: QWidget) -> None:
        """Show the popup below a button, with the focus in its field."""
        self._show_hint()
        self.adjustSize()
        corner = button.mapToGlobal(QPoint(0, button.height()))
        room = button.window().mapToGlobal(QPoint(button.window().width() - self.width(), 0))
        self.move(min(corner.x(), room.x()), corner.y())
        self.show()
        self._field.setFocus()
        self._field.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose another condition with Up and Down, which the field ignores, and close on Esc."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif step is not None:
            self._choose_kind((self._kind + step) % len(_KINDS))
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        title = QLabel(self.tr("Run until"))
        set_role(title, "title")
        field = row_of((self._field, 1), self._run)
        column_of(title, *self._kinds.buttons(), GAP, field, self._hint, of=self, margins=(DIALOG_MARGIN,) * 4)
        self.setFixedWidth(_WIDTH)

    def _choose_kind(self, kind: int) -> None:
        self._values[_NAMES[self._kind]] = self._field.text()
        self._show_kind(kind)
        self._field.setFocus()
        self._field.selectAll()

    def _show_kind(self, kind: int) -> None:
        self._kind = kind
        button = self._kinds.button(kind)
        button.setChecked(True)
        self._field.setText(self._values.get(_NAMES[kind], ""))
        self._field.setPlaceholderText(example_text(_KINDS[_NAMES[kind]][1]))
        self._field.setAccessibleName(button.text())
        self._show_hint()

    def _show_hint(self) -> None:
        set_role(self._hint, "quiet")
        self._hint.setText(self._hints[self._kind])

    def _begin(self) -> None:
        """Accept the condition, or say why it is not valid."""
        trainer = self._session.cursor.trainer
        if trainer is None:
            self.close()
            return
        try:
            condition = RunUntil.parse(f"{_NAMES[self._kind]}={self._typed_value()}").from_here(trainer)
            condition.check(trainer)
        except EngineError as error:
            set_role(self._hint, "warning")
            self._hint.setText(error_message(error))
            return
        name = _NAMES[self._kind]
        self._values = {name: self._field.text(), **{k: v for k, v in self._values.items() if k != name}}
        self._settings.run_until = tuple(f"{name}={value}" for name, value in self._values.items())
        self.close()
        self.chosen.emit(condition)

    def _typed_value(self) -> str:
        """Return what was typed: a token as shown becomes its text, and a percentage has its sign."""
        text = self._field.text()
        match _NAMES[self._kind]:
            case "token":
                return next(iter(exact_tokens(text)), b"").decode(errors="surrogateescape")
            case "word":
                return next(iter(exact_tokens(text)), b"").decode(errors="replace")
            case "saves-below":
                return text.strip().removesuffix("%").rstrip() + "%"
        return text
