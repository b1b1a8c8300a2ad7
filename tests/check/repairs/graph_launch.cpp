// SPDX-License-Identifier: Apache-2.0
// first: ACL007
// The copy does not wait for the graph that was launched before: the event follows the launch.
#include <acl/acl.h>

constexpr size_t kBytes = 4096;

static aclmdlRI fill_in_graph(void* x, aclrtStream stream) {
  aclmdlRI graph = nullptr;
  aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL);
  aclrtMemsetAsync(x, kBytes, 1, kBytes, stream);  // earlier
  aclmdlRICaptureEnd(stream, &graph);
  return graph;
}

int main() {
  aclrtSetDevice(0);
  aclrtStream a, b;
  aclrtCreateStream(&a);
  aclrtCreateStream(&b);
  void *x, *y;
  aclrtMalloc(&x, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&y, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclmdlRI graph = fill_in_graph(x, a);
  aclmdlRIExecuteAsync(graph, a);
  aclrtMemcpyAsync(y, kBytes, x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, b);  // this
  aclrtSynchronizeStream(a);
  aclrtSynchronizeStream(b);
  aclmdlRIDestroy(graph);
  aclrtFree(x);
  aclrtFree(y);
  aclrtDestroyStream(a);
  aclrtDestroyStream(b);
  aclrtResetDevice(0);
}
