// SPDX-License-Identifier: Apache-2.0
// host/data_plane/shmem_host_rma.h, shmem_host_so.h
#include "shmem/host/data_plane/shmem_host_rma.h"

#include <cstring>

#include "runtime/shmem/base/guard.h"
#include "runtime/shmem/pe/transfer.h"
#include "shmem/host/data_plane/shmem_host_so.h"

using namespace shmem;
using acl::embedding::Caller;

namespace {

void put_bytes(Caller caller, void* to, const void* from, const Elements& elements, int pe,
               Returns returns = Returns::when_done) {
  guarded(caller.function, [&] { put(caller, to, from, elements, pe, returns); });
}
void put_later(Caller caller, void* to, const void* from, const Elements& elements, int pe) {
  put_bytes(caller, to, from, elements, pe, Returns::at_once);
}

void put_with_signal(Caller caller, void* to, const void* from, const Elements& elements, int pe,
                     const SignalSpec& signal, Returns returns = Returns::when_done) {
  guarded(caller.function, [&] {
    if (!signal.address) fail(ACLSHMEM_INVALID_PARAM, "sig_addr is NULL");
    put(caller, to, from, elements, pe, returns, signal);
  });
}

void get_bytes(Caller caller, void* to, const void* from, const Elements& elements, int pe,
               Returns returns = Returns::when_done) {
  guarded(caller.function, [&] { get(caller, to, from, elements, pe, returns); });
}
void get_later(Caller caller, void* to, const void* from, const Elements& elements, int pe) {
  get_bytes(caller, to, from, elements, pe, Returns::at_once);
}

void put_one(Caller caller, void* to, const void* value, std::size_t bytes, int pe) {
  guarded(caller.function, [&] { put_value(caller, to, value, bytes, pe); });
}
void get_one(Caller caller, void* value, const void* from, std::size_t bytes, int pe) {
  guarded(caller.function, [&] { get_value(caller, value, from, bytes, pe); });
}

int set_buffer(const char* function, Pe::Engine engine, const Pe::EngineBuffer& buffer) {
  return guarded(function, [&] { Pe::get()->set_buffer(engine, buffer); });
}

}  // namespace

extern "C" {

void* aclshmem_ptr(void* ptr, int pe) {
  const auto me = Pe::find();
  return me ? me->at(ptr, pe) : nullptr;
}

void aclshmem_putmem(void* dst, void* src, size_t elem_size, int32_t pe) {
  put_bytes(__func__, dst, src, {1, elem_size}, pe);
}
void aclshmem_getmem(void* dst, void* src, size_t elem_size, int32_t pe) {
  get_bytes(__func__, dst, src, {1, elem_size}, pe);
}
void aclshmem_putmem_nbi(void* dst, void* src, size_t elem_size, int32_t pe) {
  put_later(__func__, dst, src, {1, elem_size}, pe);
}
void aclshmem_getmem_nbi(void* dst, void* src, size_t elem_size, int32_t pe) {
  get_later(__func__, dst, src, {1, elem_size}, pe);
}

void aclshmemx_putmem_on_stream(void* dst, void* src, size_t elem_size, int32_t pe,
                                aclrtStream stream) {
  const Caller caller(__func__);
  guarded(__func__, [&] { put_on_stream(caller, dst, src, elem_size, pe, stream); });
}
void aclshmemx_getmem_on_stream(void* dst, void* src, size_t elem_size, int32_t pe,
                                aclrtStream stream) {
  const Caller caller(__func__);
  guarded(__func__, [&] { get_on_stream(caller, dst, src, elem_size, pe, stream); });
}
void aclshmemx_quiet_on_stream(aclrtStream stream) {
  const Caller caller(__func__);
  guarded(__func__, [&] { quiet_on_stream(caller, stream); });
}

int aclshmemx_set_mte_config(uint64_t offset, uint32_t ub_size, uint32_t sync_id) {
  return set_buffer(__func__, Pe::Engine::mte, {offset, ub_size, sync_id});
}
int aclshmemx_set_sdma_config(uint64_t offset, uint32_t ub_size, uint32_t sync_id) {
  return set_buffer(__func__, Pe::Engine::sdma, {offset, ub_size, sync_id});
}
int aclshmemx_set_rdma_config(uint64_t offset, uint32_t ub_size, uint32_t sync_id) {
  return set_buffer(__func__, Pe::Engine::rdma, {offset, ub_size, sync_id});
}
int aclshmemx_set_udma_config(uint64_t offset, uint32_t ub_size, uint32_t sync_id) {
  return set_buffer(__func__, Pe::Engine::udma, {offset, ub_size, sync_id});
}

#define SHMEM_DEFINE(NAME, TYPE)                                                                   \
  void aclshmem_##NAME##_put(TYPE* dest, TYPE* source, size_t nelems, int pe) {                    \
    put_bytes(__func__, dest, source, {sizeof(TYPE), nelems}, pe);                                 \
  }                                                                                                \
  void aclshmem_##NAME##_put_nbi(TYPE* dest, TYPE* source, size_t nelems, int pe) {                \
    put_later(__func__, dest, source, {sizeof(TYPE), nelems}, pe);                                 \
  }                                                                                                \
  void aclshmem_##NAME##_get(TYPE* dest, TYPE* source, size_t nelems, int pe) {                    \
    get_bytes(__func__, dest, source, {sizeof(TYPE), nelems}, pe);                                 \
  }                                                                                                \
  void aclshmem_##NAME##_get_nbi(TYPE* dest, TYPE* source, size_t nelems, int pe) {                \
    get_later(__func__, dest, source, {sizeof(TYPE), nelems}, pe);                                 \
  }                                                                                                \
  void aclshmem_##NAME##_iput(TYPE* dest, TYPE* source, ptrdiff_t dst, ptrdiff_t sst,              \
                              size_t nelems, int pe) {                                             \
    put_bytes(__func__, dest, source, {sizeof(TYPE), nelems, dst, sst}, pe);                       \
  }                                                                                                \
  void aclshmem_##NAME##_iget(TYPE* dest, TYPE* source, ptrdiff_t dst, ptrdiff_t sst,              \
                              size_t nelems, int pe) {                                             \
    get_bytes(__func__, dest, source, {sizeof(TYPE), nelems, dst, sst}, pe);                       \
  }                                                                                                \
  void aclshmem_##NAME##_p(TYPE* dst, const TYPE value, int pe) {                                  \
    put_one(__func__, dst, &value, sizeof value, pe);                                              \
  }                                                                                                \
  TYPE aclshmem_##NAME##_g(TYPE* src, int32_t pe) {                                                \
    TYPE value = 0;                                                                                \
    get_one(__func__, &value, src, sizeof value, pe);                                              \
    return value;                                                                                  \
  }                                                                                                \
  void aclshmem_##NAME##_put_signal(TYPE* dst, TYPE* src, size_t elem_size, uint8_t* sig_addr,     \
                                    int32_t signal, int sig_op, int pe) {                          \
    put_with_signal(__func__, dst, src, {sizeof(TYPE), elem_size}, pe,                             \
                    {sig_addr, signal, sig_op});                                                   \
  }                                                                                                \
  void aclshmem_##NAME##_put_signal_nbi(TYPE* dst, TYPE* src, size_t elem_size, uint8_t* sig_addr, \
                                        int32_t signal, int sig_op, int pe) {                      \
    put_with_signal(__func__, dst, src, {sizeof(TYPE), elem_size}, pe, {sig_addr, signal, sig_op}, \
                    Returns::at_once);                                                             \
  }
