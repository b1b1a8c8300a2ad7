// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"

#include <list>

#include "tests/support/verdict.h"

namespace world {
namespace {

// ---- kernels
// ---------------------------------------------------------------------------------------

// Lives until the case has ended, because a dropped task never runs. No lock is taken when it
// runs: that would order kernels which the library must order.
struct Work {
  std::function<std::int32_t()> run;
  enum State { queued, running, done };
  std::atomic<int> state{queued};
};

std::mutex works_mutex;
// Never destroyed: a static object's destructor may still wait for kernels.
auto& works = *new std::list<std::unique_ptr<Work>>;

std::int32_t run_work(const aclsimKernelContext*, const void* args) {
  Work* work = nullptr;
  std::memcpy(&work, args, sizeof work);
  work->state.store(Work::running, std::memory_order_relaxed);
  struct Done {
    Work* work;
    ~Done() { work->state.store(Work::done, std::memory_order_release); }
  } const done{work};
  return work->run();
}

// A kernel that was given up while it ran keeps what it uses.
void forget_works() {
  const std::lock_guard guard(works_mutex);
  works.remove_if([](const std::unique_ptr<Work>& work) {
    return work->state.load(std::memory_order_acquire) != Work::running;
  });
}

// ---- the listener
// ----------------------------------------------------------------------------------

std::string leaks() {
  const aclsimStats now = stats();
  const std::pair<const char*, std::uint64_t> counts[] = {
      {"contexts", now.contexts},
      {"streams", now.streams},
      {"events", now.events},
      {"device allocations", now.deviceAllocations},
      {"host allocations", now.hostAllocations},
      {"subscriptions", now.subscriptions},
      {"other handles", now.otherHandles},
      {"pending tasks", now.pendingTasks},
  };
  std::string text;
  for (const auto& [name, count] : counts) {
    if (count != 0) text += " " + std::to_string(count) + " " + name;
  }
  return text;
}

// Resets the process before every run through a case and looks for leftovers after it.
class EmptyWorld : public catch_compat::Listener {
 public:
  using Base = catch_compat::Listener;
  using Base::Base;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    Base::testCaseStarting(info);
    name_ = info.name;
  }
  void sectionStarting(const Catch::SectionInfo& info) override {
    Base::sectionStarting(info);
    if (depth_++ == 0) reset();
  }
  void sectionEnded(const Catch::SectionStats& section) override {
    if (--depth_ == 0) {
      const std::string left = leaks();
      if (!left.empty() && section.assertions.failed == 0) {
        support::fail_run("\"" + name_ + "\" leaves behind:" + left);
      }
    }
    Base::sectionEnded(section);
  }

 private:
  void reset() {
    const aclError code = aclsimResetAll();
    if (code != ACL_SUCCESS) support::fail_run("aclsimResetAll: " + std::to_string(code));
    forget_works();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
    aclGetRecentErrMsg();
  }

  std::string name_;
  int depth_ = 0;
};

}  // namespace

CATCH_REGISTER_LISTENER(EmptyWorld)

aclsimMachine machine() {
  aclsimMachine result{};
  result.size = sizeof result;
  REQUIRE_ACL(aclsimGetMachine(&result));
  return result;
}

aclsimStats stats() {
  aclsimStats result{};
  result.size = sizeof result;
  const aclError code = aclsimGetStats(&result);
  if (code != ACL_SUCCESS) support::fail_run("aclsimGetStats: " + std::to_string(code));
  return result;
}

aclError detail::enqueue(aclrtStream stream, const char* name,
                         std::function<std::int32_t()> function) {
  auto owned = std::make_unique<Work>();
  Work* work = owned.get();
  work->run = std::move(function);
  {
    const std::lock_guard guard(works_mutex);
    works.push_back(std::move(owned));
  }
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = name;
  launch.kernel = run_work;
  launch.numBlocks = 1;
  launch.args = &work;
  launch.argsSize = sizeof work;
  return aclsimLaunchKernel(&launch, stream);
}

// ---- gates
// -----------------------------------------------------------------------------------------

void Gate::State::pass() {
  std::unique_lock guard(mutex);
  entered = true;
  opened.wait_for(guard, kDeadline, [this] { return open; });
  left = true;
}

void Gate::hold_later(aclrtStream stream) {
  launch(
      stream, [state = state_] { state->pass(); }, "gate");
}

void Gate::hold(aclrtStream stream) {
  hold_later(stream);
  REQUIRE(eventually([&] { return query(stream) == ACL_STREAM_STATUS_NOT_READY && entered(); }));
}

void Gate::open() {
  {
    const std::lock_guard guard(state_->mutex);
    state_->open = true;
  }
  state_->opened.notify_all();
}

// ---- answers as values
// -----------------------------------------------------------------------------

aclrtStreamStatus query(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  REQUIRE_ACL(aclrtStreamQuery(stream, &status));
  return status;
}

aclrtEventRecordedStatus recorded(aclrtEvent event) {
  auto status = static_cast<aclrtEventRecordedStatus>(-1);
  REQUIRE_ACL(aclrtQueryEventStatus(event, &status));
  return status;
}

aclrtEventWaitStatus waited(aclrtEvent event) {
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
  REQUIRE_ACL(aclrtQueryEventWaitStatus(event, &status));
  return status;
}

std::int32_t id_of(aclrtStream stream) {
  std::int32_t id = -1;
  REQUIRE_ACL(aclrtStreamGetId(stream, &id));
  return id;
}

int current_device() {
  std::int32_t id = -1;
  REQUIRE_ACL(aclrtGetDevice(&id));
  return id;
}

aclrtContext current_context() {
  aclrtContext context = nullptr;
  REQUIRE_ACL(aclrtGetCurrentContext(&context));
  return context;
}

aclrtStream default_stream() {
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCtxGetCurrentDefaultStream(&stream));
  return stream;
}

std::string recent_message() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? std::string() : std::string(text);
}

// ---- threads
// ---------------------------------------------------------------------------------------

std::uint64_t this_thread_id() { return static_cast<std::uint64_t>(pthread_self()); }

ReportThread::ReportThread(aclError (*serve)(std::int32_t)) {
  thread_ = std::thread([this, serve] {
    id_ = this_thread_id();
    while (!stopping_) serve(10);
  });
  eventually([this] { return id_ != 0; });
}

void ReportThread::stop() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void Problems::expect(aclError got, aclError wanted, const char* what) {
  if (got == wanted) return;
  const std::lock_guard guard(mutex_);
  text_ += std::string(what) + " returned " + std::to_string(got) + "\n";
}

void Problems::expect(bool holds, const char* what) {
  if (holds) return;
  const std::lock_guard guard(mutex_);
  text_ += std::string("not so: ") + what + "\n";
}

std::string Problems::text() const {
  const std::lock_guard guard(mutex_);
  return text_;
}

}  // namespace world
