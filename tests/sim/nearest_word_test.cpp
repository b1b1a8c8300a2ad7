// SPDX-License-Identifier: Apache-2.0
// Which word a mistyped one was meant to be.
#include "device_sim/base/nearest_word.h"

#include "tests/support/catch.h"

namespace {

const std::vector<std::string> kVerbs{"run", "explore", "replay", "report", "completion"};

}  // namespace

TEST_CASE("a letter too many, missing, wrong or swapped leads to the word that was meant") {
  CHECK(sim::nearest_word("runn", kVerbs) == "run");
  CHECK(sim::nearest_word("reply", kVerbs) == "replay");
  CHECK(sim::nearest_word("rupert", kVerbs) == "report");
  CHECK(sim::nearest_word("rnu", kVerbs) == "run");
  CHECK(sim::nearest_word("RUN", kVerbs) == "run");
  CHECK(sim::nearest_word("compeltoin", kVerbs) == "completion");
}

TEST_CASE("of several near words the nearest is taken, and the first of two as near") {
  CHECK(sim::nearest_word("repot", {"replay", "report"}) == "report");
  CHECK(sim::nearest_word("bat", {"cat", "rat"}) == "cat");
}

TEST_CASE("the beginning of a word leads to it") {
  CHECK(sim::nearest_word("expl", kVerbs) == "explore");
  CHECK(sim::nearest_word("comp", kVerbs) == "completion");
  CHECK(sim::nearest_word("c", kVerbs).empty());
}

TEST_CASE("a word of five letters may have two wrong ones") {
  CHECK(sim::nearest_word("cheka", {"check"}) == "check");
  CHECK(sim::nearest_word("tp", {"to"}) == "to");
  CHECK(sim::nearest_word("shel", {"help"}).empty());
}

TEST_CASE("a word that is like none is like none") {
  CHECK(sim::nearest_word("devices", kVerbs).empty());
  CHECK(sim::nearest_word("", kVerbs).empty());
  CHECK(sim::nearest_word("x", kVerbs).empty());
  CHECK(sim::nearest_word("run", {}).empty());
  CHECK(sim::nearest_word(std::string(100'000, 'x'), kVerbs).empty());
}

TEST_CASE("an error text ends with the suggestion, or is left alone") {
  CHECK(sim::did_you_mean("rnu", kVerbs) == "; did you mean 'run'?");
  CHECK(sim::did_you_mean("devices", kVerbs).empty());
  CHECK(sim::did_you_mean("rep", kVerbs) == "; did you mean 'replay' or 'report'?");
  CHECK(sim::did_you_mean("bat", {"cat", "rat", "mat", "hat"}) ==
        "; did you mean 'cat', 'rat' or 'mat'?");
}
