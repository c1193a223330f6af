"""Adding to a comparison: the menu of tokenizers, and the line that says what is being made."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from bpe_gui.engine import PRESETS, EngineError, TokenizerSource, cached_sources, gets_encodings, is_tokenizer
from bpe_gui.gui.dialogs.boxes import open_once
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.dialogs.splitter_trial import SplitterCorpus
from bpe_gui.gui.dialogs.tokenizer_dialogs import TokenizerNameDialog
from bpe_gui.gui.look.layouts import SMALL_GAP, column_of
from bpe_gui.gui.look.lifetime import WeakAttribute, weakly
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import SentenceLabel, add_action, plain_tool_tip, quiet_label
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.paths import exists
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool import JobProgress
from bpe_gui.gui.wording.phrases import counted, labelled, number
from bpe_gui.gui.wording.recipe_texts import preset_description, preset_title
from bpe_gui.gui.wording.sentences import error_message

from .compared import ComparedTokenizers, RunStep, TrainedRecipe
from .recipe_trainer import RecipeTrainer
from .tokenizer_names import origin_name

_GPT_4: Final = "tiktoken:cl100k_base"


class AddMenu(QObject):
    """Fills a menu each time it opens."""

    _window = WeakAttribute[QWidget]()

    def __init__(
        self,
        menu: QMenu,
        session: Session,
        settings: Settings,
        tokenizers: ComparedTokenizers,
        trainer: RecipeTrainer,
        choose_file: Callable[[QWidget], Path | None],
        theme: Theme,
        window: QWidget,
    ) -> None:
        super().__init__(menu)
        self._menu = menu
        self._session = session
        self._settings = settings
        self._tokenizers = tokenizers
        self._trainer = trainer
        self._choose_file = choose_file
        self._theme = theme
        self._window = window
        self._recipes = self._make_recipes()
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        """Offer published tokenizers and files, the likeliest first, and then what this corpus makes."""
        menu = self._menu
        menu.clear()
        self._add_recent()
        for tokenizer in self._session.opened.tokenizers:
            name = (tokenizer.name or self.tr("Untitled")).replace("&", "&&")
            add_action(menu, "", name, weakly(self._tokenizers.add_opened, tokenizer))
        menu.addSeparator()
        cached = {source.name: source for source in cached_sources()}
        is_cached = cached.pop(_GPT_4, None) is not None  # which is offered as what the window's first line promises
        for source in cached.values():
            add_action(menu, "", source.name.replace("&", "&&"), weakly(self._session.opened.open_beside, source))
        menu.addSeparator()
        if (is_cached or gets_encodings()) and self._opened_gpt_4() is None:
            text = self.tr("&GPT-4 ({name})") if is_cached else self.tr("Download &GPT-4 ({name})")
            add_action(menu, "addGpt4Action", text.format(name=_GPT_4.partition(":")[2]), self._add_gpt_4)
        add_action(menu, "addPublishedAction", self.tr("&Download by name…"), self._ask_for_name)
        add_action(menu, "addFileAction", self.tr("Tokenizer &file…"), self._ask_for_file)
        menu.addSeparator()
        self._add_steps()
        self._add_runs()
        menu.addMenu(self._recipes)

    def add_gpt_4(self) -> bool:
        """Add GPT-4's tokenizer, which may have to be fetched first. Return False if that is not possible."""
        if (opened := self._opened_gpt_4()) is not None:
            if opened is not self._session.opened.tokenizer:  # which is compared anyway
                self._tokenizers.add_opened(opened)
            return True
        if self._cached_gpt_4() is None and not gets_encodings():
            return False
        self._add_gpt_4()
        return True

    def _add_gpt_4(self) -> None:
        self._session.opened.open_beside(self._cached_gpt_4() or TokenizerSource.named(_GPT_4))

    def _opened_gpt_4(self) -> OpenedTokenizer | None:
        return next((each for each in self._session.opened.tokenizers if _is_gpt_4(each.name)), None)

    def _cached_gpt_4(self) -> TokenizerSource | None:
        return next((each for each in cached_sources() if each.name == _GPT_4), None)

    def _add_recent(self) -> None:
        """Offer the tokenizers opened recently, except those that are open now."""
        opened = [tokenizer.source.path for tokenizer in self._session.opened.tokenizers]
        for path in self._settings.recent_files:
            if path not in opened and exists(path) and is_tokenizer(path):
                name = path.name.replace("&", "&&")
                add_action(
                    self._menu, "", name, weakly(self._session.opened.open_beside, TokenizerSource(path))
                ).setToolTip(plain_tool_tip(str(path)))
        self._menu.addSeparator()

    def _add_steps(self) -> None:
        """Offer the current step, pinned while the window moves on, the last step, and any other."""
        trainer = self._session.run.trainer
        length = trainer.run_length if trainer is not None else 0
        position = trainer.position if trainer is not None else 0
        this = self.tr("Run at &this step ({step})").format(step=number(position))
        last = self.tr("Run at its &last step ({step})").format(step=number(length))
        for action in (
            add_action(self._menu, "addThisStepAction", this, weakly(self._add_step, position)),
            last_step := add_action(self._menu, "addLastStepAction", last, weakly(self._add_step, length)),
            add_action(self._menu, "addStepAction", self.tr("Run at &step…"), self._ask_for_step),
        ):
            action.setEnabled(trainer is not None)
        last_step.setVisible(length > position)

    def _add_runs(self) -> None:
        """Offer the runs that the window does not show, which follow its step."""
        branches = self._session.branches
        others = [branch for branch in branches.all if branch is not branches.current]
        for branch in others:
            name = branch.name.replace("&", "&&") or self.tr("Main run")
            action = add_action(self._menu, "addRunAction", name, weakly(self._tokenizers.add_run, branch))
            action.setEnabled(branches.length_of(branch) > 0)

    def _make_recipes(self) -> QMenu:
        menu = QMenu(self.tr("&Recipe on this corpus"), self._menu)
        menu.setToolTipsVisible(True)
        for preset in PRESETS:
            train = weakly(self._trainer.train, [PRESETS[preset]])
            add_action(menu, f"addRecipe_{preset}", preset_title(preset), train).setToolTip(preset_description(preset))
        menu.addSeparator()
        add_action(menu, "addCustomRecipeAction", self.tr("&Custom…"), self._ask_for_recipe)
        menu.addSeparator()
        count = number(len(PRESETS))
        every = self.tr("&All {count} recipes").format(count=count)
        tip = self.tr("Train {count} published recipes on the corpus, to the vocabulary size of the run")
        train_all = weakly(self._trainer.train, list(PRESETS.values()))
        add_action(menu, "addAllRecipesAction", every, train_all).setToolTip(tip.format(count=count))
        return menu

    def _add_step(self, step: int) -> None:
        run, trainer = self._session.run, self._session.run.trainer
        if trainer is not None:
            step = min(step, trainer.run_length)
            origin = RunStep(step, branch=self._session.branches.current.name, inputs=run.inputs)
            self._tokenizers.add(origin, trainer.tokenizer(step))

    def _ask_for_step(self) -> None:
        trainer = self._session.run.trainer
        if trainer is None:
            return
        dialog = QInputDialog(self._window)
        dialog.setObjectName("compareStepDialog")
        dialog.setWindowTitle(self.tr("Compare with a step"))
        dialog.setLabelText(self.tr("Step, from 0 to {last}:").format(last=number(trainer.run_length)))
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(0, trainer.run_length)
        dialog.setIntValue(trainer.position)
        dialog.intValueSelected.connect(self._add_step)
        open_once(dialog)

    def _ask_for_file(self) -> None:
        path = self._choose_file(self._window)
        if path is not None:
            self._session.opened.open_beside(TokenizerSource(path))

    def _ask_for_name(self) -> None:
        dialog = TokenizerNameDialog(self._window)
        dialog.found.connect(self._session.opened.open_beside)
        open_once(dialog)

    def _ask_for_recipe(self) -> None:
        corpus = self._session.corpus
        trial = SplitterCorpus.of(corpus)
        dialog = RecipeDialog(corpus.recipe, self._window, corpus=trial, theme=self._theme, counts=corpus.counts)
        dialog.accepted.connect(lambda: self._trainer.train([dialog.recipe]))
        open_once(dialog)


