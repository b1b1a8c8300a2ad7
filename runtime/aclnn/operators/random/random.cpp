// SPDX-License-Identifier: Apache-2.0
// Random numbers. Which ones is not specified; the same seed and offset give the same.
#include <cmath>
#include <limits>
#include <numeric>

#include "aclnnop/aclnn_multinomial.h"
#include "aclnnop/aclnn_normal.h"
#include "aclnnop/aclnn_randperm.h"
#include "aclnnop/aclnn_uniform.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/loops/rows.h"
#include "runtime/aclnn/operators/random/stream.h"

namespace aclnn {
namespace {

constexpr TypeSet kUniformTypes = kAllFloats | kIntegers;

/// Fills a tensor with the results of `make` for chunks of random words, with a fixed number of
/// words for each element.
template <class T, class Make>
void plan_random(Planner& p, const View& out, RandomWords words, std::int64_t words_each,
                 Make make) {
  p.job_over(out.count(), kLeastElements,
             [=](Execution& run, std::int64_t begin, std::int64_t end) {
               std::vector<std::uint32_t> chunk(static_cast<std::size_t>(kChunk * words_each));
               std::array<T, kChunk> numbers;
               begin -= begin % 2;  // elements are made in pairs
               if (end != out.count()) end -= end % 2;
               Writer<T> writer(run.at(out));
               writer.seek(begin);
               while (begin < end) {
                 const std::int64_t count = std::min(kChunk, end - begin);
                 const std::int64_t even = count + count % 2;
                 words.fill(chunk.data(), begin * words_each, even * words_each);
                 make(chunk.data(), numbers.data(), even);
                 writer.write(count, numbers.data());
                 begin += count;
               }
             });
}

/// As the type keeps them; what was rounded up to the end of the range becomes its begin.
template <class T>
void keep_below(T* numbers, std::int64_t count, aclDataType type, T from, T to) {
  std::array<std::byte, kChunk * sizeof(double)> memory;
  std::array<T, kChunk> kept;
  const auto size = static_cast<std::int64_t>(size_of(type));
  store_row<T>(type)(numbers, memory.data(), size, count);
  load_row<T>(type)(memory.data(), size, kept.data(), count);
  for (std::int64_t i = 0; i < count; ++i) {
    if (!(kept[static_cast<std::size_t>(i)] < to)) numbers[i] = from;
  }
}

/// Uses one word for each float, two for types that may need them.
template <class T>
void plan_uniform(Planner& p, const View& x, double from, double to, RandomWords words) {
  constexpr std::int64_t kEach = std::is_same_v<T, float> ? 1 : 2;
  plan_random<T>(p, x, words, kEach,
                 [=, type = x.type](const std::uint32_t* in, T* out, std::int64_t count) {
                   for (std::int64_t i = 0; i < count; ++i) {
                     double unit;
                     if constexpr (kEach == 1) {
                       unit = static_cast<double>(in[i]) * 0x1p-32;
                     } else {
                       unit = unit_of(std::uint64_t{in[2 * i]} << 32 | in[2 * i + 1]);
                     }
                     out[i] = static_cast<T>(from + unit * (to - from));
                   }
                   if (from < to) {
                     keep_below(out, count, type, static_cast<T>(from), static_cast<T>(to));
                   }
                 });
}

/// Pairs by the method of Box and Muller.
template <class T>
void plan_normal(Planner& p, const View& x, T mean, T deviation, RandomWords words) {
  plan_random<T>(p, x, words, 1, [=](const std::uint32_t* in, T* out, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 2) {
      const T unit = (static_cast<T>(in[i]) + T(1)) * T(0x1p-32);  // never 0
      const T length = std::sqrt(T(-2) * std::log(unit)) * deviation;
      const T angle = static_cast<T>(in[i + 1]) * T(6.283185307179586477 * 0x1p-32);
      out[i] = mean + length * std::cos(angle);
      out[i + 1] = mean + length * std::sin(angle);
    }
  });
}

/// Whole numbers below this are numbers of the type.
std::int64_t whole_numbers(aclDataType type) {
  switch (type) {
    case ACL_BF16:
      return (std::int64_t{1} << 8) + 1;
    case ACL_FLOAT16:
      return (std::int64_t{1} << 11) + 1;
    case ACL_FLOAT:
      return (std::int64_t{1} << 24) + 1;
    case ACL_DOUBLE:
      return (std::int64_t{1} << 53) + 1;
    case ACL_UINT8:
      return std::int64_t{1} << 8;
    case ACL_INT64:
      return std::numeric_limits<std::int64_t>::max();
    default:
      return std::int64_t{1} << (bits_of(type) - 1);
  }
}

/// Below `bound`, each as likely as the others.
std::int64_t below(const RandomWords& words, std::int64_t number, std::int64_t bound) {
  return static_cast<std::int64_t>(unit_of(words.wide(number)) * static_cast<double>(bound));
}

void permutation(Execution& run, const View& out, std::int64_t count, const RandomWords& words) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  for (std::int64_t i = count - 1; i > 0; --i) {
    std::swap(numbers[static_cast<std::size_t>(i)],
              numbers[static_cast<std::size_t>(below(words, i, i + 1))]);
  }
  Writer<std::int64_t>(run.at(out)).write(count, numbers.data());
}

