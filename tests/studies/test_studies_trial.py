import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.contents import Content
from wug.errors import InputError
from wug.learners.registry import parse_learner
from wug.studies.trial import canonical_json, group_by_training, plan_trials

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def plan(task="plain", learner="uniform", options=None, seed=1, **given):
    (trial,) = plan_trials("fake", task, given, [parse_learner(learner, options)], [seed])
    return trial


@settings(deadline=None, max_examples=100)
@given(values)
def test_canonical_json_is_read_back_and_stays_the_same(value):
    text = canonical_json(value)
    assert json.loads(text) == value
    assert canonical_json(json.loads(text)) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {"a": {1, 2}}])
def test_what_is_no_json_is_refused(value):
    with pytest.raises(InputError, match="cannot be part of a trial"):
        canonical_json(value)


def test_the_id_is_the_hash_of_the_spec(fake_benchmark):
    trial = plan(size=2)
    assert trial.spec == {
        "benchmark": "fake",
        "version": 1,
        "task": "plain",
        "learner": {"name": "uniform", "options": {}, "content": None},
        "seed": 1,
        "settings": {"size": 2, "level": 1, "folder": "", "broken": ""},
    }
    assert trial.spec_json == canonical_json(trial.spec)
    assert trial.id == hashlib.sha256(trial.spec_json.encode()).hexdigest()[:16]


def test_all_that_decides_the_outcome_changes_the_id(fake_benchmark, monkeypatch):
    trials = [
        plan(),
        plan(task="other"),
        plan(learner="oracle"),
        plan(learner="lstm"),
        plan(learner="lstm", options={"width": 8}),
        plan(seed=2),
        plan(level=2),
    ]
    monkeypatch.setattr(type(fake_benchmark), "version", 2)
    trials.append(plan())
    assert len({trial.id for trial in trials}) == len(trials)


def test_a_default_that_is_written_out_changes_nothing(fake_benchmark):
    assert plan(level=1).id == plan().id
    default = parse_learner("lstm").identity()["options"]["width"]
    assert plan(learner="lstm", options={"width": default}).id == plan(learner="lstm").id


def test_files_count_by_content_and_not_by_place(fake_benchmark, tmp_path):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "data.txt").write_text("1 2 3")
    here, there = plan(folder=str(tmp_path / "here")), plan(folder=str(tmp_path / "there"))
    assert here.id == there.id
    assert here.locations == {"folder": str(tmp_path / "here")}
    assert str(tmp_path) not in here.spec_json
    (tmp_path / "there" / "data.txt").write_text("1 2 4")
    assert plan(folder=str(tmp_path / "there")).id != here.id


def test_a_learners_file_counts_by_content_and_not_by_place(fake_benchmark, tmp_path):
    source = "class Mine:\n    settings = frozenset({'language_modelling'})\n\n    def fit(self, data, seed): ...\n"
    (tmp_path / "a.py").write_text(source)
    (tmp_path / "b.py").write_text(source)
    first, second = plan(learner=f"{tmp_path}/a.py:Mine"), plan(learner=f"{tmp_path}/b.py:Mine")
    assert first.id == second.id
    assert str(tmp_path) not in first.spec_json
    (tmp_path / "b.py").write_text(source + "\n# edited\n")
    assert plan(learner=f"{tmp_path}/b.py:Mine").id != first.id


def test_trials_that_differ_in_judging_alone_share_a_training(fake_benchmark):
    trials = [plan(level=1), plan(level=2), plan(size=5), plan(seed=2), plan(task="other"), plan(learner="oracle")]
    groups = group_by_training(trials)
    assert [len(group) for group in groups] == [2, 1, 1, 1, 1]
    assert groups[0] == trials[:2]


def test_a_task_may_share_the_training_of_another(fake_benchmark):
    assert plan(task="shared").training_key == plan(task="plain").training_key
    assert plan(task="shared").id != plan(task="plain").id


def test_contents_enter_as_their_hash():
    assert canonical_json({"data": Content("ab12", "/somewhere")}) == '{"data":{"sha256":"ab12"}}'
