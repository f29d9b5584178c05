"""Characteristic samples: from which string extension learners must find exactly the language that they came from.

SL(k)   words of the language that together show every window of width k which occurs in it. A window that is still
        missing is reached from the start by a shortest word, and the word goes on along further missing windows as long
        as there are some, at most a thousand letters, and by a shortest word to acceptance.
TSL(k)  the same, and for each salient letter x one word uxv of the language with uv outside it, where there is one: a
        window that gives away that the letter cannot be deleted.
SP(k)   for each word t of at most k salient letters that is a subsequence in the language and cannot be made longer,
        the word N t1 N t2 ... N, where N is all neutral letters, k times over.
others  one word of each class of strings that show the same, as far as it is in the language: the shortest one. The
        classes are those of the learner; on a tier the letters off it occur in no word.
"""

from itertools import product

import numba
import numpy as np

from wug.languages import automata
from wug.languages.automata.dfa import DFA
from wug.languages.automata.facts import live_states, shortest_accepted
from wug.languages.automata.letters import merge_letters
from wug.learners.protocols import Classification
from wug.learners.symbolic.signatures import explore_classes
from wug.sequences import Corpus, Vocabulary

_LONGEST = 1000


def letter_vocabulary(alphabet):
    return Vocabulary(("#", *alphabet))


def classification(columns, offsets, alphabet, *, label=True):
    """Return training data of words that all have one label."""
    vocabulary = letter_vocabulary(alphabet)
    corpus = Corpus(np.asarray(columns, dtype=np.int64) + 1, np.asarray(offsets), vocabulary)
    return Classification(vocabulary, corpus, np.full(len(corpus), label))


def of_words(words, alphabet, *, label=True):
    """Return training data of words given as sequences of columns."""
    offsets = np.cumsum([0, *map(len, words)], dtype=np.int64)
    return classification([column for word in words for column in word], offsets, alphabet, label=label)


def local_sample(dfa, width, *, label=True, tier=False):
    live = live_states(dfa)
    columns, offsets = _cover(dfa.transitions, dfa.accepting, live, *_shortest_ways(dfa, live), width)
    witnesses = list(deletion_witnesses(dfa)) if tier else []
    columns = np.concatenate([columns, *(np.array(word, dtype=np.int32) for word in witnesses)])
    offsets = np.concatenate([offsets, offsets[-1] + np.cumsum([len(word) for word in witnesses], dtype=np.int64)])
    return classification(columns, offsets, dfa.alphabet, label=label)


def _shortest_ways(dfa, live):
    """Return shortest words from the start to each live state, flat with offsets, and the letter to take to accept."""
    arrival = {dfa.start: ()} if live[dfa.start] else {}
    queue = list(arrival)
    for state in queue:
        for column, target in enumerate(dfa.transitions[state].tolist()):
            if live[target] and target not in arrival:
                arrival[target] = (*arrival[state], column)
                queue.append(target)
    onward = np.full(dfa.n_states, -1, dtype=np.int32)
    done = set(np.flatnonzero(dfa.accepting).tolist())
    while True:
        step = {
            state: column
            for state, column in product(range(dfa.n_states), range(dfa.n_letters))
            if state not in done and int(dfa.transitions[state, column]) in done
        }
        if not step:
            break
        for state, column in step.items():
            onward[state] = column
        done |= set(step)
    words = [arrival.get(state, ()) for state in range(dfa.n_states)]
    offsets = np.cumsum([0, *map(len, words)], dtype=np.int64)
    return np.array([column for word in words for column in word], dtype=np.int32), offsets, onward


