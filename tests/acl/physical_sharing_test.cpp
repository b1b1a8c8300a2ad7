// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes.
#include <csignal>

#include "tests/acl/talk.h"
#include "tests/acl/virtual_memory.h"
#include "tests/support/child.h"

using namespace world;
using support::RunningChild;

namespace {

constexpr std::size_t kSharedPiece = Physical::kSize;
constexpr std::uint64_t kAllProcesses = ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION;

std::uint64_t exported(aclrtDrvMemHandle handle, std::uint64_t flags = kAllProcesses) {
  std::uint64_t key = 0;
  REQUIRE_ACL(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, flags, &key));
  CHECK(key != 0);
  return key;
}

aclError import(std::uint64_t key, int device = 0) {
  aclrtDrvMemHandle handle = &handle;
  const aclError sharing_code = aclrtMemImportFromShareableHandle(key, device, &handle);
  if (sharing_code == ACL_SUCCESS) {
    CHECK(aclrtFreePhysical(handle) == ACL_SUCCESS);
  } else {
    CHECK(handle == nullptr);
  }
  return sharing_code;
}

std::string sharing_code(aclError value) { return std::to_string(value); }

/// Both sides of sharing, one command a line.
class SharingSide {
 public:
  SharingSide() {
    CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
    CHILD_EXPECT_CODE(aclrtReserveMemAddress(&at_, kSharedPiece, 0, nullptr, 0), ACL_SUCCESS);
  }
  std::string answer(const std::vector<std::string>& words) {
    const std::string& verb = words[0];
    if (verb == "make") return sharing_code(make());
    if (verb == "export") return share(std::stoull(words[1]));
    if (verb == "fabric") return share_fabric();
    if (verb == "allow") return sharing_code(allow(words[1], std::stoi(words[2])));
    if (verb == "import") {
      return sharing_code(take(
          aclrtMemImportFromShareableHandle(std::stoull(words[1]), std::stoi(words[2]), &handle_)));
    }
    if (verb == "import-fabric") return sharing_code(take(import_fabric(words[1])));
    if (verb == "free") return sharing_code(aclrtFreePhysical(handle_));
    if (verb == "unmap") return sharing_code(aclrtUnmapMem(at_));
    if (verb == "read") return std::to_string(read());
    if (verb == "write") return sharing_code(write(std::stoi(words[1])));
    return "unknown command";
  }

