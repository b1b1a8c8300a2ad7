// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/block.h"

#include <fmt/format.h>

#include <utility>

#include "ascendc/impl/limit_rows.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/launch/alone.h"
#include "runtime/ascendc/launch/execution.h"
#include "runtime/ascendc/launch/lock_at_exit.h"
#include "runtime/ascendc/launch/report.h"

namespace ascendc {
namespace {

thread_local Block* running_block = nullptr;
constexpr std::size_t kMostOutput = std::size_t{1} << 20;  // of one block
constexpr std::uint32_t kPollsInRow = 256;

}  // namespace

acl::embedding::Runtime* acl_runtime() {
  static auto* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  return runtime;
}

bool find_allocation(std::uintptr_t address, GmRange& piece) {
  acl::embedding::Runtime* const runtime = acl_runtime();
  acl::embedding::Allocation allocation;
  if (!runtime || !runtime->find_allocation(reinterpret_cast<const void*>(address), allocation)) {
    return false;
  }
  piece = {allocation.begin, allocation.size};
  return true;
}

// Not inlined: a fibre may go on in another thread.
__attribute__((noinline)) Block* Block::current() noexcept { return running_block; }

void Block::prepare(Execution& run, std::uint32_t number, const aclsimCore& info, const Arch& arch,
                    const CoreOptions& options) {
  run_ = &run;
  alone_ = nullptr;
  unit = number;
  reset(arch, options);
  core.info = info;
  fibre_.start(body, this);
}

void Block::prepare(Alone& alone, const Arch& arch, const CoreOptions& options) {
  run_ = nullptr;
  alone_ = &alone;
  reset(arch, options);
}

void Block::reset(const Arch& arch, const CoreOptions& options) {
  output_.clear();
  dropped_ = 0;
  locals_.clear();
  // A kernel that called nothing has left the core as it was.
  if (called || options.seeded) core.reset(arch, *this, options);
  called = false;
  state = State::ready;
  inside = false;
  late = false;
  divided_at = nullptr;
  woken = ending = held = refused = faulted_ = false;
  waits_for = "";
  seen = nullptr;
  time = tells = 0;
  told = {};
  polls_ = 0;
  word_ = 0;
  taken_ = {};
  threads.forget();
  group = {};
  core.leave_group();
}

void Block::require_run() {
  if (!run_) alone_->meet();
}

void Block::calls_first() {
  called = true;
  require_run();
}

bool Block::turn() {
  return turn_by([this] { return fibre_.resume(); });
}

bool Block::first_turn() {
  return turn_by([this] { return fibre_.call(body, this); });
}

template <class Go>
bool Block::turn_by(const Go& go) {
  Block* const before = running_block;
  running_block = this;
  const bool over = !go();
  running_block = before;
  if (!faulted_) return over;
  faulted_ = false;
  frames_.give_up();
  require_run();
  const char* const words[] = {"a violation",
                               "a trap instruction",
                               "a failed assertion",
                               "an access to memory that is not there",
                               "a call of a function that is not there",
                               "an integer was divided by zero, or its quotient overflowed",
                               "a floating-point exception (SIGFPE)",
                               "its stack is full: endless "
                               "recursion, or arrays that are too large",
                               "an exception of C++",
                               "its time is up",
                               "it waits forever"};
  const auto* const entry = reinterpret_cast<const void*>(run_->code().entry);
  Finding finding{
      .level = Level::error, .rule = "kernel-ended", .site = own_site(frames_.all(), entry)};
  finding.text = fmt::format("the kernel ended: {}", words[static_cast<int>(fault_)]);
  if (fault_ == End::fault || fault_ == End::call)
    finding.text += fmt::format(" ({})", text_of_address(fault_address_));
  run_->say(*this, finding);
  run_->writes().give_up();
  run_->failed(*this, fault_);
  return true;
}

void Block::run_kernel() {
  const Execution::Shape& shape = run_->shape();
  const auto entry = run_->code().entry;
  if (shape.threads[0] == 0) return entry(run_->args());
  in_library([&] {
    threads.run(*this, entry, run_->args(), shape.threads, shape.grid, Threads::kNothingSaturates,
                nullptr);
  });
}

void Block::body(void* argument) {
  Block& block = *static_cast<Block*>(argument);
  try {
    if (block.alone_) {
      block.alone_->run_blocks(block);
    } else {
      block.run_kernel();
    }
  } catch (...) {
    block.require_run();
    block.found({.level = Level::error,
                 .rule = "kernel-ended",
                 .text = "the kernel ended: an exception of C++ left it"});
    block.run_->failed(block, End::exception);
    return;
  }
  if (block.called) in_library([&] { block.core.finish(); });
  if (const void* const site = block.divided_at) {
    block.require_run();
    block.found({.level = Level::note,
                 .rule = "division",
                 .text = "an integer is divided by zero, or its quotient overflows; the core goes "
                         "on with an unspecified result",
                 .site = site});
  }
}

std::string Block::title() const {
  const aclsimCore& info = core.info;
  return fmt::format("kernel {}, block {}{}", run_->code().name, info.block,
                     info.kind == ACLSIM_AIC ? " (cube core)"
                     : info.sub_blocks > 1   ? fmt::format(" (vector core {})", info.sub_block)
                                             : std::string());
}

std::string Block::who() const {
  if (!threads.inside()) return title();
  const aclsimThread& thread = threads.now();
  const auto& [x, y, z] = thread.index;
  const bool one_axis = thread.block_dim[1] == 1 && thread.block_dim[2] == 1;
  return title() +
         (one_axis ? fmt::format(", thread {}", x) : fmt::format(", thread ({}, {}, {})", x, y, z));
}

void Block::print(const char* text, std::size_t bytes) {
  const sim::LockGuard guard(output_mutex_);
  if (dropped_ != 0 || output_.size() + bytes > kMostOutput) {
    dropped_ += bytes;  // also what would fit behind: no gaps
  } else {
    output_.append(text, bytes);
  }
}

std::string Block::take_output_at_exit() {
  sim::UniqueLock lock(output_mutex_, std::defer_lock);
  return lock_at_exit(lock) ? take_output() : std::string();
}

std::string Block::take_output() {
  if (dropped_ != 0) {
    if (!output_.empty() && output_.back() != '\n') output_ += '\n';
    output_ +=
        fmt::format("aclsim: {}: {} bytes of output were dropped; at most {} are kept of a block\n",
                    title(), dropped_, kMostOutput);
  }
  return std::move(output_);
}

void* Block::local(const void* key, std::uint64_t bytes, bool& fresh) {
  for (const Local& each : locals_) {
    if (each.key == key) return each.bytes.get();
  }
  fresh = true;
  locals_.push_back({key, std::make_unique<std::byte[]>(bytes)});
  return locals_.back().bytes.get();
}

void Block::park() {
  fibre_.park();
  if (ending) throw KernelEnds();
}

void Block::reads_word(std::uintptr_t begin, std::uint64_t bytes) {
  if (begin != word_) {
    take_word();
    word_ = begin;
    word_bytes_ = bytes;
  }
  if (++polls_ % kPollsInRow == 0) give_way();
}

void Block::give_way() {
  woken = polls = true;
  park();
}

// The kernel reads a word behind the call that announces it: only now its value is known.
void Block::take_word() {
  if (word_ != 0) run_->word_read(*this, std::exchange(word_, 0), word_bytes_);
}

void Block::end(End why) {
  run_->failed(*this, why);
  throw KernelEnds();
}

void Block::faulted(End why, const void* address, const void* site) {
  fault_ = why;
  fault_address_ = address;
  faulted_ = true;
  frames_.collect(site);
  fibre_.leave();
}

void Block::trap(const void* site) {
  found({.level = Level::error, .rule = "trap", .text = "the kernel ended: trap", .site = site});
  end(End::trap);
}

void Block::assert_failed(const char* expression, const char* file, std::uint32_t line,
                          const char* function, const void* site) {
  std::string what = fmt::format("assertion `{}' failed", expression);
  if (file) {  // else the kernel shows nothing
    const std::string text = fmt::format("[ASSERT] {}:{}: {}: Assertion `{}' failed.\n", file, line,
                                         function, expression);
    print(text.data(), text.size());
    what = fmt::format("{}:{}: {}", file, line, what);
  }
  found({.level = Level::error, .rule = "assert", .text = std::move(what), .site = site});
  end(End::assertion);
}

void Block::sync_all(bool vector_only, const void* site) {
  core.barrier(6, site);
  run_->sync_all(*this, vector_only, site);
}

// A cube core means its second vector core by flags from 16 on.
void Block::check_flag(const char* call, std::uint32_t flag, bool one_core, const void* site) {
  constexpr std::uint32_t kMost = ACLSIM_MOST_CROSS_FLAG, kSecond = 16, kMostOfSecond = 26;
  const bool two = core.info.kind == ACLSIM_AIC && core.info.cores == ACLSIM_CORES_MIX_1_2;
  if (flag <= kMost || (one_core && two && flag >= kSecond && flag <= kMostOfSecond)) return;
  core.violated("flag-range",
                fmt::format("{}: the flag is {}; expected 0 to {}", call, flag, kMost), site);
}

// Hardware sets up flags between cores for kernels that are declared as a mix.
void Block::check_flags_exist(const char* call, const void* site) {
  const bool vector = core.info.cores == ACLSIM_CORES_VECTOR;
  if (!run_->settings().checks || (!vector && core.info.cores != ACLSIM_CORES_CUBE)) return;
  Finding finding{.level = Level::warning, .rule = "flag-cores", .site = site};
  finding.text = fmt::format(
      "{}: the kernel is declared for {} cores alone, where hardware has no flags between cores; "
      "it goes on here",
      call, vector ? "vector" : "cube");
  finding.repair = vector ? "__mix__(0, 1), or KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0)"
                          : "__mix__(1, 0), or KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_0)";
  found(finding);
}

void Block::cross_set(std::uint32_t mode, std::uint32_t pipe, std::uint32_t flag,
                      const void* site) {
  check_flag("CrossCoreSetFlag", flag, mode == 4, site);
  check_flags_exist("CrossCoreSetFlag", site);
  const Clock clock = core.reach(pipe);
  run_->cross_set(*this, mode, flag, clock, site);
}

void Block::cross_wait(std::uint32_t flag, const void* site) {
  check_flag("CrossCoreWaitFlag", flag, true, site);
  check_flags_exist("CrossCoreWaitFlag", site);
  run_->cross_wait(*this, flag, site);
}

void Block::slot_set(const void* slot, std::int32_t id, const void*) {
  core.settle();
  run_->slot_set(*this, slot, id);
}
void Block::slot_wait(const void* slot, std::int32_t id, const void* site) {
  run_->slot_wait(*this, slot, id, site);
}

void Block::found(const Finding& finding) { run_->say(*this, finding); }

bool Block::find_global(std::uintptr_t address, GmRange& piece) {
  const GmRange& attached = run_->attached();
  if (address - attached.begin < attached.size) {
    piece = attached;
    return true;
  }
  return find_allocation(address, piece);
}

bool Block::find_freed(std::uintptr_t address, GmRange& piece) {
  acl::embedding::Runtime* const runtime = acl_runtime();
  if (!runtime) return false;
  const acl::embedding::Around around = runtime->find_around(reinterpret_cast<void*>(address));
  piece = {around.freed.begin, around.freed.size};
  return around.freed.serial != 0 && around.freed_is_held;
}

bool Block::find_global_before(std::uintptr_t address, GmRange& piece) {
  acl::embedding::Runtime* const runtime = acl_runtime();
  if (!runtime) return false;
  const acl::embedding::Around around = runtime->find_around(reinterpret_cast<void*>(address));
  if (around.freed.serial != 0 || around.before.serial == 0) return false;
  piece = {around.before.begin, around.before.size};
  return true;
}

// Another block may read the word as a flag.
void Block::writes_global(Core&, const GlobalWrite& write) {
  take_word();
  if (GlobalWrites::may_be_flag(write)) {
    join(told, core.over(write.pipe));
    ++time;
  }
  run_->writes().write(*this, write);
}

bool Block::has_seen(const Seen* view, std::uint32_t other, Pipe pipe,
                     std::uint32_t tick) const noexcept {
  if (other == unit) return true;
  if (!view) view = seen;
  if (!view || other >= view->size() || (*view)[other].time == 0) return false;
  return run_->clocks()[(*view)[other].clock][static_cast<std::size_t>(pipe)] >= tick;
}

const Seen* Block::view() const {
  static const Seen nothing;
  return seen ? seen : &nothing;
}

void Block::wrote_global() { run_->writes().written(); }

Core* Block::core_of_group(std::uint32_t number) {
  return number < group.size() && group[number] ? &group[number]->core : nullptr;
}

void Block::writes_local(std::uint32_t number, GlobalWrite write) {
  const auto self = std::find(group.begin(), group.end(), this);
  write.begin += address_of_unit(unit - static_cast<std::uint32_t>(self - group.begin()) + number);
  run_->writes(true).write(*this, write);
}

std::string Block::beside(std::uintptr_t address) {
  return beside_allocation(reinterpret_cast<const void*>(address));
}

std::string Block::place_of(const void* site) {
  acl::embedding::Runtime* const runtime = acl_runtime();
  return runtime && site ? runtime->place_of(site) : std::string("?");
}

}  // namespace ascendc
