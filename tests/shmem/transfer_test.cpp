// SPDX-License-Identifier: Apache-2.0
// Transfers, signals and barriers between processes.
#include <numeric>
#include <random>

#include "tests/shmem/world.h"
#include "tests/support/share.h"

using namespace shmemtest;

CHILD_PROGRAM(shmem_ring) {
  return as_pe([] {
    const InJob job;
    expect(aclshmem_my_pe() == job.me && aclshmem_n_pes() == job.pes, "my_pe, n_pes");
    expect(aclshmemx_init_status() == ACLSHMEM_STATUS_IS_INITIALIZED, "status");
    auto* const from = static_cast<std::int32_t*>(aclshmem_malloc(64));
    auto* const to = static_cast<std::int32_t*>(aclshmem_malloc(64));
    write(from, std::vector<std::int32_t>(16, job.me + 100));
    const int right = (job.me + 1) % job.pes;
    const int left = (job.me + job.pes - 1) % job.pes;
    aclshmem_int32_put(to, from, 16, right);
    aclshmem_barrier_all();
    expect(read(to, 16) == std::vector<std::int32_t>(16, left + 100), "what the left PE put");
    aclshmem_barrier_all();
    aclshmem_getmem(to, from, 64, right);
    expect(read(to, 16) == std::vector<std::int32_t>(16, right + 100), "what the right PE has");
    expect(aclshmem_int32_g(from + 3, right) == right + 100, "g");
    aclshmem_barrier_all();
    aclshmem_int32_p(from + 5, -job.me, right);
    aclshmem_barrier_all();
    expect(read(from + 4, 2) == std::vector<std::int32_t>{job.me + 100, -left}, "p");
    // A pointer of a peer is memory as any other.
    auto* const there = static_cast<std::int32_t*>(aclshmem_ptr(from, right));
    expect((there != nullptr) == job.reaches(right), "ptr");
    expect((there == from) == (right == job.me), "the own place");
    if (there) expect(read(there, 1)[0] == right + 100, "a copy from a peer's address");
    aclshmem_free(to);
    aclshmem_free(from);
    expect(aclshmem_finalize() == 0, "finalize");
    expect(aclshmem_my_pe() == -1 && aclshmemx_init_status() == 0, "after finalize");
  });
}

TEST_CASE("each PE puts to its neighbour and gets from it", "[shmem][rma]") {
  for (const int pes : {1, 2, 4, 8, 12}) {  // a barrier of 12 has two rounds
    INFO(pes << " PEs");
    Job("shmem_ring", pes).check_all_say("ok");
  }
}

CHILD_PROGRAM(shmem_strided) {
  return as_pe([] {
    const InJob job;
    auto* const memory = static_cast<std::int16_t*>(aclshmem_calloc(64, 2));
    std::int16_t* own = nullptr;
    expect(aclrtMalloc(reinterpret_cast<void**>(&own), 128, ACL_MEM_MALLOC_HUGE_FIRST) == 0,
           "malloc");
    std::vector<std::int16_t> values(64);
    std::iota(values.begin(), values.end(), static_cast<std::int16_t>(1));
    write(own, values);
    const int other = 1 - job.me;
    aclshmem_int16_iput(memory, own, 3, 2, 10, other);
    aclshmem_barrier_all();
    std::vector<std::int16_t> expected(64);
    for (std::size_t i = 0; i < 10; ++i) expected[3 * i] = values[2 * i];
    expect(read(memory, 64) == expected, "iput");
    aclshmem_barrier_all();
    aclshmem_iget16(own, memory, 1, 3, 10, other);
    for (std::size_t i = 0; i < 10; ++i) values[i] = static_cast<std::int16_t>(2 * i + 1);
    expect(read(own, 64) == values, "iget16");
    aclshmem_barrier_all();
    aclshmem_put128(memory, own, 2, other);
    aclshmem_barrier_all();
    for (std::size_t i = 0; i < 16; ++i) expected[i] = values[i];
    expect(read(memory, 64) == expected, "put128");
    aclrtFree(own);
    aclshmem_finalize();
  });
}

TEST_CASE("strided and sized transfers move the elements that they name", "[shmem][rma]") {
  Job("shmem_strided", 2).check_all_say("ok");
}

