// SPDX-License-Identifier: Apache-2.0
// The rules of a multicast object alone: no device, no process.
#include <map>
#include <memory>
#include <optional>
#include <random>

#include "runtime/cuda/base/error.h"
#include "runtime/cuda/multicast/join_wait.h"
#include "runtime/cuda/multicast/team.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

using namespace cuda;
using namespace cuda::multicast;
using catch_compat::ContainsSubstring;

namespace {

constexpr std::uint64_t kG = kGranularity;

struct Object {
  explicit Object(std::uint32_t devices, std::uint64_t granules = 8, std::uint64_t types = 0)
      : table(std::make_unique<Table>()), team(*table) {
    Team::start(*table, {devices, granules * kG, types}, 1);
  }
  /// With devices 0, 1, ... in the team.
  static Object complete(std::uint32_t devices, std::uint64_t granules = 8,
                         std::uint64_t types = 0) {
    Object object(devices, granules, types);
    for (std::uint32_t i = 0; i < devices; ++i) object.team.add(static_cast<int>(i), kMostHolders);
    return object;
  }
  std::unique_ptr<Table> table;
  Team team;
};

Memory memory_on(int device, std::uint64_t granules = 8, bool shareable = false) {
  return {static_cast<std::uint64_t>(100 + device), granules * kG, device, shareable};
}

template <class Body>
int code_of(Body&& body) {
  try {
    body();
    return CUDA_SUCCESS;
  } catch (const Error& error) {
    return error.code();
  }
}

}  // namespace

