// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "profiling/aprof_pub.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// The reports of frameworks to the profiler (libprofapi): names of types, callbacks, devices of
/// models. The texts of ids are in Ranges.
class FrameworkReports final : public Section {
 public:
  explicit FrameworkReports(Runtime& runtime) : runtime_(runtime) {}
  void reset() override;

  void name_type(std::uint16_t level, std::uint32_t type, std::string name);
  /// The name of a span or mark: the text of the item, or the name of the type, or numbers.
  std::string name_of(std::uint16_t level, std::uint32_t type, std::uint64_t item) const;

  /// Calls the callback now if a profile or a timeline is being taken.
  void add_callback(std::uint32_t module, ProfCommandHandle callback);
  /// A profile with this content has started or is about to stop.
  void switched(bool on, std::uint64_t content, const std::vector<int>& devices);

  /// False: the model has another device.
  bool set_device(std::uint32_t model, std::uint32_t device);
  /// False: the model has not this device.
  bool unset_device(std::uint32_t model, std::uint32_t device);

  void set_hook(std::uint32_t type, void* function);
  void* hook(std::uint32_t type) const;

 private:
  static void call(ProfCommandHandle callback, bool on, std::uint64_t content,
                   const std::vector<int>& devices);

  Runtime& runtime_;
  mutable sim::Mutex mutex_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, std::string> types_ GUARDED_BY(mutex_);
  std::map<std::uint32_t, ProfCommandHandle> callbacks_ GUARDED_BY(mutex_);  // by module
  std::map<std::uint32_t, std::uint32_t> devices_ GUARDED_BY(mutex_);        // by model
  std::map<std::uint32_t, void*> hooks_ GUARDED_BY(mutex_);
};

}  // namespace acl
