// SPDX-License-Identifier: Apache-2.0
#include "device_sim/sharing/ipc_broker.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <thread>
#include <vector>

#include "tests/sim/ipc_world.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/waiting.h"

using namespace ipc_world;
using support::RunningChild;

// ---- keys
// ------------------------------------------------------------------------------------------

TEST_CASE("a key holds a process, its number and an object", "[ipc]") {
  const sim::IpcKeyParts all{(1 << 22) - 1, (1u << 18) - 1, (1u << 24) - 1};
  CHECK(sim::make_ipc_key(all) == ~IpcKey{0});
  const sim::IpcKeyParts parts = sim::parts_of(sim::make_ipc_key({12345, 678, 90}));
  CHECK(parts.pid == 12345);
  CHECK(parts.nonce == 678);
  CHECK(parts.object == 90);
}

// ---- one process
// -----------------------------------------------------------------------------------

TEST_CASE("what was exported is imported with its kind, bytes and file", "[ipc]") {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello", 9, 100));
  const pid_t self[] = {getpid()};
  REQUIRE(broker.allow(key, self));
  const IpcObject object = IpcBroker::import_object(key);
  CHECK(object.kind == 9);
  CHECK(object.metadata == std::vector<std::byte>(100, std::byte{42}));
  CHECK(text_in(object.file) == "hello");
  CHECK(fcntl(object.file.get(), F_GETFD) == FD_CLOEXEC);
}

TEST_CASE("a broker whose name is taken draws another one", "[ipc]") {
  constexpr std::uint32_t kNonce = 4711;
  IpcBroker first(kNonce), second(kNonce);
  const IpcKey one = first.export_object(object_with("one"));
  const IpcKey two = second.export_object(object_with("two"));
  CHECK(sim::parts_of(one).nonce == kNonce);
  CHECK(sim::parts_of(two).nonce != kNonce);
  REQUIRE(first.allow_everybody(one));
  REQUIRE(second.allow_everybody(two));
  CHECK(text_in(IpcBroker::import_object(one).file) == "one");
  CHECK(text_in(IpcBroker::import_object(two).file) == "two");
}

TEST_CASE("an object is for the processes that were allowed", "[ipc]") {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello"));
  std::string text;
  CHECK(status_of(key, &text) == IpcStatus::not_allowed);
  CHECK(text.find(std::to_string(getpid())) != std::string::npos);
  const pid_t others[] = {1, getppid()};
  REQUIRE(broker.allow(key, others));
  CHECK(status_of(key) == IpcStatus::not_allowed);
  SECTION("one by one") {
    const pid_t self[] = {getpid()};
    REQUIRE(broker.allow(key, self));
  }
  SECTION("or all of them") { REQUIRE(broker.allow_everybody(key)); }
  CHECK(status_of(key) == IpcStatus::ok);
}

TEST_CASE("an object that was taken back is unknown", "[ipc]") {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello"));
  const IpcKey other = broker.export_object(object_with("other"));
  REQUIRE(key != other);
  broker.allow_everybody(key);
  const IpcObject kept = IpcBroker::import_object(key);
  CHECK(broker.owns(key));
  CHECK(broker.withdraw(key));
  CHECK_FALSE(broker.owns(key));
  CHECK_FALSE(broker.withdraw(key));
  CHECK_FALSE(broker.allow_everybody(key));
  CHECK_FALSE(broker.allow(key, {}));
  CHECK(status_of(key) == IpcStatus::unknown);
  CHECK(text_in(kept.file) == "hello");
  CHECK(broker.owns(other));
  broker.withdraw_all();
  CHECK_FALSE(broker.owns(other));
}

TEST_CASE("keys that were made up lead nowhere", "[ipc]") {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello"));
  broker.allow_everybody(key);
  CHECK(status_of(0) == IpcStatus::unknown);
  CHECK(status_of(changed(key, [](auto& parts) { parts.object ^= 1; })) == IpcStatus::unknown);
  CHECK(status_of(changed(key, [](auto& parts) { parts.object = 0; })) == IpcStatus::unknown);
  CHECK(status_of(changed(key, [](auto& parts) { parts.nonce ^= 1; })) == IpcStatus::gone);
  CHECK(status_of(changed(key, [](auto& parts) { parts.pid = 1; })) == IpcStatus::gone);
  CHECK(status_of(changed(key, [](auto& parts) { parts.pid = (1 << 22) - 1; })) == IpcStatus::gone);
  CHECK(status_of(~IpcKey{0}) == IpcStatus::gone);
}

TEST_CASE("a broker that is gone answers no more", "[ipc]") {
  IpcKey key = 0;
  {
    IpcBroker broker;
    key = broker.export_object(object_with("hello"));
    broker.allow_everybody(key);
    CHECK(status_of(key) == IpcStatus::ok);
  }
  CHECK(status_of(key) == IpcStatus::gone);
}

