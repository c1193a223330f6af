"""Why a text is not a token wherever it stands: by itself, or else where the corpus has it most often."""

from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.training.places import letter_places
from bpe_gui.engine.training.trainer import Trainer

from .results import Apart, Explanation, NeededMerge, OneToken, Reason, Taken
from .why_not import why_not_one_token


def why_not_a_token(source: Trainer | Tokenizer, text: str, *, vocab_size: int | None = None) -> Explanation:
    """Return why a text is not a token, as `why_not_one_token` does for a text without anything around.

    Letters whose parts never meet by themselves were taken by a merge with what is around them. So if the corpus has
    the letters, the answer is then that for its most frequent word with them.

    Raise TokenizerError as `why_not_one_token` does.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low lower newest newest").count("cs336-toy"), "cs336-toy")
    >>> trainer.seek(1)
    1
    >>> found = why_not_a_token(trainer, "es")
    >>> found.word.text, found.reason.left, found.reason.right
    ('newest', b'w', b'e')
    """
    alone = why_not_one_token(source, text, vocab_size=vocab_size)
    if not isinstance(alone.reason, Apart):
        return alone
    token = text.encode()
    store = source.tokenizer().store if isinstance(source, Trainer) else source.store
    step = store.first_step(token)
    if step is not None and 0 <= step <= source.position:  # without the marker that ends a word
        return Explanation(alone.start, alone.stop, alone.word, alone.corpus, OneToken(token, store.ids[token], step))
    elsewhere = where_taken(source, alone, token, vocab_size=vocab_size) if isinstance(source, Trainer) else None
    return elsewhere or alone


def where_taken(
    trainer: Trainer, explanation: Explanation, letters: bytes, *, vocab_size: int | None = None
) -> Explanation | None:
    """Return the answer for letters in the most frequent word of the corpus with them, if a merge takes them there.

    Return None for an answer that names another reason than that their parts do not meet.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low lower newest newest").count("cs336-toy"), "cs336-toy")
    >>> trainer.seek(1)
    1
    >>> where_taken(trainer, why_not_one_token(trainer, "yes", 1, 3), b"es").word.text
    'newest'
    """
    if not isinstance(explanation.reason, Apart) or not _lacks_a_meeting(explanation.reason):
        return None
    within = _in_commonest_word(trainer, letters, vocab_size)
    return within if within is not None and taken_in(within.reason) else None


def taken_in(reason: Reason) -> Taken | None:
    """Return the merge that took, or will take, an end of a stretch; None if that is not the reason.

    >>> taken_in(Taken(2, b"e", b"st", "end", (b"w", b"e"))).step
    2
    """
    return reason if isinstance(reason, Taken) else reason.taken if isinstance(reason, Apart) else None


def _lacks_a_meeting(reason: Apart) -> bool:
    """Return whether the first obstacle is a merge that the run lacks, of a pair that is not known to meet now."""
    obstacle = reason.obstacle
    is_met = reason.pair is not None and reason.pair.occurrences > 0
    return isinstance(obstacle, NeededMerge) and not (obstacle is reason.needed[0] and is_met)


def _in_commonest_word(trainer: Trainer, letters: bytes, vocab_size: int | None) -> Explanation | None:
    """Return the answer for letters in the most frequent word of the corpus that has them; None if no word has."""
    counts = trainer.word_counts
    words = letter_places(trainer, letters).words
    if not len(words):
        return None
    number = int(words[counts.frequencies[words].argmax()])
    word = counts.text[counts.starts[number] : counts.starts[number + 1]].tobytes()
    start = word.index(letters)
    return why_not_one_token(trainer, word, start, start + len(letters), vocab_size=vocab_size)
