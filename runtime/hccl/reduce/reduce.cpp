// SPDX-License-Identifier: Apache-2.0
// Compiled once for each instruction set by foreach_target.h. Only the headers of Highway are used,
// and this file chooses among the results itself, so that the user need not install Highway.
#include "runtime/hccl/reduce/reduce.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

// GCC's scalable vectors have no size, and this code copies vectors as objects.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/hccl/reduce/reduce.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must be included before this header.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hccl::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// How elements of a type are loaded and stored. All arithmetic is done in type Lane.
template <class T>
struct Plain {
  using Lane = T;
  static constexpr std::size_t kBytes = sizeof(T);
  // Addresses are unaligned. A single lane goes through a register: a vector load after the store
  // of a part of it would stall.
  template <class D>
  static HWY_ATTR hn::Vec<D> load(D d, const std::byte* from) {
    if constexpr (hn::MaxLanes(D()) == 1) {
      T lane;
      std::memcpy(&lane, from, sizeof lane);
      return hn::Set(d, lane);
    } else {
      hn::Vec<D> value = hn::Zero(d);
      std::memcpy(&value, from, sizeof(value));
      return value;
    }
  }
  template <class D>
  static HWY_ATTR void store(D, hn::Vec<D> value, std::byte* to) {
    if constexpr (hn::MaxLanes(D()) == 1) {
      const T lane = hn::GetLane(value);
      std::memcpy(to, &lane, sizeof lane);
    } else {
      std::memcpy(to, &value, sizeof(value));
    }
  }
};

template <class D>
using Halves = hn::Rebind<std::uint16_t, D>;

struct Fp16 {
  using Lane = float;
  static constexpr std::size_t kBytes = 2;
  template <class D>
  static HWY_ATTR hn::Vec<D> load(D d, const std::byte* from) {
    const hn::Rebind<hwy::float16_t, D> halves;
    hn::Vec<decltype(halves)> bits;
    std::memcpy(&bits, from, hn::Lanes(d) * kBytes);
    return hn::PromoteTo(d, bits);
  }
  template <class D>
  static HWY_ATTR void store(D d, hn::Vec<D> value, std::byte* to) {
    const hn::Rebind<hwy::float16_t, D> halves;
    const auto bits = hn::DemoteTo(halves, value);
    std::memcpy(to, &bits, hn::Lanes(d) * kBytes);
  }
};

struct Bfp16 {
  using Lane = float;
  static constexpr std::size_t kBytes = 2;
  template <class D>
  static HWY_ATTR hn::Vec<D> load(D d, const std::byte* from) {
    const hn::RebindToUnsigned<D> words;
    hn::Vec<Halves<D>> bits;
    std::memcpy(&bits, from, hn::Lanes(d) * kBytes);
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(words, bits)));
  }
  // Highway's own conversion truncates or rounds, depending on the target.
  template <class D>
  static HWY_ATTR void store(D d, hn::Vec<D> value, std::byte* to) {
    const hn::RebindToUnsigned<D> words;
    const auto bits = hn::BitCast(words, value);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1));
    const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(words, 0x7fff)));
    const auto quiet = hn::Or(bits, hn::Set(words, 0x400000));  // a NaN stays a NaN
    const auto is_nan = hn::RebindMask(words, hn::IsNaN(value));
    const auto high = hn::ShiftRight<16>(hn::IfThenElse(is_nan, quiet, rounded));
    const auto halves = hn::DemoteTo(Halves<D>(), hn::BitCast(hn::RebindToSigned<D>(), high));
    std::memcpy(to, &halves, hn::Lanes(d) * kBytes);
  }
};

struct Sum {
  template <class D>
  static HWY_ATTR hn::Vec<D> of(D, hn::Vec<D> a, hn::Vec<D> b) {
    return hn::Add(a, b);
  }
};
// Uses comparisons, because the result of Min and Max for NaN depends on the target.
struct Max {
  template <class D>
  static HWY_ATTR hn::Vec<D> of(D, hn::Vec<D> a, hn::Vec<D> b) {
    return hn::IfThenElse(hn::Lt(a, b), b, a);
  }
};
struct Min {
  template <class D>
  static HWY_ATTR hn::Vec<D> of(D, hn::Vec<D> a, hn::Vec<D> b) {
    return hn::IfThenElse(hn::Lt(b, a), b, a);
  }
};
struct Product {
  template <class D>
  static HWY_ATTR hn::Vec<D> of(D d, hn::Vec<D> a, hn::Vec<D> b) {
    using T = hn::TFromD<D>;
    if constexpr (std::is_floating_point_v<T>) {
      return hn::Mul(a, b);
    } else {  // not every target multiplies integers of every size
      constexpr std::size_t kLanes = hn::MaxLanes(D());
      T left[kLanes], right[kLanes];
      std::memcpy(left, &a, sizeof left);
      std::memcpy(right, &b, sizeof right);
      using Wide = std::make_unsigned_t<T>;
      for (std::size_t i = 0; i < kLanes; ++i) {
        const auto product = static_cast<std::uint64_t>(static_cast<Wide>(left[i])) *
                             static_cast<std::uint64_t>(static_cast<Wide>(right[i]));
        left[i] = static_cast<T>(static_cast<Wide>(product));
      }
      hn::Vec<D> result = hn::Zero(d);
      std::memcpy(&result, left, sizeof left);
      return result;
    }
  }
};

