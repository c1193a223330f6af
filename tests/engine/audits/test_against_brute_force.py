"""An audit agrees with trying every entry in every context of a few characters."""

from itertools import product

from hypothesis import given, note, settings
from hypothesis import strategies as st

from bpe_gui.engine import ByteLevel, Pipeline, Recipe, RecipeSplit, Split, Tokenizer, UnicodeForm, audit
from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder
from bpe_gui.engine.pipeline.model_options import ModelOptions

SPLITTERS = (
    *("gpt2", "cl100k", "o200k", "none", "whitespace"),
    *(
        r"a+|b+|\s+",
        r" ?[ab]+|1{1,2}|.",
        r"(?<=a)b|a|[^a]+",
        r"a(?=b)|b|\s+(?!\S)|.",
        r"(?:ab)+|a|b1?|.",
        r"aba|ab|.",
        r"\w+",
    ),
)
ALPHABETS = ("ab ", "ab1", "aé ", "é中")
MOST_CONTEXT = 3


def _merges(draw: st.DrawFn, units: list[bytes]) -> list[tuple[bytes, bytes]]:
    """Draw merges of known tokens, not always in an order that training would give."""
    tokens, merges = list(units), dict[tuple[bytes, bytes], None]()
    for _merge in range(draw(st.integers(0, 7))):
        pair = (draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens)))
        if len(pair[0] + pair[1]) <= 5:
            merges[pair] = None
            tokens.append(pair[0] + pair[1])
    return draw(st.permutations(list(merges))) if draw(st.booleans()) else list(merges)


@st.composite
def small_tokenizers(draw: st.DrawFn) -> tuple[Tokenizer, str]:
    """Draw a tokenizer with few entries, and the characters of its texts."""
    alphabet = draw(st.sampled_from(ALPHABETS))
    is_bytes = draw(st.booleans())
    units = sorted({bytes([b]) for b in alphabet.encode()} if is_bytes else {c.encode() for c in alphabet})
    merges = _merges(draw, units)
    tokens = dict.fromkeys([*units, *(left + right for left, right in merges)])
    entries = list(tokens)
    if draw(st.booleans()):
        entries += draw(st.lists(st.sampled_from([b"aab", b"  ", b"a b", b"bb", b"\xa9", b"\xb8\xad"]), max_size=3))
    vocab = dict(enumerate(dict.fromkeys(entries)))
    splitter = draw(st.sampled_from(SPLITTERS))
    specials = {"ab": 100} if draw(st.integers(0, 4)) == 0 else {}
    if not is_bytes or draw(st.booleans()):
        recipe = Recipe.of("cs336" if is_bytes else "cs336-toy").with_changes(splitter=splitter)
        return Tokenizer(vocab, merges, specials, recipe=recipe), alphabet
    first = draw(st.sampled_from([RecipeSplit(splitter), Split("a", "merged_with_next"), Split(r"\s", "removed")]))
    pipeline = Pipeline(
        normalizers=(UnicodeForm("NFC"),) if draw(st.booleans()) else (),
        pre_tokenizers=(first, *([Split("b", "isolated")] if draw(st.booleans()) else []), ByteLevel()),
        model=ModelOptions(is_byte_level=True, ignores_merges=draw(st.booleans())),
        decoders=(ByteLevelDecoder(),),
    )
    return Tokenizer(vocab, merges, pipeline=pipeline), alphabet


def _is_whole(token: bytes) -> bool:
    return token.decode(errors="replace").encode() == token


@settings(deadline=None, max_examples=20)
@given(small_tokenizers())
def test_an_audit_agrees_with_trying_every_context(drawn: tuple[Tokenizer, str]) -> None:
    tokenizer, alphabet = drawn
    note(f"{tokenizer.vocab} {tokenizer.merges} {tokenizer.recipe} {tokenizer.pipeline}")
    contexts = ["".join(each) for size in range(MOST_CONTEXT + 1) for each in product(alphabet, repeat=size)]
    whole = [token.decode() for token in tokenizer.vocab.values() if _is_whole(token)]
    texts = list(dict.fromkeys(map("".join, product(contexts, ["", *whole], contexts))))
    view = tokenizer.with_unknown_id(-1) if tokenizer.pipeline is None else tokenizer
    produced: dict[int, str] = {}
    for text, ids in zip(texts, view.encode_batch(texts), strict=True):
        if -1 not in ids:
            for token_id in ids:
                produced.setdefault(token_id, text)
    for entry in audit(tokenizer).entries:
        note(f"{entry}")
        if entry.witness is not None:
            assert entry.token_id in tokenizer.encode(entry.witness)
        assert entry.kind in ("reachable", "special") or entry.token_id not in produced