CHILD_PROGRAM(shmem_signals) {
  return as_pe([] {
    const InJob job;
    constexpr std::size_t kCount = 256;
    auto* const data = static_cast<std::int64_t*>(aclshmem_calloc(kCount, 8));
    auto* const word = static_cast<std::int32_t*>(aclshmem_calloc(2, 4));
    auto* const from = static_cast<std::int64_t*>(aclshmem_calloc(kCount, 8));
    const int right = (job.me + 1) % job.pes;
    const int left = (job.me + job.pes - 1) % job.pes;
    for (int round = 1; round <= 200; ++round) {
      write(from, std::vector<std::int64_t>(kCount, round * 1000 + job.me));
      aclshmemx_putmem_signal(data, from, kCount * 8, word, round, ACLSHMEM_SIGNAL_SET, right);
      aclshmem_signal_wait_until(word, ACLSHMEM_CMP_GE, round);
      expect(read(data, kCount) == std::vector<std::int64_t>(kCount, round * 1000 + left),
             "data behind its signal");
      // The left one may go on.
      aclshmem_int64_put_signal(data, data, 0, reinterpret_cast<std::uint8_t*>(word + 1), 1,
                                ACLSHMEM_SIGNAL_ADD, left);
      aclshmem_int32_wait_until(word + 1, ACLSHMEM_CMP_EQ, round);
    }
    aclshmem_finalize();
  });
}

TEST_CASE("who sees a signal sees the data", "[shmem][signal]") {
  for (const int pes : {1, 2, 4}) {
    INFO(pes << " PEs");
    Job("shmem_signals", pes).check_all_say("ok");
  }
}

CHILD_PROGRAM(shmem_waits) {
  return as_pe([] {
    const InJob job;
    auto* const words = static_cast<std::uint32_t*>(aclshmem_calloc(8, 4));
    const int left_out[] = {0, 1, 0, 0, 0, 0, 0, 0};
    std::size_t at = 7;
    aclshmem_uint32_test_any(words, 8, nullptr, ACLSHMEM_CMP_NE, 0, &at);
    expect(at == SIZE_MAX, "test_any of nothing");
    aclshmem_uint32_wait_until_any(words, 0, nullptr, ACLSHMEM_CMP_EQ, 0, &at);
    expect(at == SIZE_MAX, "wait_until_any of no elements");
    aclshmem_barrier_all();
    for (std::uint32_t i = 0; i < 8; ++i) aclshmem_uint32_p(words + i, i + 1, 1 - job.me);
    aclshmem_uint32_wait_until_all(words, 8, left_out, ACLSHMEM_CMP_GT, 0);
    aclshmem_uint32_wait_until_any(words, 8, left_out, ACLSHMEM_CMP_EQ, 5, &at);
    expect(at == 4, "wait_until_any");
    aclshmem_uint32_wait(words + 1, 0);
    std::size_t indices[8] = {};
    aclshmem_uint32_wait_until_some(words, 8, indices, left_out, ACLSHMEM_CMP_LE, 3, &at);
    expect(at == 2 && indices[0] == 0 && indices[1] == 2, "wait_until_some");
    std::uint32_t values[] = {1, 9, 3, 4, 5, 6, 7, 8};
    int all = 0;
    aclshmem_uint32_test_all_vector(words, 8, left_out, ACLSHMEM_CMP_EQ, values, &all);
    expect(all == 1, "test_all_vector");
    aclshmem_uint32_test_all_vector(words, 8, nullptr, ACLSHMEM_CMP_EQ, values, &all);
    expect(all == 0, "test_all_vector of all");
    aclshmem_uint32_test(words, ACLSHMEM_CMP_LT, 2, &all);
    expect(all == 1, "test");
    aclshmem_barrier_all();
    // Changes by the own device are seen too.
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    aclrtMemsetAsync(words, 4, 0xff, 4, stream);
    aclshmem_uint32_wait_until(words, ACLSHMEM_CMP_EQ, 0xffffffff);
    aclrtDestroyStream(stream);
    aclshmem_finalize();
  });
}

TEST_CASE("waits and tests look at the elements that count", "[shmem][signal]") {
  Job("shmem_waits", 2).check_all_say("ok");
}

CHILD_PROGRAM(shmem_streams) {
  return as_pe([] {
    const InJob job;
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    auto* const from = static_cast<std::int32_t*>(aclshmem_calloc(1024, 4));
    auto* const to = static_cast<std::int32_t*>(aclshmem_calloc(1024, 4));
    auto* const word = static_cast<std::int32_t*>(aclshmem_calloc(1, 4));
    const int right = (job.me + 1) % job.pes;
    for (int round = 1; round <= 20; ++round) {
      aclrtMemsetAsync(from, 4096, round, 4096, stream);
      aclshmemx_putmem_on_stream(to, from, 4096, right, stream);
      aclshmemx_signal_op_on_stream(word, 1, ACLSHMEM_SIGNAL_ADD, right, stream);
      aclshmemx_signal_wait_until_on_stream(word, ACLSHMEM_CMP_GE, round, stream);
      aclshmemx_quiet_on_stream(stream);
      aclshmemx_barrier_all_on_stream(stream);
    }
    expect(aclrtSynchronizeStream(stream) == ACL_SUCCESS, message());
    expect(read(to, 1024) == std::vector<std::int32_t>(1024, 0x14141414), "put on a stream");
    aclshmem_barrier_all();  // the next put writes what the other PE reads here
    // Without a stream: after the ops of the library's stream.
    aclshmemx_putmem_on_stream(to, from, 4, right, nullptr);
    aclshmemx_barrier_all_on_stream(nullptr);
    aclshmem_barrier_all();
    aclrtDestroyStream(stream);
    aclshmem_finalize();
  });
}

