/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of the vector unit: AscendC::Reg (the older name is AscendC::MicroAPI). Only
 * architecture 3510 has them; on others each name is refused.
 */
#ifndef ASCENDC_IMPL_REG_H_
#define ASCENDC_IMPL_REG_H_

#include "ascendc/impl/qualifiers.h"
#include "ascendc/impl/system.h"

#if ACLSIM_NPU_ARCH == 3510
#include "ascendc/impl/reg_order.h"
#else
#include "ascendc/impl/refused_reg.h"
#endif

#endif /* ASCENDC_IMPL_REG_H_ */
