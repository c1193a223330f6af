"""`bpe-gui audit` lists the entries that no text produces, in words and as JSON, with an exit status for scripts."""

import json
from pathlib import Path

from bpe_gui.engine import Tokenizer, load, save

from .conftest import Run


def test_what_a_person_reads(run: Run, byte_tokenizer: Path) -> None:
    status, output, messages = run("audit", byte_tokenizer, "--findings", 1)
    assert (status, messages) == (0, "")
    assert output.decode() == (
        f"{byte_tokenizer} (gpt2): 262 entries, 5 merges\n"
        "No text produces 13 entries.\n"
        "\n"
        "  reachable         reachable                                248\n"
        "  invalid           not in valid UTF-8                        13\n"
        "  special           special token                              1\n"
        "  partial           part of a character                      115\n"
        "\n"
        "invalid: not in valid UTF-8\n"
        "       192  \\xc0                  No valid UTF-8 text contains its bytes.\n"
        "  … 12 more\n"
        "\n"
        "partial: part of a character\n"
        "       128  \\x80                  It contains part of a character.  In the text “À”.\n"
        "  … 114 more\n"
    )


def test_json_has_every_entry(run: Run, byte_tokenizer: Path) -> None:
    audited = json.loads(run("audit", byte_tokenizer, "--json").output)
    tokenizer = load(byte_tokenizer)
    assert [entry["id"] for entry in audited["entries"]] == sorted(tokenizer.vocab)
    assert audited["unreachable"] == audited["counts"]["invalid"] == 13
    for entry in audited["entries"]:
        assert bytes.fromhex(entry["bytes"]) == tokenizer.token(entry["id"])
        assert entry["reason"] if entry["witness"] is None else entry["id"] in tokenizer.encode(entry["witness"])


def test_scripts_fail_on_findings_they_name(run: Run, byte_tokenizer: Path) -> None:
    status, _output, messages = run("audit", byte_tokenizer, "--fail-on", "invalid,unreachable")
    assert (status, messages) == (1, "Found what --fail-on names: invalid (13).\n")
    assert run("audit", byte_tokenizer, "--fail-on", "unreachable").status == 0, "every tokenizer of bytes has those"
    assert run("audit", byte_tokenizer, "--fail-on", "split,special-conflict", "--fail-on", "no-merge").status == 0
    status, _output, messages = run("audit", byte_tokenizer, "--fail-on", "dead")
    assert status == 2
    assert messages.startswith("bpe-gui: Unknown finding 'dead'. The findings are unreachable, reachable, ")


def test_files_of_a_folder_that_disagree(run: Run, tmp_path: Path) -> None:
    save(Tokenizer({0: b"a", 1: b"b"}, [], ["<e>"], recipe="char-eow"), tmp_path, "transformers")
    added = {"7": {"content": "<e>"}, "8": {"content": "<f>"}}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"added_tokens_decoder": added}), encoding="utf-8")
    (tmp_path / "special_tokens_map.json").write_text('{"pad_token": "<pad>"}', encoding="utf-8")
    status, output, _messages = run("audit", tmp_path, "--json", "--fail-on", "special-mismatch")
    assert status == 1
    findings = json.loads(output)["findings"]
    assert [finding["reason"] for finding in findings if finding["kind"] == "special-mismatch"] == [
        "tokenizer_config.json gives the token <e> the id 7.",
        "tokenizer_config.json gives the token <f> the id 8.",
        "special_tokens_map.json gives the token <pad> the id none.",
    ]
