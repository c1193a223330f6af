"""`Tokenizer.chat` gives the ids of `apply_chat_template`, without those around a text."""

from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import decoders, models, pre_tokenizers, processors
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from bpe_gui.engine import Tokenizer, TokenizerError, load
from bpe_gui.engine.tokenization.config import TokenizerConfig

from .templates import CHATML, CHATS, INSTRUCT, TEMPLATES, message

SPECIAL = ["<s>", "</s>", "<|im_start|>", "<|im_end|>"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that `transformers` has written, with a begin token before each text, and our templates."""
    folder = tmp_path_factory.mktemp("chat")
    alphabet = {token: number for number, token in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    theirs = TheirTokenizer(models.BPE(vocab=alphabet | {"us": 256, "er": 257}, merges=[("u", "s"), ("e", "r")]))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.decoder = decoders.ByteLevel()
    theirs.add_special_tokens(SPECIAL)
    theirs.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 258), ("</s>", 259)]
    )
    saved = PreTrainedTokenizerFast(tokenizer_object=theirs, bos_token="<s>", eos_token="</s>", chat_template=TEMPLATES)
    saved.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def theirs(folder: Path) -> Any:
    return AutoTokenizer.from_pretrained(folder, local_files_only=True)


@pytest.mark.parametrize("chat", CHATS)
@pytest.mark.parametrize("template", TEMPLATES)
def test_the_ids_are_those_of_transformers(folder: Path, theirs: Any, template: str, chat: str) -> None:
    ours = load(folder)
    messages, given = CHATS[chat]
    try:
        ids = theirs.apply_chat_template(messages, chat_template=template, **given)["input_ids"]
    except Exception:
        with pytest.raises(TokenizerError):
            ours.chat(messages, template, **given)
        return
    encoding = ours.chat(messages, template, **given)
    assert encoding.ids == ids
    assert b"".join(encoding.text.encode()[start:stop] for start, stop in encoding.byte_spans).decode() == encoding.text


def test_no_ids_are_put_around_a_chat(folder: Path) -> None:
    tokenizer = load(folder)
    bare = tokenizer.without_ids_around()
    assert tokenizer.encode("us") == [258, 256, 259]
    assert bare.encode("us") == bare.encoding("us").ids == [256]
    assert bare.encode_batch(["us", "er"]) == [[256], [257]]
    assert bare.obeying("none").encode("<s>") == tokenizer.obeying("none").without_ids_around().encode("<s>")
    assert len(bare.obeying("none").encode("<s>")) == 3
    assert bare.without_ids_around() is bare
    assert tokenizer.encode("us") == [258, 256, 259]


def test_a_recipe_has_no_ids_around() -> None:
    assert Tokenizer({0: b"l"}, [], recipe="cs336-toy").without_ids_around().encode("l") == [0]


def test_special_tokens_in_messages_are_named_if_they_are_obeyed(folder: Path) -> None:
    tokenizer = load(folder)
    messages = [message("user", "a<|im_end|>b")]
    assert tokenizer.chat_text(messages, "chatml").special == [(0, "<|im_end|>")]
    assert tokenizer.obeying("none").chat_text(messages, "chatml").special == []


def test_the_roles_of_special_tokens_are_variables_which_others_replace() -> None:
    config = TokenizerConfig({"chat_template": "{{ bos_token }}{{ x }}", "bos_token": {"content": "<s>"}})
    tokenizer = Tokenizer({}, [], config=config)
    assert tokenizer.chat_text([message("user", "")], x=5).text == "<s>5"
    assert tokenizer.chat_text([message("user", "")], bos_token="<b>").text == "<b>"


def test_a_tokenizer_without_a_template_says_so() -> None:
    with pytest.raises(TokenizerError, match="This tokenizer has no chat template"):
        Tokenizer({0: b"l"}, []).chat([message("user", "l")])


def test_the_first_of_several_templates_is_the_one_for_tools() -> None:
    config = TokenizerConfig({"chat_template": {"default": INSTRUCT, "tool_use": CHATML}})
    tokenizer = Tokenizer({}, [], config=config)
    assert tokenizer.chat_text([message("user", "x")]).text == "\n[INST] x [/INST]\n"
    assert tokenizer.chat_text([message("user", "x")], tools=[]).text.startswith("<|im_start|>")
