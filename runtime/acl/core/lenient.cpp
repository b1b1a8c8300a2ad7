// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/lenient.h"

#include <set>
#include <string>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

bool lenient(const char* what) noexcept {
  const Runtime* const runtime = Runtime::existing();
  if (!runtime || !runtime->config().lenient) return false;
  static sim::Mutex mutex;
  static auto* const warned = new std::set<std::string>;
  const sim::LockGuard guard(mutex);
  if (warned->insert(what).second) {
    notice(std::string("lenient: the program relies on ") + what);
  }
  return true;
}

}  // namespace acl
