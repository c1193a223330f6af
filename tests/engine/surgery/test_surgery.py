"""Merged and extended tokenizers keep their ids, and maps say what spells each token."""

import json
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import PRESETS, Plan, Recipe, TextDocument, Tokenizer, TokenizerError, audit, load, save, train
from bpe_gui.engine.reports import prune
from bpe_gui.engine.surgery import (
    embedding_map,
    first_difference,
    merge_tokenizers,
    tokens_saved,
    with_ordinary_tokens,
    with_special_tokens,
)
from tests.engine.support.sentencepiece_models import trained
from tests.engine.support.strategies import byte_recipes, corpora, mixed

BASE = "low low low lower lower widest widest newest 你好，世界 low 12 345"
DOMAIN = "the lowest wide newer world 你好你好 世界世界 3456 3456 <|tool|>"
texts = corpora.map("a".__add__)  # not empty
recipes = byte_recipes().map(lambda recipe: recipe.with_changes(boundary="none", id_order="merge-order"))


@given(recipes, texts, texts, mixed, st.none() | st.integers(0, 4))
def test_merging_only_joins_the_tokens_of_text(
    recipe: Recipe, one: str, other: str, text: str, most: int | None
) -> None:
    base = train(one, recipe=recipe, num_merges=8)
    added = train(other, recipe=recipe, num_merges=12)
    merging = merge_tokenizers(base, added, most)
    merged = merging.tokenizer
    for each in (one, other, text):
        assert first_difference(base, merged, [each]) is None
    assert merged.merges[: len(base.merges)] == base.merges
    assert merged.vocab.items() >= base.vocab.items()
    tokens = [merged.token(token_id) for token_id in merging.added]
    assert most is None or len(tokens) <= most
    lacking = set(added.vocab.values()) - set(base.vocab.values()) - {b"<|e|>"}
    assert not set(tokens) & set(merging.left_out)
    every = merge_tokenizers(base, added)
    added_tokens = {every.tokenizer.token(token_id) for token_id in every.added}
    assert added_tokens | set(every.left_out) == lacking
    assert set(merging.left_out) == set(every.left_out), "what is only beyond the limit is not named"
    words = Tokenizer(merged.vocab, merged.merges, merged.special_tokens, recipe=recipe.with_changes(splitter="none"))
    for token_id, token in zip(merging.added, tokens, strict=True):
        if is_text(token):
            assert words.encode(token.decode()) == [token_id]
    for token, parts in merging.left_out.items():
        assert b"".join(parts) == token
        assert len(parts) > 2 or most is not None


def is_text(token: bytes) -> bool:
    return token.decode(errors="ignore").encode() == token


@given(recipes, texts, texts)
def test_what_is_spelled_has_the_bytes_of_the_token(recipe: Recipe, one: str, other: str) -> None:
    base = train(one, recipe=recipe, num_merges=8)
    more = train(other, recipe=recipe, num_merges=16, plan=Plan.extending(base))
    smaller = prune(base, base.encode(one[:3])).tokenizer
    for old, new in (
        (base, more),
        (more, base),
        (base, smaller),
        (smaller, base),
        (base, merge_tokenizers(base, more).tokenizer),
    ):
        mapped = embedding_map(old, new)
        assert not mapped.unmapped
        for token_id, token in new.vocab.items():
            assert b"".join(map(old.token, mapped.sources_of(token_id))) == token
    assert embedding_map(base, more).kept() == len(base.vocab)
    assert first_difference(base, more, [one, other]) is None


def test_tokens_that_no_text_has_are_left_out() -> None:
    base = train(BASE, num_merges=6)
    other = train(BASE, recipe=Recipe.of("cs336").with_changes(splitter="none"), num_merges=40)
    merging = merge_tokenizers(base, other)
    entries = {entry.token_id: entry for entry in audit(merging.tokenizer).entries}
    assert all(entries[token_id].kind == "reachable" for token_id in merging.added)
    assert merging.left_out[b"t "] == (b"t", b" ")
    first = merge_tokenizers(base, other, 3)
    assert [*map(first.tokenizer.token, first.added)] == [*map(merging.tokenizer.token, merging.added[:3])]


