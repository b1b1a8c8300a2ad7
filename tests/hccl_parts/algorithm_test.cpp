// SPDX-License-Identifier: Apache-2.0
// Which algorithm a collective takes.
#include "runtime/hccl/board/algorithm.h"

#include <string>

#include "tests/support/catch.h"

using hccl::Algorithm;
using hccl::choose_algorithm;
using hccl::kDoublingBytes;
using hccl::Kind;
using hccl::kRingBytes;
using hccl::kSumRingBytes;
using hccl::Task;

namespace {

constexpr std::uint64_t kSmall = 4096;
constexpr std::uint64_t kMiddle = 64 << 10;
constexpr std::uint64_t kLarge = 64 << 20;

/// A task in which each rank contributes all bytes, which are integers by default.
Task task(Kind kind, std::uint64_t bytes, std::uint32_t ranks, std::uint32_t hosts) {
  return {.kind = kind,
          .bytes = bytes,
          .all_bytes = bytes,
          .any_order = true,
          .ranks = ranks,
          .hosts = hosts};
}

Algorithm of(Kind kind, std::uint64_t bytes, std::uint32_t ranks, std::uint32_t hosts) {
  return choose_algorithm(task(kind, bytes, ranks, hosts));
}

}  // namespace

TEST_CASE("what is small goes over the board, whatever the hosts", "[algorithm]") {
  for (const std::uint32_t hosts : {1u, 2u, 4u}) {
    CHECK(of(Kind::all_reduce, kSmall, 4, hosts) == Algorithm::board);
    CHECK(of(Kind::broadcast, kSmall, 4, hosts) == Algorithm::board);
    CHECK(of(Kind::all_to_all, kSmall, 4, hosts) == Algorithm::board);
    CHECK(of(Kind::barrier, 0, 4, hosts) == Algorithm::barrier);
  }
}

TEST_CASE("on one host bytes go directly, and each rank reduces its share", "[algorithm]") {
  for (const std::uint64_t bytes : {kSmall + 1, kLarge}) {
    CHECK(of(Kind::all_reduce, bytes, 8, 1) == Algorithm::shares);
    CHECK(of(Kind::reduce, bytes, 8, 1) == Algorithm::shares);
    CHECK(of(Kind::reduce_scatter, bytes, 8, 1) == Algorithm::direct);
    CHECK(of(Kind::all_gather, bytes, 8, 1) == Algorithm::direct);
  }
}

TEST_CASE("between hosts of several ranks, one rank of each host stands for the others",
          "[algorithm]") {
  CHECK(of(Kind::all_reduce, kMiddle, 8, 2) == Algorithm::hierarchical);
  CHECK(of(Kind::broadcast, kMiddle, 8, 2) == Algorithm::hierarchical);
  CHECK(of(Kind::all_gather_v, kLarge, 3, 2) == Algorithm::hierarchical);
  CHECK(of(Kind::all_to_all, kLarge, 8, 2) == Algorithm::direct);
  CHECK(of(Kind::scatter, kLarge, 8, 2) == Algorithm::direct);
}

TEST_CASE("a reduction is layered by hosts only where its order does not matter, or all get it",
          "[algorithm]") {
  Task floats = task(Kind::reduce, kMiddle, 8, 2);
  CHECK(choose_algorithm(floats) == Algorithm::hierarchical);
  floats.any_order = false;
  CHECK(choose_algorithm(floats) == Algorithm::shares);
  floats.kind = Kind::reduce_scatter;
  CHECK(choose_algorithm(floats) == Algorithm::direct);
  floats.kind = Kind::all_reduce;
  CHECK(choose_algorithm(floats) == Algorithm::hierarchical);
}

TEST_CASE("one rank on each of many hosts: halving and doubling, then shares, then a ring",
          "[algorithm]") {
  CHECK(of(Kind::all_reduce, kSmall + 1, 4, 4) == Algorithm::halving_doubling);
  CHECK(of(Kind::all_reduce, kDoublingBytes - 1, 16, 16) == Algorithm::halving_doubling);
  CHECK(of(Kind::all_reduce, kDoublingBytes, 16, 16) == Algorithm::shares);
  CHECK(of(Kind::all_reduce, kRingBytes - 1, 16, 16) == Algorithm::shares);
  CHECK(of(Kind::all_reduce, kRingBytes, 4, 4) == Algorithm::ring);
  CHECK(of(Kind::all_reduce, kLarge, 3, 3) == Algorithm::ring);
  CHECK(of(Kind::all_gather, kLarge, 3, 3) == Algorithm::ring);
  CHECK(of(Kind::all_gather, kMiddle, 3, 3) == Algorithm::direct);
  CHECK(of(Kind::broadcast, kLarge, 3, 3) == Algorithm::direct);
  CHECK(of(Kind::reduce, kLarge, 3, 3) == Algorithm::shares);
}

