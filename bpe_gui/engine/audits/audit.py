"""Audits: for every entry of a vocabulary a text that produces it or the reason why none does, and other findings."""

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import pairwise
from typing import Final, NamedTuple

from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.printable import token_in_sentence, visible
from bpe_gui.engine.runtime.shown_tokens import table_in_html
from bpe_gui.engine.runtime.types import Progress
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.tokenization.unknown_symbols import unknown_tokens

from .merging import EntryMerges
from .witnesses import NEVER_IN_TEXTS, Fragment, WitnessSearch

_ROUND_TRIPS: Final = 20_000
"""At most about this many witnesses are decoded again."""

_PROBES: Final = (
    *("a", " a", "a ", "a  b", "A", "\n", "\t", "\r\n", "\0", "é", "e\u0301", "ﬁ", "½", "ａ", "Å", "中", "👩‍👧"),
    *("\u00a0", "\u3000", "\u200b", "\ufeff", "\ufffd", SPACE_SYMBOL, "\U0010ffff"),
)
"""Texts that tokenizers often do not restore when they decode."""

_SHOWN: Final = 10
"""How many findings a notebook shows."""

_BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it, Excel does not recognise UTF-8."""


class FindingKind(NamedTuple):
    """A kind of finding: its title, the sentence that explains it, and whether no text produces such an entry."""

    title: str
    reason: str
    is_unreachable: bool = False


_UNREACHABLE: Final = {
    "no-symbols": (
        _("Audit", "not made of known symbols"),
        _("Audit", "It is not made of the symbols that words are first split into in this vocabulary."),
    ),
    "no-merge": (_("Audit", "no merge makes it"), _("Audit", "No merge makes it: its bytes become {tokens}.")),
    "other-merge": (
        _("Audit", "another merge comes first"),
        _("Audit", "Other merges come first, so its bytes become {tokens}."),
    ),
    "taken": (
        _("Audit", "a merge takes a part first"),
        _("Audit", "{left} and {right} merge first, so its bytes become {tokens}."),
    ),
    "not-a-word": (
        _("Audit", "never a whole word"),
        _("Audit", "Its bytes become {tokens}, and the splitter never yields it as a whole word."),
    ),
    "split": (_("Audit", "the splitter splits it"), _("Audit", "The splitter never yields a word that contains it.")),
    "crossed": (
        _("Audit", "always merged with others"),
        _("Audit", "In every word that the splitter yields, a merge joins a part of it to what is next to it."),
    ),
    "normalized": (_("Audit", "normalization changes it"), _("Audit", "Normalization turns its text into {tokens}.")),
    "shadowed": (
        _("Audit", "an added token covers it"),
        _("Audit", "The added token {tokens} is taken out of every text before it is split."),
    ),
    "repeated": (
        _("Audit", "another entry has its bytes"),
        _("Audit", "The entry {number} has the same bytes, and encoding uses that one."),
    ),
    "known-character": (
        _("Audit", "its characters have entries"),
        _("Audit", "Every character with this byte has an entry of its own."),
    ),
    "incomplete": (
        _("Audit", "only in invalid UTF-8"),
        _(
            "Audit",
            "However a text completes the character of which it has a part, splitter or merges make other tokens. "
            "Only bytes that are not valid UTF-8 produce it.",
        ),
    ),
    "invalid": (_("Audit", "not in valid UTF-8"), _("Audit", "No valid UTF-8 text contains its bytes.")),
    "empty": (_("Audit", "empty"), _("Audit", "It has no bytes.")),
}
_OTHERS: Final = {
    "not-found": (
        _("Audit", "none found"),
        _("Audit", "No text was found, with up to {number} characters on either side. There may be one."),
    ),
    "special": (_("Audit", "special token"), _("Audit", "It is a special token.")),
    "special-conflict": (
        _("Audit", "special token in plain text"),
        _("Audit", "This text gives the id of the special token even where special tokens are plain text."),
    ),
    "special-mismatch": (
        _("Audit", "files disagree on its id"),
        _("Audit", "{file} gives the token {tokens} the id {other}."),
    ),
    "partial": (_("Audit", "part of a character"), _("Audit", "It contains part of a character.")),
    "duplicate": (_("Audit", "same text as another"), _("Audit", "It decodes to the same text as the entry {number}.")),
    "hole": (_("Audit", "ranges of ids without entries"), _("Audit", "No entries have the ids {ids}.")),
    "dead-merge": (
        _("Audit", "merge that never applies"),
        _("Audit", "The merge of {left} and {right} never applies: {reason}"),
    ),
    "made-otherwise": (
        _("Audit", "other parts make it"),
        _("Audit", "{left} and {right} make the same token first."),
    ),
    "lossy": (_("Audit", "decoding changes the text"), _("Audit", "Decoding its tokens gives “{tokens}”.")),
    "unknown": (_("Audit", "text without an id"), _("Audit", "This text has a symbol that is not in the vocabulary.")),
}
KINDS: Final[Mapping[str, FindingKind]] = {
    "reachable": FindingKind(_("Audit", "reachable"), ""),
    **{name: FindingKind(*texts, is_unreachable=True) for name, texts in _UNREACHABLE.items()},
    **{name: FindingKind(*texts) for name, texts in _OTHERS.items()},
}
"""The kinds of findings by name, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about an entry, or another fact, of a kind that `KINDS` explains.

    `witness` is a text that shows it: for an entry, one that has it among its tokens. `values` fill in the sentence.
    Facts that are not about an entry have no `token_id`, or the lowest of theirs.
    """

    kind: str
    token_id: int | None
    token: bytes
    witness: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """The sentence that explains the finding, in English; empty for a reachable entry."""
        return self.reason_in(str)

    def reason_in(self, translate: Callable[[str], str]) -> str:
        """Return the sentence that explains the finding, translated. Its templates have the context `Audit`."""
        values = {
            name: value.reason_in(translate) if isinstance(value, Finding) else _in_sentence(value)
            for name, value in self.values.items()
        }
        template = KINDS[self.kind].reason
        return translate(template).format(**values) if template else ""


def _in_sentence(value: object) -> str:
    if isinstance(value, bytes):
        return token_in_sentence(value)
    if isinstance(value, tuple):
        return " ".join(map(token_in_sentence, value))
    return f"{value:,}" if isinstance(value, int) else str(value)


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found: all entries in the order of their ids, and everything that may deserve attention.

    `findings` has the entries that no text produces, and other facts, in the order of `KINDS`.
    """

    entries: Sequence[Finding]
    findings: Sequence[Finding]

    @property
    def counts(self) -> Mapping[str, int]:
        """How many entries and other findings there are of each kind, in the order of `KINDS`."""
        counts = Counter(entry.kind for entry in self.entries)
        counts |= Counter(finding.kind for finding in self.findings)
        return {kind: counts[kind] for kind in KINDS if counts[kind]}

    @property
    def unreachable(self) -> int:
        """The number of entries that no text produces."""
        return sum(KINDS[entry.kind].is_unreachable for entry in self.entries)

    def _repr_html_(self) -> str:
        """Return the counts and the first findings as tables, as a notebook shows them."""
        kinds = [(KINDS[kind].title, f"{count:,}") for kind, count in self.counts.items()]
        first = [
            (
                *("" if each.token_id is None else each.token_id, visible(each.token)),
                KINDS[each.kind].title,
                each.reason,
            )
            for each in self.findings[:_SHOWN]
        ]
        more = len(self.findings) - len(first)
        tables = (
            table_in_html([("finding", "number"), *kinds]),
            table_in_html([("id", "token", "finding", "reason"), *first]),
        )
        return "".join(tables[: 1 + bool(first)]) + (f"<div>… {more:,} more findings</div>" if more else "")

    @staticmethod
    def title_of(kind: str) -> str:
        """Return the title of a kind of findings, as a template of the context `Audit`."""
        return KINDS[kind].title

    def csv_table(self, translate: Callable[[str], str] = str) -> str:
        """Return all entries, and the findings of kinds that no entry has, as CSV for spreadsheets.

        >>> audit(Tokenizer({0: b"l"}, [], recipe="cs336-toy")).csv_table().splitlines()[1]
        '0,[l],0x6c,reachable,[l],'
        """
        others = [finding for finding in self.findings if finding.kind not in {entry.kind for entry in self.entries}]
        text = StringIO(newline="")
        table = csv.writer(text, lineterminator="\n")
        table.writerow(("id", "token", "hex", "finding", "text", "reason"))
        for finding in [*self.entries, *others]:
            token, witness = visible(finding.token), finding.witness
            table.writerow(
                (
                    finding.token_id,
                    f"[{token}]",
                    f"0x{finding.token.hex()}",
                    finding.kind,
                    "" if witness is None else f"[{visible(witness.encode())}]",
                    finding.reason_in(translate),
                )
            )
        return _BYTE_ORDER_MARK + text.getvalue()

    def with_findings(self, more: Iterable[Finding]) -> "Audit":
        """Return the audit with more findings, such as what the files of a folder disagree on."""
        return replace(self, findings=_in_order([*self.findings, *more]))


