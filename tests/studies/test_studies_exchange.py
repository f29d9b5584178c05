import csv
import json

import polars as pl
import pytest

from wug.errors import InputError, WugError
from wug.studies.exchange import COLUMNS, export_results, import_results
from wug.studies.executor import failed_results
from wug.studies.expansion import Changes, plan_study
from wug.studies.running import run_group
from wug.studies.store import Store
from wug.studies.study import find_study
from wug.studies.trial import canonical_json, trial_id

MAY_DIFFER = ["started", "finished", "wall_s", "cpu_s", "peak_mb", "host", "worker", "attempt"]


@pytest.fixture
def plan(fake_benchmark, fake_learner):
    return plan_study(find_study("fake/small"), None, Changes(learners=[fake_learner("Steady"), "uniform"]))


@pytest.fixture
def make_store(plan, tmp_path):
    """Returns a folder with a store in which the first trials are done, one failed, and the rest are waiting."""

    def make(name, n_done=6, n_failed=1):
        folder = tmp_path / name
        done = [trial for trial in plan.trials if trial.learner.name == "Steady"][:n_done]
        failed = [trial for trial in plan.trials if trial.learner.name == "uniform"][:n_failed]
        with Store.writing(folder) as store:
            store.register(plan, "wug run")
            store.record(run_group(done, worker="here"))
            store.record(failed_results(failed, "it broke", "now", worker=name, attempt=2))
        return folder

    return make


def export(folder, file):
    with Store.reading(folder) as store:
        return export_results(store, file)


def merge(folder, file):
    with Store.writing(folder) as store:
        return import_results(store, file)


def test_an_export_has_a_row_a_score_and_one_for_a_trial_without(make_store, tmp_path, plan):
    assert export(make_store("a"), tmp_path / "a.parquet") == 7
    table = pl.read_parquet(tmp_path / "a.parquet")
    assert tuple(table.columns) == COLUMNS
    assert len(table) == 6 * 5 + 1
    assert table["trial"].is_sorted()
    (failed,) = table.filter(pl.col("status") == "failed").rows(named=True)
    assert failed["error"] == "it broke"
    assert failed["measure"] is failed["value"] is None
    first = next(trial for trial in plan.trials if trial.learner.name == "Steady")
    rows = table.filter(pl.col("trial") == first.id)
    assert rows["measure"].to_list() == ["mean", "success", "missing", "part", "part"]
    assert rows["item"].to_list() == ["", "", "", "first", "second"]
    assert rows["note"].to_list()[2:4] == ["there is none", 'a note, with "quotes" and ;']
    assert set(rows["spec"]) == {first.spec_json}
    assert set(rows["study"]) == {"fake/small"}


def test_a_csv_file_has_every_number_in_full_precision(make_store, tmp_path):
    folder = make_store("a")
    export(folder, tmp_path / "a.csv")
    export(folder, tmp_path / "a.parquet")
    with (tmp_path / "a.csv").open(newline="") as file:
        values = [float(row["value"]) if row["value"] else None for row in csv.DictReader(file)]
    assert values == pl.read_parquet(tmp_path / "a.parquet")["value"].to_list()
    assert 0.1 + 0.2 in values


def test_equal_runs_give_equal_exports_but_for_the_named_columns(make_store, tmp_path):
    tables = []
    for name in ("a", "b"):
        export(make_store(name), tmp_path / f"{name}.parquet")
        tables.append(pl.read_parquet(tmp_path / f"{name}.parquet"))
    assert not tables[0].equals(tables[1])
    assert tables[0].drop(MAY_DIFFER).equals(tables[1].drop(MAY_DIFFER))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_what_is_exported_and_imported_is_exported_again_as_it_was(make_store, tmp_path, ending):
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    export(make_store("a"), first)
    imported = merge(tmp_path / "b", first)
    assert (imported.added, imported.known, imported.differing) == (7, 0, ())
    export(tmp_path / "b", second)
    assert second.read_bytes() == first.read_bytes()


def test_an_import_adds_what_is_missing_and_leaves_what_is_done(make_store, tmp_path):
    export(make_store("a", n_done=6), tmp_path / "a.csv")
    folder = make_store("b", n_done=4, n_failed=2)
    imported = merge(folder, tmp_path / "a.csv")
    assert (imported.added, imported.known, imported.differing) == (3, 4, ())
    assert merge(folder, tmp_path / "a.csv").added == 1  # the failed one again: nothing better is known of it
    with Store.reading(folder) as store:
        (status,) = store.studies()
        assert (status.done, status.failed) == (6, 2)


