// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/launch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"
#include "acl/acl_sim.h"
#include "acl/acl_sim_check.h"
#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/launch/alone.h"
#include "runtime/ascendc/launch/crew.h"
#include "runtime/ascendc/launch/execution.h"
#include "runtime/ascendc/launch/faults.h"
#include "runtime/ascendc/launch/lock_at_exit.h"

namespace ascendc {
namespace {

constexpr std::uint32_t kMostBlocks = 65535;
constexpr const char* kFunction = "<<<>>>";  // as programs write the call

std::uint32_t refuse(aclError code, const std::string& text) {
  aclsimReportError(kFunction, code, text.c_str());
  return static_cast<std::uint32_t>(code);
}

/// The processor's clock, if it has one: a system call takes as long as several blocks.
std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  static const sim::RealClock clock;
  return clock.now_ns();
#endif
}

/// The program may have set handlers of its own meanwhile. To ask costs as much as a small launch,
/// so in a row of launches of one kernel only the first does.
void keep_handlers(const aclsimKernelCode& code) {
  constexpr std::uint64_t kRow = 100'000;  // ticks: 20 to 100 us
  thread_local const aclsimKernelCode* last = nullptr;
  thread_local std::uint64_t last_time = 0;
  const std::uint64_t now = ticks();
  const bool in_row = &code == last && now - last_time < kRow;
  last = &code;
  last_time = now;
  if (!in_row) handle_faults(settings().guarded);
}

/// Shows what blocks print: when their launch is over, or when the process ends before that.
class Output {
 public:
  explicit Output(Execution& run) : run_(run) {
    const sim::LockGuard guard(all().mutex);
    all().runs.push_back(&run);
  }
  ~Output() {
    const sim::LockGuard guard(all().mutex);
    std::erase(all().runs, &run_);
    show(run_.take_output());
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

 private:
  struct All {
    sim::Mutex mutex;
    std::vector<Execution*> runs GUARDED_BY(mutex);
    const pid_t process = getpid();
    All() { std::atexit(at_exit); }
  };
  static All& all() {
    static auto& made = *new All;
    return made;
  }
  static void at_exit() {
    if (getpid() != all().process)
      return;  // a child has the runs of its parent, but not their threads
    sim::UniqueLock lock(all().mutex, std::defer_lock);
    if (!lock_at_exit(lock)) return;
    for (Execution* const run : all().runs) show(run->take_output_at_exit());
  }
  static void show(const std::string& text) {
    if (text.empty()) return;
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  Execution& run_;
};

/// The execution of a launch, which is made only if one of its blocks calls the library.
class DeferredExecution final : public Unmade {
 public:
  DeferredExecution(const Call& what, const Task& task, std::uint64_t limit_ns, bool observed)
      : Unmade(what), task_(task), limit_ns_(limit_ns), observed_(observed) {}

  Execution& make() override {
    Execution& run =
        run_.emplace(call.code, call.args, call.blocks, settings(), limit_ns_, call.first_block);
    run.attach(call.attached);
    run.set_task(task_);
    run.set_shape(call.shape);
    if (observed_) run.observe();
    output_.emplace(run);
    return run;
  }

  /// The result for the device, once all blocks have ended.
  std::int32_t end() {
    if (!run_) return 0;
    run_->collectives().end(task_);
    run_->report_conflicts();
    run_->tell_left_flags();
    run_->tell_gaps(find_allocation);
    if (run_->observed()) {
      auto accesses = run_->accesses();
      run_->collectives().leave_out_windows(accesses);
      acl_runtime()->tell_kernel_accesses(task_.stream_id, task_.task_id, accesses);
    }
    return run_->result();
  }

 private:
  const Task task_;
  const std::uint64_t limit_ns_;
  const bool observed_;
  std::optional<Execution> run_;
  std::optional<Output> output_;
};

std::int32_t execute(const Call& call, std::uint32_t stream_id, std::uint32_t task_id,
                     std::uint64_t limit_ns) {
  keep_handlers(call.code);
  const Settings& how = settings();
  acl::embedding::Runtime* const runtime = acl_runtime();
  const bool listened = runtime && runtime->listened();
  const Task task{call.code.name, call.device, stream_id, task_id};
  DeferredExecution execution(call, task, limit_ns, listened);
  const bool simple = limit_ns == 0 && !listened && call.shape.is_plain();
  if (!simple || !Alone::suits(call.code, how) || !Alone::of_thread().run(execution, how)) {
    Crew::get().run(execution.make());
  }
  return execution.end();
}

std::int32_t run_plain(const acl::embedding::PlainRun& run) {
  return execute({*static_cast<const aclsimKernelCode*>(run.code), run.args, run.blocks},
                 run.stream_id, run.task_id, run.limit_ns);
}

Execution::Shape shape_of(const std::uint32_t grid[3], const std::uint32_t threads[3],
                          std::uint64_t dynamic_bytes) {
  Execution::Shape shape;
  shape.dynamic_bytes = dynamic_bytes;
  std::memcpy(shape.grid, grid, sizeof shape.grid);
  std::memcpy(shape.threads, threads, sizeof shape.threads);
  return shape;
}

/// The arguments of a launch and its kernel.
class LaunchedKernel final : public acl::embedding::Kernel {
 public:
  explicit LaunchedKernel(const aclsimKernelLaunchRequest& request)
      : args_((request.args_size + 7) / 8),
        call_{*request.code,
              args_.data(),
              request.blocks,
              0,
              shape_of(request.grid, request.threads, request.dynamic_ub_bytes),
              {}} {
    if (request.args_size != 0) std::memcpy(args_.data(), request.args, request.args_size);
  }

  std::int32_t run(const Run& how) override {
    Call call = call_;
    call.device = how.device;
    return execute(call, how.stream_id, how.task_id, how.limit_ns);
  }

  bool is_observed() const noexcept override { return settings().checks; }
  std::span<const unsigned char> args() const noexcept override {
    return {reinterpret_cast<const unsigned char*>(args_.data()), args_.size() * sizeof args_[0]};
  }

 private:
  std::vector<std::uint64_t> args_;
  const Call call_;
};

/// The runtime, if no listener observes launches.
acl::embedding::Runtime* quick_runtime() {
  static acl::embedding::Runtime* const runtime = [] {
    acl::embedding::Runtime* const found = acl_runtime();
    if (found) found->set_plain_kernel(run_plain);
    handle_faults(settings().guarded);
    return found;
  }();
  return runtime;
}

/// During its lifetime, reports attribute the thread's calls to the line of the launch, not to a
/// header.
class AtLine {
 public:
  AtLine(const aclsimKernelLaunchRequest& request, bool listened)
      : known_(listened && request.file) {
    if (known_) aclsimCheckSite(kept(request.file), request.line);
  }
  ~AtLine() {
    if (known_) aclsimCheckSite(nullptr, 0);
  }
  AtLine(const AtLine&) = delete;
  AtLine& operator=(const AtLine&) = delete;

 private:
  /// A copy that stays valid: findings may be reported after the launch's library was unloaded.
  static const char* kept(const char* file) {
    static sim::Mutex mutex;
    static auto& files = *new std::set<std::string>;
    const sim::LockGuard guard(mutex);
    return files.insert(file).first->c_str();
  }

  const bool known_;
};

}  // namespace

std::uint32_t launch(const aclsimKernelLaunchRequest& request, void* stream, const void* site) {
  if (request.size < sizeof request || !request.code || !request.code->entry) {
    return refuse(ACL_ERROR_INVALID_PARAM, "the launch names no kernel");
  }
  if (request.blocks == 0 || request.blocks > kMostBlocks) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID,
                  fmt::format("numBlocks is {}; expected 1 to {}", request.blocks, kMostBlocks));
  }
  const std::uint32_t* const threads = request.threads;
  const bool simt = (threads[0] | threads[1] | threads[2] | request.grid[0]) != 0;
  const std::uint64_t in_block = std::uint64_t{threads[0]} * threads[1];
  if (simt && (in_block == 0 || in_block > Threads::kMost || threads[2] == 0 ||
               in_block * threads[2] > Threads::kMost)) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID,
                  fmt::format("a block has {} x {} x {} threads; expected 1 to {} together",
                              threads[0], threads[1], threads[2], Threads::kMost));
  }
  aclError done = ACL_SUCCESS;
  acl::embedding::Runtime* const quick =
      simt || request.dynamic_ub_bytes != 0 ? nullptr : quick_runtime();
  if (quick && quick->submit_plain(kFunction, stream, request.code->name, request.blocks,
                                   request.code, request.args, request.args_size, done)) {
    return static_cast<std::uint32_t>(done);
  }
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  if (!runtime) {
    return refuse(ACL_ERROR_RT_CONTEXT_NULL,
                  "libascendcl does not serve this libascendc_runtime: it is of another version, "
                  "or has no runtime here");
  }
  [[maybe_unused]] static const bool ready = (handle_faults(settings().guarded), true);
  const AtLine at(request, runtime->listened());
  const auto error =
      runtime->submit_kernel({kFunction, site}, stream, request.code->name, request.blocks,
                             std::make_shared<LaunchedKernel>(request));
  return error ? refuse(error.code, error.text) : 0;
}

std::int32_t run_now(const aclsimKernelRun& run) {
  const GmRange attached{reinterpret_cast<std::uintptr_t>(run.attached), run.attached_size};
  constexpr std::size_t kFirstBlockEnd =
      offsetof(aclsimKernelRun, first_block) + sizeof run.first_block;
  const std::uint32_t first_block = run.size >= kFirstBlockEnd ? run.first_block : 0;
  Execution::Shape shape = shape_of(run.grid, run.threads, run.dynamic_ub_bytes);
  if (run.size >= sizeof run) shape.tiling_key = run.tiling_key;
  const Call call{*run.code, run.args, run.blocks, first_block, shape, attached, run.device};
  return execute(call, run.stream_id, run.task_id, run.limit_ns);
}

}  // namespace ascendc
