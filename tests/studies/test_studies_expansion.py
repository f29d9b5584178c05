import pytest

from wug.errors import InputError
from wug.studies.expansion import Changes, plan_study
from wug.studies.study import Scale, read_study

GRID = """
title = "T"
[[trials]]
benchmark = "fake"
task = ["plain", "other"]
learner = ["lstm", {name = "gru", width = 4}, "oracle"]
seeds = [7, 9]
[trials.set]
size = 5
level = [1, 2, 3]
"learner.epochs" = 10
"""


@pytest.fixture
def plan(tmp_path, fake_benchmark):
    """Returns the plan of a study's text."""

    def plan(text=GRID, scale=None, **changes):
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return plan_study(read_study(path, "mine"), scale, Changes(**changes))

    return plan


def options_of(trial):
    return trial.spec["learner"]["options"]


def test_lists_are_axes_and_the_rest_is_fixed(plan):
    trials = plan().trials
    assert len(trials) == len({trial.id for trial in trials}) == 2 * 3 * 3 * 2
    assert {trial.seed for trial in trials} == {7, 9}
    assert {trial.settings["size"] for trial in trials} == {5}
    assert {trial.settings["level"] for trial in trials} == {1, 2, 3}


def test_options_reach_the_learners_that_have_them(plan):
    by_learner = {trial.learner.name: options_of(trial) for trial in plan().trials}
    assert by_learner["lstm"]["epochs"] == by_learner["gru"]["epochs"] == 10
    assert by_learner["gru"]["width"] == 4
    assert by_learner["oracle"] == {}


def test_equal_trials_of_several_blocks_are_one(plan):
    twice = GRID + GRID.removeprefix('\ntitle = "T"')
    assert [trial.id for trial in plan(twice).trials] == [trial.id for trial in plan().trials]


def test_options_may_be_axes(plan):
    text = GRID.replace('"learner.epochs" = 10', '"learner.width" = [2, 3]')
    widths = {(trial.learner.name, options_of(trial).get("width")) for trial in plan(text).trials}
    assert widths == {("lstm", 2), ("lstm", 3), ("gru", 4), ("oracle", None)}


SCALED = (
    GRID
    + """
[trials.scale.smoke]
reduced = "Less."
seeds = 1
task = "plain"
set = {"learner.epochs" = 2, "learner.width" = 1}
[scale.smoke]
reduced = "Less of all."
seeds = 5
set = {level = 1, "learner.epochs" = 3}
"""
)


def test_a_scale_overrides_and_the_blocks_own_more_so(plan):
    trials = plan(SCALED, Scale.SMOKE).trials
    assert len(trials) == 3
    assert {trial.seed for trial in trials} == {1}
    assert {trial.settings["level"] for trial in trials} == {1}
    assert {options_of(trial).get("epochs") for trial in trials} == {2, None}
    assert {options_of(trial).get("width") for trial in trials} == {1, None}
    assert len(plan(SCALED, Scale.PAPER).trials) == len(plan().trials)


def test_the_command_line_overrides_all(plan):
    trials = plan(SCALED, Scale.SMOKE, seeds=2, settings={"level": [4, 5], "learner.epochs": 1}).trials
    assert len(trials) == 3 * 2 * 2
    assert {options_of(trial).get("epochs") for trial in trials} == {1, None}
    assert {trial.settings["level"] for trial in trials} == {4, 5}


def test_learners_are_replaced_and_options_for_those_gone_forgotten(plan, fake_learner):
    trials = plan(SCALED, Scale.SMOKE, learners=["uniform", fake_learner("Steady")]).trials
    assert [trial.learner.name for trial in trials] == ["uniform", "Steady"]
    trials = plan(SCALED, Scale.SMOKE, learners=[fake_learner("Steady")], settings={"learner.bias": 2}).trials
    assert [trial.learner.label for trial in trials] == ["Steady bias=2.0"]