TEST_CASE("operations of streams are ordered with what the streams do", "[shmem][stream]") {
  for (const int pes : {1, 2, 4}) {
    INFO(pes << " PEs");
    Job("shmem_streams", pes).check_all_say("ok");
  }
}

CHILD_PROGRAM(shmem_team_barriers) {
  return as_pe([] {
    const InJob job;
    aclshmem_team_t row = -1;
    aclshmem_team_t column = -1;
    expect(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 2, &row, &column) == 0, "split_2d");
    auto* const all_counts = static_cast<std::int32_t*>(aclshmem_calloc(64, 4));
    const auto meet = [&](aclshmem_team_t team, int round) {
      std::int32_t* const counts = all_counts + 16 * (round % 3);  // of a team at its first PE
      const int first = aclshmem_team_translate_pe(team, 0, ACLSHMEM_TEAM_WORLD);
      aclshmem_int32_p(counts + aclshmem_team_my_pe(team), round, first);
      aclshmem_barrier(team);
      for (int i = 0; i < aclshmem_team_n_pes(team); ++i) {
        expect(aclshmem_int32_g(counts + i, first) == round, "a member had not come");
      }
      aclshmem_barrier(team);
    };
    for (int round = 0; round < 300; ++round) {
      meet(round % 3 == 0 ? ACLSHMEM_TEAM_WORLD : round % 3 == 1 ? row : column, round);
    }
    aclshmem_barrier(ACLSHMEM_TEAM_INVALID);
    aclshmem_finalize();
  });
}

TEST_CASE("barriers of teams that overlap let nobody through before all have come",
          "[shmem][barrier]") {
  for (const int pes : {1, 2, 4, 8}) {
    INFO(pes << " PEs");
    Job("shmem_team_barriers", pes).check_all_say("ok");
  }
}

// Every PE knows what all do, from the same generator, and keeps a model of all memory. PEs write
// places of their own between two barriers.
CHILD_PROGRAM(shmem_random) {
  return as_pe([] {
    const InJob job;
    std::mt19937 random(static_cast<unsigned>(number("TEST_SEED")));
    const auto below = [&](std::size_t limit) { return random() % limit; };
    const auto pes = static_cast<std::size_t>(job.pes);
    constexpr std::size_t kShare = 512;  // of one writer, in one PE
    const std::size_t bytes = kShare * pes;
    auto* const memory = static_cast<std::uint8_t*>(aclshmem_calloc(bytes, 1));
    auto* const sums = static_cast<std::int32_t*>(aclshmem_calloc(pes, 4));
    auto* const own = static_cast<std::uint8_t*>(aclshmem_malloc(kShare));
    std::vector<std::vector<std::uint8_t>> model(pes, std::vector<std::uint8_t>(bytes));
    std::vector<std::vector<std::int32_t>> signals(pes, std::vector<std::int32_t>(pes));
    const auto rounds = static_cast<std::size_t>(number("TEST_ROUNDS"));
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t writer = 0; writer < pes; ++writer) {
        const bool mine = writer == static_cast<std::size_t>(job.me);
        for (int op = 0; op < 8; ++op) {
          const std::size_t target = below(pes);
          const std::size_t size = below(80);
          const std::size_t offset = writer * kShare + below(kShare - 80);
          const auto value = static_cast<std::uint8_t>(random());
          const auto amount = static_cast<std::int32_t>(below(1000));
          const std::size_t kind = below(3);
          std::fill_n(model[target].begin() + static_cast<std::ptrdiff_t>(offset), size, value);
          if (kind == 1) signals[target][writer] += amount;
          if (!mine) continue;
          aclrtMemset(own, kShare, value, size);
          const int pe = static_cast<int>(target);
          if (kind == 0) aclshmem_putmem(memory + offset, own, size, pe);
          if (kind == 1) {
            aclshmemx_putmem_signal_nbi(memory + offset, own, size, sums + writer, amount,
                                        ACLSHMEM_SIGNAL_ADD, pe);
          }
          if (kind == 2) aclshmemx_putmem_on_stream(memory + offset, own, size, pe, nullptr);
          // Its source is used again, so it has to be over.
          if (kind == 2) aclshmem_uint8_g(memory, job.me);
        }
      }
      aclshmem_barrier_all();
      const std::size_t from = below(pes);
      std::vector<std::uint8_t> seen(bytes);
      for (std::size_t part = 0; part < pes; ++part) {
        aclshmem_getmem(own, memory + part * kShare, kShare, static_cast<int>(from));
        const auto piece = read(own, kShare);
        std::copy(piece.begin(), piece.end(),
                  seen.begin() + static_cast<std::ptrdiff_t>(part * kShare));
      }
      expect(seen == model[from], fmt::format("memory of PE {} in round {}", from, round));
      expect(read(sums, pes) == signals[static_cast<std::size_t>(job.me)],
             fmt::format("signals in round {}", round));
      aclshmem_barrier_all();
    }
    aclshmem_finalize();
  });
}