 private:
  aclError make() {
    const aclrtPhysicalMemProp prop = on_device(0);
    return take(aclrtMallocPhysical(&handle_, kSharedPiece, &prop, 0));
  }
  aclError take(aclError got) {
    return got != ACL_SUCCESS ? got : aclrtMapMem(at_, kSharedPiece, 0, handle_, 0);
  }
  std::string share(std::uint64_t flags) {
    const aclError got =
        aclrtMemExportToShareableHandle(handle_, ACL_MEM_HANDLE_TYPE_NONE, flags, &key_);
    return got == ACL_SUCCESS ? std::to_string(key_) : "error " + sharing_code(got);
  }
  std::string share_fabric() {
    aclrtMemFabricHandle fabric{};
    const aclError got =
        aclrtMemExportToShareableHandleV2(handle_, 0, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &fabric);
    return got == ACL_SUCCESS ? talk::hex(&fabric, sizeof fabric) : "error " + sharing_code(got);
  }
  static aclError allow(const std::string& key, std::int32_t pid) {
    if (key.size() <= 20) return aclrtMemSetPidToShareableHandle(std::stoull(key), &pid, 1);
    aclrtMemFabricHandle fabric{};
    talk::from_hex(key, &fabric, sizeof fabric);
    return aclrtMemSetPidToShareableHandleV2(&fabric, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &pid, 1);
  }
  aclError import_fabric(const std::string& key) {
    aclrtMemFabricHandle fabric{};
    talk::from_hex(key, &fabric, sizeof fabric);
    return aclrtMemImportFromShareableHandleV2(&fabric, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0,
                                               &handle_);
  }
  int read() const {
    int value = -1;
    CHILD_EXPECT_CODE(aclrtMemcpy(&value, 4, at_, 4, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
    return value;
  }
  aclError write(int value) const {
    return aclrtMemcpy(at_, 4, &value, 4, ACL_MEMCPY_HOST_TO_DEVICE);
  }

  void* at_ = nullptr;
  aclrtDrvMemHandle handle_ = nullptr;
  std::uint64_t key_ = 0;
};

std::string me() {
  std::int32_t pid = 0;
  REQUIRE_ACL(aclrtDeviceGetBareTgid(&pid));
  return std::to_string(pid);
}

}  // namespace

CHILD_PROGRAM(physical_side) {
  SharingSide side;
  for (;;) {
    const auto words = talk::hear();
    if (words.empty()) return 0;
    talk::say(side.answer(words));
  }
}

// ---- two processes
// ---------------------------------------------------------------------------------

TEST_CASE("two processes read and write the same physical memory", "[ipc]") {
  const Device device;
  const Reservation range(kSharedPiece);
  const Mapped memory(range.at(0));
  store(memory.at(0), 1);
  const std::string key = std::to_string(exported(memory.handle()));
  RunningChild child("physical_side");
  REQUIRE(child.ask("import " + key + " 0") == "0");
  CHECK(child.ask("read") == "1");
  CHECK(child.ask("write 2") == "0");
  CHECK(fetch<int>(memory.at(0)) == 2);

  SECTION("also on another device of the importer") {
    RunningChild other("physical_side");
    CHECK(other.ask("import " + key + " 3") == "0");
    CHECK(other.ask("read") == "2");
  }
  SECTION("also when the importer is killed") {
    child.kill();
    store(memory.at(0), 3);
    CHECK(fetch<int>(memory.at(0)) == 3);
  }
}

TEST_CASE("only processes that were named import", "[ipc]") {
  RunningChild exporter("physical_side");
  RunningChild importer("physical_side");
  REQUIRE(exporter.ask("make") == "0");
  REQUIRE(exporter.ask("write 5") == "0");
  SECTION("by a number") {
    const std::string key = exporter.ask("export 0");
    CHECK(importer.ask("import " + key + " 0") == sharing_code(ACL_ERROR_RT_NO_PERMISSION));
    CHECK(exporter.ask("allow " + key + " " + me()) == "0");
    CHECK(importer.ask("import " + key + " 0") == sharing_code(ACL_ERROR_RT_NO_PERMISSION));
    CHECK(exporter.ask("allow " + key + " " + std::to_string(importer.pid())) == "0");
    CHECK(importer.ask("import " + key + " 0") == "0");
  }
  SECTION("by a fabric handle") {
    const std::string key = exporter.ask("fabric");
    REQUIRE(key.size() == 256);
    CHECK(importer.ask("import-fabric " + key) == sharing_code(ACL_ERROR_RT_NO_PERMISSION));
    CHECK(exporter.ask("allow " + key + " " + std::to_string(importer.pid())) == "0");
    CHECK(importer.ask("import-fabric " + key) == "0");
  }
  CHECK(importer.ask("read") == "5");
}

TEST_CASE("imported memory outlives the process that made it", "[ipc]") {
  RunningChild exporter("physical_side");
  RunningChild importer("physical_side");
  REQUIRE(exporter.ask("make") == "0");
  REQUIRE(exporter.ask("write 5") == "0");
  const std::string key = exporter.ask("export 1");
  REQUIRE(importer.ask("import " + key + " 0") == "0");
  SECTION("when that frees it") {
    CHECK(exporter.ask("free") == "0");
    CHECK(exporter.ask("unmap") == "0");
  }
  SECTION("when that is killed") { exporter.kill(); }
  CHECK(importer.ask("read") == "5");
  CHECK(importer.ask("write 6") == "0");
  CHECK(importer.ask("read") == "6");
  CHECK(import(std::stoull(key)) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(importer.ask("import " + key + " 0") ==
        sharing_code(ACL_ERROR_RT_PARAM_INVALID));  // stale there too
  CHECK(importer.ask("read") == "6");
}

TEST_CASE("imported memory is memory of the device that imports", "[ipc]") {
  RunningChild exporter("physical_side");
  REQUIRE(exporter.ask("make") == "0");
  const std::uint64_t key = std::stoull(exporter.ask("export 1"));
  std::uint64_t before = 0;
  std::uint64_t total = 0;
  REQUIRE_ACL(aclsimGetDeviceMemory(1, &before, &total));
  aclrtDrvMemHandle handle = nullptr;
  REQUIRE_ACL(aclrtMemImportFromShareableHandle(key, 1, &handle));
  aclrtPhysicalMemProp prop{};
  REQUIRE_ACL(aclrtMemGetAllocationPropertiesFromHandle(handle, &prop));
  CHECK(prop.location.id == 1);
  CHECK(prop.memAttr == on_device(0).memAttr);
  std::uint64_t after = 0;
  REQUIRE_ACL(aclsimGetDeviceMemory(1, &after, &total));
  CHECK(after == before);  // its own process pays

  const Reservation range(2 * kSharedPiece);
  REQUIRE_ACL(aclrtMapMem(range.at(0), kSharedPiece, 0, handle, 0));
  CHECK_CODE(aclrtMapMem(range.at(kSharedPiece), kSharedPiece, 0, Physical(on_device(1)), 0),
             ACL_ERROR_RT_PARAM_INVALID);
  std::uint64_t again = 0;
  CHECK_CODE(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &again),
             ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
  REQUIRE_ACL(aclrtFreePhysical(handle));
}

// ---- keys
// ------------------------------------------------------------------------------------------

TEST_CASE("memory is not imported in the process that exports it", "[ipc]") {
  const Physical memory;
  CHECK(import(exported(memory)) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(recent_message().find("this process") != std::string::npos);
}

TEST_CASE("made up and outdated keys of physical memory are refused", "[ipc]") {
  RunningChild exporter("physical_side");
  REQUIRE(exporter.ask("make") == "0");
  const std::uint64_t key = std::stoull(exporter.ask("export 1"));
  const std::uint64_t one = 1;
  for (const std::uint64_t forged : {one - 1, one, ~one, key ^ one, key ^ (one << 30)}) {
    CHECK(import(forged) == ACL_ERROR_RT_PARAM_INVALID);
  }
  CHECK(import(key, 99) == ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK(import(key) == ACL_SUCCESS);
  exporter.ask("free");
  CHECK(import(key) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(recent_message().find(std::to_string(exporter.pid())) != std::string::npos);
}

TEST_CASE("damaged fabric handles are refused", "[ipc]") {
  const Device device;
  const Physical memory;
  aclrtMemFabricHandle key{};
  REQUIRE_ACL(aclrtMemExportToShareableHandleV2(memory, 1, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &key));
  const auto code_of_import = [&] {
    aclrtDrvMemHandle handle = nullptr;
    return aclrtMemImportFromShareableHandleV2(&key, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0, &handle);
  };
  CHECK_CODE(code_of_import(), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(recent_message().find("this process") != std::string::npos);
  SECTION("of another protocol") { key.data[0] ^= 1; }
  SECTION("of another kind") { key.data[8] ^= 1; }
  SECTION("for another object") { key.data[16] ^= 1; }
  SECTION("with another checksum") { key.data[31] ^= 1; }
  SECTION("of another version") {
    key.data[4] ^= 2;
    CHECK_CODE(code_of_import(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    return;
  }
  CHECK_CODE(code_of_import(), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(recent_message().find("this process") == std::string::npos);
}

// ---- bad input
// -------------------------------------------------------------------------------------

TEST_CASE("memory is exported once", "[ipc]") {
  const Physical memory;
  exported(memory);
  std::uint64_t key = 1;
  CHECK_CODE(aclrtMemExportToShareableHandle(memory, ACL_MEM_HANDLE_TYPE_NONE, 0, &key),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK(key == 0);
  aclrtMemFabricHandle fabric{};
  CHECK_CODE(
      aclrtMemExportToShareableHandleV2(memory, 0, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &fabric),
      ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("bad input to an export is refused", "[ipc]") {
  const Physical memory;
  std::uint64_t key = 0;
  constexpr auto kNone = ACL_MEM_HANDLE_TYPE_NONE;
  constexpr auto kNumber = ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT;
  CHECK_CODE(aclrtMemExportToShareableHandle(memory, kNone, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemExportToShareableHandle(nullptr, kNone, 0, &key), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemExportToShareableHandle(memory, ACL_MEM_HANDLE_TYPE_POSIX, 0, &key),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemExportToShareableHandle(memory, kNone, 2, &key), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemExportToShareableHandle(&key, kNone, 0, &key), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtMemExportToShareableHandleV2(memory, 0, kNumber, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemExportToShareableHandleV2(nullptr, 0, kNumber, &key), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemExportToShareableHandleV2(memory, 2, kNumber, &key), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(
      aclrtMemExportToShareableHandleV2(memory, 0, static_cast<aclrtMemSharedHandleType>(3), &key),
      ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemExportToShareableHandleV2(memory, 0, kNumber, &key), ACL_SUCCESS);
}

TEST_CASE("bad input to an import is refused", "[ipc]") {
  std::uint64_t key = 5;
  aclrtDrvMemHandle handle = nullptr;
  constexpr auto kNumber = ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT;
  CHECK_CODE(aclrtMemImportFromShareableHandle(key, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemImportFromShareableHandle(key, -1, &handle), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclrtMemImportFromShareableHandleV2(&key, kNumber, 0, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemImportFromShareableHandleV2(nullptr, kNumber, 0, &handle),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemImportFromShareableHandleV2(&key, kNumber, 1, &handle),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemImportFromShareableHandleV2(&key, static_cast<aclrtMemSharedHandleType>(0), 0,
                                                 &handle),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemImportFromShareableHandleV2(&key, kNumber, 0, &handle),
             ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  CHECK_CODE(aclrtMemImportFromShareableHandleV2(&key, kNumber, 0, &handle),
             ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("processes are named for what this process exports", "[ipc]") {
  const Physical memory;
  std::uint64_t key = exported(memory, 0);
  std::int32_t pids[] = {1, 2};
  constexpr auto kNumber = ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT;
  CHECK_CODE(aclrtMemSetPidToShareableHandle(key, pids, 2), ACL_SUCCESS);
  CHECK_CODE(aclrtMemSetPidToShareableHandleV2(&key, kNumber, pids, 2), ACL_SUCCESS);
  CHECK_CODE(aclrtMemSetPidToShareableHandle(key, nullptr, 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemSetPidToShareableHandle(key, pids, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemSetPidToShareableHandle(key ^ 1, pids, 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemSetPidToShareableHandleV2(nullptr, kNumber, pids, 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(
      aclrtMemSetPidToShareableHandleV2(&key, static_cast<aclrtMemSharedHandleType>(9), pids, 2),
      ACL_ERROR_INVALID_PARAM);
  pids[1] = 0;
  CHECK_CODE(aclrtMemSetPidToShareableHandle(key, pids, 2), ACL_ERROR_RT_PARAM_INVALID);
}
