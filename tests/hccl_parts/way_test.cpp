// SPDX-License-Identifier: Apache-2.0
// Which algorithm a collective takes.
#include "runtime/hccl/board/way.h"

#include <string>

#include "tests/support/catch.h"

using hccl::choose_way;
using hccl::kDoublingBytes;
using hccl::Kind;
using hccl::kRingBytes;
using hccl::kSumRingBytes;
using hccl::Task;
using hccl::Way;

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

Way of(Kind kind, std::uint64_t bytes, std::uint32_t ranks, std::uint32_t hosts) {
  return choose_way(task(kind, bytes, ranks, hosts));
}

}  // namespace

TEST_CASE("what is small goes over the board, whatever the hosts", "[way]") {
  for (const std::uint32_t hosts : {1u, 2u, 4u}) {
    CHECK(of(Kind::all_reduce, kSmall, 4, hosts) == Way::board);
    CHECK(of(Kind::broadcast, kSmall, 4, hosts) == Way::board);
    CHECK(of(Kind::all_to_all, kSmall, 4, hosts) == Way::board);
    CHECK(of(Kind::barrier, 0, 4, hosts) == Way::barrier);
  }
}

TEST_CASE("on one host bytes go directly, and each rank reduces its share", "[way]") {
  for (const std::uint64_t bytes : {kSmall + 1, kLarge}) {
    CHECK(of(Kind::all_reduce, bytes, 8, 1) == Way::shares);
    CHECK(of(Kind::reduce, bytes, 8, 1) == Way::shares);
    CHECK(of(Kind::reduce_scatter, bytes, 8, 1) == Way::direct);
    CHECK(of(Kind::all_gather, bytes, 8, 1) == Way::direct);
  }
}

TEST_CASE("between hosts of several ranks, one rank of each host stands for the others", "[way]") {
  CHECK(of(Kind::all_reduce, kMiddle, 8, 2) == Way::hierarchical);
  CHECK(of(Kind::broadcast, kMiddle, 8, 2) == Way::hierarchical);
  CHECK(of(Kind::all_gather_v, kLarge, 3, 2) == Way::hierarchical);
  CHECK(of(Kind::all_to_all, kLarge, 8, 2) == Way::direct);
  CHECK(of(Kind::scatter, kLarge, 8, 2) == Way::direct);
}

TEST_CASE("a reduction is layered by hosts only where its order does not matter, or all get it",
          "[way]") {
  Task floats = task(Kind::reduce, kMiddle, 8, 2);
  CHECK(choose_way(floats) == Way::hierarchical);
  floats.any_order = false;
  CHECK(choose_way(floats) == Way::shares);
  floats.kind = Kind::reduce_scatter;
  CHECK(choose_way(floats) == Way::direct);
  floats.kind = Kind::all_reduce;
  CHECK(choose_way(floats) == Way::hierarchical);
}

TEST_CASE("one rank on each of many hosts: halving and doubling, then shares, then a ring",
          "[way]") {
  CHECK(of(Kind::all_reduce, kSmall + 1, 4, 4) == Way::halving_doubling);
  CHECK(of(Kind::all_reduce, kDoublingBytes - 1, 16, 16) == Way::halving_doubling);
  CHECK(of(Kind::all_reduce, kDoublingBytes, 16, 16) == Way::shares);
  CHECK(of(Kind::all_reduce, kRingBytes - 1, 16, 16) == Way::shares);
  CHECK(of(Kind::all_reduce, kRingBytes, 4, 4) == Way::ring);
  CHECK(of(Kind::all_reduce, kLarge, 3, 3) == Way::ring);
  CHECK(of(Kind::all_gather, kLarge, 3, 3) == Way::ring);
  CHECK(of(Kind::all_gather, kMiddle, 3, 3) == Way::direct);
  CHECK(of(Kind::broadcast, kLarge, 3, 3) == Way::direct);
  CHECK(of(Kind::reduce, kLarge, 3, 3) == Way::shares);
}

