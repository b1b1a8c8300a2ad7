// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tools/ascendc/translate.h"

namespace translatetest {

/// The translation of a source without the lines that are inserted in and after kernels.
inline std::string translated(std::string_view source) {
  const std::string text = kernel_compiler::translate(source, "k.asc").text;
  std::string kept;
  bool inside = false;
  bool first = true;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (line.starts_with("# 1 \"<launcher of ") || line.starts_with("# 1 \"<address of ")) {
      inside = true;
    } else if (inside && line.starts_with("# ")) {
      inside = false;
      // Blanks move the rest of the line to its original column.
      const std::size_t stop = std::min(text.find('\n', at), text.size());
      std::string_view rest = std::string_view(text).substr(at, stop - at);
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      kept += rest;
      at = stop + 1;
    } else if (!inside) {
      if (!first) kept += '\n';
      kept += line;
      first = false;
    }
  }
  return kept;
}

/// The error message of a source; empty if the source is correct.
inline std::string complaint(std::string_view source) {
  try {
    kernel_compiler::translate(source, "k.asc");
  } catch (const kernel_compiler::SourceError& error) {
    return error.what();
  }
  return {};
}

}  // namespace translatetest
