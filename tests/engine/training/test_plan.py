"""Plans are values: they are checked, compared, pickled, and come back from JSON as they were."""

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bpe_gui.engine import (
    Corpus,
    EngineError,
    Parity,
    Plan,
    Recipe,
    Rule,
    Tokenizer,
    Trainer,
    TrainingError,
    Veto,
    WordCounts,
    load,
    save,
    train,
    train_to,
)
from bpe_gui.engine.training import stages
from tests.engine.support.strategies import corpora

tokens = st.binary(min_size=1, max_size=4)
pairs = st.tuples(tokens, tokens)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    replay = draw(st.lists(pairs, max_size=4))
    banned = draw(st.sets(pairs, max_size=3)) - set(replay)
    forced = draw(st.dictionaries(st.integers(len(replay), 50), pairs.filter(lambda pair: pair not in banned)))
    return Plan(
        replay=replay,
        banned=banned,
        banned_tokens=draw(st.lists(st.sampled_from(["a+", "[^a]", r"\p{Han}{2}"]))),
        forced=forced,
        rules=draw(st.lists(st.sampled_from(["max-bytes=3", "max-words=2", "no-mixed-scripts"]))),
        seeds=draw(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=3), max_size=3)),
        parity=draw(st.sampled_from([None, Parity(), Parity(ratios={"en": 1.5}, variant="window", by="document")])),
        stages=draw(st.dictionaries(st.integers(1, 50), st.sampled_from(["none", r"[^\n]+"]))),
        ids=by_value(draw(st.dictionaries(st.integers(0, 99), tokens))),
        special_ids=by_value(draw(st.dictionaries(st.integers(100, 199), st.text(min_size=1)))),
    )


def by_value(items: dict[int, Any]) -> dict[Any, int]:
    return {value: key for key, value in items.items()}


