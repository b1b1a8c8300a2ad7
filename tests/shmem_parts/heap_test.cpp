// SPDX-License-Identifier: Apache-2.0
// The heap's book of free pieces, against one that keeps every byte.
#include "runtime/shmem/heap/heap.h"

#include <map>
#include <random>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/share.h"

using shmem::Heap;

namespace {

/// Every 16 bytes by themselves; looks at all places.
class Model {
 public:
  explicit Model(std::size_t bytes) : taken_(bytes / 16) {}

  std::optional<std::size_t> allocate(std::size_t bytes, std::size_t alignment) {
    const std::size_t units = (bytes + 15) / 16;
    std::optional<std::size_t> best;
    std::size_t best_size = 0;
    for (std::size_t begin = 0; bytes > 0 && begin < taken_.size();) {
      std::size_t end = begin;
      while (end < taken_.size() && !taken_[end]) ++end;
      std::size_t at = begin;
      while (at * 16 % std::max<std::size_t>(alignment, 16) != 0) ++at;
      if (at + units <= end && (!best || end - begin < best_size)) {
        best = at;
        best_size = end - begin;
      }
      begin = end + 1;
    }
    if (!best) return std::nullopt;
    for (std::size_t i = 0; i < units; ++i) taken_[*best + i] = true;
    sizes_[*best * 16] = units;
    return *best * 16;
  }
  void release(std::size_t offset) {
    for (std::size_t i = 0; i < sizes_[offset]; ++i) taken_[offset / 16 + i] = false;
  }
  std::size_t free_bytes() const {
    return static_cast<std::size_t>(std::count(taken_.begin(), taken_.end(), false)) * 16;
  }

 private:
  std::vector<bool> taken_;
  std::map<std::size_t, std::size_t> sizes_;
};

}  // namespace

TEST_CASE("any sequence of calls gives the offsets of the model", "[shmem][heap]") {
  std::mt19937 random(support::first_seed());
  for (int run = 0; run < 60; ++run) {
    const std::size_t bytes = 16 * (1 + random() % 400) + random() % 16;
    Heap heap(bytes);
    Model model(bytes);
    std::vector<std::size_t> live;
    for (int step = 0; step < 300; ++step) {
      if (live.empty() || random() % 5 < 3) {
        const std::size_t size = random() % (random() % 4 == 0 ? bytes + 40 : 200);
        const std::size_t alignment = std::size_t{1} << random() % 9;
        const auto expected =
            alignment > bytes / 16 * 16 ? std::nullopt : model.allocate(size, alignment);
        const auto got = heap.allocate(size, alignment);
        REQUIRE(got == expected);
        if (got) live.push_back(*got);
      } else {
        const std::size_t which = random() % live.size();
        REQUIRE(heap.release(live[which]));
        model.release(live[which]);
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(which));
      }
      REQUIRE(heap.free_bytes() == model.free_bytes());
      REQUIRE(heap.allocations() == live.size());
    }
  }
}

TEST_CASE("the smallest piece that has the room is taken, of equal ones the first",
          "[shmem][heap]") {
  Heap heap(16 * 100);
  const auto a = heap.allocate(16 * 10);
  const auto b = heap.allocate(16);
  const auto c = heap.allocate(16 * 4);
  heap.allocate(16);
  const auto d = heap.allocate(16 * 4);
  heap.allocate(16);
  REQUIRE(a);
  REQUIRE(heap.release(*a));
  REQUIRE(heap.release(*d));
  REQUIRE(heap.release(*c));
  CHECK(heap.allocate(16 * 3) == c);
  CHECK(heap.allocate(49) == d);
  CHECK(heap.allocate(16 * 9 + 1) == a);
  CHECK(heap.release(*b));
}

TEST_CASE("nothing comes of no bytes, of too many, and of what is no power of two",
          "[shmem][heap]") {
  Heap heap(1024);
  CHECK_FALSE(heap.allocate(0));
  CHECK_FALSE(heap.allocate(1025));
  CHECK_FALSE(heap.allocate(SIZE_MAX));
  CHECK_FALSE(heap.allocate(16, 0));
  CHECK_FALSE(heap.allocate(16, 48));
  CHECK(heap.allocate(1024) == 0);
  CHECK_FALSE(heap.allocate(1));
}

TEST_CASE("alignment counts from where the block's lead begins", "[shmem][heap]") {
  constexpr std::size_t kLead = 96;
  Heap heap(4096, kLead);
  for (std::size_t alignment = 16; alignment <= 1024; alignment *= 2) {
    const auto at = heap.allocate(16, alignment);
    REQUIRE(at);
    CHECK((kLead + *at) % alignment == 0);
  }
  CHECK(heap.allocate(16, 32) == 64);  // the first gap of 48 bytes that has such a place
}

TEST_CASE("only what was allocated can be released, and once", "[shmem][heap]") {
  Heap heap(1024);
  const auto at = heap.allocate(64);
  CHECK_FALSE(heap.release(*at + 16));
  CHECK(heap.release(*at));
  CHECK_FALSE(heap.release(*at));
  CHECK(heap.free_bytes() == 1024);
}
