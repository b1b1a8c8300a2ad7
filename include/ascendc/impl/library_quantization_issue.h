/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configurations of the library's quantisation, the pairs of types that it takes, and its
 * calls as numbers (aclsimQuantNumber).
 */
#ifndef ASCENDC_IMPL_LIBRARY_QUANTIZATION_ISSUE_H_
#define ASCENDC_IMPL_LIBRARY_QUANTIZATION_ISSUE_H_

#include "ascendc/impl/library.h"
#include "ascendc/impl/types.h"

namespace AscendC {

/* Counts that are not 0 replace the counts of the call. */
struct AscendQuantConfig {
  constexpr AscendQuantConfig(const uint32_t calc, const uint32_t offsets, const uint32_t scales,
                              const uint32_t work)
      : calcCount(calc), offsetCount(offsets), scaleCount(scales), workLocalSize(work) {}
  uint32_t calcCount = 0;
  uint32_t offsetCount = 0;
  uint32_t scaleCount = 0;
  uint32_t workLocalSize = 0;
#if !defined(__NPU_ARCH__) || __NPU_ARCH__ == 3510
  constexpr AscendQuantConfig(const uint32_t calc, const uint32_t offsets, const uint32_t scales,
                              const uint32_t work, const bool has, const int32_t axis,
                              const RoundMode mode)
      : calcCount(calc),
        offsetCount(offsets),
        scaleCount(scales),
        workLocalSize(work),
        hasOffset(has),
        kDim(axis),
        roundMode(mode) {}
  constexpr AscendQuantConfig(const bool has, const int32_t axis = 1,
                              const RoundMode mode = RoundMode::CAST_RINT)
      : hasOffset(has), kDim(axis), roundMode(mode) {}
  bool hasOffset = false;
  int32_t kDim = 1;
  RoundMode roundMode = RoundMode::CAST_RINT;
#endif
};
inline constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG = {0, 0, 0, 0};
enum class AscendQuantPolicy : int32_t {
  PER_TENSOR,
  PER_CHANNEL,
  PER_TOKEN,
  PER_GROUP,
  PER_CHANNEL_PER_GROUP,
  PER_TOKEN_PER_GROUP
};
struct AscendQuantParam {
  uint32_t m;
  uint32_t n;
  uint32_t calCount;
  uint32_t groupSize = 0;
};

struct DequantParams {
  uint32_t m;
  uint32_t n;
  uint32_t calCount;
};
struct AscendDeQuantConfig {
  bool hasOffset;
  int32_t kDim = 1;
};
enum class AscendDeQuantPolicy : int32_t {
  PER_TOKEN,
  PER_GROUP,
  PER_CHANNEL_PER_GROUP,
  PER_TOKEN_PER_GROUP
};
struct AscendDeQuantParam {
  uint32_t m;
  uint32_t n;
  uint32_t calCount;
  uint32_t groupSize = 0;
};

struct AntiQuantShapeInfo {
  uint32_t offsetHeight{0};
  uint32_t offsetWidth{0};
  uint32_t scaleHeight{0};
  uint32_t scaleWidth{0};
};
struct AscendAntiQuantConfig {
  bool hasOffset;
  bool isTranspose;
  int32_t kDim = 1;
};
enum class AscendAntiQuantPolicy : int32_t {
  PER_TENSOR,
  PER_CHANNEL,
  PER_TOKEN,
  PER_GROUP,
  PER_CHANNEL_PER_GROUP,
  PER_TOKEN_PER_GROUP
};
struct AscendAntiQuantParam {
  uint32_t m;
  uint32_t n;
  uint32_t calCount;
  uint32_t groupSize = 0;
};

enum class QuantizePolicy : int32_t { PER_TENSOR, PER_CHANNEL, PER_TOKEN, PER_GROUP };
struct QuantizeConfig {
  QuantizePolicy policy;
  bool hasOffset;
  RoundMode roundMode = RoundMode::CAST_RINT;
  int32_t kDim = 1;
};
struct QuantizeParams {
  uint32_t m;
  uint32_t n;
  uint32_t groupSize = 0;
};
enum class DequantizePolicy : int32_t { PER_TENSOR, PER_CHANNEL, PER_TOKEN, PER_GROUP };
struct DequantizeConfig {
  DequantizePolicy policy;
  bool hasOffset = false;
  int32_t kDim = 1;
};
struct DequantizeParams {
  uint32_t m;
  uint32_t n;
  uint32_t groupSize = 0;
};
enum class AntiQuantizePolicy : int32_t { PER_TENSOR, PER_CHANNEL, PER_TOKEN, PER_GROUP };
struct AntiQuantizeConfig {
  AntiQuantizePolicy policy;
  bool hasOffset;
  int32_t kDim = 1;
};
struct AntiQuantizeParams {
  uint32_t m;
  uint32_t n;
  uint32_t groupSize = 0;
};

}  // namespace AscendC

