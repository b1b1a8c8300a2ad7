// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/plan/executor.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <unordered_set>

#include "acl/acl_sim.h"
#include "device_sim/base/mutex.h"
#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/plan/executors.h"
#include "runtime/aclnn/plan/launch.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {
namespace {

/// Executors that were handed out: none of them is looked at before it was found here.
struct Live {
  sim::Mutex mutex;
  std::unordered_set<const aclOpExecutor*> all GUARDED_BY(mutex);
};
Live& live() {
  static auto& executors = *new Live;  // used until the process exits
  return executors;
}

void register_live(const aclOpExecutor* executor) {
  const sim::LockGuard guard(live().mutex);
  live().all.insert(executor);
}

/// Only one call at a time uses an executor; other calls get busy, or none for a destroyed
/// executor.
enum class Claim { ours, busy, none };

Claim claim(aclOpExecutor* executor) {
  const sim::LockGuard guard(live().mutex);
  if (live().all.count(executor) == 0) return Claim::none;
  if (executor->busy) return Claim::busy;
  executor->busy = true;
  return Claim::ours;
}

void unclaim(aclOpExecutor* executor) {
  const sim::LockGuard guard(live().mutex);
  executor->busy = false;
}

void destroy(aclOpExecutor* executor) {
  {
    const sim::LockGuard guard(live().mutex);
    live().all.erase(executor);
  }
  delete executor;
}

/// Releases the executor at the end: a repeatable executor stays, another is destroyed.
class Taken {
 public:
  explicit Taken(aclOpExecutor* executor) : executor_(executor) {}
  ~Taken() {
    if (executor_->repeatable) {
      unclaim(executor_);
    } else {
      destroy(executor_);
    }
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

 private:
  aclOpExecutor* const executor_;
};

aclnnStatus report(const char* function, aclnnStatus code, const char* text) noexcept {
  aclsimReportError(function, code, text);
  return code;
}

}  // namespace

aclnnStatus guarded(const char* function, const Body<>& body) noexcept {
  try {
    body();
    return kSuccess;
  } catch (const Error& error) {
    return report(function, error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return report(function, kInner, "the host is out of memory");
  } catch (const std::exception& error) {
    return report(function, kInner, error.what());
  }
}

aclnnStatus first_phase(const char* function, std::uint64_t* workspace_size,
                        aclOpExecutor** executor, const Body<Planner&>& make) noexcept {
  return guarded(function, [&] {
    if (!workspace_size) fail(kNullPointer, "workspaceSize is null");
    if (!executor) fail(kNullPointer, "executor is null");
    const auto plan = std::make_shared<Plan>();
    plan->function = function;
    constexpr std::string_view kPrefix = "aclnn";
    const bool prefixed = std::string_view(function).starts_with(kPrefix);
    plan->name = prefixed ? function + kPrefix.size() : function;
    Planner planner(*plan);
    make(planner);
    auto made = std::make_unique<aclOpExecutor>();
    for (const Operand& operand : plan->operands) {
      made->addresses.push_back(operand.tensor ? operand.tensor->data : nullptr);
    }
    made->plan = plan;
    register_live(made.get());
    *workspace_size = plan->workspace;  // jobs have their scratch on the host
    *executor = made.release();
  });
}

aclnnStatus second_phase(const char* function, void* workspace, std::uint64_t workspace_size,
                         aclOpExecutor* executor, aclrtStream stream, const void* site) noexcept {
  return guarded(function, [&] {
    if (!executor) fail(kNullPointer, "executor is null");
    switch (claim(executor)) {
      case Claim::none:
        fail(kInner, "executor {} is not alive: it was run before, or never handed out",
             fmt::ptr(executor));
      case Claim::busy:
        fail(kInner, "executor {} is being run by another thread", fmt::ptr(executor));
      case Claim::ours:
        break;
    }
    const Taken taken(executor);
    if (!workspace && workspace_size != 0) {
      fail(kNullPointer, "workspace is null; workspaceSize is {}", workspace_size);
    }
    const Plan& plan = *executor->plan;
    require(workspace_size >= plan.workspace, "workspaceSize is {}; expected {}", workspace_size,
            plan.workspace);
    const embedding::Caller caller(plan.function, site);
    const embedding::LibraryCall call(&runtime(), caller);
    if (plan.enqueue) {
      plan.enqueue(executor->addresses, workspace, stream);
    } else {
      launch(caller, executor->plan, executor->addresses, stream);
    }
  });
}

aclnnStatus set_repeatable(const char* function, aclOpExecutor* executor) noexcept {
  return guarded(function, [&] {
    if (!executor) fail(kInnerNullPointer, "executor is null");
    if (claim(executor) != Claim::ours) {
      fail(kInner, "executor {} is not alive, or in use", fmt::ptr(executor));
    }
    const bool refused = executor->plan->copies_host_data;
    executor->repeatable = executor->repeatable || !refused;
    unclaim(executor);
    if (refused)
      fail(kInner, "{} copies data of the host: it cannot be repeated", executor->plan->function);
  });
}

aclnnStatus destroy_executor(const char* function, aclOpExecutor* executor) noexcept {
  return guarded(function, [&] {
    if (!executor) fail(kInnerNullPointer, "executor is null");
    if (claim(executor) != Claim::ours) {
      fail(kInner, "executor {} is not alive, or in use", fmt::ptr(executor));
    }
    destroy(executor);
  });
}

namespace {

bool counts(Among among, Role role) noexcept {
  return among == Among::all || (among == Among::outputs) == (role == Role::out);
}

}  // namespace

aclnnStatus set_address(const char* function, aclOpExecutor* executor, Among among,
                        aclTensor* tensor, void* address) noexcept {
  return guarded(function, [&] {
    if (!tensor) fail(kInnerNullPointer, "tensor is null");
    if (!executor) {
      // Clients set the addresses of tensors with this call before they have an executor.
      tensor->data = address;
      fail(kInnerNullPointer, "executor is null; the address was set in the tensor");
    }
    if (claim(executor) != Claim::ours) {
      fail(kInner, "executor {} is not alive, or in use", fmt::ptr(executor));
    }
    bool found = false;
    const auto& operands = executor->plan->operands;
    for (std::size_t slot = 0; slot < operands.size(); ++slot) {
      if (operands[slot].tensor != tensor || !counts(among, operands[slot].role)) continue;
      executor->addresses[slot] = address;
      tensor->data = address;
      found = true;
    }
    unclaim(executor);
    if (!found) {
      refuse("the tensor is no {} of {}",
             among == Among::inputs    ? "input"
             : among == Among::outputs ? "output"
                                       : "argument",
             executor->plan->function);
    }
  });
}

}  // namespace aclnn
