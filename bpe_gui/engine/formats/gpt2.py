"""`vocab.json` and `merges.txt`, as GPT-2 and the Hugging Face libraries have them.

Bytes are always written through GPT-2's printable table, because JSON cannot hold them; characters are written as they
are (or, where the recipe says so, through that table as well), end-of-word markers as `</w>`. A third file,
`training.json`, keeps what the two cannot say: the recipe, the special tokens and how often each pair occurred. It may
be missing; then the recipe is inferred from the vocabulary.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from bpe_gui.engine.runtime.errors import FormatError, RecipeError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import line_of_key, read_text
from bpe_gui.engine.runtime.bounded_json import parse_bounded
from bpe_gui.engine.text.recipe import PRESETS, Recipe
from bpe_gui.engine.runtime.printable import END_OF_WORD, PRINTABLE, from_printable, to_printable
from bpe_gui.engine.text.alphabet import is_printable
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.formats.writing import check_plain

VOCAB, MERGES, TRAINING = "vocab.json", "merges.txt", "training.json"
FILES_NEEDED = (VOCAB, MERGES)
_HEADER = "#version: 0.2"
_MOST_BYTES: Final = 1 << 26
_MOST_LINES: Final = 1 << 20


def contents(tokenizer: Tokenizer, folder: Path) -> dict[Path, str]:
    """The files in `folder` and what is in them. Raises FormatError for what they cannot hold."""
    check_plain(tokenizer)
    spell = to_printable if is_printable(tokenizer.recipe) else _as_text
    special = {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    vocab: dict[str, int] = {}
    for token_id, token in sorted(tokenizer.vocab.items()):
        written = special.get(token_id) or spell(token)
        if written in vocab:
            raise FormatError(
                _("EngineError", "vocab.json cannot hold two tokens written {token!r} (ids {first} and {second})."),
                token=written,
                first=vocab[written],
                second=token_id,
            )
        vocab[written] = token_id
    training = {
        "recipe": tokenizer.recipe.to_dict(),
        "special_tokens": tokenizer.special_tokens,
        "unknown_id": tokenizer.unknown_id,
        "merge_counts": tokenizer.merge_counts,
    }
    return {
        folder / VOCAB: json.dumps(vocab, ensure_ascii=False, indent=0) + "\n",
        folder / MERGES: _merges_text(tokenizer, spell),
        folder / TRAINING: json.dumps(training, ensure_ascii=False) + "\n",
    }


def _as_text(token: bytes) -> str:
    try:
        return token.decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            _("EngineError", "The token {token!r} is not text; a recipe with the units bytes can hold it."), token=token
        ) from error


def _merges_text(tokenizer: Tokenizer, spell: Callable[[bytes], str]) -> str:
    lines = [_merge_line(spell(left), spell(right)) for left, right in tokenizer.merges]
    # A first merge that looks like the header, or begins with what looks like a byte-order mark, would be lost.
    if tokenizer.recipe.merges_header or (lines and lines[0].startswith(("#version", "\ufeff"))):
        lines.insert(0, _HEADER)
    return "".join(line + "\n" for line in lines)


def _merge_line(left: str, right: str) -> str:
    for part in (left, right):
        if any(character in part for character in " \r\n"):
            raise FormatError(
                _(
                    "EngineError",
                    "merges.txt cannot hold the token {token!r}: it separates tokens by spaces and merges by lines. "
                    "Train with a splitter that drops white space, or choose the token spelling gpt2-printable.",
                ),
                token=part,
            )
    return f"{left} {right}"


def load(path: Path) -> Tokenizer:
    """Read the files from a folder, or from the folder that holds the file `path`. Raises FormatError."""
    folder = path.parent if path.name in (VOCAB, MERGES, TRAINING) else path
    written = _Vocab(folder / VOCAB)
    merges = _read_merges(folder / MERGES)
    training = _read_training(folder / TRAINING)
    recipe = _recipe_of(folder / TRAINING, training) or _inferred_recipe(written.ids)
    special = _special_tokens(folder / TRAINING, training, written, merges)
    vocab = written.tokens(recipe, special)
    return Tokenizer(
        vocab,
        [merge.parts(recipe, written) for merge in merges],
        special,
        recipe=recipe,
        unknown_id=_unknown_id(folder / TRAINING, training, vocab),
        merge_counts=_merge_counts(folder / TRAINING, training, len(merges)),
    )


def _unspell(token: str, *, printable: bool) -> bytes:
    """The bytes of a token as it is written. Raises ValueError with the character that cannot be."""
    if printable:
        try:
            return from_printable(token)
        except KeyError as error:
            raise ValueError(error.args[0]) from error
    try:
        return token.encode()
    except UnicodeEncodeError as error:
        raise ValueError(token[error.start]) from error


class _Vocab:
    """`vocab.json` as it is written: ids by token, and where a token stands."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._text = read_text(path, _MOST_BYTES)
        self.ids: dict[str, int] = parse_bounded(path, self._text).value
        if not isinstance(self.ids, dict) or not self.ids:
            raise FormatError(
                _("EngineError", "{path} is no vocabulary: it must be a JSON object of tokens and ids."), path=path
            )
        self._check_entries()

    def _check_entries(self) -> None:
        owner: dict[int, str] = {}
        for token, token_id in self.ids.items():
            if type(token_id) is not int or not 0 <= token_id < 1 << 31:
                raise FormatError(
                    _("EngineError", "{path}, line {line}: the id of {token!r} is {id!r}; it must be a whole number."),
                    **self._place(token),
                    id=token_id,
                )
            if not token:
                raise FormatError(
                    _("EngineError", "{path}, line {line}: the token with the id {id} is empty."),
                    path=self._path,
                    line=line_of_key(self._text, token),
                    id=token_id,
                )
            if token_id in owner:
                raise FormatError(
                    _("EngineError", "{path}, line {line}: {token!r} has the id {id}, as {other!r} has already."),
                    **self._place(token),
                    id=token_id,
                    other=owner[token_id],
                )
            owner[token_id] = token

    def _place(self, token: str) -> dict[str, object]:
        return {"path": self._path, "line": line_of_key(self._text, token), "token": token}

    def tokens(self, recipe: Recipe, special: Mapping[str, int]) -> dict[int, bytes]:
        """The token bytes by id; special tokens are never spelled in another way than they are."""
        vocab: dict[int, bytes] = {}
        for token, token_id in self.ids.items():
            try:
                vocab[token_id] = _unspell(token, printable=is_printable(recipe) and token not in special)
            except ValueError as error:
                raise FormatError(
                    _("EngineError", "{path}, line {line}: {token!r} holds {character!r}, which stands for no byte."),
                    **self._place(token),
                    character=error.args[0],
                ) from error
        return vocab


