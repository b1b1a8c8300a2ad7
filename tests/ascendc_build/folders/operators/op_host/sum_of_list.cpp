// SPDX-License-Identifier: Apache-2.0
// The sum of a list of tensors, times 3, plus a scalar and values that the host knows.
#include "../op_kernel/sum_of_list_keys.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus tile_list(gert::TilingContext* context) {
  auto* data = context->GetTilingData<SumOfListTiling>();
  data->tensors = 0;
  while (context->GetDynamicInputShape(0, data->tensors)) ++data->tensors;
  data->length =
      static_cast<uint64_t>(context->GetDynamicInputShape(0, 0)->GetOriginShape().GetShapeSize());
  const gert::Tensor* values = context->GetRequiredInputTensor(2);
  if (!values || !values->GetData<int64_t>()) return ge::GRAPH_FAILED;
  data->values = static_cast<uint64_t>(values->GetShapeSize());
  const bool negative = data->values > 0 && values->GetData<int64_t>()[0] < 0;
  const auto type = static_cast<uint32_t>(context->GetDynamicInputDesc(0, 0)->GetDataType());
  ASCENDC_TPL_SEL_PARAM(context, type, 3, negative ? 1U : 0U);
  context->SetSimdNumBlocks(1);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class SumOfList : public OpDef {
 public:
  explicit SumOfList(const char* name) : OpDef(name) {
    Input("x")
        .ParamType(DYNAMIC)
        .DataTypeList({ge::DT_FLOAT, ge::DT_INT32})
        .FormatList({ge::FORMAT_ND});
    Input("added").ParamType(REQUIRED).Follow("x").Scalar();
    Input("values").ParamType(REQUIRED).DataTypeList({ge::DT_INT64}).ValueDepend(REQUIRED);
    Output("y").ParamType(REQUIRED).Follow("x");
    AICore().SetTiling(optiling::tile_list);
  }
};
OP_ADD(SumOfList);
}  // namespace ops
