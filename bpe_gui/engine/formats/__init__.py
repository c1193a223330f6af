"""Tokenizer files of many kinds, read and written.

Each format is a module or a folder here. `registry` has the table of them, and says how to add one.
"""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy_imports import imported_when_used

if TYPE_CHECKING:
    from .downloads.download import Download
    from .downloads.names import fetch_published, is_published_name
    from .pipeline_to_recipe import recipe_to_replay
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
    from .rust_patterns import rust_pattern, splitter_from_pattern
    from .tiktoken import UnknownPatternError, splitter_of_ranks
    from .vocabularies.ranks import unmerged_tokens

__all__ = [
    "FORMATS",
    "PROJECT_SUFFIX",
    "Download",
    "Format",
    "UnknownPatternError",
    "check_parent_folder",
    "check_suffix",
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
    ".downloads.download",
    ".downloads.names",
    ".rust_patterns",
    ".registry",
    ".vocabularies.ranks",
    ".tiktoken",
    ".pipeline_to_recipe",
)
