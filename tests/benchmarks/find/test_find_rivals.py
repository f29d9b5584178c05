"""Simple rules that fit the training pairs, and probes that tell rules apart."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.benchmarks.find.tasks import (
    FindTask,
    Pair,
    add_or_multiply_task,
    composition_task,
    count_task,
    hierarchical_task,
    odd_one_out_depths_task,
    odd_one_out_task,
    rival_rules,
    telling_probes,
)
from wug.benchmarks.find.tasks.rivals import edit_distance, nearest

SEQUENCES = st.lists(st.sampled_from("ab"), max_size=6).map(tuple)


def bare(*pairs, probes=()):
    """Return a task without rules: what is searched for rivals."""
    training = tuple(Pair(tuple(source), tuple(target)) for source, target in pairs)
    inputs = tuple(map(tuple, probes))
    return FindTask("bare", training, inputs, inputs, {})


def answers(task, name, source):
    return "".join(rival_rules(task)[name](tuple(source)))


@pytest.mark.parametrize(
    ("pairs", "probe", "expected"),
    [
        ([("abb", "yxx")], "ba", {"reverse": None, "copy": "xy"}),
        ([("ab", "yx"), ("ba", "xy")], "abb", {"copy": "yxx", "reverse": "yyx"}),
        ([("ab", "x")], "ba", {"first": None, "last": None, "constant": "x"}),
        ([("aab", "x"), ("bba", "y")], "abb", {"rarest": "y", "most-frequent": "y", "first": "x", "last": "x"}),
        ([("aabaa", "y"), ("bbabb", "x")], "abbab", {"middle": "y", "position-3": "y", "position-3-from-end": "y"}),
        ([("ab", "xxx"), ("ba", "yyy")], "bb", {"first-3-times": "yyy", "copy-3-times": None, "constant": None}),
        ([("a", "xxx")], "aa", {"copy-3-times": "xxxxxx", "length-plus-2": "xxxx", "length-times-3": "xxxxxx"}),
        ([("aa", "xxxx"), ("a", "xxx")], "aaa", {"length-plus-2": "xxxxx", "length-times-2": None}),
        ([("aa", "x"), ("ab", "y")], "b", {"output-of-same-last": "y", "output-of-same-first": None}),
        ([("aa", "x"), ("bbb", "y")], "b", {"output-of-nearest": "x", "output-of-same-first": "y"}),
    ],
)
def test_simple_rules_that_fit(pairs, probe, expected):
    found = rival_rules(bare(*pairs, probes=[probe]))
    shown = {name: "".join(found[name](tuple(probe))) if name in found else None for name in expected}
    assert shown == expected


def test_a_translation_is_one_output_symbol_for_each_input_symbol():
    assert "copy" not in rival_rules(bare(("aa", "xy"), probes=["a"]))
    assert "copy" in rival_rules(bare(("ab", "xx"), probes=["a"]))


def test_a_rule_that_has_no_answer_to_a_probe_is_no_rival():
    found = rival_rules(bare(("aab", "x"), ("bba", "y"), probes=["abab"]))
    assert {"rarest", "most-frequent", "middle"}.isdisjoint(found)
    assert "first" in found
    assert "first" not in rival_rules(bare(("aab", "x"), probes=["c"]))


@given(st.lists(st.tuples(SEQUENCES, SEQUENCES), min_size=1, max_size=3, unique_by=lambda p: p[0]), SEQUENCES)
@settings(deadline=None, max_examples=60)
def test_every_rival_reproduces_every_training_pair(pairs, probe):
    task = bare(*pairs, probes=[probe])
    for rule in rival_rules(task).values():
        assert all(tuple(rule(pair.source)) == pair.target for pair in task.training)
        rule(tuple(probe))


def test_the_candidates_come_back_under_the_names_of_shapes():
    task = hierarchical_task(4)
    found = rival_rules(task)
    for name, candidate in (("middle", "hierar"), ("position-5", "linear"), ("rarest", "hierar")):
        assert all(tuple(found[name](x)) == task.answers(candidate)[x] for x in task.probes)
    assert {"constant", "copy"} <= set(rival_rules(count_task(40)))
    assert {"length-plus-20", "length-times-2", "constant"} <= set(rival_rules(add_or_multiply_task(20)))


def test_the_rarest_symbol_is_told_from_the_middle_off_centre():
    task = odd_one_out_task(4)
    found = rival_rules(task)
    assert any(tuple(found["rarest"](x)) != task.answers("hierar")[x] for x in task.probes)
    assert all(tuple(found["rarest"](x)) == task.answers("oddone")[x] for x in task.probes)
    assert "position-5" not in rival_rules(odd_one_out_depths_task(1))


# --- telling probes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", [hierarchical_task(4), add_or_multiply_task(5), composition_task(6, 2)])
def test_probes_tell_the_candidates_and_the_rivals_apart(task):
    rules = {**task.rules, **rival_rules(task)}
    probes = telling_probes(rules, [*(pair.source for pair in task.training), *task.probes], task.source_symbols, 12)
    assert 0 < len(probes) == len(set(probes)) <= 12
    for source in probes:
        given_answers = {tuple(rule(source)) for rule in rules.values()}
        assert len(given_answers) > 1
    for one, other in combinations(task.rules, 2):
        assert any(tuple(rules[one](x)) != tuple(rules[other](x)) for x in probes)


def test_probes_tell_the_rarest_symbol_from_the_middle_where_the_paper_s_cannot():
    task = hierarchical_task(4)
    rules = {**task.rules, **rival_rules(task)}
    probes = telling_probes(rules, task.probes, task.source_symbols, 12)
    assert any(tuple(rules["rarest"](x)) != tuple(rules["middle"](x)) for x in probes)


def test_rules_that_agree_everywhere_have_no_telling_probes():
    assert telling_probes({"one": lambda x: x, "two": lambda x: x}, [("a",)], ("a",), 5) == ()


# --- edit distance ----------------------------------------------------------------------------------------------------


def plain_distance(first, second):
    if not first or not second:
        return len(first) + len(second)
    return min(
        plain_distance(first[1:], second) + 1,
        plain_distance(first, second[1:]) + 1,
        plain_distance(first[1:], second[1:]) + (first[0] != second[0]),
    )


@given(SEQUENCES, SEQUENCES, st.integers(0, 6))
@settings(deadline=None, max_examples=60)
def test_edit_distance_is_that_of_its_definition(first, second, at_most):
    distance = plain_distance(first, second)
    assert edit_distance(first, second, at_most=at_most) == (distance if distance <= at_most else None)


@given(SEQUENCES, st.lists(SEQUENCES, min_size=1, max_size=6))
@settings(deadline=None, max_examples=40)
def test_the_nearest_is_the_first_of_the_nearest(source, others):
    assert nearest(source, others) == min(others, key=lambda other: plain_distance(source, other))
