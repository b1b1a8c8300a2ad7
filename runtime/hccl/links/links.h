// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/transport/memory.h"
#include "runtime/fabric/transport/transport.h"
#include "runtime/hccl/board/hosts.h"
#include "runtime/hccl/board/poll_limits.h"
#include "runtime/hccl/board/round.h"
#include "runtime/hccl/links/wait_tracker.h"

namespace hccl {

using acl::embedding::Signal;

/// The runtime of libascendcl. Raises HCCL_E_INTERNAL if the two libraries have incompatible
/// versions.
acl::embedding::Runtime& embedding();

/// Reports the calls of ACL that `body` makes as calls of the entry: findings then name the
/// program's line.
template <class Body>
void as_call_of(acl::embedding::Caller entry, Body&& body) {
  const acl::embedding::LibraryCall call(&embedding(), {entry.function, entry.site});
  body();
}

/// "HcclAllReduce(count 4, fp32, sum) at main.cpp:12".
std::string text_of(const Call& call, const Site& site);

/// The connections of one rank to the others: their boards, the memory of their devices, and
/// wake-ups after changes. Boards and device memory of ranks of this host are mapped. A rank of
/// another host writes a copy of its board here (with the functions `show_...` on its side), and
/// its memory is reached through a transport. Any thread.
///
/// It has more than 60 functions, since publishing, waking and the end of a rank must follow one
/// order on the same board; a third of the functions are queries of one line.
class Links : public std::enable_shared_from_this<Links> {
 public:
  /// Collective, until `end`. Raises fabric::FabricError(broken) if a rank is on another host and
  /// there is no transport. `devices`: the machine's device number of each rank. `servers`: the
  /// server number of each rank; ranks with equal numbers share a host.
  static std::shared_ptr<Links> make(const std::shared_ptr<fabric::Group>& group,
                                     std::string communicator, std::vector<int> devices,
                                     std::vector<std::uint32_t> servers, fabric::Moment end);
  ~Links();
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  /// The number of this communicator, equal on all its ranks and different from all other
  /// communicators.
  std::uint64_t id() const noexcept { return id_; }
  /// Whether the process has no other communicator.
  bool alone() const noexcept;
  /// The communicator's name.
  const std::string& communicator() const noexcept { return communicator_; }
  int me() const noexcept { return me_; }
  int ranks() const noexcept { return static_cast<int>(boards_.size()); }
  std::span<const Board> boards() const noexcept { return boards_; }
  const Board& mine() const noexcept { return boards_[static_cast<std::size_t>(me_)]; }
  /// The number of ranks that are threads of this process, this one included. `id_here`: a number
  /// of this communicator that is equal on these ranks and unique.
  std::uint32_t ranks_here() const noexcept { return ranks_here_; }
  std::uint64_t id_here() const noexcept { return id_here_; }
  /// Whether several processes of this host have ranks. `id_on_host`: a number of this communicator
  /// that is equal on all ranks of the host and unique.
  bool crosses_processes() const noexcept { return ranks_here_ < ranks_on_host(); }
  std::uint64_t id_on_host() const noexcept { return id_on_host_; }
  std::uint32_t ranks_on_host() const noexcept {
    return static_cast<std::uint32_t>(boards_.size() - remote_ranks_.size());
  }
  bool is_here(int rank) const noexcept;
  /// Whether this is the first rank of the process.
  bool first_here() const noexcept { return boards_[index_of_first_].base() == pages_->base; }
  /// Whether all ranks are threads of this process.
  bool one_process() const noexcept { return one_process_; }
  /// The ranks of other hosts, ascending.
  const std::vector<int>& remote_ranks() const noexcept { return remote_ranks_; }
  bool is_remote(int rank) const noexcept {
    return group_->peer(rank).locality == fabric::Locality::remote;
  }
  const Hosts& hosts() const noexcept { return hosts_; }
  /// The device of a rank; nothing for a rank of another host, whose devices are numbered
  /// separately.
  std::optional<int> device_of(int rank) const noexcept;
  /// The address of a buffer in this process, for a rank of this host.
  std::byte* locate(int rank, const BufferRef& buffer) const noexcept;

  // --- numbers of operations, taken when the host enqueues ---
  std::uint64_t next_collective() noexcept { return collectives_.fetch_add(1); }
  std::uint64_t next_send(int to) noexcept { return peer(to).sends.fetch_add(1); }
  std::uint64_t next_receive(int from) noexcept { return peer(from).receives.fetch_add(1); }

