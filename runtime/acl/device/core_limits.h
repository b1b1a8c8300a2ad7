// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

class Stream;

/// The number of cores that tasks may use. The limit of a stream overrides the limit of its device,
/// and a thread may query the limits that apply to a stream. The numbers are for code that divides
/// work among cores. They do not affect kernels of the emulator, which run in one thread.
class CoreLimits final : public Section {
 public:
  explicit CoreLimits(Runtime& runtime);

  void set_device(int device, aclrtDevResLimitType type, std::uint32_t value);
  std::uint32_t of_device(int device, aclrtDevResLimitType type) const;
  void reset_device(int device);

  void set_stream(Stream& stream, aclrtDevResLimitType type, std::uint32_t value) const;
  std::uint32_t of_stream(const Stream& stream, aclrtDevResLimitType type) const;
  static void reset_stream(Stream& stream);

  void reset() override;
  void device_ends(int device) override { reset_device(device); }

 private:
  using Values = std::array<std::uint32_t, 2>;  // by type
  static std::size_t index(aclrtDevResLimitType type);
  std::uint32_t checked(aclrtDevResLimitType type, std::uint32_t value) const;

  const Values physical_;
  mutable sim::Mutex mutex_;
  std::unordered_map<int, Values> devices_ GUARDED_BY(mutex_);
};

}  // namespace acl
