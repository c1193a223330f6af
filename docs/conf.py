"""Sphinx's settings for the site, in every language: `python -m docs.build` runs it once for each."""

import os
import sys
from pathlib import Path

from sphinx.application import Sphinx

from bpe_gui import __version__
from docs import directives
from docs.chinese_search import ChineseSearch

os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # where bpe-gui is
os.environ["COLUMNS"] = "80"

project, author, release = "bpe-gui", "the bpe-gui developers", __version__
copyright = author
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxcontrib.programoutput",
]
locale_dirs = [str(Path(__file__).parent / "locale")]
html_theme = "furo"
html_title = f"bpe-gui {release}"
html_favicon = html_logo = str(Path(__file__).parents[1] / "resources" / "icons" / "bpe-gui.svg")
html_static_path, html_css_files = ["static"], ["site.css"]
html_copy_source = False
templates_path = ["templates"]
html_sidebars = {
    "**": [
        *("sidebar/brand.html", "languages.html", "sidebar/search.html"),
        *("sidebar/scroll-start.html", "sidebar/navigation.html", "sidebar/scroll-end.html"),
    ]
}
nitpicky = True  # together with -W: a dead link between pages is an error
nitpick_ignore = [("py:class", "collections.abc.Callable")]  # of an alias, which has no place to say where it is from
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
default_role = "code"  # docstrings have single backticks, as in Markdown
add_module_names = False
autodoc_member_order = "groupwise"
autodoc_typehints = "none"  # signatures have them
python_use_unqualified_type_names = True


def setup(app: Sphinx) -> None:
    """Add our own directives, and the search for Chinese."""
    directives.add_to(app)
    app.add_search_language(ChineseSearch)
