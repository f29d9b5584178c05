"""The report as a whole: well-formed pages whose links lead somewhere, and nothing from outside."""

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import polars as pl
import pytest
import reports_examples as examples
from reports_html import Page

from wug.benchmarks.protocol import Card, Cell, Plot, ProfileEntry, Results, Section, Series, Table
from wug.reports.overview import Chapter
from wug.reports.page import write_report

HOSTILE = "<script>alert(1)</script> \"quoted\" & 'x' $\\frac$ {{ 7*7 }} _é"


def write(results, sections, folder, card=examples.CARD):
    write_report(results, [Chapter(card, sections)], folder, examples.trial_command)


@pytest.fixture(scope="module")
def pages(report):
    return {file.relative_to(report).as_posix(): Page(file) for file in sorted(report.rglob("*.html"))}


def test_it_consists_of_the_files_that_its_docstring_names(report, pages):
    assert {"index.html", "bliss.html", "trials/index.html", "trials/bliss-001.html", "evidence/profile.html"} <= set(
        pages
    )
    names = {file.relative_to(report).as_posix() for file in report.rglob("*") if file.is_file()}
    assert {"tables/bliss-index-b-at-0.csv", "figures/bliss-figure-3.pdf", "figures/bliss-figure-3.svg"} <= names
    assert {"figures/bliss-figure-3.csv", "style.css", "wug-report.json"} <= names


def test_every_page_is_well_formed(pages):
    assert {name: page.wrong for name, page in pages.items() if page.wrong} == {}


def test_ids_are_unique_and_headings_descend_one_level_at_a_time(pages):
    for name, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), name
        assert page.headings[0] in (1, 2), name
        assert page.headings.count(1) == 1, name
        start = page.headings.index(1)
        for before, after in zip(page.headings[start:], page.headings[start + 1 :], strict=False):
            assert after <= before + 1, name


def test_every_link_leads_to_a_file_and_place_of_the_report(report, pages):
    checked = 0
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                assert parts.scheme == "https", link
                continue
            target = (report / name).parent / unquote(parts.path) if parts.path else report / name
            target = target.resolve()
            assert target.is_relative_to(report.resolve()), link
            assert target.is_file(), f"{name}: {link}"
            if parts.fragment:
                assert parts.fragment in pages[target.relative_to(report.resolve()).as_posix()].ids, f"{name}: {link}"
            checked += 1
    assert checked > 1000


def test_nothing_is_loaded_from_outside_and_nothing_runs(report, pages):
    for name, page in pages.items():
        for source in page.sources:
            assert source == "data:," or ((report / name).parent / source).is_file(), f"{name}: {source}"
        assert "<script" not in page.source
        assert not re.search(r"\son\w+=", page.source), name
    style = (report / "style.css").read_text("utf-8")
    assert "url(" not in style
    assert "@import" not in style
    for figure in report.rglob("*.svg"):
        content = figure.read_text("utf-8")
        assert "<script" not in content
        links = re.findall(r"href=\"([^\"]*)\"", content)
        assert all(link.startswith(("#", "data:image/png;base64,")) for link in links), figure


def test_every_figure_has_words_for_those_who_do_not_see_it(pages):
    images = [image for page in pages.values() for image in page.images]
    assert len(images) == 5  # four on the benchmark's page, the first of them on the overview too
    assert all(len(image["alt"]) > 20 for image in images)
    assert all(int(image["width"]) > 0 and int(image["height"]) > 0 for image in images)


def test_tables_name_their_rows_and_columns(pages):
    for name, page in pages.items():
        kinds = [tag for tag, _ in page.tags]
        assert kinds.count("table") == kinds.count("caption"), name
        assert all(values.get("scope") in ("row", "col") for tag, values in page.tags if tag == "th"), name


def test_verdicts_are_words_beside_measured_and_published(pages):
    source = re.sub(r"<svg.*?</svg>", "", pages["bliss.html"].source, flags=re.S)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", source)).replace("&nbsp;", " ")
    assert "&lt;1 differs paper 10 0 of 3 seeds" in text
    assert "&lt;1 agrees paper &lt;1" in text
    assert "not run paper 10 or 2" in text
    assert "over budget" in text
    assert "Reduced. Scale laptop: 3 seeds instead of 10" in text


def test_every_measured_cell_leads_to_exactly_its_trials(report, pages):
    table = examples.index_table("0.005")
    evidence = pages["evidence/bliss-index-b-at-0-005.html"].source
    parts = re.split(r'<section class="evidence" id="(r\d+c\d+)">', evidence)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    links = set(pages["bliss.html"].links)
    for y, (_, cells) in enumerate(table.rows, 1):
        for x, cell in enumerate(cells, 1):
            assert (f"evidence/bliss-index-b-at-0-005.html#r{y}c{x}" in links) == bool(cell.trials)
            if cell.trials:
                assert set(re.findall(r"#t-([0-9a-f]{64})", sections[f"r{y}c{x}"])) == set(cell.trials)


