// SPDX-License-Identifier: Apache-2.0
// mstx/ms_tools_ext.h: marks, ranges and domains in the timeline.
#include "mstx/ms_tools_ext.h"

#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/slices.h"
#include "tests/support/temp_dir.h"

using namespace world;

namespace {

std::string timeline_of(const char* program) {
  const support::TempDir dir;
  const auto child =
      support::run_child(program, {{"ACLSIM_TIMELINE", (dir.path() / "run.json").string()}});
  INFO(child.output);
  REQUIRE(child.clean());
  return dir.read("run.json");
}

}  // namespace

CHILD_PROGRAM(marks_of_tools_ext) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_SUCCESS);
  uint64_t tool = MSTX_TOOL_INVALID_ID;
  mstxGetToolId(&tool);
  CHILD_EXPECT(tool != MSTX_TOOL_INVALID_ID);
  mstxMarkA("host only", nullptr);
  const mstxRangeId range = mstxRangeStartA("epoch", stream);
  CHILD_EXPECT(range != 0);
  const mstxDomainHandle_t domain = mstxDomainCreateA("loader");
  CHILD_EXPECT(domain != nullptr);
  mstxDomainMarkA(domain, "batch", stream);
  const mstxRangeId inner = mstxDomainRangeStartA(domain, "read", nullptr);
  mstxRangeEnd(inner);  // another domain's: nothing happens
  mstxDomainRangeEnd(domain, inner);
  mstxRangeEnd(range);
  mstxDomainDestroy(domain);
  mstxDomainMarkA(domain, "too late", stream);
  CHILD_EXPECT(mstxDomainRangeStartA(domain, "too late", stream) == 0);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  return 0;
}

TEST_CASE("marks, ranges and domains of tools stand in the timeline, and in the stream given") {
  const std::string text = timeline_of("marks_of_tools_ext");
  CHECK(support::broken_rule(text) == "");
  const auto all = support::slices(text);
  CHECK(support::named(all, "host only").size() == 1);
  CHECK(support::named(all, "loader: batch").size() == 2);  // the host's and the stream's
  CHECK(support::named(all, "loader: read").size() == 1);
  CHECK(support::named(all, "epoch").size() == 3);  // the host's, and both ends in the stream
  CHECK(support::named(all, "loader: too late").empty());
}

TEST_CASE("bad input to tools is ignored, and leaves a text") {
  const Device device;
  const std::string too_long(256, 'x');
  for (const char* message : {static_cast<const char*>(nullptr), "", too_long.c_str()}) {
    aclGetRecentErrMsg();
    mstxMarkA(message, nullptr);
    CHECK_FALSE(recent_message().empty());
    CHECK(mstxRangeStartA(message, nullptr) == 0);
    CHECK(mstxDomainCreateA(message) == nullptr);
  }
  mstxGetToolId(nullptr);
  mstxRangeEnd(0);
  mstxRangeEnd(77);
  mstxDomainMarkA(nullptr, "nowhere", nullptr);
  mstxDomainDestroy(nullptr);
  CHECK(mstxMemHeapRegister(nullptr, nullptr) == nullptr);
  mstxMemHeapUnregister(nullptr, nullptr);
  mstxMemRegionsRegister(nullptr, nullptr);
  mstxMemRegionsUnregister(nullptr, nullptr);
  int no_stream = 0;
  CHECK(mstxRangeStartA("no stream", &no_stream) == 0);
}
