// SPDX-License-Identifier: Apache-2.0
// How batches (B), tokens (S), heads (N) and their numbers (D) follow each other in operands of
// attention.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/aclnn/operators/attention/attention.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {

enum class AttentionLayout : std::uint8_t { bsh, sbh, bsnd, bnsd, tnd };

int rank_of(AttentionLayout layout) noexcept;

/// [B, N, S, D]. Tokens without batches are one batch. Refuses other numbers of dims. If heads and
/// their numbers share a dim, refuses a size that is not a multiple of the heads.
View heads_first(const Planner& p, const View& view, AttentionLayout layout, std::int64_t heads);

/// The shape of [B, N, S, D] in a layout.
Shape shape_in(AttentionLayout layout, std::int64_t b, std::int64_t n, std::int64_t s,
               std::int64_t d);

/// The keys that a query sees, in addition to a mask.
struct SparseRule {
  std::int64_t mode = 0, before = 0, after = 0;
  bool masked = false;

  /// Refuses unknown modes, and modes that need a mask if none is given.
  void check() const;
  /// The mask holds all positions, rather than the corner of a triangle that the mode says anyhow.
  bool reads_mask() const noexcept { return mode <= 1; }
  void apply(Sequence& sequence) const;
};

/// A mask [Sq, Skv], [B, Sq, Skv] or [B, N, Sq, Skv], with 1 for repeated dims, as [B, N, Sq, Skv].
/// The mask may have more rows and columns.
View scores_view(const Planner& p, const View& view, const Shape& scores);
/// The mask of the modes that need no positions of their own.
void require_triangle(const Planner& p, const View& mask);

}  // namespace aclnn
