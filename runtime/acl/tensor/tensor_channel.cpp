// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/tensor/tensor_channel.h"

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

void TensorChannel::send(Runtime& runtime, Parcel parcel, const sim::Deadline& deadline) {
  Parcels::Lock lock(mutex_);
  const auto result = parcels_.for_room(lock, deadline, before_waiting(runtime));
  if (result != Parcels::Wait::ready) refuse(result, ACL_ERROR_RT_QUEUE_FULL, "full");
  parcels_.push(std::move(parcel));
}

Parcel TensorChannel::receive(Runtime& runtime, const sim::Deadline& deadline) {
  Parcels::Lock lock(mutex_);
  const auto result = parcels_.for_item(lock, deadline, before_waiting(runtime));
  if (result != Parcels::Wait::ready) refuse(result, ACL_ERROR_RT_QUEUE_EMPTY, "empty");
  return parcels_.pop();
}

void TensorChannel::refuse(Parcels::Wait why, aclError code, const char* state) const {
  if (ended_) {
    fail(ACL_ERROR_RT_INVALID_HANDLE, "channel \"{}\" was destroyed by another thread", name_);
  }
  fail(code, "channel \"{}\" {}", name_,
       why == Parcels::Wait::closed ? "was stopped" : fmt::format("is {}", state));
}

std::size_t TensorChannel::size() const {
  const sim::LockGuard guard(mutex_);
  return parcels_.size();
}

void TensorChannel::clean() {
  std::deque<Parcel> dropped;  // goes without the lock
  const sim::LockGuard guard(mutex_);
  dropped = parcels_.drain();
}

void TensorChannel::stop() {
  const sim::LockGuard guard(mutex_);
  parcels_.close();
}

void TensorChannel::end() {
  std::deque<Parcel> dropped;
  const sim::LockGuard guard(mutex_);
  ended_ = true;
  dropped = parcels_.drain();
  parcels_.close();
}

void TensorChannels::reset() {
  channels_.for_each([&](const ChannelTable::Pin& channel) {
    channels_.remove(channel);
    channel->end();
  });
  sets_.for_each([&](const SetTable::Pin& set) { sets_.remove(set); });
  items_.for_each([&](const ItemTable::Pin& item) { items_.remove(item); });
}

}  // namespace acl