def test_every_trial_is_described_once_with_its_scores(report, pages):
    described = [one for name, page in pages.items() if name.startswith("trials/bliss") for one in page.ids]
    ids = [f"t-{one}" for one in examples.results().trials["id"]]
    assert sorted(one for one in described if one.startswith("t-")) == sorted(ids)
    assert all(pages["trials/index.html"].links.count(f"../trials/bliss-00{n}.html") == 1 for n in (1, 2, 3))


def test_failed_trials_show_why(pages):
    assert "2 trials: the loss of epoch 12 is not finite (nan)" in pages["trials/index.html"].text
    assert "2 trials failed" in pages["index.html"].text
    details = "".join(page.text for name, page in pages.items() if name.startswith("trials/bliss"))
    assert details.count("the loss of epoch 12 is not finite (nan)") == 2
    assert "infinite divergence at string 1, position 3" in details


def test_equal_results_give_equal_bytes(tmp_path, report):
    results = examples.results()
    shuffled = Results(results.trials.sample(fraction=1, shuffle=True, seed=1), results.scores, results.command)
    again = tmp_path / "again"
    write(shuffled, examples.sections(), again)
    files = sorted(file.relative_to(report) for file in report.rglob("*") if file.is_file())
    assert files == sorted(file.relative_to(again) for file in again.rglob("*") if file.is_file())
    assert [name for name in files if (report / name).read_bytes() != (again / name).read_bytes()] == []


def _hostile_report(folder: Path) -> None:
    row = {
        "id": "f00d",
        "study": HOSTILE,
        "scale": HOSTILE,
        "benchmark": "bliss",
        "task": HOSTILE,
        "learner": HOSTILE,
        "seed": 1,
        "spec": json.dumps(
            {
                "benchmark": "bliss",
                "learner": {"name": HOSTILE, "options": {HOSTILE: HOSTILE}, "content": HOSTILE},
                "seed": 1,
                "settings": {HOSTILE: HOSTILE},
                "task": HOSTILE,
                "version": 1,
            }
        ),
        "locations": "{}",
        "status": "failed",
        "error": HOSTILE,
        "traceback": HOSTILE,
        "wall_s": None,
        "cpu_s": None,
        **dict.fromkeys(examples.CIRCUMSTANCES),
        "host": HOSTILE,
    }
    scores = pl.DataFrame({"trial": ["f00d"], "measure": [HOSTILE], "item": [""], "value": [1.0], "note": [HOSTILE]})
    cell = Cell(HOSTILE, HOSTILE, "differs", HOSTILE, ("f00d", "not-there"))
    series = Series(HOSTILE, (1.0, 2.0), (1.0, 2.0))
    section = Section(
        HOSTILE,
        HOSTILE,
        (
            Table(HOSTILE, (HOSTILE,), ((HOSTILE, (cell,)),), HOSTILE, HOSTILE, HOSTILE),
            Plot(HOSTILE, "../../escape", ((HOSTILE, (series,)),), HOSTILE, HOSTILE, HOSTILE, trials=("f00d",)),
        ),
        HOSTILE,
        (ProfileEntry(HOSTILE, HOSTILE, 7.0, cell),),
    )
    card = Card("bliss", HOSTILE, HOSTILE, HOSTILE, "language_modelling", ())
    write_report(
        Results(pl.DataFrame([row]), scores, HOSTILE), [Chapter(card, [section])], folder, examples.trial_command
    )


def test_hostile_names_stay_text(tmp_path):
    _hostile_report(tmp_path / "report")
    assert not (tmp_path / "escape.svg").exists()
    for file in (tmp_path / "report").rglob("*.html"):
        page = Page(file)
        assert page.wrong == [], file
        assert "<script" not in page.source
        assert "<b>" not in page.source
        assert "49" not in page.text.replace(HOSTILE, "")
    text = Page(tmp_path / "report" / "bliss.html").text
    assert text.count(HOSTILE) > 8
    evidence = Page(tmp_path / "report" / "evidence" / "profile.html")
    assert "Not in the stores of this report: not-there" in evidence.text


def test_a_store_without_sections_still_lists_its_trials(tmp_path):
    write(examples.results(), [], tmp_path / "report")
    index = Page(tmp_path / "report" / "index.html")
    assert "72 done" in index.text
    assert "Profile" not in index.text
    assert not (tmp_path / "report" / "evidence").exists()


def test_a_figure_without_values_says_so(tmp_path):
    empty = Plot("Nothing", "nothing", (), "x", "y", "nothing at all")
    write_report(
        examples.results(),
        [Chapter(examples.CARD, [Section("Part", blocks=(empty,))])],
        tmp_path / "report",
        examples.trial_command,
    )
    page = Page(tmp_path / "report" / "bliss.html")
    assert "Nothing was measured for this figure" in page.text
    assert page.images == []


def test_more_trials_than_fit_are_listed_by_id(tmp_path):
    results = examples.results()
    table = Table("All", ("one",), (("row", (Cell("1", trials=tuple(results.trials["id"])),)),))
    write_report(
        results,
        [Chapter(examples.CARD, [Section("Part", blocks=(table,))])],
        tmp_path / "report",
        examples.trial_command,
    )
    page = Page(tmp_path / "report" / "evidence" / "bliss-all.html")
    assert "264 trials:" in page.text
    assert len([link for link in page.links if "#t-" in link]) == 264
