// SPDX-License-Identifier: Apache-2.0
// Deadlocks of ranks whose operations do not match: all of them report which rank called which
// operation at which place. Ranks that may still continue are not disturbed.
#include <fmt/format.h>

#include <iostream>
#include <random>

#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::TwoHosts;

namespace {

/// One rank, in a thread or a process, that calls a sequence of operations.
struct Caller {
  Caller(HcclComm of, aclrtStream on, std::uint64_t numbers)
      : comm(of), stream(on), count(numbers) {
    const std::size_t bytes = 2 * count * 4;
    must(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    must(aclrtMemset(memory, bytes, 0, bytes) == ACL_SUCCESS);
  }
  ~Caller() { aclrtFree(memory); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  /// 'a': all-reduce, 'b': broadcast, 's0': send to rank 0, 'r1': receive from rank 1, 'x1': both
  /// of them in one batch.
  void call(const std::string& what) {
    const auto peer = what.size() > 1 ? static_cast<std::uint32_t>(what[1] - '0') : 0;
    switch (what[0]) {
      case 'a':
        return must(HcclAllReduce(memory, memory, count, kInt, kSum, comm, stream) == HCCL_SUCCESS);
      case 'b':
        return must(HcclBroadcast(memory, count, kInt, 0, comm, stream) == HCCL_SUCCESS);
      case 's':
        return must(HcclSend(memory, count, kInt, peer, comm, stream) == HCCL_SUCCESS);
      case 'r':
        return must(HcclRecv(memory, count, kInt, peer, comm, stream) == HCCL_SUCCESS);
      default:
        break;
    }
    HcclSendRecvItem items[] = {
        {HCCL_SEND, memory, count, kInt, peer},
        {HCCL_RECV, static_cast<std::int32_t*>(memory) + count, count, kInt, peer}};
    must(HcclBatchSendRecv(items, 2, comm, stream) == HCCL_SUCCESS);
  }
  void call_all(const std::string& row) {
    std::string what;
    for (const char at : row + " ") {
      if (at != ' ') {
        what += at;
      } else {
        call(std::exchange(what, ""));
      }
    }
  }

  const HcclComm comm;
  const aclrtStream stream;
  const std::uint64_t count;
  void* memory = nullptr;
};

/// The calls of each rank, and the texts that they report.
struct Misfit {
  std::vector<std::string> rows;
  std::vector<std::string> told;
};

const std::vector<Misfit> kMisfits = {
    {{"s1", "a"},
     {"rank 0 called HcclSend(count ", "rank 1 called HcclAllReduce(count ", "deadlock_test.cpp"}},
    {{"a", "r0"}, {"rank 0 called HcclAllReduce(count ", "rank 1 called HcclRecv(count "}},
    {{"s1", "s0"}, {"rank 0 called HcclSend(count ", "rank 1 called HcclSend(count "}},
    {{"r1", "r0"}, {"rank 0 called HcclRecv(count ", "rank 1 called HcclRecv(count "}},
    // Matching calls follow calls that do not match.
    {{"a s1", "r0 a"}, {"rank 0 called HcclAllReduce(count ", "rank 1 called HcclRecv(count "}},
    {{"x1", "r0 s0"}, {}},
    {{"x1", "a"}, {"rank 0 called HcclSend(count ", "rank 1 called HcclAllReduce(count "}},
    // In a circle.
    {{"s1", "s2", "s0"},
     {"rank 0 called ", " and waits for rank 1", " and waits for rank 2", " and waits for rank 0"}},
    {{"a", "a", "r0"}, {"rank 0 called HcclAllReduce(count ", "rank 2 called HcclRecv(count "}},
};

void check_told(const Misfit& misfit, aclError code, const std::string& text) {
  CHECK(code == (misfit.told.empty() ? ACL_SUCCESS : ACL_ERROR_RT_INTERNAL_ERROR));
  if (!misfit.told.empty()) CHECK_THAT(text, ContainsSubstring("ranks wait for each other: "));
  for (const std::string& part : misfit.told) CHECK_THAT(text, ContainsSubstring(part));
}

/// The code and text of a synchronise without a limit.
std::pair<aclError, std::string> end_of(aclrtStream stream) {
  const aclError code = aclrtSynchronizeStream(stream);
  return {code, code == ACL_SUCCESS ? "" : message()};
}

}  // namespace

TEST_CASE("ranks whose operations wait for each other for ever are told on all ranks",
          "[hccl][fail][deadlock]") {
  const std::uint64_t count = GENERATE(4, 8000);  // small ones, and large ones
  for (const Misfit& misfit : kMisfits) {
    const auto ranks = static_cast<std::uint32_t>(misfit.rows.size());
    CAPTURE(count, misfit.rows);
    OneThread world(ranks);
    const auto results = as_threads(ranks, [&](std::uint32_t rank) {
      Caller caller(world.comms[rank], world.streams[rank], count);
      caller.call_all(misfit.rows[rank]);
      return end_of(caller.stream);
    });
    for (const auto& [code, text] : results) check_told(misfit, code, text);
  }
}

TEST_CASE("so are those of one thread that drives all ranks", "[hccl][fail][deadlock]") {
  for (const Misfit& misfit : kMisfits) {
    CAPTURE(misfit.rows);
    OneThread world(static_cast<std::uint32_t>(misfit.rows.size()));
    std::vector<std::unique_ptr<Caller>> callers;
    world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
      callers.push_back(std::make_unique<Caller>(comm, stream, 100));
      callers.back()->call_all(misfit.rows[rank]);
    });
    world.each([&](std::uint32_t, HcclComm, aclrtStream stream) {
      const auto [code, text] = end_of(stream);
      check_told(misfit, code, text);
    });
  }
}

