// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/transport/late.h"

#include <utility>

namespace fabric {

std::uint64_t LateMessages::begin_put(std::uint64_t sender) {
  by_sender_[sender].push_back({++last_put_});
  return last_put_;
}

bool LateMessages::keep(std::uint64_t sender, std::span<const std::byte> message, void* back) {
  if (by_sender_.empty()) return false;
  const auto it = by_sender_.find(sender);
  if (it == by_sender_.end()) return false;
  it->second.push_back({0, Bytes(message.begin(), message.end()), back});
  return true;
}

void LateMessages::end_put(std::uint64_t sender, std::uint64_t put, const Obey& obey) {
  const auto it = by_sender_.find(sender);
  if (it == by_sender_.end()) return;
  std::deque<Item>& queue = it->second;
  std::erase_if(queue, [put](const Item& item) { return item.put == put; });
  while (!queue.empty() && queue.front().put == 0) {
    const Item next = std::move(queue.front());
    queue.pop_front();
    obey(next.message, next.back);
  }
  if (queue.empty()) by_sender_.erase(it);
}

void LateMessages::forget(void* back) {
  for (auto& [sender, queue] : by_sender_) {
    std::erase_if(queue, [back](const Item& item) { return item.put == 0 && item.back == back; });
  }
}

}  // namespace fabric
