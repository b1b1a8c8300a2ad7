// SPDX-License-Identifier: Apache-2.0
// Small collectives without ranks: what they are, and how calls are compared by one word. And how
// long ranks look for each other.
#include <random>
#include <set>

#include "hccl/hccl_types.h"
#include "runtime/hccl/board/poll_limits.h"
#include "runtime/hccl/board/small.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

using namespace hccl;

namespace {

Shape shape_of(Kind kind, std::uint64_t count, int ranks = 4, int me = 0) {
  Shape shape{{}, 4, ranks, me};
  shape.call.kind = kind;
  shape.call.type = HCCL_DATA_TYPE_FP32;
  shape.call.count = count;
  return shape;
}

}  // namespace

TEST_CASE("calls have the same code where they fit, and no other calls do", "[small]") {
  std::mt19937_64 random(support::first_seed());
  const auto any = [&](std::uint32_t most) {
    const auto value = static_cast<std::uint32_t>(random() % (most + 1));
    return value == most ? Call::kNone : value;
  };
  const auto make = [&] {
    Call call;
    call.kind = static_cast<Kind>(random() % 3);
    call.type = any(2);
    call.op = any(2);
    call.root = any(2);
    call.count = random() % 3;
    return call;
  };
  for (int i = 0; i < 20'000; ++i) {
    const Call a = make(), b = make();
    REQUIRE(a.code() != 0);
    REQUIRE((a.code() == b.code()) == a.fits(b));
  }
}

TEST_CASE("a call that is too much for one word has no code", "[small]") {
  Call call;
  call.count = 0xffff;
  call.type = 0xfe;
  call.root = 0xfffffe;
  CHECK(call.code() != 0);
  const auto without = [&](auto change) {
    Call other = call;
    change(other);
    return other.code() == 0;
  };
  CHECK(without([](Call& c) { c.count = 0x10000; }));
  CHECK(without([](Call& c) { c.type = 0xff; }));
  CHECK(without([](Call& c) { c.op = 0xff; }));
  CHECK(without([](Call& c) { c.root = 0xffffff; }));
  CHECK(without([](Call& c) { c.digest = 7; }));
}

TEST_CASE("whether a collective is small is the same on all ranks", "[small]") {
  for (int kind = 0; kind <= static_cast<int>(Kind::receive); ++kind) {
    for (const std::uint64_t count : {1, 1024, 1025, 1 << 20}) {
      std::set<bool> answers;
      for (int me = 0; me < 4; ++me) {
        Shape shape = shape_of(static_cast<Kind>(kind), count, 4, me);
        shape.call.root = 2;
        answers.insert(small_of(shape).has_value());
      }
      CHECK(answers.size() == 1);
      if (4 * count > Board::kDataBytes) CHECK(answers.count(false) == 1);
    }
  }
}

TEST_CASE("what a rank brings and takes in a small collective is what its request says",
          "[small]") {
  const auto check = [](Kind kind, Request (*request)(const Shape&)) {
    for (const std::uint64_t count : {1, 12, 13, 1024}) {
      for (int me = 0; me < 4; ++me) {
        Shape shape = shape_of(kind, count, 4, me);
        shape.call.root = 2;
        const auto small = small_of(shape);
        REQUIRE(small);
        CHECK(small->sent == request(shape).send_bytes());
        CHECK(small->received == request(shape).receive_bytes);
        CHECK(small->code == shape.call.code());
        CHECK(small->algorithm() == choose_algorithm(task_of(request(shape), Hosts({0, 0, 0, 0}))));
      }
    }
  };
  check(Kind::all_reduce, request_all_reduce);
  check(Kind::reduce, request_reduce);
  check(Kind::broadcast, request_broadcast);
  check(Kind::all_gather, request_all_gather);
}

TEST_CASE("a barrier is a small collective that brings nothing", "[small]") {
  Shape shape = shape_of(Kind::barrier, 0);
  shape.call.type = Call::kNone;
  const auto small = small_of(shape);
  REQUIRE(small);
  CHECK(small->sent == 0);
  CHECK(small->received == 0);
  CHECK(small->algorithm() == Algorithm::barrier);
}

TEST_CASE("two ranks of two hosts have larger boards, and more is small", "[small]") {
  const std::size_t most = most_of_small(2, 2);
  CHECK(most > Board::kDataBytes);
  CHECK(most_of_small(2, 1) == Board::kDataBytes);
  CHECK(most_of_small(4, 2) == Board::kDataBytes);
  CHECK(small_of(shape_of(Kind::all_reduce, most / 4, 2), most));
  CHECK_FALSE(small_of(shape_of(Kind::all_reduce, most / 4 + 1, 2), most));
  std::vector<std::uint64_t> pages(Board::bytes(2, most) / 8 + 1);
  const Board board(reinterpret_cast<std::byte*>(pages.data()), 2, most);
  CHECK(board.data(3) + most == reinterpret_cast<std::byte*>(&board.entry(3)));
  CHECK(board.offset_of(&board.line(4)) >= board.offset_of(&board.entry(3)) + board.head_bytes());
}

TEST_CASE("few bytes stand in the line, more behind it", "[small]") {
  std::vector<std::uint64_t> pages(Board::bytes(2) / 8 + 1);
  const Board board(reinterpret_cast<std::byte*>(pages.data()), 2);
  CHECK(small_data(board, 3, Line::kDataBytes) == board.line(3).data);
  CHECK(small_data(board, 3, Line::kDataBytes + 1) == board.data(3));
  CHECK(board.data(3) + Board::kDataBytes == reinterpret_cast<std::byte*>(&board.entry(3)));
}

TEST_CASE("ranks that share processors give way at once, those of one process sleep",
          "[patience]") {
  CHECK(PollLimits::on_host(8, 1, 2).quick == 0);
  CHECK(PollLimits::on_host(8, 1, 2).yielding > 0);
  CHECK(PollLimits::on_host(2, 1, 2).quick > 0);
  CHECK(PollLimits::on_host(4, 4, 2).yielding == 0);
  // A thread that runs several ranks goes back to the others soon.
  CHECK(PollLimits::on_host(4, 2, 2).yielding < PollLimits::on_host(4, 1, 2).yielding);
}

TEST_CASE("a rank goes on when its waits end only where it gives way, and ever more seldom",
          "[patience]") {
  Sharing sharing;
  const auto waits = [&](int limit) {
    int count = 0;
    while (count < limit && !sharing.should_poll_longer()) {
      sharing.waited(true);
      ++count;
    }
    return count;
  };
  const int first = waits(100);
  CHECK(first < 100);
  CHECK(waits(10'000) == 2 * first);
  for (int i = 0; i < 20; ++i) waits(10'000);
  CHECK(waits(10'000) < 10'000);
}

TEST_CASE("a rank whose peers mostly come by themselves does not", "[patience]") {
  Sharing sharing;
  for (int i = 0; i < 10'000; ++i) {
    sharing.waited(i % 4 != 0);
    REQUIRE_FALSE(sharing.should_poll_longer());
  }
}
