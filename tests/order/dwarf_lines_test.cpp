// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/dwarf_lines.h"

#include "tests/support/catch.h"
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
