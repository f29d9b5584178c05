"""The criteria of the classes in their plainest form: Python sets and loops over all elements, nothing shared."""

from collections.abc import Callable, Iterator

import numba
import numpy as np
from automata_worlds import all_dfas

from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise


def small_world(n_states: int, alphabet: str = "ab") -> list[DFA]:
    """Return the minimal DFA of every language that some DFA with so many states accepts."""
    minimal = map(minimise, all_dfas(n_states, alphabet))
    return list({(dfa.transitions.tobytes(), dfa.accepting.tobytes()): dfa for dfa in minimal}.values())


class PlainMonoid:
    """The transformations of a minimal DFA's words, the multiplication table, and the semigroups S and S_T."""

    def __init__(self, dfa: DFA) -> None:
        self.dfa = dfa
        n_states = len(dfa.accepting)
        identity = tuple(range(n_states))
        columns = [tuple(column) for column in dfa.transitions.T.tolist()]
        semigroup, tier = (self._closure(letters) for letters in (columns, [c for c in columns if c != identity]))
        monoid = sorted(semigroup | {identity})
        number = {element: index for index, element in enumerate(monoid)}
        self.table = np.array([[number[self._product(x, y)] for y in monoid] for x in monoid])
        self.identity = number[identity]
        self.monoid = list(range(len(monoid)))
        self.semigroup = sorted(number[element] for element in semigroup)
        self.tier = sorted(number[element] for element in tier or {identity})
        self.letters = [number[column] for column in columns]

    @staticmethod
    def _product(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(second[state] for state in first)

    def _closure(self, letters: list[tuple[int, ...]]) -> set[tuple[int, ...]]:
        closed = set(letters)
        waiting = list(closed)
        while waiting:
            element = waiting.pop()
            for letter in letters:
                product = self._product(element, letter)
                if product not in closed:
                    closed.add(product)
                    waiting.append(product)
        return closed

    def times(self, *elements: int) -> int:
        product = self.identity
        for element in elements:
            product = self.table[product, element]
        return int(product)

    def idempotents(self, elements: list[int]) -> list[int]:
        return [x for x in elements if self.table[x, x] == x]

    def omega(self, x: int) -> int:
        power = x
        while self.table[power, power] != power:
            power = int(self.table[power, x])
        return power

    def local(self, elements: list[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield each idempotent e of a semigroup and the monoid eSe."""
        for e in self.idempotents(elements):
            yield e, sorted({self.times(e, x, e) for x in elements})

    def multiples(self, x: int, elements: list[int], left: bool, right: bool) -> frozenset[int]:
        """Return the ideal of x in a monoid, on the sides asked for."""
        before = elements if left else [self.identity]
        after = elements if right else [self.identity]
        return frozenset(self.times(u, x, v) for u in before for v in after) | {x}

    def is_trivial(self, elements: list[int], left: bool, right: bool) -> bool:
        """Return whether different elements of a monoid generate different ideals."""
        return len({self.multiples(x, elements, left, right) for x in elements}) == len(elements)

    def is_da(self, elements: list[int]) -> bool:
        """Return whether the regular elements of a monoid are idempotent."""
        t = self.times
        return all(t(x, x) == x for x in elements if any(t(x, y, x) == x for y in elements))

    def is_aperiodic(self, elements: list[int]) -> bool:
        return all(self.times(self.omega(x), x) == self.omega(x) for x in elements)


Criterion = Callable[[PlainMonoid, list[int]], bool]


def every_local(holds: Callable[[PlainMonoid, list[int]], bool]) -> Criterion:
    return lambda m, s: all(holds(m, local) for _, local in m.local(s))


def _commutes(m: PlainMonoid, elements: list[int]) -> bool:
    return all(m.table[x, y] == m.table[y, x] for x in elements for y in elements)


def _idempotent(m: PlainMonoid, elements: list[int]) -> bool:
    return all(m.table[x, x] == x for x in elements)


def _semilattice(m: PlainMonoid, elements: list[int]) -> bool:
    return _commutes(m, elements) and _idempotent(m, elements)


def _threshold(m: PlainMonoid, elements: list[int]) -> bool:
    return m.is_aperiodic(elements) and bool(
        _aub_is_bua(m.table, np.array(m.idempotents(elements)), np.array(elements))
    )


def _knast(m: PlainMonoid, elements: list[int]) -> bool:
    omega = np.array([m.omega(x) for x in m.monoid])
    return bool(_knast_holds(m.table, omega, np.array(m.idempotents(elements)), np.array(elements)))


def _one_element(m: PlainMonoid, elements: list[int]) -> bool:
    return len(elements) == 1


def _left_zero(m: PlainMonoid, elements: list[int]) -> bool:
    return all(m.table[e, x] == e for e in m.idempotents(elements) for x in elements)


def _right_zero(m: PlainMonoid, elements: list[int]) -> bool:
    return all(m.table[x, e] == e for e in m.idempotents(elements) for x in elements)


def _zero(m: PlainMonoid, elements: list[int]) -> bool:
    return _left_zero(m, elements) and _right_zero(m, elements)


def _j_trivial(m: PlainMonoid, elements: list[int]) -> bool:
    return m.is_trivial(elements, left=True, right=True)


def _l_trivial(m: PlainMonoid, elements: list[int]) -> bool:
    return m.is_trivial(elements, left=True, right=False)


def _r_trivial(m: PlainMonoid, elements: list[int]) -> bool:
    return m.is_trivial(elements, left=False, right=True)


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, n))


def _is_group(m: PlainMonoid, elements: list[int]) -> bool:
    return all(any(m.table[x, y] == m.identity for y in elements) for x in elements)


ON_MONOID: dict[str, Criterion] = {
    "PT": _j_trivial,
    "L": _l_trivial,
    "R": _r_trivial,
    "DA": PlainMonoid.is_da,
    "SF": PlainMonoid.is_aperiodic,
    "Band": _idempotent,
    "Comm": _commutes,
    "CB": _semilattice,
    "Acom": lambda m, s: _commutes(m, s) and m.is_aperiodic(s),
    "Group": _is_group,
    "Zp": lambda m, s: _is_group(m, s) and _is_prime(len(s)),
    "Trivial": _one_element,
}
"""Criteria on the syntactic monoid."""

ON_SEMIGROUP: dict[str, Criterion] = {
    "N": _zero,
    "D": _right_zero,
    "K": _left_zero,
    "GD": every_local(_one_element),
    "LB": every_local(_idempotent),
    "LT": every_local(_semilattice),
    "LTT": _threshold,
    "LAcom": lambda m, s: m.is_aperiodic(s) and every_local(_commutes)(m, s),
    "PLT": _knast,
    "PLT_LJ": every_local(_j_trivial),
    "LDA": every_local(PlainMonoid.is_da),
    "LLtriv": every_local(_l_trivial),
    "LRtriv": every_local(_r_trivial),
}
"""Criteria on the syntactic semigroup; with a T before their names, on the part that the salient letters generate."""

TIERED = ("N", "D", "K", "GD", "LB", "LT", "LTT", "LAcom", "PLT", "PLT_LJ", "LDA")


def plain_classes(dfa: DFA) -> dict[str, bool]:
    """Return the memberships that the plain criteria give."""
    monoid = PlainMonoid(dfa)
    classes = {key: criterion(monoid, monoid.monoid) for key, criterion in ON_MONOID.items()}
    classes |= {key: criterion(monoid, monoid.semigroup) for key, criterion in ON_SEMIGROUP.items()}
    return classes | {"T" + key: ON_SEMIGROUP[key](monoid, monoid.tier) for key in TIERED}


@numba.njit
def _aub_is_bua(table: np.ndarray, idempotents: np.ndarray, elements: np.ndarray) -> bool:
    for e in idempotents:
        for f in idempotents:
            for x in elements:
                a = table[table[e, x], f]
                for y in elements:
                    b = table[table[e, y], f]
                    for z in elements:
                        u = table[table[f, z], e]
                        if table[table[a, u], b] != table[table[b, u], a]:
                            return False
    return True


@numba.njit
def _knast_holds(table: np.ndarray, omega: np.ndarray, idempotents: np.ndarray, elements: np.ndarray) -> bool:
    for e in idempotents:
        for f in idempotents:
            there = np.unique(np.array([table[table[e, x], f] for x in elements]))
            back = np.unique(np.array([table[table[f, x], e] for x in elements]))
            for a in there:
                for b in back:
                    p = omega[table[a, b]]
                    for c in there:
                        for d in back:
                            q = omega[table[c, d]]
                            if table[table[p, table[a, d]], q] != table[p, q]:
                                return False
    return True
