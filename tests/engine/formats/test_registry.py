"""The registry: suffixes in upper case, and a log that says what was read and written but never quotes text."""

import logging
from pathlib import Path

import pytest

from bpe_gui.engine import FORMATS, FormatError, load, save, train
from bpe_gui.engine.formats.registry import check_suffix
from bpe_gui.engine.opening import recognise
from tests.engine.support.sentencepiece_models import NORMAL, UNKNOWN, by_hand

TEXT = "secret secret secrets"


@pytest.mark.parametrize(
    ("name", "format"),
    [("MY.TIKTOKEN", "tiktoken"), ("My.Model", "minbpe"), ("MY.JSON", "huggingface"), ("TEKKEN.JSON", "tekken")],
)
def test_suffixes_match_in_upper_case(name: str, format: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if format == "tekken":
        path.write_text('{"config": {"default_num_special_tokens": 1}}', "utf-8")
    else:
        tokenizer = train(TEXT, recipe="minbpe", num_merges=3)
        check_suffix(path, format)
        paths = save(tokenizer, path, format)
        assert paths[0] == path
        assert paths == FORMATS[format].paths(path)
        pattern = "gpt2" if format == "tiktoken" else None
        assert load(path, format, pattern=pattern).merges == tokenizer.merges
    assert recognise(path) == format


@pytest.mark.parametrize("name", ["tokenizer.model.v1", "some_240323.model.v3", "SOME.Model.v7m1"])
def test_models_of_mistral_have_a_version_after_their_suffix(name: str, tmp_path: Path) -> None:
    pieces = [("<unk>", 0.0, UNKNOWN), ("a", -1.0, NORMAL), ("b", -2.0, NORMAL), ("ab", -3.0, NORMAL)]
    path = tmp_path / name
    path.write_bytes(by_hand(pieces, white_space=False))
    assert recognise(path) == "sentencepiece"
    assert load(path).encode("abb") == [3, 2]
    assert save(load(path), path, "sentencepiece") == [path]
    assert load(path).encode("abb") == [3, 2]


def test_a_project_is_recognised_in_upper_case(tmp_path: Path) -> None:
    (tmp_path / "MY.BPE.JSON").write_text("{}", "utf-8")
    with pytest.raises(FormatError, match="a bpe-gui project"):
        load(tmp_path / "MY.BPE.JSON")


def test_saving_and_loading_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for logger in ("formats", "opening"):
        caplog.set_level(logging.DEBUG, f"bpe_gui.engine.{logger}")
    save(train(TEXT, recipe="minbpe", num_merges=3), tmp_path / "my.model", "minbpe")
    load(tmp_path / "my.model")
    assert caplog.messages == [
        "Saved 3 merges as minbpe: my.model, my.vocab",
        "my.model is recognised as minbpe",
        "Loaded my.model as minbpe: 3 merges",
    ]


def test_a_refusal_is_logged_without_quoting_text(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "bpe_gui.engine.formats")
    path = tmp_path / "my.model"
    path.write_text("minbpe v1\n\n1\nsecret\n", "utf-8")
    with pytest.raises(FormatError, match="'secret' is not a special token"):
        load(path)
    assert "Loading my.model refused: {path}, line {line}: {text!r} is not a special token" in caplog.text
    assert "secret" not in caplog.text
