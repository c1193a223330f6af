"""Read and write tokenizer files in many formats.

`registry` has the table of formats and the functions that find the right one, and says how to add one. The formats:

- `gpt2`, `minbpe`, `subword_nmt`, `spreadsheets`: tokenizers with a recipe; `files` reads their lines within limits;
- `tiktoken`, `tekken`: files of `ranks`;
- `tokenizer_json` with its parts `tokenizer_json_model` and `tokenizer_json_steps`; `transformers_folder`: the same in
  a folder of `transformers`; `recipe_pipelines`: recipes as steps, and steps as recipes; `sentencepiece_steps`:
  SentencePiece's steps as those of `tokenizers`;
- `sentencepiece`; `gguf` with `gguf_metadata`, `llama_cpp_splitters` and `llama_cpp_tokens`.

`spelled_tokens` converts large vocabularies to bytes, many tokens at a time. `downloads` gets published tokenizers by
name.

Before changing a format: a tokenizer read from a file must give the same ids as in the package that the file belongs
to, or the file must be refused with an error that says what is wrong, and where. A written file must give the same ids
when it is read back, here and by that package, or saving must be refused. Files may be damaged or hostile, so every
reader has limits.
"""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy import imported_when_used

if TYPE_CHECKING:
    from .downloads import (
        Download,
        cached_tokenizers,
        completed,
        fetch_published,
        gets_encodings,
        is_published_name,
        published_name,
    )
    from .files import suffix_of
    from .gpt2 import assumes_splitter, with_splitter
    from .ranks import rust_pattern, splitter_from_pattern, unmerged_tokens
    from .recipe_pipelines import recipe_to_replay
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
    from .transformers_folder import DifferentId, different_special_ids

__all__ = [
    "FORMATS",
    "PROJECT_SUFFIX",
    "DifferentId",
    "Download",
    "Format",
    "UnknownPatternError",
    "assumes_splitter",
    "cached_tokenizers",
    "check_parent_folder",
    "check_suffix",
    "completed",
    "different_special_ids",
    "fetch_published",
    "gets_encodings",
    "is_published_name",
    "load",
    "published_name",
    "recipe_to_replay",
    "recognise",
    "rust_pattern",
    "save",
    "save_obstacle",
    "splitter_from_pattern",
    "splitter_of_ranks",
    "suffix_of",
    "unmerged_tokens",
    "with_splitter",
]

__getattr__ = imported_when_used(
    __name__,
    __all__,
    ".downloads",
    ".files",
    ".registry",
    ".gpt2",
    ".ranks",
    ".tiktoken",
    ".recipe_pipelines",
    ".transformers_folder",
)
