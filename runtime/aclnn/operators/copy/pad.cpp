// SPDX-License-Identifier: Apache-2.0
// Borders around a tensor, and the columns of a convolution, which are copies between borders.
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_im2col.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "runtime/aclnn/loops/copy.h"

namespace aclnn {
namespace {

constexpr TypeSet kPadded = kEvery.without({ACL_COMPLEX32});
constexpr TypeSet kColumns = kEvery.without({ACL_COMPLEX128});

/// The position of a part in each dim of a tensor.
struct Inside {
  std::array<std::int64_t, kMaxRank> begin{}, count{};
};

/// The padding as parts that do not overlap: for each dim the part before and the part after.
void fill_around(Copies& copies, View to, const Inside& inside, const Element& value) {
  for (int d = 0; d < to.rank(); ++d) {
    const std::int64_t begin = inside.begin[static_cast<std::size_t>(d)];
    const std::int64_t count = inside.count[static_cast<std::size_t>(d)];
    copies.fill(value, to.sliced(d, 0, begin));
    copies.fill(value, to.sliced(d, begin + count, to.size(d) - begin - count));
    to = to.sliced(d, begin, count);
  }
}

void plan_pad(Planner& p, View x, const std::vector<std::int64_t>& pad, const aclScalar& value,
              const View& y) {
  require(pad.size() % 2 == 0 && pad.size() <= 2 * static_cast<std::size_t>(x.rank()),
          "pad has {} entries; expected an even number, at most {}", pad.size(), 2 * x.rank());
  p.require_type(y, x.type);
  Inside inside;
  Shape shape = x.shape;
  for (int d = 0; d < x.rank(); ++d) {
    const auto pair = 2 * static_cast<std::size_t>(x.rank() - 1 - d);
    const std::int64_t before = pair < pad.size() ? pad[pair] : 0;
    const std::int64_t behind = pair < pad.size() ? pad[pair + 1] : 0;
    const std::int64_t cut = std::max<std::int64_t>(-before, 0);
    const std::int64_t rest = x.size(d) - cut - std::max<std::int64_t>(-behind, 0);
    require(rest >= 0, "pad crops {} and {} of dim {}, whose size is {}", before, behind, d,
            x.size(d));
    shape[d] = x.size(d) + before + behind;
    inside.begin[static_cast<std::size_t>(d)] = std::max<std::int64_t>(before, 0);
    inside.count[static_cast<std::size_t>(d)] = rest;
    x = x.sliced(d, cut, rest);
  }
  p.require_shape(y, shape);
  Copies copies;
  View middle = y;
  for (int d = 0; d < y.rank(); ++d) {
    middle = middle.sliced(d, inside.begin[static_cast<std::size_t>(d)], x.size(d));
  }
  copies.add(x, middle);
  fill_around(copies, y, inside, element_of(value, y.type));
  copies.plan(p);
}

void plan_reflection(Planner& p, const View& x, const std::vector<std::int64_t>& padding,
                     const View& y) {
  p.require_rank(x, 2, 3);
  p.require_type(y, x.type);
  require(padding.size() == 2, "padding has {} entries; expected 2", padding.size());
  const int last = x.rank() - 1;
  const std::int64_t size = x.size(last), left = padding[0], right = padding[1];
  for (const std::int64_t pad : padding) {
    require(pad >= 0 && pad < size, "padding is {}, {}; expected 0 to {}, less than the last dim",
            left, right, size - 1);
  }
  Shape shape = x.shape;
  shape[last] = left + size + right;
  p.require_shape(y, shape);
  Copies copies;
  copies.add(x.sliced(last, left, left, -1), y.sliced(last, 0, left));
  copies.add(x, y.sliced(last, left, size));
  copies.add(x.sliced(last, size - 2, right, -1), y.sliced(last, left + size, right));
  copies.plan(p);
}

/// One spatial dim of a convolution.
struct Window {
  std::int64_t size, kernel, dilation, padding, stride;
  std::int64_t places() const {
    const std::int64_t reach = dilation * (kernel - 1) + 1, room = size + 2 * padding - reach;
    return room < 0 ? 0 : room / stride + 1;
  }
  /// The first place at which this element of the kernel is inside, and their number.
  std::pair<std::int64_t, std::int64_t> inside(std::int64_t element) const {
    const std::int64_t shift = element * dilation - padding, count = places();
    const auto up = [this](std::int64_t n) { return n <= 0 ? 0 : (n + stride - 1) / stride; };
    const std::int64_t begin = std::min(up(-shift), count), end = std::min(up(size - shift), count);
    return {begin, std::max<std::int64_t>(end - begin, 0)};
  }
};

Window window(const std::vector<std::int64_t>& kernel, const std::vector<std::int64_t>& dilation,
              const std::vector<std::int64_t>& padding, const std::vector<std::int64_t>& stride,
              std::size_t i, std::int64_t size) {
  const auto least = [i](const std::vector<std::int64_t>& values, std::int64_t low,
                         const char* name) {
    require(values.size() == 2, "{} has {} entries; expected 2", name, values.size());
    require(values[i] >= low && values[i] <= INT32_MAX, "{}[{}] is {}; expected {} or more", name,
            i, values[i], low);
    return values[i];
  };
  return {size, least(kernel, 1, "kernelSize"), least(dilation, 1, "dilation"),
          least(padding, 0, "padding"), least(stride, 1, "stride")};
}

/// The output with its channels and places taken apart: [N, C, kh, kw, rows, columns].
View apart(const View& y, std::int64_t channels, const Window& h, const Window& w) {
  View view = y;
  view.shape = {y.size(0), channels, h.kernel, w.kernel, h.places(), w.places()};
  const std::int64_t channel = y.stride(1), place = y.stride(2);
  view.strides = {y.stride(0),        channel * h.kernel * w.kernel,
                  channel * w.kernel, channel,
                  place * w.places(), place};
  return view;
}

void plan_columns(Planner& p, View x, const Window& h, const Window& w, View y) {
  if (x.rank() == 3) {
    x = x.with_unit(0);
    p.require_shape(y, {x.size(1) * h.kernel * w.kernel, h.places() * w.places()});
    y = y.with_unit(0);
  } else {
    p.require_shape(y, {x.size(0), x.size(1) * h.kernel * w.kernel, h.places() * w.places()});
  }
  const View all = apart(y, x.size(1), h, w);
  Copies copies;
  for (std::int64_t i = 0; i < h.kernel; ++i) {
    const auto [top, rows] = h.inside(i);
    const View from = x.sliced(2, top * h.stride + i * h.dilation - h.padding, rows, h.stride);
    for (std::int64_t j = 0; j < w.kernel; ++j) {
      const auto [left, columns] = w.inside(j);
      const View to = all.selected(2, i).selected(2, j);  // [N, C, rows, columns]
      const Inside inside{{0, 0, top, left}, {x.size(0), x.size(1), rows, columns}};
      copies.add(from.sliced(3, left * w.stride + j * w.dilation - w.padding, columns, w.stride),
                 to.sliced(2, top, rows).sliced(3, left, columns));
      fill_around(copies, to, inside, Element{});
    }
  }
  copies.plan(p);
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnConstantPadNdGetWorkspaceSize(const aclTensor* self, const aclIntArray* pad,
                                               const aclScalar* value, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnConstantPadNd", workspaceSize, executor, [&](Planner& p) {
    const auto [x, pads, filled, y] = p.take(In{self, "self", kPadded}, Ints{pad, "pad"},
                                             Value{value, "value"}, Out{out, "out", kPadded});
    plan_pad(p, x, pads, filled, y);
  });
}
ACLNN_SECOND_PHASE(aclnnConstantPadNd)

aclnnStatus aclnnReflectionPad1dGetWorkspaceSize(const aclTensor* self, const aclIntArray* padding,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return first_phase("aclnnReflectionPad1d", workspaceSize, executor, [&](Planner& p) {
    const auto [x, pads, y] =
        p.take(In{self, "self", kPadded}, Ints{padding, "padding"}, Out{out, "out", kPadded});
    plan_reflection(p, x, pads, y);
  });
}
ACLNN_SECOND_PHASE(aclnnReflectionPad1d)

aclnnStatus aclnnIm2colGetWorkspaceSize(const aclTensor* self, const aclIntArray* kernelSize,
                                        const aclIntArray* dilation, const aclIntArray* padding,
                                        const aclIntArray* stride, const aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnIm2col", workspaceSize, executor, [&](Planner& p) {
    const auto [x, kernel, dilations, pads, strides, y] = p.take(
        In{self, "self", kColumns}, Ints{kernelSize, "kernelSize"}, Ints{dilation, "dilation"},
        Ints{padding, "padding"}, Ints{stride, "stride"}, Out{out, "out", kColumns});
    p.require_rank(x, 3, 4);
    p.require_castable(x.type, y);
    const auto side = [&](int i) {
      return window(kernel, dilations, pads, strides, static_cast<std::size_t>(i),
                    x.size(x.rank() - 2 + i));
    };
    plan_columns(p, x, side(0), side(1), y);
  });
}
ACLNN_SECOND_PHASE(aclnnIm2col)
