"""Every text that an audit names has the entry among its tokens in the package that the tokenizer belongs to."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import tiktoken
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, trainers
from tokenizers import Tokenizer as TheirTokenizer

from bpe_gui.engine import SPLITTERS, Recipe, Tokenizer, audit, load, train
from bpe_gui.engine.audits import KINDS
from bpe_gui.engine.formats.ranks import rust_pattern
from tests.engine.support.gguf_files import of_pieces, write_gguf
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.sentencepiece_models import processor, trained


def _check(tokenizer: Tokenizer, encode: Callable[[str], Sequence[int]], *, special: bool = True) -> None:
    entries = [entry for entry in audit(tokenizer).entries if special or entry.kind != "special"]
    assert any(entry.kind == "reachable" for entry in entries)
    for entry in entries:
        if entry.witness is None:
            assert entry.kind == "special" or KINDS[entry.kind].is_unreachable, entry
        else:
            assert entry.token_id in encode(entry.witness), entry


@pytest.mark.parametrize("splitter", ["gpt2", "cl100k", "o200k"])
def test_witnesses_by_tiktoken(splitter: str) -> None:
    tokenizer = train(
        mixed_text(60_000),
        recipe=Recipe.of("tiktoken").with_changes(splitter=splitter),
        num_merges=600,
        special_tokens=["<|endoftext|>"],
    )
    ranks = {token: token_id for token_id, token in tokenizer.vocab.items() if token != b"<|endoftext|>"}
    theirs = tiktoken.Encoding(
        "small",
        pat_str=rust_pattern(splitter),
        mergeable_ranks=ranks,
        special_tokens=tokenizer.special_tokens,
    )
    _check(tokenizer, lambda text: theirs.encode(text, allowed_special="all"))


@pytest.mark.parametrize("ignores_merges", [False, True])
def test_witnesses_by_tokenizers(tmp_path: Path, ignores_merges: bool) -> None:
    theirs = TheirTokenizer(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    trainer = trainers.BpeTrainer(
        vocab_size=900, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), max_token_length=6
    )
    theirs.train_from_iterator(mixed_text(30_000).splitlines(), trainer)
    # Other words than it was trained on, so that some entries never appear.
    theirs.normalizer = normalizers.NFC()
    theirs.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(SPLITTERS["gpt2"]), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    theirs.model.ignore_merges = ignores_merges
    theirs.decoder = decoders.ByteLevel()
    theirs.add_special_tokens([AddedToken("<e>", normalized=False)])
    theirs.add_tokens([AddedToken("the", normalized=True), AddedToken("of", single_word=True)])
    theirs.save(str(tmp_path / "tokenizer.json"))
    tokenizer = load(tmp_path / "tokenizer.json")
    _check(tokenizer, lambda text: theirs.encode(text).ids)
    kinds = {entry.kind for entry in audit(tokenizer).entries}
    assert {"reachable", "split", "shadowed"} <= kinds


@pytest.mark.parametrize(
    "options",
    [
        {"byte_fallback": True},
        {"character_coverage": 0.98, "user_defined_symbols": ("<user>", "low")},
        {"byte_fallback": True, "normalization_rule_name": "identity", "remove_extra_whitespaces": False},
        {"treat_whitespace_as_suffix": True, "add_dummy_prefix": False},
    ],
)
def test_witnesses_by_sentencepiece(tmp_path: Path, options: dict[str, object]) -> None:
    model = trained(vocab_size=800, **options)
    (tmp_path / "tokenizer.model").write_bytes(model)
    _check(load(tmp_path), processor(model).encode)


def test_witnesses_of_a_gguf_file(tmp_path: Path) -> None:
    """llama.cpp merges pieces as SentencePiece does, but also finds special tokens in text."""
    identity = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
    model = trained(vocab_size=800, byte_fallback=True, **identity)
    tokenizer = load(write_gguf(tmp_path / "model.gguf", of_pieces(model)))
    _check(tokenizer, processor(model).encode, special=False)
