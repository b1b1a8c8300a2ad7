// SPDX-License-Identifier: Apache-2.0
// Communicators: made in every way, asked, destroyed; and every way in which that is refused.
#include <array>
#include <cstring>
#include <iostream>
#include <set>
#include <span>

#include "hccl/hccl_rank_graph.h"
#include "tests/fabric/ranks.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"
#include "tests/support/waiting.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::RunningChild;

namespace {

// These are called from several threads, where Catch2 may not be used.
std::uint32_t size_of(HcclComm comm) {
  std::uint32_t size = 0;
  return HcclGetRankSize(comm, &size) == HCCL_SUCCESS ? size : 0;
}

std::uint32_t rank_of(HcclComm comm) {
  std::uint32_t rank = 0;
  return HcclGetRankId(comm, &rank) == HCCL_SUCCESS ? rank : ~0u;
}

std::string name_of(HcclComm comm) {
  char name[COMM_NAME_MAX_LENGTH] = {};
  return HcclGetCommName(comm, name) == HCCL_SUCCESS ? name : "";
}

HcclRootInfo new_root_info() {
  const OnDevice device(0);
  HcclRootInfo info;
  REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  return info;
}

HcclCommConfig config_with(void (*change)(HcclCommConfig&)) {
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  change(config);
  return config;
}

/// A communicator of one rank, on device 0.
struct Single {
  Single() {
    const HcclRootInfo info = [] {
      HcclRootInfo made;
      REQUIRE(HcclGetRootInfo(&made) == HCCL_SUCCESS);
      return made;
    }();
    REQUIRE(HcclCommInitRootInfo(1, &info, 0, &comm) == HCCL_SUCCESS);
  }
  ~Single() { CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS); }
  OnDevice device{0};
  HcclComm comm = nullptr;
};

}  // namespace

TEST_CASE("ranks that are threads become a communicator by root info", "[hccl]") {
  const HcclRootInfo info = new_root_info();
  const auto results = as_threads(3, [&](std::uint32_t rank) -> std::string {
    HcclComm comm = nullptr;
    if (HcclCommInitRootInfo(3, &info, rank, &comm) != HCCL_SUCCESS) return message();
    if (size_of(comm) != 3 || rank_of(comm) != rank) return "wrong";
    const std::string name = name_of(comm);
    return HcclCommDestroy(comm) == HCCL_SUCCESS ? name : message();
  });
  CHECK(results[0].substr(0, 5) == "hccl_");
  CHECK(std::set<std::string>(results.begin(), results.end()).size() == 1);
}

TEST_CASE("root info needs no more than its first 256 bytes", "[hccl]") {
  const HcclRootInfo info = new_root_info();
  std::array<char, 256> kept;
  std::memcpy(kept.data(), info.internal, kept.size());
  const OnDevice device(0);
  HcclComm comm = nullptr;
  HcclRootInfo again;
  std::memset(again.internal, 0x5a, sizeof again.internal);
  std::memcpy(again.internal, kept.data(), kept.size());
  REQUIRE(HcclCommInitRootInfo(1, &again, 0, &comm) == HCCL_SUCCESS);
  CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
}

TEST_CASE("each root info is another communicator", "[hccl]") {
  CHECK(std::memcmp(new_root_info().internal, new_root_info().internal, 256) != 0);
}

TEST_CASE("a configuration names the communicator, and the name finds it", "[hccl]") {
  const HcclRootInfo info = new_root_info();
  const OnDevice device(0);
  const HcclCommConfig config =
      config_with([](HcclCommConfig& c) { std::strcpy(c.hcclCommName, "training"); });
  HcclComm comm = nullptr;
  REQUIRE(HcclCommInitRootInfoConfig(1, &info, 0, &config, &comm) == HCCL_SUCCESS);
  CHECK(name_of(comm) == "training");
  HcclComm found = nullptr;
  CHECK(HcclCommGetHandleWithName("training", &found) == HCCL_SUCCESS);
  CHECK(found == comm);
  HcclCommStatus status = HCCL_COMM_STATUS_RESERVED;
  CHECK(HcclCommGetStatus("training", &status) == HCCL_SUCCESS);
  CHECK(status == HCCL_COMM_STATUS_READY);
  const HcclRootInfo other = new_root_info();
  HcclComm second = nullptr;
  CHECK(HcclCommInitRootInfoConfig(1, &other, 0, &config, &second) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring(
                            "this process has rank 0 of a communicator named 'training' already"));
  CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
  CHECK(HcclCommGetHandleWithName("training", &found) == HCCL_E_PARA);
  CHECK(HcclCommGetStatus("training", &status) == HCCL_SUCCESS);
  CHECK(status == HCCL_COMM_STATUS_INVALID);
}

