"""A step that `tokenizers` might get next year takes one class and one line; all else follows from these.

The class is below. The line is the entry in the table of steps, which a test puts there.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bpe_gui.engine import LiveText, Normalizer, PreTokenizer, Split, Tokenizer, load, save
from bpe_gui.engine.encoding import word_by_word
from bpe_gui.engine.formats import tokenizer_json_steps as steps
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.text.splitter_tables import Level
from tests.engine.support.huggingface_samples import read_json, sample_json

BEFORE_HYPHENS = Split("-", "merged_with_next", is_regex=False)
TEXTS = ["a1b22", "", "3 é4", "<s>5", "ab-12-b", "no digit"]


@dataclass(frozen=True, slots=True)
class Masked(Normalizer):
    """Writes a sign in place of every digit."""

    sign: str

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text without digits."""
        places = [index for index, character in enumerate(text.text) if character in "0123456789"]
        return text.with_replacements([(place, place + 1, self.sign) for place in places])


class Hyphens(PreTokenizer):
    """Splits before every hyphen."""

    __slots__ = ()
    levels: ClassVar[tuple[Level, ...]] = BEFORE_HYPHENS.levels

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hyphens)

    def __hash__(self) -> int:
        return 0


@pytest.fixture(autouse=True)
def the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    sign = steps._string("sign", "sign", 1)
    monkeypatch.setitem(steps.NORMALIZERS._types, "Masked", steps._StepType(Masked, sign))
    monkeypatch.setitem(steps.PRE_TOKENIZERS._types, "Hyphens", steps._StepType(Hyphens))


def tokenizer(folder: Path, **changes: Any) -> Tokenizer:
    """Return a sample of bytes with other steps."""
    return read_json(folder, {**json.loads(sample_json("bytes")), **changes})


def with_bytes(**step: Any) -> dict[str, Any]:
    """Return a pre-tokenizer that is followed by that of bytes."""
    return {"type": "Sequence", "pretokenizers": [step, json.loads(sample_json("bytes"))["pre_tokenizer"]]}


def test_a_normalizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = tokenizer(tmp_path)
    monkeypatch.setattr(word_by_word, "_WordCache", None)  # so kernels encode
    ours = tokenizer(tmp_path, normalizer={"type": "Masked", "sign": "b"})
    for text in TEXTS:
        masked = "".join("b" if character.isdigit() else character for character in text)
        expected = without.encoding(masked)
        assert ours.encoding(text) == expected  # a digit and `b` have one byte
        assert list(ours.encode_iterable([text])) == ours.encode(text) == expected.ids
        live = LiveText(text)
        live.encode_with(ours)
        live.encode_near(0, len(text.encode()))
        assert [i for _text, tokens in live.snapshot() for i in tokens.ids.tolist()] == expected.ids
    assert ours.encode_batch(TEXTS * 20) == [ours.encode(text) for text in TEXTS] * 20
    check_kept(ours, tmp_path)
    assert ours.pipeline is not None
    assert "Masked" in map(str, ours.pipeline.statements)  # until somebody words it


def test_a_pre_tokenizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_by_word, "_WordCache", None)
    ours = tokenizer(tmp_path, pre_tokenizer=with_bytes(type="Hyphens"))
    split = with_bytes(type="Split", pattern={"String": "-"}, behavior="MergedWithNext", invert=False)
    same = tokenizer(tmp_path, pre_tokenizer=split)
    for text in TEXTS:
        assert ours.encoding(text) == same.encoding(text)
        assert ours.word_starts(text.encode()).tolist() == same.word_starts(text.encode()).tolist()
    check_kept(ours, tmp_path)


def check_kept(ours: Tokenizer, folder: Path) -> None:
    """Check that a step is written and read again."""
    save(ours, folder / "saved", format="huggingface")
    again = load(folder / "saved" / "tokenizer.json")
    assert again.pipeline == ours.pipeline
    assert [again.encode(text) for text in TEXTS] == [ours.encode(text) for text in TEXTS]