def test_a_matrix_gets_copies_and_means() -> None:
    old = train(BASE, num_merges=6, special_tokens=["<r0>"])
    new = with_special_tokens(merge_tokenizers(old, train(DOMAIN, num_merges=30)).tokenizer, {"<|tool|>": 400})
    mapped = embedding_map(old, new)
    rows = np.random.default_rng(0).normal(size=(old.largest_id + 3, 5)).astype(np.float32)
    matrix = mapped.apply(rows)
    assert matrix.shape == (401, 5)
    assert mapped.kept() == len(old.vocab)
    for token_id in range(401):
        sources = mapped.sources_of(token_id) if token_id in new.vocab else list(range(old.largest_id + 1))
        np.testing.assert_allclose(matrix[token_id], rows[sources].mean(axis=0), rtol=1e-4, atol=1e-6)
    assert b"".join(map(old.token, mapped.sources_of(400))) == b"<|tool|>"
    with pytest.raises(TokenizerError, match="a row for each of the 263 old ids"):
        mapped.apply(rows[: old.largest_id])


def test_maps_and_merged_tokenizers_end_at_the_step_they_are_of() -> None:
    old = train(BASE, num_merges=2)
    new = train(BASE, num_merges=9, plan=Plan.extending(old)).at(5)
    mapped = embedding_map(old, new)
    assert (mapped.old_size, mapped.new_size, mapped.kept()) == (258, 261, 258)
    assert embedding_map(new, old).old_size == 261
    assert [*merge_tokenizers(new, train(DOMAIN, num_merges=30), 2).added] == [261, 262]


def test_a_map_is_read_by_other_programs(tmp_path: Path) -> None:
    old = train(BASE, num_merges=6)
    mapped = embedding_map(old, train(DOMAIN, num_merges=9))
    for name in ("map.json", "map.npz", "map.safetensors"):
        mapped.save(tmp_path / name)
    for arrays in (np.load(tmp_path / "map.npz"), safetensors.numpy.load_file(tmp_path / "map.safetensors")):
        for name in ("starts", "sources", "weights"):
            np.testing.assert_array_equal(arrays[name], getattr(mapped, name))
    rows = json.loads((tmp_path / "map.json").read_text(encoding="utf-8"))["rows"]
    assert [[source for source, _weight in row] for row in rows] == list(map(mapped.sources_of, range(len(rows))))
    assert all(sum(weight for _source, weight in row) == pytest.approx(1, abs=1e-7) for row in rows)
    with pytest.raises(TokenizerError, match=r"must end in .json, .npz, .safetensors"):
        mapped.save(tmp_path / "map.csv")


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    """Return a SentencePiece model with byte fallback, whose normalization changes nothing but spaces."""
    path = tmp_path_factory.mktemp("model") / "some.model"
    path.write_bytes(trained(vocab_size=700, byte_fallback=True, normalization_rule_name="identity"))
    return load(path)


def test_spaces_and_bytes_are_matched_however_they_are_spelled(pieces: Tokenizer) -> None:
    levels = train(BASE, num_merges=12)
    for old, new in ((pieces, levels), (levels, pieces)):
        mapped = embedding_map(old, new)
        for token_id, token in new.vocab.items():
            if token_id in new.special_tokens.values() or token_id in mapped.unmapped:
                continue
            parts = b"".join(old.stands_for(old.token(source)) for source in mapped.sources_of(token_id))
            assert parts.replace("▁".encode(), b" ") == new.stands_for(token).replace("▁".encode(), b" ")
    assert not embedding_map(pieces, levels).unmapped


