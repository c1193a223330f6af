"""`bpe-gui convert`: write a tokenizer in another format, perhaps with more tokens, and check its ids."""

import argparse
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from bpe_gui.engine import EngineError, Tokenizer, save, visible
from bpe_gui.engine.proof import (
    OWN_READER,
    Difference,
    IdOrToken,
    Proof,
    leading_text,
    proof_strings,
    readers_for,
)
from bpe_gui.engine.surgery import merge_tokenizers, with_special_tokens

from .streams import ProgressLine, documents_of, quantity, say, say_left_out_records
from .tokenizer_files import (
    check_output,
    check_readers,
    open_other,
    open_tokenizer,
    say_caution,
    with_config,
    write_map,
    written_files,
)

DIFFERENT: Final = 1
"""The exit status if a written file gives different ids."""

_MAX_SHOWN_TOKENS: Final = 16  # of either side of a difference
_MAX_SHOWN_TEXT: Final = 120  # characters


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError."""
    if arguments.files and not arguments.check:
        raise EngineError("--text works only with --check. Add --check.")
    if arguments.at_most is not None and not arguments.merge_with:
        raise EngineError("--at-most works only with --merge-with. Add --merge-with.")
    opened = open_tokenizer(arguments).tokenizer
    inputs = arguments.tokenizer, arguments.merge_with, *arguments.files
    check_output(arguments.output, arguments.format, inputs, replaces_any=arguments.force)
    tokenizer = _changed(opened, arguments)
    check_readers(tokenizer.recipe, arguments.format, is_forced=arguments.force)
    documents = documents_of(arguments) if arguments.files else []
    texts = [leading_text(document.chunks()) for document in documents]
    say_left_out_records(arguments.inputs)
    written = save(tokenizer, arguments.output, arguments.format)
    say(f"{written_files(written, tokenizer)}.")
    say_caution(tokenizer, arguments.format)
    if arguments.map:
        write_map(opened, tokenizer, arguments.map)
    if not arguments.check:
        return 0
    return 0 if is_proven(tokenizer, arguments.format, written, texts) else DIFFERENT


def _changed(tokenizer: Tokenizer, arguments: argparse.Namespace) -> Tokenizer:
    """Return a tokenizer with the tokens and names that the user added. Raise EngineError."""
    if arguments.merge_with:
        merging = merge_tokenizers(tokenizer, open_other(arguments.merge_with), arguments.at_most)
        say(
            f"Added {quantity(len(merging.added), 'token', 'tokens')} of {arguments.merge_with}. Left out "
            f"{len(merging.left_out):,} that no merge of two tokens makes or no text has{_listed(merging.left_out)}."
        )
        tokenizer = merging.tokenizer
    if arguments.add_special or arguments.rename_special:
        renamed = dict(arguments.rename_special)
        tokenizer = with_special_tokens(tokenizer, dict(arguments.add_special), renamed)
    return with_config(tokenizer, arguments)


def _listed(tokens: Iterable[bytes]) -> str:
    """Return the first of some tokens, after a colon."""
    shown = [visible(token) for token in islice(tokens, _MAX_SHOWN_TOKENS)]
    return f", such as {' '.join(shown)}" if shown else ""


def is_proven(tokenizer: Tokenizer, format: str, written: Sequence[Path], texts: Iterable[str]) -> bool:
    """Compare a tokenizer with the files written from it, print the results, and return whether ids agree."""
    compared = proof_strings(texts, tokenizer.special_tokens)
    proofs = []
    for reader in readers_for(tokenizer, format, written):
        with ProgressLine(f"Comparing with {reader.name}: {{:.0%}} of {{:,}} strings") as progress:
            proofs.append(reader.prove(compared, progress.show))
        say(_verdict(proofs[-1]))
    return not any(proof.fails for proof in proofs)


def _verdict(proof: Proof) -> str:
    """Return the result for one reader as a line, with three more lines for a difference."""
    reader = "bpe-gui itself" if proof.reader == OWN_READER else proof.reader
    kind = "ids" if proof.compares_ids else "tokens"
    if proof.obstacle is not None:
        return f"{reader}: {proof.obstacle}"
    if proof.difference is not None:
        return f"{reader} gives different {kind}:\n{_side_by_side(proof.difference)}"
    more = f" (not compared, because the vocabulary lacks symbols in them: {proof.skipped:,})" if proof.skipped else ""
    return f"{reader} gives the same {kind} for {quantity(proof.compared, 'test string', 'test strings')}{more}."


def _side_by_side(difference: Difference) -> str:
    """Return a text and both sides' tokens around the first difference, a line each."""
    first = max(0, difference.index - _MAX_SHOWN_TOKENS // 2)
    shown = slice(first, first + _MAX_SHOWN_TOKENS)
    text = visible(difference.text.encode())
    return (
        f"  text:     {text if len(text) <= _MAX_SHOWN_TEXT else text[:_MAX_SHOWN_TEXT] + '…'}\n"
        f"  expected: {_token_list(difference.ours[shown])}\n"
        f"  got:      {_token_list(difference.theirs[shown])}"
    )


def _token_list(tokens: Iterable[IdOrToken]) -> str:
    return " ".join(visible(token.encode()) if isinstance(token, str) else str(token) for token in tokens) or "nothing"
