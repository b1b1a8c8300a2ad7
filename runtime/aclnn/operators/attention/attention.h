// SPDX-License-Identifier: Apache-2.0
// Attention in blocks: softmax(scale * Q K^T + shift) V, without ever holding all the scores.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/aclnn/matrix/product.h"
#include "runtime/aclnn/view/view.h"

namespace aclnn {

/// So many tokens that no sequence has more.
inline constexpr std::int64_t kAnyTokens = std::int64_t{1} << 40;

/// Queries and keys that belong together. N query heads share Nkv heads of keys in groups.
struct Sequence {
  View q;               // [N, Sq, D]
  View k, v;            // [Nkv, Skv, D], [Nkv, Skv, Dv]
  View q_rope, k_rope;  // [N, Sq, Dr], [Nkv, Skv, Dr]: further columns of q and k; may be false
  View out;             // [N, Sq, Dv]
  View shift, mask;     // [N, Sq, Skv]; may be false. A nonzero element of the mask hides a key
  View lse, max, sum;   // [N, Sq, anything]; may be false
  // Numbers of blocks; may be false. k and v are then [blocks, Nkv, tokens of a block, D], and the
  // i-th number is the block with the i-th tokens of the sequence.
  View table;
  // For keys and values in eight or four bits: [Nkv, Skv, D], (number + offset) * scale; may be
  // false. With a table they may also be [blocks, Nkv, tokens of a block, D].
  View k_scale, k_offset, v_scale, v_offset;
  View prefix_k, prefix_v;  // [Nkv, prefix, D]: come before k and v
  std::int64_t prefix = 0;
  // One number each in memory: the count of padding tokens after the valid tokens, the rest is
  // before them; may be false, then all padding is after them.
  View q_padding, k_padding;
  View keep;  // bits of all scores, in bytes; may be false
  std::int64_t first_bit = 0;
  std::int64_t queries = 0, keys = 0;                    // that count; results of the others are 0
  std::int64_t before = kAnyTokens, after = kAnyTokens;  // i sees j of [i - before, i + after]
};

inline std::int64_t key_heads(const Sequence& s) { return s.k.size(s.table ? 1 : 0); }

/// Factors of arithmetic in eight bits. Values that become INT8 are rounded to the nearest even and
/// limited to -128 .. 127. Views may be false. The first three are one number in memory: f32, or
/// the low half of a u64.
struct EightBits {
  View scores;                 // of products of INT8 queries and keys; values are INT8, too
  View weights;                // of exp(score - the row's maximum), which becomes INT8
  View sums;                   // of sums of weights and values
  View result, result_offset;  // [N, Dv]: results become INT8
};

struct Attention {
  std::vector<Sequence> sequences;
  EightBits bytes;
  float scale = 1, shift_scale = 1, keep_prob = 1;
};

Work attention_work(Attention attention);

}  // namespace aclnn
