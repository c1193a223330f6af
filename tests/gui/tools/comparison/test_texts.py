"""Comparing texts: numbers and differences are those of the engine, live, and the texts move together."""

from collections import Counter
from collections.abc import Callable
from html import unescape

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QSplitter, QToolButton

from bpe_gui.engine import compare, token_in_sentence, train
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tools.comparison import compare_page, live_comparison
from bpe_gui.gui.tools.comparison.compared import RunStep
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.token_id_view import TokenIdView
from tests.gui.support.widgets import child, label_text

from .support import CORPUS, TEXT, Stage, make_session, run_tokenizer

Open = Callable[[Session], Stage]


@pytest.fixture
def stage(open_comparison: Open) -> Stage:
    """Return a comparison of step 12 with step 4 of a run."""
    made = open_comparison(make_session(step=12))
    made.comparing.tokenizers.add(RunStep(4), run_tokenizer(made.session, 4))
    made.settle()
    return made


def view(stage: Stage, letter: str) -> TokenEdit:
    return child(stage.window, TokenEdit, f"comparedText{letter}")


def test_numbers_and_differences_are_those_of_the_engine(stage: Stage) -> None:
    tokenizers = [run_tokenizer(stage.session, 12), run_tokenizer(stage.session, 4)]
    expected = compare(tokenizers, TEXT)
    differences, pair = expected.differences, expected.pair()
    assert differences is not None
    assert [row[1] for row in stage.table()] == [str(text.metrics.tokens) for text in expected.texts]
    assert [row[3] for row in stage.table()] == [f"{text.metrics.bytes_per_token:.3f}" for text in expected.texts]
    assert [row[4:] for row in stage.table()] == [["268", str(pair.only_first)], ["260", str(pair.only_second)]]
    assert stage.label("differenceLabel") == f"{len(differences)} differences, underlined"
    assert list(stage.comparing.live.differences or ()) == list(differences)
    assert stage.comparing.live.spans_near(stage.comparing.tokenizers.current, 0, len(TEXT)) == list(differences)


