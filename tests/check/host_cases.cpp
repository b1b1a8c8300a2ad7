// SPDX-License-Identifier: Apache-2.0
// Host memory that copies use, and who else touches it.
#include <sys/mman.h>

#include "tests/check/cases.h"

using namespace world;

namespace check {
namespace {

// Reads of the host outside of calls are not seen, so the program reports them.
void host_reads_too_early(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.x);
  copy(desk.a, desk.out, desk.x);
  if (repaired) join(desk.a);
  REQUIRE_ACL(aclsimCheckRead(desk.out, kSize));
}

void host_writes_too_early(bool repaired) {
  const Desk desk;
  copy(desk.a, desk.x, desk.in);
  if (repaired) join(desk.a);
  std::memset(desk.in, 77, kSize);
  if (!repaired) join(desk.a);
}

// Samples of a large buffer do not see a single byte: the program says it.
void host_writes_a_byte_too_early(bool repaired) {
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  const Device device;
  const HostMemory in(kLarge);
  const DeviceMemory x(kLarge);
  const Stream stream;
  REQUIRE_ACL(aclrtMemcpyAsync(x, kLarge, in, kLarge, ACL_MEMCPY_DEFAULT, stream));
  if (repaired) join(stream);
  REQUIRE_ACL(aclsimCheckWrite(in.as() + 5000, 1));
  in.as()[5000] ^= 1;
}

void temporary_dies(bool repaired) {
  const Desk desk;
  void* temporary = nullptr;
  REQUIRE_ACL(aclrtMallocHost(&temporary, kSize));
  copy(desk.a, desk.x, temporary);
  if (repaired) join(desk.a);
  REQUIRE_ACL(aclrtFreeHost(temporary));
}

void pageable_memory(bool repaired) {
  const Desk desk;
  std::vector<char> ordinary(kSize);
  copy(desk.a, desk.x, repaired ? static_cast<void*>(desk.in) : ordinary.data());
}

void unregistered_under_a_copy(bool repaired) {
  void* const memory =
      mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  {
    const Desk desk;
    void* on_device = nullptr;
    REQUIRE_ACL(aclrtHostRegister(memory, kSize, ACL_HOST_REGISTER_MAPPED, &on_device));
    copy(desk.a, desk.x, memory);
    if (repaired) join(desk.a);
    REQUIRE_ACL(aclrtHostUnregister(memory));
  }
  munmap(memory, kSize);
}

void host_polls_memory(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.x);
  copy(desk.a, desk.out, desk.x);
  if (repaired) {
    REQUIRE(eventually([&] { return query(desk.a) == ACL_STREAM_STATUS_COMPLETE; }));
  }
  REQUIRE_ACL(aclsimCheckRead(desk.out, 1));
}

}  // namespace

const std::vector<Case>& host_cases() {
  static const std::vector<Case> rows{
      {"17", "the host reads the target of a copy too early", "ACL008", host_reads_too_early},
      {"18a", "the host changes the source of a copy", "ACL008", host_writes_too_early},
      {"18b", "the host changes a byte of a large source", "ACL008", host_writes_a_byte_too_early},
      {"19", "a temporary dies before its copy runs", "ACL008", temporary_dies},
      {"20", "pageable memory makes a copy synchronous", "ACL024", pageable_memory},
      {"22", "host memory is unregistered under a copy", "ACL008", unregistered_under_a_copy},
      {"23", "the host polls the memory instead of the stream", "ACL008", host_polls_memory},
  };
  return rows;
}

}  // namespace check
