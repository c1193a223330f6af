"""Every answer to why a text is not one token, in sentences."""

import pytest

from bpe_gui.engine import CorpusCount, Merge, Recipe
from bpe_gui.engine.explanations import (
    Alternative,
    Apart,
    CutsUnit,
    Dropped,
    Ending,
    Explanation,
    NeededMerge,
    NoSymbol,
    NotInCorpus,
    OneToken,
    Reason,
    Side,
    Span,
    Taken,
    TakenWhole,
    WordBoundary,
)
from bpe_gui.gui.wording.sentences import Sentence, ShownStep, ShownToken, Verbatim
from bpe_gui.gui.wording.why_not_texts import (
    GoToLineage,
    GoToPair,
    GoToStep,
    StepsNow,
    WhyNotAnswer,
    why_not_answer,
    why_not_question,
)

TOY = Recipe.of("cs336-toy")
MERGE = Merge(0, b"l", b"o", b"lo", 256, 7, 0)
LO = NeededMerge(b"l", b"o", None)


def answer(
    reason: Reason,
    *,
    is_special: bool = False,
    corpus: CorpusCount | None = None,
    recipe: Recipe = TOY,
    last: int | None = 90,
) -> WhyNotAnswer:
    """Return the answer about `lo` in `low`, at step 10 of 20."""
    explanation = Explanation(0, 2, Span("low", 0, 3, is_special=is_special), corpus, reason)
    return why_not_answer(explanation, b"lo", StepsNow(recipe, 10, 20, last, lambda _index: MERGE))


def lines(found: WhyNotAnswer) -> list[str]:
    return [sentence.plain for sentence in (found.answer, *found.details)]


def test_the_question_names_the_word_of_a_part() -> None:
    assert why_not_question(b"lo", Span("low", 4, 7)).plain == "Is “lo” in “low” one token?"
    assert why_not_question(b"low", Span("low", 4, 7)).plain == "Is “low” one token?"
    assert why_not_question(b"w l", None).plain == "Is “w·l” one token?"


def test_one_token() -> None:
    made = answer(OneToken(b"lo", 256, 1))
    assert lines(made) == ["Yes: lo is one token, made at step 1 from l and o.", "Its id is 256."]
    assert made.goals == (GoToStep(1), GoToLineage(b"lo", False))
    assert lines(answer(OneToken(b"lo", 7, None)))[0] == "Yes: lo is one token, which is taken whole without any merge."
    assert lines(answer(OneToken(b"lo", 7, 0)))[0] == "Yes: lo is one token, in the alphabet from the start."
    special = answer(OneToken(b"<s>", 0, None), is_special=True)
    assert lines(special)[0] == "Yes: <s> is a special token, which is taken whole before any merge."
    without_id = answer(OneToken(b"lo", None, 0))
    assert lines(without_id) == ["Not quite: lo stays in one piece, but the vocabulary has no id for it."]


def test_not_in_the_corpus() -> None:
    never = "No: no word in the corpus contains lo, so training never made it one token."
    assert lines(answer(NotInCorpus())) == [never]
    assert lines(answer(NotInCorpus(weighted=True))) == [never, "Words whose weighted count rounds to 0 are left out."]


def test_borders() -> None:
    special, word = Span("<s>", 0, 3, is_special=True), Span("low", 3, 6)
    between = WordBoundary(3, ">", "l", special, word, 1)
    assert lines(answer(between)) == [
        "No: <s> is a special token, which is taken out of the text whole before any merge. So there is a boundary "
        "between > and l.",
        "The special token <s> ends there.",
        "The word low begins there.",
    ]
    matched = Span("low", 0, 3, alternative=Alternative(0, r"\w+"))
    before = lines(answer(WordBoundary(3, "w", "<", matched, special, 3)))
    assert before[1:] == [
        r"The word low ends there. It matches \w+ (letters, digits and _) in the splitter's expression.",
        "The special token <s> begins there.",
        "It is one of 3 boundaries in this text.",
    ]
    own = Span("low", 0, 3, alternative=Alternative(0, "l.w"))
    assert lines(answer(WordBoundary(3, "w", "<", own, own, 1)))[1:] == [
        "The word low ends there. It matches l.w in the splitter's expression.",
        "The word low begins there. It matches l.w in the splitter's expression.",
    ]
    dropped = lines(answer(WordBoundary(3, " ", "w", None, matched, 1)))
    assert dropped[1:] == [
        "The splitter drops the text before it.",
        r"The word low begins there. It matches \w+ (letters, digits and _) in the splitter's expression.",
    ]


def test_text_that_is_dropped_whole_or_cut() -> None:
    assert lines(answer(Dropped()))[0].startswith("No: splitting into words drops this text")
    assert lines(answer(NoSymbol()))[0].startswith("No: all or part of this text has no symbol")
    whole = lines(answer(TakenWhole(b"low", 5)))
    assert whole == ["No: it is part of low, which is always taken whole.", "The id of the whole is 5."]
    assert lines(answer(CutsUnit("ה".encode(), 1)))[0].startswith("No: it begins or ends inside ")


