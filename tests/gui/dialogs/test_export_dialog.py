"""The dialog that exports: what may be chosen, what is written and how it is proven."""

import os
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QListWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import (
    FORMATS,
    Document,
    FileDocument,
    FormatError,
    ReadTokenizer,
    Recipe,
    TextDocument,
    Tokenizer,
    TokenizerSource,
    load,
    save,
    train,
)
from bpe_gui.engine.proof import HARD_STRINGS, Difference, Proof, Reader, proof_strings
from bpe_gui.gui.dialogs.export_dialog import ExportDialog, FormatList
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.look.qt_constants import ACCESSIBLE_TEXT_ROLE
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.tokenizer_exporter import ProofTexts, TokenizerExporter
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.file_texts import format_texts
from bpe_gui.gui.wording.phrases import size_text
from bpe_gui.gui.wording.sentences import said
from tests.gui.support.widgets import button, child, label
from tests.gui.support.windows import open_window

FILES = ("vocab.json", "merges.txt", "training.json")
CORPUS = "low low low lower lower widest newest"


def difference_text(difference: Difference) -> str:
    """Return a difference as the dialog shows it."""
    return "\n".join(map(said, difference.statements))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings()
    (tmp_path / "recent").mkdir()
    settings.recent_folder = tmp_path / "recent"
    return settings


@pytest.fixture
def exporter() -> TokenizerExporter:
    return TokenizerExporter()


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train(CORPUS, recipe="tiktoken", num_merges=6)


@pytest.fixture
def dialog(tokenizer: Tokenizer, exporter: TokenizerExporter, settings: Settings, qtbot: QtBot) -> ExportDialog:
    return opened(tokenizer, exporter, settings, qtbot)


def opened(
    tokenizer: Tokenizer, exporter: TokenizerExporter, settings: Settings, qtbot: QtBot, *documents: Document
) -> ExportDialog:
    """Return the dialog after it has checked which formats can hold the tokenizer."""
    found = []
    exporter.checked.connect(lambda name, _obstacle: found.append(name))
    dialog = ExportDialog(tokenizer, ProofTexts(b"lowest", documents), exporter, settings, None, name="Main run")
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: sorted(found) == sorted(formats(dialog).names()))
    return dialog


def formats(dialog: ExportDialog) -> FormatList:
    return child(dialog, FormatList, "exportFormats")


def target_field(dialog: ExportDialog) -> QLineEdit:
    return child(dialog, QLineEdit, "exportFolderEdit")


