"""How the window words what the files of an opened tokenizer say."""

from PySide6.QtWidgets import QApplication

from bpe_gui.engine import ByteLevel, Digits, EngineError, Pipeline, Recipe, Split, Tokenizer
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.tokenization.config import TokenizerConfig
from bpe_gui.gui.wording.file_texts import opened_lines

CONFIG = TokenizerConfig(
    {"eos_token": "</s>", "chat_template": "x", "padding_side": "left"}, {"generation_config.json": "{}"}
)


def test_all_that_the_files_say_is_listed(qapp: QApplication) -> None:
    tokenizer = Tokenizer({0: b"a"}, [], ["</s>"], recipe=Recipe(splitter="a+|b"), config=CONFIG)
    assert opened_lines(tokenizer.with_notes([EngineError("It pads.")])) == [
        "Splitter: a+|b",
        "Roles: eos_token </s>",
        "Chat templates: default",
        "Also kept: chat_template, padding_side, generation_config.json",
        "It pads.",
    ]


def test_expressions_of_steps_are_shown(qapp: QApplication) -> None:
    steps = (Split(r"\p{N}{2}", "isolated"), Digits(), ByteLevel(use_regex=True))
    tokenizer = Tokenizer(
        {0: b"a"}, [], pipeline=Pipeline(pre_tokenizers=steps, model=ModelOptions(is_byte_level=True))
    )
    assert opened_lines(tokenizer) == [r"Splitter: \p{N}{2}, numbers split, gpt2 splitting"]
