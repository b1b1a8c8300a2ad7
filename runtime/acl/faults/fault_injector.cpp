// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/faults/fault_injector.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <thread>

#include "device_sim/base/mutex.h"
#include "device_sim/sharing/lost_output.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/device/broken_memory.h"
#include "runtime/acl/device/device_faults.h"
#include "runtime/acl/kernel/exception_info.h"
#include "runtime/acl/kernel/kernel_launch.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

using sim::FaultKind;

struct Effect {
  FaultKind kind;
  aclError code;
  const char* text;
};

constexpr Effect kEffects[] = {
    {FaultKind::call, ACL_ERROR_RT_INTERNAL_ERROR, "the call was not carried out"},
    {FaultKind::task, ACL_ERROR_RT_INTERNAL_ERROR, "the task failed"},
    {FaultKind::alloc, ACL_ERROR_RT_MEMORY_ALLOCATION, "there is no memory left"},
    {FaultKind::no_event, ACL_ERROR_RT_NO_EVENT_RESOURCE, "there is no event left"},
    {FaultKind::no_stream, ACL_ERROR_RT_NO_STREAM_RESOURCE, "there is no stream left"},
    {FaultKind::no_notify, ACL_ERROR_RT_NO_NOTIFY_RESOURCE, "there is no notify left"},
    {FaultKind::kernel, ACL_ERROR_RT_AICORE_EXCEPTION, "the kernel failed"},
    {FaultKind::slow, ACL_SUCCESS, "the task began late"},
    {FaultKind::stuck, ACL_ERROR_RT_AICORE_TIMEOUT, "the task was stuck up to its time limit"},
    {FaultKind::notify_timeout, ACL_ERROR_RT_WAIT_TIMEOUT, "a wait for a notify reached its limit"},
    {FaultKind::link_down, ACL_ERROR_RT_LINK_ERROR, "the link between two devices is down"},
    {FaultKind::link_slow, ACL_SUCCESS, "the link between two devices is slow"},
    {FaultKind::ecc, ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR,
     "device memory has an error that cannot be corrected"},
    {FaultKind::device_lost, ACL_ERROR_RT_LOST_HEARTBEAT, "the device does not answer any more"},
    {FaultKind::callback_dies, ACL_ERROR_RT_INTERNAL_ERROR,
     "the thread that runs host functions is gone"},
    {FaultKind::process_dies, ACL_SUCCESS, "the process is killed"},
};

const Effect& effect_of(FaultKind kind) {
  return *std::find_if(std::begin(kEffects), std::end(kEffects),
                       [&](const Effect& effect) { return effect.kind == kind; });
}

/// The function of the interface that the thread called last.
thread_local const char* current_call = "";

bool is_delay(FaultKind kind) { return kind == FaultKind::slow || kind == FaultKind::link_slow; }

std::string times(std::uint64_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}

std::atomic<FaultInjector*> injector{nullptr};

}  // namespace

FaultInjector* fault_injector() noexcept { return injector.load(std::memory_order_acquire); }

FaultInjector::FaultInjector(Runtime& runtime)
    : runtime_(runtime),
      plan_(runtime.config().faults, runtime.config().system.seed),
      lost_(static_cast<std::size_t>(runtime.config().system.devices)) {
  injector.store(this, std::memory_order_release);
  describe_faults([](std::uint16_t number) { return fault_injector()->text_of(number); });
}

// ---- deciding ----

sim::FaultPlan::Fired FaultInjector::decide(const sim::FaultSite& site) {
  sim::FaultPlan::Fired fired;
  {
    const sim::LockGuard guard(mutex_);
    fired = plan_.decide(site);
  }
  if (fired.rule) tell(fired.number);
  return fired;
}

void FaultInjector::tell(std::uint16_t number) const {
  const std::string text = fmt::format("fault {}: {}", number, rule_of(number).text);
  log(ACL_WARNING, "injected " + text);
  trace_output::Sink* const sink = watch::spans();
  if (!sink) return;
  trace_output::Range mark;
  mark.name = text;
  mark.thread = thread_state().thread_id;
  mark.start = runtime_.driver().now_ns();
  sink->mark(mark);
}

