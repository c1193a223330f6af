"""Suggested names of files hold nothing that a system forbids."""

import pytest

from bpe_gui.gui.system.paths import portable_name
from bpe_gui.samples import samples

FORBIDDEN = set('<>:"/\\|?*') | {chr(code) for code in range(32)}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("corpus", "corpus"),
        ("CS336: low, lower", "CS336 low, lower"),
        ("a/b\\c|d", "a b c d"),
        ('what? "this" <tag> *', "what this tag"),
        ("line\nbreak\ttab\0", "line break tab"),
        ("end. . ", "end"),
        ("CON", "CON_"),
        ("lpt1.old", "lpt1_.old"),
        ("console", "console"),
        ("词汇：低", "词汇：低"),
        ("???", ""),
        ("x" * 300, "x" * 80),
    ],
)
def test_a_name_is_portable(title: str, name: str) -> None:
    assert portable_name(title) == name


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_titles_of_samples_become_portable(language: str) -> None:
    names = [portable_name(sample.title(language)) for sample in samples()]
    assert all(names)
    assert not FORBIDDEN.intersection("".join(names))
