"""Sentences on where “Run until” stopped, and why."""

from PySide6.QtCore import QCoreApplication, QLocale

from bpe_gui.engine import Merge, RunUntil, Trainer
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.engine.training import CountBelow, NthTie, SavesBelow, TokenAppears, WordIsOneToken

from .numbers import counted, number

translate = QCoreApplication.translate  # lupdate knows the function by this name


def stop_text(condition: RunUntil, trainer: Trainer, start: int) -> str:
    """Return why a run from step `start` stopped where the trainer is now."""
    if not condition.holds(trainer):
        return _end_text(condition, trainer)
    step = number(trainer.position)
    if isinstance(condition, TokenAppears | WordIsOneToken):
        return _token_text(condition, step, is_new=trainer.position > start)
    merge = trainer.merge_at(trainer.position)
    pair = _pair(merge)
    if isinstance(condition, CountBelow):
        times = counted(merge.count, translate("Until", "once"), translate("Until", "{count} times"))
        text = translate("Until", "At step {step}, the next pair, {pair}, occurs {times}.")
        return text.format(step=step, pair=pair, times=times)
    if isinstance(condition, SavesBelow):
        text = translate("Until", "At step {step}, the next merge, {pair}, would save {percent}% of the tokens.")
        return text.format(step=step, pair=pair, percent=_share(trainer))
    others = counted(
        merge.ties, translate("Until", "1 other pair occurs"), translate("Until", "{count} other pairs occur")
    )
    text = translate("Until", "At step {step}, {others} as often as {pair}.")
    return text.format(step=step, others=others, pair=pair)


def _token_text(condition: TokenAppears | WordIsOneToken, step: str, *, is_new: bool) -> str:
    if isinstance(condition, TokenAppears):
        text = translate("Until", "Step {step} made the token “{token}”.")
        known = translate("Until", "“{token}” is a token already.")
        return (text if is_new else known).format(step=step, token=token_in_sentence(condition.token))
    text = translate("Until", "Step {step} made “{word}” one token.")
    known = translate("Until", "“{word}” is one token already.")
    return (text if is_new else known).format(step=step, word=condition.word)


def _end_text(condition: RunUntil, trainer: Trainer) -> str:
    """Return that the condition did not hold, and what ended the run."""
    if isinstance(condition, TokenAppears):
        text = translate("Until", "“{token}” did not become a token").format(token=token_in_sentence(condition.token))
    elif isinstance(condition, WordIsOneToken):
        text = translate("Until", "“{word}” did not become one token").format(word=condition.word)
    elif isinstance(condition, CountBelow):
        text = translate("Until", "No merge had a count below {count}").format(count=number(condition.count))
    elif isinstance(condition, SavesBelow):
        text = translate("Until", "No merge saved less than {share} of the tokens").format(share=condition.value)
    else:
        text = translate("Until", "No further merge was decided by the tie rule")
        if isinstance(condition, NthTie) and condition.number > 1:
            text = translate("Until", "There were fewer ties")
    if trainer.peek() is None:
        end = translate("Until", "{text}: nothing is left to merge after {steps} steps.")
        return end.format(text=text, steps=number(trainer.position))
    end = translate("Until", "{text} up to {size} entries, the size to train to.")
    return end.format(text=text, size=number(trainer.vocab_size))


def _pair(merge: Merge) -> str:
    return f"{token_in_sentence(merge.left)} + {token_in_sentence(merge.right)}"


def _share(trainer: Trainer) -> str:
    """Return how many per cent of the tokens the next merge saves, which is known already."""
    position = trainer.position
    tokens = trainer.initial_token_count - int(trainer.tokens_saved[:position].sum())
    return QLocale().toString(100 * int(trainer.tokens_saved[position]) / tokens, "g", 2)
