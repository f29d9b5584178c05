"""A template for each of the published types of suites; names, regions and predictions as published.

Source of the types: Hu et al. 2020, section 3; the words and sentences are wug's own.
"""

from collections.abc import Callable, Iterator, Mapping

from wug.benchmarks.syntaxgym.own_suites.grammar import english
from wug.benchmarks.syntaxgym.own_suites.template import Ambiguity, Contents, Draw, Template


def templates() -> dict[str, Template]:
    """Return all templates by name of the suite."""
    made = [
        *_agreement(),
        *_reflexives(),
        *_polarity(),
        *_filler_gap(),
        *_embedded_filler_gap(),
        _hierarchy(),
        *_clefts(),
        *_subordination(),
        *_reduced_relatives(),
        *_closure("npz_ambig", _optional_verb),
        *_closure("npz_obj", _explicit_object),
        *_centre_embedding(),
        _noun_or_verb(),
    ]
    return {template.name: template for template in sorted(made, key=lambda template: template.name)}


# --- agreement and licensing ------------------------------------------------------------------------------------------

_MATCHES = {"match_sing": True, "mismatch_sing": False, "match_plural": True, "mismatch_plural": False}


def _number_conditions(
    draw: Draw, kind: str, singular: str, plural: str, before: str = ""
) -> dict[str, tuple[str, ...]]:
    """Return the conditions of a subject of either number, a distractor of the other, and what agrees at the end."""
    subject, distractor = draw.noun(), draw.noun()
    verb, preposition = draw.word("VT"), draw.word("P")
    conditions = {}
    for condition in _MATCHES:
        is_plural = condition.endswith("plural")
        inner = distractor[not is_plural]
        clause = {
            "prep": (preposition, "the", inner),
            "src": ("that", verb, "the", inner),
            "orc": ("that", "the", inner, verb),
        }[kind]
        last = plural if is_plural == condition.startswith("match") else singular
        conditions[condition] = ("The", subject[is_plural], *clause, *([before] if before else []), last)
    return conditions


_CLAUSE_REGIONS = {
    "prep": ("prep", "the", "prep_np"),
    "src": ("that", "embed_vp", "the", "embed_np"),
    "orc": ("that", "the", "embed_np", "embed_vp"),
}
_CLAUSE_NOUN = {"prep": 5, "src": 6, "orc": 5}


def _agreement() -> Iterator[Template]:
    for kind, clause in _CLAUSE_REGIONS.items():
        verb = 3 + len(clause)

        def draw_item(draw: Draw, kind: str = kind) -> Contents:
            singular, plural = draw.both("COP_sg", "COP_pl")
            adjective = draw.word("ADJ")
            conditions = _number_conditions(draw, kind, singular, plural)
            return {name: (*regions, adjective) for name, regions in conditions.items()}

        yield Template(
            f"number_{kind}",
            ("intro", "np", *clause, "matrix_v", "continuation"),
            (_both_match(verb),),
            draw_item,
            frozenset({2, _CLAUSE_NOUN[kind], verb}),
            _MATCHES,
        )


def _reflexives() -> Iterator[Template]:
    for kind, clause in _CLAUSE_REGIONS.items():
        for gender, pronoun in (("masc", "himself"), ("fem", "herself")):
            last = 4 + len(clause)

            def draw_item(draw: Draw, kind: str = kind, pronoun: str = pronoun) -> Contents:
                return _number_conditions(draw, kind, pronoun, "themselves", draw.word("VR"))

            yield Template(
                f"reflexive_{kind}_{gender}",
                ("intro", "np", *clause, "matrix_v", "reflexive"),
                (_both_match(last),),
                draw_item,
                frozenset({2, _CLAUSE_NOUN[kind], last}),
                _MATCHES,
            )


def _both_match(region: int) -> str:
    return (
        f"(({region};%match_sing%) < ({region};%mismatch_sing%)) & "
        f"(({region};%match_plural%) < ({region};%mismatch_plural%))"
    )


