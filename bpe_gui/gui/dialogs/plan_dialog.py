"""The dialog for all parts of a plan: a pair, a pattern or a step on each line."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontDatabase, QFontMetrics
from PySide6.QtWidgets import QCheckBox, QDialog, QFileDialog, QGridLayout, QLabel, QPlainTextEdit, QWidget

from bpe_gui.engine import (
    SPLITTERS,
    EngineError,
    Plan,
    TokenPair,
    from_printable,
    to_printable,
)
from bpe_gui.gui.look.layouts import GAP, SMALL_GAP, dialog_buttons, dialog_column, grid_of, row_of
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, SpinBox, hairline, label_of, name_widget, push_button
from bpe_gui.gui.wording.phrases import example_text, joined_sentences, number
from bpe_gui.gui.wording.recipe_texts import similar_splitter
from bpe_gui.gui.wording.run_texts import plan_summary
from bpe_gui.gui.wording.sentences import error_message

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MAX_STEPS: Final = 10_000_000
_STEP: Final = re.compile("0*([0-9]{1,8})")
_NAME: Final = re.compile(r"[\w-]+")


class LineError(ValueError):
    """A line, numbered from 1, is not valid.

    The message says what it should be, in the language of the window.
    """

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


def read_pairs(text: str) -> frozenset[TokenPair]:
    """Parse pairs, one per line. Raise LineError."""
    return frozenset(_pair(line_number, line) for line_number, line in _lines(text))


def read_patterns(text: str) -> tuple[str, ...]:
    """Parse patterns, one per line, keeping their spaces. Raise LineError."""
    patterns = {index: line for index, line in enumerate(text.splitlines(), start=1) if line.strip()}
    for line_number, pattern in patterns.items():
        _check(line_number, banned_tokens=[pattern])
    return tuple(patterns.values())


def read_seeds(text: str) -> tuple[str, ...]:
    """Parse seed tokens, one per line, keeping their spaces."""
    return tuple(filter(None, text.splitlines()))


def read_steps(text: str) -> Mapping[int, TokenPair]:
    """Parse forced merges, one per line, and return them by rank. Raise LineError."""
    forced: dict[int, TokenPair] = {}
    for line_number, step, rest in _step_lines(text):
        if not step:
            raise LineError(line_number, translate("Plan", "the first step is 1."))
        forced[step - 1] = _pair(line_number, rest)
    return forced


def read_stages(text: str) -> Mapping[int, str]:
    """Parse splitters, one per line, and return them by the step after which they take effect. Raise LineError."""
    stages: dict[int, str] = {}
    for line_number, step, splitter in _step_lines(text):
        if not splitter:
            raise LineError(line_number, translate("Plan", "enter a number of merges and the splitter to use then."))
        _check(line_number, stages={1: splitter})
        stages[step] = splitter
    return stages


def doubtful_name(plan: Plan) -> str:
    """Return a splitter that looks like a name, but is taken for an expression because no splitter has that name."""
    return next((each for each in plan.splitters if each not in SPLITTERS and _NAME.fullmatch(each)), "")


def _is_line(text: str) -> bool:
    return len(text.splitlines()) == 1 and text.splitlines()[0] == text


def _typed(pair: TokenPair) -> str:
    return f"{to_printable(pair[0])} {to_printable(pair[1])}"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the non-empty lines with their numbers, from 1."""
    return ((index, line.strip()) for index, line in enumerate(text.splitlines(), start=1) if line.strip())


def _step_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each line's number, the step it begins with, and the rest. Raise LineError if a step occurs twice."""
    lines: dict[int, int] = {}
    for line_number, line in _lines(text):
        step, rest = _step(line_number, line)
        if step in lines:
            template = translate("Plan", "line {line} begins with {step}, too. Remove one of the two.")
            raise LineError(line_number, template.format(line=number(lines[step]), step=number(step)))
        lines[step] = line_number
        yield line_number, step, rest


