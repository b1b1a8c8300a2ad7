// SPDX-License-Identifier: Apache-2.0
// Hccl in kernels: what ends a kernel, and how the others learn of it.
#include "tests/ascendc_hccl/ranks.h"

using namespace kernel_collectives;
using AscendC::HcclHandle;
using catch_compat::ContainsSubstring;

namespace {

constexpr auto kFloat = kType<float>;
constexpr auto kSum = AscendC::HCCL_REDUCE_SUM;

/// Two ranks; the body ends the kernels of both with this message. `blocks`: of each.
void refuses(const std::string& message, Body body, std::uint32_t blocks = 1) {
  World world(2);
  const std::string text = world.run(std::move(body), blocks);
  CHECK_THAT(text, ContainsSubstring(message));
  CHECK(world.codes[0] != 0);
  CHECK(world.codes[1] != 0);
}
/// The same, of one call with an object that is ready.
void refuses_call(const std::string& message, const std::function<void(Hccl&, const Rank&)>& call) {
  refuses(message, [=](const Rank& own) {
    Hccl hccl;
    own.begin(hccl);
    call(hccl, own);
  });
}

}  // namespace

TEST_CASE("a collective with a wrong argument ends the kernel", "[hccl][failures]") {
  using AscendC::HcclDataType;
  using AscendC::HcclReduceOp;
  refuses_call("AllReduce: reads 80000 bytes", [](Hccl& hccl, const Rank& own) {
    hccl.AllReduce(own.send, own.receive, 20000, kFloat, kSum);
  });
  refuses_call("AllGather: writes 40000 bytes", [](Hccl& hccl, const Rank& own) {
    hccl.AllGather(own.send, own.receive, 10000, kFloat, 0);
  });
  refuses_call("ReduceScatter: reads", [](Hccl& hccl, const Rank& own) {
    hccl.ReduceScatter(own.send, own.receive, 10000, kFloat, kSum, 0);
  });
  refuses_call("AlltoAll: reads 4 bytes at 0x0",
               [](Hccl& hccl, const Rank& own) { hccl.AlltoAll(nullptr, own.receive, 1, kFloat); });
  refuses_call("AllReduce: dataType is int64_t; expected half, bfloat16_t, float, int16_t, int32_t",
               [](Hccl& hccl, const Rank& own) {
                 hccl.AllReduce(own.send, own.receive, 1, kType<std::int64_t>, kSum);
               });
  refuses_call("AllGather: dataType is 12, which is not emulated", [](Hccl& hccl, const Rank& own) {
    hccl.AllGather(own.send, own.receive, 1, HcclDataType::HCCL_DATA_TYPE_INT128, 0);
  });
  refuses_call(
      "ReduceScatter: op is 1; expected HCCL_REDUCE_SUM (0)", [](Hccl& hccl, const Rank& own) {
        hccl.ReduceScatter(own.send, own.receive, 1, kFloat, HcclReduceOp::HCCL_REDUCE_PROD, 0);
      });
  refuses_call("AllReduce: repeat is 0; expected 1 or more", [](Hccl& hccl, const Rank& own) {
    hccl.AllReduce(own.send, own.receive, 1, kFloat, kSum, 0);
  });
  refuses_call(
      "AlltoAll: strideCount is 3, and a block has 4 elements; expected 0, or at least as",
      [](Hccl& hccl, const Rank& own) { hccl.AlltoAll(own.send, own.receive, 4, kFloat, 3); });
  refuses_call(
      "AllGather: strideCount is 4; 2 turns write 4 elements of each rank one behind the "
      "other: expected at least 8",
      [](Hccl& hccl, const Rank& own) { hccl.AllGather(own.send, own.receive, 4, kFloat, 4, 2); });
}

