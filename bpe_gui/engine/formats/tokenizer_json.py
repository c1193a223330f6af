"""Hugging Face's `tokenizers`: `tokenizer.json`, one file with a model of type BPE and the steps around it.

A tokenizer read from a file gives the same ids as the library, or the file is refused: for other types of models and
unknown steps. Older files, which write merges as `"a b"` and lack some keys, are read the way the library reads them.
What does not affect ids is kept as `Particulars` and written back: type ids, templates for pairs, trimmed offsets. So
are truncation, padding and dropout, but encoding goes without them.

The steps decide whether tokens are bytes, spelled as GPT-2's printable characters, or characters. Among bytes, an entry
with any other character is just an entry that no text has.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from itertools import count as count_from
from pathlib import Path
from typing import Any, Final

import numpy as np

from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.decoders import bytes_of
from bpe_gui.engine.pipeline.longest_first import LongestFirstPipeline, overlapping
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.normalizers import ByteLevelNormalizer, Normalizer
from bpe_gui.engine.pipeline.particulars import Particulars
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, Metaspace, PreTokenizer
from bpe_gui.engine.runtime.bounded_json import JsonValue, parse_bounded
from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.files import read_bytes, read_text
from bpe_gui.engine.runtime.printable import PRINTABLE, to_printable
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedTokens, TokenList

from .files import has_at_start
from .recipe_pipelines import merges_make_all_tokens, parse_spellings, pipeline_of, recipe_of, spell
from .sentencepiece_steps import untied_merges, without_sentencepiece_steps
from .spelled_tokens import SpelledMerges, from_printable_each, which_are_printable
from .tokenizer_json_model import SpelledModel, assigned_ids, read_model, read_plain
from .tokenizer_json_steps import (
    DECODERS,
    NORMALIZERS,
    PRE_TOKENIZERS,
    check_keys,
    post_processors_to_json,
    read_decoders,
    read_particulars,
    settings_to_json,
)

_MAX_BYTES: Final = 1 << 28
_VERSION: Final = "1.0"
_KEYS: Final = (
    *("version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor"),
    *("decoder", "model"),
)
_DISTINCTIVE: Final = re.compile(rb'"added_tokens"|"model"\s*:\s*\{[^{}]*"vocab"')
"""Something in a file before the vocabulary."""
UNKNOWN_TOKENS: Final = ("<unk>", "<|unk|>", "[UNK]")
"""The usual names of the token for unknown symbols."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


# -- reading ------------------------------------------------------------------------------------------------------


def recognises(path: Path) -> bool:
    """Return whether a JSON file begins like a `tokenizer.json`. Raise FormatError."""
    return has_at_start(path, _DISTINCTIVE)


def load(path: Path, change: Callable[[dict[str, Any]], None] | None = None) -> Tokenizer:
    """Read a tokenizer from a file, whose JSON `change` may change before. Raise FormatError."""
    root, merges = read_plain(path, read_bytes(path, _MAX_BYTES)) or (_parse(path), None)
    if change is not None and isinstance(root.value, dict) and isinstance(root.value.get("model"), dict):
        change(root.value)
    return read(root, merges)


