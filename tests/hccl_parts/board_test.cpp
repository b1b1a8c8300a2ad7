// SPDX-License-Identifier: Apache-2.0
// The boards on which ranks meet, without ranks: numbers that go round, comparison, failures. And
// what each rank is to fetch, of all kinds of collectives.
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <thread>

#include "runtime/hccl/board/deadlock.h"
#include "runtime/hccl/board/request.h"
#include "runtime/hccl/board/round.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

using namespace hccl;
using catch_compat::ContainsSubstring;

namespace {

/// Boards of so many ranks, in plain memory.
struct Boards {
  explicit Boards(int ranks) {
    for (int rank = 0; rank < ranks; ++rank) {
      pages.push_back(std::make_unique<std::vector<std::uint64_t>>(Board::bytes(ranks) / 8 + 1));
      all.emplace_back(reinterpret_cast<std::byte*>(pages.back()->data()), ranks);
    }
  }
  Round round(int me, std::uint64_t number) { return {all, me, number}; }
  std::vector<std::unique_ptr<std::vector<std::uint64_t>>> pages;
  std::vector<Board> all;
};

Call all_reduce(std::uint64_t count) {
  Call call;
  call.kind = Kind::all_reduce;
  call.type = HCCL_DATA_TYPE_FP32;
  call.op = HCCL_REDUCE_SUM;
  call.count = count;
  return call;
}

}  // namespace

TEST_CASE("a rank waits until all have posted, and then until all have finished", "[board]") {
  Boards boards(3);
  CHECK(boards.round(0, 0).first_missing() == 0);
  boards.round(2, 0).post();
  boards.round(0, 0).post();
  CHECK(boards.round(0, 0).first_missing() == 1);
  boards.round(1, 0).post();
  CHECK(boards.round(2, 0).first_missing() == -1);
  CHECK(boards.round(2, 0).first_unfinished() == 0);
  boards.round(0, 0).finish();
  boards.round(2, 0).finish();
  CHECK(boards.round(2, 0).first_unfinished() == 1);
  boards.round(1, 0).finish();
  CHECK(boards.round(2, 0).first_unfinished() == -1);
}

TEST_CASE("an entry is used again once all have finished what it held", "[board]") {
  Boards boards(2);
  for (std::uint64_t number = 0; number < Board::kEntries; ++number) {
    for (const int rank : {0, 1}) boards.round(rank, number).post();
    boards.round(0, number).finish();
  }
  CHECK(boards.round(0, Board::kEntries).first_blocking() == 1);
  boards.round(1, 0).finish();
  CHECK(boards.round(0, Board::kEntries).first_blocking() == -1);
  CHECK(boards.round(0, Board::kEntries + 1).first_blocking() == 1);
  // A rank that has reused the entry of a number has finished that number.
  boards.round(1, Board::kEntries).post();
  CHECK(boards.all[1].phase(0) == Phase::finished);
  CHECK(boards.all[0].phase(Board::kEntries) == Phase::none);
}

TEST_CASE("who ends without a word in the line is counted, also out of turn", "[board]") {
  Boards boards(2);
  const Board& board = boards.all[0];
  for (const std::uint64_t number : {0, 1, 2}) boards.round(0, number).post();
  boards.round(0, 1).end();
  CHECK(board.has_ended(1));
  CHECK_FALSE(board.has_ended(0));
  CHECK(board.ended() == 0);
  boards.round(0, 0).end();
  CHECK(board.phase(0) == Phase::posted);
  CHECK(board.ended() == 2);
  boards.round(0, 2).finish();
  CHECK(board.phase(2) == Phase::finished);
  CHECK(board.ended() == 3);
  CHECK(boards.round(0, 2).ended_by_all() == 0);
}

