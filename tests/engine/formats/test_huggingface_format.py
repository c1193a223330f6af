"""`tokenizer.json`, read or written by us, gives the same ids and texts as in Hugging Face's `tokenizers`."""

import json
import logging
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

from bpe_gui.engine import FormatError, Pipeline, Tokenizer, TokenizerError, load, save, train
from bpe_gui.engine.formats import tokenizer_json
from bpe_gui.engine.formats.tokenizer_json_model import assigned_ids
from bpe_gui.engine.proof import OWN_READER, readers_for
from bpe_gui.engine.reports import prune
from bpe_gui.engine.surgery import with_special_tokens
from tests.engine.support.huggingface_samples import LLAMA3, TEXTS, changed, read, read_json, sample_json, samples

SAMPLE_NAMES = sorted(samples())


def written_json(tokenizer: Tokenizer, folder: Path) -> str:
    """Return the text of the `tokenizer.json` that we write for a tokenizer; no file is made."""
    [text] = tokenizer_json.contents(tokenizer, folder).values()
    return text


# -- compared with `tokenizers` -----------------------------------------------------------------------------------


def test_there_are_many_samples() -> None:
    assert len(SAMPLE_NAMES) >= 90


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_ids_and_texts_are_those_of_tokenizers_and_spans_are_in_order(name: str, tmp_path: Path) -> None:
    theirs = tokenizers.Tokenizer.from_str(sample_json(name))
    ours = read(tmp_path, sample_json(name))
    for text in TEXTS:
        ids = theirs.encode(text).ids
        assert ours.encode(text) == ids, text
        assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False), text
        edges = [edge for span in ours.encoding(text).byte_spans for edge in span]
        assert [0, *edges, len(text.encode())] == sorted([0, *edges, len(text.encode())]), text


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_a_file_is_written_as_tokenizers_writes_it_and_read_again(name: str, tmp_path: Path) -> None:
    ours = read(tmp_path, sample_json(name))
    content = written_json(ours, tmp_path)
    again = read(tmp_path, content)
    theirs = tokenizers.Tokenizer.from_str(content)
    assert written_json(again, tmp_path) == content
    assert theirs.to_str(pretty=True) == content
    assert (again.pipeline, again.vocab, again.merges) == (ours.pipeline, ours.vocab, ours.merges)
    assert (again.special_tokens, again.unknown_id) == (ours.special_tokens, ours.unknown_id)
    for text in TEXTS:
        assert theirs.encode(text).ids == ours.encode(text), text


@pytest.mark.parametrize("name", ["bytes, llama3", "merges ignored", "bytes, prefix é"])
def test_traces_end_in_the_tokens_of_the_text(name: str, tmp_path: Path) -> None:
    tokenizer = read(tmp_path, sample_json(name))
    for text in TEXTS:
        traces = tokenizer.trace(text)
        symbols = [symbol for trace in traces for symbol in (trace.steps[-1].symbols if trace.steps else trace.symbols)]
        assert symbols == tokenizer.tokenize(text), text


def test_a_word_that_stays_whole_has_no_merges(tmp_path: Path) -> None:
    vocab = {token: token_id for token_id, token in enumerate(["l", "o", "w", "e", "lo", "low", "we"])}
    theirs = tokenizers.Tokenizer(models.BPE(vocab, [("l", "o"), ("w", "e")], ignore_merges=True))
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = read(tmp_path, theirs.to_str())
    whole, merged, single = tokenizer.trace("low lowe l")
    assert (whole.is_whole, whole.symbols, whole.steps) == (True, (b"low",), ())
    assert (merged.is_whole, len(merged.steps), single.is_whole) == (False, 2, False)


@pytest.mark.parametrize(("name", "splitter"), [("bytes", "gpt2"), ("bytes, llama3", LLAMA3)])
def test_a_file_equivalent_to_a_recipe_becomes_a_recipe(name: str, splitter: str, tmp_path: Path) -> None:
    tokenizer = read(tmp_path, sample_json(name))
    assert tokenizer.pipeline is None
    assert (tokenizer.recipe.units, tokenizer.recipe.splitter) == ("bytes", splitter)