TEST_CASE("configurations of older programs are read as far as they go", "[hccl]") {
  const HcclRootInfo info = new_root_info();
  const OnDevice device(0);
  HcclCommConfig config = config_with([](HcclCommConfig& c) {
    std::strcpy(c.hcclCommName, "not read");
    std::memset(c.hcclAlgo, 'x', sizeof c.hcclAlgo);
  });
  const std::size_t size = 32;
  std::memcpy(config.reserved, &size, sizeof size);
  HcclComm comm = nullptr;
  REQUIRE(HcclCommInitRootInfoConfig(1, &info, 0, &config, &comm) == HCCL_SUCCESS);
  CHECK(name_of(comm) != "not read");
  CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
}

TEST_CASE("one call makes a rank for each device", "[hccl]") {
  const OnDevice device(5);
  std::int32_t devices[] = {2, 0, 3};
  HcclComm comms[3] = {};
  REQUIRE(HcclCommInitAll(3, devices, comms) == HCCL_SUCCESS);
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    CHECK(rank_of(comms[rank]) == rank);
    CHECK(size_of(comms[rank]) == 3);
  }
  std::int32_t current = -1;
  CHECK(aclrtGetDevice(&current) == ACL_SUCCESS);
  CHECK(current == 5);
  for (const HcclComm comm : comms) CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
}

TEST_CASE("one call that cannot make all ranks makes none", "[hccl]") {
  const OnDevice device(0);
  HcclComm comms[2] = {};
  std::int32_t twice[] = {1, 1};
  CHECK(HcclCommInitAll(2, twice, comms) == HCCL_E_PARA);
  std::int32_t missing[] = {0, 99};
  CHECK(HcclCommInitAll(2, missing, comms) == HCCL_E_INTERNAL);
  CHECK_THAT(message(), ContainsSubstring("device 99 cannot be set"));
  CHECK(comms[0] == nullptr);
}

TEST_CASE("inits of several ranks in one thread go into a group", "[hccl]") {
  const HcclRootInfo info = new_root_info();
  HcclComm comms[2] = {};
  bool open = false;
  CHECK(HcclGroupStart() == HCCL_SUCCESS);
  CHECK(HcclGroupStart() == HCCL_SUCCESS);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    const OnDevice device(static_cast<int>(rank));
    CHECK(HcclCommInitRootInfo(2, &info, rank, &comms[rank]) == HCCL_SUCCESS);
  }
  CHECK(HcclGroupEnd() == HCCL_SUCCESS);
  CHECK(comms[0] == nullptr);  // until the outermost end
  CHECK(HcclGroupStatusGet(&open) == HCCL_SUCCESS);
  CHECK(open);
  CHECK(HcclGroupEnd() == HCCL_SUCCESS);
  CHECK(HcclGroupStatusGet(&open) == HCCL_SUCCESS);
  CHECK_FALSE(open);
  CHECK(rank_of(comms[1]) == 1);
  const OnDevice device(0);
  CHECK(HcclGroupStart() == HCCL_SUCCESS);
  CHECK(HcclCommDestroy(comms[0]) == HCCL_SUCCESS);
  CHECK(size_of(comms[0]) == 2);
  CHECK(HcclCommDestroy(comms[1]) == HCCL_SUCCESS);
  CHECK(HcclGroupEnd() == HCCL_SUCCESS);
  std::uint32_t size = 0;
  CHECK(HcclGetRankSize(comms[0], &size) == HCCL_E_PARA);
  CHECK(HcclGroupEnd() == HCCL_E_NOT_SUPPORT);
  CHECK(HcclGroupStatusGet(nullptr) == HCCL_E_PTR);
}

TEST_CASE("a group reports the first of its inits that failed", "[hccl]") {
  const Variable limit("ACLSIM_HCCL_CONNECT_TIMEOUT_MS", "100");
  const HcclRootInfo info = new_root_info();
  HcclComm comm = nullptr;
  const OnDevice device(0);
  CHECK(HcclGroupStart() == HCCL_SUCCESS);
  CHECK(HcclCommInitRootInfo(2, &info, 0, &comm) == HCCL_SUCCESS);
  CHECK(HcclGroupEnd() == HCCL_E_TIMEOUT);
  CHECK_THAT(message(), ContainsSubstring("rank 0 of 2 waited in vain for rank 1"));
}

