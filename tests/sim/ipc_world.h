// SPDX-License-Identifier: Apache-2.0
// Objects to share, connections to a broker, and owners that are none.
#pragma once

#include <dirent.h>
#include <unistd.h>

#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device_sim/sharing/ipc_broker.h"

namespace ipc_world {

using sim::IpcBroker;
using sim::IpcKey;
using sim::IpcObject;
using sim::IpcStatus;

inline constexpr std::size_t kBytes = 4096;

/// A file whose first bytes are this text.
inline sim::OwnedFd file_with(const char* text) {
  sim::OwnedFd file = sim::make_memory_file("object", kBytes);
  if (pwrite(file.get(), text, std::strlen(text) + 1, 0) < 0) throw std::runtime_error("pwrite");
  return file;
}

inline std::string text_in(const sim::OwnedFd& file) {
  char text[64] = {};
  return pread(file.get(), text, sizeof text - 1, 0) < 0 ? "unreadable" : text;
}

inline IpcObject object_with(const char* text, std::uint32_t kind = 7, std::size_t metadata = 3) {
  return {kind, std::vector<std::byte>(metadata, std::byte{42}), file_with(text)};
}

inline IpcStatus status_of(IpcKey key, std::string* text = nullptr) {
  try {
    IpcBroker::import_object(key);
    return IpcStatus::ok;
  } catch (const sim::IpcError& error) {
    if (text) *text = error.what();
    return error.status();
  }
}

inline IpcKey changed(IpcKey key, void (*change)(sim::IpcKeyParts&)) {
  sim::IpcKeyParts parts = sim::parts_of(key);
  change(parts);
  return sim::make_ipc_key(parts);
}

inline std::size_t open_files() {
  DIR* const folder = opendir("/proc/self/fd");
  std::size_t count = 0;
  while (readdir(folder)) ++count;
  closedir(folder);
  return count;
}

inline sim::OwnedFd connected_to(const IpcKey key) {
  const sim::IpcKeyParts parts = sim::parts_of(key);
  const sim::IpcAddress at = sim::ipc_address(parts.pid, parts.nonce);
  sim::OwnedFd connection(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (connect(connection.get(), reinterpret_cast<const sockaddr*>(&at.address), at.size) != 0) {
    throw std::runtime_error("connect");
  }
  return connection;
}

/// Answers requests at the address of `key`, each with the next of these rows of bytes.
class FakeOwner {
 public:
  FakeOwner(IpcKey key, std::vector<std::string> answers)
      : socket_(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)), answers_(std::move(answers)) {
    const sim::IpcKeyParts parts = sim::parts_of(key);
    const sim::IpcAddress at = sim::ipc_address(parts.pid, parts.nonce);
    if (bind(socket_.get(), reinterpret_cast<const sockaddr*>(&at.address), at.size) != 0 ||
        listen(socket_.get(), 1) != 0) {
      throw std::runtime_error("bind");
    }
    thread_ = std::thread([this] {
      for (const std::string& answer : answers_) {
        const sim::OwnedFd guest(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        sim::IpcRequest request;
        sim::ipc_receive(guest.get(), &request, sizeof request);
        sim::ipc_send(guest.get(), answer.data(), answer.size(), -1);
      }
    });
  }
  ~FakeOwner() { thread_.join(); }

 private:
  sim::OwnedFd socket_;
  std::vector<std::string> answers_;
  std::thread thread_;
};

inline std::string bytes_of(const sim::IpcReply& reply, std::size_t size = sizeof(sim::IpcReply)) {
  return {reinterpret_cast<const char*>(&reply), size};
}

inline sim::IpcReply reply_with(IpcStatus status) {
  sim::IpcReply reply;
  reply.status = static_cast<std::uint32_t>(status);
  return reply;
}

inline IpcKey own_key() { return sim::make_ipc_key({getpid(), sim::ipc_random(18), 5}); }

/// Child programs and tests communicate by lines.
inline void say(const std::string& line) { std::cout << line << std::endl; }

inline std::string hear() {
  std::string line;
  std::getline(std::cin, line);
  return line;
}

}  // namespace ipc_world
