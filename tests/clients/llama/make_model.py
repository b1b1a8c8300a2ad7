#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a small language model with weights from a seed: make_model.py LLAMA_CPP MODEL.gguf [--architecture llama]

LLAMA_CPP is a checkout of llama.cpp; its gguf-py writes the file, and a vocabulary of its models/ folder is used."""

import argparse
import pathlib
import sys

import numpy as np

WIDTH, LAYERS, HEADS, KEY_HEADS, INNER = 256, 4, 4, 2, 768
COPIED = {"STRING": "add_string", "UINT32": "add_uint32", "BOOL": "add_bool", "FLOAT32": "add_float32"}


def copy_vocabulary(writer, reader):
    """Writes all keys that define how text becomes tokens. Returns the number of tokens."""
    for name, field in reader.fields.items():
        if not name.startswith("tokenizer."):
            continue
        kind = field.types[0].name
        if kind == "ARRAY":
            writer.add_array(name, field.contents())
        else:
            getattr(writer, COPIED[kind])(name, field.contents())
    return len(reader.fields["tokenizer.ggml.tokens"].data)


def describe(writer, tokens):
    writer.add_vocab_size(tokens)
    writer.add_context_length(2048)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_rope_freq_base(10000.0)
    writer.add_file_type(1)


def weights(rng, tokens, with_bias):
    """Names and arrays. Matrices keep the magnitude of their input; the last one makes one token clearly the likeliest."""
    keys = WIDTH // HEADS * KEY_HEADS
    yield "token_embd.weight", rng.normal(0, 1, (tokens, WIDTH))
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        for name, rows, columns in (("attn_q", WIDTH, WIDTH), ("attn_k", keys, WIDTH), ("attn_v", keys, WIDTH),
                                    ("attn_output", WIDTH, WIDTH), ("ffn_gate", INNER, WIDTH), ("ffn_up", INNER, WIDTH),
                                    ("ffn_down", WIDTH, INNER)):
            yield f"{block}{name}.weight", rng.normal(0, 1.5 / columns ** 0.5, (rows, columns))
            if with_bias and name in ("attn_q", "attn_k", "attn_v"):
                yield f"{block}{name}.bias", rng.normal(0, 0.2, rows).astype(np.float32)
        for name in ("attn_norm", "ffn_norm"):
            yield f"{block}{name}.weight", rng.uniform(0.5, 1.5, WIDTH).astype(np.float32)
    yield "output_norm.weight", rng.uniform(0.5, 1.5, WIDTH).astype(np.float32)
    yield "output.weight", rng.normal(0, 4.0 / WIDTH ** 0.5, (tokens, WIDTH))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("llama", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--architecture", choices=("llama", "qwen2"), default="llama")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.path.insert(0, str(options.llama / "gguf-py"))
    import gguf

    vocabulary = {"llama": "llama-spm", "qwen2": "qwen2"}[options.architecture]
    reader = gguf.GGUFReader(options.llama / "models" / f"ggml-vocab-{vocabulary}.gguf")
    writer = gguf.GGUFWriter(options.model, options.architecture)
    tokens = copy_vocabulary(writer, reader)
    describe(writer, tokens)
    for name, values in weights(np.random.default_rng(options.seed), tokens, options.architecture == "qwen2"):
        writer.add_tensor(name, values if values.dtype == np.float32 else values.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
