// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/batch_queue.h"

#include <mutex>
#include <thread>
#include <vector>

#include "device_sim/base/ref.h"
#include "tests/support/catch.h"

namespace {
using Batches = sim::BatchQueue<int>;

std::vector<int> rest_of_batch(Batches& queue) {
  std::vector<int> items;
  for (int item = 0; queue.next(item);) items.push_back(item);
  return items;
}

struct Counted : sim::RefCounted<Counted> {
  explicit Counted(int& gone) : gone_(gone) {}
  ~Counted() { ++gone_; }
  int& gone_;
};
}  // namespace

TEST_CASE("a batch holds what was pushed before it, in order", "[batch_queue]") {
  Batches queue;
  for (const int i : {1, 2, 3}) queue.push(i, nullptr);
  CHECK(rest_of_batch(queue).empty());  // none was begun
  REQUIRE(queue.refill());
  queue.push(4, nullptr);
  CHECK(rest_of_batch(queue) == std::vector{1, 2, 3});
  REQUIRE(queue.refill());
  CHECK(rest_of_batch(queue) == std::vector{4});
  CHECK_FALSE(queue.refill());
  CHECK(queue.empty());
}

TEST_CASE("a batch that was left half way goes on with the next consumer", "[batch_queue]") {
  Batches queue;
  for (const int i : {1, 2}) queue.push(i, nullptr);
  REQUIRE(queue.refill());
  int item = 0;
  REQUIRE(queue.next(item));
  queue.push(3, nullptr);
  CHECK_FALSE(queue.empty());
  REQUIRE(queue.refill());
  CHECK(rest_of_batch(queue) == std::vector{2});
}

TEST_CASE("who looks without the lock sees what came since the last batch began", "[batch_queue]") {
  Batches queue;
  CHECK_FALSE(queue.was_pushed());
  for (const int i : {1, 2}) queue.push(i, nullptr);
  CHECK(queue.was_pushed());
  REQUIRE(queue.refill());
  CHECK(queue.batch_size() == 2);
  CHECK_FALSE(queue.was_pushed());
  queue.push(3, nullptr);
  CHECK(queue.was_pushed());
}

TEST_CASE("what was not begun can be taken back, from the batch as well", "[batch_queue]") {
  Batches queue;
  const int a = 0, b = 0;
  for (const int i : {1, 2, 3}) queue.push(i, i == 2 ? &b : &a);
  REQUIRE(queue.refill());
  int item = 0;
  REQUIRE(queue.next(item));
  queue.push(4, &a);
  queue.push(5, &b);
  CHECK(queue.size() == 4);
  CHECK(queue.take_back(&a) == std::vector{3, 4});
  CHECK(queue.take_back(&a).empty());
  CHECK(queue.size() == 2);
  CHECK(rest_of_batch(queue) == std::vector{2});
  CHECK(queue.take_all() == std::vector{5});
  CHECK(queue.empty());
}

TEST_CASE("an item is either consumed or taken back", "[batch_queue]") {
  constexpr int kItems = 20'000;
  Batches queue;
  std::mutex lock;
  std::vector<int> times(kItems, 0);
  std::vector<int> back;
  std::thread other([&] {
    for (int i = 0; i < kItems; ++i) {
      const std::lock_guard guard(lock);
      queue.push(i, &back);
      if (i % 7 != 0) continue;
      for (const int item : queue.take_back(&back)) back.push_back(item);
    }
    const std::lock_guard guard(lock);
    queue.push(-1, nullptr);
  });
  for (int item = 0; item != -1;) {
    while (queue.next(item) && item != -1) ++times[static_cast<std::size_t>(item)];
    const std::lock_guard guard(lock);
    queue.refill();
  }
  other.join();
  for (const int item : back) ++times[static_cast<std::size_t>(item)];
  CHECK(times == std::vector<int>(kItems, 1));
}

TEST_CASE("a stock of references keeps its object, and gives up what it did not hand out",
          "[ref]") {
  int gone = 0;
  std::vector<sim::Ref<Counted>> refs;
  {
    sim::RefStock<Counted> stock;
    CHECK_FALSE(stock);
    stock = sim::RefStock(sim::make_ref<Counted>(gone));
    for (int i = 0; i < 200; ++i) refs.push_back(stock.share());
    refs.clear();
    CHECK(gone == 0);
    refs.push_back(stock.share());
  }
  CHECK(gone == 0);
  refs.clear();
  CHECK(gone == 1);
}

TEST_CASE("references that are given back together are all given back", "[ref]") {
  int gone = 0;
  {
    sim::RefReturns<Counted> returns;
    auto a = sim::make_ref<Counted>(gone);
    auto b = sim::make_ref<Counted>(gone);
    returns.add({});
    for (int i = 0; i < 3; ++i) returns.add(a);
    returns.add(std::move(a));
    CHECK(gone == 0);
    returns.add(b);
    CHECK(gone == 1);
    returns.flush();
    CHECK(gone == 1);
    returns.add(std::move(b));
  }
  CHECK(gone == 2);
}
