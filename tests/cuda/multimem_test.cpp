// SPDX-License-Identifier: Apache-2.0
// Stores and reductions of kernels through the address of an object.
#include "cuda/multimem.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/cuda/world.h"

using namespace cudatest;
using aclsim::bf16;
using aclsim::f16;
using catch_compat::ContainsSubstring;

namespace {

template <class T>
std::vector<T> of_replicas(const Team& team, std::size_t offset) {
  std::vector<T> values;
  for (const auto& replica : team.replica) {
    T value;
    const auto bytes = read_back(*replica + offset, sizeof value);
    std::memcpy(&value, bytes.data(), sizeof value);
    values.push_back(value);
  }
  return values;
}

template <class T>
T* at(const Team& team, std::size_t offset) {
  return reinterpret_cast<T*>(CUdeviceptr{*team.address} + offset);
}

template <class T>
void check_type() {
  const Team team(3);
  for (int i = 0; i < 3; ++i) {
    const T value = static_cast<T>(10 + i);
    OK(cuMemcpyHtoD(*team.replica[i] + 64, &value, sizeof value));
  }
  CHECK(aclsim::multimem_ld_reduce_add(at<T>(team, 64)) == T(33));
  CHECK(aclsim::multimem_ld_reduce_min(at<T>(team, 64)) == T(10));
  CHECK(aclsim::multimem_ld_reduce_max(at<T>(team, 64)) == T(12));
  aclsim::multimem_red_add(at<T>(team, 64), T(5));
  CHECK(of_replicas<T>(team, 64) == std::vector<T>{T(15), T(16), T(17)});
  aclsim::multimem_red_max(at<T>(team, 64), T(16));
  aclsim::multimem_red_min(at<T>(team, 64), T(16));
  CHECK(of_replicas<T>(team, 64) == std::vector<T>(3, T(16)));
  aclsim::multimem_st(at<T>(team, 64), T(7));
  CHECK(of_replicas<T>(team, 64) == std::vector<T>(3, T(7)));
}

float value_of(f16 value) { return aclsim::multimem_detail::widen(value); }
float value_of(bf16 value) { return aclsim::multimem_detail::widen(value); }

}  // namespace

TEST_CASE("Stores and reductions reach every replica, in every type") {
  const World world;
  check_type<std::uint32_t>();
  check_type<std::int32_t>();
  check_type<std::uint64_t>();
  check_type<std::int64_t>();
  check_type<float>();
  check_type<double>();
}

TEST_CASE("Bits are combined") {
  const World world;
  const Team team(2);
  OK(cuMemsetD32(*team.replica[0], 0b1100, 1));
  OK(cuMemsetD32(*team.replica[1], 0b1010, 1));
  OK(cuCtxSynchronize());
  CHECK(aclsim::multimem_ld_reduce_and_(at<std::uint32_t>(team, 0)) == 0b1000);
  CHECK(aclsim::multimem_ld_reduce_or_(at<std::uint32_t>(team, 0)) == 0b1110);
  CHECK(aclsim::multimem_ld_reduce_xor_(at<std::uint32_t>(team, 0)) == 0b0110);
  aclsim::multimem_red_xor_(at<std::uint32_t>(team, 0), 0b0001u);
  CHECK(of_replicas<std::uint32_t>(team, 0) == std::vector<std::uint32_t>{0b1101, 0b1011});
}

TEST_CASE("16-bit numbers go to floats and back unchanged, and are rounded to the nearest") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const f16 half{static_cast<std::uint16_t>(bits)};
    const bf16 brain{static_cast<std::uint16_t>(bits)};
    f16 half_again{};
    bf16 brain_again{};
    aclsim::multimem_detail::narrow(value_of(half), half_again);
    aclsim::multimem_detail::narrow(value_of(brain), brain_again);
    if (std::isnan(value_of(half))) {
      REQUIRE(std::isnan(value_of(half_again)));
    } else {
      REQUIRE(half_again.bits == bits);
    }
    if (std::isnan(value_of(brain))) {
      REQUIRE(std::isnan(value_of(brain_again)));
    } else {
      REQUIRE(brain_again.bits == bits);
    }
  }
  f16 half{};
  aclsim::multimem_detail::narrow(2049.0f, half);  // between 2048 and 2050: to the even one
  CHECK(value_of(half) == 2048.0f);
  aclsim::multimem_detail::narrow(65520.0f, half);
  CHECK(std::isinf(value_of(half)));
  aclsim::multimem_detail::narrow(65519.0f, half);
  CHECK(value_of(half) == 65504.0f);
}

TEST_CASE("16-bit numbers are summed with 32 bits and rounded once") {
  const World world;
  const Team team(3);
  const float values[] = {2048.0f, 1.0f, 1.0f};
  for (int i = 0; i < 3; ++i) {
    f16 half{};
    aclsim::multimem_detail::narrow(values[i], half);
    OK(cuMemcpyHtoD(*team.replica[i], &half, sizeof half));
  }
  CHECK(value_of(aclsim::multimem_ld_reduce_add(at<f16>(team, 0))) == 2050.0f);
  bf16 one{};
  aclsim::multimem_detail::narrow(1.0f, one);
  aclsim::multimem_st(at<bf16>(team, 4), one);
  CHECK(value_of(aclsim::multimem_ld_reduce_add(at<bf16>(team, 4))) == 3.0f);
}

TEST_CASE("Where a device has no memory, and outside of objects, a kernel's access fails") {
  const World world;
  const Team team(2);
  void* targets[8];
  CHECK(aclsimMultimemTargets(at<int>(team, 0), 4, targets, 8) == 2);
  CHECK(aclsimMultimemTargets(at<int>(team, 0), 4, targets, 1) == 0);
  CHECK(aclsimMultimemTargets(at<int>(team, kG - 2), 4, targets, 8) == 0);
  CHECK(aclsimMultimemTargets(targets, 4, targets, 8) == 0);
  OK(cuMulticastUnbind(team.object, 1, 0, kG));
  CHECK(aclsimMultimemTargets(at<int>(team, 0), 4, targets, 8) == 0);
  CHECK_THAT(message(), ContainsSubstring("device 1 of the team has no memory"));
  CHECK_THROWS(aclsim::multimem_st(at<int>(team, 0), 1));
  OK(cuMulticastBindMem(team.object, 0, *team.memory[1], 0, kG, 0));
  aclsim::multimem_st(at<int>(team, 0), 1);
}

TEST_CASE("A kernel declares every replica") {
  const World world;
  const Team team(3);
  aclsimMemRange ranges[4];
  REQUIRE(aclsimMultimemRanges(at<int>(team, 128), 64, ACLSIM_ACCESS_WRITE, ranges, 4) == 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(reinterpret_cast<CUdeviceptr>(ranges[i].ptr) == *team.replica[i] + 128);
    CHECK(ranges[i].size == 64);
  }
}