def _check(line_number: int, **part: Any) -> None:
    """Raise LineError if a plan cannot have this part, which is one expression, with the reason."""
    try:
        Plan(**part)
    except EngineError as error:
        reason = error.values["reason"]
        raise LineError(line_number, error_message(reason if isinstance(reason, EngineError) else error)) from error


def _step(line_number: int, line: str) -> tuple[int, str]:
    """Return the step that a line begins with, and the rest of the line."""
    first, _, rest = line.partition(" ")
    match = _STEP.fullmatch(first)
    if match is None or int(match[1]) > _MAX_STEPS:
        template = translate("Plan", "it must begin with a number, not “{text}”.")
        raise LineError(line_number, template.format(text=first))
    return int(match[1]), rest.strip()


def _pair(line_number: int, line: str) -> TokenPair:
    match line.split():
        case [left, right]:
            return _token(line_number, left), _token(line_number, right)
        case _:
            raise LineError(line_number, translate("Plan", "enter two tokens separated by a space."))


def _token(line_number: int, text: str) -> bytes:
    """Return the bytes of a token, written as in `merges.txt`, or as plain text where that is not possible."""
    try:
        return from_printable(text)
    except KeyError:
        return text.encode("utf-8", "surrogatepass")


_LIMITS: Final = {"max-bytes": 16, "max-characters": 8, "max-words": 2}
_FLAGS: Final = ("no-letters-with-digits", "no-mixed-scripts", "no-leading-space", "character-boundaries")
_MAX_MERGES: Final = 1_000_000
_LARGEST_LIMIT: Final = 1_000_000_000  # of a rule
_LINES: Final = 3  # of a field
_WIDTH: Final = 720  # pixels
_FIELD_WIDTH: Final = 300


class ReplaySource(NamedTuple):
    """Merges that can be replayed: the name of the run or tokenizer, and all its merges."""

    name: str
    merges: Sequence[TokenPair]


