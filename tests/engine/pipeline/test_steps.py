"""The steps of a pipeline: words, offsets and added tokens equal those of Hugging Face's `tokenizers`."""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken as TheirToken
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers
from tokenizers import decoders as their_decoders

from bpe_gui.engine import (
    AddedToken,
    BertNormalizer,
    BertPreTokenizer,
    ByteLevel,
    ByteLevelNormalizer,
    Digits,
    Encoding,
    FixedLength,
    Lowercase,
    Metaspace,
    Nmt,
    Normalizer,
    Pipeline,
    Prepend,
    Punctuation,
    Replace,
    Split,
    Strip,
    StripAccents,
    TokenizerError,
    TrainingError,
    UnicodeForm,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
    load,
)
from bpe_gui.engine import Tokenizer as OurTokenizer
from bpe_gui.engine.encoding.sections import Joined, Sections
from bpe_gui.engine.kernels.text import automaton
from bpe_gui.engine.pipeline.added_tokens import AddedTokenFinder
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.decoders import BPEDecoder, ByteFallback, MetaspaceDecoder, ReplaceDecoder
from bpe_gui.engine.pipeline.model_options import ModelOptions
from tests.engine.support.huggingface_samples import LLAMA3, TEXTS
from tests.examples import is_thorough

ODD = "ab cdAB  \t\n\r.,!'_01½ⅧéÉßﬁİΣς你▁Ġ👨\u200d\u0301\u0323\u0327\xa0\u3000\u2028\u0085बि한ᄀ\u1161\uff76\uff9e²ſ"
ODD_TEXTS = st.lists(
    st.one_of(st.sampled_from([*ODD, "'ll", "the ", "  ", "\r\n"]), st.characters(exclude_categories=["Cs"])),
    max_size=12,
).map("".join)

PRE_TOKENIZERS: list[tuple[Any, Any]] = [
    (pre_tokenizers.ByteLevel(add_prefix_space=False), ByteLevel(use_regex=True)),
    (pre_tokenizers.ByteLevel(use_regex=False), ByteLevel(add_prefix_space=True)),
    (pre_tokenizers.Split(Regex(LLAMA3), "isolated"), Split(LLAMA3, "isolated")),
    (pre_tokenizers.Split(Regex(r"\s+"), "contiguous", True), Split(r"\s+", "contiguous", invert=True)),
    (pre_tokenizers.Split(" ", "merged_with_next"), Split(" ", "merged_with_next", is_regex=False)),
    (pre_tokenizers.Digits(), Digits()),
    (pre_tokenizers.Digits(individual_digits=True), Digits(individual=True)),
    (pre_tokenizers.Punctuation("merged_with_previous"), Punctuation("merged_with_previous")),
    (pre_tokenizers.Whitespace(), Whitespace()),
    (pre_tokenizers.WhitespaceSplit(), WhitespaceSplit()),
    (pre_tokenizers.BertPreTokenizer(), BertPreTokenizer()),
    (pre_tokenizers.UnicodeScripts(), UnicodeScripts()),
    (pre_tokenizers.FixedLength(2), FixedLength(2)),
    (pre_tokenizers.Metaspace(), Metaspace()),
    (pre_tokenizers.Metaspace("a", "first", False), Metaspace("a", "first", splits=False)),
]
PATTERNS = (r"\s+", "b|a", r"\d{1,2}", r"(?=[A-Z])", r"x*", r" ?\w+", r"(?<=a)b", r"[^a]", r"a*(?=b)", r"\s+$|ab")
BEHAVIORS = ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous")
DROPPING = (Whitespace, BertPreTokenizer, UnicodeScripts)
NORMALIZERS: list[tuple[Any, Any]] = [
    (normalizers.NFC(), UnicodeForm("NFC")),
    (normalizers.NFD(), UnicodeForm("NFD")),
    (normalizers.NFKC(), UnicodeForm("NFKC")),
    (normalizers.NFKD(), UnicodeForm("NFKD")),
    (normalizers.Lowercase(), Lowercase()),
    (normalizers.Replace(" ", "▁"), Replace(" ", "▁")),
    (normalizers.Replace("a", "aba"), Replace("a", "aba")),
    (normalizers.Replace(Regex(r"\s+"), ""), Replace(r"\s+", "", is_regex=True)),
    (normalizers.Prepend("▁a"), Prepend("▁a")),
    (normalizers.Strip(), Strip(left=True, right=True)),
    (normalizers.Strip(left=False), Strip(left=False, right=True)),
    (normalizers.StripAccents(), StripAccents()),
    (normalizers.Nmt(), Nmt()),
    (normalizers.ByteLevel(), ByteLevelNormalizer()),
    (normalizers.BertNormalizer(), BertNormalizer()),
]