def _in_order(findings: Iterable[Finding]) -> list[Finding]:
    order = {kind: number for number, kind in enumerate(KINDS)}
    return sorted(findings, key=lambda finding: order[finding.kind])


def audit(tokenizer: Tokenizer, progress: Progress | None = None) -> Audit:
    """Audit a tokenizer: find a text that produces each entry, or the reason why none can, and what else is unusual.

    `progress` is called with the numbers of entries done and in total. Raise TokenizerError for a splitter that takes
    too long.

    >>> vocab = {**{byte: bytes([byte]) for byte in range(256)}, 256: b"ow", 257: b"lo", 258: b"low"}
    >>> audited = audit(Tokenizer(vocab, [(b"o", b"w"), (b"l", b"o"), (b"lo", b"w")]))
    >>> audited.entries[257].witness, audited.entries[258].reason
    ('lo', 'o and w merge first, so its bytes become l ow.')
    """
    return _Auditor(tokenizer, progress).audit()


class _Auditor:
    """Makes the audit of one tokenizer."""

    def __init__(self, tokenizer: Tokenizer, progress: Progress | None) -> None:
        self._tokenizer = tokenizer
        self._specials = {token_id: token for token, token_id in tokenizer.special_tokens.items()}
        vocab = tokenizer.vocab
        self._ids = [token_id for token_id in vocab if token_id not in self._specials]
        self._tokens = [vocab[token_id] for token_id in self._ids]
        self._search = WitnessSearch(tokenizer, self._tokens, self._ids, progress)

    def audit(self) -> Audit:
        self._search.run()
        found = zip(self._ids, self._tokens, self._search.witnesses, self._search.obstacles, strict=True)
        entries = [
            Finding("reachable", token_id, token, witness)
            if obstacle is None
            else Finding(obstacle.kind, token_id, token, None, obstacle.values)
            for token_id, token, witness, obstacle in found
        ]
        entries += map(self._special_entry, self._specials)
        entries.sort(key=lambda entry: entry.token_id or 0)
        findings = [entry for entry in entries if entry.kind not in ("reachable", "special")]
        findings += self._special_conflicts()
        findings += self._dead_merges()
        for facts in (self._partial, self._duplicates, self._holes, self._losses):
            findings += facts(entries)
        return Audit(entries, _in_order(findings))

    # -- special tokens ---------------------------------------------------------------------------------------------

    def _special_entry(self, token_id: int) -> Finding:
        token = self._specials[token_id]
        is_obeyed = token_id in self._encoded(token, self._tokenizer)
        return Finding("special", token_id, token.encode(), token if is_obeyed else None)

    def _encoded(self, text: str, tokenizer: Tokenizer) -> Sequence[int]:
        """Return the ids of a text; none if a symbol has no id."""
        try:
            return tokenizer.encode(text)
        except TokenizerError:
            return ()

    def _special_conflicts(self) -> Iterator[Finding]:
        """Yield the special tokens whose ids also arise from plain text."""
        plain = self._tokenizer.obeying("none")
        pipeline = self._tokenizer.pipeline
        always = {each.id for each in pipeline.added_tokens if not each.special} if pipeline else set()
        around = set(self._encoded("", plain))
        for token_id, token in self._specials.items():
            if token_id in always or token_id in around:
                continue
            for text in dict.fromkeys((token, token.upper(), token.lower())):
                if token_id in self._encoded(text, plain):
                    yield Finding("special-conflict", token_id, token.encode(), text)
                    break

    # -- entries ----------------------------------------------------------------------------------------------------

    def _partial(self, entries: Sequence[Finding]) -> Iterator[Finding]:
        """Yield the reachable entries that have a part of a character."""
        for entry in entries:
            if entry.kind == "reachable":
                fragment = Fragment.of(self._search.merges.text_of(entry.token))
                if fragment is None or not fragment.is_whole or self._tokenizer.stands_for(entry.token) != entry.token:
                    yield replace(entry, kind="partial")

    def _duplicates(self, entries: Sequence[Finding]) -> Iterator[Finding]:
        """Yield the entries that decode to the same bytes as one before them."""
        is_spaced = self._tokenizer.recipe.units == "characters"
        space, first_with = SPACE_SYMBOL.encode(), dict[bytes, int]()
        for entry in entries:
            assert entry.token_id is not None
            text = self._tokenizer.stands_for(entry.token)
            text = text.replace(space, b" ") if is_spaced else text
            first = first_with.setdefault(text, entry.token_id)
            if first != entry.token_id:
                yield replace(entry, kind="duplicate", values={"number": first})

    def _holes(self, entries: Sequence[Finding]) -> Iterator[Finding]:
        """Yield the ranges of ids that have no entry."""
        ids = [-1, *(entry.token_id for entry in entries if entry.token_id is not None)]
        for before, after in pairwise(ids):
            if after > before + 1:
                ids_between = f"{before + 1:,}" + (f"–{after - 1:,}" if after > before + 2 else "")
                yield Finding("hole", before + 1, b"", None, {"ids": ids_between})

    # -- merges -----------------------------------------------------------------------------------------------------

    def _dead_merges(self) -> Iterator[Finding]:
        """Yield the merges that never apply.

        A merge applies if and only if it is the last one when the bytes of its two parts are merged, and the splitter
        can yield a word with them.
        """
        prefix, merges = self._tokenizer.store.prefix_size, self._tokenizer.merges
        products = [left + right[prefix:] for left, right in merges]
        of_entries = {token: (self._search.merges, index) for index, token in enumerate(self._tokens)}
        others = list(dict.fromkeys(token for token in products if token not in of_entries))
        other_merges = EntryMerges(self._tokenizer, others)
        of_others = {token: (other_merges, index) for index, token in enumerate(others)}
        ways = Counter(products)
        for (left, right), token in zip(merges, products, strict=True):
            known = token in of_entries
            applied, index = (of_entries if known else of_others)[token]
            obstacle = self._search.obstacles[index] if known else None
            if not applied.are_made[index]:
                reason = Finding("other-merge", None, token, None, {"tokens": tuple(applied.tokens_of(index))})
            elif ways[token] > 1 and (last := applied.last_merge(index)) not in (None, (left, right)):
                reason = Finding("made-otherwise", None, token, None, dict(zip(("left", "right"), last, strict=True)))
            elif obstacle is not None and obstacle.kind in NEVER_IN_TEXTS:
                reason = Finding(obstacle.kind, None, token, None, obstacle.values)
            else:
                continue
            token_id = self._ids[index] if known else None
            yield Finding("dead-merge", token_id, token, None, {"left": left, "right": right, "reason": reason})

    # -- round trips ------------------------------------------------------------------------------------------------

    def _losses(self, entries: Sequence[Finding]) -> Iterator[Finding]:
        """Yield texts that decoding does not restore, the shortest for each cause, and one with an unknown symbol."""
        witnesses = [entry.witness for entry in entries if entry.kind == "reachable" and entry.witness]
        texts = [*_PROBES, *witnesses[:: max(1, len(witnesses) // _ROUND_TRIPS)]]
        tokenizer = self._tokenizer
        encoded = self._search.view.encode_batch(texts)
        known = {text: ids for text, ids in zip(texts, encoded, strict=True) if not self._has_unknown(text, ids)}
        refused = [text for text in texts if text not in known]
        if refused:
            text = min(refused, key=len)
            yield Finding("unknown", None, text.encode(), text)
        lost: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for text, back in zip(known, tokenizer.decode_batch(known.values(), skip_special_tokens=True), strict=True):
            if back != text and not any(token in text for token in tokenizer.special_tokens):
                lost[_cause(text, back)].append((text, back))
        for pairs in lost.values():
            text, back = min(pairs, key=lambda pair: len(pair[0]))
            yield Finding("lossy", None, text.encode(), text, {"tokens": back.encode()})

    def _has_unknown(self, text: str, ids: Sequence[int]) -> bool:
        view, data, pipeline = self._search.view, text.encode(), self._tokenizer.as_pipeline
        ids = ids[len(pipeline.ids_before) : len(ids) - len(pipeline.ids_after)]
        return view.unknown_id in ids and len(unknown_tokens(view, view.token_arrays(data), data)) > 0


def _cause(text: str, back: str) -> str:
    """Return a name for how a text was changed."""
    if back.strip() == text.strip():
        return "start" if back.lstrip() == text.lstrip() else "end"
    if back.replace(" ", "") == text.replace(" ", ""):
        return "spaces"
    return "nothing" if not back else "case" if back.casefold() == text.casefold() else "characters"
