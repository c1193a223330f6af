"""What llama.cpp changes when it loads a GGUF file, by its ids of October 2026, and what else such a file says."""

from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer

from bpe_gui.engine import FormatError, Tokenizer, load, save
from bpe_gui.engine.formats.llama_cpp_tokens import loaded_types
from bpe_gui.engine.proof import save_caution
from tests.engine.support.gguf_files import (
    BYTE,
    CONTROL,
    NORMAL,
    UNKNOWN,
    USER_DEFINED,
    of_bytes,
    of_pieces,
    write_gguf,
)
from tests.engine.support.sentencepiece_models import TRICKY, processor, trained

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
PIECES = ["<unk>", "<s>", "</s>", *BYTES, "▁", "a", "b", "ab", "<|endoftext|>", "<|user|>", "é"]
OF_PIECES = {
    "add_tokenizer_model": "llama",
    "add_token_list": PIECES,
    "add_token_scores": [0.0] * 259 + [-9.0, -9.0, -9.0, -1.0, 0.0, 0.0, -9.0],
    "add_token_types": [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, *[NORMAL] * 4, CONTROL, CONTROL, NORMAL],
}


def load_gguf(folder: Path, values: dict[str, Any], architecture: str = "llama") -> Tokenizer:
    return load(write_gguf(folder / "some.gguf", values, architecture=architecture))


def with_tokens(tokens: dict[str, int], **values: object) -> dict[str, Any]:
    """Return the values for bytes and one merge, followed by tokens, from 257 on, with their types."""
    vocab = {byte: bytes([byte]) for byte in range(256)} | {256: b"zq"}
    given = of_bytes(Tokenizer(vocab, [(b"z", b"q")], recipe="huggingface"))
    listed = [*given["add_token_list"], *tokens]
    types = [*given["add_token_types"], *tokens.values()]
    return given | {"add_token_list": listed, "add_token_types": types, **values}


def shown(tokenizer: Tokenizer, text: str) -> str:
    """Return the tokens of a text, divided by vertical bars."""
    return "|".join(token.decode() for token in tokenizer.tokenize(text))


# -- white space beside special tokens ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("some", "<|user|>\n ab", "<s>|<|user|>|▁|<0x0A>|▁|ab"),
        ("Phi-3 mini", "<|user|>\n ab", "<s>|<|user|>|▁|ab"),
        ("my PHI3", "<|user|> \t\v\f\r\nab</s> ", "<s>|<|user|>|▁|ab|</s>"),
        ("phi-3", "<|user|>\xa0ab", "<s>|<|user|>|▁|<0xC2>|<0xA0>|ab"),
        ("phi-3", "<s> ab<unk> ab<|endoftext|> ab", "<s>|<s>|▁|▁|ab|<unk>|▁|▁|ab|<|endoftext|>|▁|▁|ab"),
    ],
)
def test_phi_3_leaves_out_white_space_after_special_tokens(tmp_path: Path, name: str, text: str, tokens: str) -> None:
    ours = load_gguf(tmp_path, OF_PIECES | {"add_name": name})
    assert shown(ours, text) == tokens
    assert b"".join(text.encode()[start:stop] for start, stop in ours.encoding(text).byte_spans) == text.encode()


@pytest.mark.parametrize(
    ("values", "architecture", "tokens"),
    [
        ({}, "llama", "a| |<mask>| |[MASK]"),
        ({"add_tokenizer_pre": "jina-v2-code"}, "llama", "a|<mask>| |[MASK]"),
        ({"add_tokenizer_pre": "jina-v2-es", "add_name": "phi-3"}, "llama", "a|<mask>| |[MASK]"),
        ({}, "jina-bert-v3", "a|<mask>| |[MASK]"),
        ({}, "nomic-bert-moe", "a|<mask>| |[MASK]"),
        ({"add_name": "Modern-BERT base"}, "llama", "a| |<mask>|[MASK]"),
        ({"add_name": "modern-bert phi3"}, "llama", "a| |<mask>|[MASK]"),
    ],
)
def test_masks_leave_out_the_white_space_before_them(
    tmp_path: Path, values: dict[str, Any], architecture: str, tokens: str
) -> None:
    masks = with_tokens({"<mask>": CONTROL, "[MASK]": CONTROL, "</s>": CONTROL})
    assert shown(load_gguf(tmp_path, masks | values, architecture), "a <mask> [MASK]") == tokens


