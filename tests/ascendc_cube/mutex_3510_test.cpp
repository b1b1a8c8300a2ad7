// SPDX-License-Identifier: Apache-2.0
// Mutexes order the instructions of pipes: kernels with them, and the same ones with a mistake.
#include <cstdint>
#include <string>
#include <vector>

#include "tests/ascendc/planted.h"
#include "tests/support/catch.h"

namespace planted {
namespace {

using namespace AscendC;

/// Doubles 64 floats in buffers of this number: each pipe has the mutex while it works.
void doubles(GM_ADDR x, uint8_t id, bool locks_copy_out, uint32_t buffers = 0) {
  Place place(x);
  place.a = LocalTensor<float>(TPosition::VECCALC, buffers * 2048, kCount);
  place.b = LocalTensor<float>(TPosition::VECCALC, buffers * 2048 + 1024, kCount);
  Mutex::Lock<PIPE_MTE2>(id);
  DataCopy(place.a, place.from, kCount);
  Mutex::Unlock<PIPE_MTE2>(id);
  Mutex::Lock<PIPE_V>(id);
  Add(place.b, place.a, place.a, kCount);
  Mutex::Unlock<PIPE_V>(id);
  if (locks_copy_out) Mutex::Lock<PIPE_MTE3>(id);
  DataCopy(place.to, place.b, kCount);
  if (locks_copy_out) Mutex::Unlock<PIPE_MTE3>(id);
}

PLANTED(copies_out_without_the_mutex) { doubles(x, 0, good); }
PLANTED(locks_twice) {
  Mutex::Lock<PIPE_V>(3);
  if (good) Mutex::Unlock<PIPE_V>(3);
  Mutex::Lock<PIPE_V>(3);
  Mutex::Unlock<PIPE_V>(3);
}
PLANTED(unlocks_before_the_lock) {
  if (!good) Mutex::Unlock<PIPE_V>(3);
  Mutex::Lock<PIPE_V>(3);
  Mutex::Unlock<PIPE_V>(3);
}
PLANTED(unlocks_for_another_pipe) {
  Mutex::Lock<PIPE_V>(3);
  if (good) {
    Mutex::Unlock<PIPE_V>(3);
  } else {
    Mutex::Unlock<PIPE_MTE3>(3);
  }
}
PLANTED(leaves_a_mutex_locked) {
  Mutex::Lock<PIPE_V>(3);
  if (good) Mutex::Unlock<PIPE_V>(3);
}
PLANTED(takes_more_ids_than_there_are) {
  for (int i = 0; i < 30; ++i) {
    const MutexID id = AllocMutexID();
    if (good) ReleaseMutexID(id);
  }
}
PLANTED(releases_an_id_that_is_free) {
  const MutexID id = AllocMutexID();
  ReleaseMutexID(good ? id : static_cast<MutexID>(id + 1));
}
PLANTED(locks_a_mutex_that_does_not_exist) {
  const auto id = static_cast<MutexID>(good ? 31 : 32);
  Mutex::Lock<PIPE_V>(id);
  Mutex::Unlock<PIPE_V>(id);
}

constexpr int kKernelEnds = 507035;
TEST_CASE("mutexes: a mistake is found at its line, and its repair is not", "[mutex][planted]") {
  check(ROW(copies_out_without_the_mutex, 0, "pipe-race"), "mutex_3510_test.cpp:");
  check(ROW(locks_twice, 0, "mutex"), "the pipe has locked this mutex at");
  check(ROW(unlocks_before_the_lock, 0, "mutex"), "the pipe has not locked the mutex");
  check(ROW(unlocks_for_another_pipe, 0, "mutex"), "expected a Lock of the same pipe before");
  check(ROW(leaves_a_mutex_locked, 0, "mutex"), "an Unlock is missing");
  check(ROW(takes_more_ids_than_there_are, kKernelEnds, "mutex"), "all 28 ids are in use");
  check(ROW(releases_an_id_that_is_free, kKernelEnds, "mutex"),
        "AllocMutexID has not returned this id");
  check(ROW(locks_a_mutex_that_does_not_exist, kKernelEnds, "event-range"), "a number below 32");
}

/// The copy waits for the unlock of the vector unit, which comes later in the program.
PLANTED(copies_out_without_a_place_in_the_queue) {
  Place place(x);
  DataCopy(place.a, place.from, kCount);
  order<HardEvent::MTE2_V>();
  if (good) Mutex::Lock<PIPE_V>(5);
  Add(place.b, place.a, place.a, kCount);
  Mutex::Lock<PIPE_MTE3>(5);
  DataCopy(place.to, place.b, kCount);
  Mutex::Unlock<PIPE_MTE3>(5);
  if (good) Mutex::Unlock<PIPE_V>(5);
}
TEST_CASE("mutexes: a pipe waits for one that locked before, also if that one unlocks later",
          "[mutex][planted]") {
  check(ROW(copies_out_without_a_place_in_the_queue, 0, "pipe-race"), "MTE3");
}

void doubles_four_times(GM_ADDR x) {
  TPipe pipe;
  const MutexID even = AllocMutexID(), odd = pipe.AllocMutexID();
  for (int i = 0; i < 4; ++i) doubles(x + i * 256, i % 2 == 0 ? even : odd, true, i % 2);
  ReleaseMutexID(even);
  pipe.ReleaseMutexID(odd);
}
TEST_CASE("mutexes: pipes that lock the same mutex take turns", "[mutex][acl]") {
  Device device;
  std::vector<float> values(kFloats, -1.0F);
  for (int i = 0; i < 4 * kCount; ++i) values[i] = static_cast<float>(i);
  const auto memory = device.memory(values);
  Said said;
  REQUIRE(launch("doubles_four_times", doubles_four_times, 1,
                 reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  const std::vector<float> doubled = memory.host();
  for (int i = 0; i < 4 * kCount; ++i) {
    CAPTURE(i);
    CHECK(doubled[1024 + i] == static_cast<float>(2 * i));
  }
}

}  // namespace
}  // namespace planted
