"""Tokens that a notebook or a terminal shows: the whole text, each token once, and nothing a page could misread."""

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Corpus, Encoding, Tokenizer, Trainer, train
from bpe_gui.engine.runtime import shown_tokens
from bpe_gui.engine.runtime.shown_tokens import tokens_in_html, tokens_in_terminal

TEXTS = st.text(st.sampled_from("ab <&'\"\n你é😀"), max_size=20)
TOKENIZER = train("ab <b> 你 " * 5, num_merges=6)
WORDS = train("ab ba", recipe="char-eow", num_merges=2).with_unknown_id(0)


@given(TEXTS)
def test_a_notebook_shows_the_text_and_each_token_once(text: str) -> None:
    encoding = TOKENIZER.encoding(text)
    html = encoding._repr_html_()
    assert re.findall(r"title='(\d+)'", html) == [str(i) for i in encoding.ids]
    assert html.count("<span") == html.count("</span>") == len(encoding.ids)
    if all(text.encode()[a:b].decode(errors="ignore").encode() == text.encode()[a:b] for a, b in encoding.byte_spans):
        shown = re.sub(r"<[^>]*>", "", html.partition("<div>")[0])
        assert unescape(shown) == text.replace("\n", "↵\n")


@given(TEXTS)
def test_a_terminal_shows_the_text(text: str) -> None:
    for tokenizer in (TOKENIZER, WORDS):
        spans = tokenizer.encoding(text).byte_spans
        colored = tokens_in_terminal(text, spans, has_color=True)
        plain = tokens_in_terminal(text, spans, has_color=False)
        if all(text.encode()[a:b].decode(errors="ignore").encode() == text.encode()[a:b] for a, b in spans):
            assert re.sub("\x1b\\[[0-9;]*m|↵", "", colored) == plain.replace("|", "") == text
        assert colored.count("\x1b[0m") == len(spans) + colored.count("↵")


def test_the_end_of_a_long_text_is_counted_only() -> None:
    size = shown_tokens._MOST_SHOWN
    html = tokens_in_html("a" * (size + 5), [(i, i + 1) for i in range(size + 5)], [7] * (size + 5))
    assert html.count("<span") == size
    assert "… 5 more tokens" in html and "10,005 tokens" in html


def test_a_trainer_shows_its_last_merges() -> None:
    trainer = Trainer(Corpus.from_text("low low <b> <b>").count("cs336-toy"), "cs336-toy")
    trainer.seek(3)
    html = trainer._repr_html_()
    assert html.count("<tr>") == 4
    assert "&lt;" in html or "ow" in html
    assert Encoding([], [])._repr_html_().endswith("<div>0 tokens</div>")
    assert Tokenizer({}, [])._repr_html_().startswith("<table>")