def test_the_tokens_of_phi_3_keep_their_white_space_in_a_tokenizer_json(tmp_path: Path) -> None:
    ours = load_gguf(tmp_path, OF_PIECES | {"add_name": "Phi-3"})
    save(ours, tmp_path / "tokenizer.json", "huggingface")
    text = "<|user|>\nab <|user|>  \n"
    saved = load(tmp_path / "tokenizer.json")
    assert saved.encode(text) == ours.encode(text)
    # Beyond ASCII the two programs differ, which is said.
    assert saved.encode("<|user|>\xa0ab") != ours.encode("<|user|>\xa0ab")
    for format in ("huggingface", "transformers"):
        assert "also remove white space beyond ASCII, such as U+00A0" in str(save_caution(ours, format))
        assert save_caution(saved, format) is None


# -- saved as a model of SentencePiece ----------------------------------------------------------------------------


def test_pieces_become_a_model_of_sentencepiece(tmp_path: Path) -> None:
    """Which finds no control pieces in a text, and puts none around it."""
    data = trained(
        normalization_rule_name="identity", remove_extra_whitespaces=False, byte_fallback=True, vocab_size=700
    )
    ours = load_gguf(tmp_path, of_pieces(data) | {"add_add_bos_token": True, "add_name": "phi-3"})
    (file,) = save(ours, tmp_path / "some.model", "sentencepiece")
    theirs = processor(file.read_bytes())
    for text in TRICKY:
        assert theirs.encode(text) == processor(data).encode(text)
        assert [theirs.bos_id(), *theirs.encode(text)] == ours.encode(text, allowed_special="none")


def test_a_model_of_sentencepiece_keeps_which_pieces_begin_and_end_a_text(tmp_path: Path) -> None:
    pieces = ["<u>", "<b>", "<e>", *PIECES[3:]]
    given = OF_PIECES | {"add_token_list": pieces, "add_bos_token_id": 1, "add_eos_token_id": 2, "add_unk_token_id": 0}
    (file,) = save(load_gguf(tmp_path, given), tmp_path / "some.model", "sentencepiece")
    for _saving in range(2):
        theirs = processor(file.read_bytes())
        assert (theirs.unk_id(), theirs.bos_id(), theirs.eos_id(), theirs.pad_id()) == (0, 1, 2, -1)
        assert load(file).config.roles == {}
        save(load(file), file, "sentencepiece")


@pytest.mark.parametrize(
    ("symbols", "values", "reason"),
    [
        (["<t>"], {}, "the symbol '<t>' of this tokenizer: SentencePiece would find"),
        (["<t>"], {"add_add_space_prefix": False, "add_name": "phi-3"}, "the symbol '<t>' of this tokenizer"),
        (["<t>", "a b"], {"add_add_space_prefix": False}, "the symbol '<t>' of this tokenizer"),
        (["<t>", ">a"], {"add_add_space_prefix": False}, "the symbol '<t>' of this tokenizer"),
    ],
)
def test_symbols_that_sentencepiece_would_find_elsewhere_are_refused(
    tmp_path: Path, symbols: list[str], values: dict[str, Any], reason: str
) -> None:
    count = len(symbols)
    given = OF_PIECES | {
        "add_token_list": [*PIECES, *symbols],
        "add_token_types": [*OF_PIECES["add_token_types"], *[USER_DEFINED] * count],
        "add_token_scores": [*OF_PIECES["add_token_scores"], *[0.0] * count],
    }
    with pytest.raises(FormatError, match=reason):
        save(load_gguf(tmp_path, given | values), tmp_path / "some.model", "sentencepiece")


