// SPDX-License-Identifier: Apache-2.0
// Kernels of all ranks of a communicator, one rank on each device, driven by one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "ascendc/kernel_operator.h"
#include "hccl/hccl.h"
#include "hccl/hccl_mc2.h"
#include "tests/ascendc/kernel_of.h"
#include "tests/ascendc/said.h"
#include "tests/hccl/world.h"
#include "tests/support/catch.h"
#include "tiling/tiling_api.h"

namespace kernel_collectives {

using AscendC::HcclCMDType;
inline constexpr auto kServer =
    ACLSIM_NPU_ARCH == 3510 ? AscendC::HCCL_SERVER_TYPE_CCU : AscendC::HCCL_SERVER_TYPE_AICPU;
using Hccl = AscendC::Hccl<kServer>;

/// The tiling of a program that calls each collective.
struct Tiling {
  Mc2InitTiling init;
  Mc2CcTiling reduce, gather, scatter, exchange, exchange_v;
};
inline Tiling make_tiling(std::uint8_t skip_own = 0) {
  Tiling tiling{};
  AscendC::Mc2CcTilingConfig config("group", 2, "");
  REQUIRE(config.SetSkipLocalRankCopy(skip_own) == 0);
  REQUIRE(config.GetTiling(tiling.init) == 0);
  const std::pair<std::uint32_t, Mc2CcTiling*> all[] = {{2, &tiling.reduce},
                                                        {6, &tiling.gather},
                                                        {7, &tiling.scatter},
                                                        {10, &tiling.exchange},
                                                        {8, &tiling.exchange_v}};
  for (const auto& [op, into] : all) {
    REQUIRE(config.SetOpType(op) == 0);
    REQUIRE(config.GetTiling(*into) == 0);
  }
  return tiling;
}

/// The memory and the tiling of the kernel of a rank.
struct Rank {
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
  GM_ADDR context = nullptr;
  GM_ADDR send = nullptr;
  GM_ADDR receive = nullptr;
  Tiling tiling{};