using Sources = std::span<const std::byte* const>;
using Targets = std::span<std::byte* const>;

/// Reduces as many whole vectors as fit from `at` on. Each is read from all sources before a target
/// is written. Returns the end of the last vector.
template <class Format, class Op, class D>
HWY_ATTR std::size_t reduce_vectors(D d, Sources sources, Targets targets, std::size_t at,
                                    std::size_t bytes) {
  const std::size_t step = hn::Lanes(d) * Format::kBytes;
  for (; at + step <= bytes; at += step) {
    auto value = Format::load(d, sources[0] + at);
    for (std::size_t s = 1; s < sources.size(); ++s) {
      value = Op::of(d, value, Format::load(d, sources[s] + at));
    }
    for (std::byte* const target : targets) Format::store(d, value, target + at);
  }
  return at;
}

/// The remainder is reduced in shorter vectors, and then element by element.
template <class Format, class Op>
HWY_ATTR void reduce_all(Sources sources, Targets targets, std::size_t count) {
  using Lane = typename Format::Lane;
  const hn::ScalableTag<Lane> whole;
  const hn::CappedTag<Lane, 16 / sizeof(Lane)> part;
  const hn::CappedTag<Lane, 1> one;
  const std::size_t bytes = count * Format::kBytes;
  std::size_t at = reduce_vectors<Format, Op>(whole, sources, targets, 0, bytes);
  at = reduce_vectors<Format, Op>(part, sources, targets, at, bytes);
  reduce_vectors<Format, Op>(one, sources, targets, at, bytes);
}

template <class Format>
HWY_ATTR void reduce_by(HcclReduceOp op, Sources sources, Targets targets, std::size_t count) {
  switch (op) {
    case HCCL_REDUCE_SUM:
      return reduce_all<Format, Sum>(sources, targets, count);
    case HCCL_REDUCE_PROD:
      return reduce_all<Format, Product>(sources, targets, count);
    case HCCL_REDUCE_MAX:
      return reduce_all<Format, Max>(sources, targets, count);
    case HCCL_REDUCE_MIN:
      return reduce_all<Format, Min>(sources, targets, count);
    default:
      return;
  }
}

HWY_ATTR void reduce_here(HcclDataType type, HcclReduceOp op, Sources sources, Targets targets,
                          std::size_t count) {
  switch (type) {
    case HCCL_DATA_TYPE_INT8:
      return reduce_by<Plain<std::int8_t>>(op, sources, targets, count);
    case HCCL_DATA_TYPE_INT16:
      return reduce_by<Plain<std::int16_t>>(op, sources, targets, count);
    case HCCL_DATA_TYPE_INT32:
      return reduce_by<Plain<std::int32_t>>(op, sources, targets, count);
    case HCCL_DATA_TYPE_INT64:
      return reduce_by<Plain<std::int64_t>>(op, sources, targets, count);
    case HCCL_DATA_TYPE_UINT64:
      return reduce_by<Plain<std::uint64_t>>(op, sources, targets, count);
    case HCCL_DATA_TYPE_FP16:
      return reduce_by<Fp16>(op, sources, targets, count);
    case HCCL_DATA_TYPE_BFP16:
      return reduce_by<Bfp16>(op, sources, targets, count);
    case HCCL_DATA_TYPE_FP32:
      return reduce_by<Plain<float>>(op, sources, targets, count);
    case HCCL_DATA_TYPE_FP64:
      return reduce_by<Plain<double>>(op, sources, targets, count);
    default:
      return;
  }
}

}  // namespace hccl::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hccl {
namespace {

using Reduce = void (*)(HcclDataType, HcclReduceOp, std::span<const std::byte* const>,
                        std::span<std::byte* const>, std::size_t);

Reduce choose() noexcept {
#if HWY_ARCH_X86_64 && (HWY_TARGETS & HWY_AVX3)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("f16c")) {
    return N_AVX3::reduce_here;
  }
#endif
#if HWY_ARCH_X86_64 && (HWY_TARGETS & HWY_AVX2)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c")) {
    return N_AVX2::reduce_here;
  }
#endif
  return HWY_STATIC_DISPATCH(reduce_here);
}

}  // namespace

void reduce(HcclDataType type, HcclReduceOp op, std::span<const std::byte* const> sources,
            std::span<std::byte* const> targets, std::size_t count) {
  static const Reduce chosen = choose();
  chosen(type, op, sources, targets, count);
}

}  // namespace hccl
#endif
