// SPDX-License-Identifier: Apache-2.0
// Numbers at equal distances.
#include <cmath>

#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_linspace.h"
#include "aclnnop/aclnn_range.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {
namespace {

constexpr TypeSet kCounted = kAllFloats | kIndexes;
constexpr TypeSet kSpaced = kAllFloats | TypeSet{ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32};

bool is_whole(const aclScalar& value) { return is_integer(value.type) || value.type == ACL_BOOL; }

/// y[i] = at(i), in the order of the elements.
template <class T, class F>
void plan_sequence(Planner& p, const View& y, F at) {
  p.job_over(y.count(), kLeastElements, [=](Execution& run, std::int64_t begin, std::int64_t end) {
    Writer<T> writer(run.at(y));
    writer.seek(begin);
    T buffer[kChunk];
    while (begin < end) {
      const std::int64_t count = std::min(kChunk, end - begin);
      T* const to = writer.place(count, buffer);
      for (std::int64_t i = 0; i < count; ++i) to[i] = at(begin + i);
      writer.put(count, to);
      begin += count;
    }
  });
}

/// The output's size determines the number of elements.
aclnnStatus counted(const char* function, const aclScalar* start, const aclScalar* end,
                    const aclScalar* step, const aclTensor* out, std::uint64_t* workspace,
                    aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [first, last, by, y] =
        p.take(Value{start, "start", kReals}, Value{end, "end", kReals},
               Value{step, "step", kReals}, Out{out, "out", kCounted});
    const double distance = by.real();
    require(distance != 0 && std::isfinite(distance), "step is {}; expected a number that is not 0",
            distance);
    require((last.real() - first.real()) / distance >= 0,
            "step is {}, which does not lead from {} to {}", distance, first.real(), last.real());
    if (is_whole(first) && is_whole(by)) {
      plan_sequence<std::int64_t>(p, y, [from = first.integer, each = by.integer](std::int64_t i) {
        return from + i * each;
      });
    } else {
      plan_sequence<double>(p, y, [from = first.real(), distance](std::int64_t i) {
        return from + static_cast<double>(i) * distance;
      });
    }
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnArangeGetWorkspaceSize(const aclScalar* start, const aclScalar* end,
                                        const aclScalar* step, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return counted("aclnnArange", start, end, step, out, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnArange)

aclnnStatus aclnnRangeGetWorkspaceSize(const aclScalar* start, const aclScalar* end,
                                       const aclScalar* step, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return counted("aclnnRange", start, end, step, out, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnRange)

aclnnStatus aclnnLinspaceGetWorkspaceSize(const aclScalar* start, const aclScalar* end,
                                          int64_t steps, aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return first_phase("aclnnLinspace", workspaceSize, executor, [&](Planner& p) {
    const auto [first, last, y] =
        p.take(Value{start, "start", kReals}, Value{end, "end", kReals}, Out{out, "out", kSpaced});
    require(steps >= 0, "steps is {}; expected 0 or more", steps);
    p.require_shape(y, {steps});
    const double low = first.real(), high = last.real();
    const double each = steps > 1 ? (high - low) / static_cast<double>(steps - 1) : 0;
    // From both ends, so that both are met exactly.
    plan_sequence<double>(p, y, [=](std::int64_t i) {
      return i < (steps + 1) / 2 ? low + static_cast<double>(i) * each
                                 : high - static_cast<double>(steps - 1 - i) * each;
    });
  });
}
ACLNN_SECOND_PHASE(aclnnLinspace)
