"""A size that is too small for the corpus is refused with the offer of one that is not."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.gui.panels.bars.notice_bar import NoticeBar
from tests.gui.support.windows import child, notice_text, notices, open_window


def test_training_to_a_size_that_is_too_small_offers_another(qtbot: QtBot) -> None:
    window = open_window(qtbot)
    session = window.session
    session.corpus.set_vocab_size(100)
    window.actions_by_name["train"].trigger()
    qtbot.waitUntil(lambda: not session.run.is_training and not child(window, NoticeBar, "noticeBar").isHidden())
    assert notice_text(window).startswith("The vocabulary size 100 is too small. It must be at least 257")
    (button,) = (each for each in window.findChildren(QPushButton) if each.text() == "Train to 1,000 entries")
    button.click()
    qtbot.waitUntil(lambda: not session.run.is_training and session.cursor.position > 0)
    assert session.corpus.vocab_size == 1_000

    session.restart()
    session.cursor.seek(5)
    session.corpus.set_vocab_size(262)
    window.actions_by_name["train"].trigger()
    assert notice_text(window) == "This run has 262 entries already, so training to 262 adds none."
    session.corpus.set_vocab_size(264)
    window.actions_by_name["train"].trigger()
    qtbot.waitUntil(lambda: session.cursor.position == 7 and not session.run.is_training)
    assert notices(window) == []
    window.close()


def test_the_offer_goes_with_the_run(qtbot: QtBot) -> None:
    window = open_window(qtbot)
    session = window.session
    session.cursor.seek(5)
    session.corpus.set_vocab_size(262)
    window.actions_by_name["train"].trigger()
    assert len(notices(window)) == 1
    session.restart()
    assert notices(window) == []
    window.close()
