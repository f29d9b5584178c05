"""``wug list``: what there is to run, without importing any of it."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json, print_table
from wug.errors import InputError, unknown_name

app = command_app()

Listing = tuple[str, tuple[str, ...], list[dict[str, Any]]]
"""Title, names of the columns, and one record a row."""


@app.command(rich_help_panel="Look")
def list_things(
    kind: Annotated[
        str,
        typer.Argument(
            help="benchmarks, learners, studies, tasks, settings or languages; all of the first three if left out"
        ),
    ] = "",
    benchmark: Annotated[str, typer.Argument(help="whose tasks or settings")] = "",
    class_: Annotated[
        str | None, typer.Option("--class", metavar="C", help="Of the languages, only those of this class.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List benchmarks, learners, studies, a benchmark's tasks and settings, and the regular languages of mlregtest.

    [bold]Examples[/bold]

      wug list
      wug list studies
      wug list tasks bliss
      wug list settings bliss --json
      wug list languages --class TLT
    """
    of_all: dict[str, Callable[[], Listing]] = {"benchmarks": _benchmarks, "learners": _learners, "studies": _studies}
    of_one: dict[str, Callable[[str], Listing]] = {"tasks": _tasks, "settings": _settings}
    if class_ is not None and kind != "languages":
        raise InputError("--class goes with 'wug list languages' alone")
    if kind in of_one:
        if not benchmark:
            raise InputError(f"'wug list {kind}' needs the name of a benchmark, for example 'wug list {kind} bliss'")
        listings = {kind: of_one[kind](benchmark)}
    elif kind in (*of_all, "languages", ""):
        if benchmark:
            raise InputError(f"'wug list {kind}' takes no further name, got '{benchmark}'")
        listings = {name: make() for name, make in of_all.items() if kind in ("", name)}
        if kind == "languages":
            listings[kind] = _languages(class_)
    else:
        raise unknown_name("list", kind, [*of_all, *of_one, "languages"])

    if as_json:
        records = {name: rows for name, (_, _, rows) in listings.items()}
        print_json(records[kind] if kind else records)
        return
    for number, (title, columns, rows) in enumerate(listings.values()):
        if number:
            typer.echo()
        print_table(columns, [[row[column] for column in columns] for row in rows], title=title)


def _benchmarks() -> Listing:
    from dataclasses import asdict

    from wug.benchmarks.registry import cards

    return "Benchmarks", ("name", "setting", "measures", "paper"), [asdict(card) for card in cards()]


def _learners() -> Listing:
    from wug.learners.registry import learner_cards

    rows = [{"name": card.name, "summary": card.summary, "settings": sorted(card.settings)} for card in learner_cards()]
    return "Learners", ("name", "summary"), rows


def _studies() -> Listing:
    import tomllib

    from wug.studies.study import builtin_studies

    rows = []
    for name, path in builtin_studies().items():
        content = tomllib.loads(path.read_text("utf-8"))
        rows.append({"name": name, "title": content["title"], "scales": _scales(content)})
    return "Studies", ("name", "scales", "title"), rows


def _tasks(name: str) -> Listing:
    from wug.benchmarks.registry import benchmark

    return f"Tasks of {name}", ("name",), [{"name": task} for task in benchmark(name).card.tasks]


def _languages(class_: str | None) -> Listing:
    from wug.languages.subregular import RegularLanguage, language_names

    rows = []
    for name in language_names(class_):
        language = RegularLanguage.named(name)
        factors = language.factors
        assert factors is not None
        rows.append(
            {
                "name": name,
                "class": factors.class_,
                "alphabet": factors.alphabet_size,
                "tier": factors.tier_size,
                "k": factors.k,
                "j": factors.j,
                "i": factors.i,
                "formula": str(language.formula),
            }
        )
    return "Regular languages", ("name", "formula"), rows


def _settings(name: str) -> Listing:
    from wug.benchmarks.registry import benchmark

    rows = []
    for key, field in benchmark(name).settings.model_fields.items():
        default = None if field.is_required() else field.get_default(call_default_factory=True)
        rows.append({"name": key, "default": default, "description": field.description or ""})
    return f"Settings of {name} (--set NAME=VALUE)", ("name", "default", "description"), rows


def _scales(content: dict[str, Any]) -> str:
    """Return the names of a study's scales; its file is not checked here."""
    places = [content, *content["trials"]]
    named = {scale for place in places for scale in place.get("scale", {})}
    return ", ".join(scale for scale in ("smoke", "laptop", "paper") if scale in named)
