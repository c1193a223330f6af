"""The names of the compared tokenizers, and sentences about what cannot be compared, and why."""

from collections.abc import Iterator, Mapping, Sequence

from bpe_gui.gui.session.object_names import name_at, name_at_step, object_name, run_name
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.wording.comparison_texts import languages_text
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.phrases import counted, joined_sentences, number, translate
from bpe_gui.gui.wording.recipe_texts import preset_title, recipe_summary
from bpe_gui.gui.wording.sentences import error_message
from bpe_gui.samples import title_in

from .compared import Compared, ComparedTokenizers, CurrentStep, Origin, OtherRun, RunStep, TrainedRecipe
from .live_comparison import LiveComparison
from .vocabularies import PairResult


def letter(index: int) -> str:
    """Return the letter of a tokenizer, given its index in the list: A for the first one."""
    return chr(ord("A") + index) if index < 26 else str(index + 1)


def name_of(item: Compared) -> str:
    """Return a tokenizer's origin in a few words."""
    return origin_name(item.origin)


def origin_name(origin: Origin) -> str:
    """Return an origin in a few words."""
    if isinstance(origin, OtherRun):
        return name_at(origin.branch, origin.step)
    if isinstance(origin, RunStep):
        return _earlier_name(origin) if origin.is_past else name_at_step(run_name(origin.branch), origin.step)
    if isinstance(origin, OpenedTokenizer):
        return object_name(origin)
    if isinstance(origin, CurrentStep):
        return translate("Comparison", "Current: {name}").format(name=origin.name)
    now, past = translate("Comparison", "{name} recipe"), translate("Comparison", "{name} recipe, earlier corpus")
    return (past if origin.is_past else now).format(name=preset_title(origin.inputs.recipe.preset))


def _earlier_name(origin: RunStep) -> str:
    """Return the name of a run that was replaced: the corpus, as in the window's title, the recipe and the step."""
    titles, step = origin.inputs.titles if origin.inputs else (), number(origin.step)
    if origin.inputs is None or not titles:
        return translate("Comparison", "Earlier run, step {step}").format(step=step)
    corpus = title_in(language_in_force(), titles[0]) + (" …" if len(titles) > 1 else "")
    name = translate("Comparison", "{corpus} · {recipe} · step {step} (earlier)")
    return name.format(corpus=corpus, recipe=preset_title(origin.inputs.recipe.preset), step=step)


def details_of(item: Compared) -> str:
    """Return details: the path of a file, or the switches of a recipe; otherwise the name."""
    origin = item.origin
    if isinstance(origin, OpenedTokenizer):
        return str(origin.source.path)
    if isinstance(origin, TrainedRecipe):
        size = translate("Comparison", "vocabulary size {size}").format(size=number(origin.vocab_size))
        return f"{recipe_summary(origin.inputs.recipe)} · {size}"
    if isinstance(origin, RunStep) and origin.is_past and origin.inputs is not None:
        return "\n".join([name_of(item), *origin.inputs.titles, recipe_summary(origin.inputs.recipe)])
    return name_of(item)


def notes_on(tokenizers: ComparedTokenizers, live: LiveComparison, pair: PairResult | None) -> str:
    """Return what the user should know about the comparison, and what languages cost the pair; empty if nothing."""
    if tokenizers.current.tokenizer is None:
        return translate("Comparison", "There is no run yet. Type or open a corpus.")
    if live.size == 0:
        return translate("Comparison", "There is no text to compare yet. Type or paste some.")
    if len(tokenizers.items) == 1:
        return translate("Comparison", "Add a tokenizer to compare with: a step of the run, a file or a recipe.")
    letters = {item: letter(index) for index, item in enumerate(tokenizers.items)}
    notes = [*_notes(letters, tokenizers.shown)]
    has_special = any(item.tokenizer and item.tokenizer.special_tokens for item in tokenizers.items)
    if has_special and not live.takes_special:
        notes.append(translate("Comparison", "Special tokens are encoded as plain text, as chosen in Encode."))
    if pair is not None and pair.languages and all(item in letters for item in pair.items):
        notes.append(languages_text((letters[pair.items[0]], letters[pair.items[1]]), pair.languages))
    return joined_sentences(notes)


def _notes(letters: Mapping[Compared, str], shown: Sequence[Compared]) -> Iterator[str]:
    for item in shown:
        if item.error is not None:
            template = translate("Comparison", "{name} cannot encode this text: {reason}")
            yield template.format(name=letters[item], reason=error_message(item.error))
        elif not item.keeps_text:
            template = translate(
                "Comparison", "{name} changes this text before splitting it, so its boundaries are not compared."
            )
            yield template.format(name=letters[item])
        if isinstance(item.origin, OpenedTokenizer) and item.origin.is_guessed:
            template = translate(
                "Comparison", "{name} has no splitting pattern or special tokens; the GPT-2 pattern is used."
            )
            yield template.format(name=letters[item])
        if item.numbers is not None and item.numbers.unknown:
            one = translate("Comparison", "{name} has no id for 1 symbol of this text.")
            many = translate("Comparison", "{name} has no id for {count} symbols of this text.")
            unknown = item.numbers.unknown
            yield counted(unknown, one, many.replace("{name}", letters[item])).replace("{name}", letters[item])
