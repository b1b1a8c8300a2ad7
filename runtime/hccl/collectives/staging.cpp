// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/collectives/staging.h"

#include "runtime/hccl/base/error.h"

namespace hccl {

Staging::Staging(const Communicator& communicator, std::uint64_t bytes, std::size_t parts)
    : physical_device_(communicator.physical_device()),
      parts_(parts),
      stride_(stride(bytes)) {
  if (bytes == 0) return;
  const std::uint64_t all = (parts_ + 1) * stride_;
  if (const auto error = embedding().allocate(physical_device_, all, owned_)) {
    fail(HCCL_E_MEMORY, "no {} bytes for what other hosts send: {}", all, error.text);
  }
  memory_ = static_cast<std::byte*>(embedding().engine(owned_));
  acl::embedding::DeviceFile file;
  embedding().device_file(physical_device_, file);
  ref_ = {static_cast<std::uint64_t>(memory_ - file.engine), true};
}

Staging::~Staging() {
  if (owned_) embedding().free(physical_device_, owned_);
}

}  // namespace hccl
