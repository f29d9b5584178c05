import pytest

from wug.errors import InputError
from wug.studies.study import Scale, builtin_studies, find_study, read_study

BLOCK = """
[[trials]]
benchmark = "fake"
task = "plain"
learner = "uniform"
"""


@pytest.fixture
def study(tmp_path):
    """Returns the study that is read from a text."""

    def read(text):
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return read_study(path, "mine")

    return read


def test_single_values_are_lists_of_one_and_a_count_of_seeds_starts_at_1(study):
    (block,) = study(f'title = "T"\n{BLOCK}seeds = 3').document.trials
    assert block.task == ["plain"]
    assert [entry.name for entry in block.learner] == ["uniform"]
    assert block.seeds == [1, 2, 3]


def test_learners_have_options_of_their_own(study):
    block = BLOCK.replace('"uniform"', '["gru", {name = "lstm", width = 8}]')
    entries = study(f'title = "T"\n{block}').document.trials[0].learner
    assert [(entry.name, entry.options) for entry in entries] == [("gru", {}), ("lstm", {"width": 8})]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("title = ", "mine.toml is not TOML"),
        (BLOCK, "the key 'title' is missing"),
        ('title = "T"', "the key 'trials' is missing"),
        (f'title = "T"\ntitel = "U"\n{BLOCK}', "unknown key 'titel'; did you mean 'title'?"),
        (f'title = "T"\n{BLOCK}benchmrk = 1', "unknown key 'trials.1.benchmrk'; did you mean 'benchmark'?"),
        (f'title = "T"\n{BLOCK}{BLOCK}sedes = 1', "unknown key 'trials.2.sedes'; did you mean 'seeds'?"),
        (f'title = "T"\n{BLOCK}seeds = 0', "'trials.1.seeds': the number of seeds must be at least 1, not 0"),
        (f'title = "T"\n{BLOCK}seeds = []', "'trials.1.seeds' must not be empty"),
        (f'title = "T"\n{BLOCK}seeds = "many"', "'trials.1.seeds': input should be a valid list, not 'many'"),
        (f'title = "T"\n{BLOCK}seeds = [-1]', "'trials.1.seeds.1': input should be greater than or equal to 0, not -1"),
        (f"title = 3\n{BLOCK}", "'title': input should be a valid string, not 3"),
        (f'title = "T"\n{BLOCK}[scale.tiny]\nseeds = 1', "'scale.tiny': the scales are smoke, laptop, paper"),
        (f'title = "T"\n{BLOCK}[scale.smoke]\nseeds = 1', "'scale.smoke' must say under 'reduced' what it reduces"),
        (f'title = "T"\n{BLOCK}[trials.scale.laptop]', "'trials.1.scale.laptop' must say under 'reduced'"),
        (
            f'title = "T"\n{BLOCK}[scale.smoke]\nreduce = "x"',
            "unknown key 'scale.smoke.reduce'; did you mean 'reduced'?",
        ),
        (
            f'title = "T"\n{BLOCK}[trials.scale.smoke]\nreduce = "x"',
            "unknown key 'trials.1.scale.smoke.reduce'; did you mean 'reduced'?",
        ),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_key(study, text, complaint):
    with pytest.raises(InputError) as error:
        study(text)
    assert complaint in str(error.value)
    assert "mine.toml" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        find_study(str(tmp_path / "none.toml"))
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not text in UTF-8"):
        find_study(str(tmp_path / "binary.toml"))


def test_unknown_names_are_answered_with_near_ones(fake_benchmark):
    with pytest.raises(InputError, match="did you mean 'fake/small'"):
        find_study("fake/smal")


def test_studies_come_with_benchmarks(fake_benchmark):
    assert "fake/small" in builtin_studies()
    study = find_study("fake/small")
    assert study.name == "fake/small"
    assert study.document.title == "A small study"


def test_scales(study):
    plain = study(f'title = "T"\n{BLOCK}')
    assert plain.scales == []
    assert plain.choose_scale(None) is None
    assert plain.reduced(None) == ""
    with pytest.raises(InputError, match="has no scales; run it without --scale"):
        plain.choose_scale("smoke")

    smoke = study(f'title = "T"\n{BLOCK}[trials.scale.smoke]\nreduced = "One."\n[scale.smoke]\nreduced = "All."')
    assert smoke.scales == [Scale.SMOKE, Scale.PAPER]
    assert smoke.choose_scale(None) is Scale.PAPER
    assert smoke.reduced(Scale.SMOKE) == "All. One."
    with pytest.raises(InputError, match="unknown scale of mine 'somke'; did you mean 'smoke'"):
        smoke.choose_scale("somke")

    laptop = study(f'title = "T"\n{BLOCK}[scale.laptop]\nreduced = "Less."')
    assert laptop.choose_scale(None) is Scale.LAPTOP
    assert laptop.choose_scale("paper") is Scale.PAPER


@pytest.mark.parametrize("name", sorted(builtin_studies()))
def test_every_built_in_study_can_be_planned_at_every_scale(name):
    from wug.studies.expansion import plan_study

    study = find_study(name)
    assert study.scales == list(Scale)
    for scale in study.scales:
        assert plan_study(study, scale).trials