def export(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Press Export and wait for the end of the proof."""
    button(dialog, "exportButton").click()
    qtbot.waitUntil(lambda: button(dialog, "exportButton").isEnabled())


def proof_lines(dialog: ExportDialog) -> list[str]:
    return label(dialog, "exportProof").text().splitlines()


# -- the choices -------------------------------------------------------------------------------------------------


def test_the_dialog_announces_the_files(dialog: ExportDialog, tmp_path: Path) -> None:
    assert target_field(dialog).text() == str(tmp_path / "recent" / "tokenizer")
    assert label(dialog, "exportStep").text() == "Main run: 262 entries, 6 merges"
    assert formats(dialog).chosen() == "gpt2"
    assert label(dialog, "exportFiles").text() == ", ".join(FILES)
    for name in ("exportReplaced", "exportReason", "exportResult", "exportProof", "exportDifference"):
        assert label(dialog, name).isHidden(), name
    assert not button(dialog, "exportOpenButton").isEnabled()
    assert not dialog.findChildren(QObject, "exportMapButton"), "a run that continues no tokenizer has no map"


def test_the_list_shows_every_format_without_scrolling(dialog: ExportDialog) -> None:
    rows = formats(dialog)
    assert rows.visualItemRect(rows.item(rows.count() - 1)).bottom() <= rows.viewport().height()


def test_every_format_that_can_be_written_is_offered_and_explained(dialog: ExportDialog) -> None:
    written = {name for name, known in FORMATS.items() if known.contents}
    assert set(formats(dialog).names()) == written
    assert set(format_texts()) == written


def test_a_format_that_is_a_file_asks_for_a_file(dialog: ExportDialog, tmp_path: Path) -> None:
    target, recent = target_field(dialog), tmp_path / "recent"
    assert target.accessibleName() == "Output folder"
    formats(dialog).choose("tiktoken")
    assert target.text() == str(recent / "tokenizer.tiktoken")
    assert target.accessibleName() == "Output file"
    assert label(dialog, "exportFiles").text() == "tokenizer.tiktoken"
    target.setText(str(recent / "my.tiktoken"))
    formats(dialog).choose("minbpe")
    assert target.text() == str(recent / "my.model")
    target.setText(str(recent / "v1.2"))
    assert label(dialog, "exportFiles").text() == "v1.2.model, v1.2.vocab"
    formats(dialog).choose("gpt2")
    assert target.text() == str(recent / "v1.2")


def test_a_file_gets_the_suffix_of_its_format(
    dialog: ExportDialog, tokenizer: Tokenizer, tmp_path: Path, qtbot: QtBot
) -> None:
    formats(dialog).choose("huggingface")
    target_field(dialog).setText(str(tmp_path / "mine.txt"))
    assert label(dialog, "exportFiles").text() == "mine.txt.json"
    assert label(dialog, "exportFiles").isVisible()
    export(dialog, qtbot)
    assert load(tmp_path / "mine.txt.json").encode("lowest") == tokenizer.encode("lowest")
    assert not (tmp_path / "mine.txt").exists()
    target_field(dialog).setText(str(tmp_path / "mine.tiktoken"))
    assert label(dialog, "exportFiles").text() == "mine.json"
    target_field(dialog).setText(str(tmp_path / "mine.JSON"))
    assert label(dialog, "exportFiles").text() == "mine.JSON"
    target_field(dialog).setText(str(tmp_path / "recent"))  # a folder
    assert label(dialog, "exportFiles").text() == "tokenizer.json"
    for separator in {"/", os.sep}:
        target_field(dialog).setText(f"{tmp_path / 'new'}{separator}")
        assert label(dialog, "exportFiles").text() == "tokenizer.json"
    target_field(dialog).setText(str(tmp_path / "mine.json"))
    assert label(dialog, "exportFiles").text() == "mine.json"


def test_a_file_that_exists_with_the_added_suffix_is_not_replaced_without_a_warning(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.json").write_text("precious")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(tmp_path / "mine"), ""))
    formats(dialog).choose("huggingface")
    button(dialog, "exportBrowseButton").click()
    assert target_field(dialog).text() == str(tmp_path / "mine.json")
    assert label(dialog, "exportReplaced").isVisible()
    assert label(dialog, "exportReplaced").text().startswith("mine.json already exists")


def test_impossible_formats_are_grey_and_say_why(dialog: ExportDialog) -> None:
    shown = formats(dialog)
    shown.setFocus()
    while shown.chosen() != "subword-nmt":
        before = shown.currentRow()
        QTest.keyClick(shown, Qt.Key.Key_Down)
        assert shown.currentRow() == before + 1, "a key skipped a greyed format"
    reason = (
        "subword-nmt merges characters, but this tokenizer starts from bytes. Set units to characters and train again."
    )
    assert label(dialog, "exportReason").text() == reason
    assert label(dialog, "exportReason").isVisible()
    assert not button(dialog, "exportButton").isEnabled()
    accessible_text = shown.currentItem().data(Qt.ItemDataRole.AccessibleTextRole)
    assert accessible_text == f"subword-nmt codes: {reason}"
    shown.choose("csv")
    assert label(dialog, "exportReason").isHidden()
    assert button(dialog, "exportButton").isEnabled()


def test_a_grey_format_looks_grey(dialog: ExportDialog) -> None:
    shown = formats(dialog)
    shown.choose("csv")
    shown.clearFocus()
    darkest = {}
    for row, name in enumerate(shown.names()):
        if name in ("tiktoken", "subword-nmt"):
            rect = shown.visualItemRect(shown.item(row))
            title = shown.viewport().grab(rect.adjusted(0, 0, 0, -rect.height() // 2)).toImage()
            darkest[name] = min(
                title.pixelColor(x, y).lightness() for x in range(title.width()) for y in range(title.height())
            )
    assert darkest["subword-nmt"] > darkest["tiktoken"] + 40


# -- writing -----------------------------------------------------------------------------------------------------


def test_the_files_written_are_listed_with_their_sizes(
    dialog: ExportDialog, tokenizer: Tokenizer, settings: Settings, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = tmp_path / "new" / "folder"
    target_field(dialog).setText(str(folder))
    export(dialog, qtbot)
    lines = label(dialog, "exportResult").text().splitlines()
    assert lines[1:] == [f"{name} ({size_text((folder / name).stat().st_size)})" for name in FILES]
    assert load(folder).merges == tokenizer.merges
    assert settings.output_folder == folder.parent != settings.recent_folder
    assert button(dialog, "exportOpenButton").isEnabled()
    assert dialog.isVisible()
    button(dialog, "exportCloseButton").click()
    assert not dialog.isVisible()


def test_formats_can_be_exported_in_turn(
    dialog: ExportDialog, tokenizer: Tokenizer, tmp_path: Path, qtbot: QtBot
) -> None:
    for name, file, caution in (
        ("tiktoken", "tokenizer.tiktoken", "contains only ranks"),
        ("minbpe", "tokenizer.model", "minbpe still splits"),
        ("csv", "merges.csv", ""),
    ):
        formats(dialog).choose(name)
        assert label(dialog, "exportReason").isVisible() is bool(caution)
        assert caution in label(dialog, "exportReason").text()
        assert label(dialog, "exportResult").isHidden()
        assert label(dialog, "exportProof").isHidden()
        export(dialog, qtbot)
        assert file in label(dialog, "exportResult").text()
    assert label(dialog, "exportProof").isHidden(), "no reader gives ids for tables"
    assert load(tmp_path / "recent" / "tokenizer.model").merges == tokenizer.merges
    assert load(tmp_path / "recent" / "tokenizer.tiktoken", pattern="gpt2").merges == tokenizer.merges


def test_files_that_will_be_replaced_are_named(dialog: ExportDialog, tmp_path: Path) -> None:
    for name in FILES[:2]:
        (tmp_path / name).write_text("precious")
        target_field(dialog).setText(str(tmp_path / "recent"))
        target_field(dialog).setText(str(tmp_path))
    assert label(dialog, "exportReplaced").isVisible()
    assert label(dialog, "exportReplaced").text().startswith("vocab.json, merges.txt already exist")
    (tmp_path / "merges.txt").unlink()
    target_field(dialog).setText(f"{tmp_path}/")
    assert label(dialog, "exportReplaced").text().startswith("vocab.json already exists")


def test_a_failed_export_is_explained_and_loses_nothing(
    dialog: ExportDialog, settings: Settings, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "file").write_text("precious")
    target_field(dialog).setText(str(tmp_path / "file" / "folder"))
    export(dialog, qtbot)
    result = label(dialog, "exportResult")
    assert result.isVisible()
    assert result.property("role") == "warning"
    assert "cannot be written" in result.text()
    assert (tmp_path / "file").read_text() == "precious"
    assert settings.recent_folder == tmp_path / "recent"
    target_field(dialog).setText(str(tmp_path / "better"))
    assert result.isHidden()
    export(dialog, qtbot)
    assert result.property("role") == ""
    assert (tmp_path / "better" / "vocab.json").exists()


def test_a_failed_export_hides_earlier_results(
    dialog: ExportDialog, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    def fill_the_disk(tokenizer: Tokenizer, path: Path, format: str) -> list[Path]:
        raise FormatError("{path} cannot be written: no space left on device.", path=path)

    formats(dialog).choose("tiktoken")
    export(dialog, qtbot)
    assert proof_lines(dialog) and button(dialog, "exportOpenButton").isEnabled()
    monkeypatch.setattr("bpe_gui.gui.session.tokenizer_exporter.save", fill_the_disk)
    export(dialog, qtbot)
    assert "no space left" in label(dialog, "exportResult").text()
    assert label(dialog, "exportProof").isHidden()
    assert button(dialog, "exportCodeButton").isHidden()
    assert not button(dialog, "exportOpenButton").isEnabled()


@pytest.mark.parametrize(("recipe", "format"), [("zh-en", "huggingface"), ("char-eow", "gpt2")])
def test_the_suggested_format_comes_without_a_caution_if_one_can(
    exporter: TokenizerExporter, settings: Settings, qtbot: QtBot, recipe: str, format: str
) -> None:
    """The tokenizer.json file cannot hold the merges of `char-eow`."""
    dialog = opened(train("a b a b low", num_merges=2, recipe=recipe), exporter, settings, qtbot)
    assert formats(dialog).chosen() == format
    assert ("other ids" in label(dialog, "exportReason").text()) == (format == "gpt2")


def test_a_token_that_the_format_cannot_hold_is_explained(
    exporter: TokenizerExporter, settings: Settings, qtbot: QtBot
) -> None:
    recipe = Recipe(units="characters", splitter="none", token_spelling="raw")
    dialog = opened(train("a b a b a b", num_merges=1, recipe=recipe), exporter, settings, qtbot)
    assert not label(dialog, "exportReason").text()  # another format was suggested
    formats(dialog).choose("gpt2")
    assert "merges.txt cannot represent the token" in label(dialog, "exportReason").text()
    assert not button(dialog, "exportButton").isEnabled()


def test_an_export_before_the_check_gives_the_same_reason(
    exporter: TokenizerExporter, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    tokenizer = train("low low", num_merges=1)
    dialog = ExportDialog(tokenizer, ProofTexts(), exporter, settings, name="Main run")
    qtbot.addWidget(dialog)
    dialog.show()
    formats(dialog).choose("subword-nmt")
    button(dialog, "exportButton").click()
    qtbot.waitUntil(lambda: bool(formats(dialog).reason()))
    assert "this tokenizer starts from bytes" in label(dialog, "exportReason").text()
    assert list((tmp_path / "recent").iterdir()) == []


@pytest.mark.parametrize("folder", ["~nobody-of-that-name/x", "~a\0b/x"])
def test_an_unknown_home_folder_is_explained(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    target_field(dialog).setText(folder)
    button(dialog, "exportButton").click()
    assert f"{folder.split('/')[0]} is not a home folder" in label(dialog, "exportResult").text()
    assert sorted(tmp_path.iterdir()) == before


def test_a_target_is_required(dialog: ExportDialog) -> None:
    target_field(dialog).setText("  ")
    assert not button(dialog, "exportButton").isEnabled()


def test_a_folder_can_be_browsed_for(dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([str(tmp_path), ""])
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_arguments: next(answers))
    button(dialog, "exportBrowseButton").click()
    button(dialog, "exportBrowseButton").click()
    assert target_field(dialog).text() == str(tmp_path)


def test_a_file_can_be_browsed_for(dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(tmp_path / "my.tiktoken"), ""))
    formats(dialog).choose("tiktoken")
    button(dialog, "exportBrowseButton").click()
    assert target_field(dialog).text() == str(tmp_path / "my.tiktoken")


def test_the_folder_opens(dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    urls: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", urls.append)
    export(dialog, qtbot)
    button(dialog, "exportOpenButton").click()
    formats(dialog).choose("tiktoken")
    export(dialog, qtbot)
    button(dialog, "exportOpenButton").click()
    assert urls == [QUrl.fromLocalFile(str(tmp_path / "recent" / name)) for name in ("tokenizer", "")]


def test_an_unused_name_is_suggested(
    tokenizer: Tokenizer, exporter: TokenizerExporter, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "recent" / "tokenizer").mkdir()
    (tmp_path / "recent" / "tokenizer-2.tiktoken").touch()
    dialog = opened(tokenizer, exporter, settings, qtbot)
    assert target_field(dialog).text() == str(tmp_path / "recent" / "tokenizer-3")


def test_a_pruned_tokenizer_keeps_the_name_and_the_format_of_its_file(
    tokenizer: Tokenizer, exporter: TokenizerExporter, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    file = OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(tmp_path / "mine.tiktoken"), "tiktoken"))
    dialog = ExportDialog(tokenizer, ProofTexts(), exporter, settings, name="mine", change="pruned", changed_from=file)
    qtbot.addWidget(dialog)
    assert formats(dialog).chosen() == "tiktoken"
    assert dialog.target == tmp_path / "recent" / "mine-pruned.tiktoken"
    assert "The ids are new" in label(dialog, "exportStep").text()


def test_the_python_code_reads_the_ranks(
    dialog: ExportDialog, tokenizer: Tokenizer, tmp_path: Path, qtbot: QtBot
) -> None:
    export(dialog, qtbot)
    code = button(dialog, "exportCodeButton")
    assert code.isHidden(), "the other formats need no code"
    formats(dialog).choose("tiktoken")
    export(dialog, qtbot)
    code.click()
    text = QGuiApplication.clipboard().text()
    compile(text, "code", "exec")
    assert repr(str(tmp_path / "recent" / "tokenizer.tiktoken")) in text
    tiktoken = pytest.importorskip("tiktoken")
    pytest.importorskip("tiktoken.load")
    names: dict[str, object] = {}
    exec(text, names)
    encoding = names["encoding"]
    assert isinstance(encoding, tiktoken.Encoding)
    assert encoding.encode(CORPUS) == tokenizer.encode(CORPUS)


# -- the proof ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "package"), [("gpt2", "tokenizers"), ("tiktoken", "tiktoken"), ("minbpe", None)])
def test_every_reader_gives_the_same_ids(
    name: str, package: str | None, tokenizer: Tokenizer, exporter: TokenizerExporter, settings: Settings, qtbot: QtBot
) -> None:
    dialog = opened(tokenizer, exporter, settings, qtbot, TextDocument("widest\nnew\n"), TextDocument("a line"))
    formats(dialog).choose(name)
    export(dialog, qtbot)
    ourselves, *theirs = proof_lines(dialog)
    count = len(proof_strings(["lowest", "widest\nnew\na line"], []))
    assert count == len(HARD_STRINGS) + 5
    same = f" gives the same ids for {count} test strings."
    assert ourselves == "Proven: bpe-gui itself" + same
    assert [line.split()[1] for line in theirs] == [package] * bool(package)
    assert all(line.endswith(same) for line in theirs)
    assert label(dialog, "exportProof").property("role") == "proven"
    button(dialog, "exportTextsButton").click()
    texts = child(dialog, QListWidget, "proofTexts")
    assert texts.count() == count
    shown = [texts.item(row).text() for row in range(count)]
    assert shown[-5:] == ["lowest", "widest↵", "new↵", "a·line", "widest↵new↵a·line"]
    assert label(dialog, "exportDifference").isHidden()


def test_a_difference_is_shown(
    dialog: ExportDialog, tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    def save_and_damage(tokenizer: Tokenizer, path: Path, format: str) -> list[Path]:
        paths = save(tokenizer, path, format)
        lines = [line.split() for line in paths[0].read_text().splitlines()]
        lines[256][1], lines[257][1] = lines[257][1], lines[256][1]
        paths[0].write_text("".join(f"{token} {rank}\n" for token, rank in lines))
        return paths

    monkeypatch.setattr("bpe_gui.gui.session.tokenizer_exporter.save", save_and_damage)
    formats(dialog).choose("tiktoken")
    export(dialog, qtbot)
    assert proof_lines(dialog)[0] == "bpe-gui itself gives different ids."
    assert proof_lines(dialog)[1].startswith("tiktoken ")
    assert proof_lines(dialog)[1].endswith(" gives different ids.")
    shown = label(dialog, "exportDifference")
    assert shown.isVisible()
    assert shown.property("role") == "warning"
    assert shown.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
    text, ours, theirs = shown.text().splitlines()
    assert text == f"Text: {tokenizer.token(256).decode()}"
    assert (ours, theirs) == ("Expected: 256", "Got: 257")


def test_a_long_difference_is_shortened() -> None:
    text, ours, theirs = difference_text(
        Difference("x" * 500, (*range(50), 7, *range(90)), (*range(50), 8))
    ).splitlines()
    assert text == f"Text: {'x' * 120}…"
    assert ours == "Expected: … 47 48 49 7 0 1 2 3 4 5 6 7 8 9 10 11 …"
    assert theirs == "Got: … 47 48 49 8"
    assert difference_text(Difference(" a", (), ("a@@",))).splitlines()[1:] == [
        "Expected: nothing",
        "Got: a@@",
    ]


def test_a_tokenizer_without_merges_is_warned_about(
    exporter: TokenizerExporter, settings: Settings, qtbot: QtBot
) -> None:
    dialog = opened(train(CORPUS, recipe="tiktoken", num_merges=0), exporter, settings, qtbot)
    warning = "Without merges, every token is a single symbol. Train or step forward before you export."
    assert label(dialog, "exportStep").text() == f"Main run: 256 entries, 0 merges\n{warning}"
    assert label(dialog, "exportStep").property("role") == "warning"


def test_a_reader_that_misreads_the_file_is_named(
    exporter: TokenizerExporter, settings: Settings, qtbot: QtBot
) -> None:
    dialog = opened(train(CORPUS, recipe="char-eow", num_merges=3), exporter, settings, qtbot)
    export(dialog, qtbot)
    ourselves, package = proof_lines(dialog)
    assert "Strings not compared, because the vocabulary lacks symbols in them: " in ourselves
    assert package.startswith("tokenizers ")
    assert label(dialog, "exportProof").property("role") == "warning"
    assert "The package reports an error: " in package


def test_a_missing_corpus_file_does_not_stop_the_proof(
    tokenizer: Tokenizer, exporter: TokenizerExporter, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = opened(tokenizer, exporter, settings, qtbot, FileDocument(tmp_path / "gone.txt"))
    export(dialog, qtbot)
    assert proof_lines(dialog)[0].endswith(f" gives the same ids for {len(HARD_STRINGS) + 1} test strings.")


def test_another_choice_cancels_the_proof(
    dialog: ExportDialog, exporter: TokenizerExporter, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Event()

    def delayed(*_arguments: object) -> None:
        gate.wait(60)

    monkeypatch.setattr(Reader, "prove", delayed)
    proved: list[Proof] = []
    exporter.proved.connect(proved.append)
    with qtbot.waitSignal(exporter.asked):
        button(dialog, "exportButton").click()
    assert not button(dialog, "exportButton").isEnabled()
    formats(dialog).choose("csv")
    assert button(dialog, "exportButton").isEnabled()
    gate.set()
    export(dialog, qtbot)
    assert proved == []
    assert label(dialog, "exportProof").isHidden()


def test_closing_cancels_everything_without_waiting(
    tokenizer: Tokenizer, exporter: TokenizerExporter, settings: Settings, qtbot: QtBot
) -> None:
    signals: list[object] = []
    for signal in (exporter.checked, exporter.written, exporter.proved, exporter.ended):
        signal.connect(lambda *_values: signals.append(None))
    dialog = ExportDialog(tokenizer, ProofTexts(), exporter, settings, name="Main run")
    qtbot.addWidget(dialog)
    dialog.show()
    button(dialog, "exportButton").click()
    dialog.reject()
    assert not dialog.isVisible()
    assert signals == []


# -- in the window ------------------------------------------------------------------------------------------------


def test_exporting_from_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(qtbot)
    window.session.corpus.set_recipe(Recipe.of("tiktoken"))
    window.session.text.set_content("the lowest text")
    window.session.corpus.add_documents([CorpusDocument("corpus", TextDocument(CORPUS + "\n" + CORPUS))], instead=True)
    qtbot.waitUntil(lambda: window.session.cursor.trainer is not None)
    window.session.train()
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE and window.session.cursor.position > 5)
    tokenizer = window.session.cursor.tokenizer
    assert tokenizer is not None
    window.actions_by_name["export"].trigger()
    dialog = child(window, ExportDialog, "exportDialog")
    formats(dialog).choose("tiktoken")
    target_field(dialog).setText(str(tmp_path / "my.tiktoken"))
    export(dialog, qtbot)
    count = len(proof_strings(["the lowest text", CORPUS + "\n" + CORPUS], tokenizer.special_tokens))
    same = f" gives the same ids for {count} test strings."
    assert [line.endswith(same) for line in proof_lines(dialog)] == [True, True]
    assert load(tmp_path / "my.tiktoken", pattern="gpt2").encode("lowest") == tokenizer.encode("lowest")
    button(dialog, "exportCloseButton").click()
    window.close()


LONG = "a reason that says at some length what was wrong, where it was wrong, and what would be right instead " * 2


def test_a_long_reason_is_shown_whole(qtbot: QtBot) -> None:
    formats = FormatList()
    qtbot.addWidget(formats)
    formats.add("minbpe", "minbpe model", "for minbpe")
    formats.add("gpt2", "GPT-2 files", "for older code")
    formats.resize(400, 300)
    formats.show()
    rows = [formats.item(row) for row in range(2)]
    line = formats.fontMetrics().lineSpacing()
    before, words = formats.visualItemRect(rows[0]).height(), formats.fontMetrics().horizontalAdvance(LONG)
    formats.mark_impossible("minbpe", LONG)
    qtbot.waitUntil(lambda: formats.visualItemRect(rows[0]).height() >= before + (words // 400) * (line - 1))
    assert formats.visualItemRect(rows[1]).top() == formats.visualItemRect(rows[0]).bottom() + 1
    assert rows[0].toolTip() == LONG
    assert LONG in rows[0].data(ACCESSIBLE_TEXT_ROLE)
    formats.choose("minbpe")
    assert formats.reason() == LONG
