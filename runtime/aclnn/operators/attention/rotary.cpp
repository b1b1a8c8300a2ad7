// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding: pairs of numbers turned by an angle that depends on the position.
#include <algorithm>

#include "aclnnop/aclnn_apply_rotary_pos_emb.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/matrix/product.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {
namespace {

constexpr std::int64_t kMostRotated = 1024;

enum RotaryMode : std::int64_t { kHalf, kInterleave, kQuarter, kInterleaveHalf };

using RotateRow = void (*)(const float* x, const float* cos, const float* sin, float* y,
                           std::int64_t count);

void rotate_halves(const float* x, const float* cos, const float* sin, float* y,
                   std::int64_t count) {
  const std::int64_t half = count / 2;
  for (std::int64_t i = 0; i < half; ++i) {
    y[i] = x[i] * cos[i] - x[half + i] * sin[i];
    y[half + i] = x[half + i] * cos[half + i] + x[i] * sin[half + i];
  }
}

void rotate_pairs(const float* x, const float* cos, const float* sin, float* y,
                  std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += 2) {
    y[i] = x[i] * cos[i] - x[i + 1] * sin[i];
    y[i + 1] = x[i + 1] * cos[i + 1] + x[i] * sin[i + 1];
  }
}

void rotate_quarters(const float* x, const float* cos, const float* sin, float* y,
                     std::int64_t count) {
  const std::int64_t half = count / 2;
  rotate_halves(x, cos, sin, y, half);
  rotate_halves(x + half, cos + half, sin + half, y + half, half);
}

/// Pairs come in, halves go out.
void rotate_pairs_to_halves(const float* x, const float* cos, const float* sin, float* y,
                            std::int64_t count) {
  const std::int64_t half = count / 2;
  for (std::int64_t i = 0; i < half; ++i) {
    y[i] = x[2 * i] * cos[i] - x[2 * i + 1] * sin[i];
    y[half + i] = x[2 * i + 1] * cos[half + i] + x[2 * i] * sin[half + i];
  }
}

RotateRow rotate_row(std::int64_t mode) {
  switch (mode) {
    case kHalf:
      return rotate_halves;
    case kInterleave:
      return rotate_pairs;
    case kQuarter:
      return rotate_quarters;
    default:
      return rotate_pairs_to_halves;
  }
}

/// The rows [begin, end) of x. The angles have its shape.
void rotate_rows(const Data& x, const Data& cos, const Data& sin, const Data& y, RotateRow rotate,
                 std::int64_t begin, std::int64_t end) {
  const std::int64_t count = x.view.size(x.view.rank() - 1);
  float buffers[4][kMostRotated];
  Reader<float> from(x), cosines(cos), sines(sin);
  Writer<float> to(y);
  from.seek(begin * count);
  cosines.seek(begin * count);
  sines.seek(begin * count);
  to.seek(begin * count);
  for (std::int64_t row = begin; row < end; ++row) {
    const float* const c = cosines.next(count, buffers[1]);
    const float* const s = sines.next(count, buffers[2]);
    rotate(from.next(count, buffers[0]), c, s, buffers[3], count);  // y may be x
    to.write(count, buffers[3]);
  }
}

Work rotary_work(const View& x, const View& cos, const View& sin, const View& y, RotateRow rotate) {
  const std::int64_t count = std::max<std::int64_t>(x.size(x.rank() - 1), 1);
  const std::int64_t rows = x.count() / count;
  if (rows == 0) return {};
  const std::int64_t pieces =
      std::clamp<std::int64_t>(x.count() / kLeastElements, 1, std::min<std::int64_t>(rows, 64));
  return {pieces, [=](Execution& run, std::int64_t piece) {
            rotate_rows(run.at(x), run.at(cos), run.at(sin), run.at(y), rotate,
                        rows * piece / pieces, rows * (piece + 1) / pieces);
          }};
}

/// The rotated tensor, and the angles in its shape.
void require_rotary(const Planner& p, const View& x, View& cos, View& sin, std::int64_t unit) {
  p.require_rank(x, 4, 4);
  p.require_type(cos, x.type);
  p.require_type(sin, x.type);
  p.require_shape(sin, cos.shape);
  const std::int64_t count = x.size(3);
  require(count % unit == 0 && count <= kMostRotated,
          "{} has the shape {}; expected a last dim that is a multiple of {}, at most {}",
          p.name(x), x.shape.text(), unit, kMostRotated);
  p.require_rank(cos, 4, 4);
  require(cos.size(3) == count, "cos has the shape {}; expected {} as the last dim",
          cos.shape.text(), count);
  cos = p.expand(cos, x.shape);
  sin = sin.expanded(x.shape);
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnRotaryPositionEmbeddingGetWorkspaceSize(const aclTensor* x, const aclTensor* cos,
                                                         const aclTensor* sin, int64_t mode,
                                                         aclTensor* out, uint64_t* workspaceSize,
                                                         aclOpExecutor** executor) {
  return first_phase("aclnnRotaryPositionEmbedding", workspaceSize, executor, [&](Planner& p) {
    auto [from, c, s, to] = p.take(In{x, "x", kFloats}, In{cos, "cos", kFloats},
                                   In{sin, "sin", kFloats}, Out{out, "out", kFloats});
    require(mode >= kHalf && mode <= kInterleaveHalf, "mode is {}; expected 0 to 3", mode);
    p.require_type(to, from.type);
    require_rotary(p, from, c, s, mode == kQuarter ? 4 : 2);
    p.require_shape(to, from.shape);
    plan_works(p, {rotary_work(from, c, s, to, rotate_row(mode))});
  });
}
ACLNN_SECOND_PHASE(aclnnRotaryPositionEmbedding)

aclnnStatus aclnnApplyRotaryPosEmbGetWorkspaceSize(aclTensor* queryRef, aclTensor* keyRef,
                                                   const aclTensor* cos, const aclTensor* sin,
                                                   int64_t layout, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
  return first_phase("aclnnApplyRotaryPosEmb", workspaceSize, executor, [&](Planner& p) {
    const auto [query, key, c, s] =
        p.take(Ref{queryRef, "queryRef", kFloats}, Ref{keyRef, "keyRef", kFloats},
               In{cos, "cos", kFloats}, In{sin, "sin", kFloats});
    require(layout == 1, "layout is {}; expected 1 (BSND)", layout);
    p.require_type(key, query.type);
    std::vector<Work> works;
    for (const View& x : {query, key}) {
      View cosines = c, sines = s;
      require_rotary(p, x, cosines, sines, 2);
      works.push_back(rotary_work(x, cosines, sines, x, rotate_halves));
    }
    plan_works(p, std::move(works));
  });
}
ACLNN_SECOND_PHASE(aclnnApplyRotaryPosEmb)
