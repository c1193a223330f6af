"""Text to compare trainers with: English, Chinese, code, numbers, emoji and runs, the same on every machine."""

import random
from functools import cache

_ONSETS = ("b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "tr", "pl", "sh", "th")
_RIMES = ("a", "e", "i", "o", "u", "ay", "ee", "ou", "an", "en", "in", "on", "un", "ar", "er", "or", "ing", "ound")
_ENDINGS = ["", "", "", "s", "ed", "ing", "er", "est", "ly", "'s", "n't", ",", ".", "!", "-"]
_HAN = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动"
    "同工也能下过子说产种面而方后多定行学法所民得经"
)
_EMOJI = ["😀", "👍🏽", "👩‍👩‍👧", "✔", "🇨🇳", "é", "naïve", "Ünïcödé", "…", "“quoted”", "日本語", "한국어", "русский"]
_RUNS = [
    "aaaa",
    "aaaaaaa",
    "=" * 9,
    "-" * 20,
    "....",
    "hahahaha",
    "ababab",
    "\n\n\n",
    "    ",
    "        ",
    "!!!",
    "1111111",
]
_CODE = [
    "def {}(self):",
    "return {}[i]",
    "self.{} = {}",
    "if ({} != 0) {{",
    "}}",
    "</{}>",
    "#include <{}.h>",
    "{}_{}()",
    "0x{:04x}",
]
_GAPS = " " * 17 + "\n" * 2


@cache
def mixed_text(size: int = 1_050_000, seed: int = 2) -> str:
    """Return a text of words drawn by Zipf's law, with at least `size` bytes in UTF-8."""
    rng = random.Random(seed)
    words = _words(rng)
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    parts: list[str] = []
    length = 0
    while length < size:
        for word in rng.choices(words, weights, k=1000):
            parts.append(word + ("" if rng.random() < 0.04 else rng.choice(_GAPS)))
            length += len(parts[-1].encode())
    return "".join(parts)


def _words(rng: random.Random) -> list[str]:
    def stem() -> str:
        return "".join(rng.choice(_ONSETS) + rng.choice(_RIMES) for _ in range(rng.randint(1, 3)))

    def code() -> str:
        pattern = rng.choice(_CODE)
        return pattern.format(rng.randrange(1 << 16)) if "04x" in pattern else pattern.format(stem(), stem())

    words = [stem() + rng.choice(_ENDINGS) for _ in range(900)]
    words += [word.capitalize() for word in words[:100]]
    words += ["".join(rng.choices(_HAN, k=rng.randint(1, 4))) for _ in range(300)]
    words += [code() for _ in range(120)]
    words += [str(rng.randrange(10 ** rng.randint(1, 6))) for _ in range(60)]
    words += _EMOJI * 2 + _RUNS
    rng.shuffle(words)
    return words
