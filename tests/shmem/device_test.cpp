// SPDX-License-Identifier: Apache-2.0
// SHMEM in kernels that are compiled for the host, and atomics.
#include "acl/acl_sim.h"
#include "shmem/shmem_device.h"
#include "tests/shmem/world.h"

using namespace shmemtest;

namespace {

/// Runs `body` as a kernel of one block on a stream of its own, and waits for it.
template <class Body>
void in_kernel(const char* name, Body body) {
  static const auto run = [](const aclsimKernelContext*, const void* args) -> std::int32_t {
    try {
      (**static_cast<Body* const*>(args))();
      return 0;
    } catch (const Wrong& wrong) {
      std::cout << wrong.text << std::endl;
      return 507015;
    }
  };
  Body* const argument = &body;
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = name;
  launch.kernel = +run;
  launch.numBlocks = 1;
  launch.args = &argument;
  launch.argsSize = sizeof argument;
  aclrtStream stream = nullptr;
  expect(aclrtCreateStream(&stream) == 0, message());
  expect(aclsimLaunchKernel(&launch, stream) == 0, message());
  expect(aclrtSynchronizeStream(stream) == 0, "kernel: " + message());
  expect(aclrtDestroyStream(stream) == 0, message());
}

void expect_told(const std::string& part) {
  const std::string text = message();
  expect(text.find(part) != std::string::npos, text);
}

}  // namespace

CHILD_PROGRAM(shmem_kernels) {
  return as_pe([] {
    const InJob job;
    auto* const data = static_cast<std::int64_t*>(aclshmem_calloc(64, 8));
    auto* const from = static_cast<std::int64_t*>(aclshmem_calloc(64, 8));
    auto* const word = static_cast<std::int32_t*>(aclshmem_calloc(4, 4));
    const int right = (job.me + 1) % job.pes;
    const int left = (job.me + job.pes - 1) % job.pes;
    in_kernel("ring", [&] {
      expect(aclshmem_my_pe() == job.me && aclshmem_team_n_pes(0) == job.pes, "who a kernel is");
      util_set_ffts_config(util_get_ffts_config());
      aclshmemx_barrier_all_vec();
      aclshmemx_barrier_vec(ACLSHMEM_TEAM_WORLD);
      for (int i = 0; i < 64; ++i) from[i] = job.me * 100 + i;
      aclshmem_putmem_signal(data, from, 512, word, 7, ACLSHMEM_SIGNAL_SET, right);
      aclshmem_signal_wait_until(word, ACLSHMEM_CMP_EQ, 7);
      for (int i = 0; i < 64; ++i) expect(data[i] == left * 100 + i, "what the left PE put");
      aclshmemx_signal_op(word + 1, 5, ACLSHMEM_SIGNAL_ADD, left);
      expect(aclshmem_int32_wait_until_any(word, 2, nullptr, ACLSHMEM_CMP_EQ, 5) == 1, "any");
      expect(aclshmem_int32_test(word, ACLSHMEM_CMP_EQ, 7) == 1, "test");
      aclshmem_barrier_all();
      aclshmem_int64_p(data, -1, right);
      aclshmem_fence();
      aclshmem_barrier_all();
      expect(data[0] == -1 && aclshmem_int64_g(data + 1, right) == job.me * 100 + 1, "p and g");
      aclshmem_int64_get_nbi(from, data, 64, right);
      aclshmem_quiet();
      expect(from[1] == job.me * 100 + 1, "get");
    });
    aclshmem_finalize();
  });
}

TEST_CASE("kernels of the host put, get, signal, wait and meet", "[shmem][device]") {
  for (const int pes : {1, 2, 4}) {
    INFO(pes << " PEs");
    Job("shmem_kernels", pes).check_all_say("ok");
  }
}

