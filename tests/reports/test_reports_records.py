"""The trials' records, the evidence, the overview and the data files: what the pages are made from."""

import csv
import io

import polars as pl
import pytest
import reports_examples as examples

from wug.benchmarks.protocol import Cell, Results, Section, Table
from wug.reports.data_files import csv_of
from wug.reports.evidence import figure_evidence, table_evidence
from wug.reports.overview import Chapter, Tally, failures, profile, runs, runs_by_learner, tally
from wug.reports.trials import PER_PAGE, differing_settings, trial_pages, trial_records


@pytest.fixture(scope="module")
def records():
    return trial_records(examples.results(), examples.trial_command)


def test_trials_come_in_order_of_learner_task_settings_and_seed(records):
    keys = [(one.learner, one.task, int(one.settings["train"]), one.seed) for one in records.values()]
    assert keys == sorted(keys)
    assert len(keys) == 264


def test_settings_have_the_names_of_the_command_line(records):
    record = records[examples.trial_id("lstm", "anbn", 1000, 2)]
    assert record.settings == {
        "train": "1000",
        "b": "1",
        "eps": "0.005",
        "aggregate": "pooled",
        "learner.epochs": "400",
        "learner.width": "32",
    }
    assert [line.measure for line in record.scores][:2] == ["M_det", "accepted_strings"]
    assert [(line.measure, line.item) for line in record.items] == [("largest_n", "seed 2")]


def test_a_trial_of_two_studies_is_told_once(records):
    results = examples.results()
    other = results.trials.with_columns(study=pl.lit("bliss/another"), scale=pl.lit("paper"))
    both = trial_records(Results(pl.concat([results.trials, other]), results.scores), examples.trial_command)
    assert list(both) == list(records)
    first = next(iter(both.values()))
    assert first.studies == ["bliss/another", "bliss/demo"]
    assert first.scales == ["paper", "laptop"]
    assert runs(both.values()) == runs(records.values())


def test_what_is_told_of_a_trial(records):
    done = records[examples.trial_id("lstm", "anbn", 1000, 2)]
    assert ("wall time", "5.2 s") in done.facts
    assert ("torch", "2.13.0") in done.facts
    assert done.command.startswith("wug trial bliss anbn --learner lstm --seed 2 --set ")
    assert "--set learner.width=32" in done.command
    failed = records[examples.trial_id("transformer", "dyck2", 1000, 1)]
    assert failed.error == "the loss of epoch 12 is not finite (nan)"
    assert failed.traceback.startswith("Traceback")
    assert failed.scores == failed.items == []


def test_every_trial_is_on_one_page(records):
    pages = list(trial_pages(records))
    assert [len(page.records) for page in pages] == [PER_PAGE, PER_PAGE, 64]
    assert [page.span for page in pages] == ["1–100", "101–200", "201–264"]
    assert {record.page for record in records.values()} == {page.file for page in pages}


def test_only_settings_that_differ_are_told(records):
    members = [records[one] for one in examples.behind("lstm", "anbn")]
    assert differing_settings(members) == ["train", "b"]
    assert differing_settings(members[:1]) == []


def test_evidence_is_what_the_cells_name(records):
    evidence = table_evidence(examples.index_table("0"), records)
    assert [one.anchor for one in evidence[:7]] == ["r1c1", "r1c2", "r1c3", "r1c4", "r1c5", "r1c6", "r2c1"]
    assert evidence[0].columns == ["seed", "train", "b"]
    assert evidence[0].value(evidence[0].records[0], "train") == "1000"
    (figure,) = figure_evidence(examples.figure_3(), records)
    assert figure.columns == ["learner", "seed", "train", "b"]


def test_trials_that_are_not_there_are_named(records):
    table = Table("t", ("c",), (("r", (Cell("1", trials=("nowhere", next(iter(records)))),)),))
    (evidence,) = table_evidence(table, records)
    assert evidence.missing == ["nowhere"]
    assert len(evidence.records) == 1


def test_the_tally_counts_cells():
    assert tally(examples.sections()) == Tally(agrees=8, differs=1, not_run=6)
    assert tally([Section("empty")]).total == 0


def test_the_profile_has_a_column_a_measure_and_a_row_a_learner():
    shown = profile([Chapter(examples.CARD, examples.sections())])
    assert [measure for _, measure in shown.columns] == [
        "index B, median of six languages",
        "M_prob, mean of six languages",
    ]
    assert [learner for learner, _ in shown.rows] == list(examples.LEARNERS)
    assert [entries[1] is None for _, entries in shown.rows] == [False, False, False, True, False]
    assert all(shown.entries[number - 1] is entry for _, row in shown.rows for number, entry in filter(None, row))


def test_runs_are_counted_by_learner_and_status(records):
    assert [(learner, cell.done, cell.failed) for learner, (cell,) in runs_by_learner(records, ["bliss"])] == [
        ("gru", 72, 0),
        ("lstm", 72, 0),
        ("oracle", 24, 0),
        ("repeat-last", 24, 0),
        ("transformer", 70, 2),
    ]
    assert runs_by_learner(records, ["find"])[0] == ("gru", [None])
    assert {sentence: len(members) for sentence, members in failures(records).items()} == {
        "the loss of epoch 12 is not finite (nan)": 2
    }


def read(block):
    return list(csv.DictReader(io.StringIO(csv_of(block))))


def test_a_tables_file_has_a_line_a_cell():
    table = examples.index_table("0.005")
    lines = read(table)
    assert len(lines) == len(table.rows) * len(table.columns)
    assert lines[0] == {
        "row": "LSTM",
        "column": "aⁿbⁿ",
        "measured": "<1",
        "published": "10",
        "verdict": "differs",
        "detail": "0 of 3 seeds",
        "trials": " ".join(examples.behind("lstm", "anbn")),
    }


def test_a_plots_file_has_a_line_a_point():
    lines = read(examples.size_plot())
    assert len(lines) == 6 * 3 * (4 + 12)
    runs_alone = [line for line in lines if line["kind"] == "run"]
    assert len(runs_alone) == 6 * 3 * 12
    assert {line["low"] for line in runs_alone} == {""}
    published = [line for line in read(examples.figure_3()) if line["published"] == "true"]
    assert [line["y"] for line in published] == ["1000.0"] * 4


def test_a_heatmaps_file_has_a_line_a_field():
    heatmap = examples.next_symbols("lstm")
    lines = read(heatmap)
    assert len(lines) == 27
    assert [(line["row"], line["position"]) for line in lines if line["marked"] == "true"] == [
        (heatmap.y_names[y], str(x)) for y, x in sorted(heatmap.marks)
    ]
