// SPDX-License-Identifier: Apache-2.0
// The host side of collectives in kernels: tilings and contexts.
#include <cstring>
#include <iostream>
#include <memory>

#include "tests/ascendc_hccl/ranks.h"
#include "tests/support/child.h"

using namespace kernel_collectives;
using catch_compat::ContainsSubstring;

TEST_CASE("Mc2CcTilingConfig fills in one tiling for the start and one for each collective",
          "[hccl][host]") {
  CHECK(sizeof(Mc2InitTiling) == 64);
  CHECK(sizeof(Mc2CcTiling) == 512);
  Tiling tiling{};
  AscendC::Mc2CcTilingConfig config("my group", 7, "ReduceScatter=level0:fullmesh",
                                    AscendC::HCCL_REDUCE_MAX, AscendC::HCCL_DATA_TYPE_FP16,
                                    AscendC::HCCL_DATA_TYPE_INT8, 3);
  CHECK(config.SetSkipLocalRankCopy(1) == 0);
  CHECK(config.SetSkipBufferWindowCopy(2) == 0);
  CHECK(config.SetStepSize(0) == 0);
  CHECK(config.SetDebugMode(3) == 0);
  CHECK(config.SetQueueNum(2) == 0);
  CHECK(config.SetCommBlockNum(20) == 0);
  CHECK(config.GetTiling(tiling.init) == 0);
  CHECK(config.GetTiling(tiling.scatter) == 0);
  aclsim_hccl::InitTiling init;
  std::memcpy(&init, &tiling.init, sizeof init);
  CHECK(init.tasks == 1);
  CHECK(init.offsets[0] == offsetof(Tiling, scatter));
  aclsim_hccl::TaskTiling task;
  std::memcpy(&task, &tiling.scatter, sizeof task);
  CHECK(std::string(task.group) == "my group");
  CHECK(std::string(task.algorithm) == "ReduceScatter=level0:fullmesh");
  CHECK(task.op == 7);
  CHECK(task.reduce == 2);
  CHECK(task.to_type == 3);
  CHECK(task.from_type == 0);
  CHECK(task.engine == 3);
  CHECK(task.skip_own == 1);
}

TEST_CASE("Mc2CcTilingConfig refuses values that are not documented", "[hccl][host]") {
  const std::string longest(128, 'x'), longer(129, 'x');
  AscendC::Mc2CcTilingConfig config("group", 2, "");
  CHECK(config.SetOpType(3) != 0);
  CHECK(config.SetOpType(18) == 0);
  CHECK(config.SetGroupName("") != 0);
  CHECK(config.SetGroupName(longest) == 0);
  CHECK(config.SetGroupName(longer) != 0);
  CHECK(config.SetAlgConfig(longer) != 0);
  CHECK(config.SetReduceType(9) != 0);
  CHECK(config.SetSkipLocalRankCopy(2) != 0);
  CHECK(config.SetSkipBufferWindowCopy(3) != 0);
  CHECK(config.SetDebugMode(5) != 0);
  CHECK(config.SetCommBlockNum(20) == 0);
  CHECK(config.SetQueueNum(3) != 0);  // 60 in all
  CHECK(config.SetCommEngine(2) == 0);
  Mc2InitTiling init{};
  CHECK(config.GetTiling(init) == 0);
  Mc2CcTiling task{};
  CHECK(AscendC::Mc2CcTilingConfig("group", 99, "").GetTiling(init) != 0);
  CHECK(AscendC::Mc2CcTilingConfig(longer, 2, "").GetTiling(task) != 0);
}

TEST_CASE("a start has up to eight collectives", "[hccl][host]") {
  struct {
    Mc2InitTiling init;
    Mc2CcTiling tasks[9];
  } all{};
  AscendC::Mc2CcTilingConfig config("group", 2, "");
  CHECK(config.GetTiling(all.init) == 0);
  for (int i = 0; i < 8; ++i) CHECK(config.GetTiling(all.tasks[i]) == 0);
  CHECK(config.GetTiling(all.tasks[8]) != 0);
}

TEST_CASE("the classes of tilings have the sizes of the structures", "[hccl][host]") {
  CHECK(optiling::Mc2InitTiling().GetDataSize() == sizeof(Mc2InitTiling));
  CHECK(optiling::Mc2CcTiling().GetDataSize() == sizeof(Mc2CcTiling));
  CHECK(optiling::Mc2ServerCfg().GetDataSize() == sizeof(Mc2ServerCfg));
  CHECK(optiling::Mc2HcommCfg().GetDataSize() == sizeof(Mc2HcommCfg));
}

