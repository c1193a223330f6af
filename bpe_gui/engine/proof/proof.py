"""Compare the ids that a written file gives with those of the tokenizer it was written from.

The file is read back here, and with the package it is meant for if that is installed. Nothing else needs these
packages.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Final

from bpe_gui.engine.corpora.documents import Document
from bpe_gui.engine.runtime.arguments import check_type
from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.runtime.printable import token_in_sentence, visible
from bpe_gui.engine.runtime.statements import Statement
from bpe_gui.engine.runtime.statements import statement as _
from bpe_gui.engine.runtime.types import Progress

Encode = Callable[[str], Sequence[int | str]]
"""Encodes a text to ids or tokens. Raises EngineError if the text cannot be encoded."""

OWN_READER: Final = "bpe-gui"
"""The name of our own reader."""

SAMPLE_BYTES: Final = 100_000
"""How much of a corpus is compared, in bytes of UTF-8."""

IdOrToken = int | str

_MAX_CHARACTERS: Final = 120  # shown of a text or a token
_MAX_TOKENS: Final = 16
_TOKENS_BEFORE: Final = 3  # shown before the first one that differs

_logger: Final = logging.getLogger(__name__)


class NotComparedError(EngineError):
    """Nothing was compared: a package is not installed or has the wrong version, or no text has ids."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A text that is encoded differently, with its ids on both sides, or its tokens if the format has no ids."""

    text: str
    ours: tuple[IdOrToken, ...]
    theirs: tuple[IdOrToken, ...]

    @property
    def index(self) -> int:
        """The index of the first id or token that differs.

        >>> Difference("ab", (1, 2), (1, 3)).index
        1
        """
        pairs = enumerate(zip(self.ours, self.theirs, strict=False))
        return next((i for i, (one, other) in pairs if one != other), min(len(self.ours), len(self.theirs)))

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The text and both sides' tokens, shortened to the part around the difference; each is a line."""
        text, first = visible(self.text.encode()), max(0, self.index - _TOKENS_BEFORE)
        shown = text if len(text) <= _MAX_CHARACTERS else text[:_MAX_CHARACTERS] + "…"
        return (
            _("Export", "Text: {text}").format(text=shown),
            _("Export", "Expected: {tokens}").format(tokens=_listed(self.ours, first)),
            _("Export", "Got: {tokens}").format(tokens=_listed(self.theirs, first)),
        )


