// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace aclsim {

/// The text in single quotes, for bash, zsh, fish and any shell of the Bourne family.
inline std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace aclsim
