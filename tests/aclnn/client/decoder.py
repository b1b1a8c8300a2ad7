# SPDX-License-Identifier: Apache-2.0
"""samples/25_decoder beside the same model in numpy: token by token, and the logits of each step.

usage: decoder.py PROGRAM
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

VOCABULARY, WIDTH, HEADS, KV_HEADS, HEAD, HIDDEN, LAYERS, POSITIONS = 256, 128, 4, 2, 32, 256, 4, 64
GROUP = 32
MASK = np.uint64(0xFFFFFFFFFFFFFFFF)


def mixed(x):
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def numbers(seed, count):
    with np.errstate(over="ignore"):
        index = mixed(np.uint64(seed)) + np.arange(count, dtype=np.uint64)
    top = (mixed(index) >> np.uint64(40)).astype(np.float32)
    return top * np.float32(2.0 / 16777216.0) - np.float32(1.0)


def f16(x):
    return np.asarray(x, np.float64).astype(np.float16).astype(np.float64)


def halves(seed, count, scale, offset=0.0):
    return (np.float32(offset) + np.float32(scale) * numbers(seed, count)).astype(np.float16).astype(np.float64)


def matrix(weights, seed, rows, columns):
    scale = np.float32(1.7) / np.sqrt(np.float32(rows))
    if weights == "f16":
        return halves(seed, rows * columns, scale).reshape(rows, columns)
    values = (numbers(seed, rows * columns) * np.float32(127.0)).astype(np.int8).astype(np.float64)
    scales = halves(seed + 1, rows // GROUP * columns, np.float32(0.1) * scale / np.float32(127),
                    scale / np.float32(127)).reshape(rows // GROUP, columns)
    return values.reshape(rows, columns) * np.repeat(scales, GROUP, axis=0)


def norm_weights(seed):
    return halves(seed, WIDTH, 0.1, 1.0)


def rms_norm(x, gamma):
    return f16(x / np.sqrt(np.mean(x * x) + 1e-5) * gamma)


def silu(x):
    return x / (1 + np.exp(-x))


class Model:
    """As Part of the sample, with its roundings."""

    def __init__(self, weights, seed):
        self.embedding = halves(seed, VOCABULARY * WIDTH, 1.0).reshape(VOCABULARY, WIDTH)
        self.last_norm = norm_weights(seed + 1)
        self.head = matrix("f16", seed + 2, WIDTH, VOCABULARY)
        self.layers = []
        for i in range(LAYERS):
            s = seed + 100 * (i + 1)
            self.layers.append({
                "norm1": norm_weights(s), "norm2": norm_weights(s + 2),
                "q": matrix(weights, s + 4, WIDTH, HEADS * HEAD), "k": matrix(weights, s + 6, WIDTH, KV_HEADS * HEAD),
                "v": matrix(weights, s + 8, WIDTH, KV_HEADS * HEAD),
                "o": matrix(weights, s + 10, HEADS * HEAD, WIDTH),
                "gate_up": matrix(weights, s + 12, WIDTH, 2 * HIDDEN), "down": matrix(weights, s + 14, HIDDEN, WIDTH),
                "keys": [], "values": []})

    @staticmethod
    def rotate(x, position):
        rate = np.float32(10000.0) ** (np.float32(-2.0) * np.arange(HEAD // 2, dtype=np.float32) / np.float32(HEAD))
        angle = np.tile((np.float32(position) * rate).astype(np.float64), 2)
        x = x.reshape(-1, HEAD)
        turned = np.concatenate([-x[:, HEAD // 2:], x[:, :HEAD // 2]], axis=1)
        return f16(x * np.cos(angle) + turned * np.sin(angle))

    def step(self, token, position):
        x = self.embedding[token]
        for layer in self.layers:
            h = rms_norm(x, layer["norm1"])
            q = self.rotate(f16(h @ layer["q"]), position)
            layer["keys"].append(self.rotate(f16(h @ layer["k"]), position))
            layer["values"].append(f16(h @ layer["v"]).reshape(KV_HEADS, HEAD))
            keys, values = np.stack(layer["keys"]), np.stack(layer["values"])
            heads = []
            for i in range(HEADS):
                group = i // (HEADS // KV_HEADS)
                scores = keys[:, group] @ q[i] / np.sqrt(HEAD)
                p = np.exp(scores - scores.max())
                heads.append(p / p.sum() @ values[:, group])
            x = f16(x + f16(f16(np.concatenate(heads)) @ layer["o"]))
            h = f16(rms_norm(x, layer["norm2"]) @ layer["gate_up"])
            x = f16(x + f16(f16(silu(h[:HIDDEN]) * h[HIDDEN:]) @ layer["down"]))
        return rms_norm(x, self.last_norm) @ self.head


def run(program, folder, *options):
    logits = pathlib.Path(folder) / "logits"
    printed = subprocess.run([program, *options, "--logits", str(logits)], check=True, capture_output=True,
                             text=True, timeout=300).stdout
    tokens = [int(t) for t in re.search(r"^tokens: (.*)$", printed, re.M).group(1).split()]
    return tokens, np.fromfile(logits, np.float32).reshape(-1, VOCABULARY)


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        for weights, seed, ways in [("f16", 1, [[], ["--graph"], ["--devices", "2"], ["--devices", "2", "--graph"]]),
                                    ("int8", 2, [[], ["--graph", "--devices", "2"]])]:
            first = None
            for way in ways:
                tokens, logits = run(program, folder, "--tokens", "24", "--weights", weights, "--seed", str(seed), *way)
                model, token = Model(weights, seed), 1
                for position, (got, row) in enumerate(zip(tokens, logits)):
                    expected = model.step(token, position)
                    worst = np.abs(row - expected).max() / np.abs(expected).max()
                    assert worst < 0.02, f"{weights} {way}: logits of step {position} are off by {worst}"
                    # Roundings may decide between two that are as good.
                    assert expected[got] >= expected.max() - 0.02 * np.abs(expected).max(), \
                        f"{weights} {way}: step {position} gave {got}, numpy gives {expected.argmax()}"
                    token = got
                assert first is None or tokens == first, f"{weights} {way}: other tokens than {ways[0]}"
                first = tokens
                print(f"{weights} {' '.join(way) or 'eager'}: {len(tokens)} tokens as in numpy")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
