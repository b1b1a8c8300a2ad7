// SPDX-License-Identifier: Apache-2.0
// acl_tdt.h: channels that carry sets of tensors.
#include "runtime/acl/tensor/tensor_channel.h"

#include <cstring>

#include "runtime/acl/capi/core/lookup.h"

using namespace acl;

namespace {

using Kind = TensorChannel::Kind;

constexpr std::size_t kMaxName = 128;  // with the closing zero
constexpr std::size_t kMinCapacity = 2;
constexpr std::size_t kMaxCapacity = 8192;

ChannelTable& channels(Runtime& runtime) { return runtime.section<TensorChannels>().channels(); }

acltdtChannelHandle* create(Runtime& runtime, std::uint32_t device, const char* name, Kind kind,
                            std::size_t capacity) {
  runtime.physical(static_cast<int>(device));
  auto channel = sim::make_ref<TensorChannel>(name, kind, capacity);
  return static_cast<acltdtChannelHandle*>(
      add_handle(channels(runtime), std::move(channel), "a channel"));
}

void check_name(const char* name) {
  require_input(name, "name");
  if (::strnlen(name, kMaxName) == kMaxName) {
    fail(ACL_ERROR_INVALID_PARAM, "name is longer than {} characters", kMaxName - 1);
  }
}

ChannelTable::Pin find_channel(Runtime& runtime, const acltdtChannelHandle* handle) {
  return find_handle(channels(runtime), handle, "handle", "a channel");
}

ChannelTable::Pin find_queue(Runtime& runtime, const acltdtChannelHandle* handle) {
  ChannelTable::Pin channel = find_channel(runtime, handle);
  if (channel->kind() != Kind::queue) {
    fail(ACL_ERROR_FEATURE_UNSUPPORTED,
         "channel \"{}\" has no capacity of its own; expected one of "
         "acltdtCreateChannelWithCapacity",
         channel->name());
  }
  return channel;
}

/// One-way channels: the program at one end, kernels at the other, and no limit for waits.
void check_end(const TensorChannel& channel, bool sends, std::int32_t timeout) {
  if (channel.kind() == Kind::queue) return;
  if (timeout != -1) {
    fail(ACL_ERROR_INVALID_PARAM, "timeout is {} ms; expected -1 for channel \"{}\"", timeout,
         channel.name());
  }
  const bool in_kernel = thread_state().kernel_depth > 0;
  if ((channel.kind() == Kind::to_device) != (sends != in_kernel)) {
    fail(ACL_ERROR_INVALID_PARAM,
         "channel \"{}\" leads {} the device: {} cannot {} (names for receiving start with {})",
         channel.name(), channel.kind() == Kind::to_device ? "to" : "from",
         in_kernel ? "a kernel" : "the host", sends ? "send" : "receive",
         TensorChannel::kReceivePrefix);
  }
}

}  // namespace

extern "C" {

acltdtChannelHandle* acltdtCreateChannel(uint32_t deviceId, const char* name) {
  return guarded_value(__func__, static_cast<acltdtChannelHandle*>(nullptr), [&](Runtime& runtime) {
    check_name(name);
    const bool receives = std::string_view(name).substr(0, TensorChannel::kReceivePrefix.size()) ==
                          TensorChannel::kReceivePrefix;
    return create(runtime, deviceId, name, receives ? Kind::from_device : Kind::to_device,
                  TensorChannel::kOneWayDepth);
  });
}

acltdtChannelHandle* acltdtCreateChannelWithCapacity(uint32_t deviceId, const char* name,
                                                     size_t capacity) {
  return guarded_value(__func__, static_cast<acltdtChannelHandle*>(nullptr), [&](Runtime& runtime) {
    check_name(name);
    if (capacity < kMinCapacity || capacity > kMaxCapacity) {
      fail(ACL_ERROR_INVALID_PARAM, "capacity is {}; expected {} to {}", capacity, kMinCapacity,
           kMaxCapacity);
    }
    return create(runtime, deviceId, name, Kind::queue, capacity);
  });
}

aclError acltdtDestroyChannel(acltdtChannelHandle* handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto channel = find_channel(runtime, handle);
    end_handle(channels(runtime), channel, "handle");
    channel->end();
  });
}

aclError acltdtStopChannel(acltdtChannelHandle* handle) {
  return guarded(__func__, [&](Runtime& runtime) { find_channel(runtime, handle)->stop(); });
}

aclError acltdtCleanChannel(acltdtChannelHandle* handle) {
  return guarded(__func__, [&](Runtime& runtime) { find_queue(runtime, handle)->clean(); });
}

aclError acltdtQueryChannelSize(const acltdtChannelHandle* handle, size_t* size) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(size, "size");
    out = find_queue(runtime, handle)->size();
  });
}

aclError acltdtSendTensor(const acltdtChannelHandle* handle, const acltdtDataset* dataset,
                          int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto channel = find_channel(runtime, handle);
    const auto set =
        find_handle(runtime.section<TensorChannels>().sets(), dataset, "dataset", "a data set");
    const sim::Deadline deadline = deadline_or_now(timeout);
    check_end(*channel, true, timeout);
    channel->send(runtime, set->pack(runtime), deadline);
  });
}

aclError acltdtReceiveTensor(const acltdtChannelHandle* handle, acltdtDataset* dataset,
                             int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto channel = find_channel(runtime, handle);
    const auto set =
        find_handle(runtime.section<TensorChannels>().sets(), dataset, "dataset", "a data set");
    const sim::Deadline deadline = deadline_or_now(timeout);
    check_end(*channel, false, timeout);
    DataSet::Filling filling(*set);
    filling.fill(channel->receive(runtime, deadline), channel->name());
  });
}

}  // extern "C"