@pytest.mark.parametrize(("name", "unknown"), [("split by Whitespace", "ᚠ"), ("bytes, not all", "\x01")])
def test_unknown_characters_are_skipped_as_in_tokenizers(name: str, unknown: str, tmp_path: Path) -> None:
    tokenizer = read(tmp_path, sample_json(name))
    assert isinstance(tokenizer.pipeline, Pipeline)
    assert tokenizer.encode(unknown) == []


def test_bytes_are_parsed_while_added_tokens_stay_as_they_are(tmp_path: Path) -> None:
    tokenizer = read(tmp_path, sample_json("added to bytes, white space"))
    assert tokenizer.encoding("é").byte_spans in ([(0, 2)], [(0, 1), (1, 2)])
    assert tokenizer.tokenize("a\nb") == [b"a", b"\n", b"b"]
    assert b" low" in tokenizer.vocab.values()


# -- read by kernels, or by the parser ---------------------------------------------------------------------------------

VOCABULARY = '{"l": 0, "o" :1,\n"lo":2, "é": 3, "\\n": 4, "\\"": 5, "": 6, "#version": 7, "#versionl": 8}'


def outcome(folder: Path, content: bytes) -> object:
    """Return what reading a file gives: parts of the tokenizer, or the error."""
    (folder / "tokenizer.json").write_bytes(content)
    try:
        tokenizer = load(folder)
    except FormatError as error:
        return str(error)
    return tokenizer.vocab, tokenizer.merges, tokenizer.special_tokens, tokenizer.encode("lolé")


@pytest.mark.parametrize("name", ["bytes, llama3", "llama2", "bytes, prefix é", "added to bytes, white space"])
def test_a_file_is_read_alike_by_kernels_and_by_the_parser(name: str, tmp_path: Path) -> None:
    content = sample_json(name).encode()
    assert outcome(tmp_path, content) == outcome(tmp_path, content.replace(b'"vocab"', rb'"\u0076ocab"'))


@pytest.mark.parametrize(
    ("vocabulary", "merges"),
    [
        (VOCABULARY, '[ ["l" , "o"] ]'),
        (VOCABULARY, '["l o"]'),
        (VOCABULARY, '["l o", ["l", "o"]]'),
        (VOCABULARY, '[["l", "o"], "l o"]'),
        (VOCABULARY, '["l o", "l o"]'),
        (VOCABULARY, '["l  o"]'),
        (VOCABULARY, '["lo"]'),
        (VOCABULARY, '["l"]'),
        (VOCABULARY, '["", "l o"]'),
        (VOCABULARY, '["#version l", "l o"]'),
        (VOCABULARY, '[["l", "o", "l"]]'),
        (VOCABULARY, '[["l"]]'),
        (VOCABULARY, '[["l", 1]]'),
        (VOCABULARY, '[["", "l"]]'),
        (VOCABULARY, '[["l", "o"], ["o", "é"]]'),
        (VOCABULARY, '[["l", "o"],]'),
        (VOCABULARY, '[["l", "o"]'),
        (VOCABULARY, '[["l", "o'),
        (VOCABULARY, "[]"),
        (VOCABULARY, "{}"),
        (VOCABULARY, '[["l", "o"]], "x\\"vocab": {"l": 0}, "x\\"merges": [["l", "o"]]'),
        (VOCABULARY, '[["l", "o"]], "vocab": {"l": 0}'),
        (VOCABULARY, '[["l", "o"]], "continuing_subword_prefix": "o"'),
        ("{}", '["l o"]'),
        ("[]", '["l o"]'),
        ('{"l": 0, "o": 1, "lo": 2,}', '["l o"]'),
        ('{"l": 0, "o": 1 "lo": 2}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": 2, "l": 3}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": 1}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": 02}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": -2}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": 2.0}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": 4294967298}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": 99999999999999999999}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": null}', '["l o"]'),
        (r'{"l": 0, "\u006f": 1, "lo": 2}', '["l o"]'),
        (r'{"l": 0, "o": 1, "lo": 2, "\ud800": 3}', '["l o"]'),
        (r'{"l": 0, "o": 1, "lo": 2, "\x": 3}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": 2, "\t": 3}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": 2, "\0": 3}', '["l o"]'),
        ('{"l": 0, "o": 1, "lo": 2, "\udcc3": 3, "\udca9": 4}', '["l o"]'),
    ],
)
def test_unusual_files_are_read_or_refused_alike_by_kernels_and_by_the_parser(
    vocabulary: str, merges: str, tmp_path: Path
) -> None:
    results = []
    for key in ('"vocab"     ', r'"\u0076ocab"'):  # of which kernels know only the first
        content = f'{{"added_tokens": [], "model": {{{key}:\n{vocabulary}, "merges": {merges}}}}}'
        results.append(outcome(tmp_path, content.encode(errors="surrogateescape")))
    assert results[0] == results[1]


