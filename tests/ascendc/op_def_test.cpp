// SPDX-License-Identifier: Apache-2.0
// An operator as host code of a framework's project describes it: what is kept of it, and its
// functions.
#include <cstring>

#include "register/op_def_registry.h"
#include "tests/support/catch.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleCustomTiling)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(float, factor);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleCustom, ScaleCustomTiling)

static ge::graphStatus tile_scale(gert::TilingContext* context) {
  if (context->GetInputShape(1)) return ge::GRAPH_FAILED;
  if (context->GetInputTensor(0)->GetDataType() != ge::DT_FLOAT16) return ge::GRAPH_FAILED;
  const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  ScaleCustomTiling tiling;
  tiling.set_length(
      static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize()));
  tiling.set_factor(*context->GetAttrs()->GetAttrPointer<float>(0));
  context->SetBlockDim(platform.GetCoreNumAiv() > 8 ? 8 : 1);
  context->SetTilingKey(3);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 4096;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus shape_of_scale(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}
static graphStatus type_of_scale(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, context->GetInputDataType(0));
}
}  // namespace ge

namespace ops {
class ScaleCustom : public OpDef {
 public:
  explicit ScaleCustom(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).AutoContiguous();
    this->Attr("factor").AttrType(OPTIONAL).Float(0.5F);
    this->Attr("axes").ListInt({1, 2});
    this->SetInferShape(ge::shape_of_scale).SetInferDataType(ge::type_of_scale);
    this->AICore().SetTiling(optiling::tile_scale);
    OpAICoreConfig config;
    config.DynamicShapeSupportFlag(true).ExtendCfgInfo("opFile.value", "scale");
    this->AICore().AddConfig("ascend910b").AddConfig("ascend950", config);
  }
};
OP_ADD(ScaleCustom);
}  // namespace ops

TEST_CASE("what host code says of an operator is kept by its type", "[op_def]") {
  REQUIRE(ops::aclsim_operators().count("ScaleCustom") == 1);
  ops::OpDef& op = *ops::aclsim_operators()["ScaleCustom"];
  REQUIRE(op.aclsim_inputs().size() == 1);
  REQUIRE(op.aclsim_outputs().size() == 1);
  const ops::OpParamDef& x = op.aclsim_inputs()[0];
  CHECK(x.aclsim_name() == "x");
  CHECK(x.aclsim_ParamType() == ops::REQUIRED);
  CHECK(x.aclsim_DataType() == std::vector<ge::DataType>{ge::DT_FLOAT16, ge::DT_FLOAT});
  CHECK(op.aclsim_outputs()[0].aclsim_has("auto contiguous"));
  REQUIRE(op.aclsim_attrs().size() == 2);
  CHECK(op.aclsim_attrs()[0].aclsim_kind() == "float");
  CHECK(op.aclsim_attrs()[0].aclsim_numbers() == std::vector<double>{0.5});
  CHECK(op.aclsim_attrs()[1].aclsim_numbers() == std::vector<double>{1, 2});
  const auto& configs = op.AICore().aclsim_configs();
  CHECK(configs.count("ascend910b") == 1);
  CHECK(configs.at("ascend950").aclsim_more().at("opFile.value") == "scale");
  CHECK(configs.at("ascend950").aclsim_more().at("dynamicShapeSupport.flag") == "true");
}

TEST_CASE("a test calls an operator's host functions with shapes of its own", "[op_def]") {
  ops::OpDef& op = *ops::aclsim_operators()["ScaleCustom"];
  gert::TilingContext tiling;
  tiling.aclsim_add_input({4, 25}, ge::DT_FLOAT16);
  tiling.aclsim_attrs().aclsim_add(0.25F);
  REQUIRE(op.AICore().aclsim_tiling()(&tiling) == ge::GRAPH_SUCCESS);
  struct {
    uint32_t length;
    float factor;
  } kept{};
  REQUIRE(tiling.GetRawTilingData()->GetDataSize() == sizeof kept);
  std::memcpy(&kept, tiling.GetRawTilingData()->GetData(), sizeof kept);
  CHECK(kept.length == 100);
  CHECK(kept.factor == 0.25F);
  CHECK(tiling.GetBlockDim() == 8);
  CHECK(tiling.GetTilingKey() == 3);
  CHECK(tiling.GetWorkspaceSizes(1)[0] == 4096);

  gert::InferShapeContext shapes;
  shapes.aclsim_add_input({2, 3}, ge::DT_FLOAT);
  shapes.aclsim_add_output({}, ge::DT_UNDEFINED);
  REQUIRE(op.aclsim_infer_shape()(&shapes) == ge::GRAPH_SUCCESS);
  CHECK(*shapes.GetOutputShape(0) == gert::Shape{2, 3});
  gert::InferDataTypeContext types;
  types.aclsim_add_input({2, 3}, ge::DT_BF16);
  types.aclsim_add_output({}, ge::DT_UNDEFINED);
  REQUIRE(op.aclsim_infer_type()(&types) == ge::GRAPH_SUCCESS);
  CHECK(types.GetOutputDataType(0) == ge::DT_BF16);
}
