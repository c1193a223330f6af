"""GPT-2 and the Hugging Face libraries: a folder with `vocab.json` and `merges.txt`.

Bytes are always written as GPT-2's printable characters, because JSON cannot represent bytes. Characters are written as
they are (or as printable characters, if the recipe says so), end-of-word markers as `</w>`.

A third file, `training.json`, stores the rest: the recipe, the special tokens and the counts of the merges. If it is
missing, the recipe is inferred from the vocabulary.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from operator import add
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np

from bpe_gui.engine.runtime.bounded_json import JsonValue, parse_bounded
from bpe_gui.engine.runtime.errors import EngineError, FormatError, LineError
from bpe_gui.engine.runtime.files import line_of_key, read_text
from bpe_gui.engine.runtime.printable import END_OF_WORD, PRINTABLE, from_printable, to_printable
from bpe_gui.engine.text.alphabet import is_written_printable
from bpe_gui.engine.text.recipe import PRESETS, Recipe
from bpe_gui.engine.text.utf8 import characters_in
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.entries import MAX_ID
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedMerges, NumberedTokens, TokenList, TokenPair

from .files import as_text, check_has_recipe, check_line_count, merge_in_line, spelled_ids
from .spelled_tokens import SpelledMerges, from_printable_each, spelled_merges, split_pairs

VOCAB: Final = "vocab.json"
MERGES: Final = "merges.txt"
FILE: Final = "tokenizer.json"
CONFIG: Final = "tokenizer_config.json"
SPECIAL_TOKENS: Final = "special_tokens_map.json"
ADDED_TOKENS: Final = "added_tokens.json"
TRAINING: Final = "training.json"
OLD_NAMES: Final = ("encoder.json", "vocab.bpe")
"""The names that OpenAI gave to the files of GPT-2."""
_ENDS: Final = ("-vocab.json", "-merges.txt")
"""How names end that begin with a prefix, such as that of a model."""

_HEADER: Final = "#version: 0.2"
_MAX_BYTES: Final = 1 << 28
_MAX_CHARACTER_BYTES: Final = 4  # in UTF-8


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, folder: Path) -> dict[Path, str]:
    """Return the content of the three files in `folder`. Raise FormatError for a tokenizer they cannot represent."""
    import json

    check_has_recipe(tokenizer)
    spell = to_printable if is_written_printable(tokenizer.recipe) else as_text
    vocab = spelled_ids(tokenizer, spell, VOCAB)
    merges = [_merge_line(spell(left), spell(right)) for left, right in tokenizer.merges]
    # Without a header, readers would drop a first merge that looks like one, or a byte-order mark at its start.
    if tokenizer.recipe.merges_header or (merges and merges[0].startswith(("#version", "\ufeff"))):
        merges.insert(0, _HEADER)
    training = {
        "recipe": tokenizer.recipe.to_dict(),
        "special_tokens": tokenizer.special_tokens,
        "unknown_id": tokenizer.unknown_id,
        "merge_counts": tokenizer.merge_counts,
    }
    files = {
        folder / VOCAB: json.dumps(vocab, ensure_ascii=False, indent=0) + "\n",
        folder / MERGES: "".join(line + "\n" for line in merges),
        folder / TRAINING: json.dumps(training, ensure_ascii=False) + "\n",
    }
    _check_sizes(files)
    return files


def _check_sizes(files: Mapping[Path, str]) -> None:
    """Raise FormatError for a file that would be too large to read back, as with tokens of megabytes."""
    for path, text in files.items():
        if len(text) * _MAX_CHARACTER_BYTES > _MAX_BYTES and len(text.encode()) > _MAX_BYTES:
            raise FormatError(
                "{path} would be larger than {most:,} bytes, too large to be read again. Use fewer merges.",
                path=path.name,
                most=_MAX_BYTES,
            )


def _merge_line(left: str, right: str) -> str:
    for token in (left, right):
        if any(character in token for character in " \r\n"):
            raise FormatError(
                "merges.txt cannot represent the token {token!r}, because it separates tokens with spaces and merges "
                "with line breaks. Train with a splitter that drops whitespace, or choose the spelling gpt2-printable "
                "(“GPT-2's printable table”).",
                token=token,
            )
    return f"{left} {right}"


# -- reading ------------------------------------------------------------------------------------------------------


def pair_of(path: Path) -> tuple[Path, Path]:
    """Return the vocabulary and the merges in a folder, or those that a file of such a pair belongs to.

    A folder without any, or with several, gives the usual names, so that the error names these.
    """
    if not path.is_dir():
        prefix = next((path.name.removesuffix(end) for end in _ENDS if path.name.endswith(end)), None)
        return pair_of(path.parent) if prefix is None else _prefixed(path.parent, prefix)
    pairs = [(path / vocab, path / merges) for vocab, merges in ((VOCAB, MERGES), OLD_NAMES)]
    prefixes = sorted(file.name.removesuffix(_ENDS[0]) for file in path.glob(f"*{_ENDS[0]}"))
    pairs += [_prefixed(path, prefix) for prefix in prefixes[:2]]
    found = [pair for pair in pairs if pair[0].exists() and pair[1].exists()]
    return found[0] if found and (len(prefixes) < 2 or found[0] in pairs[:2]) else pairs[0]


def _prefixed(folder: Path, prefix: str) -> tuple[Path, Path]:
    return folder / (prefix + _ENDS[0]), folder / (prefix + _ENDS[1])


def belongs_to_model(file: Path) -> bool:
    """Return whether a folder is one of transformers, given its `tokenizer.json`: there is that file, or a config."""
    folder = file.parent
    if file.exists():
        return True
    has_pair = (folder / VOCAB).exists() and (folder / MERGES).exists()
    return (
        has_pair
        and not (folder / TRAINING).exists()
        and any((folder / name).exists() for name in (CONFIG, SPECIAL_TOKENS, ADDED_TOKENS))
    )


def recognises(path: Path) -> bool:
    """Return whether a folder has a vocabulary for merges, given its first file, or a file belongs to such a pair."""
    return pair_of(path if path.name.endswith(_ENDS) else path.parent)[0].exists()


def load(path: Path) -> Tokenizer:
    """Read a tokenizer from a folder, or from a file of a pair. Raise FormatError."""
    vocab_path, merges_path = pair_of(path)
    vocab_file, merges_file = _VocabFile(vocab_path), _MergesFile(merges_path)
    training_path = vocab_path.with_name(TRAINING)
    training = _read_training(training_path)
    given = JsonValue(training_path, "", training.get("recipe"))
    saved = given.converted(Recipe.from_dict) if "recipe" in training else None
    recipe = saved or _inferred_recipe(vocab_file.ids, merges_file)
    special_tokens = _special_tokens(training_path, training, vocab_file, merges_file)
    vocab = vocab_file.tokens(recipe, special_tokens)
    return Tokenizer(
        vocab,
        merges_file.numbered(vocab_file, vocab, special_tokens) or merges_file.merges(recipe, vocab_file),
        special_tokens,
        recipe=recipe,
        unknown_id=_unknown_id(training_path, training, vocab),
        merge_counts=_merge_counts(training_path, training, len(merges_file.lefts)),
        notes=[] if saved else [_guess(recipe)],
    )


def _guess(recipe: Recipe) -> EngineError:
    """Return the note that says how text is split, where no file says it."""
    return EngineError(
        "No file says how text is split, so the splitter {splitter} is assumed. If the model uses another one, its "
        "ids differ: choose that one.",
        splitter=recipe.splitter,
    )


def read_pair(folder: Path) -> tuple[dict[str, int], SpelledMerges]:
    """Return the vocabulary and the merges of a folder as they are spelled. Raise FormatError."""
    vocab_path, merges_path = pair_of(folder)
    vocab_file, merges_file = _VocabFile(vocab_path), _MergesFile(merges_path)
    merges = spelled_merges(merges_file.lefts, merges_file.rights, vocab_file.ids)
    if merges is None:
        merges_file.merges(Recipe(), vocab_file)  # raises
        raise AssertionError
    return vocab_file.ids, merges


def assumes_splitter(tokenizer: Tokenizer) -> bool:
    """Return whether no file says how a tokenizer splits text, so it was assumed."""
    return any(map(_is_guess, tokenizer.notes))


def with_splitter(tokenizer: Tokenizer, splitter: str) -> Tokenizer:
    """Return a tokenizer with a recipe, changed to split text in another way, which is then no guess."""
    recipe = tokenizer.recipe.with_changes(splitter=splitter)
    return tokenizer.changed(recipe=recipe, notes=[note for note in tokenizer.notes if not _is_guess(note)])


def _is_guess(note: EngineError) -> bool:
    return note.template == _guess(Recipe()).template


def _parse_token(spelling: str, *, printable: bool) -> bytes:
    """Return the bytes of a token. Raise ValueError with the character that does not stand for bytes."""
    if printable:
        try:
            return from_printable(spelling)
        except KeyError as error:
            raise ValueError(error.args[0]) from error
    try:
        return spelling.encode()
    except UnicodeEncodeError as error:
        raise ValueError(spelling[error.start]) from error


def _no_byte_error(token: str, error: ValueError, path: Path, line: int) -> LineError:
    character = error.args[0]
    return LineError(
        "{token!r} contains {character!r}, which does not represent a byte.",
        path,
        line,
        token=token,
        character=character,
    )


class _VocabFile:
    """`vocab.json` as it is written: `ids` by the spelling of the token."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._text = read_text(path, _MAX_BYTES)
        self.ids: dict[str, int] = parse_bounded(path, self._text).value
        if not isinstance(self.ids, dict) or not self.ids:
            raise FormatError(
                "{path} is not a vocabulary: it must be a non-empty JSON object that maps tokens to ids.", path=path
            )
        self._check_entries()

    def _check_entries(self) -> None:
        if self._is_plain():
            return
        owner: dict[int, str] = {}
        for token, token_id in self.ids.items():
            if type(token_id) is not int or not 0 <= token_id <= MAX_ID:
                raise LineError(
                    "the id of {token!r} must be a non-negative integer, not {id!r}.",
                    *self._at(token),
                    token=token,
                    id=token_id,
                )
            if token_id in owner:
                raise LineError(
                    "{token!r} has the id {id}, which already belongs to {other!r}.",
                    *self._at(token),
                    token=token,
                    id=token_id,
                    other=owner[token_id],
                )
            owner[token_id] = token

    def _is_plain(self) -> bool:
        """Return whether the entries pass the checks in bulk, which is many times as fast as checking each one."""
        ids = self.ids.values()
        if set(map(type, ids)) != {int} or not 0 <= min(ids) <= max(ids) <= MAX_ID:
            return False
        return "" not in self.ids and len(set(ids)) == len(ids)

    def _at(self, token: str) -> tuple[Path, int]:
        return self._path, line_of_key(self._text, token)

    def tokens(self, recipe: Recipe, special_tokens: Mapping[str, int]) -> NumberedTokens:
        """Return the bytes of the tokens by id. Special tokens are always written as plain text."""
        printable = is_written_printable(recipe)
        plain = [token for token in self.ids if token not in special_tokens]
        with suppress(KeyError, ValueError):  # the loop below explains the error
            tokens = from_printable_each(plain) if printable else list(map(str.encode, plain))
            if len(plain) < len(self.ids):
                data = dict(zip(plain, tokens, strict=True)) | {token: token.encode() for token in special_tokens}
                tokens = [data[token] for token in self.ids]
            return NumberedTokens(np.fromiter(self.ids.values(), np.int64, len(self.ids)), TokenList.of(tokens))
        vocab: dict[int, bytes] = {}
        for token, token_id in self.ids.items():
            try:
                vocab[token_id] = _parse_token(token, printable=printable and token not in special_tokens)
            except ValueError as error:
                raise _no_byte_error(token, error, *self._at(token)) from error
        return NumberedTokens.of(vocab)


