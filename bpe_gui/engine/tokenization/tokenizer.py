"""The tokenizer: text to ids and back, by the merges of a run or of a file."""

from collections.abc import AsyncIterable, AsyncIterator, Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from numbers import Integral
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Self, overload

import numpy as np

from bpe_gui.engine.compilation.library import is_compiled
from bpe_gui.engine.encoding.results import Encoding, ModelWords, TextIds, TokenArrays
from bpe_gui.engine.encoding.text_encoder import NO_SHORT_TEXTS, EncodingOptions, listed_ids
from bpe_gui.engine.pipeline.particulars import Particulars
from bpe_gui.engine.runtime.arguments import check_several, check_type
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import EngineError, TokenizerError
from bpe_gui.engine.runtime.printable import to_printable
from bpe_gui.engine.runtime.shown_tokens import table_in_html
from bpe_gui.engine.runtime.statements import Statement
from bpe_gui.engine.runtime.types import Int32Array, Int64Array
from bpe_gui.engine.text.alphabet import is_written_printable
from bpe_gui.engine.text.compiled_splitters import Chunker
from bpe_gui.engine.text.recipe import DEFAULT_RECIPE, Recipe
from bpe_gui.engine.text.utf8 import check_surrogates, check_word_starts, decode_utf8_pieces
from bpe_gui.engine.vocabulary.decoder import ShortTextDecoder, text_pieces
from bpe_gui.engine.vocabulary.entries import Entries, check_unknown_id
from bpe_gui.engine.vocabulary.merge_store import MergeStore
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair
from bpe_gui.engine.vocabulary.tracing import Lineage, WordTrace, lineage_of

from .allowed_special import ALL, MAX_ENCODERS, AllowedSpecial, Encoders, Obeyed, obeyed_of
from .config import TokenizerConfig
from .digest import digest_of
from .stream_decoder import StreamDecoder, decode_arriving
from .trimmed_offsets import with_trimmed_offsets

if TYPE_CHECKING:
    from bpe_gui.engine.chats.conversation import ChatText
    from bpe_gui.engine.pipeline.pipeline import Pipeline

_WORTH_KERNELS: Final = 1_000
"""With at least this many ids, decoding by kernels is faster."""

_WORTH_DECODER: Final = 10_000
"""After this many ids in short lists, building the tables of a decoder pays off."""

_SHOWN: Final = 3
"""The most special tokens that are named in short."""

_ALL: Final = "all"
"""The usual value of `allowed_special`. It is compared by identity first; an equal string takes a little longer."""

_NO_CONFIG: Final = TokenizerConfig()
_NO_PARTICULARS: Final = Particulars()

DecodeErrors = Literal["strict", "replace", "ignore", "backslashreplace"]


class _View(NamedTuple):
    """What a tokenizer shows of its store, and what is said about it."""

    position: int
    unknown_id: int | None = None
    obeyed: Obeyed = ALL
    adds_ids: bool = True
    config: TokenizerConfig = _NO_CONFIG
    notes: tuple[EngineError, ...] = ()
    particulars: Particulars = _NO_PARTICULARS


