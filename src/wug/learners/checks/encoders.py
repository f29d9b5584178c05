"""The contract of an encoder: shapes, causality, agreement of ``step`` with ``forward``, gradients, determinism."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import torch
from safetensors.torch import load_model, save_model
from torch import Tensor

from wug.learners.checks.outcome import Broken, Check, Missing, run_checks

_VOCABULARY = 5
_STRINGS, _TIME = 4, 12
_LONG = 1000
_STEPS = 40


def check_encoder(encoder: type[torch.nn.Module], options: Mapping[str, Any]) -> list[Check]:
    """Return the outcome of every contract test of an encoder class with its options.

    Torch's random state is left as it was. Where a test compares numbers it does so in float64 if the encoder can.
    """
    subject = _Encoder(encoder, options)
    with torch.random.fork_rng(devices=[]):
        return run_checks(
            [
                ("it is made from a vocabulary size and its options", subject.is_made),
                ("it returns (batch, time, width) float32 features", subject.returns_features),
                ("its features are finite", subject.is_finite),
                ("it runs in float64", subject.runs_in_float64),
                ("equal seeds give equal networks and equal features", subject.is_deterministic),
                ("features do not change when later symbols change", subject.is_causal),
                ("features do not depend on how long the string goes on", subject.ignores_length),
                ("features do not depend on the other strings of a batch", subject.ignores_batch),
                ("it reads the empty string, where only the start symbol comes", subject.reads_empty_string),
                (f"it reads long strings ({_LONG} symbols)", subject.reads_long_string),
                ("gradients reach every parameter", subject.gradients_reach_all),
                ("it is the same after saving and loading", subject.survives_saving),
                ("step agrees with forward", subject.step_agrees),
                ("states are tensors whose first dimension is the string", subject.states_can_be_indexed),
            ],
            essential=2,
        )


class _Encoder:
    """An encoder class under test."""

    def __init__(self, encoder: type[torch.nn.Module], options: Mapping[str, Any]) -> None:
        self._encoder = encoder
        self._options = options

    def _make(self, seed: int = 0, dtype: torch.dtype = torch.float64) -> torch.nn.Module:
        """Return the network in evaluation mode; in float32 where it has no other."""
        torch.manual_seed(seed)
        network = self._encoder(_VOCABULARY, **self._options).eval()
        if dtype == torch.float64 and not _runs(network.double()):
            network = network.float()
        return network

    def is_made(self) -> None:
        made = self._encoder(_VOCABULARY, **self._options)
        if not isinstance(made, torch.nn.Module):
            raise Broken(f"{self._encoder.__name__} must be a torch.nn.Module, not {type(made).__name__}")

    def returns_features(self) -> None:
        network = self._make(dtype=torch.float32)
        widths = set()
        for strings, time in ((_STRINGS, _TIME), (1, 3), (2, 1)):
            features = _forward(network, _symbols(strings, time))
            wanted = f"forward must return ({strings}, {time}, width) for ({strings}, {time}) symbols"
            if features.dim() != 3 or features.shape[:2] != (strings, time):
                raise Broken(f"{wanted}, not {tuple(features.shape)}")
            if features.dtype != torch.float32:
                raise Broken(f"{wanted} in float32, not {str(features.dtype).removeprefix('torch.')}")
            widths.add(features.shape[2])
        if len(widths) > 1:
            raise Broken(f"the width must always be the same, not one of {sorted(widths)}")

    def is_finite(self) -> None:
        features = _forward(self._make(dtype=torch.float32), _symbols(_STRINGS, _TIME))
        wrong = (~features.isfinite()).nonzero()
        if len(wrong):
            raise Broken(f"{len(wrong)} features are not finite, the first at position {int(wrong[0, 1])}")

    def runs_in_float64(self) -> None:
        torch.manual_seed(0)
        network = self._encoder(_VOCABULARY, **self._options).eval().double()
        try:
            features = _forward(network, _symbols(1, 2))
        except Exception as error:
            raise Missing(f"it fails in float64, so learner.dtype=float64 cannot be set: {error}") from None
        if features.dtype != torch.float64:
            raise Missing("its features stay in float32, so learner.dtype=float64 cannot be set")

    def is_deterministic(self) -> None:
        first, second = self._make(seed=1), self._make(seed=1)
        parameters = dict(second.named_parameters())
        for name, parameter in first.named_parameters():
            if not torch.equal(parameter, parameters[name]):
                raise Broken(f"the parameter {name} differs between two networks made under the same torch seed")
        symbols = _symbols(_STRINGS, _TIME)
        features = _forward(first, symbols)
        _compare(features, _forward(first, symbols), "two runs of one network in evaluation mode", exact=True)
        _compare(features, _forward(second, symbols), "two networks made under the same torch seed", exact=True)

    def is_causal(self) -> None:
        network, symbols = self._make(), _symbols(_STRINGS, _TIME)
        features = _forward(network, symbols)
        for position in range(_TIME - 1):
            changed = symbols.clone()
            changed[:, position + 1 :] = (changed[:, position + 1 :] + 1) % _VOCABULARY
            after = _forward(network, changed)[:, : position + 1]
            _compare(features[:, : position + 1], after, f"when the symbols after position {position} change, features")

    def ignores_length(self) -> None:
        network, symbols = self._make(), _symbols(_STRINGS, _TIME)
        features = _forward(network, symbols)
        for time in range(1, _TIME):
            short = _forward(network, symbols[:, :time])
            _compare(features[:, :time], short, f"between a string and its first {time} symbols, features")

    def ignores_batch(self) -> None:
        network, symbols = self._make(), _symbols(_STRINGS, _TIME)
        features = _forward(network, symbols)
        for string in range(_STRINGS):
            alone = _forward(network, symbols[string : string + 1])
            _compare(
                features[string : string + 1], alone, "between a string in a batch and the same string alone, features"
            )

    def reads_empty_string(self) -> None:
        features = _forward(self._make(), _symbols(1, 1))
        if not features.isfinite().all():
            raise Broken("the features of a single symbol are not finite")

    def reads_long_string(self) -> None:
        try:
            features = _forward(self._make(dtype=torch.float32), _symbols(1, _LONG))
        except Exception as error:
            raise Broken(f"it fails on {_LONG} symbols: {str(error).strip()}") from None
        wrong = (~features.isfinite()).nonzero()
        if len(wrong):
            raise Broken(f"features are not finite from position {int(wrong[0, 1])} on")

    def gradients_reach_all(self) -> None:
        network = self._make().train()
        with torch.no_grad():
            for parameter in network.parameters():  # parts that start at zero must not hide what lies behind them
                parameter.add_(0.05 * torch.randn_like(parameter))
        features = network(_symbols(16, _TIME))
        (features * torch.randn_like(features)).sum().backward()
        trained = [(name, parameter) for name, parameter in network.named_parameters() if parameter.requires_grad]
        unreached = [name for name, parameter in trained if parameter.grad is None or not parameter.grad.any()]
        if not trained:
            raise Missing("it has no parameters, so only the output layer is trained")
        if unreached:
            raise Broken("no gradient reaches " + ", ".join(unreached))

    def survives_saving(self) -> None:
        original, other = self._make(seed=1), self._make(seed=2)
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "encoder.safetensors")
            save_model(original, file)
            load_model(other, file)
        symbols = _symbols(_STRINGS, _TIME)
        subject = "between a network and its copy loaded from a file (random tensors belong into buffers), features"
        _compare(_forward(original, symbols), _forward(other, symbols), subject)

    def step_agrees(self) -> None:
        network, symbols = self._make(), _symbols(_STRINGS, _STEPS)
        features = _forward(network, symbols)
        state: tuple[Tensor, ...] | None = None
        for position in range(_STEPS):
            before = None if state is None else [part.clone() for part in state]
            stepped, after = _step(network, symbols[:, position], state)
            subject = f"at position {position} features of step and forward"
            _compare(features[:, position], stepped, subject)
            for number, part in enumerate(state or ()):
                if before is not None and not torch.equal(part, before[number]):
                    raise Broken(f"step changed part {number} of the state that it was given; it must return a new one")
            state = after

    def states_can_be_indexed(self) -> None:
        network, symbols = self._make(), _symbols(_STRINGS, _STEPS)
        sizes = []
        state: tuple[Tensor, ...] | None = None
        for position in range(_STEPS):
            _, state = _step(network, symbols[:, position], state)
            for number, part in enumerate(state):
                if part.dim() == 0 or len(part) != _STRINGS:
                    raise Broken(f"part {number} of the state has shape {tuple(part.shape)} for {_STRINGS} strings")
            sizes.append(sum(part.numel() for part in state))
        if sizes[-1] != sizes[1]:
            raise Broken(
                f"the state grows from {sizes[1]} to {sizes[-1]} numbers in {_STEPS} steps; "
                f"leave step out of an encoder whose state is not bounded"
            )
        rows = torch.tensor([2, 0])
        symbol = symbols[rows, 0]
        chosen, _ = _step(network, symbol, tuple(part[rows] for part in cast(tuple[Tensor, ...], state)))
        every, _ = _step(network, symbols[:, 0], state)
        _compare(
            every[rows], chosen, "between strings picked from a state and the same strings in the whole state, features"
        )


def _symbols(strings: int, time: int) -> Tensor:
    """Return (strings, time) symbols, the same ones every time; all classes occur where there is room."""
    generator = torch.Generator().manual_seed(strings * 1000 + time)
    return torch.randint(0, _VOCABULARY, (strings, time), generator=generator)


def _forward(network: torch.nn.Module, symbols: Tensor) -> Tensor:
    with torch.no_grad():
        features = network(symbols)
    if not isinstance(features, Tensor):
        raise Broken(f"forward must return one tensor, not {type(features).__name__}")
    return features


def _step(network: Any, symbols: Tensor, state: Any) -> tuple[Tensor, tuple[Tensor, ...]]:
    if not hasattr(network, "step"):
        raise Missing("it has no method step, so strings are evaluated whole, within the budget of operations")
    with torch.inference_mode():
        answer = network.step(symbols, state)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise Broken("step must return (features, state)")
    features, after = answer
    if not isinstance(features, Tensor) or features.dim() != 2 or len(features) != len(symbols):
        shape = tuple(features.shape) if isinstance(features, Tensor) else type(features).__name__
        raise Broken(f"step must return ({len(symbols)}, width) features for ({len(symbols)},) symbols, not {shape}")
    if not isinstance(after, tuple) or not after or not all(isinstance(part, Tensor) for part in after):
        raise Broken(f"the state must be a tuple of one or more tensors, not {_kind(after)}")
    return features, after


def _kind(state: Any) -> str:
    if isinstance(state, tuple):
        return "a tuple of " + (", ".join(sorted({type(part).__name__ for part in state})) or "nothing")
    return type(state).__name__


def _runs(network: torch.nn.Module) -> bool:
    try:
        return _forward(network, _symbols(1, 2)).dtype == torch.float64
    except Exception:
        return False


def _compare(expected: Tensor, found: Tensor, subject: str, *, exact: bool = False) -> None:
    """Raise Broken where two tensors differ by more than rounding; says how much and at which position."""
    if expected.shape != found.shape:
        raise Broken(f"{subject} differ in shape: {tuple(expected.shape)} and {tuple(found.shape)}")
    difference = (expected - found).abs().nan_to_num(nan=torch.inf)
    rounding = 1e-9 if expected.dtype == torch.float64 else 1e-4
    tolerance = 0.0 if exact else rounding * max(1.0, float(expected.abs().max()))
    if float(difference.max()) > tolerance:
        place = ""
        if expected.dim() == 3:
            positions = difference.amax(dim=(0, 2))
            place = f", first at position {int((positions > tolerance).nonzero()[0])}"
        raise Broken(f"{subject} differ by up to {float(difference.max()):.3g}{place}")
