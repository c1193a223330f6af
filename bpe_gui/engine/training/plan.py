"""Plans: what the user asks of a run beyond its recipe."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, Self, TypeVar

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.corpora.documents import FileDocument
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.runtime.arguments import check_several, check_type
from bpe_gui.engine.runtime.bounded_json import JsonValue, parse_bounded
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import EngineError, FormatError, TrainingError
from bpe_gui.engine.runtime.files import read_text, write_files
from bpe_gui.engine.runtime.printable import END_OF_WORD, from_printable, to_printable, visible
from bpe_gui.engine.runtime.types import Progress
from bpe_gui.engine.text.recipe import Recipe, check_seeds
from bpe_gui.engine.text.splitters import JOIN, automaton_of
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.entries import MAX_ID, check_vocab
from bpe_gui.engine.vocabulary.entries import special_ids as check_special_ids
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair
from bpe_gui.engine.vocabulary.tracing import merge_steps

from .continuation import check_can_continue, count_as
from .plan_rules import RULES, PlanStepError, Rule, as_in_file, check_expression, is_whole_match, without_marker
from .turns import Grouping, Parity

MAX_STEP: Final = 10_000_000
"""The last step that a plan may name."""

_SHOWN: Final = 3
"""How many items of a kind the one-line form of a plan shows."""


StageCounts = Mapping[str, WordCounts | Corpus]
"""The words for each splitter of a plan's stages; the corpus for `JOIN`."""


@dataclass(frozen=True, slots=True)
class Veto:
    """Why training does not choose a pair: the pair or its token is banned, a rule forbids it, or the token is made.

    `value` is the expression that matches the token, or the rule; "" for a banned pair, for a token that exists already
    where whole words join or a tokenizer is continued, and for the name of a byte.
    """

    kind: Literal["pair", "token", "rule", "made", "byte"]
    value: str = ""


