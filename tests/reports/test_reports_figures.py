import warnings
import xml.etree.ElementTree as ElementTree
from dataclasses import fields, replace

import pytest
import reports_examples as examples

from wug.benchmarks.protocol import Heatmap, Plot, Series, StateDiagram, StateDiagrams
from wug.reports.data_files import csv_of
from wug.reports.figures import figure_files
from wug.reports.plots import looks, number
from wug.reports.schemes import DAY, NIGHT, Scheme


def drawn(block, name="x"):
    return {file.name: file for file in figure_files(block, name, looks([block]))}


def plot(*series, **options):
    return Plot("t", "n", (("", tuple(series)),), "x", "y", "alt", **options)


def texts(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


@pytest.fixture
def drawn_axes(monkeypatch):
    """Return a function that draws a plot and gives its first axes."""
    import matplotlib as mpl

    from wug.reports.plots import draw_plot
    from wug.reports.schemes import settings

    def draw(block, **options):
        with mpl.rc_context(settings(DAY, "x")):
            figure = draw_plot(block, DAY, looks([block]), **options)
            figure.canvas.draw()
        return figure.axes[0]

    return draw


def test_a_plot_has_five_forms_and_a_heatmap_three():
    assert set(drawn(examples.figure_3())) == {"x.svg", "x.pdf", "x-dark.svg", "x-narrow.svg", "x-narrow-dark.svg"}
    assert set(drawn(examples.next_symbols("gru"))) == {"x.svg", "x.pdf", "x-dark.svg"}


def test_equal_blocks_give_equal_bytes():
    for block in (examples.figure_3(), examples.next_symbols("gru")):
        assert drawn(block) == drawn(block)


def test_users_own_matplotlib_settings_change_nothing():
    import matplotlib as mpl

    before = drawn(examples.figure_3())
    with mpl.rc_context({"font.size": 30, "lines.linewidth": 9, "svg.fonttype": "none"}):
        assert drawn(examples.figure_3()) == before


def test_files_hold_no_date():
    for file in drawn(examples.figure_3()).values():
        assert b"CreationDate" not in file.content
        assert b"dc:date" not in file.content


def test_forms_are_valid_and_as_large_as_they_say():
    for file in drawn(examples.size_plot()).values():
        if file.name.endswith(".svg"):
            root = ElementTree.fromstring(file.content)
            assert float(root.get("width").removesuffix("pt")) == pytest.approx(file.width * 72 / 96, abs=1)
            assert float(root.get("height").removesuffix("pt")) == pytest.approx(file.height * 72 / 96, abs=1)
        else:
            assert file.content.startswith(b"%PDF")


def test_the_narrow_form_fits_a_telephone():
    assert drawn(examples.size_plot())["x-narrow.svg"].width <= 368
    assert drawn(examples.figure_3())["x-narrow.svg"].width <= 368


def test_a_colour_of_the_day_has_one_partner_by_night():
    partners = {}
    for field in fields(Scheme):
        day, night = getattr(DAY, field.name), getattr(NIGHT, field.name)
        for pair in [(day, night)] if isinstance(day, str) else zip(day, night, strict=True):
            assert partners.setdefault(*pair) == pair[1]


def test_no_colour_of_the_day_is_left_by_night():
    files = drawn(examples.size_plot())
    day_only = {DAY.text, DAY.soft, DAY.faint, DAY.paper, *DAY.series} - {NIGHT.text, *NIGHT.series}
    assert any(colour.encode() in files["x.svg"].content for colour in day_only)
    assert not any(colour.encode() in files["x-dark.svg"].content for colour in day_only)


def test_text_is_never_a_formula_and_no_label_is_left_out(drawn_axes):
    block = plot(Series("$\\frac$", (1.0,), (1.0,)), Series("_hidden", (1.0,), (2.0,)), Series("<b>&", (1.0,), (3.0,)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        legend = drawn_axes(block).figure.legends[0]
    assert [text.get_text() for text in legend.get_texts()] == ["$\\frac$", "_hidden", "<b>&"]
    ElementTree.fromstring(drawn(replace(block, title="a & <b>"))["x.svg"].content)


def test_the_papers_values_share_the_look_and_are_named(drawn_axes):
    paper = Series("LSTM", (1.0, 2.0), (2.0, 3.0), published=True)
    axes = drawn_axes(plot(Series("LSTM", (1.0, 2.0), (1.0, 2.0)), paper))
    measured, published = axes.get_lines()
    assert measured.get_color() == published.get_color()
    assert published.is_dashed()
    assert not measured.is_dashed()
    assert [text.get_text() for text in axes.figure.legends[0].get_texts()] == ["LSTM", "LSTM, paper"]


def test_a_reference_is_dotted_grey_and_takes_no_colour(drawn_axes):
    reference = Series("longest in training", (1.0, 2.0), (3.0, 4.0), reference=True)
    block = plot(reference, Series("LSTM", (1.0, 2.0), (1.0, 2.0)))
    line, measured = drawn_axes(block).get_lines()
    assert line.get_color() == DAY.soft
    assert line.get_marker() == "None"
    assert measured.get_color() == DAY.series[0]


def test_series_with_one_place_stand_side_by_side(drawn_axes):
    series = [Series(name, (1000.0,), (0.5,), points=((1000.0, 0.4), (1000.0, 0.6))) for name in ("a", "b", "c")]
    axes = drawn_axes(plot(*series, Series("limit", (1000.0,), (0.9,), reference=True), x_scale="log"))
    means = [line for line in axes.get_lines() if line.get_marker() in ("o", "s", "^")]
    assert len({float(line.get_xdata()[0]) for line in means}) == 3
    assert texts(axes.xaxis) == ["1000"]
    assert [list(line.get_ydata()) for line in axes.get_lines() if line.get_marker() == "None"] == [[0.9, 0.9]]


def test_labels_look_alike_in_every_plot():
    first = plot(Series("gru", (1.0,), (1.0,)), Series("lstm", (1.0,), (1.0,)))
    second = plot(Series("lstm", (1.0,), (1.0,)), Series("new", (1.0,), (1.0,)))
    assert looks([first, examples.next_symbols("gru"), second]) == {"gru": 0, "lstm": 1, "new": 2}


def test_a_cap_is_named_on_the_axis_instead_of_its_number(drawn_axes):
    axes = drawn_axes(examples.figure_3())
    assert "≥ 1000" in texts(axes.yaxis)
    assert "1000" not in texts(axes.yaxis)
    assert texts(axes.xaxis) == ["100", "250", "500", "1000"]


def test_training_sizes_that_would_touch_are_left_out(drawn_axes):
    sizes = (100.0, 105.0, 110.0, 500.0, 1000.0)
    axes = drawn_axes(plot(Series("a", sizes, sizes), x_scale="log"))
    assert texts(axes.xaxis) == ["110", "500", "1000"]


@pytest.mark.parametrize(
    "series",
    [
        Series("a", (1.0,), (0.5,), (0.4,), (0.6,)),
        Series("a", (1.0, 2.0), (float("nan"), 0.5)),
        Series("a", (), (), points=((1.0, 0.3),)),
    ],
)
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_few_or_missing_values_are_drawn(series, scale):
    for ticks in ((), ((0.1, "none"), (1.0, "all"))):
        assert len(drawn(plot(series, y_scale=scale, x_scale=scale, y_ticks=ticks))) == 5


def test_a_plot_without_values_gives_no_file():
    assert drawn(plot(Series("a", (), ()))) == {}
    assert drawn(plot(Series("a", (1.0, 2.0), (float("nan"), float("nan"))))) == {}
    assert drawn(plot(Series("a", (1.0, 2.0), (0.0, -1.0)), y_scale="log")) == {}
    assert drawn(Plot("t", "n", (), "x", "y", "alt")) == {}


def test_a_large_heatmap_is_one_bitmap():
    side = 72
    names = tuple(map(str, range(side)))
    values = tuple(tuple((x * y % side) / side for x in range(side)) for y in range(side))
    files = drawn(Heatmap("t", "n", names, names, values, (), "alt"))
    assert b"<image" in files["x.svg"].content
    assert len(files["x.svg"].content) < 200_000


def test_numbers_on_axes():
    assert [number(value) for value in (0.0, 1e-3, 9999.0, 1e5, 3e6)] == ["0", "0.001", "9999", "100,000", "3M"]


def test_classes_have_colours_of_their_own_and_are_named():
    heatmap = Heatmap("t", "n", ("p", "q"), ("1",), ((0, 2),), (), "alt", classes=("count", "mem", "other"))
    file = drawn(heatmap)["x.svg"].content.decode()
    assert DAY.series[0] in file
    assert DAY.series[2] in file
    assert csv_of(heatmap).splitlines()[1:] == ["1,p,0,count,false", "1,q,1,other,false"]


EVEN = StateDiagram("an even number of a's", (True, False), ((0, 0, "b"), (0, 1, "a"), (1, 0, "a"), (1, 1, "b")))
ANYTHING = StateDiagram("anything", (True,), ((0, 0, "Σ"),))


def test_state_diagrams_have_five_forms_and_no_diagram_has_none():
    block = StateDiagrams("Automata", "x", (EVEN, ANYTHING), "two automata")
    assert set(drawn(block)) == {"x.svg", "x.pdf", "x-dark.svg", "x-narrow.svg", "x-narrow-dark.svg"}
    assert drawn(block) == drawn(block)
    assert not drawn(replace(block, diagrams=()))


def test_state_diagrams_show_every_state_and_arc():
    import matplotlib as mpl
    from matplotlib.patches import Circle, FancyArrowPatch

    from wug.reports.diagrams import draw_diagrams
    from wug.reports.schemes import settings

    with mpl.rc_context(settings(DAY, "x")):
        axes = draw_diagrams(StateDiagrams("Automata", "x", (EVEN, ANYTHING), ""), DAY).axes
    for axis, (circles, arrows), words in zip(axes, [(2 + 1 + 2, 3), (1 + 1 + 1, 1)], ["01aabb", "0Σ"], strict=True):
        assert sum(isinstance(patch, Circle) for patch in axis.patches) == circles
        assert sum(isinstance(patch, FancyArrowPatch) for patch in axis.patches) == arrows
        assert "".join(sorted(text.get_text() for text in axis.texts)) == words


def test_state_diagrams_as_data():
    lines = csv_of(StateDiagrams("Automata", "x", (EVEN,), "")).splitlines()
    assert lines[0] == "diagram,from,to,letters,to_accepts"
    assert lines[2] == "an even number of a's,0,1,a,false"
    assert len(lines) == 5
