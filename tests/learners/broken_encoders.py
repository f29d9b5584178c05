"""Encoders that break one contract each, and the statement of the check that has to notice.

Read as source by the tests of the command line, and imported by those of the checks.
"""

import torch

STEP = "step agrees with forward"
CAUSAL = "features do not change when later symbols change"
GRADIENTS = "gradients reach every parameter"


class Fine(torch.nn.Module):
    """Keeps every contract: a leaky sum of embeddings."""

    def __init__(self, vocabulary_size: int, width: int = 8):
        super().__init__()
        self.table = torch.nn.Embedding(vocabulary_size, width)
        self.mix = torch.nn.Linear(width, width)

    def forward(self, ids):
        state, features = None, []
        for symbols in ids.unbind(1):
            feature, state = self.step(symbols, state)
            features.append(feature)
        return torch.stack(features, 1)

    def step(self, ids, state):
        new = self.table(ids)
        total = new if state is None else 0.5 * state[0] + new
        return torch.tanh(self.mix(total)), (total,)


class Acausal(Fine):
    """Looks one symbol ahead."""

    def forward(self, ids):
        features = super().forward(ids)
        return features + torch.roll(self.table(ids), -1, dims=1)


class SlightlyAcausal(Fine):
    """Subtracts a thousandth of the mean over the whole string."""

    def forward(self, ids):
        features = super().forward(ids)
        return features - 1e-3 * features.mean(dim=1, keepdim=True)


class LengthDependent(Fine):
    """Divides by the length of the string."""

    def forward(self, ids):
        return super().forward(ids) / ids.shape[1]


class BatchDependent(Fine):
    """Subtracts the mean over the batch."""

    def forward(self, ids):
        features = super().forward(ids)
        return features - features.mean(dim=0, keepdim=True)


class StepDisagrees(Fine):
    """Forgets faster in step than in forward."""

    def forward(self, ids):
        self.factor = 0.5
        features = super().forward(ids)
        self.factor = 0.4
        return features

    def step(self, ids, state):
        new = self.table(ids)
        total = new if state is None else getattr(self, "factor", 0.5) * state[0] + new
        return torch.tanh(self.mix(total)), (total,)


class StepOverwrites(Fine):
    """Writes into the state that it is given."""

    def step(self, ids, state):
        new = self.table(ids)
        total = new.clone() if state is None else state[0].mul_(0.5).add_(new)
        return torch.tanh(self.mix(total)), (total,)

    def forward(self, ids):
        with torch.no_grad():
            return super().forward(ids)


class BatchSecond(Fine):
    """Keeps the string in the second dimension of its state."""

    def step(self, ids, state):
        features, (total,) = super().step(ids, None if state is None else (state[0][0],))
        return features, (total[None],)


class GrowingState(Fine):
    """Remembers everything."""

    def step(self, ids, state):
        features, (total,) = super().step(ids, None if state is None else (state[0],))
        history = total[:, None] if state is None else torch.cat([state[1], total[:, None]], 1)
        return features, (total, history)


class ListState(Fine):
    """Returns a list where a tuple is due."""

    def step(self, ids, state):
        features, after = super().step(ids, state)
        return features, list(after)


class WrongShape(Fine):
    """Returns time first."""

    def forward(self, ids):
        return super().forward(ids).transpose(0, 1)


class OnlyLast(Fine):
    """Returns the last position alone."""

    def forward(self, ids):
        return super().forward(ids)[:, -1]


class WrongType(Fine):
    """Computes in float64."""

    def forward(self, ids):
        return super().forward(ids).double()


class NotFinite(Fine):
    """Divides by zero at position 3."""

    def forward(self, ids):
        features = super().forward(ids).clone()
        features[:, 3:] /= 0.0
        return features


class UnusedLayer(Fine):
    """Has a second layer that forward forgets."""

    def __init__(self, vocabulary_size: int, width: int = 8):
        super().__init__(vocabulary_size, width)
        self.second = torch.nn.Linear(width, width)


class Detached(Fine):
    """Cuts the gradient of its embedding."""

    def step(self, ids, state):
        new = self.table(ids).detach()
        total = new if state is None else 0.5 * state[0] + new
        return torch.tanh(self.mix(total)), (total,)


class Noisy(Fine):
    """Adds noise in evaluation mode too."""

    def forward(self, ids):
        features = super().forward(ids)
        return features + 0.01 * torch.randn_like(features)


class UnseededInitialisation(Fine):
    """Draws its parameters from the system's randomness."""

    def __init__(self, vocabulary_size: int, width: int = 8):
        super().__init__(vocabulary_size, width)
        generator = torch.Generator()
        generator.seed()
        torch.nn.init.normal_(self.mix.weight, generator=generator)


class HiddenRandomness(Fine):
    """Keeps a random projection outside its parameters and buffers."""

    def __init__(self, vocabulary_size: int, width: int = 8):
        super().__init__(vocabulary_size, width)
        self.projection = torch.randn(width, width)

    def step(self, ids, state):
        features, after = super().step(ids, state)
        return features @ self.projection.to(features), after


class ShortContext(Fine):
    """Knows 64 positions."""

    def __init__(self, vocabulary_size: int, width: int = 8):
        super().__init__(vocabulary_size, width)
        self.positions = torch.nn.Embedding(64, width)

    def forward(self, ids):
        return super().forward(ids) + self.positions(torch.arange(ids.shape[1]))


class NeedsTwoSymbols(Fine):
    """Fails on a single symbol."""

    def forward(self, ids):
        if ids.shape[1] == 1:
            raise ValueError("cannot take differences of one symbol")
        return super().forward(ids)


class NoModule:
    """Is no module."""

    def __init__(self, vocabulary_size: int, width: int = 8):
        self.width = width

    def forward(self, ids):
        return ids


BROKEN = {
    Acausal: (CAUSAL, "position 0"),
    SlightlyAcausal: (CAUSAL, "position 0"),
    LengthDependent: ("features do not depend on how long the string goes on", "first 1 symbols"),
    BatchDependent: ("features do not depend on the other strings of a batch", "alone"),
    StepDisagrees: (STEP, "at position 1"),
    StepOverwrites: (STEP, "changed part 0 of the state"),
    BatchSecond: ("states are tensors whose first dimension is the string", "part 0 of the state has shape (1, 4, 8)"),
    GrowingState: ("states are tensors whose first dimension is the string", "the state grows"),
    ListState: (STEP, "not list"),
    WrongShape: ("it returns (batch, time, width) float32 features", "not (12, 4, 8)"),
    OnlyLast: ("it returns (batch, time, width) float32 features", "not (4, 8)"),
    WrongType: ("it returns (batch, time, width) float32 features", "not float64"),
    NotFinite: ("its features are finite", "position 3"),
    UnusedLayer: (GRADIENTS, "second.weight, second.bias"),
    Detached: (GRADIENTS, "table.weight"),
    Noisy: ("equal seeds give equal networks and equal features", "two runs"),
    UnseededInitialisation: ("equal seeds give equal networks and equal features", "mix.weight"),
    HiddenRandomness: ("it is the same after saving and loading", "buffers"),
    ShortContext: ("it reads long strings (1000 symbols)", "index out of range"),
    NeedsTwoSymbols: ("it returns (batch, time, width) float32 features", "cannot take differences of one symbol"),
    NoModule: ("it is made from a vocabulary size and its options", "must be a torch.nn.Module"),
}
