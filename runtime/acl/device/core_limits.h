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

/// How many cores tasks may use. A stream's own limit goes before its device's, and a thread may
/// ask with a stream's eyes. The numbers are for those who divide work among cores: a kernel here
/// runs in one thread whatever they say.
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
  std::unordered_map<int, Values> devices_;
};

}  // namespace acl