  /// Initialises an object for all collectives.
  void begin(Hccl& hccl) const {
    hccl.InitV2(context, &tiling);
    for (const std::size_t offset :
         {offsetof(Tiling, reduce), offsetof(Tiling, gather), offsetof(Tiling, scatter),
          offsetof(Tiling, exchange), offsetof(Tiling, exchange_v)}) {
      if (hccl.SetCcTilingV2(offset) != AscendC::HCCL_SUCCESS) AscendC::Trap();
    }
  }
};
using Body = std::function<void(const Rank&)>;

inline std::vector<Rank> ranks_of_kernel;
inline Body body_of_kernel;
inline void run_body(std::uint32_t rank) { body_of_kernel(ranks_of_kernel[rank]); }

/// A communicator with memory and a context for each rank.
class World {
 public:
  explicit World(std::uint32_t ranks, std::size_t bytes = std::size_t{1} << 16,
                 std::uint8_t skip_own = 0)
      : bytes_(bytes), all_(ranks) {
    ranks_of_kernel.assign(ranks, {});
    Tiling tiling = make_tiling(skip_own);
    all_.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
      Rank& own = ranks_of_kernel[rank];
      own.rank = rank;
      own.ranks = ranks;
      own.tiling = tiling;
      void* context = nullptr;
      const HcclResult made = HcclAllocComResourceByTiling(comm, stream, &tiling, &context);
      INFO(hccltest::message());
      REQUIRE(made == 0);
      own.context = static_cast<GM_ADDR>(context);
      for (GM_ADDR* const memory : {&own.send, &own.receive}) {
        void* address = nullptr;
        REQUIRE(aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
        memories_.push_back({rank, address});
        *memory = static_cast<GM_ADDR>(address);
      }
    });
  }
  ~World() {
    for (const auto& [rank, memory] : memories_) {
      all_.on(rank);
      aclrtFree(memory);
    }
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  std::uint32_t ranks() const { return all_.ranks(); }
  hccltest::OneThread& all() { return all_; }

  template <class T>
  void put(std::uint32_t rank, const std::vector<T>& values, bool receive = false) {
    REQUIRE(values.size() * sizeof(T) <= bytes_);
    all_.on(rank);
    GM_ADDR const to = receive ? ranks_of_kernel[rank].receive : ranks_of_kernel[rank].send;
    REQUIRE(aclrtMemcpy(to, bytes_, values.data(), values.size() * sizeof(T),
                        ACL_MEMCPY_HOST_TO_DEVICE) == 0);
  }
  template <class T>
  std::vector<T> got(std::uint32_t rank, std::size_t count) {
    std::vector<T> values(count);
    all_.on(rank);
    REQUIRE(aclrtMemcpy(values.data(), count * sizeof(T), ranks_of_kernel[rank].receive,
                        count * sizeof(T), ACL_MEMCPY_DEVICE_TO_HOST) == 0);
    return values;
  }

  /// Runs the body as the kernel of each rank, and returns all messages. `cores`: an
  /// aclsimCoreKind.
  std::string run(Body body, std::uint32_t blocks = 1, std::uint32_t cores = ACLSIM_CORES_VECTOR) {
    body_of_kernel = std::move(body);
    Said said;
    all_.each([&](std::uint32_t rank, HcclComm, aclrtStream stream) {
      CHECK(KernelOf<&run_body>::enqueue("kernel", cores, blocks, stream, rank) == 0);
    });
    codes.clear();
    for (std::uint32_t rank = 0; rank < ranks(); ++rank)
      codes.push_back(all_.synchronize(rank).first);
    return said.text();
  }
  /// The same, where all kernels work.
  std::string works(Body body, std::uint32_t blocks = 1,
                    std::uint32_t cores = ACLSIM_CORES_VECTOR) {
    std::string text = run(std::move(body), blocks, cores);
    for (const aclError code : codes) CHECK(code == 0);
    return text;
  }

  std::vector<aclError> codes;  // of the last run, by rank

 private:
  const std::size_t bytes_;
  hccltest::OneThread all_;
  std::vector<std::pair<std::uint32_t, void*>> memories_;
};

template <class T>
inline constexpr AscendC::HcclDataType kType = AscendC::HCCL_DATA_TYPE_RESERVED;
template <>
inline constexpr auto kType<float> = AscendC::HCCL_DATA_TYPE_FP32;
template <>
inline constexpr auto kType<half> = AscendC::HCCL_DATA_TYPE_FP16;
template <>
inline constexpr auto kType<bfloat16_t> = AscendC::HCCL_DATA_TYPE_BFP16;
template <>
inline constexpr auto kType<std::int16_t> = AscendC::HCCL_DATA_TYPE_INT16;
template <>
inline constexpr auto kType<std::int32_t> = AscendC::HCCL_DATA_TYPE_INT32;
template <>
inline constexpr auto kType<std::int8_t> = AscendC::HCCL_DATA_TYPE_INT8;
template <>
inline constexpr auto kType<std::int64_t> = AscendC::HCCL_DATA_TYPE_INT64;

template <class T>
double number(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}
template <class T>
std::vector<double> numbers(const std::vector<T>& values) {
  std::vector<double> all;
  for (const T& value : values) all.push_back(number(value));
  return all;
}

/// Small whole numbers, which all types hold and whose sums are exact; different for each rank and
/// place.
inline int value_of(std::uint32_t rank, std::size_t i) {
  return static_cast<int>((rank * 7 + i * 3 + i / 5) % 13) - 4;
}
template <class T>
std::vector<T> values(std::uint32_t rank, std::size_t count) {
  std::vector<T> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(static_cast<T>(static_cast<float>(value_of(rank, i))));
  return all;
}

}  // namespace kernel_collectives
