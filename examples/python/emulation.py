"""A small transformer with the arithmetic of two GPUs: docs/emulation.md shows what this prints.

    python3 examples/python/emulation.py [FIGURE.svg]
"""

from __future__ import annotations

import sys

import torch
from torch import nn

import mmaspec.torch


class Block(nn.Module):
    def __init__(self, size: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, size = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, size))
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


class Transformer(nn.Module):
    def __init__(self, words: int = 512, size: int = 128, heads: int = 4, depth: int = 3):
        super().__init__()
        self.embed = nn.Embedding(words, size)
        self.blocks = nn.ModuleList(Block(size, heads) for _ in range(depth))
        self.norm, self.head = nn.LayerNorm(size), nn.Linear(size, words, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def main(figure: str | None = None) -> None:
    torch.manual_seed(0)
    model = Transformer().half().eval()
    tokens = torch.randint(512, (2, 64))

    with torch.no_grad(), mmaspec.torch.emulate("mi300x") as report:
        model(tokens)
    print(report, end="\n\n")

    layers = mmaspec.torch.compare(model, tokens, "h100", "mi300x")
    print(layers)
    if figure:
        layers.plot().figure.savefig(figure)


if __name__ == "__main__":
    main(*sys.argv[1:])
