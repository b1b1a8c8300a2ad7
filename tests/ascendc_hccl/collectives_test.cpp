// SPDX-License-Identifier: Apache-2.0
// Hccl in kernels: what each collective computes.
#include "tests/ascendc_hccl/ranks.h"

using namespace kernel_collectives;
using AscendC::HcclHandle;
using Op = AscendC::HcclReduceOp;

namespace {

double reduced(std::uint32_t ranks, std::size_t i, Op op) {
  double all = value_of(0, i);
  for (std::uint32_t rank = 1; rank < ranks; ++rank) {
    const double value = value_of(rank, i);
    all = op == AscendC::HCCL_REDUCE_SUM   ? all + value
          : op == AscendC::HCCL_REDUCE_MAX ? std::max(all, value)
                                           : std::min(all, value);
  }
  return all;
}

template <class T>
void check_all_reduce(std::uint32_t ranks, Op op) {
  constexpr std::size_t kCount = 300;
  World world(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) world.put(rank, values<T>(rank, kCount));
  CHECK(world
            .works([=](const Rank& own) {
              Hccl hccl;
              own.begin(hccl);
              const HcclHandle handle =
                  hccl.AllReduce<true>(own.send, own.receive, kCount, kType<T>, op);
              if (hccl.Wait(handle) != 0) AscendC::Trap();
              hccl.Finalize();
            })
            .empty());
  std::vector<double> expected;
  for (std::size_t i = 0; i < kCount; ++i) expected.push_back(reduced(ranks, i, op));
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    CHECK(numbers(world.got<T>(rank, kCount)) == expected);
}

template <class T>
void check_others(std::uint32_t ranks) {
  constexpr std::size_t kCount = 20;
  const std::size_t all = kCount * ranks;
  World world(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) world.put(rank, values<T>(rank, all));
  // One behind the other in the receive buffer.
  CHECK(world
            .works([=](const Rank& own) {
              Hccl hccl;
              own.begin(hccl);
              GM_ADDR to = own.receive;
              const HcclHandle handles[] = {
                  hccl.AllGather<true>(own.send, to, kCount, kType<T>, 0),
                  hccl.ReduceScatter<true>(own.send, to + all * sizeof(T), kCount, kType<T>,
                                           AscendC::HCCL_REDUCE_SUM, 0),
                  hccl.AlltoAll<true>(own.send, to + 2 * all * sizeof(T), kCount, kType<T>)};
              for (const HcclHandle handle : handles) {
                if (hccl.Wait(handle) != 0) AscendC::Trap();
              }
              hccl.Finalize();
            })
            .empty());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const std::vector<double> got = numbers(world.got<T>(rank, 3 * all));
    for (std::uint32_t from = 0; from < ranks; ++from) {
      for (std::size_t i = 0; i < kCount; ++i) {
        const std::size_t at = from * kCount + i;
        CHECK(got[at] == value_of(from, i));
        CHECK(got[2 * all + at] == value_of(from, rank * kCount + i));
      }
    }
    for (std::size_t i = 0; i < kCount; ++i)
      CHECK(got[all + i] == reduced(ranks, rank * kCount + i, AscendC::HCCL_REDUCE_SUM));
  }
}

}  // namespace

TEST_CASE("AllReduce gives each rank the sum, maximum or minimum of all ranks", "[hccl]") {
  const std::uint32_t ranks = GENERATE(2U, 8U);
  check_all_reduce<float>(ranks, AscendC::HCCL_REDUCE_SUM);
  check_all_reduce<half>(ranks, AscendC::HCCL_REDUCE_SUM);
  check_all_reduce<bfloat16_t>(ranks, AscendC::HCCL_REDUCE_MIN);
  check_all_reduce<std::int16_t>(ranks, AscendC::HCCL_REDUCE_SUM);
  check_all_reduce<std::int32_t>(ranks, AscendC::HCCL_REDUCE_MAX);
  if (ACLSIM_NPU_ARCH != 3510) check_all_reduce<std::int8_t>(ranks, AscendC::HCCL_REDUCE_MIN);
}

TEST_CASE("AllGather, ReduceScatter and AlltoAll move the blocks of all ranks", "[hccl]") {
  const std::uint32_t ranks = GENERATE(2U, 8U);
  check_others<float>(ranks);
  check_others<half>(ranks);
  check_others<std::int32_t>(ranks);
}