@pytest.mark.parametrize("coverage", [1.0, 0.98])
def test_sentencepiece_models_are_merged(pieces: Tokenizer, coverage: float, tmp_path: Path) -> None:
    """Characters that one has only as bytes get ids, too, since no merge joins the names of bytes."""
    options = {"vocab_size": 450, "byte_fallback": True, "normalization_rule_name": "identity"}
    (tmp_path / "small.model").write_bytes(trained(character_coverage=coverage, **options))
    small = load(tmp_path / "small.model")
    merging = merge_tokenizers(small, pieces)
    merged = merging.tokenizer
    assert len(merging.added) > 150
    texts = [
        "the lowest of the low",
        "你好，世界 12",
        "  two  spaces 😀",
        "".join(map(bytes.decode, pieces.vocab.values())),
    ]
    mapped = embedding_map(small, merged)
    assert first_difference(small, merged, texts, mapped) is None
    assert sum(map(len, merged.encode_batch(texts))) < sum(map(len, small.encode_batch(texts)))
    for token_id in merging.added:
        parts = map(small.token, mapped.sources_of(token_id))
        assert b"".join(map(small.stands_for, parts)) == merged.token(token_id)
    assert not any(b"<0x" in part for parts in merging.left_out.values() for part in parts)
    assert merged.decode(merged.encode(texts[1])) == texts[1]
    save(merged, tmp_path / "tokenizer.json", "huggingface")
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert [theirs.encode(text).ids for text in texts] == merged.encode_batch(texts)


def test_tokens_of_other_symbols_are_refused(pieces: Tokenizer) -> None:
    with pytest.raises(TokenizerError, match="make tokens of different symbols"):
        merge_tokenizers(train(BASE, num_merges=3), pieces)


def test_special_tokens_are_renamed_and_added_for_the_package_too(tmp_path: Path) -> None:
    old = train(BASE, recipe="huggingface", num_merges=6, special_tokens=["<r0>", "<r1>"])
    new = with_special_tokens(old, {"<user>": None, "<far>": 999}, {"<r1>": "<tool>"})
    assert new.special_tokens == {"<r0>": 0, "<tool>": 1, "<user>": old.largest_id + 1, "<far>": 999}
    save(new, tmp_path / "tokenizer.json", "huggingface")
    text = "low<tool>low<r1><user><far>"
    assert new.encode(text) == tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json")).encode(text).ids
    read = load(tmp_path / "tokenizer.json")
    assert with_special_tokens(read, None, {"<tool>": "<r1>"}).encode("<r1>") == [1]


@pytest.mark.parametrize(
    ("added", "renamed", "message"),
    [
        ({}, {"<no>": "<x>"}, "The special token '<no>' does not exist. The special tokens are <r0>, <r1>."),
        ({"<r0>": None}, {}, "The special token '<r0>' exists already."),
        ({"<x>": 97}, {}, "The special token '<x>' cannot have the id 97, which 'a' has."),
        ({}, {"<r0>": "<r1>"}, "Two special tokens cannot have the same name."),
    ],
)
def test_a_name_or_id_that_is_taken_is_refused(
    added: dict[str, int | None], renamed: dict[str, str], message: str
) -> None:
    tokenizer = train(BASE, num_merges=1, special_tokens=["<r0>", "<r1>"])
    tokenizer = with_special_tokens(tokenizer)
    with pytest.raises(TokenizerError) as caught:
        with_special_tokens(tokenizer, added, renamed)
    assert str(caught.value) == message


