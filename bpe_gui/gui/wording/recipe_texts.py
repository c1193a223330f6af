"""Describe recipes, in the language of the window.

Every function looks up its texts when called, because the language may change.
"""

from difflib import get_close_matches
from typing import Final

from bpe_gui.engine import SPLITTERS, Recipe, Tokenizer, parts_of
from bpe_gui.gui.wording.phrases import number, translate
from bpe_gui.gui.wording.sentences import said

_SIMILAR: Final = 0.7  # by difflib's measure; with two letters swapped, "gpt2" is 0.75 similar


def preset_title(preset: str | None) -> str:
    """Return the name of a preset, which is the same in every language; None means a custom recipe."""
    return translate("Recipe", "Custom") if preset is None else preset


def preset_description(preset: str) -> str:
    """Return a sentence about what a preset reproduces."""
    return {
        "cs336": translate("Recipe", "The byte-level trainer and tokenizer from the Stanford CS336 assignment."),
        "cs336-toy": translate(
            "Recipe", "The example in the CS336 handout: characters, whitespace-separated words, ids from 257."
        ),
        "worked-example": translate(
            "Recipe", "BPE by hand: characters, with </w> in place of the space before a word."
        ),
        "bbpe": translate(
            "Recipe", "OctopusMind/BBPE: bytes in GPT-2's printable spelling, ids sorted by token spelling."
        ),
        "char-eow": translate(
            "Recipe", "Textbook BPE: characters and </w>. Parts that no longer occur leave the vocabulary."
        ),
        "zh-en": translate(
            "Recipe",
            "Mixed Chinese and English: ideographs merge with each other, and only words of letters end in </w>.",
        ),
        "minbpe": translate("Recipe", "RegexTokenizer.train from karpathy/minbpe, with the GPT-4 pattern."),
        "tiktoken": translate("Recipe", "bpe_train from OpenAI's tiktoken._educational."),
        "huggingface": translate("Recipe", "ByteLevelBPETokenizer.train from Hugging Face's tokenizers package."),
        "subword-nmt": translate("Recipe", "learn_bpe from rsennrich/subword-nmt, the original BPE for translation."),
        "parity": translate(
            "Recipe", "ParityBpeTrainer from Hugging Face's tokenizers package: languages take turns (train_fair)."
        ),
        "sentencepiece": translate("Recipe", "SentencePiece's BPE trainer, with its options at their defaults."),
    }[preset]


def section_title(section: str) -> str:
    return {
        "words": translate("Recipe", "Text to symbols"),
        "merges": translate("Recipe", "Pair selection"),
        "ids": translate("Recipe", "Ids and files"),
        "sentencepiece": translate("Recipe", "SentencePiece"),
    }[section]


def field_label(field: str) -> str:
    return {
        "units": translate("Recipe", "Units"),
        "splitter": translate("Recipe", "Splitter"),
        "boundary": translate("Recipe", "Word boundary"),
        "tie_break": translate("Recipe", "Ties"),
        "pair_counting": translate("Recipe", "Counting"),
        "min_count": translate("Recipe", "Minimum count"),
        "vocabulary": translate("Recipe", "Vocabulary"),
        "alphabet": translate("Recipe", "Alphabet"),
        "special_text": translate("Recipe", "Special tokens in the corpus"),
        "special_ids": translate("Recipe", "Special tokens"),
        "id_order": translate("Recipe", "Ids"),
        "token_spelling": translate("Recipe", "Spelling"),
        "merges_header": translate("Recipe", "Header"),
        "normalization": translate("Recipe", "Normalization"),
        "add_dummy_prefix": translate("Recipe", "Space before a text"),
        "remove_extra_whitespaces": translate("Recipe", "Extra spaces"),
        "character_coverage": translate("Recipe", "Character coverage"),
        "byte_fallback": translate("Recipe", "Bytes"),
        "split_by_whitespace": translate("Recipe", "Split at spaces"),
        "split_by_unicode_script": translate("Recipe", "Split at scripts"),
        "split_by_number": translate("Recipe", "Split at numbers"),
        "split_digits": translate("Recipe", "Split digits"),
        "treat_whitespace_as_suffix": translate("Recipe", "Space as a suffix"),
        "max_sentencepiece_length": translate("Recipe", "Longest piece"),
    }[field]