def _is_gpt_4(name: str) -> bool:
    """Return whether a published name, or that of a file, is the one of GPT-4's tokenizer."""
    return Path(name.rpartition(":")[2]).stem == _GPT_4.rpartition(":")[2]


class WorkLine(QWidget):
    """Shows progress while a recipe is being trained, then any errors, and what to do."""

    def __init__(self, trainer: RecipeTrainer, theme: Theme) -> None:
        super().__init__()
        self._trainer = trainer
        self._words: list[str] = []
        self._label = quiet_label("compareWorkLabel")
        progress = JobProgress(trainer, theme, "compare", self.tr("Cancel and keep what is already trained"), None)
        self._message = SentenceLabel(name="compareMessage", role="warning")
        column_of(self._message, self._label, progress, of=self, spacing=SMALL_GAP)
        trainer.changed.connect(self._show)
        trainer.failed.connect(self._add_failure)
        trainer.cancelled.connect(self._tell_cancelled)
        self._show()

    def say(self, words: str) -> None:
        """Show a sentence until something starts."""
        self._words = [words] if words else []
        self._show()

    def clear_words(self) -> None:
        """Clear what was said, because something else is starting."""
        self.say("")

    def _show(self) -> None:
        origin = self._trainer.current
        self._label.setVisible(origin is not None)
        if origin is not None:
            self._label.setText(self._text(origin))
        self._message.say("\n".join(self._words), "warning", hides=True)

    def _text(self, origin: TrainedRecipe) -> str:
        name = origin_name(origin)
        index, count = self._trainer.position
        if count == 1:
            return self.tr("Training: {name}…").format(name=name)
        template = self.tr("Training {index} of {count}: {name}…")
        return template.format(index=number(index), count=number(count), name=name)

    def _add_failure(self, origin: TrainedRecipe, error: EngineError) -> None:
        self._words.append(labelled(origin_name(origin), error_message(error)))
        self._show()

    def _tell_cancelled(self, left: int) -> None:
        one = self.tr("Cancelled. 1 tokenizer was not made.")
        self._words.append(counted(left, one, self.tr("Cancelled. {count} tokenizers were not made.")))
        self._show()
