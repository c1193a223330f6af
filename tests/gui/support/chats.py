"""A model with chat templates."""

from pathlib import Path

from bpe_gui.engine import save, train
from bpe_gui.engine.tokenization.config import TokenizerConfig

MARKED = "{% for m in messages %}<{{ m.role }}>{{ m.content }}<e>{% endfor %}{{ '<bot>' if add_generation_prompt }}"


def folder_with(folder: Path, templates: object, *, num_merges: int = 2) -> Path:
    """Write the folder of a model with chat templates, and return it."""
    tokenizer = train("low low lower", num_merges=num_merges, special_tokens=["<e>"])
    save(tokenizer.with_config(TokenizerConfig({"chat_template": templates})), folder, "transformers")
    return folder
