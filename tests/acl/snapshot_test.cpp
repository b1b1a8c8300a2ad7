// SPDX-License-Identifier: Apache-2.0
// Copies of all device memory while the process is locked.
#include <unistd.h>

#include "tests/acl/world.h"

using namespace world;

namespace {

aclError lock() { return aclrtSnapShotProcessLock(getpid(), nullptr); }
aclError unlock() { return aclrtSnapShotProcessUnlock(getpid(), nullptr); }
aclError backup() { return aclrtSnapShotProcessBackup(getpid(), nullptr); }
aclError restore() { return aclrtSnapShotProcessRestore(getpid(), nullptr); }

/// Changes memory between two locks: while the process is locked, the host cannot write in every
/// mode.
void overwrite(void* memory, int value) {
  REQUIRE_ACL(unlock());
  store(memory, value);
  REQUIRE_ACL(lock());
}

}  // namespace

TEST_CASE("memory of every device is as it was at the backup after a restore") {
  const Device device;
  const DeviceMemory first(sizeof(int));
  const Device other(3);
  const DeviceMemory second(sizeof(int));
  store(first, 1);
  store(second, 2);
  REQUIRE_ACL(lock());
  REQUIRE_ACL(backup());
  overwrite(first, 10);
  overwrite(second, 20);
  REQUIRE_ACL(restore());
  REQUIRE_ACL(unlock());
  CHECK(fetch<int>(first) == 1);
  CHECK(fetch<int>(second) == 2);
  REQUIRE_ACL(lock());
  REQUIRE_ACL(restore());  // again and again
  REQUIRE_ACL(unlock());
}

TEST_CASE("a lock waits for what the devices do") {
  const Device device;
  const Stream stream;
  std::atomic<pid_t> locking{0};
  Gate gate;
  gate.hold(stream);
  std::thread opener([&] {
    eventually_blocked(locking);
    gate.open();
  });
  locking = this_thread_number();
  const aclError code = lock();
  const bool left = gate.left();
  opener.join();
  CHECK_CODE(code, ACL_SUCCESS);
  CHECK(left);
  REQUIRE_ACL(unlock());
}

TEST_CASE("a locked process takes no work") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(64);
  REQUIRE_ACL(lock());
  CHECK_CODE(try_launch(stream, [] {}), ACL_ERROR_SNAPSHOT_LOCK_FAILED);
  CHECK_CODE(aclrtMemset(memory, 64, 0, 64), ACL_ERROR_SNAPSHOT_LOCK_FAILED);
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_SNAPSHOT_LOCK_FAILED);
  REQUIRE_ACL(unlock());
  launch(stream, [] {});
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("steps of a snapshot out of order are refused") {
  const Device device;
  CHECK_CODE(backup(), ACL_ERROR_SNAPSHOT_BACKUP_FAILED);
  CHECK_CODE(restore(), ACL_ERROR_SNAPSHOT_RESTORE_FAILED);
  CHECK_CODE(unlock(), ACL_ERROR_SNAPSHOT_UNLOCK_FAILED);
  REQUIRE_ACL(lock());
  CHECK_CODE(lock(), ACL_ERROR_SNAPSHOT_LOCK_FAILED);
  CHECK_CODE(restore(), ACL_ERROR_SNAPSHOT_RESTORE_FAILED);
  REQUIRE_ACL(backup());
  REQUIRE_ACL(unlock());
  CHECK_CODE(restore(), ACL_ERROR_SNAPSHOT_RESTORE_FAILED);
  CHECK_CODE(unlock(), ACL_ERROR_SNAPSHOT_UNLOCK_FAILED);
}

TEST_CASE("a restore needs the memory that the backup saw") {
  const Device device;
  const DeviceMemory kept(sizeof(int));
  store(kept, 1);
  {
    const DeviceMemory freed(64);
    REQUIRE_ACL(lock());
    REQUIRE_ACL(backup());
  }
  overwrite(kept, 2);
  CHECK_CODE(restore(), ACL_ERROR_SNAPSHOT_RESTORE_FAILED);
  REQUIRE_ACL(unlock());
  CHECK(fetch<int>(kept) == 2);  // nothing was put back
}

TEST_CASE("a restore fills no other memory that took the place of what was freed") {
  const Device device;
  void* const before = [] {
    const DeviceMemory freed(64);
    store(freed, 1);
    REQUIRE_ACL(lock());
    REQUIRE_ACL(backup());
    REQUIRE_ACL(unlock());
    return static_cast<void*>(freed);
  }();
  const DeviceMemory after(64);
  REQUIRE(after == before);  // else the test proves nothing
  store(after, 2);
  REQUIRE_ACL(lock());
  CHECK_CODE(restore(), ACL_ERROR_SNAPSHOT_RESTORE_FAILED);
  REQUIRE_ACL(unlock());
  CHECK(fetch<int>(after) == 2);
}

