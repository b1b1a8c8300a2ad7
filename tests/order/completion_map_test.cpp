// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/completion_map.h"

#include <cstdint>
#include <map>
#include <string>

#include "tests/support/catch.h"

using order::CompletionId;
using order::CompletionMap;

TEST_CASE("what was never noted, or has ended, is not found", "[notes]") {
  CompletionMap<std::string> notes;
  CHECK(notes.find(1) == nullptr);
  notes.erase(1);
  notes.add(1, "one");
  REQUIRE(notes.find(1));
  CHECK(*notes.find(1) == "one");
  CHECK(notes.find(17) == nullptr);  // of the same low bits
  notes.erase(17);
  CHECK(notes.size() == 1);
  notes.erase(1);
  CHECK(notes.find(1) == nullptr);
  CHECK(notes.size() == 0);
}

TEST_CASE("a note that never ends keeps its value among thousands that come and go", "[notes]") {
  CompletionMap<int> notes;
  notes.add(3, -3);
  for (CompletionId note = 4; note < 100'000; ++note) {
    notes.add(note, static_cast<int>(note));
    if (note > 1000) notes.erase(note - 997);
  }
  REQUIRE(notes.find(3));
  CHECK(*notes.find(3) == -3);
  CHECK(notes.size() == 998);
  int sum = 0;
  CHECK_FALSE(notes.any([&](CompletionId, int) { return ++sum > 998; }));
  CHECK(sum == 998);
  CHECK(notes.any([](CompletionId note, int value) { return note == 3 && value == -3; }));
}

TEST_CASE("a note map answers as a plain map does", "[notes]") {
  CompletionMap<std::uint32_t> notes;
  std::map<CompletionId, std::uint32_t> plain;
  std::uint32_t random = 12345;
  const auto next = [&] { return (random = random * 1664525 + 1013904223) >> 8; };
  for (int i = 0; i < 20'000; ++i) {
    const CompletionId note = next() % 512;
    if (next() % 2 == 0 && !plain.contains(note)) {
      plain[note] = next();
      notes.add(note, plain[note]);
    } else {
      plain.erase(note);
      notes.erase(note);
    }
  }
  REQUIRE(notes.size() == plain.size());
  for (CompletionId note = 0; note < 512; ++note) {
    const auto known = plain.find(note);
    const std::uint32_t* const found = notes.find(note);
    REQUIRE((found != nullptr) == (known != plain.end()));
    if (found) CHECK(*found == known->second);
  }
}
