// SPDX-License-Identifier: Apache-2.0
// The states of buffers in queues, without a kernel.
#include "runtime/ascendc/core/queues.h"

#include <string>
#include <vector>

#include "tests/support/catch.h"

using ascendc::BufferState;
using ascendc::LocalBuffer;
using ascendc::Queues;

namespace {

constexpr std::uint32_t kVecIn = 9;
constexpr int kSite = 0;

struct Made {
  Queues queues;
  std::uint32_t id;

  explicit Made(std::uint32_t depth, std::uint32_t buffers)
      : id(queues.add_queue(kVecIn, kVecIn, depth)) {
    REQUIRE_FALSE(queues.init(id, 0, kVecIn, buffers, 64, ascendc::arch_of(2201), &kSite));
  }
  std::uint64_t alloc() {
    LocalBuffer* const taken = queues.alloc(id, &kSite);
    return taken ? queues.tensor_of(*taken) : 0;
  }
  bool enque(std::uint64_t tensor) { return queues.enque(id, tensor, &kSite) != nullptr; }
  std::uint64_t deque() {
    LocalBuffer* const found = queues.deque(id, &kSite);
    return found ? queues.tensor_of(*found) : 0;
  }
  bool free(std::uint64_t tensor) { return queues.free(id, tensor, &kSite) != nullptr; }
};

}  // namespace

TEST_CASE("tensors leave a queue in the order in which they came, also when it was empty between",
          "[queues]") {
  Made m(3, 3);
  for (int round = 0; round < 3; ++round) {
    const std::vector<std::uint64_t> tensors{m.alloc(), m.alloc(), m.alloc()};
    for (const std::size_t i : {2, 0, 1}) REQUIRE(m.enque(tensors[i]));
    CHECK(m.queues.enqueued(m.id) == 3);
    CHECK(m.deque() == tensors[2]);
    CHECK(m.deque() == tensors[0]);
    REQUIRE(m.enque(tensors[2]));  // again, after the tensors that wait
    CHECK(m.deque() == tensors[1]);
    CHECK(m.deque() == tensors[2]);
    CHECK(m.queues.enqueued(m.id) == 0);
    for (const std::uint64_t tensor : tensors) REQUIRE(m.free(tensor));
  }
}

TEST_CASE("buffers of a queue are taken in turns, whichever was freed last", "[queues]") {
  Made m(2, 3);
  const std::uint64_t first = m.alloc();
  REQUIRE(m.free(first));
  const LocalBuffer* const second = m.queues.buffer(m.alloc());
  CHECK(second->number == 1);
  CHECK(m.queues.buffer(m.alloc())->number == 2);
  CHECK(m.queues.buffer(m.alloc())->number == 0);
  CHECK(m.queues.idle(m.id) == 0);
}

TEST_CASE("a queue that gets fewer buffers begins among those it has", "[queues]") {
  Made m(2, 3);
  m.alloc();
  m.alloc();
  m.queues.forget_buffers();
  REQUIRE_FALSE(m.queues.init(m.id, 0, kVecIn, 1, 64, ascendc::arch_of(2201), &kSite));
  CHECK(m.alloc() != 0);
}

TEST_CASE("what a queue refuses has a reason, and changes nothing", "[queues]") {
  Made m(1, 2);
  const auto says = [&](bool fine, const std::string& why) {
    CHECK_FALSE(fine);
    CHECK(m.queues.refusal() == why);
  };
  says(m.deque() != 0, "DeQue: nothing is enqueued in the VECIN queue");
  const std::uint64_t one = m.alloc();
  const std::uint64_t other = m.alloc();
  says(
      m.alloc() != 0,
      "AllocTensor: none of the 2 buffers of the VECIN queue is free; hardware would wait forever");
  REQUIRE(m.enque(one));
  says(m.enque(one),
       "EnQue: buffer 0 of 2 of the VECIN queue is enqueued; expected a tensor of AllocTensor or "
       "DeQue");
  says(m.free(one),
       "FreeTensor: buffer 0 of 2 of the VECIN queue is enqueued; expected a tensor of DeQue or "
       "AllocTensor");
  says(m.enque(other),
       "EnQue: 1 tensors are enqueued already, and the depth of the VECIN queue is 1");
  REQUIRE(m.free(other));
  says(m.free(other),
       "FreeTensor: buffer 1 of 2 of the VECIN queue is free; expected a tensor of DeQue or "
       "AllocTensor");
  REQUIRE(m.alloc() != 0);
  says(m.free(other),
       "FreeTensor: the tensor was freed, and buffer 1 of 2 of the VECIN queue was taken again "
       "since");
  says(m.free(0), "FreeTensor: the tensor is not from this queue");
  CHECK(m.deque() == one);
  m.id = 0;
  says(m.alloc() != 0, "AllocTensor: the queue was not given to InitBuffer");
  says(m.deque() != 0, "DeQue: the queue was not given to InitBuffer");
  says(m.enque(one), "EnQue: the queue was not given to InitBuffer");
}
