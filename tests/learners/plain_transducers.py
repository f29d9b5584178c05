"""The sequence-to-sequence networks as one would first write them with torch's modules, and parameters for them.

Sources (pairs, time) and targets are padded on the right with ``PAD``; padding is masked everywhere.
"""

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.parametrizations import weight_norm

PAD = 1


def load(module: nn.Module, parameters: Mapping[str, Tensor]) -> nn.Module:
    """Give a plain module the parameters of the first replica of ours."""
    with torch.no_grad():
        module.take({name: value[0] for name, value in parameters.items()})  # type: ignore[operator]
    return module


class PlainLSTM(nn.Module):
    def __init__(
        self, source: int, target: int, embedding: int, width: int, layers: int, attention: bool, rate: float
    ) -> None:
        super().__init__()
        self.rate, self.width, self.layers = rate, width, layers
        self.source = nn.Embedding(source, embedding, PAD)
        self.target = nn.Embedding(target, embedding, PAD)
        self.encoder = nn.LSTM(embedding, width, layers, batch_first=True, dropout=rate if layers > 1 else 0.0)
        self.cells = nn.ModuleList(nn.LSTMCell(width + (0 if n else embedding), width) for n in range(layers))
        self.attention = nn.Linear(width, width, bias=False) if attention else None
        self.join = nn.Linear(2 * width, width, bias=False) if attention else None
        self.extra = nn.Linear(width, 512) if width != 512 else None
        self.output = nn.Linear(512, target)

    def drop(self, features: Tensor) -> Tensor:
        return functional.dropout(features, self.rate, self.training)

    def forward(self, sources: Tensor, inputs: Tensor) -> Tensor:
        lengths = (sources != PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.drop(self.source(sources)), lengths, batch_first=True, enforce_sorted=False
        )
        packed, (hidden, cell) = self.encoder(packed)
        features = self.drop(nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)[0])
        states = list(zip(hidden, cell, strict=True))
        embedded = self.drop(self.target(inputs))
        fed = hidden.new_zeros(len(sources), self.width)
        outputs = []
        for time in range(inputs.shape[1]):
            read = torch.cat([embedded[:, time], fed], dim=1)
            for layer, cell_ in enumerate(self.cells):
                states[layer] = cell_(read, states[layer])
                read = self.drop(states[layer][0])
            output = states[-1][0]
            if self.attention is not None and self.join is not None:
                scores = torch.einsum("bth,bh->bt", features, self.attention(output))
                scores = scores.masked_fill(sources == PAD, -math.inf)
                mean = torch.einsum("bt,bth->bh", scores.softmax(1), features)
                output = torch.tanh(self.join(torch.cat([mean, output], dim=1)))
            fed = self.drop(output)
            outputs.append(fed)
        decoded = torch.stack(outputs, dim=1)
        if self.extra is not None:
            decoded = self.drop(self.extra(decoded))
        return self.output(decoded)

    def take(self, ours: Mapping[str, Tensor]) -> None:
        def torch_gates(rows: Tensor) -> Tensor:  # ours are i, f, o, g
            take, keep, give, new = rows.chunk(4)
            return torch.cat([take, keep, new, give])

        self.source.weight.copy_(ours["source"])
        self.target.weight.copy_(ours["target"])
        for layer in range(self.layers):
            name = f"encoder_{layer}"
            for part, there in {
                "input": "weight_ih",
                "recurrent": "weight_hh",
                "bias": "bias_ih",
                "recurrent_bias": "bias_hh",
            }.items():
                getattr(self.encoder, f"{there}_l{layer}").copy_(torch_gates(ours[f"{name}_{part}"]))
            name, cell = f"decoder_{layer}", self.cells[layer]
            read, recurrent = ours[f"{name}_recurrent"].chunk(2, dim=1)
            if layer == 0:
                read = torch.cat([ours[f"{name}_input"], read], dim=1)
            cell.weight_ih.copy_(torch_gates(read))
            cell.weight_hh.copy_(torch_gates(recurrent))
            cell.bias_ih.copy_(torch_gates(ours[f"{name}_bias"]))
            cell.bias_hh.copy_(torch_gates(ours[f"{name}_recurrent_bias"]))
        if self.attention is not None and self.join is not None:
            self.attention.weight.copy_(ours["attention"])
            self.join.weight.copy_(torch.cat([ours["of_mean"].T, ours["of_state"]], dim=1))
        if self.extra is not None:
            _take_linear(self.extra, ours, "extra")
        _take_linear(self.output, ours, "output")


