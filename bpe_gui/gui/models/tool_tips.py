"""Tooltips whose text may look like markup: `<p>` is a token like any other."""

from html import escape


def plain_tip(text: str) -> str:
    """A tooltip that shows the text as it is, line by line; none for no text."""
    return text and f"<span style='white-space: pre'>{escape(text)}</span>"
