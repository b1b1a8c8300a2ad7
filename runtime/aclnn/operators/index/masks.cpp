// SPDX-License-Identifier: Apache-2.0
// Elements that are selected by true or nonzero values.
#include "aclnnop/aclnn_masked_fill_scalar.h"
#include "aclnnop/aclnn_masked_fill_tensor.h"
#include "aclnnop/aclnn_masked_select.h"
#include "aclnnop/aclnn_nonzero_v2.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/loops/copy_rows.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/operators/index/places.h"
#include "runtime/aclnn/operators/lanes.h"

namespace aclnn {
namespace {

constexpr TypeSet kMaskBytes = kBool | TypeSet{ACL_UINT8};
constexpr TypeSet kMaskFilled = kFloats | kBool | TypeSet{ACL_INT8, ACL_INT32, ACL_INT64};
constexpr TypeSet kNonzero = kReals | kWideUnsigned;

/// Offsets, from the address of a tensor, of its elements that a mask of the same shape chooses.
class MaskedElements {
 public:
  MaskedElements(const Execution& run, const View& mask, const Data& tensor)
      : reader_(run.at(mask)), walk_(tensor), base_(tensor.at) {}
  void seek(std::int64_t element) {
    reader_.seek(element);
    walk_.seek(element);
  }
  /// Processes the next `count` elements, kChunk at most. Returns the number of selected elements.
  std::int64_t next(std::int64_t count, std::int64_t* offsets) {
    std::int64_t buffer[kChunk], found = 0;
    const std::int64_t* const mask = reader_.next(count, buffer);
    for (std::int64_t done = 0; done < count;) {
      const Walk::Segment piece = walk_.next(count - done);
      const std::int64_t first = piece.at - base_;
      for (std::int64_t i = 0; i < piece.count; ++i, ++done) {
        offsets[found] = first + i * piece.step;
        found += mask[done] != 0 ? 1 : 0;
      }
    }
    return found;
  }

