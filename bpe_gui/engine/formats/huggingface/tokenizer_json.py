"""`tokenizer.json` of Hugging Face's `tokenizers`: a model of type BPE and the steps around it, in one file.

What is read gives the ids that the library gives, or is refused: other models, steps and keys that are not known here,
chance (`dropout`), cutting texts off or filling them up. Older files, with merges as `"a b"` and without some keys, are
read as the library reads them. What does not change ids is not kept: offsets that are trimmed, numbers of segments, the
template for pairs of texts.

Bytes are spelled through GPT-2's printable table; where a vocabulary has other tokens as well, all are characters.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import read_text
from bpe_gui.engine.runtime.bounded_json import Part, parse_bounded
from bpe_gui.engine.pipeline import AddedToken, Model, Pipeline, PreTokenizer
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, Metaspace
from bpe_gui.engine.formats.recipe_to_pipeline import merges_make_all_tokens, pipeline_of, recipe_of, spelled, unspelled
from bpe_gui.engine.runtime.printable import PRINTABLE, from_printable, to_printable
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.formats.huggingface.steps_from_json import (
    around_of,
    check_keys,
    decoders_of,
    normalizers_of,
    pre_tokenizers_of,
    steps_json,
    template_json,
)
from bpe_gui.engine.formats.huggingface.model_from_json import Written, numbers, written_in
from bpe_gui.engine.formats.huggingface.sentencepiece_steps import in_known_steps

FILE: Final = "tokenizer.json"
SUFFIX: Final = ".json"

_MOST_BYTES: Final = 1 << 26
_VERSION: Final = "1.0"
_KEYS: Final = (
    *("version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor"),
    *("decoder", "model"),
)
_MARK: Final = re.compile(rb'"added_tokens"|"model"\s*:\s*\{[^{}]*"vocab"')
_BEGINNING: Final = 1 << 16
"""Bytes in which what only such a file has stands, ahead of the vocabulary."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


# -- reading ------------------------------------------------------------------------------------------------------


def is_one(path: Path) -> bool:
    """Whether a JSON file begins as one does. Raises OSError."""
    with path.open("rb") as file:
        return _MARK.search(file.read(_BEGINNING)) is not None


def load(path: Path) -> Tokenizer:
    """Read a file, or the one in a folder. Raises FormatError."""
    root = _parsed(path / FILE if path.is_dir() else path)
    if not isinstance(root.value, dict) or root.member("model").is_null:
        raise root.wrong(_("EngineError", "{path} is no tokenizer.json: it has no model."))
    check_keys(root, _KEYS)
    if not (version := root.member("version")).is_null and version.text() != _VERSION:
        raise version.wrong(_("EngineError", "{path}: {place} is {value!r}; only {known} is known."), known=_VERSION)
    for part in (root.member("truncation"), root.member("padding")):
        if not part.is_null:
            raise part.wrong(_("EngineError", "{path}: {place} is set, which changes ids; it must be null."))
    written = written_in(root)
    try:
        pipeline = _pipeline(root, written)
        return _plain(written, pipeline) or _with_pipeline(written, pipeline)
    except FormatError:
        raise
    except EngineError as error:
        raise root.because(error) from error


def _parsed(path: Path) -> Part:
    text = read_text(path, _MOST_BYTES)
    root = parse_bounded(path, text)
    if _ESCAPED_SURROGATE.search(text) and any(map(_SURROGATE.search, _texts(root.value))):
        raise FormatError(_("EngineError", "{path} holds half a surrogate pair, which is no character."), path=path)
    return root


def _texts(value: object) -> Iterator[str]:
    """All that is text in some JSON."""
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