def test_other_scores_of_a_done_trial_are_reported_and_not_taken(make_store, tmp_path):
    folder = make_store("a")
    export(folder, tmp_path / "a.parquet")
    table = pl.read_parquet(tmp_path / "a.parquet")
    trial = table.filter(pl.col("measure") == "mean")["trial"][0]
    changed = pl.when((pl.col("trial") == trial) & (pl.col("measure") == "mean")).then(pl.lit(99.0))
    table.with_columns(value=changed.otherwise(pl.col("value"))).write_parquet(tmp_path / "changed.parquet")
    assert merge(folder, tmp_path / "changed.parquet").differing == (trial,)
    export(folder, tmp_path / "b.parquet")
    assert (tmp_path / "b.parquet").read_bytes() == (tmp_path / "a.parquet").read_bytes()


def with_spec(row, **changes):
    return {**row, "spec": canonical_json({**json.loads(row["spec"]), **changes})}


@pytest.mark.parametrize(
    ("tamper", "complaint"),
    [
        (lambda row: with_spec(row, seed=77), "was changed: its spec has the id"),
        (lambda row: {**row, "trial": "0" * 16}, "was changed: its spec has the id"),
        (lambda row: {**row, "seed": 77}, "was changed: its spec says seed"),
        (lambda row: {**row, "task": "shared"}, "was changed: its spec says task"),
        (lambda row: {**row, "learner": "lstm"}, "was changed: its spec says learner"),
        (lambda row: {**row, "spec": row["spec"].replace('"benchmark":', '"benchmark": ')}, "was changed"),
        (lambda row: {**row, "spec": "nothing"}, "is not one that wug writes"),
        (lambda row: {**row, "spec": "[]"}, "is not one that wug writes"),
        (lambda row: {**row, "status": "waiting"}, "must be done or failed, not 'waiting'"),
        (lambda row: {**row, "scale": "a;b"}, "has 1 studies, but 2 scales"),
    ],
)
def test_a_tampered_row_is_refused_by_name_and_nothing_is_imported(make_store, tmp_path, tamper, complaint):
    export(make_store("a", n_done=1, n_failed=1), tmp_path / "a.parquet")
    table = pl.read_parquet(tmp_path / "a.parquet")
    (trial,) = table.filter(pl.col("status") == "failed")["trial"]
    rows = [tamper(row) if row["trial"] == trial else row for row in table.rows(named=True)]
    pl.DataFrame(rows, schema=table.schema).write_csv(tmp_path / "tampered.csv")
    with pytest.raises(InputError, match=complaint) as error:
        merge(tmp_path / "b", tmp_path / "tampered.csv")
    assert any(row["trial"] in str(error.value) for row in rows if row["measure"] is None)
    with Store.reading(tmp_path / "b") as store:
        assert store.done() == set()


def test_rows_of_a_trial_that_disagree_are_refused(make_store, tmp_path):
    export(make_store("a", n_done=1, n_failed=0), tmp_path / "a.parquet")
    table = pl.read_parquet(tmp_path / "a.parquet")
    rows = table.rows(named=True)
    rows[3]["study"] = "another"
    pl.DataFrame(rows, schema=table.schema).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(InputError, match=r"row 4: trial .* has another study than in its first row"):
        merge(tmp_path / "b", tmp_path / "b.parquet")


def test_a_spec_with_its_own_id_is_let_in(make_store, tmp_path):
    export(make_store("a", n_done=0, n_failed=1), tmp_path / "a.parquet")
    (row,) = pl.read_parquet(tmp_path / "a.parquet").rows(named=True)
    row = with_spec(row, seed=77) | {"seed": 77}
    row["trial"] = trial_id(row["spec"])
    pl.DataFrame([row], schema=pl.read_parquet(tmp_path / "a.parquet").schema).write_csv(tmp_path / "b.csv")
    assert merge(tmp_path / "b", tmp_path / "b.csv").added == 1


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.txt", "x", "must end in .parquet or .csv"),
        ("a.csv", "x,y\n1,2\n", "has no column 'trial', so it is no export of wug"),
        ("a.csv", "", "is no table"),
        ("a.parquet", "x", "is no table"),
        ("a.csv", ",".join(COLUMNS) + "\n" + ",".join("x" for _ in COLUMNS) + "\n", "is no table"),
    ],
)
def test_what_is_no_export_is_one_sentence(tmp_path, name, content, complaint):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=complaint):
        merge(tmp_path / "store", tmp_path / name)


def test_a_file_that_is_not_there_and_one_that_cannot_be_written(make_store, tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        merge(tmp_path / "store", tmp_path / "none.csv")
    with pytest.raises(WugError, match="cannot be written: No such file"):
        export(make_store("a"), tmp_path / "nowhere" / "a.csv")
    with pytest.raises(InputError, match=r"must end in .parquet or .csv"):
        export(tmp_path / "a", tmp_path / "a.xlsx")