 private:
  Reader<std::int64_t> reader_;
  Walk walk_;
  std::byte* const base_;
};

/// The value is one of the host's, or a tensor of one element.
void plan_masked_fill(Planner& p, const View& self, const View& mask, const View& value,
                      const Element& constant) {
  const View chosen = p.expand(mask, self.shape);
  p.job_over(self.count(), kLeastElements,
             [=](Execution& run, std::int64_t begin, std::int64_t end) {
               Element filled = constant;
               if (value)
                 Transfer({}, value.type, self.type).run(run.at(value).at, filled.bytes.data());
               const Data target = run.at(self);
               MaskedElements elements(run, chosen, target);
               elements.seek(begin);
               const RowsOfSize& rows = rows_of_size(static_cast<std::int64_t>(size_of(self.type)));
               std::int64_t offsets[kChunk];
               for (std::int64_t at = begin; at < end; at += kChunk) {
                 const std::int64_t found = elements.next(std::min(kChunk, end - at), offsets);
                 rows.scatter(filled.bytes.data(), 0, target.at, offsets, found);
               }
             });
}

/// The result is contiguous and has room for `room` elements.
void require_side_by_side(const Planner& p, const View& out) {
  require(out.contiguous(),
          "{} has strides with gaps; expected a contiguous tensor, as its size becomes "
          "known when the operator runs",
          p.name(out));
}

void plan_masked_select(Planner& p, const View& self, const View& mask, const View& out) {
  p.require_type(out, self.type);
  p.require_rank(out, 1, 1);
  require_side_by_side(p, out);
  const Shape shape = p.broadcast(self, mask);
  const View from = self.expanded(shape), chosen = mask.expanded(shape);
  const std::int64_t room = out.size(0), all = shape.count();
  p.job(1, [=](Execution& run, std::int64_t) {
    const Data source = run.at(from), target = run.at(out);
    MaskedElements elements(run, chosen, source);
    const auto size = static_cast<std::int64_t>(size_of(from.type));
    const RowsOfSize& rows = rows_of_size(size);
    std::int64_t offsets[kChunk], total = 0;
    for (std::int64_t at = 0; at < all; at += kChunk) {
      const std::int64_t found = elements.next(std::min(kChunk, all - at), offsets);
      if (total + found > room) {
        return run.fail(fmt::format("out has room for {} elements; mask chooses more", room));
      }
      rows.gather(source.at, offsets, target.at + total * size, size, found);
      total += found;
    }
    run.set_shape(out, {total});
  });
}

/// The numbers of the elements that are not 0.
template <class T>
std::vector<std::int64_t> nonzero_elements(const Data& data) {
  std::vector<std::int64_t> found;
  Reader<T> reader(data);
  T buffer[kChunk];
  for (std::int64_t at = 0, all = data.count(); at < all; at += kChunk) {
    const std::int64_t count = std::min(kChunk, all - at);
    const T* const values = reader.next(count, buffer);
    for (std::int64_t i = 0; i < count; ++i) {
      if (values[i] != T(0)) found.push_back(at + i);
    }
  }
  return found;
}

void plan_nonzero(Planner& p, const View& self, const View& out) {
  p.require_rank(out, 2, 2);
  require(out.size(0) == self.rank(),
          "out has the shape {}; expected {} rows, one for each dim of self", out.shape.text(),
          self.rank());
  require_side_by_side(p, out);
  const std::int64_t room = out.size(1);
  p.job(1, [=](Execution& run, std::int64_t) {
    std::vector<std::int64_t> found;
    in_lane<RealLanes>(self.lane(),
                       [&](auto zero) { found = nonzero_elements<decltype(zero)>(run.at(self)); });
    const auto total = static_cast<std::int64_t>(found.size());
    if (total > room) {
      return run.fail(fmt::format("out has room for {} elements; {} are not 0", room, total));
    }
    const Shape shape{self.rank(), total};
    std::byte* const base = run.at(out).at;
    std::vector<std::int64_t> indices(found.size());
    const auto bytes = static_cast<std::int64_t>(sizeof(std::int64_t));
    for (int d = self.rank() - 1; d >= 0 && total != 0; --d) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        indices[i] = found[i] % self.size(d);
        found[i] /= self.size(d);
      }
      store_row<std::int64_t>(ACL_INT64)(indices.data(), base + d * total * bytes, bytes, total);
    }
    run.set_shape(out, shape);
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnInplaceMaskedFillScalarGetWorkspaceSize(aclTensor* selfRef, const aclTensor* mask,
                                                         const aclScalar* value,
                                                         uint64_t* workspaceSize,
                                                         aclOpExecutor** executor) {
  return first_phase("aclnnInplaceMaskedFillScalar", workspaceSize, executor, [&](Planner& p) {
    const auto [x, chosen, scalar] =
        p.take(Ref{selfRef, "selfRef", kMaskFilled}, In{mask, "mask", kMaskBytes},
               Value{value, "value", kReals});
    plan_masked_fill(p, x, chosen, View{}, element_of(scalar, x.type));
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceMaskedFillScalar)

aclnnStatus aclnnInplaceMaskedFillTensorGetWorkspaceSize(aclTensor* selfRef, const aclTensor* mask,
                                                         const aclTensor* value,
                                                         uint64_t* workspaceSize,
                                                         aclOpExecutor** executor) {
  return first_phase("aclnnInplaceMaskedFillTensor", workspaceSize, executor, [&](Planner& p) {
    const auto [x, chosen, one] =
        p.take(Ref{selfRef, "selfRef", kMaskFilled}, In{mask, "mask", kMaskBytes},
               In{value, "value", kMaskFilled});
    require(one.count() == 1 && one.rank() <= 1, "value has the shape {}; expected one element",
            one.shape.text());
    plan_masked_fill(p, x, chosen, one, {});
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceMaskedFillTensor)

aclnnStatus aclnnMaskedSelectGetWorkspaceSize(const aclTensor* self, const aclTensor* mask,
                                              aclTensor* out, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return first_phase("aclnnMaskedSelect", workspaceSize, executor, [&](Planner& p) {
    const auto [x, chosen, y] =
        p.take(In{self, "self", kReals}, In{mask, "mask", kMaskBytes}, Out{out, "out", kReals});
    plan_masked_select(p, x, chosen, y);
  });
}
ACLNN_SECOND_PHASE(aclnnMaskedSelect)

aclnnStatus aclnnNonzeroV2GetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnNonzeroV2", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kNonzero}, Out{out, "out", TypeSet{ACL_INT64}});
    plan_nonzero(p, x, y);
  });
}
ACLNN_SECOND_PHASE(aclnnNonzeroV2)
