// SPDX-License-Identifier: Apache-2.0
// Words of memory and counters that streams wait for, graphs and the operations around them,
// reductions, buffers that are filled in order before they are copied.
#include <cstdint>
#include <cstring>

#include "tests/acl/graph.h"
#include "tests/check/cases.h"

using namespace world;

namespace check {
namespace {

struct WordDesk : Desk {
  DeviceMemory word{64};
  WordDesk() { REQUIRE_ACL(aclrtMemset(word, 64, 0, 64)); }
  void write(aclrtStream stream, std::uint64_t value) const {
    REQUIRE_ACL(aclrtValueWrite(word, value, 0, stream));
  }
  void wait_until(aclrtStream stream, std::uint64_t least) const {
    REQUIRE_ACL(aclrtValueWait(word, least, ACL_STREAM_WAIT_VALUE_GEQ, stream));
  }
};

void word_is_written_too_early(bool repaired) {
  const WordDesk desk;
  if (!repaired) desk.write(desk.a, 1);
  fill(desk.a, desk.x);
  if (repaired) desk.write(desk.a, 1);
  desk.wait_until(desk.b, 1);
  copy(desk.b, desk.y, desk.x);
  join(desk.b);
  join(desk.a);
}

void word_is_copied_into_place(bool repaired) {
  const WordDesk desk;
  std::memset(desk.in, 1, kSize);
  const auto release = [&] {
    REQUIRE_ACL(aclrtMemcpyAsync(desk.word, 8, desk.in, 8, ACL_MEMCPY_HOST_TO_DEVICE, desk.a));
  };
  if (!repaired) release();
  fill(desk.a, desk.x);
  if (repaired) release();
  desk.wait_until(desk.b, 1);
  copy(desk.b, desk.y, desk.x);
  join(desk.b);
  join(desk.a);
}

// The copy was enqueued before the host does anything.
void host_writes_the_word_too_early(bool repaired) {
  const WordDesk desk;
  std::memset(desk.in, 1, kSize);
  desk.wait_until(desk.b, 1);
  copy(desk.b, desk.y, desk.x);
  const auto release = [&] {
    REQUIRE_ACL(aclrtMemcpy(desk.word, 8, desk.in, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  };
  if (!repaired) release();
  REQUIRE_ACL(aclrtMemset(desk.x, kSize, 1, kSize));
  if (repaired) release();
  join(desk.b);
}

void word_is_not_cleared_between_rounds(bool repaired) {
  const WordDesk desk;
  for (int round = 0; round < 2; ++round) {
    fill(desk.a, desk.x);
    desk.write(desk.a, 1);
    desk.wait_until(desk.b, 1);
    copy(desk.b, desk.y, desk.x);
    join(desk.b);
    join(desk.a);
    if (repaired) REQUIRE_ACL(aclrtMemset(desk.word, 64, 0, 64));
  }
}

void word_is_freed_under_a_wait(bool repaired) {
  const Desk desk;
  DeviceMemory word(64);
  REQUIRE_ACL(aclrtMemset(word, 64, 0, 64));
  REQUIRE_ACL(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_GEQ, desk.b));
  if (repaired) {
    REQUIRE_ACL(aclrtValueWrite(word, 1, 0, desk.a));
    join(desk.b);
    join(desk.a);
  }
  { const DeviceMemory ended(std::move(word)); }
  aclrtSynchronizeStream(desk.b);  // the wait has failed, where its word is gone
}

// The runtime and a host function write the bytes before the copy that reads them is enqueued,
// which is correct.
void staging_is_changed_while_it_waits(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.x);
  copy(desk.a, desk.in, desk.x);
  copy(desk.a, desk.y, desk.in);
  REQUIRE_ACL(aclrtLaunchHostFunc(
      desk.a, [](void* to) { std::memset(to, 7, kSize); }, desk.in));
  copy(desk.a, desk.z, desk.in);
  join(desk.a);
  copy(desk.b, desk.z, desk.in);
  if (repaired) join(desk.b);
  std::memset(desk.in, 8, kSize);
  join(desk.b);
}

void graph_memory_is_freed_at_its_launch(bool repaired) {
  const Desk desk;
  DeviceMemory touched(kSize);
  const auto graph = capture(desk.a, [&] { fill(desk.a, touched); });
  const auto gate = Event::old(ACL_EVENT_SYNC);
  wait(desk.a, gate);
  REQUIRE_ACL(aclmdlRIExecuteAsync(graph, desk.a));
  if (repaired) record(gate, desk.b);
  if (repaired) join(desk.a);
  { const DeviceMemory ended(std::move(touched)); }
  if (!repaired) record(gate, desk.b);
  aclrtSynchronizeStream(desk.a);  // the fill has failed, where its memory is gone
  join(desk.b);
}

void graph_records_an_event_too_early(bool repaired) {
  const Desk desk;
  const auto event = Event::ex(ACL_EVENT_SYNC);
  const auto graph = capture(desk.a, [&] {
    if (repaired) fill(desk.a, desk.x);
    REQUIRE_ACL(aclrtRecordEventWithFlag(event, desk.a, 1));
    if (!repaired) fill(desk.a, desk.x);
  });
  REQUIRE_ACL(aclmdlRIExecuteAsync(graph, desk.a));
  wait(desk.b, event);
  copy(desk.b, desk.y, desk.x);
  join(desk.b);
  join(desk.a);
}

void graph_waits_for_an_event_too_late(bool repaired) {
  const Desk desk;
  const auto event = Event::ex(ACL_EVENT_SYNC);
  const auto graph = capture(desk.a, [&] {
    if (!repaired) copy(desk.a, desk.y, desk.x);
    REQUIRE_ACL(aclrtStreamWaitEventWithFlag(desk.a, event, 0, 1));
    if (repaired) copy(desk.a, desk.y, desk.x);
  });
  fill(desk.b, desk.x);
  record(event, desk.b);
  REQUIRE_ACL(aclmdlRIExecuteAsync(graph, desk.a));
  join(desk.a);
  join(desk.b);
}

void reduction_meets_a_read(bool repaired) {
  const Desk desk;
  REQUIRE_ACL(aclrtMemset(desk.x, kSize, 0, kSize));
  REQUIRE_ACL(aclrtMemset(desk.y, kSize, 0, kSize));
  for (aclrtStream stream : {aclrtStream(desk.a), aclrtStream(desk.b)}) {
    REQUIRE_ACL(aclrtReduceAsync(desk.x, desk.y, kSize, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32,
                                 stream, nullptr));
  }
  join(desk.a);
  if (repaired) join(desk.b);
  REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
}

void reduce(aclrtStream stream, void* to, const void* from,
            aclrtReduceKind kind = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, aclDataType type = ACL_INT32) {
  REQUIRE_ACL(aclrtReduceAsync(to, from, kSize, kind, type, stream, nullptr));
}

// The reduction behind the fill does not hide it from the other stream.
void reduction_meets_a_fill_under_a_reduction(bool repaired) {
  const Desk desk;
  REQUIRE_ACL(aclrtMemset(desk.y, kSize, 1, kSize));
  fill(desk.a, desk.x);
  if (repaired) behind(desk.a, desk.b);
  reduce(desk.a, desk.x, desk.y);
  reduce(desk.b, desk.x, desk.y);
  join(desk.a);
  join(desk.b);
}

void reduction_meets_a_copy_before_a_reduction(bool repaired) {
  const Desk desk;
  REQUIRE_ACL(aclrtMemset(desk.x, kSize, 1, kSize));
  REQUIRE_ACL(aclrtMemset(desk.y, kSize, 1, kSize));
  copy(desk.a, desk.z, desk.x);
  if (repaired) behind(desk.a, desk.b);
  reduce(desk.a, desk.x, desk.y);
  reduce(desk.b, desk.x, desk.y);
  join(desk.a);
  join(desk.b);
}

void reductions_of_two(bool repaired, aclrtReduceKind kind, aclDataType type) {
  const Desk desk;
  REQUIRE_ACL(aclrtMemset(desk.x, kSize, 1, kSize));
  REQUIRE_ACL(aclrtMemset(desk.y, kSize, 1, kSize));
  reduce(desk.a, desk.x, desk.y);
  if (repaired) behind(desk.a, desk.b);
  reduce(desk.b, desk.x, desk.y, kind, type);
  join(desk.a);
  join(desk.b);
}

void reductions_of_two_kinds(bool repaired) {
  reductions_of_two(repaired, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, ACL_INT32);
}

void reductions_of_two_types(bool repaired) {
  reductions_of_two(repaired, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT16);
}

// The value behind the fill does not hide it either; to read the value alone is no race.
void read_meets_a_fill_under_a_value(bool repaired) {
  const WordDesk desk;
  REQUIRE_ACL(aclrtMemsetAsync(desk.word, 64, 0, 64, desk.a));
  if (repaired) behind(desk.a, desk.b);
  desk.write(desk.a, 1);
  REQUIRE_ACL(aclrtMemcpyAsync(desk.out, 8, desk.word, 8, ACL_MEMCPY_DEVICE_TO_HOST, desk.b));
  join(desk.a);
  join(desk.b);
}

void value_meets_a_reduction(bool repaired) {
  const Desk desk;
  REQUIRE_ACL(aclrtMemset(desk.x, kSize, 1, kSize));
  REQUIRE_ACL(aclrtMemset(desk.y, kSize, 1, kSize));
  reduce(desk.a, desk.x, desk.y);
  if (repaired) behind(desk.a, desk.b);
  REQUIRE_ACL(aclrtValueWrite(desk.x, 1, 0, desk.b));
  join(desk.a);
  join(desk.b);
}

// One event is handed on from stream to stream.
void chain_leaves_out_a_stream(bool repaired) {
  const Desk desk;
  const auto event = Event::ex();
  fill(desk.a, desk.x);
  record(event, desk.a);
  if (repaired) wait(desk.b, event);
  record(event, desk.b);
  wait(desk.c, event);
  copy(desk.c, desk.y, desk.x);
}

}  // namespace

const std::vector<Case>& number_cases() {
  static const std::vector<Case> rows{
      {"w1", "a word is written before what it stands for", "ACL007", word_is_written_too_early},
      {"w2", "a word is copied into place too early", "ACL007", word_is_copied_into_place},
      {"w2b", "the host writes a word before what it stands for", "ACL007",
       host_writes_the_word_too_early},
      {"w3", "a word is not cleared between rounds", "ACL007", word_is_not_cleared_between_rounds},
      {"w4", "a word is freed under a wait", "ACL006", word_is_freed_under_a_wait},
      {"h1", "a staging buffer is changed too early", "ACL008", staging_is_changed_while_it_waits},
      {"g1", "a graph's memory is freed at its launch", "ACL006",
       graph_memory_is_freed_at_its_launch},
      {"g2", "a graph records an event too early", "ACL007", graph_records_an_event_too_early},
      {"g3", "a graph waits for an event too late", "ACL007", graph_waits_for_an_event_too_late},
      {"r1", "a reduction is read before all have come", "ACL007", reduction_meets_a_read},
      {"r2", "a reduction does not wait for the fill under another one", "ACL007",
       reduction_meets_a_fill_under_a_reduction},
      {"r3", "a reduction does not wait for the copy before another one", "ACL007",
       reduction_meets_a_copy_before_a_reduction},
      {"r4", "a sum and a maximum at the same time", "ACL007", reductions_of_two_kinds},
      {"r5", "sums of two types at the same time", "ACL007", reductions_of_two_types},
      {"r6", "a value is written over a reduction", "ACL007", value_meets_a_reduction},
      {"w5", "a word is read under the fill before its value", "ACL007",
       read_meets_a_fill_under_a_value},
      {"c1", "a chain of one event leaves out a stream", "ACL007", chain_leaves_out_a_stream},
  };
  return rows;
}

}  // namespace check
