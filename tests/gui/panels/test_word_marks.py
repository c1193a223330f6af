"""The starts of words are looked for near the visible text only; a whole block would delay every key."""

from dataclasses import replace

import pytest

from bpe_gui.engine import LiveText, Recipe, Tokenizer, train

WORDS = "Don't stop; 12345 words \n\n  here, 词元化 and there.  "


@pytest.mark.parametrize("splitter", ["gpt2", "cl100k", "whitespace", "zh-en"])
def test_only_words_near_the_span_are_looked_for(monkeypatch: pytest.MonkeyPatch, splitter: str) -> None:
    tokenizer = train(WORDS, recipe=splitter_recipe(splitter), num_merges=5)
    text = LiveText(WORDS * 200)
    text.encode_with(tokenizer)
    everywhere = text.word_starts_in(0, len(text))
    sizes: list[int] = []
    find = Tokenizer.word_starts

    def record(tokenizer: Tokenizer, part: bytes) -> object:
        sizes.append(len(part))
        return find(tokenizer, part)

    monkeypatch.setattr(Tokenizer, "word_starts", record)
    for start in range(0, len(text), 97):
        near = text.word_starts_in(start, start + 400)
        assert near.tolist() == everywhere[(everywhere >= start) & (everywhere < start + 400)].tolist()
    assert max(sizes) < 1_000


def splitter_recipe(splitter: str) -> Recipe:
    return replace(Recipe.of("cs336"), splitter=splitter)
