// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Lock rules that clang checks with -Wthread-safety. Other compilers ignore them. The names follow
/// clang's documentation ("Thread Safety Analysis").
#if defined(__clang__)
#define ACLSIM_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define ACLSIM_THREAD_ATTRIBUTE(x)
#endif

/// A class whose objects are locks.
#define CAPABILITY(name) ACLSIM_THREAD_ATTRIBUTE(capability(name))
/// A class whose constructor locks and whose destructor unlocks.
#define SCOPED_CAPABILITY ACLSIM_THREAD_ATTRIBUTE(scoped_lockable)

/// A member that is read and written only with the lock held.
#define GUARDED_BY(...) ACLSIM_THREAD_ATTRIBUTE(guarded_by(__VA_ARGS__))
/// A pointer whose target is read and written only with the lock held.
#define PT_GUARDED_BY(...) ACLSIM_THREAD_ATTRIBUTE(pt_guarded_by(__VA_ARGS__))

/// A function that its caller calls with the lock held.
#define REQUIRES(...) ACLSIM_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define REQUIRES_SHARED(...) ACLSIM_THREAD_ATTRIBUTE(requires_shared_capability(__VA_ARGS__))
/// A function that its caller calls without the lock, because the function takes it.
#define EXCLUDES(...) ACLSIM_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

#define ACQUIRE(...) ACLSIM_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define ACQUIRE_SHARED(...) ACLSIM_THREAD_ATTRIBUTE(acquire_shared_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) ACLSIM_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) ACLSIM_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...) ACLSIM_THREAD_ATTRIBUTE(release_shared_capability(__VA_ARGS__))
#define RELEASE_GENERIC(...) ACLSIM_THREAD_ATTRIBUTE(release_generic_capability(__VA_ARGS__))

/// A lock that is taken before the named ones.
#define ACQUIRED_BEFORE(...) ACLSIM_THREAD_ATTRIBUTE(acquired_before(__VA_ARGS__))
#define ACQUIRED_AFTER(...) ACLSIM_THREAD_ATTRIBUTE(acquired_after(__VA_ARGS__))

/// A function that returns a reference to the lock.
#define RETURN_CAPABILITY(x) ACLSIM_THREAD_ATTRIBUTE(lock_returned(x))
/// States that the lock is held although the compiler cannot see it.
#define ASSERT_CAPABILITY(x) ACLSIM_THREAD_ATTRIBUTE(assert_capability(x))

/// The analysis skips the body of the function. A comment at each use gives the reason.
#define NO_THREAD_SAFETY_ANALYSIS ACLSIM_THREAD_ATTRIBUTE(no_thread_safety_analysis)
