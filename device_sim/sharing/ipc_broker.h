// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/owned_fd.h"
#include "device_sim/sharing/ipc_guests.h"
#include "device_sim/sharing/ipc_protocol.h"

namespace sim {

/// Why another process's object could not be had.
enum class IpcStatus : std::uint32_t {
  ok,
  unknown,      // its process never had it, or took it back
  not_allowed,  // its process did not name this one
  gone,         // no such process, or it is not one that exports
  foreign,      // the process belongs to another user, or is not the one that the key names
  version,      // the two processes have versions of this library that do not fit
  broken,       // the answer makes no sense, or does not come
  busy,         // too many others connect: try again
};

class IpcError : public std::runtime_error {
 public:
  IpcError(IpcStatus status, const std::string& what) : std::runtime_error(what), status_(status) {}
  IpcStatus status() const noexcept { return status_; }

 private:
  IpcStatus status_;
};

/// An object that a process shares with others: a kind and some bytes that the layer above
/// understands, and a file.
struct IpcObject {
  std::uint32_t kind = 0;
  std::vector<std::byte> metadata;  // at most kIpcMetadata bytes
  OwnedFd file;
};

/// The objects of this process that others may ask for.
///
/// The first export starts a thread that listens at an abstract socket, whose name ends with the
/// process; so does everything here, however the process ends. Forked children have no part in it.
class IpcBroker {
 public:
  /// `nonce`: the first one to try.
  explicit IpcBroker(std::uint32_t nonce = ipc_random(kIpcNonceBits));
  ~IpcBroker();
  IpcBroker(const IpcBroker&) = delete;
  IpcBroker& operator=(const IpcBroker&) = delete;

  /// Makes an object available to the processes that allow() names. Throws IpcError(broken).
  IpcKey export_object(IpcObject object);
  /// Lets more processes import; no process may import at first. False if the key names no object.
  bool allow(IpcKey key, std::span<const pid_t> pids);
  bool allow_everybody(IpcKey key);
  /// Takes an object back; processes that have imported it keep it. False if the key names none.
  bool withdraw(IpcKey key);
  void withdraw_all();
  /// Whether `key` names an object of this broker.
  bool owns(IpcKey key) const;

  /// Asks the process that `key` names, which may be this one, with no broker needed here.
  /// `limit`: for a process that does not answer, which may be stopped. Throws IpcError.
  static IpcObject import_object(IpcKey key,
                                 std::chrono::milliseconds limit = std::chrono::seconds(10));

 private:
  struct Exported {
    IpcObject object;
    std::set<pid_t> allowed;
    bool everybody = false;
  };
  void start() REQUIRES(mutex_);
  void listen();
  void accept_one(IpcGuests& guests);
  /// False while nothing has been asked.
  bool answer(int connection);
  IpcReply reply_to(const IpcRequest& request, pid_t peer, OwnedFd& file);

  std::uint32_t nonce_;  // changes only before the first export
  mutable sim::Mutex mutex_;
  std::map<IpcKey, Exported> objects_ GUARDED_BY(mutex_);
  // Made with mutex_ before the thread starts, which then reads the descriptors without it.
  OwnedFd socket_;
  OwnedFd stop_;
  std::thread thread_;
};

}  // namespace sim