def test_only_the_vocabulary_of_the_model_counts(tmp_path: Path) -> None:
    other = '"other": {"vocab": {"x": 0}, "merges": []}'
    own = f'"vocab": {VOCABULARY}, "merges": ["l o"]'
    contents = (f'{{"model": {{{text}}}}}' for text in (own, f"{other}, {own}", f"{own}, {other}"))
    one, *others = (outcome(tmp_path, content.encode()) for content in contents)
    assert others == [one, one]


def test_a_tokenizer_as_of_any_step_can_be_written(tmp_path: Path) -> None:
    tokenizer = read(tmp_path, sample_json("llama2"))
    merge_count = len(tokenizer.merges)
    for position in (0, merge_count // 2, merge_count):
        theirs = tokenizers.Tokenizer.from_str(written_json(tokenizer.at(position), tmp_path))
        assert theirs.encode(TEXTS[2]).ids == tokenizer.at(position).encode(TEXTS[2])


# -- tokenizers sample_json here --------------------------------------------------------------------------------------


# -- every step of the library ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "module", "base"),
    [
        ("normalizer", normalizers, normalizers.Normalizer),
        ("pre_tokenizer", pre_tokenizers, pre_tokenizers.PreTokenizer),
        ("decoder", decoders, decoders.Decoder),
        ("post_processor", processors, processors.PostProcessor),
    ],
)
def test_every_step_of_tokenizers_is_in_a_sample(part: str, module: Any, base: type) -> None:
    names = {name for name, kind in vars(module).items() if isinstance(kind, type) and issubclass(kind, base)}
    written = "".join(json.dumps(json.loads(sample_json(name))[part]) for name in SAMPLE_NAMES)
    assert [name for name in sorted(names - {base.__name__}) if f'"{name}"' not in written] == []


def test_keys_that_tokenizers_ignores_are_ignored_and_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def add_keys(root: dict[str, Any]) -> None:
        root["post_processor"]["add_prefix_space"] = False  # as Cohere's files have it
        for value in (root["model"], root["pre_tokenizer"], root["decoder"], root["added_tokens"][0]):
            value["seed"] = 1

    caplog.set_level(logging.INFO, "bpe_gui.engine.formats")
    root = changed("bytes around a text", add_keys)
    theirs = tokenizers.Tokenizer.from_str(json.dumps(root))
    assert read_json(tmp_path, root).encode("low été") == theirs.encode("low été").ids
    assert "the key 'add_prefix_space' of post_processor is unknown and ignored" in caplog.text


def test_with_dropout_all_merges_are_applied_and_it_is_written_back(tmp_path: Path) -> None:
    root = changed("bytes", lambda root: root["model"].update(dropout=0.25))
    ours = read_json(tmp_path, root)
    without = tokenizers.Tokenizer.from_str(sample_json("bytes"))
    written = tokenizers.Tokenizer.from_str(written_json(ours, tmp_path))
    assert written.model.dropout == 0.25
    written.model.dropout = None
    for text in TEXTS:
        assert ours.encode(text) == without.encode(text).ids == written.encode(text).ids
    file = tmp_path / "out.json"
    save(ours, file, "huggingface")
    [proof] = [reader.prove(TEXTS) for reader in readers_for(ours, "huggingface", [file]) if reader.name != OWN_READER]
    assert not proof.fails and proof.compared == len(TEXTS)


