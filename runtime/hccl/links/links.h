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
#include "runtime/hccl/board/patience.h"
#include "runtime/hccl/board/round.h"
#include "runtime/hccl/links/standings.h"

namespace hccl {

using acl::embedding::Signal;

/// The runtime behind libascendcl. Raises HCCL_E_INTERNAL when the two libraries do not fit.
acl::embedding::Runtime& embedding();

/// "HcclAllReduce(count 4, fp32, sum) at main.cpp:12".
std::string text_of(const Call& call, const Site& site);

/// What connects one rank to the others: their boards, their devices' memory, and who is woken when
/// something has changed. Boards and memory of its host are mapped. Of a rank of another host there
/// is a copy of the board, which that rank writes (`show_...` below), and its memory is reached
/// through a transport. Any thread.
class Links : public std::enable_shared_from_this<Links> {
 public:
  /// All ranks make theirs, until `end`. Raises fabric::FabricError(broken) where a rank is on
  /// another host and there is no transport.
  /// By rank: `devices`, the machine's numbers; `servers`, of which equal ones share a host.
  static std::shared_ptr<Links> make(const std::shared_ptr<fabric::Group>& group,
                                     std::string communicator, std::vector<int> devices,
                                     std::vector<std::uint32_t> servers, fabric::Moment end);
  ~Links();
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  /// A number that all ranks have for this communicator, and no other.
  std::uint64_t id() const noexcept { return id_; }
  /// The process has no other communicator.
  bool alone() const noexcept;
  /// The communicator's name.
  const std::string& communicator() const noexcept { return communicator_; }
  int me() const noexcept { return me_; }
  int ranks() const noexcept { return static_cast<int>(boards_.size()); }
  std::span<const Board> boards() const noexcept { return boards_; }
  const Board& mine() const noexcept { return boards_[static_cast<std::size_t>(me_)]; }
  /// How many ranks are threads of this process, this one included; a number that all of them have
  /// for this communicator, and no other.
  std::uint32_t ranks_here() const noexcept { return ranks_here_; }
  std::uint64_t id_here() const noexcept { return id_here_; }
  /// Ranks of this host are in several processes. `id_on_host`: a number that all of them have for
  /// this communicator, and no other.
  bool crosses_processes() const noexcept { return ranks_here_ < ranks_on_host(); }
  std::uint64_t id_on_host() const noexcept { return id_on_host_; }
  std::uint32_t ranks_on_host() const noexcept {
    return static_cast<std::uint32_t>(boards_.size() - remote_ranks_.size());
  }
  bool is_here(int rank) const noexcept;
  /// The first of them.
  bool first_here() const noexcept { return boards_[index_of_first_].base() == pages_->base; }
  /// All ranks are threads of this process.
  bool one_process() const noexcept { return one_process_; }
  /// The ranks of other hosts, ascending.
  const std::vector<int>& remote_ranks() const noexcept { return remote_ranks_; }
  bool is_remote(int rank) const noexcept {
    return group_->peer(rank).locality == fabric::Locality::remote;
  }
  const Hosts& hosts() const noexcept { return hosts_; }
  /// The device of a rank; nothing for one of another host, whose devices have numbers of their
  /// own.
  std::optional<int> device_of(int rank) const noexcept;
  /// For a rank of this host: where its buffer is, from here.
  std::byte* locate(int rank, const BufferRef& buffer) const noexcept;

  // --- numbers, taken when the host enqueues ---
  std::uint64_t next_collective() noexcept { return collectives_.fetch_add(1); }
  std::uint64_t next_send(int to) noexcept { return peer(to).sends.fetch_add(1); }
  std::uint64_t next_receive(int from) noexcept { return peer(from).receives.fetch_add(1); }

  // --- to ranks of other hosts; nothing happens where there are none ---
  /// What this rank has written to the entry, and to the board's data there, goes to all of them.
  void show_entry(std::uint64_t number, bool holds_data);
  /// Of a small one: the line, and what it brings.
  void show_line(std::uint64_t number, std::uint64_t bytes);
  /// And its entry, which somebody misses.
  void tell_entry(std::uint64_t number);
  /// That this rank does not come to the collective of that number for now. All ranks are woken.
  void show_held(std::uint64_t number, const Held& held);
  /// That it has finished more, if they may soon wait for it. Otherwise the next lines tell it.
  void show_ended();
  /// How far it is.
  void show_phase(int rank, std::uint64_t number, Phase phase);
  void show_phase(std::uint64_t number, Phase phase) {
    for (const int rank : remote_ranks_) show_phase(rank, number, phase);
  }
  /// How much it has given that rank, behind what was put before.
  void show_steps(int rank, std::uint64_t number, std::uint64_t steps);
  void show_send(int to, std::uint64_t number);
  void show_received(int from);
  /// Bytes at an offset of the file of the rank's device. The own ones stay until the rank has said
  /// that it is through, or `flush` has called.
  void put(int rank, std::uint64_t at, std::span<const std::byte> bytes);
  void get(int rank, std::uint64_t at, std::span<std::byte> bytes);
  /// Sets a word of that file, behind what was put before.
  void set_word(int rank, std::uint64_t at, std::uint64_t value);
  /// When all that was issued for the rank so far has arrived, or never will, `arrival` says so and
  /// this rank's sleepers are woken.
  enum class Arrival : std::uint8_t { pending, complete, failed };
  void flush(int rank, std::shared_ptr<std::atomic<Arrival>> arrival);
  /// The same when what was put may be changed.
  void flush_sources(int rank, std::shared_ptr<std::atomic<Arrival>> arrival);
  /// Looks whether something has come from them; true: it has.
  bool poll();
  /// A row of these looks, in which nobody else looks.
  class Polls {
   public:
    explicit Polls(Links& links);
    ~Polls();
    Polls(const Polls&) = delete;
    Polls& operator=(const Polls&) = delete;

