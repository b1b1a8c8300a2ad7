// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/mappings.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "device_sim/base/error.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/memory/memory.h"
#include "tests/sim/machine.h"
#include "tests/sim/probe.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::Access;
using sim::Error;
using sim::Mappings;
using sim::Memory;
using sim::PhysicalMemory;

namespace {

constexpr std::size_t kPiece = Mappings::kGranularity;
constexpr std::size_t kPieces = 8;  // that one device has
const Mappings::Rights kEverybody{};
const Mappings::Rights kNobody{Access::none, {}};

sim::SystemConfig machine_with_room(sim::HostAccess access = sim::HostAccess::open) {
  sim::SystemConfig config = small_machine();
  config.memory_bytes = kPieces * kPiece;
  config.host_access = access;
  return config;
}

sim::Ref<PhysicalMemory> piece(Memory& memory, int device = 0, std::size_t count = 1) {
  return PhysicalMemory::allocate(memory.device(device), count * kPiece);
}

char* reserve(Memory& memory, std::size_t count) {
  return static_cast<char*>(memory.mappings().reserve(count * kPiece));
}

char* engine(const Memory& memory, const void* at) { return static_cast<char*>(memory.engine(at)); }

template <class Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const sim::MachineError& error) {
    return error.error();
  }
  return Error::none;
}

}  // namespace

TEST_CASE("reserved addresses belong to nobody until memory is mapped there", "[mappings]") {
  Memory memory(machine_with_room());
  char* const at = reserve(memory, 4);
  CHECK(memory.mappings().holds(at));
  CHECK(reinterpret_cast<std::uintptr_t>(at) % kPiece == 0);
  CHECK_FALSE(memory.find(at));
  CHECK_FALSE(memory.space_of(at));

  memory.mappings().map(at + kPiece, piece(memory, 1), kEverybody);
  CHECK_FALSE(memory.find(at + kPiece - 1));
  const auto found = memory.find(at + kPiece + 5);
  REQUIRE(found);
  CHECK(found->begin == reinterpret_cast<std::uintptr_t>(at + kPiece));
  CHECK(found->size == kPiece);
  CHECK(found->device == 1);
  CHECK_FALSE(found->restricted);
  CHECK_FALSE(memory.find(at + 2 * kPiece));
}

TEST_CASE("memory that is mapped twice has the same contents at both places", "[mappings]") {
  Memory memory(machine_with_room());
  char* const at = reserve(memory, 2);
  {
    const auto physical = piece(memory);
    memory.mappings().map(at, physical, kEverybody);
    memory.mappings().map(at + kPiece, physical, kEverybody);
  }
  CHECK(engine(memory, at)[kPiece - 1] == 0);
  std::strcpy(engine(memory, at + 100), "here");
  CHECK(std::string(engine(memory, at + kPiece + 100)) == "here");
}

TEST_CASE("in a guarded machine only the engine may touch what is mapped", "[mappings]") {
  Memory memory(machine_with_room(sim::HostAccess::guard));
  Mappings& mappings = memory.mappings();
  Probe probe;
  char* const at = reserve(memory, 2);
  mappings.map(at, piece(memory), kEverybody);
  REQUIRE(engine(memory, at) != at);
  *engine(memory, at) = 7;
  CHECK_FALSE(probe.readable(at));
  SECTION("until its pages are opened") {
    CHECK(memory.open_pages(*memory.find(at)));
    CHECK(*at == 7);
    memory.close_pages(*memory.find(at));
    CHECK_FALSE(probe.readable(at));
  }
  SECTION("which they are not while nobody has access") {
    mappings.map(at + kPiece, piece(memory), kNobody);
    CHECK_FALSE(memory.open_pages(*memory.find(at + kPiece)));
    mappings.set_access(at + kPiece, kPiece, {{0, Access::read_write}});
    CHECK(memory.open_pages(*memory.find(at + kPiece)));
    CHECK(probe.writable(at + kPiece));
  }
  SECTION("except where it is the host's") {
    char* const hosts = reserve(memory, 2);
    mappings.map(hosts, PhysicalMemory::allocate(memory.host(), kPiece / 2), kEverybody);
    CHECK(probe.writable(hosts));
    mappings.map(hosts + kPiece, PhysicalMemory::allocate(memory.host(), kPiece / 2), kNobody);
    CHECK_FALSE(probe.writable(hosts + kPiece));
    mappings.set_access(hosts + kPiece, kPiece / 2, {{sim::kHostDevice, Access::read_write}});
    CHECK(probe.writable(hosts + kPiece));
  }
  SECTION("and nobody after it was unmapped, but work in flight does no harm") {
    mappings.unmap(at);
    CHECK_FALSE(probe.readable(at));
    CHECK(*engine(memory, at) == 0);
    *engine(memory, at) = 3;
  }
}

