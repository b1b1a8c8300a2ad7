/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory and string functions that know how large their destination is, after Annex K of C11 but
 * without constraint handlers. Link with -lc_sec.
 *
 * A function that returns errno_t gives EOK, or says what was wrong: EINVAL and ERANGE leave the
 * destination as it was, the codes that end in _AND_RESET have emptied it first. Emptied means: a
 * string is "", memory is zero over destMax bytes (memset_s fills it instead). Sizes of the wide
 * forms count wchar_t. Functions that print return -1 after an error.
 */
#ifndef ACLSIM_INCLUDE_SECUREC_H_
#define ACLSIM_INCLUDE_SECUREC_H_

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define SECUREC_API __attribute__((visibility("default")))
#define SECUREC_FORMAT_(kind, at, first) __attribute__((format(kind, at, first)))

typedef int errno_t;

#ifndef EOK
#define EOK 0
#endif
#define EOVERLAP 54
#define EINVAL_AND_RESET 150   /* EINVAL + 0x80 */
#define ERANGE_AND_RESET 162   /* ERANGE + 0x80 */
#define EOVERLAP_AND_RESET 182 /* EOVERLAP + 0x80 */

#define SECUREC_MEM_MAX_LEN 0x7fffffffUL
#define SECUREC_STRING_MAX_LEN 0x7fffffffUL
#define SECUREC_WCHAR_MEM_MAX_LEN (SECUREC_MEM_MAX_LEN / sizeof(wchar_t))
#define SECUREC_WCHAR_STRING_MAX_LEN (SECUREC_STRING_MAX_LEN / sizeof(wchar_t))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- memory ---------------------------------------------------------------------------------- */

/* Overlapping areas: EOVERLAP_AND_RESET; the very same area is none. */
SECUREC_API errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count);
SECUREC_API errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count);
SECUREC_API errno_t memset_s(void* dest, size_t destMax, int c, size_t count);
SECUREC_API errno_t wmemcpy_s(wchar_t* dest, size_t destMax, const wchar_t* src, size_t count);
SECUREC_API errno_t wmemmove_s(wchar_t* dest, size_t destMax, const wchar_t* src, size_t count);

/* ---- strings --------------------------------------------------------------------------------- */

/* The result has to fit with its end, or nothing is kept of it. */
SECUREC_API errno_t strcpy_s(char* strDest, size_t destMax, const char* strSrc);
SECUREC_API errno_t strncpy_s(char* strDest, size_t destMax, const char* strSrc, size_t count);
/* A destination without an end within destMax: EINVAL_AND_RESET. */
SECUREC_API errno_t strcat_s(char* strDest, size_t destMax, const char* strSrc);
SECUREC_API errno_t strncat_s(char* strDest, size_t destMax, const char* strSrc, size_t count);
SECUREC_API char* strtok_s(char* strToken, const char* strDelimit, char** context);
SECUREC_API errno_t wcscpy_s(wchar_t* strDest, size_t destMax, const wchar_t* strSrc);
SECUREC_API errno_t wcsncpy_s(wchar_t* strDest, size_t destMax, const wchar_t* strSrc,
                              size_t count);
SECUREC_API errno_t wcscat_s(wchar_t* strDest, size_t destMax, const wchar_t* strSrc);
SECUREC_API errno_t wcsncat_s(wchar_t* strDest, size_t destMax, const wchar_t* strSrc,
                              size_t count);
SECUREC_API wchar_t* wcstok_s(wchar_t* strToken, const wchar_t* strDelimit, wchar_t** context);

/* ---- printing -------------------------------------------------------------------------------- */

/* Text that does not fit: an empty string and -1. */
SECUREC_API int sprintf_s(char* strDest, size_t destMax, const char* format, ...)
    SECUREC_FORMAT_(printf, 3, 4);
SECUREC_API int vsprintf_s(char* strDest, size_t destMax, const char* format, va_list argList)
    SECUREC_FORMAT_(printf, 3, 0);
/* At most count bytes and the end. Longer text is cut and gives -1; a count of (size_t)-1 cuts at
 * destMax. Text within count that does not fit into destMax: an empty string and -1. */
SECUREC_API int snprintf_s(char* strDest, size_t destMax, size_t count, const char* format, ...)
    SECUREC_FORMAT_(printf, 4, 5);
SECUREC_API int vsnprintf_s(char* strDest, size_t destMax, size_t count, const char* format,
                            va_list argList) SECUREC_FORMAT_(printf, 4, 0);
SECUREC_API int swprintf_s(wchar_t* strDest, size_t destMax, const wchar_t* format, ...);
SECUREC_API int vswprintf_s(wchar_t* strDest, size_t destMax, const wchar_t* format,
                            va_list argList);

/* ---- scanning -------------------------------------------------------------------------------- */

/*
 * As scanf, but each %s, %c and %[ takes a second argument after its pointer: the size of the
 * destination, an unsigned int. Input that does not fit leaves an empty string there, and the
 * conversion fails as for input that does not match. Null pointers give -1.
 */
SECUREC_API int sscanf_s(const char* buffer, const char* format, ...);
SECUREC_API int vsscanf_s(const char* buffer, const char* format, va_list argList);
SECUREC_API int fscanf_s(FILE* stream, const char* format, ...);
SECUREC_API int vfscanf_s(FILE* stream, const char* format, va_list argList);
SECUREC_API int scanf_s(const char* format, ...);
SECUREC_API int vscanf_s(const char* format, va_list argList);
/* Reads a line of standard input without its newline. Null: end of input, or the line does not fit.
 */
SECUREC_API char* gets_s(char* buffer, size_t destMax);

#ifdef __cplusplus
}
#endif

#endif /* ACLSIM_INCLUDE_SECUREC_H_ */
