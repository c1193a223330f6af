"""Errors in the language of the window, with the reasons of the system."""

import errno
import os
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from bpe_gui.engine import FormatError
from bpe_gui.gui.wording.language import install_language
from bpe_gui.gui.wording.sentences import error_message


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    install_language(qapp, "zh_CN")
    yield
    install_language(qapp, "en")


def test_a_reason_of_the_system_is_in_the_language_of_the_window(chinese: None) -> None:
    template = "{path} cannot be read: {reason}."
    assert error_message(FormatError(template, path="a", reason=os.strerror(errno.EACCES))) == "无法读取 a：没有权限。"
    assert error_message(FormatError(template, path="a", reason="not known")) == "无法读取 a：not known。"
