"""A project keeps how often its documents count, read from files or typed."""

from fractions import Fraction
from pathlib import Path

from bpe_gui.engine import FileDocument, Recipe, TextDocument
from bpe_gui.engine.projects import Project, save_project
from bpe_gui.gui.projects.project_contents import FileDigests, read_project
from bpe_gui.gui.session.corpus import CorpusDocument


def ignore(_done: int, _total: int) -> None:
    pass


def test_weights_are_saved_and_restored(tmp_path: Path) -> None:
    text, gone = tmp_path / "a.txt", tmp_path / "gone.txt"
    text.write_text("low lower", "utf-8")
    documents = (
        CorpusDocument("a.txt", TextDocument("low lower"), text, source_file=FileDocument(text), weight=Fraction(3)),
        CorpusDocument("gone.txt", FileDocument(gone), gone, weight=Fraction(1, 10)),
        CorpusDocument("typed", TextDocument("low"), weight=Fraction(1, 3)),
        CorpusDocument("once", TextDocument("low")),
    )
    saved = tuple(FileDigests().project_document(document, ignore) for document in documents)
    save_project(Project(saved, Recipe.of("cs336"), (), 300, ""), tmp_path / "a.bpe.json")
    loaded = read_project(tmp_path / "a.bpe.json", FileDigests(), ignore)
    assert [document.weight for document in loaded.documents] == [document.weight for document in documents]
    assert '"weight": "0.1"' in (tmp_path / "a.bpe.json").read_text("utf-8")