def _pipeline(root: Part, written: Written) -> Pipeline:
    """The steps of a file."""
    before, after = around_of(root.member("post_processor"))
    known = {*written.ids.values(), *(token.id for token in written.added)}
    for token_id in (*before, *after):
        if token_id not in known:
            raise root.member("post_processor").wrong(
                _("EngineError", "{path}: {place} puts the id {id} around texts, which no token has."), id=token_id
            )
    pre_tokenizers = pre_tokenizers_of(root.member("pre_tokenizer"))
    pipeline = Pipeline(
        added_tokens=tuple(written.added),
        normalizers=normalizers_of(root.member("normalizer")),
        pre_tokenizers=pre_tokenizers,
        model=Model(
            is_byte_level=_is_byte_level(pre_tokenizers, written),
            ignores_merges=written.ignores_merges,
            falls_back_to_bytes=written.falls_back_to_bytes,
            fuses_unknown=written.fuses_unknown,
            suffix=written.suffix,
            prefix=written.prefix,
        ),
        decoders=decoders_of(root.member("decoder")),
        before=before,
        after=after,
    )
    _check_normalized(root.member("added_tokens"), pipeline)
    if written.unknown is not None and written.unknown not in written.ids and not _has_all_bytes(written, pipeline):
        unknown = root.member("model").member("unk_token")
        raise unknown.wrong(_("EngineError", "{path}: {place} is {value!r}, which is not in model.vocab."))
    return pipeline


def _check_normalized(part: Part, pipeline: Pipeline) -> None:
    """Raise FormatError where what added tokens are found as is nothing, or the same for two of them.

    Nothing would be found everywhere; which of two that are the same is found is left to chance by the library.
    """
    found_as: dict[str, str] = {}
    for token in pipeline.added_tokens:
        if not token.normalized:
            continue
        text = pipeline.normalized(token.content)
        if not text:
            raise part.wrong(
                _("EngineError", "{path}: in {place}, {token!r} is nothing once it is normalized."), token=token.content
            )
        if other := found_as.get(text):
            raise part.wrong(
                _("EngineError", "{path}: in {place}, {token!r} and {other!r} are the same once they are normalized."),
                token=token.content,
                other=other,
            )
        found_as[text] = token.content


def _is_byte_level(steps: tuple[PreTokenizer, ...], written: Written) -> bool:
    """Whether words are bytes, spelled through GPT-2's table, and so are all tokens that they can become."""
    kinds = [type(step) for step in reversed(steps) if isinstance(step, ByteLevel | Metaspace)]
    if kinds[:1] != [ByteLevel] or not (written.suffix + written.prefix).isascii():
        return False
    aside = {token.content for token in written.added if not _is_spelled_as_itself(token.content)}
    printable = frozenset(PRINTABLE)
    texts = (written.suffix, written.prefix, *(token for token in written.ids if token not in aside))
    # A single byte, or a whole word, can also come out of words: then it is both, which only characters can say.
    as_word = {token for token in aside & written.ids.keys() if len(token) == 1 or written.ignores_merges}
    return (
        aside.isdisjoint(written.merged_tokens)
        and not any(map(printable.issuperset, as_word))
        and all(map(printable.issuperset, texts))
    )


def _is_spelled_as_itself(token: str) -> bool:
    """Whether the printable characters of a text's bytes are that text.

    >>> _is_spelled_as_itself("<s>"), _is_spelled_as_itself("< s>"), _is_spelled_as_itself("é")
    (True, False, False)
    """
    return to_printable(token.encode()) == token


def _plain(written: Written, pipeline: Pipeline) -> Tokenizer | None:
    """The tokenizer, if a recipe can say all of it: it encodes faster."""
    recipe = recipe_of(pipeline)
    special = {token.content: token.id for token in written.added}
    # A recipe cannot leave out what is unknown, or merge what is cut out.
    leaves_out = _unknown_id(written) is None and not _has_all_bytes(written, pipeline)
    if recipe is None or leaves_out or special.keys() & written.merged_tokens:
        return None
    tokens = {token: unspelled(token, recipe) for token in written.ids if token not in special}
    vocab, merges = _unspelled(written, tokens)
    tokenizer = Tokenizer(vocab, merges, special, recipe=recipe, unknown_id=_unknown_id(written))
    return None if written.ignores_merges and not merges_make_all_tokens(tokenizer) else tokenizer


def _with_pipeline(written: Written, pipeline: Pipeline) -> Tokenizer:
    is_byte_level = pipeline.model.is_byte_level
    unspell: Callable[[str], bytes] = from_printable if is_byte_level else str.encode
    aside = {t.content for t in written.added if is_byte_level and not _is_spelled_as_itself(t.content)}
    vocab, merges = _unspelled(written, {token: unspell(token) for token in written.ids if token not in aside})
    special = {token.content: token.id for token in written.added}
    return Tokenizer(vocab, merges, special, unknown_id=_unknown_id(written), pipeline=pipeline)


