"""Recipes: the switches by which published BPE trainers differ, and the presets that reproduce those trainers."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, Self, get_args, get_origin

from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.files import parse_json, read_text, write_files
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.statements import Statement
from bpe_gui.engine.runtime.statements import statement as _

from .sentencepiece import SPACES, SentencePieceOptions, options_of
from .splitters import DROPPING_SPLITTERS, SPLITTERS, automaton_of, splitter_statement
from .utf8 import check_surrogates

Units = Literal["bytes", "characters"]
Boundary = Literal["none", "suffix", "suffix-attached", "prefix"]
TieBreak = Literal["greatest", "first-seen", "smallest-id", "shortest"]
PairCounting = Literal["occurrences", "once-per-word"]
Vocabulary = Literal["grow", "prune"]
SpecialText = Literal["apart", "kept"]
SpecialIds = Literal["after-alphabet", "first", "last"]
IdOrder = Literal["merge-order", "sorted"]
TokenSpelling = Literal["raw", "gpt2-printable"]
Alphabet = Literal["sorted", "gpt2-printable", "latin-1"]

_MAX_COUNT: Final = 2**31 - 1
_MAX_BYTES: Final = 1_000_000  # of a recipe file, which is mostly the splitter's expression

SENTENCEPIECE_SWITCHES: Mapping[str, str] = MappingProxyType(
    {
        "units": "characters",
        "boundary": "none",
        "vocabulary": "grow",
        "id_order": "merge-order",
        "alphabet": "sorted",
    }
)
"""The switches that SentencePiece's options require."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The switches of a BPE trainer: every way in which trainers differ. Equal recipes train the same tokenizer.

    - `units`: whether a word starts as bytes or as characters.
    - `splitter`: how text becomes words (pre-tokens): a name in `SPLITTERS` or a regular expression.
    - `boundary`: `</w>` as a symbol of its own after the last unit of a word (`suffix`), attached to the last unit
      (`suffix-attached`), or as a symbol in place of the space before a word (`prefix`). A `</w>` in the text itself
      starts out as four characters, but once they are merged, they look like the marker. Such text can be trained on,
      but does not survive encoding and decoding.
    - `tie_break`: which pair is merged when several have the highest count: the one with the greatest `(left, right)`
      in byte order (the same as code point order), the one that still occurs earliest in the corpus, the one with the
      smallest `(left_id, right_id)`, or the one that makes the shortest token, in initial symbols, and then the
      smallest in byte order.
    - `pair_counting`: whether a pair that occurs twice in a word counts twice.
    - `min_count`: training stops when the best pair occurs less often than this.
    - `vocabulary`: whether a token leaves the vocabulary (`prune`) when it no longer occurs on its own.
    - `special_text`: whether special tokens in the corpus are taken out before it is split, so that nothing merges
      across them (`apart`), or split, counted and merged like any other text (`kept`). Encoding always takes them out.
    - `special_ids`: where special tokens come in the order of ids.
    - `id_order`: whether ids follow the order of the merges, or are assigned after training by sorting the tokens as
      written.
    - `token_spelling`: how a token is written for sorting, and in files. JSON cannot hold bytes, so files of bytes
      always use GPT-2's printable characters.
    - `alphabet`: the order of the initial symbols: by value, in GPT-2's printable order (bytes only), or with `chr(0)`
      to `chr(255)` first, whether or not they occur (characters only).
    - `merges_header`: whether `merges.txt` begins with `#version: 0.2`.
    - `sentencepiece`: the options of SentencePiece's trainer, which normalizes each word of the splitter and forbids
      some merges; None for other trainers. Its pieces are characters, and its vocabulary begins with `<unk>`, `<s>`,
      `</s>` and ends with the characters, the most frequent first.
    - `seeds`: texts that are in the vocabulary from the start. They are found within words before anything merges, the
      leftmost one first, and of those that begin there, the longest. So a seed is never divided, but may be part of
      larger tokens. A plan sets them for its run.
    - `superwords_from`: merges from this rank on join neighbouring words that are one token each: see `phrases`. 0
      means that none do. A plan sets it for its run.

    Raises RecipeError for a value that is not valid.

    >>> Recipe.of("cs336").with_changes(tie_break="first-seen").tie_break
    'first-seen'
    """

    units: Units = "bytes"
    splitter: str = "gpt2"
    boundary: Boundary = "none"
    tie_break: TieBreak = "greatest"
    pair_counting: PairCounting = "occurrences"
    min_count: int = 1
    vocabulary: Vocabulary = "grow"
    special_text: SpecialText = "apart"
    special_ids: SpecialIds = "after-alphabet"
    id_order: IdOrder = "merge-order"
    token_spelling: TokenSpelling = "raw"
    alphabet: Alphabet = "sorted"
    merges_header: bool = True
    seeds: tuple[str, ...] = ()
    sentencepiece: SentencePieceOptions | None = None
    superwords_from: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "seeds", check_seeds(self.seeds))
        object.__setattr__(self, "sentencepiece", options_of(self.sentencepiece))
        for name, choices in CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise RecipeError(
                    "The recipe's {field} cannot be {value!r}. The choices are {choices}.",
                    field=name,
                    value=value,
                    choices=choices,
                )
        if type(self.min_count) is not int or not 1 <= self.min_count <= _MAX_COUNT:
            raise RecipeError(
                "The recipe's min_count must be an integer from 1 to {most:,}, not {value!r}.",
                value=self.min_count,
                most=_MAX_COUNT,
            )
        if type(self.merges_header) is not bool:
            raise RecipeError(
                "The recipe's merges_header must be true or false, not {value!r}.", value=self.merges_header
            )
        if type(self.superwords_from) is not int or not 0 <= self.superwords_from <= _MAX_COUNT:
            raise RecipeError(
                "The recipe's superwords_from must be an integer from 0 to {most:,}, not {value!r}.",
                value=self.superwords_from,
                most=_MAX_COUNT,
            )
        if self.superwords_from and (self.boundary != "none" or self.vocabulary == "prune" or self.sentencepiece):
            raise RecipeError(
                "Whole words can only join if the recipe has no end-of-word markers, keeps all tokens and is not "
                "SentencePiece's."
            )
        if self.alphabet == "latin-1" and self.units == "bytes":
            raise RecipeError(
                "The alphabet latin-1 (“First 256 characters”) requires units to be characters, not bytes."
            )
        if self.alphabet == "gpt2-printable" and self.units == "characters":
            raise RecipeError(
                "The alphabet gpt2-printable (“GPT-2's order”) requires units to be bytes, not characters."
            )
        if self.sentencepiece is not None:
            self._check_sentencepiece()
        if self.boundary != "none" and any(END_OF_WORD.decode() in seed for seed in self.seeds):
            raise RecipeError("A seed token cannot contain the end-of-word marker, </w>.")
        if not isinstance(self.splitter, str) or not self.splitter:
            raise RecipeError(
                "The recipe's splitter must be a name or a regular expression, not {value!r}.", value=self.splitter
            )
        if self.splitter not in SPLITTERS and self.splitter != SPACES:  # a preset is made whenever this is imported
            automaton_of(self.splitter)

    def _check_sentencepiece(self) -> None:
        if self.seeds:
            raise RecipeError("A recipe with SentencePiece's options cannot have seed tokens.")
        for field, choice in SENTENCEPIECE_SWITCHES.items():
            if getattr(self, field) != choice:
                raise RecipeError(
                    "A recipe with SentencePiece's options requires {field} to be {choice}, not {value}.",
                    field=field,
                    choice=choice,
                    value=getattr(self, field),
                )

    @classmethod
    def of(cls, recipe: "str | Recipe") -> "Recipe":
        """Return the preset of that name; a recipe is returned as it is. Raise RecipeError for an unknown name.

        >>> Recipe.of("subword-nmt").min_count
        2
        """
        if isinstance(recipe, Recipe):
            return recipe
        if not isinstance(recipe, str) or recipe not in PRESETS:
            raise RecipeError(
                "Unknown recipe {name!r}. The presets are {presets}.", name=recipe, presets=tuple(PRESETS)
            )
        return PRESETS[recipe]

    def with_changes(self, **switches: Any) -> Self:
        """Return a copy with these switches changed. Raise RecipeError."""
        return replace(self, **switches)

    @property
    def preset(self) -> str | None:
        """The name of the preset that equals this recipe, or None.

        >>> Recipe(tie_break="first-seen", special_text="kept", special_ids="last").preset
        'tiktoken'
        """
        return next((name for name, recipe in PRESETS.items() if recipe == self), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the value of each switch by its name, ready for JSON; without seeds and the like if there are none."""
        switches = asdict(self)
        seeds = list(switches.pop("seeds"))
        for name in ("sentencepiece", "superwords_from"):
            if not switches[name]:
                del switches[name]
        return switches | {"seeds": seeds} if seeds else switches

    @classmethod
    def from_dict(cls, switches: object) -> "Recipe":
        """Return the recipe with these switches, and defaults for those left out. Raise RecipeError.

        >>> Recipe.from_dict({"splitter": "cl100k"}).splitter
        'cl100k'
        """
        if not isinstance(switches, dict):
            raise RecipeError("A recipe must be a JSON object of settings and their values.")
        known = {field.name for field in fields(cls)}
        unknown = [str(name) for name in switches if name not in known]
        if unknown:
            raise RecipeError(
                "Unknown recipe setting {name!r}. The settings are {switches}.",
                name=unknown[0],
                switches=tuple(sorted(known)),
            )
        return cls(**switches)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the recipe as its switches by name, as in a file."""
        return Recipe.from_dict, (self.to_dict(),)

    @property
    def drops_spaces(self) -> bool:
        """Whether white space between words is dropped, so that decoding has to put a space there."""
        return self.splitter in DROPPING_SPLITTERS

    def statements(self, *, is_own: bool = False) -> tuple[Statement, ...]:
        """Return what happens to text before any merge. `is_own`: an expression is the user's."""
        units = _("Recipe", "bytes") if self.units == "bytes" else _("Recipe", "characters")
        boundary = {
            "suffix": _("Recipe", "</w> after a word"),
            "suffix-attached": _("Recipe", "</w> on the last character of a word"),
            "prefix": _("Recipe", "</w> before a word"),
        }.get(self.boundary)
        said = (units, splitter_statement(self.splitter, is_own=is_own))
        return said if boundary is None else (*said, boundary)

    def save(self, path: str | Path) -> None:
        """Write the recipe to a JSON file, atomically. Raise FormatError."""
        import json

        write_files({Path(path): json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"})

    @classmethod
    def load(cls, path: str | Path) -> "Recipe":
        """Read a recipe from a JSON file. Raise FormatError, RecipeError."""
        path = Path(path)
        return cls.from_dict(parse_json(path, read_text(path, _MAX_BYTES)))


def check_seeds(seeds: object) -> tuple[str, ...]:
    """Return seed tokens in sorted order, each once. Raise RecipeError for one that is not valid."""
    if isinstance(seeds, str) or not isinstance(seeds, Iterable):
        raise RecipeError("Seed tokens must be a list of texts, not {value!r}.", value=seeds)
    found = set()
    for seed in seeds:
        if not isinstance(seed, str) or not seed:
            raise RecipeError("A seed token must be a text that is not empty, not {value!r}.", value=seed)
        check_surrogates(seed, error=RecipeError)
        found.add(seed)
    return tuple(sorted(found))


CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {field.name: get_args(field.type) for field in fields(Recipe) if get_origin(field.type) is Literal}
)
"""The values of each switch that is chosen from a list, the default first."""

DEFAULT_RECIPE: Final = "cs336"
"""The preset that is used wherever no recipe is given."""

PRESETS: Mapping[str, Recipe] = MappingProxyType(
    {
        DEFAULT_RECIPE: Recipe(),
        "cs336-toy": Recipe(units="characters", splitter="whitespace", alphabet="latin-1"),
        "worked-example": Recipe(units="characters", splitter="space", boundary="prefix"),
        "bbpe": Recipe(tie_break="first-seen", id_order="sorted", token_spelling="gpt2-printable", merges_header=False),
        "char-eow": Recipe(
            units="characters",
            splitter="space",
            boundary="suffix",
            tie_break="first-seen",
            min_count=2,
            vocabulary="prune",
        ),
        "zh-en": Recipe(units="characters", splitter="zh-en", boundary="suffix", tie_break="first-seen"),
        "minbpe": Recipe(splitter="cl100k", tie_break="first-seen", special_text="kept", special_ids="last"),
        "tiktoken": Recipe(tie_break="first-seen", special_text="kept", special_ids="last"),
        "huggingface": Recipe(
            tie_break="smallest-id",
            min_count=2,
            special_text="kept",
            special_ids="first",
            token_spelling="gpt2-printable",
            alphabet="gpt2-printable",
        ),
        "subword-nmt": Recipe(
            units="characters", splitter="space", boundary="suffix-attached", min_count=2, special_text="kept"
        ),
        "parity": Recipe(
            special_text="kept", special_ids="first", token_spelling="gpt2-printable", alphabet="gpt2-printable"
        ),
        "sentencepiece": Recipe(
            units="characters",
            splitter=SPACES,
            tie_break="shortest",
            special_text="kept",
            special_ids="first",
            sentencepiece=SentencePieceOptions(),
        ),
    }
)
"""The named recipes. Each reproduces a published trainer.

One bug is not reproduced: subword-nmt joins symbols wrongly in words that contain white space other than spaces.
"""
