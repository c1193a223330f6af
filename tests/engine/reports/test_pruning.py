"""A pruned tokenizer gives the texts it was pruned for the same tokens, and every package reads it like us."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models, normalizers, pre_tokenizers, processors

from bpe_gui.engine import TextDocument, Tokenizer, TokenizerError, load, save, save_obstacle, train
from bpe_gui.engine.proof import proof_strings, readers_for
from bpe_gui.engine.reports.counting import TokenCounter
from bpe_gui.engine.reports.pruning import Pruning, prune, pruning_cost, used_ids
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.sentencepiece_models import trained
from tests.engine.support.strategies import corpora, letters, mixed

from .plain import tokenizers

TEXT = "low low low lower lower widest widest newest"
texts = st.lists(st.one_of(letters, mixed, corpora), max_size=3)


def check(tokenizer: Tokenizer, pruning: Pruning, documents: list[str]) -> None:
    """Compare the ids of texts by both tokenizers, and what is left with what was there."""
    before, after = tokenizer.with_unknown_id(-1), pruning.tokenizer.with_unknown_id(-1)
    new_ids = {-1: -1, **pruning.new_ids}
    for text in documents:
        assert after.encode(text) == [new_ids[token_id] for token_id in before.encode(text)]
    vocab = pruning.tokenizer.vocab
    assert sorted(vocab) == list(range(len(vocab)))
    assert {new: tokenizer.token(old) for old, new in pruning.new_ids.items()} == vocab
    assert sorted([*pruning.new_ids, *pruning.removed]) == sorted(tokenizer.vocab)
    assert len(pruning.tokenizer.merges) == len(tokenizer.merges) - pruning.removed_merges
    kept = iter(tokenizer.merges)
    assert all(merge in kept for merge in pruning.tokenizer.merges)  # in the same order


@given(tokenizers(), texts)
def test_texts_keep_their_tokens(tokenizer: Tokenizer, documents: list[str]) -> None:
    used = {token_id for text in documents for token_id in tokenizer.with_unknown_id(-1).encode(text)}
    pruning = prune(tokenizer, used)
    check(tokenizer, pruning, documents)
    alphabet = {
        token for token, step in zip(tokenizer.entries().tokens, tokenizer.entries().steps, strict=True) if step <= 0
    }
    assert alphabet <= set(pruning.tokenizer.vocab.values())
    for token_id in pruning.removed:
        token = tokenizer.token(token_id)
        assert token_id not in used
        assert all(token not in merge for merge in pruning.tokenizer.merges)


@given(tokenizers(), texts, texts)
def test_the_cost_on_other_texts_is_counted(tokenizer: Tokenizer, documents: list[str], others: list[str]) -> None:
    counter = TokenCounter(tokenizer)
    counts = counter.count_documents([TextDocument(text) for text in documents])
    pruning = prune(tokenizer, used_ids(counter.parts, counts), counter.parts)
    check(tokenizer, pruning, documents)
    for which in (documents, others):
        cost = pruning_cost(counter, pruning, [TextDocument(text) for text in which])
        sizes = [
            sum(len(each.with_unknown_id(-1).encode(text)) for text in which) for each in (tokenizer, pruning.tokenizer)
        ]
        assert (cost.before.tokens, cost.after.tokens) == tuple(sizes)
        assert cost.more_tokens == sizes[1] - sizes[0]
    assert pruning_cost(counter, pruning, [TextDocument(text) for text in documents]).share == 0


@pytest.mark.parametrize("format", ["gpt2", "minbpe", "tiktoken", "huggingface"])
@pytest.mark.parametrize("recipe", ["cs336", "minbpe", "tiktoken", "huggingface"])
def test_what_is_exported_is_proven(tmp_path: Path, recipe: str, format: str) -> None:
    tokenizer = train(TEXT * 3, recipe=recipe, num_merges=14, special_tokens=["<|e|>"])
    pruning = prune(tokenizer, tokenizer.encode("low lower<|e|> low"))
    assert pruning.removed
    if save_obstacle(tokenizer, format) is not None:
        assert save_obstacle(pruning.tokenizer, format) is not None
        return
    path = tmp_path / {"minbpe": "a.model", "tiktoken": "a.tiktoken", "huggingface": "a.json"}.get(format, "a")
    written = save(pruning.tokenizer, path, format)
    for reader in readers_for(pruning.tokenizer, format, written):
        proof = reader.prove(proof_strings([TEXT], ["<|e|>"]))
        assert not proof.fails, proof


def test_a_pipeline_keeps_what_its_steps_refer_to(tmp_path: Path) -> None:
    vocab = {"<b>": 0, "?": 1, "o": 2, "w": 3, "lo": 4, "l": 5, "ow": 6, "low": 7}
    theirs = TheirTokenizer(models.BPE(vocab, [("o", "w"), ("l", "o"), ("l", "ow")], unk_token="?"))
    theirs.normalizer = normalizers.Lowercase()
    theirs.pre_tokenizer = pre_tokenizers.Whitespace()
    theirs.add_special_tokens(["<b>"])
    theirs.post_processor = processors.TemplateProcessing(single="<b> $A", special_tokens=[("<b>", 0)])
    theirs.save(str(tmp_path / "lower.json"))
    tokenizer = load(tmp_path / "lower.json")
    pruning = prune(tokenizer, tokenizer.encode("LOW"))
    assert [tokenizer.token(token_id) for token_id in pruning.removed] == [b"lo"]
    check(tokenizer, pruning, ["LOW xlow", "low <b>ow"])
    assert len(pruning.tokenizer.encode("lo")) == len(tokenizer.encode("lo")) + 1


def test_a_model_of_sentencepiece_is_pruned(tmp_path: Path) -> None:
    (tmp_path / "a.model").write_bytes(trained(vocab_size=1_500))
    tokenizer = load(tmp_path / "a.model")
    text = mixed_text(2_000)
    pruning = prune(tokenizer, tokenizer.encode(text))
    assert pruning.removed
    check(tokenizer, pruning, [text])


def test_an_id_that_does_not_exist() -> None:
    with pytest.raises(TokenizerError, match="No token has the id 999"):
        prune(train(TEXT, num_merges=2), [999])
