/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions by number. A kernel that was built with an older header keeps its numbers: new ones go
 * to the end of their group.
 */
#ifndef ASCENDC_IMPL_OPCODES_H_
#define ASCENDC_IMPL_OPCODES_H_

/* The vector unit: 1 to 999. Its rows: runtime/ascendc/vector/rows.cpp. */
enum aclsimVectorOpcode { ACLSIM_OP_NONE = 0, ACLSIM_VECTOR_FIRST = 1, ACLSIM_VECTOR_LAST = 999 };

/* Copies between memories, and what orders pipes: 1000 to 1999. */
enum aclsimMoveOpcode { ACLSIM_MOVE_FIRST = 1000, ACLSIM_MOVE_LAST = 1999 };

/* The cube unit: 2000 to 2999. */
enum aclsimCubeOpcode { ACLSIM_CUBE_FIRST = 2000, ACLSIM_CUBE_LAST = 2999 };

#endif /* ASCENDC_IMPL_OPCODES_H_ */
