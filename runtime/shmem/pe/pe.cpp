// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/pe/pe.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/base/thread.h"
#include "runtime/fabric/ranks/process.h"
#include "runtime/fabric/store/io_thread.h"
#include "runtime/shmem/base/error.h"
#include "runtime/shmem/base/log.h"

namespace shmem {
namespace {

/// The bytes that the library uses at the beginning of each block: the words of exit_all and leave,
/// and the counts of arrivals. As many as the vendor's library adds, so that programs get the same
/// heap.
constexpr std::size_t kLibraryBytes = ACLSHMEM_EXTRA_SIZE;
static_assert(Arrivals::kOffset + Arrivals::kStride * ACLSHMEM_MAX_PES <= PublishedOrder::kOffset);
static_assert(PublishedOrder::kOffset + PublishedOrder::kBytes <= kLibraryBytes);
constexpr std::uint64_t kExit = std::uint64_t{1} << 32;
/// The offset of the words that PEs set at PE 0 when they expect no more messages of other hosts.
/// Each is in the cache line of the PE's arrivals.
constexpr std::size_t kThroughOffset = Arrivals::kOffset + 8;
constexpr auto kGoing = std::chrono::seconds(3);  // limit of the last message of a PE

struct OfProcess {
  sim::Mutex initialising;
  sim::Mutex mutex;
  std::shared_ptr<Pe> pe GUARDED_BY(mutex);
  // PEs that have ended while calls were using them
  std::vector<std::shared_ptr<Pe>> ended GUARDED_BY(mutex);
};

OfProcess& of_process() {
  static auto* const all = new OfProcess;  // programs call in until the process exits
  return *all;
}

fabric::Moment limit(std::chrono::seconds seconds) {
  return fabric::Timekeeper::real().in(seconds);
}

}  // namespace

void PeInUse::refuse() {
  const PeInUse none(nullptr);  // decreases the count of users
  fail(ACLSHMEM_NOT_INITED, "SHMEM is not initialised; call aclshmemx_init_attr first");
}

// Calls that begin from here on use the new one.
void Pe::set(std::shared_ptr<Pe> pe) {
  {
    const sim::LockGuard guard(of_process().mutex);
    PeInUse::current_ = pe.get();
    of_process().pe.swap(pe);
    if (!pe) return;
    of_process().ended.push_back(std::move(pe));
    PeInUse::ended_ = true;
  }
  PeInUse::end_unused();
}

void PeInUse::end_unused() noexcept {
  // declared before the guard, so that it is destroyed after it
  std::vector<std::shared_ptr<Pe>> unused;
  const sim::LockGuard guard(of_process().mutex);
  if (users_.load() != 0) return;
  unused.swap(of_process().ended);
  ended_ = false;
}

sim::Mutex& Pe::initialising() { return of_process().initialising; }

Pe::Pe(Met met, const PeSpec& spec, int device)
    : spec_(spec),
      device_(device),
      runtime_(embedding()),
      met_(std::move(met)),
      memory_(*met_.group, {false, device, "heaps"}, spec.heap_bytes + kLibraryBytes,
              limit(spec.init_timeout)),
      published_(memory_, spec.my_pe),
      connections_(met_.group, {memory_.engine(spec.my_pe), memory_.bytes()}, bell_,
                   limit(spec.init_timeout)),
      arrivals_(memory_, connections_, spec.my_pe, spec.n_pes),
      teams_(spec.my_pe, spec.n_pes),
      heap_(memory_, spec.my_pe, kLibraryBytes, spec.heap_bytes),
      waiter_(
          met_.group, bell_, [this] { look_for_exit(); }, connections_) {
  Becoming::heap_made_ = true;
  if (aclrtCreateStream(&stream_) != ACL_SUCCESS) {
    fail(ACLSHMEM_INNER_ERROR, "the device has no stream left");
  }
}

Pe::~Pe() {
  if (stream_) aclrtDestroyStreamForce(stream_);
}

void Pe::drain() {
  const std::uint64_t enqueued = enqueued_;
  if (awaited_ >= enqueued || runtime_.in_kernel()) return;
  const aclError code = aclrtSynchronizeStream(stream_);
  std::uint64_t before = awaited_;
  while (before < enqueued && !awaited_.compare_exchange_weak(before, enqueued)) {
  }
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  fail(ACLSHMEM_INNER_ERROR, "{}", text ? text : "the library's stream failed");
}

Arrivals::Passage Pe::begin_barrier(int team) {
  const auto of = teams_.find(team);
  if (!of) fail(ACLSHMEM_INVALID_PARAM, "team {} does not exist", team);
  require_whole();
  return arrivals_.begin({of->start, of->stride, of->size}, of->member(spec_.my_pe));
}

void Pe::barrier(int team) {
  quiet();
  meet(team);
}

void Pe::quiet() {
  drain();
  if (connections_.any()) await(*connections_.flush_all());
}

void Pe::await(const Arrival& arrival) {
  const auto outcome = waiter_.wait([&] { return arrival.done(); }, fabric::kNever);
  if (outcome == Waiter::Outcome::holds && !arrival.failed()) return;
  fail(ACLSHMEM_INNER_ERROR, "{}", loss().value_or("the way to a PE of another host was lost"));
}

void Pe::tell(const Arrivals::Passage& passage) {
  passage.tell();
  for (const auto& [tells, awaits] : passage.round()) waiter_.wake(tells.pe);
}

void Pe::meet(int team) {
  if (team == Teams::kInvalid) return;
  Arrivals::Passage passage = begin_barrier(team);
  const fabric::Moment end = control_limit();
  do {
    if (published_.on()) {
      for (const auto& [tells, awaits] : passage.round())
        published_.notified(tells.pe, tells.count);
    }
    tell(passage);
    const auto outcome = waiter_.wait([&] { return passage.round_is_over(); }, end);
    if (outcome != Waiter::Outcome::holds) barrier_failed(passage, outcome);
    if (!published_.on()) continue;
    for (const auto& [tells, awaits] : passage.round())
      published_.was_notified_by(awaits.pe, awaits.count);
  } while (passage.advance());
}

void Pe::barrier_failed(const Arrivals::Passage& passage, Waiter::Outcome outcome) {
  std::string who;
  for (const int pe : passage.missing()) who += fmt::format("{}{}", who.empty() ? "" : ", ", pe);
  const bool late = outcome == Waiter::Outcome::timed_out;
  const std::string why = late ? fmt::format(
                                     "PE {} waited at a barrier for PE {} longer than {} s "
                                     "(control_operation_timeout)",
                                     spec_.my_pe, who, spec_.control_timeout.count())
                               : loss().value_or("a PE was lost");
  broken(why);
  throw Error(late ? ACLSHMEM_TIMEOUT_ERROR : ACLSHMEM_INNER_ERROR, why);
}

void Pe::broken(const std::string& why) {
  const sim::LockGuard guard(broken_mutex_);
  if (broken_.empty()) broken_ = why;
}

void Pe::require_whole() const {
  if (met_.group->lost()) fail(ACLSHMEM_INNER_ERROR, "{}", *loss());
  const sim::LockGuard guard(broken_mutex_);
  if (!broken_.empty()) fail(ACLSHMEM_INNER_ERROR, "an earlier barrier has failed: {}", broken_);
}

std::optional<std::string> Pe::loss() const {
  const auto loss = met_.group->loss();
  if (!loss) return std::nullopt;
  return "a PE was lost: " + loss->text;
}

fabric::Moment Pe::control_limit() const { return limit(spec_.control_timeout); }

std::atomic_ref<std::uint64_t> Pe::word(int pe, Word which) const {
  auto* const words = reinterpret_cast<std::uint64_t*>(memory_.engine(pe));
  return std::atomic_ref<std::uint64_t>(words[static_cast<int>(which)]);
}

// The first PE that calls exit_all decides.
void Pe::tell_to_exit(int pe, std::uint64_t status) {
  if (connections_.is_remote(pe)) {
    return connections_.change(pe, 0, {.op = fabric::AtomicOp::compare_and_set, .operand = status});
  }
  std::uint64_t before = 0;
  word(pe, Word::exit).compare_exchange_strong(before, status);
  const fabric::Peer& peer = met_.group->peer(pe);
  if (!peer.reached) return;
  // Rings even if the bell is not armed.
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written =
      write(peer.reached->doorbell().event().get(), &one, sizeof one);
}

void Pe::exit_all(int status) {
  for (int pe = 0; pe < spec_.n_pes; ++pe) {
    tell_to_exit(pe, kExit | static_cast<std::uint32_t>(status & 0xff));
  }
  if (connections_.any()) {
    const auto told = connections_.flush_all();
    waiter_.wait([&] { return told->done(); }, limit(kGoing));
  }
  look_for_exit();
}

// Called by the I/O thread, which may not block; ending the process may.
void Pe::look_for_exit() {
  const std::uint64_t told = word(spec_.my_pe, Word::exit).load();
  if ((told & kExit) == 0 || exiting_.exchange(true)) return;
  const int status = static_cast<int>(told & 0xff);
  log(Level::info,
      fmt::format("PE {} ends with status {} (aclshmem_global_exit)", spec_.my_pe, status));
  sim::start_thread(sim::Signals::blocked, [status] { std::exit(status); }).detach();
}

void Pe::set_and_settle(int pe, std::size_t offset) {
  const std::uint64_t one = 1;
  connections_.put(pe, offset, std::as_bytes(std::span(&one, 1)));
  const auto told =
      connections_.flush(pe);  // one message, which the PE answers before it acts upon it
  waiter_.wait([&] { return told->done(); }, limit(kGoing));
}

// A PE that has left no longer answers other hosts, so no PE may leave while another one expects
// answers.
void Pe::wait_until_all_are_through() {
  if (!connections_.any()) return;
  const auto all = connections_.flush_told();
  waiter_.wait([&] { return all->done(); }, control_limit());
  const auto offset_of = [](int pe) {
    return kThroughOffset + static_cast<std::size_t>(pe) * Arrivals::kStride;
  };
  const auto is_through = [&](int pe) {
    auto* const at = reinterpret_cast<std::uint64_t*>(memory_.engine(0) + offset_of(pe));
    return std::atomic_ref<std::uint64_t>(*at);
  };
  if (connections_.is_remote(0)) {
    set_and_settle(0, offset_of(spec_.my_pe));
  } else if (spec_.my_pe != 0) {
    is_through(spec_.my_pe).store(1);
    waiter_.wake(0);
  } else {
    const auto all_are = [&] {
      for (int pe = 1; pe < spec_.n_pes; ++pe) {
        if (is_through(pe).load() == 0) return false;
      }
      return true;
    };
    waiter_.wait(all_are, control_limit());
  }
}

void Pe::close_others() {
  for (int pe = 1; pe < spec_.n_pes; ++pe) {
    if (connections_.is_remote(pe)) {
      set_and_settle(pe, sizeof(std::uint64_t));
    } else {
      word(pe, Word::closed).store(1);
      waiter_.wake(pe);
    }
  }
}

// A PE that joins again at once must not find the store that ends here.
void Pe::leave() {
  wait_until_all_are_through();
  if (spec_.my_pe == 0) {
    met_.store.reset();
    fabric::Process::mine()->io()->drain();
    close_others();
  } else {
    // This PE ends even if PE 0 has failed.
    waiter_.wait([&] { return word(spec_.my_pe, Word::closed).load() != 0; }, control_limit());
  }
  met_.group->leave();
}

void Pe::abandon() { met_.group->leave(); }

void Pe::set_buffer(Engine engine, const EngineBuffer& buffer) {
  constexpr std::uint32_t kLeast = 128;
  if ((engine == Engine::rdma || engine == Engine::udma) && buffer.size < kLeast) {
    fail(ACLSHMEM_INVALID_VALUE, "ub_size is {}; expected {} or more", buffer.size, kLeast);
  }
  const sim::LockGuard guard(buffers_mutex_);
  buffers_[static_cast<std::size_t>(engine)] = buffer;
}

}  // namespace shmem