class PlanDialog(QDialog):
    """A form with the parts of a plan, checked as the user types.

    - `branch_wanted(plan)`: train a new branch with it.
    - `plan_wanted(plan)`: retrain the current run with it.
    """

    branch_wanted = Signal(Plan)
    plan_wanted = Signal(Plan)

    def __init__(self, plan: Plan, sources: Sequence[ReplaySource], parent: QWidget | None = None) -> None:
        """`sources` has the merges that can be replayed."""
        super().__init__(parent)
        self.setObjectName("planDialog")
        self.setWindowTitle(self.tr("Plan"))
        self._given_sources = tuple(sources)
        self._sources: tuple[ReplaySource, ...] = ()
        self.plan = plan
        """The last valid plan."""
        self._banned = self._field("planBanned", self.tr("Pairs that are never merged"), "e st")
        self._patterns = self._field("planPatterns", self.tr("Tokens that are never made"), r".*[0-9]{4,}.*")
        self._forced = self._field("planForced", self.tr("Merges chosen by you"), "58 e st")
        self._stages = self._field("planStages", self.tr("Changes of the splitter"), "1000 none")
        self._seeds = self._field("planSeeds", self.tr("Seed tokens"), "ing")
        self._source = name_widget(ComboBox(), "planSource", self.tr("Merges to replay"))
        self._count = name_widget(SpinBox(maximum=_MAX_MERGES), "planCount", self.tr("Number of merges to replay"))
        self._count.setGroupSeparatorShown(True)
        self._languages = name_widget(ComboBox(), "planLanguages", self.tr("Languages"))
        self._languages.addItem(self.tr("one language"), None)
        self._languages.addItem(self.tr("a language in each folder"), "folder")
        self._languages.addItem(self.tr("a language in each document"), "document")
        self._turns = name_widget(ComboBox(), "planTurns", self.tr("Whose turn it is"))
        self._turns.addItem(self.tr("whose text is the longest"), False)
        self._turns.addItem(self.tr("whose text has been shortened the least"), True)
        tip = self.tr("The recipe “parity” trains as ParityBpeTrainer in tokenizers and “bpe-gui train --language”.")
        for combo in (self._languages, self._turns):
            combo.setToolTip(f"<qt>{tip}</qt>")
        self._boxes = {name: name_widget(QCheckBox(), f"plan_{name}") for name in (*_LIMITS, *_FLAGS)}
        self._limits = {
            name: name_widget(SpinBox(minimum=1, maximum=_LARGEST_LIMIT, value=limit), f"plan_{name}_limit")
            for name, limit in _LIMITS.items()
        }
        self._message = SentenceLabel(name="planMessage", selectable=True, lines=2)
        self._open = push_button("openPlanButton", self.tr("Open plan…"), self._ask_to_open)
        self._save = push_button("savePlanButton", self.tr("Save plan…"), self._ask_to_save)
        self._branch = push_button(
            "applyAsBranchButton", self.tr("Apply to a new branch"), self._take_as_branch, default=True
        )
        tip = self.tr("Start this run over with the plan. You can undo this.")
        self._apply = push_button("applyPlanButton", self.tr("Apply to this run"), self._take, tool_tip=tip)
        self._cancel = push_button("planCancelButton", self.tr("Cancel"), self.reject)
        self._lay_out()
        self.show_plan(plan)
        for field in (self._banned, self._patterns, self._seeds, self._forced, self._stages):
            field.textChanged.connect(self._check)
        for spin in (self._count, *self._limits.values()):
            spin.valueChanged.connect(self._check)
        for box in self._boxes.values():
            box.toggled.connect(self._check)
        for combo in (self._languages, self._turns):
            combo.currentIndexChanged.connect(self._check)
        self._source.currentIndexChanged.connect(self._choose_source)

    def _field(self, name: str, label: str, example: str) -> QPlainTextEdit:
        field = name_widget(QPlainTextEdit(), name, label)
        field.setPlaceholderText(example_text(example))
        field.setTabChangesFocus(True)
        field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        frame = 2 * (field.frameWidth() + round(field.document().documentMargin()))
        field.setFixedHeight(_LINES * QFontMetrics(field.font()).lineSpacing() + frame + GAP)
        field.setMinimumWidth(_FIELD_WIDTH)
        return field

    # -- layout -----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        grid = grid_of()
        grid.setColumnStretch(1, 1)
        replay = QWidget()
        row_of(QLabel(self.tr("the first")), self._count, QLabel(self.tr("merges of")), (self._source, 1), of=replay)
        self._add_row(grid, self.tr("&Replay"), replay, self._count)
        self._add_text(grid, self.tr("&Banned pairs"), self._banned, self.tr("One pair per line, as in merges.txt."))
        self._add_text(
            grid,
            self.tr("Banned &tokens"),
            self._patterns,
            self.tr("One regular expression per line. It must match the whole token."),
        )
        self._add_row(grid, self.tr("Rules"), self._rules_grid(), None)
        self._add_text(
            grid,
            self.tr("Seed t&okens"),
            self._seeds,
            self.tr("One per line. They are found in words before anything merges, and are never divided."),
        )
        languages = QWidget()
        row_of(self._languages, QLabel(self.tr("the turn is that of the one")), (self._turns, 1), of=languages)
        self._add_row(grid, self.tr("&Languages"), languages, self._languages)
        self._add_text(
            grid,
            self.tr("&Forced merges"),
            self._forced,
            self.tr("The step, from 1, and the pair to merge there, whatever its count."),
        )
        self._add_text(
            grid,
            self.tr("&Superwords"),
            self._stages,
            self.tr(
                "After how many merges, and a splitter’s name or expression, or join: merge words that are one token."
            ),
        )
        buttons = dialog_buttons(self._apply, accept=self._branch, reject=self._cancel)
        bottom = row_of(self._open, self._save, None, buttons, spacing=None)
        dialog_column(self, grid, hairline(self), self._message, bottom, width=_WIDTH)

    def _rules_grid(self) -> QWidget:
        texts = {
            "max-bytes": self.tr("bytes at most"),
            "max-characters": self.tr("characters at most"),
            "max-words": self.tr("words at most"),
            "no-letters-with-digits": self.tr("No letters with digits"),
            "no-mixed-scripts": self.tr("No mixed scripts"),
            "no-leading-space": self.tr("No leading space"),
            "character-boundaries": self.tr("Whole characters or parts of one"),
        }
        widget = QWidget()
        grid = grid_of(widget, row_gap=SMALL_GAP)
        grid.setColumnStretch(2, 1)
        for row, (name, spin) in enumerate(self._limits.items()):
            box = self._boxes[name]
            box.setAccessibleName(texts[name])
            spin.setAccessibleName(texts[name])
            grid.addLayout(row_of(box, spin, label_of(spin, texts[name]), None), row, 0)
        for row, name in enumerate(_FLAGS):
            self._boxes[name].setText(texts[name])
            grid.addWidget(self._boxes[name], row, 1)
        return widget

    def _add_text(self, grid: QGridLayout, text: str, field: QPlainTextEdit, explanation: str) -> None:
        field.setAccessibleDescription(explanation)
        row = self._add_row(grid, text, field, field, columns=1)
        grid.addWidget(SentenceLabel(explanation, role="quiet"), row, 2, Qt.AlignmentFlag.AlignTop)
        grid.setColumnMinimumWidth(2, 180)

    def _add_row(self, grid: QGridLayout, text: str, widget: QWidget, buddy: QWidget | None, columns: int = 2) -> int:
        row = grid.rowCount()
        label = QLabel(text)
        if buddy is not None:
            label.setBuddy(buddy)
        grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(widget, row, 1, 1, columns)
        return row

    # -- the plan ---------------------------------------------------------------------------------------------------

    def show_plan(self, plan: Plan) -> None:
        self.plan = plan
        fields = (self._banned, self._patterns, self._seeds, self._forced, self._stages, self._source, self._count)
        combos = (self._languages, self._turns)
        blockers = [QSignalBlocker(each) for each in (*fields, *combos, *self._boxes.values(), *self._limits.values())]
        self._banned.setPlainText("\n".join(sorted(map(_typed, plan.banned))))
        self._patterns.setPlainText("\n".join(plan.banned_tokens))
        self._seeds.setPlainText("\n".join(filter(_is_line, plan.seeds)))
        self._forced.setPlainText("\n".join(f"{rank + 1} {_typed(pair)}" for rank, pair in plan.forced.items()))
        self._stages.setPlainText("\n".join(f"{step} {splitter}" for step, splitter in plan.stages.items()))
        rules = {rule.name: rule.limit for rule in plan.rules}
        for name, box in self._boxes.items():
            box.setChecked(name in rules)
        for name, spin in self._limits.items():
            spin.setValue(rules.get(name) or _LIMITS[name])
        self._languages.setCurrentIndex(self._languages.findData(plan.parity and plan.parity.by))
        self._turns.setCurrentIndex(self._turns.findData(plan.parity is not None and plan.parity.is_even))
        self._show_sources(plan)
        del blockers
        self._check()

    def _show_sources(self, plan: Plan) -> None:
        """List what can be replayed, starting with what the plan replays, and select that."""
        given, count = self._given_sources, len(plan.replay)
        own = next((each for each in given if tuple(each.merges[:count]) == plan.replay), None)
        if own is None:
            own = ReplaySource(self.tr("the plan"), plan.replay)
        self._sources = given if own in given else (own, *given)
        self._source.clear()
        self._source.addItems([each.name for each in self._sources])
        self._source.setCurrentIndex(self._sources.index(own))
        self._count.setMaximum(len(own.merges))
        self._count.setValue(len(plan.replay))

    def _choose_source(self, index: int) -> None:
        count = len(self._sources[index].merges)
        with QSignalBlocker(self._count):
            self._count.setMaximum(count)
            self._count.setValue(count)
        self._check()

    def _check(self) -> None:
        """Read the form, and show a summary of the plan, or what is wrong."""
        for name, spin in self._limits.items():
            spin.setEnabled(self._boxes[name].isChecked())
        self._turns.setEnabled(self._languages.currentData() is not None)
        problem = ""
        try:
            problem = self._read()
        except EngineError as error:
            problem = error_message(error)
        self._message.say(problem or self._summary(), "warning" if problem else "quiet")
        for button in (self._save, self._apply, self._branch):
            button.setEnabled(not problem)

    def _summary(self) -> str:
        """Return a summary of the plan, and a hint if a splitter's name may be misspelt."""
        summary = plan_summary(self.plan) or self.tr("No plan: training chooses every merge.")
        if not (name := doubtful_name(self.plan)):
            return summary
        hint = self.tr("“{text}” is not the name of a splitter, so it is a regular expression.").format(text=name)
        if similar := similar_splitter(name):
            hint = joined_sentences([hint, self.tr("Did you mean {name}?").format(name=similar)])
        return f"{summary}\n{hint}"

    def _read(self) -> str:
        """Take the plan from the form, or return what is wrong with a line of it. Raise EngineError."""
        parts = (
            (self.tr("Banned pairs"), self._banned, read_pairs),
            (self.tr("Banned tokens"), self._patterns, read_patterns),
            (self.tr("Seed tokens"), self._seeds, read_seeds),
            (self.tr("Forced merges"), self._forced, read_steps),
            (self.tr("Superwords"), self._stages, read_stages),
        )
        values = []
        for title, field, read in parts:
            try:
                values.append(read(field.toPlainText()))
            except LineError as error:
                template = self.tr("{part}, line {line}: {problem}")
                return template.format(part=title, line=number(error.line), problem=error)
        banned, patterns, seeds, forced, stages = values
        source = self._sources[max(0, self._source.currentIndex())]
        self.plan = self.plan.with_changes(
            replay=source.merges[: self._count.value()],
            banned=banned,
            banned_tokens=patterns,
            seeds=[*seeds, *(seed for seed in self.plan.seeds if not _is_line(seed))],
            forced=forced,
            stages=stages,
            rules=[
                f"{name}={self._limits[name].value()}" if name in self._limits else name
                for name, box in self._boxes.items()
                if box.isChecked()
            ],
        ).taking_turns(self._languages.currentData(), is_even=self._turns.currentData())
        return ""

    def _take(self) -> None:
        self.accept()
        self.plan_wanted.emit(self.plan)

    def _take_as_branch(self) -> None:
        self.accept()
        self.branch_wanted.emit(self.plan)

    # -- files ------------------------------------------------------------------------------------------------------

    def _ask_to_open(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Open plan"), "", self.tr("Plans (*.json)"))
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> None:
        """Show the plan in a file; if it is not a plan, say why."""
        try:
            plan = Plan.load(path)
        except EngineError as error:
            self._message.say(error_message(error), "warning")
        else:
            self.show_plan(plan)

    def _ask_to_save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save plan"), "plan.json", self.tr("Plans (*.json)"))
        if name:
            self.save_file(Path(name))

    def save_file(self, path: Path) -> None:
        """Write the plan to a file, and say where, or why not."""
        try:
            self.plan.save(path)
        except EngineError as error:
            self._message.say(error_message(error), "warning")
        else:
            template = self.tr("Saved as {path} (merges to replay: {count}).")
            self._message.say(template.format(path=path, count=number(len(self.plan.replay))), "quiet")