TEST_CASE("sums of 16-bit floats are rounded once, and integers wrap", "[hccl]") {
  constexpr std::uint32_t kRanks = 8;
  World world(kRanks);
  // In steps, each addition of 1 to 2048 would be lost in half.
  for (std::uint32_t rank = 0; rank < kRanks; ++rank)
    world.put(rank, std::vector<half>{half(rank == 0 ? 2048.0F : 1.0F)});
  world.works([](const Rank& own) {
    Hccl hccl;
    own.begin(hccl);
    hccl.Wait(
        hccl.AllReduce<true>(own.send, own.receive, 1, kType<half>, AscendC::HCCL_REDUCE_SUM));
    hccl.Finalize();
  });
  CHECK(number(world.got<half>(3, 1)[0]) == 2056);  // 2055 rounds to a multiple of 2, the even one
  for (std::uint32_t rank = 0; rank < kRanks; ++rank)
    world.put(rank, std::vector<std::int32_t>{0x7fffffff});
  world.works([](const Rank& own) {
    Hccl hccl;
    own.begin(hccl);
    hccl.Wait(hccl.AllReduce<true>(own.send, own.receive, 1, kType<std::int32_t>,
                                   AscendC::HCCL_REDUCE_SUM));
    hccl.Finalize();
  });
  CHECK(world.got<std::int32_t>(0, 1)[0] == -8);
}

TEST_CASE("with repeat, each commit carries out one turn, and strides lay the blocks out",
          "[hccl]") {
  constexpr std::size_t kTile = 6, kTurns = 3, kRow = kTile * kTurns;
  const std::uint32_t ranks = GENERATE(2U, 8U);
  World world(ranks);
  const std::size_t all = kRow * ranks;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    world.put(rank, values<std::int32_t>(rank, all));
  CHECK(world
            .works([=](const Rank& own) {
              Hccl hccl;
              own.begin(hccl);
              constexpr auto type = kType<std::int32_t>;
              GM_ADDR to = own.receive;
              const HcclHandle gather = hccl.AllGather(own.send, to, kTile, type, kRow, kTurns);
              const HcclHandle scatter = hccl.ReduceScatter(own.send, to + all * 4, kTile, type,
                                                            AscendC::HCCL_REDUCE_SUM, kRow, kTurns);
              const HcclHandle exchange =
                  hccl.AlltoAll(own.send, to + 2 * all * 4, kTile, type, kRow, kTurns);
              const HcclHandle reduce = hccl.AllReduce(own.send, to + 3 * all * 4, kTile, type,
                                                       AscendC::HCCL_REDUCE_MAX, kTurns);
              for (const HcclHandle handle : {gather, scatter, exchange, reduce}) {
                for (std::size_t turn = 0; turn < kTurns; ++turn) {
                  hccl.Commit(handle);
                  if (hccl.Wait(handle) != 0) AscendC::Trap();
                }
              }
              hccl.Finalize();
            })
            .empty());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const auto got = world.got<std::int32_t>(rank, 4 * all);
    for (std::uint32_t from = 0; from < ranks; ++from) {
      for (std::size_t i = 0; i < kRow; ++i) {
        CHECK(got[from * kRow + i] == value_of(from, i));
        CHECK(got[2 * all + from * kRow + i] == value_of(from, rank * kRow + i));
      }
    }
    for (std::size_t i = 0; i < kRow; ++i) {
      CHECK(got[all + i] == reduced(ranks, rank * kRow + i, AscendC::HCCL_REDUCE_SUM));
      CHECK(got[3 * all + i] == reduced(ranks, i, AscendC::HCCL_REDUCE_MAX));
    }
  }
}

TEST_CASE("AlltoAllV sends each rank as many elements as the arrays say", "[hccl]") {
  const std::uint32_t ranks = GENERATE(2U, 8U);
  const std::uint8_t turns = GENERATE(1, 2);
  // Rank i sends i + j + 1 elements to rank j in each turn; the turns of a block are neighbours.
  const auto count = [](std::uint32_t i, std::uint32_t j) -> std::uint64_t { return i + j + 1; };
  World world(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) world.put(rank, values<half>(rank, 500));
  CHECK(world
            .works([=](const Rank& own) {
              std::uint64_t counts[8] = {}, begins[8] = {}, next = 0;
              for (std::uint32_t i = 0; i < ranks; ++i) {
                counts[i] = count(own.rank, i);
                begins[i] = next;
                next += counts[i] * turns;
              }
              Hccl hccl;
              own.begin(hccl);
              const HcclHandle handle =
                  hccl.AlltoAllV<true>(own.send, counts, begins, kType<half>, own.receive, counts,
                                       begins, kType<half>, turns);
              for (auto& each : counts) each = 0;  // the arrays are not needed any more
              for (std::uint8_t turn = 0; turn < turns; ++turn) hccl.Wait(handle);
              hccl.Finalize();
            })
            .empty());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const auto got = numbers(world.got<half>(rank, 500));
    std::size_t at = 0;
    for (std::uint32_t from = 0; from < ranks; ++from) {
      std::size_t begin = 0;
      for (std::uint32_t j = 0; j < rank; ++j) begin += count(from, j) * turns;
      for (std::size_t i = 0; i < count(from, rank) * turns; ++i, ++at)
        CHECK(got[at] == value_of(from, begin + i));
    }
  }
}