@given(plan=plans())
def test_a_plan_survives_json_pickle_and_copies(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "plan.json"
    plan.save(path)
    for other in (Plan.load(path), pickle.loads(pickle.dumps(plan)), copy.deepcopy(plan)):
        assert other == plan
        assert hash(other) == hash(plan)
        assert str(other) == str(plan)
    assert bool(plan) == (plan != Plan())


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"replay": ["ab"]}, "A pair in a plan must be two tokens"),
        ({"replay": [(b"a", b"")]}, "A pair in a plan must be two tokens"),
        ({"replay": [(b"a", "b")]}, "A pair in a plan must be two tokens"),
        ({"replay": [(b"a", b"b", b"c")]}, "A pair in a plan must be two tokens"),
        ({"banned": [(b"a", b"b")], "replay": [(b"a", b"b")]}, "bans the pair 'a' 'b', but merges it at step 1"),
        ({"banned": [(b"a", b"b")], "forced": {7: (b"a", b"b")}}, "bans the pair 'a' 'b', but merges it at step 8"),
        ({"replay": [(b"a", b"b")], "forced": {0: (b"b", b"b")}}, "but it replays merges up to step 1"),
        ({"forced": {-1: (b"a", b"b")}}, "The plan names step -1"),
        ({"stages": {10**9: "none"}}, "The plan names step 1000000000"),
        ({"stages": {0: "none"}}, "A stage must begin at step 1 or later"),
        ({"stages": {1: "none", 3: "("}}, "The splitter after step 3 cannot be used. The regular expression"),
        (
            {"banned_tokens": ["(a"]},
            "The expression '(a' for banned tokens cannot be used. The regular expression is not valid at position 2",
        ),
        ({"rules": ["short"]}, "Unknown rule 'short'"),
        ({"rules": ["max-bytes"]}, "The limit of the rule max-bytes must be an integer from 1"),
        ({"rules": ["max-bytes=0"]}, "not 0"),
        ({"rules": ["max-bytes=two"]}, "not 'two'"),
        ({"rules": ["no-mixed-scripts=3"]}, "does not take a limit"),
        ({"ids": {b"a": -1}}, "Ids must be integers from 0 to 2147483647"),
        ({"ids": {b"a": 2**31}}, "Ids must be integers from 0 to 2147483647"),
        ({"ids": {b"a": 5, b"b": 5}}, "keeps the id 5 for two tokens: 'a' and 'b'"),
        ({"ids": {b"a": 5}, "special_ids": {"<x>": 5}}, "'<x>' has the id 5, which already belongs to 'a'"),
        ({"special_ids": {"<x>": 5, "<y>": 5}}, "Two special tokens have the same id"),
        ({"special_ids": {"": 5}}, "is empty"),
        ({"special_ids": {"\ud800": 5}}, "lone surrogate"),
        ({"replay": 5}, "replay must be a list or another iterable, not int"),
        ({"banned_tokens": "ab"}, "banned_tokens must be a list or another iterable, not str"),
        ({"banned_tokens": [5]}, "an expression for tokens must be str, not int"),
        ({"stages": {3: 5}}, "a splitter must be str, not int"),
        ({"stages": [3]}, "stages must be Mapping, not list"),
        ({"forced": {"a": (b"a", b"b"), 1: (b"a", b"b")}}, "The plan names step 'a'"),
        ({"ids": {b"a": "5"}}, "an id must be int, not str"),
    ],
)
def test_a_plan_that_is_not_valid_says_why(parts: dict[str, Any], message: str) -> None:
    with pytest.raises((EngineError, TypeError)) as caught:
        Plan(**parts)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "must be a JSON object"),
        ("{}", "json is not a plan. A plan has the format 'bpe-gui plan' and a version."),
        ('{"format": "bpe-gui plan", "version": 1, "rules": ["x"]}', "json: Unknown rule 'x'"),
        ('{"format": "bpe-gui plan", "version": 2}', "reads only plans of version 1"),
        ('{"format": "bpe-gui plan", "version": 1, "bans": []}', "bans is not a part of a plan"),
        ('{"format": "bpe-gui plan", "version": 1, "replay": ["a b", "ab"]}', "replay[1] must be two tokens"),
        ('{"format": "bpe-gui plan", "version": 1, "forced": [["x", "a b"]]}', "forced[0][0] must be an integer"),
        ('{"format": "bpe-gui plan", "version": 1, "rules": ["short"]}', "Unknown rule 'short'"),
        ('{"format": "bpe-gui plan", "version": 1, "replay": ["a b", "你 a"]}', "replay[1] contains '你'"),
        ('{"format": "bpe-gui plan", "version": 1, "forced": [[1, "a b"], [1, "a c"]]}', "forced[1] repeats 1"),
        ('{"format": "bpe-gui plan", "version": 1, "stages": [[3, "("]]}', "json: The splitter after step 3 cannot"),
        (
            '{"format": "bpe-gui plan", "version": 1, "banned_tokens": ["ab", "[bad("]}',
            "banned_tokens[1]: The expression '[bad(' for banned tokens cannot be used.",
        ),
        (
            '{"format": "bpe-gui plan", "version": 1, "banned": ["a b"], "forced": [[2, "a b"]]}',
            "merges it at step 3. Remove one of the two. In the file, where steps count from 0, this is step 2.",
        ),
        ('{"format": "bpe-gui plan", "version": 1, "ids": [[1, "a"], [true, "b"]]}', "ids[1][0] must be an integer"),
        ('{"format": "bpe-gui plan", "version": 1, "ids": [[1, 2]]}', "ids[0][1] must be a string"),
        ('{"format": "bpe-gui plan", "version": 1, "ids": [[1, "a"], [2]]}', "ids[1] must be a list of a step and"),
        ('{"format": "bpe-gui plan", "version": 1, "parity": {"by": "town"}}', "by must be 'folder' or 'document'"),
        ('{"format": "bpe-gui plan", "version": 1, "parity": {"x": 1}}', "parity.x is not a setting of turns"),
        ('{"format": "bpe-gui plan", "version": 1, "ids": [[1, "a"], [2, "a"]]}', "ids[1] repeats 'a'"),
        ('{"format": "bpe-gui plan", "version": 1, "ids": [[1, "a"], [1, "b"]]}', "for two tokens: 'a' and 'b'"),
    ],
)
def test_a_damaged_file_says_where(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EngineError) as caught:
        Plan.load(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("rule", "left", "right", "is_vetoed"),
    [
        ("max-bytes=3", "你", "a", True),
        ("max-characters=2", "你", "a", False),
        ("max-characters=2", "你", "ab", True),
        ("max-words=1", " the", " cat", True),
        ("max-words=1", "the ", " ", False),
        ("no-letters-with-digits", "a", "1", True),
        ("no-letters-with-digits", "a", "-", False),
        ("no-mixed-scripts", "a", "б", True),
        ("no-mixed-scripts", "a1", "é", False),
        ("no-mixed-scripts", "か", "漢", True),
        ("no-leading-space", " ", "a", True),
        ("no-leading-space", " ", " ", False),
        ("no-leading-space", "a", " ", False),
        ("max-characters=2", "ab", "</w>", False),
        ("max-characters=2", "ab", "c</w>", True),
        ("no-leading-space", "</w>", "a", False),
    ],
)
def test_rules(rule: str, left: str, right: str, is_vetoed: bool) -> None:
    assert Rule.of(rule).vetoes(left.encode(), right.encode()) == is_vetoed
    assert Plan(rules=[rule]).veto_of(left.encode(), right.encode()) == (Veto("rule", rule) if is_vetoed else None)


