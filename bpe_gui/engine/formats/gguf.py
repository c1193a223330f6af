"""GGUF: read the tokenizer in a `*.gguf` model of llama.cpp, but not the weights; write one that merges bytes.

Three kinds of tokenizers in these files are byte-pair encodings: `gpt2`, which merges bytes or, with a few named
splitters, characters; `gemma4`, which merges characters; and `llama`, SentencePiece's pieces with scores. The file
only names the patterns that split text: see `llama_cpp_splitters`.

Ids are those that llama.cpp gives with `add_special` and `parse_special`: special tokens are recognised in text, and
BOS and EOS tokens are added if the file says so. If it does not say, llama.cpp's default for this kind of tokenizer
applies; see also `llama_cpp_tokens`. Source: ggml-org/llama.cpp src/llama-vocab.cpp.

We write files of the kind `gpt2`, with the name of a pattern by which llama.cpp splits as the tokenizer does.

What else a file says about special tokens, chats and the model is kept under the names of `transformers`.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

import numpy as np

from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.decoders import ByteFallback, ByteLevelDecoder, Fuse, ReplaceDecoder
from bpe_gui.engine.pipeline.longest_first import LongestFirstPipeline, overlapping
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.normalizers import Replace
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL, ByteLevel, Split
from bpe_gui.engine.pipeline.published_patterns import ASCII_CONTRACTIONS, CONTRACTIONS
from bpe_gui.engine.pipeline.sentencepiece import SentencePieceDecoder, SentencePieceNormalizer, safe_splits
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.printable import from_printable, to_printable
from bpe_gui.engine.text.sentencepiece import BYTE_PIECES
from bpe_gui.engine.tokenization.config import CHAT_TEMPLATE, DEFAULT_TEMPLATE, TokenizerConfig
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedMerges, NumberedTokens, TokenList

from .gguf_metadata import MAX_ITEMS, Metadata, Value, file_without_weights
from .llama_cpp_splitters import LLAMA_CPP_SPLITTERS, LlamaCppSplitter
from .llama_cpp_tokens import (
    CONTROL,
    NORMAL,
    SPECIAL_TYPES,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    loaded_types,
    strips_left,
    strips_right,
)
from .ranks import SINGLE_BYTES
from .recipe_pipelines import merges_make_all_tokens, pipeline_of, recipe_of, splits_before_bytes
from .sentencepiece import merges_from_scores
from .spelled_tokens import from_printable_each, spelled_merges, split_pairs, which_are_printable

_PREFIX: Final = "tokenizer.ggml."
_ARCHITECTURE: Final = "general.architecture"
_NAME: Final = "general.name"
_CHAT_TEMPLATE: Final = "tokenizer.chat_template"

_DEFAULT_IDS: Final = {"llama": {"bos": 1, "eos": 2}, "gpt2": {"bos": 11, "eos": 11}}
"""The ids of the BOS and EOS tokens if the file does not say, by kind of tokenizer."""
_WITHOUT_DEFAULT_BOS: Final = ("chatglm-bpe", "glm4")
"""Splitters with which the BOS token has no such id."""

_ROLES: Final = {
    **{name: f"{name}_token" for name in ("bos", "eos", "cls", "mask")},
    **{"unknown": "unk_token", "seperator": "sep_token", "padding": "pad_token"},
}
"""The roles of special tokens in `transformers`, by their names in files."""

_MAX_LENGTH: Final = (1 << 32) - 1
"""The largest length of a context that is written; transformers has a larger number for no limit."""


def load(path: Path) -> Tokenizer:
    """Return the tokenizer of a model file. Raise FormatError."""
    metadata = Metadata(path, _PREFIX)
    kind = metadata.string("model")
    if kind not in ("gpt2", "gemma4", "llama"):
        raise FormatError(
            "{path}: {key} is {kind!r}. Only gpt2, gemma4 and llama are byte-pair encodings.",
            **metadata.where("model"),
            kind=kind,
        )
    vocabulary = _Vocabulary(metadata)
    if kind == "llama":
        tokenizer = _llama_tokenizer(path, metadata, vocabulary)
    else:
        splitter = _splitter(metadata, kind)
        of_kind = _byte_tokenizer if splitter.is_byte_level else _character_tokenizer
        tokenizer = of_kind(metadata, vocabulary, splitter)
    return tokenizer.with_config(_config(metadata, vocabulary))


def _config(metadata: Metadata, vocabulary: "_Vocabulary") -> TokenizerConfig:
    """Return what else a file says, by the keys of `transformers`; the splitter has the file's own key."""
    special = vocabulary.special_ids()
    roles: dict[str, str] = {}
    for key in metadata.keys(_PREFIX):
        role, token_id = key.removeprefix(_PREFIX).removesuffix("_token_id"), metadata.number(key)
        if key.endswith("_token_id") and token_id is not None and 0 <= token_id < len(vocabulary.tokens):
            roles[_ROLES.get(role, f"{role}_token")] = vocabulary.tokens[token_id]
    roles = {role: token for role, token in roles.items() if token in special}
    values: dict[str, Any] = {role: token for role, token in roles.items() if role in _ROLES.values()}
    if further := {role: token for role, token in roles.items() if role not in values}:
        values["model_specific_special_tokens"] = further
    for key in ("add_bos_token", "add_eos_token"):
        if key in metadata:
            values[key] = metadata.boolean(key, False)
    length = metadata.number(f"{metadata.text(_ARCHITECTURE)}.context_length")
    known = {
        "name_or_path": metadata.text(_NAME),
        "model_max_length": length,
        CHAT_TEMPLATE: _chat_template(metadata),
        f"{_PREFIX}pre": metadata.text(f"{_PREFIX}pre"),
    }
    return TokenizerConfig(values | {key: value for key, value in known.items() if value})


