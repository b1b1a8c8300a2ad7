// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/key_table.h"

#include <random>
#include <set>

#include "runtime/fabric/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

using namespace fabric;

namespace {

using Ticket = KeyTable::Ticket;
using Values = KeyTable::Values;

Ticket waiting(KeyTable& table, std::vector<std::string> keys) {
  const auto result = table.get(std::move(keys));
  REQUIRE(std::holds_alternative<Ticket>(result));
  return std::get<Ticket>(result);
}

}  // namespace

TEST_CASE("a value that is there is had at once", "[fabric]") {
  KeyTable table;
  table.set("key", bytes_of("value"));
  CHECK(std::get<Values>(table.get({"key"})) == Values{bytes_of("value")});
}

TEST_CASE("a wait for several keys is over when the last of them is set, in whatever order",
          "[fabric]") {
  KeyTable table;
  const Ticket ticket = waiting(table, {"a", "b", "c"});
  CHECK(table.set("b", bytes_of("2")).empty());
  CHECK(table.set("c", bytes_of("3")).empty());
  const auto answers = table.set("a", bytes_of("1"));
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].ticket == ticket);
  CHECK(answers[0].values == Values{bytes_of("1"), bytes_of("2"), bytes_of("3")});
  CHECK(table.waits() == 0);
}

TEST_CASE("a key that is removed while others are missing is waited for again", "[fabric]") {
  KeyTable table;
  const Ticket ticket = waiting(table, {"a", "b"});
  table.set("b", bytes_of("old"));
  CHECK(table.remove("b"));
  CHECK(table.set("a", bytes_of("1")).empty());
  const auto answers = table.set("b", bytes_of("new"));
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].ticket == ticket);
  CHECK(answers[0].values[1] == bytes_of("new"));
}

TEST_CASE("a wait that is cancelled names what is missing and is not answered", "[fabric]") {
  KeyTable table;
  const Ticket ticket = waiting(table, {"a", "b", "c"});
  table.set("b", {});
  CHECK(table.cancel(ticket) == std::vector<std::string>{"a", "c"});
  CHECK(table.cancel(ticket).empty());
  CHECK(table.set("a", {}).empty());
  CHECK(table.set("c", {}).empty());
}

TEST_CASE("numbers begin at 0, are added to, and can be waited for", "[fabric]") {
  KeyTable table;
  const Ticket ticket = waiting(table, {"n"});
  const KeyTable::Sum first = table.add("n", 5);
  CHECK(first.value == 5);
  REQUIRE(first.answers.size() == 1);
  CHECK(first.answers[0].ticket == ticket);
  CHECK(table.add("n", -7).value == -2);
}

TEST_CASE("keys and values that no table takes are refused with their size", "[fabric]") {
  KeyTable table;
  CHECK_THROWS_WITH(table.set("", {}), catch_compat::ContainsSubstring("0 bytes"));
  CHECK_THROWS_WITH(table.set(std::string(kMostKey + 1, 'k'), {}),
                    catch_compat::ContainsSubstring("1025 bytes"));
  CHECK_THROWS_WITH(table.get({std::string()}), catch_compat::ContainsSubstring("0 bytes"));
  table.set("text", bytes_of("text"));
  CHECK_THROWS_WITH(table.add("text", 1), catch_compat::ContainsSubstring("'text' is no number"));
}

TEST_CASE("random sets, removals, waits and cancellations agree with a plain model", "[fabric]") {
  std::mt19937 random(static_cast<unsigned>(support::first_seed()));
  const auto below = [&](unsigned n) { return random() % n; };
  KeyTable table;
  std::map<std::string, Bytes> values;
  std::map<Ticket, std::vector<std::string>> waits;
  for (int step = 0; step < 20'000; ++step) {
    const std::string key(1, static_cast<char>('a' + below(6)));
    switch (below(4)) {
      case 0: {
        values[key] = bytes_of(std::to_string(step));
        std::set<Ticket> over;
        for (const auto& answer : table.set(key, values[key])) {
          over.insert(answer.ticket);
          Values wanted;
          for (const std::string& each : waits.at(answer.ticket)) wanted.push_back(values.at(each));
          CHECK(answer.values == wanted);
          waits.erase(answer.ticket);
        }
        for (const auto& [ticket, keys] : waits) {
          bool all = true;
          for (const std::string& each : keys) all = all && values.count(each) != 0;
          CHECK_FALSE(all);
        }
        break;
      }
      case 1:
        CHECK(table.remove(key) == (values.erase(key) != 0));
        break;
      case 2: {
        std::vector<std::string> keys;
        for (unsigned n = 1 + below(4); n > 0; --n) {
          keys.push_back(std::string(1, static_cast<char>('a' + below(6))));
        }
        const auto result = table.get(keys);
        if (const Ticket* const ticket = std::get_if<Ticket>(&result)) waits[*ticket] = keys;
        break;
      }
      default:
        if (waits.empty()) break;
        table.cancel(waits.begin()->first);
        waits.erase(waits.begin());
    }
    REQUIRE(table.size() == values.size());
    REQUIRE(table.waits() == waits.size());
  }
}
