// SPDX-License-Identifier: Apache-2.0
// Common code of the forms of FusedInferAttentionScore.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "runtime/aclnn/operators/attention/layouts.h"

namespace aclnn {

/// The purpose of a parameter that few programs use.
enum class Extra : std::uint8_t {
  refused,
  table,
  scale,  // of keys and of values
  offset,
  key_scale,
  key_offset,
  value_scale,
  value_offset,
  query_padding,
  kv_padding,
  key_prefix,
  value_prefix,
  scores,  // numbers in eight bits: see EightBits
  weights,
  sums,
  result,
  result_offset,
  kCount,
};

struct ExtraTensor {
  const aclTensor* given;
  const char* name;
  Extra use = Extra::refused;

  TypeSet types() const;
};

/// How numbers of eight bits are scaled.
struct ScaleModes {
  std::int64_t both, key, value;
};

struct FusedArguments {
  const aclTensor *query, *pse, *mask, *query_rope, *key_rope, *out, *lse;
  const aclTensorList *key, *value;
  const aclIntArray *lengths, *kv_lengths;
  std::int64_t heads, kv_heads;
  double scale;
  SparseRule sparse;
  std::int64_t inner_precise;
  const char* layout;
  bool with_lse;
  std::int64_t block_size;
  const aclIntArray* prefix_length;
  ScaleModes modes;
};

void plan_fused(Planner& p, const FusedArguments& arguments,
                std::initializer_list<ExtraTensor> extras);

}  // namespace aclnn