@dataclass(frozen=True, init=False)
class Plan:
    """A run's plan: merges given in advance, merges that training must not choose, and splitters of later stages.

    - `replay`: merges that are applied first, in order, whatever their counts.
    - `banned`: pairs that training never chooses.
    - `banned_tokens`: regular expressions. Training never makes a token that one of them matches as a whole.
    - `forced`: the pair merged at a step, counted from 0, whatever its count.
    - `rules`: vetoes by name, such as `max-bytes=16`; see `Rule`.
    - `stages`: the splitter that splits the corpus into words after a number of merges. Earlier merges are applied to
      the new words, and later ones can cross the old boundaries, as in SuperBPE (Liu et al., arXiv 2503.13423). A stage
      may begin within `replay`, as in the plan of a branch; a forced merge may not. With `join` in place of a splitter,
      the last stage counts phrases, neighbouring words that are one token each, and merges whole words (two-phase
      BoundlessBPE, arXiv 2504.00178 and 2604.05192): see `phrases`. Ties then go to the smaller pair of bytes, and a
      pair that spells an existing token is passed over.
    - `seeds`: texts that are in the vocabulary from the start, and are found within words before anything merges. See
      `Recipe`.
    - `parity`: languages take turns, and the documents of the corpus are in different ones; see `Parity`.
    - `ids`, `special_ids`: ids that tokens keep. New tokens get ids after the highest.
    - `base`: the tokenizer that training continues, with all its steps; `replay` begins with its merges. See
      `extending`.

    Bans and rules apply to merges that training chooses, not to those that the plan gives. Equal plans compare equal.
    Raises EngineError for a plan that is not valid; its message counts merges from 1, as the window does.

    >>> print(Plan(banned=[(b"e", b"s")], rules=["max-bytes=16"]))
    ban e+s · max-bytes=16
    """

    replay: tuple[TokenPair, ...] = ()
    banned: frozenset[TokenPair] = frozenset()
    banned_tokens: tuple[str, ...] = ()
    forced: Mapping[int, TokenPair] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    stages: Mapping[int, str] = field(default_factory=dict)
    ids: Mapping[bytes, int] = field(default_factory=dict, repr=False)
    special_ids: Mapping[str, int] = field(default_factory=dict, repr=False)
    seeds: tuple[str, ...] = ()
    parity: Parity | None = None
    base: Tokenizer | None = field(default=None, repr=False)

    def __init__(
        self,
        replay: Iterable[Any] = (),
        banned: Iterable[TokenPair] = (),
        banned_tokens: Iterable[str] = (),
        forced: Mapping[int, TokenPair] = MappingProxyType({}),
        rules: Iterable[Rule | str] = (),
        stages: Mapping[int, str] = MappingProxyType({}),
        ids: Mapping[bytes, int] = MappingProxyType({}),
        special_ids: Mapping[str, int] = MappingProxyType({}),
        seeds: Iterable[str] = (),
        parity: Parity | None = None,
        base: Tokenizer | None = None,
    ) -> None:
        """Take the parts of a plan. Merges to replay may be pairs or `Merge`s."""
        several = {"replay": replay, "banned": banned, "banned_tokens": banned_tokens, "rules": rules, "seeds": seeds}
        for name, given in several.items():
            check_several(name, given)
        for name, mapping in {"forced": forced, "stages": stages, "ids": ids, "special_ids": special_ids}.items():
            check_type(name, mapping, Mapping)
        for step in (*forced, *stages):
            _check_step(step)
        values = (
            _pairs_of(replay),
            frozenset(map(_pair_of, banned)),
            tuple(dict.fromkeys(banned_tokens)),
            MappingProxyType({step: _pair_of(forced[step]) for step in sorted(forced)}),
            tuple(dict.fromkeys(map(Rule.of, rules))),
            MappingProxyType({step: stages[step] for step in sorted(stages)}),
            MappingProxyType(dict(ids)),
            MappingProxyType(dict(special_ids)),
            check_seeds(seeds),
            parity,
            base,
        )
        for part, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, part.name, value)
        self._check()

    def _check(self) -> None:
        """Raise EngineError if a part is not valid, or contradicts another."""
        for pattern in self.banned_tokens:
            check_type("an expression for tokens", pattern, str)
            check_expression(pattern)
        for step, splitter in self.stages.items():
            check_type("a splitter", splitter, str)
            try:
                if splitter != JOIN:
                    automaton_of(splitter)
            except EngineError as error:
                raise TrainingError(
                    "The splitter after step {step:,} cannot be used. {reason}", step=step, reason=error
                ) from error
        self._check_ids()
        if self.base is not None:
            self._check_base(self.base)
        if JOIN in (*self.stages.values(),)[:-1]:
            raise TrainingError("No other stage can follow the one in which whole words join.")
        if 0 in self.stages:
            raise TrainingError(
                "A stage must begin at step 1 or later. The recipe sets the splitter of the first stage."
            )
        for step, pair in self.forced.items():
            if step < len(self.replay):
                raise PlanStepError(
                    "The plan chooses the pair at step {step:,}, but it replays merges up to step {last:,}. Choose a "
                    "pair at a later step.",
                    step=step + 1,
                    last=len(self.replay),
                )
            self._check_not_banned(step, pair)
        if not self.banned.isdisjoint(self.replay):
            for step, pair in enumerate(self.replay):
                self._check_not_banned(step, pair)

    def _check_base(self, base: Tokenizer) -> None:
        check_can_continue(base)
        if self.stages or self.seeds or self.parity:
            raise TrainingError(
                "A run that continues a tokenizer through its own steps cannot have seed tokens, another splitter at a "
                "later step or languages in turn."
            )
        if list(self.replay[: self.merges_before]) != base.merges:
            raise TrainingError("A plan that continues a tokenizer must replay its merges first.")

    def _check_ids(self) -> None:
        """Raise EngineError unless each token has its own, valid id."""
        vocab: dict[int, bytes] = {}
        for token, token_id in self.ids.items():
            check_type("an id", token_id, int)
            if vocab.setdefault(token_id, token) != token:
                raise TrainingError(
                    "The plan keeps the id {id} for two tokens: {one!r} and {other!r}.",
                    id=token_id,
                    one=visible(vocab[token_id]),
                    other=visible(token),
                )
        check_vocab(vocab)
        check_special_ids(self.special_ids, vocab)

    def _check_not_banned(self, step: int, pair: TokenPair) -> None:
        if pair in self.banned:
            raise PlanStepError(
                "The plan bans the pair {left!r} {right!r}, but merges it at step {step:,}. Remove one of the two.",
                left=visible(pair[0]),
                right=visible(pair[1]),
                step=step + 1,
            )

    # -- making plans -----------------------------------------------------------------------------------------------

    @classmethod
    def extending(cls, tokenizer: Tokenizer) -> Self:
        """Return a plan that continues the training of a tokenizer through its own steps, which the result keeps.

        The corpus is counted as the tokenizer splits it, whatever recipe is given: only the recipe's rules for choosing
        pairs apply. Merges follow those of the tokenizer, each for a new token, so text without new tokens keeps its
        ids. Characters that the tokenizer lacks come first. If whole words join, it is `replaying` instead. Raise
        TrainingError for a tokenizer whose training cannot be continued.

        >>> from bpe_gui.engine import train
        >>> tokenizer = train("low low lower", num_merges=1)
        >>> train("new newer", num_merges=2, plan=Plan.extending(tokenizer)).merges
        [(b'o', b'w'), (b'n', b'e')]
        """
        if tokenizer.recipe.superwords_from:
            return cls.replaying(tokenizer)
        if tokenizer.position < tokenizer.store.merge_count:
            tokenizer = tokenizer.changed()
        specials = set(tokenizer.special_tokens.values())
        ids = {token: token_id for token, token_id in tokenizer.store.ids.items() if token_id not in specials}
        return cls(replay=tokenizer.merges, ids=ids, special_ids=tokenizer.special_tokens, base=tokenizer)

    @classmethod
    def replaying(cls, tokenizer: Tokenizer) -> Self:
        """Return a plan that makes the merges of a tokenizer once more, and keeps its ids.

        The plan does not hold how text is split: the recipe of the run does, for which `formats.recipe_to_replay` finds
        one. Merges that never apply, since another makes the same token, are left out. Raise TrainingError if no order
        of merges has the same effect.
        """
        specials = set(tokenizer.special_tokens.values())
        return cls(
            replay=_merges_in_use(tokenizer),
            ids={token: token_id for token_id, token in tokenizer.vocab.items() if token_id not in specials},
            special_ids=tokenizer.special_tokens,
            stages={tokenizer.recipe.superwords_from: JOIN} if tokenizer.recipe.superwords_from else {},
        )

    def with_changes(self, **parts: Any) -> Self:
        """Return a copy with some parts replaced.

        >>> Plan(rules=["max-words=2"]).with_changes(rules=()) == Plan()
        True
        """
        return type(self)(**(self._parts() | parts))

    def taking_turns(self, by: Grouping | None, *, is_even: bool) -> Self:
        """Return the plan with languages taking turns, as `Parity` says; without turns if `by` is None."""
        turns = None if by is None else replace(self.parity or Parity(), by=by, is_even=is_even)
        return self.with_changes(parity=turns)

    @property
    def joins_words(self) -> bool:
        """Whether whole words join in the last stage."""
        return JOIN in self.stages.values()

    @property
    def splitters(self) -> tuple[str, ...]:
        """The splitters of the stages, without that in which whole words join."""
        return tuple(splitter for splitter in self.stages.values() if splitter != JOIN)

    @property
    def merges_before(self) -> int:
        """The number of merges of the tokenizer that training continues: those before the first step."""
        return 0 if self.base is None else self.base.position

    def recipe_of_run(self, recipe: Recipe) -> Recipe:
        """Return the recipe of a run: the given one, or how a tokenizer that training continues sees words."""
        if self.base is None:
            return recipe
        own = self.base.recipe
        return Recipe(
            units=own.units,
            splitter=own.splitter,
            boundary=own.boundary,
            tie_break=recipe.tie_break,
            pair_counting=recipe.pair_counting,
            min_count=recipe.min_count,
            token_spelling=own.token_spelling,
        )

    # -- counting the corpus -----------------------------------------------------------------------------------------

    def count(
        self, corpus: Corpus, recipe: Recipe, special_tokens: Iterable[str], progress: Progress | None = None
    ) -> WordCounts:
        """Return the words of a corpus for the first step: as the recipe or the tokenizer to continue splits it.

        A tokenizer to continue has its own special tokens. The rest is as for `Corpus.count`.
        """
        if self.base is None:
            return corpus.count(recipe, special_tokens, progress)
        return count_as(self.base, corpus, progress)

    def all_special_tokens(self, special_tokens: Iterable[str]) -> tuple[str, ...]:
        """Return the special tokens whose ids the plan keeps, followed by the others of `special_tokens`.

        Duplicates among these are kept, so that counting can refuse them.
        """
        return (*self.special_ids, *(token for token in special_tokens if token not in self.special_ids))

    def count_stages(
        self, corpus: Corpus, recipe: Recipe, special_tokens: Iterable[str], progress: Progress | None = None
    ) -> dict[str, WordCounts | Corpus]:
        """Return the words of a corpus for each later stage, by splitter; the corpus itself where whole words join.

        `progress` is called with the bytes read and in total. Raise EngineError, for example if the corpus has a
        counts file, whose words cannot be split again.

        >>> Plan(stages={9: "none"}).count_stages(Corpus.from_text("low lower"), Recipe(), ())
        {'none': WordCounts({'low lower': 1})}
        """
        for step, splitter in self.stages.items():
            for document in corpus.documents if splitter != recipe.splitter else ():
                if isinstance(document, FileDocument) and document.holds_counts:
                    raise TrainingError(
                        "After step {step:,}, the plan splits text with {splitter!r}, but {path} contains word counts, "
                        "which cannot be split again. Use the text that was counted, or remove this splitter from the "
                        "plan.",
                        splitter=splitter,
                        step=step,
                        path=document.path,
                    )
        counts = {
            splitter: corpus.count(recipe.with_changes(splitter=splitter), special_tokens, progress, may_be_empty=True)
            for splitter in dict.fromkeys(self.stages.values())
            if splitter != JOIN
        }
        for step, splitter in self.stages.items():
            if splitter != JOIN and not len(counts[splitter]):
                raise TrainingError(
                    "The splitter after step {step:,} finds no words: {splitter!r} matches nothing in the corpus.",
                    splitter=splitter,
                    step=step,
                )
        return {**counts, JOIN: corpus} if JOIN in self.stages.values() else {**counts}

    def stage_recipes(self, recipe: Recipe) -> dict[int, Recipe]:
        """Return the recipe of each stage by the step at which it begins.

        It is `recipe` with the splitter of the stage, and with the seeds of the plan, if it has any.

        >>> [(step, stage.splitter) for step, stage in Plan(stages={9: "none"}).stage_recipes(Recipe()).items()]
        [(0, 'gpt2'), (9, 'none')]
        """
        recipe = recipe.with_changes(seeds=self.seeds or recipe.seeds, superwords_from=0)
        recipes = {0: recipe}
        for step, splitter in self.stages.items():
            change = {"superwords_from": step} if splitter == JOIN else {"splitter": splitter}
            recipes[step] = recipe = recipe.with_changes(**change)
        return recipes

    # -- vetoes -----------------------------------------------------------------------------------------------------

    @property
    def has_vetoes(self) -> bool:
        """Whether the plan can forbid training to choose a pair."""
        return bool(self.banned or self.banned_tokens or self.rules or self.base)

    def veto_of(self, left: bytes, right: bytes) -> Veto | None:
        """Return why training may not choose a pair, or None if it may.

        >>> Plan(banned_tokens=["e?st"]).veto_of(b"e", b"st")
        Veto(kind='token', value='e?st')
        """
        if (left, right) in self.banned:
            return Veto("pair")
        if left + right in self._taken:
            return Veto("made")
        if left in self._names_of_bytes or right in self._names_of_bytes:
            return Veto("byte")
        if self.banned_tokens:
            token = (left + right).decode("utf-8", "surrogateescape")
            for pattern in self.banned_tokens:
                if is_whole_match(pattern, token):
                    return Veto("token", pattern)
        if END_OF_WORD in left + right:
            left, right = without_marker(left), without_marker(right)
            if not (left and right):
                return None
        # This is faster than `Rule.vetoes`, for many thousands of pairs.
        for rule, vetoes, limit in self._rule_checks:
            if vetoes(left, right, limit):
                return Veto("rule", str(rule))
        return None

    @cached_property
    def _taken(self) -> frozenset[bytes]:
        """The tokens that no merge may make, since plain text would become special."""
        return frozenset(token.encode() for token in ({} if self.base is None else self.base.special_tokens))

    @cached_property
    def _names_of_bytes(self) -> frozenset[bytes]:
        falls_back = self.base is not None and self.base.store.model.falls_back_to_bytes
        return frozenset(b"<0x%02X>" % byte for byte in range(256 if falls_back else 0))

    @cached_property
    def _rule_checks(self) -> tuple[tuple[Rule, Callable[[bytes, bytes, int], bool], int], ...]:
        return tuple((rule, RULES[rule.name].vetoes, rule.limit or 0) for rule in self.rules)

    # -- values -----------------------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return self != Plan()

    def __hash__(self) -> int:
        return hash((self.replay, self.banned, self.banned_tokens, tuple(self.forced.items()), self.rules))

    def __str__(self) -> str:
        parts = [f"replay {len(self.replay):,} merges"] if self.replay else []
        parts += _shortened("ban", [_written(pair) for pair in sorted(self.banned)])
        parts += _shortened("ban", [f"/{pattern}/" for pattern in self.banned_tokens])
        parts += _shortened("force", [f"{_written(pair)} at step {step + 1:,}" for step, pair in self.forced.items()])
        parts += map(str, self.rules)
        parts += _shortened("seed", [visible(seed.encode()) for seed in self.seeds])
        parts += ["languages take turns"] if self.parity else []
        parts += [
            f"join words after step {step:,}" if splitter == JOIN else f"split by {splitter} after step {step:,}"
            for step, splitter in self.stages.items()
        ]
        return " · ".join(parts) or "no plan"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process rebuilds the plan."""
        parts = self._parts()
        return type(self), tuple(dict(value) if isinstance(value, Mapping) else value for value in parts.values())

    def _parts(self) -> dict[str, Any]:
        return {part.name: getattr(self, part.name) for part in fields(self)}

    # -- as JSON ----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the plan as a value for JSON, without the steps of the tokenizer that it continues."""
        return _parts_as_json(self._parts())

    @classmethod
    def from_json(cls, value: JsonValue) -> Self:
        """Return the plan that `to_json` wrote. Raise EngineError if it is not valid."""
        parts = _parts_from_json(value)
        try:
            return cls(**parts)
        except EngineError as error:
            raise value.error_from(as_in_file(error)) from error

    def save(self, path: str | Path) -> None:
        """Write the plan to a JSON file, which is replaced as a whole or not at all. Raise EngineError."""
        # Separators have the line breaks, because Python writes indented JSON ten times as slowly.
        write_files({Path(path): json.dumps(self.to_json(), separators=(",\n ", ": "), ensure_ascii=False) + "\n"})

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a plan from a JSON file. Raise EngineError if it cannot be read, or is not valid.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Plan(rules=["max-words=2"]).save(Path(folder, "plan.json"))
        ...     Plan.load(Path(folder, "plan.json")).rules
        (Rule(name='max-words', limit=2),)
        """
        path = Path(path)
        return cls.from_json(parse_bounded(path, read_text(path)))


def _check_step(step: object) -> None:
    if type(step) is not int or not 0 <= step <= MAX_STEP:
        raise TrainingError(
            "The plan names step {step!r}. A step is an integer from 0 to {most:,}.", step=step, most=MAX_STEP
        )


def _pairs_of(merges: Iterable[Any]) -> tuple[TokenPair, ...]:
    """Return the pairs of items that are merges or pairs. Raise TrainingError for an item that is neither."""
    values = tuple(merges)
    # There may be a hundred thousand, usually all valid. So check all of them at once before checking each.
    are_pairs = set(map(type, values)) <= {tuple} and set(map(len, values)) <= {2}
    if are_pairs and set(map(type, chain.from_iterable(values))) <= {bytes} and all(map(all, values)):
        return values
    return tuple(map(_pair_of, values))


def _pair_of(merge: Any) -> TokenPair:
    """Return the pair of a merge, or of a pair. Raise TrainingError if it is neither."""
    pair = (merge.left, merge.right) if hasattr(merge, "left") else merge
    if isinstance(pair, tuple | list) and len(pair) == 2:
        left, right = pair = tuple(pair)
        if isinstance(left, bytes) and isinstance(right, bytes) and left and right:
            return left, right
    raise TrainingError("A pair in a plan must be two tokens of one or more bytes, not {value!r}.", value=pair)


def _written(pair: TokenPair) -> str:
    return f"{visible(pair[0])}+{visible(pair[1])}"


def _shortened(verb: str, items: list[str]) -> list[str]:
    """Return the first items and the number of others."""
    more = [f"{len(items) - _SHOWN:,} more"] if len(items) > _SHOWN else []
    return [f"{verb} {', '.join(items[:_SHOWN] + more)}"] if items else []


Key = TypeVar("Key", int, bytes, str)
Value = TypeVar("Value")

FORMAT: Final = "bpe-gui plan"
VERSION: Final = 1


def _parts_as_json(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a plan by name, as values for JSON, without empty parts."""
    values = {
        "replay": list(map(_line, parts["replay"])),
        "banned": sorted(map(_line, parts["banned"])),
        "banned_tokens": list(parts["banned_tokens"]),
        "forced": [[step, _line(pair)] for step, pair in parts["forced"].items()],
        "rules": list(map(str, parts["rules"])),
        "stages": [[step, splitter] for step, splitter in parts["stages"].items()],
        "ids": [[token_id, to_printable(token)] for token, token_id in parts["ids"].items()],
        "special_ids": [[token_id, token] for token, token_id in parts["special_ids"].items()],
        "seeds": list(parts["seeds"]),
        "parity": parts["parity"] and parts["parity"].to_json(),
    }
    return {"format": FORMAT, "version": VERSION} | {name: value for name, value in values.items() if value}


