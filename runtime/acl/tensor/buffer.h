// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"

namespace acl {

class Buffer;
class Runtime;
using BufferTable = HandleTable<Buffer, HandleKind::buffer>;

/// Bytes in the host's pinned memory, shared by the buffers that refer to them.
class BufferData : public sim::RefCounted<BufferData> {
 public:
  BufferData(Runtime& runtime, std::size_t size, const void* caller);
  ~BufferData();
  void* address() const noexcept { return address_; }
  std::size_t size() const noexcept { return size_; }

 private:
  Runtime& runtime_;
  const std::size_t size_;
  void* address_ = nullptr;
  std::uint64_t serial_ = 0;
};

/// A buffer that travels through queues. It may share its data with other buffers; it has its own
/// length, a little space for the program, and a chain of buffers that follow it. Guarded by the
/// lock of Buffers.
class Buffer : public sim::RefCounted<Buffer> {
 public:
  static constexpr std::size_t kUserBytes = 96;

  explicit Buffer(sim::Ref<BufferData> bytes) : data(std::move(bytes)) {}

  const sim::Ref<BufferData> data;
  void* handle = nullptr;
  std::size_t length = 0;
  std::array<std::byte, kUserBytes> user{};
  std::vector<sim::Ref<Buffer>> chain;  // buffers that follow; empty for a buffer in a chain
  bool chained = false;                 // in the chain of another one
  bool queued = false;                  // in a queue, or on the way into one (of a head: all)
};

/// The buffers of the process: a handle is good while the program owns its buffer, which it does
/// not while that is in a queue.
class Buffers final : public Section {
 public:
  static constexpr std::size_t kMaxChain = 128;

  explicit Buffers(Runtime& runtime) : runtime_(runtime) {}

  void* create(std::size_t size, const void* caller);
  /// Frees the buffer and its chain.
  void free(const void* handle);
  /// A new buffer, and one for each buffer of the chain, with the same data.
  void* refer(const void* handle);
  void append(const void* head, const void* handle);
  /// The handle of the head (0) or of a buffer in its chain.
  void* at(const void* head, std::uint32_t index);
  std::uint32_t chain_length(const void* head);

  /// Calls `f` with the buffer, locked.
  template <class F>
  void with(const void* handle, F&& f) {
    const sim::LockGuard guard(mutex_);
    f(*own(handle, "buf"));
  }

  // --- for queues ---
  /// The program gives a buffer away: its handle is no good until `give`.
  sim::Ref<Buffer> take(const void* handle);
  void give(Buffer& buffer);
  /// No owner remains.
  void drop(const sim::Ref<Buffer>& buffer);
  /// As `refer`; the result is on its way into a queue.
  sim::Ref<Buffer> refer(const Buffer& head);
  /// The bytes of a buffer and of its chain.
  std::size_t total_length(const Buffer& head);
  /// Writes those bytes, which must fit, and the start of the head's space for the program.
  void read(const Buffer& head, void* data, void* user, std::size_t user_size);

  void reset() override;
  std::size_t live_handles() const override { return table_.count(); }

 private:
  BufferTable::Pin own(const void* handle, const char* argument) REQUIRES(mutex_);
  BufferTable::Pin own_head(const void* handle, const char* argument) REQUIRES(mutex_);
  sim::Ref<Buffer> add(sim::Ref<BufferData> data) REQUIRES(mutex_);
  void remove(const Buffer& buffer) REQUIRES(mutex_);
  sim::Ref<Buffer> copy(const Buffer& head, bool queued) REQUIRES(mutex_);

  Runtime& runtime_;
  sim::Mutex mutex_;
  BufferTable table_;
};

}  // namespace acl
