// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>

#include "runtime/fabric/base/bytes.h"

namespace fabric {

/// Messages that have come behind puts of the same sender which are still on their way: they are kept
/// until it is their turn. Pure; one caller at a time.
class LateMessages {
 public:
  /// A put of the sender is on its way; the number to end it by.
  std::uint64_t begin_put(std::uint64_t sender);
  /// True: the message is kept, with the way back to its sender.
  bool keep(std::uint64_t sender, std::span<const std::byte> message, void* back);
  using Obey = std::function<void(std::span<const std::byte> message, void* back)>;
  /// That put has arrived. Obeys what waits for no other.
  void end_put(std::uint64_t sender, std::uint64_t put, const Obey& obey);
  /// The way back is no more.
  void forget(void* back);

 private:
  struct Item {
    std::uint64_t put = 0;  // or 0: a message
    Bytes message{};
    void* back = nullptr;
  };
  std::map<std::uint64_t, std::deque<Item>> by_sender_;
  std::uint64_t last_put_ = 0;
};

}  // namespace fabric
