// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/sharing/ipc_broker.h"
#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/base/identity.h"
#include "runtime/fabric/ranks/doorbell.h"
#include "runtime/fabric/store/io_thread.h"

namespace fabric {

/// Kinds of objects that processes of one host export to each other.
enum class SharedKind : std::uint32_t { page = 0x4642, event, memory };

/// The description of a process that other ranks receive.
struct ProcessCard {
  ProcessId id{};
  pid_t pid = 0;
  sim::IpcKey page = 0;
  sim::IpcKey event = 0;

  void pack(Writer& writer) const;
  static ProcessCard unpack(Reader& reader);
};

/// This process as seen by other ranks: its identity, the objects that it shares, and its doorbell.
/// All ranks that are threads of one process share it.
class Process : public std::enable_shared_from_this<Process> {
 public:
  /// Returns the object of the calling process. It lives as long as a caller holds it. A forked
  /// child gets a new one.
  static std::shared_ptr<Process> mine();
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  const ProcessCard& card() const noexcept { return card_; }
  sim::IpcBroker& broker() noexcept { return broker_; }
  const std::shared_ptr<IoThread>& io() const noexcept { return io_; }
  Doorbell& doorbell() noexcept { return *doorbell_; }

  /// `heard` is called by the I/O thread when another process rings, and by the ringing thread when
  /// a thread of this process rings. It may not block. It is not called any more after `forget` has
  /// returned.
  using Listener = std::uint64_t;
  Listener listen(std::function<void()> heard);
  void forget(Listener listener);
  /// Calls the listeners: a thread of this process has written shared memory.
  void tell();

  /// Allocates a slot of the page for one membership; see Presence.
  std::size_t take_slot();
  void give_slot(std::size_t slot);

 private:
  Process();
  struct Waiting;  // belongs to the I/O thread

  const std::shared_ptr<IoThread> io_;
  sim::IpcBroker broker_;
  std::shared_ptr<Doorbell> doorbell_;
  ProcessCard card_;
  std::shared_ptr<Waiting> waiting_;
  sim::Mutex listeners_mutex_;
  std::map<Listener, std::function<void()>> listeners_ GUARDED_BY(listeners_mutex_);
  Listener last_listener_ GUARDED_BY(listeners_mutex_) = 0;
  sim::Mutex slots_mutex_;
  std::vector<bool> slots_taken_ GUARDED_BY(slots_mutex_) = std::vector<bool>(ProcessPage::kSlots);
};

/// Another process of this host.
class PeerProcess {
 public:
  /// Returns null if the process cannot be reached through its abstract socket: it is on another
  /// host or in another network namespace, belongs to another user, or has ended. `why` then
  /// receives the reason.
  static std::shared_ptr<PeerProcess> reach(const ProcessCard& card, std::string* why = nullptr);
  PeerProcess(const ProcessCard& card, std::shared_ptr<Doorbell> doorbell, sim::OwnedFd handle)
      : card_(card), doorbell_(std::move(doorbell)), handle_(std::move(handle)) {}

  const ProcessCard& card() const noexcept { return card_; }
  Doorbell& doorbell() const noexcept { return *doorbell_; }
  /// Becomes readable when the process ends. -1 if the system does not support these descriptors.
  const sim::OwnedFd& handle() const noexcept { return handle_; }

 private:
  const ProcessCard card_;
  const std::shared_ptr<Doorbell> doorbell_;
  const sim::OwnedFd handle_;
};

}  // namespace fabric
