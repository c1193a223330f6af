"""The store of merges: it grows, and the tokenizers that are views of it stay as they are."""

from collections.abc import Iterator
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Corpus, Entries, Pipeline, Recipe, Tokenizer, TokenizerError, Trainer, train
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.vocabulary.merge_store import MergeStore
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.strange_tokenizers import texts, tokenizers

INITIAL_SYMBOLS = {b"</w>", b"a</w>", b"b</w>"}
"""Tokens that words may start as although merges make them: a store must have these from the start."""


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[None]:
    with running(request.param):
        yield


def facts(tokenizer: Tokenizer, text: str) -> dict[str, object]:
    """Return everything that a tokenizer tells about itself and about a text."""
    vars(tokenizer).pop("vocab", None)  # it is cached
    vocab = tokenizer.vocab
    ids = [token_id for token_id in tokenizer.encode(text) if token_id in vocab]
    return {
        "vocab": dict(vocab),
        "size": len(vocab),
        "position": tokenizer.position,
        "merges": tokenizer.merges,
        "merge_counts": tokenizer.merge_counts,
        "special_tokens": tokenizer.special_tokens,
        "ids": tokenizer.encode(text),
        "stream": list(tokenizer.encode_iterable(text)),
        "encoding": tokenizer.encoding(text),
        "trace": tokenizer.trace(text),
        "text": tokenizer.decode_bytes(ids),
        "ranks": {token_id: tokenizer.rank(token_id) for token_id in range(max(vocab, default=0) + 2)},
        "lineages": {token_id: tokenizer.lineage(token_id) for token_id in vocab},
    }


def split_vocab(whole: Tokenizer, known: int) -> tuple[dict[int, bytes], dict[int, bytes]]:
    """Split a vocabulary into the tokens there are after `known` merges and those that only later merges make."""
    earlier = {left + right for left, right in whole.merges[:known]} | INITIAL_SYMBOLS
    later = {left + right for left, right in whole.merges[known:]} - earlier
    vocab = whole.vocab.items()
    return (
        {token_id: token for token_id, token in vocab if token not in later},
        {token_id: token for token_id, token in vocab if token in later},
    )


@pytest.mark.slow
@given(tokenizers(), texts, st.integers(0, 25), st.integers(0, 25), st.lists(st.integers(0, 25), max_size=3))
def test_views_stay_as_they_are_when_their_store_grows(
    whole: Tokenizer, text: str, known: int, more: int, positions: list[int]
) -> None:
    merges, specials = whole.merges, whole.special_tokens
    known = min(known, len(merges))
    old, new = split_vocab(whole, known)

    def from_scratch() -> Tokenizer:
        return Tokenizer(old, merges[:known], specials, recipe=whole.recipe, merge_counts=[1] * known)

    first = from_scratch().with_unknown_id(-1)
    views = [first, *(first.at(min(position, known)) for position in positions)]
    before = [facts(view, text) for view in views]
    middle = min(known + more, len(merges))
    made = {left + right for left, right in merges[known:middle]}
    first.store.append(merges[known:middle], {i: t for i, t in new.items() if t in made}, [1] * (middle - known))
    first.store.append(merges[middle:], {i: t for i, t in new.items() if t not in made}, [1] * (len(merges) - middle))
    assert [facts(view, text) for view in views] == before
    for view in views:
        fresh = from_scratch().at(view.position).with_unknown_id(-1)
        assert facts(fresh, text) == facts(view, text) == facts(first.at(view.position), text)
    last = first.at(len(merges))
    assert (last.vocab, last.merges, last.encode(text)) == (whole.vocab, merges, whole.encode(text))


def test_views_share_everything_with_their_store() -> None:
    tokenizer = train("low low lower lowest", num_merges=5)
    views = [tokenizer.at(position) for position in range(6)]
    assert [view.position for view in views] == [0, 1, 2, 3, 4, 5]
    assert {id(view.store) for view in views} == {id(tokenizer.store)}
    tables, entries = tokenizer.store.tables(), tokenizer.entries()
    for view in views:
        view.encode("lowest")
        assert view.store.tables() is tables
        assert view.entries() is entries


def test_a_view_that_would_be_the_same_is_the_same() -> None:
    tokenizer = train("low low lower lowest", num_merges=5)
    assert tokenizer.at(5) is tokenizer
    assert tokenizer.with_unknown_id(None) is tokenizer
    assert tokenizer.at(2) is not tokenizer


@pytest.mark.parametrize("name", ["position", "unknown_id", "recipe", "pipeline", "merges", "special_tokens"])
def test_a_tokenizer_cannot_be_changed(name: str) -> None:
    tokenizer = train("low low", num_merges=2)
    with pytest.raises(AttributeError):
        setattr(tokenizer, name, None)


def test_a_view_of_a_later_step() -> None:
    first = Tokenizer({0: b"l", 1: b"o"}, [], recipe="cs336-toy")
    with pytest.raises(TokenizerError, match=r"Merge 1 does not exist\. The number of merges in this tokenizer is 0"):
        first.at(1)
    first.store.append([(b"l", b"o")], {2: b"lo"})
    assert (first.encode("lol"), first.at(1).encode("lol")) == ([0, 1, 0], [2, 0])


