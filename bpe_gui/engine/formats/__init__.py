"""Tokenizer files of many kinds, read and written.

`registry` has the table of formats and the functions that find the right one, and says how to add one. The formats:

- `gpt2`, `minbpe`, `subword_nmt`, `spreadsheets`: what recipes give; `files` reads their lines within limits;
- `tiktoken`, `tekken`: files of `ranks`;
- `tokenizer_json` with its parts `tokenizer_json_model` and `tokenizer_json_steps`; `transformers_folder`: the same in
  a folder of `transformers`; `recipe_pipelines`: recipes as steps, and steps as recipes; `sentencepiece_steps`:
  SentencePiece's steps as those of `tokenizers`;
- `sentencepiece`; `gguf` with `llama_cpp_splitters`.

`spelled_tokens` makes bytes of large vocabularies, many tokens at a time. `downloads` gets published tokenizers by
name.

Before changing one: a tokenizer that is read gives the ids that the package gives to which the file belongs, or the
file is refused with what is wrong, and where. What is written gives the same ids when it is read again, here and by
that package, or saving is refused. Files may be damaged or hostile, so every reader has limits.
"""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy import imported_when_used

if TYPE_CHECKING:
    from .downloads import Download, fetch_published, is_published_name
    from .ranks import rust_pattern, splitter_from_pattern, unmerged_tokens
    from .recipe_pipelines import equivalent_splitter, recipe_to_replay
    from .registry import (
        FORMATS,
        PROJECT_SUFFIX,
        Format,
        check_parent_folder,
        check_suffix,
        load,
        recognise,
        save,
        save_obstacle,
    )
    from .tiktoken import UnknownPatternError, splitter_of_ranks

__all__ = [
    "FORMATS",
    "PROJECT_SUFFIX",
    "Download",
    "Format",
    "UnknownPatternError",
    "check_parent_folder",
    "check_suffix",
    "equivalent_splitter",
    "fetch_published",
    "is_published_name",
    "load",
    "recipe_to_replay",
    "recognise",
    "rust_pattern",
    "save",
    "save_obstacle",
    "splitter_from_pattern",
    "splitter_of_ranks",
    "unmerged_tokens",
]

__getattr__ = imported_when_used(
    __name__,
    __all__,
    ".downloads",
    ".registry",
    ".ranks",
    ".tiktoken",
    ".recipe_pipelines",
)
