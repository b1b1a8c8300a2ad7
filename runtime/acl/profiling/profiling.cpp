// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/profiling/profiling.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/base/result_folder.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/profiling/framework_reports.h"
#include "runtime/acl/profiling/ranges.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

[[noreturn]] void fail_not_initialised() {
  fail(ACL_ERROR_PROF_NOT_RUN, "profiling is not initialised; expected aclprofInit before");
}

}  // namespace

void Profiling::init(const std::string& folder) {
  const sim::LockGuard guard(mutex_);
  if (!folder_.empty()) {
    fail(ACL_ERROR_PROF_ALREADY_RUN, "profiling is initialised already, with the folder '{}'",
         folder_.string());
  }
  folder_ = make_folder(folder, "profilerResultPath", ACL_ERROR_INVALID_FILE);
}

void Profiling::begin(const std::string& folder, std::uint64_t data) {
  const auto config = sim::make_ref<ProfileConfig>();
  config->data = data;
  for (int id = 0; id < runtime_.visible_devices(); ++id) {
    config->devices.push_back(runtime_.physical(id));
  }
  std::sort(config->devices.begin(), config->devices.end());
  try {
    init(folder);
  } catch (const AclError& error) {
    if (error.code() != ACL_ERROR_INVALID_FILE) throw;
    throw AclError(ACL_ERROR_INVALID_PROFILING_CONFIG, error.what());
  }
  try {
    start(config);
  } catch (...) {
    finalize();
    throw;
  }
}

bool Profiling::initialized() const {
  const sim::LockGuard guard(mutex_);
  return !folder_.empty();
}

std::string Profiling::folder() const {
  const sim::LockGuard guard(mutex_);
  return folder_.string();
}

void Profiling::tell_frameworks(bool on, const ProfileConfig& config) {
  std::vector<int> devices;
  for (const int device : config.devices) devices.push_back(runtime_.logical(device));
  runtime_.section<FrameworkReports>().switched(on, config.data, devices);
}

void Profiling::end(Sessions sessions) {
  std::exception_ptr first;
  for (const auto& session : sessions) {
    tell_frameworks(false, session->config());
    watch::remove_sink(*session);
    try {
      session->finish();
    } catch (const AclError&) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void Profiling::finalize() {
  Sessions left;
  {
    const sim::LockGuard guard(mutex_);
    if (folder_.empty()) fail_not_initialised();
    folder_.clear();
    options_.clear();
    left.swap(sessions_);
  }
  end(std::move(left));
}

void Profiling::start(const sim::Ref<ProfileConfig>& config) {
  begin_session(config);
  tell_frameworks(true, *config);
}

void Profiling::begin_session(const sim::Ref<ProfileConfig>& config) {
  const sim::LockGuard guard(mutex_);
  if (folder_.empty()) fail_not_initialised();
  for (const auto& session : sessions_) {
    if (session->overlaps(*config)) {
      fail(ACL_ERROR_PROF_ALREADY_RUN, "a profile of the same devices is being taken already");
    }
  }
  const auto path = options_.find(ACL_PROF_PATH);
  const std::filesystem::path parent =
      path == options_.end() ? folder_
                             : make_folder(path->second, "ACL_PROF_PATH", ACL_ERROR_INVALID_FILE);
  sessions_.push_back(std::make_unique<ProfileSession>(runtime_, config, parent, options_));
  runtime_.section<Ranges>().add_watcher(*sessions_.back());
}

void Profiling::stop(const ProfileConfig& config) {
  Sessions stopped;
  {
    const sim::LockGuard guard(mutex_);
    if (folder_.empty()) fail_not_initialised();
    const auto found = std::find_if(sessions_.begin(), sessions_.end(), [&](const auto& session) {
      return session->config().same_as(config);
    });
    if (found == sessions_.end()) {
      fail(ACL_ERROR_PROF_NOT_RUN, "no profile with this configuration is being taken");
    }
    stopped.push_back(std::move(*found));
    sessions_.erase(found);
  }
  end(std::move(stopped));
}

void Profiling::set_option(aclprofConfigType type, std::string text) {
  const sim::LockGuard guard(mutex_);
  options_[type] = std::move(text);
}

void Profiling::reset() {
  at_exit();
  {
    const sim::LockGuard guard(mutex_);
    options_.clear();
  }
  configs_.for_each([&](const ProfileConfigTable::Pin& config) { configs_.remove(config); });
}

void Profiling::at_exit() {
  try {
    if (!initialized()) return;
    runtime_.section<FrameworkReports>().reset();  // the code of callbacks may be gone
    finalize();
  } catch (const AclError& error) {
    notice(error.what());
  }
}

}  // namespace acl
