// SPDX-License-Identifier: Apache-2.0
// y = x * factor + bias + the sum of the offsets, one value for all elements; attributes of all
// kinds.
#include <cstring>

#include "register/op_def_registry.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleAddSizes)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF_ARR(uint32_t, 2, names);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleAddSizesOp, ScaleAddSizes)

BEGIN_TILING_DATA_DEF(ScaleAddTiling)
TILING_DATA_FIELD_DEF(float, factor);
TILING_DATA_FIELD_DEF(float, offset);
TILING_DATA_FIELD_DEF_STRUCT(ScaleAddSizes, sizes);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleAdd, ScaleAddTiling)

static ge::graphStatus tile(gert::TilingContext* context) {
  const gert::RuntimeAttrs* attrs = context->GetAttrs();
  if (attrs->GetAttrNum() != 7) return ge::GRAPH_FAILED;
  ScaleAddTiling tiling;
  float offset = static_cast<float>(*attrs->GetAttrPointer<int64_t>(1));
  const auto* ints = attrs->GetListInt(3);
  for (size_t i = 0; i < ints->GetSize(); ++i) offset += static_cast<float>(ints->GetData()[i]);
  const auto* floats = attrs->GetListFloat(4);
  for (size_t i = 0; i < floats->GetSize(); ++i) offset += floats->GetData()[i];
  const auto* bools = attrs->GetAttrPointer<gert::ContinuousVector>(5);
  for (size_t i = 0; i < bools->GetSize(); ++i)
    offset += static_cast<const bool*>(bools->GetData())[i] ? 0.5F : 0.0F;
  if (*attrs->GetAttrPointer<bool>(6)) offset += 0.25F;
  const char* name = attrs->GetAttrPointer<char>(2);
  if (std::strcmp(name, "refused") == 0) return ge::GRAPH_FAILED;
  const uint32_t names[2] = {static_cast<uint32_t>(std::strlen(name)), 7};
  tiling.set_factor(*attrs->GetAttrPointer<float>(0));
  tiling.set_offset(offset);
  tiling.sizes.set_length(
      static_cast<uint32_t>(context->GetInputShape(0)->GetOriginShape().GetShapeSize()));
  tiling.sizes.set_names(names);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  context->SetNeedAtomic(true);
  context->SetTilingKey(context->GetOptionalInputTensor(1) == nullptr ? 1 : 2);
  context->GetWorkspaceSizes(1)[0] = 64;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class ScaleAdd : public OpDef {
 public:
  explicit ScaleAdd(const char* name) : OpDef(name) {
    Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    Input("bias").ParamType(OPTIONAL).Follow("x");
    Output("y")
        .ParamType(REQUIRED)
        .Follow("x", FollowType::ALL)
        .InitValue({{ScalarType::FLOAT32, 0.5}, {ScalarType::INT32, 3}});
    Attr("factor").Float(2);
    Attr("offset").AttrType(OPTIONAL).Int(0);
    Attr("some_name").String("name");
    Attr("whole_offsets").ListInt({});
    Attr("real_offsets").ListFloat({});
    Attr("half_offsets").ListBool({});
    Attr("quarter").Bool(false);
    AICore().SetTiling(optiling::tile).AddConfig("ascend910b");
    OpAICoreConfig only_float;
    only_float.Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    AICore().AddConfig("ascend950", only_float);
  }
};
OP_ADD(ScaleAdd);
}  // namespace ops
