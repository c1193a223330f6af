"""Sphinx's settings for the site, in every language: `python -m docs.build` runs it once for each."""

from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from bpe_gui import __version__

project, author, release = "bpe-gui", "the bpe-gui developers", __version__
copyright = author
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxcontrib.programoutput",
]
html_theme = "furo"
html_title = f"bpe-gui {release}"
html_favicon = str(Path(__file__).parents[1] / "resources" / "icons" / "bpe-gui.svg")
html_theme_options = {
    "announcement": '<a href="../en/index.html">English</a> · <a href="../zh_CN/index.html">简体中文</a>',
}
nitpicky = True  # together with -W: a dead link between pages is an error
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
default_role = "code"  # docstrings have single backticks, as in Markdown
autodoc_member_order = "groupwise"
autodoc_typehints = "none"  # signatures have them
python_use_unqualified_type_names = True


class Picture(SphinxDirective):
    """A picture of the window, in the page's theme: `{picture} NAME`, whose content says what it shows."""

    required_arguments = 1
    option_spec = {"width": directives.unchanged}
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return one image for each theme; the style sheet shows one of them."""
        shown = " ".join(self.content)
        name = f"/pictures/{self.arguments[0]}"
        return [
            nodes.image(uri=f"{name}-{theme}.png", alt=shown, classes=[f"only-{theme}"], **self.options)
            for theme in ("light", "dark")
        ]


def setup(app: Sphinx) -> None:
    """Add the directive for pictures."""
    app.add_directive("picture", Picture)
