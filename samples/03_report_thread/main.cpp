// SPDX-License-Identifier: Apache-2.0
//
// Host functions between the tasks of a stream, run by a thread of the program.
//
// A report thread loops in aclrtProcessReport; aclrtSubscribeReport selects the streams that it
// serves. aclrtLaunchCallback then enqueues a function like any other task. With ACL_CALLBACK_BLOCK
// the stream's later tasks wait until it has returned; with ACL_CALLBACK_NO_BLOCK they do not wait.
// Callbacks of one stream, blocking or not, are delivered in order.
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>
#include <vector>

#include "acl/acl.h"

// Ends the program when a call fails, and prints the call and the reason.
#define CHECK(call) check((call), #call, __LINE__)
static void check(aclError code, const char* call, int line) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "line %d: %s gave %d: %s\n", line, call, code, text != nullptr ? text : "");
  std::exit(1);
}

static const int kFrames = 32;
static const size_t kBytes = 64 * 1024;

// The results of the callbacks. Only the report thread accesses it until the streams are done.
struct Log {
  const uint8_t* frame = nullptr;
  std::vector<int> delivered;
  int good_frames = 0;
  bool own_thread = true;
  pthread_t thread = 0;
};

struct Note {
  Log* log;
  int number;
};

// NO_BLOCK: the stream does not wait, so this must not read the frame, which may be changing.
static void announce(void* data) {
  const Note& note = *static_cast<Note*>(data);
  note.log->delivered.push_back(note.number);
  note.log->own_thread = note.log->own_thread && pthread_equal(pthread_self(), note.log->thread);
}

// BLOCK: the next copy into the frame waits until this has returned. A callback must not call the
// runtime: no launch, no synchronise, no free.
static void inspect(void* data) {
  announce(data);
  const Note& note = *static_cast<Note*>(data);
  bool good = true;
  for (size_t i = 0; i < kBytes; ++i) good = good && note.log->frame[i] == note.number;
  note.log->good_frames += good ? 1 : 0;
}

// Serves callbacks until `stop` is set. The time limit only sets how often it checks `stop`.
static void serve(std::future<void> subscribed, const std::atomic<bool>* stop) {
  subscribed.wait();  // before that, aclrtProcessReport would not know this thread
  while (!*stop) {
    const aclError code = aclrtProcessReport(100);
    if (code != ACL_ERROR_RT_REPORT_TIMEOUT) CHECK(code);
  }
}

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  void* device_frame = nullptr;
  void* host_frame = nullptr;  // pinned, so that copies into it are asynchronous
  CHECK(aclrtMalloc(&device_frame, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMallocHost(&host_frame, kBytes));

  std::atomic<bool> stop(false);
  std::promise<void> subscribed;
  std::thread server(serve, subscribed.get_future(), &stop);
  const uint64_t server_id = static_cast<uint64_t>(server.native_handle());  // its pthread_self()
  CHECK(aclrtSubscribeReport(server_id, stream));
  subscribed.set_value();

  Log log;
  log.frame = static_cast<const uint8_t*>(host_frame);
  log.thread = server.native_handle();
  std::vector<Note> notes;
  for (int n = 0; n < kFrames; ++n) notes.push_back(Note{&log, n});  // alive until all have run

  for (Note& note : notes) {
    CHECK(aclrtMemsetAsync(device_frame, kBytes, note.number, kBytes, stream));
    CHECK(aclrtLaunchCallback(announce, &note, ACL_CALLBACK_NO_BLOCK, stream));
    CHECK(aclrtMemcpyAsync(host_frame, kBytes, device_frame, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                           stream));
    CHECK(aclrtLaunchCallback(inspect, &note, ACL_CALLBACK_BLOCK, stream));
  }
  // The last task is a BLOCK callback, so all callbacks have run when the stream is done.
  CHECK(aclrtSynchronizeStream(stream));

  // Clean up in this order: stop and join the thread, end the subscription, destroy the stream.
  stop = true;
  server.join();
  CHECK(aclrtUnSubscribeReport(server_id, stream));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtFreeHost(host_frame));
  CHECK(aclrtFree(device_frame));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());

  bool in_order = log.delivered.size() == 2 * kFrames;
  for (int i = 0; in_order && i < 2 * kFrames; ++i) in_order = log.delivered[i] == i / 2;
  std::printf("%zu callbacks, %s, %s\n", log.delivered.size(),
              in_order ? "in order" : "OUT OF ORDER",
              log.own_thread ? "all in the report thread" : "IN OTHER THREADS");
  std::printf("%d of %d frames held the right data\n", log.good_frames, kFrames);
  return in_order && log.own_thread && log.good_frames == kFrames ? 0 : 1;
}
