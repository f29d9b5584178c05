"""Any encoder as a learner: a head for the task's setting, trained by the one training loop."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_model

from wug.errors import InputError, TrialError
from wug.learners.networks.heads import HEADS, Head
from wug.learners.networks.trained import PARAMETERS_FILE
from wug.learners.protocols import EpochReport, OnEpoch
from wug.learners.training.loop import train
from wug.learners.training.settings import TrainingSettings
from wug.randomness import derive_seed, generator


@dataclass(frozen=True)
class NetworkLearner:
    """An encoder class with its options, and how it is trained."""

    encoder: type[torch.nn.Module]
    """Made with ``vocabulary_size`` first, then the options; causal: (batch, time) symbols -> (batch, time, width)."""
    options: Mapping[str, Any] = field(default_factory=dict)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    settings: frozenset[str] = frozenset(HEADS)

    def fit(self, data: Any, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None) -> Any:
        """Return the trained model; torch's global random state is left as it was."""
        head = self._head(data)
        with _isolated_randomness(self._device, derive_seed(seed, "network")):
            network = self._network(head, data)
            like = next(network.parameters())
            training, validation = head.objectives(data, like)

            def report(epoch: int, loss_nats: float) -> None:
                if on_epoch is not None:
                    model = head.model(network, data, None)
                    on_epoch(EpochReport(epoch, self.training.epochs, loss_nats, model))

            record = train(
                network,
                training,
                self.training,
                rng=generator(seed, "batches"),
                validation=validation,
                state=state,
                on_epoch=report if on_epoch is not None else None,
            )
        return head.model(network, data, record)

    def load(self, folder: Path, data: Any) -> Any:
        """Return the model that was saved to a folder; ``data`` tells the setting and the vocabulary."""
        head = self._head(data)
        with _isolated_randomness(self._device, 0):
            network = self._network(head, data)
        try:
            load_model(network, folder / PARAMETERS_FILE)
        except FileNotFoundError:
            raise InputError(f"there is no file {folder / PARAMETERS_FILE}") from None
        except (SafetensorError, RuntimeError) as error:
            reason = str(error).splitlines()[-1].strip()
            raise InputError(f"{folder / PARAMETERS_FILE} does not fit {self.encoder.__name__}: {reason}") from None
        return head.model(network.eval(), data, None)

    def _head(self, data: Any) -> Head:
        if data.setting not in HEADS:
            raise InputError(f"a network cannot be fitted to {data.setting.replace('_', ' ')} yet")
        return HEADS[data.setting]

    @property
    def _device(self) -> torch.device:
        if self.training.device != "auto":
            return torch.device(self.training.device)
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def _network(self, head: Head, data: Any) -> torch.nn.Module:
        """Return the untrained network, initialised on the CPU so that every device starts from equal parameters."""
        vocabulary = head.vocabulary(data)
        encoder = self.encoder(vocabulary.size, **self.options)
        network = head.network(encoder, features_width(encoder, vocabulary.start), data)
        return network.to(self._device, getattr(torch, self.training.dtype))


def features_width(encoder: torch.nn.Module, symbol: int) -> int:
    """Return the width of an encoder's features, found by showing it one symbol."""
    was_training = encoder.training
    with torch.no_grad():
        features = encoder.eval()(torch.tensor([[symbol]]))
    encoder.train(was_training)
    if not isinstance(features, torch.Tensor) or features.dim() != 3 or features.shape[:2] != (1, 1):
        shape = tuple(features.shape) if isinstance(features, torch.Tensor) else type(features).__name__
        raise TrialError(
            f"{type(encoder).__name__}.forward must return (batch, time, width) features; "
            f"for (1, 1) symbols it returned {shape}"
        )
    return int(features.shape[2])


@contextmanager
def _isolated_randomness(device: torch.device, seed: int) -> Iterator[None]:
    """Seed torch's generators inside and put them back afterwards."""
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        yield