TEST_CASE("ranks that do not come are named", "[hccl]") {
  const Variable limit("ACLSIM_HCCL_CONNECT_TIMEOUT_MS", "300");
  const HcclRootInfo info = new_root_info();
  const auto results = as_threads(2, [&](std::uint32_t rank) {
    HcclComm comm = nullptr;
    const HcclResult result = HcclCommInitRootInfo(4, &info, rank, &comm);
    return std::to_string(result) + " " + message();
  });
  // The rank that gives up later may learn it from the other.
  const bool first = results[0].find("9 ") == 0 || results[1].find("9 ") == 0;
  CHECK(first);
  CHECK_THAT(results[0] + results[1], ContainsSubstring("waited in vain for ranks 2, 3"));
}

TEST_CASE("two ranks of a host cannot have one device", "[hccl]") {
  const HcclRootInfo info = new_root_info();
  const auto results = as_threads(2, [&](std::uint32_t rank) {
    aclrtSetDevice(0);
    HcclComm comm = nullptr;
    const HcclResult result = HcclCommInitRootInfo(2, &info, rank, &comm);
    return std::to_string(result) + " " + message();
  });
  for (const std::string& result : results) {
    CHECK_THAT(result, ContainsSubstring("1 ") &&
                           ContainsSubstring("ranks 0 and 1 have the same device, 0"));
  }
}

TEST_CASE("ranks with other numbers of ranks or buffers are refused, all of them", "[hccl]") {
  const HcclRootInfo info = new_root_info();
  const auto results = as_threads(2, [&](std::uint32_t rank) {
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    config.hcclBufferSize = rank == 0 ? 10 : 20;
    HcclComm comm = nullptr;
    HcclCommInitRootInfoConfig(2, &info, rank, &config, &comm);
    return message();
  });
  for (const std::string& result : results) {
    CHECK_THAT(result,
               ContainsSubstring("buffers of 10 MB") && ContainsSubstring("buffers of 20 MB"));
  }
}

TEST_CASE("a rank that does not know the job's secret is refused", "[hccl]") {
  RunningChild holder("holds_root_info");
  const std::string text = holder.hear();
  HcclRootInfo info{};
  const fabric::Bytes bytes = fabrictest::unhex(text);
  std::memcpy(info.internal, bytes.data(), bytes.size());
  const OnDevice device(0);
  HcclComm comm = nullptr;
  const Variable secret("ACLSIM_JOB_SECRET", "guessed");
  const Variable limit("ACLSIM_HCCL_CONNECT_TIMEOUT_MS", "20000");
  CHECK(HcclCommInitRootInfo(2, &info, 1, &comm) == HCCL_E_TCP_CONNECT);
  CHECK_THAT(message(), ContainsSubstring("does not know the identity"));
}