namespace aclsim_quantize {

using aclsim_library::Call;
using aclsim_library::IsTensor;
using AscendC::LocalTensor;

/* An operand that a call lacks. */
struct None {};
inline constexpr None kNone{};

struct Numbers {
  int64_t of[ACLSIM_QUANT_NUMBERS] = {};
  int64_t& operator[](aclsimQuantNumber number) { return of[number]; }
};

// ---- numbers -----------------------------------------------------------------------------------

inline Numbers flat(uint32_t width, uint32_t count) {
  Numbers numbers;
  numbers[ACLSIM_QUANT_FORM] = ACLSIM_QUANT_FLAT;
  numbers[ACLSIM_QUANT_N] = width;
  numbers[ACLSIM_QUANT_COUNT] = count;
  numbers[ACLSIM_QUANT_ROUND] = static_cast<int64_t>(AscendC::RoundMode::CAST_RINT);
  return numbers;
}
/* AscendQuant with one scale, or with one for each channel. */
inline Numbers values_of(const AscendC::AscendQuantConfig& config, uint32_t count) {
  const bool constant = config.calcCount != 0 && config.workLocalSize != 0;
  Numbers numbers = flat(0, constant ? config.calcCount : count);
  if (constant) numbers[ACLSIM_QUANT_WORK] = config.workLocalSize;
  numbers[ACLSIM_QUANT_HAS_OFFSET] = 1;
  numbers[ACLSIM_QUANT_IN_HALF] = ACLSIM_HERE(1, 0);
  return numbers;
}
inline Numbers channels_of(const AscendC::AscendQuantConfig& config, uint32_t scales,
                           uint32_t offsets, uint32_t count) {
  const bool constant =
      config.calcCount != 0 && config.workLocalSize != 0 && config.scaleCount != 0;
  Numbers numbers =
      flat(constant ? config.scaleCount : scales, constant ? config.calcCount : count);
  numbers[ACLSIM_QUANT_GROUP] = constant ? config.scaleCount : offsets;
  if (constant) numbers[ACLSIM_QUANT_WORK] = config.workLocalSize;
  numbers[ACLSIM_QUANT_HAS_OFFSET] = 1;
  numbers[ACLSIM_QUANT_IN_HALF] = ACLSIM_HERE(1, 0);
  return numbers;
}

/* The matrix of AscendDequant; one long row may count as rows of calCount. */
template <typename D>
Numbers rows_of(const AscendC::DequantParams& params, AscendC::DeQuantMode mode) {
  Numbers numbers;
  const bool single = mode == AscendC::DeQuantMode::DEQUANT_WITH_SINGLE_ROW && params.m == 1 &&
                      params.calCount != 0 && params.calCount % (32 / sizeof(D)) == 0 &&
                      params.n % params.calCount == 0;
  numbers[ACLSIM_QUANT_FORM] = ACLSIM_QUANT_ROWS;
  numbers[ACLSIM_QUANT_M] = single ? params.n / params.calCount : params.m;
  numbers[ACLSIM_QUANT_N] = single ? params.calCount : params.n;
  numbers[ACLSIM_QUANT_COUNT] = params.calCount;
  return numbers;
}

inline void put_shape(Numbers& numbers, aclsimQuantNumber height, aclsimQuantNumber width,
                      uint32_t rows, uint32_t columns) {
  numbers[height] = rows;
  numbers[width] = columns;
}
template <typename T>
void put_shape_of(Numbers& numbers, aclsimQuantNumber height, aclsimQuantNumber width,
                  const LocalTensor<T>& tensor) {
  const AscendC::ShapeInfo shape = tensor.GetShapeInfo();
  if (shape.shapeDim == 1) put_shape(numbers, height, width, 1, shape.shape[0]);
  if (shape.shapeDim == 2) put_shape(numbers, height, width, shape.shape[0], shape.shape[1]);
}
template <typename T>
void put_shape_of(Numbers&, aclsimQuantNumber, aclsimQuantNumber, const T&) {}

/* The shapes come from shapeInfo, else from the tensors; 0: unknown. */
template <typename D, typename Scale, typename Offset>
Numbers weights_of(bool transposed, uint32_t elements, uint32_t k,
                   const AscendC::AntiQuantShapeInfo& shape, const Scale& scale,
                   const Offset& offset) {
  Numbers numbers;
  numbers[ACLSIM_QUANT_FORM] = ACLSIM_QUANT_WEIGHTS;
  numbers[ACLSIM_QUANT_AXIS] = transposed;
  numbers[ACLSIM_QUANT_M] = elements;
  numbers[ACLSIM_QUANT_N] = k;
  numbers[ACLSIM_QUANT_HAS_OFFSET] = !std::is_same_v<Offset, None>;
  numbers[ACLSIM_QUANT_IN_HALF] = ACLSIM_HERE((std::is_same_v<D, half>), 0);
  if (shape.scaleHeight != 0 && shape.scaleWidth != 0) {
    put_shape(numbers, ACLSIM_QUANT_SCALE_HEIGHT, ACLSIM_QUANT_SCALE_WIDTH, shape.scaleHeight,
              shape.scaleWidth);
  } else {
    put_shape_of(numbers, ACLSIM_QUANT_SCALE_HEIGHT, ACLSIM_QUANT_SCALE_WIDTH, scale);
  }
  if (shape.offsetHeight != 0 && shape.offsetWidth != 0) {
    put_shape(numbers, ACLSIM_QUANT_OFFSET_HEIGHT, ACLSIM_QUANT_OFFSET_WIDTH, shape.offsetHeight,
              shape.offsetWidth);
  } else {
    put_shape_of(numbers, ACLSIM_QUANT_OFFSET_HEIGHT, ACLSIM_QUANT_OFFSET_WIDTH, offset);
  }
  return numbers;
}

inline Numbers by_policy(aclsimQuantPolicy policy, int32_t axis, uint32_t m, uint32_t n,
                         uint64_t count, uint32_t group, bool has_offset) {
  Numbers numbers;
  numbers[ACLSIM_QUANT_FORM] = ACLSIM_QUANT_POLICY;
  numbers[ACLSIM_QUANT_BY] = policy;
  numbers[ACLSIM_QUANT_AXIS] = axis;
  numbers[ACLSIM_QUANT_M] = m;
  numbers[ACLSIM_QUANT_N] = n;
  numbers[ACLSIM_QUANT_COUNT] = static_cast<int64_t>(count);
  numbers[ACLSIM_QUANT_GROUP] = group;
  numbers[ACLSIM_QUANT_ROUND] = static_cast<int64_t>(AscendC::RoundMode::CAST_RINT);
  numbers[ACLSIM_QUANT_HAS_OFFSET] = has_offset;
  return numbers;
}
/* The policies by token and by group. */
template <typename Param>
Numbers by_policy(bool groups, int32_t axis, const Param& para, bool has_offset) {
  return by_policy(groups ? ACLSIM_PER_GROUP : ACLSIM_PER_TOKEN, axis, para.m, para.n,
                   para.calCount, para.groupSize, has_offset);
}

template <typename Config, typename Params>
Numbers configured(const Config& config, const Params& params) {
  return by_policy(static_cast<aclsimQuantPolicy>(config.policy), config.kDim, params.m, params.n,
                   uint64_t{params.m} * params.n, params.groupSize, config.hasOffset);
}
template <typename Params>
Numbers configured(const AscendC::QuantizeConfig& config, const Params& params) {
  Numbers numbers =
      by_policy(static_cast<aclsimQuantPolicy>(config.policy), config.kDim, params.m, params.n,
                uint64_t{params.m} * params.n, params.groupSize, config.hasOffset);
  numbers[ACLSIM_QUANT_ROUND] = static_cast<int64_t>(config.roundMode);
  return numbers;
}

// ---- pairs of types ----------------------------------------------------------------------------

template <typename T>
struct ElementOf {
  using type = T;
};
template <typename T>
struct ElementOf<LocalTensor<T>> {
  using type = T;
};
template <typename T>
using Element = typename ElementOf<T>::type;

/* The scale has the type of the other tensor, or is float. */
template <typename T, typename Scale>
constexpr bool same_or_float() {
  return std::is_same_v<Scale, T> || std::is_same_v<Scale, float>;
}
/* By channel, or one value. */
template <typename D, typename Scale>
constexpr bool dequants(bool tensor) {
  if (std::is_same_v<D, half>) return tensor && std::is_same_v<Scale, uint64_t>;
  return (std::is_same_v<D, float> || std::is_same_v<D, bfloat16_t>)&&(
      std::is_same_v<Scale, float> || std::is_same_v<Scale, bfloat16_t>);
}
template <typename T>
constexpr bool is_tensor() {
  return IsTensor<std::remove_cv_t<std::remove_reference_t<T>>>::value;
}
template <typename D>
constexpr bool is_float() {
  return std::is_same_v<D, half> || std::is_same_v<D, bfloat16_t> || std::is_same_v<D, float>;
}

/* The types of 8 bits, and the types of 4 bits, which only groups have. */
template <typename T>
constexpr bool is_eight() {
  return std::is_same_v<T, int8_t> ||
         (ACLSIM_HERE(false, true) &&
          aclsim_vector::among<T>(ACLSIM_BIT(ACLSIM_E4M3) | ACLSIM_BIT(ACLSIM_E5M2) |
                                  ACLSIM_BIT(ACLSIM_HIF8)));
}
template <typename T>
constexpr bool is_four() {
  return aclsim_vector::among<T>(ACLSIM_BIT(ACLSIM_E1M2) | ACLSIM_BIT(ACLSIM_E2M1));
}
/* Weights of 4 bits have scales of their own type. */
template <typename D, typename S, typename Scale, bool groups>
constexpr bool antiquants() {
  if (!is_four<S>()) return is_float<D>() && same_or_float<D, Scale>();
  return groups && std::is_same_v<Scale, fp8_e8m0_t> && !std::is_same_v<D, float> && is_float<D>();
}

#define ACLSIM_QUANT_TYPES(Name, condition)                                                 \
  static_assert(condition, "AscendC::" #Name                                                \
                           ": there is no such function for these types of dst, scale and " \
                           "offset on this architecture (docs/kernel_functions.md)")
/* Scale and offset must be tensors or values as the policy requires. */
#define ACLSIM_QUANT_KINDS(Name, tensor, Scale, Offset, has_offset)                          \
  static_assert(IsTensor<Scale>::value == (tensor),                                          \
                "AscendC::" #Name                                                            \
                ": scale is a value with PER_TENSOR, and a tensor with the other policies"); \
  static_assert(!(has_offset) || (tensor) || !IsTensor<Offset>::value,                       \
                "AscendC::" #Name ": offset is no value, as PER_TENSOR expects it")

template <AscendC::QuantizePolicy policy, typename D, typename S, typename Scale, typename Offset,
          bool has_offset>
constexpr void require_Quantize() {
  constexpr bool kTensor = policy != AscendC::QuantizePolicy::PER_TENSOR;
  ACLSIM_QUANT_KINDS(Quantize, kTensor, Scale, Offset, has_offset);
  constexpr bool kGroups = policy == AscendC::QuantizePolicy::PER_GROUP;
  static_assert(!is_four<D>() || !has_offset,
                "AscendC::Quantize: hasOffset is true; expected false with numbers of 4 bits");
  ACLSIM_QUANT_TYPES(Quantize, ((is_eight<D>() || (kGroups && is_four<D>())) &&
                                (!kTensor || same_or_float<S, Element<Scale>>())));
}
template <AscendC::DequantizePolicy policy, typename D, typename S, typename Scale, typename Offset,
          bool has_offset>
constexpr void require_Dequantize() {
  using AscendC::DequantizePolicy;
  constexpr bool kTensor = policy != DequantizePolicy::PER_TENSOR;
  constexpr bool kNarrow =
      policy == DequantizePolicy::PER_TENSOR || policy == DequantizePolicy::PER_CHANNEL;
  static_assert(!has_offset, "AscendC::Dequantize: hasOffset is true; expected false");
  ACLSIM_QUANT_KINDS(Dequantize, kTensor, Scale, Offset, has_offset);
  ACLSIM_QUANT_TYPES(Dequantize,
                     (kNarrow ? std::is_same_v<S, int32_t> && dequants<D, Element<Scale>>(kTensor)
                              : is_float<D>() && same_or_float<D, Element<Scale>>()));
}
template <AscendC::AntiQuantizePolicy policy, typename D, typename S, typename Scale,
          typename Offset, bool has_offset>
constexpr void require_AntiQuantize() {
  using AscendC::AntiQuantizePolicy;
  constexpr bool kTensor = policy != AntiQuantizePolicy::PER_TENSOR;
  constexpr bool kNarrow =
      policy == AntiQuantizePolicy::PER_TENSOR || policy == AntiQuantizePolicy::PER_CHANNEL;
  ACLSIM_QUANT_KINDS(AntiQuantize, kTensor, Scale, Offset, has_offset);
  constexpr bool kGroups = policy == AntiQuantizePolicy::PER_GROUP;
  static_assert(!is_four<S>() || !has_offset,
                "AscendC::AntiQuantize: hasOffset is true; expected false with numbers of 4 bits");
  ACLSIM_QUANT_TYPES(AntiQuantize, (kNarrow ? !is_four<S>() && std::is_same_v<D, Element<Scale>> &&
                                                  !std::is_same_v<D, float> && is_float<D>()
                                            : antiquants<D, S, Element<Scale>, kGroups>()));
}

#if defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510
#define ACLSIM_QUANT_BY_TOKEN_OR_GROUP(Name, policy, Policy)                                  \
  static_assert(policy == AscendC::Policy::PER_TOKEN || policy == AscendC::Policy::PER_GROUP, \
                "AscendC::" #Name ": this policy is reserved; expected PER_TOKEN or PER_GROUP")

template <typename D, typename S, typename Scale, const AscendC::AscendQuantConfig& config,
          const AscendC::AscendQuantPolicy& policy>
Numbers quant_policy(const AscendC::AscendQuantParam& para) {
  ACLSIM_QUANT_BY_TOKEN_OR_GROUP(AscendQuant, policy, AscendQuantPolicy);
  constexpr bool kGroups = policy == AscendC::AscendQuantPolicy::PER_GROUP;
  ACLSIM_QUANT_TYPES(AscendQuant, ((is_eight<D>() || (kGroups && !std::is_same_v<S, float>)) &&
                                   same_or_float<S, Scale>()));
  /* Numbers of 4 bits have no offset. */
  Numbers numbers = by_policy(kGroups, config.kDim, para, config.hasOffset && !is_four<D>());
  numbers[ACLSIM_QUANT_ROUND] = static_cast<int64_t>(config.roundMode);
  return numbers;
}
template <typename D, typename Scale, const AscendC::AscendDeQuantConfig& config,
          const AscendC::AscendDeQuantPolicy& policy>
Numbers dequant_policy(const AscendC::AscendDeQuantParam& para) {
  ACLSIM_QUANT_BY_TOKEN_OR_GROUP(AscendDequant, policy, AscendDeQuantPolicy);
  ACLSIM_QUANT_TYPES(AscendDequant, (is_float<D>() && same_or_float<D, Scale>()));
  return by_policy(policy == AscendC::AscendDeQuantPolicy::PER_GROUP, config.kDim, para, false);
}
template <typename D, typename S, typename Scale, const AscendC::AscendAntiQuantConfig& config,
          const AscendC::AscendAntiQuantPolicy& policy>
Numbers antiquant_policy(const AscendC::AscendAntiQuantParam& para) {
  constexpr bool kGroups = policy == AscendC::AscendAntiQuantPolicy::PER_GROUP;
  ACLSIM_QUANT_BY_TOKEN_OR_GROUP(AscendAntiQuant, policy, AscendAntiQuantPolicy);
  ACLSIM_QUANT_TYPES(AscendAntiQuant, (antiquants<D, S, Scale, kGroups>()));
  static_assert(kGroups || !config.isTranspose,
                "AscendC::AscendAntiQuant: isTranspose with PER_TOKEN is not emulated");
  return by_policy(kGroups, config.isTranspose ? 1 - config.kDim : config.kDim, para,
                   config.hasOffset && !is_four<S>());
}
/* Weights of 4 bits, k x n or transposed n x k: 32 numbers along k have a scale. */
inline Numbers weights_of_four(bool transposed, uint32_t elements, uint32_t k) {
  const uint32_t n = k == 0 ? 0 : elements / k;
  return by_policy(ACLSIM_PER_GROUP, transposed ? 1 : 0, transposed ? n : k, transposed ? k : n,
                   uint64_t{k} * n, 32, false);
}
#undef ACLSIM_QUANT_BY_TOKEN_OR_GROUP
#endif

// ---- the call ----------------------------------------------------------------------------------

template <typename T>
void put(Call& call, int64_t& /*bits*/, const LocalTensor<T>& tensor) {
  call.from(tensor);
}
inline void put(Call& call, int64_t& /*bits*/, const None&) { call.none(); }
template <typename T>
void put(Call& call, int64_t& bits, const T& value) {
  call.none();
  bits = static_cast<int64_t>(aclsim_vector::bits_of(static_cast<float>(value)));
}

template <typename D, typename S, typename Scale, typename Offset>
void issue(Call call, Numbers numbers, const LocalTensor<D>& dst, const LocalTensor<S>& src,
           const Scale& scale, const Offset& offset, const LocalTensor<uint8_t>* tmp) {
  call.to(dst).from(src);
  put(call, numbers[ACLSIM_QUANT_SCALE], scale);
  if (numbers[ACLSIM_QUANT_HAS_OFFSET] != 0) {
    put(call, numbers[ACLSIM_QUANT_OFFSET], offset);
  } else {
    call.none();
  }
  if (tmp != nullptr) {
    call.to(*tmp);
  } else {
    call.none();
  }
  for (const int64_t number : numbers.of) call.number(number);
  call.go();
}

}  // namespace aclsim_quantize

#endif /* ASCENDC_IMPL_LIBRARY_QUANTIZATION_ISSUE_H_ */