def test_symbols_without_spaces_become_symbols(tmp_path: Path) -> None:
    given = OF_PIECES | {
        "add_token_list": [*PIECES, "<t>"],
        "add_token_types": [*OF_PIECES["add_token_types"], USER_DEFINED],
        "add_token_scores": [*OF_PIECES["add_token_scores"], 0.0],
        "add_add_space_prefix": False,
    }
    (file,) = save(load_gguf(tmp_path, given), tmp_path / "some.model", "sentencepiece")
    assert processor(file.read_bytes()).encode("ab<t> a<s>", out_type=str) == (
        ["ab", "<t>", "▁", "a", "<0x3C>", "<0x73>", "<0x3E>"]
    )


# -- which tokens are special -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("types", "roles", "text", "tokens"),
    [
        ({"</s>": NORMAL}, {}, "a</s>", "a|</s>"),
        ({"<|endoftext|>": NORMAL}, {}, "a<|endoftext|>", "a|<|endoftext|>"),
        ({"</a>": NORMAL}, {}, "</a>", "<|/|a|>"),
        ({"<PRE>": NORMAL}, {}, "<PRE>", "<PRE>"),
        ({"<PRE>": NORMAL}, {"fim_pre": 1}, "<PRE>", "<|P|R|E|>"),
        ({"<PRE>": NORMAL}, {"prefix": 1}, "<PRE>", "<|P|R|E|>"),
        ({"<|file_sep|>": NORMAL}, {"fim_pre": 1}, "<|file_sep|>", "<|file_sep|>"),
        ({"</s>": CONTROL, "<|tool_response>": NORMAL}, {}, "</s><|tool_response>", "<|/|s|>|<|tool_response>"),
    ],
)
def test_tokens_with_the_name_of_a_control_token_become_one(
    tmp_path: Path, types: dict[str, int], roles: dict[str, int], text: str, tokens: str
) -> None:
    values = with_tokens(types) | {f"add_{role}_token_id": token_id for role, token_id in roles.items()}
    path = tmp_path / "some.gguf"
    write_gguf_with_roles(path, values)
    assert shown(load(path), text) == tokens


