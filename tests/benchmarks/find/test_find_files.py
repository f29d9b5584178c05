"""Files to fill in, and what somebody else's system wrote into them."""

import json
import math

import polars as pl
import pytest

from wug.benchmarks.find.benchmark import BENCHMARK
from wug.benchmarks.find.measures import pair_nats
from wug.benchmarks.find.tasks import Pair
from wug.errors import InputError
from wug.learners.registry import build_learner, parse_learner

TASK = "add-or-multiply"
SETTINGS = {"l": 5, "seeds": 3}


def read(path):
    return [line.split("\t") for line in path.read_text().splitlines()]


def write(path, rows):
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    return path


@pytest.fixture
def data(tmp_path):
    """The files of a task, and its judging."""
    files = list(BENCHMARK.write_data(TASK, SETTINGS, 4, tmp_path))
    settings = BENCHMARK.resolve(TASK, SETTINGS)
    return {file.name: file for file in files}, BENCHMARK.build(TASK, settings, 4).judging, settings


def judged(data, file):
    scores = BENCHMARK.score_file(TASK, data[2], 4, file)
    whole = {score.measure: score.value for score in scores if not score.item}
    items = {(score.measure, score.item): score.value for score in scores if score.item}
    return whole, items


def answered(data, rules):
    """Fill the predictions in: each seed follows the rule that is given for it."""
    files, judging, _ = data
    heading, *rows = read(files["predictions.tsv"])
    answers = [
        (seed, source, " ".join(judging.task.answers(rules[int(seed)])[tuple(source.split())]))
        for seed, source, _ in rows
    ]
    return write(files["predictions.tsv"], [heading, *answers])


def coded(data, learner):
    """Fill the code lengths in, by training a learner as the files say."""
    files, judging, _ = data
    heading, *rows = read(files["nats.tsv"])
    trained = [Pair(tuple(x.split()), tuple(y.split())) for x, y in read(files["train.tsv"])[1:]]
    outputs = {(rule, source): tuple(output.split()) for rule, source, output in read(files["rules.tsv"])[1:]}
    filled = []
    for seed, rule, block, source, _ in rows:
        before = [
            Pair(tuple(x.split()), outputs[rule, x])
            for s, r, b, x, _ in rows
            if (s, r) == (seed, rule) and int(b) < int(block)
        ]
        model = build_learner(parse_learner(learner)).fit(judging.encoding.data([*trained, *before]), int(seed))
        pair = Pair(tuple(source.split()), outputs[rule, source])
        filled.append((seed, rule, block, source, pair_nats(model, judging.encoding, [pair])[0]))
    return write(files["nats.tsv"], [heading, *filled])


def test_the_files_hold_the_task(data):
    files, judging, _ = data
    assert set(files) == {"train.tsv", "rules.tsv", "predictions.tsv", "nats.tsv", "task.json"}
    assert read(files["train.tsv"])[1:] == [["a a a a a", "b b b b b b b b b b"]]
    assert len(read(files["rules.tsv"])) == 1 + 3 * 7
    assert len(read(files["predictions.tsv"])) == 1 + 3 * 7
    assert len(read(files["nats.tsv"])) == 1 + 3 * 3 * 6
    assert {row[0] for row in read(files["nats.tsv"])[1:]} == {"4", "5", "6"}
    about = json.loads(files["task.json"].read_text())
    assert about["settings"]["l"] == 5
    assert about["rules"] == ["add", "mul", "mem"]
    assert judging.encoding.target.size == about["target_classes"] == 8


def test_answers_give_fpa_and_kinds(data):
    whole, items = judged(data, answered(data, {4: "mul", 5: "mul", 6: "add"}))
    assert (whole["FPA:mul"], whole["FPA:add"], whole["FPA:mem"]) == pytest.approx((2 / 3, 1 / 3, 0))
    assert whole["FPA_low:mul"] == pytest.approx(0.2077, abs=1e-4)
    assert items["agrees:add", "seed 6"] == 1
    assert ("response:mul", "seed 4: a^3") in items
    assert all(items["training_share", f"seed {seed}"] == 1 for seed in (4, 5, 6))


@pytest.mark.parametrize("learner", ["n-gram-s2s", "uniform"])
def test_code_lengths_give_what_a_trial_gives(data, learner):
    settings = data[2]
    task = BENCHMARK.build(TASK, settings, 4)
    fits = BENCHMARK.fit(task, build_learner(parse_learner(learner)), 4)
    scores = {(s.measure, s.item): s.value for s in BENCHMARK.judge(task, fits, settings) if s.measure.startswith("L_")}
    whole, items = judged(data, coded(data, learner))
    for (measure, item), value in scores.items():
        assert (items[measure, item] if item else whole[measure]) == pytest.approx(value), (measure, item)


def test_an_output_of_probability_zero_is_infinite(data):
    files = data[0]
    heading, *rows = read(files["nats.tsv"])
    rows = [(*row[:4], "inf" if row[1] == "mem" else 1.0) for row in rows]
    scores = BENCHMARK.score_file(TASK, data[2], 4, write(files["nats.tsv"], [heading, *rows]))
    whole = {score.measure: score for score in scores if not score.item}
    assert whole["L_nats:mem"].value is None
    assert "infinite under seed 4" in whole["L_nats:mem"].note
    assert whole["L_nats:add"].value == 6


