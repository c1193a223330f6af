"""Prove that a written tokenizer file gives the same ids, here and in the package it is meant for.

texts = proof_strings([text], tokenizer.special_tokens)
for reader in readers_for(tokenizer, format, save(tokenizer, path, format)):
    proof = prove(reader, texts)

`proof` has the texts and the comparison. `package_readers` has the packages, and what to tell each of them so that it
gives the same ids.
"""

from .package_readers import OWN_READER, Reader, left_out, pattern_in_rust, readers_for, save_caution
from .proof import HARD_STRINGS, SAMPLE_BYTES, Difference, IdOrToken, Proof, leading_text, proof_strings, prove

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
    "pattern_in_rust",
    "proof_strings",
    "prove",
    "readers_for",
    "save_caution",
]
