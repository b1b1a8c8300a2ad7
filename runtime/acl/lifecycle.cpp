// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/lifecycle.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "runtime/acl/check/checker.h"
#include "runtime/acl/error.h"
#include "runtime/acl/runtime.h"

namespace acl {
namespace {

std::string read_file(const char* path) {
  struct stat info {};
  std::ifstream file(path, std::ios::binary);
  if (!file || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
    fail(ACL_ERROR_INVALID_FILE, "configPath is '{}', which cannot be read; expected a JSON file",
         path);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The parts of aclInit's JSON that a runtime without models cares for.
struct InitConfig {
  int default_device = -1;
};

InitConfig parse(const std::string& text, const char* path) {
  InitConfig config;
  if (text.empty()) return config;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) {
    fail(ACL_ERROR_PARSE_FILE, "configPath is '{}', which is not a JSON object", path);
  }
  const auto outer = json.find("defaultDevice");
  if (outer == json.end()) return config;
  // Programs write {"defaultDevice": {"default_device": "0"}} or a bare number.
  auto value = *outer;
  if (value.is_object()) value = value.value("default_device", nlohmann::json());
  if (value.is_string()) value = nlohmann::json::parse(value.get<std::string>(), nullptr, false);
  if (!value.is_number_integer()) {
    fail(ACL_ERROR_INVALID_FILE, "defaultDevice in '{}' is not a device id", path);
  }
  config.default_device = value.get<int>();
  return config;
}

}  // namespace

void Lifecycle::init(Runtime& runtime, const char* path) {
  std::vector<Registration<aclInitCallbackFunc>> callbacks;
  std::string config;
  {
    const std::lock_guard guard(mutex_);
    if (count_ > 0) {
      ++count_;
      fail(ACL_ERROR_REPEAT_INITIALIZE, "ACL is initialised already ({} times now)", count_);
    }
    config = path && *path ? read_file(path) : std::string();
    if (first_config_ && *first_config_ != config) {
      fail(ACL_ERROR_INVALID_PARAM,
           "configPath holds another configuration than the first initialisation of this process");
    }
    const InitConfig parsed = parse(config, path);
    if (parsed.default_device >= 0) runtime.physical(parsed.default_device, "defaultDevice");
    runtime.set_implicit_device(parsed.default_device);
    first_config_ = config;
    config_ = config;
    count_ = 1;
    callbacks = init_;
  }
  for (const auto& callback : callbacks) {
    callback.function(config.c_str(), config.size(), callback.data);
  }
}

void Lifecycle::tear_down(Runtime& runtime) {
  if (Checker* const checker = runtime.checker()) checker->ending(nullptr);
  runtime.set_implicit_device(-1);
  std::vector<Registration<aclFinalizeCallbackFunc>> callbacks;
  {
    const std::lock_guard guard(mutex_);
    callbacks = finalize_;
  }
  for (const auto& callback : callbacks) callback.function(callback.data);
}

void Lifecycle::finalize(Runtime& runtime) {
  {
    const std::lock_guard guard(mutex_);
    if (count_ == 0) fail(ACL_ERROR_REPEAT_FINALIZE, "ACL is not initialised");
    count_ = 0;
  }
  tear_down(runtime);
}

std::uint64_t Lifecycle::finalize_reference(Runtime& runtime) {
  std::uint64_t left = 0;
  {
    const std::lock_guard guard(mutex_);
    if (count_ == 0) fail(ACL_ERROR_REPEAT_FINALIZE, "ACL is not initialised");
    left = --count_;
  }
  if (left == 0) tear_down(runtime);
  return left;
}

void Lifecycle::reset() {
  const std::lock_guard guard(mutex_);
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
  const bool taken = std::any_of(list.begin(), list.end(),
                                 [&](const auto& entry) { return entry.type == type; });
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
    const std::lock_guard guard(mutex_);
    add(init_, type, function, data);
    run_now = count_ > 0;
    config = config_;
  }
  if (run_now) function(config.c_str(), config.size(), data);
}

void Lifecycle::remove_init_callback(aclRegisterCallbackType type, aclInitCallbackFunc function) {
  const std::lock_guard guard(mutex_);
  remove(init_, type, function);
}

void Lifecycle::add_finalize_callback(aclRegisterCallbackType type,
                                      aclFinalizeCallbackFunc function, void* data) {
  const std::lock_guard guard(mutex_);
  add(finalize_, type, function, data);
}

void Lifecycle::remove_finalize_callback(aclRegisterCallbackType type,
                                         aclFinalizeCallbackFunc function) {
  const std::lock_guard guard(mutex_);
  remove(finalize_, type, function);
}

}  // namespace acl
