import json

import pytest

from wug.errors import InputError
from wug.reports.folder import MARKER, ReportFolder


def fill(folder, files):
    output = ReportFolder(folder)
    output.claim()
    for name, content in files.items():
        output.write(name, content)
    return output.finish()


def contents(folder):
    return {
        file.relative_to(folder).as_posix(): file.read_text()
        for file in folder.rglob("*")
        if file.is_file() and file.name != MARKER
    }


def test_a_new_folder_is_made_with_its_parents(tmp_path):
    written = fill(tmp_path / "a" / "b", {"index.html": "x", "trials/one.html": b"y"})
    assert contents(tmp_path / "a" / "b") == {"index.html": "x", "trials/one.html": "y"}
    assert written == [tmp_path / "a" / "b" / "index.html", tmp_path / "a" / "b" / "trials" / "one.html"]


def test_an_earlier_report_is_replaced_and_other_files_in_it_stay(tmp_path):
    fill(tmp_path, {"index.html": "old", "gone.html": "old"})
    (tmp_path / "notes.txt").write_text("mine")
    fill(tmp_path, {"index.html": "new"})
    assert contents(tmp_path) == {"index.html": "new", "notes.txt": "mine"}


def test_a_foreign_folder_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="holds files that are not a report's"):
        ReportFolder(tmp_path).claim()
    assert contents(tmp_path) == {"thesis.tex": "years of work"}


def test_a_file_is_refused(tmp_path):
    (tmp_path / "report").write_text("")
    with pytest.raises(InputError, match="is a file"):
        ReportFolder(tmp_path / "report").claim()


def test_an_empty_folder_is_taken(tmp_path):
    assert len(fill(tmp_path, {"index.html": "x"})) == 1


@pytest.mark.parametrize("marker", ["", "[]", '{"files": 3}', '{"files": [1]}'])
def test_a_marker_of_something_else_is_refused(tmp_path, marker):
    (tmp_path / MARKER).write_text(marker)
    with pytest.raises(InputError, match="not the list of a report's files"):
        ReportFolder(tmp_path).claim()


def test_a_marker_cannot_reach_outside(tmp_path):
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    folder = tmp_path / "report"
    fill(folder, {"index.html": "x"})
    (folder / MARKER).write_text(json.dumps({"files": ["../outside.txt", str(outside), "index.html"]}))
    fill(folder, {"other.html": "y"})
    assert outside.read_text() == "mine"
    assert contents(folder) == {"other.html": "y"}


def test_a_report_that_was_interrupted_is_completed(tmp_path):
    fill(tmp_path, {"index.html": "old", "gone.html": "old"})
    interrupted = ReportFolder(tmp_path)
    interrupted.claim()
    interrupted.write("index.html", "half")
    fill(tmp_path, {"index.html": "new"})
    assert contents(tmp_path) == {"index.html": "new"}


def test_a_first_report_that_was_interrupted_leaves_a_folder_that_is_known(tmp_path):
    interrupted = ReportFolder(tmp_path / "report")
    interrupted.claim()
    interrupted.write("index.html", "half")
    assert len(fill(tmp_path / "report", {"index.html": "new"})) == 1