struct SamplePlan {
  Split weights, out;
  bool replacement;
  RandomWords words;
};

/// The error in the weights of a row, or empty. Replaces the weights by their running sums.
std::string weights_error(std::vector<double>& sums, std::int64_t wanted) {
  double total = 0;
  std::int64_t possible = 0;
  for (double& weight : sums) {
    if (!(weight >= 0) || std::isinf(weight)) {
      return fmt::format("holds {}; expected finite numbers of 0 or more", weight);
    }
    possible += weight > 0 ? 1 : 0;
    weight = total += weight;
  }
  if (possible < wanted) {
    return fmt::format("has {} classes with a weight above 0 in a row; expected at least {}",
                       possible, wanted);
  }
  return {};
}

/// With replacement: where a random part of the sum falls.
void draw(const std::vector<double>& sums, const RandomWords& words, std::int64_t first,
          std::vector<std::int64_t>& samples) {
  const double most = std::nextafter(sums.back(), 0.0);  // products may be rounded up to the sum
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double unit = unit_of(words.wide(first + static_cast<std::int64_t>(i)));
    const double part = std::min(unit * sums.back(), most);
    const auto place = std::upper_bound(sums.begin(), sums.end(), part);
    samples[i] = place - sums.begin();
  }
}

/// Without: the first to come of exponential waiting times with these rates.
void draw_different(const std::vector<double>& weights, const RandomWords& words,
                    std::int64_t first, std::vector<std::int64_t>& samples) {
  std::vector<std::pair<double, std::int64_t>> times;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    if (weights[i] > 0) {
      times.emplace_back(-std::log(1.0 - unit_of(words.wide(first + number))) / weights[i], number);
    }
  }
  const auto wanted = static_cast<std::ptrdiff_t>(samples.size());
  std::partial_sort(times.begin(), times.begin() + wanted, times.end());
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = times[i].second;
}

