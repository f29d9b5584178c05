"""``wug extract``: the automaton that a model has learnt."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wug.cli._frame import command_app
from wug.cli._output import format_number, print_json, print_table
from wug.errors import InputError

if TYPE_CHECKING:
    from wug.benchmarks.mlregtest.extraction import ExtractedModel, JudgedAutomaton
    from wug.languages.automata.classes import Classification
    from wug.languages.automata.dfa import DFA
    from wug.studies.trial import Trial

app = command_app()


@app.command(rich_help_panel="Look")
def extract_model_of_trial(
    benchmark: Annotated[str, typer.Argument(help="a benchmark with classification tasks: mlregtest")],
    task: Annotated[str, typer.Argument(help="one of its languages")],
    learner: Annotated[
        str, typer.Option("--learner", "-l", help="A learner (wug list learners), or your own: path/file.py:Class.")
    ],
    seed: Annotated[int, typer.Option(min=0, help="Seed of the trial, and of the extraction.")] = 1,
    assignments: Annotated[
        list[str],
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the benchmark, or learner.NAME=VALUE."),
    ] = [],  # noqa: B006
    states: Annotated[int, typer.Option(help="Largest number of states.")] = 500,
    queries: Annotated[int, typer.Option(help="Largest number of words that the model is asked about.")] = 500_000,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write it: .jsonl, .att, .dot or .jff.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Fit a learner as [bold]wug trial[/bold] does, and extract an automaton from its model.

    L* asks the model about words and tests its hypotheses on the strings of Train and Dev, on random words, and by a
    conformance test. Shows the automaton's size, how often it agrees with the model and with the language on each test
    set, and its subregular classes beside the language's; then the same for the first, coarser hypothesis that answers
    nearly all of Train and Dev as the model does.

    [bold]Examples[/bold]

      wug extract mlregtest 04.03.TSL.2.1.0 --learner string-extension-tsl
      wug extract mlregtest 04.04.SL.2.1.0 --learner mlregtest-gru -o gru.dot
    """
    from wug.studies.running import fit_trial, require_suitable, use_one_thread

    use_one_thread()
    from wug.benchmarks.mlregtest.extraction import extract_model
    from wug.benchmarks.mlregtest.tasks import LanguageJudging
    from wug.benchmarks.registry import benchmark as find
    from wug.cli._settings import parse_assignments
    from wug.learners.registry import parse_learner
    from wug.learners.symbolic.extraction import Limits
    from wug.randomness import generator
    from wug.studies.trial import plan_trials

    if output is not None and output.suffix not in _WRITERS:
        raise InputError(f"{output}: automata are written to files named {', '.join(_WRITERS)}")
    limits = Limits(states=states, queries=queries)
    limits.check()
    given = parse_assignments(assignments)
    options = {name.removeprefix("learner."): value for name, value in given.items() if name.startswith("learner.")}
    settings = {name: value for name, value in given.items() if not name.startswith("learner.")}
    spec = parse_learner(learner, options)
    if "classification" not in find(benchmark).card.setting:
        raise InputError(f"automata are extracted from classifiers, and {benchmark} has no classification task")
    (trial,) = plan_trials(benchmark, task, settings, [spec], [seed])
    require_suitable(benchmark, spec)
    built, model = fit_trial(trial)
    if not isinstance(built.judging, LanguageJudging):
        raise InputError(f"automata are extracted from models of languages, and {benchmark} {task} is none")
    extracted = extract_model(
        built.data, built.judging, model, rng=generator(seed, "extract", benchmark, task), limits=limits
    )
    if output is not None:
        _write(extracted.extraction.dfa, output, f"{task} {spec.label}")
    if as_json:
        print_json(_record(trial, extracted, built.judging.language.dfa))
    else:
        _print(trial, extracted, built.judging.language.dfa)


_WRITERS = (".jsonl", ".att", ".dot", ".jff")


def _write(dfa: "DFA", path: Path, name: str) -> None:
    from wug.languages.automata.formats import att, graphviz, jflap, json_lines

    match path.suffix:
        case ".jsonl":
            json_lines.write({name: dfa}, path)
        case ".att":
            att.write(dfa, path)
        case ".dot":
            graphviz.write(dfa, path, name=name)
        case ".jff":
            jflap.write(dfa, path)


def _record(trial: "Trial", extracted: "ExtractedModel", language: "DFA") -> dict[str, Any]:
    found, target = extracted.extraction, _classes(language)
    return {
        "trial": trial.id,
        "benchmark": trial.benchmark,
        "task": trial.task,
        "learner": trial.learner.label,
        "seed": trial.seed,
        "states_of_language": language.n_states,
        "queries": found.queries,
        "hypotheses": found.hypotheses,
        "ending": str(found.ending),
        "classes_of_language": _smallest(target),
        **_automaton_record(extracted.final),
        "coarse": None if extracted.coarse is None else _automaton_record(extracted.coarse),
    }


def _automaton_record(automaton: "JudgedAutomaton") -> dict[str, Any]:
    return {
        "states": automaton.dfa.n_states,
        "agreement": {
            str(of): {
                "strings": shares.strings,
                "with_model": shares.with_model,
                "with_language": shares.with_language,
                "model_with_language": shares.model_with_language,
            }
            for of, shares in automaton.agreement.items()
        },
        "classes": _smallest(automaton.classes),
    }


def _print(trial: "Trial", extracted: "ExtractedModel", language: "DFA") -> None:
    from wug.learners.symbolic.extraction import Limits

    found = extracted.extraction
    typer.echo(
        f"{trial.learner.label} on {trial.task}: {found.dfa.n_states:,} states (the language has "
        f"{language.n_states:,}); {found.ending} after {found.queries:,} words and {found.hypotheses:,} hypotheses\n"
    )
    _print_automaton(extracted.final)
    if extracted.coarse is not None and extracted.coarse.dfa.n_states < found.dfa.n_states:
        typer.echo(
            f"\nthe first automaton that answers {Limits.coarse_share:.0%} of Train and Dev as the model does has "
            f"{extracted.coarse.dfa.n_states:,} states\n"
        )
        _print_automaton(extracted.coarse)
    typer.echo(f"\nsmallest classes of the language: {' '.join(_smallest(_classes(language)) or [])}")


def _print_automaton(automaton: "JudgedAutomaton") -> None:
    rows = [
        (of, *map(format_number, (shares.with_model, shares.with_language, shares.model_with_language)))
        for of, shares in automaton.agreement.items()
    ]
    print_table(("set", "agrees with the model", "is right", "the model is right"), rows)
    smallest = _smallest(automaton.classes)
    shown = "unknown: the syntactic monoid is too large" if smallest is None else " ".join(smallest)
    typer.echo(f"smallest classes: {shown}")


def _classes(dfa: "DFA") -> "Classification":
    from wug.languages.automata.classes import classify

    return classify(dfa)


def _smallest(classification: "Classification | None") -> list[str] | None:
    from wug.languages.automata.classes import smallest_classes

    return None if classification is None else smallest_classes(classification.classes)
