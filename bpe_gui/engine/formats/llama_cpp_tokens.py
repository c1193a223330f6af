"""What llama.cpp changes when it loads the tokens of a GGUF file: it goes by their names and by that of the model.

Tokens by which a text ends, or with which a model fills in text, are control tokens whatever the file says; gpt-oss's
are shown; and for a few models, special tokens take the white space beside them along.

Source: ggml-org/llama.cpp src/llama-vocab.cpp, `llama_vocab::impl::load`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

# llama_token_type in llama.h
NORMAL: Final = 1
UNKNOWN: Final = 2
CONTROL: Final = 3
USER_DEFINED: Final = 4
UNUSED: Final = 5
SPECIAL_TYPES: Final = (UNKNOWN, CONTROL, USER_DEFINED)
"""The types of tokens that are searched for in text before it is split."""

_ENDS: Final = (
    "<|eot_id|> <|im_end|> <|end|> <|return|> <|call|> <|flush|> <|calls|> <end_of_turn> <|endoftext|> </s> <|eom_id|> "
    "<EOT> _<EOT> [EOT] [EOS] <|end_of_text|> <end_of_utterance> <eos> <turn|> <|tool_response> "
    "<｜end▁of▁sentence｜> [e~["
)
"""Tokens that end a text."""

_FILLING_IN: Final = {
    "fim_pre": "<|fim_prefix|> <fim-prefix> <fim_prefix> <｜fim▁begin｜> <PRE> ▁<PRE> <|code_prefix|> <|prefix|>",
    "fim_suf": "<|fim_suffix|> <fim-suffix> <fim_suffix> <｜fim▁hole｜> <SUF> ▁<SUF> <|code_suffix|> <|suffix|>",
    "fim_mid": "<|fim_middle|> <fim-middle> <fim_middle> <｜fim▁end｜> <MID> ▁<MID> <|code_middle|> <|middle|>",
    "fim_pad": "<|fim_pad|> <fim-pad> <fim_pad> <PAD> [PAD]",
    "fim_rep": "<|fim_repo|> <|repo_name|> <fim-repo> <REPO> <reponame>",
    "fim_sep": "<|file_sep|>",
}
"""The names of a token for each role. The first one is taken, unless the file says which token has the role."""

_DEPRECATED: Final = {"fim_pre": "prefix", "fim_suf": "suffix", "fim_mid": "middle"}
"""Earlier names of roles in files."""

_SHOWN: Final = ("<|channel|>", "<|message|>", "<|start|>", "<|constrain|>")


def loaded_types(ids: Mapping[str, int], types: Sequence[int], names_role: Callable[[str], bool]) -> list[int]:
    """Return the types of tokens by id as llama.cpp takes them, given those in a file.

    `names_role` says whether the file names the token of a role, such as `fim_pre`.
    """
    loaded = list(types)
    for role, names in _FILLING_IN.items():
        found = min((ids[name] for name in names.split() if name in ids), default=None)
        if found is not None and not (names_role(role) or names_role(_DEPRECATED.get(role, role))):
            loaded[found] = CONTROL
    for name in ids.keys() & set(_ENDS.split()):
        loaded[ids[name]] = CONTROL
    for name in ids.keys() & _SHOWN:
        loaded[ids[name]] = USER_DEFINED
    if ids.keys() & {"<|call|>", "<|calls|>"} and ids.keys() & {"<|return|>", "<|flush|>"} and "<|end|>" in ids:
        loaded[ids["<|end|>"]] = USER_DEFINED
    if "<|tool_response>" in ids and "</s>" in ids:
        loaded[ids["</s>"]] = NORMAL
    return loaded


def strips_left(token: str, pre: str, architecture: str, name: str) -> bool:
    """Return whether a special token takes the white space before it along."""
    if _is_jina(pre, architecture):
        return token == "<mask>"
    return token == "[MASK]" and "modern-bert" in name.lower() and not _is_phi_3(name)


def strips_right(token: str, pre: str, architecture: str, name: str) -> bool:
    """Return whether a special token takes the white space after it along."""
    is_stripped = token not in ("<unk>", "<s>", "<|endoftext|>")
    return is_stripped and _is_phi_3(name) and not _is_jina(pre, architecture)


def _is_jina(pre: str, architecture: str) -> bool:
    is_named = any(part in pre for part in ("jina-v2-de", "jina-v2-es", "jina-v2-code"))
    return is_named or any(part in architecture for part in ("nomic-bert-moe", "jina-bert-v3"))


def _is_phi_3(name: str) -> bool:
    return "phi-3" in name.lower() or "phi3" in name.lower()
