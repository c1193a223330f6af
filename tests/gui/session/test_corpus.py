"""The corpus of a session announces what changed, and the inputs of a run last."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication

from bpe_gui.engine import PRESETS, Plan, TextDocument
from bpe_gui.gui.session.corpus import CorpusDocument, SessionCorpus

DOCUMENTS, RECIPE, INPUTS = "documents", "recipe", "inputs"
Change = Callable[[SessionCorpus], None]


def document(title: str) -> CorpusDocument:
    return CorpusDocument(title, TextDocument(f"text of {title}"))


@pytest.fixture
def corpus(qapp: QApplication) -> SessionCorpus:
    corpus = SessionCorpus()
    corpus.add_documents([document("one"), document("two")])
    return corpus


def signals_of(corpus: SessionCorpus, change: Change) -> list[str]:
    """Return the signals that a change emits, in order."""
    emitted: list[str] = []
    corpus.documents_changed.connect(lambda: emitted.append(DOCUMENTS))
    corpus.recipe_changed.connect(lambda: emitted.append(RECIPE))
    corpus.inputs_changed.connect(lambda: emitted.append(INPUTS))
    change(corpus)
    return emitted


@pytest.mark.parametrize(
    ("change", "signals"),
    [
        (lambda corpus: corpus.add_documents([document("three")]), [DOCUMENTS, INPUTS]),
        (lambda corpus: corpus.set_documents([]), [DOCUMENTS, INPUTS]),
        (lambda corpus: corpus.remove_document(0), [DOCUMENTS, INPUTS]),
        (lambda corpus: corpus.edit_document(0, "edited"), [INPUTS]),
        (lambda corpus: corpus.set_recipe(PRESETS["minbpe"]), [RECIPE, INPUTS]),
        (lambda corpus: corpus.set_recipe(corpus.recipe), []),
        (lambda corpus: corpus.set_training(corpus.recipe, Plan(banned=[(b"o", b"n")])), [RECIPE, INPUTS]),
        (lambda corpus: corpus.set_special_tokens(["<end>"]), [RECIPE, INPUTS]),
        (lambda corpus: corpus.set_special_tokens(()), []),
        (lambda corpus: corpus.set_vocab_size(300), [RECIPE]),
        (lambda corpus: corpus.set_vocab_size(corpus.vocab_size), []),
        (lambda corpus: corpus.load([], PRESETS["minbpe"], [], 300), [DOCUMENTS, RECIPE, INPUTS]),
    ],
)
def test_each_change_emits_its_signals_in_order(corpus: SessionCorpus, change: Change, signals: list[str]) -> None:
    before = corpus.inputs
    assert corpus.inputs is before, "they are made once, since there may be many documents"
    assert signals_of(corpus, change) == signals
    assert (corpus.inputs != before) == (INPUTS in signals)


def test_documents_are_added_removed_and_edited(corpus: SessionCorpus) -> None:
    corpus.add_documents([document("three")])
    corpus.remove_document(0)
    corpus.edit_document(0, "edited")
    assert [each.title for each in corpus.documents] == ["two", "three"]
    assert corpus.documents[0].content == TextDocument("edited")
    corpus.add_documents([document("four")], instead=True)
    assert [each.title for each in corpus.documents] == ["four"]


def test_replacing_a_sample_resets_its_recipe_and_size_unless_the_user_changed_them(corpus: SessionCorpus) -> None:
    corpus.load([document("sample")], PRESETS["minbpe"], [], 300)
    corpus.remember_sample_settings()
    assert signals_of(corpus, lambda corpus: corpus.add_documents([document("own")], instead=True)) == [
        RECIPE,
        DOCUMENTS,
        INPUTS,
    ]
    assert (corpus.recipe, corpus.vocab_size) == (PRESETS["cs336"], 1_000)
    corpus.load([document("sample")], PRESETS["minbpe"], [], 300)
    corpus.remember_sample_settings()
    corpus.set_vocab_size(301)
    corpus.add_documents([document("own")], instead=True)
    assert (corpus.recipe, corpus.vocab_size) == (PRESETS["minbpe"], 301)


def test_the_special_tokens_of_a_sample_go_with_it_unless_the_new_text_has_them(corpus: SessionCorpus) -> None:
    corpus.load([document("sample")], PRESETS["minbpe"], ["<a>", "<b>"], 300)
    corpus.remember_sample_settings()
    corpus.set_special_tokens(["<a>", "<b>", "<mine>"])
    corpus.add_documents([CorpusDocument("own", TextDocument("one<b>two"))], instead=True)
    assert list(corpus.special_tokens) == ["<b>", "<mine>"]
    corpus.set_special_tokens(["<a>"])
    corpus.add_documents([document("other")], instead=True)
    assert list(corpus.special_tokens) == ["<a>"]


def test_a_large_corpus_in_place_of_a_sample_is_trained_to_a_larger_vocabulary(corpus: SessionCorpus) -> None:
    corpus.load([document("sample")], PRESETS["minbpe"], [], 300)
    corpus.remember_sample_settings()
    corpus.add_documents([CorpusDocument("large", TextDocument("a" * 100_000))], instead=True)
    assert corpus.vocab_size == 10_000
