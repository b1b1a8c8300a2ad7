// SPDX-License-Identifier: Apache-2.0
// An oracle sees only the generated programs. These tests count their contents, which
// docs/development.md lists.
#include "tests/order/coverage.h"

#include <cstdio>
#include <fstream>
#include <iterator>

#include "tests/order/generator.h"
#include "tests/support/catch.h"

namespace ordertest {

void require_documented(const std::string& mark, const std::string& tables) {
  std::printf("<!-- %s begin -->\n%s<!-- %s end -->\n", mark.c_str(), tables.c_str(), mark.c_str());
  std::ifstream file(ACLSIM_SOURCE_DIR "/docs/development.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  const std::string begin = "<!-- " + mark + " begin -->\n";
  const std::size_t from = page.find(begin);
  const std::size_t to = page.find("<!-- " + mark + " end -->");
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  INFO("put what this test prints into docs/development.md");
  CHECK(page.substr(from + begin.size(), to - from - begin.size()) == tables);
}

}  // namespace ordertest

using namespace ordertest;

// The same programs in every run, so the tables do not hang on its seed; and they are many.
TEST_CASE("docs/development.md says what the random programs of one process contain",
          "[.][coverage]") {
  constexpr std::uint64_t kSeeds = 3000;
  Coverage coverage;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Generator generator(seed);
    const Program clean = generator.clean();
    coverage.add(clean);
    coverage.add(generator.wild(seed % 2 == 0 ? 5 : 60));
    for (const bool certain : {true, false}) {
      const auto bug = generator.with_bug(clean, certain);
      if (bug) coverage.add_planted(*bug, generator.planted());
    }
  }
  require_documented("random programs",
                     coverage.accesses() + "\n" + coverage.hidden() + "\n" + coverage.planted());
}
