"""`bpe-gui report` measures a tokenizer on texts, in words, as a page, as tables and as JSON."""

import json
from pathlib import Path

import pytest

from bpe_gui.cli.streams import ProgressLine
from bpe_gui.engine import Recipe, TextDocument, load, save, train
from bpe_gui.engine.projects import Project, ProjectDocument, save_project

from .conftest import CORPUS, Run


@pytest.fixture
def languages(tmp_path: Path) -> Path:
    """Return a folder with texts in folders of their own, one of which cannot be read."""
    for name, text in (("en/a.txt", b"low"), ("en/b.txt", b"lower"), ("zh/a.txt", "你好".encode()), ("x.bin", b"\0")):
        path = tmp_path / "languages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return tmp_path / "languages"


def test_what_a_person_reads(run: Run, byte_tokenizer: Path, corpus: Path) -> None:
    status, output, messages = run("report", byte_tokenizer, "--text", corpus, "--held-out", corpus)
    assert (status, messages) == (0, "")
    tokens = len(load(byte_tokenizer).encode(CORPUS))
    lines = output.decode().splitlines()
    assert lines[0] == f"{byte_tokenizer}: 262 entries, 5 merges"
    table = lines[2:5]
    head = "bytes tokens bytes/token tokens/word whole pieces single bytes Rényi eff."
    assert " ".join(table[0].split()) == head
    assert table[1].split()[1:4] == [str(len(CORPUS)), str(tokens), f"{len(CORPUS) / tokens:.3f}"]
    assert "Entries:" in lines
    assert "Size of the vocabulary, by held-out text:" in lines
    assert any("knee" in line for line in lines)


def test_a_folder_has_a_line_for_each_language(run: Run, byte_tokenizer: Path, languages: Path) -> None:
    status, output, messages = run("report", byte_tokenizer, "--text", languages)
    assert status == 0
    assert [line.split()[0] for line in output.decode().splitlines()[3:6]] == ["en", "zh", "all"]
    assert "Gini coefficient over these texts: " in output.decode()
    assert messages.startswith("Left out: ")
    assert "x.bin looks like a binary file" in messages


def test_several_tokenizers_are_one_table(run: Run, byte_tokenizer: Path, languages: Path, tmp_path: Path) -> None:
    save(train("low 你好", num_merges=5), tmp_path / "other")
    status, output, messages = run("report", byte_tokenizer, tmp_path / "other", "--text", languages)
    assert (status, messages.count("x.bin looks like a binary file")) == (0, 1)
    lines = output.decode().splitlines()
    assert [line[:3] for line in lines[:2]] == ["A  ", "B  "]
    assert lines[3].split() == ["bytes/token", "A", "bytes/token", "B", "tokens/word", "A", "tokens/word", "B"]
    tokenizers = load(byte_tokenizer), load(tmp_path / "other")
    sizes = [[len(each.encode("low")) + len(each.encode("lower")), len(each.encode("你好"))] for each in tokenizers]
    assert lines[4].split() == ["en", *(f"{8 / en:.3f}" for en, _zh in sizes), *(f"{en / 2:.3f}" for en, _zh in sizes)]
    assert lines[5].split() == ["zh", *(f"{6 / zh:.3f}" for _en, zh in sizes), *(f"{zh:.3f}" for _en, zh in sizes)]
    assert lines[6].startswith("all texts ")
    assert lines[7].startswith("Gini coefficient over these texts, for tokens per byte: A ")
    values = json.loads(run("report", byte_tokenizer, tmp_path / "other", "--text", languages, "--json").output)
    assert [[text["tokens"] for text in each["texts"]] for each in values] == sizes


@pytest.mark.parametrize("option", ["--html", "--csv", "--prune-to", "--held-out"])
def test_files_are_written_for_a_single_tokenizer(
    run: Run, byte_tokenizer: Path, corpus: Path, option: str, tmp_path: Path
) -> None:
    given = "report", byte_tokenizer, byte_tokenizer, "--text", corpus, option, tmp_path / "x"
    assert run(*given) == (2, b"", f"bpe-gui: {option} is for a single tokenizer.\n")


