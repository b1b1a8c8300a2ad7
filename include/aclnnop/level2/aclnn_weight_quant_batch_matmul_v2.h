/* SPDX-License-Identifier: Apache-2.0 */
/* An older place of the header. */
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