   private:
    fabric::Transport& way_;
  };

  /// Memory that others may write until they know that this rank has left: it stays until none of
  /// their messages reaches it.
  void keep(std::shared_ptr<void> memory);

  // --- waiting ---
  /// `Round::first_in_the_way`, without a look at the others where an earlier one has told enough.
  int first_in_the_way(const Round& round) noexcept;
  Patience patience() const noexcept { return patience_; }
  Sharing& sharing() noexcept { return sharing_; }
  /// What that rank does before it comes to that collective, which it has not come to.
  std::optional<Held> held(int rank, std::uint64_t number) const;
  /// The signal is completed when another rank has changed something. The caller looks once more
  /// before it waits.
  void sleep(std::shared_ptr<Signal> signal);
  /// This rank has changed something that others may wait for.
  void wake_others();
  /// Completes the signals of this rank's sleepers.
  void wake_own();

  // --- who waits for long ---
  Standings& standings() noexcept { return *standings_; }
  /// The epochs in which those ranks are at rest now; see Standing.
  std::vector<Standing::Awaited> look_at(const std::vector<int>& ranks) const;
  /// A run has looked once more after `look_at`, and waits as before. What all ranks are to be told
  /// where it will never end; one rank is told so.
  std::optional<std::string> stand(Stand stand);
  /// The run is over.
  void stands_no_more(const void* run);
  /// The rank enqueues something.
  void disturb();
  /// "rank 1 waits in HcclAllReduce(count 4, fp32, sum) at main.cpp:12"; empty where that is not
  /// known.
  std::string text_of_standing(int rank) const;

  // --- the end ---
  /// The program has destroyed the communicator: what is enqueued goes on, but a graph begins
  /// nothing any more.
  void close() noexcept { closed_.store(true); }
  bool is_closed() const noexcept { return closed_.load(); }
  /// Why nothing can go on: a rank shows a failure, or was lost; or the one that is awaited has
  /// left.
  struct Trouble {
    aclError code;
    std::string text;
    bool lost;
    bool bare = false;  // the text names no operation
  };
  std::optional<Trouble> trouble(int awaited = -1) const;
  /// Shows the others why this rank does not go on.
  void fail(aclError code, const std::string& text);

 private:
  fabric::Transport::Done setter_of(std::shared_ptr<std::atomic<Arrival>> arrival);
  /// The pages of a board, for as long as threads of this process look at it.
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
    std::shared_ptr<Pages> pages;  // of a thread's board
    std::shared_ptr<fabric::PeerMemory> memory;
    std::weak_ptr<Links> thread;             // of this process
    std::unique_ptr<fabric::Transport> way;  // to another host; `board` are all its pages then
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
  /// In the pages of a rank of another host: something of this rank's board.
  std::size_t copy_of(const void* shown) const noexcept;
  void show(int rank, const void* begin, std::size_t bytes);
  void show_as(int rank, const void* there, const void* begin, std::size_t bytes);
  void set_shown(int rank, const void* word, std::uint8_t width, std::uint64_t value);
  template <class T>
  void send_published(int rank, const Published<T>& what);
  std::optional<std::vector<Standing::Awaited>> what_holds_host() const;
  bool show_standing();
  void withdraw_standing();
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
  const std::shared_ptr<Pages> pages_;  // the board; then the copies, where there are other hosts
  sim::OwnedFd device_file_;
  std::vector<std::shared_ptr<void>> kept_;  // longer than what exposes it
  std::shared_ptr<fabric::RegisteredMemory> own_board_;
  std::shared_ptr<fabric::RegisteredMemory> own_memory_;
  std::vector<Peer> peers_;
  std::vector<Board> boards_;  // by rank
  std::atomic<bool> closed_{false};
  std::atomic<std::uint64_t> collectives_{0};
  std::atomic<std::uint64_t> clear_{Board::kEntries};  // entries of numbers below are free to use
  Patience patience_;
  Sharing sharing_;
  sim::Mutex showing_;            // what several operations count
  std::uint64_t told_ended_ = 0;  // to other hosts
  const std::shared_ptr<Standings> standings_ = std::make_shared<Standings>();
  sim::Mutex standing_;  // what this rank shows of them
  sim::Mutex mutex_;     // sleepers
  std::vector<std::shared_ptr<Signal>> sleepers_;
  fabric::Process::Listener listener_ = 0;
};

}  // namespace hccl
