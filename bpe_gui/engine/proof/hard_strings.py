"""Strings on which tokenizers tend to disagree: common victims of conversions, and rare corner cases."""

from collections.abc import Iterable, Iterator
from typing import Final

from bpe_gui.engine.runtime.arguments import check_text
from bpe_gui.engine.runtime.errors import EngineError

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


def with_special_tokens(tokens: Iterable[str]) -> Iterator[str]:
    """Yield each special token alone, inside a word, between spaces, doubled, truncated and in upper case."""
    for token in tokens:
        check_text(token, EngineError)
        yield from (token, f"low{token}er", f"low {token} er", f" {token}\n", token * 2, token[:-1], token.upper())
