// SPDX-License-Identifier: Apache-2.0
// Mistakes in the order of PEs and their repaired twins: the verdict is the same in each run,
// whichever PE is faster.
#include <functional>
#include <map>

#include "acl/acl_sim.h"
#include "shmem/shmem_device.h"
#include "tests/shmem/world.h"

#ifdef ACLSIM_EXE

#include "tests/shmem/checked.h"

using namespace shmemtest;
using catch_compat::ContainsSubstring;

namespace {

constexpr int kRounds = 3;

/// The symmetric objects of the programs, and the operations that they consist of.
struct Desk {
  explicit Desk(const InJob& job) : me(job.me), other(1 - job.me) {
    write(from, std::vector<std::int32_t>(4, 7));
    aclrtCreateStream(&stream);
    aclshmem_barrier_all();
  }
  ~Desk() {
    aclrtSynchronizeStream(stream);
    aclshmem_barrier_all();
    aclrtDestroyStream(stream);
  }
  void put() const { aclshmem_putmem(data, from, 16, 1); }
  void put_and_signal(int value, int op = ACLSHMEM_SIGNAL_SET) const {
    aclshmemx_putmem_signal(data, from, 16, word, value, op, 1);
  }
  void signal(int value) const { aclshmemx_signal_op(word, value, ACLSHMEM_SIGNAL_SET, 1); }
  void wait(int value) const { aclshmem_signal_wait_until(word, ACLSHMEM_CMP_GE, value); }
  void give_credit(int value) const { aclshmem_int32_p(credit, value, 0); }
  void wait_for_credit(int value) const {
    aclshmem_int32_wait_until(credit, ACLSHMEM_CMP_GE, value);
  }
  void look() const { read(data, 4); }
  /// One PE comes later than the scheduler of the system would let it.
  void be_late() const {
    if (me == number("TEST_LATE", -1)) support::let_time_pass(std::chrono::milliseconds(20));
  }

