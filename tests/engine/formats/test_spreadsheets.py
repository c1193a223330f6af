"""Tables for spreadsheets: every row is exact, readable, and never a formula."""

import csv
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from bpe_gui.engine import FORMATS, PRESETS, EngineError, FormatError, Recipe, Tokenizer, load, save, train
from tests.engine.support.strategies import corpora, recipes, special_tokens

TEXT = 'low lower lowest 你好 你好世界 =1+1 =1+1 @a @a nan nan 1,5 1,5 "" "" \t\n\x00\x85 ;; \'a'


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))


def parse_hex(cell: str) -> bytes:
    assert cell.startswith("0x")
    return bytes.fromhex(cell[2:])


@pytest.mark.slow
@given(corpora, recipes(), special_tokens)
@settings(max_examples=40)
def test_tables_are_complete_for_every_recipe(text: str, recipe: Recipe, specials: list[str]) -> None:
    try:
        tokenizer = train(text, recipe=recipe, special_tokens=specials, num_merges=20)
    except EngineError:
        return
    with TemporaryDirectory() as folder:
        merges, vocabulary = map(rows, save(tokenizer, folder, "csv"))
        for written, tsv in zip((merges, vocabulary), save(tokenizer, folder, "tsv"), strict=True):
            assert rows(tsv) == written
    assert [(parse_hex(row["left hex"]), parse_hex(row["right hex"])) for row in merges] == tokenizer.merges
    assert [int(row["count"]) for row in merges] == tokenizer.merge_counts
    assert {int(row["id"]): parse_hex(row["hex"]) for row in vocabulary} == tokenizer.vocab
    assert [row["rank"] for row in vocabulary] == [
        "" if (rank := tokenizer.rank(i)) is None else str(rank) for i in sorted(tokenizer.vocab)
    ]


def test_the_columns_of_a_row(tmp_path: Path) -> None:
    vocab = {0: b" ", 1: "你".encode(), 2: " 你".encode(), 3: b"\xff"}
    tokenizer = Tokenizer(vocab, [(b" ", "你".encode())], {"<e>": 9}, recipe="cs336-toy")
    merges, vocabulary = save(tokenizer, tmp_path, "tsv")
    assert merges.read_text("utf-8").split("\n") == [
        "rank\tleft\tright\ttoken\tcount\tstep\tleft hex\tright hex",
        "0\t[·]\t[你]\t[·你]\t\t1\t0x20\t0xe4bda0",
        "",
    ]
    assert vocabulary.read_text("utf-8").split("\n") == [
        "id\ttoken\thex\tbytes\tcharacters\trank\tleft\tright",
        "0\t[·]\t0x20\t1\t1\t\t\t",
        "1\t[你]\t0xe4bda0\t3\t1\t\t\t",
        "2\t[·你]\t0x20e4bda0\t4\t2\t0\t[·]\t[你]",
        "3\t[\\xff]\t0xff\t1\t\t\t\t",
        "9\t[<e>]\t0x3c653e\t3\t3\t\t\t",
        "",
    ]


@pytest.mark.parametrize("name", ["csv", "tsv"])
@pytest.mark.parametrize("recipe", PRESETS)
def test_no_cell_looks_like_a_formula_or_a_date(recipe: str, name: str, tmp_path: Path) -> None:
    tokenizer = train(TEXT, recipe=recipe, special_tokens=["=2+2", "-1"], num_merges=30)
    for file in save(tokenizer, tmp_path, name):
        for row in rows(file):
            for column, cell in row.items():
                if column in ("left", "right", "token") and cell:
                    assert (cell[0], cell[-1]) == ("[", "]")
                elif "hex" in column:
                    parse_hex(cell)
                else:
                    assert cell == "" or cell.isdigit()


def test_only_csv_begins_with_a_byte_order_mark(tmp_path: Path) -> None:
    tokenizer = train(TEXT, num_merges=5)
    assert [path.name for path in save(tokenizer, tmp_path, "csv")] == list(FORMATS["csv"].files)
    assert all(path.read_bytes().startswith(b"\xef\xbb\xbf") for path in save(tokenizer, tmp_path, "csv"))
    assert not any(path.read_bytes().startswith(b"\xef\xbb\xbf") for path in save(tokenizer, tmp_path, "tsv"))


def test_a_tokenizer_as_of_an_earlier_step_is_written(tmp_path: Path) -> None:
    merges, vocabulary = map(rows, save(train(TEXT, num_merges=9).at(4), tmp_path, "csv"))
    assert (len(merges), len(vocabulary)) == (4, 260)


@pytest.mark.parametrize(("path", "name"), [("", None), ("merges.csv", None), ("", "csv"), ("other.csv", "csv")])
def test_tables_cannot_be_opened(path: str, name: str | None, tmp_path: Path) -> None:
    save(train(TEXT, num_merges=1), tmp_path, "csv")
    with pytest.raises(FormatError, match=r"has the format csv, which can be written, but not opened"):
        load(tmp_path / path, name)
    save(train(TEXT, num_merges=1), tmp_path, "gpt2")
    assert len(load(tmp_path).merges) == 1
