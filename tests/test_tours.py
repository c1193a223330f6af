"""Tours are read from files: the shipped ones are complete and true, and a mistake in one is named."""

from pathlib import Path

import pytest

from bpe_gui.engine import EngineError, Tokenizer, train
from bpe_gui.samples import Sample, samples
from bpe_gui.tours import Tour, read_tour, tours

SPACES = next(
    each for each in samples() if each.path.name == "cs336.txt"
)  # a lesson has its subject, and a larger text

VALID = 'title.en = "T"\nsample = "cs336.txt"\n[[stop]]\nsay.en = "S"\nshow = "pairTable"\nstep = 2\n'


def trained(sample: Sample) -> Tokenizer:
    return train(
        sample.read(),
        recipe=sample.recipe,
        special_tokens=sample.special_tokens,
        num_merges=sample.num_merges,
        vocab_size=sample.vocab_size,
    )


def test_four_tours_are_lessons_and_one_of_them_is_about_a_real_tokenizer() -> None:
    lessons = [tour for tour in tours() if tour.is_lesson]
    assert len(lessons) == 4
    assert [tour.sample is None for tour in lessons] == [False, False, False, True]
    assert {tour.sample for tour in tours() if tour.sample} == set(samples()) - {SPACES}


@pytest.mark.parametrize("tour", tours(), ids=lambda tour: tour.title("en"))
def test_a_tour_speaks_both_languages(tour: Tour) -> None:
    assert tour.title("zh_CN") != tour.title("en")
    assert all(stop.sentence("zh_CN") != stop.sentence("en") for stop in tour.stops)
    assert all("zh_CN" in stop.sentences for stop in tour.stops)


@pytest.mark.parametrize("tour", [tour for tour in tours() if tour.sample], ids=lambda tour: tour.title("en"))
def test_the_steps_and_the_tokens_of_a_tour_exist(tour: Tour) -> None:
    assert tour.sample is not None
    tokenizer, step = trained(tour.sample), 0
    for stop in tour.stops:
        step = step if stop.step is None else stop.step
        tokens = tokenizer.at(step).vocab.values()
        assert not stop.select or stop.select.encode() in tokens
        assert not (stop.wrong or stop.right) or stop.expected
        for texts in (stop.right, stop.wrong):
            assert set(texts) in (set(), {"en", "zh_CN"})
        if stop.expected and stop.expected.pair:
            assert tokenizer.merges[step] == stop.expected.pair
    first = tour.stops[0]
    assert first.step == 0
    assert first.select == ""


def test_a_tour_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tour.toml"
    path.write_text(VALID, encoding="utf-8")
    tour = read_tour(path)
    assert tour.title("zh_CN") == "T"
    assert tour.sample in samples()
    stop = tour.stops[0]
    assert (stop.sentence("zh_CN"), stop.show, stop.step, stop.text, stop.select) == ("S", "pairTable", 2, None, None)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[stop]]", "[[stop]", "it is not valid TOML"),
        ("title.en", "title.fr", "the tour needs title.en"),
        ("say.en", "say.fr", "stop 1 needs say.en"),
        ('say.en = "S"', "say.en = 3", "stop 1 needs say.en"),
        ("step = 2", 'step = "2"', "step = '2' in stop 1 is not valid"),
        ("step = 2", "steps = 2", "steps = 2 in stop 1 is not valid"),
        ("step = 2", "expect.step = -1", "expect = {'step': -1} in stop 1 is not valid"),
        ("step = 2", 'expect.pair = ["s"]', r"expect = {'pair': \['s'\]} in stop 1 is not valid"),
        ("step = 2", 'expect.text = "a"\nexpect.step = 3', "expect = .* in stop 1 is not valid"),
        ("step = 2", "expect.tokenizer = false", "expect = {'tokenizer': False} in stop 1 is not valid"),
        ("step = 2", 'expect.word = "a"', "word = 'a' in expect of stop 1 is not valid"),
        ("step = 2", 'right.fr = "a"', "stop 1 needs right.en"),
        ("step = 2", "step = -2", "step = -2 in stop 1 is not valid"),
        ("step = 2", f"step = {10**30}", f"step = {10**30} in stop 1 is not valid"),
        ("step = 2", "step = " + "9" * 5_000, "it is not valid TOML"),
        ("sample =", "samples =", "samples = 'cs336.txt' in the tour is not valid"),
        ("cs336.txt", "cs337.txt", "'cs337.txt' is not one of the samples"),
        (VALID[VALID.index("[[") :], "", r"it has no \[\[stop\]\]"),
        (VALID[VALID.index("[[") :], "stop = [3]", "stop = 3 in stop 1 is not valid"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "tour.toml"
    path.write_text(VALID.replace(old, new), encoding="utf-8")
    with pytest.raises(EngineError, match=message):
        read_tour(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot be read"):
        read_tour(tmp_path / "missing.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(EngineError, match="line 1 is not valid UTF-8"):
        read_tour(tmp_path / "binary.toml")


@pytest.mark.parametrize(
    "hostile",
    [
        "a=" + "[" * 5_000,
        "a={" + "a={" * 5_000,
        "[[\n" * 5_000,
        "a" + ".a" * 200_000 + "=1",
        "a=1\n" + '""' + ' . ""' * 100_000 + "=1",
        "[" + ".'#'" * 200_000 + "]",
        'a = """\n\\""""\n' + "a" + ".a" * 200_000 + "=1",
    ],
)
def test_hostile_nesting_is_refused_before_it_is_parsed(tmp_path: Path, hostile: str) -> None:
    (tmp_path / "tour.toml").write_text(hostile, encoding="utf-8")
    with pytest.raises(EngineError, match="nests brackets or dotted keys too deeply"):
        read_tour(tmp_path / "tour.toml")


def test_a_file_without_an_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "large.toml").write_text("#" * 1_000_001)
    with pytest.raises(EngineError, match="is larger than 1,000,000 bytes, which is too large for this kind"):
        read_tour(tmp_path / "large.toml")
    if (zeros := Path("/dev/zero")).exists():
        with pytest.raises(EngineError, match="is a device or a pipe, not a file"):
            read_tour(zeros)


def test_dots_and_brackets_in_sentences_are_text(tmp_path: Path) -> None:
    text = '[{(."' * 5_000
    path = tmp_path / "tour.toml"
    path.write_text(VALID + f'text = """{text}\\\\""" # {text}', encoding="utf-8")
    assert read_tour(path).stops[0].text == text + "\\"
