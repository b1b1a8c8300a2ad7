/* SPDX-License-Identifier: Apache-2.0 */
/* An older place of the header. */
#include "aclnnop/aclnn_apply_adam_w_v2.h"