class Tokenizer:
    """A byte-pair encoding tokenizer, which encodes text to ids and decodes ids to text. Immutable.

    `vocab` maps ids to the bytes of tokens, and `merges` are (left, right) pairs in the order of their ranks. Special
    tokens given as a list keep the ids they have in `vocab`, or get new ones after its last; given as a dict, they have
    those ids. A symbol without an id is an error, or becomes `unknown_id` if that is given. `merge_counts` says how
    often each pair occurred in training, if known. A `pipeline` describes steps around the merges that a recipe cannot
    describe; the recipe then follows from it. `other_merges` are further pairs that merge, each with the rank of the
    merge that makes the same token.

    A tokenizer is a frozen view of the first `position` merges of a `MergeStore`. The tokenizers of all steps of a run
    are views of one store, so another one costs next to nothing, and none changes when the run continues.

    Raises TokenizerError for inconsistent ids or tokens.

    >>> tokenizer = Tokenizer({**{i: bytes([i]) for i in range(256)}, 256: b"lo"}, [(b"l", b"o")])
    >>> tokenizer.encode("lol"), tokenizer.decode([256, 108])
    ([256, 108], 'lol')
    """

    def __init__(
        self,
        vocab: Mapping[int, bytes],
        merges: Iterable[TokenPair],
        special_tokens: Iterable[str] | Mapping[str, int] | None = None,
        *,
        recipe: Recipe | str = DEFAULT_RECIPE,
        unknown_id: int | None = None,
        merge_counts: Iterable[int] | None = None,
        pipeline: "Pipeline | None" = None,
        other_merges: Mapping[TokenPair, int] | None = None,
        config: TokenizerConfig = _NO_CONFIG,
        notes: Iterable[EngineError] = (),
        particulars: Particulars = _NO_PARTICULARS,
    ) -> None:
        if pipeline is not None:
            from bpe_gui.engine.pipeline.pipeline import Pipeline

            check_type("pipeline", pipeline, Pipeline, NoneType)
        store = MergeStore(
            vocab,
            merges,
            () if special_tokens is None else special_tokens,
            recipe=pipeline.nearest_recipe if pipeline else Recipe.of(recipe),
            pipeline=pipeline,
            merge_counts=merge_counts,
            other_merges=other_merges,
        )
        if unknown_id is not None:
            check_unknown_id(unknown_id, store.vocab)
        view = _View(store.merge_count, unknown_id, config=config, notes=tuple(notes), particulars=particulars)
        self._set(store, Encoders(store), view)

    def _set(self, store: MergeStore, encoders: Encoders, view: _View) -> None:
        self._store = store
        self._encoders = encoders
        self._view = view
        self._position, self._unknown_id, self._obeyed, *_others = view
        self._encoder = encoders.obeying(view.obeyed, view.adds_ids)
        self._usual_options = self._options()
        self._obeying: dict[Obeyed, Self] = {}
        self._short = NO_SHORT_TEXTS
        self._short_decoder: ShortTextDecoder | None = None
        self._decoded = 0
        """The number of ids decoded without that decoder."""

    def _viewed(self, **changes: Any) -> Self:
        """Return a view of the same store: this one if nothing differs."""
        changed = self._view._replace(**changes)
        if changed == self._view:
            return self
        view = self.__class__.__new__(self.__class__)
        view._set(self._store, self._encoders, changed)
        return view

    def __getstate__(self) -> dict[str, Any]:
        """Return the vocabulary and the merges of all steps for pickling, without the caches of encoding."""
        return {"store": self._store, "view": self._view}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self._set(state["store"], Encoders(state["store"]), state["view"])

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _copied: dict[int, Any]) -> Self:
        return self  # nothing can change it

    @cached_property
    def digest(self) -> str:
        """A digest, in hexadecimal digits, of all that decides which ids a text has and which text ids have.

        >>> one, other = (Tokenizer({0: b"l"}, [], [name], recipe="cs336-toy") for name in ("<a>", "<b>"))
        >>> len(one.digest), one.digest == other.digest
        (64, False)
        """
        steps = self.pipeline or self.recipe
        special = sorted(self.obeyed_special_tokens), sorted(self.special_tokens.items())
        return digest_of(self._store, self._position, (steps, self._unknown_id, self._view.adds_ids, special))

    def __eq__(self, other: object) -> bool:
        """Whether two tokenizers have equal vocabularies, merges, steps around them, and options for special tokens."""
        if not isinstance(other, Tokenizer):
            return NotImplemented
        if self._store is other._store:
            return self._view[:4] == other._view[:4]
        return self._position == other._position and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self._position)

    @property
    def vocab_size(self) -> int:
        """The number of tokens as of this step, special tokens included; also its `len`.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], ["<e>"], recipe="cs336-toy")
        >>> tokenizer.vocab_size, len(tokenizer.at(0))
        (4, 3)
        """
        return int(np.count_nonzero(self.entries().steps <= self._position))

    def __len__(self) -> int:
        return self.vocab_size

    def __bool__(self) -> bool:
        return True

    def _facts(self) -> dict[str, str]:
        special = ", ".join(map(repr, islice(self.special_tokens, _SHOWN))) or "none"
        if (more := len(self.special_tokens) - _SHOWN) > 0:
            special += f" and {more:,} more"
        return {
            "tokens": f"{self.vocab_size:,}",
            "merges": f"{self._position:,} of {self.recipe.units}",
            "splitter": repr(self.as_pipeline.splitter or "steps"),
            "special tokens": special,
        }

    def __repr__(self) -> str:
        return f"<Tokenizer: {', '.join(f'{name} {fact}' for name, fact in self._facts().items())}>"

    def _repr_html_(self) -> str:
        """Return these facts as a table, as a notebook shows them."""
        return table_in_html([("Tokenizer",), *self._facts().items()])

    def without_caches(self) -> Self:
        """Return an equal tokenizer with empty caches, to be kept for long: caches take 80 MB of address space."""
        fresh = type(self).__new__(type(self))
        fresh.__setstate__(self.__getstate__())
        return fresh

    def at(self, position: int) -> Self:
        """Return the tokenizer as of merge `position`, in O(1). 0 is the bare alphabet.

        This can be any step of the store, even after this tokenizer's. Raise TokenizerError beyond the last.

        Ids do not change. So for a recipe that sorts ids or prunes, the result differs from `Trainer.tokenizer` at that
        step, which has the ids of the smaller vocabulary and still has tokens that are pruned later.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> tokenizer.encode("lol"), tokenizer.at(0).encode("lol")
        ([2, 0], [0, 1, 0])
        """
        last = self._store.merge_count
        if not 0 <= position <= last:
            raise TokenizerError(
                "Merge {position} does not exist. The number of merges in this tokenizer is {merges}.",
                position=position,
                merges=last,
            )
        return self._viewed(position=position)

    def with_unknown_id(self, unknown_id: int | None) -> Self:
        """Return the tokenizer that gives `unknown_id` for a symbol without an id; None makes such a symbol an error.

        An id outside the vocabulary, such as -1, marks unknown symbols for display; it cannot be decoded.

        >>> Tokenizer({0: b"l"}, [], recipe="cs336-toy").with_unknown_id(-1).encode("lol")
        [0, -1, 0]
        """
        if unknown_id is not None and not -(2**31) <= unknown_id < 2**31:
            raise TokenizerError("The id for unknown symbols must be an integer of 32 bits, not {id}.", id=unknown_id)
        return self._viewed(unknown_id=unknown_id)

    def obeying(self, allowed_special: AllowedSpecial) -> Self:
        """Return the tokenizer for which, in any text, only these special tokens are special.

        Others are plain text, or an error for "none_raise". "all" changes nothing. This applies to every method that
        takes text; `encode` and its siblings take `allowed_special` for one call. Raise TokenizerError for a name that
        is not a special token.

        >>> tokenizer = Tokenizer({60: b"<", 62: b">", 101: b"e"}, [], {"<e>": 0}, recipe="cs336-toy")
        >>> tokenizer.obeying("none").encode("<e>"), tokenizer.obeying({"<e>"}).encode("<e>")
        ([60, 101, 62], [0])
        """
        obeyed = obeyed_of(allowed_special, self._store.special_ids)
        if obeyed is None:
            return self
        view = self._obeying.get(obeyed)
        if view is None:
            if len(self._obeying) >= MAX_ENCODERS:
                self._obeying.clear()
            view = self._obeying[obeyed] = self._viewed(obeyed=obeyed)
        return view

    def without_ids_around(self) -> Self:
        """Return the tokenizer that puts no ids before and after those of a text, as for a text with a template's."""
        return self._viewed(adds_ids=False)

    def with_config(self, config: TokenizerConfig) -> Self:
        """Return the tokenizer about which the files of its folder say something else. No id changes.

        >>> tokenizer = Tokenizer({0: b"l"}, [], ["<e>"], recipe="cs336-toy")
        >>> tokenizer.with_config(TokenizerConfig({"eos_token": "<e>"})).config.roles
        {'eos_token': '<e>'}
        """
        return self._viewed(config=config)

    def with_particulars(self, particulars: Particulars) -> Self:
        """Return the tokenizer about which its `tokenizer.json` says something else besides ids."""
        return self._viewed(particulars=particulars)

    def with_notes(self, notes: Sequence[EngineError]) -> Self:
        """Return the tokenizer with further notes."""
        return self._viewed(notes=(*self.notes, *notes))

    def changed(
        self,
        *,
        vocab: Mapping[int, bytes] | None = None,
        merges: Iterable[TokenPair] | None = None,
        special_tokens: Mapping[str, int] | None = None,
        merge_counts: Iterable[int] | None = None,
        other_merges: Mapping[TokenPair, int] | None = None,
        **parts: Any,
    ) -> "Tokenizer":
        """Return a tokenizer with some parts replaced, given as to the constructor, and all others kept.

        The counts of merges are kept only with the merges. Raise TokenizerError for inconsistent ids or tokens.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], ["<e>"], recipe="cs336-toy")
        >>> tokenizer.changed(special_tokens={"<end>": 3}).encode("lo<end>")
        [2, 3]
        """
        others = {pair: rank for pair, rank in self._store.other_merges.items() if rank < self._position}
        counts = self.merge_counts if merges is None else None
        unknown_id = parts.pop("unknown_id", self._unknown_id)
        said: dict[str, Any] = {"config": self.config, "notes": self.notes, "particulars": self.particulars}
        kept = {"recipe": self.recipe, "pipeline": self._store.pipeline, **said}
        if vocab is None and special_tokens is not None:  # without the special tokens that there were
            vocab = {
                i: t for i, t in self.vocab.items() if not self._store.is_special(i) or self._store.ids.get(t) == i
            }
        return Tokenizer(
            self.vocab if vocab is None else vocab,
            self.merges if merges is None else merges,
            self.special_tokens if special_tokens is None else special_tokens,
            merge_counts=counts if merge_counts is None else merge_counts,
            other_merges=others if other_merges is None else other_merges,
            **(kept | parts),
        ).with_unknown_id(unknown_id)

    # -- vocabulary and merges --------------------------------------------------------------------------------------

    @property
    def store(self) -> MergeStore:
        """The store that this tokenizer is a view of."""
        return self._store

    @property
    def position(self) -> int:
        """The step of this tokenizer: the number of merges it applies.

        >>> Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").at(0).position
        0
        """
        return self._position

    @property
    def recipe(self) -> Recipe:
        """The recipe by which text becomes symbols; with a pipeline, the nearest recipe."""
        return self._store.recipe

    @property
    def pipeline(self) -> "Pipeline | None":
        """The steps around the merges, if a recipe cannot describe them, else None."""
        return self._encoder.pipeline

    @cached_property
    def as_pipeline(self) -> "Pipeline":
        """The pipeline, or one with the few steps that a recipe stands for: special tokens, and how it splits text."""
        if self.pipeline is not None:
            return self.pipeline
        from bpe_gui.engine.pipeline.added_tokens import AddedToken  # not needed otherwise
        from bpe_gui.engine.pipeline.pipeline import Pipeline
        from bpe_gui.engine.pipeline.pre_tokenizers import RecipeSplit

        obeyed, outer, recipe = self.obeyed_special_tokens, self.particulars.outer_ids, self.recipe
        added = (
            AddedToken(id=i, content=token, is_obeyed=token in obeyed, in_vocabulary=i not in outer)
            for token, i in self.special_tokens.items()
        )
        split = RecipeSplit(recipe.splitter, takes_space=recipe.boundary == "prefix")
        return Pipeline(added_tokens=tuple(added), pre_tokenizers=(split,))

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What happens to text before any merge."""
        return self.recipe.statements() if self.pipeline is None else self.pipeline.statements

    @property
    def encodes_by_word(self) -> bool:
        """Whether the ids of a word depend only on the word: without a pipeline, and unless whole words join."""
        return self.pipeline is None and not self._joins_words

    @property
    def _joins_words(self) -> bool:
        return 0 < self.recipe.superwords_from < self._position

    @property
    def unknown_id(self) -> int | None:
        """The id that a symbol without an id gets; None if such a symbol is an error."""
        return self._unknown_id

    @property
    def config(self) -> TokenizerConfig:
        """What the files beside the tokenizer say: roles of special tokens, chat templates, and everything else."""
        return self._view.config

    @property
    def particulars(self) -> Particulars:
        """What its `tokenizer.json` says besides ids: pairs of texts, trimmed offsets, truncation and padding."""
        return self._view.particulars

    @property
    def notes(self) -> tuple[EngineError, ...]:
        """Sentences about what a file leaves open and was assumed, or says and is kept, but not applied."""
        return self._view.notes

    @property
    def roles(self) -> dict[str, str]:
        """The special tokens by the roles that the files beside the tokenizer give them, such as `eos_token`."""
        return dict(self.config.roles)

    @property
    def chat_templates(self) -> dict[str, str]:
        """The templates by which messages become a text, by name; a model's only one is named `default`."""
        return dict(self.config.chat_templates)

    @cached_property
    def vocab(self) -> dict[int, bytes]:
        """The bytes of each token by id, special tokens included. It is cached: do not change it.

        >>> Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").at(0).vocab
        {0: b'l', 1: b'o'}
        """
        return self._store.vocab_at(self._position)

    @property
    def merges(self) -> list[TokenPair]:
        """The (left, right) pairs that merge, in the order of their ranks.

        >>> Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").merges
        [(b'l', b'o')]
        """
        return self._store.merges[: self._position]

    @property
    def other_merges(self) -> dict[TokenPair, int]:
        """Further pairs that merge, each with the rank of the merge that makes the same token."""
        return dict(self._store.other_merges)

    @property
    def merge_counts(self) -> list[int] | None:
        """How often the pair of each merge occurred when it was chosen, or None if unknown."""
        counts = self._store.merge_counts
        return None if counts is None else counts[: self._position]

    @property
    def special_tokens(self) -> dict[str, int]:
        """The ids of the special tokens.

        >>> Tokenizer({0: b"l"}, [], ["<end>"], recipe="cs336-toy").special_tokens
        {'<end>': 1}
        """
        return dict(self._store.special_ids)

    @property
    def obeyed_special_tokens(self) -> dict[str, int]:
        """The ids of the special tokens that are special in text: all of them, unless `obeying` chose others."""
        return {token: i for token, i in self._store.special_ids.items() if self._obeyed.has(token)}

    def token(self, token_id: int) -> bytes:
        """Return the bytes of a token. Raise TokenizerError for an id that does not exist at this step.

        >>> Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").token(2)
        b'lo'
        """
        token = self._store.vocab.get(token_id)
        if token is None or not (self._store.exists(token, self._position) or self._store.is_special(token_id)):
            raise TokenizerError(
                "No token has the id {id!r}. The ids of this vocabulary range from {low} to {high}.",
                id=token_id,
                low=min(self.vocab, default=0),
                high=max(self.vocab, default=0),
            )
        return token

    @property
    def refuses_unknown(self) -> bool:
        """Whether a symbol without an id is an error, rather than an unknown token or left out.

        >>> Tokenizer({0: b"l"}, [], recipe="cs336-toy").refuses_unknown
        True
        """
        return self.pipeline is None and self.unknown_id is None

    def spelled(self, token: int | bytes) -> str:
        """Return the token of an id as `vocab.json` spells it, or a symbol that may have no id, by its bytes.

        Raise TokenizerError for an id that does not exist at this step.

        >>> Tokenizer({0: b" ", 1: b"l"}, []).spelled(0), Tokenizer({0: b" "}, [], recipe="cs336-toy").spelled(0)
        ('Ġ', ' ')
        >>> Tokenizer({0: b"l"}, []).spelled(b" l")
        'Ġl'
        """
        is_special = not isinstance(token, bytes) and self._store.is_special(token)
        symbol = token if isinstance(token, bytes) else self.token(token)
        is_printable = is_written_printable(self.recipe) and not is_special
        return to_printable(symbol) if is_printable else symbol.decode(errors="replace")

    def token_id(self, token: bytes | str) -> int | None:
        """Return the id of a token of this step; None if there is none.

        A string is first looked up among special tokens and then among others, bytes the other way round. If several
        tokens have the same bytes, the lowest id is returned. Raise TokenizerError for a lone surrogate.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], ["<e>"], recipe="cs336-toy")
        >>> tokenizer.token_id(b"lo"), tokenizer.token_id("<e>"), tokenizer.token_id("low")
        (2, 3, None)
        """
        check_type("token", token, bytes, str)
        is_name = isinstance(token, str)
        if isinstance(token, str):
            check_surrogates(token, error=TokenizerError)
            token = token.encode()
        for special in (is_name, not is_name):
            entry = self._store.entry(token, special=special)
            if entry is not None and entry[1] <= self._position:
                return entry[0]
        return None

    def stands_for(self, token: bytes) -> bytes:
        """Return the bytes that a token stands for in text: its own, or the byte that a name such as `<0x00>` gives.

        >>> Tokenizer({0: b"l"}, [], recipe="cs336-toy").stands_for(b"l")
        b'l'
        """
        return self._store.model.represented_bytes(token)

    def rank(self, token_id: int) -> int | None:
        """Return the rank of the merge that made a token; None for the alphabet, special tokens and unknown ids.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> tokenizer.rank(2), tokenizer.rank(1)
        (0, None)
        """
        if self._store.is_special(token_id):
            return None
        rank = self._store.token_ranks.get(self._store.vocab.get(token_id, b""), self._position)
        return rank if rank < self._position else None

    def lineage(self, token_id: int) -> Lineage:
        """Return the tree of merges that made a token. Raise TokenizerError for an id that does not exist.

        >>> tree = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").lineage(2)
        >>> tree.rank, [part.bytes for part in tree.parts]
        (0, [b'l', b'o'])
        """
        token = self.token(token_id)
        if self.rank(token_id) is None:
            return Lineage(token_id, token, None, ())
        return lineage_of(token, self._store, self._position)

    def ranks_with(self, token_id: int) -> list[int]:
        """Return the ranks of the merges that have a token as a part. Raise TokenizerError for an unknown id.

        >>> Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").ranks_with(1)
        [0]
        """
        token = self.token(token_id)
        if self._store.is_special(token_id):
            return []
        return [rank for rank, pair in enumerate(self._store.merges[: self._position]) if token in pair]

    def entries(self) -> Entries:
        """Return the vocabulary of all steps of the store in the order of ids, with the step that makes each token.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> tokenizer.at(0).entries().steps.tolist()
        [0, 0, 1]
        """
        return self._store.entries()

    @property
    def largest_id(self) -> int:
        """The largest id of all steps of the store, or 0 if there is none."""
        return self._store.largest_id

    # -- text to ids ------------------------------------------------------------------------------------------------

    def encode(self, text: str, allowed_special: AllowedSpecial = "all") -> list[int]:
        """Return the ids of `text`. Raise TokenizerError for a lone surrogate, or a symbol without an id.

        `allowed_special` says how to treat special tokens in the text, which matters for text from others:

        - "all": each is one token;
        - "none": all are plain text;
        - "none_raise": any is an error, which gives its name and its index in code points;
        - a set of special tokens: each of these is one token, and others are plain text. An unknown one is an error.

        >>> tokenizer = Tokenizer({60: b"<", 62: b">", 101: b"e"}, [], {"<e>": 0}, recipe="cs336-toy")
        >>> tokenizer.encode("e<e>"), tokenizer.encode("e<e>", allowed_special="none")
        ([101, 0], [101, 60, 101, 62])
        >>> tokenizer.encode("e<e>", allowed_special="none_raise")
        Traceback (most recent call last):
        bpe_gui.engine.runtime.errors.TokenizerError: The text has the special token '<e>' at character 1, ...
        """
        view = self if allowed_special is _ALL else self.obeying(allowed_special)
        ids = view._short.listed(text)
        if ids is None:
            check_type("text", text, str)
            view._short = view._encoder.short_texts(view._usual_options)
            ids = listed_ids(view._encoder, text, view._usual_options)
        return ids

    def encode_array(
        self, text: str | bytes, threads: int | None = None, *, allowed_special: AllowedSpecial = "all"
    ) -> Int32Array:
        """Return the ids of `text` as an int32 array.

        The text may be given in UTF-8, as in a file, which saves decoding it. At most `threads` threads are used; by
        default, this depends on the size of the text. `allowed_special` is as for `encode`. Raise TokenizerError as
        `encode` does, and for invalid UTF-8.

        >>> Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").encode_array(b"lol").tolist()
        [2, 0]
        """
        view = self if allowed_special is _ALL else self.obeying(allowed_special)
        if threads is None:
            ids = view._short.in_array(text)
            if ids is not None:
                return ids
            view._short = view._encoder.short_texts(view._usual_options)
        check_type("text", text, str, bytes)
        return view._encoder.ids(text, view._usual_options if threads is None else view._options(threads))

    def _options(self, threads: int | None = None) -> EncodingOptions:
        if threads is not None and threads < 1:
            raise TokenizerError("The number of threads must be 1 or more, not {threads}.", threads=threads)
        return EncodingOptions(self._position, self._unknown_id, threads, self._obeyed.refuses)

    def encode_batch(self, texts: Iterable[str], allowed_special: AllowedSpecial = "all") -> list[list[int]]:
        """Return the ids of each text. `allowed_special` is as for `encode`.

        Raise TokenizerError as `encode` does, with a note that gives the number of the text.

        >>> Tokenizer({0: b"l", 1: b"o"}, [], recipe="cs336-toy").encode_batch(["l", "lo"])
        [[0], [0, 1]]
        """
        check_several("texts", texts)
        view = self.obeying(allowed_special)
        return view._encoder.listed_batch(texts, view._usual_options)

    def text_ids(self, texts: bytes, *, allowed_special: AllowedSpecial = "all") -> TextIds:
        """Return the ids of many texts as one array, with the end of each, without the ids around a text.

        The texts are valid UTF-8 with `TEXT_END` after each. `allowed_special` is as for `encode`; raise TokenizerError
        as it does, with a note that gives the number of the text.

        >>> from bpe_gui.engine.text.special_tokens import TEXT_END
        >>> found = Tokenizer({0: b"l", 1: b"o"}, [], recipe="cs336-toy").text_ids(b"lo%bl%b" % (TEXT_END, TEXT_END))
        >>> found.ids.tolist(), found.ends.tolist()
        ([0, 1, 0], [2, 3])
        """
        view = self if allowed_special is _ALL else self.obeying(allowed_special)
        return view._encoder.text_ids(texts, view._options(threads=1))

    def encode_iterable(self, iterable: str | Iterable[str], allowed_special: AllowedSpecial = "all") -> Iterator[int]:
        """Yield the ids of the text that the chunks form together.

        The memory needed is bounded by the longest chunk and word; but a pipeline whose steps may treat the ends of a
        text differently, such as those that put a space before it, needs the whole text.
        `allowed_special` is as for `encode`, and indices count from the beginning of the first chunk. Raise
        TokenizerError as `encode` does.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> list(tokenizer.encode_iterable(["l", "o", "l"]))
        [2, 0]
        """
        return (token_id for ids in self.encode_stream(iterable, allowed_special) for token_id in ids.tolist())

    def encode_stream(self, iterable: Iterable[str], allowed_special: AllowedSpecial = "all") -> Iterator[Int32Array]:
        """Yield the ids that `encode_iterable` yields, in arrays: one for each block of text.

        After an empty chunk, what has arrived is encoded as far as no later text changes its ids, so whoever knows that
        nothing more will come for a while can have them at once.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b" "}, [], recipe="cs336")
        >>> [ids.tolist() for ids in tokenizer.encode_stream(["lo l", "", "o"])]
        [[0, 1], [2, 0, 1]]
        """
        view = self.obeying(allowed_special)
        return view._encoder.stream(_checked_texts(iterable), view._options())

    def encoding(self, text: str, allowed_special: AllowedSpecial = "all") -> Encoding:
        """Return the ids of `text` with the offsets of their tokens, in bytes and in code points.

        White space is left out of the offsets if the tokenizer's `tokenizer.json` says so; not in `token_arrays`.
        `allowed_special` is as for `encode`; raise TokenizerError as it does.

        >>> encoding = Tokenizer({0: b"a", 1: "你".encode()}, [], recipe="cs336-toy").encoding("a你 a")
        >>> encoding
        Encoding(ids=[0, 1, 0], byte_spans=[(0, 1), (1, 4), (5, 6)])
        >>> encoding.char_spans
        [(0, 1), (1, 2), (3, 4)]
        """
        check_surrogates(text, error=TokenizerError)
        ids, starts, stops = self.obeying(allowed_special).token_arrays(text.encode())
        encoding = Encoding(ids.tolist(), list(zip(starts.tolist(), stops.tolist(), strict=True)), text)
        if not (steps := self.particulars.trimming):
            return encoding
        pipeline, is_printed = self.as_pipeline, self.recipe.units == "bytes"
        added = {token.id for token in pipeline.added_tokens}
        around = len(pipeline.ids_before), len(pipeline.ids_after)

        def written(token_id: int) -> bytes:  # where bytes are printed, only spaces are white space
            token = self.token(token_id)
            return to_printable(token).encode() if is_printed else token

        return with_trimmed_offsets(encoding, steps, written, added, around)

    def token_arrays(self, text: bytes) -> TokenArrays:
        """Return the ids of a text in UTF-8 and the offsets of the bytes that each token covers, as arrays.

        >>> Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").token_arrays(b"lol").stops
        array([2, 3])
        """
        check_type("text", text, bytes)
        return self._encoder.token_arrays(text, self._options())

    def chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        template: str | None = None,
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        **variables: Any,
    ) -> Encoding:
        """Return the ids of messages, as the model's chat template makes a text of them, with the offsets in that text.

        They are those of `apply_chat_template` in `transformers`. Each message is a dict with a `role` and a `content`,
        a text or a list of parts that are text, and what else the template knows, such as `tool_calls`. `template` is
        a name in `chat_templates`; `tools` are JSON schemas, and further `variables` go to the template as they are. A
        special token that someone writes in a message is obeyed like the template's own.

        Raise TokenizerError for messages that are not text, and for a template that does not exist or fails, with its
        line. A template that takes more than a second, or too much memory, is stopped.

        >>> config = TokenizerConfig({"chat_template": "{% for m in messages %}{{ m.content }}<e>{% endfor %}"})
        >>> tokenizer = Tokenizer({0: b"l", 1: b"o"}, [], ["<e>"], recipe="cs336-toy", config=config)
        >>> tokenizer.chat([{"role": "user", "content": "lo"}]).ids
        [0, 1, 2]
        """
        chat = self.chat_text(messages, template, tools, add_generation_prompt, **variables)
        return self.without_ids_around().encoding(chat.text)

    def chat_text(
        self,
        messages: Sequence[Mapping[str, Any]],
        template: str | None = None,
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        **variables: Any,
    ) -> "ChatText":
        """Return the text that `chat` encodes, with what of it was said in which message. Raise TokenizerError as it.

        >>> config = TokenizerConfig({"chat_template": "{% for m in messages %}{{ m.content }}<e>{% endfor %}"})
        >>> chat = Tokenizer({}, [], config=config).chat_text([{"role": "user", "content": "lo"}])
        >>> chat.text, chat.said
        ('lo<e>', (Said(message=0, start=0, stop=2),))
        """
        from bpe_gui.engine.chats.conversation import ChatText, chosen_template

        source = chosen_template(self.chat_templates, template, tools)
        given = {"tools": tools, "documents": None, "add_generation_prompt": add_generation_prompt}
        special = [token for token, i in self.obeyed_special_tokens.items() if i in self._skipped_ids]
        return ChatText(source, messages, {**given, **self.config.roles, **variables}, special)

    @property
    def chunker(self) -> Chunker:
        """Finds chunks of a text that can be encoded one by one."""
        return self._encoder.chunker_for(self._usual_options)

    def word_starts(self, text: bytes) -> Int64Array:
        """Return the byte offsets at which the words (pre-tokens) and special tokens of a text in UTF-8 begin.

        >>> Tokenizer({0: b"l"}, [], recipe="cs336-toy").word_starts(b"low lower")
        array([0, 4])
        """
        check_type("text", text, bytes)
        return self._encoder.word_starts(text)

    def word_ids(self, words: bytes, starts: Int64Array) -> tuple[Int32Array, Int64Array]:
        """Return the ids of joined words, and the index of each word's first id followed by the number of ids.

        Word w is the UTF-8 bytes from `starts[w]` up to `starts[w + 1]`, as in `WordCounts`. It is encoded separately,
        and not searched for special tokens; a pipeline takes words as `model_words` yields them. Raise TokenizerError
        for starts that are not ascending offsets of characters, for invalid UTF-8, for a symbol without an id if there
        is no id for unknown symbols, and where whole words join.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> ids, firsts = tokenizer.word_ids(b"lolo", np.array([0, 3, 4]))
        >>> ids.tolist(), firsts.tolist()
        ([2, 0, 1], [0, 2, 3])
        """
        if self._joins_words:
            raise TokenizerError(
                "How this tokenizer splits text into words depends on the whole text, so words cannot be encoded "
                "separately. Encode the text instead."
            )
        check_type("words", words, bytes)
        starts = np.array(starts).astype(
            np.int64, casting="same_kind"
        )  # a copy, so that it cannot change after the check
        check_word_starts(words, starts)
        return self._encoder.word_ids(words, starts, self._options())

    def model_words(self, text: bytes) -> Iterator[ModelWords]:
        """Yield the words of a text in UTF-8 as the merges get them, some at a time.

        Added tokens are left out. If no step splits text, words begin at spaces that are symbols.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o"}, [], ["<e>"], recipe="cs336-toy")
        >>> next(tokenizer.model_words(b"lo<e>l")).text
        b'lol'
        """
        return self._encoder.model_words(text)

    def ids_by_word(self, text: bytes) -> tuple[Int32Array, Int64Array]:
        """Return the ids of the words (pre-tokens) of a text in UTF-8, and the index of each word's first id.

        The number of ids follows the indices. Special tokens and ids around the text are left out. Raise TokenizerError
        as `encode` does.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> ids, firsts = tokenizer.ids_by_word(b"lol lo")
        >>> ids.tolist(), firsts.tolist()
        ([2, 0, 2], [0, 2, 3])
        """
        check_type("text", text, bytes)
        return self._encoder.ids_by_word(text, self._options())

    def tokenize(self, text: str, allowed_special: AllowedSpecial = "all") -> list[bytes]:
        """Return the tokens of `text` as bytes. `allowed_special` is as for `encode`; raise TokenizerError as it does.

        >>> Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").tokenize("lol")
        [b'lo', b'l']
        """
        return [self.token(token_id) for token_id in self.encode(text, allowed_special)]

    def trace(self, text: str) -> list[WordTrace]:
        """Return the merges that encoding applies, in order, word by word; special tokens are left out.

        A word that stays whole has no merges. Raise TokenizerError for a lone surrogate.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> [step.symbols for word in tokenizer.trace("lol") for step in word.steps]
        [(b'lo', b'l')]
        """
        check_surrogates(text, error=TokenizerError)
        return list(self._encoder.traces(text, self._options()))

    # -- ids to text ------------------------------------------------------------------------------------------------

    def decode(self, ids: Iterable[int], errors: DecodeErrors = "replace", skip_special_tokens: bool = False) -> str:
        """Return the text of ids; by default, bytes that are not valid UTF-8 become U+FFFD.

        Special tokens are part of the text unless they are skipped. Raise TokenizerError for an id that does not exist,
        and with `errors="strict"` for invalid UTF-8.

        >>> tokenizer = Tokenizer({0: b"l", 1: b"o"}, [], ["<e>"], recipe="cs336-toy")
        >>> tokenizer.decode([0, 1, 0, 2]), tokenizer.decode([0, 1, 0, 2], skip_special_tokens=True)
        ('lol<e>', 'lol')
        """
        if type(ids) is list and errors == "replace" and not skip_special_tokens:
            text: str | None = self._decode_short(ids, to_string=True)
            if text is not None:
                return text
        data = self.decode_bytes(ids, skip_special_tokens)
        try:
            return data.decode("utf-8", errors)
        except UnicodeDecodeError as error:
            raise TokenizerError(
                "The ids decode to bytes that are not valid UTF-8 at offset {offset:,}.", offset=error.start
            ) from error

    def decode_batch(
        self, batches: Iterable[Iterable[int]], errors: DecodeErrors = "replace", skip_special_tokens: bool = False
    ) -> list[str]:
        """Return the text of each sequence of ids. Raise TokenizerError as `decode` does.

        >>> Tokenizer({0: b"l", 1: b"o"}, [], recipe="cs336-toy").decode_batch([[0], [0, 1]])
        ['l', 'lo']
        """
        check_several("batches", batches)
        return [self.decode(ids, errors, skip_special_tokens) for ids in batches]

    @overload
    def decode_iterable(self, ids: Iterable[int], skip_special_tokens: bool = False) -> Iterator[str]: ...

    @overload
    def decode_iterable(self, ids: AsyncIterable[int], skip_special_tokens: bool = False) -> AsyncIterator[str]: ...

    def decode_iterable(
        self, ids: Iterable[int] | AsyncIterable[int], skip_special_tokens: bool = False
    ) -> Iterator[str] | AsyncIterator[str]:
        """Yield the text of ids in pieces of whole characters, each as soon as no later id can change it.

        Joined, the pieces equal the result of `decode`. Text that may still change is held back: a character until its
        last byte, a run of byte tokens (`<0xE4>`) until its end, a space that would be dropped at the end of the text.
        A pipeline that replaces text after joining all tokens gives a single piece at the end. For ids that come by
        `async for`, so do the pieces. Raise TokenizerError as `decode` does.

        >>> tokenizer = Tokenizer({byte: bytes([byte]) for byte in range(256)}, [])
        >>> list(tokenizer.decode_iterable([104, 195, 169, 33]))
        ['h', 'é', '!']
        """
        if isinstance(ids, AsyncIterable) and not isinstance(ids, Iterable):
            return decode_arriving(self.stream_decoder(skip_special_tokens), ids)
        return filter(None, decode_utf8_pieces(self.decode_bytes_iterable(ids, skip_special_tokens)))

    def decode_bytes_iterable(self, ids: Iterable[int], skip_special_tokens: bool = False) -> Iterator[bytes]:
        """Yield the result of `decode_bytes` in pieces, each byte as soon as it is known.

        >>> tokenizer = Tokenizer({byte: bytes([byte]) for byte in range(256)}, [])
        >>> list(tokenizer.decode_bytes_iterable([195, 169]))
        [b'\\xc3', b'\\xa9']
        """
        check_several("ids", ids)
        return self._text_pieces(self._tokens_of(ids, self._skipped_ids if skip_special_tokens else frozenset()))

    def stream_decoder(self, skip_special_tokens: bool = False) -> StreamDecoder:
        """Return a decoder to which ids are pushed one by one, as a model generates them.

        It holds back text as `decode_iterable` does. While a pipeline's steps look ahead, it has a thread of its own.

        >>> stream = Tokenizer({0: b"l", 1: b"o", 2: b"\\xc3"}, [], recipe="cs336").stream_decoder()
        >>> stream.push(0), stream.push(2), stream.finish()
        ('l', '', '�')
        """
        skipped: Container[int] = self._skipped_ids if skip_special_tokens else frozenset()
        return StreamDecoder(
            lambda token_id, number: next(self._tokens_of([token_id], skipped, number), None),
            self._text_pieces,
            looks_ahead=not (self.pipeline is None or self.joins_bytes),
        )

    def _tokens_of(
        self, ids: Iterable[int], skipped: Container[int], first_number: int = 1
    ) -> Iterator[tuple[int, bytes]]:
        """Yield ids with their tokens. Raise TokenizerError for an id that does not exist."""
        for number, token_id in enumerate(ids, start=first_number):
            _check_integers([token_id], number)
            if token_id not in skipped:
                yield token_id, self.token(token_id)

    def _text_pieces(self, entries: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
        """Yield the UTF-8 text of tokens, given with their ids, in pieces as soon as they are certain."""
        if self.pipeline is not None:
            return self.pipeline.decode_pieces(entries)
        return text_pieces((token for _id, token in entries), self.recipe)

    @property
    def joins_bytes(self) -> bool:
        """Whether decoding just concatenates the bytes of tokens.

        >>> Tokenizer({}, [], recipe="cs336").joins_bytes, Tokenizer({}, [], recipe="char-eow").joins_bytes
        (True, False)
        """
        return self.recipe.boundary == "none" if self.pipeline is None else self.pipeline.joins_bytes

    @cached_property
    def _skipped_ids(self) -> frozenset[int]:
        """The ids that are left out when special tokens are skipped; not those of added tokens that are not special."""
        added = self.pipeline.added_tokens if self.pipeline else ()
        return frozenset(self._store.special_ids.values()) - {token.id for token in added if not token.special}

    def decode_bytes(self, ids: Iterable[int], skip_special_tokens: bool = False) -> bytes:
        """Return the bytes of ids; end-of-word markers become the spaces they stand for.

        Raise TokenizerError for an id that does not exist.

        >>> Tokenizer({0: b"l", 1: b"o"}, [], recipe="cs336-toy").decode_bytes([0, 1, 0])
        b'lol'
        """
        given = _listed(ids)
        if skip_special_tokens:
            given = _without(given, self._skipped_ids)
        if type(given) is list:
            data: bytes | None = self._decode_short(given, to_string=False)
            if data is not None:
                return data
        if len(given) >= _WORTH_KERNELS and self.joins_bytes and is_compiled():
            data = self._store.decoder().decode(given, self._position)
            if data is not None:
                return data
        listed: list[int] = given.tolist() if isinstance(given, np.ndarray) else list(given)
        _check_integers(listed)
        tokens = [self.token(token_id) for token_id in listed]
        return b"".join(self._text_pieces(zip(listed, tokens, strict=True)))

    def _decode_short(self, ids: list[int], *, to_string: bool) -> Any:
        """Return the text of a short list of ids, or None if it must be decoded in the general way."""
        decoder = self._short_decoder
        if decoder is None:
            self._decoded += len(ids)
            if self._decoded < _WORTH_DECODER or not self.joins_bytes:
                return None
            decoder = self._short_decoder = self._store.decoder().for_short_texts(self._position)
        return None if decoder is None else decoder.decode(ids, to_string=to_string)


def _checked_texts(chunks: Iterable[str]) -> Iterator[str]:
    """Yield the same chunks. Raise TokenizerError for one that is not a string."""
    for chunk in chunks:
        check_type("text", chunk, str)
        yield chunk


def _listed(ids: Iterable[int]) -> Int32Array | list[int]:
    """Return ids as an array or a list. Raise TokenizerError for a value that is not iterable."""
    if type(ids) is list:
        return ids
    if not isinstance(ids, np.ndarray):
        check_several("ids", ids)
        return list(iter(ids))  # ignores a wrong `__len__`
    if ids.ndim != 1:
        raise TokenizerError(
            "The ids must be a single sequence, but the array has {dimensions} dimensions.", dimensions=ids.ndim
        )
    return ids


def _without(ids: Int32Array | list[int], skipped: frozenset[int]) -> Int32Array | list[int]:
    """Return the ids without the skipped ones. Raise TokenizerError for an id that is not an integer."""
    if isinstance(ids, np.ndarray):
        return ids[~np.isin(ids, list(skipped))]
    _check_integers(ids)
    return [token_id for token_id in ids if token_id not in skipped]


def _check_integers(ids: Iterable[object], first_number: int = 1) -> None:
    if set(map(type, ids)) <= {int}:
        return
    for number, token_id in enumerate(ids, start=first_number):
        if not isinstance(token_id, Integral):
            raise TokenizerError("Id number {number} is {id!r}. An id must be an integer.", number=number, id=token_id)
