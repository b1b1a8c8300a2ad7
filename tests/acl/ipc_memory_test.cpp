// SPDX-License-Identifier: Apache-2.0
// Device memory that processes share by key.
#include <array>
#include <csignal>

#include "tests/acl/talk.h"
#include "tests/acl/virtual_memory.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace world;
using support::RunningChild;

namespace {

using Key = std::array<char, 65>;
constexpr std::uint64_t kEverybody = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;

Key exported(void* memory, std::size_t size, std::uint64_t flags = kEverybody) {
  Key key{};
  REQUIRE_ACL(aclrtIpcMemGetExportKey(memory, size, key.data(), key.size(), flags));
  CHECK(std::strlen(key.data()) == 64);
  return key;
}

std::string text_of(const Key& key) { return key.data(); }

std::string code(aclError value) { return std::to_string(value); }

aclError import(const std::string& key, void** address, std::uint64_t flags = 0) {
  return aclrtIpcMemImportByKey(address, key.c_str(), flags);
}

aclError import(const std::string& key) {
  void* address = &address;
  const aclError got = import(key, &address);
  CHECK((got == ACL_SUCCESS || address == nullptr));
  return got;
}

/// Both sides of sharing, one command a line. Numbers are read and written at an index.
class Side {
 public:
  Side() { CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS); }
  std::string answer(const std::vector<std::string>& words) {
    const std::string& verb = words[0];
    if (verb == "device") return code(aclrtSetDevice(std::stoi(words[1])));
    if (verb == "make") {
      return code(aclrtMalloc(&own_, std::stoull(words[1]), ACL_MEM_MALLOC_HUGE_FIRST));
    }
    if (verb == "export") return share(std::stoull(words[1]), std::stoull(words[2]));
    if (verb == "allow") {
      std::int32_t pid = std::stoi(words[2]);
      return code(aclrtIpcMemSetImportPid(words[1].c_str(), &pid, 1));
    }
    if (verb == "import") return code(import(words[1], &shared_, std::stoull(words[2])));
    if (verb == "close") return code(aclrtIpcMemClose(words[1].c_str()));
    if (verb == "free") return code(aclrtFree(own_));
    if (verb == "read") return read(std::stoul(words[1]));
    if (verb == "write") return code(write(std::stoul(words[1]), std::stoi(words[2])));
    if (verb == "own") return code(copy_to_own());
    return "unknown command";
  }

 private:
  std::string share(std::size_t size, std::uint64_t flags) {
    Key key{};
    const aclError got = aclrtIpcMemGetExportKey(own_, size, key.data(), key.size(), flags);
    return got == ACL_SUCCESS ? text_of(key) : "error " + code(got);
  }
  int* at(std::size_t index) const { return static_cast<int*>(shared_ ? shared_ : own_) + index; }
  std::string read(std::size_t index) const {
    int value = -1;
    const aclError got = aclrtMemcpy(&value, 4, at(index), 4, ACL_MEMCPY_DEVICE_TO_HOST);
    return got == ACL_SUCCESS ? std::to_string(value) : "error " + code(got);
  }
  aclError write(std::size_t index, int value) const {
    return aclrtMemcpy(at(index), 4, &value, 4, ACL_MEMCPY_HOST_TO_DEVICE);
  }
  aclError copy_to_own() const { return aclrtMemcpy(own_, 4, shared_, 4, ACL_MEMCPY_DEFAULT); }

  void* own_ = nullptr;
  void* shared_ = nullptr;
};

}  // namespace

CHILD_PROGRAM(ipc_memory_side) {
  Side side;
  for (;;) {
    const auto words = talk::hear();
    if (words.empty()) return 0;
    talk::say(side.answer(words));
  }
}

// ---- two processes
// ---------------------------------------------------------------------------------

TEST_CASE("two processes read and write the same device memory", "[ipc]") {
  const Device device;
  const DeviceMemory neighbour(4096);
  const DeviceMemory memory(4096);
  store(memory.as<int>() + 1000, 1);
  const Key key = exported(memory, 4096);
  RunningChild child("ipc_memory_side");
  REQUIRE(child.ask("import " + text_of(key) + " 0") == "0");
  CHECK(child.ask("read 1000") == "1");
  CHECK(child.ask("write 1000 2") == "0");
  CHECK(fetch<int>(memory.as<int>() + 1000) == 2);
  CHECK(child.ask("read 1024") == "error " + code(ACL_ERROR_RT_PARAM_INVALID));
  CHECK(child.ask("close " + text_of(key)) == "0");
  CHECK(child.ask("read 1000") == "error " + code(ACL_ERROR_RT_PARAM_INVALID));
  CHECK(child.ask("close " + text_of(key)) == code(ACL_ERROR_RT_PARAM_INVALID));
  REQUIRE_ACL(aclrtIpcMemClose(key.data()));
  CHECK(child.ask("import " + text_of(key) + " 0") == code(ACL_ERROR_RT_PARAM_INVALID));
}