TEST_CASE("AlltoAllV needs arrays that fit to each other", "[hccl][failures]") {
  static std::uint64_t ones[2] = {1, 1}, twos[2] = {2, 2}, begins[2] = {0, 2};
  refuses_call("AlltoAllV: rdispls is null", [](Hccl& hccl, const Rank& own) {
    hccl.AlltoAllV(own.send, ones, begins, kFloat, own.receive, ones, nullptr, kFloat);
  });
  refuses_call("AlltoAllV: recvType is half, and sendType is float; expected the same",
               [](Hccl& hccl, const Rank& own) {
                 hccl.AlltoAllV(own.send, ones, begins, kFloat, own.receive, ones, begins,
                                kType<half>);
               });
  refuses_call(" sends 1 elements to itself and expects 2", [](Hccl& hccl, const Rank& own) {
    hccl.AlltoAllV(own.send, ones, begins, kFloat, own.receive, twos, begins, kFloat);
  });
  refuses_call("AlltoAllV: rank 0 sends 1 elements to rank 1", [](Hccl& hccl, const Rank& own) {
    std::uint64_t expects[2] = {1, 1};
    if (own.rank == 1) expects[0] = 2;
    hccl.Wait(
        hccl.AlltoAllV<true>(own.send, ones, begins, kFloat, own.receive, expects, begins, kFloat));
  });
}

TEST_CASE("ranks whose calls differ all fail, and learn which calls they are", "[hccl][failures]") {
  refuses_call("rank 0 calls AllReduce of 1 elements of float (sum) (",
               [](Hccl& hccl, const Rank& own) {
                 hccl.Wait(hccl.AllReduce<true>(own.send, own.receive, own.rank + 1, kFloat, kSum));
               });
  refuses_call("and rank 1 calls AllReduce of 2 elements of float (sum) (",
               [](Hccl& hccl, const Rank& own) {
                 hccl.Wait(hccl.AllReduce<true>(own.send, own.receive, own.rank + 1, kFloat, kSum));
               });
  refuses_call("(maximum)", [](Hccl& hccl, const Rank& own) {
    hccl.Wait(hccl.AllReduce<true>(own.send, own.receive, 1, kFloat,
                                   own.rank == 0 ? kSum : AscendC::HCCL_REDUCE_MAX));
  });
  refuses_call("rank 1 calls AlltoAll of 1 elements of float", [](Hccl& hccl, const Rank& own) {
    hccl.Wait(own.rank == 0 ? hccl.AllGather<true>(own.send, own.receive, 1, kFloat, 0)
                            : hccl.AlltoAll<true>(own.send, own.receive, 1, kFloat));
  });
}

TEST_CASE("an object needs InitV2, a context and the tilings of its collectives",
          "[hccl][failures]") {
  refuses("GetRankId: the Hccl object was not initialised: InitV2 comes first",
          [](const Rank&) { Hccl().GetRankId(); });
  refuses("AllReduce: the Hccl object was not initialised",
          [](const Rank& own) { Hccl().AllReduce(own.send, own.receive, 1, kFloat, kSum); });
  refuses("which is no context of a communicator", [](const Rank& own) {
    Hccl hccl;
    hccl.InitV2(own.send, &own.tiling);
  });
  refuses("which is no context of a communicator", [](const Rank& own) {
    Hccl hccl;
    hccl.InitV2(nullptr, &own.tiling);
  });
  refuses("InitV2: initTiling is not what Mc2CcTilingConfig::GetTiling has filled in",
          [](const Rank& own) {
            const Tiling empty{};
            Hccl hccl;
            hccl.InitV2(own.context, &empty);
          });
  refuses("InitV2: the tiling is in global memory", [](const Rank& own) {
    Hccl hccl;
    hccl.InitV2(own.context, own.send);
  });
  refuses("AllGather: SetCcTilingV2 has set no tiling of this collective", [](const Rank& own) {
    Hccl hccl;
    hccl.InitV2(own.context, &own.tiling);
    hccl.SetCcTilingV2(offsetof(Tiling, reduce));
    hccl.AllGather(own.send, own.receive, 1, kFloat, 0);
  });
  constexpr auto kOther = kServer == AscendC::HCCL_SERVER_TYPE_CCU ? AscendC::HCCL_SERVER_TYPE_AICPU
                                                                   : AscendC::HCCL_SERVER_TYPE_CCU;
  refuses("InitV2: the server type of Hccl is", [](const Rank& own) {
    AscendC::Hccl<kOther> hccl;
    hccl.InitV2(own.context, &own.tiling);
  });
}