  // --- messages to ranks of other hosts; without other hosts the functions do nothing ---
  // Sends this rank's entry, and its data on the board if `holds_data`, to all of them.
  void show_entry(std::uint64_t number, bool holds_data);
  /// Sends the entry of a small collective: the line and its data.
  void show_line(std::uint64_t number, std::uint64_t bytes);
  /// Sends the rest of that entry, which a rank needs after a mismatch.
  void send_entry(std::uint64_t number);
  /// Publishes that this rank is held back from the collective of that number. Wakes all ranks.
  void show_held(std::uint64_t number, const Held& held);
  /// Sends the number of finished collectives if a rank may soon wait for it. Otherwise the next
  /// line carries it.
  void show_ended();
  /// Sends the phase of this rank in a collective.
  void show_phase(int rank, std::uint64_t number, Phase phase);
  void show_phase(std::uint64_t number, Phase phase) {
    for (const int rank : remote_ranks_) show_phase(rank, number, phase);
  }
  /// Sends the number of parts that this rank has put for that rank, after the parts.
  void show_steps(int rank, std::uint64_t number, std::uint64_t steps);
  void show_send(int to, std::uint64_t number);
  void show_received(int from);
  /// Transfer bytes to and from an offset of the file of the rank's device. The caller keeps
  /// `bytes` unchanged until the rank has finished the collective, or `flush` has completed.
  void put(int rank, std::uint64_t at, std::span<const std::byte> bytes);
  void get(int rank, std::uint64_t at, std::span<std::byte> bytes);
  /// Sets a word of that file, after all earlier puts.
  void set_word(int rank, std::uint64_t at, std::uint64_t value);
  /// Sets `arrival` and wakes this rank's sleepers when everything that was issued for the rank so
  /// far has arrived, or has failed.
  enum class Arrival : std::uint8_t { pending, complete, failed };
  void flush(int rank, std::shared_ptr<std::atomic<Arrival>> arrival);
  /// The same when the sources of puts may be changed.
  void flush_sources(int rank, std::shared_ptr<std::atomic<Arrival>> arrival);
  /// Polls for messages of other hosts. Returns true if one has arrived.
  bool poll();
  /// A series of polls, during which the I/O thread does not poll.
  class Polls {
   public:
    explicit Polls(Links& links);
    ~Polls();
    Polls(const Polls&) = delete;
    Polls& operator=(const Polls&) = delete;

   private:
    fabric::Transport& transport_;
  };

  /// Keeps memory that others may write until they know that this rank has left. It lives until
  /// none of their messages can reach it.
  void keep(std::shared_ptr<void> memory);

  // --- waiting ---
  // As `Round::first_blocking`, but skips the others' boards if an earlier call has read enough.
  int first_blocking(const Round& round) noexcept;
  PollLimits poll_limits() const noexcept { return poll_limits_; }
  Sharing& sharing() noexcept { return sharing_; }
  /// The collective that holds that rank back from the collective of this number.
  std::optional<Held> held(int rank, std::uint64_t number) const;
  /// Completes the signal when another rank has changed something. The caller checks its condition
  /// once more before it waits.
  void sleep(std::shared_ptr<Signal> signal);
  /// Wakes the ranks that may wait for a change by this rank.
  void wake_others();
  /// Completes the signals of this rank's sleepers.
  void wake_own();

  // --- long waits, for deadlock detection ---
  WaitTracker& wait_tracker() noexcept { return *wait_tracker_; }
  /// The epochs in which those ranks are at rest now; see WaitState.
  std::vector<WaitState::Awaited> epochs_of(const std::vector<int>& ranks) const;
  std::vector<ProcessEpoch> process_epochs_of(const std::vector<int>& ranks) const;
  /// A deadlock that a rank has found. `reports`: this rank is the one that reports it.
  struct Deadlock {
    std::string text;
    bool reports = true;
  };
  /// Publishes a run that has advanced again after `look_at` and still waits. If the ranks are
  /// deadlocked, returns the failure, on one of these ranks only; if other communicators take part,
  /// these fail here.
  std::optional<Deadlock> record_wait(LongWait wait);
  /// The communicators of this process that are connected, one object for each rank.
  static std::vector<std::shared_ptr<Links>> of_this_process();
  /// The lowest rank of that process; -1: none.
  int rank_of(const fabric::ProcessId& process) const noexcept;
  const fabric::ProcessId& own_process() const noexcept;
  /// Publishes the state of the process; nothing: withdraws it.
  void show_process_state(const std::optional<WaitState>& state);
  /// The run has ended.
  void wait_ended(const void* run);
  /// The rank enqueues an operation.
  void disturb();
  /// "rank 1 waits in HcclAllReduce(count 4, fp32, sum) at main.cpp:12"; empty if it is not known.
  std::string text_of_wait(int rank) const;

