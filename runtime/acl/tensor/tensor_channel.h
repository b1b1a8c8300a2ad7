// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "device_sim/base/bounded_queue.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/tensor/data_item.h"

namespace acl {

class TensorChannel;
using ChannelTable = HandleTable<TensorChannel, HandleKind::tensor_channel>;

/// Carries sets of tensors. A queue connects any two threads of the program; a one-way channel
/// connects the program with work on the device, here the kernels.
class TensorChannel : public sim::RefCounted<TensorChannel> {
 public:
  enum class Kind : std::uint8_t { queue, to_device, from_device };
  /// The capacity of a one-way channel; its sender then waits.
  static constexpr std::size_t kOneWayDepth = 128;
  /// Names of one-way channels that the program receives from start like this.
  static constexpr std::string_view kReceivePrefix = "TF_RECEIVE_";

  TensorChannel(std::string name, Kind kind, std::size_t depth)
      : name_(std::move(name)), kind_(kind), parcels_(depth) {}

  const std::string& name() const noexcept { return name_; }
  Kind kind() const noexcept { return kind_; }

  /// Raises ACL_ERROR_RT_QUEUE_FULL when the deadline passes or the channel is stopped.
  void send(Runtime& runtime, Parcel parcel, const sim::Deadline& deadline);
  /// Raises ACL_ERROR_RT_QUEUE_EMPTY when the deadline passes, or once a stopped channel is empty.
  Parcel receive(Runtime& runtime, const sim::Deadline& deadline);
  std::size_t size() const;
  void clean();
  /// Takes nothing more; threads that wait return.
  void stop();
  /// The handle is gone: threads that wait return with ACL_ERROR_RT_INVALID_HANDLE.
  void end();

 private:
  using Parcels = sim::BoundedQueue<Parcel>;
  [[noreturn]] void refuse(Parcels::Wait why, aclError code, const char* state) const
      REQUIRES(mutex_);

  const std::string name_;
  const Kind kind_;
  mutable sim::Mutex mutex_;
  Parcels parcels_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
};

/// Channels, sets and items of the process. They belong to no context and outlive devices.
class TensorChannels final : public Section {
 public:
  explicit TensorChannels(Runtime&) {}
  ItemTable& items() noexcept { return items_; }
  SetTable& sets() noexcept { return sets_; }
  ChannelTable& channels() noexcept { return channels_; }
  void reset() override;
  std::size_t live_handles() const override {
    return items_.count() + sets_.count() + channels_.count();
  }

 private:
  ItemTable items_;
  SetTable sets_;
  ChannelTable channels_;
};

}  // namespace acl