def test_the_most_frequent_differences_are_listed(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.type("low low newest <b> newest low low widest ")
    stage.settle()
    expected = compare([run_tokenizer(stage.session, step) for step in (12, 4)], stage.session.text.content)
    assert expected.differences is not None
    pieces = Counter(expected.text[start:stop] for start, stop in expected.differences)
    ((piece, times),) = pieces.most_common(1)
    assert times > 1
    start, stop = next(span for span in expected.differences if expected.text[slice(*span)] == piece)
    sides = [" | ".join(token_in_sentence(each) for each in expected.tokens_in(side, start, stop)) for side in (0, 1)]

    def lines() -> list[str]:
        tip = child(stage.window, QLabel, "differenceLabel").toolTip()
        return unescape(tip).removesuffix("</span>").split("\n")[2:]

    assert lines()[:2] == ["The most frequent:", f"×{times}   A: {sides[0]}   B: {sides[1]}"]
    assert len(lines()) == 1 + min(10, len(pieces))
    for module in (live_comparison, compare_page):
        monkeypatch.setattr(module, "MOST_COUNTED", 1)
    stage.type("x")
    stage.settle()
    assert lines()[0] == "The most frequent of the first 1:" and len(lines()) == 2
    stage.comparing.tokenizers.remove(stage.comparing.tokenizers.items[1])
    stage.settle()
    assert lines() == []


def test_next_and_previous_go_round(stage: Stage) -> None:
    spans = list(stage.comparing.live.differences or ())
    count = len(spans)
    assert count > 2
    seen = []
    for number in (*range(1, count + 1), 1):
        QTest.mouseClick(child(stage.window, QToolButton, "nextDifferenceButton"), Qt.MouseButton.LeftButton)
        assert stage.label("differenceLabel") == f"difference {number} of {count}"
        assert view(stage, "A").selection.span == view(stage, "B").selection.span
        seen.append(view(stage, "A").selection.span)
    assert seen == [*spans, spans[0]]
    stage.window.find_previous()
    assert stage.label("differenceLabel") == f"difference {count} of {count}"


def test_it_follows_the_text_and_the_step(stage: Stage) -> None:
    stage.type("newer wider ")
    assert view(stage, "A").toPlainText() == view(stage, "B").toPlainText() == "newer wider " + TEXT
    stage.settle()
    tokenizers = [run_tokenizer(stage.session, 12), run_tokenizer(stage.session, 4)]
    expected = compare(tokenizers, "newer wider " + TEXT)
    assert list(stage.comparing.live.differences or ()) == list(expected.differences or ())
    assert [row[1] for row in stage.table()] == [str(text.metrics.tokens) for text in expected.texts]
    stage.session.cursor.seek(4)
    stage.settle()
    assert stage.label("differenceLabel") == "no differences"
    assert stage.table()[0][0] == "A  Current: Main run, step 4"


def test_differences_move_with_the_text_while_they_are_not_compared_again(stage: Stage) -> None:
    before = list(stage.comparing.live.differences or ())
    stage.type("xyz ")
    assert list(stage.comparing.live.differences or ()) == [(start + 4, stop + 4) for start, stop in before]


def test_another_text_replaces_all(stage: Stage) -> None:
    stage.session.text.set_content("")
    stage.settle()
    assert stage.label("comparisonNote") == "There is no text to compare yet. Type or paste some."
    stage.session.text.set_content("你好 🎉 low")
    assert stage.label("differenceLabel") == "comparing…"
    stage.settle()
    assert view(stage, "B").toPlainText() == "你好 🎉 low"
    assert stage.label("comparisonNote") == ""


def test_special_tokens_are_plain_text_if_they_are_so_in_the_editor(stage: Stage) -> None:
    special = train(CORPUS, recipe="cs336", num_merges=4, special_tokens=["<e>"])
    hidden, text = train(CORPUS, recipe="cs336", num_merges=8, special_tokens=["<e>"]), "low<e>"
    tokenizers, session = stage.comparing.tokenizers, stage.session
    items = [tokenizers.add(RunStep(step), each) for step, each in ((5, special), (6, hidden))]
    tokenizers.set_shown(items[1], False)
    session.text.set_content(text)
    for allowed in ("all", "none", "all"):
        session.text.allow_special(allowed)
        stage.settle()
        expected = [str(len(each.encode(text, allowed_special=allowed))) for each in (special, hidden)]
        assert [row[1] for row in stage.table()][2:] == expected
        assert ("as plain text" in stage.label("comparisonNote")) == (allowed == "none")


def test_a_clicked_token_is_selected_in_the_main_window(stage: Stage) -> None:
    column = view(stage, "A")
    column.token_clicked.emit(0)
    assert stage.session.selection.token == b"low"
    column.token_clicked.emit(1)
    assert stage.session.selection.token == b" low"


def test_recipes_whose_splitters_drop_white_space_are_compared(open_comparison: Open) -> None:
    stage = open_comparison(make_session("worked-example", step=6))
    other = train(CORPUS, num_merges=6)
    stage.comparing.tokenizers.add(RunStep(99), other)
    stage.settle()
    expected = compare([run_tokenizer(stage.session, 6), other], TEXT)
    assert list(stage.comparing.live.differences or ()) == list(expected.differences or ())


def test_while_it_is_hidden_it_keeps_the_list_and_no_texts(stage: Stage) -> None:
    stage.comparing.rest()
    items = stage.comparing.tokenizers.items
    assert [item.text for item in items] == [None, None]
    stage.type("more ")
    stage.session.cursor.seek(3)
    stage.comparing.open()
    stage.settle()
    assert [item.is_shown for item in items] == [True, True]
    assert view(stage, "A").toPlainText() == "more " + TEXT
    assert stage.table()[0][0] == "A  Current: Main run, step 3"


def test_texts_scroll_together_and_stay_where_they_are_while_something_is_typed(stage: Stage) -> None:
    lines = "low lower newest the widest others 你好 🎉\n" * 200
    stage.session.text.set_content(lines)
    stage.settle()
    first, second = view(stage, "A"), view(stage, "B")
    first.rows.scroll_to(len(lines.encode()) // 2)
    assert first.rows.visible_span() == second.rows.visible_span() != (0, first.rows.visible_span()[1])
    second.rows.scroll_to(0)
    assert first.rows.visible_span()[0] == 0
    first.rows.scroll_to(2000)
    start = first.rows.visible_span()[0]
    stage.type("new ")
    assert first.rows.visible_span()[0] == second.rows.visible_span()[0] == start + 4
    stage.settle()
    QTest.mouseClick(child(stage.window, QToolButton, "nextDifferenceButton"), Qt.MouseButton.LeftButton)
    assert start <= first.selection.start < start + 500
    QTest.mouseClick(child(stage.window, QToolButton, "previousDifferenceButton"), Qt.MouseButton.LeftButton)
    assert first.rows.visible_span()[0] == second.rows.visible_span()[0]


def test_ids_follow_the_current_difference(stage: Stage) -> None:
    QTest.mouseClick(child(stage.window, QToolButton, "showIdsButton"), Qt.MouseButton.LeftButton)
    QTest.mouseClick(child(stage.window, QToolButton, "nextDifferenceButton"), Qt.MouseButton.LeftButton)
    tokenizer = run_tokenizer(stage.session, 4)
    start, stop = view(stage, "B").selection.span
    ids = child(stage.window, TokenIdView, "comparedIdsB")
    assert ids.isVisibleTo(stage.window)
    assert (
        b"".join(tokenizer.token(tokenizer.encode(TEXT)[index]) for index in ids.selection) == TEXT.encode()[start:stop]
    )


def test_numbers_and_marks_are_relative_to_the_chosen_base(stage: Stage) -> None:
    other = stage.comparing.tokenizers.items[1]
    third = stage.comparing.tokenizers.add(RunStep(8), run_tokenizer(stage.session, 8))
    stage.settle()
    assert stage.table()[0][2] == "base"
    box = child(stage.window, QComboBox, "firstOfPairBox")
    box.setCurrentIndex(1)
    box.activated.emit(1)
    stage.settle()
    tokens = [int(row[1]) for row in stage.table()]
    assert [row[2] for row in stage.table()][1] == "base"
    assert stage.table()[0][2] == f"−{1 - tokens[0] / tokens[1]:.1%}"
    assert label_text(stage.window, "comparedTitleB").endswith(" · base")
    expected = compare([run_tokenizer(stage.session, 4), run_tokenizer(stage.session, 8)], TEXT).differences
    assert stage.comparing.tokenizers.base is other
    assert stage.comparing.live.spans_near(third, 0, len(TEXT)) == list(expected or ())


def test_a_comparison_is_copied_as_text_and_as_a_picture(stage: Stage) -> None:
    as_text, as_picture = child(stage.window, QToolButton, "copyComparison").menu().actions()
    as_text.trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Tokenizer\tTokens\tvs. base")
    assert lines[1].split("\t") == stage.table()[0]
    assert lines[-2].startswith("Tokens in both")
    as_picture.trigger()
    assert QGuiApplication.clipboard().pixmap().width() > 500


def test_narrow_texts_are_stacked(stage: Stage) -> None:
    for step in (2, 8):
        stage.comparing.tokenizers.add(RunStep(step), run_tokenizer(stage.session, step))
    texts = child(stage.window, QSplitter, "comparedTexts")
    stage.parent.resize(960, 720)
    stage.bot.waitUntil(lambda: texts.orientation() == Qt.Orientation.Horizontal)
    stage.parent.resize(700, 720)
    stage.bot.waitUntil(lambda: texts.orientation() == Qt.Orientation.Vertical)
    assert stage.parent.height() == 720, "four texts fit below each other"


def test_it_follows_a_training(stage: Stage) -> None:
    stage.session.train()
    stage.bot.waitUntil(lambda: not stage.session.run.is_training)
    stage.settle()
    position = stage.session.cursor.position
    assert position > 12
    assert stage.table()[0][:2] == [
        f"A  Current: Main run, step {position}",
        str(len(run_tokenizer(stage.session, position).encode(TEXT))),
    ]


def test_a_text_is_typed_in_any_column(stage: Stage) -> None:
    edit = view(stage, "B")
    QTest.keyClicks(edit, "new ")
    stage.settle()
    assert stage.session.text.content == view(stage, "A").toPlainText() == edit.toPlainText() == "new " + TEXT
    assert stage.table()[0][1] == str(len(run_tokenizer(stage.session, 12).encode("new " + TEXT)))
    edit.document.undo()
    assert edit.toPlainText() == stage.session.text.content == view(stage, "A").toPlainText() == TEXT
    edit.document.redo()
    QTest.keyClicks(view(stage, "A"), "x")
    edit.document.undo()
    assert edit.toPlainText() == stage.session.text.content == "new " + TEXT, "what was typed last, in any of them"
    edit.document.undo()
    assert edit.toPlainText() == stage.session.text.content == TEXT
