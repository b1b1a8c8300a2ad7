/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function of a package that computes tilings. npu_op_library adds a source that includes this
 * to each library of tilings. C++11.
 */
#ifndef REGISTER_IMPL_TILING_ENTRY_H_
#define REGISTER_IMPL_TILING_ENTRY_H_

#include <string.h>

#include "register/impl/tiling_call.h"
#include "register/op_def_registry.h"

namespace optiling {

inline gert::Shape aclsim_shape(const int64_t* dims, uint32_t rank) {
  gert::Shape shape;
  for (uint32_t i = 0; i < rank; ++i) shape.AppendDim(dims[i]);
  return shape;
}

inline gert::Tensor aclsim_tensor(const aclsimTilingTensor& from) {
  gert::Tensor tensor(aclsim_shape(from.dims, from.rank), static_cast<ge::DataType>(from.data_type),
                      static_cast<ge::Format>(from.format));
  tensor.MutableStorageShape() = aclsim_shape(from.storage_dims, from.storage_rank);
  tensor.aclsim_set_data(from.data);
  return tensor;
}

inline void aclsim_add_attribute(gert::RuntimeAttrs& to, const aclsimAttribute& from) {
  const size_t count = static_cast<size_t>(from.count);
  switch (from.kind) {
    case ACLSIM_ATTRIBUTE_FLOAT:
      to.aclsim_add(static_cast<float>(from.real));
      return;
    case ACLSIM_ATTRIBUTE_STRING:
      to.aclsim_add(std::string(from.text != nullptr ? from.text : ""));
      return;
    case ACLSIM_ATTRIBUTE_LIST_BOOL:
      to.aclsim_add(static_cast<const bool*>(from.list), count);
      return;
    case ACLSIM_ATTRIBUTE_LIST_INT:
      to.aclsim_add(static_cast<const int64_t*>(from.list), count);
      return;
    case ACLSIM_ATTRIBUTE_LIST_FLOAT:
      to.aclsim_add(static_cast<const float*>(from.list), count);
      return;
    default:
      to.aclsim_add(from.whole);
  }
}

inline void aclsim_fill(gert::TilingContext& context, const aclsimTilingCall& call) {
  context.aclsim_set_type(call.type);
  for (uint32_t i = 0; i < call.num_inputs; ++i) {
    context.aclsim_begin_input();
    for (uint32_t member = 0; member < call.inputs[i].count; ++member)
      context.aclsim_add_member(aclsim_tensor(call.inputs[i].tensors[member]));
  }
  for (uint32_t i = 0; i < call.num_outputs; ++i) {
    context.aclsim_begin_output();
    for (uint32_t member = 0; member < call.outputs[i].count; ++member)
      context.aclsim_add_output_member(aclsim_tensor(call.outputs[i].tensors[member]));
  }
  for (uint32_t i = 0; i < call.num_attributes; ++i)
    aclsim_add_attribute(context.aclsim_attrs(), call.attributes[i]);
}

}  // namespace optiling

extern "C" __attribute__((visibility("default"))) inline __attribute__((used)) int32_t
aclsimComputeTiling(aclsimTilingCall* call) {
  if (call->size < sizeof *call) return ACLSIM_TILING_OTHER_VERSION;
  const auto found = ops::aclsim_operators().find(call->type);
  if (found == ops::aclsim_operators().end()) return ACLSIM_TILING_UNKNOWN_OPERATOR;
  const gert::OpImplRegisterV2::TilingKernelFunc function =
      found->second->aclsim_core().aclsim_tiling();
  if (function == nullptr) return ACLSIM_TILING_WITHOUT_FUNCTION;
  gert::TilingContext context;
  optiling::aclsim_fill(context, *call);
  call->tiling_status = function(&context);
  if (call->tiling_status != ge::GRAPH_SUCCESS) return ACLSIM_TILING_FAILED;
  const gert::TilingData& data = *context.GetRawTilingData();
  if (data.GetDataSize() > call->tiling_size) return ACLSIM_TILING_TOO_LARGE;
  memcpy(call->tiling, data.GetData(), data.GetDataSize());
  call->tiling_size = data.GetDataSize();
  call->blocks = context.GetBlockDim();
  call->key = context.GetTilingKey();
  call->schedule_mode = context.GetScheduleMode();
  call->local_bytes = context.GetLocalMemorySize();
  call->needs_atomic = context.NeedAtomic() ? 1 : 0;
  call->workspace = context.GetWorkspaceNum() != 0 ? context.GetWorkspaceSizes(1)[0] : 0;
  return ACLSIM_TILING_DONE;
}

#endif /* REGISTER_IMPL_TILING_ENTRY_H_ */
