"""Prove that a written tokenizer file gives the same ids, here and in the package it is meant for.

texts = proof_strings([text], tokenizer.special_tokens)
for reader in readers_for(tokenizer, format, save(tokenizer, path, format)):
    proof = reader.prove(texts)

`proof` has the texts and the comparison. `package_readers` has the packages, and what to tell each of them so that it
gives the same ids.
"""

from .package_readers import left_out, misreading, pattern_in_rust, readers_for, save_caution
from .proof import (
    HARD_STRINGS,
    OWN_READER,
    SAMPLE_BYTES,
    Difference,
    IdOrToken,
    Proof,
    Reader,
    leading_text,
    proof_strings,
)

__all__ = [
    "HARD_STRINGS",
    "OWN_READER",
    "SAMPLE_BYTES",
    "Difference",
    "IdOrToken",
    "Proof",
    "Reader",
    "leading_text",
    "left_out",
    "misreading",
    "pattern_in_rust",
    "proof_strings",
    "readers_for",
    "save_caution",
]
