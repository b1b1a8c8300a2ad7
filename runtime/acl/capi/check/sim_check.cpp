// SPDX-License-Identifier: Apache-2.0
// Annotations by which programs inform the order checker.
#include "acl/acl_sim_check.h"

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/findings/reports.h"
#include "runtime/acl/memory/transfer.h"
#include "runtime/acl/touches/touch_signal.h"
#include "runtime/acl/watch/next_kernel.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/acl/watch/sites.h"

using namespace acl;

namespace {

void report_access(const sim::MemoryRange& range) {
  if (auto* const listener = watch::listener()) listener->host_accessed(range);
}

order::Level require_level(const char* level) {
  const auto found = order::level_of(require_input(level, "level"));
  if (!found) {
    fail(ACL_ERROR_INVALID_PARAM, "level is '{}'; expected note, warning or error", level);
  }
  return *found;
}

void next_kernel_accesses(const sim::MemoryRange& range) {
  if (Checker* const on = checker())
    on->next_kernel_accesses(range.begin, range.size, range.written);
  if (watch::NextKernel::wanted) watch::next_kernel().ranges.push_back(range);
}

}  // namespace

extern "C" {

aclError aclsimCheckRead(const void* begin, size_t size) {
  return guarded(__func__, [&](Runtime&) {
    require_input(begin, "begin");
    report_access({begin, size, false});
  });
}

aclError aclsimCheckWrite(void* begin, size_t size) {
  return guarded(__func__, [&](Runtime&) {
    require_input(begin, "begin");
    report_access({begin, size, true});
  });
}

aclError aclsimCheckReuse(void* begin, size_t size) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(begin, "begin");
    if (auto* const listener = watch::listener()) {
      listener->reused(begin, size, !find_location(runtime, begin).on_device());
    }
  });
}

aclError aclsimCheckReuseOnStream(void* begin, size_t size, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(begin, "begin");
    auto* const listener = watch::listener();
    if (!listener) return;
    listener->reused_in_order(*own_stream(runtime, stream), begin, size);
  });
}

aclError aclsimCheckNextKernelReads(const void* begin, size_t size) {
  return guarded(__func__, [&](Runtime&) {
    require_input(begin, "begin");
    next_kernel_accesses({begin, size, false});
  });
}

aclError aclsimCheckNextKernelWrites(void* begin, size_t size) {
  return guarded(__func__, [&](Runtime&) {
    require_input(begin, "begin");
    next_kernel_accesses({begin, size, true});
  });
}

aclError aclsimCheckRelease(const void* object) {
  return guarded(__func__, [&](Runtime&) {
    require_input(object, "object");
    if (auto* const listener = watch::listener()) listener->released(object);
  });
}

aclError aclsimCheckAcquire(const void* object) {
  return guarded(__func__, [&](Runtime&) {
    require_input(object, "object");
    if (auto* const listener = watch::listener()) listener->acquired(object);
  });
}

aclError aclsimCheckExpectBegin(const char* rule) {
  return guarded(__func__, [&](Runtime&) {
    require_input(rule, "rule");
    const order::RuleInfo* const found = order::find_rule(rule);
    if (!found)
      fail(ACL_ERROR_INVALID_PARAM, "rule is '{}'; expected ACL001 to {}", rule,
           order::rules().back().id);
    if (checker() && !checker()->findings().expect(found->rule)) {
      fail(ACL_ERROR_INVALID_PARAM, "an expectation is already open; end it before the next");
    }
  });
}

aclError aclsimCheckExpectEnd(uint64_t* count) {
  return guarded(__func__, [&](Runtime&) {
    uint64_t& out = require_out(count, "count");
    out = 0;
    if (!checker()) return;
    const auto met = checker()->findings().end_expecting();
    if (!met) fail(ACL_ERROR_INVALID_PARAM, "no expectation is open");
    out = *met;
  });
}

aclError aclsimCheckCount(const char* level, uint64_t* count) {
  return guarded(__func__, [&](Runtime&) {
    uint64_t& out = require_out(count, "count");
    const order::Level least = require_level(level);
    out = checker() ? checker()->findings().count(least) : 0;
  });
}

aclError aclsimCheckOccurrences(const char* level, uint64_t* count) {
  return guarded(__func__, [&](Runtime&) {
    uint64_t& out = require_out(count, "count");
    const order::Level least = require_level(level);
    out = checker() ? checker()->findings().occurrences(least) : 0;
  });
}

aclError aclsimCheckFindingsSince(const char* level, uint64_t* mark, char* text, size_t size) {
  return guarded(__func__, [&](Runtime&) {
    uint64_t& since = require_out(mark, "mark");
    const order::Level least = require_level(level);
    if (size != 0) require_out(text, "text") = 0;
    if (!checker()) return;
    const std::string words = in_words(checker()->findings().since(least, since));
    if (size == 0) return;
    text[words.copy(text, size - 1)] = 0;
  });
}

aclError aclsimCheckIsOn(int32_t* on) {
  return guarded(__func__, [&](Runtime&) { require_out(on, "on") = checker() ? 1 : 0; });
}

aclError aclsimCheckSitesAreKept(int32_t* on) {
  return guarded(__func__, [&](Runtime& runtime) {
    const bool records = !runtime.config().record_path.empty();
    require_out(on, "on") = checker() || records ? 1 : 0;
  });
}

aclError aclsimCheckSite(const char* file, uint32_t line) {
  thread_state().given_site = file ? named_site(file, line) : 0;
  return ACL_SUCCESS;
}

aclError aclsimCheckSiteSource(void (*source)(void)) {
  acl::set_place_source(source);
  return ACL_SUCCESS;
}

}  // extern "C"
