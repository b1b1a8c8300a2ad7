/* SPDX-License-Identifier: Apache-2.0 */
/* Everything most programs need: the runtime, single operators and models. */
#ifndef ACL_INCLUDE_ACL_H_
#define ACL_INCLUDE_ACL_H_

#include "acl_mdl.h"
#include "acl_op.h"
#include "acl_rt.h"

#endif /* ACL_INCLUDE_ACL_H_ */