TEST_CASE("buffers may be the same, and launches follow each other", "[hccl]") {
  constexpr std::size_t kCount = 100;
  World world(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank)
    world.put(rank, values<std::int32_t>(rank, kCount), true);
  for (int launch = 0; launch < 3; ++launch) {
    CHECK(world
              .works([](const Rank& own) {
                Hccl hccl;
                own.begin(hccl);
                hccl.Wait(hccl.AllReduce<true>(own.receive, own.receive, kCount,
                                               kType<std::int32_t>, AscendC::HCCL_REDUCE_SUM));
                hccl.Finalize();
              })
              .empty());
  }
  const auto got = world.got<std::int32_t>(1, kCount);
  for (std::size_t i = 0; i < kCount; ++i)
    CHECK(got[i] == 4 * reduced(2, i, AscendC::HCCL_REDUCE_SUM));
}

TEST_CASE("a rank's own block is not copied where the tiling says so", "[hccl]") {
  World world(2, std::size_t{1} << 16, 1);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    world.put(rank, std::vector<std::int32_t>{static_cast<std::int32_t>(rank) + 1, 5});
    world.put(rank, std::vector<std::int32_t>{-1, -1, -1, -1}, true);
  }
  world.works([](const Rank& own) {
    Hccl hccl;
    own.begin(hccl);
    const auto type = kType<std::int32_t>;
    hccl.Wait(hccl.AllGather<true>(own.send, own.receive, 1, type, 0));
    hccl.Wait(hccl.AlltoAll<true>(own.send, own.receive + 8, 1, type));
    hccl.Finalize();
  });
  const std::int32_t own = ACLSIM_NPU_ARCH == 3510 ? 1 : -1;  // 3510 does not know it
  CHECK(world.got<std::int32_t>(0, 4) == std::vector<std::int32_t>{own, 2, own, 2});
}

TEST_CASE("a kernel asks for its rank, the ranks, and how many turns are over", "[hccl]") {
  World world(8);
  static std::array<std::uint32_t, 8> ids, dims;
  static std::array<std::int32_t, 8> before, after;
  CHECK(world
            .works([](const Rank& own) {
              Hccl hccl;
              own.begin(hccl);
              ids[own.rank] = hccl.GetRankId();
              dims[own.rank] = hccl.GetRankDim();
              const HcclHandle handle = hccl.AllReduce(own.send, own.receive, 4, kType<float>,
                                                       AscendC::HCCL_REDUCE_SUM, 2);
              if constexpr (kServer == AscendC::HCCL_SERVER_TYPE_AICPU)
                before[own.rank] = hccl.Query(handle);
              hccl.Commit(handle);
              hccl.Commit(handle);
              if constexpr (kServer == AscendC::HCCL_SERVER_TYPE_AICPU) {
                while (hccl.Query(handle) < 2) {
                }
                after[own.rank] = hccl.Query(handle);
              }
              hccl.Finalize();
            })
            .empty());
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    CHECK(ids[rank] == rank);
    CHECK(dims[rank] == 8);
    CHECK(before[rank] == 0);
    CHECK(after[rank] == (kServer == AscendC::HCCL_SERVER_TYPE_AICPU ? 2 : 0));
  }
}

TEST_CASE("one core passes tasks on, and all cores wait for them", "[hccl]") {
  constexpr std::size_t kCount = 64;
  World world(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank)
    world.put(rank, values<std::int32_t>(rank, kCount));
  CHECK(world
            .works(
                [](const Rank& own) {
                  Hccl hccl;
                  own.begin(hccl);
                  const HcclHandle handle = hccl.AllReduce<true>(
                      own.send, own.receive, kCount, kType<std::int32_t>, AscendC::HCCL_REDUCE_SUM);
                  if (hccl.Wait(handle) != 0) AscendC::Trap();
                  // Each core uses its part of the result.
                  auto* const ints = reinterpret_cast<__gm__ std::int32_t*>(own.receive);
                  AscendC::GlobalTensor<std::int32_t> result;
                  result.SetGlobalBuffer(ints);
                  const auto at = static_cast<std::uint32_t>(AscendC::GetBlockIdx());
                  result.SetValue(kCount + at, result.GetValue(at) + 1);
                  AscendC::SyncAll();
                  hccl.Finalize();
                },
                4)
            .empty());
  const auto got = world.got<std::int32_t>(1, kCount + 4);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(got[kCount + i] == reduced(2, i, AscendC::HCCL_REDUCE_SUM) + 1);
}

