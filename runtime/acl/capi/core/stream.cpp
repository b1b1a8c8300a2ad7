// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/capi/core/quick.h"
#include "runtime/acl/core/stream_config.h"
#include "runtime/acl/device/task_abort.h"
#include "runtime/acl/watch/registry.h"

using namespace acl;

namespace {

void create_stream(Runtime& runtime, aclrtStream* stream, Stream::Config config) {
  aclrtStream& out = require_out(stream, "stream");
  out = nullptr;
  Context& context = current_context(runtime);
  if (config.flags & ACL_STREAM_HUGE) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "flag holds ACL_STREAM_HUGE, which {} does not have",
         runtime.config().system.soc_name);
  }
  config.priority = std::min(config.priority, kLeastPriority);
  out = runtime.create_stream(context, config);
}

void destroy_stream(Runtime& runtime, aclrtStream stream, bool force) {
  require_input(stream, "stream");
  Context& context = current_context(runtime);
  const auto found = find_stream(runtime, stream);
  if (&found->context() != &context) {
    fail(ACL_ERROR_RT_STREAM_CONTEXT,
         "stream {} belongs to another context than the calling thread's current one", found->id());
  }
  if (stream == context.default_stream_handle()) {
    fail(ACL_ERROR_INVALID_PARAM, "stream is the default stream, which ends with its context");
  }
  found->require_not_captured();
  if (found->in_model()) {
    fail(ACL_ERROR_RT_STREAM_MODEL, "stream {} is part of a model", found->id());
  }
  if (force) found->run_ready_tasks();
  if (!runtime.end_stream(found, stream, force, Runtime::Unrun::kept)) {
    fail_for_handle(stream, ACL_ERROR_RT_INVALID_HANDLE,
                    "stream {} was destroyed by another thread", found->id());
  }
}

/// True when all that was enqueued is done, and done well.
SIM_CATCHES_FORCED_UNWIND bool synchronize_quickly(aclrtStream stream) {
  const QuickStream to = quick_stream(stream);
  if (!to || Runtime::existing()->acts_when_synchronized()) return false;
  const auto keep = sim::Ref<Stream>::share(to.stream);  // kernels and other threads may destroy it
  try {
    return keep->synchronize_now() && keep->context().usable();
  } catch (abi::__forced_unwind&) {
    throw;  // the calling thread is being cancelled
  } catch (...) {
    return false;
  }
}

[[gnu::noinline]] aclError synchronize(aclrtStream stream, CallPlace place) {
  return guarded({"aclrtSynchronizeStream", place}, [&](Runtime& runtime) {
    const Context& context = current_context(runtime);
    const auto found = any_stream(runtime, stream);
    // Registers the stream as recently used by the thread.
    if (watch::attention() == 0 && &found->context() == &context && context.usable()) {
      own_stream(runtime, stream);
    }
    found->synchronize(sim::Deadline::never());
  });
}

[[gnu::noinline]] aclError synchronize_unattended(aclrtStream stream, CallPlace place) {
  return synchronize_quickly(stream) ? ACL_SUCCESS : synchronize(stream, place);
}

}  // namespace

extern "C" {

aclError aclrtCreateStream(aclrtStream* stream) {
  return guarded(__func__, [&](Runtime& runtime) { create_stream(runtime, stream, {}); });
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    create_stream(runtime, stream, {priority, flag});
  });
}

// A stream needs no memory of the program's: the work area is not used.
aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_out(stream, "stream") = nullptr;
    require_input(handle, "handle");
    const aclrtStreamConfigHandle config = runtime.section<StreamConfigs>().read(handle);
    create_stream(runtime, stream, {config.priority, static_cast<std::uint32_t>(config.flag)});
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) { destroy_stream(runtime, stream, false); });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) { destroy_stream(runtime, stream, true); });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  const CallPlace place;
  return nobody_attends() ? synchronize_unattended(stream, place) : synchronize(stream, place);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    const sim::Deadline deadline = deadline_of(timeout);
    current_context(runtime);
    any_stream(runtime, stream)->synchronize(deadline);
  });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtStreamStatus& out = require_out(status, "status");
    current_context(runtime);
    const auto found = any_stream(runtime, stream);
    found->context().require_usable();
    found->require_not_captured();
    const bool complete = found->never_synchronized() || found->core().drained();
    if (!complete) runtime.require_threads();
    if (auto* const listener = watch::listener()) listener->stream_queried(*found, complete);
    out = complete ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
  });
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  return guarded(__func__, [&](Runtime& runtime) {
    int32_t& out = require_out(streamId, "streamId", ACL_ERROR_RT_PARAM_INVALID);
    current_context(runtime);
    out = static_cast<int32_t>(any_stream(runtime, stream)->id());
  });
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime);
    any_stream(runtime, stream)->set_failure_mode(mode);
  });
}

aclError aclrtStreamAbort(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime);
    const auto found = any_stream(runtime, stream);
    if (found->in_model()) {
      fail(ACL_ERROR_RT_INTERNAL_ERROR, "stream {} is part of a model; expected aclmdlRIAbort",
           found->id());
    }
    if (runtime.section<TaskAbort>().under_way(found->device())) return;
    found->announce_abort();
    found->abort();
  });
}

aclError aclrtStreamStop(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(stream, "stream", ACL_ERROR_RT_PARAM_INVALID);
    current_context(runtime);
    const auto found = find_stream(runtime, stream);
    if (found->in_model()) {
      fail(ACL_ERROR_RT_INTERNAL_ERROR, "stream {} is part of a model: it stops with that",
           found->id());
    }
    found->announce_abort();
    found->stop();
  });
}

aclError aclrtPersistentTaskClean(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime);
    const auto found = any_stream(runtime, stream);
    if ((found->flags() & ACL_STREAM_PERSISTENT) == 0) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "stream {} was created without ACL_STREAM_PERSISTENT",
           found->id());
    }
    found->announce_abort();
    found->abort();
  });
}

aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(streamCount, "streamCount");
    out = runtime.free_streams(current_context(runtime).device());
  });
}

}  // extern "C"
