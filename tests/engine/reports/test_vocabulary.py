"""The report on a vocabulary equals plain definitions, entry by entry."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import TextDocument, Tokenizer, train
from bpe_gui.engine.reports.counting import TokenCounter
from bpe_gui.engine.reports.vocabulary import VocabularyReport, vocabulary_report
from tests.engine.support.strategies import corpora, letters, mixed

from .plain import tokenizers

texts = st.one_of(letters, mixed, corpora)


def report_of(tokenizer: Tokenizer, text: str) -> VocabularyReport:
    counter = TokenCounter(tokenizer)
    return vocabulary_report(tokenizer, counter.parts, counter.count_documents([TextDocument(text)]))


def parts_of(tokenizer: Tokenizer, tokens: set[bytes]) -> set[bytes]:
    """Return the tokens, their parts, and the parts of these, by whatever merges make them."""
    needed = set(tokens)
    while True:
        more = {part for pair in tokenizer.merges if b"".join(pair) in needed for part in pair} - needed
        if not more:
            return needed
        needed |= more


@given(tokenizers(), texts)
def test_entries_are_sorted_into_lists_by_what_the_text_needs(tokenizer: Tokenizer, text: str) -> None:
    report = report_of(tokenizer, text)
    special = set(tokenizer.special_tokens.values())
    used = Counter(tokenizer.with_unknown_id(-1).encode(text))
    # Tokens without an id may stand in the text, too.
    standing = {
        symbols
        for word in tokenizer.trace(text)
        for symbols in (word.steps[-1].symbols if word.steps else word.symbols)
    }
    needed = parts_of(tokenizer, standing)
    ordinary = {token_id: token for token_id, token in sorted(tokenizer.vocab.items()) if token_id not in special}

    def ids(entries: list[int]) -> list[int]:
        return [int(report.ids[entry]) for entry in entries]

    assert len(report) == len(tokenizer.vocab)
    assert ids(report.never_used.tolist()) == [i for i in ordinary if not used[i]]
    entries = tokenizer.entries()
    merged = {i: token for i, token in ordinary.items() if entries.steps[entries.ids == i] > 0}
    assert ids(report.scaffolds.tolist()) == [i for i, token in merged.items() if not used[i] and token in needed]
    assert ids(report.removable.tolist()) == [i for i, token in merged.items() if token not in needed]
    assert sorted(ids(report.nearly_dead(2).tolist())) == [i for i in ordinary if 1 <= used[i] <= 2]
    assert report.zipf.tolist() == sorted((used[i] for i in ordinary if used[i]), reverse=True)


@given(tokenizers())
def test_duplicates_and_partial_characters(tokenizer: Tokenizer) -> None:
    report = report_of(tokenizer, "")
    special = set(tokenizer.special_tokens.values())
    groups: dict[object, list[int]] = {}
    partial = []
    for entry, text in enumerate(report.texts):
        if int(report.ids[entry]) in special:
            continue
        if "\ufffd" in text.decode(errors="replace"):
            partial.append(entry)
            groups.setdefault(text, []).append(entry)
        else:
            string = text.decode()
            folded = string[1:] if len(string) > 1 and string[0] == " " else string
            groups.setdefault(folded.casefold(), []).append(entry)
    assert report.partial_characters.tolist() == partial
    assert sorted(report.duplicates) == sorted(tuple(group) for group in groups.values() if len(group) > 1)


@given(tokenizers(), texts)
def test_lengths_add_up_to_all_entries_and_all_tokens(tokenizer: Tokenizer, text: str) -> None:
    report = report_of(tokenizer, text)
    special = set(tokenizer.special_tokens.values())
    entries, tokens = report.lengths
    rows = [
        (len(t), n) for t, n, i in zip(report.texts, report.occurrences, report.ids, strict=True) if i not in special
    ]
    for size in range(len(entries)):
        assert entries[size] == sum(length == size for length, _count in rows)
        assert tokens[size] == sum(count for length, count in rows if length == size)
    longest = report.longest(3).tolist()
    assert [len(report.texts[entry]) for entry in longest] == sorted((length for length, _n in rows), reverse=True)[:3]


def test_words_that_differ_in_case_or_a_space_are_duplicates() -> None:
    tokenizer = train("low Low low Low LOW xlow", num_merges=12)
    report = report_of(tokenizer, "")
    doubled = [{report.tokens[entry] for entry in group} for group in report.duplicates]
    assert any({b" low", b" Low"} <= group for group in doubled)
    assert {b"A", b"a"} in doubled


def test_half_a_character_is_partial() -> None:
    tokenizer = train("你好 你们 你", num_merges=2)
    report = report_of(tokenizer, "你")
    merged = [report.tokens[entry] for entry in report.partial_characters if report.steps[entry]]
    assert merged == [b"\xe4\xbd"]
