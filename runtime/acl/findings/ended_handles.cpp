// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/findings/ended_handles.h"

#include "runtime/acl/base/handle_table.h"

namespace acl {

std::optional<order::OpInfo> EndedHandles::find(const void* handle) const {
  for (const Row& row : *rows_) {
    if (row.handle.load(std::memory_order_acquire) != handle) continue;
    order::OpInfo by;
    by.what = row.call.load(std::memory_order_acquire);
    by.site = row.site.load(std::memory_order_acquire);
    by.thread = row.thread.load(std::memory_order_acquire);
    if (row.handle.load(std::memory_order_relaxed) == handle)
      return by;  // not written anew meanwhile
  }
  return std::nullopt;
}

const char* noun_of_handle(const void* handle) noexcept {
  switch (kind_of_handle(handle)) {
    case HandleKind::context:
      return "a context";
    case HandleKind::stream:
      return "a stream";
    case HandleKind::event:
      return "an event";
    case HandleKind::notify:
      return "a notify";
    case HandleKind::cnt_notify:
      return "a counter notify";
    case HandleKind::label:
      return "a label";
    case HandleKind::label_list:
      return "a label list";
    case HandleKind::model:
      return "a model";
    case HandleKind::model_task:
      return "a task of a model";
    case HandleKind::task_group:
      return "a task group";
    case HandleKind::condition:
      return "a condition";
    case HandleKind::binary:
      return "a kernel binary";
    case HandleKind::function:
      return "a kernel function";
    case HandleKind::arguments:
      return "a list of arguments";
    case HandleKind::physical_memory:
      return "physical memory";
    case HandleKind::memory_pool:
      return "a memory pool";
    case HandleKind::binary_data:
      return "the data of a binary";
    case HandleKind::data_buffer:
      return "a data buffer";
    case HandleKind::tensor_channel:
      return "a channel";
    case HandleKind::data_item:
      return "a data item";
    case HandleKind::data_set:
      return "a dataset";
    case HandleKind::buffer:
      return "a buffer";
    case HandleKind::tensor_desc:
      return "a tensor description";
    default:
      return "an object";
  }
}

}  // namespace acl
