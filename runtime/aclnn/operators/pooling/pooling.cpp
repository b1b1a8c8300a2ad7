// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "aclnnop/aclnn_adaptive_avg_pool2d.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_max_pool.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "runtime/aclnn/loops/rows.h"
#include "runtime/aclnn/operators/lanes.h"
#include "runtime/aclnn/operators/pooling/windows.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {
namespace {

using PoolLanes = Lanes<ComputeType::f32, ComputeType::i64>;
constexpr TypeSet kMaxPoolTypes = kFloats | kIntegers | TypeSet{ACL_UINT16, ACL_UINT32};
constexpr std::int64_t kLeastPooled = 1 << 13;  // outputs worth a piece
using Numbers = std::vector<std::int64_t>;

/// Two numbers of an argument; a single number is used for both, an empty list means the default.
std::pair<std::int64_t, std::int64_t> pair_of(const Numbers& numbers, const char* name,
                                              std::pair<std::int64_t, std::int64_t> fallback,
                                              std::int64_t least) {
  require(numbers.size() <= 2, "{} has {} numbers; expected 1 or 2", name, numbers.size());
  if (numbers.empty()) return fallback;
  for (const std::int64_t number : numbers) {
    require(number >= least, "{} holds {}; expected {} or more", name, number, least);
  }
  return {numbers.front(), numbers.back()};
}

/// The windows of an image, rows and columns.
struct Windows {
  std::vector<Window> rows, columns;
};

Windows sliding(const View& x, std::pair<std::int64_t, std::int64_t> kernel,
                std::pair<std::int64_t, std::int64_t> stride,
                const std::array<std::int64_t, 4>& pads,
                std::pair<std::int64_t, std::int64_t> dilation, bool ceil) {
  return {sliding_windows(x.size(x.rank() - 2),
                          {kernel.first, stride.first, pads[0], pads[2], dilation.first, ceil}),
          sliding_windows(x.size(x.rank() - 1),
                          {kernel.second, stride.second, pads[1], pads[3], dilation.second, ceil})};
}

std::array<std::int64_t, 4> symmetric(std::pair<std::int64_t, std::int64_t> pads) {
  return {pads.first, pads.second, pads.first, pads.second};
}

void require_padding(std::pair<std::int64_t, std::int64_t> pads,
                     std::pair<std::int64_t, std::int64_t> kernel, const char* name) {
  require(pads.first * 2 <= kernel.first && pads.second * 2 <= kernel.second,
          "{} is {} and {}; expected at most half of the kernel, which is {} and {}", name,
          pads.first, pads.second, kernel.first, kernel.second);
}

void require_images(Planner& p, const View& x, const View& y, const Windows& windows) {
  p.require_rank(x, 3, 4);
  Shape shape = x.shape;
  shape[x.rank() - 2] = static_cast<std::int64_t>(windows.rows.size());
  shape[x.rank() - 1] = static_cast<std::int64_t>(windows.columns.size());
  p.require_shape(y, shape);
}

Dims image_dims(int rank) {
  Dims mask{};
  mask[static_cast<std::size_t>(rank - 2)] = mask[static_cast<std::size_t>(rank - 1)] = true;
  return mask;
}

/// f(image, result, number of the image) for each image; its rows and columns are contiguous.
template <class T, class F>
void plan_images(Planner& p, const View& x, const View& y, F f) {
  if (y.count() == 0) return;
  const Dims mask = image_dims(x.rank());
  const Split from = split(x, mask), to = split(y, mask);
  p.job_over(from.rows.count(), std::max<std::int64_t>(1, kLeastPooled / to.along.count()),
             [=](Execution& run, std::int64_t begin, std::int64_t end) {
               const RowReader<T> reader(from.along);
               const RowWriter<T> writer(to.along);
               std::vector<T> image(static_cast<std::size_t>(from.along.count()));
               std::vector<T> result(static_cast<std::size_t>(to.along.count()));
               Walk targets(run.at(to.rows));
               targets.seek(begin);
               each_row(run.at(from.rows), begin, end, [&](std::byte* at, std::int64_t number) {
                 std::byte* const target = targets.next(1).at;
                 T* const place = writer.place(target, result.data());
                 f(run, reader.all(at, image.data()), place, number);
                 writer.put(target, place);
               });
             });
}

/// The mean over windows; `divisor` 0: how many elements a window has, with padding where it
/// counts.
void plan_means(Planner& p, const View& x, const View& y, const Windows& windows, bool with_padding,
                std::int64_t divisor) {
  const std::int64_t width = x.size(x.rank() - 1);
  plan_images<float>(p, x, y, [=](Execution&, const float* image, float* to, std::int64_t) {
    for (const Window& row : windows.rows) {
      for (const Window& column : windows.columns) {
        double sum = 0;
        for (std::int64_t i = row.begin; i < row.end; ++i) {
          for (std::int64_t j = column.begin; j < column.end; ++j) {
            sum += static_cast<double>(image[i * width + j]);
          }
        }
        const std::int64_t inside = std::max<std::int64_t>(row.end - row.begin, 0) *
                                    std::max<std::int64_t>(column.end - column.begin, 0);
        const std::int64_t count = divisor        ? divisor
                                   : with_padding ? row.extent * column.extent
                                                  : inside;
        *to++ = count == 0 ? 0.0F : static_cast<float>(sum / static_cast<double>(count));
      }
    }
  });
}

/// The position of the greatest element of a window, -1 if the window is empty. NaN is the
/// greatest.
template <class T>
std::int64_t greatest_in(const T* image, std::int64_t width, const Window& row,
                         const Window& column) {
  std::int64_t best = -1;
  for (std::int64_t i = row.begin; i < row.end; i += row.step) {
    for (std::int64_t j = column.begin; j < column.end; j += column.step) {
      const T x = image[i * width + j];
      const T greatest = best < 0 ? x : image[best];
      if (best < 0 || x > greatest || (x != x && greatest == greatest)) best = i * width + j;
    }
  }
  return best;
}

template <class T>
constexpr T kNothing = std::is_integral_v<T> ? std::numeric_limits<T>::lowest()
                                             : -std::numeric_limits<T>::infinity();

template <class T>
void plan_greatest_of_windows(Planner& p, const View& x, const View& y, const Windows& windows) {
  const std::int64_t width = x.size(x.rank() - 1);
  plan_images<T>(p, x, y, [=](Execution&, const T* image, T* to, std::int64_t) {
    for (const Window& row : windows.rows) {
      for (const Window& column : windows.columns) {
        const std::int64_t best = greatest_in(image, width, row, column);
        *to++ = best < 0 ? kNothing<T> : image[best];
      }
    }
  });
}

/// The mask: for each place in the kernel the bits of the outputs that come from there.
struct PoolMask {
  View view;  // [..., places in the kernel, bytes]
  std::pair<std::int64_t, std::int64_t> kernel, dilation, pads, stride;
};

void write_mask(Execution& run, const PoolMask& mask, const std::vector<std::int64_t>& places,
                std::int64_t number) {
  const int rank = mask.view.rank();
  const std::int64_t bytes = mask.view.size(rank - 1), kernel = mask.view.size(rank - 2);
  std::vector<std::int64_t> bits(static_cast<std::size_t>(kernel * bytes));
  for (std::size_t output = 0; output < places.size(); ++output) {
    const std::int64_t at = places[output] * bytes + static_cast<std::int64_t>(output / 8);
    bits[static_cast<std::size_t>(at)] |= std::int64_t{1} << (output % 8);
  }
  Writer<std::int64_t> writer(run.at(mask.view));
  writer.seek(number * kernel * bytes);
  writer.write(kernel * bytes, bits.data());
}

void plan_greatest_with_mask(Planner& p, const View& x, const View& y, const Windows& windows,
                             const PoolMask& mask) {
  const std::int64_t width = x.size(x.rank() - 1);
  plan_images<float>(
      p, x, y, [=](Execution& run, const float* image, float* to, std::int64_t number) {
        std::vector<std::int64_t> places;
        for (std::size_t i = 0; i < windows.rows.size(); ++i) {
          for (std::size_t j = 0; j < windows.columns.size(); ++j) {
            const std::int64_t best =
                greatest_in(image, width, windows.rows[i], windows.columns[j]);
            *to++ = best < 0 ? kNothing<float> : image[best];
            const std::int64_t at = std::max<std::int64_t>(best, 0);
            const auto top = static_cast<std::int64_t>(i) * mask.stride.first - mask.pads.first;
            const auto left = static_cast<std::int64_t>(j) * mask.stride.second - mask.pads.second;
            const std::int64_t down = best < 0 ? 0 : (at / width - top) / mask.dilation.first;
            const std::int64_t right = best < 0 ? 0 : (at % width - left) / mask.dilation.second;
            places.push_back(down * mask.kernel.second + right);
          }
        }
        write_mask(run, mask, places, number);
      });
}

void require_mask(Planner& p, const View& mask, const View& y, std::int64_t kernel) {
  bool fits = mask.rank() == y.rank() && mask.size(mask.rank() - 2) == kernel &&
              mask.size(mask.rank() - 1) * 8 >= y.size(y.rank() - 2) * y.size(y.rank() - 1);
  for (int d = 0; fits && d + 2 < y.rank(); ++d) fits = mask.size(d) == y.size(d);
  require(fits,
          "{} has the shape {}; expected the dims of out before its last two, {} (places in the "
          "kernel), and a bit for each output of an image",
          p.name(mask), mask.shape.text(), kernel);
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnAvgPool2dGetWorkspaceSize(const aclTensor* self, const aclIntArray* kernelSize,
                                           const aclIntArray* strides, const aclIntArray* paddings,
                                           const bool ceilMode, const bool countIncludePad,
                                           const int64_t divisorOverride,
                                           const int8_t /*cubeMathType*/, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnAvgPool2d", workspaceSize, executor, [&](Planner& p) {
    const auto [x, kernels, steps, pads, y] =
        p.take(In{self, "self", kFloats}, Ints{kernelSize, "kernelSize"}, Ints{strides, "strides"},
               Ints{paddings, "paddings"}, Out{out, "out", kFloats});
    p.require_rank(x, 3, 4);
    require(!kernels.empty(), "kernelSize is empty; expected 1 or 2 numbers");
    const auto kernel = pair_of(kernels, "kernelSize", {1, 1}, 1);
    const auto padding = pair_of(pads, "paddings", {0, 0}, 0);
    require_padding(padding, kernel, "paddings");
    const Windows windows = sliding(x, kernel, pair_of(steps, "strides", kernel, 1),
                                    symmetric(padding), {1, 1}, ceilMode);
    require_images(p, x, y, windows);
    plan_means(p, x, y, windows, countIncludePad, divisorOverride);
  });
}
ACLNN_SECOND_PHASE(aclnnAvgPool2d)