def _line(pair: TokenPair) -> str:
    return f"{to_printable(pair[0])} {to_printable(pair[1])}"


def _parts_from_json(value: JsonValue) -> dict[str, Any]:
    """Return the parts of a plan by name. Raise FormatError for a value that `_parts_as_json` would not write."""
    members = value.members()
    format_name, version = members.pop("format", None), members.pop("version", None)
    if format_name is None or format_name.value != FORMAT:
        raise FormatError(
            "{path} is not a plan. A plan has the format {format!r} and a version.", **value.where, format=FORMAT
        )
    if version is None or version.value != VERSION:
        raise FormatError(
            "{path}: this version of bpe-gui reads only plans of version {version}.", **value.where, version=VERSION
        )
    for name, member in members.items():
        if name not in _READERS:
            raise FormatError(
                "{path}: {place} is not a part of a plan. The parts are {parts}.", **member.where, parts=tuple(_READERS)
            )
    return {name: _READERS[name](member) for name, member in members.items()}


def pairs_in(value: JsonValue) -> list[TokenPair]:
    """Return the merges in a list, each two printable tokens with a space between them. Raise FormatError."""
    return [_pair(value, index, line) for index, line in enumerate(value.plain_list())]


def _pair(value: JsonValue, index: int, line: object) -> TokenPair:
    """Return the pair in a line of a list. `value` and `index` locate it in errors."""
    match line.split(" ") if isinstance(line, str) else ():
        case [left, right] if left and right:
            return token_in(value, index, left), token_in(value, index, right)
        case _:
            raise FormatError(
                "{path}: {place} must be two tokens separated by a space, not {value!r}.", **value.item(index).where
            )


