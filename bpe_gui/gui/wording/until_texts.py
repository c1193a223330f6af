"""Say until when “Run until” trains, and where and why it stopped."""

from PySide6.QtCore import QCoreApplication, QLocale

from bpe_gui.engine import Merge, RunUntil
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.engine.training import CountBelow, RunStop, SavesBelow, TokenAppears, WordIsOneToken

from .joining import joined_sentences
from .numbers import counted, number

translate = QCoreApplication.translate  # lupdate knows the function by this name


def until_text(condition: RunUntil) -> str:
    """Return the condition that a run is trained to, as a phrase that can stand alone."""
    if isinstance(condition, TokenAppears):
        return translate("Until", "until “{token}” appears").format(token=token_in_sentence(condition.token))
    if isinstance(condition, WordIsOneToken):
        return translate("Until", "until “{word}” is one token").format(word=condition.word)
    if isinstance(condition, CountBelow):
        return translate("Until", "until a count is below {count}").format(count=number(condition.number))
    if isinstance(condition, SavesBelow):
        return translate("Until", "until a merge saves less than {share}").format(share=condition.value)
    return translate("Until", "until there are enough ties")


def stop_text(stop: RunStop) -> str:
    """Return where and why a run stopped, and what conditions on counts did not consider."""
    if isinstance(stop.condition, TokenAppears | WordIsOneToken) or not stop.given:
        return _reason(stop)
    singular = translate("Until", "1 earlier merge was given by the plan and was not counted.")
    plural = translate("Until", "{count} earlier merges were given by the plan and were not counted.")
    given = (singular if stop.given == 1 else plural).format(count=number(stop.given))
    return joined_sentences([_reason(stop), given])


def _reason(stop: RunStop) -> str:
    if not stop.holds:
        return _end_text(stop)
    if isinstance(stop.condition, TokenAppears | WordIsOneToken):
        return _made_text(stop.condition, stop)
    assert stop.next_merge is not None  # the merge at which the condition holds
    return _merge_text(stop.condition, stop, stop.next_merge)


def _made_text(condition: TokenAppears | WordIsOneToken, stop: RunStop) -> str:
    """Return that a step made a token, or that it already existed."""
    is_new, step = stop.position > stop.start, number(stop.position)
    if isinstance(condition, TokenAppears):
        new = translate("Until", "Step {step} made the token “{token}”.")
        old = translate("Until", "“{token}” is already a token.")
        return (new if is_new else old).format(step=step, token=token_in_sentence(condition.token))
    new = translate("Until", "Step {step} made “{word}” one token.")
    old = translate("Until", "“{word}” is already one token.")
    return (new if is_new else old).format(step=step, word=condition.word)


def _merge_text(condition: RunUntil, stop: RunStop, merge: Merge) -> str:
    """Return what holds for the next merge."""
    step, pair = number(stop.position), f"{token_in_sentence(merge.left)} + {token_in_sentence(merge.right)}"
    if isinstance(condition, CountBelow):
        times = counted(merge.count, translate("Until", "once"), translate("Until", "{count} times"))
        text = translate("Until", "At step {step}, the next pair, {pair}, occurs {times}.")
        return text.format(step=step, pair=pair, times=times)
    if isinstance(condition, SavesBelow):
        percent = QLocale().toString(stop.percent_saved or 0.0, "g", 2)
        text = translate("Until", "At step {step}, the next merge, {pair}, would save {percent}% of the tokens.")
        return text.format(step=step, pair=pair, percent=percent)
    singular = translate("Until", "At step {step}, 1 other pair occurs as often as {pair}.")
    plural = translate("Until", "At step {step}, {count} other pairs occur as often as {pair}.")
    return (singular if merge.ties == 1 else plural).format(step=step, count=number(merge.ties), pair=pair)


def _end_text(stop: RunStop) -> str:
    """Return that the condition was not met, and what ended the run."""
    if stop.next_merge is None:
        end = translate("Until", "{text}: nothing is left to merge after step {steps}.")
    else:
        end = translate("Until", "{text} within the target vocabulary size of {size} entries.")
    text = _failure(stop.condition)
    return end.format(text=text, steps=number(stop.position), size=number(stop.vocab_size))


def _failure(condition: RunUntil) -> str:
    """Return that the condition was not met, as the start of a sentence."""
    if isinstance(condition, TokenAppears):
        text = translate("Until", "“{token}” did not become a token")
        return text.format(token=token_in_sentence(condition.token))
    if isinstance(condition, WordIsOneToken):
        return translate("Until", "“{word}” did not become one token").format(word=condition.word)
    if isinstance(condition, CountBelow):
        return translate("Until", "No merge had a count below {count}").format(count=number(condition.number))
    if isinstance(condition, SavesBelow):
        return translate("Until", "No merge saved less than {share} of the tokens").format(share=condition.value)
    return translate("Until", "There were not enough ties")
