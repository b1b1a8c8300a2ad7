// SPDX-License-Identifier: Apache-2.0
#include "tests/support/share.h"

#include <set>
#include <stdexcept>

#include "tests/support/catch.h"

using support::Share;

TEST_CASE("the shares of n are disjoint, alike in size, and together everything") {
  constexpr std::uint64_t kCases = 100;
  for (unsigned of = 1; of <= 9; ++of) {
    std::multiset<std::uint64_t> taken;
    for (unsigned number = 1; number <= of; ++number) {
      const std::size_t before = taken.size();
      for (std::uint64_t i = 0; i < kCases; ++i) {
        if (Share{number, of}.holds(i)) taken.insert(i);
      }
      const std::size_t size = taken.size() - before;
      CHECK((size == kCases / of || size == kCases / of + 1));
    }
    CHECK(taken.size() == kCases);
    for (std::uint64_t i = 0; i < kCases; ++i) CHECK(taken.count(i) == 1);
  }
}

TEST_CASE("what is cut into fewer parts than there are shares is complete after that many shares") {
  for (unsigned of = 1; of <= 9; ++of) {
    for (unsigned parts = 1; parts <= of; ++parts) {
      for (std::uint64_t i = 0; i < 20; ++i) {
        unsigned holders = 0;
        for (unsigned number = 1; number <= parts; ++number) {
          holders += Share{number, of}.holds(i, parts);
        }
        INFO("case " << i << ", " << parts << " parts of " << of << " shares");
        CHECK(holders == 1);
      }
    }
  }
}

TEST_CASE("what is cut into more parts than there are shares is cut into the shares") {
  for (std::uint64_t i = 0; i < 20; ++i) CHECK(Share{2, 3}.holds(i, 7) == Share{2, 3}.holds(i));
}

TEST_CASE("without a share everything is taken") {
  for (std::uint64_t i = 0; i < 20; ++i) {
    CHECK(Share{}.holds(i));
    CHECK(Share{}.holds(i, 2));
  }
}

TEST_CASE("worker counts 1, 2, 4 and 8 rotate by pairs, so that two days see both ends") {
  const auto rows = [](unsigned day) {
    std::set<int> workers;
    for (std::uint64_t row = 0; row < 4; ++row) {
      if (Share{day, 4}.holds(row, 2)) workers.insert(1 << row);
    }
    return workers;
  };
  CHECK(rows(1) == std::set<int>{1, 4});
  CHECK(rows(2) == std::set<int>{2, 8});
  CHECK(rows(3) == rows(1));
  CHECK(rows(4) == rows(2));
}

TEST_CASE("a share is written k/n") {
  const Share share = support::parse_share("3/4");
  CHECK(share.number == 3);
  CHECK(share.of == 4);
  for (const char* wrong : {"", "3", "/", "0/4", "5/4", "1/0", "-1/4", "1/4 ", "a/b", "1/2/3"}) {
    INFO(wrong);
    CHECK_THROWS_AS(support::parse_share(wrong), std::invalid_argument);
  }
}

TEST_CASE("a row of runs is one of two parts, or of as many as it says") {
  CHECK(support::parse_row("3").index == 3);
  CHECK(support::parse_row("3").parts == 2);
  CHECK(support::parse_row("1/4").index == 1);
  CHECK(support::parse_row("1/4").parts == 4);
  for (const char* wrong : {"", "/", "a", "1/", "/4", "1/4/2", "-1"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(support::parse_row(wrong), std::invalid_argument);
  }
}
