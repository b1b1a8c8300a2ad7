// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/process/lifecycle.h"

#include <algorithm>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/base/init_config.h"
#include "runtime/acl/core/messages.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/dump/dump.h"
#include "runtime/acl/profiling/profiling.h"
#include "runtime/acl/watch/registry.h"

namespace acl {

void Lifecycle::init(Runtime& runtime, const char* path) {
  std::vector<Registration<aclInitCallbackFunc>> callbacks;
  std::string config;
  {
    const sim::LockGuard guard(mutex_);
    if (count_ > 0) {
      ++count_;
      fail(ACL_ERROR_REPEAT_INITIALIZE, "ACL is initialised already ({} times now)", count_);
    }
    config = path && *path ? read_config_file(path, "configPath") : std::string();
    if (first_config_ && *first_config_ != config) {
      fail(ACL_ERROR_INVALID_PARAM,
           "configPath holds another configuration than the first initialisation of this process");
    }
    const InitConfig parsed = parse_init_config(config, path);
    if (parsed.default_device >= 0) runtime.physical(parsed.default_device, "defaultDevice");
    begin_recording(runtime, parsed, path);
    runtime.set_implicit_device(parsed.default_device);
    share_messages(parsed.all_messages);
    first_config_ = config;
    config_ = config;
    count_ = 1;
    callbacks = init_;
  }
  for (const auto& callback : callbacks) {
    callback.function(config.c_str(), config.size(), callback.data);
  }
}

/// Starts the recordings that the configuration asks for: all of them or none.
void Lifecycle::begin_recording(Runtime& runtime, const InitConfig& config, const char* path) {
  if (config.dump) runtime.section<Dump>().begin(path);
  dumps_ = config.dump;
  if (!config.profiler) return;
  try {
    runtime.section<Profiling>().begin(config.profiler->output, config.profiler->data);
    profiles_ = true;
  } catch (...) {
    end_recording(runtime);
    throw;
  }
}

/// The program may have ended it itself.
void Lifecycle::end_recording(Runtime& runtime) {
  if (std::exchange(dumps_, false)) runtime.section<Dump>().end();
  if (std::exchange(profiles_, false)) runtime.section<Profiling>().at_exit();
}

void Lifecycle::tear_down(Runtime& runtime) {
  if (auto* const listener = watch::listener()) listener->finalizing();
  runtime.set_implicit_device(-1);
  share_messages(false);
  {
    const sim::LockGuard guard(mutex_);
    end_recording(runtime);
  }
  std::vector<Registration<aclFinalizeCallbackFunc>> callbacks;
  {
    const sim::LockGuard guard(mutex_);
    callbacks = finalize_;
  }
  for (const auto& callback : callbacks) callback.function(callback.data);
}

void Lifecycle::finalize(Runtime& runtime) {
  {
    const sim::LockGuard guard(mutex_);
    if (count_ == 0) fail(ACL_ERROR_REPEAT_FINALIZE, "ACL is not initialised");
    count_ = 0;
  }
  tear_down(runtime);
}

std::uint64_t Lifecycle::finalize_reference(Runtime& runtime) {
  std::uint64_t left = 0;
  {
    const sim::LockGuard guard(mutex_);
    if (count_ == 0) fail(ACL_ERROR_REPEAT_FINALIZE, "ACL is not initialised");
    left = --count_;
  }
  if (left == 0) tear_down(runtime);
  return left;
}

void Lifecycle::reset() {
  const sim::LockGuard guard(mutex_);
  share_messages(false);
  dumps_ = profiles_ = false;  // the sections start over themselves
  count_ = 0;
  first_config_.reset();
  config_.clear();
  init_.clear();
  finalize_.clear();
}

template <class Function>
void Lifecycle::add(std::vector<Registration<Function>>& list, aclRegisterCallbackType type,
                    Function function, void* data) {
  if (!function) fail(ACL_ERROR_INVALID_PARAM, "cbFunc is null");
  const bool taken =
      std::any_of(list.begin(), list.end(), [&](const auto& entry) { return entry.type == type; });
  if (taken && type != ACL_REG_TYPE_OTHER) {
    fail(ACL_ERROR_INTERNAL_ERROR, "type is {}, which has a callback already",
         static_cast<int>(type));
  }
  list.push_back({type, function, data});
}

template <class Function>
void Lifecycle::remove(std::vector<Registration<Function>>& list, aclRegisterCallbackType type,
                       Function function) {
  if (!function) fail(ACL_ERROR_INVALID_PARAM, "cbFunc is null");
  const auto it = std::find_if(list.begin(), list.end(), [&](const auto& entry) {
    return entry.type == type && entry.function == function;
  });
  if (it == list.end()) {
    fail(ACL_ERROR_INTERNAL_ERROR, "this callback is not registered for type {}",
         static_cast<int>(type));
  }
  list.erase(it);
}

void Lifecycle::add_init_callback(aclRegisterCallbackType type, aclInitCallbackFunc function,
                                  void* data) {
  std::string config;
  bool run_now = false;
  {
    const sim::LockGuard guard(mutex_);
    add(init_, type, function, data);
    run_now = count_ > 0;
    config = config_;
  }
  if (run_now) function(config.c_str(), config.size(), data);
}

void Lifecycle::remove_init_callback(aclRegisterCallbackType type, aclInitCallbackFunc function) {
  const sim::LockGuard guard(mutex_);
  remove(init_, type, function);
}

void Lifecycle::add_finalize_callback(aclRegisterCallbackType type,
                                      aclFinalizeCallbackFunc function, void* data) {
  const sim::LockGuard guard(mutex_);
  add(finalize_, type, function, data);
}

void Lifecycle::remove_finalize_callback(aclRegisterCallbackType type,
                                         aclFinalizeCallbackFunc function) {
  const sim::LockGuard guard(mutex_);
  remove(finalize_, type, function);
}

}  // namespace acl