def field_explanation(field: str) -> str:
    """Return a line about what a switch controls."""
    return {
        "units": translate("Recipe", "The symbols in a word before any merge."),
        "splitter": translate("Recipe", "Choose how to split, or write a regular expression."),
        "boundary": translate("Recipe", "Whether </w> marks the end or start of a word."),
        "tie_break": translate("Recipe", "Which of several pairs with the highest count is merged."),
        "pair_counting": translate("Recipe", "Whether a pair that occurs twice in a word counts twice."),
        "min_count": translate("Recipe", "Training stops when the best pair has a lower count."),
        "vocabulary": translate("Recipe", "Whether to drop a part that no longer occurs on its own."),
        "alphabet": translate("Recipe", "The order of the first symbols, which sets their ids."),
        "special_text": translate("Recipe", "Whether training sees special tokens in the corpus as text."),
        "special_ids": translate("Recipe", "Where special tokens come in the id order."),
        "id_order": translate("Recipe", "The order in which tokens get their ids."),
        "token_spelling": translate("Recipe", "How bytes are written in files and for sorting."),
        "merges_header": translate("Recipe", "The first line of merges.txt, which some programs require."),
        "normalization": translate("Recipe", "How characters are replaced before anything else."),
        "add_dummy_prefix": translate("Recipe", "Whether each text gets a ▁ in front."),
        "remove_extra_whitespaces": translate("Recipe", "Whether outer spaces are dropped and several become one."),
        "character_coverage": translate("Recipe", "The share of the text whose characters get into the vocabulary."),
        "byte_fallback": translate("Recipe", "Whether other characters become bytes instead of <unk>."),
        "split_by_whitespace": translate("Recipe", "Whether a piece stays within one word."),
        "split_by_unicode_script": translate("Recipe", "Whether a piece stays within one script, such as Latin."),
        "split_by_number": translate("Recipe", "Whether digits count as a script of their own."),
        "split_digits": translate("Recipe", "Whether each digit is a piece."),
        "treat_whitespace_as_suffix": translate("Recipe", "Whether ▁ belongs to the word before it."),
        "max_sentencepiece_length": translate("Recipe", "The most characters in a piece."),
    }[field]


def choice_label(field: str, choice: str) -> str:
    """Return the name of a switch's choice; splitters have the same names in every language."""
    if field == "splitter":
        return choice
    return {
        "units": {
            "bytes": translate("Recipe", "Bytes"),
            "characters": translate("Recipe", "Characters"),
        },
        "boundary": {
            "none": translate("Recipe", "None"),
            "suffix": translate("Recipe", "</w> after the word"),
            "suffix-attached": translate("Recipe", "</w> on the last character"),
            "prefix": translate("Recipe", "</w> before the word"),
        },
        "tie_break": {
            "greatest": translate("Recipe", "Greatest pair"),
            "first-seen": translate("Recipe", "First pair seen"),
            "smallest-id": translate("Recipe", "Smallest ids"),
            "shortest": translate("Recipe", "Shortest token"),
        },
        "pair_counting": {
            "occurrences": translate("Recipe", "Every occurrence"),
            "once-per-word": translate("Recipe", "Once per word"),
        },
        "vocabulary": {
            "grow": translate("Recipe", "Only grows"),
            "prune": translate("Recipe", "Drops unused parts"),
        },
        "alphabet": {
            "sorted": translate("Recipe", "Sorted by value"),
            "gpt2-printable": translate("Recipe", "GPT-2's order"),
            "latin-1": translate("Recipe", "First 256 characters"),
        },
        "special_text": {
            "apart": translate("Recipe", "Taken out"),
            "kept": translate("Recipe", "Kept as text"),
        },
        "special_ids": {
            "after-alphabet": translate("Recipe", "After the alphabet"),
            "first": translate("Recipe", "First"),
            "last": translate("Recipe", "Last"),
        },
        "id_order": {
            "merge-order": translate("Recipe", "Merge order"),
            "sorted": translate("Recipe", "Sorted after training"),
        },
        "token_spelling": {
            "raw": translate("Recipe", "Unchanged"),
            "gpt2-printable": translate("Recipe", "GPT-2's printable table"),
        },
    }[field][choice]


