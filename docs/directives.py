"""The site's own directives: pictures of the window, and tables that are made from the program itself."""

import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from docutils import nodes
from PySide6.QtCore import QCoreApplication
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from bpe_gui.engine import CHOICES, FORMATS, PRESETS, SPLITTERS, save_obstacle, train
from bpe_gui.engine.proof import misreading
from bpe_gui.gui.wording.language import install_language
from bpe_gui.gui.wording.recipe_texts import (
    choice_explanation,
    choice_label,
    field_explanation,
    field_label,
    preset_description,
)
from bpe_gui.gui.wording.sentences import error_message

Cell: TypeAlias = str | nodes.Node
HERE: Final = Path(__file__).parent
LANGUAGES: Final = {"en": "English", "zh_CN": "简体中文"}
THEMES: Final = ("light", "dark")


class Picture(SphinxDirective):
    """A picture of the window, in the page's theme: `{picture} NAME`, whose content says what it shows."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return one image with its caption for each theme; the style sheet shows one of them."""
        shown = " ".join(self.content)
        return [
            nodes.figure("", self._image(theme, shown), nodes.caption("", shown), classes=[f"only-{theme}"])
            for theme in THEMES
        ]

    def _image(self, theme: str, shown: str) -> nodes.image:
        """Return the picture at half its size in pixels, which also makes Sphinx link to it in full."""
        name = f"pictures/{self.arguments[0]}-{theme}.png"
        image = nodes.image(uri=f"/{name}", alt=shown)
        with suppress(OSError):  # a build without pictures
            header = (Path(self.env.srcdir) / name).read_bytes()[:24]
            image["width"] = f"{int.from_bytes(header[16:20], 'big') // 2}px"
        return image


class Presets(SphinxDirective):
    """The presets, and what each of them reproduces."""

    def run(self) -> list[nodes.Node]:
        rows = [(code(name), preset_description(name)) for name in PRESETS]
        return [table(rows)]


class Switches(SphinxDirective):
    """Every switch of a recipe with its choices, and the presets that make each choice."""

    def run(self) -> list[nodes.Node]:
        return [node for field in ("units", "splitter", *list(CHOICES)[1:]) for node in self._switch(field)]

    def _switch(self, field: str) -> Iterable[nodes.Node]:
        yield nodes.rubric("", "", nodes.Text(f"{field_label(field)} "), code(field))
        yield nodes.paragraph("", field_explanation(field))
        choices = tuple(SPLITTERS) if field == "splitter" else CHOICES[field]
        yield table(
            (
                code(choice),
                *(() if field == "splitter" else (choice_label(field, choice),)),
                choice_explanation(field, choice),
                codes(name for name, recipe in PRESETS.items() if getattr(recipe, field) == choice),
            )
            for choice in choices
        )


class Expressions(SphinxDirective):
    """The expression of every named splitter."""

    def run(self) -> list[nodes.Node]:
        return [
            node
            for name, expression in SPLITTERS.items()
            for node in (nodes.rubric("", "", code(name)), nodes.literal_block(expression, expression, language="text"))
        ]


class Formats(SphinxDirective):
    """Which presets each format can hold: a table, and the reasons for those that it cannot."""

    def run(self) -> list[nodes.Node]:
        written = [name for name, each in FORMATS.items() if each.contents is not None]
        heads = [codes([name]) for name in written]
        rows = [[code(preset), *("—" if obstacle(preset, name) else "✓" for name in written)] for preset in PRESETS]
        return [table(rows, ["", *heads]), *self._reasons(written)]

    def _reasons(self, written: Sequence[str]) -> Iterable[nodes.Node]:
        reasons: dict[tuple[str, str], list[str]] = {}
        for name in written:
            for preset in PRESETS:
                if reason := obstacle(preset, name):
                    reasons.setdefault((name, reason), []).append(preset)
        yield table([code(name), codes(presets), reason] for (name, reason), presets in reasons.items())


@cache
def obstacle(preset: str, format: str) -> str:
    """Return why a format cannot hold a preset's tokenizer, in the language of the site; empty if it can."""
    tokenizer = train("low lower newest", recipe=preset, num_merges=2, special_tokens=["<|endoftext|>"])
    error = save_obstacle(tokenizer, format) or misreading(tokenizer.recipe, format)
    return "" if error is None else error_message(error)


def code(text: str) -> nodes.Node:
    return nodes.literal(text, text)


def codes(texts: Iterable[str]) -> nodes.Node:
    """Return texts as code, with spaces between them."""
    joined = nodes.inline()
    for text in texts:
        joined += [code(text), nodes.Text(" ")]
    return joined


def table(rows: Iterable[Sequence[Cell]], head: Sequence[Cell] = ()) -> nodes.Node:
    """Return a table with at least one row."""
    body = [row_of(cells) for cells in rows]
    width = len(body[0])
    group = nodes.tgroup(cols=width)
    group += [nodes.colspec(colwidth=1) for _ in range(width)]
    if head:
        group += nodes.thead("", row_of(head))
    group += nodes.tbody("", *body)
    return nodes.table("", group, classes=["colwidths-auto"])


def row_of(cells: Sequence[Cell]) -> nodes.Node:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", text_of(cell))) for cell in cells))


def text_of(cell: Cell) -> nodes.Node:
    return nodes.Text(cell) if isinstance(cell, str) else cell


def add_languages(app: Sphinx, page: str, _template: str, context: dict[str, object], _tree: object) -> None:
    """Let a page link to itself in every language, or to the first page of one that lacks it."""
    to_root = "../" * (page.count("/") + 1)
    pages = {code: page if (HERE / code / f"{page}.md").exists() else "index" for code in LANGUAGES}
    context["languages"] = [(name, f"{to_root}{code}/{pages[code]}.html") for code, name in LANGUAGES.items()]


def add_to(app: Sphinx) -> None:
    """Add the directives, in the language of the site."""
    by_name: dict[str, type[SphinxDirective]] = {
        "picture": Picture,
        "presets": Presets,
        "switches": Switches,
        "expressions": Expressions,
        "formats": Formats,
    }
    logging.getLogger("bpe_gui").setLevel(logging.WARNING)
    for name, directive in by_name.items():
        app.add_directive(name, directive)
    qt = QCoreApplication.instance() or QCoreApplication([])
    app.connect("html-page-context", add_languages)
    app.connect("builder-inited", lambda app: install_language(qt, app.config.language))
