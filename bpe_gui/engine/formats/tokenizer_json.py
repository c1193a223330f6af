"""Hugging Face's `tokenizers`: `tokenizer.json`, one file with a model of type BPE and the steps around it.

A tokenizer read from a file gives the same ids as the library, or the file is refused: for other types of models,
unknown steps, truncation and padding. Older files, which write merges as `"a b"` and lack some keys, are read the way
the library reads them. Anything that does not affect ids is dropped: trimmed offsets, type ids, the template for pairs
of texts. A `dropout` is ignored when encoding, and never written.

Bytes are spelled as GPT-2's printable characters. If any token in the vocabulary has other characters, all tokens are
taken to be characters.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.longest_first import LongestFirstPipeline, overlapping
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.normalizers import ByteLevelNormalizer, Normalizer
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, Metaspace, PreTokenizer
from bpe_gui.engine.runtime.bounded_json import JsonValue, parse_bounded
from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.files import open_file, read_bytes, read_text
from bpe_gui.engine.runtime.printable import PRINTABLE, to_printable
from bpe_gui.engine.tokenization.numbered_tokens import NumberedTokens, TokenList
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .recipe_pipelines import merges_make_all_tokens, parse_spellings, pipeline_of, recipe_of, spell
from .sentencepiece_steps import untied_merges, without_sentencepiece_steps
from .spelled_tokens import SpelledMerges, are_printable, from_printable_each
from .tokenizer_json_model import SpelledModel, assigned_ids, read_model, read_plain
from .tokenizer_json_steps import (
    DECODERS,
    NORMALIZERS,
    PRE_TOKENIZERS,
    check_keys,
    read_decoders,
    read_post_processor,
    template_to_json,
)

_MAX_BYTES: Final = 1 << 28
_VERSION: Final = "1.0"
_KEYS: Final = (
    *("version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor"),
    *("decoder", "model"),
)
_DISTINCTIVE: Final = re.compile(rb'"added_tokens"|"model"\s*:\s*\{[^{}]*"vocab"')
_DISTINCTIVE_BYTES: Final = 1 << 16
"""A file has something distinctive within this many bytes, before the vocabulary."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


# -- reading ------------------------------------------------------------------------------------------------------


def recognises(path: Path) -> bool:
    """Return whether a JSON file begins like a `tokenizer.json`. Raise FormatError."""
    with open_file(path) as file:
        return _DISTINCTIVE.search(file.read(_DISTINCTIVE_BYTES)) is not None


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
    for setting in (root.member("truncation"), root.member("padding")):
        if not setting.is_null:
            raise FormatError("{path}: {place} must be null, because it changes ids.", **setting.where)
    model = read_model(root, merges)
    try:
        pipeline = _read_pipeline(root, model)
        return _tokenizer_with_recipe(model, pipeline) or _tokenizer_with_pipeline(model, pipeline)
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


def _read_pipeline(root: JsonValue, model: SpelledModel) -> Pipeline:
    post_processor = root.member("post_processor")
    boundary_ids = read_post_processor(post_processor)
    known_ids = {*model.ids.values(), *(token.id for token in model.added_tokens)}
    for token_id in (*boundary_ids.before, *boundary_ids.after):
        if token_id not in known_ids:
            raise FormatError(
                "{path}: {place} adds the id {id} to every text, but no token has this id.",
                **post_processor.where,
                id=token_id,
            )
    normalizers = NORMALIZERS.read(root.member("normalizer"))
    pre_tokenizers = PRE_TOKENIZERS.read(root.member("pre_tokenizer"))
    pipeline = Pipeline(
        added_tokens=tuple(model.added_tokens),
        normalizers=normalizers,
        pre_tokenizers=pre_tokenizers,
        model=replace(model.options, is_byte_level=_is_byte_level(normalizers, pre_tokenizers, model)),
        decoders=read_decoders(root.member("decoder")),
        ids_before=boundary_ids.before,
        ids_after=boundary_ids.after,
    )
    _check_normalized(root.member("added_tokens"), pipeline)
    if model.unknown is not None and model.unknown not in model.ids and not _has_all_bytes(model, pipeline):
        unknown = root.member("model").member("unk_token")
        raise FormatError("{path}: {place} is {value!r}, which is not in model.vocab.", **unknown.where)
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
    options = model.options
    changing = (*normalizers[-1:], *(step for step in pre_tokenizers if isinstance(step, ByteLevel | Metaspace)))
    makes_bytes = bool(changing) and isinstance(changing[-1], ByteLevel | ByteLevelNormalizer)
    if not makes_bytes or not (options.suffix + options.prefix).isascii():
        return False
    not_printable = {token.content for token in model.added_tokens if not _is_own_spelling(token.content)}
    spellings = (
        options.suffix,
        options.prefix,
        *(token for token in model.ids if token not in not_printable),
    )
    # Single bytes and, if words are looked up, whole words may be spelled like such an added token. Its id then has two
    # meanings, which only tokens of characters can express.
    also_words = {token for token in not_printable & model.ids.keys() if len(token) == 1 or options.ignores_merges}
    return (
        not model.merges_have(not_printable)
        and not any(map(frozenset(PRINTABLE).issuperset, also_words))
        and are_printable(spellings)
    )


