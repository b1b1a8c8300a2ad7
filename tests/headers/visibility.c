/* SPDX-License-Identifier: Apache-2.0 */
/* Programs declare functions of their own with the visibility macros of the headers. */
#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_prof.h"

ACL_FUNC_VISIBILITY int visible_to_acl(void);
ACL_DUMP_API int visible_to_dumps(void);
ACL_DUMP_API ACL_DUMP_WEAK int absent_from_dumps(void);
GE_FUNC_VISIBILITY int visible_to_graphs(void);
MSVP_PROF_API int visible_to_profiles(void);

int visible_to_acl(void) { return 0; }
int visible_to_dumps(void) { return absent_from_dumps ? absent_from_dumps() : 0; }
int visible_to_graphs(void) { return 0; }
int visible_to_profiles(void) { return 0; }
