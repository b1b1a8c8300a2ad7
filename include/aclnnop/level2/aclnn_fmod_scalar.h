/* SPDX-License-Identifier: Apache-2.0 */
/* An older place of the header. */
#include "aclnnop/aclnn_fmod_scalar.h"