TEST_CASE("a part of an allocation, or of a mapping, is shared from its first byte on", "[ipc]") {
  const Device device;
  const Reservation range(Physical::kSize);
  const Mapped mapped(range.at(0));
  const DeviceMemory allocated(1 << 20);
  auto* const memory = static_cast<char*>(GENERATE(true, false) ? mapped.at(0) : allocated.as<>());
  store(memory + 5000, 1);
  store(memory + 12000, 2);
  const Key key = exported(memory + 5000, 8000);
  RunningChild child("ipc_memory_side");
  REQUIRE(child.ask("import " + text_of(key) + " 0") == "0");
  CHECK(child.ask("read 0") == "1");
  CHECK(child.ask("read 1750") == "2");
  CHECK(child.ask("read 2000") == "error " + code(ACL_ERROR_RT_PARAM_INVALID));
  REQUIRE_ACL(aclrtIpcMemClose(key.data()));
}

TEST_CASE("kernels of two processes work on shared memory", "[ipc]") {
  const Device device;
  const Stream stream;
  RunningChild child("ipc_memory_side");
  REQUIRE(child.ask("make 64") == "0");
  REQUIRE(child.ask("write 0 20") == "0");
  const std::string key = child.ask("export 64 1");
  void* address = nullptr;
  REQUIRE_ACL(import(key, &address));
  launch(stream, [numbers = static_cast<int*>(address)] { numbers[1] = numbers[0] + 1; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(child.ask("read 1") == "21");
  REQUIRE_ACL(aclrtIpcMemClose(key.c_str()));
}

TEST_CASE("only processes that were named import memory", "[ipc]") {
  RunningChild exporter("ipc_memory_side");
  RunningChild importer("ipc_memory_side");
  REQUIRE(exporter.ask("make 64") == "0");
  const std::string key = exporter.ask("export 64 0");
  CHECK(importer.ask("import " + key + " 0") == code(ACL_ERROR_RT_NO_PERMISSION));
  CHECK(importer.ask("allow " + key + " 1") == code(ACL_ERROR_RT_PARAM_INVALID));
  CHECK(exporter.ask("allow " + key + " 1") == "0");
  CHECK(importer.ask("import " + key + " 0") == code(ACL_ERROR_RT_NO_PERMISSION));
  CHECK(exporter.ask("allow " + key + " " + std::to_string(importer.pid())) == "0");
  CHECK(importer.ask("import " + key + " 0") == "0");
}

TEST_CASE("processes of other servers are named like those of this one", "[ipc]") {
  const Device device;
  const DeviceMemory memory(64);
  const Key key = exported(memory, 64, 0);
  RunningChild importer("ipc_memory_side");
  std::int32_t pids[] = {importer.pid(), 1};
  aclrtServerPid servers[] = {{0, pids + 1, 1}, {7, pids, 1}};
  REQUIRE_ACL(aclrtIpcMemImportPidInterServer(key.data(), servers, 1));
  CHECK(importer.ask("import " + text_of(key) + " 0") == code(ACL_ERROR_RT_NO_PERMISSION));
  REQUIRE_ACL(aclrtIpcMemImportPidInterServer(key.data(), servers, 2));
  CHECK(importer.ask("import " + text_of(key) + " 0") == "0");
  REQUIRE_ACL(aclrtIpcMemClose(key.data()));
}

TEST_CASE("a key that is imported twice is closed twice", "[ipc]") {
  const Device device;
  RunningChild exporter("ipc_memory_side");
  REQUIRE(exporter.ask("make 64") == "0");
  const std::string key = exporter.ask("export 64 1");
  void* first = nullptr;
  void* second = nullptr;
  REQUIRE_ACL(import(key, &first));
  REQUIRE_ACL(import(key, &second));
  CHECK(first == second);
  REQUIRE_ACL(aclrtIpcMemClose(key.c_str()));
  CHECK(fetch<int>(first) == 0);
  REQUIRE_ACL(aclrtIpcMemClose(key.c_str()));
  CHECK_CODE(aclrtIpcMemClose(key.c_str()), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("memory of another device needs peer access, or asks for it", "[ipc]") {
  RunningChild exporter("ipc_memory_side");
  RunningChild importer("ipc_memory_side");
  REQUIRE(exporter.ask("device 2") == "0");
  REQUIRE(exporter.ask("make 64") == "0");
  const std::string key = exporter.ask("export 64 1");
  REQUIRE(importer.ask("make 64") == "0");
  SECTION("without") {
    REQUIRE(importer.ask("import " + key + " 0") == "0");
    CHECK(importer.ask("own") == code(ACL_ERROR_RT_DRV_INTERNAL_ERROR));
  }
  SECTION("with") {
    REQUIRE(importer.ask("import " + key + " 1") == "0");
    CHECK(importer.ask("own") == "0");
  }
}

TEST_CASE("memory of a device that the importer does not see counts as local", "[ipc]") {
  RunningChild exporter("ipc_memory_side", {{"ASCEND_RT_VISIBLE_DEVICES", "2"}});
  RunningChild importer("ipc_memory_side", {{"ASCEND_RT_VISIBLE_DEVICES", "1"}});
  REQUIRE(exporter.ask("make 64") == "0");
  REQUIRE(exporter.ask("write 0 9") == "0");
  REQUIRE(importer.ask("make 64") == "0");
  REQUIRE(importer.ask("import " + exporter.ask("export 64 1") + " 0") == "0");
  CHECK(importer.ask("own") == "0");
  CHECK(importer.ask("read 0") == "9");
}

TEST_CASE("memory is not shared where there is no path", "[ipc]") {
  const support::Environment groups = {{"ACLSIM_TOPOLOGY", "two-groups"}};
  RunningChild exporter("ipc_memory_side", groups);
  RunningChild importer("ipc_memory_side", groups);
  REQUIRE(exporter.ask("device 5") == "0");
  REQUIRE(exporter.ask("make 64") == "0");
  const std::string key = exporter.ask("export 64 1");
  CHECK(importer.ask("import " + key + " 1") == code(ACL_ERROR_RT_DRV_INTERNAL_ERROR));
  REQUIRE(importer.ask("device 6") == "0");
  CHECK(importer.ask("import " + key + " 1") == "0");
}

// ---- ends
// ------------------------------------------------------------------------------------------

TEST_CASE("shared memory stays readable when its process is killed", "[ipc]") {
  const Device device;
  RunningChild exporter("ipc_memory_side");
  REQUIRE(exporter.ask("make 64") == "0");
  REQUIRE(exporter.ask("write 3 8") == "0");
  const std::string key = exporter.ask("export 64 1");
  void* address = nullptr;
  REQUIRE_ACL(import(key, &address));
  exporter.kill();
  CHECK(fetch<int>(static_cast<int*>(address) + 3) == 8);
  REQUIRE_ACL(aclrtIpcMemClose(key.c_str()));
  CHECK(import(key) == ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a stale key is refused where its memory is mapped too", "[ipc]") {
  const Device device;
  RunningChild exporter("ipc_memory_side");
  REQUIRE(exporter.ask("make 64") == "0");
  REQUIRE(exporter.ask("write 3 8") == "0");
  const std::string key = exporter.ask("export 64 1");
  void* address = nullptr;
  REQUIRE_ACL(import(key, &address));
  SECTION("closed by its process") { REQUIRE(exporter.ask("close " + key) == "0"); }
  SECTION("of a process that was killed") { exporter.kill(); }
  CHECK(import(key) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(fetch<int>(static_cast<int*>(address) + 3) == 8);
  CHECK_CODE(aclrtIpcMemClose(key.c_str()), ACL_SUCCESS);  // once, as it was imported
  CHECK_CODE(aclrtIpcMemClose(key.c_str()), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("the memory of an exported key is nobody else's until the key is closed", "[ipc]") {
  RunningChild exporter("ipc_memory_side");
  RunningChild importer("ipc_memory_side");
  REQUIRE(exporter.ask("make 64") == "0");
  REQUIRE(exporter.ask("write 0 1") == "0");
  const std::string key = exporter.ask("export 64 1");
  REQUIRE(importer.ask("import " + key + " 0") == "0");
  REQUIRE(exporter.ask("free") == "0");
  REQUIRE(exporter.ask("make 64") == "0");
  REQUIRE(exporter.ask("write 0 2") == "0");
  CHECK(importer.ask("read 0") == "1");
  CHECK(exporter.ask("close " + key) == "0");
}

TEST_CASE("an importer that is killed does not disturb the exporter", "[ipc]") {
  const Device device;
  const DeviceMemory memory(64);
  const Key key = exported(memory, 64);
  for (int i = 0; i < 3; ++i) {
    RunningChild importer("ipc_memory_side");
    CHECK(importer.ask("import " + text_of(key) + " 0") == "0");
    CHECK(importer.ask("write 0 " + std::to_string(i)) == "0");
    importer.kill();
    CHECK(fetch<int>(memory) == i);
  }
  REQUIRE_ACL(aclrtIpcMemClose(key.data()));
}

TEST_CASE("what a device shares and imports ends with it", "[ipc]") {
  RunningChild exporter("ipc_memory_side");
  REQUIRE(exporter.ask("make 64") == "0");
  const std::string key = exporter.ask("export 64 1");
  Key own{};
  {
    const Device device;
    const DeviceMemory memory(64);
    own = exported(memory, 64);
    void* address = nullptr;
    REQUIRE_ACL(import(key, &address));
    CHECK(stats().otherHandles >= 2);
  }
  CHECK(stats().otherHandles == 0);
  CHECK_CODE(aclrtIpcMemClose(key.c_str()), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtIpcMemClose(own.data()), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("starting over ends sharing", "[ipc]") {
  void* memory = nullptr;
  REQUIRE_ACL(aclrtSetDevice(0));
  REQUIRE_ACL(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  const Key key = exported(memory, 64);
  RunningChild importer("ipc_memory_side");
  CHECK(importer.ask("import " + text_of(key) + " 0") == "0");
  REQUIRE_ACL(aclsimResetAll());
  CHECK(stats().otherHandles == 0);
  RunningChild late("ipc_memory_side");
  CHECK(late.ask("import " + text_of(key) + " 0") == code(ACL_ERROR_RT_PARAM_INVALID));
}

// ---- keys
// ------------------------------------------------------------------------------------------

TEST_CASE("memory is not imported by key in the process that exports it", "[ipc]") {
  const Device device;
  const DeviceMemory memory(64);
  const Key key = exported(memory, 64);
  CHECK(import(text_of(key)) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(recent_message().find("this process") != std::string::npos);
  REQUIRE_ACL(aclrtIpcMemClose(key.data()));
}

TEST_CASE("damaged keys of memory are refused", "[ipc]") {
  const Device device;
  RunningChild exporter("ipc_memory_side");
  REQUIRE(exporter.ask("make 64") == "0");
  const std::string key = exporter.ask("export 64 1");
  const auto with = [&](std::size_t position, char digit) {
    std::string changed = key;
    changed[position] = changed[position] == digit ? '0' : digit;
    return changed;
  };
  aclError wanted = ACL_ERROR_RT_PARAM_INVALID;
  std::string bad;
  SECTION("empty") { bad = ""; }
  SECTION("cut off") { bad = key.substr(0, 63); }
  SECTION("too long") { bad = key + "0"; }
  SECTION("of other characters") { bad = with(10, 'x'); }
  SECTION("of another protocol") { bad = with(0, '1'); }
  SECTION("of another kind") { bad = with(17, '2'); }
  SECTION("for another object") { bad = with(33, '7'); }
  SECTION("with another checksum") { bad = with(63, 'c'); }
  SECTION("of another version") {
    bad = with(9, '2');
    wanted = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  }
  CHECK(import(bad) == wanted);
  CHECK_CODE(aclrtIpcMemClose(bad.c_str()), wanted);
  void* address = nullptr;
  CHECK(import(key, &address) == ACL_SUCCESS);
  CHECK_CODE(aclrtIpcMemClose(key.c_str()), ACL_SUCCESS);
}

TEST_CASE("a key of a process that is gone is refused", "[ipc]") {
  const Device device;
  RunningChild exporter("ipc_memory_side");
  REQUIRE(exporter.ask("make 64") == "0");
  const std::string key = exporter.ask("export 64 1");
  const std::string pid = std::to_string(exporter.pid());
  exporter.kill();
  CHECK(import(key) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(recent_message().find(pid) != std::string::npos);
}

TEST_CASE("keys of memory and handles of physical memory are not exchangeable", "[ipc]") {
  const Device device;
  RunningChild exporter("ipc_memory_side");
  REQUIRE(exporter.ask("make 64") == "0");
  const std::string key = exporter.ask("export 64 1");
  std::uint64_t number = 0;
  talk::from_hex(key.substr(32), &number, sizeof number);
  aclrtDrvMemHandle handle = nullptr;
  CHECK_CODE(aclrtMemImportFromShareableHandle(number, 0, &handle), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(recent_message().find("another kind") != std::string::npos);
}

// ---- bad input
// -------------------------------------------------------------------------------------

TEST_CASE("bad input to an export by key is refused", "[ipc]") {
  const Device device;
  const DeviceMemory memory(64);
  const HostMemory host(64);
  Key key{};
  const auto share = [&](void* address, std::size_t size, std::size_t length = 65,
                         std::uint64_t flags = 0) {
    return aclrtIpcMemGetExportKey(address, size, key.data(), length, flags);
  };
  CHECK_CODE(share(nullptr, 64), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcMemGetExportKey(memory, 64, nullptr, 65, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(share(memory, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(share(memory, 64, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(share(memory, 64, 64), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(share(memory, 64, 65, 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(share(memory, 65), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(share(host, 64), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(share(&key, 64), ACL_ERROR_RT_PARAM_INVALID);
  void* freed = nullptr;
  REQUIRE_ACL(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtFree(freed));
  CHECK_CODE(share(freed, 64), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(key == Key{});
}

TEST_CASE("bad input to an import by key is refused", "[ipc]") {
  const std::string key(64, '0');
  void* address = nullptr;
  CHECK_CODE(aclrtIpcMemImportByKey(nullptr, key.c_str(), 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcMemImportByKey(&address, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcMemImportByKey(&address, key.c_str(), 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtIpcMemImportByKey(&address, key.c_str(), 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtIpcMemClose(nullptr), ACL_ERROR_INVALID_PARAM);
  Key own{};
  {
    const Device device;
    const DeviceMemory memory(64);
    own = exported(memory, 64);
    REQUIRE_ACL(aclrtIpcMemClose(own.data()));
  }
  CHECK(import(text_of(own)) == ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_CASE("bad input to the rights of a key is refused", "[ipc]") {
  const Device device;
  const DeviceMemory memory(64);
  const Key key = exported(memory, 64);
  std::int32_t pid = 1;
  aclrtServerPid server{0, &pid, 1};
  CHECK_CODE(aclrtIpcMemSetImportPid(nullptr, &pid, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcMemSetImportPid(key.data(), nullptr, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcMemSetImportPid(key.data(), &pid, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtIpcMemImportPidInterServer(nullptr, &server, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcMemImportPidInterServer(key.data(), nullptr, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcMemImportPidInterServer(key.data(), &server, 0), ACL_ERROR_RT_PARAM_INVALID);
  server.pid = nullptr;
  CHECK_CODE(aclrtIpcMemImportPidInterServer(key.data(), &server, 1), ACL_ERROR_INVALID_PARAM);
  pid = -1;
  CHECK_CODE(aclrtIpcMemSetImportPid(key.data(), &pid, 1), ACL_ERROR_RT_PARAM_INVALID);

  constexpr auto kLink = ACL_RT_IPC_MEM_ATTR_ACCESS_LINK;
  CHECK_CODE(aclrtIpcMemSetAttr(key.data(), kLink, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS),
             ACL_SUCCESS);
  CHECK_CODE(aclrtIpcMemSetAttr(nullptr, kLink, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcMemSetAttr(key.data(), static_cast<aclrtIpcMemAttrType>(1), 0),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcMemSetAttr(key.data(), kLink, 4), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtIpcMemSetAttr(key.data(), kLink, 2), ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED);
  REQUIRE_ACL(aclrtIpcMemClose(key.data()));
  CHECK_CODE(aclrtIpcMemSetAttr(key.data(), kLink, 0), ACL_ERROR_RT_PARAM_INVALID);
  pid = 1;
  CHECK_CODE(aclrtIpcMemSetImportPid(key.data(), &pid, 1), ACL_ERROR_RT_PARAM_INVALID);
}

// The recorder counts what is alive when the program ends, and shared memory is reported to it.
// Under ThreadSanitizer this fails if the two take their locks in different orders.
CHILD_PROGRAM(ends_with_memory_that_it_shares) {
  CHILD_EXPECT_CODE(aclInit(nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  Key key{};
  CHILD_EXPECT_CODE(aclrtIpcMemGetExportKey(memory, 4096, key.data(), key.size(), kEverybody),
                    ACL_SUCCESS);
  return 0;
}

TEST_CASE("a recording says that memory was shared, and that it is alive at the end") {
  const support::TempDir dir;
  const std::string path = (dir.path() / "run.aclt.jsonl").string();
  const auto ended =
      support::run_child("ends_with_memory_that_it_shares", {{"ACLSIM_RECORD", path}});
  INFO(ended.output);
  REQUIRE(ended.clean());
  const std::string recorded = dir.read("run.aclt.jsonl");
  CHECK(recorded.find(R"("shares":true)") != std::string::npos);
  CHECK(recorded.find(R"("alive":"1 device allocation)") != std::string::npos);
}