def check_offsets(words: Sequence[AlignedText], text: str) -> None:
    """Assert that the byte offsets of the words' characters never decrease and do not overlap."""
    starts = np.concatenate([word.starts for word in words] or [np.zeros(0, np.int64)])
    stops = np.concatenate([word.stops for word in words] or [np.zeros(0, np.int64)])
    assert len(starts) == len(stops) == sum(len(word.text) for word in words)
    offsets = np.stack([starts, stops], axis=1).ravel()
    assert np.all(np.diff(offsets) >= 0)
    assert not len(offsets) or (offsets[0] >= 0 and offsets[-1] <= len(text.encode()))


@given(st.lists(st.sampled_from(PRE_TOKENIZERS), min_size=1, max_size=3), ODD_TEXTS)
def test_pre_tokenizers_split_as_the_library_does(steps: list[tuple[Any, Any]], text: str) -> None:
    theirs = pre_tokenizers.Sequence([step for step, _ours in steps]).pre_tokenize_str(text)
    ours = tuple(step for _theirs, step in steps)
    words = [segment.text for segment in Pipeline(pre_tokenizers=ours).segments(text)]
    assert [word.text for word in words] == [word for word, _span in theirs]
    check_offsets(words, text)


@given(st.sampled_from(PATTERNS), st.sampled_from(BEHAVIORS), st.booleans(), st.booleans(), ODD_TEXTS)
def test_text_is_split_at_matches_as_the_library_does(
    pattern: str, behavior: Any, inverts: bool, is_regex: bool, text: str
) -> None:
    theirs = pre_tokenizers.Split(Regex(pattern) if is_regex else pattern[-1], behavior, inverts)
    ours = Split(pattern if is_regex else pattern[-1], behavior, inverts, is_regex)
    text = text.lower() + "  ab12b" + text
    expected = [word for word, _span in theirs.pre_tokenize_str(text)]
    assert [word.text for word in ours.split(AlignedText.of(text))] == expected


@given(st.lists(st.sampled_from(NORMALIZERS), min_size=1, max_size=3), ODD_TEXTS)
def test_normalizers_change_text_as_the_library_does(steps: list[tuple[Any, Any]], text: str) -> None:
    theirs = normalizers.Sequence([step for step, _ours in steps]).normalize_str(text)
    ours = tuple(step for _theirs, step in steps)
    segments = [segment.text for segment in Pipeline(normalizers=ours).segments(text)]
    assert "".join(segment.text for segment in segments) == theirs
    check_offsets(segments, text)


AT_ONCE = [
    *(ours for _theirs, ours in NORMALIZERS),
    *(Replace(pattern, content, is_regex=True) for pattern in PATTERNS for content in ("", "_a")),
    Replace("ba", "é"),
]


