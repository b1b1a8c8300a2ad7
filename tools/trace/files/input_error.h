// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace trace {

/// An input that cannot be read: "FILE:LINE: what is wrong; expected what". The tool exits with 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& text) : std::runtime_error(text) {}
  InputError(std::string_view path, std::string_view text)
      : std::runtime_error(fmt::format("{}: {}", path, text)) {}
  InputError(std::string_view path, std::uint64_t line, std::string_view text)
      : std::runtime_error(fmt::format("{}:{}: {}", path, line, text)) {}
};

/// A word from a file as part of a message: printable, and not longer than a line.
std::string shown(std::string_view text);

}  // namespace trace