TEST_CASE("so are those that wait on several streams, or behind an event",
          "[hccl][fail][deadlock]") {
  OneThread world(2);
  const auto results = as_threads(2, [&](std::uint32_t rank) {
    aclrtStream second = nullptr;
    must(aclrtCreateStream(&second) == ACL_SUCCESS);
    aclrtEvent behind = nullptr;
    must(aclrtCreateEvent(&behind) == ACL_SUCCESS);
    const std::string peer = rank == 0 ? "1" : "0";
    Caller one(world.comms[rank], world.streams[rank], 100);
    Caller other(world.comms[rank], second, 100);
    one.call("s" + peer);
    if (rank == 0) other.call("a");
    must(aclrtRecordEvent(behind, world.streams[rank]) == ACL_SUCCESS);
    must(aclrtStreamWaitEvent(second, behind) == ACL_SUCCESS);
    const auto result = end_of(rank == 0 ? second : world.streams[rank]);
    aclrtSynchronizeStream(world.streams[rank]);
    aclrtDestroyEvent(behind);
    aclrtDestroyStreamForce(second);
    return result;
  });
  CHECK(results[0].first == ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK(results[1].first == ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK_THAT(results[1].second,
             ContainsSubstring("ranks wait for each other: ") && ContainsSubstring("HcclSend"));
}

TEST_CASE("operations that wait when all ranks have destroyed the communicator end",
          "[hccl][fail][deadlock]") {
  OneThread world(2);
  std::vector<std::unique_ptr<Caller>> callers;
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    callers.push_back(std::make_unique<Caller>(comm, stream, 100));
    callers.back()->call(rank == 0 ? "s1" : "a");
  });
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream) {
    CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
    world.comms[rank] = nullptr;
  });
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    const auto [code, text] = world.synchronize(rank);
    CHECK(code == ACL_ERROR_RT_INTERNAL_ERROR);
    CHECK_THAT(text, ContainsSubstring("HcclSend") && ContainsSubstring("HcclAllReduce"));
  }
}

