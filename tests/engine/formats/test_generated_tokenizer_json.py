"""A `tokenizer.json` with any options of any steps means the same after it is read and written."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from bpe_gui.engine import FormatError, load
from bpe_gui.engine.formats import tokenizer_json
from bpe_gui.engine.formats.tokenizer_json_model import assigned_ids
from bpe_gui.engine.runtime.printable import PRINTABLE
from tests.engine.support.huggingface_samples import TEXTS

BOOLEANS = st.booleans()
Json = dict[str, Any]

SPECIALS = ("<s>", "</s>", "<pad>", "<unk>")


def _step(kind: str, **options: Any) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries({"type": st.just(kind), **{key: _drawn(value) for key, value in options.items()}})


def _drawn(value: Any) -> st.SearchStrategy[Any]:
    return value if isinstance(value, st.SearchStrategy) else st.sampled_from(value)


def _sequence(key: str, kind: st.SearchStrategy[Json], most: int = 3) -> st.SearchStrategy[Json | None]:
    several = st.lists(kind, max_size=most)
    nested = several.map(lambda steps: {"type": "Sequence", key: steps})
    deep = st.tuples(nested, several).map(lambda parts: {"type": "Sequence", key: [parts[0], *parts[1]]})
    return st.one_of(st.none(), kind, nested, deep)


PATTERN = st.sampled_from(
    [{"String": "l"}, {"String": " "}, {"Regex": r"\s+"}, {"Regex": "[lo]+"}, {"Regex": r"\w+|\s"}]
)
BEHAVIOR = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
NORMALIZER = st.one_of(
    *(_step(kind) for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt")),
    _step("Replace", pattern=PATTERN, content=["", "▁", "lo"]),
    _step("Prepend", prepend=["▁", "lo"]),
    _step("Strip", strip_left=BOOLEANS, strip_right=BOOLEANS),
    _step(
        "BertNormalizer",
        clean_text=BOOLEANS,
        handle_chinese_chars=BOOLEANS,
        strip_accents=[None, True, False],
        lowercase=BOOLEANS,
    ),
)
METASPACE = {"replacement": ["▁", "_"], "prepend_scheme": ["always", "first", "never"], "split": BOOLEANS}
BYTE_LEVEL = _step("ByteLevel", add_prefix_space=BOOLEANS, trim_offsets=BOOLEANS, use_regex=BOOLEANS)
PRE_TOKENIZER = st.one_of(
    *(_step(kind) for kind in ("Whitespace", "WhitespaceSplit", "BertPreTokenizer", "UnicodeScripts")),
    BYTE_LEVEL,
    _step("Split", pattern=PATTERN, behavior=BEHAVIOR, invert=BOOLEANS),
    _step("Digits", individual_digits=BOOLEANS),
    _step("Punctuation", behavior=BEHAVIOR),
    _step("Metaspace", **METASPACE),
    _step("CharDelimiterSplit", delimiter=["l", " "]),
    _step("FixedLength", length=[1, 3]),
)
DECODER = st.one_of(
    BYTE_LEVEL,
    _step("Metaspace", **METASPACE),
    _step("BPEDecoder", suffix=["</w>", "w"]),
    _step("Replace", pattern=PATTERN, content=["", " "]),
    _step("ByteFallback"),
    _step("Fuse"),
    _step("Strip", content=[" ", "l"], start=[0, 1], stop=[0]),
    _step("WordPiece", prefix=["##", ""], cleanup=BOOLEANS),
    _step("CTC", pad_token=["<pad>"], word_delimiter_token=["|", "o"], cleanup=BOOLEANS),
)
TYPE_ID = st.integers(0, 2)


@st.composite
def templates(draw: st.DrawFn) -> Json:
    names = {"<s>": [0], "</s>": [1], "<both>": [0, 1]}

    def special() -> st.SearchStrategy[Json]:
        return st.fixed_dictionaries(
            {"SpecialToken": st.fixed_dictionaries({"id": st.sampled_from(sorted(names)), "type_id": TYPE_ID})}
        )

    def text(name: str) -> Json:
        return {"Sequence": {"id": name, "type_id": draw(TYPE_ID)}}

    def some() -> list[Json]:
        return draw(st.lists(special(), max_size=2))

    first, second = draw(st.sampled_from([("A", "B"), ("B", "A")]))
    return {
        "type": "TemplateProcessing",
        "single": [*some(), text("A"), *some()],
        "pair": [*some(), text(first), *some(), text(second), *some()],
        "special_tokens": {
            name: {"id": name, "ids": ids, "tokens": [SPECIALS[i] for i in ids]} for name, ids in names.items()
        },
    }


AROUND = {"sep": st.just(["</s>", 1]), "cls": st.just(["<s>", 0])}
ADDING = st.one_of(
    templates(),
    _step("BertProcessing", **AROUND),
    _step("RobertaProcessing", **AROUND, trim_offsets=BOOLEANS, add_prefix_space=BOOLEANS),
)
POST_PROCESSOR = st.one_of(
    st.none(),
    BYTE_LEVEL,
    ADDING,
    st.tuples(BYTE_LEVEL, ADDING).map(lambda steps: {"type": "Sequence", "processors": list(steps)}),
    st.tuples(ADDING, BYTE_LEVEL).map(lambda steps: {"type": "Sequence", "processors": list(steps)}),
)
TRUNCATION = st.none() | st.fixed_dictionaries(
    {
        "direction": st.sampled_from(["Left", "Right"]),
        "max_length": st.integers(20, 30),
        "strategy": st.sampled_from(["LongestFirst", "OnlyFirst", "OnlySecond"]),
        "stride": st.just(0),
    }
)
PADDING = st.none() | st.fixed_dictionaries(
    {
        "strategy": st.sampled_from(["BatchLongest", {"Fixed": 12}]),
        "direction": st.sampled_from(["Left", "Right"]),
        "pad_to_multiple_of": st.sampled_from([None, 8]),
        "pad_id": st.integers(0, 3),
        "pad_type_id": st.integers(0, 2),
        "pad_token": st.sampled_from(["<pad>", "[PAD]"]),
    }
)
CONTENTS = ("<s>", "</s>", "<pad>", "<unk>", "low", "é", "L", " ", "\n", "<｜x｜>", "▁", "Ġlo", "Lower")
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


@st.composite
def added_tokens(draw: st.DrawFn, vocab: dict[str, int]) -> list[Json]:
    contents = [*SPECIALS[:2], *draw(st.lists(st.sampled_from(CONTENTS[2:]), unique=True, max_size=4))]
    flags = [{flag: draw(BOOLEANS) for flag in FLAGS} for _content in contents]
    for each in flags[: draw(st.integers(0, len(flags)))]:  # usual ones
        each.update(dict.fromkeys(FLAGS[:-1], False), special=True)
    ids = assigned_ids(contents, vocab)
    return [{"id": i, "content": c, **f} for i, c, f in zip(ids, contents, flags, strict=True)]


@st.composite
def models(draw: st.DrawFn) -> Json:
    prefix, suffix = draw(st.sampled_from(["", "", "##"])), draw(st.sampled_from(["", "", "</w>"]))
    characters = draw(st.sampled_from([PRINTABLE, PRINTABLE[33:127], tuple("lowerst Ġ▁<>s/é")]))
    merges = [("l", "o"), ("lo", "w"), ("e", "r"), ("Ġ", "lo"), ("▁", "lo"), ("low", "er"), ("Ã", "©")]
    written = [(left, prefix + right + (suffix if index % 2 else "")) for index, (left, right) in enumerate(merges)]
    entries = [*SPECIALS, *characters]
    entries += [prefix + each for each in characters] + [prefix + each + suffix for each in characters]
    kept = []
    for left, right in written:
        if left in entries and right in entries:
            kept.append([left, right])
            entries.append(left + right[len(prefix) :])
            entries.append(prefix + left + right[len(prefix) :])
    entries += draw(
        st.lists(
            st.sampled_from(["⌚", "the cat", " ", "lowerlow", "<0xE4>"]),
            unique=True,
            max_size=draw(st.sampled_from([0, 4])),
        )
    )
    if draw(BOOLEANS):
        entries += [f"<0x{byte:02X}>" for byte in range(256)]
    return {
        "type": "BPE",
        "dropout": draw(st.sampled_from([None, 0.0, 0.1])),
        "unk_token": draw(st.sampled_from([None, "<unk>", "<s>"])),
        "continuing_subword_prefix": draw(st.sampled_from([prefix or None, prefix])),
        "end_of_word_suffix": draw(st.sampled_from([suffix or None, suffix])),
        "fuse_unk": draw(BOOLEANS),
        "byte_fallback": draw(BOOLEANS),
        "ignore_merges": draw(BOOLEANS),
        "vocab": {entry: index for index, entry in enumerate(dict.fromkeys(entries))},
        "merges": kept,
    }


@st.composite
def files(draw: st.DrawFn) -> Json:
    model = draw(models())
    pre_tokenizer = draw(_sequence("pretokenizers", PRE_TOKENIZER))
    if draw(BOOLEANS):  # bytes, as most files have them
        steps = [] if pre_tokenizer is None else [pre_tokenizer]
        pre_tokenizer = {"type": "Sequence", "pretokenizers": [*steps, draw(BYTE_LEVEL)]}
    root = {
        "version": "1.0",
        "truncation": draw(TRUNCATION),
        "padding": draw(PADDING),
        "added_tokens": draw(added_tokens(model["vocab"])),
        "normalizer": draw(_sequence("normalizers", NORMALIZER)),
        "pre_tokenizer": pre_tokenizer,
        "post_processor": draw(POST_PROCESSOR),
        "decoder": draw(_sequence("decoders", DECODER)),
        "model": model,
    }
    if draw(st.integers(0, 3)) == 0:  # nothing that a recipe could not express
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": draw(BOOLEANS), "use_regex": True}
        root |= {"normalizer": None, "pre_tokenizer": byte_level, "decoder": byte_level}
        root["post_processor"] = draw(st.none() | BYTE_LEVEL)
        model |= {"dropout": None, "fuse_unk": False, "byte_fallback": False}
        for token in root["added_tokens"]:
            token.update(dict.fromkeys(FLAGS[:-1], False), special=True)
    return root


PAIRS = [*pairwise(TEXTS), ("low lower", " the  <s>é"), ("", ""), ("", "low")]


FIELDS = (
    *("ids", "tokens", "offsets", "type_ids", "attention_mask", "special_tokens_mask"),
    *("word_ids", "sequence_ids", "overflowing"),
)


def _encoded(tokenizer: tokenizers.Tokenizer, text: str, pair: str | None = None) -> object:
    """Return all parts of an encoding, or the error that there is instead."""
    try:
        encoding = tokenizer.encode(text, pair)
    except Exception as error:  # texts can be too short to be cut
        return str(error)
    return {
        field: getattr(encoding, field) if field != "overflowing" else len(encoding.overflowing) for field in FIELDS
    }


def meaning(tokenizer: tokenizers.Tokenizer) -> dict[str, Any]:
    """Return what a file means to `tokenizers`, if it skips no merges."""
    tokenizer.model.dropout = None
    given = {
        "vocabulary": tokenizer.get_vocab(with_added_tokens=False),
        "all": tokenizer.get_vocab(),
        "added": {i: str(token) for i, token in tokenizer.get_added_tokens_decoder().items()},
        "settings": (tokenizer.padding, tokenizer.truncation),
        "cut and padded": [_encoded(tokenizer, *texts) for texts in [*PAIRS, TEXTS[:1], TEXTS[-1:]]],
    }
    tokenizer.no_truncation()
    tokenizer.no_padding()
    encoded = [_encoded(tokenizer, *texts) for texts in [*PAIRS, *zip(TEXTS, strict=True)]]
    bare = [tokenizer.encode(text, add_special_tokens=False).ids for text in TEXTS]
    texts = [tokenizer.decode(ids, skip_special_tokens=skip) for ids in bare for skip in (True, False)]
    return given | {"encoded": encoded, "bare": bare, "texts": texts}


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])
@given(root=files())
def test_a_file_means_the_same_after_it_is_read_and_written(
    root: Json, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "generated.json"
    file.write_text(json.dumps(root), "utf-8")
    given_dropout = root["model"]["dropout"] or None
    theirs = tokenizers.Tokenizer.from_file(str(file))
    try:
        ours = load(file)
    except FormatError:
        reject()
    [written] = tokenizer_json.contents(ours, Path()).values()
    again = tokenizers.Tokenizer.from_str(written)
    assert again.model.dropout == (None if given_dropout is None else pytest.approx(given_dropout))
    try:
        expected = meaning(theirs)
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # in `tokenizers`
            reject()
        raise
    found = meaning(again)
    for field, value in expected.items():
        assert found[field] == value, field
    for text in TEXTS:
        encoding = theirs.encode(text)
        assert ours.encode(text) == encoding.ids, text
        assert ours.decode(encoding.ids) == theirs.decode(encoding.ids, skip_special_tokens=False), text
