#include "acl/acl.h"
#include "kernel_tiling/kernel_tiling.h"
#include "tiling/tiling_api.h"

// The data that the class of the host saves has the layout that kernels expect.
int main() {
  optiling::TCubeTiling tiling;
  optiling::SoftMaxTiling softmax;
  if (tiling.GetDataSize() != sizeof(TCubeTiling) || softmax.GetDataSize() != sizeof(SoftMaxTiling))
    return 1;
  AscendC::SinConfig sin;
  sin.algo = AscendC::SinAlgo::RADIAN_REDUCTION;
  const AscendC::CosConfig cos;
  const AscendC::TensorShape shape({1024});
  uint32_t most = 0, least = 0, plain_most = 0, plain_least = 0;
  AscendC::GetSinMaxMinTmpSize(sin, shape, 2, false, most, least);
  AscendC::GetSinMaxMinTmpSize(shape, 2, false, plain_most, plain_least);
  if (most != plain_most || least != plain_least || least == 0) return 1;
  AscendC::GetCosTmpBufferFactorSize(cos, 2, most, least);
  if (most == 0) return 1;
  tiling.set_usedCoreNum(3);
  TCubeTiling plain;
  tiling.SaveToBuffer(&plain, sizeof plain);
  return plain.usedCoreNum != 3 || aclInit(nullptr) || aclFinalize();
}