def test_a_setting_goes_to_the_blocks_whose_benchmark_has_it(plan):
    other = '\n[[trials]]\nbenchmark = "bliss"\ntask = "anbn"\nlearner = "uniform"\n'
    trials = plan(GRID + other, settings={"size": 9, "up_to": 5}).trials
    assert {trial.settings.get("size") for trial in trials} == {9, None}
    assert {trial.settings.get("up_to") for trial in trials} == {5, None}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"settings": {"sice": 1}}, "unknown setting 'sice'; did you mean 'size'?"),
        ({"settings": {"learner.widht": 1}}, "unknown learner option 'widht'; did you mean 'width'?"),
        ({"settings": {"size": 0}}, "setting 'size' of fake"),
        ({"settings": {"size": []}}, "'size' is an empty list"),
        ({"settings": {"learner.width": "wide"}}, "option 'width' of LSTM cannot be 'wide'"),
        ({"learners": ["lsmt"]}, "unknown learner 'lsmt'; did you mean 'lstm'?"),
        ({"learners": ["oracle"], "settings": {"learner.width": 3}}, "no learner of this study has options"),
    ],
)
def test_a_wrong_change_is_one_sentence(plan, changes, complaint):
    with pytest.raises(InputError) as error:
        plan(**changes)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"fake"', '"flake"', "unknown benchmark 'flake'; did you mean 'fake'?"),
        ('"plain"', '"plian"', "unknown task of fake 'plian'; did you mean 'plain'?"),
        ("size = 5", "sice = 5", "unknown setting of fake 'sice'; did you mean 'size'?"),
        ('"learner.epochs" = 10', '"learner.epoks" = 10', "unknown learner option 'epoks'; did you mean 'epochs'?"),
        ("width = 4", "widht = 4", "unknown option of GRU 'widht'; did you mean 'width'?"),
    ],
)
def test_a_wrong_name_in_the_file_is_one_sentence(plan, old, new, complaint):
    with pytest.raises(InputError) as error:
        plan(GRID.replace(old, new))
    assert complaint in str(error.value)


def test_the_block_with_the_mistake_is_named(plan):
    with pytest.raises(InputError, match=r"study mine \(block 2 of its \[\[trials\]\]\): unknown task"):
        plan(GRID + '\n[[trials]]\nbenchmark = "fake"\ntask = "no"\nlearner = "uniform"\n')


def test_planning_twice_gives_the_same_trials_in_the_same_order(plan):
    assert [trial.id for trial in plan().trials] == [trial.id for trial in plan().trials]


def test_an_option_that_every_learner_overrides_is_no_mistake(plan):
    trials = plan(
        """
        title = "t"
        [[trials]]
        benchmark = "fake"
        task = "plain"
        learner = [{ name = "lstm", width = 8 }, { name = "gru", width = 4 }]
        [trials.set]
        "learner.width" = 32
        """
    ).trials
    assert sorted(options_of(trial)["width"] for trial in trials) == [4, 8]


def test_tasks_may_be_chosen_by_their_factors(plan):
    by_factor = plan(GRID.replace('["plain", "other"]', '{ initial = ["p", "s"] }'))
    assert {trial.task for trial in by_factor.trials} == {"plain", "shared"}
    mixed = plan(GRID.replace('["plain", "other"]', '["other", { initial = "p" }]'))
    assert {trial.task for trial in mixed.trials} == {"plain", "other"}


def test_the_command_line_leaves_some_of_the_tasks(plan):
    assert {trial.task for trial in plan(tasks=["other"]).trials} == {"other"}
    assert {trial.task for trial in plan(factors={"initial": ["p"]}).trials} == {"plain"}
    all_ids = {trial.id for trial in plan().trials}
    assert {trial.id for trial in plan(tasks=["other"]).trials} < all_ids


def test_a_task_that_the_study_does_not_have_is_refused(plan):
    with pytest.raises(InputError, match="did you mean 'other'"):
        plan(tasks=["plain", "othr"])
    with pytest.raises(InputError, match="has all that is asked for"):
        plan(tasks=["other"], factors={"initial": ["p"]})
