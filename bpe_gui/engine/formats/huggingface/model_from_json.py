"""What `tokenizer.json` says of the model and of added tokens, as it is spelled there: read and checked."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.bounded_json import Part
from bpe_gui.engine.pipeline import AddedToken
from bpe_gui.engine.formats.huggingface.steps_from_json import check_keys

_MOST_ADDED: Final = 100_000
_LONGEST: Final = 1_000  # characters of an added token, a prefix or a suffix
_MOST_ID: Final = (1 << 31) - 1
_FLAGS: Final = ("single_word", "lstrip", "rstrip", "normalized", "special")
_KEYS: Final = (
    *("type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk"),
    *("byte_fallback", "ignore_merges", "vocab", "merges"),
)
_OLD_HEADER: Final = "#version"

Merge = tuple[str, str]


class Written(NamedTuple):
    """A model and added tokens, as they are spelled in a file."""

    ids: dict[str, int]
    merges: list[Merge]
    added: list[AddedToken]
    unknown: str | None
    """The token for unknown characters."""
    suffix: str
    prefix: str
    fuses_unknown: bool
    falls_back_to_bytes: bool
    ignores_merges: bool

    @property
    def merged_tokens(self) -> set[str]:
        """The tokens that are in merges, or made by them."""
        return {token for left, right in self.merges for token in (left, right, merged(left, right, self.prefix))}


def written_in(root: Part) -> Written:
    """What a file has. Raises FormatError, naming the place."""
    model = root.member("model")
    kind = model.member("type")
    if not kind.is_null and kind.text() != "BPE":
        raise kind.wrong(
            _("EngineError", "{path}: {place} is {value!r}; of the models of tokenizers, only BPE can be opened.")
        )
    check_keys(model, _KEYS)
    if (dropout := model.member("dropout")).value not in (None, 0):
        raise dropout.wrong(
            _("EngineError", "{path}: {place} is {value!r}, which leaves ids to chance; it must be null.")
        )
    ids = _vocab(model.member("vocab"))
    prefix = _text_or_none(model.member("continuing_subword_prefix")) or ""
    return Written(
        ids=ids,
        merges=_merges(model.member("merges"), ids, prefix),
        added=_added(root.member("added_tokens"), ids),
        unknown=_text_or_none(model.member("unk_token")),
        suffix=_text_or_none(model.member("end_of_word_suffix")) or "",
        prefix=prefix,
        fuses_unknown=_is_set(model.member("fuse_unk")),
        falls_back_to_bytes=_is_set(model.member("byte_fallback")),
        ignores_merges=_is_set(model.member("ignore_merges")),
    )


def _text_or_none(part: Part) -> str | None:
    """A text; None for what is not there."""
    if part.is_null:
        return None
    if len(part.text()) > _LONGEST:
        raise part.wrong(_("EngineError", "{path}: {place} is longer than {most:,} characters."), most=_LONGEST)
    return part.text()


def _is_set(part: Part) -> bool:
    return not part.is_null and part.truth()


# -- vocabulary ---------------------------------------------------------------------------------------------------


def _vocab(part: Part) -> dict[str, int]:
    """The ids by token."""
    part.member("")  # raises for what is no object
    ids: dict[str, int] = part.value
    owners: dict[int, str] = {}
    for token, token_id in ids.items():
        if type(token_id) is not int or not 0 <= token_id <= _MOST_ID:
            part.member(token).whole(0, _MOST_ID)  # raises
        if not token:
            raise part.wrong(_("EngineError", "{path}: in {place}, the token with the id {id} is empty."), id=token_id)
        if owners.setdefault(token_id, token) != token:
            raise part.wrong(
                _("EngineError", "{path}: in {place}, {token!r} has the id {id}, as {other!r} has already."),
                token=token,
                id=token_id,
                other=owners[token_id],
            )
    return ids


# -- merges -------------------------------------------------------------------------------------------------------


def _merges(part: Part, ids: Mapping[str, int], prefix: str) -> list[Merge]:
    """The merges by rank. Of one that is there twice, the last counts."""
    rank_of: dict[Merge, int] = {}
    for rank, (left, right) in _pairs(part):
        for token in (left, right, merged(left, right, prefix)):
            if token not in ids:
                raise part.wrong(
                    _("EngineError", "{path}: {place}[{rank}] needs the token {token!r}, which is not in model.vocab."),
                    rank=rank,
                    token=token,
                )
        rank_of[left, right] = rank
    return sorted(rank_of, key=rank_of.__getitem__)


def merged(left: str, right: str, prefix: str) -> str:
    """The token that two make; what marks the right one as no first of a word is left out.

    >>> merged("lo", "##w", "##")
    'low'
    """
    if not prefix:
        return left + right
    return (left.encode() + right.encode()[len(prefix.encode()) :]).decode("utf-8", "replace")


def _pairs(part: Part) -> Iterator[tuple[int, Merge]]:
    """The two tokens of each merge, with the number of its line."""
    listed = part.list()
    if listed and isinstance(listed[0], str):
        yield from _old_pairs(part, listed)
        return
    for rank, pair in enumerate(listed):
        match pair:
            case [str() as left, str() as right]:
                yield rank, (left, right)
            case _:
                raise part.wrong(
                    _("EngineError", "{path}: {place}[{rank}] must be a pair of tokens, as the others are."), rank=rank
                )


def _old_pairs(part: Part, listed: list[Any]) -> Iterator[tuple[int, Merge]]:
    """The same of files that write a merge as one text, with a space between."""
    for rank, line in enumerate(listed):
        if isinstance(line, str) and line.startswith(_OLD_HEADER):
            continue
        match line.split(" ") if isinstance(line, str) else None:
            case [left, right]:
                yield rank, (left, right)
            case _:
                raise part.wrong(
                    _("EngineError", "{path}: {place}[{rank}] must be two tokens with a space between."), rank=rank
                )


# -- added tokens -------------------------------------------------------------------------------------------------


def _added(part: Part, ids: Mapping[str, int]) -> list[AddedToken]:
    """The added tokens in the order of the file. Their ids have to be those that the library would give them."""
    tokens: list[AddedToken] = []
    seen: set[str] = set()
    for entry in [] if part.is_null else part.items(_MOST_ADDED):
        check_keys(entry, ("id", "content", *_FLAGS))
        content = entry.member("content").text()
        if not content or len(content) > _LONGEST:
            raise entry.wrong(
                _("EngineError", "{path}: {place}.content must have from 1 to {most:,} characters."), most=_LONGEST
            )
        if content in seen:
            raise entry.wrong(_("EngineError", "{path}: {place}: {token!r} is there twice."), token=content)
        seen.add(content)
        flags = {flag: entry.member(flag).truth() for flag in _FLAGS}
        token_id = entry.member("id").whole(0, _MOST_ID)
        tokens.append(AddedToken(id=token_id, content=content, in_vocabulary=content in ids, **flags))
    for token, number in zip(tokens, numbers([token.content for token in tokens], ids), strict=True):
        if token.id != number:
            raise part.wrong(
                _(
                    "EngineError",
                    "{path}: in {place}, {token!r} has the id {id}, but `tokenizers` would give it the id {number}.",
                ),
                token=token.content,
                id=token.id,
                number=number,
            )
    return tokens


def numbers(contents: Iterable[str], ids: Mapping[str, int]) -> Iterator[int]:
    """The ids that the library gives added tokens: as the vocabulary has them, or else from its size on.

    >>> list(numbers(["<a>", "b", "<c>"], {"a": 0, "b": 1}))
    [2, 1, 3]
    """
    last = -1
    for content in contents:
        number = ids.get(content, max(last + 1, len(ids)))
        yield number
        last = max(last, number)