TEST_CASE("an HcclServerConfig names the core that passes tasks on", "[hccl]") {
  static constexpr AscendC::HcclServerConfig kThird = {AscendC::CoreType::ON_AIV, 2};
  World world(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank) world.put(rank, values<std::int32_t>(rank, 8));
  CHECK(world
            .works(
                [](const Rank& own) {
                  AscendC::Hccl<kServer, kThird> hccl;
                  hccl.InitV2(own.context, &own.tiling);
                  hccl.SetCcTilingV2(offsetof(Tiling, gather));
                  hccl.Wait(hccl.template AllGather<true>(own.send, own.receive, 8,
                                                          kType<std::int32_t>, 0));
                  AscendC::SyncAll();
                  hccl.Finalize();
                },
                3)
            .empty());
  const auto got = world.got<std::int32_t>(0, 16);
  for (std::size_t i = 0; i < 8; ++i) CHECK(got[8 + i] == value_of(1, i));
}

TEST_CASE("cube cores pass tasks on, too, and vector cores of their group go on", "[hccl]") {
  World world(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank) world.put(rank, values<std::int32_t>(rank, 8));
  CHECK(world
            .works(
                [](const Rank& own) {
                  if (g_coreType == AscendC::AIV) return;
                  Hccl hccl;
                  own.begin(hccl);
                  hccl.Wait(hccl.AllGather<true>(own.send, own.receive, 8, kType<std::int32_t>, 0));
                  hccl.Finalize();
                },
                1, ACLSIM_CORES_MIX_1_2)
            .empty());
  const auto got = world.got<std::int32_t>(1, 16);
  for (std::size_t i = 0; i < 8; ++i) CHECK(got[i] == value_of(0, i));
}

TEST_CASE("the context may be set and taken, for each core", "[hccl]") {
  World world(2);
  CHECK(world
            .works([](const Rank& own) {
              AscendC::SetHcclContext<1>(own.context);
              Hccl hccl;
              hccl.InitV2(AscendC::GetHcclContext<1>(), &own.tiling);
              if (hccl.GetRankId() != own.rank || AscendC::GetHcclContext<0>() != nullptr)
                AscendC::Trap();
            })
            .empty());
}

TEST_CASE("tilings in global memory serve Init and SetCcTiling", "[hccl]") {
  World world(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank)
    world.put(rank, std::vector<Tiling>{ranks_of_kernel[rank].tiling});
  CHECK(world
            .works([](const Rank& own) {
              Hccl hccl;
              hccl.Init(own.context, own.send);
              if (hccl.SetCcTiling(own.send + offsetof(Tiling, gather)) != 0) AscendC::Trap();
              hccl.Wait(hccl.AllGather<true>(own.send, own.receive, 2, kType<float>, 0));
              hccl.Finalize();
              Hccl plain;  // without a tiling
              plain.Init(own.context);
              plain.Wait(plain.AllGather<true>(own.send, own.receive, 2, kType<float>, 0));
              plain.Finalize();
            })
            .empty());
}

#if ACLSIM_NPU_ARCH != 3510
TEST_CASE("windows are memory that the kernels of all ranks reach", "[hccl]") {
  World world(8);
  static std::array<std::array<int, 8>, 8> seen;
  static std::array<bool, 8> none;
  CHECK(world
            .works([](const Rank& own) {
              Hccl hccl;
              own.begin(hccl);
              none[own.rank] =
                  hccl.GetWindowsInAddr(8) == nullptr && hccl.GetWindowsOutAddr(9) == nullptr;
              AscendC::GlobalTensor<std::int32_t> word;
              word.SetGlobalBuffer(
                  reinterpret_cast<__gm__ std::int32_t*>(hccl.GetWindowsInAddr(own.rank)));
              word.SetValue(0, static_cast<std::int32_t>(own.rank) * 11);
              word.SetGlobalBuffer(
                  reinterpret_cast<__gm__ std::int32_t*>(hccl.GetWindowsOutAddr(own.rank)));
              word.SetValue(0, -1);
              hccl.Wait(hccl.AllGather<true>(own.send, own.receive, 1, kType<float>, 0));
              for (std::uint32_t rank = 0; rank < own.ranks; ++rank) {
                word.SetGlobalBuffer(
                    reinterpret_cast<__gm__ std::int32_t*>(hccl.GetWindowsInAddr(rank)));
                seen[own.rank][rank] = word.GetValue(0);
              }
              hccl.Finalize();
            })
            .empty());
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    CHECK(none[rank]);
    for (std::uint32_t other = 0; other < 8; ++other)
      CHECK(seen[rank][other] == static_cast<int>(other) * 11);
  }
}
#endif