TEST_CASE("a thread that does not wait may still enqueue what others wait for",
          "[hccl][deadlock]") {
  OneThread world(2);
  const auto results = as_threads(2, [&](std::uint32_t rank) {
    aclrtStream second = nullptr;
    must(aclrtCreateStream(&second) == ACL_SUCCESS);
    Caller one(world.comms[rank], world.streams[rank], 100);
    Caller other(world.comms[rank], second, 100);
    one.call(rank == 0 ? "s1" : "a");
    // Longer than an operation waits before it looks why; a wait with a limit is none for ever.
    const aclError waited = aclrtSynchronizeStreamWithTimeout(world.streams[rank], 400);
    other.call(rank == 0 ? "a" : "r0");
    const std::vector<aclError> codes = {waited, aclrtSynchronizeStream(world.streams[rank]),
                                         aclrtSynchronizeStream(second)};
    aclrtDestroyStream(second);
    return codes;
  });
  // The one whose limit is over first lets the other go on.
  const auto timed_out = [&](std::size_t rank) {
    return results[rank][0] == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
  };
  CHECK((timed_out(0) || timed_out(1)));
  for (std::size_t rank = 0; rank < 2; ++rank) {
    CHECK((timed_out(rank) || results[rank][0] == ACL_SUCCESS));
    CHECK(results[rank][1] == ACL_SUCCESS);
    CHECK(results[rank][2] == ACL_SUCCESS);
  }
}

TEST_CASE("the time limit tells what the awaited rank waits in", "[hccl][fail][deadlock]") {
  const Variable limit("HCCL_EXEC_TIMEOUT", "3");
  OneThread world(2);
  const auto results = as_threads(2, [&](std::uint32_t rank) {
    Caller caller(world.comms[rank], world.streams[rank], 100);
    caller.call(rank == 0 ? "s1" : "a");
    const aclError code = aclrtSynchronizeStreamWithTimeout(caller.stream, 60000);
    return std::pair(code, message());
  });
  for (const auto& [code, text] : results) {
    CHECK(code == ACL_ERROR_RT_WAIT_TIMEOUT);
    CHECK_THAT(text, ContainsSubstring("HcclSend(count 100, int32) at ") &&
                         ContainsSubstring(" waits in Hccl") &&
                         ContainsSubstring("HcclAllReduce(count 100, int32, sum) at "));
  }
}

namespace {

/// An action of one rank: calls operations on some of its streams, waits for a stream, or is late.
struct Act {
  enum class What { call, wait, late } what;
  std::string call{};
  std::size_t stream = 0;
};

/// A right program: all ranks go through one row of operations, each with the streams and waits
/// that it likes.
std::vector<std::vector<Act>> draw_program(std::mt19937& draw, std::size_t ranks,
                                           std::size_t streams) {
  const auto below = [&](std::size_t limit) { return draw() % limit; };
  std::vector<std::vector<Act>> acts(ranks);
  const auto add = [&](std::size_t rank, const std::string& call) {
    acts[rank].push_back({Act::What::call, call, below(streams)});
    if (below(6) == 0) acts[rank].push_back({Act::What::wait, "", below(streams)});
    if (below(15) == 0) acts[rank].push_back({Act::What::late});
  };
  for (int i = 0; i < 12; ++i) {
    const std::size_t from = below(ranks), to = (from + 1 + below(ranks - 1)) % ranks;
    if (below(2) == 0) {
      for (std::size_t rank = 0; rank < ranks; ++rank) add(rank, i % 3 == 0 ? "b" : "a");
    } else {
      add(from, fmt::format("s{}", to));
      add(to, fmt::format("r{}", from));
    }
  }
  return acts;
}

/// Two neighbouring calls of one rank change places.
void spoil(std::mt19937& draw, std::vector<std::vector<Act>>& acts) {
  std::vector<Act>& of = acts[draw() % acts.size()];
  std::vector<std::size_t> calls;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of[i].what == Act::What::call) calls.push_back(i);
  }
  if (calls.size() < 2) return;
  const std::size_t at = draw() % (calls.size() - 1);
  std::swap(of[calls[at]].call, of[calls[at + 1]].call);
}

/// Longer than an operation waits before it looks why.
constexpr std::int32_t kLateMs = 130;

