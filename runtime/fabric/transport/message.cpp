// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/transport/message.h"

#include <atomic>
#include <cstring>

#include "runtime/fabric/transport/atomic.h"

namespace fabric {
namespace {

constexpr std::size_t kWord = 8;
std::size_t padded(std::size_t bytes) { return (bytes + kWord - 1) / kWord * kWord; }

bool inside(std::span<const std::byte> memory, std::uint64_t offset, std::size_t size) {
  return offset <= memory.size() && size <= memory.size() - offset;
}

template <class Word>
bool store_word(std::byte* to, std::span<const std::byte> bytes) {
  if (bytes.size() != sizeof(Word)) return false;
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof(Word) != 0) return false;
  Word word = 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  std::atomic_ref<Word>(*reinterpret_cast<Word*>(to)).store(word);
  return true;
}

/// Stores a few whole words, each with one atomic store.
bool store_words(std::byte* to, std::span<const std::byte> bytes) {
  constexpr std::size_t kMost = 512;
  if (bytes.size() > kMost || bytes.size() % kWord != 0) return false;
  if (reinterpret_cast<std::uintptr_t>(to) % kWord != 0) return false;
  for (; !bytes.empty(); bytes = bytes.subspan(kWord), to += kWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(to))
        .store(word, std::memory_order_release);
  }
  return true;
}

/// A thread that polls a word sees the old or the new value, never a part of the new one.
void store(std::byte* to, std::span<const std::byte> bytes) {
  if (store_words(to, bytes)) return;
  if (store_word<std::uint32_t>(to, bytes) || store_word<std::uint16_t>(to, bytes) ||
      store_word<std::uint8_t>(to, bytes)) {
    return;
  }
  std::memcpy(to, bytes.data(), bytes.size());
}

std::uint64_t obey_atomic(std::span<std::byte> memory, const Order& order) {
  const std::size_t width = order.what.width;
  const bool sound = (width == 4 || width == 8) && order.offset % width == 0 &&
                     inside(memory, order.offset, width);
  return sound ? apply(memory.data() + order.offset, order.what) : 0;
}

}  // namespace

void append(Bytes& message, const Order& order, std::span<const std::byte> bytes) {
  Order sized = order;
  sized.bytes = static_cast<std::uint32_t>(bytes.size());
  const std::size_t at = message.size();
  message.resize(at + sizeof sized + padded(bytes.size()));
  std::memcpy(message.data() + at, &sized, sizeof sized);
  if (!bytes.empty()) std::memcpy(message.data() + at + sizeof sized, bytes.data(), bytes.size());
}

bool obey(std::span<const std::byte> message, const FindMemory& find, const Answer& answer) {
  bool notified = false;
  while (message.size() >= sizeof(Order)) {
    Order order;
    std::memcpy(&order, message.data(), sizeof order);
    message = message.subspan(sizeof order);
    if (padded(order.bytes) > message.size()) break;
    std::uint64_t value = 0;
    if (order.kind == Order::Kind::put) {
      const std::span<std::byte> memory = find(order.key);
      if (order.bytes != 0 && inside(memory, order.offset, order.bytes)) {
        store(memory.data() + order.offset, message.first(order.bytes));
      }
    } else if (order.kind == Order::Kind::atomic || order.kind == Order::Kind::notify) {
      value = obey_atomic(find(order.key), order);
    }
    notified = notified || order.kind == Order::Kind::notify || order.kind == Order::Kind::wake;
    message = message.subspan(padded(order.bytes));
    if (order.answer != 0) answer(order.answer, value);
  }
  return notified;
}

}  // namespace fabric