CHILD_PROGRAM(holds_root_info) {
  setenv("HCCL_IF_IP", "127.0.0.1", 1);
  aclrtSetDevice(0);
  HcclRootInfo info;
  CHILD_EXPECT(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  std::cout << fabrictest::hex(std::as_bytes(std::span(info.internal).first(256))) << std::endl;
  std::string line;
  std::getline(std::cin, line);
  return 0;
}

/// Rank 1 of 2, on device 1. The first line is the root info.
CHILD_PROGRAM(hccl_rank) {
  std::string text;
  std::cin >> text;
  HcclRootInfo info{};
  const fabric::Bytes bytes = fabrictest::unhex(text);
  std::memcpy(info.internal, bytes.data(), bytes.size());
  aclrtSetDevice(1);
  HcclComm comm = nullptr;
  CHILD_EXPECT_CODE(HcclCommInitRootInfo(2, &info, 1, &comm), HCCL_SUCCESS);
  std::uint32_t size = 0;
  HcclGetRankSize(comm, &size);
  std::cout << "rank 1 of " << size << std::endl;
  std::string line;
  std::cin >> line;
  HcclCommDestroy(comm);
  return 0;
}

TEST_CASE("ranks that are processes become a communicator; the death of one is an async error",
          "[hccl]") {
  const OnDevice device(0);
  HcclRootInfo info;
  REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  RunningChild other("hccl_rank");
  other.say(fabrictest::hex(std::as_bytes(std::span(info.internal).first(256))));
  HcclComm comm = nullptr;
  REQUIRE(HcclCommInitRootInfo(2, &info, 0, &comm) == HCCL_SUCCESS);
  CHECK(other.hear() == "rank 1 of 2");
  HcclResult error = HCCL_E_RESERVED;
  CHECK(HcclGetCommAsyncError(comm, &error) == HCCL_SUCCESS);
  CHECK(error == HCCL_SUCCESS);
  other.kill();
  CHECK(support::eventually([&] {
    HcclGetCommAsyncError(comm, &error);
    return error == HCCL_E_REMOTE;
  }));
  CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
}

// ---- parts of a communicator ----

TEST_CASE("members of a part become a communicator; others get none", "[hccl]") {
  const HcclRootInfo info = new_root_info();
  const auto results = as_threads(3, [&](std::uint32_t rank) -> std::string {
    HcclComm world = nullptr;
    if (HcclCommInitRootInfo(3, &info, rank, &world) != HCCL_SUCCESS) return message();
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    std::string result;
    for (int round = 0; round < 2; ++round) {
      HcclComm part = world;
      std::uint32_t members[] = {2, 0};
      const HcclResult code =
          rank == 1
              ? HcclCreateSubCommConfig(&world, 2, nullptr, 0xffffffff, 0, &config, &part)
              : HcclCreateSubCommConfig(&world, 2, members, 7, rank == 2 ? 0 : 1, &config, &part);
      if (code != HCCL_SUCCESS) return message();
      if (!part) return "none";
      result = std::to_string(rank_of(part)) + " of " + std::to_string(size_of(part)) +
               (name_of(part) == name_of(world) + "_sub_7" ? " named" : " " + name_of(part));
      HcclCommDestroy(part);
    }
    HcclCommDestroy(world);
    return result;
  });
  CHECK(results == std::vector<std::string>{"1 of 2 named", "none", "0 of 2 named"});
}

TEST_CASE("a part is refused with the argument that is wrong", "[hccl]") {
  Single world;
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  std::uint32_t self[] = {0};
  std::uint32_t beyond[] = {1};
  HcclComm part = nullptr;
  HcclComm* const comm = &world.comm;
  CHECK(HcclCreateSubCommConfig(comm, 1, self, 1, 0, &config, nullptr) == HCCL_E_PTR);
  CHECK(HcclCreateSubCommConfig(comm, 1, nullptr, 1, 0, &config, &part) == HCCL_E_PARA);
  CHECK(HcclCreateSubCommConfig(comm, 1, self, 0xffffffff, 0, &config, &part) == HCCL_E_PARA);
  CHECK(HcclCreateSubCommConfig(comm, 0, self, 1, 0, &config, &part) == HCCL_E_PARA);
  CHECK(HcclCreateSubCommConfig(comm, 1, self, 1, 1, &config, &part) == HCCL_E_PARA);
  CHECK(HcclCreateSubCommConfig(comm, 1, self, 1, 0, nullptr, &part) == HCCL_E_PTR);
  CHECK(HcclCreateSubCommConfig(nullptr, 1, self, 1, 0, &config, &part) == HCCL_E_PTR);
  CHECK(HcclCreateSubCommConfig(comm, 1, beyond, 1, 0, &config, &part) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("rankIds has 1; expected less than 1"));
  std::uint32_t twice[] = {0, 0};
  CHECK(HcclCreateSubCommConfig(comm, 2, twice, 1, 0, &config, &part) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("rankIds names a rank twice"));
}

TEST_CASE("a part whose name would not fit into 128 bytes is refused", "[hccl]") {
  const HcclRootInfo info = new_root_info();
  const OnDevice device(0);
  const HcclCommConfig config = config_with(
      [](HcclCommConfig& c) { std::memset(c.hcclCommName, 'n', sizeof c.hcclCommName - 1); });
  HcclComm comm = nullptr;
  REQUIRE(HcclCommInitRootInfoConfig(1, &info, 0, &config, &comm) == HCCL_SUCCESS);
  CHECK(name_of(comm).size() == 127);
  HcclCommConfig plain;
  HcclCommConfigInit(&plain);
  std::uint32_t self[] = {0};
  HcclComm part = nullptr;
  CHECK(HcclCreateSubCommConfig(&comm, 1, self, 1, 0, &plain, &part) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("has 133 bytes; expected less than 128"));
  CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
}

// ---- bad input ----

TEST_CASE("without a device nothing is made", "[hccl]") {
  std::thread([] {
    HcclRootInfo info{};
    HcclComm comm = nullptr;
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    std::int32_t device = 0;
    CHECK(HcclGetRootInfo(&info) == HCCL_E_RUNTIME);
    CHECK(HcclCommInitRootInfo(1, &info, 0, &comm) == HCCL_E_RUNTIME);
    CHECK(HcclCommInitRootInfoConfig(1, &info, 0, &config, &comm) == HCCL_E_RUNTIME);
    CHECK(HcclCommInitAll(1, &device, &comm) == HCCL_E_RUNTIME);
    CHECK(HcclCommInitClusterInfo("table", 0, &comm) == HCCL_E_RUNTIME);
    CHECK(HcclCommInitClusterInfoConfig("table", 0, &config, &comm) == HCCL_E_RUNTIME);
    CHECK(HcclCreateSubCommConfig(&comm, 1, nullptr, 0, 0, &config, &comm) == HCCL_E_RUNTIME);
    CHECK_THAT(message(), ContainsSubstring("this thread has no device"));
  }).join();
}

TEST_CASE("what is no argument for a communicator is refused", "[hccl]") {
  const OnDevice device(0);
  HcclRootInfo info;
  HcclComm comm = nullptr;
  std::int32_t devices[] = {0};
  CHECK(HcclGetRootInfo(nullptr) == HCCL_E_PTR);
  REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  CHECK(HcclCommInitRootInfo(0, &info, 0, &comm) == HCCL_E_PARA);
  CHECK(HcclCommInitRootInfo(2, &info, 2, &comm) == HCCL_E_PARA);
  CHECK(HcclCommInitRootInfo(1, nullptr, 0, &comm) == HCCL_E_PTR);
  CHECK(HcclCommInitRootInfo(1, &info, 0, nullptr) == HCCL_E_PTR);
  CHECK(HcclCommInitRootInfoConfig(1, &info, 0, nullptr, &comm) == HCCL_E_PTR);
  CHECK(HcclCommInitAll(0, devices, &comm) == HCCL_E_PARA);
  CHECK(HcclCommInitAll(1, nullptr, &comm) == HCCL_E_PTR);
  CHECK(HcclCommInitAll(1, devices, nullptr) == HCCL_E_PTR);
  info.internal[20] ^= 1;
  CHECK(HcclCommInitRootInfo(1, &info, 0, &comm) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("root info is damaged"));
}

TEST_CASE("configurations that make no sense are refused with the member", "[hccl]") {
  const HcclRootInfo info = new_root_info();
  const OnDevice device(0);
  HcclComm comm = nullptr;
  const auto code_of = [&](void (*change)(HcclCommConfig&)) {
    const HcclCommConfig config = config_with(change);
    return HcclCommInitRootInfoConfig(1, &info, 0, &config, &comm);
  };
  CHECK(code_of([](HcclCommConfig& c) { c.reserved[8] = 0; }) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("magic word"));
  CHECK(code_of([](HcclCommConfig& c) { c.hcclBufferSize = 0; }) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("hcclBufferSize is 0 MB"));
  CHECK(code_of([](HcclCommConfig& c) { c.hcclDeterministic = 3; }) == HCCL_E_PARA);
  CHECK(code_of([](HcclCommConfig& c) { c.hcclExecTimeOut = -5; }) == HCCL_E_PARA);
  CHECK(code_of([](HcclCommConfig& c) {
          std::memset(c.hcclCommName, 'x', sizeof c.hcclCommName);
        }) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("hcclCommName has no zero within its 128 bytes"));
}

TEST_CASE("handles that are none are refused, whatever they look like", "[hccl]") {
  std::uint32_t number = 0;
  char name[COMM_NAME_MAX_LENGTH];
  HcclResult error;
  HcclComm gone = nullptr;
  {
    Single single;
    gone = single.comm;
    CHECK(HcclGetRankSize(gone, nullptr) == HCCL_E_PTR);
    CHECK(HcclGetRankId(gone, nullptr) == HCCL_E_PTR);
    CHECK(HcclGetCommName(gone, nullptr) == HCCL_E_PTR);
    CHECK(HcclGetCommAsyncError(gone, nullptr) == HCCL_E_PTR);
  }
  const OnDevice device(0);
  int variable = 0;
  for (const HcclComm comm : {gone, HcclComm(&variable), HcclComm(~std::uintptr_t{0})}) {
    CHECK(HcclGetRankSize(comm, &number) == HCCL_E_PARA);
    CHECK(HcclGetRankId(comm, &number) == HCCL_E_PARA);
    CHECK(HcclGetCommName(comm, name) == HCCL_E_PARA);
    CHECK(HcclGetCommAsyncError(comm, &error) == HCCL_E_PARA);
    CHECK(HcclCommDestroy(comm) == HCCL_E_PARA);
  }
  CHECK(HcclGetRankSize(nullptr, &number) == HCCL_E_PTR);
  CHECK(HcclCommDestroy(nullptr) == HCCL_SUCCESS);
  CHECK(HcclCommGetHandleWithName(nullptr, &gone) == HCCL_E_PTR);
  CHECK(HcclCommGetHandleWithName("name", nullptr) == HCCL_E_PTR);
  CHECK(HcclCommGetStatus(nullptr, nullptr) == HCCL_E_PTR);
}

TEST_CASE("HCCL_ALGO names an algorithm for each level, also for each operation", "[hccl]") {
  const OnDevice device(0);
  for (const char* const form :
       {"level0:NA;level1:H-D_R", "allreduce=level0:NA;level1:ring/alltoall=level0:pairwise"}) {
    const Variable variable("HCCL_ALGO", form);
    HcclRootInfo info;
    CHECK(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  }
}

TEST_CASE("variables that make no sense are refused by name", "[hccl]") {
  const OnDevice device(0);
  const auto refused = [](const char* name, const char* value) {
    const Variable variable(name, value);
    HcclRootInfo info;
    CHECK(HcclGetRootInfo(&info) == HCCL_E_PARA);
    CHECK_THAT(message(), ContainsSubstring(std::string(name) + " is '" + value + "'"));
  };
  refused("HCCL_CONNECT_TIMEOUT", "119");
  refused("HCCL_CONNECT_TIMEOUT", "7201");
  refused("HCCL_CONNECT_TIMEOUT", "200s");
  refused("HCCL_EXEC_TIMEOUT", "-1");
  refused("HCCL_BUFFSIZE", "0");
  refused("HCCL_DETERMINISTIC", "maybe");
  refused("HCCL_ALGO", "nonsense");
  refused("HCCL_ALGO", "level0:");
  refused("HCCL_IF_IP", "localhost");
  refused("HCCL_IF_BASE_PORT", "70000");
}

// ---- texts and settings ----

TEST_CASE("codes have the texts of the interface", "[hccl]") {
  CHECK(std::string(HcclGetErrorString(HCCL_SUCCESS)) == "no error");
  CHECK(std::string(HcclGetErrorString(HCCL_E_PARA)) == "parameter error");
  CHECK(std::string(HcclGetErrorString(HCCL_E_REMOTE)) == "error cqe");
  CHECK(std::string(HcclGetErrorString(HCCL_E_OOM)) == "out of memory");
  CHECK(std::string(HcclGetErrorString(static_cast<HcclResult>(25))) == "unknown err");
  CHECK(std::string(HcclGetErrorString(HCCL_E_IN_STATUS)) == "unknown err");
  CHECK(std::string(HcclGetErrorString(HCCL_E_RESERVED)) == "unknown error");
  CHECK(std::string(HcclGetErrorString(static_cast<HcclResult>(-1))) == "unknown error");
}

TEST_CASE("whether results are deterministic is a setting of the process, if no variable says",
          "[hccl]") {
  HcclConfigValue value;
  value.value = 2;
  CHECK(HcclSetConfig(HCCL_DETERMINISTIC, value) == HCCL_SUCCESS);
  value.value = 9;
  CHECK(HcclSetConfig(HCCL_DETERMINISTIC, value) == HCCL_E_PARA);
  CHECK(HcclSetConfig(HCCL_CONFIG_RESERVED, value) == HCCL_E_PARA);
  CHECK(HcclGetConfig(HCCL_DETERMINISTIC, &value) == HCCL_SUCCESS);
  CHECK(value.value == 2);
  CHECK(HcclGetConfig(HCCL_DETERMINISTIC, nullptr) == HCCL_E_PTR);
  const Variable variable("HCCL_DETERMINISTIC", "true");
  value.value = 0;
  CHECK(HcclSetConfig(HCCL_DETERMINISTIC, value) == HCCL_SUCCESS);
  CHECK(HcclGetConfig(HCCL_DETERMINISTIC, &value) == HCCL_SUCCESS);
  CHECK(value.value == 1);
  CHECK(HcclGetCommConfigCapability() == HCCL_COMM_CONFIG_RESERVED);
}

TEST_CASE("what is not emulated says so", "[hccl]") {
  Single single;
  CHECK(HcclCommSuspend(single.comm) == HCCL_E_NOT_SUPPORT);
  CHECK_THAT(message(), ContainsSubstring("HcclCommSuspend is not emulated: recovery"));
}