@given(text=st.text("aé你😀", min_size=2, max_size=4), data=st.data())
def test_a_token_has_whole_characters_or_the_beginning_of_one(text: str, data: st.DataObject) -> None:
    encoded = text.encode()
    middle = data.draw(st.integers(1, len(encoded) - 1))
    first, last = data.draw(st.integers(0, middle - 1)), data.draw(st.integers(middle + 1, len(encoded)))
    left, right = encoded[first:middle], encoded[middle:last]
    boundaries = {len(text[:count].encode()) for count in range(len(text) + 1)}
    are_whole = [{start, stop} <= boundaries for start, stop in ((first, middle), (middle, last))]
    are_parts = not any(are_whole) and left[0] & 0xC0 == 0xC0 and right[0] & 0xC0 == 0x80
    assert Rule.of("character-boundaries").vetoes(left, right) != (all(are_whole) or are_parts)


def test_training_within_character_boundaries_makes_no_mixed_token() -> None:
    text = " é è ê ë 你好 你们 你" * 3
    plain, kept = (train(text, num_merges=40, plan=Plan(rules=rules)) for rules in ((), ("character-boundaries",)))

    def is_mixed(token: bytes) -> bool:
        without_last = token.decode("utf-8", "ignore")
        return bool(without_last) and without_last.encode() != token

    assert any(is_mixed(left + right) for left, right in plain.merges)
    assert not any(is_mixed(left + right) for left, right in kept.merges)
    assert all(token[0] & 0xC0 != 0x80 for token in map(b"".join, kept.merges))


def test_parts_of_characters_are_neither_letters_nor_words_of_their_own() -> None:
    han = "你".encode()
    assert not Rule.of("no-mixed-scripts").vetoes(b"a", han[:2])
    assert Rule.of("no-mixed-scripts").vetoes(b"a" + han[:2], han[2:])
    assert Rule.of("max-characters=1").vetoes(b"a", han[:2])
    assert not Rule.of("max-characters=1").vetoes(han[:1], han[1:])


def test_a_replayed_merge_needs_its_parts() -> None:
    counts = WordCounts({"low": 2}, "whitespace")
    with pytest.raises(TrainingError, match="'lo' is not a token there"):
        Trainer(counts, "cs336-toy", plan=Plan(replay=[(b"o", b"w"), (b"lo", b"w")]))


def test_a_forced_merge_without_its_parts_leaves_the_run_where_it_is() -> None:
    trainer = Trainer(WordCounts({"low": 2}, "whitespace"), "cs336-toy", plan=Plan(forced={1: (b"lo", b"w")}))
    for _attempt in range(2):
        with pytest.raises(TrainingError, match="at step 2, but 'lo' is not a token there"):
            trainer.seek(5)
        assert trainer.position == 1
        assert trainer.peek() is None
        assert "'lo' is not a token there" in str(trainer.obstacle())
        assert not trainer.is_complete
    assert trainer.step_back() is not None
    assert trainer.obstacle() is None


def test_a_rule_that_leaves_nothing_to_merge_ends_the_run() -> None:
    assert train("low low", recipe="cs336-toy", plan=Plan(rules=["max-characters=1"])).merges == []


def test_no_expression_takes_long_for_a_token() -> None:
    plan = Plan(banned_tokens=["(?:a|aa)+[bc]"])  # in which other engines try 2^n ways
    assert plan.veto_of(b"a", b"ab") == Veto("token", "(?:a|aa)+[bc]")
    trainer = Trainer(WordCounts({"a" * 1024: 1}, "whitespace"), "cs336-toy", plan=plan)
    trainer.seek(99)
    assert trainer.position == 10
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_extending_keeps_the_ids_and_numbers_new_tokens_after_them() -> None:
    first = train("low low lower", num_merges=2, special_tokens=["<|end|>"])
    longer = train("new newer low", num_merges=4, plan=Plan.extending(first))
    assert longer.merges[:2] == first.merges
    assert first.vocab.items() <= longer.vocab.items()
    assert longer.special_tokens == first.special_tokens
    assert sorted(set(longer.vocab) - set(first.vocab)) == [len(first.vocab), len(first.vocab) + 1]


