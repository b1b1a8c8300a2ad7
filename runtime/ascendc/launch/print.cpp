// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "ascendc/impl/half.h"
#include "ascendc/impl/narrow.h"
#include "runtime/ascendc/vector/unit.h"

namespace ascendc {
namespace {

constexpr std::uint32_t kFirstLine = 31;  // values; following lines have 30
constexpr std::uint32_t kLine = 30;

struct ElementRow {
  std::uint8_t element;
  std::uint32_t bytes;
  const char* name;
};
constexpr ElementRow kElements[] = {
    {ACLSIM_BOOL, 1, "bool"},         {ACLSIM_INT8, 1, "int8"},
    {ACLSIM_UINT8, 1, "uint8"},       {ACLSIM_INT16, 2, "int16"},
    {ACLSIM_UINT16, 2, "uint16"},     {ACLSIM_INT32, 4, "int32"},
    {ACLSIM_UINT32, 4, "uint32"},     {ACLSIM_INT64, 8, "int64"},
    {ACLSIM_UINT64, 8, "uint64"},     {ACLSIM_HALF, 2, "float16"},
    {ACLSIM_BFLOAT16, 2, "bfloat16"}, {ACLSIM_FLOAT, 4, "float32"},
    {ACLSIM_DOUBLE, 8, "double"},     {ACLSIM_FP8_E4M3FN, 1, "fp8_e4m3fn"},
    {ACLSIM_FP8_E5M2, 1, "fp8_e5m2"}, {ACLSIM_FP8_E8M0, 1, "fp8_e8m0"},
    {ACLSIM_HIFLOAT8, 1, "hifloat8"}};

constexpr const char* kPlaces[] = {"GM", "L1", "L0A", "L1", "L0B", "L1", "BIAS",   "L0C",
                                   "GM", "UB", "UB",  "UB", "L1",  "L1", "FIXBUF", "FIXBUF"};

template <class T>
T load(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::string value_text(const void* at, std::uint8_t element) {
  switch (element) {
    case ACLSIM_BOOL:
    case ACLSIM_UINT8:
      return std::to_string(load<std::uint8_t>(at));
    case ACLSIM_INT8:
      return std::to_string(load<std::int8_t>(at));
    case ACLSIM_INT16:
      return std::to_string(load<std::int16_t>(at));
    case ACLSIM_UINT16:
      return std::to_string(load<std::uint16_t>(at));
    case ACLSIM_INT32:
      return std::to_string(load<std::int32_t>(at));
    case ACLSIM_UINT32:
      return std::to_string(load<std::uint32_t>(at));
    case ACLSIM_INT64:
      return std::to_string(load<std::int64_t>(at));
    case ACLSIM_UINT64:
      return std::to_string(load<std::uint64_t>(at));
    case ACLSIM_HALF:
      return std::to_string(static_cast<float>(load<half>(at)));
    case ACLSIM_BFLOAT16:
      return std::to_string(static_cast<float>(load<bfloat16_t>(at)));
    case ACLSIM_FP8_E4M3FN:
      return fmt::format("{:g}", static_cast<float>(load<fp8_e4m3fn_t>(at)));
    case ACLSIM_FP8_E5M2:
      return fmt::format("{:g}", static_cast<float>(load<fp8_e5m2_t>(at)));
    case ACLSIM_FP8_E8M0:
      return fmt::format("{:g}", static_cast<float>(load<fp8_e8m0_t>(at)));
    case ACLSIM_HIFLOAT8:
      return fmt::format("{:g}", static_cast<float>(load<hifloat8_t>(at)));
    case ACLSIM_DOUBLE:
      return std::to_string(load<double>(at));
    default:
      return std::to_string(load<float>(at));
  }
}

/// The brackets after the last value of `index`.
std::string in_shape(const aclsimOperand& tensor, std::uint32_t width, std::uint32_t elements,
                     std::uint32_t dims, const std::uint32_t* shape) {
  std::uint64_t total = 1;
  for (std::uint32_t i = 0; i < dims; ++i) total *= shape[i];
  std::string text(dims, '[');
  for (std::uint64_t i = 0; i < total; ++i) {
    text += i < elements
                ? value_text(static_cast<const char*>(tensor.address) + i * width, tensor.element)
                : "-";
    std::uint64_t size = 1;
    std::uint32_t closed = 0;
    while (closed < dims && (i + 1) % (size *= shape[dims - 1 - closed]) == 0) ++closed;
    text.append(closed, ']');
    if (i + 1 == total) break;
    text += closed == 0 ? ", " : ",\n";
    text.append(closed, '[');
  }
  return text + "\n";
}

std::string converted(std::string_view spec, const aclsimPrintArgument& a) {
  const bool real = a.kind == ACLSIM_PRINT_FLOAT;
  switch (spec.back()) {
    case 'd':
    case 'i':
      return std::to_string(real ? static_cast<std::int64_t>(a.real)
                                 : static_cast<std::int64_t>(a.whole));
    case 'u':
      return std::to_string(real ? static_cast<std::uint64_t>(a.real) : a.whole);
    case 'x':
      return fmt::format("{:x}", a.whole);
    case 'X':
      return fmt::format("{:X}", a.whole);
    case 'f':
    case 'F':
      return std::to_string(real ? a.real
                                 : static_cast<double>(static_cast<std::int64_t>(a.whole)));
    case 's':
      return a.kind == ACLSIM_PRINT_TEXT && a.text ? a.text : "(null)";
    default:
      return fmt::format("{:#x}", a.whole);
  }
}

}  // namespace

std::string formatted(const char* format, const aclsimPrintArgument* args, std::size_t count) {
  std::string text;
  std::size_t used = 0;
  const std::string_view all = format ? format : "";
  for (std::size_t at = 0; at < all.size();) {
    if (all[at] != '%') {
      text += all[at++];
      continue;
    }
    if (at + 1 < all.size() && all[at + 1] == '%') {
      text += '%';
      at += 2;
      continue;
    }
    std::size_t end = at + 1;
    while (end < all.size() && std::strchr("lh.0123456789-+ #zj", all[end])) ++end;
    const bool known = end < all.size() && std::strchr("diuxXfFsp", all[end]);
    if (!known || used == count) {
      text += all[at++];
      continue;
    }
    text += converted(all.substr(at, end + 1 - at), args[used++]);
    at = end + 1;
  }
  return text;
}

std::string dumped(const aclsimOperand& tensor, std::uint32_t desc, std::uint32_t elements,
                   std::uint32_t dims, const std::uint32_t* shape) {
  const auto* const row =
      std::find_if(std::begin(kElements), std::end(kElements),
                   [&](const ElementRow& r) { return r.element == tensor.element; });
  if (row == std::end(kElements))
    return fmt::format("DumpTensor: desc={}, of no type that is shown\n", desc);
  if (tensor.bytes != 0) {
    elements = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(elements, vector::room(tensor) / row->bytes));
  }
  std::string text =
      fmt::format("DumpTensor: desc={}, addr={:x}, data_type={}, position={}, dump_size={}\n", desc,
                  reinterpret_cast<std::uintptr_t>(tensor.address), row->name,
                  tensor.position < std::size(kPlaces) ? kPlaces[tensor.position] : "?", elements);
  if (dims != 0) return text + in_shape(tensor, row->bytes, elements, dims, shape);
  text += '[';
  for (std::uint32_t i = 0; i < elements; ++i) {
    if (i != 0) text += i >= kFirstLine && (i - kFirstLine) % kLine == 0 ? ",\n" : ", ";
    text += value_text(static_cast<const char*>(tensor.address) + std::size_t{i} * row->bytes,
                       tensor.element);
  }
  return text + "]\n";
}

}  // namespace ascendc
