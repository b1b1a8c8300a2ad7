// SPDX-License-Identifier: Apache-2.0
// Streams and threads that wait for events that cannot come. Each synchronise here has a limit, and
// the program ends the wait afterwards, so that the case ends.
#include "tests/check/cases.h"

using namespace world;

namespace check {
namespace {

class Notify {
 public:
  Notify() { REQUIRE_ACL(aclrtCreateNotify(&handle_, 0)); }
  ~Notify() { aclrtDestroyNotify(handle_); }
  Notify(const Notify&) = delete;
  Notify& operator=(const Notify&) = delete;
  operator aclrtNotify() const { return handle_; }

 private:
  aclrtNotify handle_ = nullptr;
};

void give(aclrtNotify notify, aclrtStream stream) {
  REQUIRE_ACL(aclrtRecordNotify(notify, stream));
}
void take(aclrtNotify notify, aclrtStream stream) {
  REQUIRE_ACL(aclrtWaitAndResetNotify(notify, stream, 0));
}
aclError join_for_a_moment(aclrtStream stream) {
  return aclrtSynchronizeStreamWithTimeout(stream, 20);
}

void streams_wait_for_each_other(bool repaired) {
  const Desk desk;
  const Notify first, second;
  if (repaired) give(first, desk.a);
  take(second, desk.a);
  if (!repaired) give(first, desk.a);
  take(first, desk.b);
  give(second, desk.b);
  if (!repaired) CHECK(join_for_a_moment(desk.a) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  if (!repaired) give(second, desk.c);
  join(desk.a);
  join(desk.b);
  if (!repaired) take(second, desk.c);
  join(desk.c);
}

void host_waits_for_a_later_record(bool repaired) {
  const Desk desk;
  const auto flag = Event::old(ACL_EVENT_SYNC);
  wait(desk.a, flag);
  if (repaired) record(flag, desk.b);
  CHECK(join_for_a_moment(desk.a) == (repaired ? ACL_SUCCESS : ACL_ERROR_RT_STREAM_SYNC_TIMEOUT));
  if (!repaired) record(flag, desk.b);
  join(desk.a);
}

void set(void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }

void callback_is_not_served(bool repaired) {
  const Device device;
  std::atomic<bool> called{false};
  Stream stream;
  REQUIRE_ACL(aclrtSubscribeReport(this_thread_id(), stream));
  REQUIRE_ACL(aclrtLaunchCallback(set, &called, ACL_CALLBACK_BLOCK, stream));
  if (repaired) REQUIRE_ACL(aclrtProcessReport(10'000));
  CHECK(called == repaired);
  REQUIRE_ACL(aclrtDestroyStreamForce(stream.release()));
}

// The thread that is to serve the callback waits for the stream.
void server_waits_for_its_stream(bool repaired) {
  const Device device;
  std::atomic<bool> called{false};
  const Stream stream;
  REQUIRE_ACL(aclrtSubscribeReport(this_thread_id(), stream));
  REQUIRE_ACL(aclrtLaunchCallback(set, &called, ACL_CALLBACK_BLOCK, stream));
  if (!repaired) CHECK(join_for_a_moment(stream) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  REQUIRE_ACL(aclrtProcessReport(10'000));
  join(stream);
  CHECK(called);
}

void wait_for_the_stream(void* stream) {
  const Device device;  // the thread has no context
  join_for_a_moment(stream);
}
void wait_for_nothing(void*) {}

void callback_waits_for_its_stream(bool repaired) {
  const Device device;
  const Stream stream;
  REQUIRE_ACL(
      aclrtLaunchHostFunc(stream, repaired ? wait_for_nothing : wait_for_the_stream, stream));
  join(stream);
}

void callback_waits_for_another_stream(bool repaired) {
  const Desk desk;
  REQUIRE_ACL(
      aclrtLaunchHostFunc(desk.a, repaired ? wait_for_nothing : wait_for_the_stream, desk.b));
  join(desk.a);
  join(desk.b);
}

void streams_run_out(bool repaired) {
  const Device device;
  std::vector<Stream> streams;
  for (int i = 0; i < 3000; ++i) {
    aclrtStream more = nullptr;
    if (aclrtCreateStream(&more) != ACL_SUCCESS) break;
    REQUIRE_ACL(aclrtDestroyStream(more));
    if (!repaired) streams.emplace_back();
  }
}

/// A capture that ends somehow.
void end_capture(aclrtStream stream) {
  aclmdlRI model = nullptr;
  aclmdlRICaptureEnd(stream, &model);
  if (model != nullptr) REQUIRE_ACL(aclmdlRIDestroy(model));
}

void event_from_outside_of_a_capture(bool repaired) {
  const Desk desk;
  const auto event = Event::ex();
  if (!repaired) record(event, desk.b);
  REQUIRE_ACL(aclmdlRICaptureBegin(desk.a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  if (repaired) record(event, desk.a);
  fill(desk.a, desk.x);
  aclrtStreamWaitEvent(desk.a, event);
  end_capture(desk.a);
}

void branch_is_not_joined(bool repaired) {
  const Desk desk;
  const auto out = Event::ex();
  const auto back = Event::ex();
  REQUIRE_ACL(aclmdlRICaptureBegin(desk.a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  record(out, desk.a);
  wait(desk.b, out);
  fill(desk.b, desk.x);
  record(back, desk.b);
  if (repaired) wait(desk.a, back);
  end_capture(desk.a);
}

void synchronize_in_a_capture(bool repaired) {
  const Desk desk;
  REQUIRE_ACL(aclmdlRICaptureBegin(desk.a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  fill(desk.a, desk.x);
  if (!repaired) aclrtSynchronizeStream(desk.a);
  end_capture(desk.a);
}

}  // namespace

const std::vector<Case>& progress_cases() {
  static const std::vector<Case> rows{
      {"31", "two streams wait for each other", "ACL003", streams_wait_for_each_other},
      {"32a", "a callback that nobody serves", "ACL027", callback_is_not_served},
      {"32b", "the serving thread waits for its stream", "ACL003", server_waits_for_its_stream},
      {"33", "a callback waits for its stream", "ACL026", callback_waits_for_its_stream},
      {"33b", "a callback waits for another stream", "ACL017", callback_waits_for_another_stream},
      {"34", "the host waits for what only a later task records", "ACL003",
       host_waits_for_a_later_record},
      {"36", "streams run out", "ACL029", streams_run_out},
      {"37a", "an event from outside of a capture", "ACL028", event_from_outside_of_a_capture},
      {"37b", "a branch of a capture is not joined", "ACL028", branch_is_not_joined},
      {"37c", "a synchronise inside a capture", "ACL028", synchronize_in_a_capture},
  };
  return rows;
}

}  // namespace check