TEST_CASE("random orders of posting and finishing never let two numbers meet", "[board]") {
  std::mt19937_64 random(support::first_seed());
  for (int run = 0; run < 50; ++run) {
    const int ranks = 2 + static_cast<int>(random() % 3);
    Boards boards(ranks);
    std::vector<std::uint64_t> next(static_cast<std::size_t>(ranks));
    std::vector<bool> posted(static_cast<std::size_t>(ranks));
    for (int step = 0; step < 2000; ++step) {
      const int rank = static_cast<int>(random() % static_cast<std::uint64_t>(ranks));
      const auto at = static_cast<std::size_t>(rank);
      const Round round = boards.round(rank, next[at]);
      if (!posted[at]) {
        if (round.first_blocking() >= 0) continue;
        round.entry().call = all_reduce(next[at]);
        round.post();
        posted[at] = true;
      } else if (round.first_missing() < 0) {
        REQUIRE(round.first_misfit() == -1);  // the counts are the numbers
        random() % 2 == 0 ? round.finish() : round.end();
        posted[at] = false;
        ++next[at];
      }
    }
    for (const std::uint64_t number : next) REQUIRE(number > 0);
  }
}

TEST_CASE("who finishes late does not touch what its entry holds next", "[board]") {
  Boards boards(1);
  const Board& board = boards.all[0];
  constexpr std::uint64_t kNumbers = 100'000;
  std::atomic<std::uint64_t> next{0}, lost{0};
  const auto stream = [&] {
    for (std::uint64_t number = next++; number < kNumbers; number = next++) {
      const Round round = boards.round(0, number);
      while (round.first_blocking() >= 0) std::this_thread::yield();
      round.post();
      for (int i = 0; i < 20; ++i) lost += board.phase(number) != Phase::posted;
      number % 3 == 0 ? round.end() : round.finish();
    }
  };
  std::thread other(stream);
  stream();
  other.join();
  CHECK(lost == 0);
  CHECK(board.ended() == kNumbers);
}

TEST_CASE("calls that differ in anything that matters do not fit", "[board]") {
  const Call call = all_reduce(4);
  CHECK(call.fits(call));
  const auto differs = [&](auto change) {
    Call other = call;
    change(other);
    Boards boards(2);
    boards.round(0, 0).entry().call = call;
    boards.round(1, 0).entry().call = other;
    return boards.round(0, 0).first_misfit() == 1 && boards.round(1, 0).first_misfit() == 0;
  };
  CHECK(differs([](Call& c) { c.kind = Kind::reduce; }));
  CHECK(differs([](Call& c) { c.type = HCCL_DATA_TYPE_FP16; }));
  CHECK(differs([](Call& c) { c.op = HCCL_REDUCE_MAX; }));
  CHECK(differs([](Call& c) { c.root = 1; }));
  CHECK(differs([](Call& c) { c.count = 5; }));
  CHECK(differs([](Call& c) { c.digest = 5; }));
}

TEST_CASE("calls of small collectives are compared by their codes, and never fit others",
          "[board]") {
  Boards boards(2);
  for (const int rank : {0, 1}) boards.round(rank, 3).line().code = all_reduce(4).code();
  boards.round(1, 3).entry().call = all_reduce(7);  // of an earlier one
  CHECK(boards.round(0, 3).first_misfit() == -1);
  boards.round(1, 3).line().code = all_reduce(5).code();
  CHECK(boards.round(0, 3).first_misfit() == 1);
  boards.round(1, 3).line().code = 0;
  boards.round(1, 3).entry().call = all_reduce(4);
  CHECK(boards.round(0, 3).first_misfit() == 1);
  CHECK(boards.round(1, 3).first_misfit() == 0);
}

TEST_CASE("a rank has told its call with its line, unless that is a small one's", "[board]") {
  Boards boards(2);
  const Round round = boards.round(0, 17);
  CHECK(round.has_sent_entry(1));
  boards.round(1, 17).line().code = all_reduce(4).code();
  CHECK_FALSE(round.has_sent_entry(1));
  boards.round(1, 17).entry().sent = 2;  // of an earlier one
  CHECK_FALSE(round.has_sent_entry(1));
  boards.round(1, 17).entry().sent = 18;
  CHECK(round.has_sent_entry(1));
}

TEST_CASE("two lines of a program may meet", "[board]") {
  Boards boards(2);
  for (const int rank : {0, 1}) boards.round(rank, 0).entry().call = all_reduce(4);
  boards.round(1, 0).entry().site.offset = 5;
  CHECK(boards.round(0, 0).first_misfit() == -1);
}