def token_in(value: JsonValue, index: int, text: str) -> bytes:
    """Return the bytes of a printable token, which is in item `index` of a list. Raise FormatError."""
    try:
        return from_printable(text)
    except KeyError as error:
        raise FormatError(
            "{path}: {place} contains {character!r}, which does not represent a byte.",
            **value.item(index).where,
            character=error.args[0],
        ) from error


def _steps(items: list[JsonValue]) -> list[tuple[int, JsonValue]]:
    """Return the steps in the items of a list, each with the value planned for it."""
    steps: list[tuple[int, JsonValue]] = []
    for item in items:
        if len(item.plain_list()) != 2:
            raise FormatError("{path}: {place} must be a list of a step and a value, not {value!r}.", **item.where)
        steps.append((item.item(0).integer(0, MAX_ID), item.item(1)))
    return steps


def _forced(value: JsonValue) -> dict[int, TokenPair]:
    pairs = _once(value, _steps(value.items()))
    # Errors locate a pair by a list and an index, so each gets a list of its own.
    return {
        step: _pair(JsonValue(item.path, item.location, [item.value]), 0, item.value) for step, item in pairs.items()
    }


def _stages(value: JsonValue) -> dict[int, str]:
    return {step: splitter.string() for step, splitter in _once(value, _steps(value.items())).items()}