TEST_CASE("SetCcTilingV2 returns HCCL_FAILED where there is no tiling", "[hccl][failures]") {
  World world(2);
  static std::array<std::int32_t, 2> answers;
  const std::string text = world.works([](const Rank& own) {
    struct {
      Tiling tiling;
      Mc2CcTiling none;
    } all{own.tiling, {}};
    Hccl hccl;
    hccl.InitV2(own.context, &all);
    answers[own.rank] = hccl.SetCcTilingV2(sizeof(Tiling));
  });
  CHECK(answers == std::array<std::int32_t, 2>{-1, -1});
  CHECK_THAT(text, ContainsSubstring("SetCcTilingV2: there is no Mc2CcTiling"));
}

TEST_CASE("handles, commits and waits are counted", "[hccl][failures]") {
  refuses_call("Commit: handleId is 0; the object has 0 tasks",
               [](Hccl& hccl, const Rank&) { hccl.Commit(0); });
  refuses_call("Wait: handleId is -1; the object has 0 tasks",
               [](Hccl& hccl, const Rank&) { hccl.Wait(-1); });
  refuses_call("Commit: task 0 (AllReduce) has 1 turns, and all are committed",
               [](Hccl& hccl, const Rank& own) {
                 hccl.Commit(hccl.AllReduce<true>(own.send, own.receive, 1, kFloat, kSum));
               });
  refuses_call(
      "Finalize: task 1 (AllGather) has 3 turns, of which 1 are committed; hardware would "
      "wait forever",
      [](Hccl& hccl, const Rank& own) {
        hccl.AllReduce<true>(own.send, own.receive, 1, kFloat, kSum);
        hccl.Commit(hccl.AllGather(own.send, own.receive, 1, kFloat, 4, 3));
        hccl.Finalize();
      });
  refuses_call("AllReduce: the object has 63 tasks; it can have no more",
               [](Hccl& hccl, const Rank& own) {
                 for (int i = 0; i < 64; ++i)
                   hccl.AllReduce(own.send, own.receive, 1, kFloat, kSum);
               });
  refuses_call("AllReduce: Finalize was called before", [](Hccl& hccl, const Rank& own) {
    hccl.Finalize();
    hccl.AllReduce(own.send, own.receive, 1, kFloat, kSum);
  });
  // No core commits it.
  refuses_call("Hccl::Wait: kernel kernel, block 0 waits for what no block does any more",
               [](Hccl& hccl, const Rank& own) {
                 hccl.Wait(hccl.AllReduce(own.send, own.receive, 1, kFloat, kSum));
               });
}

TEST_CASE("a Wait more than there are turns returns -1", "[hccl][failures]") {
  World world(2);
  static std::array<std::int32_t, 2> answers;
  const std::string text = world.works([](const Rank& own) {
    Hccl hccl;
    own.begin(hccl);
    const HcclHandle handle = hccl.AllReduce<true>(own.send, own.receive, 1, kFloat, kSum);
    hccl.Wait(handle);
    answers[own.rank] = hccl.Wait(handle);
    hccl.Finalize();
  });
  CHECK(answers == std::array<std::int32_t, 2>{-1, -1});
  CHECK_THAT(text, ContainsSubstring("Wait: task 0 has 1 turns, and this core has waited for all"));
}

TEST_CASE("a kernel that ends without Finalize is reported", "[hccl][failures]") {
  World world(2);
  const std::string text = world.works([](const Rank& own) {
    Hccl hccl;
    own.begin(hccl);
    hccl.Wait(hccl.AllReduce<true>(own.send, own.receive, 1, kFloat, kSum));
  });
  CHECK_THAT(text, ContainsSubstring("ends without Hccl::Finalize"));
}

