// SPDX-License-Identifier: Apache-2.0
// Captured graphs with conditional tasks.
#pragma once

#include <vector>

#include "tests/acl/graph.h"

namespace world {

inline constexpr auto kKeep = static_cast<aclmdlRICondHandleFlag>(0);
inline constexpr auto kAssign = ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT;

/// A conditional task that is captured into `stream`, with as many sub-graphs as asked for.
struct Conditional {
  Conditional(aclrtStream stream, aclmdlRICondTaskType type, std::uint32_t count,
              std::uint32_t initial, aclmdlRICondHandleFlag flag = kAssign)
      : models(count) {
    aclmdlRI model = nullptr;
    REQUIRE_ACL(aclmdlRICaptureGetInfo(stream, nullptr, &model));
    aclmdlRICondHandle handle = nullptr;
    REQUIRE_ACL(aclmdlRICondHandleCreate(model, initial, flag, &handle));
    REQUIRE_ACL(aclmdlRICondHandleGetCondPtr(handle, &value));
    REQUIRE_ACL(aclmdlRIAddCondTask({handle, type, count, models.data()}, stream, 0));
  }
  std::vector<aclmdlRI> models;
  std::uint64_t* value = nullptr;
};

/// Fills a sub-graph with the tasks that `body` enqueues on a stream.
template <class Body>
void capture_into(aclmdlRI model, aclrtStream stream, Body body) {
  REQUIRE_ACL(aclmdlRICaptureToModelRIBegin(stream, model, kRelaxed));
  body();
  aclmdlRI ended = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(stream, &ended));
  CHECK(ended == model);
}

inline void begin_graph(aclrtStream stream) { REQUIRE_ACL(aclmdlRICaptureBegin(stream, kRelaxed)); }

inline Graph end_graph(aclrtStream stream) {
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(stream, &model));
  return Graph(model);
}

/// Device work that counts a condition down.
inline void count_down(aclrtStream stream, std::uint64_t* value) {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "count_down";
  launch.kernel = [](const aclsimKernelContext*, const void* args) -> std::int32_t {
    --**static_cast<std::uint64_t* const*>(args);
    return 0;
  };
  launch.numBlocks = 1;
  launch.args = &value;
  launch.argsSize = sizeof value;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
}

}  // namespace world
