// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt_allocator.h"

#include "runtime/acl/unsupported.h"

// allocators supplied by the program
ACL_UNSUPPORTED(aclrtAllocatorDesc, aclrtAllocatorCreateDesc, (), "external allocators");
ACL_UNSUPPORTED(aclError, aclrtAllocatorDestroyDesc, (aclrtAllocatorDesc), "external allocators");
ACL_UNSUPPORTED(aclError, aclrtAllocatorSetObjToDesc, (aclrtAllocatorDesc, aclrtAllocator),
                "external allocators");
ACL_UNSUPPORTED(aclError, aclrtAllocatorSetAllocFuncToDesc,
                (aclrtAllocatorDesc, aclrtAllocatorAllocFunc), "external allocators");
ACL_UNSUPPORTED(aclError, aclrtAllocatorSetFreeFuncToDesc,
                (aclrtAllocatorDesc, aclrtAllocatorFreeFunc), "external allocators");
ACL_UNSUPPORTED(aclError, aclrtAllocatorSetAllocAdviseFuncToDesc,
                (aclrtAllocatorDesc, aclrtAllocatorAllocAdviseFunc), "external allocators");
ACL_UNSUPPORTED(aclError, aclrtAllocatorSetGetAddrFromBlockFuncToDesc,
                (aclrtAllocatorDesc, aclrtAllocatorGetAddrFromBlockFunc), "external allocators");
ACL_UNSUPPORTED(aclError, aclrtAllocatorRegister, (aclrtStream, aclrtAllocatorDesc),
                "external allocators");
ACL_UNSUPPORTED(aclError, aclrtAllocatorGetByStream,
                (aclrtStream, aclrtAllocatorDesc*, aclrtAllocator*, aclrtAllocatorAllocFunc*,
                 aclrtAllocatorFreeFunc*, aclrtAllocatorAllocAdviseFunc*,
                 aclrtAllocatorGetAddrFromBlockFunc*),
                "external allocators");
ACL_UNSUPPORTED(aclError, aclrtAllocatorUnregister, (aclrtStream), "external allocators");