@given(corpora, corpora, st.randoms(use_true_random=False), st.integers(0, 20))
def test_merges_of_every_two_tokens_that_spell_a_third_are_extended(
    text: str, other: str, chance: random.Random, moved: int
) -> None:
    """As in files converted from ranks, where a part of a token may even come after the token."""
    tokens = list(train(text + "ab abc abcd abcab aaaa", num_merges=25, recipe="minbpe").vocab.values())
    for _ in range(moved):
        here, there = chance.randrange(256, len(tokens)), chance.randrange(256, len(tokens))
        tokens[here], tokens[there] = tokens[there], tokens[here]
    known = set(tokens)
    splits = [(token[:end], token[end:]) for token in tokens for end in range(1, len(token))]
    merges = [pair for pair in splits if known.issuperset(pair)]
    first = Tokenizer(dict(enumerate(tokens)), merges, recipe="minbpe")
    try:
        plan = Plan.replaying(first)
        trainer = Trainer(Corpus.from_text(f"{text} {other} abcab").count("minbpe"), "minbpe", plan=plan)
    except TrainingError:
        assume(False)
    trainer.seek(len(plan.replay))
    for each in (text, other, "abcabcabcd aaaaaaa abab"):
        assert trainer.tokenizer().encode(each) == first.encode(each)
    for word in trainer.words():
        assert list(word.symbols) == [
            first.vocab[token_id] for token_id in first.encode(b"".join(word.symbols).decode())
        ]


def test_no_size_cuts_a_tokenizer_that_is_extended() -> None:
    first = train("low low lower", num_merges=2, special_tokens=["<|end|>"])
    plan = Plan.extending(first)
    with pytest.raises(TrainingError, match=r"must be at least 259 .* that training extends"):
        train("new newer low", plan=plan, vocab_size=258)
    with pytest.raises(TrainingError, match=r"must be at least 2, not 1, .* that training extends"):
        train("new newer low", plan=plan, num_merges=1)
    assert train("new newer low", plan=plan, vocab_size=259, num_merges=2).vocab == first.vocab
    assert train("low", plan=Plan(replay=first.merges), num_merges=1).merges == first.merges[:1]


def test_a_size_that_is_not_valid_is_refused_at_once() -> None:
    trainer = Trainer(Corpus.from_text("low lower").count("cs336"), "cs336")
    with pytest.raises(TrainingError, match="must be 0 or more"):
        train_to(trainer, num_merges=-1)
    with pytest.raises(TrainingError, match="must be at least 256"):
        train_to(trainer, vocab_size=255)


def test_a_run_that_replays_itself_is_the_same() -> None:
    text = "aaaa  aaa aaaaaaa    a  aaaaa   aaaa low lower lowest" * 3
    counts = Corpus.from_text(text).count("cs336")
    trainer = Trainer(counts)
    trainer.seek(10**6)
    again = Trainer(counts, plan=Plan(replay=trainer.run))
    again.seek(10**6)
    assert again.run == trainer.run
    assert again.words() == trainer.words()


def test_single_characters_of_replayed_merges_are_in_the_alphabet() -> None:
    plan = Plan(replay=[(b"a", b"b</w>"), ("你".encode(), b"</w>"), (b"ab", b"c")])
    attached = Recipe(units="characters", boundary="suffix-attached")
    assert stages.base_symbols(plan, attached) == {b"a", b"b</w>", "你".encode(), b"c"}
    apart = Recipe(units="characters", boundary="suffix")
    assert stages.base_symbols(plan, apart) == {b"a", "你".encode(), b"</w>", b"c"}


def test_superwords_cross_the_borders_of_words() -> None:
    plan = Plan(stages={5: r"[^\n]+"})
    tokenizer = train("of the low of the low\nof the lower", num_merges=9, plan=plan)
    assert tokenizer.merges[5:] == [(b"the", b" "), (b"the ", b"low"), (b"of", b" "), (b"of ", b"the low")]
    assert tokenizer.tokenize("of the lower") == [b"of the low", b"e", b"r"]
    assert tokenizer.at(5).tokenize("of low") == [b"of", b" ", b"low"]


def test_a_later_splitter_that_finds_no_words_is_named_with_its_step() -> None:
    message = "The splitter after step 3 finds no words: 'foo' matches nothing in the corpus."
    with pytest.raises(TrainingError, match=message):
        train("low low lower", num_merges=9, plan=Plan(stages={3: "foo"}))


def test_a_splitter_may_change_among_replayed_merges() -> None:
    merges = train("low low lower", num_merges=3).merges
    assert train("low low lower", num_merges=3, plan=Plan(replay=merges, stages={2: "none"})).merges == merges