def test_entries_are_extended_in_the_order_of_their_ids() -> None:
    store = MergeStore({5: b"l", 1: b"o"}, [], ["<e>"], recipe=Recipe.of("cs336-toy"))
    before = store.entries()
    assert (before.ids.tolist(), before.steps.tolist(), before.tokens) == ([1, 5, 6], [0, 0, -1], [b"o", b"l", b"<e>"])
    store.append([(b"l", b"o")], {3: b"lo"})
    after = store.entries()
    assert (after.ids.tolist(), after.steps.tolist()) == ([1, 3, 5, 6], [0, 1, 0, -1])
    assert after.tokens == [b"o", b"lo", b"l", b"<e>"]
    assert before.ids.tolist() == [1, 5, 6]


@given(tokenizer=tokenizers())
def test_an_entry_is_found_by_its_bytes(tokenizer: Tokenizer) -> None:
    check_entries_are_found(tokenizer.store)


def test_an_entry_is_found_among_others_with_the_same_bytes() -> None:
    recipe = Recipe.of("cs336-toy")
    store = MergeStore({7: b"l", 1: b"o", 3: b"l", 4: b"<e>"}, [], {"<e>": 9, "o": 2}, recipe=recipe)
    check_entries_are_found(store)
    assert (store.entry(b"l"), store.entry(b"lo"), store.largest_id) == ((3, 0), None, 9)
    store.append([(b"l", b"o")], {12: b"lo"})
    check_entries_are_found(store)
    assert (store.entry(b"lo"), store.largest_id) == ((12, 1), 12)
    assert store.entry(b"lo", special=True) is None
    both = MergeStore({5: b"<b>"}, [], ["<b>"], recipe=recipe, pipeline=Pipeline())
    check_entries_are_found(both)
    assert (both.entry(b"<b>"), both.entry(b"<b>", special=True)) == (None, (5, -1))


def check_entries_are_found(store: MergeStore) -> None:
    """Check that the first entry of each kind with the bytes of an entry is found, and the largest id."""
    entries = store.entries()
    rows = list(zip(entries.tokens, entries.ids.tolist(), entries.steps.tolist(), strict=True))
    for special in (False, True):
        kind = [row for row in rows if (row[2] == Entries.SPECIAL) == special]
        first = {token: (token_id, step) for token, token_id, step in reversed(kind)}
        for token in entries.tokens:
            assert store.entry(token, special=special) == first.get(token)
    assert store.largest_id == max(entries.ids.tolist(), default=0)


def test_a_token_of_the_alphabet_that_a_merge_makes_too_exists_at_every_step() -> None:
    """A corpus that spells out the end-of-word marker has a merge that makes the marker."""
    recipe = Recipe.of("char-eow").with_changes(vocabulary="grow", id_order="merge-order", special_ids="first")
    trainer = Trainer(Corpus.from_text("</w>x </w>x </w>x").count(recipe), recipe)
    trainer.seek(10**6)
    made_at = next(merge.rank for merge in trainer.merges if merge.token == b"</w>")
    for position in range(trainer.position + 1):
        tokenizer = trainer.tokenizer(position)
        assert tokenizer.tokenize("x")[-1].endswith(b"</w>")
        marker = next(token_id for token_id, token in tokenizer.vocab.items() if token == b"</w>")
        assert tokenizer.rank(marker) == (made_at if made_at < position else None)
        assert bool(tokenizer.lineage(marker).parts) == (made_at < position)


def test_a_merge_with_a_bare_prefix_makes_no_token() -> None:
    """It gives the left token again, which then would be its own part."""
    pipeline = Pipeline(model=ModelOptions(prefix="##"))
    tokenizer = Tokenizer({0: b"a", 1: b"##", 2: b"##b", 3: b"ab"}, [(b"a", b"##"), (b"a", b"##b")], pipeline=pipeline)
    assert [part.bytes for part in tokenizer.lineage(3).parts] == [b"a", b"##b"]
    assert tokenizer.lineage(0).parts == ()
    assert tokenizer.at(0).vocab == {0: b"a", 1: b"##", 2: b"##b"}


@pytest.mark.slow
def test_threads_read_while_a_run_appends() -> None:
    text = " ".join(f"{number:b}" for number in range(3000))
    trainer = Trainer(Corpus.from_text(text).count("cs336"), "cs336")
    trainer.seek(20)
    view = trainer.tokenizer()
    expected = facts(view, text[:500])
    read_once, is_done = Event(), Event()
    differences: list[dict[str, object]] = []

    def read() -> None:
        while not is_done.is_set():
            found = facts(view, text[:500])
            if found != expected:
                differences.append(found)
            read_once.set()

    thread = Thread(target=read)
    thread.start()
    try:
        for position in range(21, 400):
            trainer.seek(position)
            trainer.tokenizer().entries()
        read_once.wait()
    finally:
        is_done.set()
        thread.join()
    assert differences == []
    assert trainer.tokenizer().position == trainer.position > 20
