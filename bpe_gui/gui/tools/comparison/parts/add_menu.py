"""The menu that adds to a comparison: steps of the run, opened tokenizers, files, and recipes."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from bpe_gui.engine import PRESETS, Recipe
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.look.lifetime import Borrowed, weakly
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tools.comparison.compared import RunStep
from bpe_gui.gui.tools.comparison.compared_tokenizers import ComparedTokenizers
from bpe_gui.gui.tools.comparison.tokenizer_maker import TokenizerMaker, file_origin
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.wording.recipe_texts import preset_description, preset_title


class AddMenu(QObject):
    """Fills a menu each time it is opened."""

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
        """Offer the step that is shown, to stay while the window moves on, the last one, and any other."""
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
        """Offer the runs that the window does not show, which follow its step."""
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
