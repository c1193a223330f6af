"""Adding to a comparison: the menu of tokenizers, and the line that says what is being made."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QLabel, QMenu, QProgressBar, QToolButton, QVBoxLayout, QWidget

from bpe_gui.engine import PRESETS, EngineError, Recipe
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.look.layouts import GAP, SMALL_GAP
from bpe_gui.gui.look.lifetime import Borrowed, weakly
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, name_widget
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.numbers import counted, labelled, number
from bpe_gui.gui.wording.recipe_texts import preset_description, preset_title
from bpe_gui.gui.wording.sentences import error_message

from .compared import ComparedTokenizers, Origin, RunStep, TrainedRecipe
from .tokenizer_maker import TokenizerMaker, file_origin
from .tokenizer_names import origin_name


class AddMenu(QObject):
    """Fills a menu each time it opens."""

    _window = Borrowed[QWidget]()

    def __init__(
        self,
        menu: QMenu,
        session: Session,
        tokenizers: ComparedTokenizers,
        maker: TokenizerMaker,
        choose_file: Callable[[QWidget], Path | None],
        window: QWidget,
    ) -> None:
        super().__init__(menu)
        self._menu = menu
        self._session = session
        self._tokenizers = tokenizers
        self._maker = maker
        self._choose_file = choose_file
        self._window = window
        self._recipes = self._make_recipes()
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self._fill)

    def train_all(self) -> None:
        """Train all published recipes on the corpus."""
        self._maker.train(PRESETS.values())

    def _fill(self) -> None:
        menu = self._menu
        menu.clear()
        self._add_steps()
        self._add_runs()
        opened = self._session.opened.tokenizers
        if opened:
            menu.addSeparator()
        for tokenizer in opened:
            action = menu.addAction((tokenizer.name or self.tr("Untitled")).replace("&", "&&"))
            action.triggered.connect(weakly(self._add_opened, tokenizer))
        menu.addSeparator()
        file = menu.addAction(self.tr("Tokenizer &file…"))
        file.setObjectName("addFileAction")
        file.triggered.connect(self._ask_for_file)
        menu.addMenu(self._recipes)

    def _add_steps(self) -> None:
        """Offer the current step, pinned while the window moves on, the last step, and any other."""
        trainer = self._session.run.trainer
        length = trainer.run_length if trainer is not None else 0
        position = trainer.position if trainer is not None else 0
        this = self._menu.addAction(self.tr("Run at &this step ({step})").format(step=number(position)))
        this.setObjectName("addThisStepAction")
        this.triggered.connect(weakly(self._add_step, position))
        last = self._menu.addAction(self.tr("Run at its &last step ({step})").format(step=number(length)))
        last.setObjectName("addLastStepAction")
        last.triggered.connect(weakly(self._add_step, length))
        other = self._menu.addAction(self.tr("Run at &step…"))
        other.setObjectName("addStepAction")
        other.triggered.connect(self._ask_for_step)
        last.setVisible(length > position)
        for action in (this, last, other):
            action.setEnabled(trainer is not None)

    def _add_runs(self) -> None:
        """Offer the runs that the main window does not show, which follow its step."""
        branches = self._session.branches
        others = [branch for branch in branches.all if branch is not branches.current]
        if others:
            self._menu.addSeparator()
        for branch in others:
            name = branch.name.replace("&", "&&") or self.tr("Main run")
            action = self._menu.addAction(name)
            action.setObjectName("addRunAction")
            action.triggered.connect(weakly(self._add_run, branch))
            action.setEnabled(branches.length_of(branch) > 0)

    def _add_run(self, branch: Branch) -> None:
        self._tokenizers.add_run(branch)

    def _make_recipes(self) -> QMenu:
        menu = QMenu(self.tr("&Recipe on this corpus"), self._menu)
        menu.setToolTipsVisible(True)
        for preset in PRESETS:
            action = menu.addAction(preset_title(preset))
            action.setObjectName(f"addRecipe_{preset}")
            action.setToolTip(preset_description(preset))
            action.triggered.connect(weakly(self._train, PRESETS[preset]))
        menu.addSeparator()
        custom = menu.addAction(self.tr("&Custom…"))
        custom.setObjectName("addCustomRecipeAction")
        custom.triggered.connect(self._ask_for_recipe)
        return menu

    def _train(self, recipe: Recipe) -> None:
        self._maker.train([recipe])

    def _add_opened(self, tokenizer: OpenedTokenizer) -> None:
        origin = file_origin(tokenizer, tokenizer.name or self.tr("Untitled"))
        self._tokenizers.add(origin, tokenizer.tokenizer(tokenizer.run_length))

    def _add_step(self, step: int) -> None:
        trainer = self._session.run.trainer
        if trainer is not None:
            step = min(step, trainer.run_length)
            origin = RunStep(step, branch=self._session.branches.current.name)
            self._tokenizers.add(origin, trainer.tokenizer(step))

    def _ask_for_step(self) -> None:
        trainer = self._session.run.trainer
        if trainer is None:
            return
        dialog = QInputDialog(self._window)
        dialog.setObjectName("compareStepDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Compare with a step"))
        dialog.setLabelText(self.tr("Step, from 0 to {last}:").format(last=number(trainer.run_length)))
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(0, trainer.run_length)
        dialog.setIntValue(trainer.position)
        dialog.intValueSelected.connect(self._add_step)
        dialog.open()

    def _ask_for_file(self) -> None:
        path = self._choose_file(self._window)
        if path is not None:
            self._maker.read(path)

    def _ask_for_recipe(self) -> None:
        dialog = RecipeDialog(self._session.corpus.recipe, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._maker.train([dialog.recipe()]))
        dialog.open()


class WorkLine(QWidget):
    """Shows progress while a tokenizer is being made, and then any errors."""

    def __init__(self, maker: TokenizerMaker, theme: Theme) -> None:
        super().__init__()
        self._maker = maker
        self._theme = theme
        self._words: list[str] = []
        self._label = name_widget(QLabel(), "compareWorkLabel")
        self._bar = name_widget(QProgressBar(), "compareProgress", self.tr("Progress"))
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(8)
        self._cancel = name_widget(QToolButton(autoRaise=True), "compareCancelButton", self.tr("Cancel"))
        self._cancel.setToolTip(self.tr("Cancel and keep what is already trained"))
        self._cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._cancel.clicked.connect(maker.cancel)
        self._message = SentenceLabel(name="compareMessage")
        set_role(self._message, "warning")
        set_role(self._label, "quiet")
        self._lay_out()
        maker.changed.connect(self._show)
        maker.progressed.connect(self._show_progress)
        maker.failed.connect(self._add_failure)
        maker.cancelled.connect(self._tell_cancelled)
        theme.changed.connect(self.apply_theme)
        self.apply_theme()
        self._show()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addWidget(self._bar, 1)
        row.addWidget(self._cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL_GAP)
        column.addWidget(self._message)
        column.addWidget(self._label)
        column.addLayout(row)

    def clear_words(self) -> None:
        """Clear the errors, because something else is starting."""
        self._words.clear()
        self._show()

    def _show(self) -> None:
        origin = self._maker.current
        for widget in (self._label, self._bar, self._cancel):
            widget.setVisible(origin is not None)
        self._bar.setRange(0, 0)
        if origin is not None:
            self._label.setText(self._text(origin))
        self._message.setText("\n".join(self._words))
        self._message.setVisible(bool(self._words))

    def _text(self, origin: Origin) -> str:
        if not isinstance(origin, TrainedRecipe):
            return self.tr("Reading {name}…").format(name=origin_name(origin))
        name = origin_name(origin)
        index, count = self._maker.position
        if count == 1:
            return self.tr("Training: {name}…").format(name=name)
        template = self.tr("Training {index} of {count}: {name}…")
        return template.format(index=number(index), count=number(count), name=name)

    def _show_progress(self, done: int, total: int) -> None:
        self._bar.setRange(0, total)
        self._bar.setValue(done)

    def _add_failure(self, origin: Origin, error: EngineError) -> None:
        self._words.append(labelled(origin_name(origin), error_message(error)))
        self._show()

    def _tell_cancelled(self, left: int) -> None:
        one, many = (
            self.tr("Cancelled. 1 tokenizer was not made."),
            self.tr("Cancelled. {count} tokenizers were not made."),
        )
        self._words.append(counted(left, one, many))
        self._show()

    def apply_theme(self) -> None:
        """Use the theme's icons."""
        self._cancel.setIcon(self._theme.icon("cancel"))