# -- what changes no id ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "processor",
    [
        processors.RobertaProcessing(("</s>", 1), ("<s>", 0)),
        processors.RobertaProcessing(("</s>", 1), ("<s>", 0), trim_offsets=False),
        processors.RobertaProcessing(("</s>", 1), ("<s>", 0), add_prefix_space=False),
        processors.BertProcessing(("</s>", 1), ("<s>", 0)),
        processors.TemplateProcessing(  # XLNet's order
            single="$A:0 </s>:0 <s>:2", pair="$A:0 </s>:0 $B:1 </s>:1 <s>:2", special_tokens=[("<s>", 0), ("</s>", 1)]
        ),
        processors.TemplateProcessing(single="<s> $A", pair="<s> $B:1 $A", special_tokens=[("<s>", 0)]),
        processors.ByteLevel(trim_offsets=True),
        processors.ByteLevel(trim_offsets=True, add_prefix_space=False),
        processors.Sequence(
            [processors.ByteLevel(trim_offsets=True), processors.BertProcessing(("</s>", 1), ("<s>", 0))]
        ),
        processors.Sequence(
            [processors.BertProcessing(("</s>", 1), ("<s>", 0)), processors.ByteLevel(add_prefix_space=False)]
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["bytes", "characters"])
def test_pairs_types_and_offsets_are_kept(kind: str, processor: Any, tmp_path: Path) -> None:
    theirs = tokenizers.Tokenizer.from_str(sample_json("bytes of RoBERTa"))
    if kind == "characters":
        tokens = ["<s>", "</s>", *" thecatlwo你好\n", " l", "o "]
        vocab = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
        theirs = tokenizers.Tokenizer(models.BPE(vocab, [(" ", "l"), ("o", " ")]))
        theirs.add_special_tokens(["<s>", "</s>"])
    theirs.post_processor = processor
    ours = read(tmp_path, theirs.to_str())
    again = tokenizers.Tokenizer.from_str(written_json(ours, tmp_path))
    assert json.loads(again.to_str())["post_processor"] == json.loads(theirs.to_str())["post_processor"]
    unknown = "" if kind == "characters" else "é <mask> "  # left out, which makes the offsets of `tokenizers` wrong
    for text in (" the cat", f"low  wall \n {unknown}low", f"{unknown}你好 low", ""):
        one, other = theirs.encode(text, "a  tool "), again.encode(text, "a  tool ")
        assert (one.ids, one.offsets, one.type_ids) == (other.ids, other.offsets, other.type_ids)
        given = theirs.encode(text)
        spans = [span for span, is_added in zip(given.offsets, given.special_tokens_mask, strict=True) if not is_added]
        encoding = ours.encoding(text)
        mask = given.special_tokens_mask
        found = [span for span, is_added in zip(encoding.char_spans, mask, strict=True) if not is_added]
        assert found == spans, text


def test_offsets_are_trimmed_by_characters(tmp_path: Path) -> None:
    theirs = tokenizers.Tokenizer.from_str(sample_json("bytes, NFKC and small"))
    theirs.post_processor = processors.ByteLevel(trim_offsets=True, add_prefix_space=False)
    ours = read(tmp_path, theirs.to_str())
    for text in ("a\u3000low\u3000\u3000LOW é ", "\u3000the ﬁne"):
        assert ours.encoding(text).char_spans == theirs.encode(text).offsets, text
        covered = [text.encode()[start:stop] for start, stop in ours.encoding(text).byte_spans]
        assert not any(part.decode(errors="replace")[:1].isspace() for part in covered)
    assert ours.token_arrays(b"a low").starts.tolist()[1] == 1


def test_truncation_and_padding_are_kept_and_a_note_says_so(tmp_path: Path) -> None:
    theirs = tokenizers.Tokenizer.from_str(sample_json("bytes"))
    theirs.enable_truncation(3, stride=1, strategy="only_first", direction="left")
    theirs.enable_padding(direction="left", pad_id=2, pad_type_id=1, pad_token="!", length=9, pad_to_multiple_of=4)
    ours = read(tmp_path, theirs.to_str())
    [note] = ours.notes
    assert str(note).startswith("The file also says how to cut or pad texts (truncation, padding).")
    again = tokenizers.Tokenizer.from_str(written_json(ours, tmp_path))
    assert (again.truncation, again.padding) == (theirs.truncation, theirs.padding)
    text = "the lowest and the lower"
    assert theirs.encode(text).ids == again.encode(text).ids != ours.encode(text)
    theirs.no_truncation()
    theirs.no_padding()
    assert theirs.encode(text).ids == ours.encode(text)
    assert read(tmp_path, theirs.to_str()).notes == ()


def test_what_is_kept_follows_its_tokens(tmp_path: Path) -> None:
    theirs = tokenizers.Tokenizer.from_str(sample_json("bytes of RoBERTa"))
    theirs.enable_padding(pad_id=1, pad_token="</s>")
    ours = with_special_tokens(read(tmp_path, theirs.to_str()), {"<new>": None}, {"</s>": "<end>"})
    for changed_one in (ours, prune(ours, ours.encode("the low")).tokenizer, pickle.loads(pickle.dumps(ours))):
        again = tokenizers.Tokenizer.from_str(written_json(changed_one, tmp_path))
        pair = again.encode("the", "low").tokens
        assert [token for token in pair if token.startswith("<")] == ["<s>", "<end>", "<end>", "<end>"]
        padding = again.padding or {}
        assert padding["pad_token"] == "<end>" and padding["pad_id"] == again.token_to_id("<end>")
        assert "<new>" not in again.get_vocab(with_added_tokens=False)
        assert changed_one.encoding("the low").char_spans[-2] == (4, 7)


def test_ids_around_a_text_replace_a_template_that_puts_others(tmp_path: Path) -> None:
    ours = read(tmp_path, sample_json("bytes of RoBERTa"))
    assert ours.pipeline is not None
    other = ours.changed(pipeline=replace(ours.pipeline, ids_after=()))
    written = json.loads(written_json(other, tmp_path))["post_processor"]
    assert [step["type"] for step in written["processors"]] == ["ByteLevel", "TemplateProcessing"]
    assert tokenizers.Tokenizer.from_str(written_json(other, tmp_path)).encode("the").ids == other.encode("the")


def test_special_tokens_stay_outside_the_vocabulary_of_the_model(tmp_path: Path) -> None:
    theirs = tokenizers.Tokenizer.from_str(sample_json("bytes"))
    theirs.add_special_tokens(["<end>", "<pad>"])
    ours = read(tmp_path, theirs.to_str())
    assert ours.pipeline is None
    again = tokenizers.Tokenizer.from_str(written_json(ours, tmp_path))
    for with_added in (True, False):
        assert again.get_vocab(with_added) == theirs.get_vocab(with_added)


# -- unknown symbols ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("special", "named"), [(["<e>"], "<unk>"), (["<e>", "[UNK]"], "[UNK]"), ([], "<unk>")])
def test_no_character_is_dropped_without_a_word(special: list[str], named: str, tmp_path: Path) -> None:
    ours = train("low low lower", recipe="zh-en", num_merges=3, special_tokens=special)
    theirs = tokenizers.Tokenizer.from_str(written_json(ours, tmp_path))
    assert theirs.encode("low").ids == ours.encode("low")
    with pytest.raises(TokenizerError, match="--unk-token"):
        ours.encode("low x")
    again = read(tmp_path, written_json(ours, tmp_path))
    assert again.pipeline is None
    if named in special:
        assert (
            theirs.encode("low x").tokens.count(named) == again.encode("low x").count(again.special_tokens[named]) > 0
        )
    else:
        with pytest.raises(Exception, match=f"Unk token `{named}` not found"):
            theirs.encode("low x")
        assert again.unknown_id is None


# -- older files --------------------------------------------------------------------------------------------------


def _make_old(root: dict[str, Any]) -> None:
    model = root["model"]
    model["merges"] = ["#version: 0.2", *(f"{left} {right}" for left, right in model["merges"])]
    for key in ("type", "dropout", "byte_fallback", "ignore_merges", "fuse_unk"):
        del model[key]
    for key in ("truncation", "padding", "normalizer", "post_processor"):
        del root[key]


def _make_old_metaspace(root: dict[str, Any]) -> None:
    root["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True, "str_rep": "▁"}


def _make_old_byte_level(root: dict[str, Any]) -> None:
    del root["pre_tokenizer"]["use_regex"]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("split by Whitespace", _make_old),
        ("bytes", _make_old),
        ("split by Metaspace", _make_old_metaspace),
        ("bytes", _make_old_byte_level),
        ("split by Punctuation, isolated", lambda root: root["pre_tokenizer"].pop("behavior")),
        ("unknown", lambda root: root["model"].update(dropout=0.0, end_of_word_suffix="")),
        ("unknown", lambda root: root["model"]["merges"].insert(0, root["model"]["merges"][5])),
    ],
)
def test_older_files_are_read_as_tokenizers_reads_them(
    name: str, change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    root = changed(name, change)
    theirs = tokenizers.Tokenizer.from_str(json.dumps(root))
    ours = read_json(tmp_path, root)
    for text in TEXTS:
        assert ours.encode(text) == theirs.encode(text).ids


# -- names, ranks and ids -----------------------------------------------------------------------------------------


def test_a_file_of_another_name_is_recognised(tmp_path: Path) -> None:
    file = tmp_path / "my own.json"
    file.write_text(sample_json("bytes"), encoding="utf-8")
    assert load(file).encode("low") == tokenizers.Tokenizer.from_file(str(file)).encode("low").ids


def test_merges_that_share_a_rank_are_written_if_their_order_does_not_matter(tmp_path: Path) -> None:
    vocab = {token_id: token.encode() for token_id, token in enumerate(["a", "b", "c", "ab", "bc", "abc"])}
    merges = [(b"a", b"b"), (b"b", b"c"), (b"ab", b"c")]
    tokenizer = Tokenizer(vocab, merges, recipe="cs336-toy", other_merges={(b"a", b"bc"): 2})
    theirs = tokenizers.Tokenizer.from_str(written_json(tokenizer, tmp_path))
    assert theirs.encode("abc bca").ids == tokenizer.encode("abc bca")
    tokenizer = Tokenizer(vocab, [merges[1], merges[0], merges[2]], recipe="cs336-toy", other_merges={(b"a", b"bc"): 2})
    theirs = tokenizers.Tokenizer.from_str(written_json(tokenizer, tmp_path))
    assert theirs.encode("abc").ids == tokenizer.encode("abc") == [5]
    vocab = {0: b"a", 1: b"aa", 2: b"aaa"}
    clash = Tokenizer(vocab, [(b"a", b"a"), (b"aa", b"a")], recipe="cs336-toy", other_merges={(b"a", b"aa"): 1})
    with pytest.raises(FormatError, match="has the same rank"):
        written_json(clash, tmp_path)


def test_added_tokens_are_assigned_the_ids_of_tokenizers() -> None:
    for contents in (["<a>"], ["b", "<a>"], ["<a>", "b", "<c>"]):
        theirs = tokenizers.Tokenizer(models.BPE(vocab={"a": 0, "b": 1, "c": 9}, merges=[]))
        theirs.add_special_tokens(contents)
        ids = [theirs.token_to_id(content) for content in contents]
        assert list(assigned_ids(contents, {"a": 0, "b": 1, "c": 9})) == ids
