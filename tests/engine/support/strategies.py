"""Strategies for hypothesis: recipes with every switch, and corpora in which pairs overlap and tie.

The alphabets leave `<` out: a literal `</w>` in the text of a recipe with a `boundary` is written like the marker
itself, so the two cannot be told apart (see `Recipe.boundary`); `test_recipes.py` shows what happens then.
"""

from typing import Any

from hypothesis import strategies as st

from bpe_gui.engine import CHOICES, PRESETS, SPLITTERS, Recipe

PLAIN_PRESETS = [name for name, recipe in PRESETS.items() if recipe.sentencepiece is None]
"""The presets that encode without a pipeline, as `definition.py` defines it."""

CUSTOM_PATTERNS = (r"(?s)[ab]+|\s+|.", r" ?[a-z]+| ?[^a-z\s]+|\s+", r"(?<=a)b+|\S", r"a+")

letters = st.text(alphabet="ab", max_size=24)
mixed = st.text(alphabet="aabb  \n1!你好😀é", max_size=24)
corpora = st.lists(st.one_of(letters, mixed), min_size=1, max_size=5).map(" ".join)
any_text = st.text(st.characters(exclude_categories=["Cs"]))
special_tokens = st.lists(st.sampled_from(["<|e|>", "#", "##", "ab"]), unique=True, max_size=3)


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    """Draw a recipe: with equal probability a preset or any combination of switches."""
    if draw(st.booleans()):
        return draw(st.sampled_from([recipe for recipe in PRESETS.values() if recipe.sentencepiece is None]))
    switches: dict[str, Any] = {name: draw(st.sampled_from(values)) for name, values in CHOICES.items()}
    misfit = {"bytes": "latin-1", "characters": "gpt2-printable"}[switches["units"]]
    if switches["alphabet"] == misfit:
        switches["alphabet"] = "sorted"
    switches["splitter"] = draw(st.sampled_from([*SPLITTERS, *CUSTOM_PATTERNS]))
    switches["min_count"] = draw(st.integers(1, 3))
    switches["merges_header"] = draw(st.booleans())
    return Recipe(**switches)


def byte_recipes() -> st.SearchStrategy[Recipe]:
    """Return a strategy for recipes under which every text survives encoding and decoding."""
    return recipes().map(lambda recipe: recipe.with_changes(vocabulary="grow")).filter(keeps_everything)


def keeps_everything(recipe: Recipe) -> bool:
    """Return whether the splitter keeps every character, and every character has ids."""
    keeping = {"gpt2", "cl100k", "o200k", "none", CUSTOM_PATTERNS[0]}
    return recipe.units == "bytes" and recipe.vocabulary == "grow" and recipe.splitter in keeping
