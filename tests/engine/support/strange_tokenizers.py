"""Hypothesis strategies for tokenizers that no training could produce, and for text to encode with them."""

from hypothesis import strategies as st

from bpe_gui.engine import Recipe, Tokenizer

from .strategies import any_text, recipes

BYTES = {byte: bytes([byte]) for byte in range(256)}
"""A vocabulary of single bytes."""
SPECIALS = ("<a>", "<a><a>", "<a", "ab", "a b", "#", " ", "你", "é😀")
CHARACTERS = ("a", "b", "<", ">", "#", " ", "é", "你", "😀", "</w>")

texts = st.lists(
    st.sampled_from([*SPECIALS, "aab", "abab ", "\n", "  ", "'s", "1", "</w>", "a" * 50])
    | st.text("ab", max_size=9)
    | any_text,
    max_size=10,
).map("".join)


@st.composite
def merge_lists(draw: st.DrawFn, recipe: Recipe) -> list[tuple[bytes, bytes]]:
    """Draw merges; some repeat, need symbols that occur in no text, or come before the merges that make their parts."""
    symbols = [*(character.encode() for character in CHARACTERS), b"a</w>", b"b</w>"]
    if recipe.units == "bytes":
        symbols += [b"\xc3", b"\xa9", b"\xf0\x9f"]
    merges = []
    for left, right in draw(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=25)):
        merges.append((symbols[left % len(symbols)], symbols[right % len(symbols)]))
        symbols.append(b"".join(merges[-1]))
    return draw(st.permutations(merges)) if draw(st.booleans()) else merges


@st.composite
def tokenizers(draw: st.DrawFn) -> Tokenizer:
    """Draw a tokenizer that no training could produce; some of its symbols may have no id.

    Ids have gaps, and the ids of special tokens are between others: `3 * n + 1` between multiples of 3.
    """
    recipe = draw(recipes())
    merges = draw(merge_lists(recipe))
    alphabet = list(BYTES.values()) if recipe.units == "bytes" else [character.encode() for character in CHARACTERS]
    tokens = list(dict.fromkeys([*alphabet, *(left + right for left, right in merges), b"</w>", b"a</w>"]))
    without_id = draw(st.sets(st.sampled_from(tokens), max_size=draw(st.sampled_from([0, 5]))))
    vocab = {3 * index: token for index, token in enumerate(tokens) if token not in without_id}
    specials = draw(st.lists(st.sampled_from(SPECIALS), unique=True, max_size=4))
    special_ids = {token: 3 * index + 1 for index, token in enumerate(specials)}
    return Tokenizer(vocab, merges, special_ids, recipe=recipe).with_unknown_id(-1)
