// SPDX-License-Identifier: Apache-2.0
// host/data_plane/shmem_host_cc.h, shmem_host_p2p_sync.h
#include "runtime/shmem/capi/waits.h"
#include "runtime/shmem/pe/transfer.h"
#include "shmem/host/data_plane/shmem_host_cc.h"
#include "shmem/host/data_plane/shmem_host_p2p_sync.h"

using namespace shmem;
using acl::embedding::Caller;

namespace {

void barrier(Caller caller, int team) {
  guarded(caller.function, [&] {
    const auto me = Pe::get();
    me->quiet();
    const Shown shown(caller, *me, "shmem barrier");
    me->meet(team);
  });
}

}  // namespace

extern "C" {

void aclshmem_barrier(aclshmem_team_t team) { barrier(__func__, team); }
void aclshmem_barrier_all(void) { barrier(__func__, Teams::kWorld); }
void aclshmem_sync(aclshmem_team_t team) { barrier(__func__, team); }
void aclshmem_sync_all(void) { barrier(__func__, Teams::kWorld); }

void aclshmemx_barrier_on_stream(aclshmem_team_t team, aclrtStream stream) {
  const Caller caller(__func__);
  guarded(__func__, [&] { barrier_on_stream(caller, team, stream); });
}
void aclshmemx_barrier_all_on_stream(aclrtStream stream) {
  const Caller caller(__func__);
  guarded(__func__, [&] { barrier_on_stream(caller, Teams::kWorld, stream); });
}

// Programs test the value and pass it to kernels, which pass it back. Kernels of the host do not
// read it.
uint64_t util_get_ffts_config(void) {
  const auto me = Pe::find();
  return me ? reinterpret_cast<std::uint64_t>(me->heap_begin()) : 0;
}

void aclshmemx_handle_wait(aclshmem_handle_t handle, aclrtStream stream) {
  const Caller caller(__func__);
  guarded(__func__, [&] {
    if (!Pe::get()->teams().find(handle.team_id)) {
      fail(ACLSHMEM_INVALID_PARAM, "team {} does not exist", handle.team_id);
    }
    quiet_on_stream(caller, stream);
  });
}

void aclshmem_signal_wait_until(int32_t* sig_addr, int cmp, int32_t cmp_val) {
  guarded(__func__, [&] {
    wait_for_all(Words<std::int32_t>{sig_addr, 1, nullptr, cmp, &cmp_val, 0});
  });
}
void aclshmemx_signal_wait_until_on_stream(int32_t* sig_addr, int cmp, int32_t cmp_val,
                                           aclrtStream stream) {
  const Caller caller(__func__);
  guarded(__func__, [&] { wait_on_stream(caller, sig_addr, cmp, cmp_val, stream); });
}

#define SHMEM_DEFINE(NAME, TYPE)                                                                   \
  void aclshmem_##NAME##_wait(TYPE* ivar, TYPE cmp_value) {                                        \
    guarded(__func__, [&] {                                                                        \
      wait_for_all(Words<TYPE>{ivar, 1, nullptr, ACLSHMEM_CMP_NE, &cmp_value, 0});                 \
    });                                                                                            \
  }                                                                                                \
  void aclshmem_##NAME##_wait_until(TYPE* ivar, int cmp, TYPE cmp_value) {                         \
    guarded(__func__, [&] { wait_for_all(Words<TYPE>{ivar, 1, nullptr, cmp, &cmp_value, 0}); });   \
  }                                                                                                \
  void aclshmem_##NAME##_wait_until_all(TYPE* ivars, size_t nelems, const int* status, int cmp,    \
                                        TYPE cmp_value) {                                          \
    guarded(__func__, [&] {                                                                        \
      wait_for_all(Words<TYPE>{ivars, nelems, status, cmp, &cmp_value, 0});                        \
    });                                                                                            \
  }                                                                                                \
  void aclshmem_##NAME##_wait_until_any(TYPE* ivars, size_t nelems, const int* status, int cmp,    \
                                        TYPE cmp_value, size_t* res_out) {                         \
    any(__func__, Words<TYPE>{ivars, nelems, status, cmp, &cmp_value, 0}, res_out, true);          \
  }                                                                                                \
  void aclshmem_##NAME##_wait_until_some(TYPE* ivars, size_t nelems, size_t* indices,              \
                                         const int* status, int cmp, TYPE cmp_value,               \
                                         size_t* res_out) {                                        \
    some(__func__, Words<TYPE>{ivars, nelems, status, cmp, &cmp_value, 0}, indices, res_out,       \
         true);                                                                                    \
  }                                                                                                \
  void aclshmem_##NAME##_wait_until_all_vector(TYPE* ivars, size_t nelems, const int* status,      \
                                               int cmp, TYPE* cmp_values) {                        \
    guarded(__func__, [&] {                                                                        \
      wait_for_all(Words<TYPE>{ivars, nelems, status, cmp, cmp_values, 1});                        \
    });                                                                                            \
  }                                                                                                \
  void aclshmem_##NAME##_wait_until_any_vector(TYPE* ivars, size_t nelems, const int* status,      \
                                               int cmp, TYPE* cmp_values, size_t* res_out) {       \
    any(__func__, Words<TYPE>{ivars, nelems, status, cmp, cmp_values, 1}, res_out, true);          \
  }                                                                                                \
  void aclshmem_##NAME##_wait_until_some_vector(TYPE* ivars, size_t nelems, size_t* indices,       \
                                                const int* status, int cmp, TYPE* cmp_values,      \
                                                size_t* res_out) {                                 \
    some(__func__, Words<TYPE>{ivars, nelems, status, cmp, cmp_values, 1}, indices, res_out,       \
         true);                                                                                    \
  }                                                                                                \
  void aclshmem_##NAME##_test(TYPE* ivars, int cmp, TYPE cmp_value, int* res_out) {                \
    test_all(__func__, Words<TYPE>{ivars, 1, nullptr, cmp, &cmp_value, 0}, res_out);               \
  }                                                                                                \
  void aclshmem_##NAME##_test_any(TYPE* ivars, size_t nelems, const int* status, int cmp,          \
                                  TYPE cmp_value, size_t* res_out) {                               \
    any(__func__, Words<TYPE>{ivars, nelems, status, cmp, &cmp_value, 0}, res_out, false);         \
  }                                                                                                \
  void aclshmem_##NAME##_test_some(TYPE* ivars, size_t nelems, size_t* indices, const int* status, \
                                   int cmp, TYPE cmp_value, size_t* res_out) {                     \
    some(__func__, Words<TYPE>{ivars, nelems, status, cmp, &cmp_value, 0}, indices, res_out,       \
         false);                                                                                   \
  }                                                                                                \
  void aclshmem_##NAME##_test_all_vector(TYPE* ivars, size_t nelems, const int* status, int cmp,   \
                                         TYPE* cmp_values, int* res_out) {                         \
    test_all(__func__, Words<TYPE>{ivars, nelems, status, cmp, cmp_values, 1}, res_out);           \
  }                                                                                                \
  void aclshmem_##NAME##_test_any_vector(TYPE* ivars, size_t nelems, const int* status, int cmp,   \
                                         TYPE* cmp_values, size_t* res_out) {                      \
    any(__func__, Words<TYPE>{ivars, nelems, status, cmp, cmp_values, 1}, res_out, false);         \
  }                                                                                                \
  void aclshmem_##NAME##_test_some_vector(TYPE* ivars, size_t nelems, size_t* indices,             \
                                          const int* status, int cmp, TYPE* cmp_values,            \
                                          size_t* res_out) {                                       \
    some(__func__, Words<TYPE>{ivars, nelems, status, cmp, cmp_values, 1}, indices, res_out,       \
         false);                                                                                   \
  }
ACLSHMEM_P2P_SYNC_TYPE_FUNC(SHMEM_DEFINE)
#undef SHMEM_DEFINE

}  // extern "C"
