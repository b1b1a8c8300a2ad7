/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bisheng includes this header before all others: it has the launchers, and undefines the macros
 * for keywords of kernels.
 */
#ifndef ASCENDC_IMPL_CHEVRON_H_
#define ASCENDC_IMPL_CHEVRON_H_

#include "ascendc/impl/launcher.h"
#include "ascendc/impl/qualifiers.h"
#include "ascendc/impl/tiling.h"

/* The translator reads these, so they must still be there when everything is included. */
#undef __global__
#undef __vector__
#undef __cube__
#undef __aicpu__
#undef __mix__
#undef __schedmode__
#undef __ubuf__
#undef __cbuf__
#undef __ca__
#undef __cb__
#undef __cc__
#undef __fbuf__
#undef __biasbuf__
#undef KERNEL_TASK_TYPE_DEFAULT
#undef __kfc_workspace__
#if ACLSIM_NPU_ARCH == 3510
#include "ascendc/impl/reg_call.h"
#undef __simd_vf__
#endif
#undef __block_local__
#undef __workgroup_local__
#undef __BLOCK_LOCAL__
#define __block_local__ [block_local]
#define __BLOCK_LOCAL__ [block_local]
#define __workgroup_local__ [workgroup_local]

/* With --enable-simt the words of SIMT code need no header. */
#ifdef ACLSIM_ENABLE_SIMT
#include "ascendc/impl/simt.h"
#endif

#endif /* ASCENDC_IMPL_CHEVRON_H_ */
