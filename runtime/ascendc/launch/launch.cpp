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
#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/launch/alone.h"
#include "runtime/ascendc/launch/crew.h"
#include "runtime/ascendc/launch/faults.h"
#include "runtime/ascendc/launch/run.h"

namespace ascendc {
namespace {

constexpr std::uint32_t kMostBlocks = 65535;
constexpr const char* kFunction = "<<<>>>";  // what programs write

std::uint32_t refuse(aclError code, const std::string& text) {
  aclsimReportError(kFunction, code, text.c_str());
  return static_cast<std::uint32_t>(code);
}

/// The program may have set handlers of its own meanwhile. To ask costs as much as a small launch, so in a row
/// of launches of one kernel only the first does.
void keep_handlers(const aclsimKernelCode& code) {
  constexpr sim::Nanoseconds kRowNs = 50'000;
  static const sim::RealClock clock;
  thread_local const aclsimKernelCode* last = nullptr;
  thread_local sim::Nanoseconds last_time = 0;
  const sim::Nanoseconds now = clock.now_ns();
  const bool in_row = &code == last && now - last_time < kRowNs;
  last = &code;
  last_time = now;
  if (!in_row) handle_faults(settings().guarded);
}

/// Shows what blocks print: when their launch is over, or when the process ends before that.
class Output {
 public:
  explicit Output(Run& run) : run_(run) {
    const std::lock_guard guard(all().mutex);
    all().runs.push_back(&run);
  }
  ~Output() {
    const std::lock_guard guard(all().mutex);
    std::erase(all().runs, &run_);
    show(run_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

 private:
  struct All {
    std::mutex mutex;
    std::vector<Run*> runs;
    const pid_t process = getpid();
    All() { std::atexit(at_exit); }
  };
  static All& all() {
    static auto& made = *new All;
    return made;
  }
  static void at_exit() {
    if (getpid() != all().process) return;  // a child has the runs of its parent, but not their threads
    const std::lock_guard guard(all().mutex);
    for (Run* const run : all().runs) show(*run);
  }
  static void show(Run& run) {
    const std::string text = run.take_output();
    if (text.empty()) return;
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  Run& run_;
};

/// The arguments of a launch, and what runs with them.
class LaunchedKernel final : public acl::embedding::Kernel {
 public:
  explicit LaunchedKernel(const aclsimKernelLaunchRequest& request, GmPiece attached = {},
                          std::uint32_t first_block = 0)
      : code_(*request.code),
        blocks_(request.blocks),
        first_block_(first_block),
        attached_(attached),
        args_((request.args_size + 7) / 8) {
    std::memcpy(shape_.grid, request.grid, sizeof shape_.grid);
    std::memcpy(shape_.threads, request.threads, sizeof shape_.threads);
    if (request.args_size != 0) std::memcpy(args_.data(), request.args, request.args_size);
  }

  std::int32_t run(const Run& how) override {
    keep_handlers(code_);
    acl::embedding::Runtime* const runtime = acl_runtime();
    const bool listened = runtime && runtime->listened();
    Execution execution(*this, how.limit_ns, listened);
    const bool simple = how.limit_ns == 0 && !listened && shape_.threads[0] == 0;
    if (!simple || !Alone::suits(code_, settings()) || !Alone::of_thread().run(execution, settings())) {
      Crew::get().run(execution.make());
    }
    return execution.end(how);
  }

  bool is_observed() const noexcept override { return settings().checks; }
  std::span<const unsigned char> args() const noexcept override {
    return {reinterpret_cast<const unsigned char*>(args_.data()), args_.size() * sizeof args_[0]};
  }

 private:
  /// One run. Where its blocks call nothing there is no more of it than this.
  class Execution final : public Unmade {
   public:
    Execution(const LaunchedKernel& kernel, std::uint64_t limit_ns, bool observed)
        : kernel_(kernel), limit_ns_(limit_ns), observed_(observed) {}
    const aclsimKernelCode& code() const noexcept override { return kernel_.code_; }
    const void* args() const noexcept override { return kernel_.args_.data(); }
    std::uint32_t blocks() const noexcept override { return kernel_.blocks_; }
    std::uint32_t first_block() const noexcept override { return kernel_.first_block_; }

    ascendc::Run& make() override {
      ascendc::Run& run =
          run_.emplace(code(), args(), blocks(), settings(), limit_ns_, first_block());
      run.attach(kernel_.attached_);
      run.set_shape(kernel_.shape_);
      if (observed_) run.observe();
      output_.emplace(run);
      return run;
    }

    /// What the device reports, once all blocks are over.
    std::int32_t end(const Run& how) {
      if (!run_) return 0;
      run_->tell_meetings();
      run_->tell_gaps(find_allocation);
      if (run_->observed()) {
        acl_runtime()->tell_kernel_accesses(how.stream_id, how.task_id, run_->accesses());
      }
      return run_->result();
    }

   private:
    const LaunchedKernel& kernel_;
    const std::uint64_t limit_ns_;
    const bool observed_;
    std::optional<ascendc::Run> run_;
    std::optional<Output> output_;
  };

  const aclsimKernelCode& code_;
  const std::uint32_t blocks_;
  const std::uint32_t first_block_;
  const GmPiece attached_;
  ascendc::Run::Shape shape_;
  std::vector<std::uint64_t> args_;
};

/// While it lives, what the thread calls counts as called at the line of the launch, not in a header.
class AtLine {
 public:
  AtLine(const aclsimKernelLaunchRequest& request, bool listened) : known_(listened && request.file) {
    if (known_) aclsimCheckSite(kept(request.file), request.line);
  }
  ~AtLine() {
    if (known_) aclsimCheckSite(nullptr, 0);
  }
  AtLine(const AtLine&) = delete;
  AtLine& operator=(const AtLine&) = delete;

 private:
  /// Findings are told when the library of the launch may be unloaded.
  static const char* kept(const char* file) {
    static std::mutex mutex;
    static auto& files = *new std::set<std::string>;
    const std::lock_guard guard(mutex);
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
                  fmt::format("a block has {} x {} x {} threads; expected 1 to {} together", threads[0],
                              threads[1], threads[2], Threads::kMost));
  }
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  if (!runtime) return refuse(ACL_ERROR_RT_CONTEXT_NULL, "there is no runtime in this process");
  [[maybe_unused]] static const bool ready = (handle_faults(settings().guarded), true);
  const AtLine at(request, runtime->listened());
  const auto error =
      runtime->submit_kernel({kFunction, site}, stream, request.code->name, request.blocks,
                             std::make_shared<LaunchedKernel>(request));
  return error ? refuse(error.code, error.text) : 0;
}

std::int32_t run_now(const aclsimKernelRun& run) {
  aclsimKernelLaunchRequest request{};
  request.size = sizeof request;
  request.blocks = run.blocks;
  request.code = run.code;
  std::memcpy(request.grid, run.grid, sizeof request.grid);
  std::memcpy(request.threads, run.threads, sizeof request.threads);
  request.dynamic_ub_bytes = run.dynamic_ub_bytes;
  request.args = run.args;
  request.args_size = run.args_size;
  const GmPiece attached{reinterpret_cast<std::uintptr_t>(run.attached), run.attached_size};
  constexpr std::size_t kFirstBlockEnd = offsetof(aclsimKernelRun, first_block) + sizeof run.first_block;
  const std::uint32_t first_block = run.size >= kFirstBlockEnd ? run.first_block : 0;
  return LaunchedKernel(request, attached, first_block).run({run.device, run.stream_id, run.task_id, run.limit_ns});
}

}  // namespace ascendc
