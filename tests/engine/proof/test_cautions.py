"""Cautions say what programs do not take from the files meant for them, and are true of the installed ones."""

from pathlib import Path

import pytest
from tokenizers import ByteLevelBPETokenizer

from bpe_gui.engine import FORMATS, PRESETS, EngineError, save, train
from bpe_gui.engine.proof import save_caution

END = "<|endoftext|>"
CORPUS = "low lower lowest 12345 newest widest\n"


@pytest.mark.parametrize(
    ("format", "recipe", "specials", "sentence"),
    [
        ("huggingface", "huggingface", ["<e>"], None),
        ("transformers", "huggingface", ["<e>"], None),
        ("csv", "huggingface", ["<e>"], None),
        ("gpt2", "huggingface", [END], None),
        ("gpt2", "huggingface", [END, "<e>"], "unless they are told of them: '<e>'."),
        ("gpt2", "minbpe", [], "Other programs split it as GPT-2 does"),
        ("gpt2", "char-eow", [], "Other programs split it as GPT-2 does"),
        ("tiktoken", "tiktoken", [], "tiktoken.Encoding needs the pattern"),
        ("minbpe", "minbpe", [], "Make it with that pattern"),
        ("subword-nmt", "subword-nmt", [], None),
        ("subword-nmt", "subword-nmt", ["<e>"], "takes these for text: '<e>'."),
    ],
)
def test_what_a_reader_must_be_told(format: str, recipe: str, specials: list[str], sentence: str | None) -> None:
    tokenizer = train(CORPUS, recipe=recipe, num_merges=5, special_tokens=specials)
    caution = save_caution(tokenizer, format)
    assert (caution is None) if sentence is None else sentence in str(caution)


def test_minbpe_heeds_a_file_without_a_pattern() -> None:
    tokenizer = train(CORPUS, recipe=PRESETS["minbpe"].with_changes(splitter="none"), num_merges=5)
    assert save_caution(tokenizer, "minbpe") is None


@pytest.mark.parametrize(("splitter", "specials"), [("gpt2", [END]), ("gpt2", ["<e>"]), ("none", [])])
def test_tokenizers_gives_the_ids_of_these_files_unless_there_is_a_caution(
    splitter: str, specials: list[str], tmp_path: Path
) -> None:
    recipe = PRESETS["huggingface"].with_changes(splitter=splitter)
    ours = train(CORPUS * 3, recipe=recipe, vocab_size=285, special_tokens=specials)
    vocab, merges, *_rest = save(ours, tmp_path, "gpt2")
    theirs = ByteLevelBPETokenizer.from_file(str(vocab), str(merges))
    theirs.add_special_tokens([token for token in specials if token == END])
    text = CORPUS + "".join(specials) + "12345678"
    assert (theirs.encode(text).ids == ours.encode(text)) == (save_caution(ours, "gpt2") is None)


def test_every_format_that_is_written_was_thought_of() -> None:
    tokenizer = train(CORPUS, num_merges=5, special_tokens=["<e>"])
    for name, each in FORMATS.items():
        caution = save_caution(tokenizer, name)
        assert isinstance(caution, EngineError | None)
        assert caution is None or each.contents is not None
