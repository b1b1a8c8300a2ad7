/* SPDX-License-Identifier: Apache-2.0 */
/* Older functions of libprofapi.so. They succeed and have no effect, unless a comment says more. */
#ifndef ACL_INCLUDE_PROFILING_PROF_API_H_
#define ACL_INCLUDE_PROFILING_PROF_API_H_

#include "profiling/aprof_pub.h"

#ifdef __cplusplus
extern "C" {
#endif

MSVP_PROF_API int32_t profSetProfCommand(VOID_PTR command, uint32_t len);
MSVP_PROF_API int32_t profSetStepInfo(const uint64_t indexId, const uint16_t tagId,
                                      void* const stream);
MSVP_PROF_API int32_t MsprofRegisterProfileCallback(int32_t callbackType, VOID_PTR callback,
                                                    uint32_t len);
MSVP_PROF_API int32_t MsprofSetConfig(uint32_t configType, const char* config, size_t configLength);
MSVP_PROF_API int32_t MsprofReportData(uint32_t moduleId, uint32_t type, VOID_PTR data,
                                       uint32_t len);
MSVP_PROF_API int32_t MsprofNotifySetDevice(uint32_t chipId, uint32_t deviceId, bool isOpen);
MSVP_PROF_API int32_t MsprofStart(uint32_t dataType, const void* data, uint32_t length);
MSVP_PROF_API int32_t MsprofStop(uint32_t dataType, const void* data, uint32_t length);

#ifdef __cplusplus
}
#endif
#endif
