// SPDX-License-Identifier: Apache-2.0
// Both libraries in one process: each has a fabric of its own, and neither disturbs the other.
#include "hccl/hccl.h"
#include "tests/shmem/world.h"

using namespace shmemtest;

CHILD_PROGRAM(shmem_and_hccl) {
  return as_pe([] {
    const int me = number("TEST_PE");
    const int pes = number("TEST_PES");
    expect(aclrtSetDevice(me) == ACL_SUCCESS, "no device");
    HcclRootInfo info{};
    std::string text;
    if (me == 0) {
      expect(HcclGetRootInfo(&info) == HCCL_SUCCESS, message());
      for (const char byte : info.internal)
        text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
      std::cout << text << std::endl;
    } else {
      std::getline(std::cin, text);
      for (std::size_t i = 0; i < sizeof info.internal; ++i) {
        info.internal[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
      }
    }
    auto attr = attributes(me, pes, address_of(number("TEST_PORT")));
    expect(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr) == 0, message());
    HcclComm comm = nullptr;
    expect(HcclCommInitRootInfo(static_cast<std::uint32_t>(pes), &info,
                                static_cast<std::uint32_t>(me), &comm) == HCCL_SUCCESS,
           message());
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    auto* const memory = static_cast<std::int32_t*>(aclshmem_calloc(256, 4));
    std::int32_t* own = nullptr;
    aclrtMalloc(reinterpret_cast<void**>(&own), 1024, ACL_MEM_MALLOC_HUGE_FIRST);
    for (std::int32_t round = 1; round <= 20; ++round) {
      write(own, std::vector<std::int32_t>(256, round + me));
      expect(HcclAllReduce(own, own, 256, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, comm, stream) == 0,
             message());
      expect(aclrtSynchronizeStream(stream) == ACL_SUCCESS, message());
      aclshmem_int32_put(memory, own, 256, (me + 1) % pes);
      aclshmem_barrier_all();
      const std::int32_t sum = pes * round + pes * (pes - 1) / 2;
      expect(read(memory, 256) == std::vector<std::int32_t>(256, sum), "the sum");
      aclshmem_barrier_all();
    }
    aclrtFree(own);
    aclrtDestroyStream(stream);
    // One goes, the other works on.
    if (number("TEST_FIRST") == 0) {
      expect(HcclCommDestroy(comm) == HCCL_SUCCESS, message());
      aclshmem_barrier_all();
      expect(aclshmem_finalize() == 0, message());
    } else {
      expect(aclshmem_finalize() == 0, message());
      expect(HcclCommDestroy(comm) == HCCL_SUCCESS, message());
    }
  });
}

TEST_CASE("a process uses SHMEM and HCCL at once", "[shmem][hccl]") {
  for (const char* const first : {"0", "1"}) {
    Job job("shmem_and_hccl", 2, {{"TEST_FIRST", first}, {"ACLSIM_DEVICES", "2"}});
    job.processes[1]->say(job.processes[0]->hear());
    job.check_all_say("ok");
  }
}