def _polarity() -> Iterator[Template]:
    licensed = {"neg_pos": True, "neg_neg": True, "pos_pos": False, "pos_neg": False}
    for kind, clause in (("src", ("rc_verb", "rc_dp", "rc_obj")), ("orc", ("rc_dp", "rc_subj", "rc_verb"))):
        for word in ("any", "ever"):

            def draw_item(draw: Draw, kind: str = kind, word: str = word) -> Contents:
                subject, distractor, verb = draw.noun()[0], draw.noun()[1], draw.word("VT")
                before, last = ("has had", draw.word("N_mass")) if word == "any" else ("has", draw.word("PARTICIPLE"))
                conditions = {}
                for condition in licensed:
                    outer, inner = (
                        ("No" if condition.startswith("neg") else "The"),
                        ("no" if condition.endswith("neg") else "the"),
                    )
                    inside = (verb, inner, distractor) if kind == "src" else (inner, distractor, verb)
                    conditions[condition] = (outer, subject, "that", *inside, before, word, last)
                return conditions

            yield Template(
                f"npi_{kind}_{word}",
                ("licensor", "np", "compl", *clause, "matrix_v", "npi", "continuation"),
                (
                    "((8;%neg_pos%) < (8;%pos_pos%)) & ((8;%neg_neg%) < (8;%pos_neg%)) & "
                    "((8;%neg_pos%) < (8;%pos_neg%))",
                ),
                draw_item,
                frozenset({1, 5 if kind == "src" else 4}),
                licensed,
            )


# --- long-distance dependencies ---------------------------------------------------------------------------------------

_GAPS = {"what_nogap": False, "that_nogap": True, "what_gap": True, "that_gap": False}


def _filler_gap() -> Iterator[Template]:
    for place, gap in (("subject", 3), ("object", 5), ("pp", 7)):

        def draw_item(draw: Draw, place: str = place, gap: int = gap) -> Contents:
            filler = "what" if place == "object" else "who"
            parts = [
                *(draw.word("MATRIX"), "", f"{draw.word('POSS')} {draw.noun()[0]}", draw.word("VT_thing")),
                *(f"the {draw.word('N_thing')}", draw.word("P"), f"the {draw.noun()[1]}"),
                f"{draw.choose(('at', 'in', 'outside'))} the {draw.word('N_place')}",
            ]
            return _with_gap(parts, filler, gap, ("what_nogap", "that_nogap", "what_gap", "that_gap"))

        yield Template(
            f"fgd_{place}",
            ("prefix", "comp", "np1", "verb", "np2", "prep", "np3", "end"),
            (_filled_and_gap(gap, gap + 1, "nogap"),),
            draw_item,
            frozenset({2, gap}),
            _GAPS,
        )


def _with_gap(parts: list[str], filler: str, gap: int, conditions: tuple[str, ...]) -> Contents:
    """Return conditions with a filler or 'that' in region 2, and region ``gap`` filled or empty."""
    made = {}
    for condition in conditions:
        regions = list(parts)
        regions[1] = filler if condition.startswith("what") else "that"
        if condition.endswith("_gap"):
            regions[gap - 1] = ""
        made[condition] = tuple(regions)
    return made


def _filled_and_gap(filled: int, after: int, nogap: str) -> str:
    return f"(({filled};%what_{nogap}%) > ({filled};%that_{nogap}%)) & (({after};%what_gap%) < ({after};%that_gap%))"


def _embedded_filler_gap() -> Iterator[Template]:
    conditions = {"what_gap": True, "that_gap": False, "what_no-gap": False, "that_no-gap": True}
    for levels in (3, 4):

        def draw_item(draw: Draw, levels: int = levels) -> Contents:
            clauses = [f"{draw.word('POSS')} {draw.noun()[0]} {draw.word('SAY')}" for _ in range(levels)]
            parts = [
                *(draw.word("MATRIX"), "", " that ".join(clauses), f"{draw.word('POSS')} {draw.noun()[0]}"),
                *(draw.word("VT_thing"), f"the {draw.word('N_thing')}", f"in the {draw.word('N_place')}"),
            ]
            return _with_gap(parts, "what", 6, tuple(conditions))

        yield Template(
            f"fgd-embed{levels}",
            ("prefix", "comp", "embedding", "subj", "verb", "object", "continuation"),
            (_filled_and_gap(6, 7, "no-gap"),),
            draw_item,
            frozenset({2, 6}),
            conditions,
        )