TEST_CASE("an object needs a file and few bytes", "[ipc]") {
  IpcBroker broker;
  CHECK_THROWS_AS(broker.export_object({1, {}, {}}), sim::IpcError);
  CHECK_THROWS_AS(broker.export_object(object_with("hello", 1, sim::kIpcMetadata + 1)),
                  sim::IpcError);
  const IpcKey key = broker.export_object(object_with("hello", 1, sim::kIpcMetadata));
  broker.allow_everybody(key);
  CHECK(IpcBroker::import_object(key).metadata.size() == sim::kIpcMetadata);
}

TEST_CASE("sharing leaves no files open", "[ipc]") {
  const std::size_t before = open_files();
  {
    IpcBroker broker;
    const IpcKey key = broker.export_object(object_with("hello"));
    const IpcKey closed = broker.export_object(object_with("closed"));
    broker.allow_everybody(key);
    for (int i = 0; i < 50; ++i) {
      CHECK(status_of(key) == IpcStatus::ok);
      CHECK(status_of(closed) == IpcStatus::not_allowed);
    }
  }
  CHECK(open_files() == before);
}

TEST_CASE("threads export, import and withdraw side by side", "[ipc]") {
  IpcBroker broker;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 30; ++i) {
        const IpcKey key = broker.export_object(object_with("hello"));
        broker.allow_everybody(key);
        if (status_of(key) != IpcStatus::ok) ++wrong;
        if (!broker.withdraw(key) || status_of(key) != IpcStatus::unknown) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

// ---- partners that misbehave
// -----------------------------------------------------------------------

TEST_CASE("a guest that says nothing, or nonsense, holds nobody up", "[ipc]") {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello"));
  broker.allow_everybody(key);
  const sim::OwnedFd silent = connected_to(key);
  const sim::OwnedFd noisy = connected_to(key);
  REQUIRE(write(noisy.get(), "x", 1) == 1);
  { const sim::OwnedFd short_lived = connected_to(key); }
  CHECK(status_of(key) == IpcStatus::ok);
  char byte = 0;
  CHECK(read(noisy.get(), &byte, 1) == 0);  // hung up on
  sim::IpcReply reply{};                    // after a while
  REQUIRE(sim::ipc_receive(silent.get(), &reply, sizeof reply) == sizeof reply);
  CHECK(reply.status == static_cast<std::uint32_t>(IpcStatus::busy));
  CHECK(read(silent.get(), &byte, 1) == 0);
}

TEST_CASE("a request of another version is answered with one's own", "[ipc]") {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello"));
  broker.allow_everybody(key);
  const sim::OwnedFd connection = connected_to(key);
  const sim::IpcRequest request{sim::kIpcMagic, sim::kIpcVersion + 1, key};
  REQUIRE(sim::ipc_send(connection.get(), &request, sizeof request, -1));
  sim::IpcReply reply{};
  int file = -1;
  REQUIRE(sim::ipc_receive(connection.get(), &reply, sizeof reply, &file) == sizeof reply);
  CHECK(file == -1);
  CHECK(reply.version == sim::kIpcVersion);
  CHECK(reply.status == static_cast<std::uint32_t>(IpcStatus::version));
}

TEST_CASE("answers that make no sense are refused", "[ipc]") {
  const IpcKey key = own_key();
  sim::IpcReply reply;
  std::size_t size = sizeof reply;
  IpcStatus wanted = IpcStatus::broken;
  SECTION("of another protocol") { reply.magic = 1; }
  SECTION("cut off") { size = 12; }
  SECTION("empty, as of one that ends") {
    size = 0;
    wanted = IpcStatus::gone;
  }
  SECTION("with more bytes than fit") { reply.metadata_size = sim::kIpcMetadata + 1; }
  SECTION("without the file") {}
  SECTION("of another version") {
    reply.version = 77;
    size = 8;
    wanted = IpcStatus::version;
  }
  const FakeOwner owner(key, {bytes_of(reply, size)});
  std::string text;
  CHECK(status_of(key, &text) == wanted);
  if (wanted == IpcStatus::version) CHECK(text.find("77") != std::string::npos);
}

TEST_CASE("an importer that was sent away asks again", "[ipc]") {
  const IpcKey key = own_key();
  const std::string busy = bytes_of(reply_with(IpcStatus::busy));
  const FakeOwner owner(key, {busy, busy, bytes_of(reply_with(IpcStatus::not_allowed))});
  CHECK(status_of(key) == IpcStatus::not_allowed);
}

// ---- several processes
// -----------------------------------------------------------------------------

CHILD_PROGRAM(ipc_exporter) {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("from the child"));
  say(std::to_string(key));
  for (;;) {
    const std::string line = hear();
    if (line.empty()) return 0;
    const pid_t pids[] = {static_cast<pid_t>(std::stol(line))};
    say(broker.allow(key, pids) ? "allowed" : "refused");
  }
}

