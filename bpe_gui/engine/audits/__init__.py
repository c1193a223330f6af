"""Audits: which entries of a tokenizer texts can produce, shown by a text each, and why the others never appear.

Read in this order: `merging.py` merges the bytes of entries, alone and side by side; `contexts.py` knows which words a
splitter can yield; `witnesses.py` searches for texts with both, and for proofs that there are none; `audit.py` combines
this with other facts about a vocabulary, and has the sentences, templates of the context `Audit`.

What was decided: a text counts only after the tokenizer has encoded it, so a witness is never wrong. “Never” counts
only with a proof, which may use nothing that depends on how long a context is. Everything else is “none found”.
"""

from .audit import KINDS, Audit, Finding, FindingKind, audit
from .witnesses import not_in_texts

__all__ = ["KINDS", "Audit", "Finding", "FindingKind", "audit", "not_in_texts"]
