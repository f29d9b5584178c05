"""Tasks, judging, data files and answers from elsewhere."""

from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

from wug.benchmarks.mlregtest.benchmark import BENCHMARK
from wug.benchmarks.mlregtest.report import certainty_text
from wug.benchmarks.mlregtest.summary import Run
from wug.benchmarks.mlregtest.tasks import TEST_SETS, ExactClassifier
from wug.errors import InputError, TrialError
from wug.languages.subregular import RegularLanguage, language_names
from wug.learners.registry import build_learner, parse_learner

TASK = "04.04.SL.2.1.1"
SETTINGS = {"test_size": "Small"}


@pytest.fixture(scope="module")
def task():
    return BENCHMARK.build(TASK, BENCHMARK.resolve(TASK, SETTINGS), 1)


def values(scores):
    return {score.measure: score.value for score in scores if not score.item}


def judged(task, name):
    learner = build_learner(parse_learner(name))
    return values(BENCHMARK.judge(task, learner.fit(task.data, 1), BENCHMARK.resolve(TASK, SETTINGS)))


def test_the_task_has_the_paper_s_sets(task):
    assert len(task.data.training) == len(task.data.validation) == 1000
    assert task.data.labels.sum() == 500
    for of in TEST_SETS:
        strings = task.judging.test(of)
        assert len(strings.corpus) == 1000
        assert (task.judging.language.contains(strings.corpus) == strings.labels).all()


def test_the_oracle_is_always_right(task):
    scores = judged(task, "oracle")
    for of in TEST_SETS:
        assert scores[f"accuracy_{of}"] == scores[f"auc_{of}"] == scores[f"f_score_{of}"] == 1
        assert scores[f"brier_{of}"] == 0
    assert scores["accuracy_Train"] == scores["accuracy_Dev"] == 1
    assert scores["accuracy"] == scores["pairs_right_SA"] == scores["pairs_ordered_LA"] == 1


def test_learners_that_know_nothing(task):
    uniform, constant = judged(task, "uniform"), judged(task, "constant")
    assert (uniform["accuracy"], uniform["auc_SR"], uniform["brier_LA"]) == (0, 0.5, 0.25)
    assert (constant["accuracy"], constant["tp_SR"], constant["fp_SR"], constant["pairs_right_SA"]) == (
        0.5,
        500,
        500,
        0,
    )


def test_accuracy_by_length_adds_up(task):
    model = build_learner(parse_learner("constant")).fit(task.data, 1)
    scores = BENCHMARK.judge(task, model, BENCHMARK.resolve(TASK, SETTINGS))
    by_length = {score.item: score.value for score in scores if score.measure == "accuracy_SR" and score.item}
    assert list(by_length) == [f"length {length}" for length in range(20, 30)]
    assert np.mean(list(by_length.values())) == pytest.approx(values(scores)["accuracy_SR"])


def test_a_probability_that_is_no_number_fails_by_name_and_keeps_what_was_scored(task):
    @dataclass
    class FailsLate:
        calls: int = 0

        def classify(self, corpus):
            self.calls += 1
            answers = np.full(len(corpus), 0.9)
            if self.calls == 3:
                answers[7] = np.nan
            return answers

    with pytest.raises(TrialError, match=r"string 8 of LR.*nan") as caught:
        BENCHMARK.judge(task, FailsLate(), {})
    assert "accuracy_SA" in values(caught.value.scores)
    assert "accuracy_LR" not in values(caught.value.scores)


@pytest.mark.parametrize("answer", [np.full(3, 0.5), np.full(1000, 1.5)])
def test_answers_that_are_no_probabilities(task, answer):
    class Odd:
        def classify(self, corpus):
            return answer

    with pytest.raises(TrialError):
        BENCHMARK.judge(task, Odd(), {})


