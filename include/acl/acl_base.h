/* SPDX-License-Identifier: Apache-2.0 */
/* Basic types, result codes and data structures shared by all headers. */
#ifndef ACL_INCLUDE_ACL_BASE_H_
#define ACL_INCLUDE_ACL_BASE_H_

#include "acl_base_mdl.h"
#include "acl_base_rt.h"
#include "error_codes/ge_error_codes.h"
#include "error_codes/rt_error_codes.h"

#endif /* ACL_INCLUDE_ACL_BASE_H_ */