CHILD_PROGRAM(ipc_importer) {
  for (;;) {
    const std::string line = hear();
    if (line.empty()) return 0;
    try {
      const IpcObject object = IpcBroker::import_object(std::stoull(line));
      say(text_in(object.file));
    } catch (const sim::IpcError& error) {
      say("status " + std::to_string(static_cast<int>(error.status())));
    }
  }
}

TEST_CASE("another process imports when it is allowed", "[ipc]") {
  RunningChild exporter("ipc_exporter");
  RunningChild friendly("ipc_importer");
  RunningChild stranger("ipc_importer");
  const std::string key = exporter.hear();
  const std::string refused = "status " + std::to_string(static_cast<int>(IpcStatus::not_allowed));
  CHECK(friendly.ask(key) == refused);
  CHECK(exporter.ask(std::to_string(friendly.pid())) == "allowed");
  CHECK(friendly.ask(key) == "from the child");
  CHECK(stranger.ask(key) == refused);
  CHECK(status_of(std::stoull(key)) == IpcStatus::not_allowed);
}

TEST_CASE("the death of the exporter leaves importers what they have", "[ipc]") {
  RunningChild exporter("ipc_exporter");
  const IpcKey key = std::stoull(exporter.hear());
  REQUIRE(exporter.ask(std::to_string(getpid())) == "allowed");
  const IpcObject object = IpcBroker::import_object(key);
  exporter.kill();
  CHECK(text_in(object.file) == "from the child");
  CHECK(status_of(key) == IpcStatus::gone);
}

TEST_CASE("the death of an importer does not disturb the exporter", "[ipc]") {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("hello"));
  broker.allow_everybody(key);
  for (int i = 0; i < 5; ++i) {
    RunningChild importer("ipc_importer");
    if (i % 2 == 0) {
      CHECK(importer.ask(std::to_string(key)) == "hello");
    } else {
      importer.say(std::to_string(key));
    }
    importer.kill();
  }
  CHECK(status_of(key) == IpcStatus::ok);
}

// The child's child has nothing to do with sharing, and lives on.
CHILD_PROGRAM(ipc_exporter_that_forks) {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("from the child"));
  broker.allow_everybody(key);
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  say(std::to_string(key));
  say(std::to_string(child));
  hear();
  return 0;
}

TEST_CASE("a forked child does not keep its dead parent's place", "[ipc]") {
  RunningChild exporter("ipc_exporter_that_forks");
  const IpcKey key = std::stoull(exporter.hear());
  const auto grandchild = static_cast<pid_t>(std::stol(exporter.hear()));
  CHECK(status_of(key) == IpcStatus::ok);
  exporter.kill();
  CHECK(kill(grandchild, 0) == 0);
  CHECK(status_of(key) == IpcStatus::gone);
  kill(grandchild, SIGKILL);
}

// Takes the name of its parent.
CHILD_PROGRAM(ipc_impostor) {
  const IpcKey key = std::stoull(hear());
  const FakeOwner owner(key, {bytes_of({})});
  say("listening");
  return 0;
}

TEST_CASE("a process that answers in the name of another is not believed", "[ipc]") {
  const IpcKey key = own_key();
  RunningChild impostor("ipc_impostor");
  REQUIRE(impostor.ask(std::to_string(key)) == "listening");
  std::string text;
  CHECK(status_of(key, &text) == IpcStatus::foreign);
  CHECK(text.find(std::to_string(impostor.pid())) != std::string::npos);
}

// Has no descriptor left when a request arrives.
CHILD_PROGRAM(ipc_exporter_without_files) {
  IpcBroker broker;
  const IpcKey key = broker.export_object(object_with("from the child"));
  broker.allow_everybody(key);
  say(std::to_string(key));
  hear();
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  say("no files");
  hear();
  const std::clock_t start = std::clock();
  support::let_time_pass(std::chrono::milliseconds(200));
  say(std::to_string((std::clock() - start) * 1000 / CLOCKS_PER_SEC));
  hear();
  setrlimit(RLIMIT_NOFILE, &before);
  say("files again");
  hear();
  return 0;
}

TEST_CASE("a process without free descriptors does not spin, and answers when it has some",
          "[ipc]") {
  RunningChild exporter("ipc_exporter_without_files");
  const IpcKey key = std::stoull(exporter.hear());
  REQUIRE(exporter.ask("go") == "no files");
  IpcStatus status = IpcStatus::broken;
  std::thread importer([&] { status = status_of(key); });
  CHECK(std::stol(exporter.ask("measure")) < 100);
  CHECK(exporter.ask("restore") == "files again");
  importer.join();
  CHECK(status == IpcStatus::ok);
}
