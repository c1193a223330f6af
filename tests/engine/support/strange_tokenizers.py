"""Strategies for hypothesis: tokenizers that no training would give, and texts for them."""

from hypothesis import strategies as st

from bpe_gui.engine import Recipe, Tokenizer

from .strategies import any_text, recipes

BYTES = {byte: bytes([byte]) for byte in range(256)}
SPECIALS = ("<a>", "<a><a>", "<a", "ab", "a b", "#", " ", "你", "é😀")
UNITS = ("a", "b", "<", ">", "#", " ", "é", "你", "😀", "</w>")

texts = st.lists(
    st.sampled_from([*SPECIALS, "aab", "abab ", "\n", "  ", "'s", "1", "</w>", "a" * 50])
    | st.text("ab", max_size=9)
    | any_text,
    max_size=10,
).map("".join)


@st.composite
def merge_lists(draw: st.DrawFn, recipe: Recipe) -> list[tuple[bytes, bytes]]:
    """Draw merges of symbols, some of which no text gives; some merges repeat or come before those they build on."""
    known = [*(unit.encode() for unit in UNITS), b"a</w>", b"b</w>"]
    if recipe.units == "bytes":
        known += [b"\xc3", b"\xa9", b"\xf0\x9f"]
    merges = []
    for left, right in draw(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=25)):
        merges.append((known[left % len(known)], known[right % len(known)]))
        known.append(b"".join(merges[-1]))
    return draw(st.permutations(merges)) if draw(st.booleans()) else merges


@st.composite
def tokenizers(draw: st.DrawFn) -> Tokenizer:
    """Draw a tokenizer that no training would give; some of its symbols may have no id."""
    recipe = draw(recipes())
    merges = draw(merge_lists(recipe))
    alphabet = list(BYTES.values()) if recipe.units == "bytes" else [unit.encode() for unit in UNITS]
    tokens = list(dict.fromkeys([*alphabet, *(left + right for left, right in merges), b"</w>", b"a</w>"]))
    without = draw(st.sets(st.sampled_from(tokens), max_size=draw(st.sampled_from([0, 5]))))
    vocab = {3 * number: token for number, token in enumerate(tokens) if token not in without}
    specials = draw(st.lists(st.sampled_from(SPECIALS), unique=True, max_size=4))
    ids = {token: 3 * number + 1 for number, token in enumerate(specials)}
    return Tokenizer(vocab, merges, ids, recipe=recipe).with_unknown_id(-1)
