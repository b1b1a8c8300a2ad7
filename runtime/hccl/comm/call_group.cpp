// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/comm/call_group.h"

#include <exception>
#include <thread>
#include <utility>

#include "runtime/hccl/base/error.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

CallGroup& CallGroup::mine() {
  static thread_local CallGroup group;
  return group;
}

void CallGroup::end() {
  if (depth_ == 0) fail(HCCL_E_NOT_SUPPORT, "there is no HcclGroupStart that this could end");
  if (--depth_ > 0) return;
  const std::vector<Job> jobs = std::exchange(jobs_, {});
  const std::vector<Kept> deferred = std::exchange(deferred_, {});
  std::vector<std::exception_ptr> problems(jobs.size());
  const acl::embedding::Outside outside(embedding());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    threads.emplace_back([&, i] {
      const acl::embedding::Outside of_library(embedding());
      try {
        aclrtSetDevice(jobs[i].device);
        jobs[i].work();
      } catch (...) {
        problems[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& problem : problems) {
    if (problem) std::rethrow_exception(problem);
  }
  for (const Kept& kept : deferred) kept.calls->run();
}

std::shared_ptr<CallGroup::Deferred> CallGroup::deferred(const void* key) const {
  for (const Kept& kept : deferred_) {
    if (kept.key == key) return kept.calls;
  }
  return nullptr;
}

void CallGroup::defer(const void* key, std::shared_ptr<Deferred> calls) {
  deferred_.push_back({key, std::move(calls)});
}

void CallGroup::run_or_defer(int device, std::function<void()> work) {
  if (!open()) return work();
  jobs_.push_back({device, std::move(work)});
}

}  // namespace hccl
