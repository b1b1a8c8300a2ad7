// SPDX-License-Identifier: Apache-2.0
// Reports of `aclsim run --check` on PEs: no report on accesses that barriers, signals and atomics
// order, and a report with both places on unordered accesses.
#include <fstream>

#include "acl/acl_sim.h"
#include "hccl/hccl.h"
#include "shmem/shmem_device.h"
#include "tests/shmem/world.h"
#include "tests/support/temp_dir.h"

#ifdef ACLSIM_EXE

#include "tests/shmem/checked.h"

using namespace shmemtest;
using catch_compat::ContainsSubstring;

namespace {

constexpr int kReadLine = 26;
constexpr int kPutLine = 97;

void copy_out(std::int32_t* to, const std::int32_t* from) {
  static_assert(__LINE__ + 1 == kReadLine);
  expect(aclrtMemcpy(to, 4, from, 4, ACL_MEMCPY_DEVICE_TO_HOST) == 0, message());
}

void meet_on_stream() {
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  aclshmemx_barrier_all_on_stream(stream);
  expect(aclrtSynchronizeStream(stream) == ACL_SUCCESS, message());
  aclrtDestroyStream(stream);
}

/// A kernel waits for a word that is 0.
void wait_in_kernel(std::int32_t* word) {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "wait";
  launch.kernel = [](const aclsimKernelContext*, const void* args) {
    aclshmem_int32_wait_until(*static_cast<std::int32_t* const*>(args), ACLSHMEM_CMP_EQ, 0);
    return 0;
  };
  launch.numBlocks = 1;
  launch.args = &word;
  launch.argsSize = sizeof word;
  expect(aclsimLaunchKernel(&launch, nullptr) == ACL_SUCCESS, message());
  expect(aclrtSynchronizeDevice() == ACL_SUCCESS, message());
}

/// By an operation of HCCL between the two, which a host of each waits for.
void meet_in_hccl(int me, bool pairwise) {
  aclrtSetDevice(me);  // ranks have one each
  HcclComm comm = nullptr;
  const HcclResult made = HcclCommInitClusterInfo(std::getenv("RANK_TABLE_FILE"),
                                                  static_cast<std::uint32_t>(me), &comm);
  expect(made == HCCL_SUCCESS, "communicator: " + message());
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  void* own = nullptr;
  aclrtMalloc(&own, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(own, 64, 0, 64);
  if (!pairwise) {
    expect(HcclAllReduce(own, own, 4, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, comm, stream) == 0,
           message());
  } else if (me == 0) {
    expect(HcclSend(own, 4, HCCL_DATA_TYPE_INT32, 1, comm, stream) == 0, message());
  } else {
    expect(HcclRecv(own, 4, HCCL_DATA_TYPE_INT32, 0, comm, stream) == 0, message());
  }
  expect(aclrtSynchronizeStream(stream) == ACL_SUCCESS, message());
  aclrtFree(own);
  aclrtDestroyStream(stream);
  expect(HcclCommDestroy(comm) == HCCL_SUCCESS, "destroy");
  aclrtSetDevice(0);
}

}  // namespace

/// PE 0 puts, PE 1 reads. TEST_ORDER: what orders the two.
CHILD_PROGRAM(shmem_put_and_read) {
  return as_pe([] {
    const InJob job;
    const std::string order = support::environment_variable("TEST_ORDER");
    auto* const data = static_cast<std::int32_t*>(aclshmem_calloc(4, 4));
    auto* const from = static_cast<std::int32_t*>(aclshmem_calloc(4, 4));
    auto* const word = static_cast<std::int32_t*>(aclshmem_calloc(1, 4));
    write(from, std::vector<std::int32_t>(4, 7));
    std::int32_t got = 0;
    if (order == "unseen") wait_in_kernel(word);
    if (order == "too early on a stream") meet_on_stream();
    if (order == "too early") meet_in_hccl(job.me, false);
    if (job.me == 0) {
      static_assert(__LINE__ + 1 == kPutLine);
      aclshmem_int32_put_nbi(data, from, 4, 1);
      if (order == "flag") {
        aclshmem_quiet();
        aclshmem_int32_p(word, 1, 1);
      }
      if (order == "signal") aclshmemx_signal_op(word, 1, ACLSHMEM_SIGNAL_ADD, 1);
      if (order == "atomic") aclshmem_int32_atomic_set(word, 1, 1);
      if (order == "collective" || order == "send") aclshmem_quiet();
    }
    if (order == "collective" || order == "send") meet_in_hccl(job.me, order == "send");
    if (order == "barrier") aclshmem_barrier_all();
    if (order == "stream" || (order == "mixed" && job.me == 0)) {
      aclshmem_quiet();
      meet_on_stream();
    } else if (order == "mixed") {
      aclshmem_barrier_all();
    }
    if (job.me == 1) {
      if (order == "flag") aclshmem_int32_wait_until(word, ACLSHMEM_CMP_EQ, 1);
      if (order == "signal") aclshmem_signal_wait_until(word, ACLSHMEM_CMP_EQ, 1);
      while (order == "atomic" && aclshmem_int32_atomic_fetch(word, 1) != 1) {
      }
      do {
        copy_out(&got, data);
      } while (got != 7);
    }
    aclshmem_barrier_all();
    aclshmem_finalize();
  });
}

TEST_CASE("a read that nothing orders behind a remote put is reported with both lines",
          "[shmem][check]") {
  const std::string order = GENERATE("none", "'too early'", "'too early on a stream'");
  const Checked run = checked("shmem_put_and_read", 2, "TEST_ORDER=" + order);
  INFO(order << "\n" << run.text);
  CHECK(run.code == 1);
  CHECK_THAT(run.text, ContainsSubstring("error: data race"));
  CHECK_THAT(run.text, ContainsSubstring("aclrtMemcpy") &&
                           ContainsSubstring("shmem put on stream") &&
                           ContainsSubstring(fmt::format("checked_test.cpp:{}", kReadLine)) &&
                           ContainsSubstring(fmt::format("checked_test.cpp:{}", kPutLine)));
  CHECK_THAT(run.text, ContainsSubstring("of rank 0") && ContainsSubstring("of rank 1"));
  CHECK(run.text.find(" of process ") == std::string::npos);
}

TEST_CASE("what waits in kernels may have ordered is withheld, and the report says so",
          "[shmem][check]") {
  const Checked run = checked("shmem_put_and_read", 2, "TEST_ORDER=unseen");
  INFO(run.text);
  CHECK(run.code == 0);
  CHECK_THAT(run.text, ContainsSubstring("not checked: races between processes: "));
  CHECK_THAT(run.text, ContainsSubstring("0 errors, 0 warnings, 0 notes, 2 of 2 kernels "
                                         "undeclared, some not checked"));
}

CHILD_PROGRAM(one_of_several_hosts) {
  return as_pe([] { expect(aclrtSetDevice(0) == ACL_SUCCESS, message()); });
}

TEST_CASE("races between hosts are not checked, and the report says so", "[shmem][check]") {
  const support::TempDir dir;
  const std::string hosts = (dir.path() / "hosts").string();
  std::ofstream(hosts) << "10.254.0.1 slots=1\n10.254.0.2 slots=1\n";
  const Checked run = checked("one_of_several_hosts", 2, "", "--host 10.254.0.1 --hosts " + hosts);
  INFO(run.text);
  CHECK(run.code == 0);
  CHECK_THAT(run.text,
             ContainsSubstring("not checked: races between processes of different hosts"));
  CHECK_THAT(run.text, ContainsSubstring("0 errors, 0 warnings, 0 notes, some not checked"));
}

TEST_CASE("what barriers, flags, signals, atomics and operations of HCCL order is no finding",
          "[shmem][check]") {
  for (const char* const order :
       {"barrier", "stream", "mixed", "flag", "signal", "atomic", "collective", "send"}) {
    const Checked run = checked("shmem_put_and_read", 2, fmt::format("TEST_ORDER={}", order));
    INFO(order << "\n" << run.text);
    CHECK(run.code == 0);
    CHECK_THAT(run.text, ContainsSubstring("0 errors, 0 warnings, 0 notes"));
  }
}

TEST_CASE("programs that are in order have nothing at warning or above", "[shmem][check]") {
  for (const char* const program :
       {"shmem_ring", "shmem_strided", "shmem_signals", "shmem_waits", "shmem_streams",
        "shmem_kernels", "shmem_atomics", "shmem_again", "shmem_large"}) {
    const Checked run = checked(program, 2, "TEST_TURNS=20");
    INFO(program << "\n" << run.text);
    CHECK(run.code == 0);
    CHECK_THAT(run.text, ContainsSubstring("0 errors, 0 warnings"));
  }
}

#endif
