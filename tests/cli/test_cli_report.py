"""``wug report`` as a user runs it, on stores that ``wug run`` made."""

import json

import pytest
from typer.testing import CliRunner

from wug.cli.main import app
from wug.errors import InputError

pytestmark = pytest.mark.journey


def wug(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store with two learners on one language of bliss."""
    folder = tmp_path_factory.mktemp("report") / "store"
    study = folder.with_name("small.toml")
    study.write_text(
        'title = "small"\n[[trials]]\nbenchmark = "bliss"\ntask = "anbn"\nlearner = ["repeat-last", "nan"]\n'
        "[trials.set]\ntrain = 10\nN = 1\nup_to = 5\n"
    )
    assert wug("run", study, "--store", folder, "--workers", 0).exit_code == 1  # 'nan' fails on purpose
    return folder


def test_it_writes_into_the_store_and_prints_where(store):
    result = wug("report", "--store", store)
    index = store / "report" / "index.html"
    assert result.stdout.strip() == str(index)
    assert "1 trial failed" in index.read_text()
    trials = (store / "report" / "trials" / "bliss-001.html").read_text()
    assert "wug trial bliss anbn --learner repeat-last --seed 1 --set N=1" in trials
    assert "makes another trial today" not in trials
    assert wug("report", "--store", store).exit_code == 0  # its own earlier report is replaced


def test_it_prints_its_files_as_json(store, tmp_path):
    printed = json.loads(wug("report", "--store", store, "-o", tmp_path / "out", "--json").stdout)
    assert printed["index"] == printed["files"][0] == str(tmp_path / "out" / "index.html")
    written = {str(file) for file in (tmp_path / "out").rglob("*") if file.is_file()}
    assert written == {*printed["files"], str(tmp_path / "out" / "wug-report.json")}


def test_several_stores_make_one_report(store, tmp_path):
    study = tmp_path / "other.toml"
    study.write_text(
        'title = "other"\n[[trials]]\nbenchmark = "bliss"\ntask = "anbn"\nlearner = ["uniform", "repeat-last"]\n'
        "[trials.set]\ntrain = 10\nN = 1\nup_to = 5\n"
    )
    wug("run", study, "--store", tmp_path / "other", "--workers", 0)
    wug("report", "--store", store, "--store", tmp_path / "other", "-o", tmp_path / "both")
    index = (tmp_path / "both" / "index.html").read_text()
    assert "3 learners" in index
    assert "3 trials" in index


def test_a_store_without_results_or_none_at_all_is_refused(tmp_path):
    with pytest.raises(InputError, match="there is no store in"):
        wug("report", "--store", tmp_path / "nowhere")
    from wug.studies.store import Store

    with Store.writing(tmp_path / "empty"):
        pass
    with pytest.raises(InputError, match="no trial has ended in"):
        wug("report", "--store", tmp_path / "empty")
    assert not (tmp_path / "empty" / "report").exists()


def test_a_foreign_folder_is_refused(store, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="not a report's"):
        wug("report", "--store", store, "-o", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]