def read(root: JsonValue, merges: SpelledMerges | None) -> Tokenizer:
    """Return the tokenizer that some JSON describes, given its merges if already read. Raise FormatError."""
    if isinstance(root.value, dict) and root.value and set(map(type, root.value.values())) == {int}:
        raise FormatError(
            "{path} is a vocabulary without its merges. Put these into the same folder: vocab.json needs merges.txt, "
            "encoder.json needs vocab.bpe, and PREFIX-vocab.json needs PREFIX-merges.txt.",
            **root.where,
        )
    if not isinstance(root.value, dict) or root.member("model").is_null:
        raise FormatError("{path} is not a tokenizer.json file: it has no model.", **root.where)
    check_keys(root, _KEYS)
    if not (version := root.member("version")).is_null and version.string() != _VERSION:
        raise FormatError("{path}: {place} is {value!r}. Only {known} is supported.", **version.where, known=_VERSION)
    model = read_model(root, merges)
    try:
        particulars = _read_particulars(root, model)
        pipeline = _read_pipeline(root, model, particulars)
        if pipeline.model.is_byte_level:
            are_bytes = which_are_printable(model.ids)
            model = model._replace(merges=model.merges.among(are_bytes))
            added = {token.id for token in model.added_tokens}
            raw_ids = frozenset(compress(model.ids.values(), (~are_bytes).tolist())) - added
            pipeline = replace(pipeline, raw_ids=raw_ids)
        trims = bool(particulars.trimming) and not pipeline.model.is_byte_level
        recipe = None if pipeline.model.dropout or pipeline.raw_ids or trims else recipe_of(pipeline)
        tokenizer = None if recipe is None else _tokenizer_with_recipe(model, pipeline, recipe)
        if tokenizer is None:
            # `tokenizers` would raise errors for texts with unknown symbols.
            if model.unknown is not None and model.unknown not in model.ids and not _has_all_bytes(model, pipeline):
                unknown = root.member("model").member("unk_token")
                raise FormatError("{path}: {place} is {value!r}, which is not in model.vocab.", **unknown.where)
            tokenizer = _tokenizer_with_pipeline(model, pipeline)
        return tokenizer.with_particulars(particulars).with_notes(list(_notes(particulars)))
    except FormatError:
        raise
    except EngineError as error:
        raise root.error_from(error) from error


def _parse(path: Path) -> JsonValue:
    text = read_text(path, _MAX_BYTES)
    root = parse_bounded(path, text)
    if _ESCAPED_SURROGATE.search(text) and any(map(_SURROGATE.search, _all_strings(root.value))):
        raise FormatError("{path} contains a lone surrogate, which is not a valid character.", path=path)
    return root


