"""The library that draws charts, which takes most of a second to load."""


def load_chart_library() -> None:
    """Load it, in any thread, so that the first chart need not wait for it. It makes no widgets meanwhile."""
    import pyqtgraph  # noqa: F401