class PlainConvolutional(nn.Module):
    def __init__(
        self, source: int, target: int, embedding: int, width: int, kernel: int, encoder: int, decoder: int, rate: float
    ) -> None:
        super().__init__()
        self.rate, self.kernel = rate, kernel
        self.source, self.target = nn.Embedding(source, embedding, PAD), nn.Embedding(target, embedding, PAD)
        self.source_positions, self.target_positions = nn.Embedding(1024, embedding), nn.Embedding(1024, embedding)
        self.source_in, self.source_out = _normed(nn.Linear(embedding, width)), _normed(nn.Linear(width, embedding))
        self.target_in, self.target_out = _normed(nn.Linear(embedding, width)), _normed(nn.Linear(width, 256))
        self.encoder = nn.ModuleList(_normed(nn.Conv1d(width, 2 * width, kernel)) for _ in range(encoder))
        self.decoder = nn.ModuleList(_normed(nn.Conv1d(width, 2 * width, kernel)) for _ in range(decoder))
        self.queries = nn.ModuleList(_normed(nn.Linear(width, embedding)) for _ in range(decoder))
        self.mixed = nn.ModuleList(_normed(nn.Linear(embedding, width)) for _ in range(decoder))
        self.output = _normed(nn.Linear(256, target))

    def drop(self, features: Tensor) -> Tensor:
        return functional.dropout(features, self.rate, self.training)

    def forward(self, sources: Tensor, inputs: Tensor) -> Tensor:
        hidden = sources == PAD
        blank = hidden[..., None]
        x0 = self.drop(self.source(sources) + self.source_positions.weight[2 : 2 + sources.shape[1]])
        x = self.source_in(x0)
        for convolution in self.encoder:
            read = self.drop(x.masked_fill(blank, 0.0))
            read = functional.pad(read.transpose(1, 2), (self.kernel // 2, self.kernel // 2))
            x = (functional.glu(convolution(read).transpose(1, 2), dim=2) + x) * math.sqrt(0.5)
        x = self.source_out(x).masked_fill(blank, 0.0)
        if x.requires_grad:
            x.register_hook(lambda gradient: gradient / (2 * len(self.decoder)))
        keys, values = x, (x + x0) * math.sqrt(0.5)
        y0 = self.drop(self.target(inputs) + self.target_positions.weight[2 : 2 + inputs.shape[1]])
        y = self.target_in(y0)
        for convolution, queries, mixed in zip(self.decoder, self.queries, self.mixed, strict=True):
            residual = y
            read = functional.pad(self.drop(y).transpose(1, 2), (self.kernel - 1, 0))
            y = functional.glu(convolution(read).transpose(1, 2), dim=2)
            scores = ((queries(y) + y0) * math.sqrt(0.5)) @ keys.transpose(1, 2)
            weights = scores.masked_fill(hidden[:, None], -math.inf).softmax(2)
            context = (weights @ values) * (~hidden).sum(1).to(values)[:, None, None].sqrt()
            y = (mixed(context) + y) * math.sqrt(0.5)
            y = (y + residual) * math.sqrt(0.5)
        return self.output(self.drop(self.target_out(y)))

    def take(self, ours: Mapping[str, Tensor]) -> None:
        for name in ("source", "target", "source_positions", "target_positions"):
            getattr(self, name).weight.copy_(ours[name])
        for name in ("source_in", "source_out", "target_in", "target_out", "output"):
            _take_normed(getattr(self, name), ours, name)
        for layer, convolution in enumerate(self.encoder):
            _take_normed(convolution, ours, f"encoder_{layer}_convolution")
        for layer, convolution in enumerate(self.decoder):
            _take_normed(convolution, ours, f"decoder_{layer}_convolution")
            _take_normed(self.queries[layer], ours, f"decoder_{layer}_queries")
            _take_normed(self.mixed[layer], ours, f"decoder_{layer}_mixed")


class PlainTransformer(nn.Module):
    def __init__(
        self,
        source: int,
        target: int,
        width: int,
        inner: int,
        heads: int,
        encoder: int,
        decoder: int,
        rate: float,
        joint: bool,
        cross: bool,
    ) -> None:
        super().__init__()
        self.rate, self.width, self.joint = rate, width, joint
        self.source, self.target = nn.Embedding(source, width, PAD), nn.Embedding(target, width, PAD)
        self.encoder = nn.ModuleList(_PlainLayer(width, inner, heads, rate, cross=False) for _ in range(encoder))
        self.decoder = nn.ModuleList(_PlainLayer(width, inner, heads, rate, cross=cross) for _ in range(decoder))
        self.output = nn.Linear(width, target, bias=False)

    def read(self, table: nn.Module, ids: Tensor) -> Tensor:
        positions = torch.arange(2, 2 + ids.shape[1], dtype=torch.float64)
        waves = self.width // 2
        angles = positions[:, None] * torch.exp(-torch.arange(waves).double() * math.log(10000) / (waves - 1))
        embedded = table(ids) * math.sqrt(self.width)
        features = embedded + torch.cat([angles.sin(), angles.cos()], dim=1).to(embedded)
        return functional.dropout(features, self.rate, self.training)

    def forward(self, sources: Tensor, inputs: Tensor) -> Tensor:
        hidden = sources == PAD
        x = self.read(self.source, sources)
        for layer in self.encoder:
            x = layer(x, x, hidden, None, None, None)
        y = self.read(self.target, inputs)
        time = inputs.shape[1]
        future = torch.ones(time, time, dtype=torch.bool).triu(1)
        for layer in self.decoder:
            if self.joint:
                padding = torch.cat([hidden, torch.zeros_like(inputs, dtype=torch.bool)], dim=1)
                unseen = torch.cat([future.new_zeros(time, x.shape[1]), future], dim=1)
                y = layer(y, torch.cat([x, y], dim=1), padding, unseen, x, hidden)
            else:
                y = layer(y, y, None, future, x, hidden)
        return self.output(y)

    def take(self, ours: Mapping[str, Tensor]) -> None:
        self.source.weight.copy_(ours["source"])
        self.target.weight.copy_(ours["target"])
        self.output.weight.copy_(ours["output"].T)
        for side in ("encoder", "decoder"):
            for number, layer in enumerate(getattr(self, side)):
                layer.take(ours, f"{side}_{number}")


class _PlainLayer(nn.Module):
    def __init__(self, width: int, inner: int, heads: int, rate: float, cross: bool) -> None:
        super().__init__()
        self.rate = rate
        self.own = nn.MultiheadAttention(width, heads, batch_first=True)
        self.own_norm = nn.LayerNorm(width)
        self.cross = nn.MultiheadAttention(width, heads, batch_first=True) if cross else None
        self.cross_norm = nn.LayerNorm(width) if cross else None
        self.inner, self.outer = nn.Linear(width, inner), nn.Linear(inner, width)
        self.outer_norm = nn.LayerNorm(width)

    def forward(
        self,
        x: Tensor,
        seen: Tensor,
        padding: Tensor | None,
        unseen: Tensor | None,
        source: Tensor | None,
        source_padding: Tensor | None,
    ) -> Tensor:
        attended = self.own(x, seen, seen, key_padding_mask=padding, attn_mask=unseen, need_weights=False)[0]
        x = self.own_norm(x + functional.dropout(attended, self.rate, self.training))
        if self.cross is not None and self.cross_norm is not None and source is not None:
            attended = self.cross(x, source, source, key_padding_mask=source_padding, need_weights=False)[0]
            x = self.cross_norm(x + functional.dropout(attended, self.rate, self.training))
        forward = self.outer(functional.relu(self.inner(x)))
        return self.outer_norm(x + functional.dropout(forward, self.rate, self.training))

    def take(self, ours: Mapping[str, Tensor], name: str) -> None:
        self.own.in_proj_weight.copy_(ours[f"{name}_projections"].T)
        self.own.in_proj_bias.copy_(ours[f"{name}_projections_bias"])
        _take_linear(self.own.out_proj, ours, f"{name}_own_mixed")
        _take_norm(self.own_norm, ours, f"{name}_own")
        if self.cross is not None and self.cross_norm is not None:
            both = [ours[f"{name}_queries"], ours[f"{name}_keys_values"]]
            self.cross.in_proj_weight.copy_(torch.cat(both, dim=1).T)
            both = [ours[f"{name}_queries_bias"], ours[f"{name}_keys_values_bias"]]
            self.cross.in_proj_bias.copy_(torch.cat(both))
            _take_linear(self.cross.out_proj, ours, f"{name}_cross_mixed")
            _take_norm(self.cross_norm, ours, f"{name}_cross")
        _take_linear(self.inner, ours, f"{name}_inner")
        _take_linear(self.outer, ours, f"{name}_outer")
        _take_norm(self.outer_norm, ours, f"{name}_outer")


def _normed(module: Any) -> Any:
    return weight_norm(module, dim=0)


def _take_linear(module: nn.Linear, ours: Mapping[str, Tensor], name: str) -> None:
    module.weight.copy_(ours[name].T)
    module.bias.copy_(ours[f"{name}_bias"])


def _take_norm(module: nn.LayerNorm, ours: Mapping[str, Tensor], name: str) -> None:
    module.weight.copy_(ours[f"{name}_scale"])
    module.bias.copy_(ours[f"{name}_shift"])


def _take_normed(module: Any, ours: Mapping[str, Tensor], name: str) -> None:
    lengths, directions = module.parametrizations.weight.original0, module.parametrizations.weight.original1
    given = ours[name][:-1]
    if directions.dim() == 3:  # (channels out, channels in, kernel)
        given = given.view(directions.shape[2], directions.shape[1], directions.shape[0]).permute(2, 1, 0)
        directions.copy_(given)
        lengths.copy_(ours[name][-1][:, None, None])
    else:
        directions.copy_(given.T)
        lengths.copy_(ours[name][-1][:, None])
    module.bias.copy_(ours[f"{name}_bias"])
