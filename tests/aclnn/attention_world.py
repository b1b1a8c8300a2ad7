# SPDX-License-Identifier: Apache-2.0
"""Common code of the cases of attention: sizes, layouts, the order of arguments, weights in double precision."""

import numpy as np

from binding import Tensor
from cases import choose, output, random_values, run

HALVES = ("f16", "bf16")
SHORT = ("f32", "f16", "bf16")


def softmax_of(scores):
    """Weights, maxima and sums; rows that see nothing have the weights 0."""
    most = scores.max(-1, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.where(np.isneginf(scores), 0.0, np.exp(scores - most))
    total = weights.sum(-1, keepdims=True)
    return weights / np.where(total == 0, 1, total), most, total


def seen(rows, columns, before, after):
    i, j = np.arange(rows)[:, None], np.arange(columns)[None, :]
    return (j >= i - before) & (j <= i + after)


# How [B, N, S, D] is kept.
LAYOUTS = {
    "BNSD": lambda x: x, "BSND": lambda x: x.transpose(0, 2, 1, 3),
    "BSH": lambda x: x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1),
    "SBH": lambda x: x.transpose(2, 0, 1, 3).reshape(x.shape[2], x.shape[0], -1),
}


def kept(rng, values, dtype, layout):
    laid = LAYOUTS[layout](values)
    return output(rng, laid.shape, dtype).set(laid)


def rounded(rng, shape, dtype):
    t = Tensor(shape, dtype)
    return t.set(random_values(rng, shape, dtype, -1.5, 1.5)).values()


def fused_case(rng):
    """Sizes, and values of q, k and v as the type keeps them."""
    b, groups, kv = (int(v) for v in rng.integers(1, 4, 3))
    long = rng.integers(0, 5) == 0
    s, t = (int(rng.integers(1, 300 if long else 12)), int(rng.integers(1, 600 if long else 20)))
    if rng.integers(0, 4) == 0:
        s = 1
    d, dv = 8 * int(rng.integers(1, 4)), 8 * int(rng.integers(1, 4))
    dtype = choose(rng, HALVES)
    q = rounded(rng, (b, kv * groups, s, d), dtype)
    return dtype, q, rounded(rng, (b, kv, t, d), dtype), rounded(rng, (b, kv, t, dv), dtype)


NOTHING = (None,) * 17
EXTRAS = ("deqScale1", "quantScale1", "deqScale2", "quantScale2", "quantOffset2", "antiquantScale", "antiquantOffset",
          "blockTable", "queryPaddingSize", "kvPaddingSize", "keyAntiquantScale", "keyAntiquantOffset",
          "valueAntiquantScale", "valueAntiquantOffset", "keySharedPrefix", "valueSharedPrefix", "actualSharedPrefixLen")


def extras(**given):
    """Parameters that few programs give, by their names without `Optional`."""
    assert set(given) <= set(EXTRAS)
    return tuple(given.get(name) for name in EXTRAS)


def fused(query, keys, values, pse, mask, lengths, kv_lengths, heads, scale, sparse, layout, kv_heads, flag, out, lse,
          refused_ones=NOTHING, rope=(), block=0, modes=(0, 0, 0)):
    return (query, keys, values, pse, mask, lengths, kv_lengths, *refused_ones, *rope, heads, scale, sparse[1],
            sparse[2], layout.encode(), kv_heads, sparse[0], 0, block, modes[0], flag, *modes[1:], out, lse)


V2V3 = ("aclnnFusedInferAttentionScoreV2", "aclnnFusedInferAttentionScoreV3")


def attend(rng, name, dtype, q, k, v, scores, arguments, **more):
    """Calls it with tensors in one of the layouts; `scores` hide what is hidden already. Rows without keys are 0."""
    n, kv, layout = q.shape[1], k.shape[1], choose(rng, ("BSH", "BSND", "BNSD"))
    weights = softmax_of(scores)[0]
    prefix = more.pop("prefix_values", v[:1, :, :0])
    whole = np.concatenate([np.broadcast_to(prefix, v.shape[:1] + prefix.shape[1:]), v], 2)
    wanted = LAYOUTS[layout](weights @ np.repeat(whole, n // kv, 1))
    out = output(rng, wanted.shape, dtype)
    keys, values, ones, mask, lengths, kv_lengths, modes = arguments(layout)
    run(name, *fused(kept(rng, q, dtype, layout), [keys], [values], None, mask, lengths, kv_lengths, n, 0.3,
                     (0, 10**6, 10**6), layout, kv, False, out, None, ones,
                     (None, None, None) if name.endswith("V3") else (), modes=modes),
        outputs=[out], expected=[wanted], scale=more.get("scale", 2))