TEST_CASE("halving and doubling needs a power of two of ranks", "[algorithm]") {
  for (const std::uint32_t ranks : {3u, 5u, 6u, 7u}) {
    CHECK(of(Kind::all_reduce, kMiddle, ranks, ranks) == Algorithm::shares);
  }
}

TEST_CASE("two hosts of a rank each exchange their shares", "[algorithm]") {
  CHECK(of(Kind::all_reduce, kMiddle, 2, 2) == Algorithm::shares);
  CHECK(of(Kind::all_reduce, kLarge, 2, 2) == Algorithm::shares);
  CHECK(of(Kind::all_gather, kLarge, 2, 2) == Algorithm::direct);
}

TEST_CASE("floats take only ways that add them in the order of the ranks, and round them once",
          "[algorithm]") {
  Task floats = task(Kind::all_reduce, kMiddle, 4, 4);
  floats.any_order = false;
  CHECK(choose_algorithm(floats) == Algorithm::shares);
  floats.all_bytes = kLarge;
  CHECK(choose_algorithm(floats) == Algorithm::ring);
  floats.rounds_once = true;
  CHECK(choose_algorithm(floats) == Algorithm::shares);
}

TEST_CASE(
    "between hosts of several ranks the hosts too take halving and doubling, shares and a ring",
    "[algorithm]") {
  CHECK(of(Kind::all_reduce, kSmall + 1, 8, 4) == Algorithm::hierarchical_halving_doubling);
  CHECK(of(Kind::all_reduce, kDoublingBytes, 8, 4) == Algorithm::hierarchical);
  CHECK(of(Kind::all_reduce, kMiddle, 6, 3) == Algorithm::hierarchical);
  CHECK(of(Kind::all_reduce, kRingBytes, 6, 3) == Algorithm::hierarchical_ring);
  CHECK(of(Kind::all_gather, kRingBytes, 6, 3) == Algorithm::hierarchical_ring);
  CHECK(of(Kind::all_gather, kMiddle, 8, 4) == Algorithm::hierarchical);
  CHECK(of(Kind::broadcast, kLarge, 6, 3) == Algorithm::hierarchical);
  CHECK(of(Kind::reduce, kLarge, 6, 3) == Algorithm::hierarchical);
  CHECK(of(Kind::all_reduce, kLarge, 8, 2) == Algorithm::hierarchical);
}

TEST_CASE("floats go around hosts of several ranks only where these follow each other",
          "[algorithm]") {
  Task floats = task(Kind::all_reduce, kLarge, 6, 3);
  floats.any_order = false;
  CHECK(choose_algorithm(floats) == Algorithm::hierarchical_ring);
  floats.in_order = false;
  CHECK(choose_algorithm(floats) == Algorithm::hierarchical);
  floats.in_order = true;
  floats.rounds_once = true;
  CHECK(choose_algorithm(floats) == Algorithm::hierarchical);
  floats.rounds_once = false;
  floats.all_bytes = kSumRingBytes;
  floats.hosts = 2;
  CHECK(choose_algorithm(floats) == Algorithm::hierarchical_ring);
  floats.all_bytes = kSumRingBytes - 1;
  CHECK(choose_algorithm(floats) == Algorithm::hierarchical);
}

TEST_CASE("every algorithm has a name in timelines", "[algorithm]") {
  CHECK(std::string(name_of(Algorithm::board)) == "HCCL_BOARD");
  CHECK(std::string(name_of(Algorithm::direct)) == "HCCL_DIRECT");
  CHECK(std::string(name_of(Algorithm::shares)) == "HCCL_SHARES");
  CHECK(std::string(name_of(Algorithm::barrier)) == "HCCL_BARRIER");
  CHECK(std::string(name_of(Algorithm::ring)) == "HCCL_RING");
  CHECK(std::string(name_of(Algorithm::hierarchical)) == "HCCL_HIERARCHICAL");
  CHECK(std::string(name_of(Algorithm::halving_doubling)) == "HCCL_HALVING_DOUBLING");
  CHECK(std::string(name_of(Algorithm::hierarchical_ring)) == "HCCL_HIERARCHICAL_RING");
  CHECK(std::string(name_of(Algorithm::hierarchical_halving_doubling)) ==
        "HCCL_HIERARCHICAL_HALVING_DOUBLING");
}