def _hierarchy() -> Template:
    derivable = {"what_nogap": False, "that_nogap": True, "what_subjgap": True, "that_subjgap": False}
    derivable |= {"what_matrixgap": False, "that_matrixgap": False}

    def draw_item(draw: Draw) -> Contents:
        embedded, matrix = f"{draw.word('POSS')} {draw.noun()[0]}", f"{draw.word('POSS')} {draw.noun()[0]}"
        who = f"{draw.word('POSS')} {draw.noun()[0]} {draw.word('VT')}"
        speaker = f"{draw.word('POSS')} {draw.noun()[0]} {draw.word('SAY')}"
        parts = [draw.word("FACT"), speaker, "", who, embedded, f"at the {draw.word('N_place')}"]
        parts += ["surprised", matrix, draw.word("TIME")]
        made = {}
        for condition in derivable:
            regions = list(parts)
            regions[2] = "who" if condition.startswith("what") else "that"
            if condition.endswith("subjgap"):
                regions[4] = ""
            if condition.endswith("matrixgap"):
                regions[7] = ""
            made[condition] = tuple(regions)
        return made

    return Template(
        "fgd_hierarchy",
        *(
            (
                "prefix",
                "subj_subj",
                "subj_wh",
                "subj_embed",
                "subject_gap",
                "filler",
                "matrix_verb",
                "matrix_gap",
                "end",
            ),
        ),
        (
            "((6;%what_nogap%) > (6;%that_nogap%)) & ((6;%what_subjgap%) < (6;%that_subjgap%))",
            "((9;%what_nogap%) = (9;%that_nogap%)) & ((6;%what_subjgap%) = (6;%that_subjgap%))",
        ),
        draw_item,
        frozenset({3, 5, 8}),
        derivable,
    )


def _clefts() -> Iterator[Template]:
    derivable = {"np_mismatch": False, "np_match": True, "vp_match": True, "vp_mismatch": False}
    for name, extra in (("cleft", ()), ("cleft_modifier", ("modifier",))):
        verb, last = 5 + len(extra), 6 + len(extra)

        def draw_item(draw: Draw, has_modifier: bool = bool(extra)) -> Contents:
            pronoun, lexical, bare = draw.word("HE"), draw.word("V_cleft"), draw.word("V_bare")
            between = (draw.word("MODIFIER"),) if has_modifier else ()
            thing = f"the {draw.word('N_task')}"
            return {
                condition: (
                    *("What", pronoun, "did" if condition in ("np_mismatch", "vp_match") else lexical, *between, "was"),
                    *(bare if condition.startswith("vp") else "", thing),
                )
                for condition in derivable
            }

        yield Template(
            name,
            ("intro", "subj", "verb", *extra, "passive", "verb.1", "matrix_v"),
            (
                f"(({last};%np_mismatch%) - ({last};%np_match%)) + "
                f"((({verb};%vp_mismatch%) + ({last};%vp_mismatch%)) - "
                f"(({verb};%vp_match%) + ({last};%vp_match%))) > 0",
            ),
            draw_item,
            frozenset({3, verb}),
            derivable,
        )


# --- gross syntactic state --------------------------------------------------------------------------------------------


