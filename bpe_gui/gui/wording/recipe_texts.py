"""Recipes in words, in the language of the window.

Every function looks its texts up when it is called, because the language may change.
"""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import SPLITTERS, Recipe

from .numbers import number

translate = QCoreApplication.translate  # lupdate knows the function by this name


def preset_title(preset: str | None) -> str:
    """Return the name of a preset, which is the same in every language; None stands for a custom recipe."""
    return translate("Recipe", "Custom") if preset is None else preset


def preset_description(preset: str) -> str:
    """Return a sentence on what a preset reproduces."""
    return {
        "cs336": translate("Recipe", "The byte-level trainer and tokenizer of the Stanford CS336 assignment."),
        "cs336-toy": translate(
            "Recipe", "The example of the CS336 handout: characters, words between white space, ids from 257 on."
        ),
        "worked-example": translate(
            "Recipe", "BPE worked out by hand: characters, and </w> in place of the space before a word."
        ),
        "bbpe": translate(
            "Recipe", "OctopusMind/BBPE: bytes in GPT-2's printable spelling, ids in the order of the written tokens."
        ),
        "char-eow": translate(
            "Recipe", "The textbook kind: characters and </w>; parts that are used up leave the vocabulary."
        ),
        "zh-en": translate(
            "Recipe", "Mixed Chinese and English: ideographs merge with each other, and only words end in </w>."
        ),
        "minbpe": translate("Recipe", "RegexTokenizer.train of karpathy/minbpe, with the pattern of GPT-4."),
        "tiktoken": translate("Recipe", "bpe_train of OpenAI's tiktoken._educational."),
        "huggingface": translate("Recipe", "ByteLevelBPETokenizer.train of Hugging Face's tokenizers package."),
        "subword-nmt": translate("Recipe", "learn_bpe of rsennrich/subword-nmt, where BPE for translation began."),
    }[preset]


def section_title(section: str) -> str:
    """Return the title of a group of switches."""
    return {
        "words": translate("Recipe", "From text to symbols"),
        "merges": translate("Recipe", "Which pair is merged"),
        "ids": translate("Recipe", "Ids and files"),
    }[section]


def field_label(field: str) -> str:
    """Return the name of a switch."""
    return {
        "units": translate("Recipe", "Units"),
        "splitter": translate("Recipe", "Splitter"),
        "boundary": translate("Recipe", "Word boundary"),
        "tie_break": translate("Recipe", "Ties"),
        "pair_counting": translate("Recipe", "Counting"),
        "min_count": translate("Recipe", "Least count"),
        "vocabulary": translate("Recipe", "Vocabulary"),
        "alphabet": translate("Recipe", "Alphabet"),
        "special_ids": translate("Recipe", "Special tokens"),
        "id_order": translate("Recipe", "Ids"),
        "token_spelling": translate("Recipe", "Spelling"),
        "merges_header": translate("Recipe", "Header"),
    }[field]


def field_explanation(field: str) -> str:
    """Return a line on what a switch decides."""
    return {
        "units": translate("Recipe", "What a word starts as, before anything is merged."),
        "splitter": translate("Recipe", "How text becomes words: by a name, or a regular expression."),
        "boundary": translate("Recipe", "Whether </w> marks where a word ends or begins."),
        "tie_break": translate("Recipe", "Which of the pairs with the highest count is merged."),
        "pair_counting": translate("Recipe", "Whether a pair that stands twice in a word counts twice."),
        "min_count": translate("Recipe", "Training stops when the best pair occurs less often."),
        "vocabulary": translate("Recipe", "Whether a part that no longer occurs on its own is dropped."),
        "alphabet": translate("Recipe", "The order of the first symbols, which decides their ids."),
        "special_ids": translate("Recipe", "Where the special tokens get their ids."),
        "id_order": translate("Recipe", "In which order the tokens get their ids."),
        "token_spelling": translate("Recipe", "How a byte is written in files, and for sorting."),
        "merges_header": translate("Recipe", "The first line of merges.txt, which some programs want."),
    }[field]


