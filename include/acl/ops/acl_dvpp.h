/* SPDX-License-Identifier: Apache-2.0 */
/* Media functions are not part of this interface; the file exists for programs that include it. */
#ifndef ACL_INCLUDE_OPS_ACL_DVPP_H_
#define ACL_INCLUDE_OPS_ACL_DVPP_H_

#endif /* ACL_INCLUDE_OPS_ACL_DVPP_H_ */