@given(
    st.lists(st.sampled_from([step for step in AT_ONCE if step.growth < inf]), min_size=1, max_size=4),
    st.lists(st.one_of(ODD_TEXTS, st.sampled_from(["\0", "", "\u0301", " ", "ab", "Σ"])), max_size=6),
)
def test_many_texts_are_changed_at_once_as_each_is(steps: list[Normalizer], texts: list[str]) -> None:
    pipeline = Pipeline(normalizers=tuple(steps))
    assert Joined.of(texts).after(steps).data == Joined.of(list(map(pipeline.normalize, texts))).data


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("step", [ours for _theirs, ours in PRE_TOKENIZERS if not isinstance(ours, DROPPING)])
def test_words_cover_every_byte_that_is_not_dropped(step: Any, text: str) -> None:
    if isinstance(step, WhitespaceSplit):
        text = "".join(text.split())
    words = [segment.text for segment in Pipeline(pre_tokenizers=(step,)).segments(text)]
    covered = [span for word in words for span in zip(word.starts.tolist(), word.stops.tolist(), strict=True)]
    filled = [(start, stop) for start, stop in covered if start < stop]
    assert [start for start, _stop in filled[1:]] == [stop for _start, stop in filled[:-1]]
    assert not text or (filled[0][0], filled[-1][1]) == (0, len(text.encode()))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_normalizing_by_clusters_equals_normalizing_the_whole_text(form: Any) -> None:
    # Every 11th ideograph and syllable, which are alike, and no private or ancient characters, unless there is time.
    some = [*range(0x20, 0x3400), *range(0x3400, 0xD800, 11), *range(0xF900, 0x11A00), *range(0x1D000, 0x1F000)]
    characters = map(chr, [*range(0x20, 0xD800), *range(0xE000, 0x1F000)] if is_thorough() else some)
    # Each character is put between two that may react with it.
    text = "".join(f"ᄀ{character}ᆨ{character}\u0323" for character in characters)
    assert UnicodeForm(form).normalize(AlignedText.of(text)).text == getattr(normalizers, form)().normalize_str(text)


# -- offsets -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "text", "expected", "spans"),
    [
        (UnicodeForm("NFKC"), "aﬁb", "afib", [(0, 1), (1, 4), (4, 4), (4, 5)]),
        (UnicodeForm("NFC"), "e\u0301x", "éx", [(0, 3), (3, 4)]),
        (UnicodeForm("NFD"), "éx", "e\u0301x", [(0, 2), (2, 2), (2, 3)]),
        (Lowercase(), "İA", "i\u0307a", [(0, 2), (2, 2), (2, 3)]),
        (Replace("bc", "x"), "abcd", "axd", [(0, 1), (1, 3), (3, 4)]),
        (Replace("bc", "bxc"), "abcd", "abxcd", [(0, 1), (1, 2), (2, 2), (2, 3), (3, 4)]),
        (Replace("b", ""), "abc", "ac", [(0, 1), (2, 3)]),
        (Prepend("▁"), "a", "▁a", [(0, 0), (0, 1)]),
        (Strip(left=True, right=True), " é ", "é", [(1, 3)]),
    ],
)
def test_inserted_characters_stand_for_no_bytes(
    step: Any, text: str, expected: str, spans: list[tuple[int, int]]
) -> None:
    changed = step.normalize(AlignedText.of(text))
    assert changed.text == expected
    assert list(zip(changed.starts.tolist(), changed.stops.tolist(), strict=True)) == spans


def test_each_byte_of_an_unchanged_character_has_its_own_offset() -> None:
    [word] = ByteLevel().split(AlignedText.of("a你"))
    assert word.starts.tolist() == [0, 1, 2, 3]
    assert word.stops.tolist() == [1, 2, 3, 4]
    [word] = ByteLevel().split(UnicodeForm("NFD").normalize(AlignedText.of("é")))
    assert list(zip(word.starts.tolist(), word.stops.tolist(), strict=True)) == [(0, 2), (2, 2), (2, 2)]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (normalizers.Replace("ab", "X"), Replace("ab", "X")),
        (normalizers.NFKC(), UnicodeForm("NFKC")),
        (normalizers.BertNormalizer(), BertNormalizer()),
        (normalizers.Nmt(), Nmt()),
    ],
)
@pytest.mark.parametrize("text", ["abc ab", "ﬁx ﬁ", " ab", "½½", "f\u0344f", "f中f", "中f", "\x01f"])
def test_the_library_and_we_agree_on_the_first_section_of_a_text(theirs: Any, ours: Any, text: str) -> None:
    reference = Tokenizer(
        models.BPE(vocab={c: i for i, c in enumerate("abcXfix12⁄ ▁½ﬁ\u0308\u0301\u0344中\x01")}, merges=[])
    )
    reference.normalizer = theirs
    reference.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split("f", "isolated"), pre_tokenizers.Metaspace(prepend_scheme="first")]
    )
    steps = (Split("f", "isolated", is_regex=False), Metaspace(prepend_scheme="first"))
    segments = Pipeline(normalizers=(ours,), pre_tokenizers=steps).segments(text)
    assert "".join(segment.text.text for segment in segments) == "".join(reference.encode(text).tokens)


