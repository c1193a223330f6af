"""Which special tokens in a text are obeyed: all, none or some; or they are refused. Each choice has its encoder."""

from collections.abc import Collection, Container
from typing import Final, Literal, NamedTuple

from bpe_gui.engine.encoding.recipe_encoder import RecipeEncoder
from bpe_gui.engine.encoding.superwords import SuperwordEncoder
from bpe_gui.engine.encoding.text_encoder import TextEncoder
from bpe_gui.engine.runtime.arguments import check_several
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.vocabulary.merge_store import MergeStore

AllowedSpecial = Literal["all", "none", "none_raise"] | Collection[str]
"""The choices that `Tokenizer.encode` explains."""

MAX_ENCODERS: Final = 16
"""The most encoders, and the most views of a tokenizer, that are kept for other choices than all special tokens."""


class Obeyed(NamedTuple):
    """The special tokens that are obeyed, or None for all of them; or whether special tokens in a text are refused."""

    tokens: frozenset[str] | None
    refuses: bool = False

    def has(self, token: str) -> bool:
        """Return whether this special token is obeyed."""
        return self.tokens is None or token in self.tokens


ALL: Final = Obeyed(None)
_NAMED: Final = {"all": None, "none": Obeyed(frozenset()), "none_raise": Obeyed(None, refuses=True)}


def obeyed_of(allowed_special: AllowedSpecial, known: Container[str]) -> Obeyed | None:
    """Return the special tokens that `allowed_special` means; None for "all".

    Raise TokenizerError for a name that is not a `known` special token.

    >>> obeyed_of(["<e>"], {"<e>", "<s>"})
    Obeyed(tokens=frozenset({'<e>'}), refuses=False)
    """
    if isinstance(allowed_special, str):
        if allowed_special in _NAMED:
            return _NAMED[allowed_special]
        raise TokenizerError(
            "The value of allowed_special must be 'all', 'none', 'none_raise' or a set of special tokens, not "
            "{given!r}.",
            given=allowed_special,
        )
    check_several("allowed_special", allowed_special)
    names = list(allowed_special)
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise TokenizerError(
                "The name {name!r} in allowed_special is not a special token of this tokenizer.", name=name
            )
    return Obeyed(frozenset(names))


class Encoders:
    """The encoders of a store: one for each choice of special tokens requested so far, with and without the ids around
    a text. They share their caches.
    """

    def __init__(self, store: MergeStore) -> None:
        self._usual = _encoder_of(store)
        self._others: dict[tuple[frozenset[str] | None, bool], TextEncoder] = {}

    def obeying(self, obeyed: Obeyed, adds_ids: bool = True) -> TextEncoder:
        """Return the encoder that obeys these special tokens."""
        key = obeyed.tokens, adds_ids
        if key == (None, True):
            return self._usual
        encoder = self._others.get(key)
        if encoder is None:
            if len(self._others) >= MAX_ENCODERS:
                self._others.clear()
            encoder = self._usual if obeyed.tokens is None else self._usual.obeying(obeyed.tokens)
            encoder = self._others[key] = encoder if adds_ids else encoder.without_ids_around()
        return encoder


def _encoder_of(store: MergeStore) -> TextEncoder:
    if store.recipe.superwords_from:
        return SuperwordEncoder(store)
    if store.pipeline is None:
        return RecipeEncoder(store)
    # Imported only when a tokenizer has a pipeline, because most programs need none.
    from bpe_gui.engine.encoding.pipeline_encoder import PipelineEncoder

    return PipelineEncoder(store, store.pipeline)