def _subordination() -> Iterator[Template]:
    derivable = {"sub_no-matrix": False, "no-sub_no-matrix": True, "sub_matrix": True, "no-sub_matrix": False}
    kinds: Mapping[str, Callable[[Draw], tuple[str, str]] | None] = {
        "": None,
        "_orc-orc": lambda draw: (
            f"who the {draw.noun()[0]} {draw.word('VT')}",
            f"that the {draw.noun()[0]} {draw.word('VT_thing')}",
        ),
        "_pp-pp": lambda draw: (f"from the {draw.word('N_place')}", f"in the {draw.word('N_place')}"),
        "_src-src": lambda draw: (
            f"who {draw.word('VT')} the {draw.noun()[0]}",
            f"that {draw.word('VT_thing')} the {draw.word('N_thing')}",
        ),
    }
    for suffix, modifiers in kinds.items():
        last = 5 if modifiers else 3

        def draw_item(draw: Draw, modifiers: Callable[[Draw], tuple[str, str]] | None = modifiers) -> Contents:
            subject, other, place = draw.noun()[0], draw.noun()[0], draw.word("N_place")
            verb_phrase = f"{draw.word('VT_thing')} the {draw.word('N_thing')}"
            between = modifiers(draw) if modifiers else ("", "")
            subordinator = draw.choose(("As", "While", "After", "Because", "When"))
            matrix = f", the {other} {draw.word('VI')} in the {place} ."
            made = {}
            for condition in derivable:
                first = f"{subordinator} the {subject}" if condition.startswith("sub") else f"The {subject}"
                end = "." if condition.endswith("no-matrix") else matrix
                middle = (between[0], verb_phrase, between[1]) if modifiers else (verb_phrase,)
                made[condition] = (first, *middle, end)
            return made

        middle = ("subj_modifier", "verb phrase", "obj_modifier") if modifiers else ("verb phrase",)
        yield Template(
            f"subordination{suffix}",
            ("subject", *middle, "main clause"),
            (
                f"(({last};%sub_no-matrix%) > ({last};%no-sub_no-matrix%)) & "
                f"(({last};%sub_matrix%) < ({last};%no-sub_matrix%))",
            ),
            draw_item,
            frozenset({1, last}),
            derivable,
        )


# --- garden paths -----------------------------------------------------------------------------------------------------


def _garden_path(region: int, hard: str, easy: str, other: str, other_easy: str) -> str:
    def cell(condition: str) -> str:
        return f"({region};%{condition}%)"

    return (
        f"({cell(hard)} > {cell(easy)}) & ({cell(hard)} > {cell(other)}) & "
        f"(({cell(hard)} - {cell(easy)}) > ({cell(other)} - {cell(other_easy)}))"
    )


def _reduced_relatives() -> Iterator[Template]:
    names = ("reduced_ambig", "unreduced_ambig", "reduced_unambig", "unreduced_unambig")
    for name, extra in (("mvrr", ()), ("mvrr_mod", ("intervener",))):

        def draw_item(draw: Draw, has_intervener: bool = bool(extra)) -> Contents:
            noun, ambiguous, participle = draw.noun()[0], draw.word("VD_both"), draw.word("VD_participle")
            contents = f"the {draw.word('N_food')} from the {draw.word('N_place')}"
            between = (draw.word("WITH"),) if has_intervener else ()
            verb, end = draw.word("VI"), f"in the {draw.word('N_place')}"
            made = {}
            for condition in names:
                form = participle if condition.endswith("_unambig") else ambiguous
                first = form if condition.startswith("reduced") else f"who was {form}"
                made[condition] = ("The", noun, first, contents, *between, verb, end)
            return made

        yield Template(
            name,
            ("start", "noun", "participle", "rc contents", *extra, "disambiguator", "end"),
            (_garden_path(5 + len(extra), *names),),
            draw_item,
            frozenset({3}),
            dict.fromkeys(names, True),
            Ambiguity(4, ("S", "NP"), "reduced_ambig"),
        )


def _optional_verb(draw: Draw) -> dict[str, tuple[str, str]]:
    """Return verb and comma of the conditions with an optionally transitive or an intransitive verb."""
    optional, intransitive = draw.word("VO"), draw.word("VI")
    return {
        "ambig_nocomma": (optional, ""),
        "ambig_comma": (optional, ","),
        "unambig_nocomma": (intransitive, ""),
        "unambig_comma": (intransitive, ","),
    }


def _explicit_object(draw: Draw) -> dict[str, tuple[str, str]]:
    """Return verb and comma of the conditions with and without an object of the verb."""
    verb, thing = draw.word("VO"), f"{draw.word('POSS')} {draw.noun()[0]}"
    return {
        "no-obj_no-comma": (verb, ""),
        "no-obj_comma": (verb, ","),
        "obj_no-comma": (f"{verb} {thing}", ""),
        "obj_comma": (f"{verb} {thing}", ","),
    }