TEST_CASE("a snapshot is of this process and takes no arguments") {
  const int self = getpid();
  int something = 0;
  aclrtSnapShotBackupArgs backup_args{};
  aclrtSnapShotRestoreArgs restore_args{};
  CHECK_CODE(aclrtSnapShotProcessLock(self, &something), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtSnapShotProcessUnlock(self, &something), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtSnapShotProcessBackup(self, &backup_args), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtSnapShotProcessRestore(self, &restore_args), ACL_ERROR_INVALID_PARAM);
  for (const int bad : {0, -1, self + 1}) {
    CHECK_CODE(aclrtSnapShotProcessLock(bad, nullptr), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclrtSnapShotProcessUnlock(bad, nullptr), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclrtSnapShotProcessBackup(bad, nullptr), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclrtSnapShotProcessRestore(bad, nullptr), ACL_ERROR_INVALID_PARAM);
  }
}

// ---- callbacks
// -------------------------------------------------------------------------------------

TEST_CASE("each stage of a snapshot is told of, for each device in use") {
  static std::vector<std::pair<int, int>> seen;
  seen.clear();
  const auto note = [](std::int32_t device, void* stage) -> std::uint32_t {
    seen.emplace_back(device, static_cast<int>(reinterpret_cast<std::intptr_t>(stage)));
    return 0;
  };
  for (int stage = ACL_RT_SNAPSHOT_LOCK_PRE; stage <= ACL_RT_SNAPSHOT_UNLOCK_POST; ++stage) {
    REQUIRE_ACL(aclrtSnapShotCallbackRegister(static_cast<aclrtSnapShotStage>(stage), note,
                                              reinterpret_cast<void*>(std::intptr_t{stage})));
  }
  const Device first(1);
  const Device second(4);
  REQUIRE_ACL(lock());
  REQUIRE_ACL(backup());
  REQUIRE_ACL(restore());
  REQUIRE_ACL(unlock());
  std::vector<std::pair<int, int>> expected;
  for (int stage = ACL_RT_SNAPSHOT_LOCK_PRE; stage <= ACL_RT_SNAPSHOT_UNLOCK_POST; ++stage) {
    expected.emplace_back(1, stage);
    expected.emplace_back(4, stage);
  }
  CHECK(seen == expected);
  for (int stage = ACL_RT_SNAPSHOT_LOCK_PRE; stage <= ACL_RT_SNAPSHOT_UNLOCK_POST; ++stage) {
    REQUIRE_ACL(aclrtSnapShotCallbackUnregister(static_cast<aclrtSnapShotStage>(stage), note));
  }
  REQUIRE_ACL(lock());
  REQUIRE_ACL(unlock());
  CHECK(seen == expected);
}

TEST_CASE("a callback that fails stops the step of the snapshot") {
  const Device device;
  const auto refuse = [](std::int32_t, void*) -> std::uint32_t { return 1; };
  REQUIRE_ACL(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, refuse, nullptr));
  CHECK_CODE(lock(), ACL_ERROR_SNAPSHOT_CALLBACK_FAILED);
  CHECK_CODE(unlock(), ACL_ERROR_SNAPSHOT_UNLOCK_FAILED);
  REQUIRE_ACL(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_LOCK_PRE, refuse));
}

TEST_CASE("a callback is registered once for a stage that exists") {
  const auto callback = [](std::int32_t, void*) -> std::uint32_t { return 0; };
  const aclrtSnapShotStage stage = ACL_RT_SNAPSHOT_BACKUP_PRE;
  CHECK_CODE(aclrtSnapShotCallbackRegister(stage, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtSnapShotCallbackUnregister(stage, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtSnapShotCallbackUnregister(stage, callback),
             ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED);
  REQUIRE_ACL(aclrtSnapShotCallbackRegister(stage, callback, nullptr));
  CHECK_CODE(aclrtSnapShotCallbackRegister(stage, callback, nullptr),
             ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED);
  REQUIRE_ACL(aclrtSnapShotCallbackUnregister(stage, callback));
  for (const int bad : {-1, 6}) {
    CHECK_CODE(
        aclrtSnapShotCallbackRegister(static_cast<aclrtSnapShotStage>(bad), callback, nullptr),
        ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclrtSnapShotCallbackUnregister(static_cast<aclrtSnapShotStage>(bad), callback),
               ACL_ERROR_INVALID_PARAM);
  }
}