def _chat_template(metadata: Metadata) -> str | list[dict[str, str]]:
    """Return the only chat template or, if there are several, all of them with their names."""
    templates = {
        key.removeprefix(_CHAT_TEMPLATE).removeprefix(".") or DEFAULT_TEMPLATE: metadata.text(key)
        for key in metadata.keys(_CHAT_TEMPLATE)
        if key in (_CHAT_TEMPLATE, f"{_CHAT_TEMPLATE}.{key.rpartition('.')[2]}")
    }
    if templates.keys() <= {DEFAULT_TEMPLATE}:
        return templates.get(DEFAULT_TEMPLATE, "")
    return [{"name": name, "template": template} for name, template in templates.items()]


class _Vocabulary:
    """The tokens of a file by id, with their types."""

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata
        # llama.cpp's name for empty tokens.
        self.tokens = [text or f"[EMPTY_{token_id}]" for token_id, text in enumerate(metadata.strings("tokens"))]
        count = len(self.tokens)
        types = metadata.numbers("token_type", count) if "token_type" in metadata else [NORMAL] * count
        self.ids = dict(zip(self.tokens, range(count), strict=True))
        if len(self.ids) < count:
            self._refuse_repeated()
        self.types: list[int] = loaded_types(self.ids, types, lambda role: f"{role}_token_id" in metadata)

    def _refuse_repeated(self) -> NoReturn:
        """Raise FormatError for the first repeated token."""
        first_of: dict[str, int] = {}
        second = next(i for i, text in enumerate(self.tokens) if first_of.setdefault(text, i) != i)
        raise FormatError(
            "{path}: {key} contains {token!r} twice, with the ids {first} and {second}.",
            **self._metadata.where("tokens"),
            token=self.tokens[second],
            first=first_of[self.tokens[second]],
            second=second,
        )

    def of_types(self, *types: int) -> dict[str, int]:
        """Return the ids of the tokens that have one of these types."""
        return {self.tokens[token_id]: token_id for token_id in np.flatnonzero(np.isin(self.types, types)).tolist()}

    def special_ids(self) -> dict[str, int]:
        """Return the ids of the tokens that are searched for in text before it is split."""
        return self.of_types(*SPECIAL_TYPES)

    def pipeline(self, **steps: Any) -> Pipeline:
        """Return the steps together with the search for special tokens."""
        metadata = self._metadata
        model = metadata.text(f"{_PREFIX}pre"), metadata.text(_ARCHITECTURE), metadata.text(_NAME)
        added_tokens = tuple(
            AddedToken(
                id=token_id,
                content=text,
                special=self.types[token_id] != USER_DEFINED,
                lstrip=strips_left(text, *model),
                rstrip=strips_right(text, *model),
            )
            for text, token_id in self.special_ids().items()
        )
        is_plain = not any(token.lstrip or token.rstrip for token in added_tokens)
        kind = Pipeline if is_plain and not overlapping(self.special_ids()) else LongestFirstPipeline
        return kind(added_tokens=added_tokens, **steps)

    def boundary_ids(self, kind: Literal["bos", "eos"], default: bool, always: bool = False) -> tuple[int, ...]:
        """Return a tuple of the id that is added at the beginning (`bos`) or end (`eos`) of a text, or an empty one.

        `default` says whether to add one if the file does not say, `always` whether to add it regardless of the file.
        """
        key, metadata = f"{kind}_token_id", self._metadata
        if not (always or metadata.boolean(f"add_{kind}_token", default)):
            return ()
        default_id = _DEFAULT_IDS.get(metadata.string("model"), {}).get(kind, len(self.tokens))
        lacks_default = kind == "bos" and metadata.text(f"{_PREFIX}pre") in _WITHOUT_DEFAULT_BOS
        is_named = key in metadata or lacks_default or default_id >= len(self.tokens)
        return (metadata.index(key, len(self.tokens)) if is_named else default_id,)


