// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/capi/core/lookup.h"

using namespace acl;

namespace {

std::uint32_t switch_of(std::uint32_t value, const char* argument) {
  if (value > 1) fail(ACL_ERROR_INVALID_PARAM, "{} is {}; expected 0 or 1", argument, value);
  return value;
}

struct AttributeRow {
  aclrtStreamAttr attribute;
  void (*set)(Stream& stream, const aclrtStreamAttrValue& value);
  void (*get)(const Stream& stream, aclrtStreamAttrValue& value);
};

constexpr AttributeRow kAttributeRows[] = {
    {ACL_STREAM_ATTR_FAILURE_MODE,
     [](Stream& stream, const aclrtStreamAttrValue& value) {
       stream.set_failure_mode(value.failureMode);
     },
     [](const Stream& stream, aclrtStreamAttrValue& value) {
       value.failureMode =
           stream.stops_on_failure() ? ACL_STOP_ON_FAILURE : ACL_CONTINUE_ON_FAILURE;
     }},
    {ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK,
     [](Stream& stream, const aclrtStreamAttrValue& value) {
       stream.attributes.overflow_check = switch_of(value.overflowSwitch, "overflowSwitch");
     },
     [](const Stream& stream, aclrtStreamAttrValue& value) {
       value.overflowSwitch = stream.attributes.overflow_check;
     }},
    {ACL_STREAM_ATTR_USER_CUSTOM_TAG,
     [](Stream& stream, const aclrtStreamAttrValue& value) {
       stream.attributes.custom_tag = value.userCustomTag;
     },
     [](const Stream& stream, aclrtStreamAttrValue& value) {
       value.userCustomTag = stream.attributes.custom_tag;
     }},
    {ACL_STREAM_ATTR_CACHE_OP_INFO,
     [](Stream& stream, const aclrtStreamAttrValue& value) {
       stream.attributes.cache_op_info = switch_of(value.cacheOpInfoSwitch, "cacheOpInfoSwitch");
     },
     [](const Stream& stream, aclrtStreamAttrValue& value) {
       value.cacheOpInfoSwitch = stream.attributes.cache_op_info;
     }},
    {ACL_STREAM_ATTR_PRIORITY,
     [](Stream& stream, const aclrtStreamAttrValue& value) {
       if (value.streamPriority > kLeastPriority) {
         fail(ACL_ERROR_RT_PARAM_INVALID, "streamPriority is {}; expected 0 to {}",
              value.streamPriority, kLeastPriority);
       }
       stream.set_priority(value.streamPriority);
     },
     [](const Stream& stream, aclrtStreamAttrValue& value) {
       value.streamPriority = stream.priority();
     }},
};

const AttributeRow& row_of(aclrtStreamAttr attribute) {
  for (const AttributeRow& row : kAttributeRows) {
    if (row.attribute == attribute) return row;
  }
  fail(ACL_ERROR_RT_PARAM_INVALID, "stmAttrType is {}; expected 1 to 5",
       static_cast<int>(attribute));
}

}  // namespace

extern "C" {

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(value, "value");
    const AttributeRow& row = row_of(stmAttrType);
    current_context(runtime);
    row.set(*any_stream(runtime, stream), *value);
  });
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtStreamAttrValue& out = require_out(value, "value");
    const AttributeRow& row = row_of(stmAttrType);
    current_context(runtime);
    const auto found = any_stream(runtime, stream);
    out = {};
    row.get(*found, out);
  });
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(priority, "priority");
    current_context(runtime);
    out = any_stream(runtime, stream)->priority();
  });
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(flags, "flags");
    current_context(runtime);
    out = any_stream(runtime, stream)->flags();
  });
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return guarded(__func__, [&](Runtime&) {
    if (leastPriority) *leastPriority = kLeastPriority;
    if (greatestPriority) *greatestPriority = 0;
  });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    switch_of(flag, "flag");
    current_context(runtime);
    any_stream(runtime, stream)->attributes.overflow_check = flag;
  });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(flag, "flag");
    current_context(runtime);
    out = any_stream(runtime, stream)->attributes.overflow_check;
  });
}

}  // extern "C"
