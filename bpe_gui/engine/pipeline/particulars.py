"""What a `tokenizer.json` says that changes no id of a text, so that it can be written back.

Its post-processors put two texts together, give type ids, and trim offsets; the ids that they put around a single text
are those of the `Pipeline`, too. Texts are neither truncated nor padded here.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, NamedTuple, Self

IdsAround = tuple[tuple[int, ...], tuple[int, ...]]
"""The ids before and after a text."""

_NO_IDS: IdsAround = (), ()


class Piece(NamedTuple):
    """A part of a template: one of the texts, or the ids of tokens that come together; and the type id that it gets."""

    content: Literal["A", "B"] | tuple[int, ...]
    type_id: int = 0

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of its tokens."""
        return self.content if isinstance(self.content, tuple) else ()


class PostProcessor:
    """A step after encoding."""

    __slots__ = ()

    @property
    def ids_around(self) -> IdsAround:
        """The ids that are put around a single text."""
        return _NO_IDS

    @property
    def ids(self) -> frozenset[int]:
        """All ids that this step may add."""
        return frozenset()

    def with_ids(self, new_id: Callable[[int], int]) -> "PostProcessor":
        """Return the step for tokens that have got other ids."""
        return self

    def trimming(self) -> "ByteLevelProcessing | None":
        """Return the step that only trims offsets as this one does; None if it trims none."""
        return None


@dataclass(frozen=True, slots=True)
class ByteLevelProcessing(PostProcessor):
    """A step that takes white space out of the offsets of tokens, except for a space that was put before the text."""

    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True

    def trimming(self) -> "ByteLevelProcessing | None":
        return self if self.trim_offsets else None


@dataclass(frozen=True, slots=True)
class Template(PostProcessor):
    """A step that puts ids around a text, or around and between the two of a pair."""

    single: tuple[Piece, ...] = (Piece("A"),)
    pair: tuple[Piece, ...] = (Piece("A"), Piece("B", 1))

    @classmethod
    def around(cls, before: Iterable[int], after: Iterable[int]) -> "Template":
        """Return the template that puts ids around a text and around each text of a pair.

        >>> Template.around([7], []).single
        (Piece(content=(7,), type_id=0), Piece(content='A', type_id=0))
        """
        first = (*(Piece((each,)) for each in before), Piece("A"), *(Piece((each,)) for each in after))
        second = (Piece("B" if piece.content == "A" else piece.content, 1) for piece in first)
        return cls(first, (*first, *second))

    @property
    def ids_around(self) -> IdsAround:
        at = next(index for index, piece in enumerate(self.single) if piece.content == "A")
        before, after = (chain.from_iterable(p.ids for p in part) for part in (self.single[:at], self.single[at:]))
        return tuple(before), tuple(after)

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(chain.from_iterable(piece.ids for piece in (*self.single, *self.pair)))

    def with_ids(self, new_id: Callable[[int], int]) -> "Template":
        single, pair = (
            tuple(p._replace(content=tuple(map(new_id, p.ids))) if p.ids else p for p in pieces)
            for pieces in (self.single, self.pair)
        )
        return Template(single, pair)


@dataclass(frozen=True, slots=True)
class BertProcessing(PostProcessor):
    """A step that makes `cls A sep`, and `cls A sep B sep` with the type 1 from B on."""

    sep: int
    cls: int

    @property
    def ids_around(self) -> IdsAround:
        return (self.cls,), (self.sep,)

    @property
    def ids(self) -> frozenset[int]:
        return frozenset((self.cls, self.sep))

    def with_ids(self, new_id: Callable[[int], int]) -> Self:
        return replace(self, sep=new_id(self.sep), cls=new_id(self.cls))


@dataclass(frozen=True, slots=True)
class RobertaProcessing(BertProcessing):
    """A step that makes `cls A sep`, and `cls A sep sep B sep`, all with the type 0. It may trim offsets before."""

    trim_offsets: bool = True
    add_prefix_space: bool = True

    def trimming(self) -> ByteLevelProcessing | None:
        return ByteLevelProcessing(self.add_prefix_space) if self.trim_offsets else None


@dataclass(frozen=True, slots=True)
class Truncation:
    """How texts with more than `max_length` ids would be cut."""

    direction: str
    max_length: int
    strategy: str
    stride: int


@dataclass(frozen=True, slots=True)
class Padding:
    """How texts would be padded: to the longest of a batch, or to `fixed_length`."""

    fixed_length: int | None
    direction: str
    multiple_of: int | None
    pad_id: int
    pad_type_id: int
    pad_token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Particulars:
    """All that a `tokenizer.json` says besides ids. Equal if it says the same.

    `outer_ids` are those of special tokens that are not in the model's own vocabulary.
    """

    post_processors: tuple[PostProcessor, ...] = ()
    truncation: Truncation | None = None
    padding: Padding | None = None
    outer_ids: frozenset[int] = frozenset()

    @property
    def ids_around(self) -> IdsAround:
        """The ids that are put around a single text."""
        return next((step.ids_around for step in self.post_processors if step.ids), _NO_IDS)

    @property
    def ids(self) -> frozenset[int]:
        """All ids that are added to texts."""
        return frozenset().union(*(step.ids for step in self.post_processors))

    @property
    def trimming(self) -> tuple[ByteLevelProcessing, ...]:
        """The steps that trim offsets."""
        return tuple(step for each in self.post_processors if (step := each.trimming()) is not None)

    def post_processors_around(self, before: tuple[int, ...], after: tuple[int, ...]) -> tuple[PostProcessor, ...]:
        """Return the post-processors, with a new template if they do not put exactly these ids around a text."""
        if self.ids_around == (before, after):
            return self.post_processors
        others = tuple(each.trimming() or each for each in self.post_processors if each.trimming() or not each.ids)
        return (*others, Template.around(before, after)) if before or after else others

    def with_ids(self, new_ids: Mapping[int, int]) -> Self:
        """Return the same for tokens that have got other ids."""
        padding = self.padding
        return replace(
            self,
            post_processors=tuple(step.with_ids(new_ids.__getitem__) for step in self.post_processors),
            padding=padding and replace(padding, pad_id=new_ids.get(padding.pad_id, padding.pad_id)),
            outer_ids=frozenset(new_ids[token_id] for token_id in self.outer_ids if token_id in new_ids),
        )

    def with_outer(self, token_ids: Iterable[int]) -> Self:
        """Return the same with further special tokens outside the model's own vocabulary."""
        return replace(self, outer_ids=self.outer_ids.union(token_ids))

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return the same for special tokens that have got other names.

        >>> padding = Padding(None, "Right", None, 7, 0, "<r0>")
        >>> Particulars(padding=padding).renamed({"<r0>": "<pad>"}).padding.pad_token
        '<pad>'
        """
        padding = self.padding
        return replace(
            self, padding=padding and replace(padding, pad_token=names.get(padding.pad_token, padding.pad_token))
        )
