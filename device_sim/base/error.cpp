// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/error.h"

namespace sim {

const char* describe(Error error) noexcept {
  switch (error) {
    case Error::none:
      return "no error";
    case Error::kernel_failed:
      return "a kernel reported a failure";
    case Error::kernel_timeout:
      return "a kernel took longer than kernels may";
    case Error::host_call_failed:
      return "a host function threw an exception";
    case Error::host_call_dropped:
      return "a host function was dropped: the thread that serves it was unsubscribed, or its "
             "context ended";
    case Error::wait_timeout:
      return "a wait reached its time limit";
    case Error::aborted:
      return "the stream was aborted";
    case Error::out_of_memory:
      return "out of memory";
    case Error::invalid_argument:
      return "invalid argument";
    case Error::no_such_device:
      return "no such device";
    case Error::not_found:
      return "not found";
    case Error::no_thread:
      return "no thread can be started: see the limits of processes (ulimit -u, pids.max)";
    case Error::operation_failed:
      return "an operation failed";
  }
  return "unknown error";
}

}  // namespace sim