@numba.njit(cache=True)
def _cover(transitions, accepting, live, arrivals, arrival_offsets, onward, width):
    n_states, n_letters = transitions.shape
    base = n_letters + 1
    n_contexts = np.int64(base) ** (width - 1)
    covered = np.zeros(n_contexts * base, np.bool_)
    columns = np.empty(1 << 16, np.int32)
    offsets = np.zeros(1 << 10, np.int64)
    n_words = 0
    used = 0
    prefix = np.empty(width, np.int32)
    for window in range(n_contexts * base):
        if covered[window] or not live[0]:
            continue
        digit, rest = window % base, window // base
        length = 0
        is_word = True
        for place in range(width - 1):
            letter = rest // base ** (width - 2 - place) % base
            if letter > 0:
                prefix[length] = letter - 1
                length += 1
            elif length > 0:
                is_word = False
        if not is_word:
            continue
        begins = length < width - 1
        for start in range(n_states):
            if not live[start] or (begins and start > 0):
                continue
            state = start
            for place in range(length):
                state = transitions[state, prefix[place]]
            if (digit == 0 and not accepting[state]) or (digit > 0 and not live[transitions[state, digit - 1]]):
                continue
            room = used + arrival_offsets[-1] + _LONGEST + width + n_states
            while room > len(columns):
                columns = np.concatenate((columns, np.empty_like(columns)))
            first = used
            for place in range(arrival_offsets[start], arrival_offsets[start + 1]):
                columns[used] = arrivals[place]
                used += 1
            for place in range(length):
                columns[used] = prefix[place]
                used += 1
            context = np.int64(0)
            for place in range(first, used):
                key = context * base + columns[place] + 1
                covered[key] = True
                context = key % n_contexts
            following = digit - 1
            while following >= 0 and used - first < _LONGEST:
                columns[used] = following
                used += 1
                state = transitions[state, following]
                key = context * base + following + 1
                covered[key] = True
                context = key % n_contexts
                following = -1
                for letter in range(n_letters):
                    if live[transitions[state, letter]] and not covered[context * base + letter + 1]:
                        following = letter
                        break
            while not accepting[state]:
                columns[used] = onward[state]
                key = context * base + onward[state] + 1
                covered[key] = True
                context = key % n_contexts
                state = transitions[state, onward[state]]
                used += 1
            covered[context * base] = True
            n_words += 1
            if n_words == len(offsets):
                offsets = np.concatenate((offsets, np.zeros_like(offsets)))
            offsets[n_words] = used
            break
    return columns[:used].copy(), offsets[: n_words + 1].copy()


def deletion_witnesses(dfa):
    """Yield for each letter a word uxv of the language with uv outside it, where there is one."""
    for column in range(dfa.n_letters):
        for state in range(dfa.n_states):
            after = int(dfa.transitions[state, column])
            if after == state:
                continue
            with_letter, without = (DFA(dfa.transitions, dfa.accepting, dfa.alphabet, q) for q in (after, state))
            rest = shortest_accepted(automata.difference(with_letter, without))
            if rest is not None:
                target = DFA(dfa.transitions, np.arange(dfa.n_states) == state, dfa.alphabet, dfa.start)
                begin = shortest_accepted(target)
                number = {letter: index for index, letter in enumerate(dfa.alphabet)}
                yield [*(number[a] for a in begin), column, *(number[a] for a in rest)]
                break


def piecewise_sample(dfa, k, *, label=True):
    is_neutral = merge_letters(dfa).action_of < 0
    filling = [*np.flatnonzero(is_neutral).tolist()] * k
    salient = np.flatnonzero(~is_neutral).tolist()
    words = []
    stack = [((), dfa.start)] if dfa.accepting[dfa.start] else []
    while stack:
        word, state = stack.pop()
        longer = [
            ((*word, column), int(dfa.transitions[state, column]))
            for column in salient
            if len(word) < k and dfa.accepting[dfa.transitions[state, column]]
        ]
        stack += longer
        if not longer:
            words.append([*filling, *(x for column in word for x in (column, *filling))])
    return of_words(words, dfa.alphabet, label=label)


def class_sample(dfa, signature, *, tier=None, largest=500_000):
    """Return the shortest word of each class of strings in the language, classes being those over the tier."""
    letters = tuple(dfa.alphabet if tier is None else tier)
    transitions, _ = explore_classes(signature, letters, largest)
    words = {0: ()}
    for state, row in enumerate(transitions.tolist()):
        for column, target in enumerate(row):
            if target not in words:
                words[target] = (*words[state], dfa.alphabet.index(letters[column]))
    inside = automata.accepts_corpus(dfa, of_words(list(words.values()), dfa.alphabet).training)
    return of_words([word for word, is_in in zip(words.values(), inside, strict=True) if is_in], dfa.alphabet)
