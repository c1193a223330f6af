"""Added tokens whose content is the printable form of a byte: text can give the token as well as the byte."""

from pathlib import Path

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from bpe_gui.engine import load


@pytest.mark.parametrize("added", ["é", "Ġ", "İ"])
@pytest.mark.parametrize("text", ["鸼", "鸼 x", "aéb", "a b", "a İ Ġ"])
def test_the_token_and_the_byte_are_told_apart(added: str, text: str, tmp_path: Path) -> None:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    theirs = Tokenizer(models.BPE({character: i for i, character in enumerate(alphabet)}, []))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(False, use_regex=False)
    theirs.decoder = decoders.ByteLevel()
    theirs.add_tokens([AddedToken(added, normalized=False)])
    theirs.save(str(tmp_path / "tokenizer.json"))
    ours = load(tmp_path / "tokenizer.json")
    ids = theirs.encode(text).ids
    assert ours.encode(text) == ids
    assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False)
