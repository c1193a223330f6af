"""Join sentences, lists, labels and keys as the language of the window requires."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate  # lupdate knows the function by this name


def joined_sentences(sentences: Iterable[str]) -> str:
    """Return sentences as one text."""
    return _separator(translate("Joining", "{sentence} {sentence}"), "{sentence}").join(sentences)


def listed(items: Iterable[str]) -> str:
    """Return items as a list within a sentence: `a.txt, b.txt`."""
    return _separator(translate("Joining", "{item}, {item}"), "{item}").join(items)


def labelled(label: str, text: str) -> str:
    """Return a text after its label: `tiktoken: not installed`."""
    return translate("Joining", "{label}: {text}").format(label=label, text=text)


def with_keys(text: str, keys: str) -> str:
    """Return what an action does, with its keys: `Undo the last merge (Left)`."""
    return translate("Joining", "{text} ({keys})").format(text=text, keys=keys)


def _separator(template: str, field: str) -> str:
    """Return the text between two fields; not translated by itself, since it may be empty in another language."""
    return template.removeprefix(field).removesuffix(field)
