// SPDX-License-Identifier: Apache-2.0
// A number travels round all PEs, and each PE adds its own number: put with signal, from the host
// and from a kernel.
//
// A PE is a process: aclsim run --ranks 4 -- ./shmem_ring. Alone it is a ring of one.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "shmem/shmem_device.h"

namespace {

void check(int code, const char* what) {
  if (code == 0) return;
  const char* const text = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s: %d %s\n", what, code, text ? text : "");
  std::exit(1);
}

int variable(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

// The state of a PE, at the same offset in every heap.
struct Token {
  int64_t sum;
  int32_t arrived;  // how often the number has arrived at this PE
};

struct Step {
  Token* token;
  int32_t round;
};

// Round 2 runs on the device: a kernel may make the same calls as the host.
int32_t pass_on(const aclsimKernelContext*, const void* args) {
  const Step& step = *static_cast<const Step*>(args);
  const int me = aclshmem_my_pe();
  const int next = (me + 1) % aclshmem_n_pes();
  aclshmem_signal_wait_until(&step.token->arrived, ACLSHMEM_CMP_GE, step.round);
  step.token->sum += me;
  if (next != 0) {
    aclshmem_putmem_signal(&step.token->sum, &step.token->sum, sizeof step.token->sum,
                           &step.token->arrived, step.round, ACLSHMEM_SIGNAL_SET, next);
  }
  return 0;
}

}  // namespace

int main() {
  const int me = variable("RANK", 0);
  const int pes = variable("WORLD_SIZE", 1);
  check(aclInit(nullptr), "aclInit");
  check(aclrtSetDevice(variable("LOCAL_RANK", 0)), "aclrtSetDevice");

  aclshmemx_init_attr_t attributes;
  attributes.my_pe = me;
  attributes.n_pes = pes;
  attributes.local_mem_size = 1 << 20;
  const char* const address = std::getenv("MASTER_ADDR");
  const std::string place = std::string("tcp://") + (address ? address : "127.0.0.1") + ":" +
                            std::to_string(variable("MASTER_PORT", 29500) + 11);
  std::strncpy(attributes.ip_port, place.c_str(), sizeof attributes.ip_port - 1);
  check(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes), "aclshmemx_init_attr");

  auto* const token =
      static_cast<Token*>(aclshmem_calloc(1, sizeof(Token)));  // all PEs, with a barrier
  const int next = (me + 1) % pes;

  // Round 1: the host. The sum is in device memory, so the host reads and writes it with copies.
  if (me != 0) aclshmem_signal_wait_until(&token->arrived, ACLSHMEM_CMP_EQ, 1);
  const int64_t sum = aclshmem_int64_g(&token->sum, me) + me;
  aclshmem_int64_p(&token->sum, sum, me);
  aclshmemx_putmem_signal(&token->sum, &token->sum, sizeof token->sum, &token->arrived, 1,
                          ACLSHMEM_SIGNAL_SET, next);
  if (me == 0) aclshmem_signal_wait_until(&token->arrived, ACLSHMEM_CMP_EQ, 1);
  const int64_t all = static_cast<int64_t>(pes) * (pes - 1) / 2;
  if (me == 0) check(aclshmem_int64_g(&token->sum, 0) != all, "the sum of round 1");
  aclshmem_barrier_all();

  // Round 2: the same by kernels. PE 0 begins with the sum of round 1.
  if (me == 0) aclshmem_int32_p(&token->arrived, 2, 0);
  const Step step{token, 2};
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "pass_on";
  launch.kernel = pass_on;
  launch.numBlocks = 1;
  launch.args = &step;
  launch.argsSize = sizeof step;
  check(aclsimLaunchKernel(&launch, nullptr), "aclsimLaunchKernel");
  check(aclrtSynchronizeStream(nullptr), "the kernel");
  aclshmem_barrier_all();
  const int64_t end = aclshmem_int64_g(&token->sum, pes - 1);
  check(end != 2 * all, "the sum of round 2");
  if (me == 0) std::printf("%d PEs: %lld after two rounds\n", pes, static_cast<long long>(end));

  aclshmem_free(token);
  check(aclshmem_finalize(), "aclshmem_finalize");
  check(aclrtResetDevice(variable("LOCAL_RANK", 0)), "aclrtResetDevice");
  check(aclFinalize(), "aclFinalize");
  return 0;
}
