// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl_prof.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/profiling/op_statistics.h"
#include "runtime/trace/timeline.h"

namespace acl {

class Runtime;

/// The content that a program asks for in a profile.
struct ProfileConfig : sim::RefCounted<ProfileConfig> {
  std::vector<int> devices;  // the machine's ids, ascending
  aclprofAicoreMetrics metrics = ACL_AICORE_NONE;
  std::uint64_t data = 0;  // ACL_PROF_ bits

  bool holds(std::uint64_t bits) const noexcept { return (data & bits) != 0; }
  bool same_as(const ProfileConfig& other) const noexcept {
    return devices == other.devices && metrics == other.metrics && data == other.data;
  }
};

using ProfileOptions = std::map<aclprofConfigType, std::string>;

/// A profile that is being taken. Its folder PROF_<number>_<time>_<letters> holds:
///   mindstudio_profiler_output/msprof_<digits>.json  the timeline of the interval
///   device_<id>/op_statistic_<digits>.csv            tasks of a device by name: count and times
///   info.json                                        what was asked for, when it began and ended
class ProfileSession final : public trace_output::Sink {
 public:
  /// Raises ACL_ERROR_PROFILING_FAILURE when the folder cannot be made.
  ProfileSession(Runtime& runtime, sim::Ref<ProfileConfig> config,
                 const std::filesystem::path& parent, ProfileOptions options);

  const ProfileConfig& config() const noexcept { return *config_; }
  bool overlaps(const ProfileConfig& other) const noexcept;
  /// Once nothing comes any more: writes what is missing. Raises ACL_ERROR_PROFILING_FAILURE.
  void finish();

  void api_call(const char* name, sim::Nanoseconds start, sim::Nanoseconds end) noexcept override;
  void range_opened(const trace_output::Range& range) noexcept override;
  void range_closed(std::uint64_t id, sim::Nanoseconds end) noexcept override;
  void mark(const trace_output::Range& mark) noexcept override;
  void started(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now) override;
  void step_ended(const sim::Stream& stream, const sim::Op& op, const sim::OpStep& step) override;
  void finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                sim::Nanoseconds start, sim::Nanoseconds end) override;

 private:
  bool watches(const sim::Stream& stream) const noexcept;
  std::string info() const;

  Runtime& runtime_;
  const sim::Ref<ProfileConfig> config_;
  const ProfileOptions options_;
  const std::string digits_;
  const sim::Nanoseconds start_;
  const std::filesystem::path folder_;
  std::unique_ptr<trace_output::Timeline> timeline_;
  OpStatistics statistics_;
};

}  // namespace acl
