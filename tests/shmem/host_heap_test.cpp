// SPDX-License-Identifier: Apache-2.0
// The heap of the host: memory that the program itself reads and writes, and other PEs too.
#include <numeric>

#include "tests/shmem/world.h"

using namespace shmemtest;
using catch_compat::ContainsSubstring;

namespace {

std::int32_t* allocate(std::size_t count) {
  auto* const words = static_cast<std::int32_t*>(aclshmemx_calloc(count, 4, HOST_SIDE));
  expect(words != nullptr, "calloc of the host: " + message());
  return words;
}

}  // namespace

CHILD_PROGRAM(shmem_host_heap) {
  return as_pe([] {
    const InJob job;
    const int right = (job.me + 1) % job.pes;
    const int left = (job.me + job.pes - 1) % job.pes;
    expect(aclshmemx_get_heap_base(HOST_SIDE) == nullptr, "a heap that nobody asked for");
    std::int32_t* const there = allocate(4096);
    std::int32_t* const here = allocate(4096);
    expect(aclshmemx_get_heap_base(HOST_SIDE) == there, "the heap begins with its first object");
    std::iota(here, here + 4096, job.me * 10000);
    // A small put, a large one, and from memory of the device.
    auto* const on_device = static_cast<std::int32_t*>(aclshmem_malloc(64));
    write(on_device, std::vector<std::int32_t>(16, job.me + 7));
    aclshmem_int32_put(there, here, 4080, right);
    aclshmem_int32_put(there + 4080, on_device, 8, right);
    aclshmem_int32_p(there + 4090, job.me + 1, right);
    aclshmem_barrier_all();
    expect(there[0] == left * 10000 && there[4079] == left * 10000 + 4079, "a put");
    expect(there[4080] == left + 7 && there[4087] == left + 7, "a put from the device");
    expect(there[4090] == left + 1, "p");
    aclshmem_barrier_all();
    aclshmem_int32_get(on_device, here, 16, right);
    expect(read(on_device, 2)[1] == right * 10000 + 1, "a get to the device");
    expect(aclshmem_int32_g(here + 5, right) == right * 10000 + 5, "g");
    if (auto* const seen = static_cast<std::int32_t*>(aclshmem_ptr(here, right))) {
      expect(seen[9] == right * 10000 + 9, "the place of a peer");
    } else {
      expect(!job.reaches(right), "ptr");
    }
    aclshmem_barrier_all();
    aclshmemx_putmem_signal(there, here, 16384 - 64, there + 4092, 3, ACLSHMEM_SIGNAL_SET, right);
    aclshmem_signal_wait_until(there + 4092, ACLSHMEM_CMP_EQ, 3);
    expect(there[4000] == left * 10000 + 4000, "data behind a signal");
    aclrtStream stream = nullptr;
    expect(aclrtCreateStream(&stream) == 0, "stream");
    aclshmemx_putmem_on_stream(there, here + 1, 64, right, stream);
    aclshmemx_signal_op_on_stream(there + 4093, 4, ACLSHMEM_SIGNAL_SET, right, stream);
    aclshmemx_signal_wait_until_on_stream(there + 4093, ACLSHMEM_CMP_EQ, 4, stream);
    expect(aclrtSynchronizeStream(stream) == 0, message());
    expect(there[0] == left * 10000 + 1, "a put on a stream");
    aclrtDestroyStream(stream);
    aclshmemx_free(there, HOST_SIDE);
    aclshmemx_free(here, HOST_SIDE);
    expect(aclshmemx_align(4096, 64, HOST_SIDE) == there, "the freed place");
    expect(aclshmem_finalize() == 0, "finalize");
    expect(aclshmemx_get_heap_base(HOST_SIDE) == nullptr, "after finalize");
  });
}

TEST_CASE("PEs share memory of their hosts", "[shmem][heap]") {
  for (const int pes : {1, 2, 4}) {
    INFO(pes << " PEs");
    Job("shmem_host_heap", pes).check_all_say("ok");
  }
}

CHILD_PROGRAM(shmem_host_heap_alone) {
  return as_pe([] {
    const InJob job(4096);
    const auto refused = [](const char* text) {
      const std::string told = message();
      expect(told.find(text) != std::string::npos, told);
    };
    aclshmemx_free(const_cast<InJob*>(&job), HOST_SIDE);
    refused("expected what an allocation of the symmetric heap of the host returned");
    expect(!aclshmemx_malloc(16, static_cast<aclshmem_mem_type_t>(2)), "a place that is none");
    refused("mem_type is 2; expected HOST_SIDE (0) or DEVICE_SIDE (1)");
    expect(!aclshmemx_calloc(SIZE_MAX, 2, HOST_SIDE), "an overflow");
    refused("are more than the heap");
    expect(aclshmemx_get_heap_base(HOST_SIDE) == nullptr, "a heap that nobody has used");
    expect(!aclshmemx_malloc(0, HOST_SIDE) && !aclshmemx_malloc(4097, HOST_SIDE), "limits");
    expect(!aclshmemx_align(3, 16, HOST_SIDE), "an alignment that is none");
    void* const all = aclshmemx_malloc(4096, HOST_SIDE);
    void* const device = aclshmem_malloc(4096);  // the heaps have their own room
    expect(all && device, message());
    aclshmemx_free(device, HOST_SIDE);
    refused("expected what an allocation");
    aclshmem_free(all);
    refused("expected what an allocation");
    aclshmem_putmem(all, device, std::size_t{1} << 40, 0);
    refused("pass the end of the heap");
    aclshmemx_free(all, HOST_SIDE);
    aclshmemx_free(all, HOST_SIDE);
    refused("expected what an allocation");
    aclshmem_finalize();
    expect(!aclshmemx_malloc(16, HOST_SIDE), "after finalize");
    refused("SHMEM is not initialised");
  });
}

TEST_CASE("the heap of the host has limits, and only its allocations are freed", "[shmem][heap]") {
  Job("shmem_host_heap_alone", 1).check_all_say("ok");
}

CHILD_PROGRAM(shmem_host_heap_without_all) {
  return as_pe([] {
    const InJob job;
    if (job.me == 0) {
      expect(!aclshmemx_malloc(16, HOST_SIDE), "a heap without PE 1");
      std::cout << message() << std::endl;
      expect(!aclshmem_malloc(16), "another one");
    }
    std::string line;
    std::getline(std::cin, line);
    _exit(0);
  });
}

TEST_CASE("a PE that makes no heap of the host is named after the limit", "[shmem][heap][fail]") {
  Job job("shmem_host_heap_without_all", 2, {{"TEST_CONTROL_TIMEOUT", "1"}});
  CHECK_THAT(job.processes[0]->hear(), ContainsSubstring("rank 1"));
}
