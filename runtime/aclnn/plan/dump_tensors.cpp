// SPDX-License-Identifier: Apache-2.0
// aclDumpOpTensors: dumps tensors of the program in addition to the tensors of its operators.
#include <set>
#include <string>

#include "device_sim/base/mutex.h"
#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/plan/executor.h"
#include "runtime/aclnn/plan/launch.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {
namespace {

/// The name, for as long as the process lives.
const char* kept_name(const char* name) {
  static sim::Mutex mutex;
  static auto* const names = new std::set<std::string>;
  const sim::LockGuard guard(mutex);
  return names->insert(name).first->c_str();
}

void enqueue(embedding::Caller caller, const char* name, const DumpedTensors& given,
             aclrtStream stream) {
  const auto plan = std::make_shared<Plan>();
  plan->function = caller.function;
  Planner planner(*plan);
  std::vector<void*> addresses;
  for (std::size_t i = 0; i < given.inputs + given.outputs; ++i) {
    const aclTensor* const tensor = given.tensors ? given.tensors[i] : nullptr;
    if (!tensor) fail(kNullPointer, "member {} of tensors is null", i);
    planner.take(In{tensor, "a member of tensors", kEvery});
    addresses.push_back(tensor->data);
  }
  launch_dump(caller, kept_name(name), plan, given.inputs, addresses, stream);
}

}  // namespace

aclnnStatus dump_tensors(const char* name, const DumpedTensors& given, aclrtStream stream,
                         const void* site) noexcept {
  const embedding::Caller caller("aclDumpOpTensors", site);
  return guarded(caller.function, [&] {
    if (!name) fail(kNullPointer, "opType and opName are null");
    if (!runtime().dumping() || given.inputs + given.outputs == 0) return;
    const embedding::LibraryCall call(&runtime(), caller);
    enqueue(caller, name, given, stream);
  });
}

}  // namespace aclnn