aclError FaultInjector::code_of(std::uint16_t number) const {
  const sim::FaultRule& rule = rule_of(number);
  return rule.code != 0 ? rule.code : effect_of(rule.kind).code;
}

std::string FaultInjector::text_of(std::uint16_t number) const {
  const sim::FaultRule& rule = rule_of(number);
  return fmt::format("{}; injected by fault {} ({})", effect_of(rule.kind).text, number, rule.text);
}

sim::Failure FaultInjector::failure_of(std::uint16_t number) const {
  const sim::FaultRule& rule = rule_of(number);
  if (rule.code == 0 && rule.kind == FaultKind::notify_timeout) {
    return {sim::Error::wait_timeout, 0, number};
  }
  if (rule.kind == FaultKind::callback_dies) return {sim::Error::host_call_failed, 0, number};
  return {sim::Error::kernel_failed, code_of(number), number};
}

void FaultInjector::raise(std::uint16_t number) const {
  throw AclError(code_of(number), text_of(number));
}

int FaultInjector::current_device() const {
  const Context* const context = thread_state().context.get();
  return context && context->alive() ? context->device() : -1;
}

// ---- calls ----

bool FaultInjector::before_call(const char* function) {
  current_call = function;
  sim::FaultSite site;
  site.point = Point::call;
  site.call = function;
  const int device = current_device();
  site.device = device < 0 ? -1 : runtime_.logical(device);
  const auto fired = decide(site);
  if (!fired.rule) return false;
  if (fired.rule->kind == FaultKind::process_dies) end_process(fired.number);
  if (fired.rule->kind == FaultKind::device_lost) {
    if (device < 0) return false;  // no device to lose
    lose(device, fired.number);
    require_alive(device);
  }
  raise(fired.number);
}

void FaultInjector::before_creation(Point point, int device) {
  require_alive(device);
  sim::FaultSite site;
  site.point = point;
  site.call = current_call;
  site.device = runtime_.logical(device);
  if (const auto fired = decide(site); fired.rule) raise(fired.number);
}

void FaultInjector::before_allocation(int device) {
  before_creation(Point::memory,
                  device == sim::kHostDevice ? std::max(current_device(), 0) : device);
}

void FaultInjector::before_copy(const sim::CopyOp& copy) {
  sim::Op op(sim::OpKind::copy);
  op.copy = copy;
  const int device = current_device();
  const auto links = links_of(op, device);
  sim::Failure failure = standing_failure(op, links);
  if (!failure) {
    sim::FaultSite site;
    site.point = Point::task;
    site.op = "copy";
    site.device = device < 0 ? -1 : runtime_.logical(device);
    site.links = logical(links);
    const auto fired = decide(site);
    if (fired.rule && fired.rule->kind == FaultKind::link_slow) {
      strike_link(*fired.rule, site, links, fired.number);
    }
    sim::Nanoseconds delay_ns = standing_delay(links);
    if (fired.rule && fired.rule->kind == FaultKind::slow) delay_ns += fired.rule->delay_ns;
    if (delay_ns != 0) std::this_thread::sleep_for(std::chrono::nanoseconds(delay_ns));
    if (!fired.rule || is_delay(fired.rule->kind)) return;
    if (fired.rule->kind == FaultKind::process_dies) end_process(fired.number);
    if (fired.rule->kind == FaultKind::link_down) {
      strike_link(*fired.rule, site, links, fired.number);
    }
    if (fired.rule->kind == FaultKind::ecc) break_memory(device, op, fired.number);
    if (fired.rule->kind == FaultKind::device_lost && device >= 0) lose(device, fired.number);
    failure = failure_of(fired.number);
  }
  if (device >= 0) runtime_.section<DeviceFaults>().note(device, acl::code_of(failure));
  raise(failure.fault);
}

// ---- lost devices ----

bool FaultInjector::lost(int device) const {
  return lost_[static_cast<std::size_t>(device)].load(std::memory_order_acquire) != nullptr;
}

void FaultInjector::require_alive(int device) const {
  const auto* const loss = lost_[static_cast<std::size_t>(device)].load(std::memory_order_acquire);
  if (loss) throw AclError(loss->device_block.code, loss->text);
}