def test_a_folder_named_by_a_relative_path(
    run: Run, byte_tokenizer: Path, languages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(languages / "en")
    assert run("report", byte_tokenizer, "--text", "../zh").output.decode().splitlines()[3].startswith("a.txt")


def test_everything_is_written(run: Run, byte_tokenizer: Path, corpus: Path, tmp_path: Path) -> None:
    page, tables = tmp_path / "report.html", tmp_path / "tables"
    status, output, messages = run(
        "report", "--text", corpus, "-", "--html", page, "--csv", tables, "--json", byte_tokenizer, stdin=b"lowest"
    )
    assert status == 0
    values = json.loads(output)
    assert [text["name"] for text in values["texts"]] == [str(corpus), "-"]
    assert values["total"]["bytes"] == len(CORPUS) + 6
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in tables.iterdir()) == ["curve.csv", "entries.csv", "gains.csv", "texts.csv"]
    assert messages.startswith(f"Wrote {page}, ")


def test_what_texts_cost(run: Run, byte_tokenizer: Path, languages: Path) -> None:
    arguments = "report", byte_tokenizer, "--text", languages, "--reference", "en", "--price", "2.50", "--context", "10"
    lines = run(*arguments).output.decode().splitlines()
    table = lines.index(next(line for line in lines if line.endswith("of the context     price")))
    tokens = [len(load(byte_tokenizer).encode(text)) for text in ("low", "lower", "你好")]
    rows = [line.split() for line in lines[table + 1 : table + 3]]
    english, chinese = (tokens[0] + tokens[1]) / 2, tokens[2]
    assert rows[0][:5] == ["en", "2", f"{english:.3f}", "1.000", "reference"]
    assert rows[1][:4] == ["zh", "1", f"{chinese:.3f}", f"{chinese / english:.3f}"]
    assert rows[1][5:] == ["–", f"{chinese / 10:.1%}", f"{chinese * 2.5 / 1e6:.6f}"]
    values = json.loads(run(*arguments, "--json").output)["costs"]
    assert (values["reference"], values["price_per_million"], values["context"]) == ("en", 2.5, 10)


def test_a_project_is_reported_on_its_corpus_at_its_step(run: Run, tmp_path: Path) -> None:
    tokenizer = train(CORPUS, num_merges=5)
    project = Project(
        documents=(ProjectDocument("corpus", TextDocument(CORPUS)),),
        recipe=Recipe(),
        special_tokens=(),
        vocab_size=300,
        text="low",
        run=tokenizer,
        step=3,
    )
    save_project(project, tmp_path / "a.bpe.json")
    values = json.loads(run("report", "--project", tmp_path / "a.bpe.json", "--json").output)
    assert values["merges"] == 3
    assert values["curve"]["steps"] == [0, 1, 2, 3, 4, 5], "the whole run"
    assert [(text["name"], text["tokens"]) for text in values["texts"]] == [
        ("corpus", len(tokenizer.at(3).encode(CORPUS)))
    ]
    save_project(Project((), Recipe(), (), 300, ""), tmp_path / "empty.bpe.json")
    status, _output, messages = run("report", "--project", tmp_path / "empty.bpe.json")
    assert (status, "has no merges yet" in messages) == (2, True)


def test_without_a_text_only_the_vocabulary_is_reported(run: Run, byte_tokenizer: Path) -> None:
    output = run("report", byte_tokenizer).output.decode()
    assert "with partial characters" in output
    assert "never used" not in output
    assert "knee" not in output


