# SPDX-License-Identifier: Apache-2.0
"""Attention beside plain loops in double precision."""

import sys

import numpy as np

from binding import Tensor, acl, call, start
from cases import choose, main, operator, output, random_tensor, random_values, refused, run

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


def sparse_of(rng, mask, s, t, queries, keys):
    """A mode with its numbers, and what it lets a query see of one sequence."""
    mode = int(choose(rng, (0, 1) if mask else (0,)))
    before, after = (int(v) for v in rng.integers(-1, 12, 2))
    if mode == 0 and mask:
        return mode, before, after, seen(s, t, before, after)
    return mode, before, after, np.ones((s, t), bool)


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


@operator("aclnnFusedInferAttentionScoreV2", "aclnnFusedInferAttentionScoreV3", cases=2)
def fused_infer(rng, name):
    dtype, q, k, v = fused_case(rng)
    (b, n, s, d), (kv, t), dv = q.shape, k.shape[1:3], v.shape[3]
    scale = 1 / np.sqrt(d)
    layout = choose(rng, ("BSH", "BSND", "BNSD", "BNSD_BSND"))
    kind, out_kind = layout.split("_")[0], layout.split("_")[-1]
    lengths = list(rng.integers(0, s + 1, b)) if rng.integers(0, 3) == 0 else None
    kv_lengths = list(rng.integers(0, t + 1, b)) if rng.integers(0, 3) == 0 else None
    scores = scale * np.einsum("bnid,bnjd->bnij", q, np.repeat(k, n // kv, 1))
    rope = ()
    if name.endswith("V3"):
        rope = (None, None, None)
        if rng.integers(0, 2):
            qr, kr = rounded(rng, (b, n, s, 8), dtype), rounded(rng, (b, kv, t, 8), dtype)
            scores += scale * np.einsum("bnid,bnjd->bnij", qr, np.repeat(kr, n // kv, 1))
            rope = (kept(rng, qr, dtype, kind), kept(rng, kr, dtype, kind), None)
    pse = mask = None
    if rng.integers(0, 2):
        shape = (choose(rng, (1, b)), n, s, t)
        pse = Tensor(shape, dtype, (s * t, 0, t, 1)) if rng.integers(0, 2) else random_tensor(rng, shape, dtype)
        pse.set(np.where(rng.random(shape) < 0.2, -np.inf, random_values(rng, shape, dtype, -2, 2)))
        scores = scores + pse.values()
    if rng.integers(0, 2):
        shape = choose(rng, ((s, t), (b, s, t), (1, s, t), (b, 1, s, t), (1, 1, s, t)))
        mask = random_tensor(rng, shape, choose(rng, ("bool", "i8", "u8")), values=rng.random(shape) < 0.3)
        hidden = mask.values() != 0
        hidden = hidden[:, None] if len(shape) == 3 else hidden
        scores = np.where(hidden, -np.inf, scores)
    sparse = sparse_of(rng, mask is not None, s, t, lengths, kv_lengths)
    scores = np.where(sparse[3], scores, -np.inf)
    if mask is None and rng.integers(0, 3) == 0:  # a triangle, which is the same for all
        mode = int(rng.integers(2, 5))
        mask = Tensor((2048, 2048), "bool", (0, 0), values=np.ones(()))
        before, after = (int(x) for x in rng.integers(0, 9, 2))
        sparse = (mode, before, after)
        for i in range(b):
            corner = (kv_lengths[i] if kv_lengths else t) - (lengths[i] if lengths else s)
            window = {2: (10**6, 0), 3: (10**6, corner), 4: (before - corner, after + corner)}[mode]
            scores[i] = np.where(seen(s, t, *window), scores[i], -np.inf)
    for i in range(b):
        scores[i, :, lengths[i] if lengths else s:] = -np.inf
        scores[i, :, :, kv_lengths[i] if kv_lengths else t:] = -np.inf
    weights, most, total = softmax_of(scores)
    wanted = weights @ np.repeat(v, n // kv, 1)
    with np.errstate(divide="ignore"):
        lse = np.where(total == 0, np.inf, most + np.log(total))
    out = output(rng, LAYOUTS[out_kind](wanted).shape, dtype)
    flag = bool(rng.integers(0, 2))
    lse_out = output(rng, lse.shape, "f32") if flag else None
    if kind != "BSH" and rng.integers(0, 3) == 0 and not any(rope):  # a tensor for each batch
        keys, values = ([kept(rng, x[i:i + 1], dtype, kind) for i in range(b)] for x in (k, v))
    else:
        keys, values = [kept(rng, k, dtype, kind)], [kept(rng, v, dtype, kind)]
    arguments = fused(kept(rng, q, dtype, kind), keys, values, pse, mask, lengths, kv_lengths, n, scale, sparse,
                      layout, kv if kv != n or rng.integers(0, 2) else 0, flag, out, lse_out, rope=rope)
    run(name, *arguments, outputs=[out] + [lse_out] * flag,
        expected=[LAYOUTS[out_kind](wanted)] + [lse] * flag, scale=2)


@operator("the cache of a language model", cases=0.2)
def cache(rng, _):
    """As llama.cpp passes it: rows of the cache lie further apart than they are long."""
    s, t, n, kv, d = int(rng.integers(1, 5)), 40, 4, 2, 16
    q = random_tensor(rng, (1, s, n, d), "f16", -1, 1)
    k, v = (Tensor((1, t, kv, d), "f16", (t * 3 * kv * d, 3 * kv * d, d, 1)) for _ in range(2))
    for x in (k, v):
        x.set(random_values(rng, x.shape, "f16", -1, 1))
    pse = Tensor((1, n, s, t), "f16", (s * t, 0, t, 1))
    pse.set(np.where(np.arange(t) <= np.arange(s)[:, None] + 9, 0, -np.inf))
    scores = np.einsum("bind,bjnd->bnij", q.values(), np.repeat(k.values(), 2, 2)) * 0.25 + pse.values()
    wanted = np.einsum("bnij,bjnd->bind", softmax_of(scores)[0], np.repeat(v.values(), 2, 2))
    out = output(rng, (1, s, n, d), "f16")
    run("aclnnFusedInferAttentionScoreV2", *fused(q, [k], [v], pse, None, None, None, n, 0.25, (0, 65535, 65535),
                                                  "BSND", kv, False, out, None), outputs=[out], expected=[wanted])


def in_blocks(values, lengths, block, count, table):
    """A cache of blocks that has the tokens of [B, N, S, D] where the table says; others hold no numbers."""
    b, n, _, d = values.shape
    cache = np.full((count, n, block, d), np.nan)
    for i in range(b):
        for j in range(lengths[i]):
            cache[table[i, j // block], :, j % block] = values[i, :, j]
    return cache


@operator("a cache of attention in blocks", cases=2)
def paged(rng, _):
    name = choose(rng, ("aclnnFusedInferAttentionScoreV2", "aclnnFusedInferAttentionScoreV3"))
    dtype, q, k, v = fused_case(rng)
    (b, n, s, d), (kv, t), dv = q.shape, k.shape[1:3], v.shape[3]
    block = int(choose(rng, (1, 5, 16, 128)))
    most = -(-t // block) + int(rng.integers(0, 2))
    count = b * most + 3
    table = rng.permutation(count)[:b * most].reshape(b, most)
    lengths = [int(x) for x in rng.integers(0, t + 1, b)]
    scores = 0.3 * np.einsum("bnid,bnjd->bnij", q, np.repeat(k, n // kv, 1))
    mask = None
    if rng.integers(0, 2):
        mask = random_tensor(rng, (b, 1, s, most * block), "bool", values=rng.random((b, 1, s, most * block)) < 0.3)
        scores = np.where(mask.values()[..., :t] != 0, -np.inf, scores)
    for i in range(b):
        scores[i, :, :, lengths[i]:] = -np.inf
    wanted = softmax_of(scores)[0] @ np.repeat(v, n // kv, 1)
    as_rows = rng.integers(0, 2)
    keys, values = (in_blocks(x, lengths, block, count, table) for x in (k, v))
    caches = [output(rng, x.shape, dtype).set(x) for x in (
        (LAYOUTS["BSH"](x) if as_rows else x) for x in (keys, values))]
    numbers = output(rng, table.shape, "i32").set(np.where(
        np.arange(most) * block < np.array(lengths)[:, None], table, -1))  # what is not needed is not looked at
    layout = choose(rng, ("BSH", "BSND", "BNSD"))
    out = output(rng, LAYOUTS[layout](wanted).shape, dtype)
    ones = extras(blockTable=numbers)
    run(name, *fused(kept(rng, q, dtype, layout), caches[:1], caches[1:], None, mask, None, lengths, n, 0.3,
                     (0, 10**6, 10**6), layout, kv, False, out, None, ones,
                     (None, None, None) if name.endswith("V3") else (), block),
        outputs=[out], expected=[LAYOUTS[layout](wanted)], scale=2)


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


def scales_of(rng, mode, b, n, s, d, dtype):
    """Scales of a mode as a tensor, and as [B, N, S, D]."""
    every = rng.integers(0, 2)
    shape = {0: (1, n, 1, d) if every else (1, 1, 1, 1), 1: (b, 1, s, 1), 2: (1, n, 1, 1), 3: (b, n, s, 1)}[mode]
    short = {0: choose(rng, ((n * d,), (n, d), (n, 1, d))) if every else (1,), 1: choose(rng, ((b, s), (1, b, s))),
             2: (n,), 3: (b, n, s)}[mode]
    tensor = Tensor(short, dtype, values=rng.uniform(0.005, 0.02, short))
    return tensor, tensor.values().reshape(shape)


@operator("keys and values of eight bits")
def bytes_cache(rng, _):
    name = choose(rng, V2V3)
    dtype, q, k, v = fused_case(rng)
    (b, n), (kv, t, d), dv = q.shape[:2], k.shape[1:], v.shape[3]
    k, v = (rng.integers(-128, 128, x.shape) for x in (k, v))
    given, real = {}, []
    split = bool(rng.integers(0, 2)) or d != dv
    modes = [int(rng.integers(0, 4 if split else 2))] * 2
    with_offset = bool(rng.integers(0, 2))
    if split:
        modes[1] = int(rng.integers(0, 4))
    halves = []
    for which, x in enumerate((k, v)):
        scale, factor = scales_of(rng, modes[which], b, *x.shape[1:], choose(rng, ("f32", dtype)))
        if which and not split and scale.shape != halves[0].shape:  # they are halves of one tensor
            scale, factor = Tensor(halves[0].shape, halves[0].dtype, values=halves[0].values()), first
        first = factor
        halves.append(scale)
        offset = Tensor(scale.shape, dtype, values=rng.integers(-9, 9, scale.shape)) if with_offset else None
        more = offset.values().reshape(factor.shape) if offset else 0
        real.append((x + more) * factor)
        if split:
            given[("key", "value")[which] + "AntiquantScale"] = scale
            given[("key", "value")[which] + "AntiquantOffset"] = offset
        else:
            given.setdefault("offsets", []).append(offset)
    if not split:
        offsets = given.pop("offsets")
        join = lambda a: Tensor((2,) + a[0].shape, a[0].dtype, values=np.stack([x.values() for x in a]))  # noqa: E731
        same = halves if halves[0].dtype == halves[1].dtype else [
            Tensor(h.shape, "f32", values=h.values()) for h in halves]
        given["antiquantScale"] = join(same)
        given["antiquantOffset"] = join(offsets) if with_offset else None
        if halves[0].shape == (1,):
            for key in ("antiquantScale", "antiquantOffset"):
                if given[key]:
                    given[key] = Tensor((2,), given[key].dtype, values=given[key].values().reshape(2))
    scores = 0.3 * np.einsum("bnid,bnjd->bnij", q, np.repeat(real[0], n // kv, 1))
    attend(rng, name, dtype, q, k, real[1], scores, lambda layout: (
        kept(rng, k, "i8", layout), kept(rng, v, "i8", layout), extras(**given), None, None, None,
        (modes[0], *modes) if split else (modes[0], 0, 0)), scale=4)


def near_tie(x):
    """Whether a number lies so close to the middle of two whole ones that f32 may round it either way."""
    return bool(np.any(np.abs(x - np.floor(x) - 0.5) < 1e-4))


def byte(x):
    return np.clip(np.rint(x), -128, 127)


def byte_case(rng):
    """Queries, keys and values of eight bits with their scales, and results before and after rounding."""
    b, groups, kv = (int(x) for x in rng.integers(1, 3, 3))
    s, t = (1, int(rng.integers(257, 600))) if rng.integers(0, 3) == 0 else (int(rng.integers(1, 5)), int(rng.integers(1, 20)))
    n, d, dv = kv * groups, 8 * int(rng.integers(1, 4)), 8
    q, k, v = (rng.integers(-128, 128, shape) for shape in ((b, n, s, d), (b, kv, t, d), (b, kv, t, dv)))
    dequant = float(np.float32(rng.uniform(1e-4, 3e-3) / d))
    scores = 0.3 * dequant * np.einsum("bnid,bnjd->bnij", q, np.repeat(k, groups, 1))
    hidden = rng.random((b, 1, s, t)) < 0.3
    most = np.where(hidden, -np.inf, scores).max(-1, keepdims=True, initial=-np.inf)
    weights = np.where(hidden, 0, np.exp(np.where(hidden, 0, scores - np.where(np.isfinite(most), most, 0))))
    sums = weights.sum(-1, keepdims=True)
    per_head = bool(rng.integers(0, 2))
    while True:
        factor, back = (float(np.float32(rng.uniform(*limits))) for limits in ((90, 150), (0.001, 0.01)))
        scale = rng.uniform(1, 40, (1, n, 1, dv) if per_head else (1, 1, 1, 1)).astype(np.float32).astype(float)
        offset = rng.integers(-20, 20, scale.shape)
        real = byte(weights * factor) @ np.repeat(v, groups, 1) * back / np.where(sums == 0, 1, sums)
        if not near_tie(weights * factor) and not near_tie(real * scale + offset):
            return q, k, v, hidden, (dequant, factor, back), scale, offset, real


@operator("queries of eight bits")
def bytes_all(rng, _):
    name = choose(rng, V2V3)
    q, k, v, hidden, factors, scale, offset, real = byte_case(rng)
    n, kv, layout = q.shape[1], k.shape[1], choose(rng, ("BSH", "BSND", "BNSD"))
    given = dict(zip(("deqScale1", "quantScale1", "deqScale2"), (Tensor((1,), "f32", values=[x]) for x in factors)))
    if rng.integers(0, 2):  # the number's bits in a wider type
        bits = int(np.float32(factors[0]).view(np.uint32))
        given["deqScale1"] = Tensor((1,), "u64", values=np.array([bits], dtype=np.uint64))
    dtype, wanted = "f16", real
    if rng.integers(0, 2):
        dtype, wanted = "i8", byte(real * scale + offset)
        shape = (n, scale.shape[3]) if scale.size > 1 else (1,)
        given["quantScale2"] = Tensor(shape, "f32", values=scale.reshape(shape))
        given["quantOffset2"] = Tensor(shape, "f32", values=offset.reshape(shape))
    mask = output(rng, hidden.shape, "bool").set(hidden)
    out = output(rng, LAYOUTS[layout](wanted).shape, dtype)
    run(name, *fused(kept(rng, q, "i8", layout), [kept(rng, k, "i8", layout)], [kept(rng, v, "i8", layout)], None, mask,
                     None, None, n, 0.3, (0, 10**6, 10**6), layout, kv, False, out, None, extras(**given),
                     (None, None, None) if name.endswith("V3") else ()), outputs=[out], expected=[LAYOUTS[layout](wanted)])


@operator("results of eight bits", cases=0.05)
def bytes_out(rng, _):
    """A value by hand: the mean of 1 and 3, times 10, and 5 more."""
    q, k = Tensor((1, 1, 1, 8), "f16"), Tensor((1, 1, 2, 8), "f16")
    v = Tensor((1, 1, 2, 8), "f16", values=np.array([[1.0] * 8, [3.0] * 8]))
    out = Tensor((1, 1, 1, 8), "i8")
    ones = extras(quantScale2=Tensor((1,), "f32", values=[10]), quantOffset2=Tensor((1,), "f32", values=[5]))
    run(V2V3[0], *fused(q, [k], [v], None, None, None, None, 1, 1.0, (0, 0, 0), "BNSD", 0, False, out, None, ones),
        outputs=[out], expected=[np.full(8, 25)])


@operator("tokens that lie at the end of their dim")
def padded(rng, _):
    name = choose(rng, V2V3)
    dtype, q, k, v = fused_case(rng)
    (b, n, s), (kv, t) = q.shape[:3], k.shape[1:3]
    lengths, kv_lengths = ([int(x) for x in rng.integers(1, most + 1, b)] for most in (s, t))
    behind, kv_behind = int(rng.integers(0, 3)), int(rng.integers(0, 3))
    with_query, given = bool(rng.integers(0, 2)), {"kvPaddingSize": Tensor((1,), "i64", values=[kv_behind])}
    if with_query:
        given["queryPaddingSize"] = Tensor((1,), "i64", values=[behind])
    scores = 0.3 * np.einsum("bnid,bnjd->bnij", q, np.repeat(k, n // kv, 1))
    seen_ones = np.zeros(scores.shape, bool)
    for i in range(b):
        first = s - behind - lengths[i] if with_query else 0
        kv_first = t - kv_behind - kv_lengths[i]
        if first >= 0 and kv_first >= 0:  # else there is no room for them
            seen_ones[i, :, first:first + lengths[i], kv_first:kv_first + kv_lengths[i]] = True
    attend(rng, name, dtype, q, k, v, np.where(seen_ones, scores, -np.inf), lambda layout: (
        kept(rng, k, dtype, layout), kept(rng, v, dtype, layout), extras(**given), None, lengths, kv_lengths, (0, 0, 0)))


@operator("a prefix that all sequences share")
def shared_prefix(rng, _):
    name = choose(rng, V2V3)
    dtype, q, k, v = fused_case(rng)
    (b, n, s), (kv, t, d), dv = q.shape[:3], k.shape[1:], v.shape[3]
    room_for = int(choose(rng, (1, 7, 300)))
    length = int(rng.integers(0, room_for + 1)) if rng.integers(0, 2) else None
    pk, pv = rounded(rng, (1, kv, room_for, d), dtype), rounded(rng, (1, kv, room_for, dv), dtype)
    used = room_for if length is None else length
    keys = np.concatenate([np.broadcast_to(pk[:, :, :used], (b, kv, used, d)), k], 2)
    scores = 0.3 * np.einsum("bnid,bnjd->bnij", q, np.repeat(keys, n // kv, 1))
    mask = None
    if rng.integers(0, 2):
        mask = random_tensor(rng, (b, 1, s, used + t), "bool", values=rng.random((b, 1, s, used + t)) < 0.3)
        scores = np.where(mask.values() != 0, -np.inf, scores)
    kv_lengths = [int(x) for x in rng.integers(0, t + 1, b)] if rng.integers(0, 2) else None
    for i in range(b if kv_lengths else 0):
        scores[i, :, :, used + kv_lengths[i]:] = -np.inf
    attend(rng, name, dtype, q, k, v, scores, lambda layout: (
        kept(rng, k, dtype, layout), kept(rng, v, dtype, layout),
        extras(keySharedPrefix=kept(rng, pk, dtype, layout), valueSharedPrefix=kept(rng, pv, dtype, layout),
               actualSharedPrefixLen=None if length is None else [length]), mask, None, kv_lengths, (0, 0, 0)),
        prefix_values=pv[:, :, :used])


@operator("bad input of caches", cases=0.05)
def bad_caches(rng, _):
    name, x, out = V2V3[0], Tensor((2, 4, 3, 8), "f16"), Tensor((2, 4, 3, 8), "f16")
    cache, one = Tensor((2, 4, 3, 8), "i8"), Tensor((1,), "f32")
    number = Tensor((1,), "i64", values=[0])

    def attempt(text, keys=x, lengths=None, modes=(0, 0, 0), **given):
        refused(161002, name, *fused(x, [keys], [keys], None, None, lengths, lengths, 4, 1.0, (0, 0, 0), "BNSD", 0, False,
                                     out, None, extras(**given), modes=modes), text=text)

    attempt("keyAntiquantScaleOptional and antiquantScaleOptional are null", cache)
    attempt("antiquantScaleOptional is given; expected null, as key has the type FLOAT16", antiquantScale=one)
    attempt("expected both", cache, keyAntiquantScale=one)
    attempt("keyAntiquantScaleOptional has the mode 4; expected 0 to 3", cache, modes=(0, 4, 0), keyAntiquantScale=one,
            valueAntiquantScale=one)
    attempt("keyAntiquantScaleOptional has the shape [1]; expected 6 numbers", cache, modes=(0, 1, 0),
            keyAntiquantScale=one, valueAntiquantScale=one)
    attempt("actualSeqLengthsKvOptional is not given", kvPaddingSize=number)
    attempt("kvPaddingSizeOptional has the type FLOAT; expected INT64", kvPaddingSize=one)
    attempt("kvPaddingSizeOptional has the shape [2]; expected one number", lengths=[1, 1],
            kvPaddingSize=Tensor((2,), "i64"))
    attempt("expected both or none", keySharedPrefix=Tensor((1, 4, 5, 8), "f16"))
    attempt("keySharedPrefixOptional has the shape [1, 4, 5, 9]", keySharedPrefix=Tensor((1, 4, 5, 9), "f16"),
            valueSharedPrefix=Tensor((1, 4, 5, 8), "f16"))
    attempt("actualSharedPrefixLenOptional[0] is 6; expected 0 to 5", keySharedPrefix=Tensor((1, 4, 5, 8), "f16"),
            valueSharedPrefix=Tensor((1, 4, 5, 8), "f16"), actualSharedPrefixLen=[6])


@operator("numbers that are none in attention", cases=0.05)
def not_numbers(rng, _):
    q = Tensor((1, 1, 2, 8), "f16", values=np.array([[np.nan] * 8, [1] * 8]))
    k = Tensor((1, 1, 3, 8), "f16", values=1.0)
    out = Tensor((1, 1, 2, 8), "f16")
    run("aclnnFusedInferAttentionScoreV2", *fused(q, [k], [k], None, None, None, None, 1, 1.0, (0, 0, 0), "BNSD", 0,
                                                  False, out, None), outputs=[out],
        expected=[np.array([[np.nan] * 8, [1] * 8])])
    empty = Tensor((1, 1, 0, 8), "f16")
    run("aclnnFusedInferAttentionScoreV2", *fused(q, [empty], [empty], None, None, None, None, 1, 1.0, (0, 0, 0),
                                                  "BNSD", 0, False, out, None), outputs=[out], expected=[np.zeros(())])


@operator("bad input of inference attention", cases=0.05)
def bad_fused(rng, _):
    name, x, out = "aclnnFusedInferAttentionScoreV2", Tensor((2, 4, 3, 8), "f16"), Tensor((2, 4, 3, 8), "f16")

    def attempt(code, text, query=x, keys=(x,), mask=None, pse=None, lengths=None, heads=4, sparse=(0, 0, 0),
                layout="BNSD", kv_heads=0, flag=False, result=out, ones=NOTHING):
        keys = None if keys is None else list(keys)
        refused(code, name, *fused(query, keys, keys, pse, mask, lengths, None, heads, 1.0, sparse, layout, kv_heads,
                                   flag, result, None, ones), text=text)

    attempt(161001, "query is null", query=None)
    attempt(161001, "key is null", keys=None)
    attempt(161001, "softmaxLse is null", flag=True)
    attempt(161002, "query has the type FLOAT;", query=Tensor((2, 4, 3, 8), "f32"))
    attempt(161002, "key has the type BF16; expected FLOAT16", keys=[Tensor((2, 4, 3, 8), "bf16")])
    attempt(161002, "inputLayout is BDSN", layout="BDSN")
    attempt(161002, "numHeads is 0", heads=0)
    attempt(161002, "numKeyValueHeads is 3", kv_heads=3)
    attempt(161002, "query has 4 heads; expected numHeads, 8", heads=8)
    attempt(161002, "key has 2 batches", keys=[Tensor((2, 4, 3, 16), "f16")])
    attempt(161002, "attentionOut has the shape", result=Tensor((2, 3, 4, 8), "f16"))
    attempt(161002, "sparseMode is 5", sparse=(5, 0, 0))
    attempt(161002, "attenMaskOptional is null", sparse=(3, 0, 0))
    attempt(161002, "attenMaskOptional has the shape [3, 3]; expected [2048, 2048]", sparse=(2, 0, 0),
            mask=Tensor((3, 3), "bool"))
    attempt(161002, "attenMaskOptional has the shape [3, 2]", mask=Tensor((3, 2), "bool"))
    attempt(161002, "pseShiftOptional has the shape", pse=Tensor((2, 3, 3, 3), "f16"))
    attempt(161002, "actualSeqLengthsOptional[1] is 4; expected 0 to 3", lengths=[3, 4])
    for parameter in EXTRAS[:3]:
        attempt(161002, parameter + "Optional is given; expected null, as query has the type FLOAT16",
                ones=extras(**{parameter: Tensor((1,), "f32")}))
    attempt(161002, "quantScale2Optional is null", ones=extras(quantOffset2=Tensor((1,), "f32")))
    attempt(161002, "attentionOut has the type FLOAT16; expected INT8", ones=extras(quantScale2=Tensor((1,), "f32")))
    attempt(161002, "quantScale2Optional has the shape [3]; expected one number, or 8 for each of 4 heads",
            ones=extras(quantScale2=Tensor((3,), "f32")), result=Tensor((2, 4, 3, 8), "i8"))
    whole = Tensor((2, 4, 3, 8), "i8")
    attempt(161002, "deqScale2Optional is null; expected all three, as query is INT8", query=whole, keys=[whole])
    attempt(161002, "key has the type FLOAT16; expected INT8", query=whole)
    attempt(161002, "blockTableOptional has the type FLOAT; expected INT32", ones=extras(blockTable=Tensor((1,), "f32")))


@operator("bad input of a cache in blocks", cases=0.05)
def bad_blocks(rng, _):
    name, q = "aclnnFusedInferAttentionScoreV2", Tensor((2, 4, 1, 8), "f16", values=1.0)
    cache = Tensor((5, 4, 16, 8), "f16", values=1.0)
    table = Tensor((2, 2), "i32", values=[[0, 1], [4, 5]])

    def arguments(keys=(cache,), table=table, lengths=(20, 16), block=16):
        ones = extras(blockTable=table)
        return fused(q, list(keys), list(keys), None, None, None, lengths and list(lengths), 4, 1.0, (0, 0, 0), "BNSD", 0,
                     False, q, None, ones, block=block)

    refused(161002, name, *arguments(keys=(cache, cache)), text="key has 2 members")
    refused(161002, name, *arguments(block=8), text="blockSize is 8, and key has blocks of 16 tokens")
    refused(161002, name, *arguments(table=Tensor((3, 2), "i32")), text="a row for each of 2 batches")
    refused(161002, name, *arguments(lengths=None), text="actualSeqLengthsKvOptional is not given")
    refused(161002, name, *arguments(lengths=(20, 33)), text="actualSeqLengthsKvOptional[1] is 33; expected 0 to 32")
    call(name, *arguments())  # the last block is not needed
    call(name, *arguments(lengths=(20, 17)), wait=False)
    assert acl.aclrtSynchronizeStream(None) != 0, "a block that is none must be reported"


def flash_shift(rng, b, n, s, t, dtype):
    shape = choose(rng, ((b, n, s, t), (1, n, s, t), (b, n, 1, t)))
    return random_tensor(rng, shape, dtype, -2, 2)


@operator("aclnnFlashAttentionScore")
def flash(rng, name):
    _, q, k, v = fused_case(rng)
    dtype = choose(rng, SHORT)
    layout = choose(rng, ("BSH", "SBH", "BSND", "BNSD", "TND"))
    if layout == "TND":
        q, k, v = q[:1], k[:1], v[:1]
    (b, n, s, d), (kv, t) = q.shape, k.shape[1:3]
    laid = (lambda x: x[0].transpose(1, 0, 2)) if layout == "TND" else LAYOUTS[layout]
    keep = lambda x: output(rng, laid(x).shape, dtype).set(laid(x))  # noqa: E731
    query, key, value = keep(q), keep(k), keep(v)
    back = encode_decode(dtype)
    scores = np.einsum("bnid,bnjd->bnij", back(q), np.repeat(back(k), n // kv, 1))
    shift = flash_shift(rng, b, n, s, t, dtype) if rng.integers(0, 2) else None
    if shift:
        scores = scores + shift.values()
    scores = scores * 0.3
    mask = None
    before, after = (int(x) for x in rng.integers(-1, 12, 2))
    mode = 0
    if rng.integers(0, 2):
        shape = choose(rng, ((s, t), (b, 1, s, t), (b, n, s, t), (1, 1, s, t)))
        mask = random_tensor(rng, shape, choose(rng, ("bool", "u8")), values=rng.random(shape) < 0.3)
        mode = int(rng.integers(0, 2))
        scores = np.where(mask.values() != 0, -np.inf, scores)
        if mode == 0:
            scores = np.where(seen(s, t, before, after), scores, -np.inf)
    weights, most, total = softmax_of(scores)
    drop, probability = None, 1.0
    if rng.integers(0, 2):
        probability = 0.75
        kept_ones = rng.random(scores.shape) < probability
        packed = np.packbits(kept_ones.ravel(), bitorder="little")
        drop = Tensor((packed.size + 3,), "u8", values=np.concatenate([packed, [0, 0, 0]]))
        weights = weights * kept_ones / probability
    wanted = laid(weights @ np.repeat(back(v), n // kv, 1))
    statistics = [np.broadcast_to(np.where(total == 0, np.finfo(np.float32).min, most), total.shape[:3] + (8,)),
                  np.broadcast_to(total, total.shape[:3] + (8,))]
    if layout == "TND":
        statistics = [a[0].transpose(1, 0, 2) for a in statistics]
    out = output(rng, wanted.shape, dtype)
    outputs = [output(rng, a.shape, "f32") for a in statistics] + [out]
    run(name, query, key, value, shift, drop, None, mask, None, 0.3, probability, before, after, n, layout.encode(), 0,
        mode, *outputs[:2], None, out, outputs=outputs, expected=statistics + [wanted], scale=20)


def encode_decode(dtype):
    return lambda x: Tensor(x.shape, dtype, values=x).values()


@operator("bad input of training attention", cases=0.05)
def bad_flash(rng, _):
    name, x, stat, out = ("aclnnFlashAttentionScore", Tensor((1, 2, 3, 8), "f16"), Tensor((1, 2, 3, 8), "f32"),
                          Tensor((1, 2, 3, 8), "f16"))

    def attempt(code, text, key=x, drop=None, padding=None, prefix=None, keep=1.0, heads=2, layout="BNSD", sparse=0,
                most=stat):
        refused(code, name, x, key, x, None, drop, padding, None, prefix, 1.0, keep, 0, 0, heads, layout.encode(), 0,
                sparse, most, stat, None, out, text=text)

    attempt(161001, "key is null", key=None)
    attempt(161002, "key has the type FLOAT;", key=Tensor((1, 2, 3, 8), "f32"))
    attempt(161002, "inputLayout is NSD", layout="NSD")
    attempt(161002, "query has 2 heads; expected headNum, 4", heads=4)
    attempt(161002, "keepProb is 0", keep=0.0)
    attempt(161002, "dropMaskOptional is null", keep=0.5)
    attempt(161002, "dropMaskOptional has the shape [1]", keep=0.5, drop=Tensor((1,), "u8"))
    attempt(161002, "paddingMaskOptional is given", padding=Tensor((1,), "f16"))
    attempt(161002, "prefixOptional is given", prefix=[1])
    attempt(161002, "sparseMode is 6", sparse=6)
    attempt(161002, "softmaxMaxOut has the shape [1, 2, 3, 1]", most=Tensor((1, 2, 3, 1), "f32"))


if __name__ == "__main__":
    start()
    sys.exit(main(120))
