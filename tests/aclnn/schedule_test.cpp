// SPDX-License-Identifier: Apache-2.0
// Operators where the machine decides: task groups that are exchanged, injected faults, seeded
// schedules.
#include <cstdio>
#include <set>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "tests/aclnn/world.h"
#include "tests/support/child.h"

using aclnntest::Device;
using aclnntest::Floats;
using catch_compat::ContainsSubstring;

namespace {

/// c = a + factor * b
void enqueue_add(const Floats& a, const Floats& b, const Floats& c, float factor,
                 aclrtStream stream) {
  aclTensor* const tensors[] = {a.tensor(), b.tensor(), c.tensor()};
  aclScalar* const alpha = aclCreateScalar(&factor, ACL_FLOAT);
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnAddGetWorkspaceSize(tensors[0], tensors[1], alpha, tensors[2], &workspace,
                                 &executor) == OK);
  CHECK(aclnnAdd(nullptr, 0, executor, stream) == OK);
  for (aclTensor* tensor : tensors) aclDestroyTensor(tensor);
  aclDestroyScalar(alpha);
}

aclnnStatus fill(void* memory, int64_t count, float value, aclrtStream stream) {
  aclTensor* const tensor =
      aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &count, 1, memory);
  aclScalar* const scalar = aclCreateScalar(&value, ACL_FLOAT);
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  aclnnStatus status =
      aclnnInplaceFillScalarGetWorkspaceSize(tensor, scalar, &workspace, &executor);
  if (status == OK) status = aclnnInplaceFillScalar(nullptr, 0, executor, stream);
  aclDestroyTensor(tensor);
  aclDestroyScalar(scalar);
  return status;
}

}  // namespace

TEST_CASE("operators of a task group are exchanged for others between runs", "[aclnn]") {
  const Device device;
  const Floats a({1, 2}), b({1, 1}), c({0, 0});
  aclrtStream update = nullptr;
  OK_ACL(aclrtCreateStream(&update));
  aclrtTaskGrp group = nullptr;
  OK_ACL(aclmdlRICaptureBegin(device.stream(), ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  enqueue_add(a, b, c, 1.0F, device.stream());
  OK_ACL(aclmdlRICaptureTaskGrpBegin(device.stream()));
  enqueue_add(c, b, c, 10.0F, device.stream());
  OK_ACL(aclmdlRICaptureTaskGrpEnd(device.stream(), &group));
  aclmdlRI graph = nullptr;
  OK_ACL(aclmdlRICaptureEnd(device.stream(), &graph));
  OK_ACL(aclmdlRIExecuteAsync(graph, device.stream()));
  device.wait();
  CHECK(c.values() == std::vector<float>{12, 13});
  const Floats other({4, 5});
  OK_ACL(aclmdlRICaptureTaskUpdateBegin(update, group));
  enqueue_add(c, other, c, 100.0F, update);  // another operand, another factor
  OK_ACL(aclmdlRICaptureTaskUpdateEnd(update));
  OK_ACL(aclrtSynchronizeStream(update));
  CHECK(c.values() == std::vector<float>{12, 13});
  OK_ACL(aclmdlRIExecuteAsync(graph, device.stream()));
  device.wait();
  CHECK(c.values() == std::vector<float>{402, 503});
  OK_ACL(aclmdlRIDestroy(graph));
}

// ---- faults ----

CHILD_PROGRAM(fills_three_times) {
  CHILD_EXPECT(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS);
  void* memory = nullptr;
  CHILD_EXPECT(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  for (const float value : {1.0F, 2.0F, 3.0F}) {
    const aclnnStatus status = fill(memory, 16, value, nullptr);
    std::printf("fill %d, wait %d\n", status, aclrtSynchronizeStream(nullptr));
  }
  float first = 0;
  CHILD_EXPECT(aclrtMemcpy(&first, 4, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  std::printf("value %g\n", first);
  return 0;
}

TEST_CASE("an operator that a fault makes fail fails its stream, and changes nothing", "[aclnn]") {
  const auto plain = support::run_child("fills_three_times", {});
  CHECK_THAT(plain.output,
             ContainsSubstring("fill 0, wait 0\nfill 0, wait 0\nfill 0, wait 0\nvalue 3"));
  const auto failed = support::run_child(
      "fills_three_times", {{"ACLSIM_FAULTS", "kernel,name=InplaceFillScalar,nth=3"}});
  CHECK_THAT(failed.output, ContainsSubstring("fill 0, wait 0\nfill 0, wait 0\nfill 0, wait 507"));
  CHECK_THAT(failed.output, ContainsSubstring("value 2"));
}

TEST_CASE("a fault refuses the second phase of an operator by its name", "[aclnn]") {
  const auto unknown = support::run_child(
      "fills_three_times", {{"ACLSIM_FAULTS", "call,call=aclnnInplaceFilScalar,code=561000"}});
  CHECK_THAT(unknown.output, ContainsSubstring("'aclnnInplaceFilScalar' is not a function"));
  const auto failed =
      support::run_child("fills_three_times",
                         {{"ACLSIM_FAULTS", "call,call=aclnnInplaceFillScalar,nth=3,code=561000"}});
  CHECK_THAT(failed.output,
             ContainsSubstring("fill 0, wait 0\nfill 0, wait 0\nfill 561000, wait 0\nvalue 2"));
}

// ---- seeded schedules ----

CHILD_PROGRAM(fills_from_two_streams) {
  CHILD_EXPECT(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS);
  void* memory = nullptr;
  CHILD_EXPECT(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  aclrtStream streams[2] = {};
  for (aclrtStream& stream : streams) CHILD_EXPECT(aclrtCreateStream(&stream) == ACL_SUCCESS);
  CHILD_EXPECT(fill(memory, 16, 1.0F, streams[0]) == OK);
  CHILD_EXPECT(fill(memory, 16, 2.0F, streams[1]) == OK);
  CHILD_EXPECT(aclrtSynchronizeDevice() == ACL_SUCCESS);
  float first = 0;
  CHILD_EXPECT(aclrtMemcpy(&first, 4, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  std::printf("value %g\n", first);
  return 0;
}

TEST_CASE("seeds try both orders of operators on two streams, and repeat the one they tried",
          "[aclnn]") {
  std::set<std::string> seen;
  for (int seed = 1; seed <= 32; ++seed) {
    const support::Environment settings = {{"ACLSIM_SCHEDULE", "seeded"},
                                           {"ACLSIM_SEED", std::to_string(seed)}};
    const auto once = support::run_child("fills_from_two_streams", settings);
    const auto again = support::run_child("fills_from_two_streams", settings);
    CHECK(once.clean());
    CHECK(once.output == again.output);
    seen.insert(once.output);
  }
  CHECK(seen.size() == 2);
}
