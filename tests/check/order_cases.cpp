// SPDX-License-Identifier: Apache-2.0
// Streams that are not ordered, or not as the program intends.
#include "tests/check/cases.h"

using namespace world;

namespace check {
namespace {

void reader_does_not_wait(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.x);
  if (repaired) behind(desk.a, desk.b);
  copy(desk.b, desk.out, desk.x);
  join(desk.b);
  join(desk.a);
}

void writer_overtakes_reader(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.x);
  join(desk.a);
  copy(desk.a, desk.y, desk.x);
  if (repaired) behind(desk.a, desk.b);
  fill(desk.b, desk.x);
}

void two_writers(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.x);
  if (repaired) behind(desk.a, desk.b);
  fill(desk.b, desk.x);
}

void wait_before_record(bool repaired) {
  const Desk desk;
  const auto event = Event::ex();
  if (!repaired) wait(desk.b, event);
  fill(desk.a, desk.x);
  record(event, desk.a);
  if (repaired) wait(desk.b, event);
  copy(desk.b, desk.out, desk.x);
}

void wait_is_refused_before_record(bool repaired) {
  const Desk desk;
  const Event event;
  if (repaired) record(event, desk.a);
  aclrtStreamWaitEvent(desk.b, event);  // an error, which the program ignores
}

void record_before_work(bool repaired) {
  const Desk desk;
  const auto event = Event::ex();
  if (!repaired) record(event, desk.a);
  fill(desk.a, desk.x);
  if (repaired) record(event, desk.a);
  wait(desk.b, event);
  copy(desk.b, desk.out, desk.x);
}

void wait_after_read(bool repaired) {
  const Desk desk;
  const auto event = Event::ex();
  fill(desk.a, desk.x);
  record(event, desk.a);
  if (repaired) wait(desk.b, event);
  copy(desk.b, desk.out, desk.x);
  if (!repaired) wait(desk.b, event);
}

void one_event_for_two_streams(bool repaired) {
  const Desk desk;
  const auto event = Event::ex();
  const auto other = Event::ex();
  fill(desk.a, desk.x);
  fill(desk.b, desk.y);
  record(event, desk.a);
  record(repaired ? other : event, desk.b);
  wait(desk.c, event);
  if (repaired) wait(desk.c, other);
  copy(desk.c, desk.z, desk.x);
  copy(desk.c, desk.z, desk.y);
}

// The wait that is queued stays with the record that it found.
void record_again_is_not_waited_for(bool repaired) {
  const Desk desk;
  const auto event = Event::ex();
  fill(desk.a, desk.x);
  record(event, desk.a);
  if (!repaired) wait(desk.b, event);
  fill(desk.a, desk.y);
  record(event, desk.a);
  if (repaired) wait(desk.b, event);
  copy(desk.b, desk.out, desk.y);
}

void record_moves_to_another_stream(bool repaired) {
  const Desk desk;
  const auto event = Event::ex();
  const auto other = Event::ex();
  fill(desk.a, desk.x);
  record(event, desk.a);
  wait(desk.c, event);
  fill(desk.b, desk.y);
  record(repaired ? other : event, desk.b);
}

void wrong_stream_synchronized(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.x);
  fill(desk.b, desk.y);
  join(repaired ? desk.a : desk.b);
  REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
}

void one_of_two_producers(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.x);
  fill(desk.b, desk.y);
  behind(desk.a, desk.c);
  if (repaired) behind(desk.b, desk.c);
  copy(desk.c, desk.z, desk.x);
  copy(desk.c, desk.z, desk.y);
}

void one_of_two_readers(bool repaired) {
  const Desk desk;
  fill(desk.c, desk.x);
  behind(desk.c, desk.a);
  behind(desk.c, desk.b);
  copy(desk.a, desk.y, desk.x);
  copy(desk.b, desk.z, desk.x);
  behind(desk.a, desk.c);
  if (repaired) behind(desk.b, desk.c);
  fill(desk.c, desk.x);
}

// Two chunks fit without the way back; the third one overwrites the first.
void double_buffer_without_way_back(bool repaired) {
  const Desk desk;
  const DeviceMemory* const buffers[] = {&desk.x, &desk.y};
  const Event done[] = {Event::ex(), Event::ex()};
  for (int chunk = 0; chunk < 3; ++chunk) {
    const int i = chunk % 2;
    if (repaired && chunk >= 2) wait(desk.a, done[i]);
    copy(desk.a, *buffers[i], desk.in);
    behind(desk.a, desk.b);
    copy(desk.b, desk.z, *buffers[i]);
    record(done[i], desk.b);
  }
}

void ring_with_a_gap(bool repaired) {
  constexpr std::size_t kStreams = 8;
  constexpr std::size_t kGap = 5;
  const Device device;
  std::vector<DeviceMemory> parts;
  for (std::size_t i = 0; i <= kStreams; ++i) parts.emplace_back(kSize);
  const Stream streams[kStreams];
  fill(streams[0], parts[0]);
  for (std::size_t i = 0; i < kStreams; ++i) {
    if (i > 0 && (repaired || i != kGap)) behind(streams[i - 1], streams[i]);
    copy(streams[i], parts[i + 1], parts[i]);
  }
}