def test_answers_that_did_not_end(data):
    files, judging, _ = data
    answered(data, dict.fromkeys((4, 5, 6), "mem"))
    heading, *rows = read(files["predictions.tsv"])
    rows = [[*row, "FALSE" if row[0] == "5" else "TRUE"] for row in rows]
    whole, _ = judged(data, write(files["predictions.tsv"], [[*heading, "terminated"], *rows]))
    assert whole["FPA:mem"] == pytest.approx(2 / 3)
    assert whole["share:not-terminated"] == pytest.approx(1 / 3)
    assert judging.task.name == TASK


def test_other_forms_of_the_file(data, tmp_path):
    file = answered(data, dict.fromkeys((4, 5, 6), "add"))
    frame = pl.read_csv(file, separator="\t", infer_schema=False)
    frame.write_csv(tmp_path / "answers.csv")
    frame.with_columns(pl.col("seed").cast(pl.Int64)).write_parquet(tmp_path / "answers.parquet")
    assert judged(data, tmp_path / "answers.csv") == judged(data, tmp_path / "answers.parquet") == judged(data, file)


def test_an_empty_input_and_an_empty_answer(tmp_path):
    files = {file.name: file for file in BENCHMARK.write_data("count", {"l": 10}, 1, tmp_path)}
    heading, *rows = read(files["predictions.tsv"])
    assert rows[0][1] == ""
    write(files["predictions.tsv"], [heading, *((seed, x, x.replace("a", "b")) for seed, x, _ in rows)])
    scores = BENCHMARK.score_file("count", BENCHMARK.resolve("count", {"l": 10}), 1, files["predictions.tsv"])
    assert {score.measure: score.value for score in scores if not score.item}["FPA:count"] == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda rows: rows[:-1], "seed 6 has no answer to 'a\\^8'"),
        (lambda rows: [*rows, rows[0]], "line 23: seed 4 answers 'a a' twice"),
        (lambda rows: [[*rows[0][:2], "?"], *rows[1:]], "line 2: seed 4 has no answer to 'a a'"),
        (lambda rows: [["one", *rows[0][1:]], *rows[1:]], "a seed is a whole number, not 'one'"),
        (lambda rows: [[rows[0][0], "c", "b"], *rows[1:]], "'c' is no probe"),
        (lambda rows: [], "holds no answer"),
    ],
)
def test_answers_that_cannot_be_judged(data, change, reason):
    file = answered(data, dict.fromkeys((4, 5, 6), "add"))
    heading, *rows = read(file)
    with pytest.raises(InputError, match=reason):
        judged(data, write(file, [heading, *change(rows)]))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda rows: rows[:-1], "seed 6, rule mem, there is no '.*' in block 6"),
        (lambda rows: [*rows, rows[0]], "comes twice for seed 4, rule add"),
        (lambda rows: [[*rows[0][:4], "?"], *rows[1:]], "no number of nats yet"),
        (lambda rows: [[*rows[0][:4], "-1"], *rows[1:]], "from 0 up"),
        (lambda rows: [[*rows[0][:4], "nan"], *rows[1:]], "from 0 up"),
        (lambda rows: [[*rows[0][:4], "much"], *rows[1:]], "'much' is no number"),
        (lambda rows: [["4", "sub", *rows[0][2:]], *rows[1:]], "'sub' is none of add, mul, mem"),
        (lambda rows: [[*rows[0][:2], "x", *rows[0][3:]], *rows[1:]], "a block is a number"),
        (lambda rows: [[*rows[0][:2], "2", *rows[0][3:]], *rows[1:]], "in block 1; all rules"),
        (lambda rows: [*rows, [*rows[0][:2], "7", *rows[0][3:]]], "does not belong in block 7"),
        (lambda rows: [], "holds no code length"),
    ],
)
def test_code_lengths_that_cannot_be_judged(data, change, reason):
    file = coded(data, "uniform")
    heading, *rows = read(file)
    with pytest.raises(InputError, match=reason):
        judged(data, write(file, [heading, *change(rows)]))


def test_files_that_are_no_answers(data, tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        judged(data, tmp_path / "missing.tsv")
    with pytest.raises(InputError, match="the columns must be"):
        judged(data, write(tmp_path / "x.tsv", [["a", "b"], [1, 2]]))
    with pytest.raises(InputError, match="cannot be read"):
        judged(data, write(tmp_path / "y.tsv", []))
    file = answered(data, dict.fromkeys((4, 5, 6), "add"))
    heading, *rows = read(file)
    with pytest.raises(InputError, match="TRUE or FALSE"):
        judged(data, write(file, [[*heading, "terminated"], *([*row, "maybe"] for row in rows)]))


def test_no_code_lengths_are_asked_where_none_are_measured(tmp_path):
    files = BENCHMARK.write_data(TASK, {"description_length": "none"}, 1, tmp_path)
    assert "nats.tsv" not in {file.name for file in files}
    assert BENCHMARK.data_tasks(TASK, {}) == [TASK]
    with pytest.raises(InputError):
        BENCHMARK.data_tasks("count", {"d": 4})


def test_the_worked_example_by_hand():
    """A uniform predictor over 8 classes on count, l = 40: 20 outputs with their end symbols, each symbol ln 8 nats."""
    settings = BENCHMARK.resolve("count", {})
    task = BENCHMARK.build("count", settings, 1)
    scores = BENCHMARK.judge(task, BENCHMARK.fit(task, build_learner(parse_learner("uniform")), 1), settings)
    found = {score.measure: score.value for score in scores if not score.item}
    assert found["L_nats:mem"] == pytest.approx(20 * 41 * math.log(8))
    assert found["L_bits:count"] == pytest.approx(3 * sum(m + 1 for m in range(30, 51) if m != 40))