def _is_own_spelling(token: str) -> bool:
    """Return whether a token's own UTF-8, written as printable characters, is the token itself.

    >>> _is_own_spelling("<s>"), _is_own_spelling("< s>"), _is_own_spelling("é")
    (True, False, False)
    """
    return to_printable(token.encode()) == token


def _tokenizer_with_recipe(model: SpelledModel, pipeline: Pipeline) -> Tokenizer | None:
    """Return the tokenizer if a recipe can express all of it, because a recipe encodes faster."""
    recipe = None if pipeline.model.dropout else recipe_of(pipeline)
    special_tokens = {token.content: token.id for token in model.added_tokens}
    # With a recipe, unknown symbols cannot be skipped, and merges cannot join special tokens.
    skips_unknown = _unknown_id(model) is None and not _has_all_bytes(model, pipeline)
    if recipe is None or skips_unknown or model.merges_have(special_tokens):
        return None
    if pipeline.model.ignores_merges and model.merges.has_repeated_products:
        return None
    # A text has a special token that is a single symbol even where special tokens are not obeyed.
    spelled = [token for token in model.ids if token not in special_tokens or _is_symbol(token)]
    vocab, merges = _vocab_and_merges(model, spelled, parse_spellings(spelled, recipe))
    tokenizer = Tokenizer(vocab, merges, special_tokens, recipe=recipe, unknown_id=_unknown_id(model))
    return None if pipeline.model.ignores_merges and not merges_make_all_tokens(tokenizer) else tokenizer


def _is_symbol(token: str) -> bool:
    return len(token) == 1 and _is_own_spelling(token)


def _tokenizer_with_pipeline(model: SpelledModel, pipeline: Pipeline) -> Tokenizer:
    is_byte_level = pipeline.model.is_byte_level
    not_printable = {t.content for t in model.added_tokens if is_byte_level and not _is_own_spelling(t.content)}
    spelled = [token for token in model.ids if token not in not_printable]
    tokens: Sequence[bytes] = from_printable_each(spelled) if is_byte_level else list(map(str.encode, spelled))
    vocab, merges = _vocab_and_merges(model, spelled, tokens)
    special_tokens = {token.content: token.id for token in model.added_tokens}
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
    pipeline, spell_token = _pipeline_and_spelling(tokenizer)
    ids = _model_ids(tokenizer, pipeline, spell_token)
    names = {token_id: token for token, token_id in ids.items()} | {t.id: t.content for t in pipeline.added_tokens}
    unknown = None if tokenizer.unknown_id is None else names.get(tokenizer.unknown_id)
    merges = [(spell_token(left), spell_token(right)) for left, right in _all_merges(tokenizer)]
    root = {
        "version": _VERSION,
        "truncation": None,
        "padding": None,
        "added_tokens": [_added_token_to_json(token) for token in pipeline.added_tokens],
        "normalizer": NORMALIZERS.to_json(pipeline.normalizers),
        "pre_tokenizer": PRE_TOKENIZERS.to_json(pipeline.pre_tokenizers),
        "post_processor": template_to_json(pipeline.ids_before, pipeline.ids_after, names),
        "decoder": DECODERS.to_json(pipeline.decoders),
        "model": _model_to_json(pipeline.model, unknown) | {"vocab": ids, "merges": merges},
    }
    return {path: json.dumps(root, ensure_ascii=False, indent=2)}


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
    ids = {spell_token(token): i for i, token in sorted(tokenizer.vocab.items()) if i not in added}
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


def _added_token_to_json(token: AddedToken) -> dict[str, Any]:
    return {
        "id": token.id,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    }


def _model_to_json(model: ModelOptions, unknown: str | None) -> dict[str, Any]:
    """Return the model without its vocabulary and merges."""
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": unknown,
        "continuing_subword_prefix": model.prefix or None,
        "end_of_word_suffix": model.suffix or None,
        "fuse_unk": model.fuses_unknown,
        "byte_fallback": model.falls_back_to_bytes,
        "ignore_merges": model.ignores_merges,
    }