def _splitter(metadata: Metadata, kind: str) -> LlamaCppSplitter:
    """Return the splitter that the file names. `gemma4`, a kind of tokenizer, is also the name of its splitter."""
    name = kind if kind in LLAMA_CPP_SPLITTERS else metadata.string("pre") if "pre" in metadata else "default"
    splitter = LLAMA_CPP_SPLITTERS.get(name)
    if splitter is None:
        raise FormatError(
            "{path}: {key} is {name!r}, which is not a supported pre-tokenizer.", **metadata.where("pre"), name=name
        )
    return splitter


# -- gpt2: merges of bytes ----------------------------------------------------------------------------------------


def _byte_tokenizer(metadata: Metadata, vocabulary: _Vocabulary, splitter: LlamaCppSplitter) -> Tokenizer:
    # If a normal token has the same bytes as another one, merges must make the normal one: the later entry wins. Normal
    # tokens with characters that stand for no byte are entries that no text has.
    is_normal = np.array(vocabulary.types, np.int64) == NORMAL
    is_spelled = is_normal & which_are_printable(vocabulary.tokens)
    spelled_last = np.argsort(is_spelled, kind="stable")
    ordered = [vocabulary.tokens[token_id] for token_id in spelled_last.tolist()]
    first = len(ordered) - int(np.count_nonzero(is_spelled))
    spelled = ordered[first:]
    tokens = TokenList.of([*map(str.encode, ordered[:first]), *from_printable_each(spelled)])
    vocab = NumberedTokens(spelled_last, tokens)
    merges = _read_merges(metadata, spelled, tokens)
    special_tokens = vocabulary.special_ids()
    pipeline = vocabulary.pipeline(
        pre_tokenizers=(*(Split(pattern, "isolated") for pattern in splitter.patterns), ByteLevel()),
        model=ModelOptions(is_byte_level=True, ignores_merges=splitter.ignores_merges),
        decoders=(ByteLevelDecoder(),),
        ids_before=vocabulary.boundary_ids("bos", splitter.adds_bos),
        ids_after=vocabulary.boundary_ids("eos", False),
        raw_ids=frozenset(np.flatnonzero(is_normal & ~is_spelled).tolist()),
    )
    recipe = None if pipeline.raw_ids else recipe_of(pipeline)
    if recipe:
        tokenizer = Tokenizer(vocab, merges, special_tokens, recipe=recipe)
        if not splitter.ignores_merges or merges_make_all_tokens(tokenizer):
            return tokenizer
    return Tokenizer(vocab, merges, special_tokens, pipeline=pipeline)


def _read_merges(metadata: Metadata, spelled: Sequence[str], tokens: TokenList) -> Sequence[tuple[bytes, bytes]]:
    """Return the merges. In nearly all files, these are merges of spelled tokens, which come last in `tokens`."""
    texts = metadata.strings("merges")
    pairs = split_pairs(texts)
    merges = spelled_merges(*pairs, spelled) if pairs else None
    if merges is not None:
        return NumberedMerges(tokens, *(column + (len(tokens) - len(spelled)) for column in merges))
    parsed = (_parse_merge(metadata, rank, text) for rank, text in enumerate(texts))
    return [merge for merge in parsed if merge is not None]


def _parse_merge(metadata: Metadata, rank: int, text: str) -> tuple[bytes, bytes] | None:
    """Return a merge; None for one of characters that stand for no byte, which no text needs."""
    left, _space, right = text.partition(" ")
    if not left or not right or " " in right:
        raise FormatError(
            "{path}: merge {rank} of {key}, {text!r}, is not two tokens separated by a space.",
            **metadata.where("merges"),
            rank=rank,
            text=text,
        )
    try:
        return from_printable(left), from_printable(right)
    except KeyError:
        return None


# -- gpt2 and gemma4: merges of characters ------------------------------------------------------------------------