def choice_label(field: str, choice: str) -> str:
    """Return the name of a choice of a switch; splitters have the same names in every language."""
    return choice if field == "splitter" else _choice_labels(field)[choice]


def _choice_labels(field: str) -> Mapping[str, str]:
    return {
        "units": {
            "bytes": translate("Recipe", "Bytes"),
            "characters": translate("Recipe", "Characters"),
        },
        "boundary": {
            "none": translate("Recipe", "No mark"),
            "suffix": translate("Recipe", "</w> after the word"),
            "suffix-attached": translate("Recipe", "</w> on the last character"),
            "prefix": translate("Recipe", "</w> before the word"),
        },
        "tie_break": {
            "greatest": translate("Recipe", "The greatest pair"),
            "first-seen": translate("Recipe", "The pair seen first"),
            "smallest-id": translate("Recipe", "The smallest ids"),
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
        "special_ids": {
            "after-alphabet": translate("Recipe", "After the alphabet"),
            "first": translate("Recipe", "First"),
            "last": translate("Recipe", "Last"),
        },
        "id_order": {
            "merge-order": translate("Recipe", "In order of merging"),
            "sorted": translate("Recipe", "Sorted after training"),
        },
        "token_spelling": {
            "raw": translate("Recipe", "As it is"),
            "gpt2-printable": translate("Recipe", "GPT-2's printable table"),
        },
    }[field]


def choice_explanation(field: str, choice: str) -> str:
    """Return a sentence on what a choice means."""
    return _choice_explanations(field)[choice]


def _choice_explanations(field: str) -> Mapping[str, str]:
    return {
        "units": {
            "bytes": translate("Recipe", "The bytes of UTF-8: 256 symbols spell any text."),
            "characters": translate("Recipe", "Unicode characters: only those of the corpus can be spelt."),
        },
        "splitter": {
            "gpt2": translate("Recipe", "GPT-2: letters, digits or signs, with the space before; endings like ’s."),
            "cl100k": translate("Recipe", "GPT-4: as GPT-2, with at most three digits in a word and any letter case."),
            "o200k": translate("Recipe", "GPT-4o: as GPT-4, and a word also ends where capitals begin."),
            "whitespace": translate("Recipe", "What stands between white space, which is dropped."),
            "space": translate("Recipe", "What stands between spaces and line ends, which are dropped."),
            "zh-en": translate("Recipe", "Runs of Chinese characters, runs of other letters and digits, single signs."),
            "none": translate("Recipe", "The whole text is one word; merges may cross spaces."),
        },
        "boundary": {
            "none": translate("Recipe", "A word is its own units and nothing else."),
            "suffix": translate("Recipe", "</w> is a symbol of its own after the last character."),
            "suffix-attached": translate("Recipe", "The last character and </w> are one symbol from the start."),
            "prefix": translate("Recipe", "</w> is a symbol of its own in place of the space before a word."),
        },
        "tie_break": {
            "greatest": translate("Recipe", "The greatest pair, comparing left and then right as bytes."),
            "first-seen": translate("Recipe", "The pair whose first remaining place in the corpus is earliest."),
            "smallest-id": translate("Recipe", "The pair with the smallest id on the left, then on the right."),
        },
        "pair_counting": {
            "occurrences": translate("Recipe", "Each place counts: in “aaa” the pair “a”+“a” occurs twice."),
            "once-per-word": translate("Recipe", "A word that holds the pair counts once, however often it does."),
        },
        "vocabulary": {
            "grow": translate("Recipe", "Every merge adds one token, and none is ever dropped."),
            "prune": translate("Recipe", "After a merge, a part that no longer stands alone leaves the vocabulary."),
        },
        "alphabet": {
            "sorted": translate("Recipe", "Bytes or characters by their value."),
            "gpt2-printable": translate("Recipe", "Bytes in GPT-2's order: the printable ones first. Only for bytes."),
            "latin-1": translate(
                "Recipe", "The characters 0 to 255 first, whether they occur or not. Only for characters."
            ),
        },
        "special_ids": {
            "after-alphabet": translate("Recipe", "Between the alphabet and the first merge."),
            "first": translate("Recipe", "Before everything else, from id 0 on."),
            "last": translate("Recipe", "After the last merge."),
        },
        "id_order": {
            "merge-order": translate("Recipe", "The alphabet first, then each token as it is made."),
            "sorted": translate("Recipe", "Given once, after training, in the order of the written tokens."),
        },
        "token_spelling": {
            "raw": translate("Recipe", "Every byte or character as itself."),
            "gpt2-printable": translate("Recipe", "Every byte as a visible character; a space is Ġ."),
        },
    }[field]


def tie_rule_clause(recipe: Recipe) -> str:
    """Return which of several pairs with the same count is merged, as a clause without a full stop."""
    return {
        "greatest": translate("Recipe", "ties go to the greatest pair"),
        "first-seen": translate("Recipe", "ties go to the pair seen first in the corpus"),
        "smallest-id": translate("Recipe", "ties go to the pair with the smallest ids"),
    }[recipe.tie_break]


def recipe_summary(recipe: Recipe) -> str:
    """Return a recipe in one line: its main switches, and those with an unusual choice."""
    clauses = (
        _units_clause(recipe),
        _splitter_clause(recipe),
        _boundary_clause(recipe),
        tie_rule_clause(recipe),
        _counting_clause(recipe),
        _stop_clause(recipe),
        _vocabulary_clause(recipe),
        _ids_clause(recipe),
    )
    return " · ".join(filter(None, clauses))


def encoding_summary(recipe: Recipe) -> str:
    """Return in one line what is done to text before anything is merged."""
    return " · ".join(filter(None, (_units_clause(recipe), splitter_clause(recipe.splitter), _boundary_clause(recipe))))


def splitter_clause(splitter: str) -> str:
    """Return how a splitter, which need not be the user's own, makes words."""
    if splitter not in SPLITTERS:
        return translate("Recipe", "words by a regular expression")
    return _named_splitter_clause(splitter)


def _units_clause(recipe: Recipe) -> str:
    if recipe.units == "bytes":
        return translate("Recipe", "bytes")
    return translate("Recipe", "characters")


def _splitter_clause(recipe: Recipe) -> str:
    if recipe.splitter not in SPLITTERS:
        return translate("Recipe", "words by a regular expression of your own")
    return _named_splitter_clause(recipe.splitter)


def _named_splitter_clause(splitter: str) -> str:
    known = {
        "whitespace": translate("Recipe", "words between white space"),
        "space": translate("Recipe", "words between spaces"),
        "zh-en": translate("Recipe", "Chinese and English words"),
        "none": translate("Recipe", "no splitting"),
    }
    return known.get(splitter) or translate("Recipe", "{splitter} words").format(splitter=splitter)


def _boundary_clause(recipe: Recipe) -> str:
    return {
        "none": "",
        "suffix": translate("Recipe", "</w> after a word"),
        "suffix-attached": translate("Recipe", "</w> on the last character of a word"),
        "prefix": translate("Recipe", "</w> before a word"),
    }[recipe.boundary]


def _counting_clause(recipe: Recipe) -> str:
    return translate("Recipe", "pairs count once per word") if recipe.pair_counting == "once-per-word" else ""


def _stop_clause(recipe: Recipe) -> str:
    if recipe.min_count == 1:
        return ""
    return translate("Recipe", "stops below {count} occurrences").format(count=number(recipe.min_count))


def _vocabulary_clause(recipe: Recipe) -> str:
    return translate("Recipe", "unused parts are dropped") if recipe.vocabulary == "prune" else ""


def _ids_clause(recipe: Recipe) -> str:
    return translate("Recipe", "ids sorted after training") if recipe.id_order == "sorted" else ""
