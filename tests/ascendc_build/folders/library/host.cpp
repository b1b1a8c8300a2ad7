#include "acl/acl.h"
#include "kernel_tiling/kernel_tiling.h"
#include "tiling/tiling_api.h"

// The data that the class of the host saves has the layout that kernels expect.
int main() {
  optiling::TCubeTiling tiling;
  optiling::SoftMaxTiling softmax;
  if (tiling.GetDataSize() != sizeof(TCubeTiling) || softmax.GetDataSize() != sizeof(SoftMaxTiling))
    return 1;
  tiling.set_usedCoreNum(3);
  TCubeTiling plain;
  tiling.SaveToBuffer(&plain, sizeof plain);
  return plain.usedCoreNum != 3 || aclInit(nullptr) || aclFinalize();
}
