// SPDX-License-Identifier: Apache-2.0
// Convolution over one to three dims, and its gradients.
#include <algorithm>

#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/operators/convolution/windows.h"
#include "runtime/aclnn/operators/matrix/common.h"

namespace aclnn {
namespace {

/// [N, C, d, h, w]; channels that the format puts last come to their place.
View image_of(Planner& p, const View& view) {
  const aclFormat format = p.operand(view).tensor->format;
  View image = view;
  if ((format == ACL_FORMAT_NHWC && view.rank() == 4) ||
      (format == ACL_FORMAT_NDHWC && view.rank() == 5)) {
    for (int d = view.rank() - 1; d > 1; --d) image = image.transposed(d, d - 1);
  }
  while (image.rank() < 5) image = image.with_unit(2);
  return image;
}

struct ConvolutionAttributes {
  std::vector<std::int64_t> stride, padding, dilation, output_padding;
  bool transposed;
  std::int64_t groups;
};

class ConvolutionGeometry {
 public:
  ConvolutionGeometry(int dims, const ConvolutionAttributes& a) : dims_(dims), a_(a) {
    require(a.groups >= 1, "groups is {}; expected 1 or more", a.groups);
    windows_.groups = a.groups;
    read(a.stride, "stride", 1, windows_.stride);
    read(a.dilation, "dilation", 1, windows_.dilation);
    if (dims < 3 && a.padding.size() == static_cast<std::size_t>(2 * dims)) {
      for (int d = 0; d < dims; ++d) {
        windows_.before[at(d)] = padding(static_cast<std::size_t>(2 * d));
        windows_.after[at(d)] = padding(static_cast<std::size_t>(2 * d + 1));
      }
    } else {
      read(a.padding, "padding", 0, windows_.before);
      windows_.after = windows_.before;
    }
    if (a.transposed && !a.output_padding.empty()) {
      read(a.output_padding, "outputPadding", 0, more_);
    }
  }

  /// The shape of the convolution's result [N, C, d, h, w].
  Shape result(const Planner& p, const View& in, const View& in_given, const View& weight,
               const View& weight_given) {
    const std::int64_t groups = windows_.groups;
    const std::int64_t wanted = a_.transposed ? weight.size(0) : weight.size(1) * groups;
    require(in.size(1) == wanted && weight.size(0) % groups == 0,
            "{} has {} channels and {} has the shape {}, with {} groups; they do not fit",
            p.name(in_given), in.size(1), p.name(weight_given), weight_given.shape.text(), groups);
    Shape shape{in.size(0), a_.transposed ? weight.size(1) * groups : weight.size(0), 1, 1, 1};
    for (std::size_t d = 0; d < 3; ++d) {
      const int dim = static_cast<int>(d) + 2;
      windows_.kernel[d] = weight.size(dim);
      require(windows_.kernel[d] >= 1, "{} has the shape {}; expected no dims of 0",
              p.name(weight_given), weight_given.shape.text());
      const std::int64_t reach = windows_.dilation[d] * (windows_.kernel[d] - 1) + 1;
      const std::int64_t around = windows_.before[d] + windows_.after[d];
      const std::int64_t given = in.size(dim), step = windows_.stride[d];
      const std::int64_t made = a_.transposed ? (given - 1) * step - around + reach + more_[d]
                                : given + around < reach ? 0
                                                         : (given + around - reach) / step + 1;
      require(made >= 1, "{} has the shape {}; expected at least {} places under a kernel",
              p.name(in_given), in_given.shape.text(), reach);
      shape[dim] = made;
      windows_.wide[d] = a_.transposed ? made : given;
      windows_.narrow[d] = a_.transposed ? given : made;
    }
    return shape;
  }
  const Windows& windows() const { return windows_; }

 private:
  std::size_t at(int d) const { return static_cast<std::size_t>(3 - dims_ + d); }
  std::int64_t padding(std::size_t i) const {
    require(a_.padding[i] >= 0, "padding[{}] is {}; expected no negative numbers", i,
            a_.padding[i]);
    return a_.padding[i];
  }
  void read(const std::vector<std::int64_t>& from, const char* name, std::int64_t least,
            std::array<std::int64_t, 3>& to) const {
    require(from.size() == static_cast<std::size_t>(dims_), "{} has {} members; expected {}", name,
            from.size(), dims_);
    for (int d = 0; d < dims_; ++d) {
      const std::int64_t value = from[static_cast<std::size_t>(d)];
      require(value >= least, "{}[{}] is {}; expected {} or more", name, d, value, least);
      to[at(d)] = value;
    }
  }

