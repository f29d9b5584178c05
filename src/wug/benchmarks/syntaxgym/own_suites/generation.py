"""Makes suites of wug's own from templates, and checks every item."""

from collections.abc import Sequence

from wug.benchmarks.syntaxgym.own_suites.grammar import english
from wug.benchmarks.syntaxgym.own_suites.template import Contents, Draw, Template
from wug.benchmarks.syntaxgym.own_suites.templates import templates
from wug.benchmarks.syntaxgym.suites import Item, Metric, Suite, parse_formula
from wug.errors import InputError
from wug.randomness import generator

DRAWS_PER_ITEM = 50
META = {
    "author": "wug",
    "comment": "Made by wug's templates; licensed as wug is (Apache 2.0).",
    "reference": "Types of suites: Hu et al. 2020, A systematic assessment of syntactic generalization in neural "
    "language models",
}


def own_suites(items: int, seed: int, names: Sequence[str] = ()) -> list[Suite]:
    """Return suites of ``items`` items each, all or those named; every item is checked, and none is there twice.

    Raises InputError where a template has not so many different items.
    """
    return [make_suite(template, items, seed) for name, template in templates().items() if not names or name in names]


def make_suite(template: Template, items: int, seed: int) -> Suite:
    """Return one suite; its items depend on its name and the seed alone, and fewer items are the first of more."""
    rng = generator(seed, "syntaxgym", "own suites", template.name)
    seen: set[tuple[tuple[str, ...], ...]] = set()
    made: list[Item] = []
    for _ in range(items * DRAWS_PER_ITEM):
        if len(made) == items:
            break
        contents = template.draw(Draw(rng))
        key = tuple(contents.values())
        if key not in seen:
            seen.add(key)
            fault = find_fault(template, contents)
            assert not fault, f"{template.name}: {fault}"
            made.append(Item(len(made) + 1, contents))
    if len(made) < items:
        raise InputError(f"the template of {template.name} gave {len(made)} different items, not {items}")
    formulas = tuple(map(parse_formula, template.predictions))
    return Suite(template.name, Metric.SUM, template.regions, formulas, tuple(made), META)


def find_fault(template: Template, contents: Contents) -> str:
    """Return what is wrong with an item; '' where nothing is.

    Conditions differ in the manipulated regions alone; the grammar derives what is grammatical and nothing else; an
    ambiguous beginning has both analyses in its condition, and in no other with another beginning; conditions make
    sense as they should.
    """
    for region in range(1, len(template.regions) + 1):
        found = {regions[region - 1] for regions in contents.values()}
        if region not in template.manipulated and len(found) > 1:
            return f"region {region} differs between conditions: {', '.join(sorted(found))}"
    for condition, is_grammatical in template.grammatical.items():
        text = _text(contents[condition])
        if english().derives(text) is not is_grammatical:
            return f"{condition} should {'' if is_grammatical else 'not '}be derivable: {text}"
    if template.plausibility:
        for condition, is_plausible in template.plausible.items():
            if template.plausibility(contents, condition) is not is_plausible:
                return f"{condition} should {'' if is_plausible else 'not '}make sense: {_text(contents[condition])}"
    if template.ambiguity:
        return _ambiguity_fault(template, contents)
    return ""


def _ambiguity_fault(template: Template, contents: Contents) -> str:
    assert template.ambiguity
    ambiguity = template.ambiguity
    ambiguous = _text(contents[ambiguity.condition][: ambiguity.regions])
    for condition in contents:
        beginning = _text(contents[condition][: ambiguity.regions])
        has_both = all(english().derives(beginning, category) for category in ambiguity.categories)
        if has_both is not (beginning == ambiguous):
            return f"{condition} should {'' if beginning == ambiguous else 'not '}have two analyses: {beginning}"
    return ""


def _text(regions: Sequence[str]) -> str:
    return " ".join(content for content in regions if content)