def _ids(value: JsonValue) -> dict[bytes, int]:
    return _once(value, [_id(value, index, item) for index, item in enumerate(value.plain_list())])


def _id(value: JsonValue, index: int, item: object) -> tuple[bytes, int]:
    """Return the token and the id in an item of a list. `value` and `index` locate it in errors."""
    match item:
        case [int(token_id), str(text)] if type(token_id) is int and 0 <= token_id <= MAX_ID:
            return token_in(value, index, text), token_id
        case _:
            ((token_id, token),) = _steps([value.item(index)])
            return token_in(value, index, token.string()), token_id


def _special_ids(value: JsonValue) -> dict[str, int]:
    return _once(value, [(item.string(), token_id) for token_id, item in _steps(value.items())])


def _once(value: JsonValue, items: list[tuple[Key, Value]]) -> dict[Key, Value]:
    """Return a list's items by key. Raise FormatError if a key occurs twice."""
    members: dict[Key, Value] = {}
    for index, (key, member) in enumerate(items):
        if key in members:
            raise FormatError(
                "{path}: {place} repeats {key!r}. It may occur only once.", **value.item(index).where, key=key
            )
        members[key] = member
    return members


def _expressions(value: JsonValue) -> list[str]:
    for item in value.items():
        try:
            check_expression(item.string())
        except TrainingError as error:
            raise item.error_from(error) from error
    return _texts(value)


