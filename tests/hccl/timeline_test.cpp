// SPDX-License-Identifier: Apache-2.0
// Operations between ranks in timelines and recordings, with their steps.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/hccl/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;

namespace {

CHILD_PROGRAM(collectives_for_a_timeline) {
  OneThread pair(2);
  std::int32_t* memory[2] = {};
  pair.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    memory[rank] = pair.ints(rank, std::vector<std::int32_t>(2048, 1));
    CHILD_EXPECT(HcclAllReduce(memory[rank], memory[rank], 2048, kInt, kSum, comm, stream) ==
                 HCCL_SUCCESS);
  });
  pair.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    CHILD_EXPECT(HcclBroadcast(memory[rank], 4, kInt, 0, comm, stream) == HCCL_SUCCESS);
  });
  for (const std::uint32_t rank : {0u, 1u})
    CHILD_EXPECT(pair.synchronize(rank).first == ACL_SUCCESS);
  return 0;
}

/// Each step lies inside of the operation whose it is, and none overlaps another.
void check_steps(const std::string& timeline) {
  struct Slice {
    double begin, end;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Slice>> tasks, steps;
  std::map<std::string, int> names;
  for (const auto& event : nlohmann::json::parse(timeline)) {
    const std::string category = event.value("cat", "");
    if (category != "step" && category != "device") continue;
    const double begin = event.at("ts");
    const Slice slice{begin, begin + event.at("dur").get<double>()};
    (category == "step" ? steps : tasks)[{event.at("pid"), event.at("tid")}].push_back(slice);
    if (category == "step") ++names[event.at("name")];
  }
  CHECK(names["Reduce_Inline"] == 2);  // each rank's share
  CHECK(names["Memcpy"] == 2);
  CHECK(names["Notify_Wait"] >= 1);
  for (const auto& [work, inner] : steps) {
    double last = 0;
    for (const Slice& step : inner) {
      CHECK(step.begin >= last);
      last = step.end;
      const auto holds = [&](const Slice& task) {
        return task.begin < step.begin && step.end < task.end;
      };
      CHECK(std::any_of(tasks[work].begin(), tasks[work].end(), holds));
    }
  }
}

}  // namespace

TEST_CASE("timelines and recordings show operations between ranks, and which way they take",
          "[hccl][check]") {
  const support::TempDir folder;
  const std::string timeline = (folder.path() / "timeline.json").string();
  const std::string recording = (folder.path() / "run.aclt.jsonl").string();
  const support::ChildResult result = support::run_child(
      "collectives_for_a_timeline", {{"ACLSIM_TIMELINE", timeline}, {"ACLSIM_RECORD", recording}});
  INFO(result.output);
  REQUIRE(result.clean());
  const std::string drawn = folder.read("timeline.json");
  for (const char* const part : {"HcclAllReduce", "HCCL_SHARES", "HcclBroadcast", "HCCL_BOARD"}) {
    CHECK_THAT(drawn, ContainsSubstring(part));
  }
  const std::string recorded = folder.read("run.aclt.jsonl");
  CHECK_THAT(recorded, ContainsSubstring(R"("n":"HcclAllReduce","rd":[[)"));
  CHECK_THAT(recorded, ContainsSubstring(R"("wr":[[)"));
  check_steps(drawn);
  CHECK_THAT(recorded, ContainsSubstring(R"(,"args":{"steps":[[")") &&
                           ContainsSubstring(R"(["Reduce_Inline",-1,4096,)"));
}
