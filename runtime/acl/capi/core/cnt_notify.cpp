// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/core/notify.h"

using namespace acl;

namespace {

constexpr std::uint64_t kCountSecond = 1'000'000'000;

CntNotifyTable::Pin find_counter(Runtime& runtime, aclrtCntNotify handle) {
  return find_handle(runtime.section<Notifies>().counters(), handle, "cntNotify", "count notify");
}

sim::WordChange change_of(aclrtCntNotifyRecordMode mode) {
  switch (mode) {
    case ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE:
      return sim::WordChange::set;
    case ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE:
      return sim::WordChange::add_32;
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE:
      return sim::WordChange::set_bits;
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE:
      return sim::WordChange::keep_bits;
  }
  fail(ACL_ERROR_RT_PARAM_INVALID, "info->mode is {}; expected 0 (set), 1 (add), 2 (or), 4 (and)",
       static_cast<int>(mode));
}

sim::WordTest::Is test_of(aclrtCntNotifyWaitMode mode) {
  switch (mode) {
    case ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE:
      return sim::WordTest::Is::less;
    case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE:
      return sim::WordTest::Is::equal;
    case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE:
      return sim::WordTest::Is::greater;
    case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE:
      return sim::WordTest::Is::greater_equal;
    case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE:
      return sim::WordTest::Is::has_all_bits;
  }
  fail(ACL_ERROR_RT_PARAM_INVALID, "info->mode is {}; expected 0 to 4", static_cast<int>(mode));
}

}  // namespace

extern "C" {

aclError aclrtCntNotifyCreate(aclrtCntNotify* cntNotify, uint64_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtCntNotify& out = require_out(cntNotify, "cntNotify");
    out = nullptr;
    if (flag > ACL_NOTIFY_DEVICE_USE_ONLY) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}; expected 0 or 1", flag);
    }
    Context& context = current_context(runtime);
    auto& notifies = runtime.section<Notifies>();
    out = notifies.counters().add(notifies.create_counter(context));
  });
}

aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_counter(runtime, cntNotify);
    end_handle(runtime.section<Notifies>().counters(), found, "cntNotify");
  });
}

aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream,
                              aclrtCntNotifyRecordInfo* info) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(cntNotify, "cntNotify");
    require_input(info, "info");
    const sim::WordChange how = change_of(info->mode);
    Stream* const recording = own_stream(runtime, stream);
    const auto found = find_counter(runtime, cntNotify);
    recording->submit(sim::make_word_change(found->word(), how, info->value, "CNT_NOTIFY_RECORD"));
  });
}

aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream,
                                       aclrtCntNotifyWaitInfo* info) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(cntNotify, "cntNotify");
    require_input(info, "info");
    const sim::WordTest test{test_of(info->mode), info->isClear != 0, info->value};
    const std::uint64_t limit = info->timeout == UINT32_MAX ? 0 : info->timeout * kCountSecond;
    Stream* const waiting = own_stream(runtime, stream);
    const auto found = find_counter(runtime, cntNotify);
    waiting->submit(sim::make_word_wait(found->word(), test, limit, "CNT_NOTIFY_WAIT"));
  });
}

aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(cntNotify, "cntNotify");
    Stream* const resetting = own_stream(runtime, stream);
    const auto found = find_counter(runtime, cntNotify);
    resetting->submit(
        sim::make_word_change(found->word(), sim::WordChange::set, 0, "CNT_NOTIFY_RESET"));
  });
}

aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t* notifyId) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(notifyId, "notifyId");
    out = find_counter(runtime, cntNotify)->id();
  });
}

}  // extern "C"
