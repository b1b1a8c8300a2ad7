// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/base/bytes.h"

#include "runtime/fabric/base/error.h"

namespace fabric {

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> Reader::raw(std::size_t size) {
  if (size > rest_.size()) {
    throw FabricError(Status::broken, "a message is cut off: " + std::to_string(size) +
                                          " bytes expected, " + std::to_string(rest_.size()) +
                                          " are there");
  }
  const auto part = rest_.first(size);
  rest_ = rest_.subspan(size);
  return part;
}

void Reader::end() const {
  if (rest_.empty()) return;
  throw FabricError(Status::broken,
                    "a message is too long by " + std::to_string(rest_.size()) + " bytes");
}

}  // namespace fabric
