"""Characters are normalized, lowercased and classified as by `tokenizers`, whatever the version of Python or `regex`.

Every step gets a text of the characters on which versions of Unicode disagree, and some of each kind, in five contexts.
"""

import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any, get_args

import pytest
from tokenizers import AddedToken as TheirToken
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from bpe_gui.engine import (
    AddedToken,
    BertNormalizer,
    BertPreTokenizer,
    ByteLevelNormalizer,
    Digits,
    FixedLength,
    Lowercase,
    Nmt,
    Punctuation,
    StripAccents,
    UnicodeForm,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
)
from bpe_gui.engine.pipeline.added_tokens import AddedTokenFinder
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.levels import word_spans
from bpe_gui.engine.pipeline.library_classes import Class, Form, characters_in, scripts
from tests.engine.support.general_categories import SURROGATES

CONTEXTS = ("{}", "a{}b", "e\u0301{}", "{0}{0}", "{}\u0323\u0301")
"""Alone, between letters, after a combining mark, doubled, and before marks that are not in order."""

NEW_CAPITALS = "\u1c89\ua7cb\ua7da\ua7dc\U00010d50\U00016ea0\U00016eb8"
NEW_DIGITS = "\U00011de0\U00011de9\U00016ff4"
COMPOSING = "ÅÅ각ᄀ\u1161\u11a8\u0344\u0958\u2adc\ufb1d\U0001d15e\U000105d2\u0307\U00011935\U00011930"


@cache
def characters() -> list[str]:
    """Return the first character of every run in a class, the one after it, and some that are known for trouble."""
    ranges = chain.from_iterable(members.ranges for members in (*map(characters_in, get_args(Class)), *scripts()))
    starts = {code for first, last in ranges for code in (first, last + 1) if code <= sys.maxunicode}
    listed = [chr(code) for code in sorted(starts.union(range(0x80, 0x3400, 23)).difference(SURROGATES))]
    return [*listed, *"ΣİῼﬀſKÅ㋿ｶﾞ½Ⅷ", *NEW_CAPITALS, *NEW_DIGITS, COMPOSING]


def texts() -> Iterator[str]:
    """Yield a text for each context: what is between two lines of it reacts with neither."""
    for context in CONTEXTS:
        yield "\n|\n".join(context.format(character) for character in characters())


NORMALIZERS: list[tuple[Any, Any]] = [
    *((getattr(normalizers, form)(), UnicodeForm(form)) for form in ("NFC", "NFD", "NFKC", "NFKD")),
    (normalizers.Lowercase(), Lowercase()),
    (normalizers.StripAccents(), StripAccents()),
    (normalizers.Nmt(), Nmt()),
    (normalizers.ByteLevel(), ByteLevelNormalizer()),
    (normalizers.BertNormalizer(), BertNormalizer()),
    (normalizers.BertNormalizer(clean_text=False, lowercase=False), BertNormalizer(False, True, False, False)),
    (normalizers.BertNormalizer(handle_chinese_chars=False), BertNormalizer(separates_ideographs=False)),
]
PRE_TOKENIZERS: list[tuple[Any, Any]] = [
    (pre_tokenizers.Digits(), Digits()),
    (pre_tokenizers.Punctuation(), Punctuation()),
    (pre_tokenizers.BertPreTokenizer(), BertPreTokenizer()),
    (pre_tokenizers.Whitespace(), Whitespace()),
    (pre_tokenizers.WhitespaceSplit(), WhitespaceSplit()),
    (pre_tokenizers.UnicodeScripts(), UnicodeScripts()),
    (pre_tokenizers.FixedLength(3), FixedLength(3)),
]


@pytest.mark.parametrize(("theirs", "ours"), NORMALIZERS, ids=repr)
def test_text_is_normalized_as_in_the_library(theirs: Any, ours: Any) -> None:
    for text in texts():
        expected = theirs.normalize_str(text)
        normalized = ours.normalize(AlignedText.of(text))
        assert first_difference(normalized.text, expected) is None
        assert len(normalized.starts) == len(normalized.stops) == len(expected)


@pytest.mark.parametrize(("theirs", "ours"), PRE_TOKENIZERS, ids=repr)
def test_words_and_their_offsets_are_those_of_the_library(theirs: Any, ours: Any) -> None:
    for text in texts():
        assert word_spans(text, ours.levels) == [span for _word, span in theirs.pre_tokenize_str(text)]


def first_difference(text: str, expected: str) -> tuple[str, str] | None:
    """Return what is around the first difference of two texts, for a message that can be read."""
    for index, (one, other) in enumerate(zip(text + "\0", expected + "\0", strict=False)):
        if one != other:
            return ascii(text[max(index - 3, 0) : index + 3]), ascii(expected[max(index - 3, 0) : index + 3])
    return None if len(text) == len(expected) else (ascii(text[-9:]), ascii(expected[-9:]))


def test_later_versions_of_unicode_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class LaterUnicode:
        """`unicodedata` with a mark that comes later than this Python."""

        @staticmethod
        def is_normalized(_form: str, _text: str) -> bool:
            return False

        @staticmethod
        def normalize(form: Form, text: str) -> str:
            return unicodedata.normalize(form, text.replace("㋿", "令和").replace("\U00010d24", "\u0301"))

    monkeypatch.setattr("bpe_gui.engine.pipeline.normalizers.unicodedata", LaterUnicode)
    for text in ("㋿", "e\U00010d24\u0323\u0301", "㋿e\u0301㋿"):
        assert UnicodeForm("NFKC").normalize(AlignedText.of(text)).text == normalizers.NFKC().normalize_str(text)


def test_a_single_word_ends_where_it_does_in_the_library() -> None:
    theirs = Tokenizer(models.BPE({"<unk>": 0}, [], unk_token="<unk>"))
    theirs.add_tokens([TheirToken("low", single_word=True, normalized=False)])
    finder = AddedTokenFinder([("low", AddedToken(id=1, content="low", single_word=True))])
    for character in (*NEW_DIGITS, *NEW_CAPITALS, *"_²ⓐ\u200d\u0301\U00011de2\U0001e5f0 -é"):
        text = f"{character}low low{character}low"
        found = [part.text for part, token in finder.split(AlignedText.of(text)) if token is not None]
        assert len(found) == theirs.encode(text).ids.count(1), ascii(character)
