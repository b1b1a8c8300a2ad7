// SPDX-License-Identifier: Apache-2.0
// Processes that connect to a broker to do harm.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "tests/sim/ipc_world.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/waiting.h"

using namespace ipc_world;
using support::RunningChild;

TEST_CASE("a guest that others have pushed out is told to come again", "[ipc]") {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello"));
  broker.allow_everybody(key);
  std::vector<sim::OwnedFd> silent;
  for (std::size_t i = 0; i <= sim::IpcGuests::kMostOfOneProcess; ++i) {
    silent.push_back(connected_to(key));
  }
  sim::IpcReply reply{};
  REQUIRE(sim::ipc_receive(silent[0].get(), &reply, sizeof reply) == sizeof reply);
  CHECK(reply.status == static_cast<std::uint32_t>(IpcStatus::busy));
  CHECK(status_of(key) == IpcStatus::ok);
}

namespace {

/// Sends an object with copies of the standard files.
template <class T>
bool send_with_files(int connection, const T& object, std::size_t files) {
  const int attached[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof attached)] = {};
  iovec part{const_cast<T*>(&object), sizeof object};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = CMSG_SPACE(files * sizeof(int));
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(files * sizeof(int));
  std::memcpy(CMSG_DATA(header), attached, files * sizeof(int));
  return sendmsg(connection, &message, 0) == sizeof object;
}

}  // namespace

TEST_CASE("files that come with a request get no descriptor", "[ipc]") {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello"));
  broker.allow_everybody(key);
  CHECK(status_of(key) == IpcStatus::ok);
  const std::size_t before = open_files();
  for (const std::size_t files : {1, 2, 3}) {
    const sim::OwnedFd connection = connected_to(key);
    REQUIRE(send_with_files(connection.get(), sim::IpcRequest{}, files));
    sim::IpcReply reply{};
    CHECK(sim::ipc_receive(connection.get(), &reply, sizeof reply) == sizeof reply);
  }
  CHECK(support::eventually([&] { return open_files() <= before; }));
}

TEST_CASE("of the files that come with an answer the first is kept", "[ipc]") {
  int ends[2] = {-1, -1};
  REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  const sim::OwnedFd from(ends[0]);
  const sim::OwnedFd to(ends[1]);
  for (const std::size_t files : {1, 2, 3}) {
    const std::size_t before = open_files();
    REQUIRE(send_with_files(from.get(), sim::IpcReply{}, files));
    sim::IpcReply reply{};
    int file = -1;
    CHECK(sim::ipc_receive(to.get(), &reply, sizeof reply, &file) == sizeof reply);
    CHECK(file >= 0);
    CHECK(open_files() == before + 1);
    close(file);
  }
}

// May have few files open, and prints how many of a hundred it can open.
CHILD_PROGRAM(ipc_exporter_with_few_files) {
  const rlimit few{256, 256};
  setrlimit(RLIMIT_NOFILE, &few);
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("from the child"));
  broker.allow_everybody(key);
  say(std::to_string(key));
  while (!hear().empty()) {
    std::vector<sim::OwnedFd> opened;
    while (opened.size() < 100) {
      sim::OwnedFd file(open("/dev/null", O_RDONLY | O_CLOEXEC));
      if (!file) break;
      opened.push_back(std::move(file));
    }
    say(std::to_string(opened.size()));
  }
  return 0;
}

TEST_CASE("silent connections do not use up the process's descriptors", "[ipc]") {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlimit before = limit;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 2048);
  setrlimit(RLIMIT_NOFILE, &limit);
  RunningChild exporter("ipc_exporter_with_few_files");
  const IpcKey key = std::stoull(exporter.hear());
  std::vector<sim::OwnedFd> silent;
  while (silent.size() < 800) silent.push_back(connected_to(key));
  CHECK(exporter.ask("count") == "100");
  CHECK(status_of(key) == IpcStatus::ok);  // honest ones are served meanwhile
  CHECK(exporter.ask("count") == "100");
  silent.clear();
  setrlimit(RLIMIT_NOFILE, &before);
}

namespace {

/// Changes to another user; false if the system does not allow it.
bool become_nobody() { return setuid(65534) == 0; }

/// The answer to a request: "nothing" when the connection is closed without an answer.
std::string raw_answer(IpcKey key) {
  const sim::OwnedFd connection = connected_to(key);
  sim::IpcRequest request;
  request.key = key;
  sim::ipc_send(connection.get(), &request, sizeof request, -1);
  sim::IpcReply reply{};
  if (sim::ipc_receive(connection.get(), &reply, sizeof reply) <= 0) return "nothing";
  return "status " + std::to_string(reply.status);
}

}  // namespace

// Sends the requests of the test as another user.
CHILD_PROGRAM(ipc_other_user) {
  const IpcKey key = std::stoull(hear());
  say(become_nobody() ? raw_answer(key) : "no other user");
  return 0;
}

TEST_CASE("a process that neither accepts nor answers has not ended", "[ipc]") {
  const IpcKey key = own_key();
  const sim::IpcKeyParts parts = sim::parts_of(key);
  const sim::IpcAddress at = sim::ipc_address(parts.pid, parts.nonce);
  const sim::OwnedFd silent(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  REQUIRE(bind(silent.get(), reinterpret_cast<const sockaddr*>(&at.address), at.size) == 0);
  REQUIRE(listen(silent.get(), 1) == 0);
  const std::string expected = "process " + std::to_string(getpid()) + " does not answer";
  const auto answer = [key] {
    try {
      IpcBroker::import_object(key, std::chrono::milliseconds(20));
    } catch (const sim::IpcError& error) {
      CHECK(error.status() == IpcStatus::broken);
      return std::string(error.what());
    }
    return std::string("an object");
  };
  CHECK(answer() == expected);
  std::vector<sim::OwnedFd> waiting;  // until its queue is full
  do {
    waiting.emplace_back(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  } while (connect(waiting.back().get(), reinterpret_cast<const sockaddr*>(&at.address), at.size) ==
           0);
  REQUIRE(errno == EAGAIN);
  CHECK(answer() == expected);
}

TEST_CASE("a process of another user is refused before it can ask", "[ipc]") {
  if (geteuid() != 0) return;  // there is no other user to be had
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello"));
  broker.allow_everybody(key);
  RunningChild other("ipc_other_user");
  const std::string answer = other.ask(std::to_string(key));
  if (answer != "no other user") CHECK(answer == "nothing");
  CHECK(raw_answer(key) == "status 0");
}

// Shares something as another user.
CHILD_PROGRAM(ipc_exporter_as_other_user) {
  if (!become_nobody()) {
    say("0");
    return 0;
  }
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello"));
  broker.allow_everybody(key);
  say(std::to_string(key));
  hear();
  return 0;
}

TEST_CASE("a process of root may ask one of another user", "[ipc]") {
  if (geteuid() != 0) return;
  RunningChild exporter("ipc_exporter_as_other_user");
  const IpcKey key = std::stoull(exporter.hear());
  if (key != 0) CHECK(raw_answer(key) == "status 0");
}