def test_settings_go_with_the_task():
    assert set(BENCHMARK.resolve("random-automata", {})) == {
        "states", "letters", "arcs", "accepting", "automata", "membership"
    }  # fmt: skip
    assert BENCHMARK.resolve(TASK, {"train_size": "mid"})["train_size"] == "Mid"
    for task, setting in ((TASK, "states"), ("random-automata", "train_size")):
        with pytest.raises(InputError, match=setting):
            BENCHMARK.resolve(task, {setting: 3})
    with pytest.raises(InputError, match="Small"):
        BENCHMARK.resolve(TASK, {"test_size": "tiny"})
    with pytest.raises(InputError, match=r"04.04.SL.2.1.1"):
        BENCHMARK.resolve("04.04.SL.2.1.10", {})
    with pytest.raises(InputError, match="class"):
        BENCHMARK.resolve("random-automata", {"membership": "XL"})


def test_trials_that_differ_in_test_size_share_their_training():
    small, large = (BENCHMARK.resolve(TASK, {"test_size": size}) for size in ("Small", "Large"))
    assert BENCHMARK.training_settings(TASK, small) == BENCHMARK.training_settings(TASK, large)
    seeded = BENCHMARK.resolve(TASK, {"data_seed": 2})
    assert BENCHMARK.training_settings(TASK, small) != BENCHMARK.training_settings(TASK, seeded)


def test_languages_of_a_file_are_tasks(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text('[[languages]]\nname = "harmony"\nalphabet = "sza"\npattern = "{s,z}: not [sz] and not [zs]"\n')
    settings = BENCHMARK.resolve("harmony", {"languages": str(file), "test_size": "Small"})
    elsewhere = tmp_path / "copy.toml"
    elsewhere.write_bytes(file.read_bytes())
    assert BENCHMARK.resolve("harmony", {"languages": str(elsewhere), "test_size": "Small"}) == settings
    task = BENCHMARK.build("harmony", settings, 1)
    scores = values(BENCHMARK.judge(task, ExactClassifier(task.judging.language), settings))
    assert scores["accuracy"] == 1
    with pytest.raises(InputError, match="harmony"):
        BENCHMARK.resolve("harmonie", {"languages": str(file)})


def test_data_of_one_language_of_a_class_and_of_all(tmp_path):
    assert BENCHMARK.data_tasks(TASK, {}) == [TASK]
    assert BENCHMARK.data_tasks("", {"class": "Zp"}) == language_names("Zp")
    assert BENCHMARK.data_tasks("all", {}) == language_names()
    for task, options in (("", {}), (TASK, {"class": "SL"}), ("random-automata", {}), ("", {"class": "XL"})):
        with pytest.raises(InputError):
            BENCHMARK.data_tasks(task, options)
    files = list(BENCHMARK.write_data(TASK, {"size": "small", "format": "parquet"}, 1, tmp_path))
    assert len(files) == 7
    frame = pl.read_parquet(tmp_path / "Small" / f"{TASK}_TestSA.parquet")
    assert len(frame) == 1000


def test_data_of_one_s_own_sizes_and_lengths(tmp_path):
    options = {"strings": 40, "short_lengths": 8, "long_lengths": "10,12"}
    files = list(BENCHMARK.write_data(TASK, options, 1, tmp_path))
    lines = files[0].read_text().splitlines()
    assert len(lines) == 40
    assert {len(line.split("\t")[0]) for line in lines} == {8}
    for wrong in ({"strings": 40, "size": "small"}, {"short_lengths": "8-"}, {"strings": 41}):
        with pytest.raises(InputError):
            list(BENCHMARK.write_data(TASK, wrong, 1, tmp_path))


def answers_of(task, sets=TEST_SETS):
    """Return (word, truth) of the given test sets."""
    for of in sets:
        strings = task.judging.test(of)
        for i, label in enumerate(strings.labels):
            yield strings.corpus.text(i), bool(label)


@pytest.mark.parametrize("ending", ["tsv", "csv", "parquet", "txt"])
def test_labels_from_elsewhere_are_judged_like_a_trial(task, tmp_path, ending):
    file = tmp_path / f"answers.{ending}"
    frame = pl.DataFrame(
        [(word, str(truth).upper()) for word, truth in answers_of(task)], ["string", "label"], orient="row"
    )
    if ending == "parquet":
        frame.write_parquet(file)
    elif ending == "txt":
        frame.write_csv(file, separator="\t", include_header=False)
    else:
        frame.write_csv(file, separator="," if ending == "csv" else "\t")
    scores = values(BENCHMARK.score_file(TASK, BENCHMARK.resolve(TASK, SETTINGS), 1, file))
    assert scores == {
        name: value for name, value in judged(task, "oracle").items() if not name.endswith(("Train", "Dev"))
    }


def test_probabilities_from_elsewhere(task, tmp_path):
    file = tmp_path / "answers.tsv"
    lines = [f"{word}\t{0.75 if truth else 0.5}" for word, truth in answers_of(task)]
    file.write_text("string\tprobability\n" + "\n".join(lines) + "\n")
    scores = values(BENCHMARK.score_file(TASK, BENCHMARK.resolve(TASK, SETTINGS), 1, file))
    assert (scores["accuracy_SR"], scores["auc_SR"], scores["pairs_ordered_SA"], scores["pairs_right_SA"]) == (
        0.5,
        1,
        1,
        0,
    )


def test_sets_that_are_not_answered_whole_are_named(task, tmp_path):
    file = tmp_path / "answers.tsv"
    file.write_text("".join(f"{word}\t{truth}\n" for word, truth in answers_of(task, TEST_SETS[:2])))
    scores = BENCHMARK.score_file(TASK, BENCHMARK.resolve(TASK, SETTINGS), 1, file)
    assert values(scores)["accuracy"] == 1
    missing = {score.measure for score in scores if score.value is None and "missing" in score.note}
    assert missing == {"accuracy_LR", "accuracy_LA"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "cannot be read"),
        ("abc\tTRUE\n", "answers no test set"),
        ("abc\tTRUE\nabc\tFALSE\n", "answered twice"),
        ("abc\t1.5\n", "from 0 to 1"),
        ("abc\tnan\n", "from 0 to 1"),
        ("abc\tmaybe\n", "'maybe' is no probability"),
        ("string\tlabel\nabc\tyes\n", "TRUE or FALSE"),
        ("string\tanswer\nabc\tTRUE\n", "the columns must be"),
        ("a\tb\tc\n", "two columns"),
    ],
)
def test_files_that_are_no_answers(task, tmp_path, content, reason):
    file = tmp_path / "answers.tsv"
    file.write_text(content)
    with pytest.raises(InputError, match=reason):
        BENCHMARK.score_file(TASK, BENCHMARK.resolve(TASK, SETTINGS), 1, file)


