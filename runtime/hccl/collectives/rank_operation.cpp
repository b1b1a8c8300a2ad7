// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/collectives/rank_operation.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/base/split_mix.h"
#include "runtime/hccl/base/error.h"

namespace hccl {

using embedded::Next;

namespace {
thread_local aclrtStream submits_to = nullptr;
}  // namespace

// ---- buffers ----

Buffer::Buffer(const Communicator& communicator, embedded::Caller caller, const void* address,
               std::uint64_t bytes, const char* argument, bool written)
    : address_(address), bytes_(bytes) {
  if (bytes == 0) return;
  embedded::MemoryLocation place;
  if (const embedded::Error error =
          embedding().locate(caller, address, bytes, argument, written, place)) {
    hccl::fail(HCCL_E_PARA, "{}", error.text);
  }
  user_ = place.engine;
  const bool in_place = place.kind == embedded::MemoryLocation::Kind::device &&
                        place.physical_device == communicator.physical_device();
  if (in_place) {
    ref_ = {place.file_offset, true};
    return;
  }
  if (communicator.links()->one_process()) {
    ref_ = {reinterpret_cast<std::uintptr_t>(user_), false};
    return;
  }
  physical_device_ = communicator.physical_device();
  if (const embedded::Error error = embedding().allocate(physical_device_, bytes, owned_)) {
    hccl::fail(HCCL_E_MEMORY, "no copy of {} can be made for other processes: {}", argument,
               error.text);
  }
  staged_ = static_cast<std::byte*>(embedding().engine(owned_));
  embedded::DeviceFile file;
  embedding().device_file(physical_device_, file);
  ref_ = {static_cast<std::uint64_t>(staged_ - file.engine), true};
}

Buffer::~Buffer() {
  if (owned_) embedding().free(physical_device_, owned_);
}

void Buffer::swap(Buffer& other) noexcept {
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  std::swap(user_, other.user_);
  std::swap(staged_, other.staged_);
  std::swap(owned_, other.owned_);
  std::swap(physical_device_, other.physical_device_);
  std::swap(ref_, other.ref_);
}

void Buffer::stage() const noexcept {
  if (staged_) std::memcpy(staged_, user_, bytes_);
}

void Buffer::unstage() const noexcept {
  if (staged_) std::memcpy(user_, staged_, bytes_);
}

// ---- runs ----

RankOperation::RankOperation(const Communicator& communicator, embedded::Caller caller,
                             std::uint64_t limit_ns, bool searches)
    : links_(communicator.links()),
      caller_(caller),
      site_(Site::of(caller.site)),
      limit_ns_(limit_ns),
      searches_(searches) {}

std::uint64_t RankOperation::enqueued() {
  auto run = make_run();
  run->closed = links_->is_closed();
  run->counters = &links_->wait_tracker().enqueued(submits_to);
  links_->disturb();
  const sim::LockGuard guard(lock_);
  runs_.push_back({++last_run_, std::move(run)});
  return last_run_;
}

RankOperation::Runs::iterator RankOperation::place_of(std::uint64_t run) {
  return std::find_if(runs_.begin(), runs_.end(), [run](const auto& at) { return at.id == run; });
}

RankOperation::Run* RankOperation::find(std::uint64_t run) {
  const sim::LockGuard guard(lock_);
  const auto it = place_of(run);
  return it == runs_.end() ? nullptr : it->run.get();
}

std::vector<embedded::Rendezvous> RankOperation::rendezvous(std::uint64_t id) {
  const Run* const run = find(id);
  return run ? rendezvous_of(*run) : std::vector<embedded::Rendezvous>();
}

embedded::FlagUse RankOperation::flag(std::uint64_t id) {
  const Run* const run = find(id);
  return run ? flag_of(*run) : embedded::FlagUse();
}

std::string RankOperation::waits_for(std::uint64_t id) {
  const sim::LockGuard guard(lock_);
  const auto it = place_of(id);
  const int rank = it == runs_.end() ? -1 : it->run->sleeps_for.load(std::memory_order_relaxed);
  if (rank < 0) return {};
  std::string text = fmt::format("rank {} of communicator '{}'", rank, links_->communicator());
  if (const std::string other = links_->text_of_wait(rank); !other.empty())
    text += " (" + other + ")";
  return text;
}

std::uint64_t RankOperation::key_of(std::uint64_t channel, std::uint64_t number,
                                    int rank) const noexcept {
  const std::uint64_t group = sim::split_mix(sim::split_mix(links_->id_on_host()) ^ channel);
  return sim::split_mix(sim::split_mix(group ^ static_cast<std::uint64_t>(rank)) + number);
}

void RankOperation::end(std::uint64_t run) noexcept {
  std::unique_ptr<Run> ended;
  {
    const sim::LockGuard guard(lock_);
    const auto it = place_of(run);
    if (it == runs_.end()) return;
    ended = std::move(it->run);
    runs_.erase(it);
  }
  ended->counters->ended.fetch_add(1);
  if (ended->waits_long) links_->wait_ended(ended.get());
}

Next RankOperation::step(std::uint64_t id) {
  Run* const run = find(id);
  if (!run) return Next::fail({ACL_ERROR_RT_INTERNAL_ERROR, "a run that was given up began"});
  Next next = go(*run);
  if (next.kind != Next::Kind::wait) end(id);
  return next;
}

// ---- steps ----

RankOperation::StepScope::StepScope(RankOperation& operation, const char* name, std::uint64_t bytes,
                                    int rank)
    : operation_(operation) {
  if (!operation.observed_) return;
  operation.end_wait();
  step_ = {name, rank, bytes, embedding().now_ns(), 0};
}

RankOperation::StepScope::~StepScope() {
  if (!operation_.observed_) return;
  step_.end_ns = embedding().now_ns();
  operation_.steps_.push_back(step_);
}

void RankOperation::begin_wait(Awaited awaited) {
  if (waits_for_ == awaited) return;
  end_wait();
  waits_for_ = awaited;
  waits_since_ = embedding().now_ns();
}

void RankOperation::end_wait() {
  if (waits_for_.is_nothing()) return;
  const int rank = waits_for_.is_rank() ? waits_for_.rank() : -1;
  steps_.push_back({kWaits, rank, 0, waits_since_, embedding().now_ns()});
  waits_for_ = Awaited::nothing();
}

Awaited RankOperation::try_advance(Run& run) {
  const Awaited awaits = advance(run);
  if (observed_) [[unlikely]]
    begin_wait(awaits);
  return awaits;
}

// A peer in another process is often only a moment late.
Awaited RankOperation::advance_polling(Run& run) {
  Awaited awaits = try_advance(run);
  if (run.rechecked || awaits.is_nothing()) return awaits;
  if (!links_->remote_ranks().empty()) return advance_polling_network(run);
  const auto [quick, yielding] = links_->poll_limits();
  const int first = quick != 0 && links_->sharing().should_poll_longer() ? Sharing::kPolls : quick;
  int polls = 0;
  for (; !awaits.is_nothing() && polls < first + yielding; ++polls) {
    polls < first ? sim::cpu_relax() : std::this_thread::yield();
    awaits = try_advance(run);
  }
  if (awaits.is_nothing()) links_->sharing().waited(polls > first);
  return awaits;
}

// Polls while the peers are on other hosts: the transport makes progress while it is polled. Each
// message that arrives extends the polling.
Awaited RankOperation::advance_polling_network(Run& run) {
  constexpr int kIdlePolls = 300;
  const Links::Polls polls(*links_);
  Awaited awaits = try_advance(run);
  for (int idle = 0; !awaits.is_nothing() && idle < kIdlePolls; awaits = try_advance(run)) {
    idle = links_->poll() ? 0 : idle + 1;
    if (idle > 0) std::this_thread::yield();
  }
  return awaits;
}

// A run without a place belongs to the only communicator of the process. Only ranks have a number.
void RankOperation::require_no_cycle(Run& run) const {
  if (!run.place || !run.awaits.is_rank()) return;
  run.place->sleep();
  if (const auto cycle = run.place->cycle(run.awaits.rank())) throw *cycle;
}

// Called after the run has waited for long, to detect a deadlock. The epochs of the awaited ranks
// are read first and the run is advanced again afterwards, so this run has seen everything that
// these ranks did before.
void RankOperation::search_deadlock(Run& run) {
  if (!run.waits_long || !run.awaits.is_rank()) return;
  const auto before = waits(run);
  const auto awaited = links_->epochs_of(before ? before->ranks : std::vector<int>());
  const auto processes = links_->process_epochs_of(before ? before->ranks : std::vector<int>());
  run.awaits = try_advance(run);
  const auto now = !run.awaits.is_rank() ? std::nullopt : waits(run);
  if (!before || !now || now->progress != before->progress || now->ranks != before->ranks) {
    return links_->wait_ended(&run);
  }
  const auto found = links_->record_wait({&run,
                                          run.counters,
                                          now->progress,
                                          awaited,
                                          run.host_threads,
                                          {now->call, site_},
                                          false,
                                          processes});
  if (found) throw Links::Deadlock(*found);
}

Next RankOperation::misfit(const std::string& text, bool tells) const {
  if (tells) embedding().tell_mismatch(caller_, text);
  links_->fail(ACL_ERROR_RT_INTERNAL_ERROR, text);
  return Next::fail({ACL_ERROR_RT_INTERNAL_ERROR, text});
}

std::string RankOperation::in_order(const std::string& what) const {
  return fmt::format(
      "{}; ranks of a communicator ('{}') call the same operations in the same order (EI0005)",
      what, links_->communicator());
}

std::optional<Links::Trouble> RankOperation::begin(Run& run) {
  if (run.begun) return std::nullopt;
  waits_for_ = Awaited::nothing();
  steps_.clear();
  if (run.closed) {
    return Links::Trouble{ACL_ERROR_RT_INTERNAL_ERROR, "the communicator was destroyed before",
                          false, true};
  }
  auto trouble = links_->trouble();
  run.begun = !trouble;
  return trouble;
}

// Other ranks may wait for this one, or may notice that it has left before they learn why.
Next RankOperation::fail_by(const Links::Trouble& trouble, const Run& run) const {
  const std::string text = !trouble.bare ? trouble.text
                                         : fmt::format("{}; {}, communicator '{}'", trouble.text,
                                                       this->text(run), links_->communicator());
  if (!run.closed) links_->fail(trouble.code, text);
  return Next::fail({trouble.code, text});
}

Next RankOperation::go(Run& run) {
  if (run.waits_long) [[unlikely]]
    links_->wait_tracker().moves(&run);
  observed_ = embedding().observed();
  if (const auto trouble = begin(run)) return fail_by(*trouble, run);
  try {
    run.awaits = advance_polling(run);
    while (!run.awaits.is_nothing()) {
      // A result that is complete stays complete if a failure follows: since the last attempt a
      // rank may have done its part and left.
      if (const auto trouble = links_->trouble(
              run.awaits.is_rank() ? std::optional(run.awaits.rank()) : std::nullopt)) {
        if (const Awaited awaits = try_advance(run); awaits != run.awaits) {
          run.awaits = awaits;
          continue;
        }
        return fail_by(*trouble, run);
      }
      if (std::exchange(run.rechecked, !run.rechecked)) return sleep(run);
      if (!run.signal) run.signal = embedding().make_signal();
      run.signal->clear();
      links_->sleep(run.signal);
      run.awaits = advance_polling(run);
      require_no_cycle(run);
      search_deadlock(run);
    }
  } catch (const Mismatch& mismatch) {
    return misfit(in_order(mismatch.text), links_->first_here());
  } catch (const Links::Deadlock& deadlock) {
    return misfit(deadlock.reports ? in_order(deadlock.text) : deadlock.text, deadlock.reports);
  } catch (const QueuePlace::Cycle& cycle) {
    cycle.other->fail(ACL_ERROR_RT_INTERNAL_ERROR, cycle.text);
    return misfit(cycle.text, !cycle.reported);
  } catch (const Error& error) {  // no memory for staging at the begin
    links_->fail(ACL_ERROR_RT_MEMORY_ALLOCATION, error.what());
    return Next::fail({ACL_ERROR_RT_MEMORY_ALLOCATION, error.what()});
  }
  return Next::done(run.took);
}

// The limit counts from the first wait, so an operation that need not wait does not read the clock.
Next RankOperation::sleep(Run& run) {
  run.sleeps_for.store(run.awaits.is_rank() ? run.awaits.rank() : -1, std::memory_order_relaxed);
  if (limit_ns_ == 0 && !searches_) return Next::wait(run.signal);
  const std::uint64_t now_ns = embedding().now_ns();
  if (run.began_ns == 0) run.began_ns = now_ns;
  const std::uint64_t spent = now_ns - run.began_ns;
  const bool searches = searches_ && (limit_ns_ == 0 || run.search_ns < limit_ns_);
  const std::uint64_t until = searches ? run.search_ns : limit_ns_;
  return Next::wait(run.signal, spent < until ? until - spent : 1, searches);
}

// Before the limit is reached, this starts the search for a deadlock.
embedded::Error RankOperation::expired(std::uint64_t id,
                                       const std::vector<std::uint64_t>& waiting) {
  Run* const run = find(id);
  if (!run) return {ACL_ERROR_RT_WAIT_TIMEOUT, "an operation between ranks took too long"};
  const std::uint64_t spent = embedding().now_ns() - run->began_ns;
  if (limit_ns_ == 0 || spent < limit_ns_) {
    run->waits_long = true;
    run->host_threads = waiting;
    run->search_ns = spent + std::min(std::max(spent, kFirstSearch), kMostBetweenSearches);
    return {};
  }
  std::string text = text_of_limit(*run);
  aclError code = ACL_ERROR_RT_WAIT_TIMEOUT;
  // After the text is made: a rank that has failed since then no longer publishes its wait state.
  if (auto trouble = links_->trouble(); trouble && !trouble->bare) {
    code = trouble->code;
    text = std::move(trouble->text);
  }
  links_->fail(code, text);
  end(id);
  return {code, text};
}

std::string RankOperation::text_of_limit(const Run& run) const {
  std::string text = fmt::format(
      "rank {} waited for {} longer than {} s (HCCL_EXEC_TIMEOUT, or the limit of the wait): {}, "
      "communicator '{}' "
      "(EI0002)",
      links_->me(),
      run.awaits.is_rank() ? fmt::format("rank {}", run.awaits.rank()) : "the network",
      limit_ns_ / 1'000'000'000, this->text(run), links_->communicator());
  if (run.awaits.is_rank()) {
    const std::string other = links_->text_of_wait(run.awaits.rank());
    if (!other.empty()) text += "; " + other;
  }
  return text;
}

// A broken link concerns both ends, so the others fail with the same code.
void RankOperation::dropped(std::uint64_t id, const embedded::Error& why) noexcept {
  const Run* const run = find(id);
  if (!run) return;
  const bool link = why.code == ACL_ERROR_RT_LINK_ERROR;
  try {
    const std::string cause =
        why ? why.text : std::string("its stream was aborted, destroyed or has failed");
    links_->fail(link ? ACL_ERROR_RT_LINK_ERROR : ACL_ERROR_RT_STREAM_ABORT,
                 fmt::format("rank {} gave up: {}; {}", links_->me(), cause, text(*run)));
  } catch (const std::bad_alloc&) {
    links_->fail(ACL_ERROR_RT_STREAM_ABORT, "a rank gave up");
  }
  end(id);
}

std::vector<int> RankOperation::peers() const {
  std::vector<int> devices;
  for (int rank = 0; rank < links_->ranks(); ++rank) {
    if (const auto device = links_->device_of(rank)) devices.push_back(*device);
  }
  return devices;
}

std::string RankOperation::called(int rank, const Call& call, const Site& site) {
  return fmt::format("rank {} called {}", rank, hccl::text_of(call, site));
}

// A rank that has the lines of all others and finds a difference sends its complete entry to the
// others.
Awaited RankOperation::require_fit(const Round& round, Run& run) const {
  const int rank = round.first_misfit();
  if (rank < 0) return Awaited::nothing();
  if (!std::exchange(run.entry_sent, true)) links_->send_entry(round.number());
  if (links_->is_remote(rank) && !round.has_sent_entry(rank)) return Awaited::rank(rank);
  const Entry& other = round.entry_of(rank);
  throw Mismatch{fmt::format("operation {}: {}, but {}", round.number() + 1,
                             called(round.entry().call), called(rank, other.call, other.site))};
}

std::vector<embedded::Rendezvous> RankOperation::rendezvous_of_all(std::uint64_t number) const {
  if (links_->ranks_on_host() < 2) return {};
  embedded::Rendezvous rendezvous{links_->id_here(), number, links_->ranks_here()};
  if (links_->crosses_processes()) {
    rendezvous.own_key = key_of(0, number, links_->me());
    for (int rank = 0; rank < links_->ranks(); ++rank) {
      if (links_->is_here(rank) || links_->is_remote(rank)) continue;
      rendezvous.other_keys.push_back(key_of(0, number, rank));
    }
  }
  return {std::move(rendezvous)};
}

std::string RankOperation::text_of(std::uint64_t number, const Call& call) const {
  return fmt::format("{} as operation {}", called(call), number + 1);
}

void RankOperation::line_up(Run& run, const Call& call) const {
  if (!submits_to || links_->alone()) return;
  run.place =
      std::make_unique<QueuePlace>(submits_to, QueuedCollective{links_, run.number, call, &site_});
}

void submit(embedded::Caller caller, aclrtStream stream,
            std::shared_ptr<embedded::Operation> operation) {
  submits_to = stream;
  const embedded::Error error = embedding().submit(caller, stream, std::move(operation));
  submits_to = nullptr;
  if (error) hccl::fail(HCCL_E_RUNTIME, "{}", error.text);
}

}  // namespace hccl
