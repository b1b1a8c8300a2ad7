// SPDX-License-Identifier: Apache-2.0
// Shared code of the tests of ranks.
#pragma once

#include <chrono>
#include <string>

#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/base/timekeeper.h"

namespace fabrictest {

/// The limit of waits for events that do happen.
inline fabric::Moment soon() { return fabric::Timekeeper::real().in(std::chrono::seconds(60)); }

/// Bytes as one word of a line between processes.
inline std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned>(byte) >> 4];
    text += "0123456789abcdef"[static_cast<unsigned>(byte) & 15];
  }
  return text;
}

inline fabric::Bytes unhex(const std::string& text) {
  fabric::Bytes bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

}  // namespace fabrictest
