"""Where words begin is found out for what is in view alone: the whole of a block would hold up who types."""

from dataclasses import replace

import pytest

from bpe_gui.engine import Recipe, Tokenizer, train
from bpe_gui.engine.live_text import LiveText

WORDS = "Don't stop; 12345 words \n\n  here, 词元化 and there.  "


@pytest.mark.parametrize("splitter", ["gpt2", "cl100k", "whitespace", "zh-en"])
def test_only_the_words_near_are_looked_for(monkeypatch: pytest.MonkeyPatch, splitter: str) -> None:
    tokenizer = train(WORDS, recipe=splitter_recipe(splitter), num_merges=5)
    text = LiveText(WORDS * 200)
    text.encode_with(tokenizer)
    everywhere = text.word_starts_in(0, len(text))
    sizes: list[int] = []
    find = Tokenizer.word_starts

    def note(tokenizer: Tokenizer, part: bytes) -> object:
        sizes.append(len(part))
        return find(tokenizer, part)

    monkeypatch.setattr(Tokenizer, "word_starts", note)
    for start in range(0, len(text), 97):
        near = text.word_starts_in(start, start + 400)
        assert near.tolist() == everywhere[(everywhere >= start) & (everywhere < start + 400)].tolist()
    assert max(sizes) < 1_000


def splitter_recipe(splitter: str) -> Recipe:
    return replace(Recipe.of("cs336"), splitter=splitter)