CHILD_PROGRAM(shmem_atomics) {
  return as_pe([] {
    const InJob job;
    const int kTurns = number("TEST_TURNS", on_two_hosts() ? 100 : 2000);
    auto* const sum = static_cast<std::int64_t*>(aclshmem_calloc(4, 8));
    auto* const bits = static_cast<std::uint32_t*>(aclshmem_calloc(4, 4));
    const auto work = [&] {
      for (int i = 0; i < kTurns; ++i) {
        aclshmem_int64_atomic_add(sum, 3, 0);
        aclshmem_int64_atomic_inc(sum + 1, 0);
        // A lock: the PE that changes 0 into its number alone may change the word after it.
        while (aclshmem_int64_atomic_compare_swap(sum + 2, 0, job.me + 1, 0) != 0) {
        }
        aclshmem_int64_p(sum + 3, aclshmem_int64_g(sum + 3, 0) + 1, 0);
        aclshmem_int64_atomic_set(sum + 2, 0, 0);
      }
      aclshmem_uint32_atomic_or(bits, 1U << job.me, 0);
      aclshmem_uint32_atomic_xor(bits + 1, 1U << job.me, 0);
      aclshmem_uint32_atomic_fetch_and(bits + 2, 0, 0);
    };
    if (job.me % 2 == 0) {
      in_kernel("atomics", work);
    } else {
      work();
    }
    aclshmem_barrier_all();
    const std::int64_t all = std::int64_t{kTurns} * job.pes;
    expect(aclshmem_int64_atomic_fetch(sum, 0) == 3 * all, "add");
    expect(aclshmem_int64_g(sum + 1, 0) == all && aclshmem_int64_g(sum + 3, 0) == all, "lock");
    expect(aclshmem_uint32_g(bits, 0) == (1U << job.pes) - 1, "or");
    expect(aclshmem_uint32_g(bits + 1, 0) == (1U << job.pes) - 1, "xor");
    aclshmem_finalize();
  });
}

TEST_CASE("atomics of hosts and kernels lose nothing", "[shmem][atomic]") {
  for (const int pes : {2, 4}) {
    INFO(pes << " PEs");
    Job("shmem_atomics", pes).check_all_say("ok");
  }
}

CHILD_PROGRAM(shmem_atomic_values) {
  return as_pe([] {
    const InJob job;
    auto* const word = static_cast<std::uint64_t*>(aclshmem_calloc(2, 8));
    expect(aclshmem_uint64_atomic_swap(word, 5, 0) == 0, "swap");
    expect(aclshmem_uint64_atomic_fetch_add(word, ~std::uint64_t{0}, 0) == 5, "fetch_add");
    expect(aclshmem_uint64_atomic_fetch_inc(word, 0) == 4, "fetch_inc");
    expect(aclshmem_uint64_atomic_fetch_or(word, 8, 0) == 5, "fetch_or");
    expect(aclshmem_uint64_atomic_fetch_xor(word, 1, 0) == 13, "fetch_xor");
    expect(aclshmem_uint64_atomic_compare_swap(word, 13, 1, 0) == 12,
           "compare_swap: another value");
    expect(aclshmem_uint64_atomic_compare_swap(word, 12, 1, 0) == 12, "compare_swap");
    expect(aclshmem_uint64_atomic_fetch(word, 0) == 1, "fetch");
    auto* const number = reinterpret_cast<double*>(word + 1);
    aclshmem_double_atomic_set(number, 2.5, 0);
    expect(aclshmem_double_atomic_swap(number, -1, 0) == 2.5, "double");
    // Refused with a text, and without a change.
    expect(aclshmem_uint64_atomic_fetch_add(word, 1, 1) == 0, "no such PE");
    expect_told("pe is 1");
    aclshmem_uint64_atomic_inc(nullptr, 0);
    expect_told("dst is NULL");
    auto* const between = reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(word) + 4);
    aclshmem_uint64_atomic_inc(between, 0);
    expect_told("expected a multiple of 8");
    std::uint64_t own = 0;
    aclshmem_uint64_atomic_inc(&own, 0);
    expect(own == 0, "memory of the host");
    expect_told("dst is");
    expect(read(word, 1)[0] == 1, "unchanged");
    aclshmem_finalize();
    expect(aclshmem_uint64_atomic_fetch(word, 0) == 0, "after finalize");
    expect_told("not initialised");
  });
}

TEST_CASE("atomics return what was there, and refuse what is no word of a heap",
          "[shmem][atomic]") {
  Job("shmem_atomic_values", 1).check_all_say("ok");
}
