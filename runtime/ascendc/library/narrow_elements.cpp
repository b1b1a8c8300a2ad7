// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/library/narrow_elements.h"

#include "ascendc/impl/narrow.h"

namespace ascendc::library {
namespace {

namespace narrow = aclsim_narrow;

double value_of(std::uint8_t element, std::uint8_t code) {
  switch (element) {
    case ACLSIM_FP8_E4M3FN:
      return narrow::decode(narrow::kE4M3, code);
    case ACLSIM_FP8_E5M2:
      return narrow::decode(narrow::kE5M2, code);
    case ACLSIM_FP8_E8M0:
      return narrow::decode_e8m0(code);
    case ACLSIM_HIFLOAT8:
      return narrow::decode_hifloat8(code);
    case ACLSIM_FP4_E1M2:
      return narrow::decode(narrow::kE1M2, code);
    case ACLSIM_FP4_E2M1:
      return narrow::decode(narrow::kE2M1, code);
    default:
      return (code ^ 0x8) - 0x8;  // int4b_t
  }
}

std::uint8_t code_of(std::uint8_t element, float value, std::int32_t mode, bool saturates) {
  const bool usual = mode >= narrow::kRint && mode <= narrow::kTrunc;
  switch (element) {
    case ACLSIM_FP8_E4M3FN:
      return narrow::encode(narrow::kE4M3, value, narrow::kRint, saturates);
    case ACLSIM_FP8_E5M2:
      return narrow::encode(narrow::kE5M2, value, narrow::kRint, saturates);
    case ACLSIM_HIFLOAT8:
      return narrow::encode_hifloat8(value, mode, saturates);
    case ACLSIM_FP4_E1M2:
      return narrow::encode(narrow::kE1M2, value, usual ? mode : narrow::kRint, saturates);
    default:
      return narrow::encode(narrow::kE2M1, value, usual ? mode : narrow::kRint, saturates);
  }
}

}  // namespace

bool is_narrow(std::uint8_t element) noexcept {
  return element == ACLSIM_INT4 || element > ACLSIM_OTHER_ELEMENT;
}

unsigned elements_per_byte(std::uint8_t element) noexcept {
  return element == ACLSIM_INT4 || element >= ACLSIM_FP4_E1M2 ? 2 : 1;
}

void load_narrow(const Call& call, unsigned operand, std::uint64_t number, double* to) {
  const std::uint8_t element = call.element(operand);
  const auto* const bytes = call.at<std::uint8_t>(operand);
  const bool pairs = elements_per_byte(element) == 2;
  for (std::uint64_t i = 0; i < number; ++i) {
    const std::uint8_t code = pairs ? narrow::half_byte(bytes[i / 2], i % 2) : bytes[i];
    to[i] = value_of(element, code);
  }
}

void store_narrow(const Call& call, unsigned operand, std::uint64_t number, const double* from,
                  std::int64_t mode) {
  const std::uint8_t element = call.element(operand);
  auto* const bytes = call.at<std::uint8_t>(operand);
  const bool pairs = elements_per_byte(element) == 2;
  for (std::uint64_t i = 0; i < number; ++i) {
    const unsigned code = code_of(element, static_cast<float>(from[i]),
                                  static_cast<std::int32_t>(mode), call.saturates());
    std::uint8_t& byte = bytes[pairs ? i / 2 : i];
    if (!pairs) {
      byte = static_cast<std::uint8_t>(code);
    } else {
      byte =
          static_cast<std::uint8_t>(i % 2 == 0 ? (byte & 0xf0U) | code : (byte & 0xfU) | code << 4);
    }
  }
}

}  // namespace ascendc::library
