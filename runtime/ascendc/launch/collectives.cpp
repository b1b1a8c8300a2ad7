// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "device_sim/base/clock.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/launch/block.h"
#include "runtime/ascendc/launch/collective_plan.h"
#include "runtime/ascendc/launch/execution.h"
#include "runtime/ascendc/launch/report.h"

namespace ascendc {
namespace {

constexpr const char* kRule = "collective";
constexpr std::chrono::microseconds kLook{200};

std::uint64_t now_ns() {
  static const sim::RealClock clock;
  return clock.now_ns();
}

std::int64_t index_of(const aclsimCore& core) noexcept {
  return core.kind == ACLSIM_AIC ? core.block : core.block * core.ratio + core.sub_block;
}

}  // namespace

struct Collectives::Task {
  CollectivePlan plan;
  std::uint32_t commits = 0;
  std::vector<std::uint64_t> turns{};  // that were passed on, as the group numbers them
  std::vector<std::uint64_t> since{};  // when, in ns
  // By turn, of the commit:
  std::vector<std::uint32_t> steps{};
  std::vector<Seen> told{};
};

struct Collectives::Session {
  aclsimHcclContext context{};
  std::vector<std::uint64_t> windows{};
  std::shared_ptr<ranks::Group> group{};
  sim::Mutex mutex{};
  std::vector<Task> tasks GUARDED_BY(mutex){};
  std::size_t next GUARDED_BY(mutex) = 0;        // the first task that is not passed on completely
  std::int64_t unit GUARDED_BY(mutex) = -1;      // that passes on; -1: none yet
  const void* site GUARDED_BY(mutex) = nullptr;  // of the last task
  bool entered GUARDED_BY(mutex) = false;
  bool finalized GUARDED_BY(mutex) = false;
};

Collectives::Collectives(Execution& run) : run_(run) {}
Collectives::~Collectives() = default;

void Collectives::init(Block& block, aclsimHccl& object, const void* context, const void* site) {
  const auto at = reinterpret_cast<std::uintptr_t>(context);
  GmRange piece;
  auto session = std::make_unique<Session>();
  aclsimHcclContext& head = session->context;
  const bool found =
      context && block.find_global(at, piece) && piece.size - (at - piece.begin) >= sizeof head;
  const auto* const bytes =
      found ? static_cast<const std::byte*>(acl_runtime()->engine(context)) : nullptr;
  if (bytes) std::memcpy(&head, bytes, sizeof head);
  if (!bytes || head.mark != ACLSIM_HCCL_CONTEXT_MARK ||
      head.size > piece.size - (at - piece.begin)) {
    block.core.violated(kRule,
                        fmt::format("InitV2: context is {}, which is no context of a communicator; "
                                    "expected what HcclAllocComResourceByTiling or "
                                    "HcclCreateOpResCtx returns",
                                    context),
                        site);
  }
  session->windows.resize(std::size_t{2} * head.ranks);
  std::memcpy(session->windows.data(), bytes + sizeof head,
              session->windows.size() * sizeof session->windows[0]);
  session->group = ranks::Group::of(head.group, head.name, head.ranks);
  const sim::LockGuard guard(mutex_);
  const std::size_t number = inits_[{block.unit, at}]++;
  const auto [place, fresh] = by_context_.try_emplace({at, number}, sessions_.size());
  if (fresh) sessions_.push_back(std::move(session));
  object.session = place->second + 1;
  object.prepared = 0;
  std::memset(object.waits, 0, sizeof object.waits);
}

Collectives::Session& Collectives::session_of(Block& block, const aclsimHccl& object,
                                              const char* called, const void* site) {
  {
    const sim::LockGuard guard(mutex_);
    if (object.session != 0 && object.session <= sessions_.size())
      return *sessions_[object.session - 1];
  }
  block.core.violated(
      kRule, fmt::format("{}: the Hccl object was not initialised: InitV2 comes first", called),
      site);
}

bool Collectives::passes_on(const Block& block, const aclsimHccl& object) const {
  const aclsimCore& core = block.core.info;
  return (object.core_kind == ACLSIM_NO_CORE || object.core_kind == core.kind) &&
         index_of(core) == object.core;
}

// The first task of the session.
void Collectives::enter(Block& block, Session& session, const char* called, const void* site) {
  bool other_core = false, other_kernel = false, over = false;
  {
    const sim::LockGuard guard(session.mutex);
    over = session.finalized;
    other_core = session.unit != -1 && session.unit != std::int64_t{block.unit};
    if (!over && !other_core && !session.entered) {
      other_kernel = !session.group->enter(session.context.rank, run_.code().name);
      session.entered = !other_kernel;
      session.unit = block.unit;
    }
    session.site = site;
  }
  std::string text;
  if (over) {
    text = "Finalize was called before; a new object and InitV2 come first";
  } else if (other_core) {
    text =
        "a cube core and a vector core prepare tasks; expected one of them, or an "
        "HcclServerConfig that names it";
  } else if (other_kernel) {
    text = fmt::format("another kernel that runs uses rank {} of communicator '{}'",
                       session.context.rank, session.group->name());
  } else {
    return;
  }
  block.core.violated(kRule, fmt::format("{}: {}", called, text), site);
}

std::int32_t Collectives::prepare(Block& block, aclsimHccl& object,
                                  const aclsimHcclRequest& request, const void* site) {
  const char* const called = ranks::name_of(request.kind);
  Session& session = session_of(block, object, called, site);
  if (object.prepared >= ACLSIM_HCCL_MOST_TASKS) {
    block.core.violated(
        kRule,
        fmt::format("{}: the object has {} tasks; it can have no more", called, object.prepared),
        site);
  }
  const auto number = static_cast<std::int32_t>(object.prepared++);
  if (!passes_on(block, object)) return number;
  enter(block, session, called, site);
  Task task{plan_of(block, object, request, session.context, site)};
  {
    const sim::LockGuard guard(session.mutex);
    session.tasks.push_back(std::move(task));
  }
  for (std::uint32_t turn = 0; request.commit != 0 && turn < request.repeat; ++turn)
    commit_turn(block, session, static_cast<std::size_t>(number), site);
  return number;
}

void Collectives::commit(Block& block, aclsimHccl& object, std::int32_t task, const void* site) {
  Session& session = session_of(block, object, "Commit", site);
  if (task < 0 || task >= static_cast<std::int32_t>(object.prepared)) {
    block.core.violated(
        kRule,
        fmt::format("Commit: handleId is {}; the object has {} tasks", task, object.prepared),
        site);
  }
  if (passes_on(block, object)) commit_turn(block, session, static_cast<std::size_t>(task), site);
}

void Collectives::commit_turn(Block& block, Session& session, std::size_t number,
                              const void* site) {
  CollectivePlan plan;
  std::uint32_t turn = 0;
  bool finalized = false;
  {
    const sim::LockGuard guard(session.mutex);
    plan = session.tasks[number].plan;
    turn = session.tasks[number].commits++;
    finalized = session.finalized;
  }
  const char* const called = ranks::name_of(static_cast<std::uint32_t>(plan.kind));
  if (turn >= plan.repeat || finalized) {
    block.core.violated(kRule,
                        finalized ? std::string("Commit: Finalize was called before")
                                  : fmt::format("Commit: task {} ({}) has {} turns, and all are "
                                                "committed",
                                                number, called, plan.repeat),
                        site);
  }
  const ranks::Turn what = plan.turn(turn);
  const std::uint64_t shift = plan.shift(turn);
  std::uint32_t step = 0;
  std::vector<GlobalWrites::Read> reads;
  const ranks::Part* last = nullptr;
  for (const ranks::Part& part : what.sent) {
    if (part.bytes == 0 || (last && last->begin == part.begin)) continue;
    last = &part;
    const std::uintptr_t begin = plan.send + shift + part.begin;
    step = std::max(step, block.core.serve(begin, part.bytes, false, called, site));
    reads.push_back({begin, begin + part.bytes, site, Pipe::s, step});
  }
  if (run_.settings().checks && !reads.empty()) run_.writes().read(block, reads);
  for (const ranks::Part& part : what.received) {
    step = std::max(
        step, block.core.serve(plan.receive + shift + part.begin, part.bytes, true, called, site));
  }
  Seen told = run_.notification(block, block.core.over(Pipe::s));
  {
    const sim::LockGuard guard(session.mutex);
    session.tasks[number].steps.push_back(step);
    session.tasks[number].told.push_back(std::move(told));
  }
  pass_on(session);
  run_.wake_waiting(block);
}

// Tasks are carried out in their order.
void Collectives::pass_on(Session& session) {
  acl::embedding::Runtime& runtime = *acl_runtime();
  const auto engine = [&](std::uintptr_t address) {
    return static_cast<std::byte*>(runtime.engine(reinterpret_cast<const void*>(address)));
  };
  const sim::LockGuard guard(session.mutex);
  for (; session.next < session.tasks.size(); ++session.next) {
    Task& task = session.tasks[session.next];
    while (task.turns.size() < task.told.size()) {
      const auto number = static_cast<std::uint32_t>(task.turns.size());
      ranks::Turn turn = task.plan.turn(number);
      turn.send = engine(task.plan.send) + task.plan.shift(number);
      turn.receive = engine(task.plan.receive) + task.plan.shift(number);
      task.since.push_back(now_ns());
      task.turns.push_back(session.group->commit(session.context.rank, std::move(turn)));
    }
    if (task.turns.size() < task.plan.repeat) return;
  }
}

bool Collectives::may_wait(Block& block, Session& session, std::uint64_t turn,
                           std::uint64_t waited_ns, const char* called, const void* site) {
  if (run_.result() != 0) throw KernelEnds();
  const std::uint64_t limit_ns = session.context.limit_ns;
  const bool too_long = limit_ns != 0 && waited_ns > limit_ns;
  if (!block.late && !too_long) return true;
  const std::string text =
      fmt::format("{}: {}", called, session.group->waits_for(session.context.rank, turn));
  Finding finding{.level = Level::error, .rule = kRule, .text = text, .site = site};
  finding.text +=
      too_long ? fmt::format("; it has waited for {} ms (HCCL_EXEC_TIMEOUT)", limit_ns / 1'000'000)
               : std::string("; the time of the kernel is up");
  block.found(finding);
  session.group->fail(finding.text);
  if (too_long) block.end(End::timeout);
  return false;
}

void Collectives::wait_for_ranks(Block& block, Session& session, std::uint64_t turn,
                                 const char* called, const void* site) {
  const std::uint64_t began = now_ns();
  using State = ranks::Group::State;
  State state = session.group->state(turn);
  while (state == State::waits) {
    if (!may_wait(block, session, turn, now_ns() - began, called, site)) return;
    block.give_way();
    state = session.group->wait(turn, kLook);
  }
  if (state == State::over) return;
  block.core.violated(kRule,
                      fmt::format("{}: the collectives of communicator '{}' have failed: {}",
                                  called, session.group->name(), session.group->failure()),
                      site);
}

std::int32_t Collectives::wait(Block& block, aclsimHccl& object, std::int32_t task,
                               const void* site) {
  Session& session = session_of(block, object, "Wait", site);
  if (task < 0 || task >= static_cast<std::int32_t>(object.prepared)) {
    block.core.violated(
        kRule, fmt::format("Wait: handleId is {}; the object has {} tasks", task, object.prepared),
        site);
  }
  const auto number = static_cast<std::size_t>(task);
  const std::uint32_t turn = object.waits[number];
  const auto passed_on = [&] {
    const sim::LockGuard guard(session.mutex);
    if (session.tasks.size() <= number) return false;
    const Task& what = session.tasks[number];
    return turn >= what.plan.repeat || what.turns.size() > turn;
  };
  run_.wait_until(block, "Hccl::Wait", site, passed_on);
  std::uint64_t of_group = 0;
  std::uint32_t step = 0, repeat = 0;
  Seen told;
  bool own = false, finalized = false;
  {
    const sim::LockGuard guard(session.mutex);
    const Task& what = session.tasks[number];
    repeat = what.plan.repeat;
    own = session.unit == std::int64_t{block.unit};
    finalized = session.finalized;
    if (turn < repeat) {
      of_group = what.turns[turn];
      step = what.steps[turn];
      told = what.told[turn];
    }
  }
  if (turn >= repeat) {
    block.found(
        {.level = Level::warning,
         .rule = kRule,
         .text = fmt::format("Wait: task {} has {} turns, and this core has waited for all; "
                             "Wait returns -1",
                             task, repeat),
         .site = site});
    return -1;
  }
  if (finalized) {
    block.core.violated(kRule,
                        "Wait: Finalize was called before on the core that prepares the tasks; "
                        "hardware would wait forever: SyncAll comes before Finalize",
                        site);
  }
  wait_for_ranks(block, session, of_group, "Wait", site);
  run_.take_notification(block, told);
  if (own) block.core.served(step);
  ++object.waits[number];
  return 0;
}

std::int32_t Collectives::query(Block& block, aclsimHccl& object, std::int32_t task,
                                const void* site) {
  Session& session = session_of(block, object, "Query", site);
  if (task < 0 || task >= static_cast<std::int32_t>(object.prepared)) {
    block.core.violated(
        kRule, fmt::format("Query: handleId is {}; the object has {} tasks", task, object.prepared),
        site);
  }
  std::vector<std::uint64_t> turns, since;
  {
    const sim::LockGuard guard(session.mutex);
    if (session.tasks.size() > static_cast<std::size_t>(task)) {
      turns = session.tasks[static_cast<std::size_t>(task)].turns;
      since = session.tasks[static_cast<std::size_t>(task)].since;
    }
  }
  std::int32_t over = 0;
  for (std::size_t i = 0; i < turns.size(); ++i, ++over) {
    const auto state = session.group->state(turns[i]);
    if (state == ranks::Group::State::over) continue;
    if (state == ranks::Group::State::failed)
      wait_for_ranks(block, session, turns[i], "Query", site);
    may_wait(block, session, turns[i], now_ns() - since[i], "Query", site);
    block.give_way();  // kernels call it in loops
    session.group->wait(turns[i], kLook);
    break;
  }
  if (over == 0) return over;
  Seen told;
  std::uint32_t step = 0;
  bool own = false;
  {
    const sim::LockGuard guard(session.mutex);
    const Task& what = session.tasks[static_cast<std::size_t>(task)];
    told = what.told[static_cast<std::size_t>(over - 1)];
    step = what.steps[static_cast<std::size_t>(over - 1)];
    own = session.unit == std::int64_t{block.unit};
  }
  run_.take_notification(block, told);
  if (own) block.core.served(step);
  return over;
}

void Collectives::finalize(Block& block, aclsimHccl& object, const void* site) {
  Session& session = session_of(block, object, "Finalize", site);
  if (!passes_on(block, object)) return;
  std::vector<std::uint64_t> last;
  std::string missing;
  bool entered = false;
  {
    const sim::LockGuard guard(session.mutex);
    entered = session.entered;
    for (std::size_t i = 0; i < session.tasks.size(); ++i) {
      const Task& task = session.tasks[i];
      if (task.commits == task.plan.repeat || !missing.empty()) continue;
      missing = fmt::format(
          "Finalize: task {} ({}) has {} turns, of which {} are committed; hardware would wait "
          "forever",
          i, ranks::name_of(static_cast<std::uint32_t>(task.plan.kind)), task.plan.repeat,
          task.commits);
    }
    if (!session.tasks.empty() && missing.empty()) last = session.tasks.back().turns;
  }
  if (!missing.empty()) block.core.violated(kRule, missing, site);
  if (!last.empty()) wait_for_ranks(block, session, last.back(), "Finalize", site);
  {
    const sim::LockGuard guard(session.mutex);
    if (std::exchange(session.finalized, true)) return;
  }
  if (entered) session.group->leave(session.context.rank, {});
  run_.wake_waiting(block);
}

const aclsimHcclContext& Collectives::context(Block& block, const aclsimHccl& object,
                                              const char* called, const void* site) {
  return session_of(block, object, called, site).context;
}

void* Collectives::window(Block& block, const aclsimHccl& object, std::uint32_t rank, bool out,
                          const void* site) {
  const Session& session =
      session_of(block, object, out ? "GetWindowsOutAddr" : "GetWindowsInAddr", site);
  if (rank >= session.context.ranks) return nullptr;
  return reinterpret_cast<void*>(session.windows[std::size_t{2} * rank + (out ? 1 : 0)]);
}

void Collectives::leave_out_windows(std::vector<acl::embedding::Range>& accesses) {
  const sim::LockGuard guard(mutex_);
  for (const auto& session : sessions_) {
    const auto in_window = [&](const acl::embedding::Range& range) {
      const auto begin = reinterpret_cast<std::uintptr_t>(range.begin);
      return std::any_of(session->windows.begin(), session->windows.end(), [&](std::uint64_t at) {
        return begin - at < session->context.window_bytes;
      });
    };
    std::erase_if(accesses, in_window);
  }
}

void Collectives::end(const ascendc::Task& of_launch) {
  const sim::LockGuard guard(mutex_);
  for (const auto& session : sessions_) {
    bool pending = false;
    const void* site = nullptr;
    {
      const sim::LockGuard inside(session->mutex);
      if (!session->entered || session->finalized) continue;
      site = session->site;
      for (const Task& task : session->tasks) {
        pending |= task.commits != task.plan.repeat;
        for (const std::uint64_t turn : task.turns)
          pending |= session->group->state(turn) != ranks::Group::State::over;
      }
    }
    const bool failed = run_.result() != 0;
    session->group->leave(session->context.rank,
                          failed    ? "has failed"
                          : pending ? "has ended before all its tasks were carried out"
                                    : "");
    if (failed || !run_.settings().checks) continue;
    Finding finding{.level = Level::error, .rule = kRule, .site = site};
    finding.text =
        "the kernel has prepared collectives and ends without Hccl::Finalize; hardware "
        "would go on to wait for tasks";
    finding.repair = "call Finalize on the core that prepares the tasks, behind the last Wait";
    report(of_launch, fmt::format("kernel {}", run_.code().name), finding);
  }
}

}  // namespace ascendc