def write_gguf_with_roles(path: Path, values: dict[str, Any]) -> None:
    """Write a file; keys that end in an id are written although the package has no method for them."""
    import gguf

    writer = gguf.GGUFWriter(path, "llama")
    for method, value in values.items():
        if method.endswith("_token_id"):
            writer.add_uint32(f"tokenizer.ggml.{method.removeprefix('add_')}", value)
        else:
            getattr(writer, method)(value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def test_tokens_of_gpt_oss_are_shown() -> None:
    names = ["<|end|>", "<|channel|>", "<|return|>", "<|call|>"]
    ids = {name: token_id for token_id, name in enumerate(names)}
    assert loaded_types(ids, [CONTROL] * 4, lambda _role: False) == [USER_DEFINED, USER_DEFINED, CONTROL, CONTROL]
    del ids["<|call|>"]
    assert loaded_types(ids, [NORMAL] * 3, lambda _role: False) == [CONTROL, USER_DEFINED, CONTROL]


def test_the_longest_special_token_comes_first(tmp_path: Path) -> None:
    """Even if a shorter one is to the left of it, and shares characters with it."""
    ours = load_gguf(tmp_path, with_tokens({"<a>": CONTROL, "a>bc": USER_DEFINED, "  ": USER_DEFINED}))
    assert shown(ours, "<a>bc<a>b   ") == "<|a>bc|<a>|b|  | "
    assert ours.encode("<a>bc", allowed_special="none") == ours.encode("<a>bc")
    assert shown(ours.obeying("none"), "<a>b") == "<|a|>|b"
    with pytest.raises(FormatError, match="'<a>' and 'a>bc'"):
        save(ours, tmp_path / "tokenizer.json", "huggingface")


def test_pieces_of_bytes_are_merged_as_well(tmp_path: Path) -> None:
    pieces = [*PIECES, "<", "0", "x", "4", "1", ">", "<0", "x4", "<0x4", "1>"]
    values = OF_PIECES | {
        "add_token_list": pieces,
        "add_token_types": [*OF_PIECES["add_token_types"], *[NORMAL] * 10],
        "add_token_scores": [*OF_PIECES["add_token_scores"], *[-20.0] * 6, -2.0, -3.0, -4.0, -5.0],
    }
    assert shown(load_gguf(tmp_path, values), "<0x41>") == "<s>|▁|<0x41>"


# -- begin and end ------------------------------------------------------------------------------------------------


def test_the_begin_has_an_id_even_if_the_file_does_not_say(tmp_path: Path) -> None:
    values = with_tokens({"<s>": CONTROL})
    assert load_gguf(tmp_path, values).encode("") == []
    assert load_gguf(tmp_path, values | {"add_add_bos_token": True}).encode("") == [11]
    assert load_gguf(tmp_path, values | {"add_add_eos_token": True}).encode("") == [11]
    assert load_gguf(tmp_path, values | {"add_tokenizer_pre": "llama-bpe"}).encode("") == [11]
    assert load_gguf(tmp_path, OF_PIECES).encode("") == [1]
    assert load_gguf(tmp_path, OF_PIECES | {"add_add_eos_token": True}).encode("") == [1, 2]
    with pytest.raises(FormatError, match="bos_token_id must be"):
        load_gguf(tmp_path, values | {"add_tokenizer_pre": "glm4", "add_add_bos_token": True})


# -- what else a file says ----------------------------------------------------------------------------------------


def test_roles_and_templates_are_kept(tmp_path: Path) -> None:
    tokens = {"<|b|>": CONTROL, "<|e|>": CONTROL, "<|eot|>": CONTROL, "<|pad|>": CONTROL, "plain": NORMAL}
    values = with_tokens(
        tokens,
        add_name="My model",
        add_context_length=4096,
        add_bos_token_id=257,
        add_eos_token_id=258,
        add_eot_token_id=259,
        add_pad_token_id=260,
        add_mask_token_id=261,
        add_sep_token_id=9999,
        add_add_bos_token=False,
        add_chat_template=[{"name": "default", "template": "{{ 1 }}"}, {"name": "tool_use", "template": "{{ 2 }}"}],
    )
    config = load_gguf(tmp_path, values).config
    roles = {"bos_token": "<|b|>", "eos_token": "<|e|>", "pad_token": "<|pad|>", "eot_token": "<|eot|>"}
    assert config.roles == roles
    assert config.chat_templates == {"default": "{{ 1 }}", "tool_use": "{{ 2 }}"}
    others = {
        "name_or_path": "My model",
        "model_max_length": 4096,
        "add_bos_token": False,
        "tokenizer.ggml.pre": "gpt-2",
    }
    assert {key: config.values[key] for key in others} == others


def test_transformers_finds_the_roles_and_the_template(tmp_path: Path) -> None:
    values = OF_PIECES | {
        "add_name": "Phi-3",
        "add_bos_token_id": 1,
        "add_eos_token_id": 263,
        "add_context_length": 4096,
    }
    ours = load_gguf(tmp_path, values | {"add_pad_token_id": 263, "add_eot_token_id": 264})
    save(ours, tmp_path / "folder", "transformers")
    theirs = AutoTokenizer.from_pretrained(tmp_path / "folder", local_files_only=True)
    assert (theirs.bos_token, theirs.eos_token, theirs.pad_token) == ("<s>", "<|endoftext|>", "<|endoftext|>")
    assert (theirs.chat_template, theirs.model_max_length) == ("{{ messages }}", 4096)
    assert theirs.encode("<|user|>\nab") == ours.encode("<|user|>\nab")
    again = load(tmp_path / "folder").config
    assert again.roles.items() >= ours.config.roles.items()
    assert again.chat_templates == ours.config.chat_templates


def test_the_only_template_has_no_list(tmp_path: Path) -> None:
    config = load_gguf(tmp_path, with_tokens({})).config
    assert config.values["chat_template"] == "{{ messages }}"
    assert config.roles == {}
