"""What five public tutorials of BPE print, and for what differs here, why.

1. A walk-through in Chinese of the tokenizer of CS336, with a worked example.
2. OctopusMind's byte-level BPE, with ids sorted by the spelling of tokens.
3. Characters with `</w>`, a threshold of two occurrences and a pruned vocabulary, in Chinese.
4. Chinese and English mixed, with eight sentences to train on and three to encode, in Chinese.
5. The example in the handout of CS336.
"""

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Tutorial:
    """The numbers of a tutorial. `sample` is the name of the sample's file, without its suffix."""

    sample: str
    recipe: str
    merges: str
    """All merges as `left+right count`; a space is `·`."""
    sizes: tuple[int, ...]
    """The number of entries before the first merge, and then after each."""
    pairs: dict[int, str] = field(default_factory=dict)
    """The most frequent pairs at some steps."""
    tokens: dict[str, list[str]] = field(default_factory=dict)
    """Texts and their tokens at the end, as files spell them."""
    special_tokens: tuple[str, ...] = ()


TUTORIALS: Final = (
    # It numbers its 11 characters and what is merged from 1, in the order in which they appear: l 1, o 2, ... </w> 11,
    # st 12, est 13, ow 14. Here ids begin at 0. Its third merge is o+w 3: it overlooked w+i 3, which is greater.
    Tutorial(
        sample="worked-example",
        recipe="worked-example",
        merges="s+t 5, e+st 5, w+i 3, wi+d 3, wid+est 3, o+w 3, l+ow 3, </w>+widest 3",
        sizes=tuple(range(11, 20)),
        pairs={0: "s+t 5, e+s 5, w+i 3, o+w 3, l+o 3, i+d 3, d+e 3, </w>+w 3", 1: "e+st 5", 2: "w+i 3"},
        tokens={"newest widest lower": ["n", "e", "w", "est", "</w>widest", "</w>", "low", "e", "r"]},
    ),
    Tutorial(
        sample="cs336",
        recipe="cs336",
        merges="o+w 5, l+ow 5, ·+low 4, s+t 3, e+st 3",
        sizes=(258, 259, 260, 261, 262, 263),
        tokens={"the cat ate 你✔": [*"theĠcatĠateĠ", "ä", "½", "ł", "â", "ľ", "Ķ"]},
        special_tokens=("<|endoftext|>", "<|sometoken|>"),
    ),
    Tutorial(
        sample="bbpe",
        recipe="bbpe",
        merges="l+o 5, lo+w 5, ·+low 4, e+s 3, es+t 3, ·low+e 2, ·lowe+r 2, ·+w 2, ·w+i 2, ·wi+d 2, ·wid+est 2, "
        "·+\\xe4 2, ·\\xe4+\\xbd 2, ·\\xe4\\xbd+\\xa0 2",
        sizes=tuple(range(256, 271)),
        tokens={"lower widest 你好": ["low", "e", "r", "Ġwidest", "Ġä½ł", "å", "¥", "½"]},
    ),
    Tutorial(
        sample="char-eow",
        recipe="char-eow",
        merges="e+r 10, i+n 7, u+n 6, n+a 6, s+t 5, er+</w> 4, p+l 4",
        sizes=(19, 20, 21, 21, 22, 23, 24, 25),
        pairs={
            0: "e+r 10, i+n 7, u+n 6, n+a 6, n+d 6, s+t 5, r+</w> 4",
            1: "i+n 7, u+n 6, n+a 6, n+d 6, s+t 5, er+</w> 4",
            2: "u+n 6, n+a 6, n+d 6, s+t 5, er+</w> 4",
        },
        tokens={"runner": ["r", "un", "n", "er</w>"]},
    ),
    # It prints sizes from 178 after ten merges to 538 after fifty, nine more with each merge. Its own code adds one
    # with each, from 85 to 135, as here. That code also counts a pair once per sentence and joins words, so its merges
    # are others, and with equal counts they depend on the order of a set; and it splits `</w>` of a new text into
    # characters, so nothing with `</w>` is ever merged there. What it prints as tokens is none of these.
    Tutorial(
        sample="zh-en",
        recipe="zh-en",
        merges="e+</w> 9, i+n 6, s+</w> 6, l+a 5, n+</w> 4, g+</w> 4, g+e</w> 4, 语+言 3, y+t 3, in+g</w> 3",
        sizes=tuple(range(85, 136)),
        tokens={"自然语言处理": ["自然语言处理"], "Python language.": ["Python</w>", "language</w>", "."]},
    ),
    Tutorial(
        sample="cs336-toy",
        recipe="cs336-toy",
        merges="s+t 9, e+st 9, o+w 7, l+ow 7, w+est 6, n+e 6, ne+west 6, w+i 3, wi+d 3, wid+est 3, low+e 2, lowe+r 2",
        sizes=tuple(range(257, 270)),
        pairs={0: "s+t 9, e+s 9, w+e 8, o+w 7, l+o 7, n+e 6, e+w 6, w+i 3, i+d 3, d+e 3, e+r 2"},
        tokens={"newest lower": ["newest", "lower"]},
        special_tokens=("<|endoftext|>",),
    ),
)