def test_what_pruning_would_cost_is_told(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("low low")
    (tmp_path / "other").write_text("widest newest")
    output = run("report", byte_tokenizer, "--text", tmp_path / "text", "--held-out", tmp_path / "other").output
    assert (
        "\n259 unused (single bytes: 256, scaffolds of other tokens: 1, needed by nothing: 2).\n"
        "Pruning could leave out 2 entries and 2 merges: these texts would keep exactly the same tokens"
        in output.decode()
    )
    assert "  held-out text would have +4 tokens (+44.44%)" in output.decode()


def test_the_pruned_tokenizer_is_written_and_proven(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    text = "low low"
    (tmp_path / "text").write_text(text)
    arguments = ("report", byte_tokenizer, "--text", tmp_path / "text", "--prune-to", tmp_path / "pruned")
    status, _output, messages = run(*arguments)
    assert status == 0
    assert "260 entries and 3 merges give these texts the same tokens." in messages
    assert "bpe-gui itself gives the same ids for " in messages
    pruned, whole = load(tmp_path / "pruned"), load(byte_tokenizer)
    assert list(map(pruned.token, pruned.encode(text))) == list(map(whole.token, whole.encode(text)))


def test_nothing_to_prune_is_said(run: Run, byte_tokenizer: Path, corpus: Path, tmp_path: Path) -> None:
    result = run("report", byte_tokenizer, "--text", corpus, "--prune-to", tmp_path / "pruned")
    assert "There is nothing to prune: these texts need every merge." in result.messages
    assert load(tmp_path / "pruned").vocab == load(byte_tokenizer).vocab


def test_too_little_text_tells_no_size(run: Run, byte_tokenizer: Path) -> None:
    output = run("report", byte_tokenizer, "--text", "-", stdin=b"low").output.decode()
    assert "  too little text to tell: it has 1 token, and training added 5 entries" in output
    assert "knee" not in output


def test_what_cannot_be_pruned_is_said_before_anything_is_measured(
    run: Run, byte_tokenizer: Path, word_tokenizer: Path, corpus: Path, tmp_path: Path
) -> None:
    pruned = tmp_path / "pruned"
    assert "Name them with --text." in run("report", byte_tokenizer, "--prune-to", pruned).messages
    arguments = ("report", byte_tokenizer, "--text", corpus, "--prune-to", pruned, "--format", "subword-nmt")
    assert "merges characters" in run(*arguments).messages
    assert "use --force" in run("report", word_tokenizer, "--text", corpus, "--prune-to", pruned).messages
    assert not pruned.exists()


def test_an_empty_text(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    status, output, _messages = run("report", byte_tokenizer, "--text", tmp_path / "empty")
    assert status == 0
    assert "The text is empty, so there is nothing to measure." in output.decode()


def test_a_text_without_any_symbol_of_the_alphabet(run: Run, word_tokenizer: Path) -> None:
    output = run("report", word_tokenizer, "--text", "-", stdin="你好".encode()).output.decode()
    assert "2 symbols of these texts have no id in this vocabulary" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name either a tokenizer or a project"),
        (["{tokenizer}", "--project", "a"], "Name either a tokenizer or a project"),
        (["{tokenizer}", "--text", "missing"], "missing cannot be read"),
        (["{tokenizer}", "--price", "1"], "Name them with --text."),
        (
            ["{tokenizer}", "--text", "{tokenizer}", "--reference", "b"],
            "no text named b to compare with. The texts are: merges.txt, ",
        ),
        (["{tokenizer}", "--text", "{tokenizer}", "--price", "-1"], "is not a price"),
        (["{tokenizer}", "--text", "{tokenizer}", "--price", "nan"], "is not a price"),
        (["{tokenizer}", "--text", "{tokenizer}", "--context", "0"], "is not a number of tokens"),
        (["{tokenizer}", "--text", "{empty}"], "has no files"),
        (["{tokenizer}", "--text", "{binary}"], "None of the documents can be read"),
        (["{tokenizer}", "{tokenizer}", "--text", "{binary}"], "None of the documents can be read"),
        (["{tokenizer}", "{tokenizer}"], "Several tokenizers are compared on texts. Name them with --text."),
        (["{tokenizer}", "--text", "{binary}/a"], "looks like a binary file"),
    ],
)
def test_mistakes_are_one_sentence(
    run: Run, byte_tokenizer: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    folders = {"tokenizer": byte_tokenizer, "empty": tmp_path / "empty", "binary": tmp_path / "binary"}
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary").mkdir()
    (tmp_path / "binary" / "a").write_bytes(b"\0")
    status, output, messages = run("report", *(argument.format(**folders) for argument in arguments))
    assert (status, output) == (2, b"")
    assert messages.count("\n") == 1
    assert message in messages


def test_an_interrupted_report_writes_nothing(
    run: Run, byte_tokenizer: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "report.html").write_text("the old one")

    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLine, "show", interrupt)
    monkeypatch.setattr("bpe_gui.cli.main.discard_output", lambda: None)
    assert run("report", byte_tokenizer, "--text", corpus, "--html", tmp_path / "report.html").status == 130
    assert (tmp_path / "report.html").read_text() == "the old one"