# -- added tokens ------------------------------------------------------------------------------------------------------

CONTENTS = ("<a>", "a", "ab", " ", "\n", "  ", "b a", "A", "ﬁ")
FLAGS = st.fixed_dictionaries({flag: st.booleans() for flag in ("single_word", "lstrip", "rstrip", "normalized")})
CHARACTERS = "ab <>\n\tAcﬁ_"


@given(
    st.dictionaries(st.sampled_from(CONTENTS), st.tuples(st.booleans(), FLAGS), max_size=5),
    st.lists(st.sampled_from([*CHARACTERS, *CONTENTS]), max_size=12).map("".join),
    st.booleans(),
)
def test_added_tokens_are_found_as_the_library_finds_them(
    added: dict[str, tuple[bool, dict[str, bool]]], text: str, is_normalized: bool
) -> None:
    theirs = Tokenizer(models.BPE(vocab={character: i for i, character in enumerate(CHARACTERS + "fi")}, merges=[]))
    if is_normalized:
        theirs.normalizer = normalizers.NFKC()
    for content, (special, flags) in added.items():
        token = TheirToken(content, special=special, **flags)
        (theirs.add_special_tokens if special else theirs.add_tokens)([token])
    ids_of = theirs.get_vocab()
    tokens = tuple(
        AddedToken(id=ids_of[content], content=content, special=special, **flags)
        for content, (special, flags) in added.items()
    )
    pipeline = Pipeline(added_tokens=tokens, normalizers=(UnicodeForm("NFKC"),) if is_normalized else ())
    ids: list[int] = []
    for segment in pipeline.segments(text):
        known = [ids_of[character] for character in segment.text.text]
        ids += known if segment.token_id is None else [segment.token_id]
    assert ids == theirs.encode(text).ids


def test_the_longest_of_many_added_tokens_is_found() -> None:
    contents = [f"<unused{number}>" for number in range(3_000)] + [" " * size for size in range(2, 200)]
    finder = AddedTokenFinder([(text, AddedToken(id=index, content=text)) for index, text in enumerate(contents)])
    text = "x<unused12>" + " " * 250 + "<unused1234><unused"
    found = [(part.text, token and token.content) for part, token in finder.split(AlignedText.of(text))]
    assert found == [
        *[("x", None), ("<unused12>", "<unused12>"), (" " * 199, " " * 199), (" " * 51, " " * 51)],
        *[("<unused1234>", "<unused1234>"), ("<unused", None)],
    ]


# -- decoding ----------------------------------------------------------------------------------------------------------

DECODERS: list[tuple[Any, Any]] = [
    (their_decoders.BPEDecoder("</w>"), BPEDecoder("</w>")),
    (their_decoders.BPEDecoder(""), BPEDecoder("")),
    (their_decoders.Metaspace(), MetaspaceDecoder()),
    (their_decoders.Metaspace(prepend_scheme="never"), MetaspaceDecoder(prepend_scheme="never")),
    (their_decoders.ByteFallback(), ByteFallback()),
    (their_decoders.Replace(Regex("a*"), "-"), ReplaceDecoder("a*", "-", is_regex=True)),
]
TOKENS = ("a", "▁", "▁▁b", "</w>", "é</w>", "<0x41>", "<0xE4>", "<0xbd>", "<0xA0>", "<0x+1>", "<0x4>", "<0xg0>", "")


