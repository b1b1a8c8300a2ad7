/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages and checks of an operator's host functions. Messages go to the log of the application
 * (aclAppLog). The first argument names the operator: a text, or a context that has its name.
 * C++11.
 */
#ifndef LOG_LOG_H_
#define LOG_LOG_H_

#include <string>

#include "acl/acl_base_rt.h"
#include "graph/types.h"

namespace aclsim_log {

inline const char* name_of(const char* name) { return name != nullptr ? name : "null"; }
inline const char* name_of(const std::string& name) { return name.c_str(); }
template <typename Context>
const char* name_of(const Context* context) {
  return context != nullptr ? name_of(context->GetNodeName()) : "null";
}

}  // namespace aclsim_log

#define ACLSIM_OP_LOG(level, op, format, ...)                                                 \
  aclAppLog(level, __func__, __FILE__, __LINE__, "op[%s] " format, ::aclsim_log::name_of(op), \
            ##__VA_ARGS__)
#define OP_LOGD(op, ...) ACLSIM_OP_LOG(ACL_DEBUG, op, __VA_ARGS__)
#define OP_LOGI(op, ...) ACLSIM_OP_LOG(ACL_INFO, op, __VA_ARGS__)
#define OP_LOGW(op, ...) ACLSIM_OP_LOG(ACL_WARNING, op, __VA_ARGS__)
#define OP_LOGE(op, ...) ACLSIM_OP_LOG(ACL_ERROR, op, __VA_ARGS__)
#define OP_EVENT(op, ...) ACLSIM_OP_LOG(ACL_INFO, op, __VA_ARGS__)

/* The message, then the statement, if a condition holds. */
#define OP_CHECK_IF(condition, log, ...) \
  do {                                   \
    if (condition) {                     \
      log;                               \
      __VA_ARGS__;                       \
    }                                    \
  } while (0)
#define OP_LOGE_IF(condition, result, op, ...) \
  OP_CHECK_IF(condition, OP_LOGE(op, __VA_ARGS__), return result)
#define OP_LOGW_IF(condition, op, ...) OP_CHECK_IF(condition, OP_LOGW(op, __VA_ARGS__), )
#define OP_LOGI_IF_RETURN(condition, result, op, ...) \
  OP_CHECK_IF(condition, OP_LOGI(op, __VA_ARGS__), return result)
/* Returns from the function if a pointer is null. */
#define OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, result) \
  OP_CHECK_IF((pointer) == nullptr, OP_LOGE(context, "%s is null", #pointer), return result)
#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer) \
  OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, ge::GRAPH_FAILED)

#endif /* LOG_LOG_H_ */