void default_stream_orders_nothing(bool repaired) {
  const Desk desk;
  fill(nullptr, desk.x);
  if (repaired) behind(nullptr, desk.b);
  copy(desk.b, desk.out, desk.x);
  join(desk.b);
  join(nullptr);
}

// The stream is blocked at a flag, so the wait of the other one times out.
void wait_runs_out(bool repaired) {
  const Desk desk;
  const auto flag = Event::old(ACL_EVENT_SYNC);
  const auto event = Event::ex();
  if (!repaired) wait(desk.a, flag);
  fill(desk.a, desk.x);
  record(event, desk.a);
  REQUIRE_ACL(aclrtStreamWaitEventWithTimeout(desk.b, event, 1));
  aclrtSynchronizeStream(desk.b);  // an error, which the program ignores
  if (!repaired) record(flag, desk.c);
  join(desk.a);
}

void stand_until(void* open) {
  eventually([&] { return static_cast<std::atomic<bool>*>(open)->load(); });
}

void synchronize_runs_out(bool repaired) {
  std::atomic<bool> open{repaired};
  const Desk desk;
  REQUIRE_ACL(aclrtLaunchHostFunc(desk.a, stand_until, &open));
  fill(desk.a, desk.x);
  aclrtSynchronizeStreamWithTimeout(desk.a, repaired ? -1 : 10);
  REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
  open = true;
  join(desk.a);
}

void flag_is_not_reset(bool repaired) {
  const Desk desk;
  const auto flag = Event::old(ACL_EVENT_SYNC);
  for (const DeviceMemory* part : {&desk.x, &desk.y}) {
    fill(desk.a, *part);
    record(flag, desk.a);
    wait(desk.b, flag);
    if (repaired) REQUIRE_ACL(aclrtResetEvent(flag, desk.b));
    if (repaired) behind(desk.b, desk.a);
    copy(desk.b, desk.z, *part);
  }
}

void host_waits_for_no_record(bool repaired) {
  const Desk desk;
  const auto event = Event::ex();
  fill(desk.a, desk.x);
  if (repaired) record(event, desk.a);
  REQUIRE_ACL(aclrtSynchronizeEvent(event));
  if (!repaired) record(event, desk.a);
}

void host_waits_for_no_record_of_a_flag(bool repaired) {
  const Desk desk;
  const auto event = Event::old(ACL_EVENT_SYNC);
  fill(desk.a, desk.x);
  if (repaired) record(event, desk.a);
  REQUIRE_ACL(aclrtSynchronizeEventWithTimeout(event, 60'000));
}

// No stream orders a copy that the host makes itself.
void synchronous_copy_of_unfinished_work(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.x);
  if (repaired) join(desk.a);
  REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
}

}  // namespace

const std::vector<Case>& order_cases() {
  static const std::vector<Case> rows{
      {"1", "a reader does not wait for the writer", "ACL007", reader_does_not_wait},
      {"2", "a writer overtakes a reader", "ACL007", writer_overtakes_reader},
      {"3", "two writers", "ACL007", two_writers},
      {"4a", "a wait before its record", "ACL002", wait_before_record},
      {"4b", "a wait that is refused, before its record", "ACL001", wait_is_refused_before_record},
      {"4c", "a host thread synchronises with an event that was never recorded", "ACL001",
       host_waits_for_no_record},
      {"4d", "a host thread synchronises with a flag that was never recorded", "ACL001",
       host_waits_for_no_record_of_a_flag},
      {"5", "a record before the work", "ACL007", record_before_work},
      {"6", "a wait after the read", "ACL007", wait_after_read},
      {"7", "one event for two streams", "ACL007", one_event_for_two_streams},
      {"8a", "a later record is not waited for", "ACL007", record_again_is_not_waited_for},
      {"8b", "a record under a queued wait", "ACL005", record_moves_to_another_stream},
      {"9", "the wrong stream is synchronised", "ACL007", wrong_stream_synchronized},
      {"10", "one of two producers is waited for", "ACL007", one_of_two_producers},
      {"11", "one of two readers is waited for", "ACL007", one_of_two_readers},
      {"12", "double buffers without the way back", "ACL007", double_buffer_without_way_back},
      {"13", "a ring of streams with a gap", "ACL007", ring_with_a_gap},
      {"14", "the default stream orders nothing", "ACL007", default_stream_orders_nothing},
      {"15a", "a wait runs out and its result is used", "ACL025", wait_runs_out},
      {"15b", "a synchronise runs out and its result is used", "ACL007", synchronize_runs_out},
      {"16", "a flag is used again without reset", "ACL030", flag_is_not_reset},
      {"21", "a synchronous copy of unfinished work", "ACL007",
       synchronous_copy_of_unfinished_work},
  };
  return rows;
}

}  // namespace check