def _closure(name: str, forms: Callable[[Draw], dict[str, tuple[str, str]]]) -> Iterator[Template]:
    hard, easy, other, other_easy = (
        ("ambig_nocomma", "ambig_comma", "unambig_nocomma", "unambig_comma")
        if name == "npz_ambig"
        else ("no-obj_no-comma", "no-obj_comma", "obj_no-comma", "obj_comma")
    )
    for suffix, extra in (("", ()), ("_mod", ("extension",))):

        def draw_item(draw: Draw, has_extension: bool = bool(extra)) -> Contents:
            start = f"{draw.choose(('As', 'While', 'After', 'Because', 'When'))} the {draw.noun()[0]}"
            noun = f"the {draw.noun()[0]}"
            between = (draw.word("WITH_people"),) if has_extension else ()
            conditions = forms(draw)
            verb, end = draw.word("VI"), draw.word("MANNER")
            return {
                condition: (start, first, comma, noun, *between, verb, end)
                for condition, (first, comma) in conditions.items()
            }

        yield Template(
            f"{name}{suffix}",
            ("start", "verb", "comma", "np/z", *extra, "matrix verb", "continuation"),
            (_garden_path(5 + len(extra), hard, easy, other, other_easy),),
            draw_item,
            frozenset({2, 3}),
            dict.fromkeys((hard, easy, other, other_easy), True),
            Ambiguity(4, ("SUBCL", "SUBCL_NP"), hard),
        )


def _noun_or_verb() -> Template:
    names = ("nn_ambig", "nn_unambig", "nv_ambig", "nv_unambig")

    def draw_item(draw: Draw) -> Contents:
        firm, possessive = draw.both("N_firm", "N_firm_poss")
        ambiguous, past = draw.both("NV", "V_past")
        gone, goods = draw.word("GONE"), f"{draw.word('N_goods')} from the {draw.word('N_place')}"
        return {
            "nn_ambig": ("The", firm, ambiguous, "were", gone),
            "nn_unambig": ("The", possessive, ambiguous, "were", gone),
            "nv_ambig": ("The", firm, ambiguous, "the", goods),
            "nv_unambig": ("The", firm, past, "the", goods),
        }

    return Template(
        "nn-nv-rpl",
        ("det", "n", "nv", "resolution", "rest"),
        ("(5;%nn_ambig%) > (5;%nn_unambig%)", "(5;%nv_ambig%) > (5;%nv_unambig%)"),
        draw_item,
        frozenset({2, 3, 4, 5}),
        dict.fromkeys(names, True),
        Ambiguity(3, ("COMPOUND", "CLAUSE_BEGIN"), "nn_ambig"),
    )


# --- centre embedding -------------------------------------------------------------------------------------------------

KINDS = ("artwork", "building", "dish", "machine")
"""Kinds of things that people make; V_on_X are what they do to one, V_of_X what becomes of one."""


def makes_sense(regions: Contents, condition: str) -> bool:
    """Return whether people do the first verb to the thing, and the second one becomes of the thing."""
    thing, first, second = regions[condition][1], regions[condition][-2], regions[condition][-1]
    lexicon = english().lexicon
    return any(
        thing in lexicon[kind.upper()] and first in lexicon[f"V_on_{kind}"] and second in lexicon[f"V_of_{kind}"]
        for kind in KINDS
    )


def _centre_embedding() -> Iterator[Template]:
    for name, extra in (("center_embed", ()), ("center_embed_mod", ("modifier",))):
        first, second = 6 + len(extra), 7 + len(extra)

        def draw_item(draw: Draw, has_modifier: bool = bool(extra)) -> Contents:
            kind = draw.choose(KINDS)
            start = ("The", draw.word(kind.upper()), "that", "the", draw.noun()[0])
            between = (f"who {draw.word('VT')} the {draw.noun()[0]}",) if has_modifier else ()
            done, undergone = draw.word(f"V_on_{kind}"), draw.word(f"V_of_{kind}")
            return {"plaus": (*start, *between, done, undergone), "implaus": (*start, *between, undergone, done)}

        yield Template(
            name,
            ("intro", "np_1", "that", "det_2", "np_2", *extra, "verb1", "verb2"),
            (f"(({first};%plaus%) + ({second};%plaus%)) < (({first};%implaus%) + ({second};%implaus%))",),
            draw_item,
            frozenset({first, second}),
            {"plaus": True, "implaus": True},
            plausibility=makes_sense,
            plausible={"plaus": True, "implaus": False},
        )
