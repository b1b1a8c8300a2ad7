// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/profiling/profile_session.h"

namespace acl {

using ProfileConfigTable = HandleTable<ProfileConfig, HandleKind::profile_config>;

/// Profiles of the process: between init and finalize any number may be taken, one of a device at
/// a time.
class Profiling final : public Section {
 public:
  explicit Profiling(Runtime& runtime) : runtime_(runtime) {}
  void reset() override;
  /// A profile that the program did not stop is written all the same.
  void at_exit() override;
  std::size_t live_handles() const override { return configs_.count(); }

  ProfileConfigTable& configs() noexcept { return configs_; }

  /// Results go below this folder, which is made. Raises ACL_ERROR_PROF_ALREADY_RUN.
  void init(const std::string& folder);
  /// init and start of all devices at once, by the configuration of aclInit. Raises
  /// ACL_ERROR_INVALID_PROFILING_CONFIG when the folder cannot be made.
  void begin(const std::string& folder, std::uint64_t data);
  /// Stops what still runs. Raises ACL_ERROR_PROF_NOT_RUN.
  void finalize();
  bool initialized() const;
  /// The folder of init; empty before it.
  std::string folder() const;
  void start(const sim::Ref<ProfileConfig>& config);
  /// Stops what this configuration, or an equal one, started.
  void stop(const ProfileConfig& config);
  /// For profiles that start later.
  void set_option(aclprofConfigType type, std::string text);

 private:
  using Sessions = std::vector<std::unique_ptr<ProfileSession>>;
  void begin_session(const sim::Ref<ProfileConfig>& config);
  void tell_frameworks(bool on, const ProfileConfig& config);
  void end(Sessions sessions);

  Runtime& runtime_;
  ProfileConfigTable configs_;
  mutable sim::Mutex mutex_;
  std::filesystem::path folder_ GUARDED_BY(mutex_);  // empty: not initialised
  ProfileOptions options_ GUARDED_BY(mutex_);
  Sessions sessions_ GUARDED_BY(mutex_);
};

}  // namespace acl
