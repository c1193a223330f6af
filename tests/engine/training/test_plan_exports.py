"""Extended tokenizers and superwords give the same ids in the packages that read their files."""

from pathlib import Path

import pytest

from bpe_gui.engine import Corpus, Plan, Tokenizer, Trainer, load, save, train

TEXT = "of the low of the lower, of the newest: low low\nof the widest and of the lowest of the low\n" * 3
OTHER = "new   newer of the   news\n\nthe news of   the newest"

tokenizers = pytest.importorskip("tokenizers")


def superwords() -> Tokenizer:
    return train(TEXT, num_merges=60, special_tokens=["<|end|>"], plan=Plan(stages={12: r"[^\n]+|\n+"}))


def extended() -> Tokenizer:
    first = train(TEXT, num_merges=9, special_tokens=["<|end|>"])
    return train(OTHER, num_merges=25, plan=Plan.extending(first))


@pytest.mark.parametrize("tokenizer", [superwords(), extended()], ids=["superwords", "extended"])
def test_tokenizer_json_gives_the_same_ids(tokenizer: Tokenizer, tmp_path: Path) -> None:
    (path,) = save(tokenizer, tmp_path / "tokenizer.json", "huggingface")
    package, again = tokenizers.Tokenizer.from_file(str(path)), load(path)
    for text in (TEXT, OTHER, TEXT + OTHER, "of the low<|end|>of  the low"):
        ids = tokenizer.encode(text)
        assert package.encode(text, add_special_tokens=False).ids == ids
        assert again.encode(text) == ids
    assert any(len(token.split()) > 1 for token in superwords().vocab.values())


def test_the_words_of_a_run_of_superwords_are_what_its_tokenizer_makes_of_them() -> None:
    recipe, plan = train(TEXT, num_merges=0).recipe, Plan(stages={12: r"[^\n]+"})
    corpus = Corpus.from_text(TEXT)
    trainer = Trainer(corpus.count(recipe), recipe, plan=plan, stage_counts=plan.count_stages(corpus, recipe, ()))
    for step in (11, 12, 13, 60, 12, 5):
        trainer.seek(step)
        tokenizer = trainer.tokenizer()
        for word in trainer.words():
            assert tuple(tokenizer.tokenize(b"".join(word.symbols).decode())) == word.symbols
