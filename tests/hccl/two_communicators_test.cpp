// SPDX-License-Identifier: Apache-2.0
// Ranks that wait for each other in operations of several communicators, with host threads that
// wait between the operations.
#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;

namespace {

/// One rank with the communicator of all ranks, and others of some of them.
struct Rank {
  HcclComm world = nullptr;
  std::vector<HcclComm> parts;
  aclrtStream stream = nullptr;
  aclrtStream second = nullptr;
  void* memory = nullptr;

  /// `members`: of each part that this rank belongs to, with the number of the part.
  Rank(const HcclRootInfo& info, std::uint32_t rank, std::uint32_t ranks,
       const std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>>& members) {
    must(HcclCommInitRootInfo(ranks, &info, rank, &world) == HCCL_SUCCESS);
    must(aclrtCreateStream(&stream) == ACL_SUCCESS);
    must(aclrtCreateStream(&second) == ACL_SUCCESS);
    must(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    must(aclrtMemset(memory, 4096, 0, 4096) == ACL_SUCCESS);
    for (const auto& [number, of] : members) {
      HcclCommConfig config;
      HcclCommConfigInit(&config);
      std::vector<std::uint32_t> ids = of;
      const auto at = std::find(ids.begin(), ids.end(), rank);
      HcclComm part = nullptr;
      must(HcclCreateSubCommConfig(&world, static_cast<std::uint32_t>(ids.size()), ids.data(),
                                   number, static_cast<std::uint32_t>(at - ids.begin()), &config,
                                   &part) == HCCL_SUCCESS);
      parts.push_back(part);
    }
  }
  ~Rank() {
    for (HcclComm part : parts) HcclCommDestroy(part);
    HcclCommDestroy(world);
    aclrtDestroyStreamForce(stream);
    aclrtDestroyStreamForce(second);
    aclrtFree(memory);
  }
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  void reduce(HcclComm comm, aclrtStream on) const {
    must(HcclAllReduce(memory, memory, 64, kInt, kSum, comm, on) == HCCL_SUCCESS);
  }
  /// The code and text of a synchronise without a limit.
  std::pair<aclError, std::string> end(aclrtStream of) const {
    const aclError code = aclrtSynchronizeStream(of);
    return {code, code == ACL_SUCCESS ? "" : message()};
  }
  /// Reduces in the first communicator and waits for that, and then in the other.
  std::pair<aclError, std::string> one_after_the_other(HcclComm one, HcclComm other) const {
    reduce(one, stream);
    auto result = end(stream);
    if (result.first != ACL_SUCCESS) return result;
    reduce(other, second);
    return end(second);
  }
};

HcclRootInfo new_info() {
  must(aclrtSetDevice(0) == ACL_SUCCESS);
  HcclRootInfo info{};
  must(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  return info;
}

void check_told(const std::pair<aclError, std::string>& result) {
  CHECK(result.first == ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK_THAT(result.second, ContainsSubstring("ranks wait for each other: ") &&
                                ContainsSubstring("rank 0 called HcclAllReduce(count 64") &&
                                ContainsSubstring("rank 1 called HcclAllReduce(count 64"));
}

}  // namespace

TEST_CASE("two communicators in different order, with a host that waits between, are reported",
          "[hccl][fail][deadlock]") {
  const HcclRootInfo info = new_info();
  const auto results = as_threads(2, [&](std::uint32_t rank) {
    const Rank me(info, rank, 2, {{7, {0, 1}}});
    HcclComm const part = me.parts[0];
    return rank == 0 ? me.one_after_the_other(me.world, part)
                     : me.one_after_the_other(part, me.world);
  });
  for (const auto& result : results) check_told(result);
}

TEST_CASE("a ring of three ranks and three communicators is reported", "[hccl][fail][deadlock]") {
  const HcclRootInfo info = new_info();
  const auto results = as_threads(3, [&](std::uint32_t rank) {
    const std::uint32_t next = (rank + 1) % 3, before = (rank + 2) % 3;
    std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>> parts = {
        {rank + 1, {rank, next}}, {before + 1, {before, rank}}};
    if (before < rank) std::swap(parts[0], parts[1]);  // all ranks make them in one order
    const Rank me(info, rank, 3, parts);
    HcclComm const with_next = me.parts[before < rank ? 1 : 0];
    HcclComm const with_before = me.parts[before < rank ? 0 : 1];
    return me.one_after_the_other(with_next, with_before);
  });
  std::size_t told = 0;
  for (const auto& [code, text] : results) {
    CHECK(code != ACL_SUCCESS);
    told += text.find("ranks wait for each other: ") != std::string::npos ? 1 : 0;
  }
  CHECK(told >= 2);
}

TEST_CASE("two communicators in one order are left alone, however late a rank is",
          "[hccl][deadlock]") {
  const HcclRootInfo info = new_info();
  const auto results = as_threads(2, [&](std::uint32_t rank) {
    const Rank me(info, rank, 2, {{7, {0, 1}}});
    aclrtNotify notify = nullptr;
    must(aclrtCreateNotify(&notify, 0) == ACL_SUCCESS);
    std::vector<aclError> codes;
    for (int round = 0; round < 2; ++round) {
      me.reduce(me.world, me.stream);
      codes.push_back(aclrtSynchronizeStream(me.stream));
      if (rank == 1) {  // longer than the operation of rank 0 waits before it looks why
        must(aclrtWaitAndResetNotify(notify, me.second, 0) == ACL_SUCCESS);
        aclrtSynchronizeStreamWithTimeout(me.second, 900);
        must(aclrtRecordNotify(notify, me.stream) == ACL_SUCCESS);
      }
      me.reduce(me.parts[0], me.second);
      codes.push_back(aclrtSynchronizeStream(me.second));
    }
    aclrtDestroyNotify(notify);
    return codes;
  });
  for (const auto& codes : results) CHECK(codes == std::vector<aclError>(4, ACL_SUCCESS));
}

TEST_CASE("a communicator that failed by a deadlock does not end later waits in another one",
          "[hccl][fail][deadlock]") {
  const HcclRootInfo info = new_info();
  const auto results = as_threads(2, [&](std::uint32_t rank) {
    const Rank me(info, rank, 2, {{7, {0, 1}}, {8, {0, 1}}});
    aclrtStream late = nullptr;
    aclrtNotify notify = nullptr;
    must(aclrtCreateStream(&late) == ACL_SUCCESS);
    must(aclrtCreateNotify(&notify, 0) == ACL_SUCCESS);
    must(HcclSend(me.memory, 64, kInt, 1 - rank, me.parts[1], me.second) == HCCL_SUCCESS);
    std::vector<aclError> codes = {aclrtSynchronizeStream(me.second)};
    if (rank == 1) {  // longer than the operation of rank 0 waits before it looks why
      must(aclrtWaitAndResetNotify(notify, late, 0) == ACL_SUCCESS);
      aclrtSynchronizeStreamWithTimeout(late, 900);
      must(aclrtRecordNotify(notify, me.stream) == ACL_SUCCESS);
    }
    me.reduce(me.parts[0], me.stream);
    codes.push_back(aclrtSynchronizeStream(me.stream));
    aclrtDestroyStream(late);
    aclrtDestroyNotify(notify);
    return codes;
  });
  for (const auto& codes : results) {
    CHECK(codes == std::vector<aclError>{ACL_ERROR_RT_INTERNAL_ERROR, ACL_SUCCESS});
  }
}

namespace {

CHILD_PROGRAM(two_orders) {
  const RankArguments arguments;
  std::pair<aclError, std::string> result;
  {
    const Rank me(arguments.info, arguments.rank, 2, {{7, {0, 1}}});
    HcclComm const part = me.parts[0];
    result = arguments.rank == 0 ? me.one_after_the_other(me.world, part)
                                 : me.one_after_the_other(part, me.world);
    std::cout << result.first << " " << result.second << std::endl;
    std::string word;
    std::cin >> word;
  }
  return 0;
}

}  // namespace

TEST_CASE("two communicators in different order in two processes are reported on both",
          "[hccl][fail][deadlock]") {
  const auto children = start_ranks_here(2, "two_orders");
  for (const auto& child : children) {
    const std::string answer = child->hear();
    check_told({std::stoi(answer), answer});
  }
  for (const auto& child : children) child->say("end");
}