aclnnStatus aclnnAdaptiveAvgPool2dGetWorkspaceSize(const aclTensor* self,
                                                   const aclIntArray* outputSize, aclTensor* out,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
  return first_phase("aclnnAdaptiveAvgPool2d", workspaceSize, executor, [&](Planner& p) {
    const auto [x, sizes, y] =
        p.take(In{self, "self", kFloats}, Ints{outputSize, "outputSize"}, Out{out, "out", kFloats});
    p.require_rank(x, 3, 4);
    require(sizes.size() == 2 && sizes[0] >= 0 && sizes[1] >= 0,
            "outputSize has {} numbers; expected 2, none of them negative", sizes.size());
    const Windows windows{adaptive_windows(x.size(x.rank() - 2), sizes[0]),
                          adaptive_windows(x.size(x.rank() - 1), sizes[1])};
    require_images(p, x, y, windows);
    plan_means(p, x, y, windows, false, 0);
  });
}
ACLNN_SECOND_PHASE(aclnnAdaptiveAvgPool2d)

aclnnStatus aclnnMaxPoolGetWorkspaceSize(const aclTensor* self, const aclIntArray* kernelShape,
                                         const aclIntArray* strides, const int64_t autoPad,
                                         const aclIntArray* pads, const aclIntArray* dilations,
                                         const int64_t ceilMode, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnMaxPool", workspaceSize, executor, [&](Planner& p) {
    const auto [x, kernels, steps, padding, dilation, y] = p.take(
        In{self, "self", kMaxPoolTypes}, Ints{kernelShape, "kernelShape"}, Ints{strides, "strides"},
        Ints{pads, "pads"}, Ints{dilations, "dilations"}, Out{out, "out", kMaxPoolTypes});
    p.require_rank(x, 3, 4);
    p.require_type(y, x.type);
    require(autoPad == 0, "autoPad is {}; expected 0", autoPad);
    require(ceilMode == 0 || ceilMode == 1, "ceilMode is {}; expected 0 or 1", ceilMode);
    require(
        pair_of(dilation, "dilations", {1, 1}, 1) == std::pair<std::int64_t, std::int64_t>(1, 1),
        "dilations is not 1; expected 1");
    require(!kernels.empty(), "kernelShape is empty; expected 1 or 2 numbers");
    std::array<std::int64_t, 4> sides{};
    if (padding.size() == 4) {
      std::copy(padding.begin(), padding.end(), sides.begin());
    } else {
      sides = symmetric(pair_of(padding, "pads", {0, 0}, 0));
    }
    require(*std::min_element(sides.begin(), sides.end()) >= 0, "pads has a negative number");
    const auto kernel = pair_of(kernels, "kernelShape", {1, 1}, 1);
    const Windows windows =
        sliding(x, kernel, pair_of(steps, "strides", kernel, 1), sides, {1, 1}, ceilMode == 1);
    require_images(p, x, y, windows);
    in_lane<PoolLanes>(x.lane(), [&, x = x, y = y](auto zero) {
      plan_greatest_of_windows<decltype(zero)>(p, x, y, windows);
    });
  });
}
ACLNN_SECOND_PHASE(aclnnMaxPool)

