// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/tensor/buffer.h"

#include <cstring>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/watch/registry.h"

namespace acl {

BufferData::BufferData(Runtime& runtime, std::size_t size, const void* caller)
    : runtime_(runtime), size_(size) {
  constexpr std::size_t kAlignment = 64;
  sim::AddressSpace& host = runtime_.memory().host();
  address_ = host.allocate(size, kAlignment, 0, caller);
  serial_ = host.find(address_)->serial;
}

BufferData::~BufferData() {
  // The program may have freed it, or everything: then another piece may start there by now.
  sim::AddressSpace& host = runtime_.memory().host();
  const auto piece = host.find(address_);
  if (!piece || piece->serial != serial_) return;
  if (auto* const listener = watch::listener()) listener->host_memory_ends(address_, size_);
  host.free(address_);
}

// ---- functions that need the lock ----

BufferTable::Pin Buffers::own(const void* handle, const char* argument) {
  BufferTable::Pin pin = table_.find(handle);
  if (!pin || !BufferTable::live(pin)) {
    fail_for_handle(handle, ACL_ERROR_RT_INVALID_HANDLE,
                    "{} is {}, which is not a live buffer (freed, or another kind of handle)",
                    argument, handle);
  }
  if (pin->queued) {
    fail(ACL_ERROR_RT_INVALID_HANDLE, "{} is in a queue; expected a buffer that is in none",
         argument);
  }
  return pin;
}

BufferTable::Pin Buffers::own_head(const void* handle, const char* argument) {
  BufferTable::Pin pin = own(handle, argument);
  if (pin->chained) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is chained behind another buffer; expected the head",
         argument);
  }
  return pin;
}

sim::Ref<Buffer> Buffers::add(sim::Ref<BufferData> data) {
  auto buffer = sim::make_ref<Buffer>(std::move(data));
  buffer->handle = table_.add(buffer);
  if (!buffer->handle) {
    fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "there is no handle left for a buffer");
  }
  return buffer;
}

void Buffers::remove(const Buffer& buffer) {
  if (const auto pin = table_.find(buffer.handle)) table_.remove(pin);
}

sim::Ref<Buffer> Buffers::copy(const Buffer& head, bool queued) {
  const auto copy_one = [&](const Buffer& from) REQUIRES(mutex_) {
    sim::Ref<Buffer> one = add(from.data);
    one->length = from.length;
    one->user = from.user;
    one->queued = queued;
    return one;
  };
  sim::Ref<Buffer> result = copy_one(head);
  for (const auto& next : head.chain) {
    result->chain.push_back(copy_one(*next));
    result->chain.back()->chained = true;
  }
  return result;
}

// ---- the program's ----

void* Buffers::create(std::size_t size, const void* caller) {
  auto data = sim::make_ref<BufferData>(runtime_, size, caller);
  const sim::LockGuard guard(mutex_);
  return add(std::move(data))->handle;
}

void Buffers::free(const void* handle) {
  const sim::LockGuard guard(mutex_);
  const auto head = own_head(handle, "buf");
  for (const auto& next : head->chain) remove(*next);
  remove(*head);
}

void* Buffers::refer(const void* handle) {
  const sim::LockGuard guard(mutex_);
  return copy(*own(handle, "buf"), false)->handle;
}

void Buffers::append(const void* head, const void* handle) {
  const sim::LockGuard guard(mutex_);
  const auto first = own_head(head, "headBuf");
  const auto next = own_head(handle, "buf");
  if (first.get() == next.get() || !next->chain.empty()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "buf is {}; expected a buffer by itself",
         first.get() == next.get() ? "headBuf" : "the head of a chain");
  }
  if (first->chain.size() + 1 >= kMaxChain) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "the chain has {} buffers, which is its limit", kMaxChain);
  }
  first->chain.push_back(sim::Ref<Buffer>::share(next.get()));
  next->chained = true;
}

void* Buffers::at(const void* head, std::uint32_t index) {
  const sim::LockGuard guard(mutex_);
  const auto first = own_head(head, "headBuf");
  if (index > first->chain.size()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "index is {}, and the chain has {} buffers", index,
         first->chain.size() + 1);
  }
  return index == 0 ? first->handle : first->chain[index - 1]->handle;
}

std::uint32_t Buffers::chain_length(const void* head) {
  const sim::LockGuard guard(mutex_);
  return static_cast<std::uint32_t>(own_head(head, "headBuf")->chain.size() + 1);
}

// ---- the queues' ----

sim::Ref<Buffer> Buffers::take(const void* handle) {
  const sim::LockGuard guard(mutex_);
  const auto head = own_head(handle, "buf");
  head->queued = true;
  for (const auto& next : head->chain) next->queued = true;
  return sim::Ref<Buffer>::share(head.get());
}

void Buffers::give(Buffer& buffer) {
  const sim::LockGuard guard(mutex_);
  buffer.queued = false;
  for (const auto& next : buffer.chain) next->queued = false;
}

void Buffers::drop(const sim::Ref<Buffer>& buffer) {
  const sim::LockGuard guard(mutex_);
  for (const auto& next : buffer->chain) remove(*next);
  remove(*buffer);
}

sim::Ref<Buffer> Buffers::refer(const Buffer& head) {
  const sim::LockGuard guard(mutex_);
  return copy(head, true);
}

std::size_t Buffers::total_length(const Buffer& head) {
  const sim::LockGuard guard(mutex_);
  std::size_t total = head.length;
  for (const auto& next : head.chain) total += next->length;
  return total;
}

void Buffers::read(const Buffer& head, void* data, void* user, std::size_t user_size) {
  const sim::LockGuard guard(mutex_);
  auto* to = static_cast<std::byte*>(runtime_.memory().engine(data));
  const auto append = [&](const Buffer& from) REQUIRES(mutex_) {
    std::memcpy(to, from.data->address(), from.length);
    to += from.length;
  };
  append(head);
  for (const auto& next : head.chain) append(*next);
  if (user_size != 0) std::memcpy(user, head.user.data(), user_size);
}

void Buffers::reset() {
  table_.for_each([&](const BufferTable::Pin& pin) { table_.remove(pin); });
}

}  // namespace acl
