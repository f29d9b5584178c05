"""The loader of the original's results, and its way into the tables."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from wug.benchmarks.mlregtest.all_evals import read_all_evals
from wug.benchmarks.mlregtest.observations import SCHEMA
from wug.benchmarks.mlregtest.paper_tables import Rule, tables
from wug.benchmarks.mlregtest.paper_tables.means import means_table
from wug.benchmarks.mlregtest.paper_tables.sample import Sample
from wug.errors import InputError

COLUMNS = (
    "alph,tier,class,k,j,i,direction,network_type,drop,train_set_size,test_type,"
    "tp,fp,tn,fn,tpr,fpr,precision,fscore,accuracy,auc,brier"
)
ROW = "04,03,TSL,2,1,0,uni,simple,0.1,Small,SA,40000,10000,40000,10000,0.8,0.2,0.8,0.8,0.8,0.87,0.15"


def wug(*arguments):
    command = [sys.executable, "-m", "wug", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def as_all_evals(observations):
    """Observations as the original's script writes them."""
    return observations.select(
        pl.col("alph", "tier").cast(pl.String).str.zfill(2),
        "class",
        "k",
        "j",
        "i",
        direction=pl.lit("uni"),
        network_type=pl.col("nn_type").replace("srn", "simple"),
        drop=pl.lit("0.1"),
        train_set_size="train_size",
        test_type="test_type",
        **{name: pl.lit(0) for name in ("tp", "fp", "tn", "fn", "tpr", "fpr")},
        precision=pl.lit("nan"),
        fscore="fscore",
        accuracy="accuracy",
        auc="auc",
        brier="brier",
    )


@pytest.fixture
def file(tmp_path):
    def write(*rows, columns=COLUMNS):
        path = tmp_path / "all_evals.csv"
        path.write_text("\n".join([columns, *rows]) + "\n", encoding="utf-8")
        return path

    return write


def test_a_row_becomes_an_observation(file):
    frame = read_all_evals(file(ROW))
    assert frame.schema == pl.Schema(SCHEMA)
    assert frame.row(0, named=True) == {
        "alph": 4, "tier": 3, "class": "TSL", "k": 2, "j": 1, "i": 0, "nn_type": "srn", "train_size": "Small",
        "test_type": "SA", "accuracy": 0.8, "auc": 0.87, "brier": 0.15, "fscore": 0.8, "trial": None,
    }  # fmt: skip


def test_all_rows_come_back_and_give_the_same_tables(observations, tmp_path):
    part = observations.filter(pl.col("train_size") == "Small", pl.col("i") < 2)
    path = tmp_path / "all_evals.csv"
    as_all_evals(part).sample(fraction=1.0, shuffle=True, seed=1).write_csv(path)
    frame = read_all_evals(path)
    assert len(frame) == len(part) > 0
    ours, theirs = ({table.title: table for table in tables(rows)} for rows in (part.drop("trial"), frame))
    assert theirs == ours


@pytest.mark.parametrize("entry", ["nan", "NA", ""])
def test_measures_that_were_not_defined_are_empty(file, entry):
    fields = ROW.split(",")
    fields[17] = fields[18] = entry  # precision and F-score
    assert read_all_evals(file(",".join(fields)))["fscore"].to_list() == [None]


def test_a_model_with_another_dropout_is_a_model_of_its_own(file):
    rows = read_all_evals(file(ROW, ROW.replace(",0.1,Small", ",0.2,Small")))
    assert len(rows) == 2


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (ROW, "row 2 is of the same model and test as row 1"),
        (ROW.replace("simple", "bilstm"), "row 2: network_type 'bilstm' is none of simple, gru, lstm, transformer"),
        (ROW.replace("04,03", "four,03"), "row 2: alph is a number, not 'four'"),
        (ROW.replace("0.8,0.87", "80%,0.87"), "row 2: accuracy is a number, not '80%'"),
        (ROW.replace("0.8,0.87", "8.0,0.87"), "row 2: accuracy is from 0 to 1, not 8.0"),
        (ROW.replace("0.8,0.87", "NA,0.87"), "row 2: accuracy is empty"),
        (ROW.replace("SA", "XX"), "row 2: test_type 'XX' is none of"),
        (ROW.replace("TSL", "LP"), "row 2: class 'LP' is none of"),
        (ROW.replace("Small", "Medium"), "row 2: train_size 'Medium' is none of"),
        (ROW.replace("simple", ""), "row 2: network_type None is none of"),
    ],
)
def test_a_wrong_row_is_named(file, row, sentence):
    path = file(ROW.replace("uni", "bi") if row != ROW else ROW, row)
    with pytest.raises(InputError, match=sentence) as caught:
        read_all_evals(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_missing_file_or_column_is_named(file, tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        read_all_evals(tmp_path / "none.csv")
    with pytest.raises(InputError, match="has a column network_type, which is missing here"):
        read_all_evals(file(ROW, columns=COLUMNS.replace("network_type", "network")))
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    with pytest.raises(InputError, match=r"empty\.csv cannot be read"):
        read_all_evals(empty)


def test_a_reprint_agrees_by_the_printed_digits(observations):
    """Accuracies that depend on the size of training alone, as Table 8 has them."""
    exact = {"Small": 0.76949, "Mid": 0.8536, "Large": 0.8880}
    rows = observations.with_columns(accuracy=pl.col("train_size").replace_strict(exact, return_dtype=pl.Float64))
    for rule, verdicts in ((Rule.REPRINT, ["agrees", "agrees", "differs"]), (Rule.RERUN, ["agrees"] * 3)):
        table = means_table(Sample.of(rows, rule), "train_size")
        assert [cells[0].verdict for _, cells in table.rows] == verdicts


def test_the_paper_s_tables_are_printed_again(tmp_path, make_observations):
    """From the results of one network: a page, its tables as CSV, cells of other networks not run."""
    file = tmp_path / "all_evals.csv"
    as_all_evals(make_observations(np.random.default_rng(3), networks=("gru",))).write_csv(file)
    done = wug("reprint", "mlregtest", file, "-o", tmp_path / "pages", "--json")
    assert done.returncode == 0, done.stderr
    files = json.loads(done.stdout)
    assert Path(files["index"]) == tmp_path / "pages" / "index.html"
    assert (tmp_path / "pages" / "mlregtest.html").stat().st_size > 10_000
    (table,) = (tmp_path / "pages" / "tables").glob("*table-23*.csv")
    rows = pl.read_csv(table, infer_schema=False)
    assert rows.filter(pl.col("row") == "GRU")["verdict"].is_in(["agrees", "differs"]).all()
    assert rows.filter(pl.col("row") == "LSTM")["verdict"].to_list() == ["not run"] * 3


def test_what_cannot_be_printed_again_is_refused(tmp_path):
    (tmp_path / "all_evals.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    wrong = wug("reprint", "mlregtest", tmp_path / "all_evals.csv", "-o", tmp_path / "pages")
    assert (wrong.returncode, "an all_evals.csv has a column" in wrong.stderr) == (2, True)
    other = wug("reprint", "bliss", tmp_path / "all_evals.csv")
    assert (other.returncode, "no published results of bliss" in other.stderr) == (2, True)
    assert not (tmp_path / "pages").exists()
