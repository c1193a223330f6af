"""Say why a piece of text is not one token: a short answer, details, and steps to go to."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import singledispatchmethod
from typing import Any, Final

from bpe_gui.engine import Merge, Recipe, Statement, TokenPair, Veto
from bpe_gui.engine.explanations import (
    Apart,
    Explanation,
    OneToken,
    Span,
    Taken,
    WordBoundary,
)

from .phrases import counted, joined_sentences, number, translate
from .recipe_texts import part_description
from .run_texts import frequency_text, veto_text
from .sentences import Piece, Sentence, ShownStep, ShownToken, Verbatim, said

_MAX_NEEDED: Final = 6  # listed at most


@dataclass(frozen=True, slots=True)
class GoToStep:
    """A button that goes to a step."""

    step: int


@dataclass(frozen=True, slots=True)
class GoToBorder:
    """A button that shows a byte offset in the text."""

    offset: int


@dataclass(frozen=True, slots=True)
class GoToPair:
    """A button that selects a pair, which the pair table then shows."""

    left: bytes
    right: bytes


@dataclass(frozen=True, slots=True)
class GoToLineage:
    """A button that shows how a token was made."""

    token: bytes
    is_special: bool


Goal = GoToStep | GoToBorder | GoToPair | GoToLineage


@dataclass(frozen=True, slots=True)
class WhyNotAnswer:
    """A short answer, further sentences, and the targets of the buttons."""

    answer: Sentence
    details: tuple[Sentence, ...] = ()
    goals: tuple[Goal, ...] = ()


@dataclass(frozen=True, slots=True)
class StepsNow:
    """The steps that an answer is about.

    `last` is the step at which a run's vocabulary is full; None for an opened tokenizer. `veto_of` returns why the
    run's plan forbids merging two tokens.
    """

    recipe: Recipe
    position: int
    run_length: int
    last: int | None
    merge_at: Callable[[int], Merge]
    veto_of: Callable[[bytes, bytes], Veto | None] = lambda left, right: None


def why_not_question(text: bytes, word: Span | None) -> Sentence:
    """Return the question being answered: about `text`, and the word it is part of, if it is only a part."""
    stretch = Verbatim(text.decode(errors="replace"))
    if word is None or word.stop - word.start == len(text):
        return Sentence(translate("WhyNot", "Is “{text}” one token?"), {"text": stretch})
    return Sentence(
        translate("WhyNot", "Is “{text}” in “{word}” one token?"), {"text": stretch, "word": Verbatim(word.text)}
    )


def why_not_answer(
    explanation: Explanation, text: bytes, steps: StepsNow, elsewhere: Explanation | None = None
) -> WhyNotAnswer:
    """Return sentences that answer the question about a piece of text with the bytes `text`.

    `elsewhere` is the explanation for a word of the corpus where a merge takes the same letters.
    """
    found = _Writer(explanation, text, steps).write(explanation.reason)
    if elsewhere is None or elsewhere.word is None or (taken := elsewhere.taken) is None:
        return found
    is_done = taken.step <= steps.position
    sentence = _Writer(elsewhere, text, steps).taken_elsewhere(taken, elsewhere.word, is_done=is_done)
    goals = (
        found.goals if any(isinstance(goal, GoToStep) for goal in found.goals) else (GoToStep(taken.step), *found.goals)
    )
    return replace(found, details=(*found.details, sentence), goals=goals)


class _Writer:
    """Writes the sentences of an explanation."""

    def __init__(self, explanation: Explanation, text: bytes, steps: StepsNow) -> None:
        self._explanation = explanation
        self._steps = steps
        self._text = Verbatim(text.decode(errors="replace"))
        self._has_marker = steps.recipe.boundary != "none"

    @singledispatchmethod
    def write(self, reason: Any) -> WhyNotAnswer:
        """Return the answer for a reason, which says all there is to say itself unless it has a method below."""
        answer, *details = map(self._sentence, reason.statements(self._text.text))
        return WhyNotAnswer(answer, tuple(details))

    def _sentence(self, statement: Statement) -> Sentence:
        """Return what a reason says, with its tokens and texts as pieces."""
        word = self._explanation.word
        is_special = word is not None and word.is_special

        def piece(value: object) -> Piece:
            match value:
                case Statement():
                    return said(value)
                case bytes():
                    return self._token(value, is_special)
            return Verbatim(str(value))

        values = {name: piece(value) for name, value in statement.values.items()}
        return Sentence(translate(statement.context, statement.template), values)

    def _token(self, token: bytes, is_special: bool = False) -> ShownToken:
        return ShownToken(token, is_special, self._has_marker and not is_special)

    def _tokens(self, tokens: tuple[bytes, ...]) -> tuple[ShownToken, ...]:
        return tuple(map(self._token, tokens))

    def _goals(self, *steps: int) -> tuple[Goal, ...]:
        return tuple(GoToStep(step) for step in steps if step != self._steps.position)

    # -- one token ---------------------------------------------------------------------------------------------------

    @write.register
    def _one_token(self, one: OneToken) -> WhyNotAnswer:
        word = self._explanation.word
        is_special = word is not None and word.is_special
        token = self._token(one.token, is_special)
        if one.token_id is None:
            answer = Sentence(
                translate("WhyNot", "Not quite: {token} stays in one piece, but the vocabulary has no id for it."),
                {"token": token},
            )
            return WhyNotAnswer(answer)
        details = [Sentence(translate("WhyNot", "Its id is {id}."), {"id": str(one.token_id)}), *self._in_corpus()]
        goals: list[Goal] = [GoToLineage(one.token, is_special)]
        if one.step:
            goals = [*self._goals(one.step), *goals]
        return WhyNotAnswer(self._one_token_text(one, token), tuple(details), tuple(goals))

    def _one_token_text(self, one: OneToken, token: ShownToken) -> Sentence:
        if one.step:
            merge = self._steps.merge_at(one.step - 1)
            return Sentence(
                translate("WhyNot", "Yes: {token} is one token, made at step {step} from {left} and {right}."),
                {
                    "token": token,
                    "step": ShownStep(one.step),
                    "left": self._token(merge.left),
                    "right": self._token(merge.right),
                },
            )
        if token.is_special:
            text = translate("WhyNot", "Yes: {token} is a special token, which is taken whole before any merge.")
        elif one.step == 0:
            text = translate("WhyNot", "Yes: {token} is one token, in the alphabet from the start.")
        else:
            text = translate("WhyNot", "Yes: {token} is one token, which is taken whole without any merge.")
        return Sentence(text, {"token": token})

    def _in_corpus(self) -> list[Sentence]:
        """Return how often the corpus has the letters, if known."""
        count = self._explanation.corpus_count
        if count is None or not count.occurrences:
            return []
        text = translate("WhyNot", "These letters occur {times} in the corpus, in {words}.")
        return [Sentence(text, _count_values(count.occurrences, count.words))]

    # -- words -------------------------------------------------------------------------------------------------------

    @write.register
    def _word_boundary(self, border: WordBoundary) -> WhyNotAnswer:
        text = translate(
            "WhyNot", "No: there is a word boundary between {before} and {after}, and merges never cross one."
        )
        values: dict[str, Piece] = {"before": Verbatim(border.before), "after": Verbatim(border.after)}
        if special := next((each for each in (border.left, border.right) if each and each.is_special), None):
            text = translate(
                "WhyNot",
                "No: {token} is a special token, which is taken out of the text whole before any merge. So there is a "
                "boundary between {before} and {after}.",
            )
            values["token"] = ShownToken(special.text.encode(), True)
        answer = Sentence(text, values)
        details = [
            _beside_boundary(
                border.left,
                translate("WhyNot", "The splitter drops the text before it."),
                translate("WhyNot", "The special token {word} ends there."),
                translate("WhyNot", "The word {word} ends there."),
            ),
            _beside_boundary(
                border.right,
                translate("WhyNot", "The splitter drops the text after it."),
                translate("WhyNot", "The special token {word} begins there."),
                translate("WhyNot", "The word {word} begins there."),
            ),
        ]
        if border.boundaries > 1:
            text = translate("WhyNot", "It is one of {count} boundaries in this text.")
            details.append(Sentence(text, {"count": number(border.boundaries)}))
        return WhyNotAnswer(answer, tuple(details), (GoToBorder(border.offset),))

    # -- merges ------------------------------------------------------------------------------------------------------

    @write.register
    def _taken(self, taken: Taken) -> WhyNotAnswer:
        details = []
        if len(taken.parts) > 1:
            text = translate("WhyNot", "Just before step {step}, it was {parts}.")
            details.append(
                Sentence(text, {"step": ShownStep(taken.step), "parts": self._tokens(taken.parts)}),
            )
        details += self._taken_in_corpus(taken)
        return WhyNotAnswer(self._taken_text(taken), tuple(details), self._goals(taken.step))

    def _taken_text(self, taken: Taken) -> Sentence:
        was_one, is_end = len(taken.parts) == 1, taken.side == "end"
        if was_one and is_end:
            text = translate("WhyNot", "No longer: {left} was one token until step {step} merged it with {right}.")
        elif was_one:
            text = translate("WhyNot", "No longer: {right} was one token until step {step} merged {left} with it.")
        elif is_end:
            text = translate(
                "WhyNot",
                "No: {left} was merged with the {right} after it at step {step}, before {text} could be one token.",
            )
        else:
            text = translate(
                "WhyNot",
                "No: {right} was merged with the {left} before it at step {step}, before {text} could be one token.",
            )
        return self._about_taken(text, taken)

    def taken_elsewhere(self, taken: Taken, word: Span, *, is_done: bool) -> Sentence:
        """Return which merge took, or will take, the same letters in a word of the corpus."""
        if is_done and taken.side == "end":
            text = translate(
                "WhyNot",
                "In {word}, the most frequent word with these letters, {left} was merged with the {right} after it at "
                "step {step}.",
            )
        elif is_done:
            text = translate(
                "WhyNot",
                "In {word}, the most frequent word with these letters, {right} was merged with the {left} before it at "
                "step {step}.",
            )
        elif taken.side == "end":
            text = translate(
                "WhyNot",
                "In {word}, the most frequent word with these letters, step {step} will merge {left} with the {right} "
                "after it.",
            )
        else:
            text = translate(
                "WhyNot",
                "In {word}, the most frequent word with these letters, step {step} will merge {right} with the {left} "
                "before it.",
            )
        sentence = self._about_taken(text, taken)
        return replace(sentence, values={**sentence.values, "word": Verbatim(word.text)})

    def _about_taken(self, text: str, taken: Taken) -> Sentence:
        left, right = self._token(taken.left), self._token(taken.right)
        return Sentence(text, {"left": left, "right": right, "step": ShownStep(taken.step), "text": self._text})

    def _taken_in_corpus(self, taken: Taken) -> list[Sentence]:
        """Return in how many of the words with these letters the same merge took the same end, if known."""
        everywhere = self._explanation.corpus_count
        if everywhere is None or taken.corpus_count is None or not everywhere.occurrences:
            return []
        if taken.corpus_count == everywhere:
            text = translate(
                "WhyNot", "These letters occur {times} in the corpus, in {words}, and that merge took them every time."
            )
            return [Sentence(text, _count_values(everywhere.occurrences, everywhere.words))]
        text = translate(
            "WhyNot",
            "These letters occur {times} in the corpus, in {words}. "
            "That merge took them {taken_times}, in {taken_words}.",
        )
        taken_values = {
            f"taken_{name}": value
            for name, value in _count_values(taken.corpus_count.occurrences, taken.corpus_count.words).items()
        }
        return [Sentence(text, {**_count_values(everywhere.occurrences, everywhere.words), **taken_values})]

    @write.register
    def _apart(self, apart: Apart) -> WhyNotAnswer:
        obstacle = apart.obstacle
        if obstacle is None:
            return self._made_later(apart)
        if isinstance(obstacle, Taken):
            return self._taken_later(apart, obstacle)
        is_first = obstacle is apart.needed[0]
        details = [*self._parts_now(apart), *self._known_merges(apart)]
        goals: list[Goal] = []
        if is_first and apart.ending == "open" and apart.pair_rank is not None:
            estimate, steps = self._estimate(apart.pair_rank)
            details.append(estimate)
            goals += self._goals(*steps)
        elif apart.ending != "too-rare" or not is_first:
            details += self._meeting(apart)
        details += self._in_corpus()
        if apart.pair_count is not None and apart.pair_count.occurrences:
            goals.append(GoToPair(apart.needed[0].left, apart.needed[0].right))
        if apart.ending in ("full", "exhausted"):
            goals += self._goals(self._steps.run_length)
        return WhyNotAnswer(
            self._missing_text(apart, (obstacle.left, obstacle.right), is_first), tuple(details), tuple(goals)
        )

    def _made_later(self, apart: Apart) -> WhyNotAnswer:
        steps = [merge.step for merge in apart.needed if merge.step is not None]
        text = translate("WhyNot", "Not yet: step {step} makes it one token.")
        answer = Sentence(text, {"step": ShownStep(max(steps))})
        details = [*self._parts_now(apart), *self._known_merges(apart), *self._meeting(apart)]
        return WhyNotAnswer(answer, tuple(details), self._goals(max(steps)))

    def _taken_later(self, apart: Apart, taken: Taken) -> WhyNotAnswer:
        if taken.side == "end":
            text = translate(
                "WhyNot",
                "No: step {step} will merge {left} with the {right} after it, before {text} could be one token.",
            )
        else:
            text = translate(
                "WhyNot",
                "No: step {step} will merge {right} with the {left} before it, before {text} could be one token.",
            )
        details = [*self._parts_now(apart, least=2), *self._meeting(apart), *self._in_corpus()]
        return WhyNotAnswer(self._about_taken(text, taken), tuple(details), self._goals(taken.step))

    def _missing_text(self, apart: Apart, missing: TokenPair, is_first: bool) -> Sentence:
        """Return why no known step does the first missing merge."""
        values: dict[str, Piece] = {"left": self._token(missing[0]), "right": self._token(missing[1])}
        meets = is_first and apart.pair_count is not None and apart.pair_count.occurrences > 0
        if is_first and apart.pair_count is not None and not meets:
            text = translate("WhyNot", "No: {left} and {right} are not next to each other in any word at this step.")
        elif (veto := self._steps.veto_of(*missing)) is not None:
            text = translate("WhyNot", "No: the plan of this run forbids merging {left} and {right} ({reason}).")
            values["reason"] = veto_text(veto)
        elif apart.ending == "finished":
            text = translate("WhyNot", "No: this tokenizer has no merge of {left} and {right}.")
        elif apart.ending == "full":
            text = translate("WhyNot", "No: the vocabulary was full before {left} and {right} were merged.")
        elif apart.ending == "exhausted":
            text = translate("WhyNot", "No: training ran out of pairs before {left} and {right} could be merged.")
        elif not meets or apart.pair_count is None:
            text = translate("WhyNot", "Not yet: no known step merges {left} and {right}.")
        else:
            values |= self._pair_values(apart.pair_count.occurrences, apart.pair_rank or 0)
            text = translate("WhyNot", "Not yet: {left} + {right} occurs {times} (rank {place} among all pairs).")
            if apart.ending == "too-rare":
                text = translate("WhyNot", "No: {left} + {right} occurs {times}, and the minimum count is {limit}.")
                values["limit"] = number(self._steps.recipe.min_count)
        return Sentence(text, values)

    def _pair_values(self, occurrences: int, rank: int) -> dict[str, Piece]:
        return {"times": frequency_text(occurrences, self._steps.recipe), "place": number(rank)}

    # -- details -----------------------------------------------------------------------------------------------------

    def _parts_now(self, apart: Apart, least: int = 3) -> list[Sentence]:
        """Return the symbols at this step if there are at least `least`; two are mentioned with their merge."""
        if len(apart.parts) < least:
            return []
        text = translate("WhyNot", "At this step, it is {parts}.")
        return [Sentence(text, {"parts": self._tokens(apart.parts)})]

    def _known_merges(self, apart: Apart) -> list[Sentence]:
        """Return the known steps that join parts of the text."""
        text = translate("WhyNot", "Step {step} merges {left} and {right}.")
        return [
            Sentence(
                text,
                {"step": ShownStep(merge.step), "left": self._token(merge.left), "right": self._token(merge.right)},
            )
            for merge in apart.needed[:_MAX_NEEDED]
            if merge.step is not None
        ]

    def _meeting(self, apart: Apart) -> list[Sentence]:
        """Return how often the first pair occurs now, and its rank among all pairs, if it occurs."""
        if apart.pair_count is None or apart.pair_rank is None:
            return []
        first = apart.needed[0]
        values: dict[str, Piece] = {"left": self._token(first.left), "right": self._token(first.right)}
        values |= self._pair_values(apart.pair_count.occurrences, apart.pair_rank)
        text = translate("WhyNot", "At this step, {left} + {right} occurs {times} (rank {place} among all pairs).")
        return [Sentence(text, values)]

    def _estimate(self, place: int) -> tuple[Sentence, tuple[int, ...]]:
        """Return when the pair at a rank would be merged if the ranks stayed the same, and that step if reachable."""
        now = self._steps
        step = max(now.position + place, now.run_length + 1)
        if now.last is not None and step > now.last:
            text = translate(
                "WhyNot",
                "That pair’s turn might come at about step {step}, but the vocabulary is full at about step {last}.",
            )
            return Sentence(text, {"step": number(step), "last": number(now.last)}), ()
        text = translate("WhyNot", "If the order stayed the same, that pair’s turn would come at about step {step}.")
        return Sentence(text, {"step": ShownStep(step)}), (step,)


def _count_values(occurrences: int, words: int) -> dict[str, str]:
    return {
        "times": counted(occurrences, translate("WhyNot", "once"), translate("WhyNot", "{count} times")),
        "words": counted(words, translate("WhyNot", "1 word"), translate("WhyNot", "{count} words")),
    }


def _beside_boundary(span: Span | None, dropped: str, special: str, word: str) -> Sentence:
    """Return what is beside a boundary, and the part of the splitter's expression that made it.

    `dropped` says that the splitter drops the text there; `special` and `word` are about a `{word}` of that kind.
    """
    if span is None:
        return Sentence(dropped)
    if span.is_special:
        return Sentence(special, {"word": ShownToken(span.text.encode(), True)})
    if span.alternative is None:
        return Sentence(word, {"word": Verbatim(span.text)})
    kind = part_description(span.alternative.source)
    match = translate("WhyNot", "It matches {part} in the splitter's expression.")
    if kind:
        match = translate("WhyNot", "It matches {part} ({kind}) in the splitter's expression.")
    part = Verbatim(span.alternative.source)
    return Sentence(joined_sentences([word, match]), {"word": Verbatim(span.text), "part": part, "kind": kind})
