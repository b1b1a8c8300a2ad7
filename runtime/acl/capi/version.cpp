// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/guard.h"

using namespace acl;

extern "C" {

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return guarded(__func__, [&](Runtime&) {
    require_out(majorVersion, "majorVersion") = 1;
    require_out(minorVersion, "minorVersion") = 17;
    require_out(patchVersion, "patchVersion") = 0;
  });
}

const char* aclrtGetSocName() {
  const char* name = nullptr;
  guarded(__func__, [&](Runtime& runtime) { name = runtime.config().system.soc_name.c_str(); });
  return name;
}

size_t aclDataTypeSize(aclDataType dataType) {
  switch (dataType) {
    case ACL_COMPLEX128: return 16;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64: return 8;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32: return 4;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16: return 2;
    case ACL_DT_UNDEFINED:
    case ACL_STRING: return 0;
    default: return 1;  // bytes, booleans and everything smaller than a byte
  }
}

}  // extern "C"
