// SPDX-License-Identifier: Apache-2.0
// The description of ScaledAdd, z = x + factor * y, and its tiling: how the cores share the
// elements.
#include "../op_kernel/scaled_add_tiling.h"

#include <algorithm>

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TileScaledAdd(gert::TilingContext* context) {
  constexpr uint32_t kPerTile = 2048;
  const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  auto* const tiling = context->GetTilingData<ScaledAddTiling>();
  const auto total =
      static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  const uint32_t tiles = (total + kPerTile - 1) / kPerTile;
  const uint32_t cores = std::max(1U, std::min(tiles, platform.GetCoreNumAiv()));
  tiling->total = total;
  tiling->per_tile = kPerTile;
  tiling->per_core = (tiles + cores - 1) / cores * kPerTile;
  tiling->factor = *context->GetAttrs()->GetAttrPointer<float>(0);
  context->SetBlockDim((total + tiling->per_core - 1) / tiling->per_core);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ops {

class ScaledAdd : public OpDef {
 public:
  explicit ScaledAdd(const char* name) : OpDef(name) {
    Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    Input("y").ParamType(REQUIRED).Follow("x");
    Output("z").ParamType(REQUIRED).Follow("x");
    Attr("factor").AttrType(OPTIONAL).Float(1);
    AICore().SetTiling(optiling::TileScaledAdd).AddConfig("ascend910b");
  }
};
OP_ADD(ScaledAdd);

}  // namespace ops
