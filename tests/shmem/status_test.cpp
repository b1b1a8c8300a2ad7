// SPDX-License-Identifier: Apache-2.0
// The states of init, and the alignment of addresses.
#include <dlfcn.h>

#include <thread>

#include "tests/shmem/world.h"

using namespace shmemtest;
using catch_compat::ContainsSubstring;

namespace {

/// The behaviour of the last step of init before the second barrier.
enum class Step { usual, waits_for_a_line, fails };
Step step = Step::usual;

}  // namespace

// Replaces the function of the runtime: init calls it to make its stream, after the heap is made.
extern "C" __attribute__((visibility("default"))) aclError aclrtCreateStream(aclrtStream* stream) {
  static auto* const real =
      reinterpret_cast<decltype(&aclrtCreateStream)>(dlsym(RTLD_NEXT, "aclrtCreateStream"));
  if (step == Step::fails) return ACL_ERROR_RT_STREAM_NO_CB_REG;
  if (step == Step::waits_for_a_line) {
    std::cout << "late " << aclshmemx_init_status() << std::endl;
    std::string line;
    std::getline(std::cin, line);
  }
  return real(stream);
}

CHILD_PROGRAM(shmem_says_status) {
  return as_pe([] {
    const int me = number("TEST_PE");
    expect(aclrtSetDevice(0) == ACL_SUCCESS, "no device");
    expect(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED, "before init");
    if (me == 1) step = number("TEST_FAILS") ? Step::fails : Step::waits_for_a_line;
    std::atomic<int> code{1};
    std::thread thread([&] {
      aclrtSetDevice(0);
      auto attr = attributes(me, 2, address_of(number("TEST_PORT")));
      code = aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr);
    });
    if (me == 0 && !number("TEST_FAILS")) {
      const auto created = [] { return aclshmemx_init_status() == ACLSHMEM_STATUS_SHM_CREATED; };
      const bool seen =
          support::eventually(created, support::kDeadline, std::chrono::milliseconds(1));
      std::cout << (seen ? "created" : "never created") << std::endl;
    }
    thread.join();
    if (number("TEST_FAILS")) {
      expect(code != 0, "init went well");
      expect(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED, "after a failed init");
      return;
    }
    expect(code == 0, "init failed");
    expect(aclshmemx_init_status() == ACLSHMEM_STATUS_IS_INITIALIZED, "after init");
    expect(aclshmem_finalize() == 0, message());
    expect(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED, "after finalize");
  });
}

TEST_CASE("init tells when the heap is made and another PE is late", "[shmem][init]") {
  Job job("shmem_says_status", 2);
  CHECK(job.processes[1]->hear() == "late 1");
  CHECK(job.processes[0]->hear() == "created");
  job.processes[1]->say("go on");
  job.check_all_say("ok");
}

TEST_CASE("an init that fails behind the heap leaves nothing initialised", "[shmem][init][fail]") {
  Job("shmem_says_status", 2, {{"TEST_FAILS", "1"}}).check_all_say("ok");
}

CHILD_PROGRAM(shmem_aligns) {
  return as_pe([] {
    const InJob job(std::size_t{64} << 20);
    auto* const words = static_cast<std::uint64_t*>(aclshmem_calloc(2, 8));
    for (std::size_t mib = 4; mib <= 32; mib *= 2) {
      const std::size_t alignment = mib << 20;
      for (const aclshmem_mem_type_t side : {DEVICE_SIDE, HOST_SIDE}) {
        void* const at = aclshmemx_align(alignment, 64, side);
        expect(at != nullptr, message());
        const auto address = reinterpret_cast<std::uintptr_t>(at);
        expect(address % alignment == 0, fmt::format("{:#x} for {} MiB", address, mib));
        auto* const begin = static_cast<char*>(aclshmemx_get_heap_base(side));
        aclshmem_uint64_p(words, static_cast<char*>(at) - begin, 1 - job.me);
        aclshmem_barrier_all();
        expect(read(words, 1)[0] == static_cast<std::uint64_t>(static_cast<char*>(at) - begin),
               "the PEs have it at different places");
        aclshmemx_free(at, side);
      }
    }
    expect(aclshmem_finalize() == 0, message());
  });
}

TEST_CASE("addresses have the alignment that was asked for, at the same place of each PE",
          "[shmem][heap]") {
  Job("shmem_aligns", 2).check_all_say("ok");
}