def test_a_special_token_keeps_its_id_beside_an_ordinary_token_with_the_same_bytes() -> None:
    vocab = {**{byte: bytes([byte]) for byte in range(256)}, 256: b"lo"}
    first = Tokenizer(vocab, [(b"l", b"o")], {"lo": 300}, recipe="cs336")
    plan = Plan.extending(first)
    assert (plan.ids[b"lo"], plan.special_ids) == (256, {"lo": 300})
    assert train("new", num_merges=1, plan=plan).vocab == first.vocab


def test_special_tokens_keep_their_ids_without_others() -> None:
    tokenizer = train("low low", num_merges=1, plan=Plan(special_ids={"<x>": 7000}))
    assert tokenizer.special_tokens == {"<x>": 7000}
    assert len(tokenizer.vocab) == 258


def test_a_kept_token_that_training_makes_later_is_counted_once() -> None:
    counts = Corpus.from_text("low low low lower").count("cs336")
    trainer = Trainer(counts, plan=Plan(ids={b"low": 300}))
    assert trainer.vocab_size == len(trainer.tokenizer().vocab) == 257
    for step, size in enumerate((258, 258, 259), 1):
        trainer.seek(step)
        assert trainer.vocab_size == len(trainer.tokenizer().vocab) == size
    assert trainer.tokenizer().vocab[300] == b"low"
    assert train("low low low lower", vocab_size=259, plan=Plan(ids={b"low": 300})).merges == [
        (merge.left, merge.right) for merge in trainer.run
    ]


def test_a_token_that_a_later_stage_has_again_comes_back() -> None:
    recipe = Recipe(units="characters", splitter="whitespace", vocabulary="prune")
    corpus, plan = Corpus.from_text("abab abab abab"), Plan(stages={2: "aba|."})
    trainer = Trainer(corpus.count(recipe), recipe, plan=plan, stage_counts=plan.count_stages(corpus, recipe, ()))
    for step in range(4):
        trainer.seek(step)
        assert trainer.vocab_size == len(trainer.tokenizer().vocab)
        in_words = {symbol for word in trainer.words() for symbol in word.symbols}
        assert in_words <= set(trainer.tokenizer().vocab.values())
    assert trainer.step() is None


def test_a_run_with_a_ban_pauses_no_more_often_than_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "_budget", lambda: 1 << 20)
    monkeypatch.setattr(stages, "monotonic", lambda: 0.0)
    rng = random.Random(1)
    counts = WordCounts({"".join(rng.choices("abcdef", k=8)): rng.randint(1, 99) for _ in range(300)}, "whitespace")
    for plan in (Plan(), Plan(banned=[(b"a", b"b")])):
        trainer = Trainer(counts, "cs336-toy", plan=plan)
        assert list(train_to(trainer, num_merges=500)) == [(500, 500)]


TEXT = "of the low of the lower, of the newest: low low\nof the widest and of the lowest of the low\n" * 3
OTHER = "new   newer of the   news\n\nthe news of   the newest"


def superwords() -> Tokenizer:
    return train(TEXT, num_merges=60, special_tokens=["<|end|>"], plan=Plan(stages={12: r"[^\n]+|\n+"}))


def extended() -> Tokenizer:
    first = train(TEXT, num_merges=9, special_tokens=["<|end|>"])
    return train(OTHER, num_merges=25, plan=Plan.extending(first))


@pytest.mark.parametrize("tokenizer", [superwords(), extended()], ids=["superwords", "extended"])
def test_tokenizer_json_gives_the_same_ids(tokenizer: Tokenizer, tmp_path: Path) -> None:
    (path,) = save(tokenizer, tmp_path / "tokenizer.json", "huggingface")
    tokenizers = pytest.importorskip("tokenizers")
    package, again = tokenizers.Tokenizer.from_file(str(path)), load(path)
    for text in (TEXT, OTHER, TEXT + OTHER, "of the low<|end|>of  the low"):
        ids = tokenizer.encode(text)
        assert package.encode(text, add_special_tokens=False).ids == ids
        assert again.encode(text) == ids
    assert any(len(token.split()) > 1 for token in superwords().vocab.values())


def test_the_words_of_a_run_of_superwords_are_what_its_tokenizer_makes_of_them() -> None:
    recipe, plan = train(TEXT, num_merges=0).recipe, Plan(stages={12: r"[^\n]+"})
    corpus = Corpus.from_text(TEXT)
    trainer = Trainer(corpus.count(recipe), recipe, plan=plan, stage_counts=plan.count_stages(corpus, recipe, ()))
    for step in (11, 12, 13, 60, 12, 5):
        trainer.seek(step)
        tokenizer = trainer.tokenizer()
        for word in trainer.words():
            assert tuple(tokenizer.tokenize(b"".join(word.symbols).decode())) == word.symbols
