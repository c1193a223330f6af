"""Two tokenizers that differ in one step are told apart by its name, with a text on which it parts them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import (
    KNOWN_SPLITTERS,
    AddedToken,
    ByteLevel,
    Digits,
    Lowercase,
    Metaspace,
    Normalizer,
    Pipeline,
    PreTokenizer,
    Punctuation,
    Recipe,
    RecipeSplit,
    Replace,
    Split,
    StripAccents,
    Tokenizer,
    UnicodeForm,
    WhitespaceSplit,
    compare,
)
from bpe_gui.engine.comparison import DifferenceExample, StepDifference, step_differences
from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder, StripDecoder
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.pre_tokenizers import equivalent_steps
from bpe_gui.engine.tokenization.config import TokenizerConfig

VOCAB = {**{i: bytes([i]) for i in range(256)}, 256: b"lo", 257: b"low"}
MERGES = [(b"l", b"o"), (b"lo", b"w")]
SPECIAL = {"<s>": 300, "</s>": 301}
CONFIG = TokenizerConfig({"bos_token": "<s>", "chat_template": "{{ messages }}"})
PIPELINE = Pipeline(
    added_tokens=tuple(AddedToken(id=i, content=name) for name, i in SPECIAL.items()),
    normalizers=(UnicodeForm("NFC"),),
    pre_tokenizers=(Split(KNOWN_SPLITTERS["llama3"], "isolated"), ByteLevel()),
    model=ModelOptions(is_byte_level=True),
    decoders=(ByteLevelDecoder(),),
    ids_before=(300,),
)
BASE = Tokenizer(VOCAB, MERGES, SPECIAL, pipeline=PIPELINE, config=CONFIG)
RECIPE = Tokenizer(VOCAB, MERGES, SPECIAL, recipe=Recipe(splitter="gpt2"), config=CONFIG)


def with_pipeline(**changes: object) -> Tokenizer:
    return BASE.changed(pipeline=replace(PIPELINE, **changes))  # type: ignore[arg-type]


def split(pattern: str, *after: PreTokenizer) -> Tokenizer:
    return with_pipeline(pre_tokenizers=(Split(pattern, "isolated"), *after, ByteLevel()))


ONE_STEP = {
    "form": (with_pipeline(normalizers=(UnicodeForm("NFKC"),)), "normalizer"),
    "no form": (with_pipeline(normalizers=()), "normalizer"),
    "one more": (with_pipeline(normalizers=(UnicodeForm("NFC"), Lowercase())), "normalizer"),
    "rare": (with_pipeline(normalizers=(UnicodeForm("NFC"), Replace("qqq", "k"))), "normalizer"),
    "digits": (split(KNOWN_SPLITTERS["qwen2"]), "splitter"),
    "other": (split(KNOWN_SPLITTERS["llama3"], Punctuation()), "splitter"),
    "space": (with_pipeline(pre_tokenizers=(PIPELINE.pre_tokenizers[0], ByteLevel(add_prefix_space=True))), "splitter"),
    "word": (split("zebra|" + KNOWN_SPLITTERS["llama3"]), "splitter"),
    "flag": (
        with_pipeline(added_tokens=(PIPELINE.added_tokens[0], replace(PIPELINE.added_tokens[1], rstrip=True))),
        "added_tokens",
    ),
    "not special": (
        with_pipeline(added_tokens=(PIPELINE.added_tokens[0], replace(PIPELINE.added_tokens[1], special=False))),
        "added_tokens",
    ),
    "role": (BASE.with_config(CONFIG.with_changes(eos_token="</s>")), "roles"),
    "other role": (BASE.with_config(CONFIG.with_changes(bos_token="</s>")), "roles"),
    "template": (BASE.with_config(CONFIG.with_changes(chat_template="x")), "chat_templates"),
    "begin": (with_pipeline(ids_before=()), "ids_before"),
    "end": (with_pipeline(ids_after=(301,)), "ids_after"),
    "whole words": (with_pipeline(model=ModelOptions(is_byte_level=True, ignores_merges=True)), "model"),
    "unknown": (BASE.with_unknown_id(3), "model"),
    "decoder": (with_pipeline(decoders=(ByteLevelDecoder(), StripDecoder(content=" ", start=1, stop=0))), "decoder"),
    "merges": (BASE.changed(merges=[(b"l", b"o"), (b"l", b"ow")][:1]), "merges"),
    "vocabulary": (BASE.changed(vocab={**BASE.vocab, 400: b"extra"}), "vocabulary"),
    "ids": (BASE.changed(vocab={**BASE.vocab, 256: b"low", 257: b"lo"}), "vocabulary"),
}


@pytest.mark.parametrize("name", ONE_STEP)
def test_the_step_in_which_two_differ_is_named_alone(name: str) -> None:
    changed, step = ONE_STEP[name]
    for pair in ((BASE, changed), (changed, BASE)):
        found = compare(pair).steps()
        assert [each.step for each in found] == [step]
        assert found[0].first != found[0].second or name == "ids"  # as many entries
        assert (found[0].text is not None) == (step in ("normalizer", "splitter"))


def test_nothing_is_named_if_nothing_differs() -> None:
    for tokenizer in (BASE, RECIPE):
        assert compare([tokenizer, tokenizer.changed()]).steps() == ()


def test_all_that_differs_is_named_in_order() -> None:
    found = compare([BASE, Tokenizer({0: b"a"}, [], recipe=Recipe(units="characters"))]).steps()
    texts, others = ["normalizer", "splitter"], ["added_tokens", "roles", "chat_templates", "ids_before", "model"]
    assert [each.step for each in found] == [*texts, *others, "merges", "vocabulary"]


def test_the_text_is_the_shortest_of_the_compared_one() -> None:
    digits = BASE, split(KNOWN_SPLITTERS["qwen2"])
    (found,) = compare(digits, "low lower, no digits, then 1 and 789 and 12").steps()
    assert found.text == DifferenceExample("78", ("78",), ("7", "8"))
    (found,) = compare(digits, "low lower").steps()  # nothing in this text
    assert found.text is not None and found.text.first != found.text.second


def test_a_normalized_text_is_shown() -> None:
    lower = with_pipeline(normalizers=(UnicodeForm("NFC"), Lowercase()))
    (found,) = compare([BASE, lower], "low LOWER").steps()
    assert found.text == DifferenceExample("L", ("L",), ("l",))


def test_normalized_text_is_what_equal_normalizers_leave_to_the_splitters() -> None:
    underscores = (Replace(" ", "_"),)
    pair = [
        with_pipeline(normalizers=underscores, pre_tokenizers=(Split(mark, "removed", is_regex=False), ByteLevel()))
        for mark in ("_", " ")
    ]
    (found,) = compare(pair, "low lower").steps()
    assert found.text is not None and found.text.second == (found.text.text.replace(" ", "_"),)


@pytest.mark.parametrize("splitter", ["gpt2", "cl100k", "o200k", "whitespace", KNOWN_SPLITTERS["llama3"]])
def test_a_splitter_is_the_same_in_a_recipe_and_in_steps(splitter: str) -> None:
    steps = equivalent_steps(splitter)
    pipeline = Pipeline(
        added_tokens=PIPELINE.added_tokens,
        pre_tokenizers=(*steps, ByteLevel()),
        model=ModelOptions(is_byte_level=True),
    )
    recipe = Tokenizer(VOCAB, MERGES, SPECIAL, recipe=Recipe(splitter=splitter))
    assert step_differences(recipe, Tokenizer(VOCAB, MERGES, SPECIAL, pipeline=pipeline)) == ()


def test_special_tokens_of_a_recipe_are_added_tokens() -> None:
    other = Tokenizer(VOCAB, MERGES, {"<s>": 300, "<e>": 302}, recipe=RECIPE.recipe, config=CONFIG)
    assert step_differences(RECIPE, other) == (
        StepDifference("added_tokens", (AddedToken(id=301, content="</s>"),), (AddedToken(id=302, content="<e>"),)),
    )


def test_a_token_with_another_id_is_told_from_one_that_only_one_has() -> None:
    other = Tokenizer(VOCAB, MERGES, {"<s>": 301, "<e>": 302}, recipe=RECIPE.recipe, config=CONFIG)
    (difference,) = step_differences(RECIPE, other)
    assert difference.other_ids == (("<s>", 300, 301),)


SPLITS: list[tuple[PreTokenizer, ...]] = [
    *((RecipeSplit(name),) for name in ("gpt2", "cl100k", "o200k", "whitespace", "none")),
    *(
        (Split(pattern, "isolated"),)
        for pattern in ("a+", "aa?b", r"\p{Lu}", "foo|bar", r"\d{1,3}(?=\d)|x", "zebras?|[a-z]+")
    ),
    (Digits(individual=True),),
    (Digits(),),
    (WhitespaceSplit(), Digits()),
    (Metaspace(),),
    (Metaspace(prepend_scheme="never"),),
]
NORMALIZERS: list[tuple[Normalizer, ...]] = [
    (),
    *((step,) for step in (Lowercase(), StripAccents(), Replace("x", "y"), Replace("x+", "y", is_regex=True))),
    *((UnicodeForm(form),) for form in ("NFC", "NFD", "NFKC", "NFKD")),
]


@given(*(st.sampled_from(SPLITS) for _each in range(2)), *(st.sampled_from(NORMALIZERS) for _each in range(2)))
def test_whatever_differs_is_shown_by_a_text(
    first: tuple[PreTokenizer, ...],
    second: tuple[PreTokenizer, ...],
    one: tuple[Normalizer, ...],
    other: tuple[Normalizer, ...],
) -> None:
    vocab = {ord(character): character.encode() for character in "abc"}
    pair = [
        Tokenizer(vocab, [], pipeline=Pipeline(normalizers=normalizers, pre_tokenizers=splits))
        for normalizers, splits in ((one, first), (other, second))
    ]
    found = compare(pair).steps()
    names = [name for name, differs in (("normalizer", one != other), ("splitter", first != second)) if differs]
    assert [each.step for each in found] == names
    for each in found:
        assert each.text is not None and each.text.first != each.text.second
