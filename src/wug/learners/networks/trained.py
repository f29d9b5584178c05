"""What models made of trained networks have in common: what became of the training, and their file."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_model

from wug.learners.training.loop import TrainingRecord
from wug.sequences import Vocabulary

PARAMETERS_FILE = "model.safetensors"


@dataclass(frozen=True)
class TrainedNetwork:
    """A network with the vocabulary that it reads."""

    network: torch.nn.Module
    vocabulary: Vocabulary
    record: TrainingRecord | None = None
    """None for a network that was not trained."""

    @property
    def epochs(self) -> int:
        """Passes of training done."""
        return self.record.epochs if self.record else 0

    @property
    def training_loss_nats(self) -> float:
        """Mean cross-entropy per prediction of the training strings, with multiplicities; NaN without training."""
        return self.record.loss_nats if self.record else math.nan

    @property
    def best_training_loss_nats(self) -> float:
        """Lowest mean cross-entropy per prediction of any pass; NaN without training."""
        return self.record.best_loss_nats if self.record else math.nan

    @property
    def state(self) -> Any:
        """What ``Learner.fit`` continues from."""
        return self.record.state if self.record else None

    def save(self, folder: Path) -> None:
        """Write the parameters to ``model.safetensors`` in a folder; a crash leaves the old file or the new one."""
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f".{PARAMETERS_FILE}.part"
        save_model(self.network, str(unfinished))
        unfinished.replace(folder / PARAMETERS_FILE)