def _texts(value: JsonValue) -> list[str]:
    return [item.string() for item in value.items()]


_READERS: Final = {
    "replay": pairs_in,
    "banned": pairs_in,
    "banned_tokens": _expressions,
    "forced": _forced,
    "rules": _texts,
    "stages": _stages,
    "ids": _ids,
    "special_ids": _special_ids,
    "seeds": _texts,
    "parity": Parity.from_json,
}


def _merges_in_use(tokenizer: Tokenizer) -> Sequence[TokenPair]:
    """Return merges that give the same tokens when they are applied everywhere, one after another.

    Some files have a merge for every two tokens that spell a third, as Llama 3's `tokenizer.json`. A token in a word is
    made as its own bytes are, since no merge has crossed its ends before, so all but the last of these merges are idle.
    That one may come before a merge that makes a part of it. Then it applies whenever that part appears, if ever. Raise
    TrainingError if no order has the same effect.
    """
    merges, ranks, position = tokenizer.merges, tokenizer.store.ranks, tokenizer.position
    ways = Counter(left + right for left, right in merges)
    if len(ways) == len(merges) or tokenizer.recipe.units != "bytes" or tokenizer.recipe.boundary != "none":
        return merges
    used: dict[bytes, int] = {}
    for token in (token for token, count in ways.items() if count > 1):
        for step in merge_steps([bytes([byte]) for byte in token], ranks, position):
            used[token] = step.rank
    pairs = {token: pair for rank, pair in enumerate(merges) if used.get(token := pair[0] + pair[1], rank) == rank}
    ordered: dict[bytes, TokenPair] = {}
    waiting: dict[bytes, list[TokenPair]] = {}

    for pair in pairs.values():
        together, coming = [], [pair]
        while coming:
            pair = coming.pop()
            part = next((part for part in pair if len(part) > 1 and part not in ordered), None)
            if part is None:
                token = pair[0] + pair[1]
                ordered[token] = pair
                together.append(pair)
                coming += sorted(waiting.pop(token, ()), key=ranks.__getitem__, reverse=True)
            else:
                waiting.setdefault(part, []).append(pair)
        _check_independent(together)
    return list(ordered.values())


def _check_independent(together: Sequence[TokenPair]) -> None:
    """Raise TrainingError if merges that apply as soon as the first one has may compete for a token.

    They do if one takes on its right what another, around the next place where the first one applies, has on its left.
    """
    made = {left + right for left, right in together}
    lefts = {left for left, right in together[1:] if right in made} | {left for left, _right in together[:1]}
    for left, right in together[1:]:
        if left in made and right in lefts | made:
            raise TrainingError(
                "These merges cannot be replayed: that of {left} and {right} comes before a part of it.",
                left=visible(left),
                right=visible(right),
            )
