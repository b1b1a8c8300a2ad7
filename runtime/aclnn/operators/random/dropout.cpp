// SPDX-License-Identifier: Apache-2.0
// Masks of bits: element i is bit i % 8 of byte i / 8.
#include "aclnnop/aclnn_dropout_do_mask.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/loops/rows.h"
#include "runtime/aclnn/operators/random/stream.h"

namespace aclnn {
namespace {

constexpr std::int64_t kMaskUnit = 128;  // bits

std::int64_t mask_bytes(std::int64_t elements) {
  return (elements + kMaskUnit - 1) / kMaskUnit * (kMaskUnit / 8);
}

void require_probability(double prob) {
  require(prob >= 0 && prob <= 1, "prob is {}; expected 0 to 1", prob);
}

/// Bytes [begin, end) of a mask; bits behind the elements are 0.
void mask_of_bytes(Execution& run, const View& out, const RandomWords& words, double keep,
                   std::int64_t elements, std::int64_t begin, std::int64_t end) {
  Writer<std::int64_t> writer(run.at(out));
  writer.seek(begin);
  const double bound = keep * 0x1p32;
  for (; begin < end; ++begin) {
    std::uint32_t bits[8];
    words.fill(bits, begin * 8, 8);
    std::int64_t byte = 0;
    for (int i = 0; i < 8; ++i) {
      if (begin * 8 + i < elements && static_cast<double>(bits[i]) < bound) byte |= 1 << i;
    }
    writer.write(1, &byte);
  }
}

/// y = x * scale where the mask has a 1.
void masked_elements(Execution& run, const View& x, const View& mask, const View& y, float scale,
                     std::int64_t begin, std::int64_t end) {
  Reader<float> from(run.at(x));
  Writer<float> to(run.at(y));
  Reader<std::int64_t> masks(run.at(mask));
  from.seek(begin);
  to.seek(begin);
  masks.seek(begin / 8);
  float in[kChunk], out[kChunk];
  std::int64_t bytes[kChunk / 8 + 2];
  for (std::int64_t at = begin; at < end;) {
    // Up to a byte's end: a byte is read once more where a piece begins within it.
    const std::int64_t count = std::min(kChunk - at % 8, end - at);
    const std::int64_t* const bits = masks.next((at % 8 + count + 7) / 8, bytes);
    const float* const row = from.next(count, in);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t bit = at % 8 + i;
      out[i] = bits[bit / 8] >> (bit % 8) & 1 ? row[i] * scale : 0.0F;
    }
    to.write(count, out);
    at += count;
  }
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnDropoutGenMaskV2GetWorkspaceSize(const aclIntArray* shape, double prob,
                                                  int64_t seed, int64_t offset,
                                                  aclDataType probDataType, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return first_phase("aclnnDropoutGenMaskV2", workspaceSize, executor, [&](Planner& p) {
    const auto [dims, y] = p.take(Ints{shape, "shape"}, Out{out, "out", {ACL_UINT8}});
    require_probability(prob);
    require(kFloats.has(probDataType), "probDataType is {}; expected {}", name_of(probDataType),
            names_of(kFloats));
    std::int64_t elements = 1;
    for (const std::int64_t dim : dims) {
      require(dim >= 0, "shape holds {}; expected no negative dims", dim);
      elements *= dim;
    }
    const std::int64_t bytes = mask_bytes(elements);
    require(y.count() >= bytes, "out has the shape {}; expected at least {} elements",
            y.shape.text(), bytes);
    const RandomWords words(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(offset));
    p.job_over(
        bytes, kLeastElements / 8,
        [y = y, words, prob, elements](Execution& run, std::int64_t begin, std::int64_t end) {
          mask_of_bytes(run, y, words, 1.0 - prob, elements, begin, end);
        });
  });
}
ACLNN_SECOND_PHASE(aclnnDropoutGenMaskV2)

aclnnStatus aclnnDropoutDoMaskGetWorkspaceSize(const aclTensor* self, const aclTensor* mask,
                                               double prob, aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return first_phase("aclnnDropoutDoMask", workspaceSize, executor, [&](Planner& p) {
    const auto [x, bits, y] =
        p.take(In{self, "self", kFloats}, In{mask, "mask", {ACL_UINT8}}, Out{out, "out", kFloats});
    require_probability(prob);
    p.require_shape(y, x.shape);
    require(bits.count() * 8 >= x.count(),
            "mask has the shape {}; expected a bit for each of {} elements", bits.shape.text(),
            x.count());
    const auto scale = prob == 1 ? 0.0F : static_cast<float>(1.0 / (1.0 - prob));
    p.job_over(
        x.count(), kLeastElements,
        [x = x, bits = bits, y = y, scale](Execution& run, std::int64_t begin, std::int64_t end) {
          masked_elements(run, x, bits, y, scale, begin, end);
        });
  });
}
ACLNN_SECOND_PHASE(aclnnDropoutDoMask)
