// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/report/dwarf_lines.h"

#include <atomic>
#include <thread>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/odd_files.h"

TEST_CASE("places in what is no file have no lines, and nothing waits for it", "[files]") {
  const auto lines = order::DwarfLines::of_files();
  if (!lines) return;  // this system has no library for them
  const support::OddFiles odd;
  for (const std::string& path : odd.all()) {
    order::Place place;
    place.module = path;
    place.offset = 16;
    lines->look_up(place);
    CHECK(place.file.empty());
  }
}

namespace {

int here() { return __LINE__; }

order::Place place_of_here(const order::DwarfLines& lines) {
  order::Place place;
  lines.look_up(reinterpret_cast<std::uint64_t>(&here), place);
  return place;
}

}  // namespace

TEST_CASE("threads that look up places at the same time all find them", "[places]") {
  const auto alone = order::DwarfLines::of_this_process();
  if (!alone) return;
  const order::Place wanted = place_of_here(*alone);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        const auto lines = order::DwarfLines::of_this_process();
        const order::Place place = place_of_here(*lines);
        if (place.file != wanted.file || place.line != wanted.line) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(here() > 0);
}

namespace {

[[gnu::noinline]] std::uint64_t address_of_call() {
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0)) - 1;
}

#line 7 "include/ascendc/impl/made_up.h"
[[gnu::always_inline]] inline std::uint64_t in_interface_of_kernels() { return address_of_call(); }
[[gnu::always_inline]] inline std::uint64_t deeper_in_interface() {
  return in_interface_of_kernels();
}
#line 67 "dwarf_lines_test.cpp"

order::Place place_of_call(const order::DwarfLines& lines, std::uint64_t address) {
  order::Place place;
  lines.look_up(address, place);
  return place;
}

}  // namespace

TEST_CASE("a place in inlined functions of the kernels' interface is that of their call",
          "[places]") {
  const auto lines = order::DwarfLines::of_this_process();
  if (!lines) return;
  const order::Place own = place_of_call(*lines, deeper_in_interface());
  constexpr std::uint32_t kCall = __LINE__ - 1;
  CHECK(own.file.ends_with("dwarf_lines_test.cpp"));
  CHECK(own.line == kCall);
}

CHILD_PROGRAM(places_after_the_end) {
  const auto lines = order::DwarfLines::of_this_process();
  order::DwarfLines::stop();
  if (lines) CHILD_EXPECT(place_of_here(*lines).file.empty());
  CHILD_EXPECT(!order::DwarfLines::of_this_process());
  return 0;
}

TEST_CASE("at the end of a process no more places are looked up", "[places]") {
  const support::ChildResult result = support::run_child("places_after_the_end");
  INFO(result.output);
  CHECK(result.clean());
}
