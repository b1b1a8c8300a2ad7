// SPDX-License-Identifier: Apache-2.0
#include "tools/launch/layout.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/support/catch.h"
#include "tools/launch/launcher_variables.h"

using namespace launch;

namespace {

std::string value_of(const Variables& variables, const std::string& name) {
  for (const auto& [key, value] : variables) {
    if (key == name) return value;
  }
  return "(none)";
}

std::string refusal_of_hosts(const std::string& text) {
  try {
    parse_hosts(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a hosts file has a host a line, with slots in either form", "[launch]") {
  const auto hosts = parse_hosts("# a job\nalpha slots=4\n\n10.0.0.2:2   # two\nfe80::1\nlast");
  REQUIRE(hosts.size() == 4);
  CHECK((hosts[0].name == "alpha" && hosts[0].slots == 4));
  CHECK((hosts[1].name == "10.0.0.2" && hosts[1].slots == 2));
  CHECK((hosts[2].name == "fe80::1" && hosts[2].slots == 0));
  CHECK((hosts[3].name == "last" && hosts[3].slots == 0));
}

TEST_CASE("a wrong hosts file is refused with its line", "[launch]") {
  CHECK(refusal_of_hosts("") == "no host; expected one a line");
  CHECK(refusal_of_hosts("a\nb slots=0") == "line 2: '0' slots; expected a number from 1");
  CHECK(refusal_of_hosts("a:x") == "line 1: 'x' slots; expected a number from 1");
  CHECK(refusal_of_hosts("a max-slots=2") == "line 1: 'max-slots=2'; expected slots=N");
  CHECK(refusal_of_hosts("a\na:2") == "line 2: 'a' is there twice");
  CHECK(refusal_of_hosts(":2") == "line 1: no name");
}

TEST_CASE("ranks fill the slots in order, and hosts without slots share what is left", "[launch]") {
  const Layout filled(5, {{"a", 2}, {"b", 4}});
  CHECK((filled.count_of(0) == 2 && filled.count_of(1) == 3));
  CHECK((filled.first_of(0) == 0 && filled.first_of(1) == 2));
  const Layout shared(8, {{"a", 0}, {"b", 1}, {"c", 0}});
  CHECK((shared.count_of(0) == 4 && shared.count_of(1) == 1 && shared.count_of(2) == 3));
  CHECK_THROWS_WITH(Layout(5, {{"a", 2}, {"b", 2}}), "5 ranks, but the hosts have 4 slots");
}

TEST_CASE("each rank is told its place, and all have the same size", "[launch]") {
  const Layout layout(5, {{"a", 2}, {"b", 3}});
  const Variables last = variables_of(layout, 1, 2, {"10.0.0.1", 29500, "/table"});
  CHECK(value_of(last, "RANK") == "4");
  CHECK(value_of(last, "RANK_ID") == "4");
  CHECK(value_of(last, "WORLD_SIZE") == "5");
  CHECK(value_of(last, "RANK_SIZE") == "5");
  CHECK(value_of(last, "LOCAL_RANK") == "2");
  CHECK(value_of(last, "DEVICE_ID") == "2");
  CHECK(value_of(last, "ASCEND_DEVICE_ID") == "2");
  CHECK(value_of(last, "LOCAL_WORLD_SIZE") == "3");
  CHECK(value_of(last, "MASTER_ADDR") == "10.0.0.1");
  CHECK(value_of(last, "MASTER_PORT") == "29500");
  CHECK(value_of(last, "RANK_TABLE_FILE") == "/table");
}

TEST_CASE("the rank table names every rank once, by host and device", "[launch]") {
  const Layout layout(5, {{"a", 2}, {"idle", 0}, {"b", 3}});
  const auto table = nlohmann::json::parse(layout.rank_table({"10.0.0.1", "10.0.0.9", "10.0.0.2"}));
  CHECK(table["version"] == "1.0");
  CHECK(table["status"] == "completed");
  CHECK(table["server_count"] == "2");  // a host without ranks is not listed
  CHECK(table["server_list"][1]["server_id"] == "10.0.0.2");
  CHECK(table["server_list"][1]["device"][2]["rank_id"] == "4");
  CHECK(table["server_list"][1]["device"][2]["device_id"] == "2");
}

TEST_CASE("what another launcher says becomes the variables that programs read", "[launch]") {
  std::vector<std::pair<std::string, std::string>> set;
  const auto environment = [&](const char* name) {
    const std::string found = value_of(set, name);
    return found == "(none)" ? std::string() : found;
  };
  CHECK(variables_from_launcher(environment).empty());
  SECTION("Open MPI") {
    set = {{"OMPI_COMM_WORLD_RANK", "3"},
           {"OMPI_COMM_WORLD_SIZE", "4"},
           {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
           {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
    const Variables told = variables_from_launcher(environment);
    CHECK(value_of(told, "RANK_ID") == "3");
    CHECK(value_of(told, "WORLD_SIZE") == "4");
    CHECK(value_of(told, "DEVICE_ID") == "1");
    CHECK(value_of(told, "LOCAL_WORLD_SIZE") == "2");
  }
  SECTION("PMI, and what the user has set stays") {
    set = {{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}, {"RANK", "7"}};
    const Variables told = variables_from_launcher(environment);
    CHECK(value_of(told, "RANK") == "(none)");
    CHECK(value_of(told, "RANK_ID") == "3");
    CHECK(value_of(told, "LOCAL_RANK") == "(none)");
  }
}