class _MergeLine(NamedTuple):
    """A line of `merges.txt` as it is written."""

    path: Path
    line: int
    left: str
    right: str

    def parts(self, recipe: Recipe, vocab: _Vocab) -> tuple[bytes, bytes]:
        if recipe.vocabulary == "grow":
            self._check_known(vocab)
        printable = is_printable(recipe)
        try:
            return _unspell(self.left, printable=printable), _unspell(self.right, printable=printable)
        except ValueError as error:
            raise FormatError(
                _("EngineError", "{path}, line {line}: {token!r} holds {character!r}, which stands for no byte."),
                path=self.path,
                line=self.line,
                token=f"{self.left} {self.right}",
                character=error.args[0],
            ) from error

    def _check_known(self, vocab: _Vocab) -> None:
        for token in (self.left, self.right, self.left + self.right):
            if token not in vocab.ids:
                raise FormatError(
                    _("EngineError", "{path}, line {line}: the token {token!r} of this merge is not in vocab.json."),
                    path=self.path,
                    line=self.line,
                    token=token,
                )


def _lines(path: Path) -> list[str]:
    text = read_text(path, _MOST_BYTES)
    if text.count("\n") > _MOST_LINES:
        raise FormatError(
            _("EngineError", "{path} has more than {most:,} lines; no tokenizer file of this kind is that long."),
            path=path,
            most=_MOST_LINES,
        )
    return text.split("\n")


def _read_merges(path: Path) -> list[_MergeLine]:
    merges: list[_MergeLine] = []
    for number, line in enumerate(_lines(path), start=1):
        line = line.removesuffix("\r")
        if not line or (number == 1 and line.startswith("#version")):
            continue
        parts = line.split(" ")
        if len(parts) != 2 or not all(parts):
            raise FormatError(
                _("EngineError", "{path}, line {line}: {text!r} is no merge; a merge is two tokens and one space."),
                path=path,
                line=number,
                text=line if len(line) <= 60 else line[:60] + "…",
            )
        merges.append(_MergeLine(path, number, *parts))
    return merges


def _read_training(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    training = parse_bounded(path, read_text(path, _MOST_BYTES)).value
    if not isinstance(training, dict):
        raise FormatError(_("EngineError", "{path} is damaged: it must be a JSON object."), path=path)
    return training


def _recipe_of(path: Path, training: Mapping[str, Any]) -> Recipe | None:
    if "recipe" not in training:
        return None
    try:
        return Recipe.from_dict(training["recipe"])
    except RecipeError as error:
        raise FormatError(_("EngineError", "{path}: {reason}"), path=path, reason=error) from error


def _inferred_recipe(written: Mapping[str, int]) -> Recipe:
    """The recipe that the vocabulary looks made with."""
    if all(character in written for character in PRINTABLE):
        return PRESETS["huggingface"]
    marker = END_OF_WORD.decode()
    if marker in written:
        return PRESETS["char-eow"]
    if any(token.endswith(marker) for token in written):
        return PRESETS["subword-nmt"]
    return Recipe(units="characters", splitter="whitespace")


def _special_tokens(
    path: Path, training: Mapping[str, Any], written: _Vocab, merges: list[_MergeLine]
) -> dict[str, int]:
    """The special tokens as saved, or else every long token that no merge makes."""
    special = training.get("special_tokens")
    if special is None:
        made = {merge.left + merge.right for merge in merges}
        marker = END_OF_WORD.decode()
        return {
            token: token_id
            for token, token_id in written.ids.items()
            if len(token) > 1 and token not in made and len(token.removesuffix(marker)) > 1
        }
    if not isinstance(special, dict) or any(written.ids.get(token) != i for token, i in special.items()):
        raise FormatError(
            _("EngineError", "{path}: its special tokens are not those of the vocabulary beside it."), path=path
        )
    return special


def _unknown_id(path: Path, training: Mapping[str, Any], vocab: Mapping[int, bytes]) -> int | None:
    unknown_id = training.get("unknown_id")
    if unknown_id is not None and (type(unknown_id) is not int or unknown_id not in vocab):
        raise FormatError(
            _("EngineError", "{path}: the id for unknown symbols, {id!r}, is not in the vocabulary."),
            path=path,
            id=unknown_id,
        )
    return unknown_id


def _merge_counts(path: Path, training: Mapping[str, Any], merges: int) -> list[int] | None:
    counts = training.get("merge_counts")
    if counts is None:
        return None
    if not isinstance(counts, list) or len(counts) != merges or any(type(c) is not int for c in counts):
        raise FormatError(
            _("EngineError", "{path}: it does not hold one count for each of the {merges} merges."),
            path=path,
            merges=merges,
        )
    return counts
