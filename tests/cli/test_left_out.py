"""`--skip-bad-lines` says which records it leaves out, in every command that has it, and keeps lines aligned."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.cli.streams import NamedFile
from bpe_gui.engine.corpora.record_files import JsonLines
from bpe_gui.engine.corpora.text_files import Part

from .conftest import Run

pyarrow = pytest.importorskip("pyarrow")

GOOD, BAD = json.dumps({"text": "low"}), "{"


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Return a file of 30 lines: every second has no text, and the third is blank."""
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join("" if n == 3 else GOOD if n % 2 else BAD for n in range(1, 31)) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "command",
    [
        "train {file} --num-merges 1 -o {out}",
        "count {file} -o {out}.parquet",
        "encode {file} -t {tokenizer}",
        "encode {file} -t {tokenizer} --lines",
        "encode {file} -t {tokenizer} --show",
        "encode {file} -t {tokenizer} -o {out}.bin",
        "encode {file} -t {tokenizer} --count --beside {tokenizer}",
        "report {tokenizer} --text {file}",
        "compare {tokenizer} {tokenizer} --text {file}",
        "convert {tokenizer} {out} --format huggingface --check --text {file}",
    ],
)
def test_every_command_says_which_lines_are_left_out(
    run: Run, byte_tokenizer: Path, tmp_path: Path, lines: Path, command: str
) -> None:
    words = [word.format(file=lines, out=tmp_path / "out", tokenizer=byte_tokenizer) for word in command.split()]
    assert run(*words).status == 2
    status, _output, messages = run(*words, "--skip-bad-lines")
    said = f"Left out 15 records without a text: {lines}, lines 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 5 more."
    assert (status, messages.count(said), messages.count("Left out")) == (0, 1, 1)


def test_the_first_ten_of_several_files(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    for name, bad in (("a", 9), ("b", 0), ("c", 3)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join([BAD] * bad + [GOOD]), encoding="utf-8")
    files = [tmp_path / f"{name}.jsonl" for name in "abc"]
    messages = run("encode", *files, "-t", byte_tokenizer, "--skip-bad-lines").messages
    assert messages == (
        f"Left out 12 records without a text: {files[0]}, lines 1, 2, 3, 4, 5, 6, 7, 8, 9; {files[2]}, line 1 "
        "and 2 more.\n"
    )
    assert run("encode", files[1], "-t", byte_tokenizer, "--skip-bad-lines").messages == ""


@given(st.lists(st.sampled_from([GOOD, BAD, "", " \t", GOOD + "\r"]), min_size=1, max_size=40), st.data())
def test_lines_are_numbered_in_the_whole_file_however_it_is_read(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    path.write_bytes("\n".join(lines).encode())
    ends = [0]
    for line in lines:
        ends.append(ends[-1] + len(line) + 1)
    cuts = sorted({0, *data.draw(st.lists(st.sampled_from(ends[:-1]), max_size=4))})
    document = NamedFile(path, skip_bad_lines=True)
    for _time in range(2):  # as for several stages of a plan
        for start, stop in data.draw(st.permutations([*pairwise(cuts), (cuts[-1], None)])):
            with document.open_records(Part(start, stop)) as records:
                assert isinstance(records, JsonLines)
                list(records.batches())
    bad = [number for number, line in enumerate(lines, start=1) if line == BAD]
    assert (document.left_out.find_first(document), len(document.left_out)) == (bad[:10], len(bad))


@pytest.mark.parametrize("more", [[], ["--tokens"], ["--show"]])
def test_lines_stay_aligned(run: Run, byte_tokenizer: Path, lines: Path, more: list[str]) -> None:
    output = run("encode", lines, "-t", byte_tokenizer, "--lines", "--skip-bad-lines", *more).output
    has_text = [bool(line) for line in output.decode().split("\n")[:-1]]
    assert has_text == [line == GOOD for line in lines.read_text("utf-8").split("\n")[:-1]]
    without = run("encode", lines, "-t", byte_tokenizer, "--skip-bad-lines", *more).output
    assert without.count(b"\n") == 14


def test_a_line_without_a_text_is_empty_even_if_ids_are_put_around_each(run: Run, tmp_path: Path) -> None:
    from tests.engine.support.huggingface_samples import read, sample_json

    read(tmp_path, sample_json("llama2"))
    (tmp_path / "a.jsonl").write_text(f"{BAD}\n{GOOD}\n{json.dumps({'text': ''})}\n{BAD}", encoding="utf-8")
    output = run("encode", tmp_path / "a.jsonl", "-t", tmp_path, "--lines", "--skip-bad-lines").output
    assert [bool(line) for line in output.split(b"\n")] == [False, True, True, False, False]


def test_rows_of_a_parquet_file(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    from pyarrow import parquet

    table = pyarrow.table({"text": ["low", None, "low", "low", None]})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=2)
    status, output, messages = run(
        "encode", tmp_path / "a.parquet", "-t", byte_tokenizer, "--lines", "--skip-bad-lines"
    )
    assert (status, output) == (0, b"258\n\n258\n258\n\n")
    assert messages == f"Left out 2 records without a text: {tmp_path / 'a.parquet'}, rows 2, 5.\n"
    messages = run(
        "train", tmp_path / "a.parquet", "--num-merges", 1, "--skip-bad-lines", "-o", tmp_path / "t"
    ).messages
    assert messages.startswith(f"Left out 2 records without a text: {tmp_path / 'a.parquet'}, rows 2, 5.\n")
