// SPDX-License-Identifier: Apache-2.0
// The flags by which the cores of a kernel wait for each other, by their address.
#include "runtime/rt_ffts.h"

#include "acl/acl_rt.h"
#include "runtime/acl/capi/guard.h"

using namespace acl;

namespace {

// Programs test the address, and kernels pass it back. Nothing reads it.
constexpr char kNoFlags[64] = {};

}  // namespace

aclError aclrtGetHardwareSyncAddr(void** addr) {
  return guarded(__func__,
                 [&](Runtime&) { require_out(addr, "addr") = const_cast<char*>(kNoFlags); });
}

extern "C" rtError_t rtGetC2cCtrlAddr(uint64_t* addr, uint32_t* len) {
  return guarded(__func__, [&](Runtime&) {
    auto& address = require_out(addr, "addr", ACL_ERROR_RT_PARAM_INVALID);
    auto& length = require_out(len, "len", ACL_ERROR_RT_PARAM_INVALID);
    address = reinterpret_cast<std::uintptr_t>(&kNoFlags);
    length = sizeof kNoFlags;
  });
}
