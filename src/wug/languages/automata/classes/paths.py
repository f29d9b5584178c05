"""Words of one language that decisions and witnesses need: how to reach a state, and how to tell two apart."""

from collections import deque
from collections.abc import Callable, Sequence

from wug.languages.automata.classes.specimen import Columns, Specimen


def spell(specimen: Specimen, word: Sequence[int]) -> str:
    """Return the word as text: letters side by side, with blanks between if some letter has several characters."""
    alphabet = specimen.dfa.alphabet
    separator = "" if all(len(letter) == 1 for letter in alphabet) else " "
    return separator.join(alphabet[column] for column in word)


def run(specimen: Specimen, state: int, word: Sequence[int]) -> int:
    """Return the state that the word leads to."""
    for column in word:
        state = int(specimen.dfa.transitions[state, column])
    return state


def accepts(specimen: Specimen, word: Sequence[int]) -> bool:
    """Return whether the word is in the language."""
    return bool(specimen.dfa.accepting[run(specimen, 0, word)])


def access_word(specimen: Specimen, state: int) -> Columns:
    """Return the shortest word from the start state to the state."""
    return connecting_word(specimen, 0, state)


def connecting_word(specimen: Specimen, source: int, target: int) -> Columns:
    """Return the shortest word from one state to another; there must be one."""
    return _shortest_word(specimen, source, lambda reached: reached == target)


def completing_word(specimen: Specimen, state: int, accepted: bool) -> Columns:
    """Return the shortest word from the state to acceptance (or to rejection); one must exist."""
    return _shortest_word(specimen, state, lambda reached: specimen.dfa.accepting[reached] == accepted)


def _shortest_word(specimen: Specimen, state: int, is_goal: Callable[[int], bool]) -> Columns:
    words: dict[int, Columns] = {state: ()}
    queue = deque([state])
    while queue:
        state = queue.popleft()
        if is_goal(state):
            return words[state]
        for column, action in zip(specimen.letters.representatives.tolist(), specimen.letters.actions, strict=True):
            target = int(action[state])
            if target not in words:
                words[target] = (*words[state], column)
                queue.append(target)
    raise AssertionError("no word leads there")


def distinguishing_word(specimen: Specimen, first: int, second: int) -> Columns:
    """Return the shortest word after which exactly one of two different states accepts."""
    accepting = specimen.dfa.accepting
    return _shortest_pair_word(specimen, first, second, lambda p, q: accepting[p] != accepting[q])


def excluding_word(specimen: Specimen, first: int, second: int, accepted: bool) -> Columns:
    """Return the shortest word accepted (or rejected) from the first state and not from the second."""
    accepting = specimen.dfa.accepting
    return _shortest_pair_word(
        specimen, first, second, lambda p, q: accepting[p] == accepted and accepting[q] != accepted
    )


def _shortest_pair_word(specimen: Specimen, first: int, second: int, is_goal: Callable[[int, int], bool]) -> Columns:
    words: dict[tuple[int, int], Columns] = {(first, second): ()}
    queue = deque([(first, second)])
    while queue:
        pair = queue.popleft()
        if is_goal(*pair):
            return words[pair]
        for column, action in zip(specimen.letters.representatives.tolist(), specimen.letters.actions, strict=True):
            target = (int(action[pair[0]]), int(action[pair[1]]))
            if target not in words:
                words[target] = (*words[pair], column)
                queue.append(target)
    raise AssertionError("no word tells the states apart in this way")