def _character_tokenizer(metadata: Metadata, vocabulary: _Vocabulary, splitter: LlamaCppSplitter) -> Tokenizer:
    tokens = {text: text.encode() for text in vocabulary.tokens}
    texts = metadata.strings("merges")
    pairs = split_pairs(texts)
    merges = spelled_merges(*pairs, tokens) if pairs else None
    if merges is None:
        raise FormatError("{path}: {key} must be pairs of tokens that make a token.", **metadata.where("merges"))
    before = vocabulary.boundary_ids("bos", splitter.adds_bos, splitter.always_adds_bos)
    after = vocabulary.boundary_ids("eos", False)
    vocab = NumberedTokens.of(dict(enumerate(tokens.values())))
    tokenizer = Tokenizer(
        vocab,
        merges.of_bytes(tokens, tokens, vocab.tokens),
        vocabulary.special_ids(),
        pipeline=vocabulary.pipeline(
            normalizers=(Replace(" ", SPACE_SYMBOL),),
            pre_tokenizers=tuple(Split(pattern, "isolated") for pattern in splitter.patterns),
            model=ModelOptions(falls_back_to_bytes=True),
            decoders=(ReplaceDecoder(SPACE_SYMBOL, " "), ByteFallback(), Fuse()),
            ids_before=before,
            ids_after=after,
        ),
    )
    # llama.cpp looks up runs of line breaks, but no other words, before merging; real files have merges that agree.
    special_ids = vocabulary.special_ids()
    for text, token_id in vocabulary.ids.items():
        if not text.strip("\n") and text not in special_ids and tokenizer.encode(text) != [*before, token_id, *after]:
            raise FormatError(
                "{path}: {key} has no merges that make the token {token!r}.", **metadata.where("merges"), token=text
            )
    return tokenizer


# -- llama: pieces with scores ------------------------------------------------------------------------------------


def _llama_tokenizer(path: Path, metadata: Metadata, vocabulary: _Vocabulary) -> Tokenizer:
    count = len(vocabulary.tokens)
    scores = metadata.numbers("scores", count) if "scores" in metadata else [0.0] * count
    if not all(map(isfinite, scores)):
        raise FormatError("{path}: {key} must contain only finite numbers.", **metadata.where("scores"))
    special_ids = vocabulary.special_ids()
    pieces = {piece: token_id for piece, token_id in vocabulary.ids.items() if piece not in special_ids}
    scored = merges_from_scores(path, {piece: scores[token_id] for piece, token_id in pieces.items()})
    normalizer = SentencePieceNormalizer(
        adds_dummy_prefix=metadata.boolean("add_space_prefix", True), removes_extra_whitespaces=False
    )
    has_bytes = vocabulary.ids.keys() >= set(BYTE_PIECES)
    pipeline = vocabulary.pipeline(
        normalizers=(normalizer,),
        pre_tokenizers=safe_splits(scored.pieces) if SPACE_SYMBOL in pieces else (),
        model=ModelOptions(falls_back_to_bytes=has_bytes, fuses_unknown=True),
        decoders=(SentencePieceDecoder(normalizer=normalizer, has_byte_pieces=has_bytes),),
        ids_before=vocabulary.boundary_ids("bos", True),
        ids_after=vocabulary.boundary_ids("eos", False),
    )
    return Tokenizer(
        {token_id: text.encode() for token_id, text in enumerate(vocabulary.tokens)},
        scored.merges,
        special_ids,
        unknown_id=_unknown_id(metadata, vocabulary),
        pipeline=pipeline,
        other_merges=scored.shared_ranks,
    )


