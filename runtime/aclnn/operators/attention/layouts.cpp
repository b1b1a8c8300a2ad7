// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/attention/layouts.h"

#include <algorithm>
#include <array>

namespace aclnn {
namespace {

constexpr std::int64_t kTriangle = 2048;  // rows and columns of the mask of a triangle

}  // namespace

int rank_of(AttentionLayout layout) noexcept {
  return layout == AttentionLayout::bsnd || layout == AttentionLayout::bnsd ? 4 : 3;
}

View heads_first(const Planner& p, const View& view, AttentionLayout layout, std::int64_t heads) {
  p.require_rank(view, rank_of(layout), rank_of(layout));
  switch (layout) {
    case AttentionLayout::bnsd:
      break;
    case AttentionLayout::bsnd:
      return view.transposed(1, 2);
    case AttentionLayout::tnd:
      return view.transposed(0, 1).with_unit(0);
    case AttentionLayout::bsh:
    case AttentionLayout::sbh: {
      require(heads > 0 && view.size(2) % heads == 0,
              "{} has the shape {}; expected a last dim that {} heads divide", p.name(view),
              view.shape.text(), heads);
      View split = (layout == AttentionLayout::sbh ? view.transposed(0, 1) : view).with_unit(2);
      split.shape[2] = heads;
      split.shape[3] /= heads;
      split.strides[2] = split.size(3) * split.stride(3);
      return split.transposed(1, 2);
    }
  }
  return view;
}

Shape shape_in(AttentionLayout layout, std::int64_t b, std::int64_t n, std::int64_t s,
               std::int64_t d) {
  switch (layout) {
    case AttentionLayout::bsh:
      return {b, s, n * d};
    case AttentionLayout::sbh:
      return {s, b, n * d};
    case AttentionLayout::bsnd:
      return {b, s, n, d};
    case AttentionLayout::bnsd:
      return {b, n, s, d};
    case AttentionLayout::tnd:
      break;
  }
  return {b * s, n, d};
}

void SparseRule::check() const {
  require(mode >= 0 && mode <= 4, "sparseMode is {}; expected 0 to 4", mode);
  require(mode == 0 || masked, "attenMaskOptional is null; expected a mask, as sparseMode is {}",
          mode);
}

void SparseRule::apply(Sequence& sequence) const {
  const auto tokens = [](std::int64_t count) { return std::clamp(count, -kAnyTokens, kAnyTokens); };
  const std::int64_t corner =
      sequence.keys - sequence.queries;  // of the diagonal that ends below right
  if (mode == 0 && masked) {
    sequence.before = tokens(before);
    sequence.after = tokens(after);
  } else if (mode == 2) {
    sequence.after = 0;
  } else if (mode == 3) {
    sequence.after = corner;
  } else if (mode == 4) {
    sequence.before = tokens(before) - corner;
    sequence.after = tokens(after) + corner;
  }
}

View scores_view(const Planner& p, const View& view, const Shape& scores) {
  p.require_rank(view, 2, 4);
  View full = view;
  if (full.rank() == 2) full = full.with_unit(0);
  if (full.rank() == 3) full = full.with_unit(1);
  for (int d = 2; d < 4; ++d) {
    const bool repeated = d == 2 && full.size(d) == 1;
    require(repeated || full.size(d) >= scores[d],
            "{} has the shape {}; expected [{}, {}, {}, {}], with 1 for what is repeated",
            p.name(view), view.shape.text(), scores[0], scores[1], scores[2], scores[3]);
    if (!repeated) full = full.sliced(d, 0, scores[d]);
  }
  return p.expand(full, scores);
}

void require_triangle(const Planner& p, const View& mask) {
  p.require_rank(mask, 2, 4);
  bool right = mask.size(mask.rank() - 1) == kTriangle && mask.size(mask.rank() - 2) == kTriangle;
  for (int d = 0; d + 2 < mask.rank(); ++d) right = right && mask.size(d) == 1;
  require(right, "{} has the shape {}; expected [{}, {}] in this sparseMode", p.name(mask),
          mask.shape.text(), kTriangle, kTriangle);
}

}  // namespace aclnn
