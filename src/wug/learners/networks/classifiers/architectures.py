"""The architectures by name."""

from wug.learners.networks.classifiers.attention import AttentionNetwork
from wug.learners.networks.classifiers.cells import GRU, LSTM, SimpleRNN
from wug.learners.networks.classifiers.network import Network
from wug.learners.networks.classifiers.recurrent import RecurrentNetwork

_CELLS: dict[str, type[SimpleRNN] | type[GRU] | type[LSTM]] = {"srn": SimpleRNN, "gru": GRU, "lstm": LSTM}


def build_network(architecture: str, n_letters: int, width: int, layers: int, rate: float, masked: bool) -> Network:
    """Return the network of an architecture ('srn', 'gru', 'lstm' or 'transformer') for so many letters."""
    if architecture == "transformer":
        return AttentionNetwork(n_letters, width, layers, rate, masked)
    return RecurrentNetwork(_CELLS[architecture](), n_letters, width, layers, rate, masked)
