// SPDX-License-Identifier: Apache-2.0
// Names in generated code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace op_build {

/// The file and the kernel of an operator: "conv2_d_custom" of "Conv2DCustom".
std::string snake_case(std::string_view type);
/// A parameter in C: "negativeSlope" of "negative_slope".
std::string camel_case(std::string_view name);
std::string upper_case(std::string_view name);

struct TypeName {
  int number;          // ge::DataType
  const char* define;  // DT_FLOAT16
  const char* kernel;  // the type in kernels
  const char* json;
};
/// Null for a type that kernels do not have.
const TypeName* type_name(int number);
const std::vector<TypeName>& type_names();

struct FormatName {
  int number;  // ge::Format
  const char* name;
};
const std::vector<FormatName>& format_names();
const char* format_name(int number);

}  // namespace op_build