TEST_CASE("A team takes each device once, and no more than it was made for") {
  Object object(2);
  object.team.add(3, kMostHolders);
  CHECK(code_of([&] { object.team.add(3, kMostHolders); }) == CUDA_ERROR_INVALID_VALUE);
  CHECK_FALSE(object.team.complete());
  object.team.add(0, kMostHolders);
  CHECK(object.team.complete());
  CHECK(code_of([&] { object.team.add(1, kMostHolders); }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(object.team.members() == std::vector<int>{3, 0});
}

TEST_CASE("An object needs a team, and a size in whole granules") {
  Table* const table = new Table();
  const auto start = [&](std::uint32_t devices, std::uint64_t size) {
    return code_of([&] { Team::start(*table, {devices, size, 0}, 1); });
  };
  CHECK(start(0, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start(kMostDevices + 1, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start(2, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start(2, kG + 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(table->magic == 0);  // nothing was changed
  CHECK(start(1, kG) == CUDA_SUCCESS);
  delete table;
}

TEST_CASE("A bind that is out of line or out of bounds is refused and changes nothing") {
  Object object = Object::complete(2);
  const Memory memory = memory_on(0, 4);
  const auto bind = [&](std::uint64_t offset, std::uint64_t memory_offset, std::uint64_t size) {
    return code_of([&] { object.team.bind(offset, memory, memory_offset, size); });
  };
  CHECK(bind(1, 0, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(bind(0, 4096, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(bind(0, 0, kG - 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(bind(0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(bind(8 * kG, 0, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(bind(7 * kG, 0, 2 * kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(bind(0, 3 * kG, 2 * kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(bind(0, 5 * kG, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(bind(~0ull / kG * kG, 0, kG) == CUDA_ERROR_INVALID_VALUE);  // the sum would overflow
  CHECK(bind(0, ~0ull / kG * kG, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(object.team.bound_memory().empty());
  CHECK(bind(4 * kG, 0, 4 * kG) == CUDA_SUCCESS);
}

TEST_CASE(
    "Memory of a device outside the team, and memory that cannot be shared as the object can, is "
    "refused") {
  Object object = Object::complete(2, 8, 1);
  CHECK(code_of([&] { object.team.bind(0, memory_on(5, 8, true), 0, kG); }) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(code_of([&] { object.team.bind(0, memory_on(0, 8, false), 0, kG); }) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(code_of([&] { object.team.bind(0, memory_on(0, 8, true), 0, kG); }) == CUDA_SUCCESS);
}

TEST_CASE("What a device has bound may not be bound over, by it alone") {
  Object object = Object::complete(2);
  object.team.bind(2 * kG, memory_on(0), 0, 2 * kG);
  for (const std::uint64_t at : {1, 2, 3}) {
    CHECK(code_of([&] { object.team.bind(at * kG, memory_on(0), 4 * kG, 2 * kG); }) ==
          CUDA_ERROR_INVALID_VALUE);
  }
  CHECK(code_of([&] { object.team.bind(2 * kG, memory_on(1), 0, 2 * kG); }) == CUDA_SUCCESS);
  CHECK(code_of([&] { object.team.bind(4 * kG, memory_on(0), 0, kG); }) == CUDA_SUCCESS);
}

TEST_CASE("Unbind wants the values of the bind") {
  Object object = Object::complete(2);
  object.team.bind(2 * kG, memory_on(0), 0, 2 * kG);
  const auto unbind = [&](int device, std::uint64_t offset, std::uint64_t size) {
    return code_of([&] { object.team.unbind(device, offset, size); });
  };
  CHECK(unbind(7, 2 * kG, 2 * kG) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(unbind(-1, 2 * kG, 2 * kG) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(unbind(1, 2 * kG, 2 * kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(unbind(0, 2 * kG, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(unbind(0, 3 * kG, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(unbind(0, 0, 100 * kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(object.team.unbind(0, 2 * kG, 2 * kG) == std::vector<std::uint64_t>{100});
  CHECK(unbind(0, 2 * kG, 2 * kG) == CUDA_ERROR_INVALID_VALUE);
  // Two bindings of one call end together.
  const Range call{4 * kG, 2 * kG};
  object.team.bind(4 * kG, memory_on(0), 0, kG, call);
  object.team.bind(5 * kG, memory_on(0), kG, kG, call);
  CHECK(unbind(0, 4 * kG, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(object.team.unbind(0, 4 * kG, 2 * kG) == std::vector<std::uint64_t>{100, 100});
}

TEST_CASE("The table of bindings has an end, which is out of memory") {
  Object object = Object::complete(1, kMostBindings + 1);
  const Memory memory = memory_on(0, kMostBindings + 1);
  for (std::uint64_t i = 0; i < kMostBindings; ++i) object.team.bind(i * kG, memory, 0, kG);
  CHECK(code_of([&] { object.team.bind(kMostBindings * kG, memory, 0, kG); }) ==
        CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_CASE(
    "A process that dies without its device ends the hope of the others; one that added it does "
    "not") {
  Object object(2);
  const std::uint32_t first = object.team.take_slot(1000);
  const std::uint32_t second = object.team.take_slot(2000);
  object.team.add(0, first);
  CHECK_THAT(object.team.missing(), ContainsSubstring("1 of 2 devices were added (0)") &&
                                        ContainsSubstring("2000") && !ContainsSubstring("1000"));
  CHECK_FALSE(object.team.holder_died(first));
  CHECK(object.table->lost_process == 0);
  CHECK(object.team.holder_died(second));
  CHECK(object.table->lost_process == 2000);
}

TEST_CASE("A process that dies after the team is complete is no loss") {
  Object object = Object::complete(1);
  const std::uint32_t slot = object.team.take_slot(1000);
  CHECK_FALSE(object.team.holder_died(slot));
}

TEST_CASE("Slots of processes are used again, and have an end") {
  Object object(1);
  for (std::uint32_t i = 0; i < kMostHolders; ++i) CHECK(object.team.take_slot(1) == i);
  CHECK(code_of([&] { object.team.take_slot(1); }) == CUDA_ERROR_OUT_OF_MEMORY);
  object.team.give_slot(17);
  CHECK(object.team.take_slot(1) == 17);
}

TEST_CASE("Who waits for the team says so once, after its patience") {
  constexpr sim::Nanoseconds kSecond = 1'000'000'000;
  JoinWait wait(5 * kSecond);
  CHECK(wait.step(5 * kSecond) == JoinWait::kLook);
  CHECK_FALSE(wait.time_to_say(34 * kSecond));
  CHECK(wait.step(35 * kSecond - 10) == 10);
  CHECK(wait.time_to_say(35 * kSecond));
  CHECK_FALSE(wait.time_to_say(99 * kSecond));
  CHECK(wait.step(99 * kSecond) == JoinWait::kLook);
}

// A model that knows for each device and granule where it lies.
TEST_CASE("What a store reaches agrees with a model, whatever was bound and unbound before") {
  constexpr int kDevices = 3;
  constexpr std::uint64_t kGranules = 6;
  std::mt19937_64 random(support::first_seed());
  const auto pick = [&](std::uint64_t end) { return random() % end; };
  Object object = Object::complete(kDevices, kGranules);
  using Slot =
      std::optional<std::pair<std::uint64_t, std::uint64_t>>;  // binding, granule in memory
  std::map<int, std::vector<Slot>> model;
  std::map<std::uint64_t, std::tuple<int, std::uint64_t, std::uint64_t>> bound;
  for (int i = 0; i < kDevices; ++i) model[i].resize(kGranules);
  std::uint64_t last = 0;

  for (int round = 0; round < 20'000; ++round) {
    const int device = static_cast<int>(pick(kDevices));
    const std::uint64_t at = pick(kGranules);
    const std::uint64_t count = 1 + pick(kGranules);
    if (pick(2) == 0) {
      const std::uint64_t lead = pick(4);
      bool free = at + count <= kGranules && lead + count <= 8;
      for (std::uint64_t i = at; free && i < at + count; ++i) free = !model[device][i];
      const int code =
          code_of([&] { object.team.bind(at * kG, memory_on(device), lead * kG, count * kG); });
      REQUIRE((code == CUDA_SUCCESS) == free);
      if (!free) continue;
      bound[++last] = {device, at, count};
      for (std::uint64_t i = 0; i < count; ++i) model[device][at + i] = {{last, lead + i}};
    } else {
      std::uint64_t found = 0;
      for (const auto& [id, values] : bound) {
        if (values == std::tuple(device, at, count)) found = id;
      }
      const int code = code_of([&] { object.team.unbind(device, at * kG, count * kG); });
      REQUIRE((code == CUDA_SUCCESS) == (found != 0));
      if (found == 0) continue;
      bound.erase(found);
      for (std::uint64_t i = 0; i < count; ++i) model[device][at + i].reset();
    }
    const std::uint64_t begin = pick(kGranules * kG);
    const std::uint64_t size = 1 + pick(kGranules * kG - begin);
    std::uint64_t next = begin;
    for (const Segment& piece : object.team.pieces(begin, size)) {
      REQUIRE(piece.offset == next);
      next += piece.size;
      std::size_t target = 0;
      for (int d = 0; d < kDevices; ++d) {
        const Slot& slot = model[d][piece.offset / kG];
        const bool missing =
            std::find(piece.unbound.begin(), piece.unbound.end(), d) != piece.unbound.end();
        REQUIRE(missing == !slot.has_value());
        if (!slot) continue;
        const Target expected{d, static_cast<std::uint64_t>(100 + d),
                              slot->second * kG + piece.offset % kG};
        REQUIRE(piece.targets.at(target++) == expected);
      }
    }
    REQUIRE(next == begin + size);
  }
}
