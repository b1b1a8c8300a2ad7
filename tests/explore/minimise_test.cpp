// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/explore/minimise.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "tests/support/catch.h"

using aclsim::minimise;

namespace {

using List = std::vector<int>;

/// Fails if a list contains all required elements.
struct Needs {
  std::set<int> needed;
  int tried = 0;
  std::optional<std::size_t> operator()(const std::vector<List>& lists) {
    for (std::size_t i = 0; i < lists.size(); ++i) {
      ++tried;
      const std::set<int> held(lists[i].begin(), lists[i].end());
      if (std::includes(held.begin(), held.end(), needed.begin(), needed.end())) return i;
    }
    return {};
  }
};

List numbers(int count) {
  List list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

}  // namespace

TEST_CASE("what is not needed is taken away, the rest keeps its order") {
  CHECK(minimise(numbers(200), Needs{{17, 18, 150}}) == List{17, 18, 150});
  CHECK(minimise(numbers(200), Needs{{0}}) == List{0});
  CHECK(minimise(numbers(3), Needs{{0, 1, 2}}) == List{0, 1, 2});
}

TEST_CASE("nothing is left when nothing is needed") {
  CHECK(minimise(numbers(50), Needs{{}}).empty());
  CHECK(minimise(List{}, Needs{{}}).empty());
}

TEST_CASE("a list that never fails again is left as it is") {
  CHECK(minimise(numbers(5), Needs{{77}}) == numbers(5));
}

TEST_CASE("few tries are needed for a small rest of a long list") {
  Needs needs{{800}};
  const List rest = minimise(numbers(1'000), [&](const std::vector<List>& l) { return needs(l); });
  CHECK(rest == List{800});
  CHECK(needs.tried < 60);
}
