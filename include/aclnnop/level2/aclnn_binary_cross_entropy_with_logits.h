/* SPDX-License-Identifier: Apache-2.0 */
/* An older place of the header. */
#include "aclnnop/aclnn_binary_cross_entropy_with_logits.h"