TEST_CASE("Finalize before other cores have waited is reported", "[hccl][failures]") {
  refuses(
      "Wait: Finalize was called before on the core that prepares the tasks",
      [](const Rank& own) {
        Hccl hccl;
        own.begin(hccl);
        const HcclHandle handle = hccl.AllReduce<true>(own.send, own.receive, 1, kFloat, kSum);
        // Two cores take turns; the second one waits behind the end of the first.
        if (AscendC::GetBlockIdx() == 0) {
          hccl.Wait(handle);
          hccl.Finalize();
          AscendC::SyncAll();
        } else {
          AscendC::SyncAll();
          hccl.Wait(handle);
        }
      },
      2);
}

TEST_CASE("cores of one kind prepare tasks", "[hccl][failures]") {
  World world(2);
  const std::string text = world.run(
      [](const Rank& own) {
        Hccl hccl;
        own.begin(hccl);
        hccl.AllReduce(own.send, own.receive, 1, kFloat, kSum);
      },
      1, ACLSIM_CORES_MIX_1_1);
  CHECK_THAT(text, ContainsSubstring("a cube core and a vector core prepare tasks"));
}

TEST_CASE("if the kernel of one rank fails, the others end and say why", "[hccl][failures]") {
  World world(8);
  const std::string text = world.run([](const Rank& own) {
    Hccl hccl;
    own.begin(hccl);
    const HcclHandle handle = hccl.AllReduce<true>(own.send, own.receive, 1, kFloat, kSum, 2);
    hccl.Wait(handle);
    if (own.rank == 5) AscendC::Trap();
    hccl.Wait(hccl.AllGather<true>(own.send, own.receive, 1, kFloat, 0));
    hccl.Finalize();
  });
  for (const aclError code : world.codes) CHECK(code != 0);
  CHECK_THAT(text, ContainsSubstring("have failed: rank 5: kernel kernel has failed"));
  // The communicator stays unusable.
  const std::string later = world.run([](const Rank& own) {
    Hccl hccl;
    own.begin(hccl);
    hccl.Wait(hccl.AllReduce<true>(own.send, own.receive, 1, kFloat, kSum));
  });
  CHECK_THAT(later, ContainsSubstring("have failed: rank 5"));
}

TEST_CASE("a rank that does not come ends the others at HCCL_EXEC_TIMEOUT", "[hccl][failures]") {
  const hccltest::Variable limit("HCCL_EXEC_TIMEOUT", "1");
  const bool queries = GENERATE(false, true);
  if (queries && kServer == AscendC::HCCL_SERVER_TYPE_CCU) return;
  World world(8);
  const std::string text = world.run([=](const Rank& own) {
    Hccl hccl;
    own.begin(hccl);
    if (own.rank == 3 || own.rank == 6) return;
    const HcclHandle handle = hccl.AllReduce<true>(own.send, own.receive, 4, kFloat, kSum);
#if ACLSIM_NPU_ARCH != 3510
    while (queries && hccl.Query(handle) < 1) {
    }
#endif
    hccl.Wait(handle);
    hccl.Finalize();
  });
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    const bool came = rank != 3 && rank != 6;
    CHECK((world.codes[rank] != 0) == came);
  }
  CHECK_THAT(text, ContainsSubstring("waits in AllReduce of 4 elements of float (sum) ("));
  CHECK_THAT(text, ContainsSubstring("for rank 3, where no kernel runs that calls it and rank 6, "
                                     "where no kernel runs that calls it; it has waited for 1000 "
                                     "ms (HCCL_EXEC_TIMEOUT)"));
}

