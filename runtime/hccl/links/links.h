// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/acl/embedding/embedding.h"
#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/transport/memory.h"
#include "runtime/hccl/board/round.h"

namespace hccl {

using acl::embedding::Signal;

/// The runtime behind libascendcl. Raises HCCL_E_INTERNAL when the two libraries do not fit.
acl::embedding::Runtime& embedding();

/// What connects one rank to the others of its host: their boards, their devices' memory, and who
/// is woken when something has changed. Any thread.
class Links : public std::enable_shared_from_this<Links> {
 public:
  /// All ranks make theirs, until `end`. Null where a rank is on another host: then there is no way
  /// to it yet.
  static std::shared_ptr<Links> make(const std::shared_ptr<fabric::Group>& group,
                                     int physical_device, fabric::Moment end);
  ~Links();
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  int me() const noexcept { return me_; }
  int ranks() const noexcept { return static_cast<int>(boards_.size()); }
  std::span<const Board> boards() const noexcept { return boards_; }
  const Board& mine() const noexcept { return boards_[static_cast<std::size_t>(me_)]; }
  /// All ranks are threads of this process.
  bool one_process() const noexcept { return one_process_; }
  /// Where a rank's buffer is, from here.
  std::byte* locate(int rank, const BufferRef& buffer) const noexcept;

  // --- numbers, taken when the host enqueues ---
  std::uint64_t next_collective() noexcept { return collectives_.fetch_add(1); }
  std::uint64_t next_send(int to) noexcept { return peer(to).sends.fetch_add(1); }
  std::uint64_t next_receive(int from) noexcept { return peer(from).receives.fetch_add(1); }

  // --- waiting ---
  /// The signal is completed when another rank has changed something. The caller looks once more
  /// before it waits.
  void sleep(std::shared_ptr<Signal> signal);
  /// This rank has changed something that others may wait for.
  void wake_others();
  /// Completes the signals of this rank's sleepers.
  void wake_own();

  // --- the end ---
  /// Why nothing can go on: a rank shows a failure, or was lost.
  struct Trouble {
    aclError code;
    std::string text;
    bool lost;
  };
  std::optional<Trouble> trouble() const;
  /// Shows the others why this rank does not go on.
  void fail(aclError code, const std::string& text);

 private:
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
    std::weak_ptr<Links> thread;  // of this process
    std::atomic<std::uint64_t> sends{0};
    std::atomic<std::uint64_t> receives{0};
  };
  Links(const std::shared_ptr<fabric::Group>& group, int physical_device);
  void connect(fabric::Moment end);
  void find_threads();
  Peer& peer(int rank) noexcept { return peers_[static_cast<std::size_t>(rank)]; }
  void wake(int rank);

  const std::shared_ptr<fabric::Group> group_;
  const int me_;
  bool one_process_ = true;
  const std::shared_ptr<Pages> pages_;
  sim::OwnedFd device_file_;
  std::shared_ptr<fabric::RegisteredMemory> own_board_;
  std::shared_ptr<fabric::RegisteredMemory> own_memory_;
  std::vector<Peer> peers_;
  std::vector<Board> boards_;
  std::atomic<std::uint64_t> collectives_{0};
  std::mutex mutex_;  // sleepers
  std::vector<std::shared_ptr<Signal>> sleepers_;
  fabric::Process::Listener listener_ = 0;
};

}  // namespace hccl
