"""What an audit says about tokenizers that are made for each of its findings."""

import pytest

from bpe_gui.engine import (
    AddedToken,
    ByteLevel,
    EngineError,
    Lowercase,
    Pipeline,
    Recipe,
    RecipeSplit,
    Tokenizer,
    UnicodeForm,
    audit,
    train,
)
from bpe_gui.engine.audits import KINDS, Finding
from bpe_gui.engine.audits.merging import EntryMerges
from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder
from bpe_gui.engine.pipeline.model_options import ModelOptions

JAMO = "\u1100\u1161"
BYTES = {byte: bytes([byte]) for byte in range(256)}


def _tokenizer(*tokens: bytes, merges: tuple[tuple[bytes, bytes], ...] = (), splitter: str = "gpt2") -> Tokenizer:
    recipe = Recipe.of("cs336").with_changes(splitter=splitter)
    return Tokenizer(BYTES | dict(enumerate(tokens, 256)), merges, recipe=recipe)


def _pipeline(*tokens: bytes, merges: tuple[tuple[bytes, bytes], ...] = (), **parts: object) -> Tokenizer:
    options = {"model": ModelOptions(is_byte_level=True), **parts}
    pipeline = Pipeline(
        pre_tokenizers=(RecipeSplit("gpt2"), ByteLevel()),
        decoders=(ByteLevelDecoder(),),
        **options,  # type: ignore[arg-type]
    )
    special = {token.content: token.id for token in pipeline.added_tokens}
    return Tokenizer(BYTES | dict(enumerate(tokens, 256)), merges, special, pipeline=pipeline)


