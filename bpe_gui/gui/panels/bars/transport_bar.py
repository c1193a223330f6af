"""The bar on top: what to train, how far, and the keys of the player that moves the cursor."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QSpinBox, QToolButton, QWidget

from bpe_gui.engine import PRESETS
from bpe_gui.gui.wording import recipe_texts
from bpe_gui.gui.window.actions import plain_text
from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import PLAY_SPEEDS, Settings
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import named

_SPEEDS: Final = (1, 2, 4, 8, 16, 30, 100, 1000)
_MOST: Final = 10_000_000
_PLAYER: Final = (
    ("first", "firstButton"),
    ("step_back", "stepBackButton"),
    ("play", "playButton"),
    ("step", "stepButton"),
    ("last", "lastButton"),
)


class TransportBar(QWidget):
    """Recipe, vocabulary size and the player. Its buttons do the window's actions."""

    typed = Signal()
    """A step was typed and gone to."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        settings: Settings,
        actions: Mapping[str, QAction],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._settings = settings
        self._actions = actions
        self._recipes = self._make_recipes()
        self._size = self._make_spin("vocabSizeSpin", self.tr("Vocabulary size to train to"), session.vocab_size)
        self._size.valueChanged.connect(session.set_vocab_size)
        self._train = self._make_train_button()
        self._of_run = self._make_part_of_run()
        self._speed = self._make_speed()
        self._go_to = self._make_spin("goToSpin", self.tr("Go to step"), 0)
        self._go_to.setKeyboardTracking(False)  # 1 is not where one wants to go on the way to 128
        self._go_to.valueChanged.connect(self._go)
        self._go_to.lineEdit().returnPressed.connect(self.typed)
        self._step = named(QLabel(), "stepLabel")
        self._step.setMinimumWidth(self._step.fontMetrics().horizontalAdvance("step 100,000 of 100,000"))
        self._lay_out()
        session.recipe_changed.connect(self._show_recipe)
        session.cursor_moved.connect(self._show_position)
        session.run_changed.connect(self._show_position)
        session.tokenizer_opened.connect(self._show_whose)
        session.activity_changed.connect(self._show_activity)
        session.playing_changed.connect(self._show_playing)
        theme.changed.connect(self._show_icons)
        self._show_recipe()
        self._show_activity()
        self._show_whose()

    def focus_go_to(self) -> None:
        """Let the user type a step."""
        self._go_to.setFocus()
        self._go_to.selectAll()

    @property
    def steps_per_second(self) -> int:
        """The speed of playing."""
        return int(self._speed.currentData())

    def _make_recipes(self) -> QComboBox:
        combo = named(QComboBox(), "recipeCombo", self.tr("Recipe"))
        for name in PRESETS:
            combo.addItem(name, name)
            combo.setItemData(combo.count() - 1, recipe_texts.preset_description(name), Qt.ItemDataRole.ToolTipRole)
        combo.setToolTip(self.tr("The published trainer to reproduce. Its switches are under “Recipe…”."))
        combo.currentIndexChanged.connect(self._choose_recipe)
        return combo

    def _make_spin(self, name: str, accessible_name: str, value: int) -> QSpinBox:
        spin = named(QSpinBox(minimum=0, maximum=_MOST, value=value), name, accessible_name)
        spin.setGroupSeparatorShown(True)
        spin.setFixedWidth(104)
        return spin

    def _make_train_button(self) -> QPushButton:
        action = self._actions["train"]
        button = named(QPushButton(plain_text(action)), "trainButton", self.tr("Train to the vocabulary size"))
        button.setToolTip(action.toolTip())
        button.clicked.connect(action.trigger)
        return button

    def _make_speed(self) -> QComboBox:
        combo = named(QComboBox(), "speedCombo", self.tr("Steps a second when playing"))
        combo.setToolTip(combo.accessibleName())
        for speed in _SPEEDS:
            combo.addItem(self.tr("{speed} a second").format(speed=number(speed)), speed)
        combo.setCurrentIndex(max(0, combo.findData(self._settings.play_speed)))
        combo.currentIndexChanged.connect(self._choose_speed)
        return combo

    def _make_player_button(self, action: QAction, name: str) -> QToolButton:
        button = named(QToolButton(), name)
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setAccessibleName(plain_text(action))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 6)
        row.setSpacing(6)
        row.addWidget(self._of_run)
        row.addStretch(1)
        for action, name in _PLAYER:
            row.addWidget(self._make_player_button(self._actions[action], name))
        row.addWidget(self._speed)
        row.addStretch(1)
        row.addWidget(self._caption(self.tr("Go to"), self._go_to))
        row.addWidget(self._go_to)
        row.addWidget(self._step)

    def _make_part_of_run(self) -> QWidget:
        """What a run is trained by. Beside an opened tokenizer it would seem to be of that, so it is not seen then;
        but it keeps its room, or the player would not stay under the mouse."""
        part = named(QWidget(), "runControls")
        policy = part.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        part.setSizePolicy(policy)
        row = QHBoxLayout(part)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._caption(self.tr("Recipe"), self._recipes))
        row.addWidget(self._recipes)
        row.addSpacing(8)
        row.addWidget(self._caption(self.tr("Vocabulary"), self._size))
        row.addWidget(self._size)
        row.addWidget(self._train)
        return part

    def _caption(self, text: str, buddy: QWidget) -> QLabel:
        label = QLabel(text)
        label.setBuddy(buddy)
        set_role(label, "quiet")
        return label

    def _choose_recipe(self, index: int) -> None:
        name = self._recipes.itemData(index)
        if name is not None:
            self._session.set_recipe(PRESETS[name])

    def _choose_speed(self) -> None:
        self._settings.play_speed = min(self.steps_per_second, PLAY_SPEEDS[-1])
        if self._session.playing:
            self._session.play(self.steps_per_second)

    def _go(self, step: int) -> None:
        if step != self._session.position:
            self._session.pause()
            self._session.seek(step)
            self._show_position()  # also where there is no such step, and nothing moved

    def _show_recipe(self) -> None:
        preset = self._session.recipe.preset
        with QSignalBlocker(self._recipes):
            custom = self._recipes.findData(None)
            if preset is None and custom < 0:
                self._recipes.addItem(self.tr("custom"), None)
            elif preset is not None and custom >= 0:
                self._recipes.removeItem(custom)
            self._recipes.setCurrentIndex(self._recipes.findData(preset))
        with QSignalBlocker(self._size):
            self._size.setValue(self._session.vocab_size)
        self._show_position()

    def _show_whose(self) -> None:
        self._of_run.setVisible(self._session.opened is None)

    def _show_position(self) -> None:
        session = self._session
        if session.is_run_in_training and session.steps is None:
            return
        with QSignalBlocker(self._go_to):
            self._go_to.setValue(session.position)
        # Where the run will end: at the size that is wanted, or where nothing is left to merge.
        steps = session.run_length if session.next_merge is None else max(session.run_length, session.target_position)
        words = self.tr("step {step} of {steps}")
        self._step.setText(words.format(step=number(session.position), steps=number(steps)))
        self._show_abilities()

    def _show_abilities(self) -> None:
        ready = self._session.steps is not None
        behind = ready and self._session.position > 0
        ahead = ready and self._session.next_merge is not None
        for name, able in (("first", behind), ("step_back", behind), ("step", ahead), ("play", ahead), ("last", ahead)):
            self._actions[name].setEnabled(able)
        self._go_to.setEnabled(ready)

    def _show_activity(self) -> None:
        training = self._session.activity is Activity.TRAINING
        self._actions["train"].setEnabled(not training)
        self._train.setEnabled(not training)
        if training:
            self._show_abilities()
        else:
            self._show_position()

    def _show_playing(self, playing: bool) -> None:
        self._actions["play"].setIcon(self._theme.icon("pause" if playing else "play"))

    def _show_icons(self) -> None:
        self._show_playing(self._session.playing)