@given(st.sampled_from(DECODERS), st.lists(st.sampled_from(TOKENS), max_size=6))
def test_decoders_decode_as_the_library_does(steps: tuple[Any, Any], tokens: list[str]) -> None:
    theirs, ours = steps
    assert "".join(Pipeline(decoders=(ours,)).decode(tokens)) == theirs.decode(tokens)


# -- limits ------------------------------------------------------------------------------------------------------------


def test_a_pattern_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "_MAX_READ_AHEAD", 1 << 16)  # in plain Python, where it takes a minute otherwise
    text = AlignedText.of("a" * 40_000)
    assert Replace("(?:a|aa)+$", "", is_regex=True).normalize(text).text == ""
    with pytest.raises(TrainingError, match="takes too long"):
        Replace("a+b", "", is_regex=True).normalize(text)


def test_normalizing_may_not_lengthen_a_text_a_hundred_times() -> None:
    pipeline = Pipeline(normalizers=(Replace("a", "a" * 50),) * 2)
    with pytest.raises(TokenizerError, match="more than 100 times"):
        list(pipeline.segments("a" * 200))
    with pytest.raises(TokenizerError, match="more than 100 times"):
        Sections(pipeline).of_all(["a" * 200])


def test_tokens_without_the_prefix_have_their_offsets_among_those_with_it() -> None:
    vocab = {0: b"?", 1: b"a", 2: b"##b", 3: b"ab", 4: b"##a"}  # the unknown token is shorter than the prefix
    pipeline = Pipeline(model=ModelOptions(prefix="##"))
    tokenizer = OurTokenizer(vocab, [(b"a", b"##b")], unknown_id=0, pipeline=pipeline)
    assert tokenizer.encoding("abxab") == Encoding([3, 0, 4, 2], [(0, 2), (2, 3), (3, 4), (4, 5)])
    assert tokenizer.encoding("xxa") == Encoding([0, 0, 4], [(0, 1), (1, 2), (2, 3)])


# -- whole pipelines --------------------------------------------------------------------------------------------------


PARTS = ("a", "b", "▁", " ", "▁a", "ab", "a▁", "▁▁", " ▁", "?")


@given(
    st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(PARTS)), max_size=6, unique_by="".join),
    st.text("ab▁ x", max_size=20),
    st.booleans(),
)
def test_a_text_without_a_pre_tokenizer_is_merged_as_one_word(
    merges: list[tuple[str, str]], text: str, fuses: bool
) -> None:
    tokens = list(dict.fromkeys([*PARTS, *map("".join, merges)]))
    vocab = {token: token_id for token_id, token in enumerate(tokens)}
    theirs = Tokenizer(models.BPE(vocab=vocab, merges=merges, unk_token="?", fuse_unk=fuses))
    ours = OurTokenizer(
        {token_id: token.encode() for token, token_id in vocab.items()},
        [(left.encode(), right.encode()) for left, right in merges],
        unknown_id=vocab["?"],
        pipeline=Pipeline(model=ModelOptions(fuses_unknown=fuses)),
    )
    assert ours.encode(text) == theirs.encode(text).ids


@pytest.mark.parametrize("added", ["é", "Ġ", "İ"])
@pytest.mark.parametrize("text", ["鸼", "鸼 x", "aéb", "a b", "a İ Ġ"])
def test_the_token_and_the_byte_are_told_apart(added: str, text: str, tmp_path: Path) -> None:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    theirs = Tokenizer(models.BPE({character: i for i, character in enumerate(alphabet)}, []))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(False, use_regex=False)
    theirs.decoder = their_decoders.ByteLevel()
    theirs.add_tokens([TheirToken(added, normalized=False)])
    theirs.save(str(tmp_path / "tokenizer.json"))
    ours = load(tmp_path / "tokenizer.json")
    ids = theirs.encode(text).ids
    assert ours.encode(text) == ids
    assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False)