TEST_CASE("a context needs a communicator and a tiling", "[hccl][host]") {
  hccltest::OneThread all(2);
  all.on(0);
  Tiling tiling = make_tiling();
  void* context = nullptr;
  CHECK(HcclAllocComResourceByTiling(nullptr, nullptr, &tiling, &context) == HCCL_E_PTR);
  CHECK(HcclAllocComResourceByTiling(all.comms[0], nullptr, nullptr, &context) == HCCL_E_PTR);
  CHECK(HcclAllocComResourceByTiling(all.comms[0], nullptr, &tiling, nullptr) == HCCL_E_PTR);
  CHECK(HcclAllocComResourceByTiling(all.comms[0], nullptr, &tiling, &context) == 0);
  CHECK(context != nullptr);
  void* again = nullptr;
  CHECK(HcclAllocComResourceByTiling(all.comms[0], nullptr, &tiling, &again) == 0);
  CHECK(again == context);
  Tiling empty{};
  CHECK(HcclAllocComResourceByTiling(all.comms[0], nullptr, &empty, &context) == HCCL_E_PARA);
  CHECK_THAT(hccltest::message(), ContainsSubstring("mc2Tiling begins with 0"));
  AscendC::Mc2CcTilingConfig config("group", 18, "");
  CHECK(config.GetTiling(tiling.init) == 0);
  CHECK(config.GetTiling(tiling.gather) == 0);
  CHECK(HcclAllocComResourceByTiling(all.comms[0], nullptr, &tiling, &context) ==
        HCCL_E_NOT_SUPPORT);
}

namespace {

/// The root info is read from standard input, as numbers behind the rank.
CHILD_PROGRAM(asks_for_a_context) {
  std::uint32_t rank = 0;
  std::cin >> rank;
  HcclRootInfo info{};
  for (char& byte : info.internal) {
    int value = 0;
    std::cin >> value;
    byte = static_cast<char>(value);
  }
  CHILD_EXPECT(aclrtSetDevice(static_cast<std::int32_t>(rank)) == 0);
  HcclComm comm = nullptr;
  CHILD_EXPECT(HcclCommInitRootInfo(2, &info, rank, &comm) == 0);
  Mc2InitTiling tiling{};
  CHILD_EXPECT(AscendC::Mc2CcTilingConfig("group", 2, "").GetTiling(tiling) == 0);
  void* context = nullptr;
  const HcclResult code = HcclAllocComResourceByTiling(comm, nullptr, &tiling, &context);
  std::cout << code << " " << hccltest::message() << std::endl;
  HcclCommDestroy(comm);
  return 0;
}

}  // namespace

TEST_CASE("ranks in other processes are refused", "[hccl][host]") {
  const hccltest::OnDevice device(0);
  HcclRootInfo info{};
  REQUIRE(HcclGetRootInfo(&info) == 0);
  std::vector<std::unique_ptr<support::RunningChild>> ranks;
  for (int rank = 0; rank < 2; ++rank) {
    std::string line = std::to_string(rank);
    for (const char byte : info.internal) line += " " + std::to_string(byte);
    ranks.push_back(std::make_unique<support::RunningChild>("asks_for_a_context"));
    ranks.back()->say(line);
  }
  for (const auto& rank : ranks) {
    const std::string answer = rank->hear();
    CHECK_THAT(answer, ContainsSubstring("5 "));
    CHECK_THAT(answer, ContainsSubstring("has ranks in other processes: collectives that kernels "
                                         "call are emulated if all ranks are threads"));
  }
}

TEST_CASE("arguments of an operation make a context too", "[hccl][host]") {
  hccltest::OneThread all(2);
  all.on(1);
  void* args = nullptr;
  void* context = nullptr;
  CHECK(HcclKfcAllocOpArgs(nullptr) == HCCL_E_PTR);
  REQUIRE(HcclKfcAllocOpArgs(&args) == 0);
  CHECK(HcclKfcOpArgsSetSrcDataType(args, 3) == 0);
  CHECK(HcclKfcOpArgsSetDstDataType(args, 3) == 0);
  CHECK(HcclKfcOpArgsSetReduceType(args, 0) == 0);
  CHECK(HcclKfcOpArgsSetCount(args, 100) == 0);
  char algorithm[] = "AllReduce=level0:fullmesh";
  CHECK(HcclKfcOpArgsSetAlgConfig(args, algorithm) == 0);
  CHECK(HcclKfcOpArgsSetAlgConfig(args, nullptr) == HCCL_E_PTR);
  CHECK(HcclKfcOpArgsSetCommEngine(args, 5) == 0);
  CHECK(HcclCreateOpResCtx(all.comms[1], 2, args, &context) == 0);
  CHECK(context != nullptr);
  CHECK(HcclCreateOpResCtx(all.comms[1], 18, args, &context) == HCCL_E_NOT_SUPPORT);
  CHECK(HcclCreateOpResCtx(all.comms[1], 1, args, &context) == HCCL_E_PARA);
  CHECK(HcclCreateOpResCtx(all.comms[1], 2, nullptr, &context) == HCCL_E_PTR);
  CHECK(HcclKfcFreeOpArgs(args) == 0);
  CHECK(HcclKfcFreeOpArgs(args) == HCCL_E_PARA);
  CHECK(HcclKfcOpArgsSetCount(args, 1) == HCCL_E_PARA);
  CHECK(HcclCreateOpResCtx(all.comms[1], 2, args, &context) == HCCL_E_PARA);
}
