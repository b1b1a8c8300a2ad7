// SPDX-License-Identifier: Apache-2.0
// acl_prof.h: steps, stamps, ranges and marks.
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "acl/acl_prof.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/profiling/ranges.h"
#include "runtime/trace/json_text.h"

using namespace acl;

namespace {

constexpr std::size_t kLongestText = 4096;
constexpr std::uint32_t kMostTensors = 1024;

/// A text of at most `length` bytes, which need not end with a NUL.
std::string text_argument(const char* text, std::size_t length, const char* argument) {
  require_input(text, argument);
  std::string copy(text, strnlen(text, std::min(length, kLongestText + 1)));
  if (copy.empty() || copy.size() > kLongestText) {
    fail(ACL_ERROR_INVALID_PARAM, "{} has {} bytes; expected 1 to {}", argument,
         copy.empty() ? "no" : "too many", kLongestText);
  }
  return copy;
}

StampTable::Pin find_stamp(Runtime& runtime, void* handle) {
  require_input(handle, "stamp");
  auto stamp = runtime.section<Ranges>().stamps().find(handle);
  if (!stamp) {
    fail_for_handle(handle, ACL_ERROR_RT_INVALID_HANDLE,
                    "stamp is {}, which is not a live one of aclprofCreateStamp", handle);
  }
  return stamp;
}

std::string text_of(Runtime& runtime, void* handle, const char* otherwise) {
  const auto stamp = find_stamp(runtime, handle);
  const sim::LockGuard guard(stamp->mutex);
  return stamp->text.empty() ? otherwise : stamp->text;
}

StepTable::Pin find_step(Runtime& runtime, const aclprofStepInfo* handle) {
  require_input(handle, "stepInfo");
  auto step = runtime.section<Ranges>().steps().find(handle);
  if (!step) {
    fail_for_handle(handle, ACL_ERROR_RT_INVALID_HANDLE,
                    "stepInfo is {}, which is not a live one of aclprofCreateStepInfo",
                    static_cast<const void*>(handle));
  }
  return step;
}

void check_tag(const Step& step, bool start) REQUIRES(step.mutex) {
  if (start != step.running) return;
  fail(ACL_ERROR_INVALID_PARAM, "tag is {}, but step {}", start ? "ACL_STEP_START" : "ACL_STEP_END",
       start ? fmt::format("{} has not ended", step.number) : "none has begun");
}

// ---- ranges with tensors ----

const aclprofTensorInfo& tensors_of(const aclprofEventAttributes* attr) {
  require_input(attr, "attr");
  if (attr->version != ACL_PROF_EVENT_ATTR_VERSION || attr->size != sizeof *attr) {
    fail(ACL_ERROR_INVALID_PARAM, "attr: version is {} and size {}; expected {} and {}",
         attr->version, attr->size, ACL_PROF_EVENT_ATTR_VERSION, sizeof *attr);
  }
  if (attr->messageType != ACL_PROF_MESSAGE_TYPE_TENSOR_INFO) {
    fail(ACL_ERROR_INVALID_PARAM,
         "attr->messageType is {}; expected ACL_PROF_MESSAGE_TYPE_TENSOR_INFO (0)",
         attr->messageType);
  }
  const aclprofTensorInfo& info = *require_input(attr->message.tensorInfo, "attr: tensorInfo");
  if (info.tensorNum > kMostTensors) {
    fail(ACL_ERROR_INVALID_PARAM, "attr: tensorNum is {}; expected at most {}", info.tensorNum,
         kMostTensors);
  }
  if (info.tensorNum != 0) require_input(info.tensors, "attr: tensors");
  return info;
}

std::string shape_of(const aclprofTensor& tensor) {
  if (tensor.shapeDim > ACL_PROF_TENSOR_DATA_SHAPE_LEN) {
    fail(ACL_ERROR_INVALID_PARAM, "attr: shapeDim is {}; expected at most {}", tensor.shapeDim,
         ACL_PROF_TENSOR_DATA_SHAPE_LEN);
  }
  std::string shape;
  for (std::uint32_t i = 0; i < tensor.shapeDim; ++i) {
    shape += fmt::format("{}{}", i == 0 ? "" : ",", tensor.shape[i]);
  }
  return shape;
}

std::string details_of(Runtime& runtime, const aclprofTensorInfo& info) {
  std::string details = R"("op type":")";
  trace_output::append_json_text(details, runtime.section<Ranges>().text_of(info.opTypeId));
  details += fmt::format(R"(","kernel type":{},"blocks":{})", info.kernelType, info.blockNums);
  if (const auto stream = runtime.streams().find(info.stream)) {
    details += fmt::format(R"(,"stream":{})", stream->id());
  }
  details += R"(,"tensors":[)";
  for (std::uint32_t i = 0; i < info.tensorNum; ++i) {
    const aclprofTensor& tensor = info.tensors[i];
    details +=
        fmt::format(R"({}{{"type":{},"format":{},"data type":{},"shape":[{}]}})", i == 0 ? "" : ",",
                    tensor.type, tensor.format, tensor.dataType, shape_of(tensor));
  }
  return details + "]";
}

}  // namespace