  // --- the end ---
  // The program has destroyed the communicator: enqueued operations continue, but launches of
  // graphs begin no new ones.
  void close() noexcept { closed_.store(true); }
  bool is_closed() const noexcept { return closed_.load(); }
  /// Why operations cannot continue: a rank has published a failure or was lost, or the awaited
  /// rank has left.
  struct Trouble {
    aclError code;
    std::string text;
    bool lost;
    bool bare = false;  // the text names no operation
  };
  std::optional<Trouble> trouble(std::optional<int> awaited = std::nullopt) const;
  /// Publishes why this rank has stopped.
  void fail(aclError code, const std::string& text);

 private:
  fabric::Transport::Done setter_of(std::shared_ptr<std::atomic<Arrival>> arrival);
  /// The mapped pages of a board. They live as long as threads of this process use them.
  struct Pages {
    explicit Pages(std::size_t size);
    ~Pages();
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    const std::size_t bytes;
    const sim::OwnedFd file;
    std::byte* base = nullptr;
  };
  struct Peer {
    std::shared_ptr<fabric::PeerMemory> board;
    std::shared_ptr<Pages> pages;  // the board of a rank of this process
    std::shared_ptr<fabric::PeerMemory> memory;
    std::weak_ptr<Links> thread;  // for a rank of this process
    // for a rank of another host; `board` then covers all of its pages
    std::unique_ptr<fabric::Transport> transport;
    std::atomic<std::uint64_t> sends{0};
    std::atomic<std::uint64_t> receives{0};
  };
  Links(const std::shared_ptr<fabric::Group>& group, std::string communicator,
        std::vector<int> devices, std::vector<std::uint32_t> servers);
  void connect(fabric::Moment end);
  void find_threads();
  Peer& peer(int rank) noexcept { return peers_[static_cast<std::size_t>(rank)]; }
  void wake(int rank);
  void connect_to_host(int rank, const fabric::MemoryCard& board, const fabric::MemoryCard& memory);
  /// The offset of a part of this rank's board in the pages of a rank of another host.
  std::size_t copy_of(const void* shown) const noexcept;
  void show(int rank, const void* begin, std::size_t bytes);
  void show_as(int rank, const void* there, const void* begin, std::size_t bytes);
  void set_shown(int rank, const void* word, std::uint8_t width, std::uint64_t value);
  template <class T>
  void send_published(int rank, const Published<T>& what);
  std::optional<std::vector<WaitState::Awaited>> host_thread_waits() const;
  bool publish_wait_state();
  void withdraw_wait_state();
  void show_end();

  const std::shared_ptr<fabric::Group> group_;
  const std::string communicator_;
  const int me_;
  const std::vector<int> devices_;
  const Hosts hosts_;
  bool one_process_ = true;
  std::uint32_t ranks_here_ = 0;
  std::uint64_t id_ = 0;
  std::uint64_t id_here_ = 0;
  std::uint64_t id_on_host_ = 0;
  std::size_t index_of_first_ = 0;
  std::vector<int> remote_ranks_;
  const std::size_t data_bytes_;        // of each entry
  const std::shared_ptr<Pages> pages_;  // the own board, then the copies for ranks of other hosts
  sim::OwnedFd device_file_;
  // It outlives the registrations below, which expose it.
  std::vector<std::shared_ptr<void>> kept_ GUARDED_BY(mutex_);
  std::shared_ptr<fabric::RegisteredMemory> own_board_;
  std::shared_ptr<fabric::RegisteredMemory> own_memory_;
  std::vector<Peer> peers_;
  std::vector<Board> boards_;  // by rank
  std::atomic<bool> connected_{false};
  std::atomic<bool> closed_{false};
  std::atomic<std::uint64_t> collectives_{0};
  std::atomic<std::uint64_t> clear_{Board::kEntries};  // entries of lower numbers are free
  PollLimits poll_limits_;
  Sharing sharing_;
  sim::Mutex showing_;  // serialises counts that several operations send
  // the count that was sent to other hosts last
  std::uint64_t sent_ended_ GUARDED_BY(showing_) = 0;
  const std::shared_ptr<WaitTracker> wait_tracker_ = std::make_shared<WaitTracker>();
  sim::Mutex publishing_;  // held while this rank publishes what it waits for
  sim::Mutex mutex_;
  std::vector<std::shared_ptr<Signal>> sleepers_ GUARDED_BY(mutex_);
  fabric::Process::Listener listener_ = 0;
};

}  // namespace hccl