def test_a_co_language_has_its_partner_s_strings_with_labels_exchanged():
    settings = BENCHMARK.resolve("04.04.coSL.2.1.1", SETTINGS)
    own = BENCHMARK.build("04.04.coSL.2.1.1", settings, 1)
    partner = BENCHMARK.build(TASK, settings, 1)
    assert (own.data.training.tokens == partner.data.training.tokens).all()
    assert (own.data.labels == ~partner.data.labels).all()
    assert RegularLanguage.named("04.04.coSL.2.1.1").accepts("ab")


def test_languages_are_chosen_by_their_factors():
    assert len(BENCHMARK.select_tasks({})) == 1800
    assert BENCHMARK.select_tasks({"class": "Zp", "alphabet": 4, "k": 5}) == ["04.04.Zp.5.1.8", "04.04.Zp.5.1.9"]
    grid = BENCHMARK.select_tasks({"alphabet": 16, "tier": [7, 16], "k": [0, 3, 4], "j": [0, 1, 2], "i": [3, 6]})
    assert len(grid) == 32  # the paper's Table 25
    with pytest.raises(InputError, match="did you mean 'class'"):
        BENCHMARK.select_tasks({"clas": "SL"})
    with pytest.raises(InputError, match="no language has class SL, k 7"):
        BENCHMARK.select_tasks({"class": "SL", "k": 7})


def test_the_report_says_how_well_a_test_set_determines_an_accuracy():
    runs = [Run("a", "t", "l", 1, {"test_size": size}, {}) for size in ("Large", "Mid", "Mid")]
    assert certainty_text(runs) == (
        "One model's accuracy of 80% on one test set is known from 10,000 strings (Mid) within 0.78 points, "
        "from 100,000 strings (Large) within 0.25 points (95%)."
    )