ACLSHMEM_TYPE_FUNC(SHMEM_DEFINE)
#undef SHMEM_DEFINE

#define SHMEM_DEFINE(BITS)                                                                        \
  void aclshmem_put##BITS(void* dst, void* src, uint32_t elem_size, int32_t pe) {                 \
    put_bytes(__func__, dst, src, {BITS / 8, elem_size}, pe);                                     \
  }                                                                                               \
  void aclshmem_put##BITS##_nbi(void* dst, void* src, uint32_t elem_size, int32_t pe) {           \
    put_later(__func__, dst, src, {BITS / 8, elem_size}, pe);                                     \
  }                                                                                               \
  void aclshmem_get##BITS(void* dst, void* src, uint32_t elem_size, int32_t pe) {                 \
    get_bytes(__func__, dst, src, {BITS / 8, elem_size}, pe);                                     \
  }                                                                                               \
  void aclshmem_get##BITS##_nbi(void* dst, void* src, uint32_t elem_size, int32_t pe) {           \
    get_later(__func__, dst, src, {BITS / 8, elem_size}, pe);                                     \
  }                                                                                               \
  void aclshmem_iput##BITS(void* dest, void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
                           int pe) {                                                              \
    put_bytes(__func__, dest, source, {BITS / 8, nelems, dst, sst}, pe);                          \
  }                                                                                               \
  void aclshmem_iget##BITS(void* dest, void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
                           int pe) {                                                              \
    get_bytes(__func__, dest, source, {BITS / 8, nelems, dst, sst}, pe);                          \
  }                                                                                               \
  void aclshmem_put##BITS##_signal(void* dst, void* src, size_t nelems, int32_t* sig_addr,        \
                                   int32_t signal, int sig_op, int pe) {                          \
    put_with_signal(__func__, dst, src, {BITS / 8, nelems}, pe, {sig_addr, signal, sig_op});      \
  }                                                                                               \
  void aclshmem_put##BITS##_signal_nbi(void* dst, void* src, size_t nelems, int32_t* sig_addr,    \
                                       int32_t signal, int sig_op, int pe) {                      \
    put_with_signal(__func__, dst, src, {BITS / 8, nelems}, pe, {sig_addr, signal, sig_op},       \
                    Returns::at_once);                                                            \
  }
ACLSHMEM_SIZE_FUNC(SHMEM_DEFINE)
#undef SHMEM_DEFINE

void aclshmemx_putmem_signal(void* dst, void* src, size_t elem_size, void* sig_addr, int32_t signal,
                             int sig_op, int pe) {
  put_with_signal(__func__, dst, src, {1, elem_size}, pe, {sig_addr, signal, sig_op});
}
void aclshmemx_putmem_signal_nbi(void* dst, void* src, size_t elem_size, void* sig_addr,
                                 int32_t signal, int sig_op, int pe) {
  put_with_signal(__func__, dst, src, {1, elem_size}, pe, {sig_addr, signal, sig_op},
                  Returns::at_once);
}
void aclshmemx_signal_op_on_stream(int32_t* sig_addr, int32_t signal, int sig_op, int pe,
                                   aclrtStream stream) {
  const Caller caller(__func__);
  guarded(__func__, [&] { signal_on_stream(caller, {sig_addr, signal, sig_op}, pe, stream); });
}

}  // extern "C"