TEST_CASE("a rank that does not come ends the others at the limit of kernels", "[hccl][failures]") {
  World world(2);
  std::uint64_t actual = 0;
  REQUIRE(aclrtSetOpExecuteTimeOutV2(1, &actual) == 0);
  const std::string text = world.run([=](const Rank& own) {
    Hccl hccl;
    own.begin(hccl);
    const HcclHandle first = hccl.AllReduce<true>(own.send, own.receive, 4, kFloat, kSum);
    hccl.Wait(first);
    if (own.rank == 1) {
      for (;;) AscendC::GetSystemCycle();
    }
    hccl.Wait(hccl.AllGather<true>(own.send, own.receive, 4, kFloat, 0));
  });
  REQUIRE(aclrtSetOpExecuteTimeOutV2(20000000, &actual) == 0);
  CHECK(world.codes[0] != 0);
  CHECK(world.codes[1] != 0);
  CHECK_THAT(text,
             ContainsSubstring("whose kernel kernel has committed 1 operations; the time of the "
                               "kernel is up"));
}

TEST_CASE("results that are used before Wait are a race", "[hccl][failures]") {
  World world(2);
  const auto body = [](const Rank& own, bool waits) {
    Hccl hccl;
    own.begin(hccl);
    const HcclHandle handle = hccl.AllReduce<true>(own.send, own.receive, 64, kFloat, kSum);
    if (waits) hccl.Wait(handle);
    AscendC::LocalTensor<float> tile(AscendC::TPosition::VECIN, 0, 64);
    AscendC::GlobalTensor<float> result;
    result.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(own.receive), 64);
    AscendC::DataCopy(tile, result, 64);
    if (!waits) hccl.Wait(handle);
    hccl.Finalize();
  };
  CHECK(world.works([=](const Rank& own) { body(own, true); }).empty());
  CHECK_THAT(world.works([=](const Rank& own) { body(own, false); }),
             ContainsSubstring("AllReduce (S, "));
}

TEST_CASE("each core that uses results waits for them, or for a core that has",
          "[hccl][failures]") {
  enum class How { waits, meets, neither };
  World world(2);
  const auto body = [](const Rank& own, How how) {
    Hccl hccl;
    own.begin(hccl);
    const HcclHandle handle = hccl.AllGather<true>(own.send, own.receive, 64, kFloat, 0);
    const bool first = AscendC::GetBlockIdx() == 0;
    if (first || how == How::waits) hccl.Wait(handle);
    if (how == How::meets) AscendC::SyncAll();
    AscendC::LocalTensor<float> tile(AscendC::TPosition::VECIN, 0, 64);
    AscendC::GlobalTensor<float> result;
    result.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(own.receive), 64);
    if (!first) AscendC::DataCopy(tile, result, 64);
    AscendC::SyncAll();
    hccl.Finalize();
  };
  CHECK(world.works([=](const Rank& own) { body(own, How::waits); }, 2).empty());
  CHECK(world.works([=](const Rank& own) { body(own, How::meets); }, 2).empty());
  CHECK_THAT(world.works([=](const Rank& own) { body(own, How::neither); }, 2),
             ContainsSubstring("and no barrier or flag orders them"));
}

TEST_CASE("operands that another core writes need an order before the commit", "[hccl][failures]") {
  World world(2);
  const auto body = [](const Rank& own, bool meets) {
    Hccl hccl;
    own.begin(hccl);
    const HcclHandle handle = hccl.AllGather(own.send, own.receive, 64, kFloat, 0);
    if (AscendC::GetBlockIdx() == 1) {
      AscendC::GlobalTensor<float> operand;
      operand.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(own.send), 64);
      operand.SetValue(3, 1.0F);
    }
    if (meets) AscendC::SyncAll();
    hccl.Commit(handle);
    hccl.Wait(handle);
    AscendC::SyncAll();
    hccl.Finalize();
  };
  CHECK(world.works([=](const Rank& own) { body(own, true); }, 2).empty());
  CHECK_THAT(world.works([=](const Rank& own) { body(own, false); }, 2),
             ContainsSubstring("and no barrier or flag orders them"));
}
