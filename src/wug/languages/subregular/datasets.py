"""The six data sets of a language in nested sizes: MLRegTest's, or with one's own sizes and lengths.

Words of a length and label are drawn uniformly, border pairs uniformly over pairs (or, as the published generator does,
over their alignments). A size is drawn in full, set by set, before the next larger one adds to every set; so Small is
the same whether or not Large is asked for. What a larger size adds to Train avoids the held-out words that the smaller
sizes hold already.

The draws of a set and size come from a generator of their own, derived from the seed and the language's canonical hash.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError, unknown_name
from wug.languages.subregular.drawing import Drawing, Shortage
from wug.languages.subregular.languages import RegularLanguage
from wug.languages.subregular.plan import OnShortage, Plan, Set
from wug.languages.subregular.symbols import sorting_ranks
from wug.randomness import generator
from wug.sequences import Corpus

NO_PAIR = -1


class Order(StrEnum):
    """The order of the strings of a set."""

    SORTED = "sorted"
    """By length, then TRUE before FALSE (as the language, or its partner, labels them), then by symbol id."""
    SHUFFLED = "shuffled"
    """At random, from the seed."""


@dataclass(frozen=True, eq=False)
class LabelledStrings:
    """Strings with the answer to whether they are in the language."""

    corpus: Corpus
    labels: NDArray[np.bool_]
    """(n_strings,) whether the string is in the language."""
    pairs: NDArray[np.int64]
    """(n_strings,) number of the border pair that the string belongs to; NO_PAIR in sets that are not adversarial."""


class DataSets:
    """The data sets of one language from one seed, up to a size.

    Raises InputError where the language has too few strings, unless the plan takes what there is: then ``shortages``
    says where. Of a language that is defined as the complement of a partner (coSL, coSP, TcoSL) the sets are the
    partner's with the labels exchanged.

    >>> sets = DataSets(RegularLanguage.named("04.04.SL.2.1.0"), seed=1, largest="Small")
    >>> strings = sets.strings("Train", "Small")
    >>> len(strings.corpus), int(strings.labels.sum())
    (1000, 500)
    """

    def __init__(
        self, language: RegularLanguage, seed: int, plan: Plan | None = None, largest: str | None = None
    ) -> None:
        self.language = language
        self.seed = seed
        self.plan = plan or Plan()
        self.plan.check()
        self.sizes = self.plan.upto(largest if largest is not None else list(self.plan.sizes)[-1])
        self._source = language.complement_of or language
        self._drawing = Drawing(self._source.dfa, self.plan, seed, self._source.sha256)
        is_strict = self.plan.on_shortage == OnShortage.ERROR
        if is_strict:
            self._refuse(self._drawing.supply_shortages(self.sizes[-1]))
        for size in self.sizes:
            self._drawing.add_size(size)
            if is_strict:
                self._refuse(self._drawing.shortages)

    @property
    def shortages(self) -> tuple[Shortage, ...]:
        """Where there were too few strings; labels are those of the source of the strings."""
        return tuple(self._drawing.shortages)

    def label(self, accepted: bool) -> str:
        """Return how files label words that the source of the strings accepts, or rejects."""
        return "TRUE" if accepted != (self.language.complement_of is not None) else "FALSE"

    def strings(self, of: Set | str, size: str, order: Order | str = Order.SORTED) -> LabelledStrings:
        """Return one set in one size; InputError for a name that does not exist or a size that was not drawn."""
        if of not in list(Set):
            raise unknown_name("data set", of, Set)
        if size not in self.sizes:
            raise unknown_name("size", size, self.sizes)
        if order not in list(Order):
            raise unknown_name("order", order, Order)
        numbers, labels, pairs = self._listed(Set(of), size)
        if order == Order.SHUFFLED:
            rng = generator(self.seed, "mlregtest", self._source.sha256, "order", of, size)
            shuffled = np.argsort(rng.integers(0, 2**63, size=len(numbers)), kind="stable")
            numbers, labels, pairs = numbers[shuffled], labels[shuffled], pairs[shuffled]
        letters, offsets = self._drawing.ledger.words(numbers)
        vocabulary = self.language.vocabulary
        corpus = Corpus(letters.astype(vocabulary.dtype) + vocabulary.dtype.type(1), offsets, vocabulary)
        return LabelledStrings(corpus, labels != (self.language.complement_of is not None), pairs)

    def _listed(self, of: Set, size: str) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
        """Return ledger numbers, labels of the source and pair numbers in sorted order."""
        numbers, labels, pairs = [], [], []
        n_pairs = 0
        for length in self.plan.lengths(of):
            block = self._drawing.blocks[of, length]
            n_accepted, n_rejected = block.ends[size]
            accepted, rejected = block.accepted[:n_accepted], block.rejected[:n_rejected]
            order = self._sorted(accepted, length)
            accepted = accepted[order]
            rejected = rejected[order] if of.is_adversarial else rejected[self._sorted(rejected, length)]
            numbers += [accepted, rejected]
            labels += [np.ones(len(accepted), dtype=np.bool_), np.zeros(len(rejected), dtype=np.bool_)]
            if of.is_adversarial:
                pairs += 2 * [np.arange(n_pairs, n_pairs + len(accepted))]
                n_pairs += len(accepted)
            else:
                pairs.append(np.full(len(accepted) + len(rejected), NO_PAIR))
        return np.concatenate(numbers), np.concatenate(labels), np.concatenate(pairs)

    def _sorted(self, numbers: NDArray[np.int64], length: int) -> NDArray[np.int64]:
        """Return the order by symbol ids of words of one length."""
        if not length or not len(numbers):
            return np.arange(len(numbers))
        letters, _ = self._drawing.ledger.words(numbers)
        ranks = np.array(sorting_ranks(self.language.dfa.alphabet), dtype=">u4" if letters.itemsize > 1 else np.uint8)
        keys = ranks[letters].reshape(len(numbers), length)
        return np.argsort(keys.view(f"S{length * keys.itemsize}").ravel(), kind="stable")

    def _refuse(self, shortages: Iterable[Shortage]) -> None:
        for shortage in shortages:
            is_border = all(of.is_adversarial for of in shortage.sets)
            what = "disjoint border pairs" if is_border else f"different {self.label(shortage.accepted)} strings"
            raise InputError(
                f"{self.language.name}: size {shortage.size} needs {shortage.requested:,} {what} of length "
                f"{shortage.length} for {', '.join(shortage.sets)}, and there are {shortage.available:,}; "
                "choose other lengths or smaller sizes, or take what there is (on_shortage 'all')"
            )