TEST_CASE("a call is told as the program wrote it", "[board]") {
  CHECK(all_reduce(4).text() == "HcclAllReduce(count 4, fp32, sum)");
  Call call;
  call.kind = Kind::barrier;
  CHECK(call.text() == "HcclBarrier");
  call.kind = Kind::broadcast;
  call.type = HCCL_DATA_TYPE_INT8;
  call.count = 3;
  call.root = 1;
  CHECK(call.text() == "HcclBroadcast(count 3, int8, root 1)");
}

TEST_CASE("a place in the program is found again in another process of it", "[board]") {
  const Site site = Site::of(reinterpret_cast<const void*>(&all_reduce));
  CHECK_THAT(site.text(), ContainsSubstring("test_hccl_parts+0x"));
  CHECK(site.here() == reinterpret_cast<const void*>(&all_reduce));
  Site elsewhere = site;
  std::strcpy(elsewhere.module, "/no/such/program");
  CHECK(elsewhere.here() == nullptr);
}

TEST_CASE("sends and receives meet one by one, and entries are used again", "[board]") {
  Boards boards(2);
  const auto delivery = [&](std::uint64_t number) { return Delivery(boards.all, 0, 1, number); };
  for (std::uint64_t number = 0; number < Board::kSendEntries; ++number) {
    REQUIRE(delivery(number).may_show());
    delivery(number).show();
  }
  CHECK_FALSE(delivery(Board::kSendEntries).may_show());
  CHECK(delivery(1).shown());
  CHECK_FALSE(delivery(1).is_next());
  CHECK(delivery(0).is_next());
  delivery(0).receive();
  CHECK(delivery(0).received());
  CHECK(delivery(1).is_next());
  CHECK(delivery(Board::kSendEntries).may_show());
  delivery(Board::kSendEntries).show();
  CHECK_FALSE(delivery(0).shown());
  CHECK_FALSE(Delivery(boards.all, 1, 0, 0).shown());  // the other algorithm is another one
}

TEST_CASE("the first failure of a rank is the one that all see", "[board]") {
  Boards boards(2);
  CHECK_FALSE(first_failure(boards.all));
  CHECK(show_failure(boards.all[1], 7, "first"));
  CHECK_FALSE(show_failure(boards.all[1], 8, "second"));
  const auto shown = first_failure(boards.all);
  REQUIRE(shown);
  CHECK(shown->rank == 1);
  CHECK(shown->code == 7);
  CHECK(shown->text == "first");
  show_leaving(boards.all[1]);
  CHECK_FALSE(has_left(boards.all[1]));  // it had failed before
  CHECK(show_failure(boards.all[0], 9, std::string(5000, 'x')));
  CHECK(first_failure(boards.all)->text.size() < 1024);
}

TEST_CASE("the shares of a large reduction are all of it, once", "[board]") {
  for (const int ranks : {1, 2, 3, 7, 8}) {
    for (const std::uint64_t count : {1025, 4096, 5001, 100003}) {
      Shape shape{all_reduce(count), 4, ranks, ranks - 1};
      const Request request = request_all_reduce(shape);
      std::uint64_t next = 0;
      for (const Part& part : request.send_parts) {
        if (part.bytes != 0) CHECK(part.offset == next);
        CHECK(part.bytes % 4 == 0);
        next += part.bytes;
      }
      CHECK(next == shape.bytes());
      CHECK(request.target == (fits_on_board(shape.bytes()) ? Target::own : Target::all));
    }
  }
}

