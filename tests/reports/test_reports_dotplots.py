import csv
import io
import xml.etree.ElementTree as ElementTree

import pytest

from wug.benchmarks.protocol import DotPlot, Series
from wug.reports.data_files import csv_of
from wug.reports.figures import figure_files
from wug.reports.plots import looks
from wug.reports.schemes import DAY


def ranks(**options):
    series = (
        Series("measured", x=(0.0, 1.0, 2.0), y=(1.5, 2.0, 2.5), low=(1.4, 1.9, 2.4), high=(1.6, 2.1, 2.6)),
        Series("measured", x=(0.0, 2.0), y=(1.6, 2.4), published=True),
    )
    rows = ("GRU", "LSTM", "RNN")
    return DotPlot("Ranks", "ranks", rows, options.pop("series", series), "mean rank", "Mean ranks.", **options)


def drawn_axis(block):
    import matplotlib as mpl

    from wug.reports.dotplots import draw_dots
    from wug.reports.schemes import settings

    with mpl.rc_context(settings(DAY, "x")):
        figure = draw_dots(block, DAY, looks([block]))
        figure.canvas.draw()
    return figure.axes[0]


def test_it_has_the_forms_of_a_plot_and_equal_bytes():
    forms = {file.name: file for file in figure_files(ranks(bars=((0, 1),)), "x", looks([ranks()]))}
    assert set(forms) == {"x.svg", "x.pdf", "x-dark.svg", "x-narrow.svg", "x-narrow-dark.svg"}
    assert forms == {file.name: file for file in figure_files(ranks(bars=((0, 1),)), "x", looks([ranks()]))}
    assert forms["x-narrow.svg"].width < forms["x.svg"].width
    assert ElementTree.fromstring(forms["x.svg"].content).tag.endswith("svg")


def test_rows_stand_from_top_to_bottom():
    axis = drawn_axis(ranks())
    assert [label.get_text() for label in axis.get_yticklabels()] == ["GRU", "LSTM", "RNN"]
    bottom, top = axis.get_ylim()
    assert bottom > top


def test_a_bar_joins_its_rows_and_no_others():
    without, joined = (len(drawn_axis(ranks(bars=bars)).lines) for bars in ((), ((0, 1), (1, 2))))
    assert joined == without + 2
    heights = drawn_axis(ranks(bars=((0, 1),))).lines[-1].get_ydata()
    assert -0.5 < heights[0] < 0
    assert 1 < heights[1] < 1.5


def test_nothing_to_draw_gives_no_file():
    assert list(figure_files(ranks(series=(Series("measured", x=(0.0,), y=(float("nan"),)),)), "x", {})) == []


def test_its_data_name_rows_and_bars():
    lines = list(csv.DictReader(io.StringIO(csv_of(ranks(bars=((0, 1),))))))
    assert lines[0] == {
        "row": "GRU",
        "series": "measured",
        "published": "false",
        "kind": "dot",
        "value": "1.5",
        "low": "1.4",
        "high": "1.6",
        "to_row": "",
    }
    assert [(line["row"], line["value"]) for line in lines if line["published"] == "true"] == [
        ("GRU", "1.6"),
        ("RNN", "2.4"),
    ]
    assert [(line["row"], line["to_row"]) for line in lines if line["kind"] == "bar"] == [("GRU", "LSTM")]


@pytest.mark.parametrize("narrow", [False, True])
def test_single_runs_are_drawn(narrow):
    block = ranks(series=(Series("a", x=(0.0,), y=(0.5,), points=((0.0, 0.4), (0.0, 0.6))),))
    files = {file.name: file.content for file in figure_files(block, "x", looks([block]))}
    assert b"use " in files["x-narrow.svg" if narrow else "x.svg"]