@given(recipes, texts, st.lists(mixed | st.sampled_from(["<|e|>", "a<|e|>", "ab b", "\0", "\r\n"]), max_size=6))
def test_each_added_text_is_one_token_and_old_ids_stay(recipe: Recipe, corpus: str, words: list[str]) -> None:
    base = train(corpus, recipe=recipe, num_merges=8, special_tokens=["<|e|>"])
    merging = with_ordinary_tokens(base, words)
    made = merging.tokenizer
    assert made.vocab.items() >= base.vocab.items()
    assert made.merges[: len(base.merges)] == base.merges
    assert set(merging.added) == made.vocab.keys() - base.vocab.keys()
    shown = {entry.token_id: entry.witness for entry in audit(made).entries}
    for word, token_id in merging.ids.items():
        assert made.token(token_id) == word.encode()
        assert token_id in base.vocab or made.encode(word) == [token_id] or shown[token_id] is not None
    assert {word.encode() for word in words if word not in merging.ids and word} == set(merging.left_out)
    assert all(b"".join(parts) == token for token, parts in merging.left_out.items())
    for token in map(made.token, merging.added):
        assert any(word.encode().startswith(token) for word in merging.ids), "nothing else is added"
    saved = tokens_saved(base, made, [TextDocument(corpus), TextDocument(" ".join(words))])
    fewer = sum(len(base.encode(text)) - len(made.encode(text)) for text in (corpus, " ".join(words)))
    assert saved.keys() == set(merging.added)
    assert sum(saved.values()) == fewer


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_ordinary_tokens_are_whole_words_of_every_preset(preset: str) -> None:
    base = train(f"{BASE} {BASE} lowest the lowest", recipe=preset, num_merges=12).with_unknown_id(9_999)
    words = ["lowest", " lowest", "newer", "low low", "low\nlow", "", "12345", "θ", "widest", "lowest"]
    merging = with_ordinary_tokens(base, words)
    made = merging.tokenizer
    assert made.vocab.items() >= base.vocab.items()
    assert {"lowest", " lowest"} & merging.ids.keys()
    text = "the lowest newer lowest\nlow lowest widest"
    assert set(merging.ids.values()) & set(made.encode(text))
    for document in (text, BASE):
        saved = tokens_saved(base, made, [TextDocument(document)])
        assert sum(saved.values()) == len(base.encode(document)) - len(made.encode(document))
    assert sum(tokens_saved(base, made, [TextDocument(text)]).values()) > 0
    assert len(merging.ids) + len(merging.left_out) == len(set(words)) - 1


def test_a_text_without_a_possible_token_takes_no_ids() -> None:
    base = train(BASE, num_merges=6, special_tokens=["<|e|>"])
    merging = with_ordinary_tokens(base, ["New York", "can't", "<|e|>", "l", "你好", "你"])
    assert [*map(merging.tokenizer.token, merging.added)] == ["你好".encode()[:size] for size in (2, 3, 4, 5, 6)]
    assert merging.left_out.keys() == {b"New York", b"can't"}
    assert merging.ids.keys() == {"<|e|>", "l", "你好", "你"}
    with pytest.raises(TokenizerError, match=r"lone surrogate \(U\+D800\) at index 1"):
        with_ordinary_tokens(base, ["a\ud800"])


def test_ordinary_tokens_are_added_to_files_of_other_programs(pieces: Tokenizer, tmp_path: Path) -> None:
    ranks = train(BASE, num_merges=9, recipe="tiktoken")
    save(ranks, tmp_path / "base.tiktoken", "tiktoken")
    save(train(BASE, num_merges=9, recipe="huggingface"), tmp_path / "base.json", "huggingface")
    opened = [load(tmp_path / "base.tiktoken", pattern="r50k_base"), load(tmp_path / "base.json"), pieces]
    words = [" lowestness", " ψφ", " low low"]
    text = f"the{''.join(words)} lowestnesses"
    for base, name in zip(opened, ("tiktoken", "huggingface", "huggingface"), strict=True):
        merging = with_ordinary_tokens(base, words)
        assert [*merging.ids] == words[:2]
        save(merging.tokenizer, tmp_path / "made", name)
        made = load(tmp_path / "made", pattern="r50k_base" if name == "tiktoken" else None)
        assert made.encode(text) == merging.tokenizer.encode(text)
        assert set(merging.ids.values()) <= set(made.encode(text))
        saved = tokens_saved(base, made, [TextDocument(text)])
        assert sum(saved.values()) == len(base.encode(text)) - len(made.encode(text)) > 0