def _listed(tokens: Sequence[IdOrToken], first: int) -> object:
    """Return the ids or tokens from one on, as the value of a statement."""
    texts = [
        token_in_sentence(token.encode(), _MAX_CHARACTERS) if isinstance(token, str) else str(token)
        for token in islice(tokens, first, first + _MAX_TOKENS)
    ]
    shown = ["…"] * (first > 0) + texts + ["…"] * (len(tokens) > first + _MAX_TOKENS)
    return tuple(shown) or _("Export", "nothing")


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of comparing with one reader."""

    reader: str
    compares_ids: bool = True
    """Whether ids were compared, rather than tokens because the format has no ids."""
    compared: int = 0
    """The number of strings that were encoded on both sides."""
    skipped: int = 0
    """The number of strings with a symbol that has no id."""
    difference: Difference | None = None
    obstacle: EngineError | None = None
    """Why nothing was compared, if nothing was."""

    @property
    def fails(self) -> bool:
        """Whether the reader gives different ids or refuses the file. A reader that is not available does not fail."""
        return self.difference is not None or not isinstance(self.obstacle, NotComparedError | None)

    @property
    def proves(self) -> bool:
        """Whether ids or tokens were compared and are the same."""
        return self.difference is None and self.obstacle is None

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The outcome in sentences."""
        reader = _("Export", "bpe-gui itself") if self.reader == OWN_READER else self.reader
        if self.obstacle is not None:
            return (_("Joining", "{label}: {text}").format(label=reader, text=self.obstacle),)
        if self.difference is not None:
            ids = _("Export", "{reader} gives different ids.")
            return (
                (ids if self.compares_ids else _("Export", "{reader} gives different tokens.")).format(reader=reader),
            )
        same = _("Export", "{reader} gives the same ids for {strings} test strings.")
        if not self.compares_ids:
            same = _("Export", "{reader} gives the same tokens for {strings} test strings.")
        same = same.format(reader=reader, strings=self.compared)
        if not self.skipped:
            return (same,)
        skipped = _("Export", "Strings not compared, because the vocabulary lacks symbols in them: {left_out}.")
        return same, skipped.format(left_out=self.skipped)


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of a file: `load` reads it and returns its encode function, which must agree with `ours`.

    Both give tokens instead of ids if the format has no ids.
    """

    name: str
    ours: Encode
    load: Callable[[], Encode]
    gives_ids: bool = True

    def prove(self, texts: Iterable[str], progress: Progress = lambda done, whole: None) -> Proof:
        """Encode all texts on both sides, stop at the first difference, and return the outcome.

        The text of a difference is narrowed down to the part that matters.

        >>> from bpe_gui.engine import Tokenizer
        >>> one = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
        >>> Reader("other", one.encode, lambda: one.at(0).encode).prove(["l", "ol", "x", "lol"]).difference
        Difference(text='lo', ours=(2,), theirs=(0, 1))
        """
        proof = _prove(self, tuple(texts), progress)
        if proof.obstacle is not None:
            # Log only the template: its values may quote the user's text.
            _logger.info("Nothing compared with %s: %s", proof.reader, proof.obstacle.without_values)
        else:
            outcome = "different" if proof.difference else "the same"
            _logger.info(
                "%s gives %s %s: %d strings compared, %d skipped",
                *(proof.reader, outcome, "ids" if proof.compares_ids else "tokens", proof.compared, proof.skipped),
            )
        return proof


def _prove(reader: Reader, texts: tuple[str, ...], progress: Progress) -> Proof:
    try:
        theirs = reader.load()
    except EngineError as error:
        return Proof(reader.name, reader.gives_ids, obstacle=error)
    compare = _comparison(reader.ours, theirs)
    compared = 0
    for done, text in enumerate(texts):
        progress(done, len(texts))
        result = compare(text)
        if isinstance(result, Difference):
            narrowed = _narrow_down(result, compare)
            return Proof(reader.name, reader.gives_ids, compared + 1, done - compared, difference=narrowed)
        compared += result is None
    if not compared:
        nothing = NotComparedError("None of the strings could be encoded on both sides.")
        return Proof(reader.name, reader.gives_ids, skipped=len(texts), obstacle=nothing)
    return Proof(reader.name, reader.gives_ids, compared, len(texts) - compared)


_Compare = Callable[[str], Difference | EngineError | None]


def _comparison(ours: Encode, theirs: Encode) -> _Compare:
    def compare(text: str) -> Difference | EngineError | None:
        """Return the difference if there is one, or the error if one side cannot encode the text."""
        try:
            one, other = tuple(ours(text)), tuple(theirs(text))
        except EngineError as error:
            return error
        return None if one == other else Difference(text, one, other)

    return compare


def _narrow_down(difference: Difference, compare: _Compare) -> Difference:
    """Return a difference in the smallest part of the text that repeated halving finds."""
    while True:
        results = map(compare, _parts(difference.text))
        smaller = next((result for result in results if isinstance(result, Difference)), None)
        if smaller is None:
            return difference
        difference = smaller


def _parts(text: str) -> Iterator[str]:
    half, quarter = len(text) // 2, len(text) // 4
    for start, stop in ((0, half), (half, len(text)), (quarter, len(text) - quarter), (0, -1), (1, len(text))):
        part = text[start:stop]
        if part and part != text:
            yield part


def proof_strings(
    texts: Iterable[str], special_tokens: Iterable[str], corpus: Iterable[Document] = ()
) -> tuple[str, ...]:
    """Return the strings to compare: the hard strings, every line of the texts, and the texts as a whole.

    The beginning of a corpus is one of the texts, unless it cannot be read, since the proof is not about it.

    >>> proof_strings(["low\\ner"], ["<e>"])[-3:]
    ('low\\n', 'er', 'low\\ner')
    """
    whole = [text for text in texts if text]
    for text in whole:
        check_type("text", text, str)
    with_special: list[str] = []
    for token in special_tokens:
        check_type("token", token, str)
        # alone, inside a word, between spaces, doubled, truncated and in upper case
        around = (token, f"low{token}er", f"low {token} er", f" {token}\n", token * 2, token[:-1], token.upper())
        with_special.extend(around)
    with suppress(EngineError):
        whole += filter(None, [leading_text(chunk for document in corpus for chunk in document.chunks())])
    lines = (line for text in whole for line in text.splitlines(keepends=True))
    unique = dict.fromkeys((*HARD_STRINGS, *with_special, *lines, *whole))
    return tuple(unique)


def leading_text(chunks: Iterable[str], max_bytes: int = SAMPLE_BYTES) -> str:
    """Return the longest prefix of a text, given in chunks, that has at most `max_bytes` bytes of UTF-8.

    >>> leading_text(["a", "äb"], 2)
    'a'
    """
    data = b""
    for chunk in chunks:
        check_type("text", chunk, str)
        data += chunk[:max_bytes].encode(errors="replace")
        if len(data) >= max_bytes:
            break
    return data[:max_bytes].decode(errors="ignore")


# -- strings on which tokenizers disagree: common victims of conversions, and rare corner cases -----------------------

HARD_STRINGS: Final = (
    "",
    # white space
    " ",
    "  ",
    " a",
    "a ",
    "  a  b   c    ",
    "\t",
    "\ta\t\tb",
    " \t \t ",
    "\n",
    "\n\n\n",
    "a\nb",
    "a \n b",
    "a\n\n  b\n   ",
    "\r",
    "\r\n",
    "a\r\nb\r\n\r\nc",
    " \r\n \n",
    "a\u00a0b",
    "\u00a0\u00a0",
    "a\u2028b\u2029c",
    "a\u0085b",
    "\u3000全角\u3000",
    "a\u200bb\u200c\u200dc",
    "\x0b\x0c\x1c\x1d\x1e\x1f",
    # control characters, byte-order marks
    "\x00",
    "a\x00b",
    "\x01\x02\x7f\x80\x9f",
    "\ufeff",
    "\ufeffa",
    "a\ufeffb",
    "\ufffd\uffff",
    # writing systems
    "naïve café",
    "nai\u0308ve cafe\u0301",
    "a\u0301\u0323\u0302\u0300",
    "\u0301",
    "Ünïcödé ẞß ſ ŉ İı",
    "Привет, мир!",
    "مرحبا بالعالم ١٢٣",
    "שָׁלוֹם",
    "नमस्ते दुनिया क्षत्रिय",
    "สวัสดีชาวโลก",
    "你好，世界！你好世界",
    "日本語のテキスト、カタカナ",
    "한국어 텍스트 한국어",
    "𠮷野家 𝔘𝔫𝔦 𐍈",
    "ﬁ ﬂ Å Å Ω ①②③ ½",
    # emoji
    "😀",
    "😀😀😀",
    "👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈 🇨🇳🇩🇪",
    "a😀b ✔️ ☺",
    # words
    "Hello, world!",
    "don't you're I've I'm he'll she'd it's",
    "DON'T YOU'RE I'VE I'M HE'LL SHE'D IT'S",
    "'s 't 're ' '' '''",
    "’s don’t",
    "CamelCase snake_case kebab-case SCREAMING",
    "low lower lowest newest widest",
    # numbers and signs
    "0",
    "1234567890",
    "1 12 123 1234 12345",
    "3.14159 1,000,000 1e-10 0x1F",
    "٣٤٥ Ⅷ ²³",
    "!@#$%^&*()_+-=[]{}|;:'\",.<>/?`~\\",
    "...!!!???",
    " .. , ;",
    "$100 €20 50%",
    "https://example.org/a?b=c&d=%20#e",
    # code
    "def f(x):\n    return x[1:-1]\n\n\nclass A:\n\tpass\n",
    "for (int i = 0; i < n; ++i) { a[i] += b[i] * 2; }\r\n",
    '{"key": ["value", 1, null, true]}',
    "<p class='x'>text</p><!-- -->",
    # text that looks like markers and headers of file formats
    "</w>",
    "low</w> </w>low",
    "@@ low@@ er@@",
    "▁ ▁a a▁b ▁▁",
    "Ġ Ġa Ċ ĉ",
    "#version: 0.2",
    "<0x0A> <unk> [UNK] ##ing",
    # long runs
    "a" * 1000,
    "ab" * 500,
    " " * 300,
    "\n" * 300,
    "=" * 300,
    "1" * 300,
    "你" * 300,
    "😀" * 100,
    "\u0301" * 100,
)
"""Strings to compare every tokenizer on."""
