"""Notices of where “Run until” stopped, and why."""

from PySide6.QtCore import QObject

from bpe_gui.engine.training import RunStop
from bpe_gui.gui.panels.bars.notice_bar import Notice, NoticeBar, Offer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.wording.until_texts import stop_text


class StopNotices(QObject):
    """Shows one notice at a time, as long as the run is there that it speaks of.

    If the run did not stop where the user wanted to be, the notice offers to go back.
    """

    def __init__(self, session: Session, notices: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._notices = notices
        self._notice: Notice | None = None
        session.run.stopped.connect(self._show)
        session.run.replaced.connect(self._dismiss)

    def _show(self, stop: RunStop) -> None:
        self._dismiss()
        is_astray = stop.position > stop.start and not stop.holds
        self._notice = self._notices.show_message(lambda: stop_text(stop), [self._way_back(stop)] if is_astray else [])

    def _way_back(self, stop: RunStop) -> Offer:
        return (
            lambda: self.tr("Go back to step {step}").format(step=number(stop.start)),
            lambda: self._session.cursor.seek(stop.start),
        )

    def _dismiss(self) -> None:
        self._notices.dismiss(self._notice)
        self._notice = None
