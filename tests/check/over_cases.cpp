// SPDX-License-Identifier: Apache-2.0
// Work that is complete although no call synchronised: events with a time, aborts, ends of
// notifies.
#include <cstring>

#include "tests/check/cases.h"

using namespace world;

namespace check {
namespace {

// ---- events with a time ----

void timestamp_of_an_event(bool repaired) {
  const Desk desk;
  const auto ran = Event::ex(ACL_EVENT_TIME_LINE);
  if (!repaired) record(ran, desk.a);
  fill(desk.a, desk.x);
  if (repaired) record(ran, desk.a);
  std::uint64_t time = 0;
  while (aclrtEventGetTimestamp(ran, &time) == ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID) {
  }
  REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
}

void elapsed_time_of_events(bool repaired) {
  const Desk desk;
  const auto begun = Event::ex(ACL_EVENT_TIME_LINE);
  const auto ended = Event::ex(ACL_EVENT_TIME_LINE);
  record(begun, desk.a);
  if (!repaired) record(ended, desk.a);
  fill(desk.a, desk.x);
  if (repaired) record(ended, desk.a);
  float ms = 0;
  while (aclrtEventElapsedTime(&ms, begun, ended) == ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID) {
  }
  REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
}

// ---- aborts ----

void freed_behind_an_abort(bool repaired) {
  const Desk desk;
  const auto never = Event::old(ACL_EVENT_SYNC);
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  wait(desk.a, never);
  fill(desk.a, memory);
  if (repaired) REQUIRE_ACL(aclrtStreamAbort(desk.a));
  REQUIRE_ACL(aclrtFree(memory));
  if (!repaired) REQUIRE_ACL(aclrtStreamAbort(desk.a));
}

void freed_behind_an_abort_of_the_device(bool repaired) {
  const Desk desk;
  const auto never = Event::old(ACL_EVENT_SYNC);
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  fill(desk.a, memory);
  behind(desk.a, desk.b);
  wait(desk.b, never);
  copy(desk.b, desk.y, memory);
  if (repaired) REQUIRE_ACL(aclrtDeviceTaskAbort(0, 0));
  REQUIRE_ACL(aclrtFree(memory));
  if (!repaired) REQUIRE_ACL(aclrtDeviceTaskAbort(0, 0));
}

void host_buffer_behind_an_abort(bool repaired) {
  const Desk desk;
  std::memset(desk.in, 1, kSize);
  copy(desk.a, desk.x, desk.in);
  if (repaired) REQUIRE_ACL(aclrtStreamAbort(desk.a));
  std::memset(desk.in, 2, kSize);
  join(desk.a);
}

// The stream goes on after an abort, and later operations are ordered after nothing.
void work_after_an_abort(bool repaired) {
  const Desk desk;
  const auto never = Event::old(ACL_EVENT_SYNC);
  wait(desk.a, never);
  fill(desk.a, desk.x);
  REQUIRE_ACL(aclrtStreamAbort(desk.a));
  fill(desk.a, desk.x);
  if (repaired) behind(desk.a, desk.b);
  copy(desk.b, desk.y, desk.x);
}

// ---- notifies that end ----

class PairedNotify {
 public:
  PairedNotify() { REQUIRE_ACL(aclrtCreateNotify(&handle_, 0)); }
  ~PairedNotify() { REQUIRE_ACL(aclrtDestroyNotify(handle_)); }
  PairedNotify(const PairedNotify&) = delete;
  PairedNotify& operator=(const PairedNotify&) = delete;
  void give(aclrtStream stream) const { REQUIRE_ACL(aclrtRecordNotify(handle_, stream)); }
  void take(aclrtStream stream) const { REQUIRE_ACL(aclrtWaitAndResetNotify(handle_, stream, 0)); }
  void reset() { REQUIRE_ACL(aclrtNotifyBatchReset(&handle_, 1)); }

 private:
  aclrtNotify handle_ = nullptr;
};

void notify_is_destroyed_set(bool repaired) {
  const Desk desk;
  const PairedNotify notify;
  notify.give(desk.a);
  if (repaired) notify.take(desk.b);
  join(desk.a);
  join(desk.b);
}

void notify_is_set_from_before(bool repaired) {
  const Desk desk;
  PairedNotify notify;
  notify.give(desk.a);
  join(desk.a);
  if (repaired) notify.reset();
  notify.give(desk.a);
  notify.take(desk.b);
  join(desk.b);
  join(desk.a);
}

// A wait that is dropped needs no record.
void notify_wait_is_dropped(bool repaired) {
  const Desk desk;
  const PairedNotify notify;
  notify.take(desk.a);
  if (!repaired) notify.give(desk.b);
  if (!repaired) notify.give(desk.b);
  REQUIRE_ACL(aclrtStreamAbort(desk.a));
  join(desk.b);
}

void notify_ends_with_its_device(bool repaired) {
  const Device device;
  const Stream stream;
  aclrtNotify notify = nullptr;
  REQUIRE_ACL(aclrtCreateNotify(&notify, 0));
  REQUIRE_ACL(aclrtRecordNotify(notify, stream));
  if (repaired) REQUIRE_ACL(aclrtWaitAndResetNotify(notify, stream, 0));
  join(stream);
}

void notify_is_destroyed_in_use(bool repaired) {
  const Desk desk;
  const PairedNotify notify;
  notify.give(desk.a);
  notify.take(desk.b);
  if (repaired) join(desk.b);
}

}  // namespace

const std::vector<Case>& over_cases() {
  static const std::vector<Case> rows{
      {"time a", "an event told its time, and more was enqueued behind it", "ACL007",
       timestamp_of_an_event},
      {"time b", "events told the time between them, and more was enqueued", "ACL007",
       elapsed_time_of_events},
      {"abort a", "memory is freed and its stream aborted afterwards", "ACL006",
       freed_behind_an_abort},
      {"abort b", "memory is freed and the device's tasks aborted afterwards", "ACL006",
       freed_behind_an_abort_of_the_device},
      {"abort c", "a host buffer is written and the stream not aborted", "ACL008",
       host_buffer_behind_an_abort},
      {"abort d", "what comes after an abort has no order", "ACL007", work_after_an_abort},
      {"notify a", "a notify is destroyed while it is set", "ACL004", notify_is_destroyed_set},
      {"notify b", "a notify is recorded while it is set", "ACL004", notify_is_set_from_before},
      {"notify c", "two records, and a wait that an abort may drop", "ACL004",
       notify_wait_is_dropped},
      {"notify d", "a notify that is set ends with its device", "ACL004",
       notify_ends_with_its_device},
      {"notify e", "a notify is destroyed while a stream waits for it", "ACL006",
       notify_is_destroyed_in_use},
  };
  return rows;
}

}  // namespace check
