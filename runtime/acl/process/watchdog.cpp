// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/process/watchdog.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "device_sim/base/error.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/thread.h"
#include "device_sim/streams/stall_point.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/core/machine_rest.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/ipc/described_word.h"
#include "runtime/acl/ipc/ipc_sharing.h"
#include "runtime/acl/process/surroundings.h"
#include "runtime/acl/watch/host_threads.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/acl/watch/sleeping_threads.h"

namespace acl {
namespace {

struct Picture {
  std::uint64_t retired = 0;
  std::uint64_t submitted = 0;
  bool may_move = false;  // something runs, will end by itself, or waits for the host
  std::string text;
};

/// Whether only another stream, or a callback that no thread has taken, can release the parked
/// stream.
bool stuck(const sim::Stream& core) {
  if (core.state() != sim::Stream::State::parked || core.in_host_call()) return false;
  bool timed = false;
  const auto signal = core.parked_on(&timed);
  if (timed || !signal) return !timed;
  const auto* const word = dynamic_cast<const sim::Word*>(signal.get());
  return (word ? word->changer() : signal->producer()) != nullptr;
}

std::string describe_wait(const sim::Stream& core) {
  switch (core.state()) {
    case sim::Stream::State::running:
      return "runs a task";
    case sim::Stream::State::ready:
      return "is about to run";
    case sim::Stream::State::idle:
      return "is idle";
    case sim::Stream::State::parked:
      break;
  }
  const auto signal = core.parked_on();
  if (core.in_host_call()) return "waits for a host function that runs";
  if (!signal) return "waits for a host function that nobody has served yet";
  if (dynamic_cast<const sim::StallPoint*>(signal.get())) return "is held by an injected fault";
  if (const auto* const word = dynamic_cast<const sim::Word*>(signal.get())) {
    const auto changer = word->changer();
    if (!changer) {
      const auto* const told = dynamic_cast<const DescribedWord*>(word);
      return "waits for " + (told ? told->in_words() : "a counter or for a value in memory");
    }
    return fmt::format("waits for a notify that stream {} on device {} has still to record",
                       changer->id(), changer->device());
  }
  const auto producer = signal->producer();
  if (!producer) return "waits for an event that no pending task will record";
  return fmt::format("waits for an event that stream {} on device {} has still to record",
                     producer->id(), producer->device());
}

Picture look(Runtime& runtime) {
  Picture picture;
  runtime.streams().for_each([&](const StreamTable::Pin& stream) {
    const sim::Stream& core = stream->core();
    picture.retired += core.retired();
    picture.submitted += core.submitted();
    if (core.drained()) return;
    picture.may_move |= !stuck(core);
    picture.text += fmt::format("  stream {} on device {}: {} unfinished tasks, {}\n", core.id(),
                                runtime.logical(core.device()), core.submitted() - core.retired(),
                                describe_wait(core));
  });
  return picture;
}

/// Neither a stream, nor another process, nor a thread of the program may still go on.
bool nothing_goes_on(Runtime& runtime) {
  const MachineRest rest = look_at_machine(runtime);
  if (rest.moves || rest.resting.empty()) return false;
  const auto others_end = [](const RestingStream& one) {
    const auto* const word = dynamic_cast<const sim::Word*>(one.wait.point.get());
    return one.wait.in_call || others_may_end(one.wait) ||
           (one.wait.control && one.wait.control->is_work()) ||
           (word && word->watched() && IpcSharing::used());
  };
  if (std::any_of(rest.resting.begin(), rest.resting.end(), others_end)) return false;
  const std::vector<pid_t> waiting = runtime.driver().sleeping_threads();
  const std::vector<pid_t> threads = watch::program_threads();
  const auto sleeps = [&](pid_t thread) {
    return std::find(waiting.begin(), waiting.end(), thread) != waiting.end() ||
           watch::sleeps_until_woken(thread);
  };
  return !waiting.empty() && std::all_of(threads.begin(), threads.end(), sleeps) &&
         !watch::another_thread_runs();
}

[[noreturn]] void end_process() {
  flush_timeline();
  if (auto* const listener = watch::listener()) {
    listener->ends_in_hang();
    listener->process_ends();
  }
  _exit(3);
}

void look_now_and_then(Runtime& runtime, unsigned seconds, bool aborts) {
  sim::Mutex mutex;
  sim::CondVar never;
  Picture before;
  bool told = false;
  std::string told_text;
  for (;;) {
    sim::UniqueLock guard(mutex);
    never.wait_for(guard, std::chrono::seconds(seconds));
    const Picture now = look(runtime);
    const bool still = now.retired == before.retired && now.submitted == before.submitted &&
                       now.submitted != now.retired;
    if (still) {
      if (!told) notice(fmt::format("watchdog: nothing has moved for {} s\n{}", seconds, now.text));
      told = true;
      if (!now.may_move && runtime.driver().host_waits() > 0) {
        notice("watchdog: the streams wait for each other and the host for them: a deadlock");
        end_process();
      }
      if (nothing_goes_on(runtime)) {
        notice("watchdog: all threads wait, and nothing can end a wait: a deadlock");
        end_process();
      }
      if (now.text != told_text) {
        notice(fmt::format("watchdog: still waiting; not proven to be a deadlock{}",
                           aborts ? ": aborted, exit code 3" : ""));
        told_text = now.text;
      }
      if (aborts) end_process();
    }
    told = told && still;
    before = now;
  }
}

}  // namespace

void start_watchdog(Runtime& runtime, unsigned seconds, bool aborts) {
  try {
    sim::start_thread(sim::Signals::handled, [&runtime, seconds, aborts] {
      look_now_and_then(runtime, seconds, aborts);
    }).detach();
  } catch (const sim::MachineError& error) {
    notice(fmt::format("there is no watchdog: {}", error.what()));
  }
}

}  // namespace acl