@pytest.mark.parametrize(
    ("side", "parts", "expected"),
    [
        ("end", (b"l", b"o"), "No: l was merged with the o after it at step 9, before lo could be one token."),
        ("start", (b"l", b"o"), "No: o was merged with the l before it at step 9, before lo could be one token."),
        ("end", (b"lo",), "No longer: l was one token until step 9 merged it with o."),
        ("start", (b"lo",), "No longer: o was one token until step 9 merged l with it."),
    ],
)
def test_a_merge_that_took_an_end(side: Side, parts: tuple[bytes, ...], expected: str) -> None:
    found = answer(Taken(9, b"l", b"o", side, parts))
    assert lines(found)[0] == expected
    assert lines(found)[1:] == (["Just before step 9, it was l + o."] if len(parts) > 1 else [])
    assert found.goals == (GoToStep(9),)


@pytest.mark.parametrize(("side", "expected"), [("end", "l with the o after it"), ("start", "o with the l before it")])
def test_a_merge_that_will_take_an_end(side: Side, expected: str) -> None:
    taken = Taken(15, b"l", b"o", side, (b"l", b"o"))
    found = answer(Apart((b"l", b"o"), (LO,), None, None, taken, None))
    assert lines(found) == [
        f"No: step 15 will merge {expected}, before lo could be one token.",
        "At this step, it is l + o.",
    ]
    assert found.goals == (GoToStep(15),)


@pytest.mark.parametrize(
    ("ending", "count", "expected"),
    [
        ("open", 3, "Not yet: l + o occurs 3 times (rank 4 among all pairs)."),
        ("open", 0, "No: l and o are not next to each other in any word at this step."),
        ("too-rare", 3, "No: l + o occurs 3 times, and the minimum count is 1."),
        ("full", 3, "No: the vocabulary was full before l and o were merged."),
        ("exhausted", 3, "No: training ran out of pairs before l and o could be merged."),
        ("finished", None, "No: this tokenizer has no merge of l and o."),
    ],
)
def test_a_pair_that_is_not_merged(ending: Ending, count: int | None, expected: str) -> None:
    pair = None if count is None else CorpusCount(count, 1)
    found = answer(Apart((b"l", b"o"), (LO,), pair, 4 if count else None, None, ending))
    assert lines(found)[0] == expected
    assert (GoToPair(b"l", b"o") in found.goals) == bool(count)
    assert (GoToStep(20) in found.goals) == (ending in ("full", "exhausted"))


@pytest.mark.parametrize(
    ("step", "side", "expected"),
    [
        (9, "end", "l was merged with the o after it at step 9."),
        (9, "start", "o was merged with the l before it at step 9."),
        (15, "end", "step 15 will merge l with the o after it."),
        (15, "start", "step 15 will merge o with the l before it."),
    ],
)
def test_what_took_the_letters_elsewhere(step: int, side: Side, expected: str) -> None:
    apart = Explanation(0, 2, None, None, Apart((b"l", b"o"), (LO,), CorpusCount(), None, None, "too-rare"))
    taken = Taken(step, b"l", b"o", side, (b"l", b"o"))
    reason = taken if step == 9 else Apart((b"l", b"o"), (LO,), None, None, taken, None)
    elsewhere = Explanation(0, 2, Span("low", 0, 3), None, reason)
    found = why_not_answer(apart, b"lo", StepsNow(TOY, 10, 20, 90, lambda _index: MERGE), elsewhere)
    assert lines(found)[-1] == f"In low, the most frequent word with these letters, {expected}"
    assert found.goals == (GoToStep(step),)


def test_when_its_turn_would_come() -> None:
    apart = Apart((b"l", b"o"), (LO,), CorpusCount(3, 1), 14, None, "open")
    assert lines(answer(apart))[1] == "If the order stayed the same, that pair’s turn would come at about step 24."
    assert GoToStep(24) in answer(apart).goals
    full = "That pair’s turn might come at about step 24, but the vocabulary is full at about step 22."
    assert lines(answer(apart, last=22))[1] == full
    early = Apart((b"l", b"o"), (LO,), CorpusCount(3, 1), 2, None, "open")  # no known step merges it
    assert GoToStep(21) in answer(early).goals


def test_a_merge_that_is_missing_after_known_ones() -> None:
    needed = (NeededMerge(b"l", b"o", 12), NeededMerge(b"lo", b"w", None))
    found = answer(Apart((b"l", b"o", b"w"), needed, CorpusCount(3, 1), 4, None, "open"))
    assert lines(found) == [
        "Not yet: no known step merges lo and w.",
        "At this step, it is l + o + w.",
        "Step 12 merges l and o.",
        "At this step, l + o occurs 3 times (rank 4 among all pairs).",
    ]


def test_words_are_counted_where_the_recipe_counts_words() -> None:
    recipe = TOY.with_changes(pair_counting="once-per-word")
    apart = Apart((b"l", b"o"), (LO,), CorpusCount(3, 1), 4, None, "open")
    assert lines(answer(apart, recipe=recipe))[0].startswith("Not yet: l + o occurs in 3 words")


def test_a_long_row_of_tokens_is_cut_short() -> None:
    row = tuple(ShownToken(bytes([byte])) for byte in range(65, 90))
    sentence = Sentence(
        "It was {parts}, {text} at {step}.", {"parts": row, "text": Verbatim("a b"), "step": ShownStep(3)}
    )
    assert sentence.plain == "It was A + B + C + D + E + F + G + H + I + J + K + L + …, a·b at 3."
    assert sum(isinstance(piece, ShownToken) for piece in sentence.pieces()) == 12
