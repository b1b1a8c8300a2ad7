// SPDX-License-Identifier: Apache-2.0
#include "aclnnop/aclnn_upsample_nearest_2d.h"
#include "runtime/aclnn/loops/copy.h"
#include "runtime/aclnn/loops/copy_rows.h"

namespace aclnn {
namespace {

constexpr TypeSet kPictures = kAllFloats | TypeSet{ACL_UINT8};
constexpr std::int64_t kLeastPixels = std::int64_t{1} << 15;

/// Every row of the output is one of the input, its elements taken from places that are the same in
/// all.
void plan_nearest(Planner& p, const View& x, const View& y) {
  if (y.count() == 0) return;
  const std::int64_t height = x.size(2), rows = y.size(2), columns = y.size(3);
  require(height > 0 && x.size(3) > 0, "self has the shape {}; expected no empty pictures",
          x.shape.text());
  std::vector<std::int64_t> places;
  const auto bytes = static_cast<std::int64_t>(size_of(x.type));
  for (std::int64_t i = 0; i < columns; ++i) {
    places.push_back(i * x.size(3) / columns * x.stride(3) * bytes);
  }
  const std::int64_t channels = x.size(1), picture = x.stride(0) * bytes,
                     channel = x.stride(1) * bytes;
  const std::int64_t line = x.stride(2) * bytes, step = y.stride(3) * bytes;
  p.job_over(y.count() / columns, std::max<std::int64_t>(kLeastPixels / columns, 1),
             [=, to = y.without(3), places = std::move(places)](Execution& run, std::int64_t begin,
                                                                std::int64_t end) {
               Walk targets(run.at(to));
               targets.seek(begin);
               const std::byte* const base = run.at(x).at;
               const RowsOfSize& of_size = rows_of_size(bytes);
               for (std::int64_t i = begin; i < end; ++i) {
                 const std::int64_t row = i % rows, pictures = i / rows;
                 const std::byte* const from = base + pictures / channels * picture +
                                               pictures % channels * channel +
                                               row * height / rows * line;
                 of_size.gather(from, places.data(), targets.next(1).at, step, columns);
               }
             });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnUpsampleNearest2dGetWorkspaceSize(const aclTensor* self,
                                                   const aclIntArray* outputSize, aclTensor* out,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
  return first_phase("aclnnUpsampleNearest2d", workspaceSize, executor, [&](Planner& p) {
    const auto [x, size, y] = p.take(In{self, "self", kPictures}, Ints{outputSize, "outputSize"},
                                     Out{out, "out", kPictures});
    p.require_rank(x, 4, 4);
    p.require_type(y, x.type);
    require(size.size() == 2, "outputSize has {} entries; expected 2", size.size());
    p.require_shape(y, {x.size(0), x.size(1), size[0], size[1]});
    plan_nearest(p, x, y);
  });
}
ACLNN_SECOND_PHASE(aclnnUpsampleNearest2d)