void sample_rows(Execution& run, const SamplePlan& plan, std::int64_t begin, std::int64_t end) {
  const RowReader<double> reader(plan.weights.along);
  const RowWriter<std::int64_t> writer(plan.out.along);
  std::vector<double> weights(static_cast<std::size_t>(reader.count()));
  std::vector<std::int64_t> samples(static_cast<std::size_t>(plan.out.along.count()));
  Walk targets(run.at(plan.out.rows));
  targets.seek(begin);
  each_row(run.at(plan.weights.rows), begin, end, [&](std::byte* at, std::int64_t row) {
    const double* const from = reader.all(at, weights.data());
    if (from != weights.data()) std::copy(from, from + weights.size(), weights.begin());
    std::vector<double> sums = weights;
    const std::int64_t wanted = plan.replacement ? 1 : plan.out.along.count();
    const std::string error = weights_error(sums, wanted);
    if (!error.empty()) return run.fail("aclnnMultinomial: self " + error);
    if (plan.replacement) {
      draw(sums, plan.words, row * plan.out.along.count(), samples);
    } else {
      draw_different(weights, plan.words, row * reader.count(), samples);
    }
    writer.put(targets.next(1).at, samples.data());
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnInplaceUniformGetWorkspaceSize(const aclTensor* selfRef, double from, double to,
                                                uint64_t seed, uint64_t offset,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnInplaceUniform", workspaceSize, executor, [&](Planner& p) {
    const auto [x] = p.take(Out{selfRef, "selfRef", kUniformTypes});
    require(from <= to, "from is {} and to is {}; expected from to be at most to", from, to);
    const RandomWords words(seed, offset);
    if (x.type == ACL_FLOAT || kHalves.has(x.type))
      return plan_uniform<float>(p, x, from, to, words);
    plan_uniform<double>(p, x, from, to, words);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceUniform)

aclnnStatus aclnnInplaceNormalGetWorkspaceSize(const aclTensor* selfRef, float mean, float std,
                                               int64_t seed, int64_t offset,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnInplaceNormal", workspaceSize, executor, [&](Planner& p) {
    const auto [x] = p.take(Out{selfRef, "selfRef", kUniformTypes | kBool});
    require(std >= 0.0F, "std is {}; expected 0 or more", std);
    const RandomWords words(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(offset));
    if (x.type == ACL_FLOAT || kHalves.has(x.type))
      return plan_normal<float>(p, x, mean, std, words);
    plan_normal<double>(p, x, static_cast<double>(mean), static_cast<double>(std), words);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceNormal)

aclnnStatus aclnnRandpermGetWorkspaceSize(int64_t n, int64_t seed, int64_t offset, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnRandperm", workspaceSize, executor, [&](Planner& p) {
    const auto [y] = p.take(Out{out, "out", kUniformTypes});
    require(n >= 0 && n <= whole_numbers(y.type),
            "n is {}; expected 0 to {}, as out has the type {}", n, whole_numbers(y.type),
            name_of(y.type));
    p.require_shape(y, Shape{n});
    if (n == 0) return;
    const RandomWords words(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(offset));
    p.job(1, [y = y, n, words](Execution& run, std::int64_t) { permutation(run, y, n, words); });
  });
}
ACLNN_SECOND_PHASE(aclnnRandperm)

aclnnStatus aclnnMultinomialGetWorkspaceSize(const aclTensor* self, int64_t numsamples,
                                             bool replacement, int64_t seed, int64_t offset,
                                             aclTensor* out, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return first_phase("aclnnMultinomial", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kAllFloats}, Out{out, "out", {ACL_INT64}});
    p.require_rank(x, 1, 2);
    const std::int64_t classes = x.size(x.rank() - 1);
    require(numsamples > 0 && (replacement || numsamples <= classes),
            "numsamples is {}; expected 1 or more, and without replacement at most {}", numsamples,
            classes);
    Shape shape = x.shape;
    shape[x.rank() - 1] = numsamples;
    p.require_shape(y, shape);
    if (x.count() == 0) return;
    const Dims mask = one_dim(x.rank() - 1);
    const SamplePlan plan{
        split(x, mask), split(y, mask), replacement,
        RandomWords(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(offset))};
    p.job_over(plan.out.rows.count(), std::max<std::int64_t>(1, (1 << 12) / (classes + numsamples)),
               [plan](Execution& run, std::int64_t begin, std::int64_t end) {
                 sample_rows(run, plan, begin, end);
               });
  });
}
ACLNN_SECOND_PHASE(aclnnMultinomial)
