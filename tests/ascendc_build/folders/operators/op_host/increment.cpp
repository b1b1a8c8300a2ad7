// SPDX-License-Identifier: Apache-2.0
// Adds rows of `by` to x in place; tensors need not be contiguous.
#include "register/device_op_impl_registry.h"

namespace optiling {
struct IncrementTiling {
  uint32_t length;
};
static ge::graphStatus tile_increment(gert::TilingContext* context) {
  auto* data = context->GetTilingData<IncrementTiling>();
  data->length = static_cast<uint32_t>(context->GetInputTensor(0)->GetShapeSize());
  context->SetBlockDim(1);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
DEVICE_IMPL_OP_OPTILING(Increment).Tiling(optiling::tile_increment);
}  // namespace optiling

namespace ops {
class Increment : public OpDef {
 public:
  explicit Increment(const char* name) : OpDef(name) {
    Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    Input("by").ParamType(REQUIRED).Follow("x").AutoContiguous();
    Output("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    AICore().SetTiling(optiling::tile_increment).AddConfig("ascend910b");
  }
};
OP_ADD(Increment);
}  // namespace ops