TEST_CASE("what one rank sends is what the other expects, of every kind", "[board]") {
  constexpr int kRanks = 4;
  const std::uint64_t matrix[] = {1, 2, 3, 4, 0, 6, 7, 8, 9, 10, 0, 12, 13, 14, 15, 16};
  const auto check = [](auto make) {
    std::vector<Request> all;
    for (int rank = 0; rank < kRanks; ++rank) all.push_back(make(rank));
    for (std::size_t from = 0; from < kRanks; ++from) {
      CHECK(all[from].call.fits(all[0].call));
      for (std::size_t to = 0; to < kRanks; ++to) {
        CHECK(all[from].send_parts[to].bytes == all[to].receive_parts[from].bytes);
        const Part& into = all[to].receive_parts[from];
        CHECK((into.bytes == 0 || into.offset + into.bytes <= all[to].receive_bytes));
      }
    }
  };
  const auto shape = [](int rank) {
    Shape made{all_reduce(10), 4, kRanks, rank};
    made.call.root = 2;
    return made;
  };
  check([&](int rank) { return request_broadcast(shape(rank)); });
  check([&](int rank) { return request_scatter(shape(rank)); });
  check([&](int rank) { return request_all_gather(shape(rank)); });
  check([&](int rank) { return request_all_to_all(shape(rank)); });
  check([&](int rank) { return request_barrier(shape(rank)); });
  check([&](int rank) { return request_all_to_all_vc(shape(rank), matrix, 4); });
  check([&](int rank) {
    Shape own = shape(rank);
    own.call.count = matrix[rank];
    const std::uint64_t offsets[] = {20, 0, 5, 9};
    return request_all_gather_v(own, {matrix, offsets});
  });
}

TEST_CASE("what holds a rank is read whole while the rank writes it again", "[board]") {
  constexpr std::uint64_t kNumber = 21;
  const Boards boards(1);
  Published<Held>& entry = boards.all[0].held(kNumber);
  std::atomic<bool> read = false;
  std::thread writer([&] {
    for (std::uint64_t i = 1; i < 2000 || !read; ++i) {
      Held held;
      held.by = held.by_number = held.behind.site.offset = i;
      entry.write(kNumber, held);
    }
  });
  for (int seen = 0; seen < 100;) {
    const auto held = entry.read(kNumber);
    if (!held) continue;
    ++seen;
    if (held->by != held->by_number || held->by != held->behind.site.offset)
      FAIL_CHECK("of two: " << held->by);
  }
  read = true;
  writer.join();
  CHECK(entry.read(kNumber).has_value());
  CHECK_FALSE(entry.read(kNumber + Board::kEntries).has_value());
}

namespace {

/// The rank is at rest in that epoch and waits for those, of which it saw these epochs.
void stand(const Boards& boards, int rank, std::uint32_t epoch,
           const std::vector<WaitState::Awaited>& awaited) {
  WaitState wait_state;
  wait_state.epoch = epoch;
  wait_state.count = static_cast<std::uint32_t>(awaited.size());
  std::copy(awaited.begin(), awaited.end(), wait_state.awaited.begin());
  boards.all[static_cast<std::size_t>(rank)].wait_state().write(0, wait_state);
}

}  // namespace

TEST_CASE("ranks stand still when all are at rest that they wait for, since they looked",
          "[board][deadlock]") {
  const Boards boards(4);
  const auto still = [&](int me) {
    std::vector<int> ranks;
    for (const WaitingRank& one :
         find_deadlock(boards.all, me).value_or(std::vector<WaitingRank>())) {
      ranks.push_back(one.rank);
    }
    return ranks;
  };
  stand(boards, 0, 3, {{1, 5}});
  CHECK_FALSE(find_deadlock(boards.all, 0));  // rank 1 has not published a state
  stand(boards, 1, 5, {{0, 2}});
  CHECK_FALSE(find_deadlock(boards.all, 0));  // rank 0 may have done something since rank 1 looked
  stand(boards, 1, 5, {{0, 3}});
  CHECK(still(0) == std::vector{0, 1});
  CHECK(still(1) == std::vector{1, 0});

  stand(boards, 3, 1, {{0, 3}});  // waits for them, and they do not for it
  CHECK(still(3) == std::vector{3, 0, 1});
  stand(boards, 0, 3, {{1, 5}, {2, 9}});
  CHECK_FALSE(find_deadlock(boards.all, 0));  // either may let it go on
  stand(boards, 2, 9, {{1, 5}});
  CHECK(still(0) == std::vector{0, 1, 2});
  stand(boards, 2, 0, {{1, 5}});
  CHECK_FALSE(find_deadlock(boards.all, 0));
  stand(boards, 2, 9, {});
  CHECK_FALSE(find_deadlock(boards.all, 0));  // the state of the awaited rank is not known
  stand(boards, 2, 9, {{1, 5}});
  boards.all[1].wait_state().clear();
  CHECK_FALSE(find_deadlock(boards.all, 0));
}
