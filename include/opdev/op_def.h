/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registration of operators inside the vendor's operator library, which is not emulated: its
 * use does not compile. Programs call aclnn operators, or launch kernels of their own.
 */
#ifndef OPDEV_OP_DEF_H_
#define OPDEV_OP_DEF_H_

#define OP_TYPE_REGISTER(name)                                                          \
  static_assert(sizeof(#name) == 0, "OP_TYPE_REGISTER(" #name                           \
                                    ") is not emulated: operators inside the vendor's " \
                                    "library; expected aclnn operators (docs/operators.md)")

#endif /* OPDEV_OP_DEF_H_ */
