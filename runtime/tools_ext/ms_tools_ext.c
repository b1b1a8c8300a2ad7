/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the header, for programs that look them up in a library. */
#define MSTX_FUNCTION_ __attribute__((visibility("default")))
#include "mstx/ms_tools_ext.h"