TEST_CASE("in an open machine memory without access opens with the first right", "[mappings]") {
  Memory memory(machine_with_room());
  Probe probe;
  char* const at = reserve(memory, 1);
  memory.mappings().map(at, piece(memory), kNobody);
  CHECK(memory.find(at)->restricted);
  CHECK_FALSE(probe.readable(at));
  memory.mappings().set_access(at, kPiece, {{1, Access::read}});
  CHECK(probe.readable(at));
  const Mappings::Rights rights = memory.mappings().rights(at + 1);
  CHECK(rights.of(0) == Access::none);
  CHECK(rights.of(1) == Access::read);
  memory.mappings().set_access(at, kPiece, {{1, Access::none}});
  CHECK(memory.mappings().rights(at).of(1) == Access::none);
  CHECK(error_of([&] { memory.mappings().set_access(at, kPiece / 2, {}); }) == Error::not_found);
  CHECK(error_of([&] { memory.mappings().set_access(at + 1, kPiece, {}); }) == Error::not_found);
}

TEST_CASE("a look-up that was kept is forgotten when a mapping changes", "[mappings]") {
  Memory memory(machine_with_room());
  char* const at = reserve(memory, 1);
  memory.mappings().map(at, piece(memory), kEverybody);
  for (int i = 0; i < 3; ++i) CHECK_FALSE(memory.find(at)->restricted);
  memory.mappings().set_access(at, kPiece, {{0, Access::read}});
  CHECK(memory.find(at)->restricted);
  std::thread([&] { memory.mappings().unmap(at); }).join();
  CHECK_FALSE(memory.find(at));
}

TEST_CASE("mapping keeps to free places of one reservation", "[mappings]") {
  Memory memory(machine_with_room());
  Mappings& mappings = memory.mappings();
  char* const at = reserve(memory, 4);
  const auto two = piece(memory, 0, 2);
  mappings.map(at + kPiece, two, kEverybody);
  const auto refused = [&](void* where, const sim::Ref<PhysicalMemory>& what) {
    return error_of([&] { mappings.map(where, what, kEverybody); }) == Error::invalid_argument;
  };
  CHECK(refused(at, two));
  CHECK(refused(at + 2 * kPiece, two));
  CHECK(refused(at + 3 * kPiece, two));
  CHECK(refused(at + 3 * kPiece + 4096, piece(memory)));
  CHECK(refused(at + 3 * kPiece, piece(memory, 1)));
  CHECK(refused(at + 4 * kPiece, piece(memory)));
  CHECK(refused(nullptr, two));
  CHECK(refused(memory.device(0).allocate(64, 64), two));
  mappings.map(at, piece(memory), kEverybody);
  mappings.map(at + 3 * kPiece, piece(memory), kEverybody);
  CHECK(mappings.live().size() == 3);
}

TEST_CASE("a reservation ends when nothing is mapped in it any more", "[mappings]") {
  Memory memory(machine_with_room());
  Mappings& mappings = memory.mappings();
  char* const at = reserve(memory, 2);
  mappings.map(at + kPiece, piece(memory), kEverybody);
  const auto release = [&](void* where) { return error_of([&] { mappings.release(where); }); };
  CHECK(release(at) == Error::invalid_argument);
  CHECK(error_of([&] { mappings.unmap(at); }) == Error::not_found);
  CHECK(error_of([&] { mappings.unmap(at + kPiece + 1); }) == Error::not_found);
  mappings.unmap(at + kPiece);
  CHECK(release(at + kPiece) == Error::invalid_argument);
  CHECK(release(at) == Error::none);
  CHECK(release(at) == Error::invalid_argument);
  CHECK(mappings.reservation_count() == 0);
}

TEST_CASE("addresses that were released are reserved again, without what was there", "[mappings]") {
  Memory memory(machine_with_room());
  Mappings& mappings = memory.mappings();
  Probe probe;
  char* const at = reserve(memory, 1);
  mappings.map(at, piece(memory), kEverybody);
  mappings.unmap(at);
  sim::device_fill(engine(memory, at), 1, 1);  // late work
  mappings.release(at);
  REQUIRE(reserve(memory, 1) == at);
  CHECK_FALSE(probe.readable(at));
}

TEST_CASE("a reservation can be asked for at an address", "[mappings]") {
  Memory memory(machine_with_room());
  Mappings& mappings = memory.mappings();
  char* const base = static_cast<char*>(mappings.begin());
  CHECK(mappings.reserve(3 * kPiece, base + 4 * kPiece) == base + 4 * kPiece);
  const auto error_at = [&](char* at) { return error_of([&] { mappings.reserve(kPiece, at); }); };
  CHECK(error_at(base + 6 * kPiece) == Error::out_of_memory);
  CHECK(error_at(base + 1) == Error::invalid_argument);
  CHECK(error_at(base - kPiece) == Error::invalid_argument);
  CHECK(error_at(base + mappings.bytes()) == Error::invalid_argument);
  CHECK(error_at(base + 7 * kPiece) == Error::none);
  CHECK(error_of([&] { mappings.reserve(mappings.bytes()); }) == Error::out_of_memory);
  CHECK(error_of([&] { mappings.reserve(~std::size_t{0}); }) == Error::out_of_memory);
  if (!sim::kSanitized) {
    CHECK(reinterpret_cast<std::uintptr_t>(base) == std::uintptr_t{16} << 40);
  }
}

