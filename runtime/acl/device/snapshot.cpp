// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/snapshot.h"

#include <algorithm>
#include <cstring>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/device_block.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"

namespace acl {
namespace {

constexpr DeviceBlock kSnapshotBlock{ACL_ERROR_SNAPSHOT_LOCK_FAILED,
                                     "the process is locked by aclrtSnapShotProcessLock"};
constexpr std::chrono::seconds kPatience{30};

void check(aclrtSnapShotStage stage, aclrtSnapShotCallBack function) {
  if (!function) fail(ACL_ERROR_INVALID_PARAM, "callback is null");
  if (stage < ACL_RT_SNAPSHOT_LOCK_PRE || stage > ACL_RT_SNAPSHOT_UNLOCK_POST) {
    fail(ACL_ERROR_INVALID_PARAM, "stage is {}; expected 0 to 5", static_cast<int>(stage));
  }
}

}  // namespace

// ---- callbacks ----

void Snapshot::add(aclrtSnapShotStage stage, aclrtSnapShotCallBack function, void* args) {
  check(stage, function);
  const sim::LockGuard guard(callbacks_mutex_);
  for (const Entry& entry : callbacks_) {
    if (entry.stage == stage && entry.function == function) {
      fail(ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED,
           "the callback is registered for stage {} already", static_cast<int>(stage));
    }
  }
  callbacks_.push_back({stage, function, args});
}

void Snapshot::remove(aclrtSnapShotStage stage, aclrtSnapShotCallBack function) {
  check(stage, function);
  const sim::LockGuard guard(callbacks_mutex_);
  const auto removed = std::erase_if(callbacks_, [&](const Entry& entry) {
    return entry.stage == stage && entry.function == function;
  });
  if (removed == 0) {
    fail(ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED, "the callback is not registered for stage {}",
         static_cast<int>(stage));
  }
}

/// For each device in use.
void Snapshot::tell(aclrtSnapShotStage stage) {
  std::vector<Entry> entries;
  {
    const sim::LockGuard guard(callbacks_mutex_);
    entries = callbacks_;
  }
  for (int device = 0; device < runtime_.visible_devices(); ++device) {
    if (!runtime_.primary_active(device)) continue;
    for (const Entry& entry : entries) {
      if (entry.stage != stage) continue;
      if (const std::uint32_t code = entry.function(device, entry.args); code != 0) {
        fail(ACL_ERROR_SNAPSHOT_CALLBACK_FAILED, "a callback of stage {} returned {} for device {}",
             static_cast<int>(stage), code, device);
      }
    }
  }
}

// ---- locking ----

void Snapshot::set_device_block(bool blocked) {
  for (int device = 0; device < runtime_.config().system.devices; ++device) {
    const DeviceBlock* before =
        blocked ? nullptr : &kSnapshotBlock;  // the bar of a lost device stays
    runtime_.device_block(device).compare_exchange_strong(before,
                                                          blocked ? &kSnapshotBlock : nullptr);
  }
}

bool Snapshot::wait_for_devices() {
  const sim::Deadline deadline = sim::Deadline::in(kPatience);
  bool done = true;
  runtime_.streams().for_each([&](const StreamTable::Pin& stream) {
    if (stream->never_synchronized()) return;
    sim::Stream& core = stream->core();
    const auto result = runtime_.driver().wait(core, core.submitted(), deadline, false);
    if (result == sim::Driver::WaitResult::no_thread) runtime_.fail_for_threads();
    if (result == sim::Driver::WaitResult::timed_out) done = false;
  });
  return done;
}

void Snapshot::lock() {
  const sim::LockGuard guard(mutex_);
  if (locked_) fail(ACL_ERROR_SNAPSHOT_LOCK_FAILED, "the process is locked already");
  tell(ACL_RT_SNAPSHOT_LOCK_PRE);
  set_device_block(true);
  if (!wait_for_devices()) {
    set_device_block(false);
    fail(ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT, "streams still have unfinished tasks after {} s",
         kPatience.count());
  }
  locked_ = true;
}

void Snapshot::unlock() {
  const sim::LockGuard guard(mutex_);
  if (!locked_) fail(ACL_ERROR_SNAPSHOT_UNLOCK_FAILED, "the process is not locked");
  locked_ = false;
  set_device_block(false);
  tell(ACL_RT_SNAPSHOT_UNLOCK_POST);
}

// ---- memory ----

void Snapshot::backup() {
  const sim::LockGuard guard(mutex_);
  if (!locked_) fail(ACL_ERROR_SNAPSHOT_BACKUP_FAILED, "the process is not locked");
  tell(ACL_RT_SNAPSHOT_BACKUP_PRE);
  sim::Memory& memory = runtime_.memory();
  std::vector<SavedAllocation> saved;
  for (int device = 0; device < memory.device_count(); ++device) {
    for (const sim::Allocation& allocation : memory.device(device).live()) {
      const auto* const bytes = static_cast<const std::byte*>(
          memory.engine(reinterpret_cast<const void*>(allocation.begin)));
      saved.push_back({allocation, std::vector<std::byte>(bytes, bytes + allocation.size)});
    }
  }
  backup_ = std::move(saved);
  tell(ACL_RT_SNAPSHOT_BACKUP_POST);
}

void Snapshot::restore() {
  const sim::LockGuard guard(mutex_);
  if (!locked_) fail(ACL_ERROR_SNAPSHOT_RESTORE_FAILED, "the process is not locked");
  if (!backup_) fail(ACL_ERROR_SNAPSHOT_RESTORE_FAILED, "the process has no backup");
  tell(ACL_RT_SNAPSHOT_RESTORE_PRE);
  sim::Memory& memory = runtime_.memory();
  for (const SavedAllocation& saved : *backup_) {
    const auto* const address = reinterpret_cast<const void*>(saved.allocation.begin);
    const auto now = memory.find(address);
    if (!now || now->serial != saved.allocation.serial) {
      fail(ACL_ERROR_SNAPSHOT_RESTORE_FAILED,
           "allocation {} of {} bytes on device {} was freed since the backup",
           saved.allocation.serial, saved.allocation.size,
           runtime_.logical(saved.allocation.device));
    }
  }
  for (const SavedAllocation& saved : *backup_) {
    const auto* const address = reinterpret_cast<const void*>(saved.allocation.begin);
    std::memcpy(memory.engine(address), saved.bytes.data(), saved.bytes.size());
  }
  tell(ACL_RT_SNAPSHOT_RESTORE_POST);
}

void Snapshot::reset() {
  {
    const sim::LockGuard guard(callbacks_mutex_);
    callbacks_.clear();
  }
  const sim::LockGuard guard(mutex_);
  if (locked_) set_device_block(false);
  locked_ = false;
  backup_.reset();
}

}  // namespace acl
