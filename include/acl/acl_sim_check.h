/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Annotations for the order checker, and queries of its findings. Without the checker (`aclsim run
 * --check`, ACLSIM_CHECK=1) every function here does nothing and returns ACL_SUCCESS, so
 * annotations can stay in a program. Rules are named by their identifiers, "ACL007";
 * docs/checker-rules.md has the table.
 */
#ifndef ACL_INCLUDE_ACL_SIM_CHECK_H_
#define ACL_INCLUDE_ACL_SIM_CHECK_H_

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what the checker cannot see ------------------------------------------------------------- */

/* The calling thread is about to read (write) `size` bytes at `begin` itself, without a call: host
 * memory that asynchronous copies use, say. 100000: begin is NULL. */
ACL_FUNC_VISIBILITY aclError aclsimCheckRead(const void *begin, size_t size);
ACL_FUNC_VISIBILITY aclError aclsimCheckWrite(void *begin, size_t size);

/*
 * An allocator of the program hands the bytes to another user. An operation that may still use them
 * is reported as ACL006. With a stream, the bytes are reused in the order of that stream (NULL is
 * the default stream, as everywhere); aclsimCheckReuse: by the calling thread, now. 100000: begin
 * is NULL; 107017: a stale stream.
 */
ACL_FUNC_VISIBILITY aclError aclsimCheckReuse(void *begin, size_t size);
ACL_FUNC_VISIBILITY aclError aclsimCheckReuseOnStream(void *begin, size_t size, aclrtStream stream);

/*
 * Declares memory that the calling thread's next kernel launch reads (writes), for launch functions
 * that have no parameter for it. May be called several times before the launch; the kernel then
 * accesses only the declared memory. A failed launch discards the declarations; a launch into a
 * graph does not use them. 100000: begin is NULL.
 */
ACL_FUNC_VISIBILITY aclError aclsimCheckNextKernelReads(const void *begin, size_t size);
ACL_FUNC_VISIBILITY aclError aclsimCheckNextKernelWrites(void *begin, size_t size);

/*
 * Declares synchronisation between host threads outside of ACL: the operations of a thread before
 * it releases `object` (any address) happen before the operations of another thread after it
 * acquires the same object. Undeclared synchronisation is reported as ACL019, a note. 100000:
 * object is NULL.
 */
ACL_FUNC_VISIBILITY aclError aclsimCheckRelease(const void *object);
ACL_FUNC_VISIBILITY aclError aclsimCheckAcquire(const void *object);

/* ---- for test suites ------------------------------------------------------------------------- */

/*
 * From here to aclsimCheckExpectEnd findings of the rule are expected: they are counted, and not
 * reported. Nothing nests; for the whole process. 100000: rule is NULL or unknown, or an
 * expectation is under way.
 */
ACL_FUNC_VISIBILITY aclError aclsimCheckExpectBegin(const char *rule);
/* `count`: how many were found, each pair of places once; 0 without the checker. 100000: count is
 * NULL or no expectation is under way. */
ACL_FUNC_VISIBILITY aclError aclsimCheckExpectEnd(uint64_t *count);

/* How many findings there are so far at `level` ("note", "warning", "error") or above, each pair of
 * places once; 0 without the checker. 100000: level is unknown, or count is NULL. */
ACL_FUNC_VISIBILITY aclError aclsimCheckCount(const char *level, uint64_t *count);
/* The number of occurrences of findings so far at `level` or above. It also grows if the same two
 * locations are found again, and aclsimResetAll does not reset it. Two calls around a test show
 * whether the test had findings. Otherwise as aclsimCheckCount. */
ACL_FUNC_VISIBILITY aclError aclsimCheckOccurrences(const char *level, uint64_t *count);

/* Writes the findings at `level` or above since `*mark` (0: since the beginning) into `text` in the
 * form of the text report, also findings that had occurred before, and sets `*mark` to now. The
 * text is cut to `size` - 1 bytes; with `size` 0 only the mark is set. "" without the checker.
 * 100000: level is unknown, mark is NULL, or text is NULL and size is not 0. */
ACL_FUNC_VISIBILITY aclError aclsimCheckFindingsSince(const char *level, uint64_t *mark, char *text,
                                                      size_t size);

/* 1 while the checker is on. 100000: on is NULL. */
ACL_FUNC_VISIBILITY aclError aclsimCheckIsOn(int32_t *on);

/*
 * Sets the source location of the calling thread's next calls. Bindings use it, because reports
 * would otherwise name the code of the binding. `file` must live as long as the process; NULL:
 * reports name the caller's code again.
 */
ACL_FUNC_VISIBILITY aclError aclsimCheckSite(const char *file, uint32_t line);

/* 1 while the checker or a recording keeps these locations. 100000: on is NULL. */
ACL_FUNC_VISIBILITY aclError aclsimCheckSitesAreKept(int32_t *on);
/*
 * `source` is called in a thread that accesses memory which a pending task uses (--guard-reads), in
 * a signal handler, while no call of ACL is in progress. It calls aclsimCheckSite if it knows the
 * source location. NULL: reports name the code of the access again.
 */
ACL_FUNC_VISIBILITY aclError aclsimCheckSiteSource(void (*source)(void));

#ifdef __cplusplus
}
#endif

#endif /* ACL_INCLUDE_ACL_SIM_CHECK_H_ */