class _MergesFile:
    """`merges.txt` as it is written: the left and the right token of each merge."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Only \n ends a line: a token may contain other characters that programs take for line ends.
        text = read_text(path, _MAX_BYTES)
        check_line_count(path, text.count("\n"))
        lines = text.removesuffix("\r").replace("\r\n", "\n").split("\n")
        first = 1 if lines[0].startswith("#version") else 0
        self._numbers = [number for number, line in enumerate(lines[first:], first + 1) if line]
        pairs = split_pairs([line for line in lines[first:] if line])
        if pairs is None:
            self._refuse(lines)
        self.lefts, self.rights = pairs

    def _refuse(self, lines: Sequence[str]) -> NoReturn:
        """Raise FormatError for the first line that is not a pair of tokens."""
        for number in self._numbers:
            merge_in_line(self._path, number, lines[number - 1])
        raise AssertionError

    def numbered(
        self, vocab_file: _VocabFile, vocab: NumberedTokens, special_tokens: Mapping[str, int]
    ) -> NumberedMerges | None:
        """Return the merges, given the bytes of the tokens by id.

        Return None if they have a token that is special or not in the vocabulary.
        """
        merges = spelled_merges(self.lefts, self.rights, vocab_file.ids)
        if merges is None or (special_tokens and any(map(special_tokens.__contains__, merges.used(vocab_file.ids)))):
            return None
        return merges.of_bytes(vocab_file.ids, vocab_file.ids, vocab.tokens)

    def merges(self, recipe: Recipe, vocab_file: _VocabFile) -> list[TokenPair]:
        """Return the merges. Raise FormatError with the line of a wrong token."""
        lines = zip(self._numbers, self.lefts, self.rights, strict=True)
        return [self._merge(number, left, right, recipe, vocab_file) for number, left, right in lines]

    def _merge(self, number: int, left: str, right: str, recipe: Recipe, vocab_file: _VocabFile) -> TokenPair:
        if recipe.vocabulary == "grow":
            self._check_in_vocabulary(number, left, right, vocab_file)
        printable = is_written_printable(recipe)
        try:
            return _parse_token(left, printable=printable), _parse_token(right, printable=printable)
        except ValueError as error:
            raise _no_byte_error(f"{left} {right}", error, self._path, number) from error

    def _check_in_vocabulary(self, number: int, left: str, right: str, vocab_file: _VocabFile) -> None:
        for token in (left, right, left + right):
            if token not in vocab_file.ids:
                raise LineError(
                    "the token {token!r} of this merge is not in vocab.json.", self._path, number, token=token
                )


def _read_training(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    training = parse_bounded(path, read_text(path, _MAX_BYTES)).value
    if not isinstance(training, dict):
        raise FormatError("{path} is damaged: it must contain a JSON object.", path=path)
    return training


def _inferred_recipe(ids: Mapping[str, int], merges: _MergesFile) -> Recipe:
    """Return the recipe with which this vocabulary was most likely trained."""
    marker = END_OF_WORD.decode()
    if are_bytes(ids, merges.lefts, merges.rights):
        has_markers = any(token.endswith(marker) and token != marker for token in ids)
        return PRESETS["huggingface"].with_changes(boundary="suffix-attached" if has_markers else "none")
    if marker in ids:
        return PRESETS["char-eow"]
    if any(token.endswith(marker) for token in ids):
        return PRESETS["subword-nmt"]
    return Recipe(units="characters", splitter="whitespace")


def are_bytes(ids: Mapping[str, int], lefts: Iterable[str], rights: Iterable[str]) -> bool:
    """Return whether the characters of a vocabulary stand for bytes, given the left and right tokens of its merges.

    They do if there is one for each byte. If some are missing, the merges decide: each makes bytes that may be
    neighbours in UTF-8, and one makes characters that are written as others.

    >>> are_bytes({}, ["Ġ", "Ã"], ["a", "©"]), are_bytes({}, ["b", "by"], ["y", "ł"]), are_bytes({}, ["l"], ["o"])
    (True, False, False)
    """
    if all(character in ids for character in PRINTABLE):
        return True
    marker = END_OF_WORD.decode()
    made = {(left + right).removesuffix(marker) for left, right in zip(lefts, rights, strict=True)}
    try:
        texts = {token: characters_in(from_printable(token)) for token in made}
    except KeyError:
        return False
    are_written_otherwise = (
        text != token and to_printable(text.encode()) == token for token, text in texts.items() if text
    )
    return None not in texts.values() and any(are_written_otherwise)


def _special_tokens(
    path: Path, training: Mapping[str, Any], vocab_file: _VocabFile, merges_file: _MergesFile
) -> dict[str, int]:
    """Return the saved special tokens, or else all tokens of several characters that no merge makes."""
    special_tokens = training.get("special_tokens")
    if special_tokens is None:
        merged = set(map(add, merges_file.lefts, merges_file.rights))
        marker = END_OF_WORD.decode()
        return {
            token: token_id
            for token, token_id in vocab_file.ids.items()
            if len(token) > 1 and token not in merged and len(token.removesuffix(marker)) > 1
        }
    if not isinstance(special_tokens, dict) or any(vocab_file.ids.get(t) != i for t, i in special_tokens.items()):
        raise FormatError("{path}: its special tokens do not match the vocabulary in the same folder.", path=path)
    return special_tokens


def _unknown_id(path: Path, training: Mapping[str, Any], vocab: Mapping[int, bytes]) -> int | None:
    unknown_id = training.get("unknown_id")
    if unknown_id is not None and (type(unknown_id) is not int or unknown_id not in vocab):
        raise FormatError(
            "{path}: the id for unknown symbols, {id!r}, is not in the vocabulary.", path=path, id=unknown_id
        )
    return unknown_id


def _merge_counts(path: Path, training: Mapping[str, Any], merge_count: int) -> list[int] | None:
    counts = training.get("merge_counts")
    if counts is None:
        return None
    if not isinstance(counts, list) or len(counts) != merge_count or any(type(c) is not int for c in counts):
        raise FormatError(
            "{path} must contain one count for each of the {merges} merges.", path=path, merges=merge_count
        )
    return counts