aclnnStatus aclnnMaxPool2dWithMaskGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* kernelSize, const aclIntArray* stride,
    const aclIntArray* padding, const aclIntArray* dilation, bool ceilMode, aclTensor* out,
    aclTensor* indices, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnMaxPool2dWithMask", workspaceSize, executor, [&](Planner& p) {
    const auto [x, kernels, steps, pads, gaps, y, mask] =
        p.take(In{self, "self", kFloats}, Ints{kernelSize, "kernelSize"}, Ints{stride, "stride"},
               Ints{padding, "padding"}, Ints{dilation, "dilation"}, Out{out, "out", kFloats},
               Out{indices, "indices", {ACL_INT8}});
    p.require_rank(x, 3, 4);
    require(!kernels.empty(), "kernelSize is empty; expected 1 or 2 numbers");
    const auto kernel = pair_of(kernels, "kernelSize", {1, 1}, 1);
    const auto step = pair_of(steps, "stride", kernel, 1);
    const auto sides = pair_of(pads, "padding", {0, 0}, 0);
    const auto gap = pair_of(gaps, "dilation", {1, 1}, 1);
    require_padding(sides, kernel, "padding");
    const Windows windows = sliding(x, kernel, step, symmetric(sides), gap, ceilMode);
    require_images(p, x, y, windows);
    require_mask(p, mask, y, kernel.first * kernel.second);
    plan_greatest_with_mask(p, x, y, windows, {mask, kernel, gap, sides, step});
  });
}
ACLNN_SECOND_PHASE(aclnnMaxPool2dWithMask)
