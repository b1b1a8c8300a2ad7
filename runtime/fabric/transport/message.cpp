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

std::uint64_t obey_atomic(std::span<std::byte> memory, const Request& request) {
  const std::size_t width = request.what.width;
  const bool sound = (width == 4 || width == 8) && request.offset % width == 0 &&
                     inside(memory, request.offset, width);
  return sound ? apply(memory.data() + request.offset, request.what) : 0;
}

}  // namespace

void append(Bytes& message, const Request& request, std::span<const std::byte> bytes) {
  Request sized = request;
  sized.bytes = static_cast<std::uint32_t>(bytes.size());
  const std::size_t at = message.size();
  message.resize(at + sizeof sized + padded(bytes.size()));
  std::memcpy(message.data() + at, &sized, sizeof sized);
  if (!bytes.empty()) std::memcpy(message.data() + at + sizeof sized, bytes.data(), bytes.size());
}

bool execute(std::span<const std::byte> message, const FindMemory& find, const Answer& answer) {
  bool notified = false;
  while (message.size() >= sizeof(Request)) {
    Request request;
    std::memcpy(&request, message.data(), sizeof request);
    message = message.subspan(sizeof request);
    if (padded(request.bytes) > message.size()) break;
    std::uint64_t value = 0;
    if (request.kind == Request::Kind::put) {
      const std::span<std::byte> memory = find(request.key);
      if (request.bytes != 0 && inside(memory, request.offset, request.bytes)) {
        store(memory.data() + request.offset, message.first(request.bytes));
      }
    } else if (request.kind == Request::Kind::atomic || request.kind == Request::Kind::notify) {
      value = obey_atomic(find(request.key), request);
    }
    notified =
        notified || request.kind == Request::Kind::notify || request.kind == Request::Kind::wake;
    message = message.subspan(padded(request.bytes));
    if (request.answer != 0) answer(request.answer, value);
  }
  return notified;
}

}  // namespace fabric
