// SPDX-License-Identifier: Apache-2.0
// Graphs, as the tests of captures make and run them.
#pragma once

#include "tests/acl/world.h"

namespace world {

inline constexpr auto kGlobal = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
inline constexpr auto kThreadLocal = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
inline constexpr auto kRelaxed = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

/// A captured graph, for a scope.
class Graph {
 public:
  Graph() = default;
  explicit Graph(aclmdlRI handle) : handle_(handle) {}
  ~Graph() {
    if (handle_ != nullptr) aclmdlRIDestroy(handle_);
  }
  Graph(Graph&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  operator aclmdlRI() const { return handle_; }
  aclmdlRI release() { return std::exchange(handle_, nullptr); }

 private:
  aclmdlRI handle_ = nullptr;
};

template <class Body>
Graph capture(aclrtStream stream, Body body, aclmdlRICaptureMode mode = kRelaxed) {
  REQUIRE_ACL(aclmdlRICaptureBegin(stream, mode));
  body();
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(stream, &model));
  return Graph(model);
}

inline void run(aclmdlRI model, aclrtStream stream) {
  REQUIRE_ACL(aclmdlRIExecuteAsync(model, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

/// Adds to a number, as device work that can run again.
struct Adder {
  static int32_t add(const aclsimKernelContext*, const void* args) {
    const auto* const self = static_cast<const Adder*>(args);
    // Unsigned: long runs go over the end.
    const auto before = static_cast<unsigned long>(*self->sum);
    *self->sum = static_cast<long>(before * 10 + static_cast<unsigned long>(self->digit));
    return 0;
  }
  long* sum;
  long digit;
};

inline void add(aclrtStream stream, long& sum, long digit) {
  const Adder args{&sum, digit};
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "add";
  launch.kernel = Adder::add;
  launch.numBlocks = 1;
  launch.args = &args;
  launch.argsSize = sizeof args;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
}

/// Ends a capture that may be invalid.
inline void abandon(aclrtStream stream) {
  aclmdlRI model = nullptr;
  aclmdlRICaptureEnd(stream, &model);
  if (model != nullptr) aclmdlRIDestroy(model);
}

}  // namespace world
