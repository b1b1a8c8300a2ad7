// SPDX-License-Identifier: Apache-2.0
#include "device_sim/sharing/ipc_broker.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/base/thread.h"

namespace sim {
namespace {

constexpr std::chrono::seconds kBusyPatience{10};
constexpr std::chrono::milliseconds kBusyPause{1};
constexpr int kBacklog = 128;
constexpr int kDraws = 100;
constexpr std::chrono::milliseconds kNoFiles{20};  // before the next try for a descriptor

[[noreturn]] void fail_with_errno(IpcStatus status, const char* what) {
  throw IpcError(status, std::string(what) + ": " + std::strerror(errno));
}

std::string describe(IpcStatus status, pid_t pid, std::uint32_t their_version) {
  const std::string process = "process " + std::to_string(pid);
  switch (status) {
    case IpcStatus::unknown:
      return process + " does not share this object (any more)";
    case IpcStatus::not_allowed:
      return process + " has not allowed process " + std::to_string(getpid()) + " to import it";
    case IpcStatus::version:
      return process + " speaks version " + std::to_string(their_version) +
             " of the sharing protocol, this process version " + std::to_string(kIpcVersion);
    case IpcStatus::foreign:
      return process + " belongs to another user";
    case IpcStatus::busy:
      return process + " is kept busy by others that connect to it";
    default:
      return process + " gave an answer that makes no sense";
  }
}

[[noreturn]] void fail_without_answer(const IpcKeyParts& owner) {
  throw IpcError(IpcStatus::broken, "process " + std::to_string(owner.pid) + " does not answer");
}

timeval time_of(std::chrono::milliseconds time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return {seconds.count(), std::chrono::microseconds(time - seconds).count()};
}

OwnedFd connect_to(const IpcKeyParts& owner, std::chrono::milliseconds limit) {
  OwnedFd connection(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!connection) fail_with_errno(IpcStatus::broken, "cannot make a socket");
  const timeval patience = time_of(limit);
  setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(connection.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const IpcAddress to = ipc_address(owner.pid, owner.nonce);
  int result = 0;
  do {
    result = connect(connection.get(), reinterpret_cast<const sockaddr*>(&to.address), to.size);
  } while (result != 0 && errno == EINTR);
  // A stopped process accepts no connection, and other processes may have filled its queue.
  if (result != 0 && (errno == EAGAIN || errno == ETIMEDOUT)) fail_without_answer(owner);
  if (result != 0) {
    throw IpcError(IpcStatus::gone, "process " + std::to_string(owner.pid) +
                                        " has ended, or never shared anything under this key");
  }
  // Any process may bind a name that is free, so the peer must be the one that the key names.
  const ucred peer = ipc_peer(connection.get());
  if (peer.pid == owner.pid && peer.uid != geteuid()) {
    throw IpcError(IpcStatus::foreign, describe(IpcStatus::foreign, owner.pid, 0));
  }
  if (peer.pid != owner.pid) {
    throw IpcError(IpcStatus::foreign, "process " + std::to_string(peer.pid) +
                                           " answers in the name of process " +
                                           std::to_string(owner.pid));
  }
  return connection;
}

}  // namespace

// ---- the side that imports ----

namespace {

struct Answer {
  ssize_t size = -1;  // 0: the connection was closed; -1: no answer came
  IpcReply reply;
  OwnedFd file;
};

Answer ask(IpcKey key, const IpcKeyParts& owner, std::chrono::milliseconds limit) {
  const OwnedFd connection = connect_to(owner, limit);
  IpcRequest request;
  request.key = key;
  Answer answer;
  const bool sent = ipc_send(connection.get(), &request, sizeof request, -1);
  const bool closed = !sent && (errno == EPIPE || errno == ECONNRESET);
  if (!sent && !closed) return answer;
  // If the owner refused this process before the request was sent, its answer can still be read. A
  // child that the owner has just forked keeps the connection open until it runs, and then closes
  // it.
  int received = -1;
  answer.size = ipc_receive(connection.get(), &answer.reply, sizeof answer.reply, &received);
  if (answer.size < 0 && (closed || errno == ECONNRESET)) answer.size = 0;
  answer.file = OwnedFd(received);
  return answer;
}

IpcStatus status_of(const Answer& answer) {
  const IpcReply& reply = answer.reply;
  const auto size = static_cast<std::size_t>(answer.size);
  if (size < 2 * sizeof(std::uint32_t) || reply.magic != kIpcMagic) return IpcStatus::broken;
  if (reply.version != kIpcVersion) return IpcStatus::version;
  if (size != sizeof reply || reply.metadata_size > kIpcMetadata) return IpcStatus::broken;
  const auto status = static_cast<IpcStatus>(reply.status);
  return status == IpcStatus::ok && !answer.file ? IpcStatus::broken : status;
}

}  // namespace

IpcObject IpcBroker::import_object(IpcKey key, std::chrono::milliseconds limit) {
  const IpcKeyParts owner = parts_of(key);
  if (owner.pid <= 0 || owner.nonce == 0 || owner.object == 0) {
    throw IpcError(IpcStatus::unknown, "it is no key");
  }
  const auto end = std::chrono::steady_clock::now() + kBusyPatience;
  for (;;) {
    Answer answer = ask(key, owner, limit);
    if (answer.size < 0) fail_without_answer(owner);
    if (answer.size == 0) {
      throw IpcError(IpcStatus::gone,
                     "process " + std::to_string(owner.pid) + " ended before it answered");
    }
    const IpcStatus status = status_of(answer);
    if (status == IpcStatus::busy && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(kBusyPause);
      continue;
    }
    if (status != IpcStatus::ok) {
      throw IpcError(status, describe(status, owner.pid, answer.reply.version));
    }
    const auto first = answer.reply.metadata.begin();
    return {answer.reply.kind, {first, first + answer.reply.metadata_size}, std::move(answer.file)};
  }
}

// ---- the side that exports ----

namespace {

/// It may just be about to ask.
void send_away(const IpcGuests::Guest& guest) {
  IpcReply reply;
  reply.status = static_cast<std::uint32_t>(IpcStatus::busy);
  ipc_send(guest.connection.get(), &reply, sizeof reply, -1);
}

}  // namespace

IpcBroker::IpcBroker(std::uint32_t nonce) : nonce_(nonce) {}

IpcBroker::~IpcBroker() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(stop_.get(), &one, sizeof one);
  thread_.join();
}

void IpcBroker::start() {
  if (thread_.joinable()) return;
  OwnedFd stop(eventfd(0, EFD_CLOEXEC));
  OwnedFd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto bound = [&] {
    const IpcAddress at = ipc_address(getpid(), nonce_);
    return bind(socket.get(), reinterpret_cast<const sockaddr*>(&at.address), at.size) == 0;
  };
  bool named = stop && socket && bound();
  // Another broker of the process may have drawn the same number.
  for (int tries = 0; !named && socket && errno == EADDRINUSE && tries < kDraws; ++tries) {
    nonce_ = ipc_random(kIpcNonceBits);
    named = bound();
  }
  if (!named || ::listen(socket.get(), kBacklog) != 0) {
    fail_with_errno(IpcStatus::broken, "cannot listen for other processes");
  }
  std::swap(socket_, socket);
  std::swap(stop_, stop);
  try {
    thread_ = start_thread(Signals::blocked, [this] { listen(); });
  } catch (...) {
    socket_.reset();  // the next export tries again, at the same address
    throw;
  }
}

IpcKey IpcBroker::export_object(IpcObject object) {
  if (object.metadata.size() > kIpcMetadata || !object.file) {
    throw IpcError(IpcStatus::broken,
                   "an object needs a file and at most " + std::to_string(kIpcMetadata) + " bytes");
  }
  const sim::LockGuard guard(mutex_);
  start();
  for (;;) {
    const IpcKey key = make_ipc_key({getpid(), nonce_, ipc_random(kIpcObjectBits)});
    if (objects_.count(key) != 0) continue;
    objects_[key].object = std::move(object);
    return key;
  }
}

bool IpcBroker::allow(IpcKey key, std::span<const pid_t> pids) {
  const sim::LockGuard guard(mutex_);
  const auto it = objects_.find(key);
  if (it == objects_.end()) return false;
  it->second.allowed.insert(pids.begin(), pids.end());
  return true;
}

bool IpcBroker::allow_everybody(IpcKey key) {
  const sim::LockGuard guard(mutex_);
  const auto it = objects_.find(key);
  if (it == objects_.end()) return false;
  it->second.everybody = true;
  return true;
}

bool IpcBroker::withdraw(IpcKey key) {
  const sim::LockGuard guard(mutex_);
  return objects_.erase(key) != 0;
}

void IpcBroker::withdraw_all() {
  const sim::LockGuard guard(mutex_);
  objects_.clear();
}

bool IpcBroker::owns(IpcKey key) const {
  const sim::LockGuard guard(mutex_);
  return objects_.count(key) != 0;
}

// Answers one datagram of each peer. A peer that connects and stays silent delays no other.
void IpcBroker::listen() {
  IpcGuests guests;
  std::vector<pollfd> watched;
  for (;;) {
    watched.assign({{stop_.get(), POLLIN, 0}, {socket_.get(), POLLIN, 0}});
    for (std::size_t i = 0; i < guests.size(); ++i) {
      watched.push_back({guests[i].connection.get(), POLLIN, 0});
    }
    poll(watched.data(), watched.size(), guests.patience_ms(std::chrono::steady_clock::now()));
    if (watched[0].revents != 0) return;
    for (std::size_t i = guests.size(); i-- > 0;) {
      if (watched[i + 2].revents != 0) answer(guests.take(i).connection.get());
    }
    for (const auto& late : guests.take_late(std::chrono::steady_clock::now())) send_away(late);
    accept_one(guests);
  }
}

void IpcBroker::accept_one(IpcGuests& guests) {
  OwnedFd connection(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!connection) {
    // The peer stays in the queue, so poll would return at once. And poll itself fails where the
    // limit of open files is below the number of its descriptors.
    if (errno == EMFILE || errno == ENFILE) std::this_thread::sleep_for(kNoFiles);
    return;
  }
  const ucred peer = ipc_peer(connection.get());
  if (!ipc_may_ask(peer.uid) || answer(connection.get())) return;
  const auto leaves = guests.add(std::move(connection), peer.pid, std::chrono::steady_clock::now());
  if (leaves) send_away(*leaves);
}

bool IpcBroker::answer(int connection) {
  IpcRequest request{0, 0, 0};
  const ssize_t size = ipc_receive(connection, &request, sizeof request);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
  if (size < static_cast<ssize_t>(2 * sizeof(std::uint32_t)) || request.magic != kIpcMagic) {
    return true;
  }
  OwnedFd file;
  IpcReply reply;
  if (request.version != kIpcVersion || size != sizeof request) {
    reply.status = static_cast<std::uint32_t>(IpcStatus::version);
  } else {
    reply = reply_to(request, ipc_peer(connection).pid, file);
  }
  ipc_send(connection, &reply, sizeof reply, file.get());
  return true;
}

IpcReply IpcBroker::reply_to(const IpcRequest& request, pid_t peer, OwnedFd& file) {
  IpcReply reply;
  const sim::LockGuard guard(mutex_);
  const auto it = objects_.find(request.key);
  if (it == objects_.end()) {
    reply.status = static_cast<std::uint32_t>(IpcStatus::unknown);
    return reply;
  }
  const Exported& exported = it->second;
  if (!exported.everybody && exported.allowed.count(peer) == 0) {
    reply.status = static_cast<std::uint32_t>(IpcStatus::not_allowed);
    return reply;
  }
  try {
    file = exported.object.file.duplicate();
  } catch (const std::exception&) {  // no descriptors left
    reply.status = static_cast<std::uint32_t>(IpcStatus::broken);
    return reply;
  }
  reply.kind = exported.object.kind;
  reply.metadata_size = static_cast<std::uint32_t>(exported.object.metadata.size());
  std::copy(exported.object.metadata.begin(), exported.object.metadata.end(),
            reply.metadata.begin());
  return reply;
}

}  // namespace sim