// No handler of a signal and no function of exit runs: others see what they see of a crash.
void FaultInjector::end_process(std::uint16_t number) {
  notice(text_of(number));
  {
    const sim::LockGuard guard(mutex_);
    tell_run_of_ranks();
  }
  ::kill(::getpid(), SIGKILL);
  std::abort();  // not reached
}

// Tasks are dropped as an abort drops them, and from here on the device refuses calls.
void FaultInjector::lose(int device, std::uint16_t number) {
  const Loss* loss = nullptr;
  {
    const sim::LockGuard guard(mutex_);
    std::atomic<const Loss*>& at = lost_[static_cast<std::size_t>(device)];
    if (at.load()) return;
    losses_.push_back({text_of(number), {}});
    losses_.back().device_block = {code_of(number), losses_.back().text.c_str()};
    loss = &losses_.back();
    at.store(loss, std::memory_order_release);
  }
  runtime_.device_block(device).store(&loss->device_block, std::memory_order_release);
  runtime_.section<DeviceFaults>().note(device, loss->device_block.code);
  tell_of_loss(device, number);
  runtime_.streams().for_each([&](const StreamTable::Pin& stream) {
    if (stream->device() == device) stream->abort(loss->device_block.code);
  });
}

// To the exception callbacks. The whole device is concerned, no single task.
void FaultInjector::tell_of_loss(int device, std::uint16_t number) {
  constexpr std::uint32_t kNone = 0xffffffff;
  const aclrtExceptionInfo info{kNone,
                                kNone,
                                kNone,
                                static_cast<std::uint32_t>(runtime_.logical(device)),
                                static_cast<std::uint32_t>(code_of(number)),
                                {},
                                {}};
  sim::HostLane* lane = nullptr;
  sim::HostLane::Item item;
  if (runtime_.section<ExceptionCallbacks>().prepare(info, lane, item)) lane->post(std::move(item));
}

// ---- the beginning and the end ----

std::uint64_t FaultInjector::fired() const {
  const sim::LockGuard guard(mutex_);
  return plan_.fired();
}

void FaultInjector::reset() {
  for (std::size_t d = 0; d < lost_.size(); ++d) {
    const Loss* const loss = lost_[d].exchange(nullptr);
    const DeviceBlock* device_block = loss ? &loss->device_block : nullptr;
    if (loss)
      runtime_.device_block(static_cast<int>(d)).compare_exchange_strong(device_block, nullptr);
  }
  const sim::LockGuard guard(mutex_);
  links_.clear();
  any_link_ = false;
  plan_.restart();
}

void FaultInjector::device_ends(int device) {
  const sim::LockGuard guard(mutex_);
  std::erase_if(links_, [&](const auto& link) {
    return link.first.first == device || link.first.second == device;
  });
  any_link_ = !links_.empty();
}

// False unless this process is a rank of a run that collects the result.
bool FaultInjector::tell_run_of_ranks() const {
  if (!std::getenv(sim::kRunRank)) return false;
  std::string lines;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const sim::FaultPlan::Tally& tally = plan_.tally(i);
    lines += fmt::format("{} {} {}\n", tally.fired, tally.matches, plan_.rule(i).text);
  }
  return sim::tell_run(sim::kFaultsMail, lines);
}

// A fault that never fired makes a test of error handling worthless, so this report names it too.
// In a job of several ranks, `aclsim run` reports such faults instead, because it knows whether
// another rank met the fault.
void FaultInjector::at_exit() {
  const sim::LockGuard guard(mutex_);
  const bool others_tell = tell_run_of_ranks();
  std::size_t rules_fired = 0;
  for (std::size_t i = 0; i < plan_.size(); ++i) rules_fired += plan_.tally(i).fired != 0 ? 1 : 0;
  notice(fmt::format("{} of {} configured faults fired", rules_fired, plan_.size()));
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const sim::FaultPlan::Tally& tally = plan_.tally(i);
    if (others_tell && tally.fired == 0) continue;
    const std::string seen = tally.matches == 0 ? std::string("never matched")
                                                : fmt::format("matched {}", times(tally.matches));
    notice(fmt::format("fault {} ({}): {}; {}", i + 1, plan_.rule(i).text,
                       tally.fired == 0 ? "NEVER FIRED" : "fired " + times(tally.fired), seen));
  }
}

}  // namespace acl
