r"""Compare our reading of generated regular expressions with tiktoken's and `tokenizers`'.

    python -m tests.fuzzing.expressions --count 50000 --engine tiktoken --seed 1

Each expression splits 20 hostile texts: it must give the same words, or be rejected. The grammar has all constructs
that engines interpret differently. Expressions run in a process that is killed if one of them takes too long. The
report gives the share of accepted expressions, by construct. Shorten one that differs with `--shorten 'EXPRESSION'`.
"""

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

import tiktoken
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split as TheirSplit

from bpe_gui.engine import EngineError, Recipe, SpecialTokens, Split, splitter_of_ranks
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.text.compiled_splitters import split_text

from .expression_grammar import Sample, samples, texts_for

Engine = Literal["tiktoken", "tokenizers"]
Outcome = Literal["equal", "refused", "different", "not theirs", "too slow"]

_SECONDS: Final = 20.0  # for one expression, if other processes use the processors
_BATCH: Final = 500  # expressions per process


def words_by_tiktoken(expression: str, texts: Sequence[str]) -> list[list[str]]:
    """Return the words, made visible by a vocabulary with all parts of all texts."""
    tokens = {bytes([byte]) for byte in range(256)}
    for text in texts:
        data = text.encode()
        tokens |= {data[start:stop] for start in range(len(data)) for stop in range(start + 1, len(data) + 1)}
    ordered = sorted(tokens, key=lambda token: (len(token), token))
    ranks = {token: rank for rank, token in enumerate(ordered)}
    encoding = tiktoken.Encoding("words", pat_str=expression, mergeable_ranks=ranks, special_tokens={})
    return [[ordered[token_id].decode() for token_id in encoding.encode_ordinary(text)] for text in texts]


def _by_tokenizers(expression: str, texts: Sequence[str]) -> list[list[str]]:
    split = TheirSplit(Regex(expression), "isolated")
    return [[word for word, _span in split.pre_tokenize_str(text)] for text in texts]


def _by_ranks(expression: str, texts: Sequence[str]) -> list[list[str]]:
    splitter = splitter_of_ranks(expression)
    return [_words_of(splitter, text) for text in texts]


def _words_of(splitter: str, text: str) -> list[str]:
    sections = split_text(text, Recipe(splitter=splitter), SpecialTokens(()))
    spans = [(each.text, *span) for each in sections for span in zip(each.starts, each.stops, strict=True)]
    return [data[start:stop].decode() for data, start, stop in spans]


def _by_split(expression: str, texts: Sequence[str]) -> list[list[str]]:
    split = Split(expression, "isolated")
    return [[word.text for word in split.split(AlignedText.of(text))] for text in texts]


_Words = Callable[[str, Sequence[str]], list[list[str]]]
_SIDES: Final[dict[Engine, tuple[_Words, _Words]]] = {
    "tiktoken": (_by_ranks, words_by_tiktoken),
    "tokenizers": (_by_split, _by_tokenizers),
}


class Result(NamedTuple):
    """The outcome for an expression; `detail` is the error, or the text and its words on both sides."""

    sample: Sample
    outcome: Outcome
    detail: str = ""


def compare(sample: Sample, engine: Engine, seed: str = "") -> Result:
    """Split texts by an expression on both sides."""
    ours, theirs = _SIDES[engine]
    texts = texts_for(sample.expression, sample.expression + seed)
    try:
        found = ours(sample.expression, texts)
    except EngineError as error:
        return Result(sample, "refused", str(error))
    try:
        expected = theirs(sample.expression, texts)
    except BaseException as error:  # both packages raise errors that are not an Exception
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        is_panic = "Panic" in type(error).__name__
        return Result(sample, "different" if is_panic else "not theirs", str(error))
    for text, one, other in zip(texts, found, expected, strict=True):
        if one != other:
            return Result(sample, "different", f"{text!a}: {one!a}, but theirs {other!a}")
    return Result(sample, "equal")


# -- many --------------------------------------------------------------------------------------------------------------


def _compare_batch(batch: Sequence[Sample], engine: Engine, results: "multiprocessing.connection.Connection") -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where tiktoken prints its panics
    for sample in batch:
        try:
            results.send(compare(sample, engine))
        except Exception as error:
            results.send(Result(sample, "different", f"{type(error).__name__}: {error}"))


def compare_all(batch: Sequence[Sample], engine: Engine) -> Iterator[Result]:
    """Yield the results of a batch; restart the worker process after an expression that never ends."""
    done = 0
    while done < len(batch):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=_compare_batch, args=(batch[done:], engine, sender))
        process.start()
        sender.close()
        while done < len(batch):
            try:
                result = receiver.recv() if receiver.poll(_SECONDS) else None
            except EOFError:
                result = None
            done += 1
            if result is None:
                yield Result(batch[done - 1], "too slow")
                break
            yield result
        process.kill()
        process.join()


def _shorten(expression: str, engine: Engine) -> str:
    """Return part of an expression that still differs."""
    best = expression
    index = 0
    while index < len(best):
        for size in (8, 4, 2, 1):
            shorter = best[:index] + best[index + size :]
            if shorter != best and any(
                compare(Sample(shorter, ()), engine, str(seed)).outcome == "different" for seed in range(20)
            ):
                best, index = shorter, -1
                break
        index += 1
    return best


def main() -> int:
    """Compare, print the differences and the shares, and return 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--engine", choices=tuple(_SIDES), required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shorten", metavar="EXPRESSION")
    arguments = parser.parse_args()
    if arguments.shorten is not None:
        shortest = _shorten(arguments.shorten, arguments.engine)
        print(repr(shortest), *(compare(Sample(shortest, ()), arguments.engine, str(seed)).detail for seed in range(3)))
        return 0
    source = samples(arguments.seed)
    outcomes: Counter[Outcome] = Counter()
    by_construct: Counter[tuple[str, Outcome]] = Counter()
    reasons: Counter[str] = Counter()
    for start in range(0, arguments.count, _BATCH):
        print(f"{start:,} of {arguments.count:,}: {dict(outcomes)}", file=sys.stderr, flush=True)
        batch = [next(source) for _ in range(min(_BATCH, arguments.count - start))]
        for result in compare_all(batch, arguments.engine):
            outcomes[result.outcome] += 1
            constructs = result.sample.constructs or ("nothing strange",)
            if len(constructs) == 1:
                by_construct[constructs[0], result.outcome] += 1
                if result.outcome == "refused":
                    reasons[f"{constructs[0]}: {result.detail[:150]}"] += 1
            if result.outcome in ("different", "too slow"):
                print(f"{result.outcome}: {result.sample.expression!r} {result.detail}", flush=True)
    for construct in dict.fromkeys(name for name, _outcome in by_construct):
        print(construct, {outcome: count for (name, outcome), count in by_construct.items() if name == construct})
    print(*(f"{count} × {reason}" for reason, count in reasons.most_common(40)), sep="\n")
    print(arguments.engine, dict(outcomes))
    return min(outcomes["different"], 1)


if __name__ == "__main__":
    sys.exit(main())