TEST_CASE("halving and doubling needs a power of two of ranks", "[way]") {
  for (const std::uint32_t ranks : {3u, 5u, 6u, 7u}) {
    CHECK(of(Kind::all_reduce, kMiddle, ranks, ranks) == Way::shares);
  }
}

TEST_CASE("two hosts of a rank each exchange their shares", "[way]") {
  CHECK(of(Kind::all_reduce, kMiddle, 2, 2) == Way::shares);
  CHECK(of(Kind::all_reduce, kLarge, 2, 2) == Way::shares);
  CHECK(of(Kind::all_gather, kLarge, 2, 2) == Way::direct);
}

TEST_CASE("floats take only ways that add them in the order of the ranks, and round them once",
          "[way]") {
  Task floats = task(Kind::all_reduce, kMiddle, 4, 4);
  floats.any_order = false;
  CHECK(choose_way(floats) == Way::shares);
  floats.all_bytes = kLarge;
  CHECK(choose_way(floats) == Way::ring);
  floats.rounds_once = true;
  CHECK(choose_way(floats) == Way::shares);
}

TEST_CASE(
    "between hosts of several ranks the hosts too take halving and doubling, shares and a ring",
    "[way]") {
  CHECK(of(Kind::all_reduce, kSmall + 1, 8, 4) == Way::hierarchical_halving_doubling);
  CHECK(of(Kind::all_reduce, kDoublingBytes, 8, 4) == Way::hierarchical);
  CHECK(of(Kind::all_reduce, kMiddle, 6, 3) == Way::hierarchical);
  CHECK(of(Kind::all_reduce, kRingBytes, 6, 3) == Way::hierarchical_ring);
  CHECK(of(Kind::all_gather, kRingBytes, 6, 3) == Way::hierarchical_ring);
  CHECK(of(Kind::all_gather, kMiddle, 8, 4) == Way::hierarchical);
  CHECK(of(Kind::broadcast, kLarge, 6, 3) == Way::hierarchical);
  CHECK(of(Kind::reduce, kLarge, 6, 3) == Way::hierarchical);
  CHECK(of(Kind::all_reduce, kLarge, 8, 2) == Way::hierarchical);
}

TEST_CASE("floats go around hosts of several ranks only where these follow each other", "[way]") {
  Task floats = task(Kind::all_reduce, kLarge, 6, 3);
  floats.any_order = false;
  CHECK(choose_way(floats) == Way::hierarchical_ring);
  floats.in_order = false;
  CHECK(choose_way(floats) == Way::hierarchical);
  floats.in_order = true;
  floats.rounds_once = true;
  CHECK(choose_way(floats) == Way::hierarchical);
  floats.rounds_once = false;
  floats.all_bytes = kSumRingBytes;
  floats.hosts = 2;
  CHECK(choose_way(floats) == Way::hierarchical_ring);
  floats.all_bytes = kSumRingBytes - 1;
  CHECK(choose_way(floats) == Way::hierarchical);
}

TEST_CASE("every way has a name in timelines", "[way]") {
  CHECK(std::string(name_of(Way::board)) == "HCCL_BOARD");
  CHECK(std::string(name_of(Way::direct)) == "HCCL_DIRECT");
  CHECK(std::string(name_of(Way::shares)) == "HCCL_SHARES");
  CHECK(std::string(name_of(Way::barrier)) == "HCCL_BARRIER");
  CHECK(std::string(name_of(Way::ring)) == "HCCL_RING");
  CHECK(std::string(name_of(Way::hierarchical)) == "HCCL_HIERARCHICAL");
  CHECK(std::string(name_of(Way::halving_doubling)) == "HCCL_HALVING_DOUBLING");
  CHECK(std::string(name_of(Way::hierarchical_ring)) == "HCCL_HIERARCHICAL_RING");
  CHECK(std::string(name_of(Way::hierarchical_halving_doubling)) ==
        "HCCL_HIERARCHICAL_HALVING_DOUBLING");
}
