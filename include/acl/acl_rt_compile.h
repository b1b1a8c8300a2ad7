/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compilation of kernels at run time, by the kernel compiler of the toolkit (docs/kernels.md). Link
 * with -lacl_rtc. The functions need no aclInit, and programs outlive aclFinalize.
 *
 * Each function returns ACL_ERROR_RTC_INVALID_PROG (176000) for a prog that aclrtcCreateProg did
 * not make, and ACL_ERROR_RTC_INVALID_INPUT (176001) for other wrong arguments.
 */
#ifndef ACL_INCLUDE_ACL_RT_COMPILE_H_
#define ACL_INCLUDE_ACL_RT_COMPILE_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

static const int ACL_ERROR_RTC_INVALID_PROG = 176000;
static const int ACL_ERROR_RTC_INVALID_INPUT = 176001;
static const int ACL_ERROR_RTC_INVALID_OPTION = 176002;
static const int ACL_ERROR_RTC_COMPILATION = 176003;
static const int ACL_ERROR_RTC_LINKING = 176004;
static const int ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION = 176005;
static const int ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION = 176006;
static const int ACL_ERROR_RTC_NAME_EXPR_NOT_VALID = 176007;
static const int ACL_ERROR_RTC_PROG_CREATION_FAILURE = 276000;
static const int ACL_ERROR_RTC_OUT_OF_MEMORY = 276001;
static const int ACL_ERROR_RTC_FAILURE = 576000;

typedef void *aclrtcProg;

/* Stores a program of the source `src` (AscendC code of the device) under the name that messages
 * show; null: "default_program". `headers`: texts of headers, which the source includes by the
 * `includeNames`, both of numHeaders strings; null with 0 headers. All texts are copied. */
ACL_FUNC_VISIBILITY aclError aclrtcCreateProg(aclrtcProg *prog, const char *src, const char *name,
                                              int numHeaders, const char **headers,
                                              const char **includeNames);
/* Sets *prog to null. Loaded binaries of the program stay loaded. */
ACL_FUNC_VISIBILITY aclError aclrtcDestroyProg(aclrtcProg *prog);
/* The compiled program shall contain the kernel of this expression of C++, for instance
 * "ns::add<float>". 176005 after the compilation. */
ACL_FUNC_VISIBILITY aclError aclrtcAddNameExpr(aclrtcProg prog, const char *const nameExpression);
/* Compiles with the options of bisheng, for instance "--npu-arch=dav-2201"; an option of two words
 * takes two entries. Returns when the compiler has ended. 176002: an option is null or empty, or
 * names the compiler's input or output; 176003: the source does not compile; 176004: it does not
 * link; 576000: there is no compiler. */
ACL_FUNC_VISIBILITY aclError aclrtcCompileProg(aclrtcProg prog, int numOptions,
                                               const char **options);
/* Stores the name for aclrtBinaryGetFunction, which belongs to the program. 176006 before the
 * compilation; 176007 for an expression that was not added before it. */
ACL_FUNC_VISIBILITY aclError aclrtcGetLoweredName(aclrtcProg prog, const char *nameExpression,
                                                  const char **loweredName);
/* The binary for aclrtBinaryLoadFromData, and its size in bytes; 176000 before a successful
 * compilation. */
ACL_FUNC_VISIBILITY aclError aclrtcGetBinDataSize(aclrtcProg prog, size_t *binDataSizeRet);
ACL_FUNC_VISIBILITY aclError aclrtcGetBinData(aclrtcProg prog, char *binData);
/* The messages of the last compilation as a string, and its size in bytes with the terminating
 * null; an empty string before. */
ACL_FUNC_VISIBILITY aclError aclrtcGetCompileLogSize(aclrtcProg prog, size_t *logSizeRet);
ACL_FUNC_VISIBILITY aclError aclrtcGetCompileLog(aclrtcProg prog, char *log);

#ifdef __cplusplus
}
#endif

#endif /* ACL_INCLUDE_ACL_RT_COMPILE_H_ */
