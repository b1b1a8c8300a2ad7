// SPDX-License-Identifier: Apache-2.0
// Callbacks and host functions that no thread serves; the stream or the program ends first.
#pragma once

#include <acl/acl.h>

#include <pthread.h>

#include "planted_desk.h"

namespace {

int served = 0;
void serve(void*) { ++served; }

/// A stream with eight callbacks that the calling thread is to serve; with `ok` it does.
aclrtStream stream_with_callbacks(bool ok, aclrtCallbackBlockType type = ACL_CALLBACK_NO_BLOCK) {
  aclrtStream stream = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  MUST(aclrtSubscribeReport(pthread_self(), stream));
  for (int i = 0; i < 8; ++i) MUST(aclrtLaunchCallback(serve, nullptr, type, stream));
  while (ok && served < 8) MUST(aclrtProcessReport(10'000));
  return stream;
}

void callbacks_unsubscribed(bool ok) {
  const aclrtStream stream = stream_with_callbacks(ok);
  MUST(aclrtUnSubscribeReport(pthread_self(), stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
}

void callbacks_destroyed(bool ok) {
  MUST(aclrtDestroyStream(stream_with_callbacks(ok)));
  MUST(aclrtResetDevice(0));
}

void callbacks_destroyed_blocking(bool ok) {
  MUST(aclrtDestroyStream(stream_with_callbacks(ok, ACL_CALLBACK_BLOCK)));
  MUST(aclrtResetDevice(0));
}

void callbacks_reset(bool ok) {
  stream_with_callbacks(ok);
  MUST(aclrtResetDevice(0));
}

void callbacks_at_exit(bool ok) { stream_with_callbacks(ok); }

void callbacks_finalized(bool ok) {
  MUST(aclInit(nullptr));
  stream_with_callbacks(ok);
  MUST(aclFinalize());
}

/// The same with host functions.
aclrtStream stream_with_host_functions(bool ok) {
  aclrtStream stream = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  MUST(aclrtSubscribeHostFunc(pthread_self(), stream));
  for (int i = 0; i < 8; ++i) MUST(aclrtLaunchHostFunc(stream, serve, nullptr));
  while (ok && served < 8) MUST(aclrtProcessHostFunc(10'000));
  return stream;
}

void host_functions_unsubscribed(bool ok) {
  const aclrtStream stream = stream_with_host_functions(ok);
  MUST(aclrtUnSubscribeHostFunc(pthread_self(), stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
}

void host_functions_at_exit(bool ok) { stream_with_host_functions(ok); }

}  // namespace
