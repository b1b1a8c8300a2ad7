// SPDX-License-Identifier: Apache-2.0
// The streams and buffers that the planted mistakes use.
#pragma once

#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>

#define MUST(call)                                                      \
  do {                                                                  \
    const int code_ = (call);                                           \
    if (code_ != ACL_SUCCESS) {                                         \
      std::fprintf(stderr, "%d: %s gave %d\n", __LINE__, #call, code_); \
      std::_Exit(9);                                                    \
    }                                                                   \
  } while (false)

namespace {

constexpr size_t kCount = 1024;
constexpr size_t kBytes = kCount * sizeof(int);

/// Two streams and three buffers on the device, released at the end.
struct Desk {
  aclrtStream a = nullptr, b = nullptr;
  void *x = nullptr, *y = nullptr, *z = nullptr;
  Desk() {
    MUST(aclrtSetDevice(0));
    MUST(aclrtCreateStream(&a));
    MUST(aclrtCreateStream(&b));
    for (void** memory : {&x, &y, &z}) MUST(aclrtMalloc(memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  ~Desk() {
    MUST(aclrtSynchronizeStream(a));
    MUST(aclrtSynchronizeStream(b));
    for (void* memory : {x, y, z}) MUST(aclrtFree(memory));
    MUST(aclrtDestroyStream(a));
    MUST(aclrtDestroyStream(b));
    MUST(aclrtResetDevice(0));
  }
};

/// The second stream goes on when the first has come here.
void order(aclrtStream first, aclrtStream second) {
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  MUST(aclrtRecordEvent(event, first));
  MUST(aclrtStreamWaitEvent(second, event));
  MUST(aclrtDestroyEvent(event));
}

}  // namespace