  const int dims_;
  const ConvolutionAttributes& a_;
  Windows windows_;
  std::array<std::int64_t, 3> more_{0, 0, 0};
};

/// Adds a number for each channel; `channels` of each group.
FinishTile<float> add_bias(const View& bias, std::int64_t channels) {
  if (!bias) return {};
  return [bias, channels](Execution& run, const Tile& block, float* tile) {
    for (std::int64_t i = 0; i < block.rows; ++i) {
      const View one = bias.selected(0, block.batch * channels + block.row + i);
      const float more = load_one<float>(run.at(one).at, one.type);
      float* const row = tile + i * block.columns;
      for (std::int64_t j = 0; j < block.columns; ++j) row[j] += more;
    }
  };
}

/// The sum of all places of each channel.
Work channel_sums(const View& image, const View& sums) {
  const View channels = image.transposed(0, 1);
  return {channels.size(0), [channels, sums](Execution& run, std::int64_t channel) {
            const View places = channels.selected(0, channel);
            Reader<float> reader(run.at(places));
            reader.seek(0);
            float buffer[kChunk];
            double sum = 0;
            for (std::int64_t done = 0; done < places.count(); done += kChunk) {
              const std::int64_t count = std::min(kChunk, places.count() - done);
              const float* const from = reader.next(count, buffer);
              for (std::int64_t i = 0; i < count; ++i) sum += from[i];
            }
            const View one = sums.selected(0, channel);
            store_one<float>(static_cast<float>(sum), run.at(one).at, one.type);
          }};
}

void plan_convolution(Planner& p, const View& input, const View& weight, const View& bias,
                      const View& output, const ConvolutionAttributes& attributes) {
  p.require_rank(input, 3, 5);
  p.require_rank(weight, input.rank(), input.rank());
  p.require_rank(output, input.rank(), input.rank());
  ConvolutionGeometry geometry(input.rank() - 2, attributes);
  const View x = image_of(p, input), w = image_of(p, weight), y = image_of(p, output);
  const Shape expected = geometry.result(p, x, input, w, weight);
  require(y.shape == expected, "output has the shape {}; expected {} as [N, C, d, h, w]",
          output.shape.text(), expected.text());
  if (bias) p.require_shape(bias, Shape{expected[1]});
  const FinishTile<float> finish = add_bias(bias, expected[1] / attributes.groups);
  const auto make = attributes.transposed ? wide_of_narrow : narrow_of_wide;
  plan_works(p, {make(geometry.windows(), x, w, y, finish)});
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                             const aclTensor* bias, const aclIntArray* stride,
                                             const aclIntArray* padding,
                                             const aclIntArray* dilation, bool transposed,
                                             const aclIntArray* outputPadding, const int64_t groups,
                                             aclTensor* output, int8_t cubeMathType,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnConvolution", workspaceSize, executor, [&](Planner& p) {
    const auto [x, w, b, steps, around, apart, more, y] = p.take(
        In{input, "input", kFloats}, In{weight, "weight", kFloats}, OptIn{bias, "bias", kFloats},
        Ints{stride, "stride"}, Ints{padding, "padding"}, Ints{dilation, "dilation"},
        OptInts{outputPadding, "outputPadding"}, Out{output, "output", kFloats});
    require_cube_math(cubeMathType);
    plan_convolution(
        p, x, w, b, y,
        {steps, around, apart, more.value_or(std::vector<std::int64_t>{}), transposed, groups});
  });
}
ACLNN_SECOND_PHASE(aclnnConvolution)

aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* biasSizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* outputPadding, int groups,
    const aclBoolArray* outputMask, int8_t cubeMathType, aclTensor* gradInput,
    aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnConvolutionBackward", workspaceSize, executor, [&](Planner& p) {
    const auto [dy, x, w, sizes, steps, around, apart, more, mask] =
        p.take(In{gradOutput, "gradOutput", kFloats}, In{input, "input", kFloats},
               In{weight, "weight", kFloats}, OptInts{biasSizes, "biasSizes"},
               Ints{stride, "stride"}, Ints{padding, "padding"}, Ints{dilation, "dilation"},
               OptInts{outputPadding, "outputPadding"}, Bools{outputMask, "outputMask"});
    require(mask.size() == 3, "outputMask has {} members; expected 3", mask.size());
    const auto wanted = [&](std::size_t i, const aclTensor* tensor, const char* name) {
      if (mask[i] && !tensor) fail(kNullPointer, "{} is null", name);
      return OptOut{mask[i] ? tensor : nullptr, name, kFloats};
    };
    const auto [dx, dw, db] =
        p.take(wanted(0, gradInput, "gradInput"), wanted(1, gradWeight, "gradWeight"),
               wanted(2, gradBias, "gradBias"));
    require_cube_math(cubeMathType);
    p.require_rank(x, 3, 5);
    p.require_rank(w, x.rank(), x.rank());
    p.require_rank(dy, x.rank(), x.rank());
    const ConvolutionAttributes attributes{
        steps, around, apart, more.value_or(std::vector<std::int64_t>{}), transposed, groups};
    ConvolutionGeometry geometry(x.rank() - 2, attributes);
    const View image = image_of(p, x), factors = image_of(p, w), result = image_of(p, dy);
    const Shape expected = geometry.result(p, image, x, factors, w);
    require(result.shape == expected, "gradOutput has the shape {}; expected {} as [N, C, d, h, w]",
            dy.shape.text(), expected.text());
    std::vector<Work> works;
    if (dx) {
      p.require_shape(dx, x.shape);
      const auto make = transposed ? narrow_of_wide : wide_of_narrow;
      works.push_back(make(geometry.windows(), result, factors, image_of(p, dx), {}));
    }
    if (dw) {
      p.require_shape(dw, w.shape);
      works.push_back(weight_of_images(geometry.windows(), transposed ? result : image,
                                       transposed ? image : result, image_of(p, dw)));
    }
    if (db) {
      p.require_shape(db, Shape{expected[1]});
      works.push_back(channel_sums(result, db));
    }
    plan_works(p, std::move(works));
  });
}
ACLNN_SECOND_PHASE(aclnnConvolutionBackward)
