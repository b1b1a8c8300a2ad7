/* SPDX-License-Identifier: Apache-2.0 */
/* Programs include it; of its operators none is here. */
#ifndef ACLNNOP_INCLUDE_ACLNN_RECURRENT_GATED_DELTA_RULE_H_
#define ACLNNOP_INCLUDE_ACLNN_RECURRENT_GATED_DELTA_RULE_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#endif /* ACLNNOP_INCLUDE_ACLNN_RECURRENT_GATED_DELTA_RULE_H_ */
