// SPDX-License-Identifier: Apache-2.0
#include "aclnnop/aclnn_one_hot.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/loops/copy.h"

namespace aclnn {
namespace {

constexpr TypeSet kHotClasses = kIndexes | TypeSet{ACL_UINT8};
constexpr TypeSet kHotValues{ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_UINT8, ACL_INT32, ACL_INT64};

void require_one_value(const Planner& p, const View& value, const View& out) {
  require(value.count() == 1, "{} has the shape {}; expected one element", p.name(value),
          value.shape.text());
  p.require_type(value, out.type);
}

/// All of the axis is off except the class in self; a number that is not a class leaves all off.
void plan_one_hot(Planner& p, const View& self, const View& on, const View& off, int axis,
                  const View& y) {
  const std::int64_t classes = y.size(axis);
  if (y.count() == 0) return;
  const Transfer fill({{classes, 0, y.stride(axis)}}, y.type, y.type);
  p.job_over(self.count(), std::max<std::int64_t>((1 << 15) / classes, 1),
             [=, rows = y.without(axis)](Execution& run, std::int64_t begin, std::int64_t end) {
               Reader<std::int64_t> chosen(run.at(self));
               Walk targets(run.at(rows));
               chosen.seek(begin);
               targets.seek(begin);
               const std::byte* const is_on = run.at(on).at;
               const std::byte* const is_off = run.at(off).at;
               for (std::int64_t i = begin; i < end; ++i) {
                 std::int64_t buffer;
                 const std::int64_t hot = *chosen.next(1, &buffer);
                 std::byte* const to = targets.next(1).at;
                 const std::int64_t place = hot < 0 || hot >= classes ? classes : hot;
                 fill.run(is_off, to, 0, place);
                 fill.run(is_on, to, place, std::min(place + 1, classes));
                 fill.run(is_off, to, std::min(place + 1, classes), classes);
               }
             });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnOneHotGetWorkspaceSize(const aclTensor* self, int numClasses,
                                        const aclTensor* onValue, const aclTensor* offValue,
                                        int64_t axis, aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return first_phase("aclnnOneHot", workspaceSize, executor, [&](Planner& p) {
    const auto [x, on, off, y] =
        p.take(In{self, "self", kHotClasses}, In{onValue, "onValue", kHotValues},
               In{offValue, "offValue", kHotValues}, Out{out, "out", kHotValues});
    p.require_rank(x, 0, kMaxRank - 1);
    require(numClasses >= 0, "numClasses is {}; expected 0 or more", numClasses);
    require_one_value(p, on, y);
    require_one_value(p, off, y);
    const int at = p.dim(axis, x.rank() + 1, "axis");
    Shape shape = x.with_unit(at).shape;
    shape[at] = numClasses;
    p.require_shape(y, shape);
    plan_one_hot(p, x, on, off, at, y);
  });
}
ACLNN_SECOND_PHASE(aclnnOneHot)
