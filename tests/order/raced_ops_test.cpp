// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/raced_ops.h"

#include "tests/support/catch.h"

namespace {

using order::Finding;
using order::OpInfo;
using order::RacedOps;
using order::Rule;

OpInfo on_stream(std::uint32_t stream, std::uint32_t number) {
  OpInfo op;
  op.stream = stream;
  op.number = number;
  return op;
}

OpInfo of_thread(std::uint32_t thread) {
  OpInfo op;
  op.thread = thread;
  return op;
}

Finding about(Rule rule, const OpInfo& it, const OpInfo& other, std::uint64_t when = 1) {
  Finding made(rule);
  made.op_info = it;
  made.other = other;
  made.when = when;
  return made;
}

Finding wait(const OpInfo& op, std::uint64_t when = 1) {
  Finding made(Rule::wait_before_record);
  made.op_info = op;
  made.when = when;
  return made;
}

}  // namespace

TEST_CASE("a race follows a wait if an operation of the stream after the wait races") {
  RacedOps raced;
  CHECK_FALSE(raced.follow(wait(on_stream(1, 5))));
  raced.add(about(Rule::race, on_stream(1, 7), on_stream(2, 3)));
  CHECK(raced.follow(wait(on_stream(1, 5))));
  CHECK(raced.follow(wait(on_stream(1, 7))));  // a wait without a task has the number of the next
  CHECK_FALSE(raced.follow(wait(on_stream(1, 8))));
  CHECK(raced.follow(wait(on_stream(2, 3))));
  CHECK_FALSE(raced.follow(wait(on_stream(2, 4))));
  CHECK_FALSE(raced.follow(wait(on_stream(3, 1))));
  raced.clear();
  CHECK_FALSE(raced.follow(wait(on_stream(1, 5))));
}

TEST_CASE("a race follows the wait of a host thread if a later access of the thread races") {
  RacedOps raced;
  raced.add(about(Rule::host_buffer, of_thread(11), on_stream(2, 3), 6));
  CHECK(raced.follow(wait(of_thread(11), 5)));
  CHECK_FALSE(raced.follow(wait(of_thread(11), 7)));
  CHECK_FALSE(raced.follow(wait(of_thread(12), 5)));
  // The earlier access of a host thread may have come before the wait.
  raced.add(about(Rule::race, on_stream(1, 1), of_thread(13), 9));
  CHECK_FALSE(raced.follow(wait(of_thread(13), 5)));
}

TEST_CASE("findings that are about no order are no races") {
  RacedOps raced;
  raced.add(about(Rule::unwritten_read, on_stream(1, 7), on_stream(2, 3)));
  CHECK_FALSE(raced.follow(wait(on_stream(1, 5))));
}