  int me, other;
  std::int32_t* data = static_cast<std::int32_t*>(aclshmem_calloc(4, 4));
  std::int32_t* from = static_cast<std::int32_t*>(aclshmem_calloc(4, 4));
  std::int32_t* word = static_cast<std::int32_t*>(aclshmem_calloc(1, 4));
  std::int32_t* credit = static_cast<std::int32_t*>(aclshmem_calloc(1, 4));
  aclrtStream stream = nullptr;
};

void exchange(const Desk& desk, bool ok) {
  aclshmem_putmem(desk.data, desk.from, 16, desk.other);
  if (ok) aclshmem_barrier_all();
  desk.look();
}

void signal_first(const Desk& desk, bool ok) {
  if (desk.me == 1) {
    desk.wait(1);
    return desk.look();
  }
  if (ok) desk.put();
  desk.signal(1);
  if (!ok) desk.put();
}

/// A slot is filled again; `give`: the reader returns a credit for each round.
void slot(const Desk& desk, bool ok, const std::function<void(int)>& fill) {
  for (int round = 1; round <= kRounds; ++round) {
    if (desk.me == 0) {
      fill(round);
      if (ok) desk.wait_for_credit(round);
    } else {
      desk.wait(round);
      desk.look();
      desk.give_credit(round);
    }
  }
}

void no_credit(const Desk& desk, bool ok) {
  slot(desk, ok, [&](int round) { desk.put_and_signal(round); });
}

void no_credit_for_later_puts(const Desk& desk, bool ok) {
  slot(desk, ok, [&](int round) {
    aclshmemx_putmem_signal_nbi(desk.data, desk.from, 16, desk.word, round, ACLSHMEM_SIGNAL_SET, 1);
  });
  aclshmem_quiet();
}

void no_credit_counted(const Desk& desk, bool ok) {
  slot(desk, ok, [&](int) { desk.put_and_signal(1, ACLSHMEM_SIGNAL_ADD); });
}

void no_credit_on_stream(const Desk& desk, bool ok) {
  slot(desk, ok, [&](int round) {
    aclshmemx_putmem_on_stream(desk.data, desk.from, 16, 1, desk.stream);
    aclshmemx_signal_op_on_stream(desk.word, round, ACLSHMEM_SIGNAL_SET, 1, desk.stream);
  });
}

/// The reader clears the flag itself, and the writer sets the same value in each round.
void flag_cleared(const Desk& desk, bool ok) {
  for (int round = 1; round <= kRounds; ++round) {
    if (desk.me == 0) {
      desk.put_and_signal(1);
      desk.wait_for_credit(round);
      continue;
    }
    desk.wait(1);
    if (ok) desk.look();
    if (round % 2 == 0) {
      aclshmem_int32_p(desk.word, 0, 1);
    } else {
      write(desk.word, std::vector<std::int32_t>{0});
    }
    desk.give_credit(round);
    if (!ok) desk.look();
  }
}

/// The stream of the reader waits, if it is right.
void wait_on_stream(const Desk& desk, bool ok) {
  if (desk.me == 0) return desk.put_and_signal(1);
  if (ok) aclshmemx_signal_wait_until_on_stream(desk.word, ACLSHMEM_CMP_GE, 1, desk.stream);
  void* copy = nullptr;
  expect(aclrtMallocHost(&copy, 16) == ACL_SUCCESS, message());
  aclrtMemcpyAsync(copy, 16, desk.data, 16, ACL_MEMCPY_DEVICE_TO_HOST, desk.stream);
  aclrtSynchronizeStream(desk.stream);
  aclrtFreeHost(copy);
}

void fetched(const Desk& desk, bool ok) {
  if (desk.me == 0) {
    desk.put();
    return aclshmem_int32_atomic_set(desk.word, 1, 1);
  }
  while (ok && aclshmem_int32_atomic_fetch(desk.word, 1) != 1) {
  }
  desk.look();
}

void get_too_early(const Desk& desk, bool ok) {
  if (desk.me == 1) write(desk.data, std::vector<std::int32_t>(4, 9));
  if (ok) aclshmem_barrier_all();
  if (desk.me == 0) aclshmem_getmem(desk.from, desk.data, 16, 1);
}

const std::map<std::string, void (*)(const Desk&, bool)> kPrograms = {
    {"exchange", exchange},
    {"signal_first", signal_first},
    {"no_credit", no_credit},
    {"no_credit_for_later_puts", no_credit_for_later_puts},
    {"no_credit_counted", no_credit_counted},
    {"no_credit_on_stream", no_credit_on_stream},
    {"flag_cleared", flag_cleared},
    {"wait_on_stream", wait_on_stream},
    {"fetched", fetched},
    {"get_too_early", get_too_early},
};

}  // namespace

CHILD_PROGRAM(shmem_mistake) {
  return as_pe([] {
    {
      const InJob job;
      {
        const Desk desk(job);
        desk.be_late();
        kPrograms.at(support::environment_variable("TEST_MISTAKE"))(desk, number("TEST_OK") != 0);
      }
      aclshmem_finalize();
    }
  });
}

TEST_CASE("a mistake in the order of PEs is an error, whichever PE is late, and its twin is clean",
          "[shmem][check]") {
  for (const auto& [name, program] : kPrograms) {
    for (const int late : {-1, 0, 1}) {
      const std::string variables = fmt::format("TEST_MISTAKE={} TEST_LATE={}", name, late);
      const Checked bug = checked("shmem_mistake", 2, variables);
      INFO(variables << "\n" << bug.text);
#if !defined(__SANITIZE_THREAD__)  // it finds some of these races itself, with its own status
      CHECK(bug.code == 1);
#endif
      CHECK_THAT(bug.text,
                 ContainsSubstring("error: data race: ") && ContainsSubstring("[ACL007]"));
      const Checked twin = checked("shmem_mistake", 2, variables + " TEST_OK=1");
      INFO("twin\n" << twin.text);
      CHECK(twin.code == 0);
      CHECK_THAT(twin.text, ContainsSubstring("0 errors, 0 warnings, "));
      CHECK_THAT(twin.text, !ContainsSubstring("not checked"));
    }
  }
}

#endif
