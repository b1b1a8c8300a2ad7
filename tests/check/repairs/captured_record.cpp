// SPDX-License-Identifier: Apache-2.0
// first: ACL001
// text: is part of a capture
// repair: after the launch of the graph
// An event is recorded inside a capture, and the host waits for it after the launch.
#include <acl/acl.h>

constexpr size_t kBytes = 4096;

int main() {
  aclrtSetDevice(0);
  aclrtStream stream;
  aclrtCreateStream(&stream);
  void* x;
  aclrtMalloc(&x, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtEvent event;
  aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC);
  aclmdlRI graph;
  aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
  aclrtMemsetAsync(x, kBytes, 1, kBytes, stream);
  aclrtRecordEvent(event, stream);  // earlier
  aclmdlRICaptureEnd(stream, &graph);
  aclmdlRIExecuteAsync(graph, stream);
  aclrtSynchronizeEvent(event);  // this
  aclrtSynchronizeStream(stream);
  aclmdlRIDestroy(graph);
  aclrtDestroyEvent(event);
  aclrtFree(x);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
}
