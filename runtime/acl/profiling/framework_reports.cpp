// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/profiling/framework_reports.h"

#include <fmt/format.h>

#include <cstring>

#include "runtime/acl/core/runtime.h"
#include "runtime/acl/profiling/ranges.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

constexpr std::uint64_t kAllContent = PROF_ACL_API_MASK | PROF_TASK_TIME_L1_MASK |
                                      PROF_TASK_TIME_MASK | PROF_MSPROFTX_MASK |
                                      PROF_RUNTIME_API_MASK | PROF_TASK_FRAMEWORK_MASK;

}  // namespace

// Names of types are not forgotten: programs name them once.
void FrameworkReports::reset() {
  const sim::LockGuard guard(mutex_);
  callbacks_.clear();
  devices_.clear();
  hooks_.clear();
}

void FrameworkReports::name_type(std::uint16_t level, std::uint32_t type, std::string name) {
  const sim::LockGuard guard(mutex_);
  types_[{level, type}] = std::move(name);
}

std::string FrameworkReports::name_of(std::uint16_t level, std::uint32_t type,
                                      std::uint64_t item) const {
  std::string text = runtime_.section<Ranges>().text_of(item);
  if (!text.empty()) return text;
  const sim::LockGuard guard(mutex_);
  if (const auto at = types_.find({level, type}); at != types_.end()) return at->second;
  return fmt::format("report {} {:#x}", level, type);
}

void FrameworkReports::call(ProfCommandHandle callback, bool on, std::uint64_t content,
                            const std::vector<int>& devices) {
  MsprofCommandHandle command;
  std::memset(&command, 0, sizeof command);
  command.type = on ? PROF_COMMANDHANDLE_TYPE_START : PROF_COMMANDHANDLE_TYPE_STOP;
  command.profSwitch = content;
  for (const int device : devices) {
    if (command.devNums == MSPROF_MAX_DEV_NUM) break;
    command.devIdList[command.devNums++] = static_cast<std::uint32_t>(device);
  }
  callback(PROF_CTRL_SWITCH, &command, sizeof command);
}

void FrameworkReports::add_callback(std::uint32_t module, ProfCommandHandle callback) {
  {
    const sim::LockGuard guard(mutex_);
    callbacks_[module] = callback;
  }
  if (!watch::spans()) return;
  std::vector<int> devices;
  for (int id = 0; id < runtime_.visible_devices(); ++id) devices.push_back(id);
  call(callback, true, kAllContent, devices);
}

void FrameworkReports::switched(bool on, std::uint64_t content, const std::vector<int>& devices) {
  std::map<std::uint32_t, ProfCommandHandle> callbacks;
  {
    const sim::LockGuard guard(mutex_);
    callbacks = callbacks_;
  }
  for (const auto& [module, callback] : callbacks) call(callback, on, content, devices);
}

bool FrameworkReports::set_device(std::uint32_t model, std::uint32_t device) {
  const sim::LockGuard guard(mutex_);
  return devices_.try_emplace(model, device).first->second == device;
}

bool FrameworkReports::unset_device(std::uint32_t model, std::uint32_t device) {
  const sim::LockGuard guard(mutex_);
  const auto at = devices_.find(model);
  if (at == devices_.end() || at->second != device) return false;
  devices_.erase(at);
  return true;
}

void FrameworkReports::set_hook(std::uint32_t type, void* function) {
  const sim::LockGuard guard(mutex_);
  hooks_[type] = function;
}

void* FrameworkReports::hook(std::uint32_t type) const {
  const sim::LockGuard guard(mutex_);
  const auto at = hooks_.find(type);
  return at == hooks_.end() ? nullptr : at->second;
}

}  // namespace acl