def _unknown_id(metadata: Metadata, vocabulary: _Vocabulary) -> int | None:
    if "unknown_token_id" in metadata:
        return metadata.index("unknown_token_id", len(vocabulary.tokens))
    return next(iter(vocabulary.of_types(UNKNOWN).values()), None)


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, path: Path) -> dict[Path, bytes]:
    """Return the content of a file with a vocabulary and no weights.

    Raise FormatError for a tokenizer whose ids llama.cpp would not give.
    """
    pre, _is_exact = pre_of(tokenizer)
    pipeline = tokenizer.pipeline or pipeline_of(tokenizer)
    added, vocab = {token.id: token for token in pipeline.added_tokens}, tokenizer.vocab
    texts, types = list[str](), list[int]()
    for token_id in range(tokenizer.largest_id + 1):
        if (token := added.get(token_id)) is not None:
            texts.append(token.content)
            types.append(CONTROL if token.special else USER_DEFINED)
        elif token_id in vocab:
            is_raw = token_id in pipeline.raw_ids
            texts.append(vocab[token_id].decode() if is_raw else to_printable(vocab[token_id]))
            types.append(NORMAL)
        else:
            texts.append(f"[PAD{token_id}]")
            types.append(UNUSED)
    names = {role: name for name, role in _ROLES.items()}
    roles: dict[str, Value] = {
        f"{names.get(role, role.removesuffix('_token'))}_token_id": tokenizer.special_tokens[content]
        for role, content in tokenizer.config.roles.items()
        if content in tokenizer.special_tokens
    }
    for name, around in (("bos", pipeline.ids_before), ("eos", pipeline.ids_after)):
        roles[f"add_{name}_token"] = bool(around)
        roles |= {f"{name}_token_id": token_id for token_id in around}
    ids = dict(zip(texts, range(len(texts)), strict=True))
    kept = loaded_types(ids, types, lambda role: f"{role}_token_id" in roles)
    changed = np.flatnonzero(np.isin(kept, SPECIAL_TYPES) != np.isin(types, SPECIAL_TYPES)).tolist()
    if changed or len(ids) < len(texts):
        mistaken = next(
            (text for token_id, text in enumerate(texts) if token_id in changed or ids[text] != token_id), ""
        )
        raise FormatError(
            "llama.cpp would take the token {token!r} for another one, because of its name or because two tokens are "
            "written like this.",
            token=mistaken,
        )
    templates = {
        _CHAT_TEMPLATE + f".{name}" * (name != DEFAULT_TEMPLATE): text
        for name, text in tokenizer.config.chat_templates.items()
    }
    length = tokenizer.config.values.get("model_max_length")
    lengths = {"llama.context_length": length} if isinstance(length, int) and 0 < length <= _MAX_LENGTH else {}
    merges = [f"{to_printable(left)} {to_printable(right)}" for left, right in tokenizer.merges]
    ours = {"model": "gpt2", "pre": pre, "tokens": texts, "token_type": types, "merges": merges, **roles}
    prefixed = {_PREFIX + key: value for key, value in ours.items()}
    return {path: file_without_weights({_ARCHITECTURE: "llama", **lengths, **templates, **prefixed})}


def pre_of(tokenizer: Tokenizer) -> tuple[str, bool]:
    """Return llama.cpp's name for how a tokenizer splits text, and whether it does exactly that.

    If not, only `'ſ` differs, which is no contraction in llama.cpp. Raise FormatError if there is no such name, or if
    llama.cpp has no such steps.
    """
    pipeline = tokenizer.pipeline or pipeline_of(tokenizer)
    model, added = pipeline.model, pipeline.added_tokens
    is_plain = replace(pipeline, added_tokens=(), pre_tokenizers=()) == type(pipeline)(
        model=ModelOptions(is_byte_level=True, ignores_merges=model.ignores_merges),
        decoders=(ByteLevelDecoder(),),
        ids_before=pipeline.ids_before[:1],
        ids_after=pipeline.ids_after[:1],
        raw_ids=pipeline.raw_ids,
    )
    is_found_alike = isinstance(pipeline, LongestFirstPipeline) or not overlapping([token.content for token in added])
    if (
        not is_plain
        or not is_found_alike
        or tokenizer.other_merges
        or tokenizer.largest_id >= MAX_ITEMS
        or any(token.single_word or token.lstrip or token.rstrip or not token.is_obeyed for token in added)
        or (tokenizer.unknown_id is not None and not set(SINGLE_BYTES).issubset(tokenizer.vocab.values()))
    ):
        raise FormatError("llama.cpp has no tokenizer that normalizes, splits or merges text in this way.")
    exact = [
        step.equivalent_splitter or step.pattern if isinstance(step, Split) and not step.invert else None
        for step in splits_before_bytes(pipeline.pre_tokenizers) or [None]
    ]
    relaxed = [splitter and splitter.replace(CONTRACTIONS, ASCII_CONTRACTIONS) for splitter in exact]
    may_ignore = {model.ignores_merges, model.ignores_merges or merges_make_all_tokens(tokenizer)}
    kept = [name for name in LLAMA_CPP_SPLITTERS if name == tokenizer.config.values.get(f"{_PREFIX}pre")]
    for splits in (exact, relaxed):
        for name in (*kept, *LLAMA_CPP_SPLITTERS):
            known = LLAMA_CPP_SPLITTERS[name]
            if (
                known.is_byte_level
                and known.ignores_merges in may_ignore
                and splits == [Split(each, "isolated").equivalent_splitter or each for each in known.patterns]
            ):
                return name, splits is exact
    raise FormatError(
        "A GGUF file names how llama.cpp splits text, and none of the ways it knows is this tokenizer's. The splitter "
        "gpt2 is one of them, and so are the published expressions of Llama 3 and Qwen 2."
    )