def _merged(token: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """Return merges that make a token from left to right."""
    return tuple((token[:size], token[size : size + 1]) for size in range(1, len(token)))


def _entry(tokenizer: Tokenizer, token_id: int = 256) -> Finding:
    return next(entry for entry in audit(tokenizer).entries if entry.token_id == token_id)


def test_every_entry_has_a_text_or_a_reason() -> None:
    tokenizer = train("low lower lowest newest 你好", num_merges=10)
    audited = audit(tokenizer)
    assert [entry.token_id for entry in audited.entries] == sorted(tokenizer.vocab)
    for entry in audited.entries:
        if entry.witness is None:
            assert (entry.kind, entry.reason) == ("invalid", "No valid UTF-8 text contains its bytes.")
        else:
            assert entry.token_id in tokenizer.encode(entry.witness)
            assert entry.reason == ""
    assert audited.unreachable == audited.counts["invalid"] == 13


@pytest.mark.parametrize(
    ("tokenizer", "kind", "reason"),
    [
        (_tokenizer(b"abc"), "no-merge", "No merge makes it: its bytes become a b c."),
        (
            _tokenizer(b"abc", b"ab", b"bc", merges=((b"b", b"c"), (b"a", b"b"), (b"ab", b"c"))),
            "taken",
            "b and c merge first, so its bytes become a bc.",
        ),
        (
            _tokenizer(
                b"abcd", b"ab", b"bc", b"abc", merges=((b"b", b"c"), (b"a", b"b"), (b"ab", b"c"), (b"abc", b"d"))
            ),
            "other-merge",
            "Other merges come first, so its bytes become a bc d.",
        ),
        (
            _tokenizer(b"a b", b"a ", merges=_merged(b"a b")),
            "split",
            "The splitter never yields a word that contains it.",
        ),
        (
            _tokenizer(
                b"\xc4\x81a", b"\xc4\x81", b"ab", merges=((b"\xc4", b"\x81"), (b"\xc4\x81", b"a")), splitter=r"[ā].*"
            ),
            "reachable",
            "",
        ),
        (
            _tokenizer(b"ab", b"bc", merges=((b"b", b"c"), (b"a", b"b")), splitter="abc|[^b]"),
            "crossed",
            "In every word that the splitter yields, a merge joins a part of it to what is next to it.",
        ),
        (
            _tokenizer(b"a\xcc", merges=((b"a", b"\xcc"),), splitter=r"\p{L}+|."),
            "split",
            "The splitter never yields a word that contains it.",
        ),
        (
            _pipeline(b"Ab", merges=((b"A", b"b"),), normalizers=(Lowercase(),)),
            "normalized",
            "Normalization turns its text into ab.",
        ),
        (
            _pipeline(JAMO.encode(), merges=_merged(JAMO.encode()), normalizers=(UnicodeForm("NFC"),)),
            "normalized",
            "Normalization turns its text into 가.",
        ),
        (
            _pipeline(b"x<e>", merges=_merged(b"x<e>"), added_tokens=(AddedToken(id=900, content="<e>"),)),
            "shadowed",
            "The added token <e> is taken out of every text before it is split.",
        ),
        (
            _pipeline(b"a b", model=ModelOptions(is_byte_level=True, ignores_merges=True)),
            "not-a-word",
            "Its bytes become a · b, and the splitter never yields it as a whole word.",
        ),
        (_pipeline(b"abc", model=ModelOptions(is_byte_level=True, ignores_merges=True)), "reachable", ""),
    ],
)
def test_an_entry_that_texts_produce_or_not(tokenizer: Tokenizer, kind: str, reason: str) -> None:
    entry = _entry(tokenizer)
    assert (entry.kind, entry.reason) == (kind, reason)
    assert (entry.witness is None) == KINDS[kind].is_unreachable


def test_a_context_decides() -> None:
    merges = ((b"?", b">"), (b"?>", b"<"), (b"?><", b"?"), (b" ", b"a"))
    tokenizer = _tokenizer(b"?>", b"?><", b"?><?", b" a", merges=merges, splitter=r" \?><\?|[^ ?]+|.")
    assert _entry(tokenizer, 258).witness == " ?><?"


def test_a_part_of_a_character_that_no_character_leaves_alone() -> None:
    """Each character with this first byte is merged, and so the byte is in other tokens."""
    tokens = [bytes([0xDB, byte]) for byte in range(0x80, 0xC0)]
    merges = tuple((token[:1], token[1:]) for token in tokens)
    entry = _entry(_tokenizer(*tokens, merges=merges), 0xDB)
    assert entry.kind == "incomplete"
    assert entry.reason.endswith("Only bytes that are not valid UTF-8 produce it.")


def _findings(tokenizer: Tokenizer, kind: str) -> list[tuple[int | None, str | None, str]]:
    found = audit(tokenizer).findings
    return [(finding.token_id, finding.witness, finding.reason) for finding in found if finding.kind == kind]


def test_ids_without_entries() -> None:
    tokenizer = Tokenizer({0: b"a", 2: b"b", 6: b"c"}, [], recipe="cs336-toy")
    assert [reason for _id, _witness, reason in _findings(tokenizer, "hole")] == [
        "No entries have the ids 1.",
        "No entries have the ids 3–5.",
    ]


def test_merges_that_never_apply() -> None:
    merges = ((b"b", b"c"), (b"a", b"b"), (b"ab", b"c"), (b"a", b"bc"))
    tokenizer = _tokenizer(b"bc", b"ab", b"abc", merges=merges)
    assert _findings(tokenizer, "dead-merge") == [
        (258, None, "The merge of ab and c never applies: a and bc make the same token first.")
    ]


def test_a_special_token_that_plain_text_gives() -> None:
    added = AddedToken(id=256, content="ab")
    conflicting = _pipeline(b"ab", merges=((b"a", b"b"),), added_tokens=(added,))
    assert [(i, text) for i, text, _reason in _findings(conflicting, "special-conflict")] == [(256, "ab")]
    assert not _findings(Tokenizer(BYTES, [], ["<e>"]), "special-conflict")


def test_entries_with_the_same_text() -> None:
    tokenizer = _tokenizer(b"a")
    assert _findings(tokenizer, "duplicate") == [(256, "a", "It decodes to the same text as the entry 97.")]
    assert _entry(tokenizer, 97).reason == "The entry 256 has the same bytes, and encoding uses that one."


def test_texts_that_are_not_given_back() -> None:
    lowered = _findings(_pipeline(normalizers=(Lowercase(),)), "lossy")
    assert lowered == [(None, "A", "Decoding its tokens gives “a”.")]
    unknown = Tokenizer({0: b"a", 1: b"b"}, [], recipe="cs336-toy")
    assert [witness for _id, witness, _reason in _findings(unknown, "unknown")] == ["A"]
    assert not _findings(_tokenizer(), "lossy")


def test_progress_can_cancel() -> None:
    seen: list[tuple[int, int]] = []

    def show(done: int, total: int) -> None:
        seen.append((done, total))
        if len(seen) == 2:
            raise EngineError("enough")

    with pytest.raises(EngineError, match="enough"):
        audit(train("low lower", num_merges=3), show)
    assert seen[0] == (0, 259)


def test_the_last_merge_of_a_long_token_is_found() -> None:
    """Which is merged with a heap, unlike short ones."""
    sizes = (1, 2, 4, 8, 16, 32, 64)
    merges = [(b"a" * (size // 2), b"a" * (size // 2)) for size in sizes[1:]]
    tokens = [b"a" * size for size in sizes]
    found = EntryMerges(Tokenizer(dict(enumerate(tokens)), merges, recipe="tiktoken"), tokens)
    assert [found.last_merge(index) for index in range(len(tokens))] == [None, *merges]