TEST_CASE("random puts, gets and signals leave what a model of all bytes has", "[shmem][random]") {
  const auto run = [](int pes, int rounds) {
    INFO(pes << " PEs, seed " << support::first_seed());
    Job("shmem_random", pes,
        {{"TEST_SEED", std::to_string(support::first_seed())},
         {"TEST_ROUNDS", std::to_string(rounds)}})
        .check_all_say("ok");
  };
  run(1, 500);
  run(2, 500);
  run(4, 150);
  run(8, 40);
}

// Sizes that transports between hosts send in chunks, mixed with small ones.
CHILD_PROGRAM(shmem_large) {
  return as_pe([] {
    constexpr std::size_t kCount = 300'001;
    const InJob job(16 << 20);
    auto* const target = static_cast<std::int32_t*>(aclshmem_calloc(kCount, 4));
    auto* const source = static_cast<std::int32_t*>(aclshmem_calloc(kCount, 4));
    auto* const landing = static_cast<std::int32_t*>(aclshmem_calloc(kCount, 4));
    auto* const word = static_cast<std::int32_t*>(aclshmem_calloc(1, 4));
    const int right = (job.me + 1) % job.pes;
    const int left = (job.me + job.pes - 1) % job.pes;
    for (int round = 1; round <= 10; ++round) {
      std::vector<std::int32_t> mine(kCount);
      std::iota(mine.begin(), mine.end(), round * 1000 + job.me);
      write(source, mine);
      // A small put before, one behind, and a signal: they arrive in this order.
      aclshmem_int32_p(target + 7, -1, right);
      aclshmem_int32_put(target, source, kCount, right);
      aclshmem_int32_p(target + 8, -round, right);
      aclshmemx_signal_op_on_stream(word, round, ACLSHMEM_SIGNAL_SET, right, nullptr);
      aclshmem_signal_wait_until(word, ACLSHMEM_CMP_GE, round);
      auto got = read(target, kCount);
      expect(got[7] == round * 1000 + left + 7 && got[8] == -round, "the order of puts");
      got[8] = round * 1000 + left + 8;
      std::iota(mine.begin(), mine.end(), round * 1000 + left);
      expect(got == mine, "a large put");
      // A get sees the puts before it; without waiting it is over behind quiet.
      aclshmem_barrier_all();
      aclshmem_int32_p(target + 9, -2, right);
      aclshmem_int32_get_nbi(landing, target, kCount, right);
      aclshmem_barrier_all();
      expect(read(landing + 9, 1)[0] == -2 &&
                 read(landing + kCount - 1, 1)[0] ==
                     round * 1000 + job.me + static_cast<std::int32_t>(kCount) - 1,
             "a large get");
      aclshmemx_putmem_on_stream(target, source, kCount * 4, right, nullptr);
      aclshmemx_getmem_on_stream(landing, target, kCount * 4, right, nullptr);
      aclshmem_barrier_all();
      expect(read(landing, kCount) == read(source, kCount), "a large get of a stream");
      aclshmem_barrier_all();
    }
    expect(aclshmem_finalize() == 0, message());
  });
}

TEST_CASE("large transfers keep the order of the calls", "[shmem][rma]") {
  for (const int pes : {1, 2, 3}) {
    INFO(pes << " PEs");
    Job("shmem_large", pes).check_all_say("ok");
  }
}

CHILD_PROGRAM(shmem_again) {
  return as_pe([] {
    for (int i = 0; i < 20; ++i) {
      const InJob job;
      expect(aclshmem_malloc(64) != nullptr, message());
      expect(aclshmem_finalize() == 0, message());
    }
  });
}

TEST_CASE("a PE that comes again at once does not meet the job that ends", "[shmem][init]") {
  Job("shmem_again", 3).check_all_say("ok");
}
