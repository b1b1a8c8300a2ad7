# SPDX-License-Identifier: Apache-2.0
"""Attention beside plain loops in double precision."""

import sys

import numpy as np

from attention_world import (EXTRAS, LAYOUTS, NOTHING, SHORT, extras, fused, fused_case, kept, rounded, seen, softmax_of)
from binding import Tensor, start
from cases import choose, main, operator, output, random_tensor, random_values, refused, run


def sparse_of(rng, mask, s, t, queries, keys):
    """A mode with its numbers, and the keys of one sequence that it lets a query see."""
    mode = int(choose(rng, (0, 1) if mask else (0,)))
    before, after = (int(v) for v in rng.integers(-1, 12, 2))
    if mode == 0 and mask:
        return mode, before, after, seen(s, t, before, after)
    return mode, before, after, np.ones((s, t), bool)


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