TEST_CASE("physical memory counts against its device for as long as it is used", "[mappings]") {
  Memory memory(machine_with_room());
  char* const at = reserve(memory, kPieces);
  {
    const auto most = piece(memory, 0, kPieces - 1);
    CHECK(memory.device(0).used() == (kPieces - 1) * kPiece);
    CHECK(error_of([&] { piece(memory, 0, 2); }) == Error::out_of_memory);
    CHECK(error_of([&] { memory.device(0).allocate(kPiece + 64, 64); }) == Error::out_of_memory);
    memory.mappings().map(at, most, kEverybody);
  }
  CHECK(memory.device(0).used() == (kPieces - 1) * kPiece);
  memory.mappings().unmap(at);
  CHECK(memory.device(0).used() == 0);
}

TEST_CASE("physical memory counts against the host's share", "[mappings]") {
  sim::SystemConfig config = machine_with_room();
  config.memory_budget_bytes = 3 * kPiece;
  Memory memory(config);
  const auto first = piece(memory, 0, 2);
  CHECK(error_of([&] { piece(memory, 1, 2); }) == Error::out_of_memory);
  CHECK(memory.device(1).used() == 0);
}

TEST_CASE("a forked child has neither the mappings nor the files of its parent", "[mappings]") {
  Memory memory(machine_with_room());
  char* const at = reserve(memory, 1);
  const auto physical = piece(memory);
  memory.mappings().map(at, physical, kEverybody);
  Probe probe;
  REQUIRE(probe.readable(at));
  const int file = physical->file().get();
  const pid_t child = fork();
  if (child == 0) _exit(probe.readable(at) || fcntl(file, F_GETFD) != -1 ? 1 : 0);
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(fcntl(file, F_GETFD) == FD_CLOEXEC);
}

TEST_CASE("memory of another process is taken for what its file is", "[mappings]") {
  Memory memory(machine_with_room());
  const auto adopt = [](sim::OwnedFd file, std::size_t offset, std::size_t size) {
    return error_of([&] { PhysicalMemory::adopt(std::move(file), offset, size, 0); });
  };
  const auto file = [] { return sim::make_memory_file("other", 2 * kPiece); };
  CHECK(adopt(file(), 0, 2 * kPiece) == Error::none);
  CHECK(adopt(file(), kPiece, kPiece) == Error::none);
  CHECK(adopt(file(), 0, 2 * kPiece + 1) == Error::invalid_argument);
  CHECK(adopt(file(), 4 * kPiece, 1) == Error::invalid_argument);
  CHECK(adopt(file(), 1, kPiece) == Error::invalid_argument);
  CHECK(adopt(sim::OwnedFd(open("/dev/zero", O_RDWR | O_CLOEXEC)), 0, 1) ==
        Error::invalid_argument);
  CHECK(adopt(sim::OwnedFd(), 0, 1) == Error::invalid_argument);

  char* const at = reserve(memory, 2);
  memory.mappings().map(at, PhysicalMemory::adopt(file(), 0, kPiece, 0), kEverybody);
  CHECK(memory.device(0).used() == 0);
  CHECK(error_of([&] { memory.mappings().map(at + kPiece, piece(memory), kEverybody); }) ==
        Error::invalid_argument);
}

TEST_CASE("a part of a file starts where the rest of its first page ends", "[mappings]") {
  Memory memory(machine_with_room());
  auto file = sim::make_memory_file("other", kPiece);
  const auto part = PhysicalMemory::adopt(std::move(file), 4096, 8192, 1);
  char* const at = reserve(memory, 1);
  memory.mappings().map(at, part, kEverybody, nullptr, 100, 5000);
  CHECK_FALSE(memory.find(at + 99));
  CHECK(memory.find(at + 100)->size == 5000);
  CHECK_FALSE(memory.find(at + 5100));
  CHECK(error_of([&] { memory.mappings().unmap(at); }) == Error::not_found);
  memory.mappings().unmap(at + 100);
}

TEST_CASE("many pieces of memory use as many files as the process may have at most", "[mappings]") {
  sim::SystemConfig config = machine_with_room();
  config.memory_bytes = std::size_t{2000} * 4096;
  Memory memory(config);
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = before;
  few.rlim_cur = 64;
  setrlimit(RLIMIT_NOFILE, &few);
  std::vector<sim::Ref<PhysicalMemory>> pieces;
  for (int i = 0; i < 500; ++i) {
    pieces.push_back(PhysicalMemory::allocate(memory.device(0), 4096));
  }
  CHECK(memory.device(0).used() == std::size_t{500} * 4096);
  setrlimit(RLIMIT_NOFILE, &before);
}