def _all_strings(value: object) -> Iterator[str]:
    """Yield all strings in some JSON, keys included."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, str):
            yield current
        elif isinstance(current, dict):
            yield from current
            waiting += current.values()
        elif isinstance(current, list):
            waiting += current


def _read_particulars(root: JsonValue, model: SpelledModel) -> Particulars:
    particulars = read_particulars(root)
    known_ids = {*model.ids.values(), *(token.id for token in model.added_tokens)}
    for token_id in particulars.ids - known_ids:
        raise FormatError(
            "{path}: {place} adds the id {id} to every text, but no token has this id.",
            **root.member("post_processor").where,
            id=token_id,
        )
    outer_ids = frozenset(token.id for token in model.added_tokens if not token.in_vocabulary)
    return replace(particulars, outer_ids=outer_ids)


def _notes(particulars: Particulars) -> Iterator[EngineError]:
    """Yield a sentence on settings that are kept, but not applied."""
    settings = {"truncation": particulars.truncation, "padding": particulars.padding}
    if found := tuple(name for name, setting in settings.items() if setting is not None):
        yield EngineError(
            "The file also says how to cut or pad texts ({settings}). This is kept, but texts are encoded without it.",
            settings=found,
        )


def _read_pipeline(root: JsonValue, model: SpelledModel, particulars: Particulars) -> Pipeline:
    normalizers = NORMALIZERS.read(root.member("normalizer"))
    pre_tokenizers = PRE_TOKENIZERS.read(root.member("pre_tokenizer"))
    pipeline = Pipeline(
        added_tokens=tuple(model.added_tokens),
        normalizers=normalizers,
        pre_tokenizers=pre_tokenizers,
        model=replace(model.options, is_byte_level=_is_byte_level(normalizers, pre_tokenizers, model)),
        decoders=read_decoders(root.member("decoder")),
        ids_before=particulars.ids_around[0],
        ids_after=particulars.ids_around[1],
    )
    _check_normalized(root.member("added_tokens"), pipeline)
    return pipeline


def _check_normalized(added_tokens: JsonValue, pipeline: Pipeline) -> None:
    """Raise FormatError if normalizing makes an added token empty, or the same as another one.

    An empty one would be found everywhere, and `tokenizers` leaves to chance which of two equal ones is found.
    """
    content_of: dict[str, str] = {}
    for token in pipeline.added_tokens:
        if not token.normalized:
            continue
        normalized = pipeline.normalize(token.content)
        if not normalized:
            raise FormatError(
                "{path}: in {place}, {token!r} is empty after normalization.", **added_tokens.where, token=token.content
            )
        if other := content_of.get(normalized):
            raise FormatError(
                "{path}: in {place}, {token!r} and {other!r} are identical after normalization.",
                **added_tokens.where,
                token=token.content,
                other=other,
            )
        content_of[normalized] = token.content


def _is_byte_level(
    normalizers: tuple[Normalizer, ...], pre_tokenizers: tuple[PreTokenizer, ...], model: SpelledModel
) -> bool:
    """Return whether words, and all tokens in them, consist of bytes spelled as printable characters."""
    affixes = model.options.suffix + model.options.prefix
    changing = (*normalizers[-1:], *(step for step in pre_tokenizers if isinstance(step, ByteLevel | Metaspace)))
    makes_bytes = bool(changing) and isinstance(changing[-1], ByteLevel | ByteLevelNormalizer)
    # An unknown token of other characters is never a symbol here, so it must not be needed.
    knows_all = model.unknown is None or all(which_are_printable([model.unknown])) or model.ids.keys() >= set(PRINTABLE)
    return makes_bytes and affixes.isascii() and all(which_are_printable([affixes])) and knows_all


def _is_own_spelling(token: str) -> bool:
    """Return whether a token's own UTF-8, written as printable characters, is the token itself.

    >>> _is_own_spelling("<s>"), _is_own_spelling("< s>"), _is_own_spelling("é")
    (True, False, False)
    """
    return to_printable(token.encode()) == token


def _tokenizer_with_recipe(model: SpelledModel, pipeline: Pipeline, recipe: Recipe) -> Tokenizer | None:
    """Return the tokenizer if a recipe can express all of it, because a recipe encodes faster."""
    special_tokens = {token.content: token.id for token in model.added_tokens}
    # With a recipe, unknown symbols cannot be skipped, and merges cannot join special tokens. An unknown token that is
    # not there is an error for such symbols in both.
    skips_unknown = model.unknown is None and not _has_all_bytes(model, pipeline)
    if skips_unknown or model.merges_have(special_tokens):
        return None
    if pipeline.model.ignores_merges and model.merges.has_repeated_products:
        return None
    if any(len(data) == 1 for data in pipeline.ids_of_spelled_added_tokens):
        return None
    # A text has a special token that is a single symbol even where special tokens are not obeyed.
    spelled = [token for token in model.ids if token not in special_tokens or _is_symbol(token)]
    vocab, merges = _vocab_and_merges(model, spelled, parse_spellings(spelled, recipe))
    tokenizer = Tokenizer(vocab, merges, special_tokens, recipe=recipe, unknown_id=_unknown_id(model))
    return None if pipeline.model.ignores_merges and not merges_make_all_tokens(tokenizer) else tokenizer


def _is_symbol(token: str) -> bool:
    return len(token) == 1 and _is_own_spelling(token)


def _tokenizer_with_pipeline(model: SpelledModel, pipeline: Pipeline) -> Tokenizer:
    special_tokens = {token.content: token.id for token in model.added_tokens}
    is_byte_level = pipeline.model.is_byte_level
    apart = {content for content in special_tokens if is_byte_level and not _is_own_spelling(content)}
    are_merged = model.merges_have(apart)
    spelled = [token for token in model.ids if are_merged or token not in apart]
    is_text = is_byte_level and not pipeline.raw_ids and not are_merged
    vocab: Mapping[int, bytes]
    vocab, merges = _vocab_and_merges(
        model,
        spelled,
        from_printable_each(spelled) if is_text else list(map(bytes_of if is_byte_level else str.encode, spelled)),
    )
    if are_merged:  # by the bytes that their characters stand for, which are not those of the token itself
        names = set(map(special_tokens.get, apart))
        vocab, merges = {i: token for i, token in vocab.items() if i not in names}, list(merges)
    return Tokenizer(vocab, merges, special_tokens, unknown_id=_unknown_id(model), pipeline=pipeline)


def _vocab_and_merges(
    model: SpelledModel, spelled: Sequence[str], tokens: Sequence[bytes]
) -> tuple[NumberedTokens, Sequence[tuple[bytes, bytes]]]:
    """Return the vocabulary and the merges as bytes, given some tokens both as spelled and as bytes."""
    listed = TokenList.of(tokens)
    vocab = NumberedTokens(np.fromiter(map(model.ids.__getitem__, spelled), np.int64, len(spelled)), listed)
    merges = model.merges.of_bytes(model.ids, spelled, listed)
    # Without its prefix, a token may differ from the joined bytes; the joined bytes count.
    return vocab, list(merges) if model.options.prefix else merges


def _has_all_bytes(model: SpelledModel, pipeline: Pipeline) -> bool:
    """Return whether there is a token for each byte, so that nothing is ever unknown."""
    options = pipeline.model
    return options.is_byte_level and not options.suffix + options.prefix and model.ids.keys() >= set(PRINTABLE)


def _unknown_id(model: SpelledModel) -> int | None:
    return None if model.unknown is None else model.ids.get(model.unknown)


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, path: Path) -> dict[Path, str]:
    """Return the content of the file at `path`. Raise FormatError for a tokenizer that a file cannot represent."""
    usual = next(filter(tokenizer.special_tokens.__contains__, UNKNOWN_TOKENS), None)
    if usual is not None and _refuses_unknown(tokenizer):  # rather than errors, readers shall give this token
        tokenizer = tokenizer.with_unknown_id(tokenizer.special_tokens[usual])
    pipeline, spell_token = _pipeline_and_spelling(tokenizer)
    particulars = tokenizer.particulars
    ids = _model_ids(tokenizer, pipeline, spell_token)
    names = {token_id: token for token, token_id in ids.items()} | {t.id: t.content for t in pipeline.added_tokens}
    unknown = None if tokenizer.unknown_id is None else names.get(tokenizer.unknown_id)
    # With seeds the file is read as a pipeline, which has no unknown token that is not in the vocabulary.
    if unknown is None and _refuses_unknown(tokenizer) and not tokenizer.recipe.seeds:
        unknown = next(name for name in (f"<unk{'_' * count}>" for count in count_from(0)) if name not in ids)
    merges = [(spell_token(left), spell_token(right)) for left, right in _all_merges(tokenizer)]
    root = {
        "version": _VERSION,
        **settings_to_json(particulars),
        "added_tokens": [{"id": token.id, **token.described} for token in pipeline.added_tokens],
        "normalizer": NORMALIZERS.to_json(pipeline.normalizers),
        "pre_tokenizer": PRE_TOKENIZERS.to_json(pipeline.pre_tokenizers),
        "post_processor": post_processors_to_json(
            particulars.post_processors_around(pipeline.ids_before, pipeline.ids_after), names
        ),
        "decoder": DECODERS.to_json(pipeline.decoders),
        "model": _model_to_json(pipeline.model, unknown) | {"vocab": ids, "merges": merges},
    }
    return {path: json.dumps(root, ensure_ascii=False, indent=2)}


def _refuses_unknown(tokenizer: Tokenizer) -> bool:
    """Return whether a tokenizer raises an error for some text. `tokenizers` does if the unknown token is missing."""
    return tokenizer.refuses_unknown and not (
        tokenizer.recipe.units == "bytes" and all(bytes([i]) in tokenizer.store.ids for i in range(256))
    )


def _pipeline_and_spelling(tokenizer: Tokenizer) -> tuple[Pipeline, Callable[[bytes], str]]:
    """Return the pipeline to write, and the function that spells tokens."""
    if tokenizer.pipeline is None:
        return pipeline_of(tokenizer), lambda token: spell(token, tokenizer.recipe)
    pipeline = without_sentencepiece_steps(tokenizer.pipeline, tokenizer)
    if isinstance(tokenizer.pipeline, LongestFirstPipeline):
        _check_search(pipeline.added_tokens)
    return pipeline, to_printable if pipeline.model.is_byte_level else bytes.decode


def _check_search(tokens: Sequence[AddedToken]) -> None:
    """Raise FormatError if `tokenizers` might find other tokens than llama.cpp, which takes the longest first."""
    if pair := overlapping([token.content for token in tokens]):
        raise FormatError(
            "tokenizer.json cannot represent the special tokens {first!r} and {second!r}, which may share characters "
            "of a text: llama.cpp then takes the longer one, `tokenizers` the one to the left.",
            first=pair[0],
            second=pair[1],
        )


def _model_ids(tokenizer: Tokenizer, pipeline: Pipeline, spell_token: Callable[[bytes], str]) -> dict[str, int]:
    """Return the ids of the tokens in the model's vocabulary, in order.

    This includes an added token if it was there when the tokenizer was read, or if `tokenizers` would otherwise assign
    it another id.
    """
    added = {token.id: token for token in pipeline.added_tokens}
    raw_ids = pipeline.raw_ids
    ids = {
        token.decode() if i in raw_ids else spell_token(token): i
        for i, token in sorted(tokenizer.vocab.items())
        if i not in added
    }
    in_model = {token.content: i for i, token in added.items() if token.in_vocabulary or i == tokenizer.unknown_id}
    assigned = assigned_ids((token.content for token in pipeline.added_tokens), ids | in_model)
    if list(assigned) != [token.id for token in pipeline.added_tokens]:
        in_model = {token.content: i for i, token in added.items()}
    return dict(sorted((ids | in_model).items(), key=lambda item: item[1]))


def _all_merges(tokenizer: Tokenizer) -> Iterator[tuple[bytes, bytes]]:
    """Yield all merges; those that share a rank come one after another. Raise FormatError if that could change ids."""
    if not tokenizer.other_merges.keys().isdisjoint(tokenizer.merges):
        yield from untied_merges(tokenizer)
        return
    others: dict[int, list[tuple[bytes, bytes]]] = {}
    for pair, rank in tokenizer.other_merges.items():
        others.setdefault(rank, []).append(pair)
    for rank, pair in enumerate(tokenizer.merges):
        pairs = [pair, *others.get(rank, ())]
        lefts = {left for left, _right in pairs}
        if clash := next((pair for pair in pairs if len(pairs) > 1 and pair[1] in lefts and pair[0] != pair[1]), None):
            raise FormatError(
                "tokenizer.json cannot represent the merge {left!r} {right!r}: another merge has the same rank, and "
                "the text determines which of them comes first.",
                left=clash[0],
                right=clash[1],
            )
        yield from pairs


def _model_to_json(model: ModelOptions, unknown: str | None) -> dict[str, Any]:
    """Return the model without its vocabulary and merges."""
    return {
        "type": "BPE",
        "dropout": model.dropout or None,
        "unk_token": unknown,
        "continuing_subword_prefix": model.prefix or None,
        "end_of_word_suffix": model.suffix or None,
        "fuse_unk": model.fuses_unknown,
        "byte_fallback": model.falls_back_to_bytes,
        "ignore_merges": model.ignores_merges,
    }