def _unspelled(written: Written, tokens: Mapping[str, bytes]) -> tuple[dict[int, bytes], list[tuple[bytes, bytes]]]:
    """The tokens by id and the merges, as bytes."""
    vocab = {written.ids[token]: data for token, data in tokens.items()}
    return vocab, [(tokens[left], tokens[right]) for left, right in written.merges]


def _has_all_bytes(written: Written, pipeline: Pipeline) -> bool:
    """Whether no text has anything unknown."""
    is_plain = pipeline.model.is_byte_level and not written.suffix + written.prefix
    return is_plain and written.ids.keys() >= set(PRINTABLE)


def _unknown_id(written: Written) -> int | None:
    return None if written.unknown is None else written.ids.get(written.unknown)


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, path: Path) -> dict[Path, str]:
    """The file and what is in it; `path` is the file or its folder. Raises FormatError for what it cannot hold."""
    pipeline, spell = _steps_of(tokenizer)
    ids = _written_ids(tokenizer, pipeline, spell)
    names = {token_id: token for token, token_id in ids.items()} | {t.id: t.content for t in pipeline.added_tokens}
    unknown = names.get(-1 if tokenizer.unknown_id is None else tokenizer.unknown_id)
    whole = {
        "version": _VERSION,
        "truncation": None,
        "padding": None,
        "added_tokens": [_added_json(token) for token in pipeline.added_tokens],
        "normalizer": steps_json(pipeline.normalizers, "normalizers"),
        "pre_tokenizer": steps_json(pipeline.pre_tokenizers, "pretokenizers"),
        "post_processor": template_json(pipeline.before, pipeline.after, names),
        "decoder": steps_json(pipeline.decoders, "decoders"),
        "model": _model_json(pipeline.model, unknown)
        | {"vocab": ids, "merges": [(spell(left), spell(right)) for left, right in _merges_of(tokenizer)]},
    }
    file = path if path.suffix == SUFFIX else path / FILE
    return {file: json.dumps(whole, ensure_ascii=False, indent=2)}


def _steps_of(tokenizer: Tokenizer) -> tuple[Pipeline, Callable[[bytes], str]]:
    """The steps around the merges, and how tokens are spelled."""
    if tokenizer.pipeline is None:
        return pipeline_of(tokenizer), lambda token: spelled(token, tokenizer.recipe)
    pipeline = in_known_steps(tokenizer.pipeline, tokenizer)
    return pipeline, to_printable if pipeline.model.is_byte_level else bytes.decode


def _written_ids(tokenizer: Tokenizer, pipeline: Pipeline, spell: Callable[[bytes], str]) -> dict[str, int]:
    """The ids of the model's tokens. An added token is among them if it was before, or else would get another id."""
    added = {token.id: token for token in pipeline.added_tokens}
    ids = {spell(token): i for i, token in sorted(tokenizer.vocab.items()) if i not in added}
    inside = {token.content: i for i, token in added.items() if token.in_vocabulary or i == tokenizer.unknown_id}
    found = numbers((token.content for token in pipeline.added_tokens), ids | inside)
    if list(found) != [token.id for token in pipeline.added_tokens]:
        inside = {token.content: i for i, token in added.items()}
    return dict(sorted((ids | inside).items(), key=lambda item: item[1]))


def _merges_of(tokenizer: Tokenizer) -> Iterator[tuple[bytes, bytes]]:
    """All merges; those that share a rank one after another. Raises FormatError where that could give other ids."""
    others: dict[int, list[tuple[bytes, bytes]]] = {}
    for pair, rank in tokenizer.other_merges.items():
        others.setdefault(rank, []).append(pair)
    for rank, pair in enumerate(tokenizer.merges):
        pairs = [pair, *others.get(rank, ())]
        lefts = {left for left, _right in pairs}
        if clash := next((pair for pair in pairs if len(pairs) > 1 and pair[1] in lefts and pair[0] != pair[1]), None):
            raise FormatError(
                _(
                    "EngineError",
                    "tokenizer.json cannot hold the merge {left!r} {right!r}: another has the same rank, and which of "
                    "them comes first in a text depends on the text.",
                ),
                left=clash[0],
                right=clash[1],
            )
        yield from pairs


def _added_json(token: AddedToken) -> dict[str, Any]:
    return {
        "id": token.id,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    }


def _model_json(model: Model, unknown: str | None) -> dict[str, Any]:
    """All but the vocabulary and the merges."""
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