def choice_explanation(field: str, choice: str) -> str:
    """Return a sentence about what a choice means."""
    return {
        "units": {
            "bytes": translate("Recipe", "UTF-8 bytes: 256 symbols can spell any text."),
            "characters": translate("Recipe", "Unicode characters: only those in the corpus can be encoded."),
        },
        "splitter": {
            "gpt2": translate(
                "Recipe", "GPT-2: letters, digits or punctuation with the preceding space, or endings like 's."
            ),
            "cl100k": translate(
                "Recipe",
                "GPT-4: like GPT-2, but any one character may begin a word, such as “(”; up to three digits; endings "
                "in any case.",
            ),
            "o200k": translate("Recipe", "GPT-4o: like GPT-4, but a word also ends where capitals begin."),
            "whitespace": translate("Recipe", "Splits at whitespace, which is dropped."),
            "space": translate("Recipe", "Splits at spaces and line breaks, which are dropped."),
            "zh-en": translate(
                "Recipe", "Runs of Chinese characters, runs of other letters and digits, and single punctuation marks."
            ),
            "none": translate("Recipe", "The whole text is one word, so merges may cross spaces."),
        },
        "boundary": {
            "none": translate("Recipe", "Words have no boundary marker."),
            "suffix": translate("Recipe", "</w> is a separate symbol after the last character."),
            "suffix-attached": translate("Recipe", "The last character and </w> form one symbol from the start."),
            "prefix": translate("Recipe", "</w> is a separate symbol in place of the space before a word."),
        },
        "tie_break": {
            "greatest": translate(
                "Recipe", "The pair that sorts last, comparing bytes on the left, then on the right."
            ),
            "first-seen": translate("Recipe", "The pair whose first remaining occurrence in the corpus is earliest."),
            "smallest-id": translate("Recipe", "The pair with the smallest id on the left, then on the right."),
            "shortest": translate("Recipe", "The pair that makes the shortest token, then the one that sorts first."),
        },
        "pair_counting": {
            "occurrences": translate("Recipe", "Every occurrence counts: in “aaa”, the pair “a” + “a” occurs twice."),
            "once-per-word": translate("Recipe", "A word counts once, however often it contains the pair."),
        },
        "vocabulary": {
            "grow": translate("Recipe", "Every merge adds one token, and none is ever dropped."),
            "prune": translate(
                "Recipe", "After a merge, a part that no longer occurs on its own leaves the vocabulary."
            ),
        },
        "alphabet": {
            "sorted": translate("Recipe", "Bytes by value or characters by code point."),
            "gpt2-printable": translate("Recipe", "Bytes in GPT-2's order, printable ones first. Only for bytes."),
            "latin-1": translate(
                "Recipe", "Characters 0 to 255 first, even if they do not occur. Only for characters."
            ),
        },
        "special_text": {
            "apart": translate("Recipe", "They are taken out before text is split, and nothing merges across them."),
            "kept": translate("Recipe", "They are split, counted and merged like any other text."),
        },
        "special_ids": {
            "after-alphabet": translate("Recipe", "Between the alphabet and the first merge."),
            "first": translate("Recipe", "Before everything else, starting at id 0."),
            "last": translate("Recipe", "After the last merge."),
        },
        "id_order": {
            "merge-order": translate("Recipe", "The alphabet first, then each token as it is made."),
            "sorted": translate("Recipe", "Assigned after training, sorted by token spelling."),
        },
        "token_spelling": {
            "raw": translate("Recipe", "Bytes and characters are written as they are."),
            "gpt2-printable": translate("Recipe", "Every byte is written as a visible character. A space becomes Ġ."),
        },
    }[field][choice]


def tie_rule_clause(recipe: Recipe) -> str:
    """Return which of several pairs with the same count is merged, as a clause without a full stop."""
    if recipe.superwords_from:
        return translate("Recipe", "ties go to the pair that sorts first")
    return {
        "greatest": translate("Recipe", "ties go to the pair that sorts last"),
        "first-seen": translate("Recipe", "ties go to the pair seen first in the corpus"),
        "smallest-id": translate("Recipe", "ties go to the pair with the smallest ids"),
        "shortest": translate("Recipe", "ties go to the shortest token, then to the one that sorts first"),
    }[recipe.tie_break]