extern "C" {

// ---- steps ----

aclprofStepInfo* aclprofCreateStepInfo() {
  void* step = nullptr;
  guarded(__func__, [&](Runtime& runtime) {
    step = runtime.section<Ranges>().steps().add(sim::make_ref<Step>());
  });
  return static_cast<aclprofStepInfo*>(step);
}

void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo) {
  guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Ranges>().steps().remove(find_step(runtime, stepinfo));
  });
}

aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag,
                                 aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto step = find_step(runtime, stepInfo);
    if (tag != ACL_STEP_START && tag != ACL_STEP_END) {
      fail(ACL_ERROR_INVALID_PARAM, "tag is {}; expected ACL_STEP_START (0) or ACL_STEP_END (1)",
           static_cast<int>(tag));
    }
    Stream* const found = own_stream(runtime, stream);
    const bool start = tag == ACL_STEP_START;
    const sim::LockGuard guard(step->mutex);
    check_tag(*step, start);
    found->submit(make_mark(
        fmt::format("step {} {}", step->number + (start ? 1 : 0), start ? "start" : "end"),
        start ? "STEP_START" : "STEP_END"));
    step->running = start;
    if (start) ++step->number;
  });
}

// ---- stamps ----

void* aclprofCreateStamp() {
  void* stamp = nullptr;
  guarded(__func__, [&](Runtime& runtime) {
    stamp = runtime.section<Ranges>().stamps().add(sim::make_ref<Stamp>());
  });
  return stamp;
}

void aclprofDestroyStamp(void* stamp) {
  guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Ranges>().stamps().remove(find_stamp(runtime, stamp));
  });
}

aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t msgLen) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_stamp(runtime, stamp);
    std::string text = text_argument(msg, msgLen, "msg");
    const sim::LockGuard guard(found->mutex);
    found->text = std::move(text);
  });
}

aclError aclprofPush(void* stamp) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Ranges>().push(text_of(runtime, stamp, "range"));
  });
}

aclError aclprofPop() {
  return guarded(__func__, [&](Runtime& runtime) { runtime.section<Ranges>().pop(); });
}

aclError aclprofRangeStart(void* stamp, uint32_t* rangeId) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(rangeId, "rangeId");
    out = runtime.section<Ranges>().start(text_of(runtime, stamp, "range"));
  });
}

aclError aclprofRangeStop(uint32_t rangeId) {
  return guarded(__func__, [&](Runtime& runtime) { runtime.section<Ranges>().stop(rangeId); });
}

aclError aclprofMark(void* stamp) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Ranges>().mark(text_of(runtime, stamp, "mark"));
  });
}

// ---- without stamps ----

aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    std::string text = text_argument(msg, msgLen, "msg");
    own_stream(runtime, stream)->submit(make_mark(std::move(text), "MARK"));
  });
}

aclError aclrtProfTrace(void* userdata, int32_t length, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(userdata, "userdata");
    if (length <= 0 || static_cast<std::size_t>(length) > kLongestText) {
      fail(ACL_ERROR_INVALID_PARAM, "length is {}; expected 1 to {}", length, kLongestText);
    }
    Stream* const found = own_stream(runtime, stream);
    const auto* const data = static_cast<const unsigned char*>(userdata);
    found->submit(
        make_mark(fmt::format("trace {:02x}", fmt::join(data, data + length, "")), "PROF_TRACE"));
  });
}

uint64_t aclprofStr2Id(const char* message) {
  uint64_t id = 0;
  guarded(__func__, [&](Runtime& runtime) {
    id = runtime.section<Ranges>().id_of(text_argument(message, kLongestText + 1, "message"));
  });
  return id;
}

aclError aclprofRangePushEx(aclprofEventAttributes* attr) {
  return guarded(__func__, [&](Runtime& runtime) {
    const aclprofTensorInfo& info = tensors_of(attr);
    std::string name = runtime.section<Ranges>().text_of(info.opNameId);
    if (name.empty()) {
      fail(ACL_ERROR_INVALID_PARAM, "attr: opNameId is {}; expected an id of aclprofStr2Id",
           info.opNameId);
    }
    runtime.section<Ranges>().push(std::move(name), details_of(runtime, info));
  });
}

aclError aclprofRangePop() {
  return guarded(__func__, [&](Runtime& runtime) { runtime.section<Ranges>().pop(); });
}

}  // extern "C"
