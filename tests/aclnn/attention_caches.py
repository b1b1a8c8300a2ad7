# SPDX-License-Identifier: Apache-2.0
"""Attention over caches of keys and values: in blocks, of few bits, padded, with a prefix."""

import sys

import numpy as np

from attention_world import LAYOUTS, V2V3, attend, extras, fused, fused_case, kept, rounded, softmax_of
from binding import Tensor, acl, call, start
from cases import choose, main, operator, output, random_tensor, random_values, refused, run
from few_bits import FourBits


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


def scales_of(rng, mode, b, n, s, d, dtype):
    """Scales of a mode as a tensor, and as [B, N, S, D]."""
    every = rng.integers(0, 2)
    shape = {0: (1, n, 1, d) if every else (1, 1, 1, 1), 1: (b, 1, s, 1), 2: (1, n, 1, 1), 3: (b, n, s, 1)}[mode]
    short = {0: choose(rng, ((n * d,), (n, d), (n, 1, d))) if every else (1,), 1: choose(rng, ((b, s), (1, b, s))),
             2: (n,), 3: (b, n, s)}[mode]
    tensor = Tensor(short, dtype, values=rng.uniform(0.005, 0.02, short))
    return tensor, tensor.values().reshape(shape)


def in_few_bits(rng, values, four):
    """As INT8, as INT4, or eight in an INT32."""
    if not four:
        return output(rng, values.shape, "i8").set(values)
    words = bool(rng.integers(0, 2))
    return FourBits(values, words, int(rng.integers(0, 3)) * (8 if words else 1))


@operator("keys and values of eight or four bits")
def bytes_cache(rng, _):
    name = choose(rng, V2V3)
    dtype, q, k, v = fused_case(rng)
    (b, n), (kv, t, d), dv = q.shape[:2], k.shape[1:], v.shape[3]
    four = bool(rng.integers(0, 2))
    k, v = (rng.integers(*((-8, 8) if four else (-128, 128)), x.shape) for x in (k, v))
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
        in_few_bits(rng, LAYOUTS[layout](k), four), in_few_bits(rng, LAYOUTS[layout](v), four), extras(**given), None, None, None,
        (modes[0], *modes) if split else (modes[0], 0, 0)), scale=4)


@operator("a cache in blocks of few bits")
def paged_bytes(rng, _):
    name, four = choose(rng, V2V3), bool(rng.integers(0, 2))
    dtype, q, k, v = fused_case(rng)
    (b, n), (kv, t) = q.shape[:2], k.shape[1:3]
    block = int(choose(rng, (1, 5, 16, 128)))
    most = -(-t // block)
    count = b * most + 2
    table = rng.permutation(count)[:b * most].reshape(b, most)
    lengths = [int(x) for x in rng.integers(0, t + 1, b)]
    modes = [int(choose(rng, (0, 2, 4, 5))) for _ in range(2)]
    given, real, caches = {"blockTable": Tensor(table.shape, "i32", values=table)}, [], []
    for which, x in zip(("key", "value"), (k, v)):
        mode = modes[len(real)]
        numbers = rng.integers(*((-8, 8) if four else (-128, 128)), (count, kv, block, x.shape[3]))
        heads = kv if mode in (2, 5) else 1
        shape = (count, heads, block, 1) if mode >= 4 else (1, heads, 1, 1)
        scale = Tensor(shape, "f32", values=rng.uniform(0.005, 0.02, shape))
        offset = Tensor(shape, dtype, values=rng.integers(-3, 4, shape))
        given[which + "AntiquantScale"], given[which + "AntiquantOffset"] = scale, offset
        blocks = (numbers + offset.values()) * scale.values()
        real.append(np.stack([blocks[row].transpose(1, 0, 2, 3).reshape(kv, most * block, -1)[:, :t] for row in table]))
        caches.append(in_few_bits(rng, numbers, four))
    scores = 0.3 * np.einsum("bnid,bnjd->bnij", q, np.repeat(real[0], n // kv, 1))
    for i in range(b):
        scores[i, :, :, lengths[i]:] = -np.inf
    layout = choose(rng, ("BSH", "BSND", "BNSD"))
    wanted = LAYOUTS[layout](softmax_of(scores)[0] @ np.repeat(real[1], n // kv, 1))
    out = output(rng, wanted.shape, dtype)
    run(name, *fused(kept(rng, q, dtype, layout), caches[:1], caches[1:], None, None, None, lengths, n, 0.3,
                     (0, 10**6, 10**6), layout, kv, False, out, None, extras(**given),
                     (None, None, None) if name.endswith("V3") else (), block, (0, *modes)),
        outputs=[out], expected=[wanted], scale=4)


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
    attempt("keyAntiquantScaleOptional has the mode 4; expected 0 to 3 without blockTableOptional", cache, modes=(0, 4, 0), keyAntiquantScale=one,
            valueAntiquantScale=one)
    attempt("keyAntiquantScaleOptional has the mode 6; expected 0 to 5", cache, modes=(0, 6, 0), keyAntiquantScale=one,
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


if __name__ == "__main__":
    start()
    sys.exit(main(120))