def recipe_summary(recipe: Recipe) -> str:
    """Return a recipe in one line: its main switches, and others with an unusual choice."""
    clauses = (
        *map(said, recipe.statements(is_own=True)),
        tie_rule_clause(recipe),
        translate("Recipe", "pairs count once per word") if recipe.pair_counting == "once-per-word" else "",
        translate("Recipe", "stops below {count} occurrences").format(count=number(recipe.min_count))
        if recipe.min_count != 1
        else "",
        translate("Recipe", "unused parts are dropped") if recipe.vocabulary == "prune" else "",
        translate("Recipe", "ids sorted after training") if recipe.id_order == "sorted" else "",
    )
    return " · ".join(filter(None, clauses))


def encoding_summary(tokenizer: Tokenizer) -> str:
    """Return in one line what a tokenizer does to text before any merge."""
    return " · ".join(dict.fromkeys(map(said, tokenizer.statements)))


def similar_splitter(text: str) -> str:
    """Return the named splitter that `text` may be a misspelling of; empty if there is none.

    >>> similar_splitter("whitespaceg"), similar_splitter("space+")
    ('whitespace', '')
    """
    is_like_name = text not in SPLITTERS and text.replace("-", "").isalnum()
    return next(iter(get_close_matches(text, SPLITTERS, n=1, cutoff=_SIMILAR)), "") if is_like_name else ""


def part_description(source: str) -> str:
    """Return what a part matches, in a few words; empty for one that no known splitter has."""
    small, capitals = parts_of("o200k")[:2]
    texts = {
        small: translate("Splitter", "words that end in lowercase letters, and letters without case"),
        capitals: translate("Splitter", "other words, such as those in capitals"),
        "'s|'t|'re|'ve|'m|'ll|'d": translate("Splitter", "contractions: don't, we're"),
        r"'(?i:[sdmt]|ll|ve|re)": translate("Splitter", "contractions: don't, WE'RE"),
        r" ?\p{L}+": translate("Splitter", "letters, with the space before them"),
        r" ?\p{N}+": translate("Splitter", "digits, with the space before them"),
        r" ?[^\s\p{L}\p{N}]+": translate("Splitter", "others, with the space before them"),
        r" ?[^\s\p{L}\p{N}]++[\r\n]*+": translate("Splitter", "others, with line breaks after them"),
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*": translate("Splitter", "others, with line breaks after them"),
        r"\s+(?!\S)": translate("Splitter", "whitespace except the last"),
        r"\s++\Z": translate("Splitter", "whitespace at the very end"),
        r"\s*[\r\n]": translate("Splitter", "a line break and whitespace before it"),
        r"\s*[\r\n]+": translate("Splitter", "line breaks and space before them"),
        r"\s+": translate("Splitter", "whitespace"),
        r"\s": translate("Splitter", "one whitespace character"),
        r"[^\r\n\p{L}\p{N}]?+\p{L}++": translate("Splitter", "letters, with one character before them"),
        r"[^\r\n\p{L}\p{N}]?\p{L}+": translate("Splitter", "letters, with one character before them"),
        r"\p{N}{1,3}+": translate("Splitter", "up to three digits"),
        r"\p{N}{1,3}": translate("Splitter", "up to three digits"),
        r"\p{N}": translate("Splitter", "one digit"),
        r"\p{N}+": translate("Splitter", "digits"),
        r"\d+": translate("Splitter", "digits"),
        r"\d": translate("Splitter", "one digit"),
        r"\p{L}+": translate("Splitter", "letters"),
        r"\w+": translate("Splitter", "letters, digits and _"),
        r"[^\w\s]": translate("Splitter", "one other character"),
        r"[^\w\s]+": translate("Splitter", "other characters"),
        r"[^\s\p{L}\p{N}]+": translate("Splitter", "other characters"),
        r"\S+": translate("Splitter", "everything but whitespace"),
        r"[^\s\x1c-\x1f]+": translate("Splitter", "everything but whitespace"),
        r"[^ \r\n]+": translate("Splitter", "everything but spaces and line breaks"),
        r"(?V1)[\u4e00-\u9fff]+": translate("Splitter", "Chinese characters"),
        r"[[\p{L}\p{N}]--[\u4e00-\u9fff]]+": translate("Splitter", "other letters and digits"),
        r"[^\s\x1c-\x1f]": translate("Splitter", "one other character"),
        r".": translate("Splitter", "any one character"),
        r"(?s:.+)": translate("Splitter", "the whole text"),
    }
    return texts.get(source, "")
