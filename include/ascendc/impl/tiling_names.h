/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tiling structures of the library, by the names that kernels use for them.
 */
#ifndef ASCENDC_IMPL_TILING_NAMES_H_
#define ASCENDC_IMPL_TILING_NAMES_H_

#include "ascendc/impl/cube_tiling.h"
#include "ascendc/impl/hccl_tilings.h"
#include "ascendc/impl/library_tilings.h"

namespace AscendC {
#define ACLSIM_USING(NAME) using tiling::NAME;
ACLSIM_LIBRARY_TILINGS(ACLSIM_USING)
#undef ACLSIM_USING
using tiling::Mc2CcTiling;
using tiling::Mc2InitTiling;
}  // namespace AscendC

using AscendC::tiling::Mc2CcTiling;
using AscendC::tiling::Mc2HcommCfg;
using AscendC::tiling::Mc2InitTiling;
using AscendC::tiling::Mc2ServerCfg;
using AscendC::tiling::TCubeTiling;
#define ACLSIM_USING(NAME) using AscendC::tiling::NAME;
ACLSIM_LIBRARY_TILINGS(ACLSIM_USING)
#undef ACLSIM_USING

#endif /* ASCENDC_IMPL_TILING_NAMES_H_ */
