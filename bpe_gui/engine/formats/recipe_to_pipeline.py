"""Recipes in the steps of Hugging Face's `tokenizers`, and which steps are a recipe.

Bytes are ByteLevel. A splitter is a Split by its pattern, of which nothing is left out where the pattern matches every
character, and what it does not match is removed where it does not. GPT-2's is in ByteLevel itself.

An end-of-word marker glued to the last unit is the model's `end_of_word_suffix`. A marker that is a symbol of its own
is spelled as a space, which no word has inside: in front of a word it is the space that stands there; after a word a
Replace puts one there before the text is cut.

What encoding does not ask for is not in the steps: how ties were broken, the order of the alphabet, counts of merges.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.runtime.printable import END_OF_WORD, from_printable, to_printable
from bpe_gui.engine.text.splitters import DROPPING
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.pipeline import AddedToken, Model, Pipeline, PreTokenizer, TokenDecoder
from bpe_gui.engine.pipeline.decoders import BPEDecoder, ByteLevelDecoder, Fuse, ReplaceDecoder
from bpe_gui.engine.pipeline.normalizers import Replace
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, Split
from bpe_gui.engine.pipeline.splitter_equivalents import ENDS, PREFIXED, SUFFIXED, split_of, splitter_of, words_of

_MARKER: Final = END_OF_WORD.decode()
_SPACE: Final = " "
_BOUNDARIES: Final = ("prefix", "suffix", "suffix-attached", "none")

Merge = tuple[bytes, bytes]
Pair = tuple[int, int]
"""Two tokens as numbers, which say in what order they are made."""

# -- the steps of a recipe ----------------------------------------------------------------------------------------


def pipeline_of(tokenizer: Tokenizer) -> Pipeline:
    """The steps that give exactly the ids of a tokenizer with a recipe.

    A symbol without an id is an error here, and left out in `tokenizers`; with an id for unknown symbols both give
    that. Raises FormatError where no steps give these ids.

    >>> pipeline_of(Tokenizer({0: b"l"}, [], recipe="cs336")).pre_tokenizers
    (ByteLevel(add_prefix_space=False, use_regex=True),)
    """
    steps = _steps(tokenizer.recipe)
    _check_vocab(tokenizer)
    _check_merges(tokenizer)
    specials = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    return replace(steps, added_tokens=tuple(AddedToken(id=i, content=token) for token, i in specials))


def _steps(recipe: Recipe) -> Pipeline:
    """All but the added tokens. Raises FormatError."""
    match recipe.boundary:
        case "none":
            return _plain(recipe)
        case "suffix-attached":
            return _with_suffix(recipe)
        case "suffix" | "prefix":
            return _with_spaces(recipe)


def _plain(recipe: Recipe) -> Pipeline:
    if recipe.units == "bytes":
        return Pipeline(
            pre_tokenizers=_byte_level(split_of(recipe.splitter)),
            model=Model(is_byte_level=True),
            decoders=(ByteLevelDecoder(),),
        )
    return Pipeline(pre_tokenizers=split_of(recipe.splitter), decoders=(Fuse(),))


def _byte_level(split: tuple[PreTokenizer, ...]) -> tuple[PreTokenizer, ...]:
    if split == split_of("gpt2"):
        return (ByteLevel(add_prefix_space=False, use_regex=True),)
    return (*split, ByteLevel(add_prefix_space=False, use_regex=False))


def _with_suffix(recipe: Recipe) -> Pipeline:
    if recipe.splitter == "zh-en":
        raise FormatError(
            _(
                "EngineError",
                "tokenizer.json puts an attached end-of-word marker after every word, the splitter zh-en only after "
                "words of letters. Train with another boundary or splitter.",
            )
        )
    steps = _plain(recipe)
    return replace(steps, model=replace(steps.model, suffix=_MARKER), decoders=_suffix_decoders(recipe))


def _suffix_decoders(recipe: Recipe) -> tuple[TokenDecoder, ...]:
    drops_spaces = recipe.splitter in DROPPING
    if recipe.units == "characters":
        return (BPEDecoder(suffix=_MARKER),) if drops_spaces else (ReplaceDecoder(pattern=_MARKER, content=""), Fuse())
    if not drops_spaces:
        return ReplaceDecoder(pattern=_MARKER, content=""), ByteLevelDecoder()
    space = to_printable(_SPACE.encode())
    last = ReplaceDecoder(pattern=r" \z", content="", is_regex=True)
    return ReplaceDecoder(pattern=_MARKER, content=space), ByteLevelDecoder(), last


def _with_spaces(recipe: Recipe) -> Pipeline:
    """Markers of their own, spelled as spaces."""
    if recipe.units == "bytes":
        raise FormatError(
            _(
                "EngineError",
                "In tokenizer.json, bytes cannot have end-of-word markers of their own. Train with characters, or with "
                "the boundary none or suffix-attached.",
            )
        )
    if recipe.splitter not in DROPPING:
        raise FormatError(
            _(
                "EngineError",
                "In tokenizer.json, end-of-word markers of their own are spelled as spaces, so words must have none. "
                "Train with the splitter {splitters}, or with the boundary none or suffix-attached.",
            ),
            splitters=" / ".join(sorted(DROPPING)),
        )
    if recipe.boundary == "prefix":
        return Pipeline(pre_tokenizers=(words_of(PREFIXED[recipe.splitter]),), decoders=(Fuse(),))
    return Pipeline(
        normalizers=(Replace(pattern=ENDS[recipe.splitter], content=_SPACE, is_regex=True),),
        pre_tokenizers=(words_of(SUFFIXED[recipe.splitter]),),
        decoders=(BPEDecoder(suffix=_SPACE),),
    )


# -- how tokens are spelled ---------------------------------------------------------------------------------------


def spelled(token: bytes, recipe: Recipe) -> str:
    """A token as these steps have it. Raises FormatError for one that is no text.

    >>> spelled(b" low", Recipe.of("cs336")), spelled(b"low</w>", Recipe.of("zh-en"))
    ('Ġlow', 'low ')
    """
    if recipe.units == "bytes":
        return to_printable(token)
    try:
        text = token.decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            _("EngineError", "The token {token!r} is not text; a recipe with the units bytes can hold it."), token=token
        ) from error
    if recipe.boundary == "prefix" and text.startswith(_MARKER):
        return _SPACE + text.removeprefix(_MARKER)
    if recipe.boundary == "suffix" and text.endswith(_MARKER):
        return text.removesuffix(_MARKER) + _SPACE
    return text


def unspelled(text: str, recipe: Recipe) -> bytes:
    """The token that is spelled so. Raises KeyError with the character that stands for no byte.

    >>> unspelled("Ġlow", Recipe.of("cs336")), unspelled("low ", Recipe.of("zh-en"))
    (b' low', b'low</w>')
    """
    if recipe.units == "bytes":
        return from_printable(text)
    if recipe.boundary == "prefix" and text.startswith(_SPACE):
        text = _MARKER + text.removeprefix(_SPACE)
    elif recipe.boundary == "suffix" and text.endswith(_SPACE):
        text = text.removesuffix(_SPACE) + _MARKER
    return text.encode()


# -- what a vocabulary has to be ----------------------------------------------------------------------------------


def _check_vocab(tokenizer: Tokenizer) -> None:
    """Every token is spelled in its own way, special tokens as they are."""
    special = {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    ids: dict[str, int] = {}
    for token_id, token in sorted(tokenizer.vocab.items()):
        text = special.get(token_id) or spelled(token, tokenizer.recipe)
        if text in ids:
            raise FormatError(
                _("EngineError", "tokenizer.json cannot hold two tokens written {token!r} (ids {first} and {second})."),
                token=text,
                first=ids[text],
                second=token_id,
            )
        ids[text] = token_id


def _check_merges(tokenizer: Tokenizer) -> None:
    """Merges are of tokens of the vocabulary, and make such; none is there twice."""
    special = set(tokenizer.special_tokens.values())
    known = {token for token_id, token in tokenizer.vocab.items() if token_id not in special}
    unknown = tokenizer.vocab.get(-1 if tokenizer.unknown_id is None else tokenizer.unknown_id)
    seen: set[tuple[bytes, bytes]] = set()
    for rank, (left, right) in enumerate(tokenizer.merges):
        for part in (left, right, left + right):
            if part not in known:
                raise FormatError(
                    _(
                        "EngineError",
                        "The merge {left!r} {right!r}, of rank {rank}, needs the token {token!r}, which the vocabulary "
                        "does not have; tokenizer.json cannot hold that. Train with a vocabulary that grows.",
                    ),
                    left=left,
                    right=right,
                    rank=rank,
                    token=part,
                )
        if (left, right) in seen or unknown in (left, right) or not _is_spelled_in_parts(left, right, tokenizer.recipe):
            raise FormatError(
                _(
                    "EngineError",
                    "The merge {left!r} {right!r}, of rank {rank}, would be another in tokenizer.json: it is there "
                    "twice, joins the token for unknown symbols, or makes an end-of-word marker out of text.",
                ),
                left=left,
                right=right,
                rank=rank,
            )
        seen.add((left, right))


def _is_spelled_in_parts(left: bytes, right: bytes, recipe: Recipe) -> bool:
    return spelled(left, recipe) + spelled(right, recipe) == spelled(left + right, recipe)


# -- the recipe of steps ------------------------------------------------------------------------------------------


def recipe_of(pipeline: Pipeline) -> Recipe | None:
    """The recipe that encodes exactly as these steps do, if there is one: its kernels are quicker.

    How it was trained is not known; it is taken to be as `tokenizers` trains. Whether a model that ignores merges is
    no exception is for `merges_make_all_tokens` to say.
    """
    if not _are_special_tokens(pipeline):
        return None
    for boundary in ("none",) if pipeline.model.ignores_merges else _BOUNDARIES:
        recipe = _candidate(pipeline, boundary)
        with suppress(FormatError):
            if recipe is not None and _is_around(_steps(recipe), pipeline):
                return recipe
    return None


def _are_special_tokens(pipeline: Pipeline) -> bool:
    """Whether added tokens are cut out as special tokens are."""
    tokens = pipeline.added_tokens
    is_plain = all(token.special and not (token.single_word or token.lstrip or token.rstrip) for token in tokens)
    normalized = {token.normalized for token in tokens}
    return is_plain and (normalized <= {False} or (len(normalized) == 1 and not pipeline.normalizers))


def _candidate(pipeline: Pipeline, boundary: str) -> Recipe | None:
    """The recipe that a pipeline has if it has this boundary."""
    is_bytes = pipeline.model.is_byte_level
    steps = _cut_of_bytes(pipeline.pre_tokenizers) if is_bytes else pipeline.pre_tokenizers
    splitter = _splitter(steps, boundary)
    if splitter is None:
        return None
    trained = Recipe.of("huggingface").with_changes(splitter=splitter, boundary=boundary)
    return trained if is_bytes else trained.with_changes(units="characters", alphabet="sorted", token_spelling="raw")


def _cut_of_bytes(steps: tuple[PreTokenizer, ...]) -> tuple[PreTokenizer, ...] | None:
    """What cuts the text into words, beside the step that turns it into bytes."""
    match steps:
        case (ByteLevel(add_prefix_space=False, use_regex=True),):
            return split_of("gpt2")
        case (*cut, ByteLevel(add_prefix_space=False, use_regex=False)):
            return tuple(cut)
    return None


def _splitter(steps: tuple[PreTokenizer, ...] | None, boundary: str) -> str | None:
    patterns = {"prefix": PREFIXED, "suffix": SUFFIXED}.get(boundary)
    match steps:
        case () if patterns is None:
            return "none"
        case (Split() as split,) if patterns is None:
            return splitter_of(split)
        case (Split() as split,) if patterns is not None:
            return next((name for name, pattern in patterns.items() if split == words_of(pattern)), None)
    return None


def _is_around(steps: Pipeline, pipeline: Pipeline) -> bool:
    """Whether all but the words is the same."""
    model = replace(pipeline.model, ignores_merges=False)
    return replace(steps, pre_tokenizers=()) == replace(pipeline, added_tokens=(), pre_tokenizers=(), model=model)


def merges_make_all_tokens(tokenizer: Tokenizer) -> bool:
    """Whether every token but the special ones is known to be what the merges give for its own text.

    If so, it makes no difference that a word which is a token is looked up, whatever the merges would give. It is known
    where each merge joins what is there before it, and makes a new token.

    >>> merges_make_all_tokens(Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy"))
    True
    >>> merges_make_all_tokens(Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [], recipe="cs336-toy"))
    False
    """
    special = set(tokenizer.special_tokens.values())
    tokens = {token for token_id, token in tokenizer.vocab.items() if token_id not in special}
    is_bytes = tokenizer.recipe.units == "bytes"
    if is_bytes and any(map(_is_spelled_as_other_bytes, tokenizer.special_tokens)):
        return False  # it could be looked up where these bytes are a word
    units = filter(_is_byte if is_bytes else _is_character, tokens)
    return tokens == _staying_whole(units, tokenizer.merges)


def _is_spelled_as_other_bytes(token: str) -> bool:
    try:
        return from_printable(token) != token.encode()
    except KeyError:
        return False


def _is_byte(token: bytes) -> bool:
    return len(token) == 1


def _is_character(token: bytes) -> bool:
    return len(token.decode(errors="replace")) == 1


def _staying_whole(units: Iterable[bytes], merges: Iterable[Merge]) -> set[bytes]:
    """The units and what merges make of them, up to one that makes nothing new, or what its own text does not give."""
    numbers = {unit: number for number, unit in enumerate(units)}
    parts: list[Pair | None] = [None] * len(numbers)
    made: dict[Pair, int] = {}
    for left, right in merges:
        pair = numbers.get(left, -1), numbers.get(right, -1)
        if min(pair) < 0 or left + right in numbers or not _stay_apart(*pair, parts, made):
            break
        made[pair] = numbers[left + right] = len(parts)
        parts.append(pair)
    return set(numbers)


def _stay_apart(left: int, right: int, parts: Sequence[Pair | None], made: Mapping[Pair, int]) -> bool:
    """Whether encoding the text of two tokens side by side comes to these two.

    Encoding is followed backwards, and only at the border: what was made last is taken apart. If, at some time, the two
    symbols at the border are a pair whose merge comes before the one that was undone, then it would have happened.
    """
    limit = len(parts)
    while made.get((left, right), limit) >= limit:
        last = max(left, right)
        # Of two equal pairs, the one further left is merged first: what is made on the right, is made after it.
        limit = last + 1 if last == right else last
        halves = parts[last]
        if halves is None:
            return True  # two units: the beginning
        left, right = (left, halves[0]) if last == right else (halves[1], right)
    return False
