// SPDX-License-Identifier: Apache-2.0
// Ranks that do not speak of the same: root info of another version, rank tables in another form,
// or of another job.
#include <fstream>

#include "tests/hccl/world.h"
#include "tests/support/temp_dir.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;

namespace {

/// A table of two ranks on one server, in the form of version 1.0.
std::string first_form(const std::string& server, int second_device) {
  return R"({"status": "completed", "version": "1.0", "server_count": "1", "server_list": [{"server_id": ")" +
         server + R"(", "device": [{"device_id": "0", "rank_id": "0"}, {"device_id": ")" +
         std::to_string(second_device) + R"(", "rank_id": "1"}]}]})";
}

/// The same table in the form of version 2.0.
std::string second_form(const std::string& server) {
  const std::string level =
      R"("level_list": [{"net_layer": 0, "net_instance_id": ")" + server + R"("}])";
  return R"({"version": "2.0", "rank_count": 2, "rank_list": [
      {"rank_id": 0, "device_id": 0, "local_id": 0, )" +
         level + R"(},
      {"rank_id": 1, "device_id": 1, "local_id": 1, )" +
         level + "}]}";
}

/// The results of two ranks that are threads with a table each: "CODE TEXT".
std::vector<std::string> by_tables(const std::string& first, const std::string& second) {
  const support::TempDir dir;
  const std::string paths[] = {(dir.path() / "first.json").string(),
                               (dir.path() / "second.json").string()};
  std::ofstream(paths[0]) << first;
  std::ofstream(paths[1]) << second;
  return as_threads(2, [&](std::uint32_t rank) {
    HcclComm comm = nullptr;
    const HcclResult code = HcclCommInitClusterInfo(paths[rank].c_str(), rank, &comm);
    const std::string answer = std::to_string(code) + " " + (code == HCCL_SUCCESS ? "" : message());
    if (comm) HcclCommDestroy(comm);
    return answer;
  });
}

}  // namespace

TEST_CASE("root info of another version is refused with both versions", "[hccl]") {
  const OnDevice device(0);
  HcclRootInfo info;
  REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  info.internal[4] = 9;  // behind the four bytes that say what it is
  HcclComm comm = nullptr;
  CHECK(HcclCommInitRootInfo(1, &info, 0, &comm) == HCCL_E_TCP_CONNECT);
  CHECK_THAT(message(),
             ContainsSubstring("the root info has version 9, this library reads version"));
  info.internal[0] ^= 1;
  CHECK(HcclCommInitRootInfo(1, &info, 0, &comm) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("this is no root info"));
  CHECK(comm == nullptr);
}

TEST_CASE("ranks meet by rank tables of both versions, where these say the same", "[hccl]") {
  CHECK(by_tables(first_form("rack", 1), second_form("rack")) ==
        std::vector<std::string>{"0 ", "0 "});
}

TEST_CASE("ranks with other rank tables do not meet, and are told", "[hccl]") {
  const Variable limit("ACLSIM_HCCL_CONNECT_TIMEOUT_MS", "800");
  const std::string others[] = {first_form("other", 1), first_form("rack", 2),
                                second_form("other")};
  for (const std::string& other : others) {
    const auto answers = by_tables(first_form("rack", 1), other);
    CHECK_THAT(answers[0], ContainsSubstring("9 ") &&
                               ContainsSubstring("rank 0 of 2 waited in vain for rank 1"));
    CHECK_THAT(answers[1],
               ContainsSubstring("9 ") && ContainsSubstring("rank 1 cannot reach the store"));
  }
}
