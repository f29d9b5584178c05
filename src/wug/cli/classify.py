"""``wug classify``: the subregular classes of a regular language, and why."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json, print_table
from wug.errors import InputError

if TYPE_CHECKING:
    from wug.languages.automata.classes import Classification, Grammar, Witness
    from wug.languages.automata.dfa import DFA

app = command_app()

_SHOWN_LITERALS = 12


@app.command(rich_help_panel="Look")
def classify_language(
    language: Annotated[
        str, typer.Argument(help="the name of one of the 1,800 languages (or of your own), or an automaton file")
    ] = "",
    regex: Annotated[str | None, typer.Option(metavar="R", help="A regular expression; needs --alphabet.")] = None,
    factors: Annotated[str | None, typer.Option(metavar="FORMULA", help="A formula about factors.")] = None,
    alphabet: Annotated[
        str | None,
        typer.Option(
            help="The letters in order: abc, or a,b,sch with commas. If left out, a formula is about the smallest "
            "alphabet of MLRegTest (4, 16 or 64 letters) that has all of its letters."
        ),
    ] = None,
    languages: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file with languages of your own; NAME is one of them.")
    ] = None,
    words: Annotated[
        list[str], typer.Option("--word", metavar="W", help="Say, too, whether this word is in the language.")
    ] = [],  # noqa: B006
    symbols: Annotated[Path | None, typer.Option(metavar="FILE", help="Symbol table of an AT&T file.")] = None,
    limit: Annotated[int, typer.Option(help="Elements of the syntactic monoid after which to give up.")] = 10_000,
    picture: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw the classes.")] = None,
    show_all: Annotated[bool, typer.Option("--all", help="Show every class and every reason.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON; one line for each language of a file.")] = False,
) -> None:
    """Say which subregular classes a regular language belongs to, with which parameters, and why not to the others.

    Shows the sixteen classes of MLRegTest (● holds the language, ○ does not), what the smallest of them forbid or
    require, and, for each class that the language just misses, strings that show it.

    [bold]Examples[/bold]

      wug classify 04.04.SL.2.1.1
      wug classify --factors "{a,b}: not \\[aa]" --alphabet abc
      wug classify --regex "(ab)*" --alphabet ab --picture classes.svg
      wug classify automaton.jff --json
      wug classify harmony --languages patterns.toml --word sasotsi
    """
    from wug.languages.automata.classes import classify
    from wug.languages.automata.classes.picture import lattice_svg
    from wug.languages.automata.membership import accepts

    if languages and any(given is not None for given in (regex, factors, alphabet, symbols)):
        raise InputError("--languages goes with the name of a language alone")
    dfas = _own_languages(languages, language) if languages else _languages(language, regex, factors, alphabet, symbols)
    if picture and len(dfas) > 1:
        raise InputError(f"--picture draws one language; {language} holds {len(dfas)}")
    if words and len(dfas) > 1:
        raise InputError(f"--word asks about one language, and there are {len(dfas)}")
    if len(dfas) > 1 and not as_json:
        rows = ((name, classify(dfa, limit=limit)) for name, dfa in dfas.items())
        print_table(
            ("name", "states", "monoid", "represents", "smallest classes"),
            [(name, found.states, found.monoid, found.represents, _smallest(found)) for name, found in rows],
        )
        return
    for name, dfa in dfas.items():
        classification = classify(dfa, limit=limit)
        if picture:
            _write(picture, lattice_svg(classification, name))
        answers = {word: accepts(dfa, word) for word in words}
        if as_json:
            record = _record(name, classification) | ({"words": answers} if words else {})
            print_json(record, indent=2 if len(dfas) == 1 else None)
        else:
            _print(name, classification, show_all)
            for word, answer in answers.items():
                typer.echo(f"{'in ' if answer else 'out'}  {word or 'ε'}")


def _own_languages(file: Path, name: str) -> dict[str, "DFA"]:
    """Return one language of a file, or all where none is named."""
    from wug.languages.subregular.pattern_files import language_in, read_pattern_file

    chosen = {name: language_in(file, name)} if name else read_pattern_file(file)
    return {own: language.dfa for own, language in chosen.items()}


def _languages(
    language: str, regex: str | None, factors: str | None, alphabet: str | None, symbols: Path | None
) -> dict[str, "DFA"]:
    """Return the automata asked for, by name."""
    from wug.languages.automata.formats import read_automata
    from wug.languages.automata.regex import from_regex
    from wug.languages.subregular.languages import RegularLanguage

    if sum((bool(language), regex is not None, factors is not None)) != 1:
        raise InputError("wug classify takes one of: a language's name, an automaton file, --regex or --factors")
    letters = None if alphabet is None else _letters(alphabet)
    if regex is not None:
        if letters is None:
            raise InputError("--regex needs the letters of the language: --alphabet abc")
        return {regex: from_regex(regex, letters)}
    if factors is not None:
        return {factors: _from_formula(factors, letters)}
    if Path(language).is_file():
        return read_automata(language, symbols=symbols, alphabet=letters)
    if "/" in language or Path(language).suffix in (".jsonl", ".json", ".att", ".txt", ".dot", ".gv", ".jff", ".gz"):
        raise InputError(f"there is no file {language}")
    if letters is not None or symbols is not None:
        raise InputError(f"{language} has an alphabet of its own; --alphabet and --symbols are for files and formulas")
    return {language: RegularLanguage.named(language).dfa}


def _letters(alphabet: str) -> tuple[str, ...]:
    """Return the letters of an ``--alphabet``.

    >>> _letters("abc"), _letters("a, b, sch")
    (('a', 'b', 'c'), ('a', 'b', 'sch'))
    """
    from wug.languages.automata.building import checked_alphabet

    return checked_alphabet([letter.strip() for letter in alphabet.split(",")] if "," in alphabet else alphabet)


def _from_formula(text: str, letters: tuple[str, ...] | None) -> "DFA":
    from wug.languages.automata.formulas import compile_formula, parse_formula
    from wug.languages.subregular.symbols import ALPHABET

    formula = parse_formula(text)
    if letters is not None:
        return compile_formula(formula, letters)
    for size in (4, 16):
        try:
            return compile_formula(formula, ALPHABET[:size])
        except InputError:
            continue
    return compile_formula(formula, ALPHABET)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror}") from error


def _record(name: str, classification: "Classification") -> dict[str, Any]:
    from dataclasses import asdict

    from wug.languages.automata.canonical_form import sha256

    return {
        "name": name,
        "sha256": sha256(classification.dfa),
        "states": classification.states,
        "states_trim": classification.states_trim,
        "monoid": classification.monoid,
        "classes": classification.classes,
        "k": classification.k,
        "witness": {key: asdict(witness) for key, witness in classification.witness.items()},
    }


def _smallest(classification: "Classification") -> str:
    from wug.languages.automata.classes import smallest_classes

    return " ".join(smallest_classes(classification.classes))


def _print(name: str, classification: "Classification", show_all: bool) -> None:
    from wug.languages.automata.classes import closest_misses

    dfa = classification.dfa
    typer.echo(f"{name}, over {_listed(dfa.alphabet)}")
    has_dead_state = classification.states_trim < classification.states
    typer.echo(
        f"{classification.states} states{', the dead one included' if has_dead_state else ''}; "
        f"monoid of {classification.monoid}; salient letters {_listed(classification.salient) or 'none'}"
    )
    typer.echo()
    _print_lattice(classification)
    typer.echo()
    representative = classification.represents
    typer.echo(f"represents {representative}" if representative else "represents none of the sixteen classes")
    for line in _further(classification, show_all):
        typer.echo(line)
    for key, grammar in classification.grammar.items():
        if show_all or key in _smallest(classification).split():
            typer.echo(f"{key}: {_grammar_text(grammar)}")
    missed = list(classification.witness) if show_all else closest_misses(classification.classes)
    for key in missed:
        typer.echo()
        for line in _reason(key, classification.witness[key]):
            typer.echo(line)


def _print_lattice(classification: "Classification") -> None:
    from wug.languages.automata.classes import LOGICS, MODELS, PLACES

    cells = [["" for _ in MODELS] for _ in LOGICS]
    for key, (row, column) in PLACES.items():
        k = classification.k.get(key)
        mark = "●" if classification.classes[key] else "○"
        cells[row][column] = f"{mark} {key}" + ("" if k is None else f" k={k}")
    headings = [model.split() for model in MODELS]
    height = max(map(len, headings))
    lines = [["", *(([""] * height + words)[i - height] for words in headings)] for i in range(height)]
    lines += [[logic, *row] for logic, row in zip(LOGICS, cells, strict=True)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _further(classification: "Classification", show_all: bool) -> Iterator[str]:
    from wug.languages.automata.classes import CLASSES, COVERS

    others = {key: holds for key, holds in classification.classes.items() if key not in COVERS}
    if not show_all:
        yield "also in " + (_listed(key for key, holds in others.items() if holds) or "no other class")
        return
    width = max(map(len, others))
    for key, holds in others.items():
        k = classification.k.get(key)
        yield f"{'●' if holds else '○'} {key:{width}}  {CLASSES[key].title}" + ("" if k is None else f", k={k}")


def _grammar_text(grammar: "Grammar") -> str:
    if grammar.is_complete and len(grammar.literals) <= _SHOWN_LITERALS:
        return str(grammar.formula)
    kind = "none of" if grammar.forbids else "one of"
    shown = ", ".join(str(literal) for literal in grammar.literals[:_SHOWN_LITERALS])
    more = f"{len(grammar.literals) - _SHOWN_LITERALS:,} more" if grammar.is_complete else "very many more"
    tier = "" if grammar.tier is None else f"on the tier {_listed(grammar.tier)} "
    return f"{tier}{kind} {shown} and {more}"


def _reason(key: str, witness: "Witness") -> Iterator[str]:
    from wug.languages.automata.classes import CLASSES

    yield f"not {key} ({CLASSES[key].title}): {witness.criterion}"
    if witness.words:
        yield "  " + ", ".join(f"{name} = {word or 'ε'}" for name, word in witness.words.items())
    for label, strings in (("in ", witness.accepted), ("out", witness.rejected)):
        if strings:
            yield f"  {label}  " + "  ".join(string or "ε" for string in strings)


def _listed(letters: Iterable[str]) -> str:
    """Return letters side by side, the middle left out where there are many."""
    shown = list(letters)
    return " ".join(shown if len(shown) <= 20 else [*shown[:10], "…", *shown[-2:], f"({len(shown)})"])