/// The worst result of the rank's streams. `never_through`: it waits for an operation that never
/// ends.
std::pair<aclError, std::string> act(HcclComm comm, std::size_t streams, aclrtStream never_through,
                                     const std::vector<Act>& acts) {
  std::vector<std::unique_ptr<Caller>> callers;
  std::pair<aclError, std::string> worst;
  const auto wait = [&](const Caller& caller) {
    const auto end = end_of(caller.stream);
    if (end.first != ACL_SUCCESS && worst.first == ACL_SUCCESS) worst = end;
  };
  for (std::size_t i = 0; i < streams; ++i) {
    aclrtStream stream = nullptr;
    must(aclrtCreateStream(&stream) == ACL_SUCCESS);
    callers.push_back(std::make_unique<Caller>(comm, stream, 10));
  }
  for (const Act& next : acts) {
    switch (next.what) {
      case Act::What::call:
        callers[next.stream]->call(next.call);
        break;
      case Act::What::wait:
        wait(*callers[next.stream]);
        break;
      case Act::What::late:
        aclrtSynchronizeStreamWithTimeout(never_through, kLateMs);
        break;
    }
  }
  for (const auto& caller : callers) wait(*caller);
  for (const auto& caller : callers) aclrtDestroyStreamForce(caller->stream);
  return worst;
}

}  // namespace

// The waits are long enough for a deadlock search. Each false report of a deadlock makes the test
// fail.
TEST_CASE(
    "right programs on several streams are left alone, and wrong ones end before the time limit",
    "[hccl][deadlock]") {
  const unsigned seed = Catch::rngSeed();
  CAPTURE(seed);
  std::mt19937 draw(seed);
  for (int i = 0; i < 16; ++i) {
    const std::size_t ranks = 2 + draw() % 2, streams = 1 + draw() % 3;
    const bool wrong = i % 2 == 1;
    auto acts = draw_program(draw, ranks, streams);
    if (wrong) spoil(draw, acts);
    OneThread world(static_cast<std::uint32_t>(ranks));
    const auto ends = as_threads(world.ranks(), [&](std::uint32_t rank) {
      aclrtStream never_through = nullptr;
      aclrtNotify notify = nullptr;
      must(aclrtCreateStream(&never_through) == ACL_SUCCESS);
      must(aclrtCreateNotify(&notify, 0) == ACL_SUCCESS);
      must(aclrtWaitAndResetNotify(notify, never_through, 0) == ACL_SUCCESS);
      auto end = act(world.comms[rank], streams, never_through, acts[rank]);
      aclrtDestroyStreamForce(never_through);
      aclrtDestroyNotify(notify);
      return end;
    });
    for (const auto& [code, text] : ends) {
      CAPTURE(i, ranks, streams, text);
      CHECK((code == ACL_SUCCESS || (wrong && code == ACL_ERROR_RT_INTERNAL_ERROR)));
    }
  }
}

namespace {

CHILD_PROGRAM(stands_still) {
  const RankArguments arguments;
  HcclComm comm = nullptr;
  must(HcclCommInitRootInfo(arguments.ranks, &arguments.info, arguments.rank, &comm) ==
       HCCL_SUCCESS);
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  {
    Caller caller(comm, stream, arguments.seed / 16);
    caller.call_all(kMisfits[arguments.seed % 16].rows[arguments.rank]);
    const auto [code, text] = end_of(stream);
    std::cout << fmt::format("{} {}", code, text) << std::endl;
    std::string word;
    std::cin >> word;
  }
  HcclCommDestroy(comm);
  aclrtDestroyStreamForce(stream);
  return 0;
}

}  // namespace

TEST_CASE("so are those of processes and of two hosts that wait for each other",
          "[hccl][fail][deadlock][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  for (std::size_t i = 0; i < kMisfits.size(); ++i) {
    const std::size_t count = kMisfits[i].rows.size();
    for (const int last : {0, 1}) {
      std::vector<int> layout(count, 0);
      layout.back() = last;
      CAPTURE(layout, kMisfits[i].rows);
      const RanksOfHosts ranks(*hosts, layout, "stands_still", (i % 2 ? 100 : 20000) * 16 + i);
      for (const auto& child : ranks.children) {
        const std::string answer = child->hear();
        check_told(kMisfits[i], std::stoi(answer), answer);
      }
      for (const auto& child : ranks.children) child->say("end");
    }
  }
}
