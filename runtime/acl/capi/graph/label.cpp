// SPDX-License-Identifier: Apache-2.0
// Labels, and the tasks of built models that go from stream to stream.
#include "runtime/acl/capi/graph/model_lookup.h"
#include "runtime/acl/graph/build.h"
#include "runtime/acl/memory/transfer.h"

using namespace acl;

namespace {

/// The branch of a stream that is bound to the same model.
Branch& target_in(const ModelBuild& build, const Stream& stream, const char* argument) {
  const auto target = build_of(stream, argument);
  if (&target->model() != &build.model()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} {} is bound to another model", argument, stream.id());
  }
  return target->branch();
}

void require_on_device(Runtime& runtime, const void* address, std::size_t size,
                       const char* argument) {
  require_input(address, argument);
  if (!locate(runtime, address, size, argument).on_device()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, which is not device memory", argument, address);
  }
}

}  // namespace

extern "C" {

aclError aclrtCreateLabel(aclrtLabel* label) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtLabel& out = require_out(label, "label");
    out = nullptr;
    current_context(runtime);
    auto& labels = runtime.section<Labels>();
    if (labels.table().count() >= Labels::kMost) {
      fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has {} labels, which is its limit",
           Labels::kMost);
    }
    out = labels.table().add(sim::make_ref<Label>());
  });
}

aclError aclrtDestroyLabel(aclrtLabel label) {
  return guarded(__func__, [&](Runtime& runtime) {
    auto& table = runtime.section<Labels>().table();
    table.remove(find_handle(table, label, "label", "label"));
  });
}

aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_handle(runtime.section<Labels>().table(), label, "label", "label");
    found->set(*build_of(*own_stream(runtime, stream)));
  });
}

aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num, aclrtLabelList* labelList) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(labels, "labels");
    aclrtLabelList& out = require_out(labelList, "labelList");
    out = nullptr;
    if (num == 0 || num > Labels::kMost) {
      fail(ACL_ERROR_INVALID_PARAM, "num is {}; expected 1 to {}", num, Labels::kMost);
    }
    current_context(runtime);
    auto& section = runtime.section<Labels>();
    std::vector<sim::Ref<Label>> all;
    for (std::size_t i = 0; i < num; ++i) {
      all.push_back(sim::Ref<Label>::share(
          find_handle(section.table(), labels[i], "labels[i]", "label").get()));
    }
    out = section.lists().add(sim::make_ref<LabelList>(std::move(all)));
  });
}

aclError aclrtDestroyLabelList(aclrtLabelList labelList) {
  return guarded(__func__, [&](Runtime& runtime) {
    auto& table = runtime.section<Labels>().lists();
    table.remove(find_handle(table, labelList, "labelList", "label list"));
  });
}

aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue, aclrtLabelList labelList,
                                 aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(ptr, "ptr");
    const auto list =
        find_handle(runtime.section<Labels>().lists(), labelList, "labelList", "label list");
    Stream* const found = own_stream(runtime, stream);
    const auto build = build_of(*found);
    require_on_device(runtime, ptr, sizeof(std::uint32_t), "ptr");
    if (maxValue == 0) fail(ACL_ERROR_RT_PARAM_INVALID, "maxValue is 0");
    found->submit(sim::make_control(sim::make_ref<LabelSwitch>(
        runtime, *build, ptr, maxValue, sim::Ref<LabelList>::share(list.get()))));
  });
}

aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(activeStream, "activeStream");
    const auto target = find_stream(runtime, activeStream, "activeStream");
    Stream* const found = own_stream(runtime, stream);
    const auto build = build_of(*found);
    found->submit(sim::make_control(sim::make_ref<StreamActivation>(
        build->model(), target_in(*build, *target, "activeStream"))));
  });
}

aclError aclrtSwitchStream(void* leftValue, aclrtCondition cond, void* rightValue,
                           aclrtCompareDataType dataType, aclrtStream trueStream,
                           aclrtStream falseStream, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(leftValue, "leftValue");
    require_input(rightValue, "rightValue");
    require_input(trueStream, "trueStream");
    if (falseStream) fail(ACL_ERROR_INVALID_PARAM, "falseStream is not null; expected null");
    if (cond < ACL_RT_EQUAL || cond > ACL_RT_LESS_OR_EQUAL) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "cond is {}; expected 0 to 5", static_cast<int>(cond));
    }
    if (dataType != ACL_RT_SWITCH_INT32 && dataType != ACL_RT_SWITCH_INT64) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "dataType is {}; expected 0 (int32) or 1 (int64)",
           static_cast<int>(dataType));
    }
    const auto target = find_stream(runtime, trueStream, "trueStream");
    Stream* const found = own_stream(runtime, stream);
    const auto build = build_of(*found);
    const std::size_t size = dataType == ACL_RT_SWITCH_INT32 ? 4 : 8;
    require_on_device(runtime, leftValue, size, "leftValue");
    require_on_device(runtime, rightValue, size, "rightValue");
    found->submit(sim::make_control(sim::make_ref<StreamSwitch>(
        runtime, *build, StreamSwitch::Comparison{leftValue, rightValue, cond, dataType},
        target_in(*build, *target, "trueStream"))));
  });
}

}  // extern "C"
