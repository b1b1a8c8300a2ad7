// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/files/input_file.h"

#include <fstream>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/odd_files.h"

using catch_compat::ContainsSubstring;

TEST_CASE("a pipe is read up to a limit, a file to its end", "[files]") {
  constexpr std::size_t kMost = std::size_t{2} << 20;
  const std::string text(kMost + 1, 'x');
  const support::TempDir dir;
  trace::InputFile file(dir.write("text", text), {}, kMost);
  CHECK(read_all(file).view() == text);

  const support::OddFiles odd;
  std::thread writer([&] { std::ofstream(odd.pipe()) << text; });
  {
    trace::InputFile pipe(odd.pipe(), {}, kMost);
    CHECK_THROWS_WITH(read_all(pipe), ContainsSubstring("more than 2 MB from a pipe"));
  }
  writer.join();
}
