// SPDX-License-Identifier: Apache-2.0
// Normalisations of rows, columns and groups, their gradients, and Welford sums, in float.
#include <cmath>
#include <vector>

#include "ascendc/impl/library_sizes.h"
#include "runtime/ascendc/library/elements.h"
#include "runtime/ascendc/library/plan.h"
#include "runtime/ascendc/library/row_loops.h"
#include "runtime/ascendc/library/rows.h"

namespace ascendc::library {
namespace {

// The first numbers of all functions. The columns from kOriginals on are padding.
enum Number : unsigned { kRows, kColumns, kOriginals, kEpsilon, kFlags, kFirstOther };
enum Flag : std::uint64_t { kReuses = 1, kRstd = 2, kSeparate = 4 };

struct Shape {
  explicit Shape(const Call& call)
      : rows(call.count(kRows)),
        columns(call.count(kColumns)),
        originals(call.count(kOriginals)),
        epsilon(static_cast<float>(call.value(kEpsilon, ACLSIM_FLOAT))) {}
  std::uint64_t rows, columns, originals;
  float epsilon;
};

// ---- plans
// ---------------------------------------------------------------------------------------

bool has(const Call& call, Flag flag) { return (call.count(kFlags) & flag) != 0; }

void plan_shape(const Call& call, Plan& plan, unsigned matrix) {
  plan.require_range("rows", call.number(kRows), 1, UINT32_MAX);
  plan.require_range("length of a row", call.number(kColumns), 1, UINT32_MAX);
  plan.require_range("length of a row without padding", call.number(kOriginals), 1,
                     call.number(kColumns));
  const std::int64_t bytes = call.bytes(matrix);
  plan.require_multiple("length of a row in bytes", call.number(kColumns) * bytes, 32);
}

void read_matrix(const Call& call, Plan& plan, unsigned operand) {
  plan.read(operand, call.count(kRows) * call.count(kColumns));
}
void write_matrix(const Call& call, Plan& plan, unsigned operand) {
  plan.write(operand, call.count(kRows) * call.count(kColumns));
}

void plan_temporary(const Call& call, Plan& plan, unsigned tmp) {
  plan.temporary(tmp,
                 aclsim_library::least_temporary_of_row(call.function(), call.count(kColumns)));
}

// output, outputMean, outputVariance, inputX, gamma?, beta?, tmp?
void plan_layer(const Call& call, Plan& plan) {
  plan_shape(call, plan, 3);
  read_matrix(call, plan, 3);
  plan.read(4, call.count(kOriginals));
  plan.read(5, call.count(kOriginals));
  write_matrix(call, plan, 0);
  plan.write(1, call.count(kRows));
  plan.write(2, call.count(kRows));
  if (has(call, kReuses)) write_matrix(call, plan, 3);
  plan_temporary(call, plan, 6);
  if (!has(call, kSeparate)) plan.may_share(0, 3);
}

// output, outputRstd, inputMean, inputVariance, inputX, gamma?, beta?, tmp?
void plan_normalize(const Call& call, Plan& plan) {
  plan_shape(call, plan, 4);
  if (call.number(kFirstOther) != -1) {
    plan.require_range("para.aLength", call.number(kRows), call.number(kFirstOther),
                       call.number(kFirstOther));
  }
  if (call.number(kFirstOther) == 1) {
    for (const unsigned single : {1U, 2U, 3U}) plan.may_be_misaligned(single);
  }
  plan.read(2, call.count(kRows));
  plan.read(3, call.count(kRows));
  read_matrix(call, plan, 4);
  plan.read(5, call.count(kOriginals));
  plan.read(6, call.count(kOriginals));
  write_matrix(call, plan, 0);
  plan.write(1, call.count(kRows));
  plan_temporary(call, plan, 7);
}

// dst, src, gamma, tmp?
void plan_rms(const Call& call, Plan& plan) {
  plan_shape(call, plan, 1);
  read_matrix(call, plan, 1);
  plan.read(2, call.count(kColumns));
  write_matrix(call, plan, 0);
  plan_temporary(call, plan, 3);
  plan.may_share(0, 1);
}

// dst, mean, rstd, src, gx, beta, gamma, tmp?
void plan_deep(const Call& call, Plan& plan) {
  plan.require_range("length of a row", call.number(kColumns), 1, 2040);
  plan_shape(call, plan, 3);
  read_matrix(call, plan, 3);
  read_matrix(call, plan, 4);
  plan.read(5, call.count(kColumns));
  plan.read(6, call.count(kColumns));
  write_matrix(call, plan, 0);
  plan.write(1, call.count(kRows));
  plan.write(2, call.count(kRows));
  plan_temporary(call, plan, 7);
  if (!has(call, kReuses)) return;
  write_matrix(call, plan, 3);
  plan.may_share(0, 3);
}

// output, outputMean, outputVariance, inputX, gamm, beta, tmp?
void plan_batch(const Call& call, Plan& plan) {
  plan_shape(call, plan, 3);
  read_matrix(call, plan, 3);
  plan.read(4, call.count(kRows));
  plan.read(5, call.count(kRows));
  write_matrix(call, plan, 0);
  plan.write(1, call.count(kColumns));
  plan.write(2, call.count(kColumns));
  plan_temporary(call, plan, 6);
  plan.may_share(0, 3);
}

// output, outputMean, outputVariance, inputX, gamma, beta, tmp?; a row is a group. Numbers: the
// elements of a channel, the channels, and the channels of all groups.
void plan_group(const Call& call, Plan& plan) {
  plan.require_range("tiling.n * tiling.g", call.number(kRows), 1, UINT32_MAX);
  plan.require_range("tiling.d * tiling.hw", call.number(kColumns), 1, UINT32_MAX);
  plan.require_range("tiling.c", call.number(kFirstOther + 1), 1, UINT32_MAX);
  plan.require_range("tiling.g * tiling.d", call.number(kFirstOther + 2),
                     call.number(kFirstOther + 1), call.number(kFirstOther + 1));
  read_matrix(call, plan, 3);
  plan.read(4, call.count(kFirstOther + 1));
  plan.read(5, call.count(kFirstOther + 1));
  write_matrix(call, plan, 0);
  plan.write(1, call.count(kRows));
  plan.write(2, call.count(kRows));
  plan_temporary(call, plan, 6);
  if (!has(call, kReuses)) return;
  write_matrix(call, plan, 3);
  plan.may_share(0, 3);
}

// outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean, inputGamma, tmp?
void plan_grad(const Call& call, Plan& plan) {
  if (call.number(kFirstOther) == 0) {
    plan.refuse(Fault::kRange, "shapeInfo.dataFormat is not ND; expected ND");
  }
  plan_shape(call, plan, 3);
  for (const unsigned matrix : {2U, 3U}) read_matrix(call, plan, matrix);
  plan.read(4, call.count(kRows));
  plan.read(5, call.count(kRows));
  plan.read(6, call.count(kColumns));
  for (const unsigned matrix : {0U, 1U}) write_matrix(call, plan, matrix);
  if (has(call, kReuses)) {
    for (const unsigned matrix : {2U, 3U}) write_matrix(call, plan, matrix);
  }
  plan_temporary(call, plan, 7);
  for (const unsigned to : {0U, 1U}) {
    for (const unsigned from : {2U, 3U}) plan.may_share(to, from);
  }
}

// outputPdGamma, outputPdBeta, resForGamma, inputDy, tmp?
void plan_grad_beta(const Call& call, Plan& plan) {
  plan_shape(call, plan, 3);
  for (const unsigned matrix : {2U, 3U}) read_matrix(call, plan, matrix);
  plan.write(0, call.count(kColumns));
  plan.write(1, call.count(kColumns));
  if (has(call, kReuses)) write_matrix(call, plan, 3);
  plan_temporary(call, plan, 4);
  for (const unsigned to : {0U, 1U}) {
    for (const unsigned from : {2U, 3U}) plan.may_share(to, from);
  }
}

// outputMean, outputVariance, inputMean, inputVariance, inputX, tmp?; number: the other elements
// are copied.
void plan_update(const Call& call, Plan& plan) {
  plan.require_range("para.rnLength", call.number(kRows), 1, 1);
  plan.require_range("para.abLength", call.number(kColumns), 1, UINT32_MAX);
  plan.require_range("para.abComputeLength", call.number(kOriginals), 1, call.number(kColumns));
  plan.require_multiple("para.abLength * sizeof(T)", call.number(kColumns) * call.bytes(4), 32);
  const bool copies = call.number(kFirstOther) != 0;
  const std::uint64_t count = copies ? call.count(kColumns) : call.count(kOriginals);
  for (const unsigned source : {2U, 3U}) plan.read(source, count);
  plan.read(4, call.count(kOriginals));
  for (const unsigned result : {0U, 1U}) plan.write(result, count);
  if (has(call, kReuses)) plan.write(4, call.count(kOriginals));
  plan_temporary(call, plan, 5);
  if (!copies) return;
  plan.may_share(0, 2);
  plan.may_share(1, 3);
}

// outputMean, outputVariance, inputMean, inputVariance, counts?, tmp?; numbers: headCount,
// headCountLength, tailCount, tailCountLength.
enum FinalizeNumber : unsigned {
  kHeadCount = kFirstOther,
  kHeadLength,
  kTailCount,
  kTailLength,
  kPieces,  // 1 / abLength
  kAll      // 1 / elements
};
void plan_finalize(const Call& call, Plan& plan) {
  plan.require_range("para.abLength", call.number(kColumns), 1, UINT32_MAX);
  plan.require_multiple("para.abLength", call.number(kColumns), 8);
  if (!call.has(4)) {
    plan.require_range("para.headCountLength + para.tailCountLength",
                       call.number(kHeadLength) + call.number(kTailLength), call.number(kColumns),
                       call.number(kColumns));
  }
  plan.read(2, call.count(kColumns));
  plan.read(3, call.count(kColumns));
  plan.read(4, call.count(kColumns));
  plan.write(0, 1);
  plan.write(1, 1);
  plan_temporary(call, plan, 5);
}

// ---- computations
// --------------------------------------------------------------------------------

using Floats = std::vector<float>;

/// All elements of an operand, or `otherwise` for an absent one.
Floats load(const Call& call, unsigned operand, std::uint64_t number, float otherwise = 0) {
  Floats values(number, otherwise);
  if (call.has(operand)) call.load(operand, 0, number, values.data());
  return values;
}

struct Moments {
  float mean, variance;
};
Moments moments_of(const float* row, std::size_t number) {
  const auto count = static_cast<float>(number);
  Moments found{};
  found.mean = row_loops().sum(row, number) / count;
  found.variance = row_loops().squares(row, number, found.mean) / count;
  return found;
}

float reciprocal_root(float variance, float epsilon) {
  return 1.0F / std::sqrt(variance + epsilon);
}

void scale_row(float* row, std::size_t number, const Moments& moments, float rstd,
               const float* gamma, const float* beta) {
  row_loops().normalise(row, number, moments.mean, rstd, gamma, beta);
}

/// Gammas and betas of a row; 1 and 0 without a tensor, and 0 for padding.
struct Scales {
  Scales(const Call& call, unsigned of_gamma, unsigned of_beta, const Shape& shape)
      : gamma(load(call, of_gamma, shape.originals, 1)),
        beta(load(call, of_beta, shape.originals)) {
    gamma.resize(shape.columns);
    beta.resize(shape.columns);
  }
  Floats gamma, beta;
};

void compute_layer(const Call& call) {
  const Shape shape(call);
  const Scales scales(call, 4, 5, shape);
  Floats row(shape.columns), means(shape.rows), seconds(shape.rows);
  for (std::uint64_t i = 0; i < shape.rows; ++i) {
    call.load(3, i * shape.columns, shape.columns, row.data());
    const Moments moments = moments_of(row.data(), shape.originals);
    const float rstd = reciprocal_root(moments.variance, shape.epsilon);
    scale_row(row.data(), shape.columns, moments, rstd, scales.gamma.data(), scales.beta.data());
    call.store(0, i * shape.columns, shape.columns, row.data());
    means[i] = moments.mean;
    seconds[i] = has(call, kRstd) ? rstd : moments.variance;
  }
  call.store(1, 0, shape.rows, means.data());
  call.store(2, 0, shape.rows, seconds.data());
}

void compute_normalize(const Call& call) {
  const Shape shape(call);
  const Scales scales(call, 5, 6, shape);
  const Floats means = load(call, 2, shape.rows), variances = load(call, 3, shape.rows);
  Floats row(shape.columns), rstds(shape.rows);
  for (std::uint64_t i = 0; i < shape.rows; ++i) {
    call.load(4, i * shape.columns, shape.columns, row.data());
    rstds[i] = reciprocal_root(variances[i], shape.epsilon);
    scale_row(row.data(), shape.columns, {means[i], variances[i]}, rstds[i], scales.gamma.data(),
              scales.beta.data());
    call.store(0, i * shape.columns, shape.columns, row.data());
  }
  call.store(1, 0, shape.rows, rstds.data());
}

void compute_rms(const Call& call) {
  const Shape shape(call);
  const Floats gamma = load(call, 2, shape.columns);
  Floats row(shape.columns);
  for (std::uint64_t i = 0; i < shape.rows; ++i) {
    call.load(1, i * shape.columns, shape.columns, row.data());
    const float square = row_loops().squares(row.data(), shape.originals, 0);
    const float factor =
        reciprocal_root(square / static_cast<float>(shape.originals), shape.epsilon);
    for (std::size_t k = 0; k < shape.columns; ++k) row[k] = row[k] * factor * gamma[k];
    call.store(0, i * shape.columns, shape.columns, row.data());
  }
}

void compute_deep(const Call& call) {
  const Shape shape(call);
  const auto alpha = static_cast<float>(call.value(kFirstOther, ACLSIM_FLOAT));
  const Floats beta = load(call, 5, shape.columns), gamma = load(call, 6, shape.columns);
  Floats row(shape.columns), other(shape.columns), means(shape.rows), variances(shape.rows);
  for (std::uint64_t i = 0; i < shape.rows; ++i) {
    call.load(3, i * shape.columns, shape.columns, row.data());
    call.load(4, i * shape.columns, shape.columns, other.data());
    for (std::size_t k = 0; k < shape.columns; ++k) row[k] = row[k] * alpha + other[k];
    const Moments moments = moments_of(row.data(), shape.originals);
    scale_row(row.data(), shape.columns, moments, reciprocal_root(moments.variance, shape.epsilon),
              gamma.data(), beta.data());
    call.store(0, i * shape.columns, shape.columns, row.data());
    means[i] = moments.mean;
    variances[i] = moments.variance;
  }
  call.store(1, 0, shape.rows, means.data());
  call.store(2, 0, shape.rows, variances.data());
}

void compute_batch(const Call& call) {
  const Shape shape(call);
  const Floats gamma = load(call, 4, shape.rows), beta = load(call, 5, shape.rows);
  Floats values = load(call, 3, shape.rows * shape.columns);
  Floats means(shape.columns), variances(shape.columns), factors(shape.columns);
  const auto each = [&](auto&& f) {
    for (std::uint64_t i = 0; i < shape.rows; ++i) {
      float* const row = values.data() + i * shape.columns;
      for (std::size_t k = 0; k < shape.columns; ++k) f(row[k], i, k);
    }
  };
  const auto rows = static_cast<float>(shape.rows);
  each([&](float value, std::uint64_t, std::size_t k) { means[k] += value; });
  for (float& mean : means) mean /= rows;
  each([&](float value, std::uint64_t, std::size_t k) {
    variances[k] += (value - means[k]) * (value - means[k]);
  });
  for (std::size_t k = 0; k < shape.columns; ++k) {
    variances[k] /= rows;
    factors[k] = reciprocal_root(variances[k], shape.epsilon);
  }
  each([&](float& value, std::uint64_t i, std::size_t k) {
    value = (value - means[k]) * factors[k] * gamma[i] + beta[i];
  });
  call.store(0, 0, values.size(), values.data());
  call.store(1, 0, shape.columns, means.data());
  call.store(2, 0, shape.columns, variances.data());
}

void compute_group(const Call& call) {
  const Shape shape(call);
  const std::uint64_t size = call.count(kFirstOther), channels = call.count(kFirstOther + 1);
  const Floats gamma = load(call, 4, channels), beta = load(call, 5, channels);
  Floats group(shape.columns), means(shape.rows), variances(shape.rows);
  for (std::uint64_t i = 0; i < shape.rows; ++i) {
    call.load(3, i * shape.columns, shape.columns, group.data());
    const Moments moments = moments_of(group.data(), shape.columns);
    const float rstd = reciprocal_root(moments.variance, shape.epsilon);
    for (std::size_t k = 0; k < shape.columns; ++k) {
      const std::uint64_t channel = (i * shape.columns + k) / size % channels;
      group[k] = (group[k] - moments.mean) * rstd * gamma[channel] + beta[channel];
    }
    call.store(0, i * shape.columns, shape.columns, group.data());
    means[i] = moments.mean;
    variances[i] = moments.variance;
  }
  call.store(1, 0, shape.rows, means.data());
  call.store(2, 0, shape.rows, variances.data());
}

void compute_grad(const Call& call) {
  const Shape shape(call);
  const Floats variances = load(call, 4, shape.rows), means = load(call, 5, shape.rows);
  const Floats gamma = load(call, 6, shape.columns);
  Floats scaled(shape.columns), centred(shape.columns);
  const float back = 1.0F / static_cast<float>(shape.originals);
  for (std::uint64_t i = 0; i < shape.rows; ++i) {
    const std::uint64_t first = i * shape.columns;
    call.load(2, first, shape.columns, scaled.data());
    call.load(3, first, shape.columns, centred.data());
    const float rstd = reciprocal_root(variances[i], shape.epsilon);
    for (std::size_t k = 0; k < shape.columns; ++k) {
      scaled[k] *= gamma[k];
      centred[k] -= means[i];
    }
    const float along =
        sum_of(shape.originals, [&](std::size_t k) { return scaled[k] * centred[k]; });
    const float of_variance = -0.5F * along * rstd * rstd * rstd;
    const float of_mean =
        -rstd * sum_of(shape.originals, [&](std::size_t k) { return scaled[k]; }) +
        of_variance * back * -2.0F *
            sum_of(shape.originals, [&](std::size_t k) { return centred[k]; });
    const float slope = of_variance * 2.0F * back, shift = of_mean * back;
    for (std::size_t k = 0; k < shape.columns; ++k) {
      scaled[k] = scaled[k] * rstd + slope * centred[k] + shift;
      centred[k] *= rstd;
    }
    call.store(0, first, shape.columns, scaled.data());
    call.store(1, first, shape.columns, centred.data());
  }
}

void compute_grad_beta(const Call& call) {
  const Shape shape(call);
  Floats gamma(shape.columns), beta(shape.columns), factor(shape.columns), dy(shape.columns);
  for (std::uint64_t i = 0; i < shape.rows; ++i) {
    call.load(2, i * shape.columns, shape.columns, factor.data());
    call.load(3, i * shape.columns, shape.columns, dy.data());
    for (std::size_t k = 0; k < shape.columns; ++k) {
      gamma[k] += dy[k] * factor[k];
      beta[k] += dy[k];
    }
  }
  call.store(0, 0, shape.columns, gamma.data());
  call.store(1, 0, shape.columns, beta.data());
}

void compute_update(const Call& call) {
  const Shape shape(call);
  const bool copies = call.number(kFirstOther) != 0;
  const std::uint64_t count = copies ? shape.columns : shape.originals;
  const float weight = shape.epsilon;  // nRec
  Floats means = load(call, 2, count), sums = load(call, 3, count);
  const Floats values = load(call, 4, shape.originals);
  for (std::size_t i = 0; i < shape.originals; ++i) {
    const float before = values[i] - means[i];
    means[i] += before * weight;
    sums[i] += before * (values[i] - means[i]);
  }
  call.store(0, 0, count, means.data());
  call.store(1, 0, count, sums.data());
}

void compute_finalize(const Call& call) {
  const Shape shape(call);
  const float of_variance = shape.epsilon;  // rRec, or that with the correction
  const Floats means = load(call, 2, shape.columns), sums = load(call, 3, shape.columns);
  Floats counts(shape.columns, static_cast<float>(call.number(kRows)));
  float of_mean = static_cast<float>(call.value(kAll, ACLSIM_FLOAT));
  bool counted = true;
  if (call.has(4)) {
    call.load(4, 0, shape.columns, counts.data());
  } else if (call.number(kTailCount) != 0) {
    for (std::size_t i = 0; i < shape.columns; ++i) {
      counts[i] =
          static_cast<float>(call.number(i < call.count(kHeadLength) ? kHeadCount : kTailCount));
    }
  } else {
    counted = false;
    of_mean = static_cast<float>(call.value(kPieces, ACLSIM_FLOAT));
  }
  const float mean = of_mean * sum_of(shape.columns, [&](std::size_t i) {
                       return counted ? counts[i] * means[i] : means[i];
                     });
  const float variance = of_variance * sum_of(shape.columns, [&](std::size_t i) {
                           return sums[i] + counts[i] * (means[i] - mean) * (means[i] - mean);
                         });
  call.store(0, 0, 1, &mean);
  call.store(1, 0, 1, &variance);
}

}  // namespace

const std::vector<Function> kNormalizationFunctions = {
    {ACLSIM_LIB_LayerNorm, plan_layer, compute_layer},
    {ACLSIM_LIB_Normalize, plan_normalize, compute_normalize},
    {ACLSIM_LIB_RmsNorm, plan_rms, compute_rms},
    {ACLSIM_LIB_DeepNorm, plan_deep, compute_deep},
    {ACLSIM_LIB_BatchNorm, plan_batch, compute_batch},
    {ACLSIM_LIB_GroupNorm, plan_group, compute_group},
    {ACLSIM_LIB_LayerNormGrad, plan_grad, compute_grad},
    {ACLSIM_LIB_LayerNormGradBeta, plan_grad_beta, compute_grad_beta},
    {ACLSIM_LIB_WelfordUpdate, plan_update, compute_update},
    {ACLSIM_LIB_WelfordFinalize, plan_finalize, compute_finalize},
};

}  // namespace ascendc::library
