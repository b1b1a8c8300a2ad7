// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/operators/names.h"

#include <algorithm>

namespace op_build {
namespace {

bool upper(char c) { return c >= 'A' && c <= 'Z'; }
bool lower(char c) { return c >= 'a' && c <= 'z'; }
char to_lower(char c) { return upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
char to_upper(char c) { return lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

std::string snake_case(std::string_view type) {
  std::string made;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const bool word_begins = i > 0 && upper(type[i]) &&
                             (!upper(type[i - 1]) || (i + 1 < type.size() && lower(type[i + 1])));
    if (word_begins) made += '_';
    made += to_lower(type[i]);
  }
  return made;
}

std::string camel_case(std::string_view name) {
  std::string made;
  bool word_begins = false;
  for (const char c : name) {
    if (c == '_') {
      word_begins = !made.empty();
    } else {
      made += word_begins ? to_upper(c) : c;
      word_begins = false;
    }
  }
  return made;
}

std::string upper_case(std::string_view name) {
  std::string made(name);
  std::transform(made.begin(), made.end(), made.begin(), to_upper);
  return made;
}

const std::vector<TypeName>& type_names() {
  static const std::vector<TypeName> names{
      {0, "DT_FLOAT", "float", "float32"},
      {1, "DT_FLOAT16", "half", "float16"},
      {2, "DT_INT8", "int8_t", "int8"},
      {3, "DT_INT32", "int32_t", "int32"},
      {4, "DT_UINT8", "uint8_t", "uint8"},
      {6, "DT_INT16", "int16_t", "int16"},
      {7, "DT_UINT16", "uint16_t", "uint16"},
      {8, "DT_UINT32", "uint32_t", "uint32"},
      {9, "DT_INT64", "int64_t", "int64"},
      {10, "DT_UINT64", "uint64_t", "uint64"},
      {11, "DT_DOUBLE", "double", "double"},
      {12, "DT_BOOL", "bool", "bool"},
      {27, "DT_BF16", "bfloat16_t", "bfloat16"},
      {29, "DT_INT4", "int4b_t", "int4"},
      {34, "DT_HIFLOAT8", "hifloat8_t", "hifloat8"},
      {35, "DT_FLOAT8_E5M2", "fp8_e5m2_t", "float8_e5m2"},
      {36, "DT_FLOAT8_E4M3FN", "fp8_e4m3fn_t", "float8_e4m3fn"},
      {37, "DT_FLOAT8_E8M0", "fp8_e8m0_t", "float8_e8m0"},
  };
  return names;
}

const TypeName* type_name(int number) {
  for (const TypeName& each : type_names()) {
    if (each.number == number) return &each;
  }
  return nullptr;
}

const std::vector<FormatName>& format_names() {
  static const std::vector<FormatName> names{
      {0, "NCHW"},          {1, "NHWC"},   {2, "ND"},          {3, "NC1HWC0"}, {4, "FRACTAL_Z"},
      {16, "HWCN"},         {27, "NDHWC"}, {29, "FRACTAL_NZ"}, {30, "NCDHW"},  {32, "NDC1HWC0"},
      {33, "FRACTAL_Z_3D"}, {47, "NCL"},
  };
  return names;
}

const char* format_name(int number) {
  for (const FormatName& each : format_names()) {
    if (each.number == number) return each.name;
  }
  return nullptr;
}

}  // namespace op_build
