"""What people who train elsewhere get and give."""

import json

import numpy as np
import polars as pl
import pytest

from wug.benchmarks.bliss.benchmark import BENCHMARK
from wug.errors import InputError
from wug.learners.baselines import Baseline
from wug.sequences import Corpus

SETTINGS = {"train": 100, "b": 0.05}


@pytest.fixture
def task():
    return BENCHMARK.build("anbmcnm", BENCHMARK.resolve("anbmcnm", SETTINGS), 1)


@pytest.fixture
def answers(task):
    """The exact probabilities as a frame: string, step, one column a symbol."""
    corpus = task.judging.test.corpus
    truth = task.judging.language.language.next_symbols(corpus)
    rows = truth.probabilities[truth.situations]
    lengths = np.asarray(corpus.lengths) + 1
    frame = {
        "string": np.repeat(np.arange(len(corpus)), lengths),
        "step": np.concatenate([np.arange(length) for length in lengths]),
    }
    return pl.DataFrame(frame | {symbol: rows[:, c] for c, symbol in enumerate(corpus.vocabulary.symbols)})


def score(file) -> dict[str, object]:
    scores = BENCHMARK.score_file("anbmcnm", BENCHMARK.resolve("anbmcnm", SETTINGS), 1, file)
    return {one.measure: one.value for one in scores}


def test_written_data_are_the_tasks_data(tmp_path, task):
    train, test, about = BENCHMARK.write_data("anbmcnm", BENCHMARK.resolve("anbmcnm", SETTINGS), 1, tmp_path / "new")
    vocabulary = task.data.vocabulary
    assert list(Corpus.read_text(train, vocabulary).texts()) == list(task.judging.training.texts())
    assert list(Corpus.read_text(test, vocabulary).texts()) == list(task.judging.test.corpus.texts())
    assert json.loads(about.read_text())["symbols"] == ["#", "a", "b", "c"]


@pytest.mark.parametrize("kind", ["parquet", "npz"])
def test_exact_answers_get_what_the_oracle_gets(tmp_path, task, answers, kind):
    file = tmp_path / f"answers.{kind}"
    if kind == "npz":
        np.savez_compressed(file, probabilities=answers.select("#", "a", "b", "c").to_numpy().astype(np.float32))
    else:
        answers.sample(fraction=1, shuffle=True, seed=1).write_parquet(file)
    settings = BENCHMARK.resolve("anbmcnm", SETTINGS)
    oracle = BENCHMARK.judge(task, Baseline("oracle").fit(task.data, 1), settings)
    expected = {one.measure: one.value for one in oracle}
    for measure, value in score(file).items():
        assert value == pytest.approx(expected[measure], abs=1e-6), measure


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda f: f.drop("b"), "column 'b' is missing"),
        (lambda f: f.slice(0, len(f) - 1), "but the file ends"),
        (lambda f: pl.concat([f, f.tail(1)]), "the file should end here"),
        (lambda f: f.filter(pl.int_range(len(f)) != 5), "string 0, step 5 is expected here"),
        (lambda f: f.with_columns(pl.col("a") * 2), "string 0, step 0: .* is no distribution"),
        (lambda f: f.with_columns(pl.lit(float("nan")).alias("a")), "is no distribution"),
        (lambda f: f.with_columns(pl.lit("x").alias("step")), "conversion"),
    ],
)
def test_wrong_answers_get_one_sentence(tmp_path, answers, spoil, words):
    file = tmp_path / "answers.parquet"
    spoil(answers).write_parquet(file)
    with pytest.raises(InputError, match=words) as caught:
        score(file)
    assert "\n" not in str(caught.value)


def test_wrong_files_get_one_sentence(tmp_path):
    np.savez(tmp_path / "shape.npz", probabilities=np.ones((3, 4)))
    np.savez(tmp_path / "name.npz", p=np.ones((3, 4)))
    (tmp_path / "text.npz").write_text("nothing")
    (tmp_path / "text.parquet").write_text("nothing")
    for name, words in {
        "shape.npz": r"must have the shape \(\d+, 4\)",
        "name.npz": "no array 'probabilities', only p",
        "text.npz": "cannot be read as .npz",
        "text.parquet": "cannot be read as Parquet",
        "answers.csv": "does not exist",
    }.items():
        with pytest.raises(InputError, match=words):
            score(tmp_path / name)
    (tmp_path / "answers.csv").write_text("string,step\n")
    with pytest.raises(InputError, match=r"from \.parquet or \.npz, not '\.csv'"):
        score(tmp_path / "answers.csv")


def test_an_array_of_objects_is_refused_unread(tmp_path):
    np.savez(tmp_path / "objects.npz", probabilities=np.array([{"a": 1}], dtype=object))
    with pytest.raises(InputError, match=r"cannot be read as \.npz"):
        score(tmp_path / "objects.npz")
